#!/usr/bin/env bash
# `breakeven queue` as a user meets it: files of all kinds, bad input, a Slurm that answers, fails, or is
# not there (stand-ins in tests/fake/slurm).
# usage: tests/cli/queue.sh BUILD/breakeven
# shellcheck disable=SC2016 # what is quoted is for sh -c
# shellcheck source-path=SCRIPTDIR
set -u

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "usage: $0 BUILD/breakeven" >&2
    exit 2
fi
program=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
samples=$here/../fuzz/accounting
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
export LC_ALL=C TZ=UTC USER=me FAKE_LOG=$scratch/log
plain_path=$PATH
. "$here/../checks.sh"

# run WORD...: the program, with its answer in out, err and code.
run() {
    timeout -k 5 120 "$program" queue "$@" >out 2>err </dev/null
    code=$?
}

# says NAME WORD... : exit 0, nothing on stderr; then `has` looks at what it said.
says() {
    local name=$1
    shift
    run "$@"
    check "$name: exit 0, stderr empty" sh -c "[ $code -eq 0 ] && [ ! -s err ]"
}
has() { check "  says '$1'" grep -Fq -- "$1" out; }
lacks() { check "  does not say '$1'" sh -c '! grep -Fq -- "$1" out' sh "$1"; }

# refuses CODE FRAGMENT WORD...
refuses() {
    local want=$1 fragment=$2
    shift 2
    run "$@"
    cases=$((cases + 1))
    if [ "$code" -ne "$want" ] || [ -s out ] || ! tr -s ' \n' ' ' <err | grep -Fq -- "$fragment"; then
        bad "$*: exit $code, not $want with '$fragment'"
    else
        echo "ok       $*: $fragment"
    fi
}

# ---- files ------------------------------------------------------------------------------------

cat >jobs <<'END'
JobID|Partition|User|Submit|Start|End|State|NCPUS|ReqMem|Timelimit
1|medium|me|2024-01-01T00:00:00|2024-01-01T00:08:12|2024-01-01T01:00:00|COMPLETED|1|4G|01:00:00
2|medium|me|2024-01-01T00:00:00|2024-01-01T03:24:00|2024-01-01T04:00:00|COMPLETED|8|4G|01:00:00
3|gpu|you|2024-01-01T00:00:00|2024-01-01T00:04:42|2024-01-01T01:00:00|COMPLETED|1|4G|01:00:00
4|int|you|2024-01-01T00:00:00|Unknown|Unknown|PENDING|1|4G|01:00:00
5.batch|||2024-01-01T00:00:00|2024-01-01T00:04:42|2024-01-01T01:00:00|COMPLETED|1||
no job at all
END
says 'the table' jobs -p medium,gpu,int -it 4,4
cat >expected <<'END'
Partition  < 4 CPUh   4 CPUh - 16 CPUh  16 CPUh - 64 CPUh  > 64 CPUh
medium     8.2 m (1)  3.4 h (1)         NA                 NA
           ?          ?
gpu        4.7 m (1)  NA                NA                 NA
           ?
int        NA         NA                NA                 NA
END
check 'the table is that of the seed, with the spread of each wait below it' \
    sh -c 'head -n 6 out | diff - expected'
has '1 of 7 lines is no job'
has 'jobs:7: has too few fields: no job at all'
check 'no line is wider than 80 columns' sh -c '! grep -qE "^.{81}" out'
says 'the bins in the same word' jobs -it4,4
has '4 CPUh - 16 CPUh'
says 'memory-hours' jobs -m -it 1,4 -p gpu
has '4 GBh - 16 GBh'
gzip -k jobs
says 'a compressed file' jobs.gz -p medium
has '3.4 h (1)'
"$program" queue - -p medium <jobs >out 2>err
check 'standard input' grep -Fq '3.4 h (1)' out
tail -n +2 jobs >bare
says 'a file without a header' bare --fields=jobid,partition,user,submit,start,end,state,ncpus,reqmem,timelimit
has '3.4 h (1)'
says 'the 26 fields' "$samples/raw26.txt"
has 'croutons'
# One table from one accounting, in every form that it is saved in.
cat >plain <<'END'
JobID|JobName|Partition|User|Submit|Start|End|State|NCPUS|ReqTRES|AllocTRES|Timelimit|NodeList|Comment
1|train|medium|me|2024-01-01T00:00:00|2024-01-01T00:08:12|2024-01-01T01:00:00|COMPLETED|1|cpu=1,mem=4G|cpu=1,mem=4G,node=1|01:00:00|n1|
2_[3,5-7]|a, "b" and c|medium|me|2024-01-01T00:00:00|2024-01-01T03:24:00|2024-01-01T04:00:00|COMPLETED|8|cpu=8,mem=4G|cpu=8,mem=4G|01:00:00|n[1-2,4]|one
3|x|gpu|you|2024-01-01T00:00:00|2024-01-01T00:04:42|2024-01-01T01:00:00|COMPLETED|1|cpu=1,gres/gpu=1|cpu=1,gres/gpu:a100=1,gres/gpu=1|01:00:00|n3|two
4|y|gpu|you|2024-01-01T00:00:00|Unknown|Unknown|PENDING|1|cpu=1||01:00:00|None assigned|
END
says 'with bars' plain --json --by=gpus
grep -o '"rows".*' out >rows.plain
sed -n '/"rows"/,/rejected/p' out | grep -v '"lines"' >rows.plain
python3 - <<'END'
import csv, json, re
rows = [line.split("|") for line in open("plain").read().splitlines()]
for name, dialect in (("quoted.csv", dict(quoting=csv.QUOTE_ALL)), ("pandas.csv", {}), ("tabs.tsv", dict(delimiter="\t")),
                      ("semicolons.csv", dict(delimiter=";"))):
    with open(name, "w", newline="") as out:
        csv.writer(out, **dialect).writerows(rows)
# as sacct --delimiter=, has it: nothing is in quotes
open("commas.sacct", "w").write("".join(",".join(field.replace('a, "b" and c', "ab") for field in row) + "\n" for row in rows))
short = [re.sub("Partition", "part", name) for name in rows[0]]
open("short", "w").write("\n".join("|".join(row) for row in [["sub" if n == "Submit" else n for n in short]] + rows[1:]) + "\n")
open("broken", "w").write(open("plain").read().replace('a, "b" and c', 'a\nb|c\n\n| d').replace("|one", "|one|and\nmore|of it"))
END
for file in quoted.csv pandas.csv tabs.tsv semicolons.csv commas.sacct short broken; do
    says "as $file" $file --json --by=gpus
    sed -n '/"rows"/,/rejected/p' out | grep -v '"lines"' >rows
    check '  has the same jobs' cmp rows.plain rows
    check '  and leaves no line' grep -q '"rejected":0' out
done
tail -n +2 tabs.tsv >bare.tsv
says 'a sign that is named' bare.tsv --delimiter=tab --fields="$(head -n 1 plain | tr '|' ',')" -p medium
has '3.4 h (4)'
says 'columns shortened' bare --fields=jobid,part,user,sub,start,end,state,ncpus,reqmem,timel
has '3.4 h (1)'
sed 's/|gpu|you|2024-01-01T00:00:00|Unknown/|gpu,later|you|2024-01-01T00:00:00|Unknown/' plain >both
says 'a job that waits in two partitions' both -p later
has '1 job left out, not started'
refuses 2 'there are: gpu, later, medium' both -p nope
cat >published.csv <<'END'
job_id,user,account,partition,qos,wallclock_req,nodes_req,processors_req,gpus_req,mem_req,submit_time,start_time,end_time,run_time,state,name
1,me,a,gpu,normal,7200.0,1,8,2,0.0,2019-01-01 08:55:55,2019-01-01 08:56:55,2019-01-01 09:00:00,185.0,COMPLETED,name1
END
says 'a published data set' published.csv --by=gpus
check '  with hours asked for and GPUs' grep -Eq '^2 +NA +NA +1.0 m \(1\)' out
# Texts with marks in several columns, and in quotes with line ends.
printf 'JobID|JobName|Comment|Partition|Submit|Start|NCPUS|Timelimit|WorkDir\n7|a|b|c||d|gpu|2024-01-01T00:00:00|2024-01-01T00:05:00|1|01:00:00|/x|y\n' >marks
says 'marks in three texts' marks
has 'gpu        5.0 m (1)'
printf '"JobID","JobName","Partition","Submit","Start","NCPUS","Timelimit"\n"7","one\ntwo, ""three""\n","gpu","2024-01-01T00:00:00","2024-01-01T00:05:00","1","01:00:00"\n' >multiline.csv
says 'line ends in quotes' multiline.csv
has 'gpu        5.0 m (1)'
lacks 'no job'
printf 'JobID|JobName|Partition|Submit|Start|NCPUS|Timelimit\n6|cut\n7|"x|gpu|2024-01-01T00:00:00|2024-01-01T00:05:00|1|01:00:00\n' >cut
says 'a line that was cut, and a whole one' cut
has 'gpu        5.0 m (1)'
has 'cut:2: has too few fields: 6|cut'
# As sacct --json of 21.08, of 23.11, and on one line.
says 'JSON of an old Slurm' "$samples/sacct-21.08.json" --by=gpus --json
sed -n '/"rows"/,/"jobs"/p' out >rows.old
check '  has its jobs' python3 -c 'import json; j = json.load(open("out")); c = j["counts"]; assert (c["counted"], c["not_started"], c["rejected"]) == (2, 4, 0), c; r = {r["row"]: r["all"] for r in j["rows"]}; assert r["2"]["wait_s"] == 300 and r["0"]["wait_s"] == 60, r'
says 'JSON of a newer one' "$samples/sacct-23.11.json" --by=gpus --json
check '  has the same' python3 -c 'import json; j = json.load(open("out")); c = j["counts"]; assert (c["counted"], c["not_started"], c["rejected"]) == (2, 4, 0), c; r = {r["row"]: r["all"] for r in j["rows"]}; assert r["2"]["wait_s"] == 300 and r["0"]["wait_s"] == 60, r'
python3 -c 'import json, sys; json.dump(json.load(open(sys.argv[1])), open("one.json", "w"), separators=(",", ":"))' "$samples/sacct-23.11.json"
says 'on one line' one.json --by=gpus --json
check '  has the same' python3 -c 'import json; c = json.load(open("out"))["counts"]; assert (c["counted"], c["not_started"], c["rejected"]) == (2, 4, 0), c'
says 'memory of JSON' "$samples/sacct-23.11.json" --by=mem
has '16 GB - 32 GB'
head -c 1500 "$samples/sacct-23.11.json" >short.json
refuses 2 'JSON that ends early' short.json
echo '{"meta": {}}' >no.json
refuses 2 'JSON without jobs' no.json
says 'Standard Workload Format' "$samples/swf.txt"
has 'astro'
says 'several files' jobs "$samples/swf.txt"
has 'astro'
has 'gpu'
says 'rows by hour' jobs --by=hour
has '00:00  6.5 m (2)'
says 'a quantile' jobs --quantile=0.9
has '0.9 quantile'
says 'filters' jobs --user=you --state=COMPLETED --since=2024-01-01 --until=2024-01-01
has '3 jobs left out, not asked for'
says 'CSV' jobs --csv
check '  has a row a cell' sh -c '[ "$(wc -l <out)" -eq 9 ]'
says 'JSON' jobs --json
check '  is JSON' python3 -c 'import json; j = json.load(open("out")); assert j["rows"][1]["cells"][0]["wait_s"] == 492 and j["counts"]["rejected"] == 1'
says 'a chart' jobs --chart
has 'Waits by size: # median, . three in four; jobs'
says 'a drawing' jobs --chart=chart.svg
check '  is XML' python3 -c 'import xml.dom.minidom as m; m.parse("chart.svg")'
says 'a time zone' jobs --tz=Europe/Berlin
printf 'JobID|Partition|Submit|Start|State|NCPUS|Timelimit\n1|gpu|2024-03-31T01:59:00|2024-03-31T03:01:00|COMPLETED|1|01:00:00\n' >spring
says 'as it stands' spring
has '1.0 h (1)'
says 'with the zone' spring --tz=Europe/Berlin
has '2.0 m (1)'
: >empty
says 'an empty file' empty

# ---- what makes no sense ----------------------------------------------------------------------

says 'an empty file' /dev/null
has 'No job to show: there is none in the accounting.'
says 'nobody of that name' "$samples/sacct.txt" --user=nobody-at-all
has 'No job to show: none that started is among those asked for.'
refuses 2 'is after --until' "$samples/sacct.txt" --since=2026-02-02 --until=2026-01-01
refuses 2 'partition nope: no job names it; there are: gpu, int, medium' jobs -p nope
sed '/^5.batch/d; /^no job/d; s/|medium|/|p58|/; s/|gpu|/|p8|/; s/|int|/|p100|/' jobs >numbered
says 'partitions with numbers' numbered
check '  8 comes before 58' sh -c '[ "$(grep -o "^p[0-9]*" out | tr "\n" " ")" = "p8 p58 " ]'
refuses 2 'there are: p8, p58, p100' numbered -p nope
refuses 2 'as in 4,4' jobs -it 4
refuses 2 '--bins 4:' jobs -t 4
refuses 2 'a factor above 1' jobs -it 4,1
refuses 2 'a factor above 1' jobs -t 1e300,1e300
refuses 2 'a factor above 1' jobs -t inf,4
refuses 2 'between 0 and 1' jobs --quantile=1
refuses 2 'between 0 and 1' jobs --quantile=0
refuses 2 'there are partition, hour' jobs --by=moon
refuses 2 'no such state' jobs --state=TIRED
refuses 2 'a day is needed' jobs --since=yesterday
refuses 2 'a day is needed' jobs --since=2024
refuses 2 'a day is needed' jobs --until=20240101
refuses 2 'no such time zone' jobs --tz=Mars/Base
refuses 2 'nowhere' nowhere
echo hello >hello
refuses 2 'neither of `sacct -P`' hello
printf 'JobID           JobName  Partition\n------------ ---------- ----------\n123     train        gpu\n' >wide
refuses 2 'with blanks between them' wide
printf 'JobID||Partition||Submit||Start\n1||a||2020-01-01T00:00:00||2020-01-01T00:01:00\n' >twofold
says 'columns without a name' twofold -q
has '1 job left out, without a size'
sed 's/||/<>/g' twofold >pointed
refuses 2 'more than one sign between its columns' pointed
refuses 2 'one sign that is no letter' --delimiter=ab jobs
refuses 2 'name the FILE' '--delimiter=;'
# Files that people have, and what to do with them: the advice works.
sed -n '1,4p' jobs >few
# Packed as it is, or, where the build has no library for that, named with what unpacks it. Two files behind one another
# are one, and a file that was cut or damaged is said.
for tool in xz zstd bzip2; do
    command -v "$tool" >/dev/null || continue
    "$tool" -qc few >few.packed
    if "$program" queue few.packed -p medium >out 2>err; then
        has '8.2 m (1)'
        { "$tool" -qc jobs; tail -n +2 few | "$tool" -qc; } >twice.packed
        cat jobs <(tail -n +2 few) >twice
        says "$tool: two packed files behind one another" twice -q
        sed "s,^  twice:,  twice.packed:," out >unpacked
        "$program" queue twice.packed -q >out 2>err
        check '  are as one' diff unpacked out
        head -c $(($(wc -c <few.packed) - 9)) few.packed >cut.packed
        refuses 2 'cut.packed: damaged after' cut.packed
        "$tool" -qc twofold | sed 's/./\x00/60' >torn.packed
        check "  a torn one ends in words" sh -c "'$program' queue torn.packed -q >out 2>err; [ \$? -le 2 ]"
    else
        refuses 2 "is compressed by $tool: \`$tool -dc FILE | breakeven queue -\` reads it" few.packed
    fi
    check "$tool: unpacked before" sh -c "$tool -qdc few.packed | '$program' queue - -p medium | grep -Fq '8.2 m (1)'"
done
iconv -f UTF-8 -t UTF-16 few >few.utf16
refuses 2 'is UTF-16: `iconv -f UTF-16 -t UTF-8 FILE | breakeven queue -` reads it' few.utf16
check '  and so it does' sh -c "iconv -f UTF-16 -t UTF-8 few.utf16 | '$program' queue - -p medium | grep -Fq '8.2 m (1)'"
echo '01/31/2026 12:00:00;E;4711.server;user=me group=us queue=batch ctime=1769857200' >pbs
refuses 2 'a log of PBS or Torque' pbs
echo '"JOB_FINISH" "10.1" 1769857200 4711 1000 33554434 1 1769857100 0 0 1769857110' >lsf
refuses 2 'a log of LSF' lsf
{ printf 'all.q:host:us:me:name:4711:sge:0:1769857100:1769857110:1769857200'; printf ':0%.0s' $(seq 33); echo; } >sge
refuses 2 'a log of Grid Engine (SGE' sge
echo 'JobId=4711 UserId=me(1000) Name=x JobState=COMPLETED Partition=gpu' >completion
refuses 2 "save the accounting with \`sacct -a -X -P\`" completion
sed -E 's/20([0-9]{2})-([0-9]{2})-([0-9]{2})T/\3.\2.\1 /g' few >strange
refuses 2 'none of its 3 lines is a job: line 2 Submit is no time' strange
refuses 2 '`unset SLURM_TIME_FORMAT`, and save it again' strange
printf 'JobID|Partition|Submit|Start\n1|a|2020-01-01T00:00:00|2020-01-01T00:01:00\nnothing\n' >little
says 'a job of which no size is known' -q little
has '1 job left out, without a size'
has '1 job without a time limit: its size is what it used'
has '1 of 3 lines is no job; the first:'
refuses 2 '--time' --forecast jobs
refuses 2 'a time limit is needed' --forecast jobs --time=soon
refuses 2 'a time limit is needed' --forecast jobs --time=5.
says 'a time as sbatch takes it, which is a day' --forecast jobs --time=1- -q
has 'and 24.0 h,'
refuses 2 'as 32G' --forecast jobs --mem=lots
says 'a size as sbatch takes it' --forecast jobs --mem=8gb --time=60 -q
has '8 GB'
refuses 2 'a share up to 0.9' --evaluate=2 jobs
refuses 2 '--chart: which file?' --chart= jobs
refuses 2 'it is drawn as SVG: name it FILE.svg' --chart=chart.png jobs
refuses 2 'jobs is named twice' jobs jobs
refuses 2 'a time limit is needed' --forecast jobs --time=60,soon
refuses 2 'not a number' --forecast jobs --cpus=1,,4 --time=60
refuses 2 'at most 16 values' --forecast jobs --cpus="$(seq -s, 17)" --time=60
refuses 2 'more than 64 jobs together' --forecast jobs --cpus="$(seq -s, 9)" --time="$(seq -s, 8)"
refuses 2 'what time limit' --forecast jobs --cpus=1,4
refuses 2 'add --forecast' --cpus=4 jobs
refuses 2 'add --forecast' --deadline=tomorrow jobs
refuses 2 'one at a time' --forecast --evaluate jobs
refuses 2 '--page 0: days above 0' --page=0 jobs
refuses 2 'a FILE is read as it is' --page=3 jobs
refuses 2 'name the FILE' --fields=jobid,partition
refuses 2 '--csv and --chart need a file each' --csv=same --chart=same jobs
refuses 2 'name the files' --evaluate
for words in "--bins=4,4" "-it 4,4" -m --quantile=0.9 --by=gpus --of=used --arrays=job --chart
do
    # shellcheck disable=SC2086 # an option and its value
    refuses 2 'of the table of waits' --forecast --time=60 $words jobs
    # shellcheck disable=SC2086
    refuses 2 'of the table of waits' --evaluate $words jobs
done
refuses 2 'prints Markdown' --evaluate --json=never.json jobs
refuses 2 'prints Markdown' --evaluate --csv jobs
refuses 2 'partition nosuch: no job names it' --evaluate -p nosuch jobs
says 'a job larger than any' --forecast --time=60 --cpus=100000 jobs
has 'no partition has run a job so large'
lacks 'half start'

# Where there is nothing to go by nothing is said of how good that is.
head -n 1 jobs >none
refuses 2 'there is no job in the accounting to go by' --forecast --time=60 none
for file in none jobs; do
    says "forecasts of $file" --evaluate -q $file
    has "| $file |"
    has '| - | - | - | too few jobs |'
    lacks nan
    lacks miss
done

# A partition's name from a file is text also in what is said of an error.
printf 'JobID|Partition|Submit|Start|NCPUS|Timelimit\n1|\033]0;title\007r\302\233\303\251|2024-01-01T00:00:00|2024-01-01T00:08:12|1|01:00:00\n' >steering
refuses 2 'there are: ?]0;title?r?é' -p nosuch steering

# ---- a Slurm that answers ---------------------------------------------------------------------

export PATH=$here/../fake/slurm:$plain_path
: >log
says 'sacct is asked' --since=2024-01-01 --until=2024-01-03 -q
has 'gpu        NA        5.0 m (144)'
check '  three days in three pages' sh -c '[ "$(grep -c ^sacct log)" -eq 3 ]'
check '  for all users, without steps, for the fields it needs' \
    grep -q -- '-a -X -P --format=JobID,Partition,User,Account,QOS,Submit,Eligible,Start,End,' log
: >log
FAKE_SACCT=young says 'a sacct without reasons' --since=2024-01-01 --until=2024-01-03 -q
has 'gpu        NA        5.0 m (144)'
check '  is asked for them once' sh -c '[ "$(grep -c "^sacct.*Reason" log)" -eq 1 ] && [ "$(grep -c ^sacct log)" -eq 4 ]'
: >log
says 'larger pages' --since=2024-01-01 --until=2024-01-10 --page=5 -q
check '  ten days in two' sh -c '[ "$(grep -c ^sacct log)" -eq 2 ]'
has '(480)'
: >log
says 'a page that has it all' --since=2024-01-01 --until=2024-01-10 --page=1e300 -q
check '  ten days in one' sh -c '[ "$(grep -c ^sacct log)" -eq 1 ]'
has '(480)'
: >log
# An hour that comes twice at the end of a page: each job of it is counted once.
for days in 1 30; do
    TZ=Europe/Berlin "$program" queue --since=2024-10-20T02:30 --until=2024-11-03T02:30 --page=$days -q --json >"page-$days.json"
done
check 'pages that end where clocks are put back have what one page has' \
    sh -c '[ "$(grep -o "\"counted\":[0-9]*" page-1.json)" = "$(grep -o "\"counted\":[0-9]*" page-30.json)" ]'
: >log
# A job that was submitted before and ran on into those days is none of theirs.
says 'the last 30 days' -q
has 'gpu        NA        5.0 m (1440)'
: >log
says 'a forecast' --forecast -p gpu --cpus=4 --time=2:00:00 --mem=8G --gpus=1 --since="$(date -d '-10 days' +%F)" -q
has 'submitted now:'
has 'not a bound'
# The array that waits has 7 tasks; a job that sacct named last may have to start yet.
check '  the array that waits is counted, and Slurm is heard' \
    grep -Eq '^gpu +[0-9.]+ [smh] +[0-9.]+ [smh] +1\.0 h +[78] +' out
check '  why Slurm says nothing of another' grep -q '^slow: sbatch: error: Batch job submission failed' out
# It may go to both partitions, and waits in both.
check '  it is counted in its second partition too' \
    grep -Eq '^slow +[0-9.]+ [smh] +[0-9.]+ [smh] +- +[7-9] +' out
tr '\n' ' ' <out | tr -s ' ' >line
check '  what cannot run yet does not wait, and is told apart' \
    grep -Fq '300 held, 100 to begin later, 1 depending on others, 51 at a limit' line
days=--since="$(date -d '-10 days' +%F)"
# Several jobs with one learning: each is what it is alone, and Slurm is asked once for its jobs, and for no estimate.
says 'one of several jobs, alone' --forecast -p gpu --cpus=4 --time=2:00:00 "$days" -q --csv
sed -n 's/^"gpu",[0-9]*,[0-9]*,\([^,]*,[^,]*\),.*/\1/p' out >alone
mv log before
: >log
says 'several jobs' --forecast -p gpu --cpus=1,4 --gpus=0 --time=1:00:00,2:00:00 "$days" -q --csv
sed -n 's/^4,0,,7200,"gpu",[0-9]*,[0-9]*,\([^,]*,[^,]*\),.*/\1/p' out >among
check '  each is what it is alone' sh -c '[ -s alone ] && cmp alone among'
check '  four of them, in every partition' [ "$(grep -c '"gpu"' out)" -eq 4 ]
check '  squeue is asked once, sbatch not at all' sh -c '[ "$(grep -c ^squeue log)" -eq 1 ] && ! grep -q ^sbatch log'
cat log >>before
mv before log
says 'several as text' --forecast -p gpu --cpus=4,4000 --time=2:00:00 "$days" -q
check '  a line each' grep -Eq '^4 CPUs, 2\.0 h +gpu +[0-9.]+ [smhd] ' out
check '  and one that may not be taken has a mark' grep -Eq '^4000 CPUs, 2\.0 h +gpu \? ' out
has '?: no job with so many CPUs'
check '  no line is wider than 80 columns' sh -c '! grep -qE "^.{81}" out'
says 'several as JSON' --forecast --cpus=4 --time=1:00:00,2:00:00 "$days" -q --json --svg=grid.svg --html=grid.html
check '  a forecast each' sh -c '[ "$(grep -o "\"forecast\":true" out | wc -l)" -eq 2 ]'
check '  a bar each in the drawing' sh -c '[ "$(grep -c "half start within" grid.svg)" -eq 2 ]'
check '  a page' grep -q 'When would these jobs start' grid.html
says 'the same as JSON' --forecast -p gpu --cpus=4 --time=2:00:00 "$days" -q --json
check '  with the reasons' \
    grep -Fq '"cannot_run":{"held":300,"begin":100,"dependency":1,"limit":51,"unsaid":0}' out
# Options that the user set for himself change no answer.
cp out expected
SQUEUE_USERS=me SQUEUE_PARTITION=fresh SQUEUE_STATES=R SINFO_PARTITION=fresh SACCT_FEDERATION=1 SBATCH_EXCLUSIVE=1 \
    SBATCH_GRES=gpu:8 SLURM_CLUSTERS=other says 'beside options in the environment' \
    --forecast -p gpu --cpus=4 --time=2:00:00 "$days" -q --json
check '  the same jobs wait and run' \
    sh -c 'for file in expected out; do grep -o "\"partition\".*\"cannot_run\":{[^}]*}" $file >$file.jobs; done; cmp expected.jobs out.jobs'
check '  and Slurm is heard' grep -Eq '"partition":"gpu".*"slurm_s":3[0-9]{3}' out
SBATCH_ACCOUNT=physics says 'an account from the environment' --forecast -p gpu --cpus=4 --time=2:00:00 "$days" -q
check '  is named to sbatch' grep -q -- '--account=physics' log
FAKE_SQUEUE=long says 'an array of 20,000 tasks' --forecast -p gpu --cpus=4 --time=2:00:00 "$days" -q --json
check '  is so many jobs that wait' grep -Eq '"partition":"gpu",.*"waiting":2000[78],' out
FAKE_SQUEUE=list says 'an array of a list of tasks' --forecast -p gpu --cpus=4 --time=2:00:00 "$days" -q --json
check '  is counted to its end' grep -Eq '"partition":"gpu",.*"waiting":21[34],' out # 7 + 201 + 5
# For jobs submitted before those days only the long waits are told: such a job stands in the queue, and teaches
# nothing.
says 'larger than any job, live' --forecast --cpus=100000 --time=2:00:00 --since="$(date -d '-10 days' +%F)" -q
has 'no partition has run a job so large'
lacks 'not a bound'
FAKE_SACCT=old says 'what was there before' --forecast -p old --cpus=4 --time=2:00:00 -q
has 'no job of this size yet: old'
has 'jobs not of the time or kind asked for'
FAKE_SACCT=old says 'the same of days that are named' --forecast -p old --cpus=4 --time=2:00:00 --since="$(date -d '-9 days' +%F)" -q
has 'no job of this size yet: old'
# A partition that Slurm has, and of which the accounting has no job, is no mistake.
says 'a partition without jobs' --forecast -p fresh --cpus=4 --time=2:00:00 --since="$(date -d '-10 days' +%F)" -q
check '  not enough data of it' grep -Eq '^fresh +not enough data: 0 jobs like it' out
check '  and the others are shown' grep -Eq '^slow +[0-9.]+ [smh] ' out
lacks 'fresh: no job with so many'
refuses 2 'partition nope: no job names it; there are: fresh, gpu, slow' --forecast -p nope --time=60 -q
FAKE_SINFO=fail refuses 2 'partition fresh: no job names it; there are: gpu, slow' --forecast -p fresh --time=60 -q
refuses 2 '--until: without a file the forecast is of now' --forecast --time=60 --until=2024-01-03
run --forecast -p gpu --cpus=4 --time=200:00:00 --since="$(date -d '-2 days' +%F)" -q
has 'not enough data: 0 jobs like it, 29 are needed; Slurm says* 1.0 h'
check '  nothing was submitted' sh -c '! grep -q "a job was submitted" log'
check '  sbatch is asked for what was wished' grep -q -- '--cpus-per-task=4 --time=120 --mem=8192M --gpus=1' log
FAKE_SACCT=fail refuses 2 'sacct failed: sacct: error: slurm_persist_conn_open: refused' -q
FAKE_SACCT=fail refuses 2 'name a FILE that `sacct -P` saved there' -q
FAKE_SACCT=odd refuses 2 'sacct: neither of `sacct -P`' -q
FAKE_SQUEUE=fail refuses 2 'squeue failed: squeue: error: Unable to contact' --forecast --time=60 -q
mkdir nothing
export PATH=$scratch/nothing
timeout() { shift 3; "$@"; }
run() {
    "$program" queue "$@" >out 2>err </dev/null
    code=$?
}
run
export PATH=$plain_path
check 'no sacct here: exit 3, and what to do' \
    sh -c "[ $code -eq 3 ] && grep -q 'sacct: no such command here' err && grep -q 'sacct -P' err"

done_testing queue
