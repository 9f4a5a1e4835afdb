#!/usr/bin/env bash
# The hook for pre-commit and the action for GitHub: their commands, as their runners start them, on scripts of a change.
# usage: tests/lint/hooks.sh BUILD/breakeven
# shellcheck source-path=SCRIPTDIR
set -u
. "$(dirname "$0")/../../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
program=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
top=$here/../..
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
. "$here/../checks.sh"
PATH=$(dirname "$program"):$PATH

mkdir jobs
printf '#!/bin/bash\n#SBATCH --time=2h\n./a\n' >jobs/bad.sh
printf '#!/bin/bash\n#SBATCH --time=5\n./a\n' >jobs/good.sh
printf '#!/bin/bash\nexit 1\n' >other.sh

# pre-commit: the words of `entry`, and the files of the commit behind them.
read -r -a entry < <(sed -n 's/^ *entry: //p' "$top/.pre-commit-hooks.yaml")
hook() { "${entry[@]}" "$@" >out 2>err; }
check 'the hook passes what is right, and no job' hook jobs/good.sh other.sh
[ ! -s out ] || bad "it said something: $(cat out)"
hook jobs/bad.sh jobs/good.sh other.sh
check '  and stops a fault' [ "$?" = 1 ]
check '  which it names' grep -q '^jobs/bad.sh:2:16: error: .*\[bad-value\]' out

# The action: its last command, with its inputs in the environment.
command=$(sed -n 's/^ *run: \(breakeven .*\)/\1/p' "$top/action.yml")
check 'the action has one command of ours' [ "$(wc -l <<<"$command")" = 1 ]
action() { PATHS=$1 OPTIONS=$2 FAIL_ON=$3 bash -eo pipefail -c "$command" >out 2>err; }
action . '' error
check 'the action finds scripts and stops' [ "$?" = 1 ]
check '  as annotations' grep -q '^::error file=./jobs/bad.sh,line=2,col=16,title=bad-value::' out
check '  of these folders and files' action 'jobs/good.sh other.sh' '' error
check '  and not for every level' action jobs '' never
check '  with more options' action jobs '--ignore=bad-value --slurm=24.11' error
done_testing hooks
