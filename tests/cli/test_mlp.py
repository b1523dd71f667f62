#!/usr/bin/env python3
"""shoal mlp: lines and report of a run, files, models and predictions."""

import csv
import json
import math
import struct
import xml.dom.minidom

import support
from mlp_case import COLOURS, HOST, IMAGES, LABELS, NUMBERS, TABLE, Mlp
from support import shoal


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

    def test_a_perceptron(self):
        """It ends without an error where a line divides the classes, and never on xor."""
        table = "x,y,side\n" + "".join(f"{x},{y},{'above' if x + 2 * y > 9.5 else 'below'}\n" for x in range(8) for y in range(8))
        data = self.file("line.csv", table)
        rule = ["--hidden", "none", "--output", "threshold", "--loss", "e", "--optimiser", "sgd", "--schedule", "constant", "--rate", 1,
                "--batch", 1, "--start", "uniform", "--range", 0, "--validation", 0, "--test", 0, "--target-loss", 0, "--epochs", 500]
        row = self.document(*rule, data=data, target="side")
        self.assertEqual(row["report"]["accuracy"], 1)
        self.assertLess(row["result"]["steps"], 500)
        xor = json.loads(self.succeeds(*HOST, "--generate", "xor", "--json", *rule))["rows"][0]
        self.assertLess(xor["report"]["accuracy"], 1)
        self.assertEqual(xor["result"]["steps"], 500)

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
        if support.has_theses():
            message = self.fails(2, *self.run_of("--method", "v1", "--full-batch", "--chunk-rows", 20))
            self.assertIn("--chunk-rows needs --method auto or gemm", message)

    def test_gradients_are_verified(self):
        devices = ["host"] + [device["id"] for device in support.opencl_devices()[:1]]
        text = self.succeeds("verify", "mlp.gradient", "--device", ",".join(devices), "--json")
        rows = json.loads(text)["rows"]
        self.assertEqual(len(rows), 10 + 2 * (len(devices) - 1))
        for row in rows:
            self.assertLess(row["deviation"], row["tolerance"], row)
            self.assertGreater(row["compared"], 300)

    def test_the_decay_that_is_chosen(self):
        """By the rows alone: the same on each device, and what it was chosen by is beside it."""
        path = self.file("curve.csv", "x,y\n" + "".join(f"{i / 20},{math.sin(i / 5) + i * i % 7 / 10}\n" for i in range(80)))
        found = []
        for device in ["host"] + [device["id"] for device in support.opencl_devices()[:1]]:
            run = ["mlp", "--data", path, "--target", "y", "--epochs", 2, "--device", device]
            fields = json.loads(self.succeeds(*run, "--json", "--trace", 0))["rows"][0]["result"]["fields"]
            found.append((fields["decay"], fields["lack_of_fit"]))
        self.assertEqual(len(set(found)), 1, found)
        decay, lack = found[0]
        self.assertTrue(0.2 < lack < 1)
        self.assertAlmostEqual(decay, 20 ** -lack)
        self.assertIn(f"\ndecay:          {decay:.6g}, lack of fit {lack:.6g}\n", self.succeeds(*run))
        self.assertNotIn("lack of fit", self.succeeds(*run, "--decay", 0.1))
        self.assertNotIn("decay:", self.succeeds(*run, "--optimiser", "adam"))
        nets = json.loads(self.succeeds(*run, "--json", "--trace", 0, "--nets", 2))["rows"][0]["report"]["nets"]
        self.assertEqual([(net["decay"], net["lack_of_fit"]) for net in nets], [found[0]] * 2)

    def test_resumed_run(self):
        """In the middle of an epoch of 11 updates. The schedule knows the end of the run, so it is a constant."""
        whole, half = self.folder / "whole", self.folder / "half"
        run = self.run_of("--epochs", 8, "--schedule", "constant", "--decay", "0.1", "--dropout", "0.2")
        first = self.succeeds(*run, "--out", whole)
        self.succeeds(*run, "--updates", 25, "--checkpoint", half)
        self.succeeds("mlp", "--resume", half, "--updates", 10 ** 9, "--out", self.folder / "resumed")
        self.assertEqual(whole.read_bytes(), (self.folder / "resumed").read_bytes())
        self.assertIn("steps:                8", first)


class Models(Mlp):
    def test_a_device_predicts_new_rows(self):
        """As the host, within the precision of the device."""
        device = self.needs_opencl()
        table = "x,y,place,kind\n" + "".join(f"{1000 + i % 7},{i % 5},{'abc'[i % 3]},{'no' if i % 4 else 'yes'}\n" for i in range(129))
        data, model = self.file("mixed.csv", table), self.folder / "m.safetensors"
        self.succeeds(*self.run_of("--epochs", 3, "--hidden", 9, "--model", model, data=data))
        predict = ["mlp", "--load", model, "--predict", data]
        for precision, places in (("fp32", 5), ("fp64", 12)):
            with self.subTest(precision):
                lines = [list(csv.reader(self.succeeds(*predict, "--device", name, "--precision", precision).splitlines()))
                         for name in ("host", device)]
                self.assertEqual(lines[0][0], lines[1][0])
                self.assertEqual(len(lines[1]), 130)
                for wanted, got in zip(lines[0][1:], lines[1][1:]):
                    self.assertEqual(wanted[:2], got[:2])
                    for a, b in zip(wanted[2:], got[2:]):
                        self.assertAlmostEqual(float(a), float(b), places=places)
        self.assertEqual(self.succeeds(*predict), self.succeeds(*predict, "--device", "host"))
        self.assertIn("--predict: one device predicts, --device selects 2: name one",
                      self.fails(2, *predict, "--device", f"host,{device}"))

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

    def test_tensors_in_any_order(self):
        """The header may list tensors in another order than that of their data; a cut file is refused in one line."""
        places = {"2.bias": ([1], 16, 20), "0.weight": ([1, 2], 0, 8), "2.weight": ([1, 1], 12, 16), "0.bias": ([1], 8, 12)}
        head = json.dumps({name: {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
                           for name, (shape, begin, end) in places.items()}).encode()
        content = struct.pack("<Q", len(head)) + head + struct.pack("<5f", 1, 2, 0.5, 10, -1)
        model, table = self.folder / "m.safetensors", self.file("new.csv", "3,4\n-9,1\n")
        predict = ["mlp", "--load", model, "--activation", "relu", "--output", "linear", "--predict", table]
        model.write_bytes(content)
        self.assertEqual([float(row[1]) for row in csv.reader(self.succeeds(*predict).splitlines()[1:])], [114, -1])
        for cut in range(1, 20):
            model.write_bytes(content[:-cut])
            self.assertIn("m.safetensors: is cut: tensor ", self.fails(1, *predict))

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
        self.assertIn("FANN has no softmax", self.fails(2, *self.run_of("--epochs", 2, "--activation", "tanh", "--export", paths[1])))



class Files(Mlp):
    """Data sets by a rule, and what files of other programs look like."""

    def values(self, name, content):
        source, target = self.folder / name, self.folder / "out.csv"
        source.write_bytes(content)
        self.succeeds("data", "convert", source, "--out", target)
        rows = target.read_text().splitlines()
        target.unlink()
        return rows

    def test_categories_that_training_did_not_see(self):
        table = self.file("t.csv", "city,size,y\n" + "".join(f"{('Bonn', 'Oslo')[i % 2]},{i},{i % 3}.5\n" for i in range(20))
                          + "Rome,3,1.5\nPisa,4,0.5\nRome,5,2.5\n")
        run = ["mlp", "--device", "host", "--data", table, "--target", "y", "--rows", "1-20", "--epochs", "1"]
        model, out = self.folder / "m.safetensors", self.folder / "p.csv"
        line = f"{table}: column 'city': 3 rows have a category that training did not see ('Rome', 'Pisa'): they are filled as missing values are\n"
        done = shoal(*run, "--missing", "mean", "--model", model)
        self.assertEqual((done.returncode, done.stderr.count(line)), (0, 1), done.stderr)
        new = self.file("new.csv", "city,size\n" + "".join(f"{city},1\n" for city in ("Oslo", "Ulm", "Rome", "?", "Bern", "Rome", "Kiel")))
        predict = ["mlp", "--load", model, "--out", out, "--predict"]
        done = shoal(*predict, new)
        self.assertEqual((done.returncode, done.stderr), (0, f"shoal: {new}: column 'city': 5 rows have a category that training did not "
                         "see ('Ulm', 'Rome', 'Bern', ...): they are filled as missing values are\n"))
        # As the missing one: the same prediction.
        predictions = [row[1] for row in self.rows(out)[1:]]
        self.assertEqual(len(set(predictions[1:])), 1)
        self.assertEqual(shoal(*predict, new, "-q").stderr, "")
        self.assertEqual(shoal(*predict, self.file("seen.csv", "city,size\nOslo,1\n?,2\n")).stderr, "")
        # What nothing fills is refused.
        self.assertIn("row 21, column 1 ('city'): 'Rome' is no category of the training rows", self.fails(1, *run))

    def npy(self, name, kind, shape, numbers):
        header = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': {shape}, }}"
        header += " " * (-(len(header) + 11) % 64) + "\n"
        code = {"i8": "q", "u1": "B", "f8": "d"}[kind]
        return self.bytes(name, b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(numbers)}{code}", *numbers))

    def test_labels_of_numpy(self):
        pixels, values = IMAGES[16:], LABELS[8:]
        images, labels = self.bytes("a.idx", IMAGES), self.bytes("b.idx", LABELS)
        run = ["mlp", "--device", "host", "--epochs", "2", "--json", "--test", "0", "--validation", "0"]

        def figures(data, labels):
            result = json.loads(self.succeeds(*run, "--data", data, "--labels", labels))["rows"][0]["result"]
            return result["value"], result["fields"]["loss"]

        wanted = figures(images, labels)
        rows = self.npy("x.npy", "u1", (12, 4), pixels)
        for kind in "i8", "u1", "f8":
            of_numpy = self.npy("y.npy", kind, (12,), values)
            self.assertEqual(figures(images, of_numpy), wanted)
            self.assertEqual(figures(rows, of_numpy), wanted)
        self.assertEqual(figures(rows, labels), wanted)
        # Labels beyond a byte, in the order of their numbers; --predict-labels takes such a file, too.
        wide = self.npy("wide.npy", "i8", (12,), [(-5, 1000)[i % 2] for i in range(12)])
        model, out = self.folder / "m.safetensors", self.folder / "p.csv"
        self.succeeds(*run, "--data", rows, "--labels", wide, "--model", model)
        self.succeeds("mlp", "--load", model, "--predict", rows, "--predict-labels", wide, "--out", out)
        self.assertEqual([row[1] for row in self.rows(out)[1:3]], ["-5", "1000"])
        for shape, numbers, message in (((11,), [0] * 11, "has 11 labels"), ((6, 2), [0] * 12, "are 2 numbers a row"),
                                        ((12,), [0.5] * 12, "row 1: 0.5 is no whole number, but labels are whole numbers")):
            wrong = self.npy("wrong.npy", "f8", shape, numbers)
            for data in images, rows:
                self.assertIn(message, self.fails(1, *run, "--data", data, "--labels", wrong))

    def test_names_that_others_use(self):
        # The same bits as by the names of the list.
        run = ["mlp", "--device", "host", "--epochs", "2", "--generate", "spirals:60", "--json", "--hidden", "4", "--activation"]
        for name, own in (("sigmoid", "logistic"), ("swish", "silu")):
            losses = [json.loads(self.succeeds(*run, word))["rows"][0]["result"]["value"] for word in (name, own)]
            self.assertEqual(*losses)
        run = ["mlp", "--device", "host", "--epochs", "2", "--generate", "spirals:60", "--json"]
        config = self.file("names.ini", "[mlp]\noptimiser = rprop\nlearning-rate = 0.02\n")
        documents = [json.loads(self.succeeds(*run, *more)) for more in (
            ["--optimiser", "irprop-minus", "--rate", "0.02"], ["--optimiser", "rprop", "--learning-rate", "0.02"],
            ["--optimiser=RPROP", "--learning-rate=0.02"], ["--config", config])]
        for document in documents:
            # What is written has the main name.
            self.assertEqual((document["params"]["optimiser"], document["params"]["rate"]), ("irprop-minus", 0.02))
            self.assertEqual(document["rows"][0]["result"]["value"], documents[0]["rows"][0]["result"]["value"])
        self.assertIn("'learning-rate' is set twice in section [mlp]",
                      self.fails(2, *run, "--config", self.file("twice.ini", "[mlp]\nrate = 1\nlearning-rate = 0.02\n")))
        self.assertIn("'rpro' is not one of sgd", self.fails(2, *run, "--optimiser", "rpro"))
        self.assertIn("'irprop-minus' is not", self.fails(2, *run, "--schedule", "irprop-minus"))
        self.assertIn("unknown option --rprop", self.fails(2, *run, "--rprop", "1"))

    def test_weights_of_classes_by_name(self):
        table = self.file("t.csv", "a,kind\n" + "".join(f"{i},{'rare' if i % 4 == 0 else 'often'}\n" for i in range(40)))
        run = ["mlp", "--data", table, "--target", "kind", "--device", "host", "--epochs", "2", "--json", "--class-weights"]
        # The list is in the order of the alphabet.
        results = [json.loads(self.succeeds(*run, text))["rows"][0]["result"] for text in ("1,3", "rare=3", " often = 1 , rare = 3")]
        self.assertEqual(results[1]["fields"], results[0]["fields"])
        self.assertEqual(results[2]["fields"], results[0]["fields"])
        other = json.loads(self.succeeds(*run, "often=3"))["rows"][0]["result"]
        self.assertNotEqual(other["fields"]["loss"], results[0]["fields"]["loss"])
        for text, message in (("seldom=3", "there is no class 'seldom'"), ("rare=x", "'rare=x' is not CLASS=WEIGHT"),
                              ("rare=-1", "is not CLASS=WEIGHT"), ("rare=0,often=0", "all of them are 0")):
            self.assertIn(message, self.fails(2, *run, text))

    def test_generated_sets_train_and_take_sizes(self):
        run = ["mlp", "--device", "host", "--epochs", "2", "--generate"]
        for text, inputs, classes in (("random:500", 120, 25), ("random:500 inputs=8 classes=3", 8, 3),
                                      ("random:500:7,inputs=8,classes=3", 8, 3), ("random inputs=4 rows=90 classes=2", 4, 2),
                                      ("teacher:400 inputs=16 classes=4 hidden=5", 16, 4)):
            head = self.succeeds(*run, text).split(";")[0]
            self.assertRegex(head, rf", {inputs}-\d+-{classes}$", text)
        for text in ("random:500 classes", "random:500 width=3", "random:", "random:5:6:7", "random:500 inputs=x"):
            self.assertIn("is not of the form KIND", self.fails(2, *run, text))

    def test_arff_remarks_blanks_and_a_comma_at_the_end(self):
        head = b"% of a laboratory\n@relation x % the run\n@attribute v numeric % measured\n@attribute c {a,'b % c'} % two\n@data % now\n"
        wanted = ["v,c", "1,a", "2,b % c"]
        for rows in (b"1,a % first\n2,'b % c' % second\n", b"1 a\n2\t'b % c'\n", b" 1 ,  a ,\n2,'b % c',\n",
                     b"1\t a  % first\n% none\n   % none\n2   \"b % c\"\n"):
            self.assertEqual([row.replace('"', "") for row in self.values("x.arff", head + rows)], wanted, rows)
        (self.folder / "bad.arff").write_bytes(head + b"1,a,a\n")
        self.assertIn("has 3 values, 2 attributes are declared", self.fails(1, "data", "info", self.folder / "bad.arff"))

    def test_labels_that_are_whole_numbers(self):
        images = b"\0\0\x08\x02" + struct.pack(">2i", 4, 3) + bytes(range(12))
        (self.folder / "images").write_bytes(images)
        rows = {}
        for kind, code, size in (("b", 9, 1), ("h", 11, 2), ("i", 12, 4)):
            labels = self.folder / "labels"
            labels.write_bytes(bytes([0, 0, code, 1]) + struct.pack(f">i4{kind}", 4, -1, 1, 1, -1))
            target = self.folder / f"{kind}.csv"
            self.succeeds("data", "convert", self.folder / "images", "--labels", labels, "--out", target)
            rows[kind] = [line.split(",")[-1] for line in target.read_text().splitlines()]
            self.assertEqual(rows[kind][-4:], ["-1", "1", "1", "-1"], kind)
        labels.write_bytes(bytes([0, 0, 13, 1]) + struct.pack(">i4f", 4, 0, 1, 1, 0))
        self.assertIn("labels are whole numbers", self.fails(1, "data", "info", self.folder / "images", "--labels", labels))


if __name__ == "__main__":
    support.main()
