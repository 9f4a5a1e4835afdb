#!/usr/bin/env bash
# Two probes of this machine, held against each other and against what they are to reach; the triad
# in turns with likwid-bench's where that is installed.
# usage: bench/probe.sh PROGRAM
#   OUT  folder for probe-1.json, probe-2.json, probe.txt, triad.txt, probe.md (default results)
set -eu
. "$(dirname "$0")/../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
find_program "$1"
cd "$(dirname "$0")/.."
out=${OUT:-results}
mkdir -p "$out"

for run in 1 2; do
    begin=$SECONDS
    "$program" probe --quiet --name "run-$run" --folder "${FOLDER:-$out}" \
        --output "$out/probe-$run.json" >"$out/probe.txt"
    echo "probe $run took $((SECONDS - begin)) s" >&2
done

# The triad and likwid-bench's in turns: what a shared host gives changes by the minute. A line: GB/s of ours, of theirs.
# Alike: bytes in all, on all cores; three arrays counted, however they are stored; of several ways to store the one
# that is fastest here; bytes over all of the time; each thread's part touched by it first (-W); large pages, which ours
# asks for and likwid-bench's malloc does where it is told to (glibc 2.35 on).
ARRAYS=1200MB FLOATS=1e8 TURNS=7
theirs() {
    GLIBC_TUNABLES=glibc.malloc.hugetlb=1 likwid-bench -t "$1" -W "N:$ARRAYS:$cores" 2>/dev/null | awk '$1 == "MByte/s:" { print $2 / 1000 }'
}
triad_in_turns() {
    local kernel best='' rate fastest=0
    for kernel in stream_mem_avx512 stream_mem_avx_fma stream_mem stream; do
        rate=$(theirs "$kernel")
        if awk -v a="${rate:-0}" -v b="$fastest" 'BEGIN { exit !(a > b) }'; then
            fastest=$rate best=$kernel
        fi
    done
    [ -n "$best" ] || return 0
    echo "likwid-bench -t $best -W N:$ARRAYS:$cores"
    for _ in $(seq $TURNS); do
        echo "$("$triad" $FLOATS | sed 's/.*mean triad \([0-9.]*\) GB.*/\1/') $(theirs "$best")"
    done
}
PATH=$PATH:/usr/sbin # likwid-bench's helper is there
cores=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["machine"]["cores_allowed"])' "$out/probe-1.json")
triad=$(dirname "$program")/bench_triad
# Built here and now, unless this folder was built elsewhere.
[ ! -e "$(dirname "$program")/CMakeCache.txt" ] || cmake --build "$(dirname "$program")" --target bench_triad >/dev/null
: >"$out/triad.txt"
! command -v likwid-bench >/dev/null || triad_in_turns >"$out/triad.txt"
python3 bench/probe.py "$out/probe-1.json" "$out/probe-2.json" --triad "$out/triad.txt" | tee "$out/probe.md"
