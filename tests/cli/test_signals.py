#!/usr/bin/env python3
"""Signals, and the compiler of users' texts."""

import array
import ctypes
import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import support
from support import SMALL, TEXT, Case, environment, shoal


class Compilers(Case):
    """What the C compiler of a user's text leaves behind, and where it works."""

    def setUp(self):
        super().setUp()
        self.cache, self.script, self.running = (self.folder / name for name in ("cache", "compiler", "running"))
        (self.folder / "my.clh").write_text(TEXT)
        self.run_text = ["pso", "--device", "host", "--objective", self.folder / "my.clh", "--lower", "-1", "--upper", "1", *SMALL]
        self.script.write_text(f"#!/bin/sh\nsleep 1000 & echo $$ $! > {self.running}.new\nmv {self.running}.new {self.running}\nwait\n")
        self.script.chmod(0o755)

    def started(self):
        """A run whose compiler works for a long time, and the processes of that."""
        self.running.unlink(missing_ok=True)
        process = subprocess.Popen(
            [support.SHOAL, *map(str, self.run_text), "--json"],
            env=environment(CC=str(self.script), SHOAL_CACHE_DIR=str(self.cache)),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
        )
        self.addCleanup(process.kill)
        while not self.running.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        return process, self.running.read_text().split()

    def assert_ended(self, compilers):
        for number in compilers:
            for _ in range(500):
                try:
                    with open(f"/proc/{number}/stat", encoding="ascii") as file:
                        state = file.read().rpartition(")")[2].split()[0]
                except OSError:
                    break
                if state in "ZX":
                    break
                time.sleep(0.01)
            else:
                os.kill(int(number), signal.SIGKILL)
                self.fail(f"process {number} of the compiler goes on")

    def folders(self):
        return [path.name for path in self.cache.iterdir() if path.is_dir()]

    def test_a_signal_ends_the_compiler(self):
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            with self.subTest(number):
                process, compilers = self.started()
                process.send_signal(number)
                text, message = process.communicate(timeout=120)
                self.assertEqual(process.returncode, 128 + number)
                self.assertEqual(message, "shoal: my.clh: stopped while it was compiled\n")
                self.assertEqual(json.loads(text)["command"], "pso")
                self.assert_ended(compilers)
                self.assertEqual(self.folders(), [])

    def test_a_run_that_is_killed(self):
        process, compilers = self.started()
        # The process that watches over the compiler keeps no pipe of the command open.
        guard = Path(f"/proc/{compilers[0]}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[1]
        self.assertEqual(os.listdir(f"/proc/{guard}/fd"), [])
        process.kill()
        process.communicate()
        self.assert_ended(compilers)
        self.succeeds(*self.run_text, env=environment(SHOAL_CACHE_DIR=str(self.cache)))
        self.assertEqual(self.folders(), [])

    def test_a_crash_in_a_text_is_told(self):
        path = self.folder / "my\x1b.clh"
        for number, what, body in ((signal.SIGSEGV, "invalid memory access", "*(volatile int *)8 = 1; return 0;"),
                                   (signal.SIGFPE, "integer division by zero",
                                    "volatile int zero = (int)dim - (int)dim; return 3 / zero;"),
                                   # An endless recursion: the stack is full.
                                   (signal.SIGSEGV, "invalid memory access",
                                    "volatile real y[100]; y[0] = x[0]; return objective_value(x, dim + 1) * y[dim % 100] + 1;"),
                                   (signal.SIGABRT, "abort", "extern void abort(void); abort();")):
            with self.subTest(number):
                path.write_text(TEXT.replace("return x[0] * x[0];", body))
                done = shoal(*(path if word == self.folder / "my.clh" else word for word in self.run_text),
                             preexec_fn=support.limit_crashes)
                self.assertEqual(done.returncode, -number)
                self.assertRegex(done.stderr, rf"\Ashoal: \S*my\?\.clh: crashed on the host \({what}\): correct the text\n\Z")

    def test_a_cache_without_room_or_that_runs_nothing(self):
        for options, reason in (("size=64k", "No space left on device"), ("noexec", "Operation not permitted")):
            with self.subTest(options):
                self.cache.mkdir(exist_ok=True)
                mounted = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "-o", f"{options},mode=700", "none", self.cache],
                                         stderr=subprocess.DEVNULL)
                if mounted.returncode:
                    self.skipTest("no file system can be mounted")
                done = subprocess.run(
                    ["unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o {options},mode=700 none "$SHOAL_CACHE_DIR" && exec "$@"', "sh",
                     support.SHOAL, *map(str, self.run_text)],
                    env=environment(SHOAL_CACHE_DIR=str(self.cache), TMPDIR=str(self.folder)), capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, r"\bpass\b")
                self.assertRegex(done.stderr, rf"\Ashoal: warning: .*my\.clh: cannot be compiled in {self.cache}: {reason}; "
                                              rf"compiled in {self.folder} instead\n\Z")

    def test_a_cache_that_others_can_write_to(self):
        """Who can write to the folder could put machine code in place of ours before it is loaded."""
        self.cache.mkdir(exist_ok=True)
        self.cache.chmod(0o777)
        done = subprocess.run([support.SHOAL, *map(str, self.run_text)],
                              env=environment(SHOAL_CACHE_DIR=str(self.cache), TMPDIR=str(self.folder)),
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, rf"\Ashoal: warning: kernel cache: refused the folder {self.cache}: other users can write to it; [^\n]*\n\Z")
        self.assertEqual(list(self.cache.iterdir()), [])


class Signals(Case):
    """Ctrl-C ends a run in order; no case waits for a time, only for what the command prints."""

    def start(self, *args, until=rb" step ", **more):
        """Runs on a pseudo-terminal for stderr, so that the progress line tells when the steps have begun."""
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = subprocess.Popen(
            [support.SHOAL, *map(str, args)],
            env=environment(TERM="xterm", SHOAL_PROGRESS="auto"),
            stdout=subprocess.PIPE,
            stderr=slave,
            stdin=subprocess.DEVNULL,
            text=True,
            # A signal that is ignored at the start stays ignored, and these tests may run under nohup.
            **{"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL), **more},
        )
        os.close(slave)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)  # a test that fails leaves no endless run behind
        seen = b""
        while not re.search(until, seen):
            self.assertTrue(select.select([master], [], [], 120)[0], f"no progress line: {seen!r}")
            seen += os.read(master, 4096)
        return process

    def interrupt(self, number, *args, **more):
        process = self.start(*args, **more)
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

    def test_hangup(self):
        state = self.folder / "state"
        code, text = self.interrupt(signal.SIGHUP, "pso", "--device", "host", "--checkpoint", state, *self.LONG)
        self.assertEqual(code, 129)
        self.assertIn("(stopped)", text)
        self.assertTrue(state.exists())

    def test_signals_of_batch_systems(self):
        """SIGUSR1 before the end of a job, SIGXCPU at its limit of processor time, once a second from then on."""
        state = self.folder / "state"
        code, text = self.interrupt(signal.SIGUSR1, "pso", "--device", "host", "--json", "--checkpoint", state, *self.LONG)
        self.assertEqual((code, json.loads(text)["rows"][0]["status"]), (138, "stopped"))
        self.assertTrue(state.exists())
        code, text = self.interrupt(signal.SIGXCPU, "pso", "--device", "host", *self.LONG)
        self.assertEqual(code, 152)
        self.assertIn("(stopped)", text)

    def test_a_repeated_sigxcpu_ends_nothing_at_once(self):
        # The message is longer than the pipe that nobody reads, so that the command waits through all signals.
        process = self.blocked("stderr", "no" * 10000)
        for _ in range(3):
            process.send_signal(signal.SIGXCPU)
            time.sleep(1.1)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=120), -signal.SIGTERM)

    def test_signals_ignored_at_the_start_stay_ignored(self):
        ignored = (signal.SIGHUP, signal.SIGINT)
        process = self.start("pso", "--device", "host", *self.LONG,
                             preexec_fn=lambda: [signal.signal(number, signal.SIG_IGN) for number in ignored])
        for number in (*ignored, signal.SIGTERM):
            process.send_signal(number)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, 143)

    def test_compare(self):
        code, text = self.interrupt(
            signal.SIGINT, "compare", "--device", "host", "--set", "pso.iterations=4294967040"
        )
        self.assertEqual(code, 130)
        self.assertRegex(text, r"(?m)^host .*\(stopped\)")

    def test_steps_are_told_apart_from_an_equilibration(self):
        device = self.needs_opencl()
        run = ["gas", "--device", f"host,{device}", "--particles", "4", "--density", "0.1", "--equilibration", "60000", "--steps", "40"]
        inside = rf"{device}  \d+ %[^\r]*  step \d+ of 60000 of equilibration".encode()
        code, text = self.interrupt(signal.SIGINT, *run, until=inside)
        self.assertEqual(code, 130)
        self.assertLessEqual(max(map(len, text.splitlines())), 80, text)
        self.assertRegex(text, r"(?m)^device +[^\n]* +equilibration +steps ")
        self.assertRegex(text, r"(?m)^host [^\n]* 60000 +40 ")
        self.assertRegex(text, rf"(?m)^{device} [^\n]* \d+ +0 \(stopped\) ")
        first, second = (row["result"] for row in json.loads(self.interrupt(signal.SIGINT, *run, "--json", until=inside)[1])["rows"])
        self.assertEqual((first["steps"], first["warm_up_steps"], second["steps"]), (40, 60000, 0))
        self.assertIn(second["warm_up_steps"], range(1, 60000))

    def test_checkpoint_of_an_interrupted_run_resumes(self):
        state = self.folder / "state"
        code, text = self.interrupt(
            signal.SIGINT, "pso", "--device", "host", "--json", "--checkpoint", state, *self.LONG
        )
        self.assertEqual(code, 130)
        steps = json.loads(text)["rows"][0]["result"]["steps"]
        again = [
            "pso",
            "--device",
            "host",
            "--json",
            "--dim",
            "30",
            "--particles",
            "1024",
            "--iterations",
            steps + 10,
        ]
        resumed = json.loads(self.succeeds(*again, "--resume", state))["rows"][0]["result"]
        whole = json.loads(self.succeeds(*again))["rows"][0]["result"]
        self.assertEqual(resumed["steps"], steps + 10)
        self.assertEqual(
            (resumed["value"], resumed["fields"]["position"]), (whole["value"], whole["fields"]["position"])
        )

    def test_two_signals_at_once_are_one(self):
        # As timeout(1) sends them, to the process and to its group. Here one waits for each thread and one for the
        # process, so that whichever thread takes signals finds two when it goes on.
        process = self.start("pso", "--device", "host", "--json", *self.LONG)
        process.send_signal(signal.SIGSTOP)
        for thread in os.listdir(f"/proc/{process.pid}/task"):
            self.assertEqual(ctypes.CDLL(None).tgkill(process.pid, int(thread), int(signal.SIGTERM)), 0)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        text, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 143)
        self.assertEqual(json.loads(text)["rows"][0]["status"], "stopped")

    def blocked(self, stream, *args, **more):
        """A command that waits for the reader of that stream."""
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        room, count = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096), array.array("i", [0])
        process = subprocess.Popen([support.SHOAL, *map(str, args)], env=environment(), text=True, **{stream: writer}, **more)
        self.addCleanup(process.kill)
        os.close(writer)
        while count[0] < room:
            self.assertIsNone(process.poll())
            fcntl.ioctl(reader, termios.FIONREAD, count)
        return process

    def test_output_that_nobody_reads_ends_by_the_first_signal(self):
        state = self.folder / "state"
        for args in (["help", "gas"],
                     ["gas", "--device", "host", "--particles", "100", "--steps", "100000000", "--xyz", "-", "--frames", "1",
                      "--checkpoint", state]):
            with self.subTest(args=args):
                process = self.blocked("stdout", *args, stderr=subprocess.PIPE)
                process.send_signal(signal.SIGTERM)
                _, message = process.communicate(timeout=120)
                self.assertEqual(process.returncode, 143)
                self.assertIn("shoal: standard output: cannot be written: no program reads it\n", message)
        self.assertTrue(state.exists())

    def test_a_signal_a_second_later_ends_at_once(self):
        # The message is longer than the pipe that nobody reads: the first signal cannot end the command.
        process = self.blocked("stderr", "no" * 10000)
        while process.poll() is None:
            process.send_signal(signal.SIGTERM)
            time.sleep(1)
        self.assertEqual(process.returncode, -signal.SIGTERM)

    def test_no_progress_without_a_terminal(self):
        done = shoal("pso", "--device", "host", *SMALL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))



class Waiting(Case):
    """Threads of the host beside another program."""

    RUN = ["gas", "--device", "host", "--particles", "64", "--steps", "2", "-q"]

    def spin_count(self, **variables):
        env = {**environment(), "OMP_DISPLAY_ENV": "verbose"}
        del env["OMP_WAIT_POLICY"]
        done = shoal(*self.RUN, env={**env, **variables})
        self.assertEqual(done.returncode, 0, done.stderr)
        counts = re.findall(r"GOMP_SPINCOUNT = '(\d+)'", done.stderr)
        return int(counts[-1]) if counts else self.skipTest("another OpenMP than that of GCC")

    def test_they_sleep_where_others_run(self):
        self.assertGreater(self.spin_count(OMP_WAIT_POLICY="active"), 0)
        spinner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        try:
            ready = int(Path("/proc/loadavg").read_text().split()[3].split("/")[0])
            if ready < 2:
                self.skipTest("/proc/loadavg does not count tasks that are ready to run")
            self.assertEqual(self.spin_count(), 0)
            # Who chooses a policy has it.
            self.assertGreater(self.spin_count(OMP_WAIT_POLICY="active"), 0)
            self.assertEqual(self.spin_count(GOMP_SPINCOUNT="77"), 77)
        finally:
            spinner.kill()
            spinner.wait()


if __name__ == "__main__":
    support.main()
