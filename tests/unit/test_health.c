/* Every health rule on profiles made by hand: it fires beyond its threshold, not before it. */
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
#include "machine/profile.h"

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
    profile.machine.cores = 128; /* of which these are some: the others' load is not ours */
    check(&profile, NULL);
    assert_null(found(&profile, "cpu-busy"));
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

/* The findings of others stay; a finding of these rules is said once however often they are
 * asked. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),     cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_twins),     cmocka_unit_test(test_surroundings),
        cmocka_unit_test(test_disturbed), cmocka_unit_test(test_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
