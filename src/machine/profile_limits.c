/* A profile -> ceilings for the limits of cases here, and whether it may serve for that. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "machine/profile.h"

/* ---- ceilings ------------------------------------------------------------------------------- */

static int by_bytes(const void *a, const void *b) {
    double first = *(const double *)a; /* bytes come first in a point */
    double second = *(const double *)b;
    return (first > second) - (first < second);
}

static void take_points(const struct be_profile *profile, const char *device, int threads,
                        struct be_ceilings *ceilings) {
    for (size_t i = 0; i < profile->figures && ceilings->points < BE_CEILING_POINTS; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->device, device) == 0 && strcmp(f->what, "working_set") == 0 &&
            f->threads == threads) {
            ceilings->memory[ceilings->points].bytes = f->bytes;
            ceilings->memory[ceilings->points].stores = be_stores_named(
                f->note,
                f->bytes > profile->machine.cache_bytes ? BE_STORES_NONTEMPORAL : BE_STORES_PLAIN);
            ceilings->memory[ceilings->points++].rate = f->value;
        }
    }
    qsort(ceilings->memory, (size_t)ceilings->points, sizeof ceilings->memory[0], by_bytes);
}

/* Both are measured over the same bytes, but for what whole grains leave over. */
static bool take_updates(const struct be_profile *profile, const char *device, int threads,
                         struct be_ceilings *ceilings) {
    int known = 0;
    for (int point = 0; point < ceilings->points; point++) {
        for (size_t i = 0; i < profile->figures; i++) {
            const struct be_figure *f = &profile->figure[i];
            if (strcmp(f->device, device) == 0 && strcmp(f->what, "update_set") == 0 &&
                f->threads == threads &&
                fabs(f->bytes / ceilings->memory[point].bytes - 1) < 0.05) {
                ceilings->memory[point].update = f->value;
                ceilings->memory[point].update_stores = be_stores_named(f->note, BE_STORES_PLAIN);
                known++;
                break;
            }
        }
    }
    return known == ceilings->points;
}

/* The rate at the largest size: what the others approach. NAN: none. */
static double largest_rate(const struct be_profile *profile, const char *device, const char *what) {
    const struct be_figure *largest = NULL;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->device, device) == 0 && strcmp(f->what, what) == 0 && !f->peer[0] &&
            (!largest || f->bytes > largest->bytes)) {
            largest = f;
        }
    }
    return largest ? largest->value : NAN;
}

static double value_of(const struct be_profile *profile, const char *device, const char *what,
                       const char *dtype, int threads) {
    const struct be_figure *f = be_profile_figure(profile, device, what, dtype, threads, NAN, NULL);
    return f ? f->value : NAN;
}

/* A matrix product in float32 is not done by matrix units, or not in float32: what it did can be
 * done without them. On the CPU nothing has any. */
static void take_operations(const struct be_profile *profile, const char *device, int threads,
                            struct be_ceilings *ceilings) {
    double plain64 = value_of(profile, device, "fma", "float64", threads);
    double matrix64 = value_of(profile, device, "matmul", "float64", threads);
    double *operations = ceilings->operations;
    operations[BE_PLAIN32] = fmax(value_of(profile, device, "fma", "float32", threads),
                                  value_of(profile, device, "matmul", "float32", threads));
    operations[BE_PLAIN64] = threads ? fmax(plain64, matrix64) : plain64;
    operations[BE_MATRIX32] = operations[BE_PLAIN32];
    operations[BE_MATRIX64] = isnan(matrix64) && !threads ? NAN : fmax(plain64, matrix64);
}

static const struct be_device_info *info_of(const struct be_profile *profile, const char *device) {
    for (int i = 0; i < profile->machine.devices; i++) {
        if (strcmp(profile->machine.device[i].id, device) == 0) {
            return &profile->machine.device[i];
        }
    }
    return NULL;
}

enum be_status be_profile_ceilings(const struct be_profile *profile, const char *device,
                                   int threads, struct be_ceilings *ceilings,
                                   struct be_error *error) {
    const struct be_device_info *info = info_of(profile, device);
    *ceilings = (struct be_ceilings){.cache_bytes = NAN};
    take_points(profile, device, threads, ceilings);
    const bool updates = take_updates(profile, device, threads, ceilings) || !threads;
    take_operations(profile, device, threads, ceilings);
    ceilings->bus_in = largest_rate(profile, device, "bus_in_pinned");
    ceilings->bus_out = largest_rate(profile, device, "bus_out_pinned");
    ceilings->launch_s = value_of(profile, device, "launch_wait", NULL, 0);
    if (threads) {
        ceilings->cache_bytes = profile->machine.cache_bytes;
    } else if (info) {
        ceilings->cache_bytes = info->cache_bytes;
    }
    /* The rate of a copy within device memory can be reached by any mix of reads and writes. */
    double copy = threads ? NAN : largest_rate(profile, device, "copy");
    if (ceilings->points > 0) {
        double *memory = &ceilings->memory[ceilings->points - 1].rate;
        *memory = fmax(*memory, copy);
    }
    double write = threads ? NAN : largest_rate(profile, device, "write");
    ceilings->write = isnan(write) ? 0 : write;
    bool bus = threads || (info && info->kind == BE_KIND_CPU) ||
               (!isnan(ceilings->bus_in) && !isnan(ceilings->bus_out));
    const char *missing = ceilings->points == 0 ? "bandwidth of working sets"
                          : !updates            ? "bandwidth of updates in place"
                          : isnan(ceilings->operations[BE_PLAIN32]) ? "float32 multiply-adds"
                          : !bus                                    ? "bus with pinned memory"
                          : !threads && isnan(ceilings->launch_s)   ? "launch and wait"
                                                                    : NULL;
    return missing ? be_fail(error, BE_ABSENT,
                             "profile %s has no %s: `breakeven probe` makes one that has",
                             profile->name, missing)
                   : BE_OK;
}

/* ---- which device is which ------------------------------------------------------------------ */

const char *be_profile_device(const struct be_profile *profile, const struct be_device_info *info) {
    const char *found = NULL;
    int alike = 0;
    for (int i = 0; i < profile->machine.devices; i++) {
        const struct be_device_info *there = &profile->machine.device[i];
        if (strcmp(there->backend, info->backend) != 0 || strcmp(there->name, info->name) != 0) {
            continue;
        }
        if (info->address[0] && strcmp(there->address, info->address) == 0) {
            return there->id;
        }
        found = there->id;
        alike++;
    }
    return alike == 1 ? found : NULL;
}

/* ---- freshness ------------------------------------------------------------------------------ */

/* Days since 1970 of "2026-11-21T03:15:00Z"; NAN: not a date. */
static double days_of(const char *date) {
    struct tm utc = {0};
    int read = 0;
    if (sscanf(date, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &utc.tm_year, &utc.tm_mon, &utc.tm_mday,
               &utc.tm_hour, &utc.tm_min, &utc.tm_sec, &read) != 6 ||
        date[read] != '\0' || utc.tm_mon < 1 || utc.tm_mon > 12 || utc.tm_mday < 1 ||
        utc.tm_mday > 31) {
        return NAN;
    }
    utc.tm_year -= 1900;
    utc.tm_mon -= 1;
    return (double)timegm(&utc) / 86400;
}

double be_days_between(const char *from, const char *to) {
    return days_of(to) - days_of(from);
}

/* The first device of this machine that the profile does not know as it is now. */
static const struct be_device_info *changed(const struct be_profile *profile,
                                            const struct be_machine *machine) {
    for (int i = 0; i < machine->devices; i++) {
        const struct be_device_info *here = &machine->device[i];
        const char *id = be_profile_device(profile, here);
        const struct be_device_info *there = id ? info_of(profile, id) : NULL;
        if (!there || strcmp(there->driver, here->driver) != 0 ||
            strcmp(there->address, here->address) != 0) {
            return here;
        }
    }
    return NULL;
}

bool be_profile_is_fresh(const struct be_profile *profile, const struct be_machine *machine,
                         const char *now, char why[BE_NOTE]) {
    double days = be_days_between(profile->environment.date, now);
    const struct be_device_info *other = changed(profile, machine);
    why[0] = '\0';
    if (profile->source != BE_SOURCE_MEASURED) {
        be_copy_text(why, BE_NOTE, "it is a data sheet, not measured");
    } else if (profile->partial) {
        be_copy_text(why, BE_NOTE, "it is not whole: its probe was stopped");
    } else if (strcmp(profile->machine.host, machine->host) != 0) {
        snprintf(why, BE_NOTE, "it is of the host %s", profile->machine.host);
    } else if (strcmp(profile->machine.cpu, machine->cpu) != 0) {
        snprintf(why, BE_NOTE, "it is of another CPU, %.80s", profile->machine.cpu);
    } else if (other) {
        snprintf(why, BE_NOTE, "%s (%.80s) is another one, or its driver is", other->id,
                 other->name);
    } else if (!(days >= -1 && days <= BE_PROFILE_DAYS)) {
        snprintf(why, BE_NOTE, "it is of %.10s, more than %d days ago or in the future",
                 profile->environment.date, BE_PROFILE_DAYS);
    }
    return why[0] == '\0';
}
