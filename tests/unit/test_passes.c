/* Below the table, a variant's passes: what each takes, and which share. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "report/comparison/comparison.h"

static struct be_result results[3];

/* Those of the largest size, of all cores and of each placement that has them; also of a variant alone. */
static void test_pass_by_pass(void **state) {
    (void)state;
    static struct be_comparison all;
    static const char *const names[] = {"einsum", "matmul", "ops"};
    memset(results, 0, sizeof results);
    all.result = results;
    all.results = 3;
    for (int i = 0; i < 3; i++) {
        strcpy(results[i].workload, "distance");
        strcpy(results[i].device, "cpu");
        strcpy(results[i].variant, "three-pass");
        results[i].size = i ? 4096 : 10;
        results[i].threads = i == 1 ? 1 : 2;
        results[i].phase[BE_TOTAL] =
            (struct be_summary){.n = 30, .median_s = 1, .lo_s = 1, .hi_s = 1};
        for (int k = 0; k < 3; k++) {
            strcpy(results[i].pass[k].name, names[k]);
            results[i].pass[k].time.median_s = k == 0 ? 1e-4 : 1e-3 * k;
        }
        results[i].passes = 3;
    }
    struct be_text out = {0};
    be_report_text(&all, &out);
    assert_non_null(strstr(out.data, "\n  three-pass, pass by pass, n = 4096\n"
                                     "  2 cores     einsum 100 us (3 %), matmul 1.00 ms (32 %), "
                                     "ops 2.00 ms (65 %)\n"));
    assert_null(strstr(out.data, "1 core      einsum"));
    be_text_free(&out);
    results[2].pass[1].time.median_s = NAN; /* then nobody knows what the whole is */
    be_report_text(&all, &out);
    assert_non_null(
        strstr(out.data, "  2 cores     einsum 100 us, matmul not measured, ops 2.00 ms\n"));
    be_text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pass_by_pass)};
    return cmocka_run_group_tests_name("passes", tests, NULL, NULL);
}
