/*
 * Sizes that trunk.c and trunk_simd.c share.
 */
#ifndef BE_NN_TRUNK_ROWS_H
#define BE_NN_TRUNK_ROWS_H

/* Rows of a convolution's output at a time: as many as a pool takes. Vectors of outputs at once. */
enum { BE_NN_ROWS = 2, BE_NN_OUTPUTS = 4 };

#endif
