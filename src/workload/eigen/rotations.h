/*
 * A template of simd.c after tridiagonal.h: included once for each REAL, so without a guard.
 *
 * The implicit QL iteration (Golub and Van Loan, Matrix Computations, 8.3.3 and 8.3.5) on as many tridiagonal
 * matrices as a vector has lanes. Each lane has a block of its own, [first, last], that nothing couples to the rest; a
 * step goes through the rows from the largest last to the smallest first, and a lane turns nothing outside its block. A
 * number next to the diagonal is taken for 0 where it is a rounding error of its neighbours or of the whole matrix,
 * whose largest number is about 1.
 */

/* The blocks in work. */
struct NAME(blocks) {
    MASK first, last; /* of each lane; order - 1 twice: it has none any more */
    size_t low, high; /* the smallest first and the largest last */
};

INLINE size_t NAME(smallest)(MASK m) {
    WHOLE part[LANES];
    memcpy(part, &m, sizeof m);
    for (size_t i = 1; i < LANES; i++) {
        part[0] = part[i] < part[0] ? part[i] : part[0];
    }
    return (size_t)part[0];
}

/* The first block of each lane from row `low` on, after what is next to nothing was made 0. False: there is none. */
INLINE bool NAME(find_blocks)(struct NAME(lanes) * w, size_t low, struct NAME(blocks) * b) {
    const MASK end = NAME(all_whole)(w->order - 1);
    MASK begun = {0};
    MASK ended = {0};
    b->first = b->last = end;
    for (size_t i = low; i + 1 < w->order; i++) {
        const VEC near = UNIT * (NAME(size_of)(w->d[i]) + NAME(size_of)(w->d[i + 1])) + UNIT / 8;
        const MASK coupled = NAME(size_of)(w->e[i]) > near;
        w->e[i] = NAME(pick)(coupled, w->e[i], (VEC){0});
        b->first = NAME(pick_whole)(coupled & ~begun, NAME(all_whole)(i), b->first);
        begun |= coupled;
        b->last = NAME(pick_whole)(begun & ~ended & ~coupled, NAME(all_whole)(i), b->last);
        ended |= begun & ~coupled;
    }
    b->low = NAME(smallest)(b->first);
    b->high = w->order - 1 - NAME(smallest)(end - NAME(pick_whole)(begun, b->last, (MASK){0}));
    return b->low + 1 < w->order;
}

/* d[last] less the shift: the eigenvalue nearer to d[first] of the two rows that begin the block. */
INLINE VEC NAME(shifted)(const struct NAME(lanes) * w, const struct NAME(blocks) * b) {
    VEC first = {0};
    VEC second = {0};
    VEC between = {0};
    VEC last = {0};
    for (size_t s = 0; s < LANES; s++) {
        const size_t at = (size_t)b->first[s];
        first[s] = w->d[at][s];
        second[s] = w->d[at + 1][s];
        between[s] = w->e[at][s];
        last[s] = w->d[b->last[s]][s];
    }
    between = NAME(pick)(between == 0, NAME(all)(1), between); /* a lane without a block */
    const VEC half = (second - first) / (2 * between);
    const VEC root = NAME(root)(half * half + 1);
    return last - first + between / (half + NAME(pick)(half < 0, -root, root));
}

/* Two rows of the vectors from at on, which lie one after the other, or three: the last two are turned by turn[1],
 * then the first two by turn[0]. */
struct NAME(turn) {
    VEC c, s;
};

INLINE void NAME(turn_two)(VEC *at, size_t n, struct NAME(turn) turn) {
    VEC *upper = at;
    VEC *lower = at + n;
    for (size_t j = 0; j < n; j++) {
        const VEC x = upper[j];
        const VEC y = lower[j];
        lower[j] = turn.s * x + turn.c * y;
        upper[j] = turn.c * x - turn.s * y;
    }
}

INLINE void NAME(turn_three)(VEC *at, size_t n, struct NAME(turn) upper, struct NAME(turn) lower) {
    VEC *top = at;
    VEC *middle = at + n;
    VEC *bottom = at + 2 * n;
    for (size_t j = 0; j < n; j++) {
        const VEC x = top[j];
        const VEC y = middle[j];
        const VEC z = bottom[j];
        const VEC turned = lower.c * y - lower.s * z;
        bottom[j] = lower.s * y + lower.c * z;
        middle[j] = upper.s * x + upper.c * turned;
        top[j] = upper.c * x - upper.s * turned;
    }
}

/* A step on its way through the rows. */
struct NAME(step) {
    VEC g, p;
    struct NAME(turn) turn;
};

/* The turn of rows i and i + 1. */
INLINE struct NAME(turn) NAME(turn_at)(struct NAME(lanes) * w, const struct NAME(blocks) * b,
                                       size_t i, VEC start, struct NAME(step) * step) {
    const MASK at = NAME(all_whole)(i);
    const MASK inside = (at >= b->first) & (at < b->last);
    const MASK begins = at == b->last - 1;
    const VEC one = NAME(all)(1);
    step->g = NAME(pick)(begins, start, step->g);
    step->p = NAME(pick)(begins, (VEC){0}, step->p);
    const VEC c = NAME(pick)(begins, one, step->turn.c);
    const VEC s = NAME(pick)(begins, one, step->turn.s);
    const VEC f = s * w->e[i];
    const VEC near = c * w->e[i];
    const VEC square = step->g * step->g + f * f;
    const MASK none = square < TINY;
    const VEC size = NAME(root)(square);
    const VEC over = 1 / NAME(pick)(none, one, size);
    step->turn.c = NAME(pick)(none, one, step->g * over);
    step->turn.s = NAME(pick)(none, (VEC){0}, f * over);
    w->e[i + 1] = NAME(pick)(inside & ~begins, NAME(pick)(none, (VEC){0}, size), w->e[i + 1]);
    const VEC d = w->d[i + 1] - step->p;
    const VEC moved = (w->d[i] - d) * step->turn.s + 2 * step->turn.c * near;
    step->p = step->turn.s * moved;
    w->d[i + 1] = NAME(pick)(inside, d + step->p, w->d[i + 1]);
    step->g = step->turn.c * moved - near;
    const MASK ends = at == b->first;
    w->d[i] = NAME(pick)(inside & ends, w->d[i] - step->p, w->d[i]);
    w->e[i] = NAME(pick)(inside & ends, step->g, w->e[i]);
    return (struct NAME(turn)){NAME(pick)(inside, step->turn.c, one),
                               NAME(pick)(inside, step->turn.s, (VEC){0})};
}

/* One step of every lane that has a block. Two turns go through the vectors together. */
INLINE void NAME(one_step)(struct NAME(lanes) * w, const struct NAME(blocks) * b) {
    const size_t n = w->order;
    const VEC start = NAME(shifted)(w, b);
    struct NAME(step) step = {.g = {0}};
    size_t i = b->high;
    for (; i >= b->low + 2; i -= 2) {
        const struct NAME(turn) lower = NAME(turn_at)(w, b, i - 1, start, &step);
        const struct NAME(turn) upper = NAME(turn_at)(w, b, i - 2, start, &step);
        NAME(turn_three)(w->a + (i - 2) * n, n, upper, lower);
    }
    if (i > b->low) {
        NAME(turn_two)(w->a + b->low * n, n, NAME(turn_at)(w, b, b->low, start, &step));
    }
}

/* The diagonal becomes the values, Q' the vectors. The lanes that did not get there. */
static __attribute__((noinline)) MASK NAME(iterate)(struct NAME(lanes) * w) {
    struct NAME(blocks) b = {.low = 0};
    for (size_t step = 0; step < EIGEN_STEPS_A_VALUE * w->order; step++) {
        if (!NAME(find_blocks)(w, b.low, &b)) {
            return (MASK){0};
        }
        NAME(one_step)(w, &b);
    }
    return b.first < NAME(all_whole)(w->order - 1);
}
