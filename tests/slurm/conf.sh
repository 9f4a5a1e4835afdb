# The cluster of the tests, whatever Slurm runs it; to be sourced.
# shellcheck shell=bash

# cluster_conf FOLDER HOST CTL_PORT G1_PORT C1_PORT MUNGE_SOCKET: slurm.conf and gres.conf, without accounting.
#
#   node    cores  memory   GPUs                          partitions
#   g1      48     510000M  4 a100, 2 a100_1g.5gb         gpu (1 hour), all (2 hours)
#   c1      64     256000M  -                             cpu (default, 1 hour), all
#
# Partition part (1 hour) gives 16 cores and 64000M of either. Slices of a GPU are a type of their own, as
# clusters with MIG have them.
cluster_conf() {
    local folder=$1 name
    : >"$folder/gpu"
    for name in 0 1 2 3 4 5; do
        ln -s gpu "$folder/gpu$name"
        echo "NodeName=g1 Name=gpu Type=a100$([ "$name" -lt 4 ] || echo _1g.5gb) File=$folder/gpu$name"
    done >"$folder/gres.conf"
    cat >"$folder/slurm.conf" <<CONF
ClusterName=breakeven
SlurmctldHost=$2(127.0.0.1)
SlurmctldPort=$3
AuthType=auth/munge
AuthInfo=socket=$6
CryptoType=crypto/munge
SlurmUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
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
NodeName=g1 NodeAddr=127.0.0.1 NodeHostname=$2 Port=$4 CPUs=48 RealMemory=510000 Gres=gpu:a100:4,gpu:a100_1g.5gb:2
NodeName=c1 NodeAddr=127.0.0.1 NodeHostname=$2 Port=$5 CPUs=64 RealMemory=256000
PartitionName=cpu Nodes=c1 Default=YES MaxTime=1:00:00 DefMemPerCPU=256
PartitionName=gpu Nodes=g1 MaxTime=1:00:00 DefMemPerCPU=256
PartitionName=all Nodes=g1,c1 MaxTime=2:00:00 DefMemPerCPU=256
PartitionName=part Nodes=g1,c1 MaxTime=1:00:00 DefMemPerCPU=256 MaxCPUsPerNode=16 MaxMemPerNode=64000
CONF
}

# free_ports COUNT: numbers of ports that nobody has.
free_ports() {
    python3 -c '
import socket, sys
held = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in held: s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in held))' "$1"
}

# run NAME COMMAND...: in the background, its process noted.
run() {
    local name=$1
    shift
    setsid "$@" </dev/null >>"$scratch/log/$name" 2>&1 &
    echo "$! $name" >>"$scratch/pids"
}

# wait_for THING SECONDS COMMAND...
wait_for() {
    local thing=$1 end=$((SECONDS + $2))
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || failed "$thing does not come up"
        sleep 0.1
    done
}

# start_munge: its socket is $scratch/munge/socket.
start_munge() {
    mungekey --create --keyfile="$scratch/munge/key"
    chown -R munge "$scratch/munge"
    chmod 755 "$scratch/munge"
    run munged runuser -u munge -- munged --foreground --force --socket="$scratch/munge/socket" \
        --key-file="$scratch/munge/key" --pid-file="$scratch/munge/pid" \
        --seed-file="$scratch/munge/seed" --log-file="$scratch/munge/log"
}

idle() { [ "$(sinfo -h -N -p all -o %t | sort -u)" = idle ]; }
