#include "dyn/amd/rocm.h"

#include "base/error.h"

#define FN(need, type, name, arguments) {#name, offsetof(struct be_rocm, name), BE_NEED_##need},
static const struct be_symbol symbols[] = {
#include "dyn/amd/rocm_list.h"
};
#undef FN

static const char *const files[] = {"librocm_smi64.so.7", "librocm_smi64.so.6",
                                    "librocm_smi64.so.5", "librocm_smi64.so.1",
                                    "librocm_smi64.so",   NULL};
static const char *const folders[] = {"$ROCM_PATH/lib", "/opt/rocm/lib", NULL};

enum be_status be_rocm_open(struct be_rocm *table, struct be_error *error) {
    static const struct be_library library = {"AMD's management library ROCm SMI", files, folders,
                                              symbols, BE_COUNT(symbols)};
    return be_dyn_open(&library, table, &table->handle, error);
}
