/* The values that sbatch 22.05.8 takes, as far as no cluster need be asked. Held against it by
 * tests/lint/check.py. */
#include "script/sbatch_takes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

/* ---- numbers --------------------------------------------------------------------------------- */

static bool takes_count(const struct be_sbatch_option *option, const char *value) {
    int64_t count = 0;
    return (option->takes == BE_TAKES_MAYBE && !*value) || be_sbatch_count(value, &count);
}

static bool takes_whole(const struct be_sbatch_option *option, const char *value) {
    int64_t count = 0;
    const char *end = be_sbatch_after_number(value, &count);
    return !*value || (end && !*end && count >= 0 && (option->kind != BE_KIND_BIT || count <= 1));
}

/* A text that is no number counts as 0. */
static bool takes_number(const struct be_sbatch_option *option, const char *value) {
    int64_t number = 0;
    be_sbatch_after_number(value, &number);
    return strcmp(option->name, "priority") == 0 ? number >= 0 && number < 4294967294
                                                 : llabs(number) <= 2147483645;
}

static bool takes_memory(const struct be_sbatch_option *option, const char *value) {
    double bytes = 0;
    (void)option;
    return be_sbatch_memory(value, &bytes);
}

static bool takes_duration(const struct be_sbatch_option *option, const char *value) {
    double seconds = 0;
    (void)option;
    return be_sbatch_duration(value, &seconds);
}

static bool takes_nodes(const struct be_sbatch_option *option, const char *value) {
    int64_t min = 0, max = 0;
    (void)option;
    return be_sbatch_nodes(value, &min, &max);
}

static bool takes_array(const struct be_sbatch_option *option, const char *value) {
    int64_t tasks = 0, at_once = 0;
    (void)option;
    return be_sbatch_array(value, &tasks, &at_once);
}

static bool takes_gpus(const struct be_sbatch_option *option, const char *value) {
    struct be_sbatch_gpus gpus;
    return be_sbatch_gpus(option, value, &gpus);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Is the word one of the list? It may be known to a later Slurm only ("24.11:topo"). */
static bool is_word(const char *words, const char *word, size_t length) {
    while (*words) {
        size_t capacity = strcspn(words, " ");
        const char *colon = memchr(words, ':', capacity);
        const char *name = colon ? colon + 1 : words;
        if ((size_t)(words + capacity - name) == length && strncasecmp(name, word, length) == 0) {
            return true;
        }
        words += capacity + (words[capacity] == ' ');
    }
    return false;
}

static bool takes_word(const struct be_sbatch_option *option, const char *value) {
    return (option->takes == BE_TAKES_MAYBE && !*value) ||
           is_word(option->words, value, strlen(value));
}

/* --profile: one of the words anywhere in it. */
static bool has_word(const struct be_sbatch_option *option, const char *value) {
    for (const char *at = option->words; *at; at += strspn(at, " ")) {
        char word[32];
        size_t length = strcspn(at, " ");
        be_copy_text(word, length < sizeof word ? length + 1 : sizeof word, at);
        if (strcasestr(value, word)) {
            return true;
        }
        at += length;
    }
    return false;
}

static bool takes_words(const struct be_sbatch_option *option, const char *value) {
    if (strcmp(option->name, "profile") == 0) {
        return has_word(option, value);
    }
    size_t known = 0, all = 0;
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ",");
        known += is_word(option->words, at, length);
        all++;
        at += length;
        if (!*at) {
            return option->kind == BE_KIND_SOME ? known > 0 : known == all;
        }
    }
}

static bool takes_initial(const struct be_sbatch_option *option, const char *value) {
    for (const char *at = option->words; *value && at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (tolower((unsigned char)*at) == tolower((unsigned char)*value)) {
            return true;
        }
    }
    return false;
}

/* Letters matter here: ALL and NONE, alone, or names of limits. */
static bool takes_limits(const struct be_sbatch_option *option, const char *value) {
    if (!*value || strcmp(value, "ALL") == 0 || strcmp(value, "NONE") == 0) {
        return true;
    }
    const char *limits = strstr(option->words, "AS ");
    for (const char *at = value; *at; at += strspn(at, ", ")) {
        at += strncmp(at, "RLIMIT_", 7) == 0 ? 7 : 0;
        size_t length = strcspn(at, ", ");
        for (size_t i = 0; i < length; i++) {
            if (!isupper((unsigned char)at[i])) {
                return false;
            }
        }
        if (length > 0 && !is_word(limits, at, length)) {
            return false;
        }
        at += length;
    }
    return true;
}

static bool takes_anything(const struct be_sbatch_option *option, const char *value) {
    (void)option;
    (void)value;
    return true;
}

/* ---- by kind --------------------------------------------------------------------------------- */

static const struct {
    bool (*takes)(const struct be_sbatch_option *option, const char *value);
    const char *want;
} kinds[BE_KINDS] = {
    [BE_KIND_NONE] = {takes_anything, ""},
    [BE_KIND_TEXT] = {takes_anything, ""},
    [BE_KIND_SITE] = {takes_anything, ""},
    [BE_KIND_FILE] = {takes_anything, ""},
    [BE_KIND_COUNT] = {takes_count, "a whole number above 0"},
    [BE_KIND_WHOLE] = {takes_whole, "a whole number"},
    [BE_KIND_BIT] = {takes_whole, "0 or 1"},
    [BE_KIND_NUMBER] = {takes_number, "a whole number within range"},
    [BE_KIND_MEMORY] = {takes_memory, "a whole number with K, M, G or T: 4G, 1500M"},
    [BE_KIND_DURATION] = {takes_duration, "minutes, or hh:mm:ss, or d-hh:mm:ss"},
    [BE_KIND_MOMENT] = {be_sbatch_takes_moment, "a time: 16:00, 2030-01-20T12:34, now+1hour"},
    [BE_KIND_NODES] = {takes_nodes, "a count, or least-most"},
    [BE_KIND_GPUS] = {takes_gpus, "[type:]count: 2, a100:2"},
    [BE_KIND_GRES] = {takes_gpus, "name[:type][:count]: gpu:2, gpu:a100:2"},
    [BE_KIND_ARRAY] = {takes_array, "indices: 0-15, 1,3,5, 0-15:4, 0-15%4"},
    [BE_KIND_DEPENDENCY] = {be_sbatch_takes_dependency, "afterok:JOB, afterany:JOB:JOB, singleton"},
    [BE_KIND_SIGNAL] = {be_sbatch_takes_signal, "[B:]SIGNAL[@SECONDS]: B:USR1@300"},
    [BE_KIND_WORD] = {takes_word, NULL},
    [BE_KIND_WORDS] = {takes_words, NULL},
    [BE_KIND_SOME] = {takes_words, NULL},
    [BE_KIND_INITIAL] = {takes_initial, NULL},
    [BE_KIND_LIMITS] = {takes_limits, NULL},
    [BE_KIND_FREQUENCY] = {be_sbatch_takes_frequency, "low, medium, high, highm1 or a number"},
    [BE_KIND_BINDING] = {be_sbatch_takes_binding, "a way to bind that sbatch's manual lists"},
    [BE_KIND_LAYOUT] = {be_sbatch_takes_layout, "a layout that sbatch's manual lists"},
    [BE_KIND_SAMPLING] = {be_sbatch_takes_sampling, "seconds, or task=SECONDS,energy=SECONDS"},
    [BE_KIND_SWITCHES] = {be_sbatch_takes_switches, "a count above 0, or count@longest wait"},
    [BE_KIND_USER_ENV] = {be_sbatch_takes_user_env, "seconds, with S or L behind them"},
};

bool be_sbatch_since(const struct be_sbatch_option *option, const char *value,
                     char since[BE_SBATCH_SINCE]) {
    if (option->kind == BE_KIND_NODES && be_sbatch_is_sizes(value)) {
        be_copy_text(since, BE_SBATCH_SINCE, "23.02"); /* whose REST API has it: job_size_str */
        return true;
    }
    for (const char *at = option->words; at && *at;) {
        size_t length = strcspn(at, " ");
        const char *colon = memchr(at, ':', length);
        size_t used = colon ? (size_t)(colon + 1 - at) : 0;
        if (colon && length - used == strlen(value) && used <= BE_SBATCH_SINCE &&
            strncasecmp(colon + 1, value, strlen(value)) == 0) {
            be_copy_text(since, used, at);
            return true;
        }
        at += length + (at[length] == ' ');
    }
    return false;
}

const char *be_sbatch_refuses(const struct be_sbatch_option *option, const char *value) {
    if (kinds[option->kind].takes(option, value)) {
        return NULL;
    }
    return kinds[option->kind].want ? kinds[option->kind].want : option->words;
}
