#!/usr/bin/env python3
"""shoal optimise: the algorithm that is named or that suits the problem, and options of other algorithms."""

import json
import re

import support
from support import Case

HOST = ["optimise", "--device", "host"]
SMALL = ["--function", "sphere", "--dim", "2", "--iterations", "5"]


class Optimise(Case):
    def document(self, *args):
        return json.loads(self.succeeds(*HOST, "--json", *args))

    def refused(self, message, *args):
        self.assertIn(message, self.fails(2, *HOST, *args))

    def test_auto_says_what_it_took_and_why(self):
        document = self.document(*SMALL)
        self.assertEqual(document["command"], "optimise")
        self.assertTrue(document["choice"].startswith(document["algorithm"] + ", since "))
        self.assertEqual(document["rows"][0]["workload"], document["algorithm"])
        self.assertIn("algorithm: " + document["choice"].split()[0], self.succeeds(*HOST, *SMALL))

    def test_auto_goes_by_the_problem(self):
        self.assertEqual(self.document("--function", "onemax", "--dim", "8", "--iterations", "2")["algorithm"], "ga")
        table = self.file("t.csv", "a,b\n1,2\n2,4\n3,7\n")
        fit = self.document("--data", table, "--model", "k*a", "--fit", "k=0:9", "--target", "b")
        self.assertEqual(fit["algorithm"], "pso")
        self.assertIsNone(fit["params"]["time"])

    def test_auto_on_devices(self):
        search = ["optimise", "--device", "cpu", "--json", "--function", "sphere", "--dim", "2"]
        def taken(*words):
            return json.loads(self.succeeds(*search, *words))["algorithm"]
        self.assertEqual(taken("--evaluations", "2000", "--precision", "fp64"), "portfolio")
        self.assertEqual(taken("--evaluations", "2000"), "de")
        self.assertEqual(taken("--evaluations", "4000", "--precision", "fp64", "--islands", "3"), "de")
        self.assertEqual(taken("--time", "0.05", "--split", "--runs", "2"), "de")

    def test_nothing_but_the_objective(self):
        document = self.document("--function", "rastrigin", "--dim", "2")
        params, fields = document["params"], document["rows"][0]["result"]["fields"]
        self.assertEqual((params["time"], params["evaluations"], params["runs"]), (10, "20000", 5))
        self.assertEqual((fields["runs"], fields["agree"]), (5, 5))
        self.assertLess(abs(document["rows"][0]["result"]["value"]), 1e-8)
        document = self.document("--function", "rastrigin", "--dim", "2", "--runs", "2", "--evaluations", "500")
        self.assertEqual((document["params"]["time"], document["params"]["runs"]), (None, 2))

    def test_runs_that_do_not_agree_are_not_counted(self):
        fields = self.document("--function", "rastrigin", "--dim", "10", "--iterations", "2", "--runs", "3",
                               "--refine", "none")["rows"][0]["result"]["fields"]
        self.assertEqual(fields["agree"], 1)

    def test_a_named_algorithm_is_its_own_command(self):
        for name in ("pso", "ga"):
            own = json.loads(self.succeeds(name, "--device", "host", "--json", *SMALL))
            document = self.document("--algorithm", name, *SMALL)
            self.assertEqual((document["algorithm"], document["choice"]), (name, None))
            self.assertEqual(document["params"], own["params"])
            self.assertEqual(document["rows"][0]["result"], own["rows"][0]["result"])
        self.assertEqual(self.document("--alg=PSO", *SMALL, "--islands", "2")["params"]["swarms"], 2)

    def test_options_of_other_algorithms_are_refused(self):
        self.refused("--particles is an option of pso: name the algorithm, --algorithm pso", "--particles", "9")
        self.refused("--particles is an option of pso, not of ga", "--algorithm", "ga", "--particles", "9")
        self.assertIn("--population is an option of ga, de, cmaes, not of pso", self.fails(2, "pso", "--population", "9"))
        self.refused("--algorithm: 'no' is not one of auto, ", "--algorithm", "no")
        self.refused("unknown option --nothing", "--nothing", "1")
        self.refused("--algorithm needs a value", "--algorithm")

    def test_configuration_files(self):
        path = self.file("run.ini", "[optimise]\nalgorithm = pso\ndim = 3\niterations = 4\n[pso]\nparticles = 7\n")
        document = self.document("--config", path)
        params = document["params"]
        self.assertEqual((document["algorithm"], params["dim"], params["particles"]), ("pso", 3, 7))
        self.assertEqual(self.document("--config", path, "--algorithm", "ga")["params"]["dim"], 3)
        self.assertEqual(self.document("--conf", path)["algorithm"], "pso")

    def test_checkpoints_name_the_algorithm(self):
        path = self.folder / "a.ckp"
        for name in ("pso", "ga"):
            arguments = ["--algorithm", name, "--function", "ackley", "--dim", "3", "--refine", "none"]
            whole = self.document(*arguments, "--iterations", "20")
            self.succeeds(*HOST, *arguments, "--iterations", "10", "--checkpoint", path)
            resumed = self.document("--resume", path, "--iterations", "20")
            self.assertEqual(resumed["algorithm"], name)
            self.assertEqual(self.document(f"--resu={path}", "--iterations", "20")["algorithm"], name)
            self.assertEqual(resumed["rows"][0]["result"], whole["rows"][0]["result"])
        self.refused("is of 'shoal ga', not of 'shoal pso'", "--algorithm", "pso", "--resume", path)

    def test_best_points(self):
        # Three equal minima, at which a run may end: (-pi, 12.275), (pi, 2.275), (9.42478, 2.475).
        row = self.document("--function", "branin", "--best", "3", "--evaluations", "1000")["rows"][0]
        points = row["best_points"]
        self.assertEqual([round(x[0], 2) for x in sorted(point["position"] for point in points)], [-3.14, 3.14, 9.42])
        self.assertTrue(all(abs(point["value"] - 0.397887) < 1e-6 for point in points))
        self.assertEqual(sum(point["runs"] for point in points), 12)
        self.assertEqual(points[0]["value"], row["result"]["fields"]["min"])
        self.assertEqual(points[0]["seed"], row["result"]["fields"]["best_seed"])

    def test_fewer_points_than_asked_for(self):
        done = support.shoal(*HOST, "--function", "sphere", "--dim", "2", "--best", "4", "--runs", "3")
        self.assertIn("the runs found 1 distinct point, not 4", done.stderr)
        self.assertRegex(done.stdout, r"point +value +runs +seed +position\n +1 .* 3 +\d ")
        alone = self.document(*SMALL, "--algorithm", "pso", "--best", "2", "--runs", "1")["rows"][0]["best_points"]
        self.assertEqual([(point["runs"], point["seed"]) for point in alone], [(1, "1")])

    def test_all_algorithms_by_one_word(self):
        rows = json.loads(self.succeeds("compare", "optimise", "--device", "host", "--json", "--set",
                                        "pso.iterations=2,ga.iterations=2,de.iterations=2,cmaes.iterations=2,"
                                        "random.iterations=2,pattern.iterations=2,nelder-mead.iterations=2,portfolio.iterations=2"))["rows"]
        self.assertEqual([row["workload"] for row in rows],
                         ["pso", "ga", "de", "cmaes", "nelder-mead", "pattern", "random", "portfolio"])

    def test_tune_measures_the_methods_of_the_algorithms(self):
        tune = ["tune", "optimise", "--sample", "0.001", "--dry-run", "-q", "--json", "--device", self.needs_opencl()]
        rows = json.loads(self.succeeds(*tune, "--function", "labs", "--dim", "8"))["rows"]
        self.assertEqual([row["workload"] for row in rows], ["ga"])
        rows = json.loads(self.succeeds(*tune, "--algorithm", "pattern", "--function", "sphere", "--dim", "2"))["rows"]
        self.assertEqual([row["workload"] for row in rows], ["pattern"])
        self.assertIn("precision=fp64", rows[0]["sizes"])
        self.assertEqual({method["name"] for method in rows[0]["methods"]}, {"onchip", "pipeline"})
        self.assertIn("portfolio has a single method", self.fails(2, "tune", "optimise", "--algorithm", "portfolio"))
        self.assertIn("is an option of ga, de, cmaes: tune ga takes it", self.fails(2, "tune", "optimise", "--population", "9"))
        self.assertIn("no algorithm takes this problem: ",
                      self.fails(2, "tune", "optimise", "--function", "sphere", "--instance", "3"))

    def test_help(self):
        self.assertRegex(self.fails(2, "optimise", "--help", "foo"), r"'foo' is not one of .*pso, ga, .*all$")
        text = self.succeeds("optimise", "--help")
        self.assertIn("--algorithm NAME", text)
        self.assertNotIn("--crossover", text)
        self.assertEqual(len(re.findall(r"^ {2}(?:-\w, | {4})--\w", text, re.M)), 25)
        for name in ("pso", "ga"):
            self.assertEqual(self.succeeds("optimise", "--help", name), self.succeeds(name, "--help"))


class Extremes(Case):
    """What each algorithm does where there is little to search."""
    NAMES = ("pso", "ga", "de", "cmaes", "nelder-mead", "pattern", "random", "portfolio", "auto")

    def values(self, *args):
        for name in self.NAMES:
            with self.subTest(name):
                yield json.loads(self.succeeds(*HOST, "--algorithm", name, "--evaluations", "1000", "--json", *args))["rows"][0]["result"]["value"]

    def test_one_dimension(self):
        for value in self.values("--function", "sphere", "--dim", "1"):
            self.assertLess(value, 1e-6)

    def test_equal_values_everywhere(self):
        for value in self.values("--expr", "3 + 0*sum(x[i])", "--dim", "4", "--lower", "-1", "--upper", "1"):
            self.assertEqual(value, 3)

    def test_a_budget_below_one_population(self):
        for name in ("pso", "ga", "de", "cmaes", "nelder-mead", "portfolio"):
            error = self.fails(2, *HOST, "--algorithm", name, "--function", "sphere", "--dim", "5", "--evaluations", "1")
            self.assertRegex(error, r"--evaluations 1 is below the \d+ \w+ of step 0: raise it", name)

    def test_orders_name_who_takes_them(self):
        for name in self.NAMES[2:-1]:
            error = self.fails(2, *HOST, "--algorithm", name, "--expr", "x[1]", "--variables", "x1-x3 order", "--evaluations", "1000")
            self.assertRegex(error, "x1 is an order: .* take ga", name)

    def test_functions_over_bits_name_who_takes_them(self):
        for name in ("pso", *self.NAMES[2:-1]):
            for command in (["optimise", "--algorithm", name], [name]):
                self.assertEqual(self.fails(2, *command, "--function", "onemax").strip(),
                                 f"shoal: --function: {name} does not take 'onemax'; take ga")


class PolishEvery(Case):
    """A pattern search during the run."""
    RUN = ["--function", "rosenbrock", "--dim", "5", "--polish-every", "7", "--evaluations", "4000", "--refine", "none", "--runs", "2", "--json"]

    def result(self, *args, threads="2"):
        env = {**support.environment(), "OMP_NUM_THREADS": threads}
        return json.loads(self.succeeds(*args, env=env))["rows"][0]["result"]

    def test_evaluations_are_counted(self):
        for name in ("pso", "ga", "de"):
            result = self.result(name, "--device", "host", *self.RUN)
            for evaluations in result["fields"]["run_evaluations"]:
                self.assertLess(evaluations, 4000 + 100)  # a last step is whole
                self.assertGreater(evaluations, 3600)
            # The steps make the others.
            alone = self.result(name, "--device", "host", *self.RUN, "--polish-every", "0")
            self.assertLess(result["steps"], alone["steps"])
            self.assertEqual(result, self.result(name, "--device", "host", *self.RUN, threads="1"))

    def test_resumed_equals_uninterrupted(self):
        path = self.folder / "a.ckp"
        for name in ("pso", "ga", "de"):
            whole = self.result(name, "--device", "host", *self.RUN)
            for steps in ("7", "20"):
                self.succeeds(name, "--device", "host", *self.RUN, "--iterations", steps, "--checkpoint", path)
                self.assertEqual(self.result(name, "--resume", path, "--iterations", "100000", "--json"), whole, (name, steps))

    def test_refused(self):
        for words, reason in ((["cmaes", "--function", "sphere"], "--polish-every: points of cmaes do not follow from its members: leave it out, or take pso or ga or de"),
                              (["de", "--expr", "x[1]", "--variables", "x1 integer 0 5"], "--polish-every is for reals"),
                              (["ga", "--expr", "sum(x[i])", "--variables", "x1-x3 order"], "--polish-every is for reals")):
            self.assertIn(reason, self.fails(2, *words, "--polish-every", "5"))


if __name__ == "__main__":
    support.main()
