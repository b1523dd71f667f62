#!/usr/bin/env python3
"""The peak of the process grows by less than 1 MB while objects of each class are made, used and destroyed 1,000 times."""
import gc
import os
import resource
import unittest
import warnings

import numpy as np
import shoal

X = np.random.default_rng(1).normal(size=(20, 2))
GIGABYTE = 10 ** 9
WARM_UP = 300  # allocators, arenas of threads and caches have what they keep


def gas():
    with shoal.Gas("host", particles=16, dim=2) as one:
        one.step(2)
        one.change(temperature=2)
        one.velocities = one.velocities / 2
        one.observables()


def optimiser():
    search = shoal.Optimiser((-1, 1), dim=2, particles=10)
    search.tell((search.ask() ** 2).sum(1))
    search.result()


def device():
    shoal.devices("host")


def arrays():
    one = shoal.array(np.arange(64, dtype="uint32"))
    np.from_dlpack(shoal.sort(one))
    shoal.scan(one)
    shoal.reduce(one)
    shoal.gemm(X, X, transposed_b=True)


def trainer():
    shoal.Trainer(2, 1, 20, hidden="4", device="host").update(X, X[:, :1])


USES = {
    "Array": arrays, "Trainer": trainer, "Device": device, "Gas": gas, "Optimiser": optimiser,
    "minimise": lambda: shoal.minimise(lambda x: float(x @ x), (-1, 1), dim=2, particles=10, evaluations=30),
    "fit": lambda: shoal.fit("a*t", {"t": X[:, 0], "y": X[:, 1]}, {"a": (-5, 5)}, "y", evaluations=100),
    "MLPClassifier": lambda: shoal.MLPClassifier(4, max_iter=2).fit(X, X[:, 0] > 0).predict(X),
    "MLP": lambda: shoal.MLP(X, X[:, 0] > 0, device="host", hidden="4", epochs=2).train(),
    "tour": lambda: shoal.tour(X, iterations=1),
}


def peak():
    gc.collect()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class Memory(unittest.TestCase):
    def test_an_array_goes_to_a_device_with_one_copy(self):
        """PoCL's memory is that of the process, so that the copy on the device counts, too."""
        room = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if room < 3 * GIGABYTE:
            self.skipTest(f"{room} bytes of memory are free, of {3 * GIGABYTE} for an array of 1 GB with its copy")
        values = np.ones(GIGABYTE // 8)
        for device in shoal.devices("cpu"):
            with self.subTest(device=device.id):
                shoal.array(X, device)
                before = peak()
                made = shoal.array(values, device)
                copies = 0 if device.is_host else 1
                self.assertLess(peak() - before, copies * values.nbytes / 1024 + 4096, "kB")
                del made

    def test_the_peak_stays(self):
        warnings.simplefilter("ignore")
        for name, use in USES.items():
            with self.subTest(use=name):
                for _ in range(WARM_UP):
                    use()
                before = peak()
                for _ in range(1000):
                    use()
                self.assertLess(peak() - before, 1024, "kB")


if __name__ == "__main__":
    unittest.main()
