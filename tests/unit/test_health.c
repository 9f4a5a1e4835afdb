/* Every health rule on profiles made by hand: it fires beyond its threshold, not before it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "machine/health.h"
#include "machine/health_slow.h"
#include "machine/profile.h"

enum { CPU, GPU, TWIN }; /* places of devices in a profile made here */

static struct be_device_info device(const char *id, const char *backend, const char *name,
                                    const char *address, enum be_kind kind) {
    struct be_device_info info = {.kind = kind, .clock_hz = 3e9, .memory_bytes = NAN};
    be_copy_text(info.id, sizeof info.id, id);
    be_copy_text(info.backend, sizeof info.backend, backend);
    be_copy_text(info.name, sizeof info.name, name);
    be_copy_text(info.address, sizeof info.address, address);
    return info;
}

/* A machine of one CPU and two equal GPUs with nothing wrong and nothing measured. */
static struct be_profile sound(const char *name) {
    struct be_profile profile = {.source = BE_SOURCE_MEASURED};
    be_copy_text(profile.name, sizeof profile.name, name);
    be_copy_text(profile.machine.host, sizeof profile.machine.host, "n12");
    be_copy_text(profile.machine.cpu, sizeof profile.machine.cpu, "Intel Xeon 8480");
    profile.machine.cores_allowed = 16;
    profile.machine.device[CPU] = device("cpu", "cpu", "Intel Xeon 8480", "", BE_KIND_CPU);
    profile.machine.device[GPU] =
        device("cuda:0", "cuda", "NVIDIA A100-SXM4-40GB", "0000:0a:00.0", BE_KIND_GPU);
    profile.machine.device[TWIN] =
        device("cuda:1", "cuda", "NVIDIA A100-SXM4-40GB", "0000:0b:00.0", BE_KIND_GPU);
    profile.machine.devices = 3;
    profile.environment.load_average = NAN;
    profile.environment.steal = NAN;
    return profile;
}

static void fact(struct be_profile *profile, const char *id, const char *name, const char *text,
                 double number) {
    struct be_fact fact = {.number = number};
    be_copy_text(fact.device, sizeof fact.device, id);
    be_copy_text(fact.name, sizeof fact.name, name);
    be_copy_text(fact.text, sizeof fact.text, text);
    assert_int_equal(be_profile_add_fact(profile, &fact, NULL), BE_OK);
}

static struct be_figure *figure(struct be_profile *profile, const char *id, const char *what,
                                const char *dtype, double value) {
    struct be_figure figure = {
        .bytes = NAN, .value = value, .achievable = NAN, .unit = BE_UNIT_FLOP_S, .n = 10};
    be_copy_text(figure.device, sizeof figure.device, id);
    be_copy_text(figure.what, sizeof figure.what, what);
    be_copy_text(figure.dtype, sizeof figure.dtype, dtype);
    assert_int_equal(be_profile_add_figure(profile, &figure, NULL), BE_OK);
    return &profile->figure[profile->figures - 1];
}

static void sheet(struct be_profile *profile, double achievable) {
    profile->source = BE_SOURCE_DATA_SHEET;
    for (size_t i = 0; i < profile->figures; i++) {
        profile->figure[i].source = BE_SOURCE_DATA_SHEET;
        profile->figure[i].achievable = achievable;
        profile->figure[i].n = 0;
    }
}

static const struct be_finding *found(const struct be_profile *profile, const char *name) {
    for (size_t i = 0; i < profile->findings; i++) {
        if (strcmp(profile->finding[i].name, name) == 0) {
            return &profile->finding[i];
        }
    }
    return NULL;
}

/* Likewise, of one that must be there. */
static const struct be_finding *need(const struct be_profile *profile, const char *name) {
    static const struct be_finding none;
    const struct be_finding *there = found(profile, name);
    assert_non_null(there);
    return there ? there : &none;
}

static void check(struct be_profile *profile, const struct be_profile *reference) {
    struct be_error error = {0};
    assert_int_equal(be_profile_check(profile, &reference, reference ? 1 : 0, &error), BE_OK);
}

#define HAS(text, part)                                                                            \
    do {                                                                                           \
        if (!strstr(text, part)) {                                                                 \
            fail_msg("no \"%s\" in \"%s\"", part, text);                                           \
        }                                                                                          \
    } while (0)

/* ---- one rule each -------------------------------------------------------------------------- */

/* Up to three facts of cuda:0, and the finding they must lead to; NULL: to none at all. */
struct fact_case {
    const char *finding;
    const char *evidence; /* part of it */
    struct {
        const char *name, *text;
        double number;
    } fact[3];
};

static const struct fact_case fact_cases[] = {
    {"pcie-narrow",
     "x8 under load, of x16",
     {{"pcie_width_load", "8", 8}, {"pcie_width_max", "16", 16}}},
    {NULL, NULL, {{"pcie_width_load", "16", 16}, {"pcie_width_max", "16", 16}}},
    {NULL, NULL, {{"pcie_width_load", "8", 8}}},
    {"pcie-slow",
     "generation 3 under load, of 4",
     {{"pcie_generation_load", "3", 3}, {"pcie_generation_max", "4", 4}}},
    {NULL, NULL, {{"pcie_generation_load", "4", 4}, {"pcie_generation_max", "4", 4}}},
    {"ecc-retired", "3 pages", {{"retired_pages", "3", 3}}},
    {"ecc-retired", "2 rows", {{"remapped_rows_uncorrectable", "2", 2}}},
    {"ecc-retired", "no spare row", {{"remapped_rows_failure", "yes", 1}}},
    {NULL,
     NULL,
     {{"retired_pages", "0", 0},
      {"remapped_rows_uncorrectable", "0", 0},
      {"remapped_rows_failure", "no", 0}}},
    {"ecc-errors", "7 uncorrected", {{"ecc_errors_uncorrected", "7", 7}}},
    {NULL, NULL, {{"ecc_errors_uncorrected", "0", 0}}},
    {NULL, NULL, {{"ecc_errors_uncorrected", "not supported", NAN}}},
    {"ecc-pending", "reset", {{"remapped_rows_pending", "1", 1}}},
    {NULL, NULL, {{"remapped_rows_pending", "0", 0}}},
    {"throttled", "hw_slowdown", {{"throttle_seen", "hw_slowdown", NAN}}},
    {"throttled", "hw_thermal_slowdown", {{"throttle_seen", "hw_thermal_slowdown", NAN}}},
    {"throttled", "hw_power_brake", {{"throttle_seen", "hw_power_brake_slowdown", NAN}}},
    {"throttled",
     "up to 91 C, slows at 90",
     {{"throttle_seen", "sw_thermal_slowdown", NAN},
      {"temperature_max_c", "91", 91},
      {"temperature_slowdown_c", "90", 90}}},
    {"throttled",
     "1480 of 2000 MHz",
     {{"throttle_seen", "sw_power_cap", NAN},
      {"clock_load_min_hz", "", 1.48e9},
      {"clock_max_hz", "", 2e9}}},
    {NULL,
     NULL,
     {{"throttle_seen", "sw_power_cap", NAN},
      {"clock_load_min_hz", "", 1.52e9},
      {"clock_max_hz", "", 2e9}}},
    {NULL, NULL, {{"throttle_seen", "sw_power_cap", NAN}}},
    {NULL,
     NULL,
     {{"throttle_seen", "none", 0}, {"clock_load_min_hz", "", 1e9}, {"clock_max_hz", "", 2e9}}},
    {"power-capped", "269 W, of 300", {{"power_limit_w", "", 269}, {"power_limit_max_w", "", 300}}},
    {NULL, NULL, {{"power_limit_w", "", 271}, {"power_limit_max_w", "", 300}}},
    {"mig-on", "slice", {{"mig", "on", 1}}},
    {NULL, NULL, {{"mig", "off", 0}}},
};

static void test_facts(void **state) {
    (void)state;
    for (size_t i = 0; i < BE_COUNT(fact_cases); i++) {
        const struct fact_case *c = &fact_cases[i];
        struct be_profile profile = sound("mine");
        for (size_t j = 0; j < BE_COUNT(c->fact) && c->fact[j].name; j++) {
            fact(&profile, "cuda:0", c->fact[j].name, c->fact[j].text, c->fact[j].number);
        }
        check(&profile, NULL);
        if (profile.findings != (c->finding ? 1 : 0)) {
            fail_msg("case %zu (%s): %zu findings", i, c->fact[0].name, profile.findings);
        }
        if (c->finding) {
            assert_string_equal(profile.finding[0].name, c->finding);
            assert_string_equal(profile.finding[0].device, "cuda:0");
            HAS(profile.finding[0].evidence, c->evidence);
            HAS(profile.finding[0].advice, "NVIDIA A100-SXM4-40GB at 0000:0a:00.0 in host n12");
        }
        be_profile_free(&profile);
    }
}

/* The advice is a whole sentence, whatever the names. */
static void test_long_names(void **state) {
    (void)state;
    struct be_profile reference = sound("n11");
    struct be_profile profile = sound("mine");
    for (size_t i = 0; i < BE_COUNT(fact_cases); i++) {
        for (size_t j = 0; j < BE_COUNT(fact_cases[i].fact) && fact_cases[i].finding; j++) {
            const char *name = fact_cases[i].fact[j].name;
            if (name && strcmp(name, "mig") != 0) {
                fact(&profile, "cuda:0", name, fact_cases[i].fact[j].text,
                     fact_cases[i].fact[j].number);
            }
        }
    }
    const char *what[] = {"fma", "copy", "bus_in_pinned"};
    for (size_t i = 0; i < BE_COUNT(what); i++) {
        figure(&reference, "cuda:0", what[i], "", 2e12);
        figure(&profile, "cuda:0", what[i], "", 1e12);
    }
    memset(profile.machine.host, 'h', BE_NAME - 1);
    memset(profile.machine.device[GPU].name, 'n', BE_NAME * 2 - 1);
    memset(profile.machine.device[GPU].address, 'a', BE_NAME - 1);
    memset(reference.machine.device[GPU].name, 'n', BE_NAME * 2 - 1);
    check(&profile, &reference);
    assert_int_equal(profile.findings, 10);
    for (size_t i = 0; i < profile.findings; i++) {
        const char *advice = profile.finding[i].advice;
        assert_non_null(strchr(".?", advice[strlen(advice) - 1]));
        assert_true(strlen(advice) < BE_NOTE - 1);
    }
    be_profile_free(&profile);
    be_profile_free(&reference);
}

static void test_twins(void **state) {
    (void)state;
    struct be_profile profile = sound("mine");
    fact(&profile, "cuda:0", "retired_pages", "0", 0);
    fact(&profile, "cuda:1", "retired_pages", "4", 4);
    check(&profile, NULL);
    assert_int_equal(profile.findings, 1);
    assert_string_equal(profile.finding[0].device, "cuda:1");
    HAS(profile.finding[0].advice, "0000:0b:00.0");
    assert_null(strstr(profile.finding[0].advice, "0000:0a:00.0"));
    be_profile_free(&profile);
}

static void test_surroundings(void **state) {
    (void)state;
    struct be_profile profile = sound("mine");
    profile.environment.steal = 0.019;
    profile.environment.load_average = 7.9;
    be_copy_text(profile.environment.governor, BE_NAME, "powersave");
    figure(&profile, "cpu", "clock", "", 2.2e9)->threads = 16;
    figure(&profile, "cpu", "clock", "", 2.3e9)->threads = 1;
    check(&profile, NULL);
    assert_int_equal(profile.findings, 0);

    profile.environment.steal = 0.021;
    profile.environment.load_average = 8.1;
    profile.figure[1].value = 2.2e9;
    check(&profile, NULL);
    assert_int_equal(profile.findings, 3);
    HAS(need(&profile, "cpu-stolen")->evidence, "2.1 %");
    HAS(need(&profile, "cpu-busy")->evidence, "8.1 before the probe, on 16 cores");
    HAS(need(&profile, "governor")->evidence, "powersave: 2.20 GHz under load, of 3.00");
    HAS(need(&profile, "governor")->advice, "host n12");

    be_copy_text(profile.environment.governor, BE_NAME, "performance");
    check(&profile, NULL);
    assert_null(found(&profile, "governor"));
    be_profile_free(&profile);
}

static void test_disturbed(void **state) {
    (void)state;
    struct be_profile profile = sound("mine");
    figure(&profile, "cpu", "fma", "float32", 1e12)->threads = 16;
    figure(&profile, "cpu", "matmul", "float32", 1.04e12)->threads = 16;
    check(&profile, NULL);
    assert_null(found(&profile, "disturbed"));
    profile.figure[profile.figures - 1].value = 1.06e12;
    check(&profile, NULL);
    HAS(need(&profile, "disturbed")->evidence, "1.06e+03 GFLOP/s");
    be_profile_free(&profile);
}

/* What others found stays, what these rules found is said once however often they are asked. */
static void test_again(void **state) {
    (void)state;
    struct be_profile profile = sound("mine");
    struct be_finding other = {.name = "disk-full"};
    assert_int_equal(be_profile_add_finding(&profile, &other, NULL), BE_OK);
    fact(&profile, "cuda:0", "mig", "on", 1);
    check(&profile, NULL);
    check(&profile, NULL);
    assert_int_equal(profile.findings, 2);
    assert_non_null(found(&profile, "disk-full"));
    profile.fact[0].number = 0;
    check(&profile, NULL);
    assert_int_equal(profile.findings, 1);
    assert_non_null(found(&profile, "disk-full"));
    be_profile_free(&profile);
}

/* ---- slower than others --------------------------------------------------------------------- */

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

/* What a cache gives at a small size is not held against what memory gives at a large one. */
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

    /* What programs reach is not known: all of it is expected. */
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
        cmocka_unit_test(test_facts),          cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_twins),          cmocka_unit_test(test_surroundings),
        cmocka_unit_test(test_disturbed),      cmocka_unit_test(test_again),
        cmocka_unit_test(test_slow_measured),  cmocka_unit_test(test_slow_twin),
        cmocka_unit_test(test_slow_sizes),     cmocka_unit_test(test_slow_sheet),
        cmocka_unit_test(test_measured_first), cmocka_unit_test(test_slow_bus),
        cmocka_unit_test(test_slow_cpu),       cmocka_unit_test(test_not_judged),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
