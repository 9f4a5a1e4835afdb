#include "machine/probe/cpu/chase.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/random.h"

/* Sattolo's shuffle: unlike a plain one, it leaves a single cycle. */
void be_chase_link(struct be_chase_line *line, size_t lines, uint64_t seed) {
    for (size_t i = 0; i < lines; i++) {
        line[i].next = &line[i];
    }
    for (size_t i = lines - 1; i > 0; i--) {
        size_t other = (size_t)(be_random_bits(seed, i) % i);
        struct be_chase_line *kept = line[i].next;
        line[i].next = line[other].next;
        line[other].next = kept;
    }
}

struct be_chase_line *be_chase_follow(struct be_chase_line *at, long hops) {
    struct be_chase_line *volatile *step = &at->next; /* every load is made */
    for (long i = 0; i < hops; i++) {
        at = *step;
        step = &at->next;
    }
    return at;
}

#if defined(__SSE2__)
void be_chase_flush(const struct be_chase_line *line, size_t lines) {
    for (size_t i = 0; i < lines; i++) {
        _mm_clflush(&line[i]);
    }
    _mm_mfence();
}
#else
void be_chase_flush(const struct be_chase_line *line, size_t lines) {
    (void)line;
    (void)lines;
}
#endif
