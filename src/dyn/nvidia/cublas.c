#include "dyn/nvidia/cublas.h"

#include "base/error.h"
#include "dyn/nvidia/cuda.h"

#define FN(need, type, name, arguments) {#name, offsetof(struct be_cublas, name), BE_NEED_##need},
static const struct be_symbol symbols[] = {
#include "dyn/nvidia/cublas_list.h"
};
#undef FN

static const char *const files[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                    "libcublas.so", NULL};

enum be_status be_cublas_open(struct be_cublas *table, struct be_error *error) {
    static const struct be_library library = {"the CUDA matrix library cuBLAS", files,
                                              be_cuda_toolkit_folders, symbols, BE_COUNT(symbols)};
    return be_dyn_open(&library, table, &table->handle, error);
}
