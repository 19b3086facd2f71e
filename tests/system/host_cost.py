# SPDX-License-Identifier: Apache-2.0
"""host_cost.py GEN9SIM TRACES: the host's instructions that replays take in the machine's cycles, by valgrind, stay under limits that are
5 percent above what was reached. The counts are the same each time and on any machine with the same compiler and vector instructions."""
import pathlib
import re
import sys

from checks import expect, finish, run

# Millions of instructions: functional, timed.
LIMITS = {
    "nested_loops": (7.30, 24.17),
    "prefix_sum": (5.85, 17.77),
    "image_samples": (5.35, 29.69),
    "global_atomics": (4.72, 28.00),
    "media_walks": (18.14, 109.34),
}

# A replay costs about the same on 72 EUs as on 12.
ALIKE, MOST = "nested_loops", 1.2


def millions(name, mode, *options):
    done = run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=gen9::Agenda::tick()", gen9sim,
               "replay", "--timing", mode, *options, pathlib.Path(traces) / name / "stream.aub.zst")
    counted = re.search(r"Collected : (\d+)", done.stderr)
    expect(done.returncode == 0 and counted, f"{name}: status {done.returncode}: {done.stderr}")
    return int(counted[1]) / 1e6 if counted else 0


gen9sim, traces = sys.argv[1:]
for name, limits in LIMITS.items():
    for mode, limit in zip(("functional", "timed"), limits):
        used = millions(name, mode)
        print(f"{name} {mode}: {used:.2f} million instructions, limit {limit}")
        expect(0 < used <= limit, f"{name}, {mode}: {used:.2f} million instructions of the host, more than {limit}")
small, large = (millions(ALIKE, "functional", "--device", device) for device in ("skl-gt1", "skl-gt4"))
print(f"{ALIKE} functional: {small:.2f} on skl-gt1, {large:.2f} on skl-gt4")
expect(0 < large <= MOST * small, f"{ALIKE}: {large:.2f} million instructions on skl-gt4, more than {MOST} times the {small:.2f} on skl-gt1")
finish()
