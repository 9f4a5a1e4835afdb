#include "question/cores.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/profile.h"
#include "predict/predict.h"

enum { CORES_MAX = 1024 };

int be_cores_named(const char *text, char *name, size_t capacity) {
    const char *colon = strrchr(text, ':');
    char *end = NULL;
    const long cores = colon && colon[1] ? strtol(colon + 1, &end, 10) : 0;
    const bool whole = end && !*end && cores > 0 && cores <= CORES_MAX;
    snprintf(name, capacity, "%.*s", whole ? (int)(colon - text) : (int)strlen(text), text);
    return whole ? (int)cores : 0;
}

/* The bandwidth of the largest set that was measured in the same way: that of memory. */
static double of_memory(const struct be_profile *profile, const struct be_figure *like) {
    double bytes = 0, value = like->value;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->device, "cpu") == 0 && strcmp(f->what, like->what) == 0 &&
            strcmp(f->dtype, like->dtype) == 0 && f->threads == like->threads && f->bytes > bytes) {
            bytes = f->bytes;
            value = f->value;
        }
    }
    return value;
}

static double grown(const struct be_profile *profile, const struct be_figure *f, double times) {
    const double memory = f->unit == BE_UNIT_BYTES_S ? of_memory(profile, f) : 0;
    return f->unit == BE_UNIT_FLOP_S    ? f->value * times
           : f->unit == BE_UNIT_BYTES_S ? fmax(memory + (f->value - memory) * times, f->value)
                                        : f->value;
}

enum be_status be_cores_add(struct be_profile *profile, int cores, struct be_error *error) {
    const int most = be_predict_threads(profile);
    const size_t figures = profile->figures;
    enum be_status status = BE_OK;
    if (!most) {
        return be_fail(error, BE_ABSENT,
                       "%.60s:%d: this profile has no figures of a CPU: name one that `breakeven "
                       "probe` made, as cpu-2:%d",
                       profile->name, cores, cores);
    }
    if (cores < most) {
        return be_fail(error, BE_USAGE,
                       "%.60s:%d: its CPU has figures of %d threads: ask for more cores than that, "
                       "or leave ':%d' out",
                       profile->name, cores, most, cores);
    }
    const size_t known = strlen(profile->machine.cpu);
    snprintf(profile->machine.cpu + known, sizeof profile->machine.cpu - known,
             ", with %d cores as a guess", cores);
    for (size_t i = 0; !status && cores > most && i < figures; i++) {
        struct be_figure f = profile->figure[i];
        if (strcmp(f.device, "cpu") == 0 && f.threads == most) {
            f.threads = cores;
            f.value = f.median = grown(profile, &profile->figure[i], (double)cores / most);
            f.lo = f.hi = NAN;
            be_copy_text(f.note, sizeof f.note, "a guess: not measured with so many cores");
            status = be_profile_add_figure(profile, &f, error);
        }
    }
    return status;
}
