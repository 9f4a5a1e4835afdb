/*
 * gather by bins: where x does not fit the second cache, most elements are waited for, each with a line of
 * its own. Here indices are dealt into bins, each of a small part of x; the elements of a bin are
 * fetched; and each is put where its index stood, by going through the indices once more: those of a bin come
 * in the order in which they were dealt. All but the fetching goes along memory in order.
 *
 * In some turns, so that little memory is needed: what is dealt lies where later turns' results will, but for
 * the last turn's. All members deal, each its own indices into cells of its own; then each fetches as many cells
 * as the others, those of a bin one after the other; then puts its own.
 */
#include <math.h>

#include "workload/deal_simd.h"
#include "workload/gather.h"
#include "workload/gather_simd.h"

enum {
    BIN_BITS = 16,   /* elements of x in a bin, at the least: 256 KiB */
    BINS_MOST = 256, /* of more, lines that are being filled leave the first cache */
    TURNS_MOST = 8,
    /* A turn has at least this part of all indices, and so many for each bin: fewer would fetch all of x for
     * little, and room for uneven ones be a large part of theirs. */
    TURN_LEAST = 16,
    CELL_LEAST = 512,
    SPARE = 10 /* the last turn's cells take at most this part of inputs and outputs */
};

/* Of a member's indices those from `from` on; `cell`: room for those of a bin. */
struct turn {
    size_t from, count, cell;
};

/* The same for all members. The last one has some more indices, for the last turn. */
struct plan {
    size_t n;
    int shift, bins;
    size_t share; /* of a member */
    int turns;    /* 0: too few indices for each bin */
    struct turn turn[TURNS_MOST];
};

/* Of even random indices, as in radix.c: six standard deviations more than the mean. */
static struct turn turn_of(const struct plan *p, size_t from, size_t count) {
    const double part = (double)((size_t)1 << p->shift) / (double)p->n;
    const double mean = (double)count * (part < 1 ? part : 1);
    const size_t cell = (size_t)(mean + 6 * sqrt(mean)) + 1;
    return (struct turn){from, count, (cell + BE_DEAL_LINE - 1) / BE_DEAL_LINE * BE_DEAL_LINE};
}

static size_t room_of(const struct plan *p, const struct turn *turn) {
    return (size_t)p->bins * turn->cell + BE_DEAL_OVER;
}

static bool has_enough(const struct plan *p, size_t count) {
    return count >= p->share / TURN_LEAST && count >= (size_t)CELL_LEAST * (size_t)p->bins;
}

/* The largest whose cells fit behind it; count 0: it would be too small. */
static struct turn largest_turn(const struct plan *p, size_t from) {
    size_t count = (p->share - from) / 2;
    while (has_enough(p, count)) {
        count = count / BE_STREAM_GRAIN * BE_STREAM_GRAIN;
        const struct turn turn = turn_of(p, from, count);
        const size_t end = from + count + room_of(p, &turn);
        if (end <= p->share) {
            return turn;
        }
        const size_t less = (end - p->share) / 2 + 1; /* two places for each index */
        count -= less < count ? less : count;
    }
    return (struct turn){0};
}

static struct plan plan_of(size_t n, int members) {
    struct plan p = {.n = n, .shift = BIN_BITS};
    while ((n - 1) >> p.shift >= BINS_MOST) {
        p.shift++;
    }
    p.bins = (int)((n - 1) >> p.shift) + 1;
    p.share = n / (size_t)members / BE_STREAM_GRAIN * BE_STREAM_GRAIN;
    size_t from = 0;
    while (p.turns + 1 < TURNS_MOST) {
        const struct turn turn = largest_turn(&p, from);
        if (turn.count == 0) {
            break;
        }
        p.turn[p.turns++] = turn;
        from += turn.count;
    }
    const size_t more = n - p.share * (size_t)members;
    p.turn[p.turns] = turn_of(&p, from, p.share - from + more);
    const size_t cells = room_of(&p, &p.turn[p.turns]) * (size_t)members;
    p.turns = p.turns > 0 && cells <= 3 * n / SPARE ? p.turns + 1 : 0;
    return p;
}

/* In the working memory: each member's cells of the last turn; where each cell of a turn ends. */
size_t be_gather_binned_scratch(const struct be_problem *problem, int members) {
    const struct plan p = plan_of((size_t)problem->value[0], members);
    const size_t last = p.turns > 0 ? room_of(&p, &p.turn[p.turns - 1]) + BINS_MOST : 1;
    return (size_t)members * last * sizeof(uint32_t);
}

/* Where a member has what it deals in turn t. */
struct dealt {
    uint32_t *room, *ends;
};

static struct dealt dealt_of(const struct be_work *work, const struct plan *p, int t,
                             size_t member) {
    const struct turn *turn = &p->turn[t];
    const size_t last = room_of(p, &p->turn[p->turns - 1]);
    uint32_t *const rooms = work->scratch;
    uint32_t *const ends = rooms + (size_t)work->members * last;
    float *const behind =
        (float *)be_work_array(work, 2) + member * p->share + turn->from + turn->count;
    return (struct dealt){t < p->turns - 1 ? (uint32_t *)(void *)behind : rooms + member * last,
                          ends + member * BINS_MOST};
}

/* false: a bin has more of these indices than random ones would; then its cells are empty. */
static bool deal(const struct plan *p, const struct turn *turn, const struct dealt *to,
                 const uint32_t *index, size_t count) {
    struct be_deal_place place[BINS_MOST];
    for (size_t b = 0; b < (size_t)p->bins; b++) {
        place[b] =
            (struct be_deal_place){to->room + b * turn->cell, to->room + (b + 1) * turn->cell};
    }
    const struct be_deal_even even = {
        .keys = index, .n = count, .shift = p->shift, .buckets = p->bins, .place = place};
    const bool fits = BE_SIMD_BEST(be_deal_even_run)(&even);
    for (size_t b = 0; b < (size_t)p->bins; b++) {
        to->ends[b] = (uint32_t)(fits ? (size_t)(place[b].next - to->room) : b * turn->cell);
    }
    return fits;
}

/* This member's part of all cells, in the order of bins. */
static void fetch(const struct be_work *work, const struct plan *p, int t) {
    const size_t members = (size_t)work->members;
    const size_t first = (size_t)work->member * (size_t)p->bins;
    const float *x = be_work_array(work, 0);
    for (size_t c = first; c < first + (size_t)p->bins; c++) {
        const size_t bin = c / members;
        const size_t from = bin * p->turn[t].cell;
        const struct dealt whose = dealt_of(work, p, t, c % members);
        BE_SIMD_BEST(be_gather_fetch_run)(x, whose.room + from, whose.ends[bin] - from);
    }
}

static void put(const struct plan *p, const struct turn *turn, const uint32_t *room,
                const uint32_t *index, size_t count, float *z) {
    uint32_t next[BINS_MOST];
    for (size_t b = 0; b < (size_t)p->bins; b++) {
        next[b] = (uint32_t)(b * turn->cell);
    }
    const struct be_gather_put all = {
        .index = index, .n = count, .shift = p->shift, .room = room, .next = next, .z = z};
    BE_SIMD_BEST(be_gather_put_run)(&all);
}

/* This member's in turn t: the last turn has what is left over, which is the last member's. */
static size_t indices_of(const struct be_work *work, const struct plan *p, int t) {
    const struct turn *turn = &p->turn[t];
    const bool has_rest = work->member == work->members - 1;
    return t < p->turns - 1 || has_rest ? turn->count : p->share - turn->from;
}

void be_gather_binned_host(const struct be_work *work) {
    const size_t n = (size_t)work->problem->value[0];
    const struct plan p = plan_of(n, work->members);
    const float *x = be_work_array(work, 0);
    const int32_t *index = be_work_array(work, 1);
    float *z = be_work_array(work, 2);
    if (p.turns == 0) {
        be_gather_plain_host(work);
    }
    for (int t = 0; t < p.turns; t++) {
        const struct turn *turn = &p.turn[t];
        const struct dealt mine = dealt_of(work, &p, t, (size_t)work->member);
        const size_t first = (size_t)work->member * p.share + turn->from;
        const size_t count = indices_of(work, &p, t);
        const uint32_t *keys = (const uint32_t *)index + first;
        const bool fits = deal(&p, turn, &mine, keys, count);
        be_team_meet(work->team);
        fetch(work, &p, t);
        be_team_meet(work->team);
        if (fits) {
            put(&p, turn, mine.room, keys, count, z + first);
        } else {
            be_gather_each(x, index + first, z + first, count, work->past_cache);
        }
    }
}
