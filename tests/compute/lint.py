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

TOOLS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "tools")
sys.path.insert(0, TOOLS)
from dialect import prelude_names
from kernel_text import ON_CPUS, OR_NULL, QUALIFIERS, SCALARS, VECTORS, KernelError, Library

CPP_WORDS = set("""alignas alignof and and_eq asm auto bitand bitor catch char16_t char32_t class compl const_cast
    constexpr decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr
    operator or or_eq protected public reinterpret_cast static_assert static_cast template this thread_local throw
    try typeid typename using virtual wchar_t xor xor_eq
    threadIdx blockIdx blockDim gridDim warpSize""".split())
CONTROL = set("if for while switch return sizeof defined __attribute__ do else case".split())
BARE = {"global": "__global", "constant": "__constant", "kernel": "__kernel", "private": "no qualifier",
        "__private": "no qualifier"}
VECTOR = re.compile(r"(u?char|u?short|u?int|u?long|float|double|half|bool)(2|3|4|8|16)$")
SEVERAL = re.compile(r"[xyzw]{2,4}|s[0-9a-fA-F]|s(?=\w*\d)[0-9a-fA-F]{2,16}")
# Of OpenCL C alone: for branches of CPUs, which CUDA does not take.
CPU_VECTORS = re.compile(VECTOR.pattern[:-1] + r"|v(load|store)(2|4|8|16)|as_" + VECTOR.pattern)
OPERATORS = set("+ - * / % & | ^ << >> < > == != <= >= += -= *= /= && ||".split())
# Numbers that may be 0, which means "never".
MAY_BE_ZERO = re.compile(r"(\w+_)?interval|restart|stagnation")
ITEM_NUMBERS = {"get_local_id", "get_group_id", "get_global_id"}
INLINED = {"INLINE", "TEAM_INLINE"}
CAPITALS = re.compile(r"[A-Z][A-Z0-9_]+$")


class Linter(Library):
    def __init__(self, prelude, root):
        super().__init__(root)
        self.allowed = prelude_names(prelude)
        self.checked = set()

    def lint(self, path):
        file = self.file(path)
        if file.path not in self.checked:
            self.checked.add(file.path)
            group = self.closure(file)
            if path.endswith(".cu"):
                self.check_twin(file)
                return file.problems
            # For .cu files: CUDA C++.
            if path.endswith(".cuh"):
                return []
            # These texts are compiled within objective.clh, whose macros are their parameters.
            if path.endswith(os.path.join("objective", "turn.clh")) or any(
                    os.path.join("objective", folder, "") in path for folder in ("bbob", "cec2006", "genes")):
                group = group + [self.file(os.path.join(self.root, "objective", "objective.clh"))]
            macros = {name: macro for one in group for name, macro in one.macros.items()}
            known = self.allowed.union(macros, *(one.names for one in group))
            self.check_tokens(file, known)
            self.check_functions(file, group)
            self.check_marks(file)
            self.check_early_starts(file)
            self.check_numbers_of_items(file, group, macros)
            if path.endswith(".cl"):
                self.check_contract(file)
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
            if token.for_cpus and self.is_vector_of_cpus(texts, i):
                continue
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
                if SEVERAL.fullmatch(text):
                    file.problem(token.line, f".{text} is OpenCL only: use .x .y .z .w one by one")
                continue
            if before in ("/", "%") and MAY_BE_ZERO.fullmatch(text):
                file.problem(token.line, f"division by {text}, where 0 means none: some compilers divide before they look, "
                                         f"so divide by max({text}, 1u)")
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
    def is_vector_of_cpus(texts, i):
        """A vector type or function of OpenCL C, several members of a vector, or the bracket of a vector's literal."""
        if i and texts[i - 1] in (".", "->"):
            return bool(SEVERAL.fullmatch(texts[i]))
        return bool(CPU_VECTORS.fullmatch(texts[i])) or texts[i] == "(" and bool(VECTOR.match(texts[i + 1]))

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

    @staticmethod
    def check_marks(file):
        arguments = {token for function in file.functions if function.is_kernel for token in function.params}
        for token in file.tokens:
            if token.text == OR_NULL and token not in arguments:
                file.problem(token.line, "or NULL in a comment of its own stands behind an argument of a kernel")
            if token.text == ON_CPUS:
                file.problem(token.line, "on CPUs alone in a comment of its own stands behind an #if")

    @staticmethod
    def check_early_starts(file):
        """Kernels that may start before the launch before has ended: they all wait for it, and no others do."""
        early = {file.tokens[i + 2].text: token.line for i, token in enumerate(file.tokens[:-2])
                 if token.text == "SHOAL_STARTS_EARLY"}
        for function in file.functions:
            waits = [i for i, token in enumerate(function.body) if token.text == "SHOAL_AFTER_LAUNCH"]
            if function.name in early and len(waits) != 1:
                file.problem(function.line, f"{function.name} may start early: it has one SHOAL_AFTER_LAUNCH()")
            elif waits and function.name not in early:
                file.problem(function.line, f"{function.name} waits for the launch before, but has no "
                                            f"SHOAL_STARTS_EARLY({function.name})")
            elif waits and (Linter.depth_at(function.body, waits[0]) != 1 or
                            any(token.text == "return" for token in function.body[:waits[0]])):
                file.problem(function.line, f"{function.name} may pass by its SHOAL_AFTER_LAUNCH()")
            elif waits:
                for token in Linter.uses_of_memory(function, waits[0]):
                    file.problem(token.line, f"{function.name} uses {token.text} before its SHOAL_AFTER_LAUNCH()")
        for name in early.keys() - {function.name for function in file.functions if function.is_kernel}:
            file.problem(early[name], f"{name} is no kernel of this file")

    @staticmethod
    def uses_of_memory(kernel, end):
        """Pointers that are arguments of the kernel and are read, written or passed on before token `end`. They may be
        added to."""
        params, body = kernel.params, kernel.body
        ends = [i for i, token in enumerate(params) if token.text == ","] + [len(params)]
        pointers = {[t.text for t in params[begin:stop] if t.text != OR_NULL][-1]
                    for begin, stop in zip([0] + [i + 1 for i in ends], ends)
                    if any(t.text == "*" for t in params[begin:stop])}
        return [body[i] for i in range(1, end) if body[i].text in pointers and
                (body[i + 1].text in ("[", "->") or body[i - 1].text == "*" or
                 (body[i - 1].text in ("(", ",") and body[i + 1].text in (")", ",")))]

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
                self.check_kernel(file, function)
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
    def check_numbers_of_items(file, group, macros):
        """PoCL 3.1 has the number of the work-item and the group in one variable of all threads, which functions read that its
        compiler keeps as calls: another thread may have changed it."""
        names = {f.name: f.names() for one in group for f in one.functions if not f.is_kernel}
        names.update((name, {t.text for t in macro.body}) for name, macro in macros.items())
        asking, grown = set(ITEM_NUMBERS), True
        while grown:
            found = {name for name, used in names.items() if used & asking}
            grown = not found <= asking
            asking |= found
        for function in file.functions:
            if not function.is_kernel and function.names() & asking and not set(function.header) & INLINED:
                file.problem(function.line, f"{function.name} asks for the number of its work-item or group, so it is INLINE")

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

    def check_kernel(self, file, kernel):
        sizes = [a for a in kernel.attributes if a[2].text == "reqd_work_group_size"]
        if not sizes:
            file.problem(kernel.line, f"{kernel.name} has no __attribute__((reqd_work_group_size(WG, 1, 1)))")
        for attribute in kernel.attributes:
            if attribute not in sizes:
                file.problem(kernel.line, f"{kernel.name}: attribute {attribute[2].text} is not part of the dialect")
        for attribute in sizes:
            if [t.text for t in attribute[5:-3]] != [",", "1", ",", "1"]:
                file.problem(kernel.line, f"{kernel.name}: reqd_work_group_size takes (WG, 1, 1): a define, two ones")
        if "void" not in kernel.header:
            file.problem(kernel.line, f"{kernel.name} does not return void")
        for i, token in enumerate(kernel.body):
            if token.text == "__local" and self.depth_at(kernel.body, i) != 1:
                file.problem(token.line, "__local stands in the outermost block of the kernel")

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

    def check_contract(self, file):
        """What embed.py reads from the file."""
        try:
            return self.contract(file)[0]
        except KernelError as error:
            file.problem(error.line if error.file is file else 1, error.message if error.file is file else str(error))
        return {}

    def check_twin(self, file):
        """A native .cu file against the .cl file of the same name."""
        twin = os.path.splitext(file.path)[0] + ".cl"
        if not os.path.isfile(twin):
            file.problem(1, f"there is no {os.path.basename(twin)} beside it")
            return
        own, wanted = self.check_contract(file), self.check_contract(self.file(twin))
        for name in sorted(own.keys() | wanted.keys()):
            if name not in own or name not in wanted:
                where = file if name not in own else self.file(twin)
                file.problem(1, f"{name} is not in {os.path.basename(where.path)}")
            elif own[name].difference(wanted[name]):
                file.problem(own[name].line, f"{own[name].difference(wanted[name])} as in {os.path.basename(twin)}")

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
    for path in (name for name in sys.argv[3:] if not os.path.samefile(name, sys.argv[1])):
        for line, message in linter.lint(path):
            print(f"{os.path.relpath(path)}:{line}: {message}")
            count += 1
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
