#!/usr/bin/env bash
# A program that finds the installed library by find_package(breakeven), built and run.
# usage: tests/install/find_package.sh PREFIX
set -eu
. "$(dirname "$0")/../../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
prefix=$(realpath "$1")
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset PKG_CONFIG_PATH
export LD_LIBRARY_PATH=$prefix/lib

# project VERSION: a program that wants that version.
project() {
    cat >"$folder/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.20)
project(mine C)
find_package(breakeven $1 REQUIRED)
add_executable(m $examples/measure.c)
target_link_libraries(m PRIVATE breakeven::breakeven)
CMAKE
    cmake -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" >"$folder/log" 2>&1
}

version=$("$prefix/bin/breakeven" --version | grep -oE '[0-9]+\.[0-9]+')
project "$version" || { cat "$folder/log"; exit 1; }
cmake --build "$folder/build" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
"$folder/build/m" | grep -q 'sum 3\.33328e+14$'
! project 99.0 || { echo "find_package: version 99.0 was found"; exit 1; }
grep -q 'breakeven-config.cmake, version: ' "$folder/log"
echo "find_package: found, built, run; a version that is not there is refused"
