#!/usr/bin/env python3
"""Wrong arguments of every option raise one line that names the argument, and leave objects usable."""

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
        for call, text in ((shoal.devices, "gpu\0"), (lambda text: shoal.minimise(text, (-1, 1), dim=2), "x[0]\0"),
                           (shoal.MLP.load, "a\0.npy")):
            with self.assertRaisesRegex(ValueError, "NUL character"):
                call(text)


if __name__ == "__main__":
    main()
