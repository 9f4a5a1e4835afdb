#!/usr/bin/env bash
# Where a computation is done first, from the command line: numbers, a saved run, a command; waits from planted
# accounting; the job of the first place; and what can be wrong.
# usage: tests/cli/decide.sh BUILD/breakeven
set -eu
program=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/../checks.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export HOME=$scratch XDG_DATA_HOME=$scratch/data
unset BREAKEVEN_PROFILES BREAKEVEN_CLUSTERS

run() {
    code=0
    "$program" decide "$@" >out 2>err || code=$?
    tr -s ' \n' ' ' <out >words
}

# holds FILE CODE: Python's view of the JSON in FILE, as d.
holds() { python3 -c "import json, math; d = json.load(open('$1')); assert $2, '$2'"; }

# A cluster of two partitions: GPU jobs wait GPU_WAIT seconds, CPU jobs CPU_WAIT, each give or take a tenth.
# accounting GPU_WAIT CPU_WAIT
accounting() {
    python3 - "$@" <<'PYTHON'
import datetime, sys
gpu_wait, cpu_wait = map(int, sys.argv[1:])
at = datetime.datetime(2026, 1, 1)
print("JobID|Partition|User|Account|Submit|Eligible|Start|End|State|NNodes|ReqCPUS|ReqMem|ReqTRES|Timelimit")
for i in range(1500):
    at += datetime.timedelta(minutes=10)
    for gpu in (0, 1):
        wait = (gpu_wait if gpu else cpu_wait) * (0.9 + 0.2 * (i * 37 % 100) / 100)
        start = at + datetime.timedelta(seconds=int(wait))
        cpus = 12 if gpu else (1, 16, 64)[i % 3]
        tres = f"cpu={cpus},mem={4 * cpus}G,node=1" + (",gres/gpu=1" if gpu else "")
        print("|".join([str(2 * i + gpu), "gpu" if gpu else "cpu", f"u{i % 7}", "a", at.isoformat(), at.isoformat(),
                        start.isoformat(), (start + datetime.timedelta(hours=1)).isoformat(), "COMPLETED", "1",
                        str(cpus), f"{4 * cpus}G", tres, ("0:15:00", "2:00:00", "12:00:00", "1-00:00:00", "7-00:00:00")[i // 3 % 5]]))
PYTHON
}
accounting 21600 60 >long.txt
accounting 60 60 >short.txt
cat >cluster.json <<'JSON'
{"schema":"breakeven/1","command":"clusters","version":"0.1.0","clusters":[
{"name":"planted","title":"Planted","date":"2026-01-01","scheduler":"slurm","request":"gpus-per-node","limit_s":604800,
"billing":"bundle","unit":"unit h",
"gpus":[{"type":"a100","model":"NVIDIA A100 40 GB SXM4","memory_bytes":40000000000,"share":1,"cores":12,"memory_mib":49152,"charge":4}],
"nodes":[{"name":"gpu","count":10,"cores":48,"memory_mib":510000,"gpu":"a100","gpus":4},
{"name":"cpu","count":100,"cores":64,"memory_mib":262144}],
"partitions":[{"name":"cpu","nodes":["cpu"],"default":true,"limit_s":604800},
{"name":"gpu","nodes":["gpu"],"limit_s":604800}],
"sources":[{"name":"planted","what":"all of it","date":"2026-01-01"}]}]}
JSON
there=(--catalogue="$scratch/cluster.json" --on=planted --cpu=cpu-2 --quiet)

# ---- the wait decides ---------------------------------------------------------------------------
run "${there[@]}" --flops=2e15 --bytes=1e12 --accounting=long.txt --json=long.json
check 'long waits for GPUs: exit 0' [ "$code" -eq 0 ]
check 'then cores are first' holds long.json 'd["places"][0]["place"] == "64 cores" and d["reason"] == "waits"'
check 'the sentence says why' grep -q 'First is 64 cores on planted: 1 a100 on planted computes .* x as fast, but waits [56].[0-9] h' words
check 'and from how much work it would turn' grep -q 'With more than .* of work for 64 cores, 1 a100 on planted would be first' words
check 'the wait is that of the accounting' holds long.json \
    'all(abs(p["wait_q50_s"] / (21600 if p["gpus"] else 60) - 1) < 0.15 for p in d["places"])'
check 'the result is wait and work' holds long.json \
    'all(abs(p["result"]["q50_s"] - p["wait_q50_s"] - p["busy"]["q50_s"]) < 0.15 * p["result"]["q50_s"] for p in d["places"])'
check 'no line is longer than 80 columns' sh -c '! grep -E "^.{81}" out'
run "${there[@]}" --flops=2e15 --bytes=1e12 --accounting=short.txt --json=short.json
check 'short waits: the GPU is first' holds short.json 'd["places"][0]["gpus"] == 1 and d["reason"] != "waits"'
run "${there[@]}" --flops=2e17 --bytes=1e14 --accounting=planted=long.txt --json=much.json
check 'much work: the GPU is first though it waits' holds much.json 'd["places"][0]["gpus"] == 1 and d["reason"] == "despite"'
check 'one core would not end in time there: left out' grep -q 'planted, 1 core: left out: it takes .*, and the longest job there 168 h' words

run "${there[@]}" --matmul=40000,40000,40000 --json=matmul.json
check 'a product by its shape: places of cores and of the GPU' holds matmul.json '{p["gpus"] for p in d["places"]} == {0, 1}'

# ---- deadlines ----------------------------------------------------------------------------------
run "${there[@]}" --flops=2e15 --bytes=1e12 --accounting=long.txt --within=4:00:00 --json=in.json
check 'a GPU that waits 6 h is seldom there in 4, 64 cores nearly always' holds in.json \
    '{p["place"]: p["p_deadline"] for p in d["places"]}["64 cores"] > 0.9 and [p["p_deadline"] < 0.5 for p in d["places"] if p["gpus"]] == [True]'
check 'a column for it' grep -q 'in time' out
run "${there[@]}" --flops=2e15 --bytes=1e12 --deadline='2026-01-20 12:00'
check 'a moment needs a forecast: exit 2' [ "$code" -eq 2 ]
check 'and it is said how' grep -q -- '--within=12:00:00' err

# ---- without waits ------------------------------------------------------------------------------
run "${there[@]}" --flops=2e15 --bytes=1e12 --json=none.json
check 'no accounting: by computing alone' holds none.json 'd["reason"] == "no-waits" and d["places"][0]["gpus"] == 1'
check 'no result is made up' holds none.json 'all(p["result"]["q50_s"] is None for p in d["places"])'
run "${there[@]}" --on=here,planted --flops=2e15 --bytes=1e12 --json=mixed.json
check 'here and unknown waits: here comes first' holds mixed.json 'd["places"][0]["where"] == "here"'
check 'and it is said up to which wait the GPU would' grep -q 'whose wait is not known, would be first if it waited less than' words

# ---- a run --------------------------------------------------------------------------------------
run "${there[@]}" -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; echo done'
check 'a command: exit 0' [ "$code" -eq 0 ]
check 'what it writes is there' grep -qx 'done' out
check 'one core of work: no place of more cores' sh -c '! grep -q "64 cores" out'
check 'GPUs are left out, and it is said how to name them' grep -q 'GPUs are left out: .* Say --speedup=5..20' words
"$program" run -q --json=run.json -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
run "${there[@]}" --from=run.json --speedup=4..25 --parallel=0.9 --json=from.json
check 'from a run: the GPU takes a tenth of it, within its bounds' holds from.json \
    '[2 < p["busy"]["q90_s"] / p["busy"]["q10_s"] < 5 for p in d["places"] if p["gpus"]] == [True]'
check 'nine tenths in parallel: 64 cores are up to 8.8 times as fast, less where it stood still' holds from.json \
    '1.5 < {p["place"]: p["busy"]["q50_s"] for p in d["places"]}["1 core"] / {p["place"]: p["busy"]["q50_s"] for p in d["places"]}["64 cores"] < 8.9'

# ---- several runs, several nodes, several GPUs ---------------------------------------------------
# fake RUN OUT ELAPSED CORES [GPUS]: the run as if it had taken so long on so many cores, or with so many GPUs, alone
fake() {
    python3 - "$@" <<'PYTHON'
import json, sys
d = json.load(open(sys.argv[1]))
was = d["run"]["elapsed_s"]
d["run"]["elapsed_s"], d["limits"]["cpus"] = float(sys.argv[3]), int(sys.argv[4])
d["totals"]["user_s"] *= d["run"]["elapsed_s"] / was
d["series"] = [s for s in d["series"] if "wait" not in s["signal"] and "pressure" not in s["signal"]]
for i in range(1, int(sys.argv[5]) if len(sys.argv) > 5 else 1):
    d["gpus"].append(dict(d["gpus"][0], id=f"nvml:{i}"))
    d["series"] += [dict(s, of=i) for s in d["series"] if s["scope"] == "gpu" and s["of"] == 0]
json.dump(d, open(sys.argv[2], "w"))
PYTHON
}
loader=$root/tests/observe/traces/h200-2026-11-21/t-loader-workers.json
for p in 1 2 4; do
    fake "$loader" "cores$p.json" $((2000 + 400000 / p)) $p
    fake "$loader" "gpus$p.json" $((1000 + 36000 / p)) 16 $p
done
fake "$loader" cores2b.json 303000 2
busy='{p["place"]: p["busy"]["q50_s"] for p in d["places"]}'
run "${there[@]}" --from=cores1.json --from=cores2.json --from=cores4.json --nodes=4 --json=scaling.json
check 'runs on several numbers of cores: Amdahl by them' holds scaling.json \
    "abs(($busy)[\"1 core\"] / ($busy)[\"64 cores\"] - 402 / 8.25) < 1.5"
check 'several nodes, where its ranks can be there' holds scaling.json \
    "abs(($busy)[\"64 cores\"] / ($busy)[\"4 x 64 cores\"] - 8.25 / 3.5625) < 0.4"
check 'so many nodes are explained' grep -q '2 x .*two nodes.*--all-reduce' words
check 'beyond what was measured, that is said' holds scaling.json \
    '{p["place"]: p["extrapolated"] for p in d["places"]} == {"1 core": False, "16 cores": True, "64 cores": True, "2 x 64 cores": True, "4 x 64 cores": True}'
check 'nobody measured the network: at worst no faster than a node' holds scaling.json \
    '{p["place"]: p["busy"]["q90_s"] for p in d["places"]}["4 x 64 cores"] > 0.7 * {p["place"]: p["busy"]["q90_s"] for p in d["places"]}["64 cores"]'
run "${there[@]}" --from=cores1.json --from=cores2.json --from=cores4.json --nodes=4 --network=10,2 --halo=1e9,20000 \
    --json=halo.json
check 'a halo of 1 GB at 10 GB/s takes 0.1 s, so often as it is exchanged' holds halo.json \
    "abs(($busy)[\"4 x 64 cores\"] - 3562.5 - 2000) < 400 and [p[\"network_s\"] for p in d[\"places\"] if \" x \" not in p[\"place\"]] == [None] * 3"
check 'and is told with its network' grep -q 'exchanges of 4 nodes over 10 GB/s, 2 us take 33[.0-9]* m' words
run "${there[@]}" --from=cores1.json --from=cores2.json --nodes=2 --all-reduce=1e9,100
check 'a network that nobody knows is a guess, and it is said how to name it' \
    grep -q 'planted: which network its nodes have is not known.*guessed.*--network=GB/s,us' words
for wrong in --network=hdr20 --network=25 --network=25,2,3 --network=17xhdr200 --halo=0 --halo=1e6,x --all-reduce=1,2,3; do
    run "${there[@]}" --flops=1e15 --nodes=2 --halo=1e6 "$wrong"
    check "$wrong: exit 2, and what is needed" sh -c "[ $code -eq 2 ] && grep -q ' as' err"
done
run "${there[@]}" --flops=1e15 --halo=1e6
check 'exchanges between nodes need nodes' grep -q -- '--nodes=4' err
run "${there[@]}" --flops=1e15 --nodes=2 --network=hdr200
check 'a network without exchanges: what it is for' grep -q -- '--all-reduce=4e8,1000' err
run "${there[@]}" --from=cores2.json --from=cores2b.json --json=varies.json
check 'two runs of one kind, half as long again: so wide is the interval' holds varies.json \
    '[1.5 < p["busy"]["q90_s"] / p["busy"]["q10_s"] < 6 for p in d["places"]] == [True] * len(d["places"])'
gpus=(--from=cores4.json --gpu-run=gpus1.json --gpu-run=gpus2.json --gpu-run=gpus4.json)
run "${there[@]}" "${gpus[@]}" --gpus=8 --nodes=2 --emit-job=ranks.sh --json=gpus.json -- ./train
check 'places of several GPUs, by runs on several' holds gpus.json \
    "abs(($busy)[\"1 a100\"] / ($busy)[\"4 a100\"] - 37 / 10) < 0.1 and \"2 a100\" in $busy"
check 'eight are on two nodes, and nobody measured so many' holds gpus.json \
    'd["places"][0]["place"] == "2 x 4 a100" and d["places"][0]["extrapolated"] and d["places"][0]["gpus"] == 8'
check 'a unit of the site for each GPU' holds gpus.json \
    'all(abs(p["cost"] / (4 * p["gpus"] * p["busy"]["q50_s"] / 3600) - 1) < 0.01 for p in d["places"] if p["gpus"])'
check 'its script has a rank for each' sh -c 'grep -qx "#SBATCH --nodes=2" ranks.sh && grep -qx "#SBATCH --ntasks=8" ranks.sh && grep -q "^srun .* ./train" ranks.sh'
check 'which lint passes' "$program" lint --catalogue="$scratch/cluster.json" --cluster=planted ranks.sh
check 'no energy where another GPU was measured' holds gpus.json 'all(p["energy_j"] is None for p in d["places"])'
sed 's/NVIDIA A100 40 GB SXM4/NVIDIA H200/; s/40000000000/150754820096/' cluster.json >h200.json
run --catalogue="$scratch/h200.json" --on=planted --cpu=cpu-2 --quiet "${gpus[@]}" --json=energy.json
check 'energy by the mean power of the run, for each GPU' holds energy.json \
    'all((p["energy_j"] is not None) == (p["gpus"] > 0) for p in d["places"]) and all(50 < p["energy_j"] / p["busy"]["q50_s"] / p["gpus"] < 700 for p in d["places"] if p["gpus"])'
check 'said in kWh' grep -q "Energy of the GPUs, by the run's mean power: 4 a100 .* kWh" words
run "${there[@]}" --from=cores4.json --parallel=0.999 --nodes=2 --emit-job=mpi.sh -- ./simulate
check 'first on two nodes: a rank for each core' sh -c 'grep -qx "#SBATCH --ntasks=128" mpi.sh && grep -qx "#SBATCH --ntasks-per-node=64" mpi.sh'
check 'which lint passes, too' "$program" lint --catalogue="$scratch/cluster.json" --cluster=planted mpi.sh
run "${there[@]}" "${gpus[@]}" --gpus=8 --json=onenode.json
check 'without --nodes they stay on one' sh -c '! grep -q "x 4 a100" onenode.json || grep -q "left out: a node there has 4 of them" words'
run "${there[@]}" --from=cores4.json --gpu-run=gpus2.json --gpus=4 --json=two.json
check 'one number of GPUs: that number alone, and how to know others' holds two.json \
    '[p["gpus"] for p in d["places"] if p["gpus"]] == [2]'
check 'said' grep -q 'Several GPUs are left out: how it uses them is not known' words
run "${there[@]}" --flops=2e17 --gpus=4 --parallel=0.9 --json=shared.json
check 'numbers and a share: Amdahl' holds shared.json "abs(($busy)[\"1 a100\"] / ($busy)[\"4 a100\"] - 1 / 0.325) < 0.05"

# ---- the job ------------------------------------------------------------------------------------
run "${there[@]}" --flops=2e17 --bytes=1e14 --accounting=long.txt --emit-job=job.sh -- python3 train.py
check 'a job for the first place' grep -q -- '--gpus-per-node=a100:1' job.sh
check 'with the command' grep -qx 'python3 train.py' job.sh
check 'which lint passes' "$program" lint --catalogue="$scratch/cluster.json" --cluster=planted job.sh
run "${there[@]}" --flops=2e17 --bytes=1e14 --emit-job=job.sh
check 'a script that is there is kept: exit 2' sh -c "[ $code -eq 2 ] && grep -q -- --force err"
run --on=here --cpu=cpu-2 --flops=2e12 --quiet --emit-job=here.sh
check 'no job for here' sh -c "[ $code -eq 2 ] && grep -q 'no job is needed' err && [ ! -e here.sh ]"

# ---- what can be wrong --------------------------------------------------------------------------
wrong() { # NAME, text of the error, options
    local name=$1 text=$2
    shift 2
    run "$@"
    check "$name: exit 2" [ "$code" -eq 2 ]
    check "$name: said" sh -c "tr -s ' \n' ' ' <err | grep -q -- '$text'"
}
wrong 'nothing to decide' 'which computation?'
wrong 'a product and its operations' 'says the operations and bytes itself' --matmul=3,4,5 --flops=1
wrong 'a run and numbers' 'one of them says how long it takes' --from=run.json --flops=1
wrong 'a speedup that is none' '--speedup 20..5' --from=run.json --speedup=20..5
wrong 'a speedup of nothing' '--speedup 0:' --from=run.json --speedup=0
wrong 'a share above 1' '--parallel 2' --from=run.json --parallel=2
wrong 'no node' '--nodes' --flops=1 --nodes=0
wrong 'a GPU and a half' '--gpus' --flops=1 --gpus=1.5
wrong 'a speedup of numbers' 'are of a run' --flops=1 --speedup=2
wrong 'a command that fails' 'did not end well (exit 3)' --quiet -- sh -c 'exit 3'
wrong 'a file that holds no run' 'those of "compare", "run"' --from=short.json
wrong 'no such cluster' 'not in the catalogue' --on=nowhere --flops=1e12 --cpu=cpu-2
wrong 'no such accounting' 'nothere.txt' "${there[@]}" --flops=1e12 --accounting=nothere.txt
wrong 'a time that is none' '--within soon' --flops=1 --within=soon
done_testing cli.decide
