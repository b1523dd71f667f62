"""Reads an ONNX file and runs its graph on one row, with the operators that shoal writes: a check for machines without
onnxruntime, and of the file's own consistency. Numbers are Python's, rounded to single precision by Cast alone."""
import math
import struct


def fields(data):
    """Fields of a message: (number, value), the value a whole number, 4 bytes or the bytes of its content."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    found = []
    while at < len(data):
        key = varint()
        wire = key & 7
        if wire == 0:
            found.append((key >> 3, varint()))
            continue
        size = 4 if wire == 5 else varint()
        assert wire in (2, 5) and at + size <= len(data), f"field {key >> 3} is cut"
        found.append((key >> 3, data[at:at + size]))
        at += size
    return found


def every(message, number):
    return [value for field, value in message if field == number]


def text(message, number):
    return every(message, number)[0].decode()


def tensor(message):
    """Shape and flat values."""
    shape, kind = every(message, 1), every(message, 2)[0]
    count = math.prod(shape)
    letter, size = {1: ("f", 4), 7: ("q", 8), 11: ("d", 8)}[kind]
    data, = every(message, 9)
    assert len(data) == count * size, f"{text(message, 8)}: {len(data)} bytes for {shape}"
    return shape, list(struct.unpack(f"<{count}{letter}", data))


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


class Model:
    def __init__(self, path):
        with open(path, "rb") as file:
            model = fields(file.read())
        graph = fields(every(model, 7)[0])
        opset = fields(every(model, 8)[0])
        assert every(model, 1) == [7] and every(opset, 2) == [13], "IR version 7, opset 13"
        self.properties = {text(fields(entry), 1): text(fields(entry), 2) for entry in every(model, 14)}
        self.constants = {}
        for message in map(fields, every(graph, 5)):
            self.constants[text(message, 8)] = tensor(message)
        self.nodes = [self.node(fields(node)) for node in every(graph, 1)]
        self.input, self.output = (text(fields(every(graph, field)[0]), 1) for field in (11, 12))

    @staticmethod
    def node(message):
        attributes = {}
        for attribute in map(fields, every(message, 5)):
            kind = every(attribute, 20)[0]
            value = struct.unpack("<f", every(attribute, 2)[0])[0] if kind == 1 else every(attribute, 3)[0]
            attributes[text(attribute, 1)] = value
        inputs = [name.decode() for name in every(message, 1)]
        return text(message, 4), inputs, text(message, 2), attributes

    def run(self, row):
        values = {self.input: [single(value) for value in row]}
        for name, (_, constant) in self.constants.items():
            assert name not in values, f"{name} is there twice"
            values[name] = constant
        for operator, inputs, output, attributes in self.nodes:
            assert output not in values, f"{output} is there twice"
            values[output] = self.apply(operator, inputs, [values[name] for name in inputs], attributes)
        return values[self.output]

    def apply(self, operator, names, inputs, attributes):
        first = inputs[0]
        if operator == "Gemm":
            shape, weights = self.constants[names[1]]
            assert attributes == {"transB": 1} and shape == [len(inputs[2]), len(first)], f"Gemm of {names}: {shape}"
            width = len(first)
            return [sum(w * x for w, x in zip(weights[o * width:(o + 1) * width], first)) + bias for o, bias in enumerate(inputs[2])]
        if operator == "Gather":
            assert attributes == {"axis": 1}
            return [first[place] for place in inputs[1]]
        if operator == "Concat":
            assert attributes == {"axis": 1}
            return [value for part in inputs for value in part]
        if operator == "Where":
            return [a if choice else b for choice, a, b in zip(*inputs, strict=True)]
        if operator == "Softmax":
            powers = [math.exp(value - max(first)) for value in first]
            return [power / sum(powers) for power in powers]
        if operator in ("Cast", "LeakyRelu", "HardSigmoid"):
            value, = attributes.values()
            return [self.one(operator, x, value) for x in first]
        if len(inputs) == 1:
            return [self.one(operator, x, None) for x in first]
        second = inputs[1] if len(inputs[1]) != 1 else inputs[1] * len(first)
        return [self.two(operator, a, b) for a, b in zip(first, second, strict=True)]

    @staticmethod
    def one(operator, x, attribute):
        return {"Cast": lambda: single(x) if attribute == 1 else float(x), "LeakyRelu": lambda: x if x > 0 else attribute * x,
                "HardSigmoid": lambda: min(max(attribute * x + 0.5, 0), 1), "Relu": lambda: max(x, 0), "Sigmoid": lambda: 1 / (1 + math.exp(-x)), "Tanh": lambda: math.tanh(x),
                "Erf": lambda: math.erf(x), "Floor": lambda: x if x != x else math.floor(x), "IsNaN": lambda: x != x,
                "Identity": lambda: x}[operator]()

    @staticmethod
    def two(operator, a, b):
        return {"Equal": lambda: a == b, "Greater": lambda: a > b, "GreaterOrEqual": lambda: a >= b, "Div": lambda: a / b, "Mod": lambda: math.nan if a != a else math.fmod(a, b),
                "Sub": lambda: a - b, "Mul": lambda: a * b, "Add": lambda: a + b}[operator]()
