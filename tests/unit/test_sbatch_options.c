/* The options of sbatch and their values. The observations of sbatch itself are in tests/lint. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "script/sbatch_takes.h"

static void names_are_unique_and_kinds_have_words(void **state) {
    (void)state;
    for (const struct be_sbatch_option *at = be_sbatch_options; at->name; at++) {
        assert_ptr_equal(be_sbatch_named(at->name), at);
        assert_true((at->takes == BE_TAKES_NOTHING) == (at->kind == BE_KIND_NONE));
        assert_true(!at->same || be_sbatch_named(at->same));
        if (at->letter) {
            assert_ptr_equal(be_sbatch_lettered(at->letter), at);
        }
        if (at->kind == BE_KIND_WORD || at->kind == BE_KIND_WORDS || at->kind == BE_KIND_SOME ||
            at->kind == BE_KIND_INITIAL || at->kind == BE_KIND_LIMITS) {
            assert_non_null(at->words);
        }
    }
    assert_null(be_sbatch_named("mpi"));
    assert_null(be_sbatch_lettered('Z'));
    assert_null(be_sbatch_lettered('\0'));
}

static const char *abbreviated(const char *name, bool *several) {
    const struct be_sbatch_option *option = be_sbatch_abbreviated(name, strlen(name), several);
    return option ? option->name : "";
}

static void abbreviations_are_getopt_longs(void **state) {
    bool several = false;
    (void)state;
    assert_string_equal(abbreviated("ntasks", &several), "ntasks");
    assert_false(several);
    assert_string_equal(abbreviated("part", &several), "partition");
    assert_string_equal(abbreviated("cpus-per-t", &several), "cpus-per-task");
    assert_string_equal(abbreviated("nt", &several), "");
    assert_true(several);
    assert_string_equal(abbreviated("cl", &several), "");
    assert_true(several);
    assert_string_equal(abbreviated("clusters", &several), "clusters");
    assert_string_equal(abbreviated("nothing", &several), "");
    assert_false(several);
    /* newer options do not make older abbreviations ambiguous */
    assert_string_equal(abbreviated("conta", &several), "container");
    assert_false(several);
}

static const char *nearest(const char *name) {
    const struct be_sbatch_option *option = be_sbatch_nearest(name, strlen(name));
    return option ? option->name : "";
}

static void misspelt_names_have_a_nearest(void **state) {
    (void)state;
    assert_string_equal(nearest("cpu-per-task"), "cpus-per-task");
    assert_string_equal(nearest("ntask"), "ntasks");
    assert_string_equal(nearest("patrition"), "partition");
    assert_string_equal(nearest("memory-per-everything"), "");
    assert_string_equal(nearest(""), "");
}

static void memory_is_mib_unless_a_letter_follows(void **state) {
    double bytes = 0;
    (void)state;
    assert_true(be_sbatch_memory("4G", &bytes) && fabs(bytes - 4294967296.0) < 1);
    assert_true(be_sbatch_memory("1500", &bytes) && fabs(bytes - 1500 * 1048576.0) < 1);
    assert_true(be_sbatch_memory("8gb", &bytes) && fabs(bytes - 8589934592.0) < 1);
    assert_true(be_sbatch_memory("0", &bytes) && bytes < 1);
    assert_false(be_sbatch_memory("1.5G", &bytes));
    assert_false(be_sbatch_memory("4GiB", &bytes));
    assert_false(be_sbatch_memory("", &bytes));
}

static void durations_have_seven_spellings(void **state) {
    static const struct {
        const char *text;
        double seconds;
    } right[] = {{"90", 5400},           {"90:00", 5400},         {"1:30:00", 5400},
                 {"1-2", 93600},         {"1-2:30", 95400},       {"1-2:30:30", 95460},
                 {"0:30", 60},           {"UNLIMITED", INFINITY}, {"0", INFINITY},
                 {"infinite", INFINITY}, {"-1", INFINITY},        {"1-", 86400}};
    static const char *const wrong[] = {"",      "1h",    "1:", ":30", "1:2:3:4",
                                        "-1:00", "1-2-3", "x",  "1e3"};
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        double seconds = -1;
        assert_true(be_sbatch_duration(right[i].text, &seconds));
        assert_true(isinf(right[i].seconds) ? isinf(seconds)
                                            : fabs(seconds - right[i].seconds) < 1e-9);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double seconds = 0;
        assert_false(be_sbatch_duration(wrong[i], &seconds));
    }
}

static void nodes_and_arrays_are_counted(void **state) {
    int64_t min = 0, max = 0, tasks = 0, at_once = 0;
    (void)state;
    assert_true(be_sbatch_nodes("2-4", &min, &max) && min == 2 && max == 4);
    assert_true(be_sbatch_nodes("1k", &min, &max) && min == 1024 && max == 1024);
    assert_true(be_sbatch_nodes("-3", &min, &max) && min == 1 && max == 3);
    assert_false(be_sbatch_nodes("4-2", &min, &max));
    assert_true(be_sbatch_nodes("8,2,4", &min, &max) && min == 2 && max == 8);
    assert_true(be_sbatch_nodes("1-15:4", &min, &max) && min == 1 && max == 15);
    assert_true(be_sbatch_nodes("4,8,", &min, &max) && min == 4 && max == 8); /* 24.11.5 takes it */
    assert_false(be_sbatch_nodes(",4", &min, &max));
    assert_false(be_sbatch_nodes("1:2", &min, &max));
    assert_true(be_sbatch_array("0-15:4%2", &tasks, &at_once) && tasks == 4 && at_once == 2);
    assert_true(be_sbatch_array("1,3,[5-6]", &tasks, &at_once) && tasks == 4 && at_once == 0);
    assert_false(be_sbatch_array("5-1", &tasks, &at_once));
    /* Larger than any number: no less than what fits. */
    static const char huge[] = "99999999999999999999", low[] = "-99999999999999999999";
    char text[256];
    assert_true(be_sbatch_nodes(huge, &min, &max) && min == BE_SBATCH_MAX && max == min);
    assert_true(be_sbatch_nodes("9223372036854775807m", &min, &max) && max == BE_SBATCH_MAX);
    assert_true(be_sbatch_nodes(low, &min, &max) && min == 1 && max == BE_SBATCH_MAX);
    snprintf(text, sizeof text, "0-%s,0-%s,0-9223372036854775807", huge, huge);
    assert_true(be_sbatch_array(text, &tasks, &at_once) && tasks == 3 * (BE_SBATCH_MAX + 1));
}

static void gpus_have_a_count_and_a_type(void **state) {
    const struct be_sbatch_option *gpus = be_sbatch_named("gpus"), *gres = be_sbatch_named("gres");
    struct be_sbatch_gpus found;
    (void)state;
    assert_true(be_sbatch_gpus(gpus, "a100:2", &found) && found.count == 2);
    assert_string_equal(found.type, "a100");
    assert_true(be_sbatch_gpus(gpus, "3", &found) && found.count == 3 && !*found.type);
    assert_true(be_sbatch_gpus(gres, "gpu:a100_1g.5gb:1,craynetwork:1", &found) &&
                found.count == 1);
    assert_string_equal(found.type, "a100_1g.5gb");
    assert_true(be_sbatch_gpus(gres, "gpu", &found) && found.count == 1);
    assert_true(be_sbatch_gpus(gres, "none", &found) && found.count == 0);
    assert_false(be_sbatch_gpus(gres, "GPU:1", &found));
    assert_false(be_sbatch_gpus(gpus, "a100:x", &found));
}

static void refusals_say_what_is_wanted(void **state) {
    (void)state;
    assert_null(be_sbatch_refuses(be_sbatch_named("ntasks"), "4"));
    assert_string_equal(be_sbatch_refuses(be_sbatch_named("ntasks"), "0"),
                        "a whole number above 0");
    assert_string_equal(be_sbatch_refuses(be_sbatch_named("open-mode"), "x"), "append truncate");
    assert_null(be_sbatch_refuses(be_sbatch_named("job-name"), "anything at all"));
}

static void values_that_came_later(void **state) {
    static const struct {
        const char *option, *value, *since; /* NULL: 22.05 has it, or none */
    } cases[] = {{"nodes", "4,8", "23.02"},         {"nodes", "1-15:4", "23.02"},
                 {"nodes", "1-15", NULL},           {"nodes", "4,8,", "23.02"},
                 {"requeue", "expedited", "25.11"}, {"requeue", "", NULL},
                 {"exclusive", "topo", "24.11"},    {"exclusive", "user", NULL},
                 {"comment", "4,8", NULL}};
    char since[BE_SBATCH_SINCE];
    (void)state;
    assert_string_equal(be_sbatch_named("segment")->since, "24.05");
    assert_string_equal(be_sbatch_named("consolidate-segments")->since, "25.11");
    assert_string_equal(be_sbatch_named("spread-segments")->since, "25.11");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool later = be_sbatch_since(be_sbatch_named(cases[i].option), cases[i].value, since);
        assert_int_equal(later, cases[i].since != NULL);
        if (later) {
            assert_string_equal(since, cases[i].since);
        }
    }
}

/* Numbers that no machine has: they are taken or refused like others, and can be reckoned with. */
static void numbers_beyond_all_bounds(void **state) {
    (void)state;
    int64_t min = 0, max = 0, tasks = 0, at_once = 0;
    struct be_sbatch_gpus gpus;
    const int64_t bound = INT64_C(1) << 60;
    assert_true(be_sbatch_nodes("99999999999999999999m", &min, &max));
    assert_true(min > 1000000 && min <= bound);
    assert_true(be_sbatch_nodes("-99999999999999999999", &min, &max));
    assert_true(max > 1000000 && max <= bound);
    assert_true(be_sbatch_array("0-99999999999999999999,0-99999999999999999999", &tasks, &at_once));
    assert_true(tasks > 1000000 && tasks <= bound);
    assert_true(
        be_sbatch_gpus(be_sbatch_named("gpus"), "9223372036854775807p,9223372036854775807", &gpus));
    assert_true(gpus.count > 1000000 && gpus.count <= bound);
    assert_non_null(be_sbatch_refuses(be_sbatch_named("nice"), "-99999999999999999999"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique_and_kinds_have_words),
        cmocka_unit_test(abbreviations_are_getopt_longs),
        cmocka_unit_test(misspelt_names_have_a_nearest),
        cmocka_unit_test(memory_is_mib_unless_a_letter_follows),
        cmocka_unit_test(durations_have_seven_spellings),
        cmocka_unit_test(nodes_and_arrays_are_counted),
        cmocka_unit_test(gpus_have_a_count_and_a_type),
        cmocka_unit_test(refusals_say_what_is_wanted),
        cmocka_unit_test(values_that_came_later),
        cmocka_unit_test(numbers_beyond_all_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
