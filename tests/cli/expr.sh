#!/usr/bin/env bash
# A formula of the user's own from the command line: table, JSON, faults with a caret, no compiler, other machines.
# usage: tests/cli/expr.sh BUILD/breakeven
set -eu
program=$(realpath "$1")
. "$(dirname "$0")/../checks.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir temporary
export HOME=$scratch XDG_DATA_HOME=$scratch/data TMPDIR=$scratch/temporary
unset BREAKEVEN_PROFILES BREAKEVEN_RESULTS CC

run() {
    code=0
    "$program" "$@" >out 2>err || code=$?
}

# holds FILE CODE: Python's view of the JSON in FILE, as d.
holds() { python3 -c "import json; d = json.load(open('$1')); assert $2, '$2'"; }

# says FILE TEXT: blanks and line ends are alike.
says() { tr -s '\n ' ' ' <"$1" | grep -qF -- "$2"; }

# Limits from this profile are not measured anew each time.
run probe --quick --quiet --device=cpu --output="$scratch/own.json"
look=('--size=1e3,1e5' --budget=0.01 --no-refine --quiet --cache=hot --machine="$scratch/own.json" --elsewhere=none)
here=("${look[@]}" --device=cpu)
power='z = pow(x,y) + 0.5f*x'

# ---- a formula -------------------------------------------------------------------------------
if command -v cc >/dev/null; then
    run compare --expr "$power" "${here[@]}" --json=power.json
    check 'a formula: exit 0' [ "$code" -eq 0 ]
    check 'the table has it as its title, compiled' says out "expr: $power, float32"
    check 'nothing is said of an interpreter' [ ! -s err ]
    check 'JSON: right at both sizes on one core and on all, with a limit' holds power.json \
        '[r for r in d["results"] if r["size"] == 1000 and r["status"] == "ok"] and {r["size"] for r in d["results"]} == {1000, 100000} and all(r["workload"] == "expr" and r["dtype"] == "float32" and r["status"] == "ok" and r["limit_s"] > 0 for r in d["results"])'
    check 'JSON: bytes of two arrays read and one written; 3 operations an element' holds power.json \
        'all(r["bytes"] == 12 * r["size"] and r["operations"] == 3 * r["size"] for r in d["results"])'
    run compare --expr 'y = 2*x + y' --type=float64 "${here[@]}" --json=wide.json
    check '--type=float64, an array that is updated' holds wide.json \
        'd["results"] and all(r["dtype"] == "float64" and r["status"] == "ok" and r["bytes"] == 24 * r["size"] for r in d["results"])'
    run report power.json
    check 'the saved comparison has the formula' says out "expr: $power"
    check 'no path of a temporary folder is in any result' \
        sh -c '! grep -lE "temporary|breakeven-[A-Za-z0-9]{6}|code\.(c|so)" power.json wide.json out err'
    check 'the temporary folder is empty again' [ -z "$(ls temporary)" ]
    run compare --expr 'z = x / 0 + sqrt(-1 - x)' "${here[@]}" --json=odd.json
    check 'infinity and NaN on both sides are no difference' sh -c "[ $code -eq 0 ]"
else
    echo 'skip: compiled: no cc here'
fi
run compare axpy --expr 'z = x' "${here[@]}" --json=both.json
check 'beside a built-in workload: both are measured' holds both.json \
    '{r["workload"] for r in d["results"] if r["status"] == "ok"} == {"axpy", "expr"}'
run compare --list --expr 'z = 2*x'
check '--list: the formula and its size' sh -c "[ $code -eq 0 ] && grep -q 'z = 2\*x' out"
run compare --expr 'd = x - y; s = d*d' --reduce=sum "${here[@]}" --json=sum.json
check '--reduce: right, and the bytes of two arrays read and one number written' holds sum.json \
    'd["results"] and all(r["status"] == "ok" and r["bytes"] == 8 * r["size"] + 4 and r["operations"] == 3 * r["size"] for r in d["results"])'
check '--reduce: the title says it' says out 'expr: sum of d = x - y; s = d*d, float32'

# ---- no compiler ------------------------------------------------------------------------------
mkdir bare
CC=/nonexistent/cc PATH=$scratch/bare run compare --expr "$power" "${here[@]}" --json=slow.json
check 'no compiler: the answer all the same' holds slow.json \
    'd["results"] and all(r["status"] == "ok" for r in d["results"])'
check 'no compiler: exit 0' [ "$code" -eq 0 ]
check 'no compiler: the title says it' says out "$power (interpreted on the CPU)"
check 'no compiler: how it comes and what to do' says err \
    '/nonexistent/cc: there is no such compiler here: install a C compiler, or name one in CC'
check 'no compiler: what it does to the answer' says err 'the break-even is too early'
PATH=$scratch/bare run compare --expr "$power" "${here[@]}"
check 'no cc in PATH: said' says err 'cc: there is no such compiler here'
CC=false run compare --expr "$power" "${here[@]}"
check 'a compiler that fails: said, and the answer all the same' \
    sh -c "[ $code -eq 0 ] && grep -q 'interpreted on the CPU' out err && grep -q 'false failed: it said nothing' err"
check 'nothing is left behind' [ -z "$(ls temporary)" ]
TMPDIR=$scratch/nowhere run compare --expr "$power" "${here[@]}"
check 'no folder to compile in: said with what to do' says err 'set TMPDIR'

# ---- ended while it compiles --------------------------------------------------------------------
cat >slow-cc <<'CC'
#!/bin/sh
: >"$BEGUN"
exec sleep 60
CC
chmod +x slow-cc
export BEGUN=$scratch/begun
for signal in INT TERM HUP; do
    rm -f "$BEGUN"
    python3 - "$program" "$signal" "$power" "${here[@]}" <<'PYTHON' >ended 2>&1 || true
import os, signal, subprocess, sys, time
program, name, formula, *rest = sys.argv[1:]
child = subprocess.Popen([program, "compare", "--expr", formula, *rest], env=dict(os.environ, CC="./slow-cc"),
                         stdout=subprocess.DEVNULL, stderr=open("err", "wb"), start_new_session=True)
end = time.monotonic() + 30
while not os.path.exists(os.environ["BEGUN"]) and time.monotonic() < end:
    time.sleep(0.01)
os.killpg(child.pid, getattr(signal, "SIG" + name))
print(child.wait(30))
PYTHON
    check "SIG$signal while it compiles: ends, exit 130" grep -qx 130 ended
    check "SIG$signal: the temporary folder is gone" [ -z "$(ls temporary)" ]
    check "SIG$signal: nothing is said of interpreters" sh -c '! grep -q interpreted err'
done
unset BEGUN

# ---- a device, and machines that are not here -----------------------------------------------------
run compare --expr 'z = i*x + n' "${look[@]}" --device=opencl:0 --json=device.json
if [ "$code" -eq 3 ]; then
    [ -z "${BREAKEVEN_REQUIRE_OPENCL:-}" ] || bad 'OpenCL is required, and not here'
    echo 'skip: on a device: no OpenCL here'
else
    check 'on a device: right in every placement' holds device.json \
        'len({r["placement"] for r in d["results"] if r["device"] == "opencl:0" and r["status"] == "ok"}) == 3 and all(r["status"] == "ok" for r in d["results"])'
fi
run compare --expr "$power" --size=1e4,1e6 "${here[@]:1}" --elsewhere=a100-80 --json=there.json
check 'elsewhere: a break-even with that machine in each placement' holds there.json \
    '{b["placement"] for b in d["breakevens"] if b["device"] == "a100-80"} == {"copy", "preload", "resident"}'
check 'elsewhere: said to be predicted' says out 'predicted'

# ---- what can be wrong -----------------------------------------------------------------------------
# wrong CODE TEXT ARGUMENT...
wrong() {
    local status=$1 text=$2
    shift 2
    run "$@"
    check "$*: $text" sh -c "[ $code -eq $status ] && tr -s '\n ' ' ' <err | grep -qF -- \"\$1\"" sh "$text"
}
wrong 2 'no function powr (did you mean pow?)' compare --expr 'z = powr(x,y)'
check 'the formula is shown, with a caret below the word' \
    sh -c 'grep -qxF "  z = powr(x,y)" err && grep -qxF "      ^" err'
wrong 2 'an operator is expected behind the number: 2*x, not 2x' compare --expr 'z = 2x'
wrong 2 'an empty formula' compare --expr ''
wrong 2 'n cannot be assigned: it is the size' compare --expr 'n = x'
wrong 2 'a power is pow(a, b), not a ** b' compare --expr 'z = x**2'
wrong 2 '--expr: given twice' compare --expr 'z = x' --expr 'y = x'
wrong 2 '--reduce mean: there are sum, min and max' compare --expr 'z = x' --reduce=mean
wrong 2 '--reduce: one value of which formula?' compare --reduce=sum
wrong 2 'y is an array that is read' compare --expr 'y = y + 1' --reduce=sum
wrong 2 'float16' compare --expr 'z = x' --type=float16
wrong 2 'needs 16 PB of host memory' compare --expr 'z = x' --size=1e15
check 'nothing is left behind in the end' [ -z "$(ls temporary)" ]

done_testing cli.expr
