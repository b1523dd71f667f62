#!/usr/bin/env bash
# Checks shoal: quickly, or in every supported build.
set -uo pipefail

quick=(lint quick)
all=(lint gcc groups oclgrind theses asan tsan)
every=("${all[@]}" clang)

usage() {
    cat <<'END'
usage: tools/check.sh [--no-install] [--clean] [--all | --every | PHASE...]

Installs missing Debian or Ubuntu packages (as root or through sudo), then runs the phases
lint and quick, those of --all or of --every, or those named:

  lint      clang-format (version 14) and shellcheck
  quick     build with gcc and -Werror, hardly optimised; a share of the tests that meets every
            kernel, workload, command and parser, in some minutes: unit tests, and an eighth of the functions of
            tests on devices and of commands
  gcc       build with gcc and -Werror; every test with all of its cases, or the share that --all takes
  groups    the same build; kernel tests in work-groups of 1 and of 8
  oclgrind  the same build; kernel tests on a simulator that finds races and wrong accesses
  theses    build with gcc and -Dtheses=false; tests of units and commands, with the cases of the quick tests
  asan      build all with clang, -Werror, and address and undefined behaviour sanitizers; tests of units, commands
            and workloads, and the fuzz targets, each for 2 s with its seeds and the inputs that tools/fuzz.sh has kept
  tsan      thread sanitizer (clang, libomp): unit tests and workloads of the host
  clang     build with clang, without optimisation, what install tests need; these tests but those of texts and the
            long ones

Each phase says how long it took, and how long the processors: user and system time of its
programs. Ends with one line, `N passed, N failed, N skipped`, that counts every test of every build;
the exit code is 0 only when none failed.

  --all          all phases but quick, which is a part of gcc, and clang, as CI runs them. Each takes a share of its tests:
                 gcc a quarter of the cases of kernel tests and of the long ones of commands, half of the functions of
                 commands, and a quarter of the functions of most tests of the suites long and statistics; groups and
                 oclgrind a quarter of the programs; theses half of the functions of the suite theses, and a
                 quarter of those of the suites unit and cli; asan and tsan half of the functions of the suite unit
                 and a quarter of those of workloads, cli and split. Which share follows from the name of the commit
  --every        the same phases and clang, with all of their tests
  --no-install   use what is installed, never call apt-get
  --clean        build from nothing (the default keeps build-check/ between runs)
  -h, --help     this text

SHOAL_TEST_DEVICES chooses the devices of the kernel and workload tests (default: PoCL).
END
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/packages.sh
. "$root/tools/packages.sh"

out=$root/build-check
install=yes
# Which share of the many cases, functions and programs the phases take: see SHOAL_TEST_TURN and SHOAL_TEST_FUNCTIONS in
# tests/support/harness.h.
turn=1/1 share_of_quick=${SHOAL_TEST_TURN:-1/8} asked_turn=${SHOAL_TEST_TURN:-}
unset SHOAL_TEST_TURN SHOAL_TEST_FUNCTIONS
# Follows from the name of the commit, so that whoever runs it again gets the same; without one all cases are taken.
turn_of_commit() {
    local commit
    if commit=$(git -C "$root" -c safe.directory="$root" rev-parse HEAD); then
        echo "$((0x${commit:0:7} % 4 + 1))/4"
    else
        echo 1/1
    fi
}
chosen=()
while [ $# -gt 0 ]; do
    case $1 in
    --no-install) install=no ;;
    --clean) rm -rf "$out" ;;
    --all) chosen+=("${all[@]}") turn=$(turn_of_commit) ;;
    --every) chosen+=("${every[@]}") turn=1/1 ;;
    -h | --help) usage; exit 0 ;;
    *)
        [[ " quick ${every[*]} " == *" $1 "* ]] || { echo "unknown option or phase $1; see tools/check.sh --help" >&2; exit 2; }
        chosen+=("$1")
        ;;
    esac
    shift
done
[ ${#chosen[@]} -gt 0 ] || chosen=("${quick[@]}")
turn=${asked_turn:-$turn}
# Half of the functions: for the phase theses, and for the suite unit under sanitizers.
half=1/1
[ "${turn#*/}" = 1 ] || half=$((${turn%/*} % 2 + 1))/2
# programs PHASE: prints the programs that the phase needs.
programs() {
    case $1 in
    lint) ;;
    clang | asan | tsan) printf '%s\n' meson ninja pkg-config clang ;;
    *) printf '%s\n' meson ninja pkg-config gcc ;;
    esac
}

if [ $install = no ]; then
    mapfile -t needed < <(for phase in "${chosen[@]}"; do programs "$phase"; done | sort -u)
    needs_programs "${needed[@]}" || exit 1
fi
mkdir -p "$out" && cd "$root" || exit 1

# clock: sets `now` to "WALL PROCESSORS": the seconds since the script began, and the user and system time of the
# programs that have ended. `times` does not run in a subshell, which would report only its own programs.
clock() {
    times >"$out/times"
    now=$(awk -v wall=$SECONDS 'NR == 2 { gsub(/[ms]/, " "); print wall, 60 * $1 + $2 + 60 * $3 + $4 }' "$out/times")
}

# since NOW: sets `spent` to the wall time and processor time since NOW, an earlier value of `now`, in words.
since() {
    clock
    spent=$(awk '{ printf "%d s, %.0f s of the processors", $3 - $1, $4 - $2 }' <<<"$1 $now")
}

# phase NAME COMMAND...: prints a heading, runs the command, and prints its time.
phase() {
    local name=$1 began code
    shift
    echo "[$name]"
    clock
    began=$now
    "$@"
    code=$?
    since "$began"
    echo "    $name: $spent"
    return $code
}

passed=0 failed=0 skipped=0
# check NAME COMMAND...: runs the command as a test, which passes if the exit code is 0.
check() {
    local name=$1
    shift
    if quietly "$out/$name.log" "$@"; then
        passed=$((passed + 1))
        echo "    $name: ok"
    else
        failed=$((failed + 1))
        echo "    $name: FAILED"
    fi
}

skip() {
    skipped=$((skipped + 1))
    echo "    $1: skipped, $2"
}

# configure NAME COMPILER OPTION...: sets up build-check/NAME; a failure counts as a failed test.
configure() {
    local name=$1 compiler=$2
    shift 2
    # A folder that was set up with other options is set up again, since it may lack tests.
    [ "$(cat "$out/$name/options" 2>/dev/null)" = "$compiler $*" ] || rm -rf "${out:?}/$name"
    # Kernels do not depend on the compiler of the host code, so all phases share PoCL's cache of compiled kernels.
    mkdir -p "$out/$name"
    rm -rf "$out/$name/pocl-cache" && ln -s "$POCL_CACHE_DIR" "$out/$name/pocl-cache"
    [ -e "$out/$name/build.ninja" ] ||
        CC=$compiler quietly "$out/$name-setup.log" meson setup --werror "$@" "$out/$name" "$root" || fail_build || return
    echo "$compiler $*" >"$out/$name/options"
}

# build NAME [TARGET...]: compiles the targets in build-check/NAME, or all; a failure counts as a failed test.
build() {
    local name=$1 began
    shift
    clock
    began=$now
    quietly "$out/$name-build.log" ninja --quiet -C "$out/$name" "$@" || fail_build || return 1
    since "$began"
    echo "    build: ok ($spent)"
}

fail_build() {
    failed=$((failed + 1))
    echo "    build: FAILED"
    return 1
}

# run_tests NAME SETUP COMMAND...: the command runs meson test in build-check/NAME, with a setup of tests/meson.build.
# $part distinguishes the logs of several runs with one setup.
run_tests() {
    local name=$1 setup=$2 began counts failures code p f s
    # PoCL's compiler of kernels finds its linker by this path, which only tests get: builds must not use this linker.
    local -x COMPILER_PATH=$out/pocl/linker${COMPILER_PATH:+:$COMPILER_PATH}
    # meson names its log after the setup, or after the wrapper if the command uses a wrapper.
    local logs=$out/$name/meson-logs output=$out/$name-$setup${part:+-$part}.log
    shift 2
    rm -f "$logs"/testlog-*.json
    clock
    began=$now
    "$@" --setup "$setup" --print-errorlogs >"$output" 2>&1 </dev/null
    code=$?
    counts=$(python3 "$root/tools/count_tests.py" "$logs"/testlog-*.json) || counts="0 1 0"
    read -r p f s <<<"$counts"
    failures=$(tail -n +2 <<<"$counts")
    # meson can fail before or between tests.
    [ $code -eq 0 ] || [ "$f" -gt 0 ] || f=1
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    [ "$f" -eq 0 ] || grep -vE '^ *[0-9]+/[0-9]+ .* (OK|SKIP) +[0-9.]+s' "$output" | tail -n 150
    [ -z "$failures" ] || tail -n 150 <<<"$failures"
    since "$began"
    echo "    $setup: $p ok, $f failed, $s not run ($spent)"
}

# run_covering NAME SETUP [OPTION...]: runs the tests of build-check/NAME with the options of meson test, and checks that
# they covered every kernel, command, workload and parser. Only OpenCL launches are recorded.
run_covering() {
    local record=$out/$1/record
    rm -f "$record"
    SHOAL_TEST_RECORD=$record LD_PRELOAD=$out/$1/tests/support/librecord.so \
        run_tests "$1" "$2" meson test -C "$out/$1" --no-rebuild "${@:3}"
    if [ -n "${SHOAL_TEST_DEVICES:-}" ]; then
        skip coverage "it is for the default device"
    else
        check coverage python3 tests/support/coverage.py "$out/$1/tools/shoal" "$root" "$record"
    fi
}

find_packages() {
    if [ $install = yes ]; then
        install_packages "$out/packages.log" "${build_packages[@]}" "${run_packages[@]}" "${check_packages[@]}" \
            "${data_packages[@]}"
    else
        echo "    left as they are"
    fi
}

phase_lint() {
    local files
    mapfile -t files < <(find include src tools bench tests examples -name '*.[ch]' | sort)
    case $(clang-format --version 2>/dev/null) in
    *"version 14."*)
        check clang-format xargs -a <(printf '%s\n' "${files[@]}") -P "$(nproc)" -n 100 clang-format --dry-run --Werror ;;
    *) skip clang-format "only version 14 formats exactly as the project's files are" ;;
    esac
    if command -v shellcheck >/dev/null; then
        mapfile -t files < <(find tools tests bench .ci -name '*.sh' -o -path .ci/run | sort)
        check shellcheck xargs -a <(printf '%s\n' "${files[@]}") -P "$(nproc)" -n 4 shellcheck -x
    else
        skip shellcheck "it is not installed"
    fi
}

# ld.gold links each of the 300 programs in half of the time.
linker=()
! command -v ld.gold >/dev/null || linker=(-Dc_link_args=-fuse-ld=gold)

# build_gcc: the build for users.
build_gcc() {
    configure gcc gcc "${linker[@]}" && build gcc
}

# build_for NAME WORD...: compiles those targets in build-check/NAME that tools/test_targets.py names.
build_for() {
    local name=$1 targets
    shift
    # The tests are those of an older source until the build is configured anew.
    quietly "$out/$name-setup.log" ninja -C "$out/$name" build.ninja || fail_build || return
    mapfile -t targets < <(python3 -B tools/test_targets.py "$out/$name" "$@")
    [ ${#targets[@]} -gt 0 ] || fail_build || return
    build "$name" "${targets[@]}"
}

phase_quick() {
    # This build takes half of the time of one for users, and its short tests as long. To write no symbols takes a third
    # off the time to link. With -Og gcc cannot inline what xxhash insists on.
    configure quick gcc -Doptimization=g -Dc_args=-DXXH_NO_INLINE_HINTS=1 "${linker[*]:--Dc_link_args=} -Wl,-s" &&
        build quick || return
    echo "    functions of commands and on devices: share $share_of_quick (SHOAL_TEST_TURN), and those by_turn"
    SHOAL_TEST_TURN=$share_of_quick run_covering quick quick
}

phase_gcc() {
    build_gcc || return
    # All cases of these functions, or none: the two shares together would leave some cases out in every turn.
    echo "    functions of the suites long and statistics: share $turn (SHOAL_TEST_FUNCTIONS)"
    part=long SHOAL_TEST_FUNCTIONS=$turn run_tests gcc full meson test -C "$out/gcc" --no-rebuild --logbase testlog-long \
        --suite long --suite statistics
    echo "    cases of kernel tests, and of commands long ones and half of the functions: share $turn (SHOAL_TEST_TURN)"
    SHOAL_TEST_TURN=$turn run_covering gcc full --no-suite long --no-suite statistics
}

phase_groups() {
    build_gcc || return
    echo "    programs of kernel tests: share $turn (SHOAL_TEST_FUNCTIONS)"
    for setup in groups_1 groups_8; do
        SHOAL_TEST_FUNCTIONS=$turn run_tests gcc $setup meson test -C "$out/gcc" --no-rebuild --suite $setup
    done
}

phase_oclgrind() {
    build_gcc || return
    echo "    programs of kernel tests: share $turn (SHOAL_TEST_FUNCTIONS)"
    SHOAL_TEST_FUNCTIONS=$turn run_tests gcc oclgrind meson test -C "$out/gcc" --no-rebuild --suite oclgrind
}

phase_theses() {
    # With -Doptimization=1 this phase takes three quarters of the time. The tests need the library and the command; the
    # other phases build other tests.
    configure theses gcc "${linker[@]}" -Dtheses=false -Doptimization=1 && build_for theses unit cli -long || return
    # The cases of the setup quick with the options of the setup full, and so with its kernels in PoCL's cache.
    local -x SHOAL_TEST_SHARE=1/7 MALLOC_PERTURB_=0 POCL_UNOPTIMISED=yes
    echo "    functions of the suite theses: share $half (SHOAL_TEST_FUNCTIONS), of other units and commands: $turn"
    part=theses SHOAL_TEST_FUNCTIONS=$half run_tests theses full meson test -C "$out/theses" --no-rebuild \
        --logbase testlog-theses --suite theses
    part=others SHOAL_TEST_FUNCTIONS=$turn run_tests theses full meson test -C "$out/theses" --no-rebuild \
        --suite unit --suite cli --no-suite theses --no-suite long
}

# sanitizer NAME B_SANITIZE OPTION...: sets up a build with the sanitizer.
sanitizer() {
    # -g1: a report needs only line numbers of the debug information.
    configure "$1" clang "-Db_sanitize=$2" -Doptimization=1 -Db_lundef=false "${linker[@]}" "${@:3}" \
        "-Dc_args=-fno-sanitize-recover=all -fno-omit-frame-pointer -g1"
}

# run_sanitizer NAME: the tests of the build that tests/sanitizers/run.sh chooses.
run_sanitizer() {
    echo "    functions of the suites workloads, cli and split: share $turn (SHOAL_TEST_FUNCTIONS), of unit: $half"
    SHOAL_TEST_UNITS=$half SHOAL_TEST_FUNCTIONS=$turn run_tests "$1" full env -u COMPILER_PATH tests/sanitizers/run.sh "$out/$1"
}

phase_asan() {
    # All sources are compiled, for clang's warnings; the programs that other phases run are not linked.
    sanitizer asan address,undefined -Dfuzz=true && build_for asan --objects unit workloads cli split fuzz -statistics -long &&
        SHOAL_FUZZ_KEPT=$root/build-fuzz/corpus run_sanitizer asan
}

phase_tsan() {
    sanitizer tsan thread && build_for tsan unit workloads -devices -statistics -long && run_sanitizer tsan
}

phase_clang() {
    # The phase asan compiles all sources with clang's warnings and optimised.
    configure clang clang "${linker[@]}" -Doptimization=0 && build_for clang install -texts -long &&
        run_tests clang full meson test -C "$out/clang" --no-rebuild --suite install --no-suite texts --no-suite long
}

# All phases share these caches, so that PoCL compiles a kernel once. The caches of the user are not used.
export POCL_CACHE_DIR=$out/cache/pocl XDG_CACHE_HOME=$out/cache LC_ALL=C.UTF-8
# Several programs share the cores, so threads that wait must sleep and not spin.
export OMP_WAIT_POLICY=passive
# One test more than there are cores runs at a time, since some tests wait for a signal or a time limit.
export MESON_TESTTHREADS=${MESON_TESTTHREADS:-$(($(nproc) + 1))}
mkdir -p "$POCL_CACHE_DIR"

phase packages find_packages || exit 1
# tests/support/pocl.py makes a PoCL that reads less for each program. It is not used if OCL_ICD_VENDORS names drivers.
if [ -z "${OCL_ICD_VENDORS:-}" ] && python3 -B tests/support/pocl.py "$root" "$out/pocl"; then
    export OCL_ICD_VENDORS=$out/pocl/vendors
fi
for name in "${chosen[@]}"; do
    phase "$name" "phase_$name"
done
since "0 0"
echo "All in $spent; logs are in $out"
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
