#!/usr/bin/env python3
"""Writes a C file that holds kernel texts as strings.

usage: embed.py OUTPUT CL_DIR CUDA_DIR FILE...

Files under CL_DIR are named relative to it, files under CUDA_DIR as cuda/NAME.
"""
import os
import sys


def embedded_name(path, cl_dir, cuda_dir):
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(cl_dir))
    if not relative.startswith(".."):
        return relative
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(cuda_dir))
    if relative.startswith(".."):
        sys.exit(f"embed.py: {path} lies under neither {cl_dir} nor {cuda_dir}")
    return "cuda/" + relative


def c_string(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?").replace("\t", "\\t")
    return "\n".join(f'        "{line}\\n"' for line in escaped.split("\n")[:-1]) or '        ""'


def main():
    output, cl_dir, cuda_dir, *files = sys.argv[1:]
    rows = []
    for path in files:
        with open(path, encoding="ascii") as file:
            text = file.read()
        if not text.endswith("\n"):
            sys.exit(f"embed.py: {path}: the last line has no line feed")
        rows.append((embedded_name(path, cl_dir, cuda_dir), c_string(text)))
    rows.sort()
    with open(output, "w", encoding="ascii") as file:
        file.write('/* Made by tools/embed.py. */\n#include "compute/program/embedded.h"\n\n')
        file.write("const struct embedded_file embedded_files[] = {\n")
        for name, text in rows:
            file.write(f'    {{"{name}",\n{text}}},\n')
        file.write("    {0, 0},\n};\n")


main()
