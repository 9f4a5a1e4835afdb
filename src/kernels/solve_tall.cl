/*
 * One system A x = b of up to TALL_MOST unknowns, with solve_large.cl before this source: a panel of
 * DEPTH columns lies in the registers of a cluster of groups, which exchange their best rows through
 * each other's shared memory. CUDA from compute capability 9.0 on: PTX ISA, mapa, barrier.cluster.
 *
 * Defined before this source: ORDER, STRIDE; TALL_ROWS, the rows of each lane.
 */

#define CLUSTER 16     /* groups */
#define TALL_LANES 512 /* of a group, or fewer */
#define BACK 64        /* unknowns found at a time */

/* Where `own`, in shared memory of this group, lies in that of a neighbour. */
DEVICE unsigned int be_of_neighbour(const void *own, int neighbour) {
    const unsigned int at = (unsigned int)__cvta_generic_to_shared(own);
    unsigned int there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(neighbour));
    return there;
}

DEVICE void be_tell_number(REAL *own, int neighbour, REAL value) {
#if defined(BE_REAL64)
    asm volatile("st.shared::cluster.f64 [%0], %1;" ::"r"(be_of_neighbour(own, neighbour)),
                 "d"(value)
                 : "memory");
#else
    asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(be_of_neighbour(own, neighbour)),
                 "f"(value)
                 : "memory");
#endif
}

DEVICE void be_tell_row(int *own, int neighbour, int row) {
    asm volatile("st.shared::cluster.s32 [%0], %1;" ::"r"(be_of_neighbour(own, neighbour)),
                 "r"(row)
                 : "memory");
}

/* All lanes of the cluster, and what they told each other. */
DEVICE void be_meet_neighbours(void) {
    __syncwarp();
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

/* What a group knows of a step: the best row of each of its warps, and of each group, which comes
 * from there. That of the step before may still be read. */
struct be_tall {
    REAL size[TALL_LANES / 32];
    int place[TALL_LANES / 32];
    REAL own[DEPTH];
    REAL row[2][CLUSTER][DEPTH + 1]; /* and the size of its first number; -1: none */
    int at[2][CLUSTER];
    int pivot[DEPTH]; /* to memory at the end: neighbours who meet wait for what is on its way there */
};

/* The best row of the group, of those that lanes offer; `most`, its size, < 0: none. */
DEVICE int be_tall_best(struct be_tall *s, REAL *most, int best) {
    unsigned int all;
    const int warp = threadIdx.x / 32;
    int lane = be_pivot_lane(0xffffffff, *most, *most >= 0 || *most != *most, &all);
    if ((threadIdx.x & 31) == lane) {
        s->size[warp] = *most;
        s->place[warp] = best;
    }
    BARRIER();
    const REAL here = (threadIdx.x & 31) < LANES(0) / 32 ? s->size[threadIdx.x & 31] : -1;
    lane = be_pivot_lane(0xffffffff, here, here >= 0 || here != here, &all);
    *most = s->size[lane];
    return s->place[lane];
}

/* To all groups, one after the other by the warps. */
DEVICE void be_tell_all(struct be_tall *s, int odd, REAL most, int best) {
    const int lane = threadIdx.x & 31;
    const int rank = (int)GROUP(0);
    for (int neighbour = threadIdx.x / 32; neighbour < CLUSTER; neighbour += (int)LANES(0) / 32) {
        if (lane < DEPTH)
            be_tell_number(&s->row[odd][rank][lane], neighbour, s->own[lane]);
        if (lane == DEPTH)
            be_tell_number(&s->row[odd][rank][DEPTH], neighbour, most);
        if (lane == DEPTH + 1)
            be_tell_row(&s->at[odd][rank], neighbour, best);
    }
    be_meet_neighbours();
}

/* A row of a panel, by pairs. */
DEVICE void be_tall_load(GLOBAL const REAL *from, REAL *v, int there) {
#pragma unroll
    for (int c = 0; c < DEPTH; c += 2) {
        const PAIR two = there ? *(const PAIR *)(from + c) : be_pair(0, 0);
        v[c] = two.x;
        v[c + 1] = two.y;
    }
}

DEVICE void be_tall_store(GLOBAL REAL *to, const REAL *v, int columns) {
    if (columns == DEPTH) {
#pragma unroll
        for (int c = 0; c < DEPTH; c += 2) {
            *(PAIR *)(to + c) = be_pair(v[c], v[c + 1]);
        }
    } else {
#pragma unroll
        for (int c = 0; c < DEPTH; c++) {
            if (c < columns)
                to[c] = v[c];
        }
    }
}

/* Step c: which row is the next of U. The result: where it is among s->row[c & 1]. */
DEVICE int be_tall_search(struct be_tall *s, REAL v[][DEPTH], const int *at, const int rows, int k,
                          int c) {
    const int lane = threadIdx.x & 31;
    unsigned int all;
    REAL most = -1;
    int best = -1;
#pragma unroll
    for (int r = 0; r < rows; r++) {
        const REAL here = FABS(v[r][0]);
        const int better = at[r] >= k && at[r] < ORDER && be_is_more(here, most);
        most = better ? here : most;
        best = better ? at[r] : best;
    }
    best = be_tall_best(s, &most, best);
#pragma unroll
    for (int r = 0; r < rows; r++) {
        if (at[r] == best) {
#pragma unroll
            for (int j = 0; j < DEPTH; j++) {
                s->own[j] = j + c < DEPTH ? v[r][j] : 0; /* to what is done already it is nothing */
            }
        }
    }
    BARRIER();
    be_tell_all(s, c & 1, most, best);
    const REAL there = lane < CLUSTER ? s->row[c & 1][lane][DEPTH] : -1;
    return be_pivot_lane(0xffffffff, there, there >= 0 || there != there, &all);
}

/* One cluster. Columns [k0, k0 + columns) of the rows from k0 on, of which `rows` are each lane's.
 * A row's registers go round by one a step, as in k_large_panel. */
DEVICE void be_tall_panel(struct be_tall *s, GLOBAL REAL *w, GLOBAL int *pivots, GLOBAL int *info,
                          LONG system, int k0, int columns, const int rows) {
    const int apart = CLUSTER * (int)LANES(0);
    REAL v[TALL_ROWS][DEPTH];
    int at[TALL_ROWS];
    int bad = 0;
#pragma unroll
    for (int r = 0; r < rows; r++) {
        at[r] = k0 + (int)(GROUP(0) * LANES(0) + LANE(0)) + r * apart;
        be_tall_load(w + (LONG)at[r] * STRIDE + k0, v[r], at[r] < ORDER);
    }
    be_meet_neighbours(); /* none is told anything before it runs */
#pragma unroll 1
    for (int c = 0; c < columns; c++) {
        const int k = k0 + c;
        const int group = be_tall_search(s, v, at, rows, k, c);
        const REAL *top = s->row[c & 1][group];
        const int p = s->at[c & 1][group];
        const REAL pivot = top[0];
        bad = bad == 0 && pivot == 0 ? k + 1 : bad;
        if (threadIdx.x == 0)
            s->pivot[c] = p;
#pragma unroll
        for (int r = 0; r < rows; r++) {
            at[r] = at[r] == p ? k : at[r] == k ? p : at[r];
            const REAL first = v[r][0];
            const REAL l = at[r] > k ? first / pivot : 0;
#pragma unroll
            for (int j = 1; j < DEPTH; j++) {
                v[r][j - 1] = REAL_FMA(-l, top[j], v[r][j]);
            }
            v[r][DEPTH - 1] = at[r] > k ? l : first;
        }
    }
    for (int c = columns; c < DEPTH; c++) { /* the last panel's registers, once round */
#pragma unroll
        for (int r = 0; r < rows; r++) {
            const REAL first = v[r][0];
#pragma unroll
            for (int j = 1; j < DEPTH; j++) {
                v[r][j - 1] = v[r][j];
            }
            v[r][DEPTH - 1] = first;
        }
    }
#pragma unroll
    for (int r = 0; r < rows; r++) {
        if (at[r] < ORDER)
            be_tall_store(w + (LONG)at[r] * STRIDE + k0, v[r], columns);
    }
    BARRIER();
    if (GROUP(0) == 0 && LANE(0) < columns)
        pivots[k0 + LANE(0)] = s->pivot[LANE(0)];
    if (GROUP(0) == 0 && LANE(0) == 0 && bad && info[system] == 0)
        info[system] = bad;
}

KERNEL __cluster_dims__(CLUSTER, 1, 1) LANES_MOST(TALL_LANES)
k_tall_panel(GLOBAL REAL *w, GLOBAL int *pivots, GLOBAL int *info, LONG system, int k0,
             int columns) {
    SHARED struct be_tall s;
    be_tall_panel(&s, w, pivots, info, system, k0, columns, TALL_ROWS);
}

/* Where a row for each lane is enough. */
KERNEL __cluster_dims__(CLUSTER, 1, 1) LANES_MOST(TALL_LANES)
k_tall_panel_one(GLOBAL REAL *w, GLOBAL int *pivots, GLOBAL int *info, LONG system, int k0,
                 int columns) {
    SHARED struct be_tall s;
    be_tall_panel(&s, w, pivots, info, system, k0, columns, 1);
}

/* One group of 256 lanes: the unknowns [begin, begin + BACK), from U and column ORDER. */
KERNEL LANES_MOST(256)
k_tall_found(GLOBAL const REAL *w, GLOBAL REAL *x, GLOBAL const int *info, LONG system,
             int begin) {
    SHARED REAL block[BACK * (BACK + 1)]; /* of U, on its diagonal */
    const int many = ORDER - begin < BACK ? ORDER - begin : BACK;
    const int lane = (int)LANE(0);
    const int bad = info[system];
    REAL right[2] = {0, 0};
    for (int e = lane; e < BACK * BACK; e += 256) {
        const int i = e / BACK;
        const int j = e % BACK;
        block[i * (BACK + 1) + j] =
            i < many && j < many ? w[(LONG)(begin + i) * STRIDE + begin + j] : 0;
    }
    BARRIER();
    if (lane >= 32)
        return;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const int i = lane + 32 * h;
        right[h] = i < many ? w[(LONG)(begin + i) * STRIDE + ORDER] : 0;
    }
    for (int j = many - 1; j >= 0; j--) {
        const REAL one = j < 32 ? right[0] : right[1];
        const REAL found = __shfl_sync(0xffffffff, one, j & 31) / block[j * (BACK + 1) + j];
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int i = lane + 32 * h;
            right[h] = i < j    ? REAL_FMA(-block[i * (BACK + 1) + j], found, right[h])
                       : i == j ? found
                                : right[h];
        }
    }
#pragma unroll
    for (int h = 0; h < 2; h++) {
        if (lane + 32 * h < many)
            x[system * ORDER + begin + lane + 32 * h] = bad ? REAL_NAN : right[h];
    }
}

/* Groups of 256 lanes, a warp a row above `begin`: what the unknowns from there on are to it. */
KERNEL LANES_MOST(256)
k_tall_rest(GLOBAL REAL *w, GLOBAL const REAL *x, LONG system, int begin) {
    const int i = (int)GROUP(0) * 8 + (int)LANE(0) / 32;
    const int lane = (int)LANE(0) % 32;
    if (i >= begin) /* the whole warp */
        return;
    REAL sum = 0;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const int j = begin + lane + 32 * h;
        if (j < begin + BACK && j < ORDER)
            sum = REAL_FMA(w[(LONG)i * STRIDE + j], x[system * ORDER + j], sum);
    }
    for (int far = 16; far > 0; far /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, far);
    }
    if (lane == 0)
        w[(LONG)i * STRIDE + ORDER] -= sum;
}
