"""Points of TSPLIB, and the distances between them."""
import sys

import numpy as np


def coordinates(path):
    """The points of a file."""
    points, inside = [], False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("EDGE_WEIGHT_TYPE") and line.split(":")[1].strip() != "EUC_2D":
                sys.exit(f"{path}: not EUC_2D")
            if inside and line.strip() in ("EOF", ""):
                break
            if inside:
                points.append([float(word) for word in line.split()[1:3]])
            inside = inside or line.startswith("NODE_COORD_SECTION")
    return np.array(points)


def distances(points, to):
    """EUC_2D: rounded to the nearest integer."""
    difference = points - to
    return np.floor(np.sqrt((difference * difference).sum(-1)) + 0.5)


def matrix(points, most=None):
    """All distances, in 16 bits and scaled to at most `most` where it is given."""
    scale = 1
    if most:
        scale = max(1, max(distances(points, point).max() for point in points) / most)
    rows = np.empty((len(points), len(points)), np.uint16 if most else np.int64)
    for row, point in zip(rows, points):
        row[:] = np.floor(distances(points, point) / scale + 0.5)
    return rows


def tour_length(points, tour):
    """The length of a tour, or None if it is none."""
    if sorted(tour) != list(range(len(points))):
        return None
    return int(distances(points[tour], points[np.roll(tour, -1)]).sum())
