#!/usr/bin/env bash
# `breakeven summary` of a job that ran on a real Slurm, beside what sacct says of it.
# usage: BREAKEVEN_TEST_SLURM=FOLDER tests/slurm/summary.sh BUILD/breakeven
# shellcheck source-path=SCRIPTDIR
program=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib.sh"
export XDG_DATA_HOME=$PWD/data

cat >job <<SCRIPT
#!/bin/bash
#SBATCH --cpus-per-task=2 --mem=1G --time=5:00 --account=physics --output=job.out
$program run --quiet -- sh -c 'end=\$((\$(date +%s) + 3)); while [ \$(date +%s) -lt \$end ]; do :; done; exit 3'
SCRIPT
id=$(sbatch --parsable --wait job)
accounted "$id" state >state
sacct -n -P -j "$id" -o jobid,elapsedraw,ncpus,totalcpu | grep "^$id|" >row
"$program" summary "$id" >with 2>errors
"$program" summary "$id" --trace-file none >without 2>>errors
check 'nothing is complained of' test ! -s errors
check 'state, CPUs and exit code are those of sacct' \
    grep -Eq "^job +$id \(job\) FAILED on .*: [0-9]+ CPUs" with
# CPU time over elapsed time times CPUs, from sacct's own row.
efficiency=$(awk -F'|' '{ n = split($4, t, ":"); s = t[n] + 60 * t[n - 1] + (n > 2 ? 3600 * t[n - 2] : 0)
    printf "CPU efficiency %.2f %%", 100 * s / $2 / $3 }' row)
check "$efficiency" grep -qF "$efficiency" without
check 'the trace that was kept is used' grep -q '^from     the trace ' with
check 'and left alone when asked' grep -q '^from     accounting alone' without
check 'a job of seconds is too short for accounting' grep -qF '[too-short]' without
check 'its end is told' grep -q 'exit code 3' without
check 'no such job' sh -c "'$program' summary 999999 2>&1 | grep -q 'accounting does not know it'"

# ---- a script that `breakeven job --watch` writes: seen live, then judged by its trace ---------------

# Idle on two cores until told to end: what is found does not depend on how busy this machine is.
cat >idle <<'SCRIPT'
#!/bin/sh
sleep 5
until [ -e go ]; do sleep 0.2; done
SCRIPT
chmod +x idle
PATH=$(dirname "$program"):$PATH
"$program" job --catalogue="$here/cluster.json" --cluster=breakeven --quiet --watch --cpus=2 --mem=2G \
    --time=5 --output-file=watched.out -- ./idle >watched.sh
check 'job --watch: the command runs under breakeven run' grep -q 'breakeven run -- .*idle' watched.sh
id=$(sbatch --parsable watched.sh)
seen() { "$program" watch --job "$id" --once --interval=0.2 >live 2>live.err && grep -q ' idle' live; }
for _ in $(seq 1000); do
    seen && break
    sleep 0.2
done
check 'watch --job sees it while it runs' seen
check '  and what it was given' grep -q 'of 2 cores' live
touch go
accounted "$id" state >state
check 'it ends well' grep -qx COMPLETED state
trace=$(find "$PWD/data/breakeven/runs" -name "*job$id-*.json")
check 'its trace is kept, by its number' test -f "$trace"
"$program" summary "$id" >verdict 2>errors
check 'summary complains of nothing' test ! -s errors
check 'summary uses the trace' grep -qF "from     the trace $trace" verdict
check 'the verdict is that of the trace: idle cores' grep -qF '[cores-idle]' verdict
check '  and memory that was not needed' grep -qF '[memory-asked]' verdict
"$program" report "$trace" >report
check 'what the job printed itself is the same' sh -c \
    'sed "/^trace /d" watched.out | grep -v "^breakeven" >said; tail -n "$(wc -l <report)" said | cmp - report'
check 'so is what summary says' sh -c 'sed "/^from /d" verdict | tail -n "$(wc -l <report)" | cmp - report'
"$program" summary "$id" --json >summary.json
check 'and its JSON' sh -c '"$1" report --json "$2" >trace.json; cmp trace.json summary.json' - "$program" "$trace"
"$program" summary "$id" --fail-on=cores-idle >/dev/null
check 'summary --fail-on sees it' test $? -eq 1
"$program" summary "$id" --trace-file=none --fail-on=cores-idle >alone
check 'accounting alone is too short for that' test $? -eq 0
done_testing slurm
