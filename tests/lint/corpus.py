"""Job scripts for the linter, each with the rule that it is about and whether that must speak.

usage: corpus.py FOLDER      writes them there, a file each

    CASES: list of Case. A pair of scripts for each rule at least: one where it speaks, and one that
    is as near as can be where it must not.
"""
import collections
import os
import sys

Case = collections.namedtuple("Case", "rule fires script words")

CASES = []
CLUSTER = ("--cluster=breakeven",)


def job(directives="", commands="hostname\n", head="#!/bin/bash\n"):
    """A script: one directive a line, hyphens as they are to stand."""
    lines = "".join(f"#SBATCH {line}\n" for line in directives.split("\n") if line)
    return (head + lines + commands).encode()


def add(rule, fires, *scripts, words=()):
    for script in scripts:
        CASES.append(Case(rule, fires, script if isinstance(script, bytes) else job(script), words))


def on_cluster(rule, fires, *scripts):
    add(rule, fires, *scripts, words=CLUSTER)


T = "--time=5\n"

# ---- the file -----------------------------------------------------------------------------------
add("empty-script", True, b"", b"  \n\n", b"\t\n")
add("empty-script", False, b"#!/bin/bash\n", T)
add("no-interpreter", True, b"\xef\xbb\xbf#!/bin/bash\n#SBATCH --time=5\nhostname\n",
    b"\n#!/bin/bash\nhostname\n", b" #!/bin/sh\nhostname\n", b"#SBATCH --time=5\nhostname\n",
    b"hostname\n", b"# !/bin/bash\nhostname\n")
MARKED = b"\xef\xbb\xbf#!/bin/bash\n#SBATCH --time=5\n#SBATCH ntasks=2\nhostname\n"
add("bare-word", True, MARKED)
add("after-command", False, MARKED)
add("no-interpreter", False, T, b"#! /usr/bin/env python3\n#SBATCH --time=5\nprint(1)\n",
    b"#!/bin/sh -e\nhostname\n")
add("dos-line-ends", True, b"#!/bin/bash\r\n#SBATCH --time=5\r\nhostname\r\n",
    b"#!/bin/bash\n#SBATCH --time=5\nhostname\r\n", b"#!/bin/bash\r\nhostname\n")
add("dos-line-ends", False, T, b"#!/bin/bash\n#SBATCH --time=5\nprintf 'a\rb'\n")
add("null-byte", True, b"#!/bin/bash\nhost\0name\n", b"#!/bin/bash\n#SBATCH --time=5\nhostname\n\0")
add("null-byte", False, b"#!/bin/bash\nprintf '\\0'\n")

# ---- words --------------------------------------------------------------------------------------
add("open-quote", True, "--comment=it's", '--job-name="a b', "--comment='a", "--comment=\"a\\\"")
add("open-quote", False, "--comment=it\\'s", '--job-name="a b"', "--time=5 # it's", "--comment='a\"b'",
    "--comment='a\\'b c'")
add("stray-colon", True, "--ntasks=1 : --ntasks=1", ":", ":x", "--comment : x")
add("stray-colon", False, "--comment=a:b", '--comment="a : b"', "--ntasks=1 # : ", "--comment=\\:")
add("bare-word", True, "ntasks=1", "time=5", "--time=5 ntasks=2", "gpu", "--exclusive user", "-",
    "-- --ntasks=1", "x hetjob", '"hetjob"', b"#!/bin/bash\n#SBATCHER --time=5\nhostname\n",
    b"#!/bin/bash\n#SBATCH_--time=5\nhostname\n", "--nice 5", "-H n1", "--job-name=a b",
    "--comment a b", "time 5", "--time = 10:00", "--mem= 1G", "--time= 5 --mem\t= 1G", "--mem= x", "-t = 5", "--mail-type=END, FAIL", "--mail-type=END , FAIL")
add("bare-word", False, "--ntasks=1", "--ntasks 1", "-n 1", "hetjob", "HETJOB", "hetjob anything",
    "--exclusive=user", "--", b"#!/bin/bash\n#SBATCH--time=5\nhostname\n", '--job-name="a b"',
    "--time=5 # a remark", b"#!/bin/bash\n#SBATCH --ntasks\n#SBATCH 1\nhostname\n", "--comment='hetjob x'")
add("not-a-hyphen", True, "\u2014-ntasks=1", "\u2013\u2013ntasks=1", "\u2014time=5", "\u2013n 1",
    "\u2212-mem=1G", "-\u2013time=5")
add("not-a-hyphen", False, "--ntasks=1", "--job-name=a\u2013b", "--comment='\u2014x'", "--time=5 # \u2014-x")
add("single-hyphen", True, "-ntasks=1", "-time=5", "-output=x.log", "-mem=1G", "-partition=cpu",
    "-nodes=1", "-tasks-per-node=1")
add("single-hyphen", False, "-n1", "-N1", "-ox.log", "-t5", "-Jx=y", "--output=x.log")
add("unknown-option", True, "--cpu-per-task=1", "--num-tasks=1", "--mpi=pmi2", "--walltime=5",
    "--burst", "--num-gpus=1", "--memory=1G", "-Z", "-g 1", "--mem:1G")
add("unknown-option", False, "--cpus-per-task=1", "--cpus-per-t=1", "--tasks-per-node=1",
    "--distrib=block", "--cores=1", "--thread-spec=1", "--cluster-constraint=x")
add("ambiguous-option", True, "--nt=1", "--cpus=2", "--gpu=1", "--cl=1", "--ntas=1", "--mem-p=1G",
    "--ntasks-per=1")
add("ambiguous-option", False, "--ntasks=1", "--part=cpu", "--mem=1G", "--dep=singleton", "--gpus=0",
    "--cpus-per-t=1")
add("missing-value", True, "--ntasks", "-n", "--time", '--comment ""', "--ntasks=1 --time")
add("missing-value", False, "--exclusive", "--nice", "--hold", "--no-kill", "--comment=")
add("unwanted-value", True, "--hold=yes", "--overcommit=1", "--requeue=1", "--contiguous=yes")
add("unwanted-value", False, "--hold", "--exclusive=user", "--nice=5", "--comment=--hold=yes")
add("foreign-directive", True, b"#!/bin/bash\n#PBS -d /tmp\nhostname\n",
    b'#!/bin/bash\n#BSUB -R "rusage[mem=2048]"\nhostname\n', b"#!/bin/bash\n#PBS nodes=1\nhostname\n",
    b"#!/bin/bash\n#BSUB -gpu num=1\nhostname\n", b"#!/bin/bash\n#PBS -N x y\nhostname\n",
    b"#!/bin/bash\n#PBS -l\nhostname\n", b"#!/bin/bash\n#PBS -m x\nhostname\n",
    b"#!/bin/bash\n#BSUB -P x\nhostname\n", b"#!/bin/bash\nhostname\n#PBS -d /tmp\n",
    b"#!/bin/bash\ncat <<X\n#PBS -d /tmp\nX\n", b"#!/bin/bash\n" + 100 * b"true\n" + b"#PBS -Y 1\n",
    b"#!/bin/bash\n" + 300 * b"# a remark\n" + b"#PBS -Y 1\n")
add("foreign-directive", False, b"#!/bin/bash\n#PBS -l walltime=1:00:00,mem=1gb\nhostname\n",
    b"#!/bin/bash\n#PBS -N x -m abe -j oe\nhostname\n", b"#!/bin/bash\n#BSUB -n 2 -W 1:00 -M 100\nhostname\n",
    b"#!/bin/bash\n#SBATCH --ignore-pbs\n#PBS -d /tmp\nhostname\n", b"#!/bin/bash\n# PBS -d /tmp\nhostname\n",
    b"#!/bin/bash\nhostname\n #PBS -d /tmp\n", b"#!/bin/bash\n#BSUB -J a[1-4] -x -q cpu\nhostname\n",
    b"#!/bin/bash\n#PBS -l nodes=1:ppn=4 -V\nhostname\n", b"#!/bin/bash\n" + 101 * b"true\n" + b"#PBS -Y 1\n",
    b"#!/bin/bash\n" + 101 * b"\n" + b"#BSUB -P x\n")
add("ignored-rest", True, '"" --ntasks=x', "\\ --ntasks=x", "--ntasks=1 \\", "--comment=a '' --time=x", "--time=5 hetjob",
    "--array=1 hetjob --ntasks=x")
add("ignored-rest", False, "--ntasks=1", "--comment='' --time=5", "--comment=a\\b", "--ntasks=1 # \\ x")
add("continued-directive", True, job("--ntasks=1 \\", "  --time=5\nhostname\n"),
    job("--time=5 \\", "--mem=1G\n#SBATCH --ntasks=x\nhostname\n"))
add("continued-directive", False, job("--ntasks=1", "hostname \\\n  -s\n"),
    job("--ntasks=1 \\\n--time=5"), job("", "# a remark \\\nhostname\n"))
add("cut-value", True, "--job-name=a#b", "--time=5#x", "--comment=a#b --time=x")
add("cut-value", False, "--job-name='a#b'", "--job-name=a\\#b", "--time=5 #x", "--time=5 # a#b")
add("packjob", True, "packjob", "--ntasks=1\npackjob\n--ntasks=1")
add("packjob", False, "hetjob", "--job-name=packjob")

# ---- lines that are meant as directives ------------------------------------------------------------
for word in ("SBTACH", "sbatch", "SBACTH", "Sbatch", "SBATH"):
    add("misspelt-directive", True, f"#!/bin/bash\n#{word} --time=5\nhostname\n".encode())
for line in ("#batch jobs are fine", "#slurm is what this needs", "# sbatch this file", "##SBATCH --time=5",
             "#SBATCH --time=5", "#BATCH mode"):
    add("misspelt-directive", False, f"#!/bin/bash\n{line}\nhostname\n".encode())
for line in ("#SLURM --time=5", "#SLURM", "#SLURM is what this needs", "#SLURM--time=x"):
    add("slurm-directive", True, f"#!/bin/bash\n{line}\nhostname\n".encode())
for line in ("# SLURM --time=5", "#slurm --time=x", " #SLURM --time=x", "true\n#SLURM is what this needs"):
    add("slurm-directive", False, f"#!/bin/bash\n{line}\nhostname\n".encode())
for line in (" #SBATCH --time=5", "# SBATCH --time=5", "\t#SBATCH -t5", "#\tSBATCH -n 4", "  #  SBATCH --mem=1G"):
    add("blank-in-directive", True, f"#!/bin/bash\n{line}\nhostname\n".encode())
for line in ("##SBATCH --time=5", "# SBATCH lines follow", "# #SBATCH --time=5", "#SBATCH --time=5", "# SBATCH"):
    add("blank-in-directive", False, f"#!/bin/bash\n{line}\nhostname\n".encode())
add("after-command", True, job("", "hostname\n#SBATCH --time=5\n"), job("", "set -e\n#SBATCH --time=x\ntrue\n"),
    job(T, "cd /tmp\n#SBATCH --ntasks=1\n#SBATCH --mem=1G\nhostname\n"),
    job("", "if true; then\n#SBATCH --time=5\nhostname\nfi\n"), job("", "f() {\n  true\n}\n#SBATCH --mem=1G\nf\n"))
add("after-command", False, job(T), job("", "cat <<EOF\n#SBATCH --time=x\nEOF\n"),
    job("", "cat <<-'END' >a.sh\n\t#!/bin/bash\n#SBATCH --time=5\n\tEND\nhostname\n"),
    job("", "\n# a remark\n#SBATCH --time=5\nhostname\n"), job("", "echo '\n#SBATCH --time=5\n'\n"),
    job("", "hostname\n##SBATCH --time=5\n"))

# ---- values ---------------------------------------------------------------------------------------
VALUES = {
    "ntasks": ("0 -1 1.5 x 1k 2x", "1 +1 01"),
    "nodes": ("1- 2-1 x 1:2 1.0 0x1 ,4 4,x 4:2 1-15:0 8-4:2 1-2:1,", "1 1-1 0-1 -1"),
    "cpus-per-task": ("0 x 4G", "1"),
    "mem": ("1.5G 1GiB x G 10P 2e3 -1", "1G 1000 1000M 100000K 1gb 0"),
    "mem-per-cpu": ("1Gb/s all", "100M 1"),
    "time": ("1h 2d 1:2:3:4 x 1: :30 -1:00 1-2-3", "5 1:00 0:30:00 0-0:5 0-0 0-00:05:00"),
    "array": ("x 1- 5-1 1:2 1-5:0 1-3-5", "0 1-3 1,3 0-6:2 1-4%2 [1-2] 1,"),
    "begin": ("x 25:00 4pm now+1h 2030-1-2 Tomorrow", "now now+1hour 16:00 2030-01-20T12:34 tomorrow noon 1:00am"),
    "signal": ("x SIGFOO B:x USR1@99999 X:USR1 0", "USR1 B:USR1@60 10@5 SIGTERM usr1 R:INT"),
    "dependency": ("x afterok foo:1 afterok:x singleton:1", "singleton afterany:1 afterok:1:2,afterany:3"),
    "gpus": ("x: 1.5 2x a:b a:1:2", "0 a100:0"),
    "gres": ("gpu: :1 gpu:1x gpu:a:b:1 GPU:1 gpus:1", "none gpu:0"),
    "mail-type": ("x FIRST", "ALL BEGIN,END fail NONE"),
    "open-mode": ("x 1", "append truncate a T"),
    "hint": ("x compute", "nomultithread compute_bound"),
    "distribution": ("x plane block:x fcyclic", "block cyclic:block plane=2 *:cyclic block,pack"),
    "exclusive": ("x yes", "user mcs"),
    "kill-on-invalid-dep": ("x y 1", "yes no"),
    "profile": ("x 1", "all none task energy,network"),
    "propagate": ("x stack ALL,STACK", "ALL NONE STACK,CORE"),
    "switches": ("0 x @5", "1 1@60 2@1:00"),
    "mem-bind": ("x map_mem: local,x", "local rank none map_mem:0,1 verbose,local"),
    "gpu-bind": ("x single verbose", "closest none single:1 map_gpu:0,1"),
    "gpu-freq": ("x LOW memory=x", "low high,memory=low 1000"),
    "cpu-freq": ("x 2-1 low-5", "low high 1000-2000 performance low-high"),
    "acctg-freq": ("x task=x foo=1", "30 task=30 task=30,energy=10"),
    "wait-all-nodes": ("2 x", "0 1"),
    "core-spec": ("x -1", "0 1"),
    "priority": ("-1", "5"),
    "nice": ("99999999999", "5 -5"),
    "get-user-env": ("x", "10 10L L"),
    "extra-node-info": ("x 1:x -1", "1 1:1 *:1"),
}
for option, (refused, taken) in VALUES.items():
    add("bad-value", True, *(f"--{option}={value}" for value in refused.split()))
    add("bad-value", False, *(f"--{option}={value}" for value in taken.split()))
add("bad-value", True, "--ntasks= 1", "--ntasks = 1", "-n=1", "-t=5", "--ntasks --time=5", "--mem =1G",
    "--ntasks=1\u00a0", "-time=2h", "--array=x --array=1", "--gres=gpu:1x --gres=gpu:0", "--hint=x --threads-per-core=1",
    "--propagate=x --get-user-env", "--cpu-freq=lxw", "--hint=x --hint=nomultithread")
add("bad-value", False, "--ntasks \"1\"", "--time '5'", "\"--ntasks=1\"", "-n\t1", "-Hn1", "--ntasks=' 1'",
    "--profile=xtaskx", "--cpu-freq=performancex", "--cpu-freq=highx")
add("variable", True, "--job-name=$USER", "--output=$HOME/x", "--ntasks=$N", "--time=${T}", "--mem=`x`",
    "--error=~/x", "--job-name='$USER'", "--array=$N --array=1")
add("variable", False, "--job-name=%u", "--output=%x-%j.log", "--wrap='echo $HOME'", "--comment=$5", "--time=5 # $T")
add("newer-option", True, "--tres-per-task=gres:gpu:1", "--segment=1", "--oom-kill-step=1", "--stepmgr",
    "--exclusive=topo", "--container-id=x", "--nodes=4,8", "--nodes=4,8,", "--nodes=4,,8", "--nodes=0,4", "--nodes=-4,8", "--nodes=1-15:4", "-N 1-3,8", "--requeue=expedited",
    "--requeue=expedite", "--requeue=EXPEDITE", "--resources=flat:2,natural:1")
add("bad-value", False, "--nodes=4,8", "--nodes=1-15:4", "--resources=x")
add("unwanted-value", False, "--requeue=expedited")
add("unwanted-value", True, "--requeue=", "--requeue=expedit", "--no-requeue=expedited")
add("newer-option", False, "--requeue", "--nodes=1-15", "--exclusive=user", "--prefer=", "--ntasks-per-gpu=1 --ntasks=1")
add("unknown-word", True, "--mail-type=END,FOO", "--mail-type='BEGIN, END'", "--profile=task,foo")
add("unknown-word", False, "--mail-type=END,FAIL", "--mail-type=TIME_LIMIT_80", "--profile=task")
add("large-index", True, "--array=0-1001", "--array=5,2000", "--array=1001%5", "--array=0-1000:1500")
add("large-index", False, "--array=0-1000", "--array=1-5%2000", "--array=0-10:20")
add("prints-only", True, "--help", "--usage", "--version", "--test-only", "-h", "-V")
add("prints-only", False, "--comment=--help", "--verbose")
add("gres-help", True, "--gres=help")
add("gres-help", False, "--gres=none")
add("repeated-option", True, "--ntasks=1 --ntasks=2", "--time=5\n--mem=1G\n-t 6",
    "--tasks-per-node=1 --ntasks-per-node=2")
add("repeated-option", False, "--mail-type=BEGIN\n--mail-type=END", "--ntasks=1 --ntasks=1", "--ntasks=1\nhetjob\n--ntasks=2", "-H -H")

# ---- options that do not go together -----------------------------------------------------------------
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
# What runs on the way to a plain command, or behind it.
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

# ---- what a job asks for and does ----------------------------------------------------------------------
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
add("gpu-no-memory", True, job("-p gpu --gpus=1 -c4 " + T, PY))
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


if __name__ == "__main__":
    for number, case in enumerate(CASES):
        with open(os.path.join(sys.argv[1], f"{case.rule}-{number}"), "wb") as out:
            out.write(case.script)
