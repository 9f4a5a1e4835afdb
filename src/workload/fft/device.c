/* Own Fourier transforms on a device: the passes of workload/fft/fft.cl. */
#include <string.h>

#include "kernel_programs.h"
#include "workload/fft/fft.h"

enum { PASSES = 3, EACH = 16, PARALLEL = 128, COLUMNS = 4, COLUMNS_MAX = 32 };

struct plan {
    int passes;
    size_t n, each, capacity;
    struct {
        size_t radix, columns, stride;
    } pass[PASSES];
};

/* 512 lanes a group are certain to run on CUDA only. */
static size_t capacity_on(const struct be_device *device) {
    return strcmp(device->ops->name, "cuda") == 0 ? 8192 : 4096;
}

static int log2_of(size_t n) {
    int log2 = 0;
    while (n >>= 1) {
        log2++;
    }
    return log2;
}

/* One pass where a group has room for all; two while a group's columns are still a whole sector of
 * memory (four numbers) wide; else three. */
static struct plan plan_of(const struct be_device *device, size_t n) {
    const size_t capacity = capacity_on(device);
    const int log2 = log2_of(n);
    struct plan plan = {.n = n, .each = n < EACH ? n : EACH, .capacity = capacity};
    plan.passes = n <= capacity ? 1 : log2 <= 2 * log2_of(capacity / COLUMNS) ? 2 : 3;
    size_t stride = 1;
    int left = log2;
    for (int i = 0; i < plan.passes; i++) {
        int part = (left + plan.passes - i - 1) / (plan.passes - i);
        size_t radix = (size_t)1 << part;
        size_t columns = plan.passes == 1 ? 1 : capacity / radix;
        columns = columns < COLUMNS_MAX ? columns : COLUMNS_MAX;
        /* Rather more groups than wide ones, while a group has a warp. */
        while (columns > COLUMNS && n / (radix * columns) < PARALLEL &&
               radix * columns / EACH > 32) {
            columns /= 2;
        }
        plan.pass[i].radix = radix;
        plan.pass[i].columns = columns;
        plan.pass[i].stride = stride;
        stride *= radix;
        left -= part;
    }
    return plan;
}

enum be_status be_fft_prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    const struct plan plan = plan_of(device, (size_t)problem->value[0]);
    const char *names[PASSES + 1] = {"k_fft_1", "k_fft_2", "k_fft_3"};
    char defines[512];
    int used = snprintf(defines, sizeof defines,
                        "#define N %zu\n#define PASSES %d\n#define EACH %zu\n#define ROOM %zu\n",
                        plan.n, plan.passes, plan.each, plan.capacity);
    for (int i = 0; i < plan.passes; i++) {
        used +=
            snprintf(defines + used, sizeof defines - (size_t)used,
                     "#define R%d %zu\n#define C%d %zu\n#define S%d %zu\n", i + 1,
                     plan.pass[i].radix, i + 1, plan.pass[i].columns, i + 1, plan.pass[i].stride);
    }
    names[plan.passes] = NULL;
    return be_prepare_kernels(device, problem, &be_program_fft, defines, names, prepared, error);
}

enum be_status be_fft_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct plan plan = plan_of(launch->device, (size_t)launch->problem->value[0]);
    const struct be_argument argument[] = {be_launch_array(launch, 0), be_launch_array(launch, 1)};
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < plan.passes; i++) {
        size_t numbers = plan.pass[i].radix * plan.pass[i].columns;
        status =
            be_launch_kernel(launch, i, plan.n / numbers, numbers / plan.each, argument, 2, error);
    }
    return status;
}
