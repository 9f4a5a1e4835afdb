/* Device code of formulas, and the example of a kernel in CUDA C, through NVIDIA's run-time compiler where that is
 * installed: it needs no GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/text.h"
#include "dyn/dyn.h"
#include "dyn/nvidia/cuda.h"
#include "expr/code_file.h"
#include "expr/expr.h"
#include "kernel_programs.h"

static struct be_nvrtc rtc;
static struct be_error error;

static void expect_compiled(const char *what, const char *source, const char *kernel) {
    static const char *const option[] = {"--gpu-architecture=sm_80", "--std=c++17",
                                         "--extra-device-vectorization"};
    nvrtcProgram unit = NULL;
    size_t bytes = 0;
    assert_int_equal(rtc.nvrtcCreateProgram(&unit, source, "expr", 0, NULL, NULL), 0);
    const int result = rtc.nvrtcCompileProgram(unit, 3, (const char **)(uintptr_t)option);
    assert_int_equal(rtc.nvrtcGetProgramLogSize(unit, &bytes), 0);
    char *log = calloc(1, bytes + 1);
    assert_non_null(log);
    (void)rtc.nvrtcGetProgramLog(unit, log);
    if (result != 0) {
        fail_msg("%s: %s", what, log);
    }
    free(log);
    /* The kernel has its name in the machine code: as a launch looks it up. */
    assert_int_equal(rtc.nvrtcGetCUBINSize(unit, &bytes), 0);
    char *code = malloc(bytes);
    assert_non_null(code);
    assert_int_equal(rtc.nvrtcGetCUBIN(unit, code), 0);
    char symbol[BE_NAME];
    const int length = snprintf(symbol, sizeof symbol, ".text.%s", kernel) + 1;
    assert_non_null(memmem(code, bytes, symbol, (size_t)length));
    free(code);
    rtc.nvrtcDestroyProgram(&unit);
}

static void expect_formula(const char *text, enum be_expr_reduce reduce) {
    struct be_expr *expr = NULL;
    struct be_expr_fault fault;
    if (be_expr_open(text, reduce, &expr, &fault, &error) != BE_OK) {
        fail_msg("%s: %s", text, error.text);
    }
    for (int wide = 0; wide < 2; wide++) {
        struct be_text source = {0};
        be_text_add(&source, "%s", wide ? "#define BE_REAL64 1\n" : "");
        be_text_add(&source, "%s\n", be_program_words.source);
        be_text_add(&source, "%s", be_expr_computation(expr)->device.source);
        assert_false(source.failed);
        expect_compiled(text, source.data, reduce ? "k_whole" : "k_expr");
        be_text_free(&source);
    }
    be_expr_close(expr);
}

/* Each function by itself would take minutes: all are in a few sums. */
static void test_formulas(void **state) {
    (void)state;
    static const char *const operands[] = {"x", "x, y", "x, y, w"};
    char names[BE_NOTE], text[BE_NOTE] = "z = i/n + (x < y ? -x : pi*!y)";
    int terms = 0;
    be_expr_functions(names);
    for (char *word = strtok(names, " "); word; word = strtok(NULL, " ")) {
        struct be_expr *expr = NULL;
        struct be_expr_fault fault;
        char call[64], one[96];
        for (size_t i = 0; i < 3 && !expr; i++) {
            snprintf(call, sizeof call, "%s(%s)", word, operands[i]);
            snprintf(one, sizeof one, "z = %s", call);
            be_expr_open(one, BE_EXPR_EACH, &expr, &fault, &error);
        }
        assert_non_null(expr);
        be_expr_close(expr);
        snprintf(text + strlen(text), sizeof text - strlen(text), " + %s", call);
        if (++terms % 15 == 0) {
            expect_formula(text, BE_EXPR_EACH);
            be_copy_text(text, sizeof text, "z = x % 0.3 && y || w");
        }
    }
    expect_formula(text, BE_EXPR_EACH);
}

static void test_reductions(void **state) {
    (void)state;
    for (int i = BE_EXPR_SUM; i <= BE_EXPR_MAX; i++) {
        expect_formula("d = x - y; s = d*d; t = i*n", (enum be_expr_reduce)i);
    }
}

static void test_example(void **state) {
    (void)state;
    struct be_code_file *file = NULL;
    if (be_code_file_open("examples/kernel/rowsums.cu", &file, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    const struct be_own_device *d = &be_code_file_computation(file)->device;
    expect_compiled("rowsums.cu", d->source, d->kernel);
    be_code_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas),
                                       cmocka_unit_test(test_reductions),
                                       cmocka_unit_test(test_example)};
    if (be_nvrtc_open(&rtc, &error) != BE_OK || !rtc.nvrtcGetCUBINSize) {
        printf("skipped: %s\n", error.text);
        return 0;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    be_dyn_close(rtc.handle);
    return failed;
}
