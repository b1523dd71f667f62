#!/usr/bin/env python3
"""Parts of a device as devices: --device opencl:0/2 and its like."""

import json
import sys
from pathlib import Path

from support import SMALL, Case, main

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from compare_commits import state_sections  # noqa: E402

# The usual methods of each workload; what they compute must not depend on the number of compute units.
RUNS = {
    "pso": SMALL,
    "ga": ["--dim", "5", "--population", "64", "--iterations", "20"],
    "gas": ["--particles", "256", "--density", "0.4", "--steps", "20"],
    "tsp": ["--generate", "uniform:60:1", "--iterations", "4"],
    "mlp": ["--generate", "xor", "--epochs", "5"],
}


class Parts(Case):
    def setUp(self):
        super().setUp()
        self.device = self.needs_opencl()
        self.whole = self.listed(self.device)[0]
        if self.whole["units"] < 2:
            self.skipTest(f"{self.device} has one compute unit")

    def listed(self, selector):
        return json.loads(self.succeeds("devices", "--device", selector, "--json"))["devices"]

    def test_parts_are_listed_when_they_are_named(self):
        parts = self.listed(f"{self.device}/2")
        self.assertEqual([part["id"] for part in parts], [f"{self.device}/2:0", f"{self.device}/2:1"])
        self.assertEqual(sum(part["units"] for part in parts), self.whole["units"])
        for part in parts:
            self.assertEqual((part["part_of"], part["name"], part["memory"]), (self.device, self.whole["name"], self.whole["memory"]))
        self.assertIsNone(self.whole["part_of"])
        self.assertEqual(self.listed(f"{self.device}/2:1,host")[0], parts[1])
        self.assertEqual([part["units"] for part in self.listed(f"{self.device}/1+1")], [1, 1])
        self.assertRegex(self.succeeds("devices", "--device", f"{self.device}/2"), rf"(?m)^{self.device}/2:1 .*part of {self.device}$")
        for selector in ("all", "cpu", "gpu"):
            if selector == "all" or self.whole["type"] == selector:
                self.assertFalse([device for device in self.listed(selector) if device["part_of"]])

    def test_words_that_name_no_parts(self):
        device, units = self.device, self.whole["units"]
        for selector, message in (
            (f"{device}/0", "is no part of a device: write"),
            (f"{device}/3+", "is no part of a device: write"),
            (f"{device}/-1", "is no part of a device: write"),
            (f"{device}/{units + 1}", f"asks for {units + 1} parts, but"),
            (f"{device}/{units}+1", f"asks for {units + 1} compute units, but"),
            (f"{device}/2:2", "has no part number 2: its parts are numbered 0 to 1"),
            ("host/2", "has no parts"),
            ("cpu/2", "named by its id"),
            (f"host,{device}/two", "is no part of a device: write"),
        ):
            for command in ("devices", "pso"):
                self.assertIn(message, self.fails(3, command, "--device", selector))

    def test_the_bits_are_those_of_the_whole_device(self):
        table = self.folder / "table.npy"
        self.succeeds("data", "least-squares", "--dim", "5", "--rows", "700", "--noise", "0.1", "--seed", "3", "--out", table)
        # Sums over rows, which are cut into as many pieces as fill the device.
        rows = ["--data", table, "--lower", "-10", "--upper", "10", "--particles", "64", "--iterations", "10"]
        for command, options in [*RUNS.items(), ("pso", rows)]:
            states = []
            for number, selector in enumerate((self.device, f"{self.device}/2:0", f"{self.device}/1+1:1")):
                path = self.folder / f"{command}-{number}"
                self.succeeds(command, "--device", selector, "--seed", "3", "--checkpoint", path, *options)
                states.append(state_sections(path))
            self.assertTrue(states[0], command)
            for state in states[1:]:
                self.assertEqual([name for name in states[0] if state.get(name) != states[0][name]], [], command)

    def test_a_list_of_parts_has_a_row_for_each(self):
        selector = f"{self.device}/2"
        rows = json.loads(self.succeeds("pso", "--device", f"{selector},host", "--json", *SMALL))["rows"]
        self.assertEqual([row["device"] for row in rows], [f"{selector}:0", f"{selector}:1", "host"])
        self.assertEqual(rows[0]["result"]["value"], rows[1]["result"]["value"])
        page = self.folder / "compare.html"
        small = "pso.particles=16,pso.iterations=10"
        run = ["compare", "--device", selector, "--samples", "1", "--set", small, "--roofs", "no", "pso"]
        document = json.loads(self.succeeds(*run, "--baseline", f"{selector}:1", "--html", page, "--json"))
        self.assertEqual(document["baseline"], f"{selector}:1")
        self.assertIn(f"{selector}:0", page.read_text())


if __name__ == "__main__":
    main()
