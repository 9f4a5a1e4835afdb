/* Pictures as PNG, read back chunk by chunk: sums, sizes, and every pixel. That others read them too is a
 * test of the command line's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/random.h"
#include "report/comparison/comparison.h"

static uint32_t number(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* ---- tests ---------------------------------------------------------------------------------- */

static size_t check(uint32_t width, uint32_t height, const uint8_t *rgb) {
    const size_t row = (size_t)width * 3;
    const size_t bytes = (row + 1) * height;
    const struct be_picture picture = {width, height, (uint8_t *)(uintptr_t)rgb};
    struct be_text out = {0};
    be_report_png(&picture, &out);
    assert_false(out.failed);
    const uint8_t *file = (const uint8_t *)out.data;
    assert_memory_equal(file, "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", 16);
    assert_int_equal(number(file + 16), width);
    assert_int_equal(number(file + 20), height);
    const size_t body = number(file + 33);
    assert_memory_equal(file + 37, "IDAT", 4);
    assert_int_equal(out.length, 33 + 12 + body + 12);
    assert_memory_equal(file + out.length - 12, "\0\0\0\0IEND\xae\x42\x60\x82", 12);
    assert_int_equal(number(file + 29), crc32(0, file + 12, 17));
    assert_int_equal(number(file + 41 + body), crc32(0, file + 37, (uInt)(4 + body)));
    assert_memory_equal(file + 24, "\x08\x02\0\0\0", 5); /* 8 bits each of red, green, blue */
    uint8_t *raw = malloc(bytes + 1);
    assert_non_null(raw);
    uLongf length_raw = bytes + 1; /* room for one too many */
    assert_int_equal(uncompress(raw, &length_raw, file + 41, (uLong)body), Z_OK);
    assert_int_equal(length_raw, bytes);
    for (size_t y = 0; y < height; y++) {
        assert_int_equal(raw[y * (row + 1)], 0);
        assert_memory_equal(raw + y * (row + 1) + 1, rgb + y * row, row);
    }
    free(raw);
    const size_t length = out.length;
    be_text_free(&out);
    return length;
}

static void test_known(void **state) {
    static const uint8_t one[] = {1, 2, 3};
    (void)state;
    assert_int_equal(check(1, 1, one), 69); /* 12 of them deflated */
}

/* A run of every length that has codes of its own, and some more. */
static void test_runs(void **state) {
    static uint8_t rgb[3 * 700];
    (void)state;
    for (uint32_t width = 1; width <= 700; width++) {
        memset(rgb, (int)width & 0xff, sizeof rgb);
        check(width, 1, rgb);
        rgb[3 * width - 1] ^= 1;
        check(1, width, rgb);
    }
}

/* Nothing alike; noise of two values; rows so wide that the one above is out of reach. */
static void test_noise(void **state) {
    static const struct {
        uint32_t width, height, values;
    } shape[] = {{31, 33, 256}, {200, 3, 2},  {10922, 2, 2},
                 {10923, 3, 3}, {341, 40, 1}, {5, 400, 2}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(shape); i++) {
        const size_t bytes = (size_t)shape[i].width * shape[i].height * 3;
        uint8_t *rgb = malloc(bytes);
        assert_non_null(rgb);
        for (size_t k = 0; k < bytes; k++) {
            rgb[k] = (uint8_t)(be_random_bits(i, k) % shape[i].values);
        }
        check(shape[i].width, shape[i].height, rgb);
        for (size_t y = 1; y < shape[i].height; y++) { /* every row like the first */
            memcpy(rgb + y * shape[i].width * 3, rgb, (size_t)shape[i].width * 3);
        }
        check(shape[i].width, shape[i].height, rgb);
        free(rgb);
    }
}

static void test_none(void **state) {
    struct be_comparison none = {0};
    struct be_error error = {0};
    (void)state;
    assert_int_equal(be_comparison_write(&none, BE_PNG, stdout, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "no picture"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known), cmocka_unit_test(test_runs),
                                       cmocka_unit_test(test_noise), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests_name("PNG", tests, NULL, NULL);
}
