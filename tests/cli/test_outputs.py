#!/usr/bin/env python3
"""What a run is to write: refused before the run where it cannot be written, or where the problem has not what it is to show;
not lost where it fails at the end."""

import ast
import gzip
import json
import os
import struct

import support
from support import Case, shoal

# Runs that would never end: what is refused is so before the first step.
ENDLESS = {"pso": ["--dim", 2, "--iterations", 4000000000], "ga": ["--dim", 2, "--iterations", 4000000000],
           "tsp": ["--generate", "uniform:50:1", "--iterations", 4000000000],
           "gas": ["--particles", 64, "--steps", 4000000000], "mlp": ["--generate", "teacher:200", "--epochs", 4000000000]}
FILES = {"pso": ["--checkpoint c", "--trace-file t.csv", "--plot p.svg", "--out o.csv"],
         "ga": ["--checkpoint c", "--trace-file t.csv", "--plot p.svg", "--out o.csv", "--plot-population p.svg"],
         "tsp": ["--checkpoint c", "--trace-file t.csv", "--plot p.svg", "--out o.tour", "--anytime a.jsonl"],
         "gas": ["--checkpoint c", "--thermo-file t.csv", "--xyz f.xyz", "--dump f.dump", "--plot-energy e.svg", "--plot-temperature t.svg",
                 "--plot-rdf r.svg", "--rdf-file r.csv", "--speeds-file s.csv", "--plot-speeds s.svg", "--profile-file p.csv",
                 "--plot-profile p.svg", "--msd-file m.csv", "--plot-msd m.svg"],
         "mlp": ["--checkpoint c", "--trace-file t.csv", "--out o.csv", "--report r.csv", "--model m.safetensors", "--export m.onnx",
                 "--plot-loss l.svg", "--plot-score s.svg"]}
MATRIX = "0,3,4,5\n3,0,5,4\n4,5,0,3\n5,4,3,0\n"
PLANE = "x,y\n0,0\n0,2\n3,2\n3,0\n"


class Before(Case):
    def refused(self, code, command, *args, **more):
        before = sorted(os.listdir(self.folder))
        message = self.fails(code, command, "--device", "host", *ENDLESS.get(command, []), *args, **more)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        return message

    def test_a_folder_that_is_not_there(self):
        for command, options in FILES.items():
            for line in options:
                option, name = line.split()
                with self.subTest(command=command, option=option):
                    message = self.refused(1, command, option, self.folder / "none" / name)
                    self.assertIn(f"shoal: {option}: {self.folder / 'none' / name}: cannot be written: No such file", message)

    def test_a_folder_in_place_of_a_file(self):
        for command, options in FILES.items():
            option, name = options[-1].split()
            with self.subTest(command=command):
                folder = self.folder / name
                folder.mkdir(exist_ok=True)
                self.assertIn(f"{option}: {folder}: cannot be written: Is a directory", self.refused(1, command, option, folder))

    def tour(self, text, out):
        return self.fails(2, "tsp", "--data", self.file("p.csv", text), "--iterations", 4000000000, "--device", "host", "--out",
                          self.folder / out)

    def test_a_tour_that_the_problem_cannot_show(self):
        for out in ("o.svg", "o.png", "o.geojson"):
            self.assertRegex(self.tour(MATRIX, out), rf"--out: \S*{out}: p is a matrix, whose cities have no places to draw; write a \.tour")
        self.assertRegex(self.tour(PLANE, "o.geojson"), r"--out: \S*o\.geojson: a \.geojson has places on the earth, and p has points of a plane")
        self.assertEqual(sorted(os.listdir(self.folder)), ["p.csv"])

    def rows(self, classes):
        return self.file("rows.csv", "u,v,kind\n" + "".join(f"{i % 7 / 4},{i * i % 11},{'abc'[i % classes]}\n" for i in range(60)))

    def train(self, *args, classes=2):
        return ["mlp", "--data", self.rows(classes), "--target", "kind", "--device", "host", *args]

    def test_a_net_that_the_format_cannot_hold(self):
        net = self.folder / "n.net"
        endless = ["--epochs", 4000000000]
        for option in ("--export", "--model"):
            for more, lacks, layer in (([], "relu", 1), (["--activation", "tanh"], "softmax", 2)):
                message = self.fails(2, *self.train(option, net, *more, *endless, classes=3))
                self.assertIn(f"{option}: {net}: FANN has no {lacks}, that of layer {layer}", message)
        self.assertIn("FANN has no relu", self.fails(2, *self.train("--export", f"{self.folder}/n.onnx, {net}", *endless)))
        self.assertEqual(sorted(os.listdir(self.folder)), ["rows.csv"])
        self.succeeds("mlp", "--data", self.rows(2), "--target", "u", "--device", "host", "--export", net, "--activation", "tanh", "--epochs", 2)
        self.assertTrue(net.exists())

    def test_patience_needs_rows_to_judge_by(self):
        message = self.fails(2, *self.train("--patience", 3, "--validation", 0))
        self.assertIn("--patience: it waits for a better loss of the validation rows, and there are none", message)
        self.succeeds(*self.train("--patience", 3, "--validation", 0.2, "--epochs", 2))

    def test_a_target_that_the_model_does_not_predict(self):
        model = self.folder / "m.safetensors"
        self.succeeds(*self.train("--model", model, "--epochs", 2))
        predict = ["mlp", "--load", model, "--predict", self.rows(2)]
        self.assertIn("--target: 'v' is not what the model predicts, 'kind'", self.fails(2, *predict, "--target", "v"))
        self.assertIn("accuracy", self.succeeds(*predict, "--target", "kind", "--out", self.folder / "o.csv"))

    def test_a_configuration_of_other_commands(self):
        other = self.file("run.ini", "[shoal]\ndevice = host\n[pso]\ndim = 2\n")
        message = self.fails(2, "gas", "--config", other)
        self.assertEqual(message, f"shoal: --config: {other} has no section [gas], only [shoal], [pso]: add it, or take another file\n")
        self.succeeds("pso", "--config", other, "--iterations", 2)
        other = self.file("run.ini", "[shoal]\ndevice = host\n[gas]\nparticles = 64\n")
        for words, wanted in ((["verify"], "[verify]"), (["bench"], "[bench]"), (["tune"], "[tune]"), (["tune", "pso"], "[pso]"),
                              (["compare", "pso"], "[compare] or [pso]"), (["kernels"], "[kernels]"), (["cache"], "[cache]"),
                              (["devices"], "[devices]"), (["data", "info", other], "[data]"),
                              (["data", "gas"], "[shoal], which is all that 'shoal data gas' reads")):
            with self.subTest(words):
                self.assertIn(f"has no section {wanted}, only [shoal], [gas]: add it", self.fails(2, *words, "--config", other))
        only = self.file("only.ini", "[bench]\ntime = 1\n")
        self.assertIn("has no section [compare] or that of a workload, only [bench]", self.fails(2, "compare", "--config", only))
        self.succeeds("devices", "--config", self.file("devices.ini", "[gas]\nparticles = 64\n[devices]\nmeasure = no\n"))
        # What all commands share is for each of them.
        self.succeeds("gas", "--config", self.file("shared.ini", "[shoal]\ndevice = host\n"), "--particles", 64, "--steps", 2)
        self.succeeds("gas", "--config", self.file("stages.ini", "[gas.melt]\nsteps = 2\n"), "--device", "host", "--particles", 64)


class After(Case):
    def full(self, name):
        """A name that can be written, but for what is to be in the file."""
        link = self.folder / name
        link.symlink_to("/dev/full")
        return link

    def rescued(self, name, *args, **more):
        done = shoal(*args, "--device", "host", **more)
        self.assertEqual(done.returncode, 1, done.stderr)
        found = self.folder / (name + ".rescued")
        self.assertRegex(done.stderr, rf"\Ashoal: [^\n]*cannot (?:be written|write)[^\n]*: No space left on device[^\n]*; it was written to {found}\n\Z")
        self.assertEqual(sorted(p for p in os.listdir(self.folder) if "rescued" in p), [found.name])
        return done.stdout, found

    def test_a_tour(self):
        points = self.file("p.csv", PLANE)
        run = ["tsp", "--data", points, "--iterations", 2]
        text, tour = self.rescued("o.tour", *run, "--out", self.full("o.tour"))
        self.assertIn("length:", text)
        self.assertIn("length   10\n", self.succeeds("tsp", "--data", points, "--check", tour))
        text = self.succeeds(*run, "--json", "--device", "host")
        row = json.loads(text)["rows"][0]
        self.assertEqual(sorted(row["tour"]), [1, 2, 3, 4])
        done = shoal(*run, "--out", self.folder / "o.tour", "--device", "host", "--json")
        document = json.loads(done.stdout)
        # The one before stays.
        self.assertIn(f"it was written to {self.folder / 'o.tour.2.rescued'}", document["errors"][0]["message"])
        self.assertEqual((done.returncode, document["rows"][0]["tour"]), (1, row["tour"]))

    def test_a_tour_whose_format_does_not_suit_standard_input(self):
        for out, text, why in (("o.svg", MATRIX, "the problem is a matrix"), ("o.geojson", PLANE, "geojson")):
            done = shoal("tsp", "--data", "-", "--iterations", 2, "--device", "host", "--out", self.folder / out, stdin=None, input=text)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(f"the ids of the tour were written to {self.folder / out}.rescued", done.stderr)
            self.assertIn(why, done.stderr)
            self.assertEqual(sorted((self.folder / f"{out}.rescued").read_text().split()), ["1", "2", "3", "4"])

    def test_names_of_cities_in_json(self):
        points = self.file("p.csv", "name,x,y\nBrno,0,0\n007,0,2\n3,3,2\nPrague,3,0\n")
        row = json.loads(self.succeeds("tsp", "--data", points, "--iterations", 2, "--json", "--device", "host"))["rows"][0]
        self.assertEqual(sorted(map(str, row["tour"])), ["007", "3", "Brno", "Prague"])
        self.assertIn(3, row["tour"])
        self.assertIn("007", row["tour"])

    def test_a_net(self):
        run = ["mlp", "--generate", "teacher:200", "--epochs", 2]
        self.succeeds(*run, "--device", "host", "--model", self.folder / "good.safetensors")
        _, net = self.rescued("m.safetensors", *run, "--model", self.full("m.safetensors"))
        self.assertEqual(net.read_bytes(), (self.folder / "good.safetensors").read_bytes())
        net.unlink()
        _, report = self.rescued("r.json", *run, "--report", self.full("r.json"))
        self.assertIn("report", json.loads(report.read_text()))
        report.unlink()
        self.rescued("o.csv", *run, "--out", self.full("o.csv"))

    def test_a_checkpoint(self):
        run = ["pso", "--dim", 2, "--particles", 8, "--iterations", 6]
        _, state = self.rescued("c", *run, "--checkpoint", self.full("c"))
        whole = json.loads(self.succeeds("pso", "--resume", state, "--iterations", 12, "--json"))["rows"][0]["result"]
        self.assertEqual(whole["steps"], 12)

    def test_charts_and_series(self):
        _, chart = self.rescued("p.svg", "pso", "--dim", 2, "--particles", 8, "--iterations", 6, "--plot", self.full("p.svg"))
        self.assertTrue(chart.read_text().startswith("<svg"))
        chart.unlink()
        self.rescued("r.csv", "gas", "--particles", 64, "--steps", 20, "--thermo", 5, "--rdf-file", self.full("r.csv"))

    def test_in_the_folder_of_temporary_files(self):
        points = self.file("p.csv", PLANE)
        closed, other, here = (self.folder / name for name in ("closed", "tmp", "here"))
        for folder in (closed, other, here):
            folder.mkdir()
        (closed / "o.tour").symlink_to("/dev/full")
        closed.chmod(0o500)
        here.chmod(0o500)
        self.addCleanup(closed.chmod, 0o700)
        self.addCleanup(here.chmod, 0o700)
        if os.access(closed, os.W_OK):
            self.skipTest("this user may write into every folder")
        done = shoal("tsp", "--data", points, "--iterations", 2, "--device", "host", "--out", closed / "o.tour", cwd=here,
                     env=support.environment(TMPDIR=str(other)))
        self.assertIn(f"it was written to {other}/o.tour.rescued", done.stderr)
        self.assertTrue((other / "o.tour.rescued").exists())


class Positions(Case):
    RUN = ["--device", "host", "--iterations", 5]

    def result(self, *run):
        return json.loads(self.succeeds(*run, "--json"))["rows"][0]["result"]

    def test_each_format_holds_the_same_numbers(self):
        run = ["pso", *self.RUN, "--dim", 3, "--particles", 8, "--runs", 4, "--seed", 7]
        result = self.result(*run)
        paths = {name: self.folder / f"p.{name}" for name in ("csv", "txt", "npy", "json")}
        for path in paths.values():
            text = self.succeeds(*run, "--out", path)
            self.assertIn(f"\npositions in {path} (a row for each of the 4 runs, of 3 numbers)\n", text)
        document = json.loads(paths["json"].read_text())
        self.assertEqual(document["names"], ["x1", "x2", "x3"])
        self.assertEqual([run["seed"] for run in document["runs"]], ["7", "8", "9", "10"])
        self.assertEqual([run["value"] for run in document["runs"]], result["fields"]["run_values"])
        rows = [run["position"] for run in document["runs"]]
        self.assertIn(result["fields"]["position"], rows)
        names, *lines = paths["csv"].read_text().splitlines()
        self.assertEqual(names, "x1,x2,x3")
        self.assertEqual([[float(word) for word in line.split(",")] for line in lines], rows)
        self.assertEqual([[float(word) for word in line.split()] for line in paths["txt"].read_text().splitlines()], rows)
        data = paths["npy"].read_bytes()
        self.assertEqual((data[:8], (10 + int.from_bytes(data[8:10], "little")) % 64), (b"\x93NUMPY\x01\x00", 0))
        self.assertEqual(ast.literal_eval(data[10:10 + data[8]].decode()), {"descr": "<f8", "fortran_order": False, "shape": (4, 3)})
        numbers = struct.unpack("<12d", data[10 + data[8]:])
        self.assertEqual(list(numbers), [x for row in rows for x in row])
        # What was found is where a search may begin.
        self.assertIn("start=", self.succeeds(*run, "--start", paths["csv"]))
        self.assertIn("start=", self.succeeds(*run, "--start", paths["npy"]))

    def test_names_of_variables_and_parameters(self):
        path = self.folder / "p.csv"
        self.succeeds("ga", *self.RUN, "--variables", "speed real -1 1, n integer 0 9, on bit, b1-b2 bit", "--expr", "x[1]^2 + x[2] + x[3] + x[4]",
                      "--population", 8, "--out", path)
        names, values = path.read_text().splitlines()
        self.assertEqual(names, "speed,n,on,b1,b2")
        self.assertRegex(values, r"\A-?0\.\d+(?:e-\d+)?,\d,[01],[01],[01]\Z")
        table = self.file("t.csv", "t,y\n0,1\n1,3\n2,5\n3,8\n")
        text = self.succeeds("pso", *self.RUN, "--data", table, "--model", "slope*t+b", "--fit", "slope=-5:5,b=-5:5", "--target-column", "y",
                             "--out", path, "--residuals", self.folder / "r.csv")
        self.assertEqual(path.read_text().splitlines()[0], "slope,b")
        self.assertIn(f"positions in {path} (2 numbers)\n", text)
        self.assertIn("parameter", text)

    def test_an_order(self):
        path = self.folder / "p.txt"
        self.succeeds("ga", *self.RUN, "--variables", "x1-x6 order", "--expr", "sum(abs(x[i] - i))", "--population", 8, "--out", path)
        self.assertEqual(sorted(path.read_text().split()), list("012345"))

    def test_each_device_has_a_file_of_its_own(self):
        device = self.needs_opencl()
        self.succeeds("pso", "--device", f"host,{device}", "--dim", 2, "--particles", 8, "--iterations", 5, "--out", self.folder / "p.csv")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(["p-host.csv", f"p-{device.replace(':', '-')}.csv"]))

    def test_endings(self):
        for command in ("pso", "ga"):
            message = self.fails(2, command, *self.RUN, "--dim", 2, "--out", self.folder / "p.dat")
            self.assertRegex(message, r"--out: the ending of '\S*p\.dat' names no format; use \.csv, \.npy, \.txt or \.json")

    def test_names_that_end_in_gz_are_packed(self):
        """What a packed file holds is what the plain one holds."""
        table, named = self.file("t.csv", "7,2\n3,4.5\n5,7\n8,1\n"), self.file("n.csv", "x,y\n" + "".join(f"{i}.5,{'ab'[i % 2]}\n" for i in range(20)))
        globe = self.file("g.csv", "lat,lon\n1,2\n3,4\n5,7\n")
        search, net = ["--dim", 2, *self.RUN], ["--data", named, "--target", "y", "--device", "host", "--epochs", 2, "--test", "0.3"]
        tour = ["--device", "host", "--iterations", 2]
        for words, endings in ((["pso", *search, "--out"], (".csv", ".npy", ".txt", ".json")), (["ga", *search, "--out"], (".csv",)),
                               (["tsp", "--data", globe, *tour, "--out"], (".tour", ".txt", ".csv", ".json", ".geojson")),
                               (["mlp", *net, "--report"], (".csv", ".json", ".jsonl")), (["mlp", *net, "--out"], (".csv",)),
                               (["data", "convert", table, "--out"], (".csv", ".npy", ".bin")), (["data", "convert", named, "--target", "y", "--out"], (".csv", ".npy", ".data")),
                               (["data", "xor", "--out"], (".csv", ".idx")), (["data", "tsp", globe, "--out"], (".csv",)),
                               (["data", "tsp", table, "--out"], (".tsp",))):
            for ending in endings:
                with self.subTest((words[:2], ending)):
                    plain, packed = self.folder / ("o" + ending), self.folder / ("o" + ending + ".GZ" if ending == ".csv" else "o" + ending + ".gz")
                    self.succeeds(*words, plain)
                    self.succeeds(*words, packed)
                    self.assertEqual(gzip.decompress(packed.read_bytes()), plain.read_bytes())
                    plain.unlink()
                    packed.unlink()
        # They are read, too.
        self.succeeds("tsp", "--data", table, *tour, "--out", self.folder / "o.tour.gz")
        self.succeeds("tsp", "--data", table, "--check", self.folder / "o.tour.gz")
        self.assertIn("names no format", self.fails(2, "tsp", "--data", globe, *tour, "--out", self.folder / "o.svg.gz"))

    def test_many_numbers_name_the_option(self):
        self.assertIn("(12 values; all with --out or --json)", " ".join(self.succeeds("pso", *self.RUN, "--dim", 12).split()))


if __name__ == "__main__":
    support.main()
