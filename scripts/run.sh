#!/usr/bin/env bash
# The main job: every device here, power and multiply, all sizes that fit. Results are kept.
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
"$program" compare power multiply --json="$name.json" --csv="$name.csv" "$@" || status=$?
if [ -s "$name.json" ]; then
    printf '\nSaved: %s.json\n       %s.csv\n' "$name" "$name"
fi
exit "$status"
