/* Pictures as PNG, read back by a decoder of what the writer uses of the format: one block of fixed
 * codes. That others read them too is a test of the command line's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "report/report.h"

/* ---- a decoder ------------------------------------------------------------------------------ */

struct in {
    const uint8_t *byte;
    size_t bytes, bit;
};

static unsigned get(struct in *in, int count) {
    unsigned value = 0;
    for (int i = 0; i < count; i++, in->bit++) {
        assert_true(in->bit / 8 < in->bytes);
        value |= ((unsigned)in->byte[in->bit / 8] >> in->bit % 8 & 1U) << i;
    }
    return value;
}

static unsigned get_code(struct in *in, unsigned code, int count) {
    for (int i = 0; i < count; i++) {
        code = code << 1 | get(in, 1);
    }
    return code;
}

static unsigned get_symbol(struct in *in) {
    unsigned code = get_code(in, 0, 7);
    if (code < 24) {
        return 256 + code;
    }
    code = get_code(in, code, 1);
    if (code < 0xc0) {
        return code - 0x30;
    }
    return code < 0xc8 ? 280 + code - 0xc0 : get_code(in, code, 1) - 0x190 + 144;
}

/* The tables of RFC 1951, 3.2.5, as they stand there. */
static const unsigned length_base[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                       15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                       67, 83, 99, 115, 131, 163, 195, 227, 258};
static const int length_extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                   2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const unsigned distance_base[] = {
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
static const int distance_extra[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                     6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

static size_t inflate(struct in *in, uint8_t *out, size_t room) {
    size_t count = 0;
    for (unsigned symbol; (symbol = get_symbol(in)) != 256;) {
        if (symbol < 256) {
            assert_true(count < room);
            out[count++] = (uint8_t)symbol;
            continue;
        }
        assert_true(symbol <= 285);
        size_t length = length_base[symbol - 257] + get(in, length_extra[symbol - 257]);
        const unsigned code = get_code(in, 0, 5);
        assert_true(code < 30);
        const size_t distance = distance_base[code] + get(in, distance_extra[code]);
        assert_true(distance <= count && count + length <= room);
        for (; length > 0; length--, count++) {
            out[count] = out[count - distance];
        }
    }
    return count;
}

static uint32_t number(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t sum_of(const uint8_t *byte, size_t count) {
    uint64_t a = 1;
    uint64_t b = 0;
    for (size_t i = 0; i < count; i++) {
        a += byte[i];
        b += a;
        b %= 65521;
    }
    return (uint32_t)(b << 16 | a % 65521);
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
    struct in in = {file + 41, body, 0};
    assert_int_equal((get(&in, 8) * 256 + get(&in, 8)) % 31, 0);
    assert_int_equal(get(&in, 3), 3); /* the last block, fixed codes */
    uint8_t *raw = malloc(bytes);
    assert_non_null(raw);
    assert_int_equal(inflate(&in, raw, bytes), bytes);
    assert_int_equal((in.bit + 7) / 8 + 4, body);
    assert_int_equal(number(file + 41 + body - 4), sum_of(raw, bytes));
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

/* Of every run length that has codes of its own, and some more. */
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
