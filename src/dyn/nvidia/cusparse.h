/*
 * cuSPARSE as a table of functions. Opened by who uses it and closed there; not kept in a global.
 */
#ifndef BE_DYN_NVIDIA_CUSPARSE_H
#define BE_DYN_NVIDIA_CUSPARSE_H

#include "dyn/nvidia/cublas.h" /* kinds of numbers, which the libraries share */
#include "dyn/nvidia/cuda_types.h"
#include "dyn/dyn.h"

#define CONST(name, value) enum { name = value };
#include "dyn/nvidia/cusparse_constants.h"
#undef CONST

#define FN(need, type, name, arguments) type(*name) arguments;
struct be_cusparse {
#include "dyn/nvidia/cusparse_list.h"
    void *handle;
};
#undef FN

enum be_status be_cusparse_open(struct be_cusparse *table, struct be_error *error);

#endif
