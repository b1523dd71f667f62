#!/usr/bin/env python3
"""Command lines and configuration files, good and bad."""

import json
import signal
import subprocess

import support
from support import SMALL, Case, environment, opencl_devices


class Usage(Case):
    """Exit code 2 and one line that says what to do."""

    def test_unknown_command(self):
        self.assertIn("did you mean 'compare'", self.fails(2, "compar"))
        self.assertIn("'shoal help' lists them", self.fails(2, "zzzzzz"))
        self.assertIn("did you mean 'devices'", self.fails(2, "help", "device"))

    def test_unknown_option(self):
        self.assertIn("did you mean --dim?", self.fails(2, "pso", "--dimm", "3"))
        self.assertIn("try 'shoal pso --help'", self.fails(2, "pso", "--zzzzzzzz"))
        self.assertIn("'-z'", self.fails(2, "pso", "-z"))
        self.assertIn("before a command", self.fails(2, "--device", "gpu"))
        self.assertIn("--resume needs a checkpoint", self.fails(2, "--resume"))

    def test_missing_value(self):
        self.assertIn("--dim needs a value", self.fails(2, "pso", "--dim"))
        self.assertIn("-d", self.fails(2, "pso", "-d"))

    def test_abbreviation(self):
        self.assertIn("--p is short for several options: --particles, --polish, --polish-rule, --polish-every, --precision, --plot, --preset or --progress\n", self.fails(2, "pso", "--p", "3"))
        self.succeeds("pso", "--device", "host", "--func", "sphere", *SMALL)

    def test_ranges(self):
        for args, words in (
            (["--particles", "0"], "--particles: 0 is out of range; give 1 to"),
            (["--dim", "-1"], "--dim: '-1' is not a whole number"),
            (["--dim", "1.5"], "not a whole number"),
            (["--seed", "18446744073709551616"], "not a whole number"),
            (["--inertia", "nan"], "not a finite number"),
            (["--inertia", "1e9"], "out of range"),
            (["--inertia", "0,7"], "not a finite number"),
            (["--function", "rastrign"], "did you mean 'rastrigin'?"),
            (["--function", "RASTRIGN"], "did you mean 'rastrigin'?"),
            (["--variant", "x"], "is not one of auto, cl, cu"),
            (["--json=maybe"], "is not yes or no"),
            (["--device", ""], "needs a text"),
            (["--device", "host,"], "\"host,\" has an empty item"),
        ):
            with self.subTest(args=args):
                self.assertIn(words, self.fails(2, "pso", *args))

    def test_numbers_with_suffix(self):
        params = json.loads(
            self.succeeds(
                "pso", "--device", "host", "--json", "--dim", "2", "--particles", "1Ki", "--iterations", "1e1"
            )
        )["params"]
        self.assertEqual((params["particles"], params["iterations"]), (1024, 10))

    def test_choices_match_in_any_case(self):
        params = json.loads(self.succeeds("pso", "--device", "host", "--json", "--function", "SPHERE",
                                          "--precision", "FP64", *SMALL))["params"]
        self.assertEqual((params["function"], params["precision"]), ("sphere", "fp64"))

    def test_words_that_are_no_operands(self):
        for args, words in (
            (("verify", "psso"), r"'psso' is not one of lib, pso, ga, de, .*gas, .*; did you mean 'pso'\?$"),
            (("data", "inf"), r"'inf' is not one of least-squares, .*, info, convert; did you mean 'info'\?$"),
            (("gas", "--preset", "Condensatio"), r"is not one of condensation, piston, expansion, quench, melting; did you mean 'condensation'\?$"),
        ):
            with self.subTest(args=args):
                self.assertRegex(self.fails(2, *args), words)

    def test_operands(self):
        self.assertIn("unexpected 'extra'", self.fails(2, "pso", "extra"))
        self.assertIn("more than --to 64", self.fails(2, "tune", "--from", "128", "--to", "64"))
        self.assertRegex(self.fails(2, "compare", "psoo"),
                         "^shoal: 'psoo' is not one of pso, ga, de, .*gas, tsp, mlp, optimise; did you mean 'pso'\\?$")
        self.assertIn("no program 'pso.nothing'", self.fails(2, "kernels", "pso.nothing"))
        message = self.fails(2, "tune", "lib.sum")
        self.assertIn("shoal: 'lib.sum' is not one of ", message)
        for name in message.split("one of ")[1].split("; did you mean")[0].strip().split(", "):
            self.assertIn(name + "  (", self.succeeds("kernels", name))

    def test_bounds_of_sizes_that_are_not_open(self):
        # The group of a CPU is one work-item there.
        cpus = [d["id"] for d in opencl_devices() if d["type"] == "cpu"]
        if not cpus:
            self.skipTest("no OpenCL CPU device")
        tune = ["tune", "objective.rows", "--device", cpus[0], "--dry-run", "--time", "0", "--from", "64"]
        with subprocess.Popen([support.SHOAL, *tune], env=support.environment(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as run:
            line = run.stderr.readline()
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=100)
        self.assertIn("objective.rows has no tunable work-group size", line)

    def test_cross_field_rule_of_the_workload(self):
        self.fails(2, "pso", "--device", "host", "--lower", "1", "--upper", "-1")

    def test_options_that_need_others(self):
        if opencl_devices():
            message = self.fails(2, "pso", "--device", "all", "--checkpoint", "x", *SMALL)
            self.assertIn("one device", message)

    def test_set_of_compare(self):
        for text, words in (
            ("dim=3", "is not WORKLOAD.NAME=VALUE"),
            ("pso.dim", "is not WORKLOAD.NAME=VALUE"),
            ("pso.dimm=3", "no option pso.dimm; did you mean pso.dim?"),
            ("x.dim=3", "no option x.dim"),
            ("pso.particles=0", "--set pso.particles: 0 is out of range"),
        ):
            self.assertIn(words, self.fails(2, "compare", "--device", "host", "--set", text))

    def test_kernel_folder_that_is_not_there(self):
        none, file = self.folder / "none", self.file("file", "text")
        for args in (["pso", *SMALL], ["devices"], ["kernels", "--built"], ["verify"]):
            for path, what in ((none, "there is no such folder"), (file, "is no folder")):
                with self.subTest(args=args, path=path):
                    self.assertIn(f"shoal: --kernel-dir: {path}: {what}", self.fails(2, *args, "--kernel-dir", path))
                    self.assertIn(f"shoal: SHOAL_KERNEL_DIR: {path}: {what}",
                                  self.fails(2, *args, env=environment(SHOAL_KERNEL_DIR=str(path))))

    def test_short_options_in_one_word(self):
        self.assertEqual(self.succeeds("pso", "-qdhost", "--json", *SMALL)[0], "{")

    def test_flag_taken_back(self):
        self.assertRegex(self.succeeds("pso", "-d", "host", "--json", "--json=no", *SMALL), r"(?m)^device: +host$")


class Config(Case):
    """--config"""

    def write(self, text):
        path = self.folder / "run.ini"
        path.write_text(text)
        return path

    def test_values_and_precedence(self):
        path = self.write(
            "; comment\n[shoal]\ndevice = host\njson = yes\nquiet = no\n[pso]\nfunction = sphere ; inline\n"
            "dim = 3\nparticles = 16\niterations = 7\nquiet = yes\n[compare]\nsamples = 2\n"
        )
        params = json.loads(self.succeeds("pso", "--config", path))["params"]
        self.assertEqual((params["function"], params["dim"], params["iterations"]), ("sphere", 3, 7))
        params = json.loads(self.succeeds("pso", "--iterations", "9", "--config", path, "--dim=2"))["params"]
        self.assertEqual((params["dim"], params["iterations"]), (2, 9))

    def test_compare_takes_the_section_of_each_workload(self):
        path = self.write(
            "[shoal]\ndevice = host\n[pso]\ndim = 3\nparticles = 16\niterations = 7\n[compare]\nsamples = 2\n"
        )
        result = json.loads(
            self.succeeds("compare", "pso", "--json", "--config", path, "--set", "pso.iterations=5")
        )
        self.assertEqual((result["params"]["pso"]["dim"], result["params"]["pso"]["iterations"]), (3, 5))
        self.assertEqual(result["rows"][0]["samples"], 2)

    def test_errors_name_file_and_line(self):
        long_line = "x" * 300
        for text, line, words in (
            ("[pso]\ndim = 3\nitertions = 4\n", 3, "did you mean 'iterations'?"),
            ("[pso]\ndim = 3\ndim = 4\n", 3, "set twice"),
            ("dim = 3\n", 1, "outside a section"),
            ("[pos]\ndim = 3\n", 1, "unknown section [pos]"),
            ("[pso]\ndim = 3\nnonsense\n", 3, "neither a [section] nor"),
            ("[pso\ndim = 3\n", 1, "the section has no ']'"),
            ("[pso]\n\ndim = many\n", 3, "dim: 'many' is not a whole number"),
            ("[pso]\ndim =\n", 2, "not a whole number"),
            (f"[pso]\n# {long_line}\ndim = 0", 3, "0 is out of range"),
            (f"[pso] ; {long_line}\ndim = 0", 2, "0 is out of range"),
            ("[pso]\n[pos]\n", 2, "unknown section [pos]"),
            ("  [pso\ndim = 3\n", 1, "the section has no ']'"),
            ("[pso]\ndim = 3\n [pso]\n", 3, "'dim' is set twice"),
            (f"[{long_line}]\ndim = 0", 1, "unknown section [xxxx"),
            (f"[pso\n; {long_line}]\ndim = 0", 1, "the section has no ']'"),
            (f"[pso]\n{long_line} = 3", 2, "unknown key 'xxxx"),
            (f"[pso]\n{long_line}\n", 2, "neither a [section] nor"),
            (f"[pso]\ndim ; {long_line} = 3\n", 2, "neither a [section] nor"),
            (f"[pso]\ndim = 3\n {long_line}\n", 3, "'dim' is set twice"),
            (f"[pso]\nfunction = {long_line}", 2, f"'{long_line}' is not one of"),
            ("[pso]\nconfig = other.ini\n", 2, "unknown key 'config'"),
            ("[devices]\nmeasure = 7\n", 2, "is not yes or no"),
            ("[shoal]\ndim = 3\n", 2, "unknown key 'dim' in section [shoal]"),
            ("[pso]\ndim = 3\n 4\n", 3, "set twice"),
        ):
            with self.subTest(text=text[:40]):
                path = self.write(text)
                message = self.fails(2, "pso", "--device", "host", "--config", path)
                self.assertIn(f"{path}:{line}: ", message)
                self.assertIn(words, message)

    def test_a_line_of_any_length(self):
        lower = ",".join(["-1.25"] * 400)
        for line in (f"lower = {lower} ; for 400 dimensions", f"  lower:{lower}\t \r", f"lower={lower}" + " " * 300 + ";"):
            path = self.write(f"\ufeff[pso]\n{line}\ndim = 400\nparticles = 4\niterations = 2\n; {lower}\n")
            document = json.loads(self.succeeds("pso", "--device", "host", "--json", "--config", path))
            self.assertEqual(document["params"]["lower"], lower)
        path = self.write("[pso]\ndim = 400\nlower = " + lower + " ; 400 of them\nlower = " + lower + "\n")
        self.assertIn(f"{path}:4: 'lower' is set twice", self.fails(2, "pso", "--device", "host", "--config", path))

    def test_file_that_cannot_be_read(self):
        self.assertIn("No such file", self.fails(1, "pso", "--config", self.folder / "none.ini"))
        self.assertIn("Is a directory", self.fails(1, "pso", "--config", self.folder))


if __name__ == "__main__":
    support.main()
