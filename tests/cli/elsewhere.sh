#!/usr/bin/env bash
# Machines that are not here, from the command line: times that travel, columns and answers beside the CPU here.
# usage: tests/cli/elsewhere.sh BUILD/breakeven
set -eu
program=$(realpath "$1")
. "$(dirname "$0")/../checks.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export HOME=$scratch XDG_DATA_HOME=$scratch/data
unset BREAKEVEN_PROFILES BREAKEVEN_RESULTS

run() {
    code=0
    "$program" "$@" >out 2>err || code=$?
}

# holds FILE CODE: Python's view of the JSON in FILE, as d.
holds() { python3 -c "import json; d = json.load(open('$1')); assert $2, '$2'"; }

# Limits from this profile are not measured anew each time.
run probe --quick --quiet --device=cpu --output="$scratch/own.json"
known=(--budget=0.01 --no-refine --quiet --cache=cold --machine="$scratch/own.json")
look=(--size=1e3,1e4,1e5 "${known[@]}")

# ---- times that come with breakeven, and those foretold from them -----------------------------
run compare multiply add axpy "${look[@]}" --elsewhere=h100,l4 --json=both.json
check 'three workloads beside two machines: exit 0' [ "$code" -eq 0 ]
check 'one table, for data that stay and for data that travel' sh -c \
    '[ "$(grep -c "From which size a GPU elsewhere stays ahead of the CPU here" out)" -eq 1 ] &&
        grep -qE "^ +data stay there +copied each call$" out && grep -qE " h100 +l4 +h100 +l4$" out &&
        grep -qE "^multiply, elements 1e3-1e5 " out'
check 'the last lines are the verdict in words' \
    sh -c 'tail -n 3 out | tr "\n" " " | grep -qE "So a GPU pays for [0-3]( to [1-3])? of these 3 workloads where their data stay on it"'
check 'the answer in words, for each machine' \
    sh -c 'grep -q "^Worth a GPU?" out && grep -q "^  h100 (NVIDIA H100" out && grep -q "^  l4 (NVIDIA L4" out'
check 'no line is longer than 80 columns' sh -c '! grep -E "^.{81}" out'
check 'both say where their times come from' holds both.json \
    '{m["id"]: m.get("origin") for m in d["machine"]["devices"]}.items() >= {"h100": "elsewhere", "l4": "predicted"}.items()'
check 'a break-even for each workload, machine and placement' holds both.json \
    'len([b for b in d["breakevens"] if b["device"] in ("h100", "l4") and not b["callable"]]) == 3 * 2 * 3'
check 'times at a size that was measured there are those of the file' python3 - "$program" <<'PYTHON'
import json, pathlib, sys
both = json.load(open("both.json"))
folder = pathlib.Path(sys.argv[1]).parent.parent / "share" / "results"
there = json.load(open(folder / "h100.json"))
rows = [dict(zip(there["columns"], row)) for row in there["rows"]]
seen = 0
for r in both["results"]:
    if r["device"] == "h100":
        like = [x["median_s"] for x in rows if all(x[k] == r[k] for k in ("workload", "variant", "size", "placement", "cache"))]
        assert r["phases"]["total"]["median_s"] in like, r
        seen += 1
assert seen >= 27, seen
PYTHON
run report both.json
check 'the saved comparison prints the same answer' grep -q '^Worth a GPU?' out
run compare multiply "${look[@]}" --elsewhere=t4
check 'one workload: a table and a break-even that name the machine and that it is predicted' \
    sh -c 'grep -q "Tesla T4, predicted from times of h100" out && grep -q "^GPU t4 (Tesla T4)" out'
run compare multiply "${look[@]}" --elsewhere=h100,t4
check 'one workload on several machines: the last table has them side by side' \
    sh -c 'tail -n 8 out | grep -q "^multiply, elements 1e3-1e5 " && ! grep -q "^Worth a GPU" out'
run compare multiply --size=1500 "${known[@]}" --elsewhere=h100 --json=between.json
check 'between two sizes: said in the note' holds between.json \
    'all("between two sizes" in r["note"] for r in d["results"] if r["device"] == "h100")'
run compare multiply "${look[@]}" --elsewhere=none
check 'none: no machine, and no table of one' sh -c '! grep -q elsewhere out'

# ---- unasked, where no GPU is here ------------------------------------------------------------
if [ -e /proc/driver/nvidia/version ]; then
    echo 'skip: unasked: this machine has a GPU'
else
    run compare multiply add axpy "${look[@]}"
    check 'no GPU here: a large, a usual and a small one stand beside the CPU' \
        sh -c 'grep -q "^Worth a GPU? .*where there is none" out && grep -qE " h100 +a100-80 +t4$" out'
    check 'OpenCL on the CPU has no part in it' sh -c '! grep -qE "^(OpenCL|CPU opencl|GPU opencl)" out'
    run compare multiply "${look[@]}" --device=cpu
    check '--device=cpu: the CPU alone' sh -c '! grep -q h100 out'
fi

# ---- own times --------------------------------------------------------------------------------
run compare multiply "${look[@]}" --elsewhere=none --save-results=here --json=here.json
check 'times are kept, and where is said' sh -c "[ $code -eq 0 ] && grep -q 'data/breakeven/results/here.json' err"
run machines
check 'machines lists them' sh -c 'grep -qE "^here +[0-9-]+ +own " out && grep -qE "^h100 +[0-9-]+ +shipped" out'
check 'machines: within 80 columns' sh -c '! grep -E "^.{81}" out'
run machines --add=here.json again
check 'a saved comparison is kept under a name' [ -s data/breakeven/results/again.json ]
mkdir site
sed 's/"name":"h100"/"name":"node"/' "$(dirname "$program")/../share/results/h100.json" >site/node.json
BREAKEVEN_RESULTS=$scratch/site run compare multiply "${look[@]}" --elsewhere=node
check 'the times of a site are found' grep -q '^  node NVIDIA H100' out
run compare multiply "${look[@]}" --elsewhere="$scratch/site/node.json"
check 'a file by its path' grep -q '^  node NVIDIA H100' out

# ---- what can be wrong ------------------------------------------------------------------------
# wrong CODE TEXT ARGUMENT...
wrong() {
    local status=$1 text=$2
    shift 2
    run "$@"
    check "$*: $text" sh -c "[ $code -eq $status ] && tr -s '\n ' ' ' <err | grep -qF -- \"\$1\"" sh "$text"
}
wrong 2 'there are times of: again, here, h100' compare multiply --elsewhere=nowhere
wrong 2 'predicted are: a10, ' compare multiply --elsewhere=nowhere
wrong 2 ' more (`breakeven machines` lists them)' compare multiply --elsewhere=nowhere
wrong 2 'no GPU was measured there' compare multiply "${look[@]}" --elsewhere=here
wrong 2 'named twice' compare multiply "${look[@]}" --elsewhere=h100,h100
wrong 2 'letters, digits' compare multiply --save-results=a/b
wrong 3 'has no GPU' compare multiply "${look[@]}" --elsewhere=cpu-2
echo '{"schema":"breakeven/1","command":"results","name":"x","machine":{"devices":[]},"columns":["workload"],"rows":[["a",1]]}' >bad.json
wrong 2 'rows[0]: a list with a value for each column is needed' compare multiply --elsewhere=./bad.json
wrong 2 'the file holds times that travel' report data/breakeven/results/here.json

done_testing cli.elsewhere
