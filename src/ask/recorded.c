#include "ask/recorded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Factorizations run in blocks: their products at the GPU's rate, what lies between them one after the other. Eigenvalues
 * and singular values lie further from that rate: `eigen`, `components` and `fit` of bench/pairs took 55, 67 and 240 times as
 * long on an H200 (docs/measurements/pairs.md). Those of solves rest on one program. least_s: an interpreter needs so long for
 * a call by itself; numpy.linalg's are functions in Python (solve, inv and eigvalsh of 2 x 2: 9 to 10 us at load 20). */
static const struct {
    enum be_work_kind work;
    double typical, hi, least_s;
} kinds[BE_CALL_KINDS] = {
    [BE_CALLS_PRODUCT] = {BE_WORK_MATRIX, 1, 1, 0.4e-6},
    [BE_CALLS_VECTOR] = {BE_WORK_MATRIX, 1, 1, 0.4e-6},
    [BE_CALLS_SOLVE] = {BE_WORK_LAPACK, 4, 8, 5e-6},
    [BE_CALLS_EIGEN] = {BE_WORK_LAPACK, 60, 120, 5e-6},
    [BE_CALLS_FFT] = {BE_WORK_FFT, 1, 1, 0.4e-6},
};

static int kind_of(const struct be_trace_call *call) {
    for (int i = 0; i < BE_CALL_KINDS; i++) {
        if (strcmp(call->kind, be_call_kinds[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static struct be_predict_work work_of(const struct be_trace_call *call, int kind, double together) {
    const double batch = fmax(call->batch, together);
    const double items = batch > 1 ? fmin(batch, call->calls) : 1;
    struct be_predict_work work = {
        .calls = call->calls / items,
        .batch = items,
        .flops = call->flops / call->calls,
        .bytes = (call->fresh + call->changed + call->same + call->written) / call->calls,
        .float64 = call->function[0] == 'd' || call->function[0] == 'z',
        .matrix = kind != BE_CALLS_FFT && kind != BE_CALLS_VECTOR,
    };
    if (strcmp(call->function + 1, "gemm") == 0 && strchr("sd", call->function[0])) {
        work.m = call->m;
        work.n = call->n;
        work.k = call->k;
    }
    return work;
}

/* NAN: a number of the record makes no sense. */
static struct be_predict_time on(const struct be_predict_place *gpu,
                                 const struct be_predict_work *work) {
    struct be_predict_work whole;
    struct be_predict_side side = {.time = {NAN, NAN, NAN}};
    struct be_error error;
    if (be_predict_check(work, &whole, &error) == BE_OK) {
        be_predict_on(gpu, &whole, &side);
    }
    return side.time;
}

static struct be_ask_time time_of(const struct be_predict_place *gpu,
                                  const struct be_trace_call *call, int kind, double together) {
    struct be_predict_work work = work_of(call, kind, together);
    work.once_bytes = call->fresh; /* each operand once */
    const struct be_predict_time stays = on(gpu, &work);
    work.once_bytes = call->fresh + call->changed; /* the CPU changed some in between */
    const struct be_predict_time crosses = on(gpu, &work);
    work.once_bytes = 0;
    work.each_bytes = work.bytes;
    const struct be_predict_time copied = on(gpu, &work);
    const double typical = kinds[kind].typical, hi = kinds[kind].hi;
    return (struct be_ask_time){stays.lo_s, stays.typical_s * typical, crosses.hi_s * hi,
                                copied.typical_s * typical};
}

/* At least so many calls were made at a time: one by one they take longer than the interpreter had. */
static double together_of(const struct be_trace_calls *calls, double interpreter_s) {
    double singly_s = 0;
    for (int i = 0; i < calls->rows; i++) {
        const int kind = kind_of(&calls->row[i]);
        singly_s +=
            kind >= 0 && calls->row[i].calls > 0 ? calls->row[i].calls * kinds[kind].least_s : 0;
    }
    return fmax(1, singly_s / interpreter_s); /* not known: 1 */
}

void be_ask_recorded_of(const struct be_trace_calls *calls, const struct be_predict_place *gpu,
                        double interpreter_s, struct be_ask_recorded *recorded) {
    const double together = together_of(calls, interpreter_s);
    for (int i = 0; i < calls->rows; i++) {
        const struct be_trace_call *call = &calls->row[i];
        const int kind = kind_of(call);
        if (kind < 0 || !(call->seconds > 0) || !(call->calls > 0)) {
            continue;
        }
        struct be_ask_recorded *to = &recorded[kinds[kind].work];
        const struct be_ask_time there = time_of(gpu, call, kind, together);
        if (isnan(there.typical_s + there.hi_s + there.copy_s)) {
            continue;
        }
        to->calls += call->calls;
        to->cpu_s += call->seconds;
        to->there.lo_s += there.lo_s;
        to->there.typical_s += there.typical_s;
        to->there.hi_s += there.hi_s;
        to->there.copy_s += there.copy_s;
    }
}

const char *be_ask_longest_call(const struct be_trace_calls *calls, char *to, size_t capacity) {
    to[0] = '\0';
    if (calls->rows && calls->row[0].calls > 0 && calls->row[0].kind[0]) {
        const struct be_trace_call *call = &calls->row[0];
        const double side[] = {call->m, call->n, call->k};
        char count[BE_WORD];
        int at = snprintf(to, capacity, "%s ", call->function), sides = 0;
        for (size_t i = 0; i < 3 && at >= 0 && (size_t)at < capacity; i++) {
            if (side[i] > 0) {
                at +=
                    snprintf(to + at, capacity - (size_t)at, sides++ ? " x %.0f" : "%.0f", side[i]);
            }
        }
        if (at >= 0 && (size_t)at < capacity) {
            snprintf(to + at, capacity - (size_t)at, ": %s calls",
                     be_format_count(count, sizeof count, round(call->calls), "-"));
        }
    }
    return to;
}
