"""Fits of models to columns of numbers."""
import functools
import inspect

import numpy as np

from ._arguments import choice, flag, number
from ._arrays.table import numbers
from ._library import call, encoded, ffi, invalid, lib, shown, text
from ._objective import Objective
from ._optimise import start_of
from ._search import Evaluator, Search, algorithm_tables
from ._options import documented
from ._results.search import quality

_ARGUMENTS = ("model", "data", "parameters", "target", "weights", "sigma", "absolute_sigma", "loss", "delta", "x0", "algorithm", "device",
              "threads", "progress")

_LOSSES = {name.removeprefix("SHOAL_LOSS_").lower(): value
           for value, name in sorted(ffi.typeof("enum shoal_loss").elements.items())}


def _columns_of(data, model):
    """The columns of a dict, a structured array or a DataFrame: a dict of arrays of equal length by name. An array is the
    column of the first argument of a model that is a function."""
    if callable(model) and not hasattr(data, "keys") and getattr(getattr(data, "dtype", None), "names", None) is None:
        data = {next(iter(inspect.signature(model).parameters), ""): data}
    names = data.dtype.names if isinstance(data, np.ndarray) else list(data) if hasattr(data, "keys") else None
    if not names or not all(isinstance(name, str) for name in names):
        raise TypeError(f"data has columns by name: a dict of arrays, a structured array or a DataFrame, not {shown(data)}")
    columns = {str(name): numbers(f"column {name} of data", data[name], "an array of numbers, one for each row", (1,)) for name in names}
    shape = next(iter(columns.values())).shape
    for name, values in columns.items():
        if values.shape != shape:
            raise invalid(f"column {name} of data has the shape {values.shape}, not {shape} as the first column")
    return columns


def _column(columns, values, argument, own):
    """The name of the column that an argument names, or of its array, which becomes the column `own`."""
    if isinstance(values, str):
        if values not in columns:
            raise invalid(f"{argument}: there is no column {values}; there are {', '.join(columns)}")
        return values
    rows = len(next(iter(columns.values())))
    wanted = f"a number for each of the {rows} rows, or the name of a column"
    array = numbers(argument, values, wanted, (0, 1))
    if array.ndim == 1 and len(array) != rows:
        raise invalid(f"{argument} has the shape {array.shape}: it is {wanted}")
    columns[own] = np.array(np.broadcast_to(array, rows))
    return own


def _weights_of(columns, weights, sigma):
    """The name of the column of weights; None: all weights are 1."""
    if sigma is None:
        return None if weights is None else _column(columns, weights, "weights", "(weights)")
    if weights is not None:
        raise TypeError("sigma and weights exclude each other: a weight is 1 / sigma^2")
    deviations = columns[_column(columns, sigma, "sigma", "(sigma)")]
    for row in np.flatnonzero(~((deviations > 0) & np.isfinite(deviations)))[:1]:
        raise invalid(f"sigma is {deviations[row]:g} in row {row + 1}: standard deviations are above 0")
    columns["(weights)"] = deviations ** -2.0
    return "(weights)"


def _ranges_of(parameters):
    wanted = 'names with ranges: {"a": (0, 10)}'
    if not callable(getattr(parameters, "values", None)):
        raise TypeError(f"parameters are {wanted}, not {shown(parameters)}")
    for name in parameters:
        encoded("one of parameters", name)
    ranges = numbers("parameters", list(parameters.values()), wanted, (1, 2))
    if ranges.ndim != 2 or ranges.shape[1] != 2:
        raise invalid(f"parameters are {wanted}, not {shown(parameters)}")
    return ranges


def _doubles(array):
    return ffi.cast("double *", ffi.from_buffer(array))


class _Curve:
    """What formulas and functions have in common: values(x), the model in each row."""

    def __init__(self, problem):
        self._problem = problem
        self._target = problem["columns"][problem["target"]]

    @functools.cached_property
    def _weights(self):
        return self._problem["columns"][self._problem["weights"]] if self._problem["weights"] else np.ones(len(self._target))

    @functools.cached_property
    def _counts(self):
        """The index of the rows that count: those of weight 0 do not, whatever the value of the model."""
        counts = self._weights > 0
        return slice(None) if counts.all() else counts

    def least_squares_errors(self, x, deviation):
        """(rank, why there are no errors, errors, correlations), as docs/fitting.md defines them, by central
        differences."""
        ranges, varies = self._problem["ranges"], self.varies()
        none = np.full(len(x), np.nan), np.full((len(x), len(x)), np.nan)
        count = int(varies.sum())
        steps = np.cbrt(np.finfo(float).eps) * np.maximum(np.abs(x), 0.01 * (ranges[:, 1] - ranges[:, 0]))
        columns = [(self.values(x + step)[self._counts] - self.values(x - step)[self._counts]) / (2 * step.sum())
                   for step in np.diag(steps)[varies]]
        jacobian = np.stack(columns, axis=1) * np.sqrt(self._weights[self._counts])[:, None]
        scale = np.sqrt((jacobian ** 2).sum(0))
        if not np.isfinite(scale).all():
            return 0, "a derivative of the model is not finite", *none
        _, values, right = np.linalg.svd(jacobian / np.where(scale > 0, scale, 1), full_matrices=False)
        rank = int((values > 1e-7 * values.max()).sum())
        if rank < count:
            return rank, "the data do not determine all parameters: the Jacobian is rank-deficient", *none
        if np.isnan(deviation):
            return rank, "there are as many parameters as rows", *none
        inverse = right.T / values ** 2 @ right
        roots = np.sqrt(np.diag(inverse))
        errors, correlations = np.zeros(len(x)), np.eye(len(x))
        errors[varies] = deviation * roots / scale
        correlations[np.ix_(varies, varies)] = inverse / (roots[:, None] * roots)
        return rank, None, errors, correlations

    def varies(self):
        """Whether each parameter varies: a parameter with equal bounds is fixed."""
        return self._problem["ranges"][:, 0] < self._problem["ranges"][:, 1]


class _Formula(_Curve):
    """A model that the library evaluates."""

    def __init__(self, formula, problem):
        super().__init__(problem)
        keep = []

        def texts(argument, names):
            keep.extend(ffi.new("char[]", encoded(argument, name)) for name in names)
            keep.append(ffi.new("const char *[]", keep[len(keep) - len(names):]))
            return keep[-1]

        names, ranges, columns = list(problem["parameters"]), problem["ranges"], problem["columns"]
        model = ffi.new("struct shoal_model *")
        lib.shoal_model_init(model)
        model.formula, model.target = texts("model", [formula])[0], texts("target", [problem["target"]])[0]
        if problem["weights"]:
            model.weights = texts("weights", [problem["weights"]])[0]
        named = texts("one of parameters", names)
        keep.append(ffi.new("struct shoal_model_parameter[]", [
            {"name": named[k], "lower": ranges[k][0], "upper": ranges[k][1]} for k in range(len(names))]))
        model.parameters, model.parameter_count = keep[-1], len(names)
        model.columns = texts("a column of data", list(columns))
        keep.append(ffi.new("const double *[]", [_doubles(values) for values in columns.values()]))
        model.values, model.column_count = keep[-1], len(columns)
        model.rows, model.loss = len(next(iter(columns.values()))), _LOSSES[problem["loss"]]
        model.delta = problem["delta"]
        self.evaluator = None
        self.objective = Objective()
        self.objective.create(lib.shoal_objective_from_model, model)
        self._rows = model.rows

    def values(self, x):
        model = np.empty(self._rows)
        call(lib.shoal_model_rows, self.objective.owner.pointer, _doubles(x), 0, self._rows, ffi.NULL, _doubles(model))
        return model

    def quality(self, x):
        return quality(self.objective.owner.pointer, x)


class _Function(_Curve):
    """A model that is a Python function, whose arguments have the names of columns and parameters."""

    def __init__(self, function, problem):
        super().__init__(problem)
        self._function = function
        columns, parameters = problem["columns"], problem["parameters"]
        self._names = list(parameters)
        arguments = inspect.signature(function).parameters
        self._inputs = {name: columns[name] for name in arguments if name in columns and name not in parameters}
        for name, argument in arguments.items():
            if argument.default is argument.empty and name not in parameters and name not in columns:
                raise TypeError(f"the model has the argument {name}, which is neither a column nor a parameter")
        for name in self._names:
            if name not in arguments:
                raise TypeError(f"the model has no argument {name}, which is a parameter")
        self._check(columns)
        self.objective = Objective()
        self.evaluator = Evaluator(self._value)
        self.objective.from_function(self._value, getattr(function, "__name__", "model"))

    def _check(self, columns):
        used = {**self._inputs, self._problem["target"]: self._target}
        if self._problem["weights"]:
            used[self._problem["weights"]] = self._weights
        for name, values in used.items():
            if not np.isfinite(values).all():
                row = np.flatnonzero(~np.isfinite(values))[0] + 1
                raise invalid(f"row {row} of column {name} is {values[row - 1]:g}")
        for row in np.flatnonzero(self._weights < 0)[:1]:
            raise invalid(f"row {row + 1}: the weight, {self._problem['weights']}, is {self._weights[row]:g}: weights "
                          "are >= 0")
        rows, count = len(self._weights[self._counts]), len(self._names)
        if rows < count:
            some = " of positive weight" if rows < len(self._target) else ""
            raise invalid(f"{rows} row{'' if rows == 1 else 's'}{some} for {count} parameters: a fit needs at least as "
                          "many rows")
        if np.ptp(self._target[self._counts]) == 0:
            raise invalid(f"the target, {self._problem['target']}, is {self._target[self._counts][0]:g} in every row: "
                          "there is nothing to fit")
        delta = self._problem["delta"]
        if self._problem["loss"] == "huber" and not 0 < delta < np.inf:
            raise invalid(f"the delta of Huber's loss is {delta:g}: give a positive number")

    def values(self, x):
        values = np.asarray(self._function(**self._inputs, **dict(zip(self._names, x))), dtype=np.float64)
        if values.shape not in ((), self._target.shape):
            raise ValueError(f"the model gives the shape {values.shape}, not {self._target.shape} as the target")
        return np.broadcast_to(values, self._target.shape)

    def _value(self, x):
        residual = np.abs(self._target - self.values(x))[self._counts]
        if self._problem["loss"] == "squares":
            losses = residual ** 2
        elif self._problem["loss"] == "absolute":
            losses = residual
        else:
            delta = self._problem["delta"]
            losses = np.where(residual <= delta, residual ** 2 / 2, delta * (residual - delta / 2))
        return float(self._weights[self._counts] @ losses)

    def quality(self, x):
        weights, target, ranges = self._weights[self._counts], self._target[self._counts], self._problem["ranges"]
        rows, squares = len(weights), weights @ (target - self.values(x)[self._counts]) ** 2
        mean = weights @ target / weights.sum()
        count = int(self.varies().sum())
        deviation = np.sqrt(squares / (rows - count)) if rows > count else np.nan
        errors = 0, "they are those of least squares", *(np.full((len(x),) * k, np.nan) for k in (1, 2))
        if self._problem["loss"] == "squares":
            errors = self.least_squares_errors(x, deviation)
        near = 1e-6 * (ranges[:, 1] - ranges[:, 0])
        at_bound = np.where(x <= ranges[:, 0] + near, -1, np.where(x >= ranges[:, 1] - near, 1, 0)) * self.varies()
        return {"rows": rows, "value": self._value(x), "rms": np.sqrt(squares / weights.sum()), "r2": 1 - squares / (weights @ (target - mean) ** 2),
                "deviation": deviation, "rank": errors[0], "no_errors": errors[1], "errors": errors[2],
                "correlations": errors[3], "at_bound": at_bound}


def fit(model, data, parameters, target, *, weights=None, sigma=None, absolute_sigma=False, loss="squares", delta=1.0, x0=None, algorithm="pso",
        device=None, threads=None, progress=False, **options):
    """Fits a model to columns of numbers: the parameters for which the sum over the rows of weight * loss(target -
    model) is least.

    model: a formula of columns and parameters, "a*exp(-b*t)" (docs/fitting.md), which runs on every device; or a Python
        function of arguments with the names of these, which returns an array: lambda t, a, b: a * np.exp(-b * t).
    data: columns by name: a dict of arrays, each of the shape (rows,), a structured array, a DataFrame; or, for a Python
        function, an array that is its first argument. Columns of float64 whose numbers follow each other are not copied.
    parameters: names with their ranges, {"a": (0, 10), "b": (0, 5)}; no start is needed.
    target: the column to which the model is fitted: its name, or an array of the shape (rows,).
    weights: weights of the rows, such as 1 / variance of the target: the name of a column, or an array of the shape (rows,);
        None: all are 1.
    sigma: standard deviations of the target, in its unit, in place of weights: the name of a column, an array of the shape
        (rows,), or one number.
    absolute_sigma: errors and covariance follow from sigma as it is; False: sigma is known up to a factor, which follows
        from the residuals.
    loss: squares, absolute or huber, which is linear beyond delta.
    x0: values of the parameters to start from, in the order of `parameters`, shape (parameters,); or several such points,
        shape (points, parameters).
    algorithm, device, threads, progress: as of minimise().

    The further arguments are the options of the algorithm, listed below. The result of the search is refined: by least
    squares (`refine`), by a pattern search for other losses, and for a Python function by 5,000 evaluations of
    `polish`.

    Returns a Result as of minimise(), x in the order of the parameters, with: parameters (a dict), errors (the standard
    errors, shape (parameters,)), covariance and correlations, shape (parameters, parameters), no_errors (why these are NaN;
    None: they are numbers), at_bound (-1, 0 or 1), rms, r2, deviation (of a residual of weight 1), rank, fitted (the model in
    each row) and residuals (target - fitted), shape (rows,); rows, the number of
    rows; value, which is fun.
    """
    choice("loss", loss, _LOSSES)
    if flag("absolute_sigma", absolute_sigma) and sigma is None:
        raise TypeError("absolute_sigma needs sigma")
    columns, ranges = _columns_of(data, model), _ranges_of(parameters)
    target, weights = _column(columns, target, "target", "(target)"), _weights_of(columns, weights, sigma)
    problem = {"columns": columns, "parameters": parameters, "ranges": ranges, "target": target, "weights": weights,
               "loss": loss, "delta": number("delta", delta)}
    curve = (_Function if callable(model) else _Formula)(model, problem)
    with Search(_TABLES, algorithm, len(ranges)) as search:
        # The library itself refines fits of formulas.
        search.set_problem(curve.objective, {"polish": 5000 if callable(model) else None, **options})
        search.set_bounds(np.ascontiguousarray(ranges[:, 0]), np.ascontiguousarray(ranges[:, 1]))
        if x0 is not None:
            search.set_start(start_of(x0))
        result = search.run(device, threads, evaluator=curve.evaluator, progress=progress)
        fitted = curve.values(result.x)
        quality = curve.quality(result.x)
        if absolute_sigma and quality["deviation"] > 0:
            quality["errors"] = quality["errors"] / quality["deviation"]
        elif absolute_sigma and loss == "squares":  # the residuals are 0, or there are as many parameters as rows
            quality.update(zip(("rank", "no_errors", "errors", "correlations"), curve.least_squares_errors(result.x, 1.0)))
        covariance = quality["errors"][:, None] * quality["errors"] * quality["correlations"]
        result.update(parameters=dict(zip(parameters, result.x.tolist())), **quality, covariance=covariance,
                      fitted=np.require(fitted, requirements="W"), residuals=columns[target] - fitted)
        return result


_TABLES = algorithm_tables("fit", (), _ARGUMENTS)
documented(fit, _TABLES)
