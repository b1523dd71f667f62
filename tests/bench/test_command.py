#!/usr/bin/env python3
"""shoal bench, verify and tune from outside: exit codes, files, JSON. No figure is looked at.

usage: test_command.py SHOAL CL_DIR
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cli"))
import support

SHOAL, CL_DIR = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
CASE = "pso.global.rastrigin30-1024"
ROW_KEYS = {"case", "device", "variant", "precision", "value", "unit", "better", "samples", "min", "max", "spread",
            "bound", "roof", "share", "check", "error", "device_s", "wall_s", "build_s", "first_launch_s"}
SHORT = ["bench", "--filter", CASE, "--device", "host", "--time", "0", "--no-roofs"]


class Command(unittest.TestCase):
    known_devices = []
    known_result = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def shoal(self, *arguments, code=0, **variables):
        # Threads that spin while they wait take the time of the other tests.
        environment = dict(os.environ, SHOAL_CACHE_DIR=os.path.join(self.folder, "cache"), OMP_WAIT_POLICY="passive")
        environment.pop("POCL_EXTRA_BUILD_FLAGS", None)
        environment.update(variables)
        result = subprocess.run([SHOAL, *arguments], capture_output=True, text=True, env=environment, check=False,
                                timeout=500)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def has_theses(self):
        return "\nthesis-ga." in self.shoal("bench", "--list").stdout

    def path(self, name):
        return os.path.join(self.folder, name)

    def load(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def earlier_result(self):
        """Makes run.json: a result that is measured once for all tests."""
        if Command.known_result is None:
            self.shoal(*SHORT, "--out", self.path("run.json"))
            with open(self.path("run.json"), encoding="utf-8") as file:
                Command.known_result = file.read()
        with open(self.path("run.json"), "w", encoding="utf-8") as file:
            file.write(Command.known_result)

    def doctor(self, change):
        run = self.load("run.json")
        for row in run["rows"]:
            change(row)
        with open(self.path("before.json"), "w", encoding="utf-8") as file:
            json.dump(run, file)

    def devices(self):
        # Every time drivers are loaded.
        if not Command.known_devices:
            Command.known_devices = json.loads(self.shoal("devices", "--json").stdout)["devices"]
        return Command.known_devices

    def opencl_device(self):
        ids = [device["id"] for device in self.devices() if device["id"].startswith("opencl:")]
        if not ids:
            self.skipTest("no OpenCL device")
        return ids[0]

    def wrong_kernels(self, name="lib/trig.clh", right="return s * s;", wrong="return s * s * R(1.025);"):
        """Kernels of which one text is not quite right: the Rastrigin function unless told otherwise."""
        kernels = self.path("kernels")
        shutil.copytree(CL_DIR, kernels)
        path = os.path.join(kernels, name)
        with open(path, encoding="ascii") as file:
            text = file.read()
        self.assertIn(right, text)
        with open(path, "w", encoding="ascii") as file:
            file.write(text.replace(right, wrong))
        return kernels

    def test_list(self):
        listed = self.shoal("bench", "--list").stdout
        self.assertIn(CASE, listed)
        listed = json.loads(self.shoal("bench", "--list", "--json", "--filter", "core").stdout)
        cases = listed["cases"]
        self.assertTrue(cases and listed["commit"])
        self.assertTrue(all(case["case"].startswith("core.") for case in cases))

    @support.by_turn
    def test_launches_and_limits_of_a_device(self):
        device = self.opencl_device()
        # The second launches a kernel that only a suite has.
        for case in ("core.launch.args8", *(["thesis-ga.numbers.uniform-16x256"] if self.has_theses() else [])):
            self.shoal("bench", "--filter", case, "--device", device, "--time", "0", "--no-roofs")
        self.assertIn(device, self.shoal("devices", "--measure", "--device", device).stdout)

    def test_copies_between_devices(self):
        device = self.opencl_device()
        args = ["bench", "core.link", "--time", "0", "--no-roofs", "--json", "--device"]
        cases = ["core.link.up", "core.link.down", "core.link.copy", "core.link.round-trip", "core.link.gather", "core.link.sum"]
        # Two devices are needed for the others.
        document = json.loads(self.shoal(*args, device).stdout)
        self.assertEqual([row["case"] for row in document["rows"]], cases[:2])
        self.assertEqual([skipped["case"] for skipped in document["skipped"]], cases[2:])
        self.assertTrue(all(f"needs a second device like {device}" in skipped["error"]["message"] for skipped in document["skipped"]))
        devices = json.loads(self.shoal("devices", "--json", "--device", device).stdout)["devices"]
        if devices[0]["units"] > 1:
            document = json.loads(self.shoal(*args, f"{device}/2:1").stdout)
            self.assertEqual([row["case"] for row in document["rows"]], cases)
            self.assertTrue(all(row["value"] > 0 and row["check"] == "pass" for row in document["rows"]))

    def test_runs_that_are_divided(self):
        # Cases of minutes on a processor: with no second device, or with another one that makes the row, none is run.
        device = self.opencl_device()
        cases = ["pso.split.runs", "ga.split.runs", "pso.split.islands-rastrigin30", "ga.split.islands", "mlp.split.runs"]
        parts = json.loads(self.shoal("devices", "--json", "--device", device).stdout)["devices"][0]["units"] > 1
        for case in cases:
            args = ["bench", case, "--time", "0", "--no-roofs", "--json", "--device"]
            skipped = json.loads(self.shoal(*args, device).stdout)["skipped"][0]["error"]["message"]
            self.assertIn(f"needs a second device like {device}", skipped)
            if parts:
                skipped = json.loads(self.shoal(*args, f"{device}/2:1").stdout)["skipped"][0]["error"]["message"]
                self.assertIn(f"measured with {device}/2:0, the first of 2 such devices", skipped)

    @support.long
    def test_rate_of_a_divided_run(self):
        device = self.opencl_device()
        if json.loads(self.shoal("devices", "--json", "--device", device).stdout)["devices"][0]["units"] < 2:
            self.skipTest("one compute unit")
        row = json.loads(self.shoal("bench", "mlp.split.runs", "--time", "0", "--no-roofs", "--json", "--device",
                                    f"{device}/2:0").stdout)["rows"][0]
        self.assertEqual((row["unit"], row["check"]), ("ratio", "pass"))
        figures = {figure["name"]: figure["value"] for figure in row["figures"]}
        self.assertEqual(figures["devices"], 2)
        self.assertGreater(row["value"], 0)
        self.assertGreater(figures["rate"], 0)

    def test_unknown_filter(self):
        result = self.shoal("bench", "--filter", "psi.global", code=2)
        self.assertIn("no case matches 'psi.global'", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)

    def test_result_file(self):
        self.shoal(*SHORT, "--out", self.path("run.json"))
        run = self.load("run.json")
        self.assertEqual(run["schema"], 1)
        self.assertTrue(run["commit"])
        self.assertEqual([device["id"] for device in run["devices"]], ["host"])
        self.assertIsNone(run["devices"][0]["roofs"])
        self.assertTrue(run["command"].startswith("shoal bench --filter"))
        for row in run["rows"]:
            self.assertEqual(set(row), ROW_KEYS)
            self.assertEqual(row["check"], "pass")
            self.assertGreater(row["value"], 0)
        self.shoal(*SHORT, "--out", self.folder)
        self.assertEqual(len([name for name in os.listdir(self.folder) if name.endswith(".json")]), 2)

    def test_file_that_cannot_be_written(self):
        result = self.shoal(*SHORT, "--out", self.path("missing/run.json"), code=1)
        self.assertIn("missing/run.json: cannot be written", result.stderr)
        self.assertEqual(result.stdout, "")  # said before anything is measured

    def test_json(self):
        run = json.loads(self.shoal(*SHORT, "--json").stdout)
        self.assertEqual(run["schema"], 1)
        self.assertEqual(run["skipped"], [])
        self.assertNotIn("regressions", run)

    def test_regression(self):
        self.earlier_result()

        def faster(row):
            row.update(value=row["value"] * 1e6, min=None, max=None, spread=0)
        self.doctor(faster)
        before = ["--before", self.path("before.json"), "--before-busy"]
        result = self.shoal(*SHORT, *before, code=7)
        self.assertIn("worse than before", result.stdout)
        self.assertIn(CASE, result.stdout.split("worse than before")[1])
        run = json.loads(self.shoal(*SHORT, *before, "--json", code=7).stdout)
        self.assertEqual(len(run["regressions"]), len(run["rows"]))

        def slower(row):
            row.update(value=row["value"] / 1e6)
        self.doctor(slower)
        result = self.shoal(*SHORT, *before)
        self.assertIn("None of", result.stdout)

    def test_busy(self):
        self.earlier_result()
        run = self.load("run.json")
        run["machine"]["load"] = 10 * run["machine"]["threads"]
        for row in run["rows"]:
            row.update(value=row["value"] / 1e6, min=None, max=None, spread=0)
        with open(self.path("before.json"), "w", encoding="utf-8") as file:
            json.dump(run, file)
        before = ["--before", self.path("before.json")]
        result = self.shoal(*SHORT, *before, code=1)
        self.assertRegex(result.stderr, r"\Ashoal: --before: busy, no verdict: load [^\n]+ --before-busy\n\Z")
        self.assertNotIn("None of", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^load \d+\.\d\d in the minute before the start, of \d+ threads")
        self.assertIsNone(json.loads(self.shoal(*SHORT, *before, "--json", code=1).stdout)["regressions"])
        self.assertIn("None of", self.shoal(*SHORT, *before, "--before-busy").stdout)

    def test_speed_against_a_named_row(self):
        device = self.opencl_device()
        run = ["bench", CASE, "--device", f"{device},host", "--time", "0", "--no-roofs"]
        for args, baseline in (([], "host"), (["--baseline", device], device)):
            lines = self.shoal(*run, *args).stdout.splitlines()
            header = next(line for line in lines if line.startswith("case "))
            end = header.index(f"x {baseline}") + len(f"x {baseline}")
            row = [line for line in lines if re.search(rf" {baseline} +", line) and line.startswith(CASE)][-1]
            self.assertEqual(row[:end].split()[-1], "1.00x")
        # Where no row has the figure of the baseline nothing explains it.
        launches = self.shoal("bench", "core.launch.args8", *run[2:]).stdout
        self.assertIn("spread: ", launches)
        self.assertNotIn("times as fast", launches)
        result = self.shoal(*run, "--baseline", "cuda:7", code=2)
        self.assertIn("--baseline: 'cuda:7' is not one of ", result.stderr)

    def test_earlier_result_that_does_not_fit(self):
        self.earlier_result()

        def other(row):
            row.update(device="opencl:7")
        self.doctor(other)
        result = self.shoal(*SHORT, "--before", self.path("before.json"), code=1)
        self.assertIn("no row that can be compared", result.stderr)
        with open(self.path("before.json"), "w", encoding="utf-8") as file:
            file.write("{}")
        result = self.shoal(*SHORT, "--before", self.path("before.json"), code=1)
        self.assertIn("schema 1", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)

    def test_failed_check_prints_no_figure(self):
        device = self.opencl_device()
        result = self.shoal("bench", "--filter", CASE, "--device", device, "--time", "0", "--no-roofs",
                            "--kernel-dir", self.wrong_kernels(), "--out", self.path("run.json"), code=6)
        self.assertIn("check failed: no figure", result.stdout)
        self.assertNotIn("evaluations/s", result.stdout)
        row, = self.load("run.json")["rows"]
        self.assertEqual(row["check"], "fail")
        for key in ("value", "min", "max", "spread", "share", "device_s", "wall_s", "first_launch_s"):
            self.assertIsNone(row[key], key)

    @support.long
    def test_verify_long_check(self):
        run = ["verify", "gas.methods", "--device", self.opencl_device(), "--json"]
        rows = json.loads(self.shoal(*run).stdout)["rows"]
        self.assertEqual(len(rows), 12 if self.has_theses() else 8)
        for row in rows:
            self.assertTrue(row["what"].startswith("gas.methods "), row["what"])
            self.assertEqual(row["result"], "pass", row["what"])
            self.assertEqual(row["compared"], 4096)
            self.assertLessEqual(row["deviation"], row["tolerance"])
        # A thousandth of the forces by lists.
        folder = self.wrong_kernels("gas/methods/list_step.clh", "vector_add_force(&s->force, d, force);",
                                    "vector_add_force(&s->force, d, R(1.001) * force);")
        rows = json.loads(self.shoal(*run, "--kernel-dir", folder, "--no-cache", code=6).stdout)["rows"]
        self.assertEqual([row["result"] for row in rows if row["what"].endswith("forces")],
                         ["fail", "pass", "pass"] * 2 if self.has_theses() else ["fail", "pass"] * 2)

    def test_verify_unknown(self):
        self.assertRegex(self.shoal("verify", "psi", code=2).stderr, "shoal: 'psi' is not one of lib, pso, ga, (.*, )?gas, ")

    def test_tune_stores_nothing_in_a_dry_run(self):
        device = self.opencl_device()
        run = json.loads(self.shoal("tune", "lib.reduce", "--device", device, "--time", "0", "--dry-run",
                                    "--from", "64", "--to", "64", "--json").stdout)
        row, = run["rows"]
        self.assertEqual(row["program"], "lib.reduce")
        self.assertFalse(row["stored"])
        self.assertEqual([trial["value"] for trial in row["trials"]], [64])
        self.assertFalse(os.path.exists(self.path("cache/tuning.txt")))

    def test_tune_host_and_unknown(self):
        self.assertIn("no work-groups", self.shoal("tune", "--device", "host").stderr)
        # By name, and only then: a program whose bench case is large for a CPU.
        cpus = [d["id"] for d in self.devices() if d["type"] == "cpu" and d["backend"] == "opencl"]
        if cpus:
            text = self.shoal("tune", "gas.allpairs", "--dry-run", "--device", cpus[0]).stdout
            self.assertEqual(len(re.findall(r"(?m)^gas\.allpairs .*left out: its bench case", text)), 1)
            self.assertNotIn("--filter", text)
        self.assertIn("shoal: 'absent' is not one of ", self.shoal("tune", "absent", code=2).stderr)


support.run_cases(verbosity=0)
