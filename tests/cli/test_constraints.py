#!/usr/bin/env python3
"""Constraints: every algorithm, on the host and on devices, what results say, and input that is wrong."""

import json

import support
from support import Case

HOST = ["--device", "host"]
# The least squares under a line and a plane: 5 / 6 at (1/6, 5/6, 1/3) with an exact equality.
PLANE = ["--expr", "sum(x[i]^2)", "--dim", "3", "--lower", "-5", "--upper", "5"]
ACTIVE = ["--subject-to", "x[1] + x[2] >= 1", "--subject-to", "x[3] <= -0.5"]
TEXT = """#define SHAPE OPAQUE
#define CONSTRAINTS 2
#define EQUALITIES 1
#define MIN_DIM 2
#define MAX_DIM 2
#define LOWER -1
#define UPPER 1
static inline real objective_value(const real *x, uint dim)
{
    (void)dim;
    return x[0] * x[0] + (x[1] - R(1.0)) * (x[1] - R(1.0));
}
static inline void objective_constraints(real *g, const real *x, uint dim)
{
    (void)dim;
    g[0] = -x[0];
    g[1] = x[1] - x[0] * x[0];
}
"""


class Constraints(Case):
    def row(self, algorithm, *args):
        return json.loads(self.succeeds(algorithm, "--json", *args))["rows"][0]["result"]

    def fields(self, algorithm, *args):
        return self.row(algorithm, *args)["fields"]


class Minima(Constraints):
    def test_every_algorithm(self):
        for algorithm in ("pso", "ga", "de", "cmaes", "nelder-mead", "pattern", "random", "portfolio", "auto"):
            found = self.row("optimise", "--algorithm", algorithm, *HOST, *PLANE, *ACTIVE, "--evaluations", "30000")
            self.assertEqual(found["fields"]["violation"], 0, algorithm)
            # Random points are far from the minimum.
            self.assertAlmostEqual(found["value"], 0.75, delta=0.3 if algorithm == "random" else 1e-3, msg=algorithm)

    def test_binding(self):
        fields = self.fields("de", *HOST, *PLANE, *ACTIVE, "--subject-to", "x[1] <= 4; x[1] = x[2]", "--runs", "3")
        self.assertEqual(fields["binding"], "x[1] + x[2] >= 1; x[3] <= -0.5; x[1] = x[2]")
        self.assertEqual(fields["allowed"], 3)
        self.assertEqual(fields["violation"], 0)
        fields = self.fields("de", *HOST, *PLANE, "--subject-to", "x[1] >= -1")
        self.assertEqual(fields["binding"], "none")

    def test_devices(self):
        device = ["--device", self.needs_opencl()]
        for algorithm, method in (("pso", "onchip"), ("pso", "thread"), ("ga", "pipeline"), ("de", "onchip"), ("de", "pipeline"), ("cmaes", "onchip")):
            found = self.row(algorithm, *device, *PLANE, *ACTIVE, "--method", method, "--evaluations", "20000")
            self.assertAlmostEqual(found["value"], 0.75, delta=1e-3, msg=f"{algorithm} {method}")
            self.assertEqual(found["fields"]["violation"], 0)

    @support.by_turn
    def test_texts(self):
        path = str(self.file("circle.clh", TEXT))
        found = self.row("de", *HOST, "--objective", path, "--subject-to", "x[1] <= 0.9")
        self.assertAlmostEqual(found["value"], 0.7499, places=6)
        self.assertEqual(found["fields"]["binding"], "h1")
        found = self.row("de", "--device", self.needs_opencl(), "--objective", path)
        self.assertAlmostEqual(found["value"], 0.7499, places=5)

    def test_shift_and_rotation_move_the_constraints(self):
        for more in ([], ["--shift", "1"], ["--rotate", "3"], ["--shift", "0.5", "--rotate", "3"]):
            found = self.row("de", *HOST, "--function", "cec2006-g07", *more, "--lower", "-50", "--upper", "50")
            self.assertAlmostEqual(found["value"], 24.3062, delta=0.02, msg=str(more))

    def test_maximise(self):
        found = self.row("de", *HOST, "--expr", "x[1] + x[2]", "--lower", "-5", "--upper", "5", "--maximise", "--subject-to", "x[1]^2 + x[2]^2 <= 2")
        self.assertAlmostEqual(found["value"], 2, places=6)

    def test_variables_of_all_kinds(self):
        found = self.row("ga", *HOST, "--expr", "n*n + y", "--variables", "n integer -9 9, y real -3 3", "--subject-to", "n + y >= 1.5",
                         "--subject-to", "n >= 1", "--evaluations", "20000")
        self.assertAlmostEqual(found["value"], 1.5, places=3)

    def test_known_minima_are_successes(self):
        fields = self.fields("de", *HOST, "--function", "cec2006-g08", "--runs", "4", "--evaluations", "20000", "--success", "1e-6")
        self.assertEqual(fields["successes"], 4)

    def test_pressure_vessel(self):
        # docs/constraints.md. The thicknesses are whole multiples of 0.0625.
        vessel = ["--expr", "0.6224*0.0625*s*r*l + 1.7781*0.0625*h*r^2 + 3.1661*(0.0625*s)^2*l + 19.84*(0.0625*s)^2*r",
                  "--variables", "s integer 1 99, h integer 1 99, r real 10 200, l real 10 200",
                  "--subject-to", "0.0193*r <= 0.0625*s", "--subject-to", "0.00954*r <= 0.0625*h",
                  "--subject-to", "pi*r^2*l + 4/3*pi*r^3 >= 1296000", "--subject-to", "l <= 240"]
        found = self.row("optimise", *HOST, *vessel, "--evaluations", "40000", "--runs", "3")
        self.assertAlmostEqual(found["value"], 6059.714335, places=3)
        self.assertEqual(found["fields"]["agree"], 3)


class Level(Constraints):
    def test_minima_on_equalities(self):
        # Of 25 runs by Deb's rules alone none finds this minimum.
        run = ["--function", "cec2006-g13", "--evaluations", "100000", "--population", "30", "--runs", "5", "--success", "1e-4"]
        self.assertGreaterEqual(self.fields("de", *HOST, *run)["successes"], 3)
        self.assertEqual(self.fields("de", *HOST, *run, "--level", "0")["successes"], 0)

    def test_stagnation_ends_a_run_that_would_restart(self):
        run = [*PLANE, "--subject-to", "x[1]^2 + x[2]^2 = 2", "--population", "20", "--evaluations", "20000", "--refine", "none"]
        for device in ("host", self.needs_opencl()):
            again = self.fields("de", "--device", device, *run)
            self.assertEqual(again["end"], "evaluations")
            self.assertGreater(again["restarts"], 0)
            ended = self.fields("de", "--device", device, *run, "--stagnation", "100")
            self.assertEqual(ended["end"], "stagnated")
            self.assertNotIn("restarts", ended)

    def test_what_is_refused(self):
        equal = ["--subject-to", "x[3] = 2*x[1]"]
        self.assertIn("--level needs constraints", self.fails(2, "de", *HOST, *PLANE, "--level", "0.2"))
        exact = [*equal, "--constraint-tolerance", "0"]
        self.assertIn("--level needs a --constraint-tolerance above 0", self.fails(2, "de", *HOST, *PLANE, *exact, "--level", "0.2"))
        # The default is no level.
        self.succeeds("de", *HOST, *PLANE, *exact, "--iterations", "3")
        self.assertIn("--level needs a population that stays",
                      self.fails(2, "de", *HOST, *PLANE, *equal, "--level", "0.2", "--population", "20", "--population-end", "5",
                                 "--evaluations", "5000"))
        self.assertIn("does not do a level of violation, which --level 0 leaves out",
                      self.fails(1, "de", "--device", self.needs_opencl(), *PLANE, *equal, "--method", "onchip"))


class Runs(Constraints):
    def test_resumed_runs_have_the_same_bits(self):
        run = [*PLANE, *ACTIVE, "--refine", "none", "--population", "20", "--seed", "3"]
        for device in ("host", self.needs_opencl()):
            first, second, whole = (str(self.folder / name) for name in ("first", "second", "whole"))
            self.succeeds("de", "--device", device, *run, "--iterations", "15", "--population-end", "20", "--checkpoint", first)
            self.succeeds("de", "--device", device, "--resume", first, "--iterations", "40", "--checkpoint", second)
            self.succeeds("de", "--device", device, *run, "--iterations", "40", "--population-end", "20", "--checkpoint", whole)
            with open(second, "rb") as one, open(whole, "rb") as other:
                self.assertEqual(one.read(), other.read())

    def test_resumed_levels_have_the_same_bits(self):
        run = [*PLANE, "--subject-to", "x[1]^2 + x[2]^2 = 2", "--refine", "none", "--population", "20", "--seed", "3",
               "--constraint-tolerance", "0.1", "--evaluations", "1000", "--level", "0.6", "--restart", "9"]
        for device in ("host", self.needs_opencl()):
            first, second, whole = (str(self.folder / name) for name in ("first", "second", "whole"))
            self.succeeds("de", "--device", device, *run, "--iterations", "15", "--checkpoint", first)
            self.succeeds("de", "--device", device, "--resume", first, "--iterations", "40", "--checkpoint", second)
            self.succeeds("de", "--device", device, *run, "--iterations", "40", "--checkpoint", whole)
            with open(second, "rb") as one, open(whole, "rb") as other:
                self.assertEqual(one.read(), other.read())
            self.assertIn("the level of violation in",
                          self.fails(2, "de", "--device", device, "--resume", first, "--evaluations", "1400", "--iterations", "40"))

    def test_traces_have_no_value_before_a_point_is_allowed(self):
        path = str(self.folder / "trace.csv")
        self.succeeds("de", *HOST, "--function", "cec2006-g05", "--evaluations", "30000", "--trace", "1", "--trace-file", path)
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[2].split(",")[1], "")
        self.assertGreater(float(lines[-1].split(",")[1]), 5126.4)


class NothingAllowed(Constraints):
    def test_no_point_meets_an_equality(self):
        run = ["de", *HOST, *PLANE, "--subject-to", "x[1]^2 = -2", "--evaluations", "5000"]
        error = self.fails(6, *run)
        self.assertIn("no point met all constraints: the least violation is 1.9999, most of it of x[1]^2 = -2", error)
        row = json.loads(support.shoal(*run, "--json").stdout)["rows"][0]["result"]
        self.assertAlmostEqual(row["fields"]["violation"], 1.9999, places=4)

    def test_nan(self):
        error = self.fails(6, "de", *HOST, *PLANE, "--subject-to", "log(0 - 1 - x[1]^2) <= 2", "--evaluations", "5000")
        self.assertIn("gave NaN or an infinity; check the objective, its constraints and its box", error)


class Mistakes(Constraints):
    def test_input_that_is_wrong(self):
        for args, message in (
                (["--subject-to", "x[1] + x[2]"], "constraint 1, column 12"),
                (["--subject-to", "x[9] <= 1"], "constraint 1, x[9] <= 1, needs 9 dimensions, not 3"),
                (["--subject-to", "x[1] <= 1;"], "constraint 2 is empty"),
                (["--subject-to", "x[1] <= 1", "--constraint-tolerance", "-1"], "--constraint-tolerance")):
            self.assertIn(message, self.fails(2, "de", *HOST, *PLANE, *args))
        message = "constraints are for functions of reals"
        self.assertIn(message, self.fails(2, "ga", *HOST, "--function", "onemax", "--subject-to", "x[1] <= 0"))
        self.assertIn(message, self.fails(2, "pso", *HOST, "--function", "f6", "--subject-to", "x[1] <= 0"))


if __name__ == "__main__":
    support.main()
