#!/usr/bin/env bash
# The speeds a CPU can be asked for, and whether two runs agree. Needs no GPU.
# usage: bench/run.sh PROGRAM
#   SIZES   elements, with commas (default 1e7,1e8)
#   ROUNDS  of the comparison with Numba (default 3)
#   OUT     folder for bench.md, bench.json, bench-again.json, self-test.txt, versus.* (default
#           results)
set -eu
. "$(dirname "$0")/../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
find_program "$1"
cd "$(dirname "$0")/.."
export OUT=${OUT:-results} SIZES=${SIZES:-1e7,1e8} ROUNDS=${ROUNDS:-3}
mkdir -p "$OUT"

say() { echo "bench: $*" >&2; }

# A result that failed its check (4) is named in the tables; any other failure ends this.
ours() {
    local status=0
    "$program" compare "$@" || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 4 ] || exit "$status"
}

measure() {
    ours power multiply --device=cpu --size="$SIZES" --no-refine --quiet --json="$1" >/dev/null
}

# Best of three kernels of the same triad: what stores fast differs between CPUs.
stream_triad() {
    local kernel rate best='' path=$PATH:/usr/sbin # its helper is there
    if ! PATH=$path command -v likwid-bench >/dev/null; then
        echo "skipped: likwid-bench is not here (Debian, Ubuntu: apt-get install likwid)"
        return
    fi
    for kernel in stream_mem_avx_fma stream_mem stream; do
        rate=$(PATH=$path likwid-bench -t "$kernel" -w "N:1GB:$(nproc)" 2>/dev/null |
            awk '$1 == "MByte/s:" { printf "%.1f %s\n", $2 / 1000, kernel }' kernel="$kernel") || true
        best=$(printf '%s\n%s\n' "$best" "$rate" | sort -n | tail -n 1)
    done
    [ -n "$best" ] || { echo "skipped: likwid-bench did not run here"; return; }
    echo "${best% *} GB/s (${best#* }, $(nproc) threads, float64)"
}

say "beside Numba, $ROUNDS rounds"
bench/versus.sh "$program" --only=power --peers=numba --size="$SIZES" --threads=all \
    --rounds="$ROUNDS" --out="$OUT" >/dev/null
say "the same command twice"
measure "$OUT/bench.json"
measure "$OUT/bench-again.json"
say "STREAM triad"
triad=$(stream_triad)
say "multiply and the triad in turns"
cmake --build "$(dirname "$program")" --target bench_triad >/dev/null
paired=$("$(dirname "$program")/bench_triad" 3e8) || paired="not measured"
say "self-test, some minutes on a busy machine"
ours power multiply --device=cpu --self-test=100 --quiet >"$OUT/self-test.txt"
python3 bench/figures.py --run "$OUT/bench.json" --again "$OUT/bench-again.json" \
    --self-test "$OUT/self-test.txt" --versus "$OUT/versus.json" --triad "$triad" --paired "$paired" \
    --command "SIZES=$SIZES ROUNDS=$ROUNDS make bench" --out "$OUT/bench.md"
