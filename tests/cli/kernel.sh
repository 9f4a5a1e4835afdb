#!/usr/bin/env bash
# A kernel of the user's own from the command line: the examples, what they are held against, and what can be wrong.
# usage: tests/cli/kernel.sh BUILD/breakeven
set -eu
program=$(realpath "$1")
examples=$(realpath "$(dirname "$0")/../../examples/kernel")
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

if ! command -v cc >/dev/null; then
    echo 'skip: no cc here'
    exit 77
fi
cp "$examples"/rowsums.* .
run probe --quick --quiet --device=cpu --output="$scratch/own.json"
look=('--size=1000,4097' --budget=0.01 --no-refine --quiet --cache=hot --machine="$scratch/own.json" --elsewhere=none)
opencl=("${look[@]}" --device=opencl:0)
run compare axpy "${opencl[@]}"
pocl=yes
if [ "$code" -eq 3 ]; then
    [ -z "${BREAKEVEN_REQUIRE_OPENCL:-}" ] || bad 'OpenCL is required, and not here'
    echo 'skip: on a device: no OpenCL here'
    pocl=no
fi

# ---- the CPU's side ----------------------------------------------------------------------------
run compare --kernel rowsums.cl --cpu rowsums.c "${look[@]}" --device=cpu --json=cpu.json
check 'the CPU: exit 0' [ "$code" -eq 0 ]
check 'the CPU: right on one core and on all, with bytes and operations as described' holds cpu.json \
    'd["results"] and all(r["status"] == "ok" and r["bytes"] == 4 * 65 * r["size"] and r["operations"] == 64 * r["size"] for r in d["results"])'
check 'the title has kernel and file' says out 'kernel: row_sums of rowsums.cl, float32'
check 'what results are held against is said' says out "held against those of the CPU's code on one thread"

# Without a GPU: how to get an answer is said once, and that command has one. (With one, there is nothing to say.)
run compare --kernel rowsums.cl --cpu rowsums.c --size=1000 --budget=0.01 --no-refine --quiet --cache=hot \
    --machine="$scratch/own.json" --json=alone.json
if holds alone.json 'all(m["kind"] != "gpu" for m in d["machine"]["devices"])' 2>/dev/null; then
    foretells=$(tr -s '\n ' ' ' <out | sed -n 's/.*`breakeven \(predict [^`]*\)`.*/\1/p')
    check 'the counts of the call are said' [ "${foretells%% --bytes*}" = 'predict --flops=64000' ]
    # shellcheck disable=SC2086 # several words
    run $foretells --cpu="$scratch/own.json"
    check 'the command that is said has an answer' says out 'GPU'
    check 'it ends with 0' [ "$code" -eq 0 ]
fi
cc -O2 -shared -fPIC -o librows.so rowsums.c
run compare --kernel rowsums.cl --cpu-library librows.so:row_sums "${look[@]}" --device=cpu --json=library.json
check 'a function of a library' holds library.json 'd["results"] and all(r["status"] == "ok" for r in d["results"])'
sed -i 's/breakeven: size/breakeven: cpu whole_matrix whole\n * &/' rowsums.cl
cat >whole.c <<'C'
void whole_matrix(const float *a, float *sum, int rows, int columns, float scale) {
    for (int i = 0; i < rows; i++) {
        sum[i] = 0;
        for (int j = 0; j < columns; j++)
            sum[i] += scale * a[i * columns + j];
    }
}
C
run compare --kernel rowsums.cl --cpu whole.c "${look[@]}" --device=cpu --json=whole.json
check 'a function for everything: on one core alone' holds whole.json \
    '{r["threads"] for r in d["results"] if r["status"] == "ok"} == {1}'
cp "$examples"/rowsums.cl .
check 'nothing is left behind' [ -z "$(ls temporary)" ]

sed 's/row < end; row++/row < end + (end == rows); row++/' rowsums.c >beyond.c
run compare --kernel rowsums.cl --cpu beyond.c "${look[@]}" --device=cpu
check 'C that writes behind the end is found out too' sh -c "[ $code -eq 4 ] && grep -q 'behind the end' out"

# ---- a device -----------------------------------------------------------------------------------
if [ "$pocl" = yes ]; then
    run compare --kernel rowsums.cl --cpu rowsums.c "${opencl[@]}" --json=both.json
    check 'OpenCL C: right in every placement, at odd sizes' holds both.json \
        'len([r for r in d["results"] if r["device"] == "opencl:0" and r["status"] == "ok"]) == 6'
    sed 's/scale \* total/(row == 77 ? 3 : 1) * scale * total/' rowsums.cl >other.cl
    run compare --kernel other.cl --cpu rowsums.c "${opencl[@]}" --json=other.json
    check 'a kernel that computes something else: exit 4' [ "$code" -eq 4 ]
    check 'where both sides differ is said' sh -c "tr -s '\n ' ' ' <out | grep -qE 'sum\[77\] is [0-9.]+, the reference has [0-9.]+; 1 of 1000 differ'"
    check 'such a case has no time' holds other.json \
        'all(r["status"] == "wrong" and (r["phases"].get("total") or {}).get("median_s") is None for r in d["results"] if r["device"] == "opencl:0")'
    run compare --kernel other.cl --cpu rowsums.c --check=none "${opencl[@]}" --json=none.json
    check '--check=none: times, and the result says that nothing was checked' \
        sh -c "[ $code -eq 0 ] && tr -s '\n ' ' ' <out | grep -qF 'nothing was checked, as asked for'"
    check '--check=none: in the JSON too' grep -q 'nothing was checked, as asked for' none.json
    sed 's/if (row < rows)/if (row < rows + 3)/' rowsums.cl >beyond.cl
    run compare --kernel beyond.cl --cpu rowsums.c "${opencl[@]}"
    check 'a kernel that writes behind the end of its output is found out' \
        sh -c "[ $code -eq 4 ] && tr -s '\n ' ' ' <out | grep -qF 'written behind the end of sum, which has 1000 elements'"
    sed 's/write float sum/update float sum/; s/sum\[row\] =/sum[row] +=/' rowsums.cl >more.cl
    sed 's/sum\[row\] =/sum[row] +=/' rowsums.c >more.c
    run compare --kernel more.cl --cpu more.c "${opencl[@]}" --json=more.json
    check 'an array that is updated: right' holds more.json 'd["results"] and all(r["status"] == "ok" for r in d["results"])'
    # Memory behind the matrix may hold zeros, and adding them would change nothing.
    sed 's/if (row < rows)/if (row < rows + 1)/; s/sum\[row\] += scale \* total/sum[row] = row < rows ? sum[row] + scale * total : 12345.0f/' \
        more.cl >beyond.cl
    run compare --kernel beyond.cl --cpu more.c "${opencl[@]}"
    check 'behind the end of one that is updated' sh -c "[ $code -eq 4 ] && grep -q 'behind the end' out"
    sed 's/float total = 0;/float total = nought;/' rowsums.cl >broken.cl
    run compare --kernel broken.cl --cpu rowsums.c "${opencl[@]}"
    check "the compiler's message has the file's name and line" \
        sh -c "tr -d '\n ' <out | grep -qF 'broken.cl:$(grep -n nought broken.cl | cut -d: -f1):23:'"
    sed 's/kernel row_sums/kernel row_sum/' rowsums.cl >misnamed.cl
    run compare --kernel misnamed.cl --cpu rowsums.c "${opencl[@]}"
    check 'a kernel that is not in the file' sh -c "[ $code -ne 0 ]"
    run compare --kernel rowsums.cu --cpu rowsums.c "${opencl[@]}" --json=cuda.json
    check 'CUDA C has no place on an OpenCL device' says out 'rowsums.cu is for CUDA alone'
fi

# ---- what can be wrong ---------------------------------------------------------------------------
# wrong CODE TEXT ARGUMENT...
wrong() {
    local status=$1 text=$2
    shift 2
    run "$@"
    check "$*: $text" sh -c "[ $code -eq $status ] && tr -s '\n ' ' ' <err | grep -qF -- \"\$1\"" sh "$text"
}
wrong 2 'the same computation for the CPU is needed' compare --kernel rowsums.cl
wrong 2 'from one place' compare --kernel rowsums.cl --cpu rowsums.c --cpu-library librows.so:row_sums
wrong 2 'belong to --kernel, which is missing' compare --cpu rowsums.c
wrong 2 '3000000000' compare --kernel rowsums.cl --cpu rowsums.c --size=3e9 --device=cpu
wrong 2 '--check all: there is none' compare --kernel rowsums.cl --cpu rowsums.c --check=all
wrong 2 'give one of the two' compare --kernel rowsums.cl --cpu rowsums.c --expr 'z = x'
wrong 2 'is in a file *.cl' compare --kernel rowsums.c --cpu rowsums.c
wrong 2 'is there such a file?' compare --kernel nowhere.cl --cpu rowsums.c
wrong 2 'FILE.so:FUNCTION is expected' compare --kernel rowsums.cl --cpu-library librows.so
wrong 2 'there is no such file' compare --kernel rowsums.cl --cpu-library nowhere.so:f
wrong 3 'row_sumz' compare --kernel rowsums.cl --cpu-library librows.so:row_sumz
sed 's/row_sums/other_name/' rowsums.c >misnamed.c
wrong 2 "implicit declaration of function" compare --kernel rowsums.cl --cpu misnamed.c
sed 's/, long first, long end//; s/= first/= 0/; s/< end/< rows/' rowsums.c >whole.c
wrong 2 'needs `void row_sums(const float *, float *, int, int, float, long, long)`, the last two first and end' \
    compare --kernel rowsums.cl --cpu whole.c
sed 's/float total = 0;/float total = nought;/' rowsums.c >broken.c
wrong 2 "broken.c:$(grep -n nought broken.c | cut -d: -f1):" compare --kernel rowsums.cl --cpu broken.c
export CC=/nonexistent/cc
wrong 3 'there is no such compiler here: install' compare --kernel rowsums.cl --cpu rowsums.c
unset CC
check 'nothing is left behind in the end' [ -z "$(ls temporary)" ]

done_testing cli.kernel
