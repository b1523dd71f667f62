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
import math
import os
import statistics

import quality
from quality import Problem

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
    quality.run_cells(options, "quality-tsp", lambda cell: measure(options, folder, cell),
                      lambda figures: f"{figures['mean']:.1f} ({figures['mean_error']:.1f})")


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


def page(options):
    files = quality.files_of(options)
    records = [quality.read_cells(path, "quality-tsp", "tour lengths") for path in files]
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
    lines += quality.run_lines(files, records)
    quality.finish_page(options, "\n".join(lines) + "\n", "bench/quality_tsp.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    quality.add_run(commands, CELLS, run).add_argument("--runs", type=int, default=100)
    quality.add_page(commands, "quality-tsp.md", page)
    options = parser.parse_args()
    if getattr(options, "runs", 2) < 2:
        parser.error("--runs: a sample has two runs or more")
    quality.act(options, "quality_tsp.py")


if __name__ == "__main__":
    main()
