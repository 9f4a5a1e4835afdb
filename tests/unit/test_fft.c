/* The reference of the Fourier transforms against the formula. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"
#include "workload/fft/fft.h"

static void test_reference(void **state) {
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 31, 64, 100, 127, 360, 1009, 1024};
    (void)state;
    for (size_t s = 0; s < BE_COUNT(sizes); s++) {
        const size_t n = sizes[s];
        const size_t capacity = be_fft_reference_capacity(n);
        double *x = malloc(2 * n * sizeof *x);
        double *fast = malloc((4 * n + capacity + 1) * sizeof *fast);
        assert_true(x && fast);
        double *slow = fast + 2 * n;
        double difference = 0;
        double norm = 0;
        for (size_t i = 0; i < 2 * n; i++) {
            x[i] = (double)be_random_float(n, i) - 0.5;
        }
        be_fft_naive(n, x, slow, 0, n);
        fast[4 * n + capacity] = 77;
        be_fft_reference(n, x, fast, fast + 4 * n);
        assert_true(fast[4 * n + capacity] == 77); /* the room is enough */
        for (size_t i = 0; i < 2 * n; i++) {
            difference += (fast[i] - slow[i]) * (fast[i] - slow[i]);
            norm += slow[i] * slow[i];
        }
        assert_true(sqrt(difference / norm) < 1e-13);
        free(fast);
        free(x);
    }
}

/* One wave has one number that is not 0. */
static void test_wave(void **state) {
    enum { N = 48, WAVE = 12 }; /* of numbers that float32 has */
    static double capacity[64 * N];
    double x[2 * N];
    double z[2 * N];
    (void)state;
    for (int j = 0; j < N; j++) {
        double angle = 2 * 3.14159265358979323846 * WAVE * j / N;
        x[2 * j] = cos(angle);
        x[2 * j + 1] = sin(angle);
    }
    assert_true(be_fft_reference_capacity(N) <= BE_COUNT(capacity));
    be_fft_reference(N, x, z, capacity);
    for (int k = 0; k < N; k++) {
        assert_true(fabs(z[2 * k] - (k == WAVE ? N : 0)) < 1e-12);
        assert_true(fabs(z[2 * k + 1]) < 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference),
                                       cmocka_unit_test(test_wave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
