#!/usr/bin/env python3
"""Files of the project name no place or host of the machine they were written on. Files, functions and parameter
lists of its code stay short, folders too.

usage: check_tree.py ROOT
"""
import ast
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
import tap

SKIPPED_FOLDERS = re.compile(r"^(build.*|bundle.*|\..*|__pycache__)$")
# Split, so that this file does not match itself.
FORBIDDEN = {
    "a path of the machine": re.compile(r"(?<![\w.}>])/(?:wo" r"rk|ro" r"ot)/"),
    "a package registry's host": re.compile(
        r"(?:deb\.deb" r"ian\.org|snapshot\.deb" r"ian|py" r"pi\.org|pythonho" r"sted\.org"
        r"|registry\.np" r"mjs|crat" r"es\.io|archive\.ubun" r"tu\.com)"),
}

# Roofs are measured on all threads.
LOOPS = re.compile(r"^src/(?!measure/)")
UNCOUNTED_LOOP = re.compile(r"#pragma omp parallel(?!.*num_threads).*")
MOST_LINES, MOST_FUNCTION_LINES, MOST_PARAMETERS, MOST_FILES = 600, 80, 8, 20
FOLDERS = re.compile(r"^(?:src|cl|tools|bench|python)/")
CODE = re.compile(r"^(?:src|include|tools|bench|cl|python|tests|examples)/.*\.(?:c|h|cl|clh|cu|cuh|py|sh)$")
HOST = re.compile(r"\.[ch]$")
# What a brace, a comma or a line start may be part of without meaning anything; lines are kept.
HIDDEN = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|^[ \t]*#(?:\\\n|[^\n])*""",
                    re.DOTALL | re.MULTILINE)
# A function as clang-format lays it out, defined or declared.
FUNCTION = re.compile(r"^\w(?:[^;{}\n]|\n(?![\n{]))*(?:;|\n\{\n.*?^\})", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"[^()=]*?(\w+)\(")
# Prototypes of the drivers, which the fake ones define.
OTHERS = re.compile(r"^(?:__(?:real|wrap)_)?(?:cl|cu)[A-Z]")


def parameter_count(text):
    """Of the list that begins the text, up to the parenthesis that ends it."""
    count, depth = 1, 0
    for character in text:
        depth += (character == "(") - (character == ")")
        count += character == "," and depth == 0
        if depth < 0:
            break
    return count


def c_functions(text):
    """(name, first line, lines, parameters) of each function."""
    text = HIDDEN.sub(lambda match: "\n" * match[0].count("\n"), text)
    for match in FUNCTION.finditer(text):
        name = NAME.match(match[0])
        if name:
            yield (name[1], text.count("\n", 0, match.start()) + 1, match[0].count("\n") + 1,
                   parameter_count(match[0][name.end():]))


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1, 0


def oversized(name, text):
    """What of a file is longer than it may be."""
    lines = text.count("\n")
    if lines > MOST_LINES:
        yield f"{name}: {lines} lines, more than {MOST_LINES}; split the file"
    if name.endswith(".sh"):
        return
    for function, line, lines, parameters in (python_functions if name.endswith(".py") else c_functions)(text):
        if lines > MOST_FUNCTION_LINES:
            yield f"{name}:{line}: {function} has {lines} lines, more than {MOST_FUNCTION_LINES}; split it"
        if HOST.search(name) and parameters > MOST_PARAMETERS and not OTHERS.match(function):
            yield (f"{name}:{line}: {function} has {parameters} parameters, more than {MOST_PARAMETERS}; "
                   "pass a struct")


def planted(lines, parameters, file_lines):
    """A file of one function whose comment, string and function pointer mean nothing to the limits."""
    listed = ", ".join(["int (*f)(int, int)"] + ["int a"] * (parameters - 1))
    function = f"static int f({listed})\n{{\n" + "    g(\"}}, {{\");\n" * (lines - 3) + "}\n"
    return function + "/* (,\n" + "\n" * (file_lines - lines - 2) + "*/\n"


def limit_problems():
    most = MOST_FUNCTION_LINES, MOST_PARAMETERS, MOST_LINES
    expected = {most: 0}
    expected.update({tuple(value + (i == k) for i, value in enumerate(most)): 1 for k in range(len(most))})
    return [f"{sizes} lines, parameters, lines of the file: {found}"
            for sizes, count in expected.items()
            for found in [list(oversized("src/planted.c", planted(*sizes)))] if len(found) != count]


def full_folders(names):
    """Folders of the code with more files than anyone keeps in view, subfolders not counted."""
    folders = [os.path.dirname(name) for name in names if FOLDERS.match(name)]
    return [f"{folder}: {folders.count(folder)} files, more than {MOST_FILES}; move some by subject"
            for folder in sorted(set(folders)) if folders.count(folder) > MOST_FILES]


def uncounted_loops(texts):
    return [f"{name}: {match[0]}: say on how many threads, by base/threads.h"
            for name, text in sorted(texts.items()) if LOOPS.match(name) for match in UNCOUNTED_LOOP.finditer(text)]


def project_files(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
    if listed.returncode == 0:
        return [name for name in os.fsdecode(listed.stdout).split("\0") if name]
    # A release archive.
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not SKIPPED_FOLDERS.match(name)]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in files]
    return found


def main():
    root = sys.argv[1]
    texts = {}
    for name in project_files(root):
        path = os.path.join(root, name)
        if not os.path.isfile(path):
            continue  # removed, not yet committed
        with open(path, "rb") as file:
            content = file.read()
        if b"\0" not in content:
            texts[name] = content.decode("utf-8", errors="replace")
    tap.case("project files are found", None if texts else f"none under {root}")
    for what, pattern in FORBIDDEN.items():
        hits = [f"{name}:{number}: {line.strip()[:120]}"
                for name, text in sorted(texts.items())
                for number, line in enumerate(text.splitlines(), 1) if pattern.search(line)]
        tap.case(f"no file names {what}", "\n".join(hits))
    planted_loop = "#pragma omp " "parallel for schedule(static)"
    tap.case("a parallel loop without its threads is noticed, and no other",
             None if uncounted_loops({"src/planted.c": planted_loop, "src/measure/planted.c": planted_loop,
                                      "src/other.c": planted_loop + " num_threads(2)"}) == [
                 f"src/planted.c: {planted_loop}: say on how many threads, by base/threads.h"] else "planted loops")
    tap.case("every parallel loop says on how many threads it runs", "\n".join(uncounted_loops(texts)))
    tap.case("the limits of length are noticed, and not before", "\n".join(limit_problems()))
    hits = [hit for name, text in sorted(texts.items())
            if CODE.search(name) and not name.startswith("tests/vectors/") for hit in oversized(name, text)]
    tap.case("files, functions and parameter lists of the code are short", "\n".join(hits))
    planted_folder = [f"src/planted/{k}.c" for k in range(MOST_FILES + 1)]
    tap.case("a full folder is noticed, and not before",
             None if full_folders(planted_folder) and not full_folders(planted_folder[1:]) else "planted folders")
    tap.case("no folder of the code is full", "\n".join(full_folders(texts)))
    tap.done()


main()
