#!/usr/bin/env python3
"""Writes docs/api, a page for each public header, and docs/api.md, their list, from the comments of the headers.

usage: reference.py INCLUDE DOCS

INCLUDE holds the folder `shoal` of the headers, DOCS the folder `api` and api.md. A test fails if the pages are not up
to date: run this program after each change of a header.
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import headers

# Order of the pages: headers that every program uses, searches, other workloads, foundations.
ORDER = ["shoal", "api", "init", "error", "log", "device", "workload", "optimise", "objective", "variables", "data",
         "dataset", "fit", "search", "pso", "ga", "de", "cmaes", "direct_search", "tsp", "gas", "mlp", "mlp_model", "mlp_preparation", "mlp_report",
         "theses", "evaluator", "primitives", "queue", "program", "measure", "rng", "opencl", "cuda"]
CODE = re.compile(r"`[^`\n]*`")
KNOWN = re.compile(r"\$\w+|\bdocs/[\w-]+\.md\b|\b(?:SHOAL|shoal)_\w+|<shoal/\w+\.h>|\bNULL\b|\b\w+->\w+(?:\.\w+)*")
INITIALISER = re.compile(r"^#define (\w+)\(\.\.\.\) ?SHOAL_INIT\((\w+),")


class Names:
    """Finds the page and the heading of the declaration of a name."""

    def __init__(self, pages):
        self.page = {}
        for page, items in pages:
            for item in items:
                if item.name and item.kind != "text" and (item.comments or item.kind != "macro"):
                    title = heading(item)
                    if item.kind != "opaque" or item.name not in self.page or item.comments:
                        self.page[item.name] = (page, anchor(title))
                for member in item.members:
                    if member.kind == "enumerator":
                        self.page[member.name] = (page, anchor(heading(item)))

    def link(self, name, here):
        header = re.match(r"<shoal/(\w+)\.h>", name)
        if name.startswith("docs/"):
            return f"[{name}](../{os.path.basename(name)})"
        if header:
            return f"[`{name}`]({header[1]}.md)"
        if name not in self.page:
            return f"`{name}`"
        page, where = self.page[name]
        return f"[`{name}`]({'' if page == here else page + '.md'}#{where})"


def heading(item):
    if item.kind in ("struct", "enum", "opaque"):
        word = "enum" if item.kind == "enum" else "struct"
        return f"{word} {item.name}" if item.name else f"{item.members[0].name} and its like"
    return item.name


def anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def words(text, names, here):
    """Text of a comment as Markdown: known names become code with links, and special characters are escaped."""
    def prose(part):
        out, end = [], 0
        for match in KNOWN.finditer(part):
            out += [escaped(part[end:match.start()]), names.link(match.group(), here)]
            end = match.end()
        return "".join(out) + escaped(part[end:])

    out, end = [], 0
    for match in CODE.finditer(text):
        inside = match.group()[1:-1]
        out += [prose(text[end:match.start()]), names.link(inside, here) if inside in names.page else match.group()]
        end = match.end()
    return "".join(out) + prose(text[end:])


def escaped(text):
    return re.sub(r"([*\[\]<>|])", r"\\\1", re.sub(r"(?<=\W)_|_(?=\W)", r"\\_", text))


def paragraphs(text, names, here):
    """The text of a comment as Markdown: paragraphs, lists (lines that begin with `- `) and code (indented lines).
    `Errors:` begins a paragraph."""
    out, open_ = [], None
    for line in text.split("\n"):
        kind = "code" if line.startswith("    ") else None if not line.strip() else "text"
        if kind == "text" and open_ == "list" and line.startswith("  "):
            out[-1] += " " + line.strip()
            continue
        if kind == "text" and line.startswith("- "):
            kind = "list"
        if (open_ == "code") != (kind == "code") and "code" in (open_, kind):
            out.append("```")
        if kind == "code":
            out.append(line[4:])
        elif kind == "text" and open_ == "text" and line.startswith("Errors:"):
            out += ["", line]
        elif kind == "text" and open_ == "text":
            out[-1] += " " + line.strip()
        else:
            out.append(line.strip())
        open_ = kind
    if open_ == "code":
        out.append("```")
    inside, lines = False, []
    for at, line in enumerate(out):
        if line.startswith("```"):
            inside = not inside
            end = out.index("```", at + 1) if inside else at
            line += "c" if any(";" in code for code in out[at + 1:end]) else ""
        elif not inside:
            mark = "- " if line.startswith("- ") else ""
            line = mark + words(line[len(mark):], names, here)
        lines.append(line)
    return "\n".join(lines).strip()


def cell(text, names, here):
    return words(re.sub(r"\s+", " ", text), names, here)


def prototype(declaration):
    """The declaration of a function; a long declaration has a line for each argument."""
    if len(declaration) <= 90:
        return declaration
    begin, arguments = declaration.split("(", 1)
    return begin + "(" + arguments.replace(", ", ",\n" + " " * (len(begin) + 1))


def rows(members, names, here, prefix=""):
    for member in members:
        if member.kind == "text":
            yield f"| | **{cell(member.comment, names, here)}** |"
            continue
        declaration = re.sub(r"\s*\{\.\.\.\}.*", "", member.declaration)
        yield f"| `{prefix}{declaration if member.kind == 'enumerator' else declaration}` | {cell(member.comment, names, here)} |"
        yield from rows(member.members, names, here, prefix=f"{member.name}.")


def section(item, names, here, initialisers):
    rule = re.match(r"(.*?) -{10,}$", item.comment)
    if item.kind == "text":
        return f"## {escaped(rule[1])}" if rule else paragraphs(item.comment, names, here)
    if item.kind == "macro" and not item.comments:
        return None
    lines = [f"### {heading(item)}"]
    if item.kind in ("function", "type"):
        lines.append(f"```c\n{prototype(item.declaration)}\n```")
    elif item.kind == "macro":
        lines.append(f"```c\n{item.declaration}\n```")
    if item.comments:
        lines.append(paragraphs(item.comment, names, here))
    if item.name in initialisers:
        lines.append(f"Initialiser: `{initialisers[item.name]}(.member = value, ...)`, see [`<shoal/init.h>`](init.md).")
    if item.members:
        first = "enumerator" if item.kind == "enum" else "member"
        lines.append("\n".join([f"| {first} | meaning |", "|---|---|", *rows(item.members, names, here)]))
    return "\n\n".join(lines)


def page_of(name, items, names):
    initialisers = dict(reversed(match.groups()) for item in items if item.kind == "macro"
                        for match in [INITIALISER.match(item.declaration)] if match)
    parts = [f"# <shoal/{name}.h>".replace("<", "&lt;").replace(">", "&gt;"),
             "<!-- Made by tools/reference.py from the header: change the header. -->"]
    parts += [text for item in items for text in [section(item, names, name, initialisers)] if text]
    return "\n\n".join(parts) + "\n"


def summary(items):
    """The first sentence of a header."""
    text = items[0].comment.split("\n\n")[0] if items and items[0].kind == "text" else ""
    return re.split(r"(?<=\.)\s", re.sub(r"\s+", " ", text))[0].rstrip(".:")


def pages(include):
    """(path below DOCS, text) of every page."""
    found = [(name[:-2], items) for name, items in headers.read_all(include)]
    found.sort(key=lambda page: (ORDER.index(page[0]) if page[0] in ORDER else len(ORDER), page[0]))
    names = Names(found)
    index = ["# The C library, header by header", "",
             "Made by `tools/reference.py` from the headers in `include/shoal`. How programs use the library: [embedding.md](embedding.md).",
             "Statuses, NULL pointers and structs that begin with `size` follow one rule for all calls: [&lt;shoal/error.h&gt;](api/error.md).", "",
             "| header | holds |", "|---|---|"]
    for name, items in found:
        index.append(f"| [&lt;shoal/{name}.h&gt;](api/{name}.md) | {escaped(summary(items))} |")
        yield f"api/{name}.md", page_of(name, items, names)
    yield "api.md", "\n".join(index) + "\n"


def main():
    include, docs = sys.argv[1:]
    os.makedirs(os.path.join(docs, "api"), exist_ok=True)
    written = set()
    for path, text in pages(include):
        written.add(os.path.basename(path))
        with open(os.path.join(docs, path), "w", encoding="utf-8") as file:
            file.write(text)
    for name in os.listdir(os.path.join(docs, "api")):
        if name not in written:
            os.remove(os.path.join(docs, "api", name))


if __name__ == "__main__":
    main()
