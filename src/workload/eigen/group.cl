/*
 * Eigenvalues and vectors of matrices, a group of lanes each, by cyclic Jacobi (Golub and Van Loan, Matrix Computations,
 * 8.5): half as many pairs of rows as there are rows are turned side by side, then others are paired, as in a
 * tournament in which all meet all (Brent and Luk 1985). The rows and columns of two pairs meet in four numbers, which a
 * lane turns from both sides at once.
 *
 * Defined before: ORDER; GROUP_LANES; IN_SHARED, 1 where A is kept in shared memory, else it is in scratch. Vectors are
 * turned where they go in the end.
 */
#include "kernels/dialect.h"
#include "jacobi.h"

#define EVEN (ORDER + ORDER % 2) /* an odd order has a row and a column of zeroes more, which meet nobody */
#define PAIRS (EVEN / 2)
#define NUMBERS (ORDER * ORDER)
#define STRIDE (EVEN + 1)
#define ROOM (EVEN * STRIDE)

#if IN_SHARED
#define MEMORY LOCAL
#else
#define MEMORY GLOBAL
#endif

/* Also of what is in the device's memory. */
#if defined(__OPENCL_VERSION__)
#define MEMORY_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
/* PoCL 3.1 makes wrong code of two such loops without a barrier between them, where no lane has two turns in the first:
 * with 32 lanes at order 10, not with 16. The same source on threads is right, and free of races. */
#define LOOP_BARRIER() BARRIER()
#else
#define MEMORY_BARRIER() BARRIER()
#define LOOP_BARRIER()
#endif

/* A lane's place, and how the matrix was scaled. */
struct be_member {
    int lane;
    REAL to[2];
    REAL enough; /* numbers off the diagonal that are no larger are left as they are */
    REAL nothing; /* NaN if a number of the matrix is not finite, else 0 */
};

/* Row number `side` of a pair in a round of EVEN - 1. */
DEVICE int be_player(int round, int pair, int side) {
    if (pair == 0) {
        return side ? EVEN - 1 : round;
    }
    return side ? (round + EVEN - 1 - pair) % (EVEN - 1) : (round + pair) % (EVEN - 1);
}

/* The sum of what each lane has, or the largest. */
DEVICE REAL be_group_sum(LOCAL const REAL *each) {
    REAL sum = 0;
    for (int i = 0; i < GROUP_LANES; i++) {
        sum += each[i];
    }
    return sum;
}

DEVICE REAL be_group_most(LOCAL const REAL *each) {
    REAL most = 0;
    for (int i = 0; i < GROUP_LANES; i++) {
        most = each[i] > most ? each[i] : most;
    }
    return most;
}

/* A from a matrix, scaled; the vectors are those of the identity. sums: twice as many as there are lanes. */
DEVICE void be_group_start(struct be_member *m, GLOBAL const REAL *from, MEMORY REAL *a, GLOBAL REAL *vector,
                           LOCAL REAL *sums) {
    REAL largest = 0;
    REAL squares = 0;
    REAL nothing = 0;
    for (int e = m->lane; e < NUMBERS; e += GROUP_LANES) {
        const REAL number = from[e];
        largest = fabs(number) > largest ? fabs(number) : largest;
        nothing += number * 0;
    }
    sums[m->lane] = largest;
    sums[GROUP_LANES + m->lane] = nothing;
    BARRIER();
    be_scale(be_group_most(sums), m->to);
    m->nothing = be_group_sum(sums + GROUP_LANES);
    BARRIER();
    for (int e = m->lane; e < EVEN * EVEN; e += GROUP_LANES) {
        const int i = e / EVEN;
        const int j = e % EVEN;
        const int is_there = i < ORDER && j < ORDER;
        const REAL number = is_there ? from[i * ORDER + j] * m->to[0] * m->to[1] : 0;
        squares += number * number;
        a[i * STRIDE + j] = number;
        if (is_there) {
            vector[i * ORDER + j] = i == j ? 1 : 0;
        }
    }
    sums[m->lane] = squares;
    MEMORY_BARRIER();
    m->enough = (REAL)UNIT / 8 * sqrt(be_group_sum(sums));
    BARRIER();
}

/* Is a number off the diagonal left that is not next to nothing? */
DEVICE int be_group_again(const struct be_member *m, MEMORY const REAL *a, LOCAL REAL *sums) {
    REAL most = 0;
    for (int e = m->lane; e < EVEN * EVEN; e += GROUP_LANES) {
        const int i = e / EVEN;
        const int j = e % EVEN;
        const REAL size = i == j ? 0 : fabs(a[i * STRIDE + j]);
        most = size > most ? size : most;
    }
    sums[m->lane] = most;
    BARRIER();
    most = be_group_most(sums);
    BARRIER();
    return most > m->enough;
}

/* The turns of a round: two numbers a pair. */
DEVICE void be_group_turns(const struct be_member *m, int round, MEMORY const REAL *a, LOCAL REAL *turns) {
    for (int pair = m->lane; pair < PAIRS; pair += GROUP_LANES) {
        const int i = be_player(round, pair, 0);
        const int j = be_player(round, pair, 1);
        const REAL between = a[i * STRIDE + j];
        REAL s = 0;
        REAL t = 0;
        if (fabs(between) > m->enough) {
            be_angle((a[j * STRIDE + j] - a[i * STRIDE + i]) / (2 * between), &s, &t);
        }
        turns[2 * pair] = s;
        turns[2 * pair + 1] = t;
    }
}

/* Two pairs' rows and columns: four numbers, or two on the diagonal and two that become 0. */
DEVICE void be_group_block(MEMORY REAL *a, int round, int upper, int left, LOCAL const REAL *turns) {
    const int i = be_player(round, upper, 0) * STRIDE;
    const int j = be_player(round, upper, 1) * STRIDE;
    const int k = be_player(round, left, 0);
    const int l = be_player(round, left, 1);
    const REAL s = turns[2 * upper];
    const REAL t = turns[2 * upper + 1];
    const REAL sine = turns[2 * left];
    const REAL half_tangent = turns[2 * left + 1];
    const REAL ik = TURNED_FIRST(a[i + k], a[j + k], s, t);
    const REAL jk = TURNED_SECOND(a[i + k], a[j + k], s, t);
    const REAL il = TURNED_FIRST(a[i + l], a[j + l], s, t);
    const REAL jl = TURNED_SECOND(a[i + l], a[j + l], s, t);
    const int zero = upper == left && s != 0;
    a[i + k] = TURNED_FIRST(ik, il, sine, half_tangent);
    a[i + l] = zero ? 0 : TURNED_SECOND(ik, il, sine, half_tangent);
    a[j + k] = zero ? 0 : TURNED_FIRST(jk, jl, sine, half_tangent);
    a[j + l] = TURNED_SECOND(jk, jl, sine, half_tangent);
}

/* All rows meet once. */
DEVICE void be_group_sweep(const struct be_member *m, MEMORY REAL *a, GLOBAL REAL *vector, LOCAL REAL *turns) {
    for (int round = 0; round < EVEN - 1; round++) {
        be_group_turns(m, round, a, turns);
        BARRIER();
        for (int e = m->lane; e < PAIRS * PAIRS; e += GROUP_LANES) {
            be_group_block(a, round, e / PAIRS, e % PAIRS, turns);
        }
        LOOP_BARRIER();
        for (int e = m->lane; e < PAIRS * ORDER; e += GROUP_LANES) {
            const int pair = e / ORDER;
            const int j = be_player(round, pair, 1);
            const REAL s = turns[2 * pair];
            const REAL t = turns[2 * pair + 1];
            GLOBAL REAL *x = vector + be_player(round, pair, 0) * ORDER + e % ORDER;
            GLOBAL REAL *y = vector + j * ORDER + e % ORDER;
            if (s != 0) { /* one without a partner is not turned */
                const REAL one = *x;
                const REAL other = *y;
                *x = TURNED_FIRST(one, other, s, t);
                *y = TURNED_SECOND(one, other, s, t);
            }
        }
        MEMORY_BARRIER();
    }
}

/* The values, and their places: ascending. */
DEVICE void be_group_places(const struct be_member *m, MEMORY const REAL *a, LOCAL int *place, GLOBAL REAL *values) {
    for (int i = m->lane; i < ORDER; i += GROUP_LANES) {
        const REAL value = a[i * STRIDE + i];
        int before = 0;
        for (int j = 0; j < ORDER; j++) {
            const REAL other = a[j * STRIDE + j];
            before += other < value || (other == value && j < i) ? 1 : 0;
        }
        place[i] = m->nothing == 0 ? before : i;
        values[place[i]] = value / m->to[1] / m->to[0] + m->nothing;
    }
    MEMORY_BARRIER();
}

/* The vectors go to their places: a lane moves number k of all of them around in circles. */
DEVICE void be_group_move(GLOBAL REAL *vector, LOCAL const int *place, int k, REAL nothing) {
    for (int start = 0; start < ORDER; start++) {
        int at = place[start];
        while (at > start) {
            at = place[at];
        }
        if (at < start) {
            continue; /* of a circle that began earlier */
        }
        REAL moving = vector[start * ORDER + k] + nothing;
        for (at = place[start]; at != start; at = place[at]) {
            const REAL next = vector[at * ORDER + k] + nothing;
            vector[at * ORDER + k] = moving;
            moving = next;
        }
        vector[start * ORDER + k] = moving;
    }
}

/* Groups of GROUP_LANES lanes, n matrices from the first on. scratch: ROOM numbers a group; only where A is there. */
KERNEL LANES_MOST(GROUP_LANES)
k_eigen_group(GLOBAL const REAL *a, GLOBAL REAL *values, GLOBAL REAL *vectors, GLOBAL REAL *scratch, LONG first,
              LONG n, LONG groups) {
    SHARED REAL sums[2 * GROUP_LANES];
    SHARED REAL turns[2 * PAIRS];
    SHARED int place[ORDER];
#if IN_SHARED
    SHARED REAL square[ROOM];
#else
    GLOBAL REAL *square = scratch + GROUP(0) * ROOM;
#endif
    struct be_member m;
    m.lane = (int)LANE(0);
    for (LONG system = first + GROUP(0); system < first + n; system += groups) {
        GLOBAL REAL *vector = vectors + system * NUMBERS;
        be_group_start(&m, a + system * NUMBERS, square, vector, sums);
        int again = be_group_again(&m, square, sums);
        for (int sweep = 0; again && sweep < SWEEPS; sweep++) {
            be_group_sweep(&m, square, vector, turns);
            again = be_group_again(&m, square, sums);
        }
        be_group_places(&m, square, place, values + system * ORDER);
        for (int k = m.lane; k < ORDER; k += GROUP_LANES) {
            be_group_move(vector, place, k, m.nothing);
        }
        MEMORY_BARRIER();
    }
}
