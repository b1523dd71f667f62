#!/usr/bin/env bash
# Runs the tests of this bundle and ends with `N passed, N failed, N skipped`.
set -uo pipefail

usage() {
    cat <<'END'
usage: run-tests.sh [--list] [PATTERN...]

Runs the tests whose SUITE/NAME matches one of the patterns (default: all), with

  SHOAL_TEST_DEVICES   devices, as `shoal --device` takes them (default: all)
  SHOAL_TEST_VARIANTS  kernel variants, a comma list of auto (native CUDA kernels where there are
                       some), cl and cu (default: auto on every device, and cl on CUDA devices)

Logs go to the folder logs below the current one. The exit code is 0 when no test failed.
END
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
logs=$PWD/logs
list=no
patterns=()
for word; do
    case $word in
    --list) list=yes ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "unknown option $word; see run-tests.sh --help" >&2; exit 2 ;;
    *) patterns+=("$word") ;;
    esac
done
[ ${#patterns[@]} -gt 0 ] || patterns=('*')

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME=$scratch POCL_CACHE_DIR=${POCL_CACHE_DIR:-$scratch/pocl} LC_ALL=C
mkdir -p "$logs" "$POCL_CACHE_DIR"
cd "$here" || exit 1

# Only CUDA devices have native kernels; on other devices the variants auto and cl have the same kernels.
cuda_devices=$(bin/shoal devices --json | grep -oE '"cuda:[0-9]+"' | tr -d '"' | sort -u | paste -sd,)
variants=${SHOAL_TEST_VARIANTS:-auto${cuda_devices:+,cl}}
passed=0 failed=0 skipped=0

# lines PATTERN FILE: prints the number of lines of the file that match the pattern.
lines() {
    grep -cE "$1" "$2" || true
}

# devices VARIANT: prints the devices on which the variant is tested.
devices() {
    if [ -n "${SHOAL_TEST_DEVICES:-}" ] || [ "$1" = auto ]; then
        echo "${SHOAL_TEST_DEVICES:-all}"
    else
        echo "$cuda_devices"
    fi
}

# run SUITE NAME SECONDS COMMAND: runs a test. Adds the cases that it reports (cmocka, TAP) to passed, failed and
# skipped; a program that reports no cases counts as one.
run() {
    local title=$1/$2 log=$logs/$1-$2.log began=$SECONDS code good bad left
    timeout -k 10 "$3" bash -c "$4" >"$log" 2>&1 </dev/null
    code=$?
    if [ $code -eq 77 ]; then
        skipped=$((skipped + 1))
        echo "skip  $title: $(tail -n 1 "$log")"
        return
    fi
    good=$(($(lines '^\[ +OK \]' "$log") + $(lines '^ok ' "$log") - $(lines '^ok .*# *[Ss][Kk][Ii][Pp]' "$log")))
    left=$(($(grep -E '^\[ +SKIPPED \]' "$log" | grep -vcE 'test\(s\)' || true)))
    left=$((left + $(lines '^ok .*# *[Ss][Kk][Ii][Pp]' "$log")))
    # cmocka prints the name of a failed case twice.
    bad=$(($(grep -E '^\[ +(FAILED|ERROR) +\]' "$log" | grep -vE 'test\(s\)' | sort -u | wc -l) + $(lines '^not ok ' "$log")))
    # A program can fail as a whole, say by a crash, after its cases passed.
    if [ $code -ne 0 ] && [ $bad -eq 0 ]; then
        bad=1
    elif [ $((good + left + bad)) -eq 0 ]; then
        good=1
    fi
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left))
    if [ $bad -gt 0 ]; then
        tail -n 30 "$log"
        echo "FAIL  $title: exit code $code, log in $log"
    else
        echo "ok    $title ($((SECONDS - began)) s)"
    fi
}

wanted() {
    local pattern
    for pattern in "${patterns[@]}"; do
        # shellcheck disable=SC2053 # the right side is a pattern
        [[ $1 == $pattern ]] && return 0
    done
    return 1
}

while IFS=$'\t' read -r suite name seconds command <&3; do
    wanted "$suite/$name" || continue
    if [ $list = yes ]; then
        echo "$suite/$name"
    elif [[ $suite == kernels || $suite == workloads ]]; then
        for variant in ${variants//,/ }; do
            SHOAL_TEST_VARIANT=$variant SHOAL_TEST_DEVICES=$(devices "$variant") \
                run "$suite" "$name-$variant" "$seconds" "$command"
        done
    else
        run "$suite" "$name" "$seconds" "$command"
    fi
done 3<tests/list
[ $list = no ] || exit 0
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
