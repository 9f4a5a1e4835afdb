/*
 * The file that a traced CUDA program leaves. The library that is loaded into the program (inject/) writes one
 * file a process, `BREAKEVEN_TRACE_FOLDER/gpu-PID-NUMBER.trace`, mode 600, with two slots that are written in turn. A
 * program may be killed in the middle of a write: among the slots whose sum is right, the one with the higher
 * `sequence` counts. The numbers have this machine's own layout: the file is read where it was written, by the run
 * that asked for it, and it is not kept.
 *
 * Both sides share this file and nothing else. Times are CUPTI's nanoseconds.
 */
#ifndef BE_OBSERVE_GPU_RECORD_H
#define BE_OBSERVE_GPU_RECORD_H

#include <stddef.h>
#include <stdint.h>

#define BE_GPU_RECORD_MAGIC "BEGPUTRC"
#define BE_GPU_RECORD_FOLDER "BREAKEVEN_TRACE_FOLDER"

enum {
    BE_GPU_RECORD_VERSION = 1,
    BE_GPU_RECORD_BUCKETS = 96, /* four to each doubling, from 128 ns to 2 s */
    BE_GPU_RECORD_KERNELS = 256,
    BE_GPU_RECORD_DEVICES = 16,
    BE_GPU_RECORD_NAME = 256
};

enum be_gpu_record_state {
    BE_GPU_RECORD_OFF,     /* no trace, for the reason given */
    BE_GPU_RECORD_RUNNING, /* or killed: what came last may be missing */
    BE_GPU_RECORD_ENDED    /* the program came to its end, and everything is in */
};

/* How many, how long, and how they spread. */
struct be_gpu_tally {
    uint64_t count, total_ns, max_ns;
    uint32_t bucket[BE_GPU_RECORD_BUCKETS];
};

struct be_gpu_kernel {
    char name[BE_GPU_RECORD_NAME]; /* as the compiler wrote it (mangled), cut to fit */
    struct be_gpu_tally time;
};

enum be_gpu_way { BE_GPU_TO_DEVICE, BE_GPU_TO_HOST, BE_GPU_WITHIN, BE_GPU_PEER, BE_GPU_WAYS };
enum be_gpu_host { BE_GPU_PAGEABLE, BE_GPU_PINNED, BE_GPU_MANAGED, BE_GPU_OTHER, BE_GPU_HOSTS };

struct be_gpu_copies {
    uint64_t count, bytes, total_ns;
};

/* Numbers as CUPTI counts its kinds of synchronisation, 0 to 4. */
enum {
    BE_GPU_SYNC_EVENT = 1,
    BE_GPU_SYNC_STREAM = 3,
    BE_GPU_SYNC_CONTEXT = 4,
    BE_GPU_SYNC_KINDS = 5
};

/* CUPTI's kinds of overhead, of which 0 to 8 are known; 9: any other. Those that are its own, not the
 * program's, are buffers, instrumentation and resources. */
enum {
    BE_GPU_COST_COMPILER = 0,
    BE_GPU_COST_FLUSH = 1,
    BE_GPU_COST_INSTRUMENTATION = 2,
    BE_GPU_COST_RESOURCE = 3,
    BE_GPU_COST_LOADING = 4,
    BE_GPU_COST_LAZY = 5,
    BE_GPU_COST_FULL = 6, /* the queue of launches was full: the program waited */
    BE_GPU_COST_BUFFER = 7,
    BE_GPU_COST_OTHER = 9,
    BE_GPU_COSTS = 10
};

struct be_gpu_device {
    uint32_t used;              /* 0: an empty place */
    uint32_t number;            /* CUDA's, in that process */
    char uuid[64];              /* "GPU-..." ; empty: not known */
    uint64_t first_ns, last_ns; /* first beginning and last end of anything on it */
    uint64_t busy_ns;           /* anything ran */
    uint64_t kernel_ns;         /* a kernel ran; several at once count once */
    uint64_t copy_ns;           /* a copy ran and no kernel */
    uint64_t nccl_ns;           /* added up over kernels of NCCL */
    uint64_t synced_ns;         /* idle in gaps that began while the host waited for the device */
    struct be_gpu_tally kernels;
    struct be_gpu_tally gaps;   /* nothing ran */
    struct be_gpu_tally synced; /* those of them that began while the host waited for the device */
    struct be_gpu_copies copies[BE_GPU_WAYS][BE_GPU_HOSTS];
};

struct be_gpu_record {
    char magic[8];
    uint32_t version, bytes; /* of this structure */
    uint64_t sequence;       /* of the write; 0: never */
    uint64_t sum;            /* be_gpu_record_sum */

    int32_t pid, parent;
    uint32_t state;         /* enum be_gpu_record_state */
    uint32_t launch_known;  /* the cost of launches is being looked at */
    char reason[192];       /* why there is no trace, or no more; empty */
    char program[16];       /* the kernel's name of the process */
    uint32_t cupti, driver; /* versions, as each counts them; 0 not known */

    uint64_t start_ns, now_ns; /* CUPTI's clock when it began, and when this was written */
    uint64_t traced_ns; /* of the time between: looked at. Where kernels are so many that looking */
    uint64_t windows;   /* costs, it is a part, in windows: what is counted is then a sample */
    uint64_t own_ns;    /* CPU time of our own thread in the program */
    uint64_t records;   /* of all kinds */
    uint64_t dropped;   /* by CUPTI, for want of room */
    uint64_t discarded_bytes; /* of records, for want of memory of ours */
    uint64_t late;            /* came after their time had been accounted for */

    struct be_gpu_tally runtime_launches,
        driver_launches; /* calls that start a kernel or a graph */
    struct be_gpu_tally syncs[BE_GPU_SYNC_KINDS];
    struct be_gpu_copies costs[BE_GPU_COSTS]; /* bytes are not used */
    uint64_t kernels_unnamed;                 /* kernels whose name was lost, or had no place */
    uint32_t devices, kernels;
    struct be_gpu_device device[BE_GPU_RECORD_DEVICES];
    struct be_gpu_kernel kernel[BE_GPU_RECORD_KERNELS];
};

/* Each slot begins at a multiple of this. */
enum { BE_GPU_RECORD_SLOT = (sizeof(struct be_gpu_record) + 4095) / 4096 * 4096 };

/* The checksum of everything after `sum`. */
static inline uint64_t be_gpu_record_sum(const struct be_gpu_record *record) {
    const unsigned char *byte = (const unsigned char *)record;
    uint64_t sum = 0xcbf29ce484222325u + record->sequence;
    for (size_t at = offsetof(struct be_gpu_record, pid); at + 8 <= sizeof *record; at += 8) {
        uint64_t word;
        __builtin_memcpy(&word, byte + at, sizeof word);
        sum = (sum ^ word) * 0x100000001b3u;
        sum ^= sum >> 29;
    }
    return sum;
}

/* The bucket of a time: bucket i is from 128 ns * 2^(i/4). */
static inline int be_gpu_record_bucket(uint64_t ns) {
    if (ns < 128) {
        return 0;
    }
    int top = 63 - __builtin_clzll(ns);
    int at = (top - 7) * 4 + (int)(ns >> (top - 2) & 3);
    return at < BE_GPU_RECORD_BUCKETS ? at : BE_GPU_RECORD_BUCKETS - 1;
}

#endif
