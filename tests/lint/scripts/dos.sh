#!/bin/bash
#SBATCH --time=5 \
  --mem=1G
hostname
