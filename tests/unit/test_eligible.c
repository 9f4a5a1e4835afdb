/* Time in which a job could not run is no wait: dependencies, --begin, holds, and limits of unknown length. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "accounting/record.h"
#include "base/error.h"
#include "forecast/history.h"
#include "forecast/replay.h"
#include "noise.h"
#include "slice.h"
#include "temp_file.h"

static const char *const file[] = {path};
static const struct be_job_input input = {.file = file, .files = 1};

enum { JOBS = 2000, APART_S = 120, BEGIN_S = 1700000000 };

/* Every job starts within two minutes of being eligible; one in four depends on another for a day. */
static void write_jobs(const char *head, bool eligible, const char *reason) {
    FILE *out = fopen(path, "we");
    uint64_t seed = 7;
    assert_non_null(out);
    fprintf(out, "JobID|Partition|User|Submit|%sStart|End|State|NCPUS|Timelimit%s\n",
            eligible ? "Eligible|" : "", head);
    for (long long i = 0; i < JOBS; i++) {
        const bool depends = uniform(&seed) < 0.25;
        const long long submit_s = BEGIN_S + i * APART_S;
        const long long ready_s = submit_s + (depends ? 86400 : 0);
        const long long start_s = ready_s + (long long)(uniform(&seed) * 120);
        fprintf(out, "%lld|p|u%lld|%lld|", i + 1, i % 5, submit_s);
        if (eligible) {
            fprintf(out, "%lld|", ready_s);
        }
        fprintf(out, "%lld|%lld|COMPLETED|4|01:00:00%s\n", start_s, start_s + 600,
                *head && depends ? reason
                : *head          ? "|None"
                                 : "");
    }
    assert_int_equal(fclose(out), 0);
}

static double q90(bool from_submit, struct be_forecast *forecast) {
    const struct be_forecast_options o = {.wish = {.cpus = 4, .limit_s = 3600},
                                          .filter = {.from_submit = from_submit}};
    struct be_error error = {0};
    assert_int_equal(be_forecast_make(&input, &o, forecast, &error), BE_OK);
    assert_int_equal(forecast->rows, 1);
    return forecast->row[0].q90_s;
}

static void test_dependencies_are_no_waits(void **state) {
    (void)state;
    struct be_forecast forecast;
    write_jobs("", true, "");
    assert_true(q90(false, &forecast) <= 130);
    assert_true(forecast.row[0].held[BE_HOLD_UNSAID] > 100); /* of the last day, not yet eligible */
    assert_int_equal(forecast.counts.no_eligible, 0);
    assert_true(forecast.counts.held_first > 500 && !forecast.counts.held_counts);
    be_forecast_free(&forecast);
    q90(true, &forecast); /* if it is asked for */
    assert_true(forecast.row[0].table_q90_s >= 86400);
    assert_true(forecast.counts.held_counts);
    be_forecast_free(&forecast);
}

static void test_where_it_is_not_known_it_is_said(void **state) {
    (void)state;
    struct be_forecast forecast;
    struct be_error error = {0};
    char *text = NULL;
    size_t capacity = 0;
    write_jobs("", false, "");
    q90(false, &forecast);
    assert_true(forecast.row[0].table_q90_s >= 86400);
    assert_int_equal(forecast.counts.no_eligible, JOBS);
    FILE *out = open_memstream(&text, &capacity);
    assert_non_null(out);
    assert_int_equal(be_forecast_write(&forecast, BE_TEXT, out, &error), BE_OK);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "of which is not told since when they could run"));
    free(text);
    be_forecast_free(&forecast);
    /* The last reason says of which jobs nothing can be learnt. */
    write_jobs("|Reason", false, "|AssocGrpCpuLimit");
    assert_true(q90(false, &forecast) <= 130);
    assert_true(forecast.limited > 500 && forecast.limited < 1300);
    be_forecast_free(&forecast);
}

static void test_a_table_from_when_jobs_could_run(void **state) {
    (void)state;
    struct be_wait_table table;
    struct be_error error = {0};
    for (int eligible = 0; eligible < 2; eligible++) {
        const struct be_wait_options o = {.from_eligible = true, .quantile = 0.99, .bins = 1};
        write_jobs("", eligible, "");
        assert_int_equal(be_wait_table_read(&input, &o, &table, &error), BE_OK);
        assert_int_equal(table.counts.counted, JOBS);
        assert_int_equal(table.counts.no_eligible, eligible ? 0 : JOBS);
        assert_true(eligible ? table.cell[0].wait_s < 120 : table.cell[0].wait_s > 86400);
        be_wait_table_free(&table);
    }
}

static void test_reasons(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum be_hold hold;
    } reason[] = {
        {"Priority", BE_HOLD_NONE},
        {"(Resources)", BE_HOLD_NONE},
        {"", BE_HOLD_NONE},
        {"ReqNodeNotAvail, UnavailableNodes:n[1-3]", BE_HOLD_NONE},
        {"Licenses", BE_HOLD_NONE},
        {"JobHeldUser", BE_HOLD_HELD},
        {"(JobHeldAdmin)", BE_HOLD_HELD},
        {"BeginTime", BE_HOLD_BEGIN},
        {"Dependency", BE_HOLD_DEPENDENCY},
        {"DependencyNeverSatisfied", BE_HOLD_DEPENDENCY},
        {"JobArrayTaskLimit", BE_HOLD_LIMIT},
        {"AssocGrpCpuLimit", BE_HOLD_LIMIT},
        {"AssocMaxJobsLimit", BE_HOLD_LIMIT},
        {"QOSMaxJobsPerUserLimit", BE_HOLD_LIMIT},
        {"MaxGRESPerAccount", BE_HOLD_LIMIT},
    };
    for (size_t i = 0; i < BE_COUNT(reason); i++) {
        assert_int_equal(be_parse_reason(slice(reason[i].text)), reason[i].hold);
    }
}

/* One record of many tasks, in two partitions: all count, and once each beside the partitions. */
static void test_tasks_that_wait(void **state) {
    (void)state;
    struct be_history h = {0};
    struct be_replay *r = NULL;
    struct be_error error = {0};
    const struct be_record record = {.id = slice("900_[1-20000%50]"),
                                     .partition = slice("a,b"),
                                     .user = slice("u"),
                                     .account = slice("x"),
                                     .tasks = be_array_tasks(slice("900_[1-20000%50]")),
                                     .submit_s = BEGIN_S,
                                     .start_s = BE_NO_TIME,
                                     .end_s = BE_NO_TIME,
                                     .cpus = 2,
                                     .limit_s = 60,
                                     .state = BE_JOB_PENDING};
    assert_int_equal(be_array_tasks(slice("7_[1,3,5-9:2]")), 5);
    assert_int_equal(be_history_add(&h, &record, NULL, &error), BE_OK);
    be_history_sort(&h);
    assert_int_equal(be_replay_open(&h, &r, &error), BE_OK);
    be_replay_until(r, h.jobs, BEGIN_S + 1, NULL, NULL);
    for (int partition = -1; partition < 2; partition++) {
        assert_int_equal(be_replay_waiting(r, partition), 20000);
    }
    be_replay_close(r);
    be_history_free(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependencies_are_no_waits),
        cmocka_unit_test(test_where_it_is_not_known_it_is_said),
        cmocka_unit_test(test_a_table_from_when_jobs_could_run),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_tasks_that_wait),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
