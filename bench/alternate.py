#!/usr/bin/env python3
"""Runs two builds of shoal in turn on the same bench cases and shows which rows became slower.

usage: alternate.py [OPTION...] OLD NEW [CASES...]

The figure of a round is the median of `shoal bench`. A row shows the median of the rounds, their spread (the largest less
the smallest, over the median) and the speed of NEW over that of OLD, the median of the rounds: below 1 NEW is slower. Every
other round begins with NEW. A row without figures of both in one round is named. A build that fails ends its pattern; its
message is shown, and the other patterns go on.

Exit code: 0 no row is slower; 7 a row is slower; 2 wrong arguments; 130 interrupted, what was measured is shown; else that
of the first build that failed: 3 no such device, 4 kernel build, 5 device memory, 6 a result check, 1 another failure, such
as a crash, or no row with figures of both.
"""
import argparse
import json
import os
import shlex
import signal
import statistics
import subprocess
import sys

from results import figure

FAILURE, USAGE, NO_DEVICE, REGRESSION, INTERRUPTED = 1, 2, 3, 7, 130
KEY = ("case", "device", "variant", "precision", "unit", "better")


class Problem(Exception):
    """The message and exit code of a problem that ends the program or a pattern."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Side:
    def __init__(self, name, path):
        self.name, self.path, self.commit = name, path, None
        self.program = os.path.abspath(os.path.join(path, "bin", "shoal") if os.path.isdir(path) else path)
        if not os.path.isfile(self.program) or not os.access(self.program, os.X_OK):
            raise Problem(USAGE, f"{path}: neither a bundle with bin/shoal nor a program; tools/bundle.sh makes bundles")

    def bench(self, arguments, read):
        """Runs `shoal bench --json`; returns read() of what it printed, and the problem that it ended with, or None."""
        command = [self.program, "bench", "--json", *arguments]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        except OSError as error:
            raise Problem(FAILURE, f"{self.name}: {self.program}: {error.strerror}") from error
        problem = None
        if done.returncode:
            how = (f"exit code {done.returncode}" if done.returncode > 0 else
                   f"ended by {signal.Signals(-done.returncode).name}")
            last = (done.stderr.strip() or "no message").split("\n")[-1]
            problem = Problem(max(done.returncode, FAILURE), f"{self.name}: {shlex.join(command)}: {how}: {last}")
        try:
            return read(json.loads(done.stdout)), problem
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise problem or Problem(FAILURE, f"{self.name}: {shlex.join(command)}: it printed no result") from error

    def cases(self, *pattern):
        """Returns the names of the cases that match the pattern, which may be none."""
        try:
            (self.commit, names), problem = self.bench(["--list", *pattern], read_list)
        except Problem as error:
            names, problem = [], error
        if problem and not (pattern and problem.code == USAGE):
            raise problem
        return names


def read_list(listed):
    return listed["commit"], [case["case"] for case in listed["cases"]]


def read_run(run):
    """Returns load and threads of the machine before the run, the devices by id, and the values of the rows."""
    machine = run.get("machine") or {}
    return ((machine.get("load"), machine.get("threads")),
            {device["id"]: {key: device[key] for key in ("id", "name", "driver")} for device in run["devices"]},
            [(tuple(row[key] for key in KEY), row["value"]) for row in run["rows"]])


class Comparison:
    """Figures of both sides by row and round, and the problems that occurred."""

    def __init__(self, options, sides):
        self.options, self.sides = options, sides
        self.rows, self.devices, self.failures = {}, {}, []
        self.arguments = ["--no-roofs"] + [f"--{name}={getattr(options, name)}" for name in ("device", "variant", "time")
                                           if getattr(options, name) is not None]

    def fail(self, problem):
        self.failures.append(problem)
        print(f"alternate.py: {problem}", file=sys.stderr)

    def take(self, side, number, pattern):
        """Makes one run of a side."""
        (load, devices, rows), problem = side.bench([*self.arguments, pattern], read_run)
        if not self.devices:
            warn_if_busy(*load)
        self.devices.update(devices)
        for key, value in rows:
            values = self.rows.setdefault(key, {one.name: {} for one in self.sides})
            if value:  # a row whose check failed has no value
                values[side.name][number] = value
        if problem:
            raise problem

    def alternate(self, pattern, sides):
        """Makes all rounds of a pattern on the sides that have such cases."""
        for number in range(self.options.rounds):
            for side in sides if number % 2 == 0 else sides[::-1]:
                print(f"{pattern}: round {number + 1} of {self.options.rounds}, {side.name}", file=sys.stderr)
                self.take(side, number, pattern)

    def figures(self):
        """Returns rows that both sides have, in the order of the runs, and rows that lack a figure of one side."""
        compared, missing = [], []
        for key, values in self.rows.items():
            row = dict(zip(KEY, key))
            old, new = (values[side.name] for side in self.sides)
            both = sorted(old.keys() & new.keys())
            if not both:
                missing.append(row | {"from": [side.name for side in self.sides if not values[side.name]]})
                continue
            gains = [new[n] / old[n] if row["better"] == "higher" else old[n] / new[n] for n in both]
            row |= {"old": summary(old), "new": summary(new), "speed": statistics.median(gains),
                    "speed_min": min(gains), "speed_max": max(gains)}
            row["allowed"] = max(self.options.limit / 100, row["old"]["spread"])
            row["slower"] = row["speed"] < 1 - row["allowed"]
            compared.append(row)
        return compared, missing


def summary(values):
    """Median and spread over the rounds of one side."""
    values = [values[number] for number in sorted(values)]
    median = statistics.median(values)
    return {"value": median, "spread": (max(values) - min(values)) / median, "values": values}


def warn_if_busy(load, threads):
    """Warns of a load before the first run: it is that of other programs."""
    if load and threads and load > threads / 2:
        print(f"alternate.py: warning: other programs run here: load {load:.1f} of {threads:.0f} threads before the first run",
              file=sys.stderr)


def aligned(header, rows):
    """Returns the lines of a table; the first three columns are texts, the last is a remark."""
    widths = [max(map(len, column)) for column in zip(header, *rows)]
    return ["  ".join(cell.ljust(width) if i < 3 or i + 1 == len(row) else cell.rjust(width)
                      for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in (header, *rows)]


def report(comparison, compared, missing):
    """Returns the output as lines for people."""
    rows = [[row["case"], row["device"], row["variant"], figure(row["old"]["value"], row["unit"]),
             f"{100 * row['old']['spread']:.1f} %", figure(row["new"]["value"], row["unit"]),
             f"{100 * row['new']['spread']:.1f} %", f"{row['speed']:.3f}",
             f"slower by {100 * (1 - row['speed']):.1f} %" if row["slower"] else ""] for row in compared]
    lines = aligned(["case", "device", "variant", "old", "spread", "new", "spread", "new/old", ""], rows) if rows else []
    for row in missing:
        lines.append(f"no figure of {' and '.join(row['from'])}: {row['case']} {row['device']} {row['variant']}, {row['precision']}")
    lines += [""] * bool(lines)
    for side in comparison.sides:
        lines.append(f"{side.name}: commit {side.commit}, {side.path}")
    lines += [f"{name}: {device['name']} ({device['driver']})" for name, device in comparison.devices.items()]
    slower = sum(row["slower"] for row in compared)
    limit = f"by more than {comparison.options.limit:g} % and the spread of old"
    if slower:
        lines.append(f"{slower} of {len(compared)} rows {'is' if slower == 1 else 'are'} slower {limit}")
    else:
        lines.append(f"none of {len(compared)} rows is slower {limit}" if compared else "no row has a figure of both")
    return "\n".join(lines)


def as_json(comparison, compared, missing):
    record = {"schema": 1, "kind": "alternate", "rounds": comparison.options.rounds, "limit": comparison.options.limit / 100}
    for side in comparison.sides:
        record[side.name] = {"path": side.path, "commit": side.commit}
    record |= {"devices": [{key: device[key] for key in ("id", "name", "driver")} for device in comparison.devices.values()],
               "rows": compared, "missing": missing,
               "failures": [{"code": problem.code, "message": str(problem)} for problem in comparison.failures]}
    return json.dumps(record, indent=1, allow_nan=False)


def patterns_of(options, sides):
    """Returns the patterns to run, each with the sides that have such cases."""
    listed = [(side, side.cases()) for side in sides]
    if not options.cases:
        folders = dict.fromkeys(name.split(".")[0] for _, names in listed for name in names)
        return [(folder, [side for side, names in listed if any(name.startswith(f"{folder}.") for name in names)])
                for folder in folders]
    chosen = [(pattern, [side for side in sides if side.cases(pattern)]) for pattern in options.cases]
    for pattern, having in chosen:
        if not having:
            raise Problem(USAGE, f"no case matches '{pattern}'; 'shoal bench --list' shows them")
    return chosen


def compare(options):
    sides = [Side("old", options.old), Side("new", options.new)]
    comparison = Comparison(options, sides)
    try:
        for pattern, having in patterns_of(options, sides):
            try:
                comparison.alternate(pattern, having)
            except Problem as problem:
                comparison.fail(problem)
                if problem.code in (USAGE, NO_DEVICE, INTERRUPTED):
                    break
    except KeyboardInterrupt:
        comparison.fail(Problem(INTERRUPTED, "interrupted"))
    compared, missing = comparison.figures()
    if comparison.rows or options.json:
        print((as_json if options.json else report)(comparison, compared, missing))
    if comparison.failures:
        return comparison.failures[0].code
    if not compared:
        return FAILURE
    return REGRESSION if any(row["slower"] for row in compared) else 0


def number(kind, least):
    def parse(text):
        value = kind(text)
        if not least <= value < float("inf"):
            raise argparse.ArgumentTypeError(f"{text}: {least} or more")
        return value
    parse.__name__ = kind.__name__
    return parse


def main():
    about, _, text = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(description=about, usage="alternate.py [OPTION...] OLD NEW [CASES...]",
                                     epilog=text.split("\n\n", 1)[1], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD", help="a bundle of tools/bundle.sh, or a 'shoal' program")
    parser.add_argument("new", metavar="NEW", help="another")
    parser.add_argument("cases", metavar="CASES", nargs="*", help="patterns as 'shoal bench' takes them, which run one after "
                        "the other (default: each workload and folder of cases)")
    parser.add_argument("--rounds", metavar="N", type=number(int, 2), default=3,
                        help="how often each build runs a pattern, at least 2 (default 3)")
    parser.add_argument("--limit", metavar="PERCENT", type=number(float, 0), default=1,
                        help="by how much a row may be slower (default 1); by the spread of OLD where that is more")
    parser.add_argument("--device", metavar="ID", help="as in 'shoal bench'")
    parser.add_argument("--variant", metavar="NAME", help="as in 'shoal bench'")
    parser.add_argument("--time", metavar="SECONDS", type=number(float, 0), help="as in 'shoal bench'")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    try:
        sys.exit(compare(parser.parse_intermixed_args()))
    except Problem as problem:
        print(f"alternate.py: {problem}", file=sys.stderr)
        sys.exit(problem.code)


if __name__ == "__main__":
    main()
