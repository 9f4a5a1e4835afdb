/*
 * Calls of BLAS and LAPACK that programs made (call_record.h), as rows. Plain data: it starts nothing, and it knows no
 * machine's rates.
 *
 * A call that takes less than some 150 us is counted and not always looked at: times and bytes of such calls are
 * estimates from those that were. Numbers that are not known are NAN.
 */
#ifndef BE_OBSERVE_CALLS_CALLS_H
#define BE_OBSERVE_CALLS_CALLS_H

#include "breakeven.h"

/* The library that writes the record, and what cannot be done without it (observe/injected.h). */
#define BE_CALLS_LIBRARY "libbreakeven_calls.so"
#define BE_CALLS_WITHOUT "calls of BLAS, LAPACK and FFTW cannot be recorded"

enum be_call_kind {
    BE_CALLS_PRODUCT, /* matrix products, also with triangular and symmetric matrices, and triangular solves */
    BE_CALLS_VECTOR, /* matrix-vector products: as many operations as numbers that are read */
    BE_CALLS_SOLVE,  /* factorizations and solves */
    BE_CALLS_EIGEN,  /* eigenvalues and singular values */
    BE_CALLS_FFT,
    BE_CALL_KINDS
};
/* In files and sentences: "matrix product". */
extern const char *const be_call_kinds[BE_CALL_KINDS];

struct be_call_row {
    const char *function; /* "gemm", without the letter of its type */
    enum be_call_kind kind;
    char type;    /* 's' float, 'd' double, 'c' and 'z' complex of them */
    bool rounded; /* shapes were too many: all with the same powers of two, and their means */
    double m, n,
        k; /* as the function's; where it has a side, k is the order of the matrix there. 0: no such one */
    double batch; /* calls in a row, on average, whose results lie one behind the other */
    double calls;
    double seconds; /* added up over threads that made calls; NAN: none has ended */
    double flops;   /* of all calls; a complex product counts as four */
    /* bytes of operands, of all calls */
    double fresh;   /* read, and not seen before at that address */
    double changed; /* read, and seen before with other numbers */
    double same;    /* read, and seen before as they are */
    double made;    /* part of `same`: results of recorded calls */
    double written;
};

struct be_calls {
    struct be_call_row *row; /* longest first */
    size_t rows;
    double processes; /* that made calls */
    double lost;      /* calls, or threads, for which there was no room */
};

/* Makes the file that programs write to, for this user alone. */
enum be_status be_calls_make(const char *path, struct be_error *error);
/* Also while programs write to it. BE_WRONG: it is no such file, or of another version. On success *calls owns
 * memory. */
enum be_status be_calls_read(const char *path, struct be_calls *calls, struct be_error *error);
void be_calls_free(struct be_calls *calls); /* accepts a zeroed one */

/* Operations of one call of that row's shape. */
double be_call_flops(const struct be_call_row *row);

#endif
