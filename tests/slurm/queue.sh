#!/usr/bin/env bash
# `breakeven queue` on a real Slurm: what sacct says of jobs that ran, and what waits there now.
# usage: BREAKEVEN_TEST_SLURM=FOLDER tests/slurm/queue.sh BUILD/breakeven
# shellcheck source-path=SCRIPTDIR
program=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib.sh"

# of KEY FILE: a number of the counts of a saved table.
of() { grep -o "\"$1\":[0-9]*" "$2" | head -n 1 | cut -d: -f2; }

# Jobs of an account of its own: other tests submit at the same time.
sacctmgr -i add account waits Cluster=breakeven >/dev/null
sacctmgr -i add user root Account=waits Cluster=breakeven >/dev/null
ours=(--since="$(date -d '-1 day' +%F)" --account=waits -q)

"$program" queue "${ours[@]}" --json >before.json 2>/dev/null || echo '"counted":0' >before.json
"$program" job --catalogue="$here/cluster.json" --cluster=breakeven -q --gpus=1 --time=5 -A waits -- true >job.sh
one=$(sbatch --parsable --wait job.sh)
array=$(sbatch --parsable --wait -A waits --partition=cpu --time=5 --array=1-3 --output=/dev/null --wrap true)
accounted "$one" end >/dev/null
for task in 1 2 3; do accounted "${array}_$task" end >/dev/null; done
"$program" queue "${ours[@]}" --json >after.json 2>errors
check 'nothing is complained of' test ! -s errors
check 'a job and three tasks of an array are there' \
    [ "$(of counted after.json)" -eq $(($(of counted before.json) + 4)) ]
check 'no line of sacct is left over' grep -q '"rejected":0' after.json
"$program" queue "${ours[@]}" -p gpu --by=gpus >gpus.txt
check 'jobs have their GPUs and their account' grep -Eq '^1 .*\([0-9]+\)' gpus.txt

sacct -a -X -P -S "$(date -d '-1 day' +%F)" -E now --format=JobID,Partition,User,Account,QOS,Submit,Eligible,Start,End,State,NNodes,NCPUS,ReqCPUS,ReqMem,ReqTRES,AllocTRES,Timelimit |
    gzip >saved.gz
"$program" queue saved.gz "${ours[@]}" --json >saved.json
check 'what sacct saved says the same' [ "$(of counted saved.json)" -eq "$(of counted after.json)" ]

# The same accounting in other forms.
sacct -a -X -P --delimiter=, -S "$(date -d '-1 day' +%F)" -E now --format=jobid,part,user,acc,sub,elig,start,end,state,ncpus,reqtres,alloctres,timel >saved.csv
"$program" queue saved.csv "${ours[@]}" --json >csv.json
check 'with commas, and columns named shortly' [ "$(of counted csv.json)" -eq "$(of counted after.json)" ]
check '  and no line is left over' grep -q '"rejected":0' csv.json
if sacct --json -a -S "$(date -d '-1 day' +%F)" -E now >sacct.json 2>/dev/null && [ -s sacct.json ]; then
    "$program" queue sacct.json "${ours[@]}" --json >json.json
    check 'sacct --json' [ "$(of counted json.json)" -eq "$(of counted after.json)" ]
    check '  and no job is left over' grep -q '"rejected":0' json.json
    "$program" queue sacct.json "${ours[@]}" -p gpu --by=gpus >json.txt
    check '  with its GPUs' grep -Eq '^1 .*\([0-9]+\)' json.txt
fi
# A job that depends on another waits from when that has ended.
first=$(sbatch --parsable -A waits --partition=cpu --time=5 --output=/dev/null --wrap 'sleep 8')
second=$(sbatch --parsable --wait -A waits --partition=cpu --time=5 --dependency="afterany:$first" --output=/dev/null --wrap true)
accounted "$second" end >/dev/null
"$program" queue "${ours[@]}" --json >submit.json
"$program" queue "${ours[@]}" --from=eligible --json >eligible.json
check 'time in a dependency is told apart' grep -Eq '"held_first":[1-9]' submit.json
check '  and every job says since when it could run' grep -q '"no_eligible":0' eligible.json

held=$(sbatch --parsable --hold --partition=gpu --gpus=a100:2 --array=1-5 --time=5 --output=/dev/null --wrap true)
"$program" queue --forecast -p gpu --time=5 --since="$(date -d '-1 day' +%F)" -q --json >forecast.json 2>errors
scancel "$held"
check 'a forecast from what waits now' sh -c '[ ! -s errors ] && grep -q "\"live\":true" forecast.json'
check 'each task of an array that is held is told apart' grep -Eq '"partition":"gpu".*"held":([5-9]|[1-9][0-9]+),' forecast.json
SQUEUE_USERS=nobody SQUEUE_PARTITION=cpu SINFO_PARTITION=cpu SACCT_FEDERATION=1 \
    "$program" queue --forecast -p gpu --time=5 --since="$(date -d '-1 day' +%F)" -q >aside.txt 2>errors
check 'options of the user for Slurm change no answer' sh -c '[ ! -s errors ] && grep -q "^gpu " aside.txt'
done_testing slurm
