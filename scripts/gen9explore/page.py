# SPDX-License-Identifier: Apache-2.0
"""The page of an exploration: one file, with its figures in it."""
import base64
import html
import os
import pathlib
import shlex

from . import figures
from .errors import UserError

STYLE = """body{font-family:sans-serif;margin:2em;max-width:1100px}table{border-collapse:collapse;font-size:.9em}
td,th{padding:.2em .7em;border-bottom:1px solid #ccc;text-align:left}pre{background:#f2f2f2;padding:.5em;overflow-x:auto}img{max-width:100%}"""


def draw(results, name, metric, folder):
    """Draws a figure into folder/figures; gives its file, or a sentence why there is none."""
    if name not in figures.FIGURES:
        raise UserError(f"--figure '{name}' is not allowed: {'|'.join(figures.FIGURES)}")
    drawn = figures.FIGURES[name][0](results, metric)
    if isinstance(drawn, str):
        return drawn
    path = pathlib.Path(folder) / "figures" / f"{name}.png"
    path.parent.mkdir(exist_ok=True)
    drawn.tight_layout()
    drawn.savefig(path, dpi=110, metadata={"Software": None})
    figures.plt.close(drawn)
    return path


def table(header, rows):
    cells = lambda tag, row: "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in row) + "</tr>"
    return "<table>" + cells("th", header) + "".join(cells("td", row) for row in rows) + "</table>"


def write(results, spec, folder, metric, command):
    """`command`: the words that made the exploration, to which an option for one figure or point is added."""
    words = " ".join(map(shlex.quote, command))
    points, failed = results.points, results.points[results.points["error"].notna()]
    parts = [f"<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>{html.escape(spec.path.name)}</title><style>{STYLE}</style></head><body>",
             f"<h1>{html.escape(spec.path.name)}</h1><p>{len(points)} points, {len(failed)} failed; design: {spec.design}, metric: {html.escape(metric)}.</p>",
             f"<pre>{html.escape(words)}</pre>"]
    for name, (_, title) in figures.FIGURES.items():
        drawn = draw(results, name, metric, folder)
        parts.append(f"<h2>{title}</h2>")
        if isinstance(drawn, str):
            parts.append(f"<p>{html.escape(drawn)}</p>")
        else:
            parts.append(f"<img alt='{name}' src='data:image/png;base64,{base64.b64encode(drawn.read_bytes()).decode()}'>")
            parts.append(f"<pre>{html.escape(words)} --metric {html.escape(metric)} --figure {name}</pre>")
    parts.append(best(results, words))
    outliers = figures.outliers(results, metric).head(20)
    parts.append("<h2>Outliers</h2><p>Points far from what the program and each value give alone (factor: found over expected).</p>")
    named = results.points.set_index("point")
    parts.append(table(["point", "factor", "deviations", "program", "command"],
                       [(int(row.point), f"{row.factor:.2f}", f"{row.deviations:.1f}", named.loc[row.point, "program"],
                         f"{words} --point {int(row.point)}") for row in outliers.itertuples()]) if len(outliers) else "<p>None.</p>")
    if len(failed):
        parts.append("<h2>Failed points</h2>")
        parts.append(table(["point", "program", "error", "command"],
                           [(row.point, row.program, row.error, f"{words} --point {row.point}") for row in failed.itertuples()]))
    path = pathlib.Path(folder) / "report.html"
    part = path.with_name("part-report.html")
    part.write_text("\n".join(parts) + "</body></html>\n")
    os.replace(part, path)
    return path


def best(results, words):
    ranked = results.points.dropna(subset=["objective"]).sort_values("objective")
    rows = [(row["program"], row["point"], f"{row['objective']:.6g}",
             ", ".join(f"{name}={row[name]}" for name in results.parameters),
             f"{words} --point {row['point']}") for row in ranked.groupby("program").head(3).to_dict("records")]
    return "<h2>Best points by the objective</h2>" + table(["program", "point", "objective", "settings", "command"], sorted(rows, key=lambda row: row[0]))
