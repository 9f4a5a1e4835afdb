/*
 * The CUDA driver, its run-time compiler and its management library as tables of functions.
 * Each is opened by who uses it and closed there; none is kept in a global.
 */
#ifndef BE_DYN_NVIDIA_CUDA_H
#define BE_DYN_NVIDIA_CUDA_H

#include "dyn/nvidia/cuda_types.h"
#include "dyn/dyn.h"

#define CONST(name, value) enum { name = value };
#include "dyn/nvidia/cuda_constants.h"
#include "dyn/nvidia/nvml_constants.h"
#undef CONST

#define FN(need, type, name, arguments) type(*name) arguments;
struct be_cuda {
#include "dyn/nvidia/cuda_list.h"
    void *handle;
};
struct be_nvrtc {
#include "dyn/nvidia/nvrtc_list.h"
    void *handle;
};
struct be_nvml {
#include "dyn/nvidia/nvml_list.h"
    void *handle;
};
#undef FN

/* Where toolkits stand when the loader's cache does not list them, as struct be_library has it. */
extern const char *const be_cuda_toolkit_folders[];

enum be_status be_cuda_open(struct be_cuda *table, struct be_error *error);
enum be_status be_nvrtc_open(struct be_nvrtc *table, struct be_error *error);
enum be_status be_nvml_open(struct be_nvml *table, struct be_error *error);

#endif
