#!/usr/bin/env python3
"""Writes a C file with the texts of kernel files as strings and the words of the kernel dialect, and two headers that
describe the kernels of each .cl file: one for contracts, one for launches.

usage: embed.py TEXTS CONTRACTS LAUNCHES CL_DIR CUDA_DIR FILE...

CL_DIR may be several folders, separated by colons; included files are in the first folder. Names of files in CL_DIR are
relative to their folder; names of files in CUDA_DIR are cuda/NAME. For gas/sort.cl CONTRACTS defines, by its first
folder and its name,
    CL_FILE_gas_sort            the members file and native of struct shoal_program_desc
    CL_DEFAULT_gas_sort_WG      a default
    CL_ENTRY_gas_sort_ENTRY     the members name, work_group, args and arg_count of struct shoal_entry_desc
for the macros of src/compute/contract.h. The size of a struct argument is the size of the host's struct of this name.
"""
import os
import sys

from dialect import dialect
from kernel_text import KernelError, Library
from launches import launches_text


def embedded_name(path, cl_dir, cuda_dir):
    for folder in cl_dir.split(os.pathsep):
        relative = os.path.relpath(os.path.realpath(path), os.path.realpath(folder))
        if not relative.startswith(".."):
            return relative
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(cuda_dir))
    if relative.startswith(".."):
        sys.exit(f"embed.py: {path} lies under neither {cl_dir} nor {cuda_dir}")
    return "cuda/" + relative


def c_string(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?").replace("\t", "\\t")
    return "\n".join(f'        "{line}\\n"' for line in escaped.split("\n")[:-1]) or '        ""'


def texts_text(texts, words):
    rows = "".join(f'    {{"{name}",\n{c_string(texts[name])}}},\n' for name in sorted(texts))
    return ('/* Made by tools/embed.py. */\n#include "compute/program/embedded.h"\n\n'
            f"const struct embedded_file embedded_files[] = {{\n{rows}    {{0, 0}},\n}};\n\n"
            "const struct embedded_word embedded_words[] = {\n"
            + "".join(f'    {{"{word}", {words[word]}}},\n' for word in sorted(words)) +
            f"}};\nconst size_t embedded_word_count = {len(words)};\n")


def argument_row(argument):
    access = "SHOAL_VALUE" if not argument.is_pointer else "SHOAL_READ" if argument.is_const else "SHOAL_READ_WRITE"
    size = f"sizeof(struct {argument.type.removeprefix('struct ')})" if argument.is_struct else "0"
    return f'{{"{argument.name}", {access}, "{argument.type}", {size}}}'


def contract_lines(name, native, entries, defaults):
    key = f"{name.split('/')[0]}_{os.path.splitext(os.path.basename(name))[0]}"
    yield f"/* {name} */"
    yield f'#define CL_FILE_{key} .file = "{name}"' + (f', .native = "{native}"' if native else "")
    for define, value in defaults.items():
        yield f"#define CL_DEFAULT_{key}_{define} {value}"
    for entry in entries.values():
        rows = ", ".join(argument_row(argument) for argument in entry.args)
        args = f"(const struct shoal_arg_desc[]){{{rows}}}" if rows else "0"
        yield (f'#define CL_ENTRY_{key}_{entry.name} .name = "{entry.name}", .work_group = "{entry.work_group}", '
               f".arg_count = {len(entry.args)}, .args = {args}")


def read_contracts(library, names):
    """(name, name of the native file or None, entries, defaults) of each .cl file. names: {path: name} of all files."""
    for path, name in sorted(names.items(), key=lambda item: item[1]):
        if not name.endswith(".cl"):
            continue
        file, native = library.file(path), os.path.splitext(path)[0] + ".cu"
        for one in library.closure(file):
            for line, message in one.problems:
                raise KernelError(one, line, message)
        yield name, names.get(native), *library.contract(file)


def contracts_text(contracts):
    lines, keys = ["/* Made by tools/embed.py: see there. */"], {}
    for name, native, entries, defaults in contracts:
        part = list(contract_lines(name, native, entries, defaults))
        other = keys.setdefault(part[1].split()[1], name)
        if other != name:
            sys.exit(f"embed.py: {name} and {other} need names of their own: contracts go by first folder and name")
        lines += part
    return "\n".join(lines) + "\n"


def write_changed(path, text):
    """Writes the file only if its text has changed, since the build compiles again the files that include a new
    file."""
    if os.path.exists(path):
        with open(path, encoding="ascii") as file:
            if file.read() == text:
                return
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def read_text(path):
    with open(path, "rb") as file:
        raw = file.read()
    if not raw.isascii():
        line = next(i for i, part in enumerate(raw.split(b"\n"), 1) if not part.isascii())
        sys.exit(f"{path}:{line}: a kernel file holds ASCII only")
    if not raw.endswith(b"\n"):
        sys.exit(f"{path}: the last line has no line feed")
    return raw.decode()


def main():
    texts_path, contracts_path, launches_path, cl_dir, cuda_dir, *files = sys.argv[1:]
    names = {path: embedded_name(path, cl_dir, cuda_dir) for path in files}
    texts = {names[path]: read_text(path) for path in files}
    try:
        contracts = list(read_contracts(Library(cl_dir.split(os.pathsep)[0]), names))
        write_changed(contracts_path, contracts_text(contracts))
        write_changed(launches_path, launches_text((name, entries) for name, _, entries, _ in contracts))
    except KernelError as error:
        sys.exit(str(error))
    prelude = next(path for path, name in names.items() if name == "cuda/prelude.cuh")
    write_changed(texts_path, texts_text(texts, dialect(prelude)))


main()
