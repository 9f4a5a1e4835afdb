/* The meaning of values, as sbatch 22.05.8 reads them. Held against it by tests/lint/check.py. */
#include "script/sbatch_values.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

static int64_t limited(int64_t value) {
    return value > BE_SBATCH_MAX ? BE_SBATCH_MAX : value < -BE_SBATCH_MAX ? -BE_SBATCH_MAX : value;
}

const char *be_sbatch_after_number(const char *text, int64_t *number) {
    char *end = NULL;
    *number = limited(strtoll(text, &end, 10));
    return end == text ? NULL : end;
}

bool be_sbatch_count(const char *text, int64_t *count) {
    const char *end = be_sbatch_after_number(text, count);
    return end && !*end && *count > 0;
}

/* A factor of 1024 for each letter up to the one at *at, and the letter is passed; 1: none. */
static double passed_prefix(const char **at, const char *letters) {
    const char *found = **at ? strchr(letters, tolower((unsigned char)**at)) : NULL;
    if (!found) {
        return 1;
    }
    ++*at;
    return pow(1024, (double)(found - letters + 1));
}

bool be_sbatch_memory(const char *text, double *bytes) {
    int64_t number = 0;
    const char *at = be_sbatch_after_number(text, &number);
    if (!at || number < 0) {
        return false;
    }
    const char *unit = at;
    double factor = passed_prefix(&at, "kmgt");
    *bytes = (double)number * (at > unit ? factor : 1024 * 1024);
    at += at > unit && (*at == 'B' || *at == 'b');
    return !*at;
}

/* Up to three numbers with colons between them; their count, 0: it is none of that. */
static int clock_parts(const char *text, double part[3]) {
    int parts = 0;
    for (const char *at = text;; at++) {
        if (parts == 3 || !isdigit((unsigned char)*at)) {
            return 0;
        }
        char *end = NULL;
        part[parts++] = strtod(at, &end);
        if ((size_t)(end - at) != strspn(at, "0123456789")) {
            return 0; /* 1e5, 0x1f */
        }
        at = end;
        if (!*at) {
            return parts;
        }
        if (*at != ':') {
            return 0;
        }
    }
}

bool be_sbatch_duration(const char *text, double *seconds) {
    static const double with_days[] = {3600, 60, 1};
    double part[3] = {0}, days = 0;
    *seconds = INFINITY;
    if (strcasecmp(text, "UNLIMITED") == 0 || strcasecmp(text, "INFINITE") == 0) {
        return true;
    }
    if (*text == '-') { /* a number below 0 is no limit */
        return text[1] && strspn(text + 1, "0123456789") == strlen(text + 1);
    }
    const char *dash = strchr(text, '-');
    if (dash) {
        size_t digits = strspn(text, "0123456789");
        if (text + digits != dash) {
            return false;
        }
        days = strtod(text, NULL);
        text = dash + 1;
    }
    int parts = clock_parts(text, part);
    if (parts == 0 && !(dash && !*text)) {
        return false;
    }
    /* Without days, one number is minutes, and two are minutes and seconds. */
    const double *unit = dash || parts == 3 ? with_days : with_days + 1;
    double sum = days * 86400;
    for (int i = 0; i < parts; i++) {
        sum += part[i] * unit[i];
    }
    *seconds = sum > 0 ? ceil(sum / 60) * 60 : INFINITY;
    return true;
}

static const char *after_node_count(const char *text, int64_t *count) {
    const char *at = be_sbatch_after_number(text, count);
    bool kilo = at && (*at == 'k' || *at == 'K'), mega = at && (*at == 'm' || *at == 'M');
    *count *= kilo ? 1024 : mega ? 1024 * 1024 : 1;
    *count = limited(*count);
    return at && (kilo || mega) ? at + 1 : at;
}

/* "4,8", "1-15:4": sizes of which any will do. */
static bool read_sizes(const char *text, int64_t *min, int64_t *max) {
    const bool steps = strchr(text, ':');
    const char *at = text;
    *min = BE_SBATCH_MAX;
    *max = 0;
    while (*at) {
        int64_t first = 0, last = 0, step = 1;
        const bool only_max = *at == '-' && !steps; /* "-4,8", as 24.11.5 takes it */
        at += only_max;
        if (!isdigit((unsigned char)*at)) {
            return false;
        }
        at = be_sbatch_after_number(at, &last);
        first = only_max && last > 0 ? 1 : last;
        if (*at == '-' && !only_max && isdigit((unsigned char)at[1])) {
            at = be_sbatch_after_number(at + 1, &last);
            if (*at == ':' && isdigit((unsigned char)at[1])) {
                at = be_sbatch_after_number(at + 1, &step);
            }
        }
        if (first < steps || last < first || step < 1 || (*at && *at != ',')) {
            return false;
        }
        *min = first < *min ? first : *min;
        *max = last > *max ? last : *max;
        at += steps ? *at == ',' && at[1] : strspn(at, ","); /* "4,,8", "4," */
    }
    return at > text;
}

bool be_sbatch_is_sizes(const char *text) {
    int64_t min = 0, max = 0;
    return strpbrk(text, ",:") && read_sizes(text, &min, &max);
}

bool be_sbatch_nodes(const char *text, int64_t *min, int64_t *max) {
    if (strpbrk(text, ",:")) {
        return read_sizes(text, min, max);
    }
    bool only_max = *text == '-'; /* "-2": up to two */
    const char *at = after_node_count(text, min);
    *max = only_max ? -*min : *min;
    *min = only_max ? 1 : *min;
    at = at ? at + strspn(at, " ") : NULL;
    if (!at || !*at) {
        return at;
    }
    if (*at != '-' || only_max) {
        return false;
    }
    at = after_node_count(at + 1, max);
    return at && !*at && (*max == 0 || *max >= *min);
}

/* "0-5:2", "7": one entry between commas. */
static bool add_indices(const char *at, size_t length, int64_t *tasks) {
    char text[64];
    int64_t first = 0, last = 0, step = 1;
    if (length == 0) {
        return true;
    }
    if (length >= sizeof text) {
        return false;
    }
    be_copy_text(text, length + 1, at);
    const char *end = be_sbatch_after_number(text + (*text == '['), &first);
    last = first;
    if (end && *end == '-') {
        end = be_sbatch_after_number(end + 1, &last);
        if (end && *end == ':') {
            end = be_sbatch_after_number(end + 1, &step);
        }
    }
    if (!end || (*end && *end != ']') || first < 0 || last < first || step < 1) {
        return false;
    }
    *tasks += (last - first) / step + 1;
    return true;
}

bool be_sbatch_array(const char *text, int64_t *tasks, int64_t *at_once) {
    *tasks = *at_once = 0;
    const char *limit = strchr(text, '%'), *at = text;
    if (limit) {
        be_sbatch_after_number(limit + 1, at_once);
    }
    const char *end = limit ? limit : text + strlen(text);
    while (at <= end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        if (!add_indices(at, (size_t)(stop - at), tasks)) {
            return false;
        }
        at = stop + 1;
    }
    return true;
}
