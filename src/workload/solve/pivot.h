/*
 * For the kernels of solve: barriers and the search for a pivot, in the two languages.
 */
#ifndef BE_WORKLOAD_SOLVE_PIVOT_H
#define BE_WORKLOAD_SOLVE_PIVOT_H

#if defined(BE_REAL64)
#define PAIR double2
#else
#define PAIR float2
#endif

#if defined(__CUDACC__)
#define LEAST_BARRIER() __syncwarp() /* of one system's lanes, which lie in one warp */
#define GLOBAL_BARRIER() __syncthreads()
#define FABS(x) fabs(x)
#if defined(BE_REAL64)
#define REAL_NAN __longlong_as_double(0x7ff8000000000000ll)
#else
#define REAL_NAN __int_as_float(0x7fc00000)
#endif

DEVICE PAIR be_pair(REAL x, REAL y) {
    PAIR pair;
    pair.x = x;
    pair.y = y;
    return pair;
}

/* The lane with the largest |v| of those in `mask`, whose rows are not used up. */
DEVICE unsigned int be_most(unsigned int mask, unsigned int v) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(mask, v);
#else
    for (int far = 16; far > 0; far /= 2) {
        unsigned int lane = (threadIdx.x & 31) ^ far;
        unsigned int other = __shfl_sync(mask, v, mask >> lane & 1 ? lane : threadIdx.x & 31);
        v = other > v ? other : v;
    }
    return v;
#endif
}

/* Numbers' bits without the sign are in the numbers' order; 0 is less than any. */
#if defined(BE_REAL64)
DEVICE int be_pivot_lane(unsigned int mask, REAL v, int free, unsigned int *most) {
    unsigned int high = free ? (__double2hiint(v) & 0x7fffffff) + 1 : 0;
    *most = be_most(mask, high);
    unsigned int first = __ballot_sync(mask, high == *most);
    if (first & (first - 1)) { /* more than one, which is rare */
        unsigned int low = high == *most ? __double2loint(v) : 0;
        unsigned int most_low = be_most(mask, low);
        first = __ballot_sync(mask, high == *most && low == most_low);
    }
    return __ffs(first) - 1;
}
#else
DEVICE int be_pivot_lane(unsigned int mask, REAL v, int free, unsigned int *most) {
    unsigned int high = free ? (__float_as_uint(v) & 0x7fffffff) + 1 : 0;
    *most = be_most(mask, high);
    return __ffs(__ballot_sync(mask, high == *most)) - 1;
}
#endif
#else
#define LOAD_PAIR(p) vload2(0, p)
#define STORE_PAIR(p, a, b) vstore2((PAIR)(a, b), 0, p)
#define LEAST_BARRIER() BARRIER()
#define GLOBAL_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define FABS(x) fabs(x)
#define REAL_NAN ((REAL)NAN)
#endif

/* The least number of which the reciprocal does not overflow, or nearly so. */
#if defined(BE_REAL64)
#define REAL_TINIEST 0x1p-1022
#else
#define REAL_TINIEST 0x1p-126f
#endif

/* In a search for the largest: what is not a number counts as more, and so ends up in x. */
DEVICE int be_is_more(REAL v, REAL most) {
    return v > most || v != v;
}

/* The `best` of the lane with the largest `most` in the group, for all lanes; all lanes call it,
 * and size and place have capacity for a number a lane. A lane without any has most < 0. */
#if defined(__CUDACC__)
DEVICE int be_group_most(REAL most, int best, REAL *size, int *place, int lanes) {
    unsigned int all;
    int lane = be_pivot_lane(0xffffffff, most, most >= 0 || most != most, &all);
    if ((threadIdx.x & 31) == lane) {
        size[threadIdx.x / 32] = most;
        place[threadIdx.x / 32] = best;
    }
    BARRIER();
    /* Each warp looks for itself. */
    const int warp = threadIdx.x & 31;
    most = warp < lanes / 32 ? size[warp] : -1;
    return place[be_pivot_lane(0xffffffff, most, most >= 0 || most != most, &all)];
}
#define be_groups() ((LONG)gridDim.x)
#else
DEVICE int be_group_most(REAL most, int best, LOCAL REAL *size, LOCAL int *place, int lanes) {
    const int lane = (int)LANE(0);
    size[lane] = most;
    place[lane] = best;
    for (int far = lanes / 2; far > 0; far /= 2) {
        BARRIER();
        if (lane < far && be_is_more(size[lane + far], size[lane])) {
            size[lane] = size[lane + far];
            place[lane] = place[lane + far];
        }
    }
    BARRIER();
    return place[0];
}
#define be_groups() ((LONG)get_num_groups(0))
#endif

#endif
