#!/usr/bin/env python3
"""Tours of Python packages, and of shoal in the same runs, on the problems of tsp.cpu.tsplib6, tsp.cpu.ants and tsp.cpu.curve-*: how
much longer than the best known ones they are.

usage: bench/peers/run.py 'PACKAGE[-curves] [OPTION...]'
       or: tsp_python.py PACKAGE [--curves] [OPTION...]

    --set NAME       tsplib6 (default) or ants: the problems of one row
    --problems LIST  other problems, with --curves
    --runs N         default 5; of ortools, whose runs are equal, 1
    --times LIST     seconds, with --curves; default 1,3,10,30
    --threads N      of fast-tsp and shoal; default all
    --device ID      of shoal; default host
    --limit S        seconds after which a run is stopped; default: three times its seconds
    --quiet COMMAND  is called with `begin` before each run and with `end` after it, to keep other programs from the cores meanwhile

Problems are files NAME.tsp, with points and EDGE_WEIGHT_TYPE EUC_2D, in the folder that $SHOAL_TSPLIB names (`shoal data tsp`
makes those of the DIMACS challenge, which shoal itself generates where there is no file); OPTIMA.tsv and DIMACS.tsv there have the
best known lengths. Run i has seed i where the package takes seeds; each is a process of its own. The clock runs from the package's
call to its tour, whose length is computed here. A sample is the time of all runs with a seed; the figures are means over all runs,
as of `shoal bench`, and the mean time of each problem. With --curves each problem has a row, whose figures are of runs of --times.

fast-tsp  fast_tsp.find_tour on all threads, which share the best tour. It takes no seeds and a matrix of integers below 2^16,
          made before its clock starts; longer distances are scaled to fit. Its results are those of the unscaled ones.
elkai     LKH-3 on one thread, from coordinates: one run with the limit of seconds. LKH looks at the limit between trials only, so
          a run takes longer: its preparation and its first trial count. Curves are those of its log of the longest run.
ortools   guided local search of the routing solver, on one thread, from its default first tour; without seeds. It takes a matrix as
          lists of Python's numbers, some 50 bytes a pair: up to 10,000 cities.
colonyx   an ant colony system in Rust on one thread, over all cities, without local search: its 2-opt of a tour of 318 cities takes
          seconds. It has no limit of seconds: a tenth of them tells how many iterations the rest has. Up to 3,000 cities.
shoal-lk, shoal-faco, shoal-acs, shoal-mmas
          `shoal tsp`, the command that $SHOAL names, with this algorithm; MAX-MIN ants with 3-opt, acs without local search and
          with colonyx's parameters. The clock is that of its report, and its kernels are built before.

A package that ends a run later than --limit is stopped, and its problem is left out, which standard error says; so are longer
problems without --curves.
"""
import argparse
import itertools
import json
import math
import multiprocessing
import os
import shlex
import signal
import statistics
import subprocess
import sys
import time

import tsp_programs

SETS = {"tsplib6": ("pr1002", "pr2392", "pcb3038", "fnl4461", "rl11849", "d18512"), "ants": ("kroA100", "lin318", "pr1002")}
SECONDS = 10
CURVES, TIMES = ("E1k.0", "pr2392", "E10k.0"), (1, 3, 10, 30)
PACKAGES = tsp_programs.PACKAGES


def best_known(name):
    folder = os.environ["SHOAL_TSPLIB"]
    for table, column in (("OPTIMA.tsv", 3), ("DIMACS.tsv", 4)):
        path = os.path.join(folder, table)
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            for words in map(str.split, file):
                if words and words[0] == name:
                    return int(words[column])
    sys.exit(f"{folder}: no best known length of {name}")


def answer(search, seconds, seed, pipe):
    os.setsid()  # a group of its own, so that programs which it starts end with it
    begin = time.perf_counter()
    found, log = search(seconds, seed)
    pipe.send((time.perf_counter() - begin, found, log))


def run_apart(options, search, seconds, seed):
    """A run in a process of its own: its seconds, what it found and its log, or None if it did not end in time."""
    context = multiprocessing.get_context("fork")  # the child shares the matrix
    mine, its = context.Pipe(False)
    child = context.Process(target=answer, args=(search, seconds, seed, its))
    tell(options, "begin")
    child.start()
    its.close()
    try:
        return mine.recv() if mine.poll(options.limit or 3 * seconds) else None
    except EOFError:
        sys.exit(f"{options.package}: run {seed} has failed")
    finally:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            child.kill()
        child.join()
        tell(options, "end")


def tell(options, what):
    if options.quiet:
        subprocess.run([*shlex.split(options.quiet), what], check=True)


def measure(options, name, every):
    """For each run of each of these seconds a triple: seconds, excess over the best known length, log. None: a run did not end
    in time."""
    package, optimum = PACKAGES[options.package], best_known(name)
    problem = tsp_programs.Problem(name, options.threads, options.device)
    if package.most_cities < math.inf and len(problem.points) > package.most_cities:
        print(f"{options.package}: {name} is left out: too large", file=sys.stderr, flush=True)
        return None
    search, results = package.make(problem), []
    for seed, seconds in itertools.product(range(1, 1 + options.runs), every):
        run = run_apart(options, search, seconds, seed)
        if not run:
            print(f"{options.package}: {name} is left out: no tour of {seconds:g} s within {options.limit or 3 * seconds:g} s",
                  file=sys.stderr, flush=True)
            return None
        took, found, log = run
        length = package.length(problem, found)
        if length is None:
            sys.exit(f"{options.package}: {name}, run {seed}: not a tour")
        if log and min(length for _, length in log) != length:
            sys.exit(f"{options.package}: {name}, run {seed}: a tour of {length}, which its log does not have")
        if package.report:
            took, options.fields = package.report(found)
        print(f"{options.package}: {name} {seed}: {length}, {100 * (length / optimum - 1):.3f} % in {took:.1f} s", file=sys.stderr,
              flush=True)
        results.append((took, length / optimum - 1, [(at, reached / optimum - 1) for at, reached in log or []]))
    return results


def row_of(options, case, figures, samples):
    figures = [("seeds", "", options.runs), *figures]
    fields = {"device": "host", "variant": f"t{options.threads}", **options.fields}
    return {"case": f"peer.{options.package}.tsp.{'' if fields['device'].startswith('cuda') else 'cpu.'}{case}", **fields,
            "precision": PACKAGES[options.package].distances, "unit": "s", "better": "lower", "check": "pass",
            "wall_s": statistics.mean(samples), "samples": samples,
            "figures": [{"name": name, "value": value, "unit": unit} for name, unit, value in figures]}


def row_of_set(options):
    """The row beside tsp.cpu.tsplib6 or tsp.cpu.ants."""
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
    return row_of(options, options.set,
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
    runs = measure(options, name, [max(options.times)] if has_log else options.times)
    if not runs:
        return None
    each = 1 if has_log else len(options.times)
    seeds = [runs[first:first + each] for first in range(0, len(runs), each)]
    figures = []
    for i, seconds in enumerate(options.times):
        values = [reached(seed[0][2], seconds) if has_log else seed[i][1] for seed in seeds]
        if None not in values:
            figures.append((f"{seconds:g} s", "", statistics.mean(values)))
    return row_of(options, f"curve-{name}", figures, [math.fsum(run[0] for run in seed) for seed in seeds])


def names(text):
    return text.split(",")


def seconds(text):
    return [float(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    hidden = argparse.SUPPRESS  # the description explains these options
    parser.add_argument("package", choices=sorted(PACKAGES))
    parser.add_argument("--curves", action="store_true", help=hidden)
    parser.add_argument("--set", choices=sorted(SETS), default="tsplib6", help=hidden)
    parser.add_argument("--problems", type=names, help=hidden)
    parser.add_argument("--times", type=seconds, help=hidden)
    parser.add_argument("--runs", type=int, help=hidden)
    parser.add_argument("--threads", type=int, help=hidden)
    parser.add_argument("--device", default="host", help=hidden)
    parser.add_argument("--limit", type=float, help=hidden)
    parser.add_argument("--quiet", help=hidden)
    parser.add_argument("--version", action="store_true", help=hidden)
    options = parser.parse_args()
    package, options.fields = PACKAGES[options.package], {}
    if options.version:
        print(package.version(options.package))
        return
    if "SHOAL_TSPLIB" not in os.environ:
        sys.exit("tsp_python: SHOAL_TSPLIB does not name the folder of the problems")
    if not options.curves and (options.problems or options.times):
        parser.error("--problems and --times need --curves")
    options.times = options.times or TIMES
    options.runs = options.runs or package.runs
    options.threads = package.threads or options.threads or len(os.sched_getaffinity(0))
    options.problems = options.problems or (CURVES if options.curves else SETS[options.set])
    rows = [curve_of(options, name) for name in options.problems] if options.curves else [row_of_set(options)]
    if not any(rows):
        sys.exit(f"{options.package}: no problem has a tour")
    for row in filter(None, rows):
        print(json.dumps(row))


if __name__ == "__main__":
    main()
