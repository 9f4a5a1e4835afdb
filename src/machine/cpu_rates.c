#include "machine/cpu_rates.h"

#include "host/cpu_level.h"

#if defined(__x86_64__)
const struct be_cpu_rates *be_cpu_rates(void) {
    const int level = be_cpu_level();
    return level >= 4 ? &be_cpu_rates_v4 : level >= 3 ? &be_cpu_rates_v3 : &be_cpu_rates_plain;
}
#else
const struct be_cpu_rates *be_cpu_rates(void) {
    return &be_cpu_rates_plain;
}
#endif

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
