/* Rules about GPUs that a job has and its program does not get. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "lint/everyday.h"

/* ---- containers ---------------------------------------------------------------------------------- */

/* Where exec or run of a container stands; 0: it is no such command. */
static int container_word(const struct be_script_command *command) {
    static const char *const programs[] = {"apptainer", "singularity"};
    static const char *const actions[] = {"exec", "run"};
    for (int i = 0; i < command->words; i++) {
        bool here = be_lint_is_one_of(command->word[i], programs, BE_COUNT(programs));
        for (int k = i + 1; here && k < command->words && k < i + 4; k++) {
            if (be_lint_is_one_of(command->word[k], actions, BE_COUNT(actions))) {
                return k;
            }
        }
    }
    return 0;
}

static bool is_container(const struct be_script_command *command) {
    static const char *const programs[] = {"apptainer", "singularity"};
    return container_word(command) > 0 ||
           be_lint_is_one_of(command->word[0], programs, BE_COUNT(programs));
}

/* May a word bring the GPU into the container, or a variable whose words are not seen? */
static bool may_bring_gpu(const struct be_lint *lint, const char *word) {
    static const char *const options[] = {"--nv", "--nvccli", "--rocm"};
    static const char *const names[] = {"nv",   "gpu", "rocm", "opt",  "flag",
                                        "args", "cmd", "exec", "cuda", "bind"};
    if (be_lint_is_one_of(word, options, BE_COUNT(options))) {
        return true;
    }
    char name[BE_NAME];
    if (word[0] != '$') {
        return false;
    }
    const char *from = word + 1 + strspn(word + 1, "{");
    size_t length = 0;
    while (isalnum((unsigned char)from[length]) || from[length] == '_') {
        length++;
    }
    be_copy_text(name, length + 1 < sizeof name ? length + 1 : sizeof name, from);
    const struct be_script_assignment *set = be_script_sets(lint->script, name);
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        if (strcasestr(name, names[i])) {
            return true;
        }
    }
    return set && (set->value[0] == '-' || set->value[0] == '(' || strstr(set->value, "--"));
}

/* The word of the command that a container runs: past exec, its options and the image. */
static int inside(const struct be_script_command *command, int action) {
    static const char *const valued[] = {
        "-B",      "--bind",    "--env", "--env-file", "--pwd", "--cwd",
        "-H",      "--home",    "-W",    "--workdir",  "-S",    "--scratch",
        "--mount", "--overlay", "-o",    "--network",  "--app"};
    int at = action + 1;
    while (at < command->words && command->word[at][0] == '-') {
        bool alone = strchr(command->word[at], '=') ||
                     !be_lint_is_one_of(command->word[at], valued, BE_COUNT(valued));
        at += alone ? 1 : 2;
    }
    return at + 1; /* past the image */
}

static bool wants_gpu(const struct be_lint *lint, const struct be_script_command *command) {
    const int action = container_word(command);
    const int at = inside(command, action);
    for (int i = 0; action && i < command->words; i++) {
        if (may_bring_gpu(lint, command->word[i])) {
            return false;
        }
    }
    const struct be_script_command run = {.word = command->word + at, .words = command->words - at};
    return action && (run.words < 1 || !be_lint_is_setup(&run));
}

/* AMD's devices are in each container, and an image for them brings the rest: LUMI runs them without --rocm. */
static bool is_amd(const struct be_lint *lint) {
    static const char *const partitions[] = {"standard-g", "small-g", "dev-g"};
    static const char *const words[] = {"rocm", "ROCR", "HIP_", "MIOPEN", "lumi", "LUMI"};
    const struct be_script_option *in = be_script_option(lint->script, 0, "partition");
    bool amd = in && in->text && be_lint_is_one_of(in->text, partitions, BE_COUNT(partitions));
    for (size_t i = 0; i < BE_COUNT(words) && !amd; i++) {
        amd = be_script_mentions(lint->script, words[i], true);
    }
    return amd;
}

void be_check_container(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    const struct be_script_command *first = NULL;
    if (!job.gpus || !lint->script->shell || lint->script->heterogeneous || is_amd(lint) ||
        be_script_mentions(lint->script, "_NV", true) ||
        be_script_mentions(lint->script, "_ROCM", true) || be_lint_runs_else(lint, is_container)) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (container_word(command) && !wants_gpu(lint, command)) {
            return; /* one of them has the GPU, or may have it */
        }
        first = !first && container_word(command) ? command : first;
    }
    if (first) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, first->span,
                                   "the job has a GPU, and the container does not see it: its "
                                   "driver stays outside"),
                       "--nv behind %s for NVIDIA, --rocm for AMD",
                       first->word[container_word(first)]);
    }
}

/* ---- CUDA_VISIBLE_DEVICES ------------------------------------------------------------------------ */

/* Entries of "0,1,3", and the largest; 0: it is no such list. */
static int64_t entries_of(const char *list, int64_t *largest) {
    int64_t entries = 0;
    *largest = -1;
    if (!isdigit((unsigned char)*list) || strlen(list) != strspn(list, "0123456789,")) {
        return 0;
    }
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        int64_t index = strtol(at, NULL, 10);
        *largest = index > *largest ? index : *largest;
        entries++;
    }
    return entries;
}

/* The only assignment of that name that holds for all that the script runs; NULL: there is none. */
static const struct be_script_assignment *only_setting(const struct be_lint *lint,
                                                       const char *name) {
    const struct be_script_assignment *only = NULL;
    for (size_t i = 0; i < lint->script->assignments; i++) {
        const struct be_script_assignment *set = &lint->script->assignment[i];
        if (strcmp(set->name, name) == 0) {
            if (only || be_lint_is_prefix(lint, set)) {
                return NULL;
            }
            only = set;
        }
    }
    return only;
}

/* Few nodes have more GPUs: a job with as many has all of its node, and no other job is there. */
enum { GPUS_OF_A_NODE = 8 };

static void say_visible(struct be_lint *lint, const struct be_script_assignment *set, int64_t has) {
    int64_t largest = -1;
    const int64_t entries = entries_of(set->value, &largest);
    if (strcmp(set->value, "") == 0 || strcmp(set->value, "-1") == 0) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, set->span,
                                   "hides the %lld GPU%s that the job asks for", (long long)has,
                                   has == 1 ? "" : "s"),
                       "leave it out, or ask for no GPU");
    } else if (entries && entries < has && largest < has) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, set->span,
                                   "lets programs see %lld of the job's %lld GPUs on a node: the "
                                   "rest stands idle",
                                   (long long)entries, (long long)has),
                       "leave it out: Slurm sets it to the GPUs of the job; or ask for %lld",
                       (long long)entries);
    } else if (entries && largest < has && has < GPUS_OF_A_NODE) {
        be_lint_advise(be_lint_add(lint, BE_ADVICE, set->span,
                                   "Slurm sets %s to the GPUs of the job; set by hand it may be "
                                   "those of another job, where the site does not confine jobs to "
                                   "their GPUs",
                                   set->name),
                       "leave it out");
    }
}

void be_check_visible_devices(struct be_lint *lint) {
    static const char *const names[] = {"CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"};
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    const int64_t each = job.gpus / job.nodes;
    if (!lint->script->shell || each < 1 || job.whole_gpu_node || be_lint_whole_node(lint) ||
        lint->script->heterogeneous || lint->options->lsf) {
        return;
    }
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        const struct be_script_assignment *set = only_setting(lint, names[i]);
        if (set) {
            say_visible(lint, set, each);
        }
    }
}

/* ---- slices -------------------------------------------------------------------------------------- */

/* Does a type name a slice: "a100_1g.5gb", "3g.20gb"? */
static bool is_slice(const char *type) {
    for (const char *at = type; (at = strstr(at, "g.")); at++) {
        size_t digits = strspn(at + 2, "0123456789");
        if (at > type && isdigit((unsigned char)at[-1]) && digits &&
            strncasecmp(at + 2 + digits, "gb", 2) == 0) {
            return true;
        }
    }
    return false;
}

void be_check_mig_several(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (job.gpus / job.nodes < 2 || job.tasks > job.nodes || !is_slice(job.gpu_type) ||
        lint->script->background.length || lint->script->heterogeneous) {
        return;
    }
    be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(job.gpus_by),
                               "%lld slices for one process: CUDA lets a process use one slice "
                               "(MIG), and the rest stands idle",
                               (long long)(job.gpus / job.nodes)),
                   "one larger slice, a whole GPU, or a process for each slice");
}

/* ---- how GPUs are asked for ---------------------------------------------------------------------- */

/* Is it the name of a GPU, which belongs behind "gpu:"? */
static bool is_model(const char *name, size_t length) {
    static const char *const models[] = {
        "k40",   "k80",  "p100",  "p40",   "t4",    "v100",  "v100s", "v100l", "a2",
        "a10",   "a16",  "a30",   "a40",   "a100",  "a5000", "a6000", "l4",    "l40",
        "l40s",  "h100", "h200",  "gh200", "b200",  "gb200", "rtx",   "gtx",   "titan",
        "tesla", "mi50", "mi100", "mi210", "mi250", "mi300", "mi300a"};
    for (size_t i = 0; i < BE_COUNT(models); i++) {
        size_t model = strlen(models[i]);
        bool family = strcmp(models[i], "rtx") == 0 || strcmp(models[i], "gtx") == 0;
        if (length >= model && strncasecmp(name, models[i], model) == 0 &&
            (length == model || family || strchr("_-", name[model]))) {
            return true;
        }
    }
    return false;
}

/* How the items of a value are meant, "gpu:a100:1" of "a100:1"; false: it is right as it is. */
static bool meant_spelling(const char *value, bool gres, char meant[BE_NOTE]) {
    bool wrong = false;
    size_t used = 0;
    meant[0] = '\0';
    for (const char *at = value; *at && used < BE_NOTE; at += *at == ',') {
        size_t length = strcspn(at, ","), name = strcspn(at, ":,=");
        const char *item = at, *before = used ? "," : "";
        bool gpu = (name == 3 && strncmp(at, "gpu", 3) == 0);
        if (gres && !gpu && is_model(at, name)) {
            wrong = true;
            used += (size_t)snprintf(meant + used, BE_NOTE - used, "%sgpu:%.*s", before,
                                     (int)length, item);
        } else if (gres && strncmp(at, "gpu:gpu:", 8) == 0) {
            wrong = true;
            used += (size_t)snprintf(meant + used, BE_NOTE - used, "%s%.*s", before,
                                     (int)length - 4, item + 4);
        } else if (!gres && gpu) {
            wrong = true;
            bool more = at[name] == ':';
            used +=
                (size_t)snprintf(meant + used, BE_NOTE - used, "%s%.*s", before,
                                 more ? (int)(length - name - 1) : 1, more ? item + name + 1 : "1");
        } else {
            used +=
                (size_t)snprintf(meant + used, BE_NOTE - used, "%s%.*s", before, (int)length, item);
        }
        at += length;
    }
    return wrong && used < BE_NOTE;
}

void be_check_gpu_spelling(struct be_lint *lint) {
    for (size_t i = 0; i < lint->script->options; i++) {
        const struct be_script_option *option = &lint->script->option[i];
        const bool gres = option->option->kind == BE_KIND_GRES;
        char meant[BE_NOTE];
        if (!option->text || (!gres && option->option->kind != BE_KIND_GPUS) ||
            be_sbatch_refuses(option->option, option->text) ||
            !meant_spelling(option->text, gres, meant)) {
            continue;
        }
        struct be_lint_finding *finding = be_lint_add(
            lint, BE_ERROR, be_lint_span(option),
            gres ? "--%s wants the name of the resource first, which is \"gpu\""
                 : "--%s counts GPUs already: \"gpu\" there is read as a type, which no site has",
            option->option->name);
        be_lint_advise(finding, "write --%s=%s", option->option->name, meant);
        if (be_lint_of_sbatch(option)) {
            be_lint_replace(lint, finding, option->value, true, meant);
        }
    }
}
