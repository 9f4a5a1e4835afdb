/* For the tests of health: profiles made by hand, of a machine with nothing wrong at first. */
#ifndef TESTS_UNIT_SOUND_H
#define TESTS_UNIT_SOUND_H

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
#include "machine/profile.h"

enum { CPU, GPU, TWIN }; /* places of devices in a profile made here */

static inline struct be_device_info device(const char *id, const char *backend, const char *name,
                                           const char *address, enum be_kind kind) {
    struct be_device_info info = {.kind = kind, .clock_hz = 3e9, .memory_bytes = NAN};
    be_copy_text(info.id, sizeof info.id, id);
    be_copy_text(info.backend, sizeof info.backend, backend);
    be_copy_text(info.name, sizeof info.name, name);
    be_copy_text(info.address, sizeof info.address, address);
    return info;
}

/* A machine of one CPU and two equal GPUs with nothing wrong and nothing measured. */
static inline struct be_profile sound(const char *name) {
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

static inline void fact(struct be_profile *profile, const char *id, const char *name,
                        const char *text, double number) {
    struct be_fact fact = {.number = number};
    be_copy_text(fact.device, sizeof fact.device, id);
    be_copy_text(fact.name, sizeof fact.name, name);
    be_copy_text(fact.text, sizeof fact.text, text);
    assert_int_equal(be_profile_add_fact(profile, &fact, NULL), BE_OK);
}

static inline struct be_figure *figure(struct be_profile *profile, const char *id, const char *what,
                                       const char *dtype, double value) {
    struct be_figure figure = {
        .bytes = NAN, .value = value, .achievable = NAN, .unit = BE_UNIT_FLOP_S, .n = 10};
    be_copy_text(figure.device, sizeof figure.device, id);
    be_copy_text(figure.what, sizeof figure.what, what);
    be_copy_text(figure.dtype, sizeof figure.dtype, dtype);
    assert_int_equal(be_profile_add_figure(profile, &figure, NULL), BE_OK);
    return &profile->figure[profile->figures - 1];
}

static inline void sheet(struct be_profile *profile, double achievable) {
    profile->source = BE_SOURCE_DATA_SHEET;
    for (size_t i = 0; i < profile->figures; i++) {
        profile->figure[i].source = BE_SOURCE_DATA_SHEET;
        profile->figure[i].achievable = achievable;
        profile->figure[i].n = 0;
    }
}

static inline const struct be_finding *found(const struct be_profile *profile, const char *name) {
    for (size_t i = 0; i < profile->findings; i++) {
        if (strcmp(profile->finding[i].name, name) == 0) {
            return &profile->finding[i];
        }
    }
    return NULL;
}

/* Likewise, of one that must be there. */
static inline const struct be_finding *need(const struct be_profile *profile, const char *name) {
    static const struct be_finding none;
    const struct be_finding *there = found(profile, name);
    assert_non_null(there);
    return there ? there : &none;
}

static inline void check(struct be_profile *profile, const struct be_profile *reference) {
    struct be_error error = {0};
    assert_int_equal(be_profile_check(profile, &reference, reference ? 1 : 0, &error), BE_OK);
}

#define HAS(text, part)                                                                            \
    do {                                                                                           \
        if (!strstr(text, part)) {                                                                 \
            fail_msg("no \"%s\" in \"%s\"", part, text);                                           \
        }                                                                                          \
    } while (0)

#endif
