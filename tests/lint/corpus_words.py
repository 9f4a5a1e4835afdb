"""Scripts of the corpus about the file, its words, its directives and their values."""
from corpus_case import T, add, job

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
for word in ("SBTACH", "sbatch", "SBACTH", "Sbatch", "SBATH", "SBASH"):
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

# #PBS -l as sbatch goes through it, sign by sign, a value up to a comma or a colon: held against sbatch by check.py.
PBS = "#!/bin/bash\n#PBS -l {}\n#SBATCH -t5\nhostname\n"
for fires, lists in (
        (True, ("select=1:ncpus=8:mem=16gb:ngpus=1", "ncpus=2,mem=1gb", "select=1,walltime=1:00", "mem=1gb:ncpus=2", "walltime=5:mem=1gb",
                "cput=x", "select=1:ncpus=0", "select=1:mpiprocs=x", "xmem=q", "select=g1", "mem=1bb", "file=x", "mpiprocs=2,mem=1gb")),
        (False, ("select=1:ncpus=2:mem=1gb,walltime=1:00", "select=1:ncpus=2", "pmem=q", "vmem=1gb,mem=1gb", "host=mem=q", "mem=1mbb",
                 "place=scatter", "nodes=1:ppn=x", "nodes=1:ppn=2,walltime=1:00", "select=1:mpiprocs=2:ncpus=2", "nice=x", "mem=16gb"))):
    add("bad-value", fires, *(PBS.format(entry).encode() for entry in lists))
add("foreign-directive", True, PBS.format("nodes=1:ppn=2:mem=1gb").encode(), PBS.format("naccelerators=x").encode())
add("foreign-directive", False, PBS.format("nodes=1:ppn=2:gpus=1").encode(), PBS.format("naccelerators=1").encode())
add("passed-resource", True, *(PBS.format(entry).encode() for entry in ("select=1:ngpus=1", "procs=4", "walltime=5,gpus=1")))
add("passed-resource", False, *(PBS.format(entry).encode() for entry in ("nodes=1:gpus=1", "select=1:ncpus=2", "mppnodes=g1", "host=ngpus=1")))
