"""shoal from Python: searches, fits, molecular dynamics and nets on any device.

    shoal.devices()                          the devices of this machine
    shoal.minimise(function, bounds)         the least value of a function
    shoal.Optimiser(bounds)                  a search that asks for values
    shoal.fit(model, data, ranges, target)   a curve through columns of numbers
    shoal.tour(points)                       a short tour through cities
    shoal.Gas(particles=1000)                molecular dynamics, step by step
    shoal.MLP(x, y)                          a neural net
    shoal.MLPClassifier(), MLPRegressor()    nets with scikit-learn's parameters and methods
    shoal.solve("tsp", data="cities.csv")    a whole run of any workload
"""
from ._bindings import VERSION as __version__
from ._estimators import MLPClassifier, MLPRegressor
from ._fit import fit
from ._gas import Gas
from ._library import Device, Error, Result, devices
from ._mlp import MLP
from ._optimise import Optimiser, minimise
from ._run import solve
from ._tour import tour

__all__ = ["Device", "Error", "Gas", "MLP", "MLPClassifier", "MLPRegressor", "Optimiser", "Result", "__version__", "devices", "fit", "minimise", "solve",
           "tour"]
