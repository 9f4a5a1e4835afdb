#include "machine/cpu_rates.h"

#include "host/simd.h"

const struct be_cpu_rates *be_cpu_rates(void) {
    static const struct be_cpu_rates *const each[BE_SIMDS] = BE_SIMD_EACH(&be_cpu_rates);
    return each[be_simd_here()];
}

/* From a register: an addition of a constant may be folded with others before it is executed. */
#if defined(__x86_64__)
#define ADD(sum, one) __asm__ volatile("add %1, %0" : "+r"(sum) : "r"(one) : "cc")
#else
#define ADD(sum, one)                                                                              \
    do {                                                                                           \
        (sum) += (one);                                                                            \
        __asm__ volatile("" : "+r"(sum));                                                          \
    } while (0)
#endif

double be_cpu_additions(long additions, unsigned long *sink) {
    enum { UNROLLED = 64 };
    unsigned long sum = 0;
    unsigned long one = 1;
    __asm__ volatile("" : "+r"(one)); /* its value is not known to the compiler */
    const long rounds = additions / UNROLLED + (additions % UNROLLED != 0);
    for (long round = 0; round < rounds; round++) {
#pragma GCC unroll 64
        for (int k = 0; k < UNROLLED; k++) {
            ADD(sum, one);
        }
    }
    *sink = sum;
    return (double)rounds * UNROLLED;
}
