"""Scripts of the corpus about options that do not go together."""
from corpus_case import add, job

add("memory-twice", True, "--mem=1G --mem-per-cpu=1G", "--mem=1G\n--mem-per-cpu=0",
    "--mem=1G --mem-per-gpu=1G --gres=gpu:0", "--mem-per-cpu=1G --mem-per-gpu=0",
    "--mem=1G\nhetjob\n--mem-per-cpu=1G")
add("memory-twice", False, "--mem=1G", "--mem-per-cpu=100M", "--mem=1G --mem=2G")
add("cpus-twice", True, "-p gpu --cpus-per-gpu=2 --cpus-per-task=2 --gpus=1", "-p gpu --cpus-per-gpu=1 -c1 --gpus=1")
add("cpus-twice", False, "-p gpu --cpus-per-gpu=2 --gpus=1", "-c2", "--ntasks=2 -c2")
add("specialised-twice", True, "--core-spec=1 --thread-spec=1")
add("specialised-twice", False, "--core-spec=1", "--thread-spec=1")
add("gpus-twice", True, "-p gpu --gpus-per-node=1 --gres=gpu:1", "-p gpu --gpus=3 --gres=gpu:2",
    "-p gpu --gpus=4 --gres=gpu:2 -N1", "-p gpu --gpus=a100:1 --gres=gpu:a100_1g.5gb:1",
    "-p gpu --gpus-per-task=1 -n1 --gres=gpu:1")
add("gpu-types", True, "-p gpu --gpus=a100:1 --gres=gpu:1", "-p gpu --gres=gpu:a100:1 --gpus-per-node=1",
    "-p gpu --gpus=a100:1 --gpus-per-node=1", "-p gpu --gpus=a100:2 --gpus-per-task=1 -n2",
    "-p gpu --gpus=a100:1,1", "-p gpu --gres=gpu:a100:1,gpu:1", "-p gpu --gpus-per-node=a100:1 --gpus-per-task=1 -n1",
    "-p gpu --gpus-per-node=a100:1 --gpus-per-socket=1 --sockets-per-node=1")
add("gpu-types", False, "-p gpu --gpus=a100:2 --gpus-per-task=a100:1 -n2", "-p gpu --gres=gpu:a100:0 --gpus=1",
    "-p gpu --gpus=a100:1,a100_1g.5gb:1", "-p gpu --gres=gpu:a100:1", "-p gpu --gpus=1 --gpus-per-node=0",
    "-p gpu --gpus=a100:1 --gpus-per-node=a100_1g.5gb:1")
add("gpus-twice", False, "-p gpu --gpus=1", "-p gpu --gres=gpu:1", "-p gpu --gpus=1 --gpus-per-node=1",
    "-p gpu --gpus=1 --gres=none", "-p gpu --gpus=1 --gres=gpu:1", "-p gpu --gres=gpu:a100:1 --gpus=a100:1",
    "-p gpu --gpus=4 --gres=gpu:2 -N2", "-p gpu --gpus=4 --gres=gpu:2 -N1-2",
    "-p gpu --gpus-per-node=a100:1 --gres=gpu:a100_1g.5gb:1")
add("gpus-twice", True, "-p gpu --gpus-per-node=1 --gres=gpu:2", "-p gpu --gpus-per-node=a100:2 --gres=gpu:a100:1",
    "-p gpu --gpus-per-node=a100:1,a100_1g.5gb:1 --gres=gpu:a100:2")
# Slurm's NEWS, 23.02.0rc1, and 24.11.5: src/common/slurm_opt.c.
add("newer-refusal", True, "--exclusive --oversubscribe", "-s\n--exclusive=user", "--tres-per-task=cpu=4 -c4",
    "--distribution=arbitrary --nodelist=c1 -N1", "-p gpu --tres-per-task=gres/gpu:1 --ntasks-per-gpu=1 --gpus=1")
add("newer-refusal", False, "--exclusive", "--oversubscribe", "--exclusive\nhetjob\n--oversubscribe", "--distribution=block -N1",
    "--distribution=arbitrary --nodelist=c1", "-p gpu --tres-per-task=gres/gpu:1 -c4 -n1", "--cpu-freq=low",
    "-p gpu --gpus-per-task=1 --ntasks-per-node=2 -N1", "--cpu-freq=low-high:performance", "--cpu-freq=1000-2000:ondemand")
# Seen with 24.11.5, and not with 22.05.8.
add("newer-refusal", True, "-p gpu --gpus-per-task=1 --ntasks-per-node=2", "--tres-per-task=gres/gpu:1 -c4", "--cpu-freq=1000-2000",
    "--cpu-freq=low-high")
add("gpus-order", True, "-p gpu --gpus=1 --gpus-per-node=2", "-p gpu --gpus=1 --gpus-per-task=2 -n1",
    "-p gpu --gpus=1 --gres=gpu:2", "-p gpu --gpus=3 --gpus-per-node=2", "-p gpu --gpus=3 --gres=gpu:2",
    "-p all --gpus=1 -n2 --ntasks-per-node=1", "-p all --gpus=2 --gpus-per-node=2 -n2 --ntasks-per-node=1", "-p gpu --gpus=1 --gpus-per-socket=2 --sockets-per-node=1",
    "-p gpu --gpus=3 --gpus-per-task=2", "-p gpu --gpus-per-node=1 --gpus-per-task=2 -n1",
    "-p gpu --gres=gpu:1 --gpus-per-task=2 -n1", "-p gpu --gpus=4 --gpus-per-task=1 -n3",
    "-p gpu --gpus=4 --gpus-per-task=1 -N1 --ntasks-per-node=2", "-p gpu --gpus=4 --gpus-per-node=2 -N1",
    "-p all --gpus=2 --gpus-per-node=2 -N2", "-p all --gpus=1 -N2",
    "-p gpu --gpus-per-node=3 --gpus-per-socket=2 --sockets-per-node=1",
    "-p gpu --gpus-per-task=2 -n2 --gpus-per-socket=1 --sockets-per-node=4", "-p gpu --gpus=3 --gpus-per-task=1 -N1",
    "-p gpu --gpus=2 --gpus-per-task=1 --ntasks-per-node=1", "-p gpu --gpus-per-node=4 --gpus-per-task=2 --ntasks-per-node=4 -n4",
    "-p gpu --gpus-per-node=2 --gpus-per-socket=1 --sockets-per-node=1", "-p all --gpus=a100:4 --gpus-per-node=a100:2 -n1 -N1-2",
    "-p all --gpus=4 --gres=gpu:1 -n3 -N1-4")
add("gpus-order", False, "-p gpu --gpus=2 --gpus-per-node=2", "-p gpu --gpus=2 --gpus-per-task=1 -n2",
    "-p gpu --gpus=a100:1 --gpus-per-node=a100_1g.5gb:2", "-p gpu --gpus=4 --gpus-per-task=2 -N1 --ntasks-per-node=2",
    "-p gpu --gres=gpu:1 --gpus-per-node=2", "-p gpu --gpus=2 --gpus-per-node=2 -N1", "-p gpu --gpus=2 --gpus-per-task=1",
    "-p gpu --gpus=a100:1,a100_1g.5gb:1 --gpus-per-task=a100:1 -n1", "-p gpu --gpus=0 --gpus-per-task=1 -n3",
    "-p gpu --gpus-per-task=2 -n2 --gres=gpu:4", "-p gpu --gpus=2 --gpus-per-node=2 -N1-2",
    "-p all --gpus=3 --gpus-per-task=1 -N1-2", "-p gpu --gpus=2 --gpus-per-task=1 --ntasks-per-node=2",
    "-p gpu --gpus-per-node=4 --gpus-per-task=1 --ntasks-per-node=4 -n4",
    "-p gpu --gpus-per-node=2 --gpus-per-socket=1 --sockets-per-node=2", "-p gpu --gpus=1 --gpus-per-node=1 -n1 -N2")
add("gpus-need-more", True, "-p gpu --gpus-per-task=1", "-p gpu --gpus-per-socket=1", "-p gpu --gpus-per-socket=1 -B *:1",
    "-p all --gpus-per-task=1 -N1-2", "-p all --gpus-per-task=1 --ntasks-per-node=2 -N1-2")
add("gpus-need-more", False, "-p gpu --gpus-per-socket=1 -B 1", "-p gpu --gpus-per-task=1 -n1", "-p gpu --gpus-per-task=1 --gpus=1",
    "-p gpu --gpus-per-task=1 -N1 --ntasks-per-node=1", "--gpus-per-task=0", "-p gpu --gpus-per-task=1 -N1",
    "-p gpu --gpus-per-task=1 --ntasks-per-node=2")
add("memory-of-no-gpu", True, "--mem-per-gpu=1G", "--mem-per-gpu=1G --gres=gpu:0", "-p gpu --cpus-per-gpu=2",
    "-p gpu --cpus-per-gpu=2 --gres=gpu:0")
add("memory-of-no-gpu", False, "-p gpu --cpus-per-gpu=2 --gres=gpu:1", "-p gpu --mem-per-gpu=1G --gpus=1", "-p gpu --mem-per-gpu=1G --gres=gpu:1",
    "--mem-per-gpu=0")
add("tasks-per-gpu", True, "--ntasks-per-gpu=1", "-p gpu --ntasks-per-gpu=1 --gpus=1 --ntasks-per-node=1",
    "-p gpu --ntasks-per-gpu=1 --gpus=1 --gpus-per-task=1",
    "-p gpu --ntasks-per-gpu=1 --gpus-per-socket=1 --sockets-per-node=1")
add("tasks-per-gpu", False, "-p gpu --ntasks-per-gpu=1 --gpus=1", "-p gpu --ntasks-per-gpu=2 --gres=gpu:1")
add("tasks-do-not-fit", True, "-N1 -n2 --ntasks-per-node=1", "--nodes=1-1 --ntasks=9 --ntasks-per-node=8")
add("tasks-do-not-fit", False, "-N1 -n2 --ntasks-per-node=2", "-n2 -N1")
add("no-nodes", True, "--nodes=0", "--nodes=0-1 --array=1", "--nodes=0-1 --distribution=plane=2")
add("no-nodes", False, "--nodes=1 --array=1", "--nodes=-1", "--nodes=1-0")
add("shortest-above-limit", True, "--time=5 --time-min=10", "--time=1:00 --time-min=0:02:00")
add("shortest-above-limit", False, "--time=10 --time-min=5", "--time=5 --time-min=5")
add("arbitrary-layout", True, "--distribution=arbitrary")
# Commands that run on the way to a plain command, or behind it.
for command in ("env A=1 ./train", "srun env A=1 ./train", "found=$(python train.py)\necho $found", 'echo "$(./train | tail -n 1)"',
                "echo `./train`", "find . -name '*.in' -exec ./train {} \\;"):
    add("gpu-not-used", False, job("-p gpu --gpus=1 --time=5", command + "\n"))
for command in ("env A=1", "env A=1 hostname", 'echo "$(date) $((1 + 2)) ${HOME}"', "now=$(date)\necho $now",
                "find . -name '*.in'"):
    add("gpu-not-used", True, job("-p gpu --gpus=1 --time=5", command + "\n"))
for command in ("samtools sort -@ 2 a.bam", "module load bwa\nbwa mem ref.fa a.fq | samtools sort -o a.bam -", "srun fastqc a.fq"):
    add("gpu-not-used", True, job("-p gpu --gpus=1 --time=5", command + "\n"))
add("gpu-not-used", False, job("-p gpu --gpus=1 --time=5", "make\n"), job("-p gpu --gpus=1 --time=5", "samtools index a.bam\n./train\n"))
# Quotes within quotes end where a shell ends them.
for line in ("echo \"$(grep \"it's\" f)\"", "echo $'it\\'s'", "echo ${a:-$'it\\'s'}", "echo \"${a:-\"it's\"}\"",
             "echo \"${a:-it's}\""):
    add("gpu-not-used", False, job("-p gpu --gpus=1 --time=5", line + "\n./train\n"))
# Tasks asked for, and given to fewer processes with more cores each.
add("threads-above-cores", False, job("--ntasks=16 --time=5", "export OMP_NUM_THREADS=4\nsrun -n 4 -c 4 ./program\n"),
    job("--ntasks=16 --time=5", "export OMP_NUM_THREADS=4\nmpirun -np 4 ./program\n"),
    job("--ntasks=16 --time=5", "export OMP_NUM_THREADS=4\nsrun --mpi pmix -n 4 ./program\n"))
add("megabytes", True, "--mem=4", "--mem-per-cpu=2", "--mem 31", "--gpus=1\n--mem-per-gpu=16")
add("megabytes", False, "--mem=4G", "--mem=0", "--mem=32", "--mem=4M", "--mem=4000", "--mem-per-cpu=2000", "--mem=4x")
add("threads-above-cores", True, job("--ntasks=16 --time=5", "export OMP_NUM_THREADS=32\nsrun -n 4 -c 4 ./program\n"),
    job("--ntasks=16 --time=5", "export OMP_NUM_THREADS=4\nsrun ./program -n 4\n"))

# Components are asked each for itself; memory of a node and times hold in later ones, too.
H = "\nhetjob\n"
add("memory-twice", True, f"--mem=1G{H}--mem-per-cpu=1G", f"-t5{H}--mem=1G{H}-t5{H}--mem-per-cpu=1G",
    f"-t5{H}--mem=1G --mem-per-cpu=1G")
add("memory-twice", False, f"--mem-per-cpu=1G{H}--mem=1G", f"--mem-per-cpu=1G{H}-p gpu --mem-per-gpu=1G --gpus=1")
add("cpus-twice", True, f"-t5{H}-p gpu --cpus-per-gpu=2 --cpus-per-task=2 --gpus=1")
add("cpus-twice", False, f"-c2{H}-p gpu --cpus-per-gpu=1 --gpus=1", f"-p gpu --cpus-per-gpu=1 --gpus=1{H}-c2")
add("gpus-twice", False, f"-p gpu --gres=gpu:a100:1{H}-p gpu --gpus=1", f"-p gpu --gpus=a100:1{H}-p gpu --gres=gpu:1")
add("gpus-order", False, f"-p gpu --gpus=1{H}-p gpu --gpus-per-node=2")
add("gpus-need-more", True, f"-n1{H}-p gpu --gpus-per-task=1", f"-p gpu --gpus-per-task=1{H}-n1",
    f"-p gpu --sockets-per-node=1{H}-p gpu --gpus-per-socket=1")
add("memory-of-no-gpu", True, f"--mem-per-gpu=1G{H}-p gpu --gpus=1", f"-p gpu --gpus=1{H}--mem-per-gpu=1G")
add("tasks-per-gpu", False, f"--ntasks-per-node=1{H}-p gpu --ntasks-per-gpu=1 --gpus=1")
add("shortest-above-limit", True, f"--time=5{H}--time-min=10", f"--time=20 --time-min=10{H}--time=5")
add("arbitrary-layout", True, f"--distribution=arbitrary{H}--nodelist=c1", f"--nodelist=c1{H}--distribution=arbitrary")
add("no-nodes", False, f"--nodes=1{H}--distribution=plane=2")
add("no-nodes", True, f"-t5{H}--nodes=0", f"--nodes=0{H}--distribution=plane=2")
add("arbitrary-layout", False, "--distribution=block")
add("array-of-hetjob", True, "--array=1-2\nhetjob\n-n1", "hetjob\n--array=1-2")
add("array-of-hetjob", False, "--array=1-2", "hetjob")
