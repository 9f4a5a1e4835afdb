#!/usr/bin/env bash
# breakeven beside other programs that do the same, in turn, in one sitting.
# usage: bench/versus.sh PROGRAM
#   SIZES    elements, with commas (default: of 1e5 1e7 1e8 3e8 what fits the memory)
#   ROUNDS   ours and theirs in turn, so many times (default 3)
#   BUDGET   seconds a case and round (default 0.3)
#   DEVICE   ours: devices (default cpu, and cuda:0 where it is)
#   PEERS    options for bench/peers/power.py, such as "--cpu-only --only numba"
#   LIMIT_S  no new round when it would end later than this many seconds from now
#   PYTHON   an interpreter with NumPy and Numba (default: .venv, or python3, or a new .venv)
#   OUT      folder for versus.md and versus.json (default results)
set -eu
[ $# -eq 1 ] || { sed -n '2,/^set/s/^# //p' "$0" >&2; exit 2; }
program=$(realpath "$1")
cd "$(dirname "$0")/.."
out=${OUT:-results}
rounds=${ROUNDS:-3}
budget=${BUDGET:-0.3}
device=${DEVICE:-cpu,cuda:0}
mkdir -p "$out"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

say() { echo "versus: $*" >&2; }

imports() { "$1" -c "import $2" 2>/dev/null; }

# Sets python to one that has the peers, or as many of them as can be had.
find_python() {
    for python in ${PYTHON:-.venv/bin/python python3}; do
        ! imports "$python" numpy,numba || return 0
    done
    if [ -z "${PYTHON-}" ]; then
        say "installing bench/peers/requirements.txt in .venv"
        if python3 -m venv --system-site-packages .venv >&2 &&
            .venv/bin/python -m pip install --quiet --disable-pip-version-check --retries 1 \
                -r bench/peers/requirements.txt >&2; then
            python=.venv/bin/python
            return
        fi
        say "that failed (on Debian and Ubuntu it needs python3-venv, and it needs a network)"
    fi
    for python in ${PYTHON:-.venv/bin/python python3}; do
        ! imports "$python" numpy || { say "without Numba"; return 0; }
    done
    say "no NumPy here, and nothing to compare with without it"
    exit 1
}

# Bytes that can be had; ours needs 20 an element, for the reference in double precision.
memory() {
    {
        awk '$1 == "MemAvailable:" { printf "%.0f\n", $2 * 1024 }' /proc/meminfo
        grep -h '^[0-9]' /sys/fs/cgroup/memory.max 2>/dev/null || true
    } | sort -n | head -n 1
}

sizes_that_fit() {
    local size most list=''
    most=$(memory)
    for size in 100000 10000000 100000000 300000000; do
        [ $((size * 25)) -gt "$most" ] || list=$list,$size
    done
    echo "${list#,}"
}

ours() {
    "$program" compare power multiply --device="$device" --size="$sizes" --cache=hot \
        --budget="$budget" --no-refine --quiet --json="$1" >"$scratch/table"
}

# A result of ours that failed its check (4) is named in the table; the rest stands.
round_of_ours() {
    local status=0
    ours "$1" || status=$?
    if [ "$status" -eq 3 ] && [ -z "${DEVICE-}" ] && [ "$device" != cpu ]; then
        device=cpu status=0
        ours "$1" || status=$?
    fi
    [ "$status" -eq 0 ] || [ "$status" -eq 4 ] || exit "$status"
}

find_python
sizes=${SIZES:-$(sizes_that_fit)}
lists_ours=() lists_peers=()
began=$SECONDS
for round in $(seq "$rounds"); do
    since=$SECONDS
    say "round $round of $rounds: ours"
    round_of_ours "$scratch/ours$round.json"
    threads=$(python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["machine"]["cores_allowed"])' "$scratch/ours$round.json")
    say "round $round of $rounds: peers"
    # Word splitting is meant: PEERS is a list of options.
    "$python" bench/peers/power.py --size="$sizes" --budget="$budget" --threads="$threads" \
        ${PEERS-} >"$scratch/peers$round.jsonl" 2>"$scratch/said" || {
        cat "$scratch/said" >&2
        exit 1
    }
    [ "$round" -ne 1 ] || cat "$scratch/said" >&2
    lists_ours+=("$scratch/ours$round.json")
    lists_peers+=("$scratch/peers$round.jsonl")
    took=$((SECONDS - since))
    if [ "$round" -lt "$rounds" ] && [ $((SECONDS - began + took)) -gt "${LIMIT_S:-86400}" ]; then
        say "ends after round $round: the next would take too long"
        break
    fi
done
python3 bench/peers/table.py --ours "${lists_ours[@]}" --peers "${lists_peers[@]}" \
    --command "SIZES=$sizes ROUNDS=$rounds BUDGET=$budget DEVICE=$device PEERS='${PEERS-}' bench/versus.sh" \
    --out "$out/versus"
