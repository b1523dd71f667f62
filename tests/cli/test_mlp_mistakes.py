#!/usr/bin/env python3
"""shoal mlp: input that is wrong, and options that do not go together."""

import gzip
import struct

import support
from mlp_case import HOST, IMAGES, LABELS, NUMBERS, TABLE, Mlp
from support import environment, shoal


class Mistakes(Mlp):
    def refuse(self, code, message, *args, **more):
        with self.subTest(args=args):
            self.assertIn(message, self.fails(code, *self.run_of("--epochs", 2, *args, **more)))

    def table_of(self, *lines):
        return self.file("bad.csv", TABLE + "".join(line + "\n" for line in lines))

    def test_tables(self):
        self.refuse(1, "bad.csv: row 121 (line 122), column 1 (x): 'big' is a word among numbers", data=self.table_of("big,1,red"))
        self.refuse(1, "bad.csv: row 121 (line 122) has 2 columns, the first line has 3", data=self.table_of("1,red"))
        self.refuse(1, "column 1 ('x') has no value; --missing says what becomes of missing values", data=self.table_of("nan,1,red"))
        self.refuse(1, "row 121, column 1 ('x') has no value", data=self.table_of(",1,red"))
        self.refuse(2, "target: " + str(self.table) + " has no column 'q'", target="q")
        self.refuse(1, "all training rows are of the class 'red'; there is nothing to learn",
                    data=self.file("one.csv", "x,kind\n" + "".join(f"{i},red\n" for i in range(30))))
        self.refuse(1, "'pink' is no class of the training rows", "--folds", 3, data=self.table_of("1,1,pink"))
        self.refuse(1, "is 3.5 in all training rows; there is nothing to learn", target="t",
                    data=self.file("same.csv", "x,t\n" + "".join(f"{i},3.5\n" for i in range(30))))
        self.refuse(1, "empty.csv: has no rows", data=self.file("empty.csv", "x,kind\n"))
        few = self.file("few.csv", "x,kind\n1,a\n2,b\n")
        self.refuse(2, "none of the 2 rows to divide; give a greater share, or 0", "--test", 0.2, data=few)
        self.refuse(2, "has no column that is an input", "--columns", "x ignored, y ignored")
        self.assertIn("name a column of it", self.fails(2, *HOST, "--data", self.table))

    def test_a_constant_column_is_named(self):
        data = self.file("same.csv", "x,one,kind\n" + "".join(f"{i},1,{'ab'[i % 2]}\n" for i in range(40)))
        done = shoal(*self.run_of("--epochs", 2, data=data))
        self.assertEqual((done.returncode, done.stderr), (0, "shoal: host: constant in the training rows, so of no use: 'one'\n"))

    def test_images(self):
        images, labels = self.bytes("a.idx", IMAGES), self.bytes("b.idx", LABELS)
        run = [*HOST, "--epochs", 2, "--data"]
        self.succeeds(*run, images, "--labels", labels)
        model = self.folder / "m.safetensors"
        self.succeeds(*run, images, "--labels", labels, "--model", model)
        text = self.succeeds("mlp", "--load", model, "--predict", images, "--predict-labels", labels, "--out", self.folder / "p.csv")
        self.assertIn("report:    12 rows", text)
        packed = bytearray(gzip.compress(IMAGES))
        packed[-6] ^= 1
        for message, code, content, others in (
            ("begins with 18, 52, 86, 120, not with 0, 0", 2, b"\x12\x34\x56\x78" + IMAGES[4:], LABELS),
            ("has 43 bytes of numbers; its header declares 12 rows of 4", 1, IMAGES[:-5], LABELS),
            ("gzip data are damaged, or their sum is wrong", 1, bytes(packed), LABELS),
            ("is cut: its gzip data end early", 1, gzip.compress(IMAGES)[:-12], LABELS),
            ("has 11 labels, ", 1, IMAGES, struct.pack(">II", 0x801, 11) + LABELS[8:-1]),
        ):
            with self.subTest(message=message):
                args = [self.bytes("c.idx", content), "--labels", self.bytes("d.idx", others)]
                self.assertIn(message, self.fails(code, *run, *args))
        self.assertIn("name the file of its labels", self.fails(2, *run, images))

    def test_numbers_behind_sizes(self):
        for message, text in (("declares 5 rows of 2 inputs and 1 target, which 18 bytes cannot hold", "5 2 1\n1 2\n0\n3 4\n1\n"),
                              ("declares 1 row of 2 inputs and 1 target, 3 numbers; there are 6", "1 2 1\n1 2\n0\n3 4\n1\n"),
                              ("declares 99999999999 rows of 2 inputs and 1 target, which 30 bytes cannot hold", "99999999999 2 1\n1 2\n0\n3 4\n1\n\n\n"),
                              ("declares 0 rows of 2 inputs", "0 2 1\n"), ("declares 2 rows of 0 inputs", "2 0 1\n0\n1\n")):
            with self.subTest(text=text):
                self.assertIn(message, self.fails(1, *HOST, "--data", self.file("a.data", text)))

    def test_nets(self):
        self.refuse(2, "hidden: '0' is no number of units", "--hidden", "64,0")
        self.refuse(2, "activation: there is no activation 'sine'", "--activation", "sine")
        self.refuse(2, "activation: 2 are given, there is 1 hidden layer\n", "--activation", "tanh,relu")
        self.refuse(2, "shoal: output: cross-entropy needs outputs by softmax", "--output", "tanh")
        self.refuse(2, "schedule: the cosine needs more updates than the warm-up has, and 22 are not more than 22", "--warm-up", 22)
        self.assertIn("shoal: generate: 'nope' is none of xor, ", self.fails(2, *HOST, "--generate", "nope"))
        # 8 bytes seven times for each of 2^48 weights and a few more.
        self.refuse(1, "the parameters of the net need 15762604332941424 bytes on the host, which has", "--hidden", "16777216,16777216", data=self.file(
            "two.csv", "x,y,kind\n" + "".join(f"{i},{i % 5},{'ab'[i % 2]}\n" for i in range(40))))
        self.refuse(2, "validation and test: shares of 0.6 and 0.5 leave no rows to train", "--validation", 0.6, "--test", 0.5)
        self.refuse(2, "rows: 1 to 500 are no rows of", "--rows", "1-500")
        self.refuse(2, "class weights: 2 are given, there are 3 classes", "--class-weights", "1,2")

    def test_a_net_larger_than_the_device(self):
        """Which has less than the host: else the host is the first that is too small. PoCL takes a limit."""
        id = self.needs_opencl()
        small = environment(POCL_MEMORY_LIMIT="2")
        device = next(device for device in support.opencl_devices(small) if device["id"] == id)
        width = int((int(device["memory"]) / 12 * 1.05) ** 0.5)
        message = self.fails(5, *self.run_of("--device", id, "--hidden", f"{width},{width}"), env=small)
        self.assertRegex(message, r"the parameters of the net need (at least|buffers of) \d+ bytes on [^\n]*, which (has|allows) \d+( each)?: lower the widths\n\Z")

    def test_a_loss_that_is_no_number(self):
        """The update is named, and the best parameters are the result."""
        data = self.file("numbers.csv", NUMBERS)
        model = self.folder / "m.safetensors"
        done = shoal(*self.run_of("--epochs", 9, "--optimiser", "sgd", "--rate", "1e12", "--model", model, "--task", "regress", data=data,
                                   target="sum"))
        self.assertEqual(done.returncode, 6)
        self.assertRegex(done.stderr, r"\Ashoal: host: [^\n]* the loss of update \d+ is no finite number; lower the rate[^\n]*\n\Z")
        self.assertIn("FAIL", done.stdout)
        self.assertTrue(model.exists())

    def test_models(self):
        model = self.folder / "m.safetensors"
        self.succeeds(*self.run_of("--epochs", 2, "--model", model))
        predict = ["mlp", "--load", model, "--predict"]
        other = self.file("other.csv", "x,z\n1,2\n")
        self.assertIn("'y'", self.fails(1, *predict, other))
        strange = self.file("strange.csv", "x,y,kind\n1,2,pink\n")
        self.assertIn("strange.csv: row 1, column 3 ('kind'): 'pink' is no class of the training rows", self.fails(1, *predict, strange, "--target", "kind"))
        self.assertIn("row 1", self.fails(1, *predict, self.file("hole.csv", "x,y\n,2\n")))
        self.assertIn("does not tell the truth of its rows", self.fails(2, *predict, self.table, "--report", self.folder / "r.csv"))
        self.assertIn("no model; give --load", self.fails(2, "mlp", "--predict", self.table))
        self.assertIn("--predict-labels needs --predict", self.fails(2, *self.run_of("--predict-labels", self.table)))
        cut = self.bytes("cut.safetensors", model.read_bytes()[:-9])
        self.assertIn("cut.safetensors", self.fails(1, "mlp", "--load", cut, "--predict", self.table))
        self.assertIn("cut.safetensors", self.fails(1, *self.run_of("--load", cut)))
        self.assertEqual(sorted(path.suffix for path in self.folder.iterdir() if path.suffix not in (".csv", ".safetensors")), [])

    def test_help_of_a_group(self):
        self.assertIn("Preparation, learned from the training rows:\n", self.succeeds("mlp", "--help", "preparation"))

    def test_options_without_effect(self):
        model, weights = self.folder / "m.safetensors", self.folder / "m.npy"
        self.succeeds(*self.run_of("--epochs", 2, "--model", model, "--export", weights))
        predict = ["mlp", "--load", model, "--predict", self.table]
        for args in (["--epochs", 3], ["--data", self.table], ["--plot-loss", "l.svg"], ["--plot-score", "s.svg"],
                     ["--trace-file", "s.csv"], ["--model", "n.net"]):
            with self.subTest(args=args):
                self.assertIn("--predict: makes no run; omit --" + ("model" if "--model" in args else args[0][2:]), self.fails(2, *predict, *args))
        self.assertIn("without a run; omit --rate", self.fails(2, "mlp", "--load", model, "--export", "a.c", "--rate", 1))
        alone = f"--load: {weights} has weights alone; give --shape, such as 64-63-26, or load a .safetensors"
        self.assertIn(alone, self.fails(2, "mlp", "--load", weights, "--predict", self.table))
        self.assertIn(alone, self.fails(2, "mlp", "--load", weights, "--export", "a.c"))
        for args in (["--load", model, "--export", "a.c"], self.run_of("--load", weights)[1:]):
            self.assertIn("--shape has no effect", self.fails(2, "mlp", *args, "--shape", "2-64-3"))
        # The model brings its preparation, and its first weights.
        for option, value in (("scale", "min-max"), ("target-scale", "none"), ("missing", "mean"), ("weight", "x"), ("class-weights", "balanced")):
            self.refuse(2, f"{option}: has no effect on the model of {model}", "--load", model, f"--{option}", value)
        self.refuse(2, "--start does not go with --load", "--load", model, "--start", "he")
        self.refuse(2, "--output-bias does not go with --load", "--load", model, "--output-bias", 0)
        # Of layers and targets that the net has not, and of a file that is not read.
        self.refuse(2, "activation: it is for hidden layers, but the net has none", "--hidden", "none", "--activation", "tanh")
        self.refuse(2, "dropout: it is for hidden layers, but the net has none", "--hidden", "none", "--dropout", 0.1)
        self.refuse(2, "slope: it is for logistic and leaky-relu, but no layer has one of them\n", "--slope", 2)
        two = self.file("two.csv", TABLE.replace("blue", "red"))
        self.refuse(2, "no layer has one of them; that of the logistic loss is 1\n", "--slope", 2, "--loss", "logistic", data=two)
        self.refuse(2, "target scale: it is for numbers, but the targets are classes", "--target-scale", "min-max")
        for option, value in (("target", "class"), ("columns", "1 ignored"), ("format", "csv"), ("header", "no")):
            self.assertIn(f"{option}: it is for a data file, but no file is read",
                          self.fails(2, *HOST, "--generate", "teacher:500", f"--{option}", value))

    def test_losses_and_outputs(self):
        numbers = self.file("numbers.csv", NUMBERS)
        self.refuse(1, "numbers.csv: row 2, target 'sum': the loss logistic takes numbers from 0 to 1, and this is 2",
                    "--loss", "logistic", data=numbers, target="sum")
        # Numbers from 0 to 1 are trained on as they are.
        shares = self.file("shares.csv", "x,share\n" + "".join(f"{i % 10},{(i % 10) / 10}\n" for i in range(120)))
        report = self.document("--epochs", 200, "--loss", "logistic", data=shares, target="share")["report"]
        self.assertGreater(report["r2"], 0.95)
        for loss, data in (("cross-entropy", self.table), ("logistic", self.file("two.csv", TABLE.replace("blue", "red")))):
            self.refuse(2, "output: linear outputs of this loss are logits, no probabilities", "--loss", loss, "--output", "linear", data=data)
        self.refuse(2, "smoothing: it spreads classes, and the targets are numbers", "--smoothing", 0.1, data=numbers, target="sum")

    def test_files_that_are_written(self):
        run = self.run_of("--epochs", 2)
        for code, message, args in (
            (2, "the ending of 'r.txt' names no format", ["--report", "r.txt"]),
            (2, "the ending of 'm.bin' names no format", ["--model", "m.bin"]),
            (2, "the ending of 'm' names no format", ["--export", "a.c,m"]),
            (2, "is the file that --data reads", ["--out", self.table]),
            (2, "each fold trains a net of its own", ["--folds", 3, "--model", "m.net"]),
            (2, "--export-form has no effect", ["--export-form", "int8"]),
            (2, "the standard output is that of the run", ["--out", "-"]),
            (1, "cannot be written", ["--out", self.folder / "none" / "p.csv"]),
            (1, "cannot be written", ["--model", self.folder / "none" / "m.net"]),
        ):
            with self.subTest(args=args):
                self.assertIn(message, self.fails(code, *run, *args))
        for option, name in (("--out", "p.csv"), ("--report", "r.json"), ("--model", "m.safetensors"), ("--export", "m.npy")):
            full = self.folder / name
            full.symlink_to("/dev/full")
            with self.subTest(option=option):
                message = self.fails(1, *run, option, full)
                self.assertIn("No space left", message)
                self.assertTrue(message.startswith(f"shoal: {option}: "), message)
        # No line says that predictions were written.
        model = self.folder / "kept.safetensors"
        self.succeeds(*run, "--model", model)
        done = shoal("mlp", "--load", model, "--predict", self.table, "--out", self.folder / "p.csv")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("No space left", done.stderr)


if __name__ == "__main__":
    support.main()
