/* Values that say how cores, memory and GPUs are given to tasks, as sbatch 22.05.8 reads them. */
#include "script/sbatch_takes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

enum { PARTS_MAX = 16, PART_MAX = 256 };

/* Cuts at any of the signs; 0: too many or too long. */
static int cut(const char *value, const char *between, char part[PARTS_MAX][PART_MAX]) {
    for (int count = 0; count < PARTS_MAX; value++) {
        size_t length = strcspn(value, between);
        if (length >= PART_MAX) {
            return 0;
        }
        be_copy_text(part[count++], length + 1, value);
        value += length;
        if (!*value) {
            return count;
        }
    }
    return 0;
}

static bool is_one_of(const char *text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- frequencies ------------------------------------------------------------------------------ */

/* 1 .. 4, in sbatch's order; 0: it is none. For a core, the first letters are enough. */
static int level(const char *text, bool of_core) {
    static const char *const levels[] = {"low", "medium", "high", "highm1"};
    static const size_t enough[] = {2, 2, 2, 6};
    for (int i = (int)BE_COUNT(levels) - 1; i >= 0; i--) {
        size_t length = i == 1 && strlen(text) > 2 ? strlen(text) : enough[i];
        if (of_core ? strncasecmp(levels[i], text, length) == 0 : strcmp(levels[i], text) == 0) {
            return i + 1;
        }
    }
    return 0;
}

static bool is_governor(const char *text) {
    static const char *const governors[] = {"conservative", "ondemand",  "performance",
                                            "powersave",    "schedutil", "userspace"};
    for (size_t i = 0; i < BE_COUNT(governors); i++) {
        if (strncasecmp(governors[i], text, 4) == 0) {
            return true;
        }
    }
    return false;
}

/* min[-max[:governor]] or a governor; where both are numbers, max is the larger. */
static bool takes_cpu_frequency(const char *value) {
    char text[PART_MAX];
    if (strlen(value) >= sizeof text || is_governor(value)) {
        return strlen(value) < sizeof text;
    }
    be_copy_text(text, sizeof text, value);
    char *governor = strchr(text, ':'), *max = strchr(text, '-');
    if (governor) {
        *governor++ = '\0';
        max = max && max < governor ? max : NULL;
    }
    if (max) {
        *max++ = '\0';
    }
    /* A level counts as more than any number of kHz. */
    const long long named = 1LL << 40;
    long long min_khz = level(text, true) * named, max_khz = max ? level(max, true) * named : 0;
    min_khz = min_khz ? min_khz : strtol(text, NULL, 10);
    max_khz = max && !max_khz ? strtol(max, NULL, 10) : max_khz;
    return min_khz > 0 && (!max || (max_khz > 0 && max_khz >= min_khz)) &&
           (!governor || (max && is_governor(governor)));
}

static bool takes_gpu_frequency(const char *value) {
    char part[PARTS_MAX][PART_MAX];
    int count = cut(value, ",", part);
    for (int i = 0; i < count; i++) {
        const char *at = part[i];
        at += strncasecmp(at, "memory=", 7) == 0 ? 7 : 0;
        bool number = *at && strspn(at, "0123456789") == strlen(at);
        if (!number && !level(at, false) && strcmp(at, "verbose") != 0) {
            return false;
        }
    }
    return count > 0;
}

bool be_sbatch_takes_frequency(const struct be_sbatch_option *option, const char *value) {
    return option->name[0] == 'g' ? takes_gpu_frequency(value) : takes_cpu_frequency(value);
}

/* ---- bindings ---------------------------------------------------------------------------------- */

/* Numbers, each with *times behind it where that is so; masks are hexadecimal. */
static bool is_map_entry(const char *text, bool mask) {
    const char *allowed = mask ? "0123456789abcdefABCDEF" : "0123456789";
    text += mask && strncasecmp(text, "0x", 2) == 0 ? 2 : 0;
    size_t length = strspn(text, allowed);
    const char *end = text + length;
    if (length && *end == '*') {
        end += 1 + strspn(end + 1, "0123456789");
    }
    return length && !*end;
}

static bool takes_memory_binding(const char *value) {
    static const char *const words[] = {"v",    "verbose", "q",    "quiet",  "no", "none",
                                        "rank", "local",   "sort", "nosort", "p",  "prefer"};
    char part[PARTS_MAX][PART_MAX];
    int count = cut(value, ",", part);
    bool in_map = false, mask = false;
    for (int i = 0; i < count; i++) {
        const char *at = part[i];
        if (strncasecmp(at, "map_mem", 7) == 0 || strncasecmp(at, "mask_mem", 8) == 0) {
            in_map = true;
            mask = tolower((unsigned char)at[2]) == 's';
            at += mask ? 8 : 7;
            if ((*at != ':' && *at != '=') || !is_map_entry(at + 1, mask)) {
                return false;
            }
        } else if (!is_one_of(at, words, BE_COUNT(words)) && !(in_map && is_map_entry(at, mask))) {
            return false;
        }
    }
    return count > 0;
}

static bool starts(const char *text, const char *with) {
    return strncasecmp(text, with, strlen(with)) == 0;
}

static bool takes_gpu_binding(const char *value) {
    static const char *const open[] = {"closest", "none", "single:", "per_task:"};
    char part[PARTS_MAX][PART_MAX];
    value += starts(value, "verbose,") ? 8 : 0;
    for (size_t i = 0; i < BE_COUNT(open); i++) {
        if (starts(value, open[i])) {
            return true;
        }
    }
    bool mask = starts(value, "mask_gpu:");
    if (!mask && !starts(value, "map_gpu:")) {
        return strcasecmp(value, "no") == 0;
    }
    value = strchr(value, ':') + 1;
    int count = *value ? cut(value, ",", part) : 0;
    for (int i = 0; i < count; i++) {
        if (!is_map_entry(part[i], mask)) {
            return false;
        }
    }
    return true;
}

bool be_sbatch_takes_binding(const struct be_sbatch_option *option, const char *value) {
    return option->name[0] == 'g' ? takes_gpu_binding(value) : takes_memory_binding(value);
}

/* ---- layouts ------------------------------------------------------------------------------------ */

/* sockets[:cores[:threads]], each a number, a range, '*' or nothing. */
static bool takes_node_info(const char *value) {
    char part[PARTS_MAX][PART_MAX];
    int count = cut(value, ":", part);
    for (int i = 0; i < count && i < 3; i++) {
        const char *at = part[i];
        if (!*at || *at == '*') {
            continue;
        }
        char *end = NULL;
        long min = strtol(at, &end, 10);
        end += *end && strchr("kKmM", *end) ? 1 : 0;
        bool is_range = *end == '-' && strtol(end + (*end == '-'), NULL, 10) > 0;
        if (end == at || min < 0 || min > 2147483647 || (*end && !is_range) ||
            (is_range && end[1 + strspn(end + 1, "0123456789")])) {
            return false;
        }
    }
    return count > 0;
}

/* nodes[:sockets[:cores]][,pack|nopack] */
static bool takes_distribution(const char *value) {
    static const char *const over[] = {"", "*", "block", "cyclic", "fcyclic"};
    static const char *const pack[] = {"", "pack", "nopack"};
    char part[PARTS_MAX][PART_MAX];
    char first[PART_MAX];
    if (starts(value, "plane=")) {
        char *end = NULL;
        return strtol(value + 6, &end, 10) > 0 && !*end;
    }
    const char *comma = strchr(value, ',');
    size_t length = comma ? (size_t)(comma - value) : strlen(value);
    if (length >= sizeof first || (comma && !is_one_of(comma + 1, pack, BE_COUNT(pack)))) {
        return false;
    }
    be_copy_text(first, length + 1, value);
    if (!comma && (strcasecmp(first, "arbitrary") == 0 ||
                   (*first && is_one_of(first, pack, BE_COUNT(pack))))) {
        return true;
    }
    int count = *first ? cut(first, ":", part) : 0;
    for (int i = 0; i < count; i++) { /* fcyclic is not for nodes */
        if (!is_one_of(part[i], over, BE_COUNT(over) - (i == 0))) {
            return false;
        }
    }
    return count > 0 && count <= 3;
}

bool be_sbatch_takes_layout(const struct be_sbatch_option *option, const char *value) {
    return option->name[0] == 'd' ? takes_distribution(value) : takes_node_info(value);
}

/* ---- other ------------------------------------------------------------------------------------- */

bool be_sbatch_takes_sampling(const struct be_sbatch_option *option, const char *value) {
    static const char *const names[] = {"task=", "energy=", "network=", "filesystem="};
    char part[PARTS_MAX][PART_MAX];
    (void)option;
    int count = cut(value, ",", part);
    for (int i = 0; i < count; i++) {
        const char *at = part[i];
        for (size_t k = 0; k < BE_COUNT(names); k++) {
            if (starts(at, names[k])) {
                at += strlen(names[k]);
                break;
            }
        }
        char *end = NULL;
        if (*part[i] && (strtol(at, &end, 10) < 0 || end == at)) {
            return false;
        }
    }
    return count > 0;
}

bool be_sbatch_takes_switches(const struct be_sbatch_option *option, const char *value) {
    char count[PART_MAX];
    int64_t switches = 0;
    (void)option;
    size_t length = strcspn(value, "@");
    be_copy_text(count, length < sizeof count ? length + 1 : sizeof count, value);
    return be_sbatch_count(count, &switches);
}

bool be_sbatch_takes_user_env(const struct be_sbatch_option *option, const char *value) {
    char *end = NULL;
    (void)option;
    strtol(value, &end, 10);
    return !*end || strchr("sSlL", *end);
}
