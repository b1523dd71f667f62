"""What the tests of a bench suite share: running the command, and the rows that it measures."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cli"))
import support

SHOAL = os.path.abspath(sys.argv.pop(1))


class Suite(unittest.TestCase):
    """Cases of the suite NAME, measured as shortly as can be."""

    NAME = ""
    ENVIRONMENT = {}

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.cases = {case["case"] for case in cls.shoal("bench", "--list", "--filter", cls.NAME)["cases"]}

    @classmethod
    def shoal(cls, *arguments):
        # Threads that spin while they wait take the time of the other tests.
        environment = dict(os.environ, SHOAL_CACHE_DIR=os.path.join(cls.folder.name, "cache"), OMP_WAIT_POLICY="passive",
                           **cls.ENVIRONMENT)
        result = subprocess.run([SHOAL, *arguments, "--json"], capture_output=True, text=True, env=environment,
                                check=False, timeout=300)
        if result.returncode:
            raise AssertionError(result.stdout + result.stderr)
        return json.loads(result.stdout)

    def run_cases(self, pattern, devices, precision, unit="s"):
        """The run of the cases that match: each row has passed its check and has a figure in this precision."""
        run = self.shoal("bench", "--filter", pattern, "--device", devices, "--time", "0", "--no-roofs")
        for row in run["rows"]:
            self.assertEqual((row["check"], row["unit"], row["better"], row["precision"]),
                             ("pass", unit, "lower" if unit == "s" else "higher", precision), row)
            self.assertGreater(row["value"], 0)
        return run


def main():
    support.run_cases(verbosity=0)
