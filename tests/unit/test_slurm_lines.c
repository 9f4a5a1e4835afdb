/* Lines of files, pipes and compressed files, cut into fields. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/error.h"
#include "slice.h"
#include "base/lines.h"

static void test_fields_between_marks(void **state) {
    (void)state;
    struct be_slice field[8];
    static const char text[] = "a|bb||0123456789abcdef|\x7c";
    assert_int_equal(be_lines_split(slice(text), '|', field, 8), 6);
    assert_memory_equal(field[1].text, "bb", 2);
    assert_int_equal(field[2].length, 0);
    assert_int_equal(field[3].length, 16);
    assert_int_equal(field[5].length, 0);
    assert_int_equal(be_lines_split(slice(text), '|', field, 2), 6);
    assert_int_equal(be_lines_split(slice(""), '|', field, 8), 1);
}

/* All lines, with their lengths checked. */
static void count_lines(struct be_lines *lines, uint64_t expected, uint64_t bytes) {
    struct be_slice line;
    struct be_error error = {0};
    bool more = true;
    uint64_t count = 0;
    while (be_lines_next(lines, &line, &more, &error) == BE_OK && more) {
        count++;
    }
    assert_int_equal(error.status, BE_OK);
    assert_int_equal(count, expected);
    assert_int_equal(be_lines_bytes(lines), bytes);
    be_lines_close(lines);
}

static void test_lines_across_the_buffer(void **state) {
    (void)state;
    enum { LINES = 30000, LENGTH = 101 };
    char *text = malloc(LINES * LENGTH + 1);
    struct be_error error = {0};
    struct be_lines *lines = NULL;
    for (int i = 0; i < LINES; i++) {
        memset(text + i * LENGTH, 'x', LENGTH);
        text[i * LENGTH + LENGTH - 1] = '\n';
    }
    assert_int_equal(be_lines_text(text, LINES * LENGTH, &lines, &error), BE_OK);
    count_lines(lines, LINES, LINES * LENGTH);
    text[LINES * LENGTH - 1] = 'y'; /* the last without its end */
    assert_int_equal(be_lines_text(text, LINES * LENGTH, &lines, &error), BE_OK);
    count_lines(lines, LINES, LINES * LENGTH);
    free(text);
}

static void test_a_line_that_never_ends_is_cut(void **state) {
    (void)state;
    enum { LENGTH = 3 << 20 };
    char *text = malloc(LENGTH + 2);
    struct be_error error = {0};
    struct be_lines *lines = NULL;
    struct be_slice line;
    bool more = true;
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\n';
    text[LENGTH + 1] = 'y';
    assert_int_equal(be_lines_text(text, LENGTH + 2, &lines, &error), BE_OK);
    assert_int_equal(be_lines_next(lines, &line, &more, &error), BE_OK);
    assert_true(more && line.length == 1 << 18);
    assert_int_equal(be_lines_next(lines, &line, &more, &error), BE_OK);
    assert_true(more && line.length == 1 && line.text[0] == 'y');
    assert_int_equal(be_lines_next(lines, &line, &more, &error), BE_OK);
    assert_false(more);
    be_lines_close(lines);
    free(text);
}

static void test_compressed_files_behind_one_another(void **state) {
    (void)state;
    unsigned char packed[512];
    static const char text[] = "first\nsecond\n";
    size_t length = 0;
    struct be_error error = {0};
    struct be_lines *lines = NULL;
    for (int i = 0; i < 2; i++) {
        z_stream z = {.next_in = (unsigned char *)(uintptr_t)text, .avail_in = sizeof text - 1};
        assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
        z.next_out = packed + length;
        z.avail_out = (unsigned)(sizeof packed - length);
        assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
        length += z.total_out;
        deflateEnd(&z);
    }
    assert_int_equal(be_lines_text((char *)packed, length, &lines, &error), BE_OK);
    count_lines(lines, 4, 2 * (sizeof text - 1));
    /* Zeros behind it, as a tape has them, are no damage. */
    memset(packed + length, 0, 64);
    assert_int_equal(be_lines_text((char *)packed, length + 64, &lines, &error), BE_OK);
    count_lines(lines, 4, 2 * (sizeof text - 1));
    /* Cut short: what is there comes, and then that it is damaged. */
    struct be_slice line;
    bool more = true;
    int count = 0;
    assert_int_equal(be_lines_text((char *)packed, length - 9, &lines, &error), BE_OK);
    while (be_lines_next(lines, &line, &more, &error) == BE_OK && more) {
        count++;
    }
    assert_int_equal(count, 4);
    assert_int_equal(error.status, BE_IO);
    assert_non_null(strstr(error.text, "damaged after 26 bytes"));
    be_lines_close(lines);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_between_marks),
        cmocka_unit_test(test_lines_across_the_buffer),
        cmocka_unit_test(test_a_line_that_never_ends_is_cut),
        cmocka_unit_test(test_compressed_files_behind_one_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
