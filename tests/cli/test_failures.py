#!/usr/bin/env python3
"""Exit codes: devices that are missing or fail, output that cannot be written, memory that runs out."""

import json
import os
import re
import resource
import signal
import subprocess
from xml.etree import ElementTree

import support
from support import SMALL, SMALL_SET, TEXT, Case, environment, opencl_devices, shoal


def preloaded(case, variable, what):
    """LD_PRELOAD with the module that $variable names; skips the case where `what` cannot be replaced."""
    module = os.environ.get(variable)
    if not module or "ASAN_OPTIONS" in os.environ or "TSAN_OPTIONS" in os.environ:
        case.skipTest(f"{what} cannot be replaced")
    return " ".join(filter(None, (module, os.environ.get("LD_PRELOAD"))))


class Devices(Case):
    def test_unknown_device_lists_the_ids(self):
        for command in ("devices", "pso", "compare"):
            message = self.fails(3, command, "--device", "nosuch:7")
            self.assertIn("nosuch:7", message)
            self.assertIn("host", message)

    def test_no_driver(self):
        env = environment(OCL_ICD_VENDORS="/nonexistent", CUDA_VISIBLE_DEVICES="", COLUMNS="1000")
        text = self.succeeds("devices", env=env)
        self.assertIn("\nhost ", text)
        self.assertRegex(text, r"(?m)^opencl: .*install .*pocl-opencl-icd")
        self.assertRegex(self.succeeds("pso", "--device", "host", *SMALL, env=env), r"\ndevice: +host\n")
        result = json.loads(self.succeeds("devices", "--json", env=env))
        notes = {b["name"]: b for b in result["backends"]}
        self.assertFalse(notes["opencl"]["available"])
        self.assertTrue(notes["opencl"]["note"])
        self.assertIn("host", self.fails(3, "pso", "--device", "opencl:0", env=env))
        self.assertIn("nothing was checked", shoal("verify", env=env).stderr)

    def test_a_run_of_the_host_opens_no_driver(self):
        self.file("driver.icd", "no-such-driver.so\n")
        commands = {"pso": SMALL, "compare": ["--set", SMALL_SET], "verify": ["pso", "--only", "exchange-topology"]}
        for command, device, opened in [(name, "host", False) for name in commands] + [("devices", "host", True), ("pso", "host,host", True)]:
            with self.subTest(command=command, device=device):
                # The dynamic linker names every library that a program asks for.
                env = environment(OCL_ICD_VENDORS=str(self.folder), CUDA_VISIBLE_DEVICES="", LD_DEBUG="files",
                                  LD_DEBUG_OUTPUT=str(self.folder / "libraries"))
                self.succeeds(command, *commands.get(command, ()), "--device", device, env=env)
                libraries = "".join(path.read_text() for path in self.folder.glob("libraries.*"))
                self.assertIn("libOpenCL", libraries)
                self.assertEqual("no-such-driver" in libraries, opened)
                for path in self.folder.glob("libraries.*"):
                    path.unlink()

    def test_a_platform_without_devices_says_why(self):
        if not any("Portable Computing" in device["platform"] for device in opencl_devices()):
            self.skipTest("no PoCL")
        # There is no folder that root cannot write but one in which none can be made.
        for place, words in (("POCL_CACHE_DIR", "or make that one writable"), ("HOME", "or make the home folder writable"),
                             ("XDG_CACHE_HOME", "or make XDG_CACHE_HOME writable")):
            with self.subTest(place):
                env = environment(CUDA_VISIBLE_DEVICES="")
                for name in "POCL_CACHE_DIR", "XDG_CACHE_HOME":
                    env.pop(name, None)
                env[place] = "/proc/nowhere"
                if any("Portable" not in d["platform"] for d in opencl_devices(env)):
                    self.skipTest("another device than PoCL's")
                done = shoal("pso", "--no-cache", *SMALL, env=env)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, r"\Ashoal: OpenCL platform .* shows no device: its cache /proc/nowhere\S* cannot "
                                              r"be written .* set POCL_CACHE_DIR .*; the device taken instead is host\n\Z")
                self.assertIn(words, done.stderr)
                self.assertRegex(done.stdout, r"\ndevice: +host\n")
                done = shoal("devices", env={**env, "COLUMNS": "1000"})
                self.assertEqual(done.stderr, "")
                self.assertIn("set POCL_CACHE_DIR", done.stdout)
                self.assertIn("set POCL_CACHE_DIR", self.fails(3, "pso", "--device", "opencl:0", *SMALL, env=env))

    def test_a_driver_that_computes_wrong_is_named_where_it_is_used(self):
        preload = preloaded(self, "OTHER_DRIVER_MODULE", "the driver of the command")
        device = next((d["id"] for d in opencl_devices() if "Portable Computing" in d["platform"]), None) or self.skipTest("no PoCL")
        words = rf"{device} \([^)]*, driver 7\.1\) computes wrong where [^\n]*: use PoCL 6\n"
        env = environment(LD_PRELOAD=preload, OTHER_DRIVER_VERSION="7.1", COLUMNS="1000")
        for devices, note in ((device, rf"\Ashoal: {words}\Z"), ("host,host", r"\A\Z")):
            with self.subTest(devices=devices):
                done = shoal("pso", "--device", devices, "--particles", "8", "--iterations", "2", env=env)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, note)
        done = shoal("devices", env=env)  # says it once, below its table
        self.assertEqual(done.stderr, "")
        self.assertRegex(done.stdout, rf"(?m)^opencl: {words}")

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
            # null: the machine was busy.
            self.assertTrue(roofs[key] is None or roofs[key] > 0, key)
        self.assertRegex(
            self.succeeds("devices", "--measure", "--device", "host"), r"(?m)^host +(.*flop/s.*B/s|busy, not measured)"
        )

    def test_rates(self):
        device = self.needs_opencl()
        result = json.loads(self.succeeds("devices", "--rates", "launches,matrix", "--device", f"{device},host", "--json"))
        rates = {(rate["part"], rate["name"]): rate for rate in result["devices"][0]["rates"]}
        self.assertEqual(len(rates), 6)
        launch = rates["launches", "launch"]
        self.assertTrue(0 < launch["min"] <= launch["value"] <= launch["max"])
        self.assertEqual((launch["unit"], launch["reason"]), ("s", None))
        self.assertGreaterEqual(launch["samples"], 3)
        self.assertEqual(result["devices"][1]["rates"], [])
        sensors = result["devices"][0]["sensors"]
        for key in ("clock_hz", "power_w", "temperature_c"):
            self.assertEqual(list(sensors[key]), ["min", "mean", "max"])
        self.assertIsNone(sensors["slowed"])
        text = self.succeeds("devices", "--rates", "launches,matrix", "--device", device)
        self.assertRegex(text, r"(?m)^launches +launch wait +[\d.]+ .?s +[\d.]+ % +\d+$")
        self.assertRegex(text, r"(?m)^matrix +tf32 +(-  matrix units|[\d.]+ )")
        for parts in ("lunches", "compute,", ""):
            self.fails(2, "devices", "--rates=" + parts)
        self.assertIn("'lunches' is no part: give all, or a list", self.fails(2, "devices", "--rates", "compute,lunches"))


class Failures(Case):
    """Each documented exit code that a healthy machine can be made to return."""

    FUSED = [*SMALL, "--method", "fused", "--update", "inertia", "--topology", "global"]

    def kernels(self, edit):
        self.succeeds("kernels", "--dump", self.folder / "cl")
        path = self.folder / "cl" / "pso" / "methods" / "fused.cl"
        path.write_text(edit(path.read_text()))
        return self.folder / "cl"

    def test_a_folder_replaces_built_in_objectives(self):
        device = self.needs_opencl()
        folder = self.folder / "cl"
        (folder / "objective" / "builtin").mkdir(parents=True)
        (folder / "objective" / "builtin" / "sphere.clh").write_text("#error the folder's own\n")
        run = ["pso", "--device", device, "--kernel-dir", folder, "--no-cache", *SMALL, "--function"]
        done = shoal(*run, "sphere")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("objective/builtin/sphere.clh:1: the folder's own", done.stderr)
        self.succeeds(*run, "rastrigin")

    def test_kernel_that_does_not_compile(self):
        device = self.needs_opencl()
        folder = self.kernels(lambda text: text + "\n__kernel void broken(undeclared x) {}\n")
        done = shoal("pso", "--device", device, "--kernel-dir", folder, "--no-cache", *self.FUSED)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("does not compile", done.stderr)
        self.assertIn("undeclared", done.stderr)
        self.assertIn(device, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_device_memory(self):
        device = self.needs_opencl()
        done = shoal("pso", "--device", device, "--particles", "268435456", "--dim", "1048576")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertRegex(done.stderr, r"\Ashoal: [^\n]+\n\Z")

    def test_memory_of_a_gas_is_looked_at_before_its_start(self):
        # Density and distance contradict each other, which is found only when the particles are placed.
        gas = ["gas", "--start", "random", "--start-distance", "10", "--particles", "40000000"]
        device = self.needs_opencl()
        small = environment(POCL_MEMORY_LIMIT="1")
        info = json.loads(shoal("devices", "--json", env=small).stdout)["devices"]
        if next(d for d in info if d["id"] == device)["memory"] > 2 << 30:
            self.skipTest(f"{device} has no limit of its memory")
        for method in "list", "allpairs":
            message = self.fails(5, *gas, "--device", device, "--method", method, env=small)
            self.assertRegex(message, r"(40000000 particles need|the neighbour list would take) .*: lower --particles")
        if "ASAN_OPTIONS" in os.environ:
            return  # the sanitizer's shadow memory does not fit any limit
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        message = self.fails(1, *gas, "--device", "host", preexec_fn=limit)
        self.assertRegex(message, r"40000000 particles need \d+ bytes on the host, which has 3221225472: lower --particles$")

    def test_result_that_fails_its_check(self):
        device = self.needs_opencl()
        run = ["pso", "--device", device, "--kernel-dir", self.folder / "cl", "--no-cache", "--json", *self.FUSED]
        # As dumped, the kernels still take the objective that is asked for.
        self.kernels(lambda text: text)
        self.succeeds(*run)
        # A device that reports other values than its positions have.
        self.kernels(lambda text: text.replace("counted(terms_value(", "counted(1 + terms_value("))
        done = shoal(*run)
        self.assertEqual(done.returncode, 6, done.stderr)
        result = json.loads(done.stdout)["rows"][0]["result"]
        self.assertEqual(result["check"], "fail")
        self.assertRegex(result["check_failure"], r"\Athe best value is off by \S+, at most \S+ is allowed; give --precision fp64\Z")

    def test_full_disk_under_stdout(self):
        for args in (["devices"], ["devices", "--json"], ["help"], ["kernels"], ["pso", "-dhost", *SMALL]):
            with self.subTest(args=args), open("/dev/full", "w") as full:
                message = self.fails(1, *args, stdout=full)
                self.assertIn("No space left on device", message)

    def test_closed_stdout(self):
        done = subprocess.run(
            ["/bin/sh", "-c", 'exec "$0" devices >&-', support.SHOAL],
            env=environment(),
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output", done.stderr)

    def test_closed_pipe_is_quiet(self):
        for args in (["kernels"], ["kernels", "--json"], ["help", "pso"], ["pso", "-dhost", "--json", *SMALL]):
            with self.subTest(args=args):
                reader, writer = os.pipe()
                os.close(reader)
                done = shoal(*args, stdout=writer)
                os.close(writer)
                self.assertEqual((done.returncode, done.stderr), (141, ""))

    def test_output_of_a_run_that_is_no_more_read(self):
        run = ["gas", "-dhost", "--particles", "100", "--steps", "100000000", "--thermo", "1"]
        for more in ([], ["--frames", "1", "--xyz", "-"]):
            with self.subTest(more=more):
                process = subprocess.Popen([support.SHOAL, *run, *more], env=environment(), stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, text=True)
                process.stdout.readline()
                process.stdout.close()
                message = process.stderr.read()
                process.stderr.close()
                self.assertEqual((process.wait(300), message), (141, ""))
                with open("/dev/full", "w") as full:
                    done = shoal(*run, *more, stdout=full)
                self.assertEqual((done.returncode, done.stderr),
                                 (1, "shoal: standard output: cannot be written: No space left on device\n"))

    def test_an_abandoned_run_writes_nothing_into_the_files_of_the_next(self):
        device = self.needs_opencl()
        # Nothing on a device ends within the limit.
        gas = ["gas", "--particles", "30000", "--method", "allpairs", "--steps", "3", "--frames", "1", "--xyz", "-",
               "--hang-limit", "1e-9"]
        process = subprocess.Popen(
            [support.SHOAL, *gas, "--dump", self.folder / "frames", "--device", f"{device},host"],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        # Nothing is read: the next run waits within a frame, while the device's goes on.
        self.assertIn("is lost", process.stderr.readline())
        self.assertEqual(process.communicate(timeout=300)[1], "")
        self.assertEqual(process.returncode, 1)
        frames = (self.folder / "frames-host").read_text().split("ITEM: TIMESTEP\n")[1:]
        self.assertEqual([int(frame.split("\n")[0]) for frame in frames], [*range(4)])

    def test_page_that_cannot_be_written(self):
        args = ["compare", "--device", "host", "--roofs", "no", "--samples", "1", "--set", SMALL_SET]
        done = shoal(*args, "--html", self.folder / "none" / "page.html")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Ashoal: --html: [^\n]+No such file or directory\n\Z")
        self.assertEqual(done.stdout, "", "told before anything is measured")
        done = shoal(*args, "--html", "/dev/full")
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)
        self.assertIn("\nhost ", done.stdout)

    def test_files_that_cannot_be_written_are_told_before_the_run(self):
        for args in (
            ("compare", "--out", self.folder / "none" / "results.json"),
            ("compare", "--html", self.folder),
            ("bench", "--out", self.folder / "none" / "results.json"),
            ("pso", "--checkpoint", self.folder / "none" / "state"),
            ("pso", "--checkpoint", self.folder),
            ("pso", "--trace", "1", "--trace-file", self.folder / "none" / "trace.csv"),
        ):
            with self.subTest(args):
                done = shoal(*args)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(
                    done.stderr, r"\Ashoal: --[a-z-]+: [^\n]+: cannot be written: [^\n]+\n\Z"
                )

    def test_a_checkpoint_that_cannot_be_written_costs_no_result(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))  # libomp writes 1 kB when it starts
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # as shells leave it; Python ignores it

        state = self.folder / "state"
        for more in ([], ["--json"]):
            done = shoal("pso", "--device", "host", "--no-cache", "--checkpoint", state, *SMALL, *more, preexec_fn=small_files)
            self.assertEqual(done.returncode, 1)
            self.assertIn("File too large", done.stderr)
            self.assertIn("pass", done.stdout)
            self.assertEqual(list(self.folder.iterdir()), [])
        result = json.loads(done.stdout)["rows"][0]["result"]
        self.assertEqual((result["check"], result["steps"]), ("pass", 20))

    def test_no_partial_file_when_the_disk_is_full(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))  # libomp writes 1 kB when it starts
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # as shells leave it; Python ignores it

        page = self.folder / "page.html"
        before = "<!doctype html>\nbefore"
        page.write_text(before)
        done = shoal("compare", "--device", "host", "--roofs", "no", "--samples", "1", "--no-cache", "--set", SMALL_SET, "--html", page,
                     preexec_fn=small_files)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(page.read_text(), before)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["page.html"])


class Names(Case):
    """Names that are no UTF-8, or hold escapes of terminals, in every kind of output."""

    def test_latin_names_become_utf8(self):
        """As spreadsheets of Windows write them; one line says so, and what is written is UTF-8."""
        def latin(name, text):
            (self.folder / name).write_bytes(text.encode("cp1252"))
            return self.folder / name

        def said(path, *args):
            done = subprocess.run([support.SHOAL, *map(str, args)], env=environment(), capture_output=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [line for line in done.stderr.decode("utf-8").splitlines() if "UTF-8" in line]
            self.assertEqual(len(lines), 1, done.stderr)
            self.assertRegex(lines[0], rf"{path}: is not UTF-8: its letters are read as those of Windows-1252 \(Latin-1\); .*iconv -f ")
            return done.stdout.decode("utf-8")

        words = "m\u00e4nnlich", "\u20acuro"
        rows = "".join(f"{i / 10},{i % 7},{words[i % 2]}\n" for i in range(60))
        data, model, out = latin("d.csv", "Gr\u00f6\u00dfe,b,Geschlecht\n" + rows), self.folder / "m.safetensors", self.folder / "p.csv"
        said(data, "mlp", "--data", data, "--target", "Geschlecht", "-d", "host", "--epochs", 2, "--model", model, "--out", out)
        self.assertIn("p m\u00e4nnlich,p \u20acuro", out.read_text(encoding="utf-8"))
        content = model.read_bytes()
        head = json.loads(content[8:8 + int.from_bytes(content[:8], "little")].decode("utf-8"))
        self.assertEqual(json.loads(head["__metadata__"]["shoal.preparation"])["inputs"][0]["name"], "Gr\u00f6\u00dfe")
        # The same data in UTF-8 has the names of the model.
        utf8 = self.file("u.csv", data.read_text(encoding="cp1252"))
        self.assertEqual(json.loads(self.succeeds("mlp", "--load", model, "--predict", utf8, "--target", "Geschlecht", "--json"))["rows"], 60)
        arff = latin("d.arff", "@relation r\n@attribute Gr\u00f6\u00dfe numeric\n@attribute k {\u00e4,b}\n@data\n1,\u00e4\n2,b\n")
        self.assertEqual(json.loads(said(arff, "data", "info", arff, "--json"))["column_list"][0]["name"], "Gr\u00f6\u00dfe")
        table = latin("t.csv", "Gr\u00f6\u00dfe,b\n1,2\n3,4.5\n")
        self.assertEqual(json.loads(said(table, "data", "info", table, "--columns", "Gr\u00f6\u00dfe", "--json"))["names"], ["Gr\u00f6\u00dfe"])
        said(table, "data", "convert", table, "--out", self.folder / "u.csv")
        self.assertEqual((self.folder / "u.csv").read_text(encoding="utf-8"), "Gr\u00f6\u00dfe,b\n1,2\n3,4.5\n")
        cities = latin("c.csv", "id,x,y\nK\u00f6ln,0,0\nBonn,1,1\nUlm,2,9\n")
        said(cities, "tsp", "--data", cities, "-d", "host", "--iterations", 2, "--out", self.folder / "tour.csv")
        self.assertIn("K\u00f6ln", (self.folder / "tour.csv").read_text(encoding="utf-8"))

    def test_names_are_cleaned(self):
        text, page, chart = (os.fsencode(self.folder / name) for name in ("my", "page.html", "chart.svg"))
        text += b"\x1b[31m\xff\xc2\x9b\xe2.clh"
        with open(text, "w", encoding="ascii") as file:
            file.write(TEXT)
        run = ["pso", "-dhost", "--objective", text, "--lower", "-1", "--upper", "1", *SMALL]

        def output(*words, code=0):
            done = subprocess.run([support.SHOAL.encode(), *(os.fsencode(word) for word in words)], env=environment(),
                                  capture_output=True, timeout=300)
            self.assertEqual(done.returncode, code, done.stderr)
            for shown in done.stdout, done.stderr:
                self.assertNotRegex(shown.decode("utf-8"), r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
            return (done.stdout + done.stderr).decode("utf-8")

        self.assertIn("my?[31m???.clh", output(*run, "--plot", chart))
        self.assertIn("my\\u001b[31m???.clh", output(*run, "--json"))
        output("compare", "-dhost", "--roofs", "no", "--samples", "1", "--set",
               SMALL_SET.encode() + b",pso.lower=-1,pso.upper=1,pso.objective=" + text, "--html", page)
        self.assertIn("my?[31m???.clh", output("pso", "-dhost", "--objective", text + b".no", "--lower", "-1", "--upper", "1", code=1))
        for path in page, chart:
            with open(path, encoding="utf-8") as file:
                self.assertIn("my?[31m???.clh", file.read().replace("<wbr>", ""))  # where the page may break a word
        ElementTree.parse(chart)


class Memory(Case):
    """Each command with one of its allocations failing: it ends with one line and code 1, or does without."""

    COMMANDS = [["help"], ["pso", "--help"], ["pso", "--nosuch"], ["devices"], ["devices", "--json"], ["cache"], ["kernels"],
                ["verify", "--help"], ["bench", "--list"], ["tune", "pso", "--help"],
                ["pso", "-dhost", "--trace", "2", "--plot", "FOLDER/out.svg", *SMALL], ["pso", "-dhost", "--json", *SMALL],
                ["pso", "-dhost", "--data", "FOLDER/in.csv", "--model", "a*c1+b", "--fit", "a=-5:5,b=-5:5", "--target", "c2",
                 "--particles", "8", "--iterations", "3", "--residuals", "FOLDER/rest.csv", "--plot", "FOLDER/fit.svg"],
                ["gas", "-dhost", "--particles", "64", "--steps", "20", "--thermo", "5", "--plot-energy", "FOLDER/out.svg",
                 "--plot-temperature", "FOLDER/other.svg"],
                ["gas", "-dhost", "--config", "FOLDER/stages.ini", "--plot-energy", "FOLDER/out.svg", "--thermo-file", "FOLDER/t.csv"],
                ["compare", "-dhost", "--roofs", "no", "--samples", "1", "--set", SMALL_SET, "--html", "FOLDER/out.html"],
                ["bench", "-dhost", "--no-roofs", "--time", "0", "--out", "FOLDER/out.json", "pso.global.rastrigin30-1024"],
                ["tune", "-dhost"], ["tune", "pso", "-dhost"],
                ["data", "least-squares", "--rows", "20", "--out", "FOLDER/out.csv"], ["data", "info", "FOLDER/in.csv"],
                ["data", "convert", "FOLDER/in.csv", "--out", "FOLDER/out.npy"]]
    # Of others that the command works with.
    FOREIGN = r"\A\n?libgomp: (Out of memory|Thread creation failed)[^\n]+\n\Z"

    def setUp(self):
        super().setUp()
        self.preload = preloaded(self, "FAIL_ALLOCATION_MODULE", "the allocations of the command")

    def with_failure(self, number, *args):
        env = environment(LD_PRELOAD=self.preload, FAIL_ALLOCATION=str(number), OCL_ICD_VENDORS="/nonexistent", CUDA_VISIBLE_DEVICES="",
                          COUNT_ALLOCATIONS=str(self.folder / "count"), SHOAL_CACHE_DIR=str(self.folder / "cache"))
        return shoal(*args, env=env)

    def test_every_command_says_that_memory_is_out(self):
        # All of a short command; of others evenly spread ones, and more of them in setup full.
        most = 24 if "SHOAL_TEST_SHARE" not in os.environ else 6
        self.succeeds("data", "least-squares", "--rows", "20", "--out", self.folder / "in.csv")
        self.file("stages.ini", "[gas]\nparticles = 64\nsteps = 20\n[gas.a]\nthermo = 5\n[gas.b]\nrdf-file = " + str(self.folder / "g.csv") + "\n")
        for command in self.COMMANDS:
            command = [word.replace("FOLDER", str(self.folder)) for word in command]
            whole = self.with_failure(0, *command)
            self.assertIn(whole.returncode, (0, 2))
            count = int((self.folder / "count").read_text())
            self.assertGreater(count, 20)
            # A bench case is measured for most of a second.
            most_here = count if count < 50 else max(most // 4, 3) if command[0] == "bench" else most
            for number in sorted({1 + i * count // most_here for i in range(most_here)}):
                with self.subTest(command=command, number=number):
                    done = self.with_failure(number, *command)
                    if done.returncode != whole.returncode or (whole.returncode and "out of memory" in done.stderr):
                        self.assertEqual(done.returncode, 1, done.stderr)
                        if not re.match(self.FOREIGN, done.stderr):
                            # Behind what the command says in any case, such as the fault of the command line.
                            said = whole.stderr.splitlines()
                            left = [line for line in done.stderr.splitlines() if line not in said]
                            self.assertEqual(len(left), 1, done.stderr)
                            # The C library has no memory to open a file either.
                            self.assertRegex(left[0], r"\Ashoal: .*(out of memory|has no \d+ bytes|: Cannot allocate memory)")


if __name__ == "__main__":
    support.main()
