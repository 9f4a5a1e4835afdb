# Where the newer Slurm of the tests is; to be sourced.
# shellcheck shell=bash
# shellcheck disable=SC2034 # used by who sources this
newer_folder=${BREAKEVEN_NEWER_SLURM:-${XDG_CACHE_HOME:-$HOME/.cache}/breakeven/slurm-24.11}

give_up() {
    echo "skip: $*"
    [ -z "${BREAKEVEN_REQUIRE_SLURM-}" ] || exit 1
    exit 77
}
