# SPDX-License-Identifier: Apache-2.0
"""statistics.py GEN9SIM SOURCE: statistics are as docs/statistics.schema.json says, and say what was run."""
import copy
import json
import pathlib
import re
import sys
import tempfile

import jsonschema
from checks import expect, finish, run

gen9sim, source = sys.argv[1], pathlib.Path(sys.argv[2])
capture = source / "traces/prefix_sum/stream.aub.zst"
schema = json.loads((source / "docs/statistics.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
folder = tempfile.TemporaryDirectory()


def statistics(*options):
    path = pathlib.Path(folder.name) / "run.json"
    done = run(gen9sim, "replay", "--stats", path, *options, capture)
    expect(done.returncode == 0, f"{options}: status {done.returncode}: {done.stderr}")
    return json.loads(path.read_text()), done.stderr


def settings(*options):
    return {entry["name"]: (entry["value"], entry["product"], entry["unit"]) for entry in statistics(*options)[0]["run"]["settings"]}


timed, shown = statistics()
functional, shown_functional = statistics("--timing", "functional")
for name, report in (("timed", timed), ("functional", functional)):
    for error in validator.iter_errors(report):
        expect(False, f"{name}: {error.json_path}: {error.message}")
    expect(report["timing"] == name and report["run"]["device"] == "skl-gt2" and report["run"]["command"] == "replay"
           and report["run"]["program"] == [str(capture)] and report["run"]["settings"] == [], f"{name}: {report['run']}")

example = json.loads((source / "tests/system/statistics_example.json").read_text())
for error in validator.iter_errors(example):
    expect(False, f"the example: {error.json_path}: {error.message}")

# The schema refuses what it should.
def refused(change):
    spoilt = copy.deepcopy(timed)
    change(spoilt)
    return not validator.is_valid(spoilt)


expect(refused(lambda r: r["totals"].pop("cycles")), "the schema takes timed statistics without cycles")
expect(refused(lambda r: r.update(timing="functional")), "the schema takes cycles in functional mode")
expect(refused(lambda r: r["kernels"][0].update(colour=1)), "the schema takes unknown members")
expect(refused(lambda r: r.pop("outside")), "the schema takes timed statistics without what is outside of launches")
expect(refused(lambda r: r["kernels"][0].pop("eu")), "the schema takes a launch without its EU cycles")
expect(refused(lambda r: r["kernels"][0]["eu"]["cycles"].update(lunch=1)), "the schema takes unknown uses of cycles")
expect(refused(lambda r: r["run"].pop("device")), "the schema takes a run without its device")
expect(refused(lambda r: r["counters"]["gpu"].update(x="y")), "the schema takes counters that are no numbers")

# Functional mode has no cycles and no times of the machine.
expect("cycles" in shown and "IPC" in shown and "time us" in shown, f"timed mode does not show cycles:\n{shown}")
for word in ("cycle", "IPC", "time us"):
    expect(word not in shown_functional, f"functional mode shows '{word}':\n{shown_functional}")


def names(tree):
    for key, value in tree.items():
        yield key
        if isinstance(value, dict):
            yield from names(value)


# What the machine can do in a cycle (run.machine) is no count of cycles.
counted = {key: value for key, value in functional.items() if key != "run"}
expect(not [n for n in names(counted) if re.search("cycle", n)], "functional statistics have cycles")
expect(functional["totals"]["instructions"] == timed["totals"]["instructions"], "the modes run different instructions")

# A launch is described by what it did (the sums are tests of their own).
launch = timed["kernels"][0]
expect(launch["number"] == 0 and "name" not in launch, f"a capture has no names: {launch}")
expect({"data_port", "instruction"} <= launch["memory"]["clients"].keys(), f"clients: {launch['memory']['clients'].keys()}")
expect(any("read" in name for name in launch["latency"]), f"latencies: {launch['latency'].keys()}")
expect(launch["queues"]["data_port"]["in_flight"] > 0, f"queues: {launch['queues']}")
code = timed["code"][0]
expect(code["launches"] == [0] and code["instructions"][0]["offset"] == 0, f"code: {code['launches']}, {code['instructions'][0]}")
expect(any("send" in i["text"] for i in code["instructions"]), "no instruction is shown as a send")
expect(all(launch.keys().isdisjoint({"eu", "memory", "latency"}) for launch in functional["kernels"]), "functional launches have cycles")

# Settings: what differs from the product, and nothing else, however it was given.
expect(settings("--set", "eu.threads=4") == {"gpu.slice.subslice.eu.threads": (4, 7, "threads")}, "eu.threads=4")
expect(settings("--set", "eu.threads=7") == {}, "a setting that is the product's")
expect(settings("--set", "subslice1.eu2.threads=4") == {"gpu.slice0.subslice1.eu2.threads": (4, 7, "threads")}, "one EU")
config = pathlib.Path(folder.name) / "config.json"
config.write_text('{"gpu": {"l3_banks": 2}}')
expect(settings("--config", config) == {"gpu.l3_banks": (2, 4, "")}, f"--config: {settings('--config', config)}")
expect(settings("--device", "skl-gt1") == {}, "another product differs from itself")

# The names are settings: given back to the model they make the same run.
first, _ = statistics("--set", "subslice1.eu2.threads=4", "--set", "gpu.l3_banks=2")
again, _ = statistics(*(word for entry in first["run"]["settings"] for word in ("--set", f"{entry['name']}={entry['value']}")))
for report in (first, again):
    report["run"].pop("host")
expect(first == again, "the settings of a run do not make the same run")
finish()
