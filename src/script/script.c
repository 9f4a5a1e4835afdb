#include "script/script.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "script/directive.h"
#include "script/lists.h"
#include "script/shell.h"

/* In UTF-8; some editors put it at the beginning of a file. */
static const char byte_order_mark[] = "\xEF\xBB\xBF";

/* ---- lines ----------------------------------------------------------------------------------- */

static bool begins(const struct be_script *script, struct be_span span, const char *with) {
    size_t length = strlen(with);
    return span.length >= length && memcmp(script->text + span.at, with, length) == 0;
}

/* The kind of a line where sbatch still reads directives. */
static enum be_line_kind kind_of(const struct be_script *script, struct be_span span) {
    static const struct {
        const char *with;
        enum be_line_kind kind;
    } kinds[] = {{"#SBATCH", BE_LINE_SBATCH},
                 {"#SLURM", BE_LINE_SBATCH},
                 {"#PBS", BE_LINE_PBS},
                 {"#BSUB", BE_LINE_LSF}};
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        if (begins(script, span, kinds[i].with)) {
            return kinds[i].kind;
        }
    }
    /* sbatch refuses a script with such a mark; what else is wrong is to be said at once. */
    bool marked = span.at == 0 && strncmp(script->text, byte_order_mark, 3) == 0;
    size_t blanks = marked ? 3 : 0;
    while (blanks < span.length && isspace((unsigned char)script->text[span.at + blanks])) {
        blanks++;
    }
    return blanks == span.length                   ? BE_LINE_BLANK
           : script->text[span.at + blanks] == '#' ? BE_LINE_COMMENT
                                                   : BE_LINE_COMMAND;
}

static bool split(struct be_script *script) {
    bool read = true;
    for (size_t at = 0; at < script->length;) {
        const char *end = memchr(script->text + at, '\n', script->length - at);
        size_t stop = end ? (size_t)(end - script->text) : script->length, last = stop;
        if (last > at && script->text[last - 1] == '\r') {
            last--;
        }
        void *list = script->line;
        bool capacity = be_script_capacity(&list, script->lines, sizeof *script->line);
        script->line = list;
        if (!capacity) {
            return false;
        }
        struct be_span span = {at, last - at};
        enum be_line_kind kind = kind_of(script, span);
        read = read && kind != BE_LINE_COMMAND;
        script->line[script->lines++] = (struct be_script_line){span, kind, read};
        at = stop + 1;
    }
    return true;
}

/* ---- faults of the whole file ------------------------------------------------------------------ */

static bool find_faults(struct be_script *script) {
    const char *text = script->text;
    bool ok = true;
    if (strspn(text, " \t\r\n\v\f") == script->length) {
        return be_script_add_fault(script, BE_FAULT_EMPTY, (struct be_span){0, 0}, "", NULL);
    }
    if (strncmp(text, "#!", 2) != 0) {
        size_t length = strncmp(text, byte_order_mark, 3) == 0 ? 3 : 0;
        ok = be_script_add_fault(script, BE_FAULT_NO_INTERPRETER, (struct be_span){0, length}, "",
                                 NULL);
    }
    const char *carriage = memmem(text, script->length, "\r\n", 2);
    if (ok && carriage) {
        size_t at = (size_t)(carriage - text);
        ok = be_script_add_fault(script, BE_FAULT_CARRIAGE, (struct be_span){at, 1}, "", NULL);
    }
    const char *null = memchr(text, '\0', script->length);
    if (ok && null) {
        size_t at = (size_t)(null - text);
        ok = be_script_add_fault(script, BE_FAULT_NULL, (struct be_span){at, 1}, "", NULL);
    }
    return ok;
}

/* ---- directives -------------------------------------------------------------------------------- */

/* The words so far of one component: options may have their value on the next line. */
struct component {
    struct be_directive_word *word;
    size_t words;
    int number;
};

static bool take_words(struct component *component, const struct be_directive_words *more) {
    for (size_t i = 0; i < more->words; i++) {
        void *list = component->word;
        bool capacity = be_script_capacity(&list, component->words, sizeof *component->word);
        component->word = list;
        if (!capacity) {
            return false;
        }
        component->word[component->words++] = more->word[i];
    }
    return true;
}

static bool end_component(struct be_script *script, struct component *component) {
    void *list = script->begin;
    bool ok = be_script_capacity(&list, (size_t)component->number, sizeof *script->begin);
    script->begin = list;
    if (ok) {
        script->begin[component->number] = script->options;
    }
    ok = ok && be_directive_options(script, component->word, component->words, component->number,
                                    BE_LINE_SBATCH);
    component->words = 0;
    return ok;
}

/* One #SBATCH line; *stop: sbatch gives up here. */
static bool read_directive(struct be_script *script, struct be_span span,
                           struct component *component, bool *stop) {
    struct be_directive_words words = {0};
    size_t skip = strlen(begins(script, span, "#SLURM") ? "#SLURM" : "#SBATCH");
    bool ok = be_directive_cut(script, span.at + skip, span.at + span.length, &words) &&
              take_words(component, &words);
    if (ok && words.hetjob) {
        ok = end_component(script, component);
        component->number++;
        script->heterogeneous = true;
    }
    *stop = words.fatal;
    free(words.word);
    return ok;
}

static bool read_directives(struct be_script *script) {
    struct component component = {0};
    bool ok = true, stop = false;
    for (size_t i = 0; ok && !stop && i < script->lines && script->line[i].read; i++) {
        if (script->line[i].kind == BE_LINE_SBATCH) {
            ok = read_directive(script, script->line[i].span, &component, &stop);
        }
    }
    ok = ok && end_component(script, &component);
    script->components = component.number + 1;
    script->own = script->options;
    free(component.word);
    return ok;
}

static bool read_others(struct be_script *script) {
    bool ok = true;
    script->ignores_others = be_script_option(script, -1, "ignore-pbs");
    /* These are read on behind the first command, unlike sbatch's own, up to a number of lines that do not
     * begin with a '#', blank ones too: seen with 22.05.8 and 24.11.5. */
    enum { OTHERS_MAX = 100 };
    int passed = 0;
    for (size_t i = 0; ok && i < script->lines && passed <= OTHERS_MAX; i++) {
        enum be_line_kind kind = script->line[i].kind;
        passed += script->line[i].span.length == 0 || script->text[script->line[i].span.at] != '#';
        if ((kind != BE_LINE_PBS && kind != BE_LINE_LSF) || script->ignores_others) {
            continue;
        }
        struct be_directive_words words = {0};
        struct be_span span = script->line[i].span;
        size_t skip = kind == BE_LINE_PBS ? strlen("#PBS") : strlen("#BSUB");
        ok = be_directive_cut(script, span.at + skip, span.at + span.length, &words) &&
             be_directive_other(script, kind, words.word, words.words);
        free(words.word);
    }
    return ok;
}

/* The options on sbatch's command line come last, and so win. */
static bool read_given(struct be_script *script, const char *given) {
    const struct be_span span = {script->length + 1, given ? strlen(given) : 0};
    struct be_directive_words words = {0};
    void *list = script->line;
    if (span.length == 0) {
        return true;
    }
    bool ok = be_script_capacity(&list, script->lines, sizeof *script->line);
    script->line = list;
    if (ok) {
        script->line[script->lines++] = (struct be_script_line){span, BE_LINE_GIVEN, false};
        ok = be_directive_cut(script, span.at, span.at + span.length, &words) &&
             be_directive_options(script, words.word, words.words, 0, BE_LINE_GIVEN);
    }
    free(words.word);
    return ok;
}

/* ---- the whole --------------------------------------------------------------------------------- */

/* The interpreter: the last word of its path, or env's first word. */
static bool is_shell(const struct be_script *script) {
    static const char *const shells[] = {"sh", "bash", "dash", "ksh", "zsh", "ash", "mksh"};
    const char *at = script->text + (strncmp(script->text, byte_order_mark, 3) == 0 ? 3 : 0);
    if (strncmp(at, "#!", 2) != 0) {
        return true; /* nothing says what else it would be */
    }
    at += 2 + strspn(at + 2, " \t");
    for (int i = 0; i < 2; i++) {
        size_t length = strcspn(at, " \t\r\n"), name = length;
        while (name > 0 && at[name - 1] != '/') {
            name--;
        }
        for (size_t k = 0; k < BE_COUNT(shells); k++) {
            if (length - name == strlen(shells[k]) &&
                strncmp(at + name, shells[k], length - name) == 0) {
                return true;
            }
        }
        if (length - name != 3 || strncmp(at + name, "env", 3) != 0) {
            return false;
        }
        at += length + strspn(at + length, " \t");
        at += strncmp(at, "-S", 2) == 0 ? 2 + strspn(at + 2, " \t") : 0;
    }
    return false;
}

/* Comments become blanks, so that what is looked for is not found in them. */
static void blank_comments(struct be_script *script) {
    for (size_t i = 0; i < script->lines; i++) {
        struct be_span span = script->line[i].span;
        if (script->line[i].kind != BE_LINE_COMMAND && script->line[i].kind != BE_LINE_HEREDOC &&
            script->line[i].kind != BE_LINE_GIVEN) {
            memset(script->code + span.at, ' ', span.length);
        }
    }
}

/* Where the first command's line begins; the end: there is none. */
static size_t first_command(const struct be_script *script) {
    for (size_t i = 0; i < script->lines; i++) {
        if (script->line[i].kind == BE_LINE_COMMAND) {
            return script->line[i].span.at;
        }
    }
    return script->length;
}

enum be_status be_script_parse(const char *text, size_t length,
                               const struct be_script_reader *reader, struct be_script *script,
                               struct be_error *error) {
    const char *given = reader ? reader->given : NULL;
    const size_t more = given ? strlen(given) : 0;
    const double escapes_since = 24.105; /* 24.11, whatever its last digits are in binary */
    *script = (struct be_script){.length = length,
                                 .components = 1,
                                 .escapes_blanks = reader && reader->slurm > escapes_since};
    if (length > BE_SCRIPT_MAX) {
        return be_fail(error, BE_USAGE, "has more than %d MiB: Slurm takes no such script",
                       BE_SCRIPT_MAX >> 20);
    }
    script->text = malloc(length + more + 2);
    script->code = malloc(length + 1);
    bool ok = script->text && script->code;
    if (ok) {
        memcpy(script->text, text, length);
        memcpy(script->code, text, length);
        script->text[length] = script->code[length] = script->text[length + 1 + more] = '\0';
        memcpy(script->text + length + 1, given ? given : "", more);
        script->shell = is_shell(script);
        ok = split(script) && find_faults(script) && read_directives(script) && read_others(script);
    }
    ok = ok && read_given(script, given);
    if (ok && script->shell) {
        ok = be_shell_read(script, first_command(script));
    }
    if (!ok) {
        be_script_free(script);
        return be_fail(error, BE_NOMEM, "out of memory");
    }
    blank_comments(script);
    return BE_OK;
}

void be_script_free(struct be_script *script) {
    for (size_t i = 0; i < script->commands; i++) {
        free(script->command[i].word);
    }
    for (size_t i = 0; i < script->kepts; i++) {
        free(script->kept[i]);
    }
    free(script->text);
    free(script->code);
    free(script->line);
    free(script->option);
    free(script->begin);
    free(script->fault);
    free(script->command);
    free(script->assignment);
    free(script->kept);
    *script = (struct be_script){0};
}
