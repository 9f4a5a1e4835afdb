#!/usr/bin/env bash
# The programs of examples/, built as their reader builds them against an installed library, and run: what they print
# is right.
# usage: tests/install/examples.sh PREFIX
set -eu
. "$(dirname "$0")/../../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
prefix=$1
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
read -ra flags <<<"$(pkg-config --cflags --libs breakeven)"

# build SOURCE PROGRAM COMPILER...
build() {
    local source=$1 program=$2
    shift 2
    "$@" -Wall -Wextra -Werror "$examples/$source" -o "$folder/$program" "${flags[@]}"
}

# says PATTERN COMMAND...: it ends well, and a line of its output fits.
says() {
    local pattern=$1
    shift
    "$@" >"$folder/out"
    grep -qE -- "$pattern" "$folder/out" || {
        echo "examples: $* does not say '$pattern':"
        cat "$folder/out"
        exit 1
    }
}

build measure.c measure "${CC:-cc}" -std=c11
says '^[0-9.e+]+ us \([0-9.e+]+ - [0-9.e+]+\) in [0-9]+ samples, sum 3\.33328e\+14$' "$folder/measure"
build measure.cpp measure_cpp "${CXX:-c++}" -std=c++11
says '^std::sort of 100000: [0-9.e+]+ ms' "$folder/measure_cpp"
# compares PROGRAM TITLE SIZE: its title and a time at that size; no result is wrong.
compares() {
    build "$1.c" "$1" "${CC:-cc}" -std=c11
    says "^$2" "$folder/$1"
    if grep -qiE 'wrong|failed|impossible' "$folder/out"; then
        echo "examples: $1 found a result that is wrong:"
        cat "$folder/out"
        exit 1
    fi
    grep -qE "^ +$3 +[0-9]" "$folder/out" || {
        echo "examples: $1 has no time at $3:"
        cat "$folder/out"
        exit 1
    }
}

compares compare 'my-axpy: y = a x \+ y, float32' 1e6
compares launches 'centre: y = x - mean of its column, float32' 1e4
echo 'examples: four programs built and run'
