#!/usr/bin/env python3
"""shoal gas: runs in stages, by sections [gas.NAME] of a configuration file."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path

import support
from support import Case, shoal
from test_gas import COLUMNS, dump_frames, rows_of, xyz_frames

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "gas"

GAS = "[gas]\nparticles = 64\ndensity = 0.4\nseed = 3\nfriction = 2\nequilibration = 6\nthermo = 10\n"
HOT = "[gas.hot]\nthermostat = langevin\ntemperature = 2\nsteps = 40\n"
COLD = "[gas.cold]\nthermostat = langevin\ntemperature = 2\ntemperature-end = 0.5\nsteps = 60\ndt = 0.004\n"
FREE = "[gas.free]\nsteps = 30\nthermo = 15\n"
THREE = GAS + HOT + COLD + FREE


class StageCase(Case):
    def config(self, text, name="run.ini"):
        return self.file(name, text)

    def run_stages(self, text, *args, **more):
        return self.succeeds("gas", "--device", "host", "--config", self.config(text), *args, **more)

    def document(self, text, *args):
        return json.loads(self.run_stages(text, "--json", *args))


class Sections(StageCase):
    def test_errors_name_file_and_line(self):
        for text, line, words in (
            (GAS + "[gas.]\nsteps = 3\n", 8, "the name of a stage has 1 to 32 letters, digits, '-' and '_'"),
            (GAS + "[gas.a.b]\nsteps = 3\n", 8, "[gas.a.b]: the name of a stage has"),
            (GAS + "[gas.a/b]\nsteps = 3\n", 8, "[gas.a/b]: the name of a stage has"),
            (GAS + "[gas." + "x" * 33 + "]\nsteps = 3\n", 8, "the name of a stage has 1 to 32"),
            (GAS + HOT + "[gas.hot]\nsteps = 3\n", 12, "[gas.hot] is there twice: a stage has one section"),
            (GAS + HOT + FREE + "[gas.hot]\nsteps = 3\n", 15, "[gas.hot] is there twice"),
            (GAS + HOT + "[gas.x]\n" + FREE, 12, "the stage [gas.x] sets nothing"),
            (GAS + HOT + "[gas.x]\n; steps = 3\n", 12, "the stage [gas.x] sets nothing"),
            (GAS + "[gass.x]\nsteps = 3\n", 8, "unknown section [gass.x]"),
            (GAS + "[pso.x]\niterations = 3\n", 8, "[pso.x]: 'pso' has no stages; use [pso]"),
            (GAS + "[shoal.x]\ndevice = host\n", 8, "[shoal.x]: 'shoal' has no stages; use [shoal]"),
            (GAS + "[compare.x]\nsamples = 2\n", 8, "[compare.x]: 'compare' has no stages"),
            (GAS + "[gas.x]\nstep = 3\n", 9, "unknown key 'step' in section [gas.x]; did you mean 'steps'?"),
            (GAS + "[gas.x]\nsteps = 3\nsteps = 4\n", 10, "'steps' is set twice in section [gas.x]"),
            (GAS + "[gas.x]\nsteps = -3\n", 9, "steps: '-3' is not a whole number"),
        ):
            with self.subTest(text=text[len(GAS):]):
                path = self.config(text)
                message = self.fails(2, "gas", "--device", "host", "--config", path)
                self.assertIn(f"{path}:{line}: ", message)
                self.assertIn(words, message)

    def test_what_cannot_change(self):
        for key, value in (("particles", 3), ("density", 1), ("dim", 3), ("width", 5), ("boundary-x", "walls"), ("potential", "wca"),
                           ("cutoff", 3), ("mass", 2), ("seed", 5), ("start", "random"), ("integrator", "euler"), ("precision", "double"),
                           ("method", "list"), ("device", "host"), ("json", "yes"), ("checkpoint", "x"), ("resume", "x"), ("preset", "x"),
                           ("control", "yes"), ("hang-limit", 3)):
            path = self.config(GAS + HOT + f"[gas.x]\nsteps = 3\n{key} = {value}\n")
            self.assertEqual(self.fails(2, "gas", "--config", path),
                             f"shoal: {path}:14: '{key}' cannot change between stages; put it under [gas]\n")

    def test_what_a_stage_needs(self):
        for text, words in (
            (HOT + "[gas.x]\nsteps = 3\nrelaxation = 1\n", "[gas.x]: --relaxation needs --thermostat rescale or chain or --equilibration"),
            (HOT + "[gas.x]\nsteps = 3\ntemperature-end = 1\n", "[gas.x]: --temperature-end needs --thermostat langevin, rescale or chain"),
            (HOT + "[gas.x]\nsteps = 3\naverage-every = 4\n", "[gas.x]: --average-every does not go with --thermo"),
            (FREE, "[gas.free]: --friction needs --thermostat langevin"),
            ("integrator = euler\n" + FREE + HOT, "[gas.hot]: --integrator euler needs --thermostat nve, rescale or chain"),
            (HOT + "[gas.x]\nsteps = 3\nrdf-bins = 5\nrdf-range = 90\n", "[gas.x]: --rdf-range 90 is larger than"),
            (HOT + "[gas.x]\nsteps = 3\nframes = 5\n", "[gas.x]: --frames: no file to write to"),
        ):
            message = self.fails(2, "gas", "--device", "host", "--config", self.config(GAS + text))
            self.assertIn(words, message)
        # Typed options that no stage has a use for, and that one has.
        path = self.config(GAS + HOT + FREE)
        message = self.fails(2, "gas", "--device", "host", "--relaxation", "1", "--config", self.config(GAS.replace("equilibration", ";") + HOT))
        self.assertIn("[gas.hot]: --relaxation needs --thermostat rescale or chain or --equilibration", message)
        self.succeeds("gas", "--device", "host", "--friction", "1", "--config", path)

    def test_commands_that_run_no_stages(self):
        path = self.config(THREE)
        words = f"shoal: {path}:8: [gas.hot] is a stage, which only 'shoal gas' runs: take a file without stages\n"
        self.assertEqual(self.fails(2, "compare", "gas", "--device", "host", "--config", path), words)
        self.assertEqual(self.fails(2, "compare", "--device", "host", "--config", path), words)
        self.assertEqual(self.fails(2, "tune", "gas", "--device", "host", "--config", path), words)
        # Of other workloads there is nothing to read.
        words = self.fails(2, "pso", "--device", "host", "--dim", "2", "--iterations", "2", "--config", path)
        self.assertIn("has no section [pso], only [gas], [gas.hot]", words)
        words = self.fails(2, "compare", "pso", "--device", "host", "--set", "pso.dim=2,pso.iterations=2", "--config", path)
        self.assertIn("has no section [compare] or [pso], only [gas], [gas.hot]", words)

    def test_no_control_run(self):
        self.assertIn("--control: a run in stages has no control run", self.fails(
            2, "gas", "--device", "host", "--control", "--config", self.config("[gas]\npotential = log\nboundary-x = walls\nboundary-y = walls\n[gas.a]\nsteps = 3\n")))


class Runs(StageCase):
    def test_each_stage_is_on_top_of_the_section_of_the_workload(self):
        document = self.document(THREE)
        self.assertEqual([stage["name"] for stage in document["stages"]], ["hot", "cold", "free"])
        self.assertEqual([row["stage"] for row in document["rows"]], ["hot", "cold", "free"])
        self.assertEqual((document["params"]["particles"], document["params"]["seed"]), (64, "3"))
        self.assertNotIn("steps", document["params"])
        hot, cold, free = (stage["params"] for stage in document["stages"])
        for name, values in (("steps", (40, 60, 30)), ("dt", (0.005, 0.004, 0.005)), ("thermo", (10, 10, 15)), ("friction", (2, 2, None)),
                             ("temperature", (2, 2, 1)), ("temperature-end", (None, 0.5, None)), ("equilibration", (6, 0, 0)),
                             ("thermostat", ("langevin", "langevin", "nve")), ("particles", (64, 64, 64))):
            self.assertEqual((hot[name], cold[name], free[name]), values, name)
        self.assertEqual([row["result"]["steps"] for row in document["rows"]], [40, 60, 30])
        self.assertEqual([row["result"]["warm_up_steps"] for row in document["rows"]], [6, 0, 0])
        self.assertEqual([row["series"]["step"] for row in document["rows"]],
                         [[*range(0, 41, 10)], [*range(40, 101, 10)], [100, 115, 130]])
        # 40 steps of 0.005, and 60 of 0.004.
        self.assertAlmostEqual(document["rows"][2]["series"]["time"][0], 0.44, 12)
        for before, after in zip(document["rows"], document["rows"][1:]):
            for name in "total", "conserved", "kinetic":
                self.assertAlmostEqual(before["series"][name][-1] / after["series"][name][0], 1, 9)

    def test_the_command_line_wins(self):
        params = [stage["params"] for stage in self.document(THREE, "--steps", "4", "--temperature", "3", "--equilibration", "2")["stages"]]
        self.assertEqual([stage["steps"] for stage in params], [4, 4, 4])
        self.assertEqual([stage["temperature"] for stage in params], [3, 3, 3])
        self.assertEqual([stage["equilibration"] for stage in params], [2, 0, 0])
        params = [stage["params"] for stage in self.document(GAS + HOT + "[gas.again]\nequilibration = 4\nsteps = 3\n")["stages"]]
        self.assertEqual([stage["equilibration"] for stage in params], [6, 4])

    def test_a_limiter_is_of_its_stage(self):
        self.need_theses()
        stage = "[gas.calm]\nsteps = 30\n"
        free, calm = (self.document(GAS + HOT + text)["rows"] for text in (stage, stage + "limiter = l1\nlimit = 2\n"))
        self.assertEqual(free[0]["result"]["value"], calm[0]["result"]["value"])
        self.assertLess(calm[1]["result"]["value"], free[1]["result"]["value"] - 0.1)

    def test_a_run_in_stages_is_that_of_one_stage_where_it_has_one(self):
        """And a second one has random numbers of its own."""
        whole = self.folder / "whole.csv"
        self.succeeds("gas", "--device", "host", "--config", self.config(GAS + "thermostat = langevin\nsteps = 40\ntemperature = 2\n"),
                      "--thermo-file", whole)
        self.run_stages(GAS + HOT, "--thermo-file", self.folder / "one.csv")
        self.assertEqual([{**row, "stage": "hot"} for row in rows_of(whole)], rows_of(self.folder / "one.csv"))

    def test_text(self):
        text = self.run_stages(THREE.replace("thermo = 10\n", "") + "\n", "--particles", "60")
        for line in (r"gas  lj, 2D, 60 particles, density 0\.4; particles=60 density=0\.4 seed=3\n",
                     r"\nhot: temperature=2 dt=0\.005 steps=40 equilibration=6 thermostat=langevin\s+friction=2\b",
                     r"\ncold: temperature=2 dt=0\.004 steps=60 thermostat=langevin friction=2\s+temperature-end=0\.5",
                     r"\nfree: temperature=1 dt=0\.005 steps=30\b", r"\n1 run of each stage on each device; check: ", r"\nhost hot ", r"\nhost cold ", r"\nhost free ",
                     # The lines of the samples, under the stage.
                     r"\Ahost free\n +step "):
            self.assertRegex(text, line)
        verbose = self.run_stages(THREE, "--verbose", "--quiet")
        for name in "hot", "cold", "free":
            self.assertRegex(verbose, rf"\n\nhost {name}\n")
        # A run of one stage has a block, as one without stages.
        self.assertRegex(self.run_stages(GAS + HOT), r"\nhot: temperature=2[^$]*\ndevice: +host hot\n")

    def test_growing_files_go_on(self):
        names = {"t.csv": "--thermo-file", "t.txt": "--thermo-file", "t.jsonl": "--thermo-file", "f.xyz": "--xyz", "f.dump": "--dump"}
        for name, option in names.items():
            self.file(name, "")
            # The last stage alone finds clusters.
            self.run_stages(THREE + "cluster-distance = 1.2\n", option, self.folder / name, *([] if option == "--thermo-file" else ["--frames", "20"]))
        rows = rows_of(self.folder / "t.csv")
        self.assertEqual([(int(row["step"]), row["stage"]) for row in rows],
                         [(step, "hot") for step in range(0, 41, 10)] + [(step, "cold") for step in range(50, 101, 10)] +
                         [(115, "free"), (130, "free")])
        lines = [json.loads(line) for line in (self.folder / "t.jsonl").read_text().splitlines()]
        self.assertEqual([(line["step"], line["stage"]) for line in lines], [(int(row["step"]), row["stage"]) for row in rows])
        self.assertEqual(list(rows[0]), [*COLUMNS, "mean_cluster", "clusters", "stage"])
        self.assertEqual([row["clusters"] != "" for row in rows], [row["stage"] == "free" for row in rows])
        self.assertEqual(list(lines[0]), list(rows[0]))
        table = [line.split() for line in (self.folder / "t.txt").read_text().splitlines()]
        self.assertEqual(table[0][0], "step")
        self.assertEqual(table[0][-1], "stage")
        self.assertEqual({len(line) for line in table}, {len(rows[0])})
        self.assertEqual([(line[0], line[-1]) for line in table[1:]], [(row["step"], row["stage"]) for row in rows])
        # Frames count from the begin of a stage; those at which two meet are there once.
        steps = [0, 20, 40, 60, 80, 100, 120]
        self.assertEqual([int(re.search(r" Step=(\d+) ", comment)[1]) for comment, _ in xyz_frames(self.folder / "f.xyz")], steps)
        self.assertEqual([frame[0] for frame in dump_frames(self.folder / "f.dump")], steps)

    def test_files_of_single_stages(self):
        self.run_stages(THREE.replace("[gas.cold]\n", f"[gas.cold]\nxyz = {self.folder}/cold.xyz\nframes = 30\nrdf-file = {self.folder}/g.csv\n")
                        .replace("[gas.free]\n", f"[gas.free]\nthermo-file = {self.folder}/free.csv\nplot-energy = {self.folder}/free.svg\n"),
                        "--speeds-file", self.folder / "speeds.csv", "--plot-msd", self.folder / "msd.svg")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["cold.xyz", "free.csv", "free.svg", "g.csv", "msd-cold.svg", "msd-free.svg", "msd-hot.svg", "run.ini", "speeds-cold.csv",
                          "speeds-free.csv", "speeds-hot.csv"])
        self.assertEqual(len(xyz_frames(self.folder / "cold.xyz")), 3)
        self.assertEqual([row["step"] for row in rows_of(self.folder / "free.csv")], ["100", "115", "130"])

    def test_files_that_would_be_written_twice(self):
        def refused(text, *args):
            return self.fails(2, "gas", "--device", "host", "--config", self.config(text), *args)
        g, t = self.folder / "g.csv", self.folder / "t.csv"
        self.assertEqual(refused(GAS + HOT + f"rdf-file = {g}\n" + COLD + f"rdf-file = {g}\n"),
                         f"shoal: --rdf-file: {g} is the file that --rdf-file writes in [gas.hot]: write to another one\n")
        self.assertIn("is the file that --thermo-file writes in [gas.hot]", refused(GAS + HOT + f"thermo-file = {t}\n" + COLD + f"msd-file = {t}\n"))
        self.assertIn("is the file that --config reads", refused(GAS + HOT + COLD + f"msd-file = {self.folder / 'run.ini'}\n"))
        # Under the name of the stage it is another one.
        self.run_stages(GAS + HOT + f"rdf-file = {g}\n" + COLD, "--msd-file", g)
        # A range needs no more than the file.
        self.run_stages(GAS + f"rdf-file = {g}\nrdf-range = 2\n" + HOT + COLD + f"rdf-file = {g}\nrdf-range = 3\n")
        self.assertEqual([rows_of(path)[-1]["r"] for path in (g.with_stem("g-hot"), g)], ["1.995", "2.9924999999999997"])

    def test_a_chart_shows_all_stages_that_name_it(self):
        def points(path):
            return [len(re.findall("[ML]", line)) for line in re.findall(r'<path class="curve [^>]* d="([^"]*)"', path.read_text())]
        self.run_stages(THREE, "--plot-temperature", self.folder / "t.svg", "--plot-energy", self.folder / "e.svg")
        # 5 samples, 7 and 3; where stages meet two of them.
        self.assertEqual(points(self.folder / "t.svg"), [15])
        # The conserved energy too, which is that of the thermostats.
        self.assertEqual(points(self.folder / "e.svg"), [15] * 4)
        self.run_stages(THREE.replace("[gas.cold]\n", f"[gas.cold]\nplot-temperature = {self.folder}/cold.svg\n"), "--json", "--quiet")
        self.assertEqual(points(self.folder / "cold.svg"), [7])
        self.assertIn("<title>shoal gas: lj, 2D, 64 particles, density 0.4, host; particles=64 density=0.4 seed=3</title>",
                      (self.folder / "t.svg").read_text())
        self.assertRegex((self.folder / "cold.svg").read_text(), "<title>shoal gas: .*, host, cold; .*temperature-end=0.5")

    def test_pictures_depend_on_their_frame_alone(self):
        run = THREE.replace("density", f"frames = 40\npng = {self.folder}/p\npng-size = 60\npng-colour = density\ndensity")
        self.run_stages(run)
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.png")), [f"p-{step:09}.png" for step in (0, 40, 80, 100)])
        # That of step 40, the last of the first stage, is the first of the second one, whose scale of speeds is another.
        picture = (self.folder / "p-000000040.png").read_bytes()
        self.run_stages(run.split("[gas.cold]")[0])
        self.assertEqual((self.folder / "p-000000040.png").read_bytes(), picture)

    def test_each_device_has_files_of_its_own(self):
        device = self.needs_opencl()
        path = self.config(THREE)
        document = json.loads(self.succeeds("gas", "--device", f"host,{device}", "--config", path, "--json", "--thermo-file",
                                            self.folder / "t.csv", "--rdf-file", self.folder / "g.csv"))
        self.assertEqual([(row["device"], row["stage"]) for row in document["rows"]],
                         [(name, stage) for name in ("host", device) for stage in ("hot", "cold", "free")])
        tags = ["host", device.replace(":", "-")]
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.csv")),
                         sorted([f"t-{tag}.csv" for tag in tags] + [f"g-{stage}-{tag}.csv" for tag in tags for stage in ("hot", "cold", "free")]))
        host, other = (rows_of(self.folder / f"t-{tag}.csv") for tag in tags)
        self.assertEqual([row["step"] for row in host], [row["step"] for row in other])
        for ours, theirs in zip(host, other):
            self.assertAlmostEqual(float(ours["total"]), float(theirs["total"]), delta=0.05)

    def test_a_stage_that_fails_ends_the_run(self):
        path = self.config(GAS + HOT + COLD.replace("0.004", "3") + FREE)
        done = shoal("gas", "--device", "host", "--config", path, "--json", "--checkpoint", self.folder / "state")
        self.assertEqual(done.returncode, 6, done.stderr)
        hot, cold, free = json.loads(done.stdout)["rows"]
        self.assertEqual((hot["status"], cold["status"], free["status"]), ("ok", "result check failed", "failed"))
        self.assertEqual(free["error"]["message"], "not run, as stage cold failed")
        self.assertEqual(free["result"], None)
        # The state at its begin is there.
        self.succeeds("gas", "--device", "host", "--config", self.config(THREE), "--resume", self.folder / "state")

    def test_examples(self):
        for name in "melt_quench", "nvt_nve":
            path = EXAMPLES / f"{name}.ini"
            document = json.loads(self.succeeds("gas", "--device", "host", "--config", path, "--json", "--particles", "500", "--steps", "20",
                                                "--thermo", "5", cwd=self.folder))
            self.assertEqual({row["status"] for row in document["rows"]}, {"ok"})
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["diffusion.csv", "glass.csv", "liquid.csv", "liquid.svg", "quench.csv", "quench.svg", "quench.xyz"])


class Resumed(StageCase):
    FILES = ["thermo-file = t.csv\n", "xyz = f.xyz\nframes = 7\n", "plot-energy = e.svg\n"]

    def run_in(self, folder, text, *args, device="host"):
        folder.mkdir(exist_ok=True)
        (folder / "run.ini").write_text(text)
        return self.succeeds("gas", "--device", device, "--config", "run.ini", *args, cwd=folder, env=support.optimised())

    def content(self, folder):
        return {name: (folder / name).read_bytes() for name in ("t.csv", "f.xyz", "state")}

    @support.long
    def test_from_the_middle_of_any_stage(self):
        gas = GAS + "".join(self.FILES) + "thermostat = langevin\nminimise = 100\nstart = random\nstart-distance = 0.5\n"
        steps = [40, 30, 25]
        def text(*counts):
            return gas + "".join(f"[gas.{name}]\nsteps = {count}\ntemperature = {2 - i / 2}\n"
                                 for i, (name, count) in enumerate(zip("abc", counts)))
        devices = ["host"] + [device["id"] for device in support.opencl_devices()][:1]
        for device in devices:
            whole = self.folder / "whole"
            self.run_in(whole, text(*steps), "--checkpoint", "state", device=device)
            for stage in range(3):
                for count in (13, steps[stage]):
                    parts = self.folder / f"{stage}-{count}-{device.replace(':', '-')}"
                    self.run_in(parts, text(*steps[:stage], count), "--checkpoint", "state", device=device)
                    document = json.loads(self.run_in(parts, text(*steps), "--checkpoint", "state", "--resume", "state", "--json", device=device))
                    self.assertEqual([row["stage"] for row in document["rows"]], list("abc")[stage:])
                    self.assertEqual(self.content(parts), self.content(whole), (device, stage, count))

    def test_what_a_killed_run_left_goes(self):
        """It had come further than its checkpoint, into the next stage."""
        text = GAS + "".join(self.FILES) + HOT + COLD + FREE
        whole, parts = self.folder / "whole", self.folder / "parts"
        self.run_in(whole, text, "--checkpoint", "state")
        for last, steps in (("hot", 25), ("cold", 60)):
            first = GAS + "".join(self.FILES) + HOT + (COLD if last == "cold" else "")
            self.run_in(parts, first.replace("steps = 40", "steps = 25") if last == "hot" else first, "--checkpoint", "state")
            for name, cut in (("t.csv", 20), ("f.xyz", 5)):
                data = (whole / name).read_bytes()
                (parts / name).write_bytes(data[:len(data) - cut])
            self.run_in(parts, text, "--checkpoint", "state", "--resume", "state")
            self.assertEqual(self.content(parts), self.content(whole), (last, steps))

    def test_a_real_kill(self):
        """Within a ramp, too, and wherever else the checkpoint is."""
        text = (GAS + "".join(self.FILES) + HOT + COLD + FREE).replace("steps = ", "steps = 1").replace("frames = 7", "frames = 700")
        whole, parts = self.folder / "whole", self.folder / "parts"
        self.run_in(whole, text, "--checkpoint", "state")
        parts.mkdir()
        (parts / "run.ini").write_text(text)
        run = ["gas", "--device", "host", "--config", "run.ini", "--checkpoint", "state"]
        for stage in "hot", "cold", "free":
            for path in parts.glob("[!r]*"):
                path.unlink()
            child = subprocess.Popen([support.SHOAL, *run, "--checkpoint-every", "1e-4"], cwd=parts, env=support.environment(),
                                     stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            while child.poll() is None and not (all((parts / name).exists() for name in ("state", "t.csv")) and stage in (parts / "t.csv").read_text()):
                time.sleep(0.001)
            child.send_signal(signal.SIGINT if stage == "cold" else signal.SIGKILL)
            child.communicate()
            self.run_in(parts, text, "--checkpoint", "state", "--resume", "state")
            self.assertEqual(self.content(parts), self.content(whole), stage)

    def test_options_that_all_stages_share_come_from_the_checkpoint(self):
        text, state = GAS.replace("particles = 64\n", "") + HOT + FREE, self.folder / "state"
        self.run_stages(text, "--particles", "50", "--checkpoint", state, "--steps", "20")
        document = self.document(text, "--resume", state)
        self.assertEqual([stage["params"]["particles"] for stage in document["stages"]], [50, 50])
        self.assertEqual(document["params"]["particles"], 50)
        self.assertEqual([row["stage"] for row in document["rows"]], ["free"])
        self.assertIn("made with --particles 50, not 51", self.fails(2, "gas", "--config", self.folder / "run.ini", "--particles", "51",
                                                                      "--device", "host", "--resume", state))

    def test_checkpoints_of_other_runs(self):
        state, single = self.folder / "state", self.folder / "single"
        path = self.config(THREE)
        self.run_stages(THREE, "--checkpoint", state)
        done = shoal("gas", "--config", path, "--resume", state)
        self.assertEqual((done.returncode, done.stderr),
                         (0, "shoal: --resume: the checkpoint is at the end of the last stage, so there are no further steps\n"))
        self.succeeds("gas", "--device", "host", "--particles", "64", "--steps", "5", "--checkpoint", single)
        for args, words in (
            (["gas", "--resume", state], f"--resume: checkpoint {state} is of stage 'free': give the --config with its stages"),
            (["--resume", state], f"--resume: checkpoint {state} is of stage 'free': give the --config with its stages"),
            (["gas", "--resume", single, "--config", path], f"--resume: checkpoint {single} is of a run without stages, but {path} has some"),
            (["gas", "--resume", state, "--config", self.config(GAS + HOT, "other.ini")],
             f"--resume: the checkpoint is of stage 'free', and {self.folder / 'other.ini'} has no [gas.free]"),
            (["gas", "--resume", state, "--config", self.config(THREE.replace("steps = 30", "steps = 20"), "short.ini")], "raise --steps"),
            (["gas", "--resume", state, "--config", self.config(THREE.replace("seed = 3", "seed = 4"), "seed.ini")], "made with --seed 3, not 4"),
        ):
            self.assertIn(words, self.fails(2, *args))

    def test_ctrl_c(self):
        path = self.config(THREE.replace("steps = 60", "steps = 4000000000"))
        child = subprocess.Popen([support.SHOAL, "gas", "--device", "host", "--config", path, "--json", "--thermo-file", self.folder / "t.csv",
                                  "--thermo", "1000", "--checkpoint", self.folder / "state"], env=support.environment(), stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.kill)
        while child.poll() is None and not ((self.folder / "t.csv").exists() and "cold" in (self.folder / "t.csv").read_text()):
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        text, _ = child.communicate(timeout=120)
        self.assertEqual(child.returncode, 130)
        rows = json.loads(text)["rows"]
        self.assertEqual([row["status"] for row in rows], ["ok", "stopped", "stopped"])
        self.assertEqual(rows[2]["error"]["message"], "not run, as stage cold was stopped")


if __name__ == "__main__":
    support.main()
