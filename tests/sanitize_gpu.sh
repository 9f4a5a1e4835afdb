#!/usr/bin/env bash
# Our own kernels of every workload under compute-sanitizer: memcheck (addresses), racecheck (shared memory),
# initcheck and synccheck if asked. The contract tests run them at odd sizes, in one placement.
# usage: [TOOLS=NAME,...] [LIMIT=S] [LANES=N] [ONLY=NAME,...] tests/sanitize_gpu.sh BUILD/breakeven
#   TOOLS: memcheck,racecheck        LIMIT: seconds that one workload under one tool may take (150)
#   LANES: processes at a time (8)   ONLY:  these workloads (all)
# Exit status: 0 nothing found, 1 something was or a run did not end, 77 no GPU or no compute-sanitizer here.
set -eu
. "$(dirname "$0")/../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
find_program "$1"
contract=$(dirname "$program")/tests/contract_workloads
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
command -v compute-sanitizer >/dev/null || { echo "sanitize: no compute-sanitizer here (it comes with CUDA)" >&2; exit 77; }
nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "sanitize: no GPU here" >&2; exit 77; }
[ -x "$contract" ] || { echo "sanitize: $contract is not built: cmake -DBREAKEVEN_TESTS=ON" >&2; exit 1; }

# TOOL NAME: a line, and what was found below it.
one() {
    local tool=$1 name=$2 log status=0 summary
    log=$kept/$tool-$name
    SHORT=1 DEVICES=cuda:0 WORKLOADS=$name timeout --kill-after=5 "${LIMIT:-150}" \
        compute-sanitizer --tool "$tool" --kernel-regex kns=k_ "$contract" >"$log" 2>&1 </dev/null || status=$?
    summary=$(sed -n 's/.*\(ERROR\|RACECHECK\) SUMMARY: //p' "$log" | sort | uniq -c | sed 's/^ *\([0-9]*\) \(.*\)/\2 (\1 x)/' | paste -sd';')
    if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
        summary="did not end within ${LIMIT:-150} s; ${summary:-nothing said}"
    fi
    printf '%4d s  %-9s %-12s exit %-3s %s\n' "$SECONDS" "$tool" "$name" "$status" "${summary:-no summary}"
    if [ "$status" -ne 0 ] || ! grep -qE 'SUMMARY: 0 (errors|hazards)' "$log"; then
        echo "$tool $name" >>"$kept/failed"
        grep -E '=========|FAILED|ERROR' "$log" | grep -v 'Saved host\|Host Frame' | head -n "${LINES_SHOWN:-14}" | cut -c1-150
    fi
}
export -f one
export kept contract

all=$("$program" compare '?' 2>&1 | tr '\n' ' ' | sed 's/.*there are://; s/,/ /g') || true
[ -z "${ONLY:-}" ] || all=${ONLY//,/ }
tools=${TOOLS:-memcheck,racecheck}
for tool in ${tools//,/ }; do
    for name in $all; do echo "$tool $name"; done
done | xargs -P "${LANES:-8}" -L 1 bash -c 'one "$@"' one
if [ -s "$kept/failed" ]; then
    echo "sanitize: $(grep -c . "$kept/failed") with findings or not ended: $(paste -sd, "$kept/failed")"
    exit 1
fi
echo "sanitize: nothing found by $tools"
