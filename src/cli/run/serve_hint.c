#include "cli/run/serve_hint.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/process/proc_text.h"
#include "observe/process/limits.h"

/* A batch system names the machine from which a job was submitted. */
static const struct {
    const char *job, *from;
} submitters[] = {
    {"SLURM_JOB_ID", "SLURM_SUBMIT_HOST"},
    {"LSB_JOBID", "LSB_SUB_HOST"},
    {"PBS_JOBID", "PBS_O_HOST"},
};

/* "login1" and "login1.example.org" are one machine. */
static bool is_same_host(const char *a, const char *b) {
    size_t length = strcspn(a, ".");
    return length == strcspn(b, ".") && strncasecmp(a, b, length) == 0;
}

/* Names go into a line that is copied to a shell. */
static bool is_plain(const char *name) {
    return *name && name[0] != '-' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:") ==
               strlen(name);
}

static bool is_address_of(const struct sockaddr *one, const char *text) {
    char own[INET6_ADDRSTRLEN] = "";
    if (one && one->sa_family == AF_INET) {
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)one)->sin_addr, own,
                  sizeof own);
    } else if (one && one->sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)one)->sin6_addr, own,
                  sizeof own);
    }
    return strcmp(own, text) == 0;
}

static bool is_own_address(const char *text) {
    struct ifaddrs *list = NULL;
    bool own = false;
    if (getifaddrs(&list) != 0) {
        return true;
    }
    for (const struct ifaddrs *one = list; one && !own; one = one->ifa_next) {
        own = is_address_of(one->ifa_addr, text);
    }
    freeifaddrs(list);
    return own;
}

/* SSH_CONNECTION: client and its port, server and its port. A shell that srun or rsh began has that of the machine
 * before. */
static void jump_of_login(const char *const *environment, char to[BE_NOTE]) {
    char server[INET6_ADDRSTRLEN + 1];
    unsigned char binary[sizeof(struct in6_addr)];
    const char *connection = be_variable(environment, "SSH_CONNECTION");
    if (connection && sscanf(connection, "%*s %*s %46s", server) == 1 &&
        (inet_pton(AF_INET, server, binary) == 1 || inet_pton(AF_INET6, server, binary) == 1) &&
        !is_own_address(server)) {
        be_copy_text(to, BE_NOTE, server);
    }
}

void be_serve_jump(const char *const *environment, const char *host, char to[BE_NOTE]) {
    to[0] = '\0';
    for (size_t i = 0; i < BE_COUNT(submitters); i++) {
        const char *from = be_variable(environment, submitters[i].job)
                               ? be_variable(environment, submitters[i].from)
                               : NULL;
        if (from && is_plain(from) && !is_same_host(from, host)) {
            be_copy_text(to, BE_NOTE, from);
            return;
        }
    }
    jump_of_login(environment, to);
}

static void say_tunnel(const struct be_serve_hint *hint, FILE *to) {
    char host[256] = "HOST", jump[BE_NOTE];
    const char *at = hint->url + strlen("http://");
    gethostname(host, sizeof host - 1);
    be_serve_jump(hint->environment, host, jump);
    fprintf(to,
            "breakeven: open it in a browser on this machine, or on another one after\n"
            "  ssh %s%s%s-L %d:%.*s %s\n",
            *jump ? "-J " : "", jump, *jump ? " " : "", hint->port, (int)strcspn(at, "/"), at,
            host);
    if (*jump) {
        fprintf(to,
                "  there (-J: by way of the machine that you log in to, if that has another\n"
                "  name for you than %s). Ctrl-C ends it.\n",
                jump);
    } else {
        fprintf(to, "  there. Ctrl-C ends it.\n");
    }
}

void be_serve_hint_say(const struct be_serve_hint *hint, FILE *to) {
    const char *query = strchr(hint->url + strlen("http://"), '/');
    if (hint->loopback) {
        say_tunnel(hint, to);
    } else {
        fprintf(to,
                "breakeven: warning: everyone who can reach this machine can ask this page, and\n"
                "  see its token on the way: nothing is encrypted. Without an address it is for\n"
                "  this machine only.\n");
    }
    for (int i = 0; hint->hosts && hint->hosts[i]; i++) {
        fprintf(to, "  Through the proxy: https://%s%s%s\n", hint->hosts[i],
                hint->prefix ? hint->prefix : "", query);
    }
    if (hint->prefix && !(hint->hosts && hint->hosts[0])) {
        fprintf(to, "  Through the proxy: its own address with %s%s behind\n", hint->prefix, query);
    }
}
