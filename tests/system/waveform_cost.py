# SPDX-License-Identifier: Apache-2.0
"""waveform_cost.py GEN9SIM CAPTURE...: a waveform of all signals costs at most five times the instructions of
the run, a timeline at most twice. The timeline is held on all captures, the waveform on the first."""
import pathlib
import re
import sys
import tempfile

from checks import expect, finish, run

TIMELINE = ("--timeline", "run.pftrace", 2.0)
WAVEFORMS = (("--vcd", "run.vcd", 5.0), ("--vcd", "run.fst", 5.0))


def instructions(capture, *options):
    """Of the host, which unlike its time are the same each time."""
    done = run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", gen9sim, "replay", *options, capture)
    expect(done.returncode == 0, f"{options}: status {done.returncode}: {done.stderr[-500:]}")
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


gen9sim, *captures = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    for capture in captures:
        plain = instructions(capture)
        for option, name, most in (TIMELINE, *(WAVEFORMS if capture == captures[0] else ())):
            ratio = instructions(capture, option, pathlib.Path(folder) / name) / plain
            title = f"{name} of {pathlib.Path(capture).parent.name}"
            print(f"{title}: {ratio:.2f} times the {plain:,} instructions of the run")
            expect(ratio <= most, f"{title} costs {ratio:.2f} times the run")
finish()
