/*
 * The vendor's libraries on the fake GPU: what the CUDA backend says when one is absent, lacks a
 * function, or answers with an error.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "device/dnn.h"
#include "harness.h"

static struct be_error error;
static struct be_device *device;
static struct be_buffer buffer;

static int open_gpu(void) {
    struct be_device_info info;
    int count = 0;
    if (be_cuda_ops.probe(&info, 1, &count, &error) != BE_OK || count != 1 ||
        be_cuda_ops.open(&info, NULL, &device, &error) != BE_OK ||
        be_cuda_ops.memory->alloc(device, 4096, &buffer, &error) != BE_OK) {
        print_error("%s\n", error.text);
        return -1;
    }
    return 0;
}

static int start(void **state) {
    (void)state;
    memset(&error, 0, sizeof error);
    fake_reset();
    return open_gpu();
}

static int end(void **state) {
    (void)state;
    be_cuda_ops.memory->release(device, &buffer);
    be_cuda_ops.close(device);
    if (fake_untidy()[0]) {
        print_error("%s\n", fake_untidy());
        return -1;
    }
    return 0;
}

static void expect(enum be_status status, enum be_status wanted, const char *word) {
    if (status != wanted || error.status != wanted || !strstr(error.text, word)) {
        fail_msg("%s with \"%s\" was expected, not %s with \"%s\"", be_status_name(wanted), word,
                 be_status_name(status), error.text);
    }
}

/* Small ones, all in one buffer: nobody looks at the results here. */
static struct be_gemm small_product(void) {
    const struct be_matrix matrix = {&buffer, 0, 8};
    return (struct be_gemm){.precision = BE_FLOAT32,
                            .m = 8,
                            .n = 8,
                            .k = 8,
                            .alpha = 1,
                            .a = matrix,
                            .b = matrix,
                            .c = {&buffer, 1024, 8}};
}

static struct be_lu_batch small_batch(void) {
    return (struct be_lu_batch){.precision = BE_FLOAT64,
                                .order = 2,
                                .count = 3,
                                .a = {&buffer, 0},
                                .b = {&buffer, 1024},
                                .scratch = {&buffer, 2048},
                                .info = {&buffer, 3072}};
}

static struct be_dense small_system(void) {
    return (struct be_dense){.precision = BE_FLOAT64,
                             .order = 2,
                             .right_sides = 1,
                             .a = {&buffer, 0, 2},
                             .b = {&buffer, 512, 2},
                             .pivots = {&buffer, 1024},
                             .scratch = {&buffer, 2048},
                             .info = {&buffer, 3072}};
}

static struct be_csr small_csr(void) {
    return (struct be_csr){.precision = BE_FLOAT32,
                           .rows = 2,
                           .columns = 2,
                           .nonzeros = 2,
                           .offsets = {&buffer, 0},
                           .indices = {&buffer, 512},
                           .values = {&buffer, 1024},
                           .x = {&buffer, 2048},
                           .y = {&buffer, 3072}};
}

/* ---- which they are ------------------------------------------------------------------------- */

static enum be_status open_solver(struct be_solver *solver) {
    return be_cuda_ops.solver->open(device, solver, &error);
}

static enum be_status open_fft(struct be_fft *fft) {
    const struct be_fft_form form = {.rows = 1, .columns = 8, .batch = 1};
    return be_cuda_ops.fft->open(device, &form, fft, &error);
}

static enum be_status open_sparse(struct be_sparse *sparse) {
    const struct be_csr csr = small_csr();
    memset((void *)buffer.handle, 0, 64); /* no numbers in any row */
    return be_cuda_ops.sparse->open(device, &csr, sparse, &error);
}

static void names(void **state) {
    (void)state;
    struct be_solver solver;
    struct be_fft fft;
    struct be_sparse sparse;
    assert_int_equal(open_solver(&solver), BE_OK);
    assert_int_equal(open_fft(&fft), BE_OK);
    assert_int_equal(open_sparse(&sparse), BE_OK);
    assert_string_equal(solver.name, "cuSOLVER 12.0.4");
    assert_string_equal(fft.name, "cuFFT 12.0.0");
    assert_string_equal(sparse.name, "cuSPARSE 12.6.3");
    assert_int_equal(fft.scratch_bytes, 512);
    assert_int_equal(sparse.scratch_bytes, 16);
    be_cuda_ops.sparse->close(device, &sparse);
    be_cuda_ops.fft->close(device, &fft);
    be_cuda_ops.solver->close(device, &solver);
}

static void absent_ones(void **state) {
    (void)state;
    struct be_solver solver;
    struct be_fft fft;
    struct be_sparse sparse;
    fake_absent[FAKE_CUSOLVER] = fake_absent[FAKE_CUFFT] = fake_absent[FAKE_CUSPARSE] = true;
    expect(open_solver(&solver), BE_ABSENT, "cuSOLVER is not here (libcusolver.so.12)");
    expect(open_fft(&fft), BE_ABSENT, "cuFFT is not here (libcufft.so.12)");
    expect(open_sparse(&sparse), BE_ABSENT, "cuSPARSE is not here (libcusparse.so.12)");
    assert_true(solver.handle == 0 && fft.handle == 0 && sparse.handle == 0);
}

/* ---- old ones ------------------------------------------------------------------------------- */

static void old_ones(void **state) {
    (void)state;
    struct be_solver solver;
    struct be_fft fft;
    struct be_sparse sparse;
    fake_lacks[0] = "cusolverDnXgetrf";
    fake_lacks[1] = "cufftMakePlanMany64";
    fake_lacks[2] = "cusparseSpMV";
    expect(open_solver(&solver), BE_ABSENT, "too old: it has no cusolverDnXgetrf");
    expect(open_fft(&fft), BE_ABSENT, "too old: it has no cufftMakePlanMany64");
    expect(open_sparse(&sparse), BE_ABSENT, "too old: it has no cusparseSpMV");
}

static void products_beyond_an_old_library(void **state) {
    (void)state;
    struct be_blas blas;
    struct be_gemm gemm = small_product();
    gemm.n = gemm.k = 1;
    gemm.b.stride = (int64_t)1 << 31;
    fake_lacks[0] = "cublasGemmEx_64";
    assert_int_equal(be_cuda_ops.blas->open(device, &blas, &error), BE_OK);
    expect(be_cuda_ops.blas->gemm(device, &blas, &gemm, &error), BE_ABSENT, "cuBLAS 12");
    gemm.b.stride = ((int64_t)1 << 31) - 1;
    assert_int_equal(be_cuda_ops.blas->gemm(device, &blas, &gemm, &error), BE_OK);
    be_cuda_ops.blas->close(device, &blas);
}

/* Before CUDA 12.6.2 there is only Jacobi's method for batches of matrices of any order. */
static void eigenvalues_of_an_old_library(void **state) {
    (void)state;
    struct be_solver solver;
    size_t bytes = 0;
    fake_lacks[0] = "cusolverDnXsyevBatched";
    assert_int_equal(open_solver(&solver), BE_OK);
    assert_int_equal(be_cuda_ops.solver->eigen_scratch_bytes(device, &solver, BE_FLOAT64, 100, 1,
                                                             &bytes, &error),
                     BE_OK);
    assert_int_equal(fake_calls("cusolverDnXsyevBatched_bufferSize"), 0);
    assert_int_equal(fake_calls("cusolverDnDsyevjBatched_bufferSize"), 1);
    be_cuda_ops.solver->close(device, &solver);
}

/* Without looking first the product is as right. */
static void a_library_that_does_not_look(void **state) {
    (void)state;
    struct be_sparse sparse;
    fake_lacks[0] = "cusparseSpMV_preprocess";
    assert_int_equal(open_sparse(&sparse), BE_OK);
    assert_int_equal(fake_calls("cusparseSpMV_preprocess"), 0);
    assert_int_equal(be_cuda_ops.sparse->multiply(device, &sparse, &error), BE_OK);
    assert_int_equal(be_cuda_ops.queue->drain(device, BE_QUEUE_WORK, &error), BE_OK);
    assert_int_equal(*(const uint32_t *)(buffer.handle + 3072), 0);
    be_cuda_ops.sparse->close(device, &sparse);
}

/* ---- what they answer ----------------------------------------------------------------------- */

struct answer {
    int code;
    enum be_status status;
    const char *text;
};

static void what_cublas_answers(void **state) {
    (void)state;
    static const struct answer answers[] = {
        {3, BE_NOMEM, "(cuBLAS error 3)"},
        {15, BE_ABSENT, "(cuBLAS error 15)"},
        {13, BE_DRIVER, "failed to execute"},
    };
    struct be_blas blas;
    const struct be_lu_batch batch = small_batch();
    const struct be_gemm gemm = small_product();
    assert_int_equal(be_cuda_ops.blas->open(device, &blas, &error), BE_OK);
    for (size_t i = 0; i < BE_COUNT(answers); i++) {
        const struct answer *a = &answers[i];
        fake_fail("cublasGemmEx", 1, 100, a->code);
        expect(be_cuda_ops.blas->gemm(device, &blas, &gemm, &error), a->status, a->text);
        assert_non_null(strstr(error.text, "cublasGemmEx of 8 x 8 x 8 float32"));
        fake_fail("cublasDgetrfBatched", 1, 100, a->code);
        expect(be_cuda_ops.blas->lu_batched(device, &blas, &batch, 0, 3, &error), a->status,
               a->text);
        assert_non_null(strstr(error.text, "3 systems of order 2: cublasDgetrfBatched"));
    }
    be_cuda_ops.blas->close(device, &blas);
}

static void what_cusolver_answers(void **state) {
    (void)state;
    static const struct answer answers[] = {
        {2, BE_NOMEM, "out of memory (cuSOLVER error 2)"},
        {4, BE_ABSENT, "not on this device"},
        {9, BE_ABSENT, "not supported"},
        {7, BE_DRIVER, "internal error"},
        {99, BE_DRIVER, "failed (cuSOLVER error 99)"},
    };
    struct be_solver solver;
    const struct be_dense dense = small_system();
    size_t bytes = 0;
    assert_int_equal(open_solver(&solver), BE_OK);
    expect(be_cuda_ops.solver->lu_solve(device, &solver, &dense, &error), BE_USAGE,
           "ask scratch_bytes first");
    assert_int_equal(
        be_cuda_ops.solver->scratch_bytes(device, &solver, BE_FLOAT64, 2, &bytes, &error), BE_OK);
    assert_int_equal(bytes, 256);
    for (size_t i = 0; i < BE_COUNT(answers); i++) {
        fake_fail("cusolverDnXgetrf", 1, 100, answers[i].code);
        expect(be_cuda_ops.solver->lu_solve(device, &solver, &dense, &error), answers[i].status,
               answers[i].text);
        assert_non_null(strstr(error.text, "order 2: cusolverDnXgetrf"));
    }
    be_cuda_ops.solver->close(device, &solver);
}

static void what_cufft_answers(void **state) {
    (void)state;
    static const struct answer answers[] = {
        {2, BE_NOMEM, "1 x 1 x 8 complex points: out of memory (cuFFT error 2)"},
        {8, BE_ABSENT, "not of this size"},
        {5, BE_DRIVER, "internal error"},
        {99, BE_DRIVER, "failed (cuFFT error 99)"},
    };
    struct be_fft fft;
    for (size_t i = 0; i < BE_COUNT(answers); i++) {
        fake_fail("cufftMakePlanMany64", 1, 100, answers[i].code);
        expect(open_fft(&fft), answers[i].status, answers[i].text);
        assert_int_equal(fft.handle, 0);
    }
}

static void what_cusparse_answers(void **state) {
    (void)state;
    static const struct answer answers[] = {
        {2, BE_NOMEM, "(cuSPARSE error 2)"},
        {11, BE_NOMEM, "(cuSPARSE error 11)"},
        {10, BE_ABSENT, "(cuSPARSE error 10)"},
        {6, BE_DRIVER, "failed to launch"},
    };
    struct be_sparse sparse;
    for (size_t i = 0; i < BE_COUNT(answers); i++) {
        fake_fail("cusparseSpMV_preprocess", 1, 100, answers[i].code);
        expect(open_sparse(&sparse), answers[i].status, answers[i].text);
        assert_int_equal(sparse.handle, 0);
    }
    fake_lacks[0] = "cusparseGetErrorString";
    expect(open_sparse(&sparse), BE_DRIVER, "cusparseSpMV_preprocess: failed (cuSPARSE error 6)");
}

/* A form of convolutions that all devices have. */
static enum be_status prepare(const struct be_dnn *dnn, enum be_precision precision,
                              struct be_convolution *convolution) {
    const struct be_convolution_form form = {precision, 2, 3, 5, 5, 4, 3, 1, 1};
    return be_cuda_ops.dnn->prepare(device, dnn, &form, 4096, convolution, &error);
}

static void what_cudnn_answers(void **state) {
    (void)state;
    static const struct answer answers[] = {
        {1002, BE_ABSENT, "several versions: install one package"},
        {1008, BE_ABSENT, "missing: install its package again"},
        {3000, BE_ABSENT, "(cuDNN error 3000)"},
        {3005, BE_ABSENT, "the driver is older than this cuDNN"},
        {3007, BE_ABSENT, "no code for this GPU"},
        {4004, BE_NOMEM, "take a smaller batch"},
        {5000, BE_DRIVER, "CUDNN_STATUS_EXECUTION_FAILED (cuDNN error 5000)"},
    };
    struct be_dnn dnn;
    struct be_convolution convolution;
    assert_int_equal(be_cuda_ops.dnn->open(device, &dnn, &error), BE_OK);
    assert_string_equal(dnn.name, "cuDNN 9.10.2");
    for (size_t i = 0; i < BE_COUNT(answers); i++) {
        fake_fail("cudnnGetConvolutionForwardAlgorithm_v7", 1, 100, answers[i].code);
        expect(prepare(&dnn, BE_FLOAT32, &convolution), answers[i].status, answers[i].text);
        assert_non_null(strstr(error.text, "convolution of 2 x 3 x 5 x 5 by 4 of 3 x 3: "
                                           "cudnnGetConvolutionForwardAlgorithm_v7"));
        assert_int_equal(convolution.handle, 0);
    }
    be_cuda_ops.dnn->close(device, &dnn);
    fake_absent[FAKE_CUDNN] = true;
    expect(be_cuda_ops.dnn->open(device, &dnn, &error), BE_ABSENT,
           "cuDNN is not here (libcudnn.so.9): install it with pip (nvidia-cudnn-cu13");
    assert_int_equal(dnn.handle, 0);
}

/* The fake's fastest one does not repeat, and its second one wants more than there is. */
static void convolutions_repeat_or_are_refused(void **state) {
    (void)state;
    struct be_dnn dnn;
    struct be_convolution convolution;
    const struct be_convolution_form form = {BE_FLOAT32, 2, 3, 5, 5, 4, 3, 1, 1};
    assert_int_equal(be_cuda_ops.dnn->open(device, &dnn, &error), BE_OK);
    assert_int_equal(prepare(&dnn, BE_FLOAT32, &convolution), BE_OK);
    assert_int_equal(convolution.scratch_bytes, 512);
    be_cuda_ops.dnn->forget(device, &dnn, &convolution);
    expect(be_cuda_ops.dnn->prepare(device, &dnn, &form, 100, &convolution, &error), BE_ABSENT,
           "no algorithm for it that repeats to the bit");
    be_cuda_ops.dnn->close(device, &dnn);
}

/* A larger system needs more of the host's memory, while a smaller one may still be in the queue. */
static void a_larger_system_after_a_smaller(void **state) {
    (void)state;
    struct be_solver solver;
    const struct be_dense dense = small_system();
    size_t bytes = 0;
    const double a[] = {2, 0, 0, 4};
    memcpy((void *)buffer.handle, a, sizeof a);
    memcpy((void *)(buffer.handle + 512), a, 2 * sizeof *a);
    assert_int_equal(open_solver(&solver), BE_OK);
    for (int64_t order = 2; order <= 32; order += 30) {
        assert_int_equal(
            be_cuda_ops.solver->scratch_bytes(device, &solver, BE_FLOAT64, order, &bytes, &error),
            BE_OK);
        assert_int_equal(be_cuda_ops.solver->lu_solve(device, &solver, &dense, &error), BE_OK);
    }
    be_cuda_ops.solver->close(device, &solver); /* with the second one not yet done */
    assert_int_equal(be_cuda_ops.queue->drain(device, BE_QUEUE_WORK, &error), BE_OK);
}

/* ---- matrix products ------------------------------------------------------------------------ */

static void names_its_matrix_library(void **state) {
    (void)state;
    struct be_blas blas = {0};
    assert_int_equal(be_cuda_ops.blas->open(device, &blas, &error), BE_OK);
    assert_string_equal(blas.name, "cuBLAS 13.0.2");
    assert_true(blas.open_s >= 0);
    be_cuda_ops.blas->close(device, &blas);
    fake_absent[FAKE_CUBLAS] = true;
    expect(be_cuda_ops.blas->open(device, &blas, &error), BE_ABSENT,
           "cuBLAS is not here (libcublas.so.13)");
    assert_int_equal(blas.handle, 0);
}

static enum be_status multiply(enum be_precision precision) {
    struct be_blas blas = {0};
    assert_int_equal(be_cuda_ops.blas->open(device, &blas, &error), BE_OK);
    const struct be_gemm gemm = be_gemm_square(precision, 8, &buffer, &buffer, &buffer);
    enum be_status status = be_cuda_ops.blas->gemm(device, &blas, &gemm, &error);
    be_cuda_ops.blas->close(device, &blas);
    return status;
}

static void precisions_an_old_device_lacks(void **state) {
    assert_int_equal(end(state), 0);
    fakes[FAKE_CUDA]->major = 7;
    assert_int_equal(open_gpu(), 0);
    assert_int_equal(multiply(BE_FLOAT64), BE_OK);
    assert_int_equal(multiply(BE_FLOAT32), BE_OK);
    assert_int_equal(multiply(BE_FLOAT16), BE_OK);
    expect(multiply(BE_TF32), BE_ABSENT, "tf32 needs compute capability 8.0");
    struct be_dnn dnn;
    struct be_convolution convolution;
    assert_int_equal(be_cuda_ops.dnn->open(device, &dnn, &error), BE_OK);
    expect(prepare(&dnn, BE_TF32, &convolution), BE_ABSENT, "tf32 needs compute capability 8.0");
    be_cuda_ops.dnn->close(device, &dnn);
    expect(multiply(BE_BFLOAT16), BE_ABSENT, "bfloat16 needs compute capability 8.0");
    assert_non_null(strstr(error.text, "has 7.0"));
}

static void what_the_library_answers(void **state) {
    (void)state;
    static const struct {
        int code;
        enum be_status status;
    } answer[] = {{3, BE_NOMEM}, {8, BE_ABSENT}, {15, BE_ABSENT}, {13, BE_DRIVER}};
    for (size_t i = 0; i < BE_COUNT(answer); i++) {
        fake_fail("cublasGemmEx", 1, 100, answer[i].code);
        expect(multiply(BE_FLOAT16), answer[i].status, "cublasGemmEx of 8 x 8 x 8 float16");
    }
    assert_non_null(strstr(error.text, "failed to execute (cuBLAS error 13)"));
    fake_lacks[0] = "cublasGetStatusString";
    expect(multiply(BE_FLOAT16), BE_DRIVER, "(cuBLAS error 13)");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(names),
        TEST(absent_ones),
        TEST(old_ones),
        TEST(products_beyond_an_old_library),
        TEST(eigenvalues_of_an_old_library),
        TEST(a_library_that_does_not_look),
        TEST(what_cublas_answers),
        TEST(what_cusolver_answers),
        TEST(what_cufft_answers),
        TEST(what_cusparse_answers),
        TEST(what_cudnn_answers),
        TEST(convolutions_repeat_or_are_refused),
        TEST(a_larger_system_after_a_smaller),
        TEST(names_its_matrix_library),
        TEST(precisions_an_old_device_lacks),
        TEST(what_the_library_answers),
    };
    fake_open_all();
    return cmocka_run_group_tests_name("cuda libraries on a fake GPU", tests, NULL, NULL);
}
