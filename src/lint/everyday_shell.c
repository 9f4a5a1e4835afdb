/* Rules about what the shell reads differently than it was meant, where a script is, and what its programs get as
 * environment. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "lint/everyday.h"

/* ---- the script's own folder --------------------------------------------------------------------- */

/* Does "$0" or BASH_SOURCE, which stands at `at`, name a folder there? */
static bool is_folder(const char *text, size_t line, size_t at) {
    static const char *const programs[] = {"dirname", "readlink", "realpath"};
    const char *after = strchr(text + at, '}');
    if (text[at] == '{' && after && memchr(text + at, '%', (size_t)(after - text) - at) &&
        strstr(text + at, "%/") && strstr(text + at, "%/") < after) {
        return true; /* "${0%/..}" */
    }
    const size_t from = at > line + 24 ? at - 24 : line;
    for (size_t i = from; i < at; i++) {
        for (size_t k = 0; k < BE_COUNT(programs); k++) {
            size_t length = strlen(programs[k]);
            if (i + length < at && strncmp(text + i, programs[k], length) == 0 &&
                !memchr(text + i, ')', at - i) && !memchr(text + i, ';', at - i)) {
                return true;
            }
        }
    }
    return false;
}

/* Does the script know that it may be a job: does it ask for its place, or for Slurm? */
static bool knows_place(const struct be_lint *lint) {
    if (be_script_mentions(lint->script, "scontrol", false) ||
        be_script_mentions(lint->script, "sbatch", false) ||
        be_script_mentions(lint->script, "slurm_script", true)) {
        return true;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        static const char *const tests[] = {"[", "[[", "test"};
        for (int k = 1;
             be_lint_is_one_of(command->word[0], tests, BE_COUNT(tests)) && k < command->words;
             k++) {
            if (strstr(command->word[k], "SLURM")) {
                return true;
            }
        }
    }
    return false;
}

/* Is the path on line `i` one that is tried: in the list of a `for`, or in a test? */
static bool is_tried(const struct be_script *script, size_t i) {
    static const char *const tries[] = {"for ", "[ -", "test -"};
    while (i > 0 && script->line[i - 1].span.length > 0 &&
           script->code[script->line[i - 1].span.at + script->line[i - 1].span.length - 1] ==
               '\\') {
        i--;
    }
    const struct be_span line = script->line[i].span;
    for (size_t k = 0; k < BE_COUNT(tries); k++) {
        if (memmem(script->code + line.at, line.length, tries[k], strlen(tries[k]))) {
            return true;
        }
    }
    return false;
}

/* Is what is set on that line there only where there is no job: ${SLURM_SUBMIT_DIR:-$root}? */
static bool is_fallback(const struct be_script *script, struct be_span line) {
    for (size_t i = 0; i < script->assignments; i++) {
        const struct be_script_assignment *set = &script->assignment[i];
        char plain[BE_NOTE], braced[BE_NOTE];
        if (set->span.at < line.at || set->span.at >= line.at + line.length) {
            continue;
        }
        snprintf(plain, sizeof plain, "SLURM_SUBMIT_DIR:-$%.100s", set->name);
        snprintf(braced, sizeof braced, "SLURM_SUBMIT_DIR:-${%.100s", set->name);
        if (strstr(script->code, plain) || strstr(script->code, braced)) {
            return true;
        }
    }
    return false;
}

void be_check_spool_path(struct be_lint *lint) {
    static const char *const names[] = {"$0", "{0", "BASH_SOURCE"};
    const struct be_script *script = lint->script;
    if (!script->shell || script->options == 0 || lint->options->lsf || knows_place(lint)) {
        return;
    }
    for (size_t i = 0; i < script->lines; i++) {
        const struct be_span line = script->line[i].span;
        for (size_t k = 0; script->line[i].kind == BE_LINE_COMMAND && k < BE_COUNT(names); k++) {
            const char *found =
                memmem(script->code + line.at, line.length, names[k], strlen(names[k]));
            size_t at = found ? (size_t)(found - script->code) : 0;
            bool braced = found && at > 0 && names[k][0] == 'B' && script->code[at - 1] == '{';
            if (!found || (names[k][1] == '0' && isalnum((unsigned char)found[2])) ||
                !is_folder(script->code, line.at, at - braced) ||
                memmem(script->code + line.at, line.length, "SLURM", 5) || is_tried(script, i) ||
                is_fallback(script, line)) {
                continue;
            }
            be_lint_advise(be_lint_add(lint, BE_WARNING, line,
                                       "a job runs a copy of the script in Slurm's spool folder, "
                                       "and this names that folder"),
                           "\"$SLURM_SUBMIT_DIR\", where sbatch was called, or a whole path");
            return;
        }
    }
}

/* ---- conda --------------------------------------------------------------------------------------- */

/* May the command define conda's shell function, or read a file that does? */
static bool may_hook(const struct be_script_command *command) {
    static const char *const reads[] = {"source", ".", "eval"};
    static const char *const modules[] = {"conda", "mamba", "forge", "python", "$"};
    static const char *const takes_away[] = {"unload", "rm", "del", "list", "avail", "purge"};
    if (be_lint_is_one_of(command->word[0], reads, BE_COUNT(reads))) {
        return true;
    }
    for (int i = 1;
         (strcmp(command->word[0], "module") == 0 || strcmp(command->word[0], "ml") == 0) &&
         i < command->words &&
         !be_lint_is_one_of(command->word[1], takes_away, BE_COUNT(takes_away));
         i++) {
        for (size_t k = 0; k < BE_COUNT(modules); k++) {
            if (strcasestr(command->word[i], modules[k])) {
                return true; /* some sites' modules bring the function along */
            }
        }
    }
    return strstr(command->word[0], "conda.sh") || strchr(command->word[0], '$');
}

/* A login or interactive shell reads files in which conda init has put the function. */
static bool reads_profile(const struct be_script *script) {
    const char *end = memchr(script->text, '\n', script->length);
    size_t length = end ? (size_t)(end - script->text) : script->length;
    const char *blank = memchr(script->text, ' ', length);
    for (; blank; blank = memchr(blank + 1, ' ', length - (size_t)(blank + 1 - script->text))) {
        if (blank[1] == '-' && (strncmp(blank + 1, "--login", 7) == 0 ||
                                strcspn(blank + 1, "li") < strcspn(blank + 1, " \n"))) {
            return true;
        }
    }
    return false;
}

void be_check_conda_activate(struct be_lint *lint) {
    static const char *const programs[] = {"conda", "mamba", "micromamba"};
    if (!lint->script->shell || reads_profile(lint->script)) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (may_hook(command)) {
            return;
        }
        if (command->words > 1 && strcmp(command->word[1], "activate") == 0 &&
            be_lint_is_one_of(command->word[0], programs, BE_COUNT(programs))) {
            const char *name = command->word[0];
            struct be_lint_finding *finding =
                be_lint_add(lint, BE_WARNING, command->span,
                            "a script does not read ~/.bashrc, where %s's shell function is "
                            "defined: unless the site defines it (BASH_ENV), this fails and what "
                            "follows runs without the environment",
                            name);
            if (strcmp(name, "micromamba") == 0) {
                be_lint_advise(finding,
                               "before it: eval \"$(micromamba shell hook --shell bash)\"");
            } else {
                be_lint_advise(finding, "before it: source \"$(conda info --base)/etc/profile.d/"
                                        "conda.sh\", with conda in PATH");
            }
            return;
        }
    }
}

/* ---- variables ----------------------------------------------------------------------------------- */

static const char *const for_programs[] = {"OMP_NUM_THREADS",
                                           "MKL_NUM_THREADS",
                                           "OPENBLAS_NUM_THREADS",
                                           "NUMEXPR_NUM_THREADS",
                                           "BLIS_NUM_THREADS",
                                           "JULIA_NUM_THREADS",
                                           "OMP_PROC_BIND",
                                           "OMP_PLACES",
                                           "SRUN_CPUS_PER_TASK",
                                           "NCCL_DEBUG",
                                           "NCCL_SOCKET_IFNAME",
                                           "TOKENIZERS_PARALLELISM",
                                           "PYTORCH_CUDA_ALLOC_CONF",
                                           "MASTER_ADDR",
                                           "MASTER_PORT",
                                           "HF_HOME"};

/* Is a variable exported anywhere in the script, or used by the shell itself? */
static bool is_passed_on(const struct be_lint *lint, const char *name) {
    const struct be_script *script = lint->script;
    static const char *const exports[] = {"export", "declare", "typeset", "env"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < script->commands; i++) {
        const struct be_script_command *command = &script->command[i];
        bool allexport = strcmp(command->word[0], "set") == 0 && command->words > 1 &&
                         (strcmp(command->word[1], "-a") == 0 ||
                          strcmp(command->word[command->words - 1], "allexport") == 0);
        if (allexport) {
            return true;
        }
        for (int k = 1;
             be_lint_is_one_of(command->word[0], exports, BE_COUNT(exports)) && k < command->words;
             k++) {
            if (strncmp(command->word[k], name, length) == 0 &&
                strchr("=", command->word[k][length])) {
                return true;
            }
        }
    }
    for (const char *at = script->code; (at = strstr(at, name)); at += length) {
        bool uses = at > script->code && (at[-1] == '$' || at[-1] == '{');
        if (uses && !isalnum((unsigned char)at[length]) && at[length] != '_') {
            return true; /* a command gets it as an argument */
        }
    }
    return false;
}

void be_check_not_exported(struct be_lint *lint) {
    for (size_t i = 0; lint->script->shell && i < BE_COUNT(for_programs); i++) {
        const struct be_script_assignment *set = be_script_sets(lint->script, for_programs[i]);
        if (!set || be_lint_is_prefix(lint, set) || is_passed_on(lint, for_programs[i])) {
            continue;
        }
        struct be_lint_finding *finding =
            be_lint_add(lint, BE_WARNING, set->span,
                        "without export no program gets %s from the script", for_programs[i]);
        be_lint_advise(finding, "export %s=%s", set->name, set->value);
    }
}

/* ---- modules ------------------------------------------------------------------------------------- */

static bool is_module(const struct be_script_command *command, const char *const *words) {
    static const char *const programs[] = {"module", "ml"};
    for (size_t k = 0; words[k]; k++) {
        if (command->words > 1 && strcmp(command->word[1], words[k]) == 0 &&
            be_lint_is_one_of(command->word[0], programs, BE_COUNT(programs))) {
            return true;
        }
    }
    return false;
}

void be_check_modules_purged(struct be_lint *lint) {
    static const char *const loads[] = {"load", "add", "restore", "swap", "use", NULL},
                             *const purges[] = {"purge", "reset", NULL};
    const struct be_script_command *loaded = NULL, *purged = NULL;
    for (size_t i = 0; lint->script->shell && i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (is_module(command, loads) || strcmp(command->word[0], "ml") == 0) {
            bool load = is_module(command, loads) || !is_module(command, purges);
            loaded = load ? command : loaded;
            purged = load ? NULL : purged;
        }
        if (is_module(command, purges)) {
            purged = loaded ? command : NULL;
        } else if (!be_lint_is_setup(command)) {
            if (purged) {
                be_lint_advise(be_lint_add(lint, BE_WARNING, purged->span,
                                           "unloads what was loaded before it, and what runs next "
                                           "has no module"),
                               "module purge first, then module load");
                return;
            }
            loaded = NULL; /* what ran had it */
        }
    }
}

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
    size_t stops[2] = {0, 0}; /* where sbatch reads no further, --array may come later */
    if (!script->shell || script->options == 0 || be_script_option(script, -1, "array") ||
        lint->options->lsf || be_lint_fault(lint, &stops[0], BE_FAULT_COLON) ||
        be_lint_fault(lint, &stops[1], BE_FAULT_QUOTE)) {
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

/* ---- the site ------------------------------------------------------------------------------------ */

/* Checks what each job of the site names, beside the account, which has a rule of its own. */
void be_check_site_needs(struct be_lint *lint) {
    const struct be_cluster *cluster = lint->options->cluster;
    const struct be_script *script = lint->script;
    char known[BE_NOTE] = "";
    for (int i = 0; cluster && script->options > 0 && i < cluster->requireds; i++) {
        const char *name = cluster->required[i];
        if (strcmp(name, "account") == 0 || be_script_option(script, -1, name)) {
            continue;
        }
        if (strcmp(name, "qos") == 0) {
            be_cluster_qoses(cluster, known, sizeof known);
        } else if (strcmp(name, "partition") == 0) {
            be_cluster_partitions(cluster, known, sizeof known);
        }
        be_lint_advise(be_lint_add(lint, BE_ADVICE, script->option[0].name,
                                   "on %s each job names --%s: without it the job is refused, or "
                                   "goes where it is not meant to",
                                   cluster->name, name),
                       "#SBATCH --%s=..%s%.200s", name, *known ? ", one of " : "", known);
        *known = '\0';
    }
}
