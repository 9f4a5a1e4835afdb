/* The description of a kernel in the comments of its file: what becomes of it, and what is wrong with it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "expr/code_file.h"

static struct be_error error;

static struct be_code_file *opened(const char *name, const char *text) {
    struct be_code_file *file = NULL;
    if (be_code_file_text(name, text, strlen(text), &file, &error) != BE_OK) {
        fail_msg("%s: %s", text, error.text);
    }
    return file;
}

static const char whole[] = "/* breakeven: kernel both */\n"
                            "  // breakeven: size n = 1e3 .. 1e6\n"
                            "/* words\n"
                            " * breakeven: parameter m = 3\r\n"
                            " */\n"
                            "// breakeven: update double y[n*m]\n"
                            "// breakeven: value long n\n"
                            "// breakeven: read uchar x[ (n + 1) / 2 ]\n"
                            "// breakeven: value float a = -2.5f\n"
                            "// breakeven: write double z[m]\n"
                            "// breakeven: value int m\n"
                            "// breakeven: lanes 64\n"
                            "// breakeven: groups n/64\n"
                            "// breakeven: items m\n"
                            "// breakeven: operations 2*n*m\n"
                            "// breakeven: tolerance 1e-3\n"
                            "int breakeven; /* no description: breakeven: nonsense */\n";

static void test_description(void **state) {
    (void)state;
    struct be_code_file *file = opened("/some/where/both.cu", whole);
    const struct be_computation *c = be_code_file_computation(file);
    const uint64_t value[] = {1001, 3};
    assert_string_equal(c->title, "both of both.cu");
    assert_true(c->float64 && !c->float32);
    assert_int_equal(c->parameters, 2);
    assert_true(c->parameter[0].from == 1000 && c->parameter[0].to == 1000000);
    assert_int_equal(c->parameter[1].preset, 3);
    assert_int_equal(c->arrays, 3);
    assert_int_equal(c->array[0].role, BE_OWN_UPDATED);
    assert_int_equal(c->array[0].element, BE_OWN_FLOAT64);
    assert_int_equal(c->array[1].role, BE_OWN_READ);
    assert_int_equal(c->array[1].element, BE_OWN_BYTE);
    assert_int_equal(c->array[2].role, BE_OWN_WRITTEN);
    assert_int_equal(c->array[0].count(c->self, value), 3003);
    assert_int_equal(c->array[1].count(c->self, value), 501);
    assert_int_equal(c->array[2].count(c->self, value), 3);
    assert_int_equal(c->items(c->self, value), 3);
    assert_true(c->operations(c->self, value) == 6006);
    assert_true(c->tolerance == 1e-3);
    assert_int_equal(c->device.lanes, 64);
    assert_int_equal(c->device.groups(c->self, value), 16);
    assert_int_equal(c->device.language, BE_OWN_CUDA);
    assert_string_equal(c->device.file, "both.cu");
    assert_string_equal(c->device.source, whole);
    static const struct be_own_argument right[] = {
        {BE_OWN_ARRAY, 0, 0, 0}, {BE_OWN_PARAMETER, 0, BE_OWN_INT64, 0},
        {BE_OWN_ARRAY, 1, 0, 0}, {BE_OWN_NUMBER, 0, BE_OWN_FLOAT32, -2.5},
        {BE_OWN_ARRAY, 2, 0, 0}, {BE_OWN_PARAMETER, 1, BE_OWN_INT32, 0}};
    assert_int_equal(c->device.arguments, 6);
    for (int i = 0; i < 6; i++) {
        const struct be_own_argument *a = &c->device.argument[i];
        assert_true(a->kind == right[i].kind && a->index == right[i].index &&
                    a->number == right[i].number);
        assert_true(a->kind == BE_OWN_ARRAY || a->element == right[i].element);
    }
    be_code_file_close(file);
}

/* The line stands behind two that are right. */
static void refuse(const char *line, const char *words) {
    struct be_code_file *file = NULL;
    char text[512];
    snprintf(text, sizeof text,
             "// breakeven: kernel k\n// breakeven: size n = 1..9\n// breakeven: %s\n", line);
    assert_int_equal(be_code_file_text("k.cl", text, strlen(text), &file, &error), BE_USAGE);
    assert_null(file);
    if (!strstr(error.text, "k.cl:3: breakeven: ") || !strstr(error.text, words)) {
        fail_msg("%s: \"%s\" was expected, not \"%s\"", line, words, error.text);
    }
}

static void test_faults(void **state) {
    (void)state;
    struct be_code_file *file = NULL;
    refuse("reads float x[n]", "no word 'reads': there are kernel, cpu, size");
    refuse("size m = 1..2", "there is one size, and it stands first");
    refuse("parameter n = 3", "and a new name");
    refuse("parameter m = 0", "parameter NAME = NUMBER is expected");
    refuse("read half x[n]", "no type half: there are float, double, int, long, uchar");
    refuse("read float x", "read TYPE NAME[COUNT] is expected, as in read float x[n]");
    refuse("read float [n]", "read TYPE NAME[COUNT] is expected");
    refuse("read float x[m]", "no size and no parameter m above this line");
    refuse("read float x[]", "a name, a number or '(' is expected here");
    refuse("read float x[n] y", "'y' is not expected here");
    refuse("value char c", "value TYPE NAME is expected");
    refuse("value int m", "a number is value int m = 1");
    refuse("value int m = x", "a number is expected behind '='");
    refuse("value int m = 3e9", "3e+09 does not fit into int");
    refuse("kernel", "kernel NAME is expected");
    refuse("kernel k whole", "kernel NAME is expected");
    refuse("cpu f most", "cpu NAME is expected, or cpu NAME whole");
    refuse("lanes 5000", "lanes 1 .. 1024 are expected");
    refuse("tolerance x", "tolerance NUMBER is expected");
    refuse("groups n /", "a name, a number or '(' is expected here");
    refuse("items q*n", "no size and no parameter q above this line");
    static const char none[] = "__kernel void k() {}\n", nameless[] = "// breakeven: size n = 1..9";
    assert_int_equal(be_code_file_text("k.cl", none, sizeof none - 1, &file, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "k.cl: no line describes its arguments"));
    assert_int_equal(be_code_file_text("k.cl", nameless, sizeof nameless - 1, &file, &error),
                     BE_USAGE);
    assert_non_null(strstr(error.text, "no line `// breakeven: kernel NAME`"));
    static const char sizeless[] = "// breakeven: kernel k\n// breakeven: write float z[n]\n";
    assert_int_equal(be_code_file_text("k.cl", sizeless, sizeof sizeless - 1, &file, &error),
                     BE_USAGE);
    assert_non_null(strstr(error.text, "no line `// breakeven: size n = 1e3..1e7`"));
    assert_int_equal(be_code_file_text("k.c", whole, sizeof whole - 1, &file, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "in a file *.cl"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_description),
                                       cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
