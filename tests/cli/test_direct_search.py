#!/usr/bin/env python3
"""shoal nelder-mead, pattern, random: what they find, where they end, and what they refuse."""

import json

import support
from support import Case

NAMES = ("nelder-mead", "pattern", "random")
# Without a refinement, which would find the last digits for any of them.
RAW = ["--refine", "none", "--shift", "1", "--json"]


class DirectSearch(Case):
    def result(self, *args):
        return json.loads(self.succeeds(*args, "--device", "host"))["rows"][0]["result"]

    def successes(self, *args):
        return self.result(*args, *RAW, "--runs", "10")["fields"]["successes"]

    def test_minima(self):
        budget = ["--dim", "5", "--evaluations", "20000"]
        for function in ("sphere", "ellipsoid", "schwefel-1.2"):
            self.assertEqual(self.successes("nelder-mead", "--function", function, *budget), 10, function)
        for function in ("sphere", "ellipsoid"):
            self.assertEqual(self.successes("pattern", "--function", function, *budget), 10, function)
        self.assertEqual(self.successes("nelder-mead", "--function", "rosenbrock", "--dim", "2", *budget[2:]), 10)
        # Only restarts find the least of its many minima.
        self.assertEqual(self.successes("nelder-mead", "--dim", "2", "--evaluations", "20000"), 10)

    def test_random_points_have_the_known_distribution(self):
        # The least of n values x^2 with x uniform in -5.12 to 5.12 has its median near (5.12 ln 2 / n)^2.
        best = self.result("random", "--function", "sphere", "--dim", "1", "--evaluations", "10000", "--runs", "400",
                           "--refine", "none", "--json")["fields"]["median"]
        self.assertTrue(0.75 < best ** 0.5 / (5.12 * 0.6931 / 10000) < 1.35, best)

    def test_one_dimension(self):
        for name in NAMES:
            self.assertLess(self.result(name, "--function", "rastrigin", "--dim", "1", "--evaluations", "5000",
                                        "--json")["value"], 1e-8, name)

    def test_equal_values_everywhere(self):
        for name in NAMES:
            result = self.result(name, "--expr", "sum(0*x[i]) + 3", "--lower", "0", "--upper", "1", "--dim", "3", *RAW[:2],
                                 "--evaluations", "500", "--json")
            self.assertEqual((result["value"], result["fields"]["end"]), (3, "evaluations"), name)

    def test_a_search_ends_by_itself(self):
        for name in NAMES:
            end = self.result(name, "--function", "sphere", "--dim", "3", "--json")["fields"]["end"]
            self.assertIn(end, ("converged", "stagnated", "evaluations"), name)

    def test_start_points(self):
        for name in NAMES:
            result = self.result(name, "--function", "sphere", "--dim", "2", "--start", "1e-9,0", "--iterations", "1",
                                 "--refine", "none", "--json")
            self.assertLess(result["value"], 1e-17, name)

    def test_resumed_equals_uninterrupted(self):
        path = self.folder / "a.ckp"
        for name in NAMES:
            words = [name, "--function", "rastrigin", "--dim", "3", "--islands", "3", "--exchange", "7", "--refine", "none"]
            whole = self.result(*words, "--iterations", "400", "--json")
            self.succeeds(*words, "--iterations", "171", "--checkpoint", path, "--device", "host")
            self.assertEqual(self.result("--resume", path, "--iterations", "400", "--json"), whole, name)

    def test_devices(self):
        # As the host makes them, but for rounding.
        for name in NAMES:
            words = [name, "--function", "sphere", "--dim", "3", "--islands", "2", "--iterations", "20", *RAW]
            of_host = self.result(*words)["value"]
            for method in ("onchip", "pipeline"):
                of_device = json.loads(self.succeeds(*words, "--method", method, "--device", self.needs_opencl()))
                self.assertAlmostEqual(of_device["rows"][0]["result"]["value"], of_host, delta=1e-9 * abs(of_host) + 1e-12)

    def test_refused(self):
        for name in NAMES:
            message = self.fails(2, name, "--expr", "sum(x[i])", "--variables", "x1-x3 integer 0 4")
            self.assertIn(f"x1 is an integer: {name} takes reals alone; take ga", message)
        self.assertIn("--evaluations 3 is below the 11 vertices of step 0",
                      self.fails(2, "nelder-mead", "--dim", "10", "--evaluations", "3"))
        self.assertIn("--evaluations 99 is below the 100 individuals of step 0",
                      self.fails(2, "ga", "--evaluations", "99"))


if __name__ == "__main__":
    support.main()
