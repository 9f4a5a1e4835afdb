#!/usr/bin/env bash
# What we say of a GPU beside what others say of it, on a machine that has one: nvidia-smi's dmon and
# --query-gpu in the same seconds, ncu on the same kernels, known counts. Needs Python with torch and cupy; what is
# not there is left out. The tables come last, and the last of them says who agrees.
# usage: bench/gpu_watch.sh TOOLS [RESULTS]
#   TOOLS    the folder of gpu_sample, libbreakeven_trace.so and breakeven
#   LIMIT_S  seconds all of it may take (default 150); a step that has no time left is left out, and named
#   PHASE_S  seconds of each phase (default 3.2; dmon has whole seconds, so less than 3.1 may leave it none)
set -u
. "$(dirname "$0")/../scripts/usage.sh"
[ $# -eq 1 ] || [ $# -eq 2 ] || wrong_use
here=$(cd "$(dirname "$0")" && pwd)/gpu_watch
[ -d "$1" ] || wrong_use "there is no folder $1"
tools=$(realpath -- "$1")
out=${2:-${OUT:-$(mktemp -d)}}/gpu_watch
limit=${LIMIT_S:-150}
mkdir -p "$out"
rm -f "$out"/*.txt "$out"/*.csv "$out"/*.log # of another time
out=$(realpath -- "$out")
sample=$tools/gpu_sample
python=${PYTHON:-python3}
: >"$out/wrong.txt"
exec 3>&2 # how far it is, wherever a step's own words go

# try NAME SECONDS COMMAND...: its failure is told, and the rest goes on. 5 s are for the tables.
try() {
    local name=$1 most=$2 left=$((limit - SECONDS - 5)) status=0
    shift 2
    if [ "$left" -lt 3 ]; then
        echo "$name: left out, $SECONDS s of $limit are over" >>"$out/wrong.txt"
        return 0
    fi
    timeout -k 2 "$((most < left ? most : left))" "$@" || status=$?
    [ "$status" -eq 0 ] || echo "$name: exit $status" >>"$out/wrong.txt"
    echo "[$SECONDS s] $name: exit $status" >&3
    return 0
}

has() { command -v "$1" >/dev/null || { echo "$1: is not here" >>"$out/wrong.txt" && false; }; }

beside=()
trap '[ ${#beside[@]} -eq 0 ] || kill "${beside[@]}" 2>/dev/null' EXIT

{
    echo "bench/gpu_watch.sh, $(date -u +%Y-%m-%dT%H:%MZ), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
    try versions 20 "$python" -c \
        'import torch, cupy; print("torch", torch.__version__, "cupy", cupy.__version__)'
    try gpu 10 nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,power.limit --format=csv,noheader
    try list 10 "$sample" --list
    try costs 10 "$sample" --costs
} >"$out/gpu.txt" 2>"$out/gpu.err"

# Phases under our sources, with nvidia-smi beside them.
if has nvidia-smi; then # by lines: what it holds back when it is ended is lost
    query=timestamp,utilization.gpu,utilization.memory,memory.used,power.draw,clocks.sm,clocks.mem,temperature.gpu
    timeout 100 stdbuf -oL nvidia-smi --id=0 --query-gpu=$query --format=csv,nounits --loop-ms=200 \
        >"$out/smi.csv" 2>>"$out/wrong.txt" &
    beside+=($!)
    timeout 100 stdbuf -oL nvidia-smi dmon -i 0 -s pucmt -d 1 -o DT >"$out/dmon.txt" 2>>"$out/wrong.txt" &
    beside+=($!)
fi
try phases 75 "$sample" --interval 0.1 --csv "$out/phases.csv" -- \
    "$python" "$here/phases.py" "$out/phases.log" "${PHASE_S:-3.2}" >"$out/phases.txt" 2>&1
[ ${#beside[@]} -eq 0 ] || kill "${beside[@]}" 2>/dev/null
beside=()

# The same kernels under ncu.
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
if has ncu; then
    try ncu 40 bash -c 'run_ncu "$@"' ncu --metrics "$metrics"
    if ! grep -q '^"' "$out/ncu.csv"; then
        try ncu-sections 40 bash -c 'run_ncu "$@"' ncu --section SpeedOfLight --section Occupancy \
            --section ComputeWorkloadAnalysis
    fi
fi

# Known counts, in a private folder, as traces ask for.
rm -rf "$out/traces"
mkdir -m 700 "$out/traces"
try known 25 env CUDA_INJECTION64_PATH="$tools/libbreakeven_trace.so" \
    BREAKEVEN_TRACE_FOLDER="$out/traces" "$python" "$here/known.py" >"$out/known.txt" 2>&1
for file in "$out"/traces/*.trace; do
    [ ! -e "$file" ] || "$sample" --dump "$file"
done >"$out/known-trace.txt" 2>&1
try profiler 25 "$python" "$here/known.py" --profile >"$out/profiler.txt" 2>"$out/profiler.err"

# The program itself, where it is here.
if [ -x "$tools/breakeven" ]; then
    try run 30 "$tools/breakeven" run --trace --trace-file "$out/run.json" --output "$out/run.txt" -- \
        "$python" "$here/train.py" 4000 >"$out/run-train.txt" 2>&1
fi
echo "[$SECONDS s] done" >&2

"$python" -B "$here/table.py" "$out" | tee "$out/table.txt"
