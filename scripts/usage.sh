# The comment at the head of a script is its usage: who sources this answers -h and --help with it.
# shellcheck shell=bash

usage() { awk 'NR > 1 { if (!sub(/^# ?/, "")) exit; print }' "$0"; }

# wrong_use [WHY]: ends a script that was called wrongly.
wrong_use() {
    { [ -z "${1-}" ] || printf '%s: %s\n\n' "$(basename "$0")" "$1"; usage; } >&2
    exit 2
}

# find_program FILE: sets program to the whole path of what can be run.
find_program() {
    { [ -f "$1" ] && [ -x "$1" ]; } || wrong_use "there is no program $1"
    # shellcheck disable=SC2034 # used by who sources this
    program=$(realpath -- "$1")
}

case ${1-} in
-h | --help)
    usage
    exit 0
    ;;
esac
