"""Names of the kernels, which a user's text compiled among them must leave alone.

Shared by embed.py, which gives the library a table of them, and by tests/compute/lint.py.
"""
import os
import re

from kernel_text import WORDS, closing, tokenize, without_comments

# How a kernel file uses a name; 0: as that of a variable, a parameter or a member.
MACRO, DEFINED, IN_LIBRARY, LANGUAGE, KEYWORD = 1, 2, 4, 8, 16

KEYWORDS = set("""__constant __global __local auto bool break case char const continue default defined do double else enum extern float for goto
    half if inline int long real register restrict return short signed size_t sizeof static struct switch typedef
    uchar uint ulong union unsigned ushort void volatile while""".split())


def prelude_names(path):
    """What a kernel file may call or name, from the text of the prelude."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    names = set(re.findall(r"#define (\w+)", text))
    for line in re.findall(r"builtin: (.*)", text):
        names.update(line.split())
    names.update(re.findall(r"static (?:\w+ )*?(\w+)\(", text))
    names.update(re.findall(r"SHOAL_NATIVE\((\w+),", text))
    for macro, prefix in re.findall(r"^(SHOAL_ATOMICS)\((\w+),", text, flags=re.MULTILINE):
        names.update(prefix + suffix for suffix in re.findall(r"prefix##(\w+)\(", text))
    return {name for name in names if not name.startswith("SHOAL_")} - {"name"}


def takes_the_place_of_a_text(path, text):
    """Objectives of the library and placeholders: a user's text may have the same names, as it replaces them."""
    return os.path.basename(path) == "snippet.clh" or re.search(r"^#define SHAPE\b", text, flags=re.MULTILINE)


def defined_names(tokens):
    """Functions, types and constants at file scope; what macros define there has its name among their arguments."""
    found, i = set(), 0
    while i < len(tokens):
        text = tokens[i].text
        after = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if text in "({[":
            end = closing(tokens, i)
            is_call = text == "(" and i and tokens[i - 1].text.isupper()
            is_enum = text == "{" and "enum" in [t.text for t in tokens[max(i - 2, 0):i]]
            if is_call or is_enum:
                found.update(t.text for t in tokens[i:end] if t.kind == "name")
            i = end + 1
            continue
        if text == "__attribute__" and after == "(":
            i = closing(tokens, i + 1) + 1
            continue
        if tokens[i].kind == "name":
            found.add(text)
        i += 1
    return found


def kernel_names(names):
    """{name: flags} of all that kernel files hold. `names`: of the files below cl/ and of the prelude, by path."""
    language = KEYWORDS.union(*(prelude_names(path) for path, name in names.items() if name == "cuda/prelude.cuh"))
    flags = {name: LANGUAGE | (KEYWORD if name in KEYWORDS else 0) for name in language}
    for path, name in sorted(names.items(), key=lambda item: item[1]):
        with open(path, encoding="ascii") as file:
            text = without_comments(file.read())
        plain = re.sub(r"\\\n", " ", text)
        for match in WORDS.finditer(plain):
            if match.lastgroup == "name":
                flags.setdefault(match.group(), 0)
        if name.startswith("cuda/") or takes_the_place_of_a_text(path, text):
            continue
        macros = set(re.findall(r"^\s*#\s*define\s+(\w+)", plain, flags=re.MULTILINE))
        code = re.sub(r"^\s*#.*$", "", plain, flags=re.MULTILINE)
        found = defined_names(tokenize(code, 1))
        for one in (macros | found) - language:
            flags[one] = flags.get(one, 0) | (MACRO if one in macros else 0) | (DEFINED if one in found else 0) | (
                IN_LIBRARY if name.startswith("lib/") else 0)
    return flags
