#!/usr/bin/env python3
"""A genetic algorithm in PyTorch on the sizes of ga.global.rastrigin30-1m and ga.onchip.128x30: eager and compiled.

usage: bench/peers/run.py torch-ga        or: torch_ga.py [--device cuda|cpu] [--particles N]

Tournament of two, bounded SBX of eta 15 in 9 of 10 pairs, polynomial mutation of eta 20 of one gene in 30, one elite,
fp32: the rules of docs/ga.md, with a random number for each gene in place of one for each that mutates.
"""
import sys

import torch

from torch_pso import DIM, LOWER, UPPER, main, rastrigin

CROSSOVER, ETA_C, ETA_M = 0.9, 15.0, 20.0


def edge_child(u, gap, room, sign, edges):
    """Makes a child of bounded SBX beyond or between both parents; `sign` says at which of them."""
    z = 2 - (1 + 2 * room / gap) ** -(ETA_C + 1)
    q = torch.where(u * z <= 1, u * z, 1 / (2 - u * z)) ** (1 / (ETA_C + 1))
    return ((edges + sign * q * gap) / 2).clamp(LOWER, UPPER)


def sbx(a, b):
    """Makes both children of pairs of columns."""
    x1, x2 = torch.minimum(a, b), torch.maximum(a, b)
    gap, u = x2 - x1, torch.rand_like(a)
    crosses = (torch.rand_like(a[0]) < CROSSOVER) & (torch.rand_like(a) < 0.5) & (gap > 1e-6)
    gap = torch.where(crosses, gap, 1.0)
    low, high = edge_child(u, gap, x1 - LOWER, -1, x1 + x2), edge_child(u, gap, UPPER - x2, 1, x1 + x2)
    swaps = torch.rand_like(a) < 0.5
    return torch.where(crosses, torch.where(swaps, high, low), a), torch.where(crosses, torch.where(swaps, low, high), b)


def polynomial(x):
    u = torch.rand_like(x)
    v = torch.minimum(u, 1 - u)
    room = torch.where(u < 0.5, x - LOWER, UPPER - x) / (UPPER - LOWER)
    move = 1 - (2 * v + (1 - 2 * v) * (1 - room) ** (ETA_M + 1)) ** (1 / (ETA_M + 1))
    moved = (x + torch.where(u < 0.5, -move, move) * (UPPER - LOWER)).clamp(LOWER, UPPER)
    return torch.where(torch.rand_like(x) < 1 / DIM, moved, x)


def step(x, value):
    """Makes one generation of members x[dim, population]; returns the new state."""
    first, second = torch.randint(0, value.numel(), (2, value.numel()), device=value.device)
    parents = torch.where(value[first] <= value[second], first, second)
    half = value.numel() // 2
    children = polynomial(torch.cat(sbx(x[:, parents[:half]], x[:, parents[half:]]), 1))
    elite = x[:, value.argmin()].unsqueeze(1)
    children = torch.cat((elite, children[:, 1:]), 1)
    return children, rastrigin(children)


def population(count, device):
    x = LOWER + (UPPER - LOWER) * torch.rand(DIM, count, device=device)
    return x, rastrigin(x)


if __name__ == "__main__":
    sys.exit(main("ga-", population, step, 128))
