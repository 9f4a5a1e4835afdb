/* The arguments of a launch: every kind of argument, and parts of buffers. */
#include "devices.h"

#include <math.h>

#include "arguments.h"
#include "kernel_programs.h"

enum { ONE_LANE = 1, FAR = 4096 };

/* Every kind comes as it was given: signs, all bits, and nothing of its neighbours. */
static void passes_every_kind(struct be_device *device) {
    const struct be_device_ops *ops = device->ops;
    const struct be_program program = {
        .name = "arguments", .source = arguments_source, .host = arguments_host};
    struct be_module module = {0};
    struct be_kernel kernel = {0};
    struct be_buffer to = {0};
    double written[ARGUMENTS_WRITTEN];
    enum be_status status = ops->program->build(device, &program, &module, &error);
    if (status == BE_BUILD && strcmp(ops->name, "opencl") == 0) {
        print_message("%s: not tested: %s\n", device->info.id, error.text); /* no float64 */
        skip();
    }
    CHECK(status);
    CHECK(ops->program->kernel(device, &module, "k_arguments", &kernel, &error));
    CHECK(ops->memory->alloc(device, FAR + sizeof written, &to, &error));
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &to, .offset = FAR},
        {.kind = BE_ARGUMENT_LONG, .integer = -((int64_t)1 << 40) - 3},
        {.kind = BE_ARGUMENT_INT, .integer = -7},
        {.kind = BE_ARGUMENT_FLOAT, .real = 0.1f},
        {.kind = BE_ARGUMENT_DOUBLE, .real64 = 0.1},
    };
    CHECK(ops->queue->fill(device, BE_QUEUE_WORK, &to, 0, 0xff, to.bytes, &error));
    CHECK(ops->program->launch(device, BE_QUEUE_WORK, &kernel, 1, ONE_LANE, argument,
                               BE_COUNT(argument), &error));
    CHECK(ops->queue->drain(device, BE_QUEUE_WORK, &error));
    get(device, written, &to, FAR, sizeof written);
    assert_true(written[0] == -1099511627779.0);
    assert_true(written[1] == -7.0);
    assert_true(written[2] == (double)0.1f);
    assert_true(written[3] == 0.1);
    get(device, written, &to, FAR - sizeof written, sizeof written);
    assert_true(isnan(written[3])); /* nothing was written before the offset */
    ops->memory->release(device, &to);
    ops->program->forget(device, &kernel);
    ops->program->drop(device, &module);
}

/* ---- parts of buffers ----------------------------------------------------------------------- */

enum { PIECES = 256, PIECE = FAR / (int)sizeof(float), ITEMS = PIECES * PIECE };
static float x[ITEMS], y[ITEMS], z[ITEMS];

struct arrays {
    struct be_buffer x, y, z;
    struct be_module module;
    struct be_kernel kernel;
};

static void make_arrays(struct be_device *device, struct arrays *a) {
    *a = (struct arrays){0};
    for (int i = 0; i < ITEMS; i++) {
        x[i] = (float)i;
        y[i] = (float)(i % 7 - 3);
    }
    CHECK(device->ops->program->build(device, &be_program_multiply, &a->module, &error));
    CHECK(device->ops->program->kernel(device, &a->module, "k_multiply", &a->kernel, &error));
    CHECK(device->ops->memory->alloc(device, sizeof x, &a->x, &error));
    CHECK(device->ops->memory->alloc(device, sizeof y, &a->y, &error));
    CHECK(device->ops->memory->alloc(device, sizeof z, &a->z, &error));
    put(device, &a->x, 0, x, sizeof x);
    put(device, &a->y, 0, y, sizeof y);
    CHECK(device->ops->queue->fill(device, BE_QUEUE_WORK, &a->z, 0, 0xff, sizeof z, &error));
}

static void free_arrays(struct be_device *device, struct arrays *a) {
    device->ops->memory->release(device, &a->z);
    device->ops->memory->release(device, &a->y);
    device->ops->memory->release(device, &a->x);
    device->ops->program->forget(device, &a->kernel);
    device->ops->program->drop(device, &a->module);
}

/* z[z_at ..] = x[x_at ..] * y for n elements; where in the buffers in bytes. */
static enum be_status launch(struct be_device *device, const struct arrays *a, size_t x_at,
                             size_t z_at, int64_t n) {
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &a->x, .offset = x_at},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &a->y},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &a->z, .offset = z_at},
        {.kind = BE_ARGUMENT_LONG, .integer = 0},
        {.kind = BE_ARGUMENT_LONG, .integer = n},
    };
    return device->ops->program->launch(device, BE_QUEUE_WORK, &a->kernel, 1, BE_ELEMENTWISE_LANES,
                                        argument, BE_COUNT(argument), &error);
}

/* Several launches before anyone waits: each has its own part. */
static void begins_at_an_offset(struct be_device *device) {
    struct arrays a;
    make_arrays(device, &a);
    CHECK(launch(device, &a, 0, FAR, PIECE));
    CHECK(launch(device, &a, FAR, 0, PIECE));
    CHECK(launch(device, &a, 2 * FAR, 2 * FAR, PIECE - 1));
    CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
    get(device, z, &a.z, 0, sizeof z);
    for (int i = 0; i < PIECE; i++) {
        assert_true(z[PIECE + i] == x[i] * y[i]);
        assert_true(z[i] == x[PIECE + i] * y[i]);
        assert_true(i == PIECE - 1 ? isnan(z[2 * PIECE + i])
                                   : z[2 * PIECE + i] == x[2 * PIECE + i] * y[i]);
    }
    free_arrays(device, &a);
}

/* There are five hundred offsets; some were of a buffer that is gone, and whose place another may have. NVIDIA's OpenCL
 * takes time for each that grows with their number: four times as many took minutes. */
static void begins_at_many_offsets(struct be_device *device) {
    enum { STEP = PIECE, COUNT = ITEMS / STEP };
    struct arrays a, b;
    make_arrays(device, &a);
    for (int turn = 0; turn < 3; turn++) {
        make_arrays(device, &b);
        for (int i = 0; i < COUNT; i++) {
            const size_t at = sizeof(float) * STEP * (size_t)i;
            const size_t mirrored = sizeof(float) * STEP * (size_t)(COUNT - 1 - i);
            CHECK(launch(device, turn == 1 ? &a : &b, at, mirrored, STEP));
        }
        CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
        get(device, z, turn == 1 ? &a.z : &b.z, 0, sizeof z);
        for (int i = 0; i < ITEMS; i++) {
            const int from = (COUNT - 1 - i / STEP) * STEP + i % STEP;
            assert_true(z[i] == x[from] * y[i % STEP]);
        }
        free_arrays(device, &b);
    }
    free_arrays(device, &a);
}

/* A graph keeps the parts of its launches. */
static void replays_offsets(struct be_device *device) {
    struct arrays a;
    struct be_graph graph = {0};
    enum be_status status =
        device->ops->extras->capture ? BE_OK : be_fail(&error, BE_ABSENT, "no graphs here");
    make_arrays(device, &a);
    CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
    status = status == BE_OK ? device->ops->extras->capture(device, BE_QUEUE_WORK, &error) : status;
    if (status == BE_ABSENT) {
        free_arrays(device, &a);
        print_message("%s: not tested: %s\n", device->info.id, error.text);
        skip();
    }
    CHECK(launch(device, &a, FAR, 2 * FAR, PIECE));
    CHECK(device->ops->extras->captured(device, BE_QUEUE_WORK, &graph, &error));
    CHECK(device->ops->extras->replay(device, BE_QUEUE_WORK, &graph, &error));
    CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
    get(device, z, &a.z, 0, sizeof z);
    for (int i = 0; i < PIECE; i++) {
        assert_true(isnan(z[i]) && isnan(z[PIECE + i]));
        assert_true(z[2 * PIECE + i] == x[PIECE + i] * y[i]);
    }
    device->ops->extras->forget_graph(device, &graph);
    free_arrays(device, &a);
}

/* Where OpenCL cannot begin it says so; the others can begin at any element. */
static void says_where_it_cannot_begin(struct be_device *device) {
    struct arrays a;
    const size_t odd = 16; /* no OpenCL device may ask for less than its longest vector, 128 */
    make_arrays(device, &a);
    if (strcmp(device->ops->name, "opencl") == 0) {
        check_fails(launch(device, &a, odd, 0, PIECE), BE_USAGE, "argument 0: offset of 16 bytes");
        check_fails(launch(device, &a, 0, sizeof z, PIECE), BE_USAGE, "multiple");
        CHECK(launch(device, &a, 0, 0, PIECE)); /* what failed did no harm */
    } else {
        CHECK(launch(device, &a, odd, odd, PIECE));
    }
    CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
    free_arrays(device, &a);
}

static const struct contract contracts[] = {
    {"passes every kind", passes_every_kind},
    {"begins at an offset", begins_at_an_offset},
    {"begins at many offsets", begins_at_many_offsets},
    {"replays offsets", replays_offsets},
    {"says where it cannot begin", says_where_it_cannot_begin},
};

int main(void) {
    return run_contracts("arguments", contracts, BE_COUNT(contracts));
}
