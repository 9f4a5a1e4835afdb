#!/usr/bin/env bash
# `breakeven summary` of a job that ran on a real Slurm, beside what sacct says of it.
# usage: BREAKEVEN_TEST_SLURM=FOLDER tests/slurm/summary.sh BUILD/breakeven
# shellcheck source-path=SCRIPTDIR
program=$(realpath "$1")
. "$(dirname "$0")/lib.sh"
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
done_testing slurm
