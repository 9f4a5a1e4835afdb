/* Remarks beside a request: those that speak of a GPU's memory, which --mem never is, and those that say another number
 * than their line. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/look/silence.h"
#include "lint/rules.h"

enum { WORD = 24 };

/* The kind of memory that a remark calls the one that is asked for. */
enum meant { MEANT_OTHER, MEANT_GPU, MEANT_EACH_GPU };

/* The next word in small letters, "," where a sign stands that parts a sentence; false: there is none. */
static bool next_word(const char **at, char word[WORD]) {
    *at += strspn(*at, " \t\r#()[]\"'`-_");
    if (!**at) {
        return false;
    }
    size_t length = 0;
    while (isalnum((unsigned char)(*at)[length]) && length < WORD - 1) {
        word[length] = (char)tolower((unsigned char)(*at)[length]);
        length++;
    }
    word[length] = '\0';
    if (length == 0) {
        be_copy_text(word, WORD, strchr(",;:/.", **at) ? "," : "?");
        length = 1;
    }
    *at += length;
    return true;
}

/* "40gb", "a100", "2": a size or a model; not "2x", which is so many times it. */
static bool is_number(const char *word) {
    size_t letters = strcspn(word, "0123456789");
    size_t digits = strspn(word + letters, "0123456789");
    return digits > 0 && letters <= 3 && strcmp(word + letters + digits, "x") != 0 && *word != 'x';
}

/* Words that a remark may have which says nothing but whose memory it is. With any other ("not the GPU's",
 * "at least what the GPU has", "RAM, not VRAM") it may say anything. */
static bool is_known(const char *word) {
    static const char *const known[] = {
        "gpu",     "gpus",      "s",         "memory",   "mem",      "ram",       "vram",
        "video",   "graphics",  "card",      "cuda",     "device",   "nvidia",    "of",
        "on",      "per",       "the",       "a",        "an",       "each",      "total",
        "amount",  "request",   "requested", "requests", "required", "requires",  "require",
        "need",    "needs",     "needed",    "ask",      "max",      "maximum",   "min",
        "minimum", "limit",     "size",      "set",      "specify",  "allocate",  "allocated",
        "how",     "much",      "is",        "in",       "i",        "we",        "want",
        "my",      "our",       "this",      "job",      "for",      "available", "gb",
        "mb",      "gib",       "g",         "m",        ",",        "node",      "use",
        "number",  "requesting"};
    return is_number(word) || be_lint_is_one_of(word, known, BE_COUNT(known));
}

static bool is_gpu(const char *word) {
    static const char *const words[] = {"gpu",  "gpus", "video", "graphics",
                                        "cuda", "card", "device"};
    return be_lint_is_one_of(word, words, BE_COUNT(words));
}

static bool is_memory(const char *word) {
    static const char *const words[] = {"memory", "mem", "ram"};
    return be_lint_is_one_of(word, words, BE_COUNT(words));
}

/* "GPU memory", "VRAM", "memory on the GPU"; "memory per GPU". */
static enum meant meant_by(const char *remark) {
    static const char *const between[] = {"of", "on", "the", "s", "a", "an"};
    static const char *const each[] = {"per", "each"};
    enum { NOTHING, GPU, MEMORY, MEMORY_OF, MEMORY_EACH } seen = NOTHING;
    enum meant meant = MEANT_OTHER;
    char word[WORD];
    while (next_word(&remark, word)) {
        if (!is_known(word)) {
            return MEANT_OTHER;
        }
        bool links = be_lint_is_one_of(word, between, BE_COUNT(between));
        if (strcmp(word, "vram") == 0 || (is_memory(word) && seen == GPU) ||
            (is_gpu(word) && seen == MEMORY_OF)) {
            meant = MEANT_GPU;
        } else if (is_gpu(word) && seen == MEMORY_EACH && meant == MEANT_OTHER) {
            meant = MEANT_EACH_GPU;
        }
        bool of_memory = seen == MEMORY || seen == MEMORY_OF;
        seen = be_lint_is_one_of(word, each, BE_COUNT(each)) && of_memory ? MEMORY_EACH
               : links && of_memory                                       ? MEMORY_OF
               : links                                                    ? seen
               : is_memory(word)                                          ? MEMORY
               : is_gpu(word)                                             ? GPU
                                                                          : NOTHING;
    }
    return meant;
}

/* Is it the only option on its line, so that what is remarked there is about it? *last: none comes after. */
static bool stands_alone(const struct be_lint *lint, const struct be_script_option *option,
                         struct be_span line, bool *last) {
    bool alone = true;
    *last = true;
    for (size_t i = 0; i < lint->script->options; i++) {
        size_t at = lint->script->option[i].name.at;
        if (at >= line.at && at < line.at + line.length && at != option->name.at) {
            alone = false;
            *last = *last && at < option->name.at;
        }
    }
    return alone;
}

/* The remark behind the option on its line; else the comment on the line above. NULL: neither, or it may be about
 * another option: with a size in it ("--gpus=a100:1 --mem=8G # 80 GB VRAM"), or not right behind. */
static const char *remark_on(const struct be_lint *lint, const struct be_script_option *option,
                             char *to, size_t capacity) {
    size_t at = be_script_line_at(lint->script, option->name.at);
    struct be_span line = lint->script->line[at].span, own = be_lint_span(option);
    size_t end = line.at + line.length, after = own.at + own.length;
    bool last = false, alone = stands_alone(lint, option, line, &last);
    be_lint_shown(lint, (struct be_span){after, end > after ? end - after : 0}, to, capacity);
    const char *remark = strchr(to, '#');
    if (remark) {
        return alone || (last && !strpbrk(remark, "0123456789")) ? remark : NULL;
    }
    if (!alone || at == 0 || lint->script->line[at - 1].kind != BE_LINE_COMMENT) {
        return NULL;
    }
    return be_lint_shown(lint, lint->script->line[at - 1].span, to, capacity);
}

void be_check_gpu_memory_word(struct be_lint *lint) {
    static const char *const names[] = {"mem", "mem-per-cpu", "mem-per-gpu"};
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    int64_t each_node = lint->script->heterogeneous ? 0 : job.gpus / job.nodes;
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        const struct be_script_option *option = be_script_option(lint->script, -1, names[i]);
        char text[BE_NOTE];
        const char *remark = option && option->origin == BE_LINE_SBATCH
                                 ? remark_on(lint, option, text, sizeof text)
                                 : NULL;
        enum meant meant = remark ? meant_by(remark) : MEANT_OTHER;
        if (meant == MEANT_GPU) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(option),
                                       "--%s is the host's memory, never the GPU's, as the remark "
                                       "has it",
                                       names[i]),
                           "a GPU comes with all of its memory; ask for a type that has enough");
        } else if (meant == MEANT_EACH_GPU && i == 0 && each_node > 1) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(option),
                                       "--mem is of a node, for its %lld GPUs together, not of "
                                       "each, as the remark has it",
                                       (long long)each_node),
                           "--mem-per-gpu, which is the host's memory, too");
        } else if (meant == MEANT_EACH_GPU && i == 1) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(option),
                                       "--mem-per-cpu goes with each core, not with each GPU, as "
                                       "the remark has it"),
                           "--mem-per-gpu, which is the host's memory, too");
        }
    }
}

/* ---- a number that differs: one of the two was changed, and the other forgotten ------------------- */

/* Only remarks are read that say nothing else; "at most 48 hours, see below" may say anything. */
struct remark {
    double value;    /* in the unit of the option; NAN: it names none */
    char shown[64];  /* "48 hours" */
    bool each_core;  /* "per CPU" */
    bool each_node;  /* "per node", "total" */
    bool understood; /* each word is known */
};

static const struct {
    const char *word;
    double times;
} seconds[] = {{"hours", 3600}, {"hour", 3600},    {"hrs", 3600},   {"hr", 3600},   {"h", 3600},
               {"days", 86400}, {"day", 86400},    {"minutes", 60}, {"minute", 60}, {"mins", 60},
               {"min", 60},     {"weeks", 604800}, {"week", 604800}},
  bytes[] = {{"gb", 0x1p30},       {"g", 0x1p30},  {"gib", 0x1p30},       {"gigabytes", 0x1p30},
             {"gigabyte", 0x1p30}, {"mb", 0x1p20}, {"megabytes", 0x1p20}, {"tb", 0x1p40}},
  nodes[] = {{"nodes", 1}, {"node", 1}};

/* The unit's size; 0: it is no unit of that kind. */
static double unit_of(const char *option, const char *word) {
    const bool time = strcmp(option, "time") == 0, mem = strncmp(option, "mem", 3) == 0;
    for (size_t i = 0; time && i < BE_COUNT(seconds); i++) {
        if (strcmp(word, seconds[i].word) == 0) {
            return seconds[i].times;
        }
    }
    for (size_t i = 0; mem && i < BE_COUNT(bytes); i++) {
        if (strcmp(word, bytes[i].word) == 0) {
            return bytes[i].times;
        }
    }
    for (size_t i = 0; !time && !mem && i < BE_COUNT(nodes); i++) {
        if (strcmp(word, nodes[i].word) == 0) {
            return nodes[i].times;
        }
    }
    return 0;
}

/* Words that say nothing of a number. */
static bool is_plain(const char *word) {
    static const char *const words[] = {
        "time", "limit", "wall",       "walltime",  "clock", "request",  "requested", "runtime",
        "run",  "job",   "the",        "of",        "for",   "in",       "set",       "to",
        "a",    "is",    "memory",     "mem",       "ram",   "real",     "amount",    "total",
        "per",  "each",  "requesting", "number",    "use",   "adjust",   "as",        "needed",
        "and",  "hh",    "mm",         "ss",        "dd",    "allocate", "this",      "reserve",
        "ask",  "need",  "change",     "necessary", "if"};
    return be_lint_is_one_of(word, words, BE_COUNT(words));
}

static bool is_core(const char *word) {
    static const char *const words[] = {"cpu", "core", "processor", "cpus", "cores"};
    return be_lint_is_one_of(word, words, BE_COUNT(words));
}

/* The next word in small letters, or a number; false: there is none. A sign that parts sentences is a word. */
static bool next_plain(const char **at, char word[WORD]) {
    *at += strspn(*at, " \t\r#()[]\"'`-_,:/");
    size_t length = 0;
    const bool digits = isdigit((unsigned char)**at);
    while (length < WORD - 1 &&
           (digits ? isdigit((unsigned char)(*at)[length]) || (*at)[length] == '.'
                   : isalpha((unsigned char)(*at)[length]))) {
        word[length] = (char)tolower((unsigned char)(*at)[length]);
        length++;
    }
    word[length] = '\0';
    if (length == 0 && **at) {
        be_copy_text(word, WORD, **at == '.' ? "and" : "?");
        length = 1;
    }
    *at += length;
    return length > 0;
}

static struct remark read_remark(const char *option, const char *text) {
    struct remark remark = {.value = NAN, .understood = true};
    char word[WORD], before[WORD] = "";
    double number = NAN;
    while (remark.understood && next_plain(&text, word)) {
        const double unit = unit_of(option, word);
        const bool per = strcmp(before, "per") == 0 || strcmp(before, "each") == 0;
        if (isdigit((unsigned char)*word)) {
            remark.understood = isnan(number) && isnan(remark.value);
            number = strtod(word, NULL);
        } else if (unit > 0 && !isnan(number)) {
            remark.value = number * unit;
            snprintf(remark.shown, sizeof remark.shown, "%g %s", number, word);
            number = NAN;
        } else if (is_core(word) && (per || remark.each_core)) {
            remark.each_core = true;
        } else if (strcmp(word, "node") == 0 && per) {
            remark.each_node = true;
        } else {
            remark.understood = is_plain(word) && isnan(number);
            remark.each_node = remark.each_node || strcmp(word, "total") == 0;
        }
        be_copy_text(before, sizeof before, word);
    }
    remark.understood = remark.understood && isnan(number);
    return remark;
}

/* The remark behind the only option of its line; NULL: there is none. */
static const char *remark_behind(const struct be_lint *lint, const struct be_script_option *option,
                                 char *to, size_t capacity) {
    const struct be_span line =
        lint->script->line[be_script_line_at(lint->script, option->name.at)].span;
    const size_t end = line.at + line.length;
    const struct be_span own = be_lint_span(option);
    const size_t after = own.at + own.length;
    for (size_t i = 0; i < lint->script->options; i++) {
        const size_t at = lint->script->option[i].name.at;
        if (at >= line.at && at < end && at != option->name.at) {
            return NULL;
        }
    }
    be_lint_shown(lint, (struct be_span){after, end > after ? end - after : 0}, to, capacity);
    return strchr(to, '#');
}

/* The number that an option asks for, in seconds, bytes or nodes; NAN: none. */
static double asked_for(const struct be_script_option *option) {
    const char *name = option->option->name;
    double value = NAN;
    int64_t min = 0, max = 0;
    if (strcmp(name, "time") == 0) {
        return be_sbatch_duration(option->text, &value) && isfinite(value) ? value : NAN;
    }
    if (strcmp(name, "nodes") == 0) {
        return be_sbatch_nodes(option->text, &min, &max) && (max == 0 || max == min) ? (double)min
                                                                                     : NAN;
    }
    return be_sbatch_memory(option->text, &value) && value > 0 ? value : NAN;
}

static void say_number(struct be_lint *lint, const struct be_script_option *option,
                       const struct remark *remark) {
    const double rounded = 0.1; /* 47:59:59 is 48 hours */
    const double asked = asked_for(option);
    if (fabs(asked - remark->value) > rounded * fmax(asked, remark->value)) {
        be_lint_advise(be_lint_add(lint, BE_ADVICE, be_lint_span(option),
                                   "--%s=%s, and the remark says %s: which is meant?",
                                   option->option->name, option->text, remark->shown),
                       "put the value right, or the remark");
    }
}

void be_check_remark_differs(struct be_lint *lint) {
    static const char *const names[] = {"time", "mem", "mem-per-cpu", "nodes"};
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        const struct be_script_option *option = be_lint_valued(lint, names[i]);
        char text[BE_NOTE];
        const char *behind = option && option->origin == BE_LINE_SBATCH
                                 ? remark_behind(lint, option, text, sizeof text)
                                 : NULL;
        const struct remark remark = behind ? read_remark(names[i], behind) : (struct remark){0};
        const bool several = job.cpus * job.tasks > 1 && !lint->script->heterogeneous;
        if (!behind || !remark.understood) {
            continue;
        }
        if (i == 1 && remark.each_core && !remark.each_node && several) {
            be_lint_advise(be_lint_add(lint, BE_ADVICE, be_lint_span(option),
                                       "--mem is of a node, for all of the job's cores there, not "
                                       "of each, as the remark has it"),
                           "--mem-per-cpu, if it is of each core");
        } else if (i == 2 && remark.each_node && !remark.each_core && several) {
            be_lint_advise(be_lint_add(lint, BE_ADVICE, be_lint_span(option),
                                       "--mem-per-cpu is of each core, %lld of them, not of all, "
                                       "as the remark has it",
                                       (long long)(job.cpus * job.tasks)),
                           "--mem, if it is of all");
        } else if (!isnan(remark.value)) {
            say_number(lint, option, &remark);
        }
    }
}

/* ---- comments for the linter --------------------------------------------------------------------- */

void be_check_ignore_comment(struct be_lint *lint) {
    struct be_lint_plea plea;
    struct be_error error = {0};
    for (size_t line = 0; be_lint_plea(lint->script, &line, &plea);) {
        if (lint->check_names(plea.names, &error) != BE_OK) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, plea.span, "%s", error.text),
                           "names of rules, with commas between them");
            error = (struct be_error){0};
        } else if (!plea.reason || !plea.names[0]) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, plea.span, "no %s: nothing is ignored",
                                       plea.names[0] ? "reason is given" : "rule is named"),
                           "# breakeven: ignore %sbecause ..",
                           plea.names[0] ? plea.names : "RULE ");
        }
    }
}
