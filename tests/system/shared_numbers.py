# SPDX-License-Identifier: Apache-2.0
"""Numbers that two outputs of one run share: the table of kernels, the statistics' launches, totals and counters, the report, the
comparison, and the tables of an exploration."""
import collections
import copy
import csv
import json
import math
import pathlib
import re
import sys
import tempfile
import types

from checks import expect, run

# Sums over launches: in the table, the statistics and the comparison.
SUMS = ("threads", "instructions", "messages", "l3_bytes", "slm_bytes")
TIMED_SUMS = ("cycles", "l3_hits", "l3_misses")


def flat(tree, path=()):
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from flat(value, (*path, key))
        else:
            yield (*path, key), value


def is_timed(launch):
    """Are its cycles in the totals?"""
    return "cycles" in launch and launch.get("timing") != "warming"


def rate(part, whole):
    return part / whole if whole else None


def kernels_of(statistics, key):
    """Launches added up by a key, in the order of their first."""
    kernels = {}
    for launch in statistics["kernels"]:
        sums = kernels.setdefault(key(launch), collections.Counter())
        sums["launches"] += 1
        sums["groups"] += math.prod(launch["groups"])
        for name in SUMS:
            sums[name] += launch[name]
        if is_timed(launch):
            sums["timed_launches"] += 1
            sums["timed_instructions"] += launch["instructions"]
            for name in TIMED_SUMS:
                if name in launch:
                    sums[name] += launch[name]
    return kernels


def place(launch):
    return f"{launch['kernel_start']} SIMD{launch['simd_width']}"


def check_table(what, statistics, shown):
    lines = shown[re.search(r"^kernel +SIMD", shown, re.M).start():].splitlines()
    columns = lines[0].replace("EU instr.", "instructions").replace("time us", "us").replace(" bytes", "_bytes").split()[1:]
    rows = {}
    for line in lines[1:]:
        if line.startswith("total:"):
            break
        line = re.sub(r" (\d+ unfinished|at 0x[0-9a-f]+).*$", "", line)
        words = line.split()
        rows[" ".join(words[:-len(columns)]), words[-len(columns)]] = dict(zip(columns, words[-len(columns):]))
    microseconds = 1e6 / statistics["clock_hz"]
    timing = statistics["timing"]
    wanted = {}
    for (label, width, _), sums in kernels_of(statistics, lambda l: (l.get("name", l["kernel_start"])[:60], str(l["simd_width"]), l["kernel_start"])).items():
        row = {"SIMD": width, **{name: str(sums[name]) for name in ("launches", "groups", "threads", "instructions")},
               "L3_bytes": str(sums["l3_bytes"]), "SLM_bytes": str(sums["slm_bytes"])}
        if timing != "functional":
            row |= {"cycles": str(sums["cycles"]), "us": f"{sums['cycles'] * microseconds:.2f}",
                    "IPC": f"{rate(sums['timed_instructions'], sums['cycles']) or 0:.2f}"}
        if timing == "mixed":
            row["timed"] = str(sums["timed_launches"])
        wanted[label, width] = row
    expect(rows == wanted, f"{what}: the table says {rows}, the statistics {wanted}")
    totals = statistics["totals"]
    line = f"total: {totals['instructions']} EU instructions"
    if timing == "mixed":
        line += f", {totals['timed_instructions']} of them timed"
    if timing != "functional":
        line += f" in {totals['cycles']} kernel cycles; engine at cycle {totals['engine_cycles']}"
    expect(line in lines, f"{what}: the table ends with '{[l for l in lines if l.startswith('total')]}', not '{line}'")


def check_counters(what, statistics):
    """Launches against totals and counters; what no launch did is in neither of these programs."""
    totals, launches, timing = statistics["totals"], statistics["kernels"], statistics["timing"]
    counted = collections.Counter()
    for (*blocks, name), value in flat(statistics["counters"]):
        counted[re.sub(r"\d+$", "", blocks[-1]), name] += value
    sums = collections.Counter()
    for launch in launches:
        sums.update({name: launch[name] for name in SUMS})
        if is_timed(launch):
            sums.update(cycles=launch["cycles"], timed_instructions=launch["instructions"])
    pairs = {"launches": (totals["kernels"], len(launches)), "walkers": (totals["kernels"], counted["spawner", "walkers"]),
             "instructions": (totals["instructions"], sums["instructions"], counted["eu", "instructions"]),
             "threads": (sums["threads"], counted["spawner", "threads"], counted["eu", "threads"]), "messages": (sums["messages"], counted["eu", "messages"]),
             "L3 bytes": (sums["l3_bytes"], counted["hdc", "l3_bytes"]), "SLM bytes": (sums["slm_bytes"], counted["hdc", "slm_bytes"])}
    if timing != "functional":
        microseconds = sums["cycles"] * 1e6 / statistics["clock_hz"]
        pairs |= {"cycles": (totals["cycles"], sums["cycles"]), "timed instructions": (totals["timed_instructions"], sums["timed_instructions"]),
                  "time": (round(totals["simulated_us"], 6), round(microseconds, 6))}
        series = statistics["over_time"]
        over_time = {name: sum(row[n] for row in series["rows"]) for n, name in enumerate(series["columns"]) if name not in ("cycle", "launch", "threads")}
        pairs |= {f"{name} over time": (over_time[name], *values) for name, values in (
            ("cycles", (totals["engine_cycles"],)), ("instructions", pairs["instructions"]), ("messages", pairs["messages"]),
            ("slm_bytes", pairs["SLM bytes"]), ("l3_hits", (counted["bank", "hits"],)), ("dram_read_bytes", (counted["dram", "read_bytes"],)))}
    for name, values in pairs.items():
        expect(len(set(values)) == 1, f"{what}: {name}: {values}")
    for launch in launches:
        if "memory" not in launch:
            continue
        lookups = [client["l3"] for client in launch["memory"]["clients"].values() if "l3" in client]
        hits = sum(level["hits"] for level in lookups)
        expect(launch["l3_hits"] == hits and launch["l3_misses"] == sum(level["accesses"] for level in lookups) - hits,
               f"{what}: launch {launch['number']}: lookups in L3")


def alike(one, other):
    """The same, but for the last digit of a number with a fraction, which is read and written once more."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=1e-14)
    return one == other


def check_report(what, statistics, gen9sim, path, folder):
    """The numbers that the page has are the statistics'. (What it makes of them is for report.py.)"""
    page = folder / "page.html"
    done = run(gen9sim, "report", path, "-o", page)
    expect(done.returncode == 0, f"{what}: report: {done.stderr}")
    said = json.loads(re.search(r'<script type="application/json" id="statistics">(.*?)</script>', page.read_text(), re.S)[1])
    shapes = said.pop("shapes")

    def unpacked(shape, values):
        return {name: next(values) if inner == 0 else unpacked(inner, values) for name, inner in shape.items()}

    for launch in said["kernels"]:
        for member in ("sums", "means"):
            number, *values = launch.pop(member)
            launch.update(unpacked(shapes[number], iter(values)))
    expect(alike(said, statistics), f"{what}: the page has other statistics than the file")


def number(value):
    return f"{value:.0f}" if value == math.floor(value) else f"{value:.3f}"


def check_comparison(what, statistics, gen9sim, path, folder):
    """Beside a run of which every number is another, so that all of them are shown."""
    other = copy.deepcopy(statistics)
    for launch in other["kernels"]:
        for name in (*SUMS, *TIMED_SUMS):
            if name in launch:
                launch[name] = 3 * launch[name] + 7
        launch["instructions"] += 1000
    other["totals"] = {name: 3 * value + 7 for name, value in statistics["totals"].items()}
    if "cycles" in other["totals"]:
        other["totals"]["timed_instructions"] = 1

    def moved(tree):
        return {name: moved(value) if isinstance(value, dict) else value + 1 for name, value in tree.items()}

    other["counters"] = moved(other["counters"])
    (folder / "other.json").write_text(json.dumps(other))
    done = run(gen9sim, "compare", "--counters", "100000", path, folder / "other.json")
    expect(done.returncode == 0, f"{what}: compare: {done.stderr}")
    tables = {}
    for part in done.stdout.split("\n\n"):
        title, *lines = part.splitlines()
        tables[title.split(":")[0] if title.startswith("Counters") else title] = {line.split()[0]: line.split()[1] for line in lines[1:]}
    wanted = {}
    for launch in statistics["kernels"]:
        title = f"Kernel {launch['name']} ({place(launch)})" if "name" in launch else f"Kernel {place(launch)}"
        wanted.setdefault(place(launch), title)
    for key, sums in kernels_of(statistics, place).items():
        figures = {name: number(value) for name, value in sums.items() if name not in ("groups", "launches", "timed_launches")}
        if sums["cycles"]:
            figures["ipc"] = number(sums["timed_instructions"] / sums["cycles"])
            if sums["l3_hits"] + sums["l3_misses"]:
                figures["l3_hit_rate"] = number(sums["l3_hits"] / (sums["l3_hits"] + sums["l3_misses"]))
        shown = tables.get(wanted[key], {})
        # A rate may be as it was.
        expect({**figures, **shown} == figures and figures.keys() - shown.keys() <= {"ipc", "l3_hit_rate"}, f"{what}: {wanted[key]}: {shown}, not {figures}")
    totals = {name: number(value) for name, value in statistics["totals"].items()}
    if statistics["totals"].get("cycles"):
        totals["ipc"] = number(statistics["totals"]["timed_instructions"] / statistics["totals"]["cycles"])
    expect({**totals, **tables["Totals"]} == totals and totals.keys() - tables["Totals"].keys() <= {"ipc"}, f"{what}: totals {tables['Totals']}, not {totals}")
    counters = collections.Counter()
    for (*blocks, name), value in flat(statistics["counters"]):
        counters[".".join([block if block == "l3" else block.rstrip("0123456789") for block in blocks] + [name])] += value
    shown = tables["Counters, summed over all instances"]
    expect(shown == {name: number(value) for name, value in counters.items()}, f"{what}: counters of compare")


def check_exploration(all_statistics, source):
    """metrics.csv of an exploration that had these runs as its points."""
    sys.path.insert(0, str(source / "scripts"))
    from gen9explore import table

    explored = types.SimpleNamespace(
        points=[{"point": n, "key": str(n), "program": what, "product": "m", "command": ["replay"]} for n, what in enumerate(all_statistics)],
        statistics=lambda point: all_statistics[point["program"]], all_settings=lambda point: {}, failure=lambda point: None,
        cost=lambda point: None, objective=lambda point: None)
    with tempfile.TemporaryDirectory() as folder:
        table.save(table.tabulate(explored), folder)
        with open(pathlib.Path(folder) / "metrics.csv", newline="") as file:
            rows = {(int(row["point"]), row["kernel"], row["metric"]): float(row["value"]) for row in csv.DictReader(file)}
    for n, (what, statistics) in enumerate(all_statistics.items()):
        for key, sums in kernels_of(statistics, place).items():
            wanted = {name: sums[name] for name in ("launches", *SUMS, *TIMED_SUMS) if sums[name]}
            if sums["cycles"]:
                wanted["ipc"] = sums["timed_instructions"] / sums["cycles"]
            found = {name: rows.get((n, key, name)) for name in wanted}
            expect(found == wanted, f"{what}: explore says {found} of {key}, the statistics {wanted}")
        found = {name: rows.get((n, "total", name)) for name in statistics["totals"]}
        expect(found == statistics["totals"], f"{what}: explore's totals {found}")


def check(what, statistics, shown, gen9sim, path):
    """All that outputs of a run share; `shown` is its standard error."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_table(what, statistics, shown)
        check_counters(what, statistics)
        check_report(what, statistics, gen9sim, path, folder)
        check_comparison(what, statistics, gen9sim, path, folder)


def check_modes(what, functional, timed):
    """Launches that do the same whatever their order: what both modes count is the same."""
    names = ("number", "name", "kernel_start", "simd_width", "groups", *SUMS)
    of = [[{name: launch.get(name) for name in names} for launch in sorted(s["kernels"], key=lambda l: l["number"])] for s in (functional, timed)]
    expect(of[0] == of[1], f"{what}: {[pair for pair in zip(*of) if pair[0] != pair[1]][:1]}")
