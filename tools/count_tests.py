#!/usr/bin/env python3
"""Counts the tests of meson's testlog.json files and prints "PASSED FAILED SKIPPED".

usage: count_tests.py TESTLOG...

A test program that reports its cases, by TAP or cmocka, counts as one test for each case, other programs count as one
test. After the counts come the failed cases of programs that report by TAP, each with its comment: of such programs
meson only prints stderr.
"""
import json
import re
import sys

CASE = re.compile(
    r"^(?:\[ +(?P<cmocka>OK|FAILED|ERROR|SKIPPED) +\] (?!\d+ test)(?!.*test\(s\))"
    r"|(?P<tap>ok|not ok)\b(?P<rest>.*))", re.MULTILINE)
OUTCOMES = {"OK": 0, "FAILED": 1, "ERROR": 1, "SKIPPED": 2, "ok": 0, "not ok": 1}
# A failed case and the lines of comment after the case.
FAILED_IN_TAP = re.compile(r"^not ok\b.*\n?(?:#.*\n?)*", re.MULTILINE)
RESULTS = {"OK": 0, "EXPECTEDFAIL": 0, "SKIP": 2}  # All results that are not listed here are failures.


def cases(output):
    """List of the outcomes of the cases. A case of cmocka counts once, by its name: the summary of cmocka lists failed
    cases again."""
    seen = {}
    for number, match in enumerate(CASE.finditer(output)):
        if match["cmocka"]:
            seen[output[match.end():].split("\n", 1)[0].strip()] = OUTCOMES[match["cmocka"]]
        else:
            skipped = re.search(r"# *skip", match["rest"], re.IGNORECASE)
            seen[number] = 2 if skipped else OUTCOMES[match["tap"]]
    return list(seen.values())


def main():
    total = [0, 0, 0]
    failed = []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                test = json.loads(line)
                outcome = RESULTS.get(test["result"], 1)
                found = cases(test.get("stdout", "") + "\n" + test.get("stderr", "")) if outcome != 2 else []
                # A program can fail as a whole, for example by a crash or a leak, after its cases have passed.
                if not found or (outcome == 1 and 1 not in found):
                    found.append(outcome)
                for value in found:
                    total[value] += 1
                failed += [f"{test['name']}: {text.rstrip()}" for text in FAILED_IN_TAP.findall(test.get("stdout", ""))]
    print(*total)
    for text in failed:
        print(text)


main()
