/*
 * Floating-point operations of a call: additions and multiplications of real numbers, terms of the highest order.
 * From LAPACK Working Note 41, tables 3 and 4.
 */
#include <stddef.h>
#include <string.h>

#include "observe/calls/call_list.h"
#include "observe/calls/call_words.h"

static double mnk(double m, double n, double k) {
    return 2 * m * n * k;
}

static double nnk(double m, double n, double k) {
    (void)m;
    return n * n * k;
}

static double twice_nnk(double m, double n, double k) {
    return 2 * nnk(m, n, k);
}

/* With a triangular matrix of order k. */
static double half_mnk(double m, double n, double k) {
    return m * n * k;
}

static double mn(double m, double n, double k) {
    (void)k;
    return 2 * m * n;
}

const struct be_call_words be_call_words[BE_CALL_FUNCTIONS] = {
    [BE_CALL_gemm] = {"gemm", BE_CALLS_PRODUCT, mnk},
    [BE_CALL_symm] = {"symm", BE_CALLS_PRODUCT, mnk},
    [BE_CALL_hemm] = {"hemm", BE_CALLS_PRODUCT, mnk},
    [BE_CALL_syrk] = {"syrk", BE_CALLS_PRODUCT, nnk},
    [BE_CALL_herk] = {"herk", BE_CALLS_PRODUCT, nnk},
    [BE_CALL_syr2k] = {"syr2k", BE_CALLS_PRODUCT, twice_nnk},
    [BE_CALL_her2k] = {"her2k", BE_CALLS_PRODUCT, twice_nnk},
    [BE_CALL_trmm] = {"trmm", BE_CALLS_PRODUCT, half_mnk},
    [BE_CALL_trsm] = {"trsm", BE_CALLS_PRODUCT, half_mnk},
    [BE_CALL_gemv] = {"gemv", BE_CALLS_VECTOR, mn},
};

double be_call_flops(const struct be_call_row *row) {
    double complex_factor = row->type == 'c' || row->type == 'z' ? 4 : 1;
    for (size_t i = 0; i < BE_CALL_FUNCTIONS; i++) {
        if (strcmp(be_call_words[i].name, row->function) == 0) {
            return complex_factor * be_call_words[i].flops(row->m, row->n, row->k);
        }
    }
    return 0;
}
