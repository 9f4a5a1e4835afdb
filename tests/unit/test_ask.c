/* Kinds of work: the table that is shipped, tables that are wrong, and sums of samples. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ask/ask.h"
#include "assert_near.h"
#include "base/error.h"

/* ---- the table ------------------------------------------------------------------------------ */

static const char *kind_of(const struct be_kinds *kinds, const char *path, const char *symbol,
                           const char *beside) {
    const struct be_kind_rule *rule = be_kinds_find(kinds, path, symbol, &beside, beside != NULL);
    return rule ? be_work_kinds[rule->kind].word : "none";
}

static void test_functions_have_their_kinds(void **state) {
    (void)state;
    static const struct {
        const char *path, *symbol, *beside, *kind;
    } known[] = {
        {"/v/numpy.libs/libscipy_openblas64_-32a4b2a6.so", "dgemm_kernel_SKYLAKEX", NULL, "matrix"},
        {"/v/numpy.libs/libscipy_openblas64_-32a4b2a6.so", "dgetrf_single", NULL, "lapack"},
        {"/v/numpy.libs/libscipy_openblas64_-32a4b2a6.so", "scipy_dlasd3_64_", NULL, "lapack"},
        {"/v/numpy.libs/libscipy_openblas64_-32a4b2a6.so", "dgemv_n_SKYLAKEX", NULL, "matrix"},
        {"/v/numpy.libs/libscipy_openblas64_-32a4b2a6.so", "ddot_k_SKYLAKEX", NULL, "reduction"},
        {"/v/numpy.libs/libscipy_openblas64_-32a4b2a6.so", "blas_thread_server", NULL, "spinning"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so", "DOUBLE_add_X86_V3",
         NULL, "elementwise"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so", "DOUBLE_pairwise_sum",
         NULL, "reduction"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so",
         "_Z10quicksort_IN3npy10double_tagEdEiPT0_l", NULL, "sort"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so", "mapiter_get", NULL,
         "gather"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so", "DOUBLE_to_FLOAT",
         NULL, "copy"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so",
         "PyArray_NewFromDescr_int", NULL, "calls"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so",
         "_Z10sort_n_vecI10zmm_vectorIdE10ComparatorIS1_Lb0EELi32EDv8_dEvPNT_6type_tEi", NULL,
         "sort"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so", "arr_interp", NULL,
         "gather"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so", "double_multiply",
         NULL, "interpreter"}, /* of one number */
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so",
         "double_sum_of_products_contig_two", NULL, "reduction"},
        {"/v/numpy/random/_generator.cpython-311-x86_64-linux-gnu.so", "random_standard_normal",
         NULL, "random"},
        {"/v/numpy/fft/_pocketfft_umath.cpython-311-x86_64-linux-gnu.so", "", NULL, "fft"},
        {"/v/scipy/sparse/_sparsetools.cpython-311-x86_64-linux-gnu.so", "", NULL, "sparse"},
        {"/v/pandas/_libs/parsers.cpython-311-x86_64-linux-gnu.so", "", NULL, "parsing"},
        {"/usr/lib/libpython3.11.so.1.0", "_PyEval_EvalFrameDefault", NULL, "interpreter"},
        {"/usr/bin/python3.11", "", NULL, "interpreter"},
        {"/usr/lib/x86_64-linux-gnu/libfftw3.so.3.6.9", "n1fv_64", NULL, "fft"},
        {"/usr/lib/x86_64-linux-gnu/libc.so.6", "__memmove_avx512_unaligned_erms", NULL, "copy"},
        {"/usr/lib/x86_64-linux-gnu/libc.so.6", "", NULL, "copy"},
        {"/usr/lib/x86_64-linux-gnu/libm.so.6", "__exp_fma", NULL, "elementwise"},
        {"/usr/lib/x86_64-linux-gnu/libz.so.1.2.13", "", NULL, "parsing"},
        {"/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0", "", NULL, "spinning"},
        {"/x/site-packages/torch/lib/libgomp.so.1", "", NULL, "spinning"},
        {"/usr/lib/x86_64-linux-gnu/libmpi.so.40", "", NULL, "communication"},
        {"/usr/lib/R/lib/libR.so", "bcEval", NULL, "interpreter"},
        {"/usr/lib/R/lib/libR.so", "", NULL, "own"}, /* or loops over vectors */
        {"/usr/lib/R/lib/libR.so", "real_binary", NULL, "elementwise"},
        {"[memory]", "", "/usr/lib/jvm/lib/server/libjvm.so", "own"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so", "PyArray_Where", NULL,
         "elementwise"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so", "PyUFunc_D_D", NULL,
         "elementwise"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so",
         "npyiter_copy_to_buffers", NULL, "copy"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so",
         "prepare_index_noarray", NULL, "interpreter"},
        {"/v/numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so",
         "ufunc_generic_fastcall", NULL, "calls"},
        {"/v/torch/lib/libtorch_cpu.so", "_ZN3abc", NULL, "own"},
        {"/v/jaxlib/libjax_common.so", "_ZNO3xla26CpuPjRtRawLoadedExecutable7ExecuteEv", NULL,
         "interpreter"},
        {"/v/jaxlib/libjax_common.so", "fast_loop", NULL, "own"},
        {"[memory]", "", "/v/llvmlite/binding/libllvmlite.so", "own"},
        {"[memory]", "", "/v/jaxlib/libjax_common.so", "elementwise"},
        {"[memory]", "", "/usr/lib/x86_64-linux-gnu/libc.so.6", "unknown"},
        {"[kernel]", "", NULL, "kernel"},
        {"/home/u/simulate", "step", NULL, "own"},
        {"/home/u/static", "cblas_dgemm", NULL, "matrix"},
        {"/usr/lib/x86_64-linux-gnu/libnobody.so.1", "f", NULL, "unknown"},
    };
    struct be_kinds kinds;
    struct be_error error = {0};
    assert_int_equal(be_kinds_load(&kinds, &error), BE_OK);
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        const char *kind = kind_of(&kinds, known[i].path, known[i].symbol, known[i].beside);
        if (strcmp(kind, known[i].kind) != 0) {
            fail_msg("%s: %s: %s, not %s", known[i].path, known[i].symbol, kind, known[i].kind);
        }
    }
    be_kinds_free(&kinds);
}

static void test_wrong_tables_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", "a list `rules` is needed"},
        {"{\"rules\":7}", "a list `rules` is needed"},
        {"{\"rules\":[7]}", "rules[0].kind"},
        {"{\"rules\":[{\"library\":\"x\",\"kind\":\"gold\",\"source\":\"y\"}]}", "rules[0].kind"},
        {"{\"rules\":[{\"kind\":\"fft\",\"source\":\"y\"}]}", "library is needed"},
        {"{\"rules\":[{\"library\":[],\"kind\":\"fft\",\"source\":\"y\"}]}", "library"},
        {"{\"rules\":[{\"library\":[\"x\",1],\"kind\":\"fft\",\"source\":\"y\"}]}", "library"},
        {"{\"rules\":[{\"library\":\"x\",\"kind\":\"fft\"}]}", "rules[0].source"},
    };
    for (size_t i = 0; i < BE_COUNT(wrong); i++) {
        struct be_kinds kinds;
        struct be_error error = {0};
        assert_int_equal(be_kinds_read(wrong[i].text, "t", &kinds, &error), BE_USAGE);
        assert_non_null(strstr(error.text, wrong[i].says));
        assert_null(kinds.rule);
    }
}

/* ---- sums ----------------------------------------------------------------------------------- */

static struct be_sample_file file[] = {
    {.path = (char *)(uintptr_t) "[kernel]"},
    {.path = (char *)(uintptr_t) "/l/libopenblas.so.0"},
    {.path = (char *)(uintptr_t) "/l/libpython3.11.so.1.0"},
    {.path = (char *)(uintptr_t) "/home/u/gone.so", .missing = true},
};

static const struct be_sample_place place[] = {
    {.file = 1, .symbol = "dgemm_kernel", .samples = 800, .cpu_s = 4, .wall_s = 2},
    {.file = 2, .symbol = "_PyEval_EvalFrameDefault", .samples = 200, .cpu_s = 1, .wall_s = 1},
    {.file = 1, .symbol = "dgemm_oncopy", .samples = 100, .cpu_s = 0.5, .wall_s = 0.25},
    {.file = 3, .symbol = "", .samples = 50, .cpu_s = 0.25, .wall_s = 0.25},
};

static const struct be_samples_taken taken = {.samples = 1150,
                                              .rate_hz = BE_SAMPLE_HZ,
                                              .cpu_s = 5.75,
                                              .wall_s = 3.5,
                                              .file = file,
                                              .files = 4,
                                              .place = place,
                                              .places = BE_COUNT(place)};

static void sum(const struct be_ask_run *run, struct be_ask *ask) {
    struct be_kinds kinds;
    struct be_error error = {0};
    assert_int_equal(be_kinds_load(&kinds, &error), BE_OK);
    assert_int_equal(be_ask_sum(&taken, &kinds, run, ask, &error), BE_OK);
    be_kinds_free(&kinds);
}

static double sum_of(const double *value) {
    double all = 0;
    for (int i = 0; i < BE_WORK_KINDS; i++) {
        all += value[i];
    }
    return all;
}

static void test_time_is_summed_by_kind(void **state) {
    (void)state;
    const struct be_ask_run run = {.elapsed_s = 5, .user_s = 5.75, .system_s = 0.5};
    struct be_ask ask;
    sum(&run, &ask);
    assert_near(ask.cpu_s[BE_WORK_MATRIX], 4.5);
    assert_near(ask.wall_s[BE_WORK_MATRIX], 2.25);
    assert_near(ask.cpu_s[BE_WORK_INTERPRETER], 1);
    assert_near(ask.cpu_s[BE_WORK_OWN], 0.25);
    assert_near(ask.cpu_s[BE_WORK_KERNEL], 0.5); /* counted */
    assert_near(ask.wall_s[BE_WORK_WAITING], 5 - 3.5 - 0.5);
    assert_near(sum_of(ask.wall_s), 5);
    assert_near(ask.known, 1);
    assert_int_equal(ask.missing, 1);
    assert_string_equal(ask.part[0].function, "dgemm_kernel");
    be_ask_free(&ask);
}

static void test_time_without_samples_is_unknown(void **state) {
    (void)state;
    const struct be_ask_run run = {.elapsed_s = 10, .user_s = 8.75, .system_s = 0};
    struct be_ask ask;
    sum(&run, &ask);
    assert_near(ask.cpu_s[BE_WORK_UNKNOWN], 3);
    assert_near(ask.known, 1 - 3 / 8.75);
    assert_near(sum_of(ask.wall_s), 10);
    be_ask_free(&ask);
}

static void test_short_processes_stay(void **state) {
    (void)state;
    const struct be_ask_run run = {.elapsed_s = 10, .user_s = 6};
    const struct be_kinds none = {0};
    struct be_samples_taken few = {.kernel = true, .rate_hz = BE_SAMPLE_HZ, .processes = 199 * 4};
    struct be_ask ask;
    struct be_error error = {0};
    assert_int_equal(be_ask_sum(&few, &none, &run, &ask, &error), BE_OK);
    assert_near(ask.cpu_s[BE_WORK_LOADING], 4);
    assert_near(ask.cpu_s[BE_WORK_UNKNOWN], 2);
    assert_near(sum_of(ask.wall_s), 10);
    be_ask_free(&ask);
}

static void test_waiting_for_cores_is_left_out(void **state) {
    (void)state;
    struct be_ask_run run = {.elapsed_s = 10, .user_s = 5.75, .system_s = 0, .core_wait_s = 4};
    struct be_ask ask;
    sum(&run, &ask);
    assert_near(ask.own_s, 6);
    assert_near(ask.wall_s[BE_WORK_WAITING], 2.5);
    be_ask_free(&ask);
    run.core_wait_s = 100; /* of many threads together */
    sum(&run, &ask);
    assert_near(ask.own_s, 3.5);
    be_ask_free(&ask);
}

static void test_nothing_sampled_says_why(void **state) {
    (void)state;
    const struct be_ask_run run = {.elapsed_s = 2, .user_s = 1, .system_s = 0.5};
    struct be_ask ask;
    struct be_error error = {0};
    assert_int_equal(be_ask_unsampled(&run, "it is forbidden", &ask, &error), BE_OK);
    assert_string_equal(ask.unsampled, "it is forbidden");
    assert_true(isnan(ask.known));
    assert_near(ask.cpu_s[BE_WORK_UNKNOWN], 1.5);
    be_ask_free(&ask);
}

static void test_names_of_cpp_are_plain(void **state) {
    (void)state;
    static const struct {
        const char *symbol, *plain;
    } name[] = {
        {"_ZNK9pocketfft6detail5rfftpIdE4execIdEEvPT_db", "pocketfft::detail::rfftp::exec"},
        {"_ZN3sim4GridIfE5sweepEv", "sim::Grid::sweep"},
        {"_ZN1aILi3ENS_1bIdEEE1cEv", "a::c"},
        {"_ZN1aIN", "a"},
        {"_Z18partition_unrolledI10zmm_vector", "partition_unrolled"},
        {"_ZSt4sortIPdEvT_S1_", "sort"},
        {"_Z99short", "_Z99short"},
        {"_Z", "_Z"},
        {"plain", "plain"},
    };
    for (size_t i = 0; i < BE_COUNT(name); i++) {
        struct be_sample_place one = {.file = 1, .samples = 1000, .cpu_s = 5, .wall_s = 5};
        const struct be_ask_run run = {.elapsed_s = 5, .user_s = 5};
        const struct be_kinds none = {0};
        struct be_ask ask;
        struct be_error error = {0};
        be_copy_text(one.symbol, sizeof one.symbol, name[i].symbol);
        const struct be_samples_taken single = {.samples = 1000,
                                                .rate_hz = BE_SAMPLE_HZ,
                                                .cpu_s = 5,
                                                .wall_s = 5,
                                                .kernel = true,
                                                .file = file,
                                                .files = 4,
                                                .place = &one,
                                                .places = 1};
        assert_int_equal(be_ask_sum(&single, &none, &run, &ask, &error), BE_OK);
        assert_string_equal(ask.part[0].function, name[i].plain);
        be_ask_free(&ask);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_have_their_kinds),
        cmocka_unit_test(test_wrong_tables_are_refused),
        cmocka_unit_test(test_time_is_summed_by_kind),
        cmocka_unit_test(test_time_without_samples_is_unknown),
        cmocka_unit_test(test_short_processes_stay),
        cmocka_unit_test(test_waiting_for_cores_is_left_out),
        cmocka_unit_test(test_nothing_sampled_says_why),
        cmocka_unit_test(test_names_of_cpp_are_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
