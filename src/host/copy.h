/*
 * Copies of ordinary memory by a team, in one go for several pieces.
 */
#ifndef BE_HOST_COPY_H
#define BE_HOST_COPY_H

#include <stddef.h>

struct be_team;

struct be_copy {
    void *to;
    const void *from;
    size_t bytes;
    int beyond_cache; /* write around the caches: for destinations not read again soon */
};

/* Every piece is cut evenly among the members. Small sums are copied by the caller alone. */
void be_copy_pieces(struct be_team *team, const struct be_copy *piece, int pieces);

#endif
