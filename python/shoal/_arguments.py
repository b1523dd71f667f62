"""Checks of arguments. A refusal is one line: the name of the argument, what it is, and what was given."""
import numbers

import numpy as np

from ._library import invalid, shown

MOST = (1 << 64) - 1


def is_number(value):
    """Whether a value is one number: True and False are none."""
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))


def is_whole(value):
    if not is_number(value) or isinstance(value, numbers.Integral):
        return is_number(value)
    try:
        return float(value).is_integer()
    except OverflowError:  # a fraction beyond the range of floats
        return value % 1 == 0


def _one(value):
    """A number of an array without dimensions, also of another package."""
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value


def count(name, value, least=0, most=MOST):
    """A whole number, also one of the type float, as an int."""
    value = _one(value)
    if not is_whole(value):
        raise TypeError(f"{name} is a whole number, not {shown(value)}")
    if not least <= value <= most:
        raise invalid(f"{name} is {shown(value)}, allowed are {least} to {most}")
    return int(value)


def number(name, value, least=None):
    """A number as a float, from `least` on."""
    value = _one(value)
    if not is_number(value):
        raise TypeError(f"{name} is a number, not {shown(value)}")
    if least is not None and not value >= least:
        raise invalid(f"{name} is a number from {least} on, not {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        raise invalid(f"{name} is too large: numbers are below 1.8e308") from None


def flag(name, value):
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is True or False, not {shown(value)}")
    return bool(value)


def choice(name, value, choices):
    """One of some texts."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is one of {', '.join(choices)}, not {shown(value)}")
    if value not in choices:
        word = value if value.isprintable() and len(value) <= 60 else shown(value)
        raise invalid(f"there is no {name} {word}; there are {', '.join(choices)}")
    return value


def function(name, value):
    """A function, or None."""
    if value is not None and not callable(value):
        raise TypeError(f"{name} is a function, not {shown(value)}")
    return value
