#!/usr/bin/env bash
# Does the Slurm that the tests start do what they rely on: GPUs by type, limits, accounting?
# usage: BREAKEVEN_TEST_SLURM=FOLDER tests/slurm/accounting.sh
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

cat >job <<'SCRIPT'
#!/bin/bash
#SBATCH --partition=gpu --gpus-per-node=a100:1 --cpus-per-task=4 --mem=8G --time=10:00
#SBATCH --account=physics --output=job.out
echo "$SLURM_CPUS_PER_TASK CPUs, $SLURM_GPUS_ON_NODE GPU"
exit 3
SCRIPT
check 'sbatch --test-only takes a job that fits' sbatch --test-only job
check 'and refuses a GPU that is not there' \
    sh -c 'sbatch --test-only --gpus-per-node=h100:1 job 2>&1 | grep -q "not available"'
id=$(sbatch --parsable --wait job)
check 'the job ran' grep -qx '4 CPUs, 1 GPU' job.out
accounted "$id" state,exitcode,account,alloctres >row
check 'accounting has its state, account and GPU' \
    grep -qx 'FAILED|3:0|physics|.*cpu=4,gres/gpu=1,mem=8G,node=1' row
check 'the scheduler can be asked' sh -c 'scontrol -o show partition gpu | grep -q gres/gpu=6'
done_testing slurm
