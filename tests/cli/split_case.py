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
# How runs are divided: the number of devices, and shares of which one is nothing.
WAYS = ((MOST,), (2,), (3,), (3, "--shares", "5:0:2"))


def devices(count):
    return ",".join(f"opencl:{k}" for k in range(count))


# Some kernels run in one of these functions alone.
@support.by_turn
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

    def compare_all(self, commands):
        """Those kinds of run that are in the share $SHOAL_TEST_TURN in every way that a run is divided, the
        others as compare_kinds does; so are all where only a share of the cases is asked for."""
        every = {} if support.takes_share() else support.of_turn(commands)
        for name, command in every.items():
            with self.subTest(name):
                self.compare(command)
        self.compare_kinds({name: command for name, command in commands.items() if name not in every})

    def compare_kinds(self, commands):
        """Each kind of run over most devices, which differ most from one, and in one of the other ways, in turn."""
        for number, (name, command) in enumerate(commands.items()):
            with self.subTest(name):
                self.compare(command, (WAYS[0], WAYS[1 + number % (len(WAYS) - 1)]))

    def compare_methods(self, commands, methods):
        """As compare_kinds, by each method: the options that choose it. One of the methods, in turn, is divided in another way
        than over most devices."""
        for turn, (method, options) in enumerate(methods.items()):
            for number, (name, command) in enumerate(commands.items()):
                others = () if (number + turn) % len(methods) else (WAYS[1 + number % (len(WAYS) - 1)],)
                with self.subTest(name, method=method):
                    self.compare([*command, *options], (WAYS[0], *others))

    def compare(self, command, ways=WAYS):
        whole = self.run_on("whole", command, "--device", devices(1))
        for count, *more in ways:
            split = self.run_on("split", command, "--split", "--device", devices(count), *more)
            self.assertEqual(split, whole, (count, *more))

    def compare_resumed(self, command, option, half, end, *, turns=(([1], [3, "--shares", "1:4:2"]), ([3], [1]), ([7], [2]))):
        """A run of `half` steps that other devices resume ends as one of `end` steps; `option` sets the number of steps."""
        whole = self.run_on("whole", [*command, option, end], "--device", devices(1))
        for before, after in turns:
            with self.subTest(before=before, after=after):
                split = ["--split"] if before[0] > 1 else []
                self.run_on("half", [*command, option, half], "--device", devices(before[0]), *split)
                split = ["--split", *after[1:]] if after[0] > 1 else []
                resumed = self.run_on("end", [command[0], "--resume", self.folder / "half.ckp", option, end],
                                      "--device", devices(after[0]), *split)
                self.assertEqual(resumed, whole)

    def compare_limited(self, command):
        """A time limit leaves all devices at one step."""
        limited = self.run_on("limited", [*command, "--iterations", 1000000, "--time", 0.3], "--split", "--device", devices(3))[1]
        whole = self.run_on("whole", [*command, "--iterations", int(limited["steps"])], "--device", devices(1))[1]
        for key in ("value", "work", "steps"):
            self.assertEqual(limited[key], whole[key], key)

    def compare_parts(self, command):
        """Parts of one device copy from each other, and through the host from another device."""
        units = json.loads(self.succeeds("devices", "--device", devices(1), "--json", env=self.env))["devices"][0]["units"]
        if units < 2:
            self.skipTest("the device has one compute unit")
        whole = self.run_on("whole", command, "--device", devices(1))
        for parts in ("opencl:0/2", "opencl:0/2,opencl:1"):
            self.assertEqual(self.run_on("split", command, "--split", "--device", parts), whole, parts)

    def check_table(self, command, parts, heading):
        """The table of parts, in JSON and as text; returns the row of the JSON document."""
        row = json.loads(self.succeeds(*command, "--json", env=self.env))["rows"][0]
        self.assertEqual([(part["device"], part["unit"], part["first"], part["count"]) for part in row["parts"]], parts)
        first, last = parts[0][2], parts[0][2] + parts[0][3] - 1
        numbered_from = 1 if command[0] == "mlp" else 0
        self.assertRegex(self.succeeds(*command, env=self.env),
                         rf"device +{heading} +numbers +busy +waited(?: +path)?\nopencl:0 +{parts[0][3]} +{first + numbered_from} to {last + numbered_from} ")
        return row


class GasCase(SplitCase):
    """Gases: their results without the shares of time."""

    def run_on(self, name, command, *more):
        state, result = super().run_on(name, command, *more)
        for time in ("force_share", "list_share", "sort_share", "observe_share"):
            result["fields"].pop(time, None)
        return state, result
