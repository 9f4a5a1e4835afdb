#include "cli/decide/gpu_profile.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "machine/profile.h"
#include "report/store.h"

/* The first word with a letter in front and a digit in it that is no kind of socket or memory. */
bool be_cli_gpu_word(const char *model, char word[BE_NAME]) {
    const char *text = model;
    while (*text) {
        const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789");
        size_t digits = 0;
        for (size_t i = 0; i < length && i < BE_NAME - 1; i++) {
            word[i] = (char)toupper((unsigned char)text[i]);
            digits += isdigit((unsigned char)text[i]) != 0;
        }
        if (length > 1 && length < BE_NAME && digits && isalpha((unsigned char)*text) &&
            strncmp(word, "SXM", 3) != 0 && strncmp(word, "HBM", 3) != 0) {
            word[length] = '\0';
            return true;
        }
        text += length + (text[length] != '\0');
    }
    return false;
}

/* Sizes are said in GB and in GiB, and part of the memory is kept back. */
static bool is_alike(double one, double other) {
    return isnan(one) || isnan(other) || fabs(log(one / other)) < 0.2;
}

bool be_cli_gpu_profile(const char *model, double memory_bytes, struct be_profile *profile) {
    struct be_store store;
    struct be_error error;
    char wanted[BE_NAME], word[BE_NAME];
    bool found = false;
    if (!be_cli_gpu_word(model, wanted) || be_store_open(&store, &error) != BE_OK) {
        return false;
    }
    for (size_t i = 0; i < store.count && !found; i++) {
        const struct be_stored *s = &store.stored[i];
        const struct be_device_info *gpu = s->status == BE_OK ? be_profile_gpu(&s->profile) : NULL;
        found = gpu && be_cli_gpu_word(gpu->name, word) && strcmp(word, wanted) == 0 &&
                is_alike(gpu->memory_bytes, memory_bytes) &&
                be_profile_load(s->path, profile, &error) == BE_OK;
    }
    be_store_close(&store);
    return found;
}
