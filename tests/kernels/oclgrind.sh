#!/bin/sh
# Runs a kernel test on oclgrind's simulated device: oclgrind.sh OCLGRIND LOG TEST [CHECK...]
#
# One run for each CHECK, an oclgrind option without dashes: "data-races", the default, which also looks for accesses
# out of bounds and API errors; "uninitialized". oclgrind exits with the test's status whatever it finds, so every
# message of its log is a failure. Without oclgrind: skipped (77).
#
# $OCLGRIND_OPTIONS: for its compiler. It cannot run what that makes of functions it inlines whose arguments are
# restrict, or which return a struct that stays in memory; "-O2 -Drestrict=" leaves nothing of them.
#
# oclgrind 21.10 takes some values for uninitialised that are not. Vectors put together by component are stored as
# "undef", then component by component: messages about that first store do not count. Every 64-bit value that
# passes a phi node: runs for uninitialised values leave out double precision.
oclgrind=$1 log=$2 test=$3
shift 3
if ! command -v "$oclgrind" > /dev/null 2>&1; then
    echo "there is no $oclgrind: skipped" >&2
    exit 77
fi
[ $# -gt 0 ] || set -- data-races
for check; do
    rm -f "$log"
    if [ "$check" = uninitialized ]; then
        export SHOAL_TEST_FP64=no
    fi
    echo "oclgrind --$check"
    "$oclgrind" --check-api ${OCLGRIND_OPTIONS:+--build-options "$OCLGRIND_OPTIONS"} "--$check" --max-errors 1000000 --log "$log" "$test" || exit $?
    awk 'BEGIN { RS = ""; ORS = "\n\n" } !/store <[0-9]+ x [a-z0-9]+> (undef|poison),/' "$log" > "$log.kept"
    if [ -s "$log.kept" ]; then
        echo "oclgrind --$check found errors, all of them in $log.kept:" >&2
        head -n 60 "$log.kept" >&2
        exit 1
    fi
done
