/*
 * gather by bins: where x does not fit the second cache, most elements are waited for, each with a line of
 * its own. Here indices are dealt into bins, each of a part of x that does fit it; the elements of a bin are
 * fetched; and each is put where its index stood, by going through the indices once more: those of a bin come
 * in the order in which they were dealt. All but the fetching goes along memory in order.
 *
 * In some turns, so that what is dealt takes little memory. All members deal, each its own indices into cells of
 * its own; then each fetches as many cells as the others, those of a bin one after the other; then puts its own.
 */
#include <math.h>
#include <string.h>

#include "workload/deal_simd.h"
#include "workload/gather.h"
#include "workload/gather_simd.h"

enum {
    TURNS = 5,     /* of fewer, bins fill more memory; of more, a line of x is fetched more often */
    BIN_BITS = 16, /* elements of x in a bin: 256 KiB */
    BINS_MOST = 256, /* of more, lines that are being filled leave the first cache */
    CELL_LEAST =
        512, /* indices in a cell, on average: of fewer, room for uneven ones is a large part */
    ALIGN = 64
};

/* The same for all members. */
struct plan {
    int shift, bins;
    size_t turn;  /* indices of a member in a turn */
    size_t share; /* in all turns */
    size_t cell;  /* room of a cell */
    size_t room;  /* of a member's cells */
    bool few;     /* too few indices in a cell */
};

static size_t round_up(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

static struct plan plan_of(size_t n, int members) {
    struct plan p = {.shift = BIN_BITS};
    while ((n - 1) >> p.shift >= BINS_MOST) {
        p.shift++;
    }
    p.bins = (int)((n - 1) >> p.shift) + 1;
    p.turn = round_up(n / ((size_t)TURNS * (size_t)members) + 1, BE_STREAM_GRAIN);
    p.share = TURNS * p.turn;
    /* Of even random indices, as in radix.c: six standard deviations more than the mean. */
    const double part = (double)((size_t)1 << p.shift) / (double)n;
    const double mean = (double)p.turn * (part < 1 ? part : 1);
    p.few = mean < CELL_LEAST;
    p.cell = round_up((size_t)(mean + 6 * sqrt(mean)) + 1, BE_DEAL_LINE);
    p.room = (size_t)p.bins * p.cell + BE_DEAL_OVER;
    return p;
}

/* In the working memory: each member's cells, behind them where each of them ends. */
struct scratch {
    uint32_t *rooms;
    uint32_t (*ends)[BINS_MOST];
};

static struct scratch scratch_of(void *memory, const struct plan *p, int members) {
    uint32_t *rooms = memory;
    return (struct scratch){rooms, (void *)(rooms + (size_t)members * p->room)};
}

size_t be_gather_binned_scratch(const struct be_problem *problem, int members) {
    const struct plan p = plan_of((size_t)problem->value[0], members);
    return p.few ? ALIGN : (size_t)members * (p.room + BINS_MOST) * sizeof(uint32_t);
}

/* false: a bin has more of these indices than random ones would; then its cells are empty. */
static bool deal(const struct plan *p, uint32_t *room, uint32_t *ends, const uint32_t *index,
                 size_t n) {
    struct be_deal_place place[BINS_MOST];
    for (size_t b = 0; b < (size_t)p->bins; b++) {
        place[b] = (struct be_deal_place){room + b * p->cell, room + (b + 1) * p->cell};
    }
    const struct be_deal_even even = {
        .keys = index, .n = n, .shift = p->shift, .buckets = p->bins, .place = place};
    const bool fits = BE_SIMD_BEST(be_deal_even_run)(&even);
    for (size_t b = 0; b < (size_t)p->bins; b++) {
        ends[b] = (uint32_t)(fits ? (size_t)(place[b].next - room) : b * p->cell);
    }
    return fits;
}

/* This member's part of all cells, in the order of bins. */
static void fetch(const struct be_work *work, const struct plan *p, const struct scratch *s) {
    const size_t members = (size_t)work->members;
    const size_t first = (size_t)work->member * (size_t)p->bins;
    const float *x = be_work_array(work, 0);
    for (size_t c = first; c < first + (size_t)p->bins; c++) {
        const size_t bin = c / members;
        const size_t whose = c % members;
        BE_SIMD_BEST(be_gather_fetch_run)
        (x, s->rooms + whose * p->room + bin * p->cell, s->ends[whose][bin] - bin * p->cell);
    }
}

static void put(const struct plan *p, const uint32_t *room, const uint32_t *index, size_t n,
                float *z) {
    uint32_t next[BINS_MOST];
    for (size_t b = 0; b < (size_t)p->bins; b++) {
        next[b] = (uint32_t)(b * p->cell);
    }
    const struct be_gather_put all = {
        .index = index, .n = n, .shift = p->shift, .room = room, .next = next, .z = z};
    BE_SIMD_BEST(be_gather_put_run)(&all);
}

void be_gather_binned_host(const struct be_work *work) {
    const size_t n = (size_t)work->problem->value[0];
    const size_t member = (size_t)work->member;
    const struct plan p = plan_of(n, work->members);
    if (p.few) {
        be_gather_plain_host(work);
        return;
    }
    const struct scratch s = scratch_of(work->scratch, &p, work->members);
    const float *x = be_work_array(work, 0);
    const int32_t *index = be_work_array(work, 1);
    float *z = be_work_array(work, 2);
    uint32_t *room = s.rooms + member * p.room;
    for (size_t turn = 0; turn < TURNS; turn++) {
        const size_t from = member * p.share + turn * p.turn;
        const size_t first = from < n ? from : n;
        const size_t count = n - first < p.turn ? n - first : p.turn;
        const uint32_t *keys = (const uint32_t *)index + first;
        const bool fits = deal(&p, room, s.ends[member], keys, count);
        be_team_meet(work->team);
        fetch(work, &p, &s);
        be_team_meet(work->team);
        if (fits) {
            put(&p, room, keys, count, z + first);
        } else {
            be_gather_each(x, index + first, z + first, count, work->past_cache);
        }
    }
}
