#!/usr/bin/env python3
"""Fits of models to tables in shoal pso and shoal ga: results, files, and input that is wrong; what examples of objectives
over tables say of themselves."""

import csv
import json
import math
import os
import re
import shutil
import sys
import xml.etree.ElementTree as tree
from pathlib import Path

import support
from support import Case, shoal

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import curve

ROWS = 301
MODEL = ["--model", "a*exp(-b*t)*cos(w*t+p)+c", "--fit", "a=0:10,b=0:5,w=0:20,p=-pi:pi,c=-5:5"]
RUN = {"pso": ["--particles", "40", "--iterations", "300"], "ga": ["--population", "60", "--iterations", "400", "--polish", "4000"]}
SHORT = ["--particles", "8", "--iterations", "3"]
LINE = ["--model", "a*t+b", "--fit", "a=-5:5,b=-5:5", "--target", "y"]


class Fit(Case):
    def write(self, rows, names="t,y", name="osc.csv"):
        lines = [names] if names else []
        lines += [",".join(map(repr, row)) for row in rows]
        return self.file(name, "\n".join(lines) + "\n")

    def oscillation(self, rows=ROWS, **given):
        return ["--data", self.write(curve.rows(rows), **given), *MODEL, "--target", "y"]

    def run_json(self, command, *args, device="host"):
        document = json.loads(self.succeeds(command, "--device", device, "--json", *args))
        return document["rows"][0], document["params"]

    def fit(self, command, *args, **given):
        return self.run_json(command, *args, **given)[0]["fit"]

    def assert_optimal(self, fit, rows):
        values, errors, squares = curve.known(rows)
        self.assertLessEqual(abs(fit["value"] - squares), 1e-6 * squares)
        for parameter, value, error in zip(fit["parameters"], values, errors):
            self.assertLess(abs(parameter["value"] - value), error)
            self.assertLess(abs(parameter["error"] - error), 0.01 * error)


class Results(Fit):
    def test_each_algorithm_finds_the_least_squares(self):
        for command, run in RUN.items():
            row, params = self.run_json(command, *self.oscillation(), *run)
            fit = row["fit"]
            self.assertEqual(params["target-column"], "y")
            self.assertIsNone(params["target"])
            self.assert_optimal(fit, ROWS)
            self.assertEqual([p["name"] for p in fit["parameters"]], ["a", "b", "w", "p", "c"])
            self.assertEqual((fit["parameters"][3]["lower"], fit["parameters"][3]["at_bound"]), (-math.pi, None))
            self.assertEqual(fit["rows"], ROWS)
            self.assertAlmostEqual(fit["rms"], math.sqrt(fit["value"] / ROWS), places=12)
            self.assertAlmostEqual(fit["deviation"], math.sqrt(fit["value"] / (ROWS - 5)), places=12)
            self.assertAlmostEqual(fit["r2"], 0.952235, places=5)
            self.assertAlmostEqual(fit["correlations"][0][1], 0.737, places=2)
            self.assertEqual([fit["correlations"][i][i] for i in range(5)], [1] * 5)
            self.assertEqual(row["result"]["fields"]["position"], [p["value"] for p in fit["parameters"]])

    def test_no_further_option_is_needed(self):
        _, _, squares = curve.known(ROWS)
        for device in "host", self.needs_opencl():
            row, _ = self.run_json("pso", *self.oscillation(), "--runs", "3", device=device)
            fields = row["result"]["fields"]
            for value in fields["run_values"]:
                self.assertLessEqual(value, (1 + 1e-6) * squares, device)
            self.assertEqual(fields["end"], "stagnated 3")
            self.assertLess(max(fields["run_evaluations"]), 25000)
            self.assertGreater(fields["refined"], 0)

    @support.long
    def test_the_golden_curve_in_each_precision(self):
        device = self.needs_opencl()
        for precision in ("fp32", "fp64"):
            fit = self.fit("pso", *self.oscillation(5000), "--particles", "40", "--iterations", "400", "--precision", precision,
                           device=device)
            self.assert_optimal(fit, 5000)

    def test_text(self):
        text = self.succeeds("pso", "--device", "host", *self.oscillation(), *RUN["pso"])
        self.assertRegex(text, r"(?m)^parameter +value +standard error +range$")
        self.assertRegex(text, r"(?m)^b +0\.345\d+ +0\.0092 +0 to 5$")
        self.assertRegex(text, r"(?m)^correlation +a +b +w +p$")
        self.assertRegex(text, r"(?m)^b +0\.737$")
        self.assertRegex(text, r"(?m)^R\^2: +0\.95223")

    def test_a_parameter_at_its_bound_is_marked(self):
        run = ["--data", self.write([(0, 1), (1, 3), (2, 5.5), (3, 7)]), "--model", "a*t+b", "--fit", "a=0:1,b=0:9", "--target", "y",
               "--particles", "20", "--iterations", "100"]
        fit = self.fit("pso", *run)
        self.assertEqual([p["at_bound"] for p in fit["parameters"]], ["upper", None])
        self.assertRegex(self.succeeds("pso", "--device", "host", *run), r"(?m)^a +1 +\S+ +0 to 1 +upper$")

    def test_a_fit_without_errors_says_why(self):
        data = ["--data", self.write([(0, 1), (1, 3), (2, 5.5), (3, 7)])]
        run = [*data, "--model", "a*b*t", "--fit", "a=1:3,b=1:3", "--target", "y", *SHORT]
        fit = self.fit("pso", *run)
        self.assertIn("rank-deficient", fit["no_errors"])
        self.assertEqual([p["error"] for p in fit["parameters"]], [None, None])
        self.assertEqual(fit["correlations"], [])
        text = self.succeeds("pso", "--device", "host", *run)
        self.assertIn("the Jacobian is rank-deficient", text)
        self.assertNotIn("correlation", text)

    def test_losses_and_weights(self):
        # A line through all points but one, which least squares alone follows.
        rows = [(t, 2 * t - 1 + (8 if t == 3 else 0), 0 if t == 3 else 2) for t in range(9)]
        data = ["--data", self.write(rows, names="t,y,sure"), *LINE, "--particles", "30", "--iterations", "300"]
        found = {}
        for name, more in {"squares": [], "absolute": ["--loss", "absolute"], "weights": ["--weights", "sure"],
                           "huber": ["--loss", "huber", "--huber-delta", "0.01"]}.items():
            fit = self.fit("pso", *data, *more)
            found[name] = [p["value"] for p in fit["parameters"]]
            self.assertEqual(fit["rows"], 8 if name == "weights" else 9)
            self.assertEqual(fit["no_errors"] is None, name in ("squares", "weights"))
        self.assertGreater(abs(found["squares"][1] + 1), 0.5)
        for name in ("absolute", "weights", "huber"):
            self.assertAlmostEqual(found[name][0], 2, delta=0.01, msg=name)
            self.assertAlmostEqual(found[name][1], -1, delta=0.02, msg=name)

    def test_columns_without_a_line_of_names(self):
        data = self.write([(0, 1), (1, 3), (2, 5)], names="")
        fit = self.fit("pso", "--data", data, "--model", "a*c1+b", "--fit", "a=-5:5,b=-5:5", "--target", "c2", *RUN["pso"])
        self.assertAlmostEqual(fit["parameters"][0]["value"], 2, places=5)

    def test_names_of_any_characters_and_columns_not_in_use(self):
        data = self.file("osc.csv", "day,time (s),\"y, or so\"\nmonday,0,1\n,1,3\nnan,2,5\n")
        fit = self.fit("pso", "--data", data, "--model", "a*`time (s)`+b", "--fit", "a=-5:5,b=-5:5", "--target-column", "y, or so",
                       *RUN["pso"])
        self.assertAlmostEqual(fit["parameters"][1]["value"], 1, places=5)

    def test_a_column_whose_name_begins_as_a_number_does(self):
        data = self.write([(0, 1), (1, 3), (2, 5)], names="x,infrared")
        _, params = self.run_json("pso", "--data", data, "--model", "a*x+b", "--fit", "a=-5:5,b=-5:5", "--target", "infrared", *RUN["pso"])
        self.assertEqual((params["target"], params["target-column"]), (None, "infrared"))

    def test_values_of_target_are_numbers_still(self):
        row, params = self.run_json("pso", *self.oscillation(31), *RUN["pso"], "--target", "1e6")
        self.assertEqual((params["target"], params["target-column"]), (1e6, "y"))
        self.assertEqual(row["result"]["fields"]["reached"], 0)

    def test_configuration_and_compare(self):
        data = self.write(curve.rows(31))
        config = self.file("run.ini", f"[pso]\ndata={data}\nmodel=a*t+b\nfit=a=-5:5,b=-5:5\ntarget=y\nparticles=8\niterations=3\n")
        self.assertEqual(len(self.fit("pso", "--config", config)["parameters"]), 2)
        settings = f"pso.data={data},pso.model=a*t+b,pso.fit=a=-5:5,pso.target=y,pso.particles=8,pso.iterations=3"
        self.assertIn("\"b\" is neither a column", self.fails(2, "compare", "pso", "--device", "host", "--set", settings))

    def test_a_resumed_run_is_the_same(self):
        state = self.folder / "state"
        problem = [*self.oscillation(31), "--particles", "16"]
        whole = self.fit("pso", *problem, "--iterations", "20")
        self.succeeds("pso", "--device", "host", *problem, "--iterations", "10", "--checkpoint", state)
        self.assertEqual(self.fit("pso", "--resume", state, "--iterations", "20"), whole)


class Files(Fit):
    def test_columns_by_number(self):
        problem = ["pso", "--data", self.write(((1, 0, 1), (1, 1, 3), (2, 2, 5.5), (1, 3, 7)), names="w,t,y"), *LINE[:-2]]
        named = self.fit(*problem, "--target-column", "y", "--weights", "w")
        self.assertEqual(self.fit(*problem, "--target-column", 3, "--weights", 1), named)

    def test_residuals(self):
        path = self.folder / "residuals.csv"
        problem = self.oscillation(40, names="t,\"y\"")
        fit = self.fit("pso", *problem, *SHORT, "--residuals", path)
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0], ["t", "y", "model", "residual"])
        self.assertEqual(len(rows), 41)
        a, b, w, p, c = (parameter["value"] for parameter in fit["parameters"])
        squares = 0
        for row, (t, y) in zip(rows[1:], curve.rows(40)):
            numbers = [float(word) for word in row]
            self.assertEqual(numbers[:2], [t, y])
            self.assertAlmostEqual(numbers[2], a * math.exp(-b * t) * math.cos(w * t + p) + c, places=12)
            self.assertEqual(numbers[3], y - numbers[2])
            squares += numbers[3] ** 2
        self.assertAlmostEqual(squares, fit["value"], places=9)

    def picture(self, *args):
        path = self.folder / "fit.svg"
        self.succeeds("pso", "--device", "host", *args, *SHORT, "--plot", path)
        root = tree.parse(path).getroot()
        tag = "{http://www.w3.org/2000/svg}"
        curves = [p.get("d") for p in root.iter(tag + "path") if "curve" in p.get("class", "")]
        return "".join(root.itertext()), len(list(root.iter(tag + "circle"))), curves

    def test_a_picture_of_data_and_curve(self):
        text, circles, curves = self.picture(*self.oscillation(40))
        self.assertIn("a*exp(-b*t)*cos(w*t+p)+c", text)
        self.assertEqual((circles, len(curves)), (40, 1))
        self.assertGreater(curves[0].count("L"), 500)

    def test_a_picture_of_several_inputs_shows_what_is_predicted(self):
        rows = [(i, (7 * i) % 5, 2 * i - (7 * i) % 5) for i in range(12)]
        text, circles, curves = self.picture("--data", self.write(rows, names="u,v,y"), "--model", "a*u+b*v", "--fit", "a=1:3,b=-3:1",
                                             "--target", "y")
        self.assertEqual((circles, len(curves), curves[0].count("L")), (12, 1, 1))
        self.assertIn("data", text)

    def test_files_that_cannot_be_written(self):
        problem = self.oscillation(31)
        nowhere = self.folder / "none" / "file.svg"
        for option in ("--residuals", "--plot"):
            self.assertIn("cannot be written", self.fails(1, "pso", "--device", "nosuch:7", *problem, option, nowhere))
        self.assertIn("residuals are written as CSV",
                      self.fails(2, "pso", "--device", "nosuch:7", *problem, "--residuals", self.folder / "r.JSON"))
        self.assertIn("is the file that --data reads", self.fails(2, "pso", "--device", "host", *problem, "--residuals", problem[1]))


class Refused(Fit):
    def refuses(self, *args, data=((0, 1), (1, 3), (2, 5.5), (3, 7)), code=2, names="t,y"):
        path = self.write(data, names=names)
        return self.fails(code, "pso", "--device", "nosuch:7", "--data", path, *args)

    def test_models(self):
        ranges = ["--fit", "a=-5:5,b=-5:5"]
        for model, message in {
            "a*T+b": "model, character 3: \"T\" is neither a column, a parameter nor a function",
            "a*exq(t)+b": "did you mean \"exp\"?",
            "a*t**2+b": "** is no operator: use ^ for powers",
            "a*t": "parameter b is not in the model",
            "2*t": "the model contains no parameter",
            "a*y+b": "the model contains its target, y",
        }.items():
            self.assertIn(message, self.refuses("--model", model, *ranges, "--target", "y"))

    def test_ranges(self):
        for ranges, message in {
            "a=0:1,b": "parameter b has no range: write b=LOWER:UPPER",
            "a=0:1": "\"b\" is neither a column, a parameter",
            "a=1:0,b=0:1": "parameter a has the range 1 to 0, which is reversed",
            "a=1:1,b=0:0": "the bounds of each variable are equal",
            "a=0:1,b=0:1,a=0:1": "parameter a is given twice",
            "a=0:1,b=0:1,t=0:1": "t is a parameter and a column",
            "a=0:1,b=0:x": "'x', is no number",
        }.items():
            self.assertIn(message, self.refuses("--model", "a*t+b", "--fit", ranges, "--target", "y"))

    def test_columns(self):
        self.assertIn("the target, z, is no column: the columns are t, y", self.refuses(*LINE[:-1], "z"))
        self.assertIn("the column of weights, w, is no column", self.refuses(*LINE, "--weights", "w"))
        self.assertIn("the target, 3, is no column: the columns are t, y", self.refuses(*LINE[:-2], "--target-column", 3))
        self.assertIn("the model contains its target, t", self.refuses(*LINE[:-2], "--target-column", 1))
        self.assertIn("row 2 of those without missing values: the weight, w, is -1",
                      self.refuses(*LINE, "--weights", "3", "--missing", "drop", names="t,y,w",
                                   data=((0, 1, 1), (math.nan, 3, 1), (1, 3, -1), (2, 5, 1))))
        self.assertIn("row 2: the weight, w, is -1",
                      self.refuses(*LINE, "--weights", "w", names="t,y,w", data=((0, 1, 1), (1, 3, -1), (2, 5, 1))))

    def test_numbers(self):
        self.assertIn("the target, y, is 4.0 in every row".replace("4.0", "4"), self.refuses(*LINE, data=((0, 4), (1, 4), (2, 4))))
        self.assertIn("1 row for 2 parameters", self.refuses(*LINE, data=((0, 4),)))
        self.assertIn("row 2 (line 3), column 2 (y): 'nan' is missing",
                      self.refuses(*LINE, data=((0, 4), (1, math.nan), (2, 4)), code=1))

    def test_options_that_belong_together(self):
        for args, message in (
            (LINE[:2], "--model needs --fit"),
            (LINE[:4], "--model needs --target-column"),
            (["--target", "y"], "--target-column needs --model"),
            (["--fit", "a=0:1"], "--fit needs --model"),
            ([*LINE, "--huber-delta", "2"], "--huber-delta needs --loss huber"),
            ([*LINE, "--squared"], "--model"),
            ([*LINE, "--lower", "0"], "--lower"),
            ([*LINE, "--dim", "3"], "model"),
            ([*LINE, "--target", "1y"], "'1y' is not a finite number"),
        ):
            self.assertIn(message, self.refuses(*args))
        self.assertIn("--data", self.fails(2, "pso", "--device", "nosuch:7", *LINE))
        self.assertIn("--residuals needs --model", self.fails(2, "pso", "--device", "nosuch:7", "--residuals", self.folder / "r.csv"))


class Examples(Fit):
    def test_decay_runs_as_its_page_says(self):
        page = (ROOT / "docs" / "objectives.md").read_text()
        command = re.search(r"`shoal (pso [^`]*decay\.clh[^`]*)`", page)[1].split()
        shutil.copy(ROOT / "examples" / "objectives" / "decay.clh", self.folder)
        rows = [(0.1 * i, 3 * math.exp(-0.8 * 0.1 * i) + 0.5 + (9 if i == 7 else 0)) for i in range(60)]
        self.write(rows, name="decay.csv")
        done = shoal(*command, "--device", "host", "--json", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        fields = json.loads(done.stdout)["rows"][0]["result"]["fields"]
        self.assertEqual(fields["dim"], 3)
        for got, wanted in zip(fields["position"], (3, 0.8, 0.5)):
            self.assertAlmostEqual(got, wanted, delta=0.1)

    def test_the_dimension_of_a_residual_is_not_guessed(self):
        text = (ROOT / "examples" / "objectives" / "decay.clh").read_text()
        free = self.file("free.clh", re.sub(r"#define M(?:IN|AX)_DIM .*\n", "", text))
        fixed = self.file("fixed.clh", text)
        data = self.write([(0, 1), (1, 2), (2, 2.5)])
        problem = ["pso", "--device", "host", "--data", data, *SHORT]
        self.assertIn("free.clh: the dim of x does not follow from the table: give it (--dim), or define MIN_DIM and MAX_DIM",
                      self.fails(2, *problem, "--objective", free))
        self.succeeds(*problem, "--objective", free, "--dim", "3")
        self.assertIn("fixed.clh: takes dim 3, not 4", self.fails(2, *problem, "--objective", fixed, "--dim", "4"))


if __name__ == "__main__":
    support.main()
