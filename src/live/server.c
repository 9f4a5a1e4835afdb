/* HTTP by libmicrohttpd, in its owner's thread. */
#include "live/server.h"

#include <errno.h>
#include <math.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "live/gate.h"
#include "live/guests.h"
#include "live/server_socket.h"
#include "page_sources.h"

enum { STREAMS_MAX = 16, CONNECTIONS_MAX = 64, CONNECTION_TIMEOUT_S = 15, MEMORY_MAX = 32 << 10 };
enum {
    GUESTS_MAX = 48
}; /* of those connections: beyond, the oldest goes while the new one is taken in */
static const double beat_s = 5;
static const char events_type[] = "text/event-stream; charset=utf-8";

/* Somebody who listens to events. */
struct stream {
    struct be_server *server;
    struct MHD_Connection *connection;
    struct be_text text; /* what is being sent */
    size_t sent;
    unsigned long sequence; /* of the last tick that was sent */
    unsigned long beat;     /* likewise */
    bool suspended;
    struct stream *next;
};

struct be_server {
    struct be_server_options options;
    struct MHD_Daemon *daemon;
    struct be_listener listener;
    struct stream *streams;
    struct be_guests guests;
    struct be_text tick; /* the event of the newest tick; empty until somebody needs it */
    unsigned long sequence;
    unsigned long beat;
    struct be_clock clock;
    double woken_s; /* when those who listen were last sent something */
    bool closing;
    char token[BE_TOKEN], capacity[BE_NAME], cookie[BE_NAME], name[256], url[512];
    struct be_gate gate;
};

/* ---- answers -------------------------------------------------------------------------------- */

/* The page may load from here only, nobody may put it into a frame, nothing of it is kept. */
static const struct {
    const char *name, *value;
} headers[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

/* Takes the response, also where it is NULL. */
static enum MHD_Result answer(struct MHD_Connection *connection, unsigned int status,
                              const char *type, struct MHD_Response *response) {
    if (!response) {
        return MHD_NO;
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    for (size_t i = 0; i < BE_COUNT(headers); i++) {
        MHD_add_response_header(response, headers[i].name, headers[i].value);
    }
    if (status >= MHD_HTTP_BAD_REQUEST && status != MHD_HTTP_NOT_FOUND) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    }
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer_constant(struct MHD_Connection *connection, unsigned int status,
                                       const char *type, const char *text) {
    return answer(connection, status, type,
                  MHD_create_response_from_buffer(strlen(text), (void *)(size_t)text,
                                                  MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result answer_metrics(struct be_server *server, struct MHD_Connection *connection) {
    struct be_text text = {0};
    server->options.metrics(server->options.context, &text);
    if (text.failed) {
        be_text_free(&text);
        return MHD_NO;
    }
    return answer(connection, MHD_HTTP_OK, "text/plain; version=0.0.4; charset=utf-8",
                  MHD_create_response_from_buffer(text.length, text.data, MHD_RESPMEM_MUST_FREE));
}

/* Let in: from now on the browser sends a cookie, to the room only. Other programs of this machine
 * have pages of the same host, which browsers tell apart by nothing but paths. The way to the room begins where the
 * browser is: some proxies put their prefix before one that begins with '/', some do not. */
static enum MHD_Result answer_entry(struct be_server *server, struct MHD_Connection *connection,
                                    const char *path) {
    const char *prefix = server->options.prefix ? server->options.prefix : "";
    const char *last = strrchr(path, '/');
    char cookie[3 * BE_NAME + BE_TOKEN + 256], room[BE_NAME + 256], way[BE_NAME + 256];
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (response) {
        snprintf(room, sizeof room, "%s%s", prefix, server->capacity);
        snprintf(cookie, sizeof cookie, "%s=%s; Path=%s; HttpOnly; SameSite=Strict", server->cookie,
                 server->token, room);
        MHD_add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, cookie);
        snprintf(way, sizeof way, "%s%s", last ? last + 1 : "",
                 server->capacity + (last && last[1] ? 0 : 1));
        MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, way);
    }
    return answer(connection, MHD_HTTP_SEE_OTHER, "text/plain; charset=utf-8", response);
}

/* ---- events --------------------------------------------------------------------------------- */

static void add_event(struct be_text *out, const char *name,
                      void (*say)(void *context, struct be_text *out), void *context) {
    be_text_add(out, "event: %s\ndata: ", name);
    say(context, out);
    be_text_add(out, "\n\n");
}

static void add_tick(struct stream *stream) {
    struct be_server *server = stream->server;
    if (!server->tick.length) {
        add_event(&server->tick, "tick", server->options.tick, server->options.context);
    }
    be_text_add_bytes(&stream->text, server->tick.data, server->tick.length);
}

/* Writes the next event for this stream: the newest tick; those in between are left out where it is slow. Where none
 * has come for long, a comment, which browsers pass over. */
static bool next_event(struct stream *stream) {
    const struct be_server *server = stream->server;
    const bool newer = stream->sequence != server->sequence;
    if (!newer && stream->beat == server->beat) {
        return false;
    }
    stream->text.length = 0;
    stream->sent = 0;
    stream->sequence = server->sequence;
    stream->beat = server->beat;
    if (newer) {
        add_tick(stream);
    } else {
        be_text_add(&stream->text, ":\n\n");
    }
    return true;
}

static ssize_t read_stream(void *context, uint64_t position, char *to, size_t capacity) {
    struct stream *stream = context;
    (void)position;
    if (stream->text.failed || stream->server->tick.failed || stream->server->closing) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    if (stream->sent == stream->text.length && !next_event(stream)) {
        stream->suspended = true;
        MHD_suspend_connection(stream->connection);
        return 0;
    }
    size_t left = stream->text.length - stream->sent;
    size_t count = left < capacity ? left : capacity;
    memcpy(to, stream->text.data + stream->sent, count);
    stream->sent += count;
    return (ssize_t)count;
}

static void set_listens(struct MHD_Connection *connection, bool listens) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct be_guest *guest = info ? info->socket_context : NULL;
    if (guest) {
        guest->listens = listens;
    }
}

static void free_stream(void *context) {
    struct stream *stream = context;
    set_listens(stream->connection, false);
    struct stream **at = &stream->server->streams;
    while (*at != stream) {
        at = &(*at)->next;
    }
    *at = stream->next;
    be_text_free(&stream->text);
    free(stream);
}

static enum MHD_Result answer_events(struct be_server *server, struct MHD_Connection *connection) {
    int count = 0;
    for (const struct stream *one = server->streams; one; one = one->next) {
        count++;
    }
    struct stream *stream = count < STREAMS_MAX ? calloc(1, sizeof *stream) : NULL;
    if (!stream) {
        return answer_constant(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                               "text/plain; charset=utf-8", "too many listen already\n");
    }
    *stream = (struct stream){.server = server,
                              .connection = connection,
                              .sequence = server->sequence,
                              .beat = server->beat,
                              .next = server->streams};
    server->streams = stream;
    set_listens(connection, true);
    be_text_add(&stream->text, "retry: 2000\n");
    add_event(&stream->text, "whole", server->options.whole, server->options.context);
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, 16 << 10, read_stream, stream, free_stream);
    if (!response) {
        free_stream(stream);
    }
    return answer(connection, MHD_HTTP_OK, events_type, response);
}

/* ---- requests ------------------------------------------------------------------------------- */

static enum be_route route_of(struct be_server *server, struct MHD_Connection *connection,
                              const char *path, const char *method) {
    struct be_request request = {
        .method = method,
        .path = path,
        .host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
        .origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin"),
        .site = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site"),
        .authorization = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization"),
        .query_token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token"),
        .cookie_token = MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, server->cookie),
    };
    return be_gate_route(&server->gate, &request);
}

static enum MHD_Result answer_method(struct MHD_Connection *connection) {
    static const char text[] = "only GET and HEAD are answered\n";
    struct MHD_Response *response = MHD_create_response_from_buffer(
        sizeof text - 1, (void *)(size_t)text, MHD_RESPMEM_PERSISTENT);
    if (response) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    }
    return answer(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain; charset=utf-8", response);
}

static enum MHD_Result answer_text(struct MHD_Connection *connection, enum be_route route) {
    static const char plain[] = "text/plain; charset=utf-8";
    static const struct {
        unsigned int status;
        const char *type, *text;
    } texts[] = {
        [BE_ROUTE_PAGE] = {MHD_HTTP_OK, "text/html; charset=utf-8", be_page_page_html},
        [BE_ROUTE_SCRIPT] = {MHD_HTTP_OK, "text/javascript; charset=utf-8", be_page_page_js},
        [BE_ROUTE_STYLE] = {MHD_HTTP_OK, "text/css; charset=utf-8", be_page_page_css},
        [BE_ROUTE_HOST] = {MHD_HTTP_MISDIRECTED_REQUEST, plain,
                           "this machine is not known by that name here; use its address, or "
                           "begin with `breakeven watch --serve --allow-host=NAME`\n"},
        [BE_ROUTE_ORIGIN] = {MHD_HTTP_FORBIDDEN, plain,
                             "other pages may not ask; open the address by hand\n"},
        [BE_ROUTE_TOKEN] = {MHD_HTTP_UNAUTHORIZED, plain,
                            "a token is needed: open the whole address that `breakeven watch "
                            "--serve` wrote when it began\n"},
        [BE_ROUTE_NOWHERE] = {MHD_HTTP_NOT_FOUND, plain, "there is no such page\n"},
    };
    if (!texts[route].text) {
        return MHD_NO;
    }
    return answer_constant(connection, texts[route].status, texts[route].type, texts[route].text);
}

/* Nothing more is heard from those who are not let in: neither what they send after this nor their next
 * request takes our time. */
static bool is_let_in(enum be_route route) {
    return route != BE_ROUTE_HOST && route != BE_ROUTE_ORIGIN && route != BE_ROUTE_TOKEN;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_bytes, void **seen) {
    static char mark;
    struct be_server *server = context;
    (void)version;
    (void)upload;
    enum be_route route = route_of(server, connection, path, method);
    if (is_let_in(route) && route != BE_ROUTE_METHOD && (!*seen || *upload_bytes)) {
        *seen = &mark; /* called again when the request has come whole; a body is not read */
        *upload_bytes = 0;
        return MHD_YES;
    }
    switch (route) {
    case BE_ROUTE_METHOD:
        return answer_method(connection);
    case BE_ROUTE_ENTRY:
        return answer_entry(server, connection, path);
    case BE_ROUTE_EVENTS:
        return strcmp(method, "HEAD") == 0
                   ? answer_constant(connection, MHD_HTTP_OK, events_type, "")
                   : answer_events(server, connection);
    case BE_ROUTE_METRICS:
        return answer_metrics(server, connection);
    default:
        return answer_text(connection, route);
    }
}

static void come_and_go(void *context, struct MHD_Connection *connection, void **of_connection,
                        enum MHD_ConnectionNotificationCode what) {
    struct be_server *server = context;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (what == MHD_CONNECTION_NOTIFY_STARTED && info) {
        *of_connection = be_guests_add(&server->guests, info->connect_fd);
    } else if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        be_guests_remove(&server->guests, *of_connection);
        *of_connection = NULL;
    }
}

/* ---- a server ------------------------------------------------------------------------------- */

static enum be_status random_text(char *to, size_t bytes, struct be_error *error) {
    unsigned char random[32];
    if (bytes > sizeof random || getrandom(random, bytes, 0) != (ssize_t)bytes) {
        return be_fail(error, BE_IO, "--serve: no random numbers for a token: %s", strerror(errno));
    }
    for (size_t i = 0; i < bytes; i++) {
        snprintf(to + 2 * i, 3, "%02x", random[i]);
    }
    return BE_OK;
}

static enum be_status make_names(struct be_server *server, struct be_error *error) {
    char capacity[33];
    enum be_status status = random_text(capacity, 8, error);
    if (server->options.token) {
        be_copy_text(server->token, sizeof server->token, server->options.token);
    } else if (status == BE_OK) {
        status = random_text(server->token, 16, error);
    }
    const struct be_listener *listener = &server->listener;
    snprintf(server->capacity, sizeof server->capacity, "/live-%s/", capacity);
    snprintf(server->cookie, sizeof server->cookie, "breakeven-%d", listener->port);
    snprintf(server->url, sizeof server->url,
             strchr(listener->host, ':') ? "http://[%s]:%d/?token=%s" : "http://%s:%d/?token=%s",
             listener->host, listener->port, server->token);
    if (gethostname(server->name, sizeof server->name - 1) != 0) {
        server->name[0] = '\0';
    }
    server->gate = (struct be_gate){.token = server->token,
                                    .capacity = server->capacity,
                                    .name = server->name,
                                    .address = listener->host,
                                    .loopback = listener->loopback,
                                    .hosts = server->options.hosts,
                                    .prefix = server->options.prefix};
    return status;
}

enum be_status be_server_open(const struct be_server_options *options, struct be_server **server,
                              struct be_error *error) {
    *server = NULL;
    struct be_server *one = calloc(1, sizeof *one);
    if (!one) {
        return be_fail(error, BE_NOMEM, "--serve: out of memory");
    }
    one->options = *options;
    one->sequence = 1;
    one->clock = be_clock_host();
    one->guests.max = GUESTS_MAX;
    enum be_status status = be_listener_open(options->address, &one->listener, error);
    status = status == BE_OK ? make_names(one, error) : status;
    if (status == BE_OK) {
        one->daemon = MHD_start_daemon(
            MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, one,
            MHD_OPTION_LISTEN_SOCKET, one->listener.file, MHD_OPTION_CONNECTION_LIMIT,
            (unsigned int)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
            (unsigned int)CONNECTION_TIMEOUT_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
            (size_t)MEMORY_MAX, MHD_OPTION_NOTIFY_CONNECTION, come_and_go, one, MHD_OPTION_END);
        if (!one->daemon) {
            status =
                be_fail(error, BE_IO, "--serve: libmicrohttpd does not start: %s", strerror(errno));
        }
    }
    if (status != BE_OK) {
        be_listener_close(&one->listener);
        free(one);
        return status;
    }
    *server = one;
    return BE_OK;
}

const char *be_server_url(const struct be_server *server) {
    return server->url;
}

int be_server_port(const struct be_server *server) {
    return server->listener.port;
}

bool be_server_is_loopback(const struct be_server *server) {
    return server->listener.loopback;
}

int be_server_file(const struct be_server *server) {
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

static double next_beat_s(const struct be_server *server) {
    return server->streams ? fmax(server->woken_s + beat_s - be_now(&server->clock), 0) : INFINITY;
}

int be_server_timeout_ms(const struct be_server *server) {
    MHD_UNSIGNED_LONG_LONG ms = 0;
    double min_ms = ceil(1e3 * next_beat_s(server));
    if (MHD_get_timeout(server->daemon, &ms) == MHD_YES) {
        min_ms = fmin(min_ms, (double)ms);
    }
    return isinf(min_ms) ? -1 : (int)fmin(min_ms, 60000);
}

static void wake(struct be_server *server) {
    server->woken_s = be_now(&server->clock);
    for (struct stream *one = server->streams; one; one = one->next) {
        if (one->suspended) {
            one->suspended = false;
            MHD_resume_connection(one->connection);
        }
    }
    MHD_run(server->daemon);
}

/* Nobody waits for a suspended connection's end: that its client has gone is noticed when something is sent.
 * So something is, also where ticks are rare or over. */
void be_server_run(struct be_server *server) {
    MHD_run(server->daemon);
    if (next_beat_s(server) <= 0) {
        server->beat++;
        wake(server);
    }
}

void be_server_tick(struct be_server *server) {
    server->tick.length = 0;
    server->sequence++;
    wake(server);
}

void be_server_close(struct be_server *server) {
    if (!server) {
        return;
    }
    server->closing = true;
    wake(server);
    MHD_stop_daemon(server->daemon); /* closes the socket, frees streams */
    be_text_free(&server->tick);
    free(server);
}
