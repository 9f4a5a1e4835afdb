"""Scripts of the corpus about what a cluster has, and about variables of other systems."""
from corpus_case import CLUSTER, T, add, job, on_cluster

# ---- what the cluster of tests/slurm has ------------------------------------------------------------------
on_cluster("no-such-partition", True, "-p nope", "-p cpu,nope")
on_cluster("no-such-partition", False, "-p cpu", "-p cpu,all", "--mem=1G")
on_cluster("no-such-gpu", True, "-p gpu --gpus=h100:1", "-p gpu --gres=gpu:v100:1", "-p gpu --gpus-per-node=a100_3g.20gb:1")
on_cluster("no-such-gpu", False, "-p gpu --gpus=a100:1", "-p gpu --gres=gpu:a100_1g.5gb:1", "-p gpu --gpus=1")
on_cluster("gpus-above-node", True, "-p gpu --gpus-per-node=a100:5", "-p gpu --gres=gpu:a100:8", "-p cpu --gpus=1",
           "-p cpu --gres=gpu:a100:1")
on_cluster("gpus-above-node", False, "-p gpu --gpus-per-node=a100:4", "-p gpu --gres=gpu:a100:1",
           "-p all --gpus=1", "-p all --gres=gpu:a100_1g.5gb:1", "-p cpu --gpus=0")
on_cluster("above-limit", True, "--time=3:00:00 -p all", "--time=1-0 -p cpu", "--time-min=90 -p cpu",
           "-p cpu -N2", "-p all -N3", "-N3", "-p part -N3-4")
on_cluster("above-limit", False, "-p cpu -N1", "-p all -N2", "-p part -N2-3", "--time=1:00:00 -p cpu", "--time-min=60 -p cpu", "--time=2:00:00 -p all")
on_cluster("cores-above-node", True, "-p all -c65", "-c 128", "-p gpu -c49 --mem=1G", "-p cpu -N1 -n65 --mem=1G",
           "-p gpu -N1 -n7 -c7 --mem=1G", "-p cpu -N1 --ntasks-per-node=33 -c2 --mem=1G",
           "-p cpu --ntasks-per-node=65", "-p all -N 1-2 --ntasks-per-node=65",
           "-p part -c17", "-p part -N1 -n17", "-p part -N2 -n33", "-p part --ntasks-per-node=17",
           "-p part --ntasks-per-node=8 -c3", "-p part --exclusive",
           "-p cpu -n65", "-p all -n57 -c2 --mem=1G", "-p part -n33", "-p part -n11 -c3")
add("cores-above-node", True, "-p part --exclusive=user", words=CLUSTER + ("--slurm=22.05",))
add("cores-above-node", False, "-p part --exclusive=user", words=CLUSTER + ("--slurm=24.11",))
on_cluster("cores-above-node", False, "-c64 --mem-per-cpu=1M", "-c1", "-p cpu -N1 -n64 --mem=1G", "-p gpu -N1 -n6 -c8 --mem=1G",
           "-p cpu -N1 -n65 --overcommit --mem=1G", "-p all -N2 -n3 -c32 --mem=1G",
           "-p part -c16", "-p part -n17", "-p part -N2 -n32", "-p part -c16 -n2", "-p part --ntasks-per-node=8 -c2",
           "-p part -N1 -n17 --overcommit --mem=1G", "-p cpu,part -c17", "-p all --exclusive",
           "-p cpu -n64", "-p all -n56 -c2 --mem=1G", "-p part -n32", "-p part -n10 -c3", "-p cpu -n65 --overcommit --mem=1G",
           "-p all -c33\nhetjob\n-p part -c2")
on_cluster("memory-above-node", True, "-p all --mem=600G", "--mem=1T", "-p cpu --mem=300G",
           "-p cpu --mem-per-cpu=4001 -c64", "-p cpu --mem-per-cpu=8G --ntasks-per-node=32", "-p gpu --mem-per-cpu=499G")
on_cluster("memory-above-node", False, "--mem=1G", "--mem=0", "-p gpu --mem=300G", "-p part --mem=64000", "-p part,cpu --mem=70G",
           "-p cpu --mem-per-cpu=4000 -c64", "-p all --mem-per-cpu=8G -n32", "-p part --mem-per-cpu=4000 -c16", "-p part --mem-per-cpu=5000 -n16")
# Slurm takes these and holds them (MaxMemPerLimit), where it does not enforce limits of partitions.
on_cluster("memory-above-node", True, "-p part --mem=64001", "-p part --mem=0", "-p part --mem-per-cpu=4001 -c16",
           "-p part --mem-per-cpu=5000 -N1 -n16")

for command in ("cd $PBS_O_WORKDIR", 'cd "${PBS_O_WORKDIR}"', "mpirun -np $PBS_NP ./a.out", "./a.out $SGE_TASK_ID",
                "mpirun -machinefile $PBS_NODEFILE ./a.out", "export OMP_NUM_THREADS=$NSLOTS", "x=$(cat $LSB_DJOB_HOSTFILE)",
                "true\ncd $PBS_O_WORKDIR && ls", "if true; then cd $LS_SUBCWD; fi"):
    add("foreign-variable", True, job(T, command + "\n"))
for command in ("cd $SLURM_SUBMIT_DIR", "# cd $PBS_O_WORKDIR", 'cd "${PBS_O_WORKDIR:-$SLURM_SUBMIT_DIR}"',
                '[ -n "$PBS_O_WORKDIR" ] && cd $PBS_O_WORKDIR', "NSLOTS=4\n./a.out $NSLOTS", "echo $PBS_O_WORKDIRS",
                'if [ -z "${PBS_JOBID}" ]; then echo; else echo $PBS_JOBID; fi', "cat >x.pbs <<'X'\ncd $PBS_O_WORKDIR\nX",
                "export PBS_O_WORKDIR=$PWD\ncd $PBS_O_WORKDIR", "echo PBS_O_WORKDIR", "./a.out $MY_NSLOTS"):
    add("foreign-variable", False, job(T, command + "\n"))
add("foreign-variable", False, b"#!/usr/bin/env python3\n#SBATCH --time=5\nprint('$PBS_O_WORKDIR')\n")
