/* From a problem: its size, its shape, a member's share, its code on a device. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "kernels/host.h"
#include "workload/workload.h"

struct be_problem be_problem_preset(const struct be_workload *workload) {
    struct be_problem problem = {.workload = workload, .real = workload->real};
    for (int i = 0; i < workload->parameters; i++) {
        problem.value[i] = workload->parameter[i].preset;
    }
    return problem;
}

uint64_t be_problem_size(const struct be_problem *problem) {
    return problem->value[problem->swept];
}

struct be_problem be_problem_sized(const struct be_problem *problem, uint64_t size) {
    struct be_problem sized = *problem;
    sized.value[sized.swept] = size;
    return sized;
}

void be_problem_text(const struct be_problem *problem, char *text, size_t capacity) {
    const struct be_workload *w = problem->workload;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < w->parameters && used < capacity; i++) {
        const char *const *kind = w->parameter[i].kind;
        const bool idle = w->parameter[i].idle && w->parameter[i].idle(problem);
        if (i == problem->swept || idle) {
            continue;
        }
        used += (size_t)snprintf(text + used, capacity - used, "%s%s ", used ? ", " : "",
                                 w->parameter[i].name);
        if (used < capacity) {
            used +=
                kind ? (size_t)snprintf(text + used, capacity - used, "%s", kind[problem->value[i]])
                     : (size_t)snprintf(text + used, capacity - used, "%llu",
                                        (unsigned long long)problem->value[i]);
        }
    }
}

size_t be_real_bytes(enum be_real real) {
    return real == BE_REAL64 ? sizeof(double) : sizeof(float);
}

const char *be_real_name(enum be_real real) {
    return real == BE_REAL64 ? "float64" : "float32";
}

struct be_shape be_problem_shape(const struct be_problem *problem) {
    const struct be_workload *w = problem->workload;
    struct be_shape shape = {0};
    w->shape(problem, &shape);
    for (int i = 0; w->grain == 0 && i < w->inputs + w->outputs; i++) {
        shape.item_bytes[i] =
            (shape.item_bytes[i] + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN * BE_WHOLE_ALIGN;
    }
    return shape;
}

bool be_variant_has_code(const struct be_variant *variant, bool device) {
    return device ? variant->prepare != NULL || variant->made_on_host : variant->host != NULL;
}

const struct be_variant *be_variant_find(const struct be_workload *workload, const char *name) {
    for (int i = 0; i < workload->variants; i++) {
        if (strcmp(workload->variant[i].name, name) == 0) {
            return &workload->variant[i];
        }
    }
    return NULL;
}

bool be_variant_can(const struct be_variant *variant, const struct be_problem *problem) {
    return !variant->unfit || !variant->unfit(problem);
}

/* ---- shares --------------------------------------------------------------------------------- */

void be_work_share(const struct be_work *work, size_t grain, size_t *first, size_t *count) {
    be_team_share(work->items, grain, work->member, work->members, first, count);
    *first += work->first;
}

void be_work_rows(const struct be_work *work, size_t n, size_t grain, size_t *first,
                  size_t *count) {
    be_team_share(n, grain, work->member, work->members, first, count);
}

/* With 32 KiB the second one took a tenth to nearly a half less, on one core of a Zen 4 (docs/workloads/spmv.md,
 * stencil.md, power.md); with 48 KiB spmv was no faster so. */
enum be_prefetch be_work_prefetch(const struct be_work *work) {
    enum { ROOMY = 48 << 10 };
    const double first = work->first_cache_bytes;
    return first > 0 && first < ROOMY ? BE_PREFETCH_L2 : BE_PREFETCH_L1;
}

void *be_work_array(const struct be_work *work, int k) {
    if (work->first == 0) {
        return work->array[k]; /* no shape is made: loops over rows may ask */
    }
    struct be_shape shape = be_problem_shape(work->problem);
    return (char *)work->array[k] + work->first * shape.item_bytes[k];
}

/* ---- device code ---------------------------------------------------------------------------- */

enum be_status be_prepare_kernels(struct be_device *device, const struct be_problem *problem,
                                  const struct be_program *program, const char *defines,
                                  const char *const *names, struct be_prepared *prepared,
                                  struct be_error *error) {
    enum { CAPACITY = 2048 };
    char text[CAPACITY];
    struct be_program defined = *program;
    int length =
        snprintf(text, sizeof text, "%s%s",
                 problem->real == BE_REAL64 ? "#define BE_REAL64 1\n" : "", defines ? defines : "");
    *prepared = (struct be_prepared){0};
    if (length < 0 || length >= CAPACITY) {
        return be_fail(error, BE_BUILD, "compiling %s: more than %d characters of definitions",
                       program->name, (int)CAPACITY);
    }
    defined.defines = text;
    defined.host = problem->real == BE_REAL64 && program->host64 ? program->host64 : program->host;
    enum be_status status = device->ops->program->build(device, &defined, &prepared->module, error);
    for (int i = 0; status == BE_OK && names[i]; i++) {
        status = i < BE_KERNELS ? device->ops->program->kernel(device, &prepared->module, names[i],
                                                               &prepared->kernel[i], error)
                                : be_fail(error, BE_BUILD, "compiling %s: more than %d kernels",
                                          program->name, (int)BE_KERNELS);
    }
    if (status != BE_OK) {
        be_discard_kernels(device, prepared);
    }
    return status;
}

void be_discard_kernels(struct be_device *device, struct be_prepared *prepared) {
    for (int i = 0; i < BE_KERNELS; i++) {
        device->ops->program->forget(device, &prepared->kernel[i]);
    }
    device->ops->program->drop(device, &prepared->module);
}

struct be_argument be_launch_array(const struct be_launch *launch, int k) {
    const struct be_shape shape = be_problem_shape(launch->problem);
    const bool sliced = launch->slice.count > 0 && k >= launch->problem->workload->inputs;
    const size_t first = sliced ? 0 : launch->first;
    const struct be_argument argument =
        BE_BUFFER_FROM(&launch->buffer[k], first * shape.item_bytes[k]);
    return argument;
}

struct be_argument be_launch_real(const struct be_launch *launch, double value) {
    struct be_argument narrow = BE_FLOAT(value);
    struct be_argument wide = BE_DOUBLE(value);
    return launch->problem->real == BE_REAL64 ? wide : narrow;
}

enum be_status be_launch_kernel(const struct be_launch *launch, int kernel, size_t groups,
                                size_t lanes, const struct be_argument *arguments, int count,
                                struct be_error *error) {
    return launch->device->ops->program->launch(launch->device, launch->queue,
                                                &launch->prepared->kernel[kernel], groups, lanes,
                                                arguments, count, error);
}
