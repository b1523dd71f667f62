#!/usr/bin/env python3
"""The suite thesis-gas at its small sizes: every variant computes what it should. No time is looked at.

usage: test_thesis_gas.py SHOAL
"""
import suite

LADDER = ("basic", "mti", "mti-array", "mtj", "mtij", "mtj-wide", "mtij-wide", "mtj-wide-fission",
          "mtj-wide-fission-mem", "mtij-wide-fission-mem", "mti-fission-mem", "mti-fission-fusion-mem",
          "mti-fission-fusion-mem-u2", "mtij-wide-fission-fusion-mem", "mti-blocked", "vectors")


class ThesisGas(suite.Suite):
    NAME = "thesis-gas"
    # One thread: several are tested by test_thesis_gas_cpu.c, and wait for each other on a busy machine.
    ENVIRONMENT = {"OMP_NUM_THREADS": "1"}

    def measured(self, pattern, devices="all"):
        """Rows of the cases that match, each with a figure, by case; the reasons of those that have none."""
        run = self.run_cases(pattern, devices, "fp32")
        rows = {}
        for row in run["rows"]:
            rows.setdefault(row["case"], []).append(row)
        return rows, {case["case"]: case["error"]["message"] for case in run["skipped"]}

    def figures(self, row):
        return {figure["name"]: figure["value"] for figure in row["figures"]}

    def test_ladder(self):
        rows, skipped = self.measured("thesis-gas.ladder.*-2048", "host")
        self.assertEqual(set(rows), {f"thesis-gas.ladder.{name}-2048" for name in LADDER})
        self.assertFalse(skipped)
        for case, found in rows.items():
            for row in found:
                self.assertIn(", -O3", row["compiler"])
                figures = self.figures(row)
                self.assertAlmostEqual(figures["frames"] * row["value"], 1, 1)
                pairs, flops = figures["pairs"], figures["thesis flop"]
                # Each pair once: half as many iterations, of 13 operations; else 11, 13 or 18.
                once = case.split(".")[2].startswith("mtij")
                wanted = (6.5,) if once else (11, 13, 18)
                self.assertTrue(any(abs(flops / pairs - each) < 0.01 for each in wanted), (case, flops / pairs))

    def test_racy_variants_are_named(self):
        rows, skipped = self.measured("thesis-gas.ladder.*-racy", "host")
        self.assertFalse(rows)
        self.assertEqual(len(skipped), 3)
        for message in skipped.values():
            self.assertRegex(message, "lock|race")

    def test_published_figures_of_the_stride_experiment(self):
        cases = [f"thesis-gas.stride.{kind}-{m}" for kind in ("mtj", "mti") for m in range(1, 9)]
        self.assertTrue(set(cases) <= self.cases)
        rows, _ = self.measured("thesis-gas.stride.mtj-8", "host")
        row = rows["thesis-gas.stride.mtj-8"][0]
        self.assertEqual((row["variant"], row["published"]), ("t1", 0.182))
        self.assertAlmostEqual(self.figures(row)["for all j"] / row["value"], 8, 1)

    def test_cases_of_one_thread_make_one_row(self):
        self.addCleanup(self.ENVIRONMENT.update, self.ENVIRONMENT.copy())
        self.ENVIRONMENT["OMP_NUM_THREADS"] = "2"
        rows, _ = self.measured("thesis-gas.stride.mtj-8", "host")
        self.assertEqual([row["variant"] for row in rows["thesis-gas.stride.mtj-8"]], ["t1"])

    def test_cases_for_the_host_are_named_elsewhere(self):
        rows, skipped = self.measured("thesis-gas.stride.mtj-*", "cpu")
        self.assertFalse(rows)
        self.assertEqual(len(skipped), 8)
        for message in skipped.values():
            self.assertIn("give --device host", message)

    def test_far_kernels(self):
        rows, _ = self.measured("thesis-gas.table6")
        self.assertEqual({case.split(".")[2] for case in rows},
                         {"2k", "2k-unrolled", "ha1", "ha1-unrolled", "ha3", "linear"})
        for found in rows.values():
            for row in found:
                self.assertGreater(row["published"], 0)

    def test_sorts_on_the_host(self):
        rows, _ = self.measured("thesis-gas.table46.tiled3-8192-*")
        self.assertEqual({case.rsplit("-", 1)[1] for case in rows}, {"v1", "v2"})
        for found in rows.values():
            for row in found:
                self.assertGreater(self.figures(row)["sort on the host"], 0)
                self.assertGreater(self.figures(row)["copies for it"], 0)
                self.assertGreater(self.figures(row)["speed-up with sort"], 0)
                self.assertGreater(self.figures(row)["speed-up of kernels"], 0)
                # n (12 k1 n / k + 15 k2 + 8) + k (6 k + 8 k3), against 12 n^2.
                n, k, k1, k2 = 8192, 2500, 9, 296
                count = n * (12 * k1 * n / k + 15 * k2 + 8) + k * (6 * k + 8 * (k - k1 - k2))
                self.assertAlmostEqual(self.figures(row)["speed-up by operations"], 12 * n * n / count, 3)

    # Of all schemes with each number of near cells: test_gas_cells.c.
    def test_errors_of_the_schemes(self):
        rows = {}
        for scheme in ("corrected", "tiled3"):
            rows.update(self.measured(f"thesis-gas.accuracy.{scheme}-droplets-16384")[0])
        errors = {case.split(".")[2].replace("-droplets-16384", ""): found[0]["error"] for case, found in rows.items()}
        self.assertEqual(set(errors), {"tiled3", "corrected"})
        self.assertLess(errors["corrected"], 3e-3)
        self.assertLess(5 * errors["corrected"], errors["tiled3"])
        self.assertLess(errors["tiled3"], 0.03)

    def test_all_tables_are_there(self):
        for table, least in (("table43", 8), ("table44", 4), ("table46", 14), ("table6", 6), ("real", 4), ("cores", 27),
                             ("false-sharing", 8), ("utilisation", 22), ("growth", 15), ("cpu-cells", 10)):
            found = [case for case in self.cases if case.startswith(f"thesis-gas.{table}.")]
            self.assertGreaterEqual(len(found), least, table)


suite.main()
