# SPDX-License-Identifier: Apache-2.0
"""waveform_cost.py GEN9SIM CAPTURE timeline|waveforms...: a timeline costs at most twice the instructions of the run,
a waveform of all signals at most five times."""
import pathlib
import re
import sys
import tempfile

from checks import expect, finish, run

OUTPUTS = {"timeline": [("--timeline", "run.pftrace", 2.0)],
           "waveforms": [("--vcd", "run.vcd", 5.0), ("--vcd", "run.fst", 5.0)]}


def instructions(capture, *options):
    """Of the host, which unlike its time are the same each time."""
    done = run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", gen9sim, "replay", *options, capture)
    expect(done.returncode == 0, f"{options}: status {done.returncode}: {done.stderr[-500:]}")
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


gen9sim, capture, *kinds = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    plain = instructions(capture)
    for kind in kinds:
        for option, name, most in OUTPUTS[kind]:
            ratio = instructions(capture, option, pathlib.Path(folder) / name) / plain
            print(f"{name}: {ratio:.2f} times the {plain:,} instructions of the run")
            expect(ratio <= most, f"{name} costs {ratio:.2f} times the run")
finish()
