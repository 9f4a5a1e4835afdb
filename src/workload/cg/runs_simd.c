/*
 * q = A p where neighbouring rows are alike: as many nonzeros, each a column further than in the row before, as in a band or
 * on a grid. A group of such rows takes a piece of p a nonzero. Its values take turns in memory: they are dealt out to
 * vectors once, before the first iteration. Groups of other rows go row by row. Compiled once for each instruction set.
 */
#include "workload/cg/cg.h"

#include "host/vector.h"

typedef float half32 __attribute__((vector_size(VECTOR_BYTES / 2)));

VECTOR_INLINE vector64 wide64(const double *from) {
    return load64(from);
}

VECTOR_INLINE vector64 wide32(const float *from) {
    half32 v;
    memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, vector64);
}

/* The nonzeros of each of `rows` rows that are alike; else 0. */
static int32_t like(const struct be_cg_part *part, size_t i, int32_t rows) {
    const int32_t *start = part->start + i;
    const int32_t length = start[1] - start[0];
    const int32_t *column = part->column + start[0];
    int32_t differ = 0;
    for (int32_t k = 1; k <= rows; k++) {
        differ |= start[k] ^ (start[0] + k * length);
    }
    if (differ != 0 || length > BE_CG_RUN_MOST) {
        return 0;
    }
    for (int32_t j = 0; j < (rows - 1) * length; j++) {
        differ |= column[j + length] ^ (column[j] + 1);
    }
    return differ == 0 ? length : 0;
}

#define RUNS(REAL, bits)                                                                           \
    enum { GROUP_##bits = BE_CG_RUN_BYTES / sizeof(REAL) };                                        \
    double BE_SIMD_NAME(be_cg_deal_##bits)(const struct be_cg_part *part) {                        \
        const REAL *value = part->value;                                                           \
        for (size_t i = part->first; i + GROUP_##bits <= part->end; i += GROUP_##bits) {           \
            const size_t group = i / GROUP_##bits;                                                 \
            struct be_cg_run *run = &part->run[group];                                             \
            REAL *to = (REAL *)part->dealt + group * BE_CG_RUN_MOST * GROUP_##bits;                \
            run->length = like(part, i, GROUP_##bits);                                             \
            for (int32_t k = 0; k < run->length; k++, to += GROUP_##bits) {                        \
                const int32_t first = part->start[i] + k;                                          \
                run->column[k] = part->column[first];                                              \
                for (int32_t row = 0; row < GROUP_##bits; row++) {                                 \
                    to[row] = value[first + row * run->length];                                    \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        return 0;                                                                                  \
    }                                                                                              \
    VECTOR_INLINE void group_##bits(const struct be_cg_run *run, const REAL *value,                \
                                    const REAL *restrict p, REAL *restrict q) {                    \
        enum { VECTORS = (int)GROUP_##bits / (int)lanes##bits };                                   \
        vector##bits row[VECTORS] = {{0}};                                                         \
        for (int32_t k = 0; k < run->length; k++, value += GROUP_##bits) {                         \
            for (size_t v = 0; v < VECTORS; v++) {                                                 \
                row[v] += load##bits(value + v * lanes##bits) *                                    \
                          load##bits(p + run->column[k] + v * lanes##bits);                        \
            }                                                                                      \
        }                                                                                          \
        memcpy(q, row, sizeof row);                                                                \
    }                                                                                              \
    static double rows_##bits(const struct be_cg_part *part, size_t first, size_t end) {           \
        const REAL *value = part->value;                                                           \
        const REAL *p = part->p;                                                                   \
        REAL *q = part->q;                                                                         \
        double sum = 0;                                                                            \
        for (size_t i = first; i < end; i++) {                                                     \
            REAL row = 0;                                                                          \
            for (int32_t j = part->start[i]; j < part->start[i + 1]; j++) {                        \
                row += value[j] * p[part->column[j]];                                              \
            }                                                                                      \
            q[i] = row;                                                                            \
            sum += (double)row * (double)p[i];                                                     \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    double BE_SIMD_NAME(be_cg_runs_##bits)(const struct be_cg_part *part) {                        \
        enum { VECTORS = (int)GROUP_##bits / (int)lanes64 };                                       \
        const REAL *p = part->p;                                                                   \
        REAL *q = part->q;                                                                         \
        vector64 sum[VECTORS] = {{0}};                                                             \
        double all = 0;                                                                            \
        size_t i = part->first;                                                                    \
        for (; i + GROUP_##bits <= part->end; i += GROUP_##bits) {                                 \
            const size_t group = i / GROUP_##bits;                                                 \
            const struct be_cg_run *run = &part->run[group];                                       \
            if (run->length == 0) {                                                                \
                all += rows_##bits(part, i, i + GROUP_##bits);                                     \
                continue;                                                                          \
            }                                                                                      \
            group_##bits(run, (const REAL *)part->dealt + group * BE_CG_RUN_MOST * GROUP_##bits,   \
                         p, q + i);                                                                \
            for (size_t v = 0; v < VECTORS; v++) {                                                 \
                sum[v] += wide##bits(q + i + v * lanes64) * wide##bits(p + i + v * lanes64);       \
            }                                                                                      \
        }                                                                                          \
        for (size_t v = 0; v < VECTORS; v++) {                                                     \
            all += all_of64(sum[v]);                                                               \
        }                                                                                          \
        return all + rows_##bits(part, i, part->end);                                              \
    }

RUNS(float, 32)
RUNS(double, 64)
