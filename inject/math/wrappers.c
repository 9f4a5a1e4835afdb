/*
 * A function for each name under which a program may call one of the list. Names differ by library, and by the width of
 * its integers: `dgemm_`, `cblas_dgemm` (OpenBLAS, MKL, the reference); with 64-bit integers `dgemm_64_`, `dgemm_64`,
 * `cblas_dgemm64_`, `cblas_dgemm_64`; with `scipy_` before them in the wheels of NumPy and SciPy. Names without an
 * underscore (`dgemm`) are left alone: a program may have such functions of its own.
 *
 * Where `dgemm_` has 64-bit integers, their lower half is read.
 */
#include "wrappers.h"

#include <string.h>

#include "call.h"
#include "slots.h"

/* The place of a dimension among the arguments, known when this is compiled: it stands before all factors. */
#define PLACE(words, letter, kind)                                                                 \
    (strchr(words, letter) ? (strchr(words, letter) - (words)) + ((kind) == STYLE_CBLAS) : 0)
#define DIMENSION(words, letter, kind, is_wide, count)                                             \
    (strchr(words, letter)                                                                         \
         ? read_integer(((const uint64_t[]){ARGUMENTS_##count})[PLACE(words, letter, kind)], kind, \
                        is_wide)                                                                   \
         : 0)

static inline int64_t read_integer(uint64_t argument, enum style style, bool wide) {
    const struct site like = {.style = (uint8_t)style, .wide = wide};
    return site_integer(&like, argument);
}

/* Is it a call like the one before, from the same library, that is only to be counted? */
static inline bool is_next(const struct thread *thread, const struct site *site, uintptr_t caller,
                           int64_t m, int64_t n, int64_t k) {
    const struct be_call_run *run = thread->run;
    return run && run->site == (uint64_t)(uintptr_t)site && run->skip > 0 && run->m == m &&
           run->n == n && run->k == k && !thread->outermost && caller >= thread->low &&
           caller < thread->high &&
           thread->epoch == atomic_load_explicit(&site_epoch, memory_order_relaxed);
}

/* NAME(...) { note; call the function of that name; note } */
#define WRAPPER(name, function_number, letter, kind, is_wide, count, words)                        \
    __attribute__((visibility("default"))) uint64_t name(double x1, double x2,                     \
                                                         PARAMETERS_##count);                      \
    uint64_t name(double x1, double x2, PARAMETERS_##count) {                                      \
        static struct site site = {.symbol = #name,                                                \
                                   .number = function_number,                                      \
                                   .type = letter,                                                 \
                                   .style = kind,                                                  \
                                   .wide = is_wide};                                               \
        typedef uint64_t like(double, double, TYPES_##count);                                      \
        const void *caller = __builtin_return_address(0);                                          \
        struct thread *thread = &slots_thread;                                                     \
        uint64_t result;                                                                           \
        if (PLAIN(words) &&                                                                        \
            is_next(thread, &site, (uintptr_t)caller, DIMENSION(words, 'm', kind, is_wide, count), \
                    DIMENSION(words, 'n', kind, is_wide, count),                                   \
                    DIMENSION(words, 'k', kind, is_wide, count))) {                                \
            thread->run->skip--;                                                                   \
            thread->run->calls++;                                                                  \
            thread->outermost = (uintptr_t)__builtin_frame_address(0);                             \
            result = ((like *)thread->real)(x1, x2, ARGUMENTS_##count);                            \
            thread->outermost = 0;                                                                 \
            return result;                                                                         \
        }                                                                                          \
        const uint64_t argument[] = {ARGUMENTS_##count};                                           \
        struct call call;                                                                          \
        like *real = (like *)call_begin(&site, argument, x1, x2, __builtin_frame_address(0),       \
                                        caller, &call);                                            \
        result = real(x1, x2, ARGUMENTS_##count);                                                  \
        call_end(&call);                                                                           \
        return result;                                                                             \
    }

/* As struct plan has it. */
#define PLAIN(words) (!strchr(words, 's') && !strchr(words, 'j') && !strchr(words, 'q'))

#define FORTRAN(base, number, letter, count, words)                                                \
    WRAPPER(base##_, number, letter, STYLE_FORTRAN, false, count, words)                           \
    WRAPPER(base##_64_, number, letter, STYLE_FORTRAN, true, count, words)                         \
    WRAPPER(base##_64, number, letter, STYLE_FORTRAN, true, count, words)                          \
    WRAPPER(scipy_##base##_, number, letter, STYLE_FORTRAN, false, count, words)                   \
    WRAPPER(scipy_##base##_64_, number, letter, STYLE_FORTRAN, true, count, words)

#define CBLAS(base, number, letter, count, words)                                                  \
    WRAPPER(cblas_##base, number, letter, STYLE_CBLAS, false, count, words)                        \
    WRAPPER(cblas_##base##64_, number, letter, STYLE_CBLAS, true, count, words)                    \
    WRAPPER(cblas_##base##_64, number, letter, STYLE_CBLAS, true, count, words)                    \
    WRAPPER(scipy_cblas_##base, number, letter, STYLE_CBLAS, false, count, words)                  \
    WRAPPER(scipy_cblas_##base##64_, number, letter, STYLE_CBLAS, true, count, words)

#define REAL(each, id, name, count, words)                                                         \
    each(s##name, BE_CALL_##id, 's', count, words) each(d##name, BE_CALL_##id, 'd', count, words)
#define COMPLEX(each, id, name, count, words)                                                      \
    each(c##name, BE_CALL_##id, 'c', count, words) each(z##name, BE_CALL_##id, 'z', count, words)

#define FORTRAN_R(id, name, count, words) REAL(FORTRAN, id, name, count, words)
#define FORTRAN_C(id, name, count, words) COMPLEX(FORTRAN, id, name, count, words)
#define FORTRAN_A(id, name, count, words)                                                          \
    FORTRAN_R(id, name, count, words) FORTRAN_C(id, name, count, words)
#define CBLAS_R(id, name, real, complex, words) REAL(CBLAS, id, name, real, words)
#define CBLAS_C(id, name, real, complex, words) COMPLEX(CBLAS, id, name, complex, words)
#define CBLAS_A(id, name, real, complex, words)                                                    \
    CBLAS_R(id, name, real, complex, words) CBLAS_C(id, name, real, complex, words)

#define WRAP_LAPACK(id, name, types, fortran, cblas, cblas_complex, arguments, operands)           \
    FORTRAN_##types(id, name, fortran, arguments)
#define WRAP_BLAS(id, name, types, fortran, cblas, cblas_complex, arguments, operands)             \
    FORTRAN_##types(id, name, fortran, arguments)                                                  \
        CBLAS_##types(id, name, cblas, cblas_complex, arguments)

BE_CALL_LIST_BLAS(WRAP_BLAS)
BE_CALL_LIST_LAPACK(WRAP_LAPACK)
