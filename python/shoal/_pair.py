"""Pair forces of a gas by a formula of the energy."""
import ast

from ._library import invalid

_FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tanh")


def _refused(formula, what):
    return invalid(f"pair_force {formula[:60]!r} {what}; a formula has r, numbers, + - * / ^ and {', '.join(_FUNCTIONS)}")


def _parsed(formula):
    try:
        return ast.parse(formula.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _refused(formula, "is no formula") from None


def _number(value):
    return ast.Constant(float(value))


def _is(node, value):
    return isinstance(node, ast.Constant) and node.value == value


def _made(operator, left, right):
    """The operation, without terms and factors that change nothing."""
    if isinstance(operator, ast.Mult):
        if _is(left, 0) or _is(right, 0):
            return _number(0)
        if _is(left, 1) or _is(right, 1):
            return right if _is(left, 1) else left
    if isinstance(operator, (ast.Add, ast.Sub)) and _is(right, 0):
        return left
    if isinstance(operator, ast.Add) and _is(left, 0):
        return right
    return ast.BinOp(left, operator, right)


def _call(name, argument):
    return ast.Call(ast.Name(name), [argument], [])


def _exponent(node):
    """The value of an exponent that is a number, else None."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _exponent(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Constant) else None


def _slope(node):
    """The derivative of a checked formula with respect to r."""
    if isinstance(node, ast.Constant):
        return _number(0)
    if isinstance(node, ast.Name):
        return _number(1)
    if isinstance(node, ast.UnaryOp):
        return _made(ast.Mult(), _number(-1 if isinstance(node.op, ast.USub) else 1), _slope(node.operand))
    if isinstance(node, ast.Call):
        inner, name = node.args[0], node.func.id
        external = {"sqrt": lambda: ast.BinOp(_number(0.5), ast.Div(), node),
                 "exp": lambda: node,
                 "log": lambda: ast.BinOp(_number(1), ast.Div(), inner),
                 "sin": lambda: _call("cos", inner),
                 "cos": lambda: _made(ast.Mult(), _number(-1), _call("sin", inner)),
                 "tanh": lambda: ast.BinOp(_number(1), ast.Sub(), _made(ast.Mult(), node, node))}[name]()
        return _made(ast.Mult(), external, _slope(inner))
    left, right = node.left, node.right
    if isinstance(node.op, (ast.Add, ast.Sub)):
        return _made(node.op, _slope(left), _slope(right))
    if isinstance(node.op, ast.Mult):
        return _made(ast.Add(), _made(ast.Mult(), _slope(left), right), _made(ast.Mult(), left, _slope(right)))
    if isinstance(node.op, ast.Div):
        above = _made(ast.Sub(), _made(ast.Mult(), _slope(left), right), _made(ast.Mult(), left, _slope(right)))
        return ast.BinOp(above, ast.Div(), ast.BinOp(right, ast.Mult(), right))
    power = _exponent(right)
    return _made(ast.Mult(), _made(ast.Mult(), _number(power), ast.BinOp(left, ast.Pow(), _number(power - 1))), _slope(left))


def _check(node, formula):
    if isinstance(node, ast.Constant) and type(node.value) in (int, float) and abs(node.value) < 1e300:
        return
    if isinstance(node, ast.Name):
        if node.id != "r":
            raise _refused(formula, f"has {node.id}")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        _check(node.operand, formula)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
        if node.func.id not in _FUNCTIONS:
            raise _refused(formula, f"has {node.func.id}()")
        _check(node.args[0], formula)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)):
        _check(node.left, formula)
        _check(node.right, formula)
        if isinstance(node.op, ast.Pow) and _exponent(node.right) is None:
            raise _refused(formula, "has a power whose exponent is no number")
    else:
        raise _refused(formula, "is no formula")


class _Text:
    """A formula in the kernel dialect. Whole powers become products, by helper functions."""

    def __init__(self):
        self._powers = set()

    def of(self, node):
        if isinstance(node, ast.Constant):
            return f"R({float(node.value)!r})"
        if isinstance(node, ast.Name):
            return "r"
        if isinstance(node, ast.UnaryOp):
            return f"({'-' if isinstance(node.op, ast.USub) else ''}{self.of(node.operand)})"
        if isinstance(node, ast.Call):
            return f"{node.func.id}({self.of(node.args[0])})"
        if isinstance(node.op, ast.Pow):
            return self._power(self.of(node.left), _exponent(node.right))
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(node.op)]
        return f"({self.of(node.left)} {sign} {self.of(node.right)})"

    def _power(self, base, exponent):
        count = abs(int(exponent))
        if exponent != int(exponent) or count > 64:
            return f"pow({base}, R({float(exponent)!r}))"
        if not count:
            return "R(1.0)"
        self._need(count)
        power = f"pair_power{count}({base})"
        return f"(R(1.0) / {power})" if exponent < 0 else power

    def _need(self, count):
        if count > 1:
            self._need(count // 2)
        self._powers.add(count)

    def powers(self):
        lines = []
        for count in sorted(self._powers):
            half = f"pair_power{count // 2}(x)"
            value = "x" if count == 1 else f"pair_half * pair_half{' * x' if count % 2 else ''}"
            before = "" if count == 1 else f"    const real pair_half = {half};\n"
            lines.append(f"static inline real pair_power{count}(real x)\n{{\n{before}    return {value};\n}}\n")
        return "".join(lines)


def text_of(formula):
    """The text of a pair force in the kernel dialect, for the energy of a pair at the distance r."""
    try:
        energy = _parsed(formula)
        _check(energy, formula)
        text = _Text()
        words = [text.of(energy), text.of(_slope(energy))]
    except RecursionError:
        raise _refused(formula, "is too long") from None
    return (f"{text.powers()}static inline real user_energy(real d)\n{{\n    const real r = sqrt(d);\n    return {words[0]};\n}}\n"
            f"static inline real user_force(real d)\n{{\n    const real r = sqrt(d);\n    return -{words[1]} / r;\n}}\n")
