/* Fourier transforms of real numbers, of images and of batches: the reference against the formula, own code on the CPU
 * against the reference. */
#include "team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "builtin/builtin.h"
#include "workload/fft/fft.h"

enum { GUARD = 64 };

struct form {
    uint64_t size, rows, batch, kind;
};

static struct be_problem problem_of(const struct form *form) {
    struct be_problem problem = be_problem_preset(&be_workload_fft);
    problem.value[BE_FFT_SIZE] = form->size;
    problem.value[BE_FFT_ROWS] = form->rows;
    problem.value[BE_FFT_BATCH] = form->batch;
    problem.value[BE_FFT_KIND] = form->kind;
    return problem;
}

struct run {
    struct be_problem problem;
    struct be_fft_size size;
    size_t floats; /* of the result */
    float *x, *z;
    double *reference;
    struct be_work work;
    void *array[2];
};

static void *memory(size_t bytes) {
    void *at =
        aligned_alloc(BE_WHOLE_ALIGN, (bytes + BE_WHOLE_ALIGN) / BE_WHOLE_ALIGN * BE_WHOLE_ALIGN);
    assert_non_null(at);
    return at;
}

static void open_run(struct run *run, const struct form *form, struct be_team *team, int members) {
    *run = (struct run){.problem = problem_of(form)};
    run->size = be_fft_size(&run->problem);
    const size_t in = be_fft_input_floats(&run->size);
    const size_t scratch = be_fft_host_scratch(&run->problem, members);
    run->floats = 2 * run->size.lines * run->size.width;
    run->x = memory(in * sizeof *run->x);
    run->z = memory((run->floats + GUARD) * sizeof *run->z);
    run->reference = memory(be_problem_shape(&run->problem).reference * sizeof *run->reference);
    for (size_t i = 0; i < in; i++) {
        run->x[i] = 2 * be_random_float(form->size, i) - 1;
    }
    for (size_t i = 0; i < run->floats + GUARD; i++) {
        run->z[i] = 77;
    }
    run->array[0] = run->x;
    run->array[1] = run->z;
    run->work = (struct be_work){.problem = &run->problem,
                                 .array = run->array,
                                 .items = 1,
                                 .members = members,
                                 .team = team,
                                 .scratch = memory(scratch)};
    memset(run->work.scratch, 0, BE_WHOLE_ALIGN);
}

static void close_run(struct run *run) {
    free(run->work.scratch);
    free(run->reference);
    free(run->z);
    free(run->x);
}

static void refer(void *context, int at, int members) {
    const struct run *run = context;
    struct be_work work = run->work;
    work.member = at;
    work.members = members;
    be_fft_references(&work, run->reference);
}

static void transform(void *context, int at, int members) {
    const struct run *run = context;
    struct be_work work = run->work;
    work.member = at;
    work.members = members;
    be_fft_host(&work);
}

/* Number (k, l) of a transform, by the sum that defines it. */
static void sum_of(const struct run *run, size_t image, size_t k, size_t l, double sum[2]) {
    const struct be_fft_size *size = &run->size;
    const size_t step = size->real ? 1 : 2;
    sum[0] = sum[1] = 0;
    for (size_t i = 0; i < size->rows * size->columns; i++) {
        const float *x = run->x + step * (image * size->rows * size->columns + i);
        const double turns =
            (double)(i / size->columns * k % size->rows) / (double)size->rows +
            (double)(i % size->columns * l % size->columns) / (double)size->columns;
        const double angle = -2 * acos(-1.0) * turns;
        const double imaginary = size->real ? 0 : (double)x[1];
        sum[0] += (double)x[0] * cos(angle) - imaginary * sin(angle);
        sum[1] += (double)x[0] * sin(angle) + imaginary * cos(angle);
    }
}

static void test_reference(void **state) {
    static const struct form form[] = {
        {7, 0, 1, BE_FFT_REAL},       {6, 0, 3, BE_FFT_REAL},       {5, 0, 2, BE_FFT_COMPLEX},
        {5, 3, 2, BE_FFT_IMAGE},      {4, 0, 1, BE_FFT_IMAGE},      {7, 4, 2, BE_FFT_REAL_IMAGE},
        {6, 0, 1, BE_FFT_REAL_IMAGE}, {2, 1, 1, BE_FFT_REAL_IMAGE}, {2, 0, 1, BE_FFT_REAL}};
    struct be_team *team = open_team(2);
    (void)state;
    for (size_t f = 0; f < BE_COUNT(form); f++) {
        struct run run;
        open_run(&run, &form[f], team, 2);
        be_team_run(team, refer, &run);
        for (size_t i = 0; 2 * i < run.floats; i++) {
            double sum[2];
            const size_t line = i / run.size.width;
            sum_of(&run, line / run.size.rows, line % run.size.rows, i % run.size.width, sum);
            assert_true(hypot(run.reference[2 * i] - sum[0], run.reference[2 * i + 1] - sum[1]) <
                        1e-12);
        }
        close_run(&run);
    }
    be_team_close(team);
}

/* Twice: the second call finds the tables of the first. */
static void check_own(const struct form *form, int members) {
    struct be_team *team = open_team(members);
    struct run run;
    open_run(&run, form, team, members);
    assert_true(!be_fft_unfit(&run.problem) || !be_fft_mixed_unfit(&run.problem));
    be_team_run(team, refer, &run);
    for (int call = 0; call < 2; call++) {
        double difference = 0;
        double norm = 0;
        for (size_t i = 0; i < run.floats; i++) {
            run.z[i] = NAN;
        }
        be_team_run(team, transform, &run);
        for (size_t i = 0; i < run.floats; i++) {
            const double d = (double)run.z[i] - run.reference[i];
            difference += d * d;
            norm += run.reference[i] * run.reference[i];
        }
        if (!(sqrt(difference / norm) <= be_problem_shape(&run.problem).tolerance)) {
            fail_msg("kind %d, %zu x %zu x %zu, %d members: off by %g", (int)form->kind,
                     run.size.batch, run.size.rows, run.size.columns, members,
                     sqrt(difference / norm));
        }
    }
    for (size_t i = 0; i < GUARD; i++) {
        assert_true(run.z[run.floats + i] == 77);
    }
    close_run(&run);
    be_team_close(team);
}

static void test_own(void **state) {
    static const struct form form[] = {
        {4, 0, 1, BE_FFT_REAL},           {8, 0, 1, BE_FFT_REAL},
        {64, 0, 1, BE_FFT_REAL},          {512, 0, 1, BE_FFT_REAL},
        {32768, 0, 1, BE_FFT_REAL},       {1 << 18, 0, 1, BE_FFT_REAL},
        {16384, 0, 3, BE_FFT_REAL},       {8192, 0, 2, BE_FFT_COMPLEX},
        {16, 0, 3, BE_FFT_COMPLEX},       {32, 0, 37, BE_FFT_COMPLEX},
        {512, 0, 5, BE_FFT_COMPLEX},      {4096, 0, 2, BE_FFT_COMPLEX},
        {32, 0, 21, BE_FFT_REAL},         {256, 0, 4, BE_FFT_REAL},
        {1024, 0, 33, BE_FFT_REAL},       {16, 16, 1, BE_FFT_IMAGE},
        {32, 0, 5, BE_FFT_IMAGE},         {64, 256, 1, BE_FFT_IMAGE},
        {16, 4096, 1, BE_FFT_IMAGE},      {32, 16, 1, BE_FFT_REAL_IMAGE},
        {64, 0, 7, BE_FFT_REAL_IMAGE},    {128, 512, 1, BE_FFT_REAL_IMAGE},
        {64, 2048, 2, BE_FFT_REAL_IMAGE}, {63, 0, 3, BE_FFT_COMPLEX},
        {200, 0, 18, BE_FFT_REAL},        {21, 39, 1, BE_FFT_IMAGE},
        {100, 45, 4, BE_FFT_IMAGE},       {66, 35, 1, BE_FFT_REAL_IMAGE},
        {192, 108, 2, BE_FFT_REAL_IMAGE}};
    (void)state;
    for (size_t f = 0; f < BE_COUNT(form); f++) {
        check_own(&form[f], 1);
        check_own(&form[f], 3);
    }
}

static void test_unfit(void **state) {
    static const struct {
        struct form form;
        const char *text;
    } wrong[] = {
        {{1000, 0, 1, BE_FFT_REAL}, "powers of two only"},
        {{64, 48, 1, BE_FFT_IMAGE}, "powers of two only"},
        {{2, 0, 1, BE_FFT_REAL}, "at least 4 real"},
        {{16, 0, 2, BE_FFT_REAL}, "at least 16 complex or 32 real numbers in a batch"},
        {{64, 8, 1, BE_FFT_IMAGE}, "images of 16 to 4096 rows"},
        {{1 << 14, 16, 1, BE_FFT_REAL_IMAGE}, "images of 16 to 4096 rows"},
        {{1 << 12, 1 << 12, 1 << 7, BE_FFT_IMAGE}, "fewer than 2^31 numbers"},
    };
    (void)state;
    for (size_t i = 0; i < BE_COUNT(wrong); i++) {
        const struct be_problem problem = problem_of(&wrong[i].form);
        assert_non_null(be_fft_unfit(&problem));
        assert_non_null(strstr(be_fft_unfit(&problem), wrong[i].text));
    }
    static const struct {
        struct form form;
        const char *text;
    } unmixed[] = {
        {{64, 34, 1, BE_FFT_IMAGE}, "prime factors up to 13"},
        {{34, 0, 2, BE_FFT_REAL}, "prime factors up to 13"},
        {{33, 0, 2, BE_FFT_REAL}, "an even number"},
        {{15, 0, 2, BE_FFT_COMPLEX}, "at least 16 complex"},
        {{1000, 8, 1, BE_FFT_IMAGE}, "images of 16 to 4096 rows"},
        {{64, 0, 1, BE_FFT_IMAGE}, "no power of two"},
        {{1000, 0, 1, BE_FFT_COMPLEX}, "images, and batches"},
        {{5000, 0, 2, BE_FFT_COMPLEX}, "images, and batches"},
        {{1000, 1000, 2500, BE_FFT_IMAGE}, "fewer than 2^31 numbers"},
    };
    for (size_t i = 0; i < BE_COUNT(unmixed); i++) {
        const struct be_problem problem = problem_of(&unmixed[i].form);
        assert_non_null(be_fft_mixed_unfit(&problem));
        assert_non_null(strstr(be_fft_mixed_unfit(&problem), unmixed[i].text));
    }
    const struct form odd = {1000, 0, 1, BE_FFT_REAL};
    const struct be_problem problem = problem_of(&odd);
    assert_null(be_fft_too_large(&problem));
}

/* Half a spectrum, and what the limit counts of it. */
static void test_shape(void **state) {
    const struct form form = {1920, 1080, 3, BE_FFT_REAL_IMAGE};
    const struct be_problem problem = problem_of(&form);
    const struct be_shape shape = be_problem_shape(&problem);
    char text[128];
    (void)state;
    assert_true(shape.bytes == 3 * 1080 * (1920 * 4.0 + 961 * 8.0));
    assert_true(shape.operations == 3 * 1080 * 1920.0);
    be_problem_text(&problem, text, sizeof text);
    assert_string_equal(text, "rows 1080, batch 3, kind rfft2");
    const struct be_problem preset = be_problem_preset(&be_workload_fft);
    be_problem_text(&preset, text, sizeof text);
    assert_string_equal(text, ""); /* as results of before there were others are called */
    assert_true(be_problem_shape(&preset).bytes == 16.0 * (1 << 20));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(test_own),
                                       cmocka_unit_test(test_unfit), cmocka_unit_test(test_shape)};
    return cmocka_run_group_tests_name("forms of transforms", tests, NULL, NULL);
}
