/* What the steps of the probe on the CPU share. */
#include "machine/probe_cpu.h"

#include <math.h>

#include "base/error.h"

int be_probe_counts(const struct be_probe *probe, int count[BE_COUNTS_MAX]) {
    const int all = probe->cores.count;
    int counts = 0;
    for (int threads = 1; threads < all && counts < BE_COUNTS_MAX - 1; threads *= 2) {
        if (threads == 1 || !probe->options->quick) {
            count[counts++] = threads;
        }
    }
    count[counts++] = all;
    return counts;
}

struct be_figure be_cpu_key(const struct be_target *target, const char *what, const char *dtype,
                            int threads, double bytes) {
    struct be_figure key = be_figure_key(target, what);
    be_copy_text(key.dtype, sizeof key.dtype, dtype);
    key.threads = threads;
    key.bytes = bytes;
    return key;
}

double be_probe_memory_share(double bytes) {
    return fmin(bytes, be_memory_available() / 4); /* fmin: not known is no bound */
}
