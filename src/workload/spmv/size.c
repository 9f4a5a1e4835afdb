/* What there is room for of what was asked. */
#include "workload/spmv/spmv.h"

struct be_spmv_size be_spmv_size(const struct be_problem *problem) {
    const size_t rows = (size_t)problem->value[BE_SPMV_ROWS];
    const size_t band =
        (size_t)problem->value[BE_SPMV_BAND] < rows ? (size_t)problem->value[BE_SPMV_BAND] : rows;
    const size_t nonzeros = (size_t)problem->value[BE_SPMV_NONZEROS];
    return (struct be_spmv_size){
        .rows = rows, .nonzeros = nonzeros < band ? nonzeros : band, .band = band};
}
