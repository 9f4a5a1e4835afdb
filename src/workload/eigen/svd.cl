/*
 * Singular values and vectors of matrices, a group of lanes each, by one-sided Jacobi (Golub and Van Loan, Matrix
 * Computations, 8.6.3): pairs of columns are turned until no two of them have a product that is more than rounding.
 * Lengths of columns are the values then, directions are U, and the same turns of the identity make V.
 *
 * In a round each column has another partner, so that a team of lanes a pair turns all of them at once.
 *
 * Defined before: ROWS, ORDER; TEAM, lanes a pair, a power of two of 32 at most; GROUP_LANES, a multiple of 32 and as
 * many as all pairs have lanes, or more; IN_SHARED, 1 where the columns are kept in shared memory, else they are where
 * the vectors go in the end.
 */
#include "kernels/dialect.h"
#include "jacobi.h"

/* Also of what is in the device's memory. */
#if defined(__OPENCL_VERSION__)
#define MEMORY_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define MEMORY_BARRIER() BARRIER()
#endif

#define TALL (ROWS * ORDER)
#define SQUARE (ORDER * ORDER)
#define PAIRS ((ORDER + 1) / 2) /* in an odd order one of them has no partner */
#define PLAYERS (2 * PAIRS)
#define PARALLEL ((REAL)UNIT * (8 + sqrt((REAL)ROWS))) /* the least cosine that is not taken for 0 */

/* Columns in shared memory lie an odd number of numbers apart, so that lanes which read a column each do not meet in
 * one bank. */
#if IN_SHARED
#define MEMORY LOCAL
#define TALL_STEP (ROWS | 1)
#define STEP (ORDER | 1)
#else
#define MEMORY GLOBAL
#define TALL_STEP ROWS
#define STEP ORDER
#endif

/* A lane: its place in the group, its team, which is that of a pair, and its place there. */
struct be_member {
    int lane, team, part;
    REAL to[2];   /* how the matrix was scaled */
    REAL nothing; /* NaN if a number of the matrix is not finite, else 0 */
    REAL least;   /* a column of this length or less is rounding, and has no direction */
};

/* Columns of A V, and of V. */
struct be_columns {
    MEMORY REAL *w, *v;
};

struct be_room {
    REAL sums[3][GROUP_LANES];
    REAL length[ORDER];
    int turned;
};

/* Products of two columns. */
struct be_products {
    REAL first, both, second;
};

/* The sums of each team, which all of its lanes have then. Every lane of the group comes here. */
DEVICE void be_team_sums(const struct be_member *m, LOCAL struct be_room *room, struct be_products *p) {
#if defined(__CUDACC__)
    for (int apart = TEAM / 2; apart > 0; apart /= 2) {
        p->first += __shfl_xor_sync(0xffffffffu, p->first, apart);
        p->both += __shfl_xor_sync(0xffffffffu, p->both, apart);
        p->second += __shfl_xor_sync(0xffffffffu, p->second, apart);
    }
#else
    room->sums[0][m->lane] = p->first;
    room->sums[1][m->lane] = p->both;
    room->sums[2][m->lane] = p->second;
    BARRIER();
    p->first = p->both = p->second = 0;
    for (int i = m->lane - m->part; i < m->lane - m->part + TEAM; i++) {
        p->first += room->sums[0][i];
        p->both += room->sums[1][i];
        p->second += room->sums[2][i];
    }
#endif
}

/* The sum and the largest of all lanes' numbers, which all have then. */
DEVICE REAL be_group_sum(const struct be_member *m, LOCAL struct be_room *room, REAL number) {
    REAL sum = 0;
    BARRIER();
    room->sums[0][m->lane] = number;
    BARRIER();
    for (int i = 0; i < GROUP_LANES; i++) {
        sum += room->sums[0][i];
    }
    return sum;
}

DEVICE REAL be_group_largest(const struct be_member *m, LOCAL struct be_room *room, REAL number) {
    REAL largest = 0;
    BARRIER();
    room->sums[0][m->lane] = number;
    BARRIER();
    for (int i = 0; i < GROUP_LANES; i++) {
        largest = room->sums[0][i] > largest ? room->sums[0][i] : largest;
    }
    return largest;
}

/* A, scaled so that its largest number is 1, and the identity. */
DEVICE void be_svd_start(struct be_member *m, struct be_columns c, LOCAL struct be_room *room, GLOBAL const REAL *a) {
    REAL largest = 0;
    REAL nothing = 0;
    REAL squares = 0;
    for (int e = m->lane; e < TALL; e += GROUP_LANES) {
        largest = fabs(a[e]) > largest ? fabs(a[e]) : largest;
        nothing += a[e] * 0;
    }
    m->nothing = be_group_sum(m, room, nothing);
    be_scale(be_group_largest(m, room, largest), m->to);
    for (int e = m->lane; e < TALL; e += GROUP_LANES) {
        const REAL number = m->nothing == 0 ? a[e] * m->to[0] * m->to[1] : 0;
        c.w[e / ROWS * TALL_STEP + e % ROWS] = number;
        squares = REAL_FMA(number, number, squares);
    }
    for (int e = m->lane; e < SQUARE; e += GROUP_LANES) {
        c.v[e / ORDER * STEP + e % ORDER] = e % (ORDER + 1) == 0 ? 1 : 0;
    }
    m->least = (REAL)UNIT * sqrt(be_group_sum(m, room, squares));
    MEMORY_BARRIER();
}

/* The partners of a team in a round: all but the last player go around in a circle. */
DEVICE void be_svd_pair(int team, int round, int *i, int *j) {
    const int circle = PLAYERS - 1;
    const int one = team == 0 ? circle : (round + team) % circle;
    const int other = (round + circle - team) % circle;
    *i = one < other ? one : other;
    *j = one < other ? other : one;
}

DEVICE void be_svd_turn_numbers(MEMORY REAL *x, MEMORY REAL *y, int count, int part, REAL s, REAL t) {
    for (int i = part; i < count; i += TEAM) {
        const REAL one = x[i];
        const REAL other = y[i];
        x[i] = TURNED_FIRST(one, other, s, t);
        y[i] = TURNED_SECOND(one, other, s, t);
    }
}

/* Turns a team's pair where it is not orthogonal. */
DEVICE void be_svd_round(const struct be_member *m, struct be_columns c, LOCAL struct be_room *room, int round) {
    struct be_products p = {0, 0, 0};
    int i = 0;
    int j = 0;
    be_svd_pair(m->team, round, &i, &j);
    const int there = m->team < PAIRS && j < ORDER;
    for (int k = m->part; there && k < ROWS; k += TEAM) {
        const REAL x = c.w[i * TALL_STEP + k];
        const REAL y = c.w[j * TALL_STEP + k];
        p.first = REAL_FMA(x, x, p.first);
        p.both = REAL_FMA(x, y, p.both);
        p.second = REAL_FMA(y, y, p.second);
    }
    be_team_sums(m, room, &p);
    const REAL one = sqrt(p.first);
    const REAL other = sqrt(p.second);
    if (there && one > m->least && other > m->least && fabs(p.both) > PARALLEL * one * other) {
        REAL s;
        REAL t;
        be_angle((p.second - p.first) / (2 * p.both), &s, &t);
        be_svd_turn_numbers(c.w + i * TALL_STEP, c.w + j * TALL_STEP, ROWS, m->part, s, t);
        be_svd_turn_numbers(c.v + i * STEP, c.v + j * STEP, ORDER, m->part, s, t);
        room->turned = 1;
    }
    MEMORY_BARRIER();
}

/* Until nothing is turned in a sweep over all pairs. Not 0: it did not end. */
DEVICE int be_svd_sweeps(const struct be_member *m, struct be_columns c, LOCAL struct be_room *room) {
    int turned = ORDER > 1;
    for (int sweep = 0; turned && sweep < SWEEPS; sweep++) {
        if (m->lane == 0) {
            room->turned = 0;
        }
        BARRIER();
        for (int round = 0; round < PLAYERS - 1; round++) {
            be_svd_round(m, c, room, round);
        }
        turned = room->turned;
        BARRIER();
    }
    return turned;
}

/* The values: a lane a column. */
DEVICE void be_svd_measure(const struct be_member *m, struct be_columns c, LOCAL struct be_room *room) {
    for (int j = m->lane; j < ORDER; j += GROUP_LANES) {
        REAL square = 0;
        for (int i = 0; i < ROWS; i++) {
            square = REAL_FMA(c.w[j * TALL_STEP + i], c.w[j * TALL_STEP + i], square);
        }
        room->length[j] = sqrt(square);
    }
    MEMORY_BARRIER();
}

DEVICE void be_svd_swap_numbers(MEMORY REAL *x, MEMORY REAL *y, int count, int lane) {
    for (int i = lane; i < count; i += GROUP_LANES) {
        const REAL one = x[i];
        x[i] = y[i];
        y[i] = one;
    }
}

/* Values descend: the largest of what is left comes next. */
DEVICE void be_svd_sort(const struct be_member *m, struct be_columns c, LOCAL struct be_room *room) {
    for (int i = 0; i + 1 < ORDER; i++) {
        int most = i;
        for (int j = i + 1; j < ORDER; j++) {
            most = room->length[j] > room->length[most] ? j : most;
        }
        const REAL one = room->length[i];
        const REAL other = room->length[most];
        BARRIER();
        if (most != i) { /* in all lanes alike */
            be_svd_swap_numbers(c.w + i * TALL_STEP, c.w + most * TALL_STEP, ROWS, m->lane);
            be_svd_swap_numbers(c.v + i * STEP, c.v + most * STEP, ORDER, m->lane);
        }
        if (m->lane == 0) {
            room->length[i] = other;
            room->length[most] = one;
        }
        MEMORY_BARRIER();
    }
}

/* Takes from column j what it has of the columns before, and makes it 1 long. Its length before. */
DEVICE REAL be_svd_take_parts(const struct be_member *m, struct be_columns c, LOCAL struct be_room *room, int j) {
    MEMORY REAL *u = c.w + j * TALL_STEP;
    REAL square = 0;
    for (int k = 0; k < j; k++) {
        MEMORY const REAL *column = c.w + k * TALL_STEP;
        REAL part = 0;
        for (int i = m->lane; i < ROWS; i += GROUP_LANES) {
            part = REAL_FMA(column[i], u[i], part);
        }
        part = be_group_sum(m, room, part);
        for (int i = m->lane; i < ROWS; i += GROUP_LANES) {
            u[i] = REAL_FMA(-part, column[i], u[i]);
        }
    }
    for (int i = m->lane; i < ROWS; i += GROUP_LANES) {
        square = REAL_FMA(u[i], u[i], square);
    }
    const REAL length = sqrt(be_group_sum(m, room, square));
    for (int i = m->lane; length > 0 && i < ROWS; i += GROUP_LANES) {
        u[i] /= length;
    }
    return length;
}

/* Directions of length 1. Columns without one, which are the last, take the first axis of which enough is left beside
 * those before: an axis of which too little was left has less later, and there always is one that has more. */
DEVICE void be_svd_directions(const struct be_member *m, struct be_columns c, LOCAL struct be_room *room) {
    int axis = 0;
    int j = 0;
    for (; j < ORDER && room->length[j] > m->least; j++) {
        for (int i = m->lane; i < ROWS; i += GROUP_LANES) {
            c.w[j * TALL_STEP + i] /= room->length[j];
        }
    }
    int again = 0; /* a second time takes what rounding left of the first */
    while (j < ORDER && axis <= ROWS) {
        for (int i = m->lane; again == 0 && i < ROWS; i += GROUP_LANES) {
            c.w[j * TALL_STEP + i] = i == axis ? 1 : 0;
        }
        const REAL left = be_svd_take_parts(m, c, room, j);
        axis += again == 0 ? 1 : 0;
        j += again;
        again = again == 0 && left * left * 4 * ROWS >= 1 ? 1 : 0;
    }
    MEMORY_BARRIER();
}

DEVICE void be_svd_put(const struct be_member *m, struct be_columns c, LOCAL const struct be_room *room,
                       GLOBAL REAL *values, GLOBAL REAL *vectors) {
    for (int j = m->lane; j < ORDER; j += GROUP_LANES) {
        values[j] = room->length[j] / m->to[1] / m->to[0] + m->nothing;
    }
    for (int e = m->lane; e < TALL; e += GROUP_LANES) {
        vectors[e] = c.w[e / ROWS * TALL_STEP + e % ROWS] + m->nothing;
    }
    for (int e = m->lane; e < SQUARE; e += GROUP_LANES) {
        vectors[TALL + e] = c.v[e / ORDER * STEP + e % ORDER] + m->nothing;
    }
}

/* Groups of GROUP_LANES lanes, a matrix each, from the first on. */
KERNEL LANES_MOST(GROUP_LANES)
k_eigen_svd(GLOBAL const REAL *a, GLOBAL REAL *values, GLOBAL REAL *vectors, LONG first) {
    SHARED struct be_room room;
    const LONG system = first + GROUP(0);
    GLOBAL REAL *vector = vectors + system * (TALL + SQUARE);
    struct be_member m;
    struct be_columns c;
#if IN_SHARED
    SHARED REAL columns[ORDER * (TALL_STEP + STEP)];
    c.w = columns;
    c.v = columns + ORDER * TALL_STEP;
#else
    c.w = vector;
    c.v = vector + TALL;
#endif
    m.lane = (int)LANE(0);
    m.team = m.lane / TEAM;
    m.part = m.lane % TEAM;
    be_svd_start(&m, c, &room, a + system * TALL);
    if (be_svd_sweeps(&m, c, &room)) {
        const REAL zero = 0;
        m.nothing = zero / zero;
    }
    be_svd_measure(&m, c, &room);
    be_svd_sort(&m, c, &room);
    be_svd_directions(&m, c, &room);
    be_svd_put(&m, c, &room, values + system * ORDER, vector);
}
