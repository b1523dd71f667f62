#!/usr/bin/env python3
"""Copies the test programs of a build, and the files their command lines name, into a bundle.

usage: copy_tests.py SOURCE BUILD BUNDLE SUITE...    (standard input: `meson introspect --tests BUILD`)

Writes BUNDLE/tests/list, with a line for each test and fields separated by tabs: suite, name, time limit in seconds,
and the command after its environment variables, with paths relative to the bundle. Tests that are no program of the
build, such as scripts, are left out.
"""
import json
import os
import shlex
import shutil
import sys

# Environment variables that name folders which appear during the run. They are left out of the commands: run-tests.sh
# sets them, unless the caller has.
FOLDERS_OF_THE_RUN = {"POCL_CACHE_DIR"}
# Files that meson and compilers leave beside the files that a test names.
LEFT_OUT = shutil.ignore_patterns("*.p", "*.a", "*.o", "meson.build")


def below(path, folder):
    """`path` relative to `folder`; None: `path` is not in the folder."""
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(folder))
    return None if relative.startswith("..") else relative


def bundled(word, source, build, bundle):
    """The word with its path replaced by the path in the bundle; copies the file or folder that the word names."""
    if not os.path.isabs(word) or not os.path.exists(word):
        return word
    inside, base = below(word, build), "tests"
    if inside is None:
        inside, base = below(word, source), "data"
    if inside is None:
        return word
    target = os.path.join(bundle, base, inside.removeprefix("tests/"))
    if os.path.isdir(word):
        shutil.copytree(word, target, dirs_exist_ok=True, ignore=LEFT_OUT)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(word, target)
    return os.path.relpath(target, bundle)


def library_path(value, source, build, bundle):
    """LD_LIBRARY_PATH of a test in the bundle: `value` without the folder of libshoal that meson adds, since the bundle
    has its own libshoal. Copies the other folders, which hold fake libraries."""
    folders = dict.fromkeys(folder for folder in value.split(":") if os.path.realpath(folder) != os.path.realpath(build))
    return ":".join(bundled(folder, source, build, bundle) for folder in folders)


def main():
    source, build, bundle, *suites = sys.argv[1:]
    lines = []
    for test in json.load(sys.stdin):
        mine = [name.split(":")[-1] for name in test["suite"]]
        suite = next((name for name in suites if name in mine), None)
        inside = below(test["cmd"][0], build)
        if suite is None or inside is None:
            continue
        env = {name: value for name, value in test["env"].items() if name not in FOLDERS_OF_THE_RUN}
        if "LD_LIBRARY_PATH" in env:
            env["LD_LIBRARY_PATH"] = library_path(env["LD_LIBRARY_PATH"], source, build, bundle)
        words = [f"{name}={bundled(value, source, build, bundle)}" for name, value in sorted(env.items()) if value]
        words += [bundled(word, source, build, bundle) for word in test["cmd"]]
        command = " ".join(shlex.quote(word) for word in (["env"] if "=" in words[0] else []) + words)
        lines.append("\t".join([suite, test["name"].replace("\t", " "), str(test["timeout"] or 600), command]))
    if not lines:
        sys.exit(f"copy_tests.py: {build} has no test program in the suites {' '.join(suites)}")
    with open(os.path.join(bundle, "tests", "list"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print(f"    {len(lines)} test programs")


main()
