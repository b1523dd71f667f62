#!/usr/bin/env python3
"""Measures how good the answers of `shoal pso` are, over many seeds, and writes the page about it.

usage: quality.py run SHOAL [--device ID] [--runs N] [--evaluations N] [--functions LIST] [--parts LIST]
                            [--precision NAME] [--out FILE.json]
       quality.py defaults SHOAL ...       settings of optimise and its algorithms beside each other: see quality_defaults.py
       quality.py evaluations SHOAL ...    evaluations that settings need in 30 dimensions: see quality_evaluations.py
       quality.py bbob SHOAL ...           the benchmark BBOB: see quality_bbob.py
       quality.py constraints SHOAL ...    the functions of CEC 2006: see quality_constraints.py
       quality.py time SHOAL ...           what is found within seconds: see quality_time.py
       (peers/same_time.py SHOAL)         beside other programs for the same time: see quality_time.py
       quality.py page [FILE.json...] [--out FILE.md] [--check]

`run` makes cells of N independent runs (1000) in dimension 30 with 300,000 evaluations each. Parts:
    methods     every built-in function with every update and every topology
    reference   SPSO-2011 with 40 particles and 3 random informants, synchronous and asynchronous
    strategies  restarts, islands, both, and polish beside one plain swarm at equal evaluations, all of them and a
                tenth, compared with the two-sided rank-sum test of Mann and Whitney (normal approximation with ties:
                at least 20 runs)
A run succeeds when its returned position, evaluated again in double precision, lies within 1e-8 of the minimum.

`page` makes docs/quality.md from such files, by default those that the page names already; with --check it only tells
whether the page is what they say.

File format, schema 1: {"schema", "kind": "quality", "commit", "date", "command", "device": {"id", "name", "driver"},
"runs", "evaluations", "dim", "precision", "cells": [{"part", "function", "topology", "update", "strategy", "budget",
"lower", "upper", "arguments": [...], "successes", "success_rate", "success_rate_error", "expected_evaluations", "mean",
"mean_error", "min", "q05", "q25", "median", "q75", "q95", "max", "evaluations", "method", "seconds", "p", "better"}]}
and "skipped": [{"part", "function", "topology", "update", "strategy", "budget", "reason"}] for cells that the device cannot
do. There budget is the most evaluations a run may take, and p and better, the share of pairs of runs in which the strategy beat the plain swarm (ties count half), are null
but for strategies.
"""
import argparse
import datetime
import difflib
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

import quality_bbob
import quality_constraints
import quality_defaults
import quality_evaluations
import quality_time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DIM = 30
SWARM = 40
# The box of the published figures; the others keep the customary one.
BOXES = {"ackley": (-32.768, 32.768), "griewank": (-600, 600), "rastrigin": (-5.12, 5.12), "rosenbrock": (-30, 30),
         "schwefel": (-500, 500)}
FUNCTIONS = ("sphere", "ellipsoid", "rosenbrock", "rastrigin", "ackley", "griewank", "schwefel", "styblinski-tang")
UPDATES = ("inertia", "linear", "constriction", "spso2011", "fips")
TOPOLOGIES = ("global", "ring", "von-neumann", "random")
PARTS = ("methods", "reference", "strategies")
# SPSO-2011 with S = 40, K = 3 over 400 runs: (figure, value, its standard error) asynchronous, then synchronous.
REFERENCE = {"rastrigin": (("mean", 24.5, 0.4), ("mean", 25.0, 0.4)),
             "ackley": (("success_rate", 0.41, 0.025), ("success_rate", 0.35, 0.024)),
             "griewank": (("success_rate", 0.54, 0.025), ("success_rate", 0.51, 0.025)),
             "rosenbrock": (("median", 13.1, None), ("median", 17.8, None)),
             "schwefel": (("mean", 4643, 30), ("mean", 4662, 31))}
STATISTICS = ("successes", "success_rate", "success_rate_error", "expected_evaluations", "mean", "mean_error", "min",
              "q05", "q25", "median", "q75", "q95", "max")
# What is spent on each strategy: particles in all swarms of a run, part of the evaluations left to the polish.
STRATEGIES = {"plain": (1, 0, []),
              "restart": (1, 0, ["--restart", "300"]),
              "islands": (8, 0, ["--swarms", "8", "--exchange", "100"]),
              "islands and restart": (8, 0, ["--swarms", "8", "--exchange", "100", "--restart", "300"]),
              "polish": (1, 0.2, []),
              "restart and polish": (1, 0.2, ["--restart", "300"])}


class Problem(Exception):
    pass


def rank_sum(ours, theirs):
    """Two-sided p of Mann and Whitney, and the share of pairs in which ours is less (ties half)."""
    n, m = len(ours), len(theirs)
    pooled = sorted([(value, 0) for value in ours] + [(value, 1) for value in theirs])
    ranks, ties, begin = 0.0, 0.0, 0
    while begin < n + m:
        end = begin
        while end < n + m and pooled[end][0] == pooled[begin][0]:
            end += 1
        count = end - begin
        ranks += (begin + end + 1) / 2 * sum(1 for _, side in pooled[begin:end] if side == 0)
        ties += count ** 3 - count
        begin = end
    u = ranks - n * (n + 1) / 2  # pairs in which ours is greater, ties half
    variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
    better = 1 - u / (n * m)
    if variance <= 0:
        return 1.0, better
    z = max(0.0, abs(u - n * m / 2) - 0.5) / math.sqrt(variance)
    return math.erfc(z / math.sqrt(2)), better


def box(function):
    return [f"--{side}={value}" for side, value in zip(("lower", "upper"), BOXES.get(function, ()))]


def swarm(budget, swarms=1, spare=0.0, bounds="reflect"):
    """Options of one run of SWARM particles a swarm with all evaluations of the budget but `spare` of them."""
    polish = int(spare * budget)
    steps = (budget - polish) // (SWARM * swarms) - 1  # the first positions are evaluated too
    if steps < 1:
        raise Problem(f"{budget} evaluations are too few for {swarms} swarms of {SWARM} particles")
    return (["--dim", str(DIM), "--particles", str(SWARM), "--iterations", str(steps), "--bounds", bounds]
            + (["--polish", str(polish)] if polish else []))


def cells(options):
    """(part, function, topology, update, strategy, budget, arguments) of every cell."""
    whole = options.evaluations
    for function in options.functions:
        if "methods" in options.parts:
            for update in UPDATES:
                for topology in TOPOLOGIES:
                    yield "methods", function, topology, update, "plain", whole, swarm(whole)
        if "reference" in options.parts and function in REFERENCE:
            informed = swarm(whole, bounds="bounce") + ["--neighbours", "3"]
            yield "reference", function, "random", "spso2011", "asynchronous", whole, informed + ["--batch", "1"]
            yield "reference", function, "random", "spso2011", "synchronous", whole, informed
        if "strategies" in options.parts:
            for budget in (whole, whole // 10):
                for strategy, (swarms, spare, more) in STRATEGIES.items():
                    yield ("strategies", function, "global", "inertia", strategy, budget,
                           swarm(budget, swarms, spare) + more)


def call(command, environment=None):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    if done.returncode:
        raise Problem(f"{shlex.join(command)}: exit code {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def measure(options, index, cell):
    part, function, topology, update, strategy, budget, arguments = cell
    # No two cells share seeds: the test asks for independent samples.
    arguments = ["--function", function, *box(function), "--topology", topology, "--update", update, *arguments,
                 "--precision", options.precision, "--success", "1e-8", "--runs", str(options.runs),
                 "--seed", str(1 + index * 1000000)]
    answer = call([options.shoal, "pso", "--json", "--device", options.device, *arguments])
    row, device = answer["rows"][0], answer["devices"][0]
    fields = row["result"]["fields"]
    figures = {name: fields.get(name) for name in STATISTICS}
    figures.update(evaluations=row["result"]["work"] + fields.get("polish", 0), method=fields.get("method"),
                   seconds=row["wall_s"] + row["first_launch_s"], p=None, better=None)
    lower, upper = BOXES.get(function, (None, None))
    return device, fields["run_values"], dict(part=part, function=function, topology=topology, update=update,
                                              strategy=strategy, budget=budget, lower=lower, upper=upper,
                                              arguments=arguments, **figures)


def record_of(options, kind, workload, program="bench/quality.py", **more):
    """The head of a record, without cells."""
    # Of the program that is measured: the tree around this script may be another, or none.
    commit = call([options.shoal, "bench", "--list", "--json", "--filter", workload])["commit"]
    command = [os.path.basename(word) if word in (options.shoal, options.out) else word for word in sys.argv[1:]]
    return {"schema": 1, "kind": kind, "commit": commit,
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "command": shlex.join([program, *command]), "device": None, **more, "cells": []}


def run(options):
    record = record_of(options, "quality", "pso", runs=options.runs, evaluations=options.evaluations, dim=DIM,
                       precision=options.precision, skipped=[])
    plain, every = {}, list(cells(options))
    for index, cell in enumerate(every):
        try:
            device, values, figures = measure(options, index, cell)
        except Problem as problem:
            if not record["cells"]:
                raise
            names = ("part", "function", "topology", "update", "strategy", "budget")
            record["skipped"].append(dict(zip(names, cell), reason=str(problem).split(": ", 2)[-1]))
            print(f"{index + 1}/{len(every)}  left out: {problem}", file=sys.stderr)
            continue
        record["device"] = {key: device[key] for key in ("id", "name", "driver")}
        part, function, strategy, budget = cell[0], cell[1], cell[4], cell[5]
        values = [math.inf if value is None else value for value in values]
        if part == "strategies" and strategy == "plain":
            plain[function, budget] = values
        elif part == "strategies" and (function, budget) in plain:
            figures["p"], figures["better"] = rank_sum(values, plain[function, budget])
        record["cells"].append(figures)
        print(f"{index + 1}/{len(every)}  {' '.join(map(str, cell[:6]))}: median {figures['median']:.4g}, "
              f"{figures['successes']} of {options.runs}, {figures['seconds']:.2f} s", file=sys.stderr)
    write(options.out, json.dumps(record, indent=1) + "\n")


def write(path, text):
    if not path:
        sys.stdout.write(text)
        return
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


# The page -------------------------------------------------------------------------------------------------------

def number(value, digits=4):
    return "-" if value is None else f"{value:.{digits}g}"


def percent(rate, error=None):
    text = "-" if rate is None else f"{100 * rate:.1f}"
    return text if rate is None or error is None else f"{text} ({100 * error:.1f})"


def table(header, rows, left=1):
    lines = ["| " + " | ".join(header) + " |",
             "|" + "|".join("---" if i < left else "---:" for i in range(len(header))) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def reference_rows(record):
    rows = []
    for cell in (c for c in record["cells"] if c["part"] == "reference"):
        figure, published, error = REFERENCE[cell["function"]][cell["strategy"] == "synchronous"]
        own, own_error = cell[figure], cell.get(f"{figure}_error")
        rate = figure == "success_rate"
        apart = "-" if not error or not own_error else f"{(own - published) / math.hypot(error, own_error):+.1f}"
        rows.append([cell["function"], cell["strategy"], "success, %" if rate else figure,
                     percent(published, error) if rate else number(published) + (f" ({error})" if error else ""),
                     percent(own, own_error) if rate
                     else number(own) + (f" ({number(own_error, 2)})" if own_error else ""), apart,
                     percent(cell["success_rate"])])
    return table(["function", "swarm", "figure", "published", "here", "apart", "success, %"], rows, 3)


def strategy_rows(record, budget):
    rows = []
    for cell in (c for c in record["cells"] if c["part"] == "strategies" and c["budget"] == budget):
        p = cell["p"]
        verdict = ("" if p is None else "no difference shown" if p >= 0.01 else
                   "better" if cell["better"] > 0.5 else "worse")
        rows.append([cell["function"], cell["strategy"], verdict, number(cell["median"]), number(cell["q25"]),
                     number(cell["q75"]), percent(cell["success_rate"], cell["success_rate_error"]),
                     number(cell["expected_evaluations"]), "-" if p is None else "< 1e-16" if p < 1e-16 else number(p, 2),
                     percent(cell["better"]), number(cell["evaluations"] / record["runs"], 6)])
    return table(["function", "strategy", "against plain", "median", "q25", "q75", "success, %", "evaluations to a success",
                  "p", "wins, %", "evaluations"], rows, 3)


def method_rows(record, function):
    found = {(c["update"], c["topology"]): c for c in record["cells"]
             if c["part"] == "methods" and c["function"] == function}
    def cell(update, topology):
        figures = found.get((update, topology))
        return "-" if not figures else f"{number(figures['median'], 3)}, {percent(figures['success_rate'])} %"

    rows = [[update] + [cell(update, topology) for topology in TOPOLOGIES] for update in UPDATES]
    return table(["update", *TOPOLOGIES], rows)


def section(path, record):
    device = record["device"]
    lines = [f"## {device['name']} ({device['id']})", "",
             f"Each cell has {record['runs']} runs of {record['evaluations']:,} evaluations in {record['dim']} dimensions with "
             f"swarms of {SWARM} particles, {record['precision']}. `{record['command']}`, {record['date'][:10]}, commit "
             f"{record['commit']}: [{os.path.basename(path)}](../{os.path.relpath(os.path.abspath(path), ROOT)}).", ""]
    parts = {cell["part"] for cell in record["cells"]}
    if "reference" in parts:
        lines += ["### SPSO-2011 beside published figures", "",
                  "Each particle has three random informants. Standard errors are in parentheses; *apart* is the difference in "
                  "combined standard errors.", ""]
        lines += reference_rows(record)
    if "strategies" in parts:
        lines += ["### Restarts, islands and polish beside one swarm, at equal evaluations", "",
                  "All swarms have the update `inertia` and the topology `global`. *plain*: one swarm; *restart*: a restart after "
                  "300 steps without improvement; *islands*: 8 swarms with an exchange every 100 steps; *polish*: the last fifth "
                  "of the evaluations goes to a pattern search. p is the result of a two-sided rank-sum test of the final values "
                  "against plain; *wins* is the share of pairs of runs in which the strategy ends lower.", ""]
        for budget in dict.fromkeys(cell["budget"] for cell in record["cells"] if cell["part"] == "strategies"):
            lines += [f"#### {budget:,} evaluations", ""] + strategy_rows(record, budget)
    if "methods" in parts:
        lines += ["### Every update with every topology", "", "Cells show the median of the final values and the share of runs that succeeded.", ""]
        for function in dict.fromkeys(c["function"] for c in record["cells"] if c["part"] == "methods"):
            lines += [f"#### {function}", ""] + method_rows(record, function)
    for skipped in record["skipped"]:
        lines += [f"Left out: {skipped['function']}, {skipped['update']}, {skipped['topology']}, {skipped['strategy']}: "
                  f"{skipped['reason']}", ""]
    return lines


def named_files(path):
    with open(path, encoding="utf-8") as file:
        names = re.findall(r"\]\(\.\./(bench/results/[^)\s]+\.json)\)", file.read())
    return [os.path.join(os.path.dirname(os.path.abspath(path)), os.pardir, name) for name in names]


def files_of(options):
    """The result files of a page."""
    try:
        return options.files or named_files(options.out)
    except OSError as error:
        raise Problem(f"{options.out}: {error.strerror}; name the result files") from error


def finish_page(options, text, program):
    """Writes the page, or compares it."""
    if not options.check:
        write(options.out, text)
        return
    with open(options.out, encoding="utf-8") as file:
        old = file.read()
    if old != text:
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), options.out,
                                                   "from the result files"))
        raise Problem(f"the page differs from its result files: run {program} page")


def page(options):
    sections = {"quality": section, "quality-defaults": quality_defaults.section,
                "quality-evaluations": quality_evaluations.section, "quality-peers": quality_defaults.peers_section,
                "quality-bbob": quality_bbob.section, "quality-constraints": quality_constraints.section,
                "quality-time": quality_time.section}
    lines = ["# How good the answers are", "",
             "A run succeeds when its returned position, evaluated again in double precision on the host, lies within 1e-8 of "
             "the minimum. `bench/quality.py page` makes this page from result files of `bench/quality.py run`; do not edit it.", ""]
    for path in files_of(options):
        try:
            with open(path, encoding="utf-8") as file:
                record = json.load(file)
            if record.get("schema") != 1 or record.get("kind") not in sections:
                raise Problem(f"{path}: not a quality file of schema 1")
            lines += sections[record["kind"]](path, record)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Problem(f"{path}: {error}") from error
    finish_page(options, "\n".join(lines).rstrip("\n") + "\n", "bench/quality.py")


def run_cells(options, kind, measure, text):
    """Measures options.cells one by one into a record of that kind, written again after each. measure(cell) gives the device
    and the figures, text(figures) what is shown of them."""
    record = record_of(options, kind, kind.split("-")[1], f"bench/{kind.replace('-', '_')}.py")
    for index, cell in enumerate(options.cells):
        device, figures = measure(cell)
        record["device"] = {key: device[key] for key in ("id", "name", "driver")}
        record["cells"].append(figures)
        print(f"{index + 1}/{len(options.cells)}  {cell}: {text(figures)}", file=sys.stderr)
        if options.out:
            write(options.out, json.dumps(record, indent=1) + "\n")
    if not options.out:
        write(None, json.dumps(record, indent=1) + "\n")


def read_cells(path, kind, what):
    """Such a record."""
    try:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        if record.get("schema") != 1 or record.get("kind") != kind:
            raise Problem(f"{path}: not a file of {what} of schema 1")
        return record
    except (OSError, ValueError, AttributeError) as error:
        raise Problem(f"{path}: {error}") from error


def run_lines(files, records):
    """The end of a page: the runs behind its figures."""
    return ["## Runs", "", *(f"- {record['device']['name']} ({record['device']['id']}), {record['date'][:10]}, commit "
                             f"{record['commit']}, `{record['command']}`: [{os.path.basename(path)}]"
                             f"(../{os.path.relpath(os.path.abspath(path), ROOT)})" for path, record in zip(files, records))]


def names(allowed):
    def parse(text):
        chosen = text.split(",")
        for name in chosen:
            if name not in allowed:
                raise argparse.ArgumentTypeError(f"{name}: one of {', '.join(allowed)}")
        return chosen
    return parse


def add_page(commands, name, action):
    one = commands.add_parser("page")
    one.add_argument("files", nargs="*")
    one.add_argument("--out", default=os.path.join(ROOT, "docs", name))
    one.add_argument("--check", action="store_true")
    one.set_defaults(action=action)


def add_run(commands, cells, action):
    one = commands.add_parser("run")
    one.add_argument("shoal")
    one.add_argument("--device", default="host")
    one.add_argument("--cells", type=names(cells), default=list(cells))
    one.add_argument("--out")
    one.set_defaults(action=action)
    return one


def act(options, program):
    try:
        options.action(options)
    except Problem as error:
        sys.exit(f"{program}: {error}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("run")
    one.add_argument("shoal")
    one.add_argument("--device", default="host")
    one.add_argument("--runs", type=int, default=1000)
    one.add_argument("--evaluations", type=int, default=300000)
    one.add_argument("--functions", type=names(FUNCTIONS), default=list(FUNCTIONS))
    one.add_argument("--parts", type=names(PARTS), default=list(PARTS))
    one.add_argument("--precision", choices=("fp32", "fp64"), default="fp64")
    one.add_argument("--out")
    one.set_defaults(action=run)
    quality_defaults.add(commands)
    quality_evaluations.add(commands)
    quality_time.add(commands)
    quality_bbob.add(commands)
    quality_constraints.add(commands)
    add_page(commands, "quality.md", page)
    options = parser.parse_args()
    if getattr(options, "runs", 20) < 2:
        parser.error("--runs: a sample has two runs or more")
    act(options, "quality.py")


if __name__ == "__main__":
    # The parts import this module by its name: they and it must share one copy.
    import quality
    quality.main()
