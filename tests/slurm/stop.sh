#!/usr/bin/env bash
# Ends the Slurm that start.sh began in FOLDER, and removes its files. Says nothing when there is none.
# usage: tests/slurm/stop.sh FOLDER
set -u

. "$(dirname "$0")/../../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
folder=$1
scratch=$(cat "$folder/scratch" 2>/dev/null) || exit 0
# shellcheck disable=SC1091 # written by start.sh
[ ! -r "$folder/env" ] || . "$folder/env" # its own scancel
rm -f "$folder/env" "$folder/scratch"
[ -d "$scratch" ] || exit 0

# Jobs that a test left behind have processes of their own.
SLURM_CONF=$scratch/slurm.conf timeout 5 scancel --user=root --signal=KILL --full 2>/dev/null
SLURM_CONF=$scratch/slurm.conf timeout 5 scancel --user=root 2>/dev/null

# ours PID NAME: is this process still the one that was started? Numbers are used again.
ours() {
    [ -r "/proc/$1/cmdline" ] && grep -aq "${2%%-*}" "/proc/$1/cmdline" 2>/dev/null
}

# The youngest first: jobs' daemons before what they talk to.
mapfile -t started < <(tac "$scratch/pids" 2>/dev/null)
for line in ${started[@]+"${started[@]}"}; do
    read -r pid name <<<"$line"
    ours "$pid" "$name" && kill -TERM -- "-$pid" 2>/dev/null
done
for _ in $(seq 50); do
    left=0
    for line in ${started[@]+"${started[@]}"}; do
        read -r pid name <<<"$line"
        ours "$pid" "$name" && left=1
    done
    [ "$left" -eq 1 ] || break
    sleep 0.1
done
for line in ${started[@]+"${started[@]}"}; do
    read -r pid name <<<"$line"
    ours "$pid" "$name" && kill -KILL -- "-$pid" 2>/dev/null
done
rm -rf "$scratch"
exit 0
