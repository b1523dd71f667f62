"""Which functions and cases of the tests in Python run: the twin of harness.h and share.c.

$SHOAL_TEST_SHARE: only a share of the cases is asked for, as in quick.
$SHOAL_TEST_TURN: "1/8": in quick an eighth of the functions, else half of the functions and an
eighth of the long cases.
$SHOAL_TEST_FUNCTIONS: "1/4": a quarter of the functions.
"""
import os
import sys
import unittest
import zlib


def takes_share():
    """Is only a share of the cases asked for?"""
    return "SHOAL_TEST_SHARE" in os.environ


def share(variable):
    """The share, such as (1, 4), that an environment variable asks for."""
    number, of = map(int, os.environ.get(variable, "1/1").split("/"))
    assert 1 <= number <= of, f"{variable} must be like 2/4"
    return number, of


def is_of(variable, name):
    """Does the case belong to the share that an environment variable asks for?"""
    number, of = share(variable)
    return zlib.crc32(name.encode()) % of + 1 == number


def is_of_half(variable, name):
    """Of a share of n: does the case belong to it or to the n / 2 - 1 shares after it?"""
    number, of = share(variable)
    return (zlib.crc32(name.encode()) + 1 - number) % of < (of + 1) // 2


def by_turn(test):
    """A function that runs in every $SHOAL_TEST_TURN, or a class with all of its functions, except in quick. What takes long in
    it is `long` or takes its cases by of_turn."""
    test.is_by_turn = True
    return test


def left_out_of_shares(test):
    return unittest.skipIf(takes_share(), "it is long: setup full")(test)


def in_full(test):
    """A function by_turn that is left out where only a share of the cases is asked for."""
    return by_turn(left_out_of_shares(test))


def long(test):
    """A case that takes many seconds of processor time: in full, and in one $SHOAL_TEST_TURN."""
    of_other_turn = not is_of("SHOAL_TEST_TURN", test.__qualname__)
    return left_out_of_shares(unittest.skipIf(of_other_turn, "it is long: another SHOAL_TEST_TURN")(test))


def of_turn(cases):
    """Of cases by their names those that are in the share $SHOAL_TEST_TURN."""
    return {name: case for name, case in cases.items() if is_of("SHOAL_TEST_TURN", name)}


class Loader(unittest.TestLoader):
    """Takes the functions of the share $SHOAL_TEST_FUNCTIONS, and of these in a $SHOAL_TEST_TURN half and those by_turn. Where
    only a share of the cases is asked for, as in quick, those of that share alone, and functions that are by_turn themselves."""

    def getTestCaseNames(self, case):
        return [name for name in super().getTestCaseNames(case) if self.takes(case, name)]

    def takes(self, case, name):
        whole = f"{case.__qualname__}.{name}"
        is_by_turn = getattr(getattr(case, name), "is_by_turn", False)
        if takes_share():
            is_of_turn = is_by_turn or is_of("SHOAL_TEST_TURN", whole)
        else:
            is_of_turn = is_by_turn or getattr(case, "is_by_turn", False) or is_of_half("SHOAL_TEST_TURN", whole)
        return is_of_turn and is_of("SHOAL_TEST_FUNCTIONS", whole)


def run_cases(*arguments, verbosity=2):
    """Runs the program's cases; 77, as of a test that is skipped, if the share has none of them."""
    program = unittest.main(module="__main__", argv=[sys.argv[0], *arguments], verbosity=verbosity, testLoader=Loader(), exit=False)
    nothing = program.result.testsRun == 0
    sys.exit(77 if nothing else not program.result.wasSuccessful())
