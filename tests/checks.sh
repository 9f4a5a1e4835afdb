# The parts that tests of the command line share; to be sourced. They work in a folder of their own.
# shellcheck shell=bash
cases=0 failed=0

# bad WHAT: a case failed; what the program wrote last, if kept in out and err, is shown.
bad() {
    echo "FAILED   $*"
    failed=$((failed + 1))
    [ ! -s out ] || sed -n '1,12s/^/         stdout: /p' out
    [ ! -s err ] || sed -n '1,6s/^/         stderr: /p' err
}

# check NAME COMMAND...: the command must succeed.
check() {
    local name=$1
    shift
    cases=$((cases + 1))
    if "$@" >check.out 2>&1; then
        echo "ok       $name"
    else
        bad "$name: $(head -n 3 check.out)"
    fi
}

# done_testing NAME: the sum, and whether all is well.
done_testing() {
    echo "$1: $cases cases, $failed failed"
    [ "$cases" -gt 0 ] && [ "$failed" -eq 0 ]
}
