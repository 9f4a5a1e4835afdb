/* The passes of Fourier transforms in every instruction set that runs here, against the reference. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"
#include "workload/fft/columns_simd.h"
#include "workload/fft/fft.h"
#include "workload/fft/lines_simd.h"
#include "workload/fft/simd.h"
#include "workload/fft/small_simd.h"

static const struct {
    enum be_simd needs;
    be_fft_columns *columns;
    be_fft_small *small;
    be_fft_lines_range *lines;
    be_fft_halves_range *halves;
    be_fft_columns_range *image;
} code[] = {
    {BE_SIMD_PLAIN, be_fft_run_plain, be_fft_small_run_plain, be_fft_lines_run_plain,
     be_fft_halves_run_plain, be_fft_columns_run_plain},
#if defined(__x86_64__)
    {BE_SIMD_V3, be_fft_run_v3, be_fft_small_run_v3, be_fft_lines_run_v3, be_fft_halves_run_v3,
     be_fft_columns_run_v3},
    {BE_SIMD_V4, be_fft_run_v4, be_fft_small_run_v4, be_fft_lines_run_v4, be_fft_halves_run_v4,
     be_fft_columns_run_v4},
#endif
};

/* w(n)^(step i), i < count. */
static double *roots_of(size_t n, size_t step, size_t count) {
    double *w = malloc(2 * count * sizeof *w);
    assert_non_null(w);
    for (size_t i = 0; i < count; i++) {
        const double angle = -2 * 3.14159265358979323846 * (double)(step * i % n) / (double)n;
        w[2 * i] = cos(angle);
        w[2 * i + 1] = sin(angle);
    }
    return w;
}

static float *rounded(double *from, size_t numbers) {
    float *to = malloc(2 * numbers * sizeof *to);
    assert_non_null(to);
    for (size_t i = 0; i < 2 * numbers; i++) {
        to[i] = (float)from[i];
    }
    free(from);
    return to;
}

static float *lanes_of(size_t n, size_t radix) {
    double *lanes = malloc(2 * radix * BE_FFT_COLUMNS * sizeof *lanes);
    assert_non_null(lanes);
    for (size_t k = 0; k < radix; k++) {
        double *w = roots_of(n, k, BE_FFT_COLUMNS);
        for (size_t i = 0; i < (size_t)2 * BE_FFT_COLUMNS; i++) {
            lanes[2 * k * BE_FFT_COLUMNS + i] = w[i];
        }
        free(w);
    }
    return rounded(lanes, radix * BE_FFT_COLUMNS);
}

/* Columns as two members would do them, the first with an odd number of parts. */
static void run_pass(be_fft_columns *run, const struct be_fft_pass *pass) {
    const size_t count = pass->n / pass->radix;
    const size_t first = count / BE_FFT_PART / 2 / 2 * 2 * BE_FFT_PART + BE_FFT_PART;
    float *buffer = malloc(2 * pass->radix * BE_FFT_COLUMNS * sizeof *buffer);
    assert_non_null(buffer);
    if (first < count) {
        run(pass, first, count - first, buffer);
    }
    run(pass, 0, first < count ? first : count, buffer);
    free(buffer);
}

static void transform(be_fft_columns *run, const size_t radix[3], size_t n, const float *x,
                      float *z) {
    enum { SHIFT = 5 };
    double *coarse = roots_of(n, 1 << SHIFT, (n >> SHIFT) + 1);
    double *fine = roots_of(n, 1, 1 << SHIFT);
    float *lanes = lanes_of(n, radix[0]);
    const size_t inner = radix[2] > 1 ? radix[1] : 1;
    for (size_t i = 0, s = 1; i < 3 && radix[i] > 1; s *= radix[i], i++) {
        float *roots = rounded(roots_of(radix[i], 1, radix[i]), radix[i]);
        const struct be_fft_pass pass = {.n = n,
                                         .radix = radix[i],
                                         .s = s,
                                         .inner = inner,
                                         .outer = n / radix[0] / inner,
                                         .x = x,
                                         .z = z,
                                         .roots = roots,
                                         .coarse = coarse,
                                         .fine = fine,
                                         .shift = SHIFT,
                                         .lanes = lanes};
        run_pass(run, &pass);
        free(roots);
    }
    free(lanes);
    free(fine);
    free(coarse);
}

struct numbers {
    float *x, *z;
    double *reference; /* behind it: x, and what the reference takes */
};

static struct numbers numbers_of(size_t n) {
    struct numbers a = {malloc(2 * n * sizeof *a.x), malloc(2 * n * sizeof *a.z),
                        malloc((4 * n + be_fft_reference_capacity(n)) * sizeof *a.reference)};
    assert_true(a.x && a.z && a.reference);
    for (size_t i = 0; i < 2 * n; i++) {
        a.x[i] = be_random_float(n, i) - 0.5F;
        a.z[i] = NAN;
        a.reference[2 * n + i] = (double)a.x[i];
    }
    be_fft_reference(n, a.reference + 2 * n, a.reference, a.reference + 4 * n);
    return a;
}

/* As the workload itself allows, docs/workloads/fft.md. */
static void assert_near(const struct numbers *a, size_t n) {
    double difference = 0;
    double norm = 0;
    for (size_t i = 0; i < 2 * n; i++) {
        const double d = (double)a->z[i] - a->reference[i];
        difference += d * d;
        norm += a->reference[i] * a->reference[i];
    }
    assert_true(sqrt(difference / norm) < 3e-7 * log2((double)n)); /* false for NAN */
}

static void release(struct numbers *a) {
    free(a->x);
    free(a->z);
    free(a->reference);
}

static void test_passes(void **state) {
    static const size_t radix[][3] = {{16, 16, 1},    {32, 16, 1},   {16, 32, 1},   {32, 32, 1},
                                      {64, 32, 1},    {128, 64, 1},  {512, 256, 1}, {1024, 32, 1},
                                      {2048, 64, 1},  {32, 16, 32},  {64, 32, 32},  {16, 256, 32},
                                      {128, 128, 64}, {32, 64, 512}, {4096, 32, 1}};
    (void)state;
    for (size_t c = 0; c < BE_COUNT(code); c++) {
        for (size_t r = 0; code[c].needs <= be_simd_here() && r < BE_COUNT(radix); r++) {
            const size_t n = radix[r][0] * radix[r][1] * radix[r][2];
            struct numbers a = numbers_of(n);
            transform(code[c].columns, radix[r], n, a.x, a.z);
            assert_near(&a, n);
            release(&a);
        }
    }
}

static void test_small(void **state) {
    (void)state;
    for (size_t c = 0; c < BE_COUNT(code); c++) {
        for (size_t n = 2; code[c].needs <= be_simd_here() && n <= 1024; n *= 2) {
            struct numbers a = numbers_of(n);
            float *roots = rounded(roots_of(n, 1, n), n);
            float *buffer = malloc(4 * n * sizeof *buffer);
            assert_non_null(buffer);
            code[c].small(a.x, a.z, n, roots, buffer);
            assert_near(&a, n);
            free(buffer);
            free(roots);
            release(&a);
        }
    }
}

/* n real numbers as a complex transform of them has them, and half their spectrum. */
static struct numbers reals_of(size_t n) {
    struct numbers a = numbers_of(n);
    for (size_t i = 0; i < n; i++) {
        a.x[i] = a.x[2 * i];
        a.reference[2 * n + 2 * i] = (double)a.x[i];
        a.reference[2 * n + 2 * i + 1] = 0;
    }
    be_fft_reference(n, a.reference + 2 * n, a.reference, a.reference + 4 * n);
    return a;
}

static float *filled(size_t floats) {
    float *to = malloc(floats * sizeof *to);
    assert_non_null(to);
    for (size_t i = 0; i < floats; i++) {
        to[i] = 77;
    }
    return to;
}

/* Half of each. */
static float *halves_of(size_t n) {
    float *halves = rounded(roots_of(n, 1, n / 2), n / 2);
    for (size_t i = 0; i < n; i++) {
        halves[i] *= 0.5F;
    }
    return halves;
}

struct steps {
    struct be_fft_steps steps;
    void *tables;
};

static struct steps steps_of(size_t n) {
    struct steps steps;
    assert_true(be_fft_steps_plan(n, &steps.steps));
    steps.tables = malloc(be_fft_steps_bytes(&steps.steps));
    assert_non_null(steps.tables);
    be_fft_steps_make(&steps.steps, steps.tables);
    return steps;
}

/* As far apart as `step` floats, each `factor` times the reference. */
static void assert_line(const float *z, const struct numbers *a, size_t numbers, size_t step,
                        double factor) {
    double difference = 0;
    double norm = 0;
    for (size_t k = 0; k < 2 * numbers; k++) {
        const double d = (double)z[k / 2 * step + k % 2] / factor - a->reference[k];
        difference += d * d;
        norm += a->reference[k] * a->reference[k];
    }
    assert_true(sqrt(difference / norm) < 3e-7 * log2((double)numbers));
}

/* Some lines, each the same numbers but for a factor; the last vector of them is not full. */
static void check_lines(be_fft_lines_range *run, const struct be_fft_steps *steps,
                        const struct numbers *a, bool real, bool packed) {
    enum { COUNT = 21, FIRST = 1, GAP = 6 };
    const size_t n = steps->n;
    const struct be_fft_lines lines = {.steps = steps,
                                       .x = filled(COUNT * 2 * n),
                                       .z = filled(COUNT * (2 * n + GAP)),
                                       .x_apart = 2 * n,
                                       .z_apart = 2 * n + GAP,
                                       .halves = real ? halves_of(2 * n) : NULL,
                                       .packed = packed};
    float *buffer = filled(be_fft_lines_floats(steps));
    for (size_t i = 0; i < COUNT * 2 * n; i++) {
        ((float *)(uintptr_t)lines.x)[i] = (float)(i / (2 * n) + 1) * a->x[i % (2 * n)];
    }
    run(&lines, FIRST, COUNT - FIRST, buffer);
    for (size_t i = FIRST; i < COUNT; i++) {
        float *z = lines.z + i * lines.z_apart;
        assert_true(z[2 * n + (real && !packed ? 2 : 0)] == 77);
        if (packed) {
            z[2 * n] = z[1];
            z[1] = z[2 * n + 1] = 0;
        }
        assert_line(z, a, n + (real ? 1 : 0), 2, (double)(i + 1));
    }
    assert_true(lines.z[0] == 77); /* the line before the first */
    free(buffer);
    free((void *)(uintptr_t)lines.halves);
    free(lines.z);
    free((void *)(uintptr_t)lines.x);
}

/* Neighbouring columns, each the same numbers but for a factor; those beside them stay as they are. */
static void check_columns(be_fft_columns_range *run, const struct be_fft_steps *steps,
                          const struct numbers *a) {
    enum { COLUMNS = 61, FIRST = 2, COUNT = 55 };
    const struct be_fft_image image = {steps, filled(steps->n * COLUMNS * 2), (size_t)COLUMNS * 2};
    float *buffer = filled(be_fft_columns_floats(steps));
    for (size_t i = 0; i < steps->n; i++) {
        for (size_t c = FIRST; c < FIRST + COUNT; c++) {
            float *z = image.z + i * image.apart + 2 * c;
            z[0] = (float)(c + 1) * a->x[2 * i];
            z[1] = (float)(c + 1) * a->x[2 * i + 1];
        }
    }
    run(&image, FIRST, COUNT, buffer);
    for (size_t c = 0; c < COLUMNS; c++) {
        const float *z = image.z + 2 * c;
        if (c >= FIRST && c < FIRST + COUNT) {
            assert_line(z, a, steps->n, image.apart, (double)(c + 1));
        }
        for (size_t i = 0; (c < FIRST || c >= FIRST + COUNT) && i < steps->n; i++) {
            assert_true(z[i * image.apart] == 77 && z[i * image.apart + 1] == 77);
        }
    }
    free(buffer);
    free(image.z);
}

/* Every radix is the first, a middle and the last step of one of these. */
static const size_t stepped[] = {16,  24,  36,  49,  50,  72,   81,   121,  169,  225, 252,
                                 320, 504, 507, 576, 980, 1024, 1350, 1944, 3025, 4096};

static void test_lines(void **state) {
    (void)state;
    for (size_t i = 0; i < BE_COUNT(stepped); i++) {
        const size_t n = stepped[i];
        struct steps steps = steps_of(n);
        struct numbers complex = numbers_of(n);
        struct numbers real = reals_of(2 * n);
        for (size_t c = 0; c < BE_COUNT(code) && code[c].needs <= be_simd_here(); c++) {
            check_lines(code[c].lines, &steps.steps, &complex, false, false);
            check_lines(code[c].lines, &steps.steps, &real, true, false);
            check_lines(code[c].lines, &steps.steps, &real, true, true);
        }
        release(&real);
        release(&complex);
        free(steps.tables);
    }
}

static void test_columns(void **state) {
    (void)state;
    for (size_t i = 0; i < BE_COUNT(stepped); i++) {
        struct steps steps = steps_of(stepped[i]);
        struct numbers a = numbers_of(stepped[i]);
        for (size_t c = 0; c < BE_COUNT(code) && code[c].needs <= be_simd_here(); c++) {
            check_columns(code[c].image, &steps.steps, &a);
        }
        release(&a);
        free(steps.tables);
    }
}

enum { FIRST_STEP, MIDDLE_STEP, LAST_STEP, ROLES };

static void note_radices(size_t n, bool role[ROLES][BE_FFT_RADIX_MAX + 1]) {
    struct be_fft_steps steps;
    if (!be_fft_steps_plan(n, &steps)) {
        return;
    }
    size_t product = 1;
    for (int t = 0; t < steps.steps; t++) {
        product *= steps.radix[t];
        role[t == 0                 ? FIRST_STEP
             : t + 1 == steps.steps ? LAST_STEP
                                    : MIDDLE_STEP][steps.radix[t]] = true;
    }
    assert_true(product == n && steps.steps >= 2 && steps.block >= n);
}

/* All products of primes up to 13 have a plan, and the sizes above have all the code. */
static void test_plans(void **state) {
    static bool in_any[ROLES][BE_FFT_RADIX_MAX + 1];
    static bool in_tested[ROLES][BE_FFT_RADIX_MAX + 1];
    struct be_fft_steps steps;
    (void)state;
    for (size_t n = 1; n <= BE_FFT_STEPS_NUMBERS + 1; n++) {
        size_t left = n;
        for (size_t p = 2; p <= 13; p++) {
            while (left % p == 0) {
                left /= p;
            }
        }
        assert_int_equal(be_fft_steps_plan(n, &steps),
                         left == 1 && n >= 16 && n <= BE_FFT_STEPS_NUMBERS);
        note_radices(n, in_any);
    }
    for (size_t i = 0; i < BE_COUNT(stepped); i++) {
        note_radices(stepped[i], in_tested);
    }
    assert_memory_equal(in_any, in_tested, sizeof in_any);
}

/* The transform of pairs, by the reference, becomes half a spectrum; as two members would do it. */
static void test_halves(void **state) {
    enum { SHIFT = 3 };
    (void)state;
    for (size_t c = 0; c < BE_COUNT(code); c++) {
        for (size_t n = 1; code[c].needs <= be_simd_here() && n <= 1024; n *= 2) {
            struct numbers pairs = numbers_of(n);
            struct numbers a = reals_of(2 * n);
            for (size_t i = 0; i < 2 * n; i++) {
                pairs.reference[2 * n + i] = (double)a.x[i];
            }
            be_fft_reference(n, pairs.reference + 2 * n, pairs.reference, pairs.reference + 4 * n);
            for (size_t i = 0; i < 2 * n; i++) {
                a.z[i] = (float)pairs.reference[i];
            }
            double *coarse = roots_of(2 * n, 1 << SHIFT, (n >> SHIFT) + 1);
            double *fine = roots_of(2 * n, 1, 1 << SHIFT);
            float *lanes = rounded(roots_of(2 * n, 1, BE_FFT_LINES), BE_FFT_LINES);
            const struct be_fft_halves halves = {n, a.z, coarse, fine, SHIFT, lanes};
            const size_t count = (n + 1) / 2;
            const size_t first = count / 3;
            code[c].halves(&halves, first, count - first);
            code[c].halves(&halves, 0, first);
            assert_near(&a, n + 1);
            free(lanes);
            free(fine);
            free(coarse);
            release(&a);
            release(&pairs);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes), cmocka_unit_test(test_small),
        cmocka_unit_test(test_lines),  cmocka_unit_test(test_columns),
        cmocka_unit_test(test_plans),  cmocka_unit_test(test_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
