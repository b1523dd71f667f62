#!/usr/bin/env python3
"""The commands of README and of the tutorials work: all are run in a fresh folder, one page after another.

usage: check_pages.py ROOT SHOAL [--update]

A block of code holds commands. In a `console` block those are the lines behind `$ `, and the others what they print,
which is compared without numbers and times; `...` is for lines that are left out. A `text` block shows what another
machine printed. Every file that a command names exists behind it, and commands make the pictures that their page
shows. Where only a share of the cases is asked for (SHOAL_TEST_SHARE), none is run.

--update: docs/ gets the pictures as the commands draw them now.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
import tap

PAGES = ["docs/tutorial-fit.md", "docs/tutorial-liquid.md", "docs/tutorial-devices.md", "README.md"]
# Blocks that install or build something, by how they begin: they are not run.
SETUP = ["tools/quickstart.sh ", "meson setup build "]
# Pictures of measurements on other machines, and of runs of minutes.
MEASURED = ["docs/compare.svg"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r"!\[[^]]*\]\(([^)]+)\)")
FILE = re.compile(r"(?<![\w./-])[\w-]+\.(?:checkpoint|csv|html|ini|json|npy|svg|tsp)\b")
FRAMES = re.compile(r"--png (\S+)")
NUMBER = re.compile(r"[-+]?\b\d+(?:\.\d*)?(?:e[-+]?\d+)?(?: (?:[kMG]|[mun]?s)(?![^\s,;]))?")


def masked(line):
    """The line without its numbers, their units of size, and the width of its columns."""
    return re.sub(r"\s+", " ", NUMBER.sub("#", line)).strip()


def steps_of(language, block):
    """[command, the lines that it is said to print, None where the page does not show them] of a block."""
    if language == "text":
        return []
    if language != "console":
        return [[line, None] for line in block.splitlines()]
    steps = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append([line[2:], []])
        else:
            steps[-1][1].append(line)
    return steps


def lines_of(text):
    return [line for line in (masked(line) for line in text.splitlines()) if line]


def difference(shown, printed):
    """What of the lines shown is not printed in this order, and what is printed between them that is not shown."""
    at, may_skip = 0, False
    for line in shown:
        if line == "...":
            may_skip = True
            continue
        found = printed.index(line, at) if line in printed[at:] else None
        if found is None:
            return f"not printed here: {line}"
        if found > at and not may_skip:
            return f"printed, but not shown: {printed[at]}"
        at, may_skip = found + 1, False
    return None if may_skip or at == len(printed) else f"printed, but not shown: {printed[at]}"


def missing_files(folder, command):
    missing = [name for name in FILE.findall(command) if not os.path.exists(os.path.join(folder, name))]
    missing += [f"{name}-*.png" for name in FRAMES.findall(command)
                if not any(re.fullmatch(re.escape(name) + r"-\d+\.png", file) for file in os.listdir(folder))]
    return f"no file {', '.join(missing)}" if missing else None


def run_step(folder, env, command, shown):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=120, check=False)
    if done.returncode:
        return f"exit code {done.returncode}\n{done.stdout[-1000:]}\n{done.stderr[-2000:]}"
    problem = missing_files(folder, command)
    if shown and not problem:
        printed = lines_of(done.stdout)
        problem = difference(lines_of("\n".join(shown)), printed)
        problem = problem and problem + "\n" + "\n".join(printed)
    return problem


def run_page(root, page, env, update):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        text = file.read()
    with tempfile.TemporaryDirectory(prefix="shoal-pages-") as folder:
        for language, block in BLOCK.findall(text):
            if not language and block.startswith(tuple(SETUP)):
                tap.skip(f"{page}: {block.splitlines()[0]}", "it installs or builds")
                continue
            for command, shown in steps_of(language, block):
                tap.case(f"{page}: {command}", run_step(folder, env, command, shown))
        for picture in PICTURE.findall(text):
            name, drawn = os.path.join(os.path.dirname(page), picture), os.path.join(folder, picture)
            if name in MEASURED:
                continue
            tap.case(f"{page}: {picture}", None if os.path.exists(drawn) else "no command of the page draws it")
            if update and os.path.exists(drawn):
                shutil.copyfile(drawn, os.path.join(root, name))


def check_difference():
    """Cases of difference(): lines shown, printed, whether they fit."""
    cases = [(["a"], ["a"], True), (["a"], ["a", "b"], False), (["a", "..."], ["a", "b"], True), (["b"], ["a", "b"], False),
             (["...", "b"], ["a", "b"], True), (["a", "c"], ["a", "b", "c"], False), (["b", "a"], ["a", "b"], False),
             (["..."], ["a"], True), (["a"], [], False)]
    wrong = [f"{shown} {printed}" for shown, printed, fits in cases if (difference(shown, printed) is None) != fits]
    if masked("time:  1.5 ms, x -3e-05 2 k") != masked("time: 12 s, x 7 4"):
        wrong.append("masked numbers")
    tap.case("a difference is noticed, and nothing else", "\n".join(wrong))


def main():
    root, shoal, *rest = sys.argv[1:]
    check_difference()
    with tempfile.TemporaryDirectory(prefix="shoal-pages-") as home:
        env = {name: value for name, value in os.environ.items() if not name.startswith("SHOAL_") and name != "COLUMNS"}
        env.update(PATH=os.path.dirname(os.path.abspath(shoal)) + os.pathsep + env["PATH"], LC_ALL="C", HOME=home,
                   XDG_CACHE_HOME=home, OMP_WAIT_POLICY="passive")
        if "SHOAL_TEST_RECORD" in os.environ:
            env["SHOAL_TEST_RECORD"] = os.environ["SHOAL_TEST_RECORD"]
        for page in [] if "SHOAL_TEST_SHARE" in os.environ else PAGES:
            run_page(root, page, env, "--update" in rest)
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        blocks = [block for language, block in BLOCK.findall(file.read()) if not language]
    unused = [begin for begin in SETUP if not any(block.startswith(begin) for block in blocks)]
    tap.case("what is not run is there", "\n".join(unused))
    tap.done()


main()
