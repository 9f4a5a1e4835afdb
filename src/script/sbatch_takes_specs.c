/* Values with a little language of their own, as sbatch 22.05.8 reads them. */
#include "script/sbatch_takes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

enum { ITEM_MAX = 256 };

/* Calls `takes` with each part of `value` between the signs `between`. */
static bool each_part(const char *value, const char *between, bool (*takes)(const char *part)) {
    char part[ITEM_MAX];
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, between);
        be_copy_text(part, length < sizeof part ? length + 1 : sizeof part, at);
        if (length >= sizeof part || !takes(part)) {
            return false;
        }
        at += length;
        if (!*at) {
            return true;
        }
    }
}

static bool is_one_of(const char *text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- --dependency ---------------------------------------------------------------------------- */

/* A job's number, with _task behind it and, where `delay`, +minutes. */
static const char *after_job(const char *at, bool delay) {
    size_t length = strspn(at + (*at == '-'), "0123456789");
    const char *end = at + (*at == '-') + length;
    if (length == 0 || strtoll(at, NULL, 10) == 0) {
        return NULL;
    }
    if (*end == '_') {
        length = end[1] == '*' ? 1 : strspn(end + 1, "0123456789");
        end = length ? end + 1 + length : NULL;
    }
    if (end && delay && *end == '+') {
        length = strspn(end + 1, "0123456789");
        end = length ? end + 1 + length : NULL;
    }
    return end;
}

static bool takes_dependency(const char *part) {
    static const char *const types[] = {"after",   "afterany",  "afternotok",
                                        "afterok", "aftercorr", "afterburstbuffer"};
    char type[ITEM_MAX];
    if (strcasecmp(part, "singleton") == 0) {
        return true;
    }
    size_t length = strcspn(part, ":");
    if (!part[length]) {
        const char *end = isdigit((unsigned char)*part) ? after_job(part, false) : NULL;
        return end && !*end;
    }
    be_copy_text(type, length + 1, part);
    const char *at = is_one_of(type, types, BE_COUNT(types)) ? part + length : NULL;
    while (at && *at == ':') {
        at = after_job(at + 1, true);
    }
    return at && !*at;
}

bool be_sbatch_takes_dependency(const struct be_sbatch_option *option, const char *value) {
    (void)option;
    return !*value || strcmp(value, "0") == 0 || each_part(value, ",?", takes_dependency);
}

/* ---- --signal -------------------------------------------------------------------------------- */

static bool takes_signal_name(const char *name, size_t length) {
    static const char *const names[] = {"HUP",  "INT",  "QUIT", "ABRT", "KILL", "ALRM",
                                        "TERM", "USR1", "USR2", "URG",  "CONT", "STOP",
                                        "TSTP", "TTIN", "TTOU", "XCPU"};
    char text[ITEM_MAX];
    char *end = NULL;
    be_copy_text(text, length < sizeof text ? length + 1 : sizeof text, name);
    size_t last = strlen(text);
    while (last > 0 && text[last - 1] == ' ') {
        text[--last] = '\0';
    }
    long long number = strtoll(text, &end, 10);
    if (end > text) {
        return !*end && number != 0;
    }
    const char *at = text + strspn(text, " ");
    at += strncasecmp(at, "SIG", 3) == 0 ? 3 : 0;
    return is_one_of(at, names, BE_COUNT(names));
}

bool be_sbatch_takes_signal(const struct be_sbatch_option *option, const char *value) {
    (void)option;
    const char *colon = strchr(value, ':');
    if (colon) {
        bool seen[2] = {false, false};
        for (const char *at = value; at < colon; at++) {
            int letter = toupper((unsigned char)*at), which = letter == 'B';
            if ((letter != 'R' && letter != 'B') || seen[which]) {
                return false;
            }
            seen[which] = true;
        }
        value = colon + 1;
    }
    size_t length = strcspn(value, "@");
    if (value[length] == '@') {
        char *end = NULL;
        long seconds = strtol(value + length + 1, &end, 10);
        if (*end || seconds < 0 || seconds > 65535) {
            return false;
        }
    }
    return takes_signal_name(value, length);
}
