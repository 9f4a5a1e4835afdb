#!/usr/bin/env bash
# Job scripts and clusters as the command line gives them: exact text, exit codes, files.
# usage: tests/job/run.sh BUILD/breakeven [--update]
#        --update   takes what comes out as the new expectation; read the diff before committing
# shellcheck source-path=SCRIPTDIR
set -u

. "$(dirname "$0")/../update.sh"
here=$(realpath "$(dirname "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
export LC_ALL=C
unset BREAKEVEN_CLUSTERS
# Short names, which do not change with the folder that this is in.
ln -s "$here/../../share/clusters" clusters
ln -s "$here/../golden" golden
ln -s "$here/../observe/traces" traces
cp "$here"/{partition,node,config,sinfo}.txt "$here/../slurm/cluster.json" .
shipped=clusters
. "$here/../checks.sh"

# golden NAME WORD...: standard output, then standard error, as kept in NAME.txt; exit 0.
golden() {
    local name=$1 status=0
    shift
    cases=$((cases + 1))
    "$program" "$@" >out 2>err </dev/null || status=$?
    # A release changes the version, a day the date of what was detected.
    {
        cat out
        sed 's/^/stderr: /' err
    } | sed -e "s/breakeven [0-9]*\.[0-9]*\.[0-9]*/breakeven VERSION/" \
        -e 's/^"version":"[^"]*"/"version":"VERSION"/' >"got-$name.txt"
    # A detected cluster has the date of today.
    case $name in detected*) sed -i "s/$(date -u +%Y-%m-%d)/TODAY/g" "got-$name.txt" ;; esac
    if [ "$status" -ne 0 ]; then
        bad "$name: exit $status: $(head -n 1 err)"
    elif $update; then
        cmp -s "got-$name.txt" "$here/$name.txt" || { cp "got-$name.txt" "$here/$name.txt" && echo "updated  $name"; }
    elif diff -u "$here/$name.txt" "got-$name.txt" >diff 2>&1; then
        echo "ok       $name"
    else
        bad "$name differs"
        head -n 40 diff
    fi
}

# refused CODE FRAGMENT WORD...
refused() {
    local want=$1 fragment=$2 code=0
    shift 2
    cases=$((cases + 1))
    "$program" "$@" >out 2>err </dev/null || code=$?
    if [ "$code" -ne "$want" ]; then
        bad "$*: exit $code, not $want"
    elif ! tr '\n' ' ' <err | grep -Fq -- "$fragment"; then
        bad "$*: does not say '$fragment': $(cat err)"
    elif [ -s out ]; then
        bad "$*: unasked on stdout"
    else
        echo "ok       $*: $fragment"
    fi
}

job() { golden "$1" job --catalogue="$shipped" "${@:2}"; }

# ---- scripts -------------------------------------------------------------------------------------

job narval --cluster narval --gpus 1 --cpus 4 --mem 8G --time 1:00:00 -- python train.py
job share --cluster=fir --gpus=2 -A def-me -- python train.py --epochs 3
job more --cluster=narval --gpus=1 --cpus=20 --mem=200G --time=5:00:00 -A def-me -- ./sim
job cpu --cluster=rorqual --cpus=16 --time=3-0 -A def-me --name='my sim' --output-file='logs/%j.txt' -- ./sim
job tasks --cluster=nibi --gpus=16 --nodes=2 --tasks=16 --time=2-0 -A def-me --stage=data.tar --stage='a b' \
    --watch -- ./sim data.tar 'a b' c
job array --cluster=kestrel --gpus=1 --time=60 -A me --array=0-9%3 -- ./sim --seed={index} 'out {index}.txt'
job whole-node --cluster=vermilion --gpus=1 --time=60 -A me -- ./sim
job unknown --cluster=scc --gpus=1 --time=60 -- ./sim
job terms --cluster=perlmutter --gpus=4 --constraint='gpu&hbm80g' --qos=premium --time=2:00:00 -A me -- ./sim
job exclusive --cluster=kestrel --gpus=2 --exclusive --qos=high --time=2:00:00 -A me -- ./sim
job required --cluster=mn5 --gpus=1 --mem=0 --time=2:00:00 -A me -- ./sim
job lsf --lsf --gpus=1 --cpus=4 --mem=8G --time=4:00 --array=1-10 -- python x.py
job quoting --cluster=narval -q --time=60 -A me -- ./x 'a b' "it's" '$HOME' '`id`' $'two\nlines' '' '#' 'A=b' -q
job from-cpu --cluster=narval --time=60 -A me --from="golden/report-cpu.json" --gpus=0 -- ./x
job from-elsewhere --cluster=narval --time=60 -A me --from="golden/report-elsewhere.json" --workload=sort -- ./x
job from-elsewhere-copies --cluster=narval --time=60 -A me --from="golden/report-elsewhere.json" --workload=power -- ./x
job from-h200 --cluster=narval --time=60 -A me --from="golden/report-h200.json" --gpus=1 -- ./x
job from-run --cluster=fir -A me --from=traces/made-up/t-good-train.json -- python train.py
job from-run-cpu --cluster=fir -A me --from=traces/cpu-2026-11-21/c-threads.json --time=2:00:00 -- ./x

# A run whose job had more memory than its processes; one of eight tasks, which says nothing of the others.
python3 - "$here/../observe/traces/made-up/t-good-train.json" <<'END'
import json, sys
for name, factor, tasks in (("job", 4, 1), ("task", 1, 8)):
    trace = json.load(open(sys.argv[1]))
    memory = next(dict(one) for one in trace["series"] if one["signal"] == "memory")
    memory["signal"] = "job_memory"
    memory["values"] = [value and factor * value for value in memory["values"]]
    for figure in ("mean", "least", "most"):
        memory[figure] *= factor
    trace["series"].append(memory)
    trace["limits"]["tasks_here"] = tasks
    json.dump(trace, open(name + ".json", "w"))
END
asked() { "$program" job --catalogue="$shipped" --cluster=fir -A me --from="$1" -- ./x 2>/dev/null; }
asked job.json >whole.sh
asked task.json >one.sh
check 'memory is that of the job, where its group tells' grep -qx -- '#SBATCH --mem=14592M' whole.sh
asked - <job.json >input.sh
sed 's/from job[.]json/from -/' whole.sh >by-name.sh
check 'a saved run may come by standard input' cmp by-name.sh input.sh
check 'memory is not taken from one of several tasks' sh -c \
    "tr -s '\n#' '  ' <one.sh | grep -q 'one of 8 tasks on its node: memory is left to you'"

check 'scripts and remarks of our own keep to 80 columns' sh -c \
    '! sed "s/^stderr: //; s/^stdout: //" "$@" | grep -E "^(#|from |note).{80}"' sh "$here"/*.txt

# The script that docs/job.md shows is the one that comes out.
"$program" job --catalogue="$shipped" --cluster narval --gpus 1 --cpus 4 --mem 8G --time 1:00:00 \
    -- python train.py 2>/dev/null >shown.sh
awk '/^```$/ { if (inside) exit; inside = 1; next } inside' "$here/../../docs/job.md" >told.sh
sed -i 's/breakeven [0-9.]* for/breakeven VERSION for/' shown.sh told.sh
check 'docs/job.md shows the script that is written' cmp shown.sh told.sh

# The linter has nothing against them: every cluster in service, in several sizes.
for file in "$shipped"/*.json; do
    cluster=$(basename "$file" .json)
    grep -q '"ended"\|"lsf"' "$file" && continue
    count=0
    for options in '' '--gpus=1' '--gpus=4' '--gpus=8' '--gpus=4 --tasks=4' '--gpus=1 --array=0-3' \
        '--cpus=8 --mem=8G' '--tasks=8' '--gpus=1 --stage=x.tar --watch' '--gpus=8 --nodes=2 --tasks=8'; do
        # Not every cluster has every size.
        # shellcheck disable=SC2086 # several words
        "$program" job --catalogue="$shipped" --cluster="$cluster" -q --time=60 -A me $options \
            -- ./sim {index} x.tar >lint.sh 2>err || continue
        count=$((count + 1))
        "$program" lint --catalogue="$shipped" --cluster="$cluster" --fail-on=warning lint.sh >lint.out 2>&1 ||
            bad "$cluster $options: $(grep -E 'error|warning' lint.out | head -n 2)"
    done
    check "lint: $count scripts for $cluster" [ "$count" -ge 4 ]
done

# ---- clusters ------------------------------------------------------------------------------------

export BREAKEVEN_CLUSTERS=/nowhere
golden page clusters breakeven --catalogue=cluster.json
golden page-json clusters breakeven --catalogue=cluster.json --json
golden detected clusters maple --detect=partition.txt,node.txt,config.txt
golden detected-json clusters --detect=partition.txt,node.txt,config.txt --json
golden detected-sinfo clusters --detect=sinfo.txt --json
unset BREAKEVEN_CLUSTERS
"$program" clusters --catalogue="$shipped" >table
check '  a name that is cut says so' grep -q '^adroit .*  NVIDIA A100 80 GB, \.\.\. ' table
check 'the table: every cluster that is shipped' sh -c \
    "for f in '$shipped'/*.json; do grep -q \"^\$(basename \$f .json) \" table || exit 1; done"
check '  within 80 columns' sh -c '! grep -qE "^.{81,}" table'
for file in "$shipped"/*.json; do
    name=$(basename "$file" .json)
    "$program" clusters "$name" --catalogue="$shipped" >page
    check "page of $name: within 80 columns" sh -c '[ -s page ] && ! LC_ALL=C.UTF-8 grep -qE "^.{81,}" page'
done
"$program" clusters --catalogue="$shipped" --json >all.json
check 'clusters --json is a catalogue file itself' "$program" clusters fir --catalogue=all.json
check 'a detected cluster takes jobs' sh -c \
    "'$program' clusters --detect=sinfo.txt --json=mine.json >/dev/null &&
     '$program' job --catalogue=mine.json --cluster=detected --gpus=1 -q -- ./x | grep -q 'gres=gpu:h100:1'"

sed 's/"gpu_partition"/"gpu_partitoin"/' clusters/swift.json >slip.json
golden slip job --catalogue=slip.json --cluster=swift --cpus=1 --time=60 -A me -- ./x

# ---- files ---------------------------------------------------------------------------------------

check 'job --output: a file, and how to submit it' sh -c \
    "'$program' job --lsf -q -o job.sh -- ./x && grep -q 'Submit it with: bsub < job.sh' job.sh && bash -n job.sh"
refused 2 'job.sh: is there already; --force' job --lsf -q -o job.sh -- ./x
check 'job --force' "$program" job --lsf -q --force -o job.sh -- ./x
check '  leaves nothing beside it' sh -c '[ "$(echo job.sh*)" = job.sh ]'
refused 2 'missing/job.sh: cannot be written' job --lsf -o missing/job.sh -- ./x
refused 2 'is a folder' job --lsf -o . -- ./x
check 'a program with an index is no assignment' sh -c \
    "'$program' job --lsf -q --array=1-2 -- 'a={index}' | tail -n 1 | grep -Fqx \"'a='\\\"\\\$LSB_JOBINDEX\\\"\""
check 'a full disk is said' sh -c "! '$program' job --lsf -o /dev/full -- ./x 2>err && grep -q 'No space' err"

# ---- what is wrong -------------------------------------------------------------------------------

narval=(job --catalogue="$shipped" --cluster=narval)
check 'notes keep to 80 columns' sh -c \
    "'$program' ${narval[*]} --gpus=2 -- python t.py 2>&1 >/dev/null | grep '^note: ' >notes.out &&
        '$program' ${narval[*]} --gpus=2 -- python t.py 2>&1 >/dev/null | awk 'length > 80 { exit 1 }'"
refused 2 'which command? it stands last' "${narval[@]}"
refused 2 'which command? it stands last' "${narval[@]}" -- ''
refused 2 '--cluster=NAME is needed, one of' job -- ./x
refused 2 'cluster nowhere: not in the catalogue; there are: adroit' job --catalogue="$shipped" --cluster=nowhere -- ./x
refused 3 'out of service since 2025-09-12; its successor is fir' job --catalogue="$shipped" --cluster=cedar -- ./x
refused 2 '--gpus x: a number is needed' "${narval[@]}" --gpus=x -- ./x
refused 2 'narval has no such type; it has: a100' "${narval[@]}" --gpus=h100:1 -- ./x
refused 2 'must be a whole number' "${narval[@]}" --cpus=1.5 -- ./x
refused 2 'at least 1' "${narval[@]}" --tasks=0 -- ./x
refused 2 'srun: job starts the 4 tasks with srun itself' "${narval[@]}" --gpus=2 --nodes=2 --tasks=4 -- srun ./a
refused 2 'no cluster has so many' job --lsf --cpus=1000000 --tasks=1000000 -- ./x
refused 2 '--qos: is of Slurm' job --lsf --qos=a -- ./x
refused 2 '--constraint: is of Slurm' job --lsf --constraint=a -- ./x
refused 2 '--mem=0: is of Slurm' job --lsf --mem=0 -- ./x
refused 2 '--constraint: a directive cannot carry' "${narval[@]}" --constraint='a b' -- ./x
refused 2 '--qos: a directive cannot carry' "${narval[@]}" --qos='$(id)' -- ./x
refused 2 'the longest job of QOS debug is 30 minutes' job --catalogue="$shipped" --cluster=perlmutter --qos=debug --time=60 -- ./x
refused 2 'QOS boost_qos_lprod gives a job 3 at most' job --catalogue="$shipped" --cluster=leonardo --gpus=4 --nodes=4 \
    --qos=boost_qos_lprod --time=60 -- ./x
refused 2 '--mem 8: without a unit that is megabytes: 8G or 8M' "${narval[@]}" --mem=8 -- ./x
refused 2 '--mem 8X: a whole number with K, M, G or T' "${narval[@]}" --mem=8X -- ./x
refused 2 '--time 1:2:3:4' "${narval[@]}" --time=1:2:3:4 -- ./x
refused 2 '--array x: indices are needed' "${narval[@]}" --array=x -- ./x
refused 2 '--array 0-3%4' "${narval[@]}" --array=$'0-3%4\n#SBATCH --hold' -- ./x
refused 2 'the longest job of narval is 7 days' "${narval[@]}" --time=8-0 -- ./x
refused 2 'not in the catalogue (did you mean narval?)' job --catalogue="$shipped" --cluster=narvall -- ./x
refused 2 '--lsf: narval has Slurm' "${narval[@]}" --lsf -- ./x
refused 2 'No such file' "${narval[@]}" --from=missing.json -- ./x
refused 2 'nothing is known of a GPU' "${narval[@]}" --from=golden/report-cpu.json -- ./x
refused 2 'of which comparison?' "${narval[@]}" --workload=power -- ./x
refused 2 'has none; leave it out' "${narval[@]}" --workload=power --from=traces/made-up/t-good-train.json -- ./x
refused 2 'holds the profile of a machine' "${narval[@]}" --from="golden/report-profile-cpu.json" -- ./x
refused 2 'has no name of its own' "${narval[@]}" --stage=.. -- ./x
refused 2 'which `breakeven clusters --catalogue=FILE` reads' report cluster.json
refused 2 'not in the catalogue' clusters nowhere --catalogue="$shipped"
refused 2 'missing: No such file' clusters --catalogue=missing
mkdir empty && echo '{' >broken.json
refused 2 'has no *.json files' clusters --catalogue=empty
refused 2 'broken.json: line ' clusters --catalogue=broken.json
refused 2 'one name, not two' clusters a b
refused 2 'broken.json: not the output of scontrol' clusters --detect=broken.json
refused 2 'missing: No such file' clusters --detect=missing
mkdir fake
cat >fake/scontrol <<'FAKE'
#!/bin/sh
case "$*" in
*partition*) cat partition.txt ;;
*config*) cat config.txt ;;
*) echo "slurm_load_nodes: Access denied" >&2; exit 1 ;;
esac
FAKE
printf '#!/bin/sh\ncat sinfo.txt\n' >fake/sinfo
chmod +x fake/*
check '--detect where nodes are hidden: sinfo has them' sh -c \
    "PATH=\$PWD/fake:\$PATH '$program' clusters --detect --json >hidden.json &&
     grep -q '\"name\":\"maple\"' hidden.json && grep -q '\"gpu\":\"h100\"' hidden.json"
printf '#!/bin/sh\necho down >&2\nexit 1\n' >fake/scontrol
check '--detect where Slurm does not answer: says so' sh -c \
    "PATH=\$PWD/fake:\$PATH '$program' clusters --detect 2>err; [ \$? -eq 2 ] && grep -q 'down' err"
check '--detect where there is no Slurm: exit 3, and what to do' sh -c \
    "PATH=/nowhere '$program' clusters --detect 2>err; [ \$? -eq 3 ] && grep -q 'run it on the cluster' err"

done_testing job
