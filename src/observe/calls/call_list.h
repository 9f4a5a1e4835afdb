/*
 * The functions of BLAS and LAPACK whose calls are recorded: one list for the library that is loaded into programs
 * (inject/math) and for the one who reads what it wrote. It does not know how many operations a call takes
 * (call_words.c).
 *
 * BE_CALL(name, types, fortran, cblas, cblas_complex, arguments, operands)
 *
 * types       S real, C complex, A all four
 * fortran     parameters of the Fortran function, with one hidden length for each CHARACTER parameter at the end
 * cblas       parameters of the function of CBLAS for real types without those that are floating-point numbers; 0: none
 * cblas_complex   likewise for complex types
 * arguments   one letter for each parameter in the order of Fortran:
 *             m n k      a dimension
 *             s          side: L or R
 *             t u        whether the first, or the second, operand is transposed
 *             * +        a factor of the function's type, which CBLAS for real types takes as a number; + is the factor
 *                        of the operand that is written: where it is 0, that operand is not read
 *             $ &        likewise, of the real type in complex functions too
 *             A B C      an operand
 *             l          the leading dimension of the operand before it
 *             q          the length of a work array: -1 asks for its best length, and nothing is computed
 *             .          anything else
 * operands    for each operand: its letter, < it is read, > it is written (and read, if its factor is not 0), = it is
 *             read and written; its two dimensions (s: m or n as the side says); then t or u where that letter of
 *             `arguments` says whether the dimensions are swapped in memory
 *
 * Parameters are those of the reference BLAS and LAPACK 3.12 (netlib.org/lapack/explore-html).
 */
#ifndef BE_OBSERVE_CALLS_CALL_LIST_H
#define BE_OBSERVE_CALLS_CALL_LIST_H

/* Matrix products and triangular solves of BLAS. */
#define BE_CALL_LIST_BLAS(BE_CALL)                                                                 \
    BE_CALL(gemm, A, 15, 12, 14, "tumnk*AlBl+Cl", "A<mkt B<knu C>mn")                              \
    BE_CALL(symm, A, 14, 11, 13, "s.mn*AlBl+Cl", "A<ss B<mn C>mn")                                 \
    BE_CALL(hemm, C, 14, 0, 13, "s.mn*AlBl+Cl", "A<ss B<mn C>mn")                                  \
    BE_CALL(syrk, A, 12, 9, 11, ".tnk*Al+Cl", "A<nkt C>nn")                                        \
    BE_CALL(herk, C, 12, 0, 9, ".tnk$Al&Cl", "A<nkt C>nn")                                         \
    BE_CALL(syr2k, A, 14, 11, 13, ".tnk*AlBl+Cl", "A<nkt B<nkt C>nn")                              \
    BE_CALL(her2k, C, 14, 0, 12, ".tnk*AlBl&Cl", "A<nkt B<nkt C>nn")                               \
    BE_CALL(trmm, A, 15, 11, 12, "s...mn*AlBl", "A<ss B=mn")                                       \
    BE_CALL(trsm, A, 15, 11, 12, "s...mn*AlBl", "A<ss B=mn")                                       \
    BE_CALL(gemv, A, 12, 10, 12, ".mn*Al..+..", "A<mn")

#define BE_CALL_LIST(BE_CALL) BE_CALL_LIST_BLAS(BE_CALL)

enum be_call_function {
#define BE_CALL_NUMBER(name, types, fortran, cblas, cblas_complex, arguments, operands)            \
    BE_CALL_##name,
    BE_CALL_LIST(BE_CALL_NUMBER)
#undef BE_CALL_NUMBER
        BE_CALL_FUNCTIONS
};

#endif
