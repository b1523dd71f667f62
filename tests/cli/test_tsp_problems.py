#!/usr/bin/env python3
"""shoal tsp --problems: a line for each problem of a folder, a list, an array or a generator; --bound and --lists alpha."""

import json
import math
import signal
import struct
import subprocess

import support
from support import Case, shoal

RUN = ["tsp", "--algorithm", "lk", "--iterations", 3]


def npy(shape, values, order="False"):
    header = f"{{'descr': '<f8', 'fortran_order': {order}, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}d", *values)


class Problems(Case):
    def lines(self, *args, code=0):
        done = shoal(*RUN, *args)
        self.assertEqual(done.returncode, code, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def alone(self, *args):
        row = json.loads(self.succeeds(*RUN, "--device", "host", "--json", *args))["rows"][0]
        return row["result"]["value"], row["tour"]

    def test_generated_problems_have_the_tours_of_single_runs(self):
        lines = self.lines("--problems", "uniform:30:5..8")
        self.assertEqual([line["problem"] for line in lines], [f"uniform:30:{seed}" for seed in range(5, 9)])
        for line in lines:
            self.assertEqual((line["length"], line["tour"]), self.alone("--generate", line["problem"]))
            self.assertEqual((line["algorithm"], line["cities"], line["steps"], line["optimal"]), ("lk", 30, 3, False))

    def test_problems_of_a_device_have_the_tours_of_the_host(self):
        names = self.file("list.txt", "uniform:30:5..7\nclustered:17:1\nuniform:0:1\nuniform:11:4\nuniform:2:4\n")
        here, there = (self.lines("--problems", names, "--device", device, code=1) for device in ("host", "cpu"))
        self.assertEqual(len(there), 7)
        for line in here + there:
            line.pop("seconds", None)
        self.assertEqual(there, here)

    def test_an_array_with_a_bad_problem(self):
        good = [0, 0, 0, 3, 4, 3, 4, 0, 2, 7]
        path = self.folder / "many.npy"
        path.write_bytes(npy((3, 5, 2), good + good[:4] + [float("nan")] + good[5:] + [2 * x for x in good]))
        lines = self.lines("--problems", path, "--metric", "euc_2d", code=1)
        self.assertEqual([line["index"] for line in lines], [0, 1, 2])
        self.assertEqual([line["problem"] for line in lines], [f"{path}[{i}]" for i in range(3)])
        self.assertNotIn("error", lines[0])
        self.assertNotIn("length", lines[1])
        self.assertTrue(lines[1]["error"])
        self.assertEqual(sorted(lines[2]["tour"]), [1, 2, 3, 4, 5])

    def test_arrays_of_other_shapes(self):
        path = self.folder / "many.npy"
        for shape, order, said in (((6, 2), "False", "has the shape 6 x 2: give problems x cities x 2"),
                                   ((2, 4, 3), "False", "has the shape 2 x 4 x 3: give problems x cities x 2"),
                                   ((2, 2, 4), "False", "has the shape 2 x 2 x 4: give problems x cities x 2"),
                                   ((12,), "False", "has the shape 12 x 1: give problems x cities x 2"),
                                   ((2, 3, 2), "True", "has three dimensions in Fortran order"),
                                   ((1, 2, 3, 2), "False", "has 4 dimensions")):
            path.write_bytes(npy(shape, [1] * math.prod(shape), order))
            self.assertIn(said, self.fails(1, *RUN, "--problems", path))

    def test_a_folder_and_a_list(self):
        text = "DIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 30 0\n3 30 40\n4 0 40\n5 15 60\n"
        self.file("b.tsp", text)
        self.file("a.csv", "x,y\n0,0\n0,5\n5,5\n5,0\n")
        self.file("bad.tsp", "DIMENSION: x\n")
        self.file("notes.md", "no problem")
        folder = self.lines("--problems", self.folder, code=1)
        self.assertEqual([line["problem"] for line in folder], [f"{self.folder}/{name}" for name in ("a.csv", "b.tsp", "bad.tsp")])
        self.assertEqual([line.get("length") for line in folder], [20, 160, None])
        self.assertIn("bad.tsp: line 1", folder[2]["error"])
        names = self.file("list.txt", f"# of today\n{self.folder}/b.tsp \t\r\n \n uniform:9:1..2  \n{self.folder}/none.tsp\nE1k.0\nE4k.0")
        lines = self.lines("--problems", names, code=1)
        self.assertEqual([line["problem"] for line in lines],
                         [f"{self.folder}/b.tsp", "uniform:9:1", "uniform:9:2", f"{self.folder}/none.tsp", "E1k.0", "E4k.0"])
        self.assertEqual(["error" in line for line in lines], [False, False, False, True, False, True])
        self.assertEqual(lines[4]["cities"], 1000)
        self.assertIn("an instance of the DIMACS challenge", lines[5]["error"])

    def test_the_last_seeds_of_all(self):
        last = 2**64 - 1
        lines = self.lines("--problems", f"uniform:9:{last - 1}..{last}", code=1)
        self.assertEqual([line["problem"] for line in lines], [f"uniform:9:{last - 1}", f"uniform:9:{last}"])

    def test_stopped(self):
        """The second run has no end of its own."""
        names = self.file("list.txt", "uniform:5:1\nuniform:2000:1\n")
        run = subprocess.Popen([support.SHOAL, "tsp", "--algorithm", "lk", "--iterations", "4294967040", "--target", "8e6",
                                "--problems", names], env=support.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        self.assertEqual(json.loads(run.stdout.readline())["problem"], "uniform:5:1")
        run.send_signal(signal.SIGINT)
        text, message = run.communicate(timeout=120)
        self.assertEqual((run.returncode, text), (130, ""))
        self.assertEqual(message, "shoal: stopped by a signal; the output holds the results so far\n")

    def test_refused(self):
        for args, said in ((["uniform:9:4..2"], "give the first and the last seed"), (["uniform:9:1..x"], "the last seed"),
                           (["uniform:9:..2"], "give the first and the last seed"), (["uniform:9:-2..2"], "give the first and the last seed"),
                           (["uniform:9:1..18446744073709551616"], "give the first and the last seed"),
                           (["uniform:9:0..10000000"], "a range has at most 10000000 seeds"),
                           (["uniform:9:1", "--trace-file", "a.csv"], "leave out --trace-file"),
                           (["uniform:9:1", "--trace-columns", "step"], "leave out --trace-columns"),
                           (["uniform:9:1", "--progress", "no"], "leave out --progress"),
                           (["uniform:9:1", "--hang-limit", "9"], "leave out --hang-limit"),
                           (["uniform:9:1", "--variant", "cl"], "leave out --variant"),
                           (["uniform:9:1", "--sync"], "leave out --sync"),
                           (["uniform:9:1", "--json"], "leave out --json"), (["uniform:9:1", "--out", "a.csv"], "leave out --out"),
                           (["uniform:9:1", "--generate", "E1k.0"], "leave out --generate"),
                           (["uniform:9:1", "--device", "host,cpu"], "takes one device, not 2: --device host,cpu")):
            self.assertIn(said, self.fails(2, *RUN, "--problems", *args))
        self.assertIn("No such file", self.fails(1, *RUN, "--problems", self.folder / "none"))
        self.assertIn("is empty", self.fails(1, *RUN, "--problems", self.file("empty.txt", "# nothing\n")))
        (self.folder / "none").mkdir()
        self.assertIn("has no file .tsp", self.fails(1, *RUN, "--problems", self.folder / "none"))


class Bound(Case):
    def test_a_bound_is_shown_with_the_gap_to_it(self):
        done = json.loads(self.succeeds(*RUN, "--device", "host", "--generate", "uniform:200:1", "--bound", "--json"))
        fields, length = done["rows"][0]["result"]["fields"], done["rows"][0]["result"]["value"]
        self.assertTrue(0.95 * length < fields["bound"] <= length)
        self.assertAlmostEqual(fields["bound_gap"], length / fields["bound"] - 1)
        lines = shoal(*RUN, "--problems", "uniform:200:1", "--bound", "--lists", "alpha").stdout.splitlines()
        self.assertEqual(json.loads(lines[0])["bound"], fields["bound"])

    def test_a_matrix_of_two_directions_is_refused(self):
        path = self.file("m.csv", "0,1,2,9\n5,0,3,9\n6,4,0,9\n1,2,3,0\n")
        for option in (["--bound"], ["--lists", "alpha"]):
            self.fails(1, *RUN, "--device", "host", "--data", path, *option)


if __name__ == "__main__":
    support.main()
