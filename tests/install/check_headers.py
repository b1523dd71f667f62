#!/usr/bin/env python3
"""The public headers are a reference: each declaration has a comment of its own, which needs no other comment to be
understood, and docs/api shows the headers as they are.

usage: check_headers.py ROOT

A comment stands alone if it neither begins with a pronoun nor points at a comment before. Calls that return a status
name their errors, members of parameters their defaults and, if they are numbers, their ranges. What tools/headers.py
finds is compared with what the parser of the Python package finds.
"""
import os
import re
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
for place in ("../support", "../../tools", "../../python"):
    sys.path.insert(0, os.path.join(FOLDER, place))
import headers
import reference
import tap

BEGINS = re.compile(r"(?:it|its|they|their|them|these|those|this one|the same|the others?|of (?:them|these|those|it|each)|"
                    r"as above|likewise|ditto|and|or|also|too|otherwise|else|both|instead|similarly)\b(?! seeds?\b)", re.I)
LEANS = re.compile(r"\b(?:as above|see above|or above|flags above|enums? above|members? above|the one (?:above|before)|"
                   r"those|of them|the latter|the former|ditto|likewise|needed likewise)\b", re.I)
# Attributes, and parts of other macros.
UNDOCUMENTED = re.compile(r"SHOAL_(?:API|MUST_CHECK|PRINTF|(?:BEGIN|END)_DECLS|PHILOX_HOST|SETS?_?\w*)$|CL_TARGET_OPENCL_VERSION$")
# Names of errors, or of a call whose comment names them.
ERROR = re.compile(r"\bSHOAL_(?:INVALID|NO_DEVICE|UNSUPPORTED|BUILD_FAILED|OUT_OF_DEVICE_MEMORY|OUT_OF_HOST_MEMORY|DEVICE_LOST|"
                   r"CHECK_FAILED|IO|STOPPED|FAILED)\b|[Ee]rrors: see shoal_\w+|[Nn]ever fails")
# Words by which a comment gives the range of a number, and those of members that have none: choices, sets of flags,
# and numbers that the library sets.
RANGE = re.compile(r"\bRange: |(?:\d|\bn|`) to [-\w(`]|\bmin_dim to |\bat least (?:\d|as many)|\bat most \d|\bup to (?:\d|SHOAL)|\bany (?:finite )?number\b|"
                   r"\ba finite number\b|\d or \d|\babove 0\b|\binside the buffer\b|> 0|>= 0", re.I)
WITHOUT_RANGE = re.compile(r"\benum\s+shoal_|\bor'ed\b|^Set by the library")
NUMBER = re.compile(r"(?:double|float|size_t|unsigned|int|u?int\d+_t) \w+(?:\[\w+\])*$")


def flat(items, owner=""):
    for item in items:
        yield owner, item
        yield from flat(item.members, item.name or (item.members[0].name if item.members else owner))


def without_comment(items, opaque):
    """Declarations without a comment. An opaque type has one where a header declares it first."""
    for owner, item in flat(items):
        if item.comments or item.kind in ("text", "other"):
            continue
        if item.kind == "opaque" and item.name in opaque:
            continue
        if item.kind == "macro" and (reference.INITIALISER.match(item.declaration) or UNDOCUMENTED.match(item.name)):
            continue
        yield f"{item.line}: {owner + '.' if owner else ''}{item.name} has no comment of its own"


def leaning(items):
    for owner, item in flat(items):
        text = " ".join(item.comment.split())
        begin, inside = BEGINS.match(text), LEANS.search(text)
        if begin or inside:
            yield f"{item.line}: \"{(begin or inside)[0]}\" leans on another comment: {text[:90]}"


def without_errors(items):
    for item in items:
        if item.kind == "function" and item.declaration.startswith("enum shoal_status ") and not ERROR.search(item.comment):
            yield f"{item.line}: {item.name} does not name its errors"


def filled_structs(items):
    """Names of the structs of parameters: those that a call *_init fills."""
    return {words[1] for item in items if item.kind == "function" and item.name.endswith("_init")
            for words in [re.search(r"\(struct (\w+) \*", item.declaration)] if words}


def structs_of_parameters(items):
    """Names of the structs that a call *_init fills, and of the structs that are their members."""
    members = {item.name: [words[1] for member in item.members for words in [re.match(r"struct (\w+) \w", member.declaration)] if words]
               for item in items if item.kind == "struct"}
    filled = filled_structs(items)
    return filled | {inner for name in filled for inner in members.get(name, [])}


def without_ranges(items, parameters):
    """Numbers of parameters whose comment does not say which values are allowed."""
    for item in items:
        for member in item.members if item.name in parameters else []:
            if (member.kind == "member" and member.name != "size" and NUMBER.match(member.declaration)
                    and not WITHOUT_RANGE.search(member.comment) and not RANGE.search(member.comment)):
                yield f"{member.line}: {item.name}.{member.name} names no range"


def without_defaults(items):
    """Members of parameters whose comment does not say what they are unless they are set."""
    filled = filled_structs(items)
    for item in items:
        for member in item.members:
            if (item.name in filled and member.kind == "member" and member.name != "size" and not
                    re.search(r"default|must be set|^Passed to", member.comment, re.I) and not
                    re.match(r"struct \w+ \w", member.declaration)):
                yield f"{member.line}: {item.name}.{member.name} names no default"


def several(items):
    for owner, item in flat(items):
        if item.kind == "member" and "," in item.name:
            yield f"{item.line}: {owner}: {item.name} share one comment: a declaration for each"


def check_scanner(found):
    """Every function, member and enumerator that the parser of the Python package finds."""
    import bindings
    from pycparser import c_ast, c_parser
    text = ("typedef int bool; typedef unsigned long size_t; typedef int int32_t; typedef unsigned uint32_t; typedef long "
            "int64_t; typedef unsigned long uint64_t; typedef unsigned char uint8_t; typedef unsigned short uint16_t;\n")
    tree = c_parser.CParser().parse(text + bindings.declarations(os.path.join(sys.argv[1], "include"), "shoal.h", set()))
    wanted = set()

    class Visitor(c_ast.NodeVisitor):
        def visit_Struct(self, node):
            for member in node.decls or []:
                wanted.add(f"{node.name}.{member.name}" if node.name else member.name)
                self.visit(member)

        def visit_Enumerator(self, node):
            wanted.add(node.name)

        def visit_FuncDecl(self, node):
            pass

    for item in tree.ext:
        if isinstance(item, c_ast.Decl) and isinstance(item.type, c_ast.FuncDecl):
            wanted.add(item.name)
        Visitor().visit(item)
    names = {f"{owner}.{name}" if item.kind == "member" else name for _, items in found for owner, item in flat(items)
             for name in (item.name or "").split(", ")}
    return "\n".join(sorted(wanted - names)) or (None if len(wanted) > 1000 else f"only {len(wanted)} names")


def shows(path, text):
    if not os.path.exists(path):
        return False
    with open(path, encoding="utf-8") as file:
        return file.read() == text


def check_pages(root):
    docs = os.path.join(root, "docs")
    wanted = dict(reference.pages(os.path.join(root, "include")))
    again = "run tools/reference.py include docs"
    stale = [f"docs/{path} is not what the headers say: {again}" for path, text in wanted.items()
             if not shows(os.path.join(docs, path), text)]
    stale += [f"docs/api/{name} is of no header: {again}" for name in os.listdir(os.path.join(docs, "api"))
              if f"api/{name}" not in wanted]
    return "\n".join(stale)


def check_links(root):
    """Each link within docs/api leads to a heading."""
    wanted = dict(reference.pages(os.path.join(root, "include")))
    headings = {os.path.basename(path): {reference.anchor(line.lstrip("# ")) for line in text.splitlines() if line.startswith("#")}
                for path, text in wanted.items()}
    return "\n".join(f"docs/{path}: {page}#{where}" for path, text in wanted.items()
                     for page, where in set(re.findall(r"\]\((\w+\.md)?#([\w-]+)\)", text))
                     if where not in headings.get(page or os.path.basename(path), ()))


def main():
    found = headers.read_all(os.path.join(sys.argv[1], "include"))
    opaque = {item.name for _, items in found for item in items if item.comments and item.kind in ("opaque", "struct")}
    parameters = structs_of_parameters([item for _, items in found for item in items])
    tap.case("headers are found", None if len(found) > 25 else f"{len(found)}")
    try:
        tap.case("the scanner finds what the parser finds", check_scanner(found))
    except ImportError as missing:
        tap.skip("the scanner finds what the parser finds", missing)
    for name, items in found:
        tap.case(f"{name}: each declaration has a comment", "\n".join(
            f"include/shoal/{name}:{line}" for line in (*without_comment(items, opaque), *several(items))))
        tap.case(f"{name}: comments stand alone", "\n".join(f"include/shoal/{name}:{line}" for line in leaning(items)))
        tap.case(f"{name}: defaults are named", "\n".join(f"include/shoal/{name}:{line}" for line in without_defaults(items)))
        tap.case(f"{name}: ranges are named", "\n".join(f"include/shoal/{name}:{line}" for line in without_ranges(items, parameters)))
        tap.case(f"{name}: errors are named", "\n".join(f"include/shoal/{name}:{line}" for line in without_errors(items)))
    tap.case("docs/api is made from these headers", check_pages(sys.argv[1]))
    tap.case("links within docs/api lead to headings", check_links(sys.argv[1]))
    tap.done()


main()
