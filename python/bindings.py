#!/usr/bin/env python3
"""Writes shoal/_bindings.py: the declarations of the public headers in the form that cffi loads without a compiler.

usage: bindings.py INCLUDE OUT DEPFILE VERSION SOVERSION PACKAGE LIBDIR

PACKAGE and LIBDIR are the folders in which the package and the library are installed.

INCLUDE holds shoal/shoal.h, whose headers are declared in the order in which they include each other, and shoal/cuda.h.
Nothing is declared by hand: a change of a header is in the package that is built with it.
"""
import contextlib
import io
import os
import re
import sys

import cffi

# Its functions are text that a compiler must see.
LEFT_OUT = {"rng.h"}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
INCLUDE = re.compile(r"^#include <shoal/(\w+\.h)>", re.MULTILINE)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
MACRO = re.compile(r"\bSHOAL_(?:API|MUST_CHECK|BEGIN_DECLS|END_DECLS|PRINTF\([^)]*\))(?!\w)")


def declarations(folder, name, seen):
    """The header's text behind those that it includes, each once, without what only compilers need."""
    if name in seen or name in LEFT_OUT:
        return ""
    seen.add(name)
    with open(os.path.join(folder, "shoal", name), encoding="ascii") as file:
        text = COMMENT.sub(" ", file.read())
    before = "".join(declarations(folder, other, seen) for other in INCLUDE.findall(text))
    return before + MACRO.sub("", DIRECTIVE.sub("", text))


def main():
    include, out, depfile, version, soversion, package, libdir = sys.argv[1:]
    seen = set()
    maker = cffi.FFI()
    maker.set_source("shoal._bindings", None)
    maker.cdef("".join(declarations(include, name, seen) for name in ("shoal.h", "cuda.h")))
    with contextlib.redirect_stdout(io.StringIO()):  # it tells what it does
        maker.emit_python_code(out)
    with open(out, "a", encoding="ascii") as file:
        file.write(f'\nVERSION = "{version}"\nLIBRARY = "libshoal.so.{soversion}"\n')
        # From the folder of the package: in a wheel, after an installation, in a build folder.
        file.write(f'FOLDERS = ("lib", "{os.path.relpath(libdir, package)}", "../..")\n')
    with open(depfile, "w", encoding="utf-8") as file:
        file.write(f"{out}: {' '.join(os.path.join(include, 'shoal', name) for name in sorted(seen))}\n")


if __name__ == "__main__":
    main()
