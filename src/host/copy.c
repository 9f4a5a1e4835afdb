#include "host/copy.h"

#include <stdint.h>
#include <string.h>

#include "host/team.h"

enum {
    WORTH_A_TEAM = 128 * 1024, /* below, waking the team costs more than it saves */
    LINE = 64
};

#if defined(__SSE2__)
#include <emmintrin.h>

static void copy_nontemporal_cache(char *to, const char *from, size_t bytes) {
    size_t head = (LINE - (uintptr_t)to % LINE) % LINE;
    if (bytes < 4 * LINE) {
        memcpy(to, from, bytes);
        return;
    }
    memcpy(to, from, head);
    size_t at = head;
    for (; at + LINE <= bytes; at += LINE) {
        const __m128i *source = (const __m128i *)(const void *)(from + at);
        __m128i *target = (__m128i *)(void *)(to + at);
        __m128i a = _mm_loadu_si128(source);
        __m128i b = _mm_loadu_si128(source + 1);
        __m128i c = _mm_loadu_si128(source + 2);
        __m128i d = _mm_loadu_si128(source + 3);
        _mm_stream_si128(target, a);
        _mm_stream_si128(target + 1, b);
        _mm_stream_si128(target + 2, c);
        _mm_stream_si128(target + 3, d);
    }
    memcpy(to + at, from + at, bytes - at);
    _mm_sfence();
}
#else
static void copy_nontemporal_cache(char *to, const char *from, size_t bytes) {
    memcpy(to, from, bytes);
}
#endif

struct pieces {
    const struct be_copy *piece;
    int pieces;
};

static void copy_share(void *context, int member, int members) {
    const struct pieces *all = context;
    for (int i = 0; i < all->pieces; i++) {
        const struct be_copy *piece = &all->piece[i];
        size_t first;
        size_t count;
        be_team_share(piece->bytes, LINE, member, members, &first, &count);
        char *to = (char *)piece->to + first;
        const char *from = (const char *)piece->from + first;
        if (piece->beyond_cache) {
            copy_nontemporal_cache(to, from, count);
        } else {
            memcpy(to, from, count);
        }
    }
}

void be_copy_pieces(struct be_team *team, const struct be_copy *piece, int pieces) {
    struct pieces all = {piece, pieces};
    size_t bytes = 0;
    for (int i = 0; i < pieces; i++) {
        bytes += piece[i].bytes;
    }
    if (bytes < WORTH_A_TEAM) {
        copy_share(&all, 0, 1);
    } else {
        be_team_run(team, copy_share, &all);
    }
}
