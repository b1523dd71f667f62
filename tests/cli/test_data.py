#!/usr/bin/env python3
"""shoal data: tables made, inspected and converted."""

import gzip
import json
import math
import os
import signal
import struct
import subprocess
import time

import support
from support import Case, shoal


class Data(Case):
    def make(self, name, *args):
        path = self.folder / name
        self.succeeds("data", "least-squares", "--dim", 3, "--rows", 200, "--out", path, *args)
        return path

    def info(self, path, *args):
        return json.loads(self.succeeds("data", "info", path, "--json", *args))

    def test_each_format_holds_the_same_numbers(self):
        paths = [self.make(name, "--noise", 0.5) for name in ("a.npy", "a.csv", "a.bin")]
        infos = [self.info(path, *(["--layout", "f8:200x4"] if path.suffix == ".bin" else [])) for path in paths]
        for info in infos:
            self.assertEqual((info["rows"], info["columns"], info["rank"]), (200, 4, 3))
            for key in ("minimum", "minimiser", "least", "mean", "greatest"):
                self.assertEqual(info[key], infos[0][key])
        self.assertEqual([info["format"] for info in infos], ["npy", "csv", "raw"])

    def test_without_noise_the_minimiser_is_one(self):
        info = self.info(self.make("a.npy"))
        self.assertLess(info["minimum"], 1e-25)
        for x in info["minimiser"]:
            self.assertAlmostEqual(x, 1, places=13)

    def test_keys_of_the_documents(self):
        """Keys are an interface."""
        path = self.folder / "a.npy"
        made = json.loads(self.succeeds("data", "least-squares", "--out", path, "--json"))
        common = {"schema", "shoal", "command", "file", "rows", "columns"}
        self.assertEqual(set(made), common | {"from", "layout", "bytes"})
        info = {"format", "type", "order", "dropped", "leaves_index", "notes", "uses", "names", "rank", "minimum", "least", "mean", "greatest", "minimiser"}
        self.assertEqual(set(self.info(path)), common | info)
        self.assertEqual(made["command"], "data")

    def test_problems_of_tsp_are_written_and_shown(self):
        paths = [self.folder / name for name in ("c.tsp", "c.csv")]
        made = [json.loads(self.succeeds("data", "tsp", "--generate", "C1k.0", "--out", path, "--json")) for path in paths]
        common = {"schema", "shoal", "command", "problem", "cities", "metric", "asymmetric", "fixed_edges", "unit",
                  "unit_name", "optimum", "optimal", "ranges", "notes"}
        self.assertEqual(set(made[0]), common | {"file"})
        self.assertEqual((made[0]["cities"], made[0]["optimum"], made[0]["optimal"]), (1000, 11387430, False))
        tsplib = json.loads(self.succeeds("data", "tsp", paths[0], "--json"))
        self.assertEqual(tsplib, {key: made[0][key] for key in common})
        # CSV holds neither the name nor the metric.
        csv = json.loads(self.succeeds("data", "tsp", paths[1], "--metric", "euc_2d", "--json"))
        self.assertEqual((csv["problem"], csv["ranges"], csv["unit"]), ("c", made[0]["ranges"], 1))
        text = self.succeeds("data", "tsp", paths[0])
        self.assertIn("problem  C1k.0\ncities   1000\nmetric   euc_2d\nx ", text)
        self.assertIn("optimum  11387430, the best known\n", text)

    def test_what_tsp_refuses(self):
        for args, part in ((["tsp"], "no problem; give the name of a file"),
                           (["tsp", "a.tsp", "--generate", "E1k.0"], "both a file and --generate; omit one"),
                           (["tsp", "--generate", "E1k.0", "--rows", 3], "unknown option --rows"),
                           (["tsp", "a.tsp", "b.tsp"], "unexpected 'b.tsp'"),
                           (["tsp", "--generate", "E1k.0", "--out", self.folder / "a.npy"], "a.npy: name it .tsp")):
            self.assertIn(part, self.fails(2, "data", *args))

    def test_a_data_set_is_shown(self):
        path = self.folder / "a.csv"
        path.write_text("size,colour,id\n1,red,7\n2,blue,8\n,red,9\n3,green,9\n")
        document = self.info(path, "--target", "colour", "--columns", "id ignored")
        self.assertEqual(set(document), {"schema", "shoal", "command", "file", "format", "rows", "columns", "targets",
                                         "input_width", "target_width", "missing", "memory_bytes", "notes", "uses", "column_list"})
        self.assertEqual([document[key] for key in ("rows", "columns", "targets", "input_width", "target_width", "missing")],
                         [4, 3, 1, 1, 3, 1])
        size, colour, number = document["column_list"]
        self.assertEqual(size, {"name": "size", "target": False, "kind": "number", "encoding": "plain", "width": 1,
                                "left_out": None, "missing": 1, "least": 1, "mean": 2, "greatest": 3, "classes": []})
        self.assertEqual([(entry["name"], entry["rows"]) for entry in colour["classes"]], [("blue", 1), ("green", 1), ("red", 2)])
        self.assertEqual((number["kind"], number["encoding"], number["width"]), ("ignored", None, 0))
        text = self.succeeds("data", "info", path, "--target", "colour")
        self.assertIn("encoded  2 inputs, 3 targets\n", text)
        self.assertRegex(text, r"\nclasses of colour\nclass +rows +share\nblue +1 +25.0 %\n")
        # Words make it a data set without a target, too.
        self.assertEqual(self.info(path)["targets"], 0)

    def test_a_data_set_is_converted(self):
        path, csv, npy = (self.folder / name for name in ("a.csv", "b.csv", "b.npy"))
        path.write_text("1;x\n2;y\n5;x\n")
        made = json.loads(self.succeeds("data", "convert", path, "--columns", "1 bits:3", "--target", "2", "--out", npy, "--json"))
        self.assertEqual((made["rows"], made["input_width"], made["target_width"], made["bytes"]), (3, 3, 1, npy.stat().st_size))
        self.succeeds("data", "convert", npy, "--out", csv)
        self.assertEqual(csv.read_text(), "0,0,1,0\n0,1,0,1\n1,0,1,0\n")
        self.assertIn("from     ", self.succeeds("data", "convert", path, "--out", csv))
        self.assertEqual(csv.read_text(), "1,x\n2,y\n5,x\n")
        link = self.folder / "full.csv"
        link.symlink_to("/dev/full")
        self.assertIn("No space left", self.fails(1, "data", "convert", path, "--out", link))

    def test_formats_of_data_sets(self):
        source, fann, idx, text = (self.folder / name for name in ("a.csv", "b.data", "b.idx", "b.txt"))
        source.write_text("1,0,2\n5,1,3\n")
        self.succeeds("data", "convert", source, "--target", "2", "--out", fann)
        self.assertEqual(fann.read_text(), "2 2 1\n1 2\n0\n5 3\n1\n")
        self.succeeds("data", "convert", fann, "--out", text)
        self.assertEqual(text.read_text(), "1, 2\n0 1 2\n1 5 3\n")
        self.succeeds("data", "convert", text, "--columns", "2-3 ignored", "--out", idx)
        self.assertEqual(idx.read_bytes(), bytes([0, 0, 8, 1, 0, 0, 0, 2, 0, 1]))
        document = self.info(idx, "--labels", idx, "--columns", "1 number")
        self.assertEqual((document["format"], document["targets"], document["columns"]), ("idx", 1, 2))
        self.assertIn("this data set has no targets: name its target", self.fails(2, "data", "convert", source, "--out", fann))

    def test_generated_data_sets(self):
        path = self.folder / "a.csv"
        self.succeeds("data", "xor", "--out", path)
        self.assertEqual(path.read_text(), "x1,x2,class\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n")
        made = json.loads(self.succeeds("data", "teacher", "--rows", 300, "--wrong", 0.1, "--out", path, "--json"))
        self.assertEqual((made["from"], made["rows"], made["input_width"], made["target_width"]),
                         ("teacher rows=300 inputs=64 hidden=63 wrong=0.1 classes=26 seed=1", 300, 64, 26))
        self.assertEqual(self.info(path, "--target", "class")["input_width"], 64)
        self.succeeds("data", "spirals", "--out", self.folder / "a.data")
        self.assertTrue((self.folder / "a.data").read_text().startswith("194 2 1\n0 6.5\n1\n0 -6.5\n0\n"))
        for part, args in (("--classes has no effect with parity", ["parity", "--classes", 3]),
                           ("rows: two spirals take an even number from 4 on, not 5", ["spirals", "--rows", 5]),
                           ("rows: 40 bits have too many combinations", ["parity", "--inputs", 40]),
                           ("give --out FILE", ["random"]), ("this action reads no file", ["xor", "b.csv"])):
            out = [] if args == ["random"] else ["--out", path]
            self.assertIn(part, self.fails(2, "data", *args, *out))

    def test_a_preparation_is_shown(self):
        path = self.folder / "a.csv"
        lines = [f"{'' if i % 10 == 0 else i % 4},{('red', 'blue')[i % 2]},{i},{2 * i + 1},{1 + i % 2}" for i in range(40)]
        path.write_text("\n".join(["size,colour,id,price,weight", *lines]) + "\n")
        run = ["mlp", path, "--target", "price", "--columns", "id ignored", "--weight", "weight", "--rows", "1-20", "--validation", 0]
        document = self.info_of(*run, "--missing", "indicator")
        self.assertEqual([document[key] for key in ("training_rows", "validation_rows", "test_rows", "inputs", "outputs")], [20, 0, 20, 3, 1])
        self.assertEqual([document[key] for key in ("scale", "target_scale", "missing", "form", "classes", "dropped")],
                         ["standard", "standard", "indicator", "fp32", [], 0])
        self.assertIn("the target 'price' has whole numbers, 1 to 79, which are taken for numbers; --task classify", document["notes"])
        size, colour, number, price, weight = document["column_list"]
        # Of the first 20 rows 2 have no size; the others hold 1, 1, 2, 3, 0 ... of which 27 is the sum.
        there = [i % 4 for i in range(20) if i % 10]
        mean = sum(there) / len(there)
        self.assertEqual((size["use"], size["width"], size["indicator"], size["missing"]), ("input", 2, True, 2))
        self.assertAlmostEqual(size["fill"][0], mean, places=6)
        self.assertAlmostEqual(size["shift"][0], mean, places=6)
        self.assertAlmostEqual(size["shift"][1], 0.1)
        self.assertAlmostEqual(size["factor"][1], 1 / 0.3)
        self.assertEqual((colour["categories"], colour["width"], colour["fill"]), (["blue", "red"], 1, [0]))
        self.assertEqual(number, {"name": "id", "use": None})
        self.assertEqual(weight, {"name": "weight", "use": "weight"})
        self.assertEqual((price["use"], price["first"]), ("target", 1))
        self.assertAlmostEqual(price["shift"][0], 20)
        self.assertAlmostEqual(1 / price["factor"][0], 2 * math.sqrt((400 - 1) / 12))
        # Classes, dropped rows, folds.
        table = ["mlp", "--data", path, "--target", "colour", "--columns", "id ignored", "--missing", "drop"]
        text = self.succeeds("data", *table, "--folds", 4, "--class-weights", "1,3")
        self.assertIn("\ndropped  4 rows with missing values\nnet      3 inputs (u8), 2 outputs of 2 classes\n", text)
        self.assertRegex(text, r"rows     27 training, 9 validation, 0 test; the first of 4 folds\n")
        self.assertRegex(text, r"\ncolumn +use +kind +encoding +width +mean +deviation\nsize +input +number +plain +1 +\d")
        self.assertRegex(text, r"\nid +-\n")
        self.assertRegex(text, r"\ncolour +target +category +class +2 +- +-\n")
        self.assertRegex(text, r"\nclass +training rows +weight\nblue +\d+ +1\nred +\d+ +3\n")
        # As the run has it.
        model = self.folder / "m.safetensors"
        self.succeeds("mlp", "--device", "host", "--epochs", 1, *run[2:], "--data", path, "--missing", "mean", "--model", model)
        loaded = self.info_of(*run, "--load", model)
        self.assertEqual((loaded["missing"], loaded["column_list"][0]["shift"]),
                         ("mean", self.info_of(*run, "--missing", "mean")["column_list"][0]["shift"]))
        self.assertIn("column 1 ('size') has no value", self.fails(1, "data", *run))
        self.assertIn("both a file and --data; omit one", self.fails(2, "data", *table, path))
        self.assertIn("x1 ... x64", self.succeeds("data", "mlp"))

    def info_of(self, *args):
        return json.loads(self.succeeds("data", *args, "--json"))

    def test_modes_are_those_of_other_files(self):
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(oct(self.make("a.npy").stat().st_mode & 0o777), oct(0o666 & ~mask))

    def test_same_seed_same_bytes(self):
        seeds = {"a.bin": 5, "b.bin": 5, "c.bin": 6}
        first, again, other = (self.make(name, "--seed", seed) for name, seed in seeds.items())
        self.assertEqual(first.read_bytes(), again.read_bytes())
        self.assertNotEqual(first.read_bytes(), other.read_bytes())

    def test_numbers_are_those_of_the_generator(self):
        raw = self.make("a.bin").read_bytes()
        self.assertEqual(len(raw), 200 * 4 * 8)
        for i in range(200):
            *a, b = struct.unpack_from("<4d", raw, 32 * i)
            self.assertEqual(sum(a), b)
            self.assertTrue(all(-1 <= x < 1 and x * 65536 == int(x * 65536) for x in a))

    def test_functions_of_the_thesis(self):
        path = self.folder / "f6.npy"
        document = json.loads(self.succeeds("data", "least-squares", "--like", "f6", "--out", path, "--json"))
        self.assertEqual((document["rows"], document["columns"], document["layout"]), (16384, 17, "f8:16384x17"))
        self.assertEqual(document["bytes"], path.stat().st_size)

    def test_convert(self):
        source = self.make("a.npy")
        for name, layout in (("b.csv", None), ("b.bin", "f4:200x4"), ("c.npy", None)):
            target = self.folder / name
            self.succeeds("data", "convert", source, "--out", target, "--precision", "f4" if layout else "f8")
            info = self.info(target, *(["--layout", layout] if layout else []))
            # The numbers are multiples of 2^-16 and exact in f4.
            self.assertEqual(info["mean"], self.info(source)["mean"])
            source = target if not layout else source

    def test_names_are_kept_or_their_loss_is_said(self):
        source, words, out = self.file("a.csv", 'x,"a ""b"", c"\n1,2.5\n3,4\n'), self.file("w.csv", "x,kind\n1,a\n2,b\n3,a\n"), self.folder / "b.csv"
        self.assertEqual(shoal("data", "convert", source, "--out", out).stderr, "")
        self.assertEqual(out.read_text(), source.read_text())
        self.assertEqual(self.info(out)["names"], ["x", 'a "b", c'])
        for path, more, formats in ((source, [], ("b.npy", "b.bin")), (words, ["--target", "kind"], ("b.npy", "b.data", "b.txt"))):
            for name in formats:
                with self.subTest(name):
                    done = shoal("data", "convert", path, *more, "--out", self.folder / name)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(done.stderr, f"shoal: {self.folder / name}: this format has no names of columns: those of {path} are not in it\n")
        bare = self.file("bare.csv", "1,2\n3,4\n")
        self.assertEqual(shoal("data", "convert", bare, "--out", self.folder / "b.npy").stderr, "")

    def test_a_file_is_not_written_over_itself(self):
        content = "x,y\n1,2\n3,4\n"
        source, words = self.file("a.csv", content), self.file("w.csv", "x,kind\n1,a\n2,b\n")
        link, hard = self.folder / "link.csv", self.folder / "hard.csv"
        link.symlink_to("a.csv")
        os.link(source, hard)
        (self.folder / "sub").mkdir()
        for out in source, link, hard, self.folder / "sub" / ".." / "a.csv":
            for args in (["convert", source], ["convert", source, "--columns", "1"], ["convert", source, "--target", "y"]):
                with self.subTest(out=out, args=args):
                    self.assertEqual(self.fails(2, "data", *args, "--out", out),
                                     f"shoal: --out: {out} is the file that is read: write to another one\n")
        self.assertIn("is the file that is read", self.fails(2, "data", "convert", words, "--out", words))
        labels = self.folder / "labels.idx"
        labels.write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 2, 0, 1]))
        self.assertIn("is the file that --labels reads", self.fails(2, "data", "convert", labels, "--labels", hard, "--out", source))
        tsp = self.file("a.tsp", "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 0 9\n3 9 0\nEOF\n")
        self.assertIn("is the file that is read", self.fails(2, "data", "tsp", tsp, "--out", tsp))
        self.assertEqual(source.read_text(), content)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["a.csv", "a.tsp", "hard.csv", "labels.idx", "link.csv", "sub", "w.csv"])

    def test_thesis_layout(self):
        """All vectors a, then all numbers b."""
        rows = [(1.0, 2.0, 3.0), (4.0, 5.0, 9.0), (6.0, 7.0, 13.5)]
        path = self.folder / "blocks.bin"
        numbers = [x for row in rows for x in row[:2]] + [row[2] for row in rows]
        path.write_bytes(struct.pack("<9d", *numbers))
        target = self.folder / "rows.csv"
        self.succeeds("data", "convert", path, "--layout", "f8:3x3:blocks", "--out", target)
        self.assertEqual(target.read_text(), "1,2,3\n4,5,9\n6,7,13.5\n")

    def test_a_swarm_reads_each_of_them(self):
        """The same numbers, exact in f4, in every file: the same bits."""
        rows = [(1.0, 0.5, 2.0), (-0.25, 1.0, 3.5), (1.0, 1.0, 5.0), (0.125, -2.0, 1.5)]
        by_row = [x for row in rows for x in row]
        by_column = [x for column in zip(*rows) for x in column]
        blocks = [x for row in rows for x in row[:2]] + [row[2] for row in rows]
        (self.folder / "a.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
        for name, code, numbers in (("a.bin", "d", by_row), ("b.bin", "f", by_column), ("c.bin", "f", blocks)):
            (self.folder / name).write_bytes(struct.pack(f"<12{code}", *numbers))
        header = "{'descr': '<f4', 'fortran_order': True, 'shape': (4, 3), }".ljust(117) + "\n"
        magic = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
        (self.folder / "a.npy").write_bytes(magic + struct.pack("<12f", *by_column))
        found = []
        for name, layout in (
            ("a.csv", None),
            ("a.npy", None),
            ("a.bin", "f8:4x3"),
            ("b.bin", "f4:4x3:columns"),
            ("c.bin", "f4:4x3:blocks"),
        ):
            args = ["--data", self.folder / name, *(["--data-layout", layout] if layout else [])]
            run = ["pso", "--device", "host", "--json", "--lower", -9, "--upper", 9, "--iterations", 30, *args]
            result = json.loads(self.succeeds(*run))["rows"][0]["result"]
            self.assertEqual(result["fields"]["dim"], 2)
            found.append((result["value"], result["fields"]["position"]))
        self.assertEqual(found, found[:1] * 5)

    def test_tables_as_people_have_them(self):
        """Names, words, decimal commas, quotes, missing values, gzip, standard input: each the plain table's fit."""
        run = ["pso", "--device", "host", "--json", "--lower", -9, "--upper", 9, "--iterations", 30]
        plain, rich = self.folder / "plain.csv", self.folder / "rich.csv"
        plain.write_text("1.5,0.5,2\n-0.25,1,3.5\n1,1,5\n0.125,-2,1.5\n")
        rich.write_text('day;"b; sum";a one;a2;\nmo;2;1,5;0,5;\ntu;"3,5";-0,25;1;\nwe;NA;7;8;\n'
                        "th;5;1;1;\nfr;1,5;0,125;-2;\nsa;4;;4;\n")
        packed = self.folder / "rich.csv.gz"
        packed.write_bytes(gzip.compress(rich.read_bytes()))
        chosen = ["--columns", "'a one', 4, 'b; sum'", "--missing", "drop"]
        found = [json.loads(self.succeeds(*run, "--data", plain))["rows"][0]["result"]]
        for path in (rich, packed):
            found.append(json.loads(self.succeeds(*run, "--data", path, *chosen))["rows"][0]["result"])
            with open(path, "rb") as stream:
                piped = self.succeeds(*run, "--data", "-", *chosen, stdin=stream)
            found.append(json.loads(piped)["rows"][0]["result"])
        self.assertEqual([r["fields"].get("dropped") for r in found], [None, 2, 2, 2, 2])
        self.assertEqual([(r["value"], r["fields"]["position"]) for r in found],
                         [(found[0]["value"], found[0]["fields"]["position"])] * 5)
        self.assertIn("column 2 (b; sum): 'NA' is missing",
                      self.fails(1, *run, "--data", rich, "--columns", "'a one', 4, 2"))
        self.assertIn("has no column 'b'; its 4 columns are numbered from 1, the first is 'day'",
                      self.fails(2, *run, "--data", rich, "--columns", "b"))
        # Of a model only the columns that it uses have to be there.
        model = [*run[:4], "--data", rich, "--model", "p*a2", "--fit", "p=-9:9", "--target", "a one"]
        self.assertEqual(json.loads(self.succeeds(*model, "--missing", "drop"))["rows"][0]["result"]["fields"]["dropped"], 1)

    def test_columns_of_a_table(self):
        path, out = self.folder / "log.csv", self.folder / "log.npy"
        path.write_text("day;wind speed;b;note\nmo;1,5;3;x\ntu;nan;4;y\nwe;2,5;;z\nth;4;6;\nfr;NA;7;w\n")
        document = self.info(path, "--columns", "b, 'wind speed'", "--missing", "drop")
        self.assertEqual((document["rows"], document["columns"], document["dropped"], document["names"]), (2, 2, 3, ["b", "wind speed"]))
        self.assertEqual((document["least"], document["greatest"]), ([3, 1.5], [6, 4]))
        text = self.succeeds("data", "info", path, "--columns", "2", "--missing", "drop")
        self.assertIn("rows     3\ncolumns  1\ndropped  2 rows with missing values\n", text)
        self.assertRegex(text, r"\ncolumn +name +least +mean +greatest\n +1 +wind speed +1.5 ")
        self.succeeds("data", "convert", path, "--columns", "3, 2", "--missing", "drop", "--out", out)
        self.assertEqual((self.info(out)["mean"], self.info(out)["names"]), ([4.5, 2.75], [None, None]))
        self.succeeds("data", "convert", out, "--columns", "2", "--out", self.folder / "one.csv")
        self.assertEqual((self.folder / "one.csv").read_text(), "1.5\n4\n")
        for code, part, args in (
            (1, "column 2 (wind speed): 'nan' is missing: fill it in, or have", ["--columns", "2-3"]),
            (1, "column 1 (day): 'mo' is not a number", ["--missing", "drop"]),
            (2, "columns: ", ["--columns", "c"]),
            (2, "column 3 of ", ["--columns", "b, 3"]),
            (2, "--missing: a data set keeps missing values", ["--missing", "drop", "--target", "b"]),
            (2, "--missing: a data set keeps missing values", ["--missing", "drop", "--columns", "b number"]),
        ):
            self.assertIn(part, self.fails(code, "data", "info", path, *args))
        self.assertIn("is npy, and --missing drop is for text: save it without", self.fails(2, "data", "info", out, "--missing", "drop"))
        # With kinds, or a target, it is a data set.
        self.assertEqual(self.info(path, "--columns", "b number, 2 ignored")["missing"], 2)

    def test_decimal_commas_of_names_and_words(self):
        path = self.file("names.csv", "t;0,5;1,0\n" + "1.5;2.5;3\n2.5;3.5;3\n" * 20)
        self.succeeds("data", "mlp", path, "--header", "yes", "--target", "t")
        path = self.file("words.csv", "t;k;y\n" + "0.5;1,5;2\n0.75;2,5;3\n" * 20)
        self.succeeds("data", "mlp", path, "--columns", "k category", "--target", "y")

    def test_decimal_commas_of_columns_that_are_ignored(self):
        path = self.file("versions.csv", "t;version;y\n0.5;1,5;2\n1.5;1,6;3\n")
        self.assertIn("column 1 (t): '0.5' has a decimal point", self.fails(1, "data", "info", path, "--target", "y"))
        self.assertEqual(self.info(path, "--target", "y", "--columns", "version ignored")["rows"], 2)
        self.assertEqual(self.info(path, "--columns", "t, y")["least"], [0.5, 2])

    def test_text_for_people(self):
        path = self.make("a.npy", "--noise", 0.5)
        text = self.succeeds("data", "info", path)
        for line in ("rows     200", "columns  4", "rank     3 of 3", "minimum  "):
            self.assertIn("\n" + line, text)
        self.assertRegex(text, r"\ncolumn +least +mean +greatest +minimiser\n")
        self.assertRegex(self.succeeds("data", "least-squares", "--out", self.folder / "b.npy"), r"layout +f8:1000x5\n")

    def test_one_line_for_each_mistake(self):
        out = self.folder / "x.npy"
        bad = self.folder / "bad.csv"
        bad.write_text("1,2\n3,nan\n")
        raw = self.folder / "raw.bin"
        raw.write_bytes(bytes(80))
        for code, message, args in (
            (2, "no action", []),
            (2, "shoal: 'fit' is not one of least-squares, xor, parity, spirals, random, teacher, info, convert", ["fit"]),
            (2, "give --out FILE", ["least-squares"]),
            (2, "this action reads no file", ["least-squares", bad, "--out", out]),
            (1, "raw.bin: name a file .npy or .csv, or give the layout of its raw numbers, such as f8:1000x5: --layout in 'shoal data'",
             ["info", raw]),
            (2, "--layout has no effect with least-squares", ["least-squares", "--layout", "f8:1x1", "--out", out]),
            (2, "--like f6 sets --dim", ["least-squares", "--like", "f6", "--rows", 5, "--out", out]),
            (2, "name it .npy, .csv or .bin", ["least-squares", "--out", self.folder / "x.xls"]),
            (1, "cannot be written", ["least-squares", "--out", self.folder / "none" / "x.npy"]),
            (2, "no input file", ["info"]),
            (2, "--out has no effect with info", ["info", bad, "--out", out]),
            (2, "--rows has no effect with info", ["info", bad, "--rows", 5]),
            (2, "--seed has no effect with convert", ["convert", bad, "--out", out, "--seed", 1]),
            (1, "cannot be opened", ["info", self.folder / "none.npy"]),
            (1, "row 2 (line 2), column 2: 'nan' is missing", ["info", bad, "--columns", "1-2"]),
            (1, "row 2 (line 2), column 2: 'nan' is missing", ["convert", bad, "--out", out]),
            (2, "--layout is for raw numbers", ["info", bad, "--layout", "f8", "--target", "1"]),
            (2, "has no column 'x'", ["info", bad, "--target", "x"]),
            (2, "layout 'f8' is not understood", ["info", bad, "--layout", "f8"]),
        ):
            with self.subTest(args=args):
                self.assertIn(message, self.fails(code, "data", *args))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["bad.csv", "raw.bin"])

    def test_no_room(self):
        """Refused before a byte is written."""
        for name, takes in ("a.npy", "it takes 16000000000000000 bytes, "), ("a.csv", "it takes 4000000000000000 bytes or more, "):
            message = self.fails(1, "data", "least-squares", "--dim", 1, "--rows", "1e15", "--out", self.folder / name)
            self.assertRegex(message, rf"{name}: cannot be written: {takes}its file system has \d+ left$")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_stopped(self):
        out = self.folder / "a.csv"
        run = [support.SHOAL, "data", "least-squares", "--rows", "1e7", "--out", out]
        with subprocess.Popen(run, env=support.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as made:
            while not list(self.folder.iterdir()):
                self.assertIsNone(made.poll())
                time.sleep(0.01)
            made.send_signal(signal.SIGINT)
            output = made.communicate(timeout=60)
        self.assertEqual((made.returncode, *output), (130, "", "shoal: stopped by a signal; nothing was written\n"))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_into_a_pipe(self):
        done = shoal("data", "least-squares", "--rows", 2, "--dim", 1, "--out", "/dev/full")
        self.assertEqual(done.returncode, 2)  # no name that tells the format
        link = self.folder / "full.csv"
        link.symlink_to("/dev/full")
        self.assertIn("No space left", self.fails(1, "data", "least-squares", "--out", link))


class Packed(Case):
    def test_the_begin_says_what_it_is(self):
        """Of a packed file, too, of which more than that is damaged."""
        for name, text, is_table in (("table", "a,b\n" + "1,2\n" * 100000, True), ("words", "a,b\n" + "1,x\n2,y\n" * 50000, False)):
            packed = gzip.compress(text.encode())
            for damage in (False, True):
                path = self.folder / f"{name}.csv.gz"
                path.write_bytes(packed[:-8] + bytes(8) if damage else packed)
                with self.subTest(name, damage=damage):
                    if damage:
                        self.assertIn("gzip data are damaged", self.fails(1, "data", "info", path))
                    else:
                        self.assertEqual("column_list" in json.loads(self.succeeds("data", "info", path, "--json")), not is_table)


if __name__ == "__main__":
    support.main()
