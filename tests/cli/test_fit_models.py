#!/usr/bin/env python3
"""shoal pso --fit beside SciPy's curve_fit: parameters and standard errors of four models.

The references are of scipy.optimize.curve_fit of SciPy 1.17.1 with method="lm", sigma 1/sqrt(weight) and tolerances of 1e-15,
started at the parameters that made the rows. Where SciPy is installed they are computed anew.
"""
import json
import math
import sys
from pathlib import Path

import support
from support import Case

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "support"))
import curve

# Formula, its parameters with their ranges, what made the rows.
MODELS = {
    "line": ("a*t+b", {"a": (-10, 10), "b": (-10, 10)}, (1.75, -3.5)),
    "decay": ("a*exp(-k*t)+c", {"a": (0, 20), "k": (0, 5), "c": (-5, 5)}, (5.25, 0.8, 1.5)),
    "peak": ("a*exp(-0.5*((t-m)/s)*((t-m)/s))+c", {"a": (0, 50), "m": (0, 7), "s": (0.1, 3), "c": (-5, 5)}, (12.5, 3.25, 0.6, 2.0)),
    "growth": ("k/(1+exp(-r*(t-m)))", {"k": (1, 1000), "r": (0, 5), "m": (0, 14)}, (250.0, 0.9, 6.0)),
}
# Rows, first and last t, deviation of the noise, and where it begins.
ROWS = {"line": (40, 0, 10, 0.3, 1000), "decay": (60, 0, 6, 0.05, 2000), "peak": (80, 0, 7, 0.2, 3000), "growth": (50, 0, 14, 3, 4000)}
# Of model, with the parameters that are fixed: those that are free, their standard errors.
REFERENCES = {
    ("line", ()): ([1.7657984612613469, -3.6185501695157414], [0.01975917915422172, 0.11498225446911327]),
    ("decay", ()): ([5.248066334691186, 0.7957688824147761, 1.4940707571426868],
                    [0.02619932997289803, 0.009029857084806822, 0.012848400165468178]),
    ("decay", (("c", 1.5),)): ([5.246431252318244, 0.7989629479670732], [0.025829701533214216, 0.005800675208490024]),
    ("peak", ()): ([12.499032955570842, 3.252420941128736, 0.5999259789888632, 1.9808889732357624],
                   [0.07264551164903991, 0.0038548151505469817, 0.00434885637110575, 0.029658555465132495]),
    ("growth", ()): ([249.66123489324113, 0.897576465227354, 6.0161855992192335],
                     [0.8068951659544293, 0.0137166473352737, 0.02002979896189099]),
}


def function(name, exp):
    """The formula as a function of t and its parameters."""
    formula, ranges, _ = MODELS[name]
    code = compile(formula, name, "eval")
    return lambda t, *values: eval(code, {"t": t, "exp": exp, **dict(zip(ranges, values))})


def rows(name):
    count, first, last, deviation, start = ROWS[name]
    model = function(name, math.exp)
    for i in range(count):
        t = first + (last - first) * i / (count - 1)
        yield t, model(t, *MODELS[name][2]) + deviation * curve.noise(start + i), (0.5, 1.0, 2.0)[i % 3]


def close(a, b, tolerance):
    return abs(a - b) <= tolerance * abs(b)


class Models(Case):
    def fit(self, name, fixed):
        formula, ranges, _ = MODELS[name]
        table = self.file(f"{name}.csv", "t,y,w\n" + "".join(",".join(map(repr, row)) + "\n" for row in rows(name)))
        ranges = {**ranges, **{parameter: (value, value) for parameter, value in fixed}}
        text = ",".join(f"{parameter}={low}:{high}" for parameter, (low, high) in ranges.items())
        weights = ["--weight", "w"] if name == "line" else []
        document = json.loads(self.succeeds("pso", "--device", "host", "--data", table, "--model", formula, "--fit", text, "--target", "y",
                                            "--json", *weights))
        return document["rows"][0]["fit"]["parameters"]

    def test_parameters_and_errors_are_those_of_curve_fit(self):
        for (name, fixed), (values, errors) in REFERENCES.items():
            with self.subTest(model=name, fixed=fixed):
                found = self.fit(name, fixed)
                self.assertEqual([p["name"] for p in found], list(MODELS[name][1]))
                free = [p for p in found if p["name"] not in dict(fixed)]
                self.assertEqual(len(free), len(values))
                for parameter, value, error in zip(free, values, errors):
                    self.assertTrue(close(parameter["value"], value, 1e-6), (parameter, value))
                    self.assertTrue(close(parameter["error"], error, 1e-3), (parameter, error))
                for parameter in found:
                    if parameter["name"] in dict(fixed):
                        self.assertEqual((parameter["value"], parameter["error"]), (dict(fixed)[parameter["name"]], 0))

    def test_the_references_are_those_of_scipy(self):
        try:
            import numpy
            from scipy.optimize import curve_fit
        except ImportError as error:
            self.skipTest(f"SciPy is not installed: {error}")
        for (name, fixed), (values, errors) in REFERENCES.items():
            model, (t, y, w), start = function(name, numpy.exp), numpy.array(list(rows(name))).T, MODELS[name][2]
            rest = tuple(value for _, value in fixed)  # fixed parameters are the last ones
            sigma = 1 / numpy.sqrt(w) if name == "line" else None
            best, covariance = curve_fit(lambda t, *free: model(t, *free, *rest), t, y, p0=start[:len(start) - len(rest)], sigma=sigma,
                                         method="lm", ftol=1e-15, xtol=1e-15, gtol=1e-15)
            for got, wanted in zip([*best, *numpy.sqrt(numpy.diag(covariance))], [*values, *errors]):
                self.assertTrue(close(got, wanted, 1e-6), (name, got, wanted))


if __name__ == "__main__":
    support.main()
