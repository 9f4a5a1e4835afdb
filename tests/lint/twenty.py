#!/usr/bin/env python3
"""Twenty faults that people ask about every day: each is named by `breakeven lint`, and gone where it is mended.

usage: twenty.py BREAKEVEN
"""
import json
import subprocess
import sys
import unittest

G1 = "--gres=gpu:1 -c4 --mem=16G --time=60"
G8 = "-N2 --ntasks-per-node=1 --gpus-per-node=4 -c16 --mem=64G --time=60"
N4 = "-N1 --ntasks-per-node=4 --gres=gpu:4 -c8 --mem=64G --time=60"
ONE = "--time=60"
# The fault in words, the rule that names it, directives and commands with the fault, the same without it.
FAULTS = (
    ("a container without --nv", "container-no-gpu", G1, "apptainer exec a.sif python train.py",
     G1, "apptainer exec --nv a.sif python train.py"),
    ("torchrun on two nodes without srun", "torchrun-one-node", G8, "torchrun --nnodes=2 --nproc_per_node=4 t.py",
     G8, "srun torchrun --nnodes=2 --nproc_per_node=4 t.py"),
    ("srun starts torchrun once a GPU", "torchrun-tasks", N4, "srun torchrun --nproc_per_node=4 t.py",
     N4, "srun --ntasks-per-node=1 torchrun --nproc_per_node=4 t.py"),
    ("CUDA_VISIBLE_DEVICES by hand", "visible-devices", G1, "export CUDA_VISIBLE_DEVICES=0\npython train.py",
     G1, "python train.py"),
    ("two MIG slices for one process", "mig-several", "--gres=gpu:a100_1g.5gb:2 -c4 --mem=8G --time=60", "python train.py",
     "--gres=gpu:a100_1g.5gb:1 -c4 --mem=8G --time=60", "python train.py"),
    ("steps that wait for each other", "steps-wait", "-n2 --mem=2G --time=60", "srun -n1 ./a &\nsrun -n1 ./b &\nwait",
     "-n2 --mem-per-cpu=1G --time=60", "srun -n1 --exact ./a &\nsrun -n1 --exact ./b &\nwait"),
    ("srun eats the list of a loop", "loop-input", ONE, "while read f; do\n  srun ./a $f\ndone < list",
     ONE, "while read f; do\n  srun ./a $f < /dev/null\ndone < list"),
    ("the folder of $0", "spool-path", ONE, "cd \"$(dirname \"$0\")\"\n./a", ONE, "cd \"$SLURM_SUBMIT_DIR\"\n./a"),
    ("--export=NONE before srun", "export-none", ONE + " --export=NONE", "export X=1\nsrun ./a",
     ONE + " --export=NONE", "export X=1\nexport SLURM_EXPORT_ENV=ALL\nsrun ./a"),
    ("conda activate without its hook", "conda-activate", ONE, "conda activate e\n./a",
     ONE, "eval \"$(conda shell.bash hook)\"\nconda activate e\n./a"),
    ("OMP_NUM_THREADS not exported", "not-exported", ONE + " -c4", "OMP_NUM_THREADS=4\n./a",
     ONE + " -c4", "export OMP_NUM_THREADS=4\n./a"),
    ("--gpus=gpu:1", "gpu-spelling", "--gpus=gpu:1 -c4 --mem=8G --time=60", "python train.py", G1, "python train.py"),
    ("--gres=a100:1", "gpu-spelling", "--gres=a100:1 -c4 --mem=8G --time=60", "python train.py", G1, "python train.py"),
    ("a syntax error of the shell", "bash-syntax", ONE, "for i in 1 2; do\n  ./a $i", ONE, "for i in 1 2; do\n  ./a $i\ndone"),
    ("the folder for the output is not there", "output-folder", ONE + " -o logs/%j.out", "mkdir -p logs\n./a",
     ONE + " -o %j.out", "mkdir -p logs\n./a"),
    ("tasks of an array write one file", "array-one-output", ONE + " -a 1-9 -o a.out", "./a $SLURM_ARRAY_TASK_ID",
     ONE + " -a 1-9 -o %A_%a.out", "./a $SLURM_ARRAY_TASK_ID"),
    ("a program before its module", "module-late", ONE, "samtools index a.bam\nmodule load samtools",
     ONE, "module load samtools\nsamtools index a.bam"),
    ("one thread on many cores", "threads-not-given", ONE + " -c16", "hisat2 -x g -U a.fq -S a.sam",
     ONE + " -c16", "hisat2 -p $SLURM_CPUS_PER_TASK -x g -U a.fq -S a.sam"),
    ("several tasks and nothing that starts them", "no-launcher", ONE + " -n8", "python a.py", ONE + " -n8", "srun python a.py"),
    ("nobody waits for what runs in the background", "no-wait", ONE + " -c2", "./a &\n./b &", ONE + " -c2", "./a &\n./b &\nwait"),
)


def rules(directives, commands):
    script = f"#!/bin/bash\n#SBATCH {directives}\n{commands}\n"
    done = subprocess.run([PROGRAM, "lint", "--json", "--fail-on=never", "-"], input=script, capture_output=True, text=True,
                          check=True)
    return [finding["rule"] for finding in json.loads(done.stdout)["findings"]]


class Twenty(unittest.TestCase):
    def test_there_are_twenty(self):
        self.assertEqual(len(FAULTS), 20)

    def test_each_is_named(self):
        for what, rule, directives, commands, _, _ in FAULTS:
            with self.subTest(what):
                self.assertIn(rule, rules(directives, commands))

    def test_mended_it_is_gone(self):
        for what, rule, _, _, directives, commands in FAULTS:
            with self.subTest(what):
                self.assertNotIn(rule, rules(directives, commands))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    PROGRAM = sys.argv.pop()
    unittest.main()
