"""Keyword arguments from the tables of options of the library, which have names, kinds, defaults and help."""
import difflib
import inspect
import itertools
import keyword
import math
import os
import textwrap

import numpy as np

from ._arguments import MOST, number, is_number, is_whole
from ._library import ffi, file_name, invalid, lib, shown, text

_TYPES = {lib.SHOAL_OPTION_FLAG: "bool", lib.SHOAL_OPTION_UINT: "uint64_t", lib.SHOAL_OPTION_REAL: "double",
          lib.SHOAL_OPTION_CHOICE: "int32_t", lib.SHOAL_OPTION_TEXT: "const char *"}


# Names of arguments in SciPy, scikit-learn and other packages: the arguments of shoal that do the same.
_ELSEWHERE = {
    "maxiter": ("iterations", "steps", "epochs"), "max_iter": ("iterations", "epochs", "steps"), "generations": ("iterations",),
    "maxfun": ("evaluations",), "maxfev": ("evaluations",), "max_nfev": ("evaluations",), "budget": ("evaluations",),
    "popsize": ("particles", "population", "lambda_"), "pop_size": ("particles", "population", "lambda_"),
    "swarmsize": ("particles",), "tol": ("x_tolerance",), "xtol": ("x_tolerance",), "ftol": ("stagnation_tolerance",),
    "timeout": ("time",), "max_time": ("time",), "rng": ("seed",), "random_state": ("seed",), "lr": ("rate",),
    "learning_rate": ("rate",), "learning_rate_init": ("rate",), "alpha": ("l2",), "batch_size": ("batch",),
    "hidden_layer_sizes": ("hidden",), "maximize": ("maximise",), "n_particles": ("particles",),
    "timestep": ("dt",), "time_step": ("dt",), "temp": ("temperature",), "n_steps": ("steps",), "nsteps": ("steps",), "num_steps": ("steps",),
    "p0": ("x0",), "disp": ("progress",), "verbose": ("progress",), "random_seed": ("seed",), "n_iter": ("iterations", "epochs", "steps"),
    "mutation": ("scale",), "recombination": ("crossover_rate",), "strategy": (), "updating": (), "init": (), "atol": (), "jac": (),
}
_LIKE = 0.7  # of 1: how much alike a name is that may be meant


class Option:
    """An option: a row of a table of options."""

    def __init__(self, table, count, index, taken):
        row = table[index]
        self.row, self.index = row, index
        self.option = text(row.name)
        name = self.option.replace("-", "_")
        self.name = name + "_" if name in taken or keyword.iskeyword(name) else name
        self.choices = []
        while row.choices != ffi.NULL and row.choices[len(self.choices)] != ffi.NULL:
            self.choices.append(text(row.choices[len(self.choices)]))
        needs = ffi.new("char[512]")
        lib.shoal_option_needs(table, count, index, needs, 512)
        self.needs = text(needs)
        self.group = text(row.group)

    def _pointer(self, params):
        return ffi.cast(_TYPES[self.row.type] + " *", ffi.cast("char *", params) + self.row.offset)

    def get(self, params):
        """The value of the option in the form in which users give values; None: a text or number is not set."""
        value = self._pointer(params)[0]
        if self.row.type == lib.SHOAL_OPTION_TEXT:
            return text(value)
        if self.row.type == lib.SHOAL_OPTION_CHOICE:
            return self.choices[value]
        if self.row.type == lib.SHOAL_OPTION_REAL and math.isnan(value):
            return None
        return value

    def reset(self, params, defaults):
        """Gives the option the value that it has in other parameters."""
        self._pointer(params)[0] = self._pointer(defaults)[0]

    def _converted(self, value, keep):
        kind = self.row.type
        if kind == lib.SHOAL_OPTION_FLAG and isinstance(value, (bool, np.bool_)):
            return bool(value)
        if kind == lib.SHOAL_OPTION_UINT and is_whole(value):
            if not 0 <= value <= MOST:
                raise invalid(f"{self.name} is {shown(value)}, allowed are {int(self.row.min)} to {min(int(self.row.max), MOST)}")
            return int(value)
        if kind == lib.SHOAL_OPTION_REAL and is_number(value):
            return number(self.name, value)
        if kind == lib.SHOAL_OPTION_CHOICE and isinstance(value, str):
            if value not in self.choices:
                raise invalid(f"{self.name} has no choice {value}{_nearest(value, self.choices)}; there are "
                              f"{', '.join(self.choices)}")
            return self.choices.index(value)
        if kind == lib.SHOAL_OPTION_TEXT and isinstance(value, (str, os.PathLike)):
            keep.append(ffi.new("char[]", file_name(self.name, value)))
            return keep[-1]
        raise TypeError(f"{self.name} is {self.kind()}, not {shown(value)}")

    def set(self, params, value, keep):
        """Sets the option. value None: the default stays. keep: receives the memory of texts."""
        if value is not None:
            self._pointer(params)[0] = self._converted(value, keep)

    def kind(self):
        if self.choices:
            return "one of " + ", ".join(self.choices)
        return {"bool": "True or False", "uint64_t": "a whole number", "double": "a number",
                "const char *": "a text"}[_TYPES[self.row.type]]

    def help(self, params):
        default = self.get(params)
        line = f"{self.name}: {self.kind()}" + ("" if default is None else f"; default {default}")
        needs = f" ({self.needs})" if self.needs else ""
        return "\n".join([textwrap.fill(line, 100, subsequent_indent="    ", break_on_hyphens=False),
                          textwrap.fill(text(self.row.help) + needs, 100, initial_indent="    ",
                                        subsequent_indent="    ", break_on_hyphens=False)])


def _nearest(name, names):
    if name in _ELSEWHERE:
        near = [other for other in _ELSEWHERE[name] if other in names]
    else:
        near = difflib.get_close_matches(name, names, 1, _LIKE)
    return f" (is it {near[0]}?)" if near else ""


class Table:
    """The options of a workload as keyword arguments of `function`.

    workload: a name, or an object with the members of struct shoal_workload that are used here; without: names and
    groups of options that are left out, unless `but` has the name; taken: names of other arguments: an option of such a
    name gets a final _; defaults: a parameter struct with the defaults of `function`; None: the defaults of the
    workload."""

    def __init__(self, workload, function, *, without=(), but=(), taken=(), defaults=None):
        self.workload = lib.shoal_workload_find(workload.encode()) if isinstance(workload, str) else workload
        self.function, self._others = function, list(taken)
        self._defaults = defaults
        rows, count = self.workload.options, self.workload.option_count
        self.options = {}
        group = None
        for index in range(count):
            option = Option(rows, count, index, taken)
            group = option.group or group
            if option.option in but or not {group, option.option} & set(without):
                self.options[option.name] = option

    def new_params(self):
        """A new block of parameters with the defaults; a newer library may need more bytes than the struct has here."""
        params = ffi.new("uint64_t[]", (self.workload.params_size + 7) // 8)
        self.workload.params_init(params)
        return params

    def _check_theses(self, name, value):
        """Refuses options, and choices of options, that the library lacks because it was built without theses."""
        absent = self.workload.absent
        for index in itertools.count() if absent != ffi.NULL else ():
            if absent[index] == ffi.NULL:
                break
            option, _, choice = text(absent[index]).partition("=")
            if option.replace("-", "_") == name and (name not in self.options or value == choice):
                raise invalid(f"{self.function}(): {name} {value!r} needs a library with theses; this one was made with "
                              "-Dtheses=false")

    def set(self, params, values):
        """Sets options by name. Returns the memory of texts, which must live as long as the parameters are used."""
        keep = []
        for name, value in values.items():
            self._check_theses(name, value)
            if name not in self.options:
                raise TypeError(f"{self.function}() has no argument {name}{_nearest(name, [*self.options, *self._others])}")
            option = self.options[name]
            if isinstance(value, str) and option.row.word != ffi.NULL:  # "0,0,-pi" in place of one number
                option = self.options[text(option.row.word).replace("-", "_")]
            option.set(params, value, keep)
        return keep

    def _can_be_used(self, option, params, defaults):
        """Whether other options have the values that this one needs."""
        rows, count = ffi.new("struct shoal_option[]", self.workload.option_count), self.workload.option_count
        ffi.memmove(rows, self.workload.options, ffi.sizeof(rows))
        for index in range(count):
            if index != option.index:
                rows[index].needs = ffi.NULL
        return lib.shoal_options_check(rows, count, params, defaults, ffi.NULL, ffi.NULL) == lib.SHOAL_OK

    def drop_unused(self, params, given):
        """Sets options that may change between stages, except those of the names `given`, to their defaults if other
        options do not have the values that they need."""
        defaults = self.new_params()
        kept = [option for option in self.options.values() if option.row.flags & lib.SHOAL_OPTION_STAGE and option.name not in given]
        for _ in kept:  # one that is dropped may be needed by another
            unused = [option for option in kept if not self._can_be_used(option, params, defaults)]
            for option in unused:
                option.reset(params, defaults)
            if not unused:
                return

    def help(self):
        params = self._defaults or self.new_params()
        lines = []
        for option in self.options.values():
            if option.group:
                lines.append(f"\n{option.group}:")
            lines.append(option.help(params))
        return "\n".join(lines) + "\n"


def documented(target, tables):
    """Appends the options of tables, by name, to the docstring of a function or class, for help()."""
    options = "\n".join(f"Options of {name}:\n{table.help()}" for name, table in tables.items())
    target.__doc__ = f"{inspect.cleandoc(target.__doc__)}\n\n{options}"
