/*
 * The tables of every backend, whether its hardware is here or not: what is required is there, and a table
 * that lacks it is refused by name, before anything of it is called.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "device/device.h"

/* A backend with tables of its own, which may lack something. */
struct copy {
    struct be_device_ops top;
    struct be_memory_ops memory;
    struct be_queue_ops queue;
    struct be_program_ops program;
    struct be_extra_ops extras;
    struct be_blas_ops blas;
    struct be_solver_ops solver;
    struct be_fft_ops fft;
    struct be_sparse_ops sparse;
};

#define TAKE(table)                                                                                \
    if (from->table) {                                                                             \
        copy->table = *from->table;                                                                \
        copy->top.table = &copy->table;                                                            \
    }

static void make_copy(struct copy *copy, const struct be_device_ops *from) {
    *copy = (struct copy){.top = *from};
    TAKE(memory)
    TAKE(queue)
    TAKE(program)
    TAKE(extras)
    TAKE(blas)
    TAKE(solver)
    TAKE(fft)
    TAKE(sparse)
}

/* Without the pointer at that byte of the copy: is it refused, and for that name? */
static void refused_without(const struct be_device_ops *ops, size_t at, const char *name) {
    struct copy copy;
    struct be_error error = {0};
    const void *none = NULL;
    char expected[BE_NAME * 2];
    make_copy(&copy, ops);
    memcpy((char *)&copy + at, &none, sizeof none);
    if (be_device_fits(&copy.top, &error) != BE_USAGE) {
        fail_msg("%s: fits without %s", ops->name, name);
    }
    snprintf(expected, sizeof expected, "lacks %s", name);
    if (!strstr(error.text, expected)) {
        fail_msg("%s without %s: \"%s\"", ops->name, name, error.text);
    }
}

/* Every pointer of a table is of one size: the n-th entry is known by its place. */
static void refused_without_each(const struct be_device_ops *ops, const char *table, size_t at,
                                 const char *const *entry) {
    for (; *entry; entry++, at += sizeof(void *)) {
        char name[BE_NAME];
        snprintf(name, sizeof name, "%s->%s", table, *entry);
        refused_without(ops, at, name);
    }
}

static const char *const memory[] = {"alloc", "release", "pin", "unpin", "capacity", NULL};
static const char *const queue[] = {"write",      "read",         "fill",   "copy",
                                    "make_event", "forget_event", "record", "follow",
                                    "wait",       "elapsed",      "drain",  NULL};
static const char *const program[] = {"build", "drop", "kernel", "launch", "forget", NULL};
static const char *const blas[] = {"open", "close", "gemm", NULL};
static const char *const solver[] = {"open",
                                     "close",
                                     "scratch_bytes",
                                     "factor",
                                     "solve",
                                     "lu_solve",
                                     "eigen_scratch_bytes",
                                     "eigen_batched",
                                     "svd_scratch_bytes",
                                     "svd_batched",
                                     NULL};
static const char *const fft[] = {"open", "close", "forward", NULL};
static const char *const sparse[] = {"open", "close", "multiply", NULL};

static void test_required(void **state) {
    (void)state;
    /* A new entry of a table without optional ones has to come into these lists, too. */
    assert_int_equal(sizeof(struct be_memory_ops), sizeof memory - sizeof(char *));
    assert_int_equal(sizeof(struct be_queue_ops), sizeof queue - sizeof(char *));
    assert_int_equal(sizeof(struct be_program_ops), sizeof program - sizeof(char *));
    assert_int_equal(sizeof(struct be_solver_ops), sizeof solver - sizeof(char *));
    assert_int_equal(sizeof(struct be_fft_ops), sizeof fft - sizeof(char *));
    assert_int_equal(sizeof(struct be_sparse_ops), sizeof sparse - sizeof(char *));
    for (const struct be_device_ops *const *at = be_device_backends; *at; at++) {
        const struct be_device_ops *ops = *at;
        struct be_error error = {0};
        if (be_device_fits(ops, &error) != BE_OK) {
            fail_msg("%s", error.text);
        }
        refused_without(ops, offsetof(struct copy, top.name), "name");
        refused_without(ops, offsetof(struct copy, top.probe), "probe");
        refused_without(ops, offsetof(struct copy, top.open), "open");
        refused_without(ops, offsetof(struct copy, top.close), "close");
        refused_without(ops, offsetof(struct copy, top.memory), "memory");
        refused_without(ops, offsetof(struct copy, top.queue), "queue");
        refused_without(ops, offsetof(struct copy, top.program), "program");
        refused_without(ops, offsetof(struct copy, top.extras), "extras");
        refused_without_each(ops, "memory", offsetof(struct copy, memory), memory);
        refused_without_each(ops, "queue", offsetof(struct copy, queue), queue);
        refused_without_each(ops, "program", offsetof(struct copy, program), program);
        if (ops->blas) {
            refused_without_each(ops, "blas", offsetof(struct copy, blas), blas);
        }
        if (ops->solver) {
            refused_without_each(ops, "solver", offsetof(struct copy, solver), solver);
        }
        if (ops->fft) {
            refused_without_each(ops, "fft", offsetof(struct copy, fft), fft);
        }
        if (ops->sparse) {
            refused_without_each(ops, "sparse", offsetof(struct copy, sparse), sparse);
        }
    }
}

/* A backend may lack what is optional, but not the half of what belongs together. */
static void test_optional(void **state) {
    struct copy copy;
    struct be_error error = {0};
    (void)state;
    make_copy(&copy, &be_cuda_ops);
    copy.extras = (struct be_extra_ops){0};
    copy.top.blas = NULL;
    copy.top.solver = NULL;
    copy.top.fft = NULL;
    copy.top.sparse = NULL;
    assert_int_equal(be_device_fits(&copy.top, &error), BE_OK);
    const size_t halves[] = {
        offsetof(struct copy, extras.capture),        offsetof(struct copy, extras.captured),
        offsetof(struct copy, extras.replay),         offsetof(struct copy, extras.forget_graph),
        offsetof(struct copy, extras.unify),          offsetof(struct copy, extras.release_unified),
        offsetof(struct copy, extras.lock),           offsetof(struct copy, extras.unlock),
        offsetof(struct copy, blas.lu_prepare),       offsetof(struct copy, blas.lu_batched),
        offsetof(struct copy, blas.lu_scratch_bytes),
    };
    for (size_t i = 0; i < BE_COUNT(halves); i++) {
        const void *none = NULL;
        make_copy(&copy, &be_cuda_ops);
        memcpy((char *)&copy + halves[i], &none, sizeof none);
        assert_int_equal(be_device_fits(&copy.top, &error), BE_USAGE);
        assert_non_null(strstr(error.text, "but not what belongs to it"));
    }
}

static void test_version(void **state) {
    struct copy copy;
    struct be_error error = {0};
    (void)state;
    make_copy(&copy, &be_cpu_ops);
    copy.top.version = BE_DEVICE_OPS_VERSION + 1;
    assert_int_equal(be_device_fits(&copy.top, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "backend cpu: its table is of version"));
    copy.top.version = 0; /* one that was written before there were versions, or forgot it */
    assert_int_equal(be_device_fits(&copy.top, &error), BE_USAGE);
}

static void test_open(void **state) {
    struct be_device_info info = {.id = "abacus:0", .backend = "abacus"};
    struct be_device *device = (struct be_device *)1;
    struct be_error error = {0};
    int count = 0;
    (void)state;
    assert_int_equal(be_device_open(&info, NULL, &device, &error), BE_USAGE);
    assert_null(device);
    assert_non_null(strstr(error.text, "abacus"));
    assert_int_equal(be_cpu_ops.probe(&info, 1, &count, &error), BE_OK);
    assert_int_equal(be_device_open(&info, NULL, &device, &error), BE_OK);
    assert_ptr_equal(device->ops, &be_cpu_ops);
    device->ops->close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_required),
        cmocka_unit_test(test_optional),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_open),
    };
    return cmocka_run_group_tests_name("device_ops", tests, NULL, NULL);
}
