#!/usr/bin/env python3
"""Two builds in turn: which rows bench/alternate.py calls slower, with programs that only pretend to measure.

usage: test_alternate.py ALTERNATE.PY SHOAL
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cli"))
import support

TOOL, SHOAL = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))

# A build reads what it prints from its plan: {case: {"unit", "better", "values" of the rounds}}. It writes down each run.
FAKE = """#!{python} -SE
import fnmatch, json, os, signal, sys, time
here = os.path.dirname(os.path.abspath(__file__))
plan = json.load(open(os.path.join(here, "plan.json")))
words = sys.argv[1:]
pattern = words[-1] if words[-1] not in ("--list", "--json") else "*"
names = [name for name in plan["cases"] if fnmatch.fnmatchcase(name, pattern) or name.startswith(pattern + ".")]
if not names:
    print(json.dumps({{"errors": []}}))
    sys.exit(2)
if "--list" in words:
    print(json.dumps({{"commit": plan["commit"], "cases": [{{"case": name}} for name in names]}}))
    sys.exit(0)
with open(os.path.join(here, os.pardir, os.pardir, "runs"), "a") as file:
    file.write(plan["commit"] + " " + " ".join(words) + "\\n")
runs = sum(line.split()[0] == plan["commit"] for line in open(os.path.join(here, os.pardir, os.pardir, "runs")))
rows = []
for name in names:
    case = plan["cases"][name]
    value = case["values"][(runs - 1) % len(case["values"])]
    rows.append(dict(case=name, device="cuda:0", variant="cu", precision="fp32", unit=case["unit"], better=case["better"],
                     value=value, check="pass" if value else "fail"))
failure = plan.get("failure", {{}}) if pattern in plan.get("failure", {{"in": [pattern]}})["in"] else {{}}
if failure.get("sleep"):
    time.sleep(failure["sleep"])
if failure.get("message"):
    print("shoal: " + failure["message"], file=sys.stderr)
if failure.get("text") is not None:
    print(failure["text"])
else:
    print(json.dumps({{"schema": 1, "commit": plan["commit"], "machine": {{"load": plan["load"], "threads": 4}}, "rows": rows,
                      "devices": [{{"id": "cuda:0", "name": "A card", "driver": "1.0", "roofs": None}}]}}))
sys.stdout.flush()
if failure.get("signal"):
    os.kill(os.getpid(), failure["signal"])
sys.exit(failure.get("code", 0))
"""


def case(*values, unit="pairs/s", better="higher"):
    return {"unit": unit, "better": better, "values": values}


class Alternate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def build(self, name, cases, load=0.5, **failure):
        """A folder like a bundle."""
        folder = os.path.join(self.folder, name, "bin")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "plan.json"), "w", encoding="utf-8") as file:
            json.dump({"commit": name, "cases": cases, "load": load} | ({"failure": failure} if failure else {}), file)
        program = os.path.join(folder, "shoal")
        with open(program, "w", encoding="utf-8") as file:
            file.write(FAKE.format(python=sys.executable))
        os.chmod(program, 0o755)
        return os.path.join(self.folder, name)

    def call(self, *arguments):
        return subprocess.run([sys.executable, TOOL, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              check=False)

    def run_json(self, code, *arguments):
        done = self.call("--json", *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout), done.stderr

    def test_order_and_figures(self):
        old = self.build("old", {"a.x": case(100, 101, 100), "b.y": case(2, 2, 2, unit="s", better="lower")})
        new = self.build("new", {"a.x": case(99.5, 101.2, 100), "b.y": case(1, 1, 1, unit="s", better="lower")})
        record, progress = self.run_json(0, old, new, "--device", "cuda:0", "--variant", "cu", "--time", "0.5")
        with open(os.path.join(self.folder, "runs"), encoding="utf-8") as file:
            runs = [line.split() for line in file]
        order = ["old", "new", "new", "old", "old", "new"]
        self.assertEqual([(run[0], run[-1]) for run in runs], [(name, folder) for folder in "ab" for name in order])
        for option in ("--no-roofs", "--device=cuda:0", "--variant=cu", "--time=0.5"):
            self.assertIn(option, runs[0])
        self.assertIn("b: round 3 of 3, new", progress)
        self.assertNotIn("warning", progress)
        self.assertEqual((record["old"]["commit"], record["new"]["commit"], record["rounds"]), ("old", "new", 3))
        self.assertEqual(record["devices"], [{"id": "cuda:0", "name": "A card", "driver": "1.0"}])
        first, second = record["rows"]
        self.assertEqual((first["old"]["values"], first["old"]["value"], first["speed"]), ([100, 101, 100], 100, 1))
        self.assertAlmostEqual(first["old"]["spread"], 0.01)
        self.assertAlmostEqual(first["speed_min"], 0.995)
        # Half the time is twice the speed.
        self.assertEqual((second["better"], second["speed"], second["slower"]), ("lower", 2, False))

    def test_slower(self):
        old = self.build("old", {"a.rate": case(100), "a.time": case(2, unit="s", better="lower"), "a.same": case(100),
                                 "a.noisy": case(97, 100, 100)})
        new = self.build("new", {"a.rate": case(98.9), "a.time": case(2.03, unit="s", better="lower"), "a.same": case(99.1),
                                 "a.noisy": case(95, 98, 98)})
        record, _ = self.run_json(7, old, new)
        self.assertEqual([row["case"] for row in record["rows"] if row["slower"]], ["a.rate", "a.time"])
        self.assertEqual(self.run_json(0, old, new, "--limit", "2")[0]["limit"], 0.02)
        self.run_json(7, old, new, "--limit", "1.2", "a.time")
        done = self.call(old, new)
        self.assertEqual(done.returncode, 7)
        for line in (r"a.rate +cuda:0 +cu +100.0 pairs/s +0.0 % +98.90 pairs/s +0.0 % +0.989  slower by 1.1 %",
                     r"a.noisy .* 3.0 % .* 0.980$", "2 of 4 rows are slower by more than 1 % and the spread of old",
                     "old: commit old, ", r"cuda:0: A card \(1.0\)"):
            self.assertRegex(done.stdout, r"(?m)^" + line)

    def test_rows_of_one_side_are_named(self):
        old = self.build("old", {"a.x": case(1), "a.gone": case(1), "b.z": case(1)})
        new = self.build("new", {"a.x": case(1), "a.renamed": case(1), "c.z": case(1)})
        done = self.call(old, new)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, row in (("new", "a.gone"), ("old", "a.renamed"), ("new", "b.z"), ("old", "c.z")):
            self.assertIn(f"no figure of {name}: {row} cuda:0 cu, fp32", done.stdout)
        self.assertIn("none of 1 rows is slower", done.stdout)
        self.assertIn("no row has a figure of both", self.call(old, new, "b").stdout)
        self.assertEqual(self.call(old, new, "b").returncode, 1)
        self.assertEqual(self.call(old, new, "a", "nothing*").returncode, 2)
        self.assertIn("no case matches 'nothing*'", self.call(old, new, "a", "nothing*").stderr)

    def test_a_failed_check_keeps_the_other_rows(self):
        old = self.build("old", {"a.x": case(1), "a.y": case(1), "b.y": case(1)})
        new = self.build("new", {"a.x": case(1), "a.y": case(None), "b.y": case(1)}, **{"in": ["a"], "code": 6,
                                                                                   "message": "a.y: the check failed"})
        record, errors = self.run_json(6, old, new)
        self.assertEqual([row["case"] for row in record["rows"]], ["a.x", "b.y"])
        self.assertEqual([(row["case"], row["from"]) for row in record["missing"]], [("a.y", ["new"])])
        failure, = record["failures"]
        self.assertEqual(failure["code"], 6)
        self.assertRegex(failure["message"], r"^new: \S+/new/bin/shoal bench --json --no-roofs a: exit code 6: shoal: a.y: the check")
        self.assertIn("alternate.py: " + failure["message"], errors)

    def test_sides_that_fail(self):
        old = self.build("old", {"a.x": case(1), "b.y": case(1)})
        for code, failure, message in ((1, {"signal": signal.SIGSEGV, "text": ""}, "ended by SIGSEGV: no message"),
                                       (4, {"code": 4, "text": '{"errors": []}', "message": "no build"}, "exit code 4: shoal: no"),
                                       (1, {"text": "hello"}, "it printed no result"), (1, {"text": "[1]"}, "it printed no result"),
                                       (1, {"text": '{"rows": [{}], "devices": []}'}, "it printed no result")):
            new = self.build("new", {"a.x": case(1), "b.y": case(1)}, **failure, **{"in": ["a"]})
            record, _ = self.run_json(code, old, new)
            self.assertIn(message, record["failures"][0]["message"])
            self.assertIn("b.y", [row["case"] for row in record["rows"]])
        # Nothing else would work either.
        new = self.build("new", {"a.x": case(1), "b.y": case(1)}, **{"in": ["a"], "code": 3, "message": "no device", "text": "{}"})
        self.assertEqual([row["case"] for row in self.run_json(3, old, new)[0]["missing"]], ["a.x"])

    def test_interrupted(self):
        old = self.build("old", {"a.x": case(1), "b.y": case(1)})
        new = self.build("new", {"a.x": case(1), "b.y": case(1)}, **{"in": ["b"], "sleep": 60})
        with subprocess.Popen([sys.executable, TOOL, "--json", old, new], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            for line in process.stderr:
                if line.startswith("b: round 1 of 3, new"):
                    break
            # The program is at work when it has written down its run.
            while True:
                with open(os.path.join(self.folder, "runs"), encoding="utf-8") as file:
                    if file.read().count("new ") == 4:
                        break
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual([row["case"] for row in json.loads(out)["rows"]], ["a.x"])

    def test_a_busy_machine_is_named(self):
        old, new = (self.build(name, {"a.x": case(1)}, load=3.5) for name in ("old", "new"))
        errors = self.call(old, new).stderr
        self.assertEqual(errors.count("warning: other programs run here: load 3.5 of 4 threads"), 1)

    def test_what_is_refused(self):
        old = self.build("old", {"a.x": case(1)})
        for arguments, message in (((old, self.folder), "neither a bundle with bin/shoal nor a program"),
                                   ((old, os.path.join(old, "bin", "plan.json")), "neither a bundle"),
                                   ((old, os.path.join(self.folder, "none")), "neither a bundle"),
                                   ((old, old, "--rounds", "1"), "1: 2 or more"), ((old, old, "--limit", "-1"), "-1: 0 or more"),
                                   ((old, old, "--limit", "nan"), "nan: 0 or more"), ((old,), "required: NEW")):
            done = self.call(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(message, done.stderr)

    def test_this_build(self):
        record, _ = self.run_json(0, SHOAL, SHOAL, "core.launch*", "lib.sum", "--device", "host", "--time", "0", "--limit",
                                  "100000", "--rounds", "2")
        self.assertTrue(record["rows"])
        for row in record["rows"]:
            self.assertEqual((row["case"], row["device"], row["slower"]), ("lib.sum.f32-64mi", "host", False))
        self.assertEqual(record["old"]["commit"], record["new"]["commit"])


support.run_cases()
