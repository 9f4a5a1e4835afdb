/*
 * Large pieces of ordinary memory: malloc's, aligned to a page, with huge pages asked for as
 * NumPy does. Not touched: who uses it first decides where it lies.
 */
#ifndef BE_HOST_PAGES_H
#define BE_HOST_PAGES_H

#include <stddef.h>

#include "breakeven_error.h"

struct be_pages {
    void *memory;
    size_t bytes;
};

/* BE_NOMEM with need and have, before asking for more than there is. */
enum be_status be_pages_get(size_t bytes, struct be_pages *pages, struct be_error *error);
void be_pages_give_back(struct be_pages *pages); /* accepts a zeroed one */

#endif
