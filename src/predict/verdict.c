/* Both sides of a computation, the ratio of their times, the verdict and its cause. */
#include <math.h>

#include "predict/predict.h"
#include "predict/usual.h"

/* A GPU has few float64 units where its float32 rate is this many times the other: 2 on those made for float64, 32 and
 * more on the rest (share/profiles). */
static const double few_float64 = 8;

void be_predict_on_cpu(const struct be_predictor *predictor, const struct be_predict_work *work,
                       struct be_predict_side *cpu) {
    be_predict_on(&predictor->cpu[0], work, cpu);
    const int teams = be_usual_calls(work).one_thread ? 1 : predictor->teams;
    for (int i = 1; i < teams; i++) {
        struct be_predict_side more;
        be_predict_on(&predictor->cpu[i], work, &more);
        if (more.time.typical_s < cpu->time.typical_s) {
            *cpu = more;
        }
    }
}

/* How far the code of one side is off says nothing of the other, so the two do not add up: the distances in log time
 * are taken as those of independent numbers. A chain is another thing: slow operations in it are slow on both sides, and
 * so are slow calls of a framework. */
static void fill_ratio(bool framework, struct be_prediction *p) {
    const struct be_predict_time *cpu = &p->cpu.time, *gpu = &p->gpu.time;
    const bool chain = p->cpu.dominant == BE_TERM_CHAIN && p->gpu.dominant == BE_TERM_CHAIN;
    const bool calls =
        p->cpu.dominant == BE_TERM_LAUNCH && p->gpu.dominant == BE_TERM_LAUNCH && framework;
    const bool together = chain || calls;
    const double up =
        hypot(together ? 0 : log(cpu->hi_s / cpu->typical_s), log(gpu->typical_s / gpu->lo_s));
    const double down =
        hypot(log(cpu->typical_s / cpu->lo_s), together ? 0 : log(gpu->hi_s / gpu->typical_s));
    p->ratio = cpu->typical_s / gpu->typical_s;
    p->ratio_lo = p->ratio * exp(-down);
    p->ratio_hi = p->ratio * exp(up);
    p->verdict = isnan(p->ratio)   ? BE_WORTH_UNKNOWN
                 : p->ratio_lo > 1 ? BE_WORTH_GPU
                 : p->ratio_hi < 1 ? BE_WORTH_CPU
                                   : BE_WORTH_CLOSE; /* also where a time has no interval */
}

bool be_predict_reads_again(const struct be_predict_work *work) {
    return work->calls > 1 && work->memory_bytes > 0 &&
           work->bytes * work->batch * work->calls > 2 * work->memory_bytes;
}

static enum be_predict_cause cause_of(const struct be_predict_place *place,
                                      const struct be_predict_work *work,
                                      const struct be_predict_side *gpu) {
    static const enum be_predict_cause by_term[BE_TERMS] = {
        [BE_TERM_FIRST] = BE_CAUSE_FIRST_CALL,      [BE_TERM_LAUNCH] = BE_CAUSE_LAUNCH,
        [BE_TERM_OPERATIONS] = BE_CAUSE_OPERATIONS, [BE_TERM_MEMORY] = BE_CAUSE_BANDWIDTH,
        [BE_TERM_CHAIN] = BE_CAUSE_SEQUENTIAL,      [BE_TERM_BUS] = BE_CAUSE_COPY,
    };
    const enum be_predict_term by = gpu->dominant;
    if (by == BE_TERM_BUS && gpu->overflows) {
        return BE_CAUSE_DOES_NOT_FIT;
    }
    if (by == BE_TERM_LAUNCH && work->chain_flops > 0 && work->launches > 1) {
        return BE_CAUSE_SEQUENTIAL; /* a kernel a step, or some */
    }
    if (by == BE_TERM_LAUNCH && work->calls > 1) {
        return be_predict_reads_again(work) ? BE_CAUSE_BATCH_OF_ONE : BE_CAUSE_LOOPED_BATCH;
    }
    if (by == BE_TERM_MEMORY && be_predict_reads_again(work)) {
        return BE_CAUSE_BATCH_OF_ONE;
    }
    return by == BE_TERM_OPERATIONS && work->float64 && place && place->thin64 > few_float64
               ? BE_CAUSE_FLOAT64
               : by_term[by];
}

void be_predict_judge(const struct be_predict_place *gpu, const struct be_predict_work *work,
                      struct be_prediction *prediction) {
    fill_ratio(work->framework, prediction);
    prediction->cause = cause_of(gpu, work, &prediction->gpu);
}

void be_predict_both(const struct be_predictor *predictor, const struct be_predict_work *work,
                     struct be_prediction *prediction) {
    *prediction = (struct be_prediction){0};
    be_predict_on_cpu(predictor, work, &prediction->cpu);
    be_predict_on(&predictor->gpu, work, &prediction->gpu);
    be_predict_judge(&predictor->gpu, work, prediction);
}
