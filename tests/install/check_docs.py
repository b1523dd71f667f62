#!/usr/bin/env python3
"""README, CONTRIBUTING and docs/ say what is so: code blocks equal the files they show, links lead somewhere,
paths in code marks exist unless a part in capitals is a placeholder.

usage: check_docs.py ROOT

A code block that shows a file follows a line `<!-- file: PATH -->`. A block after `<!-- commands: PATH -->` shows
commands that PATH, a file, holds too, each on a line of its own behind any comment marks.
"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
import tap

BLOCK = re.compile(r"<!-- (file|commands): (\S+) -->\n+```\w*\n(.*?)```\n", re.DOTALL)
PATH = re.compile(r"`((?:bench|cl|docs|examples|include|python|src|tests|tools)/[\w./-]+)")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|<img[^>]* src=\"([^\"]+)\"")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check_block(root, kind, path, block):
    if not os.path.exists(os.path.join(root, path)):
        return f"{path} does not exist"
    text = read(os.path.join(root, path))
    if kind == "file":
        return None if text == block else f"the text differs from {path}; copy the file into the block"
    lines = {line.strip(" */#") for line in text.splitlines()}
    missing = [line for line in block.splitlines() if line.strip() and line.strip() not in lines]
    return "\n".join(f"{path} does not hold: {line}" for line in missing)


def check_picture(root, picture):
    """The picture names the files it was drawn from; drawn again it is the same."""
    text = read(os.path.join(root, picture))
    source = re.search(r"<!-- (docs/\S+\.py(?: \S+)+) -->", text)
    if not source:
        return f"{picture} does not say what it was drawn from"
    drawn, problem = tap.run([sys.executable, *(os.path.join(root, word) for word in source[1].split())])
    return problem or (None if drawn == text else f"{source[1]} draws something else: draw it again")


# Folders that mean the same in each workload; CONTRIBUTING.md names other folders behind the workload that has them.
COMMON = {"device", "host", "methods", "model", "observe", "thesis"}


def named_folders(rules, workloads):
    """Pairs of workload and folder that the rules name: each folder belongs to the workload named last before it."""
    last, pairs = None, set()
    for word in re.findall(r"`(\w+)`", rules):
        last = word if word in workloads else last
        pairs.add((last, word))
    return pairs


def unnamed_folders(root):
    """Folders of workloads that CONTRIBUTING.md does not explain. A workload has a file workload.c."""
    text = read(os.path.join(root, "CONTRIBUTING.md"))
    rules = text[text.index("The folders of the workloads in `src`"):text.index("## Build")]
    places = [os.path.dirname(path) for path in glob.glob(os.path.join(root, "src", "*", "workload.c"))]
    workloads = {os.path.basename(place) for place in places} - {"workload"}
    folders = {(name, folder) for name in workloads for folder in os.listdir(os.path.join(root, "src", name))
               if os.path.isdir(os.path.join(root, "src", name, folder))}
    named, words = named_folders(rules, workloads), set(re.findall(r"`(\w+)`", rules))
    unnamed = [f"{name}/{folder}" for name, folder in folders
               if (name, folder) not in named and not (folder in COMMON and folder in words)]
    return sorted(unnamed) if len(folders) > 40 else [f"{len(folders)} folders were found"]


def main():
    root = sys.argv[1]
    shown = []
    pages = ["README.md", "CONTRIBUTING.md"]
    pages += sorted(f"docs/{name}" for name in os.listdir(os.path.join(root, "docs")) if name.endswith(".md"))
    for name in pages:
        text = read(os.path.join(root, name))
        folder = os.path.dirname(os.path.join(root, name))
        for kind, path, block in BLOCK.findall(text):
            shown.append(path)
            tap.case(f"{name}: block of {path}", check_block(root, kind, path, block))
        for link in sorted({a or b for a, b in LINK.findall(text)}):
            if not re.match(r"[a-z]+:", link):
                tap.case(f"{name}: link to {link}",
                         None if os.path.exists(os.path.join(folder, link)) else "there is no such file")
        missing = [path for path in sorted(set(PATH.findall(text))) if not os.path.exists(os.path.join(root, path))
                   and not any(word.isupper() for word in re.split(r"\W", path))]
        tap.case(f"{name}: the files it names exist", "\n".join(missing))
    tap.case("CONTRIBUTING.md explains each folder of a workload", "\n".join(unnamed_folders(root)))
    for picture in ("docs/compare.svg", "docs/tsp-curves.svg"):
        tap.case(f"{picture} shows committed result files", check_picture(root, picture))
    for page in pages[2:]:
        tap.case(f"README.md names {page}", None if f"]({page})" in read(os.path.join(root, "README.md")) else "no link")
    length = len(read(os.path.join(root, "README.md")).splitlines())
    tap.case("README.md is a screen and a half", None if length <= 80 else f"{length} lines, 80 at most: use a page in docs")
    tap.case("a page shows the embedding example", None if "examples/embed.c" in shown else "no block for it")
    lines = len(read(os.path.join(root, "examples/embed.c")).splitlines())
    tap.case("the embedding example is shorter than 20 lines", None if lines < 20 else f"it has {lines}")
    tap.done()


main()
