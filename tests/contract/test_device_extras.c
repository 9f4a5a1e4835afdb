/* The extras of some backends beyond the rest of device/device.h: facts, graphs, unified memory,
 * locked memory of the caller's, matrix products, copies between devices. A test of something that
 * a device lacks is skipped and says so. */
#include "devices.h"

#include <math.h>

#include "base/random.h"
#include "half.h"
#include "kernel_programs.h"

/* ---- facts ---------------------------------------------------------------------------------- */

struct told {
    char name[64][BE_NAME];
    int count;
    double memory_bytes;
};

static void hear(void *context, const char *name, const char *text, double number) {
    struct told *told = context;
    assert_true(name[0] != '\0' && strlen(name) < BE_NAME);
    assert_true(text[0] != '\0' && strlen(text) < BE_NOTE);
    assert_true(isnan(number) || fabs(number) < 1e300);
    for (int i = 0; i < told->count; i++) {
        assert_string_not_equal(told->name[i], name);
    }
    assert_in_range(told->count, 0, 63);
    be_copy_text(told->name[told->count++], BE_NAME, name);
    if (strcmp(name, "memory_bytes") == 0) {
        told->memory_bytes = number;
    }
    print_message("%s %s (%g)\n", name, text, number);
}

static void tells_each_fact_once(struct be_device *device) {
    struct told told = {.memory_bytes = NAN};
    need(device, device->ops->extras->facts, "facts", NULL);
    device->ops->extras->facts(device, hear, &told);
    assert_true(told.count >= 3);
    assert_true(told.memory_bytes == device->info.memory_bytes);
}

/* ---- arrays and launches -------------------------------------------------------------------- */

enum { ITEMS = 100003, BYTES = ITEMS * (int)sizeof(float) };
static float x[ITEMS], y[ITEMS], z[ITEMS];

struct arrays {
    struct be_buffer x, y, z, w;
    struct be_module module;
    struct be_kernel kernel;
};

static void make_kernel(struct be_device *device, struct arrays *a) {
    *a = (struct arrays){0};
    for (size_t i = 0; i < ITEMS; i++) {
        x[i] = be_random_float(1, i) * 2;
        y[i] = be_random_float(2, i) * 8 - 4;
    }
    CHECK(device->ops->program->build(device, &be_program_multiply, &a->module, &error));
    CHECK(device->ops->program->kernel(device, &a->module, "k_multiply", &a->kernel, &error));
}

static void make_arrays(struct be_device *device, struct arrays *a) {
    struct be_buffer *const buffer[] = {&a->x, &a->y, &a->z, &a->w};
    make_kernel(device, a);
    for (size_t i = 0; i < BE_COUNT(buffer); i++) {
        CHECK(device->ops->memory->alloc(device, BYTES, buffer[i], &error));
    }
    put(device, &a->x, 0, x, BYTES);
    put(device, &a->y, 0, y, BYTES);
}

static void free_arrays(struct be_device *device, struct arrays *a) {
    struct be_buffer *const buffer[] = {&a->w, &a->z, &a->y, &a->x};
    for (size_t i = 0; i < BE_COUNT(buffer); i++) {
        device->ops->memory->release(device, buffer[i]);
    }
    device->ops->program->forget(device, &a->kernel);
    device->ops->program->drop(device, &a->module);
}

/* to = a * b */
static void launch(struct be_device *device, const struct be_kernel *kernel,
                   const struct be_buffer *a, const struct be_buffer *b,
                   const struct be_buffer *to) {
    const size_t per_group = (size_t)BE_ELEMENTWISE_LANES * BE_ELEMENTWISE_PER_LANE;
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = a},    {.kind = BE_ARGUMENT_BUFFER, .buffer = b},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = to},   {.kind = BE_ARGUMENT_LONG, .integer = 0},
        {.kind = BE_ARGUMENT_LONG, .integer = ITEMS},
    };
    CHECK(device->ops->program->launch(device, BE_QUEUE_WORK, kernel,
                                       (ITEMS + per_group - 1) / per_group, BE_ELEMENTWISE_LANES,
                                       argument, BE_COUNT(argument), &error));
}

static void poison(struct be_device *device, const struct be_buffer *buffer) {
    CHECK(device->ops->queue->fill(device, BE_QUEUE_WORK, buffer, 0, 0xff, BYTES, &error));
    CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
}

/* ---- groups that run at the same time ------------------------------------------------------- */

/* z = x y of what a group a unit does, with as much shared memory as some kernels ask for. */
static void launches_groups_together(struct be_device *device) {
    struct arrays a;
    const size_t shared_bytes[] = {0, 65536};
    const size_t groups = device->info.units > 0 ? (size_t)device->info.units : 1;
    const size_t done = groups * BE_ELEMENTWISE_LANES * BE_ELEMENTWISE_PER_LANE;
    need(device, device->ops->extras->launch_together, "launches of groups together", NULL);
    make_arrays(device, &a);
    for (size_t i = 0; i < BE_COUNT(shared_bytes); i++) {
        const struct be_argument argument[] = {
            {.kind = BE_ARGUMENT_BUFFER, .buffer = &a.x},
            {.kind = BE_ARGUMENT_BUFFER, .buffer = &a.y},
            {.kind = BE_ARGUMENT_BUFFER, .buffer = &a.z},
            {.kind = BE_ARGUMENT_LONG, .integer = 0},
            {.kind = BE_ARGUMENT_LONG, .integer = ITEMS},
        };
        poison(device, &a.z);
        CHECK(device->ops->extras->launch_together(device, BE_QUEUE_WORK, &a.kernel, groups,
                                                   BE_ELEMENTWISE_LANES, shared_bytes[i], argument,
                                                   BE_COUNT(argument), &error));
        CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
        get(device, z, &a.z, 0, BYTES);
        for (size_t k = 0; k < ITEMS; k++) {
            assert_true(k < done ? z[k] == x[k] * y[k] : isnan(z[k]));
        }
    }
    free_arrays(device, &a);
}

/* ---- graphs --------------------------------------------------------------------------------- */

/* z = x y, and then w = z y, as two launches of one graph. */
static void capture_two(struct be_device *device, const struct arrays *a, struct be_graph *graph) {
    enum be_status status = device->ops->extras->capture(device, BE_QUEUE_WORK, &error);
    if (status == BE_ABSENT) {
        need(device, false, "graphs", error.text);
    }
    CHECK(status);
    launch(device, &a->kernel, &a->x, &a->y, &a->z);
    launch(device, &a->kernel, &a->z, &a->y, &a->w);
    CHECK(device->ops->extras->captured(device, BE_QUEUE_WORK, graph, &error));
    assert_int_equal(graph->nodes, 2);
}

static void replays_what_it_captured(struct be_device *device) {
    struct arrays a;
    struct be_graph graph = {0};
    need(device, device->ops->extras->capture, "graphs", NULL);
    make_arrays(device, &a);
    poison(device, &a.z);
    poison(device, &a.w);
    capture_two(device, &a, &graph);
    CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
    get(device, z, &a.w, 0, BYTES);
    for (size_t i = 0; i < ITEMS; i++) {
        assert_true(isnan(z[i])); /* nothing ran yet */
    }
    for (int round = 0; round < 3; round++) {
        poison(device, &a.z);
        poison(device, &a.w);
        CHECK(device->ops->extras->replay(device, BE_QUEUE_WORK, &graph, &error));
        CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
        get(device, z, &a.w, 0, BYTES);
        for (size_t i = 0; i < ITEMS; i++) {
            float once = x[i] * y[i];
            assert_true(z[i] == once * y[i]);
        }
    }
    device->ops->extras->forget_graph(device, &graph);
    assert_int_equal(graph.handle, 0);
    free_arrays(device, &a);
}

/* A launch after captured runs at once, and the graph reads what its arrays hold when it runs. */
static void launches_beside_a_graph(struct be_device *device) {
    struct arrays a;
    struct be_graph graph = {0};
    need(device, device->ops->extras->capture, "graphs", NULL);
    make_arrays(device, &a);
    capture_two(device, &a, &graph);
    launch(device, &a.kernel, &a.y, &a.y, &a.x); /* x = y y */
    CHECK(device->ops->extras->replay(device, BE_QUEUE_WORK, &graph, &error));
    CHECK(device->ops->extras->replay(device, BE_QUEUE_WORK, &graph, &error));
    launch(device, &a.kernel, &a.w, &a.x, &a.z); /* z = w x */
    CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
    get(device, z, &a.z, 0, BYTES);
    for (size_t i = 0; i < ITEMS; i++) {
        float square = y[i] * y[i];
        float once = square * y[i];
        float twice = once * y[i];
        assert_true(z[i] == twice * square);
    }
    device->ops->extras->forget_graph(device, &graph);
    free_arrays(device, &a);
}

/* ---- unified memory ------------------------------------------------------------------------- */

static void shares_memory(struct be_device *device) {
    struct be_unified from = {0};
    struct be_unified to = {0};
    struct arrays a;
    need(device, device->ops->extras->unify, "unified memory", NULL);
    enum be_status status = device->ops->extras->unify(device, BYTES, &from, &error);
    need(device, status != BE_ABSENT, "unified memory", error.text);
    CHECK(status);
    CHECK(device->ops->extras->unify(device, BYTES, &to, &error));
    assert_int_equal((uintptr_t)from.host, from.buffer.handle);
    assert_int_equal(from.buffer.bytes, BYTES);
    make_kernel(device, &a);
    float *const in = from.host;
    const float *const out = to.host;
    for (int round = 1; round <= 3; round++) { /* the pages go there and back again */
        memset(to.host, 0xff, BYTES);
        for (size_t i = 0; i < ITEMS; i++) {
            in[i] = x[i] * (float)round;
        }
        launch(device, &a.kernel, &from.buffer, &from.buffer, &to.buffer);
        CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
        for (size_t i = 0; i < ITEMS; i++) {
            assert_true(out[i] == in[i] * in[i]);
        }
    }
    device->ops->extras->release_unified(device, &to);
    device->ops->extras->release_unified(device, &from);
    assert_null(from.host);
    free_arrays(device, &a);
}

/* ---- page-locked memory of the caller's ------------------------------------------------------ */

/* Whole pages that are malloc's: copied from and to as if they came from pin, twice over. */
static void locks_memory(struct be_device *device) {
    enum { PAGE = 4096, WHOLE = (BYTES + PAGE - 1) / PAGE * PAGE };
    need(device, device->ops->extras->lock && device->ops->extras->unlock,
         "locked memory of the caller's", NULL);
    unsigned char *memory = aligned_alloc(PAGE, WHOLE);
    struct be_buffer buffer = {0};
    assert_non_null(memory);
    CHECK(device->ops->memory->alloc(device, WHOLE, &buffer, &error));
    for (int round = 1; round <= 2; round++) {
        enum be_status status = device->ops->extras->lock(device, memory, WHOLE, &error);
        need(device, status != BE_ABSENT, "locked memory of the caller's", error.text);
        CHECK(status);
        for (size_t i = 0; i < WHOLE; i++) {
            memory[i] = (unsigned char)(i * (size_t)(130 + round) + i / 251);
        }
        CHECK(device->ops->queue->write(device, BE_QUEUE_IN, &buffer, 0, memory, WHOLE, &error));
        CHECK(device->ops->queue->drain(device, BE_QUEUE_IN, &error));
        memset(memory, 0, WHOLE);
        CHECK(device->ops->queue->read(device, BE_QUEUE_OUT, memory, &buffer, 0, WHOLE, &error));
        CHECK(device->ops->queue->drain(device, BE_QUEUE_OUT, &error));
        device->ops->extras->unlock(device, memory);
        for (size_t i = 0; i < WHOLE; i++) {
            assert_int_equal(memory[i], (unsigned char)(i * (size_t)(130 + round) + i / 251));
        }
    }
    device->ops->memory->release(device, &buffer);
    free(memory);
}

/* ---- matrix products ------------------------------------------------------------------------ */

enum { SIDE = 67, SQUARE = SIDE * SIDE, LONGEST = 8 };

static void store(enum be_precision precision, void *to, size_t at, double value) {
    switch (precision) {
    case BE_FLOAT64:
        ((double *)to)[at] = value;
        break;
    case BE_FLOAT16:
        ((uint16_t *)to)[at] = float16_from((float)value);
        break;
    case BE_BFLOAT16:
        ((uint16_t *)to)[at] = bfloat16_from((float)value);
        break;
    default:
        ((float *)to)[at] = (float)value;
    }
}

static double load(enum be_precision precision, const void *from, size_t at) {
    switch (precision) {
    case BE_FLOAT64:
        return ((const double *)from)[at];
    case BE_FLOAT16:
        return (double)float_of_float16(((const uint16_t *)from)[at]);
    case BE_BFLOAT16:
        return (double)float_of_bfloat16(((const uint16_t *)from)[at]);
    default:
        return (double)((const float *)from)[at];
    }
}

/* The error that is allowed, each as a share: rounding the inputs, each of the sums, the result.
 * The bound of float32 is too narrow for inputs cut to TF32. */
static const struct {
    const char *name;
    size_t bytes;
    double input, sum, result;
} limits[BE_PRECISIONS] = {
    [BE_FLOAT64] = {"float64", 8, 0, 0x1p-52, 0x1p-52},
    [BE_FLOAT32] = {"float32", 4, 0, 0x1p-23, 0x1p-23},
    [BE_TF32] = {"tf32", 4, 0x1p-10, 0x1p-23, 0x1p-23},
    [BE_FLOAT16] = {"float16", 2, 0, 0x1p-23, 0x1p-10},
    [BE_BFLOAT16] = {"bfloat16", 2, 0, 0x1p-23, 0x1p-8},
};

static void check_product(enum be_precision precision, const void *a, const void *b,
                          const void *c) {
    for (size_t column = 0; column < SIDE; column++) {
        for (size_t row = 0; row < SIDE; row++) {
            double exact = 0;
            double size = 0;
            for (size_t k = 0; k < SIDE; k++) {
                double product =
                    load(precision, a, k * SIDE + row) * load(precision, b, column * SIDE + k);
                exact += product;
                size += fabs(product);
            }
            double got = load(precision, c, column * SIDE + row);
            double allowed = (2 * limits[precision].input + SIDE * limits[precision].sum) * size +
                             limits[precision].result * fabs(exact);
            if (!(fabs(got - exact) <= allowed)) {
                fail_msg("%s, row %zu, column %zu: %.17g, not %.17g (off by %g, allowed %g)",
                         limits[precision].name, row, column, got, exact, fabs(got - exact),
                         allowed);
            }
        }
    }
}

/* False: this device has no such precision. */
static bool multiply(struct be_device *device, const struct be_blas *blas,
                     enum be_precision precision) {
    static double a[SQUARE], b[SQUARE], c[SQUARE];
    struct be_buffer on[3] = {{0}};
    const size_t bytes = SQUARE * limits[precision].bytes;
    for (size_t i = 0; i < SQUARE; i++) {
        store(precision, a, i, (double)be_random_float(3, i) * 2 - 1);
        store(precision, b, i, (double)be_random_float(4, i) * 2 - 1);
    }
    memset(c, 0xff, sizeof c);
    for (size_t i = 0; i < BE_COUNT(on); i++) {
        CHECK(device->ops->memory->alloc(device, bytes, &on[i], &error));
    }
    put(device, &on[0], 0, a, bytes);
    put(device, &on[1], 0, b, bytes);
    put(device, &on[2], 0, c, bytes);
    const struct be_gemm gemm = be_gemm_square(precision, SIDE, &on[0], &on[1], &on[2]);
    enum be_status status = device->ops->blas->gemm(device, blas, &gemm, &error);
    if (status == BE_ABSENT) {
        print_message("%s: %s: not tested: %s\n", device->info.id, limits[precision].name,
                      error.text);
    } else {
        CHECK(status);
        CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
        get(device, c, &on[2], 0, bytes);
        check_product(precision, a, b, c);
    }
    for (size_t i = 0; i < BE_COUNT(on); i++) {
        device->ops->memory->release(device, &on[i]);
    }
    return status == BE_OK;
}

static void open_blas(struct be_device *device, struct be_blas *blas) {
    need(device, device->ops->blas, "matrix library", NULL);
    enum be_status status = device->ops->blas->open(device, blas, &error);
    need(device, status != BE_ABSENT, "matrix library", error.text);
    CHECK(status);
    assert_true(blas->name[0] != '\0' && blas->open_s >= 0);
}

static void multiplies_matrices(struct be_device *device) {
    struct be_blas blas = {0};
    int right = 0;
    open_blas(device, &blas);
    for (int precision = 0; precision < BE_PRECISIONS; precision++) {
        right += multiply(device, &blas, (enum be_precision)precision);
    }
    print_message("%s: %s: %d of %d precisions\n", device->info.id, blas.name, right,
                  (int)BE_PRECISIONS);
    assert_true(right > 0);
    device->ops->blas->close(device, &blas);
    assert_int_equal(blas.handle, 0);
    device->ops->blas->close(device, &blas); /* a second time: nothing */
}

static void refuses_wrong_sizes(struct be_device *device) {
    struct be_blas blas = {0};
    struct be_buffer small = {0};
    open_blas(device, &blas);
    CHECK(device->ops->memory->alloc(device, SQUARE * sizeof(float) - 1, &small, &error));
    const struct be_gemm large = be_gemm_square(BE_FLOAT32, SIDE, &small, &small, &small);
    const struct be_gemm none = be_gemm_square(BE_FLOAT32, 0, &small, &small, &small);
    check_fails(device->ops->blas->gemm(device, &blas, &large, &error), BE_USAGE, "bytes");
    check_fails(device->ops->blas->gemm(device, &blas, &none, &error), BE_USAGE, "0 x 0");
    device->ops->memory->release(device, &small);
    device->ops->blas->close(device, &blas);
}

/* ---- between devices ------------------------------------------------------------------------ */

/* The next device of the same backend; NULL: there is none. */
static const struct be_device_info *another(const struct be_device *device) {
    for (int i = 0; i < machine.devices; i++) {
        const struct be_device_info *info = &machine.device[i];
        if (strcmp(info->backend, device->info.backend) == 0 && info->index != device->info.index) {
            return info;
        }
    }
    return NULL;
}

static void copies_from_another_device(struct be_device *device) {
    const struct be_device_info *info = another(device);
    struct be_device *other = NULL;
    struct be_buffer here = {0};
    struct be_buffer there = {0};
    need(device, device->ops->extras->copy_peer, "copies between devices", NULL);
    need(device, info, "second device of its kind beside it", NULL);
    CHECK(device->ops->open(info, team, &other, &error));
    for (size_t i = 0; i < ITEMS; i++) {
        x[i] = be_random_float(5, i);
    }
    CHECK(device->ops->memory->alloc(device, BYTES, &here, &error));
    CHECK(other->ops->memory->alloc(other, BYTES, &there, &error));
    put(other, &there, 0, x, BYTES);
    enum be_status status = BE_OK;
    for (int round = 0; status == BE_OK && round < 2; round++) {
        poison(device, &here);
        status = device->ops->extras->copy_peer(device, BE_QUEUE_WORK, &here, other, &there, BYTES,
                                                &error);
        if (status == BE_OK) {
            CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
            get(device, z, &here, 0, BYTES);
            assert_memory_equal(z, x, BYTES);
        }
    }
    other->ops->memory->release(other, &there);
    other->ops->close(other);
    device->ops->memory->release(device, &here);
    need(device, status != BE_ABSENT, "direct way to the other device", error.text);
    CHECK(status);
}

static void releases_nothing(struct be_device *device) {
    struct be_graph graph = {0};
    struct be_unified unified = {0};
    struct be_blas blas = {0};
    need(device,
         device->ops->extras->forget_graph || device->ops->extras->release_unified ||
             device->ops->blas,
         "such things", NULL);
    if (device->ops->extras->forget_graph) {
        device->ops->extras->forget_graph(device, &graph);
    }
    if (device->ops->extras->release_unified) {
        device->ops->extras->release_unified(device, &unified);
    }
    if (device->ops->blas) {
        device->ops->blas->close(device, &blas);
    }
}

static const struct contract contracts[] = {
    {"tells each fact once", tells_each_fact_once},
    {"launches groups together", launches_groups_together},
    {"replays what it captured", replays_what_it_captured},
    {"launches beside a graph", launches_beside_a_graph},
    {"shares memory", shares_memory},
    {"locks memory", locks_memory},
    {"multiplies matrices", multiplies_matrices},
    {"refuses wrong sizes", refuses_wrong_sizes},
    {"copies from another device", copies_from_another_device},
    {"releases nothing", releases_nothing},
};

int main(void) {
    return run_contracts("device extras", contracts, BE_COUNT(contracts));
}
