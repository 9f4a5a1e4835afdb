/*
 * OpenCL as a table of functions. Opened by who uses it and closed there; not kept in a global.
 */
#ifndef BE_DYN_OPENCL_OPENCL_H
#define BE_DYN_OPENCL_OPENCL_H

#include "dyn/dyn.h"
#include "dyn/opencl/opencl_types.h"

#define CONST(name, value) enum { name = value };
#include "dyn/opencl/opencl_constants.h"
#undef CONST

#define FN(need, type, name, arguments) type(*name) arguments;
struct be_opencl {
#include "dyn/opencl/opencl_list.h"
    void *handle;
};
#undef FN

enum be_status be_opencl_open(struct be_opencl *table, struct be_error *error);

#endif
