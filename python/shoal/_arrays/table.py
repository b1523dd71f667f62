"""Rows of a caller as numbers: arrays and frames, with texts, categories and missing values."""
import numpy as np

from .array import on_host
from .._library import invalid, shown


def is_missing(value):
    """None, NaN, NaT, or pandas.NA, which cannot be compared."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def _refusal(name, values, wanted):
    """The exception for values that are not what an argument is."""
    kind = invalid if hasattr(values, "dtype") or isinstance(values, (list, tuple)) else TypeError
    return kind(f"{name} is {wanted}, not {shown(values)}")


def taken(name, values, wanted, kinds="biuf", of_objects=lambda array: array):
    """Values of the caller, wherever they are, as an array of one of NumPy's kinds. wanted: what the argument is, for messages;
    of_objects: makes such an array of one of Python's objects, if it can."""
    try:
        array = on_host(values)
        array = of_objects(array) if array.dtype.kind == "O" else array
    except (TypeError, ValueError, OverflowError):  # rows of different lengths, or other objects
        array = None
    if array is None or array.dtype.kind not in kinds:
        raise _refusal(name, values, wanted)
    return array


def _numbers_of(array):
    if any(isinstance(value, (str, bytes)) for value in array.flat):
        return array
    return np.array([np.nan if is_missing(value) else value for value in array.flat], float).reshape(array.shape)


def numbers(name, values, wanted, dimensions):
    """Numbers of the caller as an array of doubles, its rows one after another; missing values are NaN. wanted: what the
    argument is, for messages; dimensions: how many of them the array can have."""
    array = taken(name, values, wanted, of_objects=_numbers_of)
    if array.ndim not in dimensions:
        raise invalid(f"{name} has the shape {array.shape}: it is {wanted}")
    return np.asarray(array, np.float64, order="C")


def deviation_of(values):
    """The standard deviation of numbers, or of each column; 1 where only rounding makes them differ."""
    deviation = values.std(0)
    return np.where(deviation > 1e-12 * np.abs(values).max(0), deviation, 1.0)


def names_of(x):
    """The names of the columns of a frame; None: x is no frame, or its names are no texts."""
    names = list(getattr(x, "columns", ()))
    return np.array(names, dtype=object) if names and all(isinstance(name, str) for name in names) else None


def columns_of(x, owner):
    """The columns of x, and the number of rows. owner: the name of the estimator, for messages."""
    if hasattr(x, "toarray"):
        raise TypeError(f"{owner} takes dense arrays, not sparse data: use X.toarray()")
    if hasattr(x, "columns") and hasattr(x, "iloc"):
        columns, rows = [x.iloc[:, index].to_numpy() for index in range(x.shape[1])], len(x)
    else:
        x = on_host(x)
        if x.ndim != 2:
            raise ValueError(f"Expected 2D array, got {x.ndim}D array instead: X has a row for each sample. Reshape your data: "
                             "array.reshape(-1, 1) for one feature, array.reshape(1, -1) for one sample")
        columns, rows = list(x.T), len(x)
    if rows == 0:
        raise ValueError(f"Found array with 0 sample(s) (shape=(0, {len(columns)})) while a minimum of 1 is required by {owner}.")
    if not columns:
        raise ValueError(f"0 feature(s) (shape=({rows}, 0)) while a minimum of 1 is required by {owner}.")
    return columns, rows


class _Numbers:
    """A column of numbers; missing values become the mean of the column, and a further input says so."""

    def __init__(self, values, scales):
        known = values[~np.isnan(values)]
        self._mean = known.mean() if len(known) else 0.0
        self._deviation = deviation_of(known) if scales and len(known) else 1.0
        self._offset = self._mean if scales else 0.0
        self.may_miss = len(known) < len(values)
        self.width = 1 + self.may_miss

    def encode(self, values, out):
        missing = np.isnan(values)
        out[:, 0] = (np.where(missing, self._mean, values) - self._offset) / self._deviation
        if self.may_miss:
            out[:, 1] = missing


class _Categories:
    """A column of texts: an input for each text that the first rows had; other and missing ones give 0 in all inputs."""

    def __init__(self, values):
        self._index = {name: index for index, name in enumerate(sorted({str(value) for value in values if not is_missing(value)}))}
        self.width = max(len(self._index), 1)

    def encode(self, values, out):
        out[:] = 0
        for row, value in enumerate(values):
            index = None if is_missing(value) else self._index.get(str(value))
            if index is not None:
                out[row, index] = 1


def _as_numbers(values, name):
    """The values as floats; None: they are texts or categories."""
    kind = values.dtype.kind
    if kind in "biuf":
        return values.astype(np.float64)
    if kind == "c":
        raise ValueError(f"Complex data not supported: column {name}")
    if kind in "mM":
        raise TypeError(f"column {name} holds dates: give numbers, such as days")
    if kind != "O":
        return None
    for value in values:
        if not isinstance(value, (str, bytes, bool, np.bool_, int, float, np.number)) and not is_missing(value):
            raise TypeError(f"column {name}: argument must be a string or a number, not {type(value).__name__!r}")
    if any(isinstance(value, (str, bytes)) for value in values):
        return None
    return np.array([np.nan if is_missing(value) else value for value in values], dtype=np.float64)


class Encoder:
    """How columns become inputs of a net, learned from the rows that it is made with.

    scales: numbers get mean 0 and deviation 1."""

    def __init__(self, columns, scales):
        self._columns = []
        for index, values in enumerate(columns):
            numbers = self._numbers(values, index)
            self._columns.append(_Categories(values) if numbers is None else _Numbers(numbers, scales))
        self.width = sum(column.width for column in self._columns)

    @staticmethod
    def _numbers(values, index):
        numbers = _as_numbers(np.asarray(values), index + 1)
        if numbers is not None and np.isinf(numbers).any():
            raise ValueError(f"Input X contains infinity, in column {index + 1}: give finite numbers; NaN is a missing value")
        return numbers

    def encode(self, columns, rows):
        inputs, first = np.empty((rows, self.width)), 0
        for index, (column, values) in enumerate(zip(self._columns, columns)):
            numbers = self._numbers(values, index)
            if isinstance(column, _Numbers):
                if numbers is None:
                    raise ValueError(f"column {index + 1} holds texts; the net was trained with numbers there")
                if not column.may_miss and np.isnan(numbers).any():
                    raise ValueError(f"Input X contains NaN in column {index + 1}, which had no missing value in training")
                values = numbers
            column.encode(values, inputs[:, first:first + column.width])
            first += column.width
        return inputs
