/* The contents of tables: the spread beside a time, and from how many workloads on there is an overview. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "report/comparison/notes.h"
#include "report/comparison/comparison.h"

/* Half the interval in whole percent; above 99 that is all that is said. */
static void spreads(void **state) {
    (void)state;
    static const struct {
        double half; /* of the median */
        int n;
        const char *cell;
    } known[] = {
        {0.004, 20, "1.00ms <1%"}, {0.006, 20, "1.00ms  1%"},  {0.096, 20, "1.00ms 10%"},
        {0.994, 20, "1.00ms 99%"}, {0.996, 20, "1.00ms >99%"}, {3, 20, "1.00ms >99%"},
        {0.994, 5, "1.00ms~99%"},  {0.996, 5, "1.00ms~>99%"},  {0.004, 5, "1.00ms~<1%"},
        {NAN, 1, "1.00ms   ?"},
    };
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        const struct be_summary summary = {.n = known[i].n,
                                           .median_s = 1e-3,
                                           .lo_s = 1e-3 * (1 - known[i].half),
                                           .hi_s = 1e-3 * (1 + known[i].half)};
        char cell[64];
        be_time_cell(cell, sizeof cell, &summary);
        assert_string_equal(cell, known[i].cell);
    }
}

static void an_overview_of_three(void **state) {
    (void)state;
    static const char *const names[] = {"power", "power", "multiply", "add"};
    struct be_result result[BE_COUNT(names)];
    struct be_breakeven even = {.device = "cuda:0"};
    struct be_comparison all = {.result = result, .breakeven = &even, .breakevens = 1};
    memset(result, 0, sizeof result);
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        be_copy_text(result[i].workload, sizeof result[i].workload, names[i]);
    }
    all.results = 3;
    assert_false(be_report_has_overview(&all));
    all.results = 4;
    assert_true(be_report_has_overview(&all));
    all.breakevens = 0;
    assert_false(be_report_has_overview(&all));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spreads),
        cmocka_unit_test(an_overview_of_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
