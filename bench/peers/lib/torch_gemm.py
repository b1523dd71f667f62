#!/usr/bin/env python3
"""Matrix products of the sizes of the lib.gemm cases in PyTorch: by cuBLAS on a card, else by its library for CPUs.

usage: bench/peers/run.py torch-gemm        or: torch_gemm.py [--samples N] [--threads N]

Floats without TF32, and doubles. On a CPU only 2048 x 2048 floats are run, on two threads unless another number is
given. The check compares the first rows with the product in double precision.
"""
import argparse
import json
import time

import torch

# Each entry: name, m, n, k, whether A and whether B is transposed in memory.
FLOATS = (("sgemm-2048", 2048, 2048, 2048, False, False), ("sgemm-4096", 4096, 4096, 4096, False, False),
          ("sgemm-4096-nt", 4096, 4096, 4096, False, True), ("sgemm-4096-tn", 4096, 4096, 4096, True, False),
          ("sgemm-4096-tt", 4096, 4096, 4096, True, True), ("sgemm-1024", 1024, 1024, 1024, False, False),
          ("sgemm-1023", 1023, 1023, 1023, False, False), ("sgemm-4095", 4095, 4095, 4095, False, False),
          ("sgemm-4095-nt", 4095, 4095, 4095, False, True), ("sgemm-4095-tn", 4095, 4095, 4095, True, False),
          ("sgemm-333x4001x2047", 333, 4001, 2047, False, False),
          ("sgemm-256x256x16384", 256, 256, 16384, False, False))
DOUBLES = (("dgemm-2048", 2048, 2048, 2048, False, False), ("dgemm-4096", 4096, 4096, 4096, False, False),
           ("dgemm-4095", 4095, 4095, 4095, False, False))


def numbers(rows, columns, is_transposed, real, device):
    return torch.rand(columns, rows, dtype=real, device=device).t() - 0.5 if is_transposed else \
        torch.rand(rows, columns, dtype=real, device=device) - 0.5


def measure(m, n, k, transposed, real, count, device):
    """Returns the seconds of a product, as `count` samples of at least 0.2 seconds, and its error against
    double precision."""
    torch.manual_seed(1)
    a, b = numbers(m, k, transposed[0], real, device), numbers(k, n, transposed[1], real, device)
    c = torch.empty(m, n, dtype=real, device=device)
    wanted = a[:8].double() @ b.double()
    error = float((torch.mm(a, b)[:8].double() - wanted).norm() / wanted.norm())
    is_card = device.type == "cuda"
    seconds = []
    for _ in range(count + 1):
        begin, products = time.perf_counter(), 0
        while time.perf_counter() - begin < 0.2:
            for _ in range(20 if is_card else 1):
                torch.mm(a, b, out=c)
                products += 1
            if is_card:
                torch.cuda.synchronize()
        seconds.append((time.perf_counter() - begin) / products)
    return seconds[1:], error


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.backends.cuda.matmul.allow_tf32 = False
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    is_card = device.type == "cuda"
    cases = [(case, torch.float32) for case in FLOATS] + [(case, torch.float64) for case in DOUBLES]
    for (name, m, n, k, *transposed), real in cases if is_card else cases[:1]:
        seconds, error = measure(m, n, k, transposed, real, options.samples, device)
        is_double = real == torch.float64
        print(json.dumps({"case": f"peer.torch-{torch.__version__.split('+')[0]}.{name}",
                          "device": "gpu" if is_card else "host",
                          "variant": "cublas" if is_card else f"t{options.threads}",
                          "precision": "fp64" if is_double else "fp32", "unit": "flop/s", "better": "higher",
                          "check": "pass" if error <= (1e-14 if is_double else 1e-5) else "fail", "error": error,
                          "samples": [2 * m * n * k / s for s in seconds]}), flush=True)


if __name__ == "__main__":
    main()
