#!/usr/bin/env python3
"""shoal.Trainer: batches of NumPy, of arrays on devices and of other packages; the updates against NumPy."""

import numpy as np
import shoal
from support import Case, in_full, main, opencl_device

RANDOM = np.random.default_rng(4)
X = RANDOM.normal(size=(32, 3))


def places():
    return [shoal.devices("host")[0], *(device for device in shoal.devices() if device.backend == "cuda"), opencl_device()]


class Updates(Case):
    def test_gradients(self):
        """A linear net with plain gradients: w -= rate mean of (w x - y) x."""
        y = X @ [1.0, -2, 0.5] + 1
        for device in places():
            near = 1e-12 if device.is_host else 1e-5
            net = shoal.Trainer(3, 1, 32, device=device, hidden="none", optimiser="sgd", rate=0.1, loss="squared", output="linear")
            net.parameters = np.zeros(4)
            loss = net.update(X, y[:, None])
            self.assertAlmostEqual(loss, (y ** 2).mean(), delta=near * 10)
            moved = net.parameters
            slope = np.append((y[:, None] * X).mean(0), y.mean())
            np.testing.assert_allclose(moved / moved[3], slope / slope[3], rtol=100 * near)
            self.assertLess(net.update(X, y), loss)
            self.assertEqual(repr(net), "<shoal.Trainer 3 inputs, 1 outputs, batches of 32 rows>")
            found = set()
            for targets in (y, y[:, None], shoal.array(y, device, "float32"), shoal.array(y[:, None], device, "float32"), shoal.array(y, "host")):
                net.parameters = np.zeros(4)
                found.add(round(net.update(X, targets), 4))
            self.assertEqual(len(found), 1)
            self.refuses(r"^y has the shape \(31,\), not \(32, 1\)$", net.update, X, shoal.array(y[1:], device, "float32"))

    @in_full
    def test_batches_of_all_kinds_are_the_same(self):
        labels = RANDOM.integers(0, 4, 32)
        for device in places():
            found = []
            kinds = [(X, labels), (X.tolist(), labels.tolist()), (shoal.array(X, device, "float32"), shoal.array(labels, device, "uint32")),
                     (shoal.array(X, "host"), shoal.array(labels, device))]
            for x, y in kinds:
                net = shoal.Trainer(3, 4, 32, classes=True, device=device, hidden="6", seed=3)
                found.append([*(net.update(x, y) for _ in range(3)), *net.parameters])
            if device.is_host:
                found.pop(2)  # of numbers that were rounded to single precision
            for one in found[1:]:
                self.assertEqual(one, found[0])
            self.assertLess(found[0][2], found[0][0])

    def test_mistakes(self):
        for device in places():
            net = shoal.Trainer(3, 4, 32, classes=True, device=device, hidden="6")
            labels = np.zeros(32, int)
            self.refuses(r"^x has the shape \(31, 3\), not \(32, 3\)$", net.update, X[1:], labels)
            self.refuses(r"^x has the shape \(31, 3\), not \(32, 3\)$", net.update, shoal.array(X[1:], device, "float32"), labels)
            self.refuses("^y has the class 4: classes are 0 to 3", net.update, X, labels + 4)
            with self.assertRaisesRegex(TypeError, "^y has classes, which are whole numbers"):
                net.update(X, labels / 2)
            with self.assertRaisesRegex(shoal.Error, "^parameters has the shape"):
                net.parameters = np.zeros(3)
            net.update(X, labels)
        self.refuses("^rows is 0, allowed are 1 to ", shoal.Trainer, 3, 4, 0)
        for name in ("batch", "data", "nets", "folds"):
            with self.assertRaisesRegex(TypeError, rf"^Trainer\(\) has no argument {name}"):
                shoal.Trainer(3, 4, 1, **{name: 1})


if __name__ == "__main__":
    main()
