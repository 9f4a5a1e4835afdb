#!/usr/bin/env bash
# `breakeven run --calls` around programs that call a BLAS of ours.
# usage: run.sh BREAKEVEN VICTIM STATIC PLUGINS   STATIC: a program that is linked statically, PLUGINS: one that loads libraries;
# none: there is none here
set -eu
breakeven=$1 victim=$2 static=$3 plugins=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch/tmp XDG_DATA_HOME=$scratch/data ASAN_OPTIONS=detect_leaks=0
unset LD_PRELOAD
mkdir "$TMPDIR"
failed=0

# must NAME COMMAND...
must() {
    local name=$1
    shift
    "$@" || {
        echo "run --calls: $name"
        cat "$scratch/err"
        failed=1
    }
}

# recorded COMMAND...: its exit code is in status, its output in out, the report in err, the trace in json
recorded() {
    status=0
    "$breakeven" run --calls --json "$scratch/json" -- "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
}

says() {
    tr -s ' \n' ' ' <"$scratch/err" | grep -qE -e "$1"
}

recorded "$victim" forks
must "exit code $status, not the program's 0" [ "$status" -eq 0 ]
must "has no product in the table" says 'dgemm 30 x 20 x 10 602 [0-9.]+ [mun]?s'
must "does not count processes" says 'in 601 processes'
must "leaves its folder: $(ls "$TMPDIR")" [ -z "$(ls -A "$TMPDIR")" ]
must "has no functions in the trace" grep -q '"function":"dgemm","kind":"matrix product"' "$scratch/json"
grep -A3 '^calls' "$scratch/err" >"$scratch/then"
"$breakeven" report "$scratch/json" | grep -A3 '^calls' >"$scratch/now"
must "is another table in the saved trace" cmp "$scratch/then" "$scratch/now"

recorded "$victim" killed
must "exit code $status of a program that was killed" [ "$status" -eq 137 ]
must "lost the call of a program that was killed" says 'dgemm 30 x 20 x 10 1 '

# The matrices that come back, and a batch.
recorded "$victim" batch
must "does not see a batch" says 'dgemm 2 x 2 x 2, 10 a time 10 '

# Whatever was to be loaded before stays, and stays first.
export LD_PRELOAD=/nowhere/other.so
recorded sh -c 'echo "$LD_PRELOAD"; exit 7'
unset LD_PRELOAD
must "exit code $status, not the program's 7" [ "$status" -eq 7 ]
must "changes the order of LD_PRELOAD" grep -q '^/nowhere/other.so:.*/libbreakeven_calls.so$' "$scratch/out"
must "does not say that nothing was seen" says 'none of BLAS, LAPACK or FFTW was seen'

# Another program between us and the one that calls; both outputs are its own.
recorded sh -c '"$1" batch; echo out; echo err >&2; exit 3' sh "$victim"
must "exit code $status, not the program's 3" [ "$status" -eq 3 ]
must "changes the output" [ "$(cat "$scratch/out")" = out ]
must "does not see a child's calls" says 'dgemm 2 x 2 x 2'

if [ "$static" != none ]; then
    recorded "$static"
    must "exit code $status of a static program, not 5" [ "$status" -eq 5 ]
    must "does not say that a static program cannot be seen" \
        says 'none of BLAS, LAPACK or FFTW was seen; the command is linked statically: its own calls could not be'
fi

# Libraries that look among themselves first (RTLD_DEEPBIND) call their own.
if [ "$plugins" != none ]; then
    for way in "" deepbind; do
        recorded "$plugins" $way
        must "exit code $status of libraries that are loaded${way:+, $way}" [ "$status" -eq 0 ]
    done
fi

# A program of another user (set-user-id) is the loader's to protect.
if [ "$(id -u)" -eq 0 ]; then
    cp "$(type -P true)" "$scratch/other"
    chown nobody "$scratch/other"
    chmod 4755 "$scratch/other"
    recorded "$scratch/other"
    must "exit code $status of a set-user-id program" [ "$status" -eq 0 ]
    must "does not say that a set-user-id program cannot be seen" says 'the command runs as another user \(set-user-id\)'
fi

# Another C library.
if command -v musl-gcc >/dev/null; then
    printf '#include <stdio.h>\nint main(void) { puts("musl"); return 4; }\n' >"$scratch/musl.c"
    musl-gcc -o "$scratch/musl" "$scratch/musl.c"
    recorded "$scratch/musl"
    must "exit code $status of a program of musl, not 4" [ "$status" -eq 4 ]
    must "changes the output of a program of musl" [ "$(cat "$scratch/out")" = musl ]
else
    echo "skip: musl-gcc is not here (package musl-tools)"
fi

# A 32-bit program would be told by its linker: it is left alone.
printf '\177ELF\1\1\1%0100d' 0 >"$scratch/small"
chmod +x "$scratch/small"
recorded "$scratch/small"
must "does not say that a 32-bit program is left alone" says 'the command is a 32-bit program'

# The command is not there: its exit code, and nothing left.
recorded /nowhere/command
must "exit code $status for no command" [ "$status" -eq 127 ]
must "leaves its folder without a command" [ -z "$(ls -A "$TMPDIR")" ]

# No room for the record: nothing is started.
status=0
(
    ulimit -f 1000
    trap '' XFSZ
    "$breakeven" run --calls --trace-file=none -- touch "$scratch/started" 2>"$scratch/err"
) || status=$?
must "exit code $status without room for the record" [ "$status" -ne 0 ]
must "started the program all the same" [ ! -e "$scratch/started" ]
must "does not say how much is needed" says '--calls: .*16 MB are needed: .*TMPDIR=DIR'
exit "$failed"
