#!/usr/bin/env python3
"""Checkpoints that earlier commits wrote are read: each goes on like a run that was never interrupted.

Where this machine gives an uninterrupted run the very values that are kept with the file, it rounds as the one
that wrote the file did, and the continued run must have all bits of the uninterrupted one. Elsewhere, for example
with another version of PoCL, the file holds the roundings of another machine, which some steps enlarge.
"""

import json
import re
from pathlib import Path

import support
from support import Case, main

VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "checkpoints"
LIST = json.loads((VECTORS / "list.json").read_text())
TIMES = re.compile(r"_share$|_per_second$")
# Per unit, or of the value where that is more. A section that is not read changes the first digits.
TOLERANCE = {"fp64": 1e-9, "double": 1e-9, "fp32": 1e-3, "single": 1e-3, "mixed": 1e-3}


def tolerance_of(entry, result):
    """The tolerance of the values of an entry of the list. Tours are computed in integers, which do not round."""
    words = entry["command"].split()
    if words[0] == "tsp":
        return 0
    of_nets = "fp64" if entry["device"] == "host" or "fp64" in words else "fp32"
    return TOLERANCE[result.get("precision", of_nets)]


def numbers(result):
    """The values of a result, without times."""
    values = {name: value for name, value in result["fields"].items() if not TIMES.search(name)}
    return {**values, "value": result["value"], "steps": result["steps"], "work": result["work"]}


class OldCheckpoints(Case):
    def compute(self, *words):
        done = json.loads(self.succeeds(*words, "--json", cwd=self.folder))
        return numbers(done["rows"][0]["result"])

    def assert_close(self, name, got, expected, tolerance):
        if isinstance(expected, list):
            self.assertEqual(len(got), len(expected), name)
            for a, b in zip(got, expected):
                self.assert_close(name, a, b, tolerance)
        else:
            self.assertAlmostEqual(got, expected, delta=tolerance * max(1, abs(expected)), msg=name)

    def test_every_file_is_listed(self):
        listed = {entry["file"] for entry in LIST["checkpoints"]}
        self.assertEqual({path.name for path in VECTORS.glob("*.state")}, listed)

    def go_on(self, backend):
        """Goes on with each checkpoint of the host, or of devices."""
        device = backend if backend == "host" else self.needs_opencl()
        self.succeeds(*LIST["table"].split(), cwd=self.folder)
        for entry in [entry for entry in LIST["checkpoints"] if entry["device"] == backend]:
            if "--method cells" in entry["command"] and not support.has_theses():
                continue
            with self.subTest(entry["file"]):
                words = [*entry["command"].split(), "--device", device]
                whole = self.compute(*words)
                again = [*entry.get("resumed_with", entry["command"]).split(), "--device", device]
                resumed = self.compute(*again, "--resume", VECTORS / entry["file"])
                if all(whole[name] == value for name, value in entry["values"].items()):
                    self.assertEqual(resumed, whole)
                tolerance = tolerance_of(entry, whole)
                for name, value in entry["values"].items():
                    self.assert_close(name, resumed[name], whole[name], tolerance)
                    self.assert_close(name, resumed[name], value, tolerance)

    def test_a_run_keeps_the_defaults_that_it_began_with(self):
        words = ["pso", "--device", "host", "--iterations", "25"]
        whole = self.compute(*words, "--dim", "3", "--function", "rastrigin", "--preset", "spso2011")
        resumed = self.compute(*words, "--resume", VECTORS / "pso-defaults.state")
        self.assertEqual(resumed.keys(), whole.keys())
        for name, value in whole.items():
            if isinstance(value, str):
                self.assertEqual(resumed[name], value, name)
            else:
                self.assert_close(name, resumed[name], value, TOLERANCE["fp64"])

    def test_host(self):
        self.go_on("host")

    def test_devices(self):
        self.go_on("opencl")


if __name__ == "__main__":
    main()
