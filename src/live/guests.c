#include "live/guests.h"

#include <stdlib.h>
#include <sys/socket.h>

static void make_capacity(struct be_guests *guests) {
    int count = 0;
    for (const struct be_guest *one = guests->oldest; one; one = one->next) {
        count += !one->leaves;
    }
    for (struct be_guest *one = guests->oldest; one && count > guests->max; one = one->next) {
        if (!one->listens && !one->leaves) {
            shutdown(one->file, SHUT_RDWR); /* its owner reads the end of it */
            one->leaves = true;
            count--;
        }
    }
}

struct be_guest *be_guests_add(struct be_guests *guests, int file) {
    struct be_guest *guest = malloc(sizeof *guest);
    struct be_guest **last = &guests->oldest;
    if (!guest) {
        return NULL;
    }
    *guest = (struct be_guest){.file = file};
    while (*last) {
        last = &(*last)->next;
    }
    *last = guest;
    make_capacity(guests);
    return guest;
}

void be_guests_remove(struct be_guests *guests, struct be_guest *guest) {
    struct be_guest **at = &guests->oldest;
    while (*at && *at != guest) {
        at = &(*at)->next;
    }
    if (guest && *at) {
        *at = guest->next;
        free(guest);
    }
}
