#!/usr/bin/env python3
"""Measures how short the tours of `shoal tsp` are, over many seeds, beside published means, and writes the page about it.

usage: quality_tsp.py run SHOAL [--device ID] [--runs N] [--cells LIST] [--out FILE.json]
       quality_tsp.py page [FILE.json...] [--out FILE.md] [--check]

`run` reads the problems from the folder that $SHOAL_TSPLIB names and makes N (100) independent runs of each cell:
    as eas ras mmas bwas acs                kroA100, no local search, until 20,000 tours
    mmas-2opt mmas-3opt acs-2opt acs-3opt   lin318, local search of each tour, until 2,500 tours
    faco-pr1002 faco-rat783                 focused ants, 500 iterations
The file is written again after each cell.

`page` makes docs/quality-tsp.md from such files, by default those that the page names already; with --check it only tells
whether the page is what they say.

File format, schema 1: {"schema", "kind": "quality-tsp", "commit", "date", "command", "device": {"id", "name", "driver"},
"cells": [{"cell", "problem", "optimum", "runs", "mean", "mean_error", "arguments": [...]}]}.
"""
import argparse
import datetime
import json
import math
import os
import shlex
import statistics
import sys

import quality
from quality import ROOT, Problem

# (mean, its standard error) over 100 runs: lengths of ACOTSP 1.03; of FocusedACO what exceeds the optimum, in percent.
PLAIN = {"as": (22859, 23), "eas": (22008, 32), "ras": (21603, 20), "mmas": (24491, 40), "bwas": (21988, 38),
         "acs": (21599, 28)}
SEARCH = {"mmas-2opt": (42504, 33), "mmas-3opt": (42091, 8), "acs-2opt": (42341, 24), "acs-3opt": (42136, 8)}
FACO = {"faco-pr1002": (0.480, 0.033), "faco-rat783": (0.487, 0.026)}
CELLS = (*PLAIN, *SEARCH, *FACO)
KINDS = {"2opt": "1", "3opt": "3"}


def arguments_of(cell, runs):
    """Problem and options of a cell; `runs` colonies where the command gives their mean."""
    if cell in FACO:
        return cell.split("-")[1], ["--algorithm", "faco", "--iterations", "500"]
    algorithm, _, search = cell.partition("-")
    tours = 2500 if search else 20000
    return ("lin318" if search else "kroA100"), [
        "--algorithm", algorithm, *(["--localsearch", KINDS[search]] if search else []), "--colonies", str(runs),
        "--tours", str(runs * tours), "--iterations", str(tours)]


def answer(options, folder, problem, arguments, seed):
    found = quality.call([options.shoal, "tsp", "--json", "--quiet", "--device", options.device, "--data",
                          os.path.join(folder, problem + ".tsp"), "--seed", str(seed), *arguments])
    [row], [device] = found["rows"], found["devices"]
    if row["result"]["check"] != "pass":
        raise Problem(f"{problem}: {row['result']['check_failure']}")
    return device, row["result"]


def measure(options, folder, cell):
    problem, arguments = arguments_of(cell, options.runs)
    if cell in FACO:
        # Its colonies have no mean: one run for each seed.
        results = []
        for seed in range(1, 1 + options.runs):
            device, result = answer(options, folder, problem, arguments, seed)
            results.append(result)
        values = [result["value"] for result in results]
        mean, error = statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values))
    else:
        device, result = answer(options, folder, problem, arguments, 42)
        mean, error = result["fields"]["mean_length"], result["fields"]["mean_length_error"]
    return device, {"cell": cell, "problem": problem, "optimum": result["fields"]["optimum"], "runs": options.runs,
                    "mean": mean, "mean_error": error, "arguments": arguments}


def run(options):
    folder = os.environ.get("SHOAL_TSPLIB")
    if not folder:
        raise Problem("SHOAL_TSPLIB does not name the folder of the problems")
    # Of the program that is measured: the tree around this script may be another, or none.
    commit = quality.call([options.shoal, "bench", "--list", "--json", "--filter", "tsp"])["commit"]
    command = [os.path.basename(word) if word in (options.shoal, options.out) else word for word in sys.argv[1:]]
    record = {"schema": 1, "kind": "quality-tsp", "commit": commit,
              "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
              "command": shlex.join(["bench/quality_tsp.py", *command]), "device": None, "cells": []}
    for index, cell in enumerate(options.cells):
        device, figures = measure(options, folder, cell)
        record["device"] = {key: device[key] for key in ("id", "name", "driver")}
        record["cells"].append(figures)
        print(f"{index + 1}/{len(options.cells)}  {cell}: {figures['mean']:.1f} ({figures['mean_error']:.1f})",
              file=sys.stderr)
        if options.out:
            quality.write(options.out, json.dumps(record, indent=1) + "\n")
    if not options.out:
        quality.write(None, json.dumps(record, indent=1) + "\n")


# The page -------------------------------------------------------------------------------------------------------

def mean_text(mean, error, digits):
    return f"{mean:.{digits}f} ({error:.{digits}f})"


def row_of(cell, device):
    name, mean, error, digits = cell["cell"], cell["mean"], cell["mean_error"], 0
    theirs, theirs_error = {**PLAIN, **SEARCH, **FACO}[name]
    if name in FACO:
        mean, error, digits = 100 * (mean / cell["optimum"] - 1), 100 * error / cell["optimum"], 3
    apart = (mean - theirs) / math.hypot(error, theirs_error)
    return [name.split("-")[1] if name in FACO else name, device, str(cell["runs"]), mean_text(theirs, theirs_error, digits),
            mean_text(mean, error, digits), f"{apart:+.1f}"]


def section(title, what, cells, names, first):
    order = list(names)
    chosen = sorted(((cell, device) for cell, device in cells if cell["cell"] in names),
                    key=lambda pair: order.index(pair[0]["cell"]))
    if not chosen:
        return []
    return [f"## {title}", "", what, ""] + quality.table([first, "device", "runs", "published", "here", "apart"],
                                                         [row_of(*pair) for pair in chosen])


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        if record.get("schema") != 1 or record.get("kind") != "quality-tsp":
            raise Problem(f"{path}: not a file of tour lengths of schema 1")
        return record
    except (OSError, ValueError, AttributeError) as error:
        raise Problem(f"{path}: {error}") from error


def page(options):
    files = quality.files_of(options)
    records = [read(path) for path in files]
    cells = [(cell, record["device"]["name"]) for record in records for cell in record["cells"]]
    lines = ["# How short the tours are", "",
             "Means of the best lengths of independent runs, standard errors in parentheses, beside those published; "
             "*apart*: difference in combined standard errors, below 0 where ours are shorter. Made by "
             "`bench/quality_tsp.py page` from result files of `bench/quality_tsp.py run`; not edited by hand. Devices "
             "construct the host's tours, bit by bit.", ""]
    lines += section("Ants without local search", "kroA100, 20,000 tours a run; published: ACOTSP 1.03, 100 runs.", cells,
                     PLAIN, "algorithm")
    lines += section("Ants with local search", "lin318, 2,500 tours a run; published: ACOTSP 1.03, 100 runs.", cells,
                     SEARCH, "algorithm, local search")
    lines += section("Focused ants", "500 iterations; the excess over the optimum, in percent; published: the program of the "
                     "paper's author, 100 runs.", cells, FACO, "problem")
    lines += ["## Runs", ""]
    for path, record in zip(files, records):
        lines.append(f"- {record['device']['name']} ({record['device']['id']}), {record['date'][:10]}, commit "
                     f"{record['commit']}, `{record['command']}`: [{os.path.basename(path)}]"
                     f"(../{os.path.relpath(os.path.abspath(path), ROOT)})")
    quality.finish_page(options, "\n".join(lines) + "\n", "bench/quality_tsp.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("run")
    one.add_argument("shoal")
    one.add_argument("--device", default="host")
    one.add_argument("--runs", type=int, default=100)
    one.add_argument("--cells", type=quality.names(CELLS), default=list(CELLS))
    one.add_argument("--out")
    one.set_defaults(action=run)
    quality.add_page(commands, "quality-tsp.md", page)
    options = parser.parse_args()
    if getattr(options, "runs", 2) < 2:
        parser.error("--runs: a sample has two runs or more")
    quality.act(options, "quality_tsp.py")


if __name__ == "__main__":
    main()
