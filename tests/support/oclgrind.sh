#!/bin/sh
# Runs a kernel test on oclgrind's simulated device: oclgrind.sh TEST [ARGUMENT...], the wrapper of the setup oclgrind.
#
# oclgrind exits with the test's status whatever it finds, so every message of its log is a failure. Without oclgrind:
# skipped (77).
#
# $OCLGRIND_CHECKS: one run for each, an oclgrind option without dashes: "data-races", the default, which also looks for
# accesses out of bounds and API errors; "uninitialized".
#
# $OCLGRIND_OPTIONS: for its compiler. It cannot run what that makes of functions it inlines whose arguments are
# restrict, or which return a struct that stays in memory; "-O2 -Drestrict=" leaves nothing of them. Nor can it run
# rotated and reversed bits and differences that stop at 0, which optimisation makes of shifts: "-O0".
#
# oclgrind 21.10 takes some values for uninitialised that are not. Vectors put together by component are stored as
# "undef", then component by component: messages about that first store do not count. Every 64-bit value that
# passes a phi node: runs for uninitialised values leave out double precision.
if ! command -v oclgrind > /dev/null 2>&1; then
    echo "there is no oclgrind: skipped" >&2
    exit 77
fi
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
for check in ${OCLGRIND_CHECKS:-data-races}; do
    : > "$log"
    if [ "$check" = uninitialized ]; then
        export SHOAL_TEST_FP64=no
    fi
    echo "oclgrind --$check"
    oclgrind --check-api ${OCLGRIND_OPTIONS:+--build-options "$OCLGRIND_OPTIONS"} "--$check" --max-errors 1000000 --log "$log" "$@" || exit $?
    errors=$(awk 'BEGIN { RS = ""; ORS = "\n\n" } !/store <[0-9]+ x [a-z0-9]+> (undef|poison),/' "$log")
    if [ -n "$errors" ]; then
        echo "oclgrind --$check found errors:" >&2
        printf '%s\n' "$errors" | head -n 200 >&2
        exit 1
    fi
done
