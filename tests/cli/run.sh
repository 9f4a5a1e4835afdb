#!/usr/bin/env bash
# The things that a user meets on the command line: bad input, where results go, Ctrl-C, progress.
# usage: tests/cli/run.sh BUILD/breakeven
# shellcheck disable=SC2016 # what is quoted is for sh -c
# shellcheck source-path=SCRIPTDIR
set -u

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "usage: $0 BUILD/breakeven" >&2
    exit 2
fi
command -v python3 >/dev/null || {
    echo "$0: python3 is needed" >&2
    exit 1
}
program=$(realpath "$1")
golden=$(realpath "$(dirname "$0")/../golden")/report-partial.json
tools=$(realpath "$(dirname "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
unset BREAKEVEN_NULL SLURM_CPUS_PER_TASK BREAKEVEN_PROFILES
export LC_ALL=C HOME=$scratch XDG_DATA_HOME=$scratch/data # no profile of this machine
. "$tools/../checks.sh"

# One size, one thread, hardly a budget: what is measured does not matter here.
quick=(--size=1000 --threads=1 --cache=hot --budget=0.01 --no-refine)

# run WORD...: the program, with its answer in out, err and code; said is err as one line, and spent
# the seconds of a processor that it took, in whole ones: they do not depend on who else is here.
run() {
    local TIMEFORMAT=%0U
    { time timeout -k 5 300 "$program" "$@" >out 2>err </dev/null; } 2>spent
    code=$?
    tr -s '\n ' ' ' <err >said
}

# expect CODE FRAGMENT WORD...: fails at once with that code and a message on stderr that has the
# fragment, and says nothing on stdout.
expect() {
    local want=$1 fragment=$2
    shift 2
    cases=$((cases + 1))
    run "$@"
    if [ "$code" -ne "$want" ]; then
        bad "$*: exit $code, not $want"
    elif ! grep -Fq -- "$fragment" said; then
        bad "$*: does not say '$fragment'"
    elif ! grep -q '^breakeven' err; then
        bad "$*: does not say who speaks"
    elif grep -Eq '^.{81}' err; then
        bad "$*: wider than a terminal"
    elif [ -s out ]; then
        bad "$*: unasked on stdout"
    elif [ "$(cat spent)" -ge 2 ]; then
        bad "$*: took $(cat spent) s of a processor: was something measured?"
    else
        echo "ok       $*: $fragment"
    fi
}

# The one profile that is measured here, watched on a terminal.
python3 "$tools/interrupt.py" probe "$program" own.json >out 2>err
code=$?
cat err
check 'progress of a probe' [ "$code" -eq 0 ]
check 'probe: a profile, a summary, a table of figures' \
    sh -c "[ -s own.csv ] && grep -q 'fma' own.json && grep -q '\"command\":\"probe\"' own.json"
check '  within 80 columns' sh -c "[ -s out ] && ! grep -qE '^.{81,}' out"
# Limits from this profile are not measured anew each time.
known=("${quick[@]}" --machine="$scratch/own.json")

# ---- names and values ---------------------------------------------------------------------------

expect 2 'unmeasurable: no such one; there are: add, ' compare unmeasurable
expect 2 'there are: add, ' compare unmeasurable --self-test=2
expect 2 'Solve: no such one (did you mean solve?); there are: add, ' compare Solve
expect 2 'stensil: no such one (did you mean stencil?)' compare stensil
expect 2 '`breakeven run -- COMMAND` watches a program' compare train.py
expect 2 'several sizes are one word' compare power --size=1e3 1e6
expect 2 'words of their own' compare solve,fft
expect 2 'as in --json=FILE' compare power --json power.json
expect 2 'no such kind, of cpu, cuda, opencl; here are: cpu' compare --device=gpu
expect 2 'here are: cpu' compare --device=abacus
expect 2 'empty name' compare --device=cpu,
expect 2 'empty name' compare --device=
expect 2 'size 0: at least 1' compare --size=0
expect 2 'size -5: must not be negative' compare --size=-5
expect 2 "'abc': not a number" compare --size=abc
expect 2 "'1e3x': not a number" compare --size=1e3x
expect 2 "'nan': not a number" compare --size=nan
expect 2 'size 1.5: must be a whole number' compare --size=1.5
expect 2 'size 1e30: too large' compare --size=1e30
expect 2 'inf: too large' compare --size=inf
expect 2 'empty' compare --size=
expect 2 '5..3: the first must not be the larger' compare --size=5..3
expect 2 'a range has two ends' compare --size=..3
expect 2 'a range has two ends' compare --size=5..
expect 2 'size 0: at least 1' compare --size=0..10
expect 2 'empty' compare --size=1,,2
expect 2 'empty' compare --size=1,
expect 2 'empty' compare --size=,1
expect 2 'at most 64 values' compare --size="$(seq -s, 65)"
expect 2 'threads 0: at least 1' compare --threads=0
expect 2 'threads -1: must not be negative' compare --threads=-1
expect 2 "threads 'x': not a number" compare --threads=x
expect 2 'threads 2000: at most 1024' compare --threads=2000
expect 2 'there are copy, preload, resident' compare --placement=nowhere
expect 2 'empty' compare --placement=copy,
expect 2 'there are hot, cold, both' compare --cache=lukewarm
expect 2 'seconds above 0' compare --budget=0
expect 2 'seconds above 0' compare --budget=-1
expect 2 'seconds above 0' compare --budget=soon
expect 2 'total 0: seconds above 0' compare --total=0
expect 2 "seed 'x': not a number" compare --seed=x
expect 2 'seed 1.5: must be a whole number' compare --seed=1.5
expect 2 'self-test 0: at least 1' compare --self-test=0
expect 2 "self-test 'x': not a number" compare --self-test=x
expect 2 'at most 100000 pairs' compare --self-test=1e9
expect 2 'no results' compare --self-test=2 --json
expect 2 'give one' compare --quick --full
expect 2 'unrecognized option' compare --nonsense
expect 2 '--plcement: no such option; did you mean --placement?' compare --size 1e3 -d cpu --plcement=copy
expect 2 'did you mean --record-command?' run --recrod-command -- true
expect 2 'did you mean --output?' run -o --oputput --ouptut trace.json true
expect 2 'requires an argument' compare --size
expect 2 'frobnicate: no such command' frobnicate
expect 2 'comapre: no such command; did you mean compare?' comapre
expect 2 'did you mean `breakeven compare power`?' power
expect 2 'options stand behind a command' --quick compare
expect 2 'which file?' report
expect 2 'one FILE at a time' report --json "$golden" "$golden"
expect 2 "window wide: it is one of all, near, nearer, deep" compare mandelbrot --window=wide
expect 2 'window 4: it is one of all, near' compare mandelbrot --window=4
expect 2 'window all,deep: it is one of' compare mandelbrot --window=all,deep
expect 2 'consumer 0..1: it is one of matrix, nearest, histogram' compare distance --consumer=0..1
expect 2 'distance: bins 1025: at most 1024' compare distance --consumer=histogram --bins=1025
expect 2 'distance: --bins has no meaning without --consumer=histogram' compare distance --bins=100
expect 2 'has no meaning without --consumer=histogram' compare distance --consumer=nearest --bins=16,64
expect 2 'both have several values' compare solve --order=4,8 --systems=10,20
expect 2 '--size and --systems both say its sizes' compare solve --size=10 --systems=20
expect 2 '--type float64: it has uint32' compare sort --type=float64
run
check 'no command: exit 2, and the commands are listed' \
    sh -c "[ $code -eq 2 ] && grep -q compare err && grep -q report err"

if [ -e /proc/driver/nvidia/version ]; then
    echo 'skip: --device=cuda on a machine without CUDA: this one has a driver'
else
    expect 3 'CUDA driver is not here' compare --device=cuda
    expect 3 'here are: cpu' compare --device=cpu,cuda:3
    run compare spmv --variant=library --size=100 --device=opencl:0 "${known[@]}"
    check 'a variant for which no device here has a library: exit 3, and said' \
        sh -c "[ $code -eq 3 ] && grep -q 'no library of sparse matrices' out"
fi
expect 3 'here are: cpu' compare --device=null

# ---- memory -------------------------------------------------------------------------------------

for words in '' --self-test=2; do
    # shellcheck disable=SC2086 # may be no word
    expect 2 'needs 200 TB of host memory' compare power --device=cpu --size=1000,1e13 $words
    check '  need, have and the largest that fits' \
        grep -Eq 'needs 200 TB .* [0-9.]+ [MG]B are free: .*the largest size that fits is [0-9]+' said
done
expect 2 'no size of 10000000000000..100000000000000 fits' compare power --size=1e13..1e14

# ---- where results go ---------------------------------------------------------------------------

mkdir folder
expect 2 'missing/r.json: cannot be written' compare "${known[@]}" --json=missing/r.json
expect 2 'missing/r.csv: cannot be written' compare "${known[@]}" --csv=missing/r.csv
expect 2 'folder: is a folder' compare "${known[@]}" --json=folder
run compare power --device=cpu "${known[@]}" --json=-
check '"-" is standard output' sh -c "[ $code -eq 0 ] && [ ! -e ./- ] && head -c 1 out | grep -q '{'"
expect 2 'both to standard output' compare power --json=- --csv
expect 2 'a picture goes to a file' compare mandelbrot --picture=-
expect 2 'kept in a file' probe --output=-
for option in --json --output --trace-file; do
    expect 2 "standard output is the command's" run $option=- -- true
done
for option in --json --csv; do # nothing is measured that has nowhere to go
    expect 2 "$option: which file?" compare power --size=1000 "$option="
    expect 2 "$option: which file?" report "$option=" "$golden"
done
expect 2 'both to standard output' compare --json --csv
expect 2 'both to standard output' report --json --csv "$golden"
expect 2 'need a file each' compare --json=same --csv=same
expect 2 'need a file each' compare --json=./same --csv=same
expect 2 'missing/r.png: cannot be written' compare mandelbrot --picture=missing/r.png
expect 2 'folder: is a folder' compare mandelbrot --picture=folder
expect 2 'it is drawn as PNG: name it FILE.png' compare mandelbrot --picture=set.svg
expect 2 'requires an argument' compare mandelbrot --picture
expect 2 '--picture: which file?' compare mandelbrot --picture=
expect 2 '--csv and --picture need a file each' compare mandelbrot --csv=same --picture=same
expect 2 'power has no picture; what has one: mandelbrot, regress' compare power --picture=r.png
expect 2 'the workloads have no picture; what has one: mandelbrot, regress' compare power add --picture=r.png
expect 2 'no results' compare mandelbrot --self-test=2 --picture=r.png
expect 2 '--list: nothing is measured' compare --list --csv
expect 2 '--list: nothing is measured' compare --list --picture=r.png
expect 2 '--list: nothing is measured' compare --list --self-test=2
expect 2 'did you mean axpy?' compare --list axpi
check '  nothing was left behind' sh -c '! ls same* missing* folder.* r.* folder/* 2>/dev/null | grep .'

# ---- the list of workloads ----------------------------------------------------------------------

run compare --list
check 'compare --list: each workload with what it can be asked for' \
    sh -c "[ $code -eq 0 ] && grep -A6 '^axpy: ' out | grep -q 'variant  *plain: ' && grep -q '^stencil: ' out"
check '  within 80 columns, and quiet' sh -c "! grep -qE '^.{81,}' out && [ ! -s err ]"
run compare --list axpy
check 'compare --list axpy: that one' sh -c "[ \"\$(grep -c '^[a-z]' out)\" -eq 1 ]"
run compare --list --json distance solve
check 'compare --list --json: for programs' python3 -c '
import json
whole = json.load(open("out"))
first, second = whole["workloads"]
assert (whole["command"], first["name"], second["name"]) == ("workloads", "distance", "solve")
assert [p["name"] for p in first["parameters"]] == ["points", "dimension", "consumer", "bins"]
assert first["parameters"][2]["kinds"] == ["matrix", "nearest", "histogram"]
assert first["types"] == ["float64", "float32"]
symmetric = [v for v in first["variants"] if v["name"] == "symmetric"][0]
assert symmetric["cpu_code"] is None and symmetric["device_code"] == "expert"'
run compare --list --json=list.json axpy
check '  also into a file' sh -c "[ $code -eq 0 ] && grep -q '\"updates\":\\[\"y\"\\]' list.json && grep -q '^axpy: ' out"

echo precious >kept.json
expect 2 'TB of host memory' compare power --device=cpu --size=1e13 --json=kept.json
expect 2 'no such one' compare unmeasurable --json=kept.json
expect 2 'missing/r.csv' compare "${known[@]}" --json=kept.json --csv=missing/r.csv
check '  the old results are still there, alone' \
    sh -c '[ "$(cat kept.json)" = precious ] && [ "$(ls kept.json*)" = kept.json ]'

# Root may write everything: then as somebody who may not.
as_nobody=()
if [ "$(id -u)" -eq 0 ]; then
    as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
cp "$program" ./program
chmod 755 . program
mkdir locked && echo precious >locked/r.json && echo precious >locked.json
chmod 555 locked
chmod 444 locked.json locked/r.json
if ${as_nobody[@]+"${as_nobody[@]}"} ./program --version >/dev/null 2>&1; then
    for file in locked.json locked/r.json locked/new.json; do
        ${as_nobody[@]+"${as_nobody[@]}"} ./program compare "${known[@]}" --json="$PWD/$file" \
            >out 2>err
        code=$?
        tr -s '\n ' ' ' <err >said
        check "$file may not be written: said" \
            sh -c "[ $code -eq 2 ] && [ ! -s out ] && grep -q '$file: cannot be written: Permission denied' said"
    done
    check '  and they are as they were' \
        sh -c '[ "$(cat locked.json locked/r.json | uniq)" = precious ] && [ ! -e locked/new.json ]'
else
    echo 'skip: read-only files: no way to be somebody else here (setpriv)'
fi
chmod 755 locked

# ---- a whole run --------------------------------------------------------------------------------

run compare power multiply --device=cpu "${known[@]}" --json=kept.json --csv=r.csv
check 'a run: the table on stdout, nothing on stderr' \
    sh -c "[ $code -eq 0 ] && [ ! -s err ] && grep -q 'z = x^y' out && grep -q 'z = x\*y' out"
check '  the old results are replaced' \
    sh -c '[ "$(ls kept.json* r.csv*)" = "$(printf "kept.json\nr.csv")" ]'
check '  whole JSON, with what docs/json.md requires' python3 "$tools/results.py" json kept.json \
    results=3 partial=False status=ok
check '  CSV, one row a result' python3 "$tools/results.py" csv r.csv results=3
run compare power --device=cpu "${known[@]}" --json
check '--json alone: JSON and nothing else on stdout' python3 "$tools/results.py" json out results=2
run compare power --device=cpu "${known[@]}" --csv --json=both.json
check '--csv on stdout beside --json=FILE' \
    sh -c "python3 '$tools/results.py' csv out results=2 && python3 '$tools/results.py' json both.json"
run compare power --device=cpu "${known[@]}" --json=/dev/full
check 'a full disk: exit 2 and said, with the name of the file' \
    sh -c "[ $code -eq 2 ] && grep -q '/dev/full: .*No space left' said"
# Short answers stay in a buffer until the program ends.
for words in 'machines' 'clusters' 'clusters narval' 'lint --list' 'run --explain' '--version' '--help' \
    'compare --help' 'run --help' 'watch --usage'; do
    # shellcheck disable=SC2086 # several words
    "$program" $words >/dev/full 2>said
    check "$words to a full disk: exit 2 and said" \
        sh -c "[ $? -eq 2 ] && grep -q 'No space left' said"
    # shellcheck disable=SC2086
    "$program" $words >&- 2>said
    check "$words with stdout closed: exit 2 and said" sh -c "[ $? -eq 2 ] && [ -s said ]"
done
"$program" run -q --trace-file=none -- sh -c 'exit 0' >/dev/full
check 'run to a full disk: the exit code is the command'"'"'s' [ $? -eq 0 ]

run compare mandelbrot --device=cpu "${known[@]}" --size=64,100 --picture=r.png
check '--picture: of the largest size' sh -c "[ $code -eq 0 ] && python3 '$tools/picture.py' r.png 100 71"
run compare mandelbrot power --device=cpu "${known[@]}" --size=2500 --variant=kernel,plain --picture=r.png
check '  large ones are reduced; other workloads do not matter' \
    sh -c "[ $code -eq 0 ] && python3 '$tools/picture.py' r.png 1024 731"
cp r.png kept.png
run compare mandelbrot --device=cpu "${known[@]}" --size=64 --window=deep --steps=10 --picture=r.png
check '  nothing to see: said, exit 3, and the old picture stays' \
    sh -c "[ $code -eq 3 ] && grep -q 'no picture of mandelbrot: no point' out && cmp r.png kept.png && ! ls r.png.part*"

run compare regress --device=cpu "${known[@]}" --size=50,100 --features=2 --steps=10 --json=line.json
check 'regress says the line of the largest size and its loss, and so do saved results' \
    sh -c "[ $code -eq 0 ] && grep -q '^regress, 100 samples: y = .* x + .*; mean square of Xw - y' out &&
        '$program' report line.json | grep -q '^regress, 100 samples: y = '"

run compare distance distance --device=cpu "${known[@]}" --size=64 --consumer=1 --json=kinds.json
check 'kinds are shown by name, and a workload named twice is measured once' \
    sh -c "[ $code -eq 0 ] && grep -q 'dimension 3, consumer nearest' out &&
        grep -q '\"parameters\":\"dimension 3, consumer nearest\"' kinds.json &&
        [ \$(grep -c '\"variant\":\"fused\"' kinds.json) -eq 1 ]"

export BREAKEVEN_NULL=1
expect 2 '--self-test: measures no energy: leave --energy out' compare --self-test=2 --energy
run compare power --device=null "${known[@]}" --energy --json=energy.json
check 'compare --energy: joules, or why there are none' \
    sh -c "[ $code -eq 0 ] && python3 '$tools/results.py' energy energy.json"
check '  also below the table' grep -q '^energy of null:0: not measured: no energy counter of' out

# PoCL and the CPU share one counter, which may be absent.
unset BREAKEVEN_NULL
run compare power --device=cpu,opencl "${known[@]}" --energy
[ "$code" -eq 3 ] ||
    check '  and why several have none is said once' sh -c '[ "$(grep -c "/sys/class/powercap" out)" -le 1 ]'
export BREAKEVEN_NULL=1

run compare power --variant=plain --device=null "${known[@]}" --show-async --json=null.json
check 'the pretend device: every placement ok, the published row never counted' \
    sh -c "[ $code -eq 0 ] && python3 '$tools/results.py' null null.json"
check '  and the table says so' grep -Eq 'as published|impossible|never counted' out
unset BREAKEVEN_NULL

mkdir broken && : >broken/libfftw3f.so.3 # found first, and no library
LD_LIBRARY_PATH=$PWD/broken run compare fft --device=cpu "${known[@]}" --variant=library
check 'a library that is not here: said, and its variant is left out' \
    sh -c "[ $code -eq 3 ] && grep -q 'absent: FFTW is not here' out && grep -q 'libfftw3-single3' out"

run compare power --device=cpu --threads=1 --size=1000 --budget=0.01 --machine="$scratch/own.json" --self-test=2
check '--self-test: one row a device' sh -c "grep -Eq '^cpu x 1 +[0-2] +[0-2] +[0-2] ' out && [ ! -s err ]"

# ---- report -------------------------------------------------------------------------------------

expect 2 'nothing.json: No such file' report nothing.json
expect 2 'folder' report folder
: >empty.json
head -c 400 "$golden" >cut.json
echo '{"schema":"other/7","results":[]}' >foreign.json
echo '{"schema":"breakeven/1","command":"compare"}' >bare.json
expect 2 'empty.json: is empty' report empty.json
expect 2 'cut.json: line ' report cut.json
expect 2 'foreign.json: schema' report foreign.json
expect 2 'bare.json' report bare.json
expect 2 'missing/r.csv' report --csv=missing/r.csv "$golden"
"$program" report "$golden" >named
"$program" report - <"$golden" >piped 2>err
check 'report -: standard input' cmp named piped
run report kept.json
check 'report of the run: its table again' sh -c "[ $code -eq 0 ] && grep -q 'z = x\*y' out"
run report --json=kept.json kept.json
check 'report into the file it reads' python3 "$tools/results.py" json kept.json results=3

# ---- probe and machines -------------------------------------------------------------------------

expect 2 'options only' probe here
expect 2 '--machine none takes no profile' probe --name=none
expect 2 'letters, digits' probe --name=a/b
expect 2 'is not a file' probe --output=folder
expect 2 '--output: which file' probe --output=
expect 2 'folder: is a folder' machines folder
expect 2 'folder: is a folder; name a file in it' report folder
expect 2 'Not a directory' probe --output=kept.json/x.json
expect 2 'nowhere/x.json: cannot be written: No such file' probe --output=nowhere/x.json
check '  and no folder is made' [ ! -e nowhere ]
deep=$(printf '%.0sfolder/' $(seq 160))
mkdir -p "$deep"
expect 2 'the path is too long' probe --quick --device=cpu --output="${deep}p.json"
rm -r folder/folder
expect 2 'no such kind' probe --device=gpu9 --quick
expect 2 'missing' probe --quick --device=cpu --folder=missing --output=p.json
# Where a profile goes does not depend on what is in it: of the pretend device it is soon there.
export BREAKEVEN_NULL=1
run probe --quick --device=null --output=none
check 'probe --output=none: kept nowhere, without a word' \
    sh -c "[ $code -eq 0 ] && [ ! -s err ] && [ ! -e none ] && [ ! -e data/breakeven/profiles ]"
run probe --quick --device=null --json
check 'probe --quick: not kept' sh -c "[ $code -eq 0 ] && [ ! -e data/breakeven/profiles ]"
"$program" probe --quick --device=null --output=unread.json >/dev/full 2>err
code=$?
unset BREAKEVEN_NULL
check 'probe: what nobody can be shown is saved all the same' \
    sh -c "[ $code -eq 2 ] && [ -s unread.json ] && grep -q 'saved as unread.json' err && grep -q 'No space' err"
mkdir -p data/breakeven/profiles
cp own.json data/breakeven/profiles/here.json
head -c 900 own.json >data/breakeven/profiles/cut.json
run machines
check 'machines: own, shipped, and what cannot be read' \
    sh -c "[ $code -eq 0 ] && grep -q '^here .* own' out && grep -q 'data sheet' out && grep -q 'cut.json' out"
run machines --json
check 'machines --json: the same list' python3 -c 'import json; d = json.load(open("out")); n = {p["name"]: p for p in d["profiles"]}
assert n["here"]["whose"] == "own" and n["here"]["taken"] and n["datasheet-t4"]["source"] == "data sheet", n
assert any(t["name"] == "h100" and t["times"] > 100 for t in d["times"]), d["times"]'
expect 2 'of which machine' machines --csv
mkdir others && sed 's/"name":"here"/"name":"h\\u001b[31me"/' own.json >others/steering.json
BREAKEVEN_PROFILES=$PWD/others run machines
check 'machines: a name steers no terminal' sh -c "grep -q 'h .31me.* site' out && ! grep -q \"\$(printf '\\033')\" out"
run machines here
check 'machines NAME: its summary' sh -c "[ $code -eq 0 ] && grep -q here out"
run machines --diff here own.json
check 'machines --diff: ratios' sh -c "[ $code -eq 0 ] && grep -q '1.00' out"
expect 2 'no profile of that name' machines nowhere
expect 2 '(did you mean datasheet-l40s?)' machines datasheet-l04s
expect 2 'an empty name' machines ''
mkdir many
for i in $(seq 30); do sed "s/\"name\":\"here\"/\"name\":\"node-of-some-kind-$i\"/" own.json >"many/$i.json"; done
export BREAKEVEN_PROFILES=$scratch/many
expect 2 ' more (`breakeven probe` makes one)' machines nowhere
unset BREAKEVEN_PROFILES
mkdir site
cp data/breakeven/profiles/cut.json site/a-profile-of-the-site-that-was-cut-short.json
sed 's/"name":"here"/"name":"h200"/' own.json >site/gpu-node.json
export BREAKEVEN_PROFILES=$scratch/site
run machines
check 'machines: what is not taken, and what cannot be read, within 80 columns' \
    sh -c "[ $code -eq 0 ] && grep -q '^h200 .* site' out && tr -s '\n ' ' ' <out | grep -q 'not taken: another of this name' && grep -q 'cannot be read' out && ! grep -qE '^.{81}' out"
expect 2 'is called h200' machines gpu-node
unset BREAKEVEN_PROFILES
expect 2 'cut.json' machines cut
expect 2 'two names' machines --diff here
run report own.json
check 'report prints a profile' sh -c "[ $code -eq 0 ] && [ -s out ]"
expect 2 'no profile of that name' compare power --machine=nowhere
run compare multiply --device=cpu "${quick[@]}"
check 'compare takes its limits from a fresh profile of this machine, and says so' \
    sh -c "[ $code -eq 0 ] && grep -q 'limits: from the profile here' out"
run compare multiply --device=cpu "${quick[@]}" --machine=none
check 'compare --machine=none measures them' sh -c "[ $code -eq 0 ] && ! grep -q 'limits: from' out"
rm -r data

# ---- Ctrl-C and progress ------------------------------------------------------------------------

check 'Ctrl-C: exit 130, the table says partial, whole JSON that says so too' \
    python3 "$tools/interrupt.py" once "$program" own.json
check 'Ctrl-C at once: the same; one remark for the sizes of a range that do not fit' \
    python3 "$tools/interrupt.py" early "$program" own.json
check 'a terminal that is gone: the same' python3 "$tools/interrupt.py" hung-up "$program" own.json
check 'Ctrl-C twice: ends at once with 130, says so, the old results stay, no part does' \
    python3 "$tools/interrupt.py" twice "$program" own.json
check 'two signals at the same moment, as timeout sends them: one Ctrl-C' \
    python3 "$tools/interrupt.py" at-once "$program" own.json
check 'two runs with one --json file: each writes it whole' \
    python3 "$tools/interrupt.py" together "$program" own.json
check 'Ctrl-C in a self-test: exit 130' python3 "$tools/interrupt.py" self-test "$program" own.json
check 'progress on a terminal: a line that is cleared at the end' \
    python3 "$tools/interrupt.py" progress "$program" own.json
check 'Ctrl-C in a probe: exit 130, partial, not saved but where it was told' \
    python3 "$tools/interrupt.py" probe-ended "$program" own.json
check '--quiet: no progress' python3 "$tools/interrupt.py" quiet "$program" own.json

mkdir empty
check 'a folder of data that is not named from the root does not count' \
    sh -c 'cd empty && XDG_DATA_HOME=data HOME=$PWD "$1" run -q -- true && [ -d .local/share/breakeven/runs ] && [ ! -e data ]' \
    sh "$program"

run run --trace-file=/dev/full -- true
check 'run: a trace that is not saved is said in 80 columns' \
    sh -c "[ $code -eq 0 ] && grep -q 'the trace is not saved: /dev/full' err && ! grep -q '^.\{81\}' err"
run run --trace-file=none -- sh -c 'sleep 0.3'
check 'a little memory is not none' sh -c "[ $code -eq 0 ] && grep -q ^memory err && ! grep -q '^memory.*(0 %)' err"

# ---- help ---------------------------------------------------------------------------------------

for words in '--help' '-h' '-V' 'help' 'help report' 'compare --help' 'report --help' '--version'; do
    # shellcheck disable=SC2086 # several words
    run $words
    check "$words: on stdout, exit 0" sh -c "[ $code -eq 0 ] && [ -s out ] && [ ! -s err ]"
    cp out "help-${words// /}"
done
check 'help COMMAND is COMMAND --help' cmp help-helpreport help-report--help
check '-h is --help' cmp help--h help---help
check '-V is --version' cmp help--V help---version
expect 2 'frobnicate: no such command' help frobnicate
check '--help lists the commands' \
    sh -c 'for c in compare report; do grep -q "^  $c " help---help || exit 1; done'
check 'compare --help lists the workloads' \
    sh -c 'for w in power multiply; do grep -q "^  $w " help-compare--help || exit 1; done'
check 'compare --help says which workloads have a parameter' \
    grep -Eq -- '^ +--order=LIST\|A\.\.B +eigen: columns of each matrix, and its rows;$' help-compare--help
check 'help fits into 80 columns' \
    sh -c '! grep -E "^.{81}" help-* && ! grep -E "^[a-z]+$" help-compare--help'
check 'every option is in the manual page, and no other' \
    python3 "$tools/options.py" "$program" "$tools/../../man/breakeven.1"
check '--version is that of the results' \
    grep -q "\"version\":\"$(sed 's/breakeven //' help---version)\"" kept.json

done_testing cli
