/* The text of `ask`: advice that comes before any GPU, and lines that fit a terminal. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_blas),
        cmocka_unit_test(test_interpreter),
        cmocka_unit_test(test_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
