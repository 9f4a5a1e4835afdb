#include "lint/look/command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

bool be_lint_is_one_of(const char *word, const char *const *words, size_t count) {
    const char *name = strrchr(word, '/') ? strrchr(word, '/') + 1 : word;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Programs that cannot use a GPU, whatever their arguments. */
static bool is_plain(const char *word) {
    static const char *const programs[] = {
        "echo",      "printf", "hostname", "date",   "sleep",  "ls",       "cd",     "pwd",
        "cp",        "mv",     "rm",       "mkdir",  "rmdir",  "cat",      "touch",  "export",
        "set",       "ulimit", "gzip",     "gunzip", "bzip2",  "xz",       "zip",    "unzip",
        "tar",       "rsync",  "scp",      "wget",   "curl",   "true",     "false",  "test",
        "[",         "[[",     "wait",     "exit",   "sort",   "uniq",     "awk",    "sed",
        "grep",      "cut",    "head",     "tail",   "wc",     "find",     "env",    "whoami",
        "id",        "uname",  "module",   "ml",     "unset",  "umask",    "trap",   "return",
        "shopt",     "du",     "df",       "chmod",  "ln",     "tee",      "git",    "md5sum",
        "sha256sum", "lscpu",  "nproc",    "free",   "uptime", "scontrol", "squeue", "sacct"};
    return be_lint_is_one_of(word, programs, BE_COUNT(programs));
}

bool be_lint_runs_plain(const char *text) {
    for (const char *at = strpbrk(text, "$`"); at; at = strpbrk(at + 1, "$`")) {
        char name[BE_NAME];
        bool opens = *at == '`' || at[1] == '(';
        const char *from = at + (*at == '`' ? 1 : 2);
        if (!opens || (*at == '$' && at[2] == '(')) {
            continue; /* a variable, or arithmetic */
        }
        from += strspn(from, " \t\n");
        size_t length = strcspn(from, " \t\n;&|()<>`\"");
        be_copy_text(name, length < sizeof name ? length + 1 : sizeof name, from);
        if (length && !is_plain(name)) {
            return false;
        }
    }
    return true;
}

int be_lint_program(const struct be_script_command *command) {
    int first =
        strcmp(command->word[0], "srun") == 0 && command->words > 1 && command->word[1][0] != '-'
            ? 1
            : 0;
    for (int i = first; strcmp(command->word[first], "env") == 0 && i < command->words; i++) {
        if (i > first && command->word[i][0] != '-' && !strchr(command->word[i], '=')) {
            return i;
        }
    }
    return first;
}

bool be_lint_is_plain(const struct be_script_command *command) {
    static const char *const runners[] = {"-exec", "-execdir", "-ok", "-okdir"}; /* of find */
    bool plain = is_plain(command->word[be_lint_program(command)]);
    for (int i = 0; i < command->words && plain; i++) {
        plain = be_lint_runs_plain(command->word[i]) &&
                !be_lint_is_one_of(command->word[i], runners, BE_COUNT(runners));
    }
    return plain;
}

bool be_lint_says_threads(const struct be_script_command *command) {
    static const char *const words[] = {"thread", "worker", "cores", "cpus",   "nproc",
                                        "jobs",   "procs",  "ncpu",  "parpool"};
    for (int i = 1; i < command->words; i++) {
        for (size_t k = 0; k < BE_COUNT(words); k++) {
            if (strcasestr(command->word[i], words[k])) {
                return true;
            }
        }
        if (command->word[i][0] == '-' && command->word[i][1] &&
            strchr("jtpn@", command->word[i][1]) &&
            (!command->word[i][2] || isdigit((unsigned char)command->word[i][2]))) {
            return true;
        }
    }
    return false;
}

/* ---- srun -------------------------------------------------------------------------------------- */

bool be_lint_is_srun(const struct be_script_command *command) {
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

int be_lint_started(const struct be_script_command *command) {
    int at = 1;
    while (at < command->words && command->word[at][0] == '-') {
        at += takes_next(command->word[at]) ? 2 : 1;
    }
    return at < command->words ? at : command->words;
}

int be_lint_launched(const struct be_script_command *command) {
    static const char *const launchers[] = {"mpirun", "mpiexec"};
    if (be_lint_is_srun(command)) {
        return be_lint_started(command);
    }
    if (!be_lint_is_one_of(command->word[0], launchers, BE_COUNT(launchers))) {
        return 0;
    }
    int at = be_lint_started(command);
    while (at < command->words && be_lint_number(command->word[at]) > 0) {
        at++; /* of "-np 4" */
    }
    return at;
}

/* The text behind an option's name in a word: "" where the word is the name alone, NULL where it is another. */
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

const char *be_lint_value(const struct be_script_command *command, int end,
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

bool be_lint_has(const struct be_script_command *command, int end, const char *const *names) {
    for (int i = 1; i < end; i++) {
        for (size_t k = 0; names[k]; k++) {
            if (behind(command->word[i], names[k])) {
                return true;
            }
        }
    }
    return false;
}

int64_t be_lint_number(const char *text) {
    char *end = NULL;
    long number = text && isdigit((unsigned char)*text) ? strtol(text, &end, 10) : 0;
    return number > 0 && number < 1000000 && *end == '\0' ? number : 0;
}

bool be_lint_is_setup(const struct be_script_command *command) {
    static const char *const programs[] = {
        "module",  "ml",         "source",   ".",        "conda",   "mamba",     "micromamba",
        "eval",    "pip",        "pip3",     "exec",     "read",    "alias",     "local",
        "declare", "readonly",   "spack",    "typeset",  "which",   "type",      "time",
        "shift",   "nvidia-smi", "rocm-smi", "let",      "rclone",  "mktemp",    "tput",
        "if",      "then",       "break",    "continue", "newgrp",  "getopts",   "usage",
        "sftp",    "basename",   "dirname",  "stat",     "mapfile", "readarray", "times"};
    return be_lint_is_plain(command) ||
           be_lint_is_one_of(command->word[0], programs, BE_COUNT(programs));
}

bool be_lint_in_language(const struct be_script_command *command) {
    static const char *const ends[] = {".py", ".pl",  ".rb",  ".jl", ".R",
                                       ".m",  ".tcl", ".exp", ".lua"};
    static const char *const languages[] = {"python", "perl", "ruby", "julia",
                                            "java",   "node", "php"};
    for (int i = 0; i < command->words; i++) {
        const char *word = command->word[i];
        const char *name = strrchr(word, '/') ? strrchr(word, '/') + 1 : word;
        const char *end = strrchr(name, '.');
        for (size_t k = 0; k < BE_COUNT(languages); k++) {
            if (strncmp(name, languages[k], strlen(languages[k])) == 0) {
                return true;
            }
        }
        if (end && be_lint_is_one_of(end, ends, BE_COUNT(ends))) {
            return true;
        }
    }
    return false;
}

bool be_lint_runs_else(const struct be_lint *lint,
                       bool (*but)(const struct be_script_command *command)) {
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (!be_lint_is_setup(command) && !but(command)) {
            return true;
        }
    }
    return false;
}

bool be_lint_is_prefix(const struct be_lint *lint, const struct be_script_assignment *set) {
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
