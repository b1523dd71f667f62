#!/usr/bin/env python3
"""shoal.tour against the shortest tours of a few cities and the rules of a tour."""
import itertools

import numpy as np
import shoal
from support import Case, main, opencl_device

POINTS = np.random.default_rng(4).random((60, 2))
DISTANCES = np.sqrt(((POINTS[:, None] - POINTS[None]) ** 2).sum(-1))
FEW = {"iterations": 5}


def shortest(matrix):
    """The length of the shortest closed tour, by all orders."""
    rest = range(1, len(matrix))
    return min(sum(matrix[a][b] for a, b in zip((0, *order), (*order, 0))) for order in itertools.permutations(rest))


class Tours(Case):
    def assert_tour(self, result, matrix, closed=True):
        order = result.order
        self.assertEqual(sorted(order), list(range(len(matrix))))
        legs = matrix[order, np.roll(order, -1)] if closed else matrix[order[:-1], order[1:]]
        np.testing.assert_allclose(result.legs, legs, atol=1e-6 * matrix.max())
        self.assertAlmostEqual(result.length, legs.sum(), 4)
        self.assertTrue(result.success)

    def test_points_and_their_matrix(self):
        lengths = []
        for given in ({"points": POINTS}, {"matrix": DISTANCES}, {"points": POINTS.tolist(), "device": opencl_device().id}):
            result = shoal.tour(**given, iterations=20)
            self.assert_tour(result, DISTANCES)
            self.assertEqual(result.order[0], 0)
            lengths.append(result.length)
        self.assertLess(max(lengths), 1.02 * min(lengths))

    def test_few_cities_have_the_shortest_tour(self):
        for count in range(1, 8):
            self.assertAlmostEqual(shoal.tour(POINTS[:count]).length, shortest(DISTANCES[:count, :count]), 6)
        self.assertAlmostEqual(shoal.tour(POINTS[:7], candidates=4).length, shortest(DISTANCES[:7, :7]), 6)  # by lk
        matrix = np.random.default_rng(1).integers(1, 100, size=(7, 7))  # of two directions each
        self.assertEqual(shoal.tour(matrix=matrix).length, shortest(matrix))

    def test_ends(self):
        result = shoal.tour(POINTS, start=7, end=9, **FEW)
        self.assertEqual((result.order[0], result.order[-1]), (7, 9))
        self.assert_tour(result, DISTANCES, closed=False)
        self.assert_tour(shoal.tour(POINTS, path=True, **FEW), DISTANCES, closed=False)
        closed = shoal.tour(POINTS, start=7, **FEW)
        self.assertEqual(closed.order[0], 7)
        self.assert_tour(closed, DISTANCES)

    def test_fixed_edges_and_forbidden_pairs(self):
        fixed = [(0, 30), (30, 59)]
        result = shoal.tour(POINTS, fixed=fixed, **FEW)
        order = list(result.order)
        for a, b in fixed:
            self.assertIn((order.index(a) - order.index(b)) % 60, (1, 59))
        self.assert_tour(result, DISTANCES)
        matrix = DISTANCES[:6, :6].copy()
        matrix[0, 1:4] = matrix[1:4, 0] = np.inf
        result = shoal.tour(matrix=matrix)
        self.assertEqual({result.order[1], result.order[-1]}, {4, 5})
        for scale in 1, 0.3:  # whole numbers, and others
            result = shoal.tour(matrix=scale * np.where(np.isfinite(matrix), np.ceil(9 * matrix), matrix), fixed=[(1, 4)])
            self.assertEqual({result.order[1], result.order[-1]}, {4, 5})
            self.assertIn((list(result.order).index(1) - list(result.order).index(4)) % 6, (1, 5))

    def test_latitudes_and_longitudes(self):
        # A quarter of a great circle of the mean radius of the earth.
        result = shoal.tour(lat_lon=[(0, 0), (90, 0)], path=True)
        self.assertAlmostEqual(result.length, 6371008.8 * np.pi / 2, 1)
        result = shoal.tour(lat_lon=[(50.1, 14.4), (48.2, 16.4), (52.5, 13.4), (48.1, 11.6)], fixed=[(0, 3)])
        self.assertIn(list(result.order).index(3), (1, 3))

    def test_units_of_a_matrix(self):
        matrix = np.random.default_rng(5).integers(1, 100, size=(9, 9))
        for given, is_whole in ((matrix, True), (matrix.astype(np.uint8), True), (matrix.tolist(), True), (matrix * 1.0, True),
                                (matrix * 1.5, False), (matrix * 1.5 - 0.25, False), (matrix * (1 << 40), False)):
            units, unit = shoal._tour._scaled(given)
            self.assertEqual(unit == 1, is_whole)
            np.testing.assert_allclose(units * unit, np.where(np.eye(9), 0, given), atol=unit)

    def test_a_bound(self):
        far = 1000 * POINTS  # floats as whole numbers of another unit, too
        for given in ({"points": far}, {"matrix": 1000 * DISTANCES}, {"points": far, "fixed": [(0, 30)]}):
            result = shoal.tour(**given, bound=True, **FEW)
            self.assertTrue(0.9 * result.length < result.bound <= result.length * (1 + 1e-6))
            # A matrix has whole numbers of a unit, in which the lengths of both are exact.
            self.assertAlmostEqual(result.bound_gap, result.length / result.bound - 1, 9)
        self.assertEqual(shoal.tour(np.zeros((3, 2)), bound=True).bound, 0)
        self.assertNotIn("bound", shoal.tour(POINTS[:5]))
        self.refuses("bound", shoal.tour, matrix=np.triu(DISTANCES[:20, :20]), bound=True, status="not supported by the device", **FEW)

    def test_the_same_seed_is_the_same_tour(self):
        first, second = (shoal.tour(POINTS, seed=3, **FEW) for _ in range(2))
        np.testing.assert_array_equal(first.order, second.order)

    def test_messages_count_from_0(self):
        points = np.random.default_rng(1).random((6, 2))
        matrix = np.where(np.eye(6, k=1) > 0, np.inf, 1.0)
        for options, message in (({"points": points, "fixed": [(0, 1), (1, 2), (2, 0)]}, r"^fixed: the pair \(2, 0\) closes a cycle"),
                                 ({"points": points, "fixed": [(0, 1), (1, 2)], "path": True, "start": 1}, r"^fixed: the pair \(1, 2\) meets two"),
                                 ({"matrix": matrix, "fixed": [(0, 1)]}, r"^fixed: the pair \(0, 1\) is forbidden"),
                                 ({"lat_lon": [[0, 0], [100, 0], [1, 1]]}, "^lat_lon: city 1: a latitude is beyond 90"),
                                 ({"points": [[0, 0], [1, 1e200], [1, 1]]}, "^points: city 1: a coordinate is beyond")):
            self.refuses(message, shoal.tour, **options, iterations=2)

    def test_mistakes(self):
        for kind, message, options in (
                (TypeError, "needs one of points, matrix and lat_lon", {}), (TypeError, "needs one of", {"points": POINTS, "matrix": DISTANCES}),
                (ValueError, r"points has the shape \(60,\)", {"points": POINTS[:, 0]}), (ValueError, "^points: city 1 has a coordinate that is not finite$", {"points": [(0, 0), (np.nan, 1)]}),
                (ValueError, "it is square", {"matrix": DISTANCES[:3]}), (ValueError, "distances from 0 on", {"matrix": -DISTANCES}),
                (ValueError, "start is 60; cities have the numbers 0 to 59", {"points": POINTS, "start": 60}),
                (TypeError, "end is the number of a city", {"points": POINTS, "end": "7"}), (ValueError, "pairs of cities", {"points": POINTS, "fixed": [(1, 2, 3)]}),
                (ValueError, "fixed is 99", {"points": POINTS, "fixed": [(1, 99)]}), (TypeError, r"no argument timeout \(is it time", {"points": POINTS, "timeout": 1}),
                (ValueError, "latitude", {"lat_lon": [(0, 0), (91, 0)]}), (ValueError, "^start and end are both 2: ", {"points": POINTS, "start": 2, "end": 2}),
                (ValueError, r"^fixed has the pair \(0, 0\)", {"points": POINTS, "fixed": [(1, 2), (0, 0)]}),
                (ValueError, "^fixed has city 1 in more than two pairs", {"points": POINTS, "fixed": [(1, 0), (1, 2), (3, 1)]})):
            with self.assertRaisesRegex(kind, message):
                shoal.tour(**options)


if __name__ == "__main__":
    main()
