#!/usr/bin/env python3
"""Draws a result file of `shoal compare --out` as an SVG: one bar and one line of figures for each row.

usage: docs/picture.py RESULTS.json > docs/compare.svg

The picture carries its command line, and a test draws it again: it always shows what the file holds.
"""
import json
import math
import os
import sys
from xml.sax.saxutils import escape

WIDTH, LEFT, BAR, BAR_WIDTH, LINE = 920, 28, 236, 280, 34
COLUMNS = [("device time", 610), ("x host", 685), ("build", 765), ("error", 835), ("check", WIDTH - LEFT)]
BACK, TEXT, FAINT, RULE = "#0d1117", "#e6edf3", "#8b949e", "#30363d"
COLOURS = {"cuda": "#3fb950", "opencl": "#4493f8", "host": "#ab7df8"}


def seconds(value):
    for unit, scale in [("s", 1), ("ms", 1e3), ("us", 1e6)]:
        if value * scale >= 1 or unit == "us":
            digits = max(0, 2 - int(math.floor(math.log10(value * scale)))) if value > 0 else 0
            return f"{value * scale:.{digits}f} {unit}"


def ratio(value):
    return f"{value:.{min(4, max(0, 2 - int(math.floor(math.log10(value)))))}f}x"


class Drawing:
    def __init__(self):
        self.parts = []
        self.y = 0

    def text(self, x, content, colour=TEXT, anchor="start", dy=0, size=13):
        self.parts.append(f'<text x="{x}" y="{self.y + dy}" fill="{colour}" text-anchor="{anchor}" '
                          f'font-size="{size}">{escape(str(content))}</text>')

    def bar(self, length, colour):
        self.parts.append(f'<rect x="{BAR}" y="{self.y - 14}" width="{max(length, 2):.1f}" height="18" rx="2" '
                          f'fill="{colour}"/>')

    def svg(self, comment, label):
        height = self.y + 20
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-label="{escape(label)}" font-family="ui-monospace, Menlo, Consolas, '
            '\'DejaVu Sans Mono\', monospace">',
            f"<!-- {escape(comment)} -->",
            f'<rect width="{WIDTH}" height="{height}" rx="8" fill="{BACK}"/>',
            *self.parts, "</svg>", ""])


def scale_of(times):
    """Length of a bar for a time. Logarithmic, and said so, where short bars would vanish."""
    low, high = min(times), max(times)
    if high / low <= 20:
        return (lambda time: BAR_WIDTH * time / high), ""
    base = 10 ** math.floor(math.log10(low * 0.8))
    return (lambda time: BAR_WIDTH * math.log(time / base) / math.log(high / base)), ", logarithmic"


def draw_case(drawing, name, rows, names):
    drawn = [row for row in rows if row["check"] == "pass" and row["device_s"]]
    if not drawn:
        return
    length, note = scale_of([row["device_s"] for row in drawn])
    drawing.y += 34
    drawing.text(LEFT, name)
    drawing.y += 24
    drawing.text(BAR, f"device time{note}", FAINT, size=11)
    for title, x in COLUMNS:
        drawing.text(x, title, FAINT, "end", size=11)
    drawing.y += 8
    baseline = next((row for row in drawn if row["device"] == "host"), None)
    for row in rows:
        drawing.y += LINE
        drawing.text(LEFT, f"{row['device']} {row['variant']}", dy=-4)
        drawing.text(LEFT, names.get(row["device"], "")[:32], FAINT, dy=9, size=10)
        if row not in drawn:
            drawing.text(BAR, "no result", FAINT)
            continue
        drawing.bar(length(row["device_s"]), COLOURS.get(row["device"].split(":")[0], FAINT))
        figures = [seconds(row["device_s"]), ratio(baseline["device_s"] / row["device_s"]) if baseline else "-",
                   seconds(row["build_s"]) if row["build_s"] else "-", f"{row['error']:.0e}" if row["error"] else "0", row["check"]]
        for (_, x), figure in zip(COLUMNS, figures):
            drawing.text(x, figure, anchor="end")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    names = {device["id"]: device["name"] for device in results["devices"]}
    cases = {}
    for row in results["rows"]:
        cases.setdefault(row["case"], []).append(row)
    drawing = Drawing()
    drawing.y = 34
    drawing.text(LEFT, f"$ {results['command']}")
    for name, rows in cases.items():
        draw_case(drawing, name, rows, names)
    drawing.y += 30
    drawing.text(LEFT, f"{results['date'][:10]}, commit {results['commit'][:10]}. "
                       "Median of the runs; x host: times as fast.", FAINT, size=11)
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    comment = f"docs/picture.py {os.path.relpath(os.path.abspath(path), root)}"
    sys.stdout.write(drawing.svg(comment, "shoal compare: " + ", ".join(names.values())))


main()
