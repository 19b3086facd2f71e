# SPDX-License-Identifier: Apache-2.0
"""Which points of a space are run. A choice is a mapping of parameters to values; an empty one is the product."""
import itertools
import math
import pathlib
import sys

from .errors import UserError

SCIPY = pathlib.Path(__file__).resolve().parents[2] / "build/scipy/usr/lib/python3/dist-packages"
MOST_POINTS = 100_000


def scipy():
    """SciPy of the system, or as scripts/setup has unpacked it."""
    if SCIPY.is_dir() and str(SCIPY) not in sys.path:
        sys.path.append(str(SCIPY))
    try:
        import scipy.optimize
        import scipy.stats.qmc
    except ImportError:
        raise UserError("this design needs SciPy, which scripts/setup installs") from None
    return scipy


def full(parameters):
    if math.prod(len(values) for values in parameters.values()) > MOST_POINTS:
        raise UserError(f"the full design has more than {MOST_POINTS} points: use latin-hypercube or sobol")
    return [dict(zip(parameters, values)) for values in itertools.product(*parameters.values())]


def one_at_a_time(parameters):
    return [{}] + [{name: value} for name, values in parameters.items() for value in values]


def at(parameters, row):
    """The choice at a place of the unit cube."""
    return {name: values[min(int(u * len(values)), len(values) - 1)] for (name, values), u in zip(parameters.items(), row)}


def sampled(kind, parameters, points, seed):
    if not parameters:
        raise UserError(f"{kind} needs parameters")
    qmc = scipy().stats.qmc
    if kind == "sobol":
        rows = qmc.Sobol(len(parameters), seed=seed).random_base2(math.ceil(math.log2(points)))[:points]
    else:
        rows = qmc.LatinHypercube(len(parameters), seed=seed).random(points)
    return [at(parameters, row) for row in rows]


def choices(spec):
    if spec.design == "full":
        return full(spec.parameters)
    if spec.design == "one-at-a-time":
        return one_at_a_time(spec.parameters)
    return sampled(spec.design, spec.parameters, spec.points, spec.seed)


def search(spec, cost_of):
    """Differential evolution over the places of the values. `cost_of` runs a list of choices and gives their costs."""
    if not spec.parameters:
        raise UserError("search needs parameters")
    optimize = scipy().optimize
    per_parameter = max(1, min(5, spec.points // (2 * len(spec.parameters))))
    generations = max(0, spec.points // max(5, per_parameter * len(spec.parameters)) - 1)

    def costs(columns):
        rows = columns.T if columns.ndim == 2 else [columns]
        found = cost_of([at(spec.parameters, row) for row in rows])
        return found if columns.ndim == 2 else found[0]

    optimize.differential_evolution(costs, [(0, 1)] * len(spec.parameters), vectorized=True, updating="deferred", polish=False,
                                    popsize=per_parameter, maxiter=generations, seed=spec.seed, init="latinhypercube", tol=0)
