/*
 * The first step reads the image, the last one writes it, those in between stay in a block. A last vector that is not full
 * goes by way of a copy.
 */
#include "columns_simd.h"

#include "butterflies.h"
#include "steps_simd.h"

enum { LINE = 16 /* floats */, AHEAD = 2 /* rows of the first step that are asked for before */ };

#define KERNELS BE_SIMD_NAME(be_fft_kernels)

/* Rows of a few columns. */
struct part {
    float *z;
    size_t apart, groups;
};

/* Rows lie too far apart for any core to foresee them. */
static void ask(const float *row, size_t apart, size_t rows, size_t floats) {
    for (size_t j = 0; j < rows; j++) {
        for (size_t c = 0; c < floats; c += LINE) {
            __builtin_prefetch(row + j * apart + c, 0, 3);
        }
    }
}

static void enter(const struct be_fft_steps *steps, const struct part *part, float *block) {
    const size_t radix = steps->radix[0];
    const size_t others = steps->n / radix;
    const size_t floats = part->groups * NUMBERS_FLOATS;
    struct be_fft_few few = {.from_apart = others * part->apart,
                             .from_next = NUMBERS_FLOATS,
                             .to_apart = NUMBERS_FLOATS,
                             .to_next = steps->block * NUMBERS_FLOATS,
                             .count = part->groups,
                             .factors = steps->factors[0]};
    for (size_t p = 0; p < others; p++) {
        /* Behind the last rows come the first ones of the next columns. */
        const size_t later = p + AHEAD;
        ask(later < others ? part->z + later * part->apart
                           : part->z + (later - others) * part->apart + floats,
            others * part->apart, radix, floats);
        few.from = part->z + p * part->apart;
        few.to = block + steps->place[p] * NUMBERS_FLOATS;
        KERNELS.enter[radix](&few);
        few.factors += 2 * (radix - 1);
    }
}

static void leave(const struct be_fft_steps *steps, const struct part *part, const float *block) {
    const size_t radix = steps->radix[steps->steps - 1];
    const size_t s = steps->n / radix;
    struct be_fft_few few = {.from_apart = steps->piece * NUMBERS_FLOATS,
                             .from_next = steps->block * NUMBERS_FLOATS,
                             .to_apart = s * part->apart,
                             .to_next = NUMBERS_FLOATS,
                             .count = part->groups};
    for (size_t q = 0; q < s; q++) {
        few.from = block + q * NUMBERS_FLOATS;
        few.to = part->z + q * part->apart;
        KERNELS.leave[radix](&few);
    }
}

static void run(const struct be_fft_steps *steps, const struct part *part, float *block) {
    enter(steps, part, block);
    for (size_t g = 0; g < part->groups; g++) {
        BE_SIMD_NAME(be_fft_between)(steps, block + g * steps->block * NUMBERS_FLOATS);
    }
    leave(steps, part, block);
}

/* Fewer than a vector has. */
static void run_few(const struct be_fft_image *image, size_t first, size_t count, float *block,
                    float *copy) {
    const struct part part = {copy, NUMBERS_FLOATS, 1};
    const size_t rows = image->steps->n;
    memset(copy, 0, rows * NUMBERS_FLOATS * sizeof *copy);
    for (size_t i = 0; i < rows; i++) {
        memcpy(copy + i * NUMBERS_FLOATS, image->z + i * image->apart + 2 * first,
               2 * count * sizeof *copy);
    }
    run(image->steps, &part, block);
    for (size_t i = 0; i < rows; i++) {
        memcpy(image->z + i * image->apart + 2 * first, copy + i * NUMBERS_FLOATS,
               2 * count * sizeof *copy);
    }
}

void BE_SIMD_NAME(be_fft_columns_run)(const struct be_fft_image *image, size_t first, size_t count,
                                      float *buffer) {
    const size_t end = first + count;
    const size_t groups = be_fft_beside(image->steps) / lanes32;
    for (size_t f = first; f < end;) {
        const size_t now = (end - f) / lanes32 < groups ? (end - f) / lanes32 : groups;
        if (now == 0) {
            run_few(image, f, end - f, buffer, buffer + image->steps->block * NUMBERS_FLOATS);
            return;
        }
        const struct part part = {image->z + 2 * f, image->apart, now};
        run(image->steps, &part, buffer);
        f += now * lanes32;
    }
}
