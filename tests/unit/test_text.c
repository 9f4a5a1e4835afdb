#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/name_order.h"
#include "base/text.h"
#include "breakeven.h"
#include "report/common/lines.h"
#include "report/common/names.h"

typedef const char *formatter(char *to, size_t capacity, double value, const char *none);

struct sample {
    formatter *format;
    double value;
    const char *expected;
};

static const char *format_n(char *to, size_t capacity, double value, const char *none) {
    (void)none;
    return be_format_n(to, capacity, value);
}

static const char *joules_1(char *to, size_t capacity, double value, const char *none) {
    return be_format_joules(to, capacity, value, 1, none);
}

static const char *watts_2(char *to, size_t capacity, double value, const char *none) {
    return be_format_watts(to, capacity, value, 2, none);
}

static const char *joules_2(char *to, size_t capacity, double value, const char *none) {
    return be_format_joules(to, capacity, value, 2, none);
}

static const struct sample samples[] = {
    {be_format_seconds, 0, "0 s"},
    {be_format_seconds, 1.79224e-3, "1.79 ms"},
    {be_format_seconds, 999.6e-6, "1.00 ms"},
    {be_format_seconds, 999.4e-6, "999 us"},
    {be_format_seconds, 99.96e-6, "100 us"},
    {be_format_seconds, 9.996e-6, "10.0 us"},
    {be_format_seconds, 5e-10, "0.50 ns"},
    {be_format_seconds, 1.48e-4, "148 us"},
    {be_format_seconds, 0.257075, "257 ms"},
    {be_format_seconds, 1, "1.00 s"},
    {be_format_seconds, 228.151, "228 s"},
    {be_format_seconds, 86400, "86400 s"},
    {be_format_seconds, 1.5e300, "1.5e300 s"},
    {be_format_seconds, -1.5e300, "-1.5e300 s"},
    {be_format_bytes, 1.5e30, "1.5e12 EB"},
    {be_format_bytes, 1e300, "1e282 EB"},
    {be_format_seconds, -1.79224e-3, "-1.79 ms"},
    {be_format_seconds, NAN, "none"},
    {be_format_seconds, INFINITY, "none"},
    {be_format_size, 0, "0"},
    {be_format_size, 1, "1"},
    {be_format_size, 999, "999"},
    {be_format_size, 999.6, "1e3"},
    {be_format_size, 1e3, "1e3"},
    {be_format_size, 9300, "9.3e3"},
    {be_format_size, 9999, "1e4"},
    {be_format_size, 5.1e6, "5.1e6"},
    {be_format_size, 12345678, "1.23e7"},
    {be_format_size, 3e8, "3e8"},
    {be_format_size, 1.8446744073709552e19, "1.84e19"},
    {be_format_size, NAN, "none"},
    {format_n, 0, "0"},
    {format_n, 100, "100"},
    {format_n, 1000, "1e3"},
    {format_n, 1024, "1024"},
    {format_n, 1e4, "1e4"},
    {format_n, 12300, "1.23e4"},
    {format_n, 65536, "65536"},
    {format_n, 99999, "99999"},
    {format_n, 1.5, "2"},
    {format_n, 1234.5, "1.23e3"},
    {format_n, 131072, "1.31e5"},
    {format_n, NAN, "?"},
    {format_n, INFINITY, "?"},
    {be_format_bytes, 0, "0 B"},
    {be_format_bytes, 512, "512 B"},
    {be_format_bytes, 999.6, "1 kB"},
    {be_format_bytes, 3.6e9, "3.6 GB"},
    {be_format_bytes, 100e9, "100 GB"},
    {be_format_bytes, 1.501e11, "150 GB"},
    {be_format_bytes, NAN, "none"},
    {be_format_rate, 4.25e12, "4.25 TB/s"},
    {be_format_rate, 24.3e12, "24.3 TB/s"},
    {be_format_rate, 55e9, "55 GB/s"},
    {be_format_rate, NAN, "none"},
    {be_format_ratio, 1.0716, "1.07"},
    {be_format_ratio, 99.96, "100"},
    {be_format_ratio, 3452.1, "3452"},
    {be_format_ratio, 1.2e7, "1.2e7"},
    {be_format_ratio, NAN, "none"},
    {be_format_count, 0, "0"},
    {be_format_count, 7, "7"},
    {be_format_count, 999, "999"},
    {be_format_count, 2900, "2,900"},
    {be_format_count, -123456, "-123,456"},
    {be_format_count, 1234567, "1,234,567"},
    {be_format_count, 1e15, "1e15"},
    {be_format_count, NAN, "none"},
    {joules_1, 12.3, "10 J"},
    {joules_1, 0.0096, "10 mJ"},
    {joules_2, 12.3, "12 J"},
    {joules_2, 5.06, "5.1 J"},
    {joules_2, 0.9999, "1.0 J"},
    {joules_2, 0.2712, "270 mJ"},
    {joules_2, 0.0271, "27 mJ"},
    {joules_2, 3.04e-6, "3.0 uJ"},
    {joules_2, 1234, "1200 J"},
    {joules_2, 2.5e7, "2.5e7 J"},
    {joules_2, 1e300, "1e300 J"},
    {joules_2, 0, "0 J"},
    {joules_2, 5e-324, "0 J"},
    {joules_2, -1, "0 J"},
    {joules_2, NAN, "none"},
    {watts_2, 687, "690 W"},
    {watts_2, 1234, "1200 W"},
    {watts_2, 0.85, "850 mW"},
    {watts_2, 0, "0 W"},
    {watts_2, NAN, "none"},
    {be_format_exact, 0.1, "0.1"},
    {be_format_exact, 9300, "9300"},
    {be_format_exact, 0, "0"},
    {be_format_exact, -0.0, "-0"},
    {be_format_exact, -1234567, "-1234567"},
    {be_format_exact, 1e9, "1000000000"},
    {be_format_exact, 1e15, "1e+15"},
    {be_format_exact, 0.1 + 0.2, "0.30000000000000004"},
    {be_format_exact, 5e-324, "4.94065645841247e-324"},
    {be_format_exact, 1.0 / 3, "0.3333333333333333"},
    {be_format_exact, 5e-324, "4.94065645841247e-324"},
    {be_format_exact, INFINITY, "none"},
};

static void check_samples(void) {
    for (size_t i = 0; i < BE_COUNT(samples); i++) {
        char text[BE_WORD];
        assert_string_equal(samples[i].format(text, sizeof text, samples[i].value, "none"),
                            samples[i].expected);
    }
}

static void test_formats(void **state) {
    (void)state;
    check_samples();
}

/* The locales with a decimal comma, or a point of two bytes (Pashto), that are installed; else
 * nothing to test. */
static void test_formats_with_decimal_comma(void **state) {
    (void)state;
    static const char *const comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "ps_AF.UTF-8"};
    int tested = 0;
    for (size_t i = 0; i < BE_COUNT(comma); i++) {
        if (setlocale(LC_NUMERIC, comma[i])) {
            char text[BE_WORD];
            check_samples();
            assert_string_equal(be_format_exact(text, sizeof text, 0.1, ""), "0.1");
            assert_string_equal(be_format_exact(text, sizeof text, -1.5e-300, ""), "-1.5e-300");
            setlocale(LC_NUMERIC, "C");
            tested++;
        }
    }
    if (!tested) {
        print_message("skip: no locale with a decimal comma is installed\n");
        skip();
    }
}

static void test_exact_reads_back(void **state) {
    (void)state;
    uint64_t bits = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 100000; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        double value;
        memcpy(&value, &bits, sizeof value);
        char text[BE_WORD];
        be_format_exact(text, sizeof text, value, "");
        assert_true(!isfinite(value) || strtod(text, NULL) == value);
    }
}

/* No format writes past the room it is given. */
static void test_formats_short_of_capacity(void **state) {
    (void)state;
    for (size_t i = 0; i < BE_COUNT(samples); i++) {
        for (size_t capacity = 1; capacity < 6; capacity++) {
            char text[8];
            memset(text, '#', sizeof text);
            samples[i].format(text, capacity, samples[i].value, "none");
            assert_true(strlen(text) < capacity);
            assert_int_equal(text[capacity], '#');
        }
    }
}

static void test_text_grows(void **state) {
    (void)state;
    struct be_text text = {0};
    for (int i = 0; i < 5000; i++) {
        be_text_add(&text, "%d,", i % 10);
    }
    assert_false(text.failed);
    assert_int_equal(text.length, 10000);
    assert_int_equal(strlen(text.data), 10000);
    be_text_add(&text, "   ");
    be_text_end_line(&text);
    assert_string_equal(text.data + 9998, "9,\n");
    be_text_free(&text);
    be_text_free(&text);
    assert_null(text.data);
}

static void test_text_out_of_memory(void **state) {
    (void)state;
    struct be_text text = {0};
    be_text_add(&text, "kept");
    be_text_add_bytes(&text, "", SIZE_MAX);
    assert_true(text.failed);
    be_text_add(&text, "dropped");
    assert_string_equal(text.data, "kept");
    be_text_free(&text);
    assert_false(text.failed);
}

static void test_utf8(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } known[] = {
        {"", 0},
        {"a", 1},
        {"\xc2\xb1", 2},
        {"\xe2\x84\xa2", 3},
        {"\xf0\x9f\x99\x82", 4},
        {"\x80", 0},
        {"\xc2", 0},
        {"\xe2\x84", 0},
        {"\xc0\xaf", 0},
        {"\xed\xa0\x80", 0},
        {"\xf4\x90\x80\x80", 0},
        {"\xff", 0},
    };
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        assert_int_equal(be_utf8_length(known[i].text), known[i].length);
    }
    struct be_text text = {0};
    be_text_add_utf8(&text, "5 \xc2\xb1 1\xe2\x84");
    assert_string_equal(text.data, "5 \xc2\xb1 1??");
    be_text_free(&text);
}

static void test_ascii(void **state) {
    (void)state;
    struct be_text text = {0};
    be_lines_ascii(&text, "Xeon\xc2\xae 5 \xc2\xb5s \xe6\x97\xa5 \x1b[2J\x7f\xff");
    assert_string_equal(text.data, "Xeon(R) 5 us ?  [2J ?");
    be_text_free(&text);
}

static void check_widths(const char *text) {
    while (*text) {
        size_t width = strcspn(text, "\n");
        assert_in_range(width, 0, BE_COLUMNS);
        text += width + (text[width] == '\n');
    }
}

static void test_wrap(void **state) {
    (void)state;
    struct be_text text = {0};
    char words[400], solid[300];
    memset(words, 'w', sizeof words);
    for (size_t i = 7; i < sizeof words; i += 8) {
        words[i] = ' ';
    }
    words[sizeof words - 1] = '\0';
    memset(solid, 'x', sizeof solid);
    solid[sizeof solid - 1] = '\0';
    be_lines_wrap(&text, "head: ", words, 6);
    be_lines_wrap(&text, "head: ", solid, 6);
    be_lines_wrap(&text, "", "", 2);
    check_widths(text.data);
    be_text_free(&text);

    char units[128];
    memset(units, 'x', 75);
    strcpy(units + 75, " 65 ms");
    be_lines_wrap(&text, "", units, 2);
    assert_string_equal(text.data + 75, "\n  65 ms\n");
    be_text_free(&text);
}

static void test_names(void **state) {
    (void)state;
    static const struct be_names *const all[] = {
        &be_names_placement, &be_names_cache, &be_names_status, &be_names_breakeven,
        &be_names_limit,     &be_names_stop,  &be_names_phase,  &be_names_kind,
    };
    static const int counts[] = {BE_PLACEMENTS, BE_CACHES, BE_RESULT_STATUSES, BE_EVEN_STATUSES,
                                 BE_LIMITS,     6,         BE_PHASES,          3};
    for (size_t i = 0; i < BE_COUNT(all); i++) {
        assert_int_equal(all[i]->count, counts[i]);
        for (int value = 0; value < all[i]->count; value++) {
            assert_int_equal(be_names_find(all[i], be_names_word(all[i], value)), value);
        }
        assert_int_equal(be_names_find(all[i], "nothing"), -1);
        assert_null(be_names_word(all[i], -1));
        assert_null(be_names_word(all[i], all[i]->count));
    }
    assert_int_equal(be_names_find(&be_names_limit, NULL), BE_BY_NONE);
    assert_int_equal(be_names_find(&be_names_status, NULL), -1);
}

/* Each before all behind it, whichever is asked first. */
static void test_name_order(void **state) {
    static const char *const sorted[] = {
        "",
        "10",
        "a100",
        "a100_1g.5gb",
        "a100_1g.10gb",
        "gpu",
        "gpu-2",
        "gpu-10",
        "gpu1",
        "p08",
        "p8",
        "p58",
        "p58a",
        "p100",
        "p100-2x",
        "p9999999999999999999999",
    };
    (void)state;
    for (size_t i = 0; i < BE_COUNT(sorted); i++) {
        assert_int_equal(be_name_order(sorted[i], sorted[i]), 0);
        for (size_t k = i + 1; k < BE_COUNT(sorted); k++) {
            assert_true(be_name_order(sorted[i], sorted[k]) < 0);
            assert_true(be_name_order(sorted[k], sorted[i]) > 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_name_order),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_formats_with_decimal_comma),
        cmocka_unit_test(test_exact_reads_back),
        cmocka_unit_test(test_formats_short_of_capacity),
        cmocka_unit_test(test_text_grows),
        cmocka_unit_test(test_text_out_of_memory),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_ascii),
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
