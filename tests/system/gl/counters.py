# SPDX-License-Identifier: Apache-2.0
"""counters.py GEN9SIM MODE GL_COUNTERS: what GL_INTEL_performance_query tells of draws is what follows from their vertices and
pixels; in sum it is what the model's statistics tell of the run."""
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import counter_sums, expect, finish, run  # noqa: E402

gen9sim, mode, program = sys.argv[1:4]
environment = {"MESA_SHADER_CACHE_DISABLE": "1"}

with tempfile.TemporaryDirectory() as folder:
    statistics = pathlib.Path(folder) / "run.json"
    done = run(gen9sim, "run", "--timing", mode, "--stats", statistics, "--", program, environment=environment)
    expect(done.returncode == 0 and "Intel" in done.stdout, f"status {done.returncode}: {done.stdout}{done.stderr}")
    sums = counter_sums(json.loads(statistics.read_text())) if statistics.exists() else {}
steps = {}
for step, counter, value in re.findall(r"^(\w+)\t(.*)\t([\d.naif-]+)$", done.stdout, re.MULTILINE):
    steps.setdefault(step, {})[counter] = float(value)
expect(len(steps) == 9, f"steps: {sorted(steps)}")

# A pixel is counted as a quarter of its 2x2 pixels. A vertex thread takes eight vertices.
PIXELS = 64 * 64
RASTERIZED, WRITTEN, BLENDED = "Rasterized Pixels", "Samples Written", "Samples Blended"
KILLED, EARLY, LATE, HIERARCHICAL = "Samples Killed in FS", "Early Depth Test Fails", "Pixels Failing Tests", "Early Hi-Depth Test Fails"
whole = {"VS Threads Dispatched": 1, RASTERIZED: PIXELS, WRITTEN: PIXELS, BLENDED: 0, KILLED: 0, EARLY: 0, LATE: 0, HIERARCHICAL: 0}
half = PIXELS // 2
EXPECTED = {
    "whole": whole,
    "points": {**whole, "VS Threads Dispatched": -(-100 // 8), RASTERIZED: 4 * 100, WRITTEN: 4 * 100},
    "discarded": {**whole, KILLED: half, WRITTEN: half},
    "blended": {**whole, BLENDED: PIXELS},
    "near": {**whole, RASTERIZED: half, WRITTEN: half},
    "far": {**whole, EARLY: half, WRITTEN: half},
    "late": {**whole, LATE: half, WRITTEN: half},
    "fetched": {**whole, "Sampler Texels": PIXELS},
}
for step, counters in EXPECTED.items():
    for counter, value in counters.items():
        is_now = steps.get(step, {}).get(counter)
        expect(is_now == value, f"{step}: {counter} is {is_now}, must be {value}")
    for stage in ("HS", "DS", "GS", "CS"):
        expect(steps[step][f"{stage} Threads Dispatched"] == 0, f"{step}: threads of {stage}")
    expect(steps[step]["FS Threads Dispatched"] > 0, f"{step}: threads of pixels")
    expect(steps[step]["GPU Core Clocks"] > 0 and 0 < steps[step]["GPU Busy"] <= 100, f"{step}: {steps[step]['GPU Busy']} percent")
    if mode == "timed":
        expect(0 < steps[step]["EU Active"] + steps[step]["EU Stall"] <= 100, f"{step}: EUs active and stalled")
        expect(steps[step]["EU Active"] > 0, f"{step}: EUs active")

# All work is within the steps.
THREADS_OF = {"VS": [("vs", "threads")], "FS": [("ps", f"threads_{width}") for width in (8, 16, 32)], "CS": [("spawner", "threads")]}
SAME = {
    **{f"{stage} Threads Dispatched": (1, names) for stage, names in THREADS_OF.items()},
    RASTERIZED: (4, [("raster", "subspans")]),
    EARLY: (4, [("depth", "subspans_failed_early")]),
    LATE: (4, [("depth", "subspans_failed_late"), ("render_target", "subspans_failed")]),
    KILLED: (4, [("render_target", "subspans_killed")]),
    WRITTEN: (4, [("render_target", "subspans")]),
    BLENDED: (4, [("render_target", "subspans_blended")]),
    "Sampler Texels": (1, [("sampler", "pixels")]),
    "SLM Bytes Read": (1, [("hdc", "slm_bytes_read")]),
    "SLM Bytes Written": (1, [("hdc", "slm_bytes_written")]),
    "Shader Memory Accesses": (1, [("hdc", "lines")]),
    "Shader Atomic Memory Accesses": (1, [("hdc", "atomics")]),
    "Shader Barrier Messages": (1, [("gateway", "barrier_arrivals")]),
}
for counter, (factor, names) in SAME.items():
    of_steps = sum(step[counter] for step in steps.values())
    of_run = factor * sum(sums.get(name, 0) for name in names)
    expect(of_steps == of_run, f"{counter}: {of_steps} in the steps, {of_run} in the statistics")

# Shares of the EUs' cycles, of whose numbers Mesa drops what 24 EUs have not in common. The statistics of functional mode have no cycles.
EUS = 24
SHARES = {
    "EU Active": ("all", "active_cycles"), "EU Stall": ("all", "stalled_cycles"), "EU Both FPU Pipes Active": ("all", "fpus_cycles"),
    "VS FPU0 Pipe Active": ("vs", "fpu0_cycles"), "VS FPU1 Pipe Active": ("vs", "fpu1_cycles"), "VS Send Pipe Active": ("vs", "send_cycles"),
    "PS FPU0 Pipe Active": ("ps", "fpu0_cycles"), "PS FPU1 Pipe Active": ("ps", "fpu1_cycles"),
    "PS Send Pipeline Active": ("ps", "send_cycles"), "FS Both FPU Active": ("ps", "fpus_cycles"),
}


def of_eus(name):
    return sum(value for (block, counter), value in sums.items() if re.fullmatch(r"eu[0-9]+", block) and counter == name)


for counter, name in SHARES.items():
    of_steps = EUS * sum(step[counter] / 100 * step["GPU Core Clocks"] for step in steps.values())
    # An instruction of functional mode is an active cycle, and units are not told apart.
    of_run = sums[name] if mode == "timed" else of_eus("instructions") if counter == "EU Active" else 0
    expect(-1e-4 * of_run <= of_run - of_steps <= EUS * len(steps) + 1e-4 * of_run, f"{counter}: {of_steps} in the steps, {of_run} in the statistics")
    if mode == "timed" and counter != "VS FPU1 Pipe Active":
        expect(of_run > 0, f"{counter}: 0")
if mode == "timed":
    expect(sums["all", "active_cycles"] == of_eus("busy"), "active cycles of all threads")
    expect(sums["all", "stalled_cycles"] == of_eus("cycles") - of_eus("idle") - of_eus("busy"), "stalled cycles of all threads")
    for stage in ("hs", "ds", "gs", "media"):
        expect(sums[stage, "thread_cycles"] == 0, f"{stage} has threads")
    expect(sums["all", "thread_cycles"] == sums["vs", "thread_cycles"] + sums["ps", "thread_cycles"], "threads by stage")
print(f"{len(steps)} steps, {sum(len(step) for step in steps.values())} counters")
finish()
