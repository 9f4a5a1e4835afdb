#!/usr/bin/env bash
# Is every planted fault found by its right name on this machine's GPU, and none where there is none?
# Needs Python with torch (jax, cupy: or those are skipped). Each result is printed as it comes, and
# the table last. None starts after LIMIT seconds (240). Traces of a few KB each are left in
# RESULTS/faults.tar.gz (they replay: run.py TOOLS/breakeven --replay FOLDER), whole ones in
# RESULTS/faults-whole.tar.gz.
# usage: [LIMIT=S] [SECONDS_EACH=S] [LANES=N] [ONLY=NAME,...] [FIRST=NAME,...] [WARM=S]
#        bench/faults.sh TOOLS [RESULTS]
#   TOOLS: the folder of breakeven and libbreakeven_trace.so
#   LANES: as many GPUs with a program at a time each, on their share of the cores; all: every GPU
#   FIRST: these begin; the others follow. ONLY: these and no others
#   WARM:  the frameworks are started once before anything is watched, for at most so long (60; 0: not).
#          Libraries are read from the disk then, so start-up is shorter than in a first run
set -u
. "$(dirname "$0")/../scripts/usage.sh"
[ $# -eq 1 ] || [ $# -eq 2 ] || wrong_use
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$1/breakeven" ] || wrong_use "there is no program $1/breakeven"
tools=$(realpath -- "$1")
results=${2:-${OUT:-$(mktemp -d)}}
python=${PYTHON:-python3}
lanes=${LANES:-1}
[ "$lanes" != all ] || lanes=$(nvidia-smi -L | grep -c 'UUID: GPU')
# What has never run on a GPU, then what went wrong or is known to be hard, then the rest.
unseen=t-idle-second,t-tiny-batch,cp-copies,t-too-big,cp-good,t-copy-plain,cp-scalar,t-memory-full
unseen=$unseen,t-launch-plain,t-startup,j-good,j-retrace
seen=t-good-train,t-pageable,t-launch,t-wait,t-loader-workers,t-loader-main,t-no-tensor,t-good-matmul
seen=$seen,t-copy-each-step,t-fp64,t-one-block,t-good-memory,t-unused
order=${ONLY:-${FIRST:+$FIRST,}$unseen,$seen}
out=$results/faults
mkdir -p "$out"
nvidia-smi --query-gpu=name,driver_version,power.limit --format=csv,noheader
PYTHONUNBUFFERED=1 "$python" -B "$here/faults/run.py" "$tools/breakeven" --gpu --out "$out" \
    --limit "${LIMIT:-240}" --seconds "${SECONDS_EACH:-3.5}" --lanes "$lanes" --warm "${WARM:-60}" \
    --only "$order" | tee "$out/table.txt"
status=${PIPESTATUS[0]}
if [ -d "$out/whole" ]; then
    tar -C "$out" -cf "$results/faults-whole.tar" whole && gzip -f "$results/faults-whole.tar"
    rm -rf "$out/whole"
fi
tar -C "$results" -czf "$results/faults.tar.gz" faults && rm -rf "$out"
exit "$status"
