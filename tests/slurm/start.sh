#!/usr/bin/env bash
# Starts a real Slurm with accounting for tests: two nodes that claim to be larger than this machine,
# on ports and sockets of its own, beside any Slurm that the system has.
# usage: tests/slurm/start.sh FOLDER      then: source FOLDER/env
#        tests/slurm/stop.sh FOLDER       ends it and removes its files
# Exit 77, with the reason, where it cannot be had: not root, or packages missing. With
# BREAKEVEN_REQUIRE_SLURM set that is a failure.
#
#   node    cores  memory   GPUs                          partitions
#   g1      48     510000M  4 a100, 2 a100_1g.5gb         gpu (1 hour), all (2 hours)
#   c1      64     256000M  -                             cpu (default, 1 hour), all
#
# Partition part (1 hour) gives 16 cores and 64000M of either.
set -eu

. "$(dirname "$0")/../../scripts/usage.sh"
[ $# -eq 1 ] || wrong_use
mkdir -p "$1"
folder=$(realpath "$1")
here=$(realpath "$(dirname "$0")")

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

# run NAME COMMAND...: in the background, its process noted.
run() {
    local name=$1
    shift
    setsid "$@" </dev/null >>"$scratch/log/$name" 2>&1 &
    echo "$! $name" >>"$scratch/pids"
}

# wait_for WHAT SECONDS COMMAND...
wait_for() {
    local what=$1 end=$((SECONDS + $2))
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || failed "$what does not come up"
        sleep 0.1
    done
}

read -r sql_port dbd_port ctl_port g1_port c1_port < <(python3 -c '
import socket
held = [socket.socket() for _ in range(5)]
for s in held: s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in held))')
host=$(hostname -s)
socket=$scratch/munge/socket

# ---- munge, then the database --------------------------------------------------------------------

mungekey --create --keyfile="$scratch/munge/key"
chown -R munge "$scratch/munge"
chmod 755 "$scratch/munge"
run munged runuser -u munge -- munged --foreground --force --socket="$socket" \
    --key-file="$scratch/munge/key" --pid-file="$scratch/munge/pid" \
    --seed-file="$scratch/munge/seed" --log-file="$scratch/munge/log"

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

# Slices of a GPU in a type of their own, as clusters with MIG have them.
: >"$scratch/gpu"
{
    for name in 0 1 2 3; do
        ln -s gpu "$scratch/gpu$name"
        echo "NodeName=g1 Name=gpu Type=a100 File=$scratch/gpu$name"
    done
    for name in 4 5; do
        ln -s gpu "$scratch/gpu$name"
        echo "NodeName=g1 Name=gpu Type=a100_1g.5gb File=$scratch/gpu$name"
    done
} >"$scratch/gres.conf"

cat >"$scratch/slurm.conf" <<CONF
ClusterName=breakeven
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$ctl_port
AuthType=auth/munge
AuthInfo=socket=$socket
CryptoType=crypto/munge
SlurmUser=root
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool-%n
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
# The nodes claim more than there is.
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
MessageTimeout=30
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$dbd_port
AccountingStoragePass=$socket
AccountingStorageTRES=gres/gpu
NodeName=g1 NodeAddr=127.0.0.1 NodeHostname=$host Port=$g1_port CPUs=48 RealMemory=510000 Gres=gpu:a100:4,gpu:a100_1g.5gb:2
NodeName=c1 NodeAddr=127.0.0.1 NodeHostname=$host Port=$c1_port CPUs=64 RealMemory=256000
PartitionName=cpu Nodes=c1 Default=YES MaxTime=1:00:00 DefMemPerCPU=256
PartitionName=gpu Nodes=g1 MaxTime=1:00:00 DefMemPerCPU=256
PartitionName=all Nodes=g1,c1 MaxTime=2:00:00 DefMemPerCPU=256
PartitionName=part Nodes=g1,c1 MaxTime=1:00:00 DefMemPerCPU=256 MaxCPUsPerNode=16 MaxMemPerNode=64000
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
idle() { [ "$(sinfo -h -N -p all -o %t | sort -u)" = idle ]; }
wait_for 'every node' 300 idle

cat >"$folder/env" <<ENV
export SLURM_CONF=$scratch/slurm.conf
ENV
trap - EXIT
echo "slurm: $(sinfo --version) with accounting, in $SECONDS s; $scratch"
