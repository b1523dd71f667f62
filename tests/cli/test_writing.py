#!/usr/bin/env python3
"""Files that a run writes and reads: disks that fill, and what a run that fails leaves as it was."""

import resource
import signal

import support
from support import Case, shoal
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
        self.assertRegex(done.stdout, r"(?m)^host .* pass +40 ")
        self.assertIn("temperature_error", done.stdout)
        self.assertEqual(len(lines.read_text().splitlines()), 1 + 5)
        frames = xyz_frames(path)
        self.assertTrue(1 <= len(frames) <= 3)
        self.assertTrue(all(len(rows) == 100 for _, rows in frames))
        done = shoal(*HOST, "--frames", "5", "--xyz", "/dev/full", "--png", self.folder / "p", "--checkpoint", state)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertTrue(state.exists())

    def test_pictures_that_cannot_be_written(self):
        """The first one that cannot is the last one that is tried."""
        (self.folder / "p-000000010.png").mkdir()
        message = shoal(*HOST, "--frames", "10", "--png", self.folder / "p")
        self.assertEqual(message.returncode, 1)
        self.assertRegex(message.stderr, r"\Ashoal: .*-000000010\.png: .*; the run goes on without further pictures\n\Z")
        self.assertIn(" pass ", message.stdout)
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


if __name__ == "__main__":
    support.main()
