#!/usr/bin/env bash
# Is every planted fault found by its right name on this machine's GPU, and none where there is none?
# Needs Python with torch (jax, cupy: or those are skipped). Each result is printed as it comes, and
# the table last; those that tell most run first, and none starts after LIMIT seconds (150). Traces of a
# few KB each are left in RESULTS/faults.tar.gz.
# usage: [LIMIT=S] [SECONDS_EACH=S] [ONLY=NAME,...] bench/faults.sh TOOLS [RESULTS]
#   TOOLS: the folder of breakeven and libbreakeven_trace.so
set -u
here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "${1:?usage: bench/faults.sh TOOLS [RESULTS]}" && pwd)
out=${2:-${OUT:-$(mktemp -d)}}/faults
python=${PYTHON:-python3}
first=t-unused,t-good-train,t-launch,t-loader-workers,t-pageable,t-no-tensor,t-good-matmul,t-wait
then=t-copy-each-step,t-loader-main,t-fp64,t-one-block,t-good-memory,t-tiny-batch,cp-copies,t-too-big
last=cp-good,t-copy-plain,cp-scalar,t-memory-full,t-launch-plain,t-startup,j-good,j-retrace,t-idle-second
mkdir -p "$out"
nvidia-smi --query-gpu=name,driver_version,power.limit --format=csv,noheader
"$python" "$here/faults/run.py" "$tools/breakeven" --gpu --out "$out" --limit "${LIMIT:-150}" \
    --seconds "${SECONDS_EACH:-3.5}" --only "${ONLY:-$first,$then,$last}" | tee "$out/table.txt"
status=${PIPESTATUS[0]}
tar -C "$(dirname "$out")" -czf "$out.tar.gz" faults && rm -rf "$out"
exit "$status"
