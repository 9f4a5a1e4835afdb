/* The GPUs that a value asks for, as sbatch 22.05.8 reads it. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "script/sbatch_values.h"

enum { ITEM_MAX = 256 };

static bool is_one_of(const char *text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

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
        *count = *count < BE_SBATCH_MAX ? *count * 1024 : *count;
    }
    *count = *count < BE_SBATCH_MAX ? *count : BE_SBATCH_MAX;
    return !*end || letter;
}

/* [type:]count, or a type of which one is meant. */
static bool read_typed(const char *text, struct be_sbatch_gpus *item) {
    const char *colon = strchr(text, ':');
    item->type[0] = '\0';
    item->count = *text != '\0';
    if (colon) {
        size_t capacity = (size_t)(colon - text) + 1;
        be_copy_text(item->type, capacity < sizeof item->type ? capacity : sizeof item->type, text);
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
