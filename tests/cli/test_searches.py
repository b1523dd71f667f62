#!/usr/bin/env python3
"""pso and ga: what is found before a search, and how one is limited."""

import json
import math
import re
import signal
import subprocess

import support
from support import Case

GENES = """#define SHAPE OPAQUE
#define VARIABLES "x1-x2 real -5 5"
static inline real objective_value(GENOME, uint dim)
{
    return GENE(0) * GENE(0)
        + GENE(2);
}
"""
ROWS = """#define SHAPE DATA_ROWS
static inline real objective_residual(const real *x, const real *row)
{
    return row[1] - x[0] * row[0] - x[2];
}
"""
MEMBERS = """#define SHAPE OPAQUE
struct state { real x[9]; };
static inline real objective_value(const real *x, uint dim)
{
    struct state own, *at = &own;
    own.x[7] = x[0];
    at->x[8] = x[0];
    return own.x[7] * at->x[8] + x[1] * x[1];
}
"""

HOST = ["pso", "--device", "host"]
BOX = ["--lower", "-5", "--upper", "5"]
SLOW = """#define SHAPE OPAQUE
static inline real objective_value(const real *x, uint dim)
{
    real sum = R(0.0);
    uint i;
    for (i = 0; i < 10000000u; i++)
        sum = sum * R(0.999999) + x[0] * R(1e-7);
    return sum * sum;
}
"""


class Search(Case):
    def devices(self):
        return ["host", *(device["id"] for device in support.opencl_devices()[:1])]


class Bounds(Search):
    """Indices of a text that is out of bounds would read what is not the point's."""

    def test_genes(self):
        text = self.file("my.clh", GENES)
        for device in self.devices():
            self.assertIn("my.clh:6: there is no GENE(2): the variables have GENE(0) to GENE(1)",
                          self.fails(1, "ga", "--objective", text, "--device", device, "--iterations", 3))
        self.file("my.clh", GENES.replace("GENE(2)", "GENE(1)"))
        for device in self.devices():
            self.succeeds("ga", "--objective", text, "--device", device, "--population", 16, "--iterations", 3)

    def test_members_of_the_same_name_are_other_arrays(self):
        text = self.file("my.clh", MEMBERS)
        self.succeeds("pso", "--objective", text, "--dim", 2, *BOX, "--device", "host", "--iterations", 3)
        self.file("my.clh", MEMBERS.replace("+ x[1]", "+ x[2]"))
        self.assertIn("my.clh:8: there is no x[2]: the last one is x[1]",
                      self.fails(1, "pso", "--objective", text, "--dim", 2, *BOX, "--device", "host", "--iterations", 3))

    def test_rows(self):
        text, data = self.file("my.clh", ROWS), self.file("my.csv", "1,2\n2,4\n3,6\n")
        search = ["pso", "--objective", text, "--data", data, "--lower", -5, "--upper", 5, "--iterations", 3]
        for device in self.devices():
            self.assertIn("my.clh:4: there is no x[2]: the last one is x[1]",
                          self.fails(1, *search, "--dim", 2, "--device", device))
            self.succeeds(*search, "--dim", 3, "--device", device)


class Cuts(Search):
    """Steps of the host that would take hours end at once: each of these cases ends at all."""

    TABU = ["ga", "--device", "host", "--function", "nk", "--dim", 400, "--local-search", "tabu", "--local-steps", 1048576,
            "--json"]

    def row(self, text):
        return json.loads(text)["rows"][0]["result"]

    def test_a_local_search(self):
        done = support.shoal(*self.TABU, "--time", 0.5)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the time limit came before the end of the first step on host, which was dropped", done.stderr)
        result = self.row(done.stdout)
        self.assertEqual((result["steps"], result["fields"]["end"]), (0, "time"))

    def test_a_tour(self):
        points = self.file("points.csv", "".join(f"{(i * 7919) % 10007},{(i * 104729) % 10009}\n" for i in range(1000)))
        done = support.shoal("ga", "--device", "host", "--function", "tour", "--data", points, "--local-search", "best",
                             "--moves", "3-opt", "--population", 1000, "--json", "--time", 0.5)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.row(done.stdout)["fields"]["end"], "time")

    def test_a_signal(self):
        process = subprocess.Popen([support.SHOAL, *map(str, self.TABU), "--iterations", "5", "--progress", "yes"],
                                   env=support.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        support.wait_for_work(process)
        process.send_signal(signal.SIGTERM)
        text, _ = process.communicate(timeout=250)
        self.assertEqual(process.returncode, 143)
        self.assertEqual(json.loads(text)["rows"][0]["status"], "stopped")

    def test_first_points(self):
        text = self.file("slow.clh", SLOW)
        state = self.folder / "state"
        search = ["pso", "--device", "host", "--objective", text, "--lower", -1, "--upper", 1, "--dim", 2, "--particles", 100000,
                  "--time", 0.5, "--json"]
        done = support.shoal(*search)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the time limit came before the first step on host", done.stderr)
        result = self.row(done.stdout)
        self.assertLess(result["work"], 100000)
        done = support.shoal(*search, "--checkpoint", state)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("no checkpoint is written: the search was stopped before all of its first points had values", done.stderr)
        self.assertFalse(state.exists())


class Presets(Search):
    def test_an_option_wins_over_the_preset(self):
        self.need_theses()
        small = ["--device", "host", "--function", "sphere", "--dim", 4, "--population", 16, "--iterations", 5, "--json"]
        for option, values in {"mutation": ["none", "uniform"], "crossover": ["none", "average"], "bounds": ["clamp"], "exchange": ["0"],
                               "migration": ["epochs"], "random": ["philox"]}.items():
            for value in values:
                for words in (["--preset", "thesis", f"--{option}", value], [f"--{option}", value, "--preset", "thesis"]):
                    with self.subTest(words=words):
                        done = support.shoal("ga", *words, *small)
                        self.assertEqual(done.returncode, 0, done.stderr)
                        params = json.loads(done.stdout)["params"]
                        self.assertEqual(str(params[option]), value)
        params = json.loads(self.succeeds("ga", "--preset", "thesis", "--mutation", "none", *small))["params"]
        self.assertEqual((params["selection"], params["migrants"], params["exchange"]), ("own", 2, 5))


class Large(Search):
    """Steps of many members leave the pattern search its part of the evaluations."""

    def test_last_step(self):
        for program, size in (("pso", "--particles"), ("ga", "--population")):
            for members, steps in ((20000, 3), (50000, 0), (60, 1499), (100, 899)):
                with self.subTest(program=program, members=members):
                    got = json.loads(self.succeeds(program, "--function", "rastrigin", "--dim", "10", size, members, "--evaluations",
                                                   "100000", "--device", "host", "--json"))["rows"][0]["result"]
                    self.assertEqual(got["steps"], steps)
                    self.assertGreater(got["fields"]["refined"], 100)


class Apart(Search):
    """A run that its limit ended while its members were far from one another says so."""

    def test_of_each_kind_on_each_device(self):
        mixed = ["--expr", "sum((x[i]-2.5)^2)", "--variables", "x1-x4 real -5 5,x5-x8 integer 0 9,x9-x12 bit"]
        for words, line in ((["pso", "--function", "rastrigin"], r"still [0-9.]+ % of the box apart"),
                            (["ga", "--function", "rastrigin"], r"still [0-9.]+ % of the box apart"),
                            (["ga", "--function", "onemax", "--dim", "60"], r"still differ in [0-9.]+ % of their genes"),
                            (["ga", "--expr", "sum(x[i]*i)", "--variables", "x1-x20 order"], r"still differ in [0-9.]+ % of their genes"),
                            (["ga", *mixed], r"still [0-9.]+ % of the box apart and differ in [0-9.]+ % of the other genes")):
            with self.subTest(words=words):
                devices = ["host", self.needs_opencl()]
                document = json.loads(self.succeeds(*words, "--iterations", "3", "--precision", "fp64", "--json",
                                                    "--device", ",".join(devices)))
                rows = [row["result"]["fields"] for row in document["rows"]]
                self.assertEqual(len(rows), 2)
                for fields in rows:
                    self.assertRegex(fields["unconverged"], r"^ended by iterations, members " + line + "; more --iterations")
                self.assertAlmostEqual(rows[0]["apart"], rows[1]["apart"], delta=0.02)

    def test_text_and_check(self):
        text = self.succeeds("pso", "--function", "rastrigin", "--iterations", "3", "--device", "host")
        self.assertRegex(text, r"unconverged: +ended by iterations, members still [0-9.]+ % of the box apart")
        self.assertIn("not that it is the least", " ".join(text.split()))

    def test_minimum_that_is_known(self):
        for program in ("pso", "ga"):
            document = json.loads(self.succeeds(program, "--function", "rosenbrock", "--dim", "10", "--iterations", "100", "--device",
                                                "host", "--json"))["rows"][0]["result"]
            self.assertLess(document["value"], 1e-8)
            self.assertGreater(document["fields"]["apart"], 0.05)
            self.assertNotIn("unconverged", document["fields"])

    def test_together(self):
        for program in ("pso", "ga"):
            fields = json.loads(self.succeeds(program, "--function", "sphere", "--dim", "2", "--evaluations", "20000", "--device",
                                              "host", "--json"))["rows"][0]["result"]["fields"]
            self.assertNotIn("unconverged", fields)
            self.assertLess(fields["apart"], 1e-3)


class Names(Search):
    """Formulas use the names of the list of variables."""

    def position(self, *args):
        return json.loads(self.succeeds(*args, "--iterations", 100, "--json"))["rows"][0]["result"]["fields"]["position"]

    def test_reals(self):
        for device in self.devices():
            for command in "pso", "ga":
                named, numbered = (self.position(command, "--device", device, "--expr", formula, "--variables", "a real -5 5, b real 0 3")
                                   for formula in ("(a*2+b)^2+(b-1)^2", "(x[1]*2+x[2])^2+(x[2]-1)^2"))
                self.assertEqual(named, numbered)

    def test_kinds(self):
        variables = "x1-x3 bit, n integer 2 5, x real 1 2"
        for device in self.devices():
            search = ["ga", "--device", device, "--variables", variables, "--maximise"]
            named = self.position(*search, "--expr", "x3*2+n+x1+x-x2+sum(0*x[i])")
            self.assertEqual(named[:4], [1, 0, 1, 5])
            self.assertAlmostEqual(named[4], 2, places=4)
            self.assertEqual(named, self.position(*search, "--expr", "x[3]*2+x[4]+x[1]+x[5]-x[2]+sum(0*x[i])"))
        self.assertIn('expression, column 1: "x4" is no name', self.fails(2, "ga", "--device", "host", "--variables", variables, "--expr", "x4+n"))


class Mistakes(Search):
    """What is given does not fit the problem: the line says what is due."""

    def setUp(self):
        super().setUp()
        self.line = ["pso", "--device", "host", "--data", self.file("line.csv", "t,y\n1,2\n2,3\n3,5\n"), "--model", "a*t+b",
                     "--fit", "a=-5:5,b=-5:5"]

    def test_a_number_for_a_column(self):
        self.assertIn("--target 2 is a value: for column 2 take --target-column 2", self.fails(2, *self.line, "--target", 2))
        self.succeeds(*self.line, "--target-column", 2)

    def test_start_points(self):
        fit = [*self.line, "--target", "y"]
        self.assertIn("a point of --start has 1 number, 2 are needed: a, b", self.fails(2, *fit, "--start", "1"))
        self.assertIn("start point 1: b is 7, outside the box, -5 to 5", self.fails(2, *fit, "--start", "1,7"))
        self.assertIn("a point of --start has 2 numbers, --dim is 3: give one for each dimension",
                      self.fails(2, "pso", "--device", "host", "--function", "sphere", "--dim", 3, "--start", "1,2"))
        self.assertIn("start point 2: x[2] is 9, outside the box", self.fails(2, "pso", "--device", "host", "--function", "sphere",
                                                                        "--start", "1,2;3,9"))

    def test_a_table_that_is_read_whole_needs_a_dim(self):
        text = self.file("my.clh", "#define SHAPE OPAQUE\n#define TABLE\nstatic inline real objective_value(const real *x, "
                         "__global const real *table, uint dim)\n{\n    return x[0] * ELEMENT(table, 0, 0);\n}\n")
        search = ["pso", "--device", "host", "--objective", text, "--data", self.file("my.csv", "1\n2\n"), "--lower", -1, "--upper", 1]
        self.assertIn("my.clh: the dim of x does not follow from the table: give it (--dim)", self.fails(1, *search))
        self.succeeds(*search, "--dim", 1)

    def test_a_box_that_is_one_number_in_single_precision(self):
        for command in "pso", "ga":
            search = [command, "--expr", "(x[1]-1)^2", "--lower", 100000001, "--upper", 100000002, "--iterations", 5]
            self.succeeds(*search, "--device", "host")
            device = self.needs_opencl()
            self.assertIn("the ends of the range of x[1], 100000001 and 100000002, are one number in single precision: give "
                          "--precision fp64", self.fails(2, *search, "--device", device, "--precision", "fp32"))
            self.succeeds(*search, "--device", device, "--precision", "fp64")


class Devices(Search):
    """Of several devices the best row is shown whole."""

    def check(self, *args, best):
        run = ["pso", "--device", f"{self.needs_opencl()},host", "--dim", "3", *BOX, "--iterations", "7", *args]
        rows = json.loads(self.succeeds(*run, "--json"))["rows"]
        value = best(row["result"]["value"] for row in rows)
        row = next(row for row in rows if row["result"]["value"] == value)
        text = self.succeeds(*run)
        shown = re.findall(r"(?m)^best: (\S+), value \S+\n(?:.+\n)*position: +(.+)", text)
        self.assertEqual([name for name, _ in shown], [row["device"]], text)
        position = row["result"]["fields"]["position"]
        for number, right in zip(shown[0][1].split(), position):
            self.assertAlmostEqual(float(number), right, 5)
        self.assertEqual(text.count("position:"), 1)
        self.assertEqual(self.succeeds(*run, "-v").count("position:"), 2)

    def test_the_least(self):
        self.check("--function", "rastrigin", best=min)

    def test_the_greatest(self):
        self.check("--expr", "sum(x[i]^2 - 3*sin(5*x[i]))", "--maximise", best=max)

    def test_a_fit_has_parameters_and_errors(self):
        table = self.folder / "table.csv"
        table.write_text("t,y\n" + "".join(f"{t},{3 * t + 1 + (-1) ** t / 100}\n" for t in range(9)))
        text = self.succeeds("pso", "--device", f"{self.needs_opencl()},host", "--data", table, "--model", "a*t + b", "--fit",
                             "a=0:5,b=0:5", "--target", "y")
        self.assertRegex(text, r"(?m)^best: \S+, value \S+\n")
        self.assertRegex(text, r"(?m)^a +\d\.\d+ +0\.00\d+ +0 to 5")


class Fixed(Search):
    """Equal bounds fix a variable."""

    BOX = ["--lower", "1,0,2", "--upper", "1,3,2", "--dim", 3, "--json"]

    def test_searches(self):
        searches = [["pso", "--bounds", bounds] for bounds in ("reflect", "bounce", "periodic")]
        searches += [["ga"], ["ga", "--mutation", "gaussian", "--bounds", "reflect"], ["pso", "--polish", 200], ["ga", "--method", "pipeline"]]
        for device in self.devices():
            for search in searches[:-1] if device == "host" else searches:
                with self.subTest(device=device, search=search):
                    result = json.loads(self.succeeds(*search, *self.BOX, "--function", "sphere", "--device", device,
                                                      "--iterations", 100))["rows"][0]["result"]
                    position = result["fields"]["position"]
                    self.assertEqual((position[0], position[2]), (1, 2))
                    self.assertTrue(0 <= position[1] < 0.2, position)
                    self.assertAlmostEqual(result["value"], 5, places=1)

    def test_variables(self):
        text = self.succeeds("ga", "--device", "host", "--expr", "(x[1]-3)^2+x[2]", "--variables", "a real 2 2, b integer 1 4",
                             "--iterations", 20, "--json")
        self.assertEqual(json.loads(text)["rows"][0]["result"]["fields"]["position"], [2, 1])

    def test_refused(self):
        for command, bounds in ("pso", "invisible"), ("pso", "unbounded"), ("ga", "penalty"), ("ga", "unbounded"):
            self.assertIn(f"equal bounds fix x[1], but --bounds {bounds} lets variables leave the box",
                          self.fails(2, command, "--device", "host", "--function", "sphere", *self.BOX, "--bounds", bounds,
                                     *(["--crossover", "sbx", "--mutation", "gaussian"] if command == "ga" else [])))
        for command in "pso", "ga":
            self.assertIn("the bounds of each variable are equal, which fixes all of them: there is nothing to search",
                          self.fails(2, command, "--device", "host", "--function", "sphere", "--lower", 2, "--upper", 2))

    def test_a_fit(self):
        t, y = [1, 2, 3, 4, 5], [2.1, 3.9, 6.2, 7.8, 10.1]
        data = self.file("line.csv", "t,y\n" + "".join(f"{a},{b}\n" for a, b in zip(t, y)))
        # y - 1/2 = a t by hand: of 5 rows with one parameter that varies 4 degrees of freedom are left.
        squares = sum(a * a for a in t)
        slope = sum(a * (b - 0.5) for a, b in zip(t, y)) / squares
        rest = sum((b - 0.5 - slope * a) ** 2 for a, b in zip(t, y))
        for device in self.devices():
            done = self.succeeds("pso", "--device", device, "--data", data, "--model", "a*t+b", "--fit", "a=-5:5,b=0.5:0.5",
                                 "--target", "y", "--json")
            fit = json.loads(done)["rows"][0]["fit"]
            a, b = fit["parameters"]
            self.assertAlmostEqual(a["value"], slope, places=9)
            self.assertAlmostEqual(a["error"], math.sqrt(rest / 4 / squares), places=9)
            self.assertEqual((b["value"], b["error"], b["at_bound"]), (0.5, 0, None))


class Box(support.Pso):
    BOWL = ["--expr", "(x[1] - 1)^2 + (x[2] + 2)^2 + (x[3] - 0.5)^2"]
    LISTS = ["--lower", "0,-5,-pi", "--upper", "5, 2*2, pi/2"]
    FEW = ["--particles", "12", "--iterations", "30"]

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def test_bounds_of_each_dimension(self):
        fields = self.fields(*self.BOWL, *self.LISTS, *self.FEW)
        self.assertEqual(fields["dim"], 3)
        tables = ["--lower", self.file("lower.csv", f"0\n-5\n{-math.pi!r}\n"), "--upper", self.file("upper.csv", f"5,4,{math.pi / 2!r}\n")]
        self.assertEqual(self.fields(*self.BOWL, *tables, *self.FEW), fields)
        # The optimum is outside in the second dimension.
        position = self.fields(*self.BOWL, "--lower", "0,1,0", "--upper", "5", "--bounds", "clamp", "--iterations", "300")["position"]
        self.assertEqual(position[1], 1)
        self.assertAlmostEqual(position[0], 1, places=4)

    def test_start_points(self):
        start = [*self.BOWL, "--lower", "-5", "--upper", "5", "--particles", "12", "--iterations", "1"]
        table = self.file("start.csv", "4,4,4\n1,-2,0.5\n")
        for points in ("4,4,4; 1,-2,1/2", table):
            row = self.run_json(*start, "--start", points)
            self.assertEqual((row["result"]["value"], row["result"]["fields"]["position"]), (0, [1, -2, 0.5]))
        # Each of several runs has them.
        runs = self.fields(*start, "--start", "1,-2,0.5", "--runs", "3", "--swarms", "2")
        self.assertEqual(runs["run_values"], [0, 0, 0])
        device = self.needs_opencl()
        document = json.loads(self.succeeds("pso", "--device", device, "--json", *start, "--start", table))
        self.assertEqual(document["rows"][0]["result"]["value"], 0)

    def test_resumed(self):
        """The checkpoint keeps bounds and start points; files may have moved, but not changed."""
        state, moved = self.folder / "state", self.folder / "moved.csv"
        lower = self.file("lower.csv", "0,-5,-3\n")
        run = [*self.BOWL, "--lower", lower, "--upper", "5", "--start", "4,4,4", "--particles", "12"]
        whole = self.run_json(*run, "--iterations", "60")
        self.succeeds(*HOST, *run, "--iterations", "30", "--checkpoint", state)
        resumed = json.loads(self.succeeds("pso", "--json", "--resume", state, "--iterations", "60"))["rows"][0]
        self.assertEqual(resumed["result"]["value"], whole["result"]["value"])
        moved.write_bytes((self.folder / "lower.csv").read_bytes())
        self.succeeds("pso", "--resume", state, "--lower", moved, "--iterations", "60")
        self.assertIn("not \"0,-5,-2\"", self.fails(2, "pso", "--resume", state, "--lower", "0,-5,-2", "--iterations", "60"))

    def test_wrong_lists(self):
        for arguments, message in (
            (["--lower", "0,1", "--upper", "5,5,5"], "--upper has 3 numbers, --lower 2: give one for each dimension"),
            (["--lower", "0,1", "--upper", "5", "--dim", "3"], "--lower has 2 numbers, --dim is 3: give one for each dimension"),
            (["--lower", "0,one,2", "--upper", "5"], "--lower: 'one' is no number: "),
            (["--lower", "0,0,6", "--upper", "5"], "the box is empty in dimension 3: --lower 6 is above --upper 5"),
            ([*BOX, "--start", "0,0,7"], "start point 1: x[3] is 7, outside the box, -5 to 5"),
            ([*BOX, "--start", "0,0"], "a point of --start has 2 numbers, 3 are needed"),
            ([*BOX, "--start", "0,0,0;1,1,1", "--particles", "1"], "there are 2 start points for 1 particles"),
            ([*BOX, "--start", "nosuch.csv"], "nosuch.csv"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.fails(1 if arguments[-1] == "nosuch.csv" else 2, *HOST, *self.BOWL, *arguments))


class Landscape(Search):
    """Contours and the path of the best: drawn places are those of the search."""

    def places(self, path):
        return [(float(x), float(y)) for x, y in re.findall(r'<circle [^>]*cx="([\d.]+)" cy="([\d.]+)"', path.read_text())]

    def test_the_path_ends_at_the_result(self):
        for device in self.devices():
            for algorithm, more, axes in (("pso", ["--shift", "1", "--rotate", "2"], None), ("cmaes", ["--runs", "3"], (3, 1)),
                                          ("de", ["--maximise"], (2, 3))):
                with self.subTest(device=device, algorithm=algorithm):
                    path = self.folder / "landscape.svg"
                    words = ["--landscape-axes", "{},{}".format(*axes)] if axes else []
                    text = self.succeeds(algorithm, "--device", device, "--json", "--function", "sphere", "--dim", "3", *BOX,
                                         "--iterations", "30", "--refine", "none", "--landscape", path, *words, *more)
                    position = json.loads(text)["rows"][0]["result"]["fields"]["position"]
                    x, y = (position[axis - 1] for axis in axes or (1, 2))
                    drawn, last = path.read_text(), self.places(path)[-1]
                    self.assertAlmostEqual(last[0], 84 + 752 * (x + 6) / 12, delta=0.11)
                    self.assertAlmostEqual(last[1], 430 - 386 * (y + 6) / 12, delta=0.11)
                    self.assertEqual(drawn.count('class="curve line5"'), 8)
                    self.assertIn(">x{}<".format(axes[0] if axes else 1), drawn)
                    self.assertGreater(len(self.places(path)), 1)

    def test_what_is_refused(self):
        path = self.folder / "a.svg"
        for words, message in (
            (["--dim", "1"], "--landscape: draws two coordinates, and the search has one"),
            (["--dim", "3", "--landscape-axes", "1,4"], "--landscape-axes: '1,4' does not name two coordinates of the search"),
            (["--dim", "3", "--landscape-axes", "2,2"], "--landscape-axes: '2,2' does not name two coordinates"),
            (["--dim", "3", "--landscape-axes", "x"], "--landscape-axes: 'x' does not name two coordinates"),
            (["--dim", "3", "--split"], "--landscape: draws runs on one device, without --split"),
        ):
            self.assertIn(message, self.fails(2, *HOST, *words, "--landscape", path))
        genes = ["ga", "--device", "host", "--function", "onemax", "--dim", "8", "--landscape", path]
        self.assertIn("draws two real coordinates; the search has coordinates of other kinds", self.fails(2, *genes))
        self.assertIn("charts are written as SVG", self.fails(2, *HOST, "--dim", "2", "--landscape", self.folder / "a.png"))
        self.assertIn("--landscape-axes needs --landscape", self.fails(2, *HOST, "--dim", "2", "--landscape-axes", "1,2"))


if __name__ == "__main__":
    support.main()
