#!/usr/bin/env bash
# Installs what was built, and leaves a list of it there, which scripts/uninstall.sh goes by.
# usage: [DESTDIR=FOLDER] scripts/install.sh BUILD PREFIX
set -eu
. "$(dirname "$0")/usage.sh"
[ $# -eq 2 ] || wrong_use
[ -n "$2" ] || wrong_use "PREFIX is empty"
[ -f "$1/cmake_install.cmake" ] || wrong_use "nothing was built in $1"
prefix=$(realpath -m -- "$2")
to=${DESTDIR-}$prefix
list=$to/share/breakeven/installed.txt

# What it will be, seen in a folder that has nothing else: each file, and each folder that is not there yet,
# by its name below PREFIX, or whole where it lies elsewhere.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tree
DESTDIR=$tree cmake --install "$1" --prefix "$prefix" >/dev/null
mkdir -p "$tree$prefix/share/breakeven"
: >"$tree$prefix/share/breakeven/installed.txt"
(cd "$tree" && find . -mindepth 1 -printf '%p\t%y\n') | while IFS=$'\t' read -r path type; do
    path=${path#.}
    if [ "$type" = d ]; then
        [ ! -d "${DESTDIR-}$path" ] || continue
        path=$path/
    fi
    printf '%s\n' "${path#"${prefix%/}/"}"
done >"$scratch/list"

cmake --install "$1" --prefix "$prefix"
# What an install before this one made is still to go.
[ ! -e "$list" ] || cat "$list" >>"$scratch/list"
mkdir -p "${list%/*}"
LC_ALL=C sort -u "$scratch/list" >"$list"
