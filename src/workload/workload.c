#include "workload/workload.h"

#include <string.h>

#include "workload/elementwise.h"

const struct be_workload *const be_workloads[] = {
    &be_workload_power,
    &be_workload_multiply,
    NULL,
};

const struct be_workload *be_workload_find(const char *name) {
    for (const struct be_workload *const *w = be_workloads; *w; w++) {
        if (strcmp((*w)->name, name) == 0) {
            return *w;
        }
    }
    return NULL;
}

bool be_workload_describe(int index, const char **name, const char **summary) {
    for (int i = 0; i <= index; i++) {
        if (!be_workloads[i]) {
            return false;
        }
    }
    *name = be_workloads[index]->name;
    *summary = be_workloads[index]->summary;
    return true;
}
