/*
 * solve where its inputs are not kind, in every variant on every device: a singular system is named
 * and has no answer, what is not a number stays in its system, hard matrices have small backward
 * errors, and tiny numbers are solved as others are.
 */
#include "devices.h"

#include <math.h>

#include "workload/solve.h"

enum { SYSTEMS = 19, SPOILT = 17, ZERO_COLUMN = 2 };

static struct be_host_libraries library;

struct batch {
    struct be_problem problem;
    struct be_shape shape;
    const struct be_variant *variant;
    size_t order, systems;
    void *array[BE_ARRAYS];
};

static void set(struct batch *b, int array, size_t i, double value) {
    if (b->problem.real == BE_REAL64) {
        ((double *)b->array[array])[i] = value;
    } else {
        ((float *)b->array[array])[i] = (float)value;
    }
}

static double at(const struct batch *b, int array, size_t i) {
    return b->problem.real == BE_REAL64 ? ((const double *)b->array[array])[i]
                                        : (double)((const float *)b->array[array])[i];
}

static void open_batch(struct batch *b, int variant, enum be_real real, size_t systems,
                       size_t order) {
    const struct be_workload *w = be_workload_find("solve");
    assert_non_null(w);
    *b = (struct batch){.problem = be_problem_preset(w), .order = order, .systems = systems};
    b->variant = &w->variant[variant];
    b->problem.value[0] = systems;
    b->problem.value[1] = order;
    b->problem.real = real;
    b->shape = be_problem_shape(&b->problem);
    for (int k = 0; k < w->inputs + w->outputs; k++) {
        size_t bytes = (systems * b->shape.item_bytes[k] + 63) / 64 * 64;
        b->array[k] = aligned_alloc(64, bytes);
        assert_non_null(b->array[k]);
        memset(b->array[k], 0xff, bytes);
    }
    const struct be_work work = {
        .problem = &b->problem, .array = b->array, .items = systems, .members = 1};
    w->fill(&work, 11);
}

static void close_batch(struct batch *b) {
    for (int k = 0; k < BE_ARRAYS; k++) {
        free(b->array[k]);
    }
}

/* ---- computing ------------------------------------------------------------------------------ */

struct host_run {
    const struct batch *batch;
    void *scratch;
};

static void run_member(void *context, int member, int members) {
    const struct host_run *run = context;
    const struct be_work work = {.problem = &run->batch->problem,
                                 .array = run->batch->array,
                                 .items = run->batch->systems,
                                 .member = member,
                                 .members = members,
                                 .team = team,
                                 .scratch = run->scratch,
                                 .library = &library};
    run->batch->variant->host(&work);
}

static void run_on_host(struct batch *b) {
    const size_t bytes = b->variant->host_scratch(&b->problem, be_team_size(team));
    struct host_run run = {b, aligned_alloc(64, (bytes + 63) / 64 * 64)};
    assert_non_null(run.scratch);
    be_team_run(team, run_member, &run);
    free(run.scratch);
}

static bool run_prepared(struct batch *b, struct be_device *device, struct be_prepared *prepared) {
    const struct be_device_ops *ops = device->ops;
    struct be_buffer buffer[BE_ARRAYS] = {0};
    struct be_buffer scratch = {0};
    const size_t bytes = b->variant->device_scratch ? b->variant->device_scratch(&b->problem) : 0;
    if (bytes > 0) {
        CHECK(ops->alloc(device, bytes, &scratch, &error));
    }
    for (int k = 0; k <= SOLVE_INFO; k++) {
        CHECK(ops->alloc(device, b->systems * b->shape.item_bytes[k], &buffer[k], &error));
        put(device, &buffer[k], 0, b->array[k], b->systems * b->shape.item_bytes[k]);
    }
    const struct be_launch launch = {.device = device,
                                     .queue = BE_QUEUE_WORK,
                                     .prepared = prepared,
                                     .problem = &b->problem,
                                     .buffer = buffer,
                                     .scratch = &scratch,
                                     .items = b->systems};
    CHECK(b->variant->enqueue(&launch, &error));
    CHECK(ops->drain(device, BE_QUEUE_WORK, &error));
    for (int k = SOLVE_X; k <= SOLVE_INFO; k++) {
        get(device, b->array[k], &buffer[k], 0, b->systems * b->shape.item_bytes[k]);
    }
    for (int k = 0; k <= SOLVE_INFO; k++) {
        ops->release(device, &buffer[k]);
    }
    ops->release(device, &scratch);
    return true;
}

/* False: not on this device. */
static bool run(struct batch *b, struct be_device *device) {
    struct be_prepared prepared = {0};
    const bool host = strcmp(device->ops->name, "cpu") == 0;
    const bool code = host ? b->variant->host != NULL : b->variant->prepare != NULL;
    if (!code || (b->variant->unfit && b->variant->unfit(&b->problem))) {
        return false;
    }
    if (host) {
        run_on_host(b);
        return true;
    }
    enum be_status status = b->variant->prepare(device, &b->problem, &prepared, &error);
    bool pretend = strcmp(device->ops->name, "null") == 0;
    if (status == BE_ABSENT || (status == BE_BUILD && pretend)) {
        return false;
    }
    CHECK(status);
    bool ran = run_prepared(b, device, &prepared);
    b->variant->discard(device, &prepared);
    return ran;
}

/* ---- what is asked of the result ------------------------------------------------------------ */

/* The backward error of one system as the workload sees it. */
static double error_of(const struct batch *b, size_t system) {
    struct batch one = *b;
    double difference = 0;
    double norm = 0;
    for (int k = 0; k <= SOLVE_INFO; k++) {
        one.array[k] = (char *)b->array[k] + system * b->shape.item_bytes[k];
    }
    const struct be_work work = {
        .problem = &one.problem, .array = one.array, .items = 1, .members = 1};
    b->problem.workload->residual(&work, NULL, &difference, &norm);
    return sqrt(difference / norm);
}

static void check_right(const struct batch *b, size_t system, const char *what) {
    double found = error_of(b, system);
    if (!(found <= b->shape.tolerance)) {
        fail_msg("%s, %s, order %zu, %s: system %zu of %zu has the backward error %g, allowed %g",
                 b->variant->name, be_real_name(b->problem.real), b->order, what, system,
                 b->systems, found, b->shape.tolerance);
    }
}

static void check_others_right(const struct batch *b, const char *what) {
    for (size_t i = 0; i < b->systems; i++) {
        if (i != SPOILT) {
            check_right(b, i, what);
        }
    }
}

static void check_no_number(const struct batch *b, const char *what) {
    for (size_t j = 0; j < b->order; j++) {
        if (!isnan(at(b, SOLVE_X, SPOILT * b->order + j))) {
            fail_msg("%s, %s, order %zu, %s: x[%zu] of system %d is %g", b->variant->name,
                     be_real_name(b->problem.real), b->order, what, j, SPOILT,
                     at(b, SOLVE_X, SPOILT * b->order + j));
        }
    }
    assert_true(isnan(error_of(b, SPOILT)));
}

static void check_named(const struct batch *b) {
    const struct be_work work = {
        .problem = &b->problem, .array = b->array, .items = b->systems, .members = 1};
    const int32_t info = ((const int32_t *)b->array[SOLVE_INFO])[SPOILT];
    char note[BE_NOTE] = "";
    char expected[BE_NOTE];
    b->problem.workload->explain(&work, note);
    snprintf(expected, sizeof expected, "system %d of order %zu is singular: pivot %d is 0", SPOILT,
             b->order, info);
    assert_string_equal(note, expected);
    if (strcmp(b->variant->name, "batched") == 0) { /* others may factor the transpose */
        assert_int_equal(info, (b->order <= ZERO_COLUMN ? b->order - 1 : ZERO_COLUMN) + 1);
    }
}

/* ---- tests ---------------------------------------------------------------------------------- */

static const size_t orders[] = {1, 2, 5, 16, 31, 33, 65, 100, 130, 300};

/* Each variant and type at each order. */
static void each(struct be_device *device, void (*test)(struct batch *, struct be_device *)) {
    const struct be_workload *w = be_workload_find("solve");
    for (int v = 0; w && v < w->variants; v++) {
        for (size_t i = 0; i < BE_COUNT(orders); i++) {
            for (int real = 0; real < BE_REALS; real++) {
                struct batch batch;
                open_batch(&batch, v, (enum be_real)real, SYSTEMS, orders[i]);
                test(&batch, device);
                close_batch(&batch);
            }
        }
    }
}

static void singular(struct batch *b, struct be_device *device) {
    const size_t column = b->order <= ZERO_COLUMN ? b->order - 1 : ZERO_COLUMN;
    for (size_t i = 0; i < b->order; i++) {
        set(b, SOLVE_A, (SPOILT * b->order + i) * b->order + column, 0);
    }
    if (run(b, device)) {
        check_named(b);
        check_no_number(b, "a column of zeros");
        check_others_right(b, "another system is singular");
    }
}

static void names_a_singular_system(struct be_device *device) {
    each(device, singular);
}

static void spoil(struct batch *b, struct be_device *device, int array, size_t i, double value,
                  const char *what) {
    const double was = at(b, array, i);
    set(b, array, i, value);
    if (run(b, device)) {
        check_no_number(b, what);
        check_others_right(b, what);
        assert_int_equal(((const int32_t *)b->array[SOLVE_INFO])[SPOILT], 0);
    }
    set(b, array, i, was);
}

static void not_a_number(struct batch *b, struct be_device *device) {
    const size_t n = b->order;
    if (strcmp(b->variant->name, "batched") == 0) { /* libraries may leave out what they skip */
        spoil(b, device, SOLVE_A, SPOILT * n * n, NAN, "A begins with NaN");
        spoil(b, device, SOLVE_A, (SPOILT + 1) * n * n - 1, NAN, "A ends with NaN");
        spoil(b, device, SOLVE_A, SPOILT * n * n + n * (n - 1), NAN, "A has a NaN below");
        spoil(b, device, SOLVE_A, SPOILT * n * n + n * (n / 2) + n / 2, NAN, "A has a NaN");
        spoil(b, device, SOLVE_B, SPOILT * n + n / 2, NAN, "b has a NaN");
    }
}

static void keeps_what_is_no_number(struct be_device *device) {
    each(device, not_a_number);
}

/* Hilbert's matrices, of conditions up to 1/epsilon and beyond. */
static void hard(struct batch *b, struct be_device *device) {
    for (size_t i = 0; i < b->order; i++) {
        for (size_t j = 0; j < b->order; j++) {
            set(b, SOLVE_A, (SPOILT * b->order + i) * b->order + j, 1 / (double)(i + j + 1));
        }
    }
    if (b->order <= 16 && run(b, device)) {
        check_right(b, SPOILT, "Hilbert's matrix");
        check_others_right(b, "another system is hard");
    }
}

/* Rows that differ from one another by little. */
static void close(struct batch *b, struct be_device *device) {
    const double little = b->problem.real == BE_REAL64 ? 1e-11 : 1e-4;
    const size_t start = SPOILT * b->order * b->order;
    for (size_t i = 1; i < b->order; i++) {
        for (size_t j = 0; j < b->order; j++) {
            const size_t e = start + i * b->order + j;
            set(b, SOLVE_A, e, at(b, SOLVE_A, start + j) + little * at(b, SOLVE_A, e));
        }
    }
    if (run(b, device)) {
        const int32_t info = ((const int32_t *)b->array[SOLVE_INFO])[SPOILT];
        check_others_right(b, "another system has rows alike");
        if (info != SOLVE_SLOW && info <= 0) { /* refinement says so where it does not get there */
            check_right(b, SPOILT, "rows alike");
        } else {
            assert_string_equal(b->variant->name, "refined");
            assert_true(strcmp(device->ops->name, "cpu") != 0);
        }
    }
}

static void solves_hard_systems(struct be_device *device) {
    each(device, hard);
    each(device, close);
}

/* Numbers of which reciprocals overflow: they have fewer digits than others, and so has x. Where a
 * device need not have such numbers it is not asked. */
static void tiny(struct batch *b, struct be_device *device) {
    const bool wide = b->problem.real == BE_REAL64;
    const bool may_lack = !wide && strcmp(device->ops->name, "opencl") == 0;
    const int up = wide ? 1030 : 130;
    const int digits = wide ? 20 : 10;
    const size_t n = b->order;
    for (size_t i = 0; i < n * n + n; i++) {
        const int array = i < n * n ? SOLVE_A : SOLVE_B;
        const size_t e = i < n * n ? SPOILT * n * n + i : SPOILT * n + i - n * n;
        const double whole = nearbyint(ldexp(at(b, array, e), digits));
        set(b, array, e, ldexp(whole == 0 ? 1 : whole, -digits - up));
    }
    if (strcmp(b->variant->name, "batched") == 0 && !may_lack && run(b, device)) {
        for (size_t i = 0; i < n * n + n; i++) {
            const int array = i < n * n ? SOLVE_A : SOLVE_B;
            const size_t e = i < n * n ? SPOILT * n * n + i : SPOILT * n + i - n * n;
            set(b, array, e, ldexp(at(b, array, e), up));
        }
        b->shape.tolerance = (double)(n + 8) * (wide ? 0x1p-42 : 0x1p-17);
        check_right(b, SPOILT, "tiny numbers");
    }
}

static void solves_tiny_systems(struct be_device *device) {
    each(device, tiny);
}

int main(void) {
    static const struct contract contracts[] = {
        {"names a singular system", names_a_singular_system},
        {"keeps what is no number", keeps_what_is_no_number},
        {"solves hard systems", solves_hard_systems},
        {"solves tiny systems", solves_tiny_systems},
    };
    (void)be_host_blas_open(&library.blas, &library.blas_error);
    int failed = run_contracts("solve", contracts, BE_COUNT(contracts));
    if (library.blas.handle) {
        be_dyn_close(library.blas.handle);
    }
    return failed;
}
