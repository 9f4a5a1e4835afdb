/* Lines of accounting and what is wrong with them: one test a trap that real files have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/error.h"
#include "slurm/names.h"
#include "slurm/records.h"
#include "slurm/waits.h"

static struct be_slice slice(const char *text) {
    return (struct be_slice){text, (uint32_t)strlen(text)};
}

/* ---- values --------------------------------------------------------------------------------- */

static int64_t at(const char *text) {
    int64_t seconds = 0;
    bool zoned = false;
    assert_true(be_parse_time(slice(text), &seconds, &zoned));
    return seconds;
}

static void test_times_are_those_of_the_calendar(void **state) {
    (void)state;
    for (int64_t day = -100; day < 40000; day++) { /* with leap years, and 2000 and 2100 */
        time_t moment = (time_t)(day * 86400 + 45296);
        struct tm fields;
        char text[32];
        gmtime_r(&moment, &fields);
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &fields);
        assert_int_equal(at(text), moment);
    }
    assert_int_equal(at("2024-02-29 12:34:56"), 1709210096);
    assert_int_equal(at("1709210096"), 1709210096);
    assert_int_equal(at("2024-02-29T13:34:56+01:00"), 1709210096);
    assert_int_equal(at("2024-02-29T07:34:56.123-0500"), 1709210096);
    assert_int_equal(at("2024-02-29T12:34:56Z"), 1709210096);
}

static void test_no_time_is_no_failure(void **state) {
    (void)state;
    static const char *const none[] = {"Unknown", "None", "N/A", "", "0"};
    static const char *const wrong[] = {"2023-02-29T00:00:00", "2023-13-01T00:00:00",
                                        "2023-01-01T24:00:00", "2023-01-01T00:60:00",
                                        "2023-01-01",          "yesterday",
                                        "2023-01-01T00:00:0x", "2023-01-01T00:00:00+1",
                                        "123456789012",        "2023/01/01T00:00:00"};
    int64_t seconds;
    bool zoned;
    for (size_t i = 0; i < BE_COUNT(none); i++) {
        assert_int_equal(at(none[i]), BE_NO_TIME);
    }
    for (size_t i = 0; i < BE_COUNT(wrong); i++) {
        assert_false(be_parse_time(slice(wrong[i]), &seconds, &zoned));
    }
}

static double span(const char *text) {
    double seconds = -1;
    assert_true(be_parse_span(slice(text), &seconds));
    return seconds;
}

static void test_spans(void **state) {
    (void)state;
    double seconds;
    static const char *const wrong[] = {"1:2:3:4", "-1", "1-", "1-1-1", "x", "1:x", ":1", "1:"};
    assert_true(span("125-00:00:00") == 125 * 86400.0);
    assert_true(span("7-20:39:39") == 7 * 86400.0 + 20 * 3600 + 39 * 60 + 39);
    assert_true(span("00:00:24") == 24);
    assert_true(span("30") == 1800);
    assert_true(span("30:15") == 1815);
    assert_true(span("2-06") == 2 * 86400.0 + 6 * 3600);
    assert_true(span("2-06:30") == 2 * 86400.0 + 6 * 3600 + 1800);
    assert_true(isinf(span("UNLIMITED")));
    assert_true(isnan(span("Partition_Limit")));
    assert_true(isnan(span("")));
    for (size_t i = 0; i < BE_COUNT(wrong); i++) {
        assert_false(be_parse_span(slice(wrong[i]), &seconds));
    }
}

static void test_memory(void **state) {
    (void)state;
    const struct {
        const char *text;
        double mb;
        char per;
    } right[] = {
        {"8000Mn", 8000, 'n'},
        {"3000Mc", 3000, 'c'},
        {"20480M", 20480, 0},
        {"4G", 4096, 0},
        {"62.50G", 64000, 0},
        {"1.50T", 1572864, 0},
        {"2147486648Mn", 3000, 'c'},         /* bit 31: memory per CPU */
        {"9223372036854779904M", 4096, 'c'}, /* bit 63 */
        {"0n", 0, 'n'},
        {"512", 512, 0},
        {"4Gc", 4096, 'c'},
        {"1048576K", 1024, 0},
    };
    double bytes;
    char per;
    for (size_t i = 0; i < BE_COUNT(right); i++) {
        assert_true(be_parse_memory(slice(right[i].text), &bytes, &per));
        assert_true(bytes / 0x1p20 == right[i].mb);
        assert_int_equal(per, right[i].per);
    }
    assert_true(be_parse_memory(slice("8000Mn"), &bytes, &per));
    assert_true(bytes == 8000 * 0x1p20);
    assert_false(be_parse_memory(slice("8000Mx"), &bytes, &per));
    assert_false(be_parse_memory(slice("much"), &bytes, &per));
    assert_true(be_parse_memory(slice(""), &bytes, &per) && isnan(bytes));
}

static void test_states(void **state) {
    (void)state;
    assert_int_equal(be_parse_state(slice("CANCELLED by 380693")), BE_JOB_CANCELLED);
    assert_int_equal(be_parse_state(slice("CANCELLED+")), BE_JOB_CANCELLED);
    assert_int_equal(be_parse_state(slice("PREEMPTED")), BE_JOB_PREEMPTED);
    assert_int_equal(be_parse_state(slice("OUT_OF_MEMORY")), BE_JOB_OUT_OF_MEMORY);
    assert_int_equal(be_parse_state(slice("VANISHED")), BE_JOB_UNKNOWN);
}

static void test_gpus(void **state) {
    (void)state;
    const struct {
        const char *tres;
        double gpus;
        const char *type;
    } cases[] = {
        {"billing=64,cpu=12,gres/gpu=2,mem=31000M,node=1", 2, ""},
        {"cpu=4,gres/gpu:a100=3,gres/gpu=3", 3, "a100"},
        {"gpu:tesla:2(S:0-1)", 2, "tesla"},
        {"gres:gpu:2", 2, ""},
        {"gpu:v100", 1, "v100"},
        {"gpu", 1, ""},
        {"gres/gpu:a100=1,gres/gpu:v100=2", 3, "v100"},
        {"gres/gpumem=1000M,gres/gpuutil=10", 0, ""},
        {"cpu=4,mem=8G", 0, ""},
        {"", 0, ""},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_slice type;
        assert_true(be_tres_gpus(slice(cases[i].tres), &type) == cases[i].gpus);
        assert_int_equal(type.length, strlen(cases[i].type));
        assert_memory_equal(type.text, cases[i].type, type.length);
    }
}

static void test_tasks_of_an_array(void **state) {
    (void)state;
    assert_int_equal(be_array_tasks(slice("4103947_100")), 1);
    assert_int_equal(be_array_tasks(slice("4103947_[1-3]")), 3);
    assert_int_equal(be_array_tasks(slice("4103947_[1,5]")), 2);
    assert_int_equal(be_array_tasks(slice("4103947_[9-11,20]")), 4);
    assert_int_equal(be_array_tasks(slice("4103947_[0-99%5]")), 100);
    assert_int_equal(be_array_tasks(slice("4103947_[0-20:10]")), 3);
    assert_int_equal(be_array_tasks(slice("4103947_[]")), 1);
    assert_int_equal(be_array_tasks(slice("4103947_[9-1]")), 1);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void test_fields_between_marks(void **state) {
    (void)state;
    struct be_slice field[8];
    static const char text[] = "a|bb||0123456789abcdef|\x7c";
    assert_int_equal(be_lines_split(slice(text), '|', field, 8), 6);
    assert_memory_equal(field[1].text, "bb", 2);
    assert_int_equal(field[2].length, 0);
    assert_int_equal(field[3].length, 16);
    assert_int_equal(field[5].length, 0);
    assert_int_equal(be_lines_split(slice(text), '|', field, 2), 6);
    assert_int_equal(be_lines_split(slice(""), '|', field, 8), 1);
}

/* All lines, with their lengths checked. */
static void count_lines(struct be_lines *lines, uint64_t expected, uint64_t bytes) {
    struct be_slice line;
    struct be_error error = {0};
    bool more = true;
    uint64_t count = 0;
    while (be_lines_next(lines, &line, &more, &error) == BE_OK && more) {
        count++;
    }
    assert_int_equal(error.status, BE_OK);
    assert_int_equal(count, expected);
    assert_int_equal(be_lines_bytes(lines), bytes);
    be_lines_close(lines);
}

static void test_lines_across_the_buffer(void **state) {
    (void)state;
    enum { LINES = 30000, LENGTH = 101 };
    char *text = malloc(LINES * LENGTH + 1);
    struct be_error error = {0};
    struct be_lines *lines = NULL;
    for (int i = 0; i < LINES; i++) {
        memset(text + i * LENGTH, 'x', LENGTH);
        text[i * LENGTH + LENGTH - 1] = '\n';
    }
    assert_int_equal(be_lines_text(text, LINES * LENGTH, &lines, &error), BE_OK);
    count_lines(lines, LINES, LINES * LENGTH);
    text[LINES * LENGTH - 1] = 'y'; /* the last without its end */
    assert_int_equal(be_lines_text(text, LINES * LENGTH, &lines, &error), BE_OK);
    count_lines(lines, LINES, LINES * LENGTH);
    free(text);
}

static void test_a_line_that_never_ends_is_cut(void **state) {
    (void)state;
    enum { LENGTH = 3 << 20 };
    char *text = malloc(LENGTH + 2);
    struct be_error error = {0};
    struct be_lines *lines = NULL;
    struct be_slice line;
    bool more = true;
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\n';
    text[LENGTH + 1] = 'y';
    assert_int_equal(be_lines_text(text, LENGTH + 2, &lines, &error), BE_OK);
    assert_int_equal(be_lines_next(lines, &line, &more, &error), BE_OK);
    assert_true(more && line.length == 1 << 18);
    assert_int_equal(be_lines_next(lines, &line, &more, &error), BE_OK);
    assert_true(more && line.length == 1 && line.text[0] == 'y');
    assert_int_equal(be_lines_next(lines, &line, &more, &error), BE_OK);
    assert_false(more);
    be_lines_close(lines);
    free(text);
}

static void test_compressed_files_behind_one_another(void **state) {
    (void)state;
    unsigned char packed[512];
    static const char text[] = "first\nsecond\n";
    size_t length = 0;
    struct be_error error = {0};
    struct be_lines *lines = NULL;
    for (int i = 0; i < 2; i++) {
        z_stream z = {.next_in = (unsigned char *)(uintptr_t)text, .avail_in = sizeof text - 1};
        assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
        z.next_out = packed + length;
        z.avail_out = (unsigned)(sizeof packed - length);
        assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
        length += z.total_out;
        deflateEnd(&z);
    }
    assert_int_equal(be_lines_text((char *)packed, length, &lines, &error), BE_OK);
    count_lines(lines, 4, 2 * (sizeof text - 1));
    /* Cut short: what is there comes, and then that it is damaged. */
    struct be_slice line;
    bool more = true;
    int count = 0;
    assert_int_equal(be_lines_text((char *)packed, length - 9, &lines, &error), BE_OK);
    while (be_lines_next(lines, &line, &more, &error) == BE_OK && more) {
        count++;
    }
    assert_int_equal(count, 4);
    assert_int_equal(error.status, BE_IO);
    be_lines_close(lines);
}

/* ---- records -------------------------------------------------------------------------------- */

struct read {
    struct be_records *records;
    struct be_wait_counts counts;
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
    r.counts = counts;
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

static void test_steps_are_no_jobs(void **state) {
    (void)state;
    struct read r = first(HEAD "7.batch|b||me|" TIMES "COMPLETED|1|8||||||\n"
                               "7.extern|b||me|" TIMES "COMPLETED|1|8||||||\n"
                               "7.0|b||me|" TIMES "COMPLETED|1|8||||||\n"
                               "8|b|gpu|me|" TIMES "COMPLETED|1|8||||02:00:00|n1\n",
                          NULL);
    assert_true(r.more);
    assert_true(be_slice_is(r.record.id, "8"));
    assert_int_equal(r.counts.steps, 3);
    assert_int_equal(r.counts.rejected, 0);
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
    assert_int_equal(r.counts.rejected, 6);
    for (uint64_t i = 0; i < BE_REJECTS; i++) {
        assert_string_equal(r.counts.reject[i].why, why[i]);
        assert_int_equal(r.counts.reject[i].line, i + 2);
        assert_string_equal(r.counts.reject[i].file, "text");
    }
    assert_string_equal(r.counts.reject[0].text, "garbage");
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
        assert_int_equal(r.counts.rejected, 0);
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

static void test_what_is_no_accounting(void **state) {
    (void)state;
    refused("hello\n", "neither of `sacct -P`");
    refused("a|b|c\n", "3 fields where 26 are expected");
    refused("JobID|Partition|Start\n", "no column Submit");
    refused("JobID|Submit|Start\n", "no column Partition");
}

static void test_columns_that_are_named(void **state) {
    (void)state;
    const struct be_records_options options = {.fields = "jobid,partition,submit,start,reqgres"};
    struct read r = first("7|gpu|2024-01-01T00:00:00|2024-01-01T00:05:00|gpu:v100:4\n", &options);
    assert_true(r.more && r.record.gpus == 4);
    be_records_close(r.records);
}

/* ---- clocks that change --------------------------------------------------------------------- */

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
    assert_false(r.counts.local_times);
    be_records_close(r.records);
    r = first(text, NULL); /* as it stands: backwards, and it is said */
    assert_int_equal(r.record.start_s - r.record.submit_s, -2400);
    assert_true(r.counts.local_times);
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
}

/* ---- sets of waits, names ------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

static void test_quantiles_are_exact(void **state) {
    (void)state;
    enum { WAITS = 50000 };
    static uint32_t value[WAITS];
    struct be_waits waits = {0}, merged = {0};
    uint64_t random = 1;
    for (int i = 0; i < WAITS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        value[i] = (uint32_t)(random >> 40) % (i % 3 ? 100 : 4000000);
        assert_true(be_waits_add(&waits, value[i], 1));
    }
    assert_true(be_waits_merge(&merged, &waits));
    qsort(value, WAITS, sizeof *value, by_value);
    const double q[] = {0.001, 0.1, 0.25, 0.5, 0.9, 0.999};
    for (size_t i = 0; i < BE_COUNT(q); i++) {
        double rank = q[i] * (WAITS - 1), got, lo, hi;
        size_t low = (size_t)rank;
        double expected = value[low] + (rank - floor(rank)) * (value[low + 1] - value[low]);
        assert_true(be_waits_quantile(&waits, q[i], &got, &lo, &hi));
        assert_true(fabs(got - expected) < 1e-6);
        assert_true(lo <= got && got <= hi);
        assert_true(be_waits_quantile(&merged, q[i], &got, &lo, &hi));
        assert_true(fabs(got - expected) < 1e-6);
    }
    assert_true(waits.room < WAITS); /* equal ones are kept once */
    be_waits_free(&waits);
    be_waits_free(&merged);
}

static void test_few_waits(void **state) {
    (void)state;
    struct be_waits waits = {0};
    double value, lo, hi;
    assert_true(be_waits_quantile(&waits, 0.5, &value, &lo, &hi) && isnan(value));
    assert_true(be_waits_add(&waits, 7, 3) && be_waits_add(&waits, 10, 1));
    assert_true(be_waits_quantile(&waits, 0.5, &value, &lo, &hi));
    assert_true(value == 7 && isnan(hi));
    be_waits_free(&waits);
}

static void test_names_keep_their_numbers(void **state) {
    (void)state;
    struct be_idents idents = {0};
    char text[16];
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 3000; i++) {
            snprintf(text, sizeof text, "user%d", i);
            assert_int_equal(be_idents_add(&idents, slice(text)), i);
        }
    }
    assert_int_equal(be_idents_find(&idents, slice("user2999")), 2999);
    assert_int_equal(be_idents_find(&idents, slice("nobody")), -1);
    struct be_slice cut = {"ab\0c", 4};
    int number = be_idents_add(&idents, cut);
    assert_int_equal(be_idents_add(&idents, slice("ab")), number);
    be_idents_free(&idents);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_are_those_of_the_calendar),
        cmocka_unit_test(test_no_time_is_no_failure),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_gpus),
        cmocka_unit_test(test_tasks_of_an_array),
        cmocka_unit_test(test_fields_between_marks),
        cmocka_unit_test(test_lines_across_the_buffer),
        cmocka_unit_test(test_a_line_that_never_ends_is_cut),
        cmocka_unit_test(test_compressed_files_behind_one_another),
        cmocka_unit_test(test_26_fields_without_a_header),
        cmocka_unit_test(test_marks_in_a_name_in_the_middle),
        cmocka_unit_test(test_steps_are_no_jobs),
        cmocka_unit_test(test_a_start_alone_is_no_start),
        cmocka_unit_test(test_what_is_no_job_is_counted_and_shown),
        cmocka_unit_test(test_headers_as_people_save_them),
        cmocka_unit_test(test_what_is_no_accounting),
        cmocka_unit_test(test_columns_that_are_named),
        cmocka_unit_test(test_an_hour_that_comes_twice_or_never),
        cmocka_unit_test(test_swf),
        cmocka_unit_test(test_quantiles_are_exact),
        cmocka_unit_test(test_few_waits),
        cmocka_unit_test(test_names_keep_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
