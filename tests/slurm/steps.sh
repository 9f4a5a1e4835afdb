#!/usr/bin/env bash
# The tasks that srun starts in a job, beside what `breakeven lint` says of it: how many, and whether it is refused.
# usage: BREAKEVEN_TEST_SLURM=FOLDER tests/slurm/steps.sh BUILD/breakeven
# shellcheck source-path=SCRIPTDIR
program=$(realpath "$1")
. "$(dirname "$0")/lib.sh"
version=$(sinfo --version)
version=${version##* }

# spoke RULE: does lint name it for step.sh, with the version that is here?
spoke() { "$program" lint --slurm="$version" --json step.sh | grep -q "\"rule\":\"$1\""; }

while IFS='|' read -r directives command; do
    printf '#!/bin/bash\n#SBATCH --time=5 --output=step.out %s\n%s ./a.out\n' "$directives" "$command" >step.sh
    printf '#!/bin/sh\necho started\n' >a.out
    chmod +x a.out
    rm -f step.out
    sbatch --parsable --wait step.sh >id 2>errors
    [ -e step.out ] || sleep 1
    tasks=$(grep -c '^started' step.out)
    refused=$(grep -c 'error: Unable to create step' step.out)
    asked=0 # a number of tasks
    case $command in *' -n '*) asked=1 ;; esac
    for pair in "several-copies $((tasks > 1 && !asked))" "step-above-job $((refused > 0))"; do
        said=0
        spoke "${pair% *}" && said=1
        check "Slurm $version, $directives, $command: $tasks tasks, ${pair% *} $said" [ "$said" -eq "${pair#* }" ]
    done
done <<'END'
--exclusive -c 8|srun
--exclusive -c 8|srun -c 8
--exclusive -c 8 -n 1|srun
-c 8|srun
-c 8|srun -c 8
-c 8|srun -c 2
-N1 --exclusive|srun -c 8
-N1 --exclusive|srun
-c 4|srun -n 4
-c 4|srun -n 4 -c 1
-n 4|srun -n 16
END
done_testing slurm
