#!/usr/bin/env bash
# Two probes of this machine, held against each other and against what they are to reach; the triad
# beside likwid-bench where that is installed.
# usage: bench/probe.sh PROGRAM
#   OUT  folder for probe-1.json, probe-2.json, probe.txt, probe.md (default results)
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

# All cores this process may use, one working set far beyond the caches, best of three.
beside="not measured: likwid-bench is not here"
if command -v likwid-bench >/dev/null; then
    cores=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["machine"]["cores_allowed"])' "$out/probe-1.json")
    kernel=stream_mem_avx512
    grep -qw avx512f /proc/cpuinfo || kernel=stream_mem_avx
    set_of="N:${LIKWID_SIZE:-4GB}:$cores"
    best=$(for _ in 1 2 3; do
        likwid-bench -t "$kernel" -w "$set_of" 2>/dev/null | sed -n 's/^MByte\/s:[ \t]*//p'
    done | sort -g | tail -n 1)
    beside="${best:-0} MB/s, likwid-bench -t $kernel -w $set_of"
fi
python3 bench/probe.py "$out/probe-1.json" "$out/probe-2.json" --triad "$beside" | tee "$out/probe.md"
