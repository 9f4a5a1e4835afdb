/* Own Fourier transforms on a device: the passes of workload/fft/fft.cl. */
#include <string.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/fft/fft.h"

enum {
    PASSES = 3,
    EACH = 16,
    PARALLEL = 128,
    COLUMNS = 4,
    COLUMNS_MAX = 32,
    LINE_NUMBERS = 2048, /* of a group that does whole lines: 128 lanes */
    SPLIT_LANES = 256
};

struct plan {
    int passes;
    int split; /* after so many passes; 0: numbers are complex */
    size_t each, capacity;
    size_t half, lines; /* complex numbers of a line of real ones; how many lines */
    bool many;
    struct pass {
        size_t n, radix, columns, stride, gap, all;
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

/* Rather more groups than wide ones, while a group has a warp. */
static size_t columns_of(const struct plan *plan, const struct pass *pass) {
    size_t columns = plan->capacity / pass->radix;
    columns = columns < COLUMNS_MAX ? columns : COLUMNS_MAX;
    while (columns > COLUMNS && pass->all / columns < PARALLEL &&
           pass->radix * columns / EACH > 32) {
        columns /= 2;
    }
    return columns;
}

/* Whole lines of n numbers, so many of them. */
static struct pass pass_of_lines(size_t n, size_t lines, size_t gap) {
    const size_t columns = n < LINE_NUMBERS ? LINE_NUMBERS / n : 1;
    struct pass pass = {
        .n = n, .radix = n, .columns = columns, .stride = 1, .gap = gap, .all = lines};
    while (pass.columns > lines) {
        pass.columns /= 2;
    }
    return pass;
}

static void plan_image(const struct be_fft_size *size, size_t n, struct plan *plan) {
    plan->passes = 2;
    plan->split = size->real ? 1 : 0;
    plan->pass[0] = pass_of_lines(n, size->lines, size->width - n);
    plan->pass[1] = (struct pass){.n = size->rows * size->width,
                                  .radix = size->rows,
                                  .stride = size->width,
                                  .all = size->width * size->batch};
    plan->pass[1].columns = columns_of(plan, &plan->pass[1]);
}

/* One pass while a group has room for all; two while a group's columns are still a whole sector of
 * memory (four numbers) wide; else three. */
static void plan_passes(const struct be_fft_size *size, size_t n, struct plan *plan) {
    const int log2 = log2_of(n);
    const size_t gap = size->width - n;
    if (n <= plan->capacity) {
        plan->passes = 1;
        plan->pass[0] = pass_of_lines(n, size->lines, gap);
    } else {
        plan->passes = log2 <= 2 * log2_of(plan->capacity / COLUMNS) ? 2 : 3;
    }
    size_t stride = 1;
    for (int i = 0, left = log2; plan->passes > 1 && i < plan->passes; i++) {
        const int part = (left + plan->passes - i - 1) / (plan->passes - i);
        const size_t radix = (size_t)1 << part;
        plan->pass[i] = (struct pass){
            .n = n, .radix = radix, .stride = stride, .gap = gap, .all = n / radix * size->batch};
        plan->pass[i].columns = columns_of(plan, &plan->pass[i]);
        stride *= radix;
        left -= part;
    }
    plan->split = size->real ? plan->passes : 0;
}

static struct plan plan_of(const struct be_device *device, const struct be_problem *problem) {
    const struct be_fft_size size = be_fft_size(problem);
    const size_t n = size.columns / (size.real ? 2 : 1);
    struct plan plan = {.each = n < EACH ? n : EACH,
                        .capacity = capacity_on(device),
                        .half = n,
                        .lines = size.lines,
                        .many = size.lines > 1};
    if (size.image) {
        plan_image(&size, n, &plan);
    } else {
        plan_passes(&size, n, &plan);
    }
    return plan;
}

/* A definition, behind those that are there. */
static void define(char *text, size_t capacity, const char *name, int number, size_t value) {
    const size_t used = strlen(text);
    char digit[2] = {(char)('0' + number), '\0'};
    snprintf(text + used, capacity - used, "#define %s%s %zu\n", name, number > 0 ? digit : "",
             value);
}

enum be_status be_fft_prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    const struct plan plan = plan_of(device, problem);
    const char *names[PASSES + 2] = {"k_fft_1", "k_fft_2", "k_fft_3"};
    char text[1024] = "";
    define(text, sizeof text, "PASSES", 0, (size_t)plan.passes);
    define(text, sizeof text, "EACH", 0, plan.each);
    define(text, sizeof text, "ROOM", 0, plan.capacity);
    if (plan.many) {
        define(text, sizeof text, "MANY", 0, 1);
    }
    if (plan.split > 0) {
        define(text, sizeof text, "HALF", 0, plan.half);
        define(text, sizeof text, "LINES", 0, plan.lines);
    }
    for (int i = 0; i < plan.passes; i++) {
        const struct pass *pass = &plan.pass[i];
        define(text, sizeof text, "N", i + 1, pass->n);
        define(text, sizeof text, "R", i + 1, pass->radix);
        define(text, sizeof text, "C", i + 1, pass->columns);
        define(text, sizeof text, "S", i + 1, pass->stride);
        define(text, sizeof text, "G", i + 1, pass->gap);
        define(text, sizeof text, "A", i + 1, pass->all);
    }
    names[plan.passes] = plan.split > 0 ? "k_fft_split" : NULL;
    names[plan.passes + 1] = NULL;
    return be_prepare_kernels(device, problem, &be_program_fft, text, names, prepared, error);
}

static enum be_status put_split(const struct be_launch *launch, const struct plan *plan,
                                struct be_error *error) {
    const struct be_argument argument[] = {be_launch_array(launch, 1)};
    const size_t pairs = (plan->half / 2 + 1) * plan->lines;
    return be_launch_kernel(launch, plan->passes, (pairs + SPLIT_LANES - 1) / SPLIT_LANES,
                            SPLIT_LANES, argument, 1, error);
}

enum be_status be_fft_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct plan plan = plan_of(launch->device, launch->problem);
    const struct be_argument argument[] = {be_launch_array(launch, 0), be_launch_array(launch, 1)};
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < plan.passes; i++) {
        const struct pass *pass = &plan.pass[i];
        status = be_launch_kernel(launch, i, (pass->all + pass->columns - 1) / pass->columns,
                                  pass->radix * pass->columns / plan.each, argument, 2, error);
        if (status == BE_OK && plan.split == i + 1) {
            status = put_split(launch, &plan, error);
        }
    }
    return status;
}
