"""Arrays in the memory of devices, what computes with them, and their exchange with other packages."""
from .array import Array, array, on_host
from .primitives import gemm, reduce, scan, sort

__all__ = ["Array", "array", "gemm", "on_host", "reduce", "scan", "sort"]
