#!/usr/bin/env python3
"""shoal gas: samples in the output and in files, averages, heat and charts."""

import json
import re

import support
from support import Case
from test_gas import COLUMNS, HOST, SMALL, rows_of


class Lines(Case):
    SHOWN = ["step", "time", "temperature", "potential", "total", "pressure"]

    def lines_of(self, *args):
        """The lines of the samples, the head first, as they are printed."""
        return self.succeeds(*HOST, "--thermo", "10", *args).split("\n\n")[0].splitlines()

    def test_lines_go_to_the_output(self):
        lines = self.lines_of()
        self.assertEqual(lines[0].split(), self.SHOWN)
        self.assertEqual([line.split()[0] for line in lines[1:]], ["0", "10", "20", "30", "40"])
        self.assertEqual({len(line) for line in lines}, {68})
        self.assertNotIn("-", lines[1].split())
        for line in lines[1:]:
            for value in line.split():
                self.assertLessEqual(len(value.strip("-").replace(".", "").lstrip("0")), 6, line)

    def test_conserved_energy_is_shown_where_it_is_not_the_total(self):
        names = self.SHOWN[:5] + ["conserved", "pressure"]
        for heat in (["--thermostat", "langevin"], ["--thermostat", "rescale"], ["--limiter", "l1"],
                     ["--boundary-x", "walls", "--wall-left", "damping"]):
            lines = self.lines_of(*heat)
            self.assertEqual(lines[0].split(), names, heat)
            self.assertLessEqual(max(map(len, lines)), 80)
        self.assertEqual(self.lines_of("--boundary-x", "walls")[0].split(), self.SHOWN)

    def test_columns_of_the_lines(self):
        names = ["step", "wall_pressure", "largest_cluster", "momentum_x", "rebuilds"]
        lines = self.lines_of("--boundary-y", "walls", "--cluster-distance", "1.2", "--thermo-columns", ",".join(names))
        rows = [line.split() for line in lines]
        self.assertEqual(rows[0], names)
        self.assertEqual([row[1] == "-" for row in rows[1:]], [True, False, False, False, False])
        self.assertTrue(all(0 < float(row[2]) <= 1 for row in rows[1:]))
        self.assertEqual({len(line) for line in lines}, {len(lines[0])})
        self.assertEqual([len(line.split()) for line in self.lines_of("--thermo-columns", ",".join(COLUMNS))],
                         [len(COLUMNS)] * 6)
        for wrong, words in (("step,presure", "did you mean 'pressure'?"), ("", "not empty"), ("step,", "is not one of")):
            self.assertIn(words, self.fails(2, *HOST, "--thermo", "10", "--thermo-columns", wrong))
        for more in ([], ["--thermo", "10", "--thermo-file", self.folder / "t.csv"]):
            self.assertIn("no samples go to the output", self.fails(2, *HOST, "--thermo-columns", "step", *more))

    def test_heat_is_0_at_step_0(self):
        """That of the equilibration is not counted; a resumed run goes on with it."""
        for device in ["host"] + [device["id"] for device in support.opencl_devices()][:1]:
            run = [*SMALL, "--device", device, "--equilibration", "20", "--thermostat", "rescale", "--relaxation", "0.05",
                   "--thermo", "10", "--thermo-file", self.folder / "t.csv"]
            self.succeeds(*run)
            rows = rows_of(self.folder / "t.csv")
            self.assertEqual(rows[0]["total"], rows[0]["conserved"])
            self.assertNotEqual(rows[1]["total"], rows[1]["conserved"])
            state = self.folder / "state"
            self.succeeds(*run, "--steps", "20", "--checkpoint", state)
            self.succeeds("gas", "--resume", state, "--device", device, "--steps", "40", "--thermo-file", self.folder / "t.csv")
            self.assertEqual(rows_of(self.folder / "t.csv"), rows)

    def fields_of(self, *args):
        row, = json.loads(self.succeeds(*args, "--json"))["rows"]
        self.assertEqual("series" in row, args[-2] == "--thermo" and args[-1] != "0")
        fields = {key: value for key, value in row["result"]["fields"].items() if not key.endswith(("_share", "_s"))}
        return row["result"], fields

    def test_averages_of_about_100_samples(self):
        for device in ["host"] + [device["id"] for device in support.opencl_devices()][:1]:
            run = [*SMALL, "--device", device, "--steps"]
            result, fields = self.fields_of(*run, "3000")
            self.assertEqual(fields["samples"], 101)
            self.assertIn("--equilibration", result["note"])
            self.assertEqual(fields, self.fields_of(*run, "3000", "--thermo", "30")[1])
            # What is observed does not change the motion.
            few, none = self.fields_of(*run, "3000", "--thermo", "0")
            self.assertEqual(none["samples"], 2)
            self.assertEqual((few["value"], none["max_speed"]), (result["value"], fields["max_speed"]))
            state = self.folder / "state"
            self.succeeds(*run, "1500", "--average-every", "30", "--checkpoint", state)
            self.assertEqual(self.fields_of("gas", "--resume", state, "--device", device, "--steps", "3000")[1], fields)
        self.assertEqual(self.fields_of(*HOST, "--steps", "400")[1]["samples"], 21)
        self.assertIsNone(self.fields_of(*HOST, "--equilibration", "20")[0]["note"])
        self.assertIsNone(self.fields_of(*HOST, "--start", "random")[0]["note"])
        text = self.succeeds(*HOST, "--steps", "3000")
        self.assertRegex(text, r"(?m)^temperature: +\d\.\d+ \+- 0\.\d+ \(101 samples\)$")
        self.assertEqual(text.count("--equilibration N"), 1)
        self.assertNotIn("conserved", text)
        self.assertRegex(self.succeeds(*HOST, "--thermostat", "langevin"), r"(?m)^conserved: ")
        self.assertIn("does not go with --thermo", self.fails(2, *HOST, "--thermo", "5", "--average-every", "5"))

    def test_what_charts_show(self):
        path = self.folder / "e.svg"
        for more, names in (([], ["kinetic", "potential", "total"]),
                            (["--thermostat", "langevin"], ["kinetic", "potential", "total", "conserved"])):
            # Samples that were chosen for a chart are no lines of the output.
            self.assertNotIn("step        time", self.succeeds(*HOST, *more, "--plot-energy", path))
            chart = path.read_text()
            self.assertEqual(re.findall(r'class="key.*?<text [^>]*>(.*?)</text>', chart), names)
            self.assertEqual(chart.count('class="curve'), len(names))
        self.assertIn("step        time", self.succeeds(*HOST, "--plot-temperature", path, "--thermo", "10"))
        chart = path.read_text()
        self.assertNotIn('class="key', chart)
        for words in ("density 0.4", "temperature=1 ", "seed=3"):
            self.assertIn(words, chart)

    def test_table_of_a_file_has_all_columns(self):
        path = self.folder / "thermo.txt"
        self.succeeds(*HOST, "--thermo", "10", "--thermo-file", path)
        names = [name for name in COLUMNS if name not in ("wall_pressure", "largest_cluster")]
        self.assertEqual(path.read_text().split()[:len(names)], names)
        self.succeeds(*HOST, "--thermo", "10", "--boundary-y", "walls", "--cluster-distance", "1.2", "--thermo-file",
                      self.folder / "walls.txt")
        self.assertEqual((self.folder / "walls.txt").read_text().split()[:len(COLUMNS)], COLUMNS)

    def test_csv_and_json_lines_say_the_same(self):
        table, lines = self.folder / "thermo.csv", self.folder / "thermo.jsonl"
        self.assertNotIn("conserved", self.succeeds(*HOST, "--thermo", "8", "--thermo-file", table).split("\n\n")[0])
        self.succeeds(*HOST, "--thermo", "8", "--thermo-file", lines)
        rows = rows_of(table)
        objects = [json.loads(line) for line in lines.read_text().splitlines()]
        self.assertEqual(list(rows[0]), COLUMNS)
        self.assertEqual([int(row["step"]) for row in rows], [0, 8, 16, 24, 32, 40])
        for row, other in zip(rows, objects, strict=True):
            self.assertIsNone(other["wall_pressure"])
            for name in COLUMNS[:8]:
                self.assertEqual(float(row[name]), other[name])
        first, last = objects[0], objects[-1]
        self.assertAlmostEqual(first["temperature"], 1, 9)
        self.assertAlmostEqual(first["total"], first["kinetic"] + first["potential"], 9)
        self.assertLess(abs(last["conserved"] - first["conserved"]), 1e-3 * 100)

    def test_closing_block_says_how_fast_it_was(self):
        text = self.succeeds(*HOST)
        for name in ["\nparticle-steps/s: ", "\nsteps/s: ", "\nobserve share: "]:
            self.assertIn(name, text)

    def test_json_output_stays_one_document(self):
        document = json.loads(self.succeeds(*HOST, "--thermo", "10", "--json"))
        self.assertEqual(document["rows"][0]["result"]["steps"], 40)

    def test_device_lines_are_those_of_the_host(self):
        device = self.needs_opencl()
        paths = [self.folder / "host.csv", self.folder / "device.csv"]
        for name, path in zip(["host", device], paths):
            self.succeeds(*SMALL, "--device", name, "--thermo", "5", "--thermo-file", path)
        host, device = [rows_of(path) for path in paths]
        for ours, theirs in zip(host, device, strict=True):
            for name in ["kinetic", "potential", "pressure"]:
                self.assertAlmostEqual(float(ours[name]), float(theirs[name]), delta=2e-3)


if __name__ == "__main__":
    support.main()
