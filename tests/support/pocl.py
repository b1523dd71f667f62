#!/usr/bin/env python3
"""Makes a PoCL that has only the built-in functions that the project's texts name.

usage: pocl.py SOURCE FOLDER

PoCL has clang read the 18,000 lines of opencl-c.h anew for each text, and the functions themselves for each process
(pocl_builtins.py): together most of a short kernel's build. A text is compiled alike where functions and vectors that
it does not name are not declared, and every name that occurs in a file of SOURCE stays. FOLDER gets links to the
installed library and its files, such a header, such functions, and FOLDER/vendors: the list of OpenCL drivers with this
PoCL in place of the installed one, for $OCL_ICD_VENDORS. Where there is no PoCL, or one that looks otherwise, the list
is as it was. Where there is a C compiler, the driver is pocl_unoptimised.c, which leaves passes out that optimise. PoCL links
each kernel by a process of its own: FOLDER/linker is for $COMPILER_PATH and has the linker that takes two thirds of the
usual one's time, where it is installed.
"""
import contextlib
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pocl_builtins

HEADER = "opencl-c.h"
FOLDERS = ("bench", "cl", "examples", "include", "src", "tests", "tools")
KERNELS = (".cl", ".clh")
ENDINGS = (".c", ".h", ".py", *KERNELS)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# A directive with the lines that continue it, or a declaration.
PIECE = re.compile(r"[ \t]*#(?:[^\n]*\\\n)*[^\n]*|[^;#]+;")
ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)", re.DOTALL)
VECTOR = re.compile(r"\b(?:u?(?:char|short|int|long)|float|double|half)\d+\b")


def texts(source, endings):
    for folder in FOLDERS:
        for path in pathlib.Path(source, folder).rglob("*"):
            if path.suffix in endings:
                yield path.read_text(encoding="utf-8", errors="replace")


def names(text):
    return set(re.findall(r"[A-Za-z_]\w*", text))


def reduced(header, wanted):
    kept = []
    for piece in PIECE.findall(COMMENT.sub("", header)):
        function = re.search(r"(\w+)\s*\(", ATTRIBUTE.sub("", piece))
        if piece.lstrip().startswith("#") or not function or wanted.issuperset([function[1], *VECTOR.findall(piece)]):
            kept.append(piece.strip())
    return "\n".join(kept) + "\n"


def loaded(name):
    """The path of a library of this process whose name begins so."""
    with open("/proc/self/maps", encoding="utf-8") as file:
        paths = (pathlib.Path(line.split()[-1]) for line in file if "/" in line)
        return next((path for path in paths if path.name.startswith(name)), None)


def path_of(library):
    """As the loader finds it."""
    ctypes.CDLL(library)
    return loaded(os.path.basename(library))


def link_files(source, target, but=()):
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path.name not in but:
            (target / path.name).symlink_to(path)


def likely_builtins(files):
    """Of the libraries for each kind of processor those that PoCL may take here; the others stay whole."""
    paths = sorted(files.glob("kernel-*.bc"))
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    newest = [path for path in paths for kind, flag in (("avx512", "avx512f"), ("avx2", "avx2")) if path.stem.endswith("-" + kind) and flag in flags]
    return newest or paths


def reduce_builtins(files, folder, *wanted):
    library = loaded("libLLVM")
    for path in likely_builtins(files) if library else []:
        reduced_path = folder / (path.name + ".reduced")
        if pocl_builtins.reduce_library(pocl_builtins.Llvm(library), path, reduced_path, *wanted):
            reduced_path.replace(folder / path.name)


def driver(library):
    """A library that comes before this one for OpenCL's loader; without a compiler the library itself."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    made = library.with_name("libpocl-unoptimised.so")
    source = pathlib.Path(__file__).with_name("pocl_unoptimised.c")
    command = [compiler, "-std=c11", "-O1", "-fPIC", "-shared", source, "-o", made, "-Wl,--no-as-needed", library, "-Wl,-rpath,$ORIGIN", "-ldl"]
    return made if compiler and subprocess.run(command, capture_output=True, check=False).returncode == 0 else library


def copy_pocl(library, source, folder):
    """The driver for a copy of the library, which looks for its files beside itself; None where they are not as expected."""
    path = path_of(library)
    for up in "..", "../..":
        files = path and pathlib.Path(os.path.normpath(path.parent / up)) / "share" / "pocl"
        if files and (files / "include" / HEADER).is_file():
            break
    else:
        return None
    copy = folder / "lib" / ("" if up == ".." else path.parent.name)
    copy.mkdir(parents=True)
    # The driver asks for the library by the beginning of its name, which leaves numbers of the version out.
    name = path.name
    while ".so" in name:
        (copy / name).symlink_to(path)
        name = name.rpartition(".")[0]
    if (path.parent / "pocl").exists():
        (copy / "pocl").symlink_to(path.parent / "pocl")
    link_files(files, folder / "share" / "pocl", ["include"])
    link_files(files / "include", folder / "share" / "pocl" / "include", [HEADER])
    wanted = set().union(*map(names, texts(source, ENDINGS)))
    # Words of comments name many functions, of which there is one for each vector; only kernels call those.
    wanted_of_vectors = set().union(*(names(COMMENT.sub("", text)) for text in texts(source, KERNELS)))
    text = reduced((files / "include" / HEADER).read_text(encoding="utf-8"), wanted)
    (folder / "share" / "pocl" / "include" / HEADER).write_text(text, encoding="utf-8")
    reduce_builtins(files, folder / "share" / "pocl", wanted, wanted_of_vectors)
    return driver(copy / path.name)


def put(new, folder):
    """Gives the folder its name, also where another one has it, which another run may use."""
    old = folder.with_name(new.name + ".old")
    while new.exists():
        with contextlib.suppress(FileNotFoundError):
            folder.rename(old)
        with contextlib.suppress(OSError):  # put there by another run since
            new.rename(folder)
        shutil.rmtree(old, ignore_errors=True)


def main():
    source, folder = sys.argv[1], pathlib.Path(os.path.abspath(sys.argv[2]))
    new = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(new, ignore_errors=True)
    (new / "vendors").mkdir(parents=True)
    for path in pathlib.Path("/etc/OpenCL/vendors").glob("*.icd"):
        library = path.read_text(encoding="utf-8").strip()
        copy = copy_pocl(library, source, new) if "pocl" in library else None
        text = folder / copy.relative_to(new) if copy else library
        (new / "vendors" / path.name).write_text(f"{text}\n", encoding="utf-8")
    (new / "linker").mkdir()
    linker = shutil.which("ld.gold")
    if linker:
        (new / "linker" / "ld").symlink_to(linker)
    put(new, folder)


main()
