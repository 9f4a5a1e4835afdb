/*
 * Inner loops that show what one core can do at most; one thread, the widest vectors there are.
 */
#ifndef BE_MACHINE_CPU_RATES_H
#define BE_MACHINE_CPU_RATES_H

#include <stddef.h>

#include "host/simd.h"
#include "host/stores.h"

/* z = x + 3 y; n a multiple of 64, arrays aligned to 64 bytes. */
typedef void be_cpu_triad(const float *x, const float *y, float *z, size_t n,
                          enum be_stores stores);

/* BE_CPU_SUMMAND added to x where it is, past the caches no more than plainly; n and array as above. */
typedef void be_cpu_update(float *x, size_t n, enum be_stores stores);

/* z = x with streaming stores; n and arrays as above. */
typedef void be_cpu_copy(const float *x, float *z, size_t n);

/* The sum of x, read from four places at once; n and array as above. */
typedef float be_cpu_sum(const float *x, size_t n);

/* Chain k of BE_CPU_CHAINS starts as (k + 1) times a number in every lane and becomes chain x factor + summand
 * in every round. */
enum { BE_CPU_CHAINS = 12 };
#define BE_CPU_START 0.03 /* no multiple of it is 1, which would stay 1 */
#define BE_CPU_FACTOR 0.999
#define BE_CPU_SUMMAND 0.001

/* Runs `rounds` rounds of multiply-adds in registers; returns operations done, and adds all lanes
 * of all chains to *sink. */
typedef double be_cpu_multiply_add(long rounds, float *sink);
typedef double be_cpu_multiply_add64(long rounds, double *sink);

/* Rounds of float32 operations in a row, each of which needs the one before; returns how many operations. */
enum be_cpu_operation { BE_CPU_SUM, BE_CPU_PRODUCT, BE_CPU_MULTIPLY_ADD, BE_CPU_OPERATIONS };
typedef double be_cpu_in_a_row(enum be_cpu_operation operation, long rounds, float *sink);

struct be_cpu_rates {
    const char *name;
    be_cpu_triad *triad;
    be_cpu_update *update;
    be_cpu_copy *copy;
    be_cpu_sum *sum;
    be_cpu_multiply_add *multiply_add;
    be_cpu_multiply_add64 *multiply_add64;
    be_cpu_in_a_row *in_a_row;
};

/* The widest that this CPU runs. */
const struct be_cpu_rates *be_cpu_rates(void);

/* A chain of at least `additions` dependent integer additions, one a cycle on any core of today:
 * what it takes shows the clock. Returns how many there were; *sink receives that too, counted. */
double be_cpu_additions(long additions, unsigned long *sink);

/* cpu_rates_simd.c, compiled once for each instruction set; v3 and v4 on x86-64 only. */
extern BE_SIMD_DECLARE(const struct be_cpu_rates, be_cpu_rates);

#endif
