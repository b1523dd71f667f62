#!/usr/bin/env python3
"""shoal mlp: lines and report of a run, files, models and predictions, and input that is wrong."""

import csv
import gzip
import json
import math
import struct
import xml.dom.minidom

import support
from support import Case, shoal

HOST = ["mlp", "--device", "host"]
# Two inputs tell three classes apart.
TABLE = "x,y,kind\n" + "".join(f"{i % 7 + 10 * (i % 3)},{i % 5},{('red', 'green', 'blue')[i % 3]}\n" for i in range(120))
NUMBERS = "a,b,sum,twice\n" + "".join(f"{i % 7},{i % 5},{i % 7 + i % 5},{2 * (i % 7)}\n" for i in range(120))
COLOURS = ["blue", "green", "red"]
IMAGES = struct.pack(">IIII", 0x803, 12, 2, 2) + bytes((40 * (i % 2) + i) % 256 for i in range(48))
LABELS = struct.pack(">II", 0x801, 12) + bytes(i % 2 for i in range(12))


class Mlp(Case):
    def setUp(self):
        super().setUp()
        self.table = self.file("table.csv", TABLE)

    def run_of(self, *args, data=None, target="kind"):
        return [*HOST, "--data", data or self.table, "--target", target, *args]

    def document(self, *args, **more):
        return json.loads(self.succeeds(*self.run_of("--json", *args, **more)))["rows"][0]

    def rows(self, path):
        with open(path, newline="") as file:
            return list(csv.reader(file))

    def bytes(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path


class Runs(Mlp):
    def test_lines_of_a_run(self):
        text = self.succeeds(*self.run_of("--epochs", 3)).splitlines()
        self.assertEqual(text[0].split(), ["epoch", "loss", "score", "valid.", "loss", "valid.", "score", "samples/s"])
        self.assertEqual([line.split()[0] for line in text[1:4]], ["1", "2", "3"])
        self.assertEqual({len(line.split()) for line in text[1:4]}, {6})
        self.assertLessEqual(max(map(len, text)), 80)
        self.assertNotIn("valid. loss", self.succeeds(*self.run_of("--epochs", 3, "--trace", 0)))

    def test_lines_of_a_long_run_become_fewer(self):
        def shown(*args):
            lines = self.succeeds(*self.run_of(*args)).split("\n\n")[0].splitlines()
            return [int(line.split()[0]) for line in lines[1:]]

        self.assertEqual(shown("--epochs", 303),
                         [*range(1, 51), *range(52, 101, 2), *range(105, 251, 5), *range(260, 301, 10), 303])
        # What is asked for is shown.
        self.assertEqual(shown("--epochs", 303, "--trace", 100), [100, 200, 300])
        self.assertEqual(shown("--epochs", 60, "--trace", 1), list(range(1, 61)))
        # Files have all of them.
        path = self.folder / "trace.csv"
        self.succeeds(*self.run_of("--epochs", 70, "--trace-file", path))
        self.assertEqual([row[0] for row in self.rows(path)[1:]], [str(step) for step in range(1, 71)])

    def test_report_of_classes(self):
        row = self.document("--epochs", 40)
        report = row["report"]
        self.assertEqual((report["part"], report["rows"]), ("test", 24))
        self.assertEqual(report["accuracy"], row["result"]["value"])
        self.assertEqual([entry["name"] for entry in report["classes"]], COLOURS)
        self.assertEqual(sum(map(sum, report["confusion"])), 24)
        right = sum(report["confusion"][k][k] for k in range(3))
        self.assertAlmostEqual(report["accuracy"], right / 24)
        self.assertEqual([entry["rows"] for entry in report["classes"]], [sum(line) for line in report["confusion"]])
        self.assertTrue(report["accuracy_low"] < report["accuracy"] <= report["accuracy_high"])
        self.assertAlmostEqual(sum(entry["rows"] for entry in report["calibration"]), 24)
        text = self.succeeds(*self.run_of("--epochs", 40))
        for part in ("report:    24 test rows", " 95 % interval ", "\nlog loss:", "\nRows of each class, and the class they were "):
            self.assertIn(part, text)

    def test_report_agrees_with_the_predictions(self):
        """Every figure once more from the file of predictions."""
        out, report = self.folder / "out.csv", self.folder / "report.json"
        self.succeeds(*self.run_of("--epochs", 3, "--out", out, "--report", report))
        figures = json.loads(report.read_text())["report"]
        head, *rows = self.rows(out)
        self.assertEqual(head, ["row", "truth", "prediction", "p blue", "p green", "p red"])
        self.assertEqual(len(rows), 24)
        source = TABLE.splitlines()
        loss = brier = 0
        for number, truth, prediction, *p in rows:
            p = [float(value) for value in p]
            self.assertEqual(source[int(number)].split(",")[2], truth)
            self.assertEqual(COLOURS[p.index(max(p))], prediction)
            self.assertAlmostEqual(sum(p), 1, places=7)
            loss -= math.log(p[COLOURS.index(truth)]) / 24
            brier += sum((value - (name == truth)) ** 2 for name, value in zip(COLOURS, p)) / 24
        self.assertAlmostEqual(figures["log_loss"], loss, places=6)
        self.assertAlmostEqual(figures["brier"], brier, places=6)
        self.assertAlmostEqual(figures["accuracy"], sum(row[1] == row[2] for row in rows) / 24)

    def test_report_of_numbers(self):
        data = self.file("numbers.csv", NUMBERS)
        out = self.folder / "out.csv"
        row = self.document("--epochs", 60, "--out", out, data=data, target="sum,twice")
        report = row["report"]
        self.assertEqual([entry["name"] for entry in report["outputs"]], ["sum", "twice"])
        self.assertGreater(report["r2"], 0.9)
        self.assertAlmostEqual(report["r2"], row["result"]["value"])
        head, *rows = self.rows(out)
        self.assertEqual(head, ["row", "truth sum", "truth twice", "prediction sum", "prediction twice"])
        error = math.sqrt(sum((float(r[1]) - float(r[3])) ** 2 for r in rows) / len(rows))
        self.assertAlmostEqual(report["outputs"][0]["rmse"], error, places=6)
        self.assertRegex(self.succeeds(*self.run_of("--epochs", 5, data=data, target="sum")), r"\noutput +RMSE +MAE +R2\nsum ")

    def test_scores_of_epochs(self):
        """Those of the last epoch are the figures of the result: of classes accuracy, of numbers R2."""
        numbers = self.file("numbers.csv", NUMBERS)
        for data, target, name in ((self.table, "kind", "accuracy"), (numbers, "sum,twice", "r2")):
            trace, curve = self.folder / f"{name}.csv", self.folder / f"{name}.svg"
            with self.subTest(name):
                # The best epoch is the last one, as a rule; it is looked for among all.
                row = self.document("--epochs", 12, "--trace-file", trace, "--plot-score", curve, data=data, target=target)
                head, *lines = self.rows(trace)
                scores = [float(line[head.index("validation_score")]) for line in lines]
                losses = [float(line[head.index("validation_loss")]) for line in lines]
                best = scores[losses.index(min(losses))]
                self.assertAlmostEqual(best, row["result"]["fields"][f"validation_{name}"], places=9)
                self.assertIn(">validation_score<", curve.read_text())

    def test_rows_that_are_reported(self):
        self.assertEqual(self.document("--epochs", 2, "--test", 0)["report"]["part"], "validation")
        self.assertEqual(self.document("--epochs", 2, "--test", 0, "--validation", 0)["report"]["part"], "training")
        folds = self.document("--epochs", 2, "--folds", 4)["report"]
        # Each row once, by the net that has not seen it.
        self.assertEqual((folds["part"], folds["rows"], folds["folds"]), ("validation", 120, 4))
        self.assertIn("each validated by the net of its fold", self.succeeds(*self.run_of("--epochs", 2, "--folds", 4)))
        self.assertIn("(3 nets)", self.succeeds(*self.run_of("--epochs", 2, "--nets", 3)))

    def test_few_rows(self):
        """Those of a generator train as they are, though they have no tenth; so do those of a file."""
        text = self.succeeds(*HOST, "--generate", "xor", "--epochs", 100)
        self.assertIn("report:    4 training rows\naccuracy:  1,", text)
        self.assertIn("\nNote: all 4 rows train: they are too few to set some apart.\n", text)
        self.assertNotIn("Note", self.succeeds(*HOST, "--generate", "xor:8", "--epochs", 1))
        row = self.document("--epochs", 2, "--rows", "1-3")
        self.assertEqual((row["report"]["part"], row["report"]["rows"]), ("test", 117))
        self.assertEqual(row["result"]["note"], "all 3 rows train: they are too few to set some apart")

    def test_a_net_of_a_set(self):
        """The best by its validation loss, or the one that is chosen, is what the run of its seed alone makes."""
        numbers = self.file("numbers.csv", NUMBERS)
        for data, target, score in ((self.table, "kind", "accuracy"), (numbers, "sum,twice", "r2")):
            run = ["--epochs", 3, "--seed", 5]
            report = self.document(*run, "--nets", 4, data=data, target=target)["report"]
            nets = report["nets"]
            self.assertEqual([(net["net"], net["seed"], net["failed"]) for net in nets],
                             [(k + 1, str(5 + k), False) for k in range(4)])
            best = min(nets, key=lambda net: net["validation_loss"])
            self.assertEqual(report["net"], best["net"])
            for chosen in (None, 2):
                with self.subTest(score, chosen=chosen):
                    net = nets[chosen - 1] if chosen else best
                    file, alone, path = (self.folder / name for name in ("set.npy", "alone.npy", "report.csv"))
                    more = ["--net", chosen] if chosen else []
                    text = self.succeeds(*self.run_of(*run, "--nets", 4, *more, "--export", file, "--report", path, data=data, target=target))
                    title = f"; net {chosen} of 4\n" if chosen else f"; the best of 4 nets, net {net['net']}\n"
                    self.assertIn(title, text)
                    self.assertRegex(text, rf"\nNets, {'accuracy' if target == 'kind' else 'R2'} of the rows of each part\nnet +seed ")
                    row = self.document("--epochs", 3, "--seed", net["seed"], "--export", alone, data=data, target=target)
                    self.assertEqual(file.read_bytes(), alone.read_bytes())
                    fields = row["result"]["fields"]
                    for name in ("loss", "validation_loss", f"training_{score}", f"validation_{score}", f"test_{score}"):
                        self.assertAlmostEqual(net[name], fields[name], msg=name)
                    self.assertNotIn("nets", row["report"])
                    lines = [line for line in self.rows(path) if line[1] == f"net {net['net']}"]
                    self.assertEqual([line[0] for line in lines],
                                     ["loss", "validation_loss", *(f"{part}_{score}" for part in ("training", "validation", "test"))])
                    self.assertAlmostEqual(float(lines[4][3]), net[f"test_{score}"])
        folds = self.document("--epochs", 2, "--nets", 2, "--folds", 3)["report"]
        self.assertEqual([(net["net"], net["fold"]) for net in folds["nets"]], [(1 + k % 2, 1 + k // 2) for k in range(6)])
        means = [sum(net["validation_loss"] for net in folds["nets"][k::2]) for k in range(2)]
        self.assertEqual(folds["net"], 1 + means.index(min(means)))
        text = self.succeeds(*self.run_of("--epochs", 1, "--nets", 31))
        self.assertEqual(len(text.split("The best nets, accuracy of the rows of each part; --json has all\n")[1].splitlines()), 11)
        self.assertIn("--net: there is no net 3, --nets is 2", self.fails(2, *self.run_of("--nets", 2, "--net", 3)))

    def test_weights_of_classes_are_no_matter_of_the_report(self):
        report = self.document("--epochs", 2, "--class-weights", "5,1,1")["report"]
        self.assertEqual([entry["rows"] for entry in report["classes"]], [8, 8, 8])

    def test_many_classes(self):
        report = self.succeeds(*HOST, "--generate", "teacher:600", "--epochs", 2)
        self.assertRegex(report, r"\nThe most frequent errors\ntruth +taken for +rows +of the class\n")
        self.assertLessEqual(max(map(len, report.splitlines())), 80)

    def test_outputs_that_are_no_probabilities(self):
        report = self.document("--epochs", 5, "--loss", "squared", "--output", "linear")["report"]
        self.assertIsNone(report["log_loss"])
        self.assertIsNotNone(report["auc"])

    def test_files_of_the_report(self):
        paths = {end: self.folder / f"report.{end}" for end in ("csv", "json", "jsonl", "svg")}
        for path in paths.values():
            self.succeeds(*self.run_of("--epochs", 5, "--report", path))
        whole = json.loads(paths["json"].read_text())["report"]
        head, *lines = self.rows(paths["csv"])
        self.assertEqual(head, ["figure", "of", "as", "value"])
        objects = [json.loads(line) for line in paths["jsonl"].read_text().splitlines()]
        self.assertEqual([[o["figure"], o.get("of", ""), o.get("as", "")] for o in objects], [line[:3] for line in lines])
        self.assertAlmostEqual(next(float(line[3]) for line in lines if line[0] == "auc" and not line[1]), whole["auc"])
        self.assertEqual([float(line[3]) for line in lines if line[0] == "confusion"], sum(whole["confusion"], []))
        drawn = xml.dom.minidom.parse(str(paths["svg"]))
        self.assertIn("truth down, prediction across", paths["svg"].read_text())
        self.assertEqual(len([t for t in drawn.getElementsByTagName("text") if t.getAttribute("text-anchor") == "middle"]), 12)

    def test_curves(self):
        loss, score = self.folder / "loss.svg", self.folder / "score.svg"
        self.succeeds(*self.run_of("--epochs", 5, "--plot-loss", loss, "--plot-score", score))
        for path, label in ((loss, ">validation_loss<"), (score, ">validation_score<")):
            self.assertIn(label, path.read_text())
            self.assertIn(">epoch<", path.read_text())
        numbers = self.folder / "points.svg"
        data = self.file("numbers.csv", NUMBERS)
        self.succeeds(*self.run_of("--epochs", 5, "--report", numbers, data=data, target="sum,twice"))
        self.assertEqual(len(xml.dom.minidom.parse(str(numbers)).getElementsByTagName("circle")), 2 * 24)

    def test_chunks_of_rows(self):
        device = self.needs_opencl()

        def run(*args):
            net = self.folder / "net.npy"
            text = self.succeeds("mlp", "--device", device, "--data", self.table, "--target", "kind", "--epochs", 4,
                                 "--batch", 8, "--export", net, "--json", *args)
            return json.loads(text)["rows"][0]["result"]["fields"], net.read_bytes()

        whole, net = run()
        self.assertNotIn("chunk_rows", whole)
        chunks, same = run("--chunk-rows", 20)
        self.assertEqual(chunks["chunk_rows"], 20)
        self.assertEqual(same, net)
        for name in ("loss", "validation_loss", "test_accuracy"):
            self.assertEqual(chunks[name], whole[name])
        message = self.fails(2, *self.run_of("--method", "v1", "--full-batch", "--chunk-rows", 20))
        self.assertIn("--chunk-rows needs --method auto or gemm", message)

    def test_gradients_are_verified(self):
        devices = ["host"] + [device["id"] for device in support.opencl_devices()[:1]]
        text = self.succeeds("verify", "mlp.gradient", "--device", ",".join(devices), "--json")
        rows = json.loads(text)["rows"]
        self.assertEqual(len(rows), 9 + 2 * (len(devices) - 1))
        for row in rows:
            self.assertLess(row["deviation"], row["tolerance"], row)
            self.assertGreater(row["compared"], 300)

    def test_resumed_run(self):
        """In the middle of an epoch of 6 updates. The schedule knows the end of the run, so it is a constant."""
        whole, half = self.folder / "whole", self.folder / "half"
        run = self.run_of("--epochs", 8, "--schedule", "constant", "--decay", "0.1", "--dropout", "0.2")
        first = self.succeeds(*run, "--out", whole)
        self.succeeds(*run, "--updates", 25, "--checkpoint", half)
        self.succeeds("mlp", "--resume", half, "--updates", 10 ** 9, "--out", self.folder / "resumed")
        self.assertEqual(whole.read_bytes(), (self.folder / "resumed").read_bytes())
        self.assertIn("steps:                8", first)


class Models(Mlp):
    def test_a_model_predicts_new_rows(self):
        model, out, p = (self.folder / name for name in ("m.safetensors", "out.csv", "p.csv"))
        self.succeeds(*self.run_of("--epochs", 20, "--model", model, "--out", out))
        # Other columns, in another order, are found by name.
        new = self.file("new.csv", "kind,y,more,x\n" + "".join(
            f"{line.split(',')[2]},{line.split(',')[1]},0,{line.split(',')[0]}\n" for line in TABLE.splitlines()[1:]))
        self.assertEqual(self.succeeds("mlp", "--load", model, "--predict", new, "--out", p), f"120 rows of {new}, predictions in {p}\n")
        head, *rows = self.rows(p)
        self.assertEqual(head, ["row", "prediction", "p blue", "p green", "p red"])
        before = {row[0]: row[2:] for row in self.rows(out)[1:]}
        after = {row[0]: row[1:] for row in rows if row[0] in before}
        self.assertEqual({k: v[0] for k, v in before.items()}, {k: v[0] for k, v in after.items()})
        for key, values in before.items():
            for a, b in zip(values[1:], after[key][1:]):
                self.assertAlmostEqual(float(a), float(b), places=6)
        # The same to the standard output, and as JSON.
        self.assertEqual(self.succeeds("mlp", "--load", model, "--predict", new), p.read_text())
        document = json.loads(self.succeeds("mlp", "--load", model, "--predict", new, "--json"))
        self.assertEqual([entry["prediction"] for entry in document["predictions"]], [row[1] for row in rows])
        # With the truth there is a report.
        report = self.folder / "report.json"
        text = self.succeeds("mlp", "--load", model, "--predict", new, "--target", "kind", "--out", p, "--report", report)
        self.assertIn("report:    120 rows\n", text)
        figures = json.loads(report.read_text())["report"]
        rows = self.rows(p)[1:]
        self.assertAlmostEqual(figures["accuracy"], sum(row[1] == row[2] for row in rows) / 120)

    def test_a_model_of_numbers(self):
        data, model = self.file("numbers.csv", NUMBERS), self.folder / "m.safetensors"
        self.succeeds(*self.run_of("--epochs", 40, "--model", model, data=data, target="sum"))
        document = json.loads(self.succeeds("mlp", "--load", model, "--predict", data, "--target", "sum", "--json"))
        self.assertGreater(document["report"]["r2"], 0.9)
        self.assertEqual(len(document["predictions"][0]["prediction"]), 1)

    def test_the_truth_is_found_by_name(self):
        data, model, out = self.file("numbers.csv", NUMBERS), self.folder / "m.safetensors", self.folder / "p.csv"
        self.succeeds(*self.run_of("--epochs", 40, "--model", model, data=data, target="sum,twice"))
        lines = [line.split(",") for line in NUMBERS.splitlines()]
        other = self.file("other.csv", "".join(f"{twice},{b},{sum_},{a}\n" for a, b, sum_, twice in lines))
        text = self.succeeds("mlp", "--load", model, "--predict", other, "--target", "sum,twice", "--out", out, "--json")
        self.assertGreater(min(entry["r2"] for entry in json.loads(text)["report"]["outputs"]), 0.9)
        self.assertEqual([row[1:3] for row in self.rows(out)[1:]], [line[2:] for line in lines[1:]])
        # Another column is not the truth.
        done = self.fails(2, "mlp", "--load", model, "--predict", other, "--target", "sum", "--report", self.folder / "r.csv")
        self.assertIn("does not tell the truth of its rows", done)

    def test_classes_that_are_numbers(self):
        table = "x,y,w,kind\n" + "".join(f"{i % 7 + 10 * (i % 3)},{i % 5},{i % 4},{i % 3 + 1}\n" for i in range(120))
        data, model, out = self.file("t.csv", table), self.folder / "m.safetensors", self.folder / "p.csv"
        self.succeeds(*self.run_of("--columns", "kind category", "--weight", "w", "--epochs", 9, "--model", model, data=data))
        report = json.loads(self.succeeds("mlp", "--load", model, "--predict", data, "--target", "kind", "--out", out, "--json"))["report"]
        rows = self.rows(out)[1:]
        self.assertEqual([row[1] for row in rows], [str(i % 3 + 1) for i in range(120)])
        # Rows count by the weights with which the model was trained.
        self.assertEqual([entry["rows"] for entry in report["classes"]], [60, 60, 60])
        self.assertAlmostEqual(report["accuracy"], sum(i % 4 for i, row in enumerate(rows) if row[1] == row[2]) / 180)
        plain = self.file("plain.csv", table.replace(",w,", ",v,"))
        report = json.loads(self.succeeds("mlp", "--load", model, "--predict", plain, "--target", "kind", "--json"))["report"]
        self.assertAlmostEqual(report["accuracy"], sum(row[1] == row[2] for row in rows) / 120)

    def net_of(self, path):
        content = path.read_bytes()
        head = json.loads(content[8:8 + struct.unpack("<Q", content[:8])[0]])
        return json.loads(head["__metadata__"]["shoal.net"])

    def test_a_model_keeps_its_slopes(self):
        first, second = self.folder / "a.safetensors", self.folder / "b.safetensors"
        self.succeeds(*self.run_of("--epochs", 1, "--activation", "logistic", "--slope", 0.25, "--hidden", "5,4", "--model", first))
        for slopes, args in (
            ([0.25, 0.25], []),
            ([2, 2], ["--slope", 2]),
            ([0.01, 0.01], ["--activation", "leaky-relu"]),
            ([0, 0], ["--activation", "leaky-relu", "--slope", 0]),
            ([0.01, 1], ["--activation", "leaky-relu,logistic"]),
        ):
            with self.subTest(args=args):
                self.succeeds(*self.run_of("--epochs", 1, "--load", first, "--model", second, *args))
                self.assertEqual([layer["slope"] for layer in self.net_of(second)["layers"][:-1]], slopes)

    def test_a_model_keeps_its_loss(self):
        first, second = self.folder / "a.safetensors", self.folder / "b.safetensors"
        data = self.file("numbers.csv", NUMBERS)
        whole = lambda net: (net["loss"], net["layers"][-1]["activation"], net["layers"][-1]["slope"])
        for target, made, kept, args, changed in (
            ("kind", ["--loss", "squared", "--output", "logistic", "--slope", 0.5], ("squared", "logistic", 0.5),
             ["--loss", "cross-entropy"], ("cross-entropy", "softmax", 1)),
            ("sum", ["--loss", "huber", "--huber", 0.25], ("huber", "linear", 1), ["--output", "tanh"], ("huber", "tanh", 1)),
        ):
            run = lambda *more: self.run_of("--epochs", 1, *more, data=self.table if target == "kind" else data, target=target)
            with self.subTest(target=target):
                self.succeeds(*run("--model", first, *made))
                self.assertEqual(whole(self.net_of(first)), kept)
                self.succeeds(*run("--load", first, "--model", second))
                self.assertEqual(whole(self.net_of(second)), kept)
                self.assertEqual(self.net_of(second)["huber"], self.net_of(first)["huber"])
                self.succeeds(*run("--load", first, "--model", second, *args))
                self.assertEqual(whole(self.net_of(second)), changed)

    def test_further_training(self):
        model = self.folder / "m.safetensors"
        first = self.document("--epochs", 20, "--model", model)["report"]["log_loss"]
        second = self.document("--epochs", 20, "--load", model)["report"]["log_loss"]
        self.assertLess(second, first)

    def test_a_model_is_converted_without_a_run(self):
        model, c, other = (self.folder / name for name in ("m.safetensors", "a.c", "o.safetensors"))
        self.succeeds(*self.run_of("--epochs", 2, "--model", model))
        self.assertEqual(self.succeeds("mlp", "--load", model, "--export", c, "--model", other), "")
        text = c.read_text()
        self.succeeds("mlp", "--load", other, "--export", c)
        self.assertEqual(c.read_text(), text)
        predict = ["mlp", "--predict", self.table, "--load"]
        self.assertEqual(self.succeeds(*predict, other), self.succeeds(*predict, model))
        self.assertIn("none.safetensors", self.fails(1, "mlp", "--load", self.folder / "none.safetensors", "--export", c))

    def test_weights_alone(self):
        """Those of a .npy with their shape, and behind the preparation of the table again."""
        weights, model, whole, c = (self.folder / name for name in ("w.npy", "m.safetensors", "n.safetensors", "n.c"))
        plain = self.file("plain.csv", TABLE.split("\n", 1)[1])
        self.succeeds(*self.run_of("--epochs", 9, "--scale", "none", "--export", weights, "--model", model))
        load = ["mlp", "--load", weights, "--activation", "relu", "--output", "softmax", "--shape"]
        predicted = [self.succeeds("mlp", "--load", model, "--predict", self.table), self.succeeds(*load, "2-64-3", "--predict", plain)]
        rows = [[line.split(",")[2:] for line in text.splitlines()[1:]] for text in predicted]
        self.assertEqual(len(rows[1]), 120)
        for a, b in zip(sum(rows[0], []), sum(rows[1], [])):
            self.assertAlmostEqual(float(a), float(b), places=6)
        self.succeeds(*load, "2-64-3", "--export", c)
        self.assertIn("has 387 x 1 numbers, the net has 322 parameters", self.fails(1, *load, "2-64-2", "--predict", plain))
        self.assertIn("'2x64' is no shape of a net", self.fails(2, *load, "2x64", "--predict", plain))
        self.succeeds(*self.run_of("--load", weights, "--rate", 0, "--epochs", 1, "--scale", "none", "--model", whole))
        self.assertEqual(self.succeeds("mlp", "--load", whole, "--predict", self.table), predicted[0])

    def test_exports(self):
        paths = [self.folder / name for name in ("m.onnx", "m.net", "m.npy", "m.c")]
        data = self.file("numbers.csv", NUMBERS)
        run = self.run_of("--epochs", 2, "--activation", "tanh", data=data, target="sum")
        self.succeeds(*run, "--export", ",".join(map(str, paths)))
        for path in paths:
            self.assertGreater(path.stat().st_size, 100, path)
        whole = self.folder / "i.c"
        self.succeeds(*run, "--export", whole, "--export-form", "int8")
        self.assertNotEqual(whole.read_text(), paths[3].read_text())
        self.assertIn("FANN has no softmax", self.fails(1, *self.run_of("--epochs", 2, "--activation", "tanh", "--export", paths[1])))


class Mistakes(Mlp):
    def refuse(self, code, message, *args, **more):
        with self.subTest(args=args):
            self.assertIn(message, self.fails(code, *self.run_of("--epochs", 2, *args, **more)))

    def table_of(self, *lines):
        return self.file("bad.csv", TABLE + "".join(line + "\n" for line in lines))

    def test_tables(self):
        self.refuse(1, "bad.csv: row 121 (line 122), column 1 (x): 'big' is not a number", data=self.table_of("big,1,red"))
        self.refuse(1, "bad.csv: row 121 (line 122) has 2 columns, the first line has 3", data=self.table_of("1,red"))
        self.refuse(1, "column 1 (x): 'nan' is not finite", data=self.table_of("nan,1,red"))
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
        for message, text in (("declares 5 rows of 2 inputs and 1 targets, which 18 bytes cannot hold", "5 2 1\n1 2\n0\n3 4\n1\n"),
                              ("declares 1 rows of 2 inputs and 1 targets, 3 numbers; there are 6", "1 2 1\n1 2\n0\n3 4\n1\n"),
                              ("declares 99999999999 rows of 2 inputs and 1 targets, which 30 bytes cannot hold", "99999999999 2 1\n1 2\n0\n3 4\n1\n\n\n"),
                              ("declares 0 rows of 2 inputs", "0 2 1\n"), ("declares 2 rows of 0 inputs", "2 0 1\n0\n1\n")):
            with self.subTest(text=text):
                self.assertIn(message, self.fails(1, *HOST, "--data", self.file("a.data", text)))

    def test_nets(self):
        self.refuse(2, "hidden: '0' is no number of units", "--hidden", "64,0")
        self.refuse(2, "activation: there is no activation 'sine'", "--activation", "sine")
        self.refuse(2, "activation: 2 are given, there is 1 hidden layer\n", "--activation", "tanh,relu")
        self.refuse(2, "shoal: output: cross-entropy needs outputs by softmax", "--output", "tanh")
        self.refuse(2, "schedule: the cosine needs more updates than the warm-up has, and 12 are not more than 12", "--warm-up", 12)
        self.assertIn("shoal: generate: 'nope' is none of xor, ", self.fails(2, *HOST, "--generate", "nope"))
        # 8 bytes seven times for each of 2^48 weights and a few more.
        self.refuse(1, "the parameters of the net need 15762604332941424 bytes on the host, which has", "--hidden", "16777216,16777216", data=self.file(
            "two.csv", "x,y,kind\n" + "".join(f"{i},{i % 5},{'ab'[i % 2]}\n" for i in range(40))))
        self.refuse(2, "validation and test: shares of 0.6 and 0.5 leave no rows to train", "--validation", 0.6, "--test", 0.5)
        self.refuse(2, "rows: 1 to 500 are no rows of", "--rows", "1-500")
        self.refuse(2, "class weights: 2 are given, there are 3 classes", "--class-weights", "1,2")

    def test_a_net_larger_than_the_device(self):
        """Which has less than the host: else the host is the first that is too small."""
        id = self.needs_opencl()
        device = next(device for device in support.opencl_devices() if device["id"] == id)
        width = int((int(device["memory"]) / 12 * 1.05) ** 0.5)
        message = self.fails(5, *self.run_of("--device", id, "--hidden", f"{width},{width}"))
        self.assertRegex(message, r"the parameters of the net need (at least|buffers of) \d+ bytes on [^\n]*, which (has|allows) \d+( each)?: lower the widths\n\Z")

    def test_a_loss_that_is_no_number(self):
        """The update is named, and the best parameters are the result."""
        data = self.file("numbers.csv", NUMBERS)
        model = self.folder / "m.safetensors"
        done = shoal(*self.run_of("--epochs", 9, "--optimiser", "sgd", "--rate", "1e12", "--model", model, data=data, target="sum"))
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
        self.refuse(2, "activation: it is of hidden layers, and there is none", "--hidden", "none", "--activation", "tanh")
        self.refuse(2, "dropout: it is of hidden layers, and there is none", "--hidden", "none", "--dropout", 0.1)
        self.refuse(2, "slope: it is of logistic and leaky-relu, and no layer has it\n", "--slope", 2)
        two = self.file("two.csv", TABLE.replace("blue", "red"))
        self.refuse(2, "no layer has it; that of the logistic loss is 1\n", "--slope", 2, "--loss", "logistic", data=two)
        self.refuse(2, "target scale: it is of numbers, and the targets are classes", "--target-scale", "min-max")
        for option, value in (("target", "class"), ("columns", "1 ignored"), ("format", "csv"), ("header", "no")):
            self.assertIn(f"{option}: it is of a data file, and none is read",
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
