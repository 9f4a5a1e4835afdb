/* Finding the figures of a profile that a summary shows, and how they are written. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/figure_kinds.h"
#include "report/profile/profile.h"

enum { MAX_THREADS = -1 };

static bool is_larger(const struct be_figure *a, const struct be_figure *b) {
    double bytes_a = isnan(a->bytes) ? -1 : a->bytes;
    double bytes_b = isnan(b->bytes) ? -1 : b->bytes;
    return a->threads != b->threads ? a->threads > b->threads : bytes_a > bytes_b;
}

static const struct be_figure *pick(const struct be_profile *profile, const char *device,
                                    const struct be_figure *key, int threads) {
    const struct be_figure *best = NULL;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        bool same = strcmp(f->device, device) == 0 && strcmp(f->what, key->what) == 0 &&
                    strcmp(f->dtype, key->dtype) == 0 && strcmp(f->peer, key->peer) == 0;
        if (same && (threads == MAX_THREADS || f->threads == threads) &&
            (!best || is_larger(f, best))) {
            best = f;
        }
    }
    return best;
}

static struct be_figure key_of(const char *what, const char *dtype, const char *peer) {
    struct be_figure key = {.bytes = NAN};
    be_copy_text(key.what, sizeof key.what, what);
    be_copy_text(key.dtype, sizeof key.dtype, dtype ? dtype : "");
    be_copy_text(key.peer, sizeof key.peer, peer ? peer : "");
    return key;
}

const struct be_figure *be_profile_largest(const struct be_profile *profile, const char *device,
                                           const char *what, const char *dtype, const char *peer) {
    struct be_figure key = key_of(what, dtype, peer);
    return pick(profile, device, &key, MAX_THREADS);
}

const struct be_figure *be_profile_with_threads(const struct be_profile *profile,
                                                const char *device, const char *what,
                                                const char *dtype, int threads) {
    struct be_figure key = key_of(what, dtype, NULL);
    return pick(profile, device, &key, threads);
}

static const char *per_second(char *to, size_t capacity, double value, const char *none) {
    static const char *const units[] = {"/s", "k/s", "M/s", "G/s"};
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < BE_COUNT(units)) {
        value /= 1000;
        unit++;
    }
    if (!(value < 1e6)) {
        return none;
    }
    snprintf(to, capacity, "%.3g %s", value, units[unit]);
    return to;
}

const char *be_format_figure(char *to, size_t capacity, double value, enum be_unit unit) {
    static const char *(*const formats[])(char *, size_t, double, const char *) = {
        [BE_UNIT_BYTES_S] = be_format_rate,    [BE_UNIT_FLOP_S] = be_format_flops,
        [BE_UNIT_SECONDS] = be_format_seconds, [BE_UNIT_PER_S] = per_second,
        [BE_UNIT_HZ] = be_format_hertz,
    };
    if (!isfinite(value) || (size_t)unit >= BE_COUNT(formats)) {
        snprintf(to, capacity, "not measured");
        return to;
    }
    return formats[unit](to, capacity, value, "not measured");
}

/* Does the interval stay near the value, so that it says nothing more? */
static bool is_close(const struct be_figure *figure) {
    const double near = 0.02 * fabs(figure->value);
    return fabs(figure->lo - figure->value) <= near && fabs(figure->hi - figure->value) <= near;
}

/* " (4.23-4.46)", in the unit of the value before it where both ends have that unit. A rate's value is the best sample,
 * which may lie above the interval of the median: there it says "median". With few samples it is their range. */
static void add_spread(char *to, size_t capacity, const char *value,
                       const struct be_figure *figure) {
    enum { INTERVAL_FROM = 6 }; /* samples */
    const char *of = figure->n < INTERVAL_FROM       ? "range "
                     : be_unit_is_rate(figure->unit) ? "median "
                                                     : "";
    char lo[BE_WORD], hi[BE_WORD];
    be_format_figure(lo, sizeof lo, figure->lo, figure->unit);
    be_format_figure(hi, sizeof hi, figure->hi, figure->unit);
    if (is_close(figure)) {
        return;
    }
    const char *unit = strchr(value, ' ');
    char *lo_unit = strchr(lo, ' '), *hi_unit = strchr(hi, ' ');
    if (unit && lo_unit && hi_unit && strcmp(unit, lo_unit) == 0 && strcmp(unit, hi_unit) == 0) {
        *lo_unit = *hi_unit = '\0';
    }
    const bool one = strcmp(lo, hi) == 0;
    snprintf(to, capacity, " (%s%s%s%s)", of, lo, one ? "" : "-", one ? "" : hi);
    /* Units that take too much room are those of the value: 1.01 TFLOP/s (0.985-1.01). */
    const double shown = strtod(value, NULL);
    if (strlen(value) + strlen(to) > BE_CELL_WIDTH && shown > 0) {
        const double scale = pow(1000, round(log10(figure->value / shown) / 3));
        snprintf(to, capacity, " (%s%.3g-%.3g)", strcmp(of, "median ") == 0 ? "med. " : of,
                 figure->lo / scale, figure->hi / scale);
    }
}

/* ", data sheet", with the share of it that programs reach where that is known. */
static void add_sheet(char *to, size_t capacity, const struct be_figure *figure) {
    if (isfinite(figure->achievable)) {
        snprintf(to, capacity, " data sheet x%.2f", fmin(figure->achievable, 99));
    } else {
        snprintf(to, capacity, ", data sheet");
    }
}

const char *be_format_cell(char to[BE_CELL], const struct be_figure *figure) {
    if (!figure) {
        snprintf(to, BE_CELL, "not measured");
        return to;
    }
    char value[BE_WORD], more[BE_CELL] = "";
    be_format_figure(value, sizeof value, figure->value, figure->unit);
    if (figure->source == BE_SOURCE_DATA_SHEET) {
        add_sheet(more, sizeof more, figure);
    } else if (figure->n == 1 && strncmp(figure->what, "first_", 6) != 0) {
        snprintf(more, sizeof more, " (once)");
    } else if (figure->n > 1 && isfinite(figure->lo) && isfinite(figure->hi)) {
        add_spread(more, sizeof more, value, figure);
    }
    if (strlen(value) + strlen(more) > BE_CELL_WIDTH) {
        snprintf(more, sizeof more, "%s",
                 figure->source == BE_SOURCE_DATA_SHEET ? ", data sheet" : "");
    }
    snprintf(to, BE_CELL, "%s%.*s", value, (int)(BE_CELL - sizeof value), more);
    return to;
}

int be_profile_max_threads(const struct be_profile *profile, const char *device) {
    int max = 0;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        max = strcmp(f->device, device) == 0 && f->threads > max ? f->threads : max;
    }
    return max;
}
