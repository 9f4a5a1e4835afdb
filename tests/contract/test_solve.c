/*
 * solve where its inputs are not kind, in every variant on every device: a singular system is named
 * and has no answer, what is not a number stays in its system, hard matrices have small backward
 * errors, and tiny numbers are solved as others are.
 */
#include "made_up_solver.h"
#include "batch.h"

#include "workload/solve/solve.h"
#include "builtin/builtin.h"

enum { SYSTEMS = 19, SPOILT = 17, ZERO_COLUMN = 2 }; /* within whole vectors and beyond them */

/* ---- what is asked of the result ------------------------------------------------------------ */

static void check_no_number(const struct batch *b, size_t system, const char *what) {
    for (size_t j = 0; j < b->order; j++) {
        const double x = at(b, SOLVE_X, system * b->order + j);
        if (!isnan(x)) {
            fail_msg("%s, %s, order %zu, %s: x[%zu] of system %zu is %g", b->variant->name,
                     be_real_name(b->problem.real), b->order, what, j, system, x);
        }
    }
    assert_true(isnan(error_of(b, system)));
}

static void check_named(const struct batch *b, bool own_kernels) {
    const struct be_work work = {
        .problem = &b->problem, .array = b->array, .items = b->systems, .members = 1};
    const int32_t info = ((const int32_t *)b->array[SOLVE_INFO])[SPOILT];
    char note[BE_NOTE] = "";
    char expected[BE_NOTE];
    b->problem.workload->explain(&work, NULL, note);
    if (info == SOLVE_VAGUE) {
        assert_string_equal(b->variant->name, "butterfly");
        snprintf(expected, sizeof expected,
                 "system %d of order %zu is singular, or too near it without exchanges of rows",
                 SPOILT, b->order);
    } else {
        snprintf(expected, sizeof expected, "system %d of order %zu is singular%s: pivot %d is 0",
                 SPOILT, b->order, info < 0 ? " in float32" : "",
                 info < 0 ? SOLVE_SLOW - info : info);
    }
    assert_string_equal(note, expected);
    if (own_kernels) { /* others may factor the transpose */
        assert_int_equal(info, (b->order <= ZERO_COLUMN ? b->order - 1 : ZERO_COLUMN) + 1);
    }
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* A CPU's OpenCL compiles each of them for seconds: there it is in this type only, and in the other one
 * test_workloads.c has it. */
static const struct {
    size_t order;
    enum be_real compiled;
} orders[] = {
    {1, BE_REAL64},  {2, BE_REAL32},  {16, BE_REAL64},  {31, BE_REAL32},
    {33, BE_REAL64}, {65, BE_REAL32}, {131, BE_REAL32}, {300, BE_REAL64},
};

/* Where a device has no solvers it gets some, so that what is around them is tested too. The large ones are asked for
 * one system, the batches for more. GPUs' OpenCL is left as it is: NVIDIA's driver 580 ends in a segmentation fault of
 * its own once the host reads and writes buffers whose parts kernels use, which nothing but these made-up solvers does;
 * why was not found. */
static struct be_device_ops with_solvers(const struct be_device *device) {
    struct be_device_ops ops = *device->ops;
    if (strcmp(ops.name, "opencl") == 0 && device->info.kind == BE_KIND_CPU) {
        ops.blas = &made_up_blas;
        ops.solver = &made_up_solver;
    }
    return ops;
}

/* Each variant and type at each order. */
static void each(struct be_device *device, void (*test)(struct batch *, struct be_device *)) {
    const struct be_workload *w = be_workload_find("solve");
    const struct be_device_ops *own = device->ops;
    const struct be_device_ops ops = with_solvers(device);
    device->ops = &ops;
    const bool slow = strcmp(ops.name, "opencl") == 0 && device->info.kind == BE_KIND_CPU;
    for (int v = 0; w && v < w->variants; v++) {
        for (size_t i = 0; i < BE_COUNT(orders); i++) {
            for (int real = 0; real < BE_REALS; real++) {
                struct batch batch;
                if (slow && real != (int)orders[i].compiled) {
                    continue;
                }
                open_batch(&batch, "solve", v, (enum be_real)real, SYSTEMS, orders[i].order);
                test(&batch, device);
                close_batch(&batch);
            }
        }
    }
    device->ops = own;
}

static void singular(struct batch *b, struct be_device *device) {
    const size_t column = b->order <= ZERO_COLUMN ? b->order - 1 : ZERO_COLUMN;
    for (size_t i = 0; i < b->order; i++) {
        set(b, SOLVE_A, (SPOILT * b->order + i) * b->order + column, 0);
    }
    if (run(b, device)) {
        check_named(b, strcmp(b->variant->name, "batched") == 0 &&
                           strcmp(device->ops->name, "cpu") != 0);
        check_no_number(b, SPOILT, "a column of zeros");
        for (size_t i = 0; i < SPOILT; i++) {
            check_right(b, i, "another system is singular");
        }
    }
}

static void names_a_singular_system(struct be_device *device) {
    each(device, singular);
}

/* One NaN in each of a few systems; libraries are not asked, they may leave out what is 0. */
static void not_a_number(struct batch *b, struct be_device *device) {
    const size_t n = b->order;
    const struct {
        size_t system;
        int array;
        size_t at;
    } spoilt[] = {
        {1, SOLVE_A, 0},           {4, SOLVE_A, n * n - 1},
        {6, SOLVE_A, n * (n - 1)}, {11, SOLVE_A, n * (n / 2) + n / 2},
        {SPOILT, SOLVE_B, n / 2},
    };
    if (strcmp(b->variant->name, "batched") != 0) {
        return;
    }
    for (size_t i = 0; i < BE_COUNT(spoilt); i++) {
        const size_t each = spoilt[i].array == SOLVE_A ? n * n : n;
        set(b, spoilt[i].array, spoilt[i].system * each + spoilt[i].at, NAN);
    }
    if (run(b, device)) {
        size_t next = 0;
        for (size_t i = 0; i < b->systems; i++) {
            assert_int_equal(((const int32_t *)b->array[SOLVE_INFO])[i], 0);
            if (next < BE_COUNT(spoilt) && spoilt[next].system == i) {
                check_no_number(b, i, "a NaN");
                next++;
            } else {
                check_right(b, i, "another system has a NaN");
            }
        }
    }
}

static void keeps_what_is_no_number(struct be_device *device) {
    each(device, not_a_number);
}

enum { HILBERT = SYSTEMS - 1, ALIKE = 2, TINY = 5 };

/* The condition is 1/epsilon and beyond from order 12 on. */
static void make_hilbert(struct batch *b) {
    for (size_t i = 0; i < b->order; i++) {
        for (size_t j = 0; j < b->order; j++) {
            set(b, SOLVE_A, (HILBERT * b->order + i) * b->order + j, 1 / (double)(i + j + 1));
        }
    }
}

/* Rows that differ from one another by little. */
static void make_alike(struct batch *b) {
    const double little = b->problem.real == BE_REAL64 ? 1e-11 : 1e-4;
    const size_t start = ALIKE * b->order * b->order;
    for (size_t i = 1; i < b->order; i++) {
        for (size_t j = 0; j < b->order; j++) {
            const size_t e = start + i * b->order + j;
            set(b, SOLVE_A, e, at(b, SOLVE_A, start + j) + little * at(b, SOLVE_A, e));
        }
    }
}

/* Numbers of which reciprocals overflow; they have few digits, so that there are as many. */
static void scale(struct batch *b, int by, int digits) {
    const size_t n = b->order;
    for (size_t i = 0; i < n * n + n; i++) {
        const int array = i < n * n ? SOLVE_A : SOLVE_B;
        const size_t e = i < n * n ? TINY * n * n + i : TINY * n + i - n * n;
        const double whole = nearbyint(ldexp(at(b, array, e), digits));
        set(b, array, e, ldexp(whole == 0 ? 1 : whole, by - digits));
    }
}

/* Where a device need not have such numbers it is not asked. */
static bool has_tiny(const struct batch *b, const struct be_device *device) {
    return strcmp(b->variant->name, "batched") == 0 &&
           (b->problem.real == BE_REAL64 || strcmp(device->ops->name, "opencl") != 0);
}

static void check_tiny(struct batch *b) {
    const bool wide = b->problem.real == BE_REAL64;
    scale(b, wide ? 1030 : 130, wide ? 1050 : 140);
    b->shape.tolerance = (double)(b->order + 8) * (wide ? 0x1p-42 : 0x1p-17);
    check_right(b, TINY, "tiny numbers");
}

/* Where corrections do not get there the CPU has other code; a device says so. */
static void check_alike(const struct batch *b, const struct be_device *device) {
    if (((const int32_t *)b->array[SOLVE_INFO])[ALIKE] == 0) {
        check_right(b, ALIKE, "rows alike");
    } else {
        assert_true(strcmp(b->variant->name, "refined") == 0 ||
                    strcmp(b->variant->name, "butterfly") == 0);
        assert_true(strcmp(device->ops->name, "cpu") != 0);
    }
}

static void hard(struct batch *b, struct be_device *device) {
    const bool wide = b->problem.real == BE_REAL64;
    const bool hilbert = b->order <= 16; /* larger ones are singular as far as numbers go */
    if (hilbert) {
        make_hilbert(b);
    }
    make_alike(b);
    if (has_tiny(b, device)) {
        scale(b, wide ? -1030 : -130, wide ? 20 : 10);
    }
    if (run(b, device)) {
        for (size_t i = 0; i < b->systems; i++) {
            if (i != ALIKE && i != TINY) {
                check_right(b, i, "condition");
            }
        }
        check_alike(b, device);
        if (has_tiny(b, device)) {
            check_tiny(b);
        }
    }
}

static void solves_hard_systems(struct be_device *device) {
    each(device, hard);
}

/* One large system, which takes another way than many. */
static void one(struct batch *some, struct be_device *device) {
    struct batch b;
    for (int zero = 0; zero < 2; zero++) {
        open_batch(&b, "solve", (int)(some->variant - some->problem.workload->variant),
                   some->problem.real, 1, some->order);
        for (size_t i = 0; i < some->order; i++) {
            set(&b, SOLVE_A, i * some->order, zero ? 0 : at(&b, SOLVE_A, i * some->order));
        }
        if (run(&b, device)) {
            if (zero) {
                assert_int_not_equal(*(const int32_t *)b.array[SOLVE_INFO], 0);
                assert_true(isnan(error_of(&b, 0)) && isnan(at(&b, SOLVE_X, 0)));
            } else {
                check_right(&b, 0, "one system");
            }
        }
        close_batch(&b);
    }
}

static void solves_one_system(struct be_device *device) {
    each(device, one);
}

int main(void) {
    static const struct contract contracts[] = {
        {"names a singular system", names_a_singular_system},
        {"keeps what is no number", keeps_what_is_no_number},
        {"solves hard systems", solves_hard_systems},
        {"solves one system", solves_one_system},
    };
    (void)be_host_blas_open(&library.blas, &library.blas_error);
    int failed = run_contracts("solve", contracts, BE_COUNT(contracts));
    if (library.blas.handle) {
        be_dyn_close(library.blas.handle);
    }
    return failed;
}
