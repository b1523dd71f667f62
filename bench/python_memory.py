#!/usr/bin/env python3
"""Shows by how much calls of the package raise the peak memory of the process, in parts of the array that they take.

usage: PYTHONPATH=BUILD/python python_memory.py [--bytes N] [CALL...]

Each call is made in a process of its own, first with a small array, so that what is loaded and built once does not count. The
memory of an OpenCL device that is a processor is that of the process, so that the copy there counts. Results count, too, such as
the sorted keys, or the fitted values and residuals of a fit. Linux alone tells the peak since a moment (/proc/self/clear_refs).
"""
import argparse
import gc
import re
import subprocess
import sys
import time
import warnings

import numpy as np
import shoal

RANDOM = np.random.default_rng(1)
SMALL = 1 << 16
SHORT = {"evaluations": 60, "particles": 20, "refine": "none"}  # options of a short search
LINE = {"a": (0, 1), "b": (0, 1)}


def rows(size, columns=10):
    """Normal numbers of `size` bytes."""
    values = np.empty((size // (8 * columns), columns))
    for first in range(0, len(values), 1 << 16):
        values[first:first + (1 << 16)] = RANDOM.normal(size=values[first:first + (1 << 16)].shape)
    return values


def curve(size):
    half = size // 16
    return {"t": rows(8 * half, 1).ravel(), "y": rows(8 * half, 1).ravel()}


def keys(size):
    return RANDOM.integers(0, 1 << 32, size // 4, dtype=np.uint32)


def opencl():
    return next(device for device in shoal.devices() if device.backend == "opencl")


def trained(kind, **options):
    small = rows(SMALL)
    net = kind(**options)
    return net.fit(small, small[:, 0] > 0)


def trained_mlp():
    small = rows(SMALL)
    net = shoal.MLP(small, 1.5 * small[:, 0], device="host", hidden="100", epochs=1)
    net.train()
    return net


# The array of each call, and the call.
CALLS = {
    "array, host": (rows, lambda: lambda x: shoal.array(x, "host")),
    "array, OpenCL": (rows, lambda: lambda x: shoal.array(x, opencl())),
    "reduce, OpenCL": (rows, lambda: lambda x: shoal.reduce(x, device=opencl())),
    "sort, OpenCL": (keys, lambda: lambda x: shoal.sort(x, device=opencl())),
    "minimise(data=)": (rows, lambda: lambda x: shoal.minimise(None, (-1, 1), data=x, **SHORT)),
    "fit of a formula": (curve, lambda: lambda x: shoal.fit("a*t+b", x, LINE, "y", **SHORT)),
    "MLPClassifier.fit": (rows, lambda: lambda x: shoal.MLPClassifier(4, max_iter=1, batch_size=20000).fit(x, x[:, 0] > 0)),
    "MLPClassifier.predict": (rows, lambda: trained(shoal.MLPClassifier, max_iter=1).predict),
    "MLP(x, y)": (rows, lambda: lambda x: shoal.MLP(x, 1.5 * x[:, 0], device="host")),
    "MLP.predict": (rows, lambda: trained_mlp().predict),
}


def memory(name):
    """A figure of this process in bytes: VmRSS, its memory now, or VmHWM, the peak of that."""
    with open("/proc/self/status", encoding="ascii") as file:
        return int(re.search(rf"^{name}:\s+(\d+) kB$", file.read(), re.MULTILINE)[1]) * 1024


def measured(name, size):
    """The copies of an array of `size` bytes, and the seconds of the call."""
    make, prepare = CALLS[name]
    call = prepare()
    call(make(SMALL))
    values = make(size)
    gc.collect()
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")  # the peak is the memory now
    before, began = memory("VmRSS"), time.perf_counter()
    kept = call(values)
    seconds, copies = time.perf_counter() - began, (memory("VmHWM") - before) / size
    del kept
    return copies, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("calls", nargs="*", metavar="CALL")
    parser.add_argument("--bytes", type=int, default=1 << 30)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        warnings.simplefilter("ignore")  # nets that have not converged
        copies, seconds = measured(options.one, options.bytes)
        print(f"{options.one:<24} {copies:>7.3f} {seconds:>8.1f}")
        return
    print(f"arrays of {options.bytes} bytes\n{'call':<24} {'copies':>7} {'seconds':>8}", flush=True)
    for name in options.calls or CALLS:
        subprocess.run([sys.executable, __file__, "--bytes", str(options.bytes), "--one", name], check=True)


if __name__ == "__main__":
    main()
