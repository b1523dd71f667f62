#!/usr/bin/env python3
"""Genetic algorithms of Python packages on the size of ga.cpu.rastrigin30-1024.

usage: bench/peers/run.py deap, pygad or pygmo        or: ga_python.py PACKAGE [--population N] [--generations N]

Rastrigin's function in 30 dimensions, tournament of two, bounded SBX of eta 15 in 9 of 10 pairs, polynomial mutation of
eta 20 of one gene in 30, one elite, double precision, one thread. pygmo is pagmo's `sga`: its operators and function are
compiled. DEAP's are its own, in Python, the function is NumPy's. PyGAD has neither crossover nor mutation of this kind:
they are NumPy over the whole population here, as is its function. A sample is some generations.
"""
import argparse
import importlib.metadata
import json
import math
import random
import sys
import time

import numpy as np

DIM, LOWER, UPPER = 30, -5.12, 5.12
CROSSOVER, ETA_C, ETA_M, SAMPLES = 0.9, 15.0, 20.0, 7


def rastrigin(x):
    """The function's value at a point, or at each row of a matrix."""
    return (x * x - 10 * np.cos(2 * math.pi * x) + 10).sum(-1)


def sbx(a, b, generator):
    """Makes both children of each pair of rows by the rule of docs/ga.md."""
    shape = a.shape
    x1, x2 = np.minimum(a, b), np.maximum(a, b)
    gap = x2 - x1
    crosses = (generator.random((shape[0], 1)) < CROSSOVER) & (generator.random(shape) < 0.5) & (gap > 1e-14)
    gap = np.where(crosses, gap, 1)
    u = generator.random(shape)
    children = []
    for room, sign, edge in ((x1 - LOWER, -1, x1), (UPPER - x2, 1, x2)):
        z = 2 - (1 + 2 * room / gap) ** -(ETA_C + 1)
        q = np.where(u * z <= 1, u * z, 1 / np.maximum(2 - u * z, 1e-300)) ** (1 / (ETA_C + 1))
        children.append(np.clip((x1 + x2 + sign * q * (x2 - x1)) / 2, LOWER, UPPER))
    swaps = generator.random(shape) < 0.5
    low, high = np.where(swaps, children[1], children[0]), np.where(swaps, children[0], children[1])
    return np.where(crosses, low, a), np.where(crosses, high, b)


def polynomial(x, generator):
    u = generator.random(x.shape)
    v = np.minimum(u, 1 - u)
    room = np.where(u < 0.5, x - LOWER, UPPER - x) / (UPPER - LOWER)
    step = 1 - (2 * v + (1 - 2 * v) * (1 - room) ** (ETA_M + 1)) ** (1 / (ETA_M + 1))
    moved = np.clip(x + np.where(u < 0.5, -step, step) * (UPPER - LOWER), LOWER, UPPER)
    return np.where(generator.random(x.shape) < 1 / DIM, moved, x)


def deap(population, generations):
    """Yields the best value and its point after each sample."""
    from deap import base, creator, tools

    creator.create("Least", base.Fitness, weights=(-1.0,))
    creator.create("Individual", list, fitness=creator.Least)
    members = [creator.Individual(random.uniform(LOWER, UPPER) for _ in range(DIM)) for _ in range(population)]

    def evaluate(individuals):
        for individual in individuals:
            if not individual.fitness.valid:
                individual.fitness.values = (float(rastrigin(np.array(individual))),)

    def generation(members):
        best = tools.selBest(members, 1)[0]
        children = [creator.Individual(parent) for parent in tools.selTournament(members, population, 2)]
        for a, b in zip(children[::2], children[1::2]):
            if random.random() < CROSSOVER:
                tools.cxSimulatedBinaryBounded(a, b, ETA_C, LOWER, UPPER)
        for child in children:
            tools.mutPolynomialBounded(child, ETA_M, LOWER, UPPER, 1 / DIM)
        children[0] = best
        evaluate(children)
        return children

    evaluate(members)
    for _ in range(SAMPLES):
        for _ in range(generations):
            members = generation(members)
        best = tools.selBest(members, 1)[0]
        yield best.fitness.values[0], np.array(best)


def pygad(population, generations):
    import pygad as package

    generator = np.random.default_rng(1)

    def cross(parents, size, _search):
        count = (size[0] + 1) // 2
        a, b = parents[: 2 * count : 2], parents[1 : 2 * count : 2]
        return np.concatenate(sbx(a, b, generator))[: size[0]]

    # PyGAD takes an even number of parents, here one more than there are children.
    search = package.GA(num_generations=1, num_parents_mating=population, sol_per_pop=population, num_genes=DIM,
                        fitness_func=lambda _search, points, _places: -rastrigin(points), fitness_batch_size=population,
                        init_range_low=LOWER, init_range_high=UPPER, parent_selection_type="tournament", K_tournament=2,
                        keep_elitism=1, crossover_type=cross, mutation_type=lambda x, _search: polynomial(x, generator),
                        random_seed=1, suppress_warnings=True)
    for _ in range(SAMPLES):
        search.num_generations = generations
        search.run()
        point, value, _ = search.best_solution()
        yield -float(value), np.array(point)


def pygmo(population, generations):
    import pygmo as package

    search = package.algorithm(package.sga(gen=generations, cr=CROSSOVER, eta_c=ETA_C, m=1 / DIM, param_m=ETA_M, param_s=2,
                                           crossover="sbx", mutation="polynomial", selection="tournament", seed=1))
    members = package.population(package.problem(package.rastrigin(DIM)), population, seed=1)
    for _ in range(SAMPLES):
        members = search.evolve(members)
        yield float(members.champion_f[0]), np.array(members.champion_x)


PACKAGES = {"deap": (deap, 5), "pygad": (pygad, 20), "pygmo": (pygmo, 100)}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].split("or: ")[1])
    parser.add_argument("package", choices=sorted(PACKAGES))
    parser.add_argument("--population", type=int, default=1024)
    parser.add_argument("--generations", type=int)
    options = parser.parse_args()
    run, usual = PACKAGES[options.package]
    generations = options.generations or usual
    random.seed(1)
    rates, error = [], 0.0
    start = time.perf_counter()
    for value, point in run(options.population, generations):
        rates.append(options.population * generations / (time.perf_counter() - start))
        error = max(error, abs(value - float(rastrigin(point))) / (20 * DIM))
        start = time.perf_counter()
    # The first sample includes the start of the package.
    version = importlib.metadata.version(options.package)
    print(json.dumps({"case": f"peer.{options.package}-{version}.ga-rastrigin30-{options.population}", "device": "host",
                      "variant": "t1", "precision": "fp64", "unit": "evaluations/s", "better": "higher",
                      "check": "pass" if error <= 1e-12 else "fail", "error": error, "samples": rates[1:]}))


if __name__ == "__main__":
    sys.exit(main())
