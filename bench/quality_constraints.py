"""The part `constraints` of quality.py: how many runs reach the best value known of the functions of CEC 2006, or of the pressure
vessel of docs/constraints.md.

usage: quality.py constraints SHOAL [--device ID] [--settings LIST] [--functions LIST] [--runs N] [--evaluations N] [--out FILE.json]

A run succeeds when it ends within 1e-4 of the best value known at a point that meets all constraints, equalities within 1e-4.
Functions g20, of which no such point is known, and g22 are left out. The pressure vessel is measured where --functions names it.

File format, schema 1: {"schema", "kind": "quality-constraints", "commit", "date", "command", "device": {"id", "name", "driver"},
"runs", "evaluations", "success", "cells": [{"setting", "options": [...], "function", "successes", "allowed", "median"}]}; allowed
are the runs that end at a point that meets all constraints, median is that of their values, null where there are none.
"""
import json
import os

import quality

SUCCESS = 1e-4
FUNCTIONS = [f"g{number:02d}" for number in range(1, 25) if number not in (20, 22)]
VESSEL = "pressure-vessel"
VESSEL_LEAST = 6059.714335048436
VESSEL_WORDS = ["--expr", "0.6224*0.0625*s*r*l + 1.7781*0.0625*h*r^2 + 3.1661*(0.0625*s)^2*l + 19.84*(0.0625*s)^2*r",
                "--variables", "s integer 1 99, h integer 1 99, r real 10 200, l real 10 200",
                "--subject-to", "0.0193*r <= 0.0625*s", "--subject-to", "0.00954*r <= 0.0625*h",
                "--subject-to", "pi*r^2*l + 4/3*pi*r^3 >= 1296000", "--subject-to", "l <= 240"]
# Program and options.
SETTINGS = {
    "de": ("de", []),
    "de by Deb's rules": ("de", ["--level", "0"]),
    "cmaes": ("cmaes", []),
    "cmaes by Deb's rules": ("cmaes", ["--constraint-rule", "deb"]),
    "auto": ("optimise", []),
}


def successes_of(function, fields):
    """Number of the runs that succeed; shoal does not know the least value of a formula."""
    if function != VESSEL:
        return fields["successes"]
    return min(sum(value <= VESSEL_LEAST + SUCCESS for value in fields["run_values"]), fields["allowed"])


def run(options):
    record = quality.record_of(options, "quality-constraints", "lib.scan")
    record.update(runs=options.runs, evaluations=options.evaluations, success=SUCCESS, cells=[])
    for setting in options.settings:
        program, words = SETTINGS[setting]
        for function in options.functions:
            problem = VESSEL_WORDS if function == VESSEL else ["--function", f"cec2006-{function}"]
            document = quality.call([options.shoal, program, "--device", options.device, *problem, *words, "--runs",
                                     str(options.runs), "--evaluations", str(options.evaluations), "--success", str(SUCCESS), "--json"])
            device, fields = document["devices"][0], document["rows"][0]["result"]["fields"]
            record["device"] = {key: device[key] for key in ("id", "name", "driver")}
            record["cells"].append({"setting": setting, "options": [program, *words], "function": function,
                                    "successes": successes_of(function, fields), "allowed": fields["allowed"], "median": fields["median"]})
            quality.write(options.out, json.dumps(record, indent=1) + "\n")


def section(path, record):
    device, cells = record["device"], record["cells"]
    settings = list(dict.fromkeys(cell["setting"] for cell in cells))
    solved = {setting: sum(cell["successes"] >= 0.9 * record["runs"] for cell in cells if cell["setting"] == setting) for setting in settings}
    is_vessel = all(cell["function"] == VESSEL for cell in cells)
    title, part = ("A pressure vessel", "example-a-pressure-vessel") if is_vessel else ("CEC 2006", "cec-2006")
    lines = [f"## {title}: {device['name']} ({device['id']})", "",
             f"Runs of {record['runs']} that end within {record['success']:g} of the best value known at a point that meets all constraints "
             f"([constraints.md](constraints.md#{part})). A run has {record['evaluations']:,} evaluations. `{record['command']}`, "
             f"{record['date'][:10]}, commit {record['commit']}: "
             f"[{os.path.basename(path)}](../{os.path.relpath(os.path.abspath(path), quality.ROOT)}).", ""]
    rows = []
    for function in dict.fromkeys(cell["function"] for cell in cells):
        own = {cell["setting"]: cell for cell in cells if cell["function"] == function}
        rows.append([function, *(str(own[setting]["successes"]) if setting in own else "" for setting in settings)])
    if not is_vessel:
        rows.append(["at least 90 % of the runs", *(f"{solved[setting]} functions" for setting in settings)])
    return lines + quality.table(["function", *settings], rows)


def add(commands):
    one = commands.add_parser("constraints")
    one.add_argument("shoal")
    one.add_argument("--device", default="host")
    one.add_argument("--settings", type=quality.names(SETTINGS), default=["de", "de by Deb's rules"])
    one.add_argument("--functions", type=quality.names([*FUNCTIONS, VESSEL]), default=FUNCTIONS)
    one.add_argument("--runs", type=int, default=25)
    one.add_argument("--evaluations", type=int, default=500000)
    one.add_argument("--out")
    one.set_defaults(action=run)
