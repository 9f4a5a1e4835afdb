#include "dyn/opencl/opencl.h"

#include "base/error.h"

#define FN(need, type, name, arguments) {#name, offsetof(struct be_opencl, name), BE_NEED_##need},
static const struct be_symbol symbols[] = {
#include "dyn/opencl/opencl_list.h"
};
#undef FN

static const char *const files[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};

enum be_status be_opencl_open(struct be_opencl *table, struct be_error *error) {
    static const struct be_library library = {"the OpenCL loader", files, NULL, symbols,
                                              BE_COUNT(symbols)};
    return be_dyn_open(&library, table, &table->handle, error);
}
