#!/usr/bin/env python3
"""The quality tool of tours: a small measurement on the host, the page from it, and whether that of the docs is what its
result files say.

usage: test_quality_tsp.py QUALITY_TSP.PY SHOAL
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cli"))
import support

TOOL, SHOAL = sys.argv.pop(1), os.path.abspath(sys.argv.pop(1))


def tool(*arguments, **environment):
    return subprocess.run([sys.executable, TOOL, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=300, env=dict(os.environ, **environment))


class QualityTsp(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file, self.page = os.path.join(folder.name, "q.json"), os.path.join(folder.name, "q.md")

    def cell(self, **figures):
        return dict({"cell": "as", "problem": "kroA100", "optimum": 21282, "runs": 100, "mean": 22859 + 3 * 38.6,
                     "mean_error": 31, "arguments": []}, **figures)

    def write(self, *cells, kind="quality-tsp"):
        record = {"schema": 1, "kind": kind, "commit": "abc", "date": "2026-01-01T00:00:00Z", "command": "measure",
                  "device": {"id": "host", "name": "one", "driver": "none"}, "cells": list(cells)}
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump(record, file)

    def test_page(self):
        self.write(self.cell(), self.cell(cell="faco-pr1002", problem="pr1002", optimum=259045, mean=260081.2, mean_error=51.8))
        self.assertEqual(tool("page", self.file, "--out", self.page).returncode, 0)
        with open(self.page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("| as | one | 100 | 22859 (23) | 22975 (31) | +3.0 |", text)
        self.assertIn("| pr1002 | one | 100 | 0.480 (0.033) | 0.400 (0.020) | -2.1 |", text)
        self.assertNotIn("lin318", text)
        with open(self.page, "a", encoding="utf-8") as file:
            file.write("typed\n")
        done = tool("page", self.file, "--out", self.page, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("-typed", done.stdout)

    def test_lists(self):
        lists = {"mean": 11500000, "mean_error": 10000, "steps": 70}
        cell = {"cell": "C1k.0", "problem": "C1k.0", "optimum": 11387430, "runs": 3, "seconds": 2, "variant": "t2",
                "arguments": [], "nearest": lists, "quadrant": dict(lists, mean=11388000, mean_error=100, steps=60)}
        self.write(cell, dict(cell, cell="E3k.0", optimum=None, runs=1, variant=None))
        self.assertEqual(tool("page", self.file, "--out", self.page).returncode, 0)
        with open(self.page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("| C1k.0 | one, 2 threads | 2 | 3 | 0.989 (0.088) | 0.005 (0.001) | 70 | 60 |", text)
        self.assertIn("| E3k.0 | one | 2 | 1 | 11500000 | 11388000 | 70 | 60 |", text)

    def test_measurement_of_lists(self):
        done = tool("run", SHOAL, "--runs", 2, "--seconds", 0.05, "--cells", "C1k.0,E3k.0", "--out", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.file, encoding="utf-8") as file:
            first, second = json.load(file)["cells"]
        self.assertEqual((first["optimum"], first["runs"], second["optimum"]), (11387430, 2, None))
        for lists in ("nearest", "quadrant"):
            self.assertGreaterEqual(first[lists]["mean"], 11387430)
            self.assertGreaterEqual(first[lists]["steps"], 0)

    def test_page_of_the_docs(self):
        done = tool("page", "--check")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_measurement(self):
        if not os.path.exists(os.path.join(os.environ["SHOAL_TSPLIB"], "kroA100.tsp")):
            self.skipTest("kroA100.tsp is not there")
        done = tool("run", SHOAL, "--runs", 2, "--cells", "acs", "--out", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.file, encoding="utf-8") as file:
            record = json.load(file)
        [cell] = record["cells"]
        self.assertEqual((record["command"], cell["optimum"], cell["runs"]),
                         ("bench/quality_tsp.py run shoal --runs 2 --cells acs --out q.json", 21282, 2))
        self.assertTrue(21282 <= cell["mean"] < 22500 and cell["mean_error"] >= 0)

    def test_what_is_refused(self):
        self.write(kind="quality")
        self.assertIn("not a file of tour lengths", tool("page", self.file).stderr)
        self.assertIn("one of as", tool("run", SHOAL, "--cells", "as,none").stderr)
        self.assertIn("two runs", tool("run", SHOAL, "--runs", 1).stderr)
        self.assertIn("SHOAL_TSPLIB", tool("run", SHOAL, "--cells", "as", SHOAL_TSPLIB="").stderr)


support.run_cases(verbosity=0)
