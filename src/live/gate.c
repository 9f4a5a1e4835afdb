#include "live/gate.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool be_token_equal(const char *a, const char *b) {
    size_t length = strlen(a), other = strlen(b);
    unsigned char differs = (unsigned char)(length != other);
    for (size_t i = 0; i < length; i++) {
        differs |= (unsigned char)(a[i] ^ (other ? b[i % other] : 0));
    }
    return differs == 0;
}

/* ---- addresses ------------------------------------------------------------------------------ */

static bool read_port(const char *text, int *port) {
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value > 65535) {
        return false;
    }
    *port = (int)value;
    return true;
}

bool be_address_split(const char *text, char *host, size_t capacity, int *port) {
    const char *colon = strrchr(text, ':');
    size_t length = strlen(text);
    bool bracket = *text == '[';
    *port = -1;
    if (bracket) {
        const char *end = strchr(text, ']');
        if (!end || (end[1] && end[1] != ':') || (end[1] && !read_port(end + 2, port))) {
            return false;
        }
        length = (size_t)(end - ++text);
    } else if (colon && strchr(text, ':') == colon) {
        if (!read_port(colon + 1, port)) {
            return false;
        }
        length = (size_t)(colon - text);
    } else if (!colon && read_port(text, port)) {
        length = 0;
    }
    if (length >= capacity || (bracket && length == 0)) {
        return false;
    }
    memcpy(host, text, length);
    host[length] = '\0';
    return true;
}

static bool is_loopback(const char *host) {
    struct in_addr four;
    struct in6_addr six;
    if (inet_pton(AF_INET, host, &four) == 1) {
        return ntohl(four.s_addr) >> 24 == 127;
    }
    return strcasecmp(host, "localhost") == 0 ||
           (inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six));
}

bool be_gate_takes_host(const char *name) {
    static const char signs[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
    size_t length = strlen(name);
    return length > 0 && length < 256 && strspn(name, signs) == length;
}

bool be_gate_takes_prefix(const char *prefix) {
    static const char signs[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_~/%@:+";
    size_t length = strlen(prefix);
    return length > 1 && length < 200 && strspn(prefix, signs) == length && prefix[0] == '/' &&
           prefix[length - 1] != '/' && !strstr(prefix, "//") && !strstr(prefix, "..");
}

static bool is_host_of_proxy(const struct be_gate *gate, const char *host) {
    for (int i = 0; gate->hosts && gate->hosts[i]; i++) {
        if (strcasecmp(gate->hosts[i], host) == 0) {
            return true;
        }
    }
    return false;
}

/* A name could be pointed at this machine by anyone who owns it, and a page of theirs would then count
 * as ours; so only names that nobody else owns are answered to. The port may be another one: a tunnel
 * may begin at any. */
static bool is_our_name(const struct be_gate *gate, const char *header) {
    char host[256];
    int port;
    unsigned char binary[sizeof(struct in6_addr)];
    if (!header || !be_address_split(header, host, sizeof host, &port) || !host[0]) {
        return false;
    }
    if (is_loopback(host) || strcasecmp(host, gate->address) == 0 || is_host_of_proxy(gate, host)) {
        return true;
    }
    return !gate->loopback &&
           (inet_pton(AF_INET, host, binary) == 1 || inet_pton(AF_INET6, host, binary) == 1 ||
            strcasecmp(host, gate->name) == 0);
}

/* ---- requests ------------------------------------------------------------------------------- */

/* "https://ondemand.example.org": a proxy may encrypt, and may tell us its own name for us as Host. */
static bool is_page_of_proxy(const struct be_gate *gate, const char *origin) {
    static const char *const schemes[] = {"https://", "http://"};
    char host[256];
    int port;
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        size_t length = strlen(schemes[i]);
        if (strncasecmp(origin, schemes[i], length) == 0) {
            return be_address_split(origin + length, host, sizeof host, &port) &&
                   is_host_of_proxy(gate, host);
        }
    }
    return false;
}

static bool is_our_page(const struct be_gate *gate, const struct be_request *request) {
    char own[300];
    snprintf(own, sizeof own, "http://%s", request->host);
    if (request->origin && strcasecmp(request->origin, own) != 0 &&
        !is_page_of_proxy(gate, request->origin)) {
        return false;
    }
    return !request->site || strcmp(request->site, "same-origin") == 0 ||
           strcmp(request->site, "none") == 0;
}

static bool has_bearer(const struct be_gate *gate, const struct be_request *request) {
    static const char scheme[] = "Bearer ";
    return request->authorization &&
           strncasecmp(request->authorization, scheme, sizeof scheme - 1) == 0 &&
           be_token_equal(request->authorization + sizeof scheme - 1, gate->token);
}

static enum be_route in_capacity(const char *rest) {
    static const struct {
        const char *path;
        enum be_route route;
    } doors[] = {
        {"", BE_ROUTE_PAGE},         {"page.js", BE_ROUTE_SCRIPT},  {"page.css", BE_ROUTE_STYLE},
        {"events", BE_ROUTE_EVENTS}, {"metrics", BE_ROUTE_METRICS},
    };
    for (size_t i = 0; i < sizeof doors / sizeof doors[0]; i++) {
        if (strcmp(rest, doors[i].path) == 0) {
            return doors[i].route;
        }
    }
    return BE_ROUTE_NOWHERE;
}

/* A path without the prefix of a proxy. */
static const char *below_prefix(const struct be_gate *gate, const char *path) {
    size_t length = gate->prefix ? strlen(gate->prefix) : 0;
    if (length && strncmp(path, gate->prefix, length) == 0 &&
        (path[length] == '/' || !path[length])) {
        return path[length] ? path + length : "/";
    }
    return path;
}

static bool only_reads(const char *method) {
    return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
}

enum be_route be_gate_route(const struct be_gate *gate, const struct be_request *request) {
    bool query = request->query_token && be_token_equal(request->query_token, gate->token);
    bool cookie = request->cookie_token && be_token_equal(request->cookie_token, gate->token);
    bool bearer = has_bearer(gate, request);
    size_t capacity = strlen(gate->capacity);
    if (!is_our_name(gate, request->host)) {
        return BE_ROUTE_HOST;
    }
    if (!is_our_page(gate, request)) {
        return BE_ROUTE_ORIGIN;
    }
    if (!only_reads(request->method)) {
        return BE_ROUTE_METHOD;
    }
    if (!query && !cookie && !bearer) {
        return BE_ROUTE_TOKEN;
    }
    const char *path = below_prefix(gate, request->path);
    if (strncmp(path, gate->capacity, capacity) == 0) {
        return in_capacity(path + capacity);
    }
    if (strcmp(path, "/metrics") == 0) {
        return BE_ROUTE_METRICS;
    }
    return strcmp(path, "/") == 0 ? BE_ROUTE_ENTRY : BE_ROUTE_NOWHERE;
}
