/* The system's linear algebra through its table, against results known by hand. A test of something
 * that the library here lacks is skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "host/cores.h"
#include "base/error.h"
#include "dyn/host/blas.h"

static struct be_host_blas blas;

static int start(void **state) {
    struct be_error error;
    (void)state;
    memset(&blas, 0, sizeof blas);
    if (be_host_blas_open(&blas, &error) != BE_OK) {
        print_message("%s\n", error.text);
    }
    return 0;
}

static int end(void **state) {
    (void)state;
    be_dyn_close(blas.handle);
    return 0;
}

static void need(bool here) {
    if (!here) {
        skip();
    }
}

static const int64_t one = 1, two = 2, three = 3;

static void expect_d(const double *got, const double *want, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(got[i] - want[i]) <= 1e-12)) {
            fail_msg("number %zu is %.17g, not %.17g", i, got[i], want[i]);
        }
    }
}

static void expect_s(const float *got, const double *want, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!(fabs((double)got[i] - want[i]) <= 1e-5)) {
            fail_msg("number %zu is %g, not %g", i, (double)got[i], want[i]);
        }
    }
}

/* Column-major: A = [1 3 5; 2 4 6], x = (1, 1, 2), y = 2 A x + y. */
static const double y_after[] = {29, 38};

static void test_gemv(void **state) {
    (void)state;
    need(blas.dgemv_ && blas.sgemv_);
    const double a[] = {1, 2, 3, 4, 5, 6};
    const double x[] = {1, 1, 2};
    const double alpha = 2;
    const double beta = 1;
    double y[] = {1, 2};
    const float a32[] = {1, 2, 3, 4, 5, 6};
    const float x32[] = {1, 1, 2};
    const float alpha32 = 2;
    const float beta32 = 1;
    float y32[] = {1, 2};
    blas.dgemv_("N", &two, &three, &alpha, a, &two, x, &one, &beta, y, &one);
    blas.sgemv_("N", &two, &three, &alpha32, a32, &two, x32, &one, &beta32, y32, &one);
    expect_d(y, y_after, 2);
    expect_s(y32, y_after, 2);
}

/* A product with one column or one row, whichever way the matrix lies: A as above, times (1, 1, 2) or from the left
 * (1, 2). Rows of C lie apart. */
static void test_vectors(void **state) {
    (void)state;
    need(blas.handle);
    const double a[] = {1, 2, 3, 4, 5, 6}, turned[] = {1, 3, 5, 2, 4, 6};
    const float a32[] = {1, 2, 3, 4, 5, 6}, turned32[] = {1, 3, 5, 2, 4, 6};
    const double column[] = {1, 1, 2}, row[] = {1, 2};
    const float row32[] = {1, 2};
    static const double right[] = {14, 18}, left[] = {5, -1, 11, -1, 17};
    for (int turn = 0; turn < 2; turn++) {
        double c[] = {-1, -1, -1, -1, -1};
        float c32[] = {-1, -1, -1, -1, -1};
        struct be_host_gemm gemm = {.wide = true,
                                    .transpose_a = turn,
                                    .m = 2,
                                    .n = 1,
                                    .k = 3,
                                    .alpha = 1,
                                    .a = turn ? turned : a,
                                    .b = column,
                                    .c = c,
                                    .a_stride = turn ? 3 : 2,
                                    .b_stride = 3,
                                    .c_stride = 2};
        be_host_blas_product(&blas, &gemm);
        expect_d(c, right, 2);
        gemm = (struct be_host_gemm){.transpose_b = turn,
                                     .m = 1,
                                     .n = 3,
                                     .k = 2,
                                     .alpha = 1,
                                     .a = row32,
                                     .b = turn ? turned32 : a32,
                                     .c = c32,
                                     .a_stride = 1,
                                     .b_stride = turn ? 3 : 2,
                                     .c_stride = 2};
        be_host_blas_product(&blas, &gemm);
        expect_s(c32, left, 5);
        gemm = (struct be_host_gemm){.wide = true,
                                     .transpose_b = turn,
                                     .m = 1,
                                     .n = 3,
                                     .k = 2,
                                     .alpha = 1,
                                     .a = row,
                                     .b = turn ? turned : a,
                                     .c = c,
                                     .a_stride = 1,
                                     .b_stride = turn ? 3 : 2,
                                     .c_stride = 2};
        c[1] = -1;
        be_host_blas_product(&blas, &gemm);
        expect_d(c, left, 5);
    }
}

/* The lower half of A A^T, and nothing of the upper. */
static const double c_after[] = {35, 44, -1, 56};

static void test_syrk(void **state) {
    (void)state;
    need(blas.dsyrk_ && blas.ssyrk_);
    const double a[] = {1, 2, 3, 4, 5, 6};
    const double alpha = 1;
    const double beta = 0;
    double c[] = {-1, -1, -1, -1};
    const float a32[] = {1, 2, 3, 4, 5, 6};
    const float alpha32 = 1;
    const float beta32 = 0;
    float c32[] = {-1, -1, -1, -1};
    blas.dsyrk_("L", "N", &two, &three, &alpha, a, &two, &beta, c, &two);
    blas.ssyrk_("L", "N", &two, &three, &alpha32, a32, &two, &beta32, c32, &two);
    expect_d(c, c_after, 4);
    expect_s(c32, c_after, 4);
}

/* L = [2 0; 1 4], L x = (2, 9) */
static const double x_after[] = {1, 2};

static void test_trsm(void **state) {
    (void)state;
    need(blas.dtrsm_ && blas.strsm_);
    const double l[] = {2, 1, 0, 4};
    const double alpha = 1;
    double b[] = {2, 9};
    const float l32[] = {2, 1, 0, 4};
    const float alpha32 = 1;
    float b32[] = {2, 9};
    blas.dtrsm_("L", "L", "N", "N", &two, &one, &alpha, l, &two, b, &two);
    blas.strsm_("L", "L", "N", "N", &two, &one, &alpha32, l32, &two, b32, &two);
    expect_d(b, x_after, 2);
    expect_s(b32, x_after, 2);
}

/* A = [0 2; 1 0] needs its pivot; A x = (6, 5). */
static const double solution[] = {5, 3};

static void test_gesv(void **state) {
    (void)state;
    need(blas.dgesv_ && blas.sgesv_);
    double a[] = {0, 1, 2, 0};
    double b[] = {6, 5};
    float a32[] = {0, 1, 2, 0};
    float b32[] = {6, 5};
    int64_t pivot[2];
    int64_t info = 0;
    blas.dgesv_(&two, &one, a, &two, pivot, b, &two, &info);
    assert_int_equal(be_host_blas_info(&info), 0);
    blas.sgesv_(&two, &one, a32, &two, pivot, b32, &two, &info);
    assert_int_equal(be_host_blas_info(&info), 0);
    expect_d(b, solution, 2);
    expect_s(b32, solution, 2);
}

static void test_getrf_and_getrs(void **state) {
    (void)state;
    need(blas.dgetrf_ && blas.dgetrs_ && blas.sgetrf_ && blas.sgetrs_);
    double a[] = {0, 1, 2, 0};
    double b[] = {6, 5};
    float a32[] = {0, 1, 2, 0};
    float b32[] = {6, 5};
    int64_t pivot[2];
    int64_t info = 0;
    blas.dgetrf_(&two, &two, a, &two, pivot, &info);
    assert_int_equal(be_host_blas_info(&info), 0);
    blas.dgetrs_("N", &two, &one, a, &two, pivot, b, &two, &info);
    assert_int_equal(be_host_blas_info(&info), 0);
    blas.sgetrf_(&two, &two, a32, &two, pivot, &info);
    assert_int_equal(be_host_blas_info(&info), 0);
    blas.sgetrs_("N", &two, &one, a32, &two, pivot, b32, &two, &info);
    assert_int_equal(be_host_blas_info(&info), 0);
    expect_d(b, solution, 2);
    expect_s(b32, solution, 2);
}

static void test_info(void **state) {
    (void)state;
    const int64_t wide = -4;
    int64_t narrow = 0;
    const int32_t lower = -4;
    memcpy(&narrow, &lower, sizeof lower); /* as a library with 32-bit integers leaves it */
    assert_int_equal(be_host_blas_info(&wide), -4);
    assert_int_equal(be_host_blas_info(&narrow), -4);
    need(blas.dgetrf_);
    double a[] = {1, 2, 0, 0};
    int64_t pivot[2];
    int64_t info = 0;
    blas.dgetrf_(&two, &two, a, &two, pivot, &info);
    assert_int_equal(be_host_blas_info(&info), 2); /* singular: U(2, 2) is zero */
}

/* Threads of this process that may run on one CPU only; *all: how many there are. */
static int count_pinned(int *all) {
    DIR *folder = opendir("/proc/self/task");
    int pinned = 0;
    *all = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        cpu_set_t set;
        const pid_t thread = (pid_t)atoi(entry->d_name);
        if (thread > 0 && sched_getaffinity(thread, sizeof set, &set) == 0) {
            pinned += CPU_COUNT(&set) == 1;
            ++*all;
        }
    }
    closedir(folder);
    return pinned;
}

/* The environment says one thread (main); all are asked for by one that is pinned. */
static void test_threads(void **state) {
    (void)state;
    enum { ORDER = 256 };
    static double a[3 * ORDER * ORDER];
    const int64_t n = ORDER;
    const double by = 1;
    struct be_error error;
    struct be_cores cores;
    cpu_set_t before, only;
    int all;
    assert_int_equal(be_cores_find(&cores, &error), BE_OK);
    need(blas.openblas_set_num_threads && cores.count > 1);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&only);
    CPU_SET((size_t)cores.cpu[0], &only);
    assert_int_equal(sched_setaffinity(0, sizeof only, &only), 0);
    assert_true(be_host_blas_set_threads(&blas, cores.count));
    blas.dgemm_("N", "N", &n, &n, &n, &by, a, &n, a, &n, &by, a + 2 * n * n, &n);
    const int pinned = count_pinned(&all);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(pinned, 1); /* this one */
    assert_true(all > 1);
}

int main(void) {
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_threads, start, end),
        cmocka_unit_test_setup_teardown(test_gemv, start, end),
        cmocka_unit_test_setup_teardown(test_vectors, start, end),
        cmocka_unit_test_setup_teardown(test_syrk, start, end),
        cmocka_unit_test_setup_teardown(test_trsm, start, end),
        cmocka_unit_test_setup_teardown(test_gesv, start, end),
        cmocka_unit_test_setup_teardown(test_getrf_and_getrs, start, end),
        cmocka_unit_test_setup_teardown(test_info, start, end),
    };
    return cmocka_run_group_tests_name("host BLAS", tests, NULL, NULL);
}
