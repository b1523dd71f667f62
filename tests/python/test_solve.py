#!/usr/bin/env python3
"""shoal.solve: every workload."""
import io
import unittest
import unittest.mock

import numpy as np
import shoal
from support import INTERRUPTED, Case, in_full, main

SMALL = {
    "pso": {"function": "sphere", "dim": 3, "particles": 32, "iterations": 50, "trace": 10, "refine": "none"},
    "ga": {"function": "onemax", "dim": 32, "population": 32, "iterations": 50, "trace": 10},
    "de": {"function": "sphere", "dim": 3, "population": 32, "iterations": 50, "trace": 10, "refine": "none"},
    "cmaes": {"function": "sphere", "dim": 3, "iterations": 50, "trace": 10, "refine": "none"},
    "nelder-mead": {"function": "sphere", "dim": 3, "iterations": 50, "trace": 10, "refine": "none"},
    "pattern": {"function": "sphere", "dim": 3, "iterations": 50, "trace": 10},
    "portfolio": {"function": "sphere", "dim": 3, "iterations": 50, "trace": 10, "refine": "none"},
    "random": {"function": "sphere", "dim": 3, "points": 32, "iterations": 50, "trace": 10, "refine": "none"},
    "gas": {"particles": 64, "steps": 50, "thermo": 10},
    "tsp": {"generate": "uniform:50:1", "iterations": 50, "trace": 10},
    "mlp": {"generate": "teacher:400", "epochs": 50, "trace": 10, "hidden": "4"},
}


class Runs(Case):
    def test_every_workload(self):
        self.assertEqual(set(SMALL), set(shoal._run.TABLES))
        for name, options in SMALL.items():
            with self.subTest(name):
                result = shoal.solve(name, "host", **options)
                self.assertTrue(result.success, result.message)
                self.assertIsInstance(result.value_name, str)
                steps = list(result.series["step"])
                self.assertEqual(steps, sorted(steps))
                self.assertEqual(steps[-1], 50)
                self.assertGreater(result.wall_s, 0)

    def test_fields(self):
        result = shoal.solve("pso", "host", **SMALL["pso"])
        np.testing.assert_allclose(result.value, (result.position ** 2).sum(), rtol=1e-12)
        self.assertEqual((result.value_name, result.steps, result.work), ("best", 50, 32 * 51))
        self.assertEqual(result.series["value"][-1], result.value)

    def test_a_box_in_words(self):
        result = shoal.solve("pso", "host", expr="sum(x[i])", lower="1,2,-pi", upper="2,3,0", iterations=200)
        np.testing.assert_allclose(result.position, [1, 2, -np.pi], atol=1e-3)

    def test_checkpoints(self):
        path = self.folder / "pso.ck"
        whole = shoal.solve("pso", "host", **SMALL["pso"])
        shoal.solve("pso", "host", checkpoint=path, **{**SMALL["pso"], "iterations": 20})
        resumed = shoal.solve("pso", "host", resume=path, **SMALL["pso"])
        np.testing.assert_array_equal(resumed.position, whole.position)
        # The checkpoint has workload, options and the device host; what may change is given.
        for resumed in (shoal.solve(resume=path, iterations=50), shoal.solve("pso", resume=path, iterations=50)):
            np.testing.assert_array_equal(resumed.position, whole.position)
        self.refuses("is a checkpoint of pso, not of ga$", shoal.solve, "ga", resume=path)
        self.refuses("was made with dim=3, not 4", shoal.solve, resume=path, dim=4)
        with self.assertRaisesRegex(TypeError, "needs a workload, or resume"):
            shoal.solve()

    @in_full
    def test_a_resumed_run_of_arrays(self):
        points, path = np.random.default_rng(1).random((60, 2)), self.folder / "tsp.ck"
        options = {"algorithm": "faco", "data": points}
        whole = shoal.solve("tsp", "host", iterations=40, **options)
        shoal.solve("tsp", "host", checkpoint=path, iterations=15, **options)
        np.testing.assert_array_equal(shoal.solve(resume=path, iterations=40, data=points).order, whole.order)

    def test_progress(self):
        lines = []
        with unittest.mock.patch("sys.stderr", io.StringIO()) as out:
            for call in (lambda: shoal.solve("pso", "host", progress=True, **SMALL["pso"]), lambda: shoal.tour(np.eye(3), progress=True),
                         lambda: shoal.MLP(generate="xor", device="host", epochs=2).train(progress=True),
                         lambda: shoal.fit(lambda t, a: a * t, {"t": [1, 2, 3], "y": [1, 2, 3.5]}, {"a": (0, 5)}, "y", evaluations=100, progress=True),
                         lambda: shoal.Gas("host", particles=16).step(3, progress=True)):
                call()
                lines.append(out.getvalue())
                out.seek(out.truncate(0))
        for line, words in zip(lines, ("pso: step ", "tsp: step ", "mlp: step ", "step ", "gas: step ")):
            self.assertRegex(line, rf"^\r{words}\d+.*\n$")

    def test_arrays_are_for_options_that_read_files(self):
        for workload, options, message in (("mlp", {"hidden": np.ones((40, 3))}, "^hidden is a text, not an object of the type ndarray$"),
                                           ("tsp", {"generate": np.ones(2)}, "^generate is a text, not array"),
                                           ("tsp", {"nonsense": np.ones(2)}, "has no argument nonsense")):
            with self.assertRaisesRegex(TypeError, message):
                shoal.solve(workload, "host", **options)

    def test_arrays_and_frames_in_place_of_files(self):
        points = np.random.default_rng(1).random((30, 2))
        result = shoal.solve("tsp", "host", data=points, iterations=5)
        self.assertEqual(sorted(result.order), list(range(30)))
        legs = np.linalg.norm(points[result.order] - points[np.roll(result.order, -1)], axis=1)
        self.assertAlmostEqual(result.value, legs.sum(), 4)
        rows = np.random.default_rng(2).normal(size=(90, 2))
        table = np.array([(*row, "warm" if row[0] > 0 else "cold") for row in rows], dtype=[("a", float), ("b", float), ("kind", "U4")])
        result = shoal.solve("mlp", "host", data=table, target="kind", hidden="8", epochs=20, trace=0)
        self.assertEqual((result.classes, result.confusion.sum()), (["cold", "warm"], len(result.test_predicted)))
        self.assertGreater(np.trace(result.confusion), 0.7 * result.confusion.sum())
        numbers = shoal.solve("mlp", "host", data=np.column_stack([rows, rows[:, 0] * 2.5]), target="3", hidden="8", epochs=5)
        self.assertEqual(numbers.test_truth.shape, numbers.test_predicted.shape)
        with self.assertRaisesRegex(shoal.Error, "^data: "):
            shoal.solve("tsp", "host", data=np.full((3, 2), np.nan))

    def test_mistakes(self):
        self.refuses("nonexistent", shoal.solve, "pso", "host", resume="/nonexistent", status="file error")
        self.refuses("^particles is 0", shoal.solve, "pso", "host", particles=0)
        self.refuses("nonexistent", shoal.solve, "tsp", "host", data="/nonexistent.tsp", status="file error")

    def test_interruption(self):
        for call in ('shoal.solve("pso", "host", iterations=10**9)',
                     'shoal.solve("gas", "host", particles=100, steps=10**9, thermo=1)'):
            self.is_interrupted(INTERRUPTED.format(call=call))


if __name__ == "__main__":
    main()
