"""The public headers as data: each declaration with the comment that belongs to it.

A comment belongs to the declaration, member or enumerator on the same line, or to the next one if no empty line lies
between. The first comment of a header, and comments before an empty line, are texts of their own.
"""
import os
import re

TOKEN = re.compile(r"/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*|\"(?:\\.|[^\"\\])*\"|[{}();,]|\n|[ \t]+|[^\s{}();,/\"]+|/", re.S | re.M)
ATTRIBUTE = re.compile(r"\bSHOAL_(?:API|MUST_CHECK|BEGIN_DECLS|END_DECLS|PRINTF\([^)]*\))\s*")
NAME_OF = {
    "struct": re.compile(r"^(?:struct|union) (\w+)"),
    "opaque": re.compile(r"^struct (\w+);$"),
    "enum": re.compile(r"^enum (\w+)"),
    "type": re.compile(r"\(\*(\w+)\)|(\w+);$"),
    "function": re.compile(r"\b(\w+)\("),
    "macro": re.compile(r"^#define (\w+)"),
}


class Item:
    """A declaration, or a separate text. Members are items of the kinds `member`, `enumerator` and `text`."""

    def __init__(self, kind, name, declaration, line):
        self.kind, self.name, self.declaration, self.line = kind, name, declaration, line
        self.comments = []
        self.members = []

    @property
    def comment(self):
        return "\n\n".join(plain(comment) for comment in self.comments)


def plain(comment):
    """The text of a comment without its marks; the indentation of lists and examples stays."""
    body = comment[2:-2]
    lines = body.split("\n")
    rest = [re.sub(r"^[ \t]*\*(?: |$)", "", line) for line in lines[1:]]
    if lines[1:] and not all(re.match(r"[ \t]*(\*|$)", line) for line in lines[1:]):
        rest = [line.strip() for line in lines[1:]]
    return "\n".join([lines[0].strip(), *(line.rstrip() for line in rest)]).strip()


def squeeze(text):
    text = re.sub(r"\s+", " ", ATTRIBUTE.sub("", text)).strip()
    return re.sub(r"\s*([;,)\]])", r"\1", re.sub(r"([(\[])\s+", r"\1", text))


class Scanner:
    """Divides text into items. `inside`: the kind of the braces around the text, or None."""

    def __init__(self, text):
        self.tokens = [(match.group(), text.count("\n", 0, match.start()) + 1) for match in TOKEN.finditer(text)]
        self.at = 0

    def items(self, inside=None):
        found, waiting, words, breaks, depth = [], [], [], 0, 0
        begins, members, last, body = None, [], None, None

        def end():
            nonlocal words, waiting, members, last, begins, body
            text = squeeze("".join(words))
            if text and text != ";":
                item = make(text, inside, begins, body)
                item.comments += waiting
                item.members = members
                found.append(item)
                last = item
                waiting = []
            words, members, begins, body = [], [], None, None

        while self.at < len(self.tokens):
            token, line = self.tokens[self.at]
            self.at += 1
            if token == "\n":
                breaks += 1
                if not words:
                    if breaks == 1:
                        last = None
                    if breaks == 2 and waiting:
                        found += [text_item(comment, line) for comment in waiting]
                        waiting = []
                else:
                    words.append(" ")
                continue
            if token.startswith("/*"):
                # A comment after the last enumerator, which has no comma, belongs to this enumerator.
                if last is not None and not words and breaks == 0:
                    last.comments.append(token)
                else:
                    waiting.append(token)
                breaks = 0
                continue
            if token in ("SHOAL_BEGIN_DECLS", "SHOAL_END_DECLS"):
                breaks = 0
                continue
            if token.isspace():
                if words:
                    words.append(" ")
                continue
            if token.lstrip().startswith("#"):
                if token.lstrip().startswith("#define") and not words:
                    name = NAME_OF["macro"].match(token.lstrip())[1]
                    behind = re.search(r"/\*.*\*/\s*$", token)
                    text = token[:behind.start()] if behind else token
                    item = Item("macro", name, squeeze(text.replace("\\\n", " ")), line)
                    item.comments += waiting + ([behind.group().strip()] if behind else [])
                    waiting, last = [], item
                    found.append(item)
                elif not words:
                    found += [text_item(comment, line) for comment in waiting]
                    waiting = []
                breaks = 0
                continue
            breaks = 0
            if token == "}":
                end()
                found += [text_item(comment, line) for comment in waiting]
                return found
            if begins is None:
                begins = line
            if token == "{" and not re.search(r'extern "C"', "".join(words)):
                body = squeeze("".join(words))
                members = self.items("enum" if body.startswith("enum") else "struct")
                continue
            if token in "()":
                depth += 1 if token == "(" else -1
            if depth == 0 and (token == ";" or (token == "," and inside == "enum")):
                words.append(";" if token == ";" else "")
                end()
                continue
            words.append(token)
        end()
        found += [text_item(comment, self.tokens[-1][1]) for comment in waiting]
        return found


def text_item(comment, line):
    item = Item("text", None, "", line)
    item.comments.append(comment)
    return item


def make(text, inside, line, body):
    if inside == "enum":
        return Item("enumerator", re.match(r"\w+", text)[0], text, line)
    if inside == "struct":
        if body is not None:
            return Item("member", text.rstrip(";").split()[-1], f"{body} {{...}} {text.split()[-1]}", line)
        declared = text.rstrip(";")
        names = re.findall(r"\(\*(\w+)\)", declared) or [re.search(r"(\w+)(?:\[[^\]]*\])*$", part.strip())[1]
                                                         for part in declared.split(",")]
        return Item("member", ", ".join(names), declared, line)
    if body is not None:
        kind = "enum" if body.startswith("enum") else "struct"
        found = NAME_OF[kind].match(body)
        return Item(kind, found[1] if found else "", body, line)
    for kind in ("opaque", "type", "function"):
        if kind == "type" and not text.startswith("typedef"):
            continue
        found = NAME_OF[kind].search(text)
        if found:
            return Item(kind, found[1] or found[2] if kind == "type" else found[1], text, line)
    return Item("other", text, text, line)


def read(path):
    """The items of one header, without its include guard. The first item is the comment on the header itself."""
    with open(path, encoding="ascii") as file:
        items = Scanner(file.read()).items()
    guard = os.path.basename(path).replace(".", "_").upper()
    return [item for item in items if not (item.kind == "macro" and item.name == f"SHOAL_{guard}")]


def read_all(folder):
    """(name, items) of each header in the folder `shoal` of `folder`, sorted by name."""
    names = sorted(name for name in os.listdir(os.path.join(folder, "shoal")) if name.endswith(".h"))
    return [(name, read(os.path.join(folder, "shoal", name))) for name in names]
