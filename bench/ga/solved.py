#!/usr/bin/env python3
"""How soon `shoal ga` finds known optima: for each problem the runs of several seeds, the median of their seconds.

usage: bench/ga/solved.py [--shoal PROGRAM] [--device ID] [--data FOLDER] [--seeds N] [--limit S] [--json FILE] [NAME...]

bench/solved.py says what the seconds are. Problems of files (QAPLIB, OR-library) are looked for in FOLDER and in FOLDER/qap,
and skipped with a line where they are missing. NAME: those whose names contain it.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import solved

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


def has_reached(result, _target):
    return result["fields"].get("reached") is not None


if __name__ == "__main__":
    solved.main(__doc__, "ga", ("../shared/data/ga", ("", "qap")), PROBLEMS, has_reached, ("G evals/s", 1e9))
