"""What a search has found beside its best position."""
import numpy as np

from .._library import Result, call, ffi, lib, text
from .fields import reals

_MOST_POINTS = 100


def quality(objective, x):
    """The quality of a fitted model at the parameters x: the members of struct shoal_fit. objective: of a model."""
    fit = ffi.new("struct shoal_fit *", {"size": ffi.sizeof("struct shoal_fit")})
    call(lib.shoal_fit_compute, objective, ffi.from_buffer("double[]", x), fit)
    count = fit.parameter_count
    found = {"rms": fit.rms, "r2": fit.r2, "deviation": fit.deviation, "rank": fit.rank, "no_errors": text(fit.no_errors),
             "errors": reals(fit.errors, count), "correlations": reals(fit.correlations, count * count).reshape(count, count),
             "at_bound": np.array(list(fit.at_bound[0:count])), "rows": fit.rows, "value": fit.value}
    lib.shoal_fit_free(fit)
    return found


def _points(solver, params, result):
    """The best distinct points of several runs, the best one first."""
    most = min(params.runs, _MOST_POINTS)
    runs, found_by, count = ffi.new("uint64_t[]", most), ffi.new("uint64_t[]", most), ffi.new("size_t *")
    call(lib.shoal_search_distinct, solver, most, runs, found_by, count)
    points = []
    for k in range(count[0]):
        x = np.empty(len(result.position))
        call(lib.shoal_search_run_position, solver, runs[k], ffi.from_buffer("double[]", x), len(x))
        points.append(Result(value=float(result.run_values[runs[k]]), runs=found_by[k], seed=params.seed + runs[k], position=x))
    return points


def add_points(solver, params, result):
    """Adds best_points of several runs, at most 100, and the fit of a model."""
    params = ffi.cast("struct shoal_search_params *", params)
    if "position" not in result:
        return
    if "run_values" in result:
        result["best_points"] = _points(solver, params, result)
    objective = lib.shoal_solver_objective(solver)
    model = lib.shoal_objective_model(objective)
    if model != ffi.NULL:
        names = [text(one.name) for one in model.parameters[0:model.parameter_count]]
        lower, upper = (np.array([getattr(one, side) for one in model.parameters[0:model.parameter_count]]) for side in ("lower", "upper"))
        result["fit"] = Result(parameters=dict(zip(names, result.position.tolist())), lower=lower, upper=upper,
                               **quality(objective, result.position))
