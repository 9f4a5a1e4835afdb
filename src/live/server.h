/*
 * The page and the metrics over HTTP, on one address, for clients that know the token. It does not know what it
 * serves, and it does nothing by itself: its owner waits for its descriptor and lets it run.
 */
#ifndef BE_LIVE_SERVER_H
#define BE_LIVE_SERVER_H

#include "base/text.h"
#include "breakeven.h"

enum { BE_TOKEN = 65 };

struct be_server_options {
    const char *address; /* "127.0.0.1:4780", "[::1]:0", "4780"; NULL: loopback, a usual port or a
                                free one */
    const char *token;   /* NULL: a random one */
    const char *const *hosts; /* of a proxy before it, and its prefix: as in struct be_gate */
    const char *prefix;
    void *context; /* of what follows: what there is to say, at the moment of asking */
    void (*whole)(void *context, struct be_text *out);   /* JSON in one line: with its past */
    void (*tick)(void *context, struct be_text *out);    /* likewise: the newest only */
    void (*metrics)(void *context, struct be_text *out); /* Prometheus text */
};

struct be_server;

/* BE_ABSENT: this build has no libmicrohttpd. */
enum be_status be_server_open(const struct be_server_options *options, struct be_server **server,
                              struct be_error *error);
/* "http://127.0.0.1:4780/?token=..."; as long as the server lives. */
const char *be_server_url(const struct be_server *server);
int be_server_port(const struct be_server *server);
/* False: others than this machine can reach it. */
bool be_server_is_loopback(const struct be_server *server);
/* Readable when there is something to do. */
int be_server_file(const struct be_server *server);
/* Milliseconds after which there is in any case; -1: none. */
int be_server_timeout_ms(const struct be_server *server);
void be_server_run(struct be_server *server);
/* There is a new tick: all who listen get it. */
void be_server_tick(struct be_server *server);
/* Accepts NULL. */
void be_server_close(struct be_server *server);

#endif
