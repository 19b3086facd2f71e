# SPDX-License-Identifier: Apache-2.0
"""The results of an exploration as tables: points (what was run) and metrics (point, kernel, metric, value)."""
import json
import os
import pathlib
import sqlite3

import numpy
import pandas

from .errors import UserError

SUMMED = ("threads", "instructions", "messages", "cycles", "l3_hits", "l3_misses", "l3_bytes", "slm_bytes")
FIXED = ["point", "key", "program", "product", "error", "cost", "objective", "command"]


def rates(figures):
    if figures.get("cycles"):
        figures["ipc"] = figures["instructions"] / figures["cycles"]
    lookups = figures.get("l3_hits", 0) + figures.get("l3_misses", 0)
    if lookups:
        figures["l3_hit_rate"] = figures["l3_hits"] / lookups
    return figures


def counters(tree, prefix=""):
    """Sums over the instances of a block, by names without indices."""
    sums = {}
    for name, value in tree.items():
        if isinstance(value, dict):
            stem = name if name == "l3" else name.rstrip("0123456789")
            for inner, count in counters(value, f"{prefix}{stem}.").items():
                sums[inner] = sums.get(inner, 0) + count
        else:
            sums[prefix + name] = value
    return sums


def rows_of(point, statistics):
    kernels = {}
    for launch in statistics["kernels"]:
        figures = kernels.setdefault(f"{launch['kernel_start']} SIMD{launch['simd_width']}", {"launches": 0})
        figures["launches"] += 1
        for name in SUMMED:
            if name in launch:
                figures[name] = figures.get(name, 0) + launch[name]
    total = {}
    for figures in kernels.values():
        for name, value in figures.items():
            total[name] = total.get(name, 0) + value
    total.update(statistics["totals"])
    total.update(counters(statistics["counters"]))
    total["host_seconds"] = statistics["run"]["host"]["simulation_seconds"]
    kernels["total"] = total
    return [(point["point"], kernel, metric, value) for kernel, figures in kernels.items() for metric, value in rates(figures).items()]


class Results:
    """points: one row a point, its settings as columns; metrics: point, kernel, metric, value."""

    def __init__(self, points, metrics):
        self.points, self.metrics = points, metrics

    @property
    def parameters(self):
        names = [name for name in self.points.columns if name not in FIXED]
        names = [name for name in names if self.points[name].nunique(dropna=False) > 1]
        return names + (["product"] if self.points["product"].nunique() > 1 else [])

    def wide(self, kernel="total"):
        """Points with their metrics as columns; points without results are left out."""
        chosen = self.metrics[self.metrics["kernel"] == kernel]
        table = chosen.pivot(index="point", columns="metric", values="value")
        points = self.points.drop(columns=[name for name in ("cost", "objective") if name in table.columns])
        return points.merge(table, left_on="point", right_index=True, how="inner")


def simple(value):
    return json.dumps(value) if isinstance(value, list) else value


def tabulate(exploration):
    points, metrics = [], []
    for point in exploration.points:
        statistics = exploration.statistics(point)
        row = {name: point[name] for name in ("point", "key", "program", "product")}
        row |= {name: simple(value) for name, value in exploration.all_settings(point).items()}
        row["error"] = None if statistics else exploration.failure(point)
        row["cost"] = exploration.cost(point)
        row["objective"] = exploration.objective(point)
        row["command"] = " ".join(point["command"])
        points.append(row)
        if statistics:
            metrics += rows_of(point, statistics)
    frame = pandas.DataFrame(points)
    frame = frame[[*FIXED[:4], *(name for name in frame.columns if name not in FIXED), *FIXED[4:]]]
    return Results(frame, pandas.DataFrame(metrics, columns=["point", "kernel", "metric", "value"]))


def save(results, folder):
    """Writes the tables beside those that are there, and then puts them in their place."""
    folder = pathlib.Path(folder)
    part = folder / "part-results.sqlite"
    part.unlink(missing_ok=True)
    try:
        connection = sqlite3.connect(part)
        with connection:
            results.points.to_sql("points", connection, index=False)
            results.metrics.to_sql("metrics", connection, index=False)
            connection.execute("create index by_point on metrics (metric, kernel, point)")
        connection.close()
    except (sqlite3.Error, pandas.errors.DatabaseError) as error:
        part.unlink(missing_ok=True)
        raise UserError(f"cannot write '{folder / 'results.sqlite'}': {error}") from None
    os.replace(part, folder / "results.sqlite")
    for name in ("points", "metrics"):
        part = folder / f"part-{name}.csv"
        getattr(results, name).to_csv(part, index=False)
        os.replace(part, folder / f"{name}.csv")


def load(folder):
    path = pathlib.Path(folder) / "results.sqlite"
    if not path.is_file():
        raise UserError(f"'{folder}' has no results.sqlite: scripts/explore makes it")
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
            return Results(*(pandas.read_sql(f"select * from {name}", connection) for name in ("points", "metrics")))
    except (sqlite3.Error, pandas.errors.DatabaseError) as error:
        raise UserError(f"'{path}' cannot be read: {error}") from None


def as_product(table):
    """Which rows are of the product as it is."""
    return ~table["command"].str.contains("--set ", regex=False)


def about(table, parameter):
    """The rows that say what a parameter does: those that set it, and those of the product as it is."""
    if parameter == "product":
        return table
    return table[as_product(table) | table["command"].str.contains(f"--set {parameter}=", regex=False)]


def relative(table, metric):
    """A metric over that of the product as it is, or where that was not run over the geometric mean, by program."""
    by = table.groupby("program")[metric]
    means = by.transform(lambda values: numpy.exp(numpy.log(values.clip(lower=1e-300)).mean()))
    if len(base := table[as_product(table)]):
        bases = base.groupby("program")[metric].first()
        means = table["program"].map(bases).fillna(means)
    return table[metric] / means
