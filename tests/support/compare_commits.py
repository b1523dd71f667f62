#!/usr/bin/env python3
"""Compares what two builds of shoal compute: the same runs with the same seeds must give the same bits.

Each run is made by both builds on the host and on each device of --device. Compared are the numbers of the
result, the trace or the thermo table, the frames and the state in the checkpoint at the end. compare_runs.py
lists the runs; those in RESUMED go on from a checkpoint that the old build wrote half-way, with both builds.

A build is a commit of the repository around this file (it is built in the work folder), a build folder, or a
`shoal` program, for example that of a bundle (tools/bundle.sh), which needs neither git nor meson.

The exit code is 0 when every run is the same, or differs as ALLOWED has it and `shoal verify` of its workload
passes. Runs that the old build cannot make on a device are named and left out.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from compare_runs import ATOMS, GA, GAS, GAS_HOST, MLP, MORSE, PSO, RESUMED, TSP

HERE = Path(__file__).resolve().parent

# Names of commit d52932b, which the runs use, and what later builds call them. A build that still knows the
# old name of an option or of a choice is given the old name.
OPTIONS = {("pso", "--evaluator"): "--method"}
CHOICES = {}  # ("pso", "--evaluator", "old value"): "new value"
FIELDS = {"evaluator": "method"}  # fields of results, and columns of tables
TEXTS = {}  # values of text fields: "all-pairs tiled": "allpairs tiled"
SECTIONS = {}  # state in checkpoints: "books": "heat"

# Differences that are expected: pattern of the run, reason.
ALLOWED = [
    (r"^gas (equilibrated|resumed-3d) ", "heat, and so the conserved energy, counts from step 0 on"),
    (r"langevin.* on (?!host)", "the noise of Langevin's thermostat has one formula, -expm1(-2 g dt)"),
    (r"^gas .* on cuda", "samples and kinetic energies before rescalings are added up by larger groups"),
    (r"^ga .* on host", "98f580f9: the host computes powers of crossover and mutation by vector_log and vector_exp"),
    (r"^ga (mailboxes|resumed-thesis) .*on (?!host)", "islands do not wait for the mailboxes of others: two runs differ"),
    (r"^tsp path ", "9c67254e: candidates at distance 0 count as a tenth of the least distance above 0"),
]

# Fields of results that later builds compute by another rule: workload and name, reason.
OTHER_RULES = {
    ("gas", "energy_error"): "2e81e725: the check adds the kinetic energies of particles with masses of their own",
    ("gas", "largest_cluster"): "3faf595b: a mean over samples, once the largest cluster of the last sample",
}

TIME_LIMIT = 900  # seconds of one command

# Columns of tables that hold no numbers: later builds name the device only in tables of several devices.
NAMES = {"device"}

# Fields of a result that are times.
TIMES = re.compile(r"_share$|_per_second$|(^|_)seconds$|_s$|_time$")


def start_frame():
    """A lattice of 8 x 8 particles with velocities, as extended XYZ."""
    rows = [f"Ar {1.2 * i + 0.1} {1.2 * j + 0.2} 0 {((i * 7 + j * 3) % 5 - 2) / 4} {((i * 2 + j * 5) % 7 - 3) / 6} 0"
            for i in range(8) for j in range(8)]
    head = 'Lattice="9.6 0 0 0 9.6 0 0 0 1" Properties=species:S:1:pos:R:3:velo:R:3 pbc="T T F"'
    return "\n".join([str(len(rows)), head, *rows, ""])


def fail(text):
    sys.exit(f"compare_commits.py: {text}")


# Builds -----------------------------------------------------------------------------------------------


def call(command, **options):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", check=False, **options)
    if done.returncode:
        fail(f"{' '.join(str(word) for word in command)} ended with {done.returncode}\n{done.stdout[-3000:]}"
             f"{done.stderr[-3000:]}")
    return done.stdout


def program_in(folder):
    """The shoal program of a build folder."""
    found = [path for path in sorted(folder.rglob("shoal")) if path.is_file() and os.access(path, os.X_OK)]
    return found[0] if found else fail(f"{folder} holds no program named shoal: build it first")


def build(commit, folder):
    """Builds a commit in `folder`, or takes what an earlier call built there."""
    full = call(["git", "-C", HERE, "rev-parse", "--verify", f"{commit}^{{commit}}"]).strip()
    tree = folder / full[:12]
    if not tree.exists():
        call(["git", "-C", HERE, "worktree", "add", "--detach", tree, full])
    print(f"building {full[:12]} in {tree}", flush=True)
    if not (tree / "build/build.ninja").exists():
        call(["meson", "setup", tree / "build", tree, "-Dtests=false"])
    call(["ninja", "--quiet", "-C", tree / "build"])
    return program_in(tree / "build")


class Side:
    """One of the two builds: its program, a cache folder of its own, and the names that it knows."""

    def __init__(self, name, what, work):
        self.folder = work / name
        self.folder.mkdir(parents=True, exist_ok=True)
        path = Path(what)
        if path.is_dir():
            self.program = program_in(path).resolve()
        elif path.is_file():
            self.program = path.resolve()
        else:
            self.program = build(what, work)
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("SHOAL_")}
        # Tuned sizes belong to one side. PoCL finds its kernels by their text, so both sides may share the
        # kernels.
        self.environment.update(LC_ALL="C", OMP_WAIT_POLICY="passive", SHOAL_CACHE_DIR=str(self.folder / "cache"),
                                XDG_CACHE_HOME=str(self.folder / "cache"))
        self.environment.setdefault("POCL_CACHE_DIR", str(work / "pocl-cache"))
        self.help = {workload: self.read_help(workload) for workload in ("pso", "ga", "gas", "tsp", "mlp")}

    def read_help(self, workload):
        """Each option with its part of the help."""
        text = self.run([workload, "--help", "all"]).stdout or self.run([workload, "--help"]).stdout
        parts = re.split(r"^ +(?:-\w, )?(--[a-z0-9-]+)", text, flags=re.MULTILINE)
        return dict(zip(parts[1::2], parts[2::2]))

    def run(self, words, folder=None):
        return subprocess.run([str(self.program), *map(str, words)], env=self.environment, cwd=folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              check=False, timeout=TIME_LIMIT)

    def words(self, workload, options):
        """The options in the names of this side."""
        known, words, name = self.help[workload], [], None
        for word in options.split():
            if word.startswith("--"):
                name = word
                word = name if name in known else OPTIONS.get((workload, name), name)
            elif (workload, name, word) in CHOICES:
                part = known.get(name, known.get(OPTIONS.get((workload, name)), ""))
                if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", part):
                    word = CHOICES[workload, name, word]
            words.append(word)
        return words

    def compute(self, workload, options, device, folder):
        """Makes a run in `folder`, which holds its files then; returns (result, what went wrong)."""
        files = ["--thermo-file", "thermo.csv"] if workload == "gas" else ["--trace-file", "trace.csv"]
        if "--frames" in options:
            files = [*files, "--xyz", "frames.xyz"]
        folder.mkdir(parents=True, exist_ok=True)
        words = [workload, *self.words(workload, options), "--device", device, *files, "--checkpoint", "end.state",
                 "--json"]
        (folder / "command").write_text(" ".join([str(self.program), *words]) + "\n")
        try:
            done = self.run(words, folder)
        except subprocess.TimeoutExpired as late:
            return None, f"no end after {late.timeout} s"
        # Exit code 6: a check failed, and there is a result all the same.
        if done.returncode not in (0, 6):
            return None, f"exit code {done.returncode}: {done.stderr.strip() or done.stdout[-300:]}"
        return json.loads(done.stdout)["rows"][0]["result"], None


# Comparing --------------------------------------------------------------------------------------------


def same(a, b):
    """Equal to the last bit; NaN and the sign of 0 count. `a` is of the old build: older builds print 15 digits in
    JSON. The states in checkpoints have all bits."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return struct.pack("<d", a) in (struct.pack("<d", b), struct.pack("<d", float(f"{b:.15g}")))
    return a == b or (isinstance(a, str) and TEXTS.get(a) == b)


def cell(text):
    """The content of a cell of a table: builds write numbers with different counts of digits."""
    try:
        return float(text)
    except ValueError:
        return text


def first_of(a, b):
    """Where two values differ first, as text."""
    if isinstance(a, (list, bytes)) and isinstance(b, (list, bytes)):
        unit = "value" if isinstance(a, list) else "byte"
        for i, (x, y) in enumerate(zip(a, b)):
            if not same(x, y):
                return f" {unit} {i} old {x!r}, new {y!r}"
        return f" old {len(a)} {unit}s, new {len(b)}"
    return f" old {a!r}, new {b!r}"


def old_names(table, renamed):
    """The table with the names of the old commit; dict order is kept."""
    back = {new: old for old, new in renamed.items()}
    return {back.get(name, name): value for name, value in table.items()}


def compare_tables(where, old, new, renamed, lost, listed):
    """The first difference of two tables of names and values, or None. Names that only the new side has go to
    `listed`; so do those that it lost, where `lost` says that this is no difference."""
    old, new = old_names(old, renamed), old_names(new, renamed)
    listed.update(f"only in new: {where} {name}" for name in sorted(new.keys() - old.keys()))
    for name, value in old.items():
        if name in new:
            if not same(value, new[name]):
                return f"{where} {name}{first_of(value, new[name])}"
        elif lost:
            listed[f"only in old: {where} {name}"] += 1
        else:
            return f"{where} {name} old {value!r}, new has none"
    return None


def result_values(workload, result):
    """The numbers of a result, without times, prose and the error that the check of the host has found."""
    values = {name: result[name] for name in ("value", "check", "steps", "work")}
    values["steps"] += result.get("warm_up_steps", 0)  # older commits counted both kinds of steps
    values.update((name, value) for name, value in result["fields"].items()
                  if not TIMES.search(name) and (workload, name) not in OTHER_RULES)
    return values


def compare_csv(where, old, new):
    def columns(path):
        with open(path, newline="", encoding="utf-8") as file:
            return [{name: cell(value) for name, value in row.items() if name not in NAMES and not TIMES.search(name)}
                    for row in csv.DictReader(file)]
    old, new = columns(old), columns(new)
    # Older builds kept the samples before a checkpoint in the checkpoint, and wrote them again.
    if new and "step" in new[0]:
        old = [row for row in old if row["step"] >= new[0]["step"]]
    for before, after in zip(old, new):
        found = compare_tables(f"{where} step {before.get('step')}", before, after, FIELDS, False, Counter())
        if found:
            return found
    return None if len(old) == len(new) else f"{where} old {len(old)} lines, new {len(new)}"


def compare_frames(where, old, new):
    """Frames as extended XYZ: the box, and of each particle the columns that both builds write."""
    def words(line):
        box = re.search(rb'Lattice="([^"]*)"', line)
        return [cell(word) for word in (box[1] if box else line).decode().split()]
    old, new = (path.read_bytes().splitlines() for path in (old, new))
    for number, (before, after) in enumerate(zip(old, new), 1):
        if words(before) != words(after)[:len(words(before))]:
            return f"{where} line {number} old {before.decode()!r}, new {after.decode()!r}"
    return None if len(old) == len(new) else f"{where} old {len(old)} lines, new {len(new)}"


def state_sections(path):
    """The sections of a checkpoint that are state: all but the options, the box that follows from them, and who wrote it. None of a file in
    another format: what it holds is in the results of the runs that go on from it."""
    data, at, sections, workload = path.read_bytes(), 16, {}, b""
    if data[:12] != b"SHOALCKP" + (1).to_bytes(4, sys.byteorder):
        return {}
    while True:
        name = data[at:at + 24].rstrip(b"\0").decode()
        size = int.from_bytes(data[at + 24:at + 32], sys.byteorder)
        if not name:
            return sections
        if name == "workload":
            workload = data[at + 32:at + 32 + size].rstrip(b"\0")
        if not name.startswith("--") and name not in ("workload", "solver", "options", "files", "box", "seconds"):
            sections[name] = data[at + 32:at + 32 + size]
            if name == "words" and workload == b"gas":
                # Numbers of launches are left out, since later builds count from the last list and no load
                # takes the numbers over.
                sections[name] = sections[name][:96] + bytes(8) + sections[name][104:]
        at += 32 + (size + 7) // 8 * 8


def compare_runs(workload, old, new, folders, listed):
    """What differs first in the result and in each file, as lines."""
    old, new = result_values(workload, old), result_values(workload, new)
    found = [compare_tables("result", old, new, FIELDS, False, listed)]
    for name in sorted(path.name for path in folders[0].iterdir()):
        before, after = (folder / name for folder in folders)
        if name == "command":
            continue
        if not after.exists():
            found.append(f"{name}: new has none")
        elif name.endswith(".csv"):
            found.append(compare_csv(name, before, after))
        elif name.endswith(".state"):
            found.append(compare_tables("state", state_sections(before), state_sections(after), SECTIONS, True,
                                        listed))
        else:
            found.append(compare_frames(name, before, after))
    return [line for line in found if line]


# Runs -------------------------------------------------------------------------------------------------


def plan(devices, pattern):
    """All runs: (name with device, workload, options, device, steps at the checkpoint or None, option of the
    number of steps)."""
    runs = []
    for workload, problems in (("pso", PSO), ("ga", GA), ("gas", GAS), ("tsp", TSP), ("mlp", MLP)):
        for name, options, choices in problems:
            runs.append((f"{workload} {name} on host", workload, options, "host", None))
            runs += [(f"{workload} {name} {choice} on {device}", workload, f"{options} {choice}", device, None)
                     for device in devices for choice in choices]
    runs += [(f"gas {name} on host", "gas", options, "host", None) for name, options in GAS_HOST]
    for workload, name, options, choice, half, steps in RESUMED:
        length = {"gas": "--steps", "mlp": "--epochs"}.get(workload, "--iterations")
        options = re.sub(rf"{length} \d+", "", options)
        runs += [(f"{workload} {name} on {device}", workload, f"{options} {choice or ''} {length} {steps}", device,
                  f"{length} {half}") for device in (devices if choice else ["host"])]
    return [run for run in runs if re.search(pattern, run[0])]


def make(run, number, sides, work):
    """Makes one run with both builds: ("same", "differs" or "left out", lines, what only one side has)."""
    _, workload, options, device, half = run
    options = options.replace("{data}", str(work / "data"))
    folders = [side.folder / "runs" / f"{number:03}" for side in sides]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    if half:
        part = folders[0].with_name(f"{number:03}-half")
        shutil.rmtree(part, ignore_errors=True)
        # Where an option is given twice, the last value counts.
        _, wrong = sides[0].compute(workload, re.sub(rf"{half.split()[0]} \d+", half, options), device, part)
        if wrong:
            return "left out", [wrong], Counter()
    results, listed = [], Counter()
    for side, folder in zip(sides, folders):
        resume = ""
        if half:
            resume = f" --resume {part / 'end.state'}"
        result, wrong = side.compute(workload, options + resume, device, folder)
        if wrong and side is sides[0]:
            return "left out", [wrong], Counter()
        if wrong:
            return "differs", [wrong], Counter()
        results.append(result)
    lines = compare_runs(workload, *results, folders, listed)
    return ("differs" if lines else "same"), lines, listed


def make_data(sides, work):
    """Files that runs read. Both builds must make the same table."""
    data = work / "data"
    data.mkdir(exist_ok=True)
    (data / "atoms.clh").write_text(ATOMS)
    (data / "morse.cl").write_text(MORSE)
    (data / "start.xyz").write_text(start_frame())
    (data / "points.csv").write_text("".join(f"{i * 37 % 101},{i * 53 % 97}\n" for i in range(30)))
    tables = []
    for side, name in zip(sides, ("table.npy", "table-new.npy")):
        done = side.run(["data", "least-squares", "--dim", 5, "--rows", 700, "--noise", 0.1, "--seed", 3, "--out",
                         data / name])
        if done.returncode:
            fail(f"{side.program} data ended with {done.returncode}: {done.stderr}")
        tables.append((data / name).read_bytes())
    if tables[0] != tables[1]:
        fail(f"the two builds make different tables: {data / 'table.npy'}, {data / 'table-new.npy'}")


def verified(side, workload, device, known):
    """Whether `shoal verify` of a workload passes; made once for each device."""
    if (workload, device) not in known:
        print(f"    shoal verify {workload} --device {device} ...", flush=True)
        done = side.run(["verify", workload, "--device", device, "--quiet"])
        known[workload, device] = done.returncode == 0
        if done.returncode:
            print(f"    failed with {done.returncode}: {done.stderr.strip()}")
    return known[workload, device]


def compare(sides, runs, work, jobs):
    counts = {"same": 0, "allowed": 0, "differs": 0, "left out": 0}
    listed, known = Counter(), {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(make, run, number, sides, work) for number, run in enumerate(runs)]
        for run, future in zip(runs, waiting):
            verdict, lines, only = future.result()
            reason = next((why for pattern, why in ALLOWED if re.search(pattern, run[0])), None)
            if verdict == "differs" and reason:
                verdict = "allowed"
                lines.append(f"allowed: {reason}")
                if not verified(sides[1], run[1], run[3], known):
                    verdict = "differs"
            counts[verdict] += 1
            print(f"{verdict:8}  {run[0]}", *lines, sep="\n    ", flush=True)
            listed += only
    for name, count in sorted(listed.items()):
        print(f"{name} ({count} runs)")
    print(f"{counts['same']} same, {counts['allowed']} allowed, {counts['differs']} differ"
          + (f", {counts['left out']} left out" if counts["left out"] else ""))
    return counts["differs"] == 0 and counts["same"] > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", required=True, metavar="BUILD", help="commit, build folder or shoal program")
    parser.add_argument("--new", required=True, metavar="BUILD", help="the same; default names are those of --old")
    parser.add_argument("--device", default="opencl:0", metavar="LIST",
                        help="ids of devices, separated by commas; host is always among them (default opencl:0)")
    parser.add_argument("--only", default="", metavar="PATTERN", help="runs whose line matches, e.g. 'gas .*list'")
    parser.add_argument("--work", type=Path, metavar="DIR",
                        help="folder for builds, caches and the files of all runs; kept (default: a temporary one)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at a time (default 2)")
    arguments = parser.parse_args()
    devices = [device for device in arguments.device.split(",") if device != "host"]
    work = (arguments.work or Path(tempfile.mkdtemp(prefix="shoal-compare-"))).resolve()
    work.mkdir(parents=True, exist_ok=True)
    try:
        sides = [Side("old", arguments.old, work), Side("new", arguments.new, work)]
        runs = plan(devices, arguments.only)
        if not runs:
            fail(f"no run matches {arguments.only}")
        make_data(sides, work)
        passed = compare(sides, runs, work, arguments.jobs)
    finally:
        if not arguments.work:
            for link in work.glob("*/.git"):  # builds of commits
                call(["git", "-C", HERE, "worktree", "remove", "--force", link.parent])
            shutil.rmtree(work)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
