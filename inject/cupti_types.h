/*
 * The types of CUPTI that the list uses, and of its records the oldest beginnings that hold what is
 * needed: records grow at their end. Written from the published interface (CUDA 11.0 to 13.0); tests/abi
 * holds them against the real headers.
 */
#ifndef INJECT_CUPTI_TYPES_H
#define INJECT_CUPTI_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifndef BE_DYN_CUDA_TYPES_H
typedef struct CUctx_st *CUcontext;
#endif
typedef int CUptiResult;
typedef int CUpti_ActivityKind;
typedef int CUpti_CallbackDomain;
typedef uint32_t CUpti_CallbackId;
typedef struct CUpti_Subscriber_st *CUpti_SubscriberHandle;
typedef void (*CUpti_CallbackFunc)(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                   const void *data);
typedef void (*CUpti_BuffersCallbackRequestFunc)(uint8_t **buffer, size_t *bytes, size_t *max);
typedef void (*CUpti_BuffersCallbackCompleteFunc)(CUcontext context, uint32_t stream,
                                                  uint8_t *buffer, size_t bytes, size_t valid);

/* The field that every record begins with. */
typedef struct CUpti_Activity_st {
    CUpti_ActivityKind kind;
} CUpti_Activity;

struct cupti_kernel { /* CUpti_ActivityKernel3 and later */
    CUpti_ActivityKind kind;
    uint8_t cache, shared;
    uint16_t registers;
    int32_t partitioned[2];
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3];
    int32_t static_shared, dynamic_shared;
    uint32_t local_thread, local_total;
    uint32_t correlation;
    int64_t grid_id;
    const char *name; /* may point to what is no longer there */
};

struct cupti_copy { /* CUpti_ActivityMemcpy and ...MemcpyPtoP, and later */
    CUpti_ActivityKind kind;
    uint8_t way, from, to, flags;
    uint64_t bytes;
    uint64_t start, end;
    uint32_t device, context, stream;
};

struct cupti_cost { /* CUpti_ActivityOverhead and later */
    CUpti_ActivityKind kind;
    int32_t what, object;
    uint32_t id[3];
    uint64_t start, end;
};

struct cupti_callback { /* CUpti_CallbackData */
    int32_t site;       /* the call begins, or ends */
};

#endif
