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

/* The figure of so many threads that is like `f` otherwise; NULL: there is none. */
static const struct be_figure *with_threads(const struct be_profile *profile,
                                            const struct be_figure *f, int threads) {
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *other = &profile->figure[i];
        if (strcmp(other->device, "cpu") == 0 && strcmp(other->what, f->what) == 0 &&
            strcmp(other->dtype, f->dtype) == 0 && other->threads == threads &&
            (other->bytes == f->bytes || (isnan(other->bytes) && isnan(f->bytes)))) {
            return other;
        }
    }
    return NULL;
}

/* Fewer cores than all have as much of a bandwidth as one has by itself, so many times, and no more than all have. */
static double shrunk(const struct be_profile *profile, const struct be_figure *f, double times,
                     int cores) {
    const struct be_figure *one = with_threads(profile, f, 1);
    return f->unit == BE_UNIT_FLOP_S ? f->value * times
           : f->unit == BE_UNIT_BYTES_S
               ? fmin(f->value, one ? one->value * cores : f->value * times)
               : f->value;
}

/* Figures of so many threads, from those of `most`. */
static enum be_status add_guesses(struct be_profile *profile, int cores, int most,
                                  struct be_error *error) {
    const size_t figures = profile->figures;
    const double times = (double)cores / most;
    enum be_status status = BE_OK;
    for (size_t i = 0; !status && i < figures; i++) {
        struct be_figure f = profile->figure[i];
        if (strcmp(f.device, "cpu") == 0 && f.threads == most) {
            f.threads = cores;
            f.value = f.median = cores > most ? grown(profile, &profile->figure[i], times)
                                              : shrunk(profile, &profile->figure[i], times, cores);
            f.lo = f.hi = NAN;
            be_copy_text(f.note, sizeof f.note, "a guess: not measured with so many cores");
            status = be_profile_add_figure(profile, &f, error);
        }
    }
    return status;
}

static bool has_threads(const struct be_profile *profile, int threads) {
    for (size_t i = 0; i < profile->figures; i++) {
        if (strcmp(profile->figure[i].device, "cpu") == 0 &&
            profile->figure[i].threads == threads) {
            return true;
        }
    }
    return false;
}

static void drop_more_threads(struct be_profile *profile, int cores) {
    size_t kept = 0;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->device, "cpu") != 0 || f->threads <= cores) {
            profile->figure[kept++] = *f;
        }
    }
    profile->figures = kept;
}

enum be_status be_cores_set(struct be_profile *profile, int cores, struct be_error *error) {
    const int most = be_predict_threads(profile);
    if (!most) {
        return be_fail(error, BE_ABSENT,
                       "%.60s:%d: this profile has no figures of a CPU: name one that `breakeven "
                       "probe` made, as cpu-2:%d",
                       profile->name, cores, cores);
    }
    const bool measured = has_threads(profile, cores);
    const size_t known = strlen(profile->machine.cpu);
    snprintf(profile->machine.cpu + known, sizeof profile->machine.cpu - known,
             ", with %d core%s%s", cores, cores == 1 ? "" : "s", measured ? "" : " as a guess");
    const enum be_status status = measured ? BE_OK : add_guesses(profile, cores, most, error);
    if (!status) {
        drop_more_threads(profile, cores);
    }
    return status;
}
