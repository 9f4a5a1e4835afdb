/* --begin and --deadline: day and hour in either order, as sbatch 22.05.8 reads them. */
#include "script/sbatch_takes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

/* Digits at `at`, `least` to `most` of them, worth lo to hi; NULL: not so. */
static const char *digits(const char *at, size_t min, size_t max, long lo, long hi) {
    size_t length = strspn(at, "0123456789");
    length = length > max ? max : length;
    if (length < min) {
        return NULL;
    }
    char number[8] = {0};
    memcpy(number, at, length);
    long value = strtol(number, NULL, 10);
    return value < lo || value > hi ? NULL : at + length;
}

/* hh:mm[:ss] [am|pm] */
static const char *after_hour(const char *at) {
    long hour = strtol(at, NULL, 10);
    at = digits(at, 1, 2, 0, 23);
    at = at && *at == ':' ? digits(at + 1, 2, 2, 0, 59) : NULL;
    if (at && *at == ':') {
        at = digits(at + 1, 2, 2, 0, 59);
    }
    if (!at) {
        return NULL;
    }
    const char *half = at + strspn(at, " ");
    if (strncasecmp(half, "am", 2) == 0 || strncasecmp(half, "pm", 2) == 0) {
        return hour > 12 ? NULL : half + 2;
    }
    return at;
}

/* A date that ends here may be followed by a dash before the hour. */
static const char *date_end(const char *at) {
    return at && *at == '-' ? at + 1 : at;
}

/* yyyy-mm-dd */
static const char *after_iso_date(const char *at) {
    at = digits(at, 4, 4, 0, 9999);
    at = at && *at == '-' ? digits(at + 1, 2, 2, 1, 12) : NULL;
    at = at && *at == '-' ? digits(at + 1, 2, 2, 1, 31) : NULL;
    return date_end(at);
}

/* mm/dd[/yy] or with dots */
static const char *after_parted_date(const char *at) {
    at = digits(at, 1, 2, 1, 12);
    if (!at || (*at != '/' && *at != '.')) {
        return NULL;
    }
    char part = *at;
    at = digits(at + 1, 1, 2, 1, 31);
    if (at && *at == part) {
        at = digits(at + 1, 2, 2, 0, 99);
    }
    return date_end(at);
}

/* mmdd[yy] */
static const char *after_bare_date(const char *at) {
    at = digits(at, 2, 2, 1, 12);
    at = at ? digits(at, 2, 2, 1, 31) : NULL;
    const char *year = at && isdigit((unsigned char)*at) ? digits(at, 2, 2, 0, 99) : at;
    return date_end(year);
}

/* now[+-count[unit]] */
static const char *after_now(const char *at) {
    static const char *const units[] = {"seconds", "second", "minutes", "minute", "hours",
                                        "hour",    "days",   "day",     "weeks",  "week"};
    if (strncasecmp(at, "now", 3) != 0) {
        return NULL;
    }
    at += 3;
    const char *sign = at + strspn(at, " ");
    if (*sign != '+' && *sign != '-') {
        return at;
    }
    at = sign + 1 + strspn(sign + 1, " ");
    size_t count = strspn(at, "0123456789");
    if (count == 0) {
        return NULL;
    }
    at += count;
    const char *unit = at + strspn(at, " ");
    for (size_t i = 0; i < BE_COUNT(units); i++) {
        if (strncasecmp(unit, units[i], strlen(units[i])) == 0) {
            return unit + strlen(units[i]);
        }
    }
    return at;
}

static const char *after_name(const char *at) {
    static const char *const names[] = {"today", "tomorrow", "midnight", "noon", "fika", "teatime"};
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        if (strncasecmp(at, names[i], strlen(names[i])) == 0) {
            return at + strlen(names[i]);
        }
    }
    return NULL;
}

/* Seconds since 1970: "uts1893456000". */
static const char *after_seconds(const char *at) {
    size_t count = strncasecmp(at, "uts", 3) == 0 ? strspn(at + 3, "0123456789") : 0;
    return count > 5 ? at + 3 + count : NULL;
}

bool be_sbatch_takes_moment(const struct be_sbatch_option *option, const char *value) {
    static const char *(*const forms[])(const char *at) = {
        after_hour, after_iso_date, after_parted_date, after_bare_date,
        after_now,  after_name,     after_seconds};
    int found = 0;
    (void)option;
    for (const char *at = value + strspn(value, " T"); *at; at += strspn(at, " T")) {
        const char *next = NULL;
        for (size_t i = 0; !next && i < BE_COUNT(forms); i++) {
            next = forms[i](at);
        }
        if (!next) {
            return false;
        }
        found++;
        at = next;
    }
    return found > 0;
}
