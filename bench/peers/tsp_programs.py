"""The programs of tsp_python.py. Each makes of a problem a search, a function of seconds and seed that returns what it found and its
log where it has one: pairs of seconds and the length that is reached then. `length` gives the length of what it found, or None."""
import ctypes
import functools
import importlib.metadata
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import typing

MOST_DISTANCE = 2 ** 16 - 1
# Of the parameters that were tried on lin318 and pr1002 these give the shortest tours.
COLONY = {"variant": "acs", "n_ants": 25, "beta": 5.0, "rho": 0.1, "q0": 0.98, "use_two_opt": False}


class Problem:
    """A problem by its name; the points of its file are read when they are asked for."""

    def __init__(self, name, threads, device):
        self.name, self.threads, self.device = name, threads, device
        self.path = os.path.join(os.environ["SHOAL_TSPLIB"], name + ".tsp")

    @functools.cached_property
    def points(self):
        import tsp_points

        return tsp_points.coordinates(self.path)

    def matrix(self, most=None):
        import tsp_points

        return tsp_points.matrix(self.points, most)

    def tour_length(self, tour):
        import tsp_points

        return tsp_points.tour_length(self.points, tour)


def fast_tsp(problem):
    import fast_tsp as package

    rows = problem.matrix(MOST_DISTANCE)
    return lambda seconds, _seed: (package.find_tour(rows, seconds, problem.threads), None)


def elkai(problem):
    from elkai import _elkai as package  # its public calls know neither limit nor seed

    text = f"TYPE : TSP\nDIMENSION : {len(problem.points)}\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n" + "".join(
        f"{number} {x:.17g} {y:.17g}\n" for number, (x, y) in enumerate(problem.points, 1))

    def search(seconds, seed):
        with tempfile.TemporaryFile("w+") as file:
            os.dup2(file.fileno(), 1)  # LKH prints its log; the process ends after this search
            tour = package.solve_problem(f"RUNS = 1\nSEED = {seed}\nTIME_LIMIT = {seconds}\nTRACE_LEVEL = 1\n"
                                         "PROBLEM_FILE = :stdin:\n", text)
            ctypes.CDLL(None).fflush(None)
            file.seek(0)
            printed = file.read()
        before = float(re.search(r"Preprocessing time = ([\d.]+)", printed)[1])
        log = [(before + float(seconds), int(length))
               for length, seconds in re.findall(r"^\* \d+: Cost = (\d+).* Time = ([\d.]+)", printed, re.MULTILINE)]
        return [city - 1 for city in tour], log
    return search


def ortools(problem):
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2 as enums

    rows = problem.matrix().tolist()

    def search(seconds, _seed):
        manager = pywrapcp.RoutingIndexManager(len(rows), 1, 0)
        routing = pywrapcp.RoutingModel(manager)
        routing.SetArcCostEvaluatorOfAllVehicles(routing.RegisterTransitMatrix(rows))
        parameters = pywrapcp.DefaultRoutingSearchParameters()
        parameters.local_search_metaheuristic = enums.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
        parameters.time_limit.FromMilliseconds(round(1000 * seconds))
        solution = routing.SolveWithParameters(parameters)
        tour, index = [], routing.Start(0)
        while solution and not routing.IsEnd(index):
            tour.append(manager.IndexToNode(index))
            index = solution.Value(routing.NextVar(index))
        return tour, None
    return search


def colonyx(problem):
    import colonyx as package

    rows = problem.matrix().astype(float)

    def run(iterations, seed):
        """Its seconds, and its colony."""
        begin = time.perf_counter()
        colony = package.AntColony(n_iterations=iterations, random_state=seed, **COLONY)
        colony.fit(rows)
        return time.perf_counter() - begin, colony

    def search(seconds, seed):
        end = time.perf_counter() + seconds
        first, colony = run(1, seed)
        part = max(1, int(0.1 * seconds / first))
        spent, colony = run(part, seed)
        left = int((end - time.perf_counter()) / (spent / part))
        return (run(left, seed)[1] if left > part else colony).predict(), None
    return search


def shoal(*words):
    def make(problem):
        known = ["--data", problem.path] if os.path.exists(problem.path) else ["--generate", problem.name]
        command = [os.environ.get("SHOAL", "shoal"), "tsp", "--json", "--quiet", *known, "--device", problem.device, *words]

        def run(seconds, seed):
            return subprocess.run([*command, "--time", f"{seconds:g}", "--seed", str(seed)], check=False, stdout=subprocess.PIPE,
                                  env={**os.environ, "OMP_NUM_THREADS": str(problem.threads)})

        def search(seconds, seed):
            done = run(seconds, seed)
            if done.returncode:
                sys.exit(f"{shlex.join(done.args)} ends with code {done.returncode}")
            document = json.loads(done.stdout)
            del document["rows"][0]["tour"]  # long, and checked by shoal
            return document, None
        if problem.device != "host":
            run(0.5, 1)  # builds the kernels
        return search
    return make


def shoal_length(_problem, document):
    result = document["rows"][0]["result"]
    return result["value"] if result["check"] == "pass" else None


def shoal_report(document):
    """Seconds and further fields of the row."""
    [row], [device] = document["rows"], document["devices"]
    fields = {"device": row["device"], "variant": row["variant"]}
    if row["device"] != "host":
        fields |= {"device_name": device["name"], "device_driver": device["driver"]}
    return row["first_launch_s"] + row["wall_s"], fields


class Package(typing.NamedTuple):
    make: typing.Callable
    threads: int  # 0: all of the machine
    distances: str  # their type
    runs: int
    most_cities: float = math.inf
    length: typing.Callable = Problem.tour_length
    report: typing.Callable | None = None  # makes seconds and fields of what a program reports

    def version(self, name):
        if self.report:
            return subprocess.run([os.environ.get("SHOAL", "shoal"), "--version"], check=True, stdout=subprocess.PIPE,
                                  text=True).stdout.splitlines()[0]
        return f"{name} {importlib.metadata.version(name)}"


def of_shoal(*words):
    return Package(shoal(*words), 0, "u32", 5, length=shoal_length, report=shoal_report)


PACKAGES = {"fast-tsp": Package(fast_tsp, 0, "u16", 5), "elkai": Package(elkai, 1, "i32", 5),
            "ortools": Package(ortools, 1, "i64", 1, 10000), "colonyx": Package(colonyx, 1, "fp64", 5, 3000),
            "shoal-lk": of_shoal("--algorithm", "lk"), "shoal-faco": of_shoal("--algorithm", "faco"),
            "shoal-acs": of_shoal("--algorithm", "acs", "--ants", str(COLONY["n_ants"]),
                                  *(word for name in ("beta", "rho", "q0") for word in ("--" + name, str(COLONY[name])))),
            "shoal-mmas": of_shoal("--algorithm", "mmas", "--localsearch", "3")}
