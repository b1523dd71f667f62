"""Independent runs and nets over several devices: the bits are those of one device, whoever makes what."""

import json
import unittest

import support
from split_case import SplitCase, devices

SWARM = ["pso", "--runs", 7, "--particles", 16, "--dim", 5, "--trace", 10]
POPULATION = ["ga", "--runs", 7, "--population", 16, "--trace", 10]
NETS = ["mlp", "--generate", "teacher:300", "--hidden", "8", "--nets", 7]
# What ends runs one by one, what adds to the state of a run, and each method that shares have.
QUICK = {
    "islands on the chip": [*SWARM, "--iterations", 40],
    "ends": [*SWARM, "--function", "sphere", "--iterations", 500, "--target", 0.01, "--stagnation", 40],
    "rotated points": ["cmaes", "--function", "rosenbrock", "--dim", 5, "--rotate", 3, "--runs", 7, "--iterations", 20],
    "genomes": [*POPULATION, "--function", "onemax", "--dim", 32, "--iterations", 100, "--target", 32],
    "a table": [*SWARM[:-4], "--particles", 5, "--function", "f6", "--trace", 2, "--iterations", 3],
    "nets that end by patience": [*NETS, "--epochs", 60, "--patience", 2, "--rate", 0.03],
    "folds": ["mlp", "--generate", "teacher:201", "--hidden", "8", "--folds", 7, "--epochs", 5],
}
FULL = {
    "pipeline": [*SWARM, "--method", "thread", "--iterations", 40],
    "no limit": ["pso", "--function", "ackley", "--dim", 3, "--runs", 7, "--particles", 16],
    "distance": [*SWARM, "--function", "sphere", "--iterations", 2000, "--x-tolerance", 1e-3],
    "start points": [*SWARM, "--iterations", 20, "--start", "1,2,3,4,5;0,0,0,0,1"],
    "islands": [*SWARM, "--swarms", 3, "--exchange", 5, "--iterations", 30],
    "pattern search": [*SWARM, "--iterations", 20, "--polish", 200],
    "pattern search over a table": [*SWARM[:-4], "--particles", 5, "--function", "f6", "--swarms", 3, "--iterations", 2, "--polish", 40],
    "restarts": [*SWARM, "--iterations", 100, "--restart", 10],
    "maximise": [*SWARM, "--iterations", 20, "--maximise"],
    "shift": [*SWARM, "--iterations", 20, "--shift", 0.5, "--rotate", 3],
    "spso2011": [*SWARM[:3], "--dim", 5, "--preset", "spso2011", "--iterations", 20],
    "fused": [*POPULATION, "--dim", 5, "--method", "fused", "--iterations", 20],
    "population in memory": [*POPULATION, "--dim", 5, "--method", "pipeline", "--iterations", 20],
    "updates": [*NETS[:-2], "--nets", 3, "--folds", 4, "--updates", 17, "--batch", 25],
    "no sample": [*NETS, "--epochs", 12, "--trace", 0, "--batch", 16],
    "plateau": [*NETS, "--epochs", 20, "--schedule", "plateau", "--rate-period", 2, "--dropout", 0.2],
    "a target": [*NETS, "--epochs", 60, "--target-loss", 2.9],
    "full batch": [*NETS, "--epochs", 12, "--full-batch", "--optimiser", "irprop-plus"],
    "double precision": [*NETS, "--epochs", 5, "--precision", "fp64"],
    "rows in chunks": [*NETS, "--epochs", 5, "--chunk-rows", 64],
    "tiles": [*NETS, "--epochs", 5, "--hidden", "40,24"],
    "exchange": [*POPULATION, "--dim", 5, "--islands", 2, "--exchange", 5, "--iterations", 20],
}


class Split(SplitCase):
    def test_bits_are_those_of_one_device(self):
        self.compare_all(QUICK)

    @support.in_full
    def test_bits_of_every_kind_of_run(self):
        self.compare_kinds(support.of_turn(FULL))

    def test_resumed_on_another_number_of_devices(self):
        self.compare_resumed(SWARM, "--iterations", 25, 60, turns=(([1], [3, "--shares", "1:4:2"]), ([3], [1]), ([3], [2]), ([7], [3])))

    def test_nets_resumed_on_another_number_of_devices(self):
        nets = [*NETS, "--schedule", "constant", "--epochs", 30, "--patience", 6]
        whole = self.run_on("whole", nets, "--device", devices(1))
        self.run_on("half", [*nets, "--epochs", 9], "--split", "--device", devices(3))
        for more in (["--device", devices(1)], ["--split", "--device", devices(7)],
                     ["--split", "--device", devices(2), "--shares", "1:6"]):
            with self.subTest(more):
                resumed = self.run_on("end", ["mlp", "--resume", self.folder / "half.ckp", "--epochs", 30], *more)
                self.assertEqual(resumed, whole)

    def test_a_time_limit_may_end_nets_within_an_epoch(self):
        # Nets that are at different updates go on to the same end.
        nets = ["mlp", "--generate", "teacher:3000", "--hidden", "24", "--batch", "1", "--trace", 0, "--nets", 3]
        whole = self.run_on("whole", [*nets, "--epochs", 2], "--device", devices(1))
        self.run_on("limited", [*nets, "--epochs", 2, "--time", 0.15], "--split", "--device", devices(2))
        resumed = self.run_on("end", ["mlp", "--resume", self.folder / "limited.ckp", "--time", 1000], "--split",
                              "--device", devices(3))
        self.assertEqual(resumed[0], whole[0])

    def test_a_net_that_fails_is_named_as_on_one_device(self):
        table = self.file("sums.csv", "a,b,sum\n" + "".join(f"{i % 7},{i % 5},{i % 7 + i % 5}\n" for i in range(120)))
        wild = ["mlp", "--data", table, "--target", "sum", "--task", "regress", "--hidden", 3, "--activation", "linear", "--optimiser", "sgd",
                "--schedule", "constant", "--rate", 0.5, "--batch", 10, "--trace", 0, "--nets", 6]
        whole = self.fails(6, *wild, "--device", devices(1), env=self.env)
        self.assertIn(": net 3: the loss of update 8 is no finite number", whole)
        split = self.fails(6, *wild, "--split", "--device", devices(3), env=self.env)
        self.assertEqual(split.replace("opencl:0 + opencl:1 + opencl:2", "opencl:0"), whole)

    def test_a_part_may_end_before_the_others(self):
        # Of runs that have ended some have done so before the step of the checkpoint; a lower target moves the others.
        ends = [*SWARM, "--function", "sphere", "--iterations", 500, "--target", 0.1]
        self.run_on("ended", ends, "--split", "--device", devices(7))
        lower = ["pso", "--resume", self.folder / "ended.ckp", "--target", 0.001]
        self.assertEqual(self.run_on("split", lower, "--split", "--device", devices(7)),
                         self.run_on("whole", lower, "--device", devices(1)))

    def test_a_time_limit_leaves_parts_at_one_step(self):
        # Where the limit comes within a step, parts may have made it, and the others follow: whatever the number of
        # steps, the result is that of so many steps.
        search = ["ga", "--function", "onemax", "--dim", 512, "--population", 32, "--runs", 8, "--local-search", "best"]
        both = ["--split", "--device", devices(2), "--shares", "7:1"]
        limited = self.run_on("limited", [*search, "--iterations", 100000, "--time", 0.3], *both)[1]
        steps = int(limited["steps"])
        whole = self.run_on("whole", [*search, "--iterations", steps], "--device", devices(1))[1] if steps else limited
        for key in ("value", "work", "steps"):
            self.assertEqual(limited[key], whole[key], key)

    def test_parts_of_a_device(self):
        for command in ([*SWARM, "--iterations", 20], QUICK["a table"]):
            with self.subTest(command):
                self.assertEqual(self.run_on("split", command, "--split", "--device", "opencl:0/2"),
                                 self.run_on("whole", command, "--device", "opencl:0"))

    def test_devices_without_units(self):
        # The first device has a share, but no run: the others make all of them, and the row names only those.
        for shares, runs, ids in (("1:100:100", 4, "opencl:1 + opencl:2"), ("1:0:1", 2, "opencl:0 + opencl:2")):
            with self.subTest(shares):
                row = json.loads(self.succeeds("pso", "--runs", runs, "--iterations", 5, "--split", "--device", devices(3),
                                               "--shares", shares, "--json", env=self.env))["rows"][0]
                self.assertEqual(row["device"], ids)
                self.assertEqual(" + ".join(p["device"] for p in row["parts"]), ids)
                self.assertEqual(sum(p["count"] for p in row["parts"]), runs)
        text = self.succeeds("pso", "--runs", 3, "--iterations", 5, "--split", "--device", devices(2), env=self.env)
        self.assertRegex(text, r"device +runs +numbers +busy +waited\nopencl:0 +2 +0 to 1 .*\nopencl:1 +1 +2 ")

    def test_parts_are_shown(self):
        command = [*SWARM, "--iterations", 20, "--split", "--device", devices(3)]
        row = json.loads(self.succeeds(*command, "--json", env=self.env))["rows"][0]
        self.assertEqual(row["device"], "opencl:0 + opencl:1 + opencl:2")
        self.assertEqual([(p["device"], p["unit"], p["first"], p["count"]) for p in row["parts"]],
                         [("opencl:0", "run", 0, 3), ("opencl:1", "run", 3, 2), ("opencl:2", "run", 5, 2)])
        best = row["result"]["fields"]["best_run"]
        self.assertEqual(str(best + 1), row["result"]["fields"]["best_seed"])
        maker = next(p["device"] for p in row["parts"] if p["first"] <= best < p["first"] + p["count"])
        text = self.succeeds(*command, env=self.env)
        self.assertRegex(text, r"opencl:1 +2 +3 to 4 ")
        self.assertIn(f"best run {best:.0f}, made on {maker}\n", text)
        # Nets are numbered from 1.
        nets = [*NETS, "--epochs", 2, "--split", "--device", devices(3)]
        row = json.loads(self.succeeds(*nets, "--json", env=self.env))["rows"][0]
        self.assertEqual([(p["unit"], p["first"], p["count"]) for p in row["parts"]],
                         [("net", 0, 3), ("net", 3, 2), ("net", 5, 2)])
        best = row["result"]["fields"]["best_net"]
        self.assertEqual(best, min(row["report"]["nets"], key=lambda net: net["validation_loss"])["net"])
        maker = next(p["device"] for p in row["parts"] if p["first"] < best <= p["first"] + p["count"])
        text = self.succeeds(*nets, env=self.env)
        self.assertRegex(text, r"opencl:1 +2 +4 to 5 ")
        self.assertIn(f"best net {best:.0f}, made on {maker}\n", text)
        folds = [*NETS, "--nets", 1, "--folds", 3, "--epochs", 1, "--split", "--device", devices(2)]
        self.assertRegex(self.succeeds(*folds, env=self.env), r"\nopencl:1 +1 +3 ")

    def test_what_is_refused(self):
        runs = ["pso", "--runs", 4, "--method", "onchip", "--split"]
        for more, line in (
            ((*runs, "--device", devices(5)), "--split: runs or swarms are divided among devices, and there are 4 for 5 devices: give --runs or --swarms 5 or more"),
            (("pso", "--method", "onchip", "--split", "--device", devices(2)), "there is 1 for 2 devices: give --runs or --swarms 2 or more"),
            (("pso", "--split", "--device", devices(2)), "opencl:0 + opencl:1: method onchip cannot divide particles among devices: give --method thread, "
             "--runs or --swarms, or take one device\n"),
            (("mlp", "--nets", 2, "--split", "--device", devices(3)), "nets or shards are divided among devices, and there are 2 for 3 devices: give --nets or --folds or --shards 3 or more"),
            ((*runs, "--device", "opencl:0,host"), "shoal: --split: the host takes no part in a divided run: name other devices, such as gpu, cpu or their ids\n"),
            ((*runs, "--device", devices(2), "--shares", "1:2:3"), "3 shares for 2 devices"),
            ((*runs, "--device", devices(2), "--shares", "1;2"), "--shares: '1;2' is not a finite number; give 0 to 1000000000"),
            ((*runs, "--device", devices(2), "--shares", "1:"), "--shares: '' is not a finite number"),
            ((*runs, "--device", devices(2), "--shares", "1:1e10"), "--shares: 1e10 is out of range; give 0 to 1000000000"),
            ((*runs, "--device", devices(4), "--shares", "1:1:1:1", "--runs", 2), "there are 2 for 4 devices"),
            ((*runs, "--device", devices(2), "--shares", "0:0"), "one of them above 0"),
            ((*runs, "--device", "opencl:0,opencl:0/2:1"), "opencl:0 and opencl:0/2:1 overlap: name the whole device or its parts"),
            ((*runs, "--device", "opencl:0/2:0,opencl:0/1+1:0"), "opencl:0/2:0 and opencl:0/1+1:0 may overlap: name parts of one division"),
            (("pso", "--runs", 4, "--shares", "1:2"), "--shares needs --split"),
        ):
            with self.subTest(more):
                self.assertIn(line, self.fails(2, *more, env=self.env))

    def test_a_failure_names_its_part_once(self):
        line = self.fails(4, *SWARM, "--objective", self.file("wrong.cl", support.TEXT.replace("return", "retrun")),
                          "--split", "--device", devices(3), env=self.env)
        self.assertIn("wrong.cl", line)

    def test_one_device_makes_the_whole_run(self):
        done = support.shoal(*SWARM, "--iterations", 5, "--split", "--device", "opencl:0", env=self.env)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "shoal: warning: the run is not divided: its one device, opencl:0, makes the whole run\n")

    def test_generators_with_a_state(self):
        self.need_theses()
        line = self.fails(2, *SWARM, "--update", "inertia", "--random", "glob", "--split", "--device", devices(2), env=self.env)
        self.assertIn("generators keep a state", line)


if __name__ == "__main__":
    support.main()
