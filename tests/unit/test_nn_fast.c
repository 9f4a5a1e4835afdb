/* The pass in vectors and threads against the plain one: every instruction set here, odd sizes, batches of one image,
 * of a part of a group, and of more than a block; and that threads change no bit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"
#include "nn/fast/fast.h"
#include "nn/plain.h"
#include "simd_sets.h"
#include "team.h"

enum { MOST = 530, CLASSES = BE_NET_CLASSES };

/* Channels, widths and heights that no vector and no tile divides; a pool that leaves out a row and a column; dropout
 * behind a pool, a dense layer and a convolution. */
static const struct be_nn_net small[] = {
    {.kind = {.channels = 2, .height = 9, .width = 8},
     .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 3, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_DENSE, .name = "b", .outputs = CLASSES}}},
    {.kind = {.channels = 3, .height = 15, .width = 14},
     .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 6, .size = 5, .relu = true},
               {.kind = BE_NN_CONV, .name = "b", .outputs = 7, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_DROPOUT, .drop = 0.25F},
               {.kind = BE_NN_DENSE, .name = "c", .outputs = 13, .relu = true},
               {.kind = BE_NN_DROPOUT, .drop = 0.5F},
               {.kind = BE_NN_DENSE, .name = "d", .outputs = CLASSES}}},
    {.kind = {.channels = 1, .height = 8, .width = 12},
     .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 4, .size = 5, .relu = true},
               {.kind = BE_NN_DROPOUT, .drop = 0.25F},
               {.kind = BE_NN_DENSE, .name = "b", .outputs = CLASSES}}},
    /* 32 channels before a pool: only what is not zero goes back; three rows of the pool, two at a time */
    {.kind = {.channels = 1, .height = 13, .width = 11},
     .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 32, .size = 5, .relu = true},
               {.kind = BE_NN_CONV, .name = "b", .outputs = 5, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_DROPOUT, .drop = 0.25F},
               {.kind = BE_NN_DENSE, .name = "c", .outputs = CLASSES}}},
};

struct made {
    struct be_nn_shape shape;
    float *weights, *gradients, *images;
    struct be_net_step step;
    struct be_clock clock;
};

static uint8_t labels[MOST];

static struct made made(const struct be_nn_net *net) {
    struct made m = {.clock = be_clock_host()};
    be_nn_shape_find(net, &m.shape);
    m.weights = malloc(m.shape.parameters * sizeof(float));
    m.gradients = malloc(m.shape.parameters * sizeof(float));
    m.images = malloc(MOST * m.shape.pixels * sizeof(float));
    for (size_t i = 0; i < m.shape.parameters; i++) {
        m.weights[i] = be_random_float(1, i) - 0.5F;
    }
    for (size_t i = 0; i < MOST * m.shape.pixels; i++) {
        m.images[i] = be_random_float(2, i) - 0.5F;
    }
    for (size_t i = 0; i < MOST; i++) {
        labels[i] = (uint8_t)(be_random_bits(3, i) % CLASSES);
    }
    return m;
}

static void drop_made(struct made *m) {
    free(m->images);
    free(m->gradients);
    free(m->weights);
}

static struct be_nn_pass pass_of(struct made *m, size_t count, bool training) {
    return (struct be_nn_pass){.shape = &m->shape,
                               .weights = m->weights,
                               .gradients = m->gradients,
                               .images = m->images,
                               .labels = labels,
                               .count = count,
                               .training = training,
                               .seed = 0x123456789abcULL,
                               .step = 5,
                               .clock = &m->clock,
                               .result = &m->step};
}

static void assert_close_to(const float *a, const float *b, size_t count) {
    double squares = 0;
    double off = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (double)b[i] * (double)b[i];
        off += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    }
    assert_true(squares > 0);
    assert_true(off < 1e-10 * squares); /* 1e-5: some hundred roundings of a float */
}

static void same_as_plain(struct made *m, const struct be_nn_trunk_code *code, struct be_team *team,
                          size_t count) {
    struct be_nn_fast *fast;
    float *scratch = malloc(be_nn_plain_numbers(&m->shape, count) * sizeof(float));
    float *plain = malloc(m->shape.parameters * sizeof(float));
    assert_int_equal(be_nn_fast_open(&m->shape, count, team, code, &fast, NULL), BE_OK);
    for (int training = 1; training >= 0; training--) {
        struct be_nn_pass pass = pass_of(m, count, training);
        be_nn_plain32(&pass, scratch);
        const struct be_net_step expected = m->step;
        memcpy(plain, m->gradients, m->shape.parameters * sizeof(float));
        be_nn_fast_pass(fast, &pass);
        assert_true(fabs(m->step.loss - expected.loss) < 1e-5 * expected.loss);
        assert_int_equal(m->step.correct, expected.correct);
        for (int i = 0; training && i < m->shape.layers; i++) {
            const struct be_nn_place *p = &m->shape.place[i];
            if (p->weights) {
                assert_close_to(m->gradients + p->weight, plain + p->weight, p->weights);
                assert_close_to(m->gradients + p->bias, plain + p->bias, (size_t)p->out_channels);
            }
        }
        if (!training) {
            assert_memory_equal(m->gradients, plain, m->shape.parameters * sizeof(float));
        }
    }
    be_nn_fast_close(fast);
    free(plain);
    free(scratch);
}

static void test_same_as_plain(void **state) {
    (void)state;
    const struct be_nn_trunk_code codes[] = EACH(be_nn_trunk);
    const size_t counts[] = {1, 19};
    struct be_team *team = open_team(2);
    for (size_t n = 0; n < BE_COUNT(small); n++) {
        struct made m = made(&small[n]);
        for (int set = 0; set < sets_here(); set++) {
            for (size_t c = 0; c < BE_COUNT(counts); c++) {
                same_as_plain(&m, &codes[set], team, counts[c]);
            }
        }
        drop_made(&m);
    }
    struct made m = made(&small[0]);
    same_as_plain(&m, &codes[sets_here() - 1], team, MOST);
    drop_made(&m);
    be_team_close(team);
}

static void test_threads_change_no_bit(void **state) {
    (void)state;
    const struct be_nn_trunk_code codes[] = EACH(be_nn_trunk);
    struct made m = made(&small[1]);
    const size_t bytes = m.shape.parameters * sizeof(float);
    float *first = malloc(bytes);
    struct be_net_step step = {0};
    for (int threads = 1; threads <= 3; threads++) {
        struct be_team *team = open_team(threads);
        struct be_nn_fast *fast;
        assert_int_equal(be_nn_fast_open(&m.shape, 83, team, &codes[sets_here() - 1], &fast, NULL),
                         BE_OK);
        const struct be_nn_pass pass = pass_of(&m, 83, true);
        be_nn_fast_pass(fast, &pass);
        if (threads == 1) {
            memcpy(first, m.gradients, bytes);
            step = m.step;
        }
        assert_true(m.step.loss == step.loss);
        assert_memory_equal(first, m.gradients, bytes);
        be_nn_fast_close(fast);
        be_team_close(team);
    }
    free(first);
    drop_made(&m);
}

/* A square of 4, a pool behind a dense layer, dropout where no ReLU is: the caller is told. */
static void test_other_nets(void **state) {
    (void)state;
    static const struct be_nn_net other[] = {
        {.kind = {.channels = 1, .height = 8, .width = 8},
         .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 4, .size = 4, .relu = true},
                   {.kind = BE_NN_DENSE, .name = "b", .outputs = CLASSES}}},
        {.kind = {.channels = 1, .height = 8, .width = 8},
         .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 4, .size = 3},
                   {.kind = BE_NN_DENSE, .name = "b", .outputs = CLASSES}}},
        {.kind = {.channels = 1, .height = 8, .width = 8},
         .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 4, .size = 3, .relu = true},
                   {.kind = BE_NN_DENSE, .name = "b", .outputs = CLASSES},
                   {.kind = BE_NN_DROPOUT, .drop = 0.5F}}},
        {.kind = {.channels = 1, .height = 8, .width = 8},
         .layer = {{.kind = BE_NN_DENSE, .name = "b", .outputs = CLASSES}}},
    };
    const struct be_nn_trunk_code codes[] = EACH(be_nn_trunk);
    struct be_team *team = open_team(1);
    for (size_t i = 0; i < BE_COUNT(other); i++) {
        struct be_nn_shape shape;
        struct be_nn_fast *fast;
        be_nn_shape_find(&other[i], &shape);
        assert_int_equal(be_nn_fast_open(&shape, 1, team, codes, &fast, NULL), BE_ABSENT);
        assert_null(fast);
    }
    be_team_close(team);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_plain),
        cmocka_unit_test(test_threads_change_no_bit),
        cmocka_unit_test(test_other_nets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
