/* Names of columns of an accounting: whole, shortened as sacct allows, and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "accounting/records_sacct.h"

static enum be_sacct_column column(const char *text, unsigned length, bool *whole) {
    return be_sacct_column_of((struct be_slice){text, length}, whole);
}

static void test_names(void **state) {
    bool whole = false;
    (void)state;
    assert_int_equal(column("End", 3, &whole), BE_COLUMN_END);
    assert_true(whole);
    assert_int_equal(column("\"end\"", 5, &whole), BE_COLUMN_END);
    assert_int_equal(column("Eligib", 6, &whole), BE_COLUMN_ELIGIBLE);
    assert_false(whole);
    assert_int_equal(column("no such", 7, &whole), BE_COLUMNS);
}

/* A comparison of texts ends at a byte 0: such a name looked like that of a column, and was read beyond its end. */
static void test_a_name_with_a_byte_0_is_none(void **state) {
    static const char text[64] = "End";
    bool whole = true;
    (void)state;
    assert_int_equal(column(text, sizeof text, &whole), BE_COLUMNS);
    assert_false(whole);
    assert_int_equal(column("\"End\0\0\0\"", 8, &whole), BE_COLUMNS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_a_name_with_a_byte_0_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
