/*
 * The general matrix product, on the CPU and on every device: each way of doing it against three loops in
 * double precision. Sizes are odd and reach over the edges of tiles; columns lie further apart than rows
 * are many; C holds NAN where it is not to be read. A transposition that is wrong is a wrong result:
 * no matrix here is square or symmetric.
 */
#include "devices.h"

#include <math.h>

#include "math/gemm.h"

/* ---- the numbers ---------------------------------------------------------------------------- */

/* The sizes: of one number, smaller than any tile, with edges on all sides, and deeper than what is
 * packed at a time. */
static const int64_t sizes[][3] = {{1, 1, 1}, {3, 5, 7}, {131, 67, 19}, {33, 141, 301}};
static const double scales[][2] = {{1, 0}, {-0.5, 0}, {1, 1}, {0.75, -2}};
enum { BEFORE = 3, FURTHER = 5, BEHIND = 4 }; /* numbers: before a matrix, below a column, behind */

struct trial {
    bool wide;
    struct be_host_gemm gemm; /* on the host's own copies */
    size_t numbers[3];        /* of A, B and C, with what is around them */
    void *at[3], *before;     /* before: C as it was */
};

static size_t number_bytes(const struct trial *t) {
    return t->wide ? sizeof(double) : sizeof(float);
}

static double number(const struct trial *t, const void *from, size_t i) {
    return t->wide ? ((const double *)from)[i] : (double)((const float *)from)[i];
}

static void set_number(const struct trial *t, void *to, size_t i, double value) {
    if (t->wide) {
        ((double *)to)[i] = value;
    } else {
        ((float *)to)[i] = (float)value;
    }
}

static void *matrix_of(const struct trial *t, int which) {
    return (char *)t->at[which] + BEFORE * number_bytes(t);
}

/* In [-1, 1), the same each time. */
static double made(size_t i, int which) {
    const uint64_t mixed = (i + 1) * (uint64_t)(which + 3) * 0x9e3779b97f4a7c15u;
    return (double)(mixed >> 40) * 0x1p-23 - 1;
}

static void make_trial(struct trial *t, bool wide, int turn, const int64_t size[3],
                       const double scale[2]) {
    *t = (struct trial){.wide = wide,
                        .gemm = {.wide = wide,
                                 .transpose_a = turn & 1,
                                 .transpose_b = turn & 2,
                                 .m = size[0],
                                 .n = size[1],
                                 .k = size[2],
                                 .alpha = scale[0],
                                 .beta = scale[1]}};
    struct be_host_gemm *g = &t->gemm;
    const int64_t rows[] = {g->transpose_a ? g->k : g->m, g->transpose_b ? g->n : g->k, g->m};
    const int64_t columns[] = {g->transpose_a ? g->m : g->k, g->transpose_b ? g->k : g->n, g->n};
    g->a_stride = rows[0] + FURTHER;
    g->b_stride = rows[1] + FURTHER + 1;
    g->c_stride = rows[2] + FURTHER + 2;
    const int64_t stride[] = {g->a_stride, g->b_stride, g->c_stride};
    for (int i = 0; i < 3; i++) {
        t->numbers[i] = (size_t)(BEFORE + columns[i] * stride[i] + BEHIND);
        t->at[i] = malloc(t->numbers[i] * number_bytes(t));
        assert_non_null(t->at[i]);
        for (size_t at = 0; at < t->numbers[i]; at++) {
            const int64_t inside = (int64_t)at - BEFORE;
            const bool is_there = inside >= 0 && inside < columns[i] * stride[i] &&
                                  inside % stride[i] < rows[i] && (i < 2 || g->beta != 0);
            set_number(t, t->at[i], at, is_there ? made(at, i) : (double)NAN);
        }
    }
    t->before = malloc(t->numbers[2] * number_bytes(t));
    assert_non_null(t->before);
    memcpy(t->before, t->at[2], t->numbers[2] * number_bytes(t));
    g->a = matrix_of(t, 0);
    g->b = matrix_of(t, 1);
    g->c = matrix_of(t, 2);
}

static void drop_trial(struct trial *t) {
    for (int i = 0; i < 3; i++) {
        free(t->at[i]);
    }
    free(t->before);
}

/* ---- three loops ---------------------------------------------------------------------------- */

/* Is `after` the result, and nothing around C touched? How far a sum may be off follows from its terms. */
static bool is_right(const struct trial *t, const void *after, char *why, size_t capacity) {
    const struct be_host_gemm *g = &t->gemm;
    const double unit = t->wide ? 0x1p-53 : 0x1p-24;
    for (size_t at = 0; at < t->numbers[2]; at++) {
        const int64_t inside = (int64_t)at - BEFORE;
        const int64_t row = inside < 0 ? -1 : inside % g->c_stride;
        const int64_t column = inside < 0 ? -1 : inside / g->c_stride;
        if (inside < 0 || row >= g->m || column >= g->n) {
            if (memcmp((const char *)after + at * number_bytes(t),
                       (const char *)t->before + at * number_bytes(t), number_bytes(t)) != 0) {
                snprintf(why, capacity, "number %zu of the buffer is not of C, and was changed",
                         at);
                return false;
            }
            continue;
        }
        double sum = 0;
        double size = 0;
        for (int64_t k = 0; k < g->k; k++) {
            const int64_t a = g->transpose_a ? k + row * g->a_stride : row + k * g->a_stride;
            const int64_t b = g->transpose_b ? column + k * g->b_stride : k + column * g->b_stride;
            const double one = number(t, g->a, (size_t)a) * number(t, g->b, (size_t)b);
            sum += one;
            size += fabs(one);
        }
        const double old = g->beta == 0 ? 0 : g->beta * number(t, t->before, at);
        const double want = g->alpha * sum + old;
        const double allowed =
            ((double)g->k + 4) * unit * (fabs(g->alpha) * size + fabs(old) + unit);
        const double got = number(t, after, at);
        if (!(fabs(got - want) <= allowed)) {
            snprintf(why, capacity, "row %lld, column %lld: %.17g, not %.17g", (long long)row,
                     (long long)column, got, want);
            return false;
        }
    }
    return true;
}

static void expect_right(const struct trial *t, const void *after, const char *by) {
    const struct be_host_gemm *g = &t->gemm;
    char why[BE_NOTE];
    if (!is_right(t, after, why, sizeof why)) {
        fail_msg("%s: %s, %s x %s, %lld x %lld x %lld, alpha %g, beta %g: %s", by,
                 t->wide ? "float64" : "float32", g->transpose_a ? "A^T" : "A",
                 g->transpose_b ? "B^T" : "B", (long long)g->m, (long long)g->n, (long long)g->k,
                 g->alpha, g->beta, why);
    }
}

/* ---- every trial, one way ------------------------------------------------------------------- */

static void each_trial(bool wide, void (*run)(struct trial *trial, void *context), void *context) {
    for (size_t s = 0; s < BE_COUNT(sizes); s++) {
        for (int turn = 0; turn < 4; turn++) {
            for (size_t c = 0; c < BE_COUNT(scales); c++) {
                struct trial trial;
                make_trial(&trial, wide, turn, sizes[s], scales[c]);
                run(&trial, context);
                drop_trial(&trial);
            }
        }
    }
}

/* ---- on the CPU, whatever the device is: its team is there ---------------------------------- */

struct host_way {
    const struct be_host_blas *blas;
    struct be_team *team;
    const char *by;
};

static void run_on_host(struct trial *trial, void *context) {
    const struct host_way *way = context;
    CHECK(be_gemm_host(&trial->gemm, way->blas, way->team, &error));
    expect_right(trial, trial->at[2], way->by);
}

static void is_cpu(const struct be_device *device) {
    if (device->ops != &be_cpu_ops) { /* once is enough */
        skip();
    }
}

static void our_own_code(struct be_device *device) {
    struct host_way alone = {NULL, NULL, "our own code on one thread"};
    struct host_way together = {NULL, team, "our own code on a team"};
    is_cpu(device);
    for (int wide = 0; wide < 2; wide++) {
        each_trial(wide, run_on_host, &alone);
        each_trial(wide, run_on_host, &together);
    }
}

static void blas_of_the_system(struct be_device *device) {
    struct be_host_blas blas = {0};
    struct host_way way = {&blas, team, "the BLAS"};
    is_cpu(device);
    enum be_status status = be_host_blas_open(&blas, &error);
    need(device, status == BE_OK, "BLAS", error.text);
    for (int wide = 0; wide < 2; wide++) {
        each_trial(wide, run_on_host, &way);
    }
    be_dyn_close(blas.handle);
}

/* A trial whose result is that of another transposition must not pass: else the others say nothing. */
static void wrong_turns_are_seen(struct be_device *device) {
    is_cpu(device);
    for (int turn = 0; turn < 4; turn++) {
        for (int wrong = 1; wrong < 4; wrong++) {
            struct trial trial;
            char why[BE_NOTE];
            make_trial(&trial, true, turn, (const int64_t[]){6, 6, 6}, scales[2]);
            struct be_host_gemm other = trial.gemm;
            other.transpose_a = (turn ^ wrong) & 1;
            other.transpose_b = (turn ^ wrong) & 2;
            CHECK(be_gemm_host(&other, NULL, NULL, &error));
            assert_false(is_right(&trial, trial.at[2], why, sizeof why));
            drop_trial(&trial);
        }
    }
}

static void wrong_sizes_on_the_host(struct be_device *device) {
    struct trial trial;
    is_cpu(device);
    make_trial(&trial, false, 1, sizes[1], scales[0]);
    const struct be_host_gemm right = trial.gemm;
    struct be_host_gemm wrong[6];
    for (size_t i = 0; i < BE_COUNT(wrong); i++) {
        wrong[i] = right;
    }
    wrong[0].m = 0;
    wrong[1].n = -1;
    wrong[2].k = 0;
    wrong[3].a_stride = right.k - 1;
    wrong[4].b_stride = right.k - 1;
    wrong[5].c_stride = right.m - 1;
    for (size_t i = 0; i < BE_COUNT(wrong); i++) {
        check_fails(be_gemm_host(&wrong[i], NULL, NULL, &error), BE_USAGE, "leading dimensions");
    }
    drop_trial(&trial);
}

/* ---- on a device ---------------------------------------------------------------------------- */

struct device_way {
    struct be_device *device;
    struct be_gemm_plan *plan;
};

static void run_on_device(struct trial *trial, void *context) {
    const struct device_way *way = context;
    struct be_device *device = way->device;
    const size_t from = BEFORE * number_bytes(trial);
    const struct be_host_gemm *h = &trial->gemm;
    struct be_buffer on[3] = {{0}};
    for (int i = 0; i < 3; i++) {
        const size_t bytes = trial->numbers[i] * number_bytes(trial);
        CHECK(device->ops->memory->alloc(device, bytes, &on[i], &error));
        put(device, &on[i], 0, trial->at[i], bytes);
    }
    const struct be_gemm gemm = {.precision = trial->wide ? BE_FLOAT64 : BE_FLOAT32,
                                 .transpose_a = h->transpose_a,
                                 .transpose_b = h->transpose_b,
                                 .m = h->m,
                                 .n = h->n,
                                 .k = h->k,
                                 .alpha = h->alpha,
                                 .beta = h->beta,
                                 .a = {&on[0], from, h->a_stride},
                                 .b = {&on[1], from, h->b_stride},
                                 .c = {&on[2], from, h->c_stride}};
    CHECK(be_gemm_enqueue(device, way->plan, &gemm, &error));
    CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
    get(device, trial->at[2], &on[2], 0, trial->numbers[2] * number_bytes(trial));
    expect_right(trial, trial->at[2], way->plan->name);
    for (int i = 0; i < 3; i++) {
        device->ops->memory->release(device, &on[i]);
    }
}

static void multiply_by(struct be_device *device, enum be_gemm_by by, const char *what) {
    struct be_host_blas blas = {0};
    if (device->ops == &be_cpu_ops) {
        (void)be_host_blas_open(&blas, &error); /* not here: the plan says so */
    }
    for (int wide = 0; wide < 2; wide++) {
        struct be_gemm_plan plan = {0};
        struct device_way way = {device, &plan};
        const enum be_status status =
            be_gemm_open(device, wide ? BE_FLOAT64 : BE_FLOAT32, by, &blas, team, &plan, &error);
        /* The pretend devices have no host form of a kernel with barriers. */
        need(device, status != BE_ABSENT && status != BE_BUILD, what, error.text);
        CHECK(status);
        assert_int_not_equal(plan.by, BE_GEMM_BY_ANY);
        each_trial(wide, run_on_device, &way);
        be_gemm_close(device, &plan);
    }
    be_dyn_close(blas.handle);
}

static void whatever_is_here(struct be_device *device) {
    multiply_by(device, BE_GEMM_BY_ANY, "matrix product");
}

static void by_library(struct be_device *device) {
    multiply_by(device, BE_GEMM_BY_LIBRARY, "matrix library");
}

static void by_kernel(struct be_device *device) {
    multiply_by(device, BE_GEMM_BY_KERNEL, "kernel of our own");
}

static void refuses_on_device(struct be_device *device) {
    struct be_gemm_plan plan = {0};
    struct be_buffer small = {0};
    check_fails(be_gemm_open(device, BE_FLOAT16, BE_GEMM_BY_ANY, NULL, team, &plan, &error),
                BE_USAGE, "in float64, float32 and tf32 only");
    if (strcmp(device->info.backend, "cpu") == 0 || strcmp(device->info.backend, "opencl") == 0) {
        check_fails(be_gemm_open(device, BE_TF32, BE_GEMM_BY_ANY, NULL, team, &plan, &error),
                    BE_ABSENT, "has no tf32: CUDA devices have");
    }
    CHECK(be_gemm_open(device, BE_FLOAT32, BE_GEMM_BY_ANY, NULL, team, &plan, &error));
    CHECK(device->ops->memory->alloc(device, 8 * 8 * sizeof(float), &small, &error));
    const struct be_gemm right = {.precision = BE_FLOAT32,
                                  .m = 8,
                                  .n = 8,
                                  .k = 8,
                                  .alpha = 1,
                                  .a = {&small, 0, 8},
                                  .b = {&small, 0, 8},
                                  .c = {&small, 0, 8}};
    struct be_gemm wrong = right;
    wrong.precision = BE_FLOAT64;
    check_fails(be_gemm_enqueue(device, &plan, &wrong, &error), BE_USAGE, "made ready");
    wrong = right;
    wrong.k = 0;
    check_fails(be_gemm_enqueue(device, &plan, &wrong, &error), BE_USAGE, "8 x 8 x 0");
    wrong = right;
    wrong.n = 9;
    check_fails(be_gemm_enqueue(device, &plan, &wrong, &error), BE_USAGE, "B: ");
    wrong = right;
    wrong.transpose_a = true;
    wrong.k = 9;
    check_fails(be_gemm_enqueue(device, &plan, &wrong, &error), BE_USAGE, "A: ");
    wrong = right;
    wrong.c.offset = 4;
    check_fails(be_gemm_enqueue(device, &plan, &wrong, &error), BE_USAGE, "C: ");
    device->ops->memory->release(device, &small);
    be_gemm_close(device, &plan);
    be_gemm_close(device, &plan); /* twice is once */
}

static const struct contract contracts[] = {
    {"our own code", our_own_code},
    {"the system's BLAS", blas_of_the_system},
    {"wrong turns are seen", wrong_turns_are_seen},
    {"wrong sizes on the host", wrong_sizes_on_the_host},
    {"multiplies", whatever_is_here},
    {"multiplies by the library", by_library},
    {"multiplies by our kernel", by_kernel},
    {"refuses what cannot be", refuses_on_device},
};

int main(void) {
    return run_contracts("gemm", contracts, BE_COUNT(contracts));
}
