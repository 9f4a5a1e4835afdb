#!/usr/bin/env bash
# Saved results through `breakeven report`: text, CSV and JSON must be what is kept here. Each
# report-NAME.json is in the form that breakeven writes, so as JSON it must come out unchanged.
# usage: tests/golden/run.sh BUILD/breakeven [--update]
#        --update   takes what comes out as the new expectation; read the diff before committing
# shellcheck source-path=SCRIPTDIR
set -u

. "$(dirname "$0")/../update.sh"
cd "$(dirname "$0")" || exit 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0 cases=0

# golden NAME SUFFIX OPTION...
golden() {
    local name=$1 suffix=$2 status=0 wrong=''
    local expected=$name.$suffix got=$scratch/$name.$suffix
    shift 2
    cases=$((cases + 1))
    case $suffix in
    svg) "$program" report --chart="$got" "$@" "$name.json" >/dev/null 2>"$scratch/errors" </dev/null || status=$? ;;
    *) "$program" report "$@" "$name.json" >"$got" 2>"$scratch/errors" </dev/null || status=$? ;;
    esac
    # A release changes the version in every file that is written, and nothing else.
    [ "$suffix" != json ] || sed -i 's/^"version":"[^"]*"/"version":"0.1.0"/' "$got"
    if [ "$status" -ne 0 ]; then
        wrong="exit $status: $(head -n 1 "$scratch/errors")"
    elif [ -s "$scratch/errors" ]; then
        wrong="unasked on stderr: $(head -n 1 "$scratch/errors")"
    elif [ "$suffix" = svg ] && ! python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$got"; then
        wrong='is no XML'
    elif [ "${suffix##*.}" = txt ] && LC_ALL=C grep -Eq '^.{81}|[^ -~]' "$got"; then
        wrong='a line has more than 80 columns, or other than ASCII'
    elif $update; then
        cmp -s "$got" "$expected" || { cp "$got" "$expected" && echo "updated  $expected"; }
    elif ! diff -u "$expected" "$got" >"$scratch/diff" 2>&1; then
        wrong='differs'
    fi
    if [ -z "$wrong" ]; then
        echo "ok       $expected"
        return
    fi
    echo "FAILED   $expected: $wrong"
    [ "$wrong" != differs ] || head -n 40 "$scratch/diff"
    failed=$((failed + 1))
}

# older NAME: as it was written before there were variants and types, it still says the same.
older() {
    local name=$1 old=$scratch/older.json wrong=''
    sed -e 's/"code":"expert",//' -e 's/"callable":false,//' \
        -e 's/"as_written":false,"dtype":"float32","parameters":null,/"dtype":"float32",/' \
        -e 's/"dtype":"float32","as_written":false,//' -e 's/"size_name":"size",//' \
        -e '/^"quick":false,$/d' -e 's/"times_limit":[^,]*,//' \
        -e 's/"joules_lo":null,"joules_hi":null,"host_joules":null,"energy_s":null,"energy_source":null,"energy_note":null,//' "$name.json" >"$old"
    cmp -s "$name.json" "$old" && return
    cases=$((cases + 1))
    "$program" report "$old" 2>&1 </dev/null | cmp -s - "$name.txt" || wrong='text'
    "$program" report --json "$old" 2>&1 </dev/null |
        sed 's/^"version":"[^"]*"/"version":"0.1.0"/' | cmp -s - "$name.json" || wrong+=' json'
    if [ -z "$wrong" ]; then
        echo "ok       $name.json of an older version"
        return
    fi
    echo "FAILED   $name.json of an older version: $wrong differs"
    failed=$((failed + 1))
}

for file in report-*.json; do
    [ -e "$file" ] || continue
    name=${file%.json}
    golden "$name" txt
    golden "$name" csv --csv
    golden "$name" json --json
    older "$name"
done

# Charts: one workload on a GPU that is here, and several on GPUs that are not. An ASCII chart is for every terminal.
for name in report-h200 report-elsewhere report-cpu; do
    LC_ALL=C golden "$name" chart.txt --chart
    golden "$name" svg
done

echo "golden: $cases cases, $failed failed"
[ "$cases" -gt 0 ] && [ "$failed" -eq 0 ]
