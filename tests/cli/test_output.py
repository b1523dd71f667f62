#!/usr/bin/env python3
"""What the command prints: help texts and tables for people, JSON for programs."""

import fcntl
import json
import math
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
from pathlib import Path

import support
from support import SMALL, SMALL_SET, Case, commands, environment, opencl_devices, shoal, version

OPTION = re.compile(r"(?m)^(?:      |  -\w, )--([\w-]+)")
GOLDEN = Path(__file__).resolve().parent / "golden"
SCHEMA = Path(__file__).resolve().parent / "schema.json"


# What differs from run to run. Where all rows show the same, a column becomes a part of the line above the table.
TIMES = ("build", "device time", "wall time", "first launch", "particle-steps/s", "evaluations/s")


def without_times(text):
    """Without the columns of times and rates, and without the same in the line of what all rows show."""
    text = re.sub(rf"; (?:{'|'.join(TIMES)}) [^;\n]+", "", text)
    text = re.sub(r"(Not shown in \d+ columns: )[^;]+", r"\1#", text)
    blocks = text.split("\n\n")
    for i, block in enumerate(blocks):
        header = block.split("\n")[0].split("  ")
        if set(header) & set(TIMES):
            blocks[i] = "\n".join(
                "  ".join(cell for name, cell in zip(header, line.split("  ")) if name not in TIMES)
                if line.count("  ") == len(header) - 1 else line for line in block.split("\n"))
    return "\n\n".join(blocks)


# Texts that name options, presets or measurements of the theses: those of a build with them.
OF_THESES = {f"help-{command}{ending}" for command in ("pso", "ga", "tsp", "mlp", "gas", "bench") for ending in ("", "-all")}


class Golden(Case):
    """Texts that people read."""

    def check(self, name, text):
        if name in OF_THESES and not support.has_theses():
            return
        text = text.replace(version(), "VERSION")
        path = GOLDEN / f"{name}.txt"
        if support.UPDATE:
            GOLDEN.mkdir(exist_ok=True)
            path.write_text(text)
        self.assertEqual(
            text, path.read_text(), f"{path.name} differs; test_output.py SHOAL --update rewrites it"
        )

    def test_help_of_each_command(self):
        for command in commands():
            with self.subTest(command=command):
                self.check(f"help-{command}", self.succeeds(command, "--help"))
                everything = self.succeeds(command, "--help", "all")
                if everything != self.succeeds(command, "--help"):
                    self.check(f"help-{command}-all", everything)

    @support.by_turn
    def test_overview(self):
        self.check("overview", self.succeeds())
        for args in (["--help"], ["-h"], ["help"]):
            self.assertEqual(self.succeeds(*args), self.succeeds(), args)

    def test_kernels_fit_80_columns(self):
        self.assertLessEqual(max(map(len, self.succeeds("kernels").splitlines())), 80)

    def test_kernels_as_built(self):
        """On a CPU a group has what was asked for; the number at a time is CUDA's to tell."""
        devices = opencl_devices()
        if not devices:
            self.skipTest("no OpenCL device")
        self.assertIn(f"\n      {devices[0]['id']}: groups of ", self.succeeds("kernels", "lib.scan", "--built", "-d", devices[0]["id"]))
        document = json.loads(self.succeeds("kernels", "lib.scan", "--built", "-d", f"{devices[0]['id']},host", "--json"))
        for entry in document["programs"][0]["entries"]:
            (built,) = entry["built"]
            self.assertEqual((built["device"], built["error"], built["resident_groups"]), (devices[0]["id"], None, None))
            self.assertGreaterEqual(built["work_group_size"], 1)

    def test_help_command_equals_help_option(self):
        for command in commands():
            self.assertEqual(self.succeeds("help", command), self.succeeds(command, "--help"))
            self.assertEqual(self.succeeds("help", command, "all"), self.succeeds(command, "--help=all"))
        self.assertEqual(self.succeeds("help", "tune", "pso", "swarm"), self.succeeds("tune", "pso", "-h", "swarm"))
        self.assertIn("unexpected 'all'", self.fails(2, "help", "pso", "swarm", "all"))

    def test_help_fits_80_columns(self):
        for words in ([], *([command, "--help", topic] for command in (*commands(), "tune pso") for topic in ("", "all"))):
            text = self.succeeds(*" ".join(words).split())
            self.assertLessEqual(max(map(len, text.splitlines())), 80, words)

    def test_help_of_a_long_list_shows_what_matters(self):
        for command in ("pso", "gas", "tune pso", "tune gas"):
            words = command.split()
            short, everything = self.succeeds(*words, "--help"), self.succeeds(*words, "--help", "all")
            self.assertIn(len(OPTION.findall(short)), range(20, 31), command)
            self.assertGreater(len(OPTION.findall(everything)), 55, command)
            self.assertLess(len(everything.splitlines()) * 0.25, len(short.splitlines()))
            # As one line: each option of the short help is as in the long one.
            listed = {line for line in everything.splitlines() if OPTION.match(line)}
            self.assertLessEqual({line for line in short.splitlines() if OPTION.match(line)}, listed)
            self.assertNotIn("\nThesis:\n", short)
            # The group of the thesis is the last.
            headings = re.findall(r"(?m)^(\w[\w ]*):$", re.split("\n(?:Presets|Examples):", everything)[0])
            self.assertEqual([heading for heading in headings if heading != "Thesis"][-1], "Output", command)
            self.assertTrue(headings[-1] == "Thesis" or not support.has_theses(), command)
            self.assertEqual(self.groups(short), [heading.lower().replace(" ", "-") for heading in headings])

    @staticmethod
    def groups(text):
        """At the end of a short help."""
        return re.sub(r"\s+", " ", text.rpartition("'--help GROUP' those of a group:")[2]).strip().split(", ")

    def test_help_of_a_group(self):
        for command in ("pso", "gas", "tune gas"):
            words, seen = command.split(), []
            everything = self.succeeds(*words, "--help", "all")
            for name in self.groups(self.succeeds(*words, "--help")):
                text = self.succeeds(*words, "--help", name)
                usage, _, options = text.partition("\n\n")
                self.assertTrue(usage.startswith(f"Usage: shoal {command} "), usage)
                self.assertIn(options, everything)
                seen += OPTION.findall(options)
                self.assertEqual(self.succeeds(*words, f"--help={name.upper()}"), text)
                self.assertEqual(self.succeeds(*words, "-h", name), text)
            self.assertEqual(sorted(seen), sorted(OPTION.findall(everything)))
        self.check("help-gas-pair-force", self.succeeds("gas", "--help", "pair-force"))
        if support.has_theses():
            self.check("help-gas-thesis", self.succeeds("gas", "--help", "thesis"))
        self.assertIn("--like", self.succeeds("data", "--help", "Thesis"))

    def test_help_of_an_unknown_group(self):
        self.assertRegex(self.fails(2, "gas", "--help", "pair-forse"),
                         r"^shoal: --help: 'pair-forse' is not one of system, pair-force, .*, all; "
                         r"did you mean 'pair-force'\?$")
        if support.has_theses():
            self.assertIn("did you mean 'thesis'?", self.fails(2, "help", "pso", "THESES"))
        self.assertNotIn("did you mean", self.fails(2, "tune", "pso", "--help=zzzzzzzz"))
        # What is no word behind it is not taken for a group, what is before it neither.
        self.assertEqual(self.succeeds("verify", "pso", "--help", "--long"), self.succeeds("verify", "--help"))

    @support.by_turn
    def test_help_has_examples(self):
        for command in commands():
            self.assertIn("\nExamples:\n  shoal ", self.succeeds(command, "--help"))

    def masked(self, text):
        """Without what differs from machine to machine and from run to run: names, times, rates, rounding."""
        device = json.loads(self.succeeds("devices", "--device", "host", "--json"))["devices"][0]
        text = text.replace(device["name"], "NAME")
        # A table may show its first and last letters only.
        text = re.sub(re.escape(device["name"][:5]) + r"\S*(?: \S+)*", "NAME", text)
        text = re.sub(r"\bt\d+\b", "tN", text)
        text = re.sub(r"-?\d(\.\d+)?e[-+]\d\d", "TINY", text)
        text = re.sub(r"((?:error|change): +)\S+", r"\1TINY", text)
        text = re.sub(r"\b[\d.]+ [num]?(s|[KMGT]iB)\b", r"# \1", text)
        text = re.sub(r"((?:/s| share): +)[\d.]+( [kMG]\b)?", r"\1#", text)
        text = re.sub(r"[\d.]+ [kMG]$", "#", text, flags=re.MULTILINE)
        text = re.sub(r"In all rows:.*?\n\n", lambda found: re.sub(r"\n  ", " ", found[0]), text, flags=re.DOTALL)
        # Compilers round the last digits in different ways; lines break by their number.
        text = re.sub(r"-?\d+\.\d{7,}", lambda found: f"{float(found[0]):.6g}", text)
        text = re.sub(r"^((?:position|min|run values):.*(?:\n {10,}\S.*)+)", lambda found: re.sub(r"\n +", " ", found[0]), text,
                      flags=re.MULTILINE)
        # Widths of what is masked; labels are aligned all the same.
        return without_times(re.sub(r"(?<=[^\s:])   +(?=\S)", "  ", text))

    def test_runs_in_80_and_120_columns(self):
        gas = ["gas", "--device", "host", "--particles", "64", "--steps", "20"]
        real = ["--potential", "real", "--boundary-x", "walls", "--boundary-y", "walls", "--control"]
        for name, args in (
            ("pso", ["pso", "--device", "host", "--refine", "none", *SMALL]),
            ("pso-runs", ["pso", "--device", "host", "--refine", "none", "--runs", "4", "--trace", "5", *SMALL]),
            ("gas", gas),
            ("gas-equilibration", [*gas, "--equilibration", "10"]),
            ("gas-thermo", [*gas, "--thermo", "5"]),
            ("gas-thermostat", [*gas, "--thermo", "5", "--thermostat", "rescale"]),
            ("gas-two-rows", [*gas, *real]),
            ("gas-two-rows-verbose", [*gas, *real, "--verbose"]),
            ("devices", ["devices", "--device", "host"]),
        ):
            for width in (80, 120):
                with self.subTest(name=name, width=width):
                    text = self.succeeds(*args, env=environment(COLUMNS=str(width)))
                    self.assertLessEqual(max(map(len, text.splitlines())), width)
                    if name == "devices":
                        text = re.sub(r"(?<=  )\d+(?=  )", "#", text.split("\n\n")[0]) + "\n"
                    self.check(f"{name}-{width}", self.masked(text))

    def test_one_run_is_a_block(self):
        text = self.succeeds("pso", "--device", "host", *SMALL, env=environment(COLUMNS="120"))
        lines = text.split("\n\n")[1].splitlines()
        labels = [line.split(":")[0] for line in lines]
        self.assertEqual(labels[:3], ["device", "variant", "name"])
        self.assertIn("evaluations/s", labels)
        self.assertNotIn("device  variant", text)
        # Values begin in one column.
        self.assertEqual(len({re.match(r"[^:]+: +", line).end() for line in lines}), 1)
        self.assertRegex(text, r"\Apso  rastrigin, dim 4; dim=4 particles=32 seed=1 iterations=20 precision=fp64\n")

    def test_head_says_what_was_computed(self):
        device = self.needs_opencl()
        head = self.succeeds("pso", "--device", f"host,{device}", *SMALL).split("\ncheck")[0].split("\n1 run")[0]
        self.assertRegex(" ".join(head.split()), r" precision=fp32 \(host: fp64\)$")
        head = self.succeeds("gas", "--device", "host", "--particles", "64", "--steps", "2", "--precision", "mixed")
        self.assertIn(" precision=fp64", head.split("\ncheck")[0])

    def test_narrow_table_says_what_it_leaves_out(self):
        args = ["gas", "--device", "host", "--particles", "64", "--steps", "20", "--potential", "real",
                "--boundary-x", "walls", "--boundary-y", "walls", "--control"]
        texts = [self.succeeds(*args, env=environment(COLUMNS=str(width))) for width in (60, 200)]
        self.assertIn("Not shown in 60 columns: wall time, ", texts[0])
        self.assertNotIn("wall time  ", texts[0])
        self.assertNotIn("Not shown", texts[1])
        self.assertIn("  wall time  ", texts[1])
        for text in texts:
            self.assertRegex(text, r"\nIn all rows: variant t\d+; name ")
            self.assertRegex(text.replace("\n  ", " "), r"; check pass; steps 20\b")

    def test_table_of_devices(self):
        header = self.succeeds("devices", env=environment(COLUMNS="200")).splitlines()[0]
        columns = re.split(r"  +", header)
        self.assertEqual(columns[:7], ["id", "name", "type", "platform", "driver", "units", "available"])
        self.assertIn("fp64", columns)

    def test_table_fits_the_terminal(self):
        width = 100
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        process = subprocess.Popen(
            [support.SHOAL, "devices", "--device", "host"],
            env=environment(),
            stdout=slave,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        os.close(slave)
        text = b""
        try:
            while part := os.read(master, 4096):
                text += part
        except OSError:  # Linux reports the closed end of a terminal so
            pass
        self.assertEqual(process.wait(), 0)
        table = text.decode().replace("\r", "").split("\n\n")[0]
        self.assertLessEqual(max(map(len, table.splitlines())), width)
        self.assertIn("\nhost ", table)


class Progress(Case):
    """The line of a run on a terminal."""

    def lines(self, width, last, *args):
        """Those of a run that is stopped once one matches `last`."""
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        run = subprocess.Popen([support.SHOAL, *args, "--device", "host"],
                               env=environment(TERM="xterm", SHOAL_PROGRESS="auto"), stderr=slave,
                               stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        os.close(slave)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        lines, text = [], ""
        while not any(re.search(last, line) for line in lines):
            self.assertTrue(select.select([master], [], [], 120)[0], f"no more progress: {lines!r}")
            text += os.read(master, 4096).decode()
            self.assertLess(len(text), 20000, text[-200:])
            lines = [line.removesuffix("\x1b[K") for line in text.split("\r")[1:-1]]
        run.send_signal(signal.SIGINT)
        self.assertNotIn("\x1b", "".join(lines))
        return lines

    def test_swarm(self):
        whole = r"^pso  host  \d+ %  \d+ (s|min|h|days) left  best [-\d.e+]+  step \d+ of 4294967040$"
        lines = self.lines(80, whole, "pso", "--iterations", "4294967040")
        self.assertLess(max(map(len, lines)), 80)
        self.assertEqual(lines[0], "pso  reads and checks its input")
        self.assertIn("pso  host  reads its input and builds kernels", lines)
        self.assertIn("pso  host  initial state and first step", lines)

    def test_time_limit(self):
        last = r"^pso  host  \d+ %  \d+ s left  best [-\d.e+]+  \d+ of 90 s  step \d+$"
        lines = self.lines(80, last, "pso", "--iterations", "4294967040", "--time", "90")
        self.assertIn(int(re.search(r"  (\d+) s left", lines[-1])[1]), range(1, 91))

    def test_gas(self):
        args = ["gas", "--particles", "64", "--steps", "4294967040", "--thermo", "100", "--thermo-file", self.folder / "t"]
        lines = self.lines(80, r"^gas  host  \d+ %  \d+ \w+ left  T [\d.]+  step \d+ of 4294967040$", *args)
        self.assertLess(max(map(len, lines)), 80)
        # Also before a sample behind step 0 is taken, and in the equilibration.
        for steps in (["--steps", "4294967040"], ["--steps", "40", "--equilibration", "4294967000"]):
            self.lines(80, r" left  T [\d.]+  step ", "gas", "--particles", "64", *steps)

    def test_narrow_terminal(self):
        lines = self.lines(30, r"^pso  host  \d+ %  \d+ \w+ left$", "pso", "--iterations", "4294967040")
        self.assertLess(max(map(len, lines)), 30)

    WORKLOADS = (["pso", *SMALL], ["ga", "--dim", "4", "--population", "32", "--iterations", "20"],
                 ["tsp", "--generate", "uniform:50:1", "--iterations", "5"],
                 ["mlp", "--generate", "teacher:400", "--epochs", "3"], ["gas", "--particles", "64", "--steps", "20"])

    def test_log(self):
        """Where stderr is no terminal: asked for, a line comes at once; the next ones depend on the clock."""
        for args in self.WORKLOADS:
            with self.subTest(args[0]):
                done = shoal(*args, "--device", "host", "--progress", "yes", "-q", env=environment(TERM="xterm"))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotRegex(done.stderr, r"[\r\x1b]")
                # What is read before the run may be slow to read, too.
                self.assertRegex(done.stderr, rf"\A(shoal: {args[0]}  [^\n]+\n)+\Z")
                quiet = shoal(*args, "--device", "host", "--progress", "no", env=environment(TERM="xterm"))
                self.assertEqual((quiet.returncode, quiet.stderr), (0, ""))

    def test_terminal_without_lines(self):
        for term, args in (("xterm", ["--progress", "no"]), ("xterm", ["-q"]), ("dumb", ["-q"])):
            master, slave = pty.openpty()
            self.addCleanup(os.close, master)
            done = shoal("pso", "--device", "host", *SMALL, *args, env=environment(TERM=term, SHOAL_PROGRESS="auto"),
                         stderr=slave)
            self.assertEqual((done.returncode, select.select([master], [], [], 0)[0]), (0, []), (term, args))
            os.close(slave)

    def test_default(self):
        """The environment gives it, and options and configuration files win."""
        config = self.file("run.ini", "[shoal]\nprogress = no\n")
        for value, args, shown in (("yes", [], True), ("no", [], False), ("yes", ["--progress", "no"], False),
                                   ("no", ["--progress", "yes"], True), ("yes", ["--config", config], False)):
            done = shoal("pso", "--device", "host", *SMALL, *args, env=environment(SHOAL_PROGRESS=value))
            self.assertEqual((done.returncode, bool(done.stderr)), (0, shown), done.stderr)
        self.assertEqual(self.fails(2, "pso", *SMALL, env=environment(SHOAL_PROGRESS="often")),
                         "shoal: SHOAL_PROGRESS: 'often' is not one of auto, yes, no\n")


class Json(Case):
    """Every document against schema.json: keys are an interface.

    A schema is a kind ("text", "integer", "number", "flag", "null", "array", "object"), "=text" for that text
    alone, "@name" for another schema of the file, a list of alternatives, {"each": schema} for an array, or an
    object with a schema for each key; a key that ends in "?" may be missing, no other key may be there.
    """

    def matches(self, value, schema, where):
        if isinstance(schema, list):  # any of
            for choice in schema:
                try:
                    return self.matches(value, choice, where)
                except AssertionError:
                    continue
            self.fail(f"{where}: {value!r} fits none of {schema!r}")
        if isinstance(schema, str) and schema.startswith("="):
            return self.assertEqual(value, schema[1:], where)
        if isinstance(schema, str):
            kinds = {
                "text": str,
                "integer": int,
                "number": (int, float),
                "flag": bool,
                "null": type(None),
                "array": list,
                "object": dict,
            }
            self.assertIsInstance(value, kinds[schema], where)
            return self.assertEqual(schema == "flag", isinstance(value, bool), where)
        if "each" in schema:
            self.assertIsInstance(value, list, where)
            for i, item in enumerate(value):
                self.matches(item, schema["each"], f"{where}[{i}]")
            return None
        self.assertIsInstance(value, dict, where)
        for key, part in schema.items():
            optional = key.endswith("?")
            key = key.rstrip("?")
            if key in value:
                self.matches(value[key], part, f"{where}.{key}")
            else:
                self.assertTrue(optional, f"{where}: no key {key}")
        known = {key.rstrip("?") for key in schema}
        self.assertEqual(set(value) - known, set(), f"{where}: keys that the schema does not have")
        return None

    def check(self, name, *args, code=0):
        schemas = json.loads(SCHEMA.read_text())

        def expand(schema):
            if isinstance(schema, str) and schema.startswith("@"):
                return expand(schemas[schema[1:]])
            if isinstance(schema, dict):
                return {key: expand(part) for key, part in schema.items()}
            return [expand(part) for part in schema] if isinstance(schema, list) else schema

        done = shoal(*args)
        self.assertEqual(done.returncode, code, done.stderr)
        document = json.loads(done.stdout)
        self.matches(document, expand(schemas[name]), name)
        self.assertEqual([f"shoal: {error['message']}" for error in document.get("errors", [])],
                         done.stderr.splitlines())
        return document

    def test_devices(self):
        self.check("devices", "devices", "--json")
        self.check("devices", "devices", "--links", "--json")

    def test_workload(self):
        document = self.check("workload", "pso", "--device", "all", "--json", "--trace", "5", *SMALL)
        for row in document["rows"]:
            fields = row["result"]["fields"]
            self.assertEqual(len(fields["position"]), 4)
            self.assertEqual(len(fields["trace"]), 5)
            self.assertEqual(row["result"]["steps"], 20)

    def test_samples(self):
        document = self.check("workload", "pso", "--device", "host", "--json", "--trace", "5", *SMALL)
        self.assertEqual(document["rows"][0]["series"]["step"], [0, 5, 10, 15, 20])
        gas = ["gas", "--device", "host", "--particles", "64", "--steps", "20", "--thermo", "10"]
        path = self.folder / "lines.jsonl"
        row, = self.check("workload", *gas, "--json", "--thermo-file", path)["rows"]
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        self.assertEqual(list(row["series"]), list(lines[0]))
        for key, values in row["series"].items():
            for value, line in zip(values, lines, strict=True):
                self.assertEqual(value is None, line[key] is None)
                self.assertTrue(value is None or math.isclose(value, line[key], rel_tol=1e-14), key)
        self.assertEqual(row["series"]["step"], [0, 10, 20])
        row, = self.check("workload", *gas[:-2], "--json")["rows"]
        self.assertNotIn("series", row)

    def test_errors(self):
        none = self.folder / "none"
        for code, command, args in (
            (2, "pso", ["pso", "--dimm", "3", "--json"]),
            (2, "", ["psso", "--json"]),
            (2, "", ["--jsn", "--json"]),
            (1, "", ["--resume", none, "--json"]),
            (2, "pso", ["pso", "--json", "--expr", "sum("]),
            (1, "gas", ["gas", "--json", "--start-file", none]),
            (3, "devices", ["devices", "--json", "--device", "nosuch:7"]),
            (2, "compare", ["compare", "--json", "psso"]),
            (2, "bench", ["bench", "--json", "nothing.like.that"]),
            (2, "tune gas", ["tune", "gas", "--json", "--dimm", "3"]),
            (1, "data", ["data", "info", none, "--json"]),
        ):
            with self.subTest(args=args):
                document = self.check("failed", *args, code=code)
                self.assertEqual(document["command"], command)
                self.assertEqual([error["code"] for error in document["errors"]], [code])

    def test_errors_of_files_after_a_run(self):
        document = self.check("workload", "pso", "--device", "host", "--json", "--plot", "/dev/full", *SMALL, code=1)
        self.assertIn("/dev/full: cannot be written", document["errors"][0]["message"])
        self.assertEqual(document["rows"][0]["result"]["check"], "pass")

    def test_seed_is_text_and_exact(self):
        document = json.loads(
            self.succeeds("pso", "--device", "host", "--json", "--seed", "18446744073709551615", *SMALL)
        )
        self.assertEqual(document["params"]["seed"], "18446744073709551615")

    def test_same_seed_same_result(self):
        results = [
            json.loads(self.succeeds("pso", "--device", "host", "--json", *SMALL))["rows"][0]["result"]
            for _ in range(2)
        ]
        self.assertEqual(results[0], results[1])

    def test_report(self):
        path = Path(__file__).resolve().parents[2] / "bench" / "results" / "compute" / "h200-compare-2026-11-25.json"
        document = self.check("report", "report", "--json", path, "--baseline", path)
        self.assertEqual(document["regressions"], [])
        self.assertEqual(document["runs"][0]["rows"], 21)

    def test_compare(self):
        document = self.check("compare", "compare", "--json", "--samples", "2", "--set", SMALL_SET)
        devices = {device["id"] for device in document["devices"]}
        self.assertEqual({row["device"] for row in document["rows"]}, devices)
        self.assertTrue(all(row["speed"] == 1 for row in document["rows"] if row["device"] == document["baseline"]))

    def test_bench(self):
        document = self.check("bench", "bench", "--json", "--device", "host", "--filter",
                              "pso.global.rastrigin30-1024", "--time", "0")
        self.assertTrue(document["rows"])

    def test_kernels(self):
        document = self.check("kernels", "kernels", "--json")
        self.assertIn("pso.fused", [program["name"] for program in document["programs"]])
        some = json.loads(self.succeeds("kernels", "lib", "--json"))["programs"]
        self.assertTrue(some and all(program["name"].startswith("lib.") for program in some))

    def test_cache(self):
        document = self.check("cache", "cache", "--json", "--cache-dir", self.folder / "cache")
        self.assertEqual((document["entries"], document["bytes"]), (0, 0))
        self.succeeds("cache", "--clear", "--cache-dir", self.folder / "cache")

    def test_failed_row_has_no_figures(self):
        device = self.needs_opencl()
        done = shoal("pso", "--device", device, "--variant", "cu", "--json", *SMALL)
        self.assertEqual(done.returncode, 1)
        row = json.loads(done.stdout)["rows"][0]
        self.assertIsNone(row["result"])
        self.assertIsNone(row["device_s"])
        self.assertEqual(row["samples"], 0)
        self.assertIn("status", row["error"])


if __name__ == "__main__":
    support.main()
