#!/usr/bin/env bash
# `breakeven lint` against the real sbatch: what it takes has no error, what it refuses has one.
# usage: BREAKEVEN_TEST_SLURM=FOLDER tests/slurm/lint.sh BUILD/breakeven
# shellcheck source-path=SCRIPTDIR
program=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib.sh"

# Options given to sbatch beside a script: with errors of ours it refuses that, and without any it takes it.
cat >given.sh <<'END'
#!/bin/bash
#SBATCH --mem=1G --gpus-per-node=a100:1 -p gpu -t 5
python train.py --device cuda
END
while read -r -a options; do
    sbatch --test-only "${options[@]}" given.sh >said 2>&1
    taken=$?
    "$program" lint --with="${options[*]}" given.sh >out
    check "sbatch ${options[*]}" [ "$((taken != 0))" -eq "$?" ]
done <<'END'
-c 2
--mem=2G
--mem-per-cpu=1G
--mem-per-gpu=1G
--gpus=1
--gpus=a100:1
--gpus-per-node=2
--cpus-per-gpu=2 -c 3
--time-min=10
--time=2h
--tme=3
-ntasks=4
--exclusive=foo
--comment=a#b
--array=1-3 --comment=a#b
END
[ "$failed" -eq 0 ] || exit 1
python3 -B "$here/../lint/check.py" "$program" --sbatch
