/* The files of a folder: which, in which order, and folders that have none or cannot be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/program.h"

static void test_find(void **state) {
    (void)state;
    static const char *const names[] = {"b.json", "a10.json", "a9.json", ".hidden.json", "a.txt"};
    char scratch[] = "/tmp/be-folder-XXXXXX";
    char folder[64], path[128], command[128];
    struct be_folder found;
    struct be_error error;
    assert_non_null(mkdtemp(scratch));
    snprintf(folder, sizeof folder, "%s/a [b] *?", scratch);
    assert_int_equal(be_folder_find(folder, "*.json", &found, &error), BE_OK);
    assert_int_equal(found.paths, 0); /* it is not there */
    assert_int_equal(mkdir(folder, 0700), 0);
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fclose(file);
    }
    assert_int_equal(be_folder_find(folder, "*.json", &found, &error), BE_OK);
    assert_int_equal(found.paths, 3);
    static const char *const ends[] = {"/a9.json", "/a10.json", "/b.json"};
    for (size_t i = 0; i < found.paths; i++) {
        assert_memory_equal(found.path[i], folder, strlen(folder));
        assert_string_equal(found.path[i] + strlen(folder), ends[i]);
    }
    be_folder_free(&found);
    be_folder_free(&found);
    assert_int_equal(be_folder_find(path, "*", &found, &error), BE_IO); /* a file */
    assert_non_null(strstr(error.text, "Not a directory"));
    assert_int_equal(found.paths, 0);
    snprintf(command, sizeof command, "rm -r '%s'", scratch);
    assert_int_equal(system(command), 0);
}

/* A library that is linked into a program lies where that does; a path that does not fit is none. */
static void test_where_the_code_lies(void **state) {
    (void)state;
    char program[512], library[512], short_room[4];
    assert_true(be_program_folder(program, sizeof program));
    assert_true(be_library_folder(library, sizeof library));
    assert_string_equal(library, program);
    assert_false(be_library_folder(short_room, sizeof short_room));
    assert_false(be_program_folder(short_room, sizeof short_room));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_find),
                                       cmocka_unit_test(test_where_the_code_lies)};
    return cmocka_run_group_tests_name("folder", tests, NULL, NULL);
}
