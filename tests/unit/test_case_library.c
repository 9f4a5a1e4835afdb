/* A case takes the library with which it is fastest, passes over one that lacks what it calls, and says which it was. */
#include "case_bench.h"
#include "workload_list.h"

#include <time.h>

static char *slow(void) {
    static char name[] = "slow";
    return name;
}

static char *quick(void) {
    static char name[] = "quick";
    return name;
}

static char *lacking(void) {
    static char name[] = "lacking";
    return name;
}

/* handle: not NULL, and nothing looks into it. */
static struct be_host_libraries library_of(char *(*name)(void)) {
    static int loaded;
    return (struct be_host_libraries){
        .blas = {.handle = &loaded, .bli_info_get_version_str = name}};
}

static enum be_status is_ready(const struct be_host_libraries *library, int members,
                               struct be_error *failure) {
    (void)members;
    return library->blas.bli_info_get_version_str == lacking
               ? be_fail(failure, BE_ABSENT, "no LAPACK")
               : BE_OK;
}

static void calls_library(const struct be_work *work) {
    const struct timespec slowly = {.tv_nsec = 5 * 1000 * 1000};
    assert_true(work->library->blas.bli_info_get_version_str != lacking);
    if (work->library->blas.bli_info_get_version_str == slow) {
        nanosleep(&slowly, NULL);
    }
    be_workload_multiply.variant[0].host(work);
}

static void expect_taken(const struct be_host_libraries *library, int libraries,
                         const char *taken) {
    struct odd odd;
    struct bench b;
    struct be_place place = cpu;
    set_odd(&odd, &be_workload_multiply);
    odd.workload.wants_blas = true;
    odd.variant.host = calls_library;
    odd.variant.host_ready = is_ready;
    place.library = library;
    place.libraries = libraries;
    open_bench(&b, &place, &odd.workload, 1000, 1);
    start_case(&b, BE_HOST, BE_HOT);
    be_case_choose_library(&b.c, &host_clock);
    be_case_check(&b.c, &host_clock);
    assert_int_equal(b.c.result.status, BE_RESULT_OK);
    assert_string_equal(b.c.result.library, taken);
    close_bench(&b);
}

static void test_fastest(void **state) {
    (void)state;
    const struct be_host_libraries all[] = {library_of(lacking), library_of(slow),
                                            library_of(quick)};
    const struct be_host_libraries turned[] = {all[2], all[1]};
    expect_taken(all, 3, "BLIS quick");
    expect_taken(all, 2, "BLIS slow");
    expect_taken(turned, 2, "BLIS quick");
    expect_taken(&all[1], 1, "BLIS slow");
}

/* Where a case calls none, none is named. */
static void test_none(void **state) {
    (void)state;
    struct bench b;
    const struct be_host_libraries one = library_of(quick);
    struct be_place place = cpu;
    place.library = &one;
    place.libraries = 1;
    open_bench(&b, &place, &be_workload_multiply, 1000, 1);
    start_case(&b, BE_HOST, BE_HOT);
    be_case_choose_library(&b.c, &host_clock);
    be_case_check(&b.c, &host_clock);
    assert_string_equal(b.c.result.library, "");
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fastest), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests_name("library of a case", tests, open_places, close_places);
}
