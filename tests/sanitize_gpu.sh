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

# racecheck of all of solve in one process does not end: VARIANT:ORDER:TYPE, one process each, whose kernels differ.
races="batched:10:float64 batched:32:float64 batched:48:float64 batched:64:float64 batched:128:float64
    batched:128:float32 batched:300:float64 refined:300:float64 blocked:300:float64 butterfly:300:float64"

# A system or three of NAME solve:VARIANT:ORDER:TYPE, with limits from a profile: nothing else is launched.
solve() {
    local variant order type systems=3
    IFS=: read -r _ variant order type <<<"$1"
    [ "$variant" = batched ] || systems=1
    echo "$program compare solve --systems=$systems --order=$order --type=$type --variant=$variant" \
        "--device=cuda:0 --placement=resident --machine=h200 --cache=hot --no-refine --budget=0.0001 --threads=1 --quiet"
}

# TOOL NAME: a line, and what was found below it. A tool that did not end is killed: it would keep the GPU from the
# others.
one() {
    local tool=$1 name=$2 log status=0 summary command=$contract
    log=$kept/$tool-$name
    case $name in solve:*) command=$(solve "$name") ;; esac
    # shellcheck disable=SC2086 # several words
    SHORT=1 DEVICES=cuda:0 WORKLOADS=$name timeout --signal=KILL "${LIMIT:-150}" \
        compute-sanitizer --tool "$tool" --kernel-name kns=k_ $command >"$log" 2>&1 </dev/null || status=$?
    summary=$(sed -n 's/.*\(ERROR\|RACECHECK\) SUMMARY: //p' "$log" | sort | uniq -c | sed 's/^ *\([0-9]*\) \(.*\)/\2 (\1 x)/' | paste -sd';')
    if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
        summary="did not end within ${LIMIT:-150} s; ${summary:-nothing said}"
    fi
    printf '%4d s  %-9s %-28s exit %-3s %s\n' "$SECONDS" "$tool" "$name" "$status" "${summary:-no summary}"
    if [ "$status" -ne 0 ] || ! grep -qE 'SUMMARY: 0 (errors|hazards)' "$log"; then
        echo "$tool $name" >>"$kept/failed"
        grep -E '=========|FAILED|ERROR' "$log" | grep -v 'Saved host\|Host Frame' | head -n "${LINES_SHOWN:-14}" | cut -c1-150
    fi
}
export -f one solve
export kept contract program

all=$("$program" compare '?' 2>&1 | tr '\n' ' ' | sed 's/.*there are://; s/,/ /g') || true
[ -z "${ONLY:-}" ] || all=${ONLY//,/ }
tools=${TOOLS:-memcheck,racecheck}
for tool in ${tools//,/ }; do
    for name in $all; do
        if [ "$tool:$name" = racecheck:solve ]; then
            # shellcheck disable=SC2086 # a line each
            printf 'racecheck solve:%s\n' $races
        else
            echo "$tool $name"
        fi
    done
done | xargs -P "${LANES:-8}" -L 1 bash -c 'one "$@"' one
if [ -s "$kept/failed" ]; then
    echo "sanitize: $(grep -c . "$kept/failed") with findings or not ended: $(paste -sd, "$kept/failed")"
    exit 1
fi
echo "sanitize: nothing found by $tools"
