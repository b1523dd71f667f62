"""The part `defaults` of quality.py: settings of `shoal optimise` and its algorithms over reals beside each other, by how often they
find the minimum.

usage: quality.py defaults SHOAL [--device ID] [--precision NAME] [--programs LIST] [--settings LIST] [--functions LIST]
                                 [--dims LIST] [--shift NAME] [--runs N] [--evaluations N] [--jobs N]
                                 [--try 'PROGRAM NAME: OPTIONS']... [--out FILE.json]

A cell is N runs (10) of a program with a setting on a function in D dimensions, with 10,000 D evaluations each, those of a
polish among them (--evaluations 0: as many as the program takes where no limit is given). A run succeeds when its value, in double precision, is at most 1e-8 above the minimum. Cells run side
by side on all cores, each with one thread. --try adds a setting of its own; of `--polish 20%` the share is of the
evaluations, and the search has the rest.

File format, schema 1: {"schema", "kind": "quality-defaults", "commit", "date", "command", "device": {"id", "name", "driver"},
"precision", "shift", "runs", "evaluations" (for each dimension), "success", "cells": [{"program", "setting", "options": [...],
"function", "dim", "seed", "successes", "evaluations" (of all runs), "median", "worst", "seconds", "reason"}]}; median and
worst are of the runs' values, null where none is finite; reason says why there are no figures, else it is null.
"""
import concurrent.futures
import json
import math
import os
import re
import statistics
import sys
import tempfile

import quality

SUCCESS = 1e-8
OWN_EVALUATIONS = 10000  # of the programs, for each dimension, where no limit is given
# Where the minimum is, as a formula of i = 1 .. D and the half width of the box, and the same in Python.
SHIFTS = {"sine": ("2*sin(7*i)", lambda i, half: 2 * math.sin(7 * i)),
          "cosine": ("3*cos(5*i)", lambda i, half: 3 * math.cos(5 * i)),
          "scattered": ("0.4*{half}*sin(3*i*i+1)", lambda i, half: 0.4 * half * math.sin(3 * i * i + 1)),
          "none": ("0", lambda i, half: 0)}
# Formula and half width of the box; `z` is the shifted coordinate. Schwefel 1.2 is a text (below).
FUNCTIONS = {"rastrigin": ("sum(z^2-10*cos(2*pi*z)+10)", 5.12),
             "ackley": ("20+e-20*exp(-0.2*sqrt(sum(z^2)/D))-exp(sum(cos(2*pi*z))/D)", 32.768),
             "griewank": ("1+sum(z^2)/4000-prod(cos(z/sqrt(i)))", 600),
             "rosenbrock": ("sum(100*(x[i+1]-x[i]^2)^2+(1-x[i])^2)", 30),
             "schwefel-2.26": ("418.982887272433799*D-sum(x[i]*sin(sqrt(abs(x[i]))))", 500),
             "ellipsoid": ("sum(10^(6*(i-1)/(D-1))*z^2)", 100),
             "schwefel-1.2": (None, 100)}
# Beside them: the first coordinate has a box of 1e6, the others of 1.
EXTRA = {"scales": ("sum((x[i]-0.3*sin(7*i)*max(1,1e6*(2-i)))^2)", 1)}
ALL = {**FUNCTIONS, **EXTRA}
PREFIX_SUMS = """#define SHAPE OPAQUE
static inline real objective_value(const real *x, uint dim)
{{
    const real centre[] = {{{centre}}};
    real total = R(0.0), prefix = R(0.0);
    uint d;
    for (d = 0; d < dim; d++) {{
        prefix += x[d] - centre[d];
        total += prefix * prefix;
    }}
    return total;
}}
"""
# Options of each setting. "as it comes" is what a user gets.
SETTINGS = {
    "optimise": {"as it comes": ""},
    "pso": {"as it comes": ""},
    "de": {"as it comes": ""},
    "portfolio": {"as it comes": ""},
    "ga": {"as it comes": "",
           "classic": "--preset classic",
           "generational": "--replacement generational",
           "islands": "--replacement generational --islands 4 --population 50 --exchange 20 --elites 10",
           "plus": "--replacement plus",
           "plus of 200": "--replacement plus --population 200",
           "plus restart": "--replacement plus --restart 100",
           "plus BLX": "--replacement plus --crossover blx",
           "steady worst": "--replacement steady",
           "parent 2 children": "--replacement steady --victim parent",
           "parent tournament": "--tournament 2",
           "parent 50": "--population 50",
           "parent 200": "--population 200",
           "parent SBX 5": "--crossover-eta 5",
           "parent mutation 5": "--mutation-eta 5",
           "parent gene rate 0.2": "--gene-rate 0.2",
           "parent crossover 0.7": "--crossover-rate 0.7",
           "parent uniform": "--crossover uniform",
           "parent BLX": "--crossover blx"},
}


def problem_options(function, dim, shift, folder):
    """Options that give the function in that many dimensions."""
    formula, half = ALL[function]
    text, centre = SHIFTS[shift]
    if formula is None:
        path = os.path.join(folder, f"{function}-{dim}.clh")
        # Renamed when it is whole: cells that run side by side read it.
        handle, partial = tempfile.mkstemp(dir=folder)
        with open(handle, "w", encoding="utf-8") as file:
            file.write(PREFIX_SUMS.format(centre=", ".join(f"R({centre(i, half):.17g})" for i in range(1, dim + 1))))
        os.replace(partial, path)
        given = ["--objective", path]
    else:
        if dim == 1:
            formula = formula.replace("/(D-1)", "")
        given = ["--expr", formula.replace("z", f"(x[i]-({text.format(half=half)}))")]
    lower = [-half] * dim
    if function == "scales":
        lower[0] = -1e6
    bounds = [",".join(f"{sign * side:.17g}" for side in lower) for sign in (1, -1)]
    return [*given, "--dim", str(dim), f"--lower={bounds[0]}", f"--upper={bounds[1]}"]


def setting_options(text, evaluations, dim):
    """Options of a setting: a polish in per cent takes its evaluations from those of the search."""
    words, spare, given = text.split(), 0, evaluations > 0
    budget = (evaluations if given else OWN_EVALUATIONS) * dim
    for at, word in enumerate(words):
        if at and words[at - 1] == "--polish" and word.endswith("%"):
            spare = int(float(word[:-1]) / 100 * budget)
            words[at] = str(spare)
    return [*words, "--evaluations", str(budget - spare)] if given else words


def chosen_settings(options):
    """(program, name, text of its options)"""
    found = [(program, name, text) for program in options.programs for name, text in SETTINGS[program].items()
             if not options.settings or name in options.settings]
    for text in options.tried:
        head, colon, rest = text.partition(":")
        program, _, name = head.strip().partition(" ")
        if not colon or program not in SETTINGS or not name:
            raise quality.Problem(f"--try {text!r}: give 'PROGRAM NAME: OPTIONS', the program one of {', '.join(SETTINGS)}")
        found.append((program, name, rest.strip()))
    return found


def figures_of(answer, runs):
    result = answer["rows"][0]["result"]
    fields = result["fields"]
    values = [math.inf if value is None else value for value in (fields["run_values"] if runs > 1 else [result["value"]])]
    spent = result["work"] + fields.get("polish", 0) + fields.get("refined", 0)
    middle, worst = statistics.median(values), max(values)
    return {"successes": sum(value <= SUCCESS for value in values), "evaluations": spent,
            "median": middle if math.isfinite(middle) else None, "worst": worst if math.isfinite(worst) else None,
            "seconds": answer["rows"][0]["wall_s"] + answer["rows"][0]["first_launch_s"], "reason": None}


def measure(options, folder, cell):
    """The device and the figures of a cell."""
    program, name, text, function, dim, seed = cell
    words = setting_options(text, options.evaluations, dim)
    record = {"program": program, "setting": name, "options": words, "function": function, "dim": dim, "seed": seed}
    try:
        answer = quality.call([options.shoal, program, "--json", "--quiet", "--device", options.device, "--precision",
                               options.precision, "--runs", str(options.runs), "--seed", str(seed),
                               *problem_options(function, dim, options.shift, folder), *words],
                              {**os.environ, "OMP_NUM_THREADS": "1", "POCL_MAX_PTHREAD_COUNT": "1"})
    except quality.Problem as problem:
        reason = str(problem).rsplit("exit code", 1)[-1].strip()
        empty = dict.fromkeys(("successes", "evaluations", "median", "worst", "seconds"))
        return None, {**record, **empty, "reason": reason}
    return answer["devices"][0], {**record, **figures_of(answer, options.runs)}


def run(options):
    cells = [(program, name, text, function, dim)
             for program, name, text in chosen_settings(options) for dim in options.dims for function in options.functions]
    # No two cells share seeds.
    cells = [(*cell, 1 + index * 1000000) for index, cell in enumerate(cells)]
    record = quality.record_of(options, "quality-defaults", "pso", precision=options.precision, shift=options.shift,
                               runs=options.runs, evaluations=options.evaluations, success=SUCCESS)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for device, figures in pool.map(lambda cell: measure(options, folder, cell), cells):
            if device:
                record["device"] = {key: device[key] for key in ("id", "name", "driver")}
            record["cells"].append(figures)
            found = (f"left out: {figures['reason']}" if figures["reason"] else
                     f"{figures['successes']} of {options.runs}, median {quality.number(figures['median'])}, "
                     f"{figures['evaluations'] / options.runs:.0f} evaluations, {figures['seconds']:.2f} s")
            print(f"{len(record['cells'])}/{len(cells)}  {figures['program']} {figures['setting']}, {figures['function']} "
                  f"{figures['dim']}: {found}", file=sys.stderr)
    if not record["device"]:
        raise quality.Problem(record["cells"][0]["reason"])
    for line in summary(record):
        print(line, file=sys.stderr)
    quality.write(options.out, json.dumps(record, indent=1) + "\n")


# Tables ---------------------------------------------------------------------------------------------------------

def rate(cells, record):
    """Successful runs of these cells in per cent; of none '-'."""
    counted = [cell["successes"] for cell in cells if not cell["reason"]]
    return f"{100 * sum(counted) / (len(counted) * record['runs']):.1f}" if counted else "-"


def settings_of(record):
    return list(dict.fromkeys((cell["program"], cell["setting"]) for cell in record["cells"]))


def summary(record):
    """Rates of each setting by function and by dimension."""
    lines = []
    for program, setting in settings_of(record):
        cells = [cell for cell in record["cells"] if (cell["program"], cell["setting"]) == (program, setting)]
        seven = [cell for cell in cells if cell["function"] in FUNCTIONS]
        parts = [f"{key} {rate([cell for cell in cells if cell[kind] == key], record)}" for kind in ("function", "dim")
                 for key in dict.fromkeys(cell[kind] for cell in cells)]
        lines.append(f"{program} {setting}: {rate(seven, record)} % ({', '.join(parts)})")
    return lines


def words_of(cell):
    """Its options without the budget, as a user would type them."""
    words = cell["options"]
    return " ".join(words[:-2] if "--evaluations" in words else words) or "-"


def table_of(record, dim):
    names = [name for name in ALL if any(cell["function"] == name for cell in record["cells"])]
    rows = []
    for program, setting in settings_of(record):
        cells = [cell for cell in record["cells"]
                 if (cell["program"], cell["setting"], cell["dim"]) == (program, setting, dim)]
        seven = [cell for cell in cells if cell["function"] in FUNCTIONS and not cell["reason"]]
        if not seven:
            continue
        spent = sum(cell["evaluations"] for cell in seven) / (len(seven) * record["runs"])
        rows.append([f"{program}, {setting}", f"`{words_of(cells[0])}`", rate(seven, record), f"{spent:.0f}",
                     *(rate([cell for cell in cells if cell["function"] == name], record) for name in names)])
    return quality.table(["program, setting", "options", "all, %", "evaluations", *names], rows, 2)


def section(path, record):
    """Lines of the page."""
    device = record["device"]
    formula = SHIFTS[record["shift"]][0].format(half="h").replace("*", " ")
    budget = (f"{record['evaluations']:,} evaluations for each dimension, including a polish" if record["evaluations"] else
              "no limit, so that each program ends by its own rules")
    command = re.sub(r" --try '[^']*'", "", record["command"])  # the table shows the options of --try
    lines = [f"## Defaults: {device['name']} ({device['id']}), {record['precision']}, shift {formula}", "",
             f"Cells show the percentage of {record['runs']} runs that end within {record['success']:g} of the minimum, with "
             f"{budget}. Boxes: Rastrigin +-5.12, Ackley +-32.768, Griewank +-600, Rosenbrock +-30, Schwefel 2.26 +-500, "
             "ellipsoid and Schwefel 1.2 +-100. All functions except Rosenbrock's and Schwefel 2.26 are shifted by "
             f"{formula} in coordinate i (h: half the box). *all* and the mean evaluations are means over these seven functions. "
             "*scales* is a sum of squares with a box of +-1e6 for the first coordinate and +-1 for the others. "
             f"`{command}`, {record['date'][:10]}, commit {record['commit']}: [{os.path.basename(path)}]"
             f"(../{os.path.relpath(os.path.abspath(path), quality.ROOT)}).", ""]
    for dim in dict.fromkeys(cell["dim"] for cell in record["cells"]):
        lines += [f"### {dim} dimensions", ""] + table_of(record, dim)
    return lines


def peers_section(path, record):
    """Lines of the page on other programs."""
    names = list(dict.fromkeys(cell["function"] for cell in record["cells"]))
    rows = []
    for program in dict.fromkeys(cell["program"] for cell in record["cells"]):
        cells = {cell["function"]: cell for cell in record["cells"] if cell["program"] == program}
        counted = len(cells) * record["runs"]
        rows.append([program, f"{100 * sum(cell['successes'] for cell in cells.values()) / counted:.1f}",
                     f"{sum(cell['evaluations'] for cell in cells.values()) / counted:.0f}",
                     *(f"{100 * cells[name]['successes'] / record['runs']:.1f}" if name in cells else "-" for name in names)])
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    return [f"## Other programs, {record['dim']} dimensions, shift {SHIFTS[record['shift']][0].replace('*', ' ')}", "",
            f"Cells show the percentage of {record['runs']} runs that end within {record['success']:g} of the minimum, for the "
            f"functions of *Defaults*, with {record['evaluations']:,} evaluations for each dimension. *all* and the mean evaluations "
            f"are means over the functions of the row. Versions: {versions}. Programs have their default settings, except that "
            "pagmo's algorithms have tolerances of 1e-10: with their defaults they end before they reach 1e-8. "
            f"`{record['command']}`, {record['date'][:10]}: [{os.path.basename(path)}]"
            f"(../{os.path.relpath(os.path.abspath(path), quality.ROOT)}).", "",
            *quality.table(["program", "all, %", "evaluations", *names], rows, 1)]


# Command --------------------------------------------------------------------------------------------------------

def whole_numbers(text):
    return [int(word) for word in text.split(",")]


def add(commands):
    one = commands.add_parser("defaults")
    one.add_argument("shoal")
    one.add_argument("--device", default="host")
    one.add_argument("--precision", choices=("fp32", "fp64"), default="fp64")
    one.add_argument("--programs", type=quality.names(SETTINGS), default=list(SETTINGS))
    one.add_argument("--settings", type=lambda text: text.split(","), help="names; default all, 'none' for those of --try alone")
    one.add_argument("--functions", type=quality.names(ALL), default=list(ALL))
    one.add_argument("--dims", type=whole_numbers, default=[10])
    one.add_argument("--shift", choices=list(SHIFTS), default="sine")
    one.add_argument("--runs", type=int, default=10)
    one.add_argument("--evaluations", type=int, default=10000, help="for each dimension")
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    one.add_argument("--try", dest="tried", action="append", default=[], metavar="'PROGRAM NAME: OPTIONS'")
    one.add_argument("--out")
    one.set_defaults(action=run)
