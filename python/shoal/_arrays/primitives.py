"""Sorts, prefix sums, reductions and matrix products of arrays on devices."""
import math

import numpy as np

from .array import check_type, empty, object_of, queue_of, together
from .._arguments import choice, flag, number
from .._library import call, device_pointer, ffi, invalid, lib

_TYPES = {"float32": lib.SHOAL_TYPE_FLOAT, "float64": lib.SHOAL_TYPE_DOUBLE, "uint32": lib.SHOAL_TYPE_UINT}
_MOST = 0x7fffffff  # SHOAL_PRIMITIVE_MAX
_REDUCTIONS = {"sum": lib.SHOAL_SUM, "min": lib.SHOAL_MIN, "argmin": lib.SHOAL_ARGMIN}
_ACTIVATIONS = {name[len("SHOAL_GEMM_"):].lower(): value
                for value, name in sorted(ffi.typeof("enum shoal_gemm_activation").elements.items())}


def _room(count):
    """The size for which an object is made: that of arrays of similar size, so that it can be used again."""
    return 1 << max(10, (count - 1).bit_length())


def _line(name, values):
    if values.ndim != 1:
        raise invalid(f"{name} has the shape {values.shape}: it has one dimension")
    if values.size > _MOST:
        raise invalid(f"{name} has {values.size} elements: the most are {_MOST}")


def _finish(device):
    call(lib.shoal_queue_finish, queue_of(device).pointer)


def sort(keys, values=None, *, device=None):
    """Sorts keys, rising, and their values with them; equal keys stay in their order.

    keys: an array of uint32 or uint64, shape (n,); values: None, or an array of n numbers of 4 or 8 bytes.
    device: where arrays of the host go; None: the device of the arrays, otherwise the machine's first device.

    Returns a shoal.Array of the sorted keys, with values a pair of arrays."""
    place, (keys, values) = together(device, keys=keys, values=values)
    _line("keys", keys)
    check_type("keys", keys, ("uint32", "uint64"))
    if values is not None and (values.shape != keys.shape or values.dtype.itemsize not in (4, 8)):
        raise invalid(f"values has {values.shape} numbers of {values.dtype.name}: it has a number of 4 or 8 bytes for each key")
    out = [empty(place, one.shape, one.dtype) for one in (keys, values) if one is not None]
    if place.is_host and values is None:
        out[0].numpy()[:] = np.sort(keys.numpy())
    elif place.is_host:
        order = np.argsort(keys.numpy(), kind="stable")
        for one, target in zip((keys, values), out):
            np.take(one.numpy(), order, out=target.numpy())
    elif keys.size:
        bits = 8 * keys.dtype.itemsize, 0 if values is None else 8 * values.dtype.itemsize
        room = min(_room(keys.size), _MOST)

        def create(address):
            params = ffi.new("struct shoal_sort_params *")
            lib.shoal_sort_params_init(params)
            params.max_n, (params.key_bits, params.value_bits) = room, bits
            call(lib.shoal_sort_create_with, device_pointer(place), params, address)
        sorter = object_of(place, ("sort", room, *bits), "sort", create)
        run = ffi.new("struct shoal_sort_args *", {"keys": keys.pointer, "keys_out": out[0].pointer, "n": keys.size, "end_bit": bits[0]})
        if values is not None:
            run.values, run.values_out = values.pointer, out[1].pointer
        call(lib.shoal_sort_run, sorter, queue_of(place).pointer, run)
        _finish(place)
    return out[0] if values is None else tuple(out)


def scan(values, *, device=None):
    """Prefix sums: element i is the sum of the elements before i, modulo 2^32.

    values: an array of uint32, shape (n,); device: as of sort(). Returns a shoal.Array of uint32, shape (n,)."""
    place, (values,) = together(device, values=values)
    _line("values", values)
    check_type("values", values, ("uint32",))
    out = empty(place, values.shape, values.dtype)
    if place.is_host:
        out.numpy()[:] = np.cumsum(values.numpy(), dtype=np.uint32) - values.numpy()
    elif values.size:
        room = min(_room(values.size), _MOST)
        scanner = object_of(place, ("scan", room), "scan", lambda address: call(
            lib.shoal_scan_create, device_pointer(place), room, lib.SHOAL_SCAN_AUTO, lib.SHOAL_VARIANT_AUTO, address))
        call(lib.shoal_scan_run, scanner, queue_of(place).pointer, values.pointer, 0, out.pointer, 0, values.size)
        _finish(place)
    return out


def _reduced_on_host(values, kind):
    if kind == "sum":
        return values.sum(dtype=np.uint64 if values.dtype == np.uint32 else values.dtype)
    numbers = np.flatnonzero(~np.isnan(values))  # NaN is larger than every number
    index = int(numbers[values[numbers].argmin()]) if len(numbers) else 0
    return index if kind == "argmin" else values[index]


def reduce(values, kind="sum", *, device=None):
    """Reduces an array to a number: kind "sum", "min", or "argmin", the index of the least element.

    values: an array of float32 or float64, for a sum also of uint32, whose sum is exact; all elements count, whatever the
    shape. NaN is larger than every number. device: as of sort(). Returns a NumPy number, for "argmin" an int."""
    choice("kind", kind, _REDUCTIONS)
    place, (values,) = together(device, values=values)
    check_type("values", values, ("float32", "float64", *(["uint32"] if kind == "sum" else [])))
    if not values.size and kind != "sum":
        raise invalid(f"values has no element, of which there is no {kind}")
    if place.is_host:
        return _reduced_on_host(values.numpy().ravel(), kind)
    dtype = np.dtype("uint64" if values.dtype == np.uint32 else values.dtype)
    room = min(_room(values.size), _MOST)
    reducer = object_of(place, ("reduce", kind, values.dtype.name, room), "reduce", lambda address: call(
        lib.shoal_reduce_create, device_pointer(place), _REDUCTIONS[kind], _TYPES[values.dtype.name], room, lib.SHOAL_VARIANT_AUTO,
        address))
    result, index = empty(place, (1,), dtype), empty(place, (1,), np.uint32)
    run = ffi.new("struct shoal_reduce_args *", {"data": values.pointer, "n": values.size, "result": result.pointer,
                                                 "index": index.pointer if kind == "argmin" else ffi.NULL})
    call(lib.shoal_reduce_run, reducer, queue_of(place).pointer, run)
    return int(index.numpy()[0]) if kind == "argmin" else result.numpy()[0]


def _erf(v):
    return np.vectorize(math.erf, otypes=[v.dtype])(v) if v.size else v


_ON_HOST = {"linear": lambda v: v, "logistic": lambda v: 1 / (1 + np.exp(-v)), "tanh": np.tanh, "relu": lambda v: np.maximum(v, 0),
            "leaky_relu": lambda v: np.where(v > 0, v, v.dtype.type(0.01) * v), "gelu": lambda v: v * (1 + _erf(v / 2 ** 0.5)) / 2,
            "gelu_tanh": lambda v: v * (1 + np.tanh((2 / np.pi) ** 0.5 * (v + 0.044715 * v ** 3))) / 2,
            "silu": lambda v: v / (1 + np.exp(-v))}


def _matrix(name, values, shape=None):
    if values.ndim != 2 or shape and values.shape != shape:
        raise invalid(f"{name} has the shape {values.shape}, not {shape or 'that of a matrix, (rows, columns)'}")


def _sizes(a, b, c, bias, transposed):
    """m, n and k of a product, whose arguments are checked."""
    arguments = {"a": a, "b": b, "c": c, "bias": bias}
    for name, values in arguments.items():
        if values is not None:
            check_type(name, values, ("float32", "float64"))
            if values.dtype != a.dtype:
                raise invalid(f"{name} has numbers of the type {values.dtype.name}, a has {a.dtype.name}")
    _matrix("a", a)
    _matrix("b", b)
    (m, k), (rows, n) = (one.shape[::-1] if flag else one.shape for one, flag in zip((a, b), transposed))
    if rows != k:
        raise invalid(f"a has {k} terms for each element, b has {rows}")
    if c is not None:
        _matrix("c", c, (m, n))
    if bias is not None and bias.shape != (n,):
        raise invalid(f"bias has the shape {bias.shape}, not ({n},)")
    return m, n, k


def gemm(a, b, c=None, *, alpha=1.0, beta=1.0, bias=None, activation="linear", transposed_a=False, transposed_b=False, device=None):
    """The matrix product f(alpha a b + beta c + bias).

    a: shape (m, k), with transposed_a=True (k, m); b: shape (k, n), with transposed_b=True (n, k); c: None, or shape (m, n);
    bias: None, or shape (n,), added to each row. All are of float32, or all of float64.
    activation: the function f: linear, logistic, tanh, relu, leaky_relu (0.01 below 0), gelu, gelu_tanh or silu.
    device: as of sort(). Returns a shoal.Array, shape (m, n)."""
    choice("activation", activation, _ACTIVATIONS)
    alpha, beta = number("alpha", alpha), number("beta", beta)
    place, (a, b, c, bias) = together(device, a=a, b=b, c=c, bias=bias)
    transposed = flag("transposed_a", transposed_a), flag("transposed_b", transposed_b)
    m, n, k = _sizes(a, b, c, bias, transposed)
    out = empty(place, (m, n), a.dtype)
    if place.is_host:
        left, right = (one.numpy().T if flag else one.numpy() for one, flag in zip((a, b), transposed))
        sums = a.dtype.type(alpha) * (left @ right)
        for more, factor in ((c, beta), (bias, 1)):
            sums = sums if more is None else sums + a.dtype.type(factor) * more.numpy()
        out.numpy()[:] = _ON_HOST[activation](sums)
    elif m and n:
        queue = queue_of(place).pointer

        def create(address):
            params = ffi.new("struct shoal_gemm_params *")
            lib.shoal_gemm_params_init(params)
            params.max_m, params.max_n, params.max_k, params.real = m, n, max(k, 1), _TYPES[a.dtype.name]
            params.transposed_a, params.transposed_b = transposed
            params.activation = _ACTIVATIONS[activation]
            call(lib.shoal_gemm_create, device_pointer(place), params, address)
        product = object_of(place, ("gemm", m, n, k, a.dtype.name, *transposed, activation), "gemm", create)
        run = ffi.new("struct shoal_gemm_args *")
        lib.shoal_gemm_args_init(run)
        run.a, run.b, run.c, run.m, run.n, run.k = a.pointer, b.pointer, out.pointer, m, n, k
        run.alpha, run.beta = alpha, 0 if c is None else beta
        if bias is not None:
            run.bias = bias.pointer
        if c is not None:
            call(lib.shoal_buffer_copy, queue, c.pointer, 0, out.pointer, 0, c.nbytes)
        call(lib.shoal_gemm_run, product, queue, run)
        _finish(place)
    return out
