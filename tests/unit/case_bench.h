/*
 * One case ready to run, from a workload at one size on one place. For tests of bench/case/case.h.
 */
#ifndef TESTS_UNIT_CASE_BENCH_H
#define TESTS_UNIT_CASE_BENCH_H

#include "bench.h"

#include "bench/case/case.h"

/* A workload at one size on one place, made ready as bench/size_run.c does. */
struct bench {
    struct be_place *place;
    struct be_data data;
    struct be_buffer buffer[BE_ARRAYS];
    struct be_scratch scratch;
    struct be_case c;
};

MAYBE_UNUSED void open_bench(struct bench *b, struct be_place *place, const struct be_workload *w,
                             uint64_t size, size_t instances) {
    const struct be_problem problem = problem_of(w, size);
    *b = (struct bench){.place = place};
    CHECK(be_data_open(&problem, instances, team, 1, &b->data, &error));
    CHECK(be_place_prepare(place, &problem, 0, &error));
    CHECK(be_scratch_open(place, &problem, 0, &b->scratch, &error));
    for (int i = 0; place->device && i < w->inputs + w->outputs; i++) {
        size_t bytes = b->data.shape.item_bytes[i] * b->data.stride * instances;
        CHECK(place->device->ops->memory->alloc(place->device, bytes, &b->buffer[i], &error));
        memset((void *)b->buffer[i].handle, 0xff, bytes); /* host memory: a pretend device */
    }
}

MAYBE_UNUSED void start_case(struct bench *b, enum be_placement placement, enum be_cache cache) {
    be_case_free(&b->c);
    be_case_init(&b->c, b->place, &b->data, b->buffer, &b->scratch, 0, placement, cache);
}

MAYBE_UNUSED void upload(struct bench *b) {
    start_case(b, BE_RESIDENT, BE_HOT);
    CHECK(be_case_upload(&b->c, &error));
}

MAYBE_UNUSED void close_bench(struct bench *b) {
    be_case_free(&b->c);
    for (int i = 0; b->place->device && i < BE_ARRAYS; i++) {
        b->place->device->ops->memory->release(b->place->device, &b->buffer[i]);
    }
    be_scratch_close(b->place, &b->scratch);
    be_data_close(&b->data);
    forget_code(b->place);
}

MAYBE_UNUSED const struct be_stop_rule brief = {
    .precision = 0.5, .min = 5, .budget_s = 2e-3, .patience = 20};

MAYBE_UNUSED void run_case_by(struct bench *b, const struct be_clock *clock) {
    be_case_check(&b->c, clock);
    if (b->c.result.status == BE_RESULT_OK) {
        CHECK(be_case_calibrate(&b->c, clock, &error));
        assert_true(b->c.batch >= 1);
    }
    for (int i = 0; i == 0 || (i < 6 && be_cases_doubted(&b->c, 1)); i++) {
        while (b->c.stop == BE_STOP_NONE) {
            be_case_sample(&b->c, clock, &brief);
        }
    }
    be_case_finish(&b->c, clock, &brief, false);
}

MAYBE_UNUSED void run_case(struct bench *b) {
    run_case_by(b, &host_clock);
}

#endif
