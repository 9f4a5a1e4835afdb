#include "timeline.h"

#include <stdlib.h>
#include <string.h>

void tally_add(struct be_gpu_tally *tally, uint64_t ns) {
    tally->count++;
    tally->total_ns += ns;
    tally->most_ns = ns > tally->most_ns ? ns : tally->most_ns;
    tally->bucket[be_gpu_record_bucket(ns)]++;
}

static int earlier(const void *a, const void *b) {
    const struct span *one = a;
    const struct span *other = b;
    return (one->start > other->start) - (one->start < other->start);
}

/* Did the host wait for the device when it fell idle at `at`? A wait returns soon after what it waited
 * for has ended. */
static bool waited(const struct timeline *timeline, uint64_t at, uint64_t until) {
    for (int i = 0; i < SYNCS_KEPT; i++) {
        const struct span *sync = &timeline->sync[i];
        if (sync->end > 0 && sync->start <= at && sync->end >= at && sync->end <= until) {
            return true;
        }
    }
    return false;
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
        timeline->sync[timeline->syncs++ % SYNCS_KEPT] = *span;
        return;
    }
    if (span->kind == SPAN_BREAK) {
        memset(timeline->device, 0, sizeof timeline->device);
        return;
    }
    struct be_gpu_device *device = &record->device[span->device];
    uint64_t *any = &timeline->device[span->device].any_end;
    if (*any > 0 && span->start > *any) {
        uint64_t gap = span->start - *any;
        tally_add(&device->gaps, gap);
        if (waited(timeline, *any, span->start)) {
            tally_add(&device->synced, gap);
            device->synced_ns += gap;
        }
    }
    uint64_t more = uncovered(any, span->start, span->end);
    device->busy_ns += more;
    if (span->kind == SPAN_KERNEL) {
        device->kernel_ns +=
            uncovered(&timeline->device[span->device].kernel_end, span->start, span->end);
    } else {
        device->copy_ns += more;
    }
}

void timeline_sweep(struct timeline *timeline, struct be_gpu_record *record, uint64_t until) {
    int done = 0;
    qsort(timeline->span, (size_t)timeline->spans, sizeof timeline->span[0], earlier);
    while (done < timeline->spans && timeline->span[done].start < until) {
        sweep_one(timeline, record, &timeline->span[done++]);
    }
    memmove(timeline->span, timeline->span + done,
            (size_t)(timeline->spans - done) * sizeof timeline->span[0]);
    timeline->spans -= done;
    timeline->swept = until > timeline->swept ? until : timeline->swept;
}

void timeline_add(struct timeline *timeline, struct be_gpu_record *record, enum span_kind kind,
                  int device, uint64_t start, uint64_t end) {
    if (start == 0 || end < start) {
        return;
    }
    if (start < timeline->swept) {
        record->late++;
    }
    timeline->newest = end > timeline->newest ? end : timeline->newest;
    timeline->span[timeline->spans++] = (struct span){start, end, (uint16_t)device, (uint16_t)kind};
    if (timeline->spans == SPANS_MOST) {
        /* Half of them, by time: what is still to come belongs to the later half. */
        qsort(timeline->span, SPANS_MOST, sizeof timeline->span[0], earlier);
        timeline_sweep(timeline, record, timeline->span[SPANS_MOST / 2].start + 1);
    }
}
