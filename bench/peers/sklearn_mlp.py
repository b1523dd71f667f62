#!/usr/bin/env python3
"""Nets of `shoal mlp` and of scikit-learn on the same rows, written as CSV: the five small data sets that scikit-learn has,
and functions with and without noise, 400 rows, drawn anew for each split:
    line, line-noise     make_regression, 10 inputs; standard deviation 50 of the noise
    friedman1 ... friedman3, and -noise
                         make_friedman1 ..., standard deviations 1, 125 and 0.1 of the noise
    sin-square, product  sin a + b^2, and a b, both from -3 to 3; and -noise, of a third of the standard deviation

usage: sklearn_mlp.py SHOAL [--device ID] [--splits N] [--sets LIST] [--out FILE.json]

Each split of a set draws a fifth of the rows, a share of each class, as test rows; both programs train on the others and
predict these. shoal gets two files and the name of the target, nothing else. scikit-learn gets its defaults, and, as its
manual asks for, them behind a StandardScaler, with up to 1000 epochs. One table: means over the splits of the accuracy, of
numbers R2. The exit code is 1 if shoal is below the scaled nets by more than 0.01.

File format, schema 1: {"schema", "kind": "sklearn-mlp", "commit", "date", "command", "device": {"id", "name", "driver"},
"scikit_learn", "cells": [{"set", "figure", "rows", "inputs", "shoal": [...], "defaults": [...], "scaled": [...]}]}, a
score for each split.
"""
import argparse
import csv
import datetime
import json
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import warnings

import numpy
import sklearn
from sklearn import datasets, neural_network, pipeline, preprocessing
from sklearn.model_selection import train_test_split

ROWS = 400
LOADED = {"iris": datasets.load_iris, "wine": datasets.load_wine, "cancer": datasets.load_breast_cancer,
          "digits": datasets.load_digits, "diabetes": datasets.load_diabetes}
# Sets whose targets are written as words, which are their own names; those of others are numbers or "class_0".
NAMED = ("iris", "cancer")


def of_two(function):
    """Returns a maker of rows of a function of two inputs; the noise is in standard deviations of the function."""
    def make(rows, noise, random_state):
        random = numpy.random.default_rng(random_state)
        x = random.uniform(-3, 3, (rows, 2))
        y = function(*x.T)
        return x, y + noise * y.std() * random.normal(size=rows)
    return make


# Each entry: (maker, noise).
MADE = {"line": (datasets.make_regression, 50), "friedman1": (datasets.make_friedman1, 1),
        "friedman2": (datasets.make_friedman2, 125), "friedman3": (datasets.make_friedman3, 0.1),
        "sin-square": (of_two(lambda a, b: numpy.sin(a) + b * b), 1 / 3), "product": (of_two(lambda a, b: a * b), 1 / 3)}
SETS = [*LOADED, *(name + noise for name in MADE for noise in ("", "-noise"))]


def write(path, names, x, y):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow([*names, "target"])
        for row, target in zip(x, y):
            table.writerow([*(repr(float(value)) for value in row), target])


def ask_shoal(options, folder):
    command = [options.shoal, "mlp", "--data", str(folder / "train.csv"), "--test-data", str(folder / "test.csv"),
               "--target", "target"]
    done = subprocess.run([*command, "--json", "--quiet", *(["--device", options.device] if options.device else [])],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"sklearn_mlp.py: {shlex.join(command)}: {done.stderr}")
    found = json.loads(done.stdout)
    [row] = found["rows"]
    return found["devices"][0], row["result"]["fields"]["test_" + row["result"]["value_name"]]


def score(model, train, test):
    with warnings.catch_warnings():
        # defaults that have not converged, as on diabetes, are what is measured
        warnings.simplefilter("ignore")
        return model.fit(*train).score(*test)


def load(name, seed):
    """Names of the inputs, inputs, targets, and targets as words, where they have some."""
    if name in LOADED:
        data = LOADED[name]()
        return data.feature_names, data.data, data.target, numpy.array(data.target_names) if name in NAMED else None
    make, noise = MADE[name.removesuffix("-noise")]
    more = {"n_features": 10} if make is datasets.make_regression else {}
    x, y = make(ROWS, noise=noise if name.endswith("-noise") else 0, random_state=seed, **more)
    return [f"x{k}" for k in range(x.shape[1])], x, y, None


def measure(options, name, folder):
    is_class = name in LOADED and name != "diabetes"
    net = neural_network.MLPClassifier if is_class else neural_network.MLPRegressor
    cell = {"set": name, "figure": "accuracy" if is_class else "r2", "rows": 0, "inputs": 0, "shoal": [], "defaults": [],
            "scaled": []}
    device = None
    for seed in range(options.splits):
        names, x, y, words = load(name, seed)
        targets = y if words is None else words[y]
        cell["rows"], cell["inputs"] = x.shape
        train, test = train_test_split(numpy.arange(len(x)), test_size=0.2, random_state=seed,
                                       stratify=y if is_class else None)
        write(folder / "train.csv", names, x[train], targets[train])
        write(folder / "test.csv", names, x[test], targets[test])
        device, found = ask_shoal(options, folder)
        cell["shoal"].append(found)
        rows = (x[train], y[train]), (x[test], y[test])
        cell["defaults"].append(score(net(random_state=seed), *rows))
        scaled = pipeline.make_pipeline(preprocessing.StandardScaler(), net(random_state=seed, max_iter=1000))
        cell["scaled"].append(score(scaled, *rows))
    return device, cell


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shoal")
    parser.add_argument("--device")
    parser.add_argument("--splits", type=int, default=4)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    unknown = set(options.sets.split(",")) - set(SETS)
    if unknown or options.splits < 1:
        parser.error(f"--sets: {', '.join(sorted(unknown))} is not among them" if unknown else "--splits: 1 or more")
    record = {"schema": 1, "kind": "sklearn-mlp",
              "commit": json.loads(subprocess.run([options.shoal, "bench", "--list", "--json"], check=True,
                                                  capture_output=True, text=True).stdout)["commit"],
              "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
              "command": shlex.join(["bench/peers/sklearn_mlp.py", *(
                  pathlib.Path(word).name for word in sys.argv[1:])]),
              "scikit_learn": sklearn.__version__, "cells": []}
    is_below = False
    print(f"{'set':18}{'figure':10}{'shoal':>8}{'defaults':>10}{'scaled':>8}   scikit-learn {sklearn.__version__}")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.sets.split(","):
            device, cell = measure(options, name, pathlib.Path(folder))
            record["device"] = {key: device[key] for key in ("id", "name", "driver")}
            record["cells"].append(cell)
            ours, plain, scaled = (statistics.mean(cell[key]) for key in ("shoal", "defaults", "scaled"))
            is_below = is_below or ours < scaled - 0.01
            print(f"{name:18}{cell['figure']:10}{ours:8.4f}{plain:10.4f}{scaled:8.4f}", flush=True)
    if options.out:
        options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return int(is_below)


if __name__ == "__main__":
    sys.exit(main())
