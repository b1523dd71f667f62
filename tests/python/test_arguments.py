#!/usr/bin/env python3
"""Wrong arguments of every option and call raise one line that names the argument, and leave objects usable."""
import inspect
from fractions import Fraction

import numpy as np
import shoal
from shoal import _fit, _gas, _mlp, _optimise, _tour
from shoal._library import lib
from support import Case, main

POINTS = np.random.default_rng(1).random((6, 2))
CALLS = [
    (_optimise._TABLES["pso"], lambda **wrong: shoal.minimise("sphere", dim=2, **{"evaluations": 50, **wrong})),
    (_optimise._TABLES["de"], lambda **wrong: shoal.minimise("sphere", dim=2, algorithm="de", **{"evaluations": 50, **wrong})),
    (_optimise._ASK_TABLES["cmaes"], lambda **wrong: shoal.Optimiser((-1, 1), dim=2, algorithm="cmaes", **wrong).ask()),
    (_fit._TABLES["pso"], lambda **wrong: shoal.fit("a*t", {"t": [1, 2, 3], "y": [1, 2, 3.5]}, {"a": (0, 5)}, "y", **{"evaluations": 50, **wrong})),
    (_gas.TABLE, lambda **wrong: shoal.Gas("host", **{"particles": 9, **wrong})),
    (_tour.TABLE, lambda **wrong: shoal.tour(POINTS, **wrong)),
    (_mlp.TABLE, lambda **wrong: shoal.MLP(device="host", **{"generate": "xor", "epochs": 1, **wrong}).train()),
]


# Calls with an argument of each kind, by which wrong ones are tried: the call, and arguments that are right.
X, Y = np.random.default_rng(2).random((8, 2)), [0, 1] * 4
KEYS, COLUMNS = np.arange(3, dtype="uint32"), {"t": [1.0, 2, 3], "y": [1.0, 2, 3.5]}
SQUARES = {"bounds": [(-1, 1)] * 2, "evaluations": 50}


def signature_calls():
    """(name, function, right arguments, what the signature is of) of every call of the package."""
    gas, net = shoal.Gas("host", particles=64, dim=2), shoal.MLP(X, Y, device="host", hidden="2", epochs=1)
    net.train()
    trainer, search = shoal.Trainer(2, 1, 8, device="host"), shoal.Optimiser((-1, 1), dim=2)
    search.ask()
    with_start = {"positions": X * 9, "velocities": X, "box": 10, "sigma": 0.1}
    return gas, search, trainer, net, [
        ("minimise", shoal.minimise, {"function": "sphere", **SQUARES}),
        ("Optimiser", shoal.Optimiser, SQUARES), ("tell", search.tell, {"values": np.ones(60)}),
        ("tell_value", search.tell_value, {"index": 0, "value": 1.0}), ("Optimiser.save", search.save, {}), ("Optimiser.load", search.load, {}),
        ("fit", shoal.fit, {"model": "a*t+b", "data": COLUMNS, "parameters": {"a": (0, 5), "b": (0, 1)}, "target": "y", "evaluations": 50}),
        ("solve", shoal.solve, {"workload": "pso", "device": "host", "function": "sphere", "dim": 2, "iterations": 2}),
        ("tour", shoal.tour, {"points": POINTS, "iterations": 2}), ("Gas", shoal.Gas, {"device": "host", **with_start}),
        ("step", gas.step, {}), ("trajectory", gas.trajectory, {"frames": 1}), ("to_ase", gas.to_ase, {}), ("Gas.save", gas.save, {}),
        ("Gas.load", gas.load, {}), ("MLP", shoal.MLP, {"x": X, "y": Y, "device": "host"}), ("MLP.load", shoal.MLP.load, {"path": "none.npy"}),
        ("train", net.train, {}), ("predict", net.predict, {"rows": X}), ("classify", net.classify, {"rows": X}), ("MLP.save", net.save, {"path": "net.c"}),
        ("Trainer", shoal.Trainer, {"inputs": 2, "outputs": 1, "rows": 8, "device": "host"}),
        ("update", trainer.update, {"x": X, "y": np.ones(8)}), ("array", shoal.array, {"values": [1.0], "device": "host"}),
        ("sort", shoal.sort, {"keys": KEYS, "device": "host"}), ("scan", shoal.scan, {"values": KEYS, "device": "host"}),
        ("reduce", shoal.reduce, {"values": np.ones(3), "device": "host"}),
        ("gemm", shoal.gemm, {"a": np.eye(2), "b": np.eye(2), "device": "host"}), ("devices", shoal.devices, {}),
        ("classifier", shoal.MLPClassifier(2, max_iter=1).fit, {"X": X, "y": Y}),
        ("regressor", shoal.MLPRegressor(2, max_iter=1).fit, {"X": X, "y": Y})]


# No argument takes these, but for those of TAKEN.
WRONG = (object(), {"q": 1}, np.ones((2, 3, 4)), [1, "a"], "a\0b", 2 ** 70, 1.5, b"a\0b", lambda: 0)
TAKEN = {
    "args": WRONG,  # further arguments of a function, whatever they are
    "function": (WRONG[8],), "model": (WRONG[8],), "callback": (WRONG[8],), "workers": (WRONG[8],),
    "value": (WRONG[5], WRONG[6]), "violation": (), "delta": (WRONG[5], WRONG[6]), "checkpoint_every": (WRONG[5], WRONG[6]),
    "alpha": (WRONG[5], WRONG[6]), "beta": (WRONG[5], WRONG[6]), "sigma": (WRONG[5], WRONG[6]), "weights": (WRONG[5], WRONG[6]),
    "box": (WRONG[6],), "symbol": (), ("array", "values"): (WRONG[2], WRONG[6]), ("reduce", "values"): (WRONG[2], WRONG[6])}


class Arguments(Case):
    def check(self, call, kinds, name, value):
        with self.assertRaises(kinds) as caught:
            call(**{name: value})
        message = str(caught.exception)
        self.assertNotIn("\n", message)
        self.assertIn(name, message)
        self.assertNotRegex(message, r"(^|\s)--[a-z]")
        return 1

    def test_values_of_another_kind_and_out_of_range(self):
        gas, count = shoal.Gas("host", particles=16, dim=2), 0
        for table, call in CALLS:
            for name, option in table.options.items():
                count += self.check(call, TypeError, name, object())
                if option.row.type == lib.SHOAL_OPTION_UINT:
                    count += self.check(call, ValueError, name, -1)
                    count += self.check(call, ValueError, name, 1 << 64)
                elif option.row.type == lib.SHOAL_OPTION_CHOICE:
                    count += self.check(call, ValueError, name, "nonsense")
                elif option.row.type == lib.SHOAL_OPTION_TEXT:
                    count += self.check(call, ValueError, name, "a\0b")
            with self.assertRaisesRegex(TypeError, "has no argument nonsense"):
                call(nonsense=1)
        self.assertGreater(count, 200)
        gas.step(2)
        self.assertEqual(gas.steps, 2)

    def test_arguments_of_every_call(self):
        gas, search, trainer, net, calls = signature_calls()
        points, count = search.ask(), 0
        for call, function, right in calls:
            for name, parameter in inspect.signature(function).parameters.items():
                for number, value in enumerate(WRONG):
                    if parameter.kind == parameter.VAR_KEYWORD or any(value is one for one in TAKEN.get((call, name), TAKEN.get(name, ()))):
                        continue
                    with self.subTest(call=call, name=name, number=number):
                        count += self.check(lambda **wrong: function(**{**right, **wrong}), (TypeError, ValueError), name, value)
        self.assertGreater(count, 600)
        gas.step(2)
        self.assertEqual(gas.steps, 2)
        np.testing.assert_array_equal(search.ask(), points)
        search.tell((points ** 2).sum(1))
        self.assertTrue(np.isfinite(trainer.update(X, np.ones(8))))
        self.assertEqual(net.predict(X).shape, (8, 2))

    def test_fractions_beyond_the_range_of_floats(self):
        for kind, value in ((TypeError, Fraction(10**400, 3)), (ValueError, Fraction(10**400))):
            for name in ("particles", "seed"):
                self.check(lambda **wrong: shoal.minimise("sphere", dim=2, evaluations=100, **wrong), kind, name, value)
            self.check(lambda **wrong: shoal.tour(POINTS, **wrong), kind, "start", value)

    def test_parameters_of_estimators(self):
        y = [0, 1, 0, 1, 0, 1]
        for estimator in (shoal.MLPClassifier, shoal.MLPRegressor):
            for name in estimator().get_params():
                for value in (object(), np.random.default_rng(1), np.ones((2, 30)), -1):
                    if name != "verbose" or not isinstance(value, int):
                        self.check(lambda **wrong: estimator(**wrong).fit(POINTS, y), (TypeError, ValueError), name, value)
                if name not in ("random_state", "device"):
                    self.check(lambda **wrong: estimator(**wrong).fit(POINTS, y), ValueError, name, None)

    def test_names_of_elsewhere(self):
        for name, near in (("minimize", "minimise"), ("curve_fit", "fit"), ("Optimizer", "Optimiser"), ("solve_tsp", "tour")):
            with self.assertRaisesRegex(AttributeError, f"has no attribute '{name}'; is it {near}\\?"):
                getattr(shoal, name)
        for call, options in ((lambda **more: shoal.minimise("sphere", (-1, 1), dim=2, algorithm="de", **more),
                               {"mutation": "scale", "recombination": "crossover_rate", "disp": "progress", "updating": None, "maxiter": "iterations"}),
                              (lambda **more: shoal.minimise("sphere", (-1, 1), dim=2, **more), {"mutation": None, "recombination": None, "strategy": None}),
                              (lambda **more: shoal.fit("a*t", COLUMNS, {"a": (0, 5)}, "y", **more), {"p0": "x0", "absolut_sigma": "absolute_sigma"}),
                              (lambda **more: shoal.Gas("host", **more), {"temp": "temperature", "timestep": "dt", "n_steps": "steps", "init": None})):
            for name, near in options.items():
                with self.assertRaisesRegex(TypeError, f" has no argument {name}" + (f" \\(is it {near}\\?\\)$" if near else "$")):
                    call(**{name: 1})
        for call, text in ((shoal.devices, "gpu\0"), (lambda text: shoal.minimise(text, (-1, 1), dim=2), "x[0]\0"),
                           (shoal.MLP.load, "a\0.npy")):
            with self.assertRaisesRegex(ValueError, "NUL character"):
                call(text)


if __name__ == "__main__":
    main()
