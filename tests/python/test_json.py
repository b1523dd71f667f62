#!/usr/bin/env python3
"""What shoal.solve returns is what the JSON document of the command has: the same runs by both.

usage: test_json.py PROGRAM
"""
import json
import math
import subprocess
import sys

import numpy as np
import shoal
from support import Case, in_full, main

PROGRAM = sys.argv.pop(1)
# Keys of the document that a result has by another name, or of what solve() does not do.
STATUS = {"status", "error", "samples", "result.check"}  # exceptions, success
SEVERAL = {"device_s_min", "device_s_max"}  # of several runs
OTHERWISE = {"fit.parameters", "params.data", "params.header"}  # a dict and arrays; what the caller gave, which has names
WRITTEN = {"params.frames"}  # by the command alone
LEFT_OUT = STATUS | SEVERAL | OTHERWISE | WRITTEN
TIMES = ("device_s", "wall_s", "build_s", "first_launch_s", "seconds", "samples_per_second", "force_share", "list_share", "observe_share", "timed_work", "time_limit")

LIQUID = {"particles": 400, "density": 0.6, "steps": 60, "thermo": 10, "seed": 3}
MODEL = {"model": "a*exp(-b*t)", "target_column": "y", "fit": "a=0:10,b=0:5"}
RUNS = (
    ("pso", {"function": "rastrigin", "dim": 3, "particles": 32, "iterations": 40, "trace": 10}, {}),
    ("pso", {"function": "rastrigin", "dim": 2, "particles": 8, "iterations": 20, "runs": 6, "trace": 10}, {"best": 6}),
    ("de", {"function": "sphere", "dim": 3, "iterations": 20}, {}),
    ("ga", {"function": "onemax", "dim": 32, "population": 32, "iterations": 20, "trace": 10}, {}),
    ("cmaes", {**MODEL, "iterations": 100}, {}),
    ("portfolio", {"function": "sphere", "dim": 3, "iterations": 20}, {}),
    ("tsp", {"generate": "uniform:40:1", "iterations": 5, "trace": 1, "bound": True}, {}),
    ("gas", {**LIQUID, "rdf_bins": 20, "speed_bins": 10, "profile_axis": "y", "msd": True, "vacf": True, "structure_bins": 10,
             "hexatic_range": 1.5, "g6_bins": 10, "cluster_distance": 1.5}, {}),
    ("gas", {**LIQUID, "species": "A=300,B=100:mass=2", "rdf_bins": 20, "profile_axis": "x", "profile_all": True, "equilibration": 20}, {}),
    ("mlp", {"generate": "teacher:300", "hidden": "4", "epochs": 5, "trace": 1}, {}),
    ("mlp", {"generate": "xor", "hidden": "4", "epochs": 5, "nets": 3, "test": 0}, {}),
    ("mlp", {"generate": "random:150 inputs=4 classes=3", "hidden": "4", "epochs": 5, "folds": 3}, {}),
)


def as_words(options):
    for name, value in options.items():
        yield "--" + name.replace("_", "-")
        if value is not True:
            yield str(value)


class Documents(Case):
    def compare(self, path, given, found):
        """A value of the document with that of the result."""
        if path.rpartition(".")[2].removesuffix("[]").endswith(TIMES):
            return
        if isinstance(given, dict):
            for key, value in given.items():
                inner = f"{path}.{key}".removeprefix(".")
                if path == "params":  # names of arguments
                    key = next((name for name in found if name.removesuffix("_") == key.replace("-", "_")), key)
                if inner not in LEFT_OUT:
                    self.assertIn(key, list(found), path)
                    self.compare(inner, value, found[key])
        elif isinstance(given, list):
            self.assertEqual(len(given), len(found), path)
            for index, value in enumerate(given):
                self.compare(path, value, found[index])
        elif given is None:
            self.assertTrue(found is None or found == "" or math.isnan(found), (path, found))
        elif isinstance(given, str) and not isinstance(found, str):
            self.assertEqual(float(given), float(found), path)  # seeds, whole numbers of 64 bits
        elif isinstance(given, float):
            np.testing.assert_allclose(found, given, rtol=1e-14, err_msg=path)
        else:
            self.assertEqual(given, found, path)

    @in_full
    def test_every_key(self):
        for workload, options, more in RUNS:
            with self.subTest(workload=workload, options=list(options)):
                rows = []
                if "model" in options:
                    t = np.linspace(0, 3, 30)
                    y = 2 * np.exp(-t) + 0.1 * np.sin(9 * t)
                    rows = ["--data", self.folder / "curve.csv"]
                    np.savetxt(rows[1], np.column_stack([t, y]), "%.17g", ",", header="t,y", comments="")
                done = subprocess.run([PROGRAM, workload, "--json", "--device", "host", *map(str, rows), *as_words({**options, **more})],
                                      capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                document = json.loads(done.stdout)
                row, = document["rows"]
                row["params"] = document["params"]
                found = shoal.solve(workload, "host", **({"data": {"t": t, "y": y}} if rows else {}), **options)
                result = row.pop("result")
                self.assertEqual((result["check"], found.success), ("pass", True))
                self.compare("", row, found)
                self.compare("", {key: value for key, value in result.items() if key not in ("check", "note", "warning", "title")}, found)


if __name__ == "__main__":
    main()
