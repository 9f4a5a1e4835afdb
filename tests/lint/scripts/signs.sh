#!/bin/bash
# Für Jürgen, 日本
#SBATCH –-time=1:00:00 --mem=4G
#SBATCH --comment=日本 --mem-per-cpu=lots
#SBATCH --output=א‮.log --mem=4G 
#SBATCH --comment=� --nodes=many
srun ./x
