#include "observe/signals.h"

#include <string.h>

/* clang-format off */
#define TREE(unit, merge, name, summary) { name, summary, BE_OF_TREE, BE_IN_##unit, BE_MERGE_##merge }
#define PROCESS(unit, merge, name, summary) { name, summary, BE_OF_PROCESS, BE_IN_##unit, BE_MERGE_##merge }
#define THREAD(unit, merge, name, summary) { name, summary, BE_OF_THREAD, BE_IN_##unit, BE_MERGE_##merge }
#define GROUP(unit, merge, name, summary) { name, summary, BE_OF_GROUP, BE_IN_##unit, BE_MERGE_##merge }
#define NODE(unit, merge, name, summary) { name, summary, BE_OF_NODE, BE_IN_##unit, BE_MERGE_##merge }
#define GPU(unit, merge, name, summary) { name, summary, BE_OF_GPU, BE_IN_##unit, BE_MERGE_##merge }

const struct be_signal_info be_signals[BE_SIGNALS] = {
    [BE_CPU_BUSY] = TREE(CORES, MEAN, "cpu_busy", "CPU time of the program a second"),
    [BE_CPU_SYSTEM] = TREE(CORES, MEAN, "cpu_system", "of it: in the kernel"),
    [BE_CPU_CHILDREN] = TREE(CORES, MEAN, "cpu_children", "of it: of all processes but the command itself"),
    [BE_BUSIEST_THREAD] = TREE(SHARE, MEAN, "busiest_thread", "share of one core that the busiest thread took"),
    [BE_RUN_WAIT] = TREE(SHARE, MEAN, "run_wait", "of the time that threads wanted to run: waiting for a core"),
    [BE_PROCESSES] = TREE(COUNT, MAX, "processes", "processes"),
    [BE_SPAWNED] = TREE(PER_S, MEAN, "spawned", "processes that came into sight"),
    [BE_THREADS] = TREE(COUNT, MAX, "threads", "threads"),
    [BE_RUNNABLE] = TREE(COUNT, MEAN, "runnable", "threads running, or waiting for a core, at the moment of looking"),
    [BE_BLOCKED] = TREE(COUNT, MEAN, "blocked", "threads that cannot be interrupted, mostly waiting for a disk, at the moment of looking"),
    [BE_STOPPED_SHARE] = TREE(SHARE, MEAN, "stopped", "share of processes that are stopped"),
    [BE_MEMORY] = TREE(BYTES, MAX, "memory", "resident memory, summed over processes: what they share counts for each"),
    [BE_MEMORY_PSS] = TREE(BYTES, MAX, "memory_pss", "resident memory, what is shared divided among its users"),
    [BE_SWAPPED] = TREE(BYTES, MAX, "swapped", "memory that was moved to swap"),
    [BE_READ] = TREE(BYTES_S, MEAN, "read", "read from storage"),
    [BE_WRITTEN] = TREE(BYTES_S, MEAN, "written", "written, to go to storage"),
    [BE_READ_CALLS] = TREE(BYTES_S, MEAN, "read_calls", "read by calls, from caches and pipes too"),
    [BE_WRITE_CALLS] = TREE(BYTES_S, MEAN, "write_calls", "written by calls, to caches and pipes too"),
    [BE_MAJOR_FAULTS] = TREE(PER_S, MEAN, "major_faults", "page faults that needed storage"),
    [BE_MINOR_FAULTS] = TREE(PER_S, MEAN, "minor_faults", "page faults that needed none"),
    [BE_SWITCHES] = TREE(PER_S, MEAN, "switches", "times that a thread was given a core"),
    [BE_LOCK_WAIT] = TREE(SHARE, MEAN, "lock_wait", "of busy threads that slept at the moment of looking: those that waited for a lock (a futex)"),
    [BE_MUTEX_WAIT] = TREE(SHARE, MEAN, "mutex_wait", "likewise: those that waited for a mutex, by the value that their call sleeps on; barriers and conditions have others"),
    [BE_ASLEEP_TIMERS] = TREE(SHARE, MEAN, "asleep_timer", "of threads that hardly ever work, and do not wait for a child: those that sleep for a time which they chose"),
    [BE_ASLEEP_MESSAGES] = TREE(SHARE, MEAN, "asleep_message", "likewise: those that wait for a pipe, a socket or a terminal"),
    [BE_ASLEEP_LOCKS] = TREE(SHARE, MEAN, "asleep_lock", "likewise: those that wait for another thread (a futex)"),
    [BE_CODE_MADE] = TREE(COUNT, MAX, "code_areas", "areas of memory with code that no file has: it was compiled while the program ran"),
    [BE_WAITING_CODE] = TREE(SHARE, MEAN, "waiting_code", "of the time that busy threads spend in their own code: in that of OpenMP or MPI, which wait in a loop"),
    [BE_CORES_ALLOWED] = TREE(COUNT, MAX, "allowed_cores", "CPUs that threads which work may use by their affinity, all together"),

    [BE_PROCESS_CPU] = PROCESS(CORES, MEAN, "process_cpu", "CPU time of the process a second"),
    [BE_PROCESS_MEMORY] = PROCESS(BYTES, MAX, "process_memory", "its resident memory"),
    [BE_PROCESS_THREADS] = PROCESS(COUNT, MAX, "process_threads", "its threads"),
    [BE_PROCESS_READ] = PROCESS(BYTES_S, MEAN, "process_read", "what it read from storage"),
    [BE_PROCESS_WRITTEN] = PROCESS(BYTES_S, MEAN, "process_written", "what it wrote, to go to storage"),
    [BE_THREAD_CPU] = THREAD(CORES, MEAN, "thread_cpu", "CPU time of the thread a second"),

    [BE_GROUP_CPU] = GROUP(CORES, MEAN, "group_cpu", "CPU time of the control group a second"),
    [BE_GROUP_THROTTLED] = GROUP(CORES, MEAN, "group_throttled", "time that its quota held its CPUs back, a second"),
    [BE_GROUP_THROTTLED_PERIODS] = GROUP(SHARE, MEAN, "group_throttled_periods", "periods in which its quota ran out"),
    [BE_GROUP_MEMORY] = GROUP(BYTES, MAX, "group_memory", "its memory that cannot be dropped: without file pages"),
    [BE_JOB_MEMORY] = GROUP(BYTES, MAX, "job_memory", "likewise of the whole batch job on the machine, where a control group above is the job's"),
    [BE_GROUP_READ] = GROUP(BYTES_S, MEAN, "group_read", "what it read from storage"),
    [BE_GROUP_WRITTEN] = GROUP(BYTES_S, MEAN, "group_written", "what it wrote to storage"),
    [BE_GROUP_OOM_KILLS] = GROUP(PER_S, MEAN, "group_oom_kills", "processes killed because its memory was used up"),
    [BE_GROUP_REFAULTS] = GROUP(PER_S, MEAN, "group_refaults", "pages read again soon after they had been dropped for want of memory"),
    [BE_GROUP_PRESSURE_CPU] = GROUP(SHARE, MEAN, "group_pressure_cpu", "time in which some of its threads waited for a core"),
    [BE_GROUP_PRESSURE_MEMORY] = GROUP(SHARE, MEAN, "group_pressure_memory", "time in which some waited for memory"),
    [BE_GROUP_PRESSURE_IO] = GROUP(SHARE, MEAN, "group_pressure_io", "time in which some waited for storage"),

    [BE_NODE_CPU] = NODE(CORES, MEAN, "node_cpu", "CPU time of everything on the machine a second"),
    [BE_NODE_IOWAIT] = NODE(CORES, MEAN, "node_iowait", "CPUs idle while something waited for storage"),
    [BE_NODE_STEAL] = NODE(CORES, MEAN, "node_steal", "CPU time that the hypervisor gave to others"),
    [BE_NODE_RUNNABLE] = NODE(COUNT, MEAN, "node_runnable", "threads of the machine that run or wait for a core"),
    [BE_NODE_SPAWNED] = NODE(PER_S, MEAN, "node_spawned", "processes and threads that were begun on the machine"),
    [BE_NODE_HUGE_FAULTS] = NODE(PER_S, MEAN, "node_huge_faults", "page faults on the machine that were given a huge page, mostly of 2 MB"),
    [BE_NODE_MEMORY_AVAILABLE] = NODE(BYTES, MEAN, "node_memory_available", "memory that could be allocated without swapping"),
    [BE_NODE_PRESSURE_CPU] = NODE(SHARE, MEAN, "node_pressure_cpu", "time in which some thread of the machine waited for a core"),
    [BE_NODE_PRESSURE_MEMORY] = NODE(SHARE, MEAN, "node_pressure_memory", "time in which some waited for memory"),
    [BE_NODE_PRESSURE_IO] = NODE(SHARE, MEAN, "node_pressure_io", "time in which some waited for storage"),

    [BE_GPU_BUSY] = GPU(SHARE, MEAN, "gpu_busy", "time in which at least one kernel ran"),
    [BE_GPU_MEMORY] = GPU(BYTES, MAX, "gpu_memory", "memory in use, by anyone"),
    [BE_GPU_MEMORY_BUSY] = GPU(SHARE, MEAN, "gpu_memory_busy", "time in which its memory was read or written"),
    [BE_GPU_POWER] = GPU(WATTS, MEAN, "gpu_power", "power drawn"),
    [BE_GPU_TEMPERATURE] = GPU(CELSIUS, MAX, "gpu_temperature", "temperature of the chip"),
    [BE_GPU_CLOCK] = GPU(HERTZ, MEAN, "gpu_clock", "clock of the multiprocessors"),
    [BE_GPU_MEMORY_CLOCK] = GPU(HERTZ, MEAN, "gpu_memory_clock", "clock of the memory"),
    [BE_GPU_THROTTLED_POWER] = GPU(SHARE, MEAN, "gpu_throttled_power", "time in which the power limit held the clock down"),
    [BE_GPU_THROTTLED_HEAT] = GPU(SHARE, MEAN, "gpu_throttled_heat", "time in which heat held the clock down"),
    [BE_GPU_THROTTLED_OTHER] = GPU(SHARE, MEAN, "gpu_throttled_other", "time in which something else held the clock down"),
    [BE_GPU_BUS_IN] = GPU(BYTES_S, MEAN, "gpu_bus_in", "over the bus from host to device"),
    [BE_GPU_BUS_OUT] = GPU(BYTES_S, MEAN, "gpu_bus_out", "over the bus from device to host"),
    [BE_GPU_LINK_IN] = GPU(BYTES_S, MEAN, "gpu_link_in", "over NVLink or its like, received"),
    [BE_GPU_LINK_OUT] = GPU(BYTES_S, MEAN, "gpu_link_out", "over NVLink or its like, sent"),
    [BE_GPU_OWN_PROCESSES] = GPU(COUNT, MAX, "gpu_own_processes", "processes of the program on it"),
    [BE_GPU_FOREIGN_PROCESSES] = GPU(COUNT, MAX, "gpu_foreign_processes", "processes on it that are not the program's"),
    [BE_GPU_OWN_MEMORY] = GPU(BYTES, MAX, "gpu_own_memory", "memory in use by the program"),

    [BE_GPU_GRAPHICS] = GPU(SHARE, MEAN, "gpu_graphics", "time in which the compute or graphics engine was busy"),
    [BE_GPU_SM_ACTIVE] = GPU(SHARE, MEAN, "gpu_sm_active", "SM activity: multiprocessors with work, averaged over all"),
    [BE_GPU_SM_OCCUPANCY] = GPU(SHARE, MEAN, "gpu_sm_occupancy", "warps resident, of the most there can be"),
    [BE_GPU_TENSOR] = GPU(SHARE, MEAN, "gpu_tensor", "time in which any tensor unit was in use"),
    [BE_GPU_TENSOR_FP64] = GPU(SHARE, MEAN, "gpu_tensor_fp64", "likewise FP64 tensor units"),
    [BE_GPU_TENSOR_HALF] = GPU(SHARE, MEAN, "gpu_tensor_half", "likewise FP16, BF16 and TF32 tensor units"),
    [BE_GPU_TENSOR_INT] = GPU(SHARE, MEAN, "gpu_tensor_int", "likewise integer tensor units"),
    [BE_GPU_DRAM] = GPU(SHARE, MEAN, "gpu_dram", "memory bandwidth, of the most there can be"),
    [BE_GPU_FP64] = GPU(SHARE, MEAN, "gpu_fp64", "time in which FP64 units were in use"),
    [BE_GPU_FP32] = GPU(SHARE, MEAN, "gpu_fp32", "time in which FP32 units were in use"),
    [BE_GPU_FP16] = GPU(SHARE, MEAN, "gpu_fp16", "time in which FP16 units were in use"),
    [BE_GPU_INT] = GPU(SHARE, MEAN, "gpu_int", "time in which integer units were in use"),

    [BE_GPU_KERNELS] = GPU(PER_S, MEAN, "gpu_kernels", "kernels that ended"),
    [BE_GPU_KERNEL_SHARE] = GPU(SHARE, MEAN, "gpu_kernel_share", "time in which a kernel of the program ran"),
    [BE_GPU_KERNEL_MEDIAN] = GPU(SECONDS, MEAN, "gpu_kernel_median", "median time of a kernel"),
    [BE_GPU_GAP_MEDIAN] = GPU(SECONDS, MEAN, "gpu_gap_median", "median time between two kernels"),
    [BE_GPU_LAUNCH_MEDIAN] = GPU(SECONDS, MEAN, "gpu_launch_median", "median time that a launch took on the CPU"),
    [BE_GPU_COPY_IN_SHARE] = GPU(SHARE, MEAN, "gpu_copy_in_share", "time in which a copy from host to device ran"),
    [BE_GPU_COPY_OUT_SHARE] = GPU(SHARE, MEAN, "gpu_copy_out_share", "time in which a copy from device to host ran"),
    [BE_GPU_COPY_IN] = GPU(BYTES_S, MEAN, "gpu_copy_in", "copied from host to device"),
    [BE_GPU_COPY_OUT] = GPU(BYTES_S, MEAN, "gpu_copy_out", "copied from device to host"),
    [BE_GPU_COPY_PAGEABLE] = GPU(SHARE, MEAN, "gpu_copy_pageable", "of the bytes copied: from or to memory that is not pinned"),
    [BE_GPU_SYNC_SHARE] = GPU(SHARE, MEAN, "gpu_sync_share", "time in which the program waited for the GPU"),
    [BE_GPU_SYNCS] = GPU(PER_S, MEAN, "gpu_syncs", "times that it waited for the GPU"),
    [BE_GPU_SYNC_GAP] = GPU(SHARE, MEAN, "gpu_sync_gap", "time in which the GPU stood still after the program had waited for it"),
    [BE_GPU_NCCL_SHARE] = GPU(SHARE, MEAN, "gpu_nccl_share", "time in which kernels of NCCL ran"),
};
/* clang-format on */

int be_signal_find(const char *name) {
    for (int i = 0; i < BE_SIGNALS; i++) {
        if (strcmp(be_signals[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}
