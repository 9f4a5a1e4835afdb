#include "dyn/nvidia/cusparse.h"

#include "base/error.h"
#include "dyn/nvidia/cuda.h"

#define FN(need, type, name, arguments) {#name, offsetof(struct be_cusparse, name), BE_NEED_##need},
static const struct be_symbol symbols[] = {
#include "dyn/nvidia/cusparse_list.h"
};
#undef FN

static const char *const files[] = {"libcusparse.so.12", "libcusparse.so.11", "libcusparse.so",
                                    NULL};

enum be_status be_cusparse_open(struct be_cusparse *table, struct be_error *error) {
    static const struct be_library library = {"the CUDA sparse matrix library cuSPARSE", files,
                                              be_cuda_toolkit_folders, symbols, BE_COUNT(symbols)};
    return be_dyn_open(&library, table, &table->handle, error);
}
