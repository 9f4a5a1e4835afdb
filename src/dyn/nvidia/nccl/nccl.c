#include "dyn/nvidia/nccl/nccl.h"

#include "base/error.h"
#include "dyn/nvidia/cuda.h"

#define FN(need, type, name, arguments) {#name, offsetof(struct be_nccl, name), BE_NEED_##need},
static const struct be_symbol symbols[] = {
#include "dyn/nvidia/nccl/nccl_list.h"
};
#undef FN

static const char *const files[] = {"libnccl.so.2", "libnccl.so", NULL};

enum be_status be_nccl_open(struct be_nccl *table, struct be_error *error) {
    static const struct be_library library = {"NVIDIA's library for several GPUs, NCCL,", files,
                                              be_cuda_toolkit_folders, symbols, BE_COUNT(symbols)};
    return be_dyn_open(&library, table, &table->handle, error);
}
