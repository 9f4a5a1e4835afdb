/*
 * CUPTI's records and times of calls -> the sums of a struct be_gpu_record. Knows nothing of CUPTI's
 * buffers, of threads or of files.
 */
#ifndef INJECT_AGGREGATE_H
#define INJECT_AGGREGATE_H

#include "calls.h"
#include "timeline.h"

enum { NAMES_CACHED = 512 };

struct aggregate {
    struct be_gpu_record record;
    struct timeline timeline;
    struct {
        const char *pointer;
        int kernel; /* in the record; -1: no name, or no place */
    } cached[NAMES_CACHED];
};

/* A buffer begins: what names pointed to may have changed. */
void aggregate_begin(struct aggregate *aggregate);
void aggregate_add(struct aggregate *aggregate, const CUpti_Activity *activity);
void aggregate_add_call(struct aggregate *aggregate, const struct call_time *time);
/* Nothing that began before `until` is still to come; UINT64_MAX: nothing at all is. */
void aggregate_settle(struct aggregate *aggregate, uint64_t until);
/* The record as it would be if nothing that began before `until` were still to come. */
void aggregate_read(struct aggregate *aggregate, uint64_t until, struct be_gpu_record *record);

/* Copies a text that may not be there (any more); false: it is not. Never faults. */
bool aggregate_read_text(const char *from, char *to, size_t capacity);

#endif
