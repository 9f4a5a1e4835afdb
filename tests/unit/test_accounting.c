/* Lines of accounting and what is wrong with them: one test a trap that real files have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "base/error.h"
#include "accounting/records.h"

struct read {
    struct be_records *records;
    const struct be_wait_counts *counts; /* as they are now */
    struct be_record record;
    bool more;
};

/* The first job of a text. */
static struct read first(const char *text, const struct be_records_options *options) {
    struct read r = {0};
    static const struct be_records_options none = {0};
    static struct be_wait_counts counts;
    struct be_lines *lines = NULL;
    struct be_error error = {0};
    counts = (struct be_wait_counts){0};
    assert_int_equal(be_lines_text(text, strlen(text), &lines, &error), BE_OK);
    assert_int_equal(
        be_records_open(lines, "text", options ? options : &none, &counts, &r.records, &error),
        BE_OK);
    assert_int_equal(be_records_next(r.records, &r.record, &r.more, &error), BE_OK);
    r.counts = &counts;
    return r;
}

#define HEAD                                                                                       \
    "JobID|JobName|Partition|User|Submit|Eligible|Start|End|State|NNodes|NCPUS|ReqMem|"            \
    "ReqTRES|AllocTRES|Timelimit|NodeList\n"
#define TIMES "2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T00:05:00|2024-01-01T01:05:00|"

static const char raw26[] =
    "4103947|4103947_[1-3]|ub-hpc|general|qos|anon|anon|918273|me|192837|2015-06-26T13:57:00|"
    "2015-06-26T13:57:00|2015-06-28T02:55:50|2015-07-01T02:55:50|3-00:00:00|1:0|TIMEOUT|32|256|256|"
    "3000Mc|||3-00:00:00|d07n07s02,d07n19s02|1AbC|2|3\n";

static void test_26_fields_without_a_header(void **state) {
    (void)state;
    struct read r = first(raw26, NULL); /* with marks in the name of the job, which is last */
    assert_true(r.more);
    assert_true(be_slice_is(r.record.partition, "general"));
    assert_true(be_slice_is(r.record.user, "me"));
    assert_int_equal(r.record.tasks, 3);
    assert_true(r.record.cpus == 256);
    assert_true(r.record.memory_bytes == 256 * 3000 * 0x1p20); /* per core */
    assert_int_equal(r.record.start_s - r.record.submit_s, 133130);
    assert_true(r.record.started);
    be_records_close(r.records);
}

static void test_marks_in_a_name_in_the_middle(void **state) {
    (void)state;
    struct read r = first(HEAD "7|a|b||c|gpu|me|" TIMES "COMPLETED|2|8|8000Mn|cpu=8|"
                               "cpu=8,gres/gpu:a100=2|02:00:00|n[1-2]\n",
                          NULL);
    assert_true(r.more);
    assert_true(be_slice_is(r.record.partition, "gpu"));
    assert_true(r.record.gpus == 2);
    assert_true(be_slice_is(r.record.gpu_type, "a100"));
    assert_true(r.record.memory_bytes == 2 * 8000 * 0x1p20); /* per node */
    assert_true(r.record.limit_s == 7200);
    be_records_close(r.records);
}

/* Saved without NCPUS: what was asked for, else what was given. */
static void test_cpus_of_the_resources(void **state) {
    (void)state;
    static const char *const field[] = {"|cpu=32,mem=8G", "cpu=16|cpu=32", "mem=8G|cpu=32",
                                        "cpu=0|cpu=32", "|mem=8G"};
    static const double cpus[] = {32, 16, 32, 32, NAN};
    char text[1024];
    for (size_t i = 0; i < BE_COUNT(field); i++) {
        snprintf(text, sizeof text,
                 "JobID|Partition|Submit|Eligible|Start|End|State|ReqTRES|AllocTRES|Timelimit\n"
                 "7|gpu|" TIMES "COMPLETED|%s|02:00:00\n",
                 field[i]);
        struct read r = first(text, NULL);
        assert_true(r.more);
        assert_true(isnan(cpus[i]) ? isnan(r.record.cpus) : r.record.cpus == cpus[i]);
        be_records_close(r.records);
    }
}

static void test_steps_are_no_jobs(void **state) {
    (void)state;
    struct read r = first(HEAD "7.batch|b||me|" TIMES "COMPLETED|1|8||||||\n"
                               "7.extern|b||me|" TIMES "COMPLETED|1|8||||||\n"
                               "7.0|b||me|" TIMES "COMPLETED|1|8||||||\n"
                               "8|b|gpu|me|" TIMES "COMPLETED|1|8||||02:00:00|n1\n",
                          NULL);
    assert_true(r.more);
    assert_true(be_slice_is(r.record.id, "8"));
    assert_int_equal(r.counts->steps, 3);
    assert_int_equal(r.counts->rejected, 0);
    be_records_close(r.records);
}

static bool started(const char *line) {
    char text[1024];
    snprintf(text, sizeof text, HEAD "%s\n", line);
    struct read r = first(text, NULL);
    assert_true(r.more);
    be_records_close(r.records);
    return r.record.started;
}

static void test_a_start_alone_is_no_start(void **state) {
    (void)state;
#define SUBMITTED "7|b|gpu|me|2024-01-01T00:00:00|2024-01-01T00:00:00|"
    assert_false(started(SUBMITTED "Unknown|Unknown|PENDING|1|8|1G|||02:00:00|None assigned"));
    assert_false(started(SUBMITTED "None|2024-01-02T00:00:00|CANCELLED by 5|1|8|1G|||02:00:00|"));
    /* Cancelled while it waited: Slurm puts its end for a start. */
    assert_false(started(SUBMITTED
                         "2024-01-02T00:00:00|2024-01-02T00:00:00|CANCELLED by 5|1|8|1G|||"
                         "02:00:00|None assigned"));
    assert_false(started(SUBMITTED "2024-01-02T00:00:00|2024-01-02T00:00:00|CANCELLED|1|8|1G|||"
                                   "02:00:00|"));
    assert_true(started(SUBMITTED "2024-01-02T00:00:00|2024-01-02T00:00:00|CANCELLED|1|8|1G||cpu=8|"
                                  "02:00:00|n1"));
    assert_true(started(SUBMITTED "2024-01-02T00:00:00|Unknown|RUNNING|1|8|1G||cpu=8|02:00:00|n1"));
    assert_true(started(SUBMITTED "2024-01-02T00:00:00|2024-01-02T00:00:00|FAILED|1|8|1G||cpu=8|"
                                  "02:00:00|n1"));
    /* Failed by Slurm while it waited, as sacct says it with NodeList and without (BadConstraints). */
    assert_false(started(SUBMITTED "2024-01-01T00:00:00|2024-01-01T00:00:00|FAILED|1|8|1G|cpu=8||"
                                   "02:00:00|None assigned"));
    assert_false(started(SUBMITTED "2024-01-01T00:00:00|2024-01-01T00:00:00|FAILED|1|8|1G|cpu=8||"
                                   "02:00:00|"));
    assert_true(started(SUBMITTED "2024-01-02T00:00:00|2024-01-02T00:00:00|FAILED|1|8|1G||cpu=8|"
                                  "02:00:00|"));
}

static void test_what_is_no_job_is_counted_and_shown(void **state) {
    (void)state;
    struct read r = first(HEAD "garbage\n"
                               "7|b|gpu|me|never|x|y|z|COMPLETED|1|8||||02:00:00|n1\n"
                               "x7|b|gpu|me|" TIMES "COMPLETED|1|8||||02:00:00|n1\n"
                               "9|b|gpu|me|" TIMES "COMPLETED|1|8|lots|||02:00:00|n1\n"
                               "10|b|gpu|me|" TIMES "COMPLETED|1|8||||tomorrow|n1\n"
                               "11|b||me|" TIMES "COMPLETED|1|8||||02:00:00|n1\n"
                               "12|b|gpu|me|" TIMES "COMPLETED|1|8||||02:00:00|n1\n",
                          NULL);
    static const char *const why[BE_REJECTS] = {"has too few fields", "Submit is no time",
                                                "JobID is no job's number", "ReqMem is no size",
                                                "Timelimit is no span of time"};
    assert_true(r.more);
    assert_true(be_slice_is(r.record.id, "12"));
    assert_int_equal(r.counts->rejected, 6);
    for (uint64_t i = 0; i < BE_REJECTS; i++) {
        assert_string_equal(r.counts->reject[i].why, why[i]);
        assert_int_equal(r.counts->reject[i].line, i + 2);
        assert_string_equal(r.counts->reject[i].file, "text");
    }
    assert_string_equal(r.counts->reject[0].text, "garbage");
    be_records_close(r.records);
}

static void test_headers_as_people_save_them(void **state) {
    (void)state;
    static const char *const text[] = {
        "\xef\xbb\xbfJobID|Partition|Submit|Start|\r\n7|gpu|2024-01-01T00:00:00|1704067500|\r\n",
        "\n\njobid|partition%20|SUBMIT|start\n7|gpu|2024-01-01T00:00:00|2024-01-01T00:05:00\n"
        "JobID|Partition|Submit|Start\n",
    };
    for (size_t i = 0; i < BE_COUNT(text); i++) {
        struct read r = first(text[i], NULL);
        assert_true(r.more);
        assert_int_equal(r.record.start_s - r.record.submit_s, 300);
        struct be_error error = {0};
        assert_int_equal(be_records_next(r.records, &r.record, &r.more, &error), BE_OK);
        assert_false(r.more);
        assert_int_equal(r.counts->rejected, 0);
        be_records_close(r.records);
    }
}

static void refused(const char *text, const char *fragment) {
    static const struct be_records_options none = {0};
    struct be_wait_counts counts = {0};
    struct be_records *records = NULL;
    struct be_lines *lines = NULL;
    struct be_error error = {0};
    assert_int_equal(be_lines_text(text, strlen(text), &lines, &error), BE_OK);
    assert_int_equal(be_records_open(lines, "text", &none, &counts, &records, &error), BE_USAGE);
    assert_non_null(strstr(error.text, fragment));
}

static void test_a_job_of_the_name_of_a_column(void **state) {
    (void)state;
    const struct be_records_options options = {.fields = "jobid,jobname,partition,submit,start"};
    struct read r = first("7|submit|gpu|2024-01-01T00:00:00|2024-01-01T00:05:00\n"
                          "8|JobID|gpu|never|2024-01-01T00:05:00\n",
                          &options);
    struct be_error error = {0};
    assert_true(r.more);
    assert_int_equal(be_records_next(r.records, &r.record, &r.more, &error), BE_OK);
    assert_int_equal(r.counts->rejected, 1);
    be_records_close(r.records);
}

static void test_what_is_no_accounting(void **state) {
    (void)state;
    refused("hello\n", "neither of `sacct -P`");
    refused("a|b|c\n", "3 fields where 26 are expected");
    refused("JobID|Partition|Start\n", "no column Submit");
    refused("JobID|Submit|Start\n", "no column Partition");
    refused("JobIDRaw|Partition|Start\n", "no column Submit");
}

static void test_columns_that_are_named(void **state) {
    (void)state;
    const struct be_records_options options = {.fields = "jobid,partition,submit,start,reqgres"};
    struct read r = first("7|gpu|2024-01-01T00:00:00|2024-01-01T00:05:00|gpu:v100:4\n", &options);
    assert_true(r.more && r.record.gpus == 4);
    be_records_close(r.records);
}

/* ---- clocks that change --------------------------------------------------------------------- */

static int64_t at(const char *text) {
    int64_t seconds = 0;
    bool zoned = false;
    assert_true(be_parse_time((struct be_slice){text, (uint32_t)strlen(text)}, &seconds, &zoned));
    return seconds;
}

static void test_an_hour_that_comes_twice_or_never(void **state) {
    (void)state;
    setenv("TZ", "Europe/Berlin", 1);
    tzset();
    struct be_zone zone;
    be_zone_here(&zone);
    /* 2024-03-31: 01:59:59 is followed by 03:00:00. 2024-10-27: 02:00 comes twice. */
    assert_int_equal(be_zone_utc(&zone, at("2024-01-15T12:00:00"), BE_NO_TIME),
                     at("2024-01-15T11:00:00"));
    assert_int_equal(be_zone_utc(&zone, at("2024-07-15T12:00:00"), BE_NO_TIME),
                     at("2024-07-15T10:00:00"));
    int64_t before = be_zone_utc(&zone, at("2024-03-31T01:59:59"), BE_NO_TIME);
    int64_t after = be_zone_utc(&zone, at("2024-03-31T03:00:00"), before);
    assert_int_equal(after - before, 1);
    int64_t once = be_zone_utc(&zone, at("2024-10-27T02:50:00"), BE_NO_TIME);
    assert_int_equal(once, at("2024-10-27T00:50:00"));
    /* A start at 02:10 after a submission at 02:50 was in the second of these hours. */
    assert_int_equal(be_zone_utc(&zone, at("2024-10-27T02:10:00"), once) - once, 1200);
    const struct be_records_options options = {.zone = &zone};
    static const char text[] = HEAD "7|b|gpu|me|2024-10-27T02:50:00|2024-10-27T02:50:00|"
                                    "2024-10-27T02:10:00|2024-10-27T03:10:00|COMPLETED|1|8||||"
                                    "02:00:00|n1\n";
    struct read r = first(text, &options);
    assert_int_equal(r.record.start_s - r.record.submit_s, 1200);
    assert_false(r.counts->local_times);
    be_records_close(r.records);
    r = first(text, NULL); /* as it stands: backwards, and it is said */
    assert_int_equal(r.record.start_s - r.record.submit_s, -2400);
    assert_true(r.counts->local_times);
    be_records_close(r.records);
    setenv("TZ", "UTC", 1);
    tzset();
}

/* ---- Standard Workload Format --------------------------------------------------------------- */

static void test_swf(void **state) {
    (void)state;
    static const char text[] =
        "; UnixStartTime: 1000000000\n; TimeZone: 3600\n; Queue:  3 batch  \n;\n"
        "  1  100  50  600  8  -1 1024   8  3600  -1  1  7  9  -1  3  1 -1 -1\n"
        "  2  100  50    0 -1  -1   -1   4  3600  -1  5  7  9  -1  4  1 -1 -1\n"
        "  3  100  -1   -1 -1  -1   -1   4  3600  -1  5  7  9  -1 -1 -1 -1 -1\n";
    struct read r = first(text, NULL);
    struct be_error error = {0};
    assert_true(be_slice_is(r.record.partition, "batch"));
    assert_true(be_slice_is(r.record.user, "user-7"));
    assert_int_equal(r.record.submit_s, 1000003700);
    assert_int_equal(r.record.start_s - r.record.submit_s, 50);
    assert_true(r.record.memory_bytes == 8 * 0x1p20);
    assert_true(r.record.started && r.record.limit_s == 3600);
    assert_int_equal(be_records_next(r.records, &r.record, &r.more, &error), BE_OK);
    assert_true(be_slice_is(r.record.partition, "queue-4"));
    assert_false(r.record.started); /* cancelled, and ran no second */
    assert_int_equal(be_records_next(r.records, &r.record, &r.more, &error), BE_OK);
    assert_true(be_slice_is(r.record.partition, "all"));
    assert_int_equal(r.record.start_s, BE_NO_TIME);
    be_records_close(r.records);
    /* With a zone all times are moments: UnixStartTime is one. */
    struct be_zone zone = {0};
    const struct be_records_options options = {.zone = &zone};
    r = first(text, &options);
    assert_int_equal(r.record.submit_s, 1000000100);
    be_records_close(r.records);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_26_fields_without_a_header),
        cmocka_unit_test(test_marks_in_a_name_in_the_middle),
        cmocka_unit_test(test_cpus_of_the_resources),
        cmocka_unit_test(test_steps_are_no_jobs),
        cmocka_unit_test(test_a_start_alone_is_no_start),
        cmocka_unit_test(test_what_is_no_job_is_counted_and_shown),
        cmocka_unit_test(test_headers_as_people_save_them),
        cmocka_unit_test(test_a_job_of_the_name_of_a_column),
        cmocka_unit_test(test_what_is_no_accounting),
        cmocka_unit_test(test_columns_that_are_named),
        cmocka_unit_test(test_an_hour_that_comes_twice_or_never),
        cmocka_unit_test(test_swf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
