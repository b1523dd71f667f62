#!/usr/bin/env python3
"""The suite thesis-mlp at its small sizes: rows with the figures that the thesis publishes. No time is looked at.

usage: test_thesis_mlp.py SHOAL
"""
import os

import suite


class ThesisMlp(suite.Suite):
    NAME = "thesis-mlp"
    # No letters at hand.
    ENVIRONMENT = {"SHOAL_LETTERS": os.devnull + ".none", "OMP_NUM_THREADS": "2"}

    def test_twins(self):
        run = self.run_cases("thesis-mlp.cpu.worst-vector", "host", "fp32", "rows/s")
        self.assertEqual({row["variant"] for row in run["rows"]}, {"t1", "t2"})
        self.assertIn("-O3", run["rows"][0]["compiler"])

    def test_kernel(self):
        [row] = self.run_cases("thesis-mlp.kernel.v2-dr", "all", "fp32")["rows"]
        self.assertEqual((row["published"], row["published_on"]), (0.00982816, "GTX 280"))
        figures = {figure["name"]: figure["value"] for figure in row["figures"]}
        self.assertEqual((figures["published share"], figures["published, GeForce 9500 GT"]), (0.91, 0.0462429))
        self.assertTrue(0 < figures["share, pass"] < 1)

    def test_run(self):
        for method in ("v2", "best"):
            [row] = self.run_cases(f"thesis-mlp.sweep.{method}-8", "all", "fp32")["rows"]
            figures = {figure["name"]: figure["value"] for figure in row["figures"]}
            self.assertTrue(figures["over scalar code, 1 thread"] > 0 and figures["over vector code, all threads"] > 0)

    def test_letters_at_hand(self):
        run = self.shoal("bench", "--filter", "thesis-mlp.letters.batch-100", "--device", "host", "--no-roofs")
        self.assertIn("set SHOAL_LETTERS", run["skipped"][0]["error"]["message"])

    def test_all_figures_are_there(self):
        for group, count in (("cpu", 8), ("kernel", 10), ("total", 6), ("worst", 3), ("sweep", 22), ("letters", 8)):
            found = [case for case in self.cases if case.startswith(f"thesis-mlp.{group}.")]
            self.assertEqual(len(found), count, group)


suite.main()
