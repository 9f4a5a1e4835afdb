#include "workload/recurrence/plain_simd.h"

double BE_SIMD_NAME(be_pick_plain_sum_run)(const int32_t *o, const float *a, const float *d,
                                           size_t n) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) {
        const float odd = a[i], even = d[i];
        sum += (double)(o[i] % 2 == 0 ? even : odd);
    }
    return sum;
}

void BE_SIMD_NAME(be_pick_plain_scan_run)(const int32_t *o, const float *a, const float *d,
                                          float *r, size_t n, double before) {
    const float *const from[2] = {d, a}; /* by an index: a branch would be mispredicted */
    float sum = (float)before;
    for (size_t i = 0; i < n; i++) {
        sum += from[(uint32_t)o[i] % 2][i];
        r[i] = sum;
    }
}
