"""Molecular dynamics with NumPy arrays."""
import functools
import os
import shutil
import tempfile
import time
import weakref

import numpy as np

from ._arguments import count, flag, function
from ._arrays.array import array, empty
from ._arrays.table import numbers
from ._library import Device, Owner, Result, call, device_pointer, encoded, ffi, file_name, instance, interruptible, invalid, lib, read, shown
from ._options import Table, documented
from ._pair import text_of
from ._progress import Progress
from ._results import gas as averages, result_of
from ._run import WITHOUT, Samples, variant_of

_CHUNK_SECONDS = 0.1  # seconds of work between checks for an interruption


def _vectors(values, name, shape=None):
    array = numbers(name, values, "an array of numbers of the shape (n, 2) or (n, 3)", (2,))
    if array.shape[1] not in (2, 3) or shape and array.shape != shape:
        raise invalid(f"{name} have the shape {shape or '(n, 2) or (n, 3)'}, not {array.shape}")
    if not np.isfinite(array).all():
        raise invalid(f"{name} are finite numbers")
    return array


def _options_of(positions, box):
    """The options of a gas with these particles, whose positions are set later."""
    particles, dim = positions.shape
    if box is None:
        raise TypeError("Gas() needs box, its lengths along each axis, with positions")
    wanted = f"a length, or one for each of the {dim} axes of positions"
    lengths = numbers("box", box, wanted, (0, 1))
    if lengths.ndim and len(lengths) != dim:
        raise invalid(f"box has the shape {lengths.shape}: it is {wanted}")
    lengths = np.broadcast_to(lengths, dim)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise invalid(f"box has lengths above 0, not {shown(box)}")
    least, most = (getattr(TABLE.options["width"].row, name) for name in ("min", "max"))
    if lengths.min() < least or lengths.max() > most:
        raise invalid(f"box has the lengths {lengths.tolist()}, allowed are {least:g} to {most:g}")
    return {"particles": particles, "dim": dim, **dict(zip(("width", "height", "depth"), map(float, lengths)))}


class Gas:
    """A gas or liquid of particles, moved step by step, in reduced units.

    device: a shoal.Device, or a selector such as "gpu", whose first device is used; None: the machine's first device.
    positions, velocities: arrays of the shape (n, 2) or (n, 3) to start from; box: the lengths of the box, whose low
        corner is at 0. If velocities is None, velocities are drawn by the temperature; if positions is None, options
        determine the start.
    variant: "cl": OpenCL C kernels; "cu": native CUDA kernels; "auto": native CUDA kernels where available.

    pair_force: the energy of a pair as a formula of the distance r, with a cutoff ("4*(r^-12 - r^-6)"), a text in the
        kernel dialect, or the path of such a text.

    The further arguments are the options of the workload gas, listed below. Without `steps` the number of steps is not
    limited. Between steps, after those of the equilibration, change() gives other options, and positions and velocities can
    be set.

        gas = shoal.Gas(particles=1000, density=0.4, temperature=1.5)
        gas.step(1000)
        gas.positions, gas.observables()["pressure"]

    Arrays are copies: steps of the gas do not change them, and changing their elements does not change the gas, but
    setting gas.positions or gas.velocities does. arrays() gives them on the device of the gas. A gas is used by one thread
    at a time. close() frees the memory of the gas; the end of a with block calls close().
    """

    def __init__(self, device=None, *, positions=None, velocities=None, box=None, variant="auto", **options):
        if positions is None and (velocities is not None or box is not None):
            raise TypeError("Gas() takes velocities and box with positions only")
        self._device, self._variant = device_pointer(device), variant_of(variant)
        if positions is not None:
            positions = _vectors(positions, "positions")
            for name in ("particles", "dim", "width", "height", "depth"):
                if options.get(name) is not None:
                    raise TypeError(f"Gas() takes no {name} with positions and box, from which it follows")
            options = {**options, **_options_of(positions, box)}
            if velocities is not None:
                velocities = _vectors(velocities, "velocities", positions.shape)
        if options.get("pair_force") is not None:
            options["pair_force"] = self._pair_file(options["pair_force"])
        self._samples = Samples(TABLE.workload)
        self._params, self._limit = TABLE.new_params(), options.get("steps")
        self._keep = TABLE.set(self._params, options)
        self._queue = Owner("shoal_queue", lib.shoal_queue_destroy)
        self._place = Device(self._device)
        self._is_host = self._place.is_host
        self._solver = self._opened(self._params, 0)
        self._set_particles(self._solver, positions, velocities)
        self._observed = {name: TABLE.options[name].get(self._params) for name in (
            "rdf_bins", "speed_bins", "profile_axis", "profile_all", "msd", "structure_bins", "vacf", "cluster_distance", "g6_bins",
            "boundary_x", "boundary_y", "boundary_z")}
        self._chunk = 1

    def _pair_file(self, force):
        """The path of a pair force that is a path, a text or a formula."""
        if not isinstance(force, str) or "\0" in force or "\n" not in force and os.path.exists(force):
            return force
        words = encoded("pair_force", force) if "\n" in force else text_of(force).encode()
        folder = tempfile.mkdtemp(prefix="shoal-")  # the text is read again when options change
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        path = os.path.join(folder, "pair_force")  # its name in messages
        with open(path, "wb") as file:
            file.write(words)
        return path

    def _opened(self, params, made):
        """A solver with these parameters. made: number of steps that the gas has made."""
        steps = TABLE.options["steps"]
        most = int(steps.row.max) - TABLE.options["equilibration"].get(params)
        steps.set(params, most if self._limit is None else max(0, self._limit - made), [])
        call(lib.shoal_workload_validate, instance(), TABLE.workload, params)
        if not self._is_host and self._queue.address[0] == ffi.NULL:
            call(lib.shoal_queue_create, self._device, 0, self._queue.address)
        solver = Owner("shoal_solver", lib.shoal_solver_destroy, self._queue)
        call(lib.shoal_solver_create, TABLE.workload, self._device, ffi.NULL if self._is_host else self._queue.pointer, params,
             self._variant, solver.address)
        lib.shoal_solver_on_sample(solver.pointer, self._samples.callback, ffi.NULL)
        return solver

    def _set_particles(self, solver, positions, velocities):
        if positions is None and velocities is None:
            return
        arrays = [ffi.NULL if array is None else ffi.from_buffer("double[]", np.ascontiguousarray(array))
                  for array in (positions, velocities)]
        call(lib.shoal_gas_set_particles, solver.pointer, *arrays)

    def _go_on(self, options, positions=None, velocities=None):
        """Goes on with other options and particles, by a solver that takes the place of the last one."""
        params = TABLE.new_params()
        ffi.memmove(params, self._params, ffi.sizeof(params))
        keep = TABLE.set(params, {**options, "equilibration": options.get("equilibration", 0)})
        TABLE.drop_unused(params, options)
        solver = self._opened(params, self.steps)  # which checks the options
        end = Owner("shoal_stage_end", lib.shoal_stage_end_destroy)
        call(lib.shoal_solver_end_stage, self._solver.pointer, end.address)
        call(lib.shoal_solver_follow, solver.pointer, end.pointer)
        self._set_particles(solver, positions, velocities)
        end.release()
        self._solver.release()
        self._solver, self._params, self._keep = solver, params, self._keep + keep
        self._samples.go_on()

    def change(self, **options):
        """Goes on with other values of options: thermostat, temperature, friction, field_x, trap, dt and those of samples.
        Steps, times and samples go on; averages, histograms and displacements begin anew. Options that have no effect any
        more, such as the friction of another thermostat, get their defaults. If an option cannot change, its value is
        refused, or the steps of the equilibration are not made yet, the gas stays as it was."""
        for name in options:
            option = TABLE.options.get(name)
            if option is not None and not option.row.flags & lib.SHOAL_OPTION_STAGE:
                raise ValueError(f"{name} cannot change between steps: make another gas")
        if "steps" in options:
            raise ValueError("steps cannot change between steps: step() takes the number of steps")
        self._go_on(options)
        for name in self._observed:
            self._observed[name] = TABLE.options[name].get(self._params)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        frame = self._frame()
        return f"<shoal.Gas {frame.particles} particles in {frame.dim} dimensions, step {frame.step}>"

    def close(self):
        """Frees the memory of the gas, which cannot be used any more."""
        self._solver.release()
        self._queue.release()

    def step(self, steps=1, *, callback=None, every=1, progress=False):
        """Makes `steps` steps; steps of the equilibration come first and count. Ctrl-C ends the call between two
        steps. callback: called with the gas after each `every` steps; may change the gas, and ends the call by returning
        True. progress: shows the steps in one line on stderr."""
        steps, every = count("steps", steps, 0, _MOST_STEPS), count("every", every, 1)
        function("callback", callback)
        line, total = Progress(progress), steps
        try:
            while True:
                made = steps if callback is None else min(steps, every)
                self._make(made, lambda left: line.show(f"gas: step {total - steps + made - left} of {total}"))
                steps -= made
                if callback is not None and made == every and callback(self) or not steps:
                    return
        finally:
            line.close()

    def _make(self, steps, show):
        solver, ends = self._solver.pointer, []
        interruptible(lambda: self._advance(solver, steps, ends, show), lambda: ends.append(True))

    def _advance(self, solver, steps, ends, show):
        while steps > 0 and not ends:
            begin = time.monotonic()
            asked = min(steps, self._chunk)
            call(lib.shoal_solver_run, solver, asked)
            if not self._is_host:
                call(lib.shoal_queue_finish, self._queue.pointer)
            steps -= asked
            show(steps)
            if asked == self._chunk:
                self._chunk = self._chunk * 2 if time.monotonic() - begin < _CHUNK_SECONDS / 2 else self._chunk

    def _frame(self):
        frame = ffi.new("struct shoal_gas_frame *")
        call(lib.shoal_gas_get_frame, self._solver.pointer, frame)
        return frame

    def _array(self, member, kind=np.float64):
        frame = self._frame()
        values = ffi.buffer(getattr(frame, member), frame.particles * frame.dim * np.dtype(kind).itemsize)
        return np.frombuffer(values, dtype=kind).reshape(frame.particles, frame.dim).copy()

    @functools.cached_property
    def _shape(self):
        frame = self._frame()
        return frame.particles, frame.dim

    @property
    def positions(self):
        """Positions, shape (n, dim), in the order of the numbers of particles; inside the box along periodic axes. Arrays that
        set them, also those of devices and of other packages, are copied to the host once."""
        return self._array("position")

    @positions.setter
    def positions(self, values):
        self._go_on({}, positions=_vectors(values, "positions", self._shape))

    @property
    def velocities(self):
        """Velocities at the time of the positions, shape (n, dim); set as positions are."""
        return self._array("velocity")

    @velocities.setter
    def velocities(self, values):
        self._go_on({}, velocities=_vectors(values, "velocities", self._shape))

    def arrays(self):
        """Positions and velocities now as shoal.Arrays on the device of the gas: a Result with positions and velocities, both of
        the shape (n, dim), of float32 on a device in single precision, else of float64. The device copies them, and nothing goes
        over the host; from_dlpack() of other packages takes them from a CUDA device, and from the host, without a further copy."""
        if self._is_host:
            return Result(positions=array(self.positions, self._place), velocities=array(self.velocities, self._place))
        kind = np.float32 if TABLE.options["precision"].get(self._params) == "single" else np.float64
        found = [empty(self._place, self._shape, kind) for _ in range(2)]
        call(lib.shoal_gas_write_particles, self._solver.pointer, *(one.pointer for one in found))
        call(lib.shoal_queue_finish, self._queue.pointer)
        return Result(zip(("positions", "velocities"), found))

    @property
    def images(self):
        """Signed crossings of the periodic boundary, shape (n, dim): positions + images * box have no jumps."""
        return self._array("image", np.int32)

    @property
    def box(self):
        """Lengths of the box, shape (dim,)."""
        frame = self._frame()
        return np.array(list(frame.length[0:frame.dim]))

    @property
    def steps(self):
        """Number of steps made so far, after the equilibration."""
        return self._frame().step

    def observables(self):
        """Current observables by name: the members of struct shoal_gas_thermo. Energies are sums over all particles.
        NaN: there is no such value."""
        thermo = ffi.new("struct shoal_gas_thermo *")
        call(lib.shoal_gas_get_thermo, self._solver.pointer, thermo)
        values = Result(read(thermo[0]))
        values["momentum"] = values["momentum"][:self._shape[1]]
        return values

    @property
    def series(self):
        """Samples so far, taken every `thermo` steps, as an array for each quantity: series["temperature"]."""
        return self._samples.columns()

    def _need(self, option):
        if self._observed[option] in (0, False, "none", None):
            raise ValueError(f"the gas was made without {option}")

    def _histogram(self, kind, option):
        self._need(option)
        return averages.histogram(self._solver.pointer, kind)

    def _table(self, kind, option):
        self._need(option)
        return averages.table(self._solver.pointer, kind)

    def rdf(self):
        """The radial distribution function, averaged over the samples so far: centre and value of each bin (`rdf_bins`); with
        several species also that of each two of them, as g_A_B."""
        return Result(self._histogram(lib.SHOAL_GAS_RDF, "rdf_bins"), **averages.pairs(self._solver.pointer))

    def speeds(self):
        """The probability density of speeds, averaged over the samples so far: centre and value of each bin
        (`speed_bins`), and theory: Maxwell's law."""
        return self._histogram(lib.SHOAL_GAS_SPEEDS, "speed_bins")

    def profile(self):
        """The number density along `profile_axis`, averaged over the samples so far: centre and value of each bin
        (`profile_bins`), from the low end of the box on; with profile_all also temperature, flow_x, pressure_xx and so on."""
        found = self._histogram(lib.SHOAL_GAS_PROFILE, "profile_axis")
        return Result(self._table(lib.SHOAL_GAS_PROFILES, "profile_axis"), **found) if self._observed["profile_all"] else found

    def msd(self):
        """The mean-square displacement since step 0, with the option msd=True: time, total and along (a column for each
        axis) of the samples so far, and from its slope the constant diffusion with diffusion_error."""
        self._need("msd")
        return averages.msd(self._solver.pointer, self._shape[1])

    def structure(self):
        """The structure factor, averaged over the samples so far, with `structure_bins`: k, s, s_error, vectors, samples."""
        return self._table("structure", "structure_bins")

    def vacf(self):
        """Velocity autocorrelation and mean-square displacement over many time origins, with vacf=True: time, vacf, msd,
        diffusion, their errors (vacf_error and so on), origins, samples."""
        return self._table("vacf", "vacf")

    def clusters(self):
        """Clusters by their size, averaged over the samples so far, with `cluster_distance`: size, sizes, clusters, share,
        clusters_error, share_error, samples."""
        return self._table("clusters", "cluster_distance")

    def g6(self):
        """The correlation of the hexatic order, averaged over the samples so far, with `g6_bins`: r, g6, g6_error, pairs,
        samples."""
        return self._table("g6", "g6_bins")

    def trajectory(self, frames, every=1, *, velocities=False):
        """Makes frames * every steps and returns the positions after each `every` steps, shape (frames, n, dim); with
        velocities=True positions and velocities."""
        frames, every = count("frames", frames, 0, _MOST_STEPS), count("every", every, 0, _MOST_STEPS)
        velocities, moved = flag("velocities", velocities), []
        for _ in range(frames):
            self.step(every)
            moved.append((self.positions, self.velocities if velocities else None))
        shape = (frames, *self._shape)
        positions = np.array([position for position, _ in moved]).reshape(shape)
        return (positions, np.array([velocity for _, velocity in moved]).reshape(shape)) if velocities else positions

    def to_ase(self, symbol="Ar"):
        """The particles now as ase.Atoms of one element, in reduced units; a plane gas lies at z = 0. Needs ASE."""
        encoded("symbol", symbol)
        try:
            from ase import Atoms
        except ImportError:
            raise ImportError("to_ase() needs ASE: pip install ase") from None
        positions, dim = self.positions, len(self.box)
        room = np.zeros((len(positions), 3 - dim))
        cell = np.append(self.box, np.ones(3 - dim))
        periodic = [self._observed[f"boundary_{axis}"] == "periodic" for axis in "xyz"[:dim]] + [False] * (3 - dim)
        return Atoms([symbol] * len(positions), positions=np.hstack([positions, room]),
                     velocities=np.hstack([self.velocities, room]), cell=cell, pbc=periodic)

    def result(self):
        """Averages so far with their standard errors, checked on the host: a Result as of solve()."""
        result = ffi.new("struct shoal_result *")
        call(lib.shoal_solver_result, self._solver.pointer, result)
        return result_of(result)

    def timing(self):
        """Times of parts of the work on the device: the members of struct shoal_gas_timing."""
        timing = ffi.new("struct shoal_gas_timing *")
        call(lib.shoal_gas_get_timing, self._solver.pointer, timing)
        return Result(read(timing[0]))

    def save(self, path):
        """Writes a checkpoint."""
        call(lib.shoal_solver_save, self._solver.pointer, file_name("path", path))

    def load(self, path):
        """Reads a checkpoint of a gas with the same options; the gas continues with the same bits as without
        interruption."""
        call(lib.shoal_solver_load, self._solver.pointer, file_name("path", path))


# The option time limits whole runs.
TABLE = Table("gas", "Gas", without=(*WITHOUT, "time"), taken=("device", "positions", "velocities", "box", "variant"))
_MOST_STEPS = int(TABLE.options["steps"].row.max)
documented(Gas, {"gas": TABLE})
