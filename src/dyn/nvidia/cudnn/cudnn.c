#include "dyn/nvidia/cudnn/cudnn.h"

#include "base/error.h"

#define FN(need, type, name, arguments) {#name, offsetof(struct be_cudnn, name), BE_NEED_##need},
static const struct be_symbol symbols[] = {
#include "dyn/nvidia/cudnn/cudnn_list.h"
};
#undef FN

static const char *const files[] = {"libcudnn.so.9", NULL};

/* The toolkit does not bring it: beside the toolkit's own folders, those of NVIDIA's packages for Python. */
#define WHEEL "/lib/python3*/site-packages/nvidia/cudnn/lib"
static const char *const folders[] = {"$CUDNN_HOME/lib",    "$CUDNN_HOME/lib64",
                                      "$CUDA_HOME/lib64",   "$CUDA_PATH/lib64",
                                      "$CONDA_PREFIX/lib",  "/usr/local/cuda/lib64",
                                      "$VIRTUAL_ENV" WHEEL, "$CONDA_PREFIX" WHEEL,
                                      "$HOME/.local" WHEEL, NULL};

enum be_status be_cudnn_open(struct be_cudnn *table, struct be_error *error) {
    static const struct be_library library = {"NVIDIA's library of neural networks cuDNN", files,
                                              folders, symbols, BE_COUNT(symbols)};
    const enum be_status status = be_dyn_open(&library, table, &table->handle, error);
    if (status == BE_ABSENT) {
        struct be_error why = *error;
        be_fail(
            error, BE_ABSENT,
            "%s: install it with pip (nvidia-cudnn-cu13, or -cu12 for a driver of CUDA 12), and "
            "name its folder in LD_LIBRARY_PATH where no environment is active",
            why.text);
    }
    return status;
}
