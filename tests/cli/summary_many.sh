#!/usr/bin/env bash
# `breakeven summary` of many jobs on a made-up sacct: sums, kinds and order are those of its rows.
# usage: summary_many.sh BUILD/breakeven
set -u
program=$(realpath "${1:?usage: summary_many.sh BUILD/breakeven}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_DATA_HOME=$folder/data HOME=$folder
failed=0

mkdir "$folder/bin"
cat >"$folder/bin/sacct" <<SCRIPT
#!/bin/sh
echo "\$*" >"$folder/called"
cat "$folder/jobs"
SCRIPT
chmod +x "$folder/bin/sacct"
export PATH=$folder/bin:$PATH

head='JobID|JobIDRaw|State|ExitCode|Submit|Start|End|ElapsedRaw|TotalCPU|SystemCPU|NCPUS|NNodes|ReqMem|AllocTRES|NodeList|MaxRSS|TRESUsageInTot|TRESUsageInAve|NTasks|User|Account|Partition|TimelimitRaw|AdminComment|JobName'

# job ID STATE SECONDS CPU-TIME CORES NODES MEMORY TRES RSS-KIB USAGE USER ACCOUNT PARTITION MINUTES NAME
job() {
    echo "$1|${1%_*}|$2|0:0|1700000000|1700000001|Unknown|$3|$4|00:00:00|$5|$6|$7|cpu=$5,mem=$7,node=$6,$8|n|||||${11}|${12}|${13}|${14}||${15}"
    echo "$1.batch|${1%_*}.batch|$2|0:0|1700000000|1700000001|Unknown|$3|$4|00:00:00|$5|$6||cpu=$5|n|$9K||${10}|1||${12}||||batch"
}
{
    echo "$head"
    job 10 COMPLETED 3600 08:00:00 8 1 8G billing=8 4194304 cpu=1 ann chem cpu 120 good
    # A GPU that did nothing, billed 40 an hour, for two hours: 80 billed hours.
    job 11 COMPLETED 7200 01:00:00 4 1 16G billing=40,gres/gpu:a100=1,gres/gpu=1 15728640 gres/gpuutil=0,gres/gpumem=1M bob phys gpu 130 idle
    # Three tasks of an array: 4 of 16 cores, one hour: 12 unused each.
    for task in 1 2 3; do
        job 12_$task COMPLETED 3600 04:00:00 16 1 4G billing=16 4194304 cpu=1 ann chem cpu 120 sweep
    done
    job 13 COMPLETED 3600 01:00:00 8 1 100G billing=8 1048576 cpu=1 ann chem cpu 6000 serial
    # A site that keeps no gres/gpuutil.
    job 14 COMPLETED 3600 01:00:00 8 1 8G billing=40,gres/gpu=1 8388608 cpu=1 bob phys gpu 120 'a very long name'
    job 15 RUNNING 3600 00:00:00 8 1 8G billing=8 0 '' carl_of_a_long_name phys cpu 120 now
    job 16 TIMEOUT 7200 16:00:00 8 1 8G billing=8 8388608 cpu=1 carl phys cpu 120 late
    job 17 FAILED 20 00:00:00 8 1 8G billing=8 1000 cpu=1 carl phys cpu 120 oops
    # A GPU on each of two nodes, busy.
    job 18 COMPLETED 3600 01:30:00 2 2 8G billing=80,gres/gpu:a100=2,gres/gpu=2 8388608 gres/gpuutil=190,gres/gpumem=30G bob phys gpu 120 two
    echo '19|19|PENDING|0:0|1700000000|Unknown|Unknown|0|00:00:00|0|1|1|1G|||||||ann|chem|cpu|60||waits'
    echo '20_[1-9]|20|CANCELLED by 1000|0:0|1700000000|Unknown|Unknown|0|00:00:00|0|1|1|1G|||||||ann|chem|cpu|60||never'
} >"$folder/jobs"

wrong() {
    echo "summary of many: $*"
    cat "$folder/out"
    failed=1
}

# ask CODE ARGUMENT...: the answer is in out.
ask() {
    local code=$1 status=0
    shift
    "$program" summary "$@" >"$folder/out" 2>&1 || status=$?
    [ "$status" -eq "$code" ] || wrong "$*: exit $status, expected $code"
    grep -q '.\{81\}' "$folder/out" && [ "$code" -eq 0 ] && [[ "$*" != *json* && "$*" != *csv* && "$*" != *html* ]] && wrong "$*: above 80 columns"
}
has() {
    grep -qE -- "$1" "$folder/out" || wrong "no '$1'"
}
called() {
    grep -qF -- "$1" "$folder/called" || wrong "sacct was called as $(cat "$folder/called"), without $1"
}

ask 0 --all-users --last=7d
called '-S now-7days -a'
has '^ +80  11 +bob +4 +12% +94% +1 +0%  gpu-unused$'
has '^ +36  12 x3 +ann +16 +25% .* cpu-low$'
has '^ +7\.0  13 .* one-core \+2$'
has '^ +- +14 .* 12% '
has '^ +- +15 +carl_of'
has '^ +0\.0  17 .* failed$'
has 'gpus-scattered$'
has '^ +1 +time-excess +a limit of 4 hours'
has '^11 jobs in all:$'
grep -q ' 19 \|20_' "$folder/out" && wrong "jobs that never ran have a row"
[ "$(sed -n 2p "$folder/out" | cut -c10-11)" = 11 ] || wrong "the worst is not first"

ask 0 -u ann --by job --top 2 --since 2026-01-31 --until 2026-02-01
called '-u ann -S 2026-01-31 -E 2026-02-01'
has '^and [0-9]+ more'
ask 0 -A chem --by=user
called '-A chem -S now-1days -a'
has ' ann +5 jobs .* one-core \+3$'
ask 0 10 11 13
called '-j 10,11,13'
grep -q -- ' -S' "$folder/called" && wrong "named jobs are asked of a time"
ask 0 -j 10,11
called '-j 10,11'
ask 0 -r gpu --by=account --json
python3 - "$folder/out" <<'CHECK' || wrong "its JSON"
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["command"] == "summary" and answer["total"]["jobs"] == 11
rows = {row["id"]: row for row in answer["rows"]}
assert set(rows) == {"chem", "phys"}, set(rows)
assert abs(rows["chem"]["unused_s"] - (3 * 12 + 7) * 3600) < 1, rows["chem"]["unused_s"]
assert abs(rows["phys"]["unused_s"] - (80 + 80 * 0.05) * 3600 - 160) < 2, rows["phys"]["unused_s"]
assert rows["phys"]["billed_s"] - rows["phys"]["billed_known_s"] == 48 * 3600 and rows["phys"]["user"] is None
assert sum(row["billed_s"] for row in answer["rows"]) == answer["total"]["billed_s"]
CHECK
ask 0 --all-users --csv --by=job
[ "$(wc -l <"$folder/out")" -eq 12 ] || wrong "its CSV has not a line for each job and one for its head"

ask 2 --by=colour --last=1d
ask 2 --last=7
has 'a number and m, h, d or w'
ask 2 --last=7d --since=2026-01-01
ask 2 --user='ann;rm'
has 'no such sign'
ask 2 --user=
ask 2 --top=some
ask 0 --all-users --last=7d --top=4 --html="$folder/page.html" --svg="$folder/bars.svg"
page=$(cat "$folder/page.html")
[[ $page == *'>127 of 240 billed hours had no work (53 %), in 11 jobs. Most of them, 80, are of bob (job 11): GPUs that did nothing at all.<'* ]] ||
    wrong "the verdict of its page"
[ "$(tr '>' '\n' <"$folder/page.html" | grep -c '^5 more have less; --top=0 shows all')" -eq 1 ] || wrong "--top of its page"
[[ $page == *'one-core, memory-excess, time-excess'* ]] || wrong "the kinds of a row of its page"
grep -q 'carl_of_a_long_name' <<<"${page%%In full*}" && wrong "a row beyond --top is on its page"
[ "$(grep -c '80 of 80 billed hours without work' "$folder/bars.svg")" -ge 1 ] || wrong "no bar for the worst"
ask 0 --all-users --by=user --html
has 'Most of them, 84, are of bob \(3 jobs\)'
ask 2 10 11 --fail-on=cost
ask 2 -j 10 11
ask 2 10 11 --trace-file=none
echo "$head" >"$folder/jobs"
ask 0 --last=1h
has 'no job that ran'
ask 0 --last=1h --html
has 'No job that ran is there'
: >"$folder/jobs"
ask 0 --last=1h
echo 'sacct: nonsense' >"$folder/jobs"
ask 2 --last=1h

[ "$failed" -eq 0 ] && echo "summary of many: as expected"
exit "$failed"
