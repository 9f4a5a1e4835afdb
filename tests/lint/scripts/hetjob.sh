#!/bin/sh
#SBATCH -n 1 -c 8 --mem=16G --time=1:00:00
#SBATCH packjob
#SBATCH -N 2 --ntasks-per-node=4 --comment="two 'kinds' of nodes" # it's so
#PBS -l nodes=1:ppn=2,walltime=1:00:00
#BSUB -R "rusage[mem=2048]"
work() { out=$(cat <<'END'
#SBATCH --time=x
END
); echo "${out#a}" $((1 << 3)); }
work & wait
srun --het-group=0,1 ./a.out <input >output 2>&1
