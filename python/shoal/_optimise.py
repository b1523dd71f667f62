"""Minimisation of functions."""
import itertools
import os
import re
import types

import numpy as np

from ._library import (Owner, Result, call, device_pointer, failure, ffi, instance, interruptible, invalid, lib,
                       new_error, text)
from ._options import Table, documented

# Groups and options that arguments of functions replace.
_PROBLEM = ("Problem", "algorithm", "runs", "success", "trace")
_ARGUMENTS = ("function", "bounds", "dim", "x0", "data", "algorithm", "device", "threads")
_MESSAGES = {
    "target": "a value as good as the target was found",
    "stagnated": "no improvement for `stagnation` iterations",
    "converged": "all members lie within `x_tolerance` of the best",
    "iterations": "the limit of iterations was reached",
    "evaluations": "the limit of evaluations was reached",
    "time": "the limit of time was reached",
    "stopped": "the search was stopped",
}

# The line of a text that reads the whole table.
_TABLE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+TABLE\b", re.MULTILINE)


def algorithm_tables(function, but, taken):
    """{name: Table} of the algorithms of the library's optimiser, with the defaults of the optimiser. function: the
    name of the function that takes the options; taken: its other arguments; but: the options of the problem that
    stay."""
    algorithms = {}
    for index in itertools.count():
        workload = lib.shoal_optimiser_algorithm_at(index)
        if workload == ffi.NULL:
            break
        algorithms[text(workload.name)] = workload
    count = ffi.new("size_t *")
    options = lib.shoal_optimise_options(count)
    algorithms["auto"] = types.SimpleNamespace(options=options, option_count=count[0], absent=ffi.NULL)
    tables = {}
    for name, workload in algorithms.items():
        optimiser = Owner("shoal_optimiser", lib.shoal_optimiser_destroy)
        call(lib.shoal_optimiser_create, 1, optimiser.address)
        call(lib.shoal_optimiser_set_algorithm, optimiser.pointer, name.encode())
        tables[name] = Table(workload, function, without=_PROBLEM, but=but, taken=taken,
                             defaults=lib.shoal_optimiser_params(optimiser.pointer))
        tables[name].owner = optimiser  # of the defaults
    return tables


class Objective:
    """An objective of the library."""

    def __init__(self):
        self.owner = Owner("shoal_objective", lib.shoal_objective_destroy)
        self.raised = None  # exception that a Python function raised
        self.stop = lambda: None
        self.is_python = False
        self.has_variables = False  # the objective has variables of its own
        self._keep = []

    def choose(self, function, *, data=None, variables=None, dim=None, number=None):
        """Creates the objective from the arguments of minimise(). number: the number of an instance; None: none."""
        if isinstance(function, str) and (number is not None or function.startswith("bbob-f")):
            if dim is None:
                raise TypeError(f"{function} needs bounds for each coordinate, x0 or dim")
            self.create(lib.shoal_objective_from_bbob, function.encode(), 1 if number is None else number, dim)
        elif number is not None:
            raise TypeError("instance goes with the name of a function, such as bbob-f15")
        elif callable(function):
            self.from_function(function)
        elif data is not None:
            self._from_table(function, data, dim)
        elif isinstance(function, os.PathLike) or isinstance(function, str) and "\n" in function:
            self.create(lib.shoal_objective_from_text, instance(), *_text_of(function))
        elif not isinstance(function, str):
            raise TypeError("function is a Python function, the name of a built-in one, a formula, a text in the "
                            f"kernel dialect or the path of one, not {function!r}")
        elif lib.shoal_objective_find(function.encode()) != ffi.NULL:
            self.owner.address[0] = ffi.cast("struct shoal_objective *", lib.shoal_objective_find(function.encode()))
        elif variables:
            self.has_variables = True
            self.create(lib.shoal_objective_from_expression_variables, function.encode(), variables.encode())
        else:
            self.create(lib.shoal_objective_from_expression, function.encode())

    def create(self, create, *arguments):
        call(create, *arguments, self.owner.address)

    def from_function(self, function):
        self.is_python = True

        def evaluate(x, dim, _):
            return float(function(np.frombuffer(ffi.buffer(x, dim * 8)).copy()))

        def keep_exception(_, exception, __):
            self.raised = self.raised or exception
            self.stop()

        self._keep.append(ffi.callback("shoal_objective_fn", evaluate, error=float("nan"),
                                       onerror=keep_exception))
        name = getattr(function, "__name__", "function").encode()
        self._keep.append(ffi.new("char[]", name))
        self.create(lib.shoal_objective_from_callback, self._keep[0], ffi.NULL, self._keep[1])

    def _from_table(self, function, data, dim):
        table = np.ascontiguousarray(data, dtype=np.float64)
        if table.ndim != 2:
            raise ValueError(f"data has {table.ndim} dimensions, not 2: rows and columns")
        values = ffi.cast("const double *", ffi.from_buffer(table))
        words = [ffi.NULL, ffi.NULL] if function is None else [ffi.new("char[]", word) for word in _text_of(function)]
        if function is not None and _TABLE.search(ffi.string(words[0])):
            self.create(lib.shoal_objective_from_text_table, instance(), *words, values, *table.shape)
            return
        if function is None:
            dim = table.shape[1] - 1
        elif dim is None:
            raise TypeError("a text over rows needs bounds for each coordinate, x0 or dim")
        rows = ffi.new("struct shoal_rows *", {"size": ffi.sizeof("struct shoal_rows"), "values": values,
                                               "rows": table.shape[0], "columns": table.shape[1], "dim": dim,
                                               "text": words[0], "name": words[1]})
        self.create(lib.shoal_objective_from_rows, instance(), rows)

    def constrain(self, functions, point):
        """Adds constraints to the objective: Python functions with lower and upper bounds of their values. point: a
        point at which each function is called once to count its values."""
        counts = [np.size(function(point.copy())) for function, _, _ in functions]
        bounds = [np.broadcast_arrays(lower, upper, np.empty(count))[:2] for (_, lower, upper), count in zip(functions, counts)]
        lower, upper = (np.concatenate([np.ravel(pair[i]).astype(float) for pair in bounds]) for i in (0, 1))
        equal, below, above = lower == upper, np.isfinite(lower) & (lower != upper), np.isfinite(upper) & (lower != upper)
        count = int(below.sum() + above.sum() + equal.sum())
        if not count:
            return

        def evaluate(x, dim, out, _):
            x = np.frombuffer(ffi.buffer(x, dim * 8))
            values = np.concatenate([np.ravel(np.asarray(function(x.copy()), dtype=float)) for function, _, _ in functions])
            g = np.concatenate([(lower - values)[below], (values - upper)[above], (values - lower)[equal]])
            ffi.buffer(out, count * 8)[:] = g.tobytes()

        def keep_exception(_, exception, __):
            self.raised = self.raised or exception
            self.stop()

        self.is_python = True
        inner, self.owner = self.owner, Owner("shoal_objective", lib.shoal_objective_destroy, self.owner)
        self._keep.append(ffi.callback("shoal_constraints_fn", evaluate, onerror=keep_exception))
        self.create(lib.shoal_objective_with_constraints, inner.pointer, self._keep[-1], ffi.NULL, count, int(equal.sum()))

    @property
    def info(self):
        return lib.shoal_objective_get_info(self.owner.pointer)


def _text_of(function):
    """(text in the kernel dialect, its name in messages) of a path or a text."""
    if isinstance(function, os.PathLike):
        with open(function, "rb") as file:
            return file.read(), os.fsencode(function)
    return function.encode(), b"text"


def _bounds_of(bounds):
    """(lower, upper, dim) of bounds: arrays and their length for a list of pairs; numbers and None for one pair."""
    if hasattr(bounds, "lb"):  # scipy.optimize.Bounds
        bounds = np.stack(np.broadcast_arrays(bounds.lb, bounds.ub), -1)
    pairs = np.array(bounds, dtype=np.float64)
    if pairs.shape == (2,):
        return pairs[0], pairs[1], None
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError("bounds are a pair (lower, upper), or such a pair for each coordinate")
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]), len(pairs)


def _constraints_of(constraints):
    """(relations as one text or None, [(function, lower, upper)]) of the constraints."""
    if constraints is None:
        return None, []
    if isinstance(constraints, (str, dict)) or callable(getattr(constraints, "fun", None)) or hasattr(constraints, "A"):
        constraints = [constraints]
    relations, functions = [], []
    for one in constraints:
        if isinstance(one, str):
            relations.append(one)
        elif isinstance(one, dict):  # scipy.optimize.minimize
            if one.get("type") not in ("ineq", "eq") or not callable(one.get("fun")):
                raise ValueError('a constraint is {"type": "ineq" or "eq", "fun": a function}')
            function, arguments = one["fun"], tuple(one.get("args", ()))
            functions.append((lambda x, function=function, arguments=arguments: function(x, *arguments), 0,
                              np.inf if one["type"] == "ineq" else 0))
        elif callable(getattr(one, "fun", None)):  # scipy.optimize.NonlinearConstraint
            functions.append((one.fun, one.lb, one.ub))
        elif hasattr(one, "A"):  # scipy.optimize.LinearConstraint
            matrix = np.atleast_2d(one.A.toarray() if hasattr(one.A, "toarray") else one.A)
            functions.append((lambda x, matrix=matrix: matrix @ x, one.lb, one.ub))
        else:
            raise TypeError("a constraint is a relation such as 'x[1] + x[2] <= 1', or a dictionary, NonlinearConstraint or "
                            f"LinearConstraint as of scipy.optimize, not {one!r}")
    return "; ".join(relations) if relations else None, functions


def start_of(x0):
    points = np.ascontiguousarray(np.atleast_2d(np.asarray(x0, dtype=np.float64)))
    if points.ndim != 2:
        raise ValueError("x0 is a point, or an array of points, one a row")
    return points


def _dim_of(dim, numbers, variables):
    """The dimension on which dim, numbers and variables agree; None: none of these gives a dimension."""
    if variables:
        parsed = Owner("shoal_variables", lib.shoal_variables_destroy)
        call(lib.shoal_variables_parse, variables.encode(), dim or 0, parsed.address)
        numbers = [*numbers, lib.shoal_variables_count(parsed.pointer)]
        parsed.release()
    for number in numbers:
        if number is not None and dim is not None and number != dim:
            raise ValueError(f"dim, bounds, x0 and variables are of {dim} and of {number} coordinates")
        dim = dim if number is None else number
    return dim


class Search:
    """An optimiser of the library with an objective. tables: the options of each algorithm."""

    def __init__(self, tables, algorithm, dim):
        if algorithm not in tables:
            raise invalid(f"there is no algorithm {algorithm}; there are {', '.join(tables)}")
        self._owner = Owner("shoal_optimiser", lib.shoal_optimiser_destroy)
        call(lib.shoal_optimiser_create, dim, self._owner.address)
        self._dim = dim
        self._table = tables[algorithm]
        self.call(lib.shoal_optimiser_set_algorithm, algorithm.encode())
        self._params = lib.shoal_optimiser_params(self._owner.pointer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._owner.release()
        self._objective.owner.release()

    def set_problem(self, objective, options):
        self._objective = objective
        self._keep = self._table.set(self._params, options)
        self.call(lib.shoal_optimiser_set_objective, objective.owner.pointer)

    def call(self, function, *arguments):
        call(function, self._owner.pointer, *arguments)

    def set_bounds(self, lower, upper):
        if np.ndim(lower):
            self.call(lib.shoal_optimiser_set_bounds, ffi.cast("double *", ffi.from_buffer(lower)),
                      ffi.cast("double *", ffi.from_buffer(upper)))
        else:
            self.call(lib.shoal_optimiser_set_box, lower, upper)

    def set_start(self, points):
        self.call(lib.shoal_optimiser_set_start, ffi.cast("double *", ffi.from_buffer(points)), len(points))

    def _optimise(self):
        """Runs the search: on this thread if the objective is a Python function, which can be interrupted, else on
        another."""
        optimiser = self._owner.pointer
        x, value, error = ffi.new("double[]", self._dim), ffi.new("double *", float("nan")), new_error()

        def work():
            return lib.shoal_optimise(optimiser, x, value, error)

        def stop():
            lib.shoal_optimiser_stop(optimiser)

        self._objective.stop = stop
        end = work() if self._objective.is_python else interruptible(work, stop)
        if self._objective.raised is not None:
            raise self._objective.raised
        if end == lib.SHOAL_OPTIMISE_FAILED:
            raise failure(error)
        return text(lib.shoal_optimise_result_name(end)), np.array(list(x)), value[0]

    def run(self, device, threads):
        if device is not None:
            self.call(lib.shoal_optimiser_set_device, device_pointer(device))
        if threads is None:
            threads = 1 if self._objective.is_python else 0
        self.call(lib.shoal_optimiser_set_threads, threads)
        end, x, value = self._optimise()
        optimiser = self._owner.pointer
        found = bool(np.isfinite(value))
        target = next(option for option in self._table.options.values() if option.option == "target")
        missed = target.get(self._params) is not None and end != "target"
        return Result(
            x=x if found else np.full(self._dim, np.nan), fun=value, success=found and not missed and end != "stopped",
            message=_MESSAGES.get(end, end) if found else "no value of the function was finite", status=end,
            nfev=lib.shoal_optimiser_evaluations(optimiser), nit=lib.shoal_optimiser_steps(optimiser),
            not_finite=lib.shoal_optimiser_not_finite(optimiser),
            violation=lib.shoal_optimiser_violation(optimiser),
            algorithm=text(lib.shoal_optimiser_algorithm(optimiser)))


def minimise(function, bounds=None, *, dim=None, x0=None, data=None, constraints=None, algorithm="pso", device=None,
             threads=None, **options):
    """Finds the least value of a function in a box.

    function: a Python function of an array of coordinates; the name of a built-in function, "rastrigin"; a formula,
        "sum(x[i]^2)"; a text in the kernel dialect, or the path of a file with one (pathlib.Path). With data, a text
        that reads the rows; None: the least squares b - a . x of rows a, b.
    bounds: (lower, upper) for all coordinates, or such a pair for each coordinate; None: the usual box of the function.
    dim: the number of coordinates, if no other argument gives it.
    x0: a point, or an array with a point in each row: positions at which the first members start.
    data: an array of rows; copied.
    constraints: relations such as "x[1] + x[2] <= 1" (with <=, >= or =; coordinates count from 1), and constraints
        of scipy.optimize: {"type": "ineq" or "eq", "fun": f}, where "ineq" means f(x) >= 0, NonlinearConstraint,
        LinearConstraint; one, or a list. Functions run on the host alone. Equalities hold within constraint_tolerance.
    algorithm: "pso", "ga", "de", or another algorithm of `shoal optimise`; "auto": the one that suits the problem.
    device: a shoal.Device or a selector such as "gpu"; None: the host, in double precision. A Python function runs on
        the host alone.
    threads: number of threads that evaluate on the host; None: one for a Python function, which threads cannot run at
        the same time, else all.

    The further arguments are the options of the algorithm, listed below. A search without a limit ends by stagnation or
    x_tolerance, or after 10,000 evaluations for each coordinate.

    Returns a Result: x, fun (the value at x), violation (of the constraints at x: 0), success (a finite value was
    found, and the target, if there is one, was reached), message, status (why the search ended, in a word), nfev
    (evaluations), nit (iterations), not_finite (evaluations without a finite value), algorithm (its name). An exception
    in the function ends the search and is raised again. If no point meets all constraints, an exception states the
    least violation.
    """
    lower, upper, count = (None, None, None) if bounds is None else _bounds_of(bounds)
    points = None if x0 is None else start_of(x0)
    variables = options.get("variables")
    dim = _dim_of(dim, [count, None if points is None else points.shape[1]], variables)
    objective = Objective()
    objective.choose(function, data=data, variables=variables, dim=dim, number=options.pop("instance", None))
    if dim is None and objective.info.min_dim == objective.info.max_dim:
        dim = objective.info.min_dim
    if dim is None:
        raise TypeError("minimise() needs bounds for each coordinate, x0 or dim")
    relations, functions = _constraints_of(constraints)
    if relations is not None:
        options = {**options, "subject_to": relations}
    if functions:
        middle = np.zeros(dim) if lower is None else np.broadcast_to((np.asarray(lower) + np.asarray(upper)) / 2, dim).copy()
        objective.constrain(functions, middle if points is None else points[0].copy())
    if objective.has_variables:
        options = {**options, "variables": None}
    with Search(_TABLES, algorithm, dim) as search:
        search.set_problem(objective, options)
        if bounds is not None:
            search.set_bounds(lower, upper)
        if points is not None:
            search.set_start(points)
        return search.run(device, threads)


_TABLES = algorithm_tables("minimise", ("variables", "maximise", "instance", "subject-to", "constraint-tolerance"), _ARGUMENTS)
documented(minimise, _TABLES)
