#!/usr/bin/env python3
"""A product of two matrices of 2048 x 2048 floats by OpenBLAS, which NumPy's wheels contain, on as many
threads as it starts.

usage: bench/peers/run.py openblas        or: openblas_gemm.py [--samples N]

The check compares some rows with the product in double precision.
"""
import argparse
import json
import os
import time

import numpy as np

N = 2048


def measure(count):
    """Returns the seconds of a product, as `count` samples of at least half a second, and its error."""
    random = np.random.default_rng(1)
    a, b = (random.random((N, N), np.float32) - np.float32(0.5) for _ in range(2))
    wanted = a[:8].astype(float) @ b.astype(float)
    error = float(np.linalg.norm((a @ b)[:8] - wanted) / np.linalg.norm(wanted))
    seconds = []
    for _ in range(count):
        begin, products = time.perf_counter(), 0
        while time.perf_counter() - begin < 0.5:
            a @ b
            products += 1
        seconds.append((time.perf_counter() - begin) / products)
    return seconds, error


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=7)
    options = parser.parse_args()
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    if "openblas" not in blas["name"]:
        raise SystemExit(f"openblas_gemm.py: this NumPy has {blas['name']}; install one of PyPI")
    seconds, error = measure(options.samples)
    threads = int(os.environ.get("OPENBLAS_NUM_THREADS", len(os.sched_getaffinity(0))))
    # These are sums of 2048 terms in fp32.
    print(json.dumps({"case": f"peer.openblas-{'.'.join(blas['version'].split('.')[:3])}.sgemm-{N}", "device": "host",
                      "variant": f"t{threads}", "precision": "fp32", "unit": "flop/s", "better": "higher",
                      "check": "pass" if error <= 1e-5 else "fail", "error": error,
                      "samples": [2 * N ** 3 / s for s in seconds]}))


if __name__ == "__main__":
    main()
