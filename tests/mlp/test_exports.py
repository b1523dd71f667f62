#!/usr/bin/env python3
"""Model files read by other programs: PyTorch, onnxruntime and a C compiler give what the library gives, within 1e-5.

usage: test_exports.py EXPORT_MODELS

A program that is not installed for this Python is skipped, with its name.
"""
import importlib.util
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
import onnx_by_hand
import tap

NAMES = ["classes", "numbers", "deep", "steps", "perceptrons", "none"]
# The quick tests compile one model by one compiler.
IS_QUICK = "SHOAL_TEST_SHARE" in os.environ
COMPILED = NAMES[:1] if IS_QUICK else NAMES


def absent(*modules):
    """The first module that is not installed."""
    return next((name for name in modules if importlib.util.find_spec(name) is None), None)


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [[float(word) for word in line.split()] for line in file]


def differs(got, wanted, tolerance=1e-5):
    """The first row whose numbers are not near, relative to what is above 1."""
    if len(got) != len(wanted):
        return f"{len(got)} rows, not {len(wanted)}"
    for number, (a, b) in enumerate(zip(got, wanted)):
        if len(a) != len(b) or not all(abs(x - y) <= tolerance * max(1, abs(y)) for x, y in zip(a, b)):
            return f"row {number + 1}: {list(a)}, not {list(b)}"
    return None


def header(path):
    """Header of a safetensors file, and its numbers' bytes."""
    with open(path, "rb") as file:
        content = file.read()
    length, = struct.unpack("<Q", content[:8])
    return json.loads(content[8:8 + length]), content[8 + length:]


def test_keys(folder):
    """safetensors by hand: keys, shapes and order of Sequential."""
    for name in NAMES:
        head, _ = header(f"{folder}/{name}.safetensors")
        net = json.loads(head["__metadata__"]["shoal.net"])
        problem, inputs = None, net["inputs"]
        for number, layer in enumerate(net["layers"]):
            weight, bias = head.get(f"{2 * number}.weight"), head.get(f"{2 * number}.bias")
            if not weight or not bias or weight["shape"] != [layer["outputs"], inputs] or bias["shape"] != [layer["outputs"]]:
                problem = f"layer {number}: {weight} {bias}"
            inputs = layer["outputs"]
        tap.case(f"keys and shapes of {name}", problem)


def test_torch(folder):
    title = "PyTorch reads the weights"
    missing = absent("torch", "safetensors")
    if missing:
        tap.skip(title, f"{missing} is not installed")
        return
    import torch
    from safetensors import safe_open
    from safetensors.torch import load_file

    class Logistic(torch.nn.Module):
        def __init__(self, slope):
            super().__init__()
            self.slope = slope

        def forward(self, value):
            return torch.sigmoid(self.slope * value)

    class Threshold(torch.nn.Module):
        def forward(self, value):
            return (value >= 0).to(value.dtype)

    class Piecewise(torch.nn.Module):
        def forward(self, value):
            return (value + 0.5).clamp(0, 1)

    modules = {"threshold": lambda s: Threshold(), "piecewise-linear": lambda s: Piecewise(), "logistic": Logistic, "tanh": lambda s: torch.nn.Tanh(), "relu": lambda s: torch.nn.ReLU(),
               "leaky-relu": torch.nn.LeakyReLU, "gelu": lambda s: torch.nn.GELU(),
               "gelu-tanh": lambda s: torch.nn.GELU(approximate="tanh"), "silu": lambda s: torch.nn.SiLU(),
               "linear": lambda s: torch.nn.Identity(), "softmax": lambda s: torch.nn.Softmax(dim=-1)}
    for name in NAMES:
        path = f"{folder}/{name}.safetensors"
        with safe_open(path, "pt") as file:
            net = json.loads(file.metadata()["shoal.net"])
        parts, inputs = [], net["inputs"]
        for layer in net["layers"]:
            parts += [torch.nn.Linear(inputs, layer["outputs"]), modules[layer["activation"]](layer["slope"])]
            inputs = layer["outputs"]
        model = torch.nn.Sequential(*parts).double()
        model.load_state_dict(load_file(path))
        with torch.no_grad():
            got = model(torch.tensor(rows(f"{folder}/{name}.prepared"), dtype=torch.float64)).tolist()
        tap.case(f"{title} of {name}", differs(got, rows(f"{folder}/{name}.net"), 1e-12))


def test_numpy(folder):
    title = "NumPy reads all parameters"
    if absent("numpy"):
        tap.skip(title, "numpy is not installed")
        return
    import numpy
    for name in NAMES:
        flat = numpy.load(f"{folder}/{name}.npy")
        _, data = header(f"{folder}/{name}.safetensors")
        tap.case(f"{title} of {name}", None if flat.ndim == 1 and flat.tobytes() == data else f"{flat.shape} {flat.dtype}")


def test_onnx_by_hand(folder):
    for name in NAMES:
        model, wanted = onnx_by_hand.Model(f"{folder}/{name}.onnx"), rows(f"{folder}/{name}.outputs")
        got = [model.run(row) for row in rows(f"{folder}/{name}.rows")[:60]]
        tap.case(f"the graph of {name} as it is read here", differs(got, wanted[:60]))
        tap.case(f"names in {name}.onnx", names(model.properties, name))


def names(properties, name):
    columns = json.loads(properties["rows"])["columns"]
    right = (columns[2] == {"name": "colour", "categories": ["blue, \"light\"", "gr*/een", "red"]}
             and ("classes" in properties) == (name not in ("numbers", "deep"))
             and json.loads(properties.get("classes", '["big","middle","small"]')) == ["big", "middle", "small"])
    return None if right else str(properties)


def test_onnx(folder):
    title = "onnxruntime runs raw rows"
    missing = absent("numpy", "onnxruntime")
    if missing:
        tap.skip(title, f"{missing} is not installed")
        return
    import numpy
    import onnxruntime
    for name in NAMES:
        path = f"{folder}/{name}.onnx"
        if not absent("onnx"):
            import onnx
            onnx.checker.check_model(onnx.load(path), full_check=True)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        raw = numpy.array(rows(f"{folder}/{name}.rows"), dtype=numpy.float32)
        got, = session.run(["outputs"], {"rows": raw})
        tap.case(f"{title} of {name}", differs(got.tolist(), rows(f"{folder}/{name}.outputs")))
        tap.case(f"names in {name}.onnx", names(session.get_modelmeta().custom_metadata_map, name))


DRIVER = """#include <stdio.h>
#include "{name}.c"
int main(void)
{{
    float row[{columns}], outputs[{outputs}];
    int i;
    for (;;) {{
        for (i = 0; i < {columns}; i++)
            if (scanf("%f", &row[i]) != 1)
                return 0;
        {name}_predict(row, outputs);
        for (i = 0; i < {outputs}; i++)
            printf("%.9g ", outputs[i]);
        printf("%d\\n", {class_of});
    }}
}}
"""


def compiled(compiler, folder, name, text, flags=()):
    """Compiles a driver that includes the file; its output for the rows, or (None, what went wrong)."""
    source, program = f"{folder}/{name}-driver.c", f"{folder}/{name}-{compiler}"
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    _, problem = tap.run([compiler, "-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", *flags, "-o", program, source, "-lm"])
    if problem:
        return None, problem
    with open(f"{folder}/{name}.rows", encoding="utf-8") as file:
        done = subprocess.run([program], stdin=file, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode:
        return None, f"{program} ended with {done.returncode}\n{done.stderr[-2000:]}"
    return [[float(word) for word in line.split()] for line in done.stdout.splitlines()], None


def test_c(folder):
    for compiler in ("gcc",) if IS_QUICK else ("gcc", "clang"):
        title = f"{compiler} compiles C99"
        if not tap.have(compiler):
            tap.skip(title, f"{compiler} is not installed")
            continue
        for name in COMPILED:
            wanted, columns = rows(f"{folder}/{name}.outputs"), len(rows(f"{folder}/{name}.rows")[0])
            has_classes = name in ("classes", "none")
            text = DRIVER.format(name=name, columns=columns, outputs=len(wanted[0]),
                                 class_of=f"{name}_class(outputs)" if has_classes else "0")
            got, problem = compiled(compiler, folder, name, text)
            tap.case(f"{title} of {name}", problem or differs([row[:-1] for row in got], wanted))
            if got and has_classes:
                wrong = [row for row in got if row[:-1].index(max(row[:-1])) != row[-1]]
                tap.case(f"classes of {name} by {compiler}", str(wrong[0]) if wrong else None)
            head = open(f"{folder}/{name}.c", encoding="utf-8").read().split("*/")[0]
            tap.case(f"sizes of {name} by {compiler}", sizes(compiler, folder, name, head))
        test_integers(compiler, folder)


def driver_of_integers(folder, name):
    """The driver through numbers of floating point, and how many outputs it gives."""
    columns, outputs = len(rows(f"{folder}/{name}.rows")[0]), len(rows(f"{folder}/{name}.outputs")[0])
    return DRIVER.replace("_predict", "_predict_float").format(name=name, columns=columns, outputs=outputs, class_of="0")


# Any numbers at all: no operation may overflow.
RANDOM_ROWS = """#include <stdio.h>
#include "{name}.c"
int main(void)
{{
    int32_t row[{columns}], outputs[{outputs}];
    uint32_t state = 1, sum = 0;
    int n, i;
    for (n = 0; n < 20000; n++) {{
        for (i = 0; i < {columns}; i++) {{
            state = state * 1664525u + 1013904223u;
            row[i] = (int32_t)((int64_t)state - 2147483648) >> (n % 32);
        }}
        {name}_predict(row, outputs);
        for (i = 0; i < {outputs}; i++)
            sum += (uint32_t)outputs[i];
    }}
    return sum == 12345u;
}}
"""


def has_no_float(compiler, folder, name):
    """Whether a file compiles without registers of floating point."""
    return tap.run([compiler, "-std=c99", "-O2", "-mgeneral-regs-only", "-c", "-o", f"{folder}/{name}.o", f"{folder}/{name}.c"])[1] is None


def test_integers(compiler, folder):
    title = f"integers by {compiler}"
    for name in [f"{name}8" for name in COMPILED if name != "perceptrons"]: # a unit that jumps is 0 or 1 by rounding
        wanted = rows(f"{folder}/{name}.outputs")
        got, problem = compiled(compiler, folder, name, driver_of_integers(folder, name), ["-DSHOAL_WITH_FLOAT"])
        # The weights are exact; inputs and numbers have steps of 1/4096 of their spread, tables of 1/32768.
        spread = [max(1, max(row[k] for row in wanted) - min(row[k] for row in wanted)) for k in range(len(wanted[0]))]
        tap.case(f"{title}: {name}", problem or differs([[v / s for v, s in zip(row, spread)] for row in got or []],
                                                        [[v / s for v, s in zip(row, spread)] for row in wanted], 1e-3))
        head = open(f"{folder}/{name}.c", encoding="utf-8").read().split("*/")[0]
        tap.case(f"{title}: sizes of {name}", sizes(compiler, folder, name, head))
        if has_no_float(compiler, folder, NAMES[0]) is False: # which the single-precision file fails
            tap.case(f"{title}: {name} has no floating point", None if has_no_float(compiler, folder, name) else "it has")
        columns = len(rows(f"{folder}/{name}.rows")[0])
        _, problem = compiled(compiler, folder, name, RANDOM_ROWS.format(name=name, columns=columns, outputs=len(wanted[0])),
                              ["-fsanitize=undefined", "-fno-sanitize-recover=all"])
        tap.case(f"{title}: any row of {name}", problem)
    _, problem = compiled(compiler, folder, "trained", RANDOM_ROWS.format(name="trained", columns=16, outputs=5),
                          ["-fsanitize=undefined", "-fno-sanitize-recover=all"])
    tap.case(f"{title}: any row of a trained net", problem)
    head = open(f"{folder}/trained.c", encoding="utf-8").read().split("*/")[0]
    tap.case(f"{title}: whole numbers stay whole", None if head.count(", a whole number") == 16 else head)
    truth = [int(row[0]) for row in rows(f"{folder}/trained.truth")]
    got, problem = compiled(compiler, folder, "trained", driver_of_integers(folder, "trained"), ["-DSHOAL_WITH_FLOAT"])
    score, exact = accuracy(got, truth), accuracy(rows(f"{folder}/trained.outputs"), truth)
    print(f"# accuracy of a trained net: {score:.4f} in integers, {exact:.4f} in double precision")
    tap.case(f"{title}: accuracy", problem or (None if exact > 0.8 and abs(score - exact) <= 0.01 else f"{score} {exact}"))


def accuracy(outputs, truth):
    return sum(row.index(max(row)) == t for row, t in zip(outputs or [], truth)) / len(truth)


def sizes(compiler, folder, name, head):
    """The head's flash is what the compiler lays down as constants."""
    if not tap.have("size"):
        return None
    stated = int(re.search(r"Flash: (\d+) bytes", head)[1])
    thing = f"{folder}/{name}-{compiler}.o"
    _, problem = tap.run([compiler, "-std=c99", "-O0", "-fdata-sections", "-c", "-o", thing, f"{folder}/{name}.c"])
    if problem:
        return problem
    listed, problem = tap.run(["size", "-A", thing])
    if problem:
        return problem
    constants = sum(int(size) for size in re.findall(rf"^\.rodata\.{name}_\w+\s+(\d+)", listed, re.MULTILINE))
    return None if constants == stated else f"{constants} bytes of constants, the head says {stated}\n{listed}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        _, problem = tap.run([sys.argv[1], folder])
        tap.case("the models are written", problem)
        if not problem:
            test_keys(folder)
            test_torch(folder)
            test_numpy(folder)
            test_onnx_by_hand(folder)
            test_onnx(folder)
            test_c(folder)
    tap.done()


main()
