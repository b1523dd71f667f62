"""Minimisation of functions."""
import numpy as np

from ._arguments import count, flag, function as function_of, number as number_of
from ._arrays.table import numbers
from ._library import Error, Owner, call, encoded, file_name, invalid, lib, shown
from ._objective import Objective
from ._options import documented
from ._search import Evaluator, Search, algorithm_tables

_ARGUMENTS = ("function", "bounds", "args", "dim", "x0", "data", "constraints", "integrality", "algorithm", "device",
              "threads", "vectorized", "workers", "callback", "progress")


def _bounds_of(bounds):
    """(lower, upper, dim) of bounds: arrays and their length for a list of pairs; numbers and None for one pair."""
    if hasattr(bounds, "lb"):  # scipy.optimize.Bounds
        bounds = np.stack(np.broadcast_arrays(bounds.lb, bounds.ub), -1)
    wanted = "a pair (lower, upper), or such a pair for each coordinate"
    pairs = numbers("bounds", bounds, wanted, (1, 2))
    if pairs.shape != (2,) and (pairs.ndim != 2 or pairs.shape[1] != 2):
        raise invalid(f"bounds has the shape {pairs.shape}: it is {wanted}")
    for low, high in pairs.reshape(-1, 2):
        if not -np.inf < low <= high < np.inf:
            raise invalid(f"bounds has the pair ({low:g}, {high:g}): bounds are finite, the lower one not above the upper one")
    if pairs.shape == (2,):
        return pairs[0], pairs[1], None
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]), len(pairs)


def _constraints_of(constraints):
    """(relations as one text or None, [(function, lower, upper)]) of the constraints."""
    if constraints is None:
        return None, []
    if isinstance(constraints, (str, dict)) or callable(getattr(constraints, "fun", None)) or hasattr(constraints, "A"):
        constraints = [constraints]
    relations, functions = [], []
    if not isinstance(constraints, (list, tuple)):
        raise TypeError(f"constraints is a constraint or a list of constraints, not {shown(constraints)}")
    for one in constraints:
        if isinstance(one, str):
            encoded("constraints", one)
            relations.append(one)
        elif isinstance(one, dict):  # scipy.optimize.minimize
            if one.get("type") not in ("ineq", "eq") or not callable(one.get("fun")):
                raise invalid('one of constraints is {"type": "ineq" or "eq", "fun": a function}')
            function, arguments = one["fun"], tuple(one.get("args", ()))
            functions.append((lambda x, function=function, arguments=arguments: function(x, *arguments), 0,
                              np.inf if one["type"] == "ineq" else 0))
        elif callable(getattr(one, "fun", None)):  # scipy.optimize.NonlinearConstraint
            functions.append((one.fun, one.lb, one.ub))
        elif hasattr(one, "A"):  # scipy.optimize.LinearConstraint
            matrix = np.atleast_2d(one.A.toarray() if hasattr(one.A, "toarray") else one.A)
            functions.append((lambda x, matrix=matrix: matrix @ x, one.lb, one.ub))
        else:
            raise TypeError("one of constraints is a relation such as 'x[1] + x[2] <= 1', or a dictionary, NonlinearConstraint or "
                            f"LinearConstraint as of scipy.optimize, not {shown(one)}")
    return "; ".join(relations) if relations else None, functions


def start_of(x0):
    wanted = "a point, or an array of points, one a row"
    points = np.atleast_2d(numbers("x0", x0, wanted, (0, 1, 2)))
    if not points.size:
        raise invalid(f"x0 has the shape {points.shape}: it is {wanted}")
    return points


def _dim_of(dim, numbers, variables):
    """The dimension on which dim, numbers and variables agree; None: none of these gives a dimension."""
    if variables:
        parsed = Owner("shoal_variables", lib.shoal_variables_destroy)
        call(lib.shoal_variables_parse, encoded("variables", variables), dim or 0, parsed.address)
        numbers = [*numbers, lib.shoal_variables_count(parsed.pointer)]
        parsed.release()
    for number in numbers:
        if number is not None and dim is not None and number != dim:
            raise ValueError(f"dim, bounds, x0 and variables are of {dim} and of {number} coordinates")
        dim = dim if number is None else number
    return dim


def _variables_of(integrality, lower, upper, dim):
    """The option `variables` for coordinates some of which are whole numbers, within their bounds."""
    if lower is None:
        raise TypeError("integrality needs bounds")
    whole, lower, upper = (np.broadcast_to(values, dim) for values in (integrality, lower, upper))
    words = []
    for index, (is_whole, low, high) in enumerate(zip(whole, lower, upper)):
        if is_whole and np.ceil(low) > np.floor(high):
            raise ValueError(f"there is no whole number between the bounds {low:g} and {high:g} of x[{index}]")
        words.append(f"x{index + 1} integer {np.ceil(low):.0f} {np.floor(high):.0f}" if is_whole else
                     f"x{index + 1} real {float(low)!r} {float(high)!r}")
    return ", ".join(words)


def _whole_of(integrality):
    whole = numbers("integrality", integrality, "True or False, or True or False for each coordinate", (0, 1))
    if not np.isin(whole, (0, 1)).all():
        raise invalid(f"integrality is True or False for each coordinate, not {shown(integrality)}")
    return whole.astype(bool)


class _Problem:
    """What minimise() and Optimiser have in common: the coordinates, and the options of the search."""

    def __init__(self, bounds, dim, x0, integrality, constraints, algorithm, options):
        self.lower, self.upper, width = (None, None, None) if bounds is None else _bounds_of(bounds)
        self.points = None if x0 is None else start_of(x0)
        self.relations, self.functions = _constraints_of(constraints)
        whole = None if integrality is None else _whole_of(integrality)
        if whole is not None and width is None and whole.ndim:
            width = len(whole)
        dim = None if dim is None else count("dim", dim, 1, 0xffffffff)
        self.dim = _dim_of(dim, [width, None if self.points is None else self.points.shape[1]], options.get("variables"))
        if whole is not None and whole.ndim and self.dim is not None and len(whole) != self.dim:
            raise invalid(f"integrality has the shape {whole.shape}: it is True or False for each of {self.dim} coordinates")
        self.is_whole = whole is not None and bool(whole.any())
        # The swarm, which takes reals alone, is the default of problems that it can search.
        self.algorithm = ("auto" if self.is_whole else "pso") if algorithm is None else algorithm
        if self.relations is not None:
            options = {**options, "subject_to": self.relations}
        if self.is_whole:
            if options.get("variables"):
                raise TypeError("integrality and variables exclude each other")
            if self.dim is None:
                raise TypeError("integrality needs bounds for each coordinate, x0 or dim")
            options = {**options, "variables": _variables_of(whole, self.lower, self.upper, self.dim)}
        self.options = options

    def set(self, search):
        if self.lower is not None and not self.is_whole:
            search.set_bounds(self.lower, self.upper)
        if self.points is not None:
            search.set_start(self.points)


def minimise(function, bounds=None, args=(), *, dim=None, x0=None, data=None, constraints=None, integrality=None, algorithm=None,
             device=None, threads=None, vectorized=False, workers=1, callback=None, progress=False, **options):
    """Finds the least value of a function in a box.

    function: a Python function of an array of coordinates, shape (dim,), that returns a number; the name of a built-in
        function, "rastrigin"; a formula, "sum(x[i]^2)"; a text in the kernel dialect, or the path of a file with one
        (pathlib.Path). With data, a text that reads the rows; None: the least squares b - a . x of rows a, b.
    bounds: (lower, upper) for all coordinates, or such a pair for each coordinate, or scipy.optimize.Bounds; None: the
        usual box of the function.
    args: further arguments of a Python function: function(x, *args).
    dim: the number of coordinates, if no other argument gives it.
    x0: a point, or an array with a point in each row: positions at which the first members start.
    data: an array of rows, of which the library keeps a copy.
    constraints: relations such as "x[1] + x[2] <= 1" (with <=, >= or =; coordinates count from 1), and constraints
        of scipy.optimize: {"type": "ineq" or "eq", "fun": f}, where "ineq" means f(x) >= 0, NonlinearConstraint,
        LinearConstraint; one, or a list. Functions run on the host alone. Equalities hold within constraint_tolerance.
    integrality: True for each coordinate that is a whole number.
    algorithm: "pso", "ga", "de", or another algorithm of `shoal optimise`; "auto": the one that suits the problem;
        None: "pso", with whole numbers "auto".
    device: a shoal.Device or a selector such as "gpu"; None: the host, in double precision. A Python function runs on
        the host alone.
    threads: number of threads that evaluate formulas and texts on the host; None: all.
    vectorized: a Python function takes all points of a step in one call ("cmaes", "portfolio": of several steps, if they
        take little time): an array of the shape (dim, points), and returns an array of the shape (points,).
    workers: number of processes that call a Python function (-1: one for each processor), or a function like map.
    callback: called after each step, in searches of formulas and texts about ten times a second: callback(x) with the
        best position so far, callback(x, convergence), or callback(intermediate_result) with a Result. The search ends
        if it returns True or raises StopIteration.
    progress: shows step, evaluations and best value in one line on stderr.

    The further arguments are the options of the algorithm, listed below. polish=True: 1,000 evaluations for each
    coordinate. A search without a limit ends by stagnation or x_tolerance, or after 10,000 evaluations for each
    coordinate.

    Returns a Result with the names of scipy.optimize.OptimizeResult: x, fun (the value at x), success (the search
    converged, or reached the target if there is one; False: a limit ended it), message, status (why the search ended,
    in a word), nfev (evaluations), nit (iterations); and violation (of the constraints at x: 0), not_finite
    (evaluations without a finite value), algorithm (its name). Ctrl-C ends the search with the best position so far
    (status "stopped"), and is raised if there is none. An exception in the function ends the search and is raised
    again. If no point meets all constraints, an exception states the least violation.
    """
    problem = _Problem(bounds, dim, x0, integrality, constraints, algorithm, options)
    options, dim = problem.options, problem.dim
    instance, is_python = options.pop("instance", None), callable(function)
    instance = None if instance is None else count("instance", instance)
    function_of("callback", callback)
    vectorized = flag("vectorized", vectorized)
    is_plain = (args is None or isinstance(args, tuple) and not args) and isinstance(workers, int) and workers == 1
    if not is_python and (vectorized or not is_plain):
        raise TypeError("args, vectorized and workers go with a Python function")
    objective = Objective()
    evaluator = None
    if is_python and data is None and instance is None:
        evaluator = Evaluator(function, () if args is None else args, vectorized, workers)
        objective.from_evaluator(evaluator, getattr(function, "__name__", "function"))
    else:
        objective.choose(function, data=data, variables=options.get("variables"), dim=dim, number=instance)
    try:
        if dim is None and objective.info.min_dim == objective.info.max_dim:
            dim = objective.info.min_dim
        if dim is None:
            raise TypeError("minimise() needs bounds for each coordinate, x0 or dim")
        if problem.functions:
            lower, upper = (np.zeros(dim) if side is None else side for side in (problem.lower, problem.upper))
            middle = np.broadcast_to((np.asarray(lower) + np.asarray(upper)) / 2, dim).copy()
            objective.constrain(problem.functions, middle if problem.points is None else problem.points[0].copy())
        if objective.has_variables:
            options = {**options, "variables": None}
        with Search(_TABLES, problem.algorithm, dim) as search:
            search.set_problem(objective, options)
            problem.set(search)
            # The library counts constraints that are functions.
            return search.run(device, threads, evaluator=None if problem.functions else evaluator, callback=callback,
                              progress=progress)
    finally:
        if evaluator is not None:
            evaluator.close()


class Optimiser:
    """A search whose points the caller evaluates, wherever and in whatever order: ask and tell.

        search = shoal.Optimiser([(-5, 5)] * 3, algorithm="cmaes", evaluations=3000)
        while len(points := search.ask()):
            search.tell([f(x) for x in points])
        print(search.result().x)

    bounds, dim, x0, integrality, algorithm: as of minimise(). constraints: relations such as "x[1] + x[2] <= 1".
    constrained: tell() takes violations of the caller's own constraints.

    The further arguments are the options of the algorithm, listed below. An Optimiser is used by one thread at a time.
    """

    def __init__(self, bounds=None, *, dim=None, x0=None, integrality=None, constraints=None, constrained=False, algorithm=None,
                 **options):
        problem = _Problem(bounds, dim, x0, integrality, constraints, algorithm, options)
        if problem.functions:
            raise TypeError("constraints of an Optimiser are relations; give constrained=True and tell() the violations of others")
        if problem.dim is None or problem.lower is None and not problem.options.get("variables"):
            raise TypeError("Optimiser() needs bounds for each coordinate, or bounds and dim")
        self._search = Search(_ASK_TABLES, problem.algorithm, problem.dim)
        self._search.set_options(problem.options)
        problem.set(self._search)
        self._is_constrained = flag("constrained", constrained)
        self._search.call(lib.shoal_optimiser_set_constrained, self._is_constrained)

    def __repr__(self):
        result = self.result()
        return (f"<shoal.Optimiser {result.algorithm}, {self._search.dim} coordinates: {result.nfev} evaluations, "
                f"best {result.fun:.6g}>")

    def ask(self):
        """The next points to evaluate, shape (points, dim); no points: the search is over. If some values of the last
        points are missing, the same points again."""
        return self._search.ask()

    def tell(self, values, violations=None):
        """Takes the values of all points of the last ask(), in their order; NaN and infinities are worse than every
        number. violations: 0 for each point that meets the caller's constraints, else a measure of the violation."""
        self._check_violations(violations)
        try:
            self._search.tell(values, violations)
        except Error:
            missing = self.missing
            if len(missing):  # points wait, which ask() returns again
                points = len(self.ask())
                if len(missing) < points == len(values):
                    raise invalid(f"{points - len(missing)} of {points} points have their values already: tell_value() takes "
                                  "the others, `missing` has their numbers") from None
            raise

    def _check_violations(self, violations):
        if violations is not None and not self._is_constrained:
            raise invalid("violations are for an Optimiser with constrained=True")

    def tell_value(self, index, value, violation=None):
        """Takes the value of point number `index`, from 0, of the last ask(). Points may come in any order."""
        self._check_violations(violation)
        index = count("index", index, 0, (1 << 63) - 1)
        self._search.tell_value(index, number_of("value", value), None if violation is None else number_of("violation", violation))

    @property
    def missing(self):
        """The numbers of the points of the last ask() whose value was not told yet."""
        return self._search.missing()

    def result(self):
        """The result so far, as of minimise(); status "running": the search has not ended."""
        return self._search.result(self._search.state)

    def save(self, path):
        """Writes the search to a file, with the values that are told."""
        self._search.call(lib.shoal_optimiser_save, file_name("path", path))

    def load(self, path):
        """Reads a search that an Optimiser of the same arguments saved, and continues with the same bits."""
        self._search.call(lib.shoal_optimiser_load, file_name("path", path))


_BUT = ("variables", "maximise", "instance", "subject-to", "constraint-tolerance")
_TABLES = algorithm_tables("minimise", _BUT, _ARGUMENTS)
_ASK_TABLES = algorithm_tables("Optimiser", [name for name in _BUT if name != "instance"],
                               ("bounds", "dim", "x0", "integrality", "constraints", "constrained", "algorithm"))
documented(minimise, _TABLES)
documented(Optimiser, _ASK_TABLES)
