#!/usr/bin/env python3
"""How soon `shoal ga` finds known optima: for each problem the runs of several seeds, the median of their seconds.

usage: bench/ga/solved.py [--shoal PROGRAM] [--device ID] [--data FOLDER] [--seeds N] [--limit S] [--json FILE] [NAME...]

Seconds are those of the command behind its builds (wall_s of its JSON). A run that has not reached its target
after the time limit counts as infinite. Problems of files (QAPLIB, OR-library) are looked for in FOLDER and in FOLDER/qap,
and skipped with a line where they are missing. NAME: those whose names contain it.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys

TABU = ["--local-search", "tabu"]
# Repaired children without duplicates, as Chu and Beasley have them, by islands. Five bits of 100 are flipped in a child: with
# three, islands of mknapcb1-4 stay at a value of 23527 in one run of seven.
KNAPSACK = ["--function", "knapsack", "--repair", "written-back", "--replacement", "steady", "--unique",
            "--crossover", "uniform", "--mutation", "flip", "--gene-rate", "0.05", "--population", "256",
            "--children", "128", "--islands", "32", "--exchange", "20"]
SHOP = [*TABU, "--moves", "insertion", "--local-steps", "100", "--population", "1057"]

# Name, wanted seconds, target, file, options. The seconds are those asked of an H200.
PROBLEMS = [
    ("labs-50", 0.3, 153, None, ["--function", "labs", "--dim", "50", "--population", "2113", *TABU]),
    ("labs-60", 3, 218, None, ["--function", "labs", "--dim", "60", "--population", "2113", *TABU]),
    ("nug30", 0.5, 6124, "nug30.dat", ["--function", "qap", "--population", "529", "--local-steps", "300", *TABU]),
    ("tai30a", 10, 1818146, "tai30a.dat", ["--function", "qap", "--population", "1057", "--local-steps", "1000", *TABU]),
    *[(f"mknapcb1-{i}", 1, best, f"mknapcb1.txt:{i}", KNAPSACK)
      for i, best in enumerate((24381, 24274, 23551, 23534, 23991), 1)],
    ("ta001", 0.5, 1278, None, ["--function", "flow-shop", "--data", "ta001", *SHOP]),
    ("ta031", 1, 2724, None, ["--function", "flow-shop", "--data", "ta031", *SHOP]),
    ("ta051", 10, 3927, None, ["--function", "flow-shop", "--data", "ta051", *SHOP]),
    ("planted-sat-250", 1, 0, None, ["--function", "planted-sat", "--dim", "250", "--population", "529", *TABU]),
    ("trap-5-100", 1, 100, None, ["--function", "trap-5", "--dim", "100", "--population", "512", "--islands", "8",
                                  "--exchange", "5", "--migrants", "2"]),
]


def find_file(folder, name):
    """The path of a file, which may have the number of an instance behind a colon; None: it is not there."""
    path, colon, number = name.partition(":")
    for place in (folder, os.path.join(folder, "qap")):
        if os.path.exists(os.path.join(place, path)):
            return os.path.join(place, path) + colon + number
    return None


def finite_or_none(seconds):
    """JSON has no infinity."""
    return seconds if math.isfinite(seconds) else None


def run(options, arguments, target, seed, iterations=100000000):
    """Seconds and evaluations of a run."""
    command = [options.shoal, "ga", "--device", options.device, "--json", "--seed", str(seed), "--target", str(target),
               "--iterations", str(iterations), "--time", str(options.limit), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{(done.stderr or done.stdout).strip()[-400:]}")
    row = json.loads(done.stdout)["rows"][0]
    reached = row["result"]["fields"].get("reached") is not None
    return (row["wall_s"] if reached else math.inf), row["result"]["work"], row["result"]["value"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--shoal", default="build/tools/shoal")
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--data", default="../shared/data/ga")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--json")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    results = []
    print(f"{'problem':16} {'target':>9} {'solved':>7} {'median s':>9} {'asked':>6} {'slowest':>8} {'G evals/s':>10}")
    for name, asked, target, file, arguments in PROBLEMS:
        if options.names and not any(part in name for part in options.names):
            continue
        path = find_file(options.data, file) if file else None
        if file and not path:
            print(f"{name:16} skipped: there is no {file} in {options.data}")
            continue
        arguments = arguments + (["--data", path] if path else [])
        run(options, arguments, target, 1, iterations=1)  # builds the kernels
        runs = [run(options, arguments, target, seed) for seed in range(1, options.seeds + 1)]
        seconds = sorted(s for s, _, _ in runs)
        solved = sum(math.isfinite(s) for s in seconds)
        median = statistics.median(seconds)
        finite = [(s, work) for s, work, _ in runs if math.isfinite(s) and s > 0]
        rate = sum(work for _, work in finite) / sum(s for s, _ in finite) / 1e9 if finite else 0
        print(f"{name:16} {target:9} {solved:3}/{len(runs):3} {median:9.3g} {asked:6} {seconds[-1]:8.3g} {rate:10.3g}",
              flush=True)
        results.append({"problem": name, "target": target, "asked_s": asked, "median_s": finite_or_none(median),
                        "seconds": [finite_or_none(s) for s in seconds],
                        "values": [value for _, _, value in runs], "arguments": arguments})
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(results, out, indent=1, allow_nan=False)


if __name__ == "__main__":
    main()
