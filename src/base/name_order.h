/*
 * The order in which names are listed for people: by bytes, and numbers in them by what they are, so
 * that p8 comes before p58. Knows nothing of whose names they are.
 */
#ifndef BE_BASE_NAME_ORDER_H
#define BE_BASE_NAME_ORDER_H

#include <stddef.h>

/* Below 0: a comes first; 0: the same name only. */
int be_name_order(const char *a, const char *b);
/* Sorts pointers to names so. */
void be_names_sort(char **name, size_t count);

#endif
