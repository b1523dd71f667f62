#!/usr/bin/env python3
"""How soon `shoal tsp` finds known optima: for each problem and algorithm the runs of several seeds, the median of their seconds.

usage: bench/tsp/solved.py [--shoal PROGRAM] [--device ID] [--data FOLDER] [--seeds N] [--limit S] [--json FILE] [NAME...]

bench/solved.py says what the seconds are. The problems are files of TSPLIB, looked for in FOLDER and skipped with a line where
they are missing. NAME: those whose names contain it.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import solved


def mmas(search, ants, colonies=1):
    return ["--algorithm", "mmas", "--localsearch", str(search), "--ants", str(ants), "--colonies", str(colonies)]


# Name, wanted seconds, target, file, options. The seconds are those asked of an H200; 3opt: 3-opt, or: 2-opt and Or-opt,
# then ants and colonies.
PROBLEMS = [
    ("pr1002-3opt-1024", 2, 259045, "pr1002.tsp", mmas(3, 1024)),
    ("pr1002-3opt-256", 2, 259045, "pr1002.tsp", mmas(3, 256)),
    ("pr1002-3opt-128x4", 2, 259045, "pr1002.tsp", mmas(3, 128, 4)),
    ("pr1002-or-1024", 2, 259045, "pr1002.tsp", mmas(4, 1024)),
]


def has_reached(result, target):
    return result["value"] <= target


if __name__ == "__main__":
    solved.main(__doc__, "tsp", ("../shared/data/tsplib", ("",)), PROBLEMS, has_reached, ("k tours/s", 1e3))
