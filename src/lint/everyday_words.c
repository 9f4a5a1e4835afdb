/* What rules about everyday faults share: the words of commands that start others. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/everyday.h"

bool be_everyday_is_srun(const struct be_script_command *command) {
    static const char *const srun[] = {"srun"};
    return be_lint_is_one_of(command->word[0], srun, BE_COUNT(srun));
}

/* Does the next word belong to this option of srun? */
static bool takes_next(const char *option) {
    static const char *const alone[] = {
        "--exclusive",        "--exact",        "--overlap",   "--unbuffered", "--label",
        "--verbose",          "--quiet",        "--pty",       "--whole",      "--overcommit",
        "--kill-on-bad-exit", "--preserve-env", "--propagate", "--immediate",  "--oversubscribe",
        "--contiguous",       "--hold",         "--no-kill",   "--spread-job", "--disable-status"};
    if (option[0] != '-' || strchr(option, '=')) {
        return false;
    }
    if (option[1] == '-') {
        return !be_lint_is_one_of(option, alone, BE_COUNT(alone));
    }
    /* "-n4" has its value, "-ul" has none. */
    return option[1] && !option[2] && !strchr("luvQKkHOEsXZ", option[1]);
}

int be_everyday_started(const struct be_script_command *command) {
    int at = 1;
    while (at < command->words && command->word[at][0] == '-') {
        at += takes_next(command->word[at]) ? 2 : 1;
    }
    return at < command->words ? at : command->words;
}

/* What stands behind an option's name in a word: "" where the word is the name alone, NULL where it is another. */
static const char *behind(const char *word, const char *name) {
    const size_t length = strlen(name);
    const bool letter = length == 2 && name[1] != '-';
    if (strncmp(word, name, length) != 0) {
        return NULL;
    }
    if (word[length] == '=') {
        return word + length + 1;
    }
    return word[length] == '\0' || (letter && strchr("0123456789$", word[length])) ? word + length
                                                                                   : NULL;
}

const char *be_everyday_value(const struct be_script_command *command, int end,
                              const char *const *names) {
    for (int i = 1; i < end; i++) {
        for (size_t k = 0; names[k]; k++) {
            const char *value = behind(command->word[i], names[k]);
            if (value && *value) {
                return value;
            }
            if (value && i + 1 < end) {
                return command->word[i + 1];
            }
        }
    }
    return NULL;
}

bool be_everyday_has(const struct be_script_command *command, int end, const char *const *names) {
    for (int i = 1; i < end; i++) {
        for (size_t k = 0; names[k]; k++) {
            if (behind(command->word[i], names[k])) {
                return true;
            }
        }
    }
    return false;
}

int64_t be_everyday_number(const char *text) {
    char *end = NULL;
    long number = text && isdigit((unsigned char)*text) ? strtol(text, &end, 10) : 0;
    return number > 0 && number < 1000000 && *end == '\0' ? number : 0;
}

bool be_everyday_is_setup(const struct be_script_command *command) {
    static const char *const programs[] = {
        "module", "ml",      "source", ".",    "conda", "mamba", "micromamba", "eval",
        "pip",    "pip3",    "exec",   "read", "alias", "local", "declare",    "readonly",
        "spack",  "typeset", "which",  "type", "time",  "shift", "nvidia-smi", "rocm-smi",
        "let",    "rclone",  "mktemp", "tput", "if",    "then",  "break",      "continue"};
    return be_lint_is_plain(command) ||
           be_lint_is_one_of(command->word[0], programs, BE_COUNT(programs));
}

bool be_everyday_runs_else(const struct be_lint *lint,
                           bool (*but)(const struct be_script_command *command)) {
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (!be_everyday_is_setup(command) && !but(command)) {
            return true;
        }
    }
    return false;
}

bool be_everyday_is_prefix(const struct be_lint *lint, const struct be_script_assignment *set) {
    static const char *const exports[] = {"export",   "declare", "local",
                                          "readonly", "typeset", "env"};
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (command->span.at == set->span.at) {
            return !be_lint_is_one_of(command->word[0], exports, BE_COUNT(exports) - 1);
        }
    }
    return false;
}
