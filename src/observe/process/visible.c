#include "observe/process/visible.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* "0", "12.1"; below 0: not a number. */
static long number_of(const char *token) {
    char *end = NULL;
    if (!isdigit((unsigned char)*token)) {
        return -1;
    }
    long number = strtol(token, &end, 10);
    return *end == '\0' || *end == '.' ? number : -1;
}

static bool is_name(const char *token) {
    return strncasecmp(token, "GPU-", 4) == 0 || strncasecmp(token, "MIG-", 4) == 0;
}

static bool begins(const char *text, const char *beginning) {
    return beginning[0] && strncasecmp(text, beginning, strlen(beginning)) == 0;
}

static bool matches(const char *token, const struct be_gpu_names *names) {
    char whole[160];
    long number = number_of(token);
    if (number >= 0) {
        return names->number == number;
    }
    if (begins(names->uuid, token) || (names->parent && begins(names->parent, token))) {
        return true;
    }
    if (names->parent) {
        snprintf(whole, sizeof whole, "MIG-%s/%d/%d", names->parent, names->instance,
                 names->compute_instance);
        return strcasecmp(whole, token) == 0;
    }
    return false;
}

bool be_gpu_visible(const char *list, const struct be_gpu_names *names) {
    if (!list) {
        return true;
    }
    while (*list) {
        char token[160];
        list += strspn(list, " ");
        size_t length = strcspn(list, ",");
        if (length >= sizeof token) {
            return false;
        }
        memcpy(token, list, length);
        token[length] = '\0';
        while (length > 0 && token[length - 1] == ' ') {
            token[--length] = '\0';
        }
        if (number_of(token) < 0 && !is_name(token)) {
            return false;
        }
        if (matches(token, names)) {
            return true;
        }
        list += strcspn(list, ",");
        list += *list == ',';
    }
    return false;
}
