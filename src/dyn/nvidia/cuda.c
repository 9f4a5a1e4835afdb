#include "dyn/nvidia/cuda.h"

#include "base/error.h"

#define FN(need, type, name, arguments) {#name, offsetof(struct be_cuda, name), BE_NEED_##need},
static const struct be_symbol cuda_symbols[] = {
#include "dyn/nvidia/cuda_list.h"
};
#undef FN

#define FN(need, type, name, arguments) {#name, offsetof(struct be_nvrtc, name), BE_NEED_##need},
static const struct be_symbol nvrtc_symbols[] = {
#include "dyn/nvidia/nvrtc_list.h"
};
#undef FN

#define FN(need, type, name, arguments) {#name, offsetof(struct be_nvml, name), BE_NEED_##need},
static const struct be_symbol nvml_symbols[] = {
#include "dyn/nvidia/nvml_list.h"
};
#undef FN

static const char *const cuda_files[] = {"libcuda.so.1", "libcuda.so", NULL};
static const char *const nvrtc_files[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                          "libnvrtc.so", NULL};
static const char *const nvml_files[] = {"libnvidia-ml.so.1", "libnvidia-ml.so", NULL};

const char *const be_cuda_toolkit_folders[] = {"$CUDA_HOME/lib64",
                                               "$CUDA_PATH/lib64",
                                               "$CUDA_HOME/lib",
                                               "$CONDA_PREFIX/lib",
                                               "/usr/local/cuda/lib64",
                                               "/usr/local/cuda/lib",
                                               NULL};

enum be_status be_cuda_open(struct be_cuda *table, struct be_error *error) {
    static const struct be_library library = {"the CUDA driver", cuda_files, NULL, cuda_symbols,
                                              BE_COUNT(cuda_symbols)};
    return be_dyn_open(&library, table, &table->handle, error);
}

enum be_status be_nvrtc_open(struct be_nvrtc *table, struct be_error *error) {
    static const struct be_library library = {"the CUDA run-time compiler NVRTC", nvrtc_files,
                                              be_cuda_toolkit_folders, nvrtc_symbols,
                                              BE_COUNT(nvrtc_symbols)};
    return be_dyn_open(&library, table, &table->handle, error);
}

enum be_status be_nvml_open(struct be_nvml *table, struct be_error *error) {
    static const struct be_library library = {"the NVIDIA management library", nvml_files, NULL,
                                              nvml_symbols, BE_COUNT(nvml_symbols)};
    return be_dyn_open(&library, table, &table->handle, error);
}
