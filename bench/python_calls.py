#!/usr/bin/env python3
"""Shows what shoal.minimise() costs beside the Python function that it calls.

usage: PYTHONPATH=BUILD/python python_calls.py [--dim D] [--points N] [--cost US] [--calls N] [--scalar-cost US] [--rounds N]
    [ALGORITHM...]

A vectorised function evaluates all points of a step in one call and takes --cost microseconds for each point; its row is the
time of the search, without what a bare loop of as many calls takes beside the function, over the time in the function. A
scalar function takes --scalar-cost microseconds a call; its row is the time of a search of --calls calls over that of a bare
loop which calls it for the rows of an array. Times are processor times of this thread, which calls all of these functions, so
other programs disturb them little. Rows have the median of --rounds searches, each with a seed of its own.
"""
import argparse
import statistics
import time

import numpy as np
import shoal

ALGORITHMS = ("pso", "de", "ga", "cmaes", "auto")
clock = time.thread_time


def rastrigin(x):
    """The values of the columns of x."""
    return 10 * len(x) + (x * x - 10 * np.cos(2 * np.pi * x)).sum(axis=0)


class Vectorised:
    """A function that takes `cost` seconds for each point, and counts its calls, points and seconds."""

    def __init__(self, cost):
        self.cost, self.calls, self.points, self.spent = cost, 0, 0, 0.0

    def __call__(self, x):
        began = clock()
        values = rastrigin(x)
        count = x.shape[1]
        while clock() - began < self.cost * count:
            pass
        self.calls += 1
        self.points += count
        self.spent += clock() - began
        return values


def bare_cost(cost, shape):
    """The seconds of a call of a Vectorised that it does not count: a read of the clock, a system call, its own counts, and
    the call itself. A bare loop has them, too, so they are no time of a search. The least of several loops."""
    def mean():
        function, x = Vectorised(cost), np.zeros(shape)
        began = clock()
        for _ in range(200):
            function(x)
        return (clock() - began - function.spent) / function.calls
    return min(mean() for _ in range(10))


def vectorised(algorithm, options, seed):
    """(ratio, points of a call, microseconds outside of the function for each point, algorithm)"""
    function = Vectorised(options.cost * 1e-6)
    began = clock()
    result = shoal.minimise(function, [(-5.12, 5.12)] * options.dim, vectorized=True, algorithm=algorithm,
                            evaluations=options.points, seed=seed)
    seconds = clock() - began
    seconds -= function.calls * bare_cost(options.cost * 1e-6, (options.dim, function.points // function.calls))
    return (seconds / function.spent, function.points / function.calls, 1e6 * (seconds - function.spent) / function.points,
            result.algorithm)


def scalar(algorithm, options, seed):
    """(ratio, 1, microseconds outside of the function for each point, algorithm)"""
    cost = options.scalar_cost * 1e-6

    def function(x):
        end = clock() + cost
        value = float(x @ x)
        while clock() < end:
            pass
        return value

    began = clock()
    result = shoal.minimise(function, [(-5.12, 5.12)] * options.dim, algorithm=algorithm, evaluations=options.calls, seed=seed)
    seconds = clock() - began
    points = np.random.default_rng(seed).uniform(-5.12, 5.12, (result.nfev, options.dim))
    began = clock()
    for x in points:
        function(x)
    bare = clock() - began
    return seconds / bare, 1, 1e6 * (seconds - bare) / result.nfev, result.algorithm


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("algorithms", nargs="*", default=ALGORITHMS, metavar="ALGORITHM")
    for name, default in (("dim", 10), ("points", 200000), ("calls", 50000), ("rounds", 3)):
        parser.add_argument("--" + name, type=int, default=default)
    for name, default in (("cost", 1.0), ("scalar-cost", 5.0)):
        parser.add_argument("--" + name, type=float, default=default)
    options = parser.parse_args()
    print(f"{'objective':<12} {'algorithm':<12} {'points a call':>13} {'us a point outside':>18} {'ratio':>6}")
    for name, measure in (("vectorised", vectorised), ("scalar", scalar)):
        for algorithm in options.algorithms:
            rows = [measure(algorithm, options, seed + 1) for seed in range(options.rounds)]
            ratio, count, outside = (statistics.median(row[k] for row in rows) for k in range(3))
            taken = rows[0][3] if rows[0][3] == algorithm else f"{algorithm} ({rows[0][3]})"
            print(f"{name:<12} {taken:<12} {count:>13.1f} {outside:>18.3f} {ratio:>6.3f}", flush=True)


if __name__ == "__main__":
    main()
