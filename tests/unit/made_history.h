/* For tests of forecasts: a cluster whose waits follow from the partition. */
#ifndef TESTS_UNIT_MADE_HISTORY_H
#define TESTS_UNIT_MADE_HISTORY_H

#include "noise.h"
#include "slice.h"

#include "base/error.h"
#include "forecast/history.h"

/* Jobs of two partitions, the second ten times as slow; waits around 100 s and 1000 s. */
static inline struct be_history history_of(size_t jobs) {
    struct be_history h = {0};
    struct be_error error = {0};
    static const char *const partition[] = {"fast", "slow"};
    static const char *const user[] = {"a", "b", "c"};
    int64_t now_s = 1700000000;
    uint64_t seed = 1;
    for (size_t i = 0; i < jobs; i++) {
        int slow = uniform(&seed) < 0.5;
        now_s += (int64_t)(uniform(&seed) * 60);
        int64_t wait_s = (int64_t)(exp(uniform(&seed) * 2) * (slow ? 370 : 37));
        int64_t took_s = (int64_t)(uniform(&seed) * 3000);
        bool cancelled = uniform(&seed) < 0.05;
        struct be_record record = {.partition = slice(partition[slow]),
                                   .user = slice(user[(int)(uniform(&seed) * 3)]),
                                   .account = slice("all"),
                                   .tasks = 1,
                                   .submit_s = now_s,
                                   .start_s = now_s + wait_s,
                                   .end_s = now_s + wait_s + took_s,
                                   .elapsed_s = (double)took_s,
                                   .limit_s = 3600,
                                   .cpus = exp2(floor(uniform(&seed) * 5)),
                                   .state = cancelled ? BE_JOB_CANCELLED : BE_JOB_COMPLETED,
                                   .started = !cancelled};
        assert_int_equal(be_history_add(&h, &record, NULL, &error), BE_OK);
    }
    be_history_sort(&h);
    return h;
}

#endif
