#include "elementwise_simd.h"

#include "host/cpu_level.h"

static int always(void) {
    return 1;
}

#if defined(__x86_64__)
static int has_v4(void) {
    return be_cpu_level() >= 4;
}
static int has_v3(void) {
    return be_cpu_level() >= 3;
}

const struct be_elementwise_simd be_elementwise_simd_list[] = {
    {"x86-64-v4", be_power_run_v4, be_multiply_run_v4, has_v4},
    {"x86-64-v3", be_power_run_v3, be_multiply_run_v3, has_v3},
    {"plain", be_power_run_plain, be_multiply_run_plain, always},
    {NULL, NULL, NULL, NULL},
};
#else
const struct be_elementwise_simd be_elementwise_simd_list[] = {
    {"plain", be_power_run_plain, be_multiply_run_plain, always},
    {NULL, NULL, NULL, NULL},
};
#endif

const struct be_elementwise_simd *be_elementwise_simd(void) {
    const struct be_elementwise_simd *simd = be_elementwise_simd_list;
    while (!simd->runs_here())
        simd++;
    return simd;
}
