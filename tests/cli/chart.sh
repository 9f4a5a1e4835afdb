#!/usr/bin/env bash
# Charts of comparisons from the command line: as text, as a drawing, and what is refused.
# usage: tests/cli/chart.sh BUILD/breakeven
set -eu
program=$(realpath "$1")
golden=$(realpath "$(dirname "$0")/../golden")
. "$(dirname "$0")/../checks.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export HOME=$scratch LC_ALL=C
unset BREAKEVEN_PROFILES BREAKEVEN_RESULTS

run() {
    code=0
    "$program" "$@" >out 2>err || code=$?
}

# refused FRAGMENT WORD...: exit 2, and why.
refused() {
    local fragment=$1
    shift
    run "$@"
    check "$*: $fragment" sh -c "[ $code -eq 2 ] && tr -s '\n ' '  ' <err | grep -Fq -- '$fragment'"
}

known=(--device=cpu "--size=1000,10000" --budget=0.01 --no-refine --quiet --elsewhere=none)
run compare power "${known[@]}" --chart
check 'compare --chart: as text, after the table' sh -c \
    "[ $code -eq 0 ] && sed '/^Time of a call over size/q' out | grep -q 'z = x^y' && grep -q '^ *[0-9.]* us|' out"
run compare power "${known[@]}" --chart=chart.svg
check 'compare --chart=FILE: a drawing, and no text' sh -c \
    "[ $code -eq 0 ] && grep -q '</svg>' chart.svg && ! grep -q '^Time of a call over size' out"
run compare power "${known[@]}" --svg=named.svg
check 'compare --svg=FILE: the same, as of other commands' sh -c \
    "[ $code -eq 0 ] && grep -q '</svg>' named.svg && ! grep -q '^Time of a call over size' out"
# A PNG where rsvg-convert is there; this one says how it was called and how many drawings it was given.
mkdir -p with without failing
printf '#!/bin/sh\necho "PNG $* $(grep -c "</svg>")"\n' >with/rsvg-convert
printf '#!/bin/sh\ncat >drawn.svg\nexit 3\n' >failing/rsvg-convert
chmod +x with/rsvg-convert failing/rsvg-convert
PATH=$PWD/with:$PATH run report "$golden/report-h200.json" --png=drawn.png --svg=drawn.svg
check 'report --png=FILE: rsvg-convert has the drawing of --svg' sh -c "[ $code -eq 0 ] && grep -qx 'PNG --format=png --zoom=2 [1-9][0-9]*' drawn.png"
PATH=$PWD/without run report "$golden/report-h200.json" --png=none.png
check '--png without rsvg-convert: exit 3, and where it is to be had' sh -c \
    "[ $code -eq 3 ] && grep -q 'install librsvg2-bin' err && [ ! -e none.png ]"
PATH=$PWD/failing:$PATH run report "$golden/report-h200.json" --png=none.png
check 'one that fails leaves no file' sh -c "[ $code -ne 0 ] && grep -q 'rsvg-convert failed' err && [ ! -e none.png ]"
run compare power "${known[@]}" --json --chart=chart.svg
check 'a drawing beside JSON on standard output' sh -c "[ $code -eq 0 ] && head -c 1 out | grep -q '{' && [ -s chart.svg ]"
run report --chart "$golden/report-h200.json" "$golden/report-cpu.json"
check 'report --chart: as text, of each file' [ "$code $(grep -c '^Time of a call over size' out)" = '0 2' ]
LC_ALL=C.UTF-8 run report --chart "$golden/report-h200.json"
check 'where the terminal shows more than ASCII, it is used' grep -q '┌\|└' out
check '  within 80 columns' sh -c '! LC_ALL=C.UTF-8 grep -E "^.{81}" out'
run report --chart=. "$golden/report-h200.json"
check 'a folder is no file' sh -c "[ $code -ne 0 ] && grep -q 'is a folder' err"

refused 'it is drawn as SVG: name it FILE.svg' compare power --chart=chart.png
refused '--chart: which file?' compare power --chart=
refused '--json and --chart both to standard output' report --json --chart "$golden/report-cpu.json"
refused 'same: --csv and --chart need a file each' compare power --chart=same --csv=same
refused 'take one FILE at a time' report --chart=a.svg "$golden/report-cpu.json" "$golden/report-h200.json"
refused '--chart as text draws a comparison, and this is the profile of a machine' report --chart "$golden/report-profile-cpu.json"
refused '--chart as text draws a comparison, and this is a run' report --chart "$golden/../observe/traces/made-up/t-good-train.json"
refused 'leave --csv, --svg, --chart, --html' compare --list --chart
refused '--chart or --picture' compare --self-test --chart

done_testing chart
