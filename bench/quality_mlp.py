#!/usr/bin/env python3
"""Measures how well nets of `shoal mlp` predict rows they have not seen, over many seeds, and writes the page about it.

usage: quality_mlp.py run SHOAL [--device ID] [--nets N] [--cells LIST] [--out FILE.json]
       quality_mlp.py page [FILE.json...] [--out FILE.md] [--check]

`run` trains N nets of each cell, which differ in their seeds, and notes the mean of the test rows:
    fashion, fashion-constant   Fashion-MNIST, of Debian's dataset-fashion-mnist, 784-128-10
    letters, letters-tanh, letters-relu, letters-thermometer
                                the file that $SHOAL_LETTERS names (UCI letter recognition): its first 15,360 rows train
    letters-irprop-100, letters-irprop-1000, letters-momentum
                                the thesis's loss on all these rows in each update
    mushroom ... robot          the sets of Debian's libfann-doc, no option but the files
The file is written again after each cell.

`page` makes docs/quality-mlp.md from such files and those of bench/peers/sklearn_mlp.py, by default those that the page
names already; of a cell that was run more than once the latest counts. With --check it only tells whether the page
is what they say.

File format, schema 1: {"schema", "kind": "quality-mlp", "commit", "date", "command", "device": {"id", "name", "driver"},
"cells": [{"cell", "nets", "figure", "mean", "mean_error", "seconds", "arguments": [...]}]}; seconds: of all nets, without
the build.
"""
import argparse
import os
import shlex
import statistics

import quality
from quality import Problem

FASHION = "/usr/share/datasets/fashion-mnist"
FANN = "/usr/share/doc/libfann-dev/examples/datasets"
SPLIT = ["--rows", "1-15360", "--validation", "0"]
BITS = ["--columns", "2-17 bits:4", "--scale", "none"]
RECIPE = [*SPLIT, "--batch", "64", "--epochs", "40"]
WHOLE = [*SPLIT, *BITS, "--hidden", "63", "--activation", "logistic", "--loss", "e", "--full-batch", "--schedule", "constant"]
# The least that is wanted of the mean: accuracy in percent, or R2.
WANTED = {"fashion": 88.8, "fashion-constant": 87.3, "letters": 90.0, "letters-tanh": 93.3, "letters-relu": 97.2,
          "letters-thermometer": 93.8, "letters-irprop-100": 77, "letters-irprop-1000": 82, "letters-momentum": 79,
          "mushroom": 100, "soybean": 92, "gene": 89.5, "thyroid": 98, "diabetes": 73, "abelone": 0.56, "building": 0.80,
          "kin32fm": 0.88, "bank32fm": 0.92, "robot": 0.77}
OPTIONS = {
    "fashion": ["--hidden", "128", "--validation", "0", "--optimiser", "adam", "--rate", "0.002", "--batch", "128",
                "--epochs", "10"],
    "fashion-constant": ["--hidden", "128", "--validation", "0", "--scale", "min-max", "--optimiser", "adam", "--rate",
                         "0.001", "--schedule", "constant", "--batch", "128", "--epochs", "10"],
    "letters": [*SPLIT, *BITS, "--hidden", "63", "--activation", "logistic", "--rate", "0.02", "--decay", "0.01", "--batch",
                "128", "--epochs", "80"],
    "letters-tanh": [*RECIPE, "--hidden", "63", "--activation", "tanh", "--rate", "0.01"],
    "letters-relu": [*RECIPE, "--hidden", "256,256", "--dropout", "0.1"],
    "letters-thermometer": [*RECIPE, "--columns", "2-17 thermometer", "--hidden", "63"],
    "letters-irprop-100": [*WHOLE, "--optimiser", "irprop-plus", "--epochs", "100"],
    "letters-irprop-1000": [*WHOLE, "--optimiser", "irprop-plus", "--epochs", "1000"],
    "letters-momentum": [*WHOLE, "--optimiser", "momentum", "--rate", "2.5", "--start", "uniform", "--range", "0.3",
                         "--output-bias", "-3", "--epochs", "3000"]}


def needed(path):
    if not os.path.exists(path):
        raise Problem(f"there is no {path}: install the package, or leave the cell out")
    return path


def data_of(cell):
    if cell.startswith("fashion"):
        words = []
        for kind, name in (("", "train"), ("test-", "t10k")):
            words += [f"--{kind}data", needed(f"{FASHION}/{name}-images-idx3-ubyte.gz"),
                      f"--{kind}labels", needed(f"{FASHION}/{name}-labels-idx1-ubyte.gz")]
        return words
    if cell.startswith("letters"):
        path = os.environ.get("SHOAL_LETTERS")
        if not path:
            raise Problem("SHOAL_LETTERS does not name the file of the letters")
        return ["--data", needed(path), "--target", "1"]
    return ["--data", needed(f"{FANN}/{cell}.train"), "--test-data", needed(f"{FANN}/{cell}.test")]


def measure(options, cell):
    arguments = OPTIONS.get(cell, [])
    found = quality.call([options.shoal, "mlp", "--json", "--quiet", "--device", options.device, "--trace", "0", "--nets",
                          str(options.nets), *data_of(cell), *arguments])
    [row], [device] = found["rows"], found["devices"]
    result = row["result"]
    if result["check"] != "pass":
        raise Problem(f"{cell}: {result['check_failure']}")
    figure = f"test_{result['value_name']}"
    return device, {"cell": cell, "nets": options.nets, "figure": result["value_name"], "mean": result["fields"][figure],
                    "mean_error": result["fields"][figure + "_error"], "seconds": row["device_s"], "arguments": arguments}


def run(options):
    quality.run_cells(options, "quality-mlp", lambda cell: measure(options, cell), text_of)


# The page -------------------------------------------------------------------------------------------------------

def text_of(cell):
    if cell["figure"] == "r2":
        return f"{cell['mean']:.3f} ({cell['mean_error']:.3f})"
    return f"{100 * cell['mean']:.2f} ({100 * cell['mean_error']:.2f})"


def row_of(cell, device):
    options = f"`{shlex.join(cell['arguments'])}`" if cell["arguments"] else "none"
    return [cell["cell"], device, str(cell["nets"]), f"{WANTED[cell['cell']]:g}", text_of(cell),
            f"{cell['seconds'] / cell['nets']:.2f}", options]


def beside_sklearn(files):
    """Lines of the page, and their records."""
    records = [quality.read_cells(path, "sklearn-mlp", "scores beside scikit-learn") for path in files]
    if not records:
        return [], []
    rows = [[cell["set"], record["device"]["name"], cell["figure"], str(len(cell["shoal"])),
             *(f"{statistics.mean(cell[who]):.4f}" for who in ("shoal", "scaled", "defaults"))]
            for record in records for cell in record["cells"]]
    version = " and ".join(sorted({record["scikit_learn"] for record in records}))
    return ["## Beside scikit-learn", "",
            f"The data sets of scikit-learn {version} and functions of 400 rows, with and without noise, as CSV: `shoal mlp --data train.csv --test-data test.csv --target "
            "target` without other options, beside scikit-learn's MLPClassifier or MLPRegressor on the same rows: behind a "
            "StandardScaler with up to 1000 epochs, and with its defaults. Figures are means over splits, each with a fifth of "
            "the rows for the test. `bench/peers/sklearn_mlp.py` measures them.", "",
            *quality.table(["data", "device", "figure", "splits", "here", "scikit-learn, scaled", "its defaults"], rows)], records


def latest(records):
    """(cell, device) of the latest run of each cell, in the order of the page."""
    found = {}
    for record in sorted(records, key=lambda record: record["date"]):
        for cell in record["cells"]:
            found[cell["cell"]] = cell, record["device"]["name"]
    return sorted(found.values(), key=lambda pair: list(WANTED).index(pair[0]["cell"]))


def page(options):
    files = quality.files_of(options)
    peers = [path for path in files if "-sklearn-" in os.path.basename(path)]
    files = [path for path in files if path not in peers]
    records = [quality.read_cells(path, "quality-mlp", "nets' scores") for path in files]
    compared, beside = beside_sklearn(peers)
    cells = latest(records)
    lines = ["# How well nets predict", "",
             "The table shows scores of rows that the nets have not seen, as means over nets with different seeds, with standard "
             "errors in parentheses: accuracy in percent, for the last five data sets R2. *Wanted* is the least score that shoal "
             "promises. Seconds are the time of a net's training, without reading and builds. `bench/quality_mlp.py page` makes "
             "this page from result files of `bench/quality_mlp.py run`; do not edit it.", ""]
    lines += quality.table(["data", "device", "nets", "wanted", "here", "seconds", "options"],
                           [row_of(*pair) for pair in cells])
    lines += compared + quality.run_lines(files + peers, records + beside)
    quality.finish_page(options, "\n".join(lines) + "\n", "bench/quality_mlp.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    quality.add_run(commands, WANTED, run).add_argument("--nets", type=int, default=5)
    quality.add_page(commands, "quality-mlp.md", page)
    options = parser.parse_args()
    if getattr(options, "nets", 2) < 2:
        parser.error("--nets: a mean has two or more")
    quality.act(options, "quality_mlp.py")


if __name__ == "__main__":
    main()
