#!/usr/bin/env bash
# On a machine with a GPU: the contract tests, and every workload on each GPU in every placement at
# odd sizes.
# usage: [DEVICES=ID,...] [PART=contract|compare] [WORKLOADS=NAME,...] tests/gpu.sh BUILD/breakeven
#   PART: the contract tests alone, or the workloads in `compare` alone, where time is short.
#   WORKLOADS: these and no others, in both parts; of the contract tests, theirs alone.
#   DEVICES: these and no other GPUs (cuda:0). Each test's line is printed as it ends, after the seconds
#   since the start, so a run that is cut short has said what held until then.
# Exit status: 0 all held, 1 something did not, 77 no GPU here.
set -eu
. "$(dirname "$0")/../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
find_program "$1"
asked=${DEVICES:-}
only=${PART:-all}
these=${WORKLOADS:-}
unset WORKLOADS # the contract tests are told by name
case $only in all | contract | compare) ;; *) wrong_use "PART=$only: contract or compare" ;; esac
build=$(dirname "$program")
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
: >"$scratch/failed" # a line for each that did not hold

# say WORD TEXT: with the seconds since the start, the text's further lines below it.
say() { printf '%4d s  %-8s %s\n' "$SECONDS" "$1" "$2"; }

wrong() {
    say FAILED "$*"
    echo "${*%%$'\n'*}" >>"$scratch/failed"
}

# compare NAME OPTION...: leaves NAME.json, and the exit status in $status.
compare() {
    local name=$1
    shift
    status=0
    "$program" compare "$@" --elsewhere=none --no-refine --quiet --json="$scratch/$name.json" \
        >"$scratch/$name.txt" 2>"$scratch/$name.errors" || status=$?
}

# ids KIND BACKEND: devices here, "any" for any.
ids() {
    python3 - "$scratch/here.json" "$1" "$2" "$asked" <<'PYTHON'
import json, sys
path, kind, backend, asked = sys.argv[1:]
for d in json.load(open(path))["machine"]["devices"]:
    if kind in ("any", d["kind"]) and backend in ("any", d["backend"]) and (not asked or d["id"] in asked.split(",")):
        print(d["id"])
PYTHON
}

# Built here and now, unless this folder was built elsewhere: then what it holds is run.
build_contract() {
    grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$build/CMakeCache.txt" || return 0
    cmake -S . -B "$build" -DBREAKEVEN_TESTS=ON >"$scratch/build" 2>&1 &&
        cmake --build "$build" >>"$scratch/build" 2>&1 && return
    tail -n 5 "$scratch/build"
    wrong "contract tests: not built (what is missing: scripts/setup.sh --test --check)"
}

# The jobs to run, a line each: test, device, and of the workloads' test which one: each must have passed on each GPU.
contract_jobs() {
    local test id
    for test in "$build"/tests/contract_*; do
        [ -f "$test" ] || continue
        for id in $(ids gpu any); do
            case $test in
            */contract_memory | */contract_device_ops) ;; # open no device
            */contract_workloads) printf '%s\n' "${names[@]/#/$test $id }" ;;
            *) [ -n "$these" ] || echo "$test $id" ;;
            esac
        done
    done
}

# TEST ID NAME KEPT: runs it, and prints its line.
contract_one() {
    local test=$1 id=$2 name=$3 kept=$4 what untested
    what="$(basename "$test")${name:+ }$name on $id"
    if ! DEVICES=$id WORKLOADS=$name "$test" >"$kept" 2>&1 </dev/null; then
        wrong "$what"$'\n'"$(grep -vF -e '[ RUN      ]' -e '[       OK ]' "$kept" | head -n 40)"
    elif grep -qF -e "[       OK ] $id: " -e "[       OK ] $name on $id" "$kept"; then
        untested=$(sed -n '/not tested/s/^/                 /p' "$kept" | uniq)
        say ok "$what${untested:+$'\n'$untested}"
    elif [ -z "$name" ]; then
        say skipped "$what"
    else
        wrong "$what: not run"
    fi
}

# Runs standard input's jobs, side by side as many as can have two cores each: most of their time
# the host compiles.
contract() {
    local test id name most=$(($(nproc) / 2))
    while read -r test id name; do
        while [ "$(jobs -rp | wc -l)" -ge $((most > 1 ? most : 1)) ]; do
            wait -n || true
        done
        { contract_one "$test" "$id" "$name" "$(mktemp -p "$scratch" contract.XXXXXX)" ||
            wrong "$(basename "$test") $name on $id: ended early"; } &
    done
    wait
}

# Odd sizes, each line for its workloads; the third one's are of more than one dimension, 1024 is
# for transforms by our own code; then one large system, by what is for such. Those that no line names take
# what suits any, and come first: they are the newest.
sizes_of() {
    local name sizes words word kept
    for name in "${names[@]}"; do
        listed | tr ' ' '\n' | grep -qxF -- "$name" || echo "1,7,101,257,1009,1024 $name"
    done
    listed | while read -r sizes words; do
        kept=
        for word in $words; do
            case $word in
            --*) kept+=" $word" ;;
            *) [[ " ${names[*]} " != *" $word "* ]] || kept+=" $word" ;;
            esac
        done
        [[ ! "$kept" =~ \ [a-z] ]] || echo "$sizes$kept"
    done
}

listed() {
    # shellcheck disable=SC2046 # several names
    echo 1,7,1000,100003,30000001 power $(cd src/workload && printf '%s\n' */element.cl | sed 's,/.*,,')
    cat <<'SIZES'
1,7,1000,100003,3000001 chain recurrence generate reduce gather sort
101,257,1009,1024 --steps=100 solve distance regress matmul mandelbrot stencil spmv fft nbody
101,1009 --order=3 eigen
101,1009 --order=16 eigen
7,101 --order=65 eigen
7,11 --order=100 eigen
101,1009 --what=svd --order=3 eigen
7,101 --what=svd --order=33 eigen
7 --what=svd --order=100 --rows=300 eigen
1 --order=700 solve
1 --order=4500 solve
SIZES
}

# cases BACKEND SIZES WORD...: compares on its GPUs; each case must be there, and right. A
# variant may be absent, with a reason, which is said where no other does that size. So may an answer
# that float32 factors cannot give, if it says so: another variant must be right there.
cases() {
    local backend=$1 sizes=$2 name=$1.${*:2} found
    name=${name//[^a-z0-9.]/_}
    shift 2
    compare "$name" "$@" --device="$(ids gpu "$backend" | paste -sd,)" --size="$sizes" \
        --cache=hot --budget=0.01
    # 4: a result was wrong, which is looked at below
    if [ "$status" -ne 0 ] && { [ "$status" -ne 4 ] || [ ! -s "$scratch/$name.json" ]; }; then
        wrong "$backend: compare ended with $status: $(tr -s '\n ' ' ' <"$scratch/$name.errors")"
        [ -s "$scratch/$name.json" ] || return 0
    fi
    # shellcheck disable=SC2046 # several ids
    if found=$(python3 - "$scratch/$name.json" "$sizes" "$*" $(ids gpu "$backend") <<'PYTHON'
import itertools, json, sys
path, sizes, words, *devices = sys.argv[1:]
results = json.load(open(path))["results"]
bad, checked, absent = [], 0, {}
wanted = set(itertools.product(
    (w for w in words.split() if w[0] != "-"), map(int, sizes.split(",")), devices,
    ("copy", "preload", "resident")))
for r in results:
    if r["device"] not in devices or r["variant"] == "as-published":
        continue
    name = (r["workload"], r["size"], r["device"], r["placement"])
    if r["status"] == "absent" or "does not converge from its float32 factors" in (r.get("note") or ""):
        absent[name] = r.get("note") or "no reason"
        continue
    wanted.discard(name)
    checked += 1
    residual, tolerance = r.get("residual"), r.get("tolerance")
    right = residual is not None and tolerance is not None and residual <= tolerance
    if r["status"] != "ok" or not right:
        bad.append((*name, r["variant"], r["status"], f"residual {residual}", r.get("note") or ""))
missing = sorted(wanted - set(absent))
print(f"{', '.join(devices)}: {words}: {checked} cases, {len(bad)} wrong, {len(missing)} missing")
for reason in sorted({absent[name] for name in wanted if name in absent}):
    here = sorted({f"{n[0]} {n[1]}" for n in wanted if absent.get(n) == reason})
    print("                 absent:", ", ".join(here) + ":", reason)
for case in bad + [(*name, "not measured") for name in missing]:
    print("                ", *case)
sys.exit(not checked or bool(bad) or bool(missing))
PYTHON
    ); then
        say ok "$found"
    else
        wrong "$found"
    fi
}

workloads() {
    local sizes words
    while read -r sizes words; do
        # shellcheck disable=SC2086 # several words
        cases "$1" "$sizes" $words </dev/null
    done < <(sizes_of)
}

# Joules a second of calls that keep the GPU busy: as many as GPUs can take, or a reason why not known, which
# cannot be that it was more than its power limit.
energy() {
    local found
    compare energy power --device=cuda --size=1e8 --threads=1 --placement=resident --energy
    if found=$(python3 - "$scratch/energy.json" <<'PYTHON'
import json, sys
cases = [r for r in json.load(open(sys.argv[1]))["results"] if r["device"].startswith("cuda")]
bad = not cases
for r in cases:
    joules, seconds, median = r["joules"], r["energy_s"], r["phases"]["total"]["median_s"]
    if joules is None:
        why = r["energy_note"] or ""
        right, what = why and "power limit" not in why, f"not known: {why}"
    else:
        right = 5 < joules / seconds < 3000 and r["joules_lo"] <= joules <= r["joules_hi"]
        half = (r["joules_hi"] - r["joules_lo"]) / 2 / joules
        what = f"{joules:.3g} J a call +- {100 * half:.2g} %, {joules / seconds:.0f} W, calls of {1e3 * seconds:.3g} ms"
        what += f" ({seconds / median:.2f} x the median), {r['energy_source']}"
    bad |= not right
    print(f"{r['device']}: energy: {what}")
sys.exit(bad)
PYTHON
    ); then
        say ok "$found"
    else
        wrong "$found"
    fi
}

command -v python3 >/dev/null || { echo "gpu: python3 is needed" >&2; exit 1; }
compare here multiply --size=1 --placement=resident --budget=0.01
if [ ! -s "$scratch/here.json" ]; then
    cat "$scratch/here.errors" >&2
    exit 1
fi
gpus=$(ids gpu any)
if [ -z "$gpus" ] && [ -n "$asked" ]; then
    echo "gpu: DEVICES=$asked: no such GPU here; there are: $(asked='' ids gpu any | paste -sd' ' | sed 's,^$,none,')" >&2
    exit 1
fi
if [ -z "$gpus" ]; then
    echo "gpu: skipped: no GPU here"
    grep '^absent:' "$scratch/here.txt" || true
    exit 77
fi
python3 - "$scratch/here.json" <<'PYTHON'
import json, sys
whole = json.load(open(sys.argv[1]))
for d in whole["machine"]["devices"]:
    print(f"{d['id']:<9}{d['name']}, {d.get('driver')}")
print(f"breakeven {whole['version']}, {whole['environment']['date']}")
PYTHON

# The program's workloads.
read -ra names < <("$program" compare '?' 2>&1 | tr '\n' ' ' | sed 's/.*there are://; s/,/ /g') || true
[ ${#names[@]} -gt 0 ] || wrong "no names of workloads"
for name in ${these//,/ }; do
    [[ " ${names[*]} " == *" $name "* ]] || wrong_use "WORKLOADS=$these: no workload $name; there are: ${names[*]}"
done
[ -z "$these" ] || IFS=, read -ra names <<<"$these"
[ -n "$these" ] || [ -z "$(ids gpu cuda)" ] || energy # while nothing else runs
if [ "$only" = compare ]; then
    : >"$scratch/jobs"
else
    build_contract
    contract_jobs >"$scratch/jobs"
    [ -s "$scratch/jobs" ] || wrong "contract tests: none in $build/tests"
fi
# The longest jobs, which compile most, run from the beginning; beside them those that wait for the GPU at each step:
# where many programs share it, each wait is a long one; then the rest.
long='_solve |_workloads .* (solve|regress)$'
parts=() # what runs beside this, each to be waited for: one that ends early has not held
grep -E "$long" "$scratch/jobs" | contract &
parts+=($!)
grep -vE "_workloads |$long" "$scratch/jobs" | contract
grep '_workloads ' "$scratch/jobs" | grep -vE "$long" | contract &
parts+=($!)
for backend in cuda opencl; do
    if [ "$only" = contract ]; then
        :
    elif [ -n "$(ids gpu $backend)" ]; then
        workloads $backend &
        parts+=($!)
    else
        say absent "$backend"
    fi
done
for part in "${parts[@]}"; do
    wait "$part" || wrong "a part of this ended early, with $?"
done
if [ -s "$scratch/failed" ]; then
    echo "gpu: $(grep -c . "$scratch/failed") failed on ${gpus//$'\n'/ }"
    exit 1
fi
echo "gpu: all held on ${gpus//$'\n'/ }"
