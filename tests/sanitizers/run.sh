#!/usr/bin/env bash
# Runs the suites that a sanitizer build is for, with the sanitizer's options.
set -euo pipefail

usage() {
    cat <<'END'
usage: tests/sanitizers/run.sh BUILDDIR [MESON_TEST_OPTION...]

BUILDDIR was configured with one of

  CC=clang meson setup BUILDDIR -Db_sanitize=address,undefined -Db_lundef=false
  CC=clang meson setup BUILDDIR -Db_sanitize=thread -Db_lundef=false

(gcc does for the first). Address and undefined behaviour: suites unit, workloads, cli, split and
fuzz. Thread: suites unit and workloads without the suite devices, whose hosts make launches
alone. Both without the suites statistics and long, runs of code that shorter ones go through as
well. $SHOAL_TEST_FUNCTIONS, such as 2/4, takes that share of the test functions of workloads, cli
and split, $SHOAL_TEST_UNITS of those of unit; fuzz always runs whole. Thread needs libarcher.so, which tells the sanitizer what
libomp orders (Debian: libomp-dev).
END
}

case ${1:-} in
-h | --help) usage; exit 0 ;;
"") usage >&2; exit 2 ;;
esac
build=$1
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sanitize=$(meson introspect --buildoptions "$build" |
    python3 -c 'import json, sys; print(*(o["value"] for o in json.load(sys.stdin) if o["name"] == "b_sanitize"))')

# libomp keeps a small file in shared memory for each process and reads one that it finds under its own number: those
# of processes that were killed, perhaps cut off, end it with a bus error.
for left in /dev/shm/__KMP_REGISTERED_LIB_*; do
    number=${left#*_LIB_}
    [ ! -O "$left" ] || [ -e "/proc/${number%%_*}" ] || rm -f "$left"
done

# Several programs share the cores: threads that wait must not spin.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
runner=() others=() whole=()
case $sanitize in
*thread*)
    shared=(workloads)
    others=(--no-suite devices)
    share=3/5
    # PoCL, LLVM and libomp are not instrumented: a lock inside of them looks like a race. What libomp orders is told
    # to the sanitizer by libarcher, which needs the same option.
    export TSAN_OPTIONS="ignore_noninstrumented_modules=1 second_deadlock_stack=1 ${TSAN_OPTIONS:-}"
    libomp=$(ldd "$build/libshoal.so" | awk '/libomp/ {print $3; exit}')
    archer=$(dirname "$(readlink -f "${libomp:-/none}")")/libarcher.so
    [ -e "$archer" ] || { echo "no libarcher.so beside ${libomp:-libomp}: install libomp-dev, build with clang" >&2; exit 1; }
    export OMP_TOOL_LIBRARIES=$archer
    # Kernels that spread mappings widely leave no room for the shadow memory.
    ! setarch "$(uname -m)" -R true 2>/dev/null || runner=(setarch "$(uname -m)" -R)
    ;;
*address* | *undefined*)
    shared=(workloads cli split) whole=(fuzz)
    # That of the setup quick, whose kernels the setup full leaves in PoCL's cache.
    share=1/7
    # LLVM 14 guesses the ends of a thread's variables from a header that glibc no longer writes. Where the guess is
    # wrong, by chance of the addresses, the leak check reads address 0x210 and ends the program with "Tracer caught
    # signal 11": seen in 13 of 100 runs on PoCL, in 0 of 1000 where it does not guess.
    ASAN_OPTIONS="intercept_tls_get_addr=0:${ASAN_OPTIONS:-}"
    export ASAN_OPTIONS="detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1:$ASAN_OPTIONS"
    export LSAN_OPTIONS="suppressions=$here/lsan.supp:print_suppressions=0:${LSAN_OPTIONS:-}"
    export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1:${UBSAN_OPTIONS:-}"
    ;;
*)
    echo "$build is no sanitizer build (b_sanitize=$sanitize)" >&2
    usage >&2
    exit 2
    ;;
esac

# Of cases that differ in their kernels, which are not instrumented, each of the two takes one in five.
export SHOAL_TEST_SHARE=${SHOAL_TEST_SHARE:-$share}

# run LOG SUITE...: the tests of the suites; LOG begins the name of meson's log.
run() {
    local log=$1 suite selection=()
    shift
    for suite in "$@"; do
        selection+=(--suite "$suite")
    done
    "${runner[@]}" meson test -C "$build" --setup full --wrapper "$here/wrapper.sh" --logbase "$log" --print-errorlogs -t 5 "${selection[@]}" \
        --no-suite statistics --no-suite long "${others[@]}" "${options[@]}"
}

options=("$@") code=0
SHOAL_TEST_FUNCTIONS=${SHOAL_TEST_UNITS:-1/1} run testlog-units unit || code=1
[ ${#whole[@]} -eq 0 ] || (unset SHOAL_TEST_FUNCTIONS && run testlog-whole "${whole[@]}") || code=1
run testlog-shared "${shared[@]}" || code=1
exit $code
