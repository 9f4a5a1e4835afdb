/*
 * The body of simd.c for one type: REAL, and OF_TYPE(name) the name for it. It needs BODIES
 * and the inverse cube.
 */
#define VECTOR OF_TYPE(vector)
#define LANES ((size_t)OF_TYPE(lanes))

/* Bodies in vectors: where they are, their masses, and what is added to. */
struct OF_TYPE(bodies) {
    const REAL *x, *y, *z, *mass;
    REAL *ax, *ay, *az;
};

/* All bodies. Those behind the last whole vector also have one of their own, `rest`, that is filled up
 * with others of no mass. */
struct OF_TYPE(sky) {
    struct OF_TYPE(bodies) all, rest;
    size_t n, whole;
    REAL last[7][LANES];
};

/* BODIES bodies: one number each, and what pulls at them. */
struct OF_TYPE(few) {
    VECTOR x[BODIES], y[BODIES], z[BODIES], mass[BODIES];
    VECTOR ax[BODIES], ay[BODIES], az[BODIES];
};

static void OF_TYPE(begin)(struct OF_TYPE(sky) * sky, const struct be_nbody_part *part) {
    const REAL *x = part->bodies;
    REAL *a = part->out;
    REAL(*last)[LANES] = sky->last;
    const size_t n = part->n;
    sky->n = n;
    sky->whole = n / LANES * LANES;
    sky->all = (struct OF_TYPE(bodies)){x, x + n, x + 2 * n, x + 3 * n, a, a + n, a + 2 * n};
    sky->rest =
        (struct OF_TYPE(bodies)){last[0], last[1], last[2], last[3], last[4], last[5], last[6]};
    for (size_t i = 0; i < LANES; i++) {
        const bool there = sky->whole + i < n;
        const size_t from = there ? sky->whole + i : n - 1;
        for (size_t k = 0; k < 3; k++) {
            last[k][i] = x[k * n + from];
            last[4 + k][i] = 0;
        }
        last[3][i] = there ? x[3 * n + from] : 0;
    }
}

/* Moves the sums in `rest` to where they belong. */
static void OF_TYPE(end)(const struct OF_TYPE(sky) * sky) {
    for (size_t i = sky->whole; i < sky->n; i++) {
        sky->all.ax[i] += sky->rest.ax[i - sky->whole];
        sky->all.ay[i] += sky->rest.ay[i - sky->whole];
        sky->all.az[i] += sky->rest.az[i - sky->whole];
    }
}

/* Body `at` and the next ones before `end`; in place of others the last, of no mass. */
static inline struct OF_TYPE(few)
    OF_TYPE(few_from)(const struct OF_TYPE(bodies) * all, size_t at, size_t end) {
    struct OF_TYPE(few) few;
    for (size_t i = 0; i < BODIES; i++) {
        const bool there = at + i < end;
        const size_t from = there ? at + i : end - 1;
        few.x[i] = OF_TYPE(spread)(all->x[from]);
        few.y[i] = OF_TYPE(spread)(all->y[from]);
        few.z[i] = OF_TYPE(spread)(all->z[from]);
        few.mass[i] = OF_TYPE(spread)(there ? CUBES * all->mass[from] : 0);
        few.ax[i] = few.ay[i] = few.az[i] = (VECTOR){0};
    }
    return few;
}

/* A few bodies and a vector of others, from number j on: what pulls at the few, and, both ways, at the
 * others. */
VECTOR_INLINE void OF_TYPE(pull)(struct OF_TYPE(few) * few, const struct OF_TYPE(bodies) * other,
                                 size_t j, bool both) {
    const VECTOR x = OF_TYPE(load)(other->x + j);
    const VECTOR y = OF_TYPE(load)(other->y + j);
    const VECTOR z = OF_TYPE(load)(other->z + j);
    const VECTOR mass = OF_TYPE(load)(other->mass + j);
    VECTOR ax = both ? OF_TYPE(load)(other->ax + j) : x;
    VECTOR ay = both ? OF_TYPE(load)(other->ay + j) : y;
    VECTOR az = both ? OF_TYPE(load)(other->az + j) : z;
    for (int i = 0; i < BODIES; i++) {
        const VECTOR dx = x - few->x[i];
        const VECTOR dy = y - few->y[i];
        const VECTOR dz = z - few->z[i];
        const VECTOR r2 = dx * dx + (dy * dy + (dz * dz + (REAL)BE_NBODY_SOFTENING));
        const VECTOR cube = OF_TYPE(inverse_cube)(r2);
        const VECTOR here = mass * cube;
        few->ax[i] += here * dx;
        few->ay[i] += here * dy;
        few->az[i] += here * dz;
        if (both) {
            const VECTOR there = few->mass[i] * cube;
            ax -= there * dx;
            ay -= there * dy;
            az -= there * dz;
        }
    }
    if (both) {
        OF_TYPE(store)(other->ax + j, ax);
        OF_TYPE(store)(other->ay + j, ay);
        OF_TYPE(store)(other->az + j, az);
    }
}

static void OF_TYPE(put)(const struct OF_TYPE(few) * few, const struct OF_TYPE(bodies) * all,
                         size_t at, size_t end) {
    for (size_t i = 0; i < BODIES && at + i < end; i++) {
        all->ax[at + i] += CUBES * OF_TYPE(sum)(few->ax[i]);
        all->ay[at + i] += CUBES * OF_TYPE(sum)(few->ay[i]);
        all->az[at + i] += CUBES * OF_TYPE(sum)(few->az[i]);
    }
}

/* A few bodies and those from `first` to `stop`, which begin with a vector and end with one, or with all. */
VECTOR_INLINE void OF_TYPE(meet)(const struct OF_TYPE(sky) * sky, struct OF_TYPE(few) * few,
                                 size_t first, size_t stop, bool both) {
    const size_t whole = stop < sky->whole ? stop : sky->whole;
    for (size_t j = first; j < whole; j += LANES) {
        OF_TYPE(pull)(few, &sky->all, j, both);
    }
    if (first < stop && stop > sky->whole) {
        OF_TYPE(pull)(few, &sky->rest, 0, both);
    }
}

/* Bodies [first, end) and those from `from` to `stop`, each pair once. */
static void OF_TYPE(both_ways)(const struct OF_TYPE(sky) * sky, size_t first, size_t end,
                               size_t from, size_t stop) {
    for (size_t at = first; at < end; at += BODIES) {
        struct OF_TYPE(few) few = OF_TYPE(few_from)(&sky->all, at, end);
        OF_TYPE(meet)(sky, &few, from, stop, true);
        OF_TYPE(put)(&few, &sky->all, at, end);
    }
}

/* Bodies [first, stop), each pair once, but for those of one vector. */
static void OF_TYPE(triangle)(const struct OF_TYPE(sky) * sky, size_t first, size_t stop) {
    for (size_t at = first; at < stop; at += BODIES) {
        const size_t own = at / LANES * LANES;
        const size_t next = stop - own < LANES ? stop : own + LANES;
        struct OF_TYPE(few) few = OF_TYPE(few_from)(&sky->all, at, stop);
        OF_TYPE(meet)(sky, &few, own, next, false);
        OF_TYPE(meet)(sky, &few, next, stop, true);
        OF_TYPE(put)(&few, &sky->all, at, stop);
    }
}

/* Some bodies pull at so many others before the next do, whose numbers stay in the caches. */
enum { OF_TYPE(tile) = TILE_BYTES / 7 / sizeof(REAL) / BE_NBODY_GRAIN * BE_NBODY_GRAIN };

static size_t OF_TYPE(tile_end)(size_t from, size_t end) {
    return end - from < OF_TYPE(tile) ? end : from + OF_TYPE(tile);
}

void BE_SIMD_NAME(OF_TYPE(be_nbody_by_all))(const struct be_nbody_part *part) {
    struct OF_TYPE(sky) sky;
    OF_TYPE(begin)(&sky, part);
    for (size_t at = part->first; at < part->end; at += BODIES) {
        struct OF_TYPE(few) few = OF_TYPE(few_from)(&sky.all, at, part->end);
        OF_TYPE(meet)(&sky, &few, 0, part->n, false);
        OF_TYPE(put)(&few, &sky.all, at, part->end);
    }
}

void BE_SIMD_NAME(OF_TYPE(be_nbody_within))(const struct be_nbody_part *part) {
    struct OF_TYPE(sky) sky;
    OF_TYPE(begin)(&sky, part);
    for (size_t from = part->first, stop; from < part->end; from = stop) {
        stop = OF_TYPE(tile_end)(from, part->end);
        OF_TYPE(both_ways)(&sky, part->first, from, from, stop);
        OF_TYPE(triangle)(&sky, from, stop);
    }
    if (part->end > sky.whole) {
        OF_TYPE(end)(&sky);
    }
}

void BE_SIMD_NAME(OF_TYPE(be_nbody_between))(const struct be_nbody_part *a,
                                             const struct be_nbody_part *b) {
    struct OF_TYPE(sky) sky;
    OF_TYPE(begin)(&sky, b);
    for (size_t from = b->first, stop; from < b->end; from = stop) {
        stop = OF_TYPE(tile_end)(from, b->end);
        OF_TYPE(both_ways)(&sky, a->first, a->end, from, stop);
    }
    if (b->end > sky.whole) {
        OF_TYPE(end)(&sky);
    }
}

#undef VECTOR
#undef LANES
