/*
 * When the GPUs ran something and when nothing, from intervals that come a little out of order: they
 * are kept until what can still come lies after them, then swept in order of their beginnings.
 */
#ifndef INJECT_TIMELINE_H
#define INJECT_TIMELINE_H

#include <stdbool.h>

#include "observe/gpu_record.h"

/* A break: what lies before it and what lies after are not of one piece, so no gap is between them. */
enum span_kind { SPAN_KERNEL, SPAN_COPY, SPAN_SYNC, SPAN_BREAK };

struct span {
    uint64_t start, end;
    uint16_t device; /* index in the record */
    uint16_t kind;
};

enum { SPANS_MAX = 1 << 15 };

/* Where a sweep has come to, on one device. */
struct sweep {
    uint64_t any_end, kernel_end; /* until when something, a kernel, ran */
    bool waited;                  /* a wait of the host for it has ended since nothing runs */
};

struct timeline {
    struct span span[SPANS_MAX]; /* not yet swept */
    int spans;
    uint64_t swept; /* what begins before this comes too late */
    struct sweep device[BE_GPU_RECORD_DEVICES];
};

/* Adds one; sweeps when full. Empty and backward ones are ignored. */
void timeline_add(struct timeline *timeline, struct be_gpu_record *record, enum span_kind kind,
                  int device, uint64_t start, uint64_t end);
/* Sweeps all that begins before `until`; of waits, that ends before it. */
void timeline_sweep(struct timeline *timeline, struct be_gpu_record *record, uint64_t until);
/* Adds to `record` what a sweep would, and keeps all: what is still to come may lie between. */
void timeline_peek(struct timeline *timeline, struct be_gpu_record *record, uint64_t until);

void tally_add(struct be_gpu_tally *tally, uint64_t ns);

#endif
