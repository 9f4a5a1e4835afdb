/*
 * `breakeven watch` at work: samples and shows, until it is told to end.
 */
#ifndef BE_CLI_RUN_WATCH_LOOP_H
#define BE_CLI_RUN_WATCH_LOOP_H

#include "observe/sources/source.h"

struct be_watch_options {
    struct be_watched watched;
    char what[BE_NOTE]; /* what is watched, in words */
    double interval_s;
    double window_s;        /* findings are of so much, the last; 0: of all */
    bool plain, json, once; /* json: lines are of that */
    const char *output;     /* the trace is kept there in the end; NULL: nowhere */
    bool serve;
    const char *address;      /* --serve=ADDR; NULL: none was given */
    const char *token;        /* NULL: a random one */
    const char *const *hosts; /* --allow-host, NULL behind the last */
    const char *prefix;       /* --prefix; NULL: none */
};

/* The exit code; a signal that asks to end, but Ctrl-C, ends the process itself. */
int be_watch_loop(const struct be_watch_options *options);

#endif
