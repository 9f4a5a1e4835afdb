/* Compiled once per instruction set, with -DBE_SIMD=suffix: rows of X in float32 and float64. */
#include "workload/regress_simd.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "workload/regress.h"
#include "workload/vector.h"

/* Rows whose sums stay in the type of the numbers; then they are added up in double precision. */
enum { BLOCK = 512 };
/* Rows that are read together, so that their sums do not wait for each other. */
enum { TOGETHER = 4 };

#define REAL float
#define OF_TYPE(name) name##32
#include "workload/regress_rows.h"
#undef REAL
#undef OF_TYPE

#define REAL double
#define OF_TYPE(name) name##64
#include "workload/regress_rows.h"
#undef REAL
#undef OF_TYPE
