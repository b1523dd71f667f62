"""Results of runs: what the JSON document of the command has of a run, by the same names."""
from . import gas, mlp, search, tsp
from .fields import result_of

__all__ = ["add_rest", "gas", "result_of", "search"]

_OF = {"gas": gas.add_averages, "mlp": mlp.add_report, "tsp": tsp.add_tour}


def add_rest(name, solver, params, result):
    """Adds to the result of a run of the workload `name` what its solver alone knows. params: the parameters of the run."""
    _OF.get(name, search.add_points)(solver, params, result)
