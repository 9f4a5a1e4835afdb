/* Slower than others of its kind: which figures are held against which, and from where on. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sound.h"
#include "base/error.h"
#include "machine/health.h"
#include "machine/health_slow.h"
#include "machine/profile.h"

#define SLOW "slow-for-its-kind"

static void test_slow_measured(void **state) {
    (void)state;
    struct be_profile reference = sound("n11");
    figure(&reference, "cuda:0", "matmul", "float64", 18e12);
    figure(&reference, "cuda:1", "matmul", "float64", 10e12); /* not the best one */
    be_copy_text(reference.machine.device[GPU].name, BE_NAME, "a100-SXM4-40GB GPU");
    struct be_profile profile = sound("mine");
    figure(&profile, "cuda:0", "matmul", "float64", 18e12);
    figure(&profile, "cuda:1", "matmul", "float64", 0.701 * 18e12);
    check(&profile, &reference);
    assert_int_equal(profile.findings, 0);

    profile.figure[1].value = 0.699 * 18e12;
    check(&profile, &reference);
    assert_int_equal(profile.findings, 1);
    assert_string_equal(profile.finding[0].name, SLOW);
    assert_string_equal(profile.finding[0].device, "cuda:1");
    HAS(profile.finding[0].evidence,
        "matmul float64: 12.6 TFLOP/s, 0.70 x the 18 TFLOP/s of n11, measured");
    HAS(profile.finding[0].advice, "0000:0b:00.0");

    be_copy_text(reference.machine.device[GPU].name, BE_NAME, "NVIDIA A100-SXM4-80GB");
    be_copy_text(reference.machine.device[TWIN].name, BE_NAME, "NVIDIA A100-SXM4-80GB");
    profile.figure[0].value = 0.71 * 18e12;
    check(&profile, &reference);
    assert_int_equal(profile.findings, 0);
    be_profile_free(&profile);
    be_profile_free(&reference);
}

/* A GPU is held against its twin in the same machine too, and neither against itself. */
static void test_slow_twin(void **state) {
    (void)state;
    struct be_profile promised = sound("datasheet");
    figure(&promised, "cuda:0", "fma", "float64", 9.7e12);
    sheet(&promised, NAN);
    struct be_profile profile = sound("mine");
    figure(&profile, "cuda:0", "fma", "float64", 9e12);
    figure(&profile, "cuda:1", "fma", "float64", 6.2e12);
    check(&profile, NULL);
    assert_int_equal(profile.findings, 1);
    assert_string_equal(profile.finding[0].device, "cuda:1");
    HAS(profile.finding[0].evidence, "0.69 x the 9 TFLOP/s of cuda:0 beside it, measured");
    check(&profile, &profile);
    assert_int_equal(profile.findings, 1);

    sheet(&promised, 0.85); /* 0.75 of what programs reach of the data sheet */
    check(&profile, &promised);
    assert_int_equal(profile.findings, 1);
    HAS(profile.finding[0].evidence, "of cuda:0 beside it");
    sheet(&promised, NAN);

    profile.figure[1].value = 6.4e12; /* 0.71 of its twin, 0.66 of the data sheet */
    check(&profile, NULL);
    assert_int_equal(profile.findings, 0);
    check(&profile, &promised);
    assert_int_equal(profile.findings, 1);
    HAS(profile.finding[0].evidence, "of datasheet, data sheet");

    profile.figure[0].value = 6.4e12; /* both are slow */
    check(&profile, &promised);
    assert_int_equal(profile.findings, 2);
    check(&promised, &profile); /* a data sheet is never slow */
    assert_int_equal(promised.findings, 0);
    promised.figure[0].value = 1e12;
    check(&promised, &profile);
    assert_int_equal(promised.findings, 0);
    be_profile_free(&profile);
    be_profile_free(&promised);
}

/* The rate of a cache at a small size is not compared with that of memory at a large one. */
static void test_slow_sizes(void **state) {
    (void)state;
    struct be_profile reference = sound("n11");
    struct be_profile profile = sound("mine");
    figure(&reference, "cuda:0", "triad", "", 9e12)->bytes = 1e6;
    figure(&reference, "cuda:0", "triad", "", 2e12)->bytes = 1e9;
    figure(&profile, "cuda:0", "triad", "", 1e12)->bytes = 1e6;
    figure(&profile, "cuda:0", "triad", "", 2e12)->bytes = 1e9;
    check(&profile, &reference);
    assert_int_equal(profile.findings, 0);
    profile.figure[1].value = 1e12;
    check(&profile, &reference);
    assert_int_equal(profile.findings, 1);
    HAS(profile.finding[0].evidence, "the 2 T");
    be_profile_free(&profile);
    be_profile_free(&reference);
}

static void test_slow_sheet(void **state) {
    (void)state;
    struct be_profile reference = sound("datasheet-a100-40");
    figure(&reference, "cuda:0", "read", "", 1555e9)->unit = BE_UNIT_BYTES_S;
    sheet(&reference, 0.9);
    struct be_profile profile = sound("mine");
    figure(&profile, "cuda:0", "read", "float32", 0.701 * 0.9 * 1555e9)->unit = BE_UNIT_BYTES_S;
    check(&profile, &reference);
    assert_int_equal(profile.findings, 0);
    profile.figure[0].value = 0.699 * 0.9 * 1555e9;
    check(&profile, &reference);
    assert_int_equal(profile.findings, 1);
    HAS(profile.finding[0].evidence, "978 GB/s");
    HAS(profile.finding[0].evidence, "1.4 TB/s of datasheet-a100-40, data sheet x 0.90");

    /* The rate that programs reach is not known: all of it is expected. */
    sheet(&reference, NAN);
    profile.figure[0].value = 0.699 * 1555e9;
    check(&profile, &reference);
    assert_int_equal(profile.findings, 1);
    HAS(profile.finding[0].evidence, "1.55 TB/s of datasheet-a100-40, data sheet");
    profile.figure[0].value = 0.701 * 1555e9;
    check(&profile, &reference);
    assert_int_equal(profile.findings, 0);
    be_profile_free(&profile);
    be_profile_free(&reference);
}

/* A data sheet that promises more does not count where somebody measured. */
static void test_measured_first(void **state) {
    (void)state;
    struct be_profile promised = sound("datasheet");
    figure(&promised, "cuda:0", "fma", "float32", 100e12);
    sheet(&promised, NAN);
    struct be_profile measured = sound("n11");
    figure(&measured, "cuda:0", "fma", "float32", 50e12);
    struct be_profile profile = sound("mine");
    figure(&profile, "cuda:0", "fma", "float32", 40e12);
    for (int i = 0; i < 2; i++) {
        const struct be_profile *references[] = {i ? &measured : &promised,
                                                 i ? &promised : &measured, &profile};
        assert_int_equal(be_profile_check(&profile, references, 3, NULL), BE_OK);
        assert_int_equal(profile.findings, 0);
    }
    check(&profile, &promised);
    assert_int_equal(profile.findings, 1);
    be_profile_free(&profile);
    be_profile_free(&measured);
    be_profile_free(&promised);
}

static struct be_figure *copy(struct be_profile *profile, const char *what, double bytes,
                              double value) {
    struct be_figure *made = figure(profile, "cuda:0", what, "", value);
    made->unit = BE_UNIT_BYTES_S;
    made->bytes = bytes;
    return made;
}

/* The largest size counts, and one size too small to reach the rate says nothing. */
static void test_slow_bus(void **state) {
    (void)state;
    struct be_profile reference = sound("n11");
    copy(&reference, "bus_in_pinned", 1e9, 25e9);
    copy(&reference, "bus_out_pinned", 1e9, 25e9);
    copy(&reference, "bus_in_pinned", 1e3, 1e9);
    struct be_profile profile = sound("mine");
    copy(&profile, "bus_in_pinned", 1e3, 0.1e9);
    copy(&profile, "bus_in_pinned", 1e9, 18e9);
    copy(&profile, "bus_out_pinned", 1e3, 0.1e9);
    check(&profile, &reference);
    assert_int_equal(profile.findings, 0);

    profile.figure[1].value = 12e9;
    copy(&profile, "bus_out_pinned", 1e9, 6e9);
    check(&profile, &reference);
    assert_int_equal(profile.findings, 1);
    HAS(profile.finding[0].evidence, "bus_out_pinned: 6 GB/s, 0.24 x the 25 GB/s");
    HAS(profile.finding[0].evidence, "1 more like it");
    HAS(profile.finding[0].advice, "PCIe");
    be_profile_free(&profile);
    be_profile_free(&reference);
}

static void test_slow_cpu(void **state) {
    (void)state;
    struct be_profile reference = sound("n11");
    figure(&reference, "cpu", "fma", "float64", 1e12)->threads = 16;
    be_copy_text(figure(&reference, "cpu", "matmul", "float64", 1e12)->note, BE_NOTE,
                 "OpenBLAS 0.3");
    struct be_profile profile = sound("mine");
    figure(&profile, "cpu", "fma", "float64", 0.1e12)->threads = 1;
    be_copy_text(figure(&profile, "cpu", "matmul", "float64", 0.1e12)->note, BE_NOTE, "plain C");
    check(&profile, &reference);
    assert_int_equal(profile.findings, 0);

    profile.figure[0].threads = 16;
    check(&profile, &reference);
    assert_int_equal(profile.findings, 1);
    HAS(profile.finding[0].evidence, "fma float64, 16 threads: 100 GFLOP/s, 0.10 x the 1 TFLOP/s");
    HAS(profile.finding[0].advice, "host n12");
    profile.figure[0].value = 1.5e9; /* seen on a machine with four times the load it has cores */
    check(&profile, &reference);
    HAS(profile.finding[0].evidence, "1.5 GFLOP/s, 0.0015 x the 1 TFLOP/s");
    be_copy_text(reference.machine.cpu, BE_NAME, "Intel Xeon 6130");
    check(&profile, &reference);
    assert_int_equal(profile.findings, 0);
    be_profile_free(&profile);
    be_profile_free(&reference);
}

/* A slice is not held against a whole GPU, and one GPU under two backends is judged once. */
static void test_not_judged(void **state) {
    (void)state;
    struct be_profile reference = sound("n11");
    figure(&reference, "cuda:0", "fma", "float64", 9e12);
    struct be_profile profile = sound("mine");
    figure(&profile, "cuda:0", "fma", "float64", 1e12);
    fact(&profile, "cuda:0", "mig", "on", 1);
    check(&profile, &reference);
    assert_null(found(&profile, SLOW));
    assert_non_null(found(&profile, "mig-on"));

    profile.fact[0].number = 0;
    be_copy_text(profile.machine.device[TWIN].same_as, BE_NAME, "cuda:0");
    figure(&profile, "cuda:1", "fma", "float64", 1e12);
    check(&profile, &reference);
    assert_int_equal(profile.findings, 1);
    assert_string_equal(profile.finding[0].device, "cuda:0");

    be_copy_text(profile.machine.device[TWIN].same_as, BE_NAME, "cuda:7"); /* has no figures */
    check(&profile, &reference);
    assert_int_equal(profile.findings, 2);
    be_profile_free(&profile);
    be_profile_free(&reference);
}

static void test_names(void **state) {
    (void)state;
    assert_true(be_same_model("NVIDIA H200", "h200"));
    assert_true(be_same_model("Tesla V100-SXM2-16GB", "NVIDIA V100-SXM2-16GB"));
    assert_true(be_same_model("NVIDIA A100 80GB PCIe", "A100 80GB  PCIE GPU"));
    assert_false(be_same_model("NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB MIG 1g.5gb"));
    assert_false(be_same_model("NVIDIA H200", "NVIDIA H100"));
    assert_false(be_same_model("NVIDIA", "GPU")); /* nothing left to compare */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_measured),  cmocka_unit_test(test_slow_twin),
        cmocka_unit_test(test_slow_sizes),     cmocka_unit_test(test_slow_sheet),
        cmocka_unit_test(test_measured_first), cmocka_unit_test(test_slow_bus),
        cmocka_unit_test(test_slow_cpu),       cmocka_unit_test(test_not_judged),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
