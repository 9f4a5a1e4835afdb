/* Without libmicrohttpd. */
#include "base/error.h"
#include "live/server.h"

enum be_status be_server_open(const struct be_server_options *options, struct be_server **server,
                              struct be_error *error) {
    (void)options;
    *server = NULL;
    return be_fail(error, BE_ABSENT,
                   "--serve: this build has no libmicrohttpd, so there is no page; "
                   "without --serve it is watched in the terminal");
}

const char *be_server_url(const struct be_server *server) {
    (void)server;
    return "";
}

int be_server_port(const struct be_server *server) {
    (void)server;
    return 0;
}

bool be_server_is_loopback(const struct be_server *server) {
    (void)server;
    return true;
}

int be_server_file(const struct be_server *server) {
    (void)server;
    return -1;
}

int be_server_timeout_ms(const struct be_server *server) {
    (void)server;
    return -1;
}

void be_server_run(struct be_server *server) {
    (void)server;
}

void be_server_tick(struct be_server *server) {
    (void)server;
}

void be_server_close(struct be_server *server) {
    (void)server;
}
