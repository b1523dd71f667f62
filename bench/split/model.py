#!/usr/bin/env python3
"""Predicts what devices gain in a divided run, from measured rates of one device and of the copies between two.

usage: model.py [--check]

Prints the table of docs/split.md: for some rows of `shoal bench '*.split.*'` the time of a step on one device, the gain of 2,
4, 8 and 64 devices by the model, and the gains of two and four devices that bench/results/split holds. Each scheme is one
function below: seconds of a step on `devices` devices. Figures of one device and of links were measured on H100s
(bench/results): change them here to predict other machines. --check: the page must hold this table (exit code 1: it does not).
"""
import glob
import json
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

# Between two H100 of one host: bytes/s of a copy; seconds of a small copy that two devices wait for; seconds that each further
# copy takes in a queue.
RATE, LATENCY, FURTHER = 392e9, 10e-6, 3e-6
# Of lists of two H200 (h200-two-meetings-2026-11-30.txt): seconds of the launches of a rebuild that one device does not need,
# without meetings; seconds by which a step that meets in its launch is longer than one that does not; most devices that do so.
REBUILD, MET, MOST_MET = 26e-6, 3.5e-6, 8
MEMORY = 2.8e12  # bytes/s that a device reads and writes
COUNTS = (2, 4, 8, 64)


def meeting(devices, received):
    """Each device receives bytes from all others."""
    return LATENCY + (devices - 2) * FURTHER + received / RATE if devices > 1 else 0


def runs(devices, step):
    return step


def islands(devices, step, exchange, sent):
    """The same work a device; each receives from one other device every `exchange` steps."""
    return step + (meeting(2, sent) / exchange if devices > 1 else 0)


def slices(devices, step, fixed, state):
    """Work on a state that all devices hold: each receives what the others made of it. `fixed` is not divided."""
    return (step - fixed) / devices + fixed + meeting(devices, state * (devices - 1) / devices)


def sums(devices, step, fixed, parts):
    """Sums over rows: each device receives the sums of the others; the rest of the step is made on every device."""
    return (step - fixed) / devices + fixed + meeting(devices, parts * (devices - 1) / devices)


def shards(devices, gradient, update, parameters):
    """Gradients: each device takes and adds a part of the sums, updates its parameters, and takes the other parameters."""
    if devices == 1:
        return gradient + update
    moved = parameters / devices * (devices - 1)
    meetings = 2 * meeting(devices, moved)
    # The sum over rows is stored and read once more, and the sums of other devices are added.
    added = (2 * parameters + 3 * moved) / MEMORY
    return (gradient + update) / devices + meetings + added


def domains(devices, step, fixed, halo, interval):
    """Slabs: each device receives layers at both sides of its slab at a rebuild, every `interval` steps, before the sort. What it
    receives in other steps comes while it computes forces, or in a meeting of its own if there are many devices."""
    if devices == 1:
        return step
    alone = LATENCY + FURTHER * (devices > 2)
    rebuild = REBUILD + alone + 8 * halo / RATE
    met = MET if devices <= MOST_MET else alone + 2 * halo / RATE
    return (step - fixed) / devices + fixed + (rebuild + (interval - 1) * met) / interval


# Case, whether each device has the same work (the gain is then in work), scheme, its arguments.
ROWS = [
    ("pso.split.runs", True, runs, dict(step=1e-3)),
    ("pso.split.islands-rastrigin30", True, islands, dict(step=1e-3, exchange=100, sent=64 * 30 * 4)),
    ("tsp.split.colonies", True, islands, dict(step=2.5e-3, exchange=100, sent=40e3)),
    ("gas.split.log-262144", False, slices, dict(step=19.8e-3, fixed=10e-6, state=262144 * 8)),
    ("gas.split.log-1m", False, slices, dict(step=316e-3, fixed=30e-6, state=1048576 * 8)),
    ("pso.split.f10-64", False, sums, dict(step=187e-6, fixed=22e-6, parts=528 * 64 * 8)),
    ("pso.split.f10x10-64", False, sums, dict(step=1.67e-3, fixed=22e-6, parts=528 * 64 * 8)),
    ("mlp.split.784-2048x3-10-b8192", False, shards, dict(gradient=10.3e-3, update=0.1e-3, parameters=40e6)),
    ("gas.split.lj2d-4m-rho0.4", False, domains, dict(step=0.254e-3, fixed=10e-6, halo=47e3, interval=11)),
    ("gas.split.lj2d-8m-rho0.4", False, domains, dict(step=0.462e-3, fixed=10e-6, halo=66e3, interval=10)),
]


def devices_of(row):
    return next((figure["value"] for figure in row["figures"] if figure["name"] == "devices"), 0)


def results():
    """The result files, the newest first."""
    documents = []
    for path in glob.glob(os.path.join(ROOT, "bench", "results", "split", "*.json")):
        with open(path, encoding="utf-8") as file:
            documents.append(json.load(file))
    return sorted(documents, key=lambda document: document["date"], reverse=True)


def measured(case, devices):
    """The gain of so many devices in the newest result file that has the case."""
    for document in results():
        rows = [row for row in document["rows"] if row["case"] == case and row.get("value") and devices_of(row) == devices]
        if rows:
            return f"{max(row['value'] for row in rows):.2f}"
    return "-"


def table():
    lines = [
        "| case | step on one device | " + " | ".join(f"{n} devices" for n in COUNTS) + " | measured, 2 | measured, 4 |",
        "|---|" + "---|" * (3 + len(COUNTS)),
    ]
    for name, is_same_work, scheme, given in ROWS:
        alone = scheme(1, **given)
        gains = [alone / scheme(n, **given) * (n if is_same_work else 1) for n in COUNTS]
        time = "any" if scheme is runs else f"{alone * 1e3:.3g} ms"
        predicted = " | ".join(f"{gain:.2f}" if gain < 10 else f"{gain:.0f}" for gain in gains)
        lines.append(f"| `{name}` | {time} | {predicted} | {measured(name, 2)} | {measured(name, 4)} |")
    return "\n".join(lines)


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(f"model.py: {' '.join(arguments)} is no option; usage: model.py [--check]", file=sys.stderr)
        return 2
    page = os.path.join(ROOT, "docs", "split.md")
    if not arguments:
        print(table())
        return 0
    with open(page, encoding="utf-8") as file:
        if table() in file.read():
            return 0
    print("docs/split.md does not hold the table of bench/split/model.py: write what it prints there", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
