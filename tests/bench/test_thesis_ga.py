#!/usr/bin/env python3
"""The suite thesis-ga at its small sizes: every variant computes what it should. No time is looked at.

usage: test_thesis_ga.py SHOAL
"""
import suite


class ThesisGa(suite.Suite):
    NAME = "thesis-ga"

    def measured(self, pattern, devices="all", unit="evaluations/s"):
        """Rows of the cases that match, by case without the name of the suite."""
        run = self.run_cases(f"thesis-ga.{pattern}", devices, "fp32", unit)
        # Only cases of devices alone have no row on the host.
        self.assertFalse([case for case in run["skipped"] if "it is for devices" not in case["error"]["message"]])
        rows = {}
        for row in run["rows"]:
            rows.setdefault(row["case"].split(".", 1)[1], []).append(row)
        self.assertTrue(rows)
        return rows

    def figures(self, row):
        return {figure["name"]: figure["value"] for figure in row["figures"]}

    def twins(self, rows, scalar):
        for row in rows:
            if row["device"] == "host":
                self.assertIn("-fno-tree-vectorize" if scalar else "-O3", row["compiler"])

    def test_profile(self):
        rows = self.measured("profile.*", "host")
        for name, seconds in (("roulette", 9.10), ("tournament", 6.5)):
            for suffix in ("", "-vector"):
                [row] = rows[f"profile.{name}{suffix}"]
                self.assertEqual((row["variant"], row["published_on"]), ("t1", "Core i7 920, 1 core"))
                self.assertAlmostEqual(row["published"] * seconds, 128 * 100000, 3)
                self.twins([row], not suffix)
        self.assertEqual(len(rows), 4)

    def test_selection(self):
        rows = self.measured("selection.*", "host")
        self.assertEqual(set(rows), {f"selection.{pairs}-pairs{suffix}" for pairs in ("all", "crossing")
                                     for suffix in ("", "-scalar")})
        for case, [row] in rows.items():
            self.twins([row], "scalar" in case)

    def test_baseline(self):
        for case, found in self.measured("cpu.griewank*", "host").items():
            self.twins(found, "scalar" in case)
            for row in found:
                # The thesis counts genes.
                self.assertAlmostEqual(self.figures(row)["gene iterations"] / row["value"], 2, 3)
                self.assertEqual(row["published"], 2e6)

    def test_whole(self):
        functions = {"rosenbrock": 11914, "griewank-100": 7108}
        rows = {}
        for function in functions:
            rows |= self.measured(f"whole.{function}-16x128*")
        self.assertEqual(set(rows), {f"whole.{f}-16x128{suffix}" for f in functions for suffix in ("", "-thesis")})
        for function, published in functions.items():
            for suffix in ("", "-thesis"):
                found = rows[f"whole.{function}-16x128{suffix}"]
                self.assertGreaterEqual(len({row["device"] for row in found}), 2)
                self.twins(found, suffix)
                for row in found:
                    self.assertEqual((row["published"], row["published_on"]), (published * 5e5, "8800 GTX, above its roof"))

    def test_fast_functions(self):
        for function in ("griewank", "michalewicz"):
            self.measured(f"whole.{function}-8192x32-native")

    def test_migration(self):
        for pattern, count in (("migration.interval-[15]", 2), ("migration.migrants-64", 1), ("migration.n*", 2),
                               ("migration.epochs-10", 1)):
            self.assertEqual(len(self.measured(pattern)), count)

    def test_rates(self):
        self.assertEqual(len(self.measured("rates.mutation-0.25*")), 2)
        self.assertEqual(len(self.measured("rates.crossover-0.0*")), 2)

    def test_numbers(self):
        rows = self.measured("numbers.[rmhb]*", "host", "numbers/s")
        self.assertEqual({case: found[0]["published"] for case, found in rows.items()},
                         {"numbers.rand": 114e6, "numbers.mersenne-twister": 270e6, "numbers.hybridtaus": 220e6,
                          "numbers.box-muller": 12e6})
        rows |= self.measured("numbers.*-128x256*", unit="numbers/s")
        for case, found in rows.items():
            for row in found:
                if "rand" in case or "twister" in case:
                    continue
                normal = "normal" in case or "box" in case
                figures = self.figures(row)
                self.assertAlmostEqual(figures["mean"], 0 if normal else 0.5, 2)
                if not normal:
                    self.assertEqual((figures["identical"], figures["largest error"]), (1, 0))

    def test_evaluation(self):
        rows = self.measured("evaluation.michalewicz*")
        self.assertEqual({case.split(".")[1]: found[0]["published"] for case, found in rows.items()},
                         {"michalewicz": 2077e6, "michalewicz-native": 4460e6, "michalewicz-transfers": 224e6,
                          "michalewicz-scalar": 6.4e6, "michalewicz-vector": 6.4e6})
        for case, found in rows.items():
            for row in found:
                self.twins([row], "scalar" in case)
                figures = self.figures(row)
                self.assertTrue(0 < figures["mean error"] < figures["largest error"] and figures["identical"] < 0.5)

    # The least of Griewank's function is 0, the mean over the box above 1.
    def test_quality(self):
        rows = self.measured("quality.*-32", unit="s")
        self.assertEqual(set(rows), {"quality.plain-32", "quality.elitism-32", "quality.ours-32"})
        for found in rows.values():
            for row in found:
                figures = self.figures(row)
                self.assertTrue(0 <= figures["median best"] < 0.05 and 0 < figures["mean best"] < 0.05, row)
                self.assertLess(figures["its standard error"], 0.5 * figures["mean best"])

    def test_all_figures_are_there(self):
        for group, count in (("profile", 4), ("selection", 8), ("cpu", 16), ("whole", 62), ("migration", 13), ("rates", 24), ("energy", 2),
                             ("quality", 12), ("numbers", 19), ("evaluation", 14)):
            found = [case for case in self.cases if case.startswith(f"thesis-ga.{group}.")]
            self.assertEqual(len(found), count, group)


suite.main()
