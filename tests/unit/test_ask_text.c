/* The text of `ask`: advice that comes before any GPU, and lines that fit a terminal. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/text.h"
#include "report/ask/ask.h"

static struct be_ask_part part[2];

/* A run of 10 s, all of it one part; the text is freed by the next call. */
static const char *told(enum be_work_kind kind, const char *library, const char *function,
                        double wall_s) {
    static struct be_text out;
    be_text_free(&out);
    out = (struct be_text){0};
    struct be_ask_answer answer = {.ask = {.run = {.elapsed_s = 10, .user_s = 10, .threads = 2},
                                           .own_s = 10,
                                           .samples = 1990,
                                           .rate_hz = 199,
                                           .kernel = true,
                                           .known = 1,
                                           .part = part,
                                           .parts = 1}};
    part[0] = (struct be_ask_part){.kind = kind, .what = "work", .cpu_s = wall_s, .wall_s = wall_s};
    be_copy_text(part[0].library, sizeof part[0].library, library);
    be_copy_text(part[0].function, sizeof part[0].function, function);
    answer.ask.wall_s[kind] = answer.ask.cpu_s[kind] = wall_s;
    be_ask_text(&answer, &out);
    assert_false(out.failed);
    size_t line = 0;
    for (const char *at = out.data; *at; at++) {
        line = *at == '\n' ? 0 : line + 1;
        assert_true(line <= 80);
    }
    return out.data;
}

static void test_reference_blas(void **state) {
    (void)state;
    const char *slow = "libblas.so.3.11.0 is the reference BLAS";
    assert_non_null(strstr(told(BE_WORK_MATRIX, "libblas.so.3.11.0", "dgemm_", 8), slow));
    assert_non_null(strstr(told(BE_WORK_MATRIX, "libblas.so.3.11.0", "dgemm_", 8), "80 %"));
    assert_null(
        strstr(told(BE_WORK_MATRIX, "libblas.so.3.11.0", "dgemm_", 0.5), slow)); /* little */
    assert_null(strstr(told(BE_WORK_MATRIX, "libblas.so.3", "dgemm_kernel_ZEN", 8), "reference"));
    assert_null(strstr(told(BE_WORK_MATRIX, "libopenblas.so.0", "dgemm_", 8), "reference"));
    assert_null(strstr(told(BE_WORK_MATRIX, "libblas.so.3", "", 8), "reference"));
}

static void test_interpreter(void **state) {
    (void)state;
    assert_non_null(strstr(told(BE_WORK_INTERPRETER, "python3.11", "f", 9), "Numba"));
    assert_null(strstr(told(BE_WORK_INTERPRETER, "python3.11", "f", 4), "Numba"));
}

/* A library of which one letter would be left says nothing. */
static void test_where(void **state) {
    (void)state;
    const char *text = told(BE_WORK_INTERPRETER, "python3.11", "_PyEval_EvalFrameDefault", 9);
    assert_non_null(strstr(text, "  _PyEval_EvalFrameDefault"));
    assert_null(strstr(text, "..:"));
    text = told(BE_WORK_MATRIX, "libopenblas.so.0", "dgemm_kernel_Z", 9);
    assert_non_null(strstr(text, "..: dgemm_kernel_Z"));
}

/* ---- code of the program's own --------------------------------------------------------------- */

/* A second of one function on one of two cores, and a GPU that takes 10 ms (5 to 40) for its loop. */
static const char *told_of_loop(const struct be_code_loop *loop, const char *why) {
    static struct be_text out;
    be_text_free(&out);
    out = (struct be_text){0};
    struct be_ask_answer answer = {.ask = {.run = {.elapsed_s = 1, .user_s = 1, .threads = 2},
                                           .own_s = 1,
                                           .prepare_s = NAN,
                                           .samples = 199,
                                           .rate_hz = 199,
                                           .kernel = true,
                                           .known = 1,
                                           .part = part,
                                           .parts = 1},
                                   .own = {.library = "a.out",
                                           .function = "_ZN3sim4stepEv",
                                           .cpu_s = 1,
                                           .wall_s = 1,
                                           .later_s = 1,
                                           .loop = *loop},
                                   .machines = 1};
    part[0] = (struct be_ask_part){.kind = BE_WORK_OWN,
                                   .what = "compiled code of the program",
                                   .library = "a.out",
                                   .function = "sim::step",
                                   .cpu_s = 1,
                                   .wall_s = 1,
                                   .later_s = 1};
    answer.ask.wall_s[BE_WORK_OWN] = answer.ask.later_s[BE_WORK_OWN] = 1;
    be_copy_text(answer.own.why, sizeof answer.own.why, why);
    answer.machine[0] = (struct be_ask_machine){.name = "h200",
                                                .cause = BE_ASK_BY_OWN,
                                                .start = {0.2, 0.5, 0.9, 0.5},
                                                .own = {0.005, 0.01, 0.04}};
    be_ask_text(&answer, &out);
    assert_false(out.failed);
    for (const char *at = out.data; *at; at += strcspn(at, "\n") + 1) {
        assert_true(strcspn(at, "\n") <= 80);
    }
    for (char *at = out.data; *at; at++) {
        *at = *at == '\n' ? ' ' : *at; /* lines break anywhere */
    }
    print_message("%s\n", out.data);
    return out.data;
}

static void test_loop_of_its_own(void **state) {
    (void)state;
    struct be_code_loop loop = {.instructions = 12, .arithmetic = 5, .flops64 = 5, .lanes = 1};
    const char *text = told_of_loop(&loop, "");
    assert_non_null(strstr(text,
                           "a.out: sim::step has 100 % of the time, most of it in a loop of 12 "
                           "instructions, 5 of them float64 arithmetic on one value at a time."));
    assert_non_null(strstr(text, "Samples do not tell whether its iterations need one another."));
    assert_non_null(strstr(text, "h200: a long run 100 x (25.0-200), this one 1.96 x."));
    assert_non_null(strstr(text, "One of 2 cores works"));
    loop.chain = BE_CHAIN_STEPS;
    assert_non_null(strstr(told_of_loop(&loop, ""), "Each iteration goes on from the one before"));
    loop.chain = BE_CHAIN_SUM;
    loop.lanes = 8;
    text = told_of_loop(&loop, "");
    assert_non_null(strstr(text, "Its iterations add up, which threads can do side by side."));
    assert_null(strstr(text, "-march=native"));
    loop.calls = loop.others = 1;
    be_copy_text(loop.callee, sizeof loop.callee, "_ZN3sim4stepEv");
    text = told_of_loop(&loop, "");
    assert_non_null(
        strstr(text, "it calls sim::step. It calls itself, and the work of that is not"));
    assert_null(strstr(text, "a long run"));
}

static void test_no_loop_is_known(void **state) {
    (void)state;
    const struct be_code_loop none = {0};
    const char *text = told_of_loop(&none, "objdump is not here (it comes with binutils)");
    assert_non_null(strstr(text,
                           "Samples do not tell what a.out: sim::step computes: objdump is not "
                           "here (it comes with binutils). Its operations and bytes do:"));
    assert_null(strstr(text, "a long run"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_blas),
        cmocka_unit_test(test_interpreter),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_loop_of_its_own),
        cmocka_unit_test(test_no_loop_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
