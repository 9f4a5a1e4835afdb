/* Tables of waits from small accountings whose every number is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/text.h"
#include "report/queue/queue.h"
#include "temp_file.h"

#define HEAD                                                                                       \
    "JobID|Partition|User|Account|QOS|Submit|Eligible|Start|End|State|NNodes|NCPUS|ReqMem|"        \
    "AllocTRES|Timelimit\n"

static struct be_job_input file_of(const char *text) {
    static const char *file[1];
    FILE *out = fopen(path, "we");
    assert_non_null(out);
    assert_int_equal(fputs(text, out) < 0, 0);
    assert_int_equal(fclose(out), 0);
    file[0] = path;
    return (struct be_job_input){.file = file, .files = 1};
}

/* A job that was submitted at `hour` of 2024-01-01, waited, and took an hour of its limit. */
static void add_job(struct be_text *text, const char *id, const char *partition, int hour,
                    int eligible_s, int wait_s, int cpus, const char *limit, const char *rest) {
    int end_s = wait_s + 3600;
    be_text_add(
        text,
        "%s|%s|%s|2024-01-01T%02d:00:00|2024-01-01T%02d:%02d:%02d|2024-01-01T%02d:%02d:%02d|"
        "2024-01-01T%02d:%02d:%02d|COMPLETED|1|%d|%dG|cpu=%d%s|%s\n",
        id, partition, "me|mine|normal", hour, hour, eligible_s / 60, eligible_s % 60,
        hour + wait_s / 3600, wait_s / 60 % 60, wait_s % 60, hour + end_s / 3600, end_s / 60 % 60,
        end_s % 60, cpus, cpus * 2, cpus, rest, limit);
}

static struct be_wait_table read_table(const char *text, const struct be_wait_options *options) {
    struct be_job_input input = file_of(text);
    struct be_wait_table table;
    struct be_error error = {0};
    enum be_status status = be_wait_table_read(&input, options, &table, &error);
    if (status != BE_OK) {
        fail_msg("%s", error.text);
    }
    return table;
}

static char *some_jobs(void) {
    struct be_text text = {0};
    be_text_add(&text, HEAD);
    add_job(&text, "1", "medium", 1, 0, 10, 1, "01:00:00", "");
    add_job(&text, "2", "medium", 1, 0, 30, 1, "03:00:00", "");
    add_job(&text, "3", "medium", 2, 5, 600, 4, "01:00:00", ""); /* 4 CPU-hours: not below 4 */
    add_job(&text, "4", "medium", 2, 0, 6000, 64, "1-00:00:00", "");
    add_job(&text, "5", "gpu", 3, 0, 100, 8, "02:00:00", ",gres/gpu:a100=2");
    add_job(&text, "6_1", "gpu", 3, 0, 50, 1, "01:00:00", ",gres/gpu:v100=1");
    add_job(&text, "6_2", "gpu", 3, 0, 90, 1, "01:00:00", ",gres/gpu:v100=1");
    be_text_add(&text,
                "7|int|me|mine|normal|2024-01-01T04:00:00|2024-01-01T04:00:00|Unknown|Unknown|"
                "PENDING|1|2|4G||01:00:00\n"
                "8.batch||||||||||||||\n"
                "nonsense\n");
    return text.data;
}

static void test_bins_and_medians(void **state) {
    (void)state;
    char *text = some_jobs();
    static const char *const name[] = {"gpu", "medium"};
    struct be_wait_table t = read_table(text, &(struct be_wait_options){0});
    assert_int_equal(t.rows, 2); /* of int no job started */
    assert_int_equal(t.columns, 4);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(t.row[i].name, name[i]);
    }
    const struct be_wait_cell *medium = &t.cell[4];
    assert_int_equal(medium[0].n, 2);
    assert_true(medium[0].wait_s == 20 && medium[0].q25_s == 15 && medium[0].q75_s == 25);
    assert_true(isnan(medium[1].q25_s) && isnan(medium[1].q75_s)); /* one job has no spread */
    assert_int_equal(medium[1].n, 1);
    assert_true(medium[1].wait_s == 600);
    assert_int_equal(medium[2].n, 0);
    assert_true(isnan(medium[2].wait_s));
    assert_int_equal(medium[3].n, 1);
    assert_int_equal(t.all[1].n, 4);
    assert_true(t.all[1].wait_s == 315);
    assert_int_equal(t.counts.counted, 7);
    assert_int_equal(t.counts.not_started, 1);
    assert_int_equal(t.counts.steps, 1);
    assert_int_equal(t.counts.rejected, 1);
    assert_true(t.counts.local_times);
    be_wait_table_free(&t);
    free(text);
}

/* No wait without its spread: as text, in the chart, as CSV and JSON. */
static void test_waits_have_a_spread(void **state) {
    (void)state;
    char *text = some_jobs();
    struct be_wait_table t = read_table(text, &(struct be_wait_options){0});
    struct be_text out = {0};
    be_wait_text(&t, &out);
    assert_non_null(strstr(out.data, "medium     20.0 s (2)       10.0 m (1)        NA"
                                     "                 1.7 h (1)\n"
                                     "           15.0 s - 25.0 s  ?"));
    assert_non_null(strstr(out.data, "the middle half"));
    be_text_free(&out);
    be_wait_chart_text(&t, &out);
    assert_non_null(strstr(out.data, "20.0 s   25.0 s       2\n"));
    be_text_free(&out);
    be_wait_chart_svg(&t, &out);
    assert_non_null(strstr(out.data, "<path class=\"a w\""));
    assert_null(strstr(out.data, "nan"));
    be_text_free(&out);
    be_wait_csv(&t, &out);
    assert_non_null(strstr(out.data, ",2,20,,,15,25\r\n"));
    be_text_free(&out);
    be_wait_json(&t, &out);
    assert_non_null(strstr(out.data, "\"q25_s\":15,\"q75_s\":25}"));
    be_text_free(&out);
    be_wait_table_free(&t);
    free(text);
}

/* Another quantile has its own interval, which so few jobs do not have, nor those of one day. */
static void test_spread_of_another_quantile(void **state) {
    (void)state;
    struct be_text text = {0}, out = {0};
    be_text_add(&text, HEAD);
    for (int i = 0; i < 40; i++) {
        add_job(&text, "1", "gpu", 1, 0, 60 * i, 1, "01:00:00", "");
    }
    struct be_wait_table t = read_table(text.data, &(struct be_wait_options){.quantile = 0.75});
    be_wait_text(&t, &out);
    assert_non_null(strstr(out.data, "29.2 m (40)"));
    assert_null(strstr(out.data, " m - "));
    be_text_free(&out);
    be_wait_table_free(&t);
    /* The same waits over twenty days that differ no more than the jobs of a day do. */
    char *at = text.data;
    for (int i = 0; (at = strstr(at, "2024-01-01")); i++) {
        const int day = i / 4 * 9 % 20 + 1; /* four times in each line */
        at[8] = (char)('0' + day / 10);
        at[9] = (char)('0' + day % 10);
    }
    t = read_table(text.data, &(struct be_wait_options){.quantile = 0.75});
    be_wait_text(&t, &out);
    assert_non_null(strstr(out.data, "29.2 m (40)"));
    assert_non_null(strstr(out.data, "23.0 m - 36.0 m"));
    assert_non_null(strstr(out.data, "its 95 % interval"));
    be_text_free(&out);
    be_text_free(&text);
    be_wait_table_free(&t);
}

static void test_what_is_asked_for_decides_rows(void **state) {
    (void)state;
    char *text = some_jobs();
    struct be_wait_options o = {.first = 1,
                                .factor = 10,
                                .bins = 3,
                                .quantile = 0.9,
                                .memory_hours = true,
                                .filter.partition = {{"int", "medium"}, 2}};
    struct be_wait_table t = read_table(text, &o);
    struct be_text out = {0};
    assert_int_equal(t.rows, 2);
    assert_string_equal(t.row[0].name, "int");
    assert_int_equal(t.cell[0].n, 0);
    assert_int_equal(t.cell[3 + 1].n, 3); /* 2, 6 and 8 GB-hours */
    assert_int_equal(t.counts.filtered, 3);
    be_wait_text(&t, &out);
    assert_non_null(strstr(out.data, "Partition  < 1 GBh  1 GBh - 10 GBh  > 10 GBh\n"
                                     "int        NA       NA              NA\n"
                                     "medium     NA       8.1 m (3)       1.7 h (1)\n"
                                     "                    ?               ?\n"));
    assert_non_null(strstr(out.data, "0.9 quantile wait from submission"));
    assert_non_null(strstr(out.data, ":11: has too few fields: nonsense"));
    be_text_free(&out);
    be_wait_table_free(&t);
    free(text);
}

static void test_arrays_eligible_used_filters(void **state) {
    (void)state;
    char *text = some_jobs();
    struct be_wait_options o = {.arrays = true, .bins = 1, .filter.partition = {{"gpu"}, 1}};
    struct be_wait_table t = read_table(text, &o);
    assert_int_equal(t.cell[0].n, 2); /* the array is one, with the wait of its first task */
    assert_true(t.cell[0].wait_s == 75);
    be_wait_table_free(&t);
    o = (struct be_wait_options){.from_eligible = true, .used = true};
    t = read_table(text, &o);
    assert_true(t.cell[4 + 1].wait_s == 595); /* 4 CPUs for an hour, eligible after 5 s */
    assert_int_equal(t.cell[4].n, 2);         /* an hour each, whatever they asked for */
    be_wait_table_free(&t);
    o = (struct be_wait_options){.filter.gpu_type = {{"v100"}, 1}};
    t = read_table(text, &o);
    assert_int_equal(t.counts.counted, 2);
    be_wait_table_free(&t);
    o = (struct be_wait_options){.filter = {.user = {{"you"}, 1}}};
    t = read_table(text, &o);
    assert_int_equal(t.counts.counted, 0);
    assert_int_equal(t.rows, 0);
    be_wait_table_free(&t);
    o = (struct be_wait_options){
        .filter = {.since = "2024-01-01T02:00", .until = "2024-01-01T03:00:00"}};
    t = read_table(text, &o);
    assert_int_equal(t.counts.counted, 2);
    be_wait_table_free(&t);
    o = (struct be_wait_options){.filter = {.until = "2023-12-31"}};
    t = read_table(text, &o);
    assert_int_equal(t.counts.counted, 0);
    be_wait_table_free(&t);
    free(text);
}

/* A job that is left out is counted as one that counts: each task of an array is a job, or the
 * array. */
static void test_tasks_that_are_left_out(void **state) {
    (void)state;
#define JOB "|gpu|me|mine|q|2024-01-01T02:00:00|2024-01-01T02:00:00|"
#define BEGAN JOB "2024-01-01T02:30:00|2024-01-01T03:00:00|COMPLETED|1|"
    static const char text[] =
        HEAD "10_[3-9]" JOB "Unknown|Unknown|PENDING|1|1|1G||01:00:00\n"
             "11_[1-3]" JOB "2024-01-01T01:30:00|2024-01-01T03:00:00|COMPLETED|1|1|1G||01:00:00\n"
             "12_[1-4]" BEGAN "|1G||01:00:00\n"
             "13_[1-5]" BEGAN "1|1G||UNLIMITED\n"
             "14_[1-6]|cpu|me|mine|q|2024-01-01T02:00:00|2024-01-01T02:00:00|2024-01-01T02:30:00|"
             "2024-01-01T03:00:00|COMPLETED|1|1|1G||01:00:00\n";
    for (int arrays = 0; arrays < 2; arrays++) {
        struct be_wait_options o = {.arrays = arrays, .filter.partition = {{"gpu"}, 1}};
        struct be_wait_table t = read_table(text, &o);
        assert_int_equal(t.counts.not_started, arrays ? 1 : 7);
        assert_int_equal(t.counts.negative, arrays ? 1 : 3);
        assert_int_equal(t.counts.no_size, arrays ? 1 : 4);
        assert_int_equal(t.counts.no_limit, arrays ? 1 : 5);
        assert_int_equal(t.counts.filtered, arrays ? 1 : 6);
        assert_int_equal(t.counts.counted, arrays ? 1 : 5);
        be_wait_table_free(&t);
    }
}

static void test_other_rows(void **state) {
    (void)state;
    static const struct {
        enum be_wait_rows rows;
        int count;
        const char *name[5];
    } cases[] = {
        {BE_ROWS_HOUR, 3, {"01:00", "02:00", "03:00"}},
        {BE_ROWS_WEEKDAY, 1, {"Monday"}},
        {BE_ROWS_GPUS, 3, {"0", "1", "2"}},
        {BE_ROWS_CPUS, 4, {"1", "3 - 4", "5 - 8", "33 - 64"}},
        {BE_ROWS_MEMORY, 4, {"2 GB - 4 GB", "8 GB - 16 GB", "16 GB - 32 GB", "128 GB - 256 GB"}},
    };
    char *text = some_jobs();
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_wait_table t = read_table(text, &(struct be_wait_options){.rows = cases[i].rows});
        assert_int_equal(t.rows, cases[i].count);
        for (int k = 0; k < t.rows; k++) {
            assert_string_equal(t.row[k].name, cases[i].name[k]);
        }
        be_wait_table_free(&t);
    }
    free(text);
}

static void test_a_row_for_what_is_not_known(void **state) {
    (void)state;
    struct be_wait_table t = read_table(
        HEAD "1|gpu|me|mine|q|2024-01-01T02:00:00|2024-01-01T02:00:00|2024-01-01T02:30:00|"
             "2024-01-01T03:00:00|COMPLETED|1||1G||01:00:00\n",
        &(struct be_wait_options){.rows = BE_ROWS_CPUS, .memory_hours = true});
    assert_int_equal(t.rows, 1);
    assert_string_equal(t.row[0].name, "not known");
    be_wait_table_free(&t);
}

static void test_an_unknown_partition_names_the_known(void **state) {
    (void)state;
    char *text = some_jobs();
    struct be_job_input input = file_of(text);
    struct be_wait_options o = {.filter.partition = {{"medium", "nope"}, 2}};
    struct be_wait_table t;
    struct be_error error = {0};
    assert_int_equal(be_wait_table_read(&input, &o, &t, &error), BE_USAGE);
    assert_string_equal(error.text, "partition nope: no job names it; there are: gpu, int, medium");
    free(text);
}

static void test_a_wait_that_is_negative(void **state) {
    (void)state;
    struct be_wait_table t = read_table(
        HEAD "1|gpu|me|mine|q|2024-01-01T02:00:00|2024-01-01T02:00:00|2024-01-01T01:30:00|"
             "2024-01-01T03:00:00|COMPLETED|1|1|1G|cpu=1|01:00:00\n",
        &(struct be_wait_options){0});
    assert_int_equal(t.counts.negative, 1);
    assert_int_equal(t.counts.counted, 0);
    be_wait_table_free(&t);
}

static void test_waits_over_time(void **state) {
    (void)state;
    struct be_text text = {0}, out = {0};
    be_text_add(&text, HEAD);
    for (int day = 1; day <= 31; day += 15) { /* the last comes first */
        int d = 32 - day;
        be_text_add(&text,
                    "%d|gpu|me|mine|q|2024-01-%02dT02:00:00|2024-01-%02dT02:00:00|"
                    "2024-01-%02dT02:00:%02d|2024-01-%02dT03:00:00|COMPLETED|1|1|1G||"
                    "01:00:00\n",
                    day, d, d, d, d, d);
    }
    struct be_wait_table t = read_table(text.data, &(struct be_wait_options){.over_time = true});
    assert_int_equal(t.spans, 31);
    assert_true(t.span[0].cell.wait_s == 1 && t.span[15].cell.wait_s == 16);
    assert_int_equal(t.span[14].cell.n, 0);
    be_wait_chart_text(&t, &out);
    assert_non_null(strstr(out.data, "2024-01-31 ###"));
    be_text_free(&out);
    be_wait_chart_svg(&t, &out);
    assert_non_null(strstr(out.data, "</svg>\n"));
    assert_null(strstr(out.data, "nan"));
    be_text_free(&out);
    be_text_free(&text);
    be_wait_table_free(&t);
}

static void test_how_waits_are_written(void **state) {
    (void)state;
    const struct {
        double seconds;
        const char *text;
    } cases[] = {{0, "0.0 s"},         {0.9, "0.9 s"},  {59.94, "59.9 s"}, {59.96, "1.0 m"},
                 {492, "8.2 m"},       {3598, "1.0 h"}, {52560, "14.6 h"}, {47.9 * 3600, "47.9 h"},
                 {72 * 3600, "3.0 d"}, {NAN, "NA"}};
    char text[BE_WORD];
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        assert_string_equal(be_format_wait(text, sizeof text, cases[i].seconds, "NA"),
                            cases[i].text);
    }
}

static void test_names_that_would_steer_a_terminal(void **state) {
    (void)state;
    struct be_text out = {0};
    struct be_wait_table t =
        read_table(HEAD "1|g\x1b[2Ju\"<b>|me|mine|q|2024-01-01T02:00:00|2024-01-01T02:00:00|"
                        "2024-01-01T02:30:00|2024-01-01T03:00:00|COMPLETED|1|1|1G||01:00:00\n",
                   &(struct be_wait_options){.over_time = true});
    be_wait_text(&t, &out);
    assert_null(strchr(out.data, '\x1b'));
    be_text_free(&out);
    be_wait_chart_text(&t, &out);
    assert_null(strchr(out.data, '\x1b'));
    be_text_free(&out);
    be_wait_chart_svg(&t, &out);
    assert_null(strstr(out.data, "<b>"));
    assert_null(strchr(out.data, '\x1b'));
    be_text_free(&out);
    be_wait_json(&t, &out);
    assert_non_null(strstr(out.data, "{\"row\":\"g\\u001b[2Ju\\\"<b>\""));
    be_text_free(&out);
    be_wait_table_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bins_and_medians),
        cmocka_unit_test(test_waits_have_a_spread),
        cmocka_unit_test(test_spread_of_another_quantile),
        cmocka_unit_test(test_what_is_asked_for_decides_rows),
        cmocka_unit_test(test_arrays_eligible_used_filters),
        cmocka_unit_test(test_tasks_that_are_left_out),
        cmocka_unit_test(test_other_rows),
        cmocka_unit_test(test_a_row_for_what_is_not_known),
        cmocka_unit_test(test_an_unknown_partition_names_the_known),
        cmocka_unit_test(test_a_wait_that_is_negative),
        cmocka_unit_test(test_waits_over_time),
        cmocka_unit_test(test_how_waits_are_written),
        cmocka_unit_test(test_names_that_would_steer_a_terminal),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
