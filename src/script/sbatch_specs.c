/* Values with a little language of their own, as sbatch 22.05.8 reads them. */
#include "script/sbatch_values.h"

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

/* ---- GPUs ------------------------------------------------------------------------------------ */

/* "2", "2k": digits, and a letter that multiplies, behind which anything may stand. */
static bool read_amount(const char *text, int64_t *count) {
    static const char letters[] = "kmgtp";
    char *end = NULL;
    if (!isdigit((unsigned char)*text)) {
        return false;
    }
    *count = strtoll(text, &end, 10);
    const char *letter = *end ? strchr(letters, tolower((unsigned char)*end)) : NULL;
    for (const char *at = letters; letter && at <= letter; at++) {
        *count = *count < BE_SBATCH_MOST ? *count * 1024 : *count;
    }
    *count = *count < BE_SBATCH_MOST ? *count : BE_SBATCH_MOST;
    return !*end || letter;
}

/* [type:]count, or a type of which one is meant. */
static bool read_typed(const char *text, struct be_sbatch_gpus *item) {
    const char *colon = strchr(text, ':');
    item->type[0] = '\0';
    item->count = *text != '\0';
    if (colon) {
        size_t room = (size_t)(colon - text) + 1;
        be_copy_text(item->type, room < sizeof item->type ? room : sizeof item->type, text);
        return colon > text && read_amount(colon + 1, &item->count);
    }
    if (isdigit((unsigned char)*text)) {
        return read_amount(text, &item->count);
    }
    be_copy_text(item->type, sizeof item->type, text);
    return true;
}

/* name[:type][:count]; *is_gpu: it is of GPUs. */
static bool read_gres(const char *text, struct be_sbatch_gpus *item, bool *is_gpu) {
    static const char *const nearly[] = {"gpu", "gpus"}; /* letters matter: GPU is another name */
    if (strncmp(text, "gres:", 5) == 0) {
        text += 5;
    }
    char name[ITEM_MAX];
    size_t length = strcspn(text, ":");
    be_copy_text(name, length < sizeof name ? length + 1 : sizeof name, text);
    *is_gpu = strcmp(name, "gpu") == 0;
    *item = (struct be_sbatch_gpus){.count = 1};
    bool fits = !text[length] || (text[length + 1] && read_typed(text + length + 1, item));
    bool named = *is_gpu || (!is_one_of(name, nearly, BE_COUNT(nearly)) &&
                             (isalpha((unsigned char)*name) || *name == '_') &&
                             strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-.") == strlen(name));
    return fits && (named || item->count == 0);
}

bool be_sbatch_gpus(const struct be_sbatch_option *option, const char *value,
                    struct be_sbatch_gpus *gpus) {
    char text[ITEM_MAX];
    *gpus = (struct be_sbatch_gpus){0};
    bool is_gres = option->kind == BE_KIND_GRES;
    if ((is_gres && strcasecmp(value, "none") == 0) || (!is_gres && !*value)) {
        return true;
    }
    for (const char *at = value;; at++) {
        struct be_sbatch_gpus item = {0};
        bool is_gpu = true;
        size_t length = strcspn(at, ",");
        be_copy_text(text, length < sizeof text ? length + 1 : sizeof text, at);
        if ((length == 0 && is_gres) || length >= sizeof text ||
            !(is_gres ? read_gres(text, &item, &is_gpu) : read_typed(text, &item))) {
            return false;
        }
        if (is_gpu) {
            gpus->mixed |= gpus->items++ && !*gpus->type != !*item.type;
            gpus->count += item.count;
            memcpy(gpus->type, *gpus->type ? gpus->type : item.type, sizeof gpus->type);
        }
        at += length;
        if (!*at) {
            return true;
        }
    }
}

bool be_sbatch_takes_gpus(const struct be_sbatch_option *option, const char *value) {
    struct be_sbatch_gpus gpus;
    return be_sbatch_gpus(option, value, &gpus);
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
