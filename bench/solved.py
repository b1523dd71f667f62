"""How soon a command finds known optima: what the scripts bench/ga/solved.py and bench/tsp/solved.py share.

Seconds are those of the command behind its builds (wall_s of its JSON). A run that has not reached its target
after the time limit counts as infinite.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys


def find_file(folders, name):
    """The path of a file, which may have the number of an instance behind a colon; None: it is not there."""
    path, colon, number = name.partition(":")
    for folder in folders:
        if os.path.exists(os.path.join(folder, path)):
            return os.path.join(folder, path) + colon + number
    return None


def finite_or_none(seconds):
    """JSON has no infinity."""
    return seconds if math.isfinite(seconds) else None


def run(options, arguments, target, seed, iterations=100000000):
    """Seconds, work and value of a run."""
    command = [options.shoal, options.command, "--device", options.device, "--json", "--seed", str(seed), "--target",
               str(target), "--iterations", str(iterations), "--time", str(options.limit), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{(done.stderr or done.stdout).strip()[-400:]}")
    row = json.loads(done.stdout)["rows"][0]
    reached = options.has_reached(row["result"], target)
    return (row["wall_s"] if reached else math.inf), row["result"]["work"], row["result"]["value"]


def measure(options, name, asked, target, arguments):
    """Prints the line of a problem and returns its record."""
    run(options, arguments, target, 1, iterations=1)  # builds the kernels
    runs = [run(options, arguments, target, seed) for seed in range(1, options.seeds + 1)]
    seconds = sorted(s for s, _, _ in runs)
    solved = sum(math.isfinite(s) for s in seconds)
    median = statistics.median(seconds)
    finite = [(s, work) for s, work, _ in runs if math.isfinite(s) and s > 0]
    rate = sum(work for _, work in finite) / sum(s for s, _ in finite) / options.unit if finite else 0
    print(f"{name:16} {target:9} {solved:3}/{len(runs):3} {median:9.3g} {asked:6} {seconds[-1]:8.3g} {rate:10.3g}",
          flush=True)
    return {"problem": name, "target": target, "asked_s": asked, "median_s": finite_or_none(median),
            "seconds": [finite_or_none(s) for s in seconds], "values": [value for _, _, value in runs],
            "arguments": arguments}


def main(usage, command, data, problems, has_reached, rate):
    """The whole script. `data`: the default of --data, and the folders in it that may have the files. `problems`: name, wanted
    seconds, target, file, options. has_reached(result, target): of a run. `rate`: the title of its column and its unit."""
    parser = argparse.ArgumentParser(usage=usage.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--shoal", default="build/tools/shoal")
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--data", default=data[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--json")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(namespace=argparse.Namespace(command=command, has_reached=has_reached, unit=rate[1]))
    results = []
    print(f"{'problem':16} {'target':>9} {'solved':>7} {'median s':>9} {'asked':>6} {'slowest':>8} {rate[0]:>10}")
    for name, asked, target, file, arguments in problems:
        if options.names and not any(part in name for part in options.names):
            continue
        path = find_file([os.path.join(options.data, folder) for folder in data[1]], file) if file else None
        if file and not path:
            print(f"{name:16} skipped: there is no {file} in {options.data}")
            continue
        results.append(measure(options, name, asked, target, arguments + (["--data", path] if path else [])))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(results, out, indent=1, allow_nan=False)
