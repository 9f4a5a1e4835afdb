/* Rules about the files that a job's output goes to. */
#include <string.h>

#include "base/error.h"
#include "lint/rules.h"

/* Does a file's pattern have what differs between tasks of an array: %a, %4a, %j? */
static bool differs_by_task(const char *pattern) {
    for (const char *at = pattern; (at = strchr(at, '%'));) {
        at++;
        at += strspn(at, "0123456789");
        if (*at && strchr("ajJ", *at)) {
            return true;
        }
        at += *at == '%';
    }
    return false;
}

void be_check_one_output(struct be_lint *lint) {
    static const char *const names[] = {"output", "error"};
    const struct be_script_option *array = be_script_option(lint->script, -1, "array");
    const struct be_script_option *mode = be_script_option(lint->script, -1, "open-mode");
    int64_t tasks = 0, at_once = 0;
    if (!array || !array->text || !be_sbatch_array(array->text, &tasks, &at_once) || tasks < 2 ||
        (mode && mode->text && mode->text[0] == 'a') || lint->options->lsf) {
        return;
    }
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        const struct be_script_option *file = be_script_option(lint->script, -1, names[i]);
        if (file && file->text && strncmp(file->text, "/dev/", 5) != 0 &&
            !differs_by_task(file->text)) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(file),
                                       "%lld array tasks write this one file: each empties it "
                                       "when it starts",
                                       (long long)tasks),
                           "%%A_%%a in its name: the array's number, and the task's");
        }
    }
}

/* Does a command of the script make this folder? `length`: of its name. */
static bool makes_folder(const struct be_lint *lint, const char *folder, size_t length) {
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        for (int k = 1; strcmp(command->word[0], "mkdir") == 0 && k < command->words; k++) {
            const char *word = command->word[k];
            word += strncmp(word, "./", 2) == 0 ? 2 : 0;
            size_t named = strlen(word);
            named -= named > 1 && word[named - 1] == '/';
            if (named == length && strncmp(word, folder, length) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Slurm opens the file before the script runs. */
void be_check_output_folder(struct be_lint *lint) {
    static const char *const names[] = {"output", "error"};
    for (size_t i = 0; i < BE_COUNT(names) && !lint->options->lsf; i++) {
        const struct be_script_option *file = be_script_option(lint->script, -1, names[i]);
        const char *path = file && file->text ? file->text : "";
        path += strncmp(path, "./", 2) == 0 ? 2 : 0;
        const char *end = strrchr(path, '/');
        if (end && end > path && makes_folder(lint, path, (size_t)(end - path))) {
            be_lint_advise(be_lint_add(lint, BE_ADVICE, be_lint_span(file),
                                       "the job makes the folder of --%s, which is wanted before: "
                                       "without it the job fails, and prints nothing",
                                       names[i]),
                           "mkdir -p %.*s before sbatch", (int)(end - path), path);
            return;
        }
    }
}

/* Does a pattern have %a, with a width or without? */
static bool has_task(const char *pattern) {
    for (const char *at = pattern; (at = strchr(at, '%'));) {
        at++;
        at += strspn(at, "0123456789");
        if (*at == 'a') {
            return true;
        }
        at += *at == '%';
    }
    return false;
}

/* A script that reads the task's number is sent with --array beside it, mostly. */
void be_check_array_name(struct be_lint *lint) {
    static const char *const names[] = {"output", "error"};
    size_t stops[2] = {0, 0}; /* where sbatch reads no further, --array may come later */
    if (lint->options->lsf || be_script_option(lint->script, -1, "array") ||
        be_script_mentions(lint->script, "SLURM_ARRAY", true) ||
        be_lint_fault(lint, &stops[0], BE_FAULT_COLON) ||
        be_lint_fault(lint, &stops[1], BE_FAULT_QUOTE)) {
        return;
    }
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        const struct be_script_option *file = be_script_option(lint->script, -1, names[i]);
        if (file && file->text && has_task(file->text)) {
            be_lint_advise(
                be_lint_add(lint, BE_ADVICE, be_lint_span(file),
                            "%%a is 4294967294 in the file's name, unless sbatch is given "
                            "--array beside the script"),
                "%%j, the job's number, or #SBATCH --array=.. in the script");
            return;
        }
    }
}
