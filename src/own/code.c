/* A user's code, called as a workload's is: on the CPU by each member of a team, on a device by a launch. */
#include "own/code.h"

#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "kernels/host.h"

/* ---- CPU ------------------------------------------------------------------------------------ */

struct be_call be_own_call(const struct be_work *work, void *of[BE_ARRAYS]) {
    const struct be_own *own = be_own_of(work->problem);
    const struct be_computation *c = own->computation;
    size_t first;
    size_t count;
    be_team_share((size_t)(c->elementwise ? work->items : be_own_items(work->problem)),
                  c->elementwise ? own->workload.grain : 1, work->member, work->members, &first,
                  &count);
    return (struct be_call){.self = c->self,
                            .value = work->problem->value,
                            .array = of,
                            .first = first,
                            .count = count,
                            .thread = work->member,
                            .threads = work->members,
                            .float64 = work->problem->real == BE_REAL64};
}

/* Where the user's array k is: an updated one is changed where its outputs are. */
static void *place_of(const struct be_work *work, const struct be_own *own, int k) {
    return be_work_array(work, own->output[k] >= 0 ? own->output[k] : own->input[k]);
}

void be_own_host(const struct be_work *work) {
    const struct be_own *own = be_own_of(work->problem);
    void *of[BE_ARRAYS] = {NULL};
    const struct be_computation *c = own->computation;
    for (int k = 0; k < c->arrays; k++) {
        of[k] = place_of(work, own, k);
    }
    struct be_call call = be_own_call(work, of);
    call.scratch = c->cpu_scratch ? work->scratch : NULL;
    c->cpu(&call);
    if (!c->cpu_finish) {
        return;
    }
    if (work->members > 1) {
        be_team_barrier(work->team);
    }
    if (work->member == 0) {
        call.first = 0;
        call.count = be_own_items(work->problem);
        c->cpu_finish(&call);
    }
}

size_t be_own_host_scratch(const struct be_problem *problem, int members) {
    const struct be_computation *c = be_own_of(problem)->computation;
    const uint64_t numbers = c->cpu_scratch(c->self, problem->value, members);
    return numbers > SIZE_MAX / sizeof(double) ? SIZE_MAX : (size_t)numbers * sizeof(double);
}

enum be_status be_own_host_ready(const struct be_host_libraries *library, int members,
                                 struct be_error *error) {
    (void)library;
    return members == 1 ? BE_OK
                        : be_fail(error, BE_ABSENT, "its CPU code is for one thread (one_thread)");
}

/* Uniform in [0, 1); of integers below 65536, of bytes below 256. */
static void fill_range(void *array, enum be_element element, bool wide, size_t first, size_t count,
                       uint64_t seed) {
    for (size_t i = first; i < first + count; i++) {
        const uint64_t bits = be_random_bits(seed, i);
        if (element == BE_OWN_FLOAT64 || (element == BE_OWN_REAL && wide)) {
            ((double *)array)[i] = (double)(bits >> 11) * 0x1p-53;
        } else if (element == BE_OWN_FLOAT32 || element == BE_OWN_REAL) {
            ((float *)array)[i] = (float)(bits >> 40) * 0x1p-24F;
        } else if (element == BE_OWN_INT32) {
            ((int32_t *)array)[i] = (int32_t)(bits >> 48);
        } else if (element == BE_OWN_INT64) {
            ((int64_t *)array)[i] = (int64_t)(bits >> 48);
        } else {
            ((uint8_t *)array)[i] = (uint8_t)(bits >> 56);
        }
    }
}

void be_own_fill(const struct be_work *work, uint64_t seed) {
    const struct be_own *own = be_own_of(work->problem);
    const struct be_computation *c = own->computation;
    void *of[BE_ARRAYS] = {NULL};
    for (int k = 0; k < c->arrays; k++) {
        of[k] = own->input[k] >= 0 ? be_work_array(work, own->input[k]) : NULL;
    }
    const uint64_t mine = seed + (uint64_t)BE_ARRAYS * (uint64_t)work->first; /* copies differ */
    const struct be_call call = be_own_call(work, of);
    if (c->fill) {
        c->fill(&call, mine);
        return;
    }
    for (int k = 0; k < c->arrays; k++) {
        size_t first = 0;
        size_t count = 0;
        const size_t n = c->elementwise ? work->items : (size_t)be_own_count(work->problem, k);
        be_team_share(n, BE_WHOLE_ALIGN, work->member, work->members, &first, &count);
        if (of[k]) {
            fill_range(of[k], c->array[k].element, call.float64, first, count, mine + (uint64_t)k);
        }
    }
}

/* ---- devices -------------------------------------------------------------------------------- */

enum be_status be_own_prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    static const struct be_host_kernel none[] = {{NULL, NULL}};
    const struct be_own *own = be_own_of(problem);
    const struct be_own_device *d = &own->computation->device;
    static const char *const backend[] = {[BE_OWN_OPENCL] = "opencl", [BE_OWN_CUDA] = "cuda"};
    if (d->language != BE_OWN_WORDS && strcmp(device->info.backend, backend[d->language]) != 0) {
        return be_fail(error, BE_ABSENT, "%.80s is for %s alone", d->file ? d->file : "its code",
                       d->language == BE_OWN_CUDA ? "CUDA" : "OpenCL");
    }
    const char *names[BE_OWN_LAUNCHES_MAX + 1] = {NULL};
    for (int i = 0; i < be_own_launches(d); i++) {
        names[i] = be_own_launch(d, i).kernel;
    }
    const struct be_program program = {
        .name = own->computation->name, .source = own->source, .host = none};
    return be_prepare_kernels(device, problem, &program, own->computation->device.defines, names,
                              prepared, error);
}

/* A device has no memory of no bytes. */
size_t be_own_device_scratch(const struct be_problem *problem) {
    const struct be_computation *c = be_own_of(problem)->computation;
    const size_t number = be_real_bytes(problem->real);
    const uint64_t numbers = c->device.scratch(c->self, problem->value);
    return numbers == 0                  ? number
           : numbers > SIZE_MAX / number ? SIZE_MAX
                                         : (size_t)numbers * number;
}

enum { ARGUMENTS = BE_OWN_ARRAYS_MAX + 2 + BE_OWN_PARAMETERS_MAX + BE_OWN_SCALARS_MAX };

/* A parameter or a number as the kernel has it. */
static struct be_argument value_of(const struct be_own_argument *a, const uint64_t *value) {
    const bool whole = a->kind == BE_OWN_PARAMETER;
    const int64_t integer = whole ? (int64_t)value[a->index] : (int64_t)a->number;
    const double real = whole ? (double)value[a->index] : a->number;
    const struct be_argument kinds[BE_OWN_ELEMENTS] = {[BE_OWN_FLOAT32] = BE_FLOAT(real),
                                                       [BE_OWN_FLOAT64] = BE_DOUBLE(real),
                                                       [BE_OWN_INT32] = BE_INT(integer),
                                                       [BE_OWN_INT64] = BE_LONG(integer)};
    return kinds[a->element];
}

static struct be_argument array_argument(const struct be_launch *launch, int k) {
    const struct be_own *own = be_own_of(launch->problem);
    return be_launch_array(launch, own->output[k] >= 0 ? own->output[k] : own->input[k]);
}

/* How many there are. */
static int arguments_of(const struct be_launch *launch, uint64_t items,
                        struct be_argument argument[ARGUMENTS]) {
    const struct be_own *own = be_own_of(launch->problem);
    const struct be_computation *c = own->computation;
    const struct be_own_device *d = &c->device;
    int count = 0;
    for (; count < d->arguments; count++) {
        const struct be_own_argument *a = &d->argument[count];
        argument[count] = a->kind == BE_OWN_ARRAY ? array_argument(launch, a->index)
                                                  : value_of(a, launch->problem->value);
    }
    if (count > 0) {
        return count;
    }
    for (int k = 0; k < c->arrays; k++) {
        argument[count++] = array_argument(launch, k);
    }
    if (d->scratch) {
        argument[count++] = (struct be_argument)BE_BUFFER(launch->scratch);
    }
    argument[count++] = (struct be_argument)BE_LONG(items);
    for (int i = 0; i < c->parameters; i++) {
        argument[count++] = (struct be_argument)BE_LONG(launch->problem->value[i]);
    }
    for (int i = 0; i < d->scalars; i++) {
        argument[count++] = be_launch_real(launch, d->scalar[i]);
    }
    return count;
}

enum be_status be_own_enqueue(const struct be_launch *launch, struct be_error *error) {
    enum { LANES = 256 };
    const struct be_computation *c = be_own_of(launch->problem)->computation;
    const uint64_t items = c->elementwise ? launch->items : be_own_items(launch->problem);
    struct be_argument argument[ARGUMENTS];
    const int count = arguments_of(launch, items, argument);
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < be_own_launches(&c->device); i++) {
        const struct be_own_launch one = be_own_launch(&c->device, i);
        const uint64_t lanes = one.lanes ? one.lanes : LANES;
        const uint64_t tile = lanes * (one.items_per_lane ? one.items_per_lane : 1);
        const uint64_t groups = one.one_group ? 1
                                : one.groups  ? one.groups(c->self, launch->problem->value)
                                              : (items + tile - 1) / tile;
        status = be_launch_kernel(launch, i, (size_t)groups, (size_t)lanes, argument, count, error);
    }
    return status;
}
