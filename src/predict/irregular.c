/* Work whose accesses are no stream: hash tables, sorting, additions to places that the data choose. */
#include "predict/irregular.h"

#include <math.h>

#include "predict/predict.h"

const char *const be_irregular_word[BE_IRREGULARS] = {
    [BE_IRREGULAR_NONE] = "",       [BE_IRREGULAR_HASH] = "hash",
    [BE_IRREGULAR_SORT] = "sort",   [BE_IRREGULAR_SCATTER] = "scatter",
    [BE_IRREGULAR_TREES] = "trees",
};

/*
 * The cost of an item, as code that people call was seen to take (docs/prediction.md, "Irregular work", has each figure and
 * where it is from). On a CPU it is so many cycles of one core. On a GPU hash tables and sorting move so many bytes; additions
 * take so many cycles of one multiprocessor, since atomic operations decide. An item of `width` numbers takes
 * 1 + more x (width - 1) times that.
 */
static const struct kind {
    double cycles, bytes, unit_cycles;
    double more_cpu, more_gpu;
    bool by_levels; /* cycles are for each of log2(items) */
    bool shared;    /* usual code without a framework does it on all cores */
    double kernels;
    struct be_predict_spread cpu, gpu; /* over these costs */
} kinds[BE_IRREGULARS] = {
    [BE_IRREGULAR_HASH] = {.cycles = 100,
                           .bytes = 1600,
                           .more_cpu = 6,
                           .more_gpu = 0.4,
                           .kernels = 12,
                           .cpu = {0.25, 1, 5},
                           .gpu = {0.1, 1, 3}},
    [BE_IRREGULAR_SORT] = {.cycles = 8,
                           .bytes = 2000,
                           .more_cpu = 0.5,
                           .more_gpu = 0.15,
                           .by_levels = true,
                           .kernels = 12,
                           .cpu = {0.2, 1, 5},
                           .gpu = {0.04, 1, 10}},
    [BE_IRREGULAR_SCATTER] = {.cycles = 10,
                              .unit_cycles = 30,
                              .more_cpu = 1,
                              .more_gpu = 1,
                              .kernels = 3,
                              .cpu = {0.2, 1, 6},
                              .gpu = {0.03, 1, 40}},
    [BE_IRREGULAR_TREES] = {.cycles = 25,
                            .unit_cycles = 6,
                            .shared = true,
                            .kernels = 120,
                            .cpu = {0.2, 1, 4},
                            .gpu = {0.3, 1, 4}},
};

/* Before compute capability 5.0 atomic operations on shared memory are loops around a lock (NVIDIA, Maxwell Tuning Guide). One
 * report has how much longer such a GPU took, a K80 with trees: 30 times. */
static const double locked = 20;

static double bytes_of_number(const struct be_predict_work *work) {
    return work->float64 ? 8 : 4;
}

void be_irregular_usual(struct be_predict_work *work) {
    const double numbers = work->items * fmax(work->width, 1);
    work->flops = work->flops > 0 ? work->flops : numbers;
    work->bytes = work->bytes > 0 ? work->bytes : 2 * numbers * bytes_of_number(work);
    work->launches = work->launches > 0 ? work->launches : kinds[work->irregular].kernels;
}

/* Cycles of one core, or seconds of a GPU, for an item of one number. */
static double of_core(const struct kind *kind, const struct be_predict_work *work) {
    return kind->cycles * (kind->by_levels ? fmax(log2(work->items), 1) : 1);
}

static double of_gpu(const struct kind *kind, const struct be_predict_place *gpu) {
    const double memory = gpu->reached.memory[gpu->reached.points - 1].rate;
    return kind->bytes > 0 ? kind->bytes / memory
                           : kind->unit_cycles * (gpu->locks ? locked : 1) / gpu->unit_rate;
}

struct be_predict_time be_predict_irregular(const struct be_predict_place *place,
                                            const struct be_predict_work *work,
                                            enum be_predict_term *term) {
    const struct kind *kind = &kinds[work->irregular];
    const bool gpu = place->threads == 0;
    const struct be_predict_spread *by = gpu ? &kind->gpu : &kind->cpu;
    const double least = gpu ? 1 : place->threads;
    /* Functions of NumPy, pandas and PyTorch do these on one core, as libraries' sorts and hash tables do. */
    const double cores = work->framework || !kind->shared ? 1 : least;
    const double more = gpu ? kind->more_gpu : kind->more_cpu;
    const double wide = 1 + more * (fmax(work->width, 1) - 1);
    *term = gpu && kind->bytes > 0 ? BE_TERM_MEMORY : BE_TERM_OPERATIONS;
    if (!work->irregular) {
        return (struct be_predict_time){0};
    }
    const double s = work->items * work->batch * work->calls *
                     (gpu ? of_gpu(kind, place) : of_core(kind, work) * place->cycle_s);
    /* At best the first number of an item decides. */
    return (struct be_predict_time){s * by->lo / least, s * wide * by->typical / cores,
                                    s * wide * by->hi / cores};
}
