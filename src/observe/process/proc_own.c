#include "observe/process/proc_own.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "observe/process/proc_text.h"

/* The uptime of the machine itself by its clock: a made-up uptime is the container's, while processes tell when they
 * began since the machine did. */
double be_proc_uptime_s(const char *files) {
    char text[128];
    struct timespec now;
    if (be_small_file(text, sizeof text, "%s/proc/uptime", files) <= 0) {
        return NAN;
    }
    return *files == '\0' && clock_gettime(CLOCK_BOOTTIME, &now) == 0
               ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec
               : strtod(text, NULL);
}

int be_proc_newest(const char *files) {
    char text[128]; /* "0.52 0.58 0.59 3/512 4711" */
    bool there = be_small_file(text, sizeof text, "%s/proc/loadavg", files) > 0;
    const char *last = there ? strrchr(text, ' ') : NULL;
    return last ? atoi(last) : -1;
}

/* The kernel tells the newest number in our own name space; a /proc may be of another. And a file that is made
 * up may be seconds old: our own number, given just now, is no newer. */
bool be_proc_is_own(const char *files) {
    char path[4200], self[32];
    snprintf(path, sizeof path, "%s/proc/self", files);
    ssize_t length = readlink(path, self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    return atoi(self) == getpid() && be_proc_newest(files) >= getpid();
}

struct be_proc_numbers be_proc_numbers(void) {
    char text[1024];
    struct be_proc_stat stat;
    bool listed =
        be_small_file(text, sizeof text, "/proc/self/stat") > 0 && be_proc_stat_read(text, &stat);
    return listed ? (struct be_proc_numbers){stat.pid, stat.parent}
                  : (struct be_proc_numbers){-1, -1};
}

/* "NSpid: 4711 12": in each name space from that of this /proc inwards. */
static int innermost(int number) {
    char text[4096];
    const char *line = be_small_file(text, sizeof text, "/proc/%d/status", number) > 0
                           ? strstr(text, "\nNSpid:")
                           : NULL;
    int last = -1, length = 0;
    for (const char *at = line ? line + 7 : NULL; at && sscanf(at, "%d%n", &number, &length) == 1;
         at += length) {
        last = number;
        if (at[length] == '\n') {
            break;
        }
    }
    return last;
}

int be_proc_number_of(int pid, const struct be_proc_numbers *numbers) {
    char text[4096];
    int child, length = 0;
    if (numbers->self == getpid() && numbers->parent == getppid()) {
        return pid;
    }
    be_small_file(text, sizeof text, "/proc/%d/task/%d/children", numbers->parent, numbers->parent);
    for (int at = 0; sscanf(text + at, "%d%n", &child, &length) == 1; at += length) {
        if (innermost(child) == pid) {
            return child;
        }
    }
    return -1;
}
