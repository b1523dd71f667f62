"""The part `time` of quality.py: how often `shoal optimise` finds the minimum in 30 dimensions within some seconds.

usage: quality.py time SHOAL [--device ID] [--functions LIST] [--runs N] [--seconds T] [--out FILE.json]

The minimum of each run is at another place, as in quality_evaluations.py. bench/peers/same_time.py measures other programs beside
shoal on the host, with the same places.

File format, schema 1: {"schema", "kind": "quality-time", "date", "command", "machine", "device" (its id where shoal alone is
measured), "versions": {name: version}, "shoal", "dim", "runs", "searches" (side by side in a run), "seconds" (of a run), "success",
"cells": [{"program", "function", "hits": [seconds to the success of each run that has one], "median" (of the values of the runs at
their ends)}]}.
"""
import json
import os
import statistics
import sys

import quality
import quality_evaluations

# Runs are counted that have found the minimum after so many seconds.
LOOKS = (1, 10)
PROGRAM = "shoal optimise"


def words(shoal, device, function, number, seed, seconds):
    """The command of a search."""
    return [shoal, "optimise", "--json", "--quiet", "--device", device, "--seed", str(seed), "--time", str(seconds), "--target",
            repr(quality_evaluations.SUCCESS), *quality_evaluations.place(function, number)]


def answer(row):
    """Seconds to the success of a search, or None, and its value."""
    value = row["result"]["value"]
    return (row["wall_s"] + row["first_launch_s"] if value <= quality_evaluations.SUCCESS else None), value


def run(options):
    record = quality.record_of(options, "quality-time", "pso")
    record.update(shoal=record.pop("commit"), versions={}, dim=quality_evaluations.DIM, runs=options.runs, searches=1,
                  seconds=options.seconds, success=quality_evaluations.SUCCESS)
    for function in options.functions:
        found = []
        for number in range(options.runs):
            document = quality.call(words(options.shoal, options.device, function, number, number + 1, options.seconds))
            found.append(answer(document["rows"][0]))
            record["machine"], record["device"] = (document["devices"][0][key] for key in ("name", "id"))
        hits = [hit for hit, _ in found if hit is not None]
        record["cells"].append({"program": PROGRAM, "function": function, "hits": hits,
                                "median": statistics.median(value for _, value in found)})
        print(f"{function}: {len(hits)} of {options.runs}"
              + (f", median {statistics.median(hits):.3f}, longest {max(hits):.3f} s" if hits else ""), file=sys.stderr, flush=True)
        if options.out:
            quality.write(options.out, json.dumps(record, indent=1) + "\n")


def text_of(cell, runs, looks):
    counts = ", ".join(f"{100 * sum(hit <= look for hit in cell['hits']) / runs:.0f}" for look in looks)
    return f"{counts} ({statistics.median(cell['hits']):.2g})" if 2 * len(cell["hits"]) > runs else counts


def section(path, record):
    """Lines of the page."""
    programs = list(dict.fromkeys(cell["program"] for cell in record["cells"]))
    cells = {(cell["program"], cell["function"]): cell for cell in record["cells"]}
    looks = [look for look in LOOKS if look < record["seconds"]] + [record["seconds"]]
    rows = [[function, *(text_of(cells[program, function], record["runs"], looks) if (program, function) in cells else "-"
                         for program in programs)]
            for function in dict.fromkeys(cell["function"] for cell in record["cells"])]
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    alone = record.get("device")
    rules = ("A run is one search, with a seed of its own, and ends with the success. Times begin when the kernels are built. " if alone
             else f"A run has {record['searches']} searches side by side, each on one core, with different seeds, and ends with "
             "the first success. Programs have their defaults, except for tolerances of 1e-10 of pagmo's; a search that ends by its "
             "own rules begins again. Times begin with the search; functions of the other programs are NumPy's, so their times are "
             f"those of an objective in Python. Versions: {versions}. ")
    return [f"## The same time, {record['dim']} dimensions: {record['machine']}{f' ({alone})' if alone else ''}", "",
            f"Cells show the percentage of {record['runs']} runs that come within {record['success']:g} of the minimum in "
            f"{' and '.join(f'{look:g} s' for look in looks)}, and in parentheses the median time in seconds where more than half of the "
            f"runs do. {rules}Minimum, boxes and rotations: as in *300,000 evaluations*. "
            f"`{record['command']}`, {record['date'][:10]}, commit {record['shoal']}: [{os.path.basename(path)}]"
            f"(../{os.path.relpath(os.path.abspath(path), quality.ROOT)}).", "",
            *quality.table(["function", *programs], rows, 1)]


def add(commands):
    one = commands.add_parser("time")
    one.add_argument("shoal")
    one.add_argument("--device", default="host")
    one.add_argument("--functions", type=quality.names(quality_evaluations.FUNCTIONS), default=list(quality_evaluations.FUNCTIONS))
    one.add_argument("--runs", type=int, default=100)
    one.add_argument("--seconds", type=float, default=1)
    one.add_argument("--out")
    one.set_defaults(action=run)
