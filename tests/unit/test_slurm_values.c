/* Times, spans, sizes, states and GPUs as Slurm writes them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/error.h"
#include "slice.h"
#include "accounting/record.h"

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
    static const char *const wrong[] = {"2023-02-29T00:00:00",
                                        "2023-13-01T00:00:00",
                                        "2023-01-01T24:00:00",
                                        "2023-01-01T00:60:00",
                                        "2023-01-01",
                                        "yesterday",
                                        "2023-01-01T00:00:0x",
                                        "2023-01-01T00:00:00+1",
                                        "123456789012",
                                        "2023/01/01T00:00:00",
                                        "2023-01-01T00:00:00+01:60",
                                        "2023-01-01T00:00:00-1600",
                                        "2023-01-01T00:00:00+0x:00",
                                        "2023-01-01T00:00:00Z1",
                                        "2023-01-01T00:00:61"};
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
        {"9223372036854778808M", 3000, 'c'}, /* bit 63 */
        {"3000000000K", 3e9 / 1024, 0},      /* no mark: it is of MB */
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
    assert_true(be_parse_memory(slice("16?"), &bytes, &per) && isnan(bytes));
    assert_true(be_parse_memory(slice("?"), &bytes, &per) && isnan(bytes));
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_are_those_of_the_calendar),
        cmocka_unit_test(test_no_time_is_no_failure),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_gpus),
        cmocka_unit_test(test_tasks_of_an_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
