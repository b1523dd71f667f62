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


def opencl_device():
    """The first one; skips the test where there is none."""
    found = [device for device in shoal.devices() if device.backend == "opencl"]
    if not found:
        raise unittest.SkipTest("no OpenCL device")
    return found[0]


# A test that takes longer, for runs of all cases.
in_full = unittest.skipIf("SHOAL_TEST_SHARE" in os.environ, "a test of the full setup")


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
