#!/usr/bin/env bash
# Scripts that `breakeven job` writes, on a real Slurm: accepted, run, and read back by sacct.
# usage: BREAKEVEN_TEST_SLURM=FOLDER tests/slurm/job.sh BUILD/breakeven
# shellcheck source-path=SCRIPTDIR
program=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib.sh"

# A job's view of itself, an argument a line.
cat >seen <<'SCRIPT'
#!/bin/bash
echo "cpus $SLURM_CPUS_PER_TASK gpus ${SLURM_GPUS_ON_NODE-0} threads $OMP_NUM_THREADS"
echo "libraries $MKL_NUM_THREADS $OPENBLAS_NUM_THREADS task ${SLURM_PROCID-0} of ${SLURM_NTASKS-1}"
for word in "$@"; do printf '<%s>\n' "$word"; done
SCRIPT
chmod +x seen

# job WORD...: the script, for the cluster that was started.
job() {
    "$program" job --catalogue="$here/cluster.json" --cluster=breakeven --quiet "$@"
}

# accepted NAME OPTION...: sbatch takes it.
accepted() {
    local name=$1
    shift
    job "$@" -- ./seen >accepted.sh
    check "accepted: $name" sbatch --test-only accepted.sh
}

# ran NAME FIELDS ROW OPTION... -- COMMAND...: it runs to its end; what it printed is in ran.out. The accounting is
# looked at last, since it comes later: FIELDS must be like ROW.
later=()
ran() {
    local name=$1 fields=$2 row=$3 id
    shift 3
    rm -f ran.out
    job --output-file=ran.out "$@" >ran.sh
    check "submitted: $name" sh -c 'sbatch --parsable ran.sh >id'
    id=$(cat id)
    later+=("$name" "${id:-0}" "$fields" "$row")
    finished "$id"
}

# ---- accepted ------------------------------------------------------------------------------------

accepted 'nothing asked for'
accepted 'one GPU with its share' --gpus=1
accepted 'all GPUs of a node, all of its cores and memory' --gpus=4 --cpus=48 --mem=510000M
accepted 'a GPU by its type' --gpus=a100:2 --time=30
accepted 'a slice of one' --gpus=a100_1g.5gb:1
accepted 'more cores and memory than go with it' --gpus=1 --cpus=20 --mem=300G
accepted 'tasks' --tasks=8 --cpus=2 --mem=4G
accepted 'tasks with GPUs' --gpus=4 --tasks=4
accepted 'two nodes' --nodes=2 --tasks=4 --cpus=3 --partition=all
accepted 'an array' --array=0-9%2 --time=5
accepted 'an hour and a half: another partition than the default' --time=1:30:00
accepted 'a GPU for an hour and a half' --gpus=1 --time=1:30:00
accepted 'an account, a name with blanks, a file with blanks' --account=physics \
    --name='a name; with (signs)' --output-file='out dir/%x %j.txt'
accepted 'data staged' --stage=seen
accepted 'watched' --watch

# Everything that the catalogue says is the most is accepted; one more is refused by both.
for most in '--cpus=64' '--gpus=4' '--mem=256000M' '--gpus=1 --mem=510000M' '--time=2:00:00'; do
    # shellcheck disable=SC2086 # several words
    accepted "the most: $most" $most
done
for over in '--cpus=65' '--gpus=5' '--mem=256001M' '--gpus=1 --mem=510001M' '--time=2:01:00' \
    '--gpus=1 --cpus=49' '--nodes=2'; do
    # shellcheck disable=SC2086 # several words
    job $over -- ./seen >over.sh 2>over.err
    check "one more is an error of ours: $over" sh -c "[ ! -s over.sh ] && grep -q '^breakeven: ' over.err"
done
job -- ./seen >plain.sh
check 'and sbatch refuses it, too' sh -c '! sbatch --test-only --cpus-per-task=65 plain.sh'

# ---- the cluster as it describes itself ----------------------------------------------------------

check 'clusters --detect on the cluster' "$program" clusters --detect --json=detected.json
check '  finds its GPUs, nodes and partitions' sh -c \
    'for word in a100_1g.5gb "\"cores\":48,\"memory_mib\":510000" "\"name\":\"cpu\",.*\"default\":true"; do
         grep -q "$word" detected.json || exit 1
     done'
detected() {
    "$program" job --catalogue=detected.json --cluster=breakeven --quiet "$@" -- ./seen >detected.sh
    check "accepted as detected: $*" sbatch --test-only detected.sh
}
detected --gpus=1
detected --gpus=a100_1g.5gb:2
detected --cpus=64
detected --time=1:30:00
detected --gpus=4 --tasks=4 --time=2:00:00

# ---- run -----------------------------------------------------------------------------------------

ran 'a GPU with its share' state,reqcpus,reqmem,alloctres \
    'COMPLETED\|12\|127500M\|.*cpu=12,gres/gpu=1,mem=127500M,node=1' --gpus=1 --time=5 -- ./seen
check 'it sees its CPUs, GPU and threads' grep -qx 'cpus 12 gpus 1 threads 12' ran.out
check 'so do the libraries' grep -q '^libraries 12 12 ' ran.out

ran 'four processes with a GPU each' state,alloctres 'COMPLETED\|.*cpu=48,gres/gpu=4,.*' \
    --gpus=4 --tasks=4 --time=5 -- ./seen
check 'srun starts each once, with its CPUs' sh -c \
    '[ "$(grep -c "cpus 12 .* threads 12" ran.out)" -eq 4 ] &&
     [ "$(grep -o "task [0-9] of 4" ran.out | sort -u | wc -l)" -eq 4 ]'

ran 'two nodes' state,nnodes 'COMPLETED\|2' --nodes=2 --tasks=2 --partition=all --time=5 \
    -- sh -c 'echo "on $SLURMD_NODENAME"'
check 'each has its process' sh -c 'grep -qx "on g1" ran.out && grep -qx "on c1" ran.out'

words=('a b' "it's" '"' '$HOME' '`id`' '$(id)' '\' '\\n' '' '-n' '*' '~' '!' '#' ';rm -rf x' '&' '|' \
    $'two\nlines' $'tab\there' 'ä€' $'\r' '{a,b}' '%j' $'\n#SBATCH --gpus=99\n' \
    $'\n#PBS -l nodes=9\n#PBS -d /\n#BSUB -gpu 9' $'dos\r\nlines\r\n' '{index}')
ran 'hostile arguments' state,account,alloctres 'COMPLETED\|physics\|[^|]*' \
    --account=physics --time=5 -- ./seen "${words[@]}"
printf '<%s>\n' "${words[@]}" >wanted
check 'arrive as they were' sh -c 'tail -n +3 ran.out | cmp - wanted'

mkdir -p 'data dir/deep' && echo 42 >'data dir/deep/x' && echo 43 >'f $1.txt'
ran 'staged data' state 'COMPLETED' --stage='data dir' --stage='f $1.txt' --time=5 \
    -- sh -c 'cat "$1/deep/x" "$2"; pwd; echo "$1"' - 'data dir' 'f $1.txt'
check 'are copied, and read there' sh -c 'head -n 2 ran.out | tr "\n" " " | grep -qx "42 43 "'
check 'in a folder that is gone afterwards' sh -c \
    'd=$(tail -n 1 ran.out); case $d in */breakeven-*/"data dir") [ ! -e "$d" ];; *) false;; esac'

ran 'a command that fails' state,exitcode 'FAILED\|7:0' --time=5 -- sh -c 'exit 7'
ran 'staged data that is not there' state 'FAILED' --stage=nothing --time=5 -- ./seen
check 'and nothing is run then' sh -c '! grep -q cpus ran.out'

job --array=1-3 --time=5 --output-file='array-%a.out' -- ./seen 'n={index}' >array.sh
id=$(sbatch --parsable array.sh)
finished "$id"
for index in 1 2 3; do
    later+=("array: task $index" "${id}_$index" state COMPLETED)
    check "array: task $index has its index" grep -qx "<n=$index>" "array-$index.out"
done

for ((i = 0; i < ${#later[@]}; i += 4)); do
    accounted "${later[i + 1]}" "${later[i + 2]}" >row 2>&1
    check "accounted for: ${later[i]}" grep -Eqx -- "${later[i + 3]}" row
done

check 'queue reads them back from sacct' sh -c \
    "'$program' queue -p gpu,cpu,all >queue.out && grep -Eq '^gpu .*\([1-9][0-9]*\)' queue.out"
done_testing slurm
