"""The part `bbob` of quality.py: the benchmark BBOB by `shoal bench bbob`, beside the best figures of 2009.

usage: quality.py bbob SHOAL [--device ID] [--algorithm NAME] [--with OPTIONS] [--dims LIST] [--functions LIST] [--instances LIST]
                             [--budget N] [--document FILE.json] [--out FILE.json]

--document FILE.json: the document that `shoal bench bbob --json` has printed, instead of a run.

File format, schema 1: {"schema", "kind": "quality-bbob", "commit", "date", "command", "device": {"id", "name", "driver"},
"algorithm", "with", "budget", "success", "seconds", "evaluations", "targets": [...], "cells": [{"function", "dim", "trials",
"solved", "art": [...]}]}; art are the average run times to the targets, null where no trial reached one.
"""
import json
import math
import os
import shlex

import quality

# Average run times to 1e-8 of the best algorithm of 2009 for each function (f1 to f24): data set best2009-bbob of cocopp 2.9.1.
BEST_2009 = {
    5: (12, 95, 1657, 11463, 10, 1475, 1738, 424, 373, 902, 1776, 1607, 2476, 545, 21712, 12255, 8255, 12803, 122401, 55406, 1946, 1080,
        34887, 12835902),
    20: (43, 412, 7653, 141065, 41, 9378, 17823, 4540, 3784, 17685, 15666, 14586, 32856, 17870, 463854, 222194, 94580, 151042, 6757514,
         5659389, 17731, 135136, 850695, 52059210)}
COMPARED = range(7, 19)


def run(options):
    record = quality.record_of(options, "quality-bbob", "lib.scan")
    words = ["--algorithm", options.algorithm, *(["--with", options.with_] if options.with_ else [])]
    for name in ("device", "dims", "functions", "instances", "budget"):
        words += [f"--{name}", str(getattr(options, name))]
    if options.document:
        with open(options.document, encoding="utf-8") as file:
            document = json.load(file)
        del record["command"]
        record = {**record, "command": shlex.join(["shoal", "bench", "bbob", *words, "--json"])}
    else:
        document = quality.call([options.shoal, "bench", "bbob", *words, "--json"])
    record["device"] = {key: document["device"][key] for key in ("id", "name", "driver")}
    for key in ("algorithm", "with", "budget", "success", "seconds", "evaluations", "targets"):
        record[key] = document[key]
    record["cells"] = [{"function": row["function"], "dim": row["dim"], "trials": len(row["trials"]), "solved": row["solved"],
                        "art": row["art"]} for row in document["rows"]]
    quality.write(options.out, json.dumps(record, indent=1) + "\n")


def ratio(cell):
    """Average run time to 1e-8 over that of 2009; None: unknown."""
    best = BEST_2009.get(cell["dim"])
    return cell["art"][-1] / best[cell["function"] - 1] if best and cell["art"][-1] else None


def text_of(cell):
    if not cell["art"][-1]:
        return f"{cell['solved']} of {cell['trials']}"
    beside = ratio(cell)
    return (f"{cell['solved']} of {cell['trials']}, {quality.number(cell['art'][-1])}"
            + (f" ({beside:.2f})" if beside else ""))


def summary(cells, dim):
    """How many functions are solved, and the mean ratio of those that are compared."""
    own = [cell for cell in cells if cell["dim"] == dim]
    solved = sum(2 * cell["solved"] > cell["trials"] for cell in own)
    line = f"D = {dim}: {solved} of {len(own)} functions are solved on more than half of the instances."
    ratios = [ratio(cell) for cell in own if cell["function"] in COMPARED]
    if dim in BEST_2009 and ratios:
        known = [value for value in ratios if value]
        mean = math.exp(sum(map(math.log, known)) / len(known)) if known else math.nan
        line += f" The geometric mean of the ratios of f7 to f18 is {mean:.2f}" + \
                (f", without the {len(ratios) - len(known)} that no trial solved." if len(known) < len(ratios) else ".")
    return line


def section(path, record):
    device, cells = record["device"], record["cells"]
    dims = list(dict.fromkeys(cell["dim"] for cell in cells))
    chosen = record["algorithm"] + (f" with {record['with']}" if record["with"] else "")
    lines = [f"## BBOB, {chosen}: {device['name']} ({device['id']})", "",
             f"Cells show the trials that come within {record['success']:g} of the minimum, the average run time to this difference "
             f"in evaluations, and in parentheses its ratio to that of the best algorithm of 2009 for this function. A trial has "
             f"{record['budget']:,.0f} evaluations for each dimension. `{record['command']}`, {record['date'][:10]}, commit {record['commit']}: "
             f"[{os.path.basename(path)}](../{os.path.relpath(os.path.abspath(path), quality.ROOT)}).", ""]
    lines += [f"- {summary(cells, dim)}" for dim in dims] + [""]
    rows = []
    for function in dict.fromkeys(cell["function"] for cell in cells):
        own = {cell["dim"]: cell for cell in cells if cell["function"] == function}
        rows.append([f"f{function}", *(text_of(own[dim]) if dim in own else "" for dim in dims)])
    return lines + quality.table(["function", *(f"D = {dim}" for dim in dims)], rows)


def add(commands):
    one = commands.add_parser("bbob")
    one.add_argument("shoal")
    one.add_argument("--device", default="host")
    one.add_argument("--algorithm", default="auto")
    one.add_argument("--with", dest="with_", default="")
    one.add_argument("--dims", default="5")
    one.add_argument("--functions", default="1-24")
    one.add_argument("--instances", default="1-15")
    one.add_argument("--budget", default="1e5")
    one.add_argument("--document")
    one.add_argument("--out")
    one.set_defaults(action=run)
