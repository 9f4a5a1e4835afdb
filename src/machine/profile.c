#include "machine/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/figure_kinds.h"

/* ---- growing -------------------------------------------------------------------------------- */

/* The list with room for one more, its last place zeroed; NULL: no memory, the list is as it was. */
static void *grow(void *list, size_t count, size_t record) {
    char *more = realloc(list, (count + 1) * record);
    if (more) {
        memset(more + count * record, 0, record);
    }
    return more;
}

#define ADD(list, counter, from)                                                                   \
    void *more = grow(profile->list, profile->counter, sizeof *profile->list);                     \
    if (!more) {                                                                                   \
        return be_fail(error, BE_NOMEM, "profile: no host memory for %zu " #counter,               \
                       profile->counter + 1);                                                      \
    }                                                                                              \
    profile->list = more;                                                                          \
    memcpy(&profile->list[profile->counter++], from, sizeof *profile->list);                       \
    return BE_OK

enum be_status be_profile_add_figure(struct be_profile *profile, const struct be_figure *figure,
                                     struct be_error *error) {
    ADD(figure, figures, figure);
}

enum be_status be_profile_add_fit(struct be_profile *profile, const struct be_fit *fit,
                                  struct be_error *error) {
    ADD(fit, fits, fit);
}

enum be_status be_profile_add_fact(struct be_profile *profile, const struct be_fact *fact,
                                   struct be_error *error) {
    ADD(fact, facts, fact);
}

enum be_status be_profile_add_finding(struct be_profile *profile, const struct be_finding *finding,
                                      struct be_error *error) {
    ADD(finding, findings, finding);
}

enum be_status be_profile_add_remark(struct be_profile *profile, const char *remark,
                                     struct be_error *error) {
    char text[BE_NOTE];
    be_copy_text(text, sizeof text, remark);
    ADD(remark, remarks, text);
}

void be_profile_free(struct be_profile *profile) {
    free(profile->figure);
    free(profile->fit);
    free(profile->fact);
    free(profile->finding);
    free(profile->remark);
    memset(profile, 0, sizeof *profile);
}

/* ---- order ---------------------------------------------------------------------------------- */

static int place_of(const struct be_machine *machine, const char *device) {
    int place = 0;
    while (place < machine->devices && strcmp(machine->device[place].id, device) != 0) {
        place++;
    }
    return place;
}

static int by_bytes(double a, double b) {
    return isnan(a) || isnan(b) ? (isnan(b) != 0) - (isnan(a) != 0) : (a > b) - (a < b);
}

static int compare_figures(const struct be_machine *machine, const struct be_figure *a,
                           const struct be_figure *b) {
    const int order[] = {
        place_of(machine, a->device) - place_of(machine, b->device),
        strcmp(a->device, b->device),
        be_figure_place(a->what) - be_figure_place(b->what),
        strcmp(a->what, b->what),
        strcmp(a->dtype, b->dtype),
        a->threads - b->threads,
        by_bytes(a->bytes, b->bytes),
        strcmp(a->peer, b->peer),
    };
    size_t i = 0;
    while (i + 1 < BE_COUNT(order) && order[i] == 0) {
        i++;
    }
    return order[i];
}

/* qsort would not know the machine; an insertion sort of a few hundred is not felt. */
void be_profile_sort(struct be_profile *profile) {
    for (size_t i = 1; i < profile->figures; i++) {
        const struct be_figure moving = profile->figure[i];
        size_t at = i;
        while (at > 0 &&
               compare_figures(&profile->machine, &profile->figure[at - 1], &moving) > 0) {
            profile->figure[at] = profile->figure[at - 1];
            at--;
        }
        profile->figure[at] = moving;
    }
}

/* ---- looking up ----------------------------------------------------------------------------- */

static bool same_bytes(double a, double b) {
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 0.01 * fabs(b);
}

const struct be_figure *be_profile_figure(const struct be_profile *profile, const char *device,
                                          const char *what, const char *dtype, int threads,
                                          double bytes, const char *peer) {
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->device, device) == 0 && strcmp(f->what, what) == 0 &&
            strcmp(f->dtype, dtype ? dtype : "") == 0 && f->threads == threads &&
            same_bytes(f->bytes, bytes) && strcmp(f->peer, peer ? peer : "") == 0) {
            return f;
        }
    }
    return NULL;
}

const struct be_device_info *be_profile_gpu(const struct be_profile *profile) {
    for (int i = 0; i < profile->machine.devices; i++) {
        if (profile->machine.device[i].kind == BE_KIND_GPU) {
            return &profile->machine.device[i];
        }
    }
    return NULL;
}

double be_profile_highest(const struct be_profile *profile, const char *device, const char *what,
                          const char *dtype, bool reached) {
    double best = NAN;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->device, device) == 0 && strcmp(f->what, what) == 0 && !f->peer[0] &&
            (!dtype || strcmp(f->dtype, dtype) == 0)) {
            best = fmax(best, f->value * (reached && !isnan(f->achievable) ? f->achievable : 1));
        }
    }
    return best;
}

/* An H200 delivers 9.3 TB/s to its 132 multiprocessors at 1.98 GHz (docs/measurements/h200.md): 36 bytes a clock. */
double be_profile_cache_rate(const struct be_device_info *gpu) {
    const double bytes_a_clock = 36;
    return gpu->units > 0 && gpu->clock_hz > 0 ? bytes_a_clock * gpu->units * gpu->clock_hz : NAN;
}

bool be_profile_shown_before(const struct be_profile *profile,
                             const struct be_device_info *device) {
    for (size_t i = 0; *device->same_as && i < profile->figures; i++) {
        if (strcmp(profile->figure[i].device, device->same_as) == 0) {
            return true;
        }
    }
    return false;
}

const struct be_fact *be_profile_fact(const struct be_profile *profile, const char *device,
                                      const char *name) {
    for (size_t i = 0; i < profile->facts; i++) {
        const struct be_fact *f = &profile->fact[i];
        if (strcmp(f->device, device) == 0 && strcmp(f->name, name) == 0) {
            return f;
        }
    }
    return NULL;
}

const struct be_fit *be_profile_fit(const struct be_profile *profile, const char *device,
                                    const char *what, const char *peer) {
    for (size_t i = 0; i < profile->fits; i++) {
        const struct be_fit *f = &profile->fit[i];
        if (strcmp(f->device, device) == 0 && strcmp(f->what, what) == 0 &&
            strcmp(f->peer, peer ? peer : "") == 0) {
            return f;
        }
    }
    return NULL;
}
