/*
 * cuSPARSE as a table of functions. Opened by who uses it and closed there; not kept in a global.
 */
#ifndef BE_DYN_CUSPARSE_H
#define BE_DYN_CUSPARSE_H

#include "dyn/cublas.h" /* kinds of numbers, which the libraries share */
#include "dyn/cuda_types.h"
#include "dyn/dyn.h"

#define CONST(name, value) enum { name = value };
#include "dyn/cusparse_constants.h"
#undef CONST

#define FN(need, type, name, arguments) type(*name) arguments;
struct be_cusparse {
#include "dyn/cusparse_list.h"
    void *handle;
};
#undef FN

enum be_status be_cusparse_open(struct be_cusparse *table, struct be_error *error);

#endif
