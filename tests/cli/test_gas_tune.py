#!/usr/bin/env python3
"""shoal tune gas: methods, the skin of the list, and what is stored."""

import json
import signal
import subprocess
import time

import support
from support import Case


class Tune(Case):
    GAS = ["--particles", "64", "--density", "0.4"]

    @support.long
    def test_the_skin_is_kept_and_used(self):
        device = self.needs_opencl()
        cache = self.folder / "cache"
        where = ["--device", device, "--cache-dir", cache]
        document = json.loads(self.succeeds("tune", "gas", "--sample", "0.001", "--json", *where, *self.GAS,
                                            "--method", "list"))
        row, = document["rows"]
        self.assertEqual([method["name"] for method in row["methods"]], ["list"])
        self.assertFalse(row["stored"])  # it was not asked which way
        skin, = [c for c in row["constants"] if c["define"].startswith("SKIN ")]
        self.assertTrue(skin["stored"])
        self.assertIn(skin["best"], [skin["before"], *(t["value"] for t in skin["trials"])])
        self.assertNotIn(skin["before"], [t["value"] for t in skin["trials"]])
        self.assertGreater(len(skin["trials"]), 4)
        lines = (cache / "tuning.txt").read_text().splitlines()
        line, = [line for line in lines if "|SKIN dim=2 " in line]
        self.assertTrue(line.endswith(f" particles=4^3={skin['best']:.0f}"), line)
        # A run takes what the file says for gases like it, --skin goes first, others follow the rule.
        (cache / "tuning.txt").write_text(line.rpartition("=")[0] + "=444\n")
        for arguments, wanted in ((self.GAS, 2.5 * 0.444), ([*self.GAS, "--skin", "0.6"], 0.6),
                                  (["--particles", "70", "--density", "0.45"], 2.5 * 0.444),
                                  (["--particles", "64", "--density", "0.4", "--precision", "mixed"], None)):
            run = json.loads(self.succeeds("gas", "--method", "list", "--steps", "5", "--json", *where, *arguments))
            got = run["rows"][0]["result"]["fields"]["skin"]
            if wanted is None:
                self.assertNotAlmostEqual(got, 2.5 * 0.444)
            else:
                self.assertAlmostEqual(got, wanted)

    @support.long
    def test_methods_that_do_not_fit_are_left_out(self):
        device = self.needs_opencl()
        text = self.succeeds("tune", "gas", "--particles", "64", "--potential", "log", "--boundary-x", "walls", "--boundary-y",
                             "walls", "--dry-run", "--sample", "0.01", "--device", device, "--verbose")
        self.assertRegex(text, r"list +left out: --method list needs a force that ends at a cutoff")
        self.assertIn("--method list needs a force that ends at a cutoff",
                      self.fails(2, "tune", "gas", "--particles", "64", "--potential", "log", "--boundary-x", "walls",
                                 "--boundary-y", "walls", "--method", "list", "--device", device))
        self.assertIn("--wall-left needs --boundary-x walls",
                      self.fails(2, "tune", "gas", *self.GAS, "--wall-left", "damping", "--device", device))

    def test_table_of_a_dry_run(self):
        device = self.needs_opencl()
        cache = self.folder / "cache"
        text = self.succeeds("tune", "gas", "--device", device, "--cache-dir", cache, "--sample", "0.001", "--dry-run",
                             *self.GAS)
        self.assertRegex(text, r"(?m)^allpairs +\S+ \S+particle-steps/s")
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        # A method that does not go with the problem was neither tried nor asked for.
        self.assertNotRegex(text, r"(?m)^cells ")
        self.assertNotIn("left out", text)
        self.assertNotIn(" stored", text.replace("not stored", ""))
        self.assertFalse((cache / "tuning.txt").exists())

    def test_an_equilibration_is_over_before_steps_count(self):
        document = json.loads(self.succeeds("tune", "gas", "--sample", "0.001", "--json", "--dry-run", "--device",
                                            self.needs_opencl(), *self.GAS, "--equilibration", "1000000"))
        steps = [method["settling_steps"] for method in document["rows"][0]["methods"] if method["rate"]]
        self.assertEqual(len(steps), 2)  # not by cells
        self.assertGreater(min(steps), 100)
        self.assertLess(max(steps), 1000000)

    @support.long
    def test_a_stop_keeps_what_was_found(self):
        device = self.needs_opencl()
        cache = self.folder / "cache"
        with subprocess.Popen([support.SHOAL, "tune", "gas", "--device", device, "--cache-dir", str(cache), "--sample",
                               "0.001"], env=support.environment(), stdout=subprocess.PIPE, text=True) as run:
            for _ in range(3000):
                if (cache / "tuning.txt").exists() and "|SKIN " in (cache / "tuning.txt").read_text():
                    break
                time.sleep(0.02)
            run.send_signal(signal.SIGINT)
            out, _ = run.communicate(timeout=100)
        self.assertEqual(run.returncode, 130)
        self.assertIn("stored", out)
        self.assertRegex(out, r"(?m)^gas\.list_step +SKIN \d+ .* stored$")
        self.assertIn("|SKIN ", (cache / "tuning.txt").read_text())


if __name__ == "__main__":
    support.main()
