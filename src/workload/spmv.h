#ifndef BE_WORKLOAD_SPMV_H
#define BE_WORKLOAD_SPMV_H

#include "workload/workload.h"

extern const struct be_workload be_workload_spmv;

#endif
