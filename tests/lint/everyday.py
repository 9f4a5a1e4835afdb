"""Scripts for the rules about everyday faults (src/lint/everyday_*.c), which come to those of corpus.py.

Each rule has scripts where it must speak, and such as are near to them and right.
"""
from corpus_case import T, add, job

G1 = "-p gpu --gpus=a100:1 -c4 --mem=1G " + T
G2 = "-p gpu --gpus-per-node=a100:2 -c4 --mem=1G " + T
N2 = "-p all -N2 --gpus-per-node=2 --ntasks-per-node=1 -c4 --mem=1G " + T


def both(rule, fires, directives, *commands, words=()):
    for command in commands:
        add(rule, fires, job(directives, command), words=words)


# ---- GPUs ------------------------------------------------------------------------------------------
both("container-no-gpu", True, G1, "apptainer exec a.sif python t.py\n", "module load apptainer\nsingularity exec -B /data a.sif python t.py\n",
     "srun singularity run a.sif --train\n", "apptainer exec --bind /a:/b $SIF python t.py\n", "srun -n 1 /opt/bin/apptainer -s exec $IMAGE ./a.out\n")
both("container-no-gpu", False, G1, "apptainer exec --nv a.sif python t.py\n", "singularity exec --rocm a.sif python t.py\n", "python t.py\n",
     "apptainer exec $OPTS a.sif python t.py\n", "F='--nv -B /data'\nsingularity exec $F a.sif python t.py\n",
     "export APPTAINER_NV=1\napptainer exec a.sif python t.py\n", "apptainer exec a.sif cp a b\npython t.py\n",
     "apptainer pull a.sif docker://a\n./a.out\n", "singularity exec prep.sif sort a\nsingularity exec --nv a.sif python t.py\n",
     "singularity exec a.sif samtools sort a\npython t.py\n", "apptainer build a.sif a.def\n")
both("container-no-gpu", False, "-c4 " + T, "apptainer exec a.sif python t.py\n")
both("visible-devices", True, G2, "export CUDA_VISIBLE_DEVICES=0\npython t.py\n", "CUDA_VISIBLE_DEVICES=1\npython t.py\n",
     "export CUDA_VISIBLE_DEVICES=0,1\npython t.py\n", "export CUDA_VISIBLE_DEVICES=\npython t.py\n", "export CUDA_VISIBLE_DEVICES=-1\npython t.py\n")
both("visible-devices", True, G1, "export CUDA_VISIBLE_DEVICES=0\npython t.py\n")
both("visible-devices", False, G2, "CUDA_VISIBLE_DEVICES=0 ./a &\nCUDA_VISIBLE_DEVICES=1 ./b &\nwait\n", "CUDA_VISIBLE_DEVICES=0 ./a\n",
     "export CUDA_VISIBLE_DEVICES=$SLURM_LOCALID\n./a\n", "export CUDA_VISIBLE_DEVICES=0,1,2,3\n./a\n", "./a\n",
     "export CUDA_VISIBLE_DEVICES=GPU-8932f937\n./a\n", "export CUDA_VISIBLE_DEVICES=0\n./a\nexport CUDA_VISIBLE_DEVICES=1\n./b\n")
both("visible-devices", False, "-c4 " + T, "export CUDA_VISIBLE_DEVICES=\npython t.py\n")
both("visible-devices", False, "-p gpu --gpus-per-node=a100:8 -c4 --mem=1G " + T, "export CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7\npython t.py\n")
both("visible-devices", True, "-p gpu --gpus-per-node=a100:8 -c4 --mem=1G " + T, "export CUDA_VISIBLE_DEVICES=0,1,2,3\npython t.py\n")
both("visible-devices", False, "-p gpu --exclusive --gpus-per-node=a100:2 " + T, "export CUDA_VISIBLE_DEVICES=0\npython t.py\n")
SLICES = "-p gpu -c4 --mem=1G " + T
both("mig-several", True, SLICES + "--gpus=a100_1g.5gb:2", "python t.py\n")
both("mig-several", True, SLICES + "--gres=gpu:a100_1g.5gb:2", "python t.py\n", "srun python t.py\n")
both("mig-several", False, SLICES + "--gpus=a100_1g.5gb:1", "python t.py\n")
both("mig-several", False, SLICES + "--gres=gpu:a100_1g.5gb:2 -n2", "srun ./a\n")
both("mig-several", False, SLICES + "--gres=gpu:a100_1g.5gb:2", "./a &\n./b &\nwait\n")
both("mig-several", False, SLICES + "--gres=gpu:a100:2", "python t.py\n")
for words in ("--gpus=gpu:1", "-G gpu:1", "--gpus-per-node=gpu:2", "--gres=a100:1", "--gres=gpu:gpu:1", "--gpus=gpu", "--gpus-per-task=gpu:1 -n1",
              "--gres=a100"):
    both("gpu-spelling", True, f"-p gpu -c4 {words} " + T, "python t.py\n")
for words in ("--gpus=1", "--gpus=a100:1", "--gres=gpu:a100:1", "--gres=gpu", "--gres=gpu:1"):
    both("gpu-spelling", False, f"-p gpu -c4 {words} " + T, "python t.py\n")

# ---- torchrun --------------------------------------------------------------------------------------
both("torchrun-one-node", True, N2, "torchrun --nnodes=2 --nproc_per_node=2 t.py\n", "python -m torch.distributed.run --nnodes 2 t.py\n",
     "srun hostname\ntorchrun --nnodes=$SLURM_NNODES --nproc_per_node=2 --node_rank=$SLURM_NODEID t.py\n",
     "head=$(scontrol show hostnames | head -1)\nOMP_NUM_THREADS=2 torchrun --nnodes 2 --rdzv_endpoint=$head:29500 t.py\n")
both("torchrun-one-node", False, N2, "srun torchrun --nnodes=2 --nproc_per_node=2 t.py\n", "srun bash -c 'torchrun --nnodes=2 t.py'\n",
     "srun python t.py\n", "for n in $nodes; do ssh $n 'torchrun --nnodes=2 t.py' & done\nwait\n", "pdsh -w $nodes true\ntorchrun --nnodes=2 t.py\n",
     "if [ -z $SLURM_PROCID ]; then srun $0; fi\ntorchrun --nnodes=2 t.py\n", "python torchrun_helper.py\n")
both("torchrun-one-node", False, G2, "torchrun --nproc_per_node=2 t.py\n")
TASKS = "-p gpu -N1 --ntasks-per-node=4 --gres=gpu:4 --mem=1G " + T
both("torchrun-tasks", True, TASKS, "srun torchrun --nnodes=1 --nproc_per_node=$SLURM_NTASKS_PER_NODE t.py\n",
     "srun torchrun --nproc_per_node=4 t.py\n", "srun -u torchrun --nproc-per-node gpu t.py\n",
     "srun -n $SLURM_NTASKS torchrun --standalone --nproc_per_node=$SLURM_GPUS_ON_NODE t.py\n",
     "srun bash -c \"torchrun --nproc_per_node=4 t.py\"\n", "srun python -m torch.distributed.run --nproc_per_node 4 t.py\n")
both("torchrun-tasks", False, TASKS, "srun -n1 torchrun --nproc_per_node=4 t.py\n", "srun --ntasks-per-node=1 torchrun --nproc_per_node=4 t.py\n",
     "srun torchrun --nproc_per_node=1 --nnodes=4 t.py\n", "srun python t.py --nproc_per_node=4\n", "torchrun --nproc_per_node=4 t.py\n",
     "srun -N1 -n $SLURM_NNODES torchrun --nproc_per_node=4 t.py\n")
both("torchrun-tasks", False, N2, "srun torchrun --nnodes=2 --nproc_per_node=2 t.py\n")

# ---- steps -----------------------------------------------------------------------------------------
M2 = "-n2 --mem=200M " + T
C2 = "-n2 --mem-per-cpu=100M " + T
both("steps-wait", True, M2, "srun -n1 ./a &\nsrun -n1 ./b &\nwait\n", "srun -n1 --exact ./a &\nsrun -n1 --exact ./b &\nwait\n",
     "for i in 1 2; do\n  srun -n1 ./a $i &\ndone\nwait\n", "srun -n1 nvidia-smi -l 5 > log 2>&1 &\nsrun ./a\n", "srun -n1 -c1 ./a & srun -n1 -c1 ./b & wait\n")
both("steps-wait", True, C2, "srun -n1 ./a &\nsrun -n1 ./b &\nwait\n")
both("steps-wait", True, C2, "srun -n1 ./a &\nsrun -n1 ./b &\nwait\n", words=("--slurm=20.11",))
both("steps-wait", False, C2, "srun -n1 ./a &\nsrun -n1 ./b &\nwait\n", words=("--slurm=20.02",))
both("steps-wait", False, C2, "srun -n1 --exact ./a &\nsrun -n1 --exact ./b &\nwait\n", "srun -n1 --exclusive ./a &\nsrun -n1 --exclusive ./b &\nwait\n",
     "srun -n1 -c1 ./a &\nsrun -n1 -c1 ./b &\nwait\n", "for i in 1 2; do srun -n1 --exact ./a $i & done\nwait\n")
both("steps-wait", False, M2, "srun -n1 --exact --mem=50M ./a &\nsrun -n1 --exact --mem=50M ./b &\nwait\n", "srun ./a &\nwait\nsrun ./b\n", "srun ./a &\nwait\n",
     "srun --overlap -n1 nvidia-smi -l 5 &\nsrun ./a\n", "./monitor &\nsrun ./a\n", "srun ./a && srun ./b\n", "srun ./a 2>&1 | tee log\nsrun ./b\n",
     "for i in 1 2; do\n  srun ./a $i &\n  wait\ndone\n", "srun -n1 ./monitor &\nsrun --overlap ./a\n", "./a & ./b & wait\n")
both("steps-wait", False, "-p all -N2 -n2 " + T, "srun -N1 -n1 ./a &\nsrun -N1 -n1 ./b &\nwait\n")
both("loop-input", True, "-n2 " + T, "while read -r x; do\n  srun -n1 ./a $x\ndone < list\n", "cat list | while IFS= read -r x; do srun ./a \"$x\"; done\n",
     "while read x y; do\n  if [ $x ]; then\n    mpirun -n 2 ./a $x\n  fi\ndone < list\n", "while read h; do ssh $h uptime; done < hosts\n")
both("loop-input", False, "-n2 " + T, "while read -r x; do\n  srun -n1 ./a $x < /dev/null\ndone < list\n", "while read -r x; do srun ./a $x & done < list\nwait\n",
     "while read -u 3 x; do srun ./a $x; done 3< list\n", "while read x <&3; do srun ./a $x; done 3< list\n", "while read x; do ./a $x; done < list\nsrun ./b\n",
     "for x in $(cat list); do srun ./a $x; done\n", "while read h; do ssh -n $h uptime; done < hosts\n", "while read x; do srun -i none ./a $x; done < list\n",
     "read x < list\nsrun ./a $x\n", "while read x; do echo $x | srun ./a; done < list\n", "while true; do srun ./a; done\n")
both("export-none", True, "--export=NONE " + T, "module load gcc\nsrun ./a\n", "srun --unbuffered -n 1 ./a\n")
both("export-none", True, "--export=A=1,B " + T, "srun ./a\n")
both("export-none", False, "--export=NONE " + T, "srun --export=ALL ./a\n", "unset SLURM_EXPORT_ENV\nsrun ./a\n", "export SLURM_EXPORT_ENV=ALL\nsrun ./a\n", "./a\n")
both("export-none", False, "--export=ALL,A=1 " + T, "srun ./a\n")
both("export-none", False, T, "srun ./a\n")
both("no-terminal", True, T, "srun --pty bash\n", "srun -n1 --pty /bin/bash -l\n", "srun --pty $SHELL\n")
both("no-terminal", False, T, "srun bash run.sh\n", "srun --pty python t.py\n", "srun --pty bash run.sh\n", "srun bash < commands\n", "srun ./a --pty bash\n")
add("no-terminal", False, b"#!/bin/bash\nsrun --pty bash\n")

# ---- the environment -------------------------------------------------------------------------------
both("spool-path", True, T, "cd \"$(dirname \"$0\")\"\n./a\n", "D=$( cd \"$( dirname \"${BASH_SOURCE[0]}\" )\" && pwd )\n./a $D\n", "cd ${0%/*}\n./a\n",
     "here=$(readlink -f $0)\n./a\n", ". `dirname $0`/env.sh\n./a\n")
both("spool-path", False, T, "cd $SLURM_SUBMIT_DIR\n./a\n", "echo $0\n./a\n", "cd $(dirname $file)\n./a\n", "echo \"usage: $(basename $0)\"\n./a\n",
     "me=$(scontrol show job $SLURM_JOB_ID | sed -n 's/.*Command=//p')\ncd ${me:-$(dirname $0)}\n", "# $(dirname \"$0\")\n./a\n",
     "cd ${SLURM_SUBMIT_DIR:-$(dirname $0)}\n", "if [ -n \"$SLURM_JOB_ID\" ]; then cd x; else cd $(dirname $0); fi\n", "awk '{print $0}' $(dirname $f)\n",
     "cat > run.sh <<'E'\ncd $(dirname $0)\nE\nbash run.sh\n", "cd $(dirname $f); awk '{print $0}' a\n",
     "for d in \\\n  \"$X\" \\\n  \"$(dirname $0)\" \\\n  /a\ndo [ -f $d/a ] && break; done\n",
     "for d in $(dirname $0) /a; do [ -f $d/a ] && break; done\n", "[ -f $(dirname $0)/env.sh ] && . $(dirname $0)/env.sh\n")
both("spool-path", True, T, "a=1 \\\n  $(dirname $0)/run\n")
add("spool-path", False, b"#!/bin/bash\ncd $(dirname $0)\nsbatch job.sh\n")
both("conda-activate", True, "-c2 " + T, "module unload Python/3.10.4\nconda activate e\n", "conda activate e\npython t.py\n", "module load cuda/12\nconda activate e\n", "export PATH=$HOME/miniconda3/bin:$PATH\nconda activate e\n",
     "micromamba activate e\n", "module purge\nconda deactivate\nconda activate /path/e\n")
both("conda-activate", False, "-c2 " + T, "eval \"$(conda shell.bash hook)\"\nconda activate e\n", "source ~/miniconda3/etc/profile.d/conda.sh\nconda activate e\n",
     ". ~/.bashrc\nconda activate e\n", "module load anaconda3\nconda activate e\n", "source activate e\n", "conda run -n e python t.py\n", "ml Miniforge3\nconda activate e\n",
     "echo conda activate e\n", "module load $MODULE\nconda activate e\n")
add("conda-activate", False, b"#!/bin/bash -l\n#SBATCH --time=5\nconda activate e\n", b"#!/bin/bash --login\n#SBATCH --time=5\nconda activate e\n")
add("conda-activate", True, b"#!/bin/bash -e\n#SBATCH --time=5\nconda activate e\n")
both("not-exported", True, "-c4 " + T, "OMP_NUM_THREADS=4\n./a\n", "OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK\nsrun ./a\n", "MASTER_ADDR=$(hostname)\nexport MASTER_PORT=1\nsrun ./a\n")
both("not-exported", False, "-c4 " + T, "export OMP_NUM_THREADS=4\n./a\n", "OMP_NUM_THREADS=4 ./a\n", "OMP_NUM_THREADS=4\nexport OMP_NUM_THREADS\n./a\n",
     "set -a\nOMP_NUM_THREADS=4\n./a\n", "OMP_NUM_THREADS=4\n./a -t $OMP_NUM_THREADS\n", "declare -x OMP_NUM_THREADS=4\n./a\n", "env OMP_NUM_THREADS=4 ./a\n",
     "THREADS=4\n./a -t $THREADS\n", "OMP_NUM_THREADS=4 \\\n  ./a\n", "export OMP_NUM_THREADS=4 MKL_NUM_THREADS=4\n./a\n")
both("modules-purged", True, T, "module load gcc\nmodule purge\n./a\n", "module load gcc\nml purge\nsrun ./a\n")
both("modules-purged", False, T, "module purge\nmodule load gcc\n./a\n", "module load gcc\n./a\nmodule purge\n./b\n", "module load gcc\nmodule purge\nmodule load icc\n./a\n",
     "module load gcc\n./a\nmodule purge\n", "module purge\n./a\n")

# ---- what the shell reads --------------------------------------------------------------------------
both("bash-syntax", True, T, "if true; then\n  ./a\n", "for i in 1 2\n  ./a\ndone\n", "./a \"b\n", "cat > x <<EOF\na\n EOF\n./a\n", "if true; then ./a; fi; fi\n", "./a (b)\n",
     "if true; then\n./a\nelse if false; then\n./b\nfi\n")
both("bash-syntax", False, T, "if true; then\n  ./a\nfi\n", "shopt -s extglob\nrm !(a|b)\n", "cat > x <<EOF\na\nEOF\n./a\n", "./a\nexit 0\nif (\n", "# it's\n./a\n",
     "a=(1 2)\n[[ $x =~ ^a+$ ]] && ./a\n", "echo $(touch {a,b})\n", "diff <(./a) <(./b)\n")
add("bash-syntax", False, b"#!/usr/bin/env python3\n#SBATCH --time=5\nprint('it is', (1))\n", b"#!/bin/tcsh\n#SBATCH --time=5\nif (1) then\necho a\nendif\n")
both("blank-assignment", True, T, "OMP_NUM_THREADS = 4\n./a\n", "X =4\n./a\n", "export DATA = /data\n./a\n", "n = $(wc -l < f)\n", "time = $(date)\n./a\n", "if true; then\n  time = 3\nfi\n./a\n")
both("blank-assignment", False, T, "X=4\n./a\n", "[ $a = 4 ] && ./a\n", "test a = b\n", "expr 1 = 1\n", "./a = b\n", "let x = 4\n", "[[ $x == 4 ]] && ./a\n", "((x = 4))\n./a\n",
     "python - <<E\nx = 4\nE\n", "awk '{x = 4}' f\n", "if a == b; then ./a; fi\n")
both("test-blank", True, T, "if [$x -eq 1 ]; then ./a; fi\n", "if [ $x -eq 1]; then ./a; fi\n", "[ -f a] || ./a\n", "[\"$x\" = 1 ] && ./a\n")
both("test-blank", False, T, "if [ $x -eq 1 ]; then ./a; fi\n", "[[ $x ]] && ./a\n", "ls [ab]*\n", "[ \"a]\" = b ]\n", "[ \\( -f a \\) ] && ./a\n")
both("array-id", True, T, "./a $SLURM_ARRAY_TASK_ID\n", "python t.py --seed ${SLURM_ARRAY_TASK_ID}\n")
both("array-id", False, "--array=1-4 " + T, "./a $SLURM_ARRAY_TASK_ID\n")
both("array-id", False, T, "./a ${SLURM_ARRAY_TASK_ID:-0}\n", "echo $SLURM_ARRAY_TASK_ID\n./a\n", "if [ -n \"$SLURM_ARRAY_TASK_ID\" ]; then ./a $SLURM_ARRAY_TASK_ID; fi\n",
     "SLURM_ARRAY_TASK_ID=1\n./a $SLURM_ARRAY_TASK_ID\n", "./a\n")
add("output-is-folder", True, "--output=logs/ " + T, "-e ./logs/ " + T)
add("output-is-folder", False, "--output=logs/%j.out " + T, "--output=logs " + T, T)

# ---- programs, names and remarks -------------------------------------------------------------------
add("array-name", True, "-o a_%A_%a.out " + T, "-e %4a.err " + T)
add("array-name", False, "-o %a.out --array=1-2 " + T, "-o %j.out " + T, "-o %%a.out " + T, "-o %A.out " + T, b"#!/bin/bash\n#SBATCH: --array=1-2\n#SBATCH -o %a.out\n./a\n")
both("array-id", False, ": --array=1-4\n" + T, "./a $SLURM_ARRAY_TASK_ID\n")
C8 = "-c8 --mem=1G " + T
both("threads-not-given", True, C8, "hisat2 -x g -U a.fq -S a.sam\n", "module load bwa\nbwa mem ref a.fq b.fq > a.sam\n", "/opt/bin/featureCounts -a g.gtf -o c a.bam\n",
     "for f in *.bam; do samtools sort $f -o s_$f; done\n", "mkdir -p o\nfastqc a.fq -o o\n")
both("threads-not-given", False, C8, "hisat2 -p 8 -x g -U a.fq\n", "bwa mem -t8 ref a.fq | samtools sort -o a.bam\n", "bwa index ref\n", "hisat2 $OPTS -x g\n",
     "featureCounts -T $SLURM_CPUS_PER_TASK a.bam\n", "samtools index a.bam\n", "fastqc --threads=8 a.fq\n", "hisat2 -x g &\nhisat2 -x h &\nwait\n",
     "ls *.bam | parallel samtools sort {} -o s_{}\n", "hisat2 -x g\npython t.py\n", "samtools sort \"$@\"\n")
both("threads-not-given", False, "-c2 " + T, "hisat2 -x g -U a.fq\n")
both("module-late", True, T, "samtools sort a.bam\nmodule load samtools/1.20\n", "python3 t.py\nmodule load python/3.11\n", "cd x\nRscript a.R\nml R/4.3\n",
     "mpirun ./a\nmodule load openmpi/4\n", "srun gmx_mpi mdrun\nmodule load gromacs\n", "python t.py\nmodule load bio/anaconda3/2020\n")
both("module-late", False, T, "module load samtools\nsamtools sort a.bam\n", "module load gcc\nsamtools sort a.bam\nmodule load samtools\n", "./samtools sort a.bam\nmodule load samtools\n",
     "source ~/env.sh\npython t.py\nmodule load python\n", "samtools sort a.bam\nmodule load bcftools\n", "run() {\n  samtools sort $1\n}\nmodule load samtools\nrun a\n",
     "export PATH=/opt/bin:$PATH\nsamtools sort a\nmodule load samtools\n", "samtools sort a\nmodule unload samtools\n", "which python\nmodule load python\npython t.py\n",
     "echo samtools\nmodule load samtools\n")
both("nothing-runs", True, T, "", "module load gcc\n", "export X=1\nmodule load gcc\n")
both("nothing-runs", False, T, "hostname\n", "./a\n", "source run.sh\n", "X=$(./a)\n", "conda run -n e python t.py\n", "cp a b\n")
add("nothing-runs", False, b"#!/bin/bash\nmodule load gcc\n", b"#!/usr/bin/env python3\n#SBATCH --time=5\nprint(1)\n")
both("conda-init", True, T, "conda init\nconda activate e\n", "mamba init bash\n./a\n")
both("conda-init", False, T, "conda activate e\n", "echo conda init\n", "conda info\n./a\n", "# conda init\n./a\n")
add("remark-differs", True, "--time=12:00:00 # Request 48 hours of wall time (adjust as needed)", "-t 24:00:00  # time limit: 1 hour", "--mem=30G # Request 5 gigabytes",
    "-N4 -p all # 1 node" if False else "--nodes=4   # 1 node", "--time=2-0 # 30 minutes", "--mem=8G -n1\n#\n--mem=8G # 16 GB" if False else "--mem=8G # 16 GB",
    "-c4\n--mem=96G # Memory per CPU", "-n8\n--mem-per-cpu=80G # Total amount of memory requested (per node)")
add("remark-differs", False, "--time=47:59:59 # 48 hours", "--time=12:00:00 # at most 48 hours", "--time=12:00:00 # hh:mm:ss", "--mem=30G # 30 GB of memory", "--time=60 # 1 hour",
    "--mem=4G # Memory per CPU", "-c4\n--mem=96G # memory for all cores (see --mem-per-cpu)", "-c4\n--mem-per-cpu=2G # memory per core", "--time=1:00:00 # it took 20 minutes",
    "--nodes=2 # number of nodes", "--mem=30G --time=5 # 20 GB", "--time=5 # 10 or 20 minutes", "--time=1-0 # 24 hours")
both("broken-line", True, T, "STAR --genomeDir g \\ # the index\n  --runThreadN 8\n")
both("broken-line", True, T, "python a.py \\\n  --x 1\n  --y 2\n", "python a.py \\\n  #--x 1 \\\n  --y 2\n", "./a \\\n\n  -n 3\n", "srun ./a\n\t--x=1 \\\n\t--y=2\n")
both("broken-line", False, T, "flags=(\n  --x 1\n  --y\n)\n./a ${flags[@]}\n", "case $1 in\n  -h | --help) exit ;;\n  -v) ./a ;;\n  --x|--y)\n    ./a ;;\nesac\n", "if ! command -v ./a; then\n  exit 1\nfi\n./a\n",
     "cat <<E\n  --x 1\nE\n./a\n", "./a \\\n  --x 1 \\\n  --y 2\n", "python -c '\n-1\n'\n", "awk '{ print\n  -x }' f\n", "case $1 in\n  --x)\n    ./a ;;\nesac\n")
both("broken-line", False, T, "STAR --genomeDir g \\\n  --runThreadN 8 # eight\n", "cut -d\\  -f1 a # blanks\n")
both("threads-above-cores", True, "-c8 " + T, "/opt/vg gbwt --num-threads 16 a\n", "python a.py --n_processes=18\n", "./a --threads 9\n")
both("threads-above-cores", True, "-N1 -n1 " + T, "export OMP_NUM_THREADS=10\n./a\n")
both("threads-above-cores", False, "-N1 -n1 " + T, "export OMP_NUM_THREADS=10\nibrun tacc_affinity ./a\n", "export OMP_NUM_THREADS=24\naprun -n 1 -d 24 ./a\n")
both("threads-above-cores", False, "-c8 " + T, "./a --threads 8\n", "snakemake --threads 100\n", "./a --threads $N\n", "./a --threads-per-read 16\n")
both("container-no-gpu", False, "-p small-g --gpus-per-node=1 -c4 --mem=1G " + T, "srun singularity exec a.sif python t.py\n")
both("container-no-gpu", False, G1, "singularity exec pytorch-rocm.sif python t.py\n")
both("no-threads", False, "-c8 --mem=1G " + T, "source setup.txt\nRscript a.R\n", "python3 -m venv env\n./a\n", "python -c 'import a'\n./a\n")
both("no-threads", True, "-c8 --mem=1G " + T, "source env/bin/activate\npython t.py\n", ". ~/.bashrc\npython -m pip install a\npython t.py\n")
both("no-threads", False, "-c8 --mem=1G " + T, "python3 main.py 8\n", "python t.py --steps 100 --n_envs 8\n", "python t.py num_envs=8\n",
     "for i in 1 2; do\n  python a.py $i &\ndone\nwait\n")
both("no-threads", True, "-c8 --mem=1G " + T, "python t.py --batch_size 8\n", "python t.py 16\n", "python a.py &\npython b.py &\nwait\n",
     "matlab -r run_it\n", "julia a.jl\n")
both("no-launcher", False, "-n4 " + T, "greasy tasks.txt\n", "N_JOBS=4\nfio --numjobs=$N_JOBS --name=a\n")
both("no-launcher", True, "-n4 " + T, "EPOCHS=4\n./a $EPOCHS\n")
# A launcher's name starts nothing in a module, in what is printed, or as a folder.
both("no-launcher", True, "-n4 " + T, "module load parallel\n./a\n", "echo on $SLURM_JOB_NODELIST\n./a\n", "cd /data/ray/\n./a\n", "export PATH=/opt/flux/bin:$PATH\n./a\n",
     "source activate dask\n./a\n", "printf '%s\\n' \"$SLURM_NTASKS tasks, ssh later\"\n./a\n")
both("no-launcher", False, "-n4 " + T, "module load parallel\nparallel ./a ::: 1 2 3 4\n", "echo $SLURM_JOB_NODELIST > hosts\n./a hosts\n", "echo srun ./a | bash\n",
     "/opt/flux run ./a\n", "export RUN=srun\n./a\n", "cat list | ssh node ./a\n")
# Programs that start their processes by themselves, or may: which they are stands elsewhere.
for starts in ("make check\n", "python launch.py\n", "./run_all\n", "./Allrun\n", "tcsh go\n", "./step.csh\n", "/opt/orca/orca a.inp\n",
               "nohup python3 -u submit_all.py\n", "singularity run a.sif\n", "wandb agent a\n", "sbatch b.sh\nmake\n", "python run_tests_big.py\n", "dakota -i a.in\n",
               "python a.py $SLURM_NTASKS_PER_NODE\n", "module load hpcx-mpi\npython3 a.py\n", "podman-hpc run --rm a\n", "yhrun ./a\n", "ccc_mprun ./a\n", "./main.nf -resume\n", "jobfarm start a\n", "disBatch tasks\n", "newgrp lab\n"):
    both("no-launcher", False, "-n4 " + T, starts)
both("no-launcher", True, "-n4 " + T, "for i in 1 2; do\n  sbatch b.sh $i\ndone\n", "sbatch b.sh\n./a\n", "./runner.x\n", "Rscript a.R\n", "singularity exec a.sif ./a\n")
both("no-launcher", False, "-N1 -n4 " + T, "python -c 'import multiprocessing'\n", "python a.py --workers 8\n", "matlab -r 'parpool(3)'\n")
both("gpu-one-core", False, "-N1 -p gpu --gres=gpu:4 " + T, "srun -n 4 ./a\n")
both("gpu-no-memory", False, "-N1 -p gpu --gres=gpu:4 " + T, "srun --gres=gpu:4 -n 4 ./a\n")
both("gpu-one-core", True, "-N1 -p gpu --gres=gpu:4 " + T, "srun -n 1 python a.py -n 4\n")
both("gpu-one-core", True, "-p gpu --gpus=1 " + T, "source env/bin/activate\nonmt_train -data a\n", "th main.lua\n", "gmx mdrun\n", "./train.sh\n", "srun apptainer exec --nv a.sif ./a\n", "bash a.sh\n")
both("gpu-one-core", False, "-p gpu -N2 --gpus-per-node=2 --gpus-per-task=1 " + T, "srun python a.py\n")
both("gpu-one-core", False, "-p gpu --gpus=1 " + T, "mpirun ./a -i a.in\n", "mpirun -np 1 ./a\n", "module load cuda\nautomata a.cl 3\n", "./gpumd < run.in\n", "make\nsrun ./solution\n")
both("blank-in-directive", False, "--mem=4G -p gpu " + T, "# SBATCH --mem=8G\n./a\n", "# SBATCH -p debug\n./a\n", " #SBATCH --mem 1G\n./a\n")
add("blank-in-directive", True, b"#!/bin/bash\n#SBATCH --mem=4G\n# SBATCH -p debug\n./a\n")
both("spool-path", False, T, "root=\"$(cd \"$(dirname \"$0\")\" && pwd)\"\ncd \"${SLURM_SUBMIT_DIR:-$root}\"\n./a\n")
both("gpu-no-memory", False, "-p gpu --gpus=1 -c2 " + T, "python t.py\n")
for where in ("-A abc@v100", "-C thin"):
    both("gpu-no-memory", False, f"-p gpu --gpus=4 -n4 {where} " + T, "srun python t.py\n")
    both("gpu-one-core", False, f"-p gpu --gpus=1 {where} " + T, "python t.py\n")
both("gpu-not-asked", False, T, "nvidia-smi || true\n./a\n", "nvidia-smi -L || echo none\n")
both("gpu-not-asked", False, "-p gtx " + T, "nvidia-smi\n", "./a --device cuda\n")
both("array-name", False, "-o %a.out " + T, "./a $SLURM_ARRAY_TASK_ID\n")
add("missing-value", False, b"#!/bin/bash\n#SBATCH --job-name 'a b\n./a\n")
R = b"#!/bin/bash\n#SBATCH --mem=1G\n"
add("no-time", False, R + b"# breakeven: ignore no-time because the partition is ours\n./a\n",
    b"#!/bin/bash\n#SBATCH --mem=1G # breakeven: ignore no-mail, no-time because of the lab's rule\n./a\n",
    R + b"./a # breakeven: ignore no-time because b\n")
add("no-time", True, R + b"# breakeven: ignore no-time\n./a\n", R + b"# breakeven: ignore no-times because x\n./a\n",
    R + b"# breakeven: ignore no-mail because x\n./a\n", R + b"cat <<E\n# breakeven: ignore no-time because x\nE\n",
    R + b"breakeven: ignore no-time because x\n")
add("ignore-comment", True, R + b"# breakeven: ignore no-time\n./a\n", R + b"# breakeven: ignore no-time because\n./a\n",
    R + b"# breakeven: ignore no-tme because x\n./a\n", R + b"# breakeven: ignore because x\n./a\n")
add("ignore-comment", False, R + b"# breakeven: ignore no-time because x\n./a\n", R + b"# breakeven is a tool\n./a\n")
# Values that were never filled in, and a heap that has no memory.
both("placeholder", True, "-A <allocation>\n" + T, "./a\n")
for value in ("-A YOUR_ACCOUNT", "--account=your-account", "-p <partition>", "--qos=FIX_THIS", "--mail-user=me@example.com", "--mail-user=your_email@uni.edu", "-A TODO"):
    both("placeholder", True, value + "\n" + T, "./a\n")
for value in ("-A abc123", "-p gpu", "-J <NAME>", "-J YOUR_JOB", "--mail-user=you@uni.edu", "-A yourlab", "--mail-user=young@uni.edu"):
    both("placeholder", False, value + "\n" + T, "./a\n")
both("java-heap", True, "--mem=4G " + T, "java -Xmx8g -jar a.jar\n", "java -jar -Xmx4096m a.jar\n", "gatk --java-options \"-Xmx4G -XX:+A\" X\n", "srun java -Xmx1t a\n")
both("java-heap", True, "-c2 --mem-per-cpu=4G " + T, "java -Xmx8g -jar a.jar\n")
both("java-heap", False, "--mem=4G " + T, "java -Xmx3g -jar a.jar\n", "java -Xmx${M}g -jar a.jar\n", "echo java -Xmx8g\n", "java -Xms8g a\n")
both("java-heap", False, "-c4 --mem-per-cpu=4G " + T, "java -Xmx8g -jar a.jar\n")
both("java-heap", False, T, "java -Xmx8g -jar a.jar\n")
both("step-above-job", True, "-p gpu --gres=gpu:1 --mem=8G -c4 " + T, "srun --gres=gpu:2 python a.py\n", "srun --gpus=2 ./a\n")
both("step-above-job", False, "-p gpu --gres=gpu:2 --mem=8G -c4 " + T, "srun --gres=gpu:2 python a.py\n", "srun --gres=gpu:1 ./a\n", "srun --gpus=2 ./a\n", "srun --gres=gpu:$N ./a\n", "srun --gres=gpu ./a\n")
both("step-above-job", False, "-p gpu -N2 --gres=gpu:2 --mem=8G -c4 " + T, "srun --gpus=4 ./a\n")
both("threads-above-cores", True, "-c8 " + T, "cmake --build . -- -j32\n", "cmake --build . --parallel 16\n")
both("threads-above-cores", False, "-c8 " + T, "cmake --build . -j 8\n", "cmake --build . --parallel\n", "cmake -DX=32 ..\n")
