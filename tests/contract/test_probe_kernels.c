/*
 * The kernels of the ceilings and of the probe on every device: what they write is what plain C makes of
 * the same. Nothing is timed.
 */
#include "devices.h"

#include <math.h>

#include "kernels/host.h"
#include "machine/probe/devices/device.h"
#include "machine/profile.h"

enum { NUMBERS = 3 * 4 * BE_BED_LANES + 8 }; /* the last group has less to do than the others */

/* Groups of `each` numbers a lane. */
static size_t groups_of(size_t each) {
    return (NUMBERS + each * BE_BED_LANES - 1) / (each * BE_BED_LANES);
}

/* A bed with that kernel and buffers for `bytes` each, their bits all 1 (NaN). It stays where it is: the
 * arguments point into it. */
static void make_bed(struct be_bed *bed, struct be_device *device, const struct be_program *program,
                     const char *kernel, int buffers, size_t bytes) {
    *bed = (struct be_bed){.device = device, .groups = 1};
    CHECK(be_bed_kernel(bed, program, kernel, &error));
    for (int i = 0; i < buffers; i++) {
        CHECK(be_bed_buffer(bed, i, bytes, &error));
        CHECK(device->ops->queue->fill(device, BE_QUEUE_WORK, &bed->buffer[i], 0, 0xff, bytes,
                                       &error));
        CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
        be_bed_pass_buffer(bed, i);
    }
}

/* z = x + 3 y, and nothing behind its end. */
static void triad(struct be_device *device) {
    static float x[NUMBERS + 4], y[NUMBERS + 4], z[NUMBERS + 4];
    struct be_bed bed;
    make_bed(&bed, device, &be_program_ceilings, "k_triad", 3, sizeof x);
    for (int i = 0; i < NUMBERS + 4; i++) {
        x[i] = (float)i;
        y[i] = (float)(i % 7 - 3);
    }
    put(device, &bed.buffer[0], 0, x, sizeof x);
    put(device, &bed.buffer[1], 0, y, sizeof y);
    be_bed_pass_long(&bed, NUMBERS);
    bed.groups = groups_of(BE_TRIAD_PER_LANE);
    CHECK(be_bed_run(&bed, 1, &error));
    CHECK(be_bed_fetch(&bed, 2, z, sizeof z, &error));
    for (int i = 0; i < NUMBERS + 4; i++) {
        assert_true(i < NUMBERS ? z[i] == x[i] + 3 * y[i] : isnan(z[i]));
    }
    be_bed_close(&bed);
}

/* Each number is read once a round, by whichever group has it then: small whole numbers, so that sums are exact. A lane
 * reads first what it has begun with. */
static void reads_all(struct be_device *device) {
    enum { GROUPS = 3, ROUNDS = 2, LANES = GROUPS * BE_BED_LANES, COUNT = 4 * 5 * LANES };
    static float x[COUNT];
    float sink[LANES];
    struct be_bed bed;
    make_bed(&bed, device, &be_program_ceilings, "k_read", 2, sizeof x);
    double expected = 0;
    double found = 0;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)(i % 11);
        expected += ROUNDS * (double)x[i] + (i < 4 * BE_BED_LANES ? GROUPS * (double)x[i] : 0);
    }
    put(device, &bed.buffer[0], 0, x, sizeof x);
    be_bed_pass_long(&bed, COUNT);
    be_bed_pass_long(&bed, GROUPS);
    be_bed_pass_long(&bed, ROUNDS);
    bed.groups = GROUPS;
    CHECK(be_bed_run(&bed, 1, &error));
    CHECK(be_bed_fetch(&bed, 1, sink, sizeof sink, &error));
    for (int i = 0; i < LANES; i++) {
        found += (double)sink[i];
    }
    assert_true(found == expected);
    be_bed_close(&bed);
}

static void writes(struct be_device *device) {
    float z[NUMBERS + 4];
    struct be_bed bed;
    make_bed(&bed, device, &be_program_ceilings, "k_write", 1, sizeof z);
    be_bed_pass_long(&bed, NUMBERS);
    be_bed_pass_float(&bed, 0.1f);
    bed.groups = groups_of(BE_WRITE_PER_LANE);
    CHECK(be_bed_run(&bed, 1, &error));
    CHECK(be_bed_fetch(&bed, 0, z, sizeof z, &error));
    for (int i = 0; i < NUMBERS + 4; i++) {
        assert_true(i < NUMBERS ? z[i] == 0.1f : isnan(z[i]));
    }
    be_bed_close(&bed);
}

/* Operations in a row, each of the result of the one before. */
static void in_a_row(struct be_device *device) {
    enum { FEW = 32, ROUNDS = 3 };
    float z[FEW];
    struct be_bed bed;
    make_bed(&bed, device, &be_program_ceilings, "k_row", 1, sizeof z);
    be_bed_pass_long(&bed, ROUNDS);
    bed.lanes = FEW;
    CHECK(be_bed_run(&bed, 1, &error));
    CHECK(be_bed_fetch(&bed, 0, z, sizeof z, &error));
    for (int lane = 0; lane < FEW; lane++) {
        double right = 0.1;
        for (int k = 0; k < ROUNDS * BE_ROW_OPERATIONS; k++) {
            right = right * (0.999 + 1e-6 * lane) + 0.001;
        }
        assert_true(fabs((double)z[lane] / right - 1) < 1e-5);
    }
    be_bed_close(&bed);
}

/* For no numbers nothing is written; for some, the first. */
static void writes_nothing(struct be_device *device) {
    for (int n = 0; n < 2; n++) {
        float z[2];
        struct be_bed bed;
        make_bed(&bed, device, &be_program_probe, "k_nothing", 1, sizeof z);
        be_bed_pass_long(&bed, n);
        bed.lanes = 1;
        CHECK(be_bed_run(&bed, 1, &error));
        CHECK(be_bed_fetch(&bed, 0, z, sizeof z, &error));
        assert_true(n == 0 ? isnan(z[0]) : z[0] == 0);
        assert_true(isnan(z[1]));
        be_bed_close(&bed);
    }
}

/* ---- random numbers ------------------------------------------------------------------------- */

static double double_at(const void *z, size_t i) {
    return ((const double *)z)[i];
}

static double float_at(const void *z, size_t i) {
    return (double)((const float *)z)[i];
}

static double bfloat_at(const void *z, size_t i) {
    const uint32_t bits = (uint32_t)((const uint16_t *)z)[i] << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double half_at(const void *z, size_t i) {
    const unsigned bits = ((const uint16_t *)z)[i];
    const double size = (bits & 0x7fff) == 0
                            ? 0
                            : ldexp(1 + (bits & 0x3ff) / 1024.0, (int)(bits >> 10 & 0x1f) - 15);
    return bits & 0x8000 ? -size : size;
}

static const struct random {
    const char *kernel;
    const struct be_program *program;
    size_t bytes;
    int bits; /* 48: two numbers of 24 */
    double (*at)(const void *z, size_t i);
} randoms[] = {
    {"k_random_float32", &be_program_probe, 4, 24, float_at},
    {"k_random_bfloat16", &be_program_probe, 2, 8, bfloat_at},
    {"k_random_float16", &be_program_probe, 2, 11, half_at},
    {"k_random_float64", &be_program_probe_float64, 8, 48, double_at},
};

static void check_random(struct be_device *device, const struct random *r) {
    enum { SEED = 4711, BEHIND = 4 };
    _Alignas(8) unsigned char z[(NUMBERS + BEHIND) * sizeof(double)];
    const size_t bytes = (NUMBERS + BEHIND) * r->bytes;
    struct be_bed bed;
    make_bed(&bed, device, r->program, r->kernel, 1, bytes);
    be_bed_pass_long(&bed, NUMBERS);
    be_bed_pass_long(&bed, SEED);
    bed.groups = groups_of(BE_RANDOM_PER_LANE);
    CHECK(be_bed_run(&bed, 1, &error));
    CHECK(be_bed_fetch(&bed, 0, z, bytes, &error));
    for (unsigned i = 0; i < NUMBERS; i++) {
        const double expected = r->bits == 48
                                    ? (double)be_probe_random(SEED + i, 24) +
                                          ldexp((double)be_probe_random(~(SEED + i), 24), -24)
                                    : (double)be_probe_random(SEED + i, r->bits);
        if (r->at(z, i) != expected) {
            fail_msg("%s: number %u is %g, not %g", r->kernel, i, r->at(z, i), expected);
        }
    }
    for (size_t i = NUMBERS * r->bytes; i < bytes; i++) {
        assert_int_equal(z[i], 0xff);
    }
    be_bed_close(&bed);
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

static struct be_probe probe_of(struct be_profile *profile,
                                const struct be_probe_options *options) {
    return (struct be_probe){.options = options,
                             .profile = profile,
                             .clock = be_clock_host(),
                             .rule = {.precision = 0.1, .min = 5, .budget_s = 1e-3},
                             .at = ""};
}

/* The step itself checks what they come to: there is a figure of what was right. */
static void multiplies_and_adds(struct be_device *device) {
    static const struct {
        const char *dtype, *fact;
    } types[] = {{"float32", NULL}, {"float64", "fp64"}, {"float16", "fp16"}};
    const struct be_probe_options options = {.quick = true};
    const struct be_target target = {.info = &device->info, .device = device, .team = team};
    struct be_profile profile = {0};
    struct be_probe probe = probe_of(&profile, &options);
    const bool on_host = strcmp(device->ops->name, "null") == 0 || !device->ops->extras->facts;
    CHECK(be_probe_device_facts(&probe, &target, &error));
    CHECK(be_probe_device_rates(&probe, &target, &error));
    for (size_t i = 0; i < BE_COUNT(types); i++) {
        const struct be_fact *fact =
            types[i].fact ? be_profile_fact(&profile, device->info.id, types[i].fact) : NULL;
        const bool lacks = fact ? fact->number == 0 : on_host && i == 2;
        if (!lacks &&
            !be_profile_figure(&profile, device->info.id, "fma", types[i].dtype, 0, NAN, NULL)) {
            fail_msg("%s: no %s multiply-adds: %s", device->info.id, types[i].dtype,
                     profile.remarks ? profile.remark[profile.remarks - 1] : "nothing is said");
        }
    }
    be_profile_free(&profile);
}

static void makes_random_numbers(struct be_device *device) {
    for (size_t i = 0; i < BE_COUNT(randoms); i++) {
        check_random(device, &randoms[i]);
    }
}

int main(void) {
    static const struct contract contracts[] = {
        {"z = x + 3 y", triad},
        {"reads all numbers", reads_all},
        {"writes a number", writes},
        {"writes nothing", writes_nothing},
        {"operations in a row", in_a_row},
        {"multiplies and adds", multiplies_and_adds},
        {"makes random numbers", makes_random_numbers},
    };
    return run_contracts("probe_kernels", contracts, BE_COUNT(contracts));
}
