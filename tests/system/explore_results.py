# SPDX-License-Identifier: Apache-2.0
"""explore_results.py SOURCE: designs have their properties; figures show effects that were put into made-up results."""
import collections
import itertools
import math
import pathlib
import sys
import types

import pandas
from checks import expect, finish

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "scripts"))
from gen9explore import designs, figures  # noqa: E402
from gen9explore.table import Results  # noqa: E402

FOUR = {"a.x": [1, 2, 3, 4], "b.y": ["u", "v"]}

expect(designs.full(FOUR) == [{"a.x": x, "b.y": y} for x in (1, 2, 3, 4) for y in "uv"], "full")
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

# The search finds the bottom of a bowl of 40 x 40 places within 400 points, with a wall of failed points beside it.
asked = []


def bowl(choices):
    asked.extend(choices)
    return [math.inf if c["a.x"] < 9 else (c["a.x"] - 12) ** 2 + (c["b.y"] - 30) ** 2 for c in choices]


designs.search(types.SimpleNamespace(parameters={"a.x": list(range(40)), "b.y": list(range(40))}, points=400, seed=1), bowl)
expect(len(asked) <= 400 and min(bowl(list(asked))) <= 2, f"search: {min(bowl(list(asked)))} after {len(asked)} points")

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
for name, (draw, _) in figures.FIGURES.items():
    expect(not isinstance(draw(made, "cycles"), str), f"{name} is not drawn")
finish()
