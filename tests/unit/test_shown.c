/* Foreign signs on a terminal: each in columns that are known, none that steers it. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "report/common/printable.h"

static const struct {
    const char *from, *utf8, *elsewhere;
    int columns; /* in UTF-8 */
} signs[] = {
    {"a", "a", "a", 1},
    {"\t", " ", " ", 1},
    {"\r", " ", " ", 1},
    {"\xe2\x80\x93", "\xe2\x80\x93", "\\u2013", 1}, /* the long dash of word processors */
    {"\xe2\x80\x9c", "\xe2\x80\x9c", "\\u201c", 1},
    {"\xc3\xa9", "\xc3\xa9", "\\u00e9", 1},
    {"\xe6\x97\xa5", "\xe6\x97\xa5", "\\u65e5", 2},
    {"\xc2\xa0", "\\u00a0", "\\u00a0", 6},     /* a blank that is none */
    {"\xe2\x80\x8b", "\\u200b", "\\u200b", 6}, /* of no width */
    {"\xcc\x81", "\\u0301", "\\u0301", 6},     /* onto the sign before */
    {"\xe2\x80\xae", "\\u202e", "\\u202e", 6}, /* turns what follows */
    {"\xd7\x90", "\\u05d0", "\\u05d0", 6},     /* written from right to left */
    {"\xef\xbb\xbf", "\\ufeff", "\\ufeff", 6}, /* byte order mark */
    {"\xc2\x9b", "\\u009b", "\\u009b", 6},     /* begins a command to the terminal */
    {"\xf3\xa0\x81\x81", "\\U000e0041", "\\U000e0041", 10},
    {"\x1b", "\\x1b", "\\x1b", 4},
    {"\x7f", "\\x7f", "\\x7f", 4},
    {"\x96", "\\x96", "\\x96", 4}, /* the dash of Windows-1252 */
};

static void use(const char *locale) {
    if (!setlocale(LC_CTYPE, locale)) {
        print_message("no locale %s here\n", locale);
        skip();
    }
}

static void each_sign(bool utf8) {
    for (size_t i = 0; i < BE_COUNT(signs); i++) {
        const char *shown = utf8 ? signs[i].utf8 : signs[i].elsewhere;
        struct be_shown one = be_shown_next(signs[i].from, strlen(signs[i].from));
        assert_string_equal(one.text, shown);
        assert_int_equal(one.bytes, strlen(signs[i].from));
        assert_int_equal(one.columns, utf8 ? signs[i].columns : (int)strlen(shown));
        assert_int_equal(be_shown_columns(shown, strlen(shown)), one.columns);
    }
}

static void in_a_utf8_locale(void **state) {
    (void)state;
    use("C.UTF-8");
    each_sign(true);
    /* A zero, and a sign that the end cuts. */
    assert_string_equal(be_shown_next("\0x", 2).text, "\\x00");
    assert_string_equal(be_shown_next("\xe2\x80\x93", 2).text, "\\xe2");
    assert_int_equal(be_shown_next("", 0).columns, 0);
    /* As much as has room. */
    assert_int_equal(be_shown_fit("\xe6\x97\xa5x", 4, 1), 0);
    assert_int_equal(be_shown_fit("\xe6\x97\xa5x", 4, 2), 3);
    assert_int_equal(be_shown_fit("\xe6\x97\xa5x", 4, 9), 4);
}

static void elsewhere(void **state) {
    (void)state;
    use("C");
    each_sign(false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_a_utf8_locale),
        cmocka_unit_test(elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
