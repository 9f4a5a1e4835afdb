#include "live/server_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "live/gate.h"

static int listen_at(const struct addrinfo *at) {
    int file = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int yes = 1;
    if (file < 0) {
        return -1;
    }
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(file, at->ai_addr, at->ai_addrlen) != 0 || listen(file, 16) != 0) {
        int cause = errno;
        close(file);
        errno = cause;
        return -1;
    }
    return file;
}

/* Looks at the address it is bound to, which may have another port than asked for. */
static void look_at(struct be_listener *listener) {
    union {
        struct sockaddr_storage capacity;
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } bound = {0};
    socklen_t length = sizeof bound;
    char port[16] = "";
    listener->host[0] = '\0';
    if (getsockname(listener->file, &bound.any, &length) == 0 &&
        getnameinfo(&bound.any, length, listener->host, sizeof listener->host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) == 0) {
        int number = -1;
        char none[4];
        listener->port = be_address_split(port, none, sizeof none, &number) ? number : 0;
    }
    if (bound.any.sa_family == AF_INET) {
        listener->loopback = ntohl(bound.four.sin_addr.s_addr) >> 24 == 127;
    } else {
        listener->loopback = IN6_IS_ADDR_LOOPBACK(&bound.six.sin6_addr) != 0;
    }
}

/* The advice where no address could be listened to. */
static const char *advice(int cause) {
    static const struct {
        int cause;
        const char *text;
    } known[] = {
        {EADDRINUSE, ": another port, or :0 for any that is free"},
        {EADDRNOTAVAIL, ": an address of this machine is needed, and a port up to 65535"},
        {EACCES, ": ports below 1024 are for administrators; 8080 is not"},
    };
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        if (known[i].cause == cause) {
            return known[i].text;
        }
    }
    return "";
}

enum be_status be_listener_open(const char *address, struct be_listener *listener,
                                struct be_error *error) {
    char host[256] = "", service[16];
    int port = -1;
    *listener = (struct be_listener){.file = -1};
    if (address && !be_address_split(address, host, sizeof host, &port)) {
        return be_fail(error, BE_USAGE,
                       "--serve %s: an address is needed, as in 127.0.0.1:8080, [::1]:8080 or 8080",
                       address);
    }
    snprintf(service, sizeof service, "%d", port >= 0 ? port : BE_USUAL_PORT);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *found = NULL;
    int wrong = getaddrinfo(host[0] ? host : "127.0.0.1", service, &hints, &found);
    if (wrong) {
        return be_fail(
            error, BE_USAGE,
            "--serve %s: %s: an address of this machine is needed, as in 127.0.0.1:8080 or 8080",
            address, gai_strerror(wrong));
    }
    listener->file = listen_at(found);
    if (listener->file < 0 && errno == EADDRINUSE &&
        port < 0) { /* somebody else has the usual one */
        freeaddrinfo(found);
        found = NULL;
        wrong = getaddrinfo(host[0] ? host : "127.0.0.1", "0", &hints, &found);
        listener->file = wrong ? -1 : listen_at(found);
    }
    int cause = errno;
    freeaddrinfo(found);
    if (listener->file < 0) {
        return be_fail(error, BE_IO, "--serve %s: %s%s", address ? address : "", strerror(cause),
                       advice(cause));
    }
    look_at(listener);
    return BE_OK;
}

void be_listener_close(struct be_listener *listener) {
    if (listener->file >= 0) {
        close(listener->file);
    }
    listener->file = -1;
}
