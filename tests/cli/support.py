"""What the tests of the shoal command share: running it, and the case class.

Each test file is a program: test_NAME.py SHOAL [--update] [unittest arguments]. --update rewrites the golden
files from what the command prints now. Only the standard library is needed; a case whose tool or device is
missing is skipped. No case depends on how long anything takes.
"""

import functools
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from shares import by_turn, in_full, is_of, is_of_half, long, of_turn, run_cases, takes_share  # noqa: E402, F401
from shares import Loader  # noqa: E402, F401

SHOAL = ""
UPDATE = False
SMALL = ["--dim", "4", "--particles", "32", "--iterations", "20"]
# For compare: a few steps of every workload.
SMALL_SET = ("pso.dim=4,pso.particles=32,pso.iterations=20,gas.particles=64,gas.steps=20,"
             "ga.dim=4,ga.population=32,ga.iterations=20,mlp.generate=teacher:400,mlp.epochs=3,"
             "de.dim=4,de.population=32,de.population-end=32,de.iterations=20,tsp.generate=uniform:60:1,tsp.iterations=2,"
             + ",".join(f"{name}.dim=4,{name}.iterations=20" for name in ("cmaes", "nelder-mead", "pattern", "random", "portfolio")))
# An objective of a user, the square of the first coordinate.
TEXT = "#define SHAPE OPAQUE\nstatic inline real objective_value(const real *x, uint dim)\n{\n    return x[0] * x[0];\n}\n"


def environment(**changes):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SHOAL_") or k == "SHOAL_TEST_RECORD"}
    env.pop("COLUMNS", None)
    # Threads that wait by spinning take the cores from the tests that run beside this one. Only a slow machine would
    # give lines of progress to a pipe.
    env.update({"LC_ALL": "C", "OMP_WAIT_POLICY": "passive", "SHOAL_PROGRESS": "no", **changes})
    return env


def optimised():
    """For kernels that run for longer than they compile: without what a setup of meson or a wrapper asks of PoCL, which loses
    the memory of the first variable, also of an empty one. Kernels that are not optimised have a cache of their own."""
    env = environment()
    for name in ("POCL_EXTRA_BUILD_FLAGS", "POCL_UNOPTIMISED"):
        env.pop(name, None)
    if "POCL_CACHE_DIR" in env:
        env["POCL_CACHE_DIR"] = env["POCL_CACHE_DIR"].removesuffix("/unoptimised")
    return env


def shoal(*args, env=None, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
          **more):
    return subprocess.run(
        [SHOAL, *map(str, args)],
        env=env or environment(),
        stdout=stdout,
        stderr=stderr,
        stdin=stdin,
        text=True,
        timeout=timeout,
        **more
    )


def wait_for_work(process):
    """Until a process has computed for a second, long behind its start, or ends. A line of progress comes after ten."""
    while process.poll() is None:
        fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        if int(fields[11]) + int(fields[12]) >= os.sysconf("SC_CLK_TCK"):
            break
        time.sleep(0.01)


def limit_crashes():
    """For preexec_fn: no core file, and a stack that is full before the memory is."""
    most = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_STACK, (8 << 20 if most == resource.RLIM_INFINITY else min(8 << 20, most), most))


def version():
    return shoal("--version").stdout.split()[1]


@functools.cache
def has_theses():
    """Is the build one with what only reproduces the theses (-Dtheses=true)?"""
    return "hybridtaus" in shoal("ga", "--help", "all").stdout


def commands():
    block = shoal().stdout.split("Commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in block.splitlines() if not line.startswith("   ")]


def find_opencl_devices(env):
    devices = json.loads(shoal("devices", "--json", env=env).stdout)["devices"]
    return [d for d in devices if d["backend"] == "opencl"]


# Most cases ask, and every time drivers are loaded.
@functools.cache
def usual_opencl_devices():
    return find_opencl_devices(None)


def opencl_devices(env=None):
    return find_opencl_devices(env) if env else usual_opencl_devices()


class Case(unittest.TestCase):
    def need_theses(self):
        if not has_theses():
            self.skipTest("the build is without theses")

    maxDiff = None

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="shoal-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def succeeds(self, *args, **more):
        done = shoal(*args, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def fails(self, code, *args, **more):
        """Exit code and exactly one line on stderr, which is returned."""
        done = shoal(*args, **more)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertRegex(done.stderr, r"\Ashoal: [^\n]+\n\Z")
        # It begins with what it is about, and not with the command.
        self.assertFalse(args and str(args[0])[0] != "-" and done.stderr.startswith(f"shoal: {args[0]}:"), done.stderr)
        return done.stderr

    def needs_opencl(self):
        devices = opencl_devices()
        if not devices:
            self.skipTest("no OpenCL device")
        return devices[0]["id"]


class Pso(Case):
    """Searches by swarms on the host."""

    def run_json(self, *args):
        return json.loads(self.succeeds("pso", "--device", "host", "--json", *args))["rows"][0]

    def fields(self, *args):
        return self.run_json(*args)["result"]["fields"]


def main():
    global SHOAL, UPDATE
    SHOAL = os.path.abspath(sys.argv[1])
    arguments = sys.argv[2:]
    UPDATE = "--update" in arguments
    run_cases(*(a for a in arguments if a != "--update"))
