#!/usr/bin/env bash
# A manual page for each command, cut from that of all: breakeven-COMMAND.1 in FOLDER, which `man breakeven COMMAND` finds.
# usage: man/pages.sh PROGRAM FOLDER
# shellcheck source-path=SCRIPTDIR
set -eu
. "$(dirname "$0")/../scripts/usage.sh"
[ $# -eq 2 ] || wrong_use
find_program "$1"
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cd "$2"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$program" --list-commands >"$scratch/commands"
cut -f1 "$scratch/commands" | while read -r command; do
    "$program" "$command" --list-options >"$scratch/options"
    awk -v command="$command" -f "$here/split.awk" "$scratch/commands" "$scratch/options" "$here/breakeven.1" \
        >"breakeven-$command.1"
done
