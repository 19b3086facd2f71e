# SPDX-License-Identifier: Apache-2.0
"""The figures of an exploration. Each takes Results and a metric and gives a matplotlib figure, or a sentence why there is none."""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy
import pandas

from .table import about, relative

FEW = ("cycles", "ipc", "instructions", "l3_hit_rate", "l3_bytes", "slm_bytes")


def measured(results, metric):
    table = results.wide()
    if metric not in table.columns or not len(table):
        return None
    table = table.copy()
    table["relative"] = relative(table, metric)
    return table


def effects(results, metric="cycles"):
    """For each parameter the least and the greatest mean over its values, of the relative metric."""
    table = measured(results, metric)
    if table is None:
        return pandas.DataFrame(columns=["parameter", "low", "high", "low_at", "high_at"])
    rows = []
    for name in results.parameters:
        means = about(table, name).groupby(name)["relative"].mean()
        if len(means):
            rows.append((name, means.min(), means.max(), means.idxmin(), means.idxmax()))
    frame = pandas.DataFrame(rows, columns=["parameter", "low", "high", "low_at", "high_at"])
    return frame.reindex((frame["high"] - frame["low"]).sort_values().index)


def tornado(results, metric):
    frame = effects(results, metric).tail(20)
    if not len(frame):
        return "No parameter was varied in a point that has results."
    figure, axes = plt.subplots(figsize=(8, 1.2 + 0.4 * len(frame)))
    axes.barh(frame["parameter"], frame["high"] - frame["low"], left=frame["low"], color="#4477aa")
    for place, row in enumerate(frame.itertuples()):
        if row.low == row.high:
            axes.text(row.high, place, " no change", ha="left", va="center", fontsize=8)
            continue
        axes.text(row.low, place, f"{row.low_at} ", ha="right", va="center", fontsize=8)
        axes.text(row.high, place, f" {row.high_at}", ha="left", va="center", fontsize=8)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.use_sticky_edges = False
    axes.margins(x=0.15)
    axes.set_xlabel(f"{metric}, relative, mean over the other parameters and programs; the values at both ends")
    return figure


def response(results, metric):
    table = measured(results, metric)
    if table is None or not results.parameters:
        return "No parameter was varied in a point that has results."
    names = results.parameters
    columns = min(3, len(names))
    rows = -(-len(names) // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(4.2 * columns, 3.2 * rows), squeeze=False)
    for axes in grid.flat[len(names):]:
        axes.set_visible(False)
    for axes, name in zip(grid.flat, names):
        for program, part in about(table, name).groupby("program"):
            by = part.groupby(name)["relative"]
            middle = by.median()
            places = middle.index if pandas.api.types.is_numeric_dtype(middle.index) else range(len(middle))
            axes.plot(places, middle, marker="o", markersize=3, label=program)
            axes.fill_between(places, by.min(), by.max(), alpha=0.08)
            if len(middle) <= 8:
                axes.set_xticks(list(places), middle.index, rotation=0 if pandas.api.types.is_numeric_dtype(middle.index) else 30)
        axes.set_xlabel(name)
        axes.set_ylabel(f"{metric}, relative")
        axes.ticklabel_format(axis="y", useOffset=False)
    grid.flat[0].legend(fontsize=7)
    return figure


def machines(results, metric):
    """One row a machine (product and settings): its cost and the geometric mean of the relative metric over the programs."""
    table = measured(results, metric)
    if table is None or "cost" not in table or table["cost"].isna().all():
        return None
    by = list(dict.fromkeys(["product", *results.parameters]))
    table["log"] = numpy.log(table["relative"].clip(lower=1e-300))
    frame = table.groupby(by, dropna=False).agg(cost=("cost", "first"), log=("log", "mean"), programs=("program", "nunique")).reset_index()
    frame = frame[frame["programs"] == frame["programs"].max()]
    frame["value"] = numpy.exp(frame.pop("log"))
    return frame


def front(frame):
    """The rows that no other beats in cost and value."""
    best, rows = numpy.inf, []
    for row in frame.sort_values(["cost", "value"]).itertuples():
        if row.value < best:
            best = row.value
            rows.append(row.Index)
    return frame.loc[rows]


def pareto(results, metric):
    frame = machines(results, metric)
    if frame is None:
        return "The SPEC defines no cost."
    best = front(frame)
    figure, axes = plt.subplots(figsize=(8, 5))
    axes.scatter(frame["cost"], frame["value"], s=14, color="#bbbbbb", label="machines")
    axes.step(best["cost"], best["value"], where="post", marker="o", color="#cc3311", label="no other is cheaper and better")
    axes.set_xlabel("cost")
    axes.set_ylabel(f"{metric}, relative, geometric mean over the programs")
    axes.legend()
    return figure


def correlations(results):
    table = measured(results, "instructions")
    if table is None:
        return None
    inputs = [name for name in results.parameters if pandas.api.types.is_numeric_dtype(table[name])]
    metrics = [name for name in FEW if name in table and table.groupby("program")[name].nunique().max() > 1]
    if not inputs or not metrics:
        return None
    for name in metrics:
        table[name] = relative(table, name) if (table[name] > 0).all() else table[name]
    return table[inputs + metrics].corr(method=ranks).loc[inputs, metrics]


def ranks(a, b):
    """Spearman's coefficient."""
    a, b = pandas.Series(a).rank(), pandas.Series(b).rank()
    return 0.0 if a.nunique() < 2 or b.nunique() < 2 else float(numpy.corrcoef(a, b)[0, 1])


def correlation(results, metric):
    frame = correlations(results)
    if frame is None:
        return "No parameter with numbers was varied."
    figure, axes = plt.subplots(figsize=(2 + 1.1 * len(frame.columns), 1.5 + 0.45 * len(frame)))
    axes.imshow(frame, vmin=-1, vmax=1, cmap="RdBu_r", aspect="auto")
    axes.set_xticks(range(len(frame.columns)), frame.columns, rotation=30, ha="right")
    axes.set_yticks(range(len(frame)), frame.index)
    for (row, column), value in numpy.ndenumerate(frame.to_numpy()):
        axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=8,
                  color="white" if abs(value) > 0.6 else "black")
    return figure


def outliers(results, metric="cycles"):
    """Points whose metric is far from what their parameters' values and program give each alone: point, factor, deviations."""
    table = measured(results, metric)
    factors = ["program", *results.parameters]
    if table is None or len(table) < 8:
        return pandas.DataFrame(columns=["point", "factor", "deviations"])
    design = pandas.get_dummies(table[factors].astype(str)).astype(float).to_numpy()
    log = numpy.log(table[metric].clip(lower=1e-300).to_numpy())
    rest = log - design @ numpy.linalg.lstsq(design, log, rcond=None)[0]
    spread = 1.4826 * numpy.median(numpy.abs(rest - numpy.median(rest)))
    frame = pandas.DataFrame({"point": table["point"].to_numpy(), "factor": numpy.exp(rest), "deviations": numpy.abs(rest) / max(spread, 1e-3)})
    return frame[frame["deviations"] > 3.5].sort_values("deviations", ascending=False)


FIGURES = {"tornado": (tornado, "Sensitivity: what each parameter changes"), "response": (response, "Response curves"),
           "pareto": (pareto, "Cost and result"), "correlation": (correlation, "Correlation (Spearman)")}
