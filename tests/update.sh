# shellcheck shell=bash
# What scripts that hold output against what is kept are called with, BUILD/breakeven [--update]: sourced, it
# makes `program` and `update` (true, false) of the words.
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
