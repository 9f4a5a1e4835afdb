/* Plain code of least squares: plain_simd.c runs on the CPU, plain.cl on a device. */
#include "base/error.h"
#include "kernel_programs.h"
#include "workload/regress/regress.h"

void be_regress_host_plain(const struct be_work *work) {
    BE_SIMD_BEST(be_regress_plain_run)(work);
}

size_t be_regress_host_scratch_plain(const struct be_problem *problem, int members) {
    return (size_t)members * be_regress_plain_apart(be_regress_size(problem).k) * sizeof(double);
}

/* ---- devices -------------------------------------------------------------------------------- */

enum { GRAM, SUM, DESCEND };

/* LANES and WEIGHTS as in plain.cl; a group has at least so many rows; a part of a buffer begins at a multiple of PART
 * on every device. */
enum { LANES = 256, WEIGHTS = 128, ROWS = 512, GROUPS_MAX = 512, PART = 4096 };

static size_t groups_for(const struct be_regress_size *s) {
    const size_t groups = (s->n + ROWS - 1) / ROWS;
    return groups < GROUPS_MAX ? groups : GROUPS_MAX;
}

/* Bytes of X'X and X'y. */
static size_t gram_bytes(const struct be_problem *problem) {
    const size_t k = be_regress_size(problem).k;
    return (k * (k + 1) * be_real_bytes(problem->real) + PART - 1) / PART * PART;
}

/* The result's, and behind it each group's. */
size_t be_regress_scratch_plain(const struct be_problem *problem) {
    const struct be_regress_size s = be_regress_size(problem);
    return gram_bytes(problem) + groups_for(&s) * s.k * (s.k + 1) * be_real_bytes(problem->real);
}

enum be_status be_regress_prepare_plain(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_plain_gram", "k_plain_sum", "k_plain_descend", NULL};
    return be_prepare_kernels(device, problem, &be_program_regress_plain, NULL, names, prepared,
                              error);
}

enum be_status be_regress_enqueue_plain(const struct be_launch *launch, struct be_error *error) {
    const struct be_regress_size s = be_regress_size(launch->problem);
    const size_t groups = groups_for(&s);
    const struct be_argument gram = BE_BUFFER(launch->scratch);
    const struct be_argument sums = BE_BUFFER_FROM(launch->scratch, gram_bytes(launch->problem));
    const struct be_argument features = BE_LONG(s.k), shares = BE_LONG(groups);
    const struct be_argument product[] = {be_launch_array(launch, BE_REGRESS_X),
                                          be_launch_array(launch, BE_REGRESS_Y),
                                          sums,
                                          BE_LONG(s.n),
                                          features,
                                          shares};
    const struct be_argument sum[] = {sums, gram, features, shares,
                                      be_launch_real(launch, s.factor)};
    const struct be_argument descend[] = {gram, be_launch_array(launch, BE_REGRESS_W), features,
                                          BE_LONG(s.steps)};
    enum be_status status =
        be_launch_kernel(launch, GRAM, groups, LANES, product, BE_COUNT(product), error);
    if (status == BE_OK) {
        status = be_launch_kernel(launch, SUM, (s.k * (s.k + 1) + LANES - 1) / LANES, LANES, sum,
                                  BE_COUNT(sum), error);
    }
    return status == BE_OK
               ? be_launch_kernel(launch, DESCEND, 1, WEIGHTS, descend, BE_COUNT(descend), error)
               : status;
}
