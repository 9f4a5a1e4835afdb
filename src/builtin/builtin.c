#include "builtin/builtin.h"

#include <string.h>

const struct be_workload *be_workload_find(const char *name) {
    for (const struct be_workload *const *w = be_workloads; *w; w++) {
        if (strcmp((*w)->name, name) == 0) {
            return *w;
        }
    }
    return NULL;
}

bool be_workload_parameter(const char *name, int index, const char **parameter,
                           const char **summary) {
    const struct be_workload *workload = be_workload_find(name);
    if (!workload || index < 0 || index >= workload->parameters) {
        return false;
    }
    *parameter = workload->parameter[index].name;
    *summary = workload->parameter[index].what;
    return true;
}

static const char *kind_of(const struct be_workload *workload, const char *parameter,
                           uint64_t value) {
    for (int i = 0; i < workload->parameters; i++) {
        const struct be_parameter *p = &workload->parameter[i];
        if (strcmp(p->name, parameter) == 0 && p->kind && value <= p->max) {
            return p->kind[value];
        }
    }
    return NULL;
}

const char *be_parameter_kind(const char *parameter, uint64_t value) {
    const char *kind = NULL;
    for (int i = 0; be_workloads[i] && !kind; i++) {
        kind = kind_of(be_workloads[i], parameter, value);
    }
    return kind;
}

bool be_workload_describe(int index, const char **name, const char **summary) {
    if (index < 0) {
        return false;
    }
    for (int i = 0; i <= index; i++) {
        if (!be_workloads[i]) {
            return false;
        }
    }
    *name = be_workloads[index]->name;
    *summary = be_workloads[index]->summary;
    return true;
}
