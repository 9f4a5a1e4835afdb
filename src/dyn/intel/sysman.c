#include "dyn/intel/sysman.h"

#include "base/error.h"

#define FN(need, type, name, arguments) {#name, offsetof(struct be_sysman, name), BE_NEED_##need},
static const struct be_symbol symbols[] = {
#include "dyn/intel/sysman_list.h"
};
#undef FN

static const char *const files[] = {"libze_loader.so.1", "libze_loader.so", NULL};

enum be_status be_sysman_open(struct be_sysman *table, struct be_error *error) {
    static const struct be_library library = {"oneAPI level-zero with system management", files,
                                              NULL, symbols, BE_COUNT(symbols)};
    return be_dyn_open(&library, table, &table->handle, error);
}
