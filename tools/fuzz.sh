#!/usr/bin/env bash
# Runs the fuzz targets for a given time and keeps the inputs that they find.
set -euo pipefail

usage() {
    cat <<'END'
usage: tools/fuzz.sh [--jobs N] [--no-merge] MINUTES [TARGET...]

Builds the fuzz targets with clang in build-fuzz/ and runs all of them, or those named, for
MINUTES in all; each gets the same share.

A target begins with its seeds, tests/fuzz/corpus/TARGET, and with the inputs that earlier
runs kept, build-fuzz/corpus/TARGET. Inputs that reach new code are kept there; at the end
those that no longer add anything are removed. tools/check.sh --all replays seeds and kept
inputs, too.

An input that crashes a target is in build-fuzz/crashes/TARGET-... Run it again by
    build-fuzz/tests/fuzz/libfuzzer_TARGET FILE
make it smaller by
    build-fuzz/tests/fuzz/libfuzzer_TARGET -minimize_crash=1 -max_total_time=60 FILE
and put it among the seeds, under a name that says what it is.

  --jobs N     targets at once; default: as many as there are processors
  --no-merge   keep every new input
  -h, --help   this text

Exit code: 0, 1 after a crash, 2 for a wrong option.
END
}

fail() {
    echo "$1; see tools/fuzz.sh --help" >&2
    exit 2
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build-fuzz
jobs=$(nproc)
merge=yes
minutes=
wanted=()
while [ $# -gt 0 ]; do
    case $1 in
    --jobs)
        jobs=${2:-}
        [[ $jobs =~ ^[1-9][0-9]*$ ]] || fail "--jobs takes a number from 1 on, not '$jobs'"
        shift
        ;;
    --no-merge) merge=no ;;
    -h | --help) usage; exit 0 ;;
    -*) fail "unknown option $1" ;;
    *) if [ -z "$minutes" ]; then minutes=$1; else wanted+=("$1"); fi ;;
    esac
    shift
done
[[ $minutes =~ ^[1-9][0-9]*$ ]] || fail "MINUTES is a whole number from 1 on, not '$minutes'"
command -v clang >/dev/null || fail "clang is not installed: libFuzzer is a part of it"

# libFuzzer also sees what the code compares, which would take too much time in builds that run all tests.
options=(-Dfuzz=true "-Db_sanitize=address,undefined" -Db_lundef=false -Dpython=disabled -Doptimization=1
    "-Dc_args=-fsanitize=fuzzer-no-link -fno-sanitize-recover=all -fno-omit-frame-pointer")
# A folder that was set up with other options is set up again; what was found stays.
if [ "$(cat "$build/options" 2>/dev/null)" != "${options[*]}" ]; then
    [ ! -e "$build" ] || find "$build" -mindepth 1 -maxdepth 1 ! -name corpus ! -name crashes -exec rm -rf {} +
    CC=clang meson setup "${options[@]}" "$build" "$root" >/dev/null
    echo "${options[*]}" >"$build/options"
fi
mapfile -t targets < <(ninja -C "$build" -t targets all | sed -n 's/^\(.*\/libfuzzer_[a-z]*\): c_LINKER.*/\1/p' | sort)
if [ ${#wanted[@]} -gt 0 ]; then
    chosen=()
    for name in "${wanted[@]}"; do
        found=$(printf '%s\n' "${targets[@]}" | grep "/libfuzzer_$name\$") || fail "there is no target $name"
        chosen+=("$found")
    done
    targets=("${chosen[@]}")
fi
echo "builds ${#targets[@]} targets"
ninja --quiet -C "$build" "${targets[@]}"

# seeds_of TARGET: prints the folder of the target's seeds.
seeds_of() {
    local name=${1##*/libfuzzer_}
    case $name in
    options) echo "$root/tests/cli/corpus" ;;
    results) echo "$root/tests/cli/corpus_results" ;;
    *) echo "$root/tests/fuzz/corpus/$name" ;;
    esac
}

# run_one TARGET: runs the target and prints a line with the result. Returns 1 if the target failed.
run_one() {
    local target=$build/$1 name=${1##*/libfuzzer_} log=$build/logs/${1##*/libfuzzer_}.log code=0 before after
    local kept=$SHOAL_FUZZ_KEPT/$name
    mkdir -p "$kept"
    before=$(find "$kept" -type f | wc -l)
    "$root/tests/fuzz/run.sh" "$target" "$(seeds_of "$target")" "$seconds" >"$log" 2>&1 || code=1
    if [ "$code" -eq 0 ] && [ "$merge" = yes ]; then
        rm -rf "$kept.merged" && mkdir -p "$kept.merged"
        "$target" -merge=1 -verbosity=0 "$kept.merged" "$kept" >>"$log" 2>&1 && rm -rf "$kept" && mv "$kept.merged" "$kept"
    fi
    after=$(find "$kept" -type f | wc -l)
    if [ "$code" -eq 0 ]; then
        printf '%-14s %12s runs, %d inputs kept (%+d)\n' "$name" \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | head -n 1)" "$after" $((after - before))
    else
        # libFuzzer writes the input of a crash to a file ("Test unit written"); other failures come from a signal or
        # the machine.
        local what=ended
        grep -q 'Test unit written' "$log" && what=CRASHED
        printf '%-14s %s: %s\n' "$name" "$what" "$(grep -m 1 -E '^SUMMARY|Test unit written' "$log" || tail -n 1 "$log")"
    fi
    return "$code"
}

seconds=$((60 * minutes * jobs / ${#targets[@]}))
[ $seconds -gt 0 ] || seconds=1
[ $seconds -le $((60 * minutes)) ] || seconds=$((60 * minutes))
mkdir -p "$build/logs"
export SHOAL_FUZZ_KEPT=$build/corpus SHOAL_FUZZ_CRASHES=$build/crashes
echo "runs each for $seconds s, $jobs at once"
code=0 running=0
for target in "${targets[@]}"; do
    if [ "$running" -eq "$jobs" ]; then
        wait -n || code=1
        running=$((running - 1))
    fi
    run_one "$target" &
    running=$((running + 1))
done
for ((; running > 0; running--)); do
    wait -n || code=1
done
[ "$code" -eq 0 ] || echo "crashes are in $SHOAL_FUZZ_CRASHES, logs in $build/logs" >&2
exit "$code"
