/*
 * gather by bins: where x does not fit the second cache, most elements are waited for, each with a line of
 * its own. Here each tile of indices is sorted by bins, parts of x that the second cache holds; then all tiles'
 * indices of the first bin are replaced by what they point at, those of the second, and so on; then each tile
 * puts its elements where their indices stood, by going through these once more: those of a bin come in the
 * order in which they were dealt. All but the fetching goes along memory in order, or stays within a tile.
 *
 * A tile's sorted indices, and then their elements, lie where its results will. Members share out the tiles, and
 * then as many pieces of bins each, those of a bin one after the other.
 */
#include <math.h>
#include <string.h>

#include "workload/deal_simd.h"
#include "workload/gather/gather.h"
#include "workload/gather/simd.h"
#include "workload/thresholds.h"

enum {
    TILE_MAX = 1 << 16,
    TILE_MIN = 1 << 12, /* a bin's piece of less is too little work */
    SPARE = 10          /* the working memory is at most this part of inputs and outputs */
};

struct plan {
    size_t n;
    int shift, bins;
    size_t tile, tiles;    /* indices of a tile, and how many of these there are */
    size_t cell, capacity; /* places to deal to: of a bin, and of a tile */
};

/* The capacity of a cell for even random indices, as in radix.c: six standard deviations more than
 * the mean. */
static size_t cell_of(const struct plan *p) {
    const double part = (double)((size_t)1 << p->shift) / (double)p->n;
    const double mean = (double)p->tile * (part < 1 ? part : 1);
    const size_t cell = (size_t)(mean + 6 * sqrt(mean)) + 1;
    return (cell + BE_DEAL_LINE - 1) / BE_DEAL_LINE * BE_DEAL_LINE;
}

static struct plan with_tile(size_t n, size_t tile) {
    struct plan p = {
        .n = n, .shift = BE_GATHER_BIN_BITS, .tile = tile, .tiles = (n + tile - 1) / tile};
    while ((n - 1) >> p.shift >= BE_GATHER_BINS_MAX) {
        p.shift++;
    }
    p.bins = (int)((n - 1) >> p.shift) + 1;
    p.cell = cell_of(&p);
    p.capacity = (size_t)p.bins * p.cell + BE_DEAL_OVER;
    return p;
}

/* The working memory in numbers: each member's room, then where the bins of each tile begin and where its
 * last one ends. */
static size_t numbers_of(const struct plan *p, size_t members) {
    return members * p->capacity + p->tiles * ((size_t)p->bins + 1);
}

/* The largest tiles for which there is memory; tiles 0: too few indices for so many members. */
static struct plan plan_of(size_t n, int members) {
    for (size_t tile = TILE_MAX; tile >= TILE_MIN; tile /= 2) {
        const struct plan p = with_tile(n, tile);
        if (numbers_of(&p, (size_t)members) <= 3 * n / SPARE) {
            return p;
        }
    }
    return (struct plan){.n = n};
}

static uint32_t *capacity_of(const struct be_work *work, const struct plan *p) {
    return (uint32_t *)work->scratch + (size_t)work->member * p->capacity;
}

static uint32_t *starts_of(const struct be_work *work, const struct plan *p, size_t t) {
    uint32_t *const starts = (uint32_t *)work->scratch + (size_t)work->members * p->capacity;
    return starts + t * ((size_t)p->bins + 1);
}

size_t be_gather_binned_scratch(const struct be_problem *problem, int members) {
    const struct plan p = plan_of((size_t)problem->value[0], members);
    return p.tiles > 0 ? numbers_of(&p, (size_t)members) * sizeof(uint32_t) : 1;
}

static size_t count_of(const struct plan *p, size_t t) {
    const size_t left = p->n - t * p->tile;
    return left < p->tile ? left : p->tile;
}

/* false: a bin has more of these indices than random ones would. */
static bool sort_even(const struct plan *p, const uint32_t *index, size_t count, uint32_t *capacity,
                      uint32_t *starts, uint32_t *sorted) {
    struct be_deal_place place[BE_GATHER_BINS_MAX];
    uint32_t at = 0;
    for (size_t b = 0; b < (size_t)p->bins; b++) {
        place[b] = (struct be_deal_place){capacity + b * p->cell, capacity + (b + 1) * p->cell};
    }
    const struct be_deal_even even = {
        .keys = index, .n = count, .shift = p->shift, .buckets = p->bins, .place = place};
    if (!BE_SIMD_BEST(be_deal_even_run)(&even)) {
        return false;
    }
    for (size_t b = 0; b < (size_t)p->bins; b++) {
        const uint32_t *cell = capacity + b * p->cell;
        const uint32_t length = (uint32_t)(place[b].next - cell);
        memcpy(sorted + at, cell, length * sizeof *cell);
        starts[b] = at;
        at += length;
    }
    starts[p->bins] = at;
    return true;
}

/* Any indices: counted first. */
static void sort_counted(const struct plan *p, const uint32_t *index, size_t count,
                         uint32_t *capacity, uint32_t *starts, uint32_t *sorted) {
    uint32_t its[BE_GATHER_BINS_MAX];
    const struct be_deal all = {.keys = index,
                                .n = count,
                                .shift = p->shift,
                                .buckets = p->bins,
                                .place = starts,
                                .sorted = capacity};
    BE_SIMD_BEST(be_deal_count_run)(&all, its);
    starts[0] = 0;
    for (size_t b = 0; b < (size_t)p->bins; b++) {
        starts[b + 1] = starts[b] + its[b];
    }
    BE_SIMD_BEST(be_deal_run)(&all);
    memcpy(sorted, capacity, count * sizeof *capacity);
}

/* Indices of one bin in one tile, those of all tiles' first bins before those of the second ones. */
struct piece {
    uint32_t *first;
    size_t count;
};

static struct piece piece_of(const struct be_work *work, const struct plan *p, size_t number) {
    const size_t t = number % p->tiles;
    const uint32_t *start = starts_of(work, p, t) + number / p->tiles;
    uint32_t *const tile = (uint32_t *)be_work_array(work, 2) + t * p->tile;
    return (struct piece){tile + start[0], start[1] - start[0]};
}

/* The pieces lie apart: each is prefetched while the one before is at work. */
static void fetch(const struct be_work *work, const struct plan *p, size_t first, size_t end) {
    const float *x = be_work_array(work, 0);
    for (size_t number = first; number < end; number++) {
        const struct piece piece = piece_of(work, p, number);
        if (number + 1 < end) {
            const struct piece next = piece_of(work, p, number + 1);
            for (size_t i = 0; i < next.count; i += BE_DEAL_LINE) {
                __builtin_prefetch(next.first + i, 1);
            }
        }
        BE_SIMD_BEST(be_gather_fetch_run)(x, piece.first, piece.count);
    }
}

static void put(const struct be_work *work, const struct plan *p, size_t t) {
    float *const z = (float *)be_work_array(work, 2) + t * p->tile;
    uint32_t *const capacity = capacity_of(work, p);
    uint32_t next[BE_GATHER_BINS_MAX];
    const struct be_gather_put all = {.index =
                                          (const uint32_t *)be_work_array(work, 1) + t * p->tile,
                                      .n = count_of(p, t),
                                      .shift = p->shift,
                                      .capacity = capacity,
                                      .next = next,
                                      .z = z};
    memcpy(next, starts_of(work, p, t), (size_t)p->bins * sizeof *next);
    memcpy(capacity, z, all.n * sizeof *z);
    BE_SIMD_BEST(be_gather_put_run)(&all);
}

static void sort_tile(const struct be_work *work, const struct plan *p, size_t t) {
    const uint32_t *index = (const uint32_t *)be_work_array(work, 1) + t * p->tile;
    uint32_t *const sorted = (uint32_t *)be_work_array(work, 2) + t * p->tile;
    uint32_t *const starts = starts_of(work, p, t);
    uint32_t *const capacity = capacity_of(work, p);
    const size_t count = count_of(p, t);
    if (!sort_even(p, index, count, capacity, starts, sorted)) {
        sort_counted(p, index, count, capacity, starts, sorted);
    }
}

void be_gather_binned_host(const struct be_work *work) {
    const size_t member = (size_t)work->member;
    const size_t members = (size_t)work->members;
    const struct plan p = plan_of((size_t)work->problem->value[0], work->members);
    const size_t pieces = p.tiles * (size_t)p.bins;
    const size_t first = p.tiles * member / members;
    const size_t end = p.tiles * (member + 1) / members;
    if (p.tiles == 0) {
        be_gather_plain_host(work);
        return;
    }
    for (size_t t = first; t < end; t++) {
        sort_tile(work, &p, t);
    }
    be_team_barrier(work->team);
    fetch(work, &p, pieces * member / members, pieces * (member + 1) / members);
    be_team_barrier(work->team);
    for (size_t t = first; t < end; t++) {
        put(work, &p, t);
    }
}
