#!/usr/bin/env python3
"""Checks kernel files against the kernel dialect: what builds as OpenCL C 1.2 and, behind the prelude, as CUDA C++.

usage: lint.py PRELUDE CL_DIR FILE...

Prints FILE:LINE: MESSAGE for each violation and exits with 1 when there is one. A compiler finds most errors; this
finds what a compiler accepts and gets wrong (a local array written as a pointer), and what only one of the
compilers accepts.
"""
import os
import re
import sys

WORDS = re.compile(r"""
    (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<number>(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<mark>->|\+\+|--|<<=|>>=|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||\#\#|.)
""", re.VERBOSE)

CPP_WORDS = set("""alignas alignof and and_eq asm auto bitand bitor catch char16_t char32_t class compl const_cast
    constexpr decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr
    operator or or_eq protected public reinterpret_cast static_assert static_cast template this thread_local throw
    try typeid typename using virtual wchar_t xor xor_eq
    threadIdx blockIdx blockDim gridDim warpSize""".split())
CONTROL = set("if for while switch return sizeof defined __attribute__ do else case".split())
BARE = {"global": "__global", "constant": "__constant", "kernel": "__kernel", "private": "no qualifier",
        "__private": "no qualifier"}
SCALARS = set("int uint long ulong float double real".split())
VECTOR = re.compile(r"(u?char|u?short|u?int|u?long|float|double|half|bool)(2|3|4|8|16)$")
VECTORS = set("float2 float4 uint2 uint4 double2".split())
QUALIFIERS = set("const volatile restrict".split())
OPERATORS = set("+ - * / % & | ^ << >> < > == != <= >= += -= *= /= && ||".split())
CAPITALS = re.compile(r"[A-Z][A-Z0-9_]+$")


class Token:
    def __init__(self, kind, text, line, double_allowed=False):
        self.kind, self.text, self.line, self.double_allowed = kind, text, line, double_allowed


def tokenize(text, line, double_allowed=False):
    return [Token(m.lastgroup, m.group(), line, double_allowed)
            for m in WORDS.finditer(text) if not m.group().isspace()]


def without_comments(text):
    def blank(match):
        return match.group() if match.group()[0] in "\"'" else re.sub(r"[^\n]", " ", match.group())
    return re.sub(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', blank, text, flags=re.DOTALL)


def closing(tokens, start):
    """Index of the bracket that closes the one at `start`."""
    pairs = {"(": ")", "{": "}", "[": "]"}
    opening, depth = tokens[start].text, 0
    for i in range(start, len(tokens)):
        depth += (tokens[i].text == opening) - (tokens[i].text == pairs[opening])
        if depth == 0:
            return i
    return len(tokens) - 1


class Macro:
    def __init__(self, name, params, body, line, guarded):
        self.name, self.params, self.body, self.line, self.guarded = name, params, body, line, guarded


class Condition:
    """An open #if. Branches for the host (NAME_HOST) are left out; the others are all read, as if each were compiled.
    Literals of type double may stand where REAL is 64."""

    def __init__(self, word, rest):
        host, positive = re.search(r"\b\w+_HOST\b", rest), word != "ifndef" and "!" not in rest
        self.active = not (host and positive)
        self.else_active = not (host and not positive)
        self.double_allowed = bool(re.search(r"\bREAL\s*==\s*64|DOUBLE\b", rest)) and positive
        self.else_double_allowed = bool(re.search(r"\bREAL\s*==\s*32", rest))
        self.guards = rest.split()[0] if word == "ifndef" and rest else None

    def turn(self):
        self.active, self.double_allowed = self.else_active, self.else_double_allowed


class Function:
    def __init__(self, name, line, header, params, attributes, body):
        self.name, self.line, self.header, self.params, self.attributes, self.body = \
            name, line, header, params, attributes, body

    @property
    def is_kernel(self):
        return "__kernel" in self.header

    def calls(self):
        return {t.text for t, after in zip(self.body, self.body[1:]) if t.kind == "name" and after.text == "("}


class File:
    """One kernel file taken apart; what it includes is looked up by the caller."""

    def __init__(self, path):
        self.path = path
        self.problems = []
        self.tokens, self.macros, self.includes = [], {}, []
        self.condition_tokens = []
        self.functions, self.names = [], set()
        with open(path, "rb") as file:
            raw = file.read()
        try:
            text = raw.decode("ascii")
        except UnicodeDecodeError as error:
            self.problem(raw[:error.start].count(b"\n") + 1, "a kernel file holds ASCII only")
            text = raw.decode("latin-1")
        self.read_lines(without_comments(text))

    def problem(self, line, message):
        self.problems.append((line, message))

    def read_lines(self, text):
        conditions = []
        lines, number = text.split("\n"), 0
        while number < len(lines):
            first, line = number + 1, lines[number]
            while line.endswith("\\") and number + 1 < len(lines):
                number += 1
                line = line[:-1] + " " + lines[number]
            number += 1
            if re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b", line):
                self.read_condition(line, first, conditions)
            elif all(c.active for c in conditions):
                double_allowed = any(c.double_allowed for c in conditions)
                if line.lstrip().startswith("#"):
                    self.read_directive(line, first, double_allowed, conditions)
                else:
                    self.tokens += tokenize(line, first, double_allowed)

    def read_condition(self, line, number, conditions):
        word, rest = re.match(r"\s*#\s*(\w+)\s*(.*)", line).groups()
        if word in ("if", "ifdef", "ifndef"):
            conditions.append(Condition(word, rest))
        elif not conditions:
            self.problem(number, f"#{word} without #if")
        elif word == "endif":
            conditions.pop()
        elif word == "else":
            conditions[-1].turn()
        else:
            conditions[-1] = Condition("if", rest)
        if word in ("if", "elif"):
            self.condition_tokens += tokenize(re.sub(r"defined\s*\(?\s*\w+\s*\)?", "1", rest), number)

    def read_directive(self, line, number, double_allowed, conditions):
        word, rest = re.match(r"\s*#\s*(\w*)\s*(.*)", line).groups()
        if word == "include":
            name = re.match(r'"([^"]+)"', rest)
            if name:
                self.includes.append((name.group(1), number))
            else:
                self.problem(number, '#include takes a file below cl/ in quotation marks')
        elif word == "define":
            match = re.match(r"(\w+)(\(([^)]*)\))?\s*(.*)", rest)
            guarded = any(c.guards == match.group(1) for c in conditions)
            params = [p.strip() for p in match.group(3).split(",")] if match.group(2) else None
            body = tokenize(match.group(4), number, double_allowed)
            self.macros[match.group(1)] = Macro(match.group(1), params, body, number, guarded)
        elif word == "pragma":
            if not re.match(r"(unroll|OPENCL)\b", rest):
                self.problem(number, f"#pragma {rest.split()[0] if rest else ''} is not part of the dialect")
        elif word not in ("undef", "error", "line", ""):
            self.problem(number, f"#{word} is not part of the dialect")

    def read_functions(self, macros):
        """Finds definitions at file scope; `macros` are those of this file and of what it includes."""
        i, tokens = 0, self.tokens
        while i < len(tokens):
            macro = macros.get(tokens[i].text)
            if macro and macro.params is not None and i + 1 < len(tokens) and tokens[i + 1].text == "(":
                end = closing(tokens, i + 1)
                self.names.update(t.text for t in tokens[i:end] if t.kind == "name")
                i = end + 1
                continue
            i = self.read_definition(i)

    def read_definition(self, start):
        tokens, header, attributes = self.tokens, [], []
        i = start
        while i < len(tokens):
            text = tokens[i].text
            if text == "__attribute__" and i + 1 < len(tokens):
                end = closing(tokens, i + 1)
                attributes.append(tokens[i + 1:end + 1])
                i = end + 1
                continue
            if text == ";":
                self.names.update(t.text for t in header if t.kind == "name")
                return i + 1
            if text == "{":
                end = closing(tokens, i)
                if header and header[-1].text == ")":
                    self.add_function(header, attributes, tokens[i:end + 1])
                    return end + 1
                # struct, enum, union or an initialiser: its names count as defined
                header += tokens[i:end + 1]
                i = end + 1
                continue
            header.append(tokens[i])
            i += 1
        return i

    def add_function(self, header, attributes, body):
        opening = next(i for i, t in enumerate(header) if t.text == "(")
        if opening == 0:
            return
        name = header[opening - 1]
        params = header[opening + 1:-1]
        self.functions.append(Function(name.text, name.line, {t.text for t in header[:opening - 1]}, params,
                                       attributes, body))
        self.names.add(name.text)


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


class Linter:
    def __init__(self, prelude, root):
        self.allowed = prelude_names(prelude)
        self.root = root
        self.files = {}

    def file(self, path):
        path = os.path.realpath(path)
        if path not in self.files:
            self.files[path] = File(path)
        return self.files[path]

    def closure(self, file, seen=None):
        """The file with everything it includes."""
        seen = {} if seen is None else seen
        if file.path in seen:
            return seen.values()
        seen[file.path] = file
        for name, line in file.includes:
            path = os.path.join(self.root, name)
            if os.path.isfile(path):
                self.closure(self.file(path), seen)
            else:
                file.problem(line, f'there is no "{name}" below {os.path.basename(self.root) or self.root}')
        return seen.values()

    def lint(self, path):
        file = self.file(path)
        if not hasattr(file, "checked"):
            file.checked = True
            macros = {}
            group = list(self.closure(file))
            for one in group:
                macros.update(one.macros)
            for one in group:
                if not one.functions:
                    one.read_functions(macros)
            known = set(self.allowed) | set(macros)
            for one in group:
                known |= one.names
            self.check_tokens(file, known)
            self.check_functions(file, group)
            if path.endswith(".cl"):
                self.check_defaults(file, group, known, macros)
        return sorted(set(file.problems))

    # Rules that hold token by token, also inside macros.

    def check_tokens(self, file, known):
        self.check_sequence(file, file.tokens, known, set())
        for macro in file.macros.values():
            params = set(macro.params or [])
            self.check_sequence(file, macro.body, known, params)
        for token in file.condition_tokens:
            if token.kind == "number" and "." in token.text:
                file.problem(token.line, "#if takes integers")

    def check_sequence(self, file, tokens, known, params):
        texts = [t.text for t in tokens] + [""] * 4
        for i, token in enumerate(tokens):
            text, after = token.text, texts[i + 1]
            before = texts[i - 1] if i else ""
            if token.kind == "number":
                self.check_number(file, token, tokens, i)
            if token.kind != "name":
                if text == "(" and texts[i + 2] == ")" and texts[i + 1] in VECTORS and texts[i + 3] == "(":
                    file.problem(token.line, f"({texts[i + 1]})(...) is OpenCL only: set the members")
                if text == ")" and after == "{" and i >= 2 and self.is_type_cast(tokens, i):
                    file.problem(token.line, "a compound literal is not C++")
                if text in "{," and (after == "[" or after == ".") and self.is_designator(texts, i + 1):
                    file.problem(token.line, "a designated initialiser is not C++17")
                continue
            if before in (".", "->"):
                if re.fullmatch(r"[xyzw]{2,4}|s[0-9a-fA-F]", text):
                    file.problem(token.line, f".{text} is OpenCL only: use .x .y .z .w one by one")
                continue
            if text in BARE:
                file.problem(token.line, f"bare {text}: write {BARE[text]}")
            elif text in CPP_WORDS:
                file.problem(token.line, f"{text} is a word of C++ or CUDA: choose another name")
            elif VECTOR.match(text) and text not in VECTORS:
                file.problem(token.line, f"{text} is not part of the dialect; vectors are {' '.join(sorted(VECTORS))}")
            elif text == "long" and after == "long":
                file.problem(token.line, "long long: OpenCL's long has 64 bits")
            elif text == "extern":
                file.problem(token.line, "extern is not part of the dialect")
            elif text == "local":
                self.check_local_pointer(file, tokens, i)
            elif text == "__local":
                self.check_local_array(file, tokens, i)
            elif text == "__constant" and "*" in self.until(tokens, i, {";", "=", ",", ")", "["}):
                file.problem(token.line, "a __constant pointer does not exist in CUDA: use __global const")
            if after == "(" and text not in CONTROL and text not in known and text not in params:
                if re.match(r"v(load|store)", text):
                    file.problem(token.line, f"{text} is OpenCL only: use a __global pointer to a vector type")
                elif not self.is_declarator(tokens, i):
                    file.problem(token.line, f"{text} is not in prelude.cuh, and not a function of this file")
            if text.startswith("get_") and after == "(" and texts[i + 2] not in ("0", "0u") and text in self.allowed:
                file.problem(token.line, f"{text}: launches have one dimension, the argument is 0")

    @staticmethod
    def until(tokens, start, ends):
        texts = []
        for token in tokens[start + 1:]:
            if token.text in ends:
                break
            texts.append(token.text)
        return texts

    @staticmethod
    def is_declarator(tokens, i):
        """A name behind a type: the definition or declaration of a function, not a call."""
        return i > 0 and (tokens[i - 1].kind == "name" and tokens[i - 1].text not in CONTROL or
                          tokens[i - 1].text == "*" and i > 1 and tokens[i - 2].text in SCALARS)

    @staticmethod
    def is_type_cast(tokens, end):
        """Is the bracket that `end` closes a type, as in (struct point){...}?"""
        i = end - 1
        while i >= 0 and (tokens[i].kind == "name" or tokens[i].text == "*"):
            i -= 1
        before = tokens[i - 1].text if i > 0 else ""
        return i >= 0 and tokens[i].text == "(" and i < end - 1 and (before in OPERATORS | set("=(,?:;{}") or
                                                                      before == "return")

    @staticmethod
    def is_designator(texts, i):
        if texts[i] == ".":
            return bool(re.match(r"[A-Za-z_]", texts[i + 1])) and texts[i + 2] == "="
        return "]" in texts[i:i + 6] and texts[texts.index("]", i) + 1:][:1] == ["="]

    @staticmethod
    def check_number(file, token, tokens, i):
        text = token.text
        is_float = not text.lower().startswith("0x") and re.search(r"[.eE]", text) or re.search(r"[pP]", text)
        if not is_float or text[-1] in "fF" or token.double_allowed:
            return
        k = i - 1
        while k > 0 and tokens[k].text in "+-":
            k -= 1
        if k > 0 and tokens[k].text == "(" and tokens[k - 1].text == "R":
            return
        file.problem(token.line, f"{text} is a double: write {text}f or R({text})")

    @staticmethod
    def check_local_pointer(file, tokens, i):
        k = i + 1
        while k < len(tokens) and (tokens[k].text in QUALIFIERS or tokens[k].text in ("struct", "unsigned")):
            k += 1
        k += 1
        while k < len(tokens) and tokens[k].text in QUALIFIERS:
            k += 1
        if k >= len(tokens) or tokens[k].text != "*":
            file.problem(tokens[i].line, "local qualifies a pointer only; a local array or variable is __local: CUDA "
                                         "would take this one for private memory")

    def check_local_array(self, file, tokens, i):
        declaration = self.until(tokens, i, {";"})
        if "*" in declaration[:4]:
            file.problem(tokens[i].line, "a pointer to local memory is qualified local: CUDA would take this one for "
                                         "a shared variable")
        if "=" in declaration:
            file.problem(tokens[i].line, "a local variable has no initialiser")

    # Rules for whole functions.

    def check_functions(self, file, group):
        bodies = {f.name: f for one in group for f in one.functions}
        with_barrier = {"barrier"}
        grown = True
        while grown:
            found = {name for name, f in bodies.items() if f.calls() & with_barrier}
            grown = not found <= with_barrier
            with_barrier |= found
        for function in file.functions:
            if function.is_kernel:
                self.check_kernel(file, function, group)
            else:
                if "static" not in function.header:
                    file.problem(function.line, f"{function.name}: a helper is static")
                if any(t.text == "__local" for t in function.body):
                    file.problem(function.line, f"{function.name}: __local arrays stand in kernels, not in helpers")
            if function.calls() & with_barrier:
                self.check_returns(file, function)
            self.check_vector_operators(file, function)
            for i, token in enumerate(function.body):
                if token.text == "__constant":
                    file.problem(token.line, "__constant tables stand outside of functions")

    @staticmethod
    def check_returns(file, function):
        for i, token in enumerate(function.body):
            if token.text != "return":
                continue
            end = next(k for k in range(i, len(function.body)) if function.body[k].text == ";")
            if end != len(function.body) - 2 or Linter.depth_at(function.body, i) != 1:
                file.problem(token.line, f"{function.name} has a barrier and returns early: guard loads and stores "
                                         "instead")

    @staticmethod
    def depth_at(body, index):
        return sum((t.text == "{") - (t.text == "}") for t in body[:index])

    def check_kernel(self, file, kernel, group):
        sizes = [a for a in kernel.attributes if a[2].text == "reqd_work_group_size"]
        if not sizes:
            file.problem(kernel.line, f"{kernel.name} has no __attribute__((reqd_work_group_size(WG, 1, 1)))")
        for attribute in kernel.attributes:
            if attribute not in sizes:
                file.problem(kernel.line, f"{kernel.name}: attribute {attribute[2].text} is not part of the dialect")
        for attribute in sizes:
            self.check_work_group(file, kernel, [t.text for t in attribute[4:-3]], group)
        if "void" not in kernel.header:
            file.problem(kernel.line, f"{kernel.name} does not return void")
        for i, token in enumerate(kernel.body):
            if token.text == "__local" and self.depth_at(kernel.body, i) != 1:
                file.problem(token.line, "__local stands in the outermost block of the kernel")
        for param in self.split(kernel.params):
            self.check_param(file, kernel, param, group)

    @staticmethod
    def check_work_group(file, kernel, arguments, group):
        if len(arguments) != 5 or arguments[1:] != [",", "1", ",", "1"]:
            file.problem(kernel.line, f"{kernel.name}: reqd_work_group_size takes (WG, 1, 1): one name or number and "
                                      "two ones")
        elif not arguments[0].isdigit() and not any(
                one.macros.get(arguments[0]) and one.macros[arguments[0]].guarded for one in group):
            file.problem(kernel.line, f"{kernel.name}: {arguments[0]} has no default between #ifndef {arguments[0]} "
                                      "and #endif")

    @staticmethod
    def split(tokens):
        parts, depth = [[]], 0
        for token in tokens:
            depth += (token.text in "([") - (token.text in ")]")
            if token.text == "," and depth == 0:
                parts.append([])
            else:
                parts[-1].append(token)
        return [p for p in parts if [t.text for t in p] not in ([], ["void"])]

    @staticmethod
    def check_param(file, kernel, param, group):
        texts = [t.text for t in param if t.text not in QUALIFIERS]
        line, name = param[0].line, texts[-1]
        types = [t for t in texts[:-1] if t not in ("*", "struct", "__global")]
        structs = {n for one in group for n in one.names}
        if "__local" in texts or "local" in texts:
            file.problem(line, f"{kernel.name}: argument {name}: local memory is declared in the kernel")
        elif "__constant" in texts:
            return  # said by the pointer rule
        elif texts.count("*") > 1 or "[" in texts:
            file.problem(line, f"{kernel.name}: argument {name}: pointers to pointers and arrays are not arguments")
        elif "*" in texts:
            if "__global" not in texts:
                file.problem(line, f"{kernel.name}: argument {name}: a pointer argument is __global")
            if set(types) & {"size_t", "ptrdiff_t", "bool", "void"}:
                file.problem(line, f"{kernel.name}: argument {name}: {types[0]} has no fixed size")
        elif len(types) != 1 or types[0] not in SCALARS and (types[0] not in structs or types[0] in VECTORS):
            file.problem(line, f"{kernel.name}: argument {name}: {' '.join(types)} is not an argument type; use int "
                               "uint long ulong float double or a struct")

    @staticmethod
    def check_vector_operators(file, function):
        tokens = function.params + function.body
        vectors = set()
        for i, token in enumerate(tokens[:-2]):
            if token.text in VECTORS:
                k = i + 1
                while tokens[k].text in QUALIFIERS:
                    k += 1
                if tokens[k].kind == "name" and tokens[k + 1].text in (";", "=", ",", ")"):
                    vectors.add(tokens[k].text)
        operand = re.compile(r"[\w.]+$|[)\]]$")
        for i, token in enumerate(tokens[1:-1], 1):
            if token.text not in vectors or tokens[i - 1].text in VECTORS or tokens[i - 1].text in (".", "->"):
                continue
            after = tokens[i + 1].text in OPERATORS
            before = tokens[i - 1].text in OPERATORS and (tokens[i - 1].text != "&" or
                                                          operand.match(tokens[i - 2].text))
            if after or before and tokens[i + 1].text != ".":
                file.problem(token.line, f"{token.text} is a vector: CUDA has no operators for it, use the members")

    # Rules for a file with all that it includes.

    @staticmethod
    def check_defaults(file, group, known, macros):
        params = {p for m in macros.values() for p in m.params or []}
        for one in group:
            sequences = [one.tokens, one.condition_tokens] + [m.body for m in one.macros.values()]
            for token in (t for sequence in sequences for t in sequence):
                if (token.kind == "name" and CAPITALS.match(token.text) and token.text not in known and
                        token.text not in params):
                    where = "" if one is file else f" (used by {os.path.basename(one.path)}:{token.line})"
                    file.problem(token.line if one is file else 1,
                                 f"{token.text} is not defined{where}: give it a default with #ifndef {token.text}")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__.strip())
    linter = Linter(sys.argv[1], sys.argv[2])
    count = 0
    for path in sys.argv[3:]:
        for line, message in linter.lint(path):
            print(f"{os.path.relpath(path)}:{line}: {message}")
            count += 1
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
