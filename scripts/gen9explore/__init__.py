# SPDX-License-Identifier: Apache-2.0
"""Design spaces of gen9sim: runs them and reads their results, for scripts and notebooks.

    import sys; sys.path.append("scripts")
    import gen9explore
    results = gen9explore.load("out/explore/threads")
    results.points, results.metrics, results.wide()      # pandas tables
    gen9explore.figures.tornado(results, "cycles")       # a matplotlib figure
"""
import importlib

from .errors import UserError


def explore(spec, gen9sim, folder, **options):
    """Runs what has no result yet (options: jobs, profile, quiet), saves the tables and gives the results."""
    from . import exploration, model, spec as specs
    work = exploration.Exploration(specs.Spec(spec), model.Model(gen9sim), folder)
    work.prepare()
    work.run(**options)
    from . import table
    results = table.tabulate(work)
    table.save(results, work.folder)
    return results


def load(folder):
    from . import table
    return table.load(folder)


def __getattr__(name):
    if name in ("figures", "table", "page", "exploration", "model", "spec", "designs", "workflow"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(name)
