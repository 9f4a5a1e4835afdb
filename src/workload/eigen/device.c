/* eigen on devices, own kernels: lane.cl for values of the smallest matrices, group.cl above; qr.cl; svd.cl. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/eigen/eigen.h"

/* A lane's registers hold a matrix up to the first order; wider ones leave shared memory room for fewer of them. */
enum { LANE_MAX = 6, LANE_GROUP = 64, LANE_GROUP_WIDE = 32, WIDE = 6 };

/* OpenCL promises 32 KiB of shared memory, CUDA 48, of which others than the square need up to 8. Above, so many groups
 * are at work at a time, on a square each in device memory. */
enum { SHARED_BYTES = 24 << 10, SHARED_BYTES_CUDA = 36 << 10, GROUPS = 1024 };

static size_t lanes_of(size_t order) {
    return order < WIDE ? LANE_GROUP : LANE_GROUP_WIDE;
}

/* The power of two that is not less than the order: lanes that have a column each. */
static size_t columns_of(size_t order) {
    size_t columns = 1;
    while (columns < order) {
        columns *= 2;
    }
    return columns;
}

/* Twice that; whole warps. */
static size_t group_lanes(size_t order) {
    enum { WARP = 32 };
    const size_t lanes = 2 * columns_of(order);
    return lanes < WARP ? WARP : lanes;
}

/* A column a lane. */
static size_t qr_lanes(size_t order) {
    enum { WARP = 32 };
    return (order + WARP - 1) / WARP * WARP;
}

/* Rows or columns lie an odd number of numbers apart. */
static size_t kept_bytes(const struct be_problem *problem) {
    const size_t order = eigen_order(problem);
    const size_t tall = eigen_is_svd(problem) ? eigen_rows(problem) | 1 : 0;
    return order * ((order | 1) + tall) * be_real_bytes(problem->real);
}

static bool in_shared(const struct be_device *device, const struct be_problem *problem) {
    const bool cuda = strcmp(device->ops->name, "cuda") == 0;
    return kept_bytes(problem) <= (cuda ? SHARED_BYTES_CUDA : SHARED_BYTES);
}

static size_t groups_of(const struct be_device *device, const struct be_problem *problem,
                        size_t systems) {
    return in_shared(device, problem) || systems < GROUPS ? systems : GROUPS;
}

/* As a device needs that has the least shared memory. */
size_t be_eigen_batched_device_scratch(const struct be_problem *problem) {
    const size_t systems = (size_t)problem->value[EIGEN_SYSTEMS];
    return kept_bytes(problem) <= SHARED_BYTES || problem->value[EIGEN_WHAT] != EIGEN_EIGEN
               ? 0
               : (systems < GROUPS ? systems : GROUPS) * kept_bytes(problem);
}

/* ---- singular values: a team of lanes a pair of columns --------------------------------------- */

struct teams {
    size_t team, lanes; /* of a pair; of a group */
};

/* As many lanes as have a number each, but a group has some warps at most. */
static struct teams teams_of(const struct be_problem *problem) {
    enum { WARP = 32, GROUP_MOST = 256 };
    const size_t pairs = (eigen_order(problem) + 1) / 2;
    struct teams t = {.team = 1};
    while (t.team < WARP && t.team < eigen_rows(problem) && 2 * t.team * pairs <= GROUP_MOST) {
        t.team *= 2;
    }
    t.lanes = (t.team * pairs + WARP - 1) / WARP * WARP;
    return t;
}

/* ---- each kind -------------------------------------------------------------------------------- */

/* Its program and kernel, what is defined before it, and its lanes. */
struct code {
    const struct be_program *program;
    const char *kernel[2];
    size_t lanes;
    char defines[160];
};

static void choose_factors(const struct be_device *device, const struct be_problem *problem,
                           struct code *code) {
    const size_t order = eigen_order(problem);
    (void)device;
    code->program = &be_program_eigen_qr;
    code->kernel[0] = "k_eigen_qr";
    code->lanes = qr_lanes(order);
    snprintf(code->defines, sizeof code->defines, "#define ORDER %zu\n#define GROUP_LANES %zu\n",
             order, code->lanes);
}

static void choose_singular(const struct be_device *device, const struct be_problem *problem,
                            struct code *code) {
    const struct teams t = teams_of(problem);
    code->program = &be_program_eigen_svd;
    code->kernel[0] = "k_eigen_svd";
    code->lanes = t.lanes;
    snprintf(code->defines, sizeof code->defines,
             "#define ROWS %zu\n#define ORDER %zu\n#define TEAM %zu\n#define GROUP_LANES %zu\n"
             "#define IN_SHARED %d\n",
             eigen_rows(problem), eigen_order(problem), t.team, t.lanes,
             in_shared(device, problem) ? 1 : 0);
}

static void choose_values(const struct be_device *device, const struct be_problem *problem,
                          struct code *code) {
    const size_t order = eigen_order(problem);
    if (order <= LANE_MAX) {
        code->program = &be_program_eigen_lane;
        code->kernel[0] = "k_eigen_lane";
        code->lanes = lanes_of(order);
        snprintf(code->defines, sizeof code->defines,
                 "#define ORDER %zu\n#define LANES_A_GROUP %zu\n", order, code->lanes);
        return;
    }
    code->program = &be_program_eigen_group;
    code->kernel[0] = "k_eigen_group";
    code->lanes = group_lanes(order);
    snprintf(code->defines, sizeof code->defines,
             "#define ORDER %zu\n#define WIDE %zu\n#define GROUP_LANES %zu\n#define IN_SHARED %d\n",
             order, columns_of(order), code->lanes, in_shared(device, problem) ? 1 : 0);
}

static struct code code_of(const struct be_device *device, const struct be_problem *problem) {
    typedef void choose(const struct be_device *device, const struct be_problem *problem,
                        struct code *code);
    static choose *const by_kind[EIGEN_KINDS] = {
        [EIGEN_EIGEN] = choose_values, [EIGEN_QR] = choose_factors, [EIGEN_SVD] = choose_singular};
    struct code code = {.program = NULL};
    by_kind[problem->value[EIGEN_WHAT]](device, problem, &code);
    return code;
}

enum be_status be_eigen_batched_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error) {
    const struct code code = code_of(device, problem);
    return be_prepare_kernels(device, problem, code.program, code.defines, code.kernel, prepared,
                              error);
}

/* A lane or a group a matrix, n of them. */
enum be_status be_eigen_batched_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct be_problem *problem = launch->problem;
    const struct code code = code_of(launch->device, problem);
    const size_t items = launch->items;
    const bool values = problem->value[EIGEN_WHAT] == EIGEN_EIGEN;
    const bool lanes = values && eigen_order(problem) <= LANE_MAX;
    const size_t groups = lanes    ? (items + code.lanes - 1) / code.lanes
                          : values ? groups_of(launch->device, problem, items)
                                   : items;
    const bool shared = in_shared(launch->device, problem);
    const struct be_argument each[] = {
        BE_BUFFER(&launch->buffer[EIGEN_A]),
        BE_BUFFER(&launch->buffer[EIGEN_VALUES]),
        BE_BUFFER(&launch->buffer[EIGEN_VECTORS]),
        BE_LONG(launch->first),
        BE_LONG(items), /* from here on of lanes alone */
    };
    const struct be_argument group[] = {
        each[0],         each[1],
        each[2],         BE_BUFFER(shared ? &launch->buffer[EIGEN_A] : launch->scratch),
        each[3],         each[4],
        BE_LONG(groups),
    };
    return values && !lanes
               ? be_launch_kernel(launch, 0, groups, code.lanes, group, BE_COUNT(group), error)
               : be_launch_kernel(launch, 0, groups, code.lanes, each, lanes ? 5 : 4, error);
}
