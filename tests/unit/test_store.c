/* Where profiles lie: folders from the environment, names, damaged files, saving. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "machine/profile.h"
#include "report/store.h"

struct scratch {
    char folder[64];
};

static int set_up(void **state) {
    struct scratch *s = calloc(1, sizeof *s);
    snprintf(s->folder, sizeof s->folder, "/tmp/be-store-XXXXXX");
    if (!s || !mkdtemp(s->folder)) {
        return -1;
    }
    setenv("XDG_DATA_HOME", s->folder, 1);
    unsetenv("BREAKEVEN_PROFILES");
    *state = s;
    return 0;
}

static int tear_down(void **state) {
    struct scratch *s = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", s->folder);
    int status = system(command);
    free(s);
    return status;
}

static struct be_profile sample(const char *name, double rate) {
    struct be_profile profile = {.source = BE_SOURCE_MEASURED};
    struct be_figure figure = {.device = "cpu",
                               .what = "triad",
                               .dtype = "float32",
                               .threads = 4,
                               .bytes = 1e9,
                               .unit = BE_UNIT_BYTES_S,
                               .value = rate,
                               .median = rate,
                               .lo = rate,
                               .hi = rate,
                               .n = 10,
                               .achievable = NAN};
    be_copy_text(profile.name, sizeof profile.name, name);
    be_copy_text(profile.machine.cpu, sizeof profile.machine.cpu, "some CPU");
    assert_int_equal(be_profile_add_figure(&profile, &figure, NULL), BE_OK);
    return profile;
}

static void put(const char *name, double rate) {
    char path[BE_PATH];
    struct be_error error;
    struct be_profile profile = sample(name, rate);
    assert_int_equal(be_store_path(name, path, &error), BE_OK);
    assert_int_equal(be_store_try(path, &error), BE_OK);
    assert_int_equal(be_store_save(&profile, path, &error), BE_OK);
    be_profile_free(&profile);
}

static double rate_of(const struct be_profile *profile) {
    const struct be_figure *f = be_profile_figure(profile, "cpu", "triad", "float32", 4, 1e9, NULL);
    return f ? f->value : NAN;
}

static void saved_is_found(void **state) {
    (void)state;
    struct be_profile profile;
    struct be_error error;
    put("node1", 2e10);
    put("node1", 3e10); /* takes the place of the first */
    assert_int_equal(be_profile_load("node1", &profile, &error), BE_OK);
    assert_true(rate_of(&profile) == 3e10);
    be_profile_free(&profile);
}

static void own_comes_before_the_site(void **state) {
    struct scratch *s = *state;
    char site[BE_PATH];
    char path[BE_PATH + 32];
    struct be_store store;
    struct be_error error;
    snprintf(site, sizeof site, "%s/site", s->folder);
    snprintf(path, sizeof path, "%s/node1.json", site);
    struct be_profile profile = sample("node1", 5e9);
    assert_int_equal(be_store_try(path, &error), BE_OK);
    assert_int_equal(be_store_save(&profile, path, &error), BE_OK);
    be_profile_free(&profile);
    setenv("BREAKEVEN_PROFILES", site, 1);
    assert_int_equal(be_store_open(&store, &error), BE_OK);
    const struct be_stored *found = be_store_find(&store, "node1");
    assert_non_null(found);
    assert_int_equal(found->shelf, BE_SHELF_SITE);
    be_store_close(&store);
    put("node1", 3e10);
    assert_int_equal(be_store_open(&store, &error), BE_OK);
    found = be_store_find(&store, "node1");
    assert_int_equal(found->shelf, BE_SHELF_OWN);
    assert_true(rate_of(&found->profile) == 3e10);
    be_store_close(&store);
}

static void a_damaged_one_is_listed_with_its_reason(void **state) {
    struct scratch *s = *state;
    char path[BE_PATH];
    struct be_store store;
    struct be_profile profile;
    struct be_error error;
    put("node1", 3e10);
    snprintf(path, sizeof path, "%s/breakeven/profiles/cut.json", s->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"schema\":\"breakeven/1\",", file);
    fclose(file);
    assert_int_equal(be_store_open(&store, &error), BE_OK);
    bool seen = false;
    for (size_t i = 0; i < store.count; i++) {
        if (strcmp(store.stored[i].path, path) == 0) {
            seen = true;
            assert_int_equal(store.stored[i].status, BE_USAGE);
            assert_non_null(strstr(store.stored[i].error.text, "cut.json"));
        }
    }
    assert_true(seen);
    assert_non_null(be_store_find(&store, "node1"));
    be_store_close(&store);
    assert_int_equal(be_profile_load("cut", &profile, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "cut.json"));
}

static void an_unknown_name_lists_the_known(void **state) {
    (void)state;
    struct be_profile profile;
    struct be_error error;
    put("node1", 3e10);
    assert_int_equal(be_profile_load("node2", &profile, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "node1"));
    assert_int_equal(be_profile_load("missing/node2.json", &profile, &error), BE_IO);
}

static void a_folder_is_called_one(void **state) {
    struct scratch *s = *state;
    struct be_profile profile;
    struct be_error error;
    assert_int_equal(be_profile_load(s->folder, &profile, &error), BE_IO);
    assert_non_null(strstr(error.text, "is a folder"));
}

/* `--machine=<(zcat node1.json.gz)` */
static void a_pipe_is_read(void **state) {
    (void)state;
    char path[BE_PATH], command[BE_PATH + 16], name[64];
    struct be_profile profile;
    struct be_error error;
    put("node1", 3e10);
    assert_int_equal(be_store_path("node1", path, &error), BE_OK);
    snprintf(command, sizeof command, "cat '%s'", path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    snprintf(name, sizeof name, "/dev/fd/%d", fileno(pipe));
    assert_int_equal(be_profile_load(name, &profile, &error), BE_OK);
    assert_true(rate_of(&profile) == 3e10);
    be_profile_free(&profile);
    pclose(pipe);
}

static void names_are_those_of_files(void **state) {
    (void)state;
    static const char *const bad[] = {"", ".hidden", "a/b", "a b", "\xc3\xa4", "none"};
    char path[BE_PATH];
    struct be_error error;
    for (size_t i = 0; i < BE_COUNT(bad); i++) {
        assert_int_equal(be_store_path(bad[i], path, &error), BE_USAGE);
    }
    assert_int_equal(be_store_path("node-1.site_2", path, &error), BE_OK);
    setenv("XDG_DATA_HOME", "here", 1); /* as where it is not set */
    setenv("HOME", "/home/me", 1);
    assert_int_equal(be_store_path("node", path, &error), BE_OK);
    assert_string_equal(path, "/home/me/.local/share/breakeven/profiles/node.json");
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    assert_int_equal(be_store_path("node", path, &error), BE_IO);
}

static void what_cannot_be_written_is_said_before(void **state) {
    struct scratch *s = *state;
    char path[BE_PATH];
    struct be_error error;
    snprintf(path, sizeof path, "%s/file", s->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(be_store_try(s->folder, &error), BE_IO);
    snprintf(path, sizeof path, "%s/file/under.json", s->folder);
    assert_int_equal(be_store_try(path, &error), BE_IO);
    assert_non_null(strstr(error.text, "--output FILE names another place"));
    snprintf(path, sizeof path, "%s/new/deep/p.json", s->folder);
    assert_int_equal(be_store_try(path, &error), BE_OK);
    assert_int_equal(access(path, F_OK), -1); /* tried, not made */
}

/* The name of a folder is not a pattern; a folder that cannot be read is not an empty one. */
static void folders_of_any_name(void **state) {
    struct scratch *s = *state;
    char odd[BE_PATH];
    char file[BE_PATH + 8];
    struct be_store store;
    struct be_error error;
    snprintf(odd, sizeof odd, "%s/data [1] *", s->folder);
    setenv("XDG_DATA_HOME", odd, 1);
    put("node1", 2e10);
    assert_int_equal(be_store_open(&store, &error), BE_OK);
    assert_non_null(be_store_find(&store, "node1"));
    be_store_close(&store);
    snprintf(file, sizeof file, "%s/site", s->folder);
    FILE *made = fopen(file, "w");
    assert_non_null(made);
    fclose(made);
    setenv("BREAKEVEN_PROFILES", file, 1);
    assert_int_equal(be_store_open(&store, &error), BE_OK);
    assert_int_equal(store.stored[1].shelf, BE_SHELF_SITE);
    assert_int_equal(store.stored[1].status, BE_IO);
    assert_non_null(strstr(store.stored[1].error.text, "/site: Not a directory"));
    be_store_close(&store);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(saved_is_found),
        CASE(own_comes_before_the_site),
        CASE(a_damaged_one_is_listed_with_its_reason),
        CASE(an_unknown_name_lists_the_known),
        CASE(a_folder_is_called_one),
        CASE(a_pipe_is_read),
        CASE(names_are_those_of_files),
        CASE(what_cannot_be_written_is_said_before),
        CASE(folders_of_any_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
