#include "bench/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* Is it code that the series is of? */
static bool is_among(const struct be_result *r, enum be_among among) {
    switch (among) {
    case BE_AMONG_WRITTEN:
        return r->as_written;
    case BE_AMONG_CALLABLE:
        return r->code != BE_CODE_EXPERT && !r->as_written;
    case BE_AMONG_ALL:
        break;
    }
    return true;
}

/* Is it a case of this workload there, of code that the series is of? */
static bool is_there(const struct be_result *r, const struct be_series *series, const char *device,
                     enum be_placement placement) {
    return strcmp(r->workload, series->problem->workload->name) == 0 &&
           strcmp(r->device, device) == 0 && strcmp(r->variant, BE_AS_PUBLISHED) != 0 &&
           r->placement == placement && (r->cache == series->cache || r->cache == BE_BEYOND) &&
           is_among(r, series->among);
}

/* One with a time? */
static bool is_case(const struct be_result *r, const struct be_series *series, const char *device,
                    enum be_placement placement) {
    return r->status == BE_RESULT_OK && is_there(r, series, device, placement);
}

static bool is_faster(const struct be_record *record, const struct be_record *than) {
    return !than || record->result.phase[BE_TOTAL].median_s < than->result.phase[BE_TOTAL].median_s;
}

/* The fastest case of one run there; NULL: none. The fastest case of the CPU counts: "a crossover
 * against a slow baseline is not a crossover". Pairs must be of the same run: of the same
 * rounds. */
static const struct be_record *best_of_run(const struct be_session_record *kept,
                                           const struct be_series *series, const char *device,
                                           enum be_placement placement, int run) {
    const struct be_record *best = NULL;
    for (size_t i = 0; i < kept->items; i++) {
        const struct be_record *record = &kept->item[i];
        if (record->round == run && is_case(&record->result, series, device, placement) &&
            is_faster(record, best)) {
            best = record;
        }
    }
    return best;
}

/* One that should have had a time. */
static bool is_bad(const struct be_result *r) {
    return r->status == BE_RESULT_WRONG || r->status == BE_RESULT_IMPOSSIBLE ||
           r->status == BE_RESULT_FAILED;
}

/* Has nothing on the most threads of the CPU a time in this run, since it went wrong or was left out? Then what
 * is left of the CPU is no baseline in good faith: what a call on all cores may take is foreseen at worst, and
 * what one core takes says nothing of it. */
static bool is_cpu_lost(const struct be_session_record *kept, const struct be_series *series,
                        int run) {
    int max = 0;
    bool right = false, out = false;
    for (size_t i = 0; i < kept->items; i++) {
        const struct be_result *r = &kept->item[i].result;
        if (kept->item[i].round != run || !is_there(r, series, "cpu", BE_HOST) ||
            r->threads < max) {
            continue;
        }
        right = r->status == BE_RESULT_OK || (r->threads == max && right);
        out = is_bad(r) || r->status == BE_RESULT_SKIPPED || (r->threads == max && out);
        max = r->threads;
    }
    return out && !right;
}

/* The CPU's case that a device is compared with in a run; NULL: there is none. */
static const struct be_record *cpu_of_run(const struct be_session_record *kept,
                                          const struct be_series *series, int run) {
    return is_cpu_lost(kept, series, run) ? NULL : best_of_run(kept, series, "cpu", BE_HOST, run);
}

static int by_size(const void *a, const void *b) {
    const struct be_point *p = a;
    const struct be_point *q = b;
    return (p->size > q->size) - (p->size < q->size);
}

bool be_series_has(const struct be_session_record *kept, const struct be_series *series) {
    for (size_t i = 0; i < kept->items; i++) {
        const struct be_result *r = &kept->item[i].result;
        if (r->cache == series->cache && is_case(r, series, series->device, series->placement)) {
            return true;
        }
    }
    return false;
}

bool be_series_stands_alone(const struct be_session_record *kept, const struct be_series *series) {
    struct be_series hot = *series;
    struct be_series cold = *series;
    hot.cache = BE_HOT;
    cold.cache = BE_COLD;
    const bool small = be_series_has(kept, &hot) || be_series_has(kept, &cold);
    return be_series_has(kept, series) && (series->cache != BE_BEYOND || !small);
}

int be_series_points(const struct be_session_record *kept, const struct be_series *series,
                     struct be_point *point, int capacity) {
    int count = 0;
    for (int run = 1; run <= kept->round && count < capacity; run++) {
        const struct be_record *there =
            best_of_run(kept, series, series->device, series->placement, run);
        const struct be_record *cpu = there ? cpu_of_run(kept, series, run) : NULL;
        if (cpu) {
            point[count].size = there->result.size;
            point[count++].ratio = be_compare_samples(&there->total, &cpu->total, BE_MARGIN);
        }
    }
    qsort(point, (size_t)count, sizeof *point, by_size);
    return count;
}

/* The fastest case at a size, of the first run that has one; NULL: not measured. */
static const struct be_record *find(const struct be_session_record *kept,
                                    const struct be_series *series, enum be_placement placement,
                                    uint64_t size) {
    const struct be_record *best = NULL;
    for (size_t i = 0; i < kept->items; i++) {
        const struct be_record *record = &kept->item[i];
        if (record->result.size == size &&
            is_case(&record->result, series, series->device, placement) &&
            (!best || (record->round == best->round && is_faster(record, best)))) {
            best = record;
        }
    }
    return best;
}

/* The part of a call there that is not computing. */
static const char *const around[BE_PLACEMENTS] = {
    [BE_HOST] = "what is around the computing is",
    [BE_COPY] = "copies, launch and wait are",
    [BE_PRELOAD] = "the copy back, launch and wait are",
    [BE_RESIDENT] = "launch and wait are",
};

/* The part that keeps the device behind; `pairs`: the two in the same rounds, which is what
 * decides. */
static void explain(const struct be_result *there, const struct be_result *cpu,
                    const struct be_ratio *pairs, struct be_breakeven *even) {
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
    if (!(total_s > cpu_s)) { /* medians of all samples, of which one may have had more */
        be_format_ratio(total, sizeof total, pairs->median, "?");
        snprintf(even->why, sizeof even->why,
                 "in rounds side by side it takes %s times as long as %d core%s", total,
                 cpu->threads, cpu->threads == 1 ? "" : "s");
    } else if (there->limit_by == BE_BY_BUS && there->limit_s > cpu_s) {
        snprintf(even->why, sizeof even->why, "the bus alone takes %s, where %s", bus, here);
    } else if (work_s > cpu_s && work_s <= total_s) {
        snprintf(even->why, sizeof even->why, "computing alone takes %s there, %s", work, here);
    } else if (work_s < total_s / 2) {
        snprintf(even->why, sizeof even->why, "%s %.0f %% of the %s there, %s",
                 around[there->placement], 100 * (1 - work_s / total_s), total, here);
    } else {
        snprintf(even->why, sizeof even->why, "%s there, %s", total, here);
    }
}

/* The answer that is known below sizes that are too close to call. */
static void explain_close(const struct be_point *point, int count, struct be_breakeven *even) {
    int last = count - 1;
    char size[BE_WORD];
    while (last >= 0 && point[last].ratio.verdict != BE_FASTER &&
           point[last].ratio.verdict != BE_SLOWER) {
        last--;
    }
    if (even->status == BE_EVEN_CLOSE && last >= 0) {
        snprintf(even->why, sizeof even->why, "%s at %s, the largest size with a clear answer",
                 point[last].ratio.verdict == BE_FASTER ? "ahead" : "behind",
                 be_format_n(size, sizeof size, (double)point[last].size));
    }
}

static bool went_wrong(const struct be_result *r, const struct be_series *series) {
    return is_bad(r) && (is_there(r, series, series->device, series->placement) ||
                         is_there(r, series, "cpu", BE_HOST));
}

static bool has_point(const struct be_point *point, int count, uint64_t size) {
    bool any = false;
    for (int i = 0; i < count; i++) {
        any |= point[i].size == size;
    }
    return any;
}

/* Sizes at which there is no answer since nothing came out right: no status says so. */
static void explain_holes(const struct be_session_record *kept, const struct be_series *series,
                          const struct be_point *point, int count, struct be_breakeven *even) {
    enum { NAMED = 4 };
    uint64_t said[NAMED];
    int holes = 0;
    for (size_t i = 0; i < kept->items; i++) {
        const struct be_result *r = &kept->item[i].result;
        bool known = has_point(point, count, r->size) || !went_wrong(r, series);
        for (int k = 0; k < holes && k < NAMED && !known; k++) {
            known = said[k] == r->size;
        }
        if (known || holes > NAMED) {
            continue;
        }
        char size[BE_WORD];
        const size_t used = strlen(even->why);
        if (holes < NAMED) {
            said[holes] = r->size;
            snprintf(even->why + used, sizeof even->why - used, "%s%s",
                     holes        ? ", "
                     : *even->why ? "; no right result at "
                                  : "no right result at ",
                     be_format_n(size, sizeof size, (double)r->size));
        } else {
            snprintf(even->why + used, sizeof even->why - used, " and more");
        }
        holes++;
    }
}

static struct be_span span_of(const struct be_summary *phase) {
    return (struct be_span){phase->median_s, phase->lo_s, phase->hi_s};
}

/* NaN stays NaN. */
static double beyond(double first_s, double call_s) {
    const double once_s = first_s - call_s;
    return once_s < 0 ? 0 : once_s;
}

/* The one-time cost is the first call less the time of a later call, since the first call too delivers a result, which
 * the CPU would have had to compute. It is measured once: the interval is that of a call. */
static struct be_span once_of(const struct be_result *resident) {
    const double first_s = resident->phase[BE_FIRST].median_s;
    const struct be_span call = span_of(&resident->phase[BE_TOTAL]);
    return (struct be_span){beyond(first_s, call.median), beyond(first_s, call.hi),
                            beyond(first_s, call.lo)};
}

/* How many calls pay for what is done once, at the largest size; against the CPU of the same
 * rounds, so that pairs say whether they do. */
static void repay(const struct be_session_record *kept, const struct be_series *series,
                  uint64_t size, struct be_breakeven *even) {
    static const enum be_repaid repaid[] = {[BE_FASTER] = BE_REPAID_CALLS,
                                            [BE_SLOWER] = BE_REPAID_NEVER,
                                            [BE_SAME] = BE_REPAID_CLOSE,
                                            [BE_TOO_CLOSE] = BE_REPAID_CLOSE};
    const struct be_record *resident = find(kept, series, BE_RESIDENT, size);
    const struct be_record *copy = find(kept, series, BE_COPY, size);
    const struct be_record *cpu = resident ? cpu_of_run(kept, series, resident->round) : NULL;
    if (!cpu) {
        return;
    }
    const struct be_ratio ratio = be_compare_samples(&resident->total, &cpu->total, BE_MARGIN);
    const struct be_span cpu_s = span_of(&cpu->result.phase[BE_TOTAL]);
    const struct be_span start = once_of(&resident->result);
    even->repaid = repaid[ratio.verdict];
    struct be_span first = be_calls_span(&start, &ratio, &cpu_s);
    even->calls_to_repay_first = first.median;
    even->calls_to_repay_first_lo = first.lo;
    even->calls_to_repay_first_hi = first.hi;
    if (copy) {
        const struct be_span in = span_of(&copy->result.phase[BE_IN]);
        const struct be_span out = span_of(&copy->result.phase[BE_OUT]);
        const struct be_span once = {in.median + out.median, in.lo + out.lo, in.hi + out.hi};
        struct be_span calls = be_calls_span(&once, &ratio, &cpu_s);
        even->calls_to_repay_copy = calls.median;
        even->calls_to_repay_copy_lo = calls.lo;
        even->calls_to_repay_copy_hi = calls.hi;
    }
}

static struct be_breakeven no_answer(const struct be_series *series) {
    struct be_breakeven even = {.placement = series->placement,
                                .cache = series->cache,
                                .as_written = series->among == BE_AMONG_WRITTEN,
                                .callable = series->among == BE_AMONG_CALLABLE,
                                .status = BE_EVEN_CLOSE,
                                .from = NAN,
                                .lo = NAN,
                                .hi = NAN,
                                .until = NAN,
                                .until_lo = NAN,
                                .until_hi = NAN,
                                .smallest = NAN,
                                .largest = NAN,
                                .calls_to_repay_copy = NAN,
                                .calls_to_repay_copy_lo = NAN,
                                .calls_to_repay_copy_hi = NAN,
                                .calls_to_repay_first = NAN,
                                .calls_to_repay_first_lo = NAN,
                                .calls_to_repay_first_hi = NAN};
    be_copy_text(even.workload, sizeof even.workload, series->problem->workload->name);
    const struct be_workload *w = series->problem->workload;
    be_copy_text(even.dtype, sizeof even.dtype,
                 w->dtype ? w->dtype : be_real_name(series->problem->real));
    be_copy_text(even.device, sizeof even.device, series->device);
    be_copy_text(even.against, sizeof even.against, "cpu");
    return even;
}

void be_series_breakeven(const struct be_session_record *kept, const struct be_series *series,
                         struct be_breakeven *even) {
    enum { POINTS = 256 };
    struct be_point point[POINTS] = {0};
    *even = no_answer(series);
    int count = be_series_points(kept, series, point, POINTS);
    if (count == 0) {
        return;
    }
    struct be_crossing crossing = be_crossing_find(point, count);
    even->status = crossing.status;
    even->from = crossing.from;
    even->lo = crossing.lo;
    even->hi = crossing.hi;
    even->until = crossing.until;
    even->until_lo = crossing.until_lo;
    even->until_hi = crossing.until_hi;
    even->smallest = (double)point[0].size;
    even->largest = (double)point[count - 1].size;
    explain_close(point, count, even);
    uint64_t size = point[count - 1].size;
    const struct be_record *there = find(kept, series, series->placement, size);
    const struct be_record *cpu = there ? cpu_of_run(kept, series, there->round) : NULL;
    if (cpu) {
        even->threads = cpu->result.threads;
        explain(&there->result, &cpu->result, &point[count - 1].ratio, even);
        repay(kept, series, size, even);
    }
    explain_holes(kept, series, point, count, even);
}

/* Ends that are not known are no wider than the size itself. */
static bool is_outside(double at, double size, double lo, double hi) {
    return at < (isnan(lo) ? size : lo) || at > (isnan(hi) ? size : hi);
}

bool be_series_differs(const struct be_breakeven *even, const struct be_breakeven *best) {
    if (even->status != best->status) {
        return true;
    }
    return is_outside(even->from, best->from, best->lo, best->hi) ||
           is_outside(even->until, best->until, best->until_lo, best->until_hi);
}
