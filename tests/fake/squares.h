/* Batches of square matrices of either type in memory, whose singular values a made-up library finds the plain way. */
#ifndef TESTS_FAKE_SQUARES_H
#define TESTS_FAKE_SQUARES_H

#include <stdbool.h>
#include <stdint.h>

#include "eigen.h"

enum { SVD_NUMBERS = 3 }; /* scratch: so many for each row of each matrix */

struct squares {
    void *a, *values, *u, *v, *device;
    int *info;
    int64_t n, count;
    bool is_double;
};

static inline double square_number(const struct squares *m, const void *from, size_t i) {
    return m->is_double ? ((const double *)from)[i] : (double)((const float *)from)[i];
}

static inline void put_square_number(const struct squares *m, void *to, size_t i, double number) {
    if (m->is_double) {
        ((double *)to)[i] = number;
    } else {
        ((float *)to)[i] = (float)number;
    }
}

/* Scratch is written into, all that was promised, and A is spoilt. */
static inline void run_svd(const void *context) {
    struct squares m;
    memcpy(&m, context, sizeof m);
    const size_t n = (size_t)m.n;
    const size_t each = m.is_double ? sizeof(double) : sizeof(float);
    double *room = calloc(n * (2 * n + 1), sizeof *room);
    memset(m.device, 0xdd, SVD_NUMBERS * n * (size_t)m.count * each);
    for (size_t s = 0; room && s < (size_t)m.count; s++) {
        for (size_t i = 0; i < n * n; i++) {
            room[i] = square_number(&m, m.a, s * n * n + i);
        }
        m.info[s] = plain_svd(room, room + n * n, n, room + 2 * n * n);
        for (size_t i = 0; i < n * n; i++) {
            put_square_number(&m, m.u, s * n * n + i, room[i]);
            put_square_number(&m, m.v, s * n * n + i, room[n * n + i]);
        }
        for (size_t i = 0; i < n; i++) {
            put_square_number(&m, m.values, s * n + i, room[2 * n * n + i]);
        }
    }
    memset(m.a, 0xdd, n * n * (size_t)m.count * each);
    free(room);
}

#endif
