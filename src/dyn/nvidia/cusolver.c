#include "dyn/nvidia/cusolver.h"

#include "base/error.h"
#include "dyn/nvidia/cuda.h"

#define FN(need, type, name, arguments) {#name, offsetof(struct be_cusolver, name), BE_NEED_##need},
static const struct be_symbol symbols[] = {
#include "dyn/nvidia/cusolver_list.h"
};
#undef FN

static const char *const files[] = {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so",
                                    NULL};

enum be_status be_cusolver_open(struct be_cusolver *table, struct be_error *error) {
    static const struct be_library library = {"the CUDA solver library cuSOLVER", files,
                                              be_cuda_toolkit_folders, symbols, BE_COUNT(symbols)};
    return be_dyn_open(&library, table, &table->handle, error);
}
