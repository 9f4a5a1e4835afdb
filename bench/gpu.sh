#!/usr/bin/env bash
# The speeds a machine with an NVIDIA GPU can be asked for, in one sitting under 8 minutes.
# usage: bench/gpu.sh PROGRAM
#   LIMIT_S  seconds all of it may take (default 460)
#   SIZES    of the comparison with other programs (default 1e7,3e8)
#   OUT      folder for gpu.md, gpu.json, gpu-again.json, self-test.txt, versus.*, cpu/versus.* (default results)
set -eu
. "$(dirname "$0")/../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
find_program "$1"
cd "$(dirname "$0")/.."
export OUT=${OUT:-results} SIZES=${SIZES:-1e7,3e8}
limit=${LIMIT_S:-460}
mkdir -p "$OUT"
rm -f "$OUT/self-test.txt" "$OUT/versus.json" "$OUT/cpu/versus.json"

say() { echo "gpu: $SECONDS s: $*" >&2; }
left() { echo $((limit - SECONDS)); }
# most KEEP: what is left but for KEEP seconds, at least one.
most() { echo $(($(left) > $1 + 1 ? $(left) - $1 : 1)); }

# A result that failed its check (4) is named in the tables. No GPU (3), and what else there is,
# ends this.
ours() {
    local status=0
    "$program" compare "$@" || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 4 ] || exit "$status"
}

# x and y in are 1 GiB at 2^27 elements, z out is 1 GiB at 2^28.
measure() {
    ours power multiply --device=cpu,cuda:0 --size=134217728,268435456,3e8 --no-refine --quiet \
        --json="$1" >/dev/null
}

say "the targets"
measure "$OUT/gpu.json"
say "the same command again"
measure "$OUT/gpu-again.json"
say "multiply and the triad in turns"
build=$(dirname "$program")
# Built here and now, unless this folder was built elsewhere.
[ ! -e "$build/CMakeCache.txt" ] || cmake --build "$build" --target bench_triad >/dev/null
paired=$("$build/bench_triad" 3e8) || paired="not measured"
# versus SECONDS FOLDER OPTION...: beside other programs.
versus() {
    local seconds=$1 folder=$2
    shift 2
    timeout --kill-after=10 $((seconds + 20)) bench/versus.sh "$program" "$@" --size="$SIZES" \
        --total="$seconds" --rounds=3 --budget="${BUDGET:-0.2}" --out="$folder" >/dev/null ||
        say "the comparison failed, or took too long"
}
# What is left is for these two and the self-test.
part=$(($(left) / 3))
say "the CPU beside Numba"
versus $((part / 2)) "$OUT/cpu" --device=cpu --only=power --threads=all
say "the GPU beside other programs"
versus "$part" "$OUT" --device=cuda:0 --only=power,multiply
if [ "$(left)" -gt 20 ]; then
    say "self-test, for at most $(left) s"
    # Interrupted (once: hence --foreground), it says what it has. Status 4: pairs that differ, which the table shows.
    timeout --foreground --signal=INT --kill-after=10 "$(most 5)" \
        "$program" compare power multiply --device=cpu,cuda:0 --self-test=100 --quiet >"$OUT/self-test.txt" || true
fi
python3 bench/figures.py --run "$OUT/gpu.json" --again "$OUT/gpu-again.json" \
    --self-test "$OUT/self-test.txt" --versus "$OUT/cpu/versus.json" \
    --triad "not part of this (make bench)" --paired "$paired" --command "make bench-gpu" --out "$OUT/gpu.md"
say "done; more in $OUT/gpu.md, $OUT/versus.md and $OUT/cpu/versus.md"
