/* From a problem: its size and text, its shape, members' shares, the arguments of a launch. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "builtin/builtin.h"
#include "base/error.h"
#include "kernels/host.h"
#include "workload/elementwise.h"

/* ---- made-up workloads ---------------------------------------------------------------------- */

enum { ORDER, BANDS, STEPS, PARAMETERS };

static const struct be_parameter parameter[PARAMETERS] = {
    [ORDER] = {.name = "order", .preset = 32, .min = 1, .max = 4096},
    [BANDS] = {.name = "bands", .preset = 3, .min = 0, .max = 7},
    [STEPS] = {.name = "steps", .preset = 100, .min = 1, .max = UINT64_MAX},
};

/* Three arrays, of `order` doubles, of one float, and of nothing; what is behind them is set too,
 * and must be left alone. */
static void shape_of(const struct be_problem *problem, struct be_shape *shape) {
    *shape = (struct be_shape){.items = 1,
                               .item_bytes = {problem->value[ORDER] * sizeof(double), 4, 0, 7},
                               .reference = 5,
                               .operations = 6,
                               .bytes = 7,
                               .tolerance = 1e-8};
}

static const struct be_workload whole = {
    .name = "whole",
    .parameter = parameter,
    .parameters = PARAMETERS,
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .inputs = 2,
    .outputs = 1,
    .shape = shape_of,
};

/* ---- problems ------------------------------------------------------------------------------- */

static void test_preset(void **state) {
    (void)state;
    const struct be_problem problem = be_problem_preset(&whole);
    assert_ptr_equal(problem.workload, &whole);
    assert_int_equal(problem.real, BE_REAL64);
    assert_int_equal(problem.swept, 0);
    for (int i = 0; i < PARAMETERS; i++) {
        assert_int_equal(problem.value[i], parameter[i].preset);
    }
    assert_int_equal(be_problem_size(&problem), 32);
}

static void test_sized(void **state) {
    (void)state;
    struct be_problem problem = be_problem_preset(&whole);
    problem.swept = STEPS;
    const struct be_problem sized = be_problem_sized(&problem, 7);
    assert_int_equal(be_problem_size(&sized), 7);
    assert_int_equal(sized.value[STEPS], 7);
    assert_int_equal(sized.value[ORDER], 32);
    assert_int_equal(be_problem_size(&problem), 100); /* the other is as it was */
}

static void check_text(int swept, const char *expected) {
    struct be_problem problem = be_problem_preset(&whole);
    char text[BE_NOTE];
    problem.swept = swept;
    be_problem_text(&problem, text, sizeof text);
    assert_string_equal(text, expected);
}

static void test_text(void **state) {
    (void)state;
    check_text(ORDER, "bands 3, steps 100");
    check_text(BANDS, "order 32, steps 100");
    check_text(STEPS, "order 32, bands 3");
    const struct be_problem alone = be_problem_preset(&be_workload_power);
    char text[16] = "#";
    be_problem_text(&alone, text, sizeof text);
    assert_string_equal(text, "");

    /* Cut, terminated, and nothing behind it. */
    const struct be_problem problem = be_problem_preset(&whole);
    const char *all = "bands 3, steps 100";
    for (size_t capacity = 1; capacity < sizeof text - 1; capacity++) {
        memset(text, '#', sizeof text);
        be_problem_text(&problem, text, capacity);
        assert_int_equal(strlen(text), capacity - 1);
        assert_memory_equal(text, all, capacity - 1);
        assert_int_equal(text[capacity], '#');
    }
}

static void test_reals(void **state) {
    (void)state;
    assert_int_equal(be_real_bytes(BE_REAL32), 4);
    assert_int_equal(be_real_bytes(BE_REAL64), 8);
    assert_string_equal(be_real_name(BE_REAL32), "float32");
    assert_string_equal(be_real_name(BE_REAL64), "float64");
}

/* ---- shapes --------------------------------------------------------------------------------- */

/* A whole problem's arrays are rounded up, so that copies of it lie aligned. */
static void test_whole_shape(void **state) {
    (void)state;
    static const struct {
        uint64_t order;
        size_t bytes;
    } sample[] = {{1, 512}, {63, 512}, {64, 512}, {65, 1024}, {128, 1024}, {4096, 32768}};
    for (size_t i = 0; i < BE_COUNT(sample); i++) {
        const struct be_problem preset = be_problem_preset(&whole);
        const struct be_problem problem = be_problem_sized(&preset, sample[i].order);
        const struct be_shape shape = be_problem_shape(&problem);
        assert_int_equal(shape.items, 1);
        assert_int_equal(shape.item_bytes[0], sample[i].bytes);
        assert_int_equal(shape.item_bytes[1], BE_WHOLE_ALIGN);
        assert_int_equal(shape.item_bytes[2], 0); /* nothing is no array */
        assert_int_equal(shape.item_bytes[3], 7); /* nor is what is behind the last */
        assert_true(shape.reference == 5 && shape.operations == 6 && shape.bytes == 7);
        assert_true(shape.tolerance == 1e-8);
    }
}

/* One that may be cut lies as it says. */
static void test_cut_shape(void **state) {
    (void)state;
    struct be_workload cut = whole;
    cut.grain = 1;
    const struct be_problem preset = be_problem_preset(&cut);
    const struct be_problem problem = be_problem_sized(&preset, 65);
    const struct be_shape shape = be_problem_shape(&problem);
    assert_int_equal(shape.item_bytes[0], 65 * sizeof(double));
    assert_int_equal(shape.item_bytes[1], 4);
    const struct be_problem power = be_problem_preset(&be_workload_power);
    const struct be_shape elements = be_problem_shape(&power);
    assert_int_equal(elements.items, 1000000);
    assert_int_equal(elements.item_bytes[0], sizeof(float));
    assert_true(elements.bytes == 12e6 && elements.operations == 20e6);
}

/* ---- shares --------------------------------------------------------------------------------- */

/* All members' shares are the range, each once, in order, cut at multiples of the grain counted
 * from its start. */
static void check_shares(size_t start, size_t items, size_t grain, int members) {
    size_t at = start;
    for (int member = 0; member < members; member++) {
        const struct be_work work = {
            .first = start, .items = items, .member = member, .members = members};
        size_t first;
        size_t count;
        be_work_share(&work, grain, &first, &count);
        assert_int_equal(first, at);
        assert_true(count == 0 || first == start || (first - start) % (grain ? grain : 1) == 0);
        at += count;
    }
    assert_int_equal(at, start + items);
}

static void test_shares(void **state) {
    (void)state;
    static const size_t starts[] = {0, 1, 64, 1000, (size_t)1 << 40};
    static const size_t items[] = {0, 1, 63, 64, 65, 1000, 54773};
    static const size_t grains[] = {0, 1, 3, 64, 4096};
    static const int members[] = {1, 2, 3, 7, 64};
    for (size_t s = 0; s < BE_COUNT(starts); s++) {
        for (size_t i = 0; i < BE_COUNT(items); i++) {
            for (size_t g = 0; g < BE_COUNT(grains); g++) {
                for (size_t m = 0; m < BE_COUNT(members); m++) {
                    check_shares(starts[s], items[i], grains[g], members[m]);
                }
            }
        }
    }
}

/* Rows are those of one problem, whatever the range is. */
static void test_rows(void **state) {
    (void)state;
    for (int members = 1; members <= 5; members++) {
        size_t at = 0;
        for (int member = 0; member < members; member++) {
            const struct be_work work = {
                .first = 77, .items = 1, .member = member, .members = members};
            size_t first;
            size_t count;
            be_work_rows(&work, 100, 8, &first, &count);
            assert_int_equal(first, at);
            at += count;
            assert_true(at == 100 || at % 8 == 0);
        }
        assert_int_equal(at, 100);
    }
}

static void test_array_of_a_range(void **state) {
    (void)state;
    static char memory[2][8192];
    void *const array[] = {memory[0], memory[1]};
    const struct be_problem preset = be_problem_preset(&whole);
    const struct be_problem problem = be_problem_sized(&preset, 65);
    const struct be_work work = {.problem = &problem, .array = array, .first = 3, .items = 1};
    assert_ptr_equal(be_work_array(&work, 0), memory[0] + 3 * 1024);
    assert_ptr_equal(be_work_array(&work, 1), memory[1] + 3 * 512);
    const struct be_problem power = be_problem_preset(&be_workload_power);
    const struct be_work elements = {.problem = &power, .array = array, .first = 64, .items = 64};
    assert_ptr_equal(be_work_array(&elements, 1), memory[1] + 64 * sizeof(float));
}

/* ---- launches ------------------------------------------------------------------------------- */

static void test_launch_arguments(void **state) {
    (void)state;
    const struct be_buffer buffer[] = {{.handle = 1, .bytes = 1 << 20},
                                       {.handle = 2, .bytes = 4096}};
    struct be_problem problem = be_problem_preset(&whole);
    const struct be_launch launch = {.problem = &problem, .buffer = buffer, .first = 5, .items = 2};
    struct be_argument argument = be_launch_array(&launch, 1);
    assert_int_equal(argument.kind, BE_ARGUMENT_BUFFER);
    assert_ptr_equal(argument.buffer, &buffer[1]);
    assert_int_equal(argument.offset, 5 * BE_WHOLE_ALIGN);
    argument = be_launch_real(&launch, 0.1);
    assert_int_equal(argument.kind, BE_ARGUMENT_DOUBLE);
    assert_true(argument.real64 == 0.1);
    problem.real = BE_REAL32;
    argument = be_launch_real(&launch, 0.1);
    assert_int_equal(argument.kind, BE_ARGUMENT_FLOAT);
    assert_true(argument.real == 0.1f);
}

/* The definitions that the source is built with, as the device gets them. */
static char defines[4096];
static const char *kernel_names[8];
static int kernels_found, kernels_forgotten, dropped;

static enum be_status build(struct be_device *device, const struct be_program *program,
                            struct be_module *module, struct be_error *error) {
    (void)device, (void)error;
    strcpy(defines, program->defines);
    module->handle = 1;
    return BE_OK;
}

static enum be_status find_kernel(struct be_device *device, const struct be_module *module,
                                  const char *name, struct be_kernel *kernel,
                                  struct be_error *error) {
    (void)device;
    assert_int_equal(module->handle, 1);
    kernel_names[kernels_found++] = name;
    kernel->handle = (uintptr_t)kernels_found;
    return strcmp(name, "missing") == 0 ? be_fail(error, BE_BUILD, "no such kernel") : BE_OK;
}

static void forget(struct be_device *device, struct be_kernel *kernel) {
    (void)device;
    kernels_forgotten += kernel->handle != 0;
    kernel->handle = 0;
}

static void drop(struct be_device *device, struct be_module *module) {
    (void)device;
    dropped += module->handle != 0;
    module->handle = 0;
}

static const struct be_program_ops programs = {
    .build = build, .kernel = find_kernel, .forget = forget, .drop = drop};
static const struct be_device_ops ops = {.program = &programs};

static enum be_status prepare(enum be_real real, const char *own, const char *last,
                              struct be_prepared *prepared, struct be_error *error) {
    const char *const names[] = {"first", last, NULL};
    const struct be_program program = {.name = "made-up", .source = "", .defines = "replaced"};
    struct be_device device = {.ops = &ops};
    struct be_problem problem = be_problem_preset(&whole);
    problem.real = real;
    kernels_found = kernels_forgotten = dropped = 0;
    return be_prepare_kernels(&device, &problem, &program, own, names, prepared, error);
}

static void test_prepare(void **state) {
    (void)state;
    struct be_prepared prepared;
    struct be_device device = {.ops = &ops};
    struct be_error error = {0};
    assert_int_equal(prepare(BE_REAL64, "#define N 3\n", "second", &prepared, &error), BE_OK);
    assert_string_equal(defines, "#define BE_REAL64 1\n#define N 3\n");
    assert_int_equal(kernels_found, 2);
    assert_string_equal(kernel_names[0], "first");
    assert_string_equal(kernel_names[1], "second");
    assert_true(prepared.kernel[0].handle == 1 && prepared.kernel[1].handle == 2);
    be_discard_kernels(&device, &prepared);
    assert_true(kernels_forgotten == 2 && dropped == 1);
    be_discard_kernels(&device, &prepared); /* twice is once */
    assert_true(kernels_forgotten == 2 && dropped == 1);
    assert_int_equal(prepare(BE_REAL32, NULL, "second", &prepared, &error), BE_OK);
    assert_string_equal(defines, "");

    /* After an error nothing is left. */
    assert_int_equal(prepare(BE_REAL32, NULL, "missing", &prepared, &error), BE_BUILD);
    assert_true(kernels_forgotten == 2 && dropped == 1);
    assert_true(prepared.module.handle == 0 && prepared.kernel[0].handle == 0);
    char long_text[4096];
    memset(long_text, ' ', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    assert_int_equal(prepare(BE_REAL64, long_text, "second", &prepared, &error), BE_BUILD);
    assert_non_null(strstr(error.text, "made-up: more than 2048 characters"));
    assert_int_equal(kernels_found, 0);
}

/* ---- asked for by index --------------------------------------------------------------------- */

static void test_beyond_the_ends(void **state) {
    (void)state;
    const char *name = NULL;
    const char *summary = NULL;
    assert_true(be_workload_describe(0, &name, &summary));
    assert_non_null(name);
    assert_non_null(summary);
    assert_false(be_workload_describe(-1, &name, &summary));
    assert_false(be_workload_describe(1000, &name, &summary));
    assert_false(be_workload_parameter("solve", -1, &name, &summary));
    assert_false(be_workload_parameter("solve", 1000, &name, &summary));
    assert_false(be_workload_parameter("nothing", 0, &name, &summary));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_preset),
        cmocka_unit_test(test_sized),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_reals),
        cmocka_unit_test(test_whole_shape),
        cmocka_unit_test(test_cut_shape),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_array_of_a_range),
        cmocka_unit_test(test_launch_arguments),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_beyond_the_ends),
    };
    return cmocka_run_group_tests_name("problem", tests, NULL, NULL);
}
