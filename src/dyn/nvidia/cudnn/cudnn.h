/*
 * cuDNN as a table of functions. Opened by who uses it and closed there; not kept in a global.
 */
#ifndef BE_DYN_NVIDIA_CUDNN_H
#define BE_DYN_NVIDIA_CUDNN_H

#include "dyn/nvidia/cuda_types.h"
#include "dyn/dyn.h"

#define CONST(name, value) enum { name = value };
#include "dyn/nvidia/cudnn/cudnn_constants.h"
#undef CONST

#define FN(need, type, name, arguments) type(*name) arguments;
struct be_cudnn {
#include "dyn/nvidia/cudnn/cudnn_list.h"
    void *handle;
};
#undef FN

/* BE_ABSENT: the text says what to install. */
enum be_status be_cudnn_open(struct be_cudnn *table, struct be_error *error);

#endif
