/*
 * NCCL as a table of functions. Opened by who uses it and closed there; not kept in a global.
 */
#ifndef BE_DYN_NVIDIA_NCCL_H
#define BE_DYN_NVIDIA_NCCL_H

#include "dyn/nvidia/cuda_types.h"
#include "dyn/dyn.h"

#define CONST(name, value) enum { name = value };
#include "dyn/nvidia/nccl/nccl_constants.h"
#undef CONST

#define FN(need, type, name, arguments) type(*name) arguments;
struct be_nccl {
#include "dyn/nvidia/nccl/nccl_list.h"
    void *handle;
};
#undef FN

enum be_status be_nccl_open(struct be_nccl *table, struct be_error *error);

#endif
