#!/bin/bash
#SBATCH --job-name=train --output=%x-%j.log
#SBATCH --time=3:00:00 --gpus-per-node=a100:1
#SBATCH --cpus-per-task=12 --mem=120G
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
if [[ -d "$SLURM_TMPDIR" ]]; then
    tar -xf data.tar -C "$SLURM_TMPDIR"
fi
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" python train.py \
    --data "$SLURM_TMPDIR/data" --workers "$SLURM_CPUS_PER_TASK"
