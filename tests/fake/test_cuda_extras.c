/*
 * The CUDA backend's graphs, managed memory, peers and facts on the fake GPU: what it says when a driver or a
 * device lacks them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/device.h"
#include "harness.h"
#include "job.h"
#include "kernel_programs.h"

static struct be_error error;
static struct be_device_info infos[3];

static int start(void **state) {
    (void)state;
    memset(&error, 0, sizeof error);
    fake_reset();
    return 0;
}

static struct be_device *open_gpu(int index) {
    struct be_device *device = NULL;
    int count = 0;
    if (be_cuda_ops.probe(infos, 3, &count, &error) != BE_OK || count <= index ||
        be_cuda_ops.open(&infos[index], NULL, &device, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    return device;
}

static void close_gpu(struct be_device *device) {
    be_cuda_ops.close(device);
    assert_string_equal(fake_untidy(), "");
}

static void expect(enum be_status status, enum be_status wanted, const char *word) {
    if (status != wanted || error.status != wanted || !strstr(error.text, word)) {
        fail_msg("%s with \"%s\" was expected, not %s with \"%s\"", be_status_name(wanted), word,
                 be_status_name(status), error.text);
    }
}

/* ---- facts ---------------------------------------------------------------------------------- */

struct told {
    char name[64][BE_NAME], text[64][BE_NOTE];
    double number[64];
    int count;
};
static struct told told;

static void hear(void *context, const char *name, const char *text, double number) {
    struct told *t = context;
    assert_in_range(t->count, 0, 63);
    be_copy_text(t->name[t->count], BE_NAME, name);
    be_copy_text(t->text[t->count], BE_NOTE, text);
    t->number[t->count++] = number;
}

static int find(const char *name) {
    for (int i = 0; i < told.count; i++) {
        if (strcmp(told.name[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static void ask(struct be_device *device) {
    memset(&told, 0, sizeof told);
    be_cuda_ops.extras->facts(device, hear, &told);
}

static void tells_facts(void **state) {
    (void)state;
    static const struct {
        const char *name, *text;
        double number; /* NAN: none */
    } fact[] = {
        {"driver", "580.0", NAN},
        {"cuda_version", "13.0", 13},
        {"nvrtc_version", "13.0", 13},
        {"compute_capability", "9.0", 9},
        {"pci_address", "0000:0f:00.0", NAN},
        {"uuid", "GPU-00010203-0405-0607-0809-0a0b0c0d0ef0", NAN},
        {"multiprocessors", "4", 4},
        {"memory_bytes", "101 MB", 96 << 20},
        {"cache_bytes", "1.05 MB", 1 << 20},
        {"ecc", "on", 1},
        {"unified_concurrent", "yes", 1},
        {"persistence", "on", 1},
        {"mig", "off", 0},
        {"vbios", "96.00.99.00.01", NAN},
        {"power_w", "345.678 W", 345.678},
        {"power_limit_w", "650 W", 650},
        {"power_limit_max_w", "700 W", 700},
        {"pcie_generation", "4", 4},
        {"pcie_generation_max", "5", 5},
        {"pcie_width", "8 lanes", 8},
        {"pcie_width_max", "16 lanes", 16},
        {"clock_hz", "1950 MHz", 1.95e9},
        {"clock_max_hz", "1980 MHz", 1.98e9},
        {"memory_clock_hz", "3201 MHz", 3.201e9},
        {"memory_clock_max_hz", "3202 MHz", 3.202e9},
        {"temperature_c", "42 C", 42},
        {"temperature_slowdown_c", "87 C", 87},
        {"ecc_errors_corrected", "3 since the driver was loaded, 30 in the device's life", 3},
        {"ecc_errors_uncorrected", "1 since the driver was loaded, 10 in the device's life", 1},
        {"retired_pages", "2 after corrected errors, 0 after uncorrected ones", 2},
        {"remapped_rows",
         "4 after corrected errors, 5 after uncorrected ones, more at the next reset", 9},
        {"remapped_rows_uncorrectable", "5", 5},
        {"remapped_rows_pending", "yes", 1},
        {"remapped_rows_failure", "no", 0},
        {"throttle", "power limit", 4},
        {"processes", "2 others", 2},
    };
    struct be_device *device = open_gpu(0);
    ask(device);
    for (size_t i = 0; i < BE_COUNT(fact); i++) {
        int at = find(fact[i].name);
        if (at < 0 || strcmp(told.text[at], fact[i].text) != 0 ||
            (isnan(fact[i].number)
                 ? !isnan(told.number[at])
                 : !(fabs(told.number[at] - fact[i].number) < 1e-9 * (1 + fabs(fact[i].number))))) {
            fail_msg("%s is \"%s\" (%g), not \"%s\" (%g)", fact[i].name,
                     at < 0 ? "untold" : told.text[at], at < 0 ? NAN : told.number[at],
                     fact[i].text, fact[i].number);
        }
    }
    int more = find("numa_node") >= 0; /* of whatever is at this address here */
    assert_int_equal(told.count, (int)BE_COUNT(fact) + more);
    close_gpu(device);
}

/* A fact that one call cannot tell is left out; all else is told. */
static void leaves_out_what_it_is_not_told(void **state) {
    (void)state;
    const struct be_fake *nvml = fakes[FAKE_NVML];
    struct be_device *device = open_gpu(0);
    ask(device);
    int all = told.count;
    close_gpu(device);
    for (size_t i = 0; i < nvml->functions; i++) {
        const struct be_fake_function *f = &nvml->function[i];
        for (int lacks = 0; lacks < 2 && !f->must; lacks++) {
            fake_reset();
            fake_lacks[0] = lacks ? f->name : NULL;
            device = open_gpu(0);
            if (!lacks) {
                fake_fail(f->name, 1, 100, 3);
            }
            long before = f->calls;
            ask(device);
            bool asked = f->calls > before;
            if (lacks ? asked : asked != (told.count < all)) {
                fail_msg("%s %s: %d facts of %d", f->name, lacks ? "missing" : "failing",
                         told.count, all);
            }
            close_gpu(device);
        }
    }
    fake_reset();
    fake_absent[FAKE_NVML] = true;
    device = open_gpu(0);
    ask(device);
    assert_true(find("compute_capability") >= 0 && find("ecc") >= 0 && find("clock_hz") < 0);
    close_gpu(device);
}

/* Alone; in a container that hides even this process; among more than there is room for. */
static void counts_other_processes(void **state) {
    (void)state;
    static const struct {
        int processes;
        const char *text; /* NULL: nothing is said */
    } count[] = {{0, NULL}, {1, "0 others"}, {2, "1 other"}, {200, "199 others"}};
    for (size_t i = 0; i < BE_COUNT(count); i++) {
        fakes[FAKE_NVML]->processes = count[i].processes;
        struct be_device *device = open_gpu(0);
        ask(device);
        int at = find("processes");
        assert_int_equal(at >= 0, count[i].text != NULL);
        if (at >= 0) {
            assert_string_equal(told.text[at], count[i].text);
        }
        close_gpu(device);
    }
}

/* Parts of one GPU have one place on the bus between them. */
static void tells_parts_apart(void **state) {
    (void)state;
    fakes[FAKE_CUDA]->devices = 2;
    fakes[FAKE_CUDA]->part = true;
    struct be_device *device = open_gpu(1);
    assert_string_equal(infos[0].address, "MIG-00010203-0405-0607-0809-0a0b0c0d0ef0");
    assert_string_equal(infos[1].address, "MIG-00010203-0405-0607-0809-0a0b0c0d0ef1");
    ask(device);
    assert_true(find("uuid") >= 0 && find("pci_address") >= 0 && find("clock_hz") >= 0);
    assert_string_equal(told.text[find("uuid")], infos[1].address);
    assert_string_equal(told.text[find("pci_address")], "0000:0f:00.0");
    close_gpu(device);
}

/* ---- groups that run at the same time ------------------------------------------------------- */

static enum be_status together(struct be_device *device, size_t groups, size_t shared_bytes,
                               int count) {
    struct be_module module = {0};
    struct be_kernel kernel = {0};
    struct be_buffer buffer = {0};
    struct be_argument argument[20] = {{.kind = BE_ARGUMENT_BUFFER, .buffer = &buffer},
                                       {.kind = BE_ARGUMENT_BUFFER, .buffer = &buffer},
                                       {.kind = BE_ARGUMENT_BUFFER, .buffer = &buffer},
                                       {.kind = BE_ARGUMENT_LONG, .integer = 0},
                                       {.kind = BE_ARGUMENT_LONG, .integer = 16}};
    const struct be_device_ops *ops = &be_cuda_ops;
    assert_int_equal(ops->memory->alloc(device, 64, &buffer, &error), BE_OK);
    assert_int_equal(ops->program->build(device, &be_program_multiply, &module, &error), BE_OK);
    assert_int_equal(ops->program->kernel(device, &module, "k_multiply", &kernel, &error), BE_OK);
    enum be_status status = ops->extras->launch_together(device, BE_QUEUE_WORK, &kernel, groups, 32,
                                                         shared_bytes, argument, count, &error);
    struct be_error kept = error;
    assert_int_equal(ops->queue->drain(device, BE_QUEUE_WORK, &error), BE_OK);
    ops->program->forget(device, &kernel);
    ops->program->drop(device, &module);
    ops->memory->release(device, &buffer);
    error = kept;
    return status;
}

static void groups_that_do_not_run_together(void **state) {
    (void)state;
    static const char *const function[] = {"cuLaunchCooperativeKernel", "cuFuncSetAttribute"};
    struct be_device *device = open_gpu(0);
    assert_int_equal(together(device, 4, 0, 5), BE_OK);
    assert_int_equal(fake_calls("cuFuncSetAttribute"), 0);
    assert_int_equal(together(device, 1, 100000, 5), BE_OK);
    expect(together(device, 5, 0, 5), BE_DRIVER, "cuLaunchCooperativeKernel");
    expect(together(device, 1, 1 << 20, 5), BE_DRIVER, "cuFuncSetAttribute");
    expect(together(device, 0, 0, 5), BE_USAGE, "0 groups");
    expect(together(device, 1, 0, 20), BE_USAGE, "20 arguments");
    close_gpu(device);
    for (size_t i = 0; i < BE_COUNT(function); i++) {
        fake_reset();
        fake_lacks[0] = function[i];
        device = open_gpu(0);
        expect(together(device, 1, 0, 5), BE_ABSENT, "groups that wait for each other");
        close_gpu(device);
    }
}

/* ---- graphs --------------------------------------------------------------------------------- */

static void drivers_without_graphs(void **state) {
    (void)state;
    static const char *const function[] = {
        "cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags",
        "cuGraphLaunch",           "cuGraphExecDestroy", "cuGraphDestroy",
    };
    for (size_t i = 0; i < BE_COUNT(function); i++) {
        fake_reset();
        fake_lacks[0] = function[i];
        struct be_device *device = open_gpu(0);
        expect(be_cuda_ops.extras->capture(device, BE_QUEUE_WORK, &error), BE_ABSENT,
               "too old for graphs");
        close_gpu(device);
    }
}

/* The queue runs again after a capture that failed. */
static void a_capture_that_fails(void **state) {
    (void)state;
    static const char *const function[] = {"cuStreamEndCapture", "cuGraphGetNodes",
                                           "cuGraphInstantiateWithFlags"};
    struct be_device *device = open_gpu(0);
    struct be_buffer buffer = {0};
    struct be_pinned pinned = {0};
    assert_int_equal(be_cuda_ops.memory->alloc(device, 64, &buffer, &error), BE_OK);
    assert_int_equal(be_cuda_ops.memory->pin(device, 64, &pinned, &error), BE_OK);
    for (size_t i = 0; i < BE_COUNT(function); i++) {
        struct be_graph graph = {1, 1};
        const uint8_t byte = (uint8_t)(i + 1);
        fake_fail(function[i], 1, 100, 901);
        assert_int_equal(be_cuda_ops.extras->capture(device, BE_QUEUE_WORK, &error), BE_OK);
        expect(be_cuda_ops.extras->captured(device, BE_QUEUE_WORK, &graph, &error), BE_DRIVER,
               function[i]);
        assert_int_equal(graph.handle, 0);
        fake_fail(function[i], 0, 0, 0);
        be_cuda_ops.queue->fill(device, BE_QUEUE_WORK, &buffer, 0, byte, 64, &error);
        be_cuda_ops.queue->read(device, BE_QUEUE_WORK, pinned.host, &buffer, 0, 64, &error);
        assert_int_equal(be_cuda_ops.queue->drain(device, BE_QUEUE_WORK, &error), BE_OK);
        assert_int_equal(((const uint8_t *)pinned.host)[63], byte);
    }
    be_cuda_ops.memory->unpin(device, &pinned);
    be_cuda_ops.memory->release(device, &buffer);
    close_gpu(device);
}

/* ---- managed memory ------------------------------------------------------------------------- */

static void memory_that_cannot_be_shared(void **state) {
    (void)state;
    struct be_unified unified = {0};
    fakes[FAKE_CUDA]->in_turn = true;
    struct be_device *device = open_gpu(0);
    expect(be_cuda_ops.extras->unify(device, 1000, &unified, &error), BE_ABSENT, "may not touch");
    assert_null(unified.host);
    close_gpu(device);
    fake_reset();
    fake_lacks[0] = "cuMemAllocManaged";
    device = open_gpu(0);
    expect(be_cuda_ops.extras->unify(device, 1000, &unified, &error), BE_ABSENT,
           "no managed memory");
    close_gpu(device);
    fake_reset();
    device = open_gpu(0);
    expect(be_cuda_ops.extras->unify(device, (size_t)1 << 40, &unified, &error), BE_NOMEM, "MB");
    be_cuda_ops.extras->release_unified(device, &unified);
    close_gpu(device);
}

/* ---- memory locked where it is --------------------------------------------------------------- */

static void memory_of_the_caller(void **state) {
    (void)state;
    enum { BYTES = 8192 };
    char *memory = aligned_alloc(4096, BYTES);
    struct be_buffer buffer = {0};
    struct be_device *device = open_gpu(0);
    assert_non_null(memory);
    memset(memory, 0x35, BYTES);
    assert_int_equal(be_cuda_ops.memory->alloc(device, BYTES, &buffer, &error), BE_OK);
    assert_int_equal(be_cuda_ops.extras->lock(device, memory, BYTES, &error), BE_OK);
    assert_int_equal(
        be_cuda_ops.queue->write(device, BE_QUEUE_IN, &buffer, 0, memory, BYTES, &error), BE_OK);
    assert_int_equal(be_cuda_ops.queue->drain(device, BE_QUEUE_IN, &error), BE_OK);
    memset(memory, 0, BYTES);
    assert_int_equal(
        be_cuda_ops.queue->read(device, BE_QUEUE_OUT, memory, &buffer, 0, BYTES, &error), BE_OK);
    assert_int_equal(be_cuda_ops.queue->drain(device, BE_QUEUE_OUT, &error), BE_OK);
    be_cuda_ops.extras->unlock(device, memory);
    assert_int_equal(memory[BYTES - 1], 0x35);
    fake_fail("cuMemHostRegister_v2", 2, 2, 2);
    expect(be_cuda_ops.extras->lock(device, memory, BYTES, &error), BE_NOMEM,
           "cuMemHostRegister of 0.0 MB");
    be_cuda_ops.memory->release(device, &buffer);
    close_gpu(device);
    fake_reset();
    fake_lacks[0] = "cuMemHostRegister_v2";
    device = open_gpu(0);
    expect(be_cuda_ops.extras->lock(device, memory, BYTES, &error), BE_ABSENT,
           "page-locks no memory");
    close_gpu(device);
    free(memory);
}

/* ---- peers ---------------------------------------------------------------------------------- */

static enum be_status copy(struct be_device *to, struct be_device *from) {
    struct be_buffer here = {0};
    struct be_buffer there = {0};
    assert_int_equal(be_cuda_ops.memory->alloc(to, 100, &here, &error), BE_OK);
    assert_int_equal(be_cuda_ops.memory->alloc(from, 100, &there, &error), BE_OK);
    enum be_status status =
        be_cuda_ops.extras->copy_peer(to, BE_QUEUE_WORK, &here, from, &there, 100, &error);
    be_cuda_ops.memory->release(from, &there);
    be_cuda_ops.memory->release(to, &here);
    return status;
}

static void asks_once_a_pair(void **state) {
    (void)state;
    fakes[FAKE_CUDA]->devices = 3;
    struct be_device *first = open_gpu(0);
    struct be_device *second = open_gpu(1);
    struct be_device *third = open_gpu(2);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(copy(first, second), BE_OK);
    }
    assert_int_equal(fake_calls("cuCtxEnablePeerAccess"), 2);
    assert_int_equal(copy(first, third), BE_OK);
    assert_int_equal(copy(second, first), BE_OK); /* enabled already: by the first one */
    assert_int_equal(fake_calls("cuCtxEnablePeerAccess"), 6);
    /* Opened anew it is another device, even at the same address. */
    be_cuda_ops.close(second);
    second = open_gpu(1);
    assert_int_equal(copy(first, second), BE_OK);
    assert_int_equal(fake_calls("cuCtxEnablePeerAccess"), 8);
    be_cuda_ops.close(third);
    be_cuda_ops.close(second);
    close_gpu(first);
}

static void devices_that_do_not_reach_each_other(void **state) {
    (void)state;
    static const char *const function[] = {"cuDeviceCanAccessPeer", "cuCtxEnablePeerAccess",
                                           "cuMemcpyPeerAsync"};
    fakes[FAKE_CUDA]->devices = 2;
    struct be_device *first = open_gpu(0);
    struct be_device *second = open_gpu(1);
    expect(copy(first, first), BE_ABSENT, "cuda:0 cannot reach the memory of cuda:0");
    fakes[FAKE_CUDA]->islands = true;
    expect(copy(first, second), BE_ABSENT, "cuda:0 cannot reach the memory of cuda:1");
    fakes[FAKE_CUDA]->islands = false;
    const int code[] = {217, 711}; /* not supported between the two, too many already */
    for (size_t i = 0; i < BE_COUNT(code); i++) {
        fake_fail("cuCtxEnablePeerAccess", 1, 100, code[i]);
        expect(copy(first, second), BE_ABSENT, "cuCtxEnablePeerAccess");
    }
    fake_fail("cuCtxEnablePeerAccess", 0, 0, 0);
    assert_int_equal(copy(first, second), BE_OK);
    be_cuda_ops.close(second);
    close_gpu(first);
    for (size_t i = 0; i < BE_COUNT(function); i++) {
        fake_reset();
        fakes[FAKE_CUDA]->devices = 2;
        fake_lacks[0] = function[i];
        first = open_gpu(0);
        second = open_gpu(1);
        expect(copy(first, second), BE_ABSENT, "no copies between devices");
        be_cuda_ops.close(second);
        close_gpu(first);
    }
}

#define TEST(name) cmocka_unit_test_setup(name, start)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(tells_facts),
        TEST(leaves_out_what_it_is_not_told),
        TEST(counts_other_processes),
        TEST(tells_parts_apart),
        TEST(groups_that_do_not_run_together),
        TEST(drivers_without_graphs),
        TEST(a_capture_that_fails),
        TEST(memory_that_cannot_be_shared),
        TEST(memory_of_the_caller),
        TEST(asks_once_a_pair),
        TEST(devices_that_do_not_reach_each_other),
    };
    fake_open_all();
    job_prepare();
    int failed = cmocka_run_group_tests_name("cuda extras on a fake GPU", tests, NULL, NULL);
    job_end();
    return failed;
}
