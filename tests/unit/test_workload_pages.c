/* Compares docs/workloads.md and the pages beside it with what there is: variants, types, parameters and their presets,
 * of each workload, no more and no less. With UPDATE=1 in the environment workloads that the table lacks are first put
 * behind its last line; `make pages` does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "builtin/builtin.h"

enum {
    COLUMNS = 5,
    NAME = 0,
    TYPE = 2,
    PARAMETERS,
    VARIANTS
}; /* of the table in docs/workloads.md */

/* Tests run in the source's folder. */
static char *text_of(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) {
        fail_msg("%s is not here", path);
    }
    enum { CAPACITY = 1 << 20 };
    char *text = calloc(1, CAPACITY);
    assert_non_null(text);
    assert_true(fread(text, 1, CAPACITY - 1, file) > 0);
    (void)fclose(file);
    return text;
}

/* The cells of the row that begins so. */
static void cells_of(const char *text, const char *begin, char cell[COLUMNS][256]) {
    const char *at = strstr(text, begin);
    if (!at) {
        fail_msg("no row \"%s\"", begin);
    }
    for (int i = 0; i < COLUMNS; i++) {
        const char *from = at + 2; /* "| " */
        const char *to = strstr(from, " |");
        assert_non_null(to);
        snprintf(cell[i], sizeof cell[i], "%.*s", (int)(to - from), from);
        at = to + 1;
    }
}

/* How many things, parted by commas, a cell has; whether `name` is one of them, with or without a star or
 * something in brackets behind it. */
static int things(const char *cell, const char *name, int *found) {
    const size_t length = strlen(name);
    int count = 0;
    *found = 0;
    for (const char *at = cell; at; at = strstr(at, ", ")) {
        at += count > 0 ? 2 : 0;
        *found += strncmp(at, name, length) == 0 && strchr(",* ", at[length]) != NULL;
        count++;
    }
    return count;
}

/* ", name" at the end of a list, or "name" at its beginning. */
static void append(char *list, size_t capacity, const char *name) {
    const size_t used = strlen(list);
    snprintf(list + used, capacity - used, "%s%s", used ? ", " : "", name);
}

/* The row of the table, as the program has it. */
static void row_of(const struct be_workload *w, char *row, size_t capacity) {
    char types[256] = "";
    char parameters[256] = "";
    char variants[256] = "";
    char name[2 * BE_NAME];
    append(types, sizeof types, w->dtype ? w->dtype : be_real_name(w->real));
    for (int real = 0; !w->dtype && real < BE_REALS; real++) {
        if ((w->reals & BE_TAKES(real)) != 0 && real != (int)w->real) {
            append(types, sizeof types, be_real_name((enum be_real)real));
        }
    }
    for (int p = 0; p < w->parameters; p++) {
        append(parameters, sizeof parameters, w->parameter[p].name);
    }
    for (int v = 0; v < w->variants; v++) {
        snprintf(name, sizeof name, "%s%s", w->variant[v].name,
                 w->variant[v].as_written ? "*" : "");
        append(variants, sizeof variants, name);
    }
    snprintf(row, capacity, "| [%s](workloads/%s.md) | %s | %s | %s | %s |\n", w->name, w->name,
             w->summary, types, parameters, variants);
}

/* Behind the last row, one for each workload that has none. */
static void update(const char *path) {
    for (int i = 0; be_workloads[i]; i++) {
        char begin[2 * BE_NAME];
        char row[1024];
        char *text = text_of(path);
        char *last = text;
        snprintf(begin, sizeof begin, "| [%s](", be_workloads[i]->name);
        for (char *at = text; (at = strstr(at, "\n| [")) != NULL; at++) {
            last = at + 1;
        }
        if (!strstr(text, begin)) {
            char *end = strchr(last, '\n') + 1;
            FILE *file = fopen(path, "w");
            assert_non_null(file);
            row_of(be_workloads[i], row, sizeof row);
            fprintf(file, "%.*s%s%s", (int)(end - text), text, row, end);
            assert_int_equal(fclose(file), 0);
        }
        free(text);
    }
}

static void check_one_of(const struct be_workload *w, const char *cell, const char *name) {
    int found;
    (void)things(cell, name, &found);
    if (found != 1) {
        fail_msg("%s: \"%s\" should have %s, once", w->name, cell, name);
    }
}

static void check_count(const struct be_workload *w, const char *cell, int count) {
    int found;
    if (things(cell, "", &found) != count) {
        fail_msg("%s: \"%s\" should be %d", w->name, cell, count);
    }
}

static void test_table(void **state) {
    static const char *const path = "docs/workloads.md";
    if (getenv("UPDATE")) {
        update(path);
    }
    char *text = text_of(path);
    (void)state;
    for (int i = 0; be_workloads[i]; i++) {
        const struct be_workload *w = be_workloads[i];
        char begin[2 * BE_NAME];
        char cell[COLUMNS][256];
        snprintf(begin, sizeof begin, "| [%s](workloads/%s.md)", w->name, w->name);
        cells_of(text, begin, cell);
        for (int v = 0; v < w->variants; v++) {
            check_one_of(w, cell[VARIANTS], w->variant[v].name);
            snprintf(begin, sizeof begin, "%s*", w->variant[v].name);
            assert_int_equal(strstr(cell[VARIANTS], begin) != NULL, w->variant[v].as_written);
        }
        check_count(w, cell[VARIANTS], w->variants);
        for (int p = 0; p < w->parameters; p++) {
            check_one_of(w, cell[PARAMETERS], w->parameter[p].name);
        }
        check_count(w, cell[PARAMETERS], w->parameters);
        for (int real = 0; !w->dtype && real < BE_REALS; real++) {
            const char *name = be_real_name((enum be_real)real);
            assert_int_equal(strstr(cell[TYPE], name) != NULL, (w->reals & BE_TAKES(real)) != 0);
        }
        if (strncmp(cell[TYPE], w->dtype ? w->dtype : be_real_name(w->real),
                    strlen(w->dtype ? w->dtype : be_real_name(w->real))) != 0) {
            fail_msg("%s: \"%s\" should begin with %s", w->name, cell[TYPE],
                     w->dtype ? w->dtype : be_real_name(w->real));
        }
    }
    free(text);
}

/* Each page names every variant, and has a row for each parameter with its preset. */
static void test_pages(void **state) {
    (void)state;
    for (int i = 0; be_workloads[i]; i++) {
        const struct be_workload *w = be_workloads[i];
        char sought[2 * BE_NAME];
        snprintf(sought, sizeof sought, "docs/workloads/%s.md", w->name);
        char *text = text_of(sought);
        for (int v = 0; v < w->variants; v++) {
            snprintf(sought, sizeof sought, "`%s`", w->variant[v].name);
            if (!strstr(text, sought)) {
                fail_msg("%s: the page does not name %s", w->name, sought);
            }
        }
        for (int p = 0; p < w->parameters; p++) {
            const struct be_parameter *parameter = &w->parameter[p];
            if (parameter->kind) {
                snprintf(sought, sizeof sought, "| %s | %s |", parameter->name,
                         parameter->kind[parameter->preset]);
            } else {
                snprintf(sought, sizeof sought, "| %s | %llu |", parameter->name,
                         (unsigned long long)parameter->preset);
            }
            if (!strstr(text, sought)) {
                fail_msg("%s: the page has no row \"%s\"", w->name, sought);
            }
        }
        free(text);
    }
}

/* ---- whose code it is ----------------------------------------------------------------------- */

static void check_code(const struct be_workload *w, const struct be_variant *v, enum be_code code) {
    const bool library = strcmp(v->name, "library") == 0;
    if ((code == BE_CODE_LIBRARY) != library) {
        fail_msg("%s, %s: it should %sbe a library's", w->name, v->name, library ? "" : "not ");
    }
}

/* A library's variant calls it on each side that it has, and no other variant does. */
static void test_libraries_say_so(void **state) {
    (void)state;
    int libraries = 0;
    for (int i = 0; be_workloads[i]; i++) {
        const struct be_workload *w = be_workloads[i];
        for (int k = 0; k < w->variants; k++) {
            const struct be_variant *v = &w->variant[k];
            if (v->host) {
                check_code(w, v, v->host_code);
            }
            if (v->prepare) {
                check_code(w, v, v->device_code);
            }
            libraries += strcmp(v->name, "library") == 0;
        }
    }
    assert_int_equal(libraries, 6);
}

/* Each has code on both sides that anybody can have, apart from what is as written; the page says the same. */
static void test_callable_on_both_sides(void **state) {
    (void)state;
    for (int i = 0; be_workloads[i]; i++) {
        const struct be_workload *w = be_workloads[i];
        bool host = false, device = false;
        for (int k = 0; k < w->variants; k++) {
            const struct be_variant *v = &w->variant[k];
            host |= v->host && v->host_code != BE_CODE_EXPERT && !v->as_written;
            device |= v->prepare && v->device_code != BE_CODE_EXPERT && !v->as_written;
        }
        if (!host || !device) {
            fail_msg("%s: no code that anybody can have on the %s", w->name,
                     host ? "device" : "CPU");
        }
    }
    char *text = text_of("docs/workloads.md");
    assert_non_null(strstr(text, "Every workload has code of the first two kinds on both sides"));
    free(text);
}

/* Our own code is not called anybody's. */
static void test_ours_is_ours(void **state) {
    (void)state;
    static const struct {
        const char *workload, *variant;
        bool device;
    } ours[] = {{"power", "plain", false},
                {"power", "plain", true},
                {"solve", "butterfly", true},
                {"fft", "own", false},
                {"fft", "own", true},
                {"sort", "radix", false},
                {"matmul", "tiled", false},
                {"generate", "host", false},
                {"spmv", "csr", false},
                {"nbody", "all-pairs", false},
                {"mandelbrot", "kernel", false},
                {"steps", "vectors", false},
                {"matvec", "own", false},
                {"matvec", "fused", true},
                {"eigen", "batched", false}};
    for (size_t i = 0; i < BE_COUNT(ours); i++) {
        const struct be_workload *w = be_workload_find(ours[i].workload);
        assert_non_null(w);
        const struct be_variant *v = be_variant_find(w, ours[i].variant);
        assert_non_null(v);
        assert_int_equal(ours[i].device ? v->device_code : v->host_code, BE_CODE_EXPERT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_libraries_say_so),
        cmocka_unit_test(test_callable_on_both_sides),
        cmocka_unit_test(test_ours_is_ours),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
