/* The promises of every backend in device/device.h, on every device that is here. */
#include "devices.h"

#include <math.h>

#include "base/random.h"
#include "kernel_programs.h"

/* ---- what a device says of itself ----------------------------------------------------------- */

static void describes_itself(struct be_device *device) {
    struct be_device_info again[BE_DEVICES_MAX];
    const struct be_device_info *info = &device->info;
    int count = 0;
    CHECK(device->ops->probe(again, BE_DEVICES_MAX, &count, &error));
    assert_in_range(info->index, 0, count - 1);
    assert_string_equal(again[info->index].id, info->id);
    assert_string_equal(again[info->index].address, info->address);
    assert_string_equal(info->backend, device->ops->name);
    assert_int_equal(strncmp(info->id, info->backend, strlen(info->backend)), 0);
    assert_true(info->name[0] != '\0');
    assert_true(info->units > 0);
    assert_true(isnan(info->memory_bytes) || info->memory_bytes > 0);
    assert_true(isnan(info->cache_bytes) || info->cache_bytes > 0);
    assert_true(isnan(info->clock_hz) || info->clock_hz > 1e6);
    assert_true(device->open_s >= 0);
    unsigned domain;
    unsigned bus;
    unsigned slot;
    unsigned function;
    char address[BE_NAME];
    if (info->address[0] && strncmp(info->address, "MIG-", 4) != 0) {
        assert_int_equal(sscanf(info->address, "%x:%x:%x.%x", &domain, &bus, &slot, &function), 4);
        snprintf(address, sizeof address, "%04x:%02x:%02x.%x", domain, bus, slot, function);
        assert_string_equal(info->address, address);
    }
}

static void probes_no_more_than_asked(struct be_device *device) {
    struct be_device_info one[2] = {{.id = ""}, {.id = "untouched"}};
    int count = 0;
    CHECK(device->ops->probe(one, 1, &count, &error));
    assert_int_equal(count, 1);
    assert_string_equal(one[1].id, "untouched");
}

static void opens_again(struct be_device *device) {
    for (int i = 0; i < 2; i++) {
        struct be_device *second = NULL;
        struct be_buffer buffer = {0};
        CHECK(device->ops->open(&device->info, team, &second, &error));
        CHECK(second->ops->memory->alloc(second, 4096, &buffer, &error));
        second->ops->memory->release(second, &buffer);
        second->ops->close(second);
    }
}

static void says_its_state(struct be_device *device) {
    struct be_device_state state;
    double left = 0;
    double all = 0;
    CHECK(device->ops->memory->capacity(device, &left, &all, &error));
    assert_true(isnan(all) || all > 0);
    assert_true(isnan(left) || left >= 0);
    if (device->ops->extras->state) {
        device->ops->extras->state(device, &state);
        assert_true(isnan(state.clock_hz) || state.clock_hz > 1e6);
        assert_true(isnan(state.temperature_c) || state.temperature_c < 150);
    }
}

static void releases_nothing(struct be_device *device) {
    struct be_buffer buffer = {0};
    struct be_pinned pinned = {0};
    struct be_module module = {0};
    struct be_kernel kernel = {0};
    struct be_event event = {0};
    device->ops->memory->release(device, &buffer);
    device->ops->memory->unpin(device, &pinned);
    device->ops->program->forget(device, &kernel);
    device->ops->program->drop(device, &module);
    device->ops->queue->forget_event(device, &event);
}

/* ---- memory --------------------------------------------------------------------------------- */

enum { MIB = 1 << 20 };
static const size_t sizes[] = {1, 4097, MIB + 3};

static void fills(struct be_device *device) {
    static uint8_t bytes[MIB + 3];
    for (size_t s = 0; s < BE_COUNT(sizes); s++) {
        size_t size = sizes[s];
        size_t offset = size / 3;
        struct be_buffer buffer = {0};
        CHECK(device->ops->memory->alloc(device, size, &buffer, &error));
        assert_int_equal(buffer.bytes, size);
        CHECK(device->ops->queue->fill(device, BE_QUEUE_WORK, &buffer, 0, 0x5a, size, &error));
        CHECK(device->ops->queue->fill(device, BE_QUEUE_WORK, &buffer, offset, 0xff, size - offset,
                                       &error));
        CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
        get(device, bytes, &buffer, 0, size);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(bytes[i], i < offset ? 0x5a : 0xff);
        }
        device->ops->memory->release(device, &buffer);
        assert_int_equal(buffer.handle, 0);
    }
}

/* `there` gets `size` random bytes at `offset`, all of it is copied to `back`. */
static void round_trip(struct be_device *device, size_t size, size_t offset) {
    static uint8_t out[MIB + 8192];
    static uint8_t in[MIB + 8192];
    struct be_buffer there = {0};
    struct be_buffer back = {0};
    size_t whole = offset + size;
    for (size_t i = 0; i < whole; i++) {
        out[i] = i < offset ? 0x11 : (uint8_t)be_random_bits(size, i);
    }
    CHECK(device->ops->memory->alloc(device, whole, &there, &error));
    CHECK(device->ops->memory->alloc(device, whole, &back, &error));
    CHECK(device->ops->queue->fill(device, BE_QUEUE_IN, &there, 0, 0x11, whole, &error));
    CHECK(device->ops->queue->fill(device, BE_QUEUE_IN, &back, 0, 0xee, whole, &error));
    put(device, &there, offset, out + offset, size);
    CHECK(device->ops->queue->copy(device, BE_QUEUE_WORK, &back, &there, whole, &error));
    CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
    get(device, in, &back, 0, whole);
    assert_memory_equal(in, out, whole);
    get(device, in, &back, offset, size);
    assert_memory_equal(in, out + offset, size);
    device->ops->memory->release(device, &back);
    device->ops->memory->release(device, &there);
}

static void moves_odd_sizes(struct be_device *device) {
    const size_t offsets[] = {0, 1, 4099};
    for (size_t s = 0; s < BE_COUNT(sizes); s++) {
        for (size_t o = 0; o < BE_COUNT(offsets); o++) {
            round_trip(device, sizes[s], offsets[o]);
        }
    }
}

static void pins(struct be_device *device) {
    for (size_t s = 0; s < BE_COUNT(sizes); s++) {
        struct be_pinned pinned = {0};
        CHECK(device->ops->memory->pin(device, sizes[s], &pinned, &error));
        assert_non_null(pinned.host);
        assert_int_equal(pinned.bytes, sizes[s]);
        assert_int_equal((uintptr_t)pinned.host % 64, 0); /* vector copies rely on it */
        memset(pinned.host, 0x77, sizes[s]);
        device->ops->memory->unpin(device, &pinned);
        assert_null(pinned.host);
    }
}

static void refuses_absurd_sizes(struct be_device *device) {
    struct be_buffer buffer = {0};
    struct be_pinned pinned = {0};
    uint32_t word = 0xdecafbad;
    check_fails(device->ops->memory->alloc(device, (size_t)1 << 60, &buffer, &error), BE_NOMEM,
                "MB");
    assert_int_equal(buffer.handle, 0);
    check_fails(device->ops->memory->pin(device, (size_t)1 << 60, &pinned, &error), BE_NOMEM, "MB");
    assert_null(pinned.host);
    CHECK(device->ops->memory->alloc(device, MIB, &buffer, &error));
    put(device, &buffer, MIB - sizeof word, &word, sizeof word);
    word = 0;
    get(device, &word, &buffer, MIB - sizeof word, sizeof word);
    assert_int_equal(word, 0xdecafbad);
    device->ops->memory->release(device, &buffer);
}

/* ---- programs ------------------------------------------------------------------------------- */

/* Valid CUDA C and OpenCL C but for one name. Host memory backends have no compiler to complain. */
#define BROKEN_SOURCE                                                                              \
    "#ifdef __OPENCL_VERSION__\n#define KERNEL __kernel\n#else\n"                                  \
    "#define KERNEL extern \"C\" __global__\n#endif\n"                                             \
    "KERNEL void f(void) {\n    no_such_variable = 1;\n}\n"

static void says_why_a_program_is_broken(struct be_device *device) {
    const struct be_program broken = {.name = "broken", .source = BROKEN_SOURCE};
    const char *name = device->ops->name;
    bool compiles = strcmp(name, "cuda") == 0 || strcmp(name, "opencl") == 0;
    struct be_module module = {0};
    enum be_status status = device->ops->program->build(device, &broken, &module, &error);
    check_fails(status, BE_BUILD, "broken");
    check_fails(status, BE_BUILD, compiles ? "no_such_variable" : "host");
    assert_null(strchr(error.text, '\n'));
    assert_int_equal(module.handle, 0);
    device->ops->program->drop(device, &module);
}

static void names_the_kernel_it_lacks(struct be_device *device) {
    struct be_module module = {0};
    struct be_kernel kernel = {0};
    CHECK(device->ops->program->build(device, &be_program_multiply, &module, &error));
    assert_true(module.build_s >= 0);
    enum be_status status =
        device->ops->program->kernel(device, &module, "k_absent", &kernel, &error);
    assert_int_not_equal(status, BE_OK);
    assert_non_null(strstr(error.text, "k_absent"));
    assert_int_equal(kernel.handle, 0);
    device->ops->program->drop(device, &module);
}

/* x, y and z of an elementwise program, on the device and here. */
enum { MAX = MIB + 1003 };
struct arrays {
    struct be_buffer x, y, z;
    struct be_module module;
    struct be_kernel kernel;
};
static float x[MAX], y[MAX], z[MAX];

static void make_arrays(struct be_device *device, const char *kernel, struct arrays *a) {
    *a = (struct arrays){0};
    for (size_t i = 0; i < MAX; i++) {
        x[i] = be_random_float(1, i) * 2;
        y[i] = be_random_float(2, i) * 8 - 4;
    }
    const bool power = strcmp(kernel, "k_power") == 0;
    CHECK(device->ops->program->build(device, power ? &be_program_power : &be_program_multiply,
                                      &a->module, &error));
    CHECK(device->ops->program->kernel(device, &a->module, kernel, &a->kernel, &error));
    CHECK(device->ops->memory->alloc(device, sizeof x, &a->x, &error));
    CHECK(device->ops->memory->alloc(device, sizeof y, &a->y, &error));
    CHECK(device->ops->memory->alloc(device, sizeof z, &a->z, &error));
    put(device, &a->x, 0, x, sizeof x);
    put(device, &a->y, 0, y, sizeof y);
}

static void free_arrays(struct be_device *device, struct arrays *a) {
    device->ops->memory->release(device, &a->z);
    device->ops->memory->release(device, &a->y);
    device->ops->memory->release(device, &a->x);
    device->ops->program->forget(device, &a->kernel);
    device->ops->program->drop(device, &a->module);
}

static void launch(struct be_device *device, const struct arrays *a, size_t first, size_t n) {
    const size_t per_group = (size_t)BE_ELEMENTWISE_LANES * BE_ELEMENTWISE_PER_LANE;
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &a->x},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &a->y},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &a->z},
        {.kind = BE_ARGUMENT_LONG, .integer = (int64_t)first},
        {.kind = BE_ARGUMENT_LONG, .integer = (int64_t)n},
    };
    CHECK(device->ops->program->launch(device, BE_QUEUE_WORK, &a->kernel,
                                       (n + per_group - 1) / per_group, BE_ELEMENTWISE_LANES,
                                       argument, BE_COUNT(argument), &error));
}

static bool right(const char *kernel, size_t i) {
    if (strcmp(kernel, "k_multiply") == 0) {
        return z[i] == x[i] * y[i];
    }
    double exact = pow((double)x[i], (double)y[i]);
    return isinf(exact) ? isinf(z[i]) : fabs((double)z[i] - exact) <= 4 * 0x1p-24 * exact;
}

static void computes(struct be_device *device, const char *kernel) {
    const size_t ranges[][2] = {{0, 1}, {0, 1000}, {64, 1003}, {4, MIB}, {0, MAX}};
    const float poison = -77.0f;
    struct arrays a;
    make_arrays(device, kernel, &a);
    for (size_t r = 0; r < BE_COUNT(ranges); r++) {
        size_t first = ranges[r][0];
        size_t n = ranges[r][1];
        for (size_t i = 0; i < MAX; i++) {
            z[i] = poison;
        }
        put(device, &a.z, 0, z, sizeof z);
        launch(device, &a, first, n);
        CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
        get(device, z, &a.z, 0, sizeof z);
        for (size_t i = 0; i < MAX; i++) {
            bool mine = i >= first && i - first < n;
            if (mine ? !right(kernel, i) : z[i] != poison) {
                fail_msg("%s of %zu from %zu: element %zu is %a (%a, %a)", kernel, n, first, i,
                         (double)z[i], (double)x[i], (double)y[i]);
            }
        }
    }
    free_arrays(device, &a);
}

static void multiplies(struct be_device *device) {
    computes(device, "k_multiply");
}

static void raises_to_powers(struct be_device *device) {
    computes(device, "k_power");
}

/* ---- events ---------------------------------------------------------------------------------- */

static void events_are_moments(struct be_device *device) {
    struct be_event from = {0};
    struct be_event to = {0};
    struct be_buffer buffer = {0};
    double seconds = -1;
    CHECK(device->ops->memory->alloc(device, 16 * MIB, &buffer, &error));
    CHECK(device->ops->queue->make_event(device, &from, &error));
    CHECK(device->ops->queue->make_event(device, &to, &error));
    for (int round = 0; round < 3; round++) { /* an event can be recorded again */
        CHECK(device->ops->queue->record(device, BE_QUEUE_WORK, &from, &error));
        CHECK(device->ops->queue->fill(device, BE_QUEUE_WORK, &buffer, 0, (uint8_t)round,
                                       buffer.bytes, &error));
        CHECK(device->ops->queue->record(device, BE_QUEUE_WORK, &to, &error));
        CHECK(device->ops->queue->wait(device, &to, &error));
        CHECK(device->ops->queue->wait(device, &from, &error));
        CHECK(device->ops->queue->elapsed(device, &from, &to, &seconds, &error));
        assert_true(isnan(seconds) || (seconds >= 0 && seconds < 60));
    }
    print_message("filling 16 MiB took %.0f us by the device's clock\n", 1e6 * seconds);
    device->ops->queue->forget_event(device, &to);
    device->ops->queue->forget_event(device, &from);
    device->ops->memory->release(device, &buffer);
}

/* One round puts everything into three queues and waits at the end only: write, kernel, read. */
static void queue_round(struct be_device *device, const struct arrays *a, struct be_event event[3],
                        const struct be_pinned *in, const struct be_pinned *out) {
    const struct be_device_ops *ops = device->ops;
    for (size_t at = 0; at < MAX; at += MAX / 3) { /* several writes: one event after them all */
        size_t count = MAX - at < MAX / 3 ? MAX - at : MAX / 3;
        CHECK(ops->queue->write(device, BE_QUEUE_IN, &a->x, at * sizeof *x, (float *)in->host + at,
                                count * sizeof *x, &error));
    }
    CHECK(ops->queue->record(device, BE_QUEUE_IN, &event[BE_QUEUE_IN], &error));
    CHECK(ops->queue->follow(device, BE_QUEUE_WORK, &event[BE_QUEUE_IN], &error));
    launch(device, a, 0, MAX);
    CHECK(ops->queue->record(device, BE_QUEUE_WORK, &event[BE_QUEUE_WORK], &error));
    CHECK(ops->queue->follow(device, BE_QUEUE_OUT, &event[BE_QUEUE_WORK], &error));
    CHECK(ops->queue->read(device, BE_QUEUE_OUT, out->host, &a->z, 0, sizeof z, &error));
    CHECK(ops->queue->record(device, BE_QUEUE_OUT, &event[BE_QUEUE_OUT], &error));
    CHECK(ops->queue->wait(device, &event[BE_QUEUE_OUT], &error));
}

static void follows_across_queues(struct be_device *device) {
    const struct be_device_ops *ops = device->ops;
    struct be_event event[BE_QUEUES] = {{0}};
    struct be_pinned in = {0};
    struct be_pinned out = {0};
    struct arrays a;
    make_arrays(device, "k_multiply", &a);
    CHECK(ops->memory->pin(device, sizeof x, &in, &error));
    CHECK(ops->memory->pin(device, sizeof z, &out, &error));
    for (int i = 0; i < BE_QUEUES; i++) {
        CHECK(ops->queue->make_event(device, &event[i], &error));
    }
    for (int round = 1; round <= 8; round++) {
        float *const data = in.host;
        for (size_t i = 0; i < MAX; i++) {
            data[i] = x[i] * (float)round;
        }
        memset(out.host, 0xff, out.bytes);
        queue_round(device, &a, event, &in, &out);
        for (size_t i = 0; i < MAX; i++) {
            float want = data[i] * y[i];
            assert_memory_equal(&want, (const float *)out.host + i, sizeof want);
        }
    }
    for (int i = 0; i < BE_QUEUES; i++) {
        ops->queue->forget_event(device, &event[i]);
    }
    ops->memory->unpin(device, &out);
    ops->memory->unpin(device, &in);
    free_arrays(device, &a);
}

static const struct contract contracts[] = {
    {"describes itself", describes_itself},
    {"probes no more than asked", probes_no_more_than_asked},
    {"opens again", opens_again},
    {"says its state", says_its_state},
    {"releases nothing", releases_nothing},
    {"fills", fills},
    {"moves odd sizes", moves_odd_sizes},
    {"pins", pins},
    {"refuses absurd sizes", refuses_absurd_sizes},
    {"says why a program is broken", says_why_a_program_is_broken},
    {"names the kernel it lacks", names_the_kernel_it_lacks},
    {"multiplies", multiplies},
    {"raises to powers", raises_to_powers},
    {"events are moments", events_are_moments},
    {"follows across queues", follows_across_queues},
};

int main(void) {
    return run_contracts("device", contracts, BE_COUNT(contracts));
}
