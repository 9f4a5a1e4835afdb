#!/usr/bin/env bash
# `breakeven summary` on a made-up sacct: the figures are those of seff, and what is wrong is said.
# usage: summary.sh BUILD/breakeven
set -u
program=$(realpath "${1:?usage: summary.sh BUILD/breakeven}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_DATA_HOME=$folder/data HOME=$folder
failed=0

# A sacct that prints the file of the job asked for, and complains where it is called otherwise.
mkdir "$folder/bin"
cat >"$folder/bin/sacct" <<SCRIPT
#!/bin/sh
[ "\$1" = -j ] && [ "\$3" = -P ] || { echo "sacct: called as \$*" >&2; exit 1; }
[ "\$2" = 98 ] && { printf 'sacct: error: fetch_config: DNS SRV lookup failed\\nsacct: fatal: Could not establish a configuration source\\n' >&2; exit 1; }
[ "\$2" = 97 ] && { echo "Slurm accounting storage is disabled" >&2; exit 1; }
[ "\$2" = 99 ] && { echo "sacct: error: slurmdbd: Connection refused" >&2; exit 1; }
[ "\$2" = 40 ] || head -n 1 "$folder/head"
cat "$folder/job-\$2" 2>/dev/null || :
SCRIPT
chmod +x "$folder/bin/sacct"
export PATH=$folder/bin:$PATH

echo 'JobID|JobIDRaw|JobName|State|ExitCode|Submit|Start|End|ElapsedRaw|TotalCPU|SystemCPU|NCPUS|NNodes|ReqMem|AllocTRES|NodeList|MaxRSS|TRESUsageInTot|TRESUsageInAve|NTasks' >"$folder/head"
# 8 cores for an hour, 1 h 06 of CPU time, 3 of 32 GB; the batch step and one srun of two tasks.
cat >"$folder/job-11" <<'EOT'
11|11|train|COMPLETED|0:0|1700000000|1700000600|1700004200|3600|01:06:00|00:06:00|8|1|32G|billing=8,cpu=8,mem=32G,node=1|n01||||
11.batch|11.batch|batch|COMPLETED|0:0|1700000600|1700000600|1700004200|3600|00:06:00|00:01:00|8|1||cpu=8,mem=32G,node=1|n01|1048576K|cpu=00:06:00,mem=1073741824|cpu=00:06:00,mem=1073741824|1
11.0|11.0|python|COMPLETED|0:0|1700000600|1700000600|1700004200|3600|01:00:00|00:05:00|8|1||cpu=8,mem=32G,node=1|n01|2097152K|cpu=01:00:00,mem=3221225472|cpu=00:30:00,mem=1610612736|2
EOT
# A GPU that did next to nothing; no sum over tasks is kept: two tasks of 1 GB.
cat >"$folder/job-12" <<'EOT'
12|12|infer|FAILED|3:0|1700000000|1700000001|1700001801|1800|1-00:00:00|00:00:00|4|1|8G|billing=4,cpu=4,gres/gpu:h200=1,gres/gpu=1,mem=8G,node=1|g01||||
12.batch|12.batch|batch|FAILED|3:0|1700000001|1700000001|1700001801|1800|00:30:00.500|00:00:10|4|1||cpu=4|g01|1048576K|cpu=00:30:00|gres/gpuutil=0,gres/gpumem=512M|2
EOT
printf '13_1|13|a|COMPLETED|0:0||||60|00:01:00|0|1|1|1G|cpu=1|n||||\n13_2|14|a|COMPLETED|0:0||||60|00:01:00|0|1|1|1G|cpu=1|n||||\n' >"$folder/job-13"
printf '15|15|a|PENDING|0:0|1700000000|Unknown|Unknown|0|00:00:00|0|1|1|1G||||||\n' >"$folder/job-15"
printf '16|16|quick|COMPLETED|0:0|1700000000|1700000001|1700000011|10|00:00:10|00:00:00|8|1|1G|cpu=8,mem=1G|n||||\n' >"$folder/job-16"

printf '18|18|long|RUNNING|0:0|1700000000|1700000001|Unknown|36000|00:00:00|00:00:00|8|1|1G|cpu=8,mem=1G,gres/gpu=1|n||||\n' >"$folder/job-18"
# Ten hours on four nodes, of which half the cores and 100 of 256 GB were used.
cat >"$folder/job-19" <<'EOT'
19|19|mpi|COMPLETED|0:0|1700000000|1700000001|1700036001|36000|53-08:00:00|00:00:00|256|4|64G|billing=256,cpu=256,mem=256G,node=4|n[01-04]||||
19.0|19.0|mpi|COMPLETED|0:0|1700000001|1700000001|1700036001|36000|53-08:00:00|00:00:00|256|4||cpu=256,mem=256G,node=4|n[01-04]|409600K|cpu=53-08:00:00,mem=107374182400|cpu=05:00:00,mem=419430400|256
EOT

# Out of memory, of which Slurm's looks had seen less than a third.
cat >"$folder/job-20" <<'EOT'
20|20|big|OUT_OF_MEMORY|0:125|1700000000|1700000001|1700003601|3600|00:59:00|00:00:10|1|1|4G|billing=1,cpu=1,mem=4G,node=1|n01||||
20.batch|20.batch|batch|OUT_OF_MEMORY|0:125|1700000001|1700000001|1700003601|3600|00:59:00|00:00:10|1|1||cpu=1,mem=4G,node=1|n01|1000000K|||1
EOT

# A site of jobstats: no gres/gpuutil in accounting, two GPUs in AdminComment of which one did nothing.
jobstats=JS1:$(echo '{"gpus":2,"total_time":3600,"nodes":{"g01":{"cpus":8,"total_time":14400,"used_memory":8589934592,
"total_memory":34359738368,"gpu_utilization":{"1":96.5,"3":0},"gpu_used_memory":{"1":42949672960,"3":629145600},
"gpu_total_memory":{"1":85899345920,"3":85899345920}}}}' | gzip -c | base64 -w 0)
{
    echo "JobID|JobIDRaw|State|ExitCode|Submit|Start|End|ElapsedRaw|TotalCPU|SystemCPU|NCPUS|NNodes|ReqMem|AllocTRES|NodeList|MaxRSS|TRESUsageInTot|TRESUsageInAve|NTasks|AdminComment|JobName"
    echo "40|40|COMPLETED|0:0|1700000000|1700000001|1700003601|3600|04:00:00|00:00:00|8|1|32G|billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=32G,node=1|g01|||||$jobstats|train"
    echo "40.batch|40.batch|COMPLETED|0:0|1700000001|1700000001|1700003601|3600|04:00:00|00:00:00|8|1||cpu=8,gres/gpu=2,mem=32G,node=1|g01|8388608K|||1||batch"
} >"$folder/job-40"

# Slurm ended it, beside an exit code of 0.
printf '21|21|late|TIMEOUT|0:0|1700000000|1700000001|1700003601|3600|00:50:00|00:00:00|1|1|1G|cpu=1,mem=1G|n||||\n' >"$folder/job-21"
printf '22|22|lost|NODE_FAIL|0:0|1700000000|1700000001|1700003601|3600|00:50:00|00:00:00|1|1|1G|cpu=1,mem=1G|n||||\n' >"$folder/job-22"

# Eight tasks of one core, of which half had work; and the same of one program, as far as accounting knows.
cat >"$folder/job-23" <<'EOT'
23|23|ranks|COMPLETED|0:0|1700000000|1700000001|1700003601|3600|04:00:00|00:00:00|8|1|8G|billing=8,cpu=8,mem=8G,node=1|n01||||
23.batch|23.batch|batch|COMPLETED|0:0|1700000001|1700000001|1700003601|3600|00:00:01|00:00:00|8|1||cpu=8,mem=8G,node=1|n01|1000K|||1
23.extern|23.extern|extern|COMPLETED|0:0|1700000001|1700000001|1700003601|3600|00:00:00|00:00:00|8|1||cpu=8,mem=8G,node=1|n01|0|||1
23.0|23.0|rank|COMPLETED|0:0|1700000001|1700000001|1700003601|3600|03:59:59|00:00:00|8|1||cpu=8,mem=8G,node=1|n01|800000K|||8
EOT
sed 's/23/24/g; /24.0/d; s/|00:00:01|/|04:00:00|/' "$folder/job-23" >"$folder/job-24"

# expect CODE TEXT ARGUMENT...: the exit code, and a text that must be in what is printed.
expect() {
    local code=$1 text=$2 status=0
    shift 2
    PATH=${commands:-$PATH} "$program" summary "$@" >"$folder/out" 2>&1 || status=$?
    if [ "$status" -ne "$code" ] || ! grep -qF -- "$text" "$folder/out"; then
        echo "summary $*: exit $status, expected $code and '$text':"
        cat "$folder/out"
        failed=1
    fi
}

expect 0 'CPU efficiency 13.75 %, memory efficiency 9.38 % of 32G, 34.4 GB (as seff)' 11
expect 0 '[cores-idle]' 11
expect 0 'CPU efficiency 13.75 %, memory' -j 11
expect 0 '1.1 of 8 cores had work (2 tasks): ' 11
expect 0 '#SBATCH --cpus-per-task=1' 11
expect 0 '#SBATCH --mem=4G' 11
expect 0 'waited 10 min 00 s' 11
expect 0 'from     accounting alone' 11
expect 1 '[memory-asked]' 11 --fail-on memory-asked
expect 0 '[memory-asked]' 11 --fail-on gpu-unused
expect 0 'CPU efficiency 25.01 %, memory efficiency 25.00 % of 8G, 8.59 GB (as seff)' 12
expect 0 '[gpu-unused]' 12
expect 0 '[gpus-uneven]' 40
expect 0 'from     accounting, and what jobstats left in AdminComment' 40
expect 0 '"name":"jobstats"' 40 --json
expect 0 'exit code 3' 12
expect 0 'breakeven summary 12</pre>' 12 --html
expect 0 'There is no drawing: accounting has sums over the whole job, and nothing over time.' 12 --html
expect 0 'no GPU was used: no kernel ran on the one there is. At most 30 min' 12 --html
expect 0 '"name":"gpu-unused"' 12 --json
# In the units of --mem=, whole ones or not.
sed 's/mem=4G/mem=3900M/g; s/|4G|/|3900M|/' "$folder/job-20" >"$folder/job-27"
expect 0 '25.04 % of 3900M, 4.09 GB (as seff)' 27
expect 2 'stands for 2 jobs: name one of them' 13
expect 2 'waits: it has used nothing yet' 15
expect 0 '[too-short]' 16
expect 0 'CPU efficiency not measured' 18
expect 0 'once it has ended' 18
expect 0 'on 8 cores and 1 GPU (' 18
expect 0 'nothing to improve' 18 --fail-on note
expect 0 '128 of 256 cores had work' 19
expect 0 'fewer tasks or nodes: 128 cores in all' 19
expect 0 'ask for 47 % of it on each node' 19
expect 0 '[out-of-memory]' 20
expect 0 '#SBATCH --mem=5G or more' 20
expect 0 'exit code 125' 20
expect 0 '1 CPU on 1 node' 20
expect 0 'out of memory' 20 --fail-on memory-asked
expect 0 'killed by signal 15' 21
expect 0 '"end":"killed"' 21 --json
expect 0 'how it ended is not known' 22
for state in CANCELLED PREEMPTED DEADLINE; do
    sed "s/TIMEOUT/$state/" "$folder/job-21" >"$folder/job-25"
    expect 0 'killed by signal 15' 25
    expect 0 "$state" 25
done
expect 0 '4 CPUs on 1 node, 1 GPU, waited' 12
sed 's|gres/gpu:h200=1,gres/gpu=1|gres/gpu:h200=2,gres/gpu=2|' "$folder/job-12" >"$folder/job-26"
expect 0 '4 CPUs on 1 node, 2 GPUs, waited' 26
expect 0 '4 of 8 cores had work (8 tasks): ' 23
expect 0 '#SBATCH --ntasks=4' 23
expect 0 '"tasks":8' 23 --json
expect 0 '4 of 8 cores had work: ' 24
expect 0 '#SBATCH --cpus-per-task=4' 24
expect 2 'accounting does not know it' 17
expect 2 'Connection refused' 99
expect 2 '`breakeven report FILE` shows' 99
# A Slurm that is not set up, or keeps no accounting, is absent; one that does not answer has failed.
expect 3 'this machine belongs to no cluster' 98
expect 3 'keeps no accounting' 97
expect 2 'not the number of a job' '4;rm'
expect 2 'not the number of a job' -- --help
expect 2 'which job?'

# The next job asks for what this one used: no fewer cores than it had at work on average.
"$program" summary 24 --json="$folder/24.json" >/dev/null || failed=1
"$program" job --lsf --from "$folder/24.json" -- ./x >"$folder/out" 2>&1
if ! grep -qF '4.0 cores of 8 on average' "$folder/out" || ! grep -qx '#BSUB -n 4' "$folder/out" ||
    ! grep -qx '#BSUB -W 1:30' "$folder/out"; then
    echo "job --from a summary:"
    cat "$folder/out"
    failed=1
fi

# The user says how many cores several tasks need.
"$program" summary 23 --json="$folder/23.json" >/dev/null || failed=1
"$program" job --lsf --from "$folder/23.json" -- ./x >"$folder/out" 2>&1
if ! grep -q 'those of 8' "$folder/out" || grep -qx '#BSUB -n 4' "$folder/out"; then
    echo "job --from a summary of 8 tasks:"
    cat "$folder/out"
    failed=1
fi

# It ran under us: its trace says more.
mkdir -p "$folder/work"
SLURM_JOB_ID=16 "$program" run --quiet -- sleep 0.3 || failed=1
expect 0 'from     the trace ' 16
expect 0 'sleep' --json 16
expect 0 'from     accounting alone' 16 --trace-file none
"$program" run --quiet --trace-file="$folder/other.json" -- true || failed=1
expect 0 'which is not of this job but of no batch job' 16 --trace-file "$folder/other.json"
if "$program" summary 16 | grep -q 'not of this job'; then
    echo "summary: its own trace is called another's"
    failed=1
fi
expect 2 'its name is empty' 16 --trace-file=
expect 2 'nowhere.json: No such file' 16 --trace-file "$folder/nowhere.json"

rm "$folder/bin/sacct"
commands=$folder/nowhere expect 3 'no such command here' 11
commands=$folder/nowhere expect 3 'breakeven report FILE' 11
# So is one of which only a folder of PATH could know, that we may not look into.
if command -v setpriv >"$folder/out" && [ "$(id -u)" -eq 0 ]; then
    mkdir -m 700 "$folder/closed"
    chmod 755 "$folder"
    setpriv --reuid 65534 --clear-groups env PATH="$folder/closed" "$program" summary 11 >"$folder/out" 2>&1
    code=$?
    [ "$code" -eq 3 ] || [ "$code" -eq 126 ] || {
        echo "summary beside a folder that is closed: exit $code"
        cat "$folder/out"
        failed=1
    }
fi
[ "$failed" -eq 0 ] && echo "summary: as expected"
exit "$failed"
