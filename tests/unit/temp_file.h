/*
 * A file of its own for a group of tests, there from make_file to remove_file.
 */
#ifndef BE_TESTS_TEMP_FILE_H
#define BE_TESTS_TEMP_FILE_H

#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/breakeven_test.XXXXXX";

static int make_file(void **state) {
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 || close(descriptor) != 0;
}

static int remove_file(void **state) {
    (void)state;
    return unlink(path);
}

#endif
