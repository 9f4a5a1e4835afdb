/* Rules about one option and its value. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "lint/rules.h"

static bool is_literal_text(const struct be_script_option *option) {
    return option->text && strpbrk(option->text, "$`");
}

/* The gravity of a value that is refused. For some options sbatch looks only at the last, when all have been read;
 * --hint and --propagate it may never look at. */
static enum be_severity gravity(const struct be_lint *lint, const struct be_script_option *option) {
    static const enum be_sbatch_kind late[] = {BE_KIND_ARRAY, BE_KIND_DEPENDENCY, BE_KIND_GPUS,
                                               BE_KIND_GRES, BE_KIND_LIMITS};
    const char *own = option->option->same ? option->option->same : option->option->name;
    bool hint = strcmp(own, "hint") == 0, is_late = hint;
    for (size_t i = 0; i < BE_COUNT(late); i++) {
        is_late = is_late || option->option->kind == late[i];
    }
    bool last = be_script_option(lint->script, option->component, own) == option;
    bool unread =
        hint ? be_lint_given(lint, "extra-node-info") || be_lint_given(lint, "ntasks-per-core") ||
                   be_lint_given(lint, "threads-per-core")
             : option->option->kind == BE_KIND_LIMITS && be_lint_given(lint, "get-user-env");
    return (is_late && !last) || unread ? BE_WARNING : BE_ERROR;
}

/* "1.5G", "0.5 TB": a size with a fraction, in the next smaller unit. */
static bool spell_memory(const char *text, char *to, size_t capacity) {
    static const char units[] = "KMGT";
    char *end = NULL;
    double number = strtod(text, &end);
    const char *unit = isdigit((unsigned char)*text) && *end
                           ? strchr(units + 1, toupper((unsigned char)*end))
                           : NULL;
    if (!unit || !*unit || !(number > 0 && number < 1e6) || !strchr(text, '.') ||
        (end[1] && strcasecmp(end + 1, "B") != 0)) {
        return false;
    }
    snprintf(to, capacity, "%.0f%c", number * 1024, unit[-1]);
    return true;
}

/* Says how to mend a value that is refused, and has the fix where there is one. */
static void mend_value(struct be_lint *lint, struct be_lint_finding *finding,
                       const struct be_script_option *option, const char *want) {
    char fixed[BE_NAME];
    const char *text = option->text, *raw = lint->script->text;
    size_t last = strlen(text) ? strlen(text) - 1 : 0;
    snprintf(fixed, sizeof fixed, "%.*s", (int)(last < BE_NAME ? last : 0), text);
    if (be_lint_plain_blanks(lint, finding, option->value)) {
        be_lint_advise(finding, "there is a no-break space in it: write a plain one or none");
    } else if (last && strchr(",;", text[last]) && *fixed &&
               !be_sbatch_refuses(option->option, fixed)) {
        be_lint_advise(finding, "write %s, without the %s", fixed,
                       text[last] == ',' ? "comma" : "semicolon");
        if (raw[option->value.at + option->value.length - 1] == text[last]) {
            be_lint_replace(lint, finding,
                            (struct be_span){option->value.at + option->value.length - 1, 1}, true,
                            "");
        }
    } else if (text[0] == '=' && !be_sbatch_refuses(option->option, text + 1)) {
        bool letter = raw[option->name.at + 1] != '-';
        if (letter) {
            be_lint_advise(finding, "after a letter no = is written: -%c %s",
                           option->option->letter, text + 1);
        } else {
            be_lint_advise(finding, "write one =: --%s%s", option->option->name, text);
        }
        if (raw[option->value.at] == '=') { /* not within quotes */
            be_lint_replace(lint, finding, (struct be_span){option->value.at, 1}, true,
                            letter ? " " : "");
        }
    } else if (!*text || strcmp(text, "=") == 0) {
        be_lint_advise(finding,
                       "write --%s=VALUE, with no blank beside the =", option->option->name);
    } else if (option->option->kind == BE_KIND_DURATION &&
               be_lint_duration(text, fixed, sizeof fixed)) {
        be_lint_advise(finding, "write %s", fixed);
        be_lint_replace(lint, finding, option->value, true, fixed);
    } else if (option->option->kind == BE_KIND_MEMORY && spell_memory(text, fixed, sizeof fixed)) {
        be_lint_advise(finding, "write %s: it takes whole numbers", fixed);
        be_lint_replace(lint, finding, option->value, true, fixed);
    } else {
        be_lint_advise(finding, "it takes %s", want);
    }
}

void be_check_value(struct be_lint *lint) {
    for (size_t i = 0; i < lint->script->options; i++) {
        const struct be_script_option *option = &lint->script->option[i];
        const char *want = option->text ? be_sbatch_refuses(option->option, option->text) : NULL;
        char fixed[BE_NOTE];
        if (!want || is_literal_text(option) ||
            be_lint_single_dash(lint, option, fixed, sizeof fixed)) {
            continue; /* the rules about variables and single hyphens have it */
        }
        struct be_lint_finding *finding = be_lint_add(
            lint, gravity(lint, option), option->value.length ? option->value : option->name,
            "\"%.80s\" is no value of --%s: sbatch refuses it", option->text, option->option->name);
        mend_value(lint, finding, option, want);
    }
}

void be_check_variable(struct be_lint *lint) {
    for (size_t i = 0; i < lint->script->options; i++) {
        const struct be_script_option *option = &lint->script->option[i];
        const char *name = option->option->name;
        bool home = option->text && strncmp(option->text, "~/", 2) == 0;
        if ((!is_literal_text(option) && !home) || strcmp(name, "wrap") == 0 ||
            strcmp(name, "comment") == 0) {
            continue;
        }
        bool refused = be_sbatch_refuses(option->option, option->text);
        struct be_lint_finding *finding =
            be_lint_add(lint, refused ? gravity(lint, option) : BE_WARNING, option->value,
                        "sbatch does not expand \"%.80s\": %s", option->text,
                        refused ? "it refuses the value" : "the value is taken as it stands");
        bool file = strcmp(name, "output") == 0 || strcmp(name, "error") == 0;
        be_lint_advise(finding, "%s",
                       file
                           ? "sbatch's own patterns: %j job, %A_%a array, %x name, %u user, %N node"
                           : "write the value, or give the option when submitting: sbatch --..");
    }
}

void be_check_newer(struct be_lint *lint) {
    for (size_t i = 0; i < lint->script->options; i++) {
        const struct be_script_option *option = &lint->script->option[i];
        char since[BE_SBATCH_SINCE];
        bool word = option->text && be_sbatch_since(option->option, option->text, since);
        if (!word && !option->option->since) {
            continue;
        }
        const char *version = word ? since : option->option->since;
        const enum be_lint_holds there = be_lint_holds(lint, version, NULL);
        if (there != BE_HOLDS) {
            be_lint_advise(be_lint_add(lint, there == BE_HOLDS_NOT ? BE_ERROR : BE_WARNING,
                                       be_lint_span(option), "--%s%s%.80s needs Slurm %s or newer",
                                       option->option->name, word ? "=" : "",
                                       word ? option->text : "", version),
                           "`sbatch --version` says what there is");
        }
    }
}

/* ---- what a later Slurm refuses ------------------------------------------------------------------ */

/* --gpus-per-task is of tasks that nothing counts: --ntasks-per-node alone does not, without --nodes. */
static bool counts_no_tasks(const struct be_lint *lint, int component,
                            const struct be_script_option *option) {
    static const char *const counts[] = {"ntasks", "gpus", "nodes"};
    struct be_sbatch_gpus gpus = {0};
    bool tres = strcmp(option->option->name, "tres-per-task") == 0;
    bool wanted = tres ? strstr(option->text, "gpu") != NULL
                       : be_sbatch_gpus(option->option, option->text, &gpus) && gpus.count > 0 &&
                             be_script_option(lint->script, component, "ntasks-per-node");
    for (size_t i = 0; i < BE_COUNT(counts); i++) {
        wanted = wanted && !be_script_option(lint->script, component, counts[i]);
    }
    return wanted;
}

/* "1000-2000": with a governor behind a colon both take it. One that another wins over is refused, too. */
static bool is_bare_range(const struct be_lint *lint, int component,
                          const struct be_script_option *option) {
    for (size_t i = 0; i < lint->script->options; i++) {
        const struct be_script_option *at = &lint->script->option[i];
        if (at->option == option->option && at->component == component && at->text &&
            strchr(at->text, '-') && !strchr(at->text, ':') &&
            !be_sbatch_refuses(at->option, at->text)) {
            return true;
        }
    }
    return false;
}

/* Options that a later Slurm refuses, together or by themselves. `word`: a value of the first that it is about. */
static const struct {
    const char *one, *word, *other;
    bool (*is)(const struct be_lint *, int, const struct be_script_option *one);
    const char *takes, *refuses; /* the last version that takes it, the first that refuses it */
    const char *before;          /* what older ones make of both; NULL: what is asked for */
    const char *advice;
} later[] = {
    {"oversubscribe", NULL, "exclusive", NULL, "22.05", "23.02", "the last of them counts",
     "keep one of them"},
    {"distribution", "arbitrary", "nodes", NULL, "22.05", "24.11", NULL, "keep one of them"},
    {"tres-per-task", "cpu", "cpus-per-task", NULL, "22.05", "24.11", NULL, "keep one of them"},
    {"tres-per-task", NULL, "ntasks-per-gpu", NULL, "22.05", "24.11", NULL, "keep one of them"},
    {"gpus-per-task", NULL, NULL, counts_no_tasks, "22.05", "24.11", NULL, "add --ntasks"},
    {"tres-per-task", NULL, NULL, counts_no_tasks, "22.05", "24.11", NULL, "add --ntasks"},
    {"cpu-freq", NULL, NULL, is_bare_range, "22.05", "23.11", NULL,
     "one frequency, or a governor behind the range: low-high:ondemand"},
};

static void later_refusal(struct be_lint *lint, int component, size_t i) {
    const struct be_script_option *one = be_script_option(lint->script, component, later[i].one);
    const struct be_script_option *other =
        later[i].other ? be_script_option(lint->script, component, later[i].other) : one;
    if (!one || !other || (later[i].word && !(one->text && strstr(one->text, later[i].word))) ||
        (later[i].is && !(one->text && later[i].is(lint, component, one)))) {
        return;
    }
    const enum be_severity severity = be_lint_refuses(lint, later[i].takes, later[i].refuses);
    const struct be_script_option *last = one->name.at > other->name.at ? one : other;
    char beside[BE_NAME] = " as it is here";
    if (later[i].other) {
        snprintf(beside, sizeof beside, " beside --%s", later[i].other);
    }
    if (severity != BE_ADVICE) {
        be_lint_advise(be_lint_add(lint, severity, be_lint_span(last),
                                   "--%s%s%s%s: Slurm %s and newer refuse the job", later[i].one,
                                   later[i].word ? "=" : "", later[i].word ? later[i].word : "",
                                   beside, later[i].refuses),
                       "%s", later[i].advice);
    } else if (later[i].before) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(last), "--%s and --%s: %s",
                                   later[i].one, later[i].other, later[i].before),
                       "%s", later[i].advice);
    }
}

void be_check_newer_refusal(struct be_lint *lint) {
    for (int component = 0; component < lint->script->components; component++) {
        for (size_t i = 0; i < BE_COUNT(later); i++) {
            later_refusal(lint, component, i);
        }
    }
}

void be_check_no_mail(struct be_lint *lint) {
    const struct be_script_option *user = be_script_option(lint->script, -1, "mail-user");
    if (user && be_lint_of_sbatch(user) && !be_lint_given(lint, "mail-type")) {
        be_lint_advise(
            be_lint_add(lint, BE_ADVICE, be_lint_span(user), "no mail is sent without --mail-type"),
            "#SBATCH --mail-type=END,FAIL");
    }
}

void be_check_mail_word(struct be_lint *lint) {
    for (size_t i = 0; i < lint->script->options; i++) {
        const struct be_script_option *option = &lint->script->option[i];
        if (option->option->kind != BE_KIND_SOME || !option->text ||
            be_sbatch_refuses(option->option, option->text)) {
            continue;
        }
        for (const char *at = option->text; *at;) {
            char word[BE_NAME];
            size_t length = strcspn(at, ","), blanks = strspn(at, " ");
            size_t capacity = length < sizeof word ? length + 1 : sizeof word;
            be_copy_text(word, capacity, at);
            if (*word && be_sbatch_refuses(option->option, word)) {
                be_lint_advise(
                    be_lint_add(lint, BE_WARNING, option->value,
                                "sbatch passes over \"%s\" in --%s", word, option->option->name),
                    blanks ? "no blank after a comma" : "it knows %s", option->option->words);
            }
            at += length + (at[length] == ',');
        }
    }
}

/* slurm.conf, MaxArraySize: 1001 unless the site says otherwise; indices stay below it. */
void be_check_array_large(struct be_lint *lint) {
    const struct be_script_option *option = be_script_option(lint->script, -1, "array");
    long largest = 0;
    if (!option || !option->text || be_sbatch_refuses(option->option, option->text)) {
        return;
    }
    for (const char *at = option->text; *at && *at != '%'; at++) {
        char *end = NULL;
        if (isdigit((unsigned char)*at)) {
            long number = strtol(at, &end, 10);
            largest = number > largest ? number : largest;
            at = end - 1;
        }
    }
    if (largest > 1000) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, option->value,
                                   "%ld: sites that have not raised MaxArraySize take 0 to "
                                   "1000 and refuse the job",
                                   largest),
                       "`scontrol show config | grep MaxArraySize` has the site's; let a task do "
                       "several pieces");
    }
}

void be_check_prints(struct be_lint *lint) {
    static const char *const names[] = {"help", "usage", "version", "test-only"};
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        const struct be_script_option *option = be_script_option(lint->script, -1, names[i]);
        if (option) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, option->name,
                                       "with --%s sbatch submits nothing", names[i]),
                           "leave it out");
        }
    }
}

void be_check_gres_help(struct be_lint *lint) {
    const struct be_script_option *option = be_script_option(lint->script, -1, "gres");
    if (option && option->text && strcasecmp(option->text, "help") == 0) {
        be_lint_advise(
            be_lint_add(lint, BE_WARNING, option->value, "with --gres=help sbatch submits nothing"),
            "name what is asked for: gpu:1");
    }
}

static const char *again(const struct be_script *script, const struct be_script_option *last,
                         char where[BE_NAME]) {
    snprintf(where, BE_NAME, "in line %zu", be_script_line_at(script, last->name.at) + 1);
    return last->origin == BE_LINE_GIVEN ? "there" : where;
}

/* That the command line says otherwise than the script is what it is for. */
void be_check_repeated(struct be_lint *lint) {
    const struct be_script *script = lint->script;
    char where[BE_NAME];
    for (size_t i = 0; i < script->options; i++) {
        const struct be_script_option *option = &script->option[i];
        const char *own = option->option->same ? option->option->same : option->option->name;
        const struct be_script_option *last = be_script_option(script, option->component, own);
        if (last == option || !last->text || !option->text ||
            strcmp(own, "mail-type") == 0 || /* these add up: seen with 22.05.8 and 24.11.5 */
            strcmp(last->text, option->text) == 0 || option->origin != last->origin) {
            continue;
        }
        be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(option),
                                   "--%s stands again %s, and the last counts: %.60s", own,
                                   again(script, last, where), last->text),
                       "keep one of them");
    }
}
