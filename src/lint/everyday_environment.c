/* Rules about where a script is, and what its programs get as environment. */
#include <ctype.h>
#include <stdio.h>
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
                memmem(script->code + line.at, line.length, "SLURM", 5)) {
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
    if (be_lint_is_one_of(command->word[0], reads, BE_COUNT(reads))) {
        return true;
    }
    for (int i = 1;
         (strcmp(command->word[0], "module") == 0 || strcmp(command->word[0], "ml") == 0) &&
         i < command->words;
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
                            "defined: this fails, and what follows runs without the environment",
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
        if (!set || be_everyday_is_prefix(lint, set) || is_passed_on(lint, for_programs[i])) {
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
        } else if (!be_everyday_is_setup(command)) {
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
