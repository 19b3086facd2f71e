# SPDX-License-Identifier: Apache-2.0
"""statistics_kinds.py GEN9SIM SOURCE GALLERY PREEMPTED: statistics of all kinds of runs are as the schema says and add up, and all outputs
of a run that share a number say the same."""
import json
import pathlib
import re
import sys
import tempfile

import jsonschema
import shared_numbers
from checks import expect, finish, has_its_turn, run

gen9sim, source, gallery, preempted = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]
validator = jsonschema.Draft202012Validator(json.loads((source / "docs/statistics.schema.json").read_text()))
folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name) / "run.json"

# Blocks that give each of their cycles one reason.
EU_USES = {"busy": "busy", "no_thread": "idle", **{use: f"stall_{use}" for use in (
    "scoreboard", "message", "barrier", "dependency", "fetch", "send_queue", "branch", "switch", "pipe")}}
ACCOUNTS = {
    r"eu\d+": list(EU_USES.values()),
    r"bank\d+": ["busy_cycles", "idle_cycles", "port_stalls", "atomic_stalls", "super_queue_stalls", "memory_queue_stalls", "flush_stalls"],
    r"hdc": [f"{n}_cycles" for n in ("busy", "stall_memory", "stall_slm", "stall_fence", "stall_full", "front_end", "waiting", "idle")],
    r"sampler": [f"{n}_cycles" for n in ("busy", "lookup", "stall_memory", "stall_full", "waiting", "front_end", "return", "idle")],
    r"spawner": [f"{n}_cycles" for n in ("idle", "sending", "front_end", "wait_urb", "wait_slot", "wait_registers", "wait_slm", "wait_barrier", "wait_handshake",
                                         "wait_payload", "wait_drain", "wait_scoreboard", "wait_spawn", "wait_fence")],
    r"icache": [f"{n}_cycles" for n in ("busy", "fetching", "returning", "idle")],
    r"slm": [f"{n}_cycles" for n in ("busy", "returning", "idle")],
    r"slm_crossbar": [f"{n}_cycles" for n in ("busy", "stalled", "memory", "passing", "idle")],
    r"gateway": [f"{n}_cycles" for n in ("busy", "returning", "barrier", "idle")],
    r"urb": [f"{n}_cycles" for n in ("busy", "waiting", "returning", "idle")],
    r"gti": [f"{n}_cycles" for n in ("bandwidth", "passing", "downstream", "walking", "memory", "returning", "idle")],
    r"llc": [f"{n}_cycles" for n in ("busy", "stalled", "memory", "returning", "idle")],
    r"dram": [f"{n}_cycles" for n in ("transferring", "waiting", "returning", "idle")],
    r"rs": [f"{n}_cycles" for n in ("idle", "busy", "fetch", "engine", "room", "drain", "context")],
    r"cs": [f"{n}_cycles" for n in ("busy", "drain", "accept", "poll", "streamer", "memory", "control")],
}


def blocks(tree, name=""):
    if any(not isinstance(part, dict) for part in tree.values()):
        yield name, tree
    for key, part in tree.items():
        if isinstance(part, dict):
            yield from blocks(part, key)


def check(kind, timing="timed", shared_slm=False):
    statistics = json.loads(path.read_text())
    for error in validator.iter_errors(statistics):
        expect(False, f"{kind}: {error.json_path}: {error.message[:200]}")
    expect(statistics["timing"] == timing, f"{kind}: timing is {statistics['timing']}")
    if timing == "functional":
        return statistics
    all_blocks, engine = list(blocks(statistics["counters"])), statistics["totals"]["engine_cycles"]
    for pattern, names in ACCOUNTS.items():
        found = [counters for name, counters in all_blocks if re.fullmatch(pattern, name)]
        sums = {sum(counters[name] for name in names) for counters in found}
        # When a run is stopped, its EUs are up to 16 cycles ahead (Environment::notice_cycles), and the command streamer
        # has not counted the wait at hand.
        if kind == "aborted" and pattern == r"cs":
            continue
        # It takes requests between cycles, whose parts it rounds.
        if kind == "preempted" and pattern == r"cs":
            expect(abs(sums.pop() - engine) < 10, f"{kind}: cs")
            continue
        near = kind == "aborted" and pattern == r"eu\d+" and min(sums) >= engine and max(sums) <= engine + 16
        if pattern == "slm_crossbar" and not shared_slm:
            expect(not found, f"{kind}: {pattern} of a machine without")
            continue
        expect(found and (near or sums == {engine}), f"{kind}: {pattern}: {len(found)} blocks account for {sums} of {engine} cycles")
    # What launches did, with what is outside, is what the blocks have counted.
    parts = [part for part in (*statistics["kernels"], statistics["outside"]) if "eu" in part]
    for use, counter in EU_USES.items():
        counted = sum(counters[counter] for name, counters in all_blocks if re.fullmatch(r"eu\d+", name))
        said = sum(part["eu"]["cycles"].get(use, 0) for part in parts)
        expect(said == counted, f"{kind}: {use}: launches say {said} cycles, EUs {counted}")
    counted = sum(counters["read_bytes"] + counters["written_bytes"] for name, counters in all_blocks if name == "dram")
    said = sum(part["memory"]["dram"]["read_bytes"] + part["memory"]["dram"]["written_bytes"] for part in parts)
    # What functional launches still cause, states of the next and victims, is in none.
    expect(said == counted or (timing == "mixed" and 0.9 * counted < said < counted), f"{kind}: launches say {said} bytes of DRAM, DRAM {counted}")
    rows = statistics["over_time"]
    for use, counter in EU_USES.items():
        column = rows["columns"].index("eu_" + use)
        counted = sum(counters[counter] for name, counters in all_blocks if re.fullmatch(r"eu\d+", name))
        said = sum(row[column] for row in rows["rows"])
        expect(said == counted, f"{kind}: {use}: over time {said} cycles, EUs {counted}")
    return statistics


def ran(kind, program, *options, status=0, shared=True, **expected):
    path.unlink(missing_ok=True)
    done = run(gen9sim, "run", "--stats", path, *options, "--", *program)
    expect(done.returncode == status, f"{kind}: status {done.returncode}: {done.stderr[-500:]}")
    statistics = check(kind, **expected)
    if shared:
        shared_numbers.check(kind, statistics, done.stderr, gen9sim, path)
    return statistics


# Programs with one kernel and with several, with many launches, shared local memory, atomics, images, and kernels of the driver's own; of each
# some launches alone are timed.
picture = pathlib.Path(folder.name) / "picture.png"
PROGRAMS = {"vector_add": ([], "0"), "matmul": ([], "0"), "reduction": ([], "0"), "bitonic_sort": ([], "20,40-41"), "nbody": ([], "0"),
            "bfs": ([], "3,9-10"), "photograph": ([picture], "1"), "histogram": ([], "0")}
explored = {}
for index, (name, (arguments, timed_launches)) in enumerate(PROGRAMS.items()):
    if not has_its_turn(index, 2):
        continue
    program = [gallery / name, *arguments]
    modes = [ran(f"{name}, {mode}", program, "--timing", mode, timing=mode) for mode in ("functional", "timed")]
    explored |= {f"{name}, {statistics['timing']}": statistics for statistics in modes}
    # The instructions of this one depend on the order of its threads.
    if name != "bfs":
        shared_numbers.check_modes(name, *modes)
    mixed = ran(f"{name}, mixed", program, "--timed-kernels", timed_launches, "--warm", "2", timing="mixed")
    expect({launch["number"] for launch in mixed["kernels"] if launch["timing"] == "timed"} ==
           {n for part in timed_launches.split(",") for n in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)}, f"{name}: other launches are timed")
shared_numbers.check_exploration(explored, source)

matmul = [gallery / "matmul"]
ran("the simulator socket", matmul, "--door", "tbx")
ran("shared local memory of several subslices", matmul, "--device", "bxt-3x6", shared_slm=True)
stopped = ran("aborted", matmul, "--max-cycles", "20000", status=3, shared=False)
expect(stopped["totals"]["unfinished"] == 1 and stopped["totals"]["engine_cycles"] == 20000 and not stopped["kernels"][0]["finished"], "aborted: what is left")
faulty = ran("a fault", [gallery / "misbehave", "unmapped"], status=3, shared=False)
expect(faulty["totals"]["guest_errors"] > 0, f"a fault: {faulty['totals']}")
contexts = ran("contexts", [gallery / "contexts"], shared=False)
expect({launch["context"] for launch in contexts["kernels"]} == {0, 1, 2}, "contexts: there are others")

# A context that is taken the engine from within threads, which are saved and come back.
path.unlink()
done = run(preempted, "--set", "gpu.subslices=1", "--set", "gpu.eus=2", "--work", "400", "--stats", path,
           source / "traces/nested_loops/stream.aub.zst", "4", "1", "6000")
expect(done.returncode == 0, f"preempted: status {done.returncode}: {done.stderr[-500:]}")
taken = check("preempted")
expect(taken["counters"]["gpu"]["cs"]["preemptions"] > 0, "preempted: nobody was")
finish()
