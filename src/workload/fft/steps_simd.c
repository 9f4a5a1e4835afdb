#include "steps_simd.h"

#include "radices.h"

VECTOR_INLINE void do_few(const struct be_fft_few *few, const size_t radix, const bool raw_from,
                          const bool raw_to, const bool last) {
    const float *from = few->from;
    float *to = few->to;
    for (size_t i = 0; i < few->count; i++, from += few->from_next, to += few->to_next) {
        struct numbers v[BE_FFT_RADIX_MAX];
#pragma GCC unroll 16
        for (size_t j = 0; j < radix; j++) {
            const float *at = from + j * few->from_apart;
            v[j] = raw_from ? apart(at) : numbers_get(at);
        }
        transform(v, radix);
#pragma GCC unroll 16
        for (size_t k = 0; k < radix; k++) {
            const struct numbers x = v[place_in(radix, k)];
            float *at = to + k * few->to_apart;
            if (raw_to) {
                vector32 pairs[2];
                together(x, pairs);
                store32(at, pairs[0]);
                store32(at + lanes32, pairs[1]);
            } else {
                numbers_put(at, last || k == 0 ? x : times_one(x, few->factors + 2 * (k - 1)));
            }
        }
    }
}

#define RADICES(each)                                                                              \
    each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10) each(11) each(12)     \
        each(13) each(15) each(16)

#define ENTER(radix)                                                                               \
    static void enter_##radix(const struct be_fft_few *few) {                                      \
        do_few(few, radix, true, false, false);                                                    \
    }
#define CHANGE(radix)                                                                              \
    static void change_##radix(const struct be_fft_few *few) {                                     \
        do_few(few, radix, false, false, false);                                                   \
    }
#define END(radix)                                                                                 \
    static void end_##radix(const struct be_fft_few *few) {                                        \
        do_few(few, radix, false, false, true);                                                    \
    }
#define LEAVE(radix)                                                                               \
    static void leave_##radix(const struct be_fft_few *few) {                                      \
        do_few(few, radix, false, true, true);                                                     \
    }
RADICES(ENTER)
RADICES(CHANGE)
RADICES(END)
RADICES(LEAVE)

#define ENTER_OF(radix) [radix] = enter_##radix,
#define CHANGE_OF(radix) [radix] = change_##radix,
#define END_OF(radix) [radix] = end_##radix,
#define LEAVE_OF(radix) [radix] = leave_##radix,
const struct be_fft_kernels BE_SIMD_NAME(be_fft_kernels) = {.enter = {RADICES(ENTER_OF)},
                                                            .change = {RADICES(CHANGE_OF)},
                                                            .end = {RADICES(END_OF)},
                                                            .leave = {RADICES(LEAVE_OF)}};

void BE_SIMD_NAME(be_fft_between)(const struct be_fft_steps *steps, float *block) {
    const size_t pieces = steps->radix[steps->steps - 1];
    size_t s = steps->radix[0];
    for (int t = 1; t + 1 < steps->steps; t++) {
        const size_t radix = steps->radix[t];
        struct be_fft_few few = {.from_apart = s * NUMBERS_FLOATS,
                                 .from_next = NUMBERS_FLOATS,
                                 .to_apart = s * NUMBERS_FLOATS,
                                 .to_next = NUMBERS_FLOATS,
                                 .count = s,
                                 .factors = steps->factors[t]};
        s *= radix;
        for (size_t i = 0; i < pieces; i++) {
            few.to = block + i * steps->piece * NUMBERS_FLOATS;
            for (size_t rows = steps->n / pieces / s; rows > 0; rows--) {
                few.from = few.to;
                BE_SIMD_NAME(be_fft_kernels).change[radix](&few);
                few.to += s * NUMBERS_FLOATS;
                few.factors += 2 * (radix - 1);
            }
        }
    }
}
