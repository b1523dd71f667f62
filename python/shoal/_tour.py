"""Short tours through all cities of an array."""
import os
import re
import tempfile

import numpy as np

from ._arguments import flag, is_whole
from ._arrays.table import numbers
from ._library import Error, Result, call, device_pointer, ffi, invalid, lib, shown
from ._options import Table, documented
from ._run import Run

_ARGUMENTS = ("points", "matrix", "lat_lon", "path", "start", "end", "fixed", "device", "variant", "progress")
_RADIUS = 6371008.8  # metres, as SHOAL_TSP_HAVERSINE has it
# Distances as whole numbers: those of floats lie below this, and all below the second.
_FLOATS_BELOW, _MOST = 1 << 30, (1 << 31) - 1
# Cities of a problem with fixed edges, whose distances are written pair by pair.
_MOST_FIXED = 3000
_FORBIDDEN = -1  # SHOAL_TSP_FORBIDDEN
_MOST_EXACT = 12  # cities of a tour that algorithm="exact" finds
_OF_SEARCH = "candidates", "lists", "list_file", "tour"  # options that algorithm="exact" refuses


def _finite(values, name, widths):
    wanted = f"an array of numbers of the shape (cities, {' or '.join(map(str, widths))})"
    array = numbers(name, values, wanted, (2,))
    if array.shape[1] not in widths or not len(array):
        raise invalid(f"{name} has the shape {array.shape}: it is {wanted}")
    if not np.isfinite(array).all():
        raise invalid(f"{name}: city {np.flatnonzero(~np.isfinite(array).all(1))[0]} has a coordinate that is not finite")
    return array


def _scaled(matrix):
    """(distances as int32, the value of a unit) of a square matrix; infinite: no tour may use the pair."""
    wanted = "square, with the distance from city i to city j in row i"
    given = numbers("matrix", matrix, wanted, (2,))
    if given.shape[0] != given.shape[1] or not len(given):
        raise invalid(f"matrix has the shape {given.shape}: it is {wanted}")
    given = np.where(np.eye(len(given), dtype=bool), 0, given)
    if np.isnan(given).any() or (given < 0).any():
        raise ValueError("matrix has distances from 0 on; infinite: no tour may use the pair")
    known = np.isfinite(given)
    most = given[known].max(initial=0)
    unit = 1.0
    is_whole_type = getattr(getattr(matrix, "dtype", None), "kind", "") in ("b", "i", "u")
    if most > _MOST or not is_whole_type and (np.rint(given[known]) != given[known]).any():
        unit = most / (_FLOATS_BELOW - 1)
    units = np.where(known, np.round(np.where(known, given, 0) / unit), _FORBIDDEN)
    return np.ascontiguousarray(units, dtype=np.int32), unit


def _distances(points, is_globe):
    """The distances of all pairs of points, for the file of a problem with fixed edges."""
    if not is_globe:
        return np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1))
    lat, lon = np.radians(points).T
    half = np.sin((lat[:, None] - lat) / 2) ** 2 + np.cos(lat[:, None]) * np.cos(lat) * np.sin((lon[:, None] - lon) / 2) ** 2
    return 2 * _RADIUS * np.arcsin(np.sqrt(np.clip(half, 0, 1)))


def _write(folder, matrix, fixed):
    """Writes a problem with fixed edges in TSPLIB's format."""
    path = os.path.join(folder, "problem.tsp")
    with open(path, "w", encoding="ascii") as file:
        file.write(f"NAME: array\nTYPE: {'TSP' if (matrix == matrix.T).all() else 'ATSP'}\nDIMENSION: {len(matrix)}\n"
                   "EDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n")
        np.savetxt(file, np.where(matrix == _FORBIDDEN, np.inf, matrix), fmt="%.0f")
        file.write("FIXED_EDGES_SECTION\n" + "".join(f"{a + 1} {b + 1}\n" for a, b in fixed) + "-1\nEOF\n")
    return path


def _city(value, name, cities):
    if not is_whole(value):
        raise TypeError(f"{name} is the number of a city, from 0, not {shown(value)}")
    if not 0 <= value < cities:
        raise invalid(f"{name} is {shown(value)}; cities have the numbers 0 to {cities - 1}")
    return int(value)


def _fixed_edges(fixed, cities):
    try:
        edges = [tuple(edge) for edge in fixed]
    except TypeError:
        raise TypeError(f"fixed is a list of pairs of cities, not {shown(fixed)}") from None
    if any(len(edge) != 2 for edge in edges):
        raise invalid(f"fixed is a list of pairs of cities, not {shown(fixed)}")
    if edges and cities > _MOST_FIXED:
        raise ValueError(f"fixed edges are for up to {_MOST_FIXED} cities, there are {cities}")
    edges = [(_city(a, "fixed", cities), _city(b, "fixed", cities)) for a, b in edges]
    for a, b in edges:
        if a == b:
            raise ValueError(f"fixed has the pair ({a}, {b}): an edge joins two cities")
    for city in np.flatnonzero(np.bincount([city for edge in {frozenset(edge) for edge in edges} for city in edge], minlength=1) > 2)[:1]:
        raise ValueError(f"fixed has city {city} in more than two pairs")
    return edges


def _in_python(problem, name):
    """An error of the library, in whose messages cities count from 1 and are those of points, or of a file."""
    message = re.sub(r"^[^:]*: the fixed edge from (\d+) to (\d+)", lambda match: f"fixed: the pair ({int(match[1]) - 1}, {int(match[2]) - 1})",
                     re.sub(r"^points: city (\d+)", lambda match: f"{name}: city {int(match[1]) - 1}", str(problem)))
    return problem if message == str(problem) else invalid(message)


def _defaults(cities, options, is_host):
    """Options that the caller leaves to tour()."""
    defaults = {}
    is_exact = is_host and cities <= _MOST_EXACT and not any(options.get(name) for name in _OF_SEARCH)
    if not any(options.get(name) for name in ("time", "iterations", "tours", "target", "stagnation")) and not is_exact:
        defaults = {"iterations": 50} if cities <= 200 else {"time": 2.0}
    if is_host:
        defaults["algorithm"] = "exact" if is_exact else "lk"
    return defaults


class _Finder:
    """Reads the best tour of a solver, while it exists."""

    def __init__(self, cities):
        self.order, self.legs, self.bound = np.empty(cities, dtype=np.uint32), None, {}

    def read(self, solver, result):
        length = ffi.new("int64_t *")
        call(lib.shoal_tsp_best, solver, ffi.from_buffer("uint32_t[]", self.order), len(self.order), length)
        problem = lib.shoal_tsp_problem_of(solver)
        info = lib.shoal_tsp_get_info(problem)
        order = self.order.tolist()
        ends = order[1:] if info.is_path else order[1:] + order[:1]
        self.legs = np.array([lib.shoal_tsp_distance(problem, a, b) for a, b in zip(order, ends)], dtype=np.float64) * info.unit
        self.bound = {name: result[name] for name in ("bound", "bound_gap") if name in result}


def tour(points=None, *, matrix=None, lat_lon=None, path=False, start=None, end=None, fixed=None, device="host", variant="auto",
         progress=False, **options):
    """Finds a short tour that visits each city once and returns, or a short path.

        route = shoal.tour(points, time=5)
        print(route.length, route.order)

    One of these gives the cities, which have the numbers 0, 1, 2, ...:
    points: coordinates, shape (cities, 2) or (cities, 3); distances are straight lines.
    matrix: distances, shape (cities, cities), from 0 on; row i has the distances from city i, which may differ from those
        to it. Infinite: no tour may use the pair. Floats are rounded to 2^-30 of the longest distance.
    lat_lon: latitudes and longitudes in degrees, shape (cities, 2); distances are great circles, in metres.

    path: a path from a first to a last city, instead of a closed tour.
    start, end: the first and the last city of a path (end: the result is a path); of a closed tour start is the city with
        which the order begins, without start city 0.
    fixed: pairs of cities that must follow each other.
    device: a shoal.Device or a selector such as "gpu"; the default is the host.
    progress: shows step, time and length in one line on stderr.
    time: seconds after which the search ends. Without an end (time, iterations, tours, target, stagnation) the search makes
        50 iterations for up to 200 cities, else it takes 2 seconds; with iterations the same seed gives the same tour.
    algorithm: on the host Lin-Kernighan search ("lk"), and the shortest tour of up to 12 cities ("exact")
        where none of candidates, lists, list_file and tour is given.

    The further arguments are the options of the workload tsp, listed below.

    Returns a Result: order (cities, shape (cities,)), length (in the unit of the input), legs (the length from each city
    to the next, at last of a closed tour back to the first), success (the check of the tour passed), message, steps,
    wall_s (seconds), series (samples, with trace). With bound=True: bound, a length below which there is no tour, in the
    unit of the input, and bound_gap, length / bound - 1, where bound is above 0.
    """
    given = [value for value in (points, matrix, lat_lon) if value is not None]
    if len(given) != 1:
        raise TypeError("tour() needs one of points, matrix and lat_lon")
    path, params = flag("path", path), TABLE.new_params()
    tsp = ffi.cast("struct shoal_tsp_params *", params)
    unit = 1.0
    if matrix is not None:
        places, (distances, unit) = None, _scaled(matrix)
    else:
        places = _finite(points, "points", (2, 3)) if lat_lon is None else _finite(lat_lon, "lat_lon", (2,))
    cities = len(distances if places is None else places)
    ends = {name: str(_city(value, name, cities) + 1) for name, value in (("start", start), ("end", end)) if value is not None}
    if len(ends) == 2 and start == end:
        raise ValueError(f"start and end are both {start}: a path ends at another city")
    pointer = device_pointer(device)
    options = {**_defaults(cities, options, lib.shoal_device_get_info(pointer).is_host), **options}
    edges = _fixed_edges(() if fixed is None else fixed, cities)
    folder = tempfile.TemporaryDirectory(prefix="shoal-") if edges else None
    try:
        if edges:
            if places is not None:
                distances, unit = _scaled(_distances(places, lat_lon is not None))
            ends["data"] = _write(folder.name, distances, edges)
        elif places is None:
            tsp.matrix, tsp.count = ffi.from_buffer("int32_t[]", distances), cities
        else:
            tsp.points, tsp.count, tsp.dim = ffi.from_buffer("double[]", places), cities, places.shape[1]
            if lat_lon is not None:
                tsp.metric = lib.SHOAL_TSP_HAVERSINE
        keep = [TABLE.set(params, options), _FIXED.set(params, {**ends, "path": path})]
        finder = _Finder(cities)
        result = Run(TABLE.workload, variant, progress).make(pointer, params, finder.read)
        del keep
    except Error as problem:
        raise _in_python(problem, "points" if lat_lon is None else "lat_lon") from None
    finally:
        if folder:
            folder.cleanup()
    order, legs = finder.order.astype(np.int64), finder.legs * unit
    if not path and end is None:
        first = int(np.flatnonzero(order == (0 if start is None else start))[0])
        order, legs = np.roll(order, -first), np.roll(legs, -first)
    if "bound" in finder.bound:
        finder.bound["bound"] *= unit
    return Result(order=order, length=float(legs.sum()), legs=legs, success=result.success, message=result.message,
                  steps=result.steps, wall_s=result.wall_s, series=result.series, **finder.bound)


_PROBLEM = ("data", "generate", "header", "path", "start", "end", "optimum", "tour")
TABLE = Table("tsp", "tour", without=_PROBLEM, taken=_ARGUMENTS)
_FIXED = Table("tsp", "tour")
documented(tour, {"tsp": TABLE})
