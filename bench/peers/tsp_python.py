#!/usr/bin/env python3
"""Tours of Python packages on the problems of tsp.cpu.tsplib6: how much longer than the best known ones they are.

usage: bench/peers/run.py fast-tsp, elkai or ortools
       or: tsp_python.py PACKAGE [--seconds S] [--limit S] [--runs N] [--problems LIST] [--case NAME]

Problems are files NAME.tsp, with points and EDGE_WEIGHT_TYPE EUC_2D, in the folder that $SHOAL_TSPLIB names; OPTIMA.tsv
and DIMACS.tsv there have the best known lengths. Run i has seed i where the package takes seeds; each is a process of its own.
The clock runs from the package's call to its tour, whose length is computed here. A sample is the time of all problems; the
figures are means over all runs, as of `shoal bench`, and the mean time of each problem.

fast-tsp  fast_tsp.find_tour on all threads, which share the best tour. It takes no seeds and a matrix of integers below 2^16,
          made before its clock starts; longer distances are scaled to fit. Its results are those of the unscaled ones.
elkai     LKH-3 on one thread, from coordinates: one run with the limit of seconds. LKH looks at the limit between trials only, so
          a run takes longer: its preparation and its first trial count.
ortools   guided local search of the routing solver, on one thread, from its default first tour, with a matrix; without seeds.

A package that ends a run later than --limit is stopped, and its problem and longer ones are left out, which standard error names.
"""
import argparse
import importlib.metadata
import json
import math
import multiprocessing
import os
import sys
import time

import numpy as np

PROBLEMS = "pr1002,pr2392,pcb3038,fnl4461,rl11849,d18512"
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
    """Each of these three returns a function of seconds and seed that makes a tour."""
    import fast_tsp as package

    rows = matrix(points, MOST_DISTANCE)
    return lambda seconds, _seed: package.find_tour(rows, seconds, threads)


def elkai(points, _threads):
    from elkai import _elkai as package  # its public calls know neither limit nor seed

    problem = f"TYPE : TSP\nDIMENSION : {len(points)}\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n" + "".join(
        f"{number} {x:.17g} {y:.17g}\n" for number, (x, y) in enumerate(points, 1))
    return lambda seconds, seed: [city - 1 for city in package.solve_problem(
        f"RUNS = 1\nSEED = {seed}\nTIME_LIMIT = {seconds}\nPROBLEM_FILE = :stdin:\n", problem)]


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
        return tour
    return search


# Package: what makes its searches, its threads (0: all of the machine), the type of its distances.
PACKAGES = {"fast-tsp": (fast_tsp, 0, "u16"), "elkai": (elkai, 1, "i32"), "ortools": (ortools, 1, "i64")}


def answer(search, seconds, seed, pipe):
    begin = time.perf_counter()
    tour = search(seconds, seed)
    pipe.send((time.perf_counter() - begin, tour))


def run_apart(search, seconds, seed, limit):
    """A run in a process of its own: its seconds and tour, or None if it did not end in time."""
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


def measure(options, name, threads, limit):
    """Seconds and excess over the best known length of each run, or None if one did not end in time."""
    points, optimum = coordinates(os.path.join(os.environ["SHOAL_TSPLIB"], name + ".tsp")), best_known(name)
    search, results = PACKAGES[options.package][0](points, threads), []
    for seed in range(1, 1 + options.runs):
        found = run_apart(search, options.seconds, seed, limit)
        if not found:
            return None
        seconds, tour = found
        if sorted(tour) != list(range(len(points))):
            sys.exit(f"{options.package}: {name}, run {seed}: not a tour")
        length = int(distances(points[tour], points[np.roll(tour, -1)]).sum())
        print(f"{options.package}: {name} {seed}: {length}, {100 * (length / optimum - 1):.3f} % in {seconds:.1f} s",
              file=sys.stderr, flush=True)
        results.append((seconds, length / optimum - 1))
    return results


def row_of(options, results, threads):
    """The row of the result file from what `measure` returned for each problem."""
    runs = options.runs
    took, excess = ({name: math.fsum(values) / runs for name, values in
                     ((name, [pair[part] for pair in pairs]) for name, pairs in results.items())} for part in (0, 1))
    figures = [("seeds", "", runs), ("mean over best known", "", math.fsum(excess.values()) / len(excess))]
    figures += [(f"{name}.tsp", "", mean) for name, mean in excess.items()]
    figures += [(f"{name}.tsp seconds", "s", mean) for name, mean in took.items()]
    samples = [math.fsum(seconds for seconds, _ in pairs) for pairs in zip(*results.values())]
    return {"case": f"peer.{options.package}.{options.case}", "device": "host", "variant": f"t{threads}",
            "precision": PACKAGES[options.package][2], "unit": "s", "better": "lower", "check": "pass",
            "wall_s": math.fsum(samples) / runs, "samples": samples,
            "figures": [{"name": name, "value": value, "unit": unit} for name, unit, value in figures]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", choices=sorted(PACKAGES))
    parser.add_argument("--seconds", type=float, default=10, help="of each run")
    parser.add_argument("--limit", type=float, help="seconds after which a run is stopped; default: three times --seconds")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--problems", default=PROBLEMS, help=f"default {PROBLEMS}")
    parser.add_argument("--case", default="tsp.cpu.tsplib6", help="case that the row is beside, default tsp.cpu.tsplib6")
    parser.add_argument("--version", action="store_true")
    options = parser.parse_args()
    if options.version:
        print(options.package, importlib.metadata.version(options.package))
        return
    if "SHOAL_TSPLIB" not in os.environ:
        sys.exit("tsp_python: SHOAL_TSPLIB does not name the folder of the problems")
    threads = PACKAGES[options.package][1] or len(os.sched_getaffinity(0))
    limit, results = options.limit or 3 * options.seconds, {}
    for name in options.problems.split(","):
        found = measure(options, name, threads, limit)
        if not found:
            print(f"{options.package}: {name} and later problems are left out: no tour within {limit:g} s", file=sys.stderr,
                  flush=True)
            break
        results[name] = found
    if not results:
        sys.exit(f"{options.package}: no problem has a tour")
    print(json.dumps(row_of(options, results, threads)))


if __name__ == "__main__":
    main()
