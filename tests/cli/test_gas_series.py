#!/usr/bin/env python3
"""shoal gas: series of numbers of a run, such as histograms and tables, in files, JSON and charts."""

import json
import math
import xml.etree.ElementTree as tree

import support
from support import Case
from test_gas import HOST, SMALL, rows_of


class Series(Case):
    """Histograms as numbers."""

    def series(self, *args):
        """Of the run in its files, CSV and JSON, and in the JSON of the run."""
        csv, json_file = self.folder / "a.csv", self.folder / "b.json"
        out = self.succeeds(*HOST, *args, csv, "--json")
        self.succeeds(*HOST, *args, json_file)
        names, *rows = [line.split(",") for line in csv.read_text().splitlines()]
        of_csv = {name: [float(row[c]) if row[c] else None for row in rows] for c, name in enumerate(names)}
        return of_csv, json.loads(json_file.read_text()), json.loads(out)["rows"][0]

    def check_same(self, found, csv, samples):
        """All digits in CSV, 15 or more in JSON."""
        self.assertEqual(found["samples"], samples)
        self.assertEqual(found.keys() - {"samples"}, csv.keys())
        for name, values in csv.items():
            for a, b in zip(found[name], values, strict=True):
                if a is None or b is None: # not known
                    self.assertIs(a, b)
                else:
                    self.assertAlmostEqual(a, b, delta=1e-14 * abs(b))

    def test_the_radial_distribution_function(self):
        for args in [], ["--rdf-bins", "50", "--rdf-range", "2"]:
            csv, of_file, row = self.series(*args, "--thermo", "10", "--rdf-file")
            bins, width = (50, 0.04) if args else (200, 2.5 / 200)
            self.check_same(row["rdf"], csv, 5)
            self.assertEqual(of_file["rdf"], row["rdf"])
            self.assertEqual((of_file["schema"], of_file["command"]), (1, "gas"))
            self.assertNotIn("speeds", row)
            self.assertEqual(len(csv["g"]), bins)
            for b, r in enumerate(csv["r"]):
                self.assertAlmostEqual(r, (b + 0.5) * width)
            self.assertEqual(csv["g"][0], 0)
            # Ordered pairs of 100 particles at density 0.4 within 2: about 4 pi 0.4 others around each.
            near = sum(g * 2 * math.pi * r * width * 0.4 * 0.99 for g, r in zip(csv["g"], csv["r"]) if r < 2)
            self.assertTrue(3 < near < 7, near)

    def test_the_distribution_of_speeds(self):
        csv, of_file, row = self.series("--thermo", "10", "--speed-bins", "40", "--speeds-file")
        self.check_same(row["speeds"], csv, 5)
        self.assertEqual(of_file["speeds"], row["speeds"])
        width = csv["speed"][1] - csv["speed"][0]
        for name in "density", "maxwell":
            self.assertAlmostEqual(sum(csv[name]) * width, 1, places=2)

    def test_the_density_profile(self):
        for args, axis, bins in ([], "x", 100), (["--profile-axis", "y", "--profile-bins", "20"], "y", 20):
            csv, of_file, row = self.series("--thermo", "10", *args, "--profile-file")
            self.check_same(row["profile"], csv, 5)
            self.assertEqual(of_file["profile"], row["profile"])
            self.assertEqual(list(csv), [axis, "density"])
            self.assertEqual(len(csv[axis]), bins)
            self.assertAlmostEqual(csv[axis][1] - csv[axis][0], math.sqrt(250) / bins)
            self.assertAlmostEqual(sum(csv["density"]) / bins, 0.4)
        self.assertIn("--profile-axis", self.fails(2, *HOST, "--profile-bins", "20"))
        self.assertIn("dim", self.fails(2, *HOST, "--profile-axis", "z"))

    def test_profiles_of_all(self):
        csv, of_file, row = self.series("--thermo", "10", "--profile-all", "--profile-bins", "4", "--profile-file")
        self.check_same(row["profile"], csv, 5)
        values = ["density", "temperature", "flow_x", "flow_y", "pressure_xx", "pressure_yy"]
        self.assertEqual(list(csv), ["x", *values, *(f"{name}_error" for name in values)])
        self.assertAlmostEqual(sum(csv["density"]) / 4, 0.4)
        self.assertAlmostEqual(sum(csv["temperature"]) / 4, row["result"]["fields"]["temperature"], delta=0.1)
        chart = self.folder / "p.svg"
        self.succeeds(*HOST, "--profile-all", "--plot-profile", chart)
        self.assertEqual(len(tree.parse(chart).getroot().findall(".//{*}path")), 1)
        self.assertIn("--profile-axis", self.fails(2, *HOST, "--profile-all"))
        # Of 100 slices some are empty: no temperature.
        self.succeeds(*HOST, "--thermo", "0", "--profile-all", "--profile-axis", "x", "--average-every", "200",
                      "--profile-file", self.folder / "e.csv")
        self.assertIn("", {row["temperature"] for row in rows_of(self.folder / "e.csv")})

    def test_the_structure_factor(self):
        csv, of_file, row = self.series("--thermo", "10", "--structure-bins", "5", "--structure-range", "10", "--structure-file")
        self.check_same(row["structure"], csv, 5)
        self.assertEqual(of_file["structure"], row["structure"])
        self.assertEqual(list(csv), ["k", "s", "s_error", "vectors"])
        for bin, k in enumerate(csv["k"]):
            self.assertTrue(2 * bin < k < 2 * bin + 2)
        self.assertIn("--structure-bins needs", self.fails(2, *HOST, "--boundary-x", "walls", "--structure-bins", "5"))
        self.assertIn("least wave number", self.fails(2, *HOST, "--structure-bins", "5", "--structure-range", "0.1"))

    def test_the_length_of_the_structure(self):
        """Of one sample; of the last one too, which enters no average."""
        run = [*HOST, "--structure-bins", "8", "--structure-range", "6", "--json"]
        row = json.loads(self.succeeds(*run, "--steps", "0", "--thermo", "1"))["rows"][0]
        structure, length = row["structure"], row["series"]["structure_length"]
        mean = sum(k * s for k, s in zip(structure["k"], structure["s"])) / sum(structure["s"])
        self.assertAlmostEqual(length[0] * mean / (2 * math.pi), 1, 12)
        row = json.loads(self.succeeds(*run, "--steps", "15", "--thermo", "10"))["rows"][0]
        self.assertEqual((len(row["series"]["structure_length"]), row["structure"]["samples"]), (3, 2))
        self.assertTrue(all(value > 0 for value in row["series"]["structure_length"]))

    def test_the_velocity_autocorrelation(self):
        csv, of_file, row = self.series("--thermo", "4", "--vacf-file")
        self.check_same(row["vacf"], csv, 11)
        self.assertEqual(of_file["vacf"], row["vacf"])
        self.assertEqual(list(csv), ["time", "vacf", "msd", "diffusion", "vacf_error", "msd_error", "diffusion_error", "origins"])
        self.assertEqual(csv["origins"], [2, 2, 2, 1, 1, 1, 1, 1, 1, 1])
        self.assertAlmostEqual(csv["vacf"][0], 2, delta=0.8)
        out = self.succeeds(*HOST, "--thermo", "1", "--vacf")
        self.assertRegex(out, r"(?m)^diffusion vacf: +0\.\d+ \+- 0\.\d+ \(8 groups of particles\)$")

    def test_pressure_tensor_and_hexatic_order(self):
        path = self.folder / "t.csv"
        out = self.succeeds(*HOST, "--thermo", "10", "--pressure-tensor", "--hexatic-range", "2", "--thermo-file", path)
        for row in rows_of(path):
            self.assertAlmostEqual((float(row["pressure_xx"]) + float(row["pressure_yy"])) / 2, float(row["pressure"]))
            self.assertTrue(float(row["pressure_xy"]) and "pressure_zz" not in row)
            self.assertTrue(row["step"] == "0" or 0 < float(row["hexatic_global"]) < float(row["hexatic_local"]) < 1)
        for name in "pressure xy", "hexatic local":
            self.assertRegex(out, rf"(?m)^{name}: +-?0\.\d+ \+- 0\.\d+ \(\d+ samples\)$")
        self.assertIn("half the periodic box", self.fails(2, *HOST, "--hexatic-range", "9"))

    def test_all_means_fit_a_result(self):
        out = self.succeeds(*HOST, "--thermo", "10", "--thermostat", "langevin", "--pressure", "0.5", "--pressure-coupling", "axes",
                            "--hexatic-range", "1.5", "--cluster-distance", "1.5", "--minimise", "5")
        for name in "minimise steps", "volume", "pressure xy", "hexatic local", "clusters", "force share":
            self.assertRegex(out, rf"(?m)^{name}: ")

    def test_sizes_of_clusters(self):
        csv, of_file, row = self.series("--thermo", "10", "--cluster-distance", "1.5", "--clusters-file")
        self.check_same(row["clusters"], csv, 5)
        self.assertEqual(of_file["clusters"], row["clusters"])
        self.assertEqual(list(csv), ["size", "sizes", "clusters", "share", "clusters_error", "share_error"])
        known = [*range(1, 9), 9.5, 11.5, 13.5, 15.5, 18.5, 22.5, 26.5, 30.5]
        for size, k in zip(csv["size"], known):
            self.assertEqual(size, k)
        self.assertEqual(csv["sizes"][7:14], ([1] + [2] * 4 + [4] * 2)[:len(csv["sizes"]) - 7])
        self.assertAlmostEqual(sum(csv["share"]), 1)
        fields, path = row["result"]["fields"], self.folder / "t.csv"
        self.assertAlmostEqual(sum(csv["clusters"]), fields["clusters"])
        self.succeeds(*HOST, "--thermo", "10", "--cluster-distance", "1.5", "--thermo-file", path)
        for name in "clusters", "largest_cluster", "mean_cluster":
            mean = sum(float(line[name]) for line in rows_of(path)) / 5
            self.assertAlmostEqual(mean, fields[name])
        self.assertIn("--clusters-file needs --cluster-distance, which has no default\n",
                      self.fails(2, *HOST, "--clusters-file", self.folder / "c.csv"))

    def test_the_correlation_of_the_hexatic_order(self):
        csv, of_file, row = self.series("--thermo", "10", "--hexatic-range", "1.5", "--g6-bins", "10", "--g6-file")
        self.check_same(row["g6"], csv, 5)
        self.assertEqual(of_file["g6"], row["g6"])
        self.assertEqual(list(csv), ["r", "g6", "g6_error", "pairs"])
        self.assertAlmostEqual(csv["r"][-1], 7.125)
        for g6, pairs in zip(csv["g6"], csv["pairs"]):
            self.assertTrue(g6 is None if pairs == 0 else -1 <= g6 <= 1)
        self.assertIn("--plot-g6 needs --hexatic-range, which has no default\n",
                      self.fails(2, *HOST, "--plot-g6", self.folder / "g.svg"))
        self.assertIn("--g6-range 10 is larger than half the periodic box",
                      self.fails(2, *HOST, "--hexatic-range", "2", "--g6-file", self.folder / "g.csv"))

    def test_the_mean_square_displacement(self):
        csv, of_file, row = self.series("--thermo", "4", "--msd-file")
        whole = dict(row["msd"])
        diffusion = {name: row["msd"].pop(name) for name in ("diffusion", "diffusion_error")}
        self.check_same(row["msd"], csv, 11)
        self.assertEqual(of_file["msd"], whole)
        self.assertEqual(list(csv), ["time", "msd", "msd_x", "msd_y"])
        self.assertEqual((csv["time"][0], csv["msd"][0]), (0, 0))
        for t, all_axes, x, y in zip(*csv.values()):
            self.assertAlmostEqual(all_axes, x + y)
        # In the first steps particles fly: 2 T t^2.
        self.assertAlmostEqual(csv["msd"][1] / csv["time"][1]**2, 2, delta=0.6)
        fields = row["result"]["fields"]
        for name, value in diffusion.items():
            self.assertAlmostEqual(fields[name], value)
        self.assertAlmostEqual(fields["msd"], csv["msd"][-1])
        out = self.succeeds(*HOST, "--thermo", "4", "--msd")
        self.assertRegex(out, r"(?m)^msd: +0\.\d+\ndiffusion: +0\.\d+ \+- 0\.\d+ \(8 groups of particles\)$")

    def test_a_profile_in_depth(self):
        path = self.folder / "z.csv"
        self.succeeds("gas", "--device", "host", "--dim", "3", "--particles", "64", "--density", "0.1", "--cutoff", "2.5",
                      "--steps", "4", "--profile-axis", "z", "--profile-file", path, "--msd-file", self.folder / "m.csv")
        self.assertTrue(path.read_text().startswith("z,density\n"))
        self.assertTrue((self.folder / "m.csv").read_text().startswith("time,msd,msd_x,msd_y,msd_z\n"))

    def test_each_row_has_its_file(self):
        device = self.needs_opencl()
        self.succeeds(*SMALL, "--device", f"host,{device}", "--rdf-file", self.folder / "g.csv")
        self.assertEqual({path.name for path in self.folder.iterdir()},
                         {"g-host.csv", f"g-{device.replace(':', '-')}.csv"})

    def test_files_and_charts_take_what_they_show(self):
        """So that ranges and numbers of bins need no more than them."""
        self.succeeds(*HOST, "--rdf-file", self.folder / "g.csv", "--rdf-range", "2", "--plot-profile", self.folder / "p.svg",
                      "--profile-file", self.folder / "p.csv", "--profile-bins", "7")
        self.assertEqual(rows_of(self.folder / "g.csv")[-1]["r"], "1.995")
        self.assertEqual(len(rows_of(self.folder / "p.csv")), 7)
        self.assertIn("--rdf-range needs --rdf-bins", self.fails(2, *HOST, "--rdf-range", "2", "--speeds-file", self.folder / "s.csv"))

    def test_an_ending_without_a_format(self):
        for option in "--rdf-file", "--speeds-file", "--profile-file", "--msd-file", "--structure-file", "--vacf-file", "--clusters-file", "--g6-file":
            for name in "g.txt", "g":
                message = self.fails(2, *HOST, option, self.folder / name)
                self.assertRegex(message, rf"{option}: the ending of '.*{name}' names no format; use .csv or .json, with .gz behind it for a packed file\n")
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    support.main()
