#!/usr/bin/env python3
"""shoal optimise beside optimisers of other programs for the same time, in 30 dimensions: how often each finds the minimum, and
after how many seconds.

usage: same_time.py SHOAL [--runs N] [--seconds T] [--searches N] [--programs LIST] [--functions LIST] [--jobs N] [--out FILE.json]

A run makes as many searches side by side, each on one core, as --searches (2) says, and ends with the first success or after
--seconds (10). Needs what optimisers.py needs. `quality.py page` takes the file, whose format is that of bench/quality_time.py.
"""
import argparse
import concurrent.futures
import datetime
import json
import multiprocessing
import os
import platform
import random
import shlex
import statistics
import subprocess
import sys
import time

import numpy as np
import pygmo
import scipy.optimize

import optimisers  # sets the path of the modules of bench
import quality
import quality_evaluations
import quality_time

PROCESSES = multiprocessing.get_context("fork")
SUCCESS = quality_evaluations.SUCCESS
DIM = quality_evaluations.DIM
FORMULAS = {**optimisers.FORMULAS, "schwefel": optimisers.FORMULAS["schwefel-2.26"]}


class Over(Exception):
    """Raised when a search has found the minimum, or must end."""


class Timed:
    """A function at a place of quality_evaluations.py, which ends a search that has found the minimum or used up its time."""

    def __init__(self, function, number, seconds, is_over):
        name = function.split()[-1]
        half, self.minimum = quality_evaluations.BOXES[name]
        draw = random.Random(f"{name} {number}")
        moves = [0 if name in quality_evaluations.FIXED else self.minimum - draw.uniform(-0.8, 0.8) * half for _ in range(DIM)]
        self.lower, self.upper = np.array(moves) - half, np.array(moves) + half
        self.formula, self.is_over, self.seconds, self.best, self.hit = FORMULAS[name], is_over, seconds, np.inf, None
        self.turn = None
        if function.startswith("rotated "):
            self.turn = np.linalg.qr(np.random.default_rng(number + 1).normal(size=(DIM, DIM)))[0]
        self.began = time.perf_counter()

    def __call__(self, x):
        x = np.asarray(x)
        if self.turn is not None:
            x = self.minimum + self.turn @ (x - self.minimum)
        value = float(self.formula(x))
        spent = time.perf_counter() - self.began
        self.best = min(self.best, value)
        self.hit = spent if value <= SUCCESS else None
        if self.hit or self.is_over.value or spent >= self.seconds:
            raise Over
        return value


class Problem:
    """The problem for pagmo, which copies it: the function is therefore an attribute of the class."""
    timed = None

    def fitness(self, x):
        return [Problem.timed(x)]

    def get_bounds(self):
        return Problem.timed.lower, Problem.timed.upper


def of_pagmo(make):
    def search(timed, seed):
        Problem.timed = timed
        pygmo.algorithm(make(seed)).evolve(pygmo.population(Problem(), 20, seed=seed))
    return search


STEPS, TOLERANCE = 10 ** 7, optimisers.TOLERANCE
PEERS = {
    "pagmo sade": of_pagmo(lambda seed: pygmo.sade(gen=STEPS, ftol=TOLERANCE, xtol=TOLERANCE, seed=seed)),
    "pagmo cmaes": of_pagmo(lambda seed: pygmo.cmaes(gen=STEPS, ftol=TOLERANCE, xtol=TOLERANCE, force_bounds=True, seed=seed)),
    "SciPy differential_evolution": lambda timed, seed: scipy.optimize.differential_evolution(
        timed, list(zip(timed.lower, timed.upper)), maxiter=STEPS, seed=seed),
    "SciPy dual_annealing": lambda timed, seed: scipy.optimize.dual_annealing(
        timed, list(zip(timed.lower, timed.upper)), maxiter=STEPS, seed=seed),
}
PROGRAMS = (quality_time.PROGRAM, *PEERS)


def search_peer(task, seed, is_over, answers):
    """Searches by a peer, again and again with other seeds; answers (seconds to the success or None, value)."""
    program, function, number, seconds = task
    timed = Timed(function, number, seconds, is_over)
    try:
        while True:
            PEERS[program](timed, seed)
            seed += 1000
    except Over:
        answers.put((timed.hit, timed.best))


def search_shoal(shoal, task, seed, is_over, answers):
    _, function, number, seconds = task
    words = quality_time.words(shoal, "host", function, number, seed, seconds)
    with subprocess.Popen(words, stdout=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"}) as process:
        while process.poll() is None and not is_over.value:
            time.sleep(0.005)
        if is_over.value:
            process.kill()
            answers.put((None, np.inf))
            return
        answers.put(quality_time.answer(json.load(process.stdout)["rows"][0]))


def measure(options, task):
    """Makes a run; gives the seconds to its success, or None, and its value."""
    is_over, answers = PROCESSES.Value("b", 0, lock=False), PROCESSES.SimpleQueue()
    searches = []
    for search in range(options.searches):
        seed = 1 + options.searches * task[2] + search
        target, first = (search_shoal, (options.shoal,)) if task[0] == PROGRAMS[0] else (search_peer, ())
        searches.append(PROCESSES.Process(target=target, args=(*first, task, seed, is_over, answers)))
        searches[-1].start()
    found = []
    for _ in searches:
        found.append(answers.get())
        is_over.value = found[-1][0] is not None or is_over.value
    for search in searches:
        search.join()
    return min((hit for hit, _ in found if hit is not None), default=None), min(value for _, value in found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shoal")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--searches", type=int, default=2)
    parser.add_argument("--programs", type=quality.names(PROGRAMS), default=list(PROGRAMS))
    parser.add_argument("--functions", type=quality.names(quality_evaluations.FUNCTIONS), default=list(quality_evaluations.FUNCTIONS))
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    parser.add_argument("--out")
    options = parser.parse_args()
    commit = quality.record_of(options, "quality-time", "pso")["commit"]
    command = ["shoal" if word == options.shoal else os.path.basename(word) if word == options.out else word for word in sys.argv[1:]]
    record = {"schema": 1, "kind": "quality-time",
              "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
              "command": shlex.join(["bench/peers/same_time.py", *command]), "machine": machine_of(),
              "versions": {"pygmo": pygmo.__version__, "scipy": scipy.__version__}, "shoal": commit, "dim": DIM,
              "runs": options.runs, "searches": options.searches, "seconds": options.seconds, "success": SUCCESS, "cells": []}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for function in options.functions:
            for program in options.programs:
                tasks = [(program, function, number, options.seconds) for number in range(options.runs)]
                runs = list(pool.map(lambda task: measure(options, task), tasks))
                record["cells"].append({"program": program, "function": function, "hits": [hit for hit, _ in runs if hit is not None],
                                        "median": statistics.median(value for _, value in runs)})
                hits = record["cells"][-1]["hits"]
                print(f"{function}, {program}: {len(hits)} of {options.runs}, median {record['cells'][-1]['median']:.3g}"
                      + (f", {statistics.median(hits):.2f} s" if hits else ""), file=sys.stderr)
                if options.out:
                    quality.write(options.out, json.dumps(record, indent=1) + "\n")


def machine_of():
    """Name of the processor."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    main()
