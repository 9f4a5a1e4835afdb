/*
 * The socket that the page is asked for at. Knows nothing of what is said over it.
 */
#ifndef BE_LIVE_SERVER_SOCKET_H
#define BE_LIVE_SERVER_SOCKET_H

#include "breakeven.h"

enum { BE_USUAL_PORT = 4780 };

struct be_listener {
    int file;
    int port;
    char host[64]; /* its address as a number */
    bool loopback;
};

/* `address` as in be_server_options. */
enum be_status be_listener_open(const char *address, struct be_listener *listener,
                                struct be_error *error);
void be_listener_close(struct be_listener *listener);

#endif
