#!/usr/bin/env python3
"""The field of gas.cpu.fmm-log-1m by fmm2d, on all threads.

usage: bench/peers/run.py fmm2d        or: fmm2d_field.py [--version] [--charges N] [--samples N] [--tolerance X]

A million equal charges with the law ln r, evenly spread in a square of side 1000: what a step of the gas computes, but
for the softening, which fmm2d does not have, and in double precision. The row's error is that of the gradient at 200
charges against the direct sum, root mean square over root mean square. It needs fmm2dpy, whose releases need NumPy < 2.
"""
import argparse
import json
import os
import sys
import time

TARGETS = 200


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--charges", type=int, default=1000000)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--tolerance", type=float, default=1e-2)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--version", action="store_true")
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(options.threads)  # read when the library is loaded
    try:
        import fmm2dpy
        import numpy
    except ImportError as error:
        sys.exit(f"fmm2d: {error}: install fmm2dpy and 'numpy<2'")
    if options.version:
        from importlib.metadata import version
        print(f"fmm2dpy {version('fmm2dpy')}")
        return
    # The library prints messages of its own on standard output, which is for the row.
    row = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    places = numpy.asfortranarray(1000 * numpy.random.default_rng(1).random((2, options.charges)))
    charges = numpy.ones(options.charges)
    seconds = []
    for sample in range(options.samples + 1):
        begin = time.perf_counter()
        out = fmm2dpy.rfmm2d(eps=options.tolerance, sources=places, charges=charges, pg=2)
        if sample:  # the first is not counted
            seconds.append(time.perf_counter() - begin)
    wanted = numpy.empty((2, TARGETS))
    for target in range(TARGETS):
        difference = places[:, target, None] - places
        square = (difference ** 2).sum(axis=0)
        square[target] = numpy.inf
        wanted[:, target] = (difference / square).sum(axis=1)
    error = numpy.sqrt(((out.grad[:, :TARGETS] - wanted) ** 2).sum() / (wanted ** 2).sum())
    print(f"fmm2d: error of the field {error:.2g}", file=sys.stderr)
    print(json.dumps({"case": "peer.fmm2d.gas.cpu.fmm-log-1m", "device": "host", "variant": f"t{options.threads}",
                      "precision": "fp64", "unit": "s", "better": "lower", "check": "pass" if error <= 1e-2 else "fail",
                      "error": float(error), "wall_s": sum(seconds), "samples": seconds}), file=row, flush=True)


if __name__ == "__main__":
    main()
