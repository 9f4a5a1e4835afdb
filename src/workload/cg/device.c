/* Conjugate gradients on a device: launches of cg.cl, all put into the queue at
 * once. */
#include "base/error.h"
#include "kernel_programs.h"
#include "workload/cg/cg.h"

enum { BEGIN, PRODUCT, UPDATE, TURN, MULTIPLY, DOT, MOVE }; /* kernels */
enum { LANES = 256, PARTS_MAX = 1024 };                     /* as cg.cl has them */
enum { ALIGN = 4096 };                                      /* any device can begin there */
enum { SUMS_BYTES = PARTS_MAX * sizeof(double) };

enum { R, P, Q, ALONG, SQUARE, AFTER, VECTORS }; /* in the scratch */

enum be_status be_cg_prepare(struct be_device *device, const struct be_problem *problem,
                             struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_begin",    "k_product", "k_update", "k_turn",
                                        "k_multiply", "k_dot",     "k_move",   NULL};
    return be_prepare_kernels(device, problem, &be_program_cg, NULL, names, prepared, error);
}

/* Groups that fill a large GPU, and parts of a sum: fewer of a small system. */
static size_t parts_of(const struct be_problem *problem) {
    const size_t groups = (be_cg_sizes_of(problem).rows + LANES - 1) / LANES;
    return groups < PARTS_MAX ? groups : PARTS_MAX;
}

static size_t vector_bytes(const struct be_problem *problem) {
    const size_t numbers = be_cg_sizes_of(problem).rows;
    return (numbers * be_real_bytes(problem->real) + ALIGN - 1) / ALIGN * ALIGN;
}

/* r, p, q as long as a vector of the system, then the parts of sums. */
size_t be_cg_device_scratch(const struct be_problem *problem) {
    return 3 * vector_bytes(problem) + (VECTORS - ALONG) * SUMS_BYTES;
}

static struct be_argument vector_of(const struct be_launch *launch, int which) {
    const size_t bytes = vector_bytes(launch->problem);
    const size_t at =
        which < ALONG ? (size_t)which * bytes : 3 * bytes + (size_t)(which - ALONG) * SUMS_BYTES;
    return (struct be_argument)BE_BUFFER_FROM(launch->scratch, at);
}

static enum be_status put(const struct be_launch *launch, int kernel,
                          const struct be_argument *argument, int count, struct be_error *error) {
    return be_launch_kernel(launch, kernel, parts_of(launch->problem), LANES, argument, count,
                            error);
}

/* All arguments of an iteration, whose squares are in turn before and after. */
struct step {
    struct be_argument start, column, value, b, x, r, p, q, n, parts, along, square, after;
};

static struct step step_of(const struct be_launch *launch) {
    return (struct step){.start = be_launch_array(launch, BE_CG_START),
                         .column = be_launch_array(launch, BE_CG_COLUMN),
                         .value = be_launch_array(launch, BE_CG_VALUE),
                         .b = be_launch_array(launch, BE_CG_B),
                         .x = be_launch_array(launch, BE_CG_X),
                         .r = vector_of(launch, R),
                         .p = vector_of(launch, P),
                         .q = vector_of(launch, Q),
                         .n = BE_LONG(be_cg_sizes_of(launch->problem).rows),
                         .parts = BE_INT(parts_of(launch->problem)),
                         .along = vector_of(launch, ALONG),
                         .square = vector_of(launch, SQUARE),
                         .after = vector_of(launch, AFTER)};
}

static enum be_status put_turn(const struct be_launch *launch, const struct step *s,
                               struct be_error *error) {
    const struct be_argument turn[] = {s->r, s->p, s->n, s->parts, s->square, s->after};
    return put(launch, TURN, turn, BE_COUNT(turn), error);
}

static enum be_status put_fused(const struct be_launch *launch, const struct step *s,
                                struct be_error *error) {
    const struct be_argument product[] = {s->start, s->column, s->value, s->p,
                                          s->q,     s->n,      s->parts, s->along};
    const struct be_argument update[] = {s->p,     s->q,     s->x,      s->r,    s->n,
                                         s->parts, s->along, s->square, s->after};
    enum be_status status = put(launch, PRODUCT, product, BE_COUNT(product), error);
    if (status == BE_OK) {
        status = put(launch, UPDATE, update, BE_COUNT(update), error);
    }
    return status == BE_OK ? put_turn(launch, s, error) : status;
}

static enum be_status put_plain(const struct be_launch *launch, const struct step *s,
                                struct be_error *error) {
    const struct be_argument multiply[] = {s->start, s->column, s->value, s->p,
                                           s->q,     s->n,      s->parts};
    const struct be_argument along[] = {s->p, s->q, s->n, s->parts, s->along};
    const struct be_argument x[] = {s->p, s->x, s->n, s->parts, BE_INT(1), s->along, s->square};
    const struct be_argument r[] = {s->q, s->r, s->n, s->parts, BE_INT(-1), s->along, s->square};
    const struct be_argument square[] = {s->r, s->r, s->n, s->parts, s->after};
    const struct {
        int kernel, count;
        const struct be_argument *argument;
    } part[] = {{MULTIPLY, BE_COUNT(multiply), multiply},
                {DOT, BE_COUNT(along), along},
                {MOVE, BE_COUNT(x), x},
                {MOVE, BE_COUNT(r), r},
                {DOT, BE_COUNT(square), square}};
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(part); i++) {
        status = put(launch, part[i].kernel, part[i].argument, part[i].count, error);
    }
    return status == BE_OK ? put_turn(launch, s, error) : status;
}

typedef enum be_status put_step(const struct be_launch *launch, const struct step *s,
                                struct be_error *error);

static enum be_status enqueue(const struct be_launch *launch, put_step *one,
                              struct be_error *error) {
    struct step s = step_of(launch);
    const struct be_argument begin[] = {s.b, s.x, s.r, s.p, s.n, s.parts, s.square};
    enum be_status status = put(launch, BEGIN, begin, BE_COUNT(begin), error);
    for (size_t k = be_cg_sizes_of(launch->problem).iterations; status == BE_OK && k-- > 0;) {
        const struct be_argument square = s.square;
        status = one(launch, &s, error);
        s.square = s.after;
        s.after = square;
    }
    return status;
}

enum be_status be_cg_enqueue_plain(const struct be_launch *launch, struct be_error *error) {
    return enqueue(launch, put_plain, error);
}

enum be_status be_cg_enqueue_fused(const struct be_launch *launch, struct be_error *error) {
    return enqueue(launch, put_fused, error);
}
