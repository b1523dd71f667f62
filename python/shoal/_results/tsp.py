"""The tour of a run."""
import numpy as np

from .._library import call, ffi, lib, text

_ID = 256  # bytes of the id of a city


def _id_of(problem, city, room):
    lib.shoal_tsp_id(problem, city, room, _ID)
    return text(room)


def _is_number(name):
    return name.isdecimal() and name.isascii() and len(name) <= 15 and (name == "0" or name[0] != "0")


def add_tour(solver, _, result):
    """Adds the order of the cities, which count from 0, and tour, their ids in this order: whole numbers, or texts."""
    problem = lib.shoal_tsp_problem_of(solver)
    order, length = np.empty(lib.shoal_tsp_get_info(problem).cities, dtype=np.uint32), ffi.new("int64_t *")
    call(lib.shoal_tsp_best, solver, ffi.from_buffer("uint32_t[]", order), len(order), length)
    room = ffi.new("char[]", _ID)
    names = [_id_of(problem, city, room) for city in order.tolist()]
    result["order"] = order.astype(np.int64)
    result["tour"] = np.array(names, dtype=np.int64 if all(map(_is_number, names)) else str)
