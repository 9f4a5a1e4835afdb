/* gather on the CPU, element by element or by bins. */
#ifndef BE_WORKLOAD_GATHER_H
#define BE_WORKLOAD_GATHER_H

#include "workload/stream.h"

/* Arrays of problem and place as gather's. */
void be_gather_plain_host(const struct be_work *work);
/* z[i] = x[index[i]], 0 <= i < n, in order; ask: for elements of x ahead of their turn. */
void be_gather_each(const float *x, const int32_t *index, float *z, size_t n, bool ask);

/* By bins, see gather_binned.c. */
enum { BE_GATHER_BINNED_LEAST = 1 << 20 }; /* elements */
void be_gather_binned_host(const struct be_work *work);
size_t be_gather_binned_scratch(const struct be_problem *problem, int members);

#endif
