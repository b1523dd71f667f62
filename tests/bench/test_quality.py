#!/usr/bin/env python3
"""The quality tool: its test of ranks, a small measurement on the host, the page from it.

usage: test_quality.py QUALITY.PY SHOAL
"""
import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cli"))
import support

TOOL, SHOAL = sys.argv.pop(1), os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, os.path.dirname(os.path.abspath(TOOL)))
spec = importlib.util.spec_from_file_location("quality", TOOL)
quality = importlib.util.module_from_spec(spec)
spec.loader.exec_module(quality)


def tool(*arguments):
    return subprocess.run([sys.executable, TOOL, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=300)


class Ranks(unittest.TestCase):
    """Values of wilcox.test(x, y, exact = FALSE) of R 4.2."""

    def test_apart(self):
        p, better = quality.rank_sum([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])
        self.assertAlmostEqual(p, 0.01218578, 7)
        self.assertEqual(better, 1)
        self.assertEqual(quality.rank_sum([6, 7, 8, 9, 10], [1, 2, 3, 4, 5]), (p, 0))

    def test_same(self):
        self.assertEqual(quality.rank_sum([1, 1, 1], [1, 1]), (1.0, 0.5))
        self.assertEqual(quality.rank_sum([1, 2, 3], [1, 2, 3]), (1.0, 0.5))

    def test_runs_without_a_value_are_the_worst(self):
        self.assertEqual(quality.rank_sum([1.0, 2.0], [float("inf")] * 2)[1], 1)


class Measurement(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file, self.page = os.path.join(folder.name, "q.json"), os.path.join(folder.name, "q.md")

    def test_file_and_page(self):
        done = tool("run", SHOAL, "--device", "host", "--runs", 4, "--evaluations", 10000, "--functions",
                    "rastrigin", "--out", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.file, encoding="utf-8") as file:
            record = json.load(file)
        self.assertEqual((record["schema"], record["kind"], record["runs"]), (1, "quality", 4))
        listed = subprocess.run([SHOAL, "bench", "--list", "--json"], stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(record["commit"], json.loads(listed)["commit"])
        parts = [cell["part"] for cell in record["cells"]]
        self.assertEqual({part: parts.count(part) for part in quality.PARTS},
                         {"methods": 20, "reference": 2, "strategies": 12})
        for cell in record["cells"]:
            self.assertLessEqual(cell["evaluations"] / 4, cell["budget"], cell)
            self.assertGreater(cell["evaluations"] / 4, 0.75 * cell["budget"], cell)
            self.assertLessEqual(cell["min"], cell["median"])
            self.assertLessEqual(cell["median"], cell["max"])
            if cell["part"] == "strategies" and cell["strategy"] != "plain":
                self.assertTrue(0 <= cell["p"] <= 1 and 0 <= cell["better"] <= 1, cell)
        self.assertEqual(tool("page", self.file, "--out", self.page).returncode, 0)
        with open(self.page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("| rastrigin | asynchronous | mean | 24.5 (0.4) |", text)
        self.assertIn("| rastrigin | islands |", text)
        self.assertEqual(tool("page", self.file, "--out", self.page, "--check").returncode, 0)
        with open(self.page, "a", encoding="utf-8") as file:
            file.write("typed\n")
        done = tool("page", self.file, "--out", self.page, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("-typed", done.stdout)

    def test_defaults(self):
        done = tool("defaults", SHOAL, "--programs", "pso", "--dims", "1,2", "--runs", 2, "--evaluations", 1000, "--try",
                    "pso polished: --update fips --polish 30%", "--try", "pso odd: --topology ring --neighbours 3", "--out",
                    self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.file, encoding="utf-8") as file:
            record = json.load(file)
        self.assertEqual((record["kind"], record["runs"], record["device"]["id"]), ("quality-defaults", 2, "host"))
        cells = record["cells"]
        self.assertEqual(len({cell["seed"] for cell in cells}), len(cells))
        found = {(cell["setting"], cell["function"], cell["dim"]): cell for cell in cells}
        simple = found["polished", "ellipsoid", 2]
        self.assertEqual((simple["successes"], simple["reason"]), (2, None))
        self.assertLessEqual(simple["worst"], 1e-8)
        for cell in cells:
            if cell["setting"] == "polished" and not cell["reason"]:
                # Whole steps of 40 particles.
                self.assertLess(cell["evaluations"], 2 * (1000 * cell["dim"] + 40), cell)
        self.assertIn("--dim 2 or more", found["polished", "rosenbrock", 1]["reason"])
        self.assertIn("--neighbours", found["odd", "ackley", 2]["reason"])
        self.assertEqual(tool("page", self.file, "--out", self.page).returncode, 0)
        with open(self.page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("### 2 dimensions", text)
        self.assertIn("| pso, polished | `--update fips --polish 600` |", text)

    def test_other_programs_are_on_the_page(self):
        cells = [{"program": "one", "function": function, "successes": successes, "evaluations": 100, "median": 0, "worst": 1,
                  "seconds": 1} for function, successes in (("ackley", 4), ("griewank", 1))]
        cells.append({**cells[0], "program": "two"})
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump({"schema": 1, "kind": "quality-peers", "date": "2020-01-02T03:04:05Z", "command": "c", "machine": "m",
                       "versions": {"a": "1.2"}, "dim": 10, "shift": "sine", "runs": 4, "evaluations": 10000, "success": 1e-8,
                       "cells": cells}, file)
        done = tool("page", self.file, "--out", self.page)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("| one | 62.5 | 25 | 100.0 | 25.0 |", text)
        self.assertIn("| two | 100.0 | 25 | 100.0 | - |", text)

    def test_the_benchmark_bbob(self):
        self.assertEqual(tool("bbob", SHOAL, "--dims", "2,5", "--functions", "1,7,8", "--instances", "1-2", "--budget", "1000", "--algorithm",
                              "cmaes", "--with", "population=9", "--out", self.file).returncode, 0)
        self.assertEqual(tool("page", self.file, "--out", self.page).returncode, 0)
        with open(self.page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("## BBOB, cmaes with population=9: ", text)
        self.assertIn("- D = 2: 3 of 3 functions are solved on more than half of the instances.\n", text)
        self.assertRegex(text, r"- D = 5: \d of 3 .* The geometric mean of the ratios of f7 to f18 is \d+\.\d\d")
        self.assertRegex(text, r"\n\| f1 \| 2 of 2, \S+ \| 2 of 2, \S+ \(\d+\.\d\d\) \|\n")

    def test_functions_have_their_minimum_at_the_shift(self):
        """By search from the minimum itself."""
        import quality_defaults as defaults
        with tempfile.TemporaryDirectory() as folder:
            for function, (_, half) in defaults.ALL.items():
                centre = [defaults.SHIFTS["sine"][1](i, half) for i in (1, 2, 3)]
                if function == "scales":
                    centre = [0.3e6 * math.sin(7), 0.3 * math.sin(14), 0.3 * math.sin(21)]
                elif function in ("rosenbrock", "schwefel-2.26"):
                    centre = [1 if function == "rosenbrock" else 420.968746359982] * 3
                done = subprocess.run([SHOAL, "pso", "--device", "host", "--json", "--particles", "4", "--iterations", "1",
                                       "--start=" + ",".join(map(repr, centre)),
                                       *defaults.problem_options(function, 3, "sine", folder)],
                                      stdout=subprocess.PIPE, check=True)
                value = json.loads(done.stdout)["rows"][0]["result"]["value"]
                self.assertLess(abs(value), 1e-9, function)

    def test_what_is_refused(self):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write("{}")
        self.assertIn("not a quality file", tool("page", self.file).stderr)
        self.assertIn("--try", tool("defaults", SHOAL, "--settings", "none", "--try", "tsp x: --seed 1").stderr)
        self.assertIn("one of sphere", tool("run", SHOAL, "--functions", "sphere,none").stderr)
        self.assertIn("too few", tool("run", SHOAL, "--evaluations", 100, "--parts", "strategies").stderr)
        self.assertIn("exit code 3", tool("run", SHOAL, "--device", "nosuch:1", "--runs", 2).stderr)


support.run_cases()
