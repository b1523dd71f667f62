"""The members of one swarm or island over several devices: each device moves its particles, or evaluates some of the
members, and the bits are those of one device."""

import json

import support
from split_case import SplitCase, devices

# Seven blocks of 1024 particles and a few more.
SWARM = ["pso", "--topology", "global", "--update", "inertia", "--particles", 7400, "--dim", 3, "--trace", 5]
SPHERE = [*SWARM, "--function", "sphere"]
QUICK = {
    "a large swarm": [*SWARM, "--iterations", 12],
    "ends": [*SPHERE, "--iterations", 500, "--target", 1e-7, "--stagnation", 40],
}
FULL = {
    "many dimensions": [*SWARM, "--dim", 40, "--iterations", 6],
    "stagnation": [*SPHERE, "--iterations", 500, "--stagnation", 3],
    "distance": [*SPHERE, "--iterations", 2000, "--x-tolerance", 1e-3],
    "double precision": [*SWARM, "--iterations", 12, "--precision", "fp64", "--update", "constriction"],
    "linear": [*SWARM, "--iterations", 12, "--update", "linear", "--bounds", "periodic", "--velocity-limit", 0.2],
    "invisible bounds": [*SWARM, "--iterations", 12, "--bounds", "invisible"],
    "values that are not finite": [*SWARM, "--iterations", 12, "--expr", "sum(log(x[i]-1))", "--lower", -5, "--upper", 5],
    "neighbouring coordinates": [*SWARM, "--iterations", 12, "--function", "rosenbrock"],
    "start points": [*SPHERE, "--iterations", 12, "--start", "1,2,3;0,0,1"],
    "a start point at the target": [*SPHERE, "--target", 1e-9, "--start", "1,2,3;0,0,0"],
    "pattern search": [*SWARM, "--iterations", 12, "--polish", 200],
    "maximise": [*SWARM, "--iterations", 12, "--maximise", "--shift", 0.5],
    "words of 16 bits": [*SWARM, "--iterations", 12, "--random", "philox16", "--scalar-random"],
}


# Each device holds all members, and evaluates some of them.
SMALL = ["pso", "--particles", 23, "--dim", 5, "--trace", 5, "--method", "thread"]
POPULATION = ["ga", "--method", "pipeline", "--population", 31, "--trace", 5, "--iterations", 10]
EVOLUTION = ["de", "--method", "pipeline", "--trace", 5, "--evaluations", 400]
EVALUATED = {
    "a ring": [*SMALL, "--topology", "ring", "--update", "inertia", "--iterations", 20],
    "a population": [*POPULATION, "--dim", 5],
    "a population that shrinks": [*EVOLUTION, "--dim", 5],
}
ALL_EVALUATED = {
    "batches": [*SMALL, "--topology", "global", "--update", "inertia", "--batch", 7, "--iterations", 10],
    "spso2011": ["pso", "--particles", 23, "--preset", "spso2011", "--dim", 5, "--method", "thread", "--iterations", 15],
    "a formula of all coordinates": [*SMALL, "--dim", 4, "--expr", "x[1]*x[2]+sin(x[3])*x[4]^2", "--lower", -3, "--upper", 3, "--iterations", 15],
    "rows in one piece": [*SMALL[:3], "--trace", 5, "--function", "f6", "--method", "warp2", "--iterations", 4],
    "whole dimensions": [*SMALL, "--method", "block", "--iterations", 10],
    "ends": [*SMALL, "--function", "sphere", "--iterations", 500, "--target", 1e-3, "--stagnation", 50],
    "restarts": [*SMALL, "--iterations", 100, "--restart", 10],
    "two swarms": [*SMALL, "--swarms", 2, "--exchange", 3, "--iterations", 10, "--start", "1,2,3,4,5", "--polish", 50],
    "bits": [*POPULATION, "--function", "onemax", "--dim", 64, "--local-search", "best"],
    "whole values": [*POPULATION, "--function", "labs", "--dim", 30, "--islands", 2, "--exchange", 2],
    "rounded members": [*EVOLUTION, "--variables", "x1-x3 real -5 5, x4-x5 integer -4 4", "--islands", 2, "--exchange", 3],
    "jso": [*EVOLUTION, "--dim", 4, "--adaptation", "jso", "--population", 31],
    "steady": [*POPULATION, "--dim", 5, "--replacement", "steady"],
}


class SplitSwarm(SplitCase):
    def test_bits_are_those_of_one_device(self):
        self.compare_all(QUICK)

    def test_evaluations_are_divided(self):
        self.compare_all(EVALUATED)
        text = self.succeeds(*EVALUATED["a ring"], "--split", "--device", devices(2), env=self.env)
        self.assertRegex(text, r"device +particles +numbers +busy +waited +path\nopencl:0 +12 +0 to 11 .* host\nopencl:1 .* host\n")
        text = self.succeeds(*EVALUATED["a ring"], "--split", "--device", "opencl:0/2", "--json", env=self.env)
        self.assertEqual([part["path"] for part in json.loads(text)["rows"][0]["parts"]], 2 * ["same memory"])

    @support.in_full
    def test_every_kind_of_evaluation(self):
        self.compare_kinds(support.of_turn(ALL_EVALUATED))

    def test_parts_of_a_device(self):
        self.compare_parts(QUICK["ends"])

    @support.in_full
    def test_bits_of_every_kind_of_swarm(self):
        self.compare_kinds(support.of_turn(FULL))

    def test_resumed_on_another_number_of_devices(self):
        # The lower target ends the swarm at the step of the checkpoint.
        self.compare_resumed(SPHERE, "--iterations", 17, 40)
        higher = ["pso", "--resume", self.folder / "half.ckp", "--iterations", 40, "--target", 1e3]
        self.assertEqual(self.run_on("split", higher, "--split", "--device", devices(3)), self.run_on("whole", higher, "--device", devices(1)))

    def test_a_time_limit_leaves_parts_at_one_step(self):
        self.compare_limited(SWARM)

    @support.by_turn
    def test_parts_are_shown(self):
        command = [*SWARM, "--iterations", 5, "--split", "--device", devices(2), "--shares", "3:1"]
        self.check_table(command, [("opencl:0", "block", 0, 6), ("opencl:1", "block", 6, 2)], "blocks of 1024 particles")

    def test_what_is_refused(self):
        split = ["--method", "fused", "--split", "--device", devices(7)]
        for more, line in (
            ((*SWARM, "--particles", 3000), "runs or swarms or blocks of 1024 particles are divided among devices, and there are 3 for 7 devices: "
                                            "give --runs or --swarms 7 or more"),
            ((*SWARM, "--particles", 1000), "there is 1 for 7 devices: give --runs or --swarms 7 or more"),
            ((*SWARM, "--topology", "ring"), "there is 1 for 7 devices: give --runs or --swarms 7 or more"),
            ((*SWARM, "--restart", 5), "there is 1 for 7 devices: give --runs or --swarms 7 or more"),
        ):
            with self.subTest(more):
                self.assertIn(line, self.fails(2, *more, *split, env=self.env))


if __name__ == "__main__":
    support.main()
