"""The damped oscillation that fits are tested with: y = 2.5 exp(-0.35 t) cos(4.2 t + 0.7) + 1.1 and noise.

usage: curve.py ROWS > osc.csv

curve.h makes the same numbers and holds what least squares makes of them. Run with --least-squares, it prints that, by
SciPy's Levenberg-Marquardt (scipy.optimize.curve_fit).
"""
import math
import os
import re
import sys

MASK = (1 << 64) - 1


def noise(row):
    """Mean 0, deviation 1: twelve uniform numbers of SplitMix64 (Steele, Lea and Flood 2014), less 6."""
    total = 0.0
    for k in range(12):
        z = ((12 * row + k + 1) * 0x9E3779B97F4A7C15) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        total += ((z ^ (z >> 31)) >> 11) * 2.0**-53
    return total - 6


def rows(count):
    for row in range(count):
        t = 10 * row / (count - 1)
        yield t, 2.5 * math.exp(-0.35 * t) * math.cos(4.2 * t + 0.7) + 1.1 + 0.15 * noise(row)


def known(count):
    """What curve.h holds: parameters, their errors and the sum of squares."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "curve.h"), encoding="utf-8") as file:
        text = re.search(r"curve_fits\[\] = \{(.*?)\n\};", file.read(), re.DOTALL)[1]
    numbers = [float(word) for word in re.findall(r"-?\d+(?:\.\d+)?", text)]
    fits = {int(numbers[i]): numbers[i + 1 : i + 15] for i in range(0, len(numbers), 15)}
    return fits[count][:5], fits[count][5:10], fits[count][12]


def least_squares(count):
    import numpy
    from scipy.optimize import curve_fit

    def model(t, a, b, w, p, c):
        return a * numpy.exp(-b * t) * numpy.cos(w * t + p) + c

    t, y = numpy.array(list(rows(count))).T
    best, covariance = curve_fit(model, t, y, p0=[2.5, 0.35, 4.2, 0.7, 1.1], method="lm", ftol=1e-15, xtol=1e-15, gtol=1e-15)
    errors = numpy.sqrt(numpy.diag(covariance))
    residuals = y - model(t, *best)
    print("parameters", *map(repr, map(float, best)))
    print("errors", *map(repr, map(float, errors)))
    print("correlation of b and a", repr(float(covariance[0, 1] / errors[0] / errors[1])))
    print("correlation of w and p", repr(float(covariance[2, 3] / errors[2] / errors[3])))
    print("sum of squares", repr(float(residuals @ residuals)))
    print("r2", repr(float(1 - residuals @ residuals / ((y - y.mean()) @ (y - y.mean())))))


def main():
    if sys.argv[1] == "--least-squares":
        least_squares(int(sys.argv[2]))
        return
    print("t,y")
    for t, y in rows(int(sys.argv[1])):
        print(f"{t!r},{y!r}")


if __name__ == "__main__":
    main()
