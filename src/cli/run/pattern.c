#include "cli/run/pattern.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/process/limits.h"

struct words {
    char host[BE_NAME], pid[16], rank[16], job[BE_NAME];
    struct be_rank of;
};

static void find_words(struct words *words) {
    const char *const *environment = (const char *const *)environ;
    char job[BE_NAME];
    *words = (struct words){.of = be_rank_of(environment)};
    if (gethostname(words->host, sizeof words->host - 1) != 0) {
        be_copy_text(words->host, sizeof words->host, "host");
    }
    be_job_name(environment, job, sizeof job);
    const char *number = strchr(job, ' ');
    be_copy_text(words->job, sizeof words->job, number ? number + 1 : "0");
    for (char *slash = words->job; (slash = strchr(slash, '/')) != NULL;) {
        *slash = '-'; /* a part of a name, whatever the environment says */
    }
    snprintf(words->pid, sizeof words->pid, "%d", (int)getpid());
    snprintf(words->rank, sizeof words->rank, "%d", words->of.rank);
}

/* NULL: no such letter. */
static const char *word_of(const struct words *words, char letter) {
    const struct {
        char letter;
        const char *word;
    } known[] = {
        {'h', words->host}, {'p', words->pid}, {'r', words->rank}, {'j', words->job}, {'%', "%"}};
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        if (known[i].letter == letter) {
            return known[i].word;
        }
    }
    return NULL;
}

static bool is_a_file(const char *path) {
    struct stat there;
    return stat(path, &there) != 0 || S_ISREG(there.st_mode);
}

enum be_status be_run_pattern(const char *option, const char *pattern, char path[BE_RUN_PATH],
                              struct be_error *error) {
    struct words words;
    size_t length = 0;
    bool apart = false;
    find_words(&words);
    for (const char *at = pattern; *at; at++) {
        const char one[2] = {*at, '\0'};
        const char *part = *at == '%' ? word_of(&words, *++at) : one;
        if (!part) {
            return be_fail(error, BE_USAGE,
                           "%s %.200s: %%h is the host, %%p the process, %%r the rank, %%j the "
                           "job; a percent sign itself is %%%%",
                           option, pattern);
        }
        apart |= part == words.rank || part == words.pid;
        int added = snprintf(path + length, BE_RUN_PATH - length, "%s", part);
        length += (size_t)added;
        if (length >= BE_RUN_PATH) {
            return be_fail(error, BE_USAGE, "%s %.60s...: a path of less than %d bytes is needed",
                           option, pattern, (int)BE_RUN_PATH);
        }
    }
    if (words.of.ranks > 1 && words.of.rank == 0 && !apart && is_a_file(path)) {
        fprintf(stderr,
                "breakeven: %s %s: each of the %d ranks writes that file, and the last one stays; "
                "with %%r in its name each has its own\n",
                option, pattern, words.of.ranks);
    }
    return BE_OK;
}
