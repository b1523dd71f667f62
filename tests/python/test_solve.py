#!/usr/bin/env python3
"""shoal.solve: every workload."""
import io
import shutil
import unittest
import unittest.mock

import numpy as np
import shoal
from support import NA, INTERRUPTED, Case, in_full, main

SMALL = {
    "pso": {"function": "sphere", "dim": 3, "particles": 32, "iterations": 50, "trace": 10, "refine": "none"},
    "ga": {"function": "onemax", "dim": 32, "population": 32, "iterations": 50, "trace": 10},
    "de": {"function": "sphere", "dim": 3, "population": 32, "iterations": 50, "trace": 10, "refine": "none"},
    "cmaes": {"function": "sphere", "dim": 3, "iterations": 50, "trace": 10, "refine": "none"},
    "nelder-mead": {"function": "sphere", "dim": 3, "iterations": 50, "trace": 10, "refine": "none"},
    "pattern": {"function": "sphere", "dim": 3, "iterations": 50, "trace": 10},
    "portfolio": {"function": "sphere", "dim": 3, "iterations": 50, "trace": 10, "refine": "none"},
    "random": {"function": "sphere", "dim": 3, "points": 32, "iterations": 50, "trace": 10, "refine": "none"},
    "gas": {"particles": 64, "steps": 50, "thermo": 10},
    "tsp": {"generate": "uniform:50:1", "iterations": 50, "trace": 10},
    "mlp": {"generate": "teacher:400", "epochs": 50, "trace": 10, "hidden": "4"},
}


class Runs(Case):
    def test_every_workload(self):
        self.assertEqual(set(SMALL), set(shoal._run.TABLES))
        for name, options in SMALL.items():
            with self.subTest(name):
                result = shoal.solve(name, "host", **options)
                self.assertTrue(result.success, result.message)
                self.assertIsInstance(result.value_name, str)
                steps = list(result.series["step"])
                self.assertEqual(steps, sorted(steps))
                self.assertEqual(steps[-1], 50)
                self.assertGreater(result.wall_s, 0)

    def test_fields(self):
        result = shoal.solve("pso", "host", **SMALL["pso"])
        np.testing.assert_allclose(result.value, (result.position ** 2).sum(), rtol=1e-12)
        self.assertEqual((result.value_name, result.steps, result.work), ("best", 50, 32 * 51))
        self.assertEqual(result.series["value"][-1], result.value)

    def test_a_box_in_words(self):
        result = shoal.solve("pso", "host", expr="sum(x[i])", lower="1,2,-pi", upper="2,3,0", iterations=200)
        np.testing.assert_allclose(result.position, [1, 2, -np.pi], atol=1e-3)

    def test_checkpoints(self):
        path = self.folder / "pso.ck"
        whole = shoal.solve("pso", "host", **SMALL["pso"])
        shoal.solve("pso", "host", checkpoint=path, **{**SMALL["pso"], "iterations": 20})
        resumed = shoal.solve("pso", "host", resume=path, **SMALL["pso"])
        np.testing.assert_array_equal(resumed.position, whole.position)
        # The checkpoint has workload, options and the device host; what may change is given.
        for resumed in (shoal.solve(resume=path, iterations=50), shoal.solve("pso", resume=path, iterations=50)):
            np.testing.assert_array_equal(resumed.position, whole.position)
        self.refuses("is a checkpoint of pso, not of ga$", shoal.solve, "ga", resume=path)
        self.refuses("was made with dim=3, not 4", shoal.solve, resume=path, dim=4)
        with self.assertRaisesRegex(TypeError, "needs a workload, or resume"):
            shoal.solve()

    @in_full
    def test_a_resumed_run_of_arrays(self):
        points, path = np.random.default_rng(1).random((60, 2)), self.folder / "tsp.ck"
        options = {"algorithm": "faco", "data": points}
        whole = shoal.solve("tsp", "host", iterations=40, **options)
        shoal.solve("tsp", "host", checkpoint=path, iterations=15, **options)
        np.testing.assert_array_equal(shoal.solve(resume=path, iterations=40, data=points).order, whole.order)

    def test_a_resumed_run_of_arrays_needs_the_checkpoint_alone(self):
        points, path = np.random.default_rng(1).random((60, 2)), self.folder / "tsp.ck"
        whole = shoal.solve("tsp", "host", iterations=20, algorithm="faco", data=points)
        shoal.solve("tsp", "host", iterations=8, algorithm="faco", data=points, checkpoint=path)
        np.testing.assert_array_equal(shoal.solve(resume=path, iterations=20).order, whole.order)
        table = {"a": points[:, 0], "kind": np.where(points[:, 0] > 0.5, "high", "low")}
        options = {"target": "kind", "hidden": "3", "trace": 0}
        shoal.solve("mlp", "host", data=table, epochs=3, checkpoint=self.folder / "mlp.ck", **options)
        whole = shoal.solve(resume=self.folder / "mlp.ck", epochs=6, data=table)
        # A checkpoint says how its table is read.
        shoal.solve("mlp", "host", data=table, epochs=3, header="auto", checkpoint=self.folder / "auto.ck", **options)
        np.testing.assert_array_equal(shoal.solve(resume=self.folder / "auto.ck", epochs=6, data=table).test_predicted, whole.test_predicted)
        for one in self.folder.glob("auto.ck*"):
            one.unlink()
        # The files may be moved together.
        (self.folder / "other").mkdir()
        for one in self.folder.glob("mlp.ck*"):
            one.rename(self.folder / "other" / one.name)
        resumed = shoal.solve(resume=self.folder / "other" / "mlp.ck", epochs=6)
        np.testing.assert_array_equal(resumed.test_predicted, whole.test_predicted)
        self.assertRegex(" ".join(sorted(one.name for one in self.folder.iterdir())), r"^other tsp\.ck tsp\.ck\.data-[0-9a-f]{8}\.npy$")
        self.refuses("^cannot write /nonexistent/a.ck.data.npy: ", shoal.solve, "tsp", "host", data=points, checkpoint="/nonexistent/a.ck",
                     status="file error")

    def test_a_call_that_fails_leaves_a_checkpoint_usable(self):
        points, path = np.random.default_rng(1).random((40, 2)), self.folder / "tsp.ck"
        options = {"algorithm": "lk", "data": points, "tour": np.arange(40)}
        shoal.solve("tsp", "host", iterations=4, checkpoint=path, **options)
        order, files = shoal.solve(resume=path, iterations=9).order, sorted(self.folder.iterdir())
        self.assertEqual(len(files), 3)
        other = {"data": points + 1, "tour": np.arange(40)[::-1]}
        for more in ({"iteration": 9}, {"iterations": -1}, {"data": points, "tour": [0, 0]}, {"resume": path}, {"candidates": 10**6}):
            with self.assertRaises((TypeError, ValueError)):
                shoal.solve("tsp", "host", checkpoint=path, **{"algorithm": "lk", **other, **more})
            self.assertEqual(sorted(self.folder.iterdir()), files)
            np.testing.assert_array_equal(shoal.solve(resume=path, iterations=9).order, order)
        # Other rows under the same name: the older checkpoint, moved elsewhere, still has its own.
        (self.folder / "old").mkdir()
        older = path.rename(self.folder / "old" / "tsp.ck")
        shoal.solve("tsp", "host", iterations=4, checkpoint=path, **{**options, **other})
        np.testing.assert_array_equal(shoal.solve(resume=older, iterations=9).order, order)

    def test_rows_beside_a_copied_checkpoint(self):
        points, path = np.random.default_rng(1).random((40, 2)), self.folder / "tsp.ck"
        shoal.solve("tsp", "host", iterations=4, data=points, checkpoint=path)
        order = shoal.solve(resume=path, iterations=9).order
        shutil.copytree(self.folder, self.folder / "copy")
        rows, = self.folder.glob("*.npy")
        rows.write_bytes(b"spoilt")
        np.testing.assert_array_equal(shoal.solve(resume=self.folder / "copy" / "tsp.ck", iterations=9).order, order)

    def test_lists_dicts_arrays_and_tours(self):
        points = np.random.default_rng(1).random((30, 2))
        best = shoal.solve("tsp", "host", data=points, iterations=9)
        for data in (points.tolist(), shoal.array(points, "host"), {"x": points[:, 0], "y": points[:, 1]}):
            np.testing.assert_array_equal(shoal.solve("tsp", "host", data=data, iterations=9).order, best.order)
        again = shoal.solve("tsp", "host", data=points, algorithm="lk", iterations=1, tour=best.order)
        self.assertLessEqual(again.value, best.value)
        for options, message in (({"data": [[1, 2], [3]]}, "^data is a table: its rows have different lengths$"),
                                 ({"data": {"x": [1, 2], "y": [1]}}, "^data is a dict of columns of one length"),
                                 ({"data": []}, "^data has the shape"), ({"data": points, "tour": [0, 0, 1]}, "^tour is an order of all cities"),
                                 ({"data": points, "tour": points}, "^tour is an order of all cities"),
                                 ({"data": points, "list_file": points}, "^list_file is a row of candidates for each city"),
                                 ({"data": points, "list_file": [[0, 30]] * 30}, "^list_file .*: cities are 0 to 29$"),
                                 ({"data": points, "list_file": [[]] + [[0]] * 29}, "^list_file .*: a city has no candidate$"),
                                 ({"data": points, "list_file": [[1, [2]]] * 30}, "^list_file is a row of candidates"),
                                 ({"data": points, "list_file": np.array(3)}, "^list_file is a row of candidates"),
                                 ({"data": points, "list_file": {"a": [1]}}, "^list_file is a row of candidates")):
            with self.assertRaisesRegex((TypeError, ValueError), message):
                shoal.solve("tsp", "host", **options)

    def test_arrays_for_every_option_that_reads_numbers(self):
        points = np.random.default_rng(1).random((60, 2))
        far = ((points[:, None] - points[None]) ** 2).sum(-1)
        nearest = np.argsort(far, axis=1)[:, 1:8]
        options = {"data": points, "algorithm": "lk", "iterations": 5}
        for lists in (nearest, nearest.tolist(), shoal.array(nearest.astype(np.int32)), [row[:3 + city % 4].tolist() for city, row in enumerate(nearest)]):
            result = shoal.solve("tsp", "host", list_file=lists, **options)
            self.assertEqual((result.lists, sorted(result.order)), ("file", list(range(60))))
        box = {"expr": "sum(x[i])", "iterations": 200}
        for lower, upper in (([1.0, 2.0, -3.0], (2, 3, 0)), (np.array([1, 2, -3]), shoal.array([2, 3, 0], "host"))):
            np.testing.assert_allclose(shoal.solve("pso", "host", lower=lower, upper=upper, **box).position, [1, 2, -3], atol=1e-3)
        found = shoal.solve("de", "host", dim=2, lower=-1, upper=np.float32(0.5), **box)
        np.testing.assert_allclose(found.position, [-1, -1])
        self.assertEqual((found.params.lower, found.params.upper), ("-1.0", "0.5"))
        start = np.array([[0.25, -0.5]])
        found = shoal.solve("random", "host", function="sphere", dim=2, points=1, iterations=0, refine="none", start=start)
        self.assertEqual(found.position.tolist(), start[0].tolist())
        path = self.folder / "box.ck"
        shoal.solve("pso", "host", lower=[1, 2, -3], upper=[2, 3, 0], checkpoint=path, **{**box, "iterations": 5})
        np.testing.assert_allclose(shoal.solve(resume=path, iterations=200).position, [1, 2, -3], atol=1e-3)

    def test_a_gas_starts_from_arrays(self):
        with shoal.Gas("host", particles=40, density=0.3, dim=3) as gas:
            gas.step(30)
            state, lengths = np.hstack([gas.positions, gas.velocities]), {"dim": 3, **dict(zip(("width", "height", "depth"), gas.box))}
            gas.step(20)
            wanted = gas.observables()
        series = shoal.solve("gas", "host", start_file=state, steps=20, thermo=20, **lengths).series
        # The steps of the gas go on, from velocities of the full step: rounding alone differs.
        np.testing.assert_allclose((series.potential[-1], series.kinetic[-1]), (wanted.potential, wanted.kinetic), rtol=1e-9)
        result = shoal.solve("gas", "host", start_file=state[:, :3], steps=1, thermo=1, temperature=2.5, **lengths)
        self.assertAlmostEqual(result.series.temperature[0], 2.5)
        self.refuses(r"^start_file has the shape \(40, 5\): it is positions", shoal.solve, "gas", "host", start_file=state[:, :5], **lengths)
        self.refuses("^start_file has no box: give width= and height=", shoal.solve, "gas", "host", start_file=state[:, :2])

    def test_floats_of_every_width(self):
        points = np.random.default_rng(1).integers(0, 99, (30, 2))
        best = shoal.solve("tsp", "host", data=points, iterations=9)
        for kind in (np.float16, np.float32, np.longdouble):
            np.testing.assert_array_equal(shoal.solve("tsp", "host", data=points.astype(kind), iterations=9).order, best.order)

    def test_notes_have_the_names_of_arguments(self):
        words = [f"word {row}" for row in range(60)]
        result = shoal.solve("mlp", "host", data={"a": list(range(60)), "b": words, "c": [row % 7 / 2 for row in range(60)]}, target="c",
                             hidden="2", epochs=1)
        self.assertRegex(result.notes, "^data: column 'b' has 60 different words in 60 rows: it is left out; columns= ?'b category' takes it")

    def test_missing_values_of_frames(self):
        kinds = [NA if row % 7 == 0 else "warm" if row % 2 else "cold" for row in range(60)]
        for values in ([NA if row % 5 == 0 else row % 2 == 1 for row in range(60)], [NA if row % 5 == 0 else "yx"[row % 2] for row in range(60)]):
            result = shoal.solve("mlp", "host", data={"a": values, "b": list(range(60))}, target="b", missing="indicator", hidden="2", epochs=2)
            self.assertGreater(len(result.test_truth), 0)
        holes = np.random.default_rng(3).normal(size=(60, 2))
        holes[::5, 0] = np.nan
        results = [shoal.solve("mlp", "host", data=data, target="2", missing="indicator", hidden="2", epochs=2)
                   for data in (holes, holes.tolist(), {"1": holes[:, 0], "2": holes[:, 1]})]
        self.assertEqual([(result.fields.rows + result.fields.validation_rows + result.fields.test_rows, result.notes)
                          for result in results], [(60, None)] * 3)  # names that look like numbers are no row
        for result in results[1:]:
            np.testing.assert_array_equal(result.test_predicted, results[0].test_predicted)
        with self.assertRaisesRegex(shoal.Error, "^data: .*missing="):
            shoal.solve("mlp", "host", data=holes, target="2")
        with self.assertRaisesRegex(shoal.Error, "^data: .* has no value"):
            shoal.solve("mlp", "host", data={"a": kinds, "b": list(range(60))}, target="b", hidden="2", epochs=2)

    def test_progress(self):
        lines = []
        with unittest.mock.patch("sys.stderr", io.StringIO()) as out:
            for call in (lambda: shoal.solve("pso", "host", progress=True, **SMALL["pso"]), lambda: shoal.tour(np.eye(3), progress=True),
                         lambda: shoal.MLP(generate="xor", device="host", epochs=2).train(progress=True),
                         lambda: shoal.fit(lambda t, a: a * t, {"t": [1, 2, 3], "y": [1, 2, 3.5]}, {"a": (0, 5)}, "y", evaluations=100, progress=True),
                         lambda: shoal.Gas("host", particles=16).step(3, progress=True)):
                call()
                lines.append(out.getvalue())
                out.seek(out.truncate(0))
        for line, words in zip(lines, ("pso: step ", "tsp: step ", "mlp: step ", "step ", "gas: step ")):
            self.assertRegex(line, rf"^\r{words}\d+.*\n$")

    def test_arrays_are_for_options_that_read_files(self):
        for workload, options, message in (("mlp", {"hidden": np.ones((40, 3))}, "^hidden is a text, not an object of the type ndarray$"),
                                           ("tsp", {"generate": np.ones(2)}, "^generate is a text, not array"),
                                           ("tsp", {"nonsense": np.ones(2)}, "has no argument nonsense")):
            with self.assertRaisesRegex(TypeError, message):
                shoal.solve(workload, "host", **options)

    def test_arrays_and_frames_in_place_of_files(self):
        points = np.random.default_rng(1).random((30, 2))
        result = shoal.solve("tsp", "host", data=points, iterations=5)
        self.assertEqual(sorted(result.order), list(range(30)))
        legs = np.linalg.norm(points[result.order] - points[np.roll(result.order, -1)], axis=1)
        self.assertAlmostEqual(result.value, legs.sum(), 4)
        rows = np.random.default_rng(2).normal(size=(90, 2))
        table = np.array([(*row, "warm" if row[0] > 0 else "cold") for row in rows], dtype=[("a", float), ("b", float), ("kind", "U4")])
        result = shoal.solve("mlp", "host", data=table, target="kind", hidden="8", epochs=20, trace=0)
        self.assertEqual((result.classes, result.confusion.sum()), (["cold", "warm"], len(result.test_predicted)))
        self.assertGreater(np.trace(result.confusion), 0.7 * result.confusion.sum())
        numbers = shoal.solve("mlp", "host", data=np.column_stack([rows, rows[:, 0] * 2.5]), target="3", hidden="8", epochs=5)
        self.assertEqual(numbers.test_truth.shape, numbers.test_predicted.shape)
        with self.assertRaisesRegex(shoal.Error, "^data: "):
            shoal.solve("tsp", "host", data=np.full((3, 2), np.nan))

    def test_reports(self):
        random = np.random.default_rng(2)
        x = random.normal(size=(90, 2))
        table = {"a": x[:, 0], "b": x[:, 1], "weight": random.integers(1, 4, 90), "kind": np.where(x[:, 0] > 0, "warm", "cold")}
        options = {"target": "kind", "weight": "weight", "hidden": "4", "epochs": 20}
        result = shoal.solve("mlp", "host", data=table, **options)
        report = result.report
        self.assertEqual((report.part, report.rows), ("test", len(report.predicted)))
        # What the report is of gives its figures.
        truth, kinds = np.array(table["kind"])[report.row], np.array(result.classes)
        np.testing.assert_array_equal(kinds[report.truth], truth)
        np.testing.assert_array_equal(report.weights, np.array(table["weight"])[report.row])
        guess = (report.predicted[:, 0] > 0.5).astype(int) if report.predicted.shape[1] == 1 else report.predicted.argmax(1)
        confusion = np.zeros((2, 2))
        np.add.at(confusion, (report.truth, guess), report.weights)
        np.testing.assert_array_equal(report.confusion, confusion)
        self.assertAlmostEqual(report.accuracy, np.trace(confusion) / confusion.sum())
        self.assertEqual([one.name for one in report.classes], ["cold", "warm"])
        folds = shoal.solve("mlp", "host", data=table, folds=3, **options).report
        self.assertEqual((folds.part, folds.folds, folds.rows, sorted(folds.row)), ("validation", 3, 90, list(range(90))))
        self.assertEqual([net.fold for net in folds.nets], [1, 2, 3])
        numbers = shoal.solve("mlp", "host", data=np.column_stack([x, x[:, 0] * 2.5]), target="3", hidden="8", epochs=5, test=0, validation=0).report
        self.assertEqual((numbers.part, numbers.rows), ("training", 90))
        self.assertAlmostEqual(numbers.rmse, np.sqrt(((numbers.predicted - numbers.truth) ** 2).mean()))
        self.assertEqual(shoal.MLP(x, table["kind"], device="host", hidden="4", epochs=2).train().report.part, "test")

    def test_best_points_of_several_runs(self):
        result = shoal.solve("pso", "host", function="rastrigin", dim=2, particles=8, iterations=30, runs=12)
        points = result.best_points
        self.assertEqual((points[0].value, sum(point.runs for point in points)), (result.value, 12))
        np.testing.assert_array_equal(points[0].position, result.position)
        for point in points:
            self.assertEqual(point.value, result.run_values[point.seed - result.params.seed])
            x = point.position
            np.testing.assert_allclose(point.value, (x ** 2 - 10 * np.cos(2 * np.pi * x) + 10).sum(), rtol=1e-12)

    def test_mistakes(self):
        self.refuses("nonexistent", shoal.solve, "pso", "host", resume="/nonexistent", status="file error")
        self.refuses("^particles is 0", shoal.solve, "pso", "host", particles=0)
        self.refuses("nonexistent", shoal.solve, "tsp", "host", data="/nonexistent.tsp", status="file error")

    def test_interruption(self):
        for call in ('shoal.solve("pso", "host", iterations=10**9)',
                     'shoal.solve("gas", "host", particles=100, steps=10**9, thermo=1)'):
            self.is_interrupted(INTERRUPTED.format(call=call))


if __name__ == "__main__":
    main()
