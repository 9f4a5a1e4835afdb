/*
 * solve by the vendor's solvers on a device: batches of small systems at once, large systems one
 * after the other, and these also by refinement. The solvers work on memory of their own,
 * which is taken when the code is prepared: the batches' library is told then where each system is.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/solve/solve.h"

enum { ALIGN = 4096, LANES = 256, CORRECTIONS = 6 };
enum { TURN, RIGHT, ANSWER };
enum { REFINE_START = 1, CORRECT, REST, JUDGE, REFINE_END };

/* Memory of a large batch is taken for this much at a time. */
static const size_t batch_bytes = (size_t)2 << 30;

struct capacity {
    struct be_solver solver; /* of large systems; else batches are solved by prepared->blas */
    struct be_buffer memory;
    size_t batch;   /* systems at a time */
    size_t scratch; /* the solver's own scratch: bytes */
    enum be_precision precision;
    /* Bytes from the start of memory. A in columns, b and then x, pivots, the solver's scratch, what
     * it says; of refinement the residual, the squares of A's rows, and whether it is done. */
    size_t at_a, at_y, at_pivots, at_scratch, at_info, at_rest, at_squares, at_done;
};

/* One block of a launch takes much longer than many small ones together: few of large systems. */
static bool one_by_one(const struct be_problem *problem) {
    enum { ORDER_PER_SYSTEM = 64, MIN = 128 };
    const size_t order = solve_order(problem);
    return order > MIN && problem->value[0] <= order / ORDER_PER_SYSTEM;
}

static size_t take(size_t *end, size_t bytes) {
    const size_t start = *end;
    *end = (start + bytes + ALIGN - 1) / ALIGN * ALIGN;
    return start;
}

/* Where everything is, and how much that is. */
static size_t lay_out(struct capacity *capacity, const struct be_problem *problem, bool refined) {
    const size_t order = solve_order(problem);
    const size_t each = capacity->precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
    size_t end = 0;
    capacity->at_a = take(&end, capacity->batch * order * order * each);
    capacity->at_y = take(&end, capacity->batch * order * each);
    capacity->at_pivots = take(&end, capacity->solver.handle ? order * sizeof(int64_t) : 0);
    capacity->at_scratch = take(&end, capacity->scratch);
    capacity->at_info = take(&end, (capacity->batch + 1) * sizeof(int32_t));
    capacity->at_rest = take(&end, refined ? order * sizeof(double) : 0);
    capacity->at_squares = take(&end, refined ? order * sizeof(double) : 0);
    capacity->at_done = take(&end, sizeof(int32_t));
    return end;
}

static struct be_part part(const struct capacity *capacity, size_t offset) {
    return (struct be_part){&capacity->memory, offset};
}

static struct be_lu_batch batch_of(const struct capacity *capacity,
                                   const struct be_problem *problem) {
    return (struct be_lu_batch){
        .precision = capacity->precision,
        .order = (int)solve_order(problem),
        .count = (int)capacity->batch,
        .a = part(capacity, capacity->at_a),
        .b = part(capacity, capacity->at_y),
        .scratch = part(capacity, capacity->at_scratch),
        .info = part(capacity, capacity->at_info),
    };
}

static struct be_dense dense_of(const struct capacity *capacity, const struct be_problem *problem) {
    const int64_t order = (int64_t)solve_order(problem);
    return (struct be_dense){
        .precision = capacity->precision,
        .order = order,
        .right_sides = 1,
        .a = {&capacity->memory, capacity->at_a, order},
        .b = {&capacity->memory, capacity->at_y, order},
        .pivots = part(capacity, capacity->at_pivots),
        .scratch = part(capacity, capacity->at_scratch),
        .info = part(capacity, capacity->at_info),
    };
}

/* ---- preparing ------------------------------------------------------------------------------ */

void be_solve_library_discard(struct be_device *device, struct be_prepared *prepared) {
    struct capacity *capacity = prepared->extra;
    if (capacity) {
        if (capacity->solver.handle) {
            device->ops->solver->close(device, &capacity->solver);
        }
        device->ops->memory->release(device, &capacity->memory);
        free(capacity);
    }
    if (prepared->blas.handle) {
        device->ops->blas->close(device, &prepared->blas);
    }
    be_discard_kernels(device, prepared);
    prepared->extra = NULL;
}

static enum be_status open_solver(struct be_device *device, const struct be_problem *problem,
                                  struct capacity *capacity, struct be_error *error) {
    if (!device->ops->solver) {
        return be_fail(error, BE_ABSENT, "%s: no library of dense systems is known for %s devices",
                       device->info.id, device->ops->name);
    }
    capacity->batch = 1;
    enum be_status status = device->ops->solver->open(device, &capacity->solver, error);
    return status == BE_OK
               ? device->ops->solver->scratch_bytes(device, &capacity->solver, capacity->precision,
                                                    (int64_t)solve_order(problem),
                                                    &capacity->scratch, error)
               : status;
}

static enum be_status open_batches(struct be_device *device, const struct be_problem *problem,
                                   struct capacity *capacity, struct be_prepared *prepared,
                                   struct be_error *error) {
    const size_t order = solve_order(problem);
    const size_t fit = batch_bytes / (order * order * be_real_bytes(problem->real));
    const size_t systems = (size_t)problem->value[0];
    if (!device->ops->blas || !device->ops->blas->lu_batched) {
        return be_fail(error, BE_ABSENT, "%s: no library of small systems is known for %s devices",
                       device->info.id, device->ops->name);
    }
    capacity->batch = fit < 1 ? 1 : fit < systems ? fit : systems;
    capacity->scratch = device->ops->blas->lu_scratch_bytes((int)order, (int)capacity->batch);
    return device->ops->blas->open(device, &prepared->blas, error);
}

/* The library, then the memory it works in. */
static enum be_status open_capacity(struct be_device *device, const struct be_problem *problem,
                                    bool refined, struct be_prepared *prepared,
                                    struct be_error *error) {
    struct capacity *capacity = prepared->extra;
    const bool single = refined || problem->real == BE_REAL32;
    capacity->precision = single ? BE_FLOAT32 : BE_FLOAT64;
    enum be_status status = refined || one_by_one(problem)
                                ? open_solver(device, problem, capacity, error)
                                : open_batches(device, problem, capacity, prepared, error);
    if (status == BE_OK) {
        const size_t bytes = lay_out(capacity, problem, refined);
        status = device->ops->memory->alloc(device, bytes, &capacity->memory, error);
    }
    if (status == BE_OK && prepared->blas.handle) {
        const struct be_lu_batch batch = batch_of(capacity, problem);
        status = device->ops->blas->lu_prepare(device, &prepared->blas, &batch, error);
    }
    return status;
}

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              bool refined, const char *const *names, struct be_prepared *prepared,
                              struct be_error *error) {
    char defines[128];
    *prepared = (struct be_prepared){0};
    if (!device->ops->solver && !device->ops->blas) { /* before anything is compiled */
        const bool too_large = solve_order(problem) > SOLVE_BATCHED_MAX;
        return be_fail(error, BE_ABSENT, "%s: no solvers are known for %s devices%s",
                       device->info.id, device->ops->name,
                       too_large ? "; our own code takes orders up to 2048, and up to 64 systems "
                                   "of float64 up to 16384"
                                 : "");
    }
    snprintf(defines, sizeof defines, "#define ORDER %zu\n#define TO %s\n", solve_order(problem),
             refined ? "float" : "REAL");
    enum be_status status = be_prepare_kernels(device, problem, &be_program_solve_turn, defines,
                                               names, prepared, error);
    if (status != BE_OK) {
        return status;
    }
    prepared->extra = calloc(1, sizeof(struct capacity));
    status = prepared->extra ? open_capacity(device, problem, refined, prepared, error)
                             : be_fail(error, BE_NOMEM, "solve: no host memory");
    if (status != BE_OK) {
        be_solve_library_discard(device, prepared);
    }
    return status;
}

enum be_status be_solve_library_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {
        [TURN] = "k_turn", [RIGHT] = "k_right", [ANSWER] = "k_answer", NULL};
    return prepare(device, problem, false, names, prepared, error);
}

enum be_status be_solve_refined_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {
        [TURN] = "k_turn",
        [REFINE_START] = "k_refine_start",
        [CORRECT] = "k_refine_correct",
        [REST] = "k_refine_rest",
        [JUDGE] = "k_refine_judge",
        [REFINE_END] = "k_refine_end",
        NULL,
    };
    return prepare(device, problem, true, names, prepared, error);
}

/* ---- launching ------------------------------------------------------------------------------ */

static struct be_argument from(const struct capacity *capacity, size_t offset) {
    return (struct be_argument)BE_BUFFER_FROM(&capacity->memory, offset);
}

/* A lane a number of the vectors of n systems. */
static enum be_status vectors(const struct be_launch *launch, int kernel, size_t n,
                              const struct be_argument *argument, int count,
                              struct be_error *error) {
    const size_t numbers = n * solve_order(launch->problem);
    return be_launch_kernel(launch, kernel, (numbers + LANES - 1) / LANES, LANES, argument, count,
                            error);
}

static enum be_status turn(const struct be_launch *launch, size_t first, size_t n,
                           struct be_error *error) {
    enum { TILE = 32 };
    const struct capacity *capacity = launch->prepared->extra;
    const size_t tiles = (solve_order(launch->problem) + TILE - 1) / TILE;
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[SOLVE_A]),
        from(capacity, capacity->at_a),
        BE_LONG(first),
    };
    return be_launch_kernel(launch, TURN, n * tiles * tiles, LANES, argument, 3, error);
}

static enum be_status right(const struct be_launch *launch, size_t first, size_t n,
                            struct be_error *error) {
    const struct capacity *capacity = launch->prepared->extra;
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[SOLVE_B]),
        from(capacity, capacity->at_y),
        BE_LONG(first),
        BE_LONG(n),
    };
    return vectors(launch, RIGHT, n, argument, 4, error);
}

static enum be_status answer(const struct be_launch *launch, size_t first, size_t n,
                             struct be_error *error) {
    const struct capacity *capacity = launch->prepared->extra;
    const struct be_argument argument[] = {
        from(capacity, capacity->at_y),
        from(capacity, capacity->at_info),
        BE_BUFFER(&launch->buffer[SOLVE_X]),
        BE_BUFFER(&launch->buffer[SOLVE_INFO]),
        BE_LONG(first),
        BE_LONG(n),
        BE_INT(1),
    };
    return vectors(launch, ANSWER, n, argument, 7, error);
}

static enum be_status solve_some(const struct be_launch *launch, size_t n, struct be_error *error) {
    struct be_device *device = launch->device;
    const struct capacity *capacity = launch->prepared->extra;
    if (capacity->solver.handle) {
        const struct be_dense dense = dense_of(capacity, launch->problem);
        return device->ops->solver->lu_solve(device, &capacity->solver, &dense, error);
    }
    const struct be_lu_batch batch = batch_of(capacity, launch->problem);
    return device->ops->blas->lu_batched(device, &launch->prepared->blas, &batch, 0, (int)n, error);
}

enum be_status be_solve_library_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct capacity *capacity = launch->prepared->extra;
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < launch->items; i += capacity->batch) {
        const size_t first = launch->first + i;
        const size_t n = launch->items - i < capacity->batch ? launch->items - i : capacity->batch;
        status = turn(launch, first, n, error);
        status = status == BE_OK ? right(launch, first, n, error) : status;
        status = status == BE_OK ? solve_some(launch, n, error) : status;
        status = status == BE_OK ? answer(launch, first, n, error) : status;
    }
    return status;
}

/* ---- refinement ----------------------------------------------------------------------------- */

/* x += the solution for the last residual, and the next residual. The host must not wait to see
 * whether that is enough: a device that is done does nothing in the rounds that are left. */
static enum be_status correct(const struct be_launch *launch, size_t system,
                              struct be_error *error) {
    const struct capacity *capacity = launch->prepared->extra;
    const size_t order = solve_order(launch->problem);
    const struct be_dense dense = dense_of(capacity, launch->problem);
    const struct be_argument a = BE_BUFFER(&launch->buffer[SOLVE_A]);
    const struct be_argument b = BE_BUFFER(&launch->buffer[SOLVE_B]);
    const struct be_argument x = BE_BUFFER(&launch->buffer[SOLVE_X]);
    const struct be_argument step = from(capacity, capacity->at_y);
    const struct be_argument done = from(capacity, capacity->at_done);
    const struct be_argument rest = from(capacity, capacity->at_rest);
    const struct be_argument squares = from(capacity, capacity->at_squares);
    const struct be_argument at = BE_LONG(system);
    const struct be_argument correct[] = {step, done, x, at};
    const struct be_argument next[] = {a, b, x, rest, squares, step, done, at};
    const struct be_argument judge[] = {
        b, x, rest, squares, done, at, be_launch_real(launch, solve_refined_enough(order))};
    enum be_status status =
        launch->device->ops->solver->solve(launch->device, &capacity->solver, &dense, error);
    status = status == BE_OK ? vectors(launch, CORRECT, 1, correct, 4, error) : status;
    status =
        status == BE_OK ? be_launch_kernel(launch, REST, order, LANES, next, 8, error) : status;
    return status == BE_OK ? be_launch_kernel(launch, JUDGE, 1, LANES, judge, 7, error) : status;
}

static enum be_status refine(const struct be_launch *launch, size_t system,
                             struct be_error *error) {
    const struct capacity *capacity = launch->prepared->extra;
    const struct be_dense dense = dense_of(capacity, launch->problem);
    const struct be_argument x = BE_BUFFER(&launch->buffer[SOLVE_X]);
    const struct be_argument done = from(capacity, capacity->at_done);
    const struct be_argument start[] = {BE_BUFFER(&launch->buffer[SOLVE_B]), x,
                                        from(capacity, capacity->at_y), done, BE_LONG(system)};
    const struct be_argument end[] = {from(capacity, capacity->at_info),
                                      done,
                                      x,
                                      BE_BUFFER(&launch->buffer[SOLVE_INFO]),
                                      BE_LONG(system),
                                      BE_INT(SOLVE_SLOW)};
    enum be_status status = turn(launch, system, 1, error);
    status = status == BE_OK ? vectors(launch, REFINE_START, 1, start, 5, error) : status;
    if (status == BE_OK) {
        status =
            launch->device->ops->solver->factor(launch->device, &capacity->solver, &dense, error);
    }
    for (int i = 0; status == BE_OK && i < CORRECTIONS; i++) {
        status = correct(launch, system, error);
    }
    return status == BE_OK ? vectors(launch, REFINE_END, 1, end, 6, error) : status;
}

enum be_status be_solve_refined_enqueue(const struct be_launch *launch, struct be_error *error) {
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < launch->items; i++) {
        status = refine(launch, launch->first + i, error);
    }
    return status;
}
