/*
 * Device kernels compiled as host C: what is needed to run one, a lane at a time. For tests and for
 * the reference; not for speed. A table of them ends with {NULL, NULL}.
 */
#ifndef BE_KERNELS_HOST_H
#define BE_KERNELS_HOST_H

/* Where one lane stands: its group in the grid, its lane in the group, and the size of a group. */
struct be_launch_point {
    long group[3], lane[3], lanes[3];
};

/* args[i] points to the value of the i-th argument, as in cuLaunchKernel. */
struct be_host_kernel {
    const char *name;
    void (*run)(const struct be_launch_point *at, const void *const *args);
};

/* A program in one source, for every kind of device. */
struct be_program {
    const char *name;
    const char *source;                  /* dialect.h and the rest: CUDA C and OpenCL C */
    const struct be_host_kernel *host;   /* the same kernels as host C */
    const struct be_host_kernel *host64; /* likewise, of float64; NULL: none */
    const char *defines;                 /* lines that go before the source; NULL: none */
};

/*
 * Launch of k_power and k_multiply, one-dimensional: a group of L lanes does
 * L * BE_ELEMENTWISE_PER_LANE elements, so n elements need that many groups, rounded up. Any L is
 * right; BE_ELEMENTWISE_LANES is a good one. Kernels of an element.cl likewise: a lane does
 * BE_STREAM_LANE_BYTES of its inputs, be they one or two.
 */
enum { BE_ELEMENTWISE_PER_LANE = 8, BE_ELEMENTWISE_LANES = 256 };

/* k_triad: floats a lane, launched like the two above; k_fma and k_fma64: operations a lane and
 * round; k_row: multiply-adds in a row a lane and round; k_fma_pair (two numbers a lane): likewise; k_write and the k_random_*: numbers a lane. */
enum {
    BE_TRIAD_PER_LANE = 8,
    BE_FMA_OPERATIONS = 128,
    BE_FMA_PAIR_OPERATIONS = 256,
    BE_ROW_OPERATIONS = 32,
    BE_WRITE_PER_LANE = 8,
    BE_RANDOM_PER_LANE = 8
};

/* stream.cl: bytes a lane takes at a time of each array, and of one array where there are few. */
enum { BE_STREAM_VECTOR_BYTES = 16, BE_STREAM_LANE_BYTES = 64 };

#endif
