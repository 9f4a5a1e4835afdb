/*
 * Eigenvalues and vectors of matrices, a group of lanes each: Householder's reflections make a tridiagonal matrix, and
 * the implicit QL iteration makes that diagonal (Golub and Van Loan, Matrix Computations, 8.3).
 *
 * The iteration is a chain of turns, each of which waits for the one before. One lane computes those of a sweep, while
 * others turn the vectors by those of the sweep before: so the vectors cost no time of their own.
 *
 * Defined before: ORDER; GROUP_LANES, a power of two and at least twice as many as WIDE; WIDE, the power of two that is
 * not less than ORDER; IN_SHARED, 1 where the square is kept in shared memory, else it is in scratch.
 */
#include "kernels/dialect.h"
#include "jacobi.h"
#include "sweep.h"

/* Also of what is in the device's memory. */
#if defined(__OPENCL_VERSION__)
#define MEMORY_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define MEMORY_BARRIER() BARRIER()
#endif

#define NUMBERS (ORDER * ORDER)
#define PARTS (GROUP_LANES / WIDE) /* lanes that share the rows of a column */

/* Odd: lanes that read a column each, or a row each, then do not meet in one bank. */
#define STRIDE (ORDER | 1)

#if IN_SHARED
#define MEMORY LOCAL
#else
#define MEMORY GLOBAL
#endif

/* A lane's column, and which of its rows are its, in all steps alike: part, part + PARTS ... */
struct be_member {
    int lane, column, part;
    REAL to[2];   /* how the matrix was scaled */
    REAL nothing; /* NaN if a number of the matrix is not finite, else 0 */
};

/* Shared memory beside the square. */
struct be_room {
    REAL sums[2][GROUP_LANES]; /* by turns, so that a sum is read while the next one is written */
    REAL products[GROUP_LANES];
    REAL v[2][ORDER], factor[ORDER];
    REAL first; /* of a reflection's numbers */
    struct be_chain chain;
    int place[ORDER];
};

/* The sum of each lane's number: a barrier, after which all lanes have it. */
DEVICE REAL be_group_sum(LOCAL REAL *each, const struct be_member *m, REAL number) {
    REAL sum = 0;
#if defined(__CUDACC__)
    for (int apart = 16; apart > 0; apart /= 2) {
        number += __shfl_xor_sync(0xffffffffu, number, apart);
    }
    if (m->lane % 32 == 0) {
        each[m->lane / 32] = number;
    }
    BARRIER();
    UNROLL
    for (int i = 0; i < GROUP_LANES / 32; i++) {
        sum += each[i];
    }
#else
    each[m->lane] = number;
    BARRIER();
    for (int i = 0; i < GROUP_LANES; i++) {
        sum += each[i];
    }
#endif
    return sum;
}

/* A from a matrix, scaled so that its largest number is 1. */
DEVICE void be_group_start(struct be_member *m, GLOBAL const REAL *from, MEMORY REAL *a, LOCAL struct be_room *room) {
    REAL largest = 0;
    REAL nothing = 0;
    for (int e = m->lane; e < NUMBERS; e += GROUP_LANES) {
        const REAL number = from[e];
        largest = fabs(number) > largest ? fabs(number) : largest;
        nothing += number * 0;
    }
    room->products[m->lane] = largest;
    m->nothing = be_group_sum(room->sums[0], m, nothing);
    for (int i = 0; i < GROUP_LANES; i++) {
        largest = room->products[i] > largest ? room->products[i] : largest;
    }
    be_scale(largest, m->to);
    for (int e = m->lane; e < NUMBERS; e += GROUP_LANES) {
        a[e / ORDER * STRIDE + e % ORDER] = from[e] * m->to[0] * m->to[1];
    }
    MEMORY_BARRIER();
}

/* The first of a lane's rows that is not less than k. */
DEVICE int be_group_row(const struct be_member *m, int k) {
    return k + (m->part + PARTS - k % PARTS) % PARTS;
}

/* The sum of a(i, column) v(i) over i > k. The barriers before let all lanes see v, and the products of all. */
DEVICE REAL be_group_product(const struct be_member *m, MEMORY const REAL *a, LOCAL struct be_room *room,
                             LOCAL const REAL *v, int k) {
    REAL sum = 0;
    BARRIER();
    for (int i = be_group_row(m, k + 1); m->column < ORDER && i < ORDER; i += PARTS) {
        sum += a[i * STRIDE + m->column] * v[i];
    }
    room->products[m->lane] = sum;
    BARRIER();
    sum = 0;
    UNROLL
    for (int q = 0; q < PARTS; q++) {
        sum += room->products[q * WIDE + m->column];
    }
    return sum;
}

/* The reflection of row k behind its diagonal: v, and what it leaves beside the diagonal. Its factor is 2 / (v v). */
DEVICE REAL be_group_reflection(const struct be_member *m, MEMORY const REAL *a, LOCAL struct be_room *room, int k) {
    const int mine = m->part == k % PARTS && m->column > k && m->column < ORDER;
    const REAL x = mine ? a[k * STRIDE + m->column] : 0;
    if (mine && m->column == k + 1) {
        room->first = x;
    }
    const REAL below = be_group_sum(room->sums[0], m, m->column > k + 1 ? x * x : 0);
    const REAL first = room->first;
    const int none = below <= (REAL)TINY;
    const REAL length = sqrt(first * first + below);
    const REAL left = none ? first : first > 0 ? -length : length;
    const REAL factor = none ? 0 : 1 / (length * (length + fabs(first)));
    if (mine) {
        room->v[0][m->column] = m->column == k + 1 ? x - left : x;
    }
    if (m->lane == 0) {
        room->chain.e[k] = left;
        room->factor[k] = factor;
    }
    return factor;
}

/* Both sides of what is below and right of k are reflected; the reflection stays in row k. */
DEVICE void be_group_reflect(const struct be_member *m, MEMORY REAL *a, LOCAL struct be_room *room, int k) {
    LOCAL REAL *v = room->v[0];
    LOCAL REAL *w = room->v[1];
    const REAL factor = be_group_reflection(m, a, room, k);
    const REAL p = factor * be_group_product(m, a, room, v, k);
    const int there = m->column > k && m->column < ORDER;
    const REAL mine = there ? v[m->column] : 0;
    const REAL both = be_group_sum(room->sums[1], m, m->part == 0 ? mine * p : 0);
    const REAL less = p - factor / 2 * both * mine;
    if (there && m->part == 0) {
        w[m->column] = less;
    }
    if (there && m->part == k % PARTS) {
        a[k * STRIDE + m->column] = mine;
    }
    BARRIER();
    for (int i = be_group_row(m, k + 1); there && i < ORDER; i += PARTS) {
        a[i * STRIDE + m->column] -= v[i] * less + w[i] * mine;
    }
}

/* The tridiagonal matrix that is left. */
DEVICE void be_group_keep(const struct be_member *m, MEMORY const REAL *a, LOCAL struct be_room *room) {
    if (m->column < ORDER && m->part == m->column % PARTS) {
        room->chain.d[m->column] = a[m->column * STRIDE + m->column];
    }
    if (m->column == ORDER - 1 && m->part == (ORDER - 2) % PARTS) {
        room->chain.e[ORDER - 2] = a[(ORDER - 2) * STRIDE + ORDER - 1];
    }
}

/* Q where the reflections were: the last ones first, so that each meets no more than what it changes. */
DEVICE void be_group_gather(const struct be_member *m, MEMORY REAL *a, LOCAL struct be_room *room) {
    for (int k = ORDER - 2; k >= 0; k--) { /* row and column k + 1 begin as those of the identity */
        LOCAL REAL *v = room->v[k % 2];
        const int there = m->column > k && m->column < ORDER;
        const int reflects = k < ORDER - 2; /* alike in all lanes */
        if (there && m->part == k % PARTS) {
            v[m->column] = reflects ? a[k * STRIDE + m->column] : 0;
        }
        for (int i = be_group_row(m, k + 1); there && i < ORDER; i += PARTS) {
            if (i == k + 1 || m->column == k + 1) {
                a[i * STRIDE + m->column] = i == m->column ? 1 : 0;
            }
        }
        const REAL y = be_group_product(m, a, room, v, k) * (reflects ? room->factor[k] : 0);
        for (int i = be_group_row(m, k + 1); there && i < ORDER; i += PARTS) {
            a[i * STRIDE + m->column] -= v[i] * y;
        }
    }
    for (int i = be_group_row(m, 0); m->column < ORDER && i < ORDER; i += PARTS) {
        if (i == 0 || m->column == 0) {
            a[i * STRIDE + m->column] = i == m->column ? 1 : 0;
        }
    }
    MEMORY_BARRIER();
}

/* Number j of vector i, as turns find it: in shared memory where Q has it, else where it goes in the end. */
#if IN_SHARED
#define NEXT 1
#define FIRST(j) ((j) * STRIDE)
#else
#define NEXT ORDER
#define FIRST(j) (j)
#endif

/* A lane's number of each vector, turned by a sweep. */
DEVICE void be_group_turn(MEMORY REAL *number, LOCAL const struct be_turns *turns) {
    REAL x = number[turns->to * NEXT];
    for (int i = turns->to - 1; i >= turns->from; i--) {
        const REAL c = turns->c[i];
        const REAL s = turns->s[i];
        const REAL y = number[i * NEXT];
        number[(i + 1) * NEXT] = s * y + c * x;
        x = c * y - s * x;
    }
    number[turns->from * NEXT] = x;
}

/* The diagonal becomes the values. The lane that computes turns stands in a warp of its own where WIDE is one or more. */
DEVICE void be_group_iterate(const struct be_member *m, MEMORY REAL *vector, LOCAL struct be_room *room) {
    struct be_sweep sweep = {0, 0, 0};
    int more = 1;
    for (int t = 0; more; t++) {
        LOCAL const struct be_turns *before = &room->chain.turns[(t + 1) % 2];
        if (m->lane == WIDE) {
            be_sweep_next(&sweep, &room->chain, &room->chain.turns[t % 2]);
        }
        if (t > 0 && m->lane < ORDER && before->to > before->from) {
            be_group_turn(vector + FIRST(m->lane), before);
        }
        BARRIER();
        more = room->chain.turns[t % 2].more;
    }
    MEMORY_BARRIER();
}

/* The values, and their places: ascending. */
DEVICE void be_group_places(const struct be_member *m, LOCAL struct be_room *room, GLOBAL REAL *values) {
    LOCAL const REAL *d = room->chain.d;
    for (int i = m->lane; i < ORDER; i += GROUP_LANES) {
        int before = 0;
        for (int j = 0; j < ORDER; j++) {
            before += d[j] < d[i] || (d[j] == d[i] && j < i) ? 1 : 0;
        }
        room->place[i] = m->nothing == 0 ? before : i;
        values[room->place[i]] = d[i] / m->to[1] / m->to[0] + m->nothing;
    }
    BARRIER();
}

#if IN_SHARED
DEVICE void be_group_put(const struct be_member *m, LOCAL const REAL *q, LOCAL const struct be_room *room,
                         GLOBAL REAL *vectors) {
    for (int e = m->lane; e < NUMBERS; e += GROUP_LANES) {
        const int i = e / ORDER;
        const int j = e % ORDER;
        vectors[room->place[i] * ORDER + j] = q[j * STRIDE + i] + m->nothing;
    }
    BARRIER();
}
#else
/* Q's columns to the rows of `vectors`. */
DEVICE void be_group_turn_over(const struct be_member *m, GLOBAL const REAL *q, GLOBAL REAL *vectors) {
    for (int e = m->lane; e < NUMBERS; e += GROUP_LANES) {
        vectors[e % ORDER * ORDER + e / ORDER] = q[e / ORDER * STRIDE + e % ORDER];
    }
    MEMORY_BARRIER();
}

/* The vectors go to their places by way of the square. */
DEVICE void be_group_put(const struct be_member *m, GLOBAL REAL *square, LOCAL const struct be_room *room,
                         GLOBAL REAL *vectors) {
    for (int e = m->lane; e < NUMBERS; e += GROUP_LANES) {
        square[e] = vectors[e];
    }
    MEMORY_BARRIER();
    for (int e = m->lane; e < NUMBERS; e += GROUP_LANES) {
        vectors[room->place[e / ORDER] * ORDER + e % ORDER] = square[e] + m->nothing;
    }
    MEMORY_BARRIER();
}
#endif

/* A matrix without an answer: the iteration did not end. */
DEVICE void be_group_judge(struct be_member *m, LOCAL const struct be_room *room) {
    const REAL zero = 0;
    m->nothing = room->chain.lost ? zero / zero : m->nothing;
}

/* Groups of GROUP_LANES lanes, n matrices from the first on. scratch: a square a group; only where it is there. */
KERNEL LANES_MOST(GROUP_LANES)
k_eigen_group(GLOBAL const REAL *a, GLOBAL REAL *values, GLOBAL REAL *vectors, GLOBAL REAL *scratch, LONG first,
              LONG n, LONG groups) {
    SHARED struct be_room room;
#if IN_SHARED
    SHARED REAL square[ORDER * STRIDE];
#else
    GLOBAL REAL *square = scratch + GROUP(0) * (ORDER * STRIDE);
#endif
    struct be_member m;
    m.lane = (int)LANE(0);
    m.column = m.lane % WIDE;
    m.part = m.lane / WIDE;
    for (LONG system = first + GROUP(0); system < first + n; system += groups) {
        GLOBAL REAL *vector = vectors + system * NUMBERS;
        be_group_start(&m, a + system * NUMBERS, square, &room);
        for (int k = 0; k + 2 < ORDER; k++) {
            be_group_reflect(&m, square, &room, k);
        }
        be_group_keep(&m, square, &room);
        be_group_gather(&m, square, &room);
#if IN_SHARED
        be_group_iterate(&m, square, &room);
#else
        be_group_turn_over(&m, square, vector);
        be_group_iterate(&m, vector, &room);
#endif
        be_group_judge(&m, &room);
        be_group_places(&m, &room, values + system * ORDER);
        be_group_put(&m, square, &room, vector);
    }
}
