"""What the tests of runs over several processes share: mpirun, its plug-in, runs and their messages."""

import functools
import json
import shutil
import signal
import subprocess
from pathlib import Path

import support
from split_case import SplitCase


def launcher(ranks, *options):
    """Open MPI of Debian starts no programs of root, and no more than there are cores, unless told to. It gives each of two
    ranks one core."""
    text = subprocess.run(["mpirun", "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    return ["mpirun", *(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"] if "Open MPI" in text else []), *options, "-n", str(ranks)]


@functools.cache
def starts_processes():
    """Some machines, such as containers without a loopback device, have a launcher that starts nothing."""
    return subprocess.run([*launcher(2), "true"], stdin=subprocess.DEVNULL, capture_output=True, timeout=100).returncode == 0


class RanksCase(SplitCase):
    def setUp(self):
        super().setUp()
        if not shutil.which("mpirun"):
            self.skipTest("there is no mpirun")
        if not starts_processes():
            self.skipTest("mpirun starts no processes here")
        self.env["POCL_DEVICES"] = "pthread"
        # Open MPI frees not all of its memory.
        self.env["ASAN_OPTIONS"] = ":".join(filter(None, [self.env.get("ASAN_OPTIONS"), "detect_leaks=0"]))
        if not (Path(support.SHOAL).parent.parent / "libshoal-mpi.so").exists():
            self.skipTest("the build has no plug-in for MPI")

    def launch(self, *words):
        for _ in range(3):
            done = subprocess.run(list(map(str, words)), env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, timeout=200)
            # mpirun of Open MPI 4.1 itself can crash as it prints what ranks that end by MPI_Abort tell it.
            if done.returncode != -signal.SIGSEGV or "show_help.c" not in done.stderr:
                break
        return done

    def ranks(self, count, *args):
        return self.launch(*launcher(count), support.SHOAL, *args)

    def run_ranks(self, count, name, command, *more):
        """The checkpoint and the results of a run."""
        path = self.folder / f"{name}.ckp"
        return self.results(count, self.ranks(count, *command, *more, "--checkpoint", path, "--json"), path)

    def results(self, count, done, path):
        self.assertEqual((done.returncode, self.told(done)), (0, []), done.stderr)
        row = json.loads(done.stdout)["rows"][0]
        self.assertEqual(len(row["parts"]), count)
        return self.state_of(path), row["result"]

    def told(self, done):
        """What shoal says on stderr; launchers have warnings of their own."""
        return [line for line in done.stderr.splitlines() if line.startswith("shoal: ")]

    def line(self, done, code):
        """The one line of shoal."""
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(len(self.told(done)), 1, done.stderr)
        return self.told(done)[0]

    def goes_on(self, checkpoint):
        """The checkpoint is whole."""
        text = self.succeeds("pso", "--resume", checkpoint, "--time", 0.01, "--json", "--device", "opencl:0", env=self.env)
        self.assertGreater(json.loads(text)["rows"][0]["result"]["steps"], 0)
