/*
 * How to reach the page of `watch --serve`: words for standard error. Knows no server.
 */
#ifndef BE_CLI_RUN_SERVE_HINT_H
#define BE_CLI_RUN_SERVE_HINT_H

#include <stdbool.h>
#include <stdio.h>

#include "breakeven.h"

struct be_serve_hint {
    const char *url; /* "http://127.0.0.1:4780/?token=..." */
    int port;
    bool loopback;                  /* only this machine reaches it */
    const char *const *hosts;       /* of a proxy before it, NULL behind the last; NULL: none */
    const char *prefix;             /* of the proxy's paths; NULL: none */
    const char *const *environment; /* of this process */
};

void be_serve_hint_say(const struct be_serve_hint *hint, FILE *to);

/* The machine through which this one is reached: of a batch job the one that it was submitted from; elsewhere that
 * which was logged in to, where it is another. Empty: none is known, so this one itself is reached. */
void be_serve_jump(const char *const *environment, const char *host, char to[BE_NOTE]);

#endif
