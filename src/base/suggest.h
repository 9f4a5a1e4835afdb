/*
 * Which of some known names a misspelt one may mean. Knows no names itself.
 */
#ifndef BE_BASE_SUGGEST_H
#define BE_BASE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* To begin a search with: one more than the changes (a letter put in, left out or replaced, or two
 * swapped) that a name of this length may be away; 0: no name is near. */
size_t be_near_limit(size_t length);

/* Is `known` fewer than *least changes away from the name, in upper or lower case? Then *least is how
 * many. */
bool be_is_nearer(const char *name, size_t length, const char *known, size_t *min);

#endif
