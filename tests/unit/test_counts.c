/*
 * The operations and bytes that limits are made of, against plain loops that count what they do: a limit that
 * counts too much calls honest results impossible, one that counts too little flatters nobody.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "builtin/builtin.h"
#include "workload/convolve/fourier.h"

enum { MAX = 40 };

static struct be_problem problem_of(const char *name, const uint64_t value[BE_PARAMETERS]) {
    const struct be_workload *w = be_workload_find(name);
    assert_non_null(w);
    struct be_problem problem = be_problem_preset(w);
    for (int p = 0; p < w->parameters; p++) {
        problem.value[p] = value[p];
    }
    return problem;
}

static void check(const struct be_problem *problem, double counted) {
    const struct be_shape shape = be_problem_shape(problem);
    if (fabs(shape.operations - counted) > 1e-9 * counted) {
        fail_msg("%s %llu %llu %llu: %.17g operations, %.17g were counted", problem->workload->name,
                 (unsigned long long)problem->value[0], (unsigned long long)problem->value[1],
                 (unsigned long long)problem->value[2], shape.operations, counted);
    }
}

/* ---- operations ----------------------------------------------------------------------------- */

static void test_elements(void **state) {
    static const struct {
        const char *name;
        double each, less; /* n elements: each n - less */
    } kinds[] = {
        {"power", 20, 0}, {"multiply", 1, 0},   {"add", 1, 0},
        {"chain", 6, 1},  {"recurrence", 1, 1}, {"generate", 1, 0},
        {"reduce", 1, 1}, {"gather", 0, 0},     {"sort", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        for (uint64_t n = 1; n <= MAX; n++) {
            const struct be_problem problem =
                problem_of(kinds[i].name, (const uint64_t[BE_PARAMETERS]){n});
            check(&problem, kinds[i].each * (double)n - kinds[i].less);
        }
    }
}

/* Factors without exchanges, and both triangles. */
static double count_solve(uint64_t n) {
    double count = 0;
    for (uint64_t k = 0; k < n; k++) {
        for (uint64_t i = k + 1; i < n; i++) {
            count++; /* a quotient */
            for (uint64_t j = k + 1; j < n; j++) {
                count += 2;
            }
        }
    }
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < i; j++) {
            count += 2 * 2; /* one of each triangle */
        }
        count++; /* by the diagonal of U */
    }
    return count;
}

static void test_solve(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= MAX; n++) {
        const struct be_problem problem =
            problem_of("solve", (const uint64_t[BE_PARAMETERS]){3, n});
        check(&problem, 3 * count_solve(n));
    }
    /* Where refinement may be used float32 may serve for all but the triangles. */
    const struct be_problem one = problem_of("solve", (const uint64_t[BE_PARAMETERS]){1, 1000});
    const struct be_shape shape = be_problem_shape(&one);
    check(&one, count_solve(1000));
    assert_true(fabs(shape.operations - shape.narrow - 1000.0 * 1999) < 1);
}

static void test_pairs(void **state) {
    (void)state;
    for (uint64_t n = 2; n <= MAX; n++) {
        double pairs = 0;
        for (uint64_t i = 0; i < n; i++) {
            for (uint64_t j = i + 1; j < n; j++) {
                pairs++;
            }
        }
        for (uint64_t consumer = 0; consumer < 3; consumer++) {
            const struct be_problem distance =
                problem_of("distance", (const uint64_t[BE_PARAMETERS]){n, 3, consumer, 7});
            check(&distance, pairs * 3 * 2);
        }
        const struct be_problem nbody = problem_of("nbody", (const uint64_t[BE_PARAMETERS]){n});
        check(&nbody, pairs * 23);
    }
}

/* The half of a product with its own transpose, on and above the diagonal, of sums of n terms. Each sum's
 * first addition, to 0, is counted too: that stands for part of the updates, which are not counted. */
static double count_half(uint64_t k, uint64_t n) {
    double count = 0;
    for (uint64_t i = 0; i < k; i++) {
        for (uint64_t j = i; j < k; j++) {
            count += 2 * (double)n;
        }
    }
    return count;
}

static void test_regress(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= MAX; n += 3) {
        for (uint64_t k = 1; k <= MAX; k += 2) {
            for (uint64_t steps = 1; steps < 30; steps += 4) {
                const double pass = 2 * (double)n * (double)k; /* Xw, or X'r */
                const double through = pass + (double)(steps - 1) * 2 * pass;
                const double gram = count_half(k, n) + pass;
                const double other = count_half(n, k) + pass;
                const struct be_problem problem =
                    problem_of("regress", (const uint64_t[BE_PARAMETERS]){n, k, steps});
                check(&problem, fmin(through, fmin(gram, other)));
            }
        }
    }
}

static void test_neighbours(void **state) {
    (void)state;
    const struct be_problem counts = problem_of("histogram", (const uint64_t[BE_PARAMETERS]){9, 3});
    check(&counts, 9);                    /* a product each */
    for (uint64_t n = 1; n <= MAX; n++) { /* k squares a query: 2 differences, 2 products, a sum */
        const struct be_problem problem =
            problem_of("neighbours", (const uint64_t[BE_PARAMETERS]){n, 7, 5, 2});
        check(&problem, 7 * 5 * (double)(n < 5 ? n : 5));
    }
}

/* Nonzeros of a grid's matrix, point by point. */
static void test_cg(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= MAX; n++) {
        const uint64_t wide = (uint64_t)sqrt((double)n);
        double nonzeros = 0;
        for (uint64_t i = 0; i < n; i++) {
            nonzeros += 1 + (i % wide != 0) + ((i + 1) % wide != 0 && i + 1 < n) + (i >= wide) +
                        (i + wide < n);
        }
        const struct be_problem problem = problem_of("cg", (const uint64_t[BE_PARAMETERS]){n, 7});
        const struct be_problem lower = problem_of("trisolve", (const uint64_t[BE_PARAMETERS]){n});
        const double all = (double)n;
        check(&lower, nonzeros); /* half of those beside the diagonal, 2 each; and n quotients */
        check(&problem, 7 * (2 * nonzeros - all + 2 * (2 * all - 1) + 3 * 2 * all));
    }
}

/* Taps that lie on the image, one by one. */
/* By transforms down the columns: a block of two columns there and back, and for each column of the filter a complex
 * product and a complex sum a number; of which `step` rows are kept. A limit counts neither ends nor remainders. */
static double by_transforms(const struct be_problem *problem, double points) {
    const struct be_convolve_sizes sizes = be_convolve_sizes_of(problem);
    double block = 0;
    for (size_t number = 0; number < BE_FOURIER_ROWS; number++) {
        block += 2 * 5 * log2((double)BE_FOURIER_ROWS);
        for (size_t column = 0; column < sizes.taps; column++) {
            block += 6 + 2;
        }
    }
    return points * block / (2 * (double)be_fourier_step(&sizes));
}

static void test_convolve(void **state) {
    (void)state;
    for (int64_t n = 1; n <= MAX; n += 3) {
        for (int64_t taps = 3; taps < 9; taps++) {
            const int64_t width = 2 * n + 1;
            double down = 0;
            double across = 0;
            for (int64_t a = -(taps / 2); a < taps - taps / 2; a++) {
                for (int64_t i = 0; i < width; i++) {
                    down += i < n && i + a >= 0 && i + a < n;
                    across += i + a >= 0 && i + a < width;
                }
            }
            const uint64_t value[BE_PARAMETERS] = {(uint64_t)n, (uint64_t)width, (uint64_t)taps};
            struct be_problem problem = problem_of("convolve", value);
            const double points = (double)(n * width);
            check(&problem, fmin(2 * down * across - points, by_transforms(&problem, points)));
            problem.value[3] = 1;
            check(&problem, 2 * (down * (double)width - points) + 2 * (across * (double)n));
        }
    }
}

static void test_matrices(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= MAX; n++) {
        const struct be_problem matmul =
            problem_of("matmul", (const uint64_t[BE_PARAMETERS]){n, 0, 0, 0, 1});
        const struct be_problem other =
            problem_of("matmul", (const uint64_t[BE_PARAMETERS]){n, 3, 0, 2 * n, 5});
        check(&matmul, (double)(n * n) * (double)(n + n - 1));
        check(&other, 5.0 * (double)(3 * n) * (double)(4 * n - 1));
        const uint64_t k = n < 100 ? n : 100; /* nonzeros fit in the band */
        const struct be_problem spmv =
            problem_of("spmv", (const uint64_t[BE_PARAMETERS]){100, k, 100, 1});
        const struct be_problem several =
            problem_of("spmv", (const uint64_t[BE_PARAMETERS]){100, k, 100, 4});
        check(&spmv, 100 * (double)(k + k - 1));
        check(&several,
              4 * 100 * (double)(k + k - 1) + 3 * 300); /* between steps x.x, and x / |x| */
    }
    for (uint64_t n = 16; n <= MAX; n++) {
        for (uint64_t sweeps = 1; sweeps < 40; sweeps += 13) {
            const struct be_problem stencil =
                problem_of("stencil", (const uint64_t[BE_PARAMETERS]){n, sweeps});
            check(&stencil, 3 * (double)(sweeps * (n - 2) * (n - 2)));
        }
    }
}

/* Sums that begin with the input, and f of each. */
static void test_matvec(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= MAX; n++) {
        for (uint64_t batch = 1; batch < 9; batch += 3) {
            double count = 0;
            for (uint64_t number = 0; number < 5 * batch * n; number++) {
                count += 2; /* 1 + |x|, and the quotient */
                for (uint64_t k = 0; k < n; k++) {
                    count += 2;
                }
            }
            const struct be_problem problem =
                problem_of("matvec", (const uint64_t[BE_PARAMETERS]){n, 5, batch});
            check(&problem, count);
        }
    }
}

/* Chains' steps are all made, each with all operations that step.h has. */
static void test_steps(void **state) {
    static const double each[] = {1 + 2, 4 * (1 + 3 + 3) + 3 * 3 * 2 + 4 * 3 * 2,
                                  2 + 1 + 2 + 1 + 1};
    (void)state;
    for (uint64_t map = 0; map < BE_COUNT(each); map++) {
        for (uint64_t chains = 1; chains <= MAX; chains++) {
            const struct be_problem problem =
                problem_of("steps", (const uint64_t[BE_PARAMETERS]){chains, 7, map});
            check(&problem, (double)(7 * chains) * each[map]);
        }
    }
}

/* Orbits are followed as far as a count needs them: steps - 1 updates at most. */
static void test_mandelbrot(void **state) {
    enum { WIDTH = 17 };
    static double reference[WIDTH * WIDTH];
    (void)state;
    for (uint64_t steps = 1; steps < 30; steps += 7) {
        const struct be_problem problem =
            problem_of("mandelbrot", (const uint64_t[BE_PARAMETERS]){WIDTH, steps, 0});
        const struct be_work work = {.problem = &problem, .items = WIDTH, .members = 1};
        problem.workload->reference(&work, reference);
        double counted = 0;
        for (size_t i = 0; i < BE_COUNT(reference); i++) {
            counted += 3; /* a look */
            for (double step = 0; step < reference[i] && step + 1 < (double)steps; step++) {
                counted += 6;
            }
        }
        assert_true(problem.workload->operations(&work, reference) == counted);
    }
}

/* Reflections of length 2 and more, each on both sides of what is left and on all vectors; a product with a vector, or
 * a row less a multiple of it, is two operations a number. */
static void test_eigen(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= MAX; n++) {
        double counted = 0;
        for (uint64_t m = 2; m < n; m++) {
            counted += 2 * (double)(m * m);     /* S v */
            counted += 2 * (double)(m * m);     /* S - v w' - w v', one half of it */
            counted += 2 * 2 * (double)(m * n); /* v' V, V - v (v' V) */
        }
        const struct be_problem problem =
            problem_of("eigen", (const uint64_t[BE_PARAMETERS]){3, n, 0});
        check(&problem, 3 * counted);
    }
}

/* Gram and Schmidt: each column less its part along each one before it, a product and a multiple, without the last sum. */
static void test_eigen_qr(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= MAX; n++) {
        double counted = 0;
        for (uint64_t k = 0; k < n; k++) {
            for (uint64_t j = k + 1; j < n; j++) {
                counted += 2 * (double)n - 1;
                counted += 2 * (double)n - 1;
            }
        }
        const struct be_problem problem =
            problem_of("eigen", (const uint64_t[BE_PARAMETERS]){3, n, 1});
        check(&problem, 3 * counted);
    }
}

/* A'A, one half of it with its diagonal, its values and vectors, and A V. */
static void test_eigen_svd(void **state) {
    enum { SVD = 2 };
    (void)state;
    for (uint64_t n = 1; n <= MAX; n++) {
        for (uint64_t rows = n; rows <= n + 3; rows += 3) {
            double counted = 0;
            for (uint64_t i = 0; i < n; i++) {
                counted += 2 * (double)(rows * (i + 1)); /* products with the columns up to it */
                counted += 2 * (double)(rows * n);       /* a column of A V */
            }
            for (uint64_t m = 2; m < n; m++) {
                counted += 4 * (double)(m * m) + 4 * (double)(m * n);
            }
            const struct be_problem problem =
                problem_of("eigen", (const uint64_t[BE_PARAMETERS]){3, n, SVD, rows});
            check(&problem, 3 * counted);
        }
    }
}

/* ---- bytes ---------------------------------------------------------------------------------- */

/* All arrays once; of gather's and spmv's x what is likely to be needed, not what solve says of its answers, and of a
 * symmetric matrix one triangle. */
static void test_bytes(void **state) {
    (void)state;
    for (int i = 0; be_workloads[i]; i++) {
        const struct be_workload *w = be_workloads[i];
        for (int real = 0; real < BE_REALS; real++) {
            struct be_problem problem = be_problem_preset(w);
            struct be_shape shape;
            double bytes = 0;
            problem.real = (enum be_real)real;
            w->shape(&problem, &shape);
            for (int k = 0; k < w->inputs + w->outputs; k++) {
                bytes += (double)shape.items * (double)shape.item_bytes[k];
            }
            bytes -= strcmp(w->name, "solve") == 0 ? 4 * (double)shape.items : 0;
            if (strcmp(w->name, "eigen") == 0) { /* a triangle of A is all of it */
                const double n = (double)problem.value[1];
                bytes -=
                    (double)shape.items * n * (n - 1) / 2 * (double)be_real_bytes(problem.real);
            }
            if (strcmp(w->name, "trisolve") == 0) { /* rows one by one need no levels */
                bytes -= (double)(shape.item_bytes[3] + shape.item_bytes[4]);
            }
            bytes -= strcmp(w->name, "gather") == 0 ? exp(-1) * 4 * (double)problem.value[0] : 0;
            const double off = fabs(shape.bytes / bytes - 1);
            if (w->reals & BE_TAKES(real) && !(off < 1e-4)) {
                fail_msg("%s: %.17g bytes, of %.17g", w->name, shape.bytes, bytes);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements),   cmocka_unit_test(test_solve),
        cmocka_unit_test(test_pairs),      cmocka_unit_test(test_regress),
        cmocka_unit_test(test_convolve),   cmocka_unit_test(test_cg),
        cmocka_unit_test(test_matrices),   cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_mandelbrot), cmocka_unit_test(test_steps),
        cmocka_unit_test(test_eigen),      cmocka_unit_test(test_eigen_qr),
        cmocka_unit_test(test_eigen_svd),  cmocka_unit_test(test_matvec),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
