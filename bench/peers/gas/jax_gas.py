#!/usr/bin/env python3
"""A gas of Lennard-Jones disks in JAX, on the sizes of gas.cpu.lj2d-262144-rho0.4 and gas.list.lj2d-1m-rho0.4.

usage: bench/peers/run.py jax-gas        or: jax_gas.py [--version] [--samples N] [--steps N] [--warm N]

Force-shifted Lennard-Jones cut at 2.5, density 0.4, time step 0.005, fp32, as shoal's cases. A dense array has the places of the
particles relative to their cells, at most SLOTS in each; a sort fills it anew every EVERY steps, and a compiled scan makes the
steps between. Each particle meets all slots of the nine cells around, without gathers and scatters. The gas starts from a
lattice, is brought to T = 1 by rescaling for --warm steps, and is then left to itself. A sample ends with energies. The check
looks at the change of the energy and at the temperature; the run ends with an error if a cell was full or a particle moved
farther than the cells allow. On a CPU only the smaller case is run.
"""
import argparse
import functools
import itertools
import json
import os
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

CUTOFF, DENSITY, DT = 2.5, 0.4, 0.005
SIDE, SLOTS, EVERY = 3.05, 12, 8  # least side of a cell: particles may move by (SIDE - CUTOFF) / 2 between two fillings
FORCE_AT_CUTOFF = 24 * (2 * CUTOFF ** -13 - CUTOFF ** -7)
POTENTIAL_AT_CUTOFF = 4 * (CUTOFF ** -12 - CUTOFF ** -6)
FAR = 1e4  # where empty slots are


def force_of(r2):
    """Force over distance of pairs."""
    inverse2 = 1 / jnp.clip(r2, 0.1, CUTOFF * CUTOFF)  # far from denormal numbers, which are slow
    inverse6 = inverse2 * inverse2 * inverse2
    force = 24 * inverse6 * (2 * inverse6 - 1) * inverse2 - FORCE_AT_CUTOFF * jax.lax.rsqrt(r2)
    return jnp.where((r2 < CUTOFF * CUTOFF) & (r2 > 0), force, 0)


def potential_of(r2):
    near = (r2 < CUTOFF * CUTOFF) & (r2 > 0)
    r2 = jnp.where(near, r2, 1)
    inverse6 = 1 / (r2 * r2 * r2)
    return jnp.where(near, 4 * inverse6 * (inverse6 - 1) - POTENTIAL_AT_CUTOFF + FORCE_AT_CUTOFF * (jnp.sqrt(r2) - CUTOFF), 0)


def over_pairs(add, sums, x, y, is_there, side):
    """Calls add(sums, px, py) for each slot of the nine cells around, with the ways from there to all slots."""
    cells = x.shape[1]
    own = [jnp.where(is_there, u, FAR) for u in (x, y)]
    around = [jnp.pad(jnp.where(is_there, u, -FAR), ((0, 0), (1, 1), (1, 1)), mode="wrap") for u in (x, y)]

    def meet(slot, sums):
        others = jax.lax.optimization_barrier([u[slot] for u in around])
        for dx, dy in itertools.product((-1, 0, 1), repeat=2):
            sums = add(sums, *(u - other[1 + dx:1 + dx + cells, 1 + dy:1 + dy + cells] - d * side
                               for u, other, d in zip(own, others, (dx, dy))))
        return sums

    return jax.lax.fori_loop(0, SLOTS, meet, sums)


def forces(x, y, is_there, side):
    """Forces on all slots, [SLOTS, cells, cells]."""
    def add(sums, px, py):
        force = force_of(px * px + py * py)
        return sums[0] + force * px, sums[1] + force * py

    return over_pairs(add, (jnp.zeros_like(x),) * 2, x, y, is_there, side)


def potential_energy(x, y, is_there, side):
    return over_pairs(lambda sum, px, py: sum + potential_of(px * px + py * py), jnp.zeros_like(x), x, y, is_there, side).sum() / 2


def filled(state, count, side):
    """The state with each particle in the cell that it is in, and the largest number of particles of a cell."""
    x, y, vx, vy, is_there = state
    cells = x.shape[1]
    moved = [jnp.floor(u / side).astype(int) for u in (x, y)]
    at = [jnp.broadcast_to(jnp.arange(cells)[(slice(None), None) if axis == 0 else (None, slice(None))], x.shape)
          for axis in (0, 1)]
    cell = (at[0] + moved[0]) % cells * cells + (at[1] + moved[1]) % cells
    key = jnp.where(is_there, cell, cells * cells).ravel()
    order = jnp.argsort(key)[:count]
    key = key[order]
    first = jnp.searchsorted(key, jnp.arange(cells * cells))
    slot = jnp.arange(count) - first[key]
    place = slot * cells * cells + key
    values = [x - side * moved[0], y - side * moved[1], vx, vy, is_there]
    return tuple(jnp.zeros(u.size, u.dtype).at[place].set(u.ravel()[order], mode="drop").reshape(u.shape)
                 for u in values), slot.max() + 1


def kinetic(state):
    return (state[2] ** 2 + state[3] ** 2).sum() / 2


@functools.partial(jax.jit, static_argnames=("count", "side", "rescales"), donate_argnums=0)
def advance(state, fillings, count, side, rescales):
    """Makes EVERY steps after each of so many fillings: the state, the fullest cell and the longest way."""
    def step(state, _):
        x, y, vx, vy, is_there = state
        fx, fy = forces(x, y, is_there, side)
        vx, vy = vx + DT * fx, vy + DT * fy
        return (x + DT * vx, y + DT * vy, vx, vy, is_there), None

    def filling(_, carried):
        state, most, longest = carried
        state, fullest = filled(state, count, side)
        begin = state
        if rescales:
            scale = jnp.sqrt(count / kinetic(state))
            state = (state[0], state[1], scale * state[2], scale * state[3], state[4])
        state, _ = jax.lax.scan(step, state, None, length=EVERY)
        way = jnp.sqrt((state[0] - begin[0]) ** 2 + (state[1] - begin[1]) ** 2).max()
        return state, jnp.maximum(most, fullest), jnp.maximum(longest, way)

    return jax.lax.fori_loop(0, fillings, filling, (state, 0, 0.0))


@functools.partial(jax.jit, static_argnames=("count", "side"))
def energies(state, count, side):
    """Temperature, and energy of a particle: velocities are those between two steps, moved on by half of one."""
    x, y, vx, vy, is_there = state
    fx, fy = forces(x, y, is_there, side)
    potential = potential_energy(x, y, is_there, side)
    moving = kinetic((x, y, vx + DT / 2 * fx, vy + DT / 2 * fy))
    return moving / count, (moving + potential) / count


def lattice(count):
    """A square lattice with velocities of T = 1 in cells, the side of a cell."""
    across = round(count ** 0.5)
    length = (count / DENSITY) ** 0.5
    cells = int(length / SIDE)
    side = length / cells
    places = (np.stack(np.meshgrid(*[np.arange(across)] * 2), -1).reshape(-1, 2) + 0.5) * (length / across)
    speeds = np.random.default_rng(1).normal(size=places.shape)
    speeds -= speeds.mean(0)
    cell = (places / side).astype(int)
    key = cell[:, 0] * cells + cell[:, 1]
    order = np.argsort(key, kind="stable")
    slot = np.arange(count) - np.searchsorted(key[order], key[order])
    arrays = [np.zeros((SLOTS, cells * cells), np.float32) for _ in range(4)] + [np.zeros((SLOTS, cells * cells), bool)]
    for array, values in zip(arrays, (*(places - side * cell).T, *speeds.T, np.ones(count, bool))):
        array[slot, key[order]] = values[order]
    return tuple(jnp.asarray(array.reshape(SLOTS, cells, cells)) for array in arrays), side


def measure(count, options):
    """Seconds of each sample, temperature and change of the energy."""
    state, side = lattice(count)
    run = functools.partial(advance, count=count, side=side)

    def checked(state, steps, rescales):
        state, most, longest = run(state, steps // EVERY, rescales=rescales)
        if most > SLOTS or not longest <= (side - CUTOFF) / 2:
            sys.exit(f"jax_gas: a cell has {most} particles, or one moved by {longest:.3g}")
        return state

    state = checked(state, options.warm, True)
    state = checked(state, options.steps, False)  # compiles, too
    seconds, before, temperatures = [], energies(state, count, side)[1], []
    for _ in range(options.samples):
        begin = time.perf_counter()
        state = checked(state, options.steps, False)
        temperature, after = jax.block_until_ready(energies(state, count, side))
        seconds.append(time.perf_counter() - begin)
        temperatures.append(float(temperature))
    return seconds, float(np.mean(temperatures)), float(abs(after - before))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    is_card = jax.default_backend() == "gpu"
    parser.add_argument("--samples", type=int, default=5 if is_card else 3)
    parser.add_argument("--steps", type=int, default=2000 if is_card else 24)
    parser.add_argument("--warm", type=int, default=4000 if is_card else 96)
    parser.add_argument("--version", action="store_true")
    options = parser.parse_args()
    if options.version:
        print("jax", jax.__version__)
        return
    sizes = (("gas.cpu.lj2d-262144-rho0.4", 262144),) + ((("gas.list.lj2d-1m-rho0.4", 1 << 20),) if is_card else ())
    for name, count in sizes:
        seconds, temperature, change = measure(count, options)
        print(f"jax_gas: {name}: T = {temperature:.4g}, energy changed by {change:.2g}", file=sys.stderr)
        print(json.dumps({"case": f"peer.jax-{jax.__version__}.{name}", "device": "gpu" if is_card else "host",
                          "variant": "scan" if is_card else f"t{os.cpu_count()}", "precision": "fp32",
                          "unit": "particle-steps/s", "better": "higher",
                          "check": "pass" if abs(temperature - 1) <= 0.05 and change <= 1e-3 else "fail", "error": change,
                          "samples": [count * options.steps / one for one in seconds]}), flush=True)


if __name__ == "__main__":
    main()
