#include "dyn/nvidia/cufft.h"

#include "base/error.h"
#include "dyn/nvidia/cuda.h"

#define FN(need, type, name, arguments) {#name, offsetof(struct be_cufft, name), BE_NEED_##need},
static const struct be_symbol symbols[] = {
#include "dyn/nvidia/cufft_list.h"
};
#undef FN

static const char *const files[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so.10",
                                    "libcufft.so", NULL};

enum be_status be_cufft_open(struct be_cufft *table, struct be_error *error) {
    static const struct be_library library = {"the CUDA Fourier transform library cuFFT", files,
                                              be_cuda_toolkit_folders, symbols, BE_COUNT(symbols)};
    return be_dyn_open(&library, table, &table->handle, error);
}
