#!/usr/bin/env bash
# Starts a real Slurm with accounting for tests: two nodes that claim to be larger than this machine,
# on ports and sockets of its own, beside any Slurm that the system has.
# usage: tests/slurm/start.sh FOLDER      then: source FOLDER/env
#        tests/slurm/stop.sh FOLDER       ends it and removes its files
# Exit 77, with the reason, where it cannot be had: not root, or packages missing. With
# BREAKEVEN_REQUIRE_SLURM set that is a failure.
# The nodes and partitions are those of conf.sh.
set -eu

. "$(dirname "$0")/../../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
mkdir -p "$1"
folder=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/conf.sh"

give_up() {
    echo "skip: no Slurm for tests: $*"
    [ -z "${BREAKEVEN_REQUIRE_SLURM-}" ] || exit 1
    exit 77
}

export PATH=$PATH:/usr/sbin:/sbin
rm -f "$folder/why-not"
[ "$(id -u)" -eq 0 ] || give_up "not root"
for program in slurmctld slurmd slurmdbd sbatch sacctmgr munged mungekey mariadbd \
    mariadb-install-db mariadb runuser python3; do
    command -v "$program" >/dev/null || give_up "$program is not here (scripts/setup.sh --test)"
done
"$here/stop.sh" "$folder" # one that was left behind

# Sockets have short paths only; munge and mysql must get through.
scratch=$(mktemp -d /tmp/breakeven-slurm.XXXXXX)
chmod 755 "$scratch"
echo "$scratch" >"$folder/scratch"
mkdir "$scratch"/{munge,mysql,mysql-tmp,state,spool-g1,spool-c1,log}
: >"$scratch/pids"

failed() {
    echo "slurm: $*" >&2
    tail -n 5 "$scratch"/log/* >&2 || true
    trap - EXIT
    "$here/stop.sh" "$folder"
    exit 1
}
trap 'failed "start failed"' EXIT

read -r sql_port dbd_port ctl_port g1_port c1_port < <(free_ports 5)
host=$(hostname -s)
socket=$scratch/munge/socket

# ---- munge, then the database --------------------------------------------------------------------

start_munge
chown mysql "$scratch"/mysql{,-tmp}
export TMPDIR=$scratch/mysql-tmp # of MariaDB, which is not root
mariadb-install-db --no-defaults --user=mysql --datadir="$scratch/mysql" --skip-test-db --skip-name-resolve \
    --auth-root-authentication-method=normal >"$scratch/log/install-db" 2>&1
run mariadbd mariadbd --no-defaults --user=mysql --datadir="$scratch/mysql" \
    --socket="$scratch/mysql/socket" --pid-file="$scratch/mysql/pid" --bind-address=127.0.0.1 \
    --port="$sql_port" --innodb-buffer-pool-size=64M --innodb-flush-log-at-trx-commit=0 \
    --innodb-lock-wait-timeout=900 --skip-name-resolve
unset TMPDIR
sql() { mariadb --no-defaults --socket="$scratch/mysql/socket" -u root -e "$1"; }
wait_for munge 300 munge --no-input --socket="$socket"
wait_for MariaDB 300 sql 'SELECT 1'
sql "CREATE DATABASE slurm_acct_db; CREATE USER slurm@'127.0.0.1' IDENTIFIED BY 'test';
     GRANT ALL ON slurm_acct_db.* TO slurm@'127.0.0.1';"

# ---- Slurm ---------------------------------------------------------------------------------------

cat >"$scratch/slurmdbd.conf" <<CONF
AuthType=auth/munge
AuthInfo=socket=$socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=$dbd_port
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$sql_port
StorageUser=slurm
StoragePass=test
StorageLoc=slurm_acct_db
PidFile=$scratch/slurmdbd.pid
CONF
chmod 600 "$scratch/slurmdbd.conf"

cluster_conf "$scratch" "$host" "$ctl_port" "$g1_port" "$c1_port" "$socket"
cat >>"$scratch/slurm.conf" <<CONF
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$dbd_port
AccountingStoragePass=$socket
AccountingStorageTRES=gres/gpu
CONF

export SLURM_CONF=$scratch/slurm.conf
run slurmdbd slurmdbd -D
wait_for slurmdbd 300 sacctmgr -n show cluster
sacctmgr -i add cluster breakeven >/dev/null
sacctmgr -i add account physics Cluster=breakeven >/dev/null
sacctmgr -i add user root Account=physics Cluster=breakeven >/dev/null
run slurmctld slurmctld -D
run slurmd-g1 slurmd -D -N g1
run slurmd-c1 slurmd -D -N c1
wait_for 'every node' 300 idle

cat >"$folder/env" <<ENV
export SLURM_CONF=$scratch/slurm.conf
ENV
trap - EXIT
echo "slurm: $(sinfo --version) with accounting, in $SECONDS s; $scratch"
