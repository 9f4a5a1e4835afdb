/*
 * For group.cl: the implicit QL iteration of a tridiagonal matrix, a sweep at a time, by one lane. It knows no vectors:
 * others turn those.
 */
#ifndef BE_WORKLOAD_EIGEN_SWEEP_H
#define BE_WORKLOAD_EIGEN_SWEEP_H

/* Sweeps a value: twice as many as LAPACK allows. */
#define SWEEPS_A_VALUE 60

/* The turns of a sweep: rows i and i + 1 for i = to - 1 ... from. more: another sweep follows. */
struct be_turns {
    REAL c[ORDER], s[ORDER];
    int from, to, more;
};

/* The diagonal and what is beside it; turns of two sweeps, one of which is computed while the other is used. lost: it
 * does not converge. */
struct be_chain {
    REAL d[ORDER], e[ORDER];
    struct be_turns turns[2];
    int lost;
};

/* The block in work: its first row, its last one, and sweeps since a row was done. */
struct be_sweep {
    int from, to, sweeps;
};

/* 1 / sqrt(x) to about half a unit: turns that all err to one side would make vectors longer. */
DEVICE REAL be_inverse_root(REAL x) {
    const REAL root = rsqrt(x);
    return root + root / 2 * (1 - x * root * root);
}

/* Numbers beside the diagonal that are next to nothing: beside its numbers, or in a matrix whose largest number was 1. */
DEVICE int be_sweep_ends(REAL e, REAL one, REAL other) {
    return fabs(e) <= (REAL)UNIT * (fabs(one) + fabs(other) + (REAL)0.0625);
}

/* The last row of the block that begins with a row. */
DEVICE int be_sweep_block(LOCAL const struct be_chain *chain, int from) {
    int to = from;
    while (to < ORDER - 1 && !be_sweep_ends(chain->e[to], chain->d[to], chain->d[to + 1])) {
        to++;
    }
    return to;
}

/* Where the turns begin: with the shift of Wilkinson. */
DEVICE REAL be_sweep_begin(LOCAL const struct be_chain *chain, int from, int to) {
    const REAL e = chain->e[from];
    const REAL ratio = (chain->d[from + 1] - chain->d[from]) / (2 * e);
    const REAL length = sqrt(ratio * ratio + 1);
    return chain->d[to] - chain->d[from] + e / (ratio + (ratio < 0 ? -length : length));
}

/* Goes through a block from its last row to its first, and finds on the way where it falls apart: the last row then. */
DEVICE int be_sweep_turns(LOCAL struct be_chain *chain, LOCAL struct be_turns *turns, int from,
                          int to) {
    REAL g = be_sweep_begin(chain, from, to);
    REAL s = 1;
    REAL c = 1;
    REAL p = 0;
    REAL upper = chain->d[to]; /* d(i + 1) before this turn */
    REAL beyond = upper;       /* d(i + 2) after it */
    REAL d = chain->d[to - 1];
    REAL e = chain->e[to - 1];
    int end = to;
    int i = to - 1;
    for (; i >= from; i--) {
        const int next = i > from ? i - 1 : i;
        const REAL next_d = chain->d[next]; /* before the turn, whose numbers wait for each other */
        const REAL next_e = chain->e[next];
        const REAL f = s * e;
        const REAL b = c * e;
        const REAL square = f * f + g * g;
        if (square < (REAL)TINY) {
            break;
        }
        const REAL inverse = be_inverse_root(square);
        const REAL beside = square * inverse;
        s = f * inverse;
        c = g * inverse;
        g = upper - p;
        const REAL t = (d - g) * s + 2 * c * b;
        p = s * t;
        const REAL value = g + p;
        g = c * t - b;
        if (i + 1 < to) {
            end = be_sweep_ends(beside, value, beyond) ? i + 1 : end;
            chain->e[i + 1] = beside;
        }
        chain->d[i + 1] = beyond = value;
        turns->c[i] = c;
        turns->s[i] = s;
        upper = d;
        d = next_d;
        e = next_e;
    }
    if (i >= from) { /* the block falls apart here */
        chain->d[i + 1] = upper - p;
        turns->from = i + 1;
        if (i + 1 < to)
            chain->e[i + 1] = 0;
        return i + 1;
    }
    chain->d[from] = upper - p;
    chain->e[from] = g;
    return end;
}

/* The next sweep that there is; none where all is diagonal, or lost. */
DEVICE void be_sweep_next(struct be_sweep *sweep, LOCAL struct be_chain *chain,
                          LOCAL struct be_turns *turns) {
    int from = sweep->from;
    int to = sweep->to;
    if (from == 0 && sweep->sweeps == 0) {
        chain->lost = 0;
        to = be_sweep_block(chain, 0);
    }
    while (from < ORDER - 1 &&
           (from == to || be_sweep_ends(chain->e[from], chain->d[from], chain->d[from + 1]))) {
        to = from == to ? be_sweep_block(chain, from + 1) : to;
        from++;
        sweep->sweeps = 0;
    }
    turns->from = turns->to = from;
    turns->more = from < ORDER - 1;
    if (turns->more && ++sweep->sweeps > SWEEPS_A_VALUE) {
        chain->lost = 1;
        turns->more = 0;
    }
    if (turns->more) {
        turns->to = to;
        to = be_sweep_turns(chain, turns, from, to);
    }
    sweep->from = from;
    sweep->to = to;
}

#endif
