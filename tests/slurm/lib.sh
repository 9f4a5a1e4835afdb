# The parts that tests against a real Slurm share; to be sourced. BREAKEVEN_TEST_SLURM: the folder of start.sh.
# shellcheck shell=bash
set -u

if [ ! -r "${BREAKEVEN_TEST_SLURM-}/env" ]; then
    echo "skip: no Slurm was started (tests/slurm/start.sh)"
    [ -z "${BREAKEVEN_REQUIRE_SLURM-}" ] || exit 1
    exit 77
fi
# shellcheck disable=SC1091 # written by start.sh
. "$BREAKEVEN_TEST_SLURM/env"
unset SBATCH_ACCOUNT SBATCH_PARTITION SBATCH_TIMELIMIT SLURM_ACCOUNT SLURM_CPUS_PER_TASK
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

# finished JOB...: waits until the scheduler has ended them; accounting knows seconds later.
finished() {
    local id
    for id in "$@"; do
        for _ in $(seq 3000); do
            case $(squeue -h -t all -o %T -j "$id" 2>/dev/null) in
                *PENDING* | *RUNNING* | *COMPLETING* | *CONFIGURING*) sleep 0.1 ;;
                *) break ;;
            esac
        done
    done
}

# accounted JOB FIELDS: what sacct has of the job itself, `|` between the fields, once its end is in.
accounted() {
    local line
    for _ in $(seq 3000); do
        line=$(sacct -X -n -P -j "$1" -o "state,reqmem,$2")
        case $line in
            '' | PENDING* | RUNNING* | *'|0?|'* | *'?|'*) sleep 0.1 ;;
            *)
                echo "${line#*|*|}"
                return
                ;;
        esac
    done
    echo "the end of job $1 is not accounted for: $line" >&2
    return 1
}
