"""DLPack: arrays of other packages in the memory of a device, without a copy (https://dmlc.github.io/dlpack)."""
import ctypes

import numpy as np

CPU, CUDA, CUDA_HOST = 1, 2, 3  # kinds of devices
_KINDS = {"i": 0, "u": 1, "f": 2}
_NAME, _USED = b"dltensor", b"used_dltensor"


class _Place(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("index", ctypes.c_int32)]


class _Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _Place), ("ndim", ctypes.c_int32), ("dtype", _Type),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter)]


_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_api = ctypes.pythonapi
_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, _Destructor)(("PyCapsule_New", _api))
# A destructor has the address of an object that ends, which must not be counted as used.
_is_valid_at = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _api))
_pointer_at = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", _api))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
_rename = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", _api))

_given: dict = {}  # what keeps the memory of each capsule that was given to another package


@_Deleter
def _delete(managed):
    _given.pop(managed, None)


@_Destructor
def _end(capsule):
    if _is_valid_at(capsule, _NAME):  # no package has taken its array
        _given.pop(_pointer_at(capsule, _NAME), None)


def capsule_of(address, shape, dtype, kind, index, keep):
    """A capsule with the array at the address of a device. keep: an object that keeps the memory."""
    sizes = (ctypes.c_int64 * max(len(shape), 1))(*shape)
    tensor = _Tensor(address, _Place(kind, index), len(shape), _Type(_KINDS[dtype.kind], 8 * dtype.itemsize, 1), sizes, None, 0)
    managed = _Managed(tensor, None, _delete)
    place = ctypes.addressof(managed)
    _given[place] = managed, sizes, keep
    return _new(place, _NAME, _end)


class Taken:
    """The array of a capsule of another package, which is released when this object ends."""

    def __init__(self, capsule):
        if not _is_valid(capsule, _NAME):
            raise ValueError("the capsule has no array, or its array was already taken")
        managed = _Managed.from_address(_pointer(capsule, _NAME))
        tensor = managed.tensor
        kinds = {number: kind for kind, number in _KINDS.items()}
        if tensor.dtype.code not in kinds or tensor.dtype.lanes != 1 or tensor.dtype.bits not in (8, 16, 32, 64):
            raise TypeError("an array has integers or floats")
        self.dtype = np.dtype(f"{kinds[tensor.dtype.code]}{tensor.dtype.bits // 8}")
        self.shape = tuple(tensor.shape[:tensor.ndim])
        if tensor.strides and not self._is_packed(tensor.strides[:tensor.ndim]):
            raise ValueError("an array lies row after row in memory: make a contiguous copy")
        self.kind, self.index = tensor.device.kind, tensor.device.index
        self.address = (tensor.data or 0) + tensor.byte_offset
        _rename(capsule, _USED)
        self._managed = managed

    def _is_packed(self, strides):
        wanted = 1
        for size, stride in zip(reversed(self.shape), reversed(strides)):
            if size > 1 and stride != wanted:
                return False
            wanted *= size
        return True

    def __del__(self):
        managed = getattr(self, "_managed", None)
        if managed is not None and managed.deleter:
            managed.deleter(ctypes.addressof(managed))
