#include "observe/sources/exporter_page.h"

#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

static const double longest_s = 1;
enum { PAGE_MOST = 8 << 20 };

/* ---- over the wire ---------------------------------------------------------------------------- */

static int reach(int port) {
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct timeval patience = {0, 500000};
    const int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file >= 0 && (setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
                      setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) != 0 ||
                      connect(file, (const struct sockaddr *)&to, sizeof to) != 0)) {
        close(file);
        return -1;
    }
    return file;
}

/* True: the page ended, in time. */
static bool take_all(int file, struct be_text *page) {
    const struct be_clock clock = be_clock_host();
    const double begun_s = be_now(&clock);
    char part[16384];
    ssize_t count = 1;
    while (count > 0 && page->length < PAGE_MOST && be_now(&clock) - begun_s < longest_s) {
        count = recv(file, part, sizeof part, 0);
        be_text_add_bytes(page, part, count > 0 ? (size_t)count : 0);
    }
    return count == 0 && !page->failed;
}

enum be_status be_exporter_fetch(int port, struct be_text *page, struct be_error *error) {
    static const char request[] = "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n";
    const int file = reach(port);
    if (file < 0) {
        return be_fail(error, BE_ABSENT, "no dcgm-exporter listens on port %d of this node", port);
    }
    const bool sent = send(file, request, sizeof request - 1, MSG_NOSIGNAL) == sizeof request - 1;
    const bool whole = sent && take_all(file, page);
    close(file);
    if (!whole || !page->data || strncmp(page->data, "HTTP/1.", 7) != 0 ||
        strncmp(page->data + 8, " 200", 4) != 0) {
        return be_fail(error, BE_ABSENT, "port %d of this node gives no page of metrics", port);
    }
    return BE_OK;
}

/* ---- what it says ----------------------------------------------------------------------------- */

/* A line is of this GPU, and of none of its parts (MIG). */
static bool is_of(const char *line, size_t length, const char *uuid) {
    char wanted[160];
    snprintf(wanted, sizeof wanted, "UUID=\"%s\"", uuid);
    return length > 0 && line[0] != '#' && memmem(line, length, wanted, strlen(wanted)) &&
           !memmem(line, length, "GPU_I_ID=\"", 10);
}

static const char *next_line(const char *line, size_t *length) {
    *length = strcspn(line, "\n");
    return line[*length] ? line + *length + 1 : NULL;
}

double be_exporter_value(const char *page, const char *metric, const char *uuid) {
    const size_t named = strlen(metric);
    size_t length;
    for (const char *line = page, *next; line && *line; line = next) {
        next = next_line(line, &length);
        if (strncmp(line, metric, named) == 0 && line[named] == '{' && is_of(line, length, uuid)) {
            const char *end = memrchr(line, '}', length);
            char *behind = NULL;
            const double value = end ? strtod(end + 1, &behind) : NAN;
            return end && behind > end + 1 && behind <= line + length ? value : NAN;
        }
    }
    return NAN;
}

uint64_t be_exporter_reading(const char *page, const char *uuid) {
    static const uint64_t start = 14695981039346656037u, factor = 1099511628211u; /* FNV-1a */
    uint64_t sum = 0;
    size_t length;
    for (const char *line = page, *next; line && *line; line = next) {
        next = next_line(line, &length);
        if (is_of(line, length, uuid)) {
            sum = sum ? sum : start;
            for (size_t i = 0; i < length; i++) {
                sum = (sum ^ (unsigned char)line[i]) * factor;
            }
        }
    }
    return sum;
}
