/*
 * Inner loops that show what one core can do at most; one thread, the widest vectors there are.
 */
#ifndef BE_MACHINE_CPU_RATES_H
#define BE_MACHINE_CPU_RATES_H

#include <stddef.h>

/* z = x + 3 y; n a multiple of 64, arrays aligned to 64 bytes; past_cache: streaming stores. */
typedef void be_cpu_triad(const float *x, const float *y, float *z, size_t n, int past_cache);

/* Runs `rounds` rounds of float32 multiply-adds in registers; returns operations done. */
typedef double be_cpu_multiply_add(long rounds, float *sink);

struct be_cpu_rates {
    const char *name;
    be_cpu_triad *triad;
    be_cpu_multiply_add *multiply_add;
};

/* The widest that this CPU runs. */
const struct be_cpu_rates *be_cpu_rates(void);

/* cpu_rates_simd.c, compiled once for each instruction set; v3 and v4 on x86-64 only. */
extern const struct be_cpu_rates be_cpu_rates_plain, be_cpu_rates_v3, be_cpu_rates_v4;

#endif
