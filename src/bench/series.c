/* Records -> series of ratios -> break-evens, with what explains them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "bench/crossing.h"
#include "bench/session.h"

static bool is_case(const struct be_result *r, const struct be_workload *workload,
                    const char *device, enum be_placement placement, enum be_cache cache) {
    return strcmp(r->workload, workload->name) == 0 && strcmp(r->device, device) == 0 &&
           strcmp(r->variant, BE_AS_PUBLISHED) != 0 && r->placement == placement &&
           (r->cache == cache || r->cache == BE_BEYOND) && r->status == BE_RESULT_OK;
}

/* The best CPU case of a size: "a crossover against a slow baseline is not a crossover". */
static const struct be_record *best_cpu(const struct be_session *session,
                                        const struct be_workload *workload,
                                        const struct be_record *beside, enum be_cache cache) {
    const struct be_record *best = NULL;
    for (size_t i = 0; i < session->records; i++) {
        const struct be_record *record = &session->record[i];
        const struct be_result *r = &record->result;
        /* Of the same run: pairs must be of the same rounds. */
        if (record->run == beside->run && r->size == beside->result.size &&
            is_case(r, workload, "cpu", BE_HOST, cache) &&
            (!best || r->phase[BE_TOTAL].median_s < best->result.phase[BE_TOTAL].median_s)) {
            best = record;
        }
    }
    return best;
}

static int by_size(const void *a, const void *b) {
    const struct be_point *p = a;
    const struct be_point *q = b;
    return (p->size > q->size) - (p->size < q->size);
}

bool be_series_has(const struct be_session *session, const struct be_workload *workload,
                   const char *device, enum be_placement placement, enum be_cache cache) {
    for (size_t i = 0; i < session->records; i++) {
        const struct be_result *r = &session->record[i].result;
        if (r->cache == cache && is_case(r, workload, device, placement, cache)) {
            return true;
        }
    }
    return false;
}

int be_series_points(const struct be_session *session, const struct be_workload *workload,
                     const char *device, enum be_placement placement, enum be_cache cache,
                     struct be_point *point, int room) {
    int count = 0;
    for (size_t i = 0; i < session->records && count < room; i++) {
        const struct be_record *record = &session->record[i];
        if (!is_case(&record->result, workload, device, placement, cache)) {
            continue;
        }
        const struct be_record *cpu = best_cpu(session, workload, record, cache);
        if (cpu) {
            point[count].size = record->result.size;
            point[count++].ratio = be_compare_samples(&record->total, &cpu->total, BE_MARGIN);
        }
    }
    qsort(point, (size_t)count, sizeof *point, by_size);
    return count;
}

/* A case at a size, as it was measured first; NULL: not measured. */
static const struct be_record *find(const struct be_session *session,
                                    const struct be_workload *workload, const char *device,
                                    enum be_placement placement, enum be_cache cache,
                                    uint64_t size) {
    for (size_t i = 0; i < session->records; i++) {
        const struct be_result *r = &session->record[i].result;
        if (r->size == size && is_case(r, workload, device, placement, cache)) {
            return &session->record[i];
        }
    }
    return NULL;
}

/* What keeps the device behind. */
static void explain(const struct be_result *there, const struct be_result *cpu,
                    struct be_breakeven *even) {
    if (even->status != BE_EVEN_NEVER && even->status != BE_EVEN_BETWEEN) {
        return;
    }
    double cpu_s = cpu->phase[BE_TOTAL].median_s;
    double total_s = there->phase[BE_TOTAL].median_s;
    double work_s = there->phase[BE_WORK].median_s;
    char total[BE_NAME];
    char work[BE_NAME];
    char bus[BE_NAME];
    char here[BE_NAME * 2];
    char cpu_text[BE_NAME];
    be_format_seconds(total, sizeof total, total_s, "?");
    be_format_seconds(work, sizeof work, work_s, "?");
    be_format_seconds(bus, sizeof bus, there->limit_s, "?");
    be_format_seconds(cpu_text, sizeof cpu_text, cpu_s, "?");
    snprintf(here, sizeof here, "%d core%s need%s %s", cpu->threads, cpu->threads == 1 ? "" : "s",
             cpu->threads == 1 ? "s" : "", cpu_text);
    if (there->limit_by == BE_BY_BUS && there->limit_s > cpu_s) {
        snprintf(even->why, sizeof even->why, "the bus alone takes %s, where %s", bus, here);
    } else if (work_s > cpu_s && work_s <= total_s) {
        snprintf(even->why, sizeof even->why, "computing alone takes %s there, %s", work, here);
    } else if (work_s < total_s / 2) {
        snprintf(even->why, sizeof even->why,
                 "copies, launch and wait are %.0f %% of the %s there, %s",
                 100 * (1 - work_s / total_s), total, here);
    } else {
        snprintf(even->why, sizeof even->why, "%s there, %s", total, here);
    }
}

/* How many calls pay for what is done once, at the largest size. */
static void repay(const struct be_session *session, const struct be_workload *workload,
                  const char *device, enum be_cache cache, uint64_t size,
                  const struct be_result *cpu, struct be_breakeven *even) {
    const struct be_record *resident = find(session, workload, device, BE_RESIDENT, cache, size);
    const struct be_record *copy = find(session, workload, device, BE_COPY, cache, size);
    if (!resident) {
        return;
    }
    double cpu_s = cpu->phase[BE_TOTAL].median_s;
    double call_s = resident->result.phase[BE_TOTAL].median_s;
    even->calls_to_repay_first =
        be_calls_to_repay(resident->result.phase[BE_FIRST].median_s, call_s, cpu_s);
    if (copy) {
        double once = copy->result.phase[BE_IN].median_s + copy->result.phase[BE_OUT].median_s;
        even->calls_to_repay_copy = be_calls_to_repay(once, call_s, cpu_s);
    }
}

void be_series_breakeven(const struct be_session *session, const struct be_workload *workload,
                         const char *device, enum be_placement placement, enum be_cache cache,
                         struct be_breakeven *even) {
    enum { POINTS = 256 };
    struct be_point point[POINTS] = {0};
    *even = (struct be_breakeven){.placement = placement,
                                  .cache = cache,
                                  .status = BE_EVEN_CLOSE,
                                  .from = NAN,
                                  .lo = NAN,
                                  .hi = NAN,
                                  .until = NAN,
                                  .smallest = NAN,
                                  .largest = NAN,
                                  .calls_to_repay_copy = NAN,
                                  .calls_to_repay_first = NAN};
    be_copy_text(even->workload, sizeof even->workload, workload->name);
    be_copy_text(even->device, sizeof even->device, device);
    be_copy_text(even->against, sizeof even->against, "cpu");
    int count = be_series_points(session, workload, device, placement, cache, point, POINTS);
    if (count == 0) {
        return;
    }
    struct be_crossing crossing = be_crossing_find(point, count);
    even->status = crossing.status;
    even->from = crossing.from;
    even->lo = crossing.lo;
    even->hi = crossing.hi;
    even->until = crossing.until;
    even->smallest = (double)point[0].size;
    even->largest = (double)point[count - 1].size;
    uint64_t size = point[count - 1].size;
    const struct be_record *there = find(session, workload, device, placement, cache, size);
    const struct be_record *cpu = there ? best_cpu(session, workload, there, cache) : NULL;
    if (cpu) {
        even->threads = cpu->result.threads;
        explain(&there->result, &cpu->result, even);
        repay(session, workload, device, cache, size, &cpu->result, even);
    }
}
