/*
 * Energy of GPUs on fake management libraries: the right one of several, what is said where there is
 * none, and that each call that fails leaves nothing behind; and a whole comparison that asks for it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/pretend_ceilings.h"

#include "base/error.h"
#include "harness.h"
#include "machine/energy.h"

static char files[] = "/tmp/breakeven-sys-XXXXXX"; /* AMD's driver is there */
static struct be_error error;

static struct be_device_info gpu(const char *backend, const char *address) {
    struct be_device_info info = {.kind = BE_KIND_GPU};
    snprintf(info.id, sizeof info.id, "%s:0", backend);
    be_copy_text(info.backend, sizeof info.backend, backend);
    be_copy_text(info.address, sizeof info.address, address);
    return info;
}

static enum be_status open_energy(const char *backend, const char *address,
                                  struct be_energy *energy) {
    const struct be_device_info info = gpu(backend, address);
    return be_energy_open(&info, files, energy, &error);
}

static void expect_absent(const char *backend, const char *address, const char *words) {
    struct be_energy energy;
    if (open_energy(backend, address, &energy) != BE_ABSENT || !strstr(error.text, words)) {
        fake_complain("%s at \"%s\": \"%s\", not \"%s\"", backend, address, error.text, words);
    }
    be_energy_close(&energy);
    assert_string_equal(fake_untidy(), "");
}

static int reset(void **state) {
    (void)state;
    fake_reset();
    return 0;
}

static void nvidia(void **state) {
    (void)state;
    static const char *const backend[] = {"cuda", "opencl"};
    for (size_t i = 0; i < BE_COUNT(backend); i++) {
        struct be_energy energy;
        double before, after;
        assert_int_equal(open_energy(backend[i], "0000:0f:00.0", &energy), BE_OK);
        assert_string_equal(energy.name, "NVML");
        assert_int_equal(be_energy_read(&energy, &before, &error), BE_OK);
        assert_int_equal(be_energy_read(&energy, &after, &error), BE_OK);
        assert_true(fabs(after - before - 0.1) < 1e-9);
        assert_true(fabs(energy.limit_w - 650) < 1e-9);
        be_energy_close(&energy);
        be_energy_close(&energy); /* empty */
        assert_string_equal(fake_untidy(), "");
    }
}

static void nvidia_without(void **state) {
    (void)state;
    expect_absent("cuda", "MIG-12-34", "part of a GPU");
    expect_absent("cuda", "", "where on the bus");
    expect_absent("cuda", "0000:99:00.0", "nvmlDeviceGetHandleByPciBusId: ");
    fake_lacks[0] = "nvmlDeviceGetTotalEnergyConsumption";
    expect_absent("cuda", "0000:0f:00.0", "has no nvmlDeviceGetTotalEnergyConsumption");
    fake_reset();
    fake_absent[FAKE_NVML] = true;
    expect_absent("cuda", "0000:0f:00.0", "NVIDIA management library");
    expect_absent("null", "", "no energy counter of such a device is known");
    fake_settle();
}

static void amd(void **state) {
    (void)state;
    struct be_energy energy;
    double before, after;
    fakes[FAKE_ROCM]->devices = 2;
    assert_int_equal(open_energy("opencl", "0001:83:00.0", &energy), BE_OK);
    assert_string_equal(energy.name, "ROCm SMI, untested on hardware");
    assert_true(fabs(energy.limit_w - 560) < 1e-9);
    assert_int_equal(be_energy_read(&energy, &before, &error), BE_OK);
    assert_int_equal(be_energy_read(&energy, &after, &error), BE_OK);
    assert_true(fabs(after - before - 500) < 1e-3);
    be_energy_close(&energy);
    assert_string_equal(fake_untidy(), "");
}

/* Then the reasons of both libraries are said. */
static void amd_without(void **state) {
    (void)state;
    fakes[FAKE_ROCM]->devices = 2;
    expect_absent("opencl", "0001:84:00.0", "; ROCm SMI shows no GPU at 0001:84:00.0");
    expect_absent("opencl", "", "where on the bus");
    fake_lacks[0] = "rsmi_dev_pci_id_get";
    expect_absent("opencl", "0001:83:00.0", "no energy counter");
    fake_settle();
}

/* Then there are joules all the same. */
static void without_a_limit(void **state) {
    (void)state;
    struct be_energy energy;
    fake_lacks[0] = "nvmlDeviceGetEnforcedPowerLimit";
    assert_int_equal(open_energy("cuda", "0000:0f:00.0", &energy), BE_OK);
    assert_true(isnan(energy.limit_w));
    be_energy_close(&energy);
    fake_reset();
    fake_fail("nvmlDeviceGetEnforcedPowerLimit", 1, 1, 999);
    assert_int_equal(open_energy("cuda", "0000:0f:00.0", &energy), BE_OK);
    assert_true(isnan(energy.limit_w));
    be_energy_close(&energy);
    assert_string_equal(fake_untidy(), "");
    fake_settle();
}

static void each_call_fails(enum fake_library library, const char *backend, const char *address) {
    struct be_energy energy;
    double joules;
    int failed = 0;
    for (size_t i = 0; i < fakes[library]->functions; i++) {
        const char *name = fakes[library]->function[i].name;
        for (long call = 1; call <= 2; call++) {
            fake_reset();
            fakes[FAKE_ROCM]->devices = 2;
            fake_fail(name, call, call, 999);
            enum be_status status = open_energy(backend, address, &energy);
            if (status == BE_OK && fake_failed(name) == 0) {
                status = be_energy_read(&energy, &joules, &error);
            }
            be_energy_close(&energy);
            /* At the end, in a message, of the power limit, or of the GPU that is not meant. */
            const bool passed_over = strstr(name, "hut") || strstr(name, "String") ||
                                     strstr(name, "PowerLimit") || strstr(name, "power_cap") ||
                                     (strstr(name, "pci_id") && call == 1);
            if ((fake_failed(name) > 0 && !passed_over) != (status != BE_OK)) {
                fake_complain("%s, call %ld: %s", name, call, be_status_name(status));
            }
            if (fake_untidy()[0]) {
                fake_complain("%s, call %ld: %s", name, call, fake_untidy());
            }
            failed += status != BE_OK;
        }
    }
    fake_settle();
    assert_true(failed >= 4);
}

static void each_call_of_nvml_fails(void **state) {
    (void)state;
    each_call_fails(FAKE_NVML, "cuda", "0000:0f:00.0");
}

static void each_call_of_rocm_fails(void **state) {
    (void)state;
    each_call_fails(FAKE_ROCM, "opencl", "0001:83:00.0");
}

/* ---- a whole comparison ------------------------------------------------------------------------- */

/* So high that no result is impossible on memory that is the host's. */
enum be_status __wrap_be_ceilings_device(struct be_device *device, struct be_cancel cancel,
                                         struct be_ceilings *ceilings, struct be_error *ignored);

enum be_status __wrap_be_ceilings_device(struct be_device *device, struct be_cancel cancel,
                                         struct be_ceilings *ceilings, struct be_error *ignored) {
    (void)device;
    return __wrap_be_ceilings_cpu(NULL, 1e6, INFINITY, cancel, ceilings, ignored);
}

static struct be_comparison comparison;

/* In a look at two sizes, else at one. */
static void compare(bool energy, double total_s, bool look) {
    struct be_compare_options options = {.workload = {"multiply"},
                                         .workloads = 1,
                                         .device = {"cuda"},
                                         .devices = 1,
                                         .threads = {1},
                                         .thread_counts = 1,
                                         .size = {20000, 30000},
                                         .sizes = look ? 2 : 1,
                                         .quick = look,
                                         .budget_s = 0.01,
                                         .total_s = total_s,
                                         .energy = energy,
                                         .no_refine = true};
    options.cache[BE_HOT] = true;
    options.placement[BE_RESIDENT] = true;
    fake_reset();
    fakes[FAKE_CUDA]->memory_bytes = (size_t)16 << 20;
    assert_int_equal(be_compare(&options, &comparison, &error), BE_OK);
    assert_int_equal(comparison.results, look ? 4 : 2);
}

/* The result of the GPU, at the first size or the second. */
static const struct be_result *result_at(size_t size) {
    const struct be_result *r = &comparison.result[2 * size];
    r += r->threads != 0;
    assert_int_equal(r->status, BE_RESULT_OK);
    return r;
}

static const struct be_result *result(void) {
    return result_at(0);
}

static void settle(void) {
    be_comparison_free(&comparison);
    assert_string_equal(fake_untidy(), "");
}

static void measured(void **state) {
    (void)state;
    compare(true, 0, false);
    const struct be_result *r = result();
    assert_true(r->joules > 0 && r->joules_lo < r->joules && r->joules < r->joules_hi);
    assert_true(r->joules_hi - r->joules_lo < 0.05 * r->joules);
    assert_true(r->joules / r->energy_s < 1.1 * 650);
    assert_string_equal(r->energy_source, "NVML");
    assert_string_equal(r->energy_note, "");
    settle();
}

static void not_asked_for(void **state) {
    (void)state;
    compare(false, 0, false);
    assert_true(isnan(result()->joules));
    assert_string_equal(result()->energy_note, "");
    assert_int_equal(fake_calls("nvmlDeviceGetTotalEnergyConsumption"), 0);
    settle();
}

static void no_time(void **state) {
    (void)state;
    compare(true, 0.1, false);
    assert_true(isnan(result()->joules));
    assert_string_equal(result()->energy_note, "no time was left for it");
    settle();
}

static void at_the_largest_of_a_look(void **state) {
    (void)state;
    compare(true, 0, true);
    assert_true(isnan(result_at(0)->joules));
    assert_string_equal(result_at(0)->energy_note, "a look measures it at the largest size");
    assert_true(result_at(1)->joules > 0);
    settle();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nvidia, reset),
        cmocka_unit_test_setup(nvidia_without, reset),
        cmocka_unit_test_setup(amd, reset),
        cmocka_unit_test_setup(amd_without, reset),
        cmocka_unit_test_setup(without_a_limit, reset),
        cmocka_unit_test_setup(each_call_of_nvml_fails, reset),
        cmocka_unit_test_setup(each_call_of_rocm_fails, reset),
        cmocka_unit_test_setup(measured, reset),
        cmocka_unit_test_setup(not_asked_for, reset),
        cmocka_unit_test_setup(no_time, reset),
        cmocka_unit_test_setup(at_the_largest_of_a_look, reset),
    };
    char path[128];
    setenv("SLURM_CPUS_PER_TASK", "1", 1);
    assert_non_null(mkdtemp(files));
    static const char *const folder[] = {"/sys", "/sys/class", "/sys/class/kfd"};
    for (size_t i = 0; i < BE_COUNT(folder); i++) {
        snprintf(path, sizeof path, "%s%s", files, folder[i]);
        mkdir(path, 0700);
    }
    fake_open_all();
    int failed = cmocka_run_group_tests_name("energy of fake GPUs", tests, NULL, NULL);
    for (size_t i = BE_COUNT(folder); i > 0; i--) {
        snprintf(path, sizeof path, "%s%s", files, folder[i - 1]);
        rmdir(path);
    }
    rmdir(files);
    return failed;
}
