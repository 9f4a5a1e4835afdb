/* power and multiply against double precision: the host kernels and every SIMD variant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel_programs.h"
#include "workload/elementwise_simd.h"
#include "workload/power/simd.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { SAMPLES = SANITIZED ? 1 << 16 : 1 << 20, ODD = 1003 };

static float x[SAMPLES], y[SAMPLES], z[SAMPLES + ODD];
static double want[SAMPLES];

BE_ELEMENTWISE_LOOPS(multiply);
static be_power_float *const power_of[] = BE_SIMD_EACH(be_power_run);
enum { FLOAT32 };

/* All of an array by the host kernel (HOST_KERNEL), or by an instruction set's code. */
enum { HOST_KERNEL = -1 };
struct subject {
    int simd;
    enum be_stores stores;
    enum be_prefetch ask;
};

static void run_host(int multiply, int64_t first, int64_t n) {
    struct be_launch_point at = {.lanes = {32, 1, 1}};
    const float *in[2] = {x, y};
    float *out = z;
    const void *args[] = {&in[0], &in[1], &out, &first, &n};
    int64_t per_group = at.lanes[0] * BE_ELEMENTWISE_PER_LANE;
    for (at.group[0] = 0; at.group[0] * per_group < n; at.group[0]++)
        for (at.lane[0] = 0; at.lane[0] < at.lanes[0]; at.lane[0]++)
            (multiply ? be_multiply_host : be_power_host)[0].run(&at, args);
}

/* The host kernel writes to z, whatever `to` is. */
static void run_to(struct subject subject, int multiply, float *to, size_t n) {
    if (subject.simd == HOST_KERNEL)
        run_host(multiply, 0, (int64_t)n);
    else if (multiply)
        be_multiply_loops[FLOAT32][subject.simd]((const void *[]){x, y}, to, n, subject.stores);
    else
        power_of[subject.simd](x, y, to, n, subject.stores, subject.ask);
}

static void run(struct subject subject, int multiply, size_t n) {
    run_to(subject, multiply, z, n);
}

static const char *name_of(struct subject subject) {
    return subject.simd == HOST_KERNEL ? "host kernel" : be_simd_name[subject.simd];
}

/* Calls check for the host kernel and for each variant that runs here, with each kind of stores. */
static void each_subject(void (*check)(struct subject, const void *), const void *context) {
    check((struct subject){HOST_KERNEL, BE_STORES_PLAIN, BE_ASK_NOT}, context);
    for (int simd = 0; simd <= (int)be_simd_here(); simd++) {
        for (int stores = 0; stores < BE_STORES; stores++)
            check((struct subject){simd, (enum be_stores)stores, BE_ASK_NOT}, context);
        check((struct subject){simd, BE_STORES_NONTEMPORAL, BE_PREFETCH_L1}, context);
        check((struct subject){simd, BE_STORES_NONTEMPORAL, BE_PREFETCH_L2}, context);
    }
}

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static float unit(void) {
    return (float)(random_bits() >> 40) * 0x1p-24f;
}

static float normal(void) {
    uint32_t bits = 0x00800000u + (uint32_t)(random_bits() % 0x7f000000u);
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* y so that log2 of x^y is `exponent`. */
static float y_for(float base, double exponent) {
    double l = log2(base);
    return l == 0 ? 1.0f : (float)fmin(fmax(exponent / l, -3e38), 3e38);
}

static void draw_unit_square(size_t i) {
    x[i] = unit();
    y[i] = unit();
}

static void draw_all_exponents(size_t i) {
    x[i] = normal();
    y[i] = y_for(x[i], 252.0 * (double)unit() - 126.0);
}

/* About the ends of the float range, the subnormal results and the overflows included. */
static void draw_ends(size_t i) {
    double end = i % 2 ? 126.0 : -126.0;
    x[i] = normal();
    y[i] = y_for(x[i], end + (i % 4 < 2 ? 0.5 : 30.0) * (double)(unit() - 0.5f));
}

/* The first results that are no longer normal, whose exponents round to those of normal ones. */
static void draw_last_normal(size_t i) {
    x[i] = 0.7f + 0.72f * unit();
    y[i] = y_for(x[i], -126.0 + 0x1p-15 * (double)(unit() - 0.5f));
}

/* log2 x is at its least exact where x is near the square roots of 2 and 1/2. */
static void draw_middle(size_t i) {
    x[i] = 0.7f + 0.72f * unit();
    y[i] = y_for(x[i], (i % 2 ? 125.0 : -125.0) + (double)unit());
}

static void draw_near_one(size_t i) {
    double away = ((double)unit() - 0.5) * exp2(-(double)(random_bits() % 22));
    x[i] = 1.0f + (float)away;
    y[i] = y_for(x[i], 252.0 * (double)unit() - 126.0);
}

/* Beside where one interval of a table ends and the next begins (workload/power/tables.h), in the binary
 * orders about 1 and in all. */
static void draw_between_intervals(size_t i) {
    uint32_t order = i % 2 ? 0x7f : 1 + (uint32_t)(random_bits() % 0xfd);
    uint32_t bits = (order << 23) + (uint32_t)(random_bits() % 64 << 17);
    bits += (uint32_t)(random_bits() % 16) - 8;
    memcpy(&x[i], &bits, sizeof x[i]);
    y[i] = y_for(x[i], (i % 4 < 2 ? 125.0 : -125.0) * (double)unit());
}

/* As much as what is rounded off can do: the largest results that are surely normal. */
static void draw_intervals_far(size_t i) {
    draw_between_intervals(i);
    y[i] = y_for(x[i], (i % 4 < 2 ? 125.0 : -125.0) + 0.2 * (double)unit());
}

static const struct draw {
    const char *name;
    void (*at)(size_t i);
} draws[] = {
    {"[0,1)^2", draw_unit_square},
    {"all exponents", draw_all_exponents},
    {"range ends", draw_ends},
    {"middle", draw_middle},
    {"x near 1", draw_near_one},
    {"last normal", draw_last_normal},
    {"intervals", draw_between_intervals},
    {"intervals, far", draw_intervals_far},
};

static double ulps_off(float got, double exact) {
    if (isinf(got) || (float)exact == got)
        return (float)exact == got ? 0.0 : INFINITY;
    int exponent;
    frexp(exact, &exponent);
    return fabs((double)got - exact) / ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

static void check_ulps(struct subject subject, const void *context) {
    const struct draw *draw = context;
    double worst = 0;
    size_t where = 0;
    run(subject, 0, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++) {
        double off = ulps_off(z[i], want[i]);
        if (off > worst) {
            worst = off;
            where = i;
        }
    }
    if (worst > 1.0 || subject.stores == BE_STORES_PLAIN)
        print_message("%-12s %-14s %.3f ulp at (%a, %a)\n", name_of(subject), draw->name, worst,
                      (double)x[where], (double)y[where]);
    assert_true(worst <= 1.0);
}

static void power_is_right_to_one_ulp(void **state) {
    (void)state;
    for (size_t d = 0; d < COUNT(draws); d++) {
        for (size_t i = 0; i < SAMPLES; i++) {
            draws[d].at(i);
            want[i] = pow((double)x[i], (double)y[i]);
        }
        each_subject(check_ulps, &draws[d]);
    }
}

#define TINY 0x1p-149f
#define HUGE_ODD 16777215.0f

/* C17 F.10.4.4, and a few beyond: x, y, x^y. */
static const float annex_f[][3] = {
    {0.0f, -3.0f, INFINITY},
    {-0.0f, -3.0f, -INFINITY},
    {0.0f, -2.0f, INFINITY},
    {-0.0f, -2.0f, INFINITY},
    {0.0f, -2.5f, INFINITY},
    {-0.0f, -2.5f, INFINITY},
    {0.0f, -INFINITY, INFINITY},
    {-0.0f, -INFINITY, INFINITY},
    {0.0f, 3.0f, 0.0f},
    {-0.0f, 3.0f, -0.0f},
    {0.0f, 2.0f, 0.0f},
    {-0.0f, 2.0f, 0.0f},
    {-0.0f, 2.5f, 0.0f},
    {-1.0f, INFINITY, 1.0f},
    {-1.0f, -INFINITY, 1.0f},
    {1.0f, 5.0f, 1.0f},
    {1.0f, -INFINITY, 1.0f},
    {1.0f, NAN, 1.0f},
    {1.0f, 3e38f, 1.0f},
    {0.0f, 0.0f, 1.0f},
    {-3.0f, -0.0f, 1.0f},
    {INFINITY, 0.0f, 1.0f},
    {NAN, 0.0f, 1.0f},
    {2.0f, 0.0f, 1.0f},
    {-2.0f, 0.5f, NAN},
    {-2.0f, -1.5f, NAN},
    {0.5f, -INFINITY, INFINITY},
    {-0.5f, -INFINITY, INFINITY},
    {1.5f, -INFINITY, 0.0f},
    {-1.5f, -INFINITY, 0.0f},
    {0.5f, INFINITY, 0.0f},
    {-0.5f, INFINITY, 0.0f},
    {1.5f, INFINITY, INFINITY},
    {-1.5f, INFINITY, INFINITY},
    {-INFINITY, -3.0f, -0.0f},
    {-INFINITY, -2.0f, 0.0f},
    {-INFINITY, -0.5f, 0.0f},
    {-INFINITY, 3.0f, -INFINITY},
    {-INFINITY, 2.0f, INFINITY},
    {-INFINITY, 0.5f, INFINITY},
    {INFINITY, -2.0f, 0.0f},
    {INFINITY, 2.0f, INFINITY},
    {NAN, 1.0f, NAN},
    {2.0f, NAN, NAN},
    {NAN, NAN, NAN},
    {-2.0f, 3.0f, -8.0f},
    {-2.0f, 2.0f, 4.0f},
    {-1.0f, HUGE_ODD, -1.0f},
    {TINY, 1.0f, TINY},
    {TINY, 0.5f, 0x1.6a09e6p-75f},
    {2.0f, 128.0f, INFINITY},
    {2.0f, 127.0f, 0x1p127f},
    {2.0f, -126.0f, 0x1p-126f},
    {2.0f, -149.0f, TINY},
    {2.0f, -151.0f, 0.0f},
    {2.0f, 3e38f, INFINITY},
    {0.5f, 3e38f, 0.0f},
    {-2.0f, 129.0f, -INFINITY},
    {-2.0f, -151.0f, -0.0f},
    {2.0f, TINY, 1.0f},
    {3.0f, 1.0f, 3.0f},
};

static void check_special(struct subject subject, const void *context) {
    size_t n = *(const size_t *)context;
    run(subject, 0, n);
    for (size_t i = 0; i < n; i++) {
        const float *row = annex_f[i % COUNT(annex_f)];
        int same =
            isnan(row[2]) ? isnan(z[i]) : row[2] == z[i] && !signbit(row[2]) == !signbit(z[i]);
        if (!same)
            print_message("%s: %a ^ %a is %a, not %a\n", name_of(subject), (double)row[0],
                          (double)row[1], (double)row[2], (double)z[i]);
        assert_true(same);
    }
}

static void special_values_are_exact(void **state) {
    (void)state;
    size_t n = 40 * COUNT(annex_f) + 5; /* every row in every place of a vector, and in a tail */
    for (size_t i = 0; i < n; i++) {
        x[i] = annex_f[i % COUNT(annex_f)][0];
        y[i] = annex_f[i % COUNT(annex_f)][1];
    }
    each_subject(check_special, &n);
}

static void check_multiply(struct subject subject, const void *context) {
    (void)context;
    run(subject, 1, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++) {
        float product = x[i] * y[i];
        assert_true(isnan(product) ? isnan(z[i]) : memcmp(&product, &z[i], sizeof product) == 0);
    }
}

static void multiply_is_exact(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        uint32_t bits[2] = {(uint32_t)random_bits(), (uint32_t)(random_bits() >> 32)};
        memcpy(&x[i], &bits[0], sizeof x[i]);
        memcpy(&y[i], &bits[1], sizeof y[i]);
    }
    each_subject(check_multiply, NULL);
}

/* Each length and each misalignment of z writes its own elements and no others. */
static void check_edges(struct subject subject, const void *context) {
    int multiply = *(const int *)context;
    for (size_t n = 0; n < ODD; n += n < 70 ? 1 : 61) {
        for (size_t shift = 0; shift < (subject.simd == HOST_KERNEL ? 1 : 17); shift++) {
            for (size_t i = 0; i < n + shift + 32; i++)
                z[i] = -1.0f;
            run_to(subject, multiply, z + shift, n);
            for (size_t i = 0; i < n + shift + 32; i++)
                assert_true((z[i] == -1.0f) == (i < shift || i >= n + shift));
        }
    }
}

static void edges_are_kept(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++)
        draw_unit_square(i);
    for (int multiply = 0; multiply < 2; multiply++)
        each_subject(check_edges, &multiply);
}

static void host_kernels_start_at_first(void **state) {
    (void)state;
    memset(z, 0, sizeof z);
    run_host(1, 128, 301);
    for (size_t i = 0; i < 1000; i++)
        assert_true(z[i] == (i >= 128 && i < 429 ? x[i] * y[i] : 0.0f));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_is_right_to_one_ulp),   cmocka_unit_test(special_values_are_exact),
        cmocka_unit_test(multiply_is_exact),           cmocka_unit_test(edges_are_kept),
        cmocka_unit_test(host_kernels_start_at_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
