#!/usr/bin/env python3
"""Compiles each layout.clh as C and, with clang, as OpenCL C 1.2: both without a warning, and with the same sizes and
offsets of its structs. Skipped (77) where there is no clang."""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
OPENCL = ["clang", "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-Wall", "-Wextra", "-Werror",
          "-fsyntax-only", "-"]


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def places(text):
    """Sizes and offsets as expressions of C."""
    for name, body in re.findall(r"struct (\w+) \{(.*?)\n\};", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL), re.DOTALL):
        yield f"sizeof(struct {name})"
        for declaration in body.split(";")[:-1]:
            for member in declaration.replace("struct ", "").split(None, 1)[1].split(","):
                yield f"__builtin_offsetof(struct {name}, {member.strip()})"


def check(compiler, folder, layout, work):
    text = layout.read_text(encoding="utf-8")
    asked = list(places(text))
    prints = "".join(f'    printf("%d\\n", (int){place});\n' for place in asked)
    source, program = work / "layout.c", work / "layout"
    # Those of algorithms come behind that of all searches.
    includes = f'#include "search/layout.clh"\n#include "{layout.relative_to(folder)}"\n'
    source.write_text(f'#include <stdint.h>\n#include <stdio.h>\n{includes}int main(void)\n{{\n    puts("");\n{prints}'
                      "    return 0;\n}\n", encoding="utf-8")
    run([*compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", folder, source, "-o", program])
    values = run([program]).split()
    same = "".join(f"typedef char same_{i}[{place} == {value} ? 1 : -1];\n"
                   for i, (place, value) in enumerate(zip(asked, values)))
    run([*OPENCL, "-I", str(folder)], f'{includes}{same}')
    print(f"{layout.relative_to(folder)}: {len(asked)} sizes and offsets")


def main():
    folder, compiler = Path(sys.argv[1]).resolve(), sys.argv[2:]
    if not shutil.which("clang"):
        print("there is no clang: skipped")
        sys.exit(SKIPPED)
    layouts = sorted(folder.glob("*/layout.clh"))
    if not layouts:
        sys.exit(f"{folder} has no layout.clh")
    with tempfile.TemporaryDirectory() as work:
        for layout in layouts:
            check(compiler, folder, layout, Path(work))


main()
