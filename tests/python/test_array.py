#!/usr/bin/env python3
"""Arrays on devices and what computes with them, against NumPy; DLPack."""
import gc

import numpy as np
import shoal
from shoal._arrays import dlpack
from support import Case, in_full, main, opencl_device

RANDOM = np.random.default_rng(3)


def places():
    return [shoal.devices("host")[0], *(device for device in shoal.devices() if device.backend == "cuda"), opencl_device()]


class Other:
    """An array of another package."""

    def __init__(self, values):
        self._values = values

    def __dlpack_device__(self):
        return self._values.__dlpack_device__()

    def __dlpack__(self, **options):
        return self._values.__dlpack__(**{name: value for name, value in options.items() if name == "stream" and value is not None})


class Arrays(Case):
    def test_there_and_back(self):
        for device in places():
            for dtype in ("float32", "float64", "int8", "uint16", "int64"):
                values = RANDOM.integers(0, 100, (7, 5)).astype(dtype)
                one = shoal.array(values, device)
                np.testing.assert_array_equal(one.numpy(), values)
                np.testing.assert_array_equal(np.asarray(one, "float64"), values)
                self.assertEqual((one.shape, one.dtype, one.ndim, one.size, one.nbytes, len(one), one.device.id),
                                 (values.shape, values.dtype, 2, 35, values.nbytes, 7, device.id))
                self.assertEqual(repr(one), f"<shoal.Array of the shape (7, 5), {dtype}, on {device.id}>")
            self.assertEqual(shoal.array(np.arange(10)[::2], device, "float32").numpy().tolist(), [0, 2, 4, 6, 8])
            self.assertEqual(shoal.array(np.empty((0, 3)), device).numpy().shape, (0, 3))
            self.assertIs(shoal.array(one), one)
        moved = shoal.array(one, "host")
        self.assertEqual(moved.device.id, "host")

    def test_the_host_has_no_copies(self):
        values = np.arange(6.0)
        one = shoal.array(values, "host")
        self.assertIs(one.numpy(), values)
        values[0] = 7
        self.assertEqual(np.from_dlpack(one)[0], 7)
        self.assertIsNot(np.array(one, copy=True), values)

    def test_numbers_of_the_other_byte_order(self):
        for device in places():
            for dtype in ("uint16", "uint32", "int64", "float32", "float64"):
                other = np.arange(250, 260, dtype=dtype)
                other = other.astype(other.dtype.newbyteorder())
                for one in (shoal.array(other, device), shoal.array(other.astype(dtype), device, other.dtype)):
                    self.assertEqual((one.dtype, one.numpy().tolist()), (np.dtype(dtype), list(range(250, 260))))
            swapped = np.array([256, 1], np.dtype("uint32").newbyteorder())
            np.testing.assert_array_equal(shoal.sort(swapped, device=device).numpy(), [1, 256])
            self.assertEqual(shoal.reduce(np.array([0.5, 2], np.dtype("float64").newbyteorder()), device=device), 2.5)

    def test_copies_that_the_caller_does_not_allow(self):
        for device in places():
            one = shoal.array(np.arange(3.0), device)
            with self.assertRaisesRegex(ValueError, "float32: allow a copy$"):
                one.__array__("float32", copy=False)
            if device.is_host:
                self.assertIs(one.__array__(copy=False), one.numpy())
                self.assertEqual(dlpack.Taken(one.__dlpack__(copy=False)).address, one.numpy().ctypes.data)
            else:
                with self.assertRaisesRegex(ValueError, "float64: allow a copy$"):
                    one.__array__(copy=False)
                with self.assertRaisesRegex(BufferError, "memory of the host: allow a copy$"):
                    one.__dlpack__(dl_device=(dlpack.CPU, 0), copy=False)
            self.assertEqual(dlpack.Taken(one.__dlpack__(dl_device=(dlpack.CPU, 0))).kind, dlpack.CPU)
            for place in ((dlpack.CUDA, 99), (dlpack.CUDA_HOST, 0)):
                with self.assertRaisesRegex(BufferError, rf"not on DLPack's device \({place[0]}, {place[1]}\)$"):
                    one.__dlpack__(dl_device=place)

    def test_mistakes(self):
        for wrong in (["a"], [True], [1j], [None], *([np.ones(1, np.longdouble)] if np.dtype(np.longdouble).itemsize > 8 else [])):
            with self.assertRaisesRegex(TypeError, "^values is an array of integers or floats of up to 8 bytes, not "):
                shoal.array(wrong, "host")
        with self.assertRaisesRegex(TypeError, "without dimensions"):
            len(shoal.array(1.0, "host"))
        self.refuses("opencl:99", shoal.array, [1], "opencl:99", status="no such device")


class Packages(Case):
    def test_numpy_takes_arrays(self):
        for device in places():
            values = RANDOM.normal(size=(3, 4)).astype("float32")
            one = shoal.array(values, device)
            if device.backend != "cuda":
                self.assertEqual(one.__dlpack_device__(), (1, 0))
                np.testing.assert_array_equal(np.from_dlpack(one), values)
            other = shoal.array(Other(one))  # without a copy on a CUDA device
            np.testing.assert_array_equal(other.numpy(), values)
            del one
            gc.collect()
            np.testing.assert_array_equal(other.numpy(), values)
            if device.backend == "cuda":
                self.assertEqual((other.device.id, other.__dlpack_device__()), (device.id, (2, int(device.id[5:]))))
                self.assertEqual(shoal.reduce(other), np.float32(shoal.reduce(other)))
                self.assertEqual(other.__dlpack__(copy=True) is not None, True)

    def test_capsules_keep_and_release_the_memory(self):
        values, before = np.arange(12.0).reshape(3, 4), len(dlpack._given)
        capsule = shoal.array(values, "host").__dlpack__()
        self.assertEqual(len(dlpack._given), before + 1)
        taken = dlpack.Taken(capsule)
        self.assertEqual((taken.shape, taken.dtype, taken.kind, taken.address), ((3, 4), values.dtype, dlpack.CPU, values.ctypes.data))
        with self.assertRaisesRegex(ValueError, "already taken"):
            dlpack.Taken(capsule)
        del capsule
        self.assertEqual(len(dlpack._given), before + 1)
        del taken
        self.assertEqual(len(dlpack._given), before)
        capsule = shoal.array(values, "host").__dlpack__()
        del capsule  # nobody took it
        self.assertEqual(len(dlpack._given), before)

    def test_capsules_of_other_packages(self):
        values = np.arange(12, dtype="uint16").reshape(3, 4)
        taken = dlpack.Taken(values.__dlpack__())
        self.assertEqual((taken.shape, taken.dtype, taken.address), ((3, 4), values.dtype, values.ctypes.data))
        with self.assertRaisesRegex(ValueError, "row after row"):
            dlpack.Taken(values[:, ::2].__dlpack__())
        with self.assertRaisesRegex(TypeError, "integers or floats"):
            dlpack.Taken(np.array([1j]).__dlpack__())
        np.testing.assert_array_equal(shoal.array(Other(values), opencl_device()).numpy(), values)

    def test_a_gas_takes_and_gives_arrays(self):
        gas = shoal.Gas("host", positions=shoal.array([[1.0, 1], [3, 3]], opencl_device()), box=10)
        gas.velocities = Other(np.ones((2, 2)))
        np.testing.assert_array_equal(np.from_dlpack(gas.velocities), np.ones((2, 2)))

    def test_the_state_of_a_gas_on_its_device(self):
        for device in places():
            for dim, precision in ((2, "single"), (3, "mixed"), (3, "double")):
                with shoal.Gas(device, particles=120, density=0.4, dim=dim, precision=precision) as gas:
                    gas.step(20)
                    state = gas.arrays()
                    self.assertEqual(list(state), ["positions", "velocities"])
                    for name, one in state.items():
                        kind = "float32" if precision == "single" and not device.is_host else "float64"
                        self.assertEqual((one.device.id, one.shape, one.dtype), (device.id, (120, dim), np.dtype(kind)))
                        # A number of single precision is rounded, twice 2^-24 of its size, up to 18 (the box).
                        np.testing.assert_allclose(one.numpy(), getattr(gas, name), atol=2e-6 if kind == "float32" else 1e-6)
                        taken = dlpack.Taken(one.__dlpack__())
                        self.assertEqual((taken.shape, taken.dtype), (one.shape, one.dtype))
                        if device.backend != "opencl":  # whose arrays other packages get as a copy on the host
                            self.assertEqual(taken.address, dlpack.Taken(one.__dlpack__()).address)
                    before = {name: one.numpy().copy() for name, one in state.items()}
                    gas.step(5)
                    for name, one in state.items():  # steps do not change them
                        np.testing.assert_array_equal(one.numpy(), before[name])
                        self.assertGreater(np.abs(getattr(gas, name) - before[name]).max(), 1e-4)
                        setattr(gas, name, one)
                        np.testing.assert_allclose(getattr(gas, name), before[name], atol=2e-6)
                    gas.positions, gas.velocities = Other(state.positions), Other(state.velocities)
                    np.testing.assert_allclose(gas.velocities, before["velocities"], atol=2e-6)


class Primitives(Case):
    def test_sort(self):
        for device in places():
            for dtype, most in (("uint32", 1 << 32), ("uint64", 1 << 64)):
                for count in (0, 1, 7, 1000):
                    keys = RANDOM.integers(0, min(most, 500 if count == 7 else most), count, dtype=dtype)
                    values = np.arange(count, dtype="float32")
                    order = np.argsort(keys, kind="stable")
                    out, moved = shoal.sort(keys, values, device=device)
                    np.testing.assert_array_equal(out.numpy(), keys[order])
                    np.testing.assert_array_equal(moved.numpy(), values[order])
                    np.testing.assert_array_equal(shoal.sort(shoal.array(keys, device)).numpy(), keys[order])

    def test_scan(self):
        for device in places():
            for count in (0, 1, 5, 3001):
                values = RANDOM.integers(0, 1 << 32, count, dtype="uint32")
                found = shoal.scan(values, device=device)
                self.assertEqual(found.device.id, device.id)
                np.testing.assert_array_equal(found.numpy(), np.cumsum(values, dtype="uint32") - values)

    def test_reduce(self):
        for device in places():
            for dtype in ("float32", "float64"):
                values = RANDOM.normal(size=(33, 71)).astype(dtype)
                self.assertIs(type(shoal.reduce(values, device=device)), np.dtype(dtype).type)
                # n eps |x|: the bound of any order of the sum
                self.assertAlmostEqual(shoal.reduce(values, device=device), values.sum(dtype="float64"),
                                       delta=values.size * np.finfo(dtype).eps * np.abs(values).sum())
                values[3, 4:9] = np.nan, -7, np.inf, -7, np.nan
                one = shoal.array(values, device)
                self.assertEqual((shoal.reduce(one, "min"), shoal.reduce(one, "argmin")), (-7, 3 * 71 + 5))
                self.assertTrue(np.isnan(shoal.reduce(one)))
                self.assertTrue(np.isnan(shoal.reduce(np.full(5, np.nan, dtype), "min", device=device)))
            exact = shoal.reduce(np.full(9, (1 << 32) - 1, "uint32"), device=device)
            self.assertEqual((exact, exact.dtype), (9 * ((1 << 32) - 1), np.uint64))
            self.assertEqual(shoal.reduce(np.empty(0, "float32"), device=device), 0)

    @in_full
    def test_gemm(self):
        host = shoal.devices("host")[0]
        for device in places():
            for dtype, near in (("float32", 2e-6), ("float64", 1e-14)):  # some eps of sums of 33 terms of size 1
                a, b, c, bias = (RANDOM.uniform(-0.5, 0.5, shape).astype(dtype) for shape in ((9, 33), (33, 17), (9, 17), 17))
                np.testing.assert_allclose(shoal.gemm(a, b, device=device).numpy(), a @ b, atol=near)
                # Each kernel takes time to build.
                for activation in ("linear", "gelu", "silu") if dtype == "float32" else ("leaky_relu",):
                    found, same = (shoal.gemm(np.ascontiguousarray(a.T), b, c, alpha=2, beta=-1, bias=bias, activation=activation,
                                              transposed_a=True, device=one).numpy() for one in (device, host))
                    np.testing.assert_allclose(found, same, atol=4 * near)
                np.testing.assert_allclose(shoal.gemm(a, np.ascontiguousarray(b.T), transposed_b=True, device=device).numpy(), a @ b, atol=near)
            self.assertEqual(shoal.gemm(np.empty((0, 3)), np.empty((3, 2)), device=device).shape, (0, 2))
            np.testing.assert_array_equal(shoal.gemm(np.empty((2, 0)), np.empty((0, 3)), device=device).numpy(), np.zeros((2, 3)))

    def test_mistakes(self):
        a, keys = np.ones((2, 3)), np.arange(3, dtype="uint32")
        for words, function, arguments in (
                ("^keys has numbers of the type uint32 or uint64, not float64", shoal.sort, [np.ones(3)]),
                ("^keys has the shape", shoal.sort, [np.ones((2, 2), "uint32")]),
                ("^values has .* for each key", shoal.sort, [keys, np.ones(2)]), ("^values has .* for each key", shoal.sort, [keys, np.ones(3, "int8")]),
                ("^values has numbers of the type uint32, not int64", shoal.scan, [np.arange(3)]),
                ("^there is no kind max; there are sum, min, argmin$", shoal.reduce, [np.ones(3), "max"]),
                ("^values has numbers of the type float32 or float64, not uint32", shoal.reduce, [keys, "min"]),
                ("^values has no element", shoal.reduce, [np.empty(0), "argmin"]),
                ("^a has 3 terms for each element, b has 2", shoal.gemm, [a, a]), ("^b has numbers of the type float32", shoal.gemm, [a, a.T.astype("f4")]),
                ("^c has the shape", shoal.gemm, [a, a.T, a]), ("^a has the shape", shoal.gemm, [a[0], a])):
            for device in places():
                self.refuses(words, function, *arguments, device=device)
        self.refuses("^bias has the shape", shoal.gemm, a, a.T, bias=a[0], device="host")
        self.refuses("^there is no activation cubic; there are linear, ", shoal.gemm, a, a.T, activation="cubic", device="host")


if __name__ == "__main__":
    main()
