#!/usr/bin/env python3
"""Files of the project name no place or host of the machine they were written on.

usage: check_tree.py ROOT
"""
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
    tap.done()


main()
