"""A search in progress: an optimiser of the library, whose points the library or a Python function evaluates."""
import inspect
import itertools
import math
import multiprocessing
import sys
import time
import types

import numpy as np

from ._arguments import choice, count
from ._library import (Owner, Result, call, device_pointer, failure, ffi, interruptible, invalid, lib, new_error, shown, text)
from ._options import Table
from ._progress import Progress

# Groups and options that arguments of functions replace.
_PROBLEM = ("Problem", "algorithm", "runs", "success", "trace")
_MESSAGES = {
    "target": "a value as good as the target was found",
    "stagnated": "no improvement for `stagnation` iterations",
    "converged": "all members lie within `x_tolerance` of the best, or the local search at the end converged",
    "iterations": "the limit of iterations was reached",
    "evaluations": "the limit of evaluations was reached",
    "time": "the limit of time was reached",
    "stopped": "the callback ended the search",
    "interrupted": "interrupted: the best so far",
    "running": "the search has not ended",
}
_CONVERGED = ("target", "stagnated", "converged")
# Seconds of a search in the library between two calls of a callback.
_SLICE_SECONDS = 0.1
# Points, and numbers of them, of a call of a vectorized function that takes fewer seconds than this for so many points.
_QUICK_POINTS, _QUICK_NUMBERS, _QUICK_SECONDS = 1024, 2**20, 0.01
# Evaluations of a search without limits, for each coordinate.
_EVALUATIONS = 10000
# More processes are a mistake, which would take the memory of a machine.
_MOST_WORKERS = 4096
# Evaluations of polish=True for each coordinate: docs/search.md has what a pattern search needs for full precision.
_POLISH = 1000


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


def _number(value):
    """The value of an objective as a float."""
    try:
        return float(value.item() if isinstance(value, np.ndarray) else value)
    except (TypeError, ValueError):
        what = f"the shape {value.shape}" if isinstance(value, np.ndarray) else f"a {type(value).__name__}"
        raise TypeError(f"the function returned {what}, not a number") from None


def _vector(values, name):
    try:
        values = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} is a number for each point, not {shown(values)}") from None
    if values.ndim != 1:
        raise ValueError(f"{name} has the shape {values.shape}: it is a number for each point")
    return values


class _Bound:
    """A function with its further arguments, which another process can receive."""

    def __init__(self, function, args):
        self.function, self.args = function, args

    def __call__(self, x):
        return self.function(x, *self.args)


class Evaluator:
    """Evaluates points by a Python function: one by one, all of a step in one call, or by other processes.

    workers: 1, a number of processes (-1: one for each processor), or a function like map."""

    def __init__(self, function, args=(), vectorized=False, workers=1):
        args = args if isinstance(args, tuple) else (args,)
        self.function = _Bound(function, args) if args else function
        self.is_vectorized, self._pool, self._map = vectorized, None, None
        if vectorized and workers != 1:
            raise ValueError("vectorized and workers exclude each other: a vectorised function takes all points of a step at once")
        if callable(workers):
            self._map = workers
        elif isinstance(workers, bool) or not isinstance(workers, int) or not (1 <= workers <= _MOST_WORKERS or workers == -1):
            raise invalid(f"workers is a number of processes from 1 to {_MOST_WORKERS}, -1 for one of each processor, or a function like "
                          f"map, not {shown(workers)}")
        elif workers != 1:
            self._pool = multiprocessing.Pool(None if workers == -1 else workers)
            self._map = self._pool.map

    def close(self):
        if self._pool:
            self._pool.terminate()
            self._pool.join()

    def one(self, x):
        """The value at one point, of a function that is not vectorised."""
        return _number(self.function(x))

    def together(self, columns, shape):
        """The values at points, the columns of an array that the function may keep, by one call of a vectorised function.
        shape: that of the values."""
        return self.values_of(self.function(columns), shape)

    @staticmethod
    def values_of(values, shape):
        """What a vectorised function returned, as an array of this shape."""
        values = np.asarray(values, dtype=np.float64)
        if values.shape != shape:
            raise ValueError(f"the vectorised function returned the shape {values.shape} for {shape[0]} points, not {shape}")
        return values

    def evaluate(self, points, values, deadline):
        """Appends the values of the points to the list, up to the moment `deadline` of time.monotonic()."""
        function = self.function
        if self._map:
            values.extend(map(_number, self._map(function, list(points))))
        else:
            for x in points:
                value = function(x)
                values.append(value if type(value) is float else _number(value))
                if deadline < math.inf and time.monotonic() > deadline:
                    break


class _Columns:
    """Memory for the points of a step, and its use as an array whose columns are the points, which a function may keep."""

    def __init__(self, capacity, dim):
        self.memory, self._dim = np.empty(capacity * dim), dim
        self.address = ffi.from_buffer("double[]", self.memory)

    def views(self, count, values):
        """The shape of `count` values, their memory within `values`, and the points."""
        return (count,), memoryview(values[:count]), self.memory[:self._dim * count].reshape(self._dim, count)


class _Observer:
    """Calls the callback of a search, and shows its progress, after steps."""

    def __init__(self, search, callback, progress):
        self._search, self._callback = search, callback
        self._steps = 0
        self._progress = Progress(progress)
        self.is_used = callback is not None or self._progress.is_on
        names = []
        if callback is not None:
            try:
                names = list(inspect.signature(callback).parameters)
            except ValueError:  # a function of C
                names = ["x"]
        self._takes_result = names == ["intermediate_result"]
        self._takes_convergence = len(names) > 1

    def ends(self):
        """Whether the callback ends the search."""
        if self._search.steps == self._steps:
            return False
        self._steps = self._search.steps
        result = self._search.result("running")
        self._progress.show(f"step {result.nit}, {result.nfev} evaluations, best {result.fun:.8g}")
        if self._callback is None or not np.isfinite(result.fun):
            return False
        try:
            if self._takes_result:
                return bool(self._callback(intermediate_result=result))
            if self._takes_convergence:
                return bool(self._callback(result.x, convergence=math.nan))
            return bool(self._callback(result.x))
        except StopIteration:
            return True

    def close(self):
        self._progress.close()


class Search:
    """An optimiser of the library. tables: the options of each algorithm."""

    def __init__(self, tables, algorithm, dim):
        choice("algorithm", algorithm, tables)
        self._owner = Owner("shoal_optimiser", lib.shoal_optimiser_destroy)
        call(lib.shoal_optimiser_create, dim, self._owner.address)
        self.dim = dim
        self._table = tables[algorithm]
        self._objective, self._box = None, (-math.inf, math.inf)
        self._error, self._count = new_error(), ffi.new("size_t *")  # used again, since steps are short
        self.call(lib.shoal_optimiser_set_algorithm, algorithm.encode())
        self._params = lib.shoal_optimiser_params(self._owner.pointer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._owner.release()
        if self._objective is not None:
            self._objective.owner.release()

    def set_options(self, options):
        if options.get("polish") is True:
            options = {**options, "polish": _POLISH * self.dim}
        elif options.get("polish") is False:
            options = {**options, "polish": None}
        self._keep = self._table.set(self._params, options)

    def set_problem(self, objective, options):
        self._objective = objective
        self.set_options(options)
        self.call(lib.shoal_optimiser_set_objective, objective.owner.pointer)

    def call(self, function, *arguments):
        if function(self._owner.pointer, *arguments, self._error) != lib.SHOAL_OK:
            raise failure(self._error)

    def set_bounds(self, lower, upper):
        self._box = lower, upper
        if np.ndim(lower):
            self.call(lib.shoal_optimiser_set_bounds, ffi.from_buffer("double[]", lower), ffi.from_buffer("double[]", upper))
        else:
            self.call(lib.shoal_optimiser_set_box, lower, upper)

    def set_start(self, points):
        if points.shape[1] != self.dim:  # the library reads rows of this width
            raise invalid(f"x0 has the shape {points.shape}: a point has {self.dim} numbers")
        lower, upper = self._box
        for row, axis in np.argwhere(~((points >= lower) & (points <= upper)))[:1]:
            low, high = (np.broadcast_to(side, self.dim)[axis] for side in self._box)
            raise invalid(f"x0 has {points[row, axis]:g} as coordinate {axis} of point {row}, outside the bounds {low:g} to {high:g}")
        self.call(lib.shoal_optimiser_set_start, ffi.from_buffer("double[]", points), len(points))

    @property
    def state(self):
        """Why the search ended, in a word; "running": it has not ended."""
        return text(lib.shoal_optimise_result_name(lib.shoal_optimiser_state(self._owner.pointer)))

    @property
    def steps(self):
        return lib.shoal_optimiser_steps(self._owner.pointer)

    def _option(self, name):
        return next(option for option in self._table.options.values() if option.option == name).get(self._params)

    def ask(self):
        """The next points, [count][dim], an array of the caller's own; no rows: the search is over."""
        points = np.empty((lib.shoal_optimiser_capacity(self._owner.pointer), self.dim))
        self.call(lib.shoal_optimiser_ask, ffi.from_buffer("double[]", points), len(points), self._count)
        return points[:self._count[0]]

    def tell(self, values, violations=None):
        values = _vector(values, "values")
        if violations is None:
            self.call(lib.shoal_optimiser_tell, ffi.from_buffer("double[]", values), len(values))
            return
        violations = _vector(violations, "violations")
        if len(violations) != len(values):
            raise ValueError(f"violations has {len(violations)} numbers for {len(values)} values")
        self.call(lib.shoal_optimiser_tell_constrained, ffi.from_buffer("double[]", values),
                  ffi.from_buffer("double[]", violations), len(values))

    def tell_value(self, index, value, violation=None):
        if violation is None:
            self.call(lib.shoal_optimiser_tell_value, index, value)
        else:
            self.call(lib.shoal_optimiser_tell_value_constrained, index, value, violation)

    def missing(self):
        optimiser = self._owner.pointer
        count = lib.shoal_optimiser_missing(optimiser, ffi.NULL, 0)
        indices = ffi.new("size_t[]", count + 1)
        lib.shoal_optimiser_missing(optimiser, indices, count)
        return np.array(list(indices)[:count], dtype=int)

    def _evaluate_together(self, evaluator, ends):
        """Evaluates the points of a step in one call, or of several steps if that is quick, until the search is over, or
        ends() returns a reason; None: there is nothing to ask. Returns the reason. Steps are short: what they need is
        looked up once, and their memory is used again unless the function keeps arrays of points."""
        optimiser, error, counted = self._owner.pointer, self._error, self._count
        tell_ask, function, values_of = lib.shoal_optimiser_tell_ask, evaluator.function, evaluator.values_of
        # Without counts of references, which CPython has, the function gets copies.
        clock, references = time.perf_counter, getattr(sys, "getrefcount", None)
        least = lib.shoal_optimiser_capacity(optimiser)
        most = max(least, min(_QUICK_POINTS, _QUICK_NUMBERS // self.dim))
        quick = _QUICK_SECONDS / most
        values, columns = np.empty(most), _Columns(most, self.dim)
        value_address, memory, address = ffi.from_buffer("double[]", values), columns.memory, columns.address
        self.call(tell_ask, ffi.NULL, 0, address, least, counted)
        count, before, keeps, is_told = counted[0], clock(), references is None, True
        views = {count: columns.views(count, values)}  # by number of points, since steps of one number follow those of another
        shape, told, points = views[count]
        own = 0 if keeps else references(points) + references(memory)
        while count:
            found = function(points.copy() if keeps else points)
            try:
                told[:] = found
            except (BufferError, TypeError, ValueError):
                is_told = False
            if not is_told:  # no numbers in double precision one after the other, or of another shape
                values[:count] = values_of(found, shape)
                is_told = True
            found = None  # it may be a part of the points
            now = clock()
            # Points of more steps would delay the time limit, the callback and the end of a slow search.
            capacity = most if now - before < quick * count else least
            before = now
            if not keeps and references(points) + references(memory) > own:
                # The function has kept the array or a part of it: from now on it gets copies.
                keeps, columns, views = True, _Columns(most, self.dim), {}
                address = columns.address
            if tell_ask(optimiser, value_address, count, address, capacity, counted, error):
                raise failure(error)
            if counted[0] != count or keeps:
                count = counted[0]
                found = views.get(count)
                if found is None:
                    found = views[count] = columns.views(count, values)
                    own += 1
                shape, told, points = found
            if ends is not None:
                reason = ends()
                if reason is not None:
                    return reason
        return None

    def _step_apart(self, evaluator, deadline):
        """Evaluates the points of a step one by one. False: the search is over or must end."""
        points, values = self.ask(), []
        if not len(points):
            return False
        try:
            evaluator.evaluate(points, values, deadline)
        finally:
            # Values of a step that ends early count for the best position.
            if len(values) < len(points):
                for index, value in enumerate(values):
                    self.tell_value(index, value)
        if len(values) < len(points):
            return False
        self.tell(values)
        return True

    def _loop(self, evaluator, observer):
        """Asks and tells until the search is over. Returns "time" or "stopped", or None: the search is over."""
        limit = self._option("time")
        deadline = math.inf if limit is None else time.monotonic() + limit

        def ends():
            if limit is not None and time.monotonic() > deadline:
                return "time"
            return "stopped" if observer.is_used and observer.ends() else None

        if evaluator.is_vectorized:
            reason = self._evaluate_together(evaluator, ends if observer.is_used or limit is not None else None)
        else:
            reason = None
            while reason is None and self._step_apart(evaluator, deadline):
                reason = ends()
        return "time" if reason is None and limit is not None and time.monotonic() > deadline else reason

    def _optimise(self):
        """Searches in the library: on this thread if it calls Python functions, which can be interrupted, else on
        another. Returns the end of the search, the best position and its value."""
        optimiser = self._owner.pointer
        x, value, error = ffi.new("double[]", self.dim), ffi.new("double *", math.nan), new_error()

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

    def _is_refined(self):
        """Whether the local search at the end of a search that used its evaluations converged: some are left."""
        evaluations, polish = self._option("evaluations"), self._option("polish")
        if not evaluations and not any(self._option(name) for name in ("iterations", "target", "restart")):
            evaluations = _EVALUATIONS * self.dim
        if self._option("refine") == "none" and not polish:
            return False
        return lib.shoal_optimiser_evaluations(self._owner.pointer) + 2 * self.dim < evaluations + polish

    def _search(self, evaluator, observer):
        if evaluator is not None:
            end = self._loop(evaluator, observer)
            if end is not None:
                return end, None, None
        limit, began = self._option("time"), time.monotonic()
        if observer.is_used and evaluator is None:
            self._params.time = _SLICE_SECONDS if limit is None else min(limit, _SLICE_SECONDS)
        while True:
            end, x, value = self._optimise()
            if end != "time" or not observer.is_used or limit is not None and time.monotonic() - began >= limit:
                return end, x, value
            if observer.ends():
                return "stopped", None, None

    def run(self, device=None, threads=None, *, evaluator=None, callback=None, progress=False):
        """Searches, and returns the result. evaluator: evaluates the points of each step; None: the library does."""
        is_python = self._objective.is_python
        if device is not None:
            pointer = device_pointer(device)
            if is_python and not lib.shoal_device_get_info(pointer).is_host:
                raise invalid("a Python function runs on the host only: leave out device, or give a formula or a text in the "
                              "kernel dialect, which run on every device", lib.SHOAL_UNSUPPORTED)
            self.call(lib.shoal_optimiser_set_device, pointer)
        self.call(lib.shoal_optimiser_set_threads, (1 if is_python else 0) if threads is None else count("threads", threads, 0, 0xffffffff))
        observer = _Observer(self, callback, progress)
        try:
            end, x, value = self._search(evaluator, observer)
        except KeyboardInterrupt:
            result = self.result("interrupted")
            if not np.isfinite(result.fun):
                raise
            return result
        finally:
            observer.close()
        return self.result("converged" if end == "evaluations" and self._is_refined() else end, x, value)

    def result(self, end, x=None, value=None):
        """The result so far. x, value: the best position, where it is known."""
        optimiser = self._owner.pointer
        if x is None:
            x, best = np.full(self.dim, math.nan), ffi.new("double *", math.nan)
            lib.shoal_optimiser_best(optimiser, ffi.from_buffer("double[]", x), best)
            value = best[0]
        found = math.isfinite(value)
        missed = self._option("target") is not None and end != "target"
        return Result(
            x=x if found else np.full(self.dim, math.nan), fun=value, success=found and end in _CONVERGED and not missed,
            message=_MESSAGES[end] if found else "no value of the function was finite",
            status="stopped" if end == "interrupted" else end,
            nfev=lib.shoal_optimiser_evaluations(optimiser), nit=lib.shoal_optimiser_steps(optimiser),
            not_finite=lib.shoal_optimiser_not_finite(optimiser),
            violation=lib.shoal_optimiser_violation(optimiser),
            algorithm=text(lib.shoal_optimiser_algorithm(optimiser)))
