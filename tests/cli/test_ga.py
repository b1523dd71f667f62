#!/usr/bin/env python3
"""shoal ga: genes of every kind, files of instances, and input that is wrong."""

import json
import re

import support
from support import Case, shoal

BOX = ["--lower", "-5", "--upper", "5"]
HOST = ["ga", "--device", "host"]
FEW = ["--population", "20", "--iterations", "30"]
KINDS = "x1-x2 real -5 5, k integer 0 9, c choice 3, b1-b8 bit, g real 0 1 gray 8"
# Things 0, 1, 2 on places 0, 1, 2: least where the thing of flow 9 is next to its partner.
QAP = "3\n0 9 1\n9 0 1\n1 1 0\n\n0 1 5\n1 0 5\n5 5 0\n"
CODES = """
#define SHAPE OPAQUE
#define VARIABLES "i1-i4 integer 0 4 binary 8"
static inline real objective_value(GENOME, uint dim)
{
    return (real)popcount(~WORD(0));
}
"""
REPAIR = """
static inline void objective_repair(GENOME_MUTABLE, uint dim)
{
}
"""
CHANGE = """
static inline real objective_change(GENOME, uint i, uint j, uint dim)
{
    return BIT(i) ? (real)1 : (real)-1;
}
"""
CLASSIC = 10.001500464507586
KNAPSACK = "1\n3 1 0\n5 4 3\n2 2 2\n4\n"


class Ga(Case):
    def fields(self, *args):
        document = json.loads(self.succeeds(*HOST, "--json", *FEW, *args))
        return document["rows"][0]["result"]

    def test_bits(self):
        result = self.fields("--function", "onemax", "--dim", "40", "--iterations", "200")
        self.assertEqual(result["value"], 40)
        self.assertEqual(result["fields"]["position"], [1] * 40)

    def test_mixed_variables(self):
        position = self.fields("--expr", "sum((x[i]-1)^2)", "--variables", KINDS)["fields"]["position"]
        self.assertEqual(len(position), 13)
        self.assertTrue(all(value == int(value) for value in position[2:12]))
        self.assertTrue(0 <= position[2] <= 9 and 0 <= position[3] <= 2 and set(position[4:12]) <= {0, 1})
        self.assertAlmostEqual(position[12] * 255, round(position[12] * 255))

    def test_an_order(self):
        position = self.fields("--expr", "sum(x[i]*i)", "--variables", "x1-x9 order")["fields"]["position"]
        self.assertEqual(sorted(position), list(range(9)))

    def test_codes_are_kept(self):
        """An integer has several codes of 8 bits, of which a text sees the one that an individual has."""
        text = self.file("codes.clh", CODES)
        repaired = self.file("repaired.clh", "#define REPAIR\n" + CODES + REPAIR)
        moved = self.file("moved.clh", "#define CHANGE FLIP\n" + CODES + CHANGE)
        for file, search in ((text, []), (repaired, []), (repaired, ["--repair", "value-only"]),
                             (text, ["--local-search", "best"]), (moved, ["--local-search", "best"])):
            with self.subTest(file=file, search=search):
                result = self.fields("--objective", file, "--iterations", "60", *search)
                self.assertEqual((result["value"], result["fields"]["position"]), (0, [4] * 4))

    def test_instances(self):
        result = self.fields("--function", "qap", "--data", self.file("three.dat", QAP))
        self.assertEqual(result["value"], 2 * (9 * 1 + 1 * 5 + 1 * 5))
        result = self.fields("--function", "knapsack", "--data", self.file("k.txt", KNAPSACK))
        self.assertEqual((result["value"], result["fields"]["position"]), (9, [1, 1, 0]))

    def test_a_checkpoint_goes_on(self):
        run = [*HOST, "--json", "--population", "20", "--expr", "sum((x[i]-1)^2)", "--variables", KINDS, "--seed", "3"]
        half_way = self.folder / "half"
        whole = json.loads(self.succeeds(*run, "--iterations", "40"))["rows"][0]["result"]
        self.succeeds(*run, "--iterations", "20", "--checkpoint", half_way)
        half = json.loads(self.succeeds("ga", "--json", "--resume", half_way, "--iterations", "40"))
        self.assertEqual(half["rows"][0]["result"]["fields"]["position"], whole["fields"]["position"])
        self.assertEqual(half["rows"][0]["result"]["value"], whole["value"])

    def test_tuning_shows_the_precision_that_was_measured(self):
        tune = ["tune", "ga", "--sample", "0.001", "--json", "--dry-run", "--device", self.needs_opencl(), *FEW]
        for function, precision in (("labs", "fp64"), ("sphere", "fp32")):
            document = json.loads(self.succeeds(*tune, "--function", function, "--method", "pipeline"))
            self.assertIn(f"precision={precision}", document["rows"][0]["sizes"])

    def test_a_population_of_equal_values_is_named(self):
        done = shoal(*HOST, *FEW, "--expr", "sum(0*x[i])", *BOX, "--selection", "roulette")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("all equal or infinite", done.stderr)

    def test_wrong_input(self):
        self.need_theses()
        islands = ["--islands", "4", "--exchange", "3", "--population", "20"]
        for args, words in (
            (["--crossover-rate", "1.2"], "--crossover-rate: 1.2 is out of range; give 0 to 1"),
            (["--gene-rates", "0.1,3", "--islands", "2"], "3 is no probability"),
            (["--selection", "own", "--population", "15", "--elites", "0"], "15 children, an odd number"),
            (["--population", "20", "--elites", "20"], "20 elites leave no place for children"),
            ([*islands, "--migrants", "11"], "lower --migrants to 10"),
            (["--islands", "6", "--exchange", "3", "--exchange-topology", "hypercube"], "no corners of a hypercube"),
            (["--islands", "7", "--exchange", "3", "--exchange-topology", "torus"], "have no rows and columns"),
            (["--population", "1"], "1 is out of range"),
            (["--crossover", "ox"], "ox is a crossover of orders, but the variables are reals"),
            (["--preset", "thesis", "--function", "onemax"],
             "the variables are bits: take one-point, two-point, uniform, none (--preset thesis sets options that are not"),
            (["--function", "onemax", "--mutation", "gaussian"], "gaussian is a mutation of reals, but the variables are bits"),
            (["--expr", "x[1]", "--variables", "x1-x70000 order"], "an order has 2 to 65536 places, not 70000"),
            (["--expr", "x[1]", "--variables", "x1-x3 choice 1"], "the number of choices is a whole number from 2"),
            (["--function", "onemax", "--polish", "50"], "--polish is for reals"),
            (["--function", "onemax", "--shift", "1"], "--shift is for reals"),
            (["--function", "onemax", "--rotate", "1"], "--rotate is for reals"),
            (["--function", "onemax", "--variables", "x1-x9 bit"], "has variables of its own"),
            (["--function", "tour"], "tour needs an instance: give the path of its file, with --data"),
            (["--function", "sphere", "--data", "x"], "--function does not go with --data"),
            (["--refine", "all", "--polish", "50"], "--refine all does not go with --polish"),
            (["--elites", "3"], "--elites 3 has no effect where children take places of members that are no better"),
            (["--function", "rastrigin", "--data", "x"], "--function rastrigin does not go with --data"),
        ):
            with self.subTest(args=args):
                self.assertIn(words, self.fails(2, *HOST, *args))

    # Griewank's function over an axis of -6 to 6 each, which has places 84 to 836 and 430 to 44.
    def test_a_picture_of_the_population(self):
        for more in ([], ["--islands", "3"], ["--expr", "sum(x[i]^2)"]):
            with self.subTest(more=more):
                path = self.folder / "population.svg"
                objective = [] if "--expr" in more else ["--function", "griewank"]
                result = self.fields(*objective, "--dim", "2", *BOX, "--refine", "none", "--plot-population", path, *more)
                text = path.read_text(encoding="utf-8")
                dots = [(float(x), float(y)) for x, y in re.findall(r'<circle [^>]*cx="([\d.]+)" cy="([\d.]+)"', text)]
                self.assertEqual(len(dots), 60 if "--islands" in more else 20)
                x, y = result["fields"]["position"]
                wanted = 84 + 752 * (x + 6) / 12, 430 - 386 * (y + 6) / 12
                # The best of all stays in the population: it has an elite.
                self.assertTrue(any(abs(dot[0] - wanted[0]) < 0.11 and abs(dot[1] - wanted[1]) < 0.11 for dot in dots))
                self.assertEqual(text.count('class="curve'), 8)

    # Lines of the contours of a picture, a list of places each: steps of half a unit, `z` back to where the line begins.
    @staticmethod
    def contours(text):
        found = []
        for curve in re.findall(r'class="curve[^>]* d="([^"]*)"', text):
            lines, at = [], (0, 0)
            for line in curve.split("m")[1:]:
                numbers = [int(number) / 2 for number in re.findall(r"-?\d+", line)]
                places = []
                for step in zip(numbers[::2], numbers[1::2]):
                    at = (at[0] + step[0], at[1] + step[1])
                    places.append(at)
                if line.endswith("z"):
                    at = places[0]
                    places.append(at)
                lines.append(places)
            found.append(lines)
        return found

    # A contour of Rosenbrock's valley holds places of one value, ends at the box and is written once.
    def test_contours(self):
        path = self.folder / "contours.svg"
        self.fields("--function", "rosenbrock", "--dim", "2", *BOX, "--plot-population", path)
        text = path.read_text(encoding="utf-8")
        for lines in self.contours(text)[3:]:
            values = []
            self.assertLess(len(lines), 5)
            for line in lines:
                places = [((x - 84) / 752 * 12 - 6, (430 - y) / 386 * 12 - 6) for x, y in line]
                for place in (places[0], places[-1]):
                    self.assertAlmostEqual(max(abs(place[0]), abs(place[1])), 5, delta=0.01)
                self.assertEqual(len(places), len(set(places)))
                for (x0, y0), (x1, y1) in zip(places, places[1:]):
                    for part in (0, 0.25, 0.5, 0.75):
                        x, y = x0 + part * (x1 - x0), y0 + part * (y1 - y0)
                        values.append(100 * (y - x * x) ** 2 + (1 - x) ** 2)
            self.assertGreater(len(values), 10)
            self.assertLess(max(values), 1.2 * min(values) + 20)
        self.assertLess(len(text), 20000)

    # Around a minimum contours are closed.
    def test_closed_contours(self):
        path = self.folder / "sphere.svg"
        self.fields("--function", "sphere", "--dim", "2", *BOX, "--plot-population", path)
        first = self.contours(path.read_text(encoding="utf-8"))[0]
        self.assertEqual(len(first), 1)
        places = first[0]
        self.assertEqual(places[0], places[-1])
        self.assertEqual(len(set(places)), len(places) - 1)

    # Two thousand minima.
    def test_contours_of_many_lines(self):
        path = self.folder / "ackley.svg"
        self.fields("--function", "ackley", "--dim", "2", "--plot-population", path)
        text = path.read_text(encoding="utf-8")
        self.assertGreater(sum(map(len, self.contours(text))), 2000)
        self.assertLess(len(text), 150000)

    def test_pictures_that_cannot_be(self):
        path = self.folder / "population.svg"
        for args, words in ((["--dim", "3"], "draws two real variables"),
                            (["--function", "onemax", "--dim", "2"], "draws two real variables"),
                            (["--expr", "x[1]", "--variables", "x1-x2 integer 0 9"], "draws two real variables"),
                            (["--function", "sphere", "--dim", "2", "--plot-population", "p.png"], "ends in .svg")):
            with self.subTest(args=args):
                args = args if "--plot-population" in args else [*args, "--plot-population", path]
                self.assertIn(words, self.fails(2, *HOST, *args))
        self.assertFalse(path.exists())

    def test_wrong_instances(self):
        for function, text, words in (
            ("qap", QAP[:20], "line 5: the file ends where a number of row 1 of matrix 2 is expected"),
            ("max-sat", "p cnf 3 2\n1 2 0\n-4 1 0\n", "line 3: a literal is -4"),
            ("max-cut", "2 1\n1 2 3000000000\n", "3000000000"),
        ):
            with self.subTest(function=function):
                message = self.fails(1, *HOST, "--function", function, "--data", self.file("wrong", text))
                self.assertIn(words, message)

    def test_what_is_given_wins_over_a_preset(self):
        self.need_theses()
        preset = [*HOST, "--preset", "thesis", "--islands", "2", "--iterations", "4", "--seed", "1", "--json"]
        for given, left_out in ((["--exchange", "0"], ["migrants 2", "migration mailbox"]),
                                (["--random", "philox"], ["migration mailbox"]),
                                (["--mutation", "polynomial", "--bounds", "clamp"],
                                 ["random hybridtaus", "migration mailbox", "sigma 1", "sigma-unit gene"]),
                                (["--selection", "tournament"], ["random hybridtaus", "migration mailbox"])):
            with self.subTest(given=given):
                done = shoal(*preset, *given)
                self.assertEqual(done.returncode, 0, done.stderr)
                for value in left_out:
                    self.assertIn(f"--preset thesis is without --{value},", done.stderr)
                self.assertEqual(done.stderr.count("is without"), len(left_out))
        done = shoal(*preset, "--exchange", "0", "--migrants", "3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--migrants needs --exchange", done.stderr)

    def test_presets_have_no_pattern_search(self):
        self.need_theses()
        for preset in ("thesis", "classic"):
            for words, is_refined in (([], False), (["--refine", "all"], True)):
                with self.subTest(preset=preset, words=words):
                    run = self.succeeds(*HOST, "--preset", preset, "--function", "griewank", "--dim", "2", "--iterations", "4",
                                        *words, "--json")
                    self.assertEqual("refined" in json.loads(run)["rows"][0]["result"]["fields"], is_refined)

    def test_classic_is_what_the_defaults_were(self):
        """The value is that of commit e8d009a without any option."""
        run = ["--function", "rastrigin", "--dim", "3", "--population", "10", "--iterations", "25", "--seed", "3"]
        classic = self.fields("--preset", "classic", *run)
        self.assertAlmostEqual(classic["value"], CLASSIC, delta=1e-9)
        same = ["--replacement", "generational", "--refine", "auto"]
        self.assertEqual(self.fields(*same, *run), classic)
        self.assertEqual(self.fields(*same, "--tournament", "2", *run), classic)
        self.assertNotEqual(self.fields(*run)["value"], classic["value"])
        self.assertEqual(self.fields(*run)["value"],
                         self.fields("--replacement", "steady", "--victim", "parent", "--children", "10", "--tournament", "1",
                                     *run)["value"])
        # Other genes keep theirs.
        bits = ["--function", "labs", "--dim", "30"]
        self.assertEqual(self.fields("--preset", "classic", *bits), self.fields(*bits))

    # A preset is named where its options may be what is wrong.
    def test_a_preset_is_not_blamed_for_a_file(self):
        self.need_theses()
        message = self.fails(1, *HOST, "--preset", "thesis", "--function", "tour", "--data", self.folder / "none")
        self.assertIn("No such file", message)
        self.assertNotIn("--preset", message)

    def test_an_instance_that_a_file_has_not(self):
        many = self.file("many", "30\n" + KNAPSACK[2:] * 30)
        self.assertEqual(self.fields("--function", "knapsack", "--data", f"{many}:30")["value"], 9)
        self.assertIn("there is no number 31", self.fails(2, *HOST, "--function", "knapsack", "--data", f"{many}:31"))
        self.assertIn("has 30 instances: say which", self.fails(2, *HOST, "--function", "knapsack", "--data", many))

    def test_a_population_larger_than_memory(self):
        message = self.fails(1, *HOST, "--population", "268435456", "--dim", "1000")
        self.assertRegex(message, r"268435456 individuals of dim 1000 need \d{12,} bytes")


if __name__ == "__main__":
    support.main()
