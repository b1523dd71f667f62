#!/usr/bin/env python3
"""The suite thesis-pso at its small sizes: every mapping computes what it should. No figure is looked at.

usage: test_thesis.py SHOAL
"""
import os

import suite

CHART_PARTICLES = (128, 512, 2048, 8192, 32768, 131072)


class Thesis(suite.Suite):
    NAME = "thesis-pso"

    def measured(self, pattern):
        """Rows of the cases that match, each with a figure."""
        run = self.run_cases(pattern, "all", "fp64")
        for row in run["rows"]:
            if row["device"] == "host":
                self.assertIn(", -O", row["compiler"])
        for case in run["skipped"]:
            self.assertIn("large for a CPU", case["error"]["message"])
        self.assertTrue(run["rows"])
        return run["rows"]

    def published(self, pattern, figures):
        """The cases that match have a row on every device with the published figure in microseconds."""
        rows = self.measured(pattern)
        for row in rows:
            place = row["case"].split(".")[2]
            self.assertAlmostEqual(row.get("published", 0), figures[place] * 1e-6, 12)
            self.assertEqual(row.get("published_on", "GTX660Ti"), "GTX660Ti")
        devices = {row["device"] for row in rows} - {"host"}
        for device in devices:
            self.assertEqual({row["case"].split(".")[2] for row in rows if row["device"] == device}, set(figures))
        return rows

    def twins(self, rows, scalar, blocked):
        """The host's rows are those of the scalar twin and of the blocked one at these places, on one thread and on
        all."""
        threads, found = int(os.environ.get("OMP_NUM_THREADS", len(os.sched_getaffinity(0)))), {}
        for row in rows:
            if row["device"] == "host":
                found.setdefault(row["case"].split(".")[2].rsplit("-", 1)[0], {})[row["variant"]] = row["compiler"]
        self.assertEqual(set(found), scalar | blocked)
        for place, compilers in found.items():
            self.assertIn("t1", compilers)
            self.assertEqual(len(compilers), 1 if threads == 1 else 2)
            for compiler in compilers.values():
                self.assertIn("-fno-tree-vectorize" if place in scalar else "-O3", compiler)

    def test_every_table_and_chart_is_there(self):
        for table, sizes in ((3, 4), (4, 2), (5, 5), (6, 4), (7, 4), (8, 4), (9, 1)):
            cases = {case for case in self.cases if case.startswith(f"thesis-pso.table{table}.")}
            found = {case.rsplit("-", 1)[1] for case in cases if table != 9}
            self.assertEqual(len(found), sizes if table != 9 else 0, cases)
            self.assertTrue(cases)
        wanted = {f"thesis-pso.chart{f}.f{f}-{m}" for f in range(1, 5) for m in CHART_PARTICLES}
        wanted |= {f"thesis-pso.chart{5 + k}.f{f}-{m}" for k, m in enumerate((128, 512, 2048)) for f in range(6, 10)}
        wanted |= {f"thesis-pso.chart8.f10-{m}" for m in (64, 128, 512, 2048)}
        wanted |= {case + "-thesis" for case in wanted}
        self.assertEqual({case for case in self.cases if ".chart" in case}, wanted)

    def test_argmin(self):
        rows = self.published("thesis-pso.table3.*-16384", {
            "shared-16384": 12, "shfl-16384": 8, "vol-16384": 9, "warp-first-16384": 0, "ours-16384": 8})
        self.twins(rows, {"shared", "shfl", "vol"}, {"ours"})

    def test_move(self):
        rows = self.published("thesis-pso.table4.*-2048", {"glob-2048": 0, "reg-2048": 0, "philox-2048": 0})
        self.twins(rows, {"glob", "reg"}, {"philox"})

    def test_dimensions(self):
        self.published("thesis-pso.table5.*-128x128", {
            "thread-128x128": 18, "block-128x128": 4, "mod-128x128": 4, "lanes-128x128": 4})

    def test_rows(self):
        self.published("thesis-pso.table6.*-8x4096", {
            "thread-8x4096": 2431, "warp2-8x4096": 128, "block2-8x4096": 89, "rows-8x4096": 89})
        self.published("thesis-pso.table7.*-8x64", {
            "thread-8x64": 59, "warp2-8x64": 25, "block2-8x64": 29, "rows-8x64": 29})

    def test_iterations_over_dimensions(self):
        rows = self.measured("thesis-pso.chart[1-4].f*-128*")
        self.assertEqual(len({row["case"] for row in rows}), 8)
        compilers = {row["case"][-7:] == "-thesis": row["compiler"] for row in rows if row["device"] == "host"}
        self.assertIn("-fno-tree-vectorize", compilers[True])
        self.assertIn("-O3", compilers[False])

    def test_iterations_over_rows(self):
        rows = self.measured("thesis-pso.chart5.f6-128*")
        self.assertEqual(len({row["case"] for row in rows}), 2)

    def test_large_sizes_are_left_out(self):
        run = self.shoal("bench", "--filter", "thesis-pso.table8.rows-8x409[6]", "--device", "host", "--no-roofs")
        self.assertEqual(run["rows"], [])
        self.assertIn("give the full name thesis-pso.table8.rows-8x4096 ", run["skipped"][0]["error"]["message"])


suite.main()
