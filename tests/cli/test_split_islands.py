"""The islands of runs over several devices: champions travel, and the bits are those of one device."""

import json

import support
from split_case import SplitCase, devices

SWARMS = ["pso", "--swarms", 8, "--particles", 8, "--dim", 3, "--trace", 10]
SPHERE = [*SWARMS, "--function", "sphere", "--iterations", 500, "--exchange", 4]
POPULATIONS = ["ga", "--islands", 7, "--population", 12, "--dim", 4, "--trace", 10, "--exchange", 3, "--iterations", 20]
EVOLUTION = ["de", "--islands", 7, "--population", 12, "--dim", 4, "--trace", 10, "--exchange", 3, "--iterations", 20]
CONSTRAINED = [*EVOLUTION, "--restart", 5, "--subject-to", "x[1] + x[2] <= -1", "--subject-to", "x[3] = 2*x[4]", "--evaluations", 3000]
EDGES = ["--exchange-topology", "edges", "--exchange-edges", "0-1,1-2,2-0,7-3,0-7,5-3"]
# Each kernel that reads of other islands, and what ends runs of several islands.
QUICK = {
    "a ring": [*SWARMS, "--exchange", 5, "--iterations", 40],
    "ends": [*SPHERE, "--target", 0.01, "--stagnation", 40],
    "a run cut in the middle": [*SWARMS, "--swarms", 5, "--runs", 2, "--method", "thread", "--exchange", 3, "--iterations", 20],
    "migrants": POPULATIONS,
    "archives and memories": EVOLUTION,
    "constraints": CONSTRAINED,
}
METHODS = {"on the chip": [], "pipeline": ["--method", "thread"]}
FULL = {
    **{name: [*SWARMS, "--exchange", 3, "--iterations", 20, "--exchange-topology", name] for name in ("torus", "hypercube", "random", "all")},
    "edges": [*SWARMS, "--exchange", 1, "--iterations", 20, *EDGES],
    "every hundred steps": [*SWARMS, "--exchange", 100, "--iterations", 210],
    "no exchange": [*SWARMS, "--iterations", 20],
    "two runs and ends": [*SPHERE, "--swarms", 5, "--runs", 2, "--target", 0.001, "--stagnation", 60],
    "stagnation": [*SWARMS, "--function", "rastrigin", "--exchange", 5, "--iterations", 500, "--stagnation", 20],
    "restarts": [*SWARMS, "--exchange", 5, "--iterations", 100, "--restart", 10],
    "distance": [*SPHERE, "--iterations", 2000, "--x-tolerance", 1e-3],
    "start points": [*SPHERE, "--iterations", 20, "--start", "1,2,3;0,0,1"],
    "a start point at the target": [*SPHERE, "--target", 1e-9, "--start", "1,2,3;0,0,0"],
    "pattern search": [*SWARMS, "--iterations", 20, "--polish", 200],
}
GA_METHODS = {name: ["--method", name] for name in ("onchip", "fused", "pipeline")}
DE_METHODS = {name: ["--method", name] for name in ("onchip", "pipeline")}
GA = {
    **{name: [*POPULATIONS, "--islands", 8, "--migrants", 3, "--exchange-topology", name] for name in ("torus", "hypercube", "random", "all")},
    "edges": [*POPULATIONS, "--islands", 8, "--exchange", 1, *EDGES],
    "bits and a target": [*POPULATIONS, "--function", "onemax", "--dim", 32, "--iterations", 200, "--target", 32],
    "ends": [*POPULATIONS, "--function", "sphere", "--iterations", 500, "--target", 0.01, "--stagnation", 40],
    "two runs": [*POPULATIONS, "--islands", 5, "--runs", 2, "--function", "sphere", "--iterations", 300, "--stagnation", 20],
    "restarts": [*POPULATIONS, "--iterations", 60, "--restart", 10],
    "distance": [*POPULATIONS, "--function", "sphere", "--iterations", 500, "--x-tolerance", 1e-2],
    "start points": [*POPULATIONS, "--function", "sphere", "--dim", 3, "--start", "1,2,3;0,0,1"],
    "random migrants": [*POPULATIONS, "--emigrants", "random", "--immigrants", "random"],
    "rates of islands": [*POPULATIONS, "--mutation-rates", "0.1,0.2,0.3,0.1,0.2,0.3,0.4"],
}
DE = {
    "a run cut in the middle": [*EVOLUTION, "--islands", 5, "--runs", 2, "--adaptation", "jso"],
    "F and CR of members": [*EVOLUTION, "--adaptation", "jde", "--population-end", 5],
    "ends": [*EVOLUTION, "--function", "sphere", "--iterations", 500, "--target", 0.01, "--stagnation", 40],
    "restarts": [*EVOLUTION, "--iterations", 60, "--restart", 3],
    "distance": [*EVOLUTION, "--function", "sphere", "--iterations", 500, "--x-tolerance", 1e-2],
    "start points": [*EVOLUTION, "--function", "sphere", "--dim", 3, "--start", "1,2,3;0,0,1"],
}
ALONE = {
    "local search": [*POPULATIONS, "--function", "onemax", "--dim", 64, "--local-search", "best"],
    "steady": [*POPULATIONS, "--replacement", "steady"],
    "cellular": [*POPULATIONS, "--structure", "cellular-4"],
    "sus": [*POPULATIONS, "--selection", "sus"],
    "no limit": ["pso", "--function", "ackley", "--dim", 3, "--swarms", 7, "--particles", 16],
    "spso2011": ["pso", "--preset", "spso2011", "--dim", 5, "--swarms", 7, "--exchange", 5, "--iterations", 20],
    "a table": ["pso", "--particles", 8, "--function", "f6", "--swarms", 7, "--exchange", 2, "--iterations", 4, "--polish", 200],
}


class SplitIslands(SplitCase):
    def test_bits_are_those_of_one_device(self):
        self.compare_all(QUICK)

    def test_parts_of_one_device_copy_from_each_other(self):
        units = json.loads(self.succeeds("devices", "--device", devices(1), "--json", env=self.env))["devices"][0]["units"]
        if units < 2:
            self.skipTest("the device has one compute unit")
        # Two parts have one memory; a part and another device have not.
        for selector in ("opencl:0/2", "opencl:0/2:1,opencl:1"):
            for name in ("a ring", "migrants"):
                with self.subTest(selector, name=name):
                    split = self.run_on("split", QUICK[name], "--split", "--device", selector)
                    self.assertEqual(split, self.run_on("whole", QUICK[name], "--device", devices(1)))

    @support.in_full
    def test_bits_of_every_kind_of_run(self):
        self.compare_methods(support.of_turn(FULL), METHODS)
        self.compare_methods(support.of_turn(GA), GA_METHODS)
        self.compare_methods(support.of_turn(DE), DE_METHODS)
        self.compare_kinds(support.of_turn(ALONE))

    def test_resumed_on_another_number_of_devices(self):
        # The lower target ends the runs at the step of the checkpoint, which all islands together decide.
        self.compare_resumed(SPHERE, "--iterations", 26, 60)
        higher = ["pso", "--resume", self.folder / "half.ckp", "--iterations", 60, "--target", 1e3]
        self.assertEqual(self.run_on("split", higher, "--split", "--device", devices(3)),
                         self.run_on("whole", higher, "--device", devices(1)))

    @support.long
    def test_constraints_resumed_on_another_number_of_devices(self):
        self.compare_resumed(CONSTRAINED, "--iterations", 12, 30, turns=(([3], [2]),))

    def test_a_device_may_end_before_the_others(self):
        # The first run ends early, and its device makes no step that others wait for.
        ends = [*SPHERE, "--runs", 2, "--target", 1e-3, "--start", "0,0,0.01"]
        self.run_on("half", [*ends, "--iterations", 30], "--split", "--device", devices(3))
        rest = ["pso", "--resume", self.folder / "half.ckp", "--iterations", 500, "--target", 1e-9]
        self.assertEqual(self.run_on("split", rest, "--split", "--device", devices(7)), self.run_on("whole", rest, "--device", devices(1)))

    def test_parts_are_shown(self):
        command = [*SWARMS, "--iterations", 20, "--exchange", 5, "--split", "--device", devices(3)]
        self.check_table(command, [("opencl:0", "swarm", 0, 3), ("opencl:1", "swarm", 3, 3), ("opencl:2", "swarm", 6, 2)], "swarms")
        # Of runs and swarms, runs are divided where there are enough.
        text = self.succeeds(*command, "--runs", 4, env=self.env)
        self.assertRegex(text, r"device +runs ")

    def test_a_time_limit_leaves_parts_at_one_step(self):
        self.compare_limited([*SWARMS, "--exchange", 3])

    def test_what_is_refused(self):
        for more, line in (
            (("pso", "--runs", 2, "--swarms", 2, "--method", "onchip", "--split", "--device", devices(5)),
             "--split: runs or swarms are divided among devices, and there are 4 for 5 devices: give --runs or --swarms 5 or more"),
            (("ga", "--islands", 3, "--method", "onchip", "--split", "--device", devices(4)), "runs or islands are divided among devices, and there are 3 for 4"),
        ):
            with self.subTest(more):
                self.assertIn(line, self.fails(2, *more, env=self.env))


    def test_generators_with_a_state(self):
        self.need_theses()
        thesis = ["--selection", "own", "--crossover", "arithmetic", "--mutation", "none", "--elites", 0, "--random", "hybridtaus"]
        line = self.fails(2, *POPULATIONS, "--population", 32, *thesis, "--migration", "mailbox", "--split", "--device", devices(2),
                          env=self.env)
        self.assertIn("generators keep a state", line)


if __name__ == "__main__":
    support.main()
