#!/usr/bin/env bash
# Findings on the command line: --explain, --fail-on, and reports of traces, which keep to 80 columns.
# usage: findings.sh BUILD/breakeven [--update]
#        --update   takes what is printed as the new expectation; read the diff before committing
set -u
program=$(realpath "${1:?usage: findings.sh BUILD/breakeven [--update]}")
update=${2-}
cd "$(dirname "$0")/../observe" || exit 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch XDG_DATA_HOME=$scratch LC_ALL=C.UTF-8
failed=0

# expect CODE TEXT ARGUMENT...: the exit code, and a text that must be in what is printed.
expect() {
    local code=$1 text=$2 status=0
    shift 2
    "$program" "$@" >"$scratch/out" 2>&1 </dev/null || status=$?
    if [ "$status" -ne "$code" ] || { [ -n "$text" ] && ! grep -qF -- "$text" "$scratch/out"; }; then
        echo "$*: exit $status, expected $code and '$text':"
        head -n 20 "$scratch/out"
        failed=1
    fi
}

# As it was read through before.
same() {
    local expected=$1
    shift
    "$program" "$@" >"$scratch/out" 2>&1 || failed=1
    if [ "$update" = --update ]; then
        cp "$scratch/out" "$expected"
    elif ! diff -u "$expected" "$scratch/out"; then
        failed=1
    fi
}

trace=traces/made-up/t-loader-workers.json
expect 0 'loader-stall (11)' run --explain loader-stall
expect 0 'loader-stall (11)' run --explain=loader-stall
expect 0 '25  pageable-copies' run --explain
expect 2 'no finding has that name' run --explain nothing
expect 2 'did you mean' run --explain loader_stall
expect 2 'no finding has that name' run --explain=nothing
expect 2 'nothing is run' run --explain=serial -- touch "$scratch/ran"
expect 2 'one name' run --explain serial fp64
[ ! -e "$scratch/ran" ] || { echo "--explain ran the command"; failed=1; }
expect 0 '[loader-stall]' report "$trace"
expect 1 '[loader-stall]' report --fail-on=cost "$trace"
expect 1 '[loader-stall]' report --fail-on=loader-stall "$trace"
expect 1 '[loader-stall]' report --fail-on=cost "$trace" traces/made-up/t-good-memory.json
expect 0 '[loader-stall]' report --fail-on=serial "$trace"
expect 2 'cost, note, good or the name of a finding' report --fail-on=bad "$trace"
expect 0 '[memory-bound]' report --fail-on=note traces/made-up/t-good-memory.json
expect 1 '[memory-bound]' report --fail-on=good traces/made-up/t-good-memory.json
golden=../golden
sed 's/"command":"compare"/"command":"queue"/' $golden/report-cpu.json >"$scratch/queue.json"
expect 2 '"queue" is none that this' report "$scratch/queue.json"
expect 2 '--once ends after two intervals' watch --once --serve
expect 2 'lines of JSON or a page: give one' watch --json --serve
expect 2 'lines of JSON or a page: give one' watch --json --plain --once
expect 2 'is a comparison, which has' report --fail-on=cost $golden/report-h200.json
expect 2 'a finding of profiles' report --fail-on=disturbed "$trace"
expect 2 'a finding of runs' report --fail-on=loader-stall $golden/report-profile-cpu.json
expect 1 '' report --fail-on=note $golden/report-profile-h200.json
expect 0 '' report --fail-on=cost $golden/report-profile-cpu.json
expect 0 '' report --fail-on=throttled $golden/report-profile-h200.json
sed 's/"throttling"/"throttled"/' $golden/report-profile-h200.json >"$scratch/throttled.json"
expect 1 '' report --fail-on=throttled "$scratch/throttled.json"
expect 2 'cost, note, good or the name' report --fail-on=slow $golden/report-profile-cpu.json
expect 0 '"name":"loader-stall","weight":"cost"' report --json "$trace"
expect 7 '' run --quiet --trace-file=none -- sh -c 'exit 7'

for name in t-loader-workers t-idle-second t-unused; do
    same "reports/$name.txt" report "traces/made-up/$name.json"
done
for trace in traces/*/*.json; do
    "$program" report "$trace" >"$scratch/out" || failed=1
    if grep -nE '^.{81}|[[:cntrl:]]' "$scratch/out"; then
        echo "$trace: its report has more than 80 columns"
        failed=1
    fi
    LC_ALL=C "$program" report "$trace" >"$scratch/out" || failed=1
    if LC_ALL=C grep -nE '^.{81}|[^ -~]' "$scratch/out"; then
        echo "$trace: in the C locale its report is not of ASCII alone"
        failed=1
    fi
done
[ "$failed" -eq 0 ] && echo "findings: as expected"
exit "$failed"
