"""Scripts of the corpus about what a job asks for and does."""
from corpus_case import T, add, job, on_cluster

SRUN = "srun ./a.out\n"
PY = "python train.py\n"
add("no-time", True, "--mem=1G", b"#!/bin/bash\n#PBS -l mem=1gb\nhostname\n")
add("no-time", False, T, "-t5", b"#!/bin/bash\n#PBS -l walltime=5\nhostname\n", b"#!/bin/bash\nhostname\n",
    b"#!/bin/bash\n#BSUB -W 5\nhostname\n")
add("no-launcher", True, job("--ntasks=4 " + T, "./a.out\n"), job("--ntasks-per-node=4 " + T, PY),
    job("-n 2 " + T, "export X=1\nif true; then\n  ./a.out\nfi\n"), job("-n2 " + T, "# srun ./a.out\n./a.out\n"))
add("no-launcher", True, job("-n4 " + T, "module load intel/compilers openmpi\n./a.out\n"), job("-n4 " + T, "source ~/.bashrc\n./a.out\n"),
    job("-n4 " + T, "eval \"$(conda shell.bash hook)\"\n./a.out\n"), job("-n4 " + T, ". /etc/profile\n./a.out --size 12\n"))
add("no-launcher", False, job("-n4 " + T, "gmx_mpi mdrun\n"), job("-n4 " + T, "RUN=\"mpirun -n 4\"\n$RUN ./a.out\n"),
    job("-N1 -n12 " + T, "busco -i a -c 12\n"), job("-n12 " + T, "./a.out --procs=12\n"), job("-n4 " + T, "julia --machine-file h a.jl\n"),
    job("-n4 " + T, "source ./run_all\n"))
add("no-launcher", False, job("--ntasks=4 " + T, SRUN), job("-n4 " + T, "mpirun ./a.out\n"), job(T, "./a.out\n"),
    job("-n4 " + T, "MPI=mpiexec\n$MPI ./a.out\n"), job("-n4 " + T, "bash run.sh\n"),
    job("-n2 " + T, "for i in 1 2; do\n  ./a.out $i &\ndone\nwait\n"), job("-n4 " + T, "out=$(srun hostname)\necho $out\n"),
    job("-c4 " + T, "./a.out\n"), job("-n4 " + T, "torchrun train.py\n"), job("-n4 " + T, "python -m torch.distributed.run a.py\n"))
add("fewer-tasks", True, job("-p all -N2 -n1 " + T, SRUN))
add("fewer-tasks", False, job("-p all -N2 -n2 " + T, SRUN), job("-p all -N2 " + T, SRUN), job("-p all -N1-2 -n1 " + T, SRUN))
add("whole-nodes", True, job("-p all --nodes=2 " + T, PY), job("--exclusive " + T, "./a.out\n"))
add("whole-nodes", False, job("--exclusive " + T, "taskset -c 0-15 ./a.out\n"), job("-p all --nodes=2 " + T, SRUN), job("--nodes=1 " + T, PY),
    job("--exclusive -c8 " + T, "./a.out\n"), job("--exclusive " + T, "export OMP_NUM_THREADS=8\n./a.out\n"),
    job("--exclusive " + T, "make -j$(nproc)\n"), job("-p all -N2 " + T, "mpirun ./a.out\n"),
    job("--exclusive " + T, "make -j 32\n"), job("--exclusive " + T, "python a.py --workers 32\n"))
# One process where all cores and GPUs of a node are taken: sbatch(1), --exclusive. srun starts one, too.
for started in (PY, "srun " + PY, "conda activate x\nsrun -c4 " + PY):
    X = "--exclusive -p gpu --mem=8G " + T
    add("whole-nodes", True, job("--gpus=1 -c8 " + X, started), job("--gres=gpu:1 -N1 " + X, started),
        job("--gpus-per-node=1 -n1 " + X, started))
    on_cluster("whole-nodes", True, job("--gpus=a100:1 " + X, started), job("--gpus=a100:3 " + X, started))
    on_cluster("whole-nodes", False, job("--gpus=a100:4 " + X, started))
add("whole-nodes", True, job("--exclusive -n1 " + T, "srun ./a.out\n"))
add("whole-nodes", False, job("--exclusive -p gpu --gpus=1 -n4 " + T, SRUN), job("--exclusive -p gpu --gpus=4 " + T, PY),
    job("--exclusive -p gpu --gpus=1 " + T, "srun -n 4 ./a.out\n"), job("--exclusive=user -p gpu --gpus=1 " + T, PY),
    job("--exclusive -p gpu --gpus=1 " + T, "./a.out &\n./b.out &\nwait\n"), job("-p gpu --gpus=1 " + T, PY),
    job("--exclusive -p gpu --gpus=1 " + T, "bash run.sh\n"), job("--exclusive -p gpu --gpus=1 " + T, "torchrun t.py\n"),
    job("--exclusive -p all -N2 --gpus=2 " + T, "srun " + PY), job("--exclusive " + T, "srun -n 8 ./a.out\n"),
    job("--exclusive " + T, "srun --multi-prog tasks.conf\n"))
add("gpu-not-asked", True, job(T, "nvidia-smi\n"), job(T, "python t.py --device cuda\n"),
    job(T, "python t.py --device=cuda:0\n"), job(T, "singularity exec --nv a.sif python t.py\n"),
    job(T, "export CUDA_VISIBLE_DEVICES=0\n./a.out\n"), job(T, "srun nvidia-smi\n") if False else job(T, "nsys profile ./a\n"))
add("gpu-not-asked", False, job("-p gpu --gpus=1 " + T, "nvidia-smi\n"), job(T, "python t.py --device cpu\n"),
    job("-p gpu --gres=gpu:1 " + T, "python t.py --device=cuda\n"), job(T, "echo nvidia-smi\n"),
    job(T, "CUDA_VISIBLE_DEVICES= ./a.out\n"), job(T, "# nvidia-smi\nhostname\n"), job(T, "module load cuda\nhostname\n"))
add("gpu-not-used", True, job("-p gpu --gpus=1 " + T, "hostname\n"), job("-p gpu --gres=gpu:1 " + T, "echo a\ncp a b\n"))
add("gpu-not-used", False, job("-p gpu --gpus=1 " + T, PY), job("-p gpu --gpus=1 " + T, "cd x\n./a.out\n"),
    job(T, "hostname\n"), job("-p gpu --gpus=1 " + T, "srun ./a.out\n"))
add("gpu-one-core", True, job("-p gpu --gpus=1 " + T, PY), job("-p gpu --gres=gpu:1 -n1 " + T, PY))
add("gpu-one-core", False, job("-p gpu --gpus=1 -c4 " + T, PY), job("-p gpu --gpus=1 --cpus-per-gpu=4 " + T, PY), job(T, PY))
add("gpu-no-memory", True, job("-p gpu --gpus=1 -c1 " + T, PY), job("-p gpu --gpus=2 -c3 " + T, PY))
add("gpu-no-memory", False, job("-p gpu --gpus=1 --mem=8G " + T, PY), job("-p gpu --gpus=1 --mem-per-gpu=8G " + T, PY), job(T, PY))
add("host-memory", True, "--mem=16G # GPU memory", "--mem=40G # VRAM", "--mem-per-cpu=1G # gpu ram",
    "--mem=40G  # memory on the GPU", "--mem=80G # 80 GB of GPU memory", "--mem 24G # Request 24GB VRAM for the job",
    "-p gpu --gpus=1\n--mem-per-gpu=40G # A100's VRAM", "--mem=40G # GPU's memory: 40GB", "--mem=8G # memory of GPU",
    b"#!/bin/bash\n# GPU memory\n#SBATCH --mem=40G\nhostname\n", b"#!/bin/bash\n## VRAM needed:\n#SBATCH --mem 40G\nhostname\n",
    "-p gpu --gres=gpu:2\n--mem=64gb # memory per GPU", "--mem-per-cpu=4G # memory per GPU",
    "-p gpu -N1 --gpus=2\n--mem=64G # RAM per GPU")
add("host-memory", False, "--mem=16G # memory", "--mem=16G", "--time=5 # GPU memory", "--mem=4G # for the GPU node",
    "--mem=16G # RAM, not GPU memory", "--mem=48G # RAM for the task - Excludes GPU VRAM", "--mem=40G # node RAM, not VRAM",
    "--mem=80G # at least as much as GPU memory", "--mem=80G # 2x GPU memory", "--mem=80G # CPU memory >= GPU memory",
    "--mem=8G # system RAM (NOT GPU memory)", "-p gpu --gpus=1 --mem=8G # 80 GB of GPU memory",
    "-p gpu --gres=gpu:1\n--mem=64gb # memory per GPU", "-p gpu --gpus=2\n--mem-per-gpu=8G # memory per GPU",
    "-p gpu --gpus=1 # GPU memory\n--mem=4G", "--mem=8G # GPUs, memory", "--mem=4G # memory for the GPU job",
    b"#!/bin/bash\n# GPU memory\n#SBATCH --mem=40G # RAM\nhostname\n", b"#!/bin/bash\n# GPU memory\n\n#SBATCH --mem=40G\nhostname\n",
    b"#!/bin/bash\n#SBATCH -p gpu --gpus=1 # VRAM\n#SBATCH --mem=40G\nhostname\n",
    b"#!/bin/bash\n##SBATCH --gpus=a100:1 # VRAM\n#SBATCH --mem=40G\nhostname\n")
add("threads-above-cores", True, job(T, "export OMP_NUM_THREADS=8\n./a.out\n"),
    job("-c4 " + T, "OMP_NUM_THREADS=8 ./a.out\n"), job("-c2 " + T, "export MKL_NUM_THREADS=3\nexport X=1\n./a.out\n"))
add("threads-above-cores", False, job("-c8 " + T, "export OMP_NUM_THREADS=8\n./a.out\n"),
    job(T, "export OMP_NUM_THREADS=1\n./a.out\n"), job("-c4 " + T, "export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK\n./a.out\n"),
    job("--exclusive " + T, "export OMP_NUM_THREADS=64\n./a.out\n"))
# Shared with no other user, or of the same label: such a job has the cores it asks for, no others.
for shares in ("user", "mcs", "USER"):
    X = f"--exclusive={shares} " + T
    add("threads-above-cores", True, job(X, "export OMP_NUM_THREADS=64\n./a.out\n"))
    add("whole-nodes", False, job(X, "./a.out\n"))
    add("step-above-job", True, job("-n4 " + X, "srun -n 16 ./a.out\n"))
    add("srun-cores", True, job("-n2 -c8 " + X, "srun ./a.out\n"))
    add("gpu-not-asked", True, job(X, "nvidia-smi\n"))
    add("gpu-one-core", True, "-p gpu --gpus=1 " + X)
    add("gpu-no-memory", True, "-p gpu --gpus=1 " + X)
for way in ("--exclusive", "--exclusive=topo"):
    add("gpu-one-core", False, f"-p gpu --gpus=1 {way}")
    add("gpu-no-memory", False, f"-p gpu --gpus=1 {way}")
    add("gpu-not-asked", False, job(f"{way} " + T, "nvidia-smi\n"))
add("no-threads", True, job("-c8 " + T, PY), job("-c8 " + T, "Rscript a.R\n"), job("-c8 " + T, "srun python a.py\n"))
add("broken-line", True, job("-n4 " + T, "srun -n 4 \\ \n  ./a --x\n"), job("-c2 " + T, "python t.py \\\n  --a 1 \\\t \n  --b 2\n"))
add("broken-line", False, job("-n4 " + T, "srun -n 4 \\\n  ./a --x\n"), job(T, "cut -d\\  -f1 a\nhostname\n"), job(T, "cut -f1 -d ' '\nhostname\n"),
    job(T, "./a b\\ c\nhostname\n"), job(T, "./a \\ \n\nhostname\n"), job(T, "awk '{ print \\ \n}' x\n"), job(T, "cat <<E\na \\ \nb\nE\n"),
    job(T, "# srun \\ \nhostname\n"))
add("output-folder", True, job("-o logs/%j.out " + T, "mkdir -p logs\n./a.out\n"), job("-e ./out/err/x.txt " + T, "mkdir -p out out/err/\n"),
    job("--output=logs/a.txt --error=logs/b.txt " + T, "if true; then mkdir ./logs; fi\n"))
add("output-folder", False, job("-o logs/%j.out " + T, "./a.out\n"), job("-o %j.out " + T, "mkdir -p logs\n./a.out\n"),
    job("-o logs/%j/x.out " + T, "mkdir -p logs\n./a.out\n"), job("-o logs/x.out " + T, "mkdir -p logs2 old/logs\n./a.out\n"))
add("no-threads", False, job("-c8 " + T, "matlab -r 'parpool(8); run_it; exit'\n"))
add("no-threads", False, job(T, PY), job("-c8 " + T, "export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK\n" + PY),
    job("-c8 " + T, "python a.py --workers 8\n"), job("-c8 " + T, "julia -t 8 a.jl\n"), job("-c8 " + T, "hostname\n"))
add("array-unused", True, job("--array=1-4 " + T, PY), job("-a 0-3%2 " + T, "# $SLURM_ARRAY_TASK_ID\n./a.out\n"))
add("array-unused", False, job("--array=1-4 " + T, "python a.py $SLURM_ARRAY_TASK_ID\n"),
    job("--array=1-4 " + T, "bash task.sh\n"), job("--array=5 " + T, PY), job(T, PY),
    job("--array=1-4 " + T, "i=${SLURM_ARRAY_TASK_ID}\n./a.out $i\n"),
    job("--array=1-4 " + T, "import os\nprint(os.environ['SLURM_ARRAY_TASK_ID'])\n", head="#!/usr/bin/env python3\n"))

for commands in ("./a.out &\n", "srun -n1 ./a.out &\nsrun -n1 ./b.out &\n", "nohup python s.py > log 2>&1 &\necho started\n",
                 "for i in 1 2; do\n  ./a.out $i &\ndone\n", "(cd x && ./a.out) &\nexit 0\n", "{ ./a; ./b; } & disown\n"):
    add("no-wait", True, job(T, commands))
for commands in ("./a.out &\nwait\n", "./server &\npython client.py\n", "for i in 1 2; do ./a.out $i & done\nwait\n",
                 "a && b\n", "./a.out >x 2>&1\n", "./a.out &>x\n", "./a |& tee x\n", "# ./a.out &\n./a.out\n",
                 "echo 'a & b'\n", "./a.out & sleep 600\n", "./long & pid=$!\nwait $pid\n", "echo $((3 & 1))\n",
                 "case $1 in a) x ;& b) y ;; esac\n", "cat <<E\n./a.out &\nE\n", "./a &\nwhile kill -0 $!; do sleep 5; done\n"):
    add("no-wait", False, job(T, commands))
add("no-wait", False, b"#!/usr/bin/env python3\n#SBATCH --time=5\nprint(3 & 1)\n")
# Slurm 22.05 to 23.02 did not take the cores of a task from the job (CHANGELOG of 23.11.0). One task has them all.
C8 = "--ntasks=8 --cpus-per-task=8 " + T
for commands in ("srun ./a.out\n", "srun -n 2 python t.py\n", "srun -u -l ./a.out\n", "srun --mpi=pmix -n 4 ./a.out\n",
                 "export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK\nsrun ./a.out -c 4\n", "time srun --kill-on-bad-exit ./a.out\n"):
    add("srun-cores", True, job(C8, commands))
for commands in ("srun -c 8 ./a.out\n", "srun -c8 ./a.out\n", "srun --cpus-per-task=$SLURM_CPUS_PER_TASK ./a.out\n", "./a.out\n",
                 "export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK\nsrun ./a.out\n", "srun hostname\n", "srun $OPTIONS ./a.out\n",
                 "srun -n 9 ./a.out\n", "srun -n 1 ./a.out\n", "echo srun ./a.out\n", "# srun ./a.out\n./a.out\n", "srun --overlap nvidia-smi\n"):
    add("srun-cores", False, job(C8, commands))
add("srun-cores", False, job(T, "srun ./a.out\n"), job("-c1 " + T, "srun ./a.out\n"), job("-c8 --exclusive " + T, "srun ./a.out\n"))
add("srun-cores", False, job(C8, "srun ./a.out\n"), words=("--slurm=21.08",))
add("srun-cores", False, job(C8, "srun ./a.out\n"), words=("--slurm=23.11",))
add("srun-cores", False, job(C8, "srun ./a.out\n"), words=("--slurm=24.11.5",))
add("srun-cores", True, job(C8, "srun ./a.out\n"), words=("--slurm=23.02.7",))
add("srun-cores", True, job(C8, "srun ./a.out\n"), words=("--slurm=22.05",))
add("srun-cores", False, job("-c8 " + T, "srun ./a.out\n"), words=("--slurm=22.05",))
# How many run where nobody says it: seen with 22.05.8 and 24.11.5.
X8 = "--exclusive -c8 " + T
add("several-copies", True, job("-c8 " + T, "srun -c 2 ./a.out\n"), job(X8, "srun ./a.out\n"), job(X8, "srun -c 8 ./a.out\n"),
    job("-N1 --exclusive " + T, "srun -c 8 ./a.out\n"), job(X8, "srun -c $SLURM_CPUS_PER_TASK ./a.out\n"))
add("several-copies", True, job(X8, "srun ./a.out\n"), words=("--slurm=23.11",))
add("several-copies", True, job(X8, "srun -c8 ./a.out\n"), words=("--slurm=22.05",))
add("several-copies", False, job(X8, "srun ./a.out\n"), words=("--slurm=22.05",))
add("several-copies", False, job("-c8 " + T, "srun ./a.out\n"), job("-c8 " + T, "srun -c 8 ./a.out\n"), job("-n1 " + X8, "srun ./a.out\n"),
    job(X8, "srun -n 1 ./a.out\n"), job(X8, "srun --ntasks=1 -c 8 ./a.out\n"), job("--exclusive " + T, "srun ./a.out\n"),
    job(X8, "srun --ntasks-per-node=1 ./a.out\n"), job("--exclusive -c64 " + T, "srun ./a.out\n"), job(X8, "srun --pty bash\n"),
    job("--ntasks-per-node=1 " + X8, "srun ./a.out\n"), job("-c8 " + T, "srun -c $N ./a.out\n"))
# From 23.11 on each task of a step has the cores of --cpus-per-task, which may be more than the job has.
C4 = "-c4 " + T
add("step-above-job", True, job(C4, "srun -n 4 ./a.out\n"))
add("step-above-job", True, job(C4, "srun -n 4 ./a.out\n"), words=("--slurm=24.11",))
add("step-above-job", False, job(C4, "srun -n 4 ./a.out\n"), words=("--slurm=22.05",))
add("step-above-job", False, job(C4, "srun -n 4 -c 1 ./a.out\n"), job("-n4 " + C4, "srun -n 4 ./a.out\n"),
    job(C4, "unset SLURM_CPUS_PER_TASK\nsrun -n 4 ./a.out\n"))
# Where nodes are given whole, a job has all of their cores: names that such machines have, and nodes alone.
for whole in ("-N1 -C cpu", "-N2 -q regular", "-N1 -p batch", "-N1 -p standard-g", "-N1"):
    add("step-above-job", False, job(whole + " -n1 " + T, "srun -n 64 ./a.out\n") if whole != "-N1" else
        job(whole + " " + T, "srun -n 64 ./a.out\n"))
    add("threads-above-cores", False, job(whole + " " + T, "export OMP_NUM_THREADS=64\n./a.out\n"))
add("gpu-one-core", False, job("-N4 -C gpu -q regular --gpus-per-node=4 " + T, PY))
add("gpu-no-memory", False, job("-N4 -C gpu -q regular --gpus-per-node=4 " + T, PY), job("-N1 -p booster --gres=gpu:4 " + T, PY))
add("gpu-one-core", True, job("-p gpu -N1 --gres=gpu:1 " + T, PY))
add("gpu-no-memory", True, job("-p gpu -N1 --gres=gpu:1 " + T, PY))
add("gpu-not-asked", False, job("-N1 -C gpu " + T, "nvidia-smi\n"))
add("threads-above-cores", True, job("-N1 -n1 " + T, "export OMP_NUM_THREADS=64\n./a.out\n"))
add("ranks-above-tasks", False, job("-n4 " + T, "mpirun ./a.out -n 100\n"), job("-n4 " + T, "mpirun --mca btl ^openib -np 4 ./a.out -np 100\n"),
    job("-n4 " + T, "mpirun --bind-to core -x OMP_NUM_THREADS ./a.out -n 100\n"))
add("ranks-above-tasks", True, job("-n4 " + T, "mpirun --mca btl ^openib -np 100 ./a.out\n"), job("-n4 " + T, "mpirun --report-bindings -np 100 ./a.out\n"), job("-n8 " + T, "mpirun -np 16 ./a.out\n"), job("-n 1 -c 16 " + T, "mpirun -n 16 ./a.out\n"),
    job("-c 16 " + T, "/opt/x/bin/mpiexec -np=16 ./a.out\n"), job("-p all -N2 --ntasks-per-node=4 " + T, "mpirun --np 9 ./a.out\n"))
add("ranks-above-tasks", False, job("-n16 " + T, "mpirun -np 16 ./a.out\n"), job("-n16 " + T, "mpirun -np 8 ./a.out\n"),
    job("-n8 " + T, "mpirun -np $SLURM_NTASKS ./a.out\n"), job("-n8 " + T, "mpirun --oversubscribe -np 16 ./a.out\n"),
    job("-p all -N2 " + T, "mpirun -np 16 ./a.out\n"), job("--exclusive " + T, "mpirun -np 16 ./a.out\n"),
    job("-n8 " + T, "mpirun ./a.out -np 4\n"), job("-n4 " + T, "mpirun -np 2 ./a : -np 2 ./b\n"))
G2 = "-p gpu --gres=gpu:2 -c4 --mem=1G " + T
for commands in ("torchrun --nproc_per_node=4 t.py\n", "torchrun --standalone --nproc-per-node 4 t.py\n",
                 "python -m torch.distributed.launch --nproc_per_node=3 t.py\n", "export CUDA_VISIBLE_DEVICES=0,1,2,3\n./a.out\n",
                 "CUDA_VISIBLE_DEVICES=2 ./a.out\n", "accelerate launch --num_processes 4 t.py\n", "deepspeed --num_gpus=8 t.py\n",
                 "vllm serve m --tensor-parallel-size 4\n", "python -m vllm.entrypoints.openai.api_server --model m -tp 8\n",
                 "srun -c 4 torchrun --nproc_per_node=4 t.py\n"):
    add("gpus-above-asked", True, job(G2, commands))
for commands in ("torchrun --nproc_per_node=2 t.py\n", "vllm serve m --tensor-parallel-size=2\n", "torchrun --nproc_per_node=$SLURM_GPUS_ON_NODE t.py\n",
                 "CUDA_VISIBLE_DEVICES=0 ./a.out &\nCUDA_VISIBLE_DEVICES=1 ./a.out &\nwait\n", "python t.py --nproc_per_node=4\n",
                 "export CUDA_VISIBLE_DEVICES=\n./a.out\n", "export CUDA_VISIBLE_DEVICES=GPU-8932f937\n./a.out\n",
                 "accelerate launch --num_processes 2 t.py\n", "torchrun --nproc_per_node=4 t.py --backend gloo\n"):
    add("gpus-above-asked", False, job(G2, commands))
add("gpus-above-asked", False, job("-c8 " + T, "torchrun --nproc_per_node=4 t.py\n"),
    job("-p gpu --exclusive --gpus=1 " + T, "torchrun --nproc_per_node=4 t.py\n"))
# GPUs of a socket: as many on a node as the job asks for sockets there, where it says how many.
S2 = "-p gpu --nodes=1 -c4 --mem=1G --gpus-per-socket=2 " + T
for sockets in ("--sockets-per-node=2", "--extra-node-info=2", "-B 2:1:1"):
    add("gpus-above-asked", False, job(S2 + sockets, "torchrun --nproc_per_node=4 t.py\n"))
    add("gpus-above-asked", True, job(S2 + sockets, "torchrun --nproc_per_node=5 t.py\n"))
add("gpus-above-asked", False, job(S2 + "-B *:1", "torchrun --nproc_per_node=8 t.py\n"),
    job("-p all --nodes=2 -c4 --mem=1G --gpus-per-socket=1 --sockets-per-node=2 " + T, "torchrun --nproc_per_node=2 t.py\n"))
A = "--array=1-4 " + T
add("array-one-output", True, *(job(f"{A}--output={name}", "./a.out $SLURM_ARRAY_TASK_ID\n") for name in
    ("out.txt", "%A.out", "%x.log", "a%%j.log")), job(A + "-o %j.out -e all.err", "./a.out $SLURM_ARRAY_TASK_ID\n"))
add("array-one-output", False, *(job(f"{A}--output={name}", "./a.out $SLURM_ARRAY_TASK_ID\n") for name in
    ("%A_%a.out", "%a.out", "%4a.out", "%j.out", "/dev/null", "all.out --open-mode=append")),
    job(A, "./a.out $SLURM_ARRAY_TASK_ID\n"), job(T + "--output=out.txt", "./a.out\n"),
    job("--array=3 " + T + "--output=out.txt", "./a.out $SLURM_ARRAY_TASK_ID\n"))
for commands in ("export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK\n./a.out\n", "export OMP_NUM_THREADS=${SLURM_CPU_PER_TASK}\n./a.out\n",
                 "mpirun -np $SLURM_NTASKS ./a.out\n", "./a.out $SLURM_ARRAY_TASKID\n", "cd $SLURM_SUBMITDIR\n./a.out\n",
                 "echo $SLURM_JOB_NODE_LIST\n"):
    add("unset-variable", True, job(T, commands))
for commands in ("export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}\n./a.out\n", "echo $SLURM_JOB_ID $SLURM_TMPDIR $SLURM_CPUS_ON_NODE\n",
                 "SLURM_LOG=x\necho $SLURM_LOG\n", "echo $SLURM_MY_SITES_OWN_THING\n", "# $SLURM_CPU_PER_TASK\n./a.out\n",
                 "[ -n \"$SLURM_NTASKS\" ] && echo $SLURM_NTASKS\n", "echo SLURM_CPU_PER_TASK\n", "echo $MY_SLURM_NTASK\n"):
    add("unset-variable", False, job(T, commands))
for given, name in (("--ntasks=4 --ntasks-per-gpu=2", "NTASKS_PER_GPU"), ("--ntasks-per-core=1", "NTASKS_PER_CORE"),
                    ("--ntasks-per-socket=1", "NTASKS_PER_SOCKET"), ("-n2", "CPU_BIND_TYPE"), ("-n2", "UMASK")):
    add("unset-variable", False, job(given + " " + T, f"srun ./a.out $SLURM_{name}\n"))
add("unset-variable", True, job(T, "srun ./a.out $SLURM_NTASKS_PER_SOCKET\n"), job(T, "mpirun -n $SLURM_NTASKS ./a.out\n"),
    job(T, "mpirun -n $SLURM_NTASK ./a.out\n"), job(T, "srun -n \"$SLURM_NTASKS\" ./a.out\n"))
add("unset-variable", False, job(T, "if [ -n \"$SLURM_NTASKS\" ]; then ./a.out $SLURM_NTASKS; fi\n"),
    job(T, "[[ -f x && -z $SLURM_NTASKS ]] || ./a.out $SLURM_NTASKS\n"),
    job(T, "test -n \"$SLURM_NTASKS\" && ./a.out $SLURM_NTASKS\n"),
    job(T, "if ! test -v SLURM_NTASKS; then x=1; fi\n./a.out $SLURM_NTASKS\n"))
add("unset-variable", False, job("-c4 " + T, "export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK\n./a.out\n"),
    job("-n4 " + T, "mpirun -np $SLURM_NTASKS ./a.out\n"), job("--ntasks-per-node=4 " + T, "mpirun -np $SLURM_NTASKS ./a.out\n"),
    b"#!/bin/bash\nexport OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK\n./a.out\n")

add("curly-quotes", True, "--job-name=\u201ca b\u201d", "--job-name=\u201cab\u201d", "--comment=\u2018x\u2019", "-J \u00aba b\u00bb",
    "--time=\u201c5\u201d", "--comment=\u201ca b c\u201d --time=5")
add("curly-quotes", False, "--job-name=\"a b\"", "--comment=it\u2019s", "--time=5 # \u201ca b\u201d", "--job-name=Z\u00fcrich",
    b"#!/bin/bash\n#SBATCH --time=5\necho \xe2\x80\x9ca\xe2\x80\x9d\n")
add("bare-word", False, "--job-name=\u201ca b\u201d")
add("bare-word", True, "--mem=16 GB", "--time=7 days", "--time=5 one hour", "--time=5\u00a0--mem=1G x", "\u00a0--time=5")
add("minutes", True, "--time=24", "-t 48", "-t72")
add("minutes", False, "--time=24:00:00", "--time=30", "--time=0-24", "--mem=24M", "--time=60")
add("dos-line-ends", True, b"#!/bin/bash\r#SBATCH --time=5\rhostname\r")
add("dos-line-ends", False, b"#!/bin/bash\n#SBATCH --time=5\nprintf a\rb\n")
add("misspelt-directive", True, b"#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH\n--mem=32G\n#SBATCH --time=5\nhostname\n",
    b"#!/bin/bash\n#SBATCH --nodes=1\n  --time 5\nhostname\n")
add("misspelt-directive", False, b"#!/bin/bash\n#SBATCH --time=5\nsrun \\\n--mem=4G hostname\n", b"#!/bin/bash\n#SBATCH --time=5\n--train\n",
    b"#!/bin/bash\n#SBATCH --time=5\nwords=(\n--mem=4G\n)\nhostname\n")
add("misspelt-directive", True, b"#!/bin/bash\nSBATCH --time=5\nhostname\n", b"#!/bin/bash\n  SBATCH -n 1\nhostname\n")
add("misspelt-directive", False, b"#!/bin/bash\n#SBATCH --time=5\nSBATCH=x\n", b"#!/bin/bash\ncat <<E\nSBATCH --time=5\nE\n",
    b"#!/bin/bash\n#SBATCH --time=5\nsbatch --time=5 x.sh\n")
add("threads-above-cores", True, job("-c4 " + T, "make -j 32\n"), job("-c4 " + T, "samtools sort -@16 a.bam\n"),
    job(T, "bwa mem -t 8 a b\n"), job("-c4 " + T, "gmx mdrun -ntomp 8\n"))
add("threads-above-cores", False, job("-c8 " + T, "make -j8\n"), job("-c4 " + T, "make -j $SLURM_CPUS_PER_TASK\n"),
    job("-n4 -c2 " + T, "make -j8\n"), job("-c4 " + T, "make -j\n"), b"#!/bin/bash\nmake -j 32\n")
add("gpu-not-asked", True, job("-c8 " + T, "gmx mdrun -nb gpu -ntomp 8\n"), job(T, "python t.py --accelerator=gpu\n"))
add("gpu-not-asked", False, job("-c8 " + T, "gmx mdrun -nb cpu\n"), job(T, "sinfo -p gpu\n"), job(T, "cp a gpu\n"))

N4 = "-n4 --mem=1G " + T
for commands in ("srun -n 16 ./a.out\n", "srun --mem=64G ./a.out\n", "srun --gres=gpu:1 ./a.out\n", "srun --gpus=1 -n1 ./a.out\n",
                 "srun -n 4 -c 4 ./a.out\n"):
    add("step-above-job", True, job(N4, commands))
for commands in ("srun -n 4 ./a.out\n", "srun -n 8 ./a.out\n", "srun --mem=1G ./a.out\n", "srun -O -n 16 ./a.out\n",
                 "srun --overcommit -n 16 ./a.out\n", "srun -n $N ./a.out\n", "srun ./a.out -n 16 --mem=64G --gpus=2\n", "echo srun -n 16\n"):
    add("step-above-job", False, job(N4, commands))
add("step-above-job", True, job("-N1 " + T, "srun -N 4 ./a.out\n"))
add("step-above-job", False, job(T, "srun -n 16 ./a.out\n"), job("--exclusive -n4 " + T, "srun -n 16 ./a.out\n"),
    job("-p gpu --gres=gpu:1 -c4 " + T, "srun --gres=gpu:1 -c4 ./a.out\n"), b"#!/bin/bash\nsrun -n 16 --gpus=1 ./a.out\n")
add("launcher-twice", True, job(N4, "srun mpirun ./a.out\n"), job(N4, "srun -n 4 /usr/bin/mpiexec -n 4 ./a.out\n"),
    job(N4, "srun srun ./a.out\n"), job(N4, "srun -n 2 /usr/bin/srun ./a.out\n"))
add("launcher-twice", False, job(N4, "srun ./a.out\n"), job(N4, "mpirun ./a.out\n"), job(N4, "srun -n1 mpirun ./a.out\n"),
    job(T, "srun mpirun ./a.out\n"), job(N4, "srun -n1 srun -n4 ./a.out\n"), job(N4, "srun ./a.out srun\n"))
for commands in ("srun -c$SLURM_CPUS_PER_TASK ./a.out\n", "srun --cpu-bind=none ./a.out\n", "srun -n$SLURM_NTASKS -c$C ./a.out\n"):
    add("srun-cores", False, job(C8, commands))
add("srun-cores", True, job(C8, "srun -n8 ./a.out\n"), job(C8, "srun --cpu-bind=cores ./a.out\n"))
add("unset-variable", False, job(T, "echo \"tasks: $SLURM_NTASKS, cores: ${SLURM_CPUS_PER_TASK}\"\n./a.out\n"))
add("unset-variable", True, job(T, "echo $SLURM_NTASKS\n./a.out $SLURM_NTASKS\n"), job(T, "echo $SLURM_NTASKS | ./a.out\n"))
add("other-system", False, b"#!/bin/bash\n#SBATCH --time=5\n#$ -S /bin/bash\nhostname\n")
add("no-mail", True, "--mail-user=me@uni.edu")
add("no-mail", False, "--mail-user=me@uni.edu --mail-type=END", "--mail-type=END", "--time=5")
for line in ("#$ -pe smp 8", "#$ -l h_rt=1:00:00\n#$ -cwd", "#MSUB -l nodes=1", "#PJM -L node=1"):
    add("other-system", True, ("#!/bin/bash\n" + line + "\nhostname\n").encode())
for line in ("#$ costs nothing", "# $ -pe smp 8", "#$HOME -x", "#PBS -N x", "hostname\n#$ -pe smp 8", "#OARS -x"):
    add("other-system", False, ("#!/bin/bash\n" + line + "\nhostname\n").encode())
add("stray-colon", True, b"#!/bin/bash\n#SBATCH: --time=5\nhostname\n")
add("bad-value", True, "--mem=1.5G", "--mem=0.5TB", "--nodes=1,x --ntasks=1", "--mem=4G; --time=5")
add("bare-word", True, "--nice 100", "--exclusive user --time=5")
add("minutes", True, "--time=24:00", "-t 48:00")
add("threads-above-cores", True, job("-c2 " + T, "export OMP_NUM_THREADS=1\npython t.py --num_workers 16\n"))
add("threads-above-cores", False, job("-c8 " + T, "export OMP_NUM_THREADS=1\npython t.py --num_workers 8\n"))
