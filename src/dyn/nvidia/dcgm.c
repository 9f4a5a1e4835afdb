#include "dyn/nvidia/dcgm.h"

#include "base/error.h"

#define FN(need, type, name, arguments) {#name, offsetof(struct be_dcgm, name), BE_NEED_##need},
static const struct be_symbol symbols[] = {
#include "dyn/nvidia/dcgm_list.h"
};
#undef FN

static const char *const files[] = {"libdcgm.so.4", "libdcgm.so.3", NULL};

enum be_status be_dcgm_open(struct be_dcgm *table, struct be_error *error) {
    static const struct be_library library = {"NVIDIA's libdcgm", files, NULL, symbols,
                                              BE_COUNT(symbols)};
    return be_dyn_open(&library, table, &table->handle, error);
}
