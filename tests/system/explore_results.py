# SPDX-License-Identifier: Apache-2.0
"""explore_results.py SOURCE: designs have their properties; tables hold what statistics say; figures show effects that were put into
made-up results."""
import collections
import csv
import itertools
import math
import pathlib
import re
import sqlite3
import sys
import tempfile
import types

import pandas
from checks import expect, finish

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "scripts"))
from gen9explore import designs, figures  # noqa: E402
from gen9explore import table  # noqa: E402
from gen9explore.errors import UserError  # noqa: E402
from gen9explore.table import Results  # noqa: E402

FOUR = {"a.x": [1, 2, 3, 4], "b.y": ["u", "v"]}

expect(designs.full(FOUR) == [{"a.x": x, "b.y": y} for x in (1, 2, 3, 4) for y in "uv"], "full")
designs.MOST_POINTS, most = 8, designs.MOST_POINTS
expect(most == 100000, f"the most points: {most}")
expect(len(designs.full(FOUR)) == 8, "full: as many points as there may be")
designs.MOST_POINTS = 7
try:
    expect(False, f"full: {len(designs.full(FOUR))} points of 7 at most")
except UserError as error:
    expect("more than 7 points" in str(error), f"full: {error}")
designs.MOST_POINTS = most
single = designs.one_at_a_time(FOUR)
expect(single[0] == {} and len(single) == 7 and all(len(choice) == 1 for choice in single[1:]), f"one at a time: {single}")
# A Latin hypercube of 8 points has each quarter of an axis twice; a Sobol sequence of 16 has each cell of 4 x 4 once.
latin = collections.Counter(choice["a.x"] for choice in designs.sampled("latin-hypercube", FOUR, 8, 3))
expect(latin == {1: 2, 2: 2, 3: 2, 4: 2}, f"Latin hypercube: {latin}")
sobol = designs.sampled("sobol", {"a.x": [1, 2, 3, 4], "b.y": [1, 2, 3, 4]}, 16, 3)
expect(len({tuple(choice.values()) for choice in sobol}) == 16, f"Sobol: {sobol}")
for kind in ("latin-hypercube", "sobol"):
    expect(designs.sampled(kind, FOUR, 9, 5) == designs.sampled(kind, FOUR, 9, 5), f"{kind}: the seed does not fix the points")
    expect(len(designs.sampled(kind, FOUR, 9, 5)) == 9, f"{kind}: not 9 points")

# Each value has an equal part of the unit cube, the last one with the cube's end.
for row, wanted in (((0, 0), (1, "u")), ((0.24, 0.49), (1, "u")), ((0.25, 0.5), (2, "v")), ((0.99, 0.99), (4, "v")), ((1, 1), (4, "v"))):
    expect(tuple(designs.at(FOUR, row).values()) == wanted, f"place {row}: {designs.at(FOUR, row)}")

try:
    expect(False, f"search of nothing: {designs.search(types.SimpleNamespace(parameters={}, points=4, seed=1), None)}")
except UserError as error:
    expect("needs parameters" in str(error), f"search of nothing: {error}")

kept, sys.modules["scipy.optimize"] = sys.modules["scipy.optimize"], None
try:
    expect(False, f"without SciPy: {designs.sampled('sobol', FOUR, 4, 1)}")
except UserError as error:
    expect("needs SciPy" in str(error), f"without SciPy: {error}")
sys.modules["scipy.optimize"] = kept

# A SPEC names its design.
for design, wanted in (("full", designs.full(FOUR)), ("one-at-a-time", single), ("sobol", designs.sampled("sobol", FOUR, 6, 3)),
                       ("latin-hypercube", designs.sampled("latin-hypercube", FOUR, 6, 3))):
    chosen = designs.choices(types.SimpleNamespace(design=design, parameters=FOUR, points=6, seed=3))
    expect(chosen == wanted, f"{design}: {chosen}")
for design in ("sobol", "latin-hypercube"):
    try:
        expect(False, f"{design} of nothing: {designs.sampled(design, {}, 4, 1)}")
    except UserError as error:
        expect("needs parameters" in str(error), f"{design} of nothing: {error}")

# The search finds the bottom of a bowl of 40 x 40 places within 400 points, with a wall of failed points beside it.
asked, rounds = [], []


def bowl(choices):
    asked.extend(choices)
    rounds.append(len(choices))
    return [math.inf if c["a.x"] < 9 else (c["a.x"] - 12) ** 2 + (c["b.y"] - 30) ** 2 for c in choices]


designs.search(types.SimpleNamespace(parameters={"a.x": list(range(40)), "b.y": list(range(40))}, points=400, seed=1), bowl)
expect(len(asked) <= 400 and set(rounds) == {10}, f"search: five points of each parameter a round: {len(asked)}, {rounds}")
expect(len(rounds) > 10, f"search: it ends before its places agree: {len(rounds)} rounds")
expect(min(bowl(list(asked))) == 0, f"search: {min(bowl(list(asked)))} after {len(asked)} points")
# With few points a round has fewer, so that there are two of them at least.
asked.clear(), rounds.clear()
designs.search(types.SimpleNamespace(parameters={"a.x": list(range(40)), "b.y": list(range(40))}, points=12, seed=1), bowl)
expect(rounds == [6, 6], f"search of 12 points: {rounds}")
# A round has five points at least.
asked.clear(), rounds.clear()
designs.search(types.SimpleNamespace(parameters={"a.x": list(range(40)), "b.y": list(range(40))}, points=10, seed=1), bowl)
expect(rounds == [5, 5], f"search of 10 points: {rounds}")

# Made-up results: cycles halve when a doubles, b changes them by a tenth, c does nothing; one point is three times slower.
rows, metrics = [], []
for number, (program, a, b, c) in enumerate(itertools.product(("p", "q"), (1, 2, 4), (0, 1), (5, 6))):
    cycles = (1000 if program == "p" else 70000) / a * (1.1 if b else 1) * (3 if number == 13 else 1)
    rows.append({"point": number, "key": str(number), "program": program, "product": "m", "k.a": a, "k.b": b, "k.c": c, "error": None,
                 "cost": a * 10 + c, "objective": cycles,
                 "command": f"--set k.a={a} --set k.b={b} --set k.c={c}"})
    metrics += [(number, "total", "cycles", cycles), (number, "total", "instructions", 10), (number, "total", "ipc", 10 / cycles)]
made = Results(pandas.DataFrame(rows), pandas.DataFrame(metrics, columns=["point", "kernel", "metric", "value"]))
expect(figures.outliers(made)["point"].tolist() == [13], f"outliers:\n{figures.outliers(made)}")
for count in (7, 8):  # fewer than eight points say nothing about one of them
    alike = Results(pandas.DataFrame([{**rows[0], "point": n} for n in range(count)]),
                    pandas.DataFrame([(n, "total", "cycles", 100 + n + (900 if n == 2 else 0)) for n in range(count)], columns=made.metrics.columns))
    expect(figures.outliers(alike)["point"].tolist()[:1] == ([2] if count == 8 else []), f"outliers of {count}:\n{figures.outliers(alike)}")
nothing = made.metrics.copy()
nothing.loc[(nothing["point"] == 5) & (nothing["metric"] == "cycles"), "value"] = 0
found = figures.outliers(Results(made.points, nothing))
expect(found["point"].tolist()[:1] == [5] and 0 <= found["factor"].iloc[0] < 1e-100, f"outliers: a metric that is nothing somewhere:\n{found}")
clean = made.metrics.copy()
clean.loc[(clean["point"] == 13) & (clean["metric"] == "cycles"), "value"] /= 3
made = Results(made.points, clean)
expect(not len(figures.outliers(made)), "outliers where there are none")
effects = figures.effects(made, "cycles").set_index("parameter")
expect(effects.index.tolist() == ["k.c", "k.b", "k.a"], f"order of effects: {effects}")
expect(abs(effects.loc["k.a", "high"] / effects.loc["k.a", "low"] - 4) < 1e-9 and effects.loc["k.a", "high_at"] == 1, f"{effects}")
expect(abs(effects.loc["k.b", "high"] / effects.loc["k.b", "low"] - 1.1) < 1e-9, f"{effects}")
expect(abs(effects.loc["k.c", "high"] - effects.loc["k.c", "low"]) < 1e-9, f"{effects}")
front = figures.front(figures.machines(made, "cycles"))
expect(list(zip(front["k.a"], front["k.b"], front["k.c"])) == [(1, 0, 5), (2, 0, 5), (4, 0, 5)], f"front:\n{front}")
correlations = figures.correlations(made)
expect(correlations.loc["k.a", "cycles"] < -0.9 and correlations.loc["k.a", "ipc"] > 0.9 and abs(correlations.loc["k.c", "cycles"]) < 1e-9
       and "instructions" not in correlations.columns, f"correlations:\n{correlations}")
# One at a time: a parameter's effect is seen between the product and the points that set this parameter, and in no others.
single = [("", 2, 0, 100), ("--set k.a=1", 1, 0, 200), ("--set k.b=1", 2, 1, 110)]
alone = Results(pandas.DataFrame([{"point": number, "key": "", "program": "p", "product": "m", "k.a": a, "k.b": b, "error": None, "cost": None,
                                   "objective": cycles, "command": command} for number, (command, a, b, cycles) in enumerate(single)]),
                pandas.DataFrame([(number, "total", "cycles", row[3]) for number, row in enumerate(single)], columns=made.metrics.columns))
effects = figures.effects(alone, "cycles").set_index("parameter")
expect(effects.loc["k.a"].tolist() == [1, 2, 2, 1] and effects.loc["k.b"].tolist() == [1, 1.1, 0, 1], f"one at a time: {effects}")

# Statistics of two kernels, the first launched twice, and blocks of several instances. What the tables must hold is derived here once
# more: a counter's name without the numbers of its instances, of L3 as it is, and a kernel's figures over its launches.
def launch(number, start, width, **figures):
    return {"number": number, "kernel_start": start, "simd_width": width, "finished": True, "groups": [1, 1, 1], **figures}


def statistics(scale=1):
    kernels = [launch(0, "0x40", 16, threads=4, instructions=100, messages=7, cycles=50 * scale, l3_hits=30, l3_misses=10, l3_bytes=640, slm_bytes=64),
               launch(1, "0x80", 8, threads=2, instructions=900, messages=5, cycles=300 * scale, l3_hits=1, l3_misses=8, l3_bytes=320, slm_bytes=0),
               launch(2, "0x40", 16, threads=6, instructions=200, messages=3, cycles=70 * scale, l3_hits=5, l3_misses=2, l3_bytes=96, slm_bytes=32)]
    eus = {f"eu{n}": {"busy": 10 + n, "fpu0": {"issues": 100 * n}} for n in range(12)}
    return {"kernels": kernels, "run": {"host": {"simulation_seconds": 1.5}},
            "totals": {"kernels": 3, "instructions": 1200, "cycles": 420 * scale, "engine_cycles": 777 * scale, "guest_errors": 0},
            "counters": {"gpu": {"slice0": {"subslice0": dict(eus), "subslice11": {"eu0": {"busy": 1000, "fpu0": {"issues": 1}}}},
                                 "l3": {"lookups": 3, "bank0": {"hits": 5, "misses": 7}, "bank1": {"hits": 50, "misses": 70}}}}}


def flat(tree, path=()):
    return [leaf for key, value in tree.items() for leaf in (flat(value, (*path, key)) if isinstance(value, dict) else [((*path, key), value)])]


def expected(said):
    """(kernel, metric): value."""
    values = collections.Counter()
    for one in said["kernels"]:
        kernel = f"{one['kernel_start']} SIMD{one['simd_width']}"
        values[kernel, "launches"] += 1
        for name in "threads instructions messages cycles l3_hits l3_misses l3_bytes slm_bytes".split():
            if name in one:
                values[kernel, name] += one[name]
    for (_, name), value in list(values.items()):
        values["total", name] += value
    for name, value in said["totals"].items():
        values["total", name] = value
    for (*blocks, counter), value in flat(said["counters"]):
        stems = [block if block == "l3" else re.match(r"(.*?)\d*$", block)[1] for block in blocks]
        values["total", ".".join([*stems, counter])] += value
    values["total", "host_seconds"] = said["run"]["host"]["simulation_seconds"]
    for kernel in {kernel for kernel, _ in values}:
        if values.get((kernel, "cycles")):
            values[kernel, "ipc"] = values[kernel, "instructions"] / values[kernel, "cycles"]
        hits, misses = values.get((kernel, "l3_hits")), values.get((kernel, "l3_misses"))
        if hits is not None:
            values[kernel, "l3_hit_rate"] = 1 - misses / (hits + misses)
    return values


def same_values(found, wanted):
    return found.keys() == wanted.keys() and all(math.isclose(found[key], wanted[key], rel_tol=1e-12) for key in wanted)


said = statistics()
wanted = expected(said)
expect((wanted["total", "gpu.slice.subslice.eu.busy"], wanted["total", "gpu.l3.bank.misses"], wanted["0x40 SIMD16", "l3_bytes"]) == (1186, 77, 736),
       "what is expected is not derived as it was by hand")
found = {(kernel, metric): value for _, kernel, metric, value in table.rows_of({"point": 4}, said)}
for key in wanted.keys() | found.keys():
    expect(key in found and key in wanted and math.isclose(found[key], wanted[key], rel_tol=1e-12), f"{key}: {found.get(key)}, not {wanted.get(key)}")
# Functional mode has no cycles and no lookups.
untimed = statistics()
for one in untimed["kernels"]:
    for name in ("cycles", "l3_hits", "l3_misses"):
        del one[name]
del untimed["totals"]["cycles"], untimed["totals"]["engine_cycles"]
found = {(kernel, metric): value for _, kernel, metric, value in table.rows_of({"point": 0}, untimed)}
expect(same_values(found, expected(untimed)), f"functional mode: {found.items() ^ expected(untimed).items()}")

# A whole exploration of two programs on three machines. The third is the cheapest and fastest, but fails with one of the programs.
class Explored:
    outcome = {("p", 1): statistics(4), ("q", 1): statistics(40), ("p", 2): statistics(2), ("q", 2): statistics(20), ("p", 3): statistics(1), ("q", 3): None}
    points = [{"point": n, "key": f"key{n}", "program": program, "product": "m", "settings": {"k.a": a}, "command": ["replay", "--set", f"k.a={a}"]}
              for n, (program, a) in enumerate(outcome)]

    def statistics(self, point):
        return self.outcome[point["program"], point["settings"]["k.a"]]

    def all_settings(self, point):
        return point["settings"]

    def failure(self, point):
        return "it broke"

    def cost(self, point):
        return {1: 10, 2: 20, 3: 5}[point["settings"]["k.a"]]

    def objective(self, point):
        return None


tables = table.tabulate(Explored())
with tempfile.TemporaryDirectory() as folder:
    table.save(tables, folder)
    loaded = table.load(folder)
    with sqlite3.connect(pathlib.Path(folder) / "results.sqlite") as connection:
        expect(connection.execute("select name from sqlite_master where type = 'index'").fetchall() == [("by_point",)], "results.sqlite: its index")
    with open(pathlib.Path(folder) / "metrics.csv", newline="") as file:
        metrics = list(csv.DictReader(file))
    with open(pathlib.Path(folder) / "points.csv", newline="") as file:
        points = list(csv.DictReader(file))
for point in Explored.points:
    said = Explored().statistics(point)
    rows = {(row["kernel"], row["metric"]): float(row["value"]) for row in metrics if row["point"] == str(point["point"])}
    expect(same_values(rows, expected(said) if said else {}), f"metrics.csv of point {point['point']}: {rows.items() ^ expected(said).items() if said else rows}")
    row = points[point["point"]]
    expect((row["program"], row["k.a"], row["cost"], row["error"]) ==
           (point["program"], str(point["settings"]["k.a"]), str(Explored().cost(point)), "" if said else "it broke"), f"points.csv: {row}")
for name, results in (("made", tables), ("read again", loaded)):
    wide = results.wide()
    expect(wide["point"].tolist() == [0, 1, 2, 3, 4] and wide["cycles"].tolist() == [1680, 16800, 840, 8400, 420], f"{name}: {wide[['point', 'cycles']]}")
    machines = figures.machines(results, "cycles")
    expect(sorted(machines["k.a"]) == [1, 2] and set(machines["programs"]) == {2}, f"{name}: machines with a program that failed:\n{machines}")
    expect(figures.front(machines)["k.a"].tolist() == [1, 2], f"{name}: front:\n{figures.front(machines)}")
    by_machine = machines.set_index("k.a")
    expect(by_machine["cost"].to_dict() == {1: 10, 2: 20} and math.isclose(by_machine["value"][1], 2 * by_machine["value"][2]), f"{name}: {machines}")
drawn = {name: draw(made, "cycles") for name, (draw, _) in figures.FIGURES.items()}
expect(not any(isinstance(figure, str) for figure in drawn.values()), f"not drawn: {drawn}")


# What the figures show: the numbers and words that are in them.
def near(found, wanted):
    found, wanted = [list(map(float, numbers)) for numbers in (found, wanted)]
    return len(found) == len(wanted) and all(math.isclose(a, b, abs_tol=1e-12) for a, b in zip(found, wanted))


def labels(axes, which):
    return [label.get_text() for label in getattr(axes, f"get_{which}ticklabels")()]


(axes,) = drawn["pareto"].axes
compared = figures.machines(made, "cycles")
best = figures.front(compared)
points = axes.collections[0].get_offsets()
expect(near(points[:, 0], compared["cost"]) and near(points[:, 1], compared["value"]), f"pareto: machines at {points}")
expect([near(axes.lines[0].get_xdata(), best["cost"]), near(axes.lines[0].get_ydata(), best["value"])] == [True, True], "pareto: the front")
expect(axes.lines[0].get_drawstyle() == "steps-post" and axes.get_xlabel() == "cost" and "cycles" in axes.get_ylabel() and
       [text.get_text() for text in axes.get_legend().get_texts()] == ["machines", "no other is cheaper and better"], "pareto: words")
(axes,) = drawn["tornado"].axes
effects = figures.effects(made, "cycles")
expect(labels(axes, "y") == effects["parameter"].tolist(), f"tornado: {labels(axes, 'y')}")
expect(near([bar.get_x() for bar in axes.patches], effects["low"]) and
       near([bar.get_width() for bar in axes.patches], effects["high"] - effects["low"]), "tornado: bars")
low, high, drawn_from = effects["low"].min(), effects["high"].max(), axes.get_xlim()[0]
expect(drawn_from < low - (high - low) / 10, f"tornado: no room for words left of {low}: drawn from {drawn_from}")
ends = sorted(text.get_text().strip() for text in axes.texts)
expect(ends == ["0", "1", "1", "4", "no change"] and near(axes.lines[0].get_xdata(), [1, 1]) and "cycles" in axes.get_xlabel(), f"tornado: {ends}")
response = [axes for axes in drawn["response"].axes if axes.get_visible()]
expect([axes.get_xlabel() for axes in response] == ["k.a", "k.b", "k.c"], f"response: {[axes.get_xlabel() for axes in response]}")
for axes in response:
    rows = table.about(figures.measured(made, "cycles"), axes.get_xlabel())
    expect([line.get_label() for line in axes.lines] == ["p", "q"] and "cycles" in axes.get_ylabel(), f"response: {axes.get_xlabel()}")
    expect(labels(axes, "x") == [str(value) for value in sorted(set(rows[axes.get_xlabel()]))], f"response: values {labels(axes, 'x')}")
    for line in axes.lines:
        by_value = rows[rows["program"] == line.get_label()].groupby(axes.get_xlabel())["relative"].apply(lambda some: sorted(some))
        expect(near(line.get_xdata(), by_value.index) and near(line.get_ydata(), [(some[(len(some) - 1) // 2] + some[len(some) // 2]) / 2 for some in by_value]),
               f"response of {line.get_label()} to {axes.get_xlabel()}")
expect([text.get_text() for text in response[0].get_legend().get_texts()] == ["p", "q"], "response: legend")
four = made.points.assign(**{"k.d": [number % 2 for number in range(len(made.points))]})
grid = figures.response(Results(four, made.metrics), "cycles").axes
expect([axes.get_visible() for axes in grid] == [True] * 4 + [False] * 2, "response: a place for each parameter and no more")
# Its words and ticks need a place of four by three inches, however many there are.
for figure, rows in ((drawn["response"], 1), (grid[0].figure, 2)):
    width, height = figure.get_size_inches()
    expect(4 <= width / 3 <= 5 and 3 <= height / rows <= 4, f"response of {rows} rows: {width} by {height} inches")
(axes,) = drawn["correlation"].axes
correlations = figures.correlations(made)
expect(near(axes.images[0].get_array().ravel(), correlations.to_numpy().ravel()) and axes.images[0].get_clim() == (-1, 1), "correlation: picture")
expect(labels(axes, "x") == correlations.columns.tolist() and labels(axes, "y") == correlations.index.tolist() and
       [text.get_text() for text in axes.texts] == [f"{value:.2f}" for value in correlations.to_numpy().ravel()], "correlation: words")
# How the figures look: sizes in inches and points, and where words stand.
def looks(figure):
    return inches(*figure.get_size_inches())


def inches(width, height):
    return round(width, 6), round(height, 6)


def sizes(texts):
    return {text.get_fontsize() for text in texts}


(axes,) = drawn["tornado"].axes
effects = figures.effects(made, "cycles")
expect(looks(drawn["tornado"]) == inches(8, 1.2 + 0.4 * 3) and sizes(axes.texts) == {8} and {text.get_va() for text in axes.texts} == {"center"}, "tornado: looks")
expect(axes.lines[0].get_linewidth() == 0.8 and axes.lines[0].get_color() == "black" and axes.margins()[0] == 0.15 and not axes.use_sticky_edges, f"tornado: its line and margins: {axes.margins()}, {axes.use_sticky_edges}, {axes.lines[0].get_linewidth()}, {axes.lines[0].get_color()}")
for text in axes.texts:  # at a bar's ends, outside; beside one without a width to the right
    x, y = text.get_position()
    row = effects.iloc[int(y)]
    low = text.get_ha() == "right"
    words = f"{row['low_at']} " if low else " no change" if row["low"] == row["high"] else f" {row['high_at']}"
    expect(text.get_text() == words and x == row["low" if low else "high"], f"tornado: '{text.get_text()}' at {x}, {y}")
expect(looks(drawn["response"]) == inches(4.2 * 3, 3.2) and looks(grid[0].figure) == inches(4.2 * 3, 3.2 * 2), f"response: size {looks(drawn['response'])}")
for axes in response:
    expect({(line.get_marker(), line.get_markersize()) for line in axes.lines} == {("o", 3)} and {area.get_alpha() for area in axes.collections} == {0.08}, "response: looks")
    expect({label.get_rotation() for label in axes.get_xticklabels()} == {0} and not axes.yaxis.get_major_formatter().get_useOffset(), "response: ticks")
    for line, area in zip(axes.lines, axes.collections):
        rows = table.about(figures.measured(made, "cycles"), axes.get_xlabel())
        by_value = rows[rows["program"] == line.get_label()].groupby(axes.get_xlabel())["relative"].apply(sorted)
        corners = {(round(x, 9), round(y, 9)) for x, y in area.get_paths()[0].vertices}
        expect(corners == {(round(float(value), 9), round(float(some[end]), 9)) for value, some in by_value.items() for end in (0, -1)}, f"response: from the least to the greatest: {corners}")
expect(sizes(response[0].get_legend().get_texts()) == {7} and [axes.get_legend() for axes in response[1:]] == [None, None], "response: one legend")
words = made.points.assign(**{"k.w": [f"w{number % 9}" for number in range(len(made.points))], "k.v": ["x" if number % 2 else "y" for number in range(len(made.points))]})
words["command"] = [f"--set k.v={v} --set k.w={w}" for v, w in zip(words["k.v"], words["k.w"])]
by_word = {axes.get_xlabel(): axes for axes in figures.response(Results(words.drop(columns=["k.a", "k.b", "k.c"]), made.metrics), "cycles").axes}
expect(list(by_word["k.v"].lines[0].get_xdata()) == [0, 1] and labels(by_word["k.v"], "x") == ["x", "y"] and
       {label.get_rotation() for label in by_word["k.v"].get_xticklabels()} == {30}, "response: words stand side by side, slanting")
expect(list(by_word["k.w"].lines[0].get_xdata()) == list(range(9)) and "w3" not in labels(by_word["k.w"], "x"), "response: not more than eight words")
(axes,) = drawn["pareto"].axes
expect(looks(drawn["pareto"]) == (8, 5) and axes.collections[0].get_sizes().tolist() == [14] and axes.lines[0].get_marker() == "o", "pareto: looks")
(axes,) = drawn["correlation"].axes
rows, columns = correlations.shape
expect(looks(drawn["correlation"]) == inches(2 + 1.1 * columns, 1.5 + 0.45 * rows) and sizes(axes.texts) == {8} and axes.get_aspect() == "auto", "correlation: looks")
expect(near(axes.get_xticks(), range(columns)) and near(axes.get_yticks(), range(rows)) and {(label.get_rotation(), label.get_ha()) for label in axes.get_xticklabels()} == {(30, "right")},
       "correlation: ticks")
for text in axes.texts:
    column, row = map(int, text.get_position())
    value = correlations.iloc[row, column]
    expect(text.get_text() == f"{value:.2f}" and text.get_color() == ("white" if abs(value) > 0.6 else "black") and (text.get_ha(), text.get_va()) == ("center", "center"), f"correlation: {text}")
# Of many parameters those with the greatest effects are shown.
many = [{**rows_of, "command": f"--set k.p{n:02}=1", **{f"k.p{m:02}": int(m == n) for m in range(22)}} for n, rows_of in enumerate([made.points.iloc[0].drop(["k.a", "k.b", "k.c"]).to_dict()] * 23)]
many = [{**row, "point": n} for n, row in enumerate(many)]
many[22]["command"] = ""
bars = figures.tornado(Results(pandas.DataFrame(many), pandas.DataFrame([(n, "total", "cycles", 100 if n == 22 else 110 + n) for n in range(23)], columns=made.metrics.columns)), "cycles")
expect(labels(bars.axes[0], "y") == [f"k.p{n:02}" for n in range(2, 22)] and looks(bars) == inches(8, 1.2 + 0.4 * 20), f"tornado of 22: {labels(bars.axes[0], 'y')}")
# Outliers of a design in which each value meets each other: what program and values give is the mean's and theirs.
noise = [math.sin(12.9898 * n) for n in range(24)]
logs = {n: math.log(1000) + (n % 2) * 3 + 0.1 * (n // 2 % 3) + 0.01 * noise[n] + {5: 0.5, 16: -0.3, 10: 0.215, 21: -0.17}.get(n, 0) for n in range(24)}
balanced = Results(pandas.DataFrame([{**rows_of, "point": n, "program": f"p{n % 2}", "k.a": n // 2 % 3, "k.b": n // 6 % 2} for n, rows_of in
                                     enumerate([made.points.iloc[0].drop(["k.a", "k.b", "k.c"]).to_dict()] * 24)]),
                   pandas.DataFrame([(n, "total", "cycles", math.exp(log)) for n, log in logs.items()], columns=made.metrics.columns))


def mean(some):
    return math.fsum(some) / len(some)


whole = mean(list(logs.values()))
rest = {n: log - whole - sum(mean([other for m, other in logs.items() if level(m) == level(n)]) - whole for level in (lambda n: n % 2, lambda n: n // 2 % 3, lambda n: n // 6 % 2))
        for n, log in logs.items()}


def middle(some):
    some = sorted(some)
    return (some[(len(some) - 1) // 2] + some[len(some) // 2]) / 2


spread = 1.4826 * middle([abs(value - middle(rest.values())) for value in rest.values()])
wanted = sorted(((n, math.exp(value), abs(value) / spread) for n, value in rest.items() if abs(value) / spread > 3.5), key=lambda one: -one[2])
found = list(figures.outliers(balanced, "cycles").itertuples(index=False, name=None))
near_it = [round(abs(value) / spread, 2) for value in rest.values()]
expect(len(wanted) == 3 and any(3 < one < 3.5 for one in near_it) and any(3.5 < one < 4 for one in near_it) and [one[0] for one in found] == [one[0] for one in wanted] and
       all(math.isclose(a, b, rel_tol=1e-6) for one, other in zip(found, wanted) for a, b in zip(one, other)), f"outliers: {found}, not {wanted} of {near_it}")

# A file that is no database, and none at all, are said in a sentence.
for content in ("no database", None):
    with tempfile.TemporaryDirectory() as folder:
        if content:
            (pathlib.Path(folder) / "results.sqlite").write_text(content)
        try:
            table.load(folder)
            expect(False, f"{content}: was read")
        except UserError as error:
            expect("results.sqlite" in str(error), f"{content}: {error}")
# Tables that no database takes leave nothing behind.
with tempfile.TemporaryDirectory() as folder:
    try:
        table.save(Results(pandas.DataFrame([[1, 2]], columns=["twice", "twice"]), made.metrics), folder)
        expect(False, "a table with one name for two columns: was written")
    except UserError as error:
        expect("cannot write" in str(error) and not list(pathlib.Path(folder).iterdir()), f"{error}: {list(pathlib.Path(folder).iterdir())}")
    try:
        table.save(made, pathlib.Path(folder) / "gone")
        expect(False, "a folder that is not there: was written")
    except UserError as error:
        expect("cannot write" in str(error), f"a folder that is not there: {error}")
# Where there is nothing to show, a sentence says why.
empty = Results(made.points, made.metrics.iloc[:0])
costless = Results(made.points.assign(cost=None), made.metrics)
said = [draw(results, "cycles") for results in (empty,) for draw, _ in figures.FIGURES.values()] + [figures.pareto(costless, "cycles")]
expect(all(isinstance(sentence, str) and sentence.endswith(".") for sentence in said), f"without results: {said}")
expect(list(figures.effects(empty)) == ["parameter", "low", "high", "low_at", "high_at"] and not len(figures.effects(empty)), "effects of nothing")
expect(list(figures.outliers(empty)) == ["point", "factor", "deviations"] and not len(figures.outliers(empty)), "outliers of nothing")
expect(figures.measured(empty, "cycles") is None and figures.measured(made, "none such") is None and figures.machines(costless, "cycles") is None and figures.correlations(empty) is None, "nothing")
# A metric that is nothing somewhere has a mean all the same.
some = pandas.DataFrame({"program": ["p", "p"], "product": ["m", "m"], "command": ["--set k.a=1", "--set k.a=2"], "slm_bytes": [0.0, 4.0]})
rest = table.relative(some, "slm_bytes").tolist()
expect(rest[0] == 0 and 0 < rest[1] < math.inf, f"relative to a mean with a zero: {rest}")
# A parameter's name is no pattern.
other = pandas.DataFrame({"command": ["", "--set k.a=1", "--set kxa=1"]})
expect(table.about(other, "k.a").index.tolist() == [0, 1], "a name with another letter for its dot")
expect(table.about(other, "product") is other, "every row says what the product does")
finish()
