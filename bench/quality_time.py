"""Part of quality.py page: how often programs find the minimum in 30 dimensions within some seconds, measured by
bench/peers/same_time.py.

File format, schema 1: {"schema", "kind": "quality-time", "date", "command", "machine", "versions": {name: version}, "shoal",
"dim", "runs", "searches" (side by side in a run), "seconds" (of a run), "success", "cells": [{"program", "function", "hits":
[seconds to the success of each run that has one], "median" (of the values of the runs at their ends)}]}.
"""
import os
import statistics

import quality

# Runs are counted that have found the minimum after so many seconds.
LOOKS = (1, 10)


def text_of(cell, runs):
    counts = ", ".join(f"{100 * sum(hit <= look for hit in cell['hits']) / runs:.0f}" for look in LOOKS)
    return f"{counts} ({statistics.median(cell['hits']):.2f})" if 2 * len(cell["hits"]) > runs else counts


def section(path, record):
    """Lines of the page."""
    programs = list(dict.fromkeys(cell["program"] for cell in record["cells"]))
    cells = {(cell["program"], cell["function"]): cell for cell in record["cells"]}
    rows = [[function, *(text_of(cells[program, function], record["runs"]) if (program, function) in cells else "-"
                         for program in programs)]
            for function in dict.fromkeys(cell["function"] for cell in record["cells"])]
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    return [f"## The same time, {record['dim']} dimensions: {record['machine']}", "",
            f"Cells show the percentage of {record['runs']} runs that come within {record['success']:g} of the minimum in "
            f"{' and in '.join(map(str, LOOKS))} seconds, and in parentheses the median time in seconds where more than half of the "
            f"runs do. A run has {record['searches']} searches side by side, each on one core, with different seeds, and ends with "
            "the first success. Programs have their defaults, except for tolerances of 1e-10 of pagmo's; a search that ends by its "
            "own rules begins again. Times begin with the search; functions of the other programs are NumPy's, so their times are "
            f"those of an objective in Python. Minimum, boxes and rotations: as in *300,000 evaluations*. Versions: {versions}. "
            f"`{record['command']}`, {record['date'][:10]}, commit {record['shoal']}: [{os.path.basename(path)}]"
            f"(../{os.path.relpath(os.path.abspath(path), quality.ROOT)}).", "",
            *quality.table(["function", *programs], rows, 1)]
