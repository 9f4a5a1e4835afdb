#include "timeline.h"

#include <stdlib.h>
#include <string.h>

void tally_add(struct be_gpu_tally *tally, uint64_t ns) {
    tally->count++;
    tally->total_ns += ns;
    tally->max_ns = ns > tally->max_ns ? ns : tally->max_ns;
    tally->bucket[be_gpu_record_bucket(ns)]++;
}

/* Where it stands in a sweep. A wait stands where it ends: that is when the host goes on. Where waits
 * begin CUPTI does not always say rightly (docs/measurements/faults-h200.md). */
static uint64_t place(const struct span *span) {
    return span->kind == SPAN_SYNC ? span->end : span->start;
}

static int earlier(const void *a, const void *b) {
    uint64_t one = place(a);
    uint64_t other = place(b);
    return (one > other) - (one < other);
}

/* The host has waited for those devices that fell idle while it did. */
static void sweep_sync(struct timeline *timeline, const struct span *sync) {
    for (int i = 0; i < BE_GPU_RECORD_DEVICES; i++) {
        struct sweep *device = &timeline->device[i];
        device->waited |=
            device->any_end > 0 && sync->start <= device->any_end && device->any_end <= sync->end;
    }
}

/* How much of start..end lies after `covered`, which moves on to `end`. */
static uint64_t uncovered(uint64_t *covered, uint64_t start, uint64_t end) {
    uint64_t from = start > *covered ? start : *covered;
    if (end <= from) {
        return 0;
    }
    *covered = end;
    return end - from;
}

static void sweep_one(struct timeline *timeline, struct be_gpu_record *record,
                      const struct span *span) {
    if (span->kind == SPAN_SYNC) {
        sweep_sync(timeline, span);
        return;
    }
    if (span->kind == SPAN_BREAK) {
        memset(timeline->device, 0, sizeof timeline->device);
        return;
    }
    struct be_gpu_device *device = &record->device[span->device];
    struct sweep *sweep = &timeline->device[span->device];
    if (sweep->any_end > 0 && span->start > sweep->any_end) {
        uint64_t gap = span->start - sweep->any_end;
        tally_add(&device->gaps, gap);
        if (sweep->waited) {
            tally_add(&device->synced, gap);
            device->synced_ns += gap;
        }
    }
    sweep->waited = false;
    uint64_t more = uncovered(&sweep->any_end, span->start, span->end);
    device->busy_ns += more;
    if (span->kind == SPAN_KERNEL) {
        device->kernel_ns += uncovered(&sweep->kernel_end, span->start, span->end);
    } else {
        device->copy_ns += more;
    }
}

/* How many of them, in order, stand before `until`; those have been swept. */
static int sweep_until(struct timeline *timeline, struct be_gpu_record *record, uint64_t until) {
    int done = 0;
    qsort(timeline->span, (size_t)timeline->spans, sizeof timeline->span[0], earlier);
    while (done < timeline->spans && place(&timeline->span[done]) < until) {
        sweep_one(timeline, record, &timeline->span[done++]);
    }
    return done;
}

void timeline_sweep(struct timeline *timeline, struct be_gpu_record *record, uint64_t until) {
    int done = sweep_until(timeline, record, until);
    memmove(timeline->span, timeline->span + done,
            (size_t)(timeline->spans - done) * sizeof timeline->span[0]);
    timeline->spans -= done;
    timeline->swept = until > timeline->swept ? until : timeline->swept;
}

void timeline_peek(struct timeline *timeline, struct be_gpu_record *record, uint64_t until) {
    struct sweep kept[BE_GPU_RECORD_DEVICES];
    memcpy(kept, timeline->device, sizeof kept);
    sweep_until(timeline, record, until);
    memcpy(timeline->device, kept, sizeof kept);
}

void timeline_add(struct timeline *timeline, struct be_gpu_record *record, enum span_kind kind,
                  int device, uint64_t start, uint64_t end) {
    if (start == 0 || end < start) {
        return;
    }
    struct span span = {start, end, (uint16_t)device, (uint16_t)kind};
    if (place(&span) < timeline->swept) {
        record->late++;
    }
    timeline->span[timeline->spans++] = span;
    if (timeline->spans == SPANS_MAX) {
        /* Half of them, by time: what is still to come belongs to the later half. */
        qsort(timeline->span, SPANS_MAX, sizeof timeline->span[0], earlier);
        timeline_sweep(timeline, record, place(&timeline->span[SPANS_MAX / 2]) + 1);
    }
}
