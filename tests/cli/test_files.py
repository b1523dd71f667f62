#!/usr/bin/env python3
"""Files that the command writes: traces, kernels, man page, completions."""

import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

import support
from support import SMALL, SMALL_SET, Case, commands


def current_umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


class Files(Case):
    def test_trace_file(self):
        path = self.folder / "trace.csv"
        self.succeeds("pso", "--device", "host", "--trace", "5", "--trace-file", path, *SMALL)
        lines = path.read_text().splitlines()
        self.assertEqual(lines[0], "step,value")
        self.assertEqual([line.split(",")[0] for line in lines[1:]], [str(i) for i in range(0, 21, 5)])
        values = [float(line.split(",")[1]) for line in lines[1:]]
        self.assertEqual(values, sorted(values, reverse=True))

    def test_checkpoints_have_the_mode_of_other_files(self):
        path = self.folder / "state"
        self.succeeds("pso", "--device", "host", "--checkpoint", path, *SMALL)
        self.assertEqual(oct(path.stat().st_mode & 0o777), oct(0o666 & ~current_umask()))

    def test_a_resumed_run_compares_the_pair_force(self):
        """Another start from the same state does not: all but the state may be another there."""
        force, state = self.folder / "force.clh", self.folder / "state"
        text = ("#define CUTOFF 2.0\nstatic inline real user_force(real d) {{ return R({0}) / (d * d); }}\n"
                "static inline real user_energy(real d) {{ return R({0}) * R(0.5) / d; }}\n")
        force.write_text(text.format("1.0"))
        self.succeeds("gas", "--particles", "64", "--density", "0.4", "--steps", "40", "--device", "host", "--pair-force", force, "--checkpoint", state)
        force.write_text(text.format("2.0"))
        self.assertIn("force.clh\" as it was before its content changed", self.fails(2, "gas", "--resume", state, "--steps", "80"))
        self.succeeds("gas", "--device", "host", "--start-file", state, "--pair-force", force, "--steps", "10")

    def test_no_output_takes_the_place_of_an_input(self):
        """By whatever name: the same device and inode."""
        data = self.file("d.csv", "a,b\n1,2\n2,4.5\n3,6\n")
        config, page = self.file("c.ini", "[pso]\ndim = 3\n"), self.file("c.html", "[compare]\n")
        link = self.folder / "link"
        os.link(data, link)
        before = data.read_text()
        for args, option in (
            (["tsp", "--data", data, "--out", link], "--out: {0} is the file that --data reads"),
            (["mlp", "--data", data, "--predict", link, "--out", data], "--out: {1} is the file that --data reads"),
            (["mlp", "--data", data, "--target", "b", "--export", f"{self.folder}/m.npy,{link}.npy"], "--export: {0}.npy is the file that --data reads"),
            (["pso", "--data", data, "--model", "p*a", "--fit", "p", "--target-column", "b", "--residuals", link], "--residuals: {0} is the file that --data reads"),
            (["pso", "--config", config, "--trace-file", config], "--trace-file: {2} is the file that --config reads"),
            (["ga", "--function", "qap", "--data", f"{data}:1", "--trace-file", link], "--trace-file: {0} is the file that --data reads"),
            (["gas", "--start", "file", "--start-file", data, "--xyz", link], "--xyz: {0} is the file that --start-file reads"),
            (["compare", "--config", page, "--html", page], "--html: {3} is the file that --config reads"),
        ):
            with self.subTest(args=args):
                if "--export" in args:
                    os.link(data, f"{link}.npy")
                self.assertIn("shoal: " + option.format(link, data, config, page) + ": write to another one\n", self.fails(2, *args))
        self.assertEqual(data.read_text(), before)

    def test_inputs_are_regular_files(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for words in (["pso", "--config"], ["--resume"], ["gas", "--start-file"], ["bench", "--before"]):
            for path in (pipe, "/dev/zero"):
                with self.subTest(words=words, path=path):
                    self.assertRegex(self.fails(1, *words, path), f"{path}.*: it is a pipe or a device: give a regular file")

    def test_standard_input(self):
        """Checks, hashes and each of two devices read it again."""
        gas = ["gas", "--device", "host", "--json"]
        state, frames, config = (self.folder / name for name in ("state", "frames.xyz", "config"))
        force = Path(__file__).parents[2] / "examples/pair_forces/morse.clh"
        config.write_text("[gas]\nparticles = 32\n")
        self.succeeds(*gas, "--particles", "64", "--steps", "10", "--xyz", frames, "--checkpoint", state)
        for words, path in (
            (["gas", "--json", "--steps", "20", "--resume"], state),
            ([*gas, "--steps", "5", "--start-file"], frames),
            ([*gas, "--steps", "5", "--config"], config),
            (["gas", "--device", "all", "--json", "--particles", "64", "--steps", "5", "--pair-force"], force),
        ):
            with self.subTest(words=words):
                with open(path, "rb") as stream:
                    piped = json.loads(self.succeeds(*words, "-", stdin=stream))
                named = json.loads(self.succeeds(*words, path))
                for ours, theirs in zip(piped["rows"], named["rows"], strict=True):
                    self.assertEqual(ours["result"]["value"], theirs["result"]["value"])
        self.assertIn("-: is empty", self.fails(1, *gas, "--start-file", "-"))

    def test_pipes_are_written_to_and_not_replaced(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        end = os.open(pipe, os.O_RDWR)
        self.addCleanup(os.close, end)
        for args, begin in (
            (["--checkpoint", pipe], b"shoal"),
            (["--trace", "5", "--trace-file", pipe], b"           step"),
        ):
            self.succeeds("pso", "--device", "host", *args, *SMALL)
            self.assertTrue(pipe.is_fifo())
            self.assertTrue(os.read(end, 65536).lower().startswith(begin))

    def test_dumped_kernels_hold_an_objective(self):
        text = "#define SHAPE OPAQUE\nstatic inline real objective_value(const real *x, uint dim)\n{\n    return x[0] * R(77.5);\n}\n"
        mine = self.file("mine.clh", text)
        for args, name, part in (([], "sphere", "objective/builtin/sphere.clh"), (["--function", "ackley"], "ackley", "objective/builtin/ackley.clh"),
                                 (["--expr", "sum((x[i] - 77.5)^2)"], None, "77.5"), (["--objective", mine], "mine.clh", "x[0] * R(77.5)")):
            folder = self.folder / f"cl{len(part)}"
            lines = self.succeeds("kernels", "pso", "lib", "--dump", folder, *args).splitlines()
            document = json.loads(self.succeeds("kernels", "pso", "lib", "--dump", folder, *args, "--json"))
            self.assertEqual(document["objective"], name or document["objective"])
            holders = [line.partition("  (")[0] for line in lines if line.endswith(f"  (objective: {document['objective']})")]
            self.assertEqual(document["objective_files"], holders)
            self.assertIn(str(folder / "pso" / "methods" / "fused.cl"), holders)
            self.assertNotIn(str(folder / "lib" / "scan.cl"), holders)
            for path in document["files"]:
                self.assertEqual(part in Path(path).read_text(), path in holders, (part, path))
        self.assertIn("--function: 'nosuch' is not one of sphere, ", self.fails(2, "kernels", "--dump", self.folder, "--function", "nosuch"))
        self.assertIn("--expr needs --dump", self.fails(2, "kernels", "--expr", "x[1]"))
        self.assertIn("--kernel-dir has no effect without --built or --dump", self.fails(2, "kernels", "--kernel-dir", self.folder))
        self.assertIn("--sync has no effect without --built\n", self.fails(2, "kernels", "--sync", "--dump", self.folder))
        self.assertIn("nofile.clh: cannot be read: No such file", self.fails(1, "kernels", "--dump", self.folder, "--objective", "nofile.clh"))

    def test_dumped_kernels_compile(self):
        listed = [line.partition("  (objective: ")[0]
                  for line in self.succeeds("kernels", "--dump", self.folder / "a" / "cl").splitlines()]
        files = sorted(str(path) for path in (self.folder / "a" / "cl").rglob("*.cl"))
        self.assertEqual(sorted(listed), files)
        self.assertTrue(files)
        clang = next(filter(None, map(shutil.which, ("clang", "clang-14", "clang-16"))), None)
        if not clang:
            self.skipTest("no clang")
        for path in files:
            self.assertNotIn("#include", Path(path).read_text())
            done = subprocess.run(
                [
                    clang,
                    "-x",
                    "cl",
                    "-cl-std=CL1.2",
                    "-Xclang",
                    "-finclude-default-header",
                    "-fsyntax-only",
                    path,
                ],
                stderr=subprocess.PIPE,
                text=True,
            )
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_dump_of_one_program(self):
        listed = self.succeeds("kernels", "pso.fused", "--dump", self.folder).split()
        self.assertEqual(listed, [str(self.folder / "pso" / "methods" / "fused.cl"), "(objective:", "sphere)"])

    def test_dump_into_a_file(self):
        (self.folder / "file").write_text("")
        self.fails(1, "kernels", "--dump", self.folder / "file")


class Presets(Case):
    def test_thesis(self):
        self.need_theses()
        document = json.loads(self.succeeds("ga", "--preset", "thesis", "--device", "host", "--seed", "2", "--islands", "3", "--json"))
        self.assertEqual([document["params"][name] for name in ("random", "migration", "islands", "population", "elites")],
                         ["hybridtaus", "mailbox", 3, 128, 0])
        self.assertIn("did you mean 'thesis'", self.fails(2, "ga", "--preset", "thesi"))

    def test_help_lists_what_they_write(self):
        text = self.succeeds("gas", "--help").split("\nPresets:\n")[1].split("\n\n")[0]
        page = self.succeeds("--generate", "man", "gas")
        presets = re.findall(r"^  (\w+)\n((?:      .*\n?)+)", text, re.MULTILINE)
        self.assertEqual([name for name, _ in presets], ["condensation", "piston", "expansion", "quench", "melting"])
        for preset, help_text in presets:
            with self.subTest(preset=preset):
                folder = self.folder / preset
                folder.mkdir()
                self.succeeds("gas", "--preset", preset, "--device", "host", "--particles", "60", "--steps", "20",
                              "--frames", "10", "--thermo", "10", "--equilibration", "0", cwd=folder)
                listed = " ".join(help_text.split()).split("; writes ")[1].split(", ")
                self.assertGreater(len(listed), 1)
                written = {path.name: [name for name in listed if path.match(name)] for path in folder.iterdir()}
                self.assertEqual([name for name, patterns in written.items() if not patterns], [])
                self.assertEqual({name for patterns in written.values() for name in patterns}, set(listed))
                for name in listed:
                    self.assertIn(name.replace("-", "\\-"), page)


class Generated(Case):
    """Man pages and completions."""

    def generated(self, what, *words):
        path = self.folder / what
        path.write_text(self.succeeds("--generate", what, *words))
        return path

    @support.by_turn
    def test_man_pages(self):
        for command in ("pso", "gas", "data", "tune gas"):
            path = self.generated("man", *command.split())
            part = path.read_text().split("\n.SH OPTIONS\n")[1].split("\n.SH ")[0].replace("\\-", "-")
            everything = self.succeeds(*command.split(), "--help", "all").split("\nExamples:")[0]
            self.assertEqual(re.findall(r"(?m)^(?:\\fB-\w\\fR, )?\\fB--([\w-]+)\\fR", part),
                             re.findall(r"(?m)^(?:      |  -\w, )--([\w-]+)", everything))
            self.assertEqual(re.findall(r"(?m)^\.SS (.*)$", part),
                             re.findall(r"(?m)^([A-Z][\w ]*):$", everything.split("\nPresets:")[0]))
        self.assertIn("did you mean 'tune'", self.fails(2, "--generate", "man", "tunes"))
        self.assertIn("unexpected 'gas'", self.fails(2, "--generate", "man", "pso", "gas"))
        self.assertIn("unexpected 'pso'", self.fails(2, "--generate", "zsh", "pso"))
        if not shutil.which("groff"):
            self.skipTest("no groff")
        path = self.generated("man")
        done = subprocess.run(["groff", "-man", "-ww", "-z", path], stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_zsh_syntax(self):
        path = self.generated("zsh")
        self.assertTrue(path.read_text().startswith("#compdef shoal\n"))
        if not shutil.which("zsh"):
            self.skipTest("no zsh")
        subprocess.run(["zsh", "-n", path], check=True)

    def complete(self, *words):
        script = self.generated("bash")
        code = (
            f'. "{script}"; COMP_WORDS=({" ".join(repr(word) for word in words)}); '
            f"COMP_CWORD={len(words) - 1}; _shoal; "
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = subprocess.run(
            ["bash", "--norc", "-c", code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def words_of_message(self, *args):
        """What a message lists as "is not one of A, B, C"."""
        message = self.fails(2, *args, "zzzzzz")
        return message.split("one of ")[1].strip().split(", ")

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash_completion_of_operands_and_presets(self):
        actions = self.words_of_message("data")
        self.assertEqual(self.complete("shoal", "data", "l"), ["least-squares"])
        self.assertLessEqual(set(actions), set(self.complete("shoal", "data", "--dim", "3", "")))
        (self.folder / "table.npy").write_text("")
        self.assertEqual(self.complete("shoal", "data", "info", "ta"), ["table.npy"])
        self.assertEqual(self.complete("shoal", "data", "info", "--lay"), ["--layout"])
        checks = self.words_of_message("verify")
        self.assertIn("gas.drift", checks)
        self.assertEqual([word for word in self.complete("shoal", "verify", "pso", "") if word[0] != "-"], checks)
        self.assertEqual(self.complete("shoal", "verify", "gas.dr"), ["gas.drift"])
        self.assertEqual(self.complete("shoal", "gas", "--preset", ""), self.words_of_message("gas", "--preset"))
        self.assertEqual(self.complete("shoal", "gas", "--preset", "=", "con"), ["condensation"])
        self.assertEqual(self.complete("shoal", "gas", "--prese"), ["--preset"])
        self.assertEqual(self.complete("shoal", "tune", "lib.sc"), ["lib.scan"])
        self.assertIn("gas", self.complete("shoal", "tune", "g"))
        self.assertEqual(self.complete("shoal", "tune", "gas", "--dens"), ["--density"])
        self.assertEqual(self.complete("shoal", "tune", "gas", "--potential", "w"), ["wca"])
        self.assertEqual(self.complete("shoal", "kernels", "lib.scan-s"), ["lib.scan-serial"])

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash_completion_of_help(self):
        for words in (["pso"], ["gas"], ["data"], ["tune", "pso"]):
            groups = self.words_of_message(*words, "--help")
            self.assertEqual(self.complete("shoal", *words, "--help", ""), groups)
            self.assertEqual(self.complete("shoal", *words, "-h", "al"), ["all"])
        self.assertEqual(self.complete("shoal", "gas", "--help", "pai"), ["pair-force"])
        self.assertIn("gas", self.complete("shoal", "help", ""))
        for words in (["pso"], ["gas"], ["tune", "pso"]):
            self.assertEqual(self.complete("shoal", "help", *words, ""), self.words_of_message(*words, "--help"))
        self.assertEqual(self.complete("shoal", "help", "gas", "PAI"), ["pair-force"])
        self.assertLessEqual({"all", "gas", "pso"}, set(self.complete("shoal", "help", "tune", "")))

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash_completion_of_checkpoints_and_in_any_case(self):
        (self.folder / "run.ck").write_text("")
        for words in (["--resume"], ["--resume", "="], ["gas", "--resume"], ["pso", "--steps", "3", "--resume", "="]):
            self.assertEqual(self.complete("shoal", *words, "ru"), ["run.ck"], words)
        self.assertEqual(self.complete("shoal", "--res"), ["--resume"])
        # Behind a checkpoint come the options of its workload.
        self.succeeds("gas", "--device", "host", "--particles", "64", "--steps", "1", "--checkpoint", self.folder / "gas.ck")
        for words in (["--resume", "gas.ck"], ["--resume", "=", "gas.ck"], ["--resume", "gas.ck", "--steps", "9"]):
            self.assertEqual(self.complete("shoal", *words, "--dens"), ["--density"], words)
            self.assertEqual(self.complete("shoal", *words, "--potential", "W"), ["wca"], words)
        self.assertEqual(self.complete("shoal", "--resume", "run.ck", "--dens"), [])
        self.assertEqual(self.complete("shoal", "gas", "--potential", "LJ"), ["lj"])
        self.assertEqual(self.complete("shoal", "pso", "--function", "=", "RAST"), ["rastrigin"])

    def test_bash_completion(self):
        if not shutil.which("bash"):
            self.skipTest("no bash")
        subprocess.run(["bash", "-n", self.generated("bash")], check=True)
        self.assertEqual(self.complete("shoal", "comp"), ["compare"])
        self.assertEqual(self.complete("shoal", "pso", "--func"), ["--function"])
        self.assertEqual(self.complete("shoal", "pso", "--function", "ra"), ["rastrigin"])
        self.assertEqual(self.complete("shoal", "pso", "--function", "=", "ra"), ["rastrigin"])
        self.assertIn("host", self.complete("shoal", "compare", "--device", ""))
        self.assertIn("pso", self.complete("shoal", "compare", "p"))
        self.assertEqual(self.complete("shoal", "pso", "--dim", ""), [])
        (self.folder / "run.ini").write_text("")
        self.assertEqual(self.complete("shoal", "pso", "--config", "run"), ["run.ini"])

    def test_unknown_kind(self):
        self.fails(2, "--generate", "fish")

    def test_option_names_are_unique(self):
        for command in commands():
            names = re.findall(
                r"(?m)^(?:      |  -\w, )--([\w-]+)", self.succeeds(command, "--help", "all").split("\nExamples:")[0]
            )
            self.assertEqual(len(names), len(set(names)), command)


if __name__ == "__main__":
    support.main()
