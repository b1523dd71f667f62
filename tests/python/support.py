"""What the tests of the package share."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import shoal

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import shares  # noqa: E402
from shares import in_full  # noqa: E402, F401


def opencl_device():
    """The first one; skips the test where there is none."""
    found = [device for device in shoal.devices() if device.backend == "opencl"]
    if not found:
        raise unittest.SkipTest("no OpenCL device")
    return found[0]


class NAType:
    """pandas.NA: its comparisons have no truth."""

    def __eq__(self, other):
        return self

    __ne__ = __eq__

    def __hash__(self):
        return 1

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    def __repr__(self):
        return "<NA>"


NA = NAType()


@shares.by_turn
class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="shoal-python-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def refuses(self, pattern, function, *arguments, status="invalid argument", **options):
        with self.assertRaisesRegex(shoal.Error, pattern) as caught:
            function(*arguments, **options)
        self.assertEqual(caught.exception.status, status)
        return caught.exception

    def runs(self, text, **environment):
        """A program of its own: its exit code, stdout and stderr."""
        done = subprocess.run([sys.executable, "-c", text], env=dict(os.environ, **environment), capture_output=True,
                              text=True, timeout=60, check=False)
        return done.returncode, done.stdout, done.stderr

    def is_interrupted(self, text):
        """The program, once it has written a line, ends by Ctrl-C with KeyboardInterrupt, although it has no end."""
        process = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "begins\n")
        time.sleep(0.3)  # most likely in the call, but any moment will do
        process.send_signal(signal.SIGINT)
        out, messages = process.communicate(timeout=60)
        self.assertEqual(out, "interrupted\n", messages)
        self.assertEqual(process.returncode, 0, messages)


INTERRUPTED = """
import shoal
try:
    print("begins", flush=True)
    {call}
    print("has ended")
except KeyboardInterrupt:
    print("interrupted")
"""


def main():
    """Runs the program's cases, or those that are named."""
    shares.run_cases(*sys.argv[1:])
