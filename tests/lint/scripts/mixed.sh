#!/bin/bash
#SBATCH ntasks=1
#SBATCH —-cpus-per-task=4
#SBATCH --time=2h
#SBTACH --mem=8G
 #SBATCH --job-name=x
#SBATCH -output=foo.log
#SBATCH --gres=gpu:1 --mem=16G # GPU memory
#SBATCH --array=1-10
module load cuda
export OMP_NUM_THREADS=16
python train.py --device cuda
#SBATCH --partition=gpu
cat <<EOF
#SBATCH --not-a-directive
EOF
