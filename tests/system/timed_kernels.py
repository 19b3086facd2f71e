# SPDX-License-Identifier: Apache-2.0
"""timed_kernels.py GEN9SIM SOURCE GALLERY: launches, and groups of launches, that are timed alone take as long as in a whole run."""
import json
import pathlib
import sys
import tempfile

import jsonschema
from checks import expect, finish, has_its_turn, run

gen9sim, source, gallery = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
validator = jsonschema.Draft202012Validator(json.loads((source / "docs/statistics.schema.json").read_text()))
folder = tempfile.TemporaryDirectory()


def statistics(program, *options):
    path = pathlib.Path(folder.name) / "run.json"
    done = run(gen9sim, "run", "--stats", path, *options, "--", gallery / program[0], *program[1:])
    expect(done.returncode == 0, f"{program} {options}: status {done.returncode}: {done.stderr}")
    report = json.loads(path.read_text())
    for error in validator.iter_errors(report):
        expect(False, f"{program} {options}: {error.json_path}: {error.message}")
    return report


def launches(report):
    return {launch["number"]: launch for launch in report["kernels"]}


# 55 launches that depend on each other.
whole = statistics(["bitonic_sort"])
part = statistics(["bitonic_sort"], "--timed-kernels", "20,40-41", "--warm", "2")
all_timed, ours = launches(whole), launches(part)
expect(part["timing"] == "mixed" and whole["timing"] == "timed", "the run's mode is another")
expect([n for n in ours if ours[n]["timing"] == "timed"] == [20, 40, 41], "other launches are timed")
expect([n for n in ours if ours[n]["timing"] == "warming"] == [18, 19, 38, 39], "other launches warm")
for number in (20, 40, 41):
    cycles, expected = ours[number]["cycles"], all_timed[number]["cycles"]
    expect(abs(cycles - expected) <= expected / 100, f"launch {number} takes {cycles} cycles, in a whole run {expected}")
expect(part["totals"]["cycles"] == sum(ours[n]["cycles"] for n in (20, 40, 41)), "the totals have other cycles")
expect(part["totals"]["instructions"] == whole["totals"]["instructions"], "other instructions are run")

# What a launch of one thread takes follows from whether its EU has the kernel's lines at hand; buffers are written by
# functional launches and read by timed ones, and the other way round, and their pages come and go. Images share pages, and
# some are written past the LLC.
for index, (program, chosen, warm) in enumerate((("uneven_groups", "7,15,23", 1), ("launches", "5,11,19", 1), ("block_io", "7,15,23,31,39,47,55", 3),
                                                 ("odd_addresses", "7,103", 3), ("image_forms", "207,231", 3))):
    if not has_its_turn(index, 2):
        continue
    whole_run, part_run = (launches(statistics([program], *options)) for options in ((), ("--timed-kernels", chosen, "--warm", str(warm))))
    for number in map(int, chosen.split(",")):
        cycles, expected = part_run[number]["cycles"], whole_run[number]["cycles"]
        # A line or two may be in memory that the whole run had in the LLC, which addresses decide: each takes 100 cycles more there.
        expect(abs(cycles - expected) <= max(expected / 100, 250), f"{program}: launch {number} takes {cycles} cycles, in a whole run {expected}")

# By name, which only begins with the launch, and by place among those of the name.
name = next(iter(all_timed.values()))["name"]
for chosen, timed in ((f"{name[:3]}*:3,7-9", [3, 7, 8, 9]), (name, sorted(all_timed)), ("nobody*", [])):
    found = launches(statistics(["bitonic_sort"], "--timed-kernels", chosen))
    expect([n for n in found if found[n]["timing"] == "timed"] == timed, f"{chosen} times others than {timed}")

# Groups of one launch, 4,096 of each: those of the picture are not alike, those of the histogram wait for shared local
# memory and for atomics on words that all of them add to.
for index, program in enumerate((["mandelbrot", pathlib.Path(folder.name) / "picture.png", "512", "512"], ["histogram", "262144"])):
    if not has_its_turn(index, 2):
        continue
    whole = statistics(program)["kernels"][-1]
    sampled = statistics(program, "--sample-groups", "100")["kernels"][-1]
    expect(sampled["timing"] == "sampled" and sampled["instructions"] == whole["instructions"], f"{program}: no sample: {sampled}")
    expect(sampled["sample"]["groups"] < 4096 / 2, f"{program}: most groups are timed: {sampled['sample']}")
    off = abs(sampled["cycles"] - whole["cycles"])
    expect(off < whole["cycles"] / 20, f"{program}: the sample says {sampled['cycles']} cycles, the whole takes {whole['cycles']}")
    expect(off <= sampled["sample"]["margin"], f"{program}: {off} cycles off, more than the margin {sampled['sample']['margin']}")

# What cannot be meant is refused before anything runs.
for options, words in ((["--timed-kernels", "9-7"], "ends before it begins"),
                       (["--timed-kernels", "mm:"], "must follow the colon"),
                       (["--timed-kernels", "mm*;"], "a name or a list is missing"),
                       (["--timed-kernels", "3", "--warm", "-1"], "--warm -1 is not allowed"),
                       (["--warm", "1"], "--warm needs --timed-kernels"),
                       (["--timed-kernels", "3", "--timing", "functional"], "times nothing"),
                       (["--timed-kernels", "3", "--vcd", "x.vcd"], "do not go together"),
                       (["--sample-groups", "0"], "--sample-groups 0 is not allowed"),
                       (["--sample-groups", "9", "--report", "x.html"], "do not go together")):
    done = run(gen9sim, "run", *options, "--", gallery / "vector_add")
    expect(done.returncode == 2 and words in done.stderr, f"{options}: status {done.returncode}: {done.stderr}")
finish()
