#!/usr/bin/env python3
"""Samples of searches: lines that grow, files, charts, ends."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import xml.etree.ElementTree as tree

import support
from support import SMALL, Case, shoal

HOST = ["pso", "--device", "host"]


class Traces(Case):
    def test_plot(self):
        path = self.folder / "trace.svg"
        self.succeeds(*HOST, "--plot", path, *SMALL)
        root = tree.parse(path).getroot()
        curves = [p for p in root.iter() if p.get("class") == "curve line0"]
        self.assertEqual(len(curves), 1)
        self.assertEqual(len(re.findall("[ML]", curves[0].get("d"))), 21)
        self.assertIn("host", path.read_text())
        self.assertIn("--plot: ", self.fails(2, *HOST, "--plot", self.folder / "trace.pdf", *SMALL))
        self.succeeds(*HOST, "--plot", self.folder / "trace.SVG", *SMALL)
        self.succeeds(*HOST, "--plot", self.folder / "way", *SMALL)

    def test_plot_of_runs_and_devices(self):
        path = self.folder / "trace.svg"
        devices = "host," + self.needs_opencl()
        self.succeeds("pso", "--device", devices, "--plot", path, "--runs", "5", *SMALL)
        classes = [(p.get("class") or "").split(" ")[0] for p in tree.parse(path).getroot().iter()]
        self.assertEqual((classes.count("curve"), classes.count("band")), (2, 4))

    def test_trace_of_runs(self):
        path = self.folder / "trace.csv"
        self.succeeds(*HOST, "--trace", "5", "--trace-file", path, "--runs", "3", *SMALL)
        rows = list(csv.DictReader(io.StringIO(path.read_text())))
        self.assertEqual(list(rows[0]), ["step", "value", "q05", "q25", "q75", "q95"])
        self.assertEqual([row["step"] for row in rows], ["0", "5", "10", "15", "20"])
        for row in rows:
            figures = [float(row[name]) for name in ("q05", "q25", "value", "q75", "q95")]
            self.assertEqual(figures, sorted(figures))

    def test_trace_that_the_checkpoint_lacks(self):
        state = self.folder / "run.state"
        self.succeeds(*HOST, *SMALL, "--checkpoint", state)
        for option in ("--plot", "--trace-file"):
            self.assertEqual(self.fails(2, "pso", "--resume", state, "--iterations", "30", option, self.folder / "trace.svg"),
                             f"shoal: {option}: the run of the checkpoint took no samples (--trace 0); leave it out\n")

    def test_a_run_that_was_over_says_so(self):
        state = self.folder / "run.state"
        self.succeeds(*HOST, *SMALL, "--checkpoint", state)
        self.assertIn(f"checkpoint {state} is at the last of 20 steps, so there are no further steps: ask for more steps",
                      shoal("pso", "--resume", state).stderr)

    def test_trace_file_holds_what_the_result_does(self):
        path, state = self.folder / "trace.csv", self.folder / "run.state"
        run = [*HOST, "--trace", "5", "--runs", "3", *SMALL]
        self.succeeds(*run, "--trace-file", path, "--iterations", "12", "--checkpoint", state)
        self.assertEqual(len(path.read_text().splitlines()), 4)
        # A line that a killed run left in the middle, and one of steps that are made again.
        with path.open("a") as file:
            file.write("15,1,1,1,1,1\n20,1")
        document = json.loads(self.succeeds(*run, "--trace-file", path, "--resume", state, "--json"))
        rows = list(csv.DictReader(io.StringIO(path.read_text())))
        fields = document["rows"][0]["result"]["fields"]
        self.assertEqual(len(rows), 5)
        for name, key in (("value", "trace"), ("q05", "trace_q05"), ("q25", "trace_q25"), ("q75", "trace_q75"),
                          ("q95", "trace_q95")):
            for row, value in zip(rows, fields[key], strict=True):
                self.assertAlmostEqual(float(row[name]), value, 9)

    def test_trace_as_json_lines(self):
        path = self.folder / "trace.jsonl"
        self.succeeds(*HOST, "--trace-file", path, *SMALL)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        self.assertEqual([line["step"] for line in lines], list(range(21)))
        self.assertEqual(list(lines[0]), ["step", "value"])

    def test_each_device_has_a_file(self):
        device = self.needs_opencl()
        self.succeeds("pso", "--device", f"host,{device}", "--trace", "10", "--trace-file", self.folder / "t.csv", *SMALL)
        names = sorted(path.name for path in self.folder.iterdir())
        self.assertEqual(names, ["t-host.csv", f"t-{device.replace(':', '-')}.csv"])
        for name in names:
            self.assertEqual(len((self.folder / name).read_text().splitlines()), 4)

    def test_trace_until_the_time_is_over(self):
        """However many steps there may be: each of those that were made has its line."""
        path = self.folder / "trace.csv"
        text = self.succeeds(*HOST, "--function", "sphere", "--dim", "2", "--time", "0.2", "--trace", "10", "--trace-file", path,
                             "--json")
        result = json.loads(text)["rows"][0]["result"]
        steps = [int(row["step"]) for row in csv.DictReader(io.StringIO(path.read_text()))]
        self.assertEqual(steps, list(range(0, result["steps"] + 1, 10)))
        self.assertEqual(len(result["fields"]["trace"]), len(steps))
        self.assertEqual((result["fields"]["trace_begin"], result["fields"]["trace_interval"]), (0, 10))
        # Ends that come by themselves.
        for end in (["--target", "1e-3"], ["--evaluations", "3210"], ["--x-tolerance", "0.01"]):
            text = self.succeeds(*HOST, "--function", "sphere", "--dim", "2", *end, "--trace", "1", "--trace-file", path, "--json")
            self.assertEqual(len(path.read_text().splitlines()), json.loads(text)["rows"][0]["result"]["steps"] + 2)

    def test_trace_of_a_run_that_is_stopped(self):
        path = self.folder / "trace.csv"
        os.mkfifo(path)
        run = subprocess.Popen([support.SHOAL, *HOST, "--iterations", "4294967040", "--trace", "10", "--trace-file", path, "-q"],
                               env=support.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        with path.open() as file:
            # The first lines are there while the run goes on, which has no end of its own.
            first = [file.readline() for _ in range(4)]
            self.assertEqual([line.split(",")[0] for line in first], ["step", "0", "10", "20"])
            self.assertIsNone(run.poll())
            run.send_signal(signal.SIGINT)
            text = "".join(first) + file.read()
        self.assertEqual(run.wait(), 130, run.stderr.read())
        self.assertTrue(text.endswith("\n"))
        run.stdout.close()
        run.stderr.close()

    def test_populations(self):
        """Of each generation: mean and deviation, the last of which the result has as well."""
        path = self.folder / "trace.csv"
        for device in "host", self.needs_opencl():
            for runs in "1", "3":
                run = ["ga", "--device", device, "--dim", "4", "--iterations", "20", "--trace", "5", "--runs", runs]
                result = json.loads(self.succeeds(*run, "--trace-file", path, "--json"))["rows"][0]["result"]
                rows = list(csv.DictReader(io.StringIO(path.read_text())))
                self.assertEqual([row["step"] for row in rows], ["0", "5", "10", "15", "20"])
                for column, field, last in (("mean", "trace_mean", "population_mean"),
                                            ("deviation", "trace_deviation", "population_deviation")):
                    values = [float(row[column]) for row in rows]
                    for value, other in zip(values, result["fields"][field], strict=True):
                        self.assertAlmostEqual(value, other, 9)  # JSON has 15 digits
                    self.assertAlmostEqual(values[-1], result["fields"][last], 9)
                    self.assertLess(values[-1], values[0])
                # What is sampled changes nothing.
                other = json.loads(self.succeeds(*run[:-4], "--runs", runs, "--json"))["rows"][0]["result"]
                self.assertEqual((other["value"], other["fields"]["position"]), (result["value"], result["fields"]["position"]))


if __name__ == "__main__":
    support.main()
