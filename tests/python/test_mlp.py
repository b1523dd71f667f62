#!/usr/bin/env python3
"""shoal.MLP against NumPy."""

import numpy as np
import shoal
from support import INTERRUPTED, Case, main, opencl_device

SMALL = {"device": "host", "hidden": "12", "epochs": 30, "seed": 2}


def quadrants(count=400):
    """Points, and whether their coordinates have the same sign."""
    x = np.random.default_rng(3).normal(size=(count, 2))
    return x, x[:, 0] * x[:, 1] > 0


class Nets(Case):
    def test_the_outputs_are_those_of_the_parameters(self):
        x, y = quadrants()
        net = shoal.MLP(x, y.astype(int), scale="none", activation="tanh", **{**SMALL, "hidden": "5,4"})
        net.train()
        net.save(self.folder / "net.npy")
        flat = np.load(self.folder / "net.npy").ravel()
        values, at = x, 0
        for inputs, outputs in ((2, 5), (5, 4), (4, 2)):
            weights, biases = flat[at:at + inputs * outputs], flat[at + inputs * outputs:at + (inputs + 1) * outputs]
            values = values @ weights.reshape(outputs, inputs).T + biases
            at += (inputs + 1) * outputs
            if outputs > 2:
                values = np.tanh(values)
        self.assertEqual(at, flat.size)
        values = np.exp(values)
        # Files have parameters in single precision, the precision of the run.
        np.testing.assert_allclose(net.predict(x), values / values.sum(1, keepdims=True), atol=1e-5)

    def test_classes_are_as_they_were_given(self):
        x, same = quadrants()
        for y in (same, np.where(same, 7, 3), np.where(same, 7, 3).astype(np.uint8),
                  np.where(same, 'the "same", both', "other")):
            with self.subTest(y.dtype):
                net = shoal.MLP(x, y, **SMALL)
                result = net.train()
                self.assertEqual((result.value_name, result.test_rows), ("accuracy", 80))
                self.assertGreater(result.value, 0.8)
                np.testing.assert_array_equal(net.classes, np.unique(y))
                self.assertEqual(net.classes.dtype.kind, y.dtype.kind)
                found = net.classify(x)
                self.assertGreater((found == y).mean(), 0.85)
                np.testing.assert_array_equal(found, net.classes[net.predict(x).argmax(1)])

    def test_numbers(self):
        x, _ = quadrants()
        y = np.column_stack([x @ [2, -1] + 5, x[:, 0] - 3])
        net = shoal.MLP(x, y, **{**SMALL, "hidden": "none", "epochs": 40, "rate": 0.05})
        result = net.train()
        self.assertEqual((result.value_name, net.classes), ("r2", None))
        self.assertGreater(result.value, 0.99)
        np.testing.assert_allclose(net.predict(x), y, atol=0.3)
        one = shoal.MLP(x, y[:, 0], **SMALL)
        one.train()
        self.assertEqual(one.predict(x).shape, (400, 1))

    def test_the_task_decides(self):
        """Integers are classes, floats numbers, whole or not, but 0 and 1; unless task says otherwise."""
        x, same = quadrants()
        digits = (np.arange(len(x)) % 5)
        for y, task, score, classes in ((digits, None, "accuracy", digits), (digits, "regress", "r2", None),
                                        (digits.astype(float), None, "r2", None), (digits.astype(float), "classify", "accuracy", digits),
                                        (same.astype(float), None, "accuracy", same), (same.astype(float), "regress", "r2", None)):
            with self.subTest(f"{y.dtype} {task}"):
                net = shoal.MLP(x, y, **{**SMALL, "epochs": 2}, **({"task": task} if task else {}))
                self.assertEqual(net.train().value_name, score)
                if classes is None:
                    self.assertIsNone(net.classes)
                else:
                    np.testing.assert_array_equal(net.classes.astype(float), np.unique(classes))

    def test_a_file_of_digits(self):
        path = self.folder / "digits.csv"
        path.write_text(",a,b,digit\n" + "".join(f"{i},{i % 7},{i % 11},{i % 3}\n" for i in range(90)))
        net = shoal.MLP(data=path, target="digit", **{**SMALL, "epochs": 2})
        net.train()
        self.assertEqual((list(net.classes), [name for name, _ in net.columns]), (["0", "1", "2"], ["a", "b"]))
        net = shoal.MLP(data=path, target="digit", task="regress", **{**SMALL, "epochs": 2})
        self.assertEqual(net.train().value_name, "r2")

    def test_missing_values(self):
        x, y = quadrants()
        x[5, 1] = np.nan
        net = shoal.MLP(x, y, missing="median", **SMALL)
        net.train()
        self.assertTrue(np.isfinite(net.predict(x)).all())
        refused = shoal.MLP(x, y, **SMALL)
        self.refuses("row 6, column 2 .* has no value", refused.train, status="file error")

    def test_a_file_and_its_columns(self):
        path = self.folder / "colours.csv"
        random = np.random.default_rng(1)
        rows = [(random.choice(["red", "green", "blue"]), random.normal()) for _ in range(200)]
        path.write_text("colour,size,kind\n" + "".join(
            f"{colour},{size},{'big' if size > 0 else 'warm' if colour == 'red' else 'cold'}\n" for colour, size in rows))
        net = shoal.MLP(data=path, target="kind", **SMALL)
        self.assertGreater(net.train().value, 0.8)
        self.assertEqual(net.columns, [("colour", ["blue", "green", "red"]), ("size", [])])
        self.assertEqual(list(net.classes), ["big", "cold", "warm"])
        self.assertEqual(list(net.classify([[0, 2.0], [2, -2.0], [1, -2.0]])), ["big", "warm", "cold"])

    def test_saved_and_loaded(self):
        x, y = quadrants()
        net = shoal.MLP(x, np.where(y, "same", "other"), **SMALL)
        net.train()
        for name in ("net.safetensors", "net.c", "net.onnx"):
            net.save(self.folder / name)
            self.assertGreater((self.folder / name).stat().st_size, 100)
        net.save(self.folder / "small.c", form="int8")
        loaded = shoal.MLP.load(self.folder / "net.safetensors")
        np.testing.assert_allclose(loaded.predict(x), net.predict(x), atol=1e-6)
        np.testing.assert_array_equal(loaded.classify(x), net.classify(x))

    def test_nets_of_folds_are_not_saved(self):
        random = np.random.default_rng(2)
        net = shoal.MLP(random.normal(size=(60, 2)), random.normal(size=60), device="host", folds=3, epochs=2)
        net.train()
        self.refuses("with folds each net has not seen a part of the rows", net.save, self.folder / "net.safetensors")

    def test_predictions_of_a_device(self):
        x, y = quadrants()
        device = opencl_device()
        net = shoal.MLP(x, y.astype(int), **SMALL)
        with self.assertRaises(ValueError):
            net.predict(x, device=device)
        for _ in range(2):  # another model follows the first one
            net.train()
            for name in (device, device.id):
                np.testing.assert_allclose(net.predict(x, device=name), net.predict(x), atol=1e-5)
            np.testing.assert_array_equal(net.predict(x, device="host"), net.predict(x))
            self.assertGreater((net.classify(x, device=device) == net.classify(x)).mean(), 0.99)
        self.assertEqual(net.predict(x[:0], device=device).shape, (0, 2))

    def test_trained_again_and_on_a_device(self):
        x, y = quadrants(200)
        net = shoal.MLP(x, y, **SMALL)
        first, second = net.train(), net.train()
        self.assertEqual(first.value, second.value)
        self.assertEqual(list(first.series["step"])[-1], 30)
        device = shoal.MLP(x, y, **{**SMALL, "device": opencl_device(), "precision": "fp64", "epochs": 5})
        host = shoal.MLP(x, y, **{**SMALL, "epochs": 5})
        device.train()
        host.train()
        # Up to rounding; with fp64 the file has what the device computed.
        np.testing.assert_allclose(device.predict(x), host.predict(x), atol=1e-5)


class Mistakes(Case):
    def test_reprs_are_short(self):
        net = shoal.MLP(np.eye(6), [0, 1] * 3, device="host", hidden="2", epochs=1)
        self.assertEqual(repr(net), "<shoal.MLP, not trained>")
        net.train()
        self.assertEqual(repr(net), "<shoal.MLP 6 columns, 2 classes>")

    def test_messages_name_no_temporary_file(self):
        x = np.array([[1, np.nan], [2, 3.0]] * 20)
        for y in (np.array(["a", "b"] * 20), np.array([0, 1] * 20)):
            with self.assertRaisesRegex(shoal.Error, "^x and y: row 1, column 2"):
                shoal.MLP(x, y, device="host", hidden="2", epochs=1).train()
        with self.assertRaisesRegex(shoal.Error, "^x and y: .*class"):
            shoal.MLP(x, ["a"] * 40, device="host", missing="mean", hidden="2", epochs=1).train()

    def test_arrays(self):
        x, y = quadrants(20)
        with self.assertRaisesRegex(TypeError, "takes x and y together"):
            shoal.MLP(x)
        for bad_x, bad_y, why in ((x[0], y, r"^x has the shape \(2,\): it is an array of numbers"), (x, y[:3], r"^y has the shape \(3,\)"),
                                  (x, y[:, None], "one dimension where it holds classes"),
                                  (x, np.full(20, "a\nb"), "a text in one line, not 'a"),
                                  (x, np.full(20, "?"), "a text in one line"), (x, y.astype(object), "^y is an array"),
                                  (np.where(x > 0, np.inf, 0), y, "finite numbers; NaN is a missing value")):
            with self.assertRaisesRegex(ValueError, why):
                shoal.MLP(bad_x, bad_y)
        self.refuses("class", shoal.MLP(x, np.zeros(20, int), device="host").train, status="file error")
        self.refuses("data", shoal.MLP(x, y, device="host", data="a.csv").train)

    def test_before_and_after_training(self):
        with self.assertRaisesRegex(ValueError, r"not trained: call train\(\)"):
            shoal.MLP(device="host").predict([[1.0]])
        x, _ = quadrants(50)
        net = shoal.MLP(x, x[:, 0], **{**SMALL, "epochs": 2})
        net.train()
        with self.assertRaisesRegex(ValueError, r"rows has the shape \(50, 1\), not \(n, 2\)"):
            net.predict(x[:, :1])
        with self.assertRaisesRegex(ValueError, "outputs of this net are numbers"):
            net.classify(x)
        self.refuses("/nonexistent", net.save, "/nonexistent/net.npy", status="file error")
        self.refuses("txt", net.save, self.folder / "net.txt")

    def test_files(self):
        self.refuses("nonexistent", shoal.MLP.load, "/nonexistent.safetensors", status="file error")
        self.refuses("give the shape", shoal.MLP.load, "/nonexistent.npy")

    def test_interruption(self):
        self.is_interrupted(INTERRUPTED.format(call='shoal.MLP(device="host", epochs=10**6).train()'))


if __name__ == "__main__":
    main()
