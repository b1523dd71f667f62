#!/usr/bin/env python3
"""What the shares of tests leave out in one turn runs in another one."""

import os
import sys
import unittest
from unittest import mock

import support

TURNS = [f"{k}/4" for k in (1, 2, 3, 4)]
CASES = {f"case {k}": k for k in range(40)}


def example():
    """A case of 40 functions and one by_turn, which is no case of this program."""
    functions = {f"test_{k}": lambda self: None for k in range(40)}
    return type("Example", (unittest.TestCase,), functions | {"test_by_turn": support.by_turn(lambda self: None)})


def taken(turn, function, *arguments, functions="1/1", share=None):
    """What the function returns in a turn and a share of the functions, of all cases or of a share."""
    variables = {"SHOAL_TEST_TURN": turn, "SHOAL_TEST_FUNCTIONS": functions} | ({"SHOAL_TEST_SHARE": share} if share else {})
    others = {name: value for name, value in os.environ.items() if name != "SHOAL_TEST_SHARE"}
    with mock.patch.dict(os.environ, others | variables, clear=True):
        return function(*arguments)


def loaded(turn, functions="1/1", share=None, case=None):
    return taken(turn, support.Loader().getTestCaseNames, case or example(), functions=functions, share=share)


class Shares(support.Case):
    def test_each_case_is_in_one_turn(self):
        self.assertEqual(sorted(name for turn in TURNS for name in taken(turn, support.of_turn, CASES)), sorted(CASES))

    def test_each_function_is_in_two_turns(self):
        every = [name for turn in TURNS for name in loaded(turn)]
        for name in loaded("1/1"):
            self.assertEqual(every.count(name), 4 if name == "test_by_turn" else 2, name)

    def test_each_function_is_in_one_turn_of_a_share_of_the_cases(self):
        every = [name for turn in TURNS for name in loaded(turn, share="1/7")]
        for name in loaded("1/1"):
            self.assertEqual(every.count(name), 4 if name == "test_by_turn" else 1, name)

    def test_classes_by_turn(self):
        case = support.by_turn(example())
        for turn in TURNS:
            self.assertEqual(loaded(turn, case=case), loaded("1/1"))
            self.assertEqual(loaded(turn, share="1/7", case=case), loaded(turn, share="1/7"))

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
    unittest.main(argv=sys.argv[:1], verbosity=2)
