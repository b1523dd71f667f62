#!/usr/bin/env python3
"""A swarm in PyTorch on the sizes of pso.global.rastrigin30-1m and pso.onchip.40x30: eager and through torch.compile.

usage: bench/peers/run.py torch        or: torch_pso.py [--device cuda|cpu] [--particles N]

Global best, fp32, inertia 0.7298, c1 = c2 = 1.49618, two uniform numbers for each coordinate, reflecting bounds: what
shoal computes. Steps 100 to 600 are timed, from the first call to a synchronised device.
"""
import argparse
import json
import math
import sys
import time

import torch

DIM, LOWER, UPPER = 30, -5.12, 5.12
FIRST_STEP, STEPS = 100, 500


def rastrigin(x):
    return (x * x - 10 * torch.cos(2 * math.pi * x) + 10).sum(0)


def step(x, v, p, best):
    """Makes one step of positions x[dim, particles]; returns the new state."""
    goal = p[:, best.argmin()].unsqueeze(1)
    v = 0.7298 * v + 1.49618 * torch.rand_like(x) * (p - x) + 1.49618 * torch.rand_like(x) * (goal - x)
    x = x + v
    outside = (x < LOWER) | (x > UPPER)
    mirrored = (2 * torch.where(x < LOWER, LOWER, UPPER) - x).clamp(LOWER, UPPER)
    x = torch.where(outside, mirrored, x)
    v = torch.where(outside, -v, v)
    value = rastrigin(x)
    better = value < best
    return x, v, torch.where(better, x, p), torch.where(better, value, best)


def swarm(particles, device):
    x = LOWER + (UPPER - LOWER) * torch.rand(DIM, particles, device=device)
    v = (LOWER + (UPPER - LOWER) * torch.rand(DIM, particles, device=device) - x) / 2
    return x, v, x.clone(), rastrigin(x)


def finish(device):
    if device.type == "cuda":
        torch.cuda.synchronize()


def measure(start_of, function, particles, device, count):
    """Returns the seconds of a step, as `count` samples from a fresh start, and how far the best is from its
    value in double precision."""
    seconds, error = [], 0.0
    for _ in range(count):
        state = start_of(particles, device)
        for _ in range(FIRST_STEP):
            state = function(*state)
        finish(device)
        start = time.perf_counter()
        for _ in range(STEPS):
            state = function(*state)
        finish(device)
        seconds.append((time.perf_counter() - start) / STEPS)
        p, best = state[-2:]
        leader = best.argmin()
        exact = rastrigin(p[:, leader].double()).item()
        error = max(error, abs(best[leader].item() - exact) / (exact + 20 * DIM))
    return seconds, error


def main(prefix, start_of, step_of, small):
    """Prints the rows of a search whose state ends with points and their values; `small`: the size of the second."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--particles", type=int, default=1 << 20)
    parser.add_argument("--samples", type=int, default=7)
    options = parser.parse_args()
    device = torch.device(options.device)
    torch.manual_seed(1)
    version = torch.__version__.split("+")[0]
    variants = [("eager", step_of)]
    if hasattr(torch, "compile"):  # exists from version 2.0 on
        variants.append(("compile", torch.compile(step_of)))
    where = "gpu" if device.type == "cuda" else "host"
    size = "1m" if options.particles == 1 << 20 else options.particles
    for particles, name, unit in ((options.particles, f"{prefix}rastrigin30-{size}", "evaluations/s"),
                                  (small, f"{prefix}{small}x30", "iterations/s")):
        for variant, function in variants:
            with torch.no_grad():
                seconds, error = measure(start_of, function, particles, device, options.samples)
            work = particles if unit == "evaluations/s" else 1
            # These are fp32 sums of 30 terms of at most 40, with the cosine of an angle rounded to fp32.
            print(json.dumps({"case": f"peer.torch-{version}.{name}", "device": where, "variant": variant,
                              "precision": "fp32", "unit": unit, "better": "higher",
                              "check": "pass" if error <= 1e-5 else "fail", "error": error,
                              "samples": [work / s for s in seconds]}), flush=True)


if __name__ == "__main__":
    sys.exit(main("", swarm, step, 40))
