#!/usr/bin/env python3
"""shoal gas: samples in the output and in files, averages, heat and charts; runs that go on."""

import json
import re
import subprocess
import time

import support
from support import Case, shoal
from test_gas import COLUMNS, HOST, SMALL, dump_frames, rows_of


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
        for heat in (["--thermostat", "langevin"], ["--thermostat", "rescale"],
                     *([["--limiter", "l1"]] if support.has_theses() else []), ["--boundary-x", "walls", "--wall-left", "damping"]):
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

    def test_series_are_sampled_as_averages_are(self):
        g, run = self.folder / "g.json", ["gas", "--device", "host", "--particles", "64", "--steps"]
        for steps, more, samples in (("2100", [], 101), ("40", [], 3), ("200", ["--thermo", "10"], 21),
                                     ("200", ["--average-every", "8"], 26),
                                     ("200", ["--thermo", "0", "--average-every", "50"], 5),
                                     # Charts over time have as many points, and ask for 1000 by themselves.
                                     ("200", ["--plot-energy", self.folder / "e.svg", "--average-every", "8"], 26),
                                     ("200", ["--plot-energy", self.folder / "e.svg"], 201),
                                     ("200", ["--thermo-file", self.folder / "t.csv", "--average-every", "8"], 26)):
            with self.subTest(steps=steps, more=more):
                files = [f"--{kind}-file={self.folder}/{kind}.json" for kind in ("rdf", "speeds", "profile", "msd")]
                done = shoal(*run, steps, *files, *more)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                for kind in "rdf", "speeds", "profile", "msd":
                    self.assertEqual(json.loads((self.folder / f"{kind}.json").read_text())[kind]["samples"], samples)
        for option in "--thermo", "--average-every":
            self.assertIn(f"--rdf-file: with {option} 0 the run takes no samples for it",
                          self.fails(2, *run, "20", "--rdf-file", g, option, "0"))

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
        known = [name for name in COLUMNS if name != "volume"]
        names = [name for name in known if name not in ("wall_pressure", "largest_cluster")]
        self.assertEqual(path.read_text().split()[:len(names)], names)
        self.succeeds(*HOST, "--thermo", "10", "--boundary-y", "walls", "--cluster-distance", "1.2", "--thermo-file",
                      self.folder / "walls.txt")
        self.assertEqual((self.folder / "walls.txt").read_text().split()[:len(known)], known)

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


class Resume(Case):
    def test_lines_and_frames_go_on(self):
        whole, parts = self.folder / "whole.csv", self.folder / "parts.csv"
        half = self.folder / "half.ckp"
        args = ["--thermo", "10", "--thermo-file"]
        self.succeeds(*HOST, *args, whole)
        self.succeeds(*HOST, *args, parts, "--steps", "20", "--checkpoint", half)
        self.succeeds(*HOST, *args, parts, "--resume", half)
        self.assertEqual(whole.read_text(), parts.read_text())

    def test_the_line_of_an_end_between_lines_goes(self):
        whole, parts = self.folder / "whole.csv", self.folder / "parts.csv"
        part = self.folder / "part.ckp"
        args = ["--thermo", "10", "--thermo-file"]
        self.succeeds(*HOST, *args, whole)
        self.succeeds(*HOST, *args, parts, "--steps", "23", "--checkpoint", part)
        self.assertIn("\n23,", parts.read_text())
        self.succeeds(*HOST, *args, parts, "--resume", part)
        self.assertEqual(whole.read_text(), parts.read_text())

    def test_frames_without_a_file(self):
        state = self.folder / "state"
        self.succeeds(*HOST, "--checkpoint", state, "--frames", "10", "--xyz", self.folder / "run.xyz")
        for run in (HOST, ["--resume", state, "--steps", "60"]):
            self.assertIn("--frames: no file to write to", self.fails(2, *run, "--frames", "5"))
        self.succeeds("--resume", state, "--steps", "60")

    def test_samples_that_the_checkpoint_lacks(self):
        """Refused by the option that was given; those that it has are there for files of any kind."""
        state, path = self.folder / "state", self.folder / "e.svg"
        run = ["--resume", state, "--steps", "60"]
        self.succeeds(*HOST, "--checkpoint", state)
        for option, lacks in (("--plot-energy", "samples (--thermo 0)"), ("--thermo-file", "samples (--thermo 0)"),
                              ("--plot-rdf", "histogram (--rdf-bins 0)"), ("--plot-speeds", "histogram (--speed-bins 0)"),
                              ("--rdf-file", "histogram (--rdf-bins 0)"), ("--speeds-file", "histogram (--speed-bins 0)"),
                              ("--profile-file", "profile (--profile-axis none)"), ("--plot-msd", "displacements (no --msd)")):
            path = self.folder / ("e.csv" if option.endswith("file") else "e.svg")
            self.assertEqual(self.fails(2, *run, option, path),
                             f"shoal: {option}: the run of the checkpoint took no {lacks}; leave it out\n")
        self.succeeds(*HOST, "--checkpoint", state, "--rdf-bins", "20")
        self.succeeds(*run, "--plot-rdf", self.folder / "e.svg")
        self.succeeds(*HOST, "--checkpoint", state, "--thermo", "10")
        self.succeeds(*run, "--plot-energy", self.folder / "e.svg")

    def test_frames_of_another_interval_stay(self):
        path, state = self.folder / "run.dump", self.folder / "state"
        for steps, every, frames in ((40, 10, [*range(0, 40, 10), 40, 60, 80]), (39, 6, [*range(0, 39, 6), 40, 60, 80])):
            path.unlink(missing_ok=True)
            self.succeeds(*HOST, "--steps", steps, "--frames", every, "--dump", path, "--checkpoint", state)
            self.succeeds("--resume", state, "--steps", "80", "--frames", "20", "--dump", path)
            self.assertEqual([frame[0] for frame in dump_frames(path)], frames)

    # Table, CSV, JSON lines, extended XYZ, LAMMPS dump.
    FILES = {"run.txt": "--thermo-file", "run.csv": "--thermo-file", "run.jsonl": "--thermo-file", "run.xyz": "--xyz",
             "run.dump": "--dump"}

    def options(self, folder, name):
        frames = [] if self.FILES[name] == "--thermo-file" else ["--frames", "8"]
        return [self.FILES[name], folder / name, "--thermo", "5", *frames]

    def checkpoint(self, name):
        """Of step 10 of a run with that file."""
        path = self.folder / "ten.ckp"
        self.succeeds(*HOST, *self.options(self.folder, name), "--steps", "10", "--checkpoint", path)
        return path

    def test_a_killed_run_goes_on_as_if_it_had_not_been(self):
        # A killed run leaves some part of what it would have written, behind the checkpoint of step 10: here it
        # ends at each fifth of the whole and at all places around the borders of two pieces.
        for name in self.FILES:
            checkpoint = self.checkpoint(name)
            whole = self.folder / "whole" / name
            whole.parent.mkdir(exist_ok=True)
            self.succeeds(*HOST, *self.options(whole.parent, name))
            data = whole.read_bytes()
            kept = self.until(name, data, 10)
            places = {len(data) * part // 5 for part in range(6)} | {kept + more for more in (0, 1, 9)}
            for place in sorted(place for place in places if place >= kept):
                with self.subTest(file=name, left=place):
                    path = self.folder / name
                    path.write_bytes(data[:place])
                    self.succeeds(*HOST, *self.options(self.folder, name), "--resume", checkpoint)
                    self.assertEqual(path.read_bytes(), data)

    def until(self, name, data, last):
        """Bytes of the pieces up to step `last`."""
        if name == "run.xyz":
            marks = re.finditer(rb"100\nLattice.* Step=(\d+) ", data)
        elif name == "run.dump":
            marks = re.finditer(rb"ITEM: TIMESTEP\n(\d+)\n", data)
        else:
            marks = re.finditer(rb'^(?:{"step": )? *(\d+)[ ,]', data, re.MULTILINE)
        return next(mark.start() for mark in marks if int(mark[1]) > last)

    def test_a_real_kill(self):
        device, env = self.needs_opencl(), support.optimised()
        for target in "host", device:
            run = ["gas", "--device", target, "--particles", "100", "--steps", "20000", "--thermo", "10", "--frames", "500"]
            files = lambda kind: [f"--thermo-file={self.folder}/{kind}.csv", f"--xyz={self.folder}/{kind}.xyz"]
            checkpoint = self.folder / "often.ckp"
            checkpoint.unlink(missing_ok=True)
            self.succeeds(*run, *files("whole"), env=env)
            child = subprocess.Popen([support.SHOAL, *run, *files("cut"), "--checkpoint", str(checkpoint),
                                      "--checkpoint-every", "0.02"], env=env, stderr=subprocess.PIPE,
                                     stdout=subprocess.DEVNULL)
            while not checkpoint.exists() and child.poll() is None:
                time.sleep(0.001)
            child.kill()
            child.communicate()
            self.succeeds(*run, *files("cut"), "--resume", checkpoint, env=env)
            for ending in "csv", "xyz":
                self.assertEqual((self.folder / f"cut.{ending}").read_bytes(),
                                 (self.folder / f"whole.{ending}").read_bytes())

    def test_a_start_from_a_checkpoint(self):
        """From any solver into any: positions, velocities, box and crossings; the rest is that of the new run."""
        field = ["--dim", "3", "--field-x", "0.5"]
        last = ["--frames", "1", "--dump", "-", "--quiet"]
        def rows(text):
            return {row[0]: [float(x) for x in row[2:]]
                    for row in map(str.split, text.split("vx vy vz ix iy iz\n")[-1].splitlines()) if len(row) == 11}
        for device in ("host", self.needs_opencl()):
            state = self.folder / "state"
            self.succeeds("gas", "--device", device, "--particles", "80", "--density", "0.5", *field, "--thermostat", "langevin",
                          "--steps", "200", "--checkpoint", state, "--frames", "200", "--dump", self.folder / "dump", "--quiet")
            was = rows((self.folder / "dump").read_text())
            self.assertTrue(any(row[6:] != [0, 0, 0] for row in was.values()))
            for other, precision in (("host", "single"), (self.needs_opencl(), "single"), (self.needs_opencl(), "double")):
                out = self.succeeds("gas", "--device", other, "--start-file", state, *field, "--temperature", "3",
                                    "--thermostat", "rescale", "--precision", precision, "--steps", "0", *last)
                now = rows(out)
                self.assertEqual(now.keys(), was.keys())
                for number, row in now.items():
                    for a, b in zip(row, was[number]):
                        self.assertAlmostEqual(a, b, delta=2e-6)
        # Its own checkpoint is one to start from and to resume, the first of them with that file alone.
        second = self.folder / "second"
        self.succeeds(*HOST[:1], "--start-file", state, *field, "--device", "host", "--steps", "5", "--checkpoint", second)
        self.succeeds("--resume", second, "--steps", "9")
        state.unlink()
        self.succeeds("gas", "--start-file", second, *field, "--device", "host", "--steps", "5")

    def test_temperature_of_a_start_with_velocities(self):
        state = self.folder / "state"
        self.succeeds(*HOST, "--checkpoint", state)
        run = ["gas", "--device", "host", "--steps", "2", "--temperature", "2", "--start-file", state]
        walls = ["--boundary-x", "walls", "--wall-left", "thermal"]
        for more in (["--equilibration", "5"], ["--thermostat", "langevin"], walls):
            self.assertNotIn("no effect", shoal(*run, *more).stderr, more)
        # Known before the run, whatever the value.
        for more in ([], ["--device", "nosuch:7"], ["--temperature", "1"]):
            self.assertRegex(self.fails(2, *run, *more),
                             r"\Ashoal: --temperature has no effect: [^\n]+/state holds velocities, and nothing keeps a "
                             r"temperature; give --equilibration or --thermostat, or omit it\n\Z")
        # Stages keep what another one set.
        config = self.file("run.ini", f"[gas]\nstart-file = {state}\nsteps = 4\n[gas.hot]\nthermostat = langevin\n"
                                      "temperature = 2\n[gas.free]\nthermostat = nve\n")
        self.assertEqual(shoal("gas", "--device", "host", "--config", config).stderr, "")

    def test_checkpoints_that_are_no_start(self):
        state = self.folder / "state"
        self.succeeds("pso", "--device", "host", *support.SMALL, "--checkpoint", state)
        self.assertIn("is not of a gas", shoal("gas", "--device", "host", "--start-file", state).stderr)
        state.write_bytes(state.read_bytes()[:-1])
        self.assertIn("damaged", shoal("gas", "--device", "host", "--start-file", state).stderr)

    def test_another_value_is_told_as_it_was_given(self):
        checkpoint = self.folder / "run.ckpt"
        self.succeeds(*HOST, "--checkpoint", checkpoint)
        message = self.fails(2, *HOST, "--dt", "0.0049999999999999", "--resume", checkpoint)
        self.assertIn("was made with --dt 0.005, not 0.0049999999999999: ", message)

    def test_a_file_of_something_else_is_left_alone(self):
        for name in self.FILES:
            checkpoint = self.checkpoint(name)
            with self.subTest(file=name):
                path = self.folder / name
                path.write_text("my notes\nof last week\n")
                for resume in ([], ["--resume", checkpoint]):
                    message = self.fails(1, *HOST, *self.options(self.folder, name), *resume)
                    self.assertRegex(message, rf"{name}: line 1 does not belong to a file of this format.* move it away or give another name")
                    self.assertEqual(path.read_text(), "my notes\nof last week\n")
                path.write_text("notes without an end")
                self.assertIn("line 1 does not belong", self.fails(1, *HOST, *self.options(self.folder, name)))

    def test_notes_behind_the_lines_of_a_run_are_left_alone(self):
        for name in self.FILES:
            checkpoint = self.checkpoint(name)
            with self.subTest(file=name):
                path = self.folder / name
                path.write_text(path.read_text() + "my notes\nof last week\n")
                before = path.read_text()
                done = shoal(*HOST, *self.options(self.folder, name), "--resume", checkpoint)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, rf"{name}: line \d+ is not of this run; move the file away")
                self.assertEqual(path.read_text(), before)

    def test_the_files_of_another_run_are_replaced(self):
        for name in self.FILES:
            path = self.folder / name
            with self.subTest(file=name):
                self.checkpoint(name)
                self.succeeds(*HOST, *self.options(self.folder, name))
                again = path.read_text()
                path.unlink()
                self.succeeds(*HOST, *self.options(self.folder, name))
                self.assertEqual(path.read_text(), again)


if __name__ == "__main__":
    support.main()
