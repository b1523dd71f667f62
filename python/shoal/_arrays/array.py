"""Arrays in the memory of devices."""
import math
import threading

import numpy as np

from . import dlpack
from .._library import Device, Owner, call, device_pointer, ffi, invalid, lib, shown


class _Thread(threading.local):
    """What a thread has of its own: a queue for each device, and objects that compute with it."""

    def __init__(self):
        self.queues, self.objects = {}, {}


_thread = _Thread()


def device_of(device):
    """The Device of an argument `device`."""
    return device if isinstance(device, Device) else Device(device_pointer(device))


def queue_of(device):
    """This thread's queue of a device, as an Owner."""
    if device.id not in _thread.queues:
        queue = Owner("shoal_queue", lib.shoal_queue_destroy)
        call(lib.shoal_queue_create, device_pointer(device), 0, queue.address)
        _thread.queues[device.id] = queue
    return _thread.queues[device.id]


def object_of(device, key, kind, create):
    """This thread's object of the library for a device and a key; the last 32 are kept. create: called with the object's
    address if there is none."""
    objects, key = _thread.objects, (device.id, *key)
    made = objects.pop(key, None)
    if made is None:
        made = Owner(f"shoal_{kind}", getattr(lib, f"shoal_{kind}_destroy"), queue_of(device))
        create(made.address)
    objects[key] = made
    if len(objects) > 32:
        objects.pop(next(iter(objects))).release()
    return made.pointer


class Array:
    """Numbers in the memory of a device, row after row: made by shoal.array(), and by sort, scan and gemm.

    shape, dtype, ndim, size, nbytes: as of NumPy's arrays; device: the shoal.Device. numpy() is a copy on the host; an
    array of the device host is NumPy's memory itself. Packages with from_dlpack() take an array of a CUDA device and of
    the host without a copy, and one of an OpenCL device as a copy on the host. A thread at a time uses an array."""

    def __init__(self, device, values, buffer, shape, dtype):
        self.device, self.shape, self.dtype = device, tuple(map(int, shape)), np.dtype(dtype)
        self._values, self._buffer = values, buffer  # of the host, or of another device
        self._taken = None  # what another package gave

    @property
    def ndim(self):
        """Number of dimensions."""
        return len(self.shape)

    @property
    def size(self):
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self):
        """Number of bytes."""
        return self.size * self.dtype.itemsize

    def __len__(self):
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __repr__(self):
        return f"<shoal.Array of the shape {self.shape}, {self.dtype.name}, on {self.device.id}>"

    def numpy(self):
        """The numbers as a NumPy array: a copy, on the device host the memory itself."""
        if self._values is not None:
            return self._values
        values = np.empty(self.shape, self.dtype)
        call(lib.shoal_buffer_read, queue_of(self.device).pointer, self.pointer, 0, _bytes(values), self.nbytes)
        return values

    def __array__(self, dtype=None, copy=None):
        if copy is False and (self._values is None or dtype is not None and self.dtype != dtype):
            raise ValueError(f"{self!r} is not in NumPy's memory as numbers of {np.dtype(dtype or self.dtype)}: allow a copy")
        values = self.numpy()
        if dtype is not None:
            values = values.astype(dtype, copy=False)
        return values.copy() if copy and values is self._values else values

    @property
    def pointer(self):
        """The struct shoal_buffer of an array that is not on the host."""
        return self._buffer.pointer

    def _place(self):
        if self.device.backend == "cuda" and not self.device.part_of:
            return dlpack.CUDA, int(self.device.id.partition(":")[2])
        return dlpack.CPU, 0

    def __dlpack_device__(self):
        return self._place()

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A capsule with the array, for from_dlpack() of another package. The numbers are there when the call returns, so
        that any stream may read them. BufferError: another device than the array's or the host is asked for, or the
        host without a copy while the numbers are elsewhere."""
        kind, index = self._place()
        wanted = (kind, index) if dl_device is None else tuple(map(int, dl_device))
        if wanted not in ((kind, index), (dlpack.CPU, 0)):
            raise BufferError(f"{self!r} can be given on its own device or on the host, not on DLPack's device {wanted}")
        if copy is False and wanted[0] == dlpack.CPU and self._values is None:
            raise BufferError(f"{self!r} is not in the memory of the host: allow a copy")
        if wanted[0] == dlpack.CPU or copy:
            values = self.numpy()
            values = values.copy() if copy and values is self._values else values
            return dlpack.capsule_of(values.ctypes.data, self.shape, self.dtype, dlpack.CPU, 0, values)
        address = ffi.new("shoal_cuda_pointer *")
        call(lib.shoal_queue_finish, queue_of(self.device).pointer)
        if not lib.shoal_cuda_buffer_unwrap(self.pointer, address):
            raise BufferError(f"{self!r} has no address")
        return dlpack.capsule_of(address[0], self.shape, self.dtype, kind, index, self)


def _bytes(values):
    return ffi.cast("void *", values.ctypes.data)


def empty(device, shape, dtype):
    """An array whose numbers are not set."""
    dtype = np.dtype(dtype)
    if device.is_host:
        return Array(device, np.empty(shape, dtype), None, shape, dtype)
    buffer = Owner("shoal_buffer", lib.shoal_buffer_destroy)
    call(lib.shoal_buffer_create, device_pointer(device), max(1, math.prod(shape) * dtype.itemsize), buffer.address)
    return Array(device, None, buffer, shape, dtype)


def _wrapped(values, index):
    """The array of another package on CUDA device number `index`, without a copy."""
    device = device_of(f"cuda:{index}")
    stream = ffi.new("shoal_cuda_stream *")
    lib.shoal_cuda_queue_unwrap(queue_of(device).pointer, stream)
    # Steps of the other package that write the array come before those of this stream, which is waited for, so that every
    # queue may read the array.
    taken = dlpack.Taken(values.__dlpack__(stream=int(ffi.cast("uintptr_t", stream[0]))))
    call(lib.shoal_queue_finish, queue_of(device).pointer)
    buffer = Owner("shoal_buffer", lib.shoal_buffer_destroy)
    bytes_ = math.prod(taken.shape) * taken.dtype.itemsize
    if not bytes_:
        return empty(device, taken.shape, taken.dtype)
    call(lib.shoal_cuda_buffer_wrap, device_pointer(device), taken.address, bytes_, buffer.address)
    array = Array(device, None, buffer, taken.shape, taken.dtype)
    array._taken = taken
    return array


def on_host(values, dtype=None):
    """Numbers of the caller, wherever they are, as a NumPy array."""
    if not isinstance(values, (np.ndarray, Array)) and hasattr(values, "__dlpack_device__"):
        kind, index = values.__dlpack_device__()
        if kind == dlpack.CUDA:
            values = _wrapped(values, index)
        elif not hasattr(values, "__array__"):
            values = np.from_dlpack(values)
    return np.asarray(values, dtype)


def array(values, device=None, dtype=None):
    """Puts numbers into the memory of a device.

    values: an array of any shape, or a nested list, of integers or floats, a shoal.Array, or an array of another package with
        __dlpack__ (PyTorch, CuPy, JAX), which is taken without a copy if it is on `device` already, a CUDA device.
    device: a shoal.Device, or a selector such as "gpu", whose first device is used; None: where the array is, otherwise the
        machine's first device. On the host a NumPy array is taken without a copy if its rows follow each other.
    dtype: NumPy's type of the numbers; None: that of the values. The bytes of a number are in the order of the machine."""
    return placed("values", values, device, dtype)


def _type_of(dtype):
    if dtype is None:
        return None
    try:
        found = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError):
        found = None
    if found is None or found.kind not in "iuf":
        raise TypeError(f"dtype is NumPy's type of integers or floats, such as \"float32\", not {shown(dtype)}")
    return found


def placed(name, values, device, dtype=None):
    """The numbers of the argument `name` as array() returns them."""
    place, dtype = None if device is None else device_of(device), _type_of(dtype)
    if not isinstance(values, (np.ndarray, Array)) and hasattr(values, "__dlpack_device__"):
        kind, index = values.__dlpack_device__()
        if kind == dlpack.CUDA:
            values = _wrapped(values, index)
    if isinstance(values, Array):
        place = place or values.device
        if place.id == values.device.id and (dtype is None or values.dtype == dtype):
            return values
    place = place or device_of(None)
    wanted = "an array of integers or floats of up to 8 bytes"
    try:
        given, values = values, np.asarray(on_host(values, dtype), order="C")
    except (TypeError, ValueError, OverflowError):  # rows of different lengths, or no numbers of this type
        raise TypeError(f"{name} is {wanted}, not {shown(values)}") from None
    if values.dtype.kind not in "iuf" or values.dtype.itemsize > 8:
        raise TypeError(f"{name} is {wanted}, not {shown(given) if values.dtype.kind == 'O' else f'of the type {values.dtype}'}")
    values = values.astype(values.dtype.newbyteorder("="), copy=False)
    if place.is_host:
        return Array(place, values, None, values.shape, values.dtype)
    made = empty(place, values.shape, values.dtype)
    call(lib.shoal_buffer_write, queue_of(place).pointer, made.pointer, 0, _bytes(values), values.nbytes)
    call(lib.shoal_queue_finish, queue_of(place).pointer)
    return made


def together(device, **named):
    """Arrays of several arguments on one device: that of `device`, else of the first shoal.Array or CUDA array among them,
    else the machine's first device. None stays None."""
    given = {name: values for name, values in named.items() if values is not None}
    if device is None:
        for values in given.values():
            if isinstance(values, Array) or not isinstance(values, np.ndarray) and hasattr(values, "__dlpack_device__"):
                device = placed("", values, None).device
                break
    place = device_of(device)
    made = {name: placed(name, values, place) for name, values in given.items()}
    return place, [made.get(name) for name in named]


def check_type(name, values, types):
    if values.dtype.name not in types:
        raise invalid(f"{name} has numbers of the type {' or '.join(types)}, not {values.dtype.name}")
