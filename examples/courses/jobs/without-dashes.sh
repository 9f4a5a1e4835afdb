#!/bin/bash

#SBATCH ntasks=1
#SBATCH gres=gpu:1
#SBATCH cpus-per-task=4
#SBATCH mem=8000M
#SBATCH account=def-me

python train.py
