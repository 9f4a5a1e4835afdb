/*
 * Every variant of every workload, in every type, on every device here, in every placement, at odd
 * sizes, against the plain reference. Nothing is timed.
 *
 * WORKLOADS=add,solve in the environment: only these. ctest runs each workload on its own.
 * SHORT=1: for a tool that makes kernels slow (compute-sanitizer): resident only, what is large and what is a
 * library's left out. SHORT=opencl: on OpenCL's devices; for tools that look at the host's code.
 */
#include "devices.h"
#include "workload_sizes.h"

#include <math.h>

#include "builtin/builtin.h"
#include "bench/case/case.h"

static bool is_short; /* where it runs now */
static bool is_swept; /* the same problems as before, in another order: resident ones alone */
/* Then of `sizes` those from least to most; of `others` at most so much where the parameter is swept, or
 * not. */
enum { SHORT_MIN = 33, SHORT_SIZE = 127, SHORT_SWEPT = 4096, SHORT_VALUE = 300 };

/* A ceiling that nothing can exceed: times are not judged here. */
static const struct be_ceilings endless = {
    .memory = {{.bytes = 1, .rate = 1e30}},
    .points = 1,
    .cache_bytes = 1e6,
    .operations = {1e30, 1e30, 1e30, 1e30},
    .bus_in = 1e30,
    .bus_out = 1e30,
};

static struct be_host_libraries library;
static struct be_clock host_clock;

/* FFTW tries as it always does, but not for seconds: how fast its plans are is not asked here. */
static void (*set_timelimit)(double seconds);
static void set_short_timelimit(double seconds) {
    static const double max_s = 0.1;
    set_timelimit(seconds < max_s ? seconds : max_s);
}

/* One pass alone after the other comes to the same. */
static void check_passes(struct be_case *c) {
    const struct be_workload *w = c->data->problem.workload;
    const char *const *pass = w->variant[c->variant].passes;
    const struct be_buffer *out = &c->buffer[w->inputs];
    be_data_poison(c->data, c->instance);
    if (c->place->device) {
        const struct be_device_ops *ops = c->place->device->ops;
        CHECK(ops->queue->fill(c->place->device, BE_QUEUE_WORK, out, 0, 0xff, out->bytes, &error));
        CHECK(ops->queue->drain(c->place->device, BE_QUEUE_WORK, &error));
    }
    for (c->pass = 1; pass[c->pass - 1]; c->pass++) {
        CHECK(be_case_call(c, &error));
    }
    c->pass = 0;
    if (c->place->device) {
        CHECK(be_case_run(c, false, false, true, &error));
    }
    const double residual = be_data_residual(c->data, c->instance);
    if (!(residual <= c->result.tolerance)) {
        fail_msg("%s %s on %s, pass by pass: residual %g", w->name, w->variant[c->variant].name,
                 c->place->info.id, residual);
    }
}

/* One variant in one placement; instance: hot the first, cold the one in the middle. */
static void check_case(struct be_place *place, struct be_data *data, struct be_buffer *buffer,
                       struct be_scratch *scratch, int variant, enum be_placement placement,
                       enum be_cache cache) {
    struct be_case c;
    be_case_init(&c, place, data, place->device ? buffer : NULL, scratch, variant, placement,
                 cache);
    if (place->device) {
        CHECK(be_case_upload(&c, &error));
    }
    be_case_check(&c, &host_clock);
    const struct be_result *r = &c.result;
    /* A library may want to look at what it computes with first, and not at many in turn. */
    bool absent = r->status == BE_RESULT_ABSENT && cache == BE_COLD;
    if (r->status != BE_RESULT_OK && !absent) {
        fail_msg(
            "%s %s %s, size %llu%s%s, placement %d, instance %zu of %zu, %s with %d threads: %s",
            r->workload, r->variant, r->dtype, (unsigned long long)r->size,
            *r->parameters ? ", " : "", r->parameters, (int)placement, c.instance, data->instances,
            place->info.id, place->threads, r->note);
    }
    const bool once = placement == BE_HOST || placement == BE_RESIDENT;
    if (!absent && once && data->problem.workload->variant[variant].passes) {
        check_passes(&c);
    }
    be_case_free(&c);
}

/* A variant that is absent is tested nowhere on this device. On OpenCL its reason must be what OpenCL
 * itself lacks: a vendor's library, or what only CUDA promises; PoCL runs the others. */
static void check_absence(const struct be_place *place, const struct be_problem *problem,
                          const struct be_variant *variant) {
    const bool stated =
        strstr(error.text, "known for opencl devices") || strstr(error.text, "CUDA");
    if (strcmp(place->info.backend, "opencl") == 0 && !stated) {
        fail_msg("%s %s on %s: absent, and why is not OpenCL's lack: \"%s\"",
                 problem->workload->name, variant->name, place->info.id, error.text);
    }
}

static void check_variant(struct be_place *place, struct be_data *data, struct be_buffer *buffer,
                          int variant) {
    const struct be_variant *v = &data->problem.workload->variant[variant];
    struct be_scratch scratch = {0};
    bool code = be_variant_has_code(v, place->device != NULL);
    /* A vendor's library has thousands of kernels, which such a tool rewrites before the first runs. */
    bool foreign = is_short && place->device && strcmp(v->name, "library") == 0;
    if (!code || foreign || (v->unfit && v->unfit(&data->problem))) {
        return;
    }
    error = (struct be_error){0};
    enum be_status status = be_place_prepare(place, &data->problem, variant, &error);
    /* The pretend GPU runs kernels as host C, which not all are. */
    bool pretend = strcmp(place->info.backend, "null") == 0;
    if (status == BE_ABSENT) {
        check_absence(place, &data->problem, v);
    }
    if (status == BE_ABSENT || (status == BE_BUILD && pretend)) {
        return;
    }
    CHECK(status);
    CHECK(be_scratch_open(place, &data->problem, variant, &scratch, &error));
    for (int placement = BE_HOST; placement < BE_PLACEMENTS; placement++) {
        for (int cache = BE_HOT; cache <= BE_COLD; cache++) {
            bool asked = !(is_short || is_swept) || (placement == BE_RESIDENT && cache == BE_HOT);
            if ((placement == BE_HOST) == (place->device == NULL) && asked &&
                be_case_takes(v, (enum be_placement)placement)) {
                check_case(place, data, buffer, &scratch, variant, (enum be_placement)placement,
                           (enum be_cache)cache);
            }
        }
    }
    be_scratch_close(place, &scratch);
}

static void check_problem(struct be_place *place, const struct be_problem *problem) {
    const struct be_workload *w = problem->workload;
    struct be_data data = {0};
    struct be_buffer buffer[BE_ARRAYS] = {0};
    CHECK(be_data_open(problem, 3, team, 7, &data, &error));
    for (int i = 0; place->device && i < w->inputs + w->outputs; i++) {
        size_t bytes = data.shape.item_bytes[i] * data.stride * data.instances;
        CHECK(place->device->ops->memory->alloc(place->device, bytes, &buffer[i], &error));
    }
    for (int v = 0; v < w->variants; v++) {
        check_variant(place, &data, buffer, v);
    }
    for (int i = 0; place->device && i < BE_ARRAYS; i++) {
        place->device->ops->memory->release(place->device, &buffer[i]);
    }
    be_data_close(&data);
}

static void check_sizes(struct be_place *place, const struct be_problem *problem, uint64_t max) {
    const struct be_parameter *parameter = &problem->workload->parameter[problem->swept];
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        if (sizes[i] >= parameter->min && sizes[i] <= parameter->max && sizes[i] <= max &&
            (!is_short || sizes[i] >= (max < SHORT_MIN ? max : SHORT_MIN))) {
            struct be_problem sized = be_problem_sized(problem, sizes[i]);
            check_problem(place, &sized);
        }
    }
}

static int parameter_of(const struct be_workload *workload, const char *name) {
    int found = 0;
    while (found < workload->parameters && strcmp(workload->parameter[found].name, name) != 0) {
        found++;
    }
    return found;
}

/* The largest of `sizes`: what grows with the cube has one of several blocks in `larger`. */
static uint64_t max_of(const struct be_workload *workload) {
    bool cubic = strcmp(workload->name, "matmul") == 0;
    return is_short ? SHORT_SIZE : cubic ? 127 : UINT64_MAX;
}

static struct be_problem usual(const struct be_workload *workload, enum be_real real) {
    struct be_problem problem = be_problem_preset(workload);
    problem.real = real;
    for (size_t i = 0; i < BE_COUNT(instead); i++) {
        if (strcmp(instead[i].workload, workload->name) == 0) {
            problem.value[parameter_of(workload, instead[i].parameter)] =
                is_short ? instead[i].brief : instead[i].value;
        }
    }
    return problem;
}

/* The largest value of others[i] in a short round. */
static uint64_t brief(size_t i, bool swept) {
    uint64_t max = swept ? SHORT_SWEPT : SHORT_VALUE;
    for (size_t k = 0; k < BE_COUNT(instead); k++) {
        if (strcmp(instead[k].workload, others[i].workload) == 0 &&
            strcmp(instead[k].parameter, others[i].parameter) == 0) {
            max = instead[k].brief;
        }
    }
    return max;
}

/* Is others[i] left out? */
static bool is_left_out(const struct be_place *place, size_t i, enum be_real real) {
    const bool slow = strcmp(place->info.backend, "opencl") == 0 && place->info.kind == BE_KIND_CPU;
    return slow && others[i].compiled != ANY_TYPE &&
           others[i].compiled != (real == BE_REAL64 ? COMPILED_64 : COMPILED_32);
}

static void check_forms(struct be_place *place, const struct be_problem *problem) {
    for (size_t i = 0; i < BE_COUNT(forms); i++) {
        struct be_problem other = *problem;
        const bool meant = strcmp(forms[i].workload, problem->workload->name) == 0;
        for (size_t k = 0; meant && k < BE_COUNT(forms[i].set) && forms[i].set[k].parameter; k++) {
            other.value[parameter_of(problem->workload, forms[i].set[k].parameter)] =
                forms[i].set[k].value;
        }
        if (meant && !(is_short && be_problem_size(&other) > SHORT_SWEPT)) {
            check_problem(place, &other);
        }
    }
}

static void check_type(struct be_place *place, const struct be_workload *workload,
                       enum be_real real) {
    struct be_problem problem = usual(workload, real);
    check_sizes(place, &problem, max_of(workload));
    for (size_t i = 0; i < BE_COUNT(larger); i++) {
        if (strcmp(larger[i].workload, workload->name) == 0) {
            struct be_problem sized = be_problem_sized(&problem, larger[i].size);
            check_problem(place, &sized);
        }
    }
    check_forms(place, &problem);
    for (size_t i = 0; i < BE_COUNT(others); i++) {
        struct be_problem other = problem;
        bool meant =
            strcmp(others[i].workload, workload->name) == 0 && !is_left_out(place, i, real);
        if (meant && others[i].also) {
            other.value[parameter_of(workload, others[i].also)] = others[i].also_value;
        }
        for (int p = 0; meant && p < workload->parameters; p++) {
            if (strcmp(workload->parameter[p].name, others[i].parameter) == 0) {
                other.value[p] = others[i].value;
                if (is_short && others[i].value > brief(i, p == other.swept)) {
                    continue;
                }
                if (p == other.swept) {
                    check_problem(place, &other);
                } else {
                    uint64_t max = others[i].max_size;
                    check_sizes(place, &other, is_short && max > SHORT_SIZE ? SHORT_SIZE : max);
                }
            }
        }
    }
}

/* A parameter that is swept: what was compiled for one value must not be taken for another, whichever
 * comes first. The same problems ran in every placement before, so one placement answers that. */
static void check_swept(struct be_place *place, const struct be_workload *workload, int parameter,
                        enum be_real real) {
    enum { SIZE = 127 };
    const int count = (int)BE_COUNT(others);
    struct be_problem problem = usual(workload, real);
    problem.value[0] = SIZE;
    problem.swept = parameter;
    is_swept = true;
    for (int turn = 0; turn < 2 * count; turn++) {
        const int i = turn < count ? count - 1 - turn : turn - count;
        const bool meant = strcmp(others[i].workload, workload->name) == 0 &&
                           strcmp(others[i].parameter, workload->parameter[parameter].name) == 0 &&
                           !others[i].also && !is_left_out(place, (size_t)i, real);
        if (meant) {
            struct be_problem sized = be_problem_sized(&problem, others[i].value);
            sized.value[0] = others[i].max_size < SIZE ? others[i].max_size : SIZE;
            check_problem(place, &sized);
        }
    }
    is_swept = false;
}

static void check_place(struct be_place *place, const struct be_workload *workload) {
    for (int real = 0; real < BE_REALS; real++) {
        if (!(workload->reals & BE_TAKES(real))) {
            continue;
        }
        check_type(place, workload, (enum be_real)real);
        for (int p = 1; place->device && !is_short && p < workload->parameters; p++) {
            if (!workload->parameter[p].kind) {
                check_swept(place, workload, p, (enum be_real)real);
            }
        }
    }
}

/* ---- one test a workload and place ---------------------------------------------------------- */

struct pair {
    const struct be_workload *workload;
    const struct be_device_info *info;
    int threads; /* of the CPU; 0: a device */
    char name[2 * BE_NAME];
};

static bool asked_short(const struct be_device_info *info) {
    const char *asked = getenv("SHORT");
    return asked && (strcmp(asked, "1") == 0 || strcmp(asked, info->backend) == 0);
}

static void test_pair(void **state) {
    struct pair *pair = *state;
    struct be_place place;
    struct be_cores cores;
    is_short = asked_short(pair->info);
    if (pair->threads) {
        CHECK(be_cores_find(&cores, &error));
        CHECK(be_place_open_cpu(pair->info, &cores, pair->threads, team, &endless, INFINITY,
                                (struct be_cancel){0}, &place, &error));
        place.library = &library;
    } else {
        be_place_open_device(pair->info, team, NULL, &endless, (struct be_cancel){0}, &place);
        if (place.broken) {
            fail_msg("%s: %s", pair->info->id, place.note);
        }
    }
    check_place(&place, pair->workload);
    be_place_close(&place);
}

static bool is_asked(const struct be_workload *workload) {
    const char *asked = getenv("WORKLOADS");
    size_t length = strlen(workload->name);
    for (const char *at = asked; at && (at = strstr(at, workload->name)) != NULL; at += length) {
        if ((at == asked || at[-1] == ',') && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return !asked || !*asked;
}

int main(void) {
    enum { MAX = 1024 };
    static struct CMUnitTest test[MAX];
    static struct pair pair[MAX];
    static const int threads[] = {1, 3};
    struct be_cores cores;
    size_t tests = 0;
    setenv("BREAKEVEN_NULL", "1", 1);
    be_device_probe_all(&machine);
    host_clock = be_clock_host();
    (void)be_host_blas_open(&library.blas, &library.blas_error);
    (void)be_fftw_open(&library.fftw, &library.fftw_error);
    set_timelimit = library.fftw.fftwf_set_timelimit;
    library.fftw.fftwf_set_timelimit = set_timelimit ? set_short_timelimit : NULL;
    if (be_cores_find(&cores, &error) != BE_OK) {
        print_error("%s\n", error.text);
        return 1;
    }
    begin_here(&cores);
    if (be_team_open(&cores, 3, &team, &error) != BE_OK) {
        print_error("%s\n", error.text);
        return 1;
    }
    for (int w = 0; be_workloads[w]; w++) {
        for (int d = 0; is_asked(be_workloads[w]) && d < machine.devices; d++) {
            const struct be_device_info *info = &machine.device[d];
            if (!is_wanted(info)) {
                continue;
            }
            bool cpu = strcmp(info->backend, "cpu") == 0;
            for (size_t t = 0; t < (cpu ? BE_COUNT(threads) : 1) && tests < MAX; t++, tests++) {
                struct pair *p = &pair[tests];
                *p = (struct pair){be_workloads[w], info, cpu ? threads[t] : 0, ""};
                snprintf(p->name, sizeof p->name, "%s on %s%s%.0d", p->workload->name, info->id,
                         cpu ? " x " : "", p->threads);
                test[tests] = (struct CMUnitTest){p->name, test_pair, NULL, NULL, p};
            }
        }
    }
    if (tests == 0) {
        print_error("no such workload, or no such device\n");
        return 1;
    }
    int failed = _cmocka_run_group_tests("workloads", test, tests, NULL, NULL);
    be_team_close(team);
    if (library.blas.handle) {
        be_dyn_close(library.blas.handle);
    }
    be_fftw_close(&library.fftw);
    return failed;
}
