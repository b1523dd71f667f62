#!/usr/bin/env python3
"""PyTorch, CuPy and JAX share arrays on a CUDA device with shoal, without a copy: the same addresses, and the same numbers.

usage: PYTHONPATH=FOLDER dlpack_gpu.py [--device cuda:0] [--bytes N] [PACKAGE...]

FOLDER holds the package shoal, and in it or in SHOAL_LIBRARY the library. Prints a line for each case: passed, FAILED with the
error, or skipped with the reason. The exit code is 1 if a case failed, 77 if none ran. With --device host the packages share
memory of the host. PACKAGE: torch, cupy, jax or numpy; without one the first three, on the host jax and numpy. --bytes: the size
of the array that is handed over while the free memory of the device is looked at.
"""
import argparse
import contextlib
import gc
import os
import sys
import traceback
import warnings

import numpy as np
import shoal
from shoal._arrays import dlpack
from shoal._library import ffi, lib

RANDOM = np.random.default_rng(5)


class Skipped(Exception):
    """The case is not for this package or device."""


def address_of(array):
    """The address of a shoal.Array on the host or on a CUDA device."""
    if array.device.is_host:
        return array.numpy().ctypes.data
    address = ffi.new("shoal_cuda_pointer *")
    assert lib.shoal_cuda_buffer_unwrap(array.pointer, address), "the array has no address"
    return int(address[0])


class Package:
    """What the packages have in common. wait: until the device has the numbers."""
    can_write, has_streams = True, False

    def __init__(self, module, device):
        self.module, self.is_host, self.index = module, device == "host", int(device.partition(":")[2] or 0)

    def wait(self):
        pass


class NumPy(Package):
    can_write = False  # it takes such capsules as arrays to read

    def made(self, values):
        return values.copy()

    def taken(self, array):
        return self.module.from_dlpack(array)

    def address(self, tensor):
        return tensor.ctypes.data

    def numpy(self, tensor):
        return tensor


class PyTorch(Package):
    has_streams = True

    def made(self, values):
        tensor = self.module.from_numpy(values.copy())
        return tensor if self.is_host else tensor.to(f"cuda:{self.index}")

    def taken(self, array):
        return self.module.from_dlpack(array)

    def address(self, tensor):
        return tensor.data_ptr()

    def numpy(self, tensor):
        return tensor.cpu().numpy()

    def wait(self):
        if not self.is_host:
            self.module.cuda.synchronize(self.index)

    @contextlib.contextmanager
    def on_another_stream(self):
        with self.module.cuda.stream(self.module.cuda.Stream(self.index)):
            yield

    def free_bytes(self):
        return self.module.cuda.mem_get_info(self.index)[0]


class CuPy(Package):
    has_streams = True

    def made(self, values):
        with self.module.cuda.Device(self.index):
            return self.module.asarray(values)

    def taken(self, array):
        return self.module.from_dlpack(array)

    def address(self, tensor):
        return tensor.data.ptr

    def numpy(self, tensor):
        return self.module.asnumpy(tensor)

    def wait(self):
        self.module.cuda.Device(self.index).synchronize()

    @contextlib.contextmanager
    def on_another_stream(self):
        with self.module.cuda.Stream(non_blocking=True):
            yield

    def free_bytes(self):
        return self.module.cuda.Device(self.index).mem_info[0]


class Jax(Package):
    can_write = False  # its arrays do not change

    def made(self, values):
        platform = "cpu" if self.is_host else "cuda"
        return self.module.device_put(values, self.module.devices(platform)[self.index]).block_until_ready()

    def taken(self, array):
        return self.module.dlpack.from_dlpack(array)

    def address(self, tensor):
        return tensor.unsafe_buffer_pointer()

    def numpy(self, tensor):
        return np.asarray(tensor)


PACKAGES = {"torch": PyTorch, "cupy": CuPy, "jax": Jax, "numpy": NumPy}


def placed(package, values):
    """A tensor of the package with these numbers, once they are there."""
    tensor = package.made(values)
    package.wait()
    return tensor


def same(first, second, what="the address"):
    assert first == second, f"{what} is {second:#x}, not {first:#x}: there was a copy" if isinstance(first, int) else f"{second}, not {first}"


def shared(package, array):
    """What the package takes of a shoal.Array: the same memory, but that XLA copies arrays of the host at other addresses than
    multiples of 64."""
    tensor, address = package.taken(array), address_of(array)
    if not (isinstance(package, Jax) and array.device.is_host and address % 64):
        same(address, package.address(tensor))
    return tensor


# Cases: a package, the word of the device, and the options of the program ----------------------------------------------------------


def buffer_from(package, device, _):
    """shoal.array(tensor) is the memory of the tensor."""
    for dtype in ("float32", "float64", "int32", "uint8", "int64", "float16"):
        values = RANDOM.integers(0, 100, (7, 5)).astype(dtype)
        tensor = placed(package, values)
        array = shoal.array(tensor, None if device == "host" else device)
        if device == "host":
            array = shoal.array(package.numpy(tensor), "host")
        same(package.address(tensor), address_of(array))
        same((device, (7, 5), np.dtype(dtype)), (array.device.id, array.shape, array.dtype))
        np.testing.assert_array_equal(array.numpy(), values)
        if package.can_write:
            tensor[3, 2] = 77
            package.wait()
            same(77, int(array.numpy()[3, 2]), "a number that the package has written")
        del tensor
        gc.collect()
        np.testing.assert_array_equal(array.numpy()[:3], values[:3])


def buffer_to(package, device, _):
    """from_dlpack(shoal.Array) is the memory of the array, which lives as long as either."""
    for dtype in ("float32", "float64", "int32", "uint8", "int64", "float16"):
        values = RANDOM.integers(0, 100, (6, 3)).astype(dtype)
        array = shoal.array(aligned(values) if device == "host" else values, device)
        tensor = shared(package, array)
        np.testing.assert_array_equal(package.numpy(tensor), values)
        if package.can_write:
            tensor[1, 1] = 55
            package.wait()
            same(55, int(array.numpy()[1, 1]), "a number that the package has written")
        del array
        gc.collect()
        shoal.array(np.zeros(values.shape, dtype), device)  # would take the memory if it were free
        np.testing.assert_array_equal(package.numpy(tensor)[2:], values[2:])


def aligned(values):
    """The values where XLA takes them: at a multiple of 64 bytes."""
    room = np.empty(values.nbytes + 64, np.uint8)
    out = room[-room.ctypes.data % 64:][:values.nbytes].view(values.dtype).reshape(values.shape)
    out[...] = values
    return out


def no_room(package, device, options):
    """A large array is handed over both ways, and the free memory of the device stays."""
    if device == "host" or not hasattr(package, "free_bytes"):
        raise Skipped("the package does not tell the free memory of a device")
    tensor = package.made(np.zeros(options.bytes // 4, np.float32))
    shoal.reduce(shoal.array(tensor))  # what the first call needs
    package.wait()
    before = package.free_bytes()
    array = shoal.array(tensor)
    same(0.0, float(shoal.reduce(array)))
    back = shared(package, array)
    same(package.address(tensor), package.address(back))
    used = before - package.free_bytes()
    assert used < options.bytes // 16, f"{used} bytes of the device were taken for an array of {options.bytes}"


def primitives(package, device, _):
    """sort, scan, reduce and gemm take tensors and return arrays that the package takes."""
    keys = RANDOM.integers(0, 1 << 31, 1000).astype("uint32")
    values = np.arange(1000, dtype="float32")
    order = np.argsort(keys, kind="stable")
    given = {name: shoal.array(placed(package, one), device) for name, one in (("keys", keys), ("values", values))}
    sorted_, moved = shoal.sort(given["keys"], given["values"])
    for found, wanted in ((sorted_, keys[order]), (moved, values[order]), (shoal.scan(given["keys"]), np.cumsum(keys, dtype="uint32") - keys)):
        np.testing.assert_array_equal(package.numpy(shared(package, found)), wanted)
    a, b = (RANDOM.normal(size=shape).astype("float32") for shape in ((33, 20), (20, 9)))
    product = shoal.gemm(placed(package, a), placed(package, b), device=device)
    np.testing.assert_allclose(package.numpy(shared(package, product)), a @ b, atol=1e-4)
    np.testing.assert_allclose(shoal.reduce(placed(package, a), device=device), a.sum(dtype=float), atol=1e-3)


def batches(package, device, _):
    """A trainer reads the memory of batches, and makes the same updates as with NumPy's."""
    x, labels = RANDOM.normal(size=(64, 8)).astype("float32"), RANDOM.integers(0, 3, 64).astype("uint32")
    numbers = RANDOM.normal(size=(64, 2)).astype("float32")
    for y, options in ((labels, {"classes": True}), (numbers, {})):
        found = []
        for own in (np.asarray, lambda values: placed(package, values)):
            trainer = shoal.Trainer(8, 3 if options else 2, 64, device=device, hidden="16", seed=2, **options)
            found.append([*(trainer.update(own(x), own(y)) for _ in range(5)), *trainer.parameters])
        same(found[0], found[1])
        if device == "host":
            continue  # batches of the host are converted to double precision
        for name, values in (("x", x), ("y", y)):
            tensor = placed(package, values)
            buffer, keep = trainer._place(name, tensor, values.shape, values.dtype)
            address = ffi.new("shoal_cuda_pointer *")
            assert keep is not None and lib.shoal_cuda_buffer_unwrap(buffer, address), f"the trainer has a copy of {name}"
            same(package.address(tensor), int(address[0]))


def gases(package, device, _):
    """The package takes the state of a gas on the device, and the gas takes tensors."""
    for precision in ("single", "double"):
        with shoal.Gas(device, particles=500, density=0.4, dim=3, precision=precision) as gas:
            gas.step(20)
            state = gas.arrays()
            for name, array in state.items():
                same((device, (500, 3)), (array.device.id, array.shape))
                np.testing.assert_allclose(package.numpy(shared(package, array)), getattr(gas, name), atol=2e-6)
            before, velocities = state.positions.numpy().copy(), gas.velocities
            gas.step(5)
            gas.positions = placed(package, before)
            np.testing.assert_allclose(gas.positions, before, atol=2e-6)
            gas.velocities = placed(package, (velocities / 2).astype("float32"))
            np.testing.assert_allclose(gas.velocities, velocities / 2, atol=2e-6)
            gas.step(5)
            np.testing.assert_array_equal(state.positions.numpy(), before)  # steps do not change what was given


def others(package, device, _):
    """Estimators, nets, fits and tours take tensors, by a copy on the host."""
    x, t = RANDOM.normal(size=(80, 3)), np.linspace(0, 1, 50)
    y = (x[:, 0] > 0).astype("int64")

    def results(own):
        net = shoal.MLPClassifier((4,), max_iter=3, random_state=1).fit(own(x), own(y))
        fit = shoal.fit("a*t + b", {"t": own(t), "y": own(2 * t)}, {"a": (0, 5), "b": (-1, 1)}, "y", evaluations=500)
        mlp = shoal.MLP(own(x), own(y), device="host", hidden="4", epochs=2)
        return [net.predict_proba(own(x)), fit.x, np.array(mlp.train().value), mlp.predict(own(x)), shoal.tour(own(x[:, :2]), iterations=1).order]
    for found, wanted in zip(results(lambda values: placed(package, values)), results(np.asarray)):
        np.testing.assert_array_equal(found, wanted)


def streams(package, device, _):
    """Numbers that another stream of the package still writes are there when shoal reads them, and the reverse."""
    if device == "host" or not package.has_streams:
        raise Skipped("the package has no streams of its own")
    side, size = 2048, 2048 * 2048
    for _ in range(10):
        start = placed(package, np.full((side, side), 1 / side, np.float32))
        with package.on_another_stream():
            tensor = start
            for _ in range(20):  # some milliseconds of work; each product has the same numbers
                tensor = tensor @ start
            array = shoal.array(tensor)
        found = float(shoal.reduce(array))
        assert abs(found - size / side) < 1, f"the sum is {found}, not {size / side}"
        product = shoal.gemm(array, array)
        with package.on_another_stream():
            total = package.taken(product).sum()
        package.wait()
        assert abs(float(total) - size / side) < 1, f"the sum is {float(total)}, not {size / side}"


def refusals(package, device, _):
    """Tensors that cannot be shared are refused in one line."""
    if device == "host":
        raise Skipped("on the host arrays that lie apart are copied")
    if not package.can_write:
        raise Skipped("arrays of the package lie row after row")
    tensor = placed(package, np.zeros((6, 6), np.float32))
    for wrong in (tensor[:, ::2], tensor.T[1:]):
        try:
            shoal.array(wrong)
        except ValueError as problem:
            assert str(problem) == "an array lies row after row in memory: make a contiguous copy", problem
        else:
            raise AssertionError("an array with gaps was taken")


CASES = (buffer_from, buffer_to, no_room, primitives, batches, gases, others, streams, refusals)


def imported(name, device):
    """(the package, why there is none)"""
    try:
        module = __import__(name)
        if name == "jax":
            import jax.dlpack  # noqa: F401
            jax.config.update("jax_enable_x64", True)
        if name == "torch" and device != "host" and not module.cuda.is_available():
            return None, "torch has no CUDA device"
        package = PACKAGES[name](module, device)
        package.made(np.zeros(2, np.float32))
        return package, None
    except Exception as problem:  # a package that is not there, or has no such device
        return None, f"{type(problem).__name__}: {str(problem).strip().splitlines()[0] if str(problem).strip() else ''}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--bytes", type=int, default=1 << 30)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # nets that have not converged
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # otherwise JAX takes most of the device's memory
    names = options.packages or (["jax", "numpy"] if options.device == "host" else ["torch", "cupy", "jax"])
    if wrong := [name for name in names if name not in PACKAGES]:
        parser.error(f"there is no package {wrong[0]}; there are {', '.join(PACKAGES)}")
    try:
        device, = shoal.devices(options.device)
    except shoal.Error as problem:
        print(f"skipped: {problem}")
        return 77
    print(f"shoal {shoal.__version__} on {device.id}, {device.name}")
    counts = {"passed": 0, "FAILED": 0, "skipped": 0}
    for name in names:
        package, reason = imported(name, options.device)
        version = getattr(package.module, "__version__", "") if package else ""
        for case in CASES:
            state, words = "passed", case.__doc__
            try:
                if package is None:
                    raise Skipped(reason)
                case(package, options.device, options)
            except Skipped as problem:
                state, words = "skipped", str(problem)
            except Exception:
                state, words = "FAILED", traceback.format_exc()
            counts[state] += 1
            print(f"{state:<8} {name} {version:<10} {case.__name__:<12} {words}", flush=True)
    print(", ".join(f"{count} {state}" for state, count in counts.items()))
    return 1 if counts["FAILED"] else 0 if counts["passed"] else 77


if __name__ == "__main__":
    sys.exit(main())
