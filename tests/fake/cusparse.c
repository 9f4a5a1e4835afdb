/* A fake cuSPARSE: row by row, put into the fake driver's stream. Looking at a matrix leaves a mark in
 * the scratch memory, which a product then wants to find there. */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "driver.h"
#include "dyn/nvidia/cusparse.h"

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 3, EXECUTION_FAILED = 6, SCRATCH = 16, SEEN = 0x5e };

struct cusparseContext {
    cudaStream_t stream;
};
struct cusparseSpMatDescr {
    int64_t rows, columns, nonzeros;
    const int32_t *offsets, *indices;
    const void *values;
    cudaDataType type;
    const void *looked; /* at it, with this scratch memory; NULL: nobody has */
};
struct cusparseDnVecDescr {
    int64_t length;
    void *values;
    cudaDataType type;
};

static size_t size_of(cudaDataType type) {
    return type == CUDA_R_64F ? sizeof(double) : sizeof(float);
}

static cusparseStatus_t begin(int at, const void *handle) {
    cusparseStatus_t code = fake_call(at);
    return code == 0 && !handle
               ? fake_misuse(NOT_INITIALIZED, "%s without a handle", fake.function[at].name)
               : code;
}

static void *make(enum be_fake_kind kind, size_t bytes) {
    void *made = calloc(1, bytes);
    if (!made) {
        abort();
    }
    fake.live[kind]++;
    return made;
}

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
    cusparseStatus_t code = fake_call(AT_cusparseCreate);
    *handle = code == 0 ? make(FAKE_SPARSE, sizeof **handle) : NULL;
    return code;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
    cusparseStatus_t code = begin(AT_cusparseDestroy, handle);
    fake.live[FAKE_SPARSE] -= handle != NULL;
    free(handle);
    return code;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
    cusparseStatus_t code = begin(AT_cusparseGetVersion, handle);
    *version = code == 0 ? 12603 : 0;
    return code;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
    cusparseStatus_t code = begin(AT_cusparseSetStream, handle);
    if (code == 0) {
        handle->stream = stream;
    }
    return code;
}

const char *cusparseGetErrorString(cusparseStatus_t status) {
    (void)fake_call(AT_cusparseGetErrorString);
    return status == EXECUTION_FAILED ? "the kernel failed to launch" : "an error";
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nonzeros, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType value_type) {
    cusparseStatus_t code = fake_call(AT_cusparseCreateCsr);
    *matrix = NULL;
    if (code != 0) {
        return code;
    }
    if (rows < 1 || columns < 1 || nonzeros < 1 || offset_type != CUSPARSE_INDEX_32I ||
        index_type != CUSPARSE_INDEX_32I || base != CUSPARSE_INDEX_BASE_ZERO ||
        !driver_holds(offsets, (size_t)(rows + 1) * sizeof(int32_t)) ||
        !driver_holds(indices, (size_t)nonzeros * sizeof(int32_t)) ||
        !driver_holds(values, (size_t)nonzeros * size_of(value_type))) {
        return fake_misuse(INVALID_VALUE, "cusparseCreateCsr of %lld x %lld", (long long)rows,
                           (long long)columns);
    }
    *matrix = make(FAKE_MATRIX, sizeof **matrix);
    **matrix = (struct cusparseSpMatDescr){rows,    columns, nonzeros,   offsets,
                                           indices, values,  value_type, NULL};
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
    cusparseStatus_t code = begin(AT_cusparseDestroySpMat, matrix);
    fake.live[FAKE_MATRIX] -= matrix != NULL;
    free((void *)(uintptr_t)matrix);
    return code;
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t length, void *values,
                                     cudaDataType type) {
    cusparseStatus_t code = fake_call(AT_cusparseCreateDnVec);
    *vector = NULL;
    if (code == 0 && (length < 1 || !driver_holds(values, (size_t)length * size_of(type)))) {
        return fake_misuse(INVALID_VALUE, "cusparseCreateDnVec of %lld", (long long)length);
    }
    if (code == 0) {
        *vector = make(FAKE_VECTOR, sizeof **vector);
        **vector = (struct cusparseDnVecDescr){length, values, type};
    }
    return code;
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
    cusparseStatus_t code = begin(AT_cusparseDestroyDnVec, vector);
    fake.live[FAKE_VECTOR] -= vector != NULL;
    free((void *)(uintptr_t)vector);
    return code;
}

/* ---- products ------------------------------------------------------------------------------- */

/* The scalars are of the type that is computed in. */
static bool is(cudaDataType type, const void *scalar, double value) {
    const float value32 = (float)value;
    return type == CUDA_R_64F ? memcmp(scalar, &value, sizeof value) == 0
                              : memcmp(scalar, &value32, sizeof value32) == 0;
}

static cusparseStatus_t check(int at, cusparseHandle_t handle, cusparseOperation_t turn,
                              const void *alpha, cusparseConstSpMatDescr_t a,
                              cusparseConstDnVecDescr_t x, const void *beta,
                              cusparseConstDnVecDescr_t y, cudaDataType compute,
                              cusparseSpMVAlg_t algorithm) {
    cusparseStatus_t code = begin(at, handle);
    if (code != 0) {
        return code;
    }
    bool good = turn == CUSPARSE_OPERATION_NON_TRANSPOSE && a && x && y &&
                algorithm == CUSPARSE_SPMV_ALG_DEFAULT && x->length == a->columns &&
                y->length == a->rows && a->type == compute && x->type == compute &&
                y->type == compute && is(compute, alpha, 1) && is(compute, beta, 0);
    return good ? CUSPARSE_STATUS_SUCCESS
                : fake_misuse(INVALID_VALUE, "%s of what does not fit", fake.function[at].name);
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t turn,
                                         const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute,
                                         cusparseSpMVAlg_t algorithm, size_t *bytes) {
    *bytes = SCRATCH;
    return check(AT_cusparseSpMV_bufferSize, handle, turn, alpha, a, x, beta, y, compute,
                 algorithm);
}

struct work {
    const int32_t *offsets, *indices;
    const void *values, *x;
    void *y;
    unsigned char *scratch;
    int64_t rows;
    cudaDataType type;
    bool looked;
};

static void run_look(const void *context) {
    struct work w;
    memcpy(&w, context, sizeof w);
    memset(w.scratch, SEEN, SCRATCH);
}

static double number(cudaDataType type, const void *from, int64_t at) {
    return type == CUDA_R_64F ? ((const double *)from)[at] : (double)((const float *)from)[at];
}

static void run_product(const void *context) {
    struct work w;
    memcpy(&w, context, sizeof w);
    bool seen = !w.looked || (w.scratch[0] == SEEN && w.scratch[SCRATCH - 1] == SEEN);
    for (int64_t row = 0; seen && row < w.rows; row++) {
        double sum = 0;
        for (int32_t i = w.offsets[row]; i < w.offsets[row + 1]; i++) {
            sum += number(w.type, w.values, i) * number(w.type, w.x, w.indices[i]);
        }
        if (w.type == CUDA_R_64F) {
            ((double *)w.y)[row] = sum;
        } else {
            ((float *)w.y)[row] = (float)sum;
        }
    }
}

static cusparseStatus_t put(int at, cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                            cusparseConstDnVecDescr_t x, cusparseConstDnVecDescr_t y, void *scratch,
                            void (*run)(const void *context)) {
    const struct work w = {.offsets = a->offsets,
                           .indices = a->indices,
                           .values = a->values,
                           .x = x->values,
                           .y = y->values,
                           .scratch = scratch,
                           .rows = a->rows,
                           .type = a->type,
                           .looked = a->looked == scratch};
    return driver_holds(scratch, SCRATCH) && driver_put(handle->stream, run, &w, sizeof w)
               ? CUSPARSE_STATUS_SUCCESS
               : fake_misuse(EXECUTION_FAILED, "%s without a stream or scratch memory",
                             fake.function[at].name);
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t turn,
                                         const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute,
                                         cusparseSpMVAlg_t algorithm, void *scratch) {
    cusparseStatus_t code =
        check(AT_cusparseSpMV_preprocess, handle, turn, alpha, a, x, beta, y, compute, algorithm);
    if (code == 0) {
        ((struct cusparseSpMatDescr *)(uintptr_t)a)->looked = scratch;
        code = put(AT_cusparseSpMV_preprocess, handle, a, x, y, scratch, run_look);
    }
    return code;
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t turn, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                              const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,
                              cusparseSpMVAlg_t algorithm, void *scratch) {
    cusparseStatus_t code =
        check(AT_cusparseSpMV, handle, turn, alpha, a, x, beta, y, compute, algorithm);
    return code == 0 ? put(AT_cusparseSpMV, handle, a, x, y, scratch, run_product) : code;
}
