"""Job scripts put together at random, the same for the same seed: whether they are right, sbatch is asked."""
import random

import corpus


def of_options(count, seed):
    """Scripts of options, values and spellings."""
    pick = random.Random(seed)
    words = [f"--{option}={value}" for option, (refused, taken) in corpus.VALUES.items()
             for value in refused.split() + taken.split() * 6]
    words += ["-n1", "-n 1", "-N1", "-c1", "-t5", "-t 0:10:00", "-J x", "-Jx", "-H", "--exclusive", "--mem=100M",
              "--mem-per-cpu=10M", "hetjob", "# remark", "x", "'a b'", "--comment='a b'", "--comment=\"x#y\"", "\\",
              "--comment=a\\ b", "--hold", "--part=cpu", "--dep=singleton", "--nt=1", "--gpus=0", "-p cpu", "--", ":",
              "--ntasks", "--time", "\"\"", "-Hn1", "--nice", "--no-requeue", "--time-min=1", "\u2014x", "--output=a#b"]
    for _ in range(count):
        lines = []
        for _ in range(pick.randint(1, 4)):
            before = pick.choice(["#SBATCH "] * 12 + ["#SBATCH", "#SBATCH\t", " #SBATCH ", "##SBATCH ", "# SBATCH "])
            few = [pick.choice(words) for _ in range(pick.choice((1, 1, 1, 2, 2, 3)))]
            lines.append(before + pick.choice((" ", "  ", "\t")).join(few))
        if pick.random() < 0.1:
            lines.insert(pick.randrange(len(lines)), pick.choice(("", "# note", "true", "  ", "\\")))
        yield ("#!/bin/bash\n" + "\n".join(lines) + "\nhostname\n").encode()


def of_gpus(count, seed):
    """Scripts that ask for GPUs of a job, a node, a socket and a task, and for nodes and tasks."""
    pick = random.Random(seed)
    for _ in range(count):
        kind = pick.choice(("", "a100:"))
        words = [f"{option}{kind}{pick.choice((1, 1, 2, 2, 3, 4))}"
                 for option, share in (("--gpus=", 0.5), ("--gpus-per-node=", 0.4), ("--gres=gpu:", 0.15),
                                       ("--gpus-per-task=", 0.4), ("--gpus-per-socket=", 0.2)) if pick.random() < share]
        words += [pick.choice(values) for values, share in (
            (("-n1", "-n2", "-n3", "-n4"), 0.5), (("-N1", "-N2", "-N1-2"), 0.4), (("--sockets-per-node=1",), 0.2),
            (("--ntasks-per-node=1", "--ntasks-per-node=2", "--ntasks-per-node=4"), 0.3)) if pick.random() < share]
        yield corpus.job("--time=5 -p all " + " ".join(words), "srun nvidia-smi\n")


def of_pbs(count, seed):
    """Scripts with a list of resources behind #PBS -l, with each sign between two of them."""
    pick = random.Random(seed)
    names = ("arch cput file host mem mppmem mpiprocs naccelerators ncpus nice nodes opsys other pcput pmem proc pvmem select "
             "software vmem walltime ngpus gpus procs place ompthreads ppn foo").split()
    values = ["1", "2", "0", "x", "1gb", "16mb", "2GB", "1:00:00", "00:05:00", "5", "", "g1", "1gbb", "3b", "1-2", "1m", "10kb"]
    for _ in range(count):
        entry = pick.choice(("", "", "select=1:", "nodes=1:", "nodes=1:ppn=2:"))
        entry += "".join(f"{pick.choice(names)}={pick.choice(values)}{pick.choice((':', ':', ',', '+'))}"
                         for _ in range(pick.randint(1, 4))).rstrip(":,+")
        yield f"#!/bin/bash\n#PBS -l {entry}\n#SBATCH -p all\nhostname\n".encode()
