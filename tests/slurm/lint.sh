#!/usr/bin/env bash
# `breakeven lint` against the real sbatch: what it takes has no error, what it refuses has one.
# usage: BREAKEVEN_TEST_SLURM=FOLDER tests/slurm/lint.sh BUILD/breakeven
# shellcheck source-path=SCRIPTDIR
program=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib.sh"

python3 -B "$here/../lint/check.py" "$program" --sbatch
