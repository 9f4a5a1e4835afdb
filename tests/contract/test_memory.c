/*
 * The memory that a variant takes beside its inputs and outputs: little of them, at sizes that are large, but where a
 * line of `excepted` says otherwise; at small sizes a few megabytes at most. The memory that libraries take for
 * themselves, in prepare or within their calls, is not seen here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "builtin/builtin.h"

enum { MEMBERS = 4 };
static const double little = 0.1;
static const double few_bytes = 8e6;

/* Beside every workload's presets with the parameter that is swept as large as a sweep goes. */
static const struct {
    const char *workload;
    uint64_t value[BE_PARAMETERS];
} problems[] = {
    {"solve", {1000000, 1}},
    {"solve", {1000000, 33}},
    {"solve", {100000, 64}},
    {"solve", {100000, 128}},
    {"solve", {1000, 129}},
    {"solve", {1000, 1024}},
    {"solve", {64, 2048}},
    {"solve", {1, 2048}},
    {"solve", {3, 8192}},
    {"eigen", {1000000, 1}},
    {"eigen", {1000000, 33}},
    {"eigen", {10000, 128}},
    {"distance", {30000, 128, 0}},
    {"distance", {1000000, 3, 1}},
    {"distance", {1000000, 128, 1}},
    {"distance", {1000000, 3, 2, 256}},
    {"distance", {1000000, 3, 2, 1024}},
    {"regress", {1000000, 1, 1000}},
    {"regress", {1000000, 128, 100000}},
    {"mandelbrot", {16384, 10000, 3}},
    {"spmv", {3000000, 4, 1000000, 1}},
    {"matmul", {2048, 0, 0, 0, 1}},
    {"matmul", {1024, 4, 0, 0, 100}},
    {"matmul", {32, 0, 0, 0, 100000}},
    {"matmul", {256, 0, 0, 0, 10000}},
    {"fft", {1 << 21, 0, 1}},
    {"nbody", {540673}},
    {"nbody", {10000000}},
};

enum where { HOST, DEVICE };

/* Where all parameters are at least `from` and, but where that is 0, below `below`: up to `most` times
 * inputs and outputs. The workload's page says it, too. */
static const struct {
    const char *workload, *variant;
    enum where where;
    uint64_t from[BE_PARAMETERS], below[BE_PARAMETERS];
    double max;
    const char *why;
} excepted[] = {
    {"solve", "batched", DEVICE, {0, 129}, {0}, 1.05, "factors of 2 GiB of systems, or of one"},
    {"solve", "blocked", DEVICE, {0, 256}, {0}, 1.05, "factors of one system"},
    {"solve",
     "butterfly",
     DEVICE,
     {0, 2048},
     {0},
     1.14,
     "factors of one system, as A stays; blocks' inverses and one block's columns"},
    {"solve", "batched", HOST, {0, 129}, {64}, 1.02, "factors of the systems in work"},
    {"solve", "library", HOST, {0, 129}, {64}, 1.02, "factors of the systems in work"},
    {"solve", "refined", HOST, {0, 129}, {64}, 1.02, "float64 factors where float32 ones fail"},
    {"distance", "fused", HOST, {0, 0, 1}, {0}, 1.01, "points in the order that vectors take them"},
    {"distance", "fused", DEVICE, {0, 0, 2}, {0}, 0.35, "what each group counts, up to 4 MiB"},
    {"distance", "fused", DEVICE, {0, 0, 1}, {0}, 0.26, "what each part finds nearest"},
    {"sort",
     "radix",
     DEVICE,
     {0},
     {0},
     0.57,
     "a pass cannot write where it reads; counts of tiles"},
    {"sort", "onesweep", DEVICE, {0}, {0}, 0.57, "likewise; the state of tiles"},
    {"sort", "plain", HOST, {0}, {0}, 0.51, "a pass cannot write where it reads"},
    {"fft", "library", HOST, {0}, {0}, 0.51, "numbers that plans are tried on"},
    {"cg", "plain", HOST, {0}, {0}, 0.31, "residual, direction and their product with A"},
    {"cg", "runs", HOST, {0}, {0}, 0.85, "likewise; values as runs of rows take them"},
    {"cg", "plain", DEVICE, {0}, {0}, 0.31, "likewise"},
    {"cg", "fused", DEVICE, {0}, {0}, 0.31, "likewise"},
    {"neighbours", "vectors", HOST, {0}, {0}, 1.34, "points in the order that vectors take them"},
    {"neighbours",
     "tree",
     HOST,
     {0},
     {0},
     2.8,
     "the tree: points in its order, and as vectors take them"},
    {"neighbours", "plain", DEVICE, {0}, {0}, 0.68, "what each part finds nearest"},
    {"nbody",
     "all-pairs",
     DEVICE,
     {0},
     {540673},
     0.86,
     "a sum of each body and part of the bodies"},
};

static double bytes_of(const struct be_problem *problem) {
    const struct be_workload *w = problem->workload;
    const struct be_shape shape = be_problem_shape(problem);
    double bytes = 0;
    for (int k = 0; k < w->inputs + w->outputs; k++) {
        bytes += (double)shape.items * (double)shape.item_bytes[k];
    }
    return bytes;
}

static double taken(const struct be_problem *problem, const struct be_variant *v,
                    enum where where) {
    if (where == HOST) {
        return v->host && v->host_scratch ? (double)v->host_scratch(problem, MEMBERS) : 0;
    }
    return v->prepare && v->device_scratch ? (double)v->device_scratch(problem) : 0;
}

static bool is_within(const struct be_problem *problem, const uint64_t *from,
                      const uint64_t *below) {
    for (int p = 0; p < problem->workload->parameters; p++) {
        if (problem->value[p] < from[p] || (below[p] > 0 && problem->value[p] >= below[p])) {
            return false;
        }
    }
    return true;
}

static double seen[BE_COUNT(excepted)]; /* the largest share */

/* The memory that is allowed here. */
static double allowed(const struct be_problem *problem, const struct be_variant *v,
                      enum where where, double share) {
    for (size_t i = 0; i < BE_COUNT(excepted); i++) {
        if (strcmp(excepted[i].workload, problem->workload->name) == 0 &&
            strcmp(excepted[i].variant, v->name) == 0 && excepted[i].where == where &&
            is_within(problem, excepted[i].from, excepted[i].below)) {
            seen[i] = share > seen[i] ? share : seen[i];
            return excepted[i].max;
        }
    }
    return little;
}

static void check(const struct be_problem *problem, bool is_small) {
    const double all = bytes_of(problem);
    int failed = 0;
    for (int i = 0; i < 2 * problem->workload->variants; i++) {
        const struct be_variant *v = &problem->workload->variant[i / 2];
        const enum where where = i % 2 == 0 ? HOST : DEVICE;
        if (v->as_written || (v->unfit && v->unfit(problem))) {
            continue;
        }
        const double share = taken(problem, v, where) / all;
        const double known = allowed(problem, v, where, share);
        const double max = is_small ? fmax(few_bytes / all, known) : known;
        if (!(share <= max)) {
            print_error(
                "%s %s, %s, %llu %llu %llu, on %s: %.4g %% of inputs and outputs as working "
                "memory, allowed %.4g %%\n",
                problem->workload->name, v->name, be_real_name(problem->real),
                (unsigned long long)problem->value[0], (unsigned long long)problem->value[1],
                (unsigned long long)problem->value[2], where == HOST ? "the CPU" : "a device",
                100 * share, 100 * max);
            failed++;
        }
    }
    assert_int_equal(failed, 0);
}

static void check_types(const struct be_workload *w, const uint64_t *value) {
    for (int real = 0; real < BE_REALS; real++) {
        if (w->reals & BE_TAKES(real)) {
            struct be_problem problem = be_problem_preset(w);
            problem.real = (enum be_real)real;
            for (int p = 0; p < w->parameters; p++) {
                problem.value[p] = value ? value[p] : problem.value[p];
            }
            if (!value) {
                problem.value[problem.swept] = w->parameter[problem.swept].to;
            }
            check(&problem, false);
        }
    }
}

/* Checks the sizes of a quick look, where arrays are at most a few hundred megabytes; those that keep as much as the
 * data are known above. */
static void check_look(const struct be_workload *w, enum be_real real) {
    struct be_problem problem = be_problem_preset(w);
    problem.real = real;
    for (int i = 0; i < 4 && w->parameter[0].look[i] > 0; i++) {
        problem = be_problem_sized(&problem, w->parameter[0].look[i]);
        check(&problem, few_bytes > little * bytes_of(&problem));
    }
}

static void little_is_taken(void **state) {
    const struct be_workload *w = *state;
    check_types(w, NULL);
    for (int real = 0; real < BE_REALS; real++) {
        if (w->reals & BE_TAKES(real)) {
            check_look(w, (enum be_real)real);
        }
    }
    for (size_t i = 0; i < BE_COUNT(problems); i++) {
        if (strcmp(problems[i].workload, w->name) == 0) {
            check_types(w, problems[i].value);
        }
    }
}

/* A line that nothing needs any more, or that says more than is taken, hides what is to come. */
static void all_exceptions_are_needed(void **state) {
    static const double capacity = 1.1;
    (void)state;
    for (size_t i = 0; i < BE_COUNT(excepted); i++) {
        if (seen[i] <= little || excepted[i].max > capacity * seen[i]) {
            fail_msg("%s %s takes %.4g %%: no need to allow %.4g %% (%s)", excepted[i].workload,
                     excepted[i].variant, 100 * seen[i], 100 * excepted[i].max, excepted[i].why);
        }
    }
}

static void all_problems_are_meant(void **state) {
    (void)state;
    for (size_t i = 0; i < BE_COUNT(problems); i++) {
        assert_non_null(be_workload_find(problems[i].workload));
    }
}

int main(void) {
    enum { MAX = 128 };
    static struct CMUnitTest test[MAX];
    size_t tests = 0;
    for (; be_workloads[tests]; tests++) {
        assert_true(tests < MAX - 2);
        test[tests] = (struct CMUnitTest){be_workloads[tests]->name, little_is_taken, NULL, NULL,
                                          (void *)(uintptr_t)be_workloads[tests]};
    }
    test[tests++] = (struct CMUnitTest){"problems", all_problems_are_meant, NULL, NULL, NULL};
    test[tests++] = (struct CMUnitTest){"exceptions", all_exceptions_are_needed, NULL, NULL, NULL};
    return _cmocka_run_group_tests("memory", test, tests, NULL, NULL);
}
