#include "base/open_files.h"

#include <stdio.h>
#include <sys/resource.h>

/* A GPU's driver keeps some ten for each GPU, and shells have 1024. */
static const rlim_t enough = 256;

void be_files_allow(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < enough) {
        limit.rlim_cur = limit.rlim_max < enough ? limit.rlim_max : enough;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

const char *be_files_few(char *to, size_t capacity) {
    struct rlimit limit;
    to[0] = '\0';
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < enough) {
        snprintf(to, capacity,
                 "; at most %llu files may be open here: `ulimit -n 1024` before it allows more",
                 (unsigned long long)limit.rlim_cur);
    }
    return to;
}
