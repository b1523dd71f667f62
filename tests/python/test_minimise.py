#!/usr/bin/env python3
"""shoal.minimise against NumPy."""
import pickle
import threading
import unittest
from pathlib import Path

import numpy as np
import shoal
from support import Case, main, opencl_device

try:
    import _testbuffer
except ImportError:
    _testbuffer = None

# Ctrl-C keeps the best position so far.
STOPPED = """
import shoal
print("begins", flush=True)
result = {call}
print("interrupted" if result.status == "stopped" and not result.success and result.fun < 2 else result)
"""
EXAMPLES = Path(__file__).parents[2] / "examples" / "objectives"


def quadratic(size):
    """A convex function, its gradient's matrix, and its minimiser by NumPy."""
    random = np.random.default_rng(5)
    factor, b = random.normal(size=(size, size)), random.normal(size=size)
    a = factor @ factor.T + np.eye(size)
    return (lambda x: 0.5 * x @ a @ x - b @ x), np.linalg.solve(a, b)


class Constraints(Case):
    """The circle of radius 1 and a line: the least x + y is -sqrt 2, and with x >= y + 1 it is -1."""
    BOX = [(-2, 2), (-2, 2)]

    def assert_found(self, wanted, constraints, function="x[1] + x[2]", **more):
        result = shoal.minimise(function, self.BOX, constraints=constraints, algorithm="de", evaluations=20000, **more)
        self.assertAlmostEqual(result.fun, wanted, 5)
        self.assertEqual(result.violation, 0)

    # An equality with a tolerance is a ring, whose outer radius the answer has.
    RING = {"wanted": -(2 * 1.001) ** 0.5, "constraint_tolerance": 1e-3}

    def test_relations(self):
        self.assert_found(-2 ** 0.5, "x[1]^2 + x[2]^2 <= 1")
        self.assert_found(-1, ["x[1]^2 + x[2]^2 <= 1", "x[1] >= x[2] + 1"])
        self.assert_found(constraints="x[1]^2 + x[2]^2 = 1", **self.RING)
        self.assert_found(-2 ** 0.5, "x[1]^2 + x[2]^2 <= 1", lambda x: x[0] + x[1])

    def test_functions(self):
        inside = {"type": "ineq", "fun": lambda x: 1 - x @ x}
        self.assert_found(-2 ** 0.5, inside)
        self.assert_found(-1, [inside, "x[1] >= x[2] + 1"])
        self.assert_found(-1, (inside, {"type": "ineq", "fun": lambda x, by: x[0] - x[1] - by, "args": (1,)}))
        self.assert_found(constraints={"type": "eq", "fun": lambda x: x @ x - 1}, **self.RING)
        self.assert_found(-1, [type("Nonlinear", (), {"fun": staticmethod(lambda x: [x @ x]), "lb": -np.inf, "ub": 1}),
                               type("Linear", (), {"A": [[1, -1]], "lb": 1, "ub": np.inf})])

    def test_mistakes(self):
        for constraints, error, message in (("x[1] + 2", shoal.Error, "constraint 1, column"), ([3], TypeError, "one of constraints is a relation"),
                                            ({"type": "ineq"}, ValueError, "^one of constraints is"), ("x[1] >= 3", shoal.Error, "no point met all constraints")):
            with self.assertRaisesRegex(error, message):
                shoal.minimise("x[1] + x[2]", self.BOX, constraints=constraints, evaluations=500)

        def fails(x):
            raise KeyError("lost")
        with self.assertRaises(KeyError):
            shoal.minimise("x[1] + x[2]", self.BOX, constraints={"type": "ineq", "fun": fails})


class Functions(Case):
    def test_a_python_function(self):
        function, minimiser = quadratic(4)
        result = shoal.minimise(function, [(-10, 10)] * 4, seed=3, stagnation=20)
        # A value within rounding is at a distance of its square root.
        np.testing.assert_allclose(result.x, minimiser, atol=1e-6)
        self.assertAlmostEqual(result.fun, function(minimiser), 12)
        self.assertEqual(result.fun, function(result.x))
        self.assertTrue(result.success)
        self.assertEqual((result.status, result.not_finite), ("stagnated", 0))
        self.assertIn("no improvement", result.message)

    def test_points_belong_to_the_function(self):
        kept = []

        def function(x):
            kept.append(x)
            value = float(x @ x)
            x[:] = 7
            return value
        result = shoal.minimise(function, (-1, 1), dim=2, evaluations=200)
        self.assertEqual(len(kept), result.nfev)
        self.assertTrue(all((x == 7).all() for x in kept))
        self.assertLess(result.fun, 0.1)

    def test_a_formula_is_the_python_function(self):
        """Sums are formed in the same order, so that the search is the same."""
        options = {"bounds": (-5, 5), "dim": 3, "evaluations": 2000, "seed": 4}
        ours = shoal.minimise(lambda x: sum((v - 1) ** 2 for v in x), **options)
        theirs = shoal.minimise("sum((x[i]-1)^2)", **options)
        np.testing.assert_allclose(ours.x, theirs.x, rtol=1e-9)
        self.assertEqual((ours.nfev, ours.nit), (theirs.nfev, theirs.nit))

    def test_the_same_seed_is_the_same_search(self):
        function, _ = quadratic(3)
        first, second, other = (shoal.minimise(function, (-5, 5), dim=3, evaluations=500, seed=seed, threads=threads)
                                for seed, threads in ((1, 1), (1, 2), (2, 1)))
        np.testing.assert_array_equal(first.x, second.x)
        self.assertFalse((first.x == other.x).all())

    def test_built_in_functions_and_their_boxes(self):
        result = shoal.minimise("sphere", dim=3, target=1e-6)
        self.assertEqual((result.status, result.success), ("target", True))
        self.assertLessEqual(result.fun, 1e-6)

    def test_maximise(self):
        self.assertAlmostEqual(shoal.minimise("sum(1-x[i]^2)", (-1, 1), dim=2, maximise=True).fun, 2, 6)

    def test_texts(self):
        text = """#define SHAPE OPAQUE
static inline real objective_value(const real *x, uint dim)
{
    return (x[0] - R(0.25)) * (x[0] - R(0.25)) + x[1] * x[1];
}
"""
        result = shoal.minimise(text, (-1, 1), dim=2, polish=2000)
        np.testing.assert_allclose(result.x, [0.25, 0], atol=1e-6)
        result = shoal.minimise(EXAMPLES / "salomon.clh", dim=2, evaluations=500)
        self.assertLess(result.fun, 5)

    def test_rows(self):
        random = np.random.default_rng(8)
        a = random.normal(size=(50, 3))
        b = a @ [1, -2, 0.5] + 0.1 * random.normal(size=50)
        result = shoal.minimise(None, (-10, 10), data=np.column_stack([a, b]), polish=5000)
        x, least, _, _ = np.linalg.lstsq(a, b, rcond=None)
        np.testing.assert_allclose(result.x, x, atol=1e-6)
        self.assertAlmostEqual(result.fun, least[0], 10)
        # Huber's loss of far smaller residuals than its limit is half the square.
        t = np.linspace(0, 5, 40)
        y = 3 * np.exp(-0.7 * t) + 1
        result = shoal.minimise(EXAMPLES / "decay.clh", dim=3, data=np.column_stack([t, y]), polish=20000)
        np.testing.assert_allclose(result.x, [3, 0.7, 1], atol=1e-4)

    def test_variables(self):
        result = shoal.minimise("sum((x[i]-2)^2)", algorithm="ga", variables="x1-x2 real -5 5, x3 integer 0 9",
                                evaluations=5000)
        self.assertEqual(result.x[2], 2)
        self.assertLess(result.fun, 0.1)

    def test_start(self):
        x0 = np.array([[3.0, 4.0], [1.0, 1.0]])
        seen = []
        shoal.minimise(lambda x: seen.append(x) or float(x @ x), (-5, 5), x0=x0, evaluations=60)
        np.testing.assert_array_equal(seen[:2], x0)

    def test_on_a_device(self):
        device = opencl_device()
        result = shoal.minimise("sum((x[i]-1)^2)", (-5, 5), dim=3, device=device, evaluations=4000)
        np.testing.assert_allclose(result.x, 1, atol=0.02)
        self.refuses("runs on the host only: leave out device", shoal.minimise, np.sum, (-1, 1), dim=2, device=device,
                     status="not supported by the device")


class Ends(Case):
    def test_a_target_that_is_missed(self):
        result = shoal.minimise("sphere", dim=5, target=-1, evaluations=100)
        self.assertEqual((result.status, result.success), ("evaluations", False))

    def test_no_value_is_finite(self):
        self.refuses("has no finite value at any of", shoal.minimise, lambda x: float("nan"), (-1, 1), dim=2,
                     evaluations=100, status="result check failed")

    def test_some_values_are_not_finite(self):
        result = shoal.minimise(lambda x: float(x @ x) if x[0] > 0 else float("nan"), (-1, 1), dim=2, evaluations=200)
        self.assertTrue(np.isfinite(result.fun))
        self.assertGreater(result.not_finite, 0)

    def test_a_limit_of_time(self):
        result = shoal.minimise("sphere", dim=2, time=0.5, iterations=10**9, evaluations=0)
        self.assertEqual((result.status, result.message), ("time", "the limit of time was reached"))

    def test_an_exception_ends_the_search(self):
        for threads in (1, 2):
            calls = []

            def function(x):
                calls.append(x)
                if len(calls) > 5:
                    raise LookupError("the sixth")
                return 1.0
            with self.assertRaisesRegex(LookupError, "^the sixth$"):
                shoal.minimise(function, (-1, 1), dim=2, threads=threads)
            self.assertLess(len(calls), 50)
        with self.assertRaisesRegex(TypeError, "NoneType"):
            shoal.minimise(lambda x: None, (-1, 1), dim=2)

    def test_interruption(self):
        for call in ('shoal.minimise(lambda x: float(x @ x), (-1, 1), dim=2, iterations=10**9, evaluations=0)',
                     'shoal.minimise("sum(x[i]^2)", (-1, 1), dim=2, iterations=10**9, evaluations=0)'):
            self.is_interrupted(STOPPED.format(call=call))

    def test_two_searches_at_once(self):
        found = []
        threads = [threading.Thread(target=lambda: found.append(
            shoal.minimise(lambda x: float(x @ x), (-1, 1), dim=2, evaluations=500).fun)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(found)), 1)


def sphere(x):  # of this module, so that processes can call it
    return float(x @ x)


class AsSciPy(Case):
    """What scipy.optimize.differential_evolution takes, in the same words."""
    BOX = [(-5, 5)] * 3

    def test_all_ways_of_evaluating_are_one_search(self):
        results = [shoal.minimise(function, self.BOX, seed=3, evaluations=700, **how) for function, how in (
            (sphere, {}), (sphere, {"workers": 2}), (sphere, {"workers": map}), (lambda x: (x ** 2).sum(0), {"vectorized": True}),
            (lambda x, a: float(x @ x) * a, {"args": (1,)}))]
        for result in results[1:]:
            np.testing.assert_allclose(result.x, results[0].x, rtol=1e-12)
            self.assertEqual(result.nfev, results[0].nfev)

    @unittest.skipUnless(_testbuffer, "this Python is without the modules of its own tests")
    def test_values_that_lend_no_memory(self):
        with self.assertRaises(ValueError):  # as for other objects that are no numbers, not BufferError
            shoal.minimise(lambda x: _testbuffer.ndarray([1.0] * x.shape[1], shape=[x.shape[1]], format="d", flags=_testbuffer.ND_GETBUF_FAIL),
                           self.BOX, vectorized=True, evaluations=700)

    def test_a_vectorised_function_gets_all_points_of_a_step(self):
        shapes = []
        shoal.minimise(lambda x: shapes.append(x.shape) or (x ** 2).sum(0), self.BOX, vectorized=True, particles=40, iterations=5,
                       refine="none")
        self.assertEqual(shapes, [(3, 40)] * len(shapes))
        steps = len(shapes)

        def function(x):
            shapes.append(x.shape)
            if len(shapes) > most:
                raise KeyError("refined")
            return (x ** 2).sum(0)
        shapes, most = [], 1000
        shoal.minimise(function, self.BOX, vectorized=True, particles=40, iterations=5)
        refined = [points for _, points in shapes[steps:]]
        self.assertGreater(sum(refined) / len(refined), 2, "the local search at the end, too, asks for several points")
        shapes, most = [], steps + 1
        with self.assertRaisesRegex(KeyError, "refined"):
            shoal.minimise(function, self.BOX, vectorized=True, particles=40, iterations=5)
        with self.assertRaisesRegex(ValueError, r"returned the shape \(3,\) for 60 points, not \(60,\)"):
            shoal.minimise(lambda x: x[:, 0], self.BOX, vectorized=True)

    def test_values_of_a_vectorised_function_may_be_of_any_kind(self):
        def search(convert):
            return shoal.minimise(lambda x: convert((x ** 2).sum(0)), self.BOX, vectorized=True, seed=3, evaluations=200)
        best = search(np.asarray).fun
        for convert in (list, lambda y: y.astype(">f8"), lambda y: np.repeat(y, 2)[::2], lambda y: y.astype(object),
                        lambda y: np.frombuffer(b"\0" + y.tobytes(), "f8", offset=1)):
            self.assertEqual(search(convert).fun, best)
        for values in (None, "abc", (3.0,), np.zeros((1, 60))):
            with self.assertRaises((ValueError, TypeError)):
                search(lambda y: values)

    def test_a_vectorised_function_may_keep_its_points(self):
        self.check_kept({"vectorized": True, "particles": 20, "iterations": 12, "seed": 3, "refine": "none"})
        # Steps of different numbers of points.
        for algorithm in ("cmaes", "portfolio"):
            self.check_kept({"vectorized": True, "algorithm": algorithm, "evaluations": 3000, "seed": 3})

    def check_kept(self, options):
        plain = shoal.minimise(lambda x: (x ** 2).sum(0), self.BOX, **options)
        for keep in (lambda x: x, lambda x: x[1:], lambda x: memoryview(x[2])):
            for first in (0, 4):
                kept, copies = [], []

                def function(x):
                    copies.append(x.copy())
                    kept.append(keep(x) if len(kept) >= first else None)
                    return (x ** 2).sum(0)
                result = shoal.minimise(function, self.BOX, **options)
                np.testing.assert_array_equal(result.x, plain.x)
                for now, then in zip(kept[first:], copies[first:]):
                    np.testing.assert_array_equal(np.asarray(now), keep(then))

    def test_callbacks(self):
        seen = []

        def of_result(intermediate_result):
            seen.append(intermediate_result)
            return len(seen) == 4
        result = shoal.minimise(sphere, self.BOX, callback=of_result)
        self.assertEqual((result.status, result.success, [step.nit for step in seen]), ("stopped", False, [1, 2, 3, 4]))
        self.assertEqual(result.fun, seen[-1].fun)
        result = shoal.minimise(sphere, self.BOX, callback=lambda x, convergence: seen.append(x), iterations=3)
        self.assertEqual((result.status, seen[-1].shape), ("iterations", (3,)))

        def ends(x):
            raise StopIteration
        for function in sphere, "sphere":
            self.assertEqual(shoal.minimise(function, self.BOX, callback=ends, iterations=10**9).status, "stopped")

    def test_whole_numbers(self):
        for algorithm in None, "ga", "de":
            result = shoal.minimise(lambda x: (x[0] - 2.2) ** 2 + (x[1] - 1.25) ** 2, [(-5.5, 9), (-5, 5)], integrality=[True, False],
                                    algorithm=algorithm, evaluations=4000)
            self.assertEqual(result.x[0], 2)
            self.assertAlmostEqual(result.x[1], 1.25, 2)
        with self.assertRaisesRegex(ValueError, r"no whole number between the bounds 0.2 and 0.8 of x\[0\]"):
            shoal.minimise(sphere, [(0.2, 0.8)], integrality=[True])

    def test_success_is_convergence_or_the_target(self):
        for options, success, status in (({}, True, None), ({"evaluations": 300}, False, "evaluations"), ({"time": 0}, False, "time"),
                                         ({"target": 1e-3}, True, "target"), ({"iterations": 4}, False, "iterations")):
            result = shoal.minimise(sphere, self.BOX, **options)
            self.assertEqual((result.success, result.status), (success, status or result.status))

    def test_polish_is_a_number_or_true(self):
        result = shoal.minimise(sphere, self.BOX, iterations=10, polish=True)
        self.assertLess(result.fun, 1e-12)
        self.assertEqual(shoal.minimise(sphere, self.BOX, iterations=10, polish=False).nfev,
                         shoal.minimise(sphere, self.BOX, iterations=10).nfev)

    def test_mistakes(self):
        for message, options in (("workers is a number of processes", {"workers": 0}), ("exclude each other", {"workers": 2, "vectorized": True}),
                                 ("progress is True or False", {"progress": 1})):
            with self.assertRaisesRegex((ValueError, TypeError), message):
                shoal.minimise(sphere, self.BOX, **options)
        with self.assertRaisesRegex(ValueError, "^evaluations=50 is below the 60 particles"):
            shoal.minimise(sphere, self.BOX, algorithm="pso", evaluations=50)
        with self.assertRaisesRegex(TypeError, "go with a Python function"):
            shoal.minimise("sphere", self.BOX, vectorized=True)
        for name, near in (("maxiter", "iterations"), ("popsize", "particles"), ("rng", "seed"), ("maxfun", "evaluations")):
            with self.assertRaisesRegex(TypeError, rf"has no argument {name} \(is it {near}\?\)"):
                shoal.minimise(sphere, self.BOX, **{name: 1})


class AskAndTell(Case):
    def test_every_algorithm(self):
        for algorithm in ("pso", "ga", "de", "cmaes", "nelder-mead", "pattern", "random", "portfolio"):
            with self.subTest(algorithm=algorithm):
                search = shoal.Optimiser((-5, 5), dim=2, algorithm=algorithm, evaluations=500, seed=2)
                while len(points := search.ask()):
                    search.tell((points ** 2).sum(1))
                result = search.result()
                self.assertEqual((result.status, result.algorithm), ("evaluations", algorithm))
                self.assertLess(result.fun, 1)
                self.assertRegex(repr(search), rf"^<shoal.Optimiser {algorithm}, 2 coordinates: \d+ evaluations, best ")

    def test_values_one_by_one_and_a_file_between(self):
        options = {"dim": 2, "algorithm": "de", "iterations": 6, "seed": 4}
        whole, first = shoal.Optimiser((-5, 5), **options), shoal.Optimiser((-5, 5), **options)
        while len(points := whole.ask()):
            whole.tell((points ** 2).sum(1))
        points = first.ask()
        for index in range(len(points) - 1, 3, -1):
            first.tell_value(index, float(points[index] @ points[index]))
        np.testing.assert_array_equal(first.missing, range(4))
        first.save(self.folder / "search.ck")
        second = shoal.Optimiser((-5, 5), **options)
        second.load(self.folder / "search.ck")
        np.testing.assert_array_equal(second.ask(), points)
        for index in second.missing:
            second.tell_value(int(index), float(points[index] @ points[index]))
        while len(points := second.ask()):
            second.tell((points ** 2).sum(1))
        np.testing.assert_array_equal(second.result().x, whole.result().x)

    def test_violations(self):
        search = shoal.Optimiser([(-2, 2)] * 2, constrained=True, algorithm="de", evaluations=3000)
        while len(points := search.ask()):
            search.tell(points.sum(1), violations=np.maximum((points ** 2).sum(1) - 1, 0))
        self.assertAlmostEqual(search.result().fun, -2 ** 0.5, 3)

    def test_mistakes(self):
        search = shoal.Optimiser((-1, 1), dim=2)
        self.refuses("no points wait", search.tell, [1.0])
        points = search.ask()
        self.refuses(f"{len(points)} points wait for values, not 1", search.tell, [1.0])
        self.refuses("violations are for an Optimiser with constrained=True", search.tell, np.ones(len(points)), np.ones(len(points)))
        self.refuses("violations are for an Optimiser with constrained=True", search.tell_value, 0, 1.0, 1.0)
        self.refuses("^index is -1, allowed are 0 to ", search.tell_value, -1, 1.0)
        with self.assertRaisesRegex(TypeError, "^index is a whole number, not "):
            search.tell_value(0.5, 1.0)
        search.tell_value(np.int64(1), 1.0)
        self.refuses(f"^1 of {len(points)} points have their values already: tell_value\\(\\) takes the others", search.tell, np.ones(len(points)))
        self.refuses(f"{len(points)} points wait for values, not 1", search.tell, [1.0])
        with self.assertRaisesRegex(TypeError, "needs bounds for each coordinate"):
            shoal.Optimiser(dim=2)
        with self.assertRaisesRegex(ValueError, "a number for each point"):
            search.tell([[1.0]])


class Algorithms(Case):
    """Each algorithm of reals by its name, with a function of Python, and with one of the library."""
    OWN = {"de": {"adaptation": "jso"}, "cmaes": {"form": "separable"}, "nelder-mead": {"edge": 0.2}, "pattern": {"width": 0.125},
           "portfolio": {"algorithms": "cmaes,pattern"}}

    def test_by_name(self):
        for name, own in self.OWN.items():
            with self.subTest(algorithm=name):
                result = shoal.minimise(lambda x: (x[0] - 1) ** 2 + 100 * (x[1] + 0.5) ** 2, (-5, 5), dim=2, algorithm=name,
                                        evaluations=4000, **own)
                self.assertEqual(result.algorithm, name)
                self.assertLess(result.fun, 1e-10)
                np.testing.assert_allclose(result.x, [1, -0.5], atol=1e-4)
                built_in = shoal.minimise("rosenbrock", dim=3, algorithm=name, evaluations=6000)
                self.assertLess(built_in.fun, 1e-6)

    def test_polish_by_a_simplex(self):
        # A narrow valley with a kink, across the axes, in which the pattern search comes to a halt.
        found = {rule: shoal.minimise(lambda x: abs(x[0] + x[1] - 0.5) + 100 * abs(x[0] - x[1] - 1.5), (-5, 5), dim=2, seed=1,
                                      algorithm="de", iterations=10, polish=400, polish_rule=rule).fun for rule in ("nelder-mead", "pattern")}
        self.assertLess(found["nelder-mead"], 1e-8)
        self.assertGreater(found["pattern"], 1e-4)

    def test_others_refuse_what_is_not_theirs(self):
        with self.assertRaisesRegex(TypeError, "has no argument form"):
            shoal.minimise("sphere", dim=2, algorithm="de", form="full")


def failing(x):
    raise shoal.ArgumentError("no such place", "invalid argument", "a log")


class Mistakes(Case):
    def test_errors_of_workers(self):
        copy = pickle.loads(pickle.dumps(shoal.Error("no room", "out of memory", "a log")))
        self.assertEqual((type(copy), str(copy), copy.status, copy.log), (shoal.Error, "no room", "out of memory", "a log"))
        problem = self.refuses("^no such place$", shoal.minimise, failing, [(0, 1)], workers=2)
        self.assertEqual((type(problem), problem.log), (shoal.ArgumentError, "a log"))

    def test_workers_that_no_machine_has(self):
        for workers in (2**70, 5000, 0, -2, 1.5, True):
            with self.assertRaisesRegex(ValueError, "^workers is a number of processes from 1 to 4096, "):
                shoal.minimise(lambda x: 1.0, [(0, 1)], workers=workers)

    def test_bounds_are_named(self):
        for bounds, message in (((1, -1), r"pair \(1, -1\)"), ([(0, 1), (np.nan, 1)], r"pair \(nan, 1\)"), ([(0, 1), (0, np.inf)], r"pair \(0, inf\)"),
                                ([(0, 1, 2)], r"shape \(1, 3\)")):
            self.refuses(f"^bounds has the {message}: ", shoal.minimise, "sphere", bounds, dim=len(bounds))

    def test_integrality_has_the_shape_of_a_point(self):
        for integrality in ([], [1], [0, 0, 0]):
            self.refuses(r"^integrality has the shape \(\d,\): it is True or False for each of 2 ", shoal.minimise, "sphere", [(-1, 1)] * 2,
                         integrality=integrality)

    def test_starts_are_named(self):
        for x0, message in (([0, 5], "5 as coordinate 1 of point 0, outside the bounds -1 to 1$"), ([[0, 0], [np.nan, 0]], "nan as coordinate 0 of point 1, ")):
            for bounds in ((-1, 1), [(-1, 1)] * 2):
                self.refuses(f"^x0 has {message}", shoal.minimise, "sphere", bounds, x0=x0)

    def test_seeds_are_numbers(self):
        with self.assertRaisesRegex(TypeError, "^seed is a whole number, not True$"):
            shoal.minimise("sphere", (-1, 1), dim=2, seed=True)
        with self.assertRaisesRegex(TypeError, "^target is a number, not False$"):
            shoal.minimise("sphere", (-1, 1), dim=2, target=False)

    def test_boxes(self):
        self.refuses("^bounds has the pair", shoal.minimise, np.sum, (1, -1), dim=2)
        self.refuses("box", shoal.minimise, np.sum, dim=2)
        with self.assertRaisesRegex(TypeError, "needs bounds for each coordinate, x0 or dim"):
            shoal.minimise(np.sum, (-1, 1))
        with self.assertRaisesRegex(ValueError, "a pair"):
            shoal.minimise(np.sum, (-1, 0, 1))
        with self.assertRaisesRegex(ValueError, "are of 3 and of 2 coordinates"):
            shoal.minimise(np.sum, [(-1, 1)] * 2, dim=3)
        self.refuses("start|outside", shoal.minimise, np.sum, (-1, 1), x0=[2, 0])

    def test_auto(self):
        found = shoal.minimise("sphere", dim=2, algorithm="auto", evaluations=2000)
        same = shoal.minimise("sphere", dim=2, algorithm=found.algorithm, evaluations=2000)
        self.assertTrue(found.fun == same.fun and found.algorithm != "auto")
        wholes = shoal.minimise("sum((x[i]-2)^2)", algorithm="auto", variables="x1-x3 integer 0 9", evaluations=500)
        self.assertEqual(wholes.algorithm, "de")
        orders = shoal.minimise("sum((x[i]-2)^2)", algorithm="auto", variables="x1-x3 order", evaluations=500)
        self.assertEqual(orders.algorithm, "ga")
        with self.assertRaisesRegex(TypeError, "has no argument particles"):
            shoal.minimise("sphere", dim=2, algorithm="auto", particles=9)

    def test_functions(self):
        self.refuses("expression, column 5", shoal.minimise, "sum(", (-1, 1), dim=2)
        self.refuses("there is no algorithm sa; there are pso, ga, .*auto", shoal.minimise, "sphere", dim=2, algorithm="sa")
        with self.assertRaisesRegex(TypeError, "^function is a Python function"):
            shoal.minimise(3, (-1, 1), dim=2)
        with self.assertRaises(FileNotFoundError):
            shoal.minimise(Path("/nonexistent.clh"), (-1, 1), dim=2)
        broken = self.refuses("", shoal.minimise, "#define SHAPE OPAQUE\nstatic inline real objective_value(const real *x, "
                              "uint dim)\n{\n    return y;\n}\n", (-1, 1), dim=2, status="kernel build failed")
        self.assertIn("y", broken.log)
        self.refuses(r"^function:4: there is no x\[2\]: the last one is x\[1\]$", shoal.minimise,
                     "#define SHAPE OPAQUE\nstatic inline real objective_value(const real *x, uint dim)\n{\n    return x[2];\n}\n",
                     (-1, 1), dim=2)

    def test_data(self):
        with self.assertRaisesRegex(ValueError, r"^data has the shape \(3,\): it is a table"):
            shoal.minimise(None, (-1, 1), data=[1, 2, 3])
        self.refuses("row 2.*column 1", shoal.minimise, None, (-1, 1), data=[[1, 2], [float("nan"), 1]])
        with self.assertRaisesRegex(TypeError, "a text over rows needs bounds"):
            shoal.minimise(EXAMPLES / "decay.clh", data=[[1, 2], [2, 1]])


if __name__ == "__main__":
    main()
