#!/usr/bin/env python3
"""The functions of the benchmark BBOB against its own program, COCO (package coco-experiment). With --values: prints
tests/objective/bbob_values.inc."""
import random
import sys
import unittest

import shoal
from shoal._library import call, ffi, lib
from support import Case, main

try:
    import cocoex
except ImportError:
    cocoex = None

DIMS, INSTANCES = (2, 3, 5, 10, 20, 40), range(1, 16)
# The values of bbob_values.inc.
KEPT_DIMS, KEPT_INSTANCES, KEPT_POINTS = (2, 5, 20), (1, 2, 7), 2


def suite():
    return cocoex.Suite("bbob", "instances:1-15", "dimensions:" + ",".join(map(str, DIMS)))


def ours(function, instance, dim, points):
    """Values at points of which some lie outside of the box."""
    objective = ffi.new("struct shoal_objective **")
    call(lib.shoal_objective_from_bbob, b"bbob-f%d" % function, instance, dim, objective)
    values = [lib.shoal_objective_value(objective[0], point, dim) for point in points]
    lib.shoal_objective_destroy(objective)
    return values


def kept_point(dim, index):
    """Numbers in +-6, each exact but for the last rounding."""
    return [12 * ((index * dim + i + 1) * 7919 % 10007) / 10007 - 6 for i in range(dim)]


def print_kept():
    problems = suite()
    for function in range(1, 25):
        values = [problems.get_problem_by_function_dimension_instance(function, dim, instance)(kept_point(dim, index))
                  for dim in KEPT_DIMS for instance in KEPT_INSTANCES for index in range(KEPT_POINTS)]
        rows = [", ".join(f"{value:.17g}" for value in values[at:at + 3]) for at in range(0, len(values), 3)]
        print("    {" + ",\n     ".join(rows) + "},")


@unittest.skipIf(cocoex is None, "coco-experiment is not installed")
class Values(Case):
    def test_values_are_those_of_coco(self):
        problems, draws = suite(), random.Random(1)
        for function in range(1, 25):
            for number in range(90):
                dim, instance = DIMS[number % len(DIMS)], INSTANCES[number % len(INSTANCES)]
                problem = problems.get_problem_by_function_dimension_instance(function, dim, instance)
                points = [[draws.uniform(-span, span) for _ in range(dim)] for span in (5, 8, 5) * 4]
                for point, value in zip(points, ours(function, instance, dim, points)):
                    theirs = problem(point)
                    self.assertLessEqual(abs(value - theirs), 1e-11 * max(1, abs(theirs)),
                                         f"f{function}, instance {instance}, dim {dim}, at {point}")


class Instances(Case):
    def test_minimise_takes_an_instance(self):
        given, other = (shoal.minimise("bbob-f1", dim=3, instance=number, seed=2) for number in (7, 8))
        self.assertNotAlmostEqual(given.fun, other.fun, 3)
        self.assertAlmostEqual(given.fun, round(given.fun, 2), 6)
        default = shoal.minimise("bbob-f1", (-5, 5), x0=[0, 0, 0], evaluations=200)
        self.assertEqual(default.fun, shoal.minimise("bbob-f1", (-5, 5), x0=[0, 0, 0], evaluations=200, instance=1).fun)

    def test_wrong_instances(self):
        self.refuses("instances 1 to 200000, instance 0 is asked for", shoal.minimise, "bbob-f1", dim=3, instance=0)
        self.refuses("sphere has no numbered instances", shoal.minimise, "sphere", dim=3, instance=2)
        self.refuses("2 to 40 dimensions, 41 are asked for", shoal.minimise, "bbob-f1", dim=41)
        with self.assertRaisesRegex(TypeError, "needs bounds for each coordinate, x0 or dim"):
            shoal.minimise("bbob-f1")
        with self.assertRaisesRegex(TypeError, "goes with the name of a function"):
            shoal.minimise(sum, (-1, 1), dim=2, instance=2)


if __name__ == "__main__":
    if sys.argv[1:] == ["--values"]:
        print_kept()
    else:
        main()
