/*
 * Inputs that are no numbers, infinite or next to nothing: what each variant of each workload makes of
 * them on every device. That is what plain C in double precision makes of them: a NaN comes to the
 * results that need it, and to no others. solve has a test of its own.
 */
#include "devices.h"
#include "odd_kinds.h"

#include <math.h>

#include "workload/distance/distance.h"
#include "workload/numbers.h"
#include "builtin/builtin.h"

static struct be_host_libraries library;

struct task {
    const struct kind *kind;
    const struct be_workload *workload;
    const struct be_variant *variant;
    struct be_problem problem;
    struct be_shape shape;
    void *array[BE_ARRAYS];
    size_t expected; /* numbers */
    double *expect;
    const char *spoilt;
};

static size_t bytes_of(const struct task *t, int k) {
    return t->shape.items * t->shape.item_bytes[k];
}

static struct be_work work_of(const struct task *t) {
    return (struct be_work){.problem = &t->problem,
                            .array = t->array,
                            .items = t->shape.items,
                            .members = 1,
                            .library = &library};
}

static void *capacity_for(size_t bytes) {
    void *capacity = aligned_alloc(BE_WHOLE_ALIGN, (bytes / BE_WHOLE_ALIGN + 1) * BE_WHOLE_ALIGN);
    assert_non_null(capacity);
    memset(capacity, 0, bytes);
    return capacity;
}

/* ---- what is expected ----------------------------------------------------------------------- */

static bool is(const struct task *t, const char *workload) {
    return strcmp(t->workload->name, workload) == 0;
}

static double input(const struct task *t, int k, size_t i) {
    return be_number(t->problem.real, t->array[k], i);
}

static void expect_chain(struct task *t, size_t n) {
    t->expect[3 * n] = 0;
    for (size_t i = 0; i < n; i++) {
        double sum = 1.25;
        for (size_t k = 0; k < 3; k++) {
            sum += input(t, (int)k, i);
            t->expect[k * n + i] = sum;
            t->expect[3 * n] += sum;
        }
    }
}

static void expect_distances(struct task *t, size_t n) {
    const size_t d = be_distance_dimension(&t->problem);
    const bool matrix = t->problem.value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_MATRIX;
    for (size_t i = 0; i < n; i++) {
        double min = INFINITY;
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < d; k++) {
                const double apart = input(t, 0, i * d + k) - input(t, 0, j * d + k);
                sum += apart * apart;
            }
            min = i != j && sum < min ? sum : min;
            t->expect[matrix ? i * n + j : i] = matrix ? sum : min;
        }
    }
}

static void reference_of_member(void *context, int member, int members) {
    const struct task *t = context;
    struct be_work work = work_of(t);
    work.member = member;
    work.members = members;
    work.team = team;
    t->workload->reference(&work, t->expect);
}

static void expect_results(struct task *t, size_t n) {
    if (is(t, "chain")) {
        expect_chain(t, n);
    } else if (is(t, "distance") &&
               t->problem.value[BE_DISTANCE_CONSUMER] != BE_DISTANCE_HISTOGRAM) {
        expect_distances(t, n);
    } else if (is(t, "gather")) {
        for (size_t i = 0; i < n; i++) {
            t->expect[i] = input(t, 0, (size_t)((const int32_t *)t->array[1])[i]);
        }
    } else if (is(t, "reduce")) {
        t->expect[0] = 0;
        for (size_t i = 0; i < n; i++) {
            t->expect[0] += input(t, 0, i);
        }
    } else {
        be_team_run(team, reference_of_member, t);
    }
}

/* A spoilt input gives every variant on every device the same results, which are computed once. Where results are
 * many they are cheap, and are not kept. */
enum { KEPT_MAX = 20000, PLACES = 4 };
enum { A_NAN, AN_INFINITY, A_NEGATIVE_INFINITY, SPOILS };
static double *kept[BE_COUNT(kinds)][BE_REALS][BE_ARRAYS][PLACES][SPOILS];

static void expect_spoilt(struct task *t, int k, size_t place, int spoil) {
    double **known = &kept[t->kind - kinds][t->problem.real][k][place][spoil];
    if (*known) {
        memcpy(t->expect, *known, t->expected * sizeof *t->expect);
        return;
    }
    expect_results(t, (size_t)t->problem.value[0]);
    if (t->expected <= KEPT_MAX) {
        *known = malloc(t->expected * sizeof **known);
        assert_non_null(*known);
        memcpy(*known, t->expect, t->expected * sizeof **known);
    }
}

static void forget_kept(void) {
    double **each = &kept[0][0][0][0][0];
    for (size_t i = 0; i < sizeof kept / sizeof *each; i++) {
        free(each[i]);
    }
}

/* How many numbers there are in the outputs, one after the other. */
static size_t numbers_of(const struct task *t) {
    const size_t n = (size_t)t->problem.value[0];
    if (is(t, "distance") && t->problem.value[BE_DISTANCE_CONSUMER] != BE_DISTANCE_MATRIX) {
        return t->problem.value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_HISTOGRAM
                   ? be_distance_bins(&t->problem)
                   : n;
    }
    return is(t, "chain")                                             ? 3 * n + 1
           : is(t, "matmul") || is(t, "stencil") || is(t, "distance") ? n * n
           : is(t, "nbody")                                           ? 3 * n
           : is(t, "fft")                                             ? 2 * n
           : is(t, "regress")                                         ? (size_t)t->problem.value[1]
           : is(t, "reduce")                                          ? 1
                                                                      : n;
}

/* Number i of them, as it came out. */
static double result(const struct task *t, size_t i) {
    const size_t n = (size_t)t->problem.value[0];
    const int out = t->workload->inputs;
    if (is(t, "chain")) {
        return be_number(t->problem.real, t->array[out + (int)(i / n)], i % n);
    }
    if (is(t, "distance") && t->problem.value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_HISTOGRAM) {
        return (double)((const uint64_t *)t->array[out])[i];
    }
    return be_number(t->problem.real, t->array[out], is(t, "nbody") ? i % 3 * n + i / 3 : i);
}

/* ---- is it so ------------------------------------------------------------------------------- */

static void wrong(const struct task *t, const struct be_device *device, size_t i) {
    fail_msg("%s %s, %s, %llu %llu %llu on %s, %s: number %zu is %g, expected %g",
             t->workload->name, t->variant->name, be_real_name(t->problem.real),
             (unsigned long long)t->problem.value[0], (unsigned long long)t->problem.value[1],
             (unsigned long long)t->problem.value[2], device->info.id, t->spoilt, i, result(t, i),
             t->expect[i]);
}

/* The largest finite number that is expected. */
static double largest(const struct task *t) {
    double max = 0;
    for (size_t i = 0; i < t->expected; i++) {
        max = isfinite(t->expect[i]) ? fmax(max, fabs(t->expect[i])) : max;
    }
    return max;
}

/* Either part of a complex number that is none makes it none. */
static bool is_number(const struct task *t, double (*at)(const struct task *, size_t), size_t i) {
    return is(t, "fft") ? !isnan(at(t, i)) && !isnan(at(t, i ^ 1)) : !isnan(at(t, i));
}

static bool is_finite(const struct task *t, double (*at)(const struct task *, size_t), size_t i) {
    return is(t, "fft") ? isfinite(at(t, i)) && isfinite(at(t, i ^ 1)) : isfinite(at(t, i));
}

static double expected(const struct task *t, size_t i) {
    return t->expect[i];
}

/* least: what the smallest numbers may be rounded by. */
static void check_result(const struct task *t, const struct be_device *device, bool exactly,
                         double min) {
    enum { CAPACITY = 8 }; /* the tolerance is of a mean */
    const double allowed = CAPACITY * t->shape.tolerance * largest(t) + min;
    for (size_t i = 0; i < t->expected; i++) {
        const double z = result(t, i);
        bool right;
        if (is_finite(t, expected, i)) {
            right = fabs(z - t->expect[i]) <= allowed;
        } else if (is_number(t, expected, i) && exactly) {
            right = z == t->expect[i];
        } else {
            right = exactly ? !is_number(t, result, i) : !is_finite(t, result, i);
        }
        if (!right) {
            wrong(t, device, i);
        }
    }
}

/* ---- computing ------------------------------------------------------------------------------ */

struct host_run {
    const struct task *task;
    void *scratch;
    enum be_stores stores;
};

static void run_member(void *context, int member, int members) {
    const struct host_run *run = context;
    struct be_work work = work_of(run->task);
    work.member = member;
    work.members = members;
    work.team = team;
    work.scratch = run->scratch;
    work.stores = run->stores;
    work.beyond_cache = run->stores == BE_STORES_NONTEMPORAL;
    run->task->variant->host(&work);
}

/* Outputs begin as NaN, or as the inputs where those are updated. */
static void begin(struct task *t) {
    const int inputs = t->workload->inputs;
    for (int k = inputs; k < inputs + t->workload->outputs; k++) {
        memset(t->array[k], 0xff, bytes_of(t, k));
        if (k - inputs < inputs && be_variant_updates(t->variant, k - inputs)) {
            memcpy(t->array[k], t->array[k - inputs], bytes_of(t, k));
        }
    }
}

static void run_on_host(struct task *t, enum be_stores stores) {
    const size_t bytes =
        t->variant->host_scratch ? t->variant->host_scratch(&t->problem, be_team_size(team)) : 0;
    struct host_run run = {t, capacity_for(bytes), stores};
    be_team_run(team, run_member, &run);
    free(run.scratch);
}

static void run_on_device(struct task *t, struct be_device *device, struct be_prepared *prepared) {
    const struct be_device_ops *ops = device->ops;
    const int arrays = t->workload->inputs + t->workload->outputs;
    struct be_buffer buffer[BE_ARRAYS] = {0};
    struct be_buffer scratch = {0};
    const size_t bytes = t->variant->device_scratch ? t->variant->device_scratch(&t->problem) : 0;
    if (bytes > 0) {
        CHECK(ops->memory->alloc(device, bytes, &scratch, &error));
    }
    for (int k = 0; k < arrays; k++) {
        CHECK(ops->memory->alloc(device, bytes_of(t, k), &buffer[k], &error));
        put(device, &buffer[k], 0, t->array[k], bytes_of(t, k));
    }
    const struct be_launch launch = {.device = device,
                                     .queue = BE_QUEUE_WORK,
                                     .prepared = prepared,
                                     .problem = &t->problem,
                                     .buffer = buffer,
                                     .scratch = &scratch,
                                     .items = t->shape.items};
    CHECK(t->variant->enqueue(&launch, &error));
    CHECK(ops->queue->drain(device, BE_QUEUE_WORK, &error));
    for (int k = 0; k < arrays; k++) {
        if (k >= t->workload->inputs) {
            get(device, t->array[k], &buffer[k], 0, bytes_of(t, k));
        }
        ops->memory->release(device, &buffer[k]);
    }
    ops->memory->release(device, &scratch);
}

/* ---- each variant, type and kind ------------------------------------------------------------ */

typedef void test_task(struct task *t, struct be_device *device, struct be_prepared *prepared);

static bool on_host(const struct be_device *device) {
    return strcmp(device->ops->name, "cpu") == 0;
}

/* In whatever way results are stored. */
static void check_task(struct task *t, struct be_device *device, struct be_prepared *prepared,
                       bool exactly, double min) {
    for (int stores = 0; stores < (on_host(device) ? BE_STORES : 1); stores++) {
        begin(t);
        if (on_host(device)) {
            run_on_host(t, (enum be_stores)stores);
        } else {
            run_on_device(t, device, prepared);
        }
        check_result(t, device, exactly, min);
    }
}

static void fill(struct task *t) {
    const struct be_work work = work_of(t);
    t->workload->fill(&work, 11);
}

static void test_variant(struct task *t, struct be_device *device, test_task *test) {
    const struct be_variant *v = t->variant;
    struct be_prepared prepared = {0};
    if (!(on_host(device) ? v->host != NULL : v->prepare != NULL) ||
        !be_variant_can(v, &t->problem)) {
        return;
    }
    enum be_status status =
        on_host(device)
            ? (v->host_ready ? v->host_ready(&library, be_team_size(team), &error) : BE_OK)
            : v->prepare(device, &t->problem, &prepared, &error);
    const bool pretend = strcmp(device->ops->name, "null") == 0;
    if (status == BE_ABSENT || (status == BE_BUILD && pretend)) {
        return;
    }
    CHECK(status);
    fill(t);
    test(t, device, &prepared);
    if (!on_host(device)) {
        v->discard(device, &prepared);
    }
}

static void test_kind(const struct kind *kind, enum be_real real, struct be_device *device,
                      test_task *test) {
    struct task t = {.kind = kind, .workload = be_workload_find(kind->workload)};
    assert_non_null(t.workload);
    t.problem = be_problem_preset(t.workload);
    t.problem.real = real;
    t.problem.value[0] = kind->size;
    for (int p = 0; kind->also && p < t.workload->parameters; p++) {
        if (strcmp(t.workload->parameter[p].name, kind->also) == 0) {
            t.problem.value[p] = kind->value;
        }
    }
    t.shape = be_problem_shape(&t.problem);
    t.expected = numbers_of(&t);
    t.expect = capacity_for((t.expected + t.shape.reference * t.shape.items) * sizeof(double));
    for (int k = 0; k < t.workload->inputs + t.workload->outputs; k++) {
        t.array[k] = capacity_for(bytes_of(&t, k));
    }
    for (int v = 0; v < t.workload->variants; v++) {
        t.variant = &t.workload->variant[v];
        test_variant(&t, device, test);
    }
    for (int k = 0; k < t.workload->inputs + t.workload->outputs; k++) {
        free(t.array[k]);
    }
    free(t.expect);
}

static void each(struct be_device *device, test_task *test) {
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        const struct be_workload *w = be_workload_find(kinds[i].workload);
        for (int real = 0; w && real < BE_REALS; real++) {
            if (w->reals & BE_TAKES(real)) {
                test_kind(&kinds[i], (enum be_real)real, device, test);
            }
        }
    }
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* How many numbers an input has. */
static size_t count_of(const struct task *t, int k) {
    const size_t n = (size_t)t->problem.value[0];
    const size_t second = (size_t)t->problem.value[t->workload->parameters > 1];
    return is(t, "distance") || (is(t, "regress") && k == 0) ? n * second
           : is(t, "matmul") || is(t, "stencil")             ? n * n
           : is(t, "spmv") && k == 2                         ? n * second
           : is(t, "fft")                                    ? 2 * n
           : is(t, "nbody")                                  ? 4 * n
                                                             : n;
}

/* One number of each input, at the front, in the middle and at the end. */
static void spoil(struct task *t, struct be_device *device, struct be_prepared *prepared, int which,
                  bool exactly) {
    static const double number[SPOILS] = {
        [A_NAN] = NAN, [AN_INFINITY] = INFINITY, [A_NEGATIVE_INFINITY] = -INFINITY};
    for (int k = t->kind->first; k <= t->kind->last; k++) {
        const size_t count = count_of(t, k);
        const size_t at[PLACES] = {0, 1, count / 2 + 1, count - 1};
        const size_t places = SANITIZED ? 1 : PLACES; /* no other memory is touched for it */
        for (size_t i = 0; i < places; i++) {
            const double was = input(t, k, at[i]);
            be_number_set(t->problem.real, t->array[k], at[i], number[which]);
            expect_spoilt(t, k, i, which);
            check_task(t, device, prepared, exactly, 0);
            be_number_set(t->problem.real, t->array[k], at[i], was);
        }
    }
}

static void no_number(struct task *t, struct be_device *device, struct be_prepared *prepared) {
    t->spoilt = "a NaN";
    spoil(t, device, prepared, A_NAN, true);
}

static void infinite(struct task *t, struct be_device *device, struct be_prepared *prepared) {
    if (t->kind->infinity == UNSAID) {
        return;
    }
    t->spoilt = "an infinity";
    spoil(t, device, prepared, AN_INFINITY, t->kind->infinity == EXACTLY);
    t->spoilt = "a negative infinity";
    spoil(t, device, prepared, A_NEGATIVE_INFINITY, t->kind->infinity == EXACTLY);
}

/* So small that they have 14 bits left. An OpenCL device need not have such numbers in float32, nor need
 * libraries keep them. */
static void tiny(struct task *t, struct be_device *device, struct be_prepared *prepared) {
    const bool wide = t->problem.real == BE_REAL64;
    const int k = t->kind->scaled;
    if (k < 0 || (!wide && strcmp(device->ops->name, "opencl") == 0) ||
        strcmp(t->variant->name, "library") == 0) {
        return;
    }
    for (int other = is(t, "recurrence") ? t->kind->first : k; other <= t->kind->last; other++) {
        for (size_t i = 0; (other == k || is(t, "recurrence")) && i < count_of(t, other); i++) {
            be_number_set(t->problem.real, t->array[other], i,
                          ldexp(input(t, other, i), wide ? -1060 : -135));
        }
    }
    t->spoilt = "tiny numbers";
    expect_results(t, (size_t)t->problem.value[0]);
    const double rounding = is(t, "gather") ? 0 : (double)t->problem.value[0];
    check_task(t, device, prepared, true, rounding * (wide ? 0x1p-1074 : 0x1p-149));
    fill(t);
}

static void keeps_what_is_no_number(struct be_device *device) {
    each(device, no_number);
}

static void keeps_infinities(struct be_device *device) {
    each(device, infinite);
}

static void keeps_tiny_numbers(struct be_device *device) {
    each(device, tiny);
}

int main(void) {
    static const struct contract contracts[] = {
        {"keeps what is no number", keeps_what_is_no_number},
        {"keeps infinities", keeps_infinities},
        {"keeps tiny numbers", keeps_tiny_numbers},
    };
    (void)be_host_blas_open(&library.blas, &library.blas_error);
    (void)be_fftw_open(&library.fftw, &library.fftw_error);
    int failed = run_contracts("odd numbers", contracts, BE_COUNT(contracts));
    if (library.blas.handle) {
        be_dyn_close(library.blas.handle);
    }
    be_fftw_close(&library.fftw);
    forget_kept();
    return failed;
}
