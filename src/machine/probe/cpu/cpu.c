/* Code that the steps of the probe on the CPU share. */
#include "machine/probe/cpu/cpu.h"

#include <math.h>

#include "base/error.h"

enum be_status be_probe_each_count(struct be_probe *probe, const struct be_target *target,
                                   enum be_status (*measure)(struct be_probe *,
                                                             const struct be_target *, int threads,
                                                             struct be_error *),
                                   struct be_error *error) {
    const int all = probe->cores.count;
    enum be_status status = BE_OK;
    for (int threads = 1; status == BE_OK && threads < all; threads *= 2) {
        if (threads == 1 || !probe->options->quick) {
            status = measure(probe, target, threads, error);
        }
    }
    return status == BE_OK ? measure(probe, target, all, error) : status;
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
