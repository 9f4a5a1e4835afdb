/*
 * eigen, its factors Q R and its singular values, where its matrices are not kind, in every variant on every device: equal
 * values, zeroes, numbers of all magnitudes, tiny and huge ones, and what is not a number, which stays in its matrix.
 */
#include "made_up_solver.h"
#include "batch.h"

#include "workload/eigen/eigen.h"

/* Within whole vectors and beyond them. */
enum { SYSTEMS = 19 };
enum { IDENTITY = 1, ZERO, ONES, BLOCKS, GRADED, TINY, HUGE_ONES, DIAGONAL, PATH, TWICE, KINDS };

/* A CPU's OpenCL compiles each of them for seconds: there it is in this type only, and in the other one
 * test_workloads.c has it. */
static const struct {
    size_t order;
    enum be_real compiled;
} orders[] = {
    {1, BE_REAL64}, {2, BE_REAL32},  {3, BE_REAL64},  {6, BE_REAL32},
    {9, BE_REAL64}, {16, BE_REAL32}, {33, BE_REAL64}, {65, BE_REAL32},
};

/* They are asked for each kind, and for singular values once more with more rows than columns. */
enum { TALL = EIGEN_KINDS, ASKED };

/* A CPU's OpenCL has singular values of few orders: in shared memory and beyond it. */
static bool is_spared(int asked, size_t order) {
    return (asked == EIGEN_SVD && order != 3 && order != 65) || (asked == TALL && order != 9);
}

static void ask(struct batch *b, int asked) {
    close_batch(b);
    b->problem.value[EIGEN_WHAT] = asked == TALL ? EIGEN_SVD : (uint64_t)asked;
    b->problem.value[EIGEN_HEIGHT] = asked == TALL ? 2 * b->order + 1 : 0;
    open_arrays(b);
}

static void each(struct be_device *device, void (*test)(struct batch *, struct be_device *)) {
    const struct be_workload *w = be_workload_find("eigen");
    const struct be_device_ops *own = device->ops;
    struct be_device_ops ops = *own;
    const bool slow = strcmp(ops.name, "opencl") == 0 && device->info.kind == BE_KIND_CPU;
    ops.solver = slow ? &made_up_solver : ops.solver; /* so that what is around it is tested, too */
    device->ops = &ops;
    for (int v = 0; w && v < ASKED * w->variants; v++) {
        for (size_t i = 0; i < BE_COUNT(orders); i++) {
            for (int real = 0; real < BE_REALS; real++) {
                struct batch batch;
                if (slow &&
                    (real != (int)orders[i].compiled || is_spared(v % ASKED, orders[i].order))) {
                    continue;
                }
                open_batch(&batch, "eigen", v / ASKED, (enum be_real)real, SYSTEMS,
                           orders[i].order);
                ask(&batch, v % ASKED);
                test(&batch, device);
                close_batch(&batch);
            }
        }
    }
    device->ops = own;
}

/* Number i, j of the matrix of each kind, of which the random one is `a`. */
static double number_of(const struct batch *b, int kind, size_t i, size_t j, double a) {
    const double far = b->problem.real == BE_REAL64 ? 1e300 : 1e36;
    const double near = (double)(i > j ? i - j : j - i);
    switch (kind) {
    case IDENTITY:
        return i == j;
    case ZERO:
        return 0;
    case ONES:
        return 1;
    case BLOCKS:
        return i / 2 == j / 2 ? a : 0; /* nothing between pairs of rows */
    case GRADED:
        return a * pow(10, -(double)(i + j) / 4);
    case TINY:
        return a / far;
    case HUGE_ONES:
        return a * far;
    case DIAGONAL:
        return i == j ? a : 0;
    case PATH:
        return near == 1; /* values 2 cos, in pairs of opposite sign */
    case TWICE:
        return i % 2 == j % 2 ? cos((double)(i / 2 + j / 2)) : 0; /* each value twice, or nearly */
    default:
        return a;
    }
}

static void make_kinds(struct batch *b) {
    const size_t n = b->order;
    const size_t rows = eigen_rows(&b->problem);
    const bool any = eigen_is_svd(&b->problem);
    for (int kind = IDENTITY; kind < KINDS; kind++) {
        const size_t start = (size_t)kind * rows * n;
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = 0; j < (any ? n : i + 1); j++) {
                const size_t at_lower = start + j * rows + i;
                const double value = number_of(b, kind, i, j, at(b, EIGEN_A, at_lower));
                set(b, EIGEN_A, at_lower, value);
                if (!any) {
                    set(b, EIGEN_A, start + i * n + j, value);
                }
            }
        }
    }
}

/* A vendor's library, which may do what it likes with what is not kind, and which none of ours stands in for. */
static bool is_foreign(const struct batch *b, const struct be_device *device) {
    return strcmp(b->variant->name, "library") == 0 && strcmp(device->ops->name, "cpu") != 0 &&
           device->ops->solver != &made_up_solver;
}

static void hard(struct batch *b, struct be_device *device) {
    if (is_foreign(b, device)) {
        return;
    }
    make_kinds(b);
    if (run(b, device)) {
        for (size_t i = 0; i < b->systems; i++) {
            check_right(b, i, "hard matrices");
        }
        for (size_t i = 0; !eigen_is_qr(&b->problem) && i < b->order; i++) {
            assert_true(at(b, EIGEN_VALUES, IDENTITY * b->order + i) == 1);
            assert_true(at(b, EIGEN_VALUES, ZERO * b->order + i) == 0);
        }
    }
}

static void finds_all_kinds(struct be_device *device) {
    each(device, hard);
}

/* Where one number is none, or infinite, all of that matrix's results are none; libraries are not asked, but those made up
 * say that it has no answer. */
static void not_a_number(struct batch *b, struct be_device *device) {
    const size_t n = b->order;
    const size_t rows = eigen_rows(&b->problem);
    const size_t vectors = b->shape.item_bytes[EIGEN_VECTORS] / be_real_bytes(b->problem.real);
    static const struct {
        size_t system;
        double value;
    } spoilt[] = {{1, NAN}, {4, INFINITY}, {SYSTEMS - 2, -INFINITY}};
    const bool made_up = strcmp(b->variant->name, "library") == 0 && !is_foreign(b, device) &&
                         strcmp(device->ops->name, "cpu") != 0;
    if (strcmp(b->variant->name, "batched") != 0 && !made_up) {
        return;
    }
    for (size_t i = 0; i < BE_COUNT(spoilt); i++) {
        const size_t start = spoilt[i].system * rows * n;
        set(b, EIGEN_A, start + n - 1, spoilt[i].value);
        set(b, EIGEN_A, start + (n - 1) * rows, spoilt[i].value);
    }
    if (!run(b, device)) {
        return;
    }
    size_t next = 0;
    for (size_t s = 0; s < b->systems; s++) {
        if (next == BE_COUNT(spoilt) || spoilt[next].system != s) {
            check_right(b, s, "another matrix has a NaN");
            continue;
        }
        next++;
        assert_true(isnan(error_of(b, s)));
        for (size_t i = 0; i < vectors; i++) {
            assert_true(isnan(at(b, EIGEN_VECTORS, s * vectors + i)));
            assert_true(eigen_is_qr(&b->problem) || isnan(at(b, EIGEN_VALUES, s * n + i % n)));
        }
    }
}

static void keeps_what_is_no_number(struct be_device *device) {
    each(device, not_a_number);
}

/* The check itself: a result with one thing wrong is wrong, and named. */
static void spoil_factors(struct batch *b, struct be_device *device) {
    const size_t n = b->order;
    char note[BE_NOTE] = "";
    const struct be_work work = {
        .problem = &b->problem, .array = b->array, .items = b->systems, .members = 1};
    if (n < 2 || strcmp(device->ops->name, "cpu") != 0 || !run(b, device)) {
        return;
    }
    const double number = at(b, EIGEN_VALUES, 3 * n * n + n);
    set(b, EIGEN_VALUES, 3 * n * n + n, number * 1.001 + 0.001); /* row 0 of column 1 of R */
    assert_false(error_of(b, 3) <= b->shape.tolerance);
    set(b, EIGEN_VALUES, 3 * n * n + n, number);
    check_right(b, 3, "put back");
    set(b, EIGEN_VALUES, 3 * n * n + 1, 1e-10); /* below the diagonal */
    assert_true(isnan(error_of(b, 3)));
    b->problem.workload->explain(&work, NULL, note);
    assert_non_null(strstr(note, "R of matrix 3 of order "));
    assert_non_null(strstr(note, "has numbers below its diagonal"));
}

static void spoil_singular(struct batch *b, struct be_device *device) {
    const size_t n = b->order;
    const size_t square = n * n;
    const size_t tall = eigen_rows(&b->problem) * n;
    char note[BE_NOTE] = "";
    const struct be_work work = {
        .problem = &b->problem, .array = b->array, .items = b->systems, .members = 1};
    if (n < 2 || strcmp(device->ops->name, "cpu") != 0 || !run(b, device)) {
        return;
    }
    const size_t spoilt[] = {3 * (tall + square) + 1, 3 * (tall + square) + tall + 1};
    for (size_t i = 0; i < BE_COUNT(spoilt); i++) { /* a number of U, and one of V */
        const double number = at(b, EIGEN_VECTORS, spoilt[i]);
        set(b, EIGEN_VECTORS, spoilt[i], number + 0.01);
        assert_false(error_of(b, 3) <= b->shape.tolerance);
        set(b, EIGEN_VECTORS, spoilt[i], number);
        check_right(b, 3, "put back");
    }
    const double value = at(b, EIGEN_VALUES, 3 * n);
    set(b, EIGEN_VALUES, 3 * n, value * 1.001);
    assert_false(error_of(b, 3) <= b->shape.tolerance);
    set(b, EIGEN_VALUES, 3 * n, value);
    set(b, EIGEN_VALUES, 3 * n + n - 1, -1e-30);
    assert_true(isnan(error_of(b, 3)));
    set(b, EIGEN_VALUES, 3 * n + n - 1, 1e6);
    b->problem.workload->explain(&work, NULL, note);
    assert_non_null(strstr(note, "singular values of matrix 3 of order "));
    assert_non_null(strstr(note, "are not descending from 0 or more"));
}

static void spoil(struct batch *b, struct be_device *device) {
    const size_t n = b->order;
    char note[BE_NOTE] = "";
    const struct be_work work = {
        .problem = &b->problem, .array = b->array, .items = b->systems, .members = 1};
    if (eigen_is_qr(&b->problem)) {
        spoil_factors(b, device);
        return;
    }
    if (eigen_is_svd(&b->problem)) {
        spoil_singular(b, device);
        return;
    }
    if (n < 2 || strcmp(device->ops->name, "cpu") != 0 || !run(b, device)) {
        return;
    }
    const double value = at(b, EIGEN_VALUES, 3 * n + 1);
    set(b, EIGEN_VALUES, 3 * n + 1, value * 1.001 + 0.001);
    assert_false(error_of(b, 3) <= b->shape.tolerance);
    set(b, EIGEN_VALUES, 3 * n + 1, value);
    check_right(b, 3, "put back");
    for (size_t i = 0; i < n; i++) { /* a vector that is there twice */
        set(b, EIGEN_VECTORS, 3 * n * n + i, at(b, EIGEN_VECTORS, 3 * n * n + n + i));
    }
    set(b, EIGEN_VALUES, 3 * n, at(b, EIGEN_VALUES, 3 * n + 1));
    assert_false(error_of(b, 3) <= b->shape.tolerance);
    set(b, EIGEN_VALUES, 3 * n, 1e6);
    b->problem.workload->explain(&work, NULL, note);
    assert_non_null(strstr(note, "values of matrix 3 of order "));
    assert_non_null(strstr(note, "are not ascending"));
    set(b, EIGEN_VALUES, 2 * n, NAN);
    b->problem.workload->explain(&work, NULL, note);
    assert_non_null(strstr(note, "matrix 2 of order "));
    assert_non_null(strstr(note, "has no answer"));
}

static void sees_what_is_wrong(struct be_device *device) {
    each(device, spoil);
}

int main(void) {
    static const struct contract contracts[] = {
        {"finds all kinds", finds_all_kinds},
        {"keeps what is no number", keeps_what_is_no_number},
        {"sees what is wrong", sees_what_is_wrong},
    };
    (void)be_host_blas_open(&library.blas, &library.blas_error);
    int failed = run_contracts("eigen", contracts, BE_COUNT(contracts));
    if (library.blas.handle) {
        be_dyn_close(library.blas.handle);
    }
    return failed;
}
