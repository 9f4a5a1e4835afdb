/* Rules about what sbatch cannot read: each fault of the parser, in words. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "lint/rules.h"

enum { SHOWN = 80 };

void be_check_empty(struct be_lint *lint) {
    size_t index = 0;
    if (be_lint_fault(lint, &index, BE_FAULT_EMPTY)) {
        be_lint_advise(
            be_lint_add(lint, BE_ERROR, (struct be_span){0, 0}, "there is nothing in it"),
            "was the file saved?");
    }
}

void be_check_interpreter(struct be_lint *lint) {
    size_t index = 0;
    const struct be_script_fault *fault = be_lint_fault(lint, &index, BE_FAULT_NO_INTERPRETER);
    if (!fault) {
        return;
    }
    const char *text = lint->script->text;
    size_t skip = fault->span.length, blanks = strspn(text + skip, " \t\r\n");
    struct be_span before = {0, skip + blanks};
    if (strncmp(text + skip + blanks, "#!", 2) == 0) {
        struct be_lint_finding *finding =
            be_lint_add(lint, BE_ERROR, before, "%s before \"#!\": sbatch refuses the script",
                        skip ? "a byte order mark" : "blanks or empty lines");
        be_lint_advise(finding, "let the file begin with \"#!\"");
        be_lint_replace(lint, finding, before, true, "");
        return;
    }
    struct be_lint_finding *finding =
        be_lint_add(lint, BE_ERROR, (struct be_span){0, 0},
                    "the first line names no interpreter: sbatch refuses the script");
    be_lint_advise(finding, "begin with #!/bin/bash, or whatever runs the rest");
    be_lint_replace(lint, finding, (struct be_span){0, skip}, false, "#!/bin/bash\n");
}

/* Carriage returns alone, as Macs ended lines long ago and some tables are still saved: all is one line, which
 * sbatch takes and no interpreter can be found for. */
static void check_old_mac(struct be_lint *lint) {
    const char *text = lint->script->text, *first = memchr(text, '\r', lint->script->length);
    const char *end = memchr(text, '\n', lint->script->length);
    if (!first || (end && end < first)) {
        return;
    }
    struct be_lint_finding *finding = be_lint_add(
        lint, BE_WARNING, (struct be_span){(size_t)(first - text), 1},
        "carriage returns alone end the lines: to sbatch and the shell all is one line");
    for (size_t at = 0; at < lint->script->length && (!end || at < (size_t)(end - text)); at++) {
        if (text[at] == '\r') {
            be_lint_replace(lint, finding, (struct be_span){at, 1}, false, "\n");
        }
    }
    be_lint_advise(finding, "save it with line ends of Unix, as mac2unix does");
}

void be_check_carriage(struct be_lint *lint) {
    size_t index = 0;
    const struct be_script_fault *fault = be_lint_fault(lint, &index, BE_FAULT_CARRIAGE);
    if (!fault) {
        check_old_mac(lint);
        return;
    }
    size_t lines = 0;
    struct be_lint_finding *finding = be_lint_add(lint, BE_ERROR, fault->span, "%s", "");
    for (size_t at = 0; at + 1 < lint->script->length; at++) {
        if (memcmp(lint->script->text + at, "\r\n", 2) == 0) {
            be_lint_replace(lint, finding, (struct be_span){at, 1}, true, "");
            lines++;
        }
    }
    snprintf(finding->text, sizeof finding->text,
             "%zu line%s with a carriage return, as on Windows: sbatch refuses the script", lines,
             lines == 1 ? " ends" : "s end");
    be_lint_advise(finding, "take them out, as dos2unix does");
}

void be_check_null(struct be_lint *lint) {
    size_t index = 0;
    const struct be_script_fault *fault = be_lint_fault(lint, &index, BE_FAULT_NULL);
    if (fault) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, fault->span,
                                   "a byte 0: Slurm's controller refuses the script"),
                       "save the file as plain text (UTF-8, not UTF-16)");
    }
}

void be_check_quote(struct be_lint *lint) {
    const struct be_script_fault *fault;
    for (size_t index = 0; (fault = be_lint_fault(lint, &index, BE_FAULT_QUOTE));) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, fault->span,
                                   "the quote does not end on its line: sbatch stops here"),
                       "end it, or write a backslash before an apostrophe that is meant");
    }
}

void be_check_colon(struct be_lint *lint) {
    const struct be_script_fault *fault;
    for (size_t index = 0; (fault = be_lint_fault(lint, &index, BE_FAULT_COLON));) {
        const char *text = lint->script->text;
        struct be_lint_finding *finding = be_lint_add(
            lint, BE_ERROR, fault->span, "a word that begins with a colon: sbatch stops here");
        if (fault->span.at >= 7 && strncmp(text + fault->span.at - 7, "#SBATCH", 7) == 0 &&
            strchr(" \t", text[fault->span.at + 1])) {
            be_lint_advise(finding, "write #SBATCH, without the colon");
            be_lint_replace(lint, finding, (struct be_span){fault->span.at, 1}, true, "");
            continue;
        }
        be_lint_advise(finding, "in a script, a line `#SBATCH hetjob` separates components");
    }
}

/* ---- words that are no option ------------------------------------------------------------------- */

void be_check_dashes(struct be_lint *lint) {
    for (size_t i = 0; i < lint->script->faults; i++) {
        const struct be_script_fault *fault = &lint->script->fault[i];
        const char *raw = lint->script->text + fault->span.at;
        size_t length = be_lint_dashes(raw);
        if (!length || (fault->kind != BE_FAULT_BARE && fault->kind != BE_FAULT_UNKNOWN)) {
            continue;
        }
        struct be_span dashes = {fault->span.at, length};
        const char *after = raw + length;
        bool one = isalpha((unsigned char)after[0]) && !isalpha((unsigned char)after[1]);
        struct be_lint_finding *finding =
            be_lint_add(lint, BE_ERROR, dashes,
                        "a long dash (not in ASCII) where hyphens belong: sbatch sees no option");
        be_lint_advise(finding, "write %s; a word processor made it one", one ? "-" : "--");
        be_lint_replace(lint, finding, dashes, true, one ? "-" : "--");
    }
}

/* sbatch's option for what other systems, and Slurm long ago, call so; NULL: none. */
static const char *other_name(const char *name) {
    static const struct {
        const char *name, *meant;
    } others[] = {{"workdir", "chdir"},
                  {"dir", "chdir"},
                  {"workingdir", "chdir"},
                  {"walltime", "time"},
                  {"wall", "time"},
                  {"time-limit", "time"},
                  {"memory", "mem"},
                  {"queue", "partition"},
                  {"name", "job-name"},
                  {"email", "mail-user"},
                  {"ppn", "ntasks-per-node"},
                  {"ncpus", "cpus-per-task"},
                  {"threads", "cpus-per-task"},
                  {"num-gpus", "gpus"},
                  {"ngpus", "gpus"},
                  {"project", "account"},
                  {"stdout", "output"},
                  {"stderr", "error"},
                  {"log", "output"},
                  {"gpu-type", "gpus"},
                  {"share", "oversubscribe"},
                  {"num-nodes", "nodes"},
                  {"depend", "dependency"},
                  {"jobname", "job-name"}};
    for (size_t i = 0; i < BE_COUNT(others); i++) {
        size_t length = strlen(others[i].name);
        if (strncmp(name, others[i].name, length) == 0 && (!name[length] || name[length] == '=')) {
            return others[i].meant;
        }
    }
    return NULL;
}

static bool is_of_srun(const char *name) {
    static const char *const options[] = {"pty",
                                          "mpi",
                                          "label",
                                          "unbuffered",
                                          "multi-prog",
                                          "exact",
                                          "overlap",
                                          "cpu-bind",
                                          "kill-on-bad-exit",
                                          "bcast",
                                          "resv-ports",
                                          "task-prolog",
                                          "task-epilog",
                                          "slurmd-debug",
                                          "het-group",
                                          "accel-bind",
                                          "disable-status",
                                          "preserve-env",
                                          "relative",
                                          "whole",
                                          "send-libs",
                                          "jobid",
                                          "threads",
                                          "msg-timeout"};
    for (size_t i = 0; i < BE_COUNT(options); i++) {
        size_t length = strlen(options[i]);
        if (strncmp(name, options[i], length) == 0 && (!name[length] || name[length] == '=')) {
            return true;
        }
    }
    return false;
}

/* The plugin of a site (SPANK) that adds an option to sbatch; NULL: none that is known. By their manuals: pyxis of
 * NVIDIA and Shifter of NERSC run jobs in containers, EAR of the BSC counts and saves energy. */
static const char *plugin_of(const char *name) {
    static const struct {
        const char *plugin, *options; /* with blanks around each */
    } plugins[] = {
        {"pyxis",
         " container-image container-mounts container-workdir container-name container-save "
         "container-mount-home container-remap-root container-entrypoint container-entrypoint-log "
         "container-env container-writable container-readonly no-container-mount-home "
         "no-container-remap-root no-container-entrypoint no-container-entrypoint-log "},
        {"Shifter", " image volume module entrypoint ccm "},
        {"EAR", " ear ear-cpufreq ear-gpufreq ear-policy ear-policy-th ear-user-db ear-verbose "
                "ear-learning "
                "ear-tag ear-mpi-dist "},
        {"of the Ohio Supercomputer Center (GPU's compute mode)", " gpu_cmode "},
        {"X11", " x11 "}};
    char word[BE_NAME];
    const size_t length = strcspn(name, "=");
    if (length + 3 > sizeof word) {
        return NULL;
    }
    snprintf(word, sizeof word, " %.*s ", (int)length, name);
    for (size_t i = 0; i < BE_COUNT(plugins); i++) {
        if (strstr(plugins[i].options, word)) {
            return plugins[i].plugin;
        }
    }
    return NULL;
}

void be_check_unknown(struct be_lint *lint) {
    const struct be_script_fault *fault;
    char fixed[BE_NOTE];
    for (size_t index = 0; (fault = be_lint_fault(lint, &index, BE_FAULT_UNKNOWN));) {
        if (be_lint_is_single_dash(fault->word, fixed, sizeof fixed) ||
            be_lint_dashes(lint->script->text + fault->span.at)) {
            continue;
        }
        const char *name = fault->word + strspn(fault->word, "-"), *meant = other_name(name);
        const char *plugin = strncmp(fault->word, "--", 2) == 0 ? plugin_of(name) : NULL;
        struct be_lint_finding *finding = be_lint_add(
            lint, plugin ? BE_ADVICE : BE_ERROR, fault->span, "sbatch %shas no option %.*s",
            plugin ? "of itself " : "", (int)strcspn(fault->word, "="), fault->word);
        if (plugin) {
            be_lint_advise(finding, "the plugin %s adds it: right where the site has that", plugin);
        } else if (meant || fault->option) {
            be_lint_advise(finding, "is --%s meant?", meant ? meant : fault->option->name);
        } else if (is_of_srun(name)) {
            be_lint_advise(finding, "srun has it: it belongs on srun's own line");
        } else {
            be_lint_advise(finding, "`sbatch --help` lists those it has");
        }
    }
}

void be_check_several(struct be_lint *lint) {
    const struct be_script_fault *fault;
    for (size_t index = 0; (fault = be_lint_fault(lint, &index, BE_FAULT_SEVERAL));) {
        const char *name = fault->word + 2;
        size_t length = strcspn(name, "=");
        struct be_lint_finding *finding = be_lint_add(
            lint, BE_ERROR, fault->span, "--%.*s could be several options", (int)length, name);
        char list[BE_NOTE] = "";
        for (int others = 0; others < 2; others++) { /* "--gpu": --gpus first */
            for (const struct be_sbatch_option *at = be_sbatch_options; at->name; at++) {
                size_t used = strlen(list);
                if (strncmp(at->name, name, length) == 0 && used + 40 < sizeof list &&
                    (strlen(at->name) > length + 1) == others) {
                    snprintf(list + used, sizeof list - used, "%s--%s", used ? ", " : "", at->name);
                }
            }
        }
        be_lint_advise(finding, "write the one that is meant: %s", list);
    }
}

void be_check_no_value(struct be_lint *lint) {
    const struct be_script_fault *fault;
    size_t open = 0;
    const struct be_script_fault *quote = be_lint_fault(lint, &open, BE_FAULT_QUOTE);
    for (size_t index = 0; (fault = be_lint_fault(lint, &index, BE_FAULT_NO_VALUE));) {
        if (quote && be_script_line_at(lint->script, quote->span.at) ==
                         be_script_line_at(lint->script, fault->span.at)) {
            continue; /* its value is what the quote is in */
        }
        be_lint_advise(be_lint_add(lint, BE_ERROR, fault->span, "--%s needs a value", fault->word),
                       "--%s=VALUE", fault->word);
    }
}

void be_check_unwanted_value(struct be_lint *lint) {
    const struct be_script_fault *fault;
    char shown[SHOWN];
    for (size_t index = 0; (fault = be_lint_fault(lint, &index, BE_FAULT_VALUE));) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, fault->span,
                                   "--%s takes no value: sbatch refuses %s", fault->word,
                                   be_lint_shown(lint, fault->span, shown, sizeof shown)),
                       "write --%s, or leave it out", fault->word);
    }
}

void be_check_single_dash(struct be_lint *lint) {
    const struct be_script_fault *fault;
    char fixed[BE_NOTE];
    for (size_t index = 0; (fault = be_lint_fault(lint, &index, BE_FAULT_UNKNOWN));) {
        if (be_lint_is_single_dash(fault->word, fixed, sizeof fixed)) {
            struct be_lint_finding *finding =
                be_lint_add(lint, BE_ERROR, fault->span,
                            "one hyphen begins a letter, not a name: sbatch refuses it");
            be_lint_advise(finding, "write %s", fixed);
            be_lint_replace(lint, finding, fault->span, true, fixed);
        }
    }
    for (size_t i = 0; i < lint->script->options; i++) {
        const struct be_script_option *option = &lint->script->option[i];
        char word[BE_NOTE];
        struct be_span span = be_lint_span(option);
        be_lint_shown(lint, span, word, sizeof word);
        if (!be_lint_single_dash(lint, option, fixed, sizeof fixed)) {
            continue;
        }
        bool refused = be_sbatch_refuses(option->option, option->text);
        struct be_lint_finding *finding = be_lint_add(lint, refused ? BE_ERROR : BE_WARNING, span,
                                                      "%s is read as -%c with the value \"%s\"",
                                                      word, option->option->letter, option->text);
        be_lint_advise(finding, "write %s", fixed);
        be_lint_replace(lint, finding, span, refused, fixed);
    }
}

void be_check_other_option(struct be_lint *lint) {
    const struct be_script_fault *fault;
    char shown[SHOWN];
    for (size_t index = 0; (fault = be_lint_fault(lint, &index, BE_FAULT_OTHER_OPTION));) {
        if (lint->options->lsf) {
            return; /* bsub reads these lines, sbatch does not */
        }
        /* 24.11.5 knows -d and -w of #PBS. */
        const size_t line = be_script_line_at(lint->script, fault->span.at);
        const char *head = lint->script->text + lint->script->line[line].span.at;
        const bool later = strncmp(head, "#PBS", 4) == 0 && fault->word[0] == '-' &&
                           fault->word[1] && strchr("dw", fault->word[1]);
        const enum be_lint_holds known = be_lint_holds(lint, later ? "24.11" : NULL, NULL);
        if (later && known == BE_HOLDS) {
            continue;
        }
        be_lint_advise(be_lint_add(lint, later && known == BE_HOLDS_MAYBE ? BE_WARNING : BE_ERROR,
                                   fault->span,
                                   "sbatch %sreads #PBS and #BSUB lines, and refuses %s",
                                   later ? "before 24.11 " : "",
                                   be_lint_shown(lint, fault->span, shown, sizeof shown)),
                       "write it as #SBATCH; if the script is for bsub, say --lsf");
    }
}

void be_check_passed_resource(struct be_lint *lint) {
    static const struct {
        const char *name, *instead;
    } instead[] = {{"ngpus=", "#SBATCH --gpus-per-node="},
                   {"gpus=", "#SBATCH --gpus="},
                   {"procs=", "#SBATCH --ntasks="},
                   {"ompthreads=", "export OMP_NUM_THREADS="}};
    const struct be_script_fault *fault;
    for (size_t index = 0; (fault = be_lint_fault(lint, &index, BE_FAULT_PASSED));) {
        struct be_lint_finding *finding = be_lint_add(
            lint, BE_WARNING, fault->span, "sbatch passes over %.60s in #PBS -l", fault->word);
        for (size_t i = 0; i < BE_COUNT(instead); i++) {
            const size_t length = strlen(instead[i].name);
            if (strncmp(fault->word, instead[i].name, length) == 0) {
                be_lint_advise(finding, "%s%.20s", instead[i].instead, fault->word + length);
            }
        }
    }
}

/* ---- what is passed over -------------------------------------------------------------------------- */

/* Is the line after this one a command that was meant as the rest of a directive? */
static bool is_continued(const struct be_script *script, size_t line) {
    if (line + 1 >= script->lines || script->line[line + 1].kind != BE_LINE_COMMAND) {
        return false;
    }
    const char *next = script->text + script->line[line + 1].span.at;
    return next[strspn(next, " \t")] == '-';
}

void be_check_rest(struct be_lint *lint) {
    const struct be_script_fault *fault;
    for (size_t index = 0; (fault = be_lint_fault(lint, &index, BE_FAULT_REST));) {
        const char *at = lint->script->text + fault->span.at;
        size_t line = be_script_line_at(lint->script, fault->span.at);
        bool last = at[0] == '\\' && strspn(at + 1, " \t\r") + 1 >= fault->span.length;
        if (last && is_continued(lint->script, line)) {
            continue; /* continued-directive has it */
        }
        struct be_lint_finding *finding =
            be_lint_add(lint, BE_WARNING, fault->span,
                        last ? "the backslash continues nothing: each directive ends with its line"
                             : "sbatch passes over the rest of this line");
        if (last) {
            be_lint_advise(finding, "leave it out");
            be_lint_replace(lint, finding, fault->span, true, "");
        } else {
            be_lint_advise(finding, "leave it out; hetjob stands alone on its line");
        }
    }
}

void be_check_continued(struct be_lint *lint) {
    const struct be_script *script = lint->script;
    for (size_t i = 0; i + 1 < script->lines; i++) {
        struct be_span span = script->line[i].span;
        size_t end = span.length;
        while (end > 0 && isspace((unsigned char)script->text[span.at + end - 1])) {
            end--;
        }
        if (script->line[i].kind == BE_LINE_SBATCH && script->line[i].read && end > 0 &&
            script->text[span.at + end - 1] == '\\' && is_continued(script, i)) {
            be_lint_advise(
                be_lint_add(lint, BE_WARNING, script->line[i + 1].span,
                            "a directive cannot be continued: this line is a command, and sbatch "
                            "reads no directive after it"),
                "begin it with #SBATCH, and leave out the backslash before it");
        }
    }
}

void be_check_cut(struct be_lint *lint) {
    const struct be_script_fault *fault;
    char shown[SHOWN];
    for (size_t index = 0; (fault = be_lint_fault(lint, &index, BE_FAULT_CUT));) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, fault->span,
                                   "the # ends the value: \"%s\" is a remark",
                                   be_lint_shown(lint, fault->span, shown, sizeof shown)),
                       "put the value in quotes, or a blank before the remark");
    }
}

void be_check_packjob(struct be_lint *lint) {
    const struct be_script_fault *fault;
    for (size_t index = 0; (fault = be_lint_fault(lint, &index, BE_FAULT_PACKJOB));) {
        struct be_lint_finding *finding =
            be_lint_add(lint, BE_ADVICE, fault->span, "packjob is the old word for hetjob");
        be_lint_advise(finding, "write hetjob");
        be_lint_replace(lint, finding, fault->span, true, "hetjob");
    }
}
