#!/usr/bin/env python3
"""Prints what the tests of suites need of a build, as targets of ninja.

usage: test_targets.py BUILD SUITE...
"""
import json
import os
import subprocess
import sys


def introspect(build, what):
    return json.loads(subprocess.run(["meson", "introspect", what, build], check=True, capture_output=True).stdout)


def main():
    build, suites = sys.argv[1], set(sys.argv[2:])
    # meson puts the name of the project before each suite.
    tests = [test for test in introspect(build, "--tests") if suites.intersection(suite.split(":")[-1] for suite in test["suite"])]
    needed = {target for test in tests for target in test["depends"]}
    for target in introspect(build, "--targets"):
        if target["id"] in needed:
            print(*(os.path.relpath(path, build) for path in target["filename"]), sep="\n")


main()
