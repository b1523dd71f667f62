"""Arrays and frames as the files that the library reads."""
import contextlib
import csv
import hashlib
import os
import re
import tempfile

import numpy as np

from ._arguments import is_number
from ._arrays import Array, on_host
from ._arrays.table import is_missing, numbers
from ._library import Error, invalid, lib

# Options that take a table, and those with a format of their own.
_ROWS = ("data", "labels", "validation_data", "validation_labels", "test_data", "test_labels")
_TABLES = (*_ROWS, "lower", "upper", "start")
_OWN = ("tour", "list_file", "start_file")
_BOUNDS = ("lower", "upper")  # which take one number, too


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


def _hash_of(path):
    """A short hash of the bytes of a file."""
    digest = hashlib.blake2b(digest_size=4)
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _state_of(path):
    """What differs once a file is written again; None: there is no such file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):  # of a name that no file has
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


class Files:
    """Options with files in place of arrays, lists, dicts and frames, for options of the table that read a file, in a folder
    that exists within a with block. Errors of the block name the argument instead of its file.

    checkpoint: the path of the checkpoint of the run, beside which the files stay, since a run that resumes the checkpoint reads
    them again; None: there is none. The names of these files have a hash of their bytes, so that other rows never replace those of
    an older checkpoint; new files go if the block ends without a new checkpoint.
    resumes: whether a checkpoint says how tables are read."""

    def __init__(self, table, options, checkpoint=None, resumes=False):
        reads = [name for name, option in table.options.items() if option.row.flags & lib.SHOAL_OPTION_READS]
        self.given = {name: value for name, value in options.items() if name in reads and name in (*_TABLES, *_OWN) and _is_table(value)}
        self.options = {name: repr(float(value)) if name in _BOUNDS and is_number(value) else value for name, value in options.items()}
        self._folder, self._renamed, self._checkpoint, self._new = None, None, None, []
        self._has_names = []  # whether each table of rows that is written as texts has names of columns
        self._takes_header = "header" in table.options and not resumes
        if checkpoint is not None:
            self._checkpoint = os.path.abspath(os.fsdecode(checkpoint))
            self._before = _state_of(self._checkpoint)

    def __enter__(self):
        if self.given:
            self._folder = tempfile.TemporaryDirectory(prefix="shoal-")
            try:
                for name, value in self.given.items():
                    self._write(name, value)
            except BaseException:
                self._clean()
                raise
        self._tell_header()
        self._renamed = renamed(self._names())
        self._renamed.__enter__()
        return self

    def __exit__(self, *problem):
        if self._folder:
            self._clean()
        return self._renamed.__exit__(*problem)

    def _names(self):
        return {self.options[name]: name for name in self.given}

    def in_python(self, message):
        """A message of the library with the names of arguments in place of files; None stays None."""
        for path, name in self._names().items():
            message = message and message.replace(path, name)
        return message

    def _tell_header(self):
        """Tells the library whether tables begin with names, which may look like numbers, unless the caller or other files do."""
        tables = [name for name in _ROWS if self.options.get(name) is not None]
        if self._takes_header and self.options.get("header") is None and len(self._has_names) == len(tables) and len(set(self._has_names)) == 1:
            self.options["header"] = "yes" if self._has_names[0] else "no"

    def _clean(self):
        self._folder.cleanup()
        if self._new and _state_of(self._checkpoint) == self._before:
            for path in self._new:
                with contextlib.suppress(OSError):
                    os.remove(path)

    @contextlib.contextmanager
    def _opened(self, name, ending, mode, **how):
        """The file of an option, which appears whole or not at all."""
        stem = f"{self._checkpoint}.{name}" if self._checkpoint else os.path.join(self._folder.name, name)
        path = stem + ending
        try:
            with open(stem + ".part", mode, **how) as file:
                yield file
            if self._checkpoint:
                path = f"{stem}-{_hash_of(stem + '.part')}{ending}"
                if not os.path.exists(path):
                    self._new.append(path)
            os.replace(stem + ".part", path)
        except OSError as problem:
            raise invalid(f"cannot write {path}: {problem.strerror}", lib.SHOAL_IO) from None
        finally:
            with contextlib.suppress(OSError):
                os.remove(stem + ".part")
        self.options[name] = path

    def _write(self, name, value):
        if name == "list_file":
            self._write_lists(name, value)
            return
        if isinstance(value, (Array, list, tuple)):
            try:
                value = on_host(value)
            except (TypeError, ValueError):  # rows of different lengths
                raise invalid(f"{name} is a table: its rows have different lengths") from None
        if name in _OWN:
            (self._write_order if name == "tour" else self._write_start)(name, value)
            return
        if isinstance(value, np.ndarray) and value.dtype.names is None:
            if value.ndim not in (1, 2) or value.dtype.kind not in "biufUO" or not value.size:
                raise invalid(f"{name} has the shape {value.shape} and the type {value.dtype}: it is a table of numbers or texts")
            # The reader of numbers takes no missing ones.
            if value.dtype.kind in "biu" or value.dtype.kind == "f" and not np.isnan(value).any():
                with self._opened(name, ".npy", "wb") as file:
                    np.save(file, value if value.dtype.char in "fd" else value.astype(np.float64))
                return
        names, columns = _columns_of(name, value)
        if name in _ROWS:
            self._has_names.append(names is not None)
        with self._opened(name, ".csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if names is not None:
                writer.writerow(names)
            writer.writerows(["" if is_missing(one) else one for one in row] for row in zip(*columns))

    def _write_order(self, name, value):
        """Writes a tour in TSPLIB's format, whose cities count from 1."""
        wanted = "an order of all cities, which count from 0, or the path of a tour"
        if not isinstance(value, np.ndarray) or value.ndim != 1 or value.dtype.kind not in "iu":
            raise TypeError(f"{name} is {wanted}")
        if not np.array_equal(np.sort(value), np.arange(len(value))):
            raise invalid(f"{name} is {wanted}: each of the {len(value)} cities once")
        with self._opened(name, ".tour", "w", encoding="ascii") as file:
            file.write(f"NAME: array\nTYPE: TOUR\nDIMENSION: {len(value)}\nTOUR_SECTION\n")
            file.writelines(f"{city + 1}\n" for city in value.tolist())
            file.write("-1\nEOF\n")

    def _write_lists(self, name, value):
        """Writes candidate lists as rows of ids, which count from 1: a city, then its candidates."""
        wanted = "a row of candidates for each city, which count from 0, or the path of a file of lists"
        try:
            if isinstance(value, dict) or hasattr(value, "iloc"):
                raise TypeError
            lists = [np.asarray(row) for row in (on_host(value) if isinstance(value, Array) else value)]
            if not lists or any(row.ndim != 1 or row.dtype.kind not in "iu" and row.size for row in lists):
                raise TypeError
        except (TypeError, ValueError):  # also of rows that are no arrays of numbers
            raise TypeError(f"{name} is {wanted}") from None
        if not all(row.size for row in lists):
            raise invalid(f"{name} is {wanted}: a city has no candidate")
        if any(row.min() < 0 or row.max() >= len(lists) for row in lists):
            raise invalid(f"{name} is {wanted}: cities are 0 to {len(lists) - 1}")
        with self._opened(name, ".txt", "w", encoding="ascii") as file:
            file.writelines(f"{city + 1} {' '.join(str(one + 1) for one in row.tolist())}\n" for city, row in enumerate(lists))

    def _write_start(self, name, value):
        """Writes positions, and velocities behind them, as extended XYZ without a box."""
        wanted = "positions, shape (n, dim), or with velocities behind them (n, 2 dim), or the path of a file"
        value = numbers(name, value, wanted, (2,))
        if value.shape[1] not in (2, 3, 4, 6) or not np.isfinite(value).all():
            raise invalid(f"{name} has the shape {value.shape}: it is {wanted}")
        dim = value.shape[1] if value.shape[1] < 4 else value.shape[1] // 2
        parts = ["pos", "velo"][:value.shape[1] // dim]
        rows = np.zeros((len(value), 3 * len(parts)))
        for part in range(len(parts)):
            rows[:, 3 * part:3 * part + dim] = value[:, dim * part:dim * (part + 1)]
        with self._opened(name, ".xyz", "w", encoding="ascii") as file:
            file.write(f"{len(rows)}\nProperties=species:S:1:{':'.join(f'{part}:R:3' for part in parts)}\n")
            file.writelines(f"X {' '.join(map(repr, row))}\n" for row in rows.tolist())


def beside(checkpoint, table, params, given):
    """{name: path} of the files of arrays that lie beside a checkpoint, which may have been moved, or copied, with them."""
    found = {}
    for name in (*_TABLES, *_OWN):
        stored = table.options[name].get(params) if name in table.options and name not in given else None
        ending = re.search(rf"\.{name}-[0-9a-f]{{8}}\.(npy|csv|tour|txt|xyz)$", stored or "")
        path = os.path.abspath(os.fsdecode(checkpoint)) + ending[0] if ending else None
        if path and os.path.exists(path):
            found[name] = path
    return found
