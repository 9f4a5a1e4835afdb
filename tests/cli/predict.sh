#!/usr/bin/env bash
# Predictions from the command line: tables, answers, the stop-loss limit, times that cannot be, and what can be wrong.
# usage: tests/cli/predict.sh BUILD/breakeven
set -eu
program=$(realpath "$1")
results=$(realpath "$(dirname "$0")/../../share/results/h100.json")
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
holds() { python3 -c "import json, math; d = json.load(open('$1')); assert $2, '$2'"; }

product=(--flops='2*n^3' --bytes='24*n^2' --transfer='24*n^2')

# ---- the table --------------------------------------------------------------------------------
run predict "${product[@]}" --calls=100 --launches=3 --size=1e2..1e4 --machine=h200,a100-80 --cpu=cpu-2 --json=t.json
check 'two machines and five sizes: exit 0' [ "$code" -eq 0 ]
check 'a table each' [ "$(grep -c 'CPU .*GPU .*faster' out)" -eq 2 ]
check 'the answer in words' grep -q '^h200: GPU from n = .* up to 1e4, likely from ' out
check 'a data sheet is called so' grep -q '^a100-80: .*data sheet' out
check 'cause and change' sh -c 'tr "\n" " " <out | tr -s " " | grep -q "looped-batch: each call starts .* with one kernel a call instead of 3"'
check 'no line is longer than 80 columns' sh -c '! grep -E "^.{81}" out'
check 'JSON: one prediction a machine and size' holds t.json 'len(d["predictions"]) == 10'
check 'JSON: sizes in steps of 1 and 3' holds t.json '[p["size"] for p in d["predictions"][:5]] == [100, 300, 1000, 3000, 10000]'
check 'JSON: the limit is operations over rate' holds t.json \
    'abs(d["predictions"][4]["gpu"]["limit_s"] / (100 * 2e12 / 6.406e13) - 1) < 0.01'
check 'JSON: no time is below its limit' holds t.json \
    'all(s["limit_s"] <= s["lo_s"] <= s["typical_s"] <= s["hi_s"] for p in d["predictions"] for s in (p["cpu"], p["gpu"]))'
check 'JSON: from a size on it is the GPU, and at no smaller one' holds t.json \
    'all((p["verdict"] == "GPU") == (p["size"] >= m["sure_from"]) for m in d["machines"] for p in d["predictions"] if p["machine"] == m["machine"])'

run predict --flops=1e4 --machine=t4 --cpu=cpu-2
check 'numbers alone need no size' sh -c "[ $code -eq 0 ] && grep -q '^t4: the CPU is faster' out"
run predict --flops='4*n' --bytes='8*n' --transfer-each='8*n' --size=1e3..1e8 --machine=t4 --cpu=h200
check 'copies with every call: never' grep -q '^t4: never, up to n = 1e8' out
check 'copies with every call: why' grep -q 'mostly copy: copies over the bus' out
run predict --flops='3*n' --sequential --launches=n --size=1e5 --machine=t4 --cpu=cpu-2 --json=chain.json
check 'a kernel a step: sequential' holds chain.json \
    '[(p["verdict"], p["cause"], p["changes"][0]["change"]) for p in d["predictions"]] == [("CPU", "sequential", "batch")]'
run predict --flops='3*n' --sequential --size=1e7 --machine=t4 --cpu=cpu-2
check 'one kernel for all steps: the CPU all the same, and chains side by side' \
    sh -c 'grep -q "^t4: the CPU is faster" out && tr "\n" " " <out | tr -s " " | grep -q "independent chains side by side"'
run predict --flops=1e12 --type=float64 --machine=t4 --cpu=h200
check 'float64 on a card without units for it, and float32 instead' \
    sh -c 'tr "\n" " " <out | tr -s " " | grep -q "mostly float64: .*ahead with float32"'
run predict --bytes='8*n' --memory='8*n' --calls=10 --size=4e9 --machine=t4 --cpu=h200
check 'more than its memory' grep -q 'does-not-fit' out
run predict "${product[@]}" --size=1e4,1e2 --machine=t4 --cpu=cpu-2 --json
check 'sizes are put in order; JSON instead of the text' holds out '[p["size"] for p in d["predictions"]] == [100, 10000]'

# ---- one name for machines ----------------------------------------------------------------------
run predict --flops=1e15 --machine=h100 --cpu=cpu-2 --json=by-machine.json
check 'a machine whose times are kept has the rates of its GPU' sh -c "[ $code -eq 0 ] && grep -q '^h100: GPU is .*\|^h100: the GPU is' out"
run predict --flops=1e15 --elsewhere=h100 --cpu=cpu-2 --json=by-elsewhere.json
python3 - <<'PYTHON' && same=0 || same=1
import json
one, other = (json.load(open(f"by-{name}.json")) for name in ("machine", "elsewhere"))
assert one["predictions"] == other["predictions"] and one["predictions"]
PYTHON
check '--elsewhere is --machine' [ "$same" -eq 0 ]

# ---- no time follows from the counts of a sort, a triangle, or a picture of unknown steps ----------
run predict trisolve --machine=h100 --cpu=cpu-2
check 'trisolve, and no CPU with times of it: exit 3' [ "$code" -eq 3 ]
check 'and it is said how to know' sh -c 'tr "\n" " " <err | tr -s " " | grep -q "no time follows from them: measure it (.breakeven compare trisolve.), or name machines that have times of it (--cpu=h100"'
run predict mandelbrot --steps=1000 --machine=h100 --cpu=h100
check 'mandelbrot with steps that were not measured: exit 3' [ "$code" -eq 3 ]
run predict sort --machine=h100 --cpu=cpu-2 --json=sort.json
check 'sort on another CPU: its times are those of h100, scaled' holds sort.json \
    '{p["cpu"]["origin"] for p in d["predictions"]} == {"scaled"} and {m["cpu_scaled_from"] for m in d["machines"]} == {"h100"} and all(p["cpu"]["lo_s"] * 9 < p["cpu"]["hi_s"] for p in d["predictions"])'
run predict sort --machine=h100 --cpu=h100 --json=sort.json
check 'sort by times of both sides: exit 0' [ "$code" -eq 0 ]
check 'both were measured there, at each size' holds sort.json \
    '{s["origin"] for p in d["predictions"] for s in (p["cpu"], p["gpu"])} <= {"measured", "interpolated"} and len(d["predictions"]) > 10'
check 'what no term explains is not called a first call' holds sort.json 'all(p["cause"] != "first-call" for p in d["predictions"])'

# ---- the machine here -------------------------------------------------------------------------
run predict "${product[@]}" --size=1e4 --machine=h200 --quiet
check 'without a profile this machine is measured, and that is said' \
    sh -c "[ $code -eq 0 ] && grep -q '(here), float32' out && grep -q '^here: measured now' out"
run predict "${product[@]}" --size=1e4 --machine=h200 --cpu=here --type=float64 --quiet
check '--cpu=here, float64' grep -q '(here), float64' out
mkdir -p data/breakeven/profiles
run probe --quick --quiet --output="$scratch/data/breakeven/profiles/own.json"
run predict "${product[@]}" --size=1e4 --machine=h200 --quiet
if [ -e /proc/driver/nvidia/version ]; then
    echo 'skip: a profile of the CPU alone: this machine has a GPU'
else
    check 'with a fresh profile nothing is measured' grep -q '^here: from the profile' out
    run predict "${product[@]}" --size=1e4 --machine=here,t4 --quiet
    check 'here without a GPU, beside another' sh -c "[ $code -eq 0 ] && grep -q '^here: no GPU was found' out"
    run predict --flops=1e9 --quiet
    check 'no machine named and no GPU here: a large, a usual and a small one' \
        sh -c 'grep -q "^h200: NVIDIA" out && grep -q "^a100-80: NVIDIA" out && grep -q "^t4: Tesla" out'
fi

# ---- shapes -----------------------------------------------------------------------------------
run predict --matmul=n,n,64 --batch=16 --size=64..4096 --machine=a100-80 --cpu=cpu-2 --json=shape.json
check 'a product by its shape' holds shape.json \
    'math.isclose(d["predictions"][-1]["gpu"]["limit_s"], 2 * 16 * 4096**2 * 64 / 19.5e12)'
run predict --flops=1e12 --machine=t4 --cpu=cpu-2:8 --json=eight.json
run predict --flops=1e12 --machine=t4 --cpu=cpu-2 --json=two.json
check 'a CPU with more cores than its profile: that much faster, and called a guess' \
    sh -c "python3 -c 'import json; a, b = (json.load(open(f))[\"predictions\"][0][\"cpu\"][\"typical_s\"] for f in (\"two.json\", \"eight.json\")); assert abs(a / b - 4) < 0.01'"
run predict --flops=1e12 --machine=t4 --cpu=cpu-2:1 --json=one.json
check 'one core of a CPU: measured, and slower' holds one.json \
    'd["predictions"][0]["cpu"]["threads"] == 1 and d["predictions"][0]["cpu"]["typical_s"] > 1.2 * json.load(open("two.json"))["predictions"][0]["cpu"]["typical_s"]'
run predict --factor=svd,10 --calls=100 --framework=torch --machine=gtx-1050 --cpu=cpu-2
check 'a library called for each small matrix: the CPU, and no kernels to make one' \
    sh -c 'grep -q "^gtx-1050: the CPU is faster" out && ! grep -q "one kernel a call" out'
run predict --irregular=scatter,n --size=1e6,1e7 --machine=h100-80 --cpu=cpu-2 --json=one.json
run predict --irregular=scatter,n,2 --size=1e6,1e7 --machine=h100-80 --cpu=cpu-2 --json=two.json
times='[p[s]["terms_s"]["operations"] for p in d["predictions"] for s in ("cpu", "gpu")]'
check 'irregular: ten times the items take ten times as long' holds one.json "(lambda t: abs(t[2] / t[0] - 10) < 1e-6 and abs(t[3] / t[1] - 10) < 1e-6)($times)"
twice='all(abs(a / b - 2) < 1e-6 for a, b in zip('"$times, (lambda d: $times)"'(json.load(open("one.json")))))'
check 'irregular: two numbers an item take twice as long' holds two.json "$twice"
run predict --irregular=sort,1e6 --machine=t4 --cpu=cpu-2 --json=one.json
run predict --irregular=sort,1e7 --machine=t4 --cpu=cpu-2 --json=two.json
check 'irregular: a sort grows by its levels' holds two.json \
    'abs(d["predictions"][0]["cpu"]["typical_s"] / json.load(open("one.json"))["predictions"][0]["cpu"]["typical_s"] / 10 - 7 / 6) < 0.01'
run predict --irregular=trees,1e9 --machine=k80,p100-16 --cpu=cpu-2 --json=trees.json
check 'irregular: an old GPU waits for locks' holds trees.json '(lambda k, p: k["gpu"]["typical_s"] > 10 * p["gpu"]["typical_s"])(*d["predictions"])'
run predict --irregular=hash,1e6 --framework=pandas --machine=t4 --cpu=cpu-2 --json=one.json
check 'irregular: a kernel of cuDF takes its time' holds one.json 'd["predictions"][0]["gpu"]["terms_s"]["launch"] > 12 * 2.9e-4'
run predict --irregular=HASH,1e6 --framework=cuDF --machine=t4 --cpu=cpu-2 --json=two.json
check 'cuDF is pandas, in any case of letters' holds two.json 'd["predictions"] == json.load(open("one.json"))["predictions"]'
run predict --factor='qr,pow(n,2),n' --size=30 --machine=a100-80 --cpu=cpu-2 --json=factor.json
check 'a factorisation by formulas: its least time is 2 m n^2 - 2/3 n^3 operations' holds factor.json 'abs(d["predictions"][0]["gpu"]["limit_s"] / ((2 * 900 * 900 - 2 / 3 * 27000) / 1.95e13) - 1) < 0.01'
run predict --matmul='pow(n,1),2,3' --size=30 --machine=a100-80 --cpu=cpu-2
check 'commas of a function are its own' [ "$code" -eq 0 ]
run predict --bytes=12e9 --elementwise --machine=l4 --cpu=cpu-2 --json
check 'a stream by the bandwidth of its memory' holds out \
    'math.isclose(d["predictions"][0]["gpu"]["terms_s"]["memory"], 0.97 * 12e9 / (0.766 * 300e9))'

# ---- a known workload -------------------------------------------------------------------------
run predict solve --order=32 --machine=h100,l4 --cpu=h100 --json=solve.json
check 'a workload: a table for each machine and placement' \
    sh -c "[ $code -eq 0 ] && [ \$(grep -c 'CPU .*GPU .*faster' out) -eq 4 ]"
check 'its parameters are said' grep -qx 'solve, float64, order 32' out
check 'where times come from' sh -c 'grep -qx "CPU times: measured there" out && grep -q "scaled from times of h100" out'
check 'no line of it is longer than 80 columns' sh -c '! grep -E "^.{81}" out'
measured() {
    holds solve.json '[math.isclose(p["'"$1"'"]["typical_s"], '"$2"') for p in d["predictions"] if [p[k] for k in ("machine", "placement", "size")] == ["h100", "'"$3"'", '"$4"']] == [True]'
}
shipped() {
    python3 -c "
import json
d = json.load(open('$results'))
rows = [dict(zip(d['columns'], r)) for r in d['rows']]
print(min(r['median_s'] for r in rows if r['workload'] == 'solve' and r['parameters'] == 'order 32' and r['cache'] != 'cold'
          and (r['device'] == 'cpu') == ('$1' == 'host') and r['placement'] == '$1' and r['size'] == $2))"
}
check 'a measured size is that of the file, GPU' measured gpu "$(shipped resident 1000)" resident 1000
check 'a measured size is that of the file, copies' measured gpu "$(shipped copy 1000)" copy 1000
check 'a measured size is that of the file, CPU' measured cpu "$(shipped host 1000)" resident 1000
check 'JSON says where each time comes from' holds solve.json \
    '{(p["machine"], p["cpu"]["origin"], p["gpu"]["origin"]) for p in d["predictions"]} == {("h100", "measured", "measured"), ("l4", "measured", "scaled")}'
check 'JSON: the answer is that of the rows' holds solve.json \
    'all(all(p["ratio"] > 1 for p in d["predictions"] if (p["machine"], p["placement"]) == (m["machine"], m["placement"]) and p["size"] >= m["likely_from"]) for m in d["machines"] if m["likely_from"])'
run predict solve --systems=2e3 --machine=h100 --cpu=h100 --placement=resident --json
check 'between two sizes' holds out \
    '[(p["gpu"]["origin"], 22e-6 < p["gpu"]["typical_s"] < 40e-6) for p in d["predictions"]] == [("between", True)]'
run predict solve --order=16 --size=1e3,1e5 --machine=t4 --cpu=cpu-2 --placement=copy,resident --json
check 'a parameter that nobody measured: as with the parameters that were' holds out \
    '[s["origin"] for p in d["predictions"] for s in (p["gpu"], p["cpu"])] == ["beyond"] * 8 and [p["placement"] for p in d["predictions"]] == ["copy"] * 2 + ["resident"] * 2'
check 'copies take longer' holds out 'd["predictions"][1]["gpu"]["lo_s"] > d["predictions"][3]["gpu"]["lo_s"]'
run predict solve --size=1e5,1e6 --machine=h100 --cpu=cpu-2 --placement=resident --json
check 'beyond what was measured the rule goes on from there' holds out \
    '[p["gpu"]["origin"] for p in d["predictions"]] == ["measured", "beyond"] and 8 < d["predictions"][1]["gpu"]["typical_s"] / d["predictions"][0]["gpu"]["typical_s"] < 12'
run predict solve --size=1e6 --machine=h100 --cpu=h100 --placement=resident
check 'what nothing is known of is not known' sh -c "[ $code -eq 0 ] && grep -q 'not known' out"
run predict add --machine=h100 --cpu=cpu-2 --size=1e6 --type=float32
run predict solve --machine=h100 --cpu=cpu-2 --systems=1e5 --placement=resident --json=two.json
run predict solve --machine=h100 --cpu=cpu-2:8 --systems=1e5 --placement=resident --json=eight.json
check 'a workload on more cores than a profile has' holds eight.json \
    'd["predictions"][0]["cpu"]["threads"] == 8 and 0.25 < d["predictions"][0]["cpu"]["typical_s"] / json.load(open("two.json"))["predictions"][0]["cpu"]["typical_s"] < 0.6'
run predict add --machine=h100 --cpu=cpu-2 --size=1e6 --type=float32
check 'elementwise, CPU scaled' grep -q '^CPU times: scaled from times of h100, by the rates of both CPUs' out

# ---- learning from a run ----------------------------------------------------------------------
run predict --learn="$results" --machine=h100-80 --save=learned.json --json=learned-by.json
check 'a profile learns, and is kept' sh -c "[ $code -eq 0 ] && [ -s learned.json ] && grep -q 'profile is kept: learned.json' err"
check 'it says by how much' sh -c 'grep -q "median error .*before, .*after" out && grep -q "of workloads left out" out'
check 'JSON: workloads that were left out are foretold better than before' holds learned-by.json \
    'd["cpu"] is None and d["gpu"]["error_left_out"] < d["gpu"]["error_before"] and d["gpu"]["workloads"] >= 18'
run predict --bytes=1e9 --machine=./learned.json --cpu=cpu-2 --json=after.json
run predict --bytes=1e9 --machine=h100-80 --cpu=cpu-2 --json=before.json
check 'the corrected profile is used' holds after.json \
    'd["predictions"][0]["gpu"]["terms_s"]["launch"] == next(f["number"] for f in json.load(open("learned.json"))["facts"] if f["name"] == "learned_launch_s")'
check 'what the hardware allows stays' holds after.json \
    'd["predictions"][0]["gpu"]["limit_s"] == json.load(open("before.json"))["predictions"][0]["gpu"]["limit_s"]'
run predict --learn="$results" --machine=h200 --save=mine
check 'a name is kept among the own profiles; the CPU learns' \
    sh -c "[ $code -eq 0 ] && [ -s data/breakeven/profiles/mine.json ] && grep -q '^CPU: Intel' out && grep -q '^GPU: nothing learned' out"
run predict --bytes=1e9 --machine=t4 --cpu=mine
check 'and is found by it' [ "$code" -eq 0 ]

# ---- times that cannot be ---------------------------------------------------------------------
run predict --bytes=2e8 --type=float64 --machine=gt-640m --cpu=cpu-2 --measured=0.000505
check 'faster than the memory of the card' grep -q '^gt-640m: 505 us is IMPOSSIBLE' out
run predict --bytes=2e8 --type=float64 --machine=gt-640m --cpu=cpu-2 --measured=0.005
check 'slower than that: possible' grep -q '^gt-640m: 5.00 ms is possible: the hardware needs at least 3.1[0-9] ms' out

# ---- the stop-loss limit ----------------------------------------------------------------------
run predict --rates=1e9,1e12,15e9 --svg=limit.svg --json=limit.json
check 'the formula and the number' sh -c "[ $code -eq 0 ] && grep -q 'a r > s C G / (B (G - C))' out && grep -q 'from 0.267 operations' out"
check 'JSON: 4 / (15 x 0.999)' holds limit.json 'math.isclose(d["operations_a_value"], 4 / (15 * 0.999))'
check 'the picture is well-formed' python3 -c 'import xml.etree.ElementTree as e; assert e.parse("limit.svg").getroot().tag.endswith("svg")'
check 'the picture has a region' grep -q 'class="k1 f" d="M' limit.svg
run predict --rates=1e9,1e12,15e9 --type=float64
check 'twice the bytes, twice the operations' grep -q 'from 0.534 operations' out
run predict --rates=1e12,1e9,15e9 --json=never.json --svg=never.svg
check 'a slower GPU never pays' sh -c 'grep -q "never pays" out && grep -q "loses everywhere" never.svg'
check 'JSON: null' holds never.json 'd["operations_a_value"] is None'

# ---- what can be wrong ------------------------------------------------------------------------
# wrong CODE TEXT ARGUMENT...
wrong() {
    local status=$1 text=$2
    shift 2
    run predict "$@"
    check "$*: $text" sh -c "[ $code -eq $status ] && tr -s '\n ' ' ' <err | grep -qF -- \"\$1\"" sh "$text"
}
known=(--cpu=cpu-2 --machine=t4)
wrong 2 'which computation?'
wrong 2 'm is not known here: a formula of n' --flops='2*m^2' --size=3 "${known[@]}"
check 'a caret below what is wrong' sh -c 'grep -qxF "  2*m^2" err && grep -qxF "    ^" err'
wrong 2 'an operator is expected' --flops='2n' --size=3 "${known[@]}"
wrong 2 'divides by zero there' --flops='1/(n-1)' --size=1 "${known[@]}"
wrong 2 'has no value at n = 1e+09' --flops='1e300*n^9' --size=1e9 "${known[@]}"
wrong 2 'is -5 at n = 5' --flops='n-10' --size=5 "${known[@]}"
wrong 2 '--calls' --flops=n --calls=0 --size=5 "${known[@]}"
wrong 2 'has n in it: say the sizes' --flops='n' "${known[@]}"
wrong 2 'neither --flops nor --bytes' --transfer=5 "${known[@]}"
wrong 2 'nothing to do' --flops=0 "${known[@]}"
wrong 2 'more operations or bytes than a number can hold' --flops=1e300 --calls=1e300 "${known[@]}"
wrong 2 'dependent operations are more than' --flops=10 --sequential=20 "${known[@]}"
wrong 2 'no profile of that name' --flops=1 --cpu=cpu-2 --machine=nowhere
wrong 3 'has no GPU' --flops=1 --cpu=cpu-2 --machine=cpu-2
wrong 3 'no figures of a CPU' --flops=1 --cpu=t4 --machine=t4
wrong 2 'give one, as --size=1e4' --flops=n --size=1,2 --measured=1 "${known[@]}"
wrong 2 'seconds above 0 are needed' --flops=1 --measured=0 "${known[@]}"
wrong 2 'three numbers with commas' --rates=1e9,1e12
wrong 2 'three numbers with commas' --rates=1e9,1e12,x
wrong 2 'above 0' --rates=1e9,1e12,0
wrong 2 'is the limit of three rates alone' --rates=1e9,1e12,15e9 --flops=1
wrong 2 'leave one of them out' --learn=x.json --machine=h200 --svg=x.svg
check 'no picture was begun' [ ! -e x.svg ]
wrong 2 'there are float32, float64' --flops=1 --type=int "${known[@]}"
wrong 2 'no such one; there are' nosuch "${known[@]}"
wrong 2 'one workload at a time' solve nbody "${known[@]}"
wrong 2 'says its own numbers' solve --flops=3 "${known[@]}"
wrong 2 'described by numbers' solve --matrix "${known[@]}"
wrong 2 'no such parameter; there are' add --order=3 "${known[@]}"
wrong 2 'and no workload: name one' --order=3 --flops=1 "${known[@]}"
wrong 2 'belongs to a workload' --flops=1 --placement=copy "${known[@]}"
wrong 2 'there are copy, preload, resident' solve --placement=there "${known[@]}"
wrong 2 'no times of that name' solve --machine=nowhere --cpu=cpu-2
wrong 3 'nothing is known of a GPU of it' solve --machine=cpu-2 --cpu=cpu-2
wrong 3 'neither figures nor times of a CPU' solve --machine=t4 --cpu=t4
wrong 2 'three numbers or formulas with commas' --matmul=3,4 "${known[@]}"
wrong 2 'three numbers or formulas with commas' --matmul=3,4,5,6 "${known[@]}"
wrong 2 'at least 1 is needed' --matmul=3,0,5 "${known[@]}"
wrong 2 'says the operations and bytes itself' --matmul=3,4,5 --flops=3 "${known[@]}"
wrong 2 'a factorisation and the sides of its matrix' --factor=svd "${known[@]}"
wrong 2 'a factorisation and the sides of its matrix' --factor=lu,3,4,5 "${known[@]}"
wrong 2 'at least 1 is needed' --factor=lu,0 "${known[@]}"
wrong 2 'is neither a product nor elementwise' --factor=lu,3 --matmul=3,4,5 "${known[@]}"
wrong 2 'a kind of work and its items are needed' --irregular=heap,3 "${known[@]}"
wrong 2 'a kind of work and its items are needed' --irregular=hash "${known[@]}"
wrong 2 'a kind of work and its items are needed' --irregular=hash,1e6,2,3 "${known[@]}"
wrong 2 'at least 1 is needed' --irregular=hash,0 "${known[@]}"
wrong 2 'at least 1 is needed' --irregular=sort,3,0 "${known[@]}"
wrong 2 'is no product, no factorisation' --irregular=sort,3 --factor=lu,3 "${known[@]}"
wrong 2 "there is no 'keras'" --flops=3 --framework=keras "${known[@]}"
wrong 2 'with that in their name: datasheet-a100-40' --flops=3 --machine=A100 --cpu=cpu-2
wrong 2 'needs --bytes' --flops=3 --elementwise "${known[@]}"
wrong 2 'has learned from a run before' --learn="$results" --machine=./learned.json
wrong 2 'of the machine that was measured' --learn="$results" --machine=t4
wrong 2 'name it alone' --learn="$results"
wrong 2 'name it alone' --learn="$results" --machine=t4,h200
wrong 2 'belongs to --learn' --save=x --flops=1 "${known[@]}"
wrong 2 'holds no results of a comparison' --learn=learned.json --machine=h100-80
wrong 2 'No such file' --learn=nothing.json --machine=h100-80
echo '{' >damaged.json
wrong 2 'damaged.json' --learn=damaged.json --machine=h100-80
wrong 2 'is the limit of three rates alone' solve --rates=1e9,1e12,15e9

done_testing cli.predict
