/*
 * The host's code from an element.cl, for the files that the build writes: with BE_SIMD defined the CPU's loop in
 * that instruction set, called ELEMENT_LOOP, without it the kernel ELEMENT_KERNEL as host C, ELEMENT_HOST.
 * ELEMENT_FILE is the file; of float64 where BE_REAL64 is defined.
 */
#include "kernels/dialect.h"

#if defined(BE_SIMD)

#undef KERNEL
#define KERNEL static inline __attribute__((unused)) void /* of devices */
#define LOOP BE_SIMD_NAME(ELEMENT_LOOP)
#include ELEMENT_FILE

#else

#include ELEMENT_FILE

#define ELEMENT_TEXT2(word) #word
#define ELEMENT_TEXT(word) ELEMENT_TEXT2(word)
#define ELEMENT_ARRAY(i) (*(REAL *const *)args[i])
#define ELEMENT_WHOLE(i) (*(const LONG *)args[i])

static void run(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
#if INPUTS == 1
    ELEMENT_KERNEL(ELEMENT_ARRAY(0), ELEMENT_ARRAY(1), ELEMENT_WHOLE(2), ELEMENT_WHOLE(3));
#else
    ELEMENT_KERNEL(ELEMENT_ARRAY(0), ELEMENT_ARRAY(1), ELEMENT_ARRAY(2), ELEMENT_WHOLE(3),
                   ELEMENT_WHOLE(4));
#endif
}

extern const struct be_host_kernel ELEMENT_HOST[];
const struct be_host_kernel ELEMENT_HOST[] = {{ELEMENT_TEXT(ELEMENT_KERNEL), run}, {NULL, NULL}};

#endif
