/*
 * How many of the distances of pairs i < j are in each of BINS bins, behind distance.cl; there is nothing here without
 * BINS. The definition of a bin, to the bit, is in workload/distance/distance.h.
 *
 * k_histogram: `parts` groups take the tiles on and above the diagonal in turn. A group counts in
 * COPIES copies in shared memory, its neighbouring lanes in different ones; two bins more are for what
 * is in none. counts[bin * parts + group]: what it found. k_histogram_end: a group a bin adds them up.
 */
#if defined(BINS)

#if defined(__OPENCL_VERSION__)
#define COUNT_ONE(p) ((void)atomic_inc(p))
#define ROOT(x) sqrt(x)
#else
#define COUNT_ONE(p) ((void)atomicAdd(p, 1u))
#define ROOT(x) be_root(x)
/* One instruction, to 2^-23; the exact root is many. */
DEVICE float be_root(float x) {
    float r;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
#endif

/* The first guess is right or one too low. A distance that is not a number is in bin BINS. */
DEVICE int bin_of(REAL distance, REAL edge, float scale) {
    const float guess = ROOT((float)distance) * scale;
    const int low = (int)(guess < (float)BINS ? guess : (float)BINS);
    const REAL next = (REAL)(low + 1);
    return low + (distance >= next * next * edge ? 1 : 0);
}

KERNEL LANES_MOST(TILE_LANES) k_histogram(GLOBAL const REAL *x, GLOBAL unsigned int *counts, LONG n,
                                          LONG dimension, LONG parts, REAL edge, float scale) {
    SHARED REAL room[2 * SLAB * SLAB_STRIDE];
    SHARED unsigned int count[(BINS + 2) * COPIES];
    const LONG even = even_tiles(n);
    const LONG all = even / 2 * (even + 1);
    const int lane = (int)LANE(0);
    const int copy = lane % COPIES;
    REAL sum[LANE_ROWS][LANE_COLUMNS];
    for (int k = lane; k < (BINS + 2) * COPIES; k += TILE_LANES) {
        count[k] = 0;
    }
    for (LONG g = GROUP(0); g < all; g += parts) {
        const LONG row = upper_row(g, even) + lane / 32 * LANE_ROWS;
        const LONG column = upper_column(g, even) + lane % 32;
        /* Its barriers are behind the zeros, too. */
        tile_sums(x, n, dimension, upper_row(g, even), upper_column(g, even), room, sum, 0);
        UNROLL for (int r = 0; r < LANE_ROWS; r++) {
            UNROLL for (int q = 0; q < LANE_COLUMNS; q++) {
                const LONG j = column + 32 * q;
                if (row + r < j && j < n)
                    COUNT_ONE(&count[bin_of(sum[r][q], edge, scale) * COPIES + copy]);
            }
        }
    }
    BARRIER();
    for (int k = lane; k < BINS; k += TILE_LANES) {
        unsigned int here = 0;
        for (int c = 0; c < COPIES; c++) {
            here += count[k * COPIES + c];
        }
        counts[k * parts + GROUP(0)] = here;
    }
}

KERNEL LANES_MOST(TILE_LANES)
    k_histogram_end(GLOBAL const unsigned int *counts, GLOBAL LONG *out, LONG parts) {
    SHARED LONG room[TILE_LANES];
    const int lane = (int)LANE(0);
    LONG sum = 0;
    for (LONG p = lane; p < parts; p += TILE_LANES) {
        sum += counts[GROUP(0) * parts + p];
    }
    room[lane] = sum;
    BARRIER();
    for (int apart = TILE_LANES / 2; apart > 0; apart /= 2) {
        if (lane < apart)
            room[lane] += room[lane + apart];
        BARRIER();
    }
    if (lane == 0)
        out[GROUP(0)] = room[0];
}

#endif
