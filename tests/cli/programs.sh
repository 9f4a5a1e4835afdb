#!/usr/bin/env bash
# Two whole programs from the command line: table, JSON that is read again, CSV, charts, faults.
# usage: tests/cli/programs.sh BUILD/breakeven
set -eu
program=$(realpath "$1")
. "$(dirname "$0")/../checks.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export HOME=$scratch XDG_DATA_HOME=$scratch/data
unset BREAKEVEN_PROFILES BREAKEVEN_RESULTS

run() {
    code=0
    "$program" "$@" >out 2>err || code=$?
}

# holds FILE CODE: Python's view of the JSON in FILE, as d.
holds() { python3 -c "import json; d = json.load(open('$1')); assert $2, '$2'"; }

# says FILE TEXT: blanks and line ends are alike.
says() { tr -s '\n ' ' ' <"$1" | grep -qF -- "$2"; }

# A loop of $1 turns, and the size.
cat >count.sh <<'END'
i=0
while [ $i -lt "$1" ]; do i=$((i + 1)); done
echo "sum $2.0000001"
END
grows="sh count.sh \$(({n} * 300)) {n}" stays="sh count.sh 60000 {n}"
few=('--size=10,1000' --budget=0.05 --no-refine --quiet)

run compare --program "$grows" "$stays" "${few[@]}" --same-output --json=both.json --csv=both.csv --chart=both.svg
check 'two programs: exit 0' [ "$code" -eq 0 ]
check 'the table has both commands' says out "first $grows second $stays"
check 'a hundred times the work is behind: a crossing' says out 'The second program is ahead: from '
check 'JSON: a break-even between the sizes' holds both.json \
    '[b for b in d["breakevens"] if b["status"] == "from" and 10 < b["from"] < 1000 and b["device"] == "program"]'
check 'JSON: times of both at both sizes' holds both.json \
    'len(d["results"]) == 4 and all(r["status"] == "ok" and r["phases"]["total"]["median_s"] > 0 for r in d["results"])'
check 'CSV: a head and four rows' [ "$(wc -l <both.csv)" -eq 5 ]
check 'the chart names programs' grep -q 'second program' both.svg
check 'within 80 columns' [ "$(awk '{ print length }' out | sort -n | tail -1)" -le 80 ]
cp out first
run report both.json
check 'read again, it is the same table' cmp <(sed '/^load of/,$d' first) <(sed '/^load of/,$d' out)
run report both.json --chart
check 'a chart as text' says out '# first program c second program'

run compare --program='echo {n}' --program='echo {n}1' "${few[@]}" --same-output
check 'another output: exit 4' [ "$code" -eq 4 ]
check 'another output: which line' says out "its output is another than the first program's: line 1: 10 and 101"
check 'another output: no break-even' says out 'there is no break-even'
run compare --program 'echo 1 >&2; exit {n}' 'sleep {n}' --size=5 --patience=0.2 --quiet
check 'a failure is told' says out 'exit code 5: 1'
check 'a program that hangs is told' says out 'had not ended after 0.2 s'

# A wrong use is said before anything runs.
for wrong in 'two commands are needed|--program|touch {n}|--size=1' '{n} is missing|--program|touch x|touch {n}|--size=1' \
    '--size is needed|--program|touch {n}|touch {n}' 'takes two commands|--program|a {n}|b {n}|c {n}|--size=1' \
    '--device is for workloads|--program|touch {n}|touch {n}|--size=1|--device=cpu' \
    'is for --program|power|--same-output' 'between 0 and 1|--program|touch {n}|touch {n}|--size=1|--same-output=2'; do
    IFS='|' read -ra words <<<"$wrong"
    run compare "${words[@]:1}"
    check "${words[*]:1}: exit 2" [ "$code" -eq 2 ]
    check "${words[*]:1}: ${words[0]}" says err "${words[0]}"
done
check 'nothing was started' [ ! -e 1 ]
done_testing cli.programs
