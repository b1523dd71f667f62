#!/usr/bin/env python3
"""The digits of printed numbers: what was given or found is shown so that it reads back as the same number, what was measured
down to its error, and lengths of tours with all digits and their unit."""

import json
import math
import re
import struct

import support
from support import Case

EPOCH = 1700000000
# A peak whose place has ten digits before the point, and noise of 1e-3.
PEAK = [(EPOCH + i / 50, 2 * math.exp(-((i / 50 - 1.0005) ** 2) / 0.02) + 1e-3 * math.sin(37 * i)) for i in range(101)]
RUN = ["--device", "host", "--precision", "fp64", "--particles", "20", "--iterations", "200"]


class Digits(Case):
    def lines(self, text):
        """Labels of the blocks of a run, with their values; a value may go on in the next line."""
        found = {}
        for line in text.splitlines():
            label, colon, value = line.partition(":")
            if colon and not line.startswith(" "):
                found[last := label] = value.strip()
            elif found and line.startswith(" "):
                found[last] += " " + line.strip()
        return found

    def test_a_parameter_is_shown_down_to_its_error(self):
        table = self.file("peak.csv", "t,y\n" + "".join(f"{t!r},{y!r}\n" for t, y in PEAK))
        fit = ["pso", *RUN, "--data", table, "--model", "a*exp(-(t-m)^2/0.02)", "--target-column", "y",
               "--fit", f"a=0:10,m={EPOCH}:{EPOCH + 2}"]
        text = self.succeeds(*fit)
        row = json.loads(self.succeeds(*fit, "--json"))["rows"][0]
        for parameter in row["fit"]["parameters"]:
            value, error, least, most = re.search(rf"(?m)^{parameter['name']} +(\S+) +(\S+) +(\S+) to (\S+)$", text).groups()
            # Two digits of the error, and the value with as many decimals.
            self.assertRegex(error, r"\A0\.0*[1-9]\d\Z")
            self.assertEqual(len(value.split(".")[1]), len(error.split(".")[1]))
            self.assertLessEqual(abs(float(error) - parameter["error"]), 0.05 * parameter["error"])
            self.assertLessEqual(abs(float(value) - parameter["value"]), 0.05 * parameter["error"])
            self.assertEqual([float(least), float(most)], [parameter["lower"], parameter["upper"]])
        self.assertRegex(text, rf"(?m)^m +{EPOCH + 1}\.000\d+ .* {EPOCH} to {EPOCH + 2}$")
        shown = self.lines(text)
        self.assertEqual([float(word) for word in shown["position"].split()], row["result"]["fields"]["position"])
        self.assertEqual(float(shown["best"]), row["result"]["value"])
        # The residuals read back as well.
        out = self.folder / "residuals.csv"
        self.succeeds(*fit, "--residuals", out)
        for line, (t, y) in zip(out.read_text().splitlines()[1:], PEAK):
            t_read, y_read, model, residual = map(float, line.split(","))
            self.assertEqual((t_read, y_read, y - model), (t, y, residual))

    def test_r2_of_a_good_fit_is_not_1(self):
        table = self.file("line.csv", "t,y\n" + "".join(f"{i},{3 * i + 1e-4 * (-1) ** i}\n" for i in range(50)))
        text = self.succeeds("pso", *RUN, "--data", table, "--model", "a*t", "--target-column", "y", "--fit", "a=0:10")
        self.assertRegex(self.lines(text)["R^2"], r"\A0\.9{9,}\d+\Z")

    def test_positions_read_back_in_the_precision_of_the_run(self):
        device = self.needs_opencl()
        # What the pattern search refines is a number in double precision, whatever the device computes in.
        for precision, refine in (("fp32", "none"), ("fp64", "none"), ("fp32", "all")):
            run = ["pso", "--device", device, "--precision", precision, "--dim", "3", "--particles", "16", "--iterations", "5",
                   "--refine", refine]
            shown = self.lines(self.succeeds(*run))
            position = json.loads(self.succeeds(*run, "--json"))["rows"][0]["result"]["fields"]["position"]
            words = shown["position"].split()
            if (precision, refine) != ("fp32", "none"):
                self.assertEqual([float(word) for word in words], position)
                continue
            for word, value in zip(words, position, strict=True):
                self.assertLessEqual(len(re.sub(r"e.*|[-.]", "", word).lstrip("0")), 9)
                self.assertEqual(struct.unpack("f", struct.pack("f", float(word)))[0], value)

    def test_series_have_the_shortest_text(self):
        run = ["gas", "--device", "host", "--particles", 64, "--steps", 20, "--thermo", 5]
        self.succeeds(*run, "--thermo-file", self.folder / "t.csv", "--rdf-file", self.folder / "g.csv", "--xyz", self.folder / "f.xyz", "--frames", 10)
        document = json.loads(self.succeeds(*run, "--rdf-file", self.folder / "g.json", "--json"))
        for name in ("t.csv", "g.csv"):
            for line in (self.folder / name).read_text().splitlines()[1:]:
                for word in filter(None, line.split(",")):
                    # Python's repr is the shortest text, too.
                    self.assertEqual(len(word.lstrip("-").partition("e")[0].replace(".", "").strip("0")),
                                     len(repr(float(word)).lstrip("-").partition("e")[0].replace(".", "").strip("0")), (name, word))
        first = [float(line.split(",")[1]) for line in (self.folder / "g.csv").read_text().splitlines()[1:]]
        self.assertEqual(first, document["rows"][0]["rdf"]["g"])
        self.assertNotRegex((self.folder / "f.xyz").read_text().splitlines()[1], r"[0-9]{17}")

    def test_options_are_shown_as_given(self):
        text = self.succeeds("pso", *RUN, "--dim", "2", "--lower", "1700000000.125", "--upper", "1700000000.25", "--function", "sphere")
        self.assertIn("lower=1700000000.125 upper=1700000000.25", " ".join(text.split()))

    def test_lengths_of_tours_have_all_digits_and_their_unit(self):
        points = self.file("p.csv", "x,y\n0,0\n0,1234.5678\n4321.125,1234.5678\n4321.125,0\n")
        run = ["tsp", "--data", points, "--device", "host", "--iterations", "3"]
        length = self.lines(self.succeeds(*run))["length"]
        document = json.loads(self.succeeds(*run, "--json"))["rows"][0]["result"]
        self.assertEqual(float(length), document["value"])
        self.assertAlmostEqual(float(length), 2 * (1234.5678 + 4321.125), delta=4e-5)
        self.assertIsNone(document["value_unit"])
        places = self.file("places.csv", "lat,lon\n50,14\n49,16\n48,17\n50,18\n")
        run = ["tsp", "--data", places, "--device", "host", "--iterations", "3"]
        result = json.loads(self.succeeds(*run, "--json"))["rows"][0]["result"]
        self.assertEqual(result["value_unit"], "m")
        self.assertEqual(self.lines(self.succeeds(*run))["length"], f"{result['value']!r} m")
        tour = self.folder / "best.txt"
        self.succeeds(*run, "--out", tour)
        self.assertIn(f"length   {result['value']!r} m\n", self.succeeds("tsp", "--data", places, "--check", tour))
        # A long length of whole numbers, which six digits would cut.
        far = self.file("far.tsp", "NAME: far\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
                                   "1 0 0\n2 1234567 0\n3 1234567 7654321\nEOF\n")
        result = json.loads(self.succeeds("tsp", "--data", far, "--device", "host", "--iterations", "3", "--json"))["rows"][0]["result"]
        self.assertGreater(result["value"], 1e7)
        self.assertEqual(self.lines(self.succeeds("tsp", "--data", far, "--device", "host", "--iterations", "3"))["length"],
                         str(int(result["value"])))

    def test_ranges_of_tables(self):
        table = self.file("t.csv", "t,y\n" + "".join(f"{EPOCH + i / 4},{(i * 7) % 5}\n" for i in range(9)))
        info = self.succeeds("data", "info", table)
        self.assertRegex(info, rf"(?m)^ *1 +t +{EPOCH} +{EPOCH + 1}\.0* +{EPOCH + 2} ")
        data = self.succeeds("data", "info", table, "--target", "y")
        self.assertRegex(data, rf"(?m)^t .* {EPOCH} +{EPOCH + 1}\.0* +{EPOCH + 2}$")
        cities = self.file("c.csv", f"x,y\n{EPOCH}.125,0\n{EPOCH}.5,1\n{EPOCH}.75,0\n")
        self.assertRegex(self.succeeds("data", "tsp", cities), rf"(?m)^x +{EPOCH}\.125 to {EPOCH}\.75$")

    def test_predictions_read_back(self):
        # Targets of ten digits before the point: nine digits of a prediction would say nothing.
        table = self.file("t.csv", "x,y\n" + "".join(f"{i / 7!r},{EPOCH + i / 8!r}\n" for i in range(64)))
        out = self.folder / "out.csv"
        document = json.loads(self.succeeds("mlp", "--data", table, "--target", "y", "--device", "host", "--epochs", "2", "--out", out,
                                            "--json"))
        truths = {EPOCH + i / 8 for i in range(64)}
        report = document["rows"][0]["report"]
        squares = []
        for line in out.read_text().splitlines()[1:]:
            _, truth, prediction = map(float, line.split(","))
            self.assertIn(truth, truths)
            squares.append((truth - prediction) ** 2)
        # What is read back gives the reported error.
        self.assertAlmostEqual(math.sqrt(sum(squares) / len(squares)), report["rmse"], delta=1e-6 * report["rmse"])


if __name__ == "__main__":
    support.main()
