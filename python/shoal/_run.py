"""Whole runs of a workload, and their samples."""
import numpy as np

from ._library import (Owner, Result, call, device_pointer, failure, ffi, file_name, in_python, instance, interruptible, invalid, lib, new_error,
                       text)
from ._arguments import choice, number
from ._files import Files, beside
from ._options import Table, documented
from ._progress import Progress
from ._results import add_rest, result_of

_ARGUMENTS = ("workload", "device", "variant", "resume", "checkpoint", "checkpoint_every", "progress")
# Options without effect in the package: only the command writes frames.
WITHOUT = ("frames",)
_VARIANTS = {"auto": lib.SHOAL_VARIANT_AUTO, "cl": lib.SHOAL_VARIANT_CL, "cu": lib.SHOAL_VARIANT_CU}


def variant_of(name):
    return _VARIANTS[choice("variant", name, _VARIANTS)]


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
        self._joins = False
        self.callback = ffi.callback("shoal_sample_callback *", self._take)

    def _take(self, _, sample, __):
        row = bytes(ffi.buffer(sample, self.type.itemsize))
        if self._joins and self._rows and self._step_of(self._rows[-1]) == self._step_of(row):
            self._rows.pop()
        self._joins = False
        self._rows.append(row)
        return False

    def _step_of(self, row):
        return np.frombuffer(row, dtype=self.type)["step"][0]

    def go_on(self):
        """The next sample may be one of the step of the last one, which it then replaces."""
        self._joins = True

    def columns(self):
        """The samples as an array for each column, by name."""
        rows = np.frombuffer(b"".join(self._rows), dtype=self.type)
        return Result({name: rows[name].copy() for name in self.type.names})


class Run:
    """A run with its samples; the run ends when Python is interrupted. progress: whether a line shows how far the run is."""

    def __init__(self, workload, variant, progress=False):
        self._is_stopped = False
        self._progress = Progress(progress)
        self._workload = workload
        self._samples = Samples(workload)
        self.params = ffi.new("struct shoal_run_params *")
        lib.shoal_run_params_init(self.params)
        members = dict(ffi.typeof("struct shoal_run_params").fields)
        self._stop = ffi.callback(members["stop"].type, lambda _: self._is_stopped)
        self.params.stop = self._stop
        if progress:
            self._show = ffi.callback(members["progress"].type, self._look)
            self.params.progress = self._show
        self.params.on_sample = self._samples.callback
        self.params.variant = variant_of(variant)

    def _look(self, _, progress):
        value = "" if progress.value != progress.value else f", {text(self._workload.progress_name)} {progress.value:.8g}"
        self._progress.show(f"{text(self._workload.name)}: step {progress.done} of {progress.total}, {progress.seconds:.1f} s{value}")

    def _end(self):
        self._is_stopped = True

    def make(self, device, params, finish=lambda solver, result: None):
        """Makes the run and returns its result. finish: called with solver and result before the solver is destroyed."""
        call(lib.shoal_workload_validate, instance(), self._workload, params)
        try:
            return interruptible(lambda: self._work(device, params, finish), self._end)
        finally:
            self._progress.close()

    def _work(self, device, params, finish):
        report, error = ffi.new("struct shoal_report *"), new_error()
        status = lib.shoal_run(self._workload, device, params, self.params, report, error)
        try:
            if status not in (lib.SHOAL_OK, lib.SHOAL_CHECK_FAILED) or report.solver == ffi.NULL:
                raise failure(error)
            result = result_of(report.result)
            info = lib.shoal_device_get_info(device)
            is_native = lib.shoal_solver_is_native(report.solver)
            result.update(series=self._samples.columns(), device_s=report.device_s, wall_s=report.wall_s, build_s=report.build_s,
                          first_launch_s=report.first_launch_s, timed_work=report.timed_work, timed_out=report.timed_out,
                          workload=text(self._workload.name), device=text(info.id),
                          variant=f"t{info.units}" if info.is_host else "cu" if is_native else "cl",
                          notes=in_python(text(lib.shoal_solver_notes(report.solver))) or None)
            finish(report.solver, result)
            return result
        finally:
            lib.shoal_report_clear(report)


class _Checkpoint:
    """The run that a checkpoint file holds."""

    def __init__(self, path):
        self.path, self._owner = path, Owner("shoal_checkpoint", lib.shoal_checkpoint_close)
        call(lib.shoal_checkpoint_open, file_name("resume", path), self._owner.address)
        self.workload = text(lib.shoal_checkpoint_workload(self._owner.pointer).name)
        self.is_of_host = lib.shoal_checkpoint_is_of_host(self._owner.pointer)

    def set(self, params, table, given):
        """Sets the options of the run, except those of the names `given`, whose texts this object keeps."""
        is_given = ffi.new("bool[]", table.workload.option_count)
        for name in given:
            if name in table.options:
                is_given[table.options[name].index] = True
        call(lib.shoal_checkpoint_params, self._owner.pointer, is_given, params)


def solve(workload=None, device=None, *, variant="auto", resume=None, checkpoint=None, checkpoint_every=0, progress=False, **options):
    """Makes a whole run of a workload, as the command of this name does.

    workload: the name of a workload, such as "pso", "ga", "de", "gas", "tsp" or "mlp".
    device: a shoal.Device, or a selector such as "gpu", whose first device is used; None: the machine's first device.
    variant: "cl": OpenCL C kernels; "cu": native CUDA kernels; "auto": native CUDA kernels where available.
    resume: path of a checkpoint to start from, which has workload and options of the run; those that may change can be given.
        Without device, a run of the host goes on there.
    checkpoint: path of a checkpoint to write at the end, and every checkpoint_every seconds during the run (0: only at the
        end). Arrays and frames of the run are written beside it, as CHECKPOINT.data-HASH.npy or .csv, which the resumed run reads;
        those of an older checkpoint stay.
    progress: shows step, time and the value so far in one line on stderr.

    The further arguments are the options of the workload, listed below. An option that names a file of rows takes an array,
    shape (rows, columns), a list of rows, a dict of columns or a frame, too. Cities count from 0 in tour, shape (cities,), and in
    the rows of candidates of list_file, shape (cities, candidates), or lists. start_file takes positions, shape (n, dim), with
    velocities behind them (n, 2 dim), in a box by width, height and depth. Arrays are written to a temporary file, or beside the
    checkpoint, which the library reads.

    Returns a Result, which holds what --json of the command holds, by the same names: value (value_name is the name of the
    quantity), steps, the fields of the result (in `fields`, too), series (the samples, an array for each quantity by its name),
    params (the options), device_s, wall_s and build_s (seconds of the device, of the host and of building kernels) and so on;
    success (the check on the host passed) and message stand for check, warning and note. Further entries:
    of tsp: order, the cities of the best tour, from 0, and tour, their ids;
    of gas: rdf, speeds, profile, msd, structure, vacf, clusters and g6, whose options ask for them: their columns, and samples;
    of mlp: report, figures of the best net for the test rows, without them for the validation rows, else for the training rows,
        with what they are of:
        predicted, shape (rows, outputs), truth (classes, from 0, or numbers), weights, row (in the data, from 0);
        of test rows also test_predicted, and confusion (true class, predicted class) with classes, or test_truth;
    of searches: best_points of several runs (the best distinct ones, at most 100), and fit, with the option model.
    """
    before = None if resume is None else _Checkpoint(resume)
    if workload is not None:
        choice("workload", workload, TABLES)
    if before is not None and workload not in (None, before.workload):
        raise invalid(f"resume={resume} is a checkpoint of {before.workload}, not of {workload}")
    if before is not None:
        workload, device = before.workload, "host" if device is None and before.is_of_host else device
    if workload is None:
        raise TypeError("solve() needs a workload, or resume")
    table = TABLES[workload]
    every = number("checkpoint_every", checkpoint_every, 0)
    paths = {name: file_name(name, path) for name, path in (("resume", resume), ("checkpoint", checkpoint)) if path is not None}
    params = table.new_params()
    run = Run(table.workload, variant, progress)
    with Files(table, options, checkpoint, before is not None) as files:
        if before is not None:
            before.set(params, table, files.options)
            files.options.update(beside(resume, table, params, files.options))
        keep = table.set(params, files.options)
        for name, path in paths.items():
            keep.append(ffi.new("char[]", path))
            setattr(run.params, name, keep[-1])
        run.params.checkpoint_every = every
        result = run.make(device_pointer(device), params, lambda solver, result: add_rest(workload, solver, params, result))
        result.update({name: files.in_python(result[name]) for name in ("notes", "message", "warning", "note")})
        result["params"] = Result({name: files.given.get(name, option.get(params)) for name, option in table.options.items()})
        del keep, before  # the texts of the parameters
        return result


_NAMES = [text(lib.shoal_workload_at(index).name) for index in range(lib.shoal_workload_count())]
TABLES = {name: Table(name, "solve", without=WITHOUT, taken=_ARGUMENTS) for name in _NAMES}
documented(solve, TABLES)
