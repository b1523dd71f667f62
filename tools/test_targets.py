#!/usr/bin/env python3
"""Prints what the tests of suites need of a build, as targets of ninja.

usage: test_targets.py BUILD [--objects] SUITE... [-SUITE...]

Tests that also belong to a suite with a minus do not count. With --objects, the objects of all sources, too.
"""
import json
import os
import subprocess
import sys


def introspect(build, what):
    return json.loads(subprocess.run(["meson", "introspect", what, build], check=True, capture_output=True).stdout)


def main():
    build, *words = sys.argv[1:]
    suites = {word for word in words if word != "--objects"}
    unwanted = {word[1:] for word in suites if word.startswith("-")}
    needed = set()
    for test in introspect(build, "--tests"):
        # meson puts the name of the project before each suite.
        names = {suite.split(":")[-1] for suite in test["suite"]}
        if names & suites and not names & unwanted:
            needed.update(test["depends"])
    for target in introspect(build, "--targets"):
        if target["id"] in needed:
            print(*(os.path.relpath(path, build) for path in target["filename"]), sep="\n")
    if "--objects" in words:
        with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
            print(*(command["output"] for command in json.load(file)), sep="\n")


main()
