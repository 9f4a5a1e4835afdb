#ifndef BE_WORKLOAD_STENCIL_STENCIL_H
#define BE_WORKLOAD_STENCIL_STENCIL_H

#include "workload/workload.h"

#endif
