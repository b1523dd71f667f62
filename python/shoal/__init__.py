"""shoal from Python: searches, fits, molecular dynamics and nets on any device.

    shoal.devices()                          the devices of this machine
    shoal.minimise(function, bounds)         the least value of a function
    shoal.Optimiser(bounds)                  a search that asks for values
    shoal.fit(model, data, ranges, target)   a curve through columns of numbers
    shoal.tour(points)                       a short tour through cities
    shoal.Gas(particles=1000)                molecular dynamics, step by step
    shoal.MLP(x, y)                          a neural net
    shoal.MLPClassifier(), MLPRegressor()    nets with scikit-learn's parameters and methods
    shoal.Trainer(inputs, outputs, rows)     a net that is trained batch by batch
    shoal.solve("tsp", data="cities.csv")    a whole run of any workload
    shoal.array(numbers, "gpu")              numbers in the memory of a device, also those of other packages
    shoal.sort(keys), scan, reduce, gemm     computations with such arrays
"""
from ._bindings import VERSION as __version__
from ._arrays import Array, array, gemm, reduce, scan, sort
from ._estimators import MLPClassifier, MLPRegressor
from ._fit import fit
from ._gas import Gas
from ._library import ArgumentError, Device, Error, Result, devices
from ._mlp import MLP
from ._optimise import Optimiser, minimise
from ._run import solve
from ._tour import tour
from ._trainer import Trainer

__all__ = ["ArgumentError", "Array", "Device", "Error", "Gas", "MLP", "MLPClassifier", "MLPRegressor", "Optimiser", "Result", "Trainer",
           "__version__", "array", "devices", "fit", "gemm", "minimise", "reduce", "scan", "solve", "sort", "tour"]

# Names of other packages, and spellings, for what the package has.
_ELSEWHERE = {"minimize": "minimise", "optimise": "minimise", "optimize": "minimise", "differential_evolution": "minimise",
              "Optimizer": "Optimiser", "curve_fit": "fit", "solve_tsp": "tour", "find_tour": "tour", "tsp": "tour"}


def __getattr__(name):
    near = _ELSEWHERE.get(name)
    raise AttributeError(f"module 'shoal' has no attribute {name!r}" + (f"; is it {near}?" if near else ""))
