/* Files that are whole or not there, by several writers at once. */
#include "fake_files.h"

#include <glob.h>
#include <unistd.h>

#include "base/error.h"
#include "base/part_file.h"

static char wanted[128];

static int make_folder(void **state) {
    int failed = make_root(state);
    snprintf(wanted, sizeof wanted, "%s/results.json", fake_root);
    return failed;
}

static void put(FILE *out, const char *text) {
    assert_true(fputs(text, out) >= 0);
}

static void holds(const char *text) {
    char got[64] = "";
    FILE *in = fopen(wanted, "r");
    assert_non_null(in);
    size_t length = fread(got, 1, sizeof got - 1, in);
    fclose(in);
    got[length] = '\0';
    assert_string_equal(got, text);
}

static int files(void) {
    char pattern[160];
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%s/*", fake_root);
    int count = glob(pattern, 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
    globfree(&found);
    return count;
}

static void each_its_own(void **state) {
    (void)state;
    enum { WRITERS = 3 };
    static const char *const text[WRITERS] = {"first", "second, longer", "3"};
    FILE *out[WRITERS];
    char *part[WRITERS];
    struct be_error error = {0};
    for (int i = 0; i < WRITERS; i++) {
        assert_int_equal(be_part_open(wanted, 0666, &out[i], &part[i], &error), BE_OK);
    }
    for (int i = 0; i < WRITERS; i++) { /* all of them half written now */
        put(out[i], text[i]);
        fflush(out[i]);
    }
    assert_true(access(wanted, F_OK) != 0);
    for (int i = 0; i < WRITERS; i++) {
        assert_int_equal(be_part_close(wanted, out[i], part[i], BE_OK, &error), BE_OK);
        holds(text[i]);
    }
    assert_int_equal(files(), 1);
}

static void not_whole(void **state) {
    (void)state;
    FILE *out;
    char *part;
    struct be_error error = {0};
    assert_int_equal(be_part_open(wanted, 0666, &out, &part, &error), BE_OK);
    put(out, "old");
    assert_int_equal(be_part_close(wanted, out, part, BE_OK, &error), BE_OK);
    assert_int_equal(be_part_open(wanted, 0666, &out, &part, &error), BE_OK);
    put(out, "new, and then something went wr");
    assert_int_equal(be_part_close(wanted, out, part, BE_WRONG, &error), BE_WRONG);
    holds("old");
    assert_int_equal(files(), 1);
}

/* Nobody else reads it, and no link that stands in the way is followed. */
static void private_one(void **state) {
    (void)state;
    FILE *out;
    char *part, way[200], aim[160];
    struct be_error error = {0};
    struct stat there;
    snprintf(aim, sizeof aim, "%s/somebody's", fake_root);
    snprintf(way, sizeof way, "%s.part-%ld-0", wanted, (long)getpid());
    assert_int_equal(symlink(aim, way), 0);
    assert_int_equal(be_part_open(wanted, 0600, &out, &part, &error), BE_OK);
    assert_string_not_equal(part, way);
    assert_int_equal(fstat(fileno(out), &there), 0);
    assert_int_equal(there.st_mode & 0777, 0600);
    assert_int_equal(be_part_close(wanted, out, part, BE_OK, &error), BE_OK);
    assert_true(access(aim, F_OK) != 0);
}

static void write_new(const char *file, mode_t mode) {
    FILE *out;
    char *part;
    struct be_error error = {0};
    assert_int_equal(be_part_open(file, mode, &out, &part, &error), BE_OK);
    put(out, "new");
    assert_int_equal(be_part_close(file, out, part, BE_OK, &error), BE_OK);
}

/* "latest.json" -> today's results: what it links to is replaced, and made where it is not there yet. */
static void by_links(void **state) {
    (void)state;
    char first[160], second[160], folder[160];
    struct stat there;
    snprintf(first, sizeof first, "%s/latest.json", fake_root);
    snprintf(folder, sizeof folder, "%s/shelf", fake_root);
    snprintf(second, sizeof second, "%s/shelf/link", fake_root);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(symlink("shelf/link", first), 0);
    assert_int_equal(symlink("../results.json", second), 0);
    for (int i = 0; i < 2; i++) {
        write_new(first, 0666);
        assert_true(lstat(first, &there) == 0 && S_ISLNK(there.st_mode));
        assert_true(lstat(second, &there) == 0 && S_ISLNK(there.st_mode));
        holds("new");
        assert_int_equal(files(), 3);
    }
}

/* Whoever may not read the old file may not read the one that takes its place. */
static void stays_private(void **state) {
    (void)state;
    struct stat there;
    write_new(wanted, 0666);
    assert_int_equal(chmod(wanted, 0640), 0);
    write_new(wanted, 0666);
    assert_true(stat(wanted, &there) == 0 && (there.st_mode & 0777) == 0640);
    write_new(wanted, 0600);
    assert_true(stat(wanted, &there) == 0 && (there.st_mode & 0777) == 0600);
}

static void no_folder(void **state) {
    (void)state;
    FILE *out;
    char *part;
    struct be_error error = {0};
    snprintf(wanted, sizeof wanted, "%s/none/results.json", fake_root);
    assert_int_equal(be_part_open(wanted, 0666, &out, &part, &error), BE_IO);
    assert_true(!out && !part);
    assert_non_null(strstr(error.text, "results.json: cannot be written: No such file"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_its_own, make_folder, remove_root),
        cmocka_unit_test_setup_teardown(not_whole, make_folder, remove_root),
        cmocka_unit_test_setup_teardown(private_one, make_folder, remove_root),
        cmocka_unit_test_setup_teardown(by_links, make_folder, remove_root),
        cmocka_unit_test_setup_teardown(stays_private, make_folder, remove_root),
        cmocka_unit_test_setup_teardown(no_folder, make_folder, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
