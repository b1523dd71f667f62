#!/usr/bin/env python3
"""shoal de: variables that are rounded, and input that is wrong."""

import json

import support
from support import Case

HOST = ["--device", "host"]


# Designs of the literature. Broken constraints cost so much that the minimum is where none is broken.
ABOVE = """
#define SHAPE OPAQUE
static real above(real value, real most)
{
    return max(value / most - R(1.0), R(0.0));
}
"""
# A coil spring of least volume (Sandgren 1990; Lampinen, Zelinka 1999): coils, diameter of the coil, number of the wire.
WIRES = (.009, .0095, .0104, .0118, .0128, .0132, .014, .015, .0162, .0173, .018, .02, .023, .025, .028, .032, .035, .041, .047, .054, .063,
         .072, .08, .092, .105, .12, .135, .148, .162, .177, .192, .207, .225, .244, .263, .283, .307, .331, .362, .394, .4375, .5)
SPRING = ABOVE + """
#define TABLE
#define MIN_DIM 3
#define MAX_DIM 3
static real objective_value(const real *x, __global const real *table, uint dim)
{
    const real coils = x[0], across = x[1], wire = ELEMENT(table, (uint)x[2], 0), c = across / wire;
    const real wahl = (R(4.0) * c - R(1.0)) / (R(4.0) * c - R(4.0)) + R(0.615) / c;
    const real rate = R(11.5e6) * wire * wire * wire * wire / (R(8.0) * coils * across * across * across);
    const real broken = above(R(8000.0) * wahl * across / (R(3.14159265358979) * wire * wire * wire), R(189000.0)) +
                        above(R(1000.0) / rate + R(1.05) * (coils + R(2.0)) * wire, R(14.0)) + above(R(0.2), wire) +
                        above(across, R(3.0)) + above(R(3.0), c) + above(R(300.0) / rate, R(6.0)) + above(R(1.25), R(700.0) / rate);
    (void)dim;
    return (coils + R(2.0)) * across * wire * wire * R(2.46740110027234) + R(1e3) * broken;
}
"""
# A pressure vessel of least cost (Sandgren 1990): walls of shell and head in sixteenths of an inch, radius, length.
VESSEL = ABOVE + """
#define MIN_DIM 4
#define MAX_DIM 4
static real objective_value(const real *x, uint dim)
{
    const real shell = R(0.0625) * x[0], head = R(0.0625) * x[1], r = x[2], l = x[3];
    (void)dim;
    return R(0.6224) * shell * r * l + R(1.7781) * head * r * r + R(3.1661) * shell * shell * l + R(19.84) * shell * shell * r +
        R(1e5) * (above(R(0.0193) * r, shell) + above(R(0.00954) * r, head) +
                  above(R(1296000.0), R(3.14159265358979) * r * r * (l + R(4.0) / R(3.0) * r)));
}
"""


class De(Case):
    def result(self, *args):
        return json.loads(self.succeeds("de", "--json", *args))["rows"][0]["result"]

    def fields(self, *args):
        return self.result(*args)["fields"]


class Rounded(De):
    """Whole numbers, choices and bits."""

    def test_gear_train(self):
        # Sandgren (1990): teeth of four wheels whose ratio is to be near 1 / 6.931.
        fields = self.fields(*HOST, "--expr", "(1/6.931-x[2]*x[3]/(x[1]*x[4]))^2", "--variables", "x1-x4 integer 12 60",
                             "--evaluations", "20000", "--runs", "5")
        self.assertAlmostEqual(fields["min"] * 1e12, 2.7008571488865134, 12)
        x = sorted(fields["position"])
        self.assertEqual(x, [16, 19, 43, 49])

    def test_spring(self):
        # Methods of devices read the wires in different ways.
        wires = self.file("wires.csv", "\n".join(map(str, WIRES)) + "\n")
        for device in (HOST, ["--device", self.needs_opencl(), "--method", "onchip"], ["--device", self.needs_opencl(), "--method", "pipeline"]):
            fields = self.fields(*device, "--objective", self.file("spring.clh", SPRING), "--data", wires, "--evaluations", "20000",
                                 "--precision", "fp64", "--runs", "5", "--variables", "coils integer 1 70, across real 0.6 3, wire choice 42")
            self.assertAlmostEqual(fields["min"], 2.65856, 5)
            self.assertEqual((fields["position"][0], fields["position"][2]), (9, 35))
            self.assertAlmostEqual(fields["position"][1], 1.22304, 5)

    def test_pressure_vessel(self):
        fields = self.fields(*HOST, "--objective", self.file("vessel.clh", VESSEL), "--evaluations", "40000", "--runs", "5",
                             "--variables", "shell integer 1 99, head integer 1 99, r real 10 200, l real 10 200")
        self.assertAlmostEqual(fields["min"], 6059.714, 3)
        self.assertEqual(fields["position"][:2], [13, 7])

    def test_ten_variables(self):
        # Eight variables of 2, 4, 8 and 16 values beside two reals, as the mixed functions of COCO have them.
        terms = " + ".join(f"{4 ** i}*(x[{i + 1}]-{value})^2" for i, value in enumerate((1, 0, 2, 1, 3, 6, 9, 4, 1.234, -2.345)))
        fields = self.fields(*HOST, "--expr", terms, "--evaluations", "20000", "--runs", "5", "--target", "1e-8", "--variables",
                             "a1-a2 integer 0 1, b1-b2 integer 0 3, c1-c2 choice 8, d1-d2 integer 0 15, r1-r2 real -5 5")
        self.assertEqual(fields["successes"], 5)

    def test_pattern_search_moves_reals_alone(self):
        fields = self.fields(*HOST, "--expr", "(a-0.3)^2+(b-2.6)^2+c+d", "--evaluations", "2000",
                             "--variables", "b integer -9 9, a real -4 4, c choice 4, d bit")
        self.assertEqual(fields["position"][0], 3)
        self.assertAlmostEqual(fields["position"][1], 0.3, 8)
        self.assertEqual(fields["position"][2:], [0, 0])
        self.assertGreater(fields["refined"], 0)

    def test_nothing_to_refine(self):
        fields = self.fields(*HOST, "--expr", "x[1]^2+x[2]", "--evaluations", "500", "--variables", "a integer -9 9, b bit")
        self.assertNotIn("refined", fields)
        self.assertNotIn("unconverged", fields)

    def test_resumed(self):
        run = ["--function", "rastrigin", "--variables", "x1-x3 real -5 5, x4-x6 integer -4 4", "--seed", "3", "--json"]
        path = self.folder / "state"
        for device in ("host", self.needs_opencl()):
            whole = self.succeeds("de", *run, "--device", device, "--iterations", "40", "--population-end", "20", "--population", "20")
            self.succeeds("de", *run, "--device", device, "--iterations", "15", "--population-end", "20", "--population", "20",
                          "--checkpoint", path)
            resumed = self.succeeds("de", "--resume", path, "--json", "--device", device, "--iterations", "40")
            values = [json.loads(text)["rows"][0]["result"] for text in (whole, resumed)]
            self.assertEqual(values[0]["value"], values[1]["value"])
            self.assertEqual(values[0]["fields"]["position"], values[1]["fields"]["position"])


class Mistakes(De):
    def test_messages(self):
        sphere = ["--function", "sphere"]
        for args, words in (
            ([*sphere, "--variables", "x1-x4 order"], "x1 is an order: de takes reals, integers, choices and bits alone.*take ga"),
            ([*sphere, "--variables", "x1 real 0 1, x2 integer 0 7 gray 3"], "x2 is an integer coded in bits: .*take ga"),
            ([*sphere, "--variables", "x1-x3 bit", "--rotate", "1"], "--rotate is for reals"),
            ([*sphere, "--dim", "5", "--population", "30", "--evaluations", "29"], "--evaluations 29 is below the 30 members of step 0"),
            ([*sphere, "--dim", "5", "--evaluations", "3"], "--evaluations 3 is below the 8 members of step 0"),
            ([*sphere, "--population", "3"], "--population 3: a trial is made of 4 members or more"),
            ([*sphere, "--memory", "7", "--adaptation", "jde"], "--memory"),
        ):
            self.assertRegex(self.fails(2, "de", *HOST, *args), words)

    def test_one_dimension(self):
        self.assertLess(self.result(*HOST, "--function", "rastrigin", "--dim", "1", "--evaluations", "3000")["value"], 1e-9)

    def test_equal_values_everywhere(self):
        for adaptation in ("none", "jde", "jade", "shade", "lshade", "jso"):
            result = self.result(*HOST, "--expr", "0*x[1]+x[2]*0+7", "--lower", "-1", "--upper", "1", "--evaluations", "900",
                                 "--adaptation", adaptation)
            self.assertEqual(result["value"], 7)

    def test_no_finite_value(self):
        self.assertIn("finite", self.fails(6, "de", *HOST, "--expr", "log(-1-x[1]^2)", "--lower", "1", "--upper", "2",
                                           "--iterations", "20"))

    def test_state_of_another_algorithm(self):
        path = self.folder / "state"
        self.succeeds("pso", *HOST, "--function", "sphere", "--iterations", "3", "--checkpoint", path)
        self.assertIn("is of 'shoal pso', not of 'shoal de'", self.fails(2, "de", *HOST, "--resume", path, "--iterations", "6"))


if __name__ == "__main__":
    support.main()
