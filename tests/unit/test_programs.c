/* Two whole programs: outputs that agree or not, commands with a size, runs that fail, and a crossing that is planted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/programs/programs.h"

static void agree(const char *one, const char *other, double tolerance) {
    char why[256] = "";
    if (!be_outputs_agree(one, other, tolerance, why, sizeof why)) {
        fail_msg("%s", why);
    }
}

static void differ(const char *one, const char *other, double tolerance, const char *reason) {
    char why[256] = "";
    assert_false(be_outputs_agree(one, other, tolerance, why, sizeof why));
    if (!strstr(why, reason)) {
        fail_msg("\"%s\" does not say \"%s\"", why, reason);
    }
}

static void test_outputs(void **state) {
    (void)state;
    agree("", "", 0);
    agree("a 1.5\nb\n", "a  1.5 \nb", 0);
    agree("sum 1.0000001\n", "sum 1.0000002\n", 1e-6);
    agree("x=1e3,y=(2.5)\n", "x=1000,y=(2.50)\n", 1e-9);
    agree("nan inf -inf\n", "nan inf -inf\n", 0);
    agree("-0.0\n", "0\n", 0);
    differ("sum 1.0\n", "sum 1.1\n", 1e-6, "line 1: 1 and 1.1 differ by 0.091");
    differ("a\nb\nc 2\n", "a\nb\nc 3\n", 1e-6, "line 3: 2 and 3");
    differ("done\n", "over\n", 1, "line 1: \"done\" and \"over\"");
    differ("1 2\n", "1\n2\n", 1, "line 1: one has more words");
    differ("1\n", "1\n2\n", 1, "line 2: the second goes on");
    differ("1\n2\n", "1\n", 1, "line 2: the first goes on");
    differ("nan\n", "1\n", 0.5, "line 1");
    differ("inf\n", "-inf\n", 0.5, "line 1");
    differ("5", "5x", 0.5, "\"5\" and \"5x\"");
    differ("0\n", "1e-300\n", 1e-6, "line 1");
}

static void test_words(void **state) {
    char words[64];
    (void)state;
    assert_true(be_command_words("./cpu {n} -o {n}.txt {m}", 1000, words, sizeof words));
    assert_string_equal(words, "./cpu 1000 -o 1000.txt {m}");
    assert_false(be_command_words("./cpu {n}", UINT64_MAX, words, 20));
}

static struct be_program_run run(const char *command, double patience_s, char *out, size_t room) {
    struct be_program_output output;
    struct be_program_run run;
    struct be_error error = {0};
    const struct be_compare_options options = {0};
    assert_int_equal(be_program_output_open(&output, &error), BE_OK);
    assert_int_equal(be_program_run("echo before", 1, 10, &output, &options, &run, &error), BE_OK);
    assert_int_equal(be_program_run(command, 7, patience_s, &output, &options, &run, &error),
                     BE_OK);
    ssize_t got = pread(output.out, out, room - 1, 0);
    out[got > 0 ? got : 0] = '\0';
    be_program_output_close(&output);
    return run;
}

static void test_runs(void **state) {
    char out[64];
    (void)state;
    struct be_program_run good = run("echo {n} 2; echo to stderr >&2", 10, out, sizeof out);
    assert_string_equal(good.failed, "");
    assert_string_equal(out, "7 2\n");
    assert_true(good.ended && good.seconds > 0 && good.seconds < 10);
    assert_string_equal(run("cat", 10, out, sizeof out).failed,
                        ""); /* there is no input to wait for */
    struct be_program_run bad =
        run("echo one >&2; echo 'two words' >&2; exit 3", 10, out, sizeof out);
    assert_string_equal(bad.failed, "exit code 3: two words");
    assert_non_null(strstr(run("kill -9 $$", 10, out, sizeof out).failed, "signal 9"));
    assert_non_null(strstr(run("no-such-command-here", 10, out, sizeof out).failed, "127"));
    /* also what it has started is ended */
    struct be_program_run late = run("sleep 100 & sleep 100", 0.2, out, sizeof out);
    assert_false(late.ended);
    assert_non_null(strstr(late.failed, "had not ended after 0.2 s"));
}

static struct be_comparison compare(const char *first, const char *second, bool same,
                                    struct be_compare_options *options) {
    const struct be_programs programs = {
        .command = {first, second}, .same_output = same, .tolerance = 1e-6, .options = options};
    struct be_comparison comparison;
    struct be_error error = {0};
    if (be_programs_compare(&programs, &comparison, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    return comparison;
}

static const struct be_result *find(const struct be_comparison *comparison, uint64_t size,
                                    const char *device) {
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *r = &comparison->result[i];
        if (r->size == size && strcmp(r->device, device) == 0) {
            return r;
        }
    }
    fail_msg("no result of %s", device);
    return NULL;
}

/* Some five times as long at the large size, and a twentieth at the small one. They sleep: whatever else runs
 * here makes that little longer. */
static void test_a_crossing(void **state) {
    (void)state;
    struct be_compare_options options = {
        .size = {10, 1000}, .sizes = 2, .budget_s = 0.05, .no_refine = true};
    const char *grows = "sleep 0.$(printf %04d $(({n}*9))); echo {n}"; /* 9 ms, 0.9 s */
    const char *stays = "sleep 0.2; echo {n}";
    struct be_comparison all = compare(grows, stays, true, &options);
    assert_int_equal(all.results, 4);
    assert_int_equal(all.breakevens, 1);
    assert_int_equal(all.breakeven[0].status, BE_EVEN_FROM);
    assert_true(all.breakeven[0].from >= 10 && all.breakeven[0].from <= 1000);
    assert_string_equal(all.breakeven[0].device, BE_PROGRAM_SECOND);
    const struct be_result *r = find(&all, 1000, "cpu");
    assert_true(r->phase[BE_TOTAL].n >= 2 && r->phase[BE_FIRST].n == 1);
    be_comparison_free(&all);
    all = compare(stays, grows, false, &options);
    assert_int_equal(all.breakeven[0].status, BE_EVEN_BETWEEN);
    be_comparison_free(&all);
}

static void test_what_goes_wrong(void **state) {
    (void)state;
    struct be_compare_options options = {
        .size = {1, 2, 3}, .sizes = 3, .budget_s = 0.01, .patience_s = 0.3, .no_refine = true};
    struct be_comparison all = compare("[ {n} -lt 3 ] && echo {n}",
                                       "[ {n} -lt 2 ] || sleep 50; echo {n}", false, &options);
    assert_int_equal(find(&all, 1, "cpu")->status, BE_RESULT_OK);
    assert_int_equal(find(&all, 3, "cpu")->status, BE_RESULT_FAILED);
    assert_int_equal(find(&all, 1, BE_PROGRAM_SECOND)->status, BE_RESULT_OK);
    assert_int_equal(find(&all, 2, BE_PROGRAM_SECOND)->status, BE_RESULT_FAILED);
    assert_int_equal(find(&all, 3, BE_PROGRAM_SECOND)->status, BE_RESULT_SKIPPED);
    assert_int_equal(all.breakeven[0].largest, 1);
    be_comparison_free(&all);
    options.sizes = 1;
    all = compare("echo {n}", "echo {n}1", true, &options);
    assert_int_equal(find(&all, 1, BE_PROGRAM_SECOND)->status, BE_RESULT_WRONG);
    assert_int_equal(all.breakevens, 0);
    be_comparison_free(&all);
    all = compare("true {n}", "echo {n}", true, &options);
    assert_non_null(strstr(find(&all, 1, "cpu")->note, "prints nothing"));
    be_comparison_free(&all);
}

static void test_what_is_asked_wrongly(void **state) {
    static const struct {
        const char *first, *second, *text;
    } wrong[] = {{"echo {n}", NULL, "two commands"},
                 {"echo {n}", " ", "two commands"},
                 {"echo", "echo {n}", "{n} is missing"}};
    (void)state;
    struct be_compare_options options = {.size = {1}, .sizes = 1};
    struct be_comparison comparison;
    struct be_error error = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct be_programs programs = {.command = {wrong[i].first, wrong[i].second},
                                             .options = &options};
        assert_int_equal(be_programs_compare(&programs, &comparison, &error), BE_USAGE);
        assert_non_null(strstr(error.text, wrong[i].text));
    }
    options.sizes = 0;
    const struct be_programs programs = {.command = {"echo {n}", "echo {n}"}, .options = &options};
    assert_int_equal(be_programs_compare(&programs, &comparison, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "--size is needed"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_a_crossing),
        cmocka_unit_test(test_what_goes_wrong),
        cmocka_unit_test(test_what_is_asked_wrongly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
