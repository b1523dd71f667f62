#!/usr/bin/env python3
"""Writes tables of measured figures into text files, from result files of `shoal bench` and `shoal compare`.

usage: results.py [--check] FILE.md...

A table is written between two lines; the first names its result file:

    <!-- results: bench/results/FOLDER/HOST-DATE.json table=rows cases=lib.*,pso.* devices=cuda:0,host -->
    <!-- /results -->

The path is relative to the text file. table=rows (the default) has a line for each row, table=devices a line for each
case and a column for each device, table=roofs a line for each device. cases, devices and variants are lists of shell
patterns; without them everything is taken. A row without a figure is left out, as there is nothing to show.

table=peers compares the fastest of the chosen rows with the fastest row of another file, that of another program:

    <!-- results: bench/results/HOST-DATE.json table=peers cases=lib.sort.pairs peers=bench/results/HOST-peers-DATE.json -->

The chosen rows are of one case, the other file's of the same unit; rivals is a list of shell patterns of their cases. With
figure=NAME it compares this further figure of the rows that have it, and as=percent shows it in percent.

table=worst has, of the lines of table=peers in another page, for each workload (the first word of a case) the one of the least gain:

    <!-- results: docs/measured.md table=worst -->

table=published compares the figure of a source with ours, the fastest of the chosen rows of each case and device:

    <!-- results: bench/results/HOST-DATE.json table=published cases=thesis-pso.table9.* -->

With figure=NAME and against=NAME it compares two further figures of a row; on=TEXT then names the source's machine.

table=figures has a line for each chosen row, with its further figures:

    <!-- results: bench/results/HOST-DATE.json table=figures cases=tsp.cpu.tsplib6 figures=*.tsp as=percent -->

figures is a list of shell patterns of their names; as=percent shows those without a unit in percent.

In figure, against, on and figures a _ stands for a blank.

Lines of table=peers directly below one another give one table, and so do lines of table=published and table=figures.

With --check nothing is written: exit code 1 and the first difference when a file is not what it would become.
"""
import difflib
import fnmatch
import json
import math
import os
import re
import sys
import tempfile

BEGIN = re.compile(r"<!--\s*results:\s*(\S+)((?:\s+\w+=\S+)*)\s*-->\s*$")
END = re.compile(r"<!--\s*/results\s*-->\s*$")
TABLES = ("rows", "devices", "roofs", "peers", "published", "figures", "worst")
LISTS = ("cases", "devices", "variants", "peers", "rivals", "figures")
TEXTS = ("figure", "against", "on", "as")
JOINED = {"peers": ["case", "shoal", " peer", "its figure", "gain", " machine"],
          "worst": ["case", "shoal", " peer", "its figure", "gain", " machine"],
          "published": ["case", "published", " on", "shoal", " on", "gain"]}


class Problem(Exception):
    pass


def si(value, unit):
    """4 significant digits with a prefix, as the command prints them."""
    if value is None or not math.isfinite(value):
        return "-"
    prefixes = ["n", "u", "m", "", "k", "M", "G", "T", "P"]
    index = 3
    while index + 1 < len(prefixes) and abs(value) >= 999.95:
        value, index = value / 1000, index + 1
    while index > 0 and value != 0 and abs(value) < 1 - 5e-5:
        value, index = value * 1000, index - 1
    whole = 1 if value == 0 else max(1, math.floor(math.log10(abs(value)) + 1e-4) + 1)
    return f"{value:.{max(0, 4 - whole)}f} {prefixes[index]}{unit}".rstrip()


def figure(value, unit):
    if value is None:
        return "-"
    return f"{value:.2f}x" if unit == "ratio" else si(value, unit) if unit else f"{value:.4g}"


def shown(value, unit, options):
    """A further figure, with as=percent in percent unless it has a unit."""
    return f"{100 * value:.3f} %" if "as" in options and not unit else figure(value, unit)


def times(value):
    return "-" if value is None else f"{value:.0f}x" if value >= 999.5 else f"{value:.3g}x"


def percent(value):
    return "-" if value is None else f"{100 * value:.0f} %"


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise Problem(f"{path}: not JSON: {error}") from error
    if not isinstance(run, dict) or run.get("schema") != 1:
        raise Problem(f"{path}: not a result file of schema 1")
    return run


def matches(patterns, name):
    return not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def chosen(run, options):
    return [row for row in run["rows"]
            if row["value"] is not None and row["check"] != "fail"
            and matches(options.get("cases"), row["case"]) and matches(options.get("devices"), row["device"])
            and matches(options.get("variants"), row["variant"])]


def markdown(header, rows):
    """First column left, the others right unless their title starts with a blank."""
    lines = ["| " + " | ".join(title.strip() for title in header) + " |",
             "|" + "|".join("---" if i == 0 or title.startswith(" ") else "---:"
                            for i, title in enumerate(header)) + "|"]
    return lines + ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]


def host_values(run):
    """Value of each case on all threads of the host."""
    best = {}
    for row in run["rows"]:
        if row["device"] == "host" and row["value"] is not None and row["check"] == "pass":
            threads = int(row["variant"].lstrip("t") or 0)
            if threads >= best.get(row["case"], (0, 0))[0]:
                best[row["case"]] = (threads, row["value"])
    return {case: value for case, (_, value) in best.items()}


def published_cells(row):
    """The figure of the source, its hardware, and how many times as fast the row is."""
    if not row.get("published"):
        return ["-", "-", "-"]
    ratio = row["value"] / row["published"]
    return [figure(row["published"], row["unit"]), row["published_on"],
            times(ratio if row["better"] == "higher" else 1 / ratio)]


def rows_table(run, options):
    host = host_values(run)
    table, rows = [], chosen(run, options)
    published = any(row.get("published") for row in rows)
    for row in rows:
        gain = None
        if host.get(row["case"]) and row["device"] != "host":
            gain = row["value"] / host[row["case"]]
            gain = gain if row["better"] == "higher" else 1 / gain
        table.append([f"`{row['case']}`", row["device"], row["variant"], figure(row["value"], row["unit"]),
                      percent(row["share"]) + (f" {row['bound']}" if row["share"] is not None else ""),
                      times(gain), percent(row.get("spread")), str(row["samples"])])
        if published:
            table[-1] += published_cells(row)
    return markdown(["case", " device", " variant", "median", "of roof", "of host", "spread", "samples"]
                    + (["published", " on", "gain"] if published else []), table)


def devices_table(run, options):
    rows = chosen(run, options)
    columns = list(dict.fromkeys((row["device"], row["variant"]) for row in rows))
    figures = {(row["case"], row["device"], row["variant"]): figure(row["value"], row["unit"]) for row in rows}
    table = [[f"`{case}`"] + [figures.get((case, *column), "-") for column in columns]
             for case in dict.fromkeys(row["case"] for row in rows)]
    return markdown(["case"] + [" ".join(column) for column in columns], table)


def roofs_table(run, options):
    table = []
    for device in run["devices"]:
        roofs = device["roofs"]
        if roofs and matches(options.get("devices"), device["id"]):
            table.append([device["id"], device["name"], si(roofs["fp32_flops"], "flop/s"),
                          si(roofs["fp64_flops"], "flop/s"), si(roofs["sfu_ops"], "op/s"),
                          si(roofs["copy_bytes"], "B/s"), si(roofs["launch_us"] * 1e-6, "s")])
    return markdown(["device", " name", "fp32", "fp64", "rsqrt", "copy", "launch"], table)


def fastest(rows, value=lambda row: row["value"]):
    best = max if rows[0]["better"] == "higher" else min
    return best(rows, key=value)


def peers_line(run, options, where, path):
    """The ratio of the own figure and that of the fastest peer, and the cells of a line: both with device, variant and precision."""
    if "peers" not in options:
        raise Problem(f"{where}: table=peers needs peers=FILE")
    name = ",".join(options["peers"])
    peers = load(os.path.join(os.path.dirname(path), name))
    rows = chosen(run, options)
    if len({row["case"] for row in rows}) != 1:
        raise Problem(f"{where}: cases= must choose the rows of one case")

    def compared(row):
        """Value and unit; a row without the further figure has its own."""
        value, unit = further_figure(row, options.get("figure"))
        return (row["value"], row["unit"]) if value is None else (value, unit)
    own = fastest(rows, compared)
    unit = compared(own)[1]
    rivals = [row for row in chosen(peers, {"cases": options.get("rivals")}) if compared(row)[1] == unit]
    if not rivals:
        raise Problem(f"{where}: {name} has no figure in {unit or 'no unit'}")
    rival = fastest(rivals, compared)
    pair = compared(own), compared(rival)
    cells = [f"{shown(*one, options)}, {row['device']} {row['variant']}, {row['precision']}"
             for one, row in zip(pair, (own, rival))]
    (ours, _), (theirs, _) = pair
    gain = ours / theirs if own["better"] == "higher" else theirs / ours if ours else None
    machine = next(device["name"] for device in peers["devices"] if device["id"] == rival["device"])
    return gain, [f"`{own['case']}`", cells[0], f"`{rival['case'].removeprefix('peer.')}`", cells[1], times(gain), machine]


def worst_lines(page, where):
    """The line of the least gain of each workload, of all lines of table=peers of a page."""
    worst = {}
    try:
        with open(page, encoding="utf-8") as file:
            marks = [(f"{page}:{number}", mark) for number, mark in enumerate(map(BEGIN.match, file), 1) if mark]
    except OSError as error:
        raise Problem(f"{where}: {page}: {error.strerror}") from error
    for place, mark in marks:
        options = parse_options(mark.group(2), place)
        if options["table"] == "peers":
            gain, cells = peers_line(load(os.path.join(os.path.dirname(page), mark.group(1))), options, place, page)
            workload = cells[0].strip("`").split(".")[0]
            if gain is not None and gain < worst.get(workload, (math.inf,))[0]:
                worst[workload] = gain, cells
    if not worst:
        raise Problem(f"{where}: {page} has no line of table=peers")
    return [cells for _, cells in worst.values()]


def further_figure(row, name):
    """Value and unit of a further figure, in whose name _ stands for a blank; without it None, ""."""
    return next(((other["value"], other["unit"]) for other in row.get("figures") or []
                 if other["name"].replace(" ", "_") == name), (None, ""))


def published_line(run, row, options):
    """The figure of the source, its machine, ours, our machine, and how many times as good ours is; None: it has none."""
    value, unit, theirs = row["value"], row["unit"], row.get("published")
    on, rises = row.get("published_on"), row["better"] == "higher"
    if "figure" in options:
        (value, unit), (theirs, _) = (further_figure(row, options[key]) for key in ("figure", "against"))
        on, rises = options["on"].replace("_", " "), unit != "s"
    if not theirs or value is None:
        return None
    machine = next(device["name"] for device in run["devices"] if device["id"] == row["device"])
    gain = value / theirs if rises else theirs / value
    return [f"`{row['case']}`", figure(theirs, unit), on, figure(value, unit),
            f"{machine}, {row['device']} {row['variant']}, {row['precision']}", times(gain if unit else None)]


def published_lines(run, options, where):
    if ("figure" in options) + ("against" in options) + ("on" in options) not in (0, 3):
        raise Problem(f"{where}: figure=, against= and on= are given together")
    best = {}
    for row in chosen(run, options):
        best.setdefault((row["case"], row["device"]), []).append(row)
    lines = [published_line(run, fastest(rows), options) for rows in best.values()]
    return [line for line in lines if line]


def figures_lines(run, options, _where):
    """Case and device of each row, and its chosen further figures by name."""
    patterns = [pattern.replace("_", " ") for pattern in options.get("figures", ["*"])]
    lines = []
    for row in chosen(run, options):
        figures = {other["name"]: shown(other["value"], other["unit"], options)
                   for other in row.get("figures") or [] if matches(patterns, other["name"])}
        if figures:
            lines.append(([f"`{row['case'].removeprefix('peer.')}`", f"{row['device']} {row['variant']}"], figures))
    return lines


def figures_table(lines):
    """A column for each figure that a line has."""
    names = list(dict.fromkeys(name for _, figures in lines for name in figures))
    return markdown(["case", " device", *(name.removesuffix(".tsp") for name in names)],
                    [cells + [figures.get(name, "-") for name in names] for cells, figures in lines])


def parse_options(text, where):
    options = {"table": "rows"}
    for word in text.split():
        key, value = word.split("=", 1)
        if key not in ("table", *LISTS, *TEXTS):
            raise Problem(f"{where}: unknown key '{key}'; known are {', '.join(('table', *LISTS, *TEXTS))}")
        options[key] = value.split(",") if key in LISTS else value
    if options.get("as", "percent") != "percent":
        raise Problem(f"{where}: as={options['as']}: percent or nothing")
    if options["table"] not in TABLES:
        raise Problem(f"{where}: table={options['table']}: one of {', '.join(TABLES)}")
    return options


def table(path, marks):
    """Lines of a table. marks: where, file and options of each line that asks for it."""
    lines, sources, kind = [], [], None
    make = {"rows": rows_table, "devices": devices_table, "roofs": roofs_table}
    make_lines = {"published": published_lines, "figures": figures_lines}
    for where, name, text in marks:
        options = parse_options(text, where)
        if len(marks) > 1 and (options["table"] in make or options["table"] != (kind or options["table"])):
            raise Problem(f"{where}: a table of its own needs its <!-- /results -->")
        kind = options["table"]
        file = os.path.join(os.path.dirname(path), name)
        if kind == "worst":
            lines += worst_lines(file, where)
            continue
        run = load(file)
        try:
            if kind == "peers":
                lines.append(peers_line(run, options, where, path)[1])
                continue
            more = make[kind](run, options) if kind in make else make_lines[kind](run, options, where)
            if len(more) == (2 if kind in make else 0):
                raise Problem(f"{where}: {name} has nothing that matches")
            lines += more
        except (KeyError, TypeError, StopIteration) as error:
            raise Problem(f"{where}: {name}: a row or device lacks what every result file has: {error}") from error
        source = f"Commit {run['commit']}, {run['date'][:10]}: `{run['command']}`"
        sources += [source, ""] if source not in sources else []
    if kind not in make:
        lines = figures_table(lines) if kind == "figures" else markdown(JOINED[kind], lines)
    return [""] + lines + [""] + sources


def rewritten(path, text):
    out, lines, number = [], text.split("\n"), 0
    while number < len(lines):
        out.append(lines[number])
        begin = BEGIN.match(lines[number])
        number += 1
        if not begin:
            if END.match(out[-1]):
                raise Problem(f"{path}:{number}: <!-- /results --> without its beginning")
            continue
        marks = []
        while begin:
            marks.append((f"{path}:{number}", begin.group(1), begin.group(2)))
            begin = BEGIN.match(lines[number]) if number < len(lines) else None
            if begin:
                out.append(lines[number])
                number += 1
        first = number
        while number < len(lines) and not END.match(lines[number]):
            if BEGIN.match(lines[number]):
                break
            number += 1
        if number == len(lines) or BEGIN.match(lines[number]):
            raise Problem(f"{path}:{first}: no <!-- /results --> after this line")
        out += table(path, marks) + [lines[number]]
        number += 1
    return "\n".join(out)


def replace(path, text):
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, delete=False) as file:
        file.write(text)
    os.chmod(file.name, os.stat(path).st_mode)
    os.replace(file.name, path)


def main(arguments):
    check = "--check" in arguments
    paths = [argument for argument in arguments if argument != "--check"]
    if not paths or any(path.startswith("-") for path in paths):
        sys.exit(__doc__.split("\n\n")[1])
    different = False
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                old = file.read()
            new = rewritten(path, old)
        except (OSError, Problem) as error:
            sys.exit(f"results.py: {error}")
        if new == old:
            continue
        if check:
            different = True
            sys.stdout.writelines(line + "\n" for line in difflib.unified_diff(
                old.split("\n"), new.split("\n"), path, "from the result files", lineterm=""))
        else:
            replace(path, new)
    if different:
        sys.exit("results.py: tables differ from the result files: run bench/results.py without --check")


if __name__ == "__main__":
    main(sys.argv[1:])
