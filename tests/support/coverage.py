#!/usr/bin/env python3
"""Fails where a run of the tests left out a kernel, a command, a workload or a parser.

usage: coverage.py SHOAL SOURCE RECORD

RECORD is what record.c wrote during the run. Kernels, commands and workloads (each is a command) are those that SHOAL
lists, parsers are the fuzz targets of the folder SOURCE/tests.
"""
import json
import pathlib
import re
import subprocess
import sys


# PoCL compiles this kernel wrongly; the setup oclgrind and GPUs run the kernel.
NOT_ON_CPUS = {"kernel gas/methods/list_run.cl gas_list_run"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def expected(shoal, source):
    for program in json.loads(output(shoal, "kernels", "--json"))["programs"]:
        for entry in program["entries"]:
            yield f"kernel {program['file']} {entry['name']}"
    commands = re.search(r"^Commands:\n((?:  .*\n)+)", output(shoal, "help"), re.MULTILINE)
    for name in re.findall(r"^  (\S+)", commands[1], re.MULTILINE):
        yield f"run shoal {name}"
    for path in pathlib.Path(source, "tests").rglob("fuzz_*.c"):
        yield f"run {path.stem}"


def main():
    shoal, source, record = sys.argv[1:]
    with open(record, encoding="utf-8") as file:
        found = {line.strip() for line in file}
    # A fuzz target is run with seeds as arguments, so its name is enough.
    found |= {" ".join(line.split()[:2]) for line in found}
    wanted = sorted(set(expected(shoal, source)) - NOT_ON_CPUS)
    missing = [line for line in wanted if line not in found]
    for line in missing:
        print("not covered:", line.removeprefix("run "))
    if missing or len(wanted) < 3:
        sys.exit(f"{len(missing)} of {len(wanted)} kernels, commands and parsers are not covered: mark a test function that "
                 "runs one by_turn")
    print(f"all {len(wanted)} kernels, commands and parsers are covered")


main()
