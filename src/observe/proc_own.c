#include "observe/proc_own.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "observe/proc_text.h"

/* Of the machine itself by its clock: a made-up uptime is the container's, while processes tell when they
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
