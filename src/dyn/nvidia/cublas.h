/*
 * cuBLAS as a table of functions. Opened by who uses it and closed there; not kept in a global.
 */
#ifndef BE_DYN_NVIDIA_CUBLAS_H
#define BE_DYN_NVIDIA_CUBLAS_H

#include "dyn/nvidia/cuda_types.h"
#include "dyn/dyn.h"

#define CONST(name, value) enum { name = value };
#include "dyn/nvidia/cublas_constants.h"
#undef CONST

#define FN(need, type, name, arguments) type(*name) arguments;
struct be_cublas {
#include "dyn/nvidia/cublas_list.h"
    void *handle;
};
#undef FN

enum be_status be_cublas_open(struct be_cublas *table, struct be_error *error);

#endif
