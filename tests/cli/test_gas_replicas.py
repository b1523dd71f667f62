#!/usr/bin/env python3
"""shoal gas --replicas and --sweep: tables, files, failures and bad input."""

import csv
import json
import xml.etree.ElementTree

import support
from support import Case

GAS = ("gas", "--particles", "64", "--steps", "60", "--thermo", "10", "--thermostat", "rescale", "--cutoff", "2", "--device", "host")


class Replicas(Case):
    def test_states_are_in_order(self):
        path = self.folder / "rows.csv"
        document = json.loads(self.succeeds(*GAS, "--json", "--replicas", "2", "--sweep", "temperature=1:2:3", "--sweep",
                                            "density=0.2,0.35", "--seed", "5", "--replicas-file", path))
        rows = document["replicas"]
        self.assertEqual([row["index"] for row in rows], list(range(12)))
        self.assertEqual([row["seed"] for row in rows], [str(5 + k) for k in range(12)])
        self.assertEqual([row["temperature"] for row in rows], [1.0] * 4 + [1.5] * 4 + [2.0] * 4)
        for row, density in zip(rows, 3 * [0.2, 0.2, 0.35, 0.35]):
            self.assertAlmostEqual(row["density"], density, 12)
            self.assertEqual((row["particles"], row["steps"], row["samples"], row["failure"]), (64, 60, 7, None))
            self.assertLess(row["energy_error"], 1e-9)
        self.assertEqual(document["steps"], 60)
        with open(path, encoding="ascii") as file:
            written = list(csv.DictReader(file))
        for row, line in zip(rows, written, strict=True):
            for key in ("temperature", "density", "pressure", "pressure_error", "potential", "mean_temperature"):
                self.assertEqual(row[key], float(line[key]), key)

    def test_phase_diagram_is_drawn(self):
        """Isotherms, and a cell of the map for each state, in one file."""
        path, rows = self.folder / "diagram.svg", self.folder / "rows.csv"
        document = json.loads(self.succeeds(*GAS, "--json", "--replicas", "2", "--sweep", "temperature=2:0.6:8", "--sweep",
                                            "density=0.3,0.1", "--phase-diagram", path, "--replicas-file", rows))
        text = path.read_text(encoding="utf-8")
        panels = [child for child in xml.etree.ElementTree.fromstring(text) if child.tag.endswith("}svg")]
        self.assertEqual(len(panels), 2)
        self.assertIn("6 of 8 temperatures", text)
        for label in ("T = 0.6<", "T = 2<", "density", "pressure", "Largest cluster"):
            self.assertIn(label, text)
        self.assertEqual(text.count("<title>T = "), 16)
        with open(rows, encoding="ascii") as file:
            for row, line in zip(document["replicas"], csv.DictReader(file), strict=True):
                self.assertEqual(row["largest_cluster"], float(line["largest_cluster"]))
                self.assertTrue(1 / 64 <= row["largest_cluster"] <= 1)
        self.assertEqual("Boyle temperature</text>" in text, document["boyle_temperature"] is not None)
        self.check_boyle(document, 63 / 64)

    def test_boyle_temperatures_of_thermostats(self):
        """The random forces of Langevin dynamics change the total momentum; without a thermostat the temperature is not known."""
        sweeps = ("--json", "--replicas", "2", "--sweep", "density=0.3,0.1", "--sweep")
        plain = [word for word in GAS if word not in ("--thermostat", "rescale")]
        self.check_boyle(json.loads(self.succeeds(*plain, "--thermostat", "langevin", *sweeps, "temperature=2:0.6:8")), 1)
        for gas, temperatures in ((plain, "2:0.6:8"), (GAS, "2,0.6,2")):
            self.assertIsNone(json.loads(self.succeeds(*gas, *sweeps, f"temperature={temperatures}"))["boyle_temperature"])

    def check_boyle(self, document, kinetic):
        """The zero of the second virial coefficient at the highest temperatures, by a line in 1 / T."""
        states = {}
        for row in document["replicas"]:
            states.setdefault((row["temperature"], round(row["density"], 9)), []).append(row["pressure"])
        second = []
        for temperature in sorted({key[0] for key in states}):
            low, high = ((sum(states[temperature, density]) / 2 / (density * temperature) - kinetic) / density for density in (0.1, 0.3))
            second.append((1 / temperature, (0.3 * low - 0.1 * high) / 0.2))
        zero = None
        for (x, y), (to_x, to_y) in zip(second, second[1:]):
            if y <= 0 < to_y:
                zero = 1 / (x - y * (to_x - x) / (to_y - y))
        self.assertIsNotNone(zero)
        self.assertAlmostEqual(document["boyle_temperature"], zero, 6)
        self.assertGreater(document["boyle_temperature_error"], 0)

    def test_distances_of_mixtures(self):
        path, mixture = self.folder / "rdf.csv", ("--species", "A=0.5,B=0.25,C=0.25:mass=2", "--sweep", "fraction=0.25,0.5", "--density", "0.3")
        document = json.loads(self.succeeds(*GAS, *mixture, "--json", "--rdf-bins", "8", "--rdf-file", path))
        alone = json.loads(self.succeeds(*GAS, "--json", "--density", "0.3", "--seed", "2", "--species", "A=0.5,B=0.25,C=0.25:mass=2",
                                         "--rdf-bins", "8"))["rows"][0]["rdf"]
        rows = document["replicas"]
        self.assertEqual([row["fraction"] for row in rows], [0.25, 0.5])
        self.assertIsNone(document["boyle_temperature"])
        self.assertEqual(rows[1]["rdf"]["r"], alone["r"])
        for name in ("g", "g_A_B", "g_B_C", "g_C_C"):
            self.assertEqual(len(rows[0]["rdf"][f"{name}_error"]), 8)
            for value, other in zip(rows[1]["rdf"][name], alone[name], strict=True):
                self.assertAlmostEqual(value, other, 12)
        with open(path, encoding="ascii") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual([line["index"] for line in lines], 8 * ["0"] + 8 * ["1"])
        self.assertEqual([float(line["g_A_C"]) for line in lines], rows[0]["rdf"]["g_A_C"] + rows[1]["rdf"]["g_A_C"])
        text = self.succeeds(*GAS, *mixture, "--cluster-distance", "1.5")
        self.assertIn("fraction", text)
        self.assertIn("largest", text)

    def test_a_replica_is_that_gas_alone(self):
        rows = json.loads(self.succeeds(*GAS, "--json", "--sweep", "temperature=1,1.5", "--density", "0.3"))["replicas"]
        alone = json.loads(self.succeeds(*GAS, "--json", "--temperature", "1.5", "--density", "0.3", "--seed", "2"))
        fields = alone["rows"][0]["result"]["fields"]
        self.assertEqual(rows[1]["pressure"], fields["pressure"])
        self.assertEqual(rows[1]["potential"], fields["potential"])

    def test_an_explosion_has_its_row(self):
        path = self.folder / "rows.csv"
        text = support.shoal(*GAS[:7], "--cutoff", "2", "--device", "host", "--density", "0.3", "--sweep", "temperature=1,300000,1.2",
                             "--replicas-file", path)
        self.assertEqual(text.returncode, 6)
        self.assertIn("the gas exploded at step ", text.stdout)
        self.assertIn("3 replicas of 64 particles on host: 60 steps", text.stdout)
        self.assertIn("1 of 3 replicas have stopped: their rows say why", text.stderr)
        with open(path, encoding="ascii") as file:
            failures = [line["failure"] for line in csv.DictReader(file)]
        self.assertEqual((failures[0], failures[2]), ("", ""))
        self.assertIn("the gas exploded at step ", failures[1])

    def test_bad_input(self):
        for args, words in (
            (("--sweep", "pressure=1:2:3"), "--sweep pressure=1:2:3: give temperature=VALUES, density=VALUES or fraction=VALUES"),
            (("--sweep", "density=1:2"), "--sweep density=1:2: give FIRST:LAST:COUNT with a COUNT of 1 to 65536"),
            (("--sweep", "density=0.1:0.2:0"), "give FIRST:LAST:COUNT"),
            (("--sweep", "density=0.1:0.2:1.5"), "give FIRST:LAST:COUNT"),
            (("--sweep", "density="), "or VALUE,VALUE,..."),
            (("--sweep", "density=0.1,x"), "or VALUE,VALUE,..."),
            (("--sweep", "density=0.1", "--sweep", "density=0.2"), "there are two sweeps of density"),
            (("--sweep", "density=0.1", "--density", "0.2"), "leave out --density"),
            (("--sweep", "temperature=1", "--temperature", "2"), "leave out --temperature"),
            (("--replicas", "0"), "--replicas"),
            (("--replicas", "60000", "--sweep", "density=0.1,0.2"), "ask for 120000 replicas, 65536 are allowed"),
            (("--replicas", "2", "--plot-rdf", "g.svg"), "leave out --plot-rdf"),
            (("--replicas", "2", "--data-file", "g.data"), "leave out --data-file"),
            (("--replicas", "2", "--gsd", "g.gsd"), "leave out --gsd"),
            (("--replicas", "2", "--thermo-file", "t.csv"), "leave out --thermo-file"),
            (("--replicas", "2", "--thermo-columns", "step"), "leave out --thermo-columns"),
            (("--sweep", "fraction=0.1,0.2"), "replica 0, temperature 1: a fraction of the first species needs --species"),
            (("--sweep", "fraction=2", "--species", "A=0.5,B=0.5"), "2 is no fraction of the first species: give 0 to 1"),
            (("--sweep", "fraction=0.1", "--species", "A=32,B=32"), "needs fractions in --species"),
            (("--replicas", "2", "--species", "A=32,B=33"), "the numbers add up to 65"),
            (("--sweep", "fraction=0.1", "--species", "A=0.5,B=0.5", "--sweep", "density=0.1,0.2", "--phase-diagram", "x.svg"),
             "--phase-diagram is of one mixture: leave out --sweep fraction"),
            (("--replicas", "2", "--rdf-file", "x.txt"), "the ending of 'x.txt' names no format"),
            (("--replicas", "2", "--speed-bins", "9"), "replicas have no --speed-bins or --profile-axis"),
            (("--replicas", "2", "--boundary-x", "walls"), "replicas have no --boundary-x, --boundary-y or --boundary-z"),
            (("--replicas", "2", "--start-part", "0.5"), "replicas have no --start-part"),
            (("--replicas", "2", "--hexatic-range", "2"), "replicas have no --structure-bins, --hexatic-range or --g6-bins"),
            (("--replicas", "2", "--replicas-file", "x.txt"), "the ending of 'x.txt' names no format"),
            (("--replicas-file", "x.csv"), "--replicas-file needs"),
            (("--phase-diagram", "x.svg"), "--phase-diagram needs"),
            (("--sweep", "temperature=1,2", "--phase-diagram", "x.svg"), "give them by --sweep density=VALUES"),
            (("--sweep", "density=0.1,0.2", "--phase-diagram", "x.png"), "x.png"),
            (("--sweep", "density=0.3,0.2,0.3", "--phase-diagram", "x.svg"), "--sweep density has the value 0.3 twice"),
            (("--sweep", "temperature=1:1:2", "--sweep", "density=0.1,0.2", "--phase-diagram", "x.svg"),
             "--sweep temperature has the value 1 twice: give each value once"),
            (("--sweep", "density=0.3,5"), "replica 1, temperature 1, density 5: "),
            (("--sweep", "temperature=1,-1"), "replica 1, temperature -1: "),
        ):
            with self.subTest(args=args):
                self.assertIn(words, self.fails(2, *GAS, *args))


if __name__ == "__main__":
    support.main()
