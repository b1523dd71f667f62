#!/usr/bin/env python3
"""The file that bench/peers/run.py writes, with peers that only pretend to measure.

usage: test_peers.py RUN.PY RESULTS.PY SHOAL
"""
import contextlib
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

RUN, RESULTS, SHOAL = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
ROW = {"case": "peer.it-1.0.size", "device": "host", "variant": "t1", "precision": "fp64", "unit": "pairs/s",
       "better": "higher", "check": "pass", "error": 1e-9, "bound": "copy_bytes", "roof_work": 4,
       "samples": [30, 10, 20, 50, 40]}
FIGURES = [{"name": "gap", "value": 0.01, "unit": ""}]


class Peers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        spec = importlib.util.spec_from_file_location("run", RUN)
        self.run = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.run)

    def path(self, name):
        return os.path.join(self.folder, name)

    def peer(self, text):
        """Puts a peer 'it' whose program prints that text."""
        with open(self.path("printed"), "w", encoding="utf-8") as file:
            file.write(text)
        self.run.PEERS["it"] = self.run.Peer("none", ["cp", self.path("printed"), "{program}"], ["cat", "{program}"],
                                             ["cat"], ["cat", "--version"])

    def main(self, *arguments):
        """Exit code or message, and what was printed."""
        sys.argv = ["run.py", *arguments]
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
                self.run.main()
        except SystemExit as end:
            return end.code, out.getvalue()
        return 0, out.getvalue()

    def written(self):
        names = [name for name in os.listdir(self.folder) if "-peers-" in name]
        self.assertEqual(len(names), 1)
        with open(self.path(names[0]), encoding="utf-8") as file:
            return names[0], json.load(file)

    def test_file(self):
        self.peer(json.dumps(ROW) + "\n" + json.dumps(dict(ROW, variant="t2", bound=None, figures=FIGURES)) + "\n")
        code, out = self.main("--out", self.folder, "it")
        self.assertEqual(code, 0)
        self.assertIn("peer.it-1.0.size  host t1  30 pairs/s", out)
        name, run = self.written()
        self.assertEqual((run["schema"], len(run["rows"])), (1, 2))
        row = run["rows"][0]
        self.assertNotIn("figures", row)
        self.assertEqual(run["rows"][1]["figures"], FIGURES)
        self.assertEqual((row["value"], row["min"], row["max"], row["samples"]), (30, 10, 50, 5))
        self.assertAlmostEqual(row["spread"], (40 - 20) / 2 / 30)
        self.assertIn("cat ", row["compiler"])
        self.assertIsNone(row["share"])
        with open(self.path("page.md"), "w", encoding="utf-8") as page:
            page.write(f"<!-- results: {name} -->\n<!-- /results -->\n")
        subprocess.run([sys.executable, RESULTS, self.path("page.md")], check=True)
        with open(self.path("page.md"), encoding="utf-8") as page:
            self.assertIn("30.00 pairs/s", page.read())

    def test_roofs(self):
        self.peer(json.dumps(ROW))
        roofs = {"id": "host", "name": self.run.cpu_name(), "driver": "cc", "roofs": {"copy_bytes": 240}}
        with open(self.path("roofs.json"), "w", encoding="utf-8") as file:
            json.dump({"devices": [roofs]}, file)
        self.assertEqual(self.main("--out", self.folder, "--roofs", self.path("roofs.json"), "it")[0], 0)
        row, = self.written()[1]["rows"]
        self.assertEqual((row["roof"], row["share"]), (60, 0.5))
        with open(self.path("roofs.json"), "w", encoding="utf-8") as file:
            json.dump({"devices": [dict(roofs, name="Other")]}, file)
        code, _ = self.main("--out", self.folder, "--roofs", self.path("roofs.json"), "it")
        self.assertIn("host is Other there", code)

    def test_opencl_device_names_itself(self):
        self.peer(json.dumps(dict(ROW, device="gpu", device_name="Card", device_driver="3.1")))
        self.assertEqual(self.main("--out", self.folder, "--device", "opencl:0", "it")[0], 0)
        run = self.written()[1]
        self.assertEqual(run["devices"], [{"id": "opencl:0", "name": "Card", "driver": "3.1", "roofs": None}])
        self.assertEqual(run["rows"][0]["device"], "opencl:0")

    def test_built_elsewhere(self):
        self.peer(json.dumps(ROW))
        programs = self.path("programs")
        self.assertEqual(self.main("--programs", programs, "--build-only", "it")[0], 0)
        self.assertEqual(sorted(os.listdir(programs)), ["peer-it", "peer-it.compiler"])
        self.run.PEERS["it"].build = self.run.PEERS["it"].version = ["false"]
        self.assertEqual(self.main("--programs", programs, "--built", "--out", self.folder, "it")[0], 0)
        self.assertIn("cat ", self.written()[1]["rows"][0]["compiler"])
        os.remove(os.path.join(programs, "peer-it.compiler"))
        self.assertIn("it was not built", self.main("--programs", programs, "--built", "it")[0])
        self.assertEqual(self.main("--built", "it")[0], 2)

    def test_failed_check_has_no_figure(self):
        self.peer(json.dumps(dict(ROW, check="fail")))
        code, out = self.main("--out", self.folder, "it")
        self.assertIn("a result check failed", code)
        self.assertIn("check failed", out)
        row, = self.written()[1]["rows"]
        self.assertIsNone(row["value"])
        self.assertEqual(row["samples"], 0)

    def test_nothing_is_written_for_a_broken_peer(self):
        broken = {"": "printed no rows", "hello": "not a JSON object", "[1]": "printed no rows", "{}": 'without "case"',
                  json.dumps(dict(ROW, samples=[])): "samples", json.dumps(dict(ROW, samples=[1, "x"])): "samples",
                  json.dumps(dict(ROW, samples=[0])): "samples"}
        for text, message in broken.items():
            self.peer(text)
            code, _ = self.main("--out", self.folder, "it")
            self.assertIn(message, code, text)
        self.run.PEERS["it"] = self.run.Peer("none", ["false"], ["true"], [], ["cat", "--version"])
        self.assertIn("false: exit code 1", self.main("--out", self.folder, "it")[0])
        self.run.PEERS["it"] = self.run.Peer("none", None, ["true"], ["no-such-tool"], ["cat", "--version"])
        self.assertIn("no-such-tool is not installed", self.main("--out", self.folder, "it")[0])
        self.assertEqual([name for name in os.listdir(self.folder) if "peers" in name], [])

    def test_words_of_a_peer(self):
        self.peer(json.dumps(ROW))
        self.run.PEERS["it"] = self.run.Peer("none", None, ["cat"], [], ["cat", "--version"])
        self.assertEqual(self.main("--out", self.folder, f"it {self.path('printed')}")[0], 0)
        self.assertEqual(self.written()[1]["rows"][0]["case"], ROW["case"])
        self.assertIn("other: No such file", self.main("--out", self.folder, "it other")[0])
        for words in ("", "other it"):
            self.assertEqual(self.main("--out", self.folder, words)[0], 2)

    # Tours of shoal: each run of each seed has its seconds, and is told to the command of --quiet.
    def test_tours_of_shoal(self):
        with open(self.path("OPTIMA.tsv"), "w", encoding="utf-8") as file:
            file.write("uniform:300:1 300 EUC_2D 13184244 none -\n")
        with open(self.path("quiet"), "w", encoding="utf-8") as file:
            file.write(f"echo $1 >> {self.path('told')}\n")
        place = unittest.mock.patch.dict(os.environ, {"SHOAL": SHOAL, "SHOAL_TSPLIB": self.folder})
        place.start()
        self.addCleanup(place.stop)
        self.assertEqual(self.main("--out", self.folder, "shoal-lk-curves --problems uniform:300:1 --times 0.05,0.2 --runs 2 "
                                   f"--threads 1 --limit 60 --quiet 'sh {self.path('quiet')}'")[0], 0)
        row, = self.written()[1]["rows"]
        self.assertEqual((row["case"], row["device"], row["variant"]),
                         ("peer.shoal-lk.tsp.cpu.curve-uniform:300:1", "host", "t1"))
        self.assertEqual([figure["name"] for figure in row["figures"]], ["seeds", "0.05 s", "0.2 s"])
        for figure in row["figures"][1:]:
            self.assertTrue(0 <= figure["value"] < 0.1, figure)
        # A run begins no step that would end too late, so it may end before its time.
        self.assertGreaterEqual(row["min"], 0.05)
        self.assertEqual(row["samples"], 2)
        self.assertRegex(row["compiler"], r"^shoal \d")
        with open(self.path("told"), encoding="utf-8") as file:
            self.assertEqual(file.read().split(), ["begin", "end"] * 4)

    def python_ga(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("there is no NumPy")
        spec = importlib.util.spec_from_file_location("ga_python", os.path.join(os.path.dirname(RUN), "ga_python.py"))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return numpy, module

    # Far from the bounds the children lie as far from the middle as each other, in half of the genes of crossing pairs.
    def test_operators_in_numpy(self):
        numpy, ga = self.python_ga()
        generator = numpy.random.default_rng(1)
        a, b = numpy.full((4000, ga.DIM), -0.01), numpy.full((4000, ga.DIM), 0.01)
        one, other = ga.sbx(a, b, generator)
        self.assertLess(abs(one + other).max(), 1e-9)
        crossed = abs(abs(one) - 0.01) > 1e-12
        self.assertAlmostEqual(crossed.mean(), 0.45, 2)
        # The spread factor is below 1 as often as above: Deb and Agrawal's density.
        self.assertAlmostEqual((abs(one[crossed]) < 0.01).mean(), 0.5, 2)
        x = numpy.full((4000, ga.DIM), 5.12) - 0.01 * generator.random((4000, ga.DIM))
        one, other = ga.sbx(x, x[::-1], generator)
        moved = ga.polynomial(x, generator)
        for points in (one, other, moved):
            self.assertTrue((points <= 5.12).all() and (points >= -5.12).all())
        self.assertAlmostEqual((moved != x).mean(), 1 / ga.DIM, 2)

    def test_python_packages(self):
        self.python_ga()
        script, ran = os.path.join(os.path.dirname(RUN), "ga_python.py"), 0
        for package in ("deap", "pygad", "pygmo"):
            if not importlib.util.find_spec(package):
                continue
            done = subprocess.run([sys.executable, script, package, "--population", "32", "--generations", "3"],
                                  capture_output=True, text=True, check=True)
            row = json.loads(done.stdout)
            self.assertEqual((row["check"], len(row["samples"])), ("pass", 6))
            ran += 1
        if not ran:
            self.skipTest("none of the packages is installed")


unittest.main(verbosity=0)
