/* Plain multiply-adds of a device, in each precision: checked first, then timed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/probe/devices/device.h"
#include "machine/profile.h"

/* ---- what the kernels should leave in the sink ---------------------------------------------- */

enum { CHAINS = 8, STEPS = 8 };

static double expected32(long lane, long rounds) {
    float a = 0.999f + 1e-6f * (float)lane;
    float sum = 0;
    for (int k = 0; k < CHAINS; k++) {
        float c = 0.1f * (float)(k + 1);
        for (long step = 0; step < STEPS * rounds; step++) {
            c = fmaf(c, a, 0.001f);
        }
        sum += c;
    }
    return (double)sum;
}

static double expected64(long lane, long rounds) {
    double a = 0.999 + 1e-6 * (double)lane;
    double sum = 0;
    for (int k = 0; k < CHAINS; k++) {
        double c = 0.1 * (k + 1);
        for (long step = 0; step < STEPS * rounds; step++) {
            c = fma(c, a, 0.001);
        }
        sum += c;
    }
    return sum;
}

/* To the nearest number of `bits` significant bits, ties to even. */
static double rounded(double x, int bits) {
    int exponent;
    double fraction = frexp(x, &exponent);
    return ldexp(rint(ldexp(fraction, bits)), exponent - bits);
}

/* c = c a + b as the pair kernels do it, in their precision. */
static double expected_pair(double c, long rounds, int bits) {
    const double a = 1 - 0x1p-6;
    const double b = 0x1p-6;
    for (long step = 0; step < STEPS * rounds; step++) {
        c = rounded(c * a + b, bits);
    }
    return c;
}

static double of_float16(unsigned bits) {
    return ldexp(1 + (double)(bits & 0x3ff) / 1024, (int)(bits >> 10) - 15);
}

static double of_bfloat16(unsigned bits) {
    uint32_t whole = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &whole, sizeof value);
    return (double)value;
}

/* ---- one precision -------------------------------------------------------------------------- */

struct precision {
    const char *dtype, *kernel;
    const struct be_program *program;
    double operations; /* of a lane and round */
    size_t lane_bytes; /* of the sink */
    int pair_bits;     /* of a pair kernel; 0: not one */
    double tolerance;  /* the products that give `a` may be fused, or not */
    const char *fact;  /* of the device: 0 means that it has no such arithmetic; NULL: none says */
};

static const struct precision precisions[] = {
    {"float32", "k_fma", &be_program_ceilings, BE_FMA_OPERATIONS, 4, 0, 1e-5, NULL},
    {"float64", "k_fma64", &be_program_probe_float64, BE_FMA_OPERATIONS, 8, 0, 1e-13, "fp64"},
    {"float16", "k_fma_pair", &be_program_probe_float16, BE_FMA_PAIR_OPERATIONS, 8, 11, 0, "fp16"},
    {"bfloat16", "k_fma_pair", &be_program_probe_bfloat16, BE_FMA_PAIR_OPERATIONS, 8, 8, 0, "bf16"},
};

static double found_in(const struct precision *p, const unsigned char *sink, long lane, int half) {
    const unsigned char *at = sink + (size_t)lane * p->lane_bytes;
    float single;
    double wide;
    uint32_t pair;
    if (p->pair_bits) {
        memcpy(&pair, at + 4 * half, sizeof pair);
        return p->pair_bits == 8 ? of_bfloat16(pair >> 16) : of_float16(pair >> 16);
    }
    if (p->lane_bytes == 4) {
        memcpy(&single, at, sizeof single);
        return (double)single;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

static double expected(const struct precision *p, long lane, long rounds, int half) {
    return p->pair_bits         ? expected_pair(half ? 0.75 : 0.5, rounds, p->pair_bits)
           : p->lane_bytes == 4 ? expected32(lane, rounds)
                                : expected64(lane, rounds);
}

/* A few rounds by one group, held against the same on the host. */
static enum be_status check(struct be_bed *bed, const struct precision *p, struct be_error *error) {
    const long rounds = 3;
    unsigned char sink[BE_BED_LANES * 8];
    bed->argument[1].integer = rounds;
    size_t groups = bed->groups;
    bed->groups = 1;
    enum be_status status = be_bed_run(bed, 1, error);
    bed->groups = groups;
    if (status == BE_OK) {
        status = be_bed_fetch(bed, 0, sink, BE_BED_LANES * p->lane_bytes, error);
    }
    for (long lane = 0; status == BE_OK && lane < BE_BED_LANES; lane++) {
        for (int half = 0; half < (p->pair_bits ? 2 : 1); half++) {
            double want = expected(p, lane, rounds, half);
            double got = found_in(p, sink, lane, half);
            if (!(fabs(got - want) <= p->tolerance * fabs(want))) {
                return be_fail(error, BE_WRONG, "%s multiply-adds: lane %ld has %.9g, not %.9g",
                               p->dtype, lane, got, want);
            }
        }
    }
    return status;
}

static enum be_status measure(struct be_probe *probe, const struct be_target *target,
                              const struct precision *p, struct be_error *error) {
    struct be_bed bed = {.device = target->device};
    size_t groups = be_bed_groups(target->device);
    struct be_figure key = be_figure_key(target, "fma");
    be_copy_text(key.dtype, sizeof key.dtype, p->dtype);
    enum be_status status = be_bed_kernel(&bed, p->program, p->kernel, error);
    if (status == BE_OK) {
        status = be_bed_buffer(&bed, 0, groups * BE_BED_LANES * p->lane_bytes, error);
    }
    be_bed_pass_buffer(&bed, 0);
    be_bed_pass_long(&bed, 1);
    bed.groups = groups;
    status = status == BE_OK ? check(&bed, p, error) : status;
    /* Rounds until one launch takes a millisecond: its start is then below a percent. */
    long rounds = 1;
    double seconds = 0;
    while (status == BE_OK && seconds < 1e-3 && rounds < 1L << 30) {
        rounds *= 4;
        bed.argument[1].integer = rounds;
        double start = be_now(&probe->clock);
        status = be_bed_run(&bed, 1, error);
        seconds = be_now(&probe->clock) - start;
    }
    if (status == BE_OK) {
        double work = p->operations * (double)rounds * (double)(groups * BE_BED_LANES);
        status = be_probe_measure(probe, target, &key, work, be_bed_run, &bed, error);
    }
    be_bed_close(&bed);
    return status;
}

enum be_status be_probe_device_rates(struct be_probe *probe, const struct be_target *target,
                                     struct be_error *error) {
    for (size_t i = 0; i < BE_COUNT(precisions); i++) {
        struct be_error failure = {0};
        const char *name = precisions[i].fact;
        const struct be_fact *fact =
            name ? be_profile_fact(probe->profile, target->info->id, name) : NULL;
        if (fact && fact->number == 0) {
            be_probe_remark(probe, "%s: %s multiply-adds: the device has none", target->info->id,
                            precisions[i].dtype);
            continue;
        }
        enum be_status status = measure(probe, target, &precisions[i], &failure);
        if (status == BE_STOPPED) {
            return be_fail(error, status, "%s", failure.text);
        }
        if (status != BE_OK) { /* not every device has every precision */
            be_probe_remark(probe, "%s: %s multiply-adds: not measured: %.160s", target->info->id,
                            precisions[i].dtype, failure.text);
        }
    }
    return BE_OK;
}
