#!/usr/bin/env bash
# What we say of a GPU beside what others say of it, on a machine that has one: nvidia-smi in the same
# seconds, ncu on the same kernels, known counts, and what watching costs. Needs Python with torch and
# cupy. Under three minutes; the tables come last.
# usage: bench/gpu_watch.sh TOOLS [RESULTS]
#   TOOLS: the folder of gpu_sample, libbreakeven_trace.so and breakeven
set -u
. "$(dirname "$0")/../scripts/usage.sh"
[ $# -eq 1 ] || [ $# -eq 2 ] || wrong_use
here=$(cd "$(dirname "$0")" && pwd)/gpu_watch
[ -d "$1" ] || wrong_use "there is no folder $1"
tools=$(realpath -- "$1")
out=${2:-${OUT:-$(mktemp -d)}}/gpu_watch
mkdir -p "$out"
sample=$tools/gpu_sample
python=${PYTHON:-python3}
: >"$out/wrong.txt"
begin=$SECONDS

# try NAME SECONDS COMMAND...: its failure is told, and the rest goes on.
try() {
    local name=$1 limit=$2 status=0
    shift 2
    timeout "$limit" "$@" || status=$?
    [ "$status" -eq 0 ] || echo "$name: exit $status" >>"$out/wrong.txt"
    echo "[$((SECONDS - begin)) s] $name: exit $status" >&2
    return 0
}

# A private folder for traces, as they ask for.
traces() {
    rm -rf "$out/traces"
    mkdir -m 700 "$out/traces"
}

{
    echo "bench/gpu_watch.sh, $(date -u +%Y-%m-%dT%H:%MZ), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
    "$python" -c 'import torch, cupy; print("torch", torch.__version__, "cupy", cupy.__version__)'
    nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,power.limit --format=csv,noheader
    "$sample" --list
    "$sample" --costs
} >"$out/gpu.txt" 2>&1

# (a), (b): phases under our sources, with nvidia-smi beside them.
nvidia-smi --query-gpu=timestamp,utilization.gpu,utilization.memory,memory.used,power.draw,clocks.sm,temperature.gpu \
    --format=csv,noheader,nounits --loop-ms=200 >"$out/smi.csv" 2>>"$out/wrong.txt" &
smi=$!
nvidia-smi dmon -s pucmt -d 1 -o T >"$out/dmon.txt" 2>&1 &
dmon=$!
try phases 60 "$sample" --interval 0.1 --csv "$out/phases.csv" -- \
    "$python" "$here/phases.py" "$out/phases.log" 1.6 >"$out/phases.txt" 2>&1
kill "$dmon" "$smi" 2>/dev/null

# (b): the same kernels under ncu.
metrics=sm__cycles_active.avg.pct_of_peak_sustained_elapsed,sm__warps_active.avg.pct_of_peak_sustained_elapsed
metrics+=,sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed
metrics+=,sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed
metrics+=,sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed
metrics+=,dram__throughput.avg.pct_of_peak_sustained_elapsed
run_ncu() {
    ncu --csv --page raw --profile-from-start off --clock-control none "$@" \
        "$python" "$here/phases.py" --once >"$out/ncu.csv" 2>"$out/ncu.err"
}
export -f run_ncu
export out python here
try ncu 70 bash -c 'run_ncu "$@"' ncu --metrics "$metrics"
if ! grep -q '^"' "$out/ncu.csv"; then
    try ncu-sections 70 bash -c 'run_ncu "$@"' ncu --section SpeedOfLight --section Occupancy \
        --section ComputeWorkloadAnalysis
fi

# (d): known counts.
traces
try known 30 env CUDA_INJECTION64_PATH="$tools/libbreakeven_trace.so" \
    BREAKEVEN_TRACE_FOLDER="$out/traces" "$python" "$here/known.py" >"$out/known.txt" 2>&1
for file in "$out"/traces/*.trace; do
    "$sample" --dump "$file"
done >"$out/known-trace.txt" 2>&1
try profiler 30 "$python" "$here/known.py" --profile >"$out/profiler.txt" 2>"$out/profiler.err"

# (a), (d) by the program itself, where it is here.
if [ -x "$tools/breakeven" ]; then
    try run 40 "$tools/breakeven" run --trace --trace-file "$out/run.json" --output "$out/run.txt" -- \
        "$python" "$here/train.py" 4000 >"$out/run-train.txt" 2>&1
fi

# (c): what it costs, in turn. Steps alone, and the whole process with its start.
one() {
    local variant=$1 from to
    shift
    from=$(date +%s.%N)
    timeout 40 "$@" "$python" "$here/train.py" "${STEPS:-2500}" >"$out/train-one.txt" 2>>"$out/train.err" ||
        echo "train $variant: failed" >>"$out/wrong.txt"
    to=$(date +%s.%N)
    echo "$variant $(sed -n 's/^train_s //p' "$out/train-one.txt") $(echo "$to $from" | awk '{print $1 - $2}')"
}
: >"$out/train.txt"
for round in $(seq "${ROUNDS:-3}"); do
    order="plain watched traced"
    [ $((round % 2)) -eq 1 ] || order="traced watched plain"
    [ "$round" -ne 1 ] || order="$order full closed"
    for variant in $order; do
        traces
        case $variant in
        plain) one plain env ;;
        watched) one watched "$sample" --interval 0.1 -- ;;
        traced) one traced "$sample" --interval 0.1 --trace "$out/traces" -- ;;
        full) one full env BREAKEVEN_TRACE_SHARE=1000 "$sample" --interval 0.1 \
            --trace "$out/traces" -- ;; # looks all the time
        closed) one closed env BREAKEVEN_TRACE_SHARE=0.00001 "$sample" --interval 0.1 \
            --trace "$out/traces" -- ;; # almost never
        esac >>"$out/train.txt"
        cp "$out/train-one.txt" "$out/train-$variant.txt"
        case $variant in traced | full | closed)
            for file in "$out"/traces/*.trace; do "$sample" --dump "$file"; done \
                >"$out/train-$variant-trace.txt" 2>&1 ;;
        esac
    done
    [ $((SECONDS - begin)) -lt "${LIMIT:-150}" ] || break
done
echo "[$((SECONDS - begin)) s] done" >&2

"$python" "$here/table.py" "$out" | tee "$out/table.txt"
