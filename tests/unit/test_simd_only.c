/* A build for one instruction set alone: it takes that one, and knows where it does not run. */
#define BE_SIMD_ONLY v3
#define be_cpu_level level_of_test
#define be_simd_here here_of_test
#define be_simd_runs_here runs_here_of_test
#define be_simd_name name_of_test
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/simd.c"

static int level;

int be_cpu_level(void) {
    return level;
}

static int be_add_v3(int a, int b) {
    return a + b;
}

static void takes_its_own(void **state) {
    (void)state;
    int (*const each[BE_SIMDS])(int, int) = BE_SIMD_EACH(be_add);
    level = 4; /* moved to a better one: code that was not built cannot be taken */
    assert_true(be_simd_runs_here());
    assert_int_equal(be_simd_here(), BE_SIMD_V3);
    assert_int_equal(BE_SIMD_BEST(be_add)(1, 2), 3);
    assert_int_equal(each[BE_SIMD_PLAIN](3, 4), 7);
}

static void knows_where_it_does_not_run(void **state) {
    (void)state;
    level = 3;
    assert_true(be_simd_runs_here());
    level = 1;
    assert_false(be_simd_runs_here());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_its_own),
        cmocka_unit_test(knows_where_it_does_not_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
