#!/usr/bin/env python3
"""Optimisers of other programs on the functions of quality_defaults.py: how often they find the minimum, and with how many
evaluations.

usage: optimisers.py [--shoal PROGRAM] [--dim D] [--shift NAME] [--runs N] [--evaluations N] [--programs LIST] [--functions LIST]
                     [--jobs N] [--out FILE.json]

Needs numpy, pygmo (sade, de1220 and cmaes of pagmo), scipy (differential_evolution, dual_annealing), cma (pycma's BIPOP) and
minionpy (L-SHADE, jSO). Each has its defaults, but for tolerances of 1e-10 of pagmo's, and as many generations of them as the evaluations of a run (10,000 D) allow. All run in double
precision from seeds 1, 2, ...; a run succeeds within 1e-8 of the minimum. With --shoal, `shoal optimise` comes first, as users get
it, on the host. `quality.py page` takes the file.

File format, schema 1: {"schema", "kind": "quality-peers", "date", "command", "machine", "versions": {name: version}, "dim",
"shift", "runs", "evaluations", "success", "cells": [{"program", "function", "successes", "evaluations" (of all runs),
"median", "worst", "seconds"}]}.
"""
import argparse
import concurrent.futures
import datetime
import importlib.metadata
import json
import os
import pathlib
import platform
import shlex
import statistics
import sys
import tempfile
import time
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")
warnings.filterwarnings("ignore")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import cma  # noqa: E402
import minionpy  # noqa: E402
import numpy as np  # noqa: E402
import pygmo  # noqa: E402
import scipy  # noqa: E402
import scipy.optimize  # noqa: E402

import quality  # noqa: E402
import quality_defaults  # noqa: E402


def ackley(z):
    return 20 + np.e - 20 * np.exp(-0.2 * np.sqrt(np.mean(z * z))) - np.exp(np.mean(np.cos(2 * np.pi * z)))


def griewank(z):
    return 1 + np.sum(z * z) / 4000 - np.prod(np.cos(z / np.sqrt(np.arange(1, len(z) + 1))))


# Formulas of the shifted coordinates; Rosenbrock's and Schwefel's 2.26 are formulas of the coordinates
# themselves.
FORMULAS = {"rastrigin": lambda z: np.sum(z * z - 10 * np.cos(2 * np.pi * z) + 10),
            "ackley": ackley,
            "griewank": griewank,
            "rosenbrock": lambda x: np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2),
            "schwefel-2.26": lambda x: 418.982887272433799 * len(x) - np.sum(x * np.sin(np.sqrt(np.abs(x)))),
            "ellipsoid": lambda z: np.sum(10 ** (6 * np.arange(len(z)) / max(1, len(z) - 1)) * z * z),
            "schwefel-1.2": lambda z: np.sum(np.cumsum(z) ** 2)}
# For pagmo: its default of 1e-6 would end runs before they reach 1e-8.
TOLERANCE = 1e-10
UNSHIFTED = ("rosenbrock", "schwefel-2.26")


class Spent(Exception):
    """Raised when the evaluations of a run are used up."""


class Counted:
    """A function that counts its evaluations, keeps its least value, and ends a search that has used them up."""

    def __init__(self, function, dim, shift, most):
        half = quality_defaults.FUNCTIONS[function][1]
        move = quality_defaults.SHIFTS[shift][1]
        self.half, self.dim, self.most = half, dim, most
        self.centre = np.array([0 if function in UNSHIFTED else move(i, half) for i in range(1, dim + 1)])
        self.formula = FORMULAS[function]
        self.count, self.best = 0, np.inf

    def __call__(self, x):
        if self.count >= self.most:
            raise Spent
        self.count += 1
        value = float(self.formula(np.asarray(x) - self.centre))
        self.best = min(self.best, value)
        return value

    def bounds(self):
        return [(-self.half, self.half)] * self.dim


class Problem:
    """The problem for pagmo, which copies it: the counted function is therefore an attribute of the class."""
    counted = None

    def fitness(self, x):
        return [Problem.counted(x)]

    def get_bounds(self):
        return [-Problem.counted.half] * Problem.counted.dim, [Problem.counted.half] * Problem.counted.dim


def of_pagmo(make):
    def search(counted, seed):
        Problem.counted = counted
        members = 20
        population = pygmo.population(Problem(), members, seed=seed)
        pygmo.algorithm(make((counted.most - members) // members, seed)).evolve(population)
    return search


def bipop(counted, seed):
    start = np.random.default_rng(seed).uniform(-counted.half, counted.half, counted.dim)
    cma.fmin2(counted, start, counted.half / 2, restarts=9, bipop=True,
              options={"bounds": [-counted.half, counted.half], "maxfevals": counted.most, "seed": seed, "verbose": -9})


def of_minion(algorithm):
    def search(counted, seed):
        minionpy.Minimizer(lambda points: [counted(x) for x in points], counted.bounds(), algo=algorithm,
                           maxevals=counted.most, seed=seed).optimize()
    return search


PROGRAMS = {
    "pagmo sade": of_pagmo(lambda steps, seed: pygmo.sade(gen=steps, ftol=TOLERANCE, xtol=TOLERANCE, seed=seed)),
    "pagmo de1220": of_pagmo(lambda steps, seed: pygmo.de1220(gen=steps, ftol=TOLERANCE, xtol=TOLERANCE, seed=seed)),
    "pagmo cmaes": of_pagmo(lambda steps, seed: pygmo.cmaes(gen=steps, ftol=TOLERANCE, xtol=TOLERANCE, force_bounds=True, seed=seed)),
    "SciPy differential_evolution": lambda counted, seed: scipy.optimize.differential_evolution(
        counted, counted.bounds(), maxiter=10 ** 6, seed=seed),
    "SciPy dual_annealing": lambda counted, seed: scipy.optimize.dual_annealing(
        counted, counted.bounds(), maxiter=10 ** 6, maxfun=counted.most, seed=seed),
    "pycma BIPOP": bipop,
    "minion L-SHADE": of_minion("LSHADE"),
    "minion jSO": of_minion("jSO"),
}


def measure(task):
    """Makes a run; returns its evaluations, value and seconds."""
    program, function, dim, shift, most, seed = task
    counted = Counted(function, dim, shift, most)
    began = time.perf_counter()
    try:
        PROGRAMS[program](counted, seed)
    except Spent:
        pass
    return counted.count, counted.best, time.perf_counter() - began


def cell_of(program, function, runs):
    values = [best for _, best, _ in runs]
    return {"program": program, "function": function,
            "successes": sum(value <= quality_defaults.SUCCESS for value in values),
            "evaluations": sum(count for count, _, _ in runs), "median": statistics.median(values), "worst": max(values),
            "seconds": sum(seconds for _, _, seconds in runs)}


def shoal_cell(options, function):
    """The cell of `shoal optimise`."""
    asked = argparse.Namespace(shoal=options.shoal, device="host", precision="fp64", runs=options.runs, shift=options.shift,
                               evaluations=options.evaluations)
    with tempfile.TemporaryDirectory() as folder:
        _, figures = quality_defaults.measure(asked, folder, ("optimise", "as it comes", "", function, options.dim, 1))
    if figures["reason"]:
        raise quality.Problem(figures["reason"])
    return {"program": "shoal optimise", "function": function,
            **{key: figures[key] for key in ("successes", "evaluations", "median", "worst", "seconds")}}


def peer_cell(options, pool, program, function):
    tasks = [(program, function, options.dim, options.shift, options.evaluations * options.dim, 1 + run)
             for run in range(options.runs)]
    return cell_of(program, function, list(pool.map(measure, tasks)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shoal")
    parser.add_argument("--dim", type=int, default=10)
    parser.add_argument("--shift", choices=list(quality_defaults.SHIFTS), default="sine")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--evaluations", type=int, default=10000, help="for each dimension")
    parser.add_argument("--programs", type=quality.names(PROGRAMS), default=list(PROGRAMS))
    parser.add_argument("--functions", type=quality.names(FORMULAS), default=list(FORMULAS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out")
    options = parser.parse_args()
    command = [os.path.basename(word) if word in (options.out, options.shoal) else word for word in sys.argv[1:]]
    record = {"schema": 1, "kind": "quality-peers",
              "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
              "command": shlex.join(["bench/peers/optimisers.py", *command]), "machine": platform.machine(),
              "versions": {"pygmo": pygmo.__version__, "scipy": scipy.__version__, "cma": cma.__version__,
                           "minionpy": importlib.metadata.version("minionpy")},
              "dim": options.dim, "shift": options.shift, "runs": options.runs, "evaluations": options.evaluations,
              "success": quality_defaults.SUCCESS, "cells": []}
    if options.shoal:
        record["versions"]["shoal"] = quality.call([options.shoal, "bench", "--list", "--json", "--filter", "lib.scan"])["commit"]
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for program in [*(["shoal optimise"] if options.shoal else []), *options.programs]:
            for function in options.functions:
                cell = (shoal_cell(options, function) if program == "shoal optimise" else
                        peer_cell(options, pool, program, function))
                record["cells"].append(cell)
                print(f"{program}, {function}: {cell['successes']} of {options.runs}, median {cell['median']:.3g}, "
                      f"{cell['evaluations'] / options.runs:.0f} evaluations, {cell['seconds']:.1f} s", file=sys.stderr)
                if options.out:
                    quality.write(options.out, json.dumps(record, indent=1) + "\n")
    if not options.out:
        quality.write(None, json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
