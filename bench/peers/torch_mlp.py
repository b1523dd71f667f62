#!/usr/bin/env python3
"""A net in PyTorch on the sizes of the mlp cases: eager on a CPU, as one CUDA graph of an update on a card.

usage: bench/peers/run.py torch-mlp        or: torch_mlp.py [--samples N] [--threads N]

ReLU, cross-entropy, Adam 0.001, fp32 (no TF32), rows gathered by a new permutation in each epoch. On a CPU only the
smallest case is run, on two threads unless another number is given. The check compares the gradient of one
batch with that in double precision.
"""
import argparse
import copy
import json
import sys
import time

import torch
from torch import nn

CASES = (("784-128-10-b128", (784, 128, 10), 128, 12800), ("784-512-512-10-b8192", (784, 512, 512, 10), 8192, 65536),
         ("468-468-2-full", (468, 468, 2), 15360, 15360))


def net_of(widths):
    layers = []
    for inputs, outputs in zip(widths, widths[1:]):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def gradient(net, x, y):
    net.zero_grad(set_to_none=True)
    nn.functional.cross_entropy(net(x), y).backward()
    return [p.grad.double() for p in net.parameters()]


def error_of(net, x, y):
    got, wanted = gradient(net, x, y), gradient(copy.deepcopy(net).double(), x.double(), y)
    net.zero_grad(set_to_none=True)
    return float((sum(((a - b) ** 2).sum() for a, b in zip(got, wanted)) / sum((b ** 2).sum() for b in wanted)).sqrt())


def eager(net, adam, x, y):
    def update(rows):
        adam.zero_grad(set_to_none=True)
        nn.functional.cross_entropy(net(x[rows]), y[rows]).backward()
        adam.step()
    return update


def graph(net, adam, x, y, batch):
    """Records the same update once; its rows are copied into a fixed place."""
    update, rows = eager(net, adam, x, y), torch.zeros(batch, dtype=torch.long, device=x.device)
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            update(rows)
    torch.cuda.current_stream().wait_stream(side)
    recorded = torch.cuda.CUDAGraph()
    with torch.cuda.graph(recorded):
        update(rows)

    def replay(chosen):
        rows.copy_(chosen)
        recorded.replay()
    return replay


def measure(widths, batch, rows, count, device):
    """Returns the seconds of an epoch, as `count` samples of at least half a second, and the gradient's error."""
    torch.manual_seed(1)
    x, y = torch.rand(rows, widths[0], device=device), torch.randint(widths[-1], (rows,), device=device)
    net = net_of(widths).to(device)
    error = error_of(net, x[:batch], y[:batch])
    is_card = device.type == "cuda"
    adam = torch.optim.Adam(net.parameters(), lr=0.001, capturable=is_card)
    update = graph(net, adam, x, y, batch) if is_card else eager(net, adam, x, y)

    def finish():
        if is_card:
            torch.cuda.synchronize()

    def epoch():
        for chosen in torch.randperm(rows, device=device).split(batch):
            update(chosen)
        finish()
    epoch()
    seconds = []
    for _ in range(count):
        begin, epochs = time.perf_counter(), 0
        while time.perf_counter() - begin < 0.5:
            epoch()
            epochs += 1
        seconds.append((time.perf_counter() - begin) / epochs)
    return seconds, error


def show(name, variant, device, unit, samples, error, limit):
    print(json.dumps({"case": f"peer.torch-{torch.__version__.split('+')[0]}.{name}",
                      "device": "gpu" if device.type == "cuda" else "host", "variant": variant, "precision": "fp32",
                      "unit": unit, "better": "higher", "check": "pass" if error <= limit else "fail", "error": error,
                      "samples": samples}), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.backends.cuda.matmul.allow_tf32 = False
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    is_card = device.type == "cuda"
    variant = "graph" if is_card else f"t{options.threads}"
    for name, widths, batch, rows in CASES if is_card else CASES[:1]:
        seconds, error = measure(widths, batch, rows, options.samples, device)
        # Some of the millions of ReLU units have sums close to 0: rounding turns these on or off.
        show("mlp-" + name, variant, device, "rows/s", [rows / s for s in seconds], error, 1e-3)


if __name__ == "__main__":
    sys.exit(main())
