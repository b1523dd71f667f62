"""Arrays and frames as the files that the library reads."""
import csv
import os
import tempfile

import numpy as np

from ._library import Error, lib
from ._table import is_missing


def _is_table(value):
    return isinstance(value, np.ndarray) or hasattr(value, "columns") and hasattr(value, "iloc")


class Files:
    """Options with files in place of arrays and frames, in a folder that exists within a with block, for options of the
    table that name a file to read. Errors of the block name the argument instead of its file."""

    def __init__(self, table, options):
        reads = {name for name, option in table.options.items() if option.row.flags & lib.SHOAL_OPTION_READS}
        self._given = {name: value for name, value in options.items() if name in reads and _is_table(value)}
        self.options = dict(options)
        self._folder = None

    def __enter__(self):
        if self._given:
            self._folder = tempfile.TemporaryDirectory(prefix="shoal-")
            for name, value in self._given.items():
                self.options[name] = self._write(name, value)
        return self

    def __exit__(self, kind, problem, _):
        if self._folder:
            self._folder.cleanup()
        if isinstance(problem, Error):
            message = str(problem)
            for name in self._given:
                message = message.replace(self.options[name], name)
            if message != str(problem):
                raise type(problem)(message, problem.status, problem.log) from None

    def _write(self, name, value):
        if isinstance(value, np.ndarray) and value.dtype.names is None:
            if value.ndim not in (1, 2) or value.dtype.kind not in "biufU":
                raise ValueError(f"{name} has the shape {value.shape} and the type {value.dtype}: it is a table of numbers or texts")
            if value.dtype.kind != "U":
                path = os.path.join(self._folder.name, name + ".npy")
                np.save(path, value if value.dtype.kind == "f" else value.astype(np.float64))
                return path
            names, rows = None, value.reshape(len(value), -1)
        elif isinstance(value, np.ndarray):
            names, rows = value.dtype.names, value.tolist()
        else:
            names, rows = [str(column) for column in value.columns], value.itertuples(index=False)
        path = os.path.join(self._folder.name, name + ".csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if names is not None:
                writer.writerow(names)
            writer.writerows(["" if is_missing(one) else one for one in row] for row in rows)
        return path
