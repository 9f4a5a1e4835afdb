/* From options to plans, with made-up workloads: which sizes, which values, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "builtin/builtin.h"
#include "bench/choose.h"
#include "made_up.h"

/* ---- workloads that are never run ----------------------------------------------------------- */

static const struct be_parameter grid_parameter[] = {
    {"order", "unknowns of each system", 32, 2, 4096, 4, 1000, {8, 64}, NULL, NULL, NULL},
    {"steps", "steps of each system", 100, 1, 1000000, 10, 2000, {0}, NULL, NULL, NULL},
    {"bands", "beside the diagonal", 1, 0, 7, 1, 7, {1, 3, 5, 7}, NULL, NULL, NULL},
};

static const struct be_variant grid_variant[] = {
    {.name = "plain", .as_written = true}, {.name = "fused"}, {.name = "plain-ish"}};

static const struct be_workload grid = {
    .name = "grid",
    .parameter = grid_parameter,
    .parameters = 3,
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .variant = grid_variant,
    .variants = 3,
};

static const struct be_parameter sum_parameter[] = {
    {"size",
     "elements",
     1000000,
     1,
     (uint64_t)1 << 48,
     1000,
     300000000,
     {10000, 30000, 1000000, 3000000},
     NULL,
     NULL,
     NULL},
    {"order", "of the sum", 1, 1, 4, 1, 4, {0}, NULL, NULL, NULL},
};

static const struct be_variant sum_variant[] = {{.name = "plain"}, {.name = "tree"}};

static const struct be_workload sum = {
    .name = "sum",
    .parameter = sum_parameter,
    .parameters = 2,
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32),
    .variant = sum_variant,
    .variants = 2,
};

static const char *const edge[] = {"open", "closed"};

/* One door is not named: everybody has it. */
static bool has_no_doors(const struct be_problem *problem) {
    return problem->value[1] == 0 || problem->value[2] == 1;
}

static const struct be_parameter walk_parameter[] = {
    {"steps", "steps of each system", 100, 1, 1000000, 10, 2000, {0}, NULL, NULL, NULL},
    {"edge", "what happens there", 1, 0, 1, 0, 0, {0}, edge, NULL, NULL},
    {"doors", "in the edge", 2, 1, 9, 1, 9, {0}, NULL, has_no_doors, "--edge=closed"},
};

/* Has no sizes for a look. */
static const struct be_workload walk = {
    .name = "walk",
    .parameter = walk_parameter,
    .parameters = 3,
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32),
    .variant = grid_variant,
    .variants = 1,
};

const struct be_workload *const __wrap_be_workloads[] = {&grid, &sum, &walk, NULL};

/* ---- helpers -------------------------------------------------------------------------------- */

static struct be_plan plan[BE_LIST_MAX];
static int plans;

static enum be_status chosen(const struct be_compare_options *options, struct be_error *error) {
    struct be_known known;
    enum be_status status = be_known_open(options, &known, error);
    status = status == BE_OK ? be_choose(options, &known, plan, &plans, error) : status;
    be_known_close(&known);
    return status;
}

static void choose(const struct be_compare_options *options, int expected) {
    struct be_error error = {0};
    memset(plan, 0xa5, sizeof plan);
    if (chosen(options, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(plans, expected);
}

static void refuse(const struct be_compare_options *options, const char *text) {
    struct be_error error = {0};
    assert_int_equal(chosen(options, &error), BE_USAGE);
    assert_int_equal(error.status, BE_USAGE);
    assert_string_equal(error.text, text);
}

#define SIZES(p, list, ...)                                                                        \
    check_sizes(p, list, (const uint64_t[]){__VA_ARGS__},                                          \
                (int)(sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t)), __LINE__)
static void check_sizes(const struct be_plan *p, bool is_list, const uint64_t *size, int sizes,
                        int line) {
    bool same = p->sizes == sizes && p->is_list == is_list;
    for (int i = 0; same && i < sizes; i++) {
        same = p->size[i] == size[i];
    }
    if (!same) {
        fail_msg("line %d: %d sizes from %llu to %llu", line, p->sizes,
                 (unsigned long long)p->size[0], (unsigned long long)p->size[p->sizes - 1]);
    }
}

/* The options of the workload "grid". */
static struct be_compare_options options_of_grid(void) {
    return (struct be_compare_options){.workload = {"grid"}, .workloads = 1};
}

/* ---- what is chosen ------------------------------------------------------------------------- */

static void test_presets(void **state) {
    (void)state;
    choose(&(struct be_compare_options){0}, 3); /* every workload there is */
    assert_ptr_equal(plan[0].problem.workload, &grid);
    assert_ptr_equal(plan[1].problem.workload, &sum);
    assert_int_equal(plan[0].problem.real, BE_REAL64);
    assert_int_equal(plan[1].problem.real, BE_REAL32);
    assert_int_equal(plan[0].problem.swept, 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(plan[0].problem.value[i], grid_parameter[i].preset);
    }
    SIZES(&plan[0], false, 4, 10, 30, 100, 300, 1000);
    SIZES(&plan[1], false, 1000, 3000, 10000, 30000, 100000, 300000, 1000000, 3000000, 10000000,
          30000000, 100000000, 300000000);
}

/* In the order asked for; twice is once. */
static void test_workloads(void **state) {
    (void)state;
    struct be_compare_options options = {.workload = {"sum", "grid", "sum"}, .workloads = 3};
    choose(&options, 2);
    assert_ptr_equal(plan[0].problem.workload, &sum);
    assert_ptr_equal(plan[1].problem.workload, &grid);
    options.workload[1] = "gri";
    refuse(&options, "workload gri: no such one (did you mean grid?); there are: grid, sum, walk");
}

static void test_size_list(void **state) {
    (void)state;
    struct be_compare_options options = options_of_grid();
    options.size[0] = 300;
    options.size[1] = 2;
    options.size[2] = 4096;
    options.sizes = 3;
    choose(&options, 1);
    SIZES(&plan[0], true, 2, 300, 4096); /* smaller ones foretell what larger ones take */
    options.quick = true;                /* what was named holds */
    choose(&options, 1);
    SIZES(&plan[0], true, 2, 300, 4096);
    options.size[3] = 300; /* twice is once */
    options.size[4] = 2;
    options.sizes = 5;
    choose(&options, 1);
    SIZES(&plan[0], true, 2, 300, 4096);
}

static void test_size_range(void **state) {
    (void)state;
    struct be_compare_options options = options_of_grid();
    options.size_from = 7;
    options.size_to = 45;
    choose(&options, 1);
    SIZES(&plan[0], false, 7, 10, 30, 45);
    options.size_from = 10; /* ends that are steps come once */
    options.size_to = 100;
    choose(&options, 1);
    SIZES(&plan[0], false, 10, 30, 100);
    options.size_from = options.size_to = 33;
    choose(&options, 1);
    SIZES(&plan[0], false, 33);
    options.size_from = 0; /* an end that is not said is the workload's */
    choose(&options, 1);
    SIZES(&plan[0], false, 4, 10, 30, 33);
    options.size_from = 50;
    options.size_to = 0;
    choose(&options, 1);
    SIZES(&plan[0], false, 50, 100, 300, 1000);
    options = (struct be_compare_options){.workload = {"sum"}, .workloads = 1};
    options.size_from = 1;
    options.size_to = (uint64_t)1 << 48;
    choose(&options, 1);
    assert_int_equal(plan[0].sizes, 30); /* 1, 3, .. 1e14, and the end */
    assert_true(plan[0].size[28] == 100000000000000 && plan[0].size[29] == (uint64_t)1 << 48);
}

static void test_quick(void **state) {
    (void)state;
    struct be_compare_options options = {.quick = true};
    choose(&options, 3);
    SIZES(&plan[0], false, 8, 64);
    SIZES(&plan[1], false, 10000, 30000, 1000000, 3000000);
    SIZES(&plan[2], false, 10, 30, 100, 300, 1000, 2000);
    options = options_of_grid();
    options.quick = true;
    options.choice[0] = (struct be_choice){.name = "bands", .from = 2};
    options.choices = 1;
    choose(&options, 1);
    SIZES(&plan[0], false, 2, 3, 7); /* a range was asked for */
    options.size_from = 30;
    options.choices = 0;
    choose(&options, 1);
    SIZES(&plan[0], false, 30, 100, 300, 1000);
}

/* One value sets a parameter; the first of them is still what is swept. */
static void test_fixed_parameter(void **state) {
    (void)state;
    struct be_compare_options options = options_of_grid();
    options.choice[0] = (struct be_choice){.name = "steps", .value = {7}, .values = 1};
    options.choice[1] = (struct be_choice){.name = "bands", .value = {0}, .values = 1};
    options.choices = 2;
    choose(&options, 1);
    assert_int_equal(plan[0].problem.swept, 0);
    assert_int_equal(plan[0].problem.value[0], 32);
    assert_int_equal(plan[0].problem.value[1], 7);
    assert_int_equal(plan[0].problem.value[2], 0);
    SIZES(&plan[0], false, 4, 10, 30, 100, 300, 1000);
    char text[BE_NOTE];
    be_problem_text(&plan[0].problem, text, sizeof text);
    assert_string_equal(text, "steps 7, bands 0");

    options.choice[1] = (struct be_choice){.name = "order", .value = {64}, .values = 1};
    choose(&options, 1); /* of what is swept: the one size */
    SIZES(&plan[0], true, 64);
    assert_int_equal(plan[0].problem.swept, 0);
}

static void test_swept_parameter(void **state) {
    (void)state;
    struct be_compare_options options = options_of_grid();
    options.choice[0] = (struct be_choice){.name = "order", .value = {16}, .values = 1};
    options.choice[1] = (struct be_choice){.name = "steps", .value = {50, 5, 50}, .values = 3};
    options.choices = 2;
    choose(&options, 1);
    assert_int_equal(plan[0].problem.swept, 1);
    assert_int_equal(plan[0].problem.value[0], 16);
    SIZES(&plan[0], true, 5, 50);
    options.choice[1] = (struct be_choice){.name = "steps", .from = 20, .to = 200};
    choose(&options, 1);
    assert_int_equal(plan[0].problem.swept, 1);
    SIZES(&plan[0], false, 20, 30, 100, 200);
    options.choice[1].to = 0; /* to where the workload ends of itself */
    choose(&options, 1);
    SIZES(&plan[0], false, 20, 30, 100, 300, 1000, 2000);
    options.choice[1] = (struct be_choice){.name = "steps", .to = 40};
    choose(&options, 1);
    SIZES(&plan[0], false, 10, 30, 40);
    char text[BE_NOTE];
    be_problem_text(&plan[0].problem, text, sizeof text);
    assert_string_equal(text, "order 16, bands 1");
}

/* A parameter that one of the workloads has is set there, in the others it is passed over. */
static void test_parameter_of_some(void **state) {
    (void)state;
    struct be_compare_options options = {.choices = 1};
    options.choice[0] = (struct be_choice){.name = "bands", .value = {2, 4}, .values = 2};
    choose(&options, 3);
    assert_int_equal(plan[0].problem.swept, 2);
    SIZES(&plan[0], true, 2, 4);
    assert_int_equal(plan[1].problem.swept, 0);
    assert_int_equal(plan[1].sizes, 12);
    options.choice[0] = (struct be_choice){.name = "order", .value = {3}, .values = 1};
    choose(&options, 3);
    SIZES(&plan[0], true, 3);
    assert_int_equal(plan[1].problem.value[1], 3);
    assert_int_equal(plan[1].sizes, 12);
}

/* Kinds are shown by name, and are one at a time. */
static void test_kinds(void **state) {
    (void)state;
    struct be_compare_options options = {.workload = {"walk"}, .workloads = 1, .choices = 1};
    char text[BE_NOTE];
    options.choices = 0;
    choose(&options, 1);
    options.choices = 1;
    be_problem_text(&plan[0].problem, text, sizeof text);
    assert_string_equal(text, "edge closed, doors 2");
    options.choice[0] = (struct be_choice){.name = "edge", .value = {0}, .values = 1};
    choose(&options, 1);
    be_problem_text(&plan[0].problem, text, sizeof text);
    assert_string_equal(text, "edge open");
    be_problem_text(&plan[0].problem, text, 7); /* no room: cut, not overrun */
    assert_string_equal(text, "edge o");
    be_problem_text(&plan[0].problem, text, 3);
    assert_string_equal(text, "ed");
    options.choice[0].value[0] = 2;
    refuse(&options, "walk: --edge is one of open, closed");
    options.choice[0] = (struct be_choice){.name = "edge", .value = {0, 1}, .values = 2};
    refuse(&options, "walk: --edge is one of open, closed");
}

static void test_type(void **state) {
    (void)state;
    struct be_compare_options options = options_of_grid();
    options.type = "float32";
    choose(&options, 1);
    assert_int_equal(plan[0].problem.real, BE_REAL32);
    options.type = "float64";
    choose(&options, 1);
    assert_int_equal(plan[0].problem.real, BE_REAL64);
    options.type = "float16";
    refuse(&options, "grid: --type float16: it has float32, float64");
    options.workload[0] = "sum";
    options.type = "float64";
    refuse(&options, "sum: --type float64: it has float32");
    options = (struct be_compare_options){.type = "float64"};
    choose(&options, 1); /* of all workloads those that have it */
    assert_ptr_equal(plan[0].problem.workload, &grid);
    assert_int_equal(plan[0].problem.real, BE_REAL64);
    options.type = "float16";
    refuse(&options, "--type float16: no workload has it");
}

static void test_variants(void **state) {
    (void)state;
    struct be_compare_options options = {0};
    for (int i = 0; i < grid.variants; i++) {
        assert_true(be_choose_variant(&options, &grid_variant[i])); /* none named: all */
    }
    options.variant[0] = "fused";
    options.variant[1] = "tree"; /* of one of the workloads: that is enough */
    options.variants = 2;
    choose(&options, 3);
    assert_false(be_choose_variant(&options, &grid_variant[0]));
    assert_true(be_choose_variant(&options, &grid_variant[1]));
    assert_false(be_choose_variant(&options, &grid_variant[2]));
    assert_true(be_choose_variant(&options, &sum_variant[1]));
    options.variant[1] = "plain"; /* not a name that begins like it */
    assert_true(be_choose_variant(&options, &grid_variant[0]));
    assert_false(be_choose_variant(&options, &grid_variant[2]));
    options.variant[1] = "fastest";
    refuse(&options, "--variant fastest: no such one; there are: plain, fused, plain-ish, tree");
    options.workload[0] = "sum";
    options.workloads = 1;
    refuse(&options, "--variant fused: no such one; there are: plain, tree");
}

/* ---- what is refused ------------------------------------------------------------------------ */

static void test_two_swept(void **state) {
    (void)state;
    struct be_compare_options options = options_of_grid();
    options.choice[0] = (struct be_choice){.name = "bands", .value = {1, 2}, .values = 2};
    options.choice[1] = (struct be_choice){.name = "steps", .from = 10, .to = 100};
    options.choices = 2;
    refuse(&options, "grid: --bands and --steps both have several values: one parameter is swept "
                     "at a time");
}

static void test_two_sizes(void **state) {
    (void)state;
    struct be_compare_options options = options_of_grid();
    options.size[0] = 8;
    options.sizes = 1;
    options.choice[0] = (struct be_choice){.name = "order", .value = {16}, .values = 1};
    options.choices = 1;
    refuse(&options, "grid: --size and --order both say its sizes: give one");
    options.choice[0] = (struct be_choice){.name = "steps", .value = {1, 2}, .values = 2};
    refuse(&options, "grid: --size and --steps both say its sizes: give one");
    options.sizes = 0;
    choose(&options, 1);
}

static void test_unknown_parameter(void **state) {
    (void)state;
    struct be_compare_options options = options_of_grid();
    options.choice[0] = (struct be_choice){.name = "size", .value = {5}, .values = 1};
    options.choices = 1;
    refuse(&options, "--size: grid has no such parameter; there are: order, steps, bands");
    options.workloads = 0;
    choose(&options, 3); /* "sum" has it */
    options.choice[0].name = "depth";
    refuse(&options, "--depth: the workloads have no such parameter; there are: order, steps, "
                     "bands, size, edge, doors");
}

/* Fixed or swept: with an open edge there are no doors. */
static void test_idle_parameter(void **state) {
    (void)state;
    struct be_compare_options options = {.workload = {"walk"}, .workloads = 1, .choices = 2};
    options.choice[0] = (struct be_choice){.name = "doors", .value = {3}, .values = 1};
    options.choice[1] = (struct be_choice){.name = "edge", .value = {1}, .values = 1};
    choose(&options, 1);
    assert_int_equal(plan[0].problem.value[2], 3);
    options.choice[1].value[0] = 0;
    refuse(&options, "walk: --doors has no meaning without --edge=closed");
    options.workloads = 0; /* no other has it either */
    refuse(&options, "walk: --doors has no meaning without --edge=closed");
    options.choice[0] = (struct be_choice){.name = "doors", .value = {3, 5}, .values = 2};
    options.workloads = 1;
    refuse(&options, "walk: --doors has no meaning without --edge=closed");
    options.choice[1].value[0] = 1;
    choose(&options, 1);
    SIZES(plan, true, 3, 5);
    /* A value that is not named has a meaning all the same. */
    options.choice[0] = (struct be_choice){.name = "doors", .value = {1}, .values = 1};
    choose(&options, 1);
    assert_int_equal(plan[0].problem.value[2], 1);
}

static void check_value(const char *name, uint64_t value, const char *text) {
    struct be_compare_options options = options_of_grid();
    options.choice[0] = (struct be_choice){.name = name, .value = {value}, .values = 1};
    options.choices = 1;
    refuse(&options, text);
}

static void test_values_out_of_range(void **state) {
    (void)state;
    check_value("order", 1, "grid: order 1: at least 2"); /* swept */
    check_value("order", 4097, "grid: order 4097: at most 4096");
    check_value("steps", 0, "grid: steps 0: at least 1"); /* fixed */
    check_value("steps", 1000001, "grid: steps 1000001: at most 1000000");
    check_value("bands", 8, "grid: bands 8: at most 7");
    struct be_compare_options options = options_of_grid();
    options.size[0] = 8;
    options.size[1] = 0;
    options.sizes = 2;
    refuse(&options, "grid: order 0: at least 2");
    options.sizes = 0;
    options.size_from = 1;
    refuse(&options, "grid: order 1: at least 2");
    options.size_from = 0;
    options.size_to = 5000;
    refuse(&options, "grid: order 5000: at most 4096");
    options.size_from = 9;
    options.size_to = 8;
    refuse(&options, "grid: order 9..8: the first must not be the larger");
    options.size_from = options.size_to = 0;
    options.choice[0] = (struct be_choice){.name = "steps", .from = 3000};
    options.choices = 1; /* beyond where the workload ends of itself */
    refuse(&options, "grid: steps 3000..2000: the first must not be the larger");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_presets),         cmocka_unit_test(test_workloads),
        cmocka_unit_test(test_size_list),       cmocka_unit_test(test_size_range),
        cmocka_unit_test(test_quick),           cmocka_unit_test(test_fixed_parameter),
        cmocka_unit_test(test_swept_parameter), cmocka_unit_test(test_parameter_of_some),
        cmocka_unit_test(test_kinds),           cmocka_unit_test(test_type),
        cmocka_unit_test(test_variants),        cmocka_unit_test(test_two_swept),
        cmocka_unit_test(test_two_sizes),       cmocka_unit_test(test_unknown_parameter),
        cmocka_unit_test(test_idle_parameter),  cmocka_unit_test(test_values_out_of_range),
    };
    return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
