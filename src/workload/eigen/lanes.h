/*
 * A template of simd.c: included once for each REAL (WHOLE: an integer as wide), so without a guard.
 *
 * As many systems as a vector has lanes, one in each lane, so that nothing is summed up within a vector and all of
 * them go the same way. Where systems differ, masks choose.
 */
typedef REAL VEC __attribute__((vector_size(VECTOR_BYTES)));
typedef WHOLE MASK __attribute__((vector_size(VECTOR_BYTES)));

#include "workload/lane_exchange.h"

/* The systems in work. */
struct NAME(lanes) {
    size_t order;
    VEC *a;      /* order rows of order vectors */
    VEC *d, *e;  /* the diagonal, and what is below it: order + 1 each, the last e is 0 */
    VEC *row[3]; /* of order each */
};

INLINE VEC NAME(pick)(MASK mask, VEC yes, VEC no) {
    return (VEC)((mask & (MASK)yes) | (~mask & (MASK)no));
}

INLINE MASK NAME(pick_whole)(MASK mask, MASK yes, MASK no) {
    return (mask & yes) | (~mask & no);
}

INLINE VEC NAME(size_of)(VEC v) {
    return NAME(pick)(v < 0, -v, v);
}

INLINE VEC NAME(all)(REAL value) {
    return value - (VEC){0};
}

INLINE MASK NAME(all_whole)(size_t value) {
    return (WHOLE)value - (MASK){0};
}

INLINE VEC NAME(root)(VEC v) {
    return (VEC)JOIN(ROOTS, REAL)(v);
}
