/* Two saved profiles side by side: exact text, CSV and JSON, in tests/golden. With the environment
 * variable BREAKEVEN_UPDATE set, what comes out becomes the expectation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "machine/profile.h"
#include "report/profile/diff.h"

static void load(const char *name, struct be_profile *profile) {
    struct be_error error = {0};
    FILE *in = fopen(name, "re");
    assert_non_null(in);
    assert_int_equal(be_profile_read(in, name, profile, &error), BE_OK);
    fclose(in);
}

static void read_all(const char *name, struct be_text *text) {
    char part[4096];
    size_t count = 0;
    FILE *in = fopen(name, "re");
    assert_non_null(in);
    while ((count = fread(part, 1, sizeof part, in)) > 0) {
        be_text_add_bytes(text, part, count);
    }
    fclose(in);
}

static void assert_narrow(const char *text) {
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        assert_in_range(strcspn(line, "\n"), 0, 80);
    }
}

static void check(const struct be_profile *a, const struct be_profile *b, enum be_format format,
                  const char *golden) {
    char *got = NULL;
    size_t length = 0;
    struct be_error error = {0};
    FILE *out = getenv("BREAKEVEN_UPDATE") ? fopen(golden, "we") : open_memstream(&got, &length);
    assert_non_null(out);
    assert_int_equal(be_profile_diff_write(a, b, format, out, &error), BE_OK);
    fclose(out);
    struct be_text want = {0};
    read_all(golden, &want);
    if (format == BE_TEXT) {
        assert_narrow(want.data);
    }
    if (got) {
        assert_string_equal(got, want.data);
    }
    free(got);
    be_text_free(&want);
}

static void test_golden(void **state) {
    (void)state;
    struct be_profile a, b;
    load("tests/golden/report-profile-h200.json", &a);
    load("tests/golden/report-profile-cpu.json", &b);
    check(&a, &b, BE_TEXT, "tests/golden/diff-h200-cpu.txt");
    check(&a, &b, BE_CSV, "tests/golden/diff-h200-cpu.csv");
    check(&a, &b, BE_JSON, "tests/golden/diff-h200-cpu.json");
    be_profile_free(&a);
    be_profile_free(&b);
}

/* ---- verdicts ------------------------------------------------------------------------------- */

static struct be_figure figure_of(const char *what, enum be_unit unit, double value) {
    struct be_figure figure = {.device = "cpu",
                               .bytes = NAN,
                               .unit = unit,
                               .value = value,
                               .median = value,
                               .lo = value * 0.99,
                               .hi = value * 1.01,
                               .n = 10,
                               .achievable = NAN};
    be_copy_text(figure.what, sizeof figure.what, what);
    return figure;
}

static const struct {
    const char *what;
    enum be_unit unit;
    double a, b; /* 0: not there */
    enum be_diff_verdict verdict;
} cases[] = {
    {"copy", BE_UNIT_BYTES_S, 1e9, 2e9, BE_DIFF_BETTER},
    {"triad", BE_UNIT_BYTES_S, 2e9, 1e9, BE_DIFF_WORSE},
    {"launch", BE_UNIT_SECONDS, 1e-6, 2e-6, BE_DIFF_WORSE},
    {"alloc", BE_UNIT_SECONDS, 2e-6, 1e-6, BE_DIFF_BETTER},
    {"fma", BE_UNIT_FLOP_S, 1e12, 1.005e12, BE_DIFF_SAME},
    {"matmul", BE_UNIT_FLOP_S, 1e12, 1.015e12, BE_DIFF_CLOSE},
    {"read", BE_UNIT_BYTES_S, 1e9, 0, BE_DIFF_ONLY_A},
    {"write", BE_UNIT_BYTES_S, 0, 1e9, BE_DIFF_ONLY_B},
};

static void test_verdicts(void **state) {
    (void)state;
    struct be_profile a = {0}, b = {0};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_figure left = figure_of(cases[i].what, cases[i].unit, cases[i].a);
        struct be_figure right = figure_of(cases[i].what, cases[i].unit, cases[i].b);
        assert_true(cases[i].a == 0 || be_profile_add_figure(&a, &left, NULL) == BE_OK);
        assert_true(cases[i].b == 0 || be_profile_add_figure(&b, &right, NULL) == BE_OK);
    }
    struct be_diff diff;
    assert_int_equal(be_diff_make(&a, &b, &diff, NULL), BE_OK);
    assert_int_equal(diff.rows, BE_COUNT(cases));
    for (size_t i = 0; i < diff.rows; i++) {
        assert_string_equal(diff.row[i].what, cases[i].what);
        assert_int_equal(diff.row[i].verdict, cases[i].verdict);
        assert_true(isnan(diff.row[i].ratio) == (diff.row[i].verdict >= BE_DIFF_ONLY_A));
    }
    be_diff_free(&diff);
    be_profile_free(&a);
    be_profile_free(&b);
}

/* A maker's figure is no measurement: nobody knows whether it is better. */
static void test_data_sheet_has_no_verdict(void **state) {
    (void)state;
    for (int sheets = 0; sheets < 4; sheets++) {
        struct be_profile p[2];
        memset(p, 0, sizeof p);
        for (int i = 0; i < 2; i++) {
            struct be_figure f = figure_of("fma", BE_UNIT_FLOP_S, i ? 2e12 : 1e12);
            f.source = sheets & (1 << i) ? BE_SOURCE_DATA_SHEET : BE_SOURCE_MEASURED;
            p[i].source = f.source;
            assert_int_equal(be_profile_add_figure(&p[i], &f, NULL), BE_OK);
        }
        struct be_diff diff;
        struct be_text text = {0};
        const bool mixed = sheets == 1 || sheets == 2;
        assert_int_equal(be_diff_make(&p[0], &p[1], &diff, NULL), BE_OK);
        assert_int_equal(diff.row[0].verdict, mixed ? BE_DIFF_SHEET : BE_DIFF_BETTER);
        be_diff_text(&diff, &text);
        assert_int_equal(strstr(text.data, "no verdict") != NULL, mixed);
        assert_int_equal(strstr(text.data, "better") != NULL, !mixed);
        be_text_free(&text);
        be_diff_free(&diff);
        be_profile_free(&p[0]);
        be_profile_free(&p[1]);
    }
}

/* The best of a was better, its median worse: no verdict of two that contradict each other. */
static void test_best_and_median_disagree(void **state) {
    (void)state;
    struct be_profile a = {0}, b = {0};
    struct be_figure left = figure_of("copy", BE_UNIT_BYTES_S, 8e9);
    struct be_figure right = figure_of("copy", BE_UNIT_BYTES_S, 9e9);
    left.value = 10e9;
    right.value = 9.5e9;
    struct be_diff diff;
    assert_int_equal(be_profile_add_figure(&a, &left, NULL), BE_OK);
    assert_int_equal(be_profile_add_figure(&b, &right, NULL), BE_OK);
    assert_int_equal(be_diff_make(&a, &b, &diff, NULL), BE_OK);
    assert_int_equal(diff.row[0].verdict, BE_DIFF_CLOSE);
    struct be_text text = {0};
    be_diff_text(&diff, &text);
    assert_non_null(strstr(text.data, " 0.95 close\n"));
    assert_non_null(strstr(text.data, "close: too\nclose to call"));
    be_text_free(&text);
    be_diff_free(&diff);
    be_profile_free(&a);
    be_profile_free(&b);
}

/* A figure that was measured once has no interval: beyond 1 % nobody knows what a difference
 * means. */
static void test_measured_once(void **state) {
    (void)state;
    struct be_profile a = {0}, b = {0};
    struct be_figure left = figure_of("first_context", BE_UNIT_SECONDS, 0.2), right = left;
    left.n = 1;
    left.lo = left.hi = NAN;
    assert_int_equal(be_profile_add_figure(&a, &left, NULL), BE_OK);
    assert_int_equal(be_profile_add_figure(&b, &right, NULL), BE_OK);
    static const double times[] = {0.2005, 0.21, 0.1};
    for (size_t i = 0; i < BE_COUNT(times); i++) {
        struct be_diff diff;
        b.figure[0].value = times[i];
        assert_int_equal(be_diff_make(i % 2 ? &a : &b, i % 2 ? &b : &a, &diff, NULL), BE_OK);
        assert_int_equal(diff.row[0].verdict, i == 0 ? BE_DIFF_SAME : BE_DIFF_ONCE);
        be_diff_free(&diff);
    }
    be_profile_free(&a);
    be_profile_free(&b);
}

/* A device under another id is found by its backend and place in it. */
static void test_devices(void **state) {
    (void)state;
    struct be_profile a = {0}, b = {0};
    a.machine.devices = b.machine.devices = 1;
    a.machine.device[0] = (struct be_device_info){.id = "cuda:0", .backend = "cuda", .name = "x"};
    b.machine.device[0] = (struct be_device_info){.id = "cuda:3", .backend = "cuda", .name = "y"};
    struct be_figure left = figure_of("copy", BE_UNIT_BYTES_S, 1e9), right = left;
    be_copy_text(left.device, sizeof left.device, "cuda:0");
    be_copy_text(right.device, sizeof right.device, "cuda:3");
    assert_int_equal(be_profile_add_figure(&a, &left, NULL), BE_OK);
    assert_int_equal(be_profile_add_figure(&b, &right, NULL), BE_OK);
    struct be_diff diff;
    assert_int_equal(be_diff_make(&a, &b, &diff, NULL), BE_OK);
    assert_int_equal(diff.rows, 1);
    assert_int_equal(diff.row[0].verdict, BE_DIFF_SAME);
    assert_string_equal(diff.row[0].device_b, "cuda:3");
    assert_int_equal(diff.facts, 1);
    assert_string_equal(diff.fact[0].name, "name");
    be_diff_free(&diff);
    be_profile_free(&a);
    be_profile_free(&b);
}

/* A data sheet knows no CPU, and says "16" of what a probe says "16 lanes". */
static void test_facts_that_one_side_lacks(void **state) {
    (void)state;
    struct be_profile a = {0}, b = {0};
    const struct be_fact wide = {.name = "pcie_width_max", .text = "16 lanes", .number = 16};
    const struct be_fact bare = {.name = "pcie_width_max", .text = "16", .number = 16};
    be_copy_text(a.machine.cpu, sizeof a.machine.cpu, "some CPU");
    a.machine.cores_allowed = 16;
    assert_int_equal(be_profile_add_fact(&a, &wide, NULL), BE_OK);
    assert_int_equal(be_profile_add_fact(&b, &bare, NULL), BE_OK);
    struct be_diff diff;
    assert_int_equal(be_diff_make(&a, &b, &diff, NULL), BE_OK);
    assert_int_equal(diff.facts, 0);
    be_diff_free(&diff);
    be_profile_free(&a);
    be_profile_free(&b);
}

/* Kinds that come in turn, as a probe measures them, are named once. */
static void test_only_kinds_are_named_once(void **state) {
    (void)state;
    struct be_profile a = {0}, b = {0};
    char *text = NULL;
    size_t length = 0;
    for (int i = 0; i < 4; i++) {
        struct be_figure figure = figure_of(i % 2 ? "copy" : "triad", BE_UNIT_BYTES_S, 1e9);
        figure.threads = 1 + i;
        assert_int_equal(be_profile_add_figure(&a, &figure, NULL), BE_OK);
    }
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    assert_int_equal(be_profile_diff_write(&a, &b, BE_TEXT, out, NULL), BE_OK);
    fclose(out);
    assert_non_null(strstr(text, "only in a (4 figures): cpu memory triad; memory copy\n"));
    free(text);
    be_profile_free(&a);
    be_profile_free(&b);
}

/* Beyond the caches each machine is measured at a size of its own: the largest of both stand beside each other,
 * where neither has its equal. */
static void test_the_largest_meet(void **state) {
    (void)state;
    static const struct sizes {
        double a[3], b[3]; /* 0: no more; NAN: a figure without a size */
        int rows;
        double met[2]; /* sizes that are to stand in one row */
    } sizes[] = {
        {{225e6}, {1890e6}, 1, {225e6, 1890e6}},
        {{1, 2, 3}, {1, 2, 9}, 3, {3, 9}},
        {{1, 2, 3}, {1, 2}, 3, {2, 2}}, /* 2 has its equal, so 3 stays alone */
        {{1, 4}, {2, 8}, 3, {4, 8}},
        {{NAN}, {1, 2}, 2, {NAN, 2}},
    };
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        const struct sizes *given = &sizes[i];
        struct be_profile p[2];
        memset(p, 0, sizeof p);
        for (int k = 0; k < 6; k++) {
            struct be_figure figure = figure_of("triad", BE_UNIT_BYTES_S, 1e9);
            figure.bytes = k < 3 ? given->a[k] : given->b[k - 3];
            assert_true(figure.bytes == 0 ||
                        be_profile_add_figure(&p[k / 3], &figure, NULL) == BE_OK);
        }
        struct be_diff diff;
        bool met = false;
        assert_int_equal(be_diff_make(&p[0], &p[1], &diff, NULL), BE_OK);
        assert_int_equal(diff.rows, given->rows);
        for (size_t k = 0; k < diff.rows; k++) {
            const struct be_diff_row *row = &diff.row[k];
            bool same = row->bytes == given->met[0] || (isnan(row->bytes) && isnan(given->met[0]));
            met |= same && row->bytes_b == given->met[1] && row->verdict == BE_DIFF_SAME;
        }
        assert_true(met);
        be_diff_free(&diff);
        be_profile_free(&p[0]);
        be_profile_free(&p[1]);
    }
}

/* Where one machine has more cores, all of each stand beside each other, and equal numbers as well. */
static void test_all_cores_meet(void **state) {
    (void)state;
    static const struct cores {
        int a[3], b[3];   /* threads; 0: no more */
        const char *rows; /* threads of a and b; s: the same, o: in one only */
    } cores[] = {
        {{1, 4}, {1, 4}, "1/1s 4/4s "},
        {{1, 4, 16}, {1, 4}, "1/1s 4/4s 16/4s "},
        {{1, 4}, {1, 4, 16}, "1/1s 4/4s 4/16s "},
        {{1, 6}, {1, 4}, "1/1s 6/4s "},
        {{1}, {1, 4}, "1/1s 1/4s "},
        {{16}, {0}, "16/16o "},
    };
    for (size_t i = 0; i < BE_COUNT(cores); i++) {
        struct be_profile p[2];
        struct be_text rows = {0};
        memset(p, 0, sizeof p);
        for (int k = 0; k < 6; k++) {
            struct be_figure figure = figure_of("fma", BE_UNIT_FLOP_S, 1e9);
            figure.threads = k < 3 ? cores[i].a[k] : cores[i].b[k - 3];
            assert_true(figure.threads == 0 ||
                        be_profile_add_figure(&p[k / 3], &figure, NULL) == BE_OK);
        }
        struct be_diff diff;
        assert_int_equal(be_diff_make(&p[0], &p[1], &diff, NULL), BE_OK);
        for (size_t k = 0; k < diff.rows; k++) {
            const struct be_diff_row *row = &diff.row[k];
            be_text_add(&rows, "%d/%d%c ", row->threads, row->threads_b,
                        row->verdict == BE_DIFF_SAME ? 's' : 'o');
        }
        assert_string_equal(rows.data, cores[i].rows);
        be_text_free(&rows);
        be_diff_free(&diff);
        be_profile_free(&p[0]);
        be_profile_free(&p[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_largest_meet),
        cmocka_unit_test(test_all_cores_meet),
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_data_sheet_has_no_verdict),
        cmocka_unit_test(test_best_and_median_disagree),
        cmocka_unit_test(test_measured_once),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_facts_that_one_side_lacks),
        cmocka_unit_test(test_only_kinds_are_named_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
