/*
 * Admission to the page: pure functions of a request. It does not know connections.
 */
#ifndef BE_LIVE_GATE_H
#define BE_LIVE_GATE_H

#include <stdbool.h>
#include <stddef.h>

/* The fields of a request; NULL: it does not have one. */
struct be_request {
    const char *method, *path;
    const char *host, *origin, *site; /* headers Host, Origin, Sec-Fetch-Site */
    const char *query_token;          /* ?token= */
    const char *cookie_token;
    const char *authorization;
};

struct be_gate {
    const char *token;
    const char
        *capacity; /* "/live-0123456789abcdef/": where the page is, known only to who was let in */
    const char *name;    /* of this machine; may be answered to where not on loopback */
    const char *address; /* that it listens at, without port */
    bool loopback;
    /* A proxy before it. */
    const char *const *hosts; /* names by which that is asked, NULL behind the last; NULL: none */
    const char
        *prefix; /* that it puts before paths, and may take away again: "/proxy/4780"; NULL: none */
};

enum be_route {
    BE_ROUTE_ENTRY, /* was let in by ?token=: gets a cookie and is sent to the room */
    BE_ROUTE_PAGE,
    BE_ROUTE_SCRIPT,
    BE_ROUTE_STYLE,
    BE_ROUTE_EVENTS,
    BE_ROUTE_METRICS,
    BE_ROUTE_METHOD,  /* 405: neither GET nor HEAD */
    BE_ROUTE_HOST,    /* 421: asked for by a name that is not ours */
    BE_ROUTE_ORIGIN,  /* 403: another page asks */
    BE_ROUTE_TOKEN,   /* 401 */
    BE_ROUTE_NOWHERE, /* 404 */
};

/* Where a request leads. A request without a token learns nothing else. */
enum be_route be_gate_route(const struct be_gate *gate, const struct be_request *request);

/* The name of a host, without port; a prefix that begins with '/' and does not end so, of signs that need no
 * quoting in addresses, headers and cookies. */
bool be_gate_takes_host(const char *name);
bool be_gate_takes_prefix(const char *prefix);

/* Compares in a time that does not depend on where they differ. */
bool be_token_equal(const char *a, const char *b);

/* "127.0.0.1:4780", "[::1]:80", "4780", ":4780", "localhost" -> host ("127.0.0.1") and port (-1: none
 * is said). False: it is none of these. */
bool be_address_split(const char *text, char *host, size_t capacity, int *port);

#endif
