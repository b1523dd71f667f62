#!/usr/bin/env python3
"""shoal.fit against NumPy: formulas that the library evaluates, and the same models as Python functions."""

import numpy as np
import shoal
from support import NA, Case, main, opencl_device

CURVE = "a*exp(-b*t)*cos(w*t+p)+c"
FEW = {"evaluations": 3000, "polish": 3000}  # enough for two parameters
RANGES = {"a": (0, 10), "b": (0, 5), "w": (0, 20), "p": (-np.pi, np.pi), "c": (-5, 5)}


def curve(t, a, b, w, p, c):
    return a * np.exp(-b * t) * np.cos(w * t + p) + c


def line(t, a, b):
    return a * t + b


def samples(count, seed=1):
    random = np.random.default_rng(seed)
    t = np.linspace(0, 10, count)
    return {"t": t, "y": curve(t, 2.5, 0.35, 4.2, 0.7, 1.1) + 0.15 * random.normal(size=count),
            "w": random.uniform(0.5, 2, size=count)}


def gauss_newton(t, y, x):
    """The least-squares optimum near x, and its covariance, by NumPy alone."""
    for _ in range(20):
        a, b, w, p, _ = x
        decay, turn = np.exp(-b * t), w * t + p
        jacobian = np.column_stack([decay * np.cos(turn), -t * a * decay * np.cos(turn), -t * a * decay * np.sin(turn),
                                    -a * decay * np.sin(turn), np.ones_like(t)])
        x = x + np.linalg.lstsq(jacobian, y - curve(t, *x), rcond=None)[0]
    squares = ((y - curve(t, *x)) ** 2).sum()
    return x, squares, squares / (len(t) - 5) * np.linalg.inv(jacobian.T @ jacobian)


class Fits(Case):
    def test_equal_bounds_fix_a_parameter(self):
        data = samples(101)
        t, y = data["t"], data["y"]
        for model in "a*t+b+k", lambda t, a, b, k: a * t + b + k:
            result = shoal.fit(model, {"t": t, "y": y}, {"a": (-10, 10), "k": (0.25, 0.25), "b": (-10, 10)}, "y", **FEW)
            columns = np.column_stack([t, np.ones_like(t)])
            solution, squares = np.linalg.lstsq(columns, y - 0.25, rcond=None)[:2]
            covariance = squares[0] / (len(t) - 2) * np.linalg.inv(columns.T @ columns)
            names = list(result.parameters)
            free = [names.index("a"), names.index("b")]
            np.testing.assert_allclose(result.x[free], solution, rtol=1e-6)
            np.testing.assert_allclose(result.errors[free], np.sqrt(np.diag(covariance)), rtol=1e-4)
            np.testing.assert_allclose(result.correlations[free[0], free[1]],
                                       covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1]), rtol=1e-4)
            fixed = names.index("k")
            self.assertEqual((result.x[fixed], result.errors[fixed], result.at_bound[fixed], result.rank), (0.25, 0, 0, 2))
            self.assertIsNone(result.no_errors)

    def test_a_curve_ends_at_the_least_squares_optimum(self):
        data = samples(201)
        for model, options in ((CURVE, {"seed": 1}), (CURVE, {"seed": 2}), (curve, {})):
            result = shoal.fit(model, {"t": data["t"], "y": data["y"]}, RANGES, "y",
                               evaluations=15000, **options)
            x, squares, covariance = gauss_newton(data["t"], data["y"], result.x)
            np.testing.assert_allclose(result.fun, squares, rtol=1e-9)
            np.testing.assert_allclose(result.x, x, rtol=1e-5)
            errors = np.sqrt(np.diag(covariance))
            np.testing.assert_allclose(result.errors, errors, rtol=1e-4)
            np.testing.assert_allclose(result.correlations, covariance / np.outer(errors, errors), atol=1e-4)
            np.testing.assert_allclose(result.rms, np.sqrt(squares / 201), rtol=1e-9)
            np.testing.assert_allclose(result.r2, 1 - squares / ((data["y"] - data["y"].mean()) ** 2).sum(), rtol=1e-9)
            np.testing.assert_allclose(result.fitted, curve(data["t"], *result.x), rtol=1e-10)
            np.testing.assert_array_equal(result.residuals, data["y"] - result.fitted)
            self.assertEqual(list(result.parameters), list(RANGES))
            self.assertEqual(result.parameters["w"], result.x[2])
            self.assertEqual((result.rank, result.no_errors, list(result.at_bound)), (5, None, [0] * 5))

    def test_weights(self):
        data = samples(50)
        for model in ("a*t+b", line):
            result = shoal.fit(model, data, {"a": (-10, 10), "b": (-10, 10)}, "y", weights="w", **FEW)
            x, covariance = np.polyfit(data["t"], data["y"], 1, w=np.sqrt(data["w"]), cov=True)
            np.testing.assert_allclose(result.x, x, rtol=1e-5)
            np.testing.assert_allclose(result.errors, np.sqrt(np.diag(covariance)), rtol=1e-5)

    def test_sigma_as_of_curve_fit(self):
        data = samples(50)
        ranges, t, y = {"a": (-10, 10), "b": (-10, 10)}, data["t"], data["y"]
        sigma = 1 / np.sqrt(data["w"])
        for model in "a*t+b", line:
            by_weights = shoal.fit(model, data, ranges, "y", weights="w", **FEW)
            for given in ({"weights": data["w"]}, {"sigma": sigma}):
                result = shoal.fit(model, data, ranges, y, **given, **FEW)
                np.testing.assert_allclose(result.x, by_weights.x, rtol=1e-5)
                np.testing.assert_allclose(result.covariance, by_weights.covariance, rtol=1e-4)
            for absolute, scaling in ((True, "unscaled"), (False, True)):
                x, covariance = np.polyfit(t, y, 1, w=1 / sigma, cov=scaling)
                result = shoal.fit(model, {"t": t, "y": y, "s": sigma}, ranges, "y", sigma="s", absolute_sigma=absolute, **FEW)
                np.testing.assert_allclose(result.covariance, covariance, rtol=1e-4)
                np.testing.assert_allclose(result.errors, np.sqrt(np.diag(covariance)), rtol=1e-4)
        np.testing.assert_allclose(shoal.fit(line, t, ranges, y, sigma=2.0, **FEW).x, np.polyfit(t, y, 1), rtol=1e-5)

    def test_absolute_sigma_without_residuals(self):
        t = np.linspace(1, 3, 9)
        ranges = {"a": (0, 5), "b": (0, 5)}
        for count in (9, 2):  # an exact fit, and as many rows as parameters
            columns = np.column_stack([t[:count], np.ones(count)])
            covariance = 0.25 * np.linalg.inv(columns.T @ columns)
            for model in "a*t+b", line:
                result = shoal.fit(model, {"t": t[:count]}, ranges, 2 * t[:count] + 1, sigma=0.5, absolute_sigma=True, **FEW)
                np.testing.assert_allclose(result.covariance, covariance, rtol=1e-4)
                self.assertIsNone(result.no_errors)

    def test_mistakes_of_sigma(self):
        data, ranges = samples(20), {"a": (-10, 10), "b": (-10, 10)}
        self.refuses("sigma is 0 in row 1: standard deviations are above 0", shoal.fit, line, data, ranges, "y", sigma=np.zeros(20))
        self.refuses("sigma: there is no column s", shoal.fit, line, data, ranges, "y", sigma="s")
        for kind, message, options in ((ValueError, r"sigma has the shape \(3,\)", {"sigma": [1, 2, 3]}),
                                       (ValueError, r"sigma has the shape \(20, 20\)", {"sigma": np.eye(20)}),
                                       (TypeError, "exclude each other", {"sigma": 1.0, "weights": "w"}),
                                       (TypeError, "absolute_sigma needs sigma", {"absolute_sigma": True})):
            with self.assertRaisesRegex(kind, message):
                shoal.fit(line, data, ranges, "y", **options)
        with self.assertRaisesRegex(TypeError, "parameters are names with ranges"):
            shoal.fit(line, data, [(0, 1)], "y")

    def test_rows_of_weight_0_are_none(self):
        data = samples(50)
        data["w"][0] = 0  # where t is 0 and the models infinite
        for model in ("a/t+b", lambda t, a, b: np.divide(a, t, out=np.full(len(t), np.inf), where=t > 0) + b):
            result = shoal.fit(model, data, {"a": (-10, 10), "b": (-10, 10)}, "y", weights="w", **FEW)
            x, covariance = np.polyfit(1 / data["t"][1:], data["y"][1:], 1, w=np.sqrt(data["w"][1:]), cov=True)
            np.testing.assert_allclose(result.x, x, rtol=1e-5)
            np.testing.assert_allclose(result.errors, np.sqrt(np.diag(covariance)), rtol=1e-5)

    def test_losses(self):
        data = samples(60)
        data["y"][5] += 100  # an outlier
        ranges = {"a": (-10, 10), "b": (-20, 20)}
        for loss in ("absolute", "huber"):
            found = [shoal.fit(model, data, ranges, "y", loss=loss, delta=0.5, **FEW) for model in ("a*t+b", line)]
            # The absolute loss has kinks, along which a search comes to rest early.
            np.testing.assert_allclose(found[0].x, found[1].x, atol=1e-4 if loss == "huber" else 0.05)
            np.testing.assert_allclose(found[0].fun, found[1].fun, rtol=1e-6 if loss == "huber" else 1e-3)
            self.assertIn("least squares", found[0].no_errors)
            self.assertTrue(np.isnan(found[1].errors).all())
            self.assertEqual(found[0].no_errors, found[1].no_errors)
            size = np.abs(found[0].residuals)
            value = size.sum() if loss == "absolute" else np.where(size < 0.5, size ** 2 / 2, 0.5 * size - 0.125).sum()
            np.testing.assert_allclose(found[0].fun, value, rtol=1e-9)

    def test_what_the_data_do_not_determine(self):
        data = samples(30)
        for model in ("a*b*t", lambda t, a, b: a * b * t):
            result = shoal.fit(model, data, {"a": (0.1, 3), "b": (0.1, 3)}, "y", **FEW)
            self.assertEqual(result.rank, 1)
            self.assertIn("rank-deficient", result.no_errors)
            self.assertTrue(np.isnan(result.errors).all() and np.isnan(result.correlations).all())

    def test_parameters_at_their_bounds(self):
        for model in ("a*t+b", line):
            result = shoal.fit(model, samples(30), {"a": (-0.001, 10), "b": (-10, 0)}, "y", **FEW)
            self.assertEqual(list(result.at_bound), [0, 1])

    def test_columns_of_other_kinds(self):
        data = samples(30)
        table = np.rec.fromarrays([data["t"], data["y"].astype(np.float32)], names=["t", "y"])
        first = shoal.fit("a*t+b", table, {"a": (-10, 10), "b": (-10, 10)}, "y", **FEW)
        second = shoal.fit("a*`time (s)`+b", {"time (s)": list(data["t"]), "y": table["y"]},
                           {"a": (-10, 10), "b": (-10, 10)}, "y", **FEW)
        np.testing.assert_array_equal(first.x, second.x)

    def test_on_a_device_and_from_a_start(self):
        data = samples(100)
        result = shoal.fit("a*t+b", data, {"a": (-10, 10), "b": (-10, 10)}, "y", device=opencl_device(), **FEW)
        np.testing.assert_allclose(result.x, np.polyfit(data["t"], data["y"], 1), rtol=1e-5)
        near = shoal.fit("a*t+b", data, {"a": (-10, 10), "b": (-10, 10)}, "y", x0=result.x, evaluations=60, polish=0)
        self.assertLessEqual(near.fun, result.fun * (1 + 1e-9))


class Mistakes(Case):
    def test_starts_have_a_number_for_each_parameter(self):
        data = {"t": [1.0, 2, 3, 4], "y": [1.0, 2, 3, 4.2]}
        ranges = {"a": (0, 5), "b": (-1, 1), "c": (-1, 1)}
        for model in ("a*t+b+c*t*t", lambda t, a, b, c: a * np.asarray(t) + b + c * np.asarray(t) ** 2):
            for x0 in ([1.0], [[1.0, 0.0]], [1.0, 0, 0, 9], np.zeros((0, 3)), []):
                self.refuses(r"^x0 has the shape \(\d, \d\): ", shoal.fit, model, data, ranges, "y", x0=x0, evaluations=500)

    def test_texts_with_nul(self):
        data = {"t": [1.0, 2, 3], "y": [1.0, 2, 3.5], "w\0": [1, 1, 1]}
        for wrong, name in (({"model": "a*t\0"}, "model"), ({"parameters": {"a\0": (0, 5)}}, "one of parameters"),
                            ({"data": {**data, "y\0": data["y"]}, "target": "y\0"}, "target"), ({"weights": "w\0"}, "weights"),
                            ({}, "a column of data")):
            with self.assertRaisesRegex(ValueError, f"^{name} has a NUL character"):
                shoal.fit(**{"model": "a*t", "data": data, "parameters": {"a": (0, 5)}, "target": "y", **wrong})

    def test_missing_values_of_frames(self):
        for values in ([1.0, NA, 3], [True, NA, False], [1.0, None, 2]):
            self.refuses("^row 2 of column y is NaN$", shoal.fit, "a*t", {"t": [1.0, 2, 3], "y": np.array(values, object)}, {"a": (0, 5)}, "y")
        with self.assertRaisesRegex(ValueError, "^column y of data is an array of numbers"):
            shoal.fit("a*t", {"t": [1.0, 2, 3], "y": np.array(["x", NA, "z"], object)}, {"a": (0, 5)}, "y")

    ranges = {"a": (-10, 10), "b": (-10, 10)}

    def test_a_column_of_another_package(self):
        class Column:
            """Its type is no NumPy type, which has names."""
            dtype = object()

            def __array__(self, dtype=None, copy=None):
                return np.array([1.0, 2, 3], dtype)
        fit = shoal.fit(lambda t, a: a * t, Column(), {"a": (0, 5)}, [2.0, 4, 6], evaluations=500)
        self.assertAlmostEqual(fit.parameters["a"], 2, 4)

    def test_columns(self):
        data = samples(10)
        self.refuses("there is no column z; there are t, y, w", shoal.fit, "a*t+b", data, self.ranges, "z")
        self.refuses("there is no column v;", shoal.fit, "a*t+b", data, self.ranges, "y", weights="v")
        with self.assertRaisesRegex(ValueError, r"^column y of data has the shape \(9,\)"):
            shoal.fit("a*t+b", {"t": data["t"], "y": data["y"][1:]}, self.ranges, "y")
        with self.assertRaisesRegex(TypeError, "^data has columns by name"):
            shoal.fit("a*t+b", np.zeros((3, 2)), self.ranges, "y")
        data["t"][3] = np.nan
        for model in ("a*t+b", line):
            self.refuses("row 4 of column t is ", shoal.fit, model, data, self.ranges, "y")
        data = samples(10)
        data["w"][2] = -1
        for model in ("a*t+b", line):
            self.refuses("row 3: the weight, w, is -1: weights are >= 0", shoal.fit, model, data, self.ranges, "y",
                         weights="w")
        data = samples(10)
        data["w"][1:] = 0
        for model in ("a*t+b", line):
            self.refuses("^1 row of positive weight for 2 parameters", shoal.fit, model, data, self.ranges, "y",
                         weights="w")
            self.refuses("^the target, y, is 1 in every row: there is nothing to fit$", shoal.fit, model,
                         {"t": [1, 2, 3], "y": [1, 1, 1]}, self.ranges, "y")
        for model in ("a*t+b", line):
            self.refuses("^1 row for 2 parameters: a fit needs at least as many rows$", shoal.fit, model, {"t": [1], "y": [1]}, self.ranges, "y")

    def test_models(self):
        data = samples(10)
        self.refuses("z", shoal.fit, "a*z+b", data, self.ranges, "y")
        with self.assertRaisesRegex(TypeError, "has the argument z, which is neither a column nor a parameter"):
            shoal.fit(lambda z, a, b: a, data, self.ranges, "y")
        with self.assertRaisesRegex(TypeError, "has no argument b, which is a parameter"):
            shoal.fit(lambda t, a: a * t, data, self.ranges, "y")
        with self.assertRaisesRegex(ValueError, r"the shape \(3,\), not \(10,\)"):
            shoal.fit(lambda t, a, b: np.zeros(3), data, self.ranges, "y")
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            shoal.fit(lambda t, a, b: 1 / 0, data, self.ranges, "y")

    def test_ranges_losses_options(self):
        data = samples(10)
        with self.assertRaisesRegex(ValueError, "^parameters are names with ranges"):
            shoal.fit("a*t+b", data, {"a": 1, "b": 2}, "y")
        self.refuses("reversed", shoal.fit, "a*t+b", data, {"a": (1, -1), "b": (0, 1)}, "y")
        self.refuses("there is no loss cube; there are squares, absolute, huber", shoal.fit, line, data, self.ranges, "y",
                     loss="cube")
        for model in ("a*t+b", line):
            self.refuses("delta of Huber's loss is 0: give a positive number", shoal.fit, model, data, self.ranges, "y",
                         loss="huber", delta=0)
        with self.assertRaisesRegex(TypeError, r"^fit\(\) has no argument sead \(is it seed\?\)$"):
            shoal.fit(line, data, self.ranges, "y", sead=1)


if __name__ == "__main__":
    main()
