"""The colonies of a run, or the pieces of its tours, over several devices: tours, pheromone and ends are those of one device."""

import json

import support
from split_case import SplitCase, devices

TSP = ["tsp", "--generate", "uniform:60:1", "--colonies", 7, "--trace", 5]
# Cities whose lists of nearest cities fall apart, so that runs choose lists of quadrants.
FOCUSED = [*TSP, "--generate", "clustered:200:2", "--ants", 40]
PIECES = [*FOCUSED, "--colonies", 1, "--pieces", 8]
# What decides about the end of a run, and what all devices share: lists, first tours, distances.
QUICK = {
    "focused ants": [*FOCUSED, "--iterations", 10],
    "exchange": [*FOCUSED, "--exchange", 3, "--iterations", 10],
    "pieces": [*PIECES, "--iterations", 12],
    "a target": [*TSP, "--algorithm", "acs", "--target", 6090000, "--iterations", 300],
}
FULL = {
    **{name: [*TSP, "--algorithm", name, "--ants", 16, "--iterations", 12] for name in ("as", "eas", "ras", "mmas", "acs")},
    "mutations, which depend on the last step": [*TSP, "--algorithm", "bwas", "--iterations", 1000, "--ants", 8, "--tours", 2000],
    "local search": [*TSP, "--algorithm", "mmas", "--localsearch", 3, "--ants", 8, "--iterations", 6],
    "pheromone on all edges": [*TSP, "--algorithm", "acs", "--pheromone", "full", "--iterations", 12],
    "merged ants": [*FOCUSED, "--merge", "--iterations", 20],
    "pieces of two colonies, which exchange tours": [*PIECES, "--colonies", 2, "--exchange", 3, "--iterations", 12],
    "pieces and stagnation": [*PIECES, "--stagnation", 4, "--iterations", 400],
    "pieces with the best tour as the source": [*PIECES, "--source-share", 0.5, "--iterations", 12],
    "pieces of a path": [*PIECES, "--path", "--iterations", 12],
    "stagnation": [*FOCUSED, "--stagnation", 4, "--iterations", 400],
    "tours": [*FOCUSED, "--tours", 3000, "--iterations", 400],
    "the best tour as the source": [*FOCUSED, "--source-share", 0.5, "--iterations", 20],
    "nearest cities": [*FOCUSED, "--lists", "nearest", "--iterations", 20],
    "a path": [*FOCUSED, "--path", "--iterations", 20],
    **{f"exchange of {name}": [*TSP, "--algorithm", name, "--ants", 8, "--exchange", 2, "--iterations", 12]
       for name in ("eas", "ras", "mmas", "bwas", "acs")},
    "exchange after each step": [*FOCUSED, "--merge", "--exchange", 1, "--iterations", 12],
    "exchange and ends": [*TSP, "--algorithm", "acs", "--exchange", 5, "--stagnation", 12, "--target", 5900000, "--iterations", 300],
    "one tour": [*TSP, "--generate", "uniform:3:1"],
}


class SplitColonies(SplitCase):
    def test_bits_are_those_of_one_device(self):
        self.compare_all(QUICK)

    @support.in_full
    def test_bits_of_every_kind_of_run(self):
        self.compare_kinds(support.of_turn(FULL))

    @support.long
    def test_bits_from_files(self):
        matrix = self.file("there.csv", "\n".join(",".join(str(1 + (7 * i + 3 * j) % 19 if i != j else 0) for j in range(12)) for i in range(12)))
        self.compare(["tsp", "--data", matrix, "--colonies", 7, "--algorithm", "mmas", "--iterations", 12])
        tour = self.folder / "first.tour"
        self.succeeds(*TSP, "--iterations", 2, "--device", devices(1), "--out", tour, env=self.env)
        for algorithm in ("faco", "eas"):
            self.compare([*TSP, "--algorithm", algorithm, "--tour", tour, "--ants", 16, "--iterations", 12])

    def test_resumed_on_another_number_of_devices(self):
        self.resume(FOCUSED)

    def test_pieces_resumed_on_another_number_of_devices(self):
        self.resume(PIECES)

    @support.long
    def test_pieces_on_parts_of_a_device(self):
        self.compare_parts([*PIECES, "--iterations", 12])

    @support.long
    def test_exchange_resumed_on_another_number_of_devices(self):
        self.resume([*FOCUSED, "--exchange", 4])

    @support.long
    def test_pheromone_resumed_on_another_number_of_devices(self):
        # From step 25 on the best tour since the restart leaves pheromone.
        self.resume([*TSP, "--algorithm", "mmas", "--ants", 8], 11, 30)

    def resume(self, command, cut=6, end=14):
        self.compare_resumed(command, "--iterations", cut, end)

    def test_better_tours_are_told_as_on_one_device(self):
        told = []
        for more in (["--device", devices(1)], ["--device", devices(3), "--split"]):
            path = self.folder / "better.jsonl"
            self.succeeds(*FOCUSED, "--iterations", 10, "--anytime", path, *more, env=self.env)
            lines = [json.loads(line) for line in path.read_text().splitlines()]
            told.append([{key: value for key, value in line.items() if key != "seconds"} for line in lines])
            path.unlink()
        self.assertGreater(len(told[0]), 1)
        self.assertEqual(told[1], told[0])

    @support.long
    def test_lists_of_the_checkpoint(self):
        # The run chose lists of quadrants; a run that asks for them has the same tours, whoever makes them.
        chosen = self.run_on("chosen", [*FOCUSED, "--iterations", 6], "--device", devices(3), "--split")[1]
        asked = self.run_on("asked", [*FOCUSED, "--iterations", 6, "--lists", "quadrant"], "--device", devices(2), "--split")[1]
        self.assertEqual(chosen, asked)

    def test_parts_are_shown(self):
        command = [*TSP, "--iterations", 2, "--split", "--device", devices(3)]
        row = self.check_table(command, [("opencl:0", "colony", 0, 3), ("opencl:1", "colony", 3, 2), ("opencl:2", "colony", 5, 2)], "colonies")
        # The line on a device that would be faster alone follows from the times of the table.
        seconds = {p["device"]: p["busy_s"] * 7 / p["count"] for p in row["parts"]}
        best = min(seconds, key=seconds.get)
        together = min(row["wall_s"], max(p["busy_s"] + p["waited_s"] for p in row["parts"]))
        is_faster = together >= 0.1 and seconds[best] < 0.9 * together
        self.assertEqual(row["faster_alone"], best if is_faster else None)

    def test_a_time_limit_leaves_devices_at_one_step(self):
        both = [*FOCUSED, "--exchange", 3]
        limited = self.run_on("limited", [*both, "--time", 0.3], "--split", "--device", devices(3))[1]
        whole = self.run_on("whole", [*both, "--iterations", int(limited["steps"])], "--device", devices(1))[1]
        for key in ("value", "work", "steps"):
            self.assertEqual(limited[key], whole[key], key)

    def test_what_is_refused(self):
        one = "--split: colonies are divided among devices, and there is 1 for 2 devices: give --colonies 2 or more"
        self.assertIn(one, self.fails(2, "tsp", "--ants", 9, "--split", "--device", devices(2), env=self.env))
        few = "colonies are divided among devices, and there are 2 for 3 devices: give --colonies 3 or more"
        self.assertIn(few, self.fails(2, "tsp", "--colonies", 2, "--exchange", 5, "--split", "--device", devices(3), env=self.env))

        few = "colonies or pieces are divided among devices, and there are 4 for 5 devices: give --colonies or --pieces 5 or more"
        self.assertIn(few, self.fails(2, "tsp", "--pieces", 4, "--split", "--device", devices(5), env=self.env))

    def test_the_thesis_has_no_colonies(self):
        self.need_theses()
        line = self.fails(2, "tsp", "--algorithm", "thesis", "--split", "--device", devices(2), env=self.env)
        self.assertIn("--split: a run of tsp with these options cannot be divided: make it on one device", line)

    def test_a_failure_names_its_part_once(self):
        line = self.fails(5, "tsp", "--generate", "uniform:1000:1", "--colonies", 60000, "--ants", 30000, "--split", "--device", devices(2), env=self.env)
        self.assertIn("lower --ants, --pieces, --candidates, --colonies or --replicas", line)


if __name__ == "__main__":
    support.main()
