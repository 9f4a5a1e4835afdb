/*
 * One step of each map, in one source: CUDA, OpenCL, host C, and vectors of chains side by side. Each product, sum and
 * fused multiply-add stands here as it is to be rounded, and no product is the operand of a sum: no compiler may fuse
 * what is not fused here. So all code gives the same bits, although the maps are chaotic.
 *
 * The including file defines NAME(x), and
 *   NUMBER, WORD         a number and an unsigned int of 32 bits, of one chain or of a vector of chains
 *   EACH(x)              x in every chain
 *   FUSED(a, b, c)       a b + c, rounded once
 *   FROM(word)           the upper 24 bits of a word as a number
 *   LESS(a, b, x, y)     x where a < b, else y
 *   INLINE               before a function
 * No guard: it may be included for several types. steps.h has the maps by number.
 */

/* A chain: its numbers, its parameter, and where its random words come from. */
struct NAME(chain) {
    NUMBER x, y, z; /* metropolis: y is 1 / sqrt(density) at x */
    NUMBER parameter;
    WORD at, gap;
};

/* The finisher of MurmurHash3 (Appleby, public domain). */
INLINE WORD NAME(mixed)(WORD i) {
    i ^= i >> 16;
    i *= 0x85ebca6bu;
    i ^= i >> 13;
    i *= 0xc2b2ae35u;
    i ^= i >> 16;
    return i;
}

/* Random words of a chain are a counter's, mixed, as SplitMix makes them (Steele, Lea and Flood, OOPSLA 2014): each
 * chain has a first number and an odd distance between numbers of its own. `words` were taken before. */
INLINE void NAME(seed)(struct NAME(chain) * c, WORD number, WORD words) {
    c->at = NAME(mixed)(number + 0x9e3779b9u);
    c->gap = NAME(mixed)(c->at ^ 0x7f4a7c15u) | 1u;
    c->at += words * c->gap;
}

INLINE WORD NAME(drawn)(struct NAME(chain) * c) {
    c->at += c->gap;
    return NAME(mixed)(c->at);
}

/* x <- a x (1 - x) */
INLINE void NAME(logistic)(struct NAME(chain) * c) {
    NUMBER t = c->parameter * c->x;
    c->x = FUSED(-t, c->x, t);
}

/* The slopes x' / 10 = y - x, y' = x (rho - z) - y, z' = x y - 8/3 z. */
INLINE void NAME(slope)(NUMBER rho, NUMBER x, NUMBER y, NUMBER z, NUMBER *dx, NUMBER *dy,
                        NUMBER *dz) {
    *dx = y - x;
    *dy = FUSED(x, rho - z, -y);
    *dz = FUSED(x, y, -(EACH((REAL)(8.0 / 3)) * z));
}

/* A step of the classical Runge-Kutta method over 1/256: slopes at the start, twice in the middle, at the end. */
INLINE void NAME(lorenz)(struct NAME(chain) * c) {
    NUMBER x = c->x, y = c->y, z = c->z, dx, dy, dz, way, way10;
    NAME(slope)(c->parameter, x, y, z, &dx, &dy, &dz);
#define SLOPES(part, far)                                                                          \
    way = EACH((REAL)(1.0 / 256 / (part)));                                                        \
    way10 = EACH((REAL)(10.0 / 256 / (part)));                                                     \
    c->x = FUSED(way10, dx, c->x);                                                                 \
    c->y = FUSED(way, dy, c->y);                                                                   \
    c->z = FUSED(way, dz, c->z);                                                                   \
    way = EACH((REAL)(1.0 / 256 / (far)));                                                         \
    way10 = EACH((REAL)(10.0 / 256 / (far)));                                                      \
    NAME(slope)                                                                                    \
    (c->parameter, FUSED(way10, dx, x), FUSED(way, dy, y), FUSED(way, dz, z), &dx, &dy, &dz)
    SLOPES(6, 2);
    SLOPES(3, 2);
    SLOPES(3, 1);
#undef SLOPES
    c->x = FUSED(EACH((REAL)(10.0 / 1536)), dx, c->x);
    c->y = FUSED(EACH((REAL)(1.0 / 1536)), dy, c->y);
    c->z = FUSED(EACH((REAL)(1.0 / 1536)), dz, c->z);
}

/* 1 / sqrt(density) of Student's t with 3 degrees of freedom, but for a constant: (1 + x^2 / 3)^2 is 1 / density. */
INLINE NUMBER NAME(rarity)(NUMBER x) {
    NUMBER square = x * x;
    NUMBER q = FUSED(square, EACH((REAL)(1.0 / 3)), EACH((REAL)1));
    return q * q;
}

/* A proposal within `parameter` of x, taken with the probability density(proposal) / density(x). */
INLINE void NAME(metropolis)(struct NAME(chain) * c) {
    NUMBER way = FUSED(FROM(NAME(drawn)(c)), EACH((REAL)(1.0 / 8388608)), EACH((REAL)-1));
    NUMBER chance = FROM(NAME(drawn)(c)) * EACH((REAL)(1.0 / 16777216));
    NUMBER x = FUSED(c->parameter, way, c->x);
    NUMBER y = NAME(rarity)(x);
    NUMBER risk = chance * y;
    c->x = LESS(risk, c->y, x, c->x);
    c->y = LESS(risk, c->y, y, c->y);
}
