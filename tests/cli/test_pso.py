#!/usr/bin/env python3
"""shoal pso: many runs, ends, objectives, and input that is wrong."""

import json
import math
import re
import signal
import subprocess
import time

import support
from support import SMALL, Pso, environment, shoal

HOST = ["pso", "--device", "host"]
ANY = ["pso", "--device", "nosuch:7"]
GLOBAL = ["--update", "inertia", "--topology", "global", "--bounds", "reflect"]
SPHERE = "sum(x[i]^2)"
BOX = ["--lower", "-5", "--upper", "5"]
SLOW = """#define SHAPE OPAQUE
static inline real objective_value(const real *x, uint dim)
{
    real sum = R(0.0);
    uint i;
    (void)dim;
    for (i = 0; i < 1000000000u; i++)
        sum = sum * R(0.999999) + x[0] * R(1e-7);
    return sum * sum;
}
"""


class Runs(Pso):
    MANY = [*SMALL, "--function", "sphere", "--runs", "10"]

    def test_statistics(self):
        fields = self.fields(*self.MANY, "--success", "1")
        self.assertEqual(
            set(fields),
            {"function", "dim", "precision", "position", "end", "runs", "agree", "successes", "success_rate", "success_rate_error",
             "expected_evaluations", "min", "q05", "q25", "median", "q75", "q95", "max", "mean", "mean_error",
             "best_seed", "worst_seed", "best_run", "run_values", "run_evaluations", "refined", "apart"},
        )
        values = fields["run_values"]
        self.assertEqual((fields["runs"], len(values)), (10, 10))
        self.assertEqual(fields["successes"], sum(value <= 1 for value in values))
        self.assertEqual(fields["agree"], sum(value <= min(values) + 1 for value in values))
        self.assertEqual((fields["min"], fields["max"]), (min(values), max(values)))
        self.assertAlmostEqual(fields["mean"], sum(values) / 10)
        self.assertEqual(set(fields["run_evaluations"]), {32 * 21})
        self.assertEqual(values[int(fields["best_seed"]) - 1], min(values))
        self.assertEqual(fields["best_run"], values.index(min(values)))

    def test_a_run_alone_is_the_same(self):
        fields = self.fields(*self.MANY)
        worst = self.fields(*SMALL, "--function", "sphere", "--seed", fields["worst_seed"], "--runs", "2")
        self.assertEqual(worst["run_values"][0], fields["max"])

    def test_target_counts_evaluations(self):
        fields = self.fields(*self.MANY, "--iterations", "500", "--target", "1e-3")
        self.assertEqual((fields["reached_target"], fields["successes"]), (10, 10))
        self.assertAlmostEqual(fields["expected_evaluations"], sum(fields["run_evaluations"]) / 10)
        self.assertLess(max(fields["run_evaluations"]), 32 * 501)

    def test_text(self):
        text = self.succeeds(*HOST, *self.MANY)
        self.assertRegex(text, r"\Apso  sphere, dim 4; .*particles=32 .*runs=10\s.*iterations=20")
        self.assertRegex(text, r"(?m)^runs: +10, agree \d+, successes \d+, success rate [\d.]+ \+- [\d.]+ \(10 runs\),")
        words = re.sub(r"\s+", " ", text)
        self.assertRegex(words, r"\bmin: \S+, q05 \S+, q25 \S+, median \S+, q75 \S+, q95 \S+, max \S+ mean: ")

    def test_a_rotated_function_is_one_on_all_devices(self):
        run = ["--function", "ackley", "--dim", "5", "--shift", "2", "--particles", "40", "--iterations", "400", "--precision", "fp64"]
        positions = [self.fields(*run, "--rotate", seed)["position"] for seed in ("0", "3", "4")]
        self.assertEqual(len({str(position) for position in positions}), 3)
        for position in positions[1:]:
            for plain, rotated in zip(positions[0], position):
                self.assertAlmostEqual(plain, rotated, places=3)
        done = json.loads(self.succeeds("pso", "--device", self.needs_opencl(), "--json", *run, "--rotate", "3"))
        for host, device in zip(positions[1], done["rows"][0]["result"]["fields"]["position"]):
            self.assertAlmostEqual(host, device, places=3)

    def test_maximise_shows_values_as_they_are(self):
        result = self.run_json("--expr", SPHERE, "--dim", "2", "--lower", "-1", "--upper", "3", "--bounds", "clamp",
                               "--maximise", "--particles", "32", "--iterations", "200")["result"]
        self.assertAlmostEqual(result["value"], 18, 6)
        self.assertEqual(result["title"].split(",")[1], " dim 2")


class Preset(Pso):
    """SPSO-2011 is a preset; what is given goes on top of it."""

    WORDS = ["--particles", "40", "--update", "spso2011", "--topology", "random", "--bounds", "bounce", "--refine", "auto"]

    def same(self, preset, options):
        got, wanted = (self.run_json("--dim", "4", *words)["result"] for words in (preset, options))
        self.assertEqual((got["value"], got["steps"], got["fields"]), (wanted["value"], wanted["steps"], wanted["fields"]))
        return got

    def test_it_is_these_options(self):
        for more in ([], ["--iterations", "50", "--swarms", "2", "--exchange", "5"], ["--evaluations", "3000", "--runs", "3"]):
            with self.subTest(more=more):
                self.same(["--preset", "spso2011", *more], [*self.WORDS, *more])

    def test_options_win(self):
        got = self.same(["--preset", "spso2011", "--particles", "10", "--refine", "all", "--iterations", "20"],
                        [*self.WORDS, "--particles", "10", "--refine", "all", "--iterations", "20"])
        self.assertEqual(got["work"], 210)

    def test_others_are_named(self):
        self.assertIn("--preset: 'spso' is not one of spso2011", self.fails(2, *HOST, "--preset", "spso"))


class Refined(Pso):
    """The pattern search at the end, by default."""

    def test_digits_of_single_precision(self):
        where = ["pso", "--device", self.needs_opencl(), "--json", "--function", "ackley", "--dim", "4", "--shift", "1.5",
                 "--precision", "fp32", "--evaluations", "20000"]
        rough, fine = (json.loads(self.succeeds(*where, *more))["rows"][0]["result"] for more in (["--refine", "none"], []))
        self.assertGreater(rough["value"], 1e-8)
        self.assertLess(fine["value"], 1e-12)
        self.assertLessEqual(fine["work"] + fine["fields"]["refined"], 20000)

    def test_one_dimension_and_a_time_limit(self):
        for words in (["--dim", "1"], ["--dim", "2", "--time", "0.3"], ["--dim", "2", "--iterations", "30"],
                      ["--dim", "2", "--restart", "30", "--evaluations", "5000"], ["--dim", "2", "--swarms", "3"]):
            with self.subTest(words=words):
                result = self.run_json("--function", "sphere", *words)["result"]
                self.assertLess(result["value"], 1e-20)
                self.assertGreater(result["fields"]["refined"], 0)

    def test_it_ends_with_the_time(self):
        result = self.run_json("--function", "sphere", "--dim", "3", "--time", "0")["result"]
        self.assertEqual((result["steps"], result["fields"]["refined"]), (0, 0))
        self.assertGreater(result["value"], 0)


class Ends(Pso):
    ENDLESS = ["--dim", "4", "--particles", "32", "--iterations", "4294967040"]

    def test_time_alone(self):
        text = self.succeeds(*HOST, "--function", "sphere", "--dim", "2", "--time", "0.2", "--plot", self.folder / "best.svg")
        self.assertRegex(text, r"(?m)^end: +time$")
        self.assertIn("<svg", (self.folder / "best.svg").read_text())

    def test_rows_of_devices_say_why_they_ended(self):
        where = ["pso", "--device", f"{self.needs_opencl()},host", "--function", "sphere", "--dim", "3"]
        self.assertRegex(self.succeeds(*where, "--iterations", "5"), r"(?m)^In all rows: .*check pass; steps 5; end iterations$")
        self.assertRegex(self.succeeds(*where, "--runs", "2", "--preset", "spso2011"), r"end converged 2\b")

    def test_time(self):
        row = self.run_json(*self.ENDLESS, "--time", "0")
        self.assertTrue(row["timed_out"])
        self.assertEqual((row["status"], row["result"]["steps"]), ("ok", 0))
        self.assertRegex(self.succeeds(*HOST, *self.ENDLESS, "--time", "0.2"), r"(?m)^steps: +\d+ \(time\)$")

    def test_evaluations(self):
        result = self.run_json(*SMALL, "--evaluations", "320", "--refine", "none")["result"]
        self.assertEqual((result["steps"], result["work"]), (9, 320))
        # A fifth is for the pattern search at the end, which has what whole steps leave.
        result = self.run_json(*SMALL, "--evaluations", "320")["result"]
        self.assertEqual((result["steps"], result["work"]), (7, 256))
        self.assertIn(result["fields"]["refined"], range(1, 65))

    def test_target(self):
        fields = self.fields("--function", "sphere", *self.ENDLESS, "--target", "1e-3")
        self.assertGreater(fields["reached"], 0)

    @support.long
    def test_a_slow_objective_can_be_stopped(self):
        path = self.folder / "slow.clh"
        path.write_text(SLOW)
        process = subprocess.Popen(
            [support.SHOAL, *HOST, "--objective", str(path), *BOX, "--dim", "2", "--particles", "1", "--json",
             "--iterations", "1000000", "--progress", "yes"],
            env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        support.wait_for_work(process)
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(json.loads(text)["rows"][0]["status"], "stopped")

    def test_a_device_does_not_wait_for_ever(self):
        self.given_up(self.needs_opencl())

    def test_the_host_does_not_wait_for_ever(self):
        self.given_up("host")

    def given_up(self, device):
        """An objective that never returns costs a device the row, and the command no more than the limit."""
        objective = self.folder / "endless.cl"
        objective.write_text("#define SHAPE OPAQUE\n"
                             "static inline real objective_value(const real *x, uint dim)\n"
                             "{\n"
                             "    real sum = R(0.0);\n"
                             "    ulong turn;\n"
                             "    for (turn = 0; turn < 1000000000000ul; turn++)\n"
                             "        sum = sum * R(0.5) + x[turn % dim] * (real)(turn & 7u);\n"
                             "    return sum;\n"
                             "}\n")
        begin = time.monotonic()
        done = shoal("pso", "--objective", objective, "--dim", 2, "--lower", -1, "--upper", 1, "--particles", 8,
                     "--device", device, "--hang-limit", 0.5)
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertRegex(done.stderr, rf"{device} \(.*is lost: pso: .* within 0.5 s.*hang-limit")
        self.assertEqual(done.stdout, "")


READS_TABLE = """#define SHAPE OPAQUE
#define TABLE
static inline real objective_value(const real *x, __global const real *table, uint dim)
{
    real largest = R(0.0);
    uint row;
    for (row = 0; row < TABLE_ROWS; row++)
        largest = fmax(largest, fabs(ELEMENT(table, row, 1) - ELEMENT(table, row, 0) * x[0]));
    return largest;
}
"""


class Tables(Pso):
    """A text of the whole value that reads the table of --data."""

    def setUp(self):
        super().setUp()
        self.text, self.data = self.folder / "fit.clh", self.folder / "fit.csv"
        self.text.write_text(READS_TABLE)
        self.data.write_text("1,1\n2,3\n3,2\n")
        self.problem = ["--objective", self.text, "--data", self.data, "--dim", "1", "--lower", "-5", "--upper", "5",
                        "--particles", "16"]

    def test_the_largest_error_is_least(self):
        # Of 3 - 2 x and 3 x - 2, which are equal at x = 1.
        for fields in (self.fields(*self.problem, "--iterations", "60"),
                       self.fields(*self.problem, "--iterations", "60", "--precision", "fp32")):
            self.assertEqual(fields["function"], "fit.clh")
            self.assertAlmostEqual(fields["position"][0], 1, places=4)

    def test_a_resumed_run_compares_the_table(self):
        state = self.folder / "state"
        self.succeeds(*HOST, *self.problem, "--iterations", "5", "--checkpoint", state)
        resume = [*HOST, "--resume", state, "--iterations", "10"]
        self.succeeds(*resume)
        self.data.write_text("1,1\n2,3\n3,4\n")
        self.assertIn("fit.csv\" as it was before its content changed", self.fails(2, *resume))

    def test_text_and_table_belong_together(self):
        box = ["--dim", "1", "--lower", "-5", "--upper", "5"]
        self.assertIn("fit.clh: it has a line #define TABLE: give it a table (--data)",
                      self.fails(1, *HOST, "--objective", self.text, *box))
        self.text.write_text(READS_TABLE.replace("#define TABLE", "").replace("__global const real *table, ", "").replace("TABLE_ROWS", "2")
                             .replace("ELEMENT(table, row, 1)", "x[0]").replace("ELEMENT(table, row, 0)", "x[0]"))
        self.assertIn("fit.clh: the text reads no table: add a line #define TABLE, or omit --data",
                      self.fails(1, *HOST, *self.problem))
        self.text.write_text(READS_TABLE)
        huge = self.folder / "huge"
        with open(huge, "wb") as file:
            file.truncate(4 * (2**28 + 2))  # without taking room
        self.assertIn("fit.clh: the table has 134217729 rows of 2 numbers: a text that is OPAQUE reads at most 268435456",
                      self.fails(1, *ANY, "--objective", self.text, "--data", huge, "--data-layout", "f4:134217729x2", *box))
        self.assertIn("fit.clh reads its whole table: leave out --chunk-rows",
                      self.fails(2, *HOST, *self.problem, "--chunk-rows", "2"))
        self.data.write_text("1,1\n2\n")
        self.assertIn("fit.csv: row 2 (line 2)", self.fails(1, *HOST, *self.problem))
        self.assertIn("squared", self.fails(2, *HOST, *self.problem, "--squared"))


class Tune(Pso):
    def test_the_fastest_is_kept_and_used(self):
        device = self.needs_opencl()
        where = ["--device", device, "--cache-dir", self.folder / "cache"]
        problem = ["--dim", "4", "--particles", "32"]
        document = json.loads(self.succeeds("tune", "pso", "--sample", "0.01", "--json", *where, *problem))
        row = document["rows"][0]
        methods = {method["name"]: method for method in row["methods"]}
        self.assertIn("fused", methods)
        self.assertTrue(row["stored"])
        self.assertEqual(methods[row["best"]]["rate"], max(method["rate"] or 0 for method in methods.values()))
        for method in methods.values():
            self.assertNotEqual(method["rate"] is None, method["error"] is None, method)
        # What does not fit says why.
        self.assertTrue(methods["rows"]["error"]["message"])
        run = json.loads(self.succeeds("pso", "--json", *where, *problem, "--iterations", "5"))
        self.assertEqual(run["rows"][0]["result"]["fields"]["method"], row["best"])

    def test_a_trace_is_not_recorded(self):
        text = self.succeeds("tune", "pso", "--device", self.needs_opencl(), "--sample", "0.01", "--dry-run", "--trace",
                             "10", *SMALL)
        self.assertRegex(text, r"(?m)^onchip +\S+ \S+evaluations/s")

    def test_table(self):
        device = self.needs_opencl()
        text = self.succeeds("tune", "pso", "--device", device, "--sample", "0.01", "--dry-run", *SMALL, *GLOBAL)
        self.assertRegex(text, r"(?m)^fused +\S+ \S+evaluations/s .*\d+ %")
        self.assertIn("fastest", text)
        self.assertNotIn("left out", text)
        self.assertIn("single method", shoal("tune", "pso", "--device", "host", *SMALL).stderr)
        done = shoal("tune", "pso", "--device", "all", "--sample", "0.001", "--dry-run", *SMALL)
        self.assertNotIn("host", done.stdout + done.stderr)


class BadInput(Pso):
    """Each one line and its exit code."""

    def test_bounds(self):
        self.assertIn("the box is empty", self.fails(2, *HOST, "--lower", "1", "--upper", "0"))
        self.assertIn("there is nothing to search", self.fails(2, *HOST, "--lower", "1", "--upper", "1"))
        self.assertIn("give --lower and --upper", self.fails(2, *HOST, "--expr", SPHERE))

    def test_sizes(self):
        self.assertIn("out of range", self.fails(2, *HOST, "--particles", "0"))
        self.assertIn("--dim: 0 is out of range; give 1 to 1048576", self.fails(2, *HOST, "--dim", "0"))
        self.assertEqual(self.fields("--particles", "32", "--iterations", "2")["dim"], 30)
        self.assertIn("needs --dim 2", self.fails(2, *HOST, "--function", "rosenbrock", "--dim", "1"))
        self.assertEqual(self.fields("--dim", "1000000", "--particles", "2", "--iterations", "1")["dim"], 1000000)

    def test_a_swarm_larger_than_memory(self):
        device = self.needs_opencl()
        message = self.fails(5, "pso", "--device", device, "--particles", "268435456", "--dim", "1000")
        self.assertRegex(message, r"\d{12,} bytes")
        message = self.fails(1, *HOST, "--particles", "268435456", "--dim", "1000000")
        self.assertRegex(message, r"\d{12,} bytes")

    def test_rules_between_options(self):
        for args, words in (
            (["--expr", SPHERE, "--data", "x"], "--expr does not go with --data; use one"),
            (["--squared"], "data"),
            (["--data-layout", "f8:2x2"], "--data-layout needs --data"),
            (["--topology", "ring", "--neighbours", "3"], "odd"),
            (["--topology", "ring", "--particles", "2"], "3 particles or more"),
            (["--update", "constriction", "--cognitive", "1", "--social", "1"], "above 4"),
            (["--runs", "1048576", "--swarms", "2"], "lower --runs or --swarms"),
            (["--exchange", "5"], "--exchange needs --swarms above 1"),
            (["--restart", "5", "--stagnation", "5"], "use one"),
            (["--function", "rastrigin", "--expr", SPHERE, *BOX], "--function does not go with --expr; use one"),
            (["--function", "sphere", "--data", "x"], "--function does not go with --data; use one"),
            (["--function", "rastrigin", "--data", "x"], "--function does not go with --data; use one"),
            (["--variables", "x1 real 0 1, x2 bit"], "x2 is a bit: pso takes reals alone"),
            (["--function", "sphere", "--objective", "x"], "--function does not go with --objective; use one"),
            (["--function", "qap"], "--function: pso does not take 'qap'; take ga"),
            (["--function", "qqap"], "--function: 'qqap' is not one of sphere, "),
            (["--chunk-rows", "64"], "give --data or one of the functions f6"),
            (["--exchange-topology", "ring", "--swarms", "3"], "--exchange-topology needs --exchange"),
            (["--rotate", "1", "--function", "f6"], "--rotate is for functions of reals without a table; f6 is a sum over rows"),
            (["--rotate", "1", "--dim", "513"], "--rotate is for up to 512 dimensions, not 513"),
            (["--rotate", "-1"], "--rotate: '-1' is not a whole number"),
            (["--stagnation-tolerance", "1e-6", "--iterations", "5"], "--stagnation-tolerance needs --stagnation or --restart"),
        ):
            with self.subTest(args=args):
                self.assertIn(words, self.fails(2, *HOST, *args))

    def test_options_win_over_what_a_configuration_says(self):
        config = self.file("run.ini", "[pso]\nfunction = rastrigin\nexchange-topology = ring\nstagnation-tolerance = 1e-9\n")
        document = json.loads(self.succeeds(*HOST, "--json", "--config", config, "--expr", SPHERE, *BOX, "--iterations", "5"))
        self.assertEqual(document["params"]["expr"], SPHERE)

    def test_data(self):
        good = "1,0,2\n0,1,3\n1,1,5\n"
        fields = self.fields("--data", self.file("good.csv", good), *BOX, "--iterations", "20")
        self.assertEqual(fields["dim"], 2)
        for name, text, words in (
            ("short.csv", "1,0,2\n0,1\n", "2"),
            ("nan.csv", "1,0,2\n0,nan,3\n", "2"),
            ("word.csv", "1,0,2\n0,one,3\n", "2"),
            ("empty.csv", "", "empty.csv"),
        ):
            with self.subTest(name):
                message = self.fails(1, *ANY, "--data", self.file(name, text), *BOX)
                self.assertIn(name, message)
                self.assertIn(words, message.replace(name, "", 1) if words == "2" else message)
        message = self.fails(2, *ANY, "--data", self.folder / "good.csv", "--dim", "3", *BOX)
        self.assertRegex(message, "dim 2.*not 3")
        self.assertIn("none.npy", self.fails(1, *ANY, "--data", self.folder / "none.npy", *BOX))

    def test_input_is_read_before_any_device_is_asked_for(self):
        for code, args, words in (
            (2, ["--expr", "sum(x[i]^2", *BOX], "column"),
            (2, ["--expr", SPHERE], "give --lower and --upper"),
            (2, ["--expr", "x[3]^2 + sum(x[i]^2)", *BOX, "--dim", "2"], "expression needs --dim 3 or more"),
            (2, ["--expr", "x[3]^2 + x[1]", *BOX, "--dim", "4"], "expression has dim 3, not --dim 4"),
            (2, ["--function", "rosenbrock", "--dim", "1"], "needs --dim 2"),
            (2, ["--function", "f6", "--dim", "3"], "f6 has dim 16, not --dim 3"),
            (2, ["--function", "f10", "--lower", "1001"], "the box is empty"),
            (1, ["--objective", self.folder / "none.clh", *BOX], "none.clh"),
            (1, ["--data", self.folder / "none.csv", "--objective", self.folder / "none.clh", *BOX], "none.clh"),
        ):
            with self.subTest(args=args):
                self.assertIn(words, self.fails(code, *ANY, *args))
                self.assertIn(words, self.fails(code, "tune", *ANY, *args))
                values = ",".join(f"pso.{name[2:]}={value}" for name, value in zip(args[::2], args[1::2]))
                self.assertIn(words, self.fails(code, "compare", "--device", "nosuch:7", "--set", values))

    def test_texts_leave_the_names_of_the_kernels_alone(self):
        """Each of these ran another search than without it, and passed its check."""
        text = ("#define SHAPE PER_DIMENSION\n#define TERMS 1\n{}\n"
                "static inline void objective_terms(real *term, real x, real next, uint d, uint dim) {{ term[0] = x * x; }}\n"
                "static inline real objective_finish(const real *sum, uint dim) {{ return sum[0]; }}\n")
        for name, line in (("BOUNDS", "#define BOUNDS 0"), ("LIMITED", "#define LIMITED 1"),
                           ("INITIAL_VELOCITY", "#define INITIAL_VELOCITY 2"), ("SCALAR_RANDOM", "#define SCALAR_RANDOM 1"),
                           ("ITEMS", "#define ITEMS 64"), ("WG", "#define \\\nWG 4"), ("real", "#define real float"),
                           ("<math.h>", "#include <math.h>"), ("OTHER", "#define OTHER <math.h>\n#include OTHER")):
            with self.subTest(name):
                path = self.file("named.clh", text.format(line))
                for command in (["pso", "--device", "nosuch:7,host"], ["compare", "--device", "nosuch:7"]):
                    given = {"compare": ["--set", f"pso.objective={path},pso.lower=-1,pso.upper=1"]}
                    message = self.fails(1, *command, *given.get(command[0], ["--objective", path, *BOX]))
                    number, after = 4 if name == "OTHER" else 3, "pso: " if command[0] == "compare" else ""
                    self.assertRegex(message, rf"\Ashoal: {after}named\.clh:{number}: [^\n]*{re.escape(name)}[^\n]*\n\Z")
        self.succeeds(*HOST, "--objective", self.file("named.clh", text.format("#define MY_WG 4 // not WG")), *BOX)

    def test_objective_that_does_not_compile(self):
        path = self.file("bad.clh", "#define SHAPE OPAQUE\nstatic inline real objective_value(const real *x, uint dim)\n"
                                    "{\n    return undeclared;\n}\n")
        done = shoal(*HOST, "--objective", path, *BOX)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertRegex(done.stderr.splitlines()[0], r"\Ashoal: .*bad\.clh")
        self.assertRegex(done.stderr, r"bad\.clh:4")
        self.assertIn("undeclared", done.stderr)
        message = self.fails(2, *HOST, "--expr", "sum(x[i]^2", *BOX)
        self.assertRegex(message, r"column|position \d+")

    def test_texts_are_compiled_before_devices(self):
        bad = self.file("bad.clh", "#define SHAPE OPAQUE\nstatic inline real objective_value(const real *x, uint dim)\n"
                                   "{\n    return undeclared;\n}\n")
        rows = self.file("rows.clh", "#define SHAPE DATA_ROWS\nstatic inline real objective_residual(const real *x, const real *row)\n"
                                     "{\n    real wide[COLUMNS == 3 ? 1 : -1];\n    return x[0] + row[COLUMNS] + no_name;\n}\n")
        table = self.file("table.csv", "1,2,3\n4,5,6\n")
        nowhere = ["--device", "nosuch:7"]
        for command, place in ((["pso", "--objective", bad, *BOX], "bad.clh:4"),
                               (["pso", "--objective", rows, "--data", table, "--dim", "2", *BOX], "rows.clh:5"),
                               (["tune", "pso", "--objective", bad, *BOX], "bad.clh:4"),
                               (["compare", "--set", f"pso.objective={bad},pso.lower=-1,pso.upper=1"], "bad.clh:4")):
            with self.subTest(command):
                done = shoal(*command, *nowhere)
                self.assertEqual((done.returncode, done.stdout), (4, ""), done.stderr)
                where, name = re.escape(place), place.partition(":")[0]
                line = rf"shoal: (pso: )?{name} does not compile: {where}: [^\n]*(undeclared|no_name)[^\n]*\n"
                self.assertRegex(done.stderr, rf"\A{line}\Z")
                # What the compiler said comes once, and only where that is asked for.
                done = shoal(*command, *nowhere, "-v")
                self.assertRegex(done.stderr, rf"\A{line}[^\n]+\n")
                self.assertEqual(len(re.findall(rf"{where}:\d+: error:", done.stderr)), 1, done.stderr)
        # The compiler is that of the run; where there is none, the run says so.
        run = ["pso", "--objective", bad, *BOX]
        compiler = self.file("compiler", "#!/bin/sh\necho 'bad.clh:4:1: error: mine'\nexit 1\n")
        compiler.chmod(0o755)
        self.assertEqual(self.fails(4, *run, *nowhere, env=environment(CC=str(compiler))),
                         "shoal: bad.clh does not compile: bad.clh:4: mine\n")
        self.assertIn("no device matches", self.fails(3, *run, *nowhere, env=environment(CC="/nonexistent")))
        self.assertIn('there is no program "/nonexistent"', self.fails(4, *run, "-dhost", env=environment(CC="/nonexistent")))
        # What is wrong with a file is a fault of the file, what is wrong with a formula one of the command line.
        self.assertIn("bad.clh:1: ", self.fails(1, "pso", "--objective", self.file("bad.clh", "#define WG 1\n"), *BOX, *nowhere))
        self.assertIn("expression, column 5: ", self.fails(2, "pso", "--expr", "sum(y[i])", *BOX, *nowhere))

    def test_a_brace_that_is_missing_is_one_of_the_text(self):
        text = "#define SHAPE OPAQUE\nstatic inline real objective_value(const real *x, uint dim)\n{\n    if (x[0] > R(0.0)) {\n    return x[0];\n}\n"
        device = self.needs_opencl()
        for where in "host", device, f"host,{device}":
            self.assertEqual(self.fails(1, "pso", "--device", where, "--objective", self.file("open.clh", text), *BOX),
                             "shoal: open.clh:3: the { of this line is not closed: a } is missing in the text behind it\n")
        self.assertEqual(self.fails(1, *HOST, "--objective", self.file("open.clh", text + "}\n}\n"), *BOX),
                         "shoal: open.clh:8: this } closes nothing: one is too many, or a { is missing before it\n")

    def test_texts_leave_the_names_of_a_kernel_folder_alone(self):
        text = "#define SHAPE OPAQUE\n#define MY_SIZE 3\nstatic inline real objective_value(const real *x, uint dim)\n{\n    return x[0];\n}\n"
        run = ["pso", "--objective", self.file("my.clh", text), *BOX, *SMALL, "--kernel-dir", self.folder / "cl"]
        (self.folder / "cl" / "pso" / "methods").mkdir(parents=True)
        self.succeeds(*run, "-dhost")
        (self.folder / "cl" / "pso" / "methods" / "fused.cl").write_text("#define MY_SIZE 4\n")
        message = self.fails(1, *run, "--device", "nosuch:7")
        self.assertEqual(message, "shoal: my.clh:2: MY_SIZE is a name of the kernels: choose another, such as MY_MY_SIZE\n")

    def test_values_that_are_not_finite(self):
        message = self.fails(6, *HOST, "--expr", "sum(sqrt(-1 - x[i]^2))", *BOX, *SMALL)
        self.assertIn("has no finite value: each of 672 evaluations", message)
        done = shoal(*HOST, "--json", "--expr", "sum(log(x[i]))", *BOX, *SMALL)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)["rows"][0]["result"]
        self.assertGreater(result["fields"]["not_finite"], 0)
        self.assertIn(f"{result['fields']['not_finite']} of 672 evaluations gave NaN", result["warning"])
        self.assertIn(result["warning"], done.stderr)
        done = shoal(*HOST, "--quiet", "--expr", "sum(log(x[i]))", *BOX, *SMALL)
        self.assertEqual(done.stderr, f"shoal: host: {result['warning']}\n")
        self.assertRegex(done.stdout, r"\ndevice: +host\n")

    def test_options_that_need_others(self):
        self.assertIn("--checkpoint-every needs --checkpoint", self.fails(2, *HOST, "--checkpoint-every", "5"))
        self.assertIn("--plot", self.fails(1, *HOST, "--plot", self.folder / "none" / "x.svg"))

    def test_a_resumed_run_compares_files_by_their_content(self):
        def data(name, seed):
            self.succeeds("data", "least-squares", "--dim", "3", "--rows", "20", "--seed", seed, "--out",
                          self.folder / name)
            return self.folder / name

        table, state = data("table.npy", "1"), self.folder / "state"
        whole = self.run_json("--data", table, *BOX, "--iterations", "20")["result"]
        self.run_json("--data", table, *BOX, "--iterations", "10", "--checkpoint", state)
        resume = ["--resume", state, "--iterations", "20"]
        self.assertEqual(self.run_json(*resume)["result"]["value"], whole["value"])
        moved = table.rename(self.folder / "moved.npy")
        self.assertIn("table.npy\", which cannot be read now", shoal(*resume).stderr)
        self.assertEqual(self.run_json(*resume, "--data", moved)["result"]["value"], whole["value"])
        data("table.npy", "2")
        self.assertIn("table.npy\" as it was before its content changed", self.fails(2, *resume))
        data("moved.npy", "2")
        self.assertIn("moved.npy\"", self.fails(2, *resume, "--data", moved))
        text = ("#define SHAPE OPAQUE\nstatic inline real objective_value(const real *x, uint dim)\n"
                "{{\n    return x[0] * x[0] + {};\n}}\n")
        objective = self.file("own.clh", text.format("dim"))
        self.run_json("--objective", objective, *BOX, "--iterations", "10", "--checkpoint", state)
        self.file("own.clh", text.format("x[0]"))
        self.assertIn("own.clh\" as it was before its content changed", self.fails(2, *resume))


class Instances(Pso):
    """Functions of the benchmark BBOB."""

    def test_an_instance_by_its_number(self):
        run = [*SMALL, "--function", "bbob-f5", "--dim", "3", "--success", "1e-3"]
        whole = self.run_json(*run, "--instance", "7", "--iterations", "200")
        self.assertEqual(whole["result"]["fields"]["function"], "bbob-f5 instance 7")
        # The minimum of a slope is a corner of the box, and the value there that of the instance.
        self.assertEqual({round(abs(x), 3) for x in whole["result"]["fields"]["position"]}, {5})
        self.assertAlmostEqual(whole["result"]["value"], round(whole["result"]["value"], 2), 3)
        self.assertEqual(self.fields(*run, "--instance", "7", "--iterations", "200", "--runs", "3")["successes"], 3)
        first, given = self.run_json(*run), self.run_json(*run, "--instance", "1")
        self.assertEqual(first["result"]["fields"]["function"], "bbob-f5 instance 1")
        self.assertEqual(first["result"]["value"], given["result"]["value"])
        self.assertNotEqual(first["result"]["value"], self.run_json(*run, "--instance", "2")["result"]["value"])

    def test_a_resumed_run_has_the_instance(self):
        state = self.folder / "state"
        run = [*SMALL, "--function", "bbob-f22", "--dim", "3", "--instance", "3"]
        whole = self.run_json(*run, "--iterations", "20")["result"]
        self.run_json(*run, "--iterations", "10", "--checkpoint", state)
        self.assertEqual(self.run_json("--resume", state, "--iterations", "20")["result"]["value"], whole["value"])
        self.fails(2, *HOST, "--resume", state, "--iterations", "20", "--instance", "4")

    def test_wrong_instances(self):
        for arguments, words in (
            (["--function", "bbob-f1", "--instance", "0"], "--instance: 0 is out of range; give 1 to 200000"),
            (["--function", "sphere", "--instance", "3"], "sphere has no numbered instances: bbob-f1 to bbob-f24 have them"),
            (["--function", "bbob-f1", "--dim", "50"], "bbob-f1 has 2 to 40 dimensions, 50 are asked for"),
            (["--expr", SPHERE, "--instance", "2", *BOX], "--instance does not go with --expr"),
        ):
            self.assertIn(words, self.fails(2, *HOST, *arguments))


if __name__ == "__main__":
    support.main()
