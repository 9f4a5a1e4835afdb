#!/usr/bin/env bash
# `breakeven run --trace` around a program on a fake driver, a fake NVML and a fake CUPTI.
# usage: run.sh BREAKEVEN VICTIM LIBRARY FOLDERS-OF-FAKES
set -eu
breakeven=$1 victim=$2 library=$3 fakes=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch/tmp XDG_DATA_HOME=$scratch/data LD_LIBRARY_PATH=$fakes ASAN_OPTIONS=detect_leaks=0
unset CUDA_INJECTION64_PATH CUDA_VISIBLE_DEVICES
mkdir "$TMPDIR"
failed=0

# must NAME COMMAND...
must() {
    local name=$1
    shift
    "$@" || {
        echo "run --trace: $name"
        failed=1
    }
}

# traced NAME WORD COMMAND...: runs the command to NAME.json, out and err; its exit code is in status. The watcher opens
# what it looks at, and looks twice, while the command runs: on a busy machine it has to last longer until WORD is
# there.
traced() {
    local name=$1 word=$2 longer
    shift 2
    for longer in 0.7 4 16; do
        status=0
        # shellcheck disable=SC2016 # what is quoted is for sh -c
        "$breakeven" run --trace --json "$scratch/$name.json" -- \
            sh -c '"$@"; code=$?; sleep '"$longer"'; exit $code' sh "$@" \
            >"$scratch/out" 2>"$scratch/err" || status=$?
        ! grep -q "$word" "$scratch/$name.json" || break
    done
}

traced trace '"gpu_sm_active"' "$victim" "$library" _exit 20000
must "exit code $status, not the program's 7" [ "$status" -eq 7 ]
must "writes to its output" [ ! -s "$scratch/out" ]
must "leaves its folder: $(ls "$TMPDIR")" [ -z "$(ls -A "$TMPDIR")" ]
must "has no kernels in the trace" grep -q '"gpu_kernels"' "$scratch/trace.json"
must "does not say what it counted" grep -q '1 process, 20000 kernels' "$scratch/trace.json"
must "has no counters of the GPU" grep -q '"gpu_sm_active"' "$scratch/trace.json"

# Another profiler is there: the program runs as before, and the trace says why nothing is in it.
export FAKE_CUPTI_FAIL=cuptiSubscribe=39
traced other 'another profiler' "$victim" "$library" _exit 1000
unset FAKE_CUPTI_FAIL
must "exit code $status beside another profiler" [ "$status" -eq 7 ]
must "does not name the other profiler" grep -q 'another profiler holds CUPTI' "$scratch/other.json"

# Another tool is to be loaded: nothing is started.
status=0
CUDA_INJECTION64_PATH=/other.so "$breakeven" run --trace -- touch "$scratch/started" \
    2>"$scratch/err" || status=$?
must "exit code $status with another tool, not 2" [ "$status" -eq 2 ]
must "started the program all the same" [ ! -e "$scratch/started" ]
must "does not say what to do" grep -q 'unset it, or leave --trace out' "$scratch/err"

# The folder for its folder is not there: it takes another, and the program runs.
status=0
TMPDIR=/nowhere "$breakeven" run --trace --json "$scratch/nowhere.json" -- \
    sh -c 'test -w "$BREAKEVEN_TRACE_FOLDER" && echo "$BREAKEVEN_TRACE_FOLDER" && exit 7' \
    >"$scratch/out" 2>"$scratch/err" || status=$?
must "exit code $status without a TMPDIR, not the program's 7" [ "$status" -eq 7 ]
must "leaves its folder outside TMPDIR" [ ! -e "$(cat "$scratch/out")" ]

# The command is not there: its exit code, and nothing left.
status=0
"$breakeven" run --trace -- /nowhere/command 2>"$scratch/err" || status=$?
must "exit code $status for no command" [ "$status" -eq 127 ]
must "leaves its folder without a command" [ -z "$(ls -A "$TMPDIR")" ]
exit "$failed"
