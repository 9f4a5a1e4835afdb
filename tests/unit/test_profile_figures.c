/* How a figure stands in a summary: its value, and its interval in as few words as say it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/profile_report.h"

static void test_interval(void **state) {
    (void)state;
    static const struct {
        double value, lo, hi;
        enum be_unit unit;
        const char *text;
    } sample[] = {
        {4.25e12, 4.23e12, 4.26e12, BE_UNIT_BYTES_S, "4.25 TB/s (4.23-4.26)"},
        {1.03e12, 0.985e12, 1.01e12, BE_UNIT_FLOP_S, "1.03 TFLOP/s (0.985-1.01)"},
        {1.14e12, 40.3e9, 1.13e12, BE_UNIT_FLOP_S, "1.14 TFLOP/s (0.0403-1.13)"},
        {707e-9, 693e-9, 10.6e-6, BE_UNIT_SECONDS, "707 ns (693 ns-10.6 us)"},
        {210e-9, 210e-9, 210e-9, BE_UNIT_SECONDS, "210 ns"},
    };
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
        char text[BE_CELL];
        const struct be_figure figure = {.value = sample[i].value,
                                         .lo = sample[i].lo,
                                         .hi = sample[i].hi,
                                         .unit = sample[i].unit,
                                         .n = 20,
                                         .source = BE_SOURCE_MEASURED,
                                         .achievable = NAN};
        assert_string_equal(be_format_cell(text, &figure), sample[i].text);
        assert_true(strlen(text) <= BE_CELL_WIDTH);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval),
    };
    return cmocka_run_group_tests_name("profile_figures", tests, NULL, NULL);
}
