/*
 * A function for each name under which a program may call one of the list. Names differ by library, and by the width of
 * its integers: `dgemm_`, `cblas_dgemm` (OpenBLAS, MKL, the reference); with 64-bit integers `dgemm_64_`, `dgemm_64`,
 * `cblas_dgemm64_`, `cblas_dgemm_64`; with `scipy_` before them in the wheels of NumPy and SciPy. Names without an
 * underscore (`dgemm`) are left alone: a program may have such functions of its own.
 *
 * Where `dgemm_` has 64-bit integers, their lower half is read.
 */
#include "wrappers.h"

#include "call.h"

/* NAME(...) { note; call the function of that name; note } */
#define WRAPPER(name, function_number, letter, kind, is_wide, count)                               \
    __attribute__((visibility("default"))) uint64_t name(double x1, double x2,                     \
                                                         PARAMETERS_##count);                      \
    uint64_t name(double x1, double x2, PARAMETERS_##count) {                                      \
        static struct site site = {.symbol = #name,                                                \
                                   .number = function_number,                                      \
                                   .type = letter,                                                 \
                                   .style = kind,                                                  \
                                   .wide = is_wide};                                               \
        const uint64_t argument[] = {ARGUMENTS_##count};                                           \
        struct call call;                                                                          \
        uint64_t (*real)(double, double, TYPES_##count) =                                          \
            (uint64_t(*)(double, double, TYPES_##count))call_begin(                                \
                &site, argument, x1, x2, __builtin_frame_address(0), __builtin_return_address(0),  \
                &call);                                                                            \
        uint64_t result = real(x1, x2, ARGUMENTS_##count);                                         \
        call_end(&call);                                                                           \
        return result;                                                                             \
    }

#define FORTRAN(base, number, letter, count)                                                       \
    WRAPPER(base##_, number, letter, STYLE_FORTRAN, false, count)                                  \
    WRAPPER(base##_64_, number, letter, STYLE_FORTRAN, true, count)                                \
    WRAPPER(base##_64, number, letter, STYLE_FORTRAN, true, count)                                 \
    WRAPPER(scipy_##base##_, number, letter, STYLE_FORTRAN, false, count)                          \
    WRAPPER(scipy_##base##_64_, number, letter, STYLE_FORTRAN, true, count)

#define CBLAS(base, number, letter, count)                                                         \
    WRAPPER(cblas_##base, number, letter, STYLE_CBLAS, false, count)                               \
    WRAPPER(cblas_##base##64_, number, letter, STYLE_CBLAS, true, count)                           \
    WRAPPER(cblas_##base##_64, number, letter, STYLE_CBLAS, true, count)                           \
    WRAPPER(scipy_cblas_##base, number, letter, STYLE_CBLAS, false, count)                         \
    WRAPPER(scipy_cblas_##base##64_, number, letter, STYLE_CBLAS, true, count)

#define REAL(each, id, name, count)                                                                \
    each(s##name, BE_CALL_##id, 's', count) each(d##name, BE_CALL_##id, 'd', count)
#define COMPLEX(each, id, name, count)                                                             \
    each(c##name, BE_CALL_##id, 'c', count) each(z##name, BE_CALL_##id, 'z', count)

#define FORTRAN_R(id, name, count) REAL(FORTRAN, id, name, count)
#define FORTRAN_C(id, name, count) COMPLEX(FORTRAN, id, name, count)
#define FORTRAN_A(id, name, count) FORTRAN_R(id, name, count) FORTRAN_C(id, name, count)
#define CBLAS_R(id, name, real, complex) REAL(CBLAS, id, name, real)
#define CBLAS_C(id, name, real, complex) COMPLEX(CBLAS, id, name, complex)
#define CBLAS_A(id, name, real, complex)                                                           \
    CBLAS_R(id, name, real, complex) CBLAS_C(id, name, real, complex)

#define WRAP_LAPACK(id, name, types, fortran, cblas, cblas_complex, arguments, operands)           \
    FORTRAN_##types(id, name, fortran)
#define WRAP_BLAS(id, name, types, fortran, cblas, cblas_complex, arguments, operands)             \
    FORTRAN_##types(id, name, fortran) CBLAS_##types(id, name, cblas, cblas_complex)

BE_CALL_LIST_BLAS(WRAP_BLAS)
BE_CALL_LIST_LAPACK(WRAP_LAPACK)
