#!/usr/bin/env python3
"""A workload of one folder and a line in the lists is in every part of the command; the installed command does not
know it.

usage: test_toy.py COMMAND_WITH_TOY INSTALLED_COMMAND [unittest arguments]
"""
import json
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cli"))
INSTALLED = sys.argv.pop(2)
import support

Case = support.Case
RUN = ["toy", "--items", "50", "--steps", "40"]


class Toy(Case):
    def setUp(self):
        super().setUp()
        self.device = self.needs_opencl()

    def result(self, *args):
        row, = json.loads(self.succeeds(*args, "--json"))["rows"]
        return row["result"]

    def test_help_and_completions(self):
        self.assertIn("let values approach their own numbers", self.succeeds("help"))
        self.assertIn("--rate", self.succeeds("toy", "--help"))
        self.assertEqual(self.succeeds("toy", "--help"), self.succeeds("toy", "--help", "all"))  # a short list
        self.assertIn("--rate", self.succeeds("toy", "--help", "Problem"))
        self.assertIn("did you mean 'problem'?", self.fails(2, "toy", "--help", "problems"))
        self.assertIn("shoal tune toy", self.succeeds("tune", "--help"))
        for kind in ("bash", "zsh", "man"):
            self.assertIn("toy", self.succeeds("--generate", kind))
        self.assertIn("toy.approach", self.succeeds("kernels"))

    def test_run(self):
        values = [self.result(*RUN, "--device", device)["value"] for device in (self.device, "host")]
        self.assertAlmostEqual(values[0] / values[1], 1, places=5)
        self.assertIn("out of range", self.fails(2, "toy", "--rate", "2"))

    def test_compare(self):
        rows = json.loads(self.succeeds("compare", "toy", "--samples", "1", "--device", f"{self.device},host", "--json"))["rows"]
        self.assertEqual(len(rows), 2)

    def test_verify(self):
        rows = json.loads(self.succeeds("verify", "toy", "--device", self.device, "--json"))["rows"]
        self.assertEqual({row["what"]: row["result"] for row in rows},
                         {"toy": "pass", "toy method=single": "pass", "toy method=many": "pass"})

    def test_tune(self):
        where = ["--device", self.device, "--cache-dir", self.folder]
        row, = json.loads(self.succeeds("tune", "toy", "--sample", "0.01", *where, "--json"))["rows"]
        self.assertTrue(row["stored"])
        self.assertEqual(self.result(*RUN, *where)["fields"]["method"], row["best"])

    def test_tune_names_what_it_tried_or_was_asked_for(self):
        where = ["--device", self.device, "--dry-run", "--time", "0", "--from", "65536", "--to", "65536"]
        done = support.shoal("tune", *where)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertIn("nothing was tried", done.stderr)
        self.assertEqual(json.loads(self.succeeds("tune", *where, "--json"))["rows"], [])
        for words in (["toy.approach"], ["--verbose"]):
            self.assertRegex(self.succeeds("tune", *where, *words),
                             r"(?m)^toy\.approach .*left out: no other size")
        self.assertIn("toy.approach", self.succeeds("tune", "--device", f"{self.device},host", "--dry-run", "--time", "0"))

    def test_bench(self):
        text = self.succeeds("bench", "toy", "--device", self.device, "--time", "0.01", env=support.optimised())
        self.assertIn("toy.steps", text)
        self.assertIn("toy.steps", self.succeeds("bench", "--list"))

    def test_checkpoints(self):
        for device in (self.device, "host"):
            file = self.folder / f"{device.replace(':', '-')}.ckpt"
            self.result("toy", "--items", "50", "--steps", "15", "--device", device, "--checkpoint", file)
            resumed = self.result(*RUN, "--device", device, "--resume", file)
            self.assertEqual(resumed["value"], self.result(*RUN, "--device", device)["value"])
            self.assertEqual(resumed["steps"], 40)
            self.assertIn("--items 50", self.fails(2, "toy", "--items", "60", "--resume", file, "--device", device))

    def test_a_checkpoint_alone_is_enough(self):
        for device in ("host", self.device):
            file = self.folder / f"{device.replace(':', '-')}.ckpt"
            run = ["toy", "--items", "50", "--rate", "0.2", "--method", "single", "--device", device]
            self.succeeds(*run, "--steps", "15", "--checkpoint", file)
            for words in (["toy", "--resume", file], ["--resume", file], [f"--resume={file}"]):
                document = json.loads(self.succeeds(*words, "--steps", "40", "--json"))
                self.assertEqual(document["rows"][0]["device"], device)
                self.assertEqual(document["params"]["rate"], 0.2)
                whole = self.result(*run, "--steps", "40")
                self.assertEqual(document["rows"][0]["result"]["value"], whole["value"])
            # Steps too come from it: there are none left.
            done = support.shoal("--resume", file)
            self.assertEqual(done.returncode, 0)
            self.assertIn("is at the last of 15 steps, so there are no further steps: ask for more", done.stderr)

    def test_a_run_that_ends_before_its_checkpoint_is_refused_before_devices(self):
        file = self.folder / "state"
        for command, more, option, message in (
            (["toy", "--steps", "15"], "10", "steps", "is at step 15, this run ends at 10: raise --steps"),
            (["pso", *support.SMALL], "10", "iterations", "is at step 20, this run ends at 10: raise --iterations or --evaluations"),
            (["gas", "--particles", "64", "--steps", "9", "--equilibration", "5"], "7", "steps",
             "is at step 9, this run ends at 7: raise --steps"),
        ):
            with self.subTest(command):
                self.succeeds(*command, "-dhost", "--checkpoint", file)
                steps = re.search(r"at step (\d+)", message)[1]
                self.assertIn(f"{file} is at the last of {steps} steps, so there are no further", support.shoal("--resume", file).stderr)
                for device in [], ["--device", "nosuch:7"]:
                    text = self.fails(2, "--resume", file, f"--{option}", more, *device)
                    self.assertEqual(text, f"shoal: --resume: checkpoint {file} {message}\n")

    def test_all_that_contradicts_a_checkpoint_is_listed_at_once(self):
        file = self.folder / "state"
        self.succeeds(*RUN, "--device", "host", "--checkpoint", file)
        message = self.fails(2, "toy", "--resume", file, "--items", "60", "--rate", "0.5", "--device", self.device)
        self.assertIn("solver of the host, not of a device; --items 50, not 60; --rate 0.1, not 0.5: ", message)
        self.assertIn("of 'shoal toy', not of 'shoal pso'", self.fails(2, "pso", "--resume", file))
        self.assertIn("not a checkpoint", self.fails(1, "--resume", __file__))

    def test_the_installed_command_does_not_know_it(self):
        done = subprocess.run([INSTALLED, "toy"], capture_output=True, text=True, env=support.environment())
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown command 'toy'", done.stderr)


if __name__ == "__main__":
    support.main()
