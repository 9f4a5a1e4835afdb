/*
 * Memory that is never given back, for what is found once a site. It is not malloc's: a program may have its own, and
 * may count on the order of its blocks.
 */
#ifndef INJECT_MATH_ARENA_H
#define INJECT_MATH_ARENA_H

#include <stddef.h>

/* Zeroed; NULL: it is used up. */
void *arena_take(size_t bytes);

#endif
