#!/usr/bin/env bash
# Is every planted fault found by its right name on this machine's GPU, and none where there is none?
# Needs Python with torch (jax, cupy: or those are skipped). Under four minutes; the table comes last,
# traces of a few KB each are left in RESULTS/faults.tar.gz.
# usage: bench/faults.sh FOLDER-WITH-breakeven-AND-libbreakeven_trace.so [RESULTS]
set -u
here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "${1:?usage: bench/faults.sh TOOLS [RESULTS]}" && pwd)
out=${2:-${OUT:-$(mktemp -d)}}/faults
python=${PYTHON:-python3}
mkdir -p "$out"
nvidia-smi --query-gpu=name,driver_version,power.limit --format=csv,noheader
# What is imported for the first time is read from disk: not what the programs are about.
"$python" -c 'import torch; torch.zeros(1).cuda()' 2>/dev/null
"$python" "$here/faults.py" "$tools/breakeven" --gpu --out "$out" --limit "${LIMIT:-200}" \
    --seconds "${SECONDS_EACH:-4}" ${ONLY:+--only "$ONLY"} >"$out/table.txt"
status=$?
for name in ${SHOW:-t-good-train t-good-matmul t-loader-workers t-launch t-wait}; do
    echo "--- $name"
    cat "$out/$name.txt" 2>/dev/null
done | head -120
cat "$out/table.txt"
tar -C "$(dirname "$out")" -czf "$out.tar.gz" faults && rm -rf "$out"
exit $status
