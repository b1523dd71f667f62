#!/usr/bin/env python3
"""The quality tool of nets: a small measurement on the host, the page from it, and whether that of the docs is what its
result files say.

usage: test_quality_mlp.py QUALITY_MLP.PY SHOAL
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


class QualityMlp(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file, self.page = os.path.join(folder.name, "q.json"), os.path.join(folder.name, "q.md")

    def test_page(self):
        cell = {"cell": "letters", "nets": 10, "figure": "accuracy", "mean": 0.9, "mean_error": 0.001, "seconds": 20,
                "arguments": ["--hidden", "63"]}
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump({"schema": 1, "kind": "quality-mlp", "commit": "abc", "date": "2026-01-01T00:00:00Z",
                       "command": "measure", "device": {"id": "host", "name": "one", "driver": "none"},
                       "cells": [cell, dict(cell, cell="robot", figure="r2", arguments=[])]}, file)
        # A later run of a cell takes its place; scores beside scikit-learn have a table of their own.
        later, peers = self.file.replace("q.json", "r.json"), self.file.replace("q.json", "a-sklearn-b.json")
        with open(self.file, encoding="utf-8") as file:
            record = json.load(file)
        record.update(date="2025-01-01T00:00:00Z", cells=[dict(cell, mean=0.1)])
        with open(later, "w", encoding="utf-8") as file:
            json.dump(record, file)
        record.update(kind="sklearn-mlp", scikit_learn="1.2.3",
                      cells=[{"set": "iris", "figure": "accuracy", "shoal": [0.9, 1], "defaults": [0.8, 0.8],
                              "scaled": [0.7, 0.8]}])
        with open(peers, "w", encoding="utf-8") as file:
            json.dump(record, file)
        self.assertEqual(tool("page", later, self.file, peers, "--out", self.page).returncode, 0)
        with open(self.page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("| iris | one | accuracy | 2 | 0.9500 | 0.7500 | 0.8000 |", text)
        self.assertNotIn("10.00 (0.10)", text)
        self.assertIn("| letters | one | 10 | 90 | 90.00 (0.10) | 2.00 | `--hidden 63` |", text)
        self.assertIn("| robot | one | 10 | 0.77 | 0.900 (0.001) | 2.00 | none |", text)

    def test_page_of_the_docs(self):
        done = tool("page", "--check")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_measurement(self):
        if not os.path.exists("/usr/share/doc/libfann-dev/examples/datasets/robot.train"):
            self.skipTest("the package libfann-doc is not installed")
        done = tool("run", SHOAL, "--nets", 2, "--cells", "robot", "--out", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.file, encoding="utf-8") as file:
            record = json.load(file)
        [cell] = record["cells"]
        self.assertEqual((record["command"], cell["figure"], cell["nets"]),
                         ("bench/quality_mlp.py run shoal --nets 2 --cells robot --out q.json", "r2", 2))
        self.assertTrue(0.7 < cell["mean"] < 0.95 and cell["mean_error"] >= 0)

    def test_what_is_refused(self):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write('{"schema": 1, "kind": "quality"}')
        self.assertIn("not a file of nets' scores", tool("page", self.file).stderr)
        self.assertIn("one of fashion", tool("run", SHOAL, "--cells", "none").stderr)
        self.assertIn("two or more", tool("run", SHOAL, "--nets", 1).stderr)
        self.assertIn("SHOAL_LETTERS", tool("run", SHOAL, "--cells", "letters", SHOAL_LETTERS="").stderr)


support.run_cases(verbosity=0)
