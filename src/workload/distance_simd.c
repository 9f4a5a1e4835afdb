/* Compiled once per instruction set, with -DBE_SIMD=suffix: the rows in float32 and in float64. */
#include "workload/distance_simd.h"

#include <math.h>

#include "workload/simd.h"
#include "workload/stream_store.h"
#include "workload/vector.h"

enum {
    ROWS = 4,    /* with PARTS vectors each, sums enough to hide the latency of an addition */
    PARTS = 2,   /* vectors of a row at a time: 16 registers hold all */
    BLOCK = 4096 /* bytes of a row that are put together before they are written */
};

#define OF_TYPE(name) name##32
#define REAL float
#include "workload/distance_rows.h"
#undef OF_TYPE
#undef REAL

#define OF_TYPE(name) name##64
#define REAL double
#include "workload/distance_rows.h"
