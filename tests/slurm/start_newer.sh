#!/usr/bin/env bash
# Starts the Slurm 24.11 that fetch.sh unpacked, without accounting, on ports and sockets of its own.
# usage: tests/slurm/start_newer.sh FOLDER      then: source FOLDER/env
#        tests/slurm/stop.sh FOLDER             ends it and removes its files
# Exit 77, with the reason, where it cannot be had. With BREAKEVEN_REQUIRE_SLURM set that is a failure.
# The nodes and partitions are those of conf.sh.
set -eu

. "$(dirname "$0")/../../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
mkdir -p "$1"
folder=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/newer.sh"
. "$here/conf.sh"

[ "$(id -u)" -eq 0 ] || give_up "no Slurm 24.11 for tests: not root"
PATH=$PATH:/usr/sbin:/sbin
for program in munged mungekey runuser python3; do
    command -v "$program" >/dev/null || give_up "no Slurm 24.11 for tests: $program is not here (scripts/setup.sh --test)"
done
[ -x "$newer_folder/bin/sbatch" ] ||
    give_up "no Slurm 24.11 for tests: it is not in $newer_folder (tests/slurm/fetch.sh)"
"$here/stop.sh" "$folder" # one that was left behind
PATH=$newer_folder/bin:$PATH

scratch=$(mktemp -d /tmp/breakeven-slurm.XXXXXX) # sockets have short paths only
chmod 755 "$scratch"
echo "$scratch" >"$folder/scratch"
mkdir "$scratch"/{munge,state,spool-g1,spool-c1,log}
: >"$scratch/pids"

failed() {
    echo "slurm: $*" >&2
    tail -n 5 "$scratch"/log/* >&2 || true
    trap - EXIT
    "$here/stop.sh" "$folder"
    exit 1
}
trap 'failed "start failed"' EXIT

read -r ctl_port g1_port c1_port < <(free_ports 3)
start_munge
wait_for munge 300 munge --no-input --socket="$scratch/munge/socket"
cluster_conf "$scratch" "$(hostname -s)" "$ctl_port" "$g1_port" "$c1_port" "$scratch/munge/socket"
sed -i -e '/^CryptoType=/d' -e "1i PluginDir=$(cat "$newer_folder/plugins")" "$scratch/slurm.conf"
export SLURM_CONF=$scratch/slurm.conf
run slurmctld slurmctld -D
run slurmd-g1 slurmd -D -N g1 -d "$newer_folder/bin/slurmstepd"
run slurmd-c1 slurmd -D -N c1 -d "$newer_folder/bin/slurmstepd"
wait_for 'every node' 300 idle

cat >"$folder/env" <<ENV
export SLURM_CONF=$scratch/slurm.conf
export PATH=$newer_folder/bin:\$PATH
ENV
trap - EXIT
echo "slurm: $(sinfo --version), in $SECONDS s; $scratch"
