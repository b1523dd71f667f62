#!/usr/bin/env python3
"""shoal verify: passes on a healthy device, and sees one wrong line of a kernel."""

import json
import shutil
import tempfile
from pathlib import Path

import support
from support import Case, environment, optimised, shoal

KERNELS = Path(__file__).resolve().parents[2] / "cl"
WORKLOADS = ("pso", "ga", "gas", "tsp", "mlp")
# Rows of these run longer than an optimising compiler takes.
LONG = ("gas",)
# The mistakes of short kernels show within eight steps, of which the fifth ends with an exchange.
FEW = ("--steps", 8)
# What is verified, file, a line of it, what a careless edit makes of it, and rows that must fail. None of the others
# may, where `alone` says so: the kernel serves those rows only.
EDITS = {
    # A sign: the greater of two numbers is taken.
    "lib": ("lib/reduce.clh", "return b < a || a != a ? b : a;", "return b > a || a != a ? b : a;", {"lib.reduce min"}, True),
    # A sign: the worst neighbour leads.
    "pso": ("pso/methods/pipeline_best.cl", "if (value < *least ||", "if (value > *least ||", {"pso links", "pso ring"},
            True),
    # A sign: the best places are the worst.
    "pso on the chip": ("pso/methods/onchip_best.clh", "counted(value_of(", "counted(-value_of(", {"pso method=onchip"}, False),
    # An index: both children have the same parent.
    "ga": ("ga/methods/pipeline_vary.cl", "genes.b = x[place_of(shape, start + b, d)];",
           "genes.b = x[place_of(shape, start + a, d)];", {"ga crossover=uniform", "ga selection=roulette"}, False),
    # A sign: the worst move is the best.
    "ga local search": ("ga/methods/improve.cl", "at->value + (at->sign < R(0.0) ? -change : change)",
                        "at->value + (at->sign < R(0.0) ? change : -change)",
                        {"ga local-search=first", "ga local-search=best", "ga local-search=tabu"}, True),
    # A constant: the last city's neighbour is the second of the tour.
    "tsp": ("tsp/faco/faco_source.cl", "after_of[lid] = order[position + 1u == n ? 0u : position + 1u];",
            "after_of[lid] = order[position + 1u == n ? 1u : position + 1u];", {"tsp", "tsp metric=geo"}, False),
    # A sign: the best ant is taken for the worst.
    "tsp ants": ("tsp/ants/trails.cl", "own.length = -lengths[ant];", "own.length = lengths[ant];",
                 {"tsp algorithm=bwas"}, True),
    # A condition: no ant is taken but the best.
    "tsp merge": ("tsp/faco/merge.clh", "merge->is_out = has_room ^ 1u;", "merge->is_out = has_room ^ 1u ^ (base ? 1u : 0u);",
                  {"tsp merge"}, True),
    # An index: boxes of boxes leave their last one out.
    "tsp lists": ("tsp/model/neighbours.cl", "for (i++; i < end; i++)", "for (i++; i + 1u < end; i++)", {"tsp.lists points"}, True),
    # A sign: an end takes the farthest of the ends that it tries.
    "tsp greedy": ("tsp/improve/greedy.cl", "best == NO_END || key < least", "best == NO_END || key > least", {"tsp.greedy points"}, True),
    # A sign: the longest tour is the best.
    "ga tours": ("ga/methods/tours.cl", "counted((real)objective_value", "-counted((real)objective_value", {"ga.tours"}, True),
    # A sign: the minimiser climbs.
    "gas minimiser": ("gas/device/minimise.cl", "(wide)limit).limited, (wide)push);", "(wide)limit).limited, -(wide)push);",
                      {"gas minimised"}, True),
    # An index: the y of a velocity is its x.
    "gas observers": ("gas/device/observe.cl", "exchange_added(observed[OBSERVED_VELOCITY + 1], v.y TIMES_RATIO)",
                      "exchange_added(observed[OBSERVED_VELOCITY + 1], v.x TIMES_RATIO)", {"gas.observe sums later"}, True),
    # A factor left out: the derivative of the activation.
    "mlp": ("mlp/device/train_serial.cl", "to[j] *= tile[i * NR + j];", "to[j] = tile[i * NR + j];",
            {"mlp", "mlp optimiser=sgd", "mlp precision=fp64"}, False),
    # A sign.
    "mlp of a thesis": ("mlp/thesis/v1.cl", "delta += weights[k] * own.back", "delta -= weights[k] * own.back",
                        {"mlp method=v1"}, True),
    # An index: x for y.
    "gas": ("gas/methods/allpairs.cl", "sum_add(&total[t].y, (wide)targets.force_y[t]);",
            "sum_add(&total[t].y, (wide)targets.force_x[t]);", {"gas method=allpairs", "gas potential=log"}, False),
    # A sign: who leaves to the left enters the next box to the right.
    "gas borders": ("gas/model/advance.clh", "crossed = (shift > 0 && to < at) - (shift < 0 && to > at);",
                    "crossed = (shift > 0 && to < at) + (shift < 0 && to > at);", {"gas crossing"}, True),
}


class Verify(Case):
    def verify(self, env, *arguments):
        device = self.needs_opencl()
        # Hundreds of programs are compiled where nothing has been yet.
        done = shoal("verify", "--device", device, "--json", *arguments, env=env, timeout=1500)
        rows = json.loads(done.stdout)["rows"]
        self.assertTrue(rows)
        for row in rows:
            self.assertIn(row["result"], ("pass", "left out", "fail"))
            if row["result"] != "left out":
                # A deviation that is no number is null.
                is_near = row["deviation"] is not None and row["deviation"] <= row["tolerance"]
                self.assertEqual(is_near, row["result"] == "pass", row["what"])
        failed = {row["what"] for row in rows if row["result"] not in ("pass", "left out")}
        return done, failed, {row["what"]: row for row in rows}

    def with_edits(self, env, names, *what):
        """Kernels with these edits fail the rows that must fail, and no others where each edit is of its rows alone; those are
        all rows of `what`, or the rows that --only names."""
        folder = Path(tempfile.mkdtemp(dir=self.folder)) / "cl"
        shutil.copytree(KERNELS, folder)
        for name in names:
            file, before, after = EDITS[name][:3]
            text = (folder / file).read_text()
            self.assertIn(before, text)
            (folder / file).write_text(text.replace(before, after, 1))
        done, failed, rows = self.verify(env, *what, "--kernel-dir", folder)
        self.assertEqual(done.returncode, 6, done.stderr)
        wanted = set().union(*(EDITS[name][3] for name in names))
        self.assertLessEqual(wanted, failed)
        if all(EDITS[name][4] for name in names):
            self.assertEqual(failed, wanted)
        return rows

    @support.by_turn
    def test_lib_edited(self):
        self.assertIn("lib.sort serial", self.with_edits(environment(), ["lib"], "lib"))

    def test_tsp_lists_edited(self):
        self.with_edits(environment(), ["tsp lists"], "tsp.lists")

    def test_tsp_greedy_edited(self):
        self.with_edits(environment(), ["tsp greedy"], "tsp.greedy")

    def test_ga_tours_edited(self):
        self.with_edits(environment(), ["ga tours"], "ga.tours")

    def test_gas_observers_edited(self):
        self.with_edits(environment(), ["gas observers"], "gas.observe")

    def short(self):
        """What plain verify goes through, the library and the workloads, without the long ones; "optimise" names all algorithms."""
        known = self.fails(2, "verify", "nothing").partition(" is not one of ")[2].strip().split(", ")
        self.assertLessEqual({"lib", "optimise", *WORKLOADS}, set(known))
        return [name for name in known if "." not in name and name not in (*LONG, "optimise")]

    @support.in_full
    def test_passes(self):
        rows, chosen = {}, set(support.of_turn(dict.fromkeys([*LONG, *self.short()])))
        for env, names in ((optimised(), LONG), (environment(), self.short())):
            names = [name for name in names if name in chosen]
            if not names:
                continue
            done, failed, found = self.verify(env, *names)
            self.assertEqual((done.returncode, failed), (0, set()), done.stderr)
            rows |= found
        for workload in chosen.intersection(WORKLOADS):
            self.assertGreater(rows[workload]["compared"], 1)
        if "mlp" in chosen:
            # Few updates, where rounding is bounded.
            self.assertLess(rows["mlp"]["tolerance"], 1e-4)

    # To verify takes long, and no row meets two edits of one row: a run shows what each of them does. Texts without an edit
    # are those that test_passes has compiled. Of kernels that many rows use, one run of a few rows is enough.

    @support.in_full
    def test_only_the_rows_that_use_the_kernels_fail(self):
        cases = {"gas, one row": self.edits_of_gas, "gas, many rows": self.edits_of_many_rows_of_gas,
                 "others, one row": self.edits_of_others, "others, many rows": self.edits_of_many_rows_of_others}
        for name, edits in support.of_turn(cases).items():
            with self.subTest(name):
                edits()

    def edits_of_gas(self):
        self.with_edits(optimised(), ["gas minimiser", "gas borders"], *LONG)

    def edits_of_others(self):
        names = ["pso", "ga local search", "tsp ants", "tsp merge"]
        self.with_edits(environment(), names + (["mlp of a thesis"] if support.has_theses() else []), "pso", "ga", "tsp", "mlp", *FEW)

    def edits_of_many_rows_of_gas(self):
        rows = self.with_edits(optimised(), ["gas"], "--only", "gas method=allpairs,gas method=list,gas potential=log")
        self.assertEqual(rows["gas method=list"]["result"], "pass")
        self.assertEqual(len(rows), 3)

    def edits_of_many_rows_of_others(self):
        names = ["pso on the chip", "ga", "tsp", "mlp"]
        wanted = set().union(*(EDITS[name][3] for name in names))
        rows = self.with_edits(environment(), names, "--only", ",".join(sorted(wanted | {"pso method=thread"})))
        self.assertEqual(rows["pso method=thread"]["result"], "pass")
        self.assertEqual(set(rows), wanted | {"pso method=thread"})

    def test_only(self):
        device = self.needs_opencl()
        rows = json.loads(self.succeeds("verify", "lib", "-d", device, "--only", "lib.s?an serial,lib.reduce *min", "--json"))["rows"]
        self.assertEqual([row["what"] for row in rows], ["lib.reduce min", "lib.reduce argmin", "lib.scan serial"])
        message = self.fails(2, "verify", "lib", "-d", device, "--only", "lib.nothing")
        self.assertIn("--only: no row has the name 'lib.nothing'", message)
        # A name that is wrong beside one that is not; blanks do not count.
        message = self.fails(2, "verify", "lib", "-d", device, "--only", "lib.scan serial , lib.nothing ,")
        self.assertIn("--only: no row has the name 'lib.nothing';", message)
        self.assertNotIn("'lib.scan", message)
        self.assertIn("--only: there is no name in ' ,'", self.fails(2, "verify", "lib", "-d", device, "--only", " ,"))
        # Rows of a check: by their own names, with spaces in the list, and where the check is named as an operand.
        for words in (["tsp"], ["tsp.lists"], ["tsp", "tsp.lists"]):
            rows = json.loads(self.succeeds("verify", *words, "-d", device, "--only", " tsp.lists p* ,", "--json"))["rows"]
            self.assertEqual({row["what"] for row in rows}, {"tsp.lists points"}, words)
        # Where there is no device to compare, no name is wrong.
        done = support.shoal("verify", "--only", "lib.nothing", env=environment(OCL_ICD_VENDORS="/nonexistent", CUDA_VISIBLE_DEVICES=""))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("nothing was checked: there is no device but the host", done.stderr)


if __name__ == "__main__":
    support.main()
