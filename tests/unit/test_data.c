/* The data of a problem: where it lies, what is in it, how a result is held against the reference. */
#include "bench.h"

#include "builtin/builtin.h"
#include "base/random.h"
#include "host/team.h"
#include "bench/case/data.h"

/* multiply, its reference rounded to what z can hold: z can be exactly right. */
static void reference_of_floats(const struct be_work *work, double *z) {
    size_t first;
    size_t count;
    be_workload_multiply.reference(work, z);
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        z[i] = (double)(float)z[i];
    }
}

/* The reference of an instance that is looked at. */
static void write_reference(struct be_data *data, size_t instance, double factor) {
    float *z = data->array[2];
    const double *reference = (double *)data->reference.memory + (instance > 0 ? data->items : 0);
    for (size_t i = 0; i < data->items; i++) {
        z[instance * data->stride + i] = (float)(factor * reference[i]);
    }
}

/* With the one in the middle wrong in one way after the other. */
static void check_residuals(struct be_data *data) {
    size_t middle = be_data_looked_at(data);
    float *z = (float *)data->array[2] + middle * data->stride;
    assert_true(middle > 0 && middle + 1 < data->instances);
    assert_true(isnan(be_data_residual(data, 0))); /* nothing was computed yet */
    assert_true(isnan(be_data_residual(data, middle)));
    write_reference(data, 0, 1);
    write_reference(data, middle, 1); /* those beside them are poisoned still */
    assert_true(be_data_residual(data, 0) == 0 && be_data_residual(data, middle) == 0);
    write_reference(data, middle, 1.5);
    assert_true(fabs(be_data_residual(data, middle) - 0.5) < 1e-6);
    assert_true(be_data_residual(data, 0) == 0);
    write_reference(data, 0, 1.5);
    write_reference(data, middle, 1);
    assert_true(fabs(be_data_residual(data, 0) - 0.5) < 1e-6);
    assert_true(be_data_residual(data, middle) == 0);
    for (size_t at = 0; at<data->items; at += data->items> 1 ? data->items - 1 : 1) {
        z[at] = NAN; /* the first and the last */
        assert_true(isnan(be_data_residual(data, middle)));
        write_reference(data, middle, 1);
    }
    z[0] = INFINITY;
    assert_false(be_data_residual(data, middle) <= 1e30);
}

static void test_data_residual(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 7, 64, 1000, 54773};
    static const size_t instances[] = {3, 6};
    struct be_workload exact = be_workload_multiply;
    exact.reference = reference_of_floats;
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        for (size_t k = 0; k < BE_COUNT(instances); k++) {
            const struct be_problem problem = problem_of(&exact, sizes[i]);
            struct be_data data = {0};
            CHECK(be_data_open(&problem, instances[k], team, 1, &data, &error));
            check_residuals(&data);
            be_data_close(&data);
        }
    }
}

static void test_data_poison(void **state) {
    (void)state;
    const struct be_problem problem = problem_of(&be_workload_multiply, 1000);
    struct be_data data = {0};
    CHECK(be_data_open(&problem, 2, team, 1, &data, &error));
    write_reference(&data, 0, 1);
    write_reference(&data, 1, 1);
    float x = ((float *)data.array[0])[data.stride];
    be_data_poison(&data, 1);
    const float *z = data.array[2];
    for (size_t i = 0; i < data.items; i++) {
        assert_true(isnan(z[data.stride + i]));
        assert_true(!isnan(z[i]));
    }
    assert_true(isnan(be_data_residual(&data, 1)));
    assert_true(be_data_residual(&data, 0) < 1e-6);
    assert_true(((float *)data.array[0])[data.stride] == x);
    be_data_close(&data);
    be_data_close(&data);
}

static void test_data_layout(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 7, 63, 64, 65, 1000, 54773};
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        const struct be_workload *w = &be_workload_power;
        const struct be_problem problem = problem_of(w, sizes[i]);
        struct be_data data = {0};
        CHECK(be_data_open(&problem, 4, team, 1, &data, &error));
        assert_int_equal(data.items, sizes[i]);
        assert_true(data.stride >= data.items && data.stride < data.items + w->host_grain);
        assert_int_equal(data.stride % w->host_grain, 0);
        for (int a = 0; a < 3; a++) {
            assert_int_equal((uintptr_t)data.array[a] % 64, 0);
            assert_int_equal(data.stride * data.shape.item_bytes[a] % 64, 0);
            assert_true(data.pages[a].bytes >= 4 * data.stride * sizeof(float));
        }
        double arrays = 12.0 * (double)data.stride * 4;
        assert_true(be_data_device_bytes(&problem, 4) == arrays);
        assert_true(be_data_bytes(&problem, 4) == arrays + 2 * 8.0 * (double)data.items);
        assert_true(be_data_bytes(&problem, 1) == arrays / 4 + 8.0 * (double)data.items);
        assert_true(data.reference.bytes >= 2 * data.items * sizeof(double));
        be_data_close(&data);
    }
}

static void test_data_instances(void **state) {
    (void)state;
    for (uint64_t size = 1; size < 100000000; size *= 7) {
        const struct be_problem problem = problem_of(&be_workload_power, size);
        double cache_bytes = 32e6;
        double one = be_data_device_bytes(&problem, 1);
        size_t instances = be_data_instances(&problem, cache_bytes);
        assert_true(instances >= 1);
        assert_true((double)instances * one >= 4 * cache_bytes); /* several caches */
        assert_true(instances == 1 || (double)instances * one <= 16 * cache_bytes + one);
    }
    const struct be_problem problem = problem_of(&be_workload_power, 1000);
    assert_int_equal(be_data_instances(&problem, NAN), 1);
}

static void test_data_inputs(void **state) {
    (void)state;
    const struct be_problem problem = problem_of(&be_workload_power, 5000);
    struct be_team *alone = NULL;
    struct be_data one = {0};
    struct be_data other = {0};
    CHECK(be_team_open(&cores, 1, &alone, &error));
    CHECK(be_data_open(&problem, 2, alone, 7, &one, &error));
    CHECK(be_data_open(&problem, 2, team, 7, &other, &error));
    size_t bytes = 2 * one.stride * sizeof(float);
    size_t reference = one.items * sizeof(double);
    assert_memory_equal(one.array[0], other.array[0], bytes);
    assert_memory_equal(one.array[1], other.array[1], bytes);
    assert_memory_equal(one.reference.memory, other.reference.memory, 2 * reference);
    assert_memory_not_equal(one.reference.memory, (char *)one.reference.memory + reference,
                            reference); /* each instance has inputs of its own */
    assert_memory_not_equal(one.array[0], one.array[1], bytes);
    be_data_close(&other);
    CHECK(be_data_open(&problem, 2, team, 8, &other, &error));
    assert_memory_not_equal(one.array[0], other.array[0], bytes);
    be_data_close(&other);
    be_data_close(&one);
    be_team_close(alone);
}

static void test_data_absurd(void **state) {
    (void)state;
    const struct be_problem problem = problem_of(&be_workload_power, (uint64_t)1 << 50);
    struct be_data data = {0};
    expect_failure(be_data_open(&problem, 1, team, 1, &data, &error), BE_NOMEM,
                   "power of size 1125899906842624");
    be_data_close(&data);
}

/* ---- problems that are not cut -------------------------------------------------------------- */

/* x, and as its second input x turned round, which needs what the other members wrote. */
static void chain_fill(const struct be_work *work, uint64_t seed) {
    double *x = be_work_array(work, 0);
    double *turned = be_work_array(work, 1);
    size_t n = (size_t)be_problem_size(work->problem);
    size_t first;
    size_t count;
    be_work_rows(work, n, 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        x[i] = 1 + (double)be_random_float(seed, work->first * n + i);
    }
    be_team_barrier(work->team);
    for (size_t i = first; i < first + count; i++) {
        turned[i] = x[n - 1 - i];
    }
}

static void chain_reference(const struct be_work *work, double *z) {
    const double *x = be_work_array(work, 0);
    const double *turned = be_work_array(work, 1);
    size_t first;
    size_t count;
    be_work_rows(work, (size_t)be_problem_size(work->problem), 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        z[i] = x[i] * turned[i];
    }
}

static void chain_residual(const struct be_work *work, const double *reference, double *difference,
                           double *norm) {
    const double *z = be_work_array(work, 2);
    size_t first;
    size_t count;
    be_work_rows(work, (size_t)be_problem_size(work->problem), 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        *difference += (z[i] - reference[i]) * (z[i] - reference[i]);
        *norm += reference[i] * reference[i];
    }
}

static void chain_explain(const struct be_work *work, const double *reference, char note[BE_NOTE]) {
    (void)reference;
    const double *z = be_work_array(work, 2);
    snprintf(note, BE_NOTE, "of %d: z[0] is %g", work->members, z[0]);
}

static void chain_shape(const struct be_problem *problem, struct be_shape *shape) {
    size_t bytes = (size_t)be_problem_size(problem) * sizeof(double);
    *shape = (struct be_shape){
        .items = 1, .item_bytes = {bytes, bytes, bytes}, .reference = bytes / sizeof(double)};
}

static const char *const chain_array[] = {"x", "y", "z"};

static const struct be_workload chain = {
    .name = "chain",
    .parameter = be_elementwise_parameter,
    .parameters = 1,
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL64),
    .array = chain_array,
    .inputs = 2,
    .outputs = 1,
    .shape = chain_shape,
    .fill = chain_fill,
    .reference = chain_reference,
    .residual = chain_residual,
    .explain = chain_explain,
};

static void check_chain(struct be_data *data, size_t instance, size_t n) {
    const char *at[3];
    for (int i = 0; i < 3; i++) {
        at[i] = (char *)data->array[i] + instance * data->shape.item_bytes[i];
        assert_int_equal((uintptr_t)at[i] % BE_WHOLE_ALIGN, 0);
    }
    const double *x = (const double *)(const void *)at[0];
    const double *turned = (const double *)(const void *)at[1];
    for (size_t i = 0; i < n; i++) {
        assert_true(x[i] >= 1 && x[i] < 2 && turned[i] == x[n - 1 - i]);
    }
    for (size_t i = 0; i < data->shape.item_bytes[2]; i++) { /* to the end of what is rounded up */
        assert_int_equal((unsigned char)at[2][i], 0xff);
    }
}

static void solve_chain(struct be_data *data, size_t instance, size_t n) {
    const size_t stride = data->shape.item_bytes[0] / sizeof(double);
    const double *x = (const double *)data->array[0] + instance * stride;
    double *z = (double *)data->array[2] + instance * stride;
    for (size_t i = 0; i < n; i++) {
        z[i] = x[i] * x[n - 1 - i];
    }
}

static void check_whole(size_t n) {
    enum { INSTANCES = 5 };
    const struct be_problem problem = problem_of(&chain, n);
    struct be_data data = {0};
    char note[BE_NOTE];
    CHECK(be_data_open(&problem, INSTANCES, team, 1, &data, &error));
    assert_true(data.items == 1 && data.stride == 1);
    double bytes = ceil((double)n * 8 / BE_WHOLE_ALIGN) * BE_WHOLE_ALIGN;
    assert_true(be_data_device_bytes(&problem, INSTANCES) == 3 * INSTANCES * bytes);
    assert_true(be_data_bytes(&problem, INSTANCES) == 3 * INSTANCES * bytes + 2 * 8 * (double)n);
    for (size_t i = 0; i < INSTANCES; i++) {
        check_chain(&data, i, n);
    }
    size_t middle = be_data_looked_at(&data);
    assert_true(isnan(be_data_residual(&data, 0)) && isnan(be_data_residual(&data, middle)));
    solve_chain(&data, middle, n);
    assert_true(be_data_residual(&data, middle) == 0 && isnan(be_data_residual(&data, 0)));
    solve_chain(&data, 0, n);
    ((double *)data.array[2])[n - 1] = 0;
    assert_true(be_data_residual(&data, 0) > 0 && be_data_residual(&data, middle) == 0);
    ((double *)data.array[2])[0] = 7;
    be_data_explain(&data, 0, note);
    assert_string_equal(note, "of 1: z[0] is 7");
    be_data_poison(&data, middle);
    check_chain(&data, middle, n);
    assert_true(((double *)data.array[2])[0] == 7);
    be_data_close(&data);
}

static void test_whole_problems(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 63, 64, 65, 1000};
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        check_whole(sizes[i]);
    }
    const struct be_problem little = problem_of(&chain, 1); /* not a million copies */
    assert_int_equal(be_data_instances(&little, 1e9), 4096);
    const struct be_problem large = problem_of(&chain, 1000000);
    assert_int_equal(be_data_instances(&large, 1e9), ceil(8e9 / be_data_device_bytes(&large, 1)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data_residual),  cmocka_unit_test(test_data_poison),
        cmocka_unit_test(test_data_layout),    cmocka_unit_test(test_data_instances),
        cmocka_unit_test(test_data_inputs),    cmocka_unit_test(test_data_absurd),
        cmocka_unit_test(test_whole_problems),
    };
    return cmocka_run_group_tests_name("data", tests, open_places, close_places);
}
