# shellcheck shell=bash
# The arguments of scripts that compare output with what is kept, BUILD/breakeven [--update]: sourced, it makes
# `program` and `update` (true, false) of them.
usage() {
    echo "usage: $0 BUILD/breakeven [--update]" >&2
    exit 2
}

# shellcheck disable=SC2034 # for who sources this
program='' update=false
for word in "$@"; do
    case $word in
    --update) update=true ;;
    -*) usage ;;
    *) program=$(realpath "$word") ;;
    esac
done
[ -x "$program" ] || usage
