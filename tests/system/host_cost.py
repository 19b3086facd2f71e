# SPDX-License-Identifier: Apache-2.0
"""host_cost.py GEN9SIM TRACES: the host's instructions that replays take in the machine's cycles, by valgrind, stay under limits that are
5 percent above what was reached. So do those of compiled code for an instruction of the EU that it runs, without what it calls. The
counts are the same each time and on any machine with the same compiler and vector instructions."""
import json
import pathlib
import re
import sys
import tempfile

from checks import counter_sums, expect, finish, run

# Millions of instructions: functional, timed; of compiled code, for an instruction of the EU.
LIMITS = {
    "nested_loops": (6.69, 24.39, 13.42),
    "prefix_sum": (6.06, 17.93, 0),
    "image_samples": (5.61, 29.82, 0),
    "global_atomics": (4.87, 28.16, 0),
    "media_walks": (18.73, 110.28, 7.30),
}

# A replay costs about the same on 72 EUs as on 12.
ALIKE, MOST = "nested_loops", 1.2


def millions(name, mode, *options, profile="/dev/null"):
    done = run("valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", "--toggle-collect=gen9::Agenda::tick()", gen9sim,
               "replay", "--timing", mode, *options, pathlib.Path(traces) / name / "stream.aub.zst")
    counted = re.search(r"Collected : (\d+)", done.stderr)
    expect(done.returncode == 0 and counted, f"{name}: status {done.returncode}: {done.stderr}")
    return int(counted[1]) / 1e6 if counted else 0


def of_compiled_code(profile):
    """Instructions of code that is in no file; lines behind one with a call are those of what it calls."""
    names, place, called, sum_of_all = {}, None, False, 0
    for line in profile.read_text().splitlines():
        if found := re.match(r"c?ob=\((\d+)\) ?(.*)", line):
            if found[2]:
                names[found[1]] = found[2]
            if line[0] == "o":
                place = names[found[1]]
        elif line.startswith("calls="):
            called = True
        elif re.match(r"[0-9+*-]", line):
            if place == "???" and not called:
                sum_of_all += int(line.split()[1])
            called = False
    return sum_of_all


gen9sim, traces = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    profile, statistics = pathlib.Path(folder) / "profile", pathlib.Path(folder) / "run.json"
    for name, (functional, timed, code) in LIMITS.items():
        for mode, limit in (("functional", functional), ("timed", timed)):
            # In timed mode statistics cost a profile of the instructions.
            used = millions(name, mode, *(("--stats", statistics) if mode == "functional" else ()), profile=profile)
            print(f"{name} {mode}: {used:.2f} million instructions, limit {limit}")
            expect(0 < used <= limit, f"{name}, {mode}: {used:.2f} million instructions of the host, more than {limit}")
            if mode == "functional":
                compiled = sum(value for (_, counter), value in counter_sums(json.loads(statistics.read_text())).items() if counter == "compiled_instructions")
                used = of_compiled_code(profile) / max(compiled, 1)
                print(f"{name}: {used:.2f} instructions of compiled code for one of {compiled} of the EU, limit {code}")
                expect(compiled == 0 or 0 < used <= code, f"{name}: {used:.2f} instructions of compiled code for one of the EU, more than {code}")
small, large = (millions(ALIKE, "functional", "--device", device) for device in ("skl-gt1", "skl-gt4"))
print(f"{ALIKE} functional: {small:.2f} on skl-gt1, {large:.2f} on skl-gt4")
expect(0 < large <= MOST * small, f"{ALIKE}: {large:.2f} million instructions on skl-gt4, more than {MOST} times the {small:.2f} on skl-gt1")
finish()
