"""The rows of an objective over several devices: each sums its rows, and the bits are those of one device."""

import support
from split_case import SplitCase, devices

TEXT = """#define SHAPE DATA_ROWS
#define RULE(r) fabs(r)
real objective_residual(const real *x, const real *row) { return row[1] - x[0] * row[0] - x[1]; }
"""
WHOLE = "#define SHAPE OPAQUE\n#define TABLE\n" \
    "static inline real objective_value(const real *x, __global const real *table, uint dim) { return fabs(table[1] - x[0]); }\n"
SWARM = ["pso", "--particles", 12, "--trace", 5]
F6 = [*SWARM, "--function", "f6", "--iterations", 12]


class SplitRows(SplitCase):
    def setUp(self):
        super().setUp()
        self.table = self.file("table.csv", "t,y\n" + "".join(f"{i / 50},{(i * 7919 % 101) / 25 - i / 100}\n" for i in range(1003)))
        self.data = ["--data", self.table, "--lower", -5, "--upper", 5]
        text = ["--data", self.table, "--objective", self.file("rows.cl", TEXT), "--dim", 2, "--lower", -5, "--upper", 5]
        model = ["--data", self.table, "--model", "a*exp(-b*t)+c", "--fit", "a=0:10,b=0:5,c=-5:5", "--target", "y"]
        self.quick = {
            "a function of the theses": F6,
            "batches and chunks": [*F6, "--update", "inertia", "--batch", 5, "--chunk-rows", 6000, "--iterations", 4],
            "a text": [*SWARM, *text, "--iterations", 30, "--precision", "fp64"],
            "members that leave": ["de", "--population", 16, "--trace", 5, *self.data, "--iterations", 30],
            "a population": ["ga", "--population", 16, "--trace", 5, *self.data, "--iterations", 30],
        }
        self.full = {
            "least squares": [*SWARM, *self.data, "--iterations", 40, "--polish", 100],
            "squares of coordinates": [*SWARM, *self.data, "--squared", "--iterations", 40],
            "few rows": [*SWARM, *self.data, "--compressed", "--iterations", 40],
            "a model": [*SWARM, *model, "--iterations", 60],
            "no limit": ["pso", *self.data],
            "a target": [*SWARM, *text, "--iterations", 400, "--target", 2000, "--stagnation", 30],
            "distance": [*SWARM, *self.data, "--iterations", 2000, "--x-tolerance", 1e-3],
            "restarts": [*SWARM, *self.data, "--iterations", 60, "--restart", 10],
            "start points": [*SWARM, *self.data, "--iterations", 20, "--start", "1;-2;0.5"],
            "a start point at the target": [*SWARM, *text, "--iterations", 20, "--start", "0,0", "--target", 1e9],
            # Two devices take a swarm each, three devices share the rows of both.
            "two swarms": [*F6, "--swarms", 2, "--exchange", 3],
            "a ring of random links": [*F6, "--topology", "random", "--update", "inertia"],
            "chunks that take turns": [*F6, "--chunk-rows", 1500, "--iterations", 3],
            "islands of a population": ["ga", "--population", 8, "--islands", 2, "--exchange", 3, "--function", "f6", "--iterations", 10],
        }

    def test_bits_are_those_of_one_device(self):
        self.compare_all(self.quick)

    # The only sums that a kernel joins.
    @support.by_turn
    def test_bits_of_long_runs_of_rows(self):
        self.compare_all({"fp64": [*SWARM, "--particles", 4, "--function", "f8", "--iterations", 2, "--precision", "fp64"]})

    def test_parts_of_a_device(self):
        self.compare_parts(F6)

    @support.in_full
    def test_bits_of_every_kind_of_sum(self):
        self.compare_kinds(support.of_turn(self.full))

    def test_resumed_on_another_number_of_devices(self):
        self.compare_resumed([*SWARM, *self.data, "--stagnation", 50], "--iterations", 26, 60)

    def test_a_time_limit_leaves_parts_at_one_step(self):
        self.compare_limited(F6)

    def test_parts_are_shown(self):
        command = [*F6, "--split", "--device", devices(2), "--shares", "3:1"]
        self.check_table(command, [("opencl:0", "shard", 0, 768), ("opencl:1", "shard", 768, 256)], "shards")
        # Runs and swarms are divided before the rows of one of them.
        self.assertRegex(self.succeeds(*command, "--swarms", 2, env=self.env), r"device +swarms ")

    def test_what_is_refused(self):
        split = ["--split", "--device", devices(2)]
        whole = ["--data", self.table, "--objective", self.file("whole.cl", WHOLE), "--dim", 2, "--lower", -5, "--upper", 5]
        # A text that reads the whole table is no sum over its rows.
        self.assertIn("divided among devices, and there is 1 for 2", self.fails(2, *SWARM, *whole, "--method", "onchip", *split, env=self.env))
        broken = self.file("broken.cl", TEXT.replace("return", "retrun"))
        self.assertIn("broken.cl", self.fails(4, *SWARM, "--data", self.table, "--objective", broken, "--dim", 2, "--lower", -5, "--upper", 5,
                                              *split, env=self.env))


if __name__ == "__main__":
    support.main()
