#!/usr/bin/env python3
"""What the shares of tests leave out in one turn runs in another one."""

import os
import unittest
from unittest import mock

import support

TURNS = [f"{k}/4" for k in (1, 2, 3, 4)]
CASES = {f"case {k}": k for k in range(40)}


def example():
    """A case of 40 functions and one by_turn, which is no case of this program."""
    functions = {f"test_{k}": lambda self: None for k in range(40)}
    return type("Example", (unittest.TestCase,), functions | {"test_by_turn": support.by_turn(lambda self: None)})


def taken(turn, function, *arguments, functions="1/1"):
    """What the function returns in a turn and a share of the functions."""
    with mock.patch.dict(os.environ, {"SHOAL_TEST_TURN": turn, "SHOAL_TEST_FUNCTIONS": functions}):
        return function(*arguments)


def loaded(turn, functions="1/1"):
    return taken(turn, support.Loader().getTestCaseNames, example(), functions=functions)


class Shares(support.Case):
    def test_each_case_is_in_one_turn(self):
        self.assertEqual(sorted(name for turn in TURNS for name in taken(turn, support.of_turn, CASES)), sorted(CASES))

    def test_each_function_is_in_two_turns(self):
        every = [name for turn in TURNS for name in loaded(turn)]
        for name in loaded("1/1"):
            self.assertEqual(every.count(name), 4 if name == "test_by_turn" else 2, name)

    def test_long_functions_are_in_a_turn_that_loads_them(self):
        for name in CASES:
            halves = [turn for turn in TURNS if taken(turn, support.is_of_half, "SHOAL_TEST_TURN", name)]
            own = [turn for turn in TURNS if taken(turn, support.is_of, "SHOAL_TEST_TURN", name)]
            self.assertEqual((len(halves), len(own)), (2, 1))
            self.assertIn(own[0], halves)

    def test_each_function_is_in_one_share(self):
        self.assertEqual(sorted(name for share in TURNS for name in loaded("1/1", share)), sorted(loaded("1/1")))

    def test_without_turns_all_are_taken(self):
        self.assertEqual(taken("1/1", support.of_turn, CASES), CASES)
        self.assertEqual(len(loaded("1/1")), 41)

    def test_bad_shares(self):
        for bad in ("0/4", "5/4", "x", "1"):
            with self.subTest(bad), self.assertRaises((AssertionError, ValueError)):
                taken(bad, support.is_of, "SHOAL_TEST_TURN", "a")


if __name__ == "__main__":
    support.run_cases()
