#!/usr/bin/env python3
"""Predictions of a net by ONNX Runtime, on the size of mlp.predict.784-128-10.

usage: bench/peers/run.py onnxruntime        or: onnx_mlp.py [--version] [--samples N]

A net of 784-128-10 with ReLU and softmax as `shoal mlp --export net.onnx` writes it, without preparation: 16,384 rows in one
call, fp32, on all threads, on the CPU. The check compares outputs with NumPy's in double precision.
"""
import argparse
import json
import os
import sys
import time

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

WIDTHS, ROWS = (784, 128, 10), 16384


def model_of(weights):
    """The net as bytes of an ONNX file."""
    nodes, values, name = [], [], "rows"
    for i, (w, b) in enumerate(weights):
        values += [numpy_helper.from_array(w, f"w{i}"), numpy_helper.from_array(b, f"b{i}")]
        last = i == len(weights) - 1
        nodes += [helper.make_node("Gemm", [name, f"w{i}", f"b{i}"], [f"sums{i}"]),
                  helper.make_node("Softmax" if last else "Relu", [f"sums{i}"], ["outputs" if last else f"values{i}"])]
        name = f"values{i}"
    graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("rows", TensorProto.FLOAT, [None, WIDTHS[0]])],
                              [helper.make_tensor_value_info("outputs", TensorProto.FLOAT, [None, WIDTHS[-1]])], values)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8).SerializeToString()


def exact(weights, rows):
    values = rows.astype(float)
    for i, (w, b) in enumerate(weights):
        values = values @ w.astype(float) + b
        values = np.maximum(values, 0) if i + 1 < len(weights) else np.exp(values - values.max(1, keepdims=True))
    return values / values.sum(1, keepdims=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=7)
    parser.add_argument("--version", action="store_true")
    options = parser.parse_args()
    if options.version:
        print("onnxruntime", onnxruntime.__version__)
        return
    threads = len(os.sched_getaffinity(0))
    random = np.random.default_rng(1)
    weights = [(random.normal(0, (2 / i) ** 0.5, (i, o)).astype(np.float32), random.normal(0, 0.1, o).astype(np.float32))
               for i, o in zip(WIDTHS, WIDTHS[1:])]
    rows = random.random((ROWS, WIDTHS[0]), np.float32)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(model_of(weights), settings, providers=["CPUExecutionProvider"])
    [outputs] = session.run(None, {"rows": rows})
    error = float(np.abs(outputs[:512] - exact(weights, rows[:512])).max())
    samples = []
    for _ in range(options.samples):
        begin, calls = time.perf_counter(), 0
        while time.perf_counter() - begin < 0.5:
            session.run(None, {"rows": rows})
            calls += 1
        samples.append(calls * ROWS / (time.perf_counter() - begin))
    print(json.dumps({"case": f"peer.onnxruntime-{onnxruntime.__version__}.mlp.predict.784-128-10", "device": "host",
                      "variant": f"t{threads}", "precision": "fp32", "unit": "rows/s", "better": "higher",
                      "check": "pass" if error <= 1e-5 else "fail", "error": error, "samples": samples}))


if __name__ == "__main__":
    sys.exit(main())
