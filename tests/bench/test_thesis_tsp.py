#!/usr/bin/env python3
"""The suite thesis-tsp at its small sizes: rows with the gains that the thesis publishes, and its studies. No time is
looked at.

usage: test_thesis_tsp.py SHOAL
"""
import os

import suite


class ThesisTsp(suite.Suite):
    NAME = "thesis-tsp"
    # No folder of problems at hand.
    ENVIRONMENT = {"SHOAL_TSPLIB": os.devnull, "OMP_NUM_THREADS": "2"}

    def measured(self, pattern, devices="host"):
        """Figures of the rows of the cases that match, by case and variant."""
        run = self.run_cases(pattern, devices, "fp32")
        self.assertFalse(run["skipped"])
        return {(row["case"].split(".", 1)[1], row["variant"]): {figure["name"]: figure["value"] for figure in row["figures"]}
                for row in run["rows"]}

    def test_levels(self):
        rows = self.measured("thesis-tsp.macro.u500", "all")
        self.assertEqual({variant for _, variant in rows}, {"t1", "t2", "cl"})
        # Of the same tour.
        self.assertEqual(len({figures["length"] for figures in rows.values()}), 1)
        device, all_threads = rows["macro.u500", "cl"], rows["macro.u500", "t2"]
        self.assertEqual((device["published, Pentium E6600 t1"], device["published, Pentium E6600 t2"]), (0.75, 0.5))
        self.assertTrue(device["over 1 thread"] > 0 and device["over all threads"] > 0)
        self.assertGreater(all_threads["over 1 thread"], 0)
        self.assertNotIn("over all threads", all_threads)
        self.assertEqual(set(rows["macro.u500", "t1"]), {"length"})

    def test_study(self):
        [figures] = self.measured("thesis-tsp.study.cycles-1").values()
        self.assertEqual(figures["problems"], 2)
        self.assertTrue(0.05 < figures["mean over optimum"] <= figures["most over optimum"] < 0.15)

    def test_absent_problem_has_a_substitute(self):
        rows = self.measured("thesis-tsp.whole.eil51")
        self.assertEqual({case for case, _ in rows}, {"whole.eil51-u51"})
        for figures in rows.values():
            self.assertGreater(figures["length"], 1e6)  # uniform cities lie in a square of side 1e6
            self.assertNotIn("over optimum: macro", figures)

    def test_all_figures_are_there(self):
        for group, count in (("macro", 9), ("macro-all", 9), ("micro", 9), ("whole", 18), ("study", 24 + 63 + 5 + 6)):
            found = [case for case in self.cases if case.startswith(f"thesis-tsp.{group}.")]
            self.assertEqual(len(found), count, group)
        for technique in ("macro-squad-1", "macro-squad-8", "squad-1", "squad-4", "global", "local", "skewed", "triangle",
                          "one-by-one", "late", "piece-48", "piece-192", "piece-256"):
            self.assertTrue({f"thesis-tsp.{technique}.u{n}" for n in (1400, 9152)} <= self.cases, technique)


suite.main()
