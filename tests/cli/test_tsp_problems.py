#!/usr/bin/env python3
"""shoal tsp --problems: a line for each problem of a folder, a list, an array or a generator; --bound and --lists alpha."""

import json
import struct

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
        path.write_bytes(npy((2, 3), good[:6]))
        self.assertIn("a problem has 3 numbers: give problems x cities x 2", self.fails(1, *RUN, "--problems", path))

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
        names = self.file("list.txt", f"# of today\n{self.folder}/b.tsp\n\n uniform:9:1..2\n{self.folder}/none.tsp\n")
        lines = self.lines("--problems", names, code=1)
        self.assertEqual([line["problem"] for line in lines],
                         [f"{self.folder}/b.tsp", "uniform:9:1", "uniform:9:2", f"{self.folder}/none.tsp"])
        self.assertEqual(["error" in line for line in lines], [False, False, False, True])

    def test_refused(self):
        for args, said in ((["uniform:9:4..2"], "give the first and the last seed"), (["uniform:9:1..x"], "the last seed"),
                           (["uniform:9:1", "--json"], "leave out --json"), (["uniform:9:1", "--out", "a.csv"], "leave out --out"),
                           (["uniform:9:1", "--generate", "E1k.0"], "leave out --generate"),
                           (["uniform:9:1", "--device", "cpu"], "leave out --device")):
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
