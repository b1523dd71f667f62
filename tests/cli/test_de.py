#!/usr/bin/env python3
"""shoal de: variables that are rounded, and input that is wrong."""

import json

import support
from support import Case

HOST = ["--device", "host"]


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
