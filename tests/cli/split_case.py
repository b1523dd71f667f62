"""What the tests of runs over several devices share: the devices, and runs whose states are compared.

PoCL shows its processor as often as POCL_DEVICES says. Checkpoints, which hold the whole state, are compared byte for
byte, those of nets and of tours without the seconds of the run.
"""

import hashlib
import json
import sys
from pathlib import Path

import support

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from compare_commits import state_sections  # noqa: E402

MOST = 7
ENV = {"POCL_DEVICES": " ".join(["pthread"] * MOST)}


def devices(count):
    return ",".join(f"opencl:{k}" for k in range(count))


class SplitCase(support.Case):
    def setUp(self):
        super().setUp()
        self.env = support.environment(**ENV)
        if len(support.opencl_devices(self.env)) < MOST:
            self.skipTest(f"PoCL does not show {MOST} devices")

    def run_on(self, name, command, *more):
        """The checkpoint and the results of a run."""
        path = self.folder / f"{name}.ckp"
        text = self.succeeds(*command, *more, "--checkpoint", path, "--json", env=self.env)
        return self.state_of(path), json.loads(text)["rows"][0]["result"]

    def state_of(self, path):
        """What a checkpoint holds, in a form whose differences are short."""
        has_seconds = path.read_bytes()[48:51] in (b"mlp", b"tsp")
        state = state_sections(path) if has_seconds else {"all": path.read_bytes()}
        return {name: hashlib.sha256(data).hexdigest() for name, data in state.items()}

    def compare(self, command):
        whole = self.run_on("whole", command, "--device", devices(1))
        for count in (2, 3, 7):
            self.assertEqual(self.run_on("split", command, "--split", "--device", devices(count)), whole, count)
        shares = self.run_on("shares", command, "--split", "--device", devices(3), "--shares", "5:0:2")
        self.assertEqual(shares, whole)
