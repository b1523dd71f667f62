#!/usr/bin/env python3
"""The calls of SciPy, scikit-learn, elkai and fast-tsp beside those of shoal, on the same data, and scikit-learn's own checks.

usage: test_peers.py FOLDER

FOLDER keeps a virtual environment with these packages between runs. Skipped without PyPI. Prints answers and times.
"""
import inspect
import os
import pathlib
import subprocess
import sys
import time
import warnings

PACKAGES = ("numpy", "cffi", "scipy", "scikit-learn", "pandas", "elkai", "mypy")
QUICK = "fast-tsp"  # has no wheel for some Pythons


def timed(call):
    began = time.perf_counter()
    return call(), time.perf_counter() - began


def beside(name, theirs, ours, value_of):
    """Runs two functions that differ in their names of packages and in at most three lines. Returns their values."""
    lines = [inspect.getsource(function).splitlines() for function in (theirs, ours)]
    changed = sum(a.replace("theirs", "ours") != b for a, b in zip(*lines))
    assert len(lines[0]) == len(lines[1]) and changed <= 3, f"{name}: {changed} lines changed"
    results = [timed(function) for function in (theirs, ours)]
    values = [value_of(result) for result, _ in results]
    print(f"{name}: theirs {values[0]:.6g} in {results[0][1]:.2f} s, shoal {values[1]:.6g} in {results[1][1]:.2f} s, {changed} lines changed")
    return values


def searches():
    import numpy as np
    import scipy.optimize
    import shoal

    def rosen(x):
        return float(np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2))

    def theirs():
        result = scipy.optimize.differential_evolution(rosen, [(-5, 10)] * 4, maxiter=300, polish=True, seed=1)
        return result.fun, result.success

    def ours():
        result = shoal.minimise(rosen, [(-5, 10)] * 4, iterations=300, polish=True, seed=1)
        return result.fun, result.success
    values = beside("differential_evolution", theirs, ours, lambda result: result[0])
    assert values[1] < 1e-10, values


def fits():
    import numpy as np
    import scipy.optimize
    import shoal
    t = np.linspace(0, 4, 60)
    y = 2.5 * np.exp(-1.3 * t) + 0.5 + 0.05 * np.random.default_rng(1).normal(size=60)
    sigma = np.linspace(0.04, 0.06, 60)

    def curve(t, a, b, c):
        return a * np.exp(-b * t) + c

    def theirs():
        x, covariance = scipy.optimize.curve_fit(curve, t, y, p0=(1, 1, 1), sigma=sigma, absolute_sigma=True)
        return x, covariance

    def ours():
        fit = shoal.fit(curve, t, {"a": (0, 10), "b": (0, 5), "c": (-5, 5)}, y, sigma=sigma, absolute_sigma=True)
        return fit.x, fit.covariance
    answers = []
    beside("curve_fit", theirs, ours, lambda result: answers.append(result) or result[0][0])
    np.testing.assert_allclose(answers[1][0], answers[0][0], rtol=1e-4)
    np.testing.assert_allclose(answers[1][1], answers[0][1], rtol=1e-3)
    scaled = shoal.fit(curve, t, {"a": (0, 10), "b": (0, 5), "c": (-5, 5)}, y)
    np.testing.assert_allclose(scaled.covariance, scipy.optimize.curve_fit(curve, t, y, p0=(1, 1, 1))[1], rtol=1e-3)


def nets():
    import shoal
    import sklearn.neural_network
    from sklearn.datasets import load_breast_cancer
    from sklearn.inspection import permutation_importance
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.utils.estimator_checks import check_estimator
    x, y = load_breast_cancer(return_X_y=True)

    def score(net):
        pipeline = make_pipeline(StandardScaler(), net)
        grid = GridSearchCV(pipeline, {pipeline.steps[1][0] + "__alpha": [1e-4, 1.0]}, cv=3).fit(x, y)
        importance = permutation_importance(grid, x, y, n_repeats=1, random_state=1, max_samples=0.3)
        assert importance.importances_mean.shape == (30,)
        return cross_val_score(pipeline, x, y, cv=3).mean()

    def theirs():
        return score(sklearn.neural_network.MLPClassifier((30,), max_iter=60, random_state=1))

    def ours():
        return score(shoal.MLPClassifier((30,), max_iter=60, random_state=1))
    values = beside("MLPClassifier", theirs, ours, float)
    assert values[1] > values[0] - 0.01, values  # of 569 rows: 6
    for net in shoal.MLPClassifier(max_iter=40), shoal.MLPRegressor(max_iter=80):
        (results, seconds) = timed(lambda net=net: check_estimator(net, on_fail=None, on_skip=None))
        failed = [f"{result['check_name']}: {result['exception']}" for result in results if result["status"] == "failed"]
        assert len(results) > 40 and not failed, "\n".join(failed)
        print(f"check_estimator({type(net).__name__}): {len(results)} checks in {seconds:.1f} s")


def frames():
    import numpy as np
    import pandas
    import shoal
    frame = pandas.DataFrame({"size": [1.0, 2.0, np.nan, 4.0] * 20, "colour": ["red", "blue", None, "red"] * 20,
                              "kind": pandas.Categorical(["u", "v", "v", "u"] * 20)})
    y = pandas.Series(["a", "b", "c", "a"] * 20)
    net = shoal.MLPClassifier((16,), learning_rate_init=0.02, max_iter=80, random_state=1).fit(frame, y)
    assert net.score(frame, y) == 1 and list(net.feature_names_in_) == list(frame.columns)
    for dtype, values in (("Int64", [1, None, 3, 4]), ("boolean", [True, None, False, True]), ("string", ["x", None, "y", "z"])):
        missing = pandas.DataFrame({"a": pandas.array(values * 20, dtype=dtype), "n": range(80)})
        shoal.MLPClassifier((4,), max_iter=2, random_state=1).fit(missing, y).predict(missing)
        shoal.solve("mlp", "host", data=missing.assign(y=y), target="y", missing="indicator", hidden="2", epochs=1)
        try:
            shoal.fit("c*n", missing, {"c": (0, 5)}, "a")
        except ValueError as problem:
            assert str(problem).startswith(("row 2 of column a is NaN", "column a of data is an array of numbers")), problem
        else:
            raise AssertionError(dtype)
    fit = shoal.fit("a*t+b", pandas.DataFrame({"t": [0.0, 1, 2, 3], "y": [1.0, 3, 5, 7.1]}), {"a": (0, 5), "b": (0, 5)}, "y", evaluations=2000)
    assert abs(fit.x[0] - 2) < 0.1


def tours():
    import elkai
    import numpy as np
    import shoal
    points = np.random.default_rng(2).random((80, 2)) * 1000
    matrix = np.round(np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1)))

    def theirs():
        order = elkai.DistanceMatrix(matrix.tolist()).solve_tsp()
        return matrix[order[:-1], order[1:]].sum()

    def ours():
        order = [*shoal.tour(matrix=matrix).order, 0]
        return matrix[order[:-1], order[1:]].sum()
    values = beside("elkai", theirs, ours, float)
    assert values[1] <= values[0] * 1.005, values


def quick_tours():
    try:
        import fast_tsp
    except ImportError as problem:
        print(f"fast-tsp: skipped: {problem}")
        return
    import numpy as np
    import shoal
    points = np.random.default_rng(3).random((300, 2)) * 1000
    matrix = np.round(np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1))).astype(int)

    def theirs():
        order = fast_tsp.find_tour(matrix, duration_seconds=1)
        return matrix[order, np.roll(order, -1)].sum()

    def ours():
        order = shoal.tour(matrix=matrix, iterations=20).order
        return matrix[order, np.roll(order, -1)].sum()
    values = beside("fast-tsp", theirs, ours, float)
    assert values[1] <= values[0] * 1.005, values


def types():
    """The stubs agree with the package, the blocks of docs/python.md and the notebooks with the stubs."""
    import json
    import re
    import tempfile
    root = pathlib.Path(__file__).parents[2]
    text = (root / "docs" / "python.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="shoal-types-") as folder:
        pages = {"page": re.findall(r"```python\n(.*?)```", text, re.DOTALL)}
        for book in sorted((root / "examples" / "notebooks").glob("*.ipynb")):
            cells = json.loads(book.read_text(encoding="utf-8"))["cells"]
            pages[book.stem + "_cells"] = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        assert len(pages) > 5 and all(pages.values()), pages
        for name, blocks in pages.items():
            pathlib.Path(folder, name + ".py").write_text("\n".join(blocks) + "\n", encoding="utf-8")
        settings = pathlib.Path(folder, "mypy.ini")
        settings.write_text("[mypy]\nignore_missing_imports = True\ndisable_error_code = import-untyped\n", encoding="utf-8")
        allowed = pathlib.Path(folder, "allowed")  # attributes that a struct of the library names, a name of an except clause
        allowed.write_text("shoal.Device.__getattr__\nshoal._library.problem\n", encoding="utf-8")
        for command in (["mypy.stubtest", "shoal", "--ignore-missing-stub", "--allowlist", allowed, "--mypy-config-file", settings],
                        ["mypy", "--strict", *(name + ".py" for name in pages)]):
            done = subprocess.run([sys.executable, "-m", *map(str, command)], capture_output=True, text=True, check=False, cwd=folder)
            assert done.returncode == 0, done.stdout + done.stderr
    print("stubs, page and notebooks have the same types")


def main():
    folder = pathlib.Path(sys.argv[1])
    python = folder / "bin" / "python"
    if pathlib.Path(sys.prefix).resolve() != folder.resolve():
        from test_wheel import install, run
        install(folder, "--no-compile", *PACKAGES)
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--only-binary=:all:", QUICK)
        os.execv(python, [python, *sys.argv])
    warnings.simplefilter("ignore")  # nets that have not converged
    for part in searches, fits, nets, frames, tours, quick_tours, types:
        part()


if __name__ == "__main__":
    main()
