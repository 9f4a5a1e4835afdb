/* FFTW through its table, against the sum by which a transform is defined. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "dyn/host/fftw.h"

enum { BATCH = 3, MAX = BATCH * 1000 };

static struct be_fftw fftw;

static int start(void **state) {
    struct be_error error;
    (void)state;
    if (be_fftw_open(&fftw, &error) != BE_OK) {
        assert_int_equal(error.status, BE_ABSENT);
        assert_non_null(strstr(error.text, "libfftw3-single3"));
        print_message("%s\n", error.text);
    }
    return 0;
}

static int end(void **state) {
    (void)state;
    be_fftw_close(&fftw);
    be_fftw_close(&fftw); /* a second time: nothing */
    return 0;
}

static void need(void) {
    if (!fftw.handle) {
        skip();
    }
}

static void check(const fftwf_complex *in, const fftwf_complex *out, size_t points, size_t batch) {
    const double turn = -2 * acos(-1.0) / (double)points;
    for (size_t i = 0; i < points * batch; i++) {
        double real = 0;
        double imaginary = 0;
        double size = 0;
        for (size_t j = 0; j < points; j++) {
            const float *from = in[i / points * points + j];
            double angle = turn * (double)(i % points * j % points);
            real += (double)from[0] * cos(angle) - (double)from[1] * sin(angle);
            imaginary += (double)from[0] * sin(angle) + (double)from[1] * cos(angle);
            size += (double)from[0] * (double)from[0] + (double)from[1] * (double)from[1];
        }
        double off = hypot((double)out[i][0] - real, (double)out[i][1] - imaginary);
        if (!(off <= 2e-6 * sqrt(size))) {
            fail_msg("%zu points, number %zu: %g + %g i, not %g + %g i", points, i,
                     (double)out[i][0], (double)out[i][1], real, imaginary);
        }
    }
}

static fftwf_plan plan(int points, int batch, fftwf_complex *in, fftwf_complex *out) {
    const unsigned flags = FFTW_ESTIMATE | FFTW_PRESERVE_INPUT;
    return fftw.fftwf_plan_many_dft(1, &points, batch, in, NULL, 1, points, out, NULL, 1, points,
                                    FFTW_FORWARD, flags);
}

static void transform(int points, int batch) {
    fftwf_complex *in = fftw.fftwf_alloc_complex(MAX);
    fftwf_complex *out = fftw.fftwf_alloc_complex(MAX);
    assert_true(in && out);
    fftwf_plan made = plan(points, batch, in, out);
    assert_non_null(made);
    for (size_t i = 0; i < (size_t)points * (size_t)batch; i++) {
        in[i][0] = be_random_float(1, i) * 2 - 1;
        in[i][1] = be_random_float(2, i) * 2 - 1;
    }
    fftw.fftwf_execute_dft(made, in, out);
    check((const fftwf_complex *)in, (const fftwf_complex *)out, (size_t)points, (size_t)batch);
    fftw.fftwf_destroy_plan(made);
    fftw.fftwf_free(out);
    fftw.fftwf_free(in);
}

static void test_transforms(void **state) {
    const int points[] = {1, 8, 60, 97, 1000};
    (void)state;
    need();
    for (size_t i = 0; i < BE_COUNT(points); i++) {
        transform(points[i], 1);
        transform(points[i], BATCH);
    }
}

/* A batch of images of real and of complex numbers: a few numbers of each result, as the formula says them. */
static void test_forms(void **state) {
    enum { ROWS = 6, COLUMNS = 7, NUMBERS = 2 * ROWS * COLUMNS * BATCH };
    const double turn = -2 * acos(-1.0);
    (void)state;
    need();
    float *in = (float *)fftw.fftwf_alloc_complex(NUMBERS);
    fftwf_complex *out = fftw.fftwf_alloc_complex(NUMBERS);
    assert_true(in && out);
    for (int real = 0; real < 2; real++) {
        const struct be_fftw_form form = {ROWS, COLUMNS, BATCH, real};
        const int width = real ? COLUMNS / 2 + 1 : COLUMNS;
        const int step = real ? 1 : 2;
        fftwf_plan made = be_fftw_plan(&fftw, &form, 1, in, out);
        assert_non_null(made);
        assert_ptr_equal(be_fftw_plan(&fftw, &form, 1, in, out), made);
        for (size_t i = 0; i < NUMBERS; i++) {
            in[i] = be_random_float(3, i) * 2 - 1;
        }
        be_fftw_execute(&fftw, &form, made, in, out);
        for (int at = 0; at < BATCH * ROWS * width; at += 5) {
            const int image = at / (ROWS * width), k = at / width % ROWS, l = at % width;
            double sum[2] = {0, 0};
            for (int i = 0; i < ROWS * COLUMNS; i++) {
                const float *x = in + step * (image * ROWS * COLUMNS + i);
                const double angle =
                    turn * ((double)(i / COLUMNS * k) / ROWS + (double)(i % COLUMNS * l) / COLUMNS);
                const double imaginary = real ? 0 : (double)x[1];
                sum[0] += (double)x[0] * cos(angle) - imaginary * sin(angle);
                sum[1] += (double)x[0] * sin(angle) + imaginary * cos(angle);
            }
            assert_true(hypot((double)out[at][0] - sum[0], (double)out[at][1] - sum[1]) < 2e-5);
        }
    }
    fftw.fftwf_free(out);
    fftw.fftwf_free(in);
}

static void test_threads(void **state) {
    (void)state;
    need();
    assert_true(be_fftw_set_threads(&fftw, 1));
    bool several = be_fftw_set_threads(&fftw, 2);
    assert_int_equal(several, fftw.threads.handle != NULL);
    transform(1000, BATCH);
    assert_true(be_fftw_set_threads(&fftw, 1));
    struct be_fftw alone = fftw;
    alone.threads.handle = NULL;
    assert_true(be_fftw_set_threads(&alone, 1));
    assert_false(be_fftw_set_threads(&alone, 2));
}

static void test_name(void **state) {
    char name[BE_NAME];
    (void)state;
    struct be_fftw made = {.version = "fftw-3.3.10-sse2-avx"};
    be_fftw_name(&made, name, sizeof name);
    assert_string_equal(name, "FFTW 3.3.10");
    made.version = NULL;
    be_fftw_name(&made, name, sizeof name);
    assert_string_equal(name, "FFTW");
    need();
    be_fftw_name(&fftw, name, sizeof name);
    assert_int_equal(strncmp(name, "FFTW 3.", 7), 0);
    print_message("%s, %s\n", name, fftw.threads.handle ? "threads" : "one thread");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_transforms, start, end),
        cmocka_unit_test_setup_teardown(test_forms, start, end),
        cmocka_unit_test_setup_teardown(test_threads, start, end),
        cmocka_unit_test_setup_teardown(test_name, start, end),
    };
    return cmocka_run_group_tests_name("FFTW", tests, NULL, NULL);
}
