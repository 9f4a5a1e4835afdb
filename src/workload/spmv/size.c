/* The size of a matrix: the band has at most as many columns as the matrix, a row at most as many nonzeros as the band. */
#include "workload/spmv/spmv.h"

#include <math.h>

struct be_spmv_size be_spmv_size(const struct be_problem *problem) {
    const size_t rows = (size_t)problem->value[BE_SPMV_ROWS];
    const size_t band =
        (size_t)problem->value[BE_SPMV_BAND] < rows ? (size_t)problem->value[BE_SPMV_BAND] : rows;
    const size_t nonzeros = (size_t)problem->value[BE_SPMV_NONZEROS];
    return (struct be_spmv_size){.rows = rows,
                                 .nonzeros = nonzeros < band ? nonzeros : band,
                                 .band = band,
                                 .steps = (size_t)problem->value[BE_SPMV_STEPS]};
}

double be_spmv_scale(double square) {
    return square > 0 ? 1 / sqrt(square) : 0;
}
