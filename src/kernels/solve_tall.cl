/*
 * One system A x = b of up to TALL_MOST unknowns, with solve_large.cl before this source: a panel of
 * DEPTH columns lies in the registers of a cluster of groups, which exchange their best rows through
 * each other's shared memory. CUDA from compute capability 9.0 on: PTX ISA, mapa, barrier.cluster,
 * st.async, mbarrier.
 *
 * Defined before this source: ORDER, STRIDE.
 */

#define CLUSTER 16     /* groups */
#define TALL_LANES 256 /* of a group: with more, and fewer rows a lane, the search is slower */
#define TALL_WARPS (TALL_LANES / 32)
#define TALL_MOST 4 /* rows of a lane */
#define BACK 64        /* unknowns found at a time */

/* Where `own`, in shared memory of this group, lies in that of a neighbour. */
DEVICE unsigned int be_of_neighbour(const void *own, int neighbour) {
    const unsigned int at = (unsigned int)__cvta_generic_to_shared(own);
    unsigned int there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(neighbour));
    return there;
}

/* A number on its way to a neighbour, whose `arrived` counts its bytes when it is there; both as
 * be_of_neighbour has them. */
DEVICE void be_tell(unsigned int there, unsigned int arrived, REAL value) {
#if defined(BE_REAL64)
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(there),
        "l"(__double_as_longlong(value)), "r"(arrived)
        : "memory");
#else
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(there),
        "r"(__float_as_int(value)), "r"(arrived)
        : "memory");
#endif
}

/* By one lane, once a step: the bytes that all will tell this group. */
DEVICE void be_expect(unsigned long long *arrived, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     (unsigned int)__cvta_generic_to_shared(arrived)),
                 "r"(bytes)
                 : "memory");
}

/* Until all of a step has arrived; odd: of every other one. */
DEVICE void be_await(unsigned long long *arrived, int odd) {
    int done = 0;
    while (!done) {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                     "selp.s32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(done)
                     : "r"((unsigned int)__cvta_generic_to_shared(arrived)), "r"(odd)
                     : "memory");
    }
}

/* By one lane, before any group is told anything. */
DEVICE void be_prepare_arrivals(unsigned long long *arrived, int count) {
    for (int i = 0; i < count; i++) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
                         (unsigned int)__cvta_generic_to_shared(arrived + i))
                     : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* All lanes of the cluster, and what they told each other. */
DEVICE void be_meet_neighbours(void) {
    __syncwarp();
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

/* What a group knows of a step: the best row of each of its warps, and of each group, which comes
 * from there. All twice: a lane may be ahead by less than a step, and so may a neighbour. */
struct be_tall {
    PAIR own[2][TALL_WARPS][DEPTH / 2];
    PAIR row[2][CLUSTER][DEPTH / 2 + 1]; /* last: its first number, and where it is (-1: none) */
    REAL size[2][TALL_WARPS];
    int place[2][TALL_WARPS];
    unsigned long long arrived[2];
    int pivot[DEPTH]; /* to memory at the end */
};

#define QUARTERS (DEPTH / 4) /* pairs of half a row */
#define TALL_ROOM (32 * QUARTERS)

/* Bytes that a group is told in a step. */
#define TOLD (CLUSTER * (DEPTH + 2) * (int)sizeof(REAL))

/* Step c: the best row of all warps' to all groups, of which each warp tells two: there[] is where s
 * lies in those. */
DEVICE void be_tell_all(struct be_tall *s, const unsigned int *there, int c) {
    const int lane = threadIdx.x & 31;
    const int odd = c & 1;
    const int rank = (int)GROUP(0);
    const REAL here = lane < TALL_WARPS ? s->size[odd][lane] : -1;
    unsigned int all;
    const int warp = be_pivot_lane(0xffffffff, here, here >= 0 || here != here, &all);
    const REAL *own = (const REAL *)s->own[odd][warp];
    /* to what is done already it is nothing */
    const REAL mine = lane + c < DEPTH    ? own[lane]
                      : lane == DEPTH     ? own[0]
                      : lane == DEPTH + 1 ? (REAL)s->place[odd][warp]
                                          : 0;
    const unsigned int to = (unsigned int)((const char *)((REAL *)s->row[odd][rank] + lane) -
                                           (const char *)s);
    const unsigned int arrived =
        (unsigned int)((const char *)&s->arrived[odd] - (const char *)s);
#pragma unroll
    for (int i = 0; i < CLUSTER / TALL_WARPS; i++) {
        if (lane < DEPTH + 2)
            be_tell(there[i] + to, there[i] + arrived, mine);
    }
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

/* Rows of a warp, each to where its lane says, `room` for half of the columns at a time: so four
 * lanes write what lies together. In it pairs are turned so that neighbours use different banks. */
DEVICE void be_tall_store(GLOBAL REAL *w, PAIR *room, int at, const REAL *v, int columns) {
    const int lane = threadIdx.x & 31;
    if (columns < DEPTH) {
#pragma unroll
        for (int c = 0; c < DEPTH; c++) {
            if (c < columns && at < ORDER)
                w[(LONG)at * STRIDE + c] = v[c];
        }
        return;
    }
#pragma unroll
    for (int half = 0; half < DEPTH; half += DEPTH / 2) {
        __syncwarp();
#pragma unroll
        for (int q = 0; q < QUARTERS; q++) {
            room[lane * QUARTERS + (q ^ (lane / 2 % QUARTERS))] =
                be_pair(v[half + 2 * q], v[half + 2 * q + 1]);
        }
        __syncwarp();
#pragma unroll
        for (int e = 0; e < 32; e += 32 / QUARTERS) {
            const int row = e + lane / QUARTERS;
            const int q = lane % QUARTERS;
            const int to = __shfl_sync(0xffffffff, at, row);
            const PAIR two = room[row * QUARTERS + (q ^ (row / 2 % QUARTERS))];
            if (to < ORDER)
                *(PAIR *)(w + (LONG)to * STRIDE + half + 2 * q) = two;
        }
    }
}

/* Step c: which row is the next of U. The result: where it is among s->row[c & 1]; *over: 1 / its
 * first number. */
DEVICE int be_tall_search(struct be_tall *s, const unsigned int *there, REAL v[][DEPTH],
                          const int *at, const int rows, int k, int c, REAL *over) {
    const int lane = threadIdx.x & 31;
    const int odd = c & 1;
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
    if (lane == be_pivot_lane(0xffffffff, most, most >= 0 || most != most, &all)) {
        s->size[odd][threadIdx.x / 32] = most;
        s->place[odd][threadIdx.x / 32] = best;
#pragma unroll
        for (int r = 0; r < rows; r++) {
            if (at[r] == best) {
#pragma unroll
                for (int j = 0; j < DEPTH; j += 2) {
                    s->own[odd][threadIdx.x / 32][j / 2] = be_pair(v[r][j], v[r][j + 1]);
                }
            }
        }
    }
    if (threadIdx.x == 0)
        be_expect(&s->arrived[odd], TOLD);
    BARRIER();
    be_tell_all(s, there, c);
    be_await(&s->arrived[odd], c >> 1 & 1);
    const PAIR known = s->row[odd][lane % CLUSTER][DEPTH / 2];
    const REAL turned = 1 / known.x;
    const int group =
        be_pivot_lane(0xffffffff, FABS(known.x), lane < CLUSTER && known.y >= 0, &all);
    *over = __shfl_sync(0xffffffff, turned, group);
    return group;
}

/* One cluster. Columns [k0, k0 + columns) of the rows from k0 on, of which `rows` are each lane's.
 * A row's registers go round by one a step, as in k_large_panel. */
DEVICE void be_tall_panel(struct be_tall *s, PAIR (*room)[TALL_ROOM], GLOBAL REAL *w,
                          GLOBAL int *pivots, GLOBAL int *info, LONG system, int k0, int columns,
                          const int rows) {
    REAL v[TALL_MOST][DEPTH];
    int at[TALL_MOST];
    unsigned int there[CLUSTER / TALL_WARPS];
    int bad = 0;
#pragma unroll
    for (int r = 0; r < rows; r++) {
        at[r] = k0 + (r * CLUSTER + (int)GROUP(0)) * TALL_LANES + (int)LANE(0);
        be_tall_load(w + (LONG)at[r] * STRIDE + k0, v[r], at[r] < ORDER);
    }
    for (int i = 0; i < CLUSTER / TALL_WARPS; i++) {
        there[i] = be_of_neighbour(s, (int)threadIdx.x / 32 + i * TALL_WARPS);
    }
    if (threadIdx.x == 0)
        be_prepare_arrivals(s->arrived, 2);
    be_meet_neighbours(); /* none is told anything before it runs */
#pragma unroll 1
    for (int c = 0; c < columns; c++) {
        const int k = k0 + c;
        REAL over;
        const int group = be_tall_search(s, there, v, at, rows, k, c, &over);
        const PAIR *row = s->row[c & 1][group];
        const int p = (int)row[DEPTH / 2].y;
        const REAL pivot = row[0].x;
        const int tiny = FABS(pivot) < REAL_TINIEST; /* 1 / it overflows */
        REAL l[TALL_MOST];
        REAL last[TALL_MOST];
        bad = bad == 0 && pivot == 0 ? k + 1 : bad;
        if (threadIdx.x == 0)
            s->pivot[c] = p;
#pragma unroll
        for (int r = 0; r < rows; r++) {
            at[r] = at[r] == p ? k : at[r] == k ? p : at[r];
            const REAL first = v[r][0];
            l[r] = at[r] <= k ? 0 : tiny ? first / pivot : first * over;
            last[r] = at[r] <= k ? first : l[r];
        }
#pragma unroll
        for (int j = 0; j < DEPTH; j += 2) {
            const PAIR top = row[j / 2];
#pragma unroll
            for (int r = 0; r < rows; r++) {
                if (j > 0)
                    v[r][j - 1] = REAL_FMA(-l[r], top.x, v[r][j]);
                v[r][j] = REAL_FMA(-l[r], top.y, v[r][j + 1]);
            }
        }
#pragma unroll
        for (int r = 0; r < rows; r++) {
            v[r][DEPTH - 1] = last[r];
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
        be_tall_store(w + k0, room[threadIdx.x / 32], at[r], v[r], columns);
    }
    BARRIER();
    if (GROUP(0) == 0 && LANE(0) < columns)
        pivots[k0 + LANE(0)] = s->pivot[LANE(0)];
    if (GROUP(0) == 0 && LANE(0) == 0 && bad && info[system] == 0)
        info[system] = bad;
}

/* One for each number of rows a lane. */
#define TALL_PANEL(name, rows)                                                                     \
    KERNEL __cluster_dims__(CLUSTER, 1, 1) LANES_MOST_OF(TALL_LANES, 1)                            \
    name(GLOBAL REAL *w, GLOBAL int *pivots, GLOBAL int *info, LONG system, int k0, int columns) { \
        SHARED struct be_tall s;                                                                   \
        SHARED PAIR room[TALL_WARPS][TALL_ROOM];                                                   \
        be_tall_panel(&s, room, w, pivots, info, system, k0, columns, rows);                       \
    }

TALL_PANEL(k_tall_panel, 1)
TALL_PANEL(k_tall_panel_2, 2)
TALL_PANEL(k_tall_panel_3, 3)
TALL_PANEL(k_tall_panel_4, 4)

/* Groups of 64 lanes, a column each, of all columns to ORDER but those of the panel from k0 on: the
 * swaps of its `depth` pivots, and between it and column `solved` its triangle. */
KERNEL LANES_MOST(64)
k_tall_top(GLOBAL REAL *w, GLOBAL const int *pivots, int k0, int depth, int solved) {
    SHARED REAL l[DEPTH * DEPTH];
    SHARED int row[DEPTH];
    SHARED int source[DEPTH];
    SHARED int target[DEPTH];
    SHARED int displaced[DEPTH];
    const int lane = (int)LANE(0);
    const int j = (int)GROUP(0) * 64 + lane;
    for (int e = lane; e < DEPTH * DEPTH; e += 64) {
        const int i = e / DEPTH;
        const int q = e % DEPTH;
        l[e] = i < depth && q < i ? w[(LONG)(k0 + i) * STRIDE + k0 + q] : 0;
    }
    if (lane < depth)
        row[lane] = pivots[k0 + lane];
    BARRIER();
    if (lane < DEPTH)
        be_follow_swaps(row, lane, k0, depth, source, target, displaced);
    BARRIER();
    if (j > ORDER || (j >= k0 && j < k0 + depth))
        return;
    REAL u[DEPTH];
    REAL away[DEPTH]; /* all on their way at a time */
    w += j;
#pragma unroll
    for (int q = 0; q < DEPTH; q++) {
        u[q] = q < depth ? w[(LONG)source[q] * STRIDE] : 0;
        away[q] = target[q] >= 0 ? w[(LONG)displaced[q] * STRIDE] : 0;
    }
#pragma unroll
    for (int q = 0; q < DEPTH; q++) {
        if (target[q] >= 0)
            w[(LONG)target[q] * STRIDE] = away[q];
    }
    if (j > k0 && j < solved) {
#pragma unroll
        for (int q = 0; q < DEPTH; q++) {
#pragma unroll
            for (int i = q + 1; i < DEPTH; i++) {
                u[i] = REAL_FMA(-l[i * DEPTH + q], u[q], u[i]);
            }
        }
    }
#pragma unroll
    for (int q = 0; q < DEPTH; q++) {
        if (q < depth)
            w[(LONG)(k0 + q) * STRIDE] = u[q];
    }
}

#define STRIP 32                      /* columns of a group */
#define STRIP_ROWS 16                 /* of a warp, and columns of L at a time */
#define STRIP_LANES 512               /* of a group */
#define STRIP_L (STRIP_ROWS + 2)      /* of a column of L: pairs of numbers stay aligned */
#define STRIP_NEXT (STRIP_ROWS / 2)   /* of what is on its way, for each lane */

/* STRIP_ROWS rows of L from i0 on, as many columns from q0 on, for one warp: on their way, and to
 * shared memory, turned. What is not of L, or not above `end`, is 0. */
DEVICE void be_strip_fetch(GLOBAL const REAL *w, int i0, int q0, int end, REAL *next) {
    const int q = q0 + (threadIdx.x & 31) % STRIP_ROWS;
    const int first = i0 + (threadIdx.x & 31) / STRIP_ROWS;
#pragma unroll
    for (int e = 0; e < STRIP_NEXT; e++) {
        const int i = first + 2 * e;
        next[e] = i < end && q < i ? w[(LONG)i * STRIDE + q] : 0;
    }
}

DEVICE void be_strip_put(REAL *l, const REAL *next) {
    const int q = (threadIdx.x & 31) % STRIP_ROWS;
    const int first = (threadIdx.x & 31) / STRIP_ROWS;
    __syncwarp();
#pragma unroll
    for (int e = 0; e < STRIP_NEXT; e++) {
        l[q * STRIP_L + first + 2 * e] = next[e];
    }
    __syncwarp();
}

/* The warp's own rows, u a column of them, through their triangle. */
DEVICE void be_strip_triangle(const REAL *l, REAL *u) {
#pragma unroll
    for (int q = 0; q < STRIP_ROWS - 1; q++) {
#pragma unroll
        for (int i = (q + 1) / 2 * 2; i < STRIP_ROWS; i += 2) {
            const PAIR two = *(const PAIR *)(l + q * STRIP_L + i);
            if (i > q)
                u[i] = REAL_FMA(-two.x, u[q], u[i]);
            u[i + 1] = REAL_FMA(-two.y, u[q], u[i + 1]);
        }
    }
}

/* Rows that come later, less what is found of those before. */
DEVICE void be_strip_less(const REAL *l, const REAL (*found)[STRIP], REAL *u) {
#pragma unroll 8
    for (int q = 0; q < STRIP_ROWS; q++) {
        const REAL top = found[q][threadIdx.x & 31];
#pragma unroll
        for (int i = 0; i < STRIP_ROWS; i += 2) {
            const PAIR two = *(const PAIR *)(l + q * STRIP_L + i);
            u[i] = REAL_FMA(-two.x, top, u[i]);
            u[i + 1] = REAL_FMA(-two.y, top, u[i + 1]);
        }
    }
}

/* Groups of STRIP_LANES lanes, STRIP columns each from `from` to `to`: rows [begin, end), 256 at most,
 * through the triangle left of them. A warp has STRIP_ROWS rows, each of its lanes a column of them,
 * and what comes next of L, and after it, is on its way while products are computed. */
KERNEL LANES_MOST(STRIP_LANES)
k_tall_follow(GLOBAL REAL *w, int begin, int end, int from, int to) {
    SHARED REAL found[2][STRIP_ROWS][STRIP]; /* in turn: one step may still be read in the next */
    SHARED PAIR room[STRIP_LANES / 32][STRIP_ROWS * STRIP_L / 2];
    const int warp = (int)LANE(0) / 32;
    const int i0 = begin + warp * STRIP_ROWS;
    const int j = from + (int)GROUP(0) * STRIP + (int)LANE(0) % 32;
    const int rows = j < to ? end - i0 : 0;
    REAL *l = (REAL *)room[warp];
    REAL u[STRIP_ROWS];
    REAL next[STRIP_NEXT];
    REAL after[STRIP_NEXT];
    be_strip_fetch(w, i0, begin, end, next);
    be_strip_fetch(w, i0, begin + STRIP_ROWS, end, after);
#pragma unroll
    for (int i = 0; i < STRIP_ROWS; i++) {
        u[i] = i < rows ? w[(LONG)(i0 + i) * STRIDE + j] : 0;
    }
    for (int q0 = begin; q0 < end && q0 <= i0; q0 += STRIP_ROWS) {
        be_strip_put(l, next);
#pragma unroll
        for (int e = 0; e < STRIP_NEXT; e++) {
            next[e] = after[e];
        }
        be_strip_fetch(w, i0, q0 + 2 * STRIP_ROWS, end, after);
        REAL(*const top)[STRIP] = found[(q0 - begin) / STRIP_ROWS % 2];
        if (q0 == i0) {
            be_strip_triangle(l, u);
#pragma unroll
            for (int i = 0; i < STRIP_ROWS; i++) {
                top[i][LANE(0) % 32] = u[i];
            }
        }
        BARRIER();
        if (q0 < i0)
            be_strip_less(l, top, u);
    }
    for (int q0 = i0 + STRIP_ROWS; q0 < end; q0 += STRIP_ROWS) {
        BARRIER();
    }
#pragma unroll
    for (int i = 0; i < STRIP_ROWS; i++) {
        if (i < rows)
            w[(LONG)(i0 + i) * STRIDE + j] = u[i];
    }
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
    REAL over[2]; /* 1 / the diagonal, all at once: one after the other they would be waited for */
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
        over[h] = 1 / block[i * (BACK + 1) + i];
    }
    for (int j = many - 1; j >= 0; j--) {
        const REAL one = __shfl_sync(0xffffffff, j < 32 ? right[0] : right[1], j & 31);
        const REAL turned = __shfl_sync(0xffffffff, j < 32 ? over[0] : over[1], j & 31);
        const REAL below = block[j * (BACK + 1) + j];
        const REAL found = FABS(below) < REAL_TINIEST ? one / below : one * turned;
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
