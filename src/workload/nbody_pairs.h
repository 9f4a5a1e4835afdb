/*
 * The body of nbody_simd.c for one type: REAL, and OF_TYPE(name) the name for it. It needs BODIES
 * and the inverse root.
 */
#define VECTOR OF_TYPE(vector)
#define LANES ((size_t)OF_TYPE(lanes))

/* A vector of bodies that pull. */
struct OF_TYPE(pull) {
    VECTOR x, y, z, mass;
};

/* What BODIES bodies are: one number each, and what pulls at them. */
struct OF_TYPE(pulled) {
    VECTOR x[BODIES], y[BODIES], z[BODIES];
    VECTOR ax[BODIES], ay[BODIES], az[BODIES];
};

VECTOR_INLINE void OF_TYPE(add)(struct OF_TYPE(pulled) * p, const struct OF_TYPE(pull) * by) {
    for (int i = 0; i < BODIES; i++) {
        const VECTOR dx = by->x - p->x[i];
        const VECTOR dy = by->y - p->y[i];
        const VECTOR dz = by->z - p->z[i];
        const VECTOR r2 = dx * dx + (dy * dy + (dz * dz + (REAL)BE_NBODY_SOFTENING));
        const VECTOR inverse = OF_TYPE(inverse_root)(r2);
        const VECTOR s = by->mass * inverse * (inverse * inverse);
        p->ax[i] += s * dx;
        p->ay[i] += s * dy;
        p->az[i] += s * dz;
    }
}

static REAL OF_TYPE(sum)(VECTOR v) {
    REAL sum = 0;
    for (size_t i = 0; i < LANES; i++) {
        sum += v[i];
    }
    return sum;
}

/* The bodies behind the last whole vector, with others of no mass. */
static struct OF_TYPE(pull) OF_TYPE(rest)(const REAL *x, size_t n, size_t from) {
    REAL part[4][LANES];
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < LANES; i++) {
            const bool there = from + i < n;
            part[k][i] = there ? x[k * n + from + i] : k < 3 ? x[k * n + n - 1] : 0;
        }
    }
    return (struct OF_TYPE(pull)){OF_TYPE(load)(part[0]), OF_TYPE(load)(part[1]),
                                  OF_TYPE(load)(part[2]), OF_TYPE(load)(part[3])};
}

void BE_SIMD_NAME(OF_TYPE(be_nbody_run))(const void *bodies, size_t n, size_t first, size_t count,
                                         void *out) {
    const REAL *x = bodies;
    REAL *a = out;
    const size_t whole = n / LANES * LANES;
    const struct OF_TYPE(pull) rest = OF_TYPE(rest)(x, n, whole);
    for (size_t at = first; at < first + count; at += BODIES) {
        struct OF_TYPE(pulled) p;
        for (size_t i = 0; i < BODIES; i++) {
            const size_t b = at + i < n ? at + i : n - 1;
            p.x[i] = OF_TYPE(spread)(x[b]);
            p.y[i] = OF_TYPE(spread)(x[n + b]);
            p.z[i] = OF_TYPE(spread)(x[2 * n + b]);
            p.ax[i] = p.ay[i] = p.az[i] = (VECTOR){0};
        }
        for (size_t j = 0; j < whole; j += LANES) {
            const struct OF_TYPE(pull)
                by = {OF_TYPE(load)(x + j), OF_TYPE(load)(x + n + j), OF_TYPE(load)(x + 2 * n + j),
                      OF_TYPE(load)(x + 3 * n + j)};
            OF_TYPE(add)(&p, &by);
        }
        OF_TYPE(add)(&p, &rest);
        for (size_t i = 0; i < BODIES && at + i < first + count; i++) {
            a[at + i] = OF_TYPE(sum)(p.ax[i]);
            a[n + at + i] = OF_TYPE(sum)(p.ay[i]);
            a[2 * n + at + i] = OF_TYPE(sum)(p.az[i]);
        }
    }
}

#undef VECTOR
#undef LANES
