/* Rules about what the shell reads differently than it was meant, and values of options that are no mistake to sbatch. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/everyday.h"

/* ---- bash's own word ----------------------------------------------------------------------------- */

/* The first complaint in what `bash -n` said, and its line from 1; NULL: there is none. */
static const char *complaint(const char *said, long *line) {
    static const char document[] = "here-document at line ";
    const char *at = strstr(said, document);
    if (at) {
        *line = strtol(at + strlen(document), NULL, 10);
        return at;
    }
    for (at = said; (at = strstr(at, "line ")); at++) {
        char *end = NULL;
        *line = strtol(at + strlen("line "), &end, 10);
        if (*line > 0 && end[0] == ':' &&
            (strncmp(end + 2, "syntax error", 12) == 0 || strncmp(end + 2, "unexpected", 10) == 0 ||
             strncmp(end + 2, "conditional", 11) == 0)) {
            return end + 2;
        }
    }
    return NULL;
}

/* Does the script end by itself before that line? Then bash does not read so far. */
static bool ends_before(const struct be_script *script, size_t line) {
    for (size_t i = 0; i < script->commands; i++) {
        const struct be_script_command *command = &script->command[i];
        size_t at = be_script_line_at(script, command->span.at);
        if (at < line && strcmp(command->word[0], "exit") == 0 &&
            command->span.at == script->line[at].span.at) {
            return true;
        }
    }
    return false;
}

void be_check_bash_syntax(struct be_lint *lint) {
    const struct be_script *script = lint->script;
    long line = 0;
    size_t index = 0;
    const char *said = lint->options->bash ? complaint(lint->options->bash, &line) : NULL;
    if (!said || script->lines == 0 || be_lint_fault(lint, &index, BE_FAULT_CARRIAGE)) {
        return;
    }
    const size_t last = (size_t)line <= script->lines ? (size_t)line - 1 : script->lines - 1;
    if (ends_before(script, last)) {
        return;
    }
    const bool document = strncmp(said, "here-document", 13) == 0;
    struct be_lint_finding *finding =
        be_lint_add(lint, BE_WARNING, script->line[last].span,
                    document ? "%.*s" : "bash stops here: %.*s", (int)strcspn(said, "\n"), said);
    if (document) {
        be_lint_advise(finding, "its last line is that word alone, without a blank before or "
                                "behind it");
    } else {
        be_lint_advise(finding, "`bash -n` shows it without running anything");
    }
}

/* ---- blanks -------------------------------------------------------------------------------------- */

static bool is_name(const char *word) {
    size_t length = 0;
    while (isalnum((unsigned char)word[length]) || word[length] == '_') {
        length++;
    }
    return length > 0 && !word[length] && !isdigit((unsigned char)*word);
}

void be_check_blank_assignment(struct be_lint *lint) {
    static const char *const others[] = {"test", "expr", "let", "alias", "printf", "echo",   "awk",
                                         "sed",  "grep", "bc",  "set",   "local",  "declare"};
    static const char *const exports[] = {"export", "readonly"};
    for (size_t i = 0; lint->script->shell && i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const int at = be_lint_is_one_of(command->word[0], exports, BE_COUNT(exports)) ? 1 : 0;
        const char *name = at < command->words ? command->word[at] : "";
        const char *next = at + 1 < command->words ? command->word[at + 1] : "";
        bool apart = at + 2 <= command->words && next[0] == '=' && next[1] != '=' && next[1] != '~';
        if (!apart || !is_name(name) || be_lint_is_one_of(name, others, BE_COUNT(others))) {
            continue;
        }
        struct be_lint_finding *finding =
            be_lint_add(lint, BE_WARNING, command->span,
                        at ? "with blanks around = nothing is given to %.60s"
                           : "with blanks around = the shell looks for a program %.60s",
                        name);
        be_lint_advise(finding, "%.60s=VALUE, without blanks", name);
    }
}

void be_check_bracket(struct be_lint *lint) {
    for (size_t i = 0; lint->script->shell && i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const char *word = command->word[0], *last = command->word[command->words - 1];
        const char next = lint->script->text[command->span.at + command->span.length];
        if (word[0] == '[' && (word[1] == '$' || isalnum((unsigned char)word[1]))) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                                       "without a blank behind [ the shell looks for a program "
                                       "\"%.40s\"",
                                       word),
                           "[ .. ], with blanks");
        } else if (strcmp(word, "[") == 0 && strcmp(last, "]") != 0 && last[0] &&
                   last[strlen(last) - 1] == ']' && next != '(' && next != ')') {
            be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                                       "without a blank before ] the test has no end"),
                           "[ .. ], with blanks");
        }
    }
}

/* ---- values -------------------------------------------------------------------------------------- */

void be_check_array_id(struct be_lint *lint) {
    static const char name[] = "SLURM_ARRAY_TASK_ID";
    const struct be_script *script = lint->script;
    if (!script->shell || script->options == 0 || be_script_option(script, -1, "array") ||
        lint->options->lsf) {
        return;
    }
    for (size_t i = 0; i < script->commands; i++) {
        static const char *const prints[] = {"echo", "printf", "[", "[[", "test"};
        const struct be_script_command *command = &script->command[i];
        for (int k = 0; k < command->words; k++) {
            const char *at = strstr(command->word[k], name);
            if (!at || be_script_sets(script, name) ||
                strchr(":-+", at[strlen(name)] ? at[strlen(name)] : '.')) {
                continue;
            }
            if (be_lint_is_one_of(command->word[0], prints, BE_COUNT(prints))) {
                return; /* it is asked about, or only shown */
            }
            be_lint_advise(be_lint_add(lint, BE_ADVICE, command->span,
                                       "%s is empty unless sbatch is given --array beside the "
                                       "script",
                                       name),
                           "#SBATCH --array=0-9, or the indices that are meant");
            return;
        }
    }
}

void be_check_output_is_folder(struct be_lint *lint) {
    static const char *const names[] = {"output", "error"};
    for (size_t i = 0; i < BE_COUNT(names) && !lint->options->lsf; i++) {
        const struct be_script_option *file = be_script_option(lint->script, -1, names[i]);
        const size_t length = file && file->text ? strlen(file->text) : 0;
        if (length && file->text[length - 1] == '/') {
            be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(file),
                                       "--%s names a folder, which Slurm cannot write to: the job "
                                       "fails and prints nothing",
                                       names[i]),
                           "--%s=%s%%x-%%j.%s", names[i], file->text, i ? "err" : "out");
        }
    }
}
