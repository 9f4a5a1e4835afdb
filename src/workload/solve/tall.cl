/*
 * One system A x = b, with large.cl before this source and solve_halves.cl behind it: a panel of
 * DEPTH columns lies in the registers of a cluster of groups, which exchange their best rows through
 * each other's shared memory. CUDA from compute capability 9.0 on: PTX ISA, mapa, barrier.cluster,
 * st.async, mbarrier.
 *
 * Defined before this source: ORDER, STRIDE.
 */
#include "kernels/dialect.h"
#include "pivot.h"
#include "large.cl"

#if defined(__OPENCL_VERSION__)
#error For CUDA alone: OpenCL has no clusters of groups
#endif
#define CLUSTER 16     /* groups */
#define TALL_LANES 256 /* of a group: with more, and fewer rows a lane, the search is slower */
#define TALL_WARPS (TALL_LANES / 32)
#define TALL_MOST 4 /* rows of a lane */

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

/* A group's knowledge of a step: the best row of each of its warps, and of each group, which comes
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

/* A lane's rows after pivot `row` of step k went to row p: where they are (`at`), and each row less its factor times
 * the pivot's. A row's registers go round by one: its first comes last, or its factor does where it is below. */
DEVICE void be_tall_step(REAL (*v)[DEPTH], int *at, const PAIR *row, REAL pivot, REAL over, int p,
                         int k, const int rows) {
    const int tiny = FABS(pivot) < REAL_TINIEST; /* 1 / it overflows */
    REAL l[TALL_MOST];
    REAL last[TALL_MOST];
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

/* Registers go round as in a step, and nothing is computed. */
DEVICE void be_tall_turn(REAL (*v)[DEPTH], const int rows) {
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
        bad = bad == 0 && pivot == 0 ? k + 1 : bad;
        if (threadIdx.x == 0)
            s->pivot[c] = p;
        be_tall_step(v, at, row, pivot, over, p, k, rows);
    }
    for (int c = columns; c < DEPTH; c++) { /* the last panel's registers, once round */
        be_tall_turn(v, rows);
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

#include "halves.h"
