#!/usr/bin/env python3
"""The structs of launches.h against the kernel files: a struct for each entry, its members are the entry's arguments in
order, and only by their names can they be given.

usage: test_launches.py LAUNCHES CL_DIR INCLUDE_DIR:INCLUDE_DIR... FILE... -- COMPILER...
"""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "tools"))
from kernel_text import Library

HOST_TYPES = {"int": "int32_t", "uint": "uint32_t", "long": "int64_t", "ulong": "uint64_t", "real": "double"}


def declared(argument):
    if argument.is_pointer:
        return f"struct shoal_buffer *{argument.name}"
    if argument.is_struct:
        return f"const {argument.type} *{argument.name}"
    return f"{HOST_TYPES.get(argument.type, argument.type)} {argument.name}"


def written(text):
    """{entry: declarations of its members}"""
    without_comments = re.sub(r"/\*.*?\*/", "", text)
    return {name: [part.strip() for part in body.split(";")[:-1]]
            for name, body in re.findall(r"struct (\w+)_args \{(.*?)\n\}", without_comments, re.DOTALL)}


def compiles(compiler, includes, arguments):
    text = f"""#include "compute/launch.h"
int main(void)
{{
    struct shoal_buffer *buffer = 0;
    const struct philox_words_args args = {{{arguments}}};
    return args.out == buffer;
}}
"""
    command = [*compiler, "-std=c11", "-Wall", "-Werror", "-fsyntax-only", "-x", "c", "-"]
    done = subprocess.run(command + [f"-I{folder}" for folder in includes.split(os.pathsep)], input=text, capture_output=True, text=True,
                          check=False)
    return done.returncode == 0, done.stderr


def main():
    end = sys.argv.index("--")
    launches, folder, includes, *files = sys.argv[1:end]
    compiler, library, failures = sys.argv[end + 1:], Library(folder), []
    structs, entries = written(Path(launches).read_text(encoding="ascii")), {}
    for path in files:
        if path.endswith(".cl"):
            entries.update(library.entries(library.file(path)))
    for name, entry in entries.items():
        wanted = [declared(argument) for argument in entry.args]
        if structs.pop(name, []) != wanted:
            failures.append(f"struct {name}_args is not {wanted}")
    failures += [f"struct {name}_args belongs to no kernel" for name in structs]
    fits, errors = compiles(compiler, includes, ".out = buffer, .n = 1")
    if not fits:
        failures.append(f"named members: {errors}")
    is_gcc = "Free Software" in subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True).stdout
    if is_gcc and compiles(compiler, includes, "buffer, 1")[0]:
        failures.append("members are taken without their names, where two can be swapped")
    print("\n".join(failures) or f"{len(entries)} entries")
    sys.exit(1 if failures else 0)


main()
