#!/usr/bin/env python3
"""Initialisers of parameter structs compile without a warning as C11 and C++20, by gcc and clang; those not there are
left out. SOURCE uses every initialiser of the headers.

usage: check_init.py SOURCE INCLUDE...
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
import tap

COMPILERS = [("gcc", "c", "c11"), ("clang", "c", "c11"), ("g++", "c++", "c++20"), ("clang++", "c++", "c++20"), ("g++", "c++", "c++11")]


def main():
    source, *folders = sys.argv[1:]
    for compiler, language, standard in COMPILERS:
        if not shutil.which(compiler):
            continue
        command = [compiler, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
                   "-DSHOAL_THESES=1", *(f"-I{folder}" for folder in folders), source]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        tap.case(f"{compiler} -std={standard}", result.stderr if result.returncode else "")
    headers = "".join(path.read_text(encoding="ascii") for path in pathlib.Path(folders[0], "shoal").glob("*.h"))
    macros = set(re.findall(r"^#define (SHOAL_\w+)\(\.\.\.\)[\s\\]+SHOAL_INIT\(", headers, re.MULTILINE))
    used = set(re.findall(r"SHOAL_\w+", pathlib.Path(source).read_text(encoding="ascii")))
    tap.case("every initialiser is used", "\n".join(sorted(macros - used)) if len(macros) > 30 else f"{len(macros)} were found")
    # The first folder is that of the source tree, whose headers compile without a build.
    result = subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", f"-I{folders[0]}",
                             "-x", "c", "-"], input="#include <shoal/shoal.h>\nint unused;\n", capture_output=True, text=True,
                            check=False)
    tap.case("the headers of the source tree alone", result.stderr if result.returncode else "")
    tap.done()


main()
