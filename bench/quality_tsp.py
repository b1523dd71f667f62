#!/usr/bin/env python3
"""Measures how short the tours of `shoal tsp` are, over many seeds, beside published means, and writes the page about it.

usage: quality_tsp.py run SHOAL [--device ID] [--runs N] [--seconds S] [--cells LIST] [--out FILE.json]
       quality_tsp.py page [FILE.json...] [--out FILE.md] [--check]

`run` makes N independent runs of each cell, of the first three kinds 100, with problems from the folder that
$SHOAL_TSPLIB names:
    as eas ras mmas bwas acs                kroA100, no local search, until 20,000 tours
    mmas-2opt mmas-3opt acs-2opt acs-3opt   lin318, local search of each tour, until 2,500 tours
    faco-pr1002 faco-rat783                 focused ants, 500 iterations
    E1k.0 E3k.0 E10k.0 E31k.0 E100k.0 and C1k.0 C3k.0 C3k.1 C10k.0 C31k.0 C100k.0
                                            uniform and clustered cities, which shoal generates: focused ants for S seconds
                                            (2, 5, 10, 15, 20 by size), with lists of quadrants and with nearest ones; 3 runs
                                            of up to 3,162 cities, else 1. `--cells lists` is all of these.
The file is written again after each cell.

`page` makes docs/quality-tsp.md from such files, by default those that the page names already; with --check it only tells
whether the page is what they say.

File format, schema 1: {"schema", "kind": "quality-tsp", "commit", "date", "command", "device": {"id", "name", "driver"},
"cells": [{"cell", "problem", "optimum", "runs", "mean", "mean_error", "arguments": [...]}]}. A cell of generated cities
has in place of the means "seconds", "variant" (of the host: its threads) and for each kind of lists {"mean", "mean_error" (0 of
one run), "steps"} as "quadrant" and "nearest"; its optimum is null where none is known.
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
# Seconds and runs by the size of generated cities.
SIZES = {"1k": (2, 3), "3k": (5, 3), "10k": (10, 1), "31k": (15, 1), "100k": (20, 1)}
LISTS = tuple(f"{family}{size}.0" for family in "EC" for size in SIZES) + ("C3k.1",)
CELLS = (*PLAIN, *SEARCH, *FACO, *LISTS)
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


def answer(options, source, arguments, seed):
    found = quality.call([options.shoal, "tsp", "--json", "--quiet", "--device", options.device, *source, "--seed", str(seed),
                          *arguments])
    [row], [device] = found["rows"], found["devices"]
    if row["result"]["check"] != "pass":
        raise Problem(f"{source[1]}: {row['result']['check_failure']}")
    return device, {**row["result"], "variant": row["variant"]}


def figures_of(values):
    """Their mean and its standard error."""
    return statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0


def measure_lists(options, cell):
    seconds, runs = SIZES[cell[1:].split(".")[0]]
    seconds, runs = options.seconds or seconds, options.runs or runs
    arguments = ["--time", f"{seconds:g}"]
    figures = {"cell": cell, "problem": cell, "runs": runs, "seconds": seconds, "arguments": arguments}
    for lists in ("quadrant", "nearest"):
        results = []
        for seed in range(1, 1 + runs):
            device, result = answer(options, ["--generate", cell], [*arguments, "--lists", lists], seed)
            results.append(result)
        mean, error = figures_of([result["value"] for result in results])
        figures["optimum"] = results[0]["fields"].get("optimum")
        figures["variant"] = results[0]["variant"] if options.device == "host" else None
        figures[lists] = {"mean": mean, "mean_error": error, "steps": round(statistics.mean(r["steps"] for r in results))}
    return device, figures


def measure(options, cell):
    if cell in LISTS:
        return measure_lists(options, cell)
    folder = os.environ.get("SHOAL_TSPLIB")
    if not folder:
        raise Problem("SHOAL_TSPLIB does not name the folder of the problems")
    runs = options.runs or 100
    problem, arguments = arguments_of(cell, runs)
    source = ["--data", os.path.join(folder, problem + ".tsp")]
    if cell in FACO:
        # Its colonies have no mean: one run for each seed.
        results = []
        for seed in range(1, 1 + runs):
            device, result = answer(options, source, arguments, seed)
            results.append(result)
        mean, error = figures_of([result["value"] for result in results])
    else:
        device, result = answer(options, source, arguments, 42)
        mean, error = result["fields"]["mean_length"], result["fields"]["mean_length_error"]
    return device, {"cell": cell, "problem": problem, "optimum": result["fields"]["optimum"], "runs": runs,
                    "mean": mean, "mean_error": error, "arguments": arguments}


def shown(figures):
    if figures["cell"] in LISTS:
        return f"quadrant {length_text(figures, 'quadrant')}, nearest {length_text(figures, 'nearest')}"
    return f"{figures['mean']:.1f} ({figures['mean_error']:.1f})"


def run(options):
    options.cells = [one for cell in options.cells for one in (LISTS if cell == "lists" else [cell])]
    quality.run_cells(options, "quality-tsp", lambda cell: measure(options, cell), shown)


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


def length_text(cell, lists):
    """The excess over the optimum in percent, or where none is known the length."""
    mean, error, optimum = cell[lists]["mean"], cell[lists]["mean_error"], cell["optimum"]
    if optimum:
        mean, error = 100 * (mean / optimum - 1), 100 * error / optimum
    digits = 3 if optimum else 0
    return mean_text(mean, error, digits) if cell["runs"] > 1 else f"{mean:.{digits}f}"


def lists_row(cell, device):
    return [cell["cell"], f"{device}, {cell['variant'][1:]} threads" if cell["variant"] else device, f"{cell['seconds']:g}",
            str(cell["runs"]), length_text(cell, "nearest"), length_text(cell, "quadrant"), str(cell["nearest"]["steps"]),
            str(cell["quadrant"]["steps"])]


def lists_section(cells):
    chosen = sorted(((cell, device) for cell, device in cells if cell["cell"] in LISTS),
                    key=lambda pair: LISTS.index(pair[0]["cell"]))
    if not chosen:
        return []
    return ["## Clusters", "", "Focused ants with lists of the nearest cities and with lists of quadrants, for equal seconds. `--lists auto` "
            "takes lists of the nearest cities for the uniform problems of the DIMACS challenge (E) and lists of quadrants for its "
            "clustered problems (C). Cells show the excess over the shortest known tour in percent; for E3k.0, without a tour in shoal's "
            "tables, the length.", ""] + quality.table(
                ["problem", "device", "seconds", "runs", "nearest", "quadrant", "iterations, nearest", "quadrant"],
                [lists_row(*pair) for pair in chosen])


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
             "The tables show means of the best lengths of independent runs beside published means, with standard errors in "
             "parentheses. *apart* is the difference in combined standard errors, below 0 where shoal's tours are shorter. "
             "`bench/quality_tsp.py page` makes this page from result files of `bench/quality_tsp.py run`; do not edit it. "
             "Devices construct the host's tours, bit by bit.", ""]
    lines += section("Ants without local search", "Problem kroA100, 20,000 tours in each run. Published figures: ACOTSP 1.03, 100 runs.", cells,
                     PLAIN, "algorithm")
    lines += section("Ants with local search", "Problem lin318, 2,500 tours in each run. Published figures: ACOTSP 1.03, 100 runs.", cells,
                     SEARCH, "algorithm, local search")
    lines += section("Focused ants", "Excess over the optimum in percent after 500 iterations. Published figures: the program of "
                     "the paper's author, 100 runs.", cells, FACO, "problem")
    lines += lists_section(cells)
    lines += quality.run_lines(files, records)
    quality.finish_page(options, "\n".join(lines) + "\n", "bench/quality_tsp.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = quality.add_run(commands, (*CELLS, "lists"), run)
    one.add_argument("--runs", type=int)
    one.add_argument("--seconds", type=float)
    one.set_defaults(cells=list(CELLS))
    quality.add_page(commands, "quality-tsp.md", page)
    options = parser.parse_args()
    if (getattr(options, "runs", None) or 2) < 2:
        parser.error("--runs: a sample has two runs or more")
    quality.act(options, "quality_tsp.py")


if __name__ == "__main__":
    main()
