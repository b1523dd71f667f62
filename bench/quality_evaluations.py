"""The part `evaluations` of quality.py: how often settings find the minimum in 30 dimensions with 300,000 evaluations, and with
how many evaluations, beside published or required figures.

usage: quality.py evaluations SHOAL [--device ID] [--precision NAME] [--settings LIST] [--functions LIST] [--runs N]
                                    [--optima N] [--evaluations N] [--jobs N] [--out FILE.json]

A cell is N runs (100) of a setting on a function. The minimum is at N places (10) in turn, in each dimension uniform in the
middle 80 % of the box; rotated functions turn about it, by another rotation for each place. Schwefel's function stays as it is. A run ends when its value is at
most 1e-8 above the minimum.

File format, schema 1: {"schema", "kind": "quality-evaluations", "commit", "date", "command", "device": {"id", "name", "driver"},
"precision", "runs", "optima", "evaluations", "success", "cells": [{"setting", "options": [...], "function", "successes", "mean",
"median", "worst", "seconds"}]}; mean and median are evaluations of the runs that succeed, null where none does; worst is the
largest value of a run.
"""
import concurrent.futures
import json
import os
import random
import statistics
import sys

import quality

DIM = 30
SUCCESS = 1e-8
# Half width of the box, and the coordinates of the minimum.
BOXES = {"rastrigin": (5.12, 0), "ackley": (32.768, 0), "griewank": (600, 0), "rosenbrock": (30, 1), "ellipsoid": (5.12, 0),
         "schwefel": (500, 420.96874635998203)}
# Functions with lower values outside of their boxes: their minimum stays where it is.
FIXED = ("schwefel",)
FUNCTIONS = (*BOXES, *(f"rotated {name}" for name in ("ackley", "griewank", "ellipsoid", "rosenbrock", "rastrigin")))


def de_goals(*medians):
    """Required figures of differential evolution: medians within 15 % of these thousands of evaluations."""
    names = ("rastrigin", "ackley", "griewank", "rosenbrock", "ellipsoid")
    return {name: (97, f"median {median} +- 15 %") for name, median in zip(names, medians)}


IPOP = "--restarts ipop --sigma 0.3"
# Program and options, the functions that it is for, and required figures: at least so many runs in a hundred; at most so many
# thousand evaluations on average, or words about their median.
SETTINGS = {
    "IPOP-CMA-ES": ("cmaes", f"{IPOP} --population 14",
                    {"rotated ackley": (97, 9.13), "rotated griewank": (97, 10.45), "rotated ellipsoid": (97, 45.1),
                     "rotated rosenbrock": (97, 60.5)}),
    "IPOP-CMA-ES, positive weights": ("cmaes", f"{IPOP} --population 14 --positive",
                                      {"rotated ackley": (97, 9.13), "rotated griewank": (97, 10.45),
                                       "rotated ellipsoid": (97, 45.1), "rotated rosenbrock": (97, 60.5)}),
    "L-SHADE": ("de", "", {**de_goals(273, 137, 103, 246, 115), "schwefel": (70, None), "rotated ackley": (97, None),
                           "rotated griewank": (97, None), "rotated ellipsoid": (97, None)}),
    "jSO": ("de", "--adaptation jso", de_goals(280, 153, 126, 243, 131)),
    # As users get it: with the pattern search at the end, which takes its part of the evaluations.
    "auto": ("optimise", "--refine all",
             {**{name: (90, None) for name in ("rastrigin", "ackley", "griewank", "rosenbrock", "ellipsoid")},
              "schwefel": (50, None), **{f"rotated {name}": (90, None) for name in ("ackley", "griewank", "ellipsoid",
                                                                                   "rosenbrock")}}),
    "CMA-ES of 400": ("cmaes", "--restarts none --sigma 0.3 --population 400", {"rotated rastrigin": (None, None)}),
    "CMA-ES of 800": ("cmaes", "--restarts none --sigma 0.3 --population 800", {"rotated rastrigin": (None, None)}),
    "CMA-ES of 1600": ("cmaes", "--restarts none --sigma 0.3 --population 1600", {"rotated rastrigin": (None, None)}),
}


def place(function, number):
    """Options of the function with its minimum at another place: the box moves instead of the function."""
    turned = function.startswith("rotated ")
    name = function.split()[-1]
    if name in FIXED:
        return ["--function", name]
    half, minimum = BOXES[name]
    draw = random.Random(f"{name} {number}")
    centres = [minimum - draw.uniform(-0.8, 0.8) * half for _ in range(DIM)]
    return ["--function", name, f"--lower={','.join(f'{centre - half:.17g}' for centre in centres)}",
            f"--upper={','.join(f'{centre + half:.17g}' for centre in centres)}", *(["--rotate", str(number + 1)] if turned else [])]


def measure_place(options, program, words, function, number):
    """The device, values and evaluations of the runs at a place, and seconds. No two places share seeds."""
    runs = options.runs // options.optima
    answer = quality.call([options.shoal, program, "--json", "--quiet", "--device", options.device, "--precision", options.precision,
                           "--runs", str(runs), "--seed", str(1 + 1000000 * number), "--evaluations", str(options.evaluations),
                           "--target", repr(SUCCESS), "--refine", "none", *place(function, number), *words],
                          {**os.environ, "OMP_NUM_THREADS": "1", "POCL_MAX_PTHREAD_COUNT": "1"})
    row = answer["rows"][0]
    fields = row["result"]["fields"]
    return (answer["devices"][0], fields["run_values"], fields["run_evaluations"], row["wall_s"] + row["first_launch_s"])


def measure(options, pool, cell):
    """The device and the figures of a cell."""
    setting, function = cell
    program, text, _ = SETTINGS[setting]
    parts = list(pool.map(lambda number: measure_place(options, program, text.split(), function, number),
                          range(options.optima)))
    values = [value for part in parts for value in part[1]]
    hits = [spent for part in parts for value, spent in zip(part[1], part[2]) if value <= SUCCESS]
    return parts[0][0], {"setting": setting, "options": [program, *text.split()], "function": function,
                         "successes": len(hits), "mean": statistics.mean(hits) if hits else None,
                         "median": statistics.median(hits) if hits else None, "worst": max(values),
                         "seconds": sum(part[3] for part in parts)}


def run(options):
    if options.runs < 2 * options.optima or options.runs % options.optima:
        raise quality.Problem("--runs: a multiple of --optima, at least two for each place")
    cells = [(setting, function) for setting in options.settings
             for function in (options.functions or SETTINGS[setting][2])]
    record = quality.record_of(options, "quality-evaluations", "pso", precision=options.precision, runs=options.runs,
                               optima=options.optima, evaluations=options.evaluations, success=SUCCESS)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for cell in cells:
            device, figures = measure(options, pool, cell)
            record["device"] = {key: device[key] for key in ("id", "name", "driver")}
            record["cells"].append(figures)
            mean = "-" if figures["mean"] is None else f"{figures['mean']:.0f}"
            print(f"{len(record['cells'])}/{len(cells)}  {cell[0]}, {cell[1]}: {figures['successes']} of {options.runs}, "
                  f"{mean} evaluations, {figures['seconds']:.2f} s", file=sys.stderr)
    quality.write(options.out, json.dumps(record, indent=1) + "\n")


# Table ----------------------------------------------------------------------------------------------------------

def thousands(number):
    return "-" if number is None else f"{number / 1000:.1f}"


def row_of(cell, runs):
    wanted, most = SETTINGS.get(cell["setting"], (None, None, {}))[2].get(cell["function"], (None, None))
    return [cell["setting"], f"`shoal {' '.join(cell['options'])}`", cell["function"], f"{100 * cell['successes'] / runs:.1f}",
            "-" if wanted is None else f"{wanted}", thousands(cell["mean"]), thousands(cell["median"]),
            "-" if most is None else f"{most}", quality.number(cell["worst"])]


def section(path, record):
    """Lines of the page."""
    device = record["device"]
    rows = [row_of(cell, record["runs"]) for cell in record["cells"]]
    return [f"## {record['evaluations']:,} evaluations, {DIM} dimensions: {device['name']} ({device['id']}), {record['precision']}",
            "",
            f"{record['runs']} runs with {record['optima']} place{'s' * (record['optima'] > 1)} of the minimum, uniform in the middle 80 % of the box; a run "
            f"succeeds when its value is within {record['success']:g} of the minimum. Mean and median are thousands of evaluations "
            "of the runs that succeed, *goal* the figures that are asked for, of the mean unless stated otherwise. Boxes as built in. "
            f"`{record['command']}`, {record['date'][:10]}, commit {record['commit']}: [{os.path.basename(path)}]"
            f"(../{os.path.relpath(os.path.abspath(path), quality.ROOT)}).", "",
            *quality.table(["setting", "options", "function", "success, %", "goal, %", "mean", "median", "goal, thousands",
                            "worst value"], rows, 3)]


# Command --------------------------------------------------------------------------------------------------------

def add(commands):
    one = commands.add_parser("evaluations")
    one.add_argument("shoal")
    one.add_argument("--device", default="host")
    one.add_argument("--precision", choices=("fp32", "fp64"), default="fp64")
    one.add_argument("--settings", type=lambda text: text.split(";"), default=list(SETTINGS), help="names, divided by ;")
    one.add_argument("--functions", type=quality.names(FUNCTIONS), help="default: those of each setting")
    one.add_argument("--runs", type=int, default=100)
    one.add_argument("--optima", type=int, default=10)
    one.add_argument("--evaluations", type=int, default=300000)
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    one.add_argument("--out")
    one.set_defaults(action=run)
