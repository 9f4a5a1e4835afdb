/*
 * 16 bytes of REAL in one access: WIDTH numbers, at an address that is a multiple of 16. For kernels whose time is
 * reading and writing long arrays.
 */
#ifndef BE_KERNELS_VECTOR16_H
#define BE_KERNELS_VECTOR16_H

#if defined(BE_REAL64)
#define WIDTH 2
#else
#define WIDTH 4
#endif

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)

#if defined(BE_REAL64)
#define VECTOR double2
#else
#define VECTOR float4
#endif

DEVICE void take(GLOBAL const REAL *p, REAL *v) {
    VECTOR t = *(GLOBAL const VECTOR *)p;
    v[0] = t.x;
    v[1] = t.y;
#if WIDTH == 4
    v[2] = t.z;
    v[3] = t.w;
#endif
}

DEVICE void give(GLOBAL REAL *p, const REAL *v) {
    VECTOR t;
    t.x = v[0];
    t.y = v[1];
#if WIDTH == 4
    t.z = v[2];
    t.w = v[3];
#endif
#if defined(__CUDACC__)
    __stcs((VECTOR *)p, t);
#else
    *(GLOBAL VECTOR *)p = t;
#endif
}

#else

DEVICE void take(const REAL *p, REAL *v) {
    memcpy(v, p, WIDTH * sizeof *v);
}

DEVICE void give(REAL *p, const REAL *v) {
    memcpy(p, v, WIDTH * sizeof *v);
}

#endif

#endif
