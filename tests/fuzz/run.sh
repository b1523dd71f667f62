#!/usr/bin/env bash
# run.sh TARGET SEEDS SECONDS: a libFuzzer target over its seeds and the inputs that were kept, then for that long over
# new ones. Those that reach new code are kept in $SHOAL_FUZZ_KEPT/NAME, by default beside the target; one that crashes
# is written to the folder $SHOAL_FUZZ_CRASHES, by default the current one.
set -euo pipefail

target=$1 seeds=$2 seconds=$3
name=${target##*/libfuzzer_}
kept=${SHOAL_FUZZ_KEPT:-$(dirname "$target")/kept}/$name
crashes=${SHOAL_FUZZ_CRASHES:-.}
mkdir -p "$kept" "$crashes"
# Threads of the host would share the processors of other targets.
OMP_NUM_THREADS=1 exec "$target" -max_total_time="$seconds" -max_len=4096 -timeout=60 -verbosity=0 -print_final_stats=1 \
    -artifact_prefix="$crashes/$name-" "$kept" "$seeds"
