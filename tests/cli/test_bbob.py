#!/usr/bin/env python3
"""shoal bench bbob: counts of evaluations, tables, files of COCO, and what it refuses."""

import importlib.util
import json
import math
import re

import support
from support import Case

BENCH = ["bench", "bbob", "--device", "host"]
SMALL = [*BENCH, "--functions", "1,5", "--dims", "2,3", "--instances", "1-4", "--budget", "300"]


class Bbob(Case):
    def document(self, *args):
        return json.loads(self.succeeds(*args, "--json"))

    def refused(self, message, *args):
        self.assertIn(message, self.fails(2, *BENCH, *args))

    def test_counts_are_the_same_with_any_number_of_trials_at_the_same_time(self):
        for algorithm in ("auto", "cmaes"):
            alone, together = (self.document(*SMALL, "--algorithm", algorithm, "--parallel", n) for n in ("1", "3"))
            self.assertEqual(alone["rows"], together["rows"])
            self.assertEqual([(row["function"], row["dim"]) for row in alone["rows"]], [(1, 2), (1, 3), (5, 2), (5, 3)])
            for row in alone["rows"]:
                for trial in row["trials"]:
                    self.assertLessEqual(trial["evaluations"], 300 * row["dim"])
                    self.assertIsNone(trial["error"])

    def test_average_run_times_are_those_of_the_files(self):
        folder = self.folder / "coco"
        document = self.document(*SMALL, "--budget", "120", "--algorithm", "cmaes", "--coco", folder, "--name", "it's")
        self.assertTrue(any(None in row["art"] for row in document["rows"]))
        for row in document["rows"]:
            stem = folder / "data_f{function}/bbobexp_f{function}_DIM{dim}".format(**row)
            trials = []
            for line in stem.with_suffix(".dat").read_text().splitlines():
                if line.startswith("%"):
                    trials.append([])
                else:
                    trials[-1].append([float(word) for word in line.split()])
            self.assertEqual([trial[-1][0] for trial in trials], [trial["evaluations"] for trial in row["trials"]])
            self.assertTrue(all(len(line) == 5 + row["dim"] for trial in trials for line in trial))
            for target, art in zip(document["targets"], row["art"]):
                hits = [next((line[0] for line in trial if line[2] <= target * (1 + 1e-9)), None) for trial in trials]
                count = sum(hit is not None for hit in hits)
                spent = sum(trial[-1][0] if hit is None else hit for hit, trial in zip(hits, trials))
                self.assertEqual(art, spent / count if count else None)
        info = (folder / "bbobexp_f5.info").read_text().splitlines()
        self.assertEqual(len(info), 6)
        self.assertIn("funcId = 5, DIM = 2, Precision = 1.000e-08, algId = 'it_s'", info[0])
        self.assertRegex(info[5], r"^data_f5/bbobexp_f5_DIM3.dat(, [1-4]:\d+\|\S+){4}$")

    @support.unittest.skipIf(importlib.util.find_spec("cocopp") is None, "cocopp is not installed")
    def test_cocopp_reads_the_files(self):
        import cocopp

        folder = self.folder / "coco"
        document = self.document(*SMALL, "--algorithm", "cmaes", "--instances", "1-15", "--coco", folder)
        sets = cocopp.load(str(folder))
        self.assertEqual(len(sets), 4)
        for row in document["rows"]:
            found = next(one for one in sets if (one.funcId, one.dim) == (row["function"], row["dim"]))
            self.assertEqual(list(found.instancenumbers), list(range(1, 16)))
            for art, theirs in zip(row["art"], found.detERT(document["targets"])):
                self.assertAlmostEqual(art if art is not None else math.inf, theirs)

    def test_a_search_that_ends_starts_again(self):
        once = ["--functions", "3", "--dims", "5", "--instances", "1-2", "--budget", "2000", "--algorithm", "de"]
        row = self.document(*BENCH, *once, "--with", "stagnation=20 population=20")["rows"][0]
        self.assertGreater(sum(trial["restarts"] for trial in row["trials"]), 0)
        for trial in row["trials"]:
            self.assertLessEqual(trial["evaluations"], 10000)

    def test_the_table_and_the_picture(self):
        picture = self.folder / "ecdf.svg"
        text = self.succeeds(*SMALL, "--algorithm", "cmaes", "--with", "population=8", "--budget", "3000", "--plot", picture)
        self.assertIn("D 2: 2 of 2 functions solved on more than half of the instances", text)
        self.assertRegex(text, r"cmaes with population=8 on host: \d+ evaluations in ")
        self.assertRegex(text, r"f5 +2 +\d+ +\d+ +\d+ +\d+ +\d+ +\d+ +4 of 4")
        self.assertEqual(re.findall(r">(D \d)<", picture.read_text()), ["D 2", "D 3"])
        self.succeeds(*SMALL[:4], "--functions", "1,8,20", "--dims", "2", "--instances", "1", "--budget", "100", "--plot", picture)
        self.assertIn("f6 to f9: moderate condition", picture.read_text())
        self.assertNotIn("f10 to f14", picture.read_text())

    def test_a_device_counts_whole_steps(self):
        device = self.needs_opencl()
        words = ["bench", "bbob", "--functions", "1,8", "--dims", "2", "--instances", "1-2", "--algorithm", "cmaes"]
        (host, _), (there, valley) = (self.document(*words, "--device", name)["rows"] for name in ("host", device))
        self.assertEqual((valley["function"], valley["solved"]), (8, 2))
        for mine, other in zip(host["trials"], there["trials"]):
            self.assertLessEqual(other["difference"], 1e-8)
            self.assertEqual(other["evaluations"] % 6, 0)
            # The same seed gives nearly the same search; counts are of whole steps, within 2 %.
            self.assertLess(abs(other["evaluations"] / mine["evaluations"] - 1), 0.3)

    def test_what_is_refused(self):
        for text in ("0", "25", "1-25", "3-1", ",", "1,", "1;2", "x", "1-", "99999999999999999999"):
            self.refused(f"--functions: '{text}' is no list of numbers from 1 to 24", "--functions", text)
        self.refused("--functions: '1-3,2' has the number 2 twice", "--functions", "1-3,2")
        self.refused("--dims: '1' is no list of numbers from 2 to 40", "--dims", "1")
        self.refused("--dims: '2,41' is no list of numbers from 2 to 40", "--dims", "2,41")
        self.refused("--instances: '0' is no list of numbers from 1 to 200000", "--instances", "0")
        self.refused("--algorithm: 'no' is not one of auto, ", "--algorithm", "no")
        self.refused("--algorithm: 'gas' is not one of auto, ", "--algorithm", "gas")
        self.refused("--with needs --algorithm", "--algorithm", "auto", "--with", "population=9")
        self.refused("--with: 'population' is not of the form OPTION=VALUE", "--algorithm", "de", "--with", "population")
        self.refused("--with: the benchmark sets 'dim' itself", "--algorithm", "de", "--with", "dim=3")
        self.refused("unknown option --nothing", "--algorithm", "de", "--with", "nothing=3")
        self.refused("--particles is an option of pso, not of de", "--algorithm", "de", "--with", "particles=3")
        self.refused("charts are written as SVG", "--plot", self.folder / "a.png")
        self.refused("is not empty", "--coco", self.file("x.txt", "").parent)
        self.assertIn("budget", self.fails(2, *BENCH, "--budget", "0"))
        message = self.fails(2, *BENCH, "--dims", "2", "--functions", "1", "--instances", "1", "--budget", "2", "--algorithm", "de")
        self.assertIn("f1, D 2, instance 1: ", message)


if __name__ == "__main__":
    support.main()
