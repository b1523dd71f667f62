"""Averages of a gas over its samples."""
import numpy as np

from .._library import Result, call, ffi, lib, text
from .fields import reals

_TABLES = {"structure": lib.SHOAL_GAS_STRUCTURE, "vacf": lib.SHOAL_GAS_MOTION, "clusters": lib.SHOAL_GAS_CLUSTERS, "g6": lib.SHOAL_GAS_G6}
_AXES = ("", "x", "y", "z")  # by enum shoal_gas_axis


def histogram(solver, kind, get=lib.shoal_gas_get_histogram):
    """A histogram: the centre and the value of each bin, theory (None: there is none), width, samples."""
    found = ffi.new("struct shoal_gas_histogram *")
    call(get, solver, *(kind if isinstance(kind, tuple) else (kind,)), found)
    return Result(centre=(np.arange(found.bins) + 0.5) * found.width, value=reals(found.value, found.bins),
                  theory=reals(found.theory, found.bins) if found.theory else None, width=found.width, samples=found.samples)


def pairs(solver):
    """The radial distribution function of each two species, by names such as g_A_B; of one species there is none."""
    species = ffi.new("struct shoal_gas_species *", {"size": ffi.sizeof("struct shoal_gas_species")})
    call(lib.shoal_gas_get_species, solver, species)
    names = [text(name) for name in species.names[0:species.count]] if species.count > 1 else []
    return {f"g_{first}_{second}": histogram(solver, (a, b), lib.shoal_gas_get_pair_rdf).value
            for a, first in enumerate(names) for b, second in enumerate(names) if a <= b}


def msd(solver, dim):
    """The mean-square displacement: time, total and along (a column for each axis) of the samples, diffusion, diffusion_error."""
    found = ffi.new("struct shoal_gas_msd *")
    call(lib.shoal_gas_get_msd, solver, found)
    samples = found.sample[0:found.samples] if found.samples else []
    along = np.array([list(sample.along) for sample in samples]).reshape(len(samples), 3)
    return Result(time=np.array([sample.time for sample in samples]), total=np.array([sample.total for sample in samples]),
                  along=along[:, :dim], diffusion=found.diffusion, diffusion_error=found.diffusion_error)


def table(solver, kind):
    """The columns of a table by their names, and samples. kind: of enum shoal_gas_table_kind, or its name in the document."""
    found = ffi.new("struct shoal_gas_table *", {"size": ffi.sizeof("struct shoal_gas_table")})
    call(lib.shoal_gas_get_table, solver, _TABLES.get(kind, kind), found)
    columns = {text(found.names[k]): reals(found.column[k], found.rows) for k in range(found.columns)} if found.rows else {}
    return Result(samples=found.samples, **columns)


def _named(found, middle, value):
    """A histogram with the names of the document."""
    columns = {"samples": found.samples, middle: found.centre, value: found.value}
    return Result(columns if found.theory is None else {**columns, "maxwell": found.theory})


def add_averages(solver, params, result):
    """Adds the averages that the parameters ask for, if there are samples of them."""
    gas = ffi.cast("struct shoal_gas_params *", params)
    moved = msd(solver, gas.dim)
    found = {"rdf": _named(histogram(solver, lib.SHOAL_GAS_RDF), "r", "g"),
             "speeds": _named(histogram(solver, lib.SHOAL_GAS_SPEEDS), "speed", "density"),
             "profile": table(solver, lib.SHOAL_GAS_PROFILES) if gas.profile_all else
                        _named(histogram(solver, lib.SHOAL_GAS_PROFILE), _AXES[gas.profile_axis], "density"),
             "msd": Result(samples=len(moved.time), diffusion=moved.diffusion, diffusion_error=moved.diffusion_error, time=moved.time,
                           msd=moved.total, **{f"msd_{axis}": moved.along[:, k] for k, axis in enumerate("xyz"[:gas.dim])}),
             **{name: table(solver, name) for name in _TABLES}}
    if found["rdf"].g.size:
        found["rdf"].update(pairs(solver))
    result.update({name: columns for name, columns in found.items() if any(np.size(values) for values in columns.values() if np.ndim(values))})
