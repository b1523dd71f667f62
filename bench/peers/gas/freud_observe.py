#!/usr/bin/env python3
"""The samples of gas.observe.* by freud, on all threads.

usage: bench/peers/run.py freud        or: freud_observe.py [--version] [--samples N]

Particles of a jittered lattice at the density of the case, periodic: g(r) of 200 bins up to 2.5, the hexatic order of the six
nearest neighbours within 2.5, and S(k) of 20 bins up to 20 from 320 wave vectors, which freud has in three dimensions
alone. A sample is one call with all that it needs of the places: freud's lists of neighbours, too. It is checked by sums in NumPy:
over the particles around some, and over the wave vectors of freud.
"""
import argparse
import importlib.metadata
import json
import os
import time

import freud
import numpy as np

RANGE, BINS = 2.5, 200
WAVE_RANGE, SHELLS, WAVES = 20, 20, 320


def lattice(count, dim, density):
    """A box and the places of particles in it, jittered by a tenth of a side."""
    across = round(count ** (1 / dim))
    side = density ** (-1 / dim)
    places = np.stack(np.meshgrid(*[np.arange(across)] * dim), -1).reshape(-1, dim) + 0.5
    places = places + np.random.default_rng(1).uniform(-0.1, 0.1, places.shape)
    places = side * (places - across / 2)
    box = freud.box.Box.square(across * side) if dim == 2 else freud.box.Box.cube(across * side)
    return box, box.wrap(np.pad(places, ((0, 0), (0, 3 - dim))).astype(np.float32))


def around(box, places, one):
    """Vectors to all particles, the particle itself among them."""
    return box.wrap(places - places[one])


def rdf(box, places):
    compute = freud.density.RDF(BINS, RANGE)

    def error():
        """Share of the pairs of some particles that NumPy counts in other bins."""
        some = np.arange(0, len(places), 100)
        found = freud.density.RDF(BINS, RANGE).compute((box, places), query_points=places[some]).bin_counts
        wanted = sum(np.histogram(np.linalg.norm(around(box, places, one), axis=1), BINS, (0, RANGE))[0] for one in some)
        return float(np.abs(np.asarray(found, float) - wanted).sum() / wanted.sum())
    return lambda: compute.compute((box, places)), error


def hexatic(box, places):
    compute = freud.order.Hexatic(6)

    def error():
        """Largest difference of the order of some particles to NumPy's."""
        some, wanted = np.arange(0, len(places), 1000), []
        for one in some:
            vectors = around(box, places, one)
            near = vectors[np.argsort(np.linalg.norm(vectors, axis=1))[1:7]]
            wanted.append(np.exp(6j * np.arctan2(near[:, 1], near[:, 0])).mean())
        return float(np.abs(compute.particle_order[some] - wanted).max())
    return lambda: compute.compute((box, places), neighbors={"num_neighbors": 6, "r_max": RANGE}), error


def structure(box, places):
    compute = freud.diffraction.StaticStructureFactorDirect(SHELLS, WAVE_RANGE, num_sampled_k_points=WAVES)

    def error():
        """Largest difference of S(k) of the longest waves to the mean over all their vectors in NumPy, over it."""
        unit = 2 * np.pi / box.Lx
        few = freud.diffraction.StaticStructureFactorDirect(4, 4.95 * unit).compute((box, places))
        # freud takes vectors of the first octant alone, and 0.
        waves = np.stack(np.meshgrid(*[np.arange(6)] * 3), -1).reshape(-1, 3) * unit
        length = np.linalg.norm(waves, axis=1)
        waves, length = waves[length < 4.95 * unit], length[length < 4.95 * unit]
        own = [abs(np.exp(1j * (places.astype(float) @ wave)).sum()) ** 2 / len(places) for wave in waves]
        bins = (length / (4.95 * unit) * 4).astype(int)  # no length is at an edge
        wanted = np.bincount(bins, own, 4) / np.bincount(bins, minlength=4)
        return float(np.abs(np.asarray(few.S_k) / wanted - 1).max())
    return lambda: compute.compute((box, places)), error


# Case: what makes call and check, particles, dimensions, density, most error. Differences come from places in fp32.
CASES = {"rdf-65536": (rdf, 65536, 2, 0.8, 1e-3), "hexatic-65536": (hexatic, 65536, 2, 0.8, 1e-3),
         "structure-32768": (structure, 32768, 3, 0.8442, 1e-2)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=7)
    parser.add_argument("--version", action="store_true")
    options = parser.parse_args()
    version = importlib.metadata.version("freud-analysis")
    if options.version:
        print("freud", version)
        return
    threads = len(os.sched_getaffinity(0))
    freud.parallel.set_num_threads(threads)
    for name, (make, count, dim, density, most) in CASES.items():
        call, error = make(*lattice(count, dim, density))
        call()
        samples = []
        for _ in range(options.samples):
            begin = time.perf_counter()
            call()
            samples.append(time.perf_counter() - begin)
        wrong = error()
        print(json.dumps({"case": f"peer.freud-{version}.gas.observe.{name}", "device": "host", "variant": f"t{threads}",
                          "precision": "fp32", "unit": "s", "better": "lower", "check": "pass" if wrong <= most else "fail",
                          "error": wrong, "samples": samples}), flush=True)


if __name__ == "__main__":
    main()
