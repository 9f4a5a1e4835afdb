/* convolve as anybody writes it: for each row of the result, the taps one after the other, each added to the whole row.
 * Compiled once for each instruction set. */
#include "host/simd.h"
#include "workload/convolve/convolve.h"

#include <string.h>

/* to[j] += w from[j + tap - before] wherever that is on the image. */
static inline void add_row(float *restrict to, const float *restrict from, size_t width, float w,
                           size_t tap, size_t before) {
    const size_t begin = tap < before ? before - tap : 0;
    const size_t ahead = tap > before ? tap - before : 0;
    const float *at = from + ahead;
    if (begin >= width || ahead >= width) {
        return;
    }
    _Pragma("omp simd") for (size_t j = 0; j < width - begin - ahead; j++) {
        to[begin + j] += w * at[j];
    }
}

/* Row i + a - before of the image; NULL: beyond it. */
static const float *row_of(const struct be_convolve_part *part, size_t i, size_t a) {
    const size_t row = i + a - part->size->before;
    return row < part->size->height ? part->x + row * part->size->width : NULL;
}

void BE_SIMD_NAME(be_convolve_plain)(const struct be_convolve_part *part) {
    const struct be_convolve_sizes *s = part->size;
    for (size_t i = part->first; i < part->first + part->rows; i++) {
        float *z = part->z + i * s->width;
        memset(z, 0, s->width * sizeof *z);
        for (size_t a = 0; a < s->taps; a++) {
            const float *from = row_of(part, i, a);
            for (size_t b = 0; from && b < s->taps; b++) {
                add_row(z, from, s->width, part->w[a * s->taps + b], b, s->before);
            }
        }
    }
}

/* Down into a row, then across. */
void BE_SIMD_NAME(be_convolve_plain_separable)(const struct be_convolve_part *part) {
    const struct be_convolve_sizes *s = part->size;
    for (size_t i = part->first; i < part->first + part->rows; i++) {
        float *z = part->z + i * s->width;
        memset(part->row, 0, s->width * sizeof *z);
        memset(z, 0, s->width * sizeof *z);
        for (size_t a = 0; a < s->taps; a++) {
            const float *from = row_of(part, i, a);
            if (from) {
                add_row(part->row, from, s->width, part->w[a], s->before, s->before);
            }
        }
        for (size_t b = 0; b < s->taps; b++) {
            add_row(z, part->row, s->width, part->w[s->taps + b], b, s->before);
        }
    }
}
