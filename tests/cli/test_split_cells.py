"""The cells of lk over several devices: tours, ends and checkpoints are those of one device."""

import json

import support
from split_case import SplitCase, devices

TSP = ["tsp", "--generate", "uniform:500:1", "--algorithm", "lk", "--cell", 40, "--trace", 2]
# The host mends these tours, whose cells are many or few.
CLUSTERED = [*TSP, "--generate", "clustered:400:2"]
QUICK = {
    "one tour": [*TSP, "--iterations", 5],
    "tours that are recombined": [*TSP, "--replicas", 3, "--iterations", 6],
    "a tour that is mended": [*CLUSTERED, "--iterations", 9],
    "as many cells as devices": [*TSP, "--cell", 75, "--iterations", 4],
}
FULL = {
    "cells of few cities": [*TSP, "--cell", 8, "--iterations", 4],
    "a path": [*TSP, "--path", "--replicas", 2, "--iterations", 4],
    "quadrants": [*CLUSTERED, "--lists", "quadrant", "--iterations", 5],
    "a cooling that ends before the run": [*TSP, "--replicas", 2, "--cooling", 4, "--iterations", 8],
    "a target": [*TSP, "--target", 18000000, "--iterations", 40],
    "stagnation": [*CLUSTERED, "--stagnation", 3, "--iterations", 40],
    "tours": [*TSP, "--tours", 1400, "--iterations", 40],
    "few cities": ["tsp", "--generate", "uniform:9:1"],
}


class SplitCells(SplitCase):
    def test_bits_are_those_of_one_device(self):
        self.compare_all(QUICK)

    @support.in_full
    def test_bits_of_every_kind_of_run(self):
        self.compare_kinds(support.of_turn(FULL))

    @support.long
    def test_a_tour_that_begins_with_a_curve(self):
        self.compare([*TSP, "--generate", "uniform:65537:1", "--cell", 512, "--iterations", 4], ((2,),))

    @support.long
    def test_bits_from_files(self):
        matrix = self.file("there.csv", "\n".join(",".join(str(1 + (7 * i + 3 * j * j) % 97 if i != j else 0) for j in range(90)) for i in range(90)))
        self.compare(["tsp", "--data", matrix, "--algorithm", "lk", "--cell", 8, "--iterations", 6])
        tour = self.folder / "first.tour"
        self.succeeds(*TSP, "--iterations", 1, "--device", devices(1), "--out", tour, env=self.env)
        self.compare([*TSP, "--tour", tour, "--iterations", 4])

    def test_resumed_on_another_number_of_devices(self):
        self.compare_resumed([*TSP, "--replicas", 2, "--cooling", 8], "--iterations", 3, 8)

    @support.long
    def test_a_mended_tour_resumed_on_another_number_of_devices(self):
        self.compare_resumed([*CLUSTERED, "--cooling", 9], "--iterations", 4, 9)

    @support.long
    def test_on_parts_of_a_device(self):
        self.compare_parts([*TSP, "--iterations", 4])

    def test_auto_takes_lk(self):
        command = ["tsp", "--generate", "uniform:700:1", "--iterations", 3]
        named = self.run_on("named", [*command, "--algorithm", "lk"], "--device", devices(1))[1]
        chosen = self.run_on("chosen", command, "--device", devices(3), "--split")[1]
        self.assertEqual((chosen["fields"].pop("algorithm"), chosen["fields"].pop("chosen_for")), ("lk", "several devices"))
        named["fields"].pop("algorithm")
        self.assertEqual(chosen, named)

    def test_better_tours_are_told_as_on_one_device(self):
        told = []
        for more in (["--device", devices(1)], ["--device", devices(3), "--split"]):
            path = self.folder / "better.jsonl"
            self.succeeds(*TSP, "--iterations", 5, "--anytime", path, *more, env=self.env)
            lines = [json.loads(line) for line in path.read_text().splitlines()]
            told.append([{key: value for key, value in line.items() if key != "seconds"} for line in lines])
            path.unlink()
        self.assertGreater(len(told[0]), 1)
        self.assertEqual(told[1], told[0])

    def test_parts_are_shown(self):
        command = [*TSP, "--iterations", 2, "--split", "--device", devices(3)]
        self.check_table(command, [("opencl:0", "shard", 0, 342), ("opencl:1", "shard", 342, 341), ("opencl:2", "shard", 683, 341)], "shards")

    def test_a_time_limit_leaves_devices_at_one_step(self):
        # The result names what repeats the run: the visits and the cooling, which follow from the time, and the steps.
        limited = self.run_on("limited", [*TSP, "--replicas", 2, "--time", 0.5], "--split", "--device", devices(3))[1]
        again = ["--iterations", int(limited["steps"]), *(word for name in ("cooling", "visits") for word in (f"--{name}", limited["fields"][name]))]
        whole = self.run_on("whole", [*TSP, "--replicas", 2, *again], "--device", devices(1))[1]
        for key in ("value", "work", "steps"):
            self.assertEqual(limited[key], whole[key], key)

    def test_what_is_refused(self):
        for cell, line in ((100, "there are 5 for 6 devices"), (500, "there is 1 for 6 devices")):
            self.assertIn(f"cells are divided among devices, and {line}: lower --cell, or take fewer devices",
                          self.fails(2, *TSP, "--cell", cell, "--split", "--device", devices(6), env=self.env))


if __name__ == "__main__":
    support.main()
