#!/usr/bin/env bash
# The main job: is it worth a GPU? A look at every workload here, within a minute, that ends with one table. Where no
# GPU is here, the GPUs of other machines stand beside this CPU. Results are kept, with a chart.
# usage: scripts/run.sh PROGRAM [OPTION...]
set -eu
. "$(dirname "$0")/usage.sh"
[ $# -ge 1 ] || wrong_use
find_program "$1"
shift
cd "$(dirname "$0")/.."

mkdir -p results
name=results/compare-$(date +%Y%m%d-%H%M%S)

# Ctrl-C is the program's: it ends cleanly, and what it saved is still named here.
trap : INT
status=0
"$program" compare --total=55 --json="$name.json" --csv="$name.csv" --chart="$name.svg" "$@" || status=$?
if [ -s "$name.json" ]; then
    printf '\nSaved: %s.json\n       %s.csv\n' "$name" "$name"
    [ ! -s "$name.svg" ] || printf '       %s.svg, time over size\n' "$name"
fi
exit "$status"
