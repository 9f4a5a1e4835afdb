/* eigen on devices, own kernels: lane.cl for values of the smallest matrices, group.cl above; qr.cl. */
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

/* Rows lie an odd number of numbers apart. */
static size_t square_bytes(const struct be_problem *problem) {
    const size_t order = eigen_order(problem);
    return order * (order | 1) * be_real_bytes(problem->real);
}

static bool in_shared(const struct be_device *device, const struct be_problem *problem) {
    const bool cuda = strcmp(device->ops->name, "cuda") == 0;
    return square_bytes(problem) <= (cuda ? SHARED_BYTES_CUDA : SHARED_BYTES);
}

static size_t groups_of(const struct be_device *device, const struct be_problem *problem,
                        size_t systems) {
    return in_shared(device, problem) || systems < GROUPS ? systems : GROUPS;
}

/* As a device needs that has the least shared memory. */
size_t be_eigen_batched_device_scratch(const struct be_problem *problem) {
    const size_t systems = (size_t)problem->value[0];
    return square_bytes(problem) <= SHARED_BYTES || eigen_is_qr(problem)
               ? 0
               : (systems < GROUPS ? systems : GROUPS) * square_bytes(problem);
}

enum be_status be_eigen_batched_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error) {
    static const char *const lane[] = {"k_eigen_lane", NULL};
    static const char *const group[] = {"k_eigen_group", NULL};
    const size_t order = eigen_order(problem);
    static const char *const qr[] = {"k_eigen_qr", NULL};
    char defines[128];
    if (eigen_is_qr(problem)) {
        snprintf(defines, sizeof defines, "#define ORDER %zu\n#define GROUP_LANES %zu\n", order,
                 qr_lanes(order));
        return be_prepare_kernels(device, problem, &be_program_eigen_qr, defines, qr, prepared,
                                  error);
    }
    if (order <= LANE_MAX) {
        snprintf(defines, sizeof defines, "#define ORDER %zu\n#define LANES_A_GROUP %zu\n", order,
                 lanes_of(order));
        return be_prepare_kernels(device, problem, &be_program_eigen_lane, defines, lane, prepared,
                                  error);
    }
    snprintf(defines, sizeof defines,
             "#define ORDER %zu\n#define WIDE %zu\n#define GROUP_LANES %zu\n#define IN_SHARED %d\n",
             order, columns_of(order), group_lanes(order), in_shared(device, problem) ? 1 : 0);
    return be_prepare_kernels(device, problem, &be_program_eigen_group, defines, group, prepared,
                              error);
}

static enum be_status enqueue_lanes(const struct be_launch *launch, struct be_error *error) {
    const size_t lanes = lanes_of(eigen_order(launch->problem));
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[EIGEN_A]),
        BE_BUFFER(&launch->buffer[EIGEN_VALUES]),
        BE_BUFFER(&launch->buffer[EIGEN_VECTORS]),
        BE_LONG(launch->first),
        BE_LONG(launch->items),
    };
    return be_launch_kernel(launch, 0, (launch->items + lanes - 1) / lanes, lanes, argument, 5,
                            error);
}

enum be_status be_eigen_batched_enqueue(const struct be_launch *launch, struct be_error *error) {
    const size_t order = eigen_order(launch->problem);
    if (eigen_is_qr(launch->problem)) {
        const struct be_argument each[] = {
            BE_BUFFER(&launch->buffer[EIGEN_A]),
            BE_BUFFER(&launch->buffer[EIGEN_VALUES]),
            BE_BUFFER(&launch->buffer[EIGEN_VECTORS]),
            BE_LONG(launch->first),
        };
        return be_launch_kernel(launch, 0, launch->items, qr_lanes(order), each, 4, error);
    }
    if (order <= LANE_MAX) {
        return enqueue_lanes(launch, error);
    }
    const bool shared = in_shared(launch->device, launch->problem);
    const size_t groups = groups_of(launch->device, launch->problem, launch->items);
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[EIGEN_A]),
        BE_BUFFER(&launch->buffer[EIGEN_VALUES]),
        BE_BUFFER(&launch->buffer[EIGEN_VECTORS]),
        BE_BUFFER(shared ? &launch->buffer[EIGEN_A] : launch->scratch),
        BE_LONG(launch->first),
        BE_LONG(launch->items),
        BE_LONG(groups),
    };
    return be_launch_kernel(launch, 0, groups, group_lanes(order), argument, 7, error);
}
