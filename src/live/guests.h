/*
 * The clients of the page, in the order in which they came. The room is limited. Where more come, the client
 * leaves that has been there longest and listens to no events, so that silent connections keep nobody out. It knows
 * only the descriptor of a connection.
 */
#ifndef BE_LIVE_GUESTS_H
#define BE_LIVE_GUESTS_H

#include <stdbool.h>

struct be_guest {
    int file;
    bool listens; /* to events: may stay */
    bool leaves;  /* has been shut down; whoever owns it will close it */
    struct be_guest *next;
};

struct be_guests {
    int max; /* that may be here at a time */
    struct be_guest *oldest;
};

/* One has come. NULL: out of memory, then it is not kept in mind. */
struct be_guest *be_guests_add(struct be_guests *guests, int file);
/* It is gone: its descriptor is about to be closed. Accepts NULL. */
void be_guests_remove(struct be_guests *guests, struct be_guest *guest);

#endif
