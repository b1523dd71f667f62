"""Arrays and frames as the files that the library reads."""
import contextlib
import csv
import os
import tempfile

import numpy as np

from ._arrays import Array, on_host
from ._arrays.table import is_missing
from ._library import Error, invalid, lib, shown

# Options that take a table, and the one that takes the order of cities.
_TABLES = ("data", "labels", "validation_data", "validation_labels", "test_data", "test_labels")
_ORDER = "tour"
# Other options name files of their own formats.
_FILES = {"start_file": "; shoal.Gas takes arrays, as positions and velocities", "list_file": " of lists of candidates"}


@contextlib.contextmanager
def renamed(names):
    """Errors of the block have the names of arguments in place of paths. names: {path: name}."""
    try:
        yield
    except Error as problem:
        texts = [str(problem), problem.log]
        for path, name in names.items():
            texts = [text.replace(path, name) for text in texts]
        if texts[0] == str(problem):
            raise
        raise type(problem)(texts[0], problem.status, texts[1]) from None


def _is_table(value):
    return isinstance(value, (np.ndarray, Array, list, tuple, dict)) or hasattr(value, "columns") and hasattr(value, "iloc")


def _columns_of(name, value):
    """(names or None, columns) of a table whose values are not all numbers."""
    if isinstance(value, dict):
        columns = [np.asarray(column) for column in value.values()]
        if not columns or any(column.ndim != 1 or len(column) != len(columns[0]) for column in columns):
            raise invalid(f"{name} is a dict of columns of one length, not of the shapes {[column.shape for column in columns]}")
        return list(map(str, value)), [column.tolist() for column in columns]
    if isinstance(value, np.ndarray) and value.dtype.names is not None:
        return value.dtype.names, [value[column].tolist() for column in value.dtype.names]
    if isinstance(value, np.ndarray):
        return None, list(value.reshape(len(value), -1).T.tolist())
    return list(map(str, value.columns)), [value.iloc[:, index].tolist() for index in range(value.shape[1])]


class Files:
    """Options with files in place of arrays, lists, dicts and frames, for options of the table that read a file, in a folder
    that exists within a with block. Errors of the block name the argument instead of its file.

    checkpoint: the path of the checkpoint of the run, beside which the files stay, since a run that resumes the checkpoint reads
    them again; None: there is none."""

    def __init__(self, table, options, checkpoint=None):
        reads = [name for name, option in table.options.items() if option.row.flags & lib.SHOAL_OPTION_READS]
        self._given = {name: value for name, value in options.items() if name in reads and name in (*_TABLES, _ORDER) and _is_table(value)}
        for name, more in _FILES.items():
            if name in reads and _is_table(options.get(name)):
                raise TypeError(f"{name} is the path of a file{more}, not {shown(options[name])}")
        self.options = dict(options)
        self._folder, self._renamed, self._beside = None, None, None
        if checkpoint is not None:
            self._beside = os.path.abspath(os.fsdecode(checkpoint)) + "."

    def __enter__(self):
        if self._given:
            self._folder = tempfile.TemporaryDirectory(prefix="shoal-")
            try:
                for name, value in self._given.items():
                    self.options[name] = self._write(name, value)
            except BaseException:
                self._folder.cleanup()
                raise
        self._renamed = renamed({self.options[name]: name for name in self._given})
        self._renamed.__enter__()
        return self

    def __exit__(self, *problem):
        if self._folder:
            self._folder.cleanup()
        return self._renamed.__exit__(*problem)

    def _path(self, name, ending):
        return (self._beside or os.path.join(self._folder.name, "")) + name + ending

    @contextlib.contextmanager
    def _opened(self, path, mode, **how):
        """The file, which appears whole or not at all."""
        try:
            with open(path + ".part", mode, **how) as file:
                yield file
            os.replace(path + ".part", path)
        except OSError as problem:
            raise invalid(f"cannot write {path}: {problem.strerror}", lib.SHOAL_IO) from None
        finally:
            with contextlib.suppress(OSError):
                os.remove(path + ".part")

    def _write(self, name, value):
        if isinstance(value, (Array, list, tuple)):
            try:
                value = on_host(value)
            except (TypeError, ValueError):  # rows of different lengths
                raise invalid(f"{name} is a table: its rows have different lengths") from None
        if name == _ORDER:
            return self._write_order(name, value)
        if isinstance(value, np.ndarray) and value.dtype.names is None:
            if value.ndim not in (1, 2) or value.dtype.kind not in "biufUO" or not value.size:
                raise invalid(f"{name} has the shape {value.shape} and the type {value.dtype}: it is a table of numbers or texts")
            if value.dtype.kind in "biuf":
                path = self._path(name, ".npy")
                with self._opened(path, "wb") as file:
                    np.save(file, value if value.dtype.kind == "f" else value.astype(np.float64))
                return path
        names, columns = _columns_of(name, value)
        path = self._path(name, ".csv")
        with self._opened(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if names is not None:
                writer.writerow(names)
            writer.writerows(["" if is_missing(one) else one for one in row] for row in zip(*columns))
        return path

    def _write_order(self, name, value):
        """Writes a tour in TSPLIB's format, whose cities count from 1."""
        wanted = "an order of all cities, which count from 0, or the path of a tour"
        if not isinstance(value, np.ndarray) or value.ndim != 1 or value.dtype.kind not in "iu":
            raise TypeError(f"{name} is {wanted}")
        if not np.array_equal(np.sort(value), np.arange(len(value))):
            raise invalid(f"{name} is {wanted}: each of the {len(value)} cities once")
        path = self._path(name, ".tour")
        with self._opened(path, "w", encoding="ascii") as file:
            file.write(f"NAME: array\nTYPE: TOUR\nDIMENSION: {len(value)}\nTOUR_SECTION\n")
            file.writelines(f"{city + 1}\n" for city in value.tolist())
            file.write("-1\nEOF\n")
        return path


def beside(checkpoint, table, params, given):
    """{name: path} of the files of arrays that lie beside a checkpoint which was moved, or copied, with them."""
    found = {}
    for name in (*_TABLES, _ORDER):
        stored = table.options[name].get(params) if name in table.options and name not in given else None
        ending = "." + name + os.path.splitext(stored or "")[1]
        moved = os.fsdecode(checkpoint) + ending
        if stored and stored.endswith(ending) and not os.path.exists(stored) and os.path.exists(moved):
            found[name] = moved
    return found
