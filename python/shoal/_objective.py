"""Objectives of searches."""
import os
import re

import numpy as np

from ._arrays.table import numbers
from ._library import Owner, call, encoded, ffi, instance, lib, shown

# The line of a text that reads the whole table.
_TABLE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+TABLE\b", re.MULTILINE)


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
            self.create(lib.shoal_objective_from_bbob, encoded("function", function), 1 if number is None else number, dim)
        elif number is not None:
            raise TypeError("instance goes with the name of a function, such as bbob-f15")
        elif callable(function):
            raise TypeError("a Python function has no data and no instance: bind them by a lambda")
        elif data is not None:
            self._from_table(function, data, dim)
        elif isinstance(function, os.PathLike) or isinstance(function, str) and "\n" in function:
            self.create(lib.shoal_objective_from_text, instance(), *_text_of(function))
        elif not isinstance(function, str):
            raise TypeError("function is a Python function, the name of a built-in one, a formula, a text in the "
                            f"kernel dialect or the path of one, not {shown(function)}")
        elif lib.shoal_objective_find(encoded("function", function)) != ffi.NULL:
            self.owner.address[0] = ffi.cast("struct shoal_objective *", lib.shoal_objective_find(encoded("function", function)))
        elif variables:
            self.has_variables = True
            self.create(lib.shoal_objective_from_expression_variables, encoded("function", function),
                        encoded("variables", variables))
        else:
            self.create(lib.shoal_objective_from_expression, encoded("function", function))

    def create(self, create, *arguments):
        call(create, *arguments, self.owner.address)

    def _keep_exception(self, _, exception, __):
        self.raised = self.raised or exception
        self.stop()

    def _from_callback(self, create, callback, name):
        self.is_python = True
        self._keep += [callback, ffi.new("char[]", name.encode())]
        self.create(create, callback, ffi.NULL, self._keep[-1])

    def from_function(self, function, name):
        """function: gives a float for an array of coordinates."""
        def evaluate(x, dim, _):
            return function(np.frombuffer(ffi.buffer(x, dim * 8)).copy())

        self._from_callback(lib.shoal_objective_from_callback,
                            ffi.callback("shoal_objective_fn", evaluate, error=float("nan"), onerror=self._keep_exception), name)

    def from_evaluator(self, evaluator, name):
        """evaluator: the Evaluator of a Python function."""
        def evaluate(points, count, dim, values, _):
            points = np.frombuffer(ffi.buffer(points, count * dim * 8)).reshape(count, dim)
            np.frombuffer(ffi.buffer(values, count * 8))[...] = evaluator.together(points.T.copy(), (count,))

        if evaluator.is_vectorized:
            self._from_callback(lib.shoal_objective_from_points_callback,
                                ffi.callback("shoal_objective_points_fn", evaluate, onerror=self._keep_exception), name)
        else:
            self.from_function(evaluator.one, name)

    def _from_table(self, function, data, dim):
        table = numbers("data", data, "a table of numbers, a row for each sample", (2,))
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

        self.is_python = True
        inner, self.owner = self.owner, Owner("shoal_objective", lib.shoal_objective_destroy, self.owner)
        self._keep.append(ffi.callback("shoal_constraints_fn", evaluate, onerror=self._keep_exception))
        self.create(lib.shoal_objective_with_constraints, inner.pointer, self._keep[-1], ffi.NULL, count, int(equal.sum()))

    @property
    def info(self):
        return lib.shoal_objective_get_info(self.owner.pointer)


def _text_of(function):
    """(text in the kernel dialect, its name in messages) of a path or a text."""
    if isinstance(function, os.PathLike):
        with open(function, "rb") as file:
            return file.read(), os.fsencode(function)
    return encoded("function", function), b"function"
