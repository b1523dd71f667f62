#!/usr/bin/env python3
"""shoal.MLPClassifier and shoal.MLPRegressor without scikit-learn, whose own checks test_peers.py makes."""
import inspect
import pickle
import warnings

import numpy as np
import shoal
from support import NA, Case, main, opencl_device

RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(240, 3))
CLASSES = np.array(["high", "low", "other"])[np.where(X[:, 0] > 0.3, 0, np.where(X[:, 1] > 0, 1, 2))]
NUMBERS = np.column_stack([3 + 100 * np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
SHORT = {"hidden_layer_sizes": (24,), "learning_rate_init": 0.01, "max_iter": 60, "random_state": 1}


def classifier(**more):
    return shoal.MLPClassifier(**{**SHORT, **more})


def regressor(**more):
    return shoal.MLPRegressor(**{**SHORT, **more})


class Frame:
    """As much of a DataFrame as is used."""

    def __init__(self, columns):
        self._columns, self.columns = columns, list(columns)
        self.shape = len(next(iter(columns.values()))), len(columns)
        self.iloc = self

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, key):
        values = self._columns[self.columns[key[1]]]
        return type("Series", (), {"to_numpy": lambda _: np.asarray(values, dtype=object)})()


class Estimators(Case):
    def test_missing_values_of_frames(self):
        for values in (["x", NA, "y", "z"], [True, NA, False, True], [1, NA, 3, 4]):
            frame = Frame({"a": values * 20, "n": list(range(80))})
            self.assertEqual(len(classifier(max_iter=2).fit(frame, ["a", "b", "c", "a"] * 20).predict(frame)), 80)
        with self.assertRaisesRegex(ValueError, "^Input y contains NaN or None, in row 2$"):
            classifier().fit(X[:3], np.array(["a", NA, "b"], dtype=object))

    def setUp(self):
        super().setUp()
        catch = warnings.catch_warnings()
        catch.__enter__()
        self.addCleanup(catch.__exit__, None, None, None)
        warnings.simplefilter("ignore")  # most tests end before they converge

    def test_classes(self):
        net = classifier()
        self.assertIs(net.fit(X, CLASSES), net)
        self.assertGreater(net.score(X, CLASSES), 0.95)
        self.assertEqual(list(net.classes_), ["high", "low", "other"])
        chances = net.predict_proba(X)
        np.testing.assert_allclose(chances.sum(1), 1)
        np.testing.assert_array_equal(net.classes_[chances.argmax(1)], net.predict(X))
        np.testing.assert_allclose(net.predict_log_proba(X), np.log(chances))
        self.assertEqual((net.n_iter_, net.n_features_in_, len(net.loss_curve_)), (60, 3, 60))
        self.assertLess(net.loss_curve_[-1], net.loss_curve_[0])
        self.assertEqual([weights.shape for weights in net.coefs_], [(3, 24), (24, 3)])

    def test_numbers(self):
        for y, shape in ((NUMBERS, (240, 2)), (NUMBERS[:, 0], (240,))):
            net = regressor(max_iter=150).fit(X, y)
            self.assertEqual(net.predict(X).shape, shape)
            self.assertGreater(net.score(X, y), 0.9)

    def test_the_same_random_state_is_the_same_net(self):
        first, second, other = (classifier(random_state=state, max_iter=5).fit(X, CLASSES) for state in (1, 1, 2))
        np.testing.assert_array_equal(first.coefs_[0], second.coefs_[0])
        self.assertFalse((first.coefs_[0] == other.coefs_[0]).all())

    def test_partial_fit_and_pickle(self):
        net = classifier()
        for _ in range(40):
            net.partial_fit(X, CLASSES, classes=np.unique(CLASSES))
        self.assertGreater(net.score(X, CLASSES), 0.9)
        self.assertEqual(len(net.loss_curve_), 40)
        copy = pickle.loads(pickle.dumps(net))
        np.testing.assert_array_equal(copy.predict_proba(X), net.predict_proba(X))
        self.assertLess(copy.partial_fit(X, CLASSES).loss_curve_[-1], net.loss_curve_[0])
        many = regressor()
        for _ in range(3):
            many.partial_fit(X, NUMBERS)
        self.assertEqual(many.predict(X).shape, (240, 2))

    def test_early_stopping_and_warm_start(self):
        net = classifier(early_stopping=True, max_iter=500, n_iter_no_change=5).fit(X, CLASSES)
        self.assertLess(net.n_iter_, 500)
        self.assertEqual(len(net.validation_scores_), net.n_iter_)
        warm = classifier(warm_start=True, max_iter=20).fit(X, CLASSES)
        before = warm.loss_
        self.assertLess(warm.fit(X, CLASSES).loss_curve_[0], before * 1.2)

    def test_frames_with_texts_and_missing_values(self):
        frame = Frame({"size": [1.0, 2.0, None, 4.0] * 20, "colour": ["red", "blue", None, "red"] * 20})
        y = ["a", "b", "c", "a"] * 20
        net = classifier(max_iter=100).fit(frame, y)
        self.assertEqual((net.score(frame, y), list(net.feature_names_in_), net.n_features_in_), (1, ["size", "colour"], 2))
        self.assertEqual(net.predict(Frame({"size": [2.0], "colour": ["blue"]})), ["b"])
        net.predict(Frame({"size": [2.0], "colour": ["unseen"]}))
        with self.assertRaisesRegex(ValueError, "feature names should match"):
            net.predict(Frame({"colour": ["blue"], "size": [2.0]}))
        with self.assertRaisesRegex(ValueError, "NaN in column 1, which had no missing value"):
            classifier(max_iter=2).fit(X, CLASSES).predict([[np.nan, 1, 1]])

    def test_on_a_device(self):
        host, device = (regressor(max_iter=3, device=device).fit(X, NUMBERS) for device in (None, opencl_device().id))
        # fp32 beside fp64, a few updates
        np.testing.assert_allclose(device.coefs_[0], host.coefs_[0], atol=1e-4)
        self.assertGreater(classifier(device=opencl_device()).fit(X, CLASSES).score(X, CLASSES), 0.9)

    def test_parameters(self):
        names = [name for name in inspect.signature(shoal.MLPClassifier).parameters]
        net = classifier()
        self.assertEqual(list(net.get_params()), names)
        self.assertEqual(net.set_params(alpha=0.5).alpha, 0.5)
        self.assertEqual(repr(shoal.MLPRegressor(alpha=0.5)), "MLPRegressor(alpha=0.5)")
        with self.assertRaisesRegex(ValueError, "Invalid parameter 'layers'"):
            net.set_params(layers=3)

    def test_accuracy_of_other_shapes(self):
        net = classifier(max_iter=5).fit(X, CLASSES)
        accuracy = (net.predict(X) == CLASSES).mean()
        for y in (CLASSES, list(CLASSES), CLASSES[:, None]):
            self.assertEqual(net.score(X, y), accuracy)
        numbers = regressor(max_iter=2).fit(X, NUMBERS)
        for some, y, message in ((net, CLASSES[:5], "inconsistent numbers of samples"), (net, NUMBERS > 0, "one class for each row"),
                                 (numbers, NUMBERS[:5], "inconsistent numbers of samples"),
                                 (numbers, NUMBERS[:, 0], r"y has the shape \(240,\), predictions have \(240, 2\)")):
            with self.assertRaisesRegex(ValueError, message):
                some.score(X, y)

    def test_columns_that_are_constant(self):
        self.assertGreater(np.full(240, 0.1).std(), 0)  # by rounding
        shifted = [np.column_stack([X, np.full(240, value)]) for value in (0.1, 0.2)]
        net = classifier().fit(shifted[0], CLASSES)
        self.assertGreater(net.score(shifted[1], CLASSES), 0.9)

    def test_a_refused_fit_changes_nothing(self):
        for net, y, wrong in ((classifier(max_iter=3), CLASSES, ["a"] * 240), (regressor(max_iter=3), NUMBERS, CLASSES)):
            before = net.fit(X, y).predict(X)
            for x, other in ((1000 * X[:, :2], wrong), (X + 5, y[:5])):
                with self.assertRaises(ValueError):
                    net.fit(x, other)
            net.device = "cuda:99"  # refused when the trainer is made
            with self.assertRaises(shoal.Error):
                net.fit(X - 5, y[::-1])
            np.testing.assert_array_equal(net.predict(X), before)
            self.assertEqual(net.n_features_in_, 3)

    def test_no_hidden_layer(self):
        net = classifier(hidden_layer_sizes=()).fit(X, CLASSES)
        self.assertEqual([weights.shape for weights in net.coefs_], [(3, 3)])
        self.assertGreater(net.score(X, CLASSES), 0.8)

    def test_mistakes(self):
        for message, options in (("activation is one of identity", {"activation": "elu"}), ("solver is adam or sgd", {"solver": "lbfgs"}),
                                 ("max_iter is a whole number from 1 on", {"max_iter": 0}), ("max_iter is a whole number from 1 on, not 2.5", {"max_iter": 2.5}),
                                 ("beta_1 is a number from 0 to below 1, not 2", {"beta_1": 2}), ("alpha is a number from 0", {"alpha": -1}),
                                 ("hidden_layer_sizes is", {"hidden_layer_sizes": (0,)}), ("learning_rate is constant", {"learning_rate": "adaptive"}),
                                 ("batch_size is a whole number of rows", {"batch_size": 0}), ("validation_fraction", {"validation_fraction": 2})):
            with self.assertRaisesRegex(ValueError, message):
                classifier(**options).fit(X, CLASSES)
        for message, x, y in (("Expected 2D array", X[0], CLASSES), ("0 sample", X[:0], CLASSES[:0]), ("0 feature", X[:, :0], CLASSES),
                              ("inconsistent numbers of samples", X, CLASSES[:9]), ("infinity", X * np.inf, CLASSES),
                              ("at least 2 classes", X, ["a"] * 240), ("Unknown label type", X, X[:, 0]), ("target y is None", X, None),
                              ("one class for each row", X, NUMBERS), ("NaN or None, in row 2", X, ["a", None] * 120),
                              ("classes of several kinds", X, np.array(["a", 1] * 120, dtype=object))):
            with np.errstate(invalid="ignore"), self.assertRaisesRegex(ValueError, message):
                classifier(max_iter=1).fit(x, y)
        with self.assertRaisesRegex(ValueError, "not fitted yet"):
            classifier().predict(X)
        with self.assertRaisesRegex(ValueError, "y holds texts"):
            regressor().fit(X, CLASSES)
        with self.assertRaisesRegex(ValueError, "classes must be passed"):
            classifier().partial_fit(X, CLASSES)
        net = classifier(max_iter=1).fit(X, CLASSES)
        with self.assertRaisesRegex(ValueError, "X has 2 features, but MLPClassifier is expecting 3"):
            net.predict(X[:, :2])


if __name__ == "__main__":
    main()
