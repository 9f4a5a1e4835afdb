/*
 * The functions of BLAS, LAPACK and FFTW whose calls are recorded: one list for the library that is loaded into programs
 * (inject/math) and for the one who reads what it wrote. It does not know how many operations a call takes
 * (call_words.c).
 *
 * BE_CALL(id, name, types, fortran, cblas, cblas_complex, arguments, operands)
 *
 * id          that of a function whose parameters differ between real and complex types is not its name
 * types       R real, C complex, A all four
 * fortran     parameters of the Fortran function, with one hidden length for each CHARACTER parameter at the end
 * cblas       parameters of the function of CBLAS for real types without those that are floating-point numbers; 0: none
 * cblas_complex   likewise for complex types
 * arguments   one letter for each parameter in the order of Fortran:
 *             m n k      a dimension
 *             s          side: L or R
 *             j          whether vectors are wanted, too: N says that they are not
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

/* BLAS: products and solves with matrices. */
#define BE_CALL_LIST_BLAS(BE_CALL)                                                                 \
    BE_CALL(gemm, gemm, A, 15, 12, 14, "tumnk*AlBl+Cl", "A<mkt B<knu C>mn")                        \
    BE_CALL(symm, symm, A, 14, 11, 13, "s.mn*AlBl+Cl", "A<ss B<mn C>mn")                           \
    BE_CALL(hemm, hemm, C, 14, 0, 13, "s.mn*AlBl+Cl", "A<ss B<mn C>mn")                            \
    BE_CALL(syrk, syrk, A, 12, 9, 11, ".tnk*Al+Cl", "A<nkt C>nn")                                  \
    BE_CALL(herk, herk, C, 12, 0, 9, ".tnk$Al&Cl", "A<nkt C>nn")                                   \
    BE_CALL(syr2k, syr2k, A, 14, 11, 13, ".tnk*AlBl+Cl", "A<nkt B<nkt C>nn")                       \
    BE_CALL(her2k, her2k, C, 14, 0, 12, ".tnk*AlBl&Cl", "A<nkt B<nkt C>nn")                        \
    BE_CALL(trmm, trmm, A, 15, 11, 12, "s...mn*AlBl", "A<ss B=mn")                                 \
    BE_CALL(trsm, trsm, A, 15, 11, 12, "s...mn*AlBl", "A<ss B=mn")                                 \
    BE_CALL(gemv, gemv, A, 12, 10, 12, ".mn*Al..+..", "A<mn")                                      \
    BE_CALL(ger, ger, R, 9, 9, 0, "mn*....Al", "A=mn")                                             \
    BE_CALL(geru, geru, C, 9, 0, 10, "mn*....Al", "A=mn")                                          \
    BE_CALL(gerc, gerc, C, 9, 0, 10, "mn*....Al", "A=mn")                                          \
    BE_CALL(symv, symv, R, 11, 9, 0, ".n*Al..+..", "A<nn")                                         \
    BE_CALL(hemv, hemv, C, 11, 0, 11, ".n*Al..+..", "A<nn")                                        \
    BE_CALL(trmv, trmv, A, 11, 9, 9, "...nAl..", "A<nn")                                           \
    BE_CALL(trsv, trsv, A, 11, 9, 9, "...nAl..", "A<nn")

/* LAPACK: solves, factorizations, eigenvalues and singular values. */
#define BE_CALL_LIST_LAPACK(BE_CALL)                                                               \
    BE_CALL(gesv, gesv, A, 8, 0, 0, "nkAl.Bl.", "A=nn B=nk")                                       \
    BE_CALL(getrf, getrf, A, 6, 0, 0, "mnAl..", "A=mn")                                            \
    BE_CALL(getrs, getrs, A, 10, 0, 0, ".nkAl.Bl.", "A<nn B=nk")                                   \
    BE_CALL(getri, getri, A, 7, 0, 0, "nAl..q.", "A=nn")                                           \
    BE_CALL(potrf, potrf, A, 6, 0, 0, ".nAl.", "A=nn")                                             \
    BE_CALL(potrs, potrs, A, 9, 0, 0, ".nkAlBl.", "A<nn B=nk")                                     \
    BE_CALL(potri, potri, A, 6, 0, 0, ".nAl.", "A=nn")                                             \
    BE_CALL(posv, posv, A, 9, 0, 0, ".nkAlBl.", "A=nn B=nk")                                       \
    BE_CALL(sytrf, sytrf, A, 9, 0, 0, ".nAl..q.", "A=nn")                                          \
    BE_CALL(hetrf, hetrf, C, 9, 0, 0, ".nAl..q.", "A=nn")                                          \
    BE_CALL(sysv, sysv, A, 12, 0, 0, ".nkAl.Bl.q.", "A=nn B=nk")                                   \
    BE_CALL(hesv, hesv, C, 12, 0, 0, ".nkAl.Bl.q.", "A=nn B=nk")                                   \
    BE_CALL(gtsv, gtsv, A, 8, 0, 0, "nk...Bl.", "B=nk")                                            \
    BE_CALL(trtrs, trtrs, A, 13, 0, 0, "...nkAlBl.", "A<nn B=nk")                                  \
    BE_CALL(trtri, trtri, A, 8, 0, 0, "..nAl.", "A=nn")                                            \
    BE_CALL(geqrf, geqrf, A, 8, 0, 0, "mnAl..q.", "A=mn")                                          \
    BE_CALL(geqp3, geqp3, R, 9, 0, 0, "mnAl...q.", "A=mn")                                         \
    BE_CALL(geqp3_complex, geqp3, C, 10, 0, 0, "mnAl...q..", "A=mn")                               \
    BE_CALL(orgqr, orgqr, R, 9, 0, 0, "mnkAl..q.", "A=mn")                                         \
    BE_CALL(ungqr, ungqr, C, 9, 0, 0, "mnkAl..q.", "A=mn")                                         \
    BE_CALL(ormqr, ormqr, R, 15, 0, 0, "s.mnkAl.Cl.q.", "A<sk C=mn")                               \
    BE_CALL(unmqr, unmqr, C, 15, 0, 0, "s.mnkAl.Cl.q.", "A<sk C=mn")                               \
    BE_CALL(gels, gels, A, 12, 0, 0, ".mnkAlBl.q.", "A=mn B=mk")                                   \
    BE_CALL(gelsd, gelsd, R, 14, 0, 0, "mnkAlBl....q..", "A=mn B=mk")                              \
    BE_CALL(gelsd_complex, gelsd, C, 15, 0, 0, "mnkAlBl....q...", "A=mn B=mk")                     \
    BE_CALL(gesdd, gesdd, R, 15, 0, 0, "jmnAl......q..", "A=mn")                                   \
    BE_CALL(gesdd_complex, gesdd, C, 16, 0, 0, "jmnAl......q...", "A=mn")                          \
    BE_CALL(gesvd, gesvd, R, 16, 0, 0, "j.mnAl......q.", "A=mn")                                   \
    BE_CALL(gesvd_complex, gesvd, C, 17, 0, 0, "j.mnAl......q..", "A=mn")                          \
    BE_CALL(syev, syev, R, 11, 0, 0, "j.nAl..q.", "A=nn")                                          \
    BE_CALL(heev, heev, C, 12, 0, 0, "j.nAl..q..", "A=nn")                                         \
    BE_CALL(syevd, syevd, R, 13, 0, 0, "j.nAl..q...", "A=nn")                                      \
    BE_CALL(heevd, heevd, C, 15, 0, 0, "j.nAl..q.....", "A=nn")                                    \
    BE_CALL(syevr, syevr, R, 24, 0, 0, "j..nAl...........q...", "A=nn")                            \
    BE_CALL(heevr, heevr, C, 26, 0, 0, "j..nAl...........q.....", "A=nn")                          \
    BE_CALL(sygvd, sygvd, R, 16, 0, 0, ".j.nAlBl..q...", "A=nn B=nn")                              \
    BE_CALL(hegvd, hegvd, C, 18, 0, 0, ".j.nAlBl..q.....", "A=nn B=nn")                            \
    BE_CALL(geev, geev, R, 16, 0, 0, ".jnAl.......q.", "A=nn")                                     \
    BE_CALL(geev_complex, geev, C, 16, 0, 0, ".jnAl......q..", "A=nn")                             \
    BE_CALL(gees, gees, R, 17, 0, 0, "j..nAl......q..", "A=nn")                                    \
    BE_CALL(gees_complex, gees, C, 17, 0, 0, "j..nAl.....q...", "A=nn")                            \
    BE_CALL(gehrd, gehrd, A, 9, 0, 0, "n..Al..q.", "A=nn")

#define BE_CALL_LIST(BE_CALL) BE_CALL_LIST_BLAS(BE_CALL) BE_CALL_LIST_LAPACK(BE_CALL)

enum be_call_function {
#define BE_CALL_NUMBER(id, name, types, fortran, cblas, cblas_complex, arguments, operands)        \
    BE_CALL_##id,
    BE_CALL_LIST(BE_CALL_NUMBER)
#undef BE_CALL_NUMBER
        BE_CALL_fft, /* transforms of FFTW (inject/math/fftw.c): n points, k of them in a call */
    BE_CALL_rfft,    /* from real numbers or to them */
    BE_CALL_FUNCTIONS
};

#endif
