#!/usr/bin/env python3
"""shoal.solve: every workload."""
import unittest

import numpy as np
import shoal
from support import INTERRUPTED, Case

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

    def test_mistakes(self):
        self.refuses("nonexistent", shoal.solve, "pso", "host", resume="/nonexistent", status="file error")
        self.refuses("^particles is 0", shoal.solve, "pso", "host", particles=0)
        self.refuses("nonexistent", shoal.solve, "tsp", "host", data="/nonexistent.tsp", status="file error")

    def test_interruption(self):
        for call in ('shoal.solve("pso", "host", iterations=10**9)',
                     'shoal.solve("gas", "host", particles=100, steps=10**9, thermo=1)'):
            self.is_interrupted(INTERRUPTED.format(call=call))


if __name__ == "__main__":
    unittest.main()
