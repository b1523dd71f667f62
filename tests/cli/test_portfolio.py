#!/usr/bin/env python3
"""shoal portfolio: what it finds, how it divides evaluations, that its state is whole, and what it refuses."""

import json

import support
from support import Case

RAW = ["--refine", "none", "--json"]
SMALL = ["portfolio", "--function", "rastrigin", "--dim", "4", "--shift", "1", *RAW]


class Portfolio(Case):
    def result(self, *args, threads=None):
        env = {**support.environment(), **({"OMP_NUM_THREADS": threads} if threads else {})}
        return json.loads(self.succeeds(*args, env=env))["rows"][0]["result"]

    def test_each_algorithm_finds_what_it_can(self):
        budget = ["--dim", "5", "--evaluations", "20000", "--runs", "3", *RAW]
        valley = self.result("portfolio", "--function", "rosenbrock", "--rotate", "7", *budget)["fields"]
        many = self.result("portfolio", "--function", "rastrigin", "--shift", "4", *budget)["fields"]
        self.assertEqual((valley["successes"], many["successes"]), (3, 3))
        self.assertEqual(valley["algorithms"], "cmaes,de")
        # CMA-ES finds the valley; the planned life of differential evolution takes its part in any case.
        self.assertGreater(valley["gains"][0], 0.5)
        for fields in (valley, many):
            self.assertAlmostEqual(sum(fields["shares"]), 1)
            self.assertAlmostEqual(sum(fields["gains"]), 1)
            self.assertGreater(fields["shares"][1], 0.5)

    def test_all_algorithms(self):
        words = "pso,ga,de,cmaes,nelder-mead,pattern,random"
        result = self.result(*SMALL, "--algorithms", words.replace(",", ", "), "--evaluations", "4000")
        self.assertEqual(result["fields"]["algorithms"], words)
        self.assertEqual(len(result["fields"]["shares"]), 7)
        self.assertTrue(all(share > 0 for share in result["fields"]["shares"]))
        # With one algorithm alone the rest of a step is random.
        alone = self.result(*SMALL, "--algorithms", "nelder-mead", "--evaluations", "400")
        self.assertEqual((alone["fields"]["shares"], alone["fields"]["gains"]), ([1], [1]))

    def test_same_bits_with_any_number_of_threads(self):
        words = [*SMALL, "--evaluations", "3000", "--runs", "3", "--islands", "2", "--exchange", "20", "--champions", "2"]
        one, two = (self.result(*words, threads=threads) for threads in ("1", "2"))
        self.assertEqual(one, two)

    def test_resumed_equals_uninterrupted(self):
        path = self.folder / "a.ckp"
        words = [*SMALL, "--runs", "2", "--islands", "2", "--exchange", "30", "--champions", "3", "--algorithms",
                 "cmaes,de,ga,nelder-mead"]
        # Differential evolution plans for the evaluations: all parts have the same.
        whole = self.result(*words, "--evaluations", "8000")
        for steps in ("1", "7", "133", "300"):
            self.succeeds(*words, "--evaluations", "8000", "--iterations", steps, "--checkpoint", path)
            resumed = self.result("--resume", path, "--iterations", "100000", *RAW[2:])
            self.assertEqual(resumed, whole, steps)

    def test_champions_guide_the_mean_of_cmaes(self):
        # Random points know nothing of champions: another result comes from the steps of CMA-ES.
        words = [*SMALL, "--algorithms", "random,cmaes", "--epoch", "1", "--evaluations", "3000", "--runs", "2"]
        apart, guided = (self.result(*words, "--champions", champions)["fields"] for champions in ("0", "1"))
        self.assertNotEqual(apart["run_values"], guided["run_values"])

    def test_restarts_and_start_points(self):
        fields = self.result(*SMALL, "--restart", "40", "--evaluations", "6000")["fields"]
        self.assertGreater(fields["restarts"], 0)
        result = self.result("portfolio", "--function", "sphere", "--dim", "2", "--start", "1e-9,0", "--iterations", "1",
                             *RAW)
        self.assertLess(result["value"], 1e-17)

    def test_one_dimension_and_equal_values(self):
        self.assertLess(self.result("portfolio", "--function", "rastrigin", "--dim", "1", "--evaluations", "5000",
                                    "--json")["value"], 1e-8)
        result = self.result("portfolio", "--expr", "sum(0*x[i]) + 3", "--lower", "0", "--upper", "1", "--dim", "3", *RAW,
                             "--evaluations", "500")
        self.assertEqual((result["value"], result["fields"]["end"]), (3, "evaluations"))

    def test_constraints(self):
        run = ["portfolio", "--algorithms", "cmaes", "--function", "sphere", "--dim", "5", "--evaluations", "10000",
               "--subject-to", "x[1] + x[2] <= -1; x[3] = 0.5*x[4]", *RAW]
        for turns in ("points", "steps"):
            self.assertAlmostEqual(self.result(*run, "--turns", turns, "--device", "host")["value"], 0.5, delta=1e-3)

    def test_refused(self):
        for names, reason in (("cmaes,abc", "there is no algorithm 'abc' for a portfolio: give some of pso, ga"),
                              ("portfolio", "there is no algorithm 'portfolio' for"),
                              ("de,,ga", "there is no algorithm '' for"),
                              ("de,cmaes,de", "--algorithms: de is named twice")):
            self.assertIn(reason, self.fails(2, "portfolio", "--algorithms", names), names)
        self.assertIn("--evaluations 3 is below the 10 points of step 0",
                      self.fails(2, "portfolio", "--dim", "10", "--evaluations", "3"))
        self.assertIn("x1 is an order: portfolio takes reals, integers, choices and bits alone",
                      self.fails(2, "portfolio", "--expr", "x[1]", "--variables", "x1-x3 order"))
        self.assertIn("--algorithms: none of them takes whole numbers and choices here: name some of cmaes,de,ga",
                      self.fails(2, "portfolio", "--algorithms", "pso,random", "--expr", "x[1]", "--variables", "x1 integer 0 4"))
        self.assertIn("--form full is for dim 8192", self.fails(2, "portfolio", "--dim", "9000"))

    def test_whole_numbers_and_choices(self):
        run = ["portfolio", "--expr", "(a-0.3)^2+(b-2.6)^2+(c-1)^2+d", "--variables", "a real, b integer -9 9, c choice 4, d bit",
               "--lower", "-4", "--upper", "4", "--algorithms", "pso,cmaes,de,ga", "--evaluations", "6000", "--runs", "2", *RAW]
        for extra in ([], ["--turns", "steps", "--device", "host"], ["--device", self.needs_opencl()]):
            done = support.shoal(*run, *extra)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("portfolio: pso is left out, since whole numbers and choices are rounded here", done.stderr)
            result = json.loads(done.stdout)["rows"][0]["result"]
            self.assertEqual(result["fields"]["algorithms"], "cmaes,de,ga")
            self.assertAlmostEqual(result["value"], 0.16, 6)
            self.assertEqual(result["fields"]["position"][1:], [3, 1, 0])
        begun = self.result(*run[:-5], "--runs", "1", *RAW, "--start", "0.3,3,1,0", "--iterations", "1")
        self.assertAlmostEqual(begun["value"], 0.16, 12)

    def test_genomes_resumed(self):
        # The genetic algorithm has genomes: bits in words, and whole numbers where the others have reals.
        path = self.folder / "genes.ckp"
        for device in ("host", self.needs_opencl()):
            words = ["portfolio", "--expr", "(x[1]-0.3)^2+abs(x[2]-2.6)+10*(x[3]+x[40])", "--variables",
                     "x1 real -4 4, x2 integer -9 9, x3-x40 bit", "--algorithms", "ga,cmaes", "--champions", "1", "--epoch", "2",
                     "--device", device, "--evaluations", "6000", *RAW]
            whole = self.result(*words)
            self.assertAlmostEqual(whole["value"], 0.4, 3)
            for steps in ("2", "9"):
                self.succeeds(*words, "--iterations", steps, "--checkpoint", path)
                resumed = self.result("--resume", path, "--iterations", "100000", *RAW[2:], "--device", device)
                self.assertEqual(resumed, whole, (device, steps))

    STEPS = ["--dim", "4", "--turns", "steps", "--islands", "2", "--runs", "2", "--champions", "2", "--evaluations", "16000",
             *RAW]

    def test_whole_steps_of_the_host_and_a_device(self):
        for device in ("host", self.needs_opencl()):
            fields = self.result("portfolio", "--function", "rosenbrock", "--device", device, *self.STEPS)["fields"]
            self.assertEqual((fields["algorithms"], fields["successes"]), ("cmaes,de", 2), device)
            self.assertAlmostEqual(sum(fields["shares"]), 1)
            self.assertGreater(fields["gains"][0], 0)
        result = self.result("portfolio", "--expr", "x[1]+x[2]", "--lower", "-5", "--upper", "5", "--subject-to",
                             "x[1]*x[1]+x[2]*x[2]<=2", "--device", device, *self.STEPS[2:], "--dim", "2")
        self.assertAlmostEqual(result["value"], -2, 5)

    def test_whole_steps_resumed(self):
        path = self.folder / "steps.ckp"
        for device in ("host", self.needs_opencl()):
            words = ["portfolio", "--function", "sphere", "--algorithms", "cmaes,de,pattern,pso", "--trace",
                     "20", "--device", device, *self.STEPS, "--evaluations", "60000"]
            whole = self.result(*words)
            self.assertGreater(whole["fields"]["restarts"], 0)
            for steps in ("1", "3", "70"):
                self.succeeds(*words, "--iterations", steps, "--checkpoint", path)
                resumed = self.result("--resume", path, "--iterations", "100000", *RAW[2:], "--device", device)
                self.assertEqual(resumed, whole, (device, steps))

    LIVES = ["portfolio", "--turns", "lives", "--populations", "3", "--points", "600", "--dim", "3", "--function", "rastrigin",
             "--shift", "1", "--runs", "2", "--evaluations", "30000", "--json"]

    def test_whole_lives(self):
        for device in ("host", self.needs_opencl()):
            result = self.result(*self.LIVES, "--target", "1e-13", "--device", device)
            fields = result["fields"]
            self.assertEqual((fields["algorithms"], fields["successes"]), ("de,cmaes", 2), device)
            self.assertLess(result["value"], 1e-12)
        # The second turn is that of CMA-ES; all lives are as long as the plan, and points of a refinement count.
        fields = self.result(*self.LIVES, "--device", "host")["fields"]
        self.assertGreater(fields["restarts"], 0)
        self.assertEqual(len([share for share in fields["shares"] if share > 0.2]), 2)
        self.assertNotEqual(sum(fields["run_evaluations"]) % 600, 0)

    def test_refinements_of_lives_keep_to_the_budget(self):
        words = ["portfolio", "--turns", "lives", "--algorithms", "de", "--populations", "1", "--points", "500", "--life", "0.02",
                 "--dim", "30", "--function", "rosenbrock", "--evaluations", "30000", "--device", "host", "--json"]
        result = self.result(*words)
        fields = result["fields"]
        self.assertGreater(fields["restarts"], 10)
        self.assertGreater(fields["refined"], 1000) # of the result alone
        self.assertLessEqual(result["work"] + fields["refined"], 30500)

    def test_time_alone_makes_whole_lives(self):
        device = self.needs_opencl()
        row = json.loads(self.succeeds("optimise", "--function", "sphere", "--dim", "3", "--time", "20", "--target", "1e-6",
                                       "--device", device, "--json"))["rows"][0]
        self.assertEqual((row["result"]["fields"]["algorithms"], row["result"]["fields"]["end"]), ("de,cmaes", "target"))

    def test_whole_lives_resumed(self):
        path = self.folder / "lives.ckp"
        for device in ("host", self.needs_opencl()):
            words = [*self.LIVES, "--rotate", "3", "--islands", "2", "--device", device]
            whole = self.result(*words)
            for steps in ("1", "14", "40"):
                self.succeeds(*words, "--iterations", steps, "--checkpoint", path)
                resumed = self.result("--resume", path, "--iterations", "100000", "--json", "--device", device)
                self.assertEqual(resumed, whole, (device, steps))
        # As many populations as the two runs need for one on each unit of the device.
        words = [*self.LIVES[:3], *self.LIVES[5:], "--device", device]
        env = {**support.environment(), "POCL_MAX_PTHREAD_COUNT": "1"}
        self.succeeds(*words, "--iterations", "2", "--checkpoint", path, env=env)
        done = support.shoal("portfolio", "--resume", path, "--device", device,
                              env={**env, "POCL_MAX_PTHREAD_COUNT": "3"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("the checkpoint has 1 populations of each algorithm, this run 2: give --populations 1", done.stderr)

    def test_resumed_where_it_was_saved(self):
        path = self.folder / "device.ckp"
        device = self.needs_opencl()
        self.succeeds("portfolio", "--function", "sphere", "--device", device, *self.STEPS, "--iterations", "3", "--checkpoint", path)
        # On the host it is refused; without --device it is not taken there.
        done = support.shoal("portfolio", "--resume", path, "--iterations", "5", *RAW[2:])
        self.assertNotIn("--turns", done.stderr)
        self.assertTrue(done.returncode == 0 or " host " not in done.stderr, done.stderr)

    def test_watched_while_lives_end(self):
        self.succeeds("portfolio", "--turns", "steps", "--algorithms", "de,random", "--life", "0.00001", "--dim", "1000",
                      "--islands", "4", "--function", "sphere", "--iterations", "1000", "--epoch", "1", "--refine", "none",
                      "--hang-limit", "5")

    def test_nothing_evaluated_yet(self):
        few = ["portfolio", "--turns", "steps", "--device", "host", "--function", "sphere", "--dim", "2", "--points", "1",
               "--algorithms", "ga", *RAW]
        self.assertEqual(self.result(*few, "--stagnation", "5")["fields"]["end"], "stagnated")
        self.assertIn("51 evaluations of an island are below the 100 individuals of ga, which is the first of --algorithms",
                      self.fails(2, *few, "--iterations", "50"))
        self.assertIn("the run ended after 0 evaluations, before all of the first points had values",
                      self.fails(6, *few, "--time", "1e-9"))

    def test_values_that_are_not_finite(self):
        for device in ("host", self.needs_opencl()):
            result = self.result("portfolio", "--device", device, "--expr", "log(x[1])+x[2]", "--lower", "-1", "--upper", "1",
                                 *self.STEPS, "--dim", "2", "--evaluations", "8000", "--life", "0.05", "--algorithms", "de")
            self.assertGreater(result["fields"]["restarts"], 0)
            # Half of each first population, and few later ones.
            self.assertGreater(result["fields"]["not_finite"], 100 * result["fields"]["restarts"])

    def test_what_turns_do_not_have(self):
        device = self.needs_opencl()
        time = ["--device", device, "--time", "1"]
        for words, reason in ((["--populations", "3"], "--populations is for turns of lives, and this run has none"),
                              (["--populations", "3", "--device", device, "--iterations", "5"], "--populations is for turns of lives"),
                              (["--populations", "3", "--turns", "steps"], "--populations needs --turns auto or lives"),
                              (["--champions", "2", "--turns", "lives"], "--champions needs --turns auto, points or steps"),
                              (["--epoch", "2", "--turns", "lives"], "--epoch needs --turns auto, points or steps"),
                              (["--champions", "2", *time], "--champions: turns of lives have none"),
                              (["--epoch", "2", *time], "--epoch: turns of lives have none")):
            self.assertIn(reason, self.fails(2, "portfolio", *words), words)

    def test_whole_steps_refuse(self):
        device = self.needs_opencl()
        for words, reason in ((["--turns", "points"], "--turns points is for the host"),
                              (["--polish", "50"], "--polish: a portfolio whose algorithms make whole steps has none"),
                              (["--restart", "5"], "--restart is for turns of points"),
                              (["--exchange", "5", "--islands", "2"], "--exchange is for turns of points"),
                              (["--turns", "lives", "--populations", "9", "--points", "5"],
                               "--points 5 is below the 9 populations of an island"),
                              (["--split"], "a run of portfolio cannot be divided")):
            self.assertIn(reason, self.fails(2, "portfolio", "--device", device, "--iterations", "5", *words), words)


if __name__ == "__main__":
    support.main()
