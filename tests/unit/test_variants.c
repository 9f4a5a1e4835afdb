/*
 * Several variants of a made-up workload in one comparison, on the CPU and on the pretend device:
 * each is a result, and a break-even takes the best on each side, at each size. How long they take
 * is scripted, so what follows is known.
 */
#include "made_up.h"
#include "pretend_clock.h"

#include "bench.h"

#include "host/team.h"
#include "kernel_programs.h"
#include "builtin/builtin.h"

/* ---- what takes how long -------------------------------------------------------------------- */

enum { WRITTEN, OTHER, ODD, VARIANTS };
enum { A = 100, B = 1000, C = 10000 }; /* the sizes; from each on, its times hold */

/* In ms. As written the device is ahead at A only; best against best at C only. The other variant
 * alone would be ahead from B on, the best of the device against the CPU as written at A and C. */
static const struct {
    uint64_t below;
    double cpu[2], device[2];
} times[] = {
    {B, {8, 1}, {3, 20}},
    {C, {2, 12}, {16, 5}},
    {UINT64_MAX, {8, 16}, {16, 2}},
};

static size_t row(const struct be_problem *problem) {
    size_t i = 0;
    while (be_problem_size(problem) >= times[i].below) {
        i++;
    }
    return i;
}

static void host(const struct be_work *work, int variant) {
    if (work->member == 0) {
        pretend_now_s += 1e-3 * times[row(work->problem)].cpu[variant];
    }
    be_workload_multiply.variant[0].host(work);
}

static void host_written(const struct be_work *work) {
    host(work, WRITTEN);
}

static void host_other(const struct be_work *work) {
    host(work, OTHER);
}

/* ---- the device's code: the kernel of multiply, and one that takes its time ------------------ */

static void run_nap(const struct be_launch_point *at, const void *const *args) {
    (void)at;
    pretend_now_s += 1e-3 * *(const double *)args[0];
}

static struct be_host_kernel kernels[] = {{"k_multiply", NULL}, {"k_nap", run_nap}, {NULL, NULL}};
static const struct be_program program = {.name = "nap", .source = "", .host = kernels};

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *e) {
    static const char *const names[] = {"k_multiply", "k_nap", NULL};
    return be_prepare_kernels(device, problem, &program, NULL, names, prepared, e);
}

static bool fails_between; /* on the device, at all sizes but those three */

static enum be_status enqueue(const struct be_launch *launch, int variant, struct be_error *e) {
    const uint64_t size = be_problem_size(launch->problem);
    if (fails_between && size != A && size != B && size != C) {
        return be_fail(e, BE_DRIVER, "the driver is in a bad mood");
    }
    const struct be_argument argument[] = {BE_DOUBLE(times[row(launch->problem)].device[variant])};
    enum be_status status = be_launch_kernel(launch, 1, 1, 1, argument, 1, e);
    return status == BE_OK ? be_elementwise_enqueue(launch, e) : status;
}

static enum be_status enqueue_written(const struct be_launch *launch, struct be_error *e) {
    return enqueue(launch, WRITTEN, e);
}

static enum be_status enqueue_other(const struct be_launch *launch, struct be_error *e) {
    return enqueue(launch, OTHER, e);
}

static enum be_status enqueue_nothing(const struct be_launch *launch, struct be_error *e) {
    (void)launch, (void)e;
    return BE_OK;
}

/* ---- its variants --------------------------------------------------------------------------- */

static const char *unfit(const struct be_problem *problem) {
    return be_problem_size(problem) != B ? "takes one size only" : NULL;
}

/* The odd one computes nothing, which is wrong: were it counted it would be the fastest. */
static const struct be_variant variant[VARIANTS] = {
    {.name = "written",
     .as_written = true,
     .host = host_written,
     .prepare = prepare,
     .enqueue = enqueue_written,
     .discard = be_discard_kernels},
    {.name = "other",
     .host_code = BE_CODE_PLAIN,
     .device_code = BE_CODE_LIBRARY,
     .host = host_other,
     .prepare = prepare,
     .enqueue = enqueue_other,
     .discard = be_discard_kernels},
    {.name = "odd",
     .as_written = true,
     .unfit = unfit,
     .prepare = prepare,
     .enqueue = enqueue_nothing,
     .discard = be_discard_kernels},
};

static struct be_workload nap; /* multiply, in these variants */
const struct be_workload *const __wrap_be_workloads[] = {&nap, NULL};

static int set_up(void **state) {
    for (const struct be_host_kernel *k = be_program_multiply.host; k->name; k++) {
        if (strcmp(k->name, kernels[0].name) == 0) {
            kernels[0].run = k->run;
        }
    }
    nap = be_workload_multiply;
    nap.name = "nap";
    nap.variant = variant;
    nap.variants = VARIANTS;
    return open_places(state);
}

/* ---- one comparison ------------------------------------------------------------------------- */

enum { ON_DEVICE = BE_PLACEMENTS - BE_COPY };

static const struct be_compare_options three_sizes = {
    .device = {"null"},
    .devices = 1,
    .threads = {1},
    .thread_counts = 1,
    .size = {A, B, C},
    .sizes = 3,
    .cache = {[BE_HOT] = true},
    .no_refine = true,
};

static const struct be_result *row_of(const struct be_comparison *all, uint64_t size,
                                      enum be_placement placement, const char *name) {
    const struct be_result *found = NULL;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        if (r->size == size && r->placement == placement && strcmp(r->variant, name) == 0) {
            assert_null(found);
            found = r;
        }
    }
    return found;
}

static void check_row(const struct be_result *r, int v, double ms) {
    assert_non_null(r);
    assert_string_equal(r->note, "");
    assert_int_equal(r->status, BE_RESULT_OK);
    assert_string_equal(r->device, r->placement == BE_HOST ? "cpu" : "null:0");
    assert_int_equal(r->as_written, variant[v].as_written);
    assert_int_equal(r->code,
                     r->placement == BE_HOST ? variant[v].host_code : variant[v].device_code);
    assert_string_equal(r->dtype, "float32");
    assert_true(r->phase[BE_TOTAL].n > 0);
    assert_true(fabs(r->phase[BE_TOTAL].median_s / (1e-3 * ms) - 1) < 0.01);
}

enum { BEST, AS_WRITTEN, CALLABLE };

/* The break-even of a placement; `at`: where it begins, or with BE_EVEN_BETWEEN ends. */
static void check_even(const struct be_comparison *all, enum be_placement placement, int of,
                       enum be_breakeven_status status, double at) {
    int found = 0;
    for (size_t i = 0; i < all->breakevens; i++) {
        const struct be_breakeven *e = &all->breakeven[i];
        if (e->placement != placement || e->as_written != (of == AS_WRITTEN) ||
            e->callable != (of == CALLABLE)) {
            continue;
        }
        assert_string_equal(e->workload, "nap");
        assert_string_equal(e->dtype, "float32");
        assert_string_equal(e->device, "null:0");
        assert_int_equal(e->status, status);
        assert_int_equal(e->threads, 1);
        assert_true(e->smallest == A && e->largest == C);
        assert_true(fabs((status == BE_EVEN_BETWEEN ? e->until : e->from) / at - 1) < 0.05);
        found++;
    }
    assert_int_equal(found, 1);
}

/* The crossing of two sizes, from the device's time over the CPU's at each: where it is 1, as a line in logarithms. */
static double crossing(double small, double ratio_small, double large, double ratio_large) {
    double share = log(ratio_small) / (log(ratio_small) - log(ratio_large));
    return small * pow(large / small, share);
}

static void test_best_of_each_side(void **state) {
    (void)state;
    static const uint64_t sizes[] = {A, B, C};
    struct be_comparison all;
    CHECK(be_compare(&three_sizes, &all, &error));
    assert_int_equal(all.results, 3 * 2 * (1 + ON_DEVICE) + ON_DEVICE);
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        for (int placement = BE_HOST; placement < BE_PLACEMENTS; placement++) {
            enum be_placement as = (enum be_placement)placement;
            for (int v = WRITTEN; v <= OTHER; v++) {
                check_row(row_of(&all, sizes[i], as, variant[v].name), v,
                          as == BE_HOST ? times[i].cpu[v] : times[i].device[v]);
            }
            /* The odd one has no code for the CPU, and at other sizes it is unfit. */
            const struct be_result *odd = row_of(&all, sizes[i], as, "odd");
            assert_int_equal(odd != NULL, sizes[i] == B && as != BE_HOST);
            assert_true(!odd || odd->status == BE_RESULT_WRONG);
        }
    }
    assert_int_equal(all.breakevens, 3 * ON_DEVICE);
    for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
        check_even(&all, (enum be_placement)placement, BEST, BE_EVEN_FROM,
                   crossing(B, 5. / 2, C, 2. / 8));
        check_even(&all, (enum be_placement)placement, AS_WRITTEN, BE_EVEN_BETWEEN,
                   crossing(A, 3. / 8, B, 16. / 2));
        check_even(&all, (enum be_placement)placement, CALLABLE, BE_EVEN_FROM,
                   crossing(A, 20. / 1, B, 5. / 12));
    }
    be_comparison_free(&all);
}

/* Sizes are added towards the crossing of the best, and there too every variant is measured. */
static void test_refined(void **state) {
    (void)state;
    struct be_comparison all;
    struct be_compare_options options = three_sizes;
    options.no_refine = false;
    CHECK(be_compare(&options, &all, &error));
    int added = 0;
    for (size_t i = 0; i < all.results; i++) {
        const struct be_result *r = &all.result[i];
        assert_int_equal(r->refines, r->size != A && r->size != B && r->size != C);
        if (r->refines) {
            assert_true(r->size > B && r->size < C);
            added++;
        }
    }
    /* Each placement by itself has 2 variants on both sides: B's times hold up to C. */
    assert_true(added >= 4 * ON_DEVICE && added % 4 == 0);
    for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
        check_even(&all, (enum be_placement)placement, BEST, BE_EVEN_FROM, 0.97 * C);
        check_even(&all, (enum be_placement)placement, AS_WRITTEN, BE_EVEN_BETWEEN,
                   crossing(A, 3. / 8, B, 16. / 2));
    }
    be_comparison_free(&all);
}

/* A size at which nothing came out right is asked for once, and named. */
static void test_refined_in_vain(void **state) {
    (void)state;
    struct be_comparison all;
    struct be_compare_options options = three_sizes;
    options.no_refine = false;
    fails_between = true;
    CHECK(be_compare(&options, &all, &error));
    fails_between = false;
    int added = 0;
    for (size_t i = 0; i < all.results; i++) {
        added += all.result[i].refines;
    }
    assert_int_equal(added, 4 * ON_DEVICE);
    for (size_t i = 0; i < all.breakevens; i++) {
        const struct be_breakeven *e = &all.breakeven[i];
        if (!e->as_written && !e->callable) {
            assert_int_equal(e->status, BE_EVEN_FROM);
            assert_true(e->lo == B && e->hi == C);
            assert_string_equal(e->why, "no right result at 3162");
        }
    }
    be_comparison_free(&all);
}

static void check_only(const char *name, struct be_comparison *all) {
    struct be_compare_options options = three_sizes;
    options.variant[0] = name;
    options.variants = 1;
    CHECK(be_compare(&options, all, &error));
    assert_int_equal(all->results, 3 * (1 + ON_DEVICE));
    for (size_t i = 0; i < all->results; i++) {
        assert_string_equal(all->result[i].variant, name);
    }
}

/* Asked for by name: only these; nothing is as written where that one was not run, and what anybody can have is no
 * other answer where it is the best. */
static void test_one_of_them(void **state) {
    (void)state;
    struct be_comparison all;
    check_only("other", &all);
    assert_int_equal(all.breakevens, ON_DEVICE);
    check_even(&all, BE_COPY, BEST, BE_EVEN_FROM, crossing(A, 20. / 1, B, 5. / 12));
    be_comparison_free(&all);
    check_only("written", &all);
    assert_int_equal(all.breakevens, 2 * ON_DEVICE);
    check_even(&all, BE_COPY, BEST, BE_EVEN_BETWEEN, crossing(A, 3. / 8, B, 16. / 2));
    check_even(&all, BE_COPY, AS_WRITTEN, BE_EVEN_BETWEEN, crossing(A, 3. / 8, B, 16. / 2));
    be_comparison_free(&all);
}

/* Asked for by name and not measured at some sizes, or here at all: said once, with the reason. */
static void test_named_and_unfit(void **state) {
    (void)state;
    static const char said[] = "nap, variant odd: left out at size 100 to 1e4, 2 of 3 sizes "
                               "(float32): it takes one size only";
    struct be_comparison all;
    struct be_compare_options options = three_sizes;
    options.variant[0] = "odd";
    options.variants = 1;
    CHECK(be_compare(&options, &all, &error));
    assert_int_equal(all.results, ON_DEVICE);
    assert_int_equal(all.remarks, 1);
    assert_string_equal(all.remark[0], said);
    be_comparison_free(&all);
    /* Nobody named it: not a word. */
    CHECK(be_compare(&three_sizes, &all, &error));
    assert_int_equal(all.remarks, 0);
    be_comparison_free(&all);
    /* No size of it: an error, which names what can. */
    options.size[1] = C;
    options.sizes = 2;
    assert_int_equal(be_compare(&options, &all, &error), BE_USAGE);
    assert_string_equal(error.text, "nap, variant odd: left out at size 100 to 1e4, all sizes "
                                    "(float32): it takes one size only; others that can: "
                                    "written, other");
    /* No place for its code. */
    options.size[1] = B;
    options.device[0] = "cpu";
    assert_int_equal(be_compare(&options, &all, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "nap, variant odd: it has no code for the CPU"));
    assert_non_null(strstr(error.text, "--device"));
    options.variant[options.variants++] = "other";
    CHECK(be_compare(&options, &all, &error));
    assert_int_equal(all.remarks, 1);
    assert_non_null(strstr(all.remark[0], "nap, variant odd: it has no code for the CPU"));
    be_comparison_free(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_of_each_side), cmocka_unit_test(test_refined),
        cmocka_unit_test(test_refined_in_vain),   cmocka_unit_test(test_one_of_them),
        cmocka_unit_test(test_named_and_unfit),
    };
    return cmocka_run_group_tests_name("variants", tests, set_up, close_places);
}
