/* Gradient descent on a device. */
#include <string.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/regress/regress.h"

/* As regress.cl and gram.cl have them. */
enum {
    WEIGHTS = 128,
    LANES = 128,
    TILE_BYTES = 32768,
    GRAM_LANES = 256,
    GRAM_NUMBERS = 32,
    DESCENT_LANES = 128
};
enum { PART = 4096 }; /* where a part of a buffer may begin on every device */

/* Groups that share the rows: so many a multiprocessor, in all, and rows that are worth one. */
enum {
    GROUPS_A_UNIT = 4,
    GROUPS_MAX = 512,
    UNITS_UNKNOWN = 128,
    GRAM_UNIT = 3,
    GRAM_MAX = 512,
    GRAM_ROWS = 256
};

static size_t over(size_t n, size_t each) {
    return (n + each - 1) / each;
}

static size_t min(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t units_of(const struct be_device *device) {
    return device->info.units > 0 ? (size_t)device->info.units : UNITS_UNKNOWN;
}

static size_t tile_rows(const struct be_problem *problem) {
    const size_t k = be_regress_size(problem).k;
    return min(TILE_BYTES / be_real_bytes(problem->real) / k, LANES);
}

static size_t groups_of(const struct be_launch *launch) {
    const size_t tiles = over(be_regress_size(launch->problem).n, tile_rows(launch->problem));
    return min(tiles, min(GROUPS_A_UNIT * units_of(launch->device), GROUPS_MAX));
}

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              const struct be_program *program, const char *const *names,
                              struct be_prepared *prepared, struct be_error *error) {
    char defines[64];
    snprintf(defines, sizeof defines, "#define FEATURES %zu\n", be_regress_size(problem).k);
    return be_prepare_kernels(device, problem, program, defines, names, prepared, error);
}

/* ---- as written ----------------------------------------------------------------------------- */

enum { ERRORS, GRADIENT, UPDATE };

enum be_status be_regress_prepare_written(struct be_device *device,
                                          const struct be_problem *problem,
                                          struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_regress_errors", "k_regress_gradient",
                                        "k_regress_update", NULL};
    return prepare(device, problem, &be_program_regress, names, prepared, error);
}

/* The groups' sums, on a whole multiple of what a part of a buffer may begin at; then the errors. */
static size_t sums_bytes(const struct be_problem *problem) {
    const size_t k = be_regress_size(problem).k;
    return over(GROUPS_MAX * k * be_real_bytes(problem->real), PART) * PART;
}

size_t be_regress_scratch_written(const struct be_problem *problem) {
    const struct be_regress_size s = be_regress_size(problem);
    return sums_bytes(problem) + s.n * be_real_bytes(problem->real);
}

enum be_status be_regress_enqueue_written(const struct be_launch *launch, struct be_error *error) {
    const struct be_regress_size s = be_regress_size(launch->problem);
    const struct be_device_ops *ops = launch->device->ops;
    const size_t real = be_real_bytes(launch->problem->real);
    const size_t groups = groups_of(launch);
    const struct be_argument w = be_launch_array(launch, BE_REGRESS_W);
    const struct be_argument x = be_launch_array(launch, BE_REGRESS_X);
    const struct be_argument sums = BE_BUFFER(launch->scratch);
    const struct be_argument r = BE_BUFFER_FROM(launch->scratch, sums_bytes(launch->problem));
    const struct be_argument errors[] = {x, be_launch_array(launch, BE_REGRESS_Y), w, r,
                                         BE_LONG(s.n)};
    const struct be_argument gradient[] = {x, r, sums, BE_LONG(s.n), BE_LONG(groups)};
    const struct be_argument update[] = {w, sums, BE_LONG(groups),
                                         be_launch_real(launch, s.factor)};
    enum be_status status =
        ops->queue->fill(launch->device, launch->queue, w.buffer, w.offset, 0, s.k * real, error);
    for (size_t step = 0; status == BE_OK && step < s.steps; step++) {
        status = be_launch_kernel(launch, ERRORS, over(s.n, tile_rows(launch->problem)), LANES,
                                  errors, BE_COUNT(errors), error);
        if (status == BE_OK) {
            status = be_launch_kernel(launch, GRADIENT, groups, LANES, gradient, BE_COUNT(gradient),
                                      error);
        }
        if (status == BE_OK) {
            status = be_launch_kernel(launch, UPDATE, 1, LANES, update, BE_COUNT(update), error);
        }
    }
    return status;
}

/* ---- fused ---------------------------------------------------------------------------------- */

enum { STEP, LAST };
enum { KEPT, PASSING }; /* of together.cl */

static bool goes_together(const struct be_device *device) {
    return device->ops->extras->launch_together != NULL;
}

enum be_status be_regress_prepare_fused(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_regress_step", "k_regress_last", NULL};
    static const char *const together[] = {"k_regress_kept", "k_regress_passing", NULL};
    if (goes_together(device)) {
        return prepare(device, problem, &be_program_regress_together, together, prepared, error);
    }
    return prepare(device, problem, &be_program_regress, names, prepared, error);
}

/* As many bytes as together.cl needs for half as many groups. */
size_t be_regress_scratch_fused(const struct be_problem *problem) {
    const size_t k = be_regress_size(problem).k;
    return 2 * (WEIGHTS + (size_t)GROUPS_MAX * k) * be_real_bytes(problem->real);
}

/* A launch a step, whose groups first work out the weights that the last one left. */
static enum be_status enqueue_steps(const struct be_launch *launch, struct be_error *error) {
    const struct be_regress_size s = be_regress_size(launch->problem);
    const size_t groups = groups_of(launch);
    const struct be_argument factor = be_launch_real(launch, s.factor);
    enum be_status status = BE_OK;
    for (size_t step = 0; status == BE_OK && step < s.steps; step++) {
        const struct be_argument argument[] = {be_launch_array(launch, BE_REGRESS_X),
                                               be_launch_array(launch, BE_REGRESS_Y),
                                               BE_BUFFER(launch->scratch),
                                               BE_LONG(s.n),
                                               BE_LONG(groups),
                                               factor,
                                               BE_LONG(step)};
        status = be_launch_kernel(launch, STEP, groups, LANES, argument, BE_COUNT(argument), error);
    }
    return status;
}

/* Rows that a group of together.cl holds in registers. */
static size_t kept_rows(const struct be_problem *problem) {
    const size_t warps = 16;
    const size_t k = be_regress_size(problem).k;
    size_t along = 1;
    while (along < 32 && along < k) {
        along *= 2;
    }
    return warps * (over(k, along) > 2 ? 8 : 16) * (32 / along);
}

/* All steps in one launch. The part of X that L2 holds stays there. */
static enum be_status enqueue_together(const struct be_launch *launch, struct be_error *error) {
    enum { TOGETHER_LANES = 512, TOGETHER_MAX = 256, SLOT_WORDS = 2 };
    const struct be_regress_size s = be_regress_size(launch->problem);
    const struct be_device *device = launch->device;
    const size_t real = be_real_bytes(launch->problem->real);
    const size_t wanted = over(s.n, kept_rows(launch->problem));
    const size_t max = min(units_of(device), TOGETHER_MAX);
    const double cache = device->info.cache_bytes > 0 ? device->info.cache_bytes : 0;
    const size_t groups = min(wanted, max);
    const struct be_argument argument[] = {be_launch_array(launch, BE_REGRESS_X),
                                           be_launch_array(launch, BE_REGRESS_Y),
                                           be_launch_array(launch, BE_REGRESS_W),
                                           BE_BUFFER(launch->scratch),
                                           BE_LONG(s.n),
                                           BE_LONG(0.4 * cache / (double)(s.k * real)),
                                           be_launch_real(launch, s.factor),
                                           BE_LONG(s.steps)};
    enum be_status status =
        device->ops->queue->fill(launch->device, launch->queue, launch->scratch, 0, 0,
                                 SLOT_WORDS * groups * s.k * (real / 4) * sizeof(uint64_t), error);
    return status == BE_OK ? device->ops->extras->launch_together(
                                 launch->device, launch->queue,
                                 &launch->prepared->kernel[wanted <= max ? KEPT : PASSING], groups,
                                 TOGETHER_LANES, 0, argument, BE_COUNT(argument), error)
                           : status;
}

enum be_status be_regress_enqueue_fused(const struct be_launch *launch, struct be_error *error) {
    const size_t groups = groups_of(launch);
    const struct be_regress_size s = be_regress_size(launch->problem);
    const struct be_argument last[] = {BE_BUFFER(launch->scratch),
                                       be_launch_array(launch, BE_REGRESS_W), BE_LONG(groups),
                                       be_launch_real(launch, s.factor), BE_LONG(s.steps)};
    if (goes_together(launch->device)) {
        return enqueue_together(launch, error);
    }
    enum be_status status = enqueue_steps(launch, error);
    return status == BE_OK ? be_launch_kernel(launch, LAST, 1, LANES, last, BE_COUNT(last), error)
                           : status;
}

/* ---- gram ----------------------------------------------------------------------------------- */

enum { GRAM, SUM, DESCEND };

/* Lanes of CUDA's kernel work on a feature together. */
static bool has_helpers(const struct be_device *device) {
    return strcmp(device->ops->name, "cuda") == 0;
}

enum be_status be_regress_prepare_gram(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error) {
    const char *const names[] = {
        "k_regress_gram", "k_regress_gram_sum",
        has_helpers(device) ? "k_regress_descend_helped" : "k_regress_descend", NULL};
    return prepare(device, problem, &be_program_regress_gram, names, prepared, error);
}

/* Tiles of 4 x 4 from the diagonal on; and in blocks, a group's each. */
static size_t gram_tiles(size_t k) {
    const size_t across = over(k + 1, 4);
    return across * (across + 1) / 2;
}

static size_t gram_blocks(size_t k) {
    return over(gram_tiles(k), GRAM_LANES);
}

/* Groups that share the rows of one block. */
static size_t gram_groups(const struct be_regress_size *s, size_t units) {
    const size_t max = over(min(GRAM_UNIT * units, GRAM_MAX), gram_blocks(s->k));
    return min(over(s->n, GRAM_ROWS), max);
}

/* X'X and X'y, on a whole multiple of what part of a buffer may begin at. */
static size_t gram_bytes(const struct be_problem *problem) {
    const size_t k = be_regress_size(problem).k;
    return over(k * (k + 1) * be_real_bytes(problem->real), PART) * PART;
}

size_t be_regress_scratch_gram(const struct be_problem *problem) {
    const struct be_regress_size s = be_regress_size(problem);
    const size_t groups = gram_groups(&s, GRAM_MAX) * gram_blocks(s.k);
    return gram_bytes(problem) +
           groups * 16 * min(gram_tiles(s.k), GRAM_LANES) * be_real_bytes(problem->real);
}

static size_t descent_lanes(const struct be_launch *launch) {
    const size_t k = be_regress_size(launch->problem).k;
    return has_helpers(launch->device) ? over(k * (k > 64 ? 8 : 4), 32) * 32 : DESCENT_LANES;
}

enum be_status be_regress_enqueue_gram(const struct be_launch *launch, struct be_error *error) {
    const struct be_regress_size s = be_regress_size(launch->problem);
    const size_t groups = gram_groups(&s, units_of(launch->device));
    const struct be_argument gram = BE_BUFFER(launch->scratch);
    const struct be_argument sums = BE_BUFFER_FROM(launch->scratch, gram_bytes(launch->problem));
    const struct be_argument product[] = {be_launch_array(launch, BE_REGRESS_X),
                                          be_launch_array(launch, BE_REGRESS_Y), sums, BE_LONG(s.n),
                                          BE_LONG(groups)};
    const struct be_argument sum[] = {sums, gram, BE_LONG(groups),
                                      be_launch_real(launch, s.factor)};
    const struct be_argument descend[] = {gram, be_launch_array(launch, BE_REGRESS_W),
                                          BE_LONG(s.steps)};
    enum be_status status = be_launch_kernel(launch, GRAM, groups * gram_blocks(s.k), GRAM_LANES,
                                             product, BE_COUNT(product), error);
    if (status == BE_OK) {
        status = be_launch_kernel(launch, SUM, over(16 * gram_tiles(s.k), GRAM_NUMBERS), GRAM_LANES,
                                  sum, BE_COUNT(sum), error);
    }
    if (status == BE_OK) {
        status = be_launch_kernel(launch, DESCEND, 1, descent_lanes(launch), descend,
                                  BE_COUNT(descend), error);
    }
    return status;
}
