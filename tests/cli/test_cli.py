#!/usr/bin/env python3
"""The shoal command from outside: output, exit codes, files, signals.

usage: test_cli.py SHOAL [--update] [unittest arguments]

--update rewrites the golden files from what the command prints now. Only the standard library is needed;
a case whose tool or device is missing is skipped. No case depends on how long anything takes.
"""
import json
import os
import pty
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

SHOAL = ""
UPDATE = False
GOLDEN = Path(__file__).resolve().parent / "golden"
SCHEMA = Path(__file__).resolve().parent / "schema.json"
SMALL = ["--dim", "4", "--particles", "32", "--iterations", "20"]
SMALL_SET = "pso.dim=4,pso.particles=32,pso.iterations=20"


def environment(**changes):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SHOAL_")}
    env.update(LC_ALL="C", **changes)
    return env


def shoal(*args, env=None, stdout=subprocess.PIPE, **more):
    return subprocess.run([SHOAL, *map(str, args)], env=env or environment(), stdout=stdout, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True, timeout=300, **more)


def opencl_devices():
    devices = json.loads(shoal("devices", "--json").stdout)["devices"]
    return [d for d in devices if d["backend"] == "opencl"]


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="shoal-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def succeeds(self, *args, **more):
        done = shoal(*args, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def fails(self, code, *args, **more):
        """Exit code and exactly one line on stderr, which is returned."""
        done = shoal(*args, **more)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertRegex(done.stderr, r"\Ashoal: [^\n]+\n\Z")
        return done.stderr

    def needs_opencl(self):
        devices = opencl_devices()
        if not devices:
            self.skipTest("no OpenCL device")
        return devices[0]["id"]


class Golden(Case):
    """Texts that people read."""

    def check(self, name, text):
        text = text.replace(version(), "VERSION")
        path = GOLDEN / f"{name}.txt"
        if UPDATE:
            GOLDEN.mkdir(exist_ok=True)
            path.write_text(text)
        self.assertEqual(text, path.read_text(), f"{path.name} differs; test_cli.py SHOAL --update rewrites it")

    def test_help_of_each_command(self):
        for command in commands():
            with self.subTest(command=command):
                self.check(f"help-{command}", self.succeeds(command, "--help"))

    def test_overview(self):
        self.check("overview", self.succeeds())
        for args in (["--help"], ["-h"], ["help"]):
            self.assertEqual(self.succeeds(*args), self.succeeds(), args)

    def test_help_command_equals_help_option(self):
        for command in commands():
            self.assertEqual(self.succeeds("help", command), self.succeeds(command, "--help"))

    def test_help_fits_80_columns(self):
        for command in commands():
            text = self.succeeds(command, "--help").split("\nExamples:\n")[0]
            self.assertLessEqual(max(map(len, text.splitlines())), 80, command)

    def test_help_has_examples(self):
        for command in commands():
            self.assertIn("\nExamples:\n  shoal ", self.succeeds(command, "--help"))

    def test_table_of_a_run_on_the_host(self):
        text = self.succeeds("pso", "--device", "host", *SMALL)
        header, row = [line for line in text.splitlines() if line.startswith(("device ", "host  "))]
        self.assertEqual(re.split(r"  +", header), ["device", "variant", "name", "best", "error", "check", "steps",
                                                    "device time", "wall time", "build", "first launch",
                                                    "evaluations/s"])
        # Words start below their title, numbers end below it.
        for title in ("variant", "name", "check"):
            at = header.index(title)
            self.assertEqual(row[at - 1], " ", title)
            self.assertNotEqual(row[at], " ", title)
        for title in ("best", "error", "steps", "device time", "wall time", "build", "first launch"):
            end = re.search(rf"\b{title}  ", header + "  ").end() - 2
            self.assertNotEqual(row[end - 1], " ", title)
            self.assertEqual(row[end : end + 1], " ", title)
        self.assertRegex(text, r"\Apso  function=\w+ dim=4 particles=32 iterations=20 seed=1 ")

    def test_table_of_devices(self):
        header = self.succeeds("devices").splitlines()[0]
        self.assertEqual(re.split(r"  +", header), ["id", "name", "type", "platform", "driver", "units", "memory",
                                                    "local", "fp64", "note"])


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

    def test_missing_value(self):
        self.assertIn("--dim needs a value", self.fails(2, "pso", "--dim"))
        self.assertIn("-d", self.fails(2, "pso", "-d"))

    def test_abbreviation(self):
        self.assertIn("fits several options", self.fails(2, "pso", "--p", "3"))
        self.succeeds("pso", "--device", "host", "--func", "sphere", *SMALL)

    def test_ranges(self):
        for args, words in (
            (["--dim", "0"], "--dim: 0 is out of range; give 1 to"),
            (["--dim", "-1"], "--dim: '-1' is not a whole number"),
            (["--dim", "1.5"], "not a whole number"),
            (["--seed", "18446744073709551616"], "not a whole number"),
            (["--inertia", "nan"], "not a finite number"),
            (["--inertia", "1e9"], "out of range"),
            (["--inertia", "0,7"], "not a finite number"),
            (["--function", "rastrign"], "did you mean 'rastrigin'?"),
            (["--variant", "x"], "is not one of auto, cl, cu"),
            (["--json=maybe"], "is not yes or no"),
            (["--device", ""], "needs a text"),
        ):
            with self.subTest(args=args):
                self.assertIn(words, self.fails(2, "pso", *args))

    def test_numbers_with_suffix(self):
        params = json.loads(self.succeeds("pso", "--device", "host", "--json", "--dim", "2", "--particles", "1Ki",
                                          "--iterations", "1e1"))["params"]
        self.assertEqual((params["particles"], params["iterations"]), (1024, 10))

    def test_operands(self):
        self.assertIn("unexpected 'extra'", self.fails(2, "pso", "extra"))
        self.assertIn("unknown workload 'psoo'", self.fails(2, "compare", "psoo"))
        self.assertIn("no program 'pso.nothing'", self.fails(2, "kernels", "pso.nothing"))

    def test_cross_field_rule_of_the_workload(self):
        self.fails(2, "pso", "--device", "host", "--lower", "1", "--upper", "-1")

    def test_options_that_need_others(self):
        self.assertIn("--trace N", self.fails(2, "pso", "--device", "host", "--trace-file", "x", *SMALL))
        if opencl_devices():
            message = self.fails(2, "pso", "--device", "all", "--checkpoint", "x", *SMALL)
            self.assertIn("one device", message)

    def test_set_of_compare(self):
        for text, words in (("dim=3", "is not WORKLOAD.NAME=VALUE"), ("pso.dim", "is not WORKLOAD.NAME=VALUE"),
                            ("pso.dimm=3", "no option pso.dimm"), ("x.dim=3", "no option x.dim"),
                            ("pso.dim=0", "--set pso.dim: 0 is out of range")):
            self.assertIn(words, self.fails(2, "compare", "--device", "host", "--set", text))

    def test_kernel_folder_that_is_not_there(self):
        self.assertIn("no such folder", self.fails(2, "pso", "--kernel-dir", self.folder / "none", *SMALL))

    def test_short_options_in_one_word(self):
        self.assertEqual(self.succeeds("pso", "-qdhost", "--json", *SMALL)[0], "{")

    def test_flag_taken_back(self):
        self.assertIn("device", self.succeeds("pso", "-d", "host", "--json", "--json=no", *SMALL).split("\n")[3])


class Config(Case):
    """--config"""

    def write(self, text):
        path = self.folder / "run.ini"
        path.write_text(text)
        return path

    def test_values_and_precedence(self):
        path = self.write("; comment\n[shoal]\ndevice = host\njson = yes\nquiet = no\n[pso]\nfunction = sphere ; inline\n"
                          "dim = 3\nparticles = 16\niterations = 7\nquiet = yes\n[compare]\nsamples = 2\n")
        params = json.loads(self.succeeds("pso", "--config", path))["params"]
        self.assertEqual((params["function"], params["dim"], params["iterations"]), ("sphere", 3, 7))
        params = json.loads(self.succeeds("pso", "--iterations", "9", "--config", path, "--dim=2"))["params"]
        self.assertEqual((params["dim"], params["iterations"]), (2, 9))

    def test_compare_takes_the_section_of_each_workload(self):
        path = self.write("[shoal]\ndevice = host\n[pso]\ndim = 3\nparticles = 16\niterations = 7\n[compare]\nsamples = 2\n")
        result = json.loads(self.succeeds("compare", "pso", "--json", "--config", path, "--set", "pso.iterations=5"))
        self.assertEqual((result["params"]["pso"]["dim"], result["params"]["pso"]["iterations"]), (3, 5))
        self.assertEqual(result["rows"][0]["samples"], 2)

    def test_errors_name_file_and_line(self):
        long_line = "x" * 300
        for text, line, words in (
            ("[pso]\ndim = 3\nitertions = 4\n", 3, "did you mean 'iterations'?"),
            ("[pso]\ndim = 3\ndim = 4\n", 3, "set twice"),
            ("dim = 3\n", 1, "outside a section"),
            ("[pos]\ndim = 3\n", 2, "unknown section [pos]"),
            ("[pso]\ndim = 3\nnonsense\n", 3, "neither a [section] nor"),
            ("[pso\ndim = 3\n", 1, "the section has no ']'"),
            ("[pso]\n\ndim = many\n", 3, "dim: 'many' is not a whole number"),
            ("[pso]\ndim =\n", 2, "not a whole number"),
            (f"[pso]\n# {long_line}\n", 2, "longer than 198 characters"),
            (f"[pso]\nfunction = {long_line}", 2, "longer than 198 characters"),
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

    def test_longest_line(self):
        path = self.write("[pso]\ndim = 3 ;" + "x" * (198 - len("dim = 3 ;")) + "\niterations = 2\n")
        self.succeeds("pso", "--device", "host", "--config", path)

    def test_file_that_cannot_be_read(self):
        self.assertIn("No such file", self.fails(2, "pso", "--config", self.folder / "none.ini"))
        self.assertIn("Is a directory", self.fails(2, "pso", "--config", self.folder))


class Devices(Case):
    def test_unknown_device_lists_the_ids(self):
        for command in ("devices", "pso", "compare"):
            message = self.fails(3, command, "--device", "nosuch:7")
            self.assertIn("nosuch:7", message)
            self.assertIn("host", message)

    def test_no_driver(self):
        env = environment(OCL_ICD_VENDORS="/nonexistent", CUDA_VISIBLE_DEVICES="")
        text = self.succeeds("devices", env=env)
        self.assertIn("\nhost ", text)
        self.assertRegex(text, r"(?m)^opencl: .*install .*pocl-opencl-icd")
        self.assertIn("\nhost ", self.succeeds("pso", "--device", "host", *SMALL, env=env))
        result = json.loads(self.succeeds("devices", "--json", env=env))
        notes = {b["name"]: b for b in result["backends"]}
        self.assertFalse(notes["opencl"]["available"])
        self.assertTrue(notes["opencl"]["note"])
        self.assertIn("host", self.fails(3, "pso", "--device", "opencl:0", env=env))

    def test_a_failed_device_has_its_reason_and_the_others_go_on(self):
        device = self.needs_opencl()
        done = shoal("pso", "--device", f"{device},host", "--variant", "cu", *SMALL)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, rf"(?m)^{device} .*not supported")
        self.assertRegex(done.stdout, r"(?m)^host .* pass ")
        self.assertRegex(done.stderr, rf"\Ashoal: .*{device}.*\n\Z")

    def test_measure(self):
        result = json.loads(self.succeeds("devices", "--measure", "--device", "host", "--json"))
        roofs = result["devices"][0]["roofs"]
        for key in ("fp32_flops", "fp64_flops", "sfu_ops", "copy_bytes", "launch_us"):
            self.assertGreater(roofs[key], 0, key)
        self.assertRegex(self.succeeds("devices", "--measure", "--device", "host"), r"(?m)^host .*flop/s.*B/s")


class Json(Case):
    """Every document against schema.json: keys are an interface.

    A schema is a kind ("text", "integer", "number", "flag", "null", "array", "object"), "=text" for that text alone,
    "@name" for another schema of the file, a list of alternatives, {"each": schema} for an array, or an object
    with a schema for each key; a key that ends in "?" may be missing, and no other key may be there.
    """

    def matches(self, value, schema, where):
        if isinstance(schema, list):  # any of
            errors = []
            for choice in schema:
                try:
                    return self.matches(value, choice, where)
                except AssertionError as error:
                    errors.append(str(error))
            self.fail(f"{where}: {value!r} fits none of {schema!r}")
        if isinstance(schema, str) and schema.startswith("="):
            return self.assertEqual(value, schema[1:], where)
        if isinstance(schema, str):
            kinds = {"text": str, "integer": int, "number": (int, float), "flag": bool, "null": type(None),
                     "array": list, "object": dict}
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

    def check(self, name, *args):
        schemas = json.loads(SCHEMA.read_text())

        def expand(schema):
            if isinstance(schema, str) and schema.startswith("@"):
                return expand(schemas[schema[1:]])
            if isinstance(schema, dict):
                return {key: expand(part) for key, part in schema.items()}
            return [expand(part) for part in schema] if isinstance(schema, list) else schema

        document = json.loads(self.succeeds(*args))
        self.matches(document, expand(schemas[name]), name)
        return document

    def test_devices(self):
        self.check("devices", "devices", "--json")

    def test_workload(self):
        document = self.check("workload", "pso", "--device", "all", "--json", "--trace", "5", *SMALL)
        for row in document["rows"]:
            fields = row["result"]["fields"]
            self.assertEqual(len(fields["position"]), 4)
            self.assertEqual(len(fields["trace"]), 5)
            self.assertEqual(row["result"]["steps"], 20)

    def test_seed_is_text_and_exact(self):
        document = json.loads(self.succeeds("pso", "--device", "host", "--json", "--seed", "18446744073709551615",
                                            *SMALL))
        self.assertEqual(document["params"]["seed"], "18446744073709551615")

    def test_same_seed_same_result(self):
        results = [json.loads(self.succeeds("pso", "--device", "host", "--json", *SMALL))["rows"][0]["result"]
                   for _ in range(2)]
        self.assertEqual(results[0], results[1])

    def test_compare(self):
        document = self.check("compare", "compare", "--json", "--samples", "2", "--set", SMALL_SET)
        devices = {device["id"] for device in document["devices"]}
        self.assertEqual({row["device"] for row in document["rows"]}, devices)
        self.assertEqual(document["rows"][0]["speed"], 1)

    def test_kernels(self):
        document = self.check("kernels", "kernels", "--json")
        self.assertIn("pso.swarm", [program["name"] for program in document["programs"]])
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


class Failures(Case):
    """Each documented exit code that a healthy machine can be made to return."""

    def kernels(self, edit):
        self.succeeds("kernels", "--dump", self.folder / "cl")
        path = self.folder / "cl" / "pso" / "swarm.cl"
        path.write_text(edit(path.read_text()))
        return self.folder / "cl"

    def test_kernel_that_does_not_compile(self):
        device = self.needs_opencl()
        folder = self.kernels(lambda text: text + "\n__kernel void broken(undeclared x) {}\n")
        done = shoal("pso", "--device", device, "--kernel-dir", folder, "--no-cache", *SMALL)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("does not compile", done.stderr)
        self.assertIn("undeclared", done.stderr)
        self.assertIn(device, done.stdout)

    def test_device_memory(self):
        device = self.needs_opencl()
        done = shoal("pso", "--device", device, "--particles", "268435456", "--dim", "1048576")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertRegex(done.stderr, r"\Ashoal: [^\n]+\n\Z")

    def test_result_that_fails_its_check(self):
        device = self.needs_opencl()
        # A device that reports other values than its positions have.
        folder = self.kernels(lambda text: re.sub(r"(?<!real )objective_value\(", "1 + objective_value(", text))
        done = shoal("pso", "--device", device, "--kernel-dir", folder, "--no-cache", "--json", *SMALL)
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertIsNone(json.loads(done.stdout)["rows"][0]["result"])

    def test_full_disk_under_stdout(self):
        for args in (["devices"], ["devices", "--json"], ["help"], ["kernels"], ["pso", "-dhost", *SMALL]):
            with self.subTest(args=args), open("/dev/full", "w") as full:
                message = self.fails(1, *args, stdout=full)
                self.assertIn("No space left on device", message)

    def test_closed_stdout(self):
        done = subprocess.run(["/bin/sh", "-c", 'exec "$0" devices >&-', SHOAL], env=environment(),
                              stderr=subprocess.PIPE, text=True, timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertIn("stdout", done.stderr)

    def test_closed_pipe_is_quiet(self):
        for args in (["kernels"], ["help", "pso"], ["pso", "-dhost", "--json", *SMALL]):
            with self.subTest(args=args):
                reader, writer = os.pipe()
                os.close(reader)
                done = shoal(*args, stdout=writer)
                os.close(writer)
                self.assertEqual((done.returncode, done.stderr), (141, ""))

    def test_page_that_cannot_be_written(self):
        args = ["compare", "--device", "host", "--roofs", "no", "--samples", "1", "--set", SMALL_SET]
        done = shoal(*args, "--html", self.folder / "none" / "page.html")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Ashoal: --html: [^\n]+No such file or directory\n\Z")
        self.assertIn("\nhost ", done.stdout)
        done = shoal(*args, "--html", "/dev/full")
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)

    def test_no_partial_file_when_the_disk_is_full(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        page = self.folder / "page.html"
        page.write_text("before")
        done = shoal("compare", "--device", "host", "--roofs", "no", "--samples", "1", "--no-cache", "--set", SMALL_SET,
                     "--html", page, preexec_fn=small_files)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(page.read_text(), "before")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["page.html"])


class Signals(Case):
    """Ctrl-C ends a run in order; no case waits for a time, only for what the command prints."""

    def start(self, *args):
        """Runs on a pseudo-terminal for stderr, so that the progress line tells when the steps have begun."""
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = subprocess.Popen([SHOAL, *map(str, args)], env=environment(TERM="xterm"), stdout=subprocess.PIPE,
                                   stderr=slave, stdin=subprocess.DEVNULL, text=True)
        os.close(slave)
        seen = b""
        while b" step " not in seen:
            self.assertTrue(select.select([master], [], [], 120)[0], f"no progress line: {seen!r}")
            seen += os.read(master, 4096)
        return process

    def interrupt(self, number, *args):
        process = self.start(*args)
        process.send_signal(number)
        text, _ = process.communicate(timeout=120)
        return process.returncode, text

    LONG = ["--dim", "30", "--particles", "1024", "--iterations", "4294967040"]

    def test_result_so_far(self):
        code, text = self.interrupt(signal.SIGINT, "pso", "--device", "host", "--json", *self.LONG)
        self.assertEqual(code, 130)
        row = json.loads(text)["rows"][0]
        self.assertEqual(row["status"], "stopped")
        self.assertEqual(row["result"]["check"], "pass")
        self.assertGreater(row["result"]["steps"], 0)

    def test_terminate(self):
        code, text = self.interrupt(signal.SIGTERM, "pso", "--device", "host", *self.LONG)
        self.assertEqual(code, 143)
        self.assertIn("(stopped)", text)

    def test_compare(self):
        code, text = self.interrupt(signal.SIGINT, "compare", "--device", "host", "--set", "pso.iterations=4294967040")
        self.assertEqual(code, 130)
        self.assertRegex(text, r"(?m)^host .*\(stopped\)")

    def test_checkpoint_of_an_interrupted_run_resumes(self):
        state = self.folder / "state"
        code, text = self.interrupt(signal.SIGINT, "pso", "--device", "host", "--json", "--checkpoint", state, *self.LONG)
        self.assertEqual(code, 130)
        steps = json.loads(text)["rows"][0]["result"]["steps"]
        again = ["pso", "--device", "host", "--json", "--dim", "30", "--particles", "1024", "--iterations", steps + 10]
        resumed = json.loads(self.succeeds(*again, "--resume", state))["rows"][0]["result"]
        whole = json.loads(self.succeeds(*again))["rows"][0]["result"]
        self.assertEqual(resumed["steps"], steps + 10)
        self.assertEqual((resumed["value"], resumed["fields"]["position"]),
                         (whole["value"], whole["fields"]["position"]))

    def test_second_signal_ends_at_once(self):
        process = self.start("pso", "--device", "host", *self.LONG)
        process.send_signal(signal.SIGSTOP)  # both signals arrive before the command can look
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        process.wait(timeout=120)
        self.assertIn(process.returncode, (130, -signal.SIGINT))
        process.stdout.close()

    def test_no_progress_without_a_terminal(self):
        done = shoal("pso", "--device", "host", *SMALL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Page(HTMLParser):
    """Collects tags and checks that they nest."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        self.text += data


class Files(Case):
    def test_page_of_compare(self):
        path = self.folder / "page.html"
        self.succeeds("compare", "--html", path, "--roofs", "no", "--samples", "1", "--set", SMALL_SET)
        text = path.read_text()
        page = Page()
        page.feed(text)
        page.close()
        self.assertEqual(page.open, [])
        self.assertEqual(sum(tag == "svg" for tag, _ in page.tags), 2)
        self.assertFalse([tag for tag, _ in page.tags if tag in ("script", "link", "img", "iframe")])
        self.assertFalse(re.findall(r"(?:src|href|url)\s*[=(]", text), "nothing is loaded from elsewhere")
        self.assertIn("prefers-color-scheme:dark", text)
        for device in json.loads(self.succeeds("devices", "--json"))["devices"]:
            self.assertIn(device["id"], page.text)
            self.assertIn(device["driver"], page.text)
        self.assertEqual(oct(path.stat().st_mode & 0o777), oct(0o666 & ~current_umask()))

    def test_page_escapes_what_it_is_given(self):
        path = self.folder / "a<b>&'\".html"
        self.succeeds("compare", "--device", "host", "--html", path, "--roofs", "no", "--samples", "1", "--set", SMALL_SET)
        page = Page()
        page.feed(path.read_text())
        self.assertNotIn("b", [tag for tag, _ in page.tags])

    def test_result_file_of_compare(self):
        path = self.folder / "results.json"
        self.succeeds("compare", "--device", "host", "--out", path, "--roofs", "no", "--set", SMALL_SET)
        document = json.loads(path.read_text())
        self.assertEqual(document["schema"], 1)
        row = document["rows"][0]
        self.assertEqual((row["device"], row["check"], row["unit"]), ("host", "pass", "evaluations/s"))
        self.assertEqual(row["case"], "pso.compare.dim=4,particles=32,iterations=20")

    def test_trace_file(self):
        path = self.folder / "trace.csv"
        self.succeeds("pso", "--device", "host", "--trace", "5", "--trace-file", path, *SMALL)
        lines = path.read_text().splitlines()
        self.assertEqual(lines[0], "device,step,value")
        self.assertEqual([line.split(",")[:2] for line in lines[1:]], [["host", str(i)] for i in range(0, 21, 5)])
        values = [float(line.split(",")[2]) for line in lines[1:]]
        self.assertEqual(values, sorted(values, reverse=True))

    def test_dumped_kernels_compile(self):
        listed = self.succeeds("kernels", "--dump", self.folder / "a" / "cl").split()
        files = sorted(str(path) for path in (self.folder / "a" / "cl").rglob("*.cl"))
        self.assertEqual(sorted(listed), files)
        self.assertTrue(files)
        clang = next(filter(None, map(shutil.which, ("clang", "clang-14", "clang-16"))), None)
        if not clang:
            self.skipTest("no clang")
        for path in files:
            self.assertNotIn("#include", Path(path).read_text())
            done = subprocess.run([clang, "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header",
                                   "-fsyntax-only", path], stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_dump_of_one_program(self):
        listed = self.succeeds("kernels", "pso.swarm", "--dump", self.folder).split()
        self.assertEqual(listed, [str(self.folder / "pso" / "swarm.cl")])

    def test_dump_into_a_file(self):
        (self.folder / "file").write_text("")
        self.fails(1, "kernels", "--dump", self.folder / "file")


class Generated(Case):
    """Man page and completions."""

    def generated(self, what):
        path = self.folder / what
        path.write_text(self.succeeds("--generate", what))
        return path

    def test_man_page(self):
        path = self.generated("man")
        text = path.read_text()
        for command in commands():
            self.assertIn(f"\n.SS shoal {command}", text)
        if not shutil.which("groff"):
            self.skipTest("no groff")
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
        line = " ".join(words)
        code = (f'. "{script}"; COMP_WORDS=({" ".join(repr(word) for word in words)}); '
                f'COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMP_LINE="{line}"; _shoal; printf "%s\\n" "${{COMPREPLY[@]}}"')
        done = subprocess.run(["bash", "--norc", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

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
            names = re.findall(r"(?m)^(?:      |  -\w, )--([\w-]+)", self.succeeds(command, "--help").split("\nExamples:")[0])
            self.assertEqual(len(names), len(set(names)), command)


def current_umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def version():
    return shoal("--version").stdout.split()[1]


def commands():
    block = shoal().stdout.split("Commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in block.splitlines()]


if __name__ == "__main__":
    SHOAL = os.path.abspath(sys.argv[1])
    arguments = sys.argv[2:]
    if "--update" in arguments:
        arguments.remove("--update")
        UPDATE = True
    unittest.main(argv=[sys.argv[0], *arguments], verbosity=2)
