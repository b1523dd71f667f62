"""Reads kernel files, without a preprocessor: their defines, their includes and the arguments of each kernel.

Shared by embed.py, which writes the contracts of the library, and by tests/compute/lint.py. Conditions are not
evaluated: all branches are read, except branches for the host.
"""
import os
import re

WORDS = re.compile(r"""
    (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<number>(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<mark>->|\+\+|--|<<=|>>=|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||\#\#|.)
""", re.VERBOSE)

SCALARS = set("int uint long ulong float double real".split())
VECTORS = set("float2 float4 uint2 uint4 uchar4 double2".split())
OR_NULL = "__or_null"  # replaces the comment "or NULL" after an argument
ON_CPUS = "__on_cpus"  # replaces the comment "on CPUs alone" after an #if
MARKS = {"/* or NULL */": OR_NULL, "/* on CPUs alone */": ON_CPUS}
QUALIFIERS = set(f"const volatile restrict {OR_NULL}".split())


class KernelError(Exception):
    """An error in a kernel file, with file and line."""

    def __init__(self, file, line, message):
        super().__init__(f"{os.path.relpath(file.path)}:{line}: {message}")
        self.file, self.line, self.message = file, line, message


class Token:
    def __init__(self, kind, text, line, double_allowed=False, for_cpus=False):
        self.kind, self.text, self.line = kind, text, line
        self.double_allowed, self.for_cpus = double_allowed, for_cpus


def tokenize(text, line, double_allowed=False, for_cpus=False):
    return [Token(m.lastgroup, m.group(), line, double_allowed, for_cpus)
            for m in WORDS.finditer(text) if not m.group().isspace()]


def without_comments(text):
    def blank(match):
        if match.group() in MARKS:
            return MARKS[match.group()]
        return match.group() if match.group()[0] in "\"'" else re.sub(r"[^\n]", " ", match.group())
    return re.sub(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', blank, text, flags=re.DOTALL)


def closing(tokens, start):
    """Index of the bracket that closes the bracket at index `start`."""
    pairs = {"(": ")", "{": "}", "[": "]"}
    opening, depth = tokens[start].text, 0
    for i in range(start, len(tokens)):
        depth += (tokens[i].text == opening) - (tokens[i].text == pairs.get(opening))
        if depth == 0:
            return i
    return len(tokens) - 1


def split(tokens):
    """Splits tokens at commas outside brackets. The result is empty for no tokens and for (void)."""
    parts, depth = [[]], 0
    for token in tokens:
        depth += (token.text in "([") - (token.text in ")]")
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [p for p in parts if [t.text for t in p] not in ([], ["void"])]


class Macro:
    def __init__(self, name, params, body, line, conditions):
        self.name, self.params, self.body, self.line = name, params, body, line
        self.guarded = any(c.guards == name for c in conditions)
        # True if the macro is under a condition other than its own #ifndef and the include guard of the file.
        self.conditional = any(c.guards != name and not (c.guards or "").endswith("_CLH") for c in conditions)


class Condition:
    """An open #if. Branches for the host (NAME_HOST) are left out; all other branches are read. Literals of type double
    are allowed in branches for REAL 64, and vectors of OpenCL C in those marked as of CPUs."""

    def __init__(self, word, rest):
        host, positive = re.search(r"\b\w+_HOST\b", rest), word != "ifndef" and "!" not in rest
        self.active = not (host and positive)
        self.else_active = not (host and not positive)
        self.double_allowed = bool(re.search(r"\bREAL\s*==\s*64|DOUBLE\b", rest)) and positive
        self.else_double_allowed = bool(re.search(r"\bREAL\s*==\s*32", rest))
        self.for_cpus = word == "if" and ON_CPUS in rest
        self.guards = rest.split()[0] if word == "ifndef" and rest else None

    def turn(self):
        self.active, self.double_allowed, self.guards = self.else_active, self.else_double_allowed, None
        self.for_cpus = False


class Function:
    def __init__(self, name, line, header, params, attributes, body):
        self.name, self.line, self.header, self.params, self.attributes, self.body = \
            name, line, header, params, attributes, body

    @property
    def is_kernel(self):
        return "__kernel" in self.header

    def names(self):
        return {t.text for t in self.body if t.kind == "name"}

    def calls(self):
        return {t.text for t, after in zip(self.body, self.body[1:]) if t.kind == "name" and after.text == "("}


class Argument:
    """An argument of a kernel. type: as written, without qualifiers; or_null: a comment after the name says that the
    argument may be NULL."""

    def __init__(self, file, kernel, param, names):
        """names: the names that the file and its includes define, such as structs."""
        texts = [t.text for t in param if t.text not in QUALIFIERS]
        self.is_pointer, self.name, self.line = "*" in texts, texts[-1] if texts else "", param[0].line
        types = [t for t in texts[:texts.index("*") if self.is_pointer else -1] if t != "__global"]
        self.type = " ".join(types)
        self.is_const = self.is_pointer and "const" in [t.text for t in param][:self.star(param)]
        self.is_struct = not self.is_pointer and self.type not in SCALARS
        self.or_null = OR_NULL in [t.text for t in param]
        wrong = self.problem(texts, [t for t in types if t != "struct"], names)
        if wrong:
            raise KernelError(file, self.line, f"{kernel}: argument {self.name}: {wrong}")

    @staticmethod
    def star(param):
        return next(i for i, t in enumerate(param) if t.text == "*")

    def problem(self, texts, types, names):
        if "__local" in texts or "local" in texts:
            return "local memory is declared in the kernel"
        if "__constant" in texts:
            return "a __constant pointer does not exist in CUDA: use __global const"
        if texts.count("*") > 1 or "[" in texts:
            return "pointers to pointers and arrays are not arguments"
        if not re.fullmatch(r"[A-Za-z_]\w*", self.name) or len(types) != 1:
            return f"\"{' '.join(texts)}\" is not a type and a name"
        if self.is_pointer and "__global" not in texts:
            return "a pointer argument is __global"
        if self.or_null and not self.is_pointer:
            return "only a pointer may be NULL"
        if self.is_pointer and set(types) & {"size_t", "ptrdiff_t", "bool", "void"}:
            return f"{types[0]} has no fixed size"
        if self.is_struct and (types[0] not in names or types[0] in VECTORS):
            return f"{types[0]} is not an argument type; use int uint long ulong float double or a struct"
        return None


class File:
    """One kernel file, divided into tokens, macros, includes and functions; Library finds the included files."""

    def __init__(self, path):
        self.path = path
        self.problems = []
        self.tokens, self.macros, self.includes = [], {}, []
        self.sequence = []  # guarded macros and included names, in the order of the text
        self.condition_tokens = []
        self.functions, self.names = [], set()
        self.has_functions = False
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
                allowed = any(c.double_allowed for c in conditions), any(c.for_cpus for c in conditions)
                if line.lstrip().startswith("#"):
                    self.read_directive(line, first, allowed, conditions)
                else:
                    self.tokens += tokenize(line, first, *allowed)
        if conditions:
            self.problem(number, "#if without #endif")

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

    def read_directive(self, line, number, allowed, conditions):
        word, rest = re.match(r"\s*#\s*(\w*)\s*(.*)", line).groups()
        if word == "include":
            name = re.match(r'"([^"]+)"', rest)
            if name:
                self.includes.append((name.group(1), number))
                self.sequence.append(name.group(1))
            else:
                self.problem(number, '#include takes a file below cl/ in quotation marks')
        elif word == "define":
            match = re.match(r"(\w+)(\(([^)]*)\))?\s*(.*)", rest)
            if not match:
                self.problem(number, "#define without a name")
                return
            params = [p.strip() for p in match.group(3).split(",")] if match.group(2) else None
            body = tokenize(match.group(4), number, *allowed)
            macro = Macro(match.group(1), params, body, number, conditions)
            self.macros[macro.name] = macro
            if macro.guarded:
                self.sequence.append(macro)
        elif word == "pragma":
            if not re.match(r"(unroll|OPENCL)\b", rest):
                self.problem(number, f"#pragma {rest.split()[0] if rest else ''} is not part of the dialect")
        elif word not in ("undef", "error", "line", ""):
            self.problem(number, f"#{word} is not part of the dialect")

    def read_functions(self, macros):
        """Finds the definitions at file scope, if not done yet. macros: macros of this file and of all files it
        includes."""
        if self.has_functions:
            return
        self.has_functions = True
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
                # names in a struct, enum, union or initialiser count as defined
                header += tokens[i:end + 1]
                i = end + 1
                continue
            header.append(tokens[i])
            i += 1
        return i

    def add_function(self, header, attributes, body):
        opening = next((i for i, t in enumerate(header) if t.text == "("), 0)
        if opening == 0:
            return
        name = header[opening - 1]
        params = header[opening + 1:-1]
        self.functions.append(Function(name.text, name.line, {t.text for t in header[:opening - 1]}, params,
                                       attributes, body))
        self.names.add(name.text)


class Entry:
    """A kernel: its name, arguments and the define that holds its work-group size."""

    def __init__(self, file, kernel, names):
        self.file, self.name, self.line = file, kernel.name, kernel.line
        self.args = [Argument(file, kernel.name, param, names) for param in split(kernel.params)]
        sizes = [[t.text for t in a] for a in kernel.attributes]
        self.work_group = next((a[4] for a in sizes if a[2:4] == ["reqd_work_group_size", "("] and len(a) > 4), "")

    def difference(self, other):
        """Describes how the arguments of kernel `other` differ from the arguments of this kernel; None: they are
        equal."""
        if len(self.args) != len(other.args):
            return f"{self.name} has {len(self.args)} arguments, not {len(other.args)}"
        for number, (own, its) in enumerate(zip(self.args, other.args)):
            shown = [f"{'__global ' * a.is_pointer}{'const ' * a.is_const}{a.type} {'*' * a.is_pointer}{a.name}"
                     f"{' /* or NULL */' * a.or_null}" for a in (own, its)]
            if shown[0] != shown[1]:
                return f"{self.name}: argument {number} is \"{shown[0]}\", not \"{shown[1]}\""
        return None


class Library:
    """Kernel files below one folder, each read once."""

    def __init__(self, root):
        self.root = root
        self.files = {}

    def file(self, path):
        path = os.path.realpath(path)
        if path not in self.files:
            self.files[path] = File(path)
        return self.files[path]

    def included(self, name):
        """The file of this name; None: there is no such file."""
        path = os.path.join(self.root, name)
        return self.file(path) if os.path.isfile(path) else None

    def closure(self, file, seen=None):
        """The file and all files that it includes, directly or not. Finds the functions of all these files."""
        top = seen is None
        seen = {} if top else seen
        if file.path not in seen:
            seen[file.path] = file
            for name, line in file.includes:
                other = self.included(name)
                if other:
                    self.closure(other, seen)
                elif not (name.startswith("cuda/") and file.path.endswith(".cu")):
                    file.problem(line, f'there is no "{name}" below {os.path.basename(self.root) or self.root}')
        if top:
            macros = {name: macro for one in seen.values() for name, macro in one.macros.items()}
            for one in seen.values():
                one.read_functions(macros)
        return list(seen.values())

    def contract(self, file):
        """The kernels of a file by name, and the default values of the names that -D may set."""
        entries, defaults = self.entries(file), self.defaults(file)
        for entry in entries.values():
            if entry.work_group not in defaults:
                size = entry.work_group or "the work-group size"
                raise KernelError(entry.file, entry.line, f"{entry.name}: {size} has no default between #ifndef "
                                                          f"{entry.work_group or 'WG'} and #endif")
        return entries, defaults

    def entries(self, file):
        """The kernels of a file by name. If conditions choose among several definitions of a kernel, all definitions
        must have the same arguments."""
        group, found = self.closure(file), {}
        names = {name for one in group for name in one.names}
        for one in group:
            for kernel in (f for f in one.functions if f.is_kernel):
                entry = Entry(one, kernel, names)
                other = found.setdefault(entry.name, entry)
                difference = entry.difference(other)
                if difference:
                    raise KernelError(one, entry.line, f"{difference} as in {os.path.basename(other.file.path)}")
        return found

    def guarded(self, file, seen):
        """(file, macro) of each macro that is defined under an #ifndef of its name, in the order of compilation."""
        seen.add(file.path)
        for item in file.sequence:
            if isinstance(item, Macro):
                yield file, item
                continue
            other = self.included(item)
            if other and other.path not in seen:
                yield from self.guarded(other, seen)

    def defaults(self, file):
        """The number that each name has by default: its first definition under #ifndef NAME."""
        macros = {name: macro for one in self.closure(file) for name, macro in one.macros.items()}
        found, chosen = {}, {}
        for one, macro in self.guarded(file, set()):
            value = number(macro, macros)
            if value is None or macro.params is not None:
                continue
            before = chosen.get(macro.name)
            if before and before.conditional and found[macro.name] != value:
                raise KernelError(one, macro.line, f"{macro.name} has two defaults, {found[macro.name]} and "
                                                        f"{value}, and a condition chooses")
            if not before or before.conditional:
                found[macro.name], chosen[macro.name] = value, macro
        return found


def number(macro, macros, depth=0):
    """The integer that a macro stands for, directly or through another macro; None: it stands for no integer."""
    texts = [t.text for t in macro.body]
    sign = -1 if texts[:1] == ["-"] else 1
    if sign < 0:
        texts = texts[1:]
    if len(texts) != 1:
        return None
    if re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*", texts[0]):
        plain = texts[0].rstrip("uUlL")
        return sign * int(plain, 16 if plain[1:2] in ("x", "X") else 10)
    named = macros.get(texts[0])
    if not named or depth > 8:
        return None
    value = number(named, macros, depth + 1)
    return None if value is None else sign * value
