#!/usr/bin/env python3
"""Names and comments use the standard terms of the field: words that were replaced by such do not come back.

usage: check_words.py ROOT

Names: an identifier of the code, cut at underscores, contains none of NAMES. Text: comments, strings, documents
and scripts contain none of TERMS. EXCEPTIONS are what files and other programs call so.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
import tap

FOLDERS = ("src", "cl", "include", "tools", "bench", "docs", "examples", "python")
FILES = ("README.md", "CONTRIBUTING.md")
CODE = (".c", ".h", ".cl", ".clh", ".cu", ".cuh")
TEXT = CODE + (".md", ".py", ".sh", ".txt", ".build")

# Word: what to write.
NAMES = {
    "anyhow": "force", "beat": "progress", "beats": "progress", "bed": "fixture", "book": "exchange, record",
    "books": "exchange, record", "crew": "group", "crowd": "group", "crowds": "groups", "crown": "update_best",
    "home": "base", "ledger": "exchange", "made": "steps_done, or what was created", "nobody": "NO_INDEX",
    "occasion": "event", "occasions": "events", "outer": "external", "pace": "thread_choice", "scene": "context",
    "stand": "position, state", "stands": "position, state", "stood": "position, state",
    "thing": "its kind", "things": "their kind", "way": "displacement, method", "ways": "methods",
}
TERMS = {
    r"\bbeds?\b": "fixture", r"(?<!text)\bbook(s|ed)?\b": "exchange, record", r"\bcrews?\b": "group",
    r"\bcrowd(s|ed)?\b": "group, large cell", r"\bcrown\b": "update of the best", r"\bledgers?\b": "exchange",
    r"\banyhow\b": "in any case", r"\bnobody\b": "none, no particle", r"\boccasions?\b": "event",
    r"\b(stands?|stood)\b(?! for\b|-in\b)": "is at", r"\bhangs? together\b": "are connected",
    r"\b(say|says|said) nothing\b": "has no effect", r"\btells? of\b": "describes",
    r"\bouter\b(?! (loop|radius|product)\b)": "external",
    r"\b(in|under|on (its|their)) way\b": "loaded, meanwhile",
}
# (file, text of the line): sections of checkpoints, folders of users, radii of a shell.
EXCEPTIONS = [
    ("src/gas/host/host.c", '"books"'),
    ("src/gas/device/device.c", '"ledger"'),
    ("src/compute/cuda/loader.c", "home"),
    ("src/compute/program/cache.c", "home"),
    ("src/compute/opencl/device.c", "home"),
    ("src/gas/public.c", "outer"),
]
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def blank(text):
    """A space with the text's ends of lines, so that the lines after it keep their numbers."""
    return " " + "\n" * text.count("\n")


def without_comments(code):
    return COMMENT_OR_STRING.sub(lambda match: blank(match.group()), code)


def only_comments(code):
    parts, end = [], 0
    for match in COMMENT_OR_STRING.finditer(code):
        parts += [blank(code[end:match.start()]), match.group()]
        end = match.end()
    return "".join(parts)


def files(root):
    for folder in FOLDERS:
        for path, folders, names in os.walk(os.path.join(root, folder)):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            yield from (os.path.relpath(os.path.join(path, name), root) for name in sorted(names))
    yield from FILES


def is_excepted(name, line):
    return any(name == file and part in line for file, part in EXCEPTIONS)


def names_in(code):
    """(line number, identifier, word) of every name that contains one of NAMES."""
    for number, line in enumerate(without_comments(code).splitlines(), 1):
        for identifier in re.findall(r"[A-Za-z_]\w*", line):
            for word in identifier.lower().split("_"):
                if word in NAMES:
                    yield number, identifier, NAMES[word]


def terms_in(text):
    """(line number, words, what to write)."""
    for pattern, better in TERMS.items():
        for match in re.finditer(pattern, text, re.I):
            yield text.count("\n", 0, match.start()) + 1, match.group(), better


def main():
    root = sys.argv[1]
    bad_names, bad_terms, count = [], [], 0
    for name in files(root):
        if not name.endswith(TEXT):
            continue
        with open(os.path.join(root, name), encoding="utf-8") as file:
            text = file.read()
        lines = text.splitlines()
        count += 1
        if name.endswith(CODE):
            bad_names += [f"{name}:{number}: {identifier}: write {better}"
                          for number, identifier, better in names_in(text)
                          if not is_excepted(name, lines[number - 1])]
            text = only_comments(text)
        bad_terms += [f"{name}:{number}: \"{words}\": write {better}" for number, words, better in terms_in(text)
                      if not is_excepted(name, lines[number - 1])]
    tap.case("files are found", None if count > 100 else f"{count} under {root}")
    tap.case("no name has a replaced word", "\n".join(bad_names))
    tap.case("no text has a replaced term", "\n".join(bad_terms))
    tap.done()


main()
