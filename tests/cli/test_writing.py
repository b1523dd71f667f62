#!/usr/bin/env python3
"""Files that a run writes and reads: disks that fill, and what a run that fails leaves as it was."""

import json
import os
import resource
import signal

import support
from support import SMALL_SET, Case, shoal
from test_gas import HOST, xyz_frames


class Disks(Case):
    def test_a_full_disk_leaves_whole_frames(self):
        path = self.folder / "run.xyz"
        self.succeeds(*HOST, "--frames", "40", "--xyz", path)
        frame = path.stat().st_size // 2

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (3 * frame, 3 * frame))

        path.unlink()
        state = self.folder / "state"
        lines = self.folder / "run.csv"
        done = shoal(*HOST, "--frames", "5", "--xyz", path, "--thermo", "10", "--thermo-file", lines, preexec_fn=small_files)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"\Ashoal: .*run\.xyz: cannot be written: .*whole piece; the run goes on without it\n\Z")
        # The rest of the run is as ever.
        self.assertRegex(done.stdout, r"(?m)^check: +pass\nsteps: +40$")
        self.assertRegex(done.stdout, r"(?m)^temperature: +[\d.]+ \+- [\d.]+ \(5 samples\)$")
        self.assertEqual(len(lines.read_text().splitlines()), 1 + 5)
        frames = xyz_frames(path)
        self.assertTrue(1 <= len(frames) <= 3)
        self.assertTrue(all(len(rows) == 100 for _, rows in frames))
        done = shoal(*HOST, "--frames", "5", "--xyz", "/dev/full", "--png", self.folder / "p", "--checkpoint", state)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertTrue(state.exists())

    def test_no_file_costs_the_result(self):
        """Each file that a run writes, on a full disk: one line, the result, exit code 1."""
        pso = ["pso", "--device", "host", *support.SMALL]
        for run in ([*pso, "--checkpoint"], [*pso, "--trace", "5", "--trace-file"], [*pso, "--plot"], [*HOST, "--checkpoint"],
                    [*HOST, "--thermo", "5", "--thermo-file"], [*HOST, "--xyz"], [*HOST, "--dump"], [*HOST, "--plot-energy"],
                    [*HOST, "--plot-temperature"], [*HOST, "--plot-rdf"], [*HOST, "--plot-speeds"],
                    [*HOST, "--plot-profile"], [*HOST, "--plot-msd"]):
            with self.subTest(option=run[-1]):
                done = shoal(*run, "/dev/full")
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, r"\Ashoal: .*/dev/full: (cannot be written: )?No space left on device.*\n\Z")
                self.assertRegex(done.stdout, r"(?m)^check: +pass$")

    def test_no_file_of_numbers_costs_the_result(self):
        """The same of those whose name says their format."""
        full = self.folder / "full.csv"
        full.symlink_to("/dev/full")
        for option in "--rdf-file", "--speeds-file", "--profile-file", "--msd-file":
            with self.subTest(option=option):
                done = shoal(*HOST, option, full)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, rf"\Ashoal: {option}: .*/full.csv: (cannot be written: )?No space left on device.*\n\Z")
                self.assertRegex(done.stdout, r"(?m)^check: +pass$")

    CONTROL = ["gas", "--device", "host", "--particles", "60", "--potential", "real", "--boundary-x", "walls", "--boundary-y",
               "walls", "--steps", "20", "--thermo", "5", "--control"]

    def test_a_file_that_cannot_be_written_costs_no_control_run(self):
        full = self.folder / "full.csv"
        full.symlink_to("/dev/full")
        done = shoal(*self.CONTROL, "--thermo-file", full)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^host control .*\d")

    def test_a_run_that_did_not_begin_has_no_ok(self):
        (self.folder / "run-control.csv").write_text("of somebody else\n")
        done = shoal(*self.CONTROL, "--thermo-file", self.folder / "run.csv", "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        first, control = json.loads(done.stdout)["rows"]
        self.assertEqual(first["status"], "ok")
        self.assertNotEqual(control["status"], "ok")
        self.assertIn("not run", control["error"]["message"])

    def test_a_chart_of_no_sample(self):
        state = self.folder / "state"
        self.succeeds(*HOST, "--thermo", "5", "--checkpoint", state)
        done = shoal("gas", "--resume", state, "--plot-energy", self.folder / "e.svg")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--plot-energy: the run took no sample, there is nothing to draw", done.stderr)
        self.assertRegex(done.stdout, r"(?m)^check: +pass$")

    def test_pictures_that_cannot_be_written(self):
        """The first one that cannot is the last one that is tried."""
        (self.folder / "p-000000010.png").mkdir()
        message = shoal(*HOST, "--frames", "10", "--png", self.folder / "p")
        self.assertEqual(message.returncode, 1)
        self.assertRegex(message.stderr, r"\Ashoal: .*-000000010\.png: .*; the run goes on without further pictures\n\Z")
        self.assertRegex(message.stdout, r"\ncheck: +pass\n")
        self.assertEqual(len(list(self.folder.glob("*.png"))), 2)

    def test_files_are_opened_when_the_run_has_begun(self):
        """What a run may still fail by, in its device, its texts or its start, costs no file of an earlier run."""
        old, lines = self.folder / "run.xyz", self.folder / "run.csv"
        force = self.folder / "force.clh"
        force.write_text("static inline real pair_force_over_r(real d) { return undeclared; }\n")
        self.succeeds(*HOST, "--frames", "40", "--xyz", old, "--thermo", "10", "--thermo-file", lines)
        kept = old.read_bytes(), lines.read_bytes()
        for wrong in (["--pair-force", force], ["--start", "random", "--start-distance", "10"]):
            done = shoal(*HOST, *wrong, "--frames", "40", "--xyz", old, "--thermo-file", lines)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual((old.read_bytes(), lines.read_bytes()), kept)

    def test_no_place_for_a_file_is_said_at_once(self):
        for option in ["--xyz", "--dump", "--png", "--thermo-file", "--plot-energy"]:
            with self.subTest(option=option):
                self.assertIn(option, self.fails(1, *HOST, option, self.folder / "none" / "file"))


class Same(Case):
    """No run writes a file that it reads, or one file twice."""

    def start(self):
        path = self.folder / "in.xyz"
        self.succeeds(*HOST, "--frames", "40", "--xyz", path)
        return path, path.read_bytes()

    def test_input_is_no_output(self):
        path, kept = self.start()
        by_link, by_name = self.folder / "link.xyz", self.folder / "name.xyz"
        by_link.symlink_to(path)
        by_name.hardlink_to(path)
        run = ["gas", "--device", "host", "--steps", "4", "--start-file", path]
        for output in (path, by_link, by_name, self.folder / ".." / self.folder.name / "in.xyz"):
            for option in ("--xyz", "--checkpoint"):
                message = self.fails(2, *run, option, output)
                self.assertIn(f"{option}: {output} is the file that --start-file reads", message)
        # With several devices and in a control run the names are other ones.
        tagged = path.rename(self.folder / "in-control.xyz")
        run = ["gas", "--device", "host", "--steps", "4", "--potential", "real", "--boundary-x", "walls",
               "--boundary-y", "walls", "--control", "--start-file", tagged]
        done = shoal(*run, "--xyz", path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("in-control.xyz is the file that --start-file reads", done.stderr)
        self.assertEqual(tagged.read_bytes(), kept)
        config = self.folder / "run.ini"
        config.write_text("[gas]\nsteps = 4\n")
        self.assertIn("--config reads", self.fails(2, "gas", "--config", config, "--thermo-file", config))

    def test_outputs_are_different_files(self):
        for name in ("there", "new"):
            path = self.folder / name
            if name == "there":
                self.succeeds(*HOST, "--xyz", path)
            self.assertIn("--checkpoint writes", self.fails(2, *HOST, "--xyz", path, "--checkpoint", path))
        self.assertFalse(path.exists())
        self.succeeds(*HOST, "--xyz", "/dev/null", "--dump", "/dev/null")

    @support.by_turn
    def test_a_checkpoint_may_replace_the_one_it_goes_on_from(self):
        path = self.folder / "state"
        self.succeeds(*HOST, "--checkpoint", path)
        self.succeeds("--resume", path, "--steps", "60", "--checkpoint", path)
        self.assertIn("--resume reads", self.fails(2, "--resume", path, "--steps", "80", "--xyz", path))
        self.succeeds("--resume", path, "--steps", "80")


class Replaced(Case):
    def test_a_file_of_another_kind_is_not_replaced(self):
        for option, what in ("--checkpoint", "checkpoint"), ("--plot-energy", "chart"):
            with self.subTest(option):
                path = self.folder / what
                path.write_text("my notes")
                message = self.fails(1, *HOST, "--thermo", "20", option, path)
                self.assertIn(f"{option}: {path}: it is no {what}, and is not replaced", message)
                self.assertEqual(path.read_text(), "my notes")
                path.write_text("")
                for _ in range(2):  # an empty file, and one of its own kind
                    self.succeeds(*HOST, "--thermo", "20", option, path)

    def test_pages_and_results_replace_none_either(self):
        compare = ["compare", "--device", "host", "--roofs", "no", "--samples", "1", "--set", SMALL_SET]
        bench = ["bench", "--device", "host", "--no-roofs", "--time", "0", "pso.global.rastrigin30-1024"]
        path = self.folder / "notes"
        for run, option, what in ((compare, "--html", "page"), (compare, "--out", "result file"),
                                  (bench, "--out", "result file")):
            with self.subTest(run[0] + option):
                path.write_text("my notes")
                message = self.fails(1, *run, option, path)
                self.assertIn(f"{option}: {path}: it is no {what}, and is not replaced", message)
                self.assertEqual(path.read_text(), "my notes")
                path.write_text("")
                for _ in range(2):
                    self.succeeds(*run, option, path)


class Links(Case):
    def test_a_link_stays_and_the_file_that_it_names_keeps_its_mode(self):
        mask = os.umask(0o022)
        os.umask(mask)
        (self.folder / "data").mkdir()
        for option, name in (("--checkpoint", "state"), ("--plot-energy", "chart.svg"), ("--thermo-file", "lines")):
            with self.subTest(option):
                target, link = self.folder / "data" / name, self.folder / name
                link.symlink_to(f"data/{name}")
                for mode in 0o666 & ~mask, 0o660:
                    self.succeeds(*HOST, "--quiet", "--thermo", "20", option, link)
                    self.assertTrue(link.is_symlink())
                    self.assertEqual(target.stat().st_mode & 0o777, mode)
                    target.chmod(0o660)


if __name__ == "__main__":
    support.main()
