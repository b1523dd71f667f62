"""Whole runs of a workload, and functions for results and samples."""
import os

import numpy as np

from ._library import (Result, call, device_pointer, failure, ffi, instance, interruptible, invalid, lib, new_error,
                       text)
from ._options import Table, documented

_ARGUMENTS = ("workload", "device", "variant", "resume", "checkpoint", "checkpoint_every")
# Options without effect in the package: only the command writes frames.
WITHOUT = ("frames",)
_VARIANTS = {"auto": lib.SHOAL_VARIANT_AUTO, "cl": lib.SHOAL_VARIANT_CL, "cu": lib.SHOAL_VARIANT_CU}


def variant_of(name):
    if name not in _VARIANTS:
        raise invalid(f"there is no variant {name}; there are {', '.join(_VARIANTS)}")
    return _VARIANTS[name]


def fields_of(result):
    """The fields of a struct shoal_result by their names; arrays are copies."""
    values = {}
    for field in result.fields[0:result.field_count]:
        name = text(field.name)
        if field.type == lib.SHOAL_FIELD_UINT:
            values[name] = field.uint
        elif field.type == lib.SHOAL_FIELD_FLAG:
            values[name] = bool(field.uint)
        elif field.type == lib.SHOAL_FIELD_REAL:
            values[name] = field.real
        elif field.type == lib.SHOAL_FIELD_REALS:
            values[name] = np.frombuffer(ffi.buffer(field.reals, 8 * field.count)).copy() if field.count else np.empty(0)
        else:
            values[name] = text(field.text)
    return values


def result_of(result):
    """A struct shoal_result as a Result."""
    common = {"value": result.value, "value_name": text(result.value_name), "title": text(result.title),
              "steps": result.steps, "error": result.error, "success": result.check_passed,
              "message": text(result.check_failure) or text(result.warning) or text(result.note) or "",
              "work": result.work, "work_unit": text(result.work_unit)}
    return Result({**common, **fields_of(result), **common})


class Samples:
    """Collects the samples of a run: a row for each sample, a column for each column of the workload's samples."""

    def __init__(self, workload):
        sampling = workload.sampling
        self._rows = []
        columns = [] if sampling == ffi.NULL else sampling.columns[0:sampling.column_count]
        kinds = {lib.SHOAL_COLUMN_UINT: "<u8", lib.SHOAL_COLUMN_REAL: "<f8"}
        self.type = np.dtype({"names": [text(column.name) for column in columns],
                              "formats": [kinds[column.type] for column in columns],
                              "offsets": [column.offset for column in columns],
                              "itemsize": 0 if sampling == ffi.NULL else sampling.size})
        self.callback = ffi.callback("shoal_sample_callback *", self._take)

    def _take(self, _, sample, __):
        self._rows.append(bytes(ffi.buffer(sample, self.type.itemsize)))
        return False

    def array(self):
        """The samples as a structured array: array()["step"] is a column."""
        rows = np.frombuffer(b"".join(self._rows), dtype=self.type)
        packed = np.empty(len(rows), dtype=[(name, self.type[name]) for name in self.type.names])
        for name in self.type.names:
            packed[name] = rows[name]
        return packed


class Run:
    """A run with its samples; the run ends when Python is interrupted."""

    def __init__(self, workload, variant):
        self._is_stopped = False
        self._workload = workload
        self._samples = Samples(workload)
        self.params = ffi.new("struct shoal_run_params *")
        lib.shoal_run_params_init(self.params)
        members = dict(ffi.typeof("struct shoal_run_params").fields)
        self._stop = ffi.callback(members["stop"].type, lambda _: self._is_stopped)
        self.params.stop = self._stop
        self.params.on_sample = self._samples.callback
        self.params.variant = variant_of(variant)

    def _end(self):
        self._is_stopped = True

    def make(self, device, params, finish=lambda solver: None):
        """Makes the run and returns its result. finish: called with the solver before the solver is destroyed."""
        call(lib.shoal_workload_validate, instance(), self._workload, params)
        return interruptible(lambda: self._work(device, params, finish), self._end)

    def _work(self, device, params, finish):
        report, error = ffi.new("struct shoal_report *"), new_error()
        status = lib.shoal_run(self._workload, device, params, self.params, report, error)
        try:
            if status not in (lib.SHOAL_OK, lib.SHOAL_CHECK_FAILED) or report.solver == ffi.NULL:
                raise failure(error)
            result = result_of(report.result)
            result.update(series=self._samples.array(), device_s=report.device_s, wall_s=report.wall_s,
                          build_s=report.build_s)
            finish(report.solver)
            return result
        finally:
            lib.shoal_report_clear(report)


def solve(workload, device=None, *, variant="auto", resume=None, checkpoint=None, checkpoint_every=0, **options):
    """Makes a whole run of a workload, as the command of this name does.

    workload: the name of a workload, such as "pso", "ga", "de", "gas", "tsp" or "mlp".
    device: a shoal.Device, or a selector such as "gpu", whose first device is used; None: the machine's first device.
    variant: "cl": OpenCL C kernels; "cu": native CUDA kernels; "auto": native CUDA kernels where available.
    resume: path of a checkpoint to start from; checkpoint: path of a checkpoint to write at the end, and every
        checkpoint_every seconds during the run (0: only at the end).

    The further arguments are the options of the workload, listed below.

    Returns a Result: value (value_name is the name of the quantity), success (the check on the host passed), message,
    the fields of the result by their names in --json, series (the samples, a structured array), and seconds of the
    device, of the host and of building kernels.
    """
    if workload not in TABLES:
        raise invalid(f"there is no workload {workload}; there are {', '.join(TABLES)}")
    table = TABLES[workload]
    params = table.new_params()
    keep = table.set(params, options)
    run = Run(table.workload, variant)
    for name, path in (("resume", resume), ("checkpoint", checkpoint)):
        if path is not None:
            keep.append(ffi.new("char[]", os.fsencode(path)))
            setattr(run.params, name, keep[-1])
    run.params.checkpoint_every = checkpoint_every
    return run.make(device_pointer(device), params)


_NAMES = [text(lib.shoal_workload_at(index).name) for index in range(lib.shoal_workload_count())]
TABLES = {name: Table(name, "solve", without=WITHOUT, taken=_ARGUMENTS) for name in _NAMES}
documented(solve, TABLES)
