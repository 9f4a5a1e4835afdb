#include "workload/workload.h"

#include <string.h>

#include "workload/distance.h"
#include "workload/elementwise.h"
#include "workload/fft.h"
#include "workload/mandelbrot.h"
#include "workload/matmul.h"
#include "workload/nbody.h"
#include "workload/regress.h"
#include "workload/solve.h"
#include "workload/spmv.h"
#include "workload/stencil.h"
#include "workload/stream.h"

const struct be_workload *const be_workloads[] = {
    &be_workload_power,
    &be_workload_multiply,
    &be_workload_add,
    &be_workload_chain,
    &be_workload_recurrence,
    &be_workload_generate,
    &be_workload_solve,
    &be_workload_distance,
    &be_workload_regress,
    &be_workload_matmul,
    &be_workload_mandelbrot,
    &be_workload_stencil,
    &be_workload_spmv,
    &be_workload_fft,
    &be_workload_sort,
    &be_workload_reduce,
    &be_workload_gather,
    &be_workload_nbody,
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

const struct be_variant *be_variant_find(const struct be_workload *workload, const char *name) {
    for (int i = 0; i < workload->variants; i++) {
        if (strcmp(workload->variant[i].name, name) == 0) {
            return &workload->variant[i];
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
        if (strcmp(p->name, parameter) == 0 && p->kind && value <= p->most) {
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
