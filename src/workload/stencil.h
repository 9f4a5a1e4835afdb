#ifndef BE_WORKLOAD_STENCIL_H
#define BE_WORKLOAD_STENCIL_H

#include "workload/workload.h"

extern const struct be_workload be_workload_stencil;

#endif
