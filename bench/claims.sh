#!/usr/bin/env bash
# The figures that docs/claims.md lacks for want of a GPU, as short tables, in a minute.
# usage: bench/claims.sh PROGRAM
#   DEVICE   the GPU (default cuda:0)
#   LIMIT_S  seconds all of it may take (default 60)
#   MACHINE  a profile of this machine, name or file (default: a fresh one, else measured in each run)
#   OUT      folder for claims.md and claims-*.json (default results)
set -eu
. "$(dirname "$0")/../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
find_program "$1"
cd "$(dirname "$0")/.."
out=${OUT:-results}
device=${DEVICE:-cuda:0}
limit=${LIMIT_S:-60}
runs=5 # that are to come
begin=3 # seconds a run takes before its time is counted: drivers, limits of the hardware
mkdir -p "$out"
rm -f "$out"/claims-*.json
: >"$out/claims.txt"

# ours NAME OPTION...: one comparison, in its part of what is left. A result that failed its check (4) has no time
# in the tables; no GPU (3), and what else there is, ends this.
ours() {
    local name=$1 status=0 total=$(((limit - SECONDS) / runs - begin))
    shift
    runs=$((runs - 1))
    set -- compare "$@" --device="$device" --cache=hot --total=$((total > 1 ? total : 1))
    echo "claims: $SECONDS s: $name" >&2
    "$program" "$@" ${MACHINE:+--machine="$MACHINE"} --quiet --json="$out/claims-$name.json" >/dev/null || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 4 ] || exit "$status"
    printf '%s\tbreakeven %s\n' "$name" "$*" >>"$out/claims.txt"
}

# "The GPU overtakes the CPU at about 700 points": as written on both sides, copies included.
points=100,200,400,800,1600,4096
ours one-core distance --variant=three-pass --placement=copy --points=$points --threads=1
ours all-cores distance --variant=three-pass --placement=copy --points=$points
# "Each step needs the one before": the loop in one GPU thread, beside the loop on one core.
ours one-thread recurrence --variant=serial,as-written --placement=resident --size=1e4,1e5,1e6 \
    --threads=1 --no-refine
# "Random numbers are best made on the GPU": there, and by the CPU and copied.
ours generate generate --placement=resident --size=1e6,1e8 --no-refine
# "A descent of 10,000 steps over many samples needs a GPU": the published line has two features.
ours two-features regress --features=2 --steps=10000 --samples=1e4,1e6 --placement=copy,resident \
    --no-refine --patience=3
python3 bench/claims.py "$out" | tee "$out/claims.md"
echo "claims: $SECONDS s in all" >&2
