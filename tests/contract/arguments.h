/* A program whose kernel writes down what it was given, one argument of each kind: for the contract
 * tests, and for the fake CUDA driver, which runs its host form. */
#ifndef TESTS_CONTRACT_ARGUMENTS_H
#define TESTS_CONTRACT_ARGUMENTS_H

#include <stdint.h>

#include "kernels/host.h"

enum { ARGUMENTS_WRITTEN = 4 }; /* to[0 .. 3] = whole, narrow, real, real64 */

static const char arguments_source[] =
    "#ifdef __OPENCL_VERSION__\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#define KERNEL __kernel void\n"
    "#define GLOBAL __global\n"
    "#define LONG long\n"
    "#else\n"
    "#define KERNEL extern \"C\" __global__ void\n"
    "#define GLOBAL\n"
    "#define LONG long long\n"
    "#endif\n"
    "\nKERNEL k_arguments(GLOBAL double *to, LONG whole, int narrow, float real, double real64) {\n"
    "    to[0] = (double)whole;\n"
    "    to[1] = (double)narrow;\n"
    "    to[2] = (double)real;\n"
    "    to[3] = real64;\n"
    "}\n";

static void run_arguments(const struct be_launch_point *at, const void *const *args) {
    double *to = *(double *const *)args[0];
    (void)at;
    to[0] = (double)*(const int64_t *)args[1];
    to[1] = *(const int32_t *)args[2];
    to[2] = (double)*(const float *)args[3];
    to[3] = *(const double *)args[4];
}

static const struct be_host_kernel arguments_host[] = {
    {"k_arguments", run_arguments},
    {(void *)0, (void *)0},
};

#endif
