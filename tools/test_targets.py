#!/usr/bin/env python3
"""Prints what the tests of suites need of a build, as targets of ninja.

usage: test_targets.py BUILD [--others] SUITE... [-SUITE...]

Tests that also belong to a suite with a minus do not count. With --others, everything that the build makes but the
programs that only these tests run.
"""
import json
import os
import subprocess
import sys


def introspect(build, what):
    return json.loads(subprocess.run(["meson", "introspect", what, build], check=True, capture_output=True).stdout)


def needed_by(tests):
    return {target for test in tests for target in test["depends"]}


def main():
    build, *words = sys.argv[1:]
    others = "--others" in words
    suites = set(words) - {"--others"}
    unwanted = {word[1:] for word in suites if word.startswith("-")}
    chosen, rest = [], []
    for test in introspect(build, "--tests"):
        # meson puts the name of the project before each suite.
        names = {suite.split(":")[-1] for suite in test["suite"]}
        (chosen if names & suites and not names & unwanted else rest).append(test)
    needed, shared = needed_by(chosen), needed_by(rest)
    for target in introspect(build, "--targets"):
        if others:
            wanted = target["build_by_default"] and not (target["type"] == "executable" and target["id"] in needed - shared)
        else:
            wanted = target["id"] in needed
        if wanted:
            print(*(os.path.relpath(path, build) for path in target["filename"]), sep="\n")


main()
