#!/usr/bin/env python3
"""Tours of Python packages on the problems of tsp.cpu.tsplib6 and tsp.cpu.curve-*: how much longer than the best known ones they are.

usage: bench/peers/run.py fast-tsp, elkai or ortools, and with -curves each for tsp.cpu.curve-*
       or: tsp_python.py PACKAGE [--curves] [--limit S] [--runs N] [--problems LIST]

Problems are files NAME.tsp, with points and EDGE_WEIGHT_TYPE EUC_2D, in the folder that $SHOAL_TSPLIB names (`shoal data tsp`
makes those of the DIMACS challenge); OPTIMA.tsv and DIMACS.tsv there have the best known lengths. Run i has seed i where the
package takes seeds; each is a process of its own. The clock runs from the package's call to its tour, whose length is
computed here. A sample is the time of all runs with a seed; the figures are means over all runs, as of `shoal bench`, and the
mean time of each problem. With --curves each problem has a row, whose figures are of runs of 1, 3, 10 and 30 s.

fast-tsp  fast_tsp.find_tour on all threads, which share the best tour. It takes no seeds and a matrix of integers below 2^16,
          made before its clock starts; longer distances are scaled to fit. Its results are those of the unscaled ones.
elkai     LKH-3 on one thread, from coordinates: one run with the limit of seconds. LKH looks at the limit between trials only, so
          a run takes longer: its preparation and its first trial count. Curves are those of its log of the longest run.
ortools   guided local search of the routing solver, on one thread, from its default first tour; without seeds. It takes a matrix as
          lists of Python's numbers, some 50 bytes a pair: up to 10,000 cities.

A package that ends a run later than --limit is stopped, and its problem is left out, which standard error says; so are longer
problems without --curves.
"""
import argparse
import ctypes
import importlib.metadata
import itertools
import json
import math
import multiprocessing
import os
import re
import statistics
import sys
import tempfile
import time
import typing

import numpy as np

PROBLEMS, SECONDS = ("pr1002", "pr2392", "pcb3038", "fnl4461", "rl11849", "d18512"), 10
CURVES, TIMES = ("E1k.0", "pr2392", "E10k.0"), (1, 3, 10, 30)
MOST_DISTANCE = 2 ** 16 - 1


def coordinates(path):
    """The points of a file of TSPLIB."""
    points, inside = [], False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("EDGE_WEIGHT_TYPE") and line.split(":")[1].strip() != "EUC_2D":
                sys.exit(f"{path}: not EUC_2D")
            if inside and line.strip() in ("EOF", ""):
                break
            if inside:
                points.append([float(word) for word in line.split()[1:3]])
            inside = inside or line.startswith("NODE_COORD_SECTION")
    return np.array(points)


def best_known(name):
    folder = os.environ["SHOAL_TSPLIB"]
    for table, column in (("OPTIMA.tsv", 3), ("DIMACS.tsv", 4)):
        with open(os.path.join(folder, table), encoding="utf-8") as file:
            for words in map(str.split, file):
                if words[0] == name:
                    return int(words[column])
    sys.exit(f"{folder}: no best known length of {name}")


def distances(points, to):
    """EUC_2D: rounded to the nearest integer."""
    difference = points - to
    return np.floor(np.sqrt((difference * difference).sum(-1)) + 0.5)


def matrix(points, most=None):
    """All distances, in 16 bits and scaled to at most `most` where it is given."""
    scale = 1
    if most:
        scale = max(1, max(distances(points, point).max() for point in points) / most)
    rows = np.empty((len(points), len(points)), np.uint16 if most else np.int64)
    for row, point in zip(rows, points):
        row[:] = np.floor(distances(points, point) / scale + 0.5)
    return rows


def fast_tsp(points, threads):
    """Each of these three returns a function of seconds and seed that makes a tour, and its log where it has one: pairs of
    seconds and the length that is reached then."""
    import fast_tsp as package

    rows = matrix(points, MOST_DISTANCE)
    return lambda seconds, _seed: (package.find_tour(rows, seconds, threads), None)


def elkai(points, _threads):
    from elkai import _elkai as package  # its public calls know neither limit nor seed

    problem = f"TYPE : TSP\nDIMENSION : {len(points)}\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n" + "".join(
        f"{number} {x:.17g} {y:.17g}\n" for number, (x, y) in enumerate(points, 1))

    def search(seconds, seed):
        with tempfile.TemporaryFile("w+") as file:
            os.dup2(file.fileno(), 1)  # LKH prints its log; the process ends after this search
            tour = package.solve_problem(f"RUNS = 1\nSEED = {seed}\nTIME_LIMIT = {seconds}\nTRACE_LEVEL = 1\n"
                                         "PROBLEM_FILE = :stdin:\n", problem)
            ctypes.CDLL(None).fflush(None)
            file.seek(0)
            text = file.read()
        before = float(re.search(r"Preprocessing time = ([\d.]+)", text)[1])
        log = [(before + float(seconds), int(length))
               for length, seconds in re.findall(r"^\* \d+: Cost = (\d+).* Time = ([\d.]+)", text, re.MULTILINE)]
        return [city - 1 for city in tour], log
    return search


def ortools(points, _threads):
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2 as enums

    rows = matrix(points).tolist()

    def search(seconds, _seed):
        manager = pywrapcp.RoutingIndexManager(len(rows), 1, 0)
        routing = pywrapcp.RoutingModel(manager)
        routing.SetArcCostEvaluatorOfAllVehicles(routing.RegisterTransitMatrix(rows))
        parameters = pywrapcp.DefaultRoutingSearchParameters()
        parameters.local_search_metaheuristic = enums.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
        parameters.time_limit.FromMilliseconds(round(1000 * seconds))
        solution = routing.SolveWithParameters(parameters)
        tour, index = [], routing.Start(0)
        while solution and not routing.IsEnd(index):
            tour.append(manager.IndexToNode(index))
            index = solution.Value(routing.NextVar(index))
        return tour, None
    return search


class Package(typing.NamedTuple):
    make: typing.Callable  # makes the searches
    threads: int  # 0: all of the machine
    distances: str  # their type
    runs: int
    most_cities: float = math.inf


PACKAGES = {"fast-tsp": Package(fast_tsp, 0, "u16", 5), "elkai": Package(elkai, 1, "i32", 5),
            "ortools": Package(ortools, 1, "i64", 1, 10000)}


def answer(search, seconds, seed, pipe):
    begin = time.perf_counter()
    tour, log = search(seconds, seed)
    pipe.send((time.perf_counter() - begin, tour, log))


def run_apart(search, seconds, seed, limit):
    """A run in a process of its own: its seconds, tour and log, or None if it did not end in time."""
    context = multiprocessing.get_context("fork")  # the child shares the matrix
    mine, its = context.Pipe(False)
    child = context.Process(target=answer, args=(search, seconds, seed, its))
    child.start()
    its.close()
    try:
        return mine.recv() if mine.poll(limit) else None
    except EOFError:
        return None
    finally:
        child.kill()
        child.join()


def measure(options, name, every):
    """For each run of each of these seconds a triple: seconds, excess over the best known length, log. None: a run did not end
    in time."""
    points, optimum = coordinates(os.path.join(os.environ["SHOAL_TSPLIB"], name + ".tsp")), best_known(name)
    if len(points) > PACKAGES[options.package].most_cities:
        print(f"{options.package}: {name} is left out: too large", file=sys.stderr, flush=True)
        return None
    search, results = PACKAGES[options.package].make(points, options.threads), []
    for seed, seconds in itertools.product(range(1, 1 + options.runs), every):
        found = run_apart(search, seconds, seed, options.limit or 3 * seconds)
        if not found:
            print(f"{options.package}: {name} is left out: no tour of {seconds:g} s within {options.limit or 3 * seconds:g} s",
                  file=sys.stderr, flush=True)
            return None
        took, tour, log = found
        if sorted(tour) != list(range(len(points))):
            sys.exit(f"{options.package}: {name}, run {seed}: not a tour")
        length = int(distances(points[tour], points[np.roll(tour, -1)]).sum())
        if log and min(length for _, length in log) != length:
            sys.exit(f"{options.package}: {name}, run {seed}: a tour of {length}, which its log does not have")
        print(f"{options.package}: {name} {seed}: {length}, {100 * (length / optimum - 1):.3f} % in {took:.1f} s", file=sys.stderr,
              flush=True)
        results.append((took, length / optimum - 1, [(at, reached / optimum - 1) for at, reached in log or []]))
    return results


def row_of(options, case, figures, samples):
    figures = [("seeds", "", options.runs), *figures]
    return {"case": f"peer.{options.package}.{case}", "device": "host", "variant": f"t{options.threads}",
            "precision": PACKAGES[options.package].distances, "unit": "s", "better": "lower", "check": "pass",
            "wall_s": statistics.mean(samples), "samples": samples,
            "figures": [{"name": name, "value": value, "unit": unit} for name, unit, value in figures]}


def row_of_problems(options):
    """The row beside tsp.cpu.tsplib6."""
    results = {}
    for name in options.problems:  # in the order of their size
        results[name] = measure(options, name, [SECONDS])
        if not results[name]:
            del results[name]
            break
    if not results:
        return None
    excess = {name: statistics.mean(run[1] for run in runs) for name, runs in results.items()}
    took = {name: statistics.mean(run[0] for run in runs) for name, runs in results.items()}
    return row_of(options, "tsp.cpu.tsplib6",
                  [("mean over best known", "", statistics.mean(excess.values()))]
                  + [(f"{name}.tsp", "", mean) for name, mean in excess.items()]
                  + [(f"{name}.tsp seconds", "s", mean) for name, mean in took.items()],
                  [math.fsum(run[0] for run in runs) for runs in zip(*results.values())])


def reached(log, seconds):
    """The excess that a log says was reached by then, or None."""
    return min((excess for at, excess in log if at <= seconds), default=None)


def curve_of(options, name):
    """The row beside tsp.cpu.curve-NAME, or None."""
    has_log = options.package == "elkai"
    runs = measure(options, name, TIMES[-1:] if has_log else TIMES)
    if not runs:
        return None
    each = 1 if has_log else len(TIMES)
    seeds = [runs[first:first + each] for first in range(0, len(runs), each)]
    figures = []
    for i, seconds in enumerate(TIMES):
        values = [reached(seed[0][2], seconds) if has_log else seed[i][1] for seed in seeds]
        if None not in values:
            figures.append((f"{seconds} s", "", statistics.mean(values)))
    return row_of(options, f"tsp.cpu.curve-{name}", figures, [math.fsum(run[0] for run in seed) for seed in seeds])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", choices=sorted(PACKAGES))
    parser.add_argument("--curves", action="store_true", help="a row for each problem, with figures at several times")
    parser.add_argument("--limit", type=float, help="seconds after which a run is stopped; default: three times its seconds")
    parser.add_argument("--runs", type=int, help="default 5; of ortools, whose runs are equal, 1")
    parser.add_argument("--problems", help=f"default {','.join(PROBLEMS)}; with --curves {','.join(CURVES)}")
    parser.add_argument("--version", action="store_true")
    options = parser.parse_args()
    if options.version:
        print(options.package, importlib.metadata.version(options.package))
        return
    if "SHOAL_TSPLIB" not in os.environ:
        sys.exit("tsp_python: SHOAL_TSPLIB does not name the folder of the problems")
    options.runs = options.runs or PACKAGES[options.package].runs
    options.threads = PACKAGES[options.package].threads or len(os.sched_getaffinity(0))
    options.problems = (options.problems or ",".join(CURVES if options.curves else PROBLEMS)).split(",")
    rows = [curve_of(options, name) for name in options.problems] if options.curves else [row_of_problems(options)]
    if not any(rows):
        sys.exit(f"{options.package}: no problem has a tour")
    for row in filter(None, rows):
        print(json.dumps(row))


if __name__ == "__main__":
    main()
