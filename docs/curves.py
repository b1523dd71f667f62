#!/usr/bin/env python3
"""Draws result files of tours over time as an SVG: a panel for each problem, a line for each program.

usage: docs/curves.py RESULTS.json... > docs/tsp-curves.svg

The files are those of bench/peers/run.py with tsp_python.py --curves. The picture carries its command line, and a test draws it
again: it always shows what the files hold.
"""
import json
import math
import os
import re
import sys
from xml.sax.saxutils import escape

TOP, PANEL, HIGH, GAP = 56, 244, 300, 40
LEFT, LINE = 76, 20
BACK, TEXT, FAINT, RULE = "#0d1117", "#e6edf3", "#8b949e", "#30363d"
COLOURS = ["#3fb950", "#9be9a8", "#2ea8a0", "#e3b341", "#4493f8", "#79c0ff", "#f0883e", "#ab7df8", "#f778ba", "#8b949e"]
TIMES, LEVELS = (1, 3, 10, 30), (0.001, 0.01, 0.1, 1, 10)  # seconds, and percent; what is less lies on the lowest line
MOST = 40


def name_of(row):
    program = re.match(r"peer\.(.*?)\.tsp\.", row["case"])[1].replace("shoal-", "shoal ")
    if row["variant"].startswith("t"):
        threads = int(row["variant"][1:])
        return f"{program}, {threads} thread{'s' if threads > 1 else ''}"
    return f"{program}, {'CUDA' if row['device'].startswith('cuda') else 'PoCL'}"


def curves_of(paths):
    """For each problem a list of (program, points), and the programs."""
    problems, programs = {}, {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)["rows"]
        for row in rows:
            points = [(float(figure["name"][:-2]), 100 * figure["value"]) for figure in row["figures"]
                      if figure["name"].endswith(" s")]
            if points:
                name = name_of(row)
                programs.setdefault(name, COLOURS[len(programs) % len(COLOURS)])
                problems.setdefault(row["case"].split("curve-")[1], []).append((name, points))
    return problems, programs


def text(x, y, content, colour=FAINT, anchor="start", size=11):
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}" font-size="{size}">{escape(content)}</text>'


def line(points, colour, width=1):
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{width}"/>'


def draw_panel(left, problem, curves, programs, has_scale):
    def at(seconds, percent):
        across = math.log(seconds / TIMES[0]) / math.log(TIMES[-1] / TIMES[0])
        up = math.log(max(percent, LEVELS[0]) / LEVELS[0]) / math.log(MOST / LEVELS[0])
        return left + PANEL * across, TOP + HIGH * (1 - up)
    parts = [text(left, TOP - 12, problem, TEXT, size=13)]
    for percent in LEVELS:
        parts.append(line([at(TIMES[0], percent), at(TIMES[-1], percent)], RULE))
        if has_scale:
            parts.append(text(left - 8, at(1, percent)[1] + 4, f"{'<= ' if percent == LEVELS[0] else ''}{percent:g} %", anchor="end"))
    parts += [text(at(seconds, 1)[0], TOP + HIGH + 16, f"{seconds} s", anchor="middle") for seconds in TIMES]
    for name, points in curves:
        places = [at(*point) for point in points]
        parts.append(line(places, programs[name], 2))
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{programs[name]}"/>' for x, y in places]
    return parts


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.split("\n\n")[1])
    paths = sys.argv[1:]
    problems, programs = curves_of(paths)
    parts = [text(LEFT, 22, "excess over the best known length", TEXT, size=13)]
    for place, (problem, curves) in enumerate(problems.items()):
        parts += draw_panel(LEFT + place * (PANEL + GAP), problem, curves, programs, place == 0)
    below, width = TOP + HIGH + 44, max(920, LEFT + len(problems) * (PANEL + GAP) - 8)
    for place, (name, colour) in enumerate(programs.items()):
        x, y = LEFT + place % 4 * 208, below + place // 4 * LINE
        parts += [line([(x, y - 4), (x + 22, y - 4)], colour, 3), text(x + 28, y, name, TEXT, size=12)]
    height = below + (len(programs) - 1) // 4 * LINE + 18
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    command = " ".join(["docs/curves.py", *(os.path.relpath(os.path.abspath(path), root) for path in paths)])
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="tours over time: '
          f'{escape(", ".join(programs))}" font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace">')
    print(f"<!-- {command} -->")
    print(f'<rect width="{width}" height="{height}" rx="8" fill="{BACK}"/>')
    print("\n".join(parts + ["</svg>"]))


main()
