/*
 * The parts that the fake foreign libraries (libcuda, libnvrtc, libnvidia-ml, libcublas and the other vendor libraries)
 * share with the tests. Each library is made from the list file that the program's loader reads: it counts the calls of
 * every function in it, can be told to let some of them fail, and keeps account of what was not given back. be_fake()
 * of a library, through dlsym, is its account.
 *
 * Knows nothing of the code under test.
 */
#ifndef TESTS_FAKE_FAKE_H
#define TESTS_FAKE_FAKE_H

#include <stdbool.h>
#include <stddef.h>

struct be_fake_function {
    const char *name;
    bool must;
    long calls;
    long fail_from, fail_to; /* these calls return `code`, the first is 1; 0: none */
    int code;
    bool hangs;  /* they do not come back at all */
    long failed; /* calls that did, because they were told to */
};

enum be_fake_kind {
    FAKE_MEMORY,
    FAKE_PINNED,
    FAKE_STREAM,
    FAKE_EVENT,
    FAKE_MODULE,
    FAKE_CONTEXT,
    FAKE_PROGRAM, /* of NVRTC */
    FAKE_SESSION, /* of NVML */
    FAKE_GRAPH,   /* captured */
    FAKE_EXEC,    /* made ready to run */
    FAKE_BLAS,    /* of cuBLAS */
    FAKE_SOLVER,  /* of cuSOLVER */
    FAKE_PARAMS,  /* likewise */
    FAKE_PLAN,    /* of cuFFT */
    FAKE_SPARSE,  /* of cuSPARSE */
    FAKE_MATRIX,  /* likewise */
    FAKE_VECTOR,  /* likewise */
    FAKE_SAMPLE,  /* of GPM */
    FAKE_COMM,    /* of NCCL */
    FAKE_ENGINE,  /* connections to nv-hostengine, and what was made there: */
    FAKE_GROUP,   /* of GPUs */
    FAKE_FIELDS,
    FAKE_WATCH,
    FAKE_DNN,        /* of cuDNN */
    FAKE_DESCRIPTOR, /* likewise */
    FAKE_KINDS
};

enum be_fake_counters {
    FAKE_COUNTERS,      /* GPM works */
    FAKE_NO_COUNTERS,   /* it is said not to be supported */
    FAKE_ONLY_SAID,     /* it is said to be supported, and then fails */
    FAKE_NO_MORE_LATER, /* fails from the fourth sample on */
};

struct be_fake {
    struct be_fake_function *function; /* in the order of the list */
    size_t functions;
    long live[FAKE_KINDS]; /* made and not given back */
    char misuse[256];      /* the first thing that a real driver would not have forgiven */
    bool lose;             /* after the first failure every call fails: the GPU fell off the bus */
    int lost;              /* the code they fail with; 0: not yet */

    /* The GPU: read by libcuda alone. */
    int devices;
    size_t memory_bytes;
    int cache_bytes;
    int major;     /* compute capability */
    bool islands;  /* no device reaches the memory of another */
    bool in_turn;  /* managed memory may be touched by one side at a time only */
    bool part;     /* each device is a part of the first GPU (MIG) */
    int processes; /* on it, this one among them: read by libnvidia-ml, as is what follows */
    int pid[4];    /* theirs; 0: no such process */
    int parts;     /* that each GPU is cut into (MIG); 0: it is whole */
    enum be_fake_counters counters; /* GPM */
    int blank; /* readings of DCGM stand for why there is none: 1 and its number; 0: they are values */
    int at_once; /* that many counters of DCGM; 0: all */
    int other;   /* index of a GPU of another model; 0: all are alike */
    bool idle;   /* the kernels that measure ceilings do nothing: quick, and nobody reads them */
};

struct be_fake *be_fake(void);

/* In the fake libcuda, for the other libraries: put(stream, run, context, bytes) puts run(copy of
 * the context's bytes) into a stream; not 0: there is no such stream. */
typedef int be_fake_put_function(void *stream, void (*run)(const void *context),
                                 const void *context, size_t bytes);
__attribute__((visibility("default"))) be_fake_put_function be_fake_put;

/* There too: holds(memory, bytes) says whether all of that is memory of the device. */
typedef int be_fake_holds_function(const void *memory, size_t bytes);
__attribute__((visibility("default"))) be_fake_holds_function be_fake_holds;

/* There too: executes what is in all queues. */
typedef void be_fake_finish_function(void);
__attribute__((visibility("default"))) be_fake_finish_function be_fake_finish;

#endif
