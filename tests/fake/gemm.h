/* Stand-ins for the kernel of gemm.cl: the fake driver finds them as it finds others. */
#ifndef TESTS_FAKE_GEMM_H
#define TESTS_FAKE_GEMM_H

#include "kernels/host.h"

enum { FAKE_GEMM_ARGUMENTS = 16 };

extern const struct be_host_kernel fake_gemm32[], fake_gemm64[];

#endif
