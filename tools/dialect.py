"""Words of the kernel dialect, which kernels and texts of users may use.

Shared by embed.py, which writes a table of these words for the library, and by tests/compute/lint.py. Names that kernel
files define are found by src/compute/program/kernel_names.c.
"""
import re

LANGUAGE, KEYWORD = 16, 32  # Flags of src/compute/program/embedded.h.

KEYWORDS = set("""__constant __global __local auto bool break case char const continue default defined do double else enum extern float for goto
    half if inline int long real register restrict return short signed size_t sizeof static struct switch typedef
    uchar uint ulong union unsigned ushort void volatile while""".split())


def prelude_names(path):
    """The functions and names that the prelude, the file `path`, gives to kernel files."""
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


def dialect(path):
    """{word: flags} of all words of the dialect; `path`: the prelude."""
    return {word: LANGUAGE | (KEYWORD if word in KEYWORDS else 0) for word in KEYWORDS | prelude_names(path)}
