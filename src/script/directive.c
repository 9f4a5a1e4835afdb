/* The words of a directive, and the options that they make. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "script/directive.h"
#include "script/lists.h"

/* ---- words ----------------------------------------------------------------------------------- */

struct cutter {
    struct be_script *script;
    size_t at, end; /* of the line */
    struct be_directive_words *words;
    bool
        remarks; /* a '#' begins one, as in directives; on a command line it is a sign like others */
    bool ok;
};

static bool is_blank(const struct cutter *cutter, size_t at) {
    return at >= cutter->end || isspace((unsigned char)cutter->script->text[at]);
}

/* A word that separates components: *old: in its old spelling. */
static bool is_hetjob(const struct cutter *cutter, bool *old) {
    static const char *const words[] = {"hetjob", "packjob"};
    const char *at = cutter->script->text + cutter->at;
    for (size_t i = 0; i < BE_COUNT(words); i++) {
        size_t length = strlen(words[i]);
        if (cutter->end - cutter->at >= length && strncasecmp(at, words[i], length) == 0 &&
            is_blank(cutter, cutter->at + length)) {
            *old = i > 0;
            return true;
        }
    }
    return false;
}

static void fault(struct cutter *cutter, enum be_fault_kind kind, size_t from, size_t to) {
    cutter->ok = cutter->ok && be_script_add_fault(cutter->script, kind,
                                                   (struct be_span){from, to - from}, "", NULL);
}

/* One word into `to`: quotes and backslashes are taken away. false: a quote does not end. */
static bool read_word(struct cutter *cutter, struct be_text *to) {
    const char *text = cutter->script->text;
    char quote = 0;
    size_t opened = cutter->at;
    for (; cutter->at < cutter->end; cutter->at++) {
        char sign = text[cutter->at];
        if (!quote && (isspace((unsigned char)sign) || (sign == '#' && cutter->remarks))) {
            return true;
        }
        if (sign == '\\') { /* within single quotes, too, unlike a shell */
            if (!quote && is_blank(cutter, cutter->at + 1) &&
                (!cutter->script->escapes_blanks || cutter->at + 1 >= cutter->end)) {
                cutter->at++; /* it is dropped, and the word ends */
                return true;
            }
            if (cutter->at + 1 < cutter->end) {
                be_text_add_bytes(to, text + ++cutter->at, 1);
            }
        } else if (quote ? sign == quote : sign == '"' || sign == '\'') {
            quote = quote ? 0 : sign;
            opened = cutter->at;
        } else {
            be_text_add_bytes(to, &sign, 1);
        }
    }
    if (quote) {
        fault(cutter, BE_FAULT_QUOTE, opened, cutter->end);
    }
    return !quote;
}

static void keep_word(struct cutter *cutter, struct be_span span, const struct be_text *text) {
    void *list = cutter->words->word;
    bool capacity = be_script_capacity(&list, cutter->words->words, sizeof *cutter->words->word);
    cutter->words->word = list;
    const char *kept = capacity ? be_script_keep(cutter->script, text->data, text->length) : NULL;
    if (kept) {
        cutter->words->word[cutter->words->words++] = (struct be_directive_word){span, kept};
    }
    cutter->ok = cutter->ok && kept;
}

/* The next word; false: the line has no more. */
static bool next_word(struct cutter *cutter) {
    const char *text = cutter->script->text;
    bool old = false;
    while (cutter->at < cutter->end && is_blank(cutter, cutter->at)) {
        cutter->at++;
    }
    size_t from = cutter->at;
    if (from >= cutter->end || (text[from] == '#' && cutter->remarks)) {
        return false;
    }
    if (text[from] == ':') {
        fault(cutter, BE_FAULT_COLON, from, from + 1);
        cutter->words->fatal = true;
        return false;
    }
    if (is_hetjob(cutter, &old) && cutter->words->words > 0) {
        fault(cutter, BE_FAULT_REST, from, cutter->end); /* it separates only as the first word */
        return false;
    }
    if (is_hetjob(cutter, &old)) {
        cutter->words->hetjob = true;
        if (old) {
            fault(cutter, BE_FAULT_PACKJOB, from, from + strlen("packjob"));
        }
        return false;
    }
    struct be_text word = {0};
    cutter->words->fatal = !read_word(cutter, &word);
    if (word.length > 0 && !cutter->words->fatal) {
        keep_word(cutter, (struct be_span){from, cutter->at - from}, &word);
        if (cutter->remarks && cutter->at < cutter->end && text[cutter->at] == '#') {
            fault(cutter, BE_FAULT_CUT, cutter->at, cutter->end);
        }
    } else if (!cutter->words->fatal) {
        fault(cutter, BE_FAULT_REST, from, cutter->end);
    }
    cutter->ok = cutter->ok && !word.failed;
    bool more = word.length > 0 && !cutter->words->fatal && cutter->ok;
    be_text_free(&word);
    return more;
}

bool be_directive_cut(struct be_script *script, size_t at, size_t end,
                      struct be_directive_words *words) {
    struct cutter cutter = {script, at, end, words, at <= script->length, true};
    while (next_word(&cutter)) {
    }
    return cutter.ok;
}

/* ---- options --------------------------------------------------------------------------------- */

struct reader {
    struct be_script *script;
    const struct be_directive_word *word;
    size_t words, at;
    int component;
    enum be_line_kind origin;
    bool ok;
};

static void option_fault(struct reader *reader, enum be_fault_kind kind, struct be_span span,
                         const char *word, const struct be_sbatch_option *option) {
    reader->ok = reader->ok && be_script_add_fault(reader->script, kind, span, word, option);
}

static void take(struct reader *reader, const struct be_sbatch_option *option, struct be_span name,
                 struct be_span value, const char *text) {
    const struct be_script_option found = {option,        name, value, text, reader->component,
                                           reader->origin};
    reader->ok = reader->ok && be_script_add_option(reader->script, &found);
}

/* The next word as the value of `option`, whatever it is. */
static void take_next(struct reader *reader, const struct be_sbatch_option *option,
                      struct be_span name) {
    if (reader->at >= reader->words) {
        option_fault(reader, BE_FAULT_NO_VALUE, name, option->name, option);
        return;
    }
    const struct be_directive_word *value = &reader->word[reader->at++];
    take(reader, option, name, value->span, value->text);
}

/* The rest of a word, `skip` bytes of it as it is read, as a span. Where there are quotes before the
 * value it is the whole word. */
static struct be_span rest(const struct reader *reader, const struct be_directive_word *word,
                           size_t skip) {
    const char *raw = reader->script->text + word->span.at;
    if (skip <= word->span.length && strncmp(raw, word->text, skip) == 0) {
        return (struct be_span){word->span.at + skip, word->span.length - skip};
    }
    return word->span;
}

static void long_option(struct reader *reader, const struct be_directive_word *word) {
    const char *name = word->text + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    bool several = false;
    const struct be_sbatch_option *option = be_sbatch_abbreviated(name, length, &several);
    struct be_span value = equals ? rest(reader, word, length + 3) : (struct be_span){0, 0};
    struct be_span span = word->span;
    char since[BE_SBATCH_SINCE];
    if (equals && value.at > span.at) {
        span.length = value.at - span.at - 1;
    }
    if (!option) {
        option_fault(reader, several ? BE_FAULT_SEVERAL : BE_FAULT_UNKNOWN, span, word->text,
                     be_sbatch_nearest(name, length));
    } else if (equals && option->takes == BE_TAKES_NOTHING &&
               !be_sbatch_since(option, equals + 1, since)) {
        option_fault(reader, BE_FAULT_VALUE, word->span, option->name, option);
    } else if (equals) {
        take(reader, option, span, value, equals + 1);
    } else if (option->takes == BE_TAKES_VALUE) {
        take_next(reader, option, span);
    } else {
        take(reader, option, span, (struct be_span){0, 0}, NULL);
    }
}

/* "-Hn2": letters without a value, and then one with it. */
static void letters(struct reader *reader, const struct be_directive_word *word) {
    for (const char *at = word->text + 1; *at; at++) {
        const struct be_sbatch_option *option = be_sbatch_lettered(*at);
        size_t used = (size_t)(at - word->text) + 1;
        struct be_span value = rest(reader, word, used);
        struct be_span name = {word->span.at, value.at - word->span.at};
        name.length = name.length ? name.length : word->span.length;
        if (!option) {
            option_fault(reader, BE_FAULT_UNKNOWN, word->span, word->text,
                         be_sbatch_nearest(word->text + 1, strcspn(word->text + 1, "=")));
            return;
        }
        if (option->takes != BE_TAKES_NOTHING && at[1]) {
            take(reader, option, name, value, at + 1);
            return;
        }
        if (option->takes == BE_TAKES_VALUE) {
            take_next(reader, option, name);
        } else {
            take(reader, option, name, (struct be_span){0, 0}, NULL);
        }
    }
}

bool be_directive_options(struct be_script *script, const struct be_directive_word *word,
                          size_t words, int component, enum be_line_kind origin) {
    struct reader reader = {script, word, words, 0, component, origin, true};
    bool ended = false; /* by "--" */
    while (reader.ok && reader.at < words) {
        const struct be_directive_word *at = &word[reader.at++];
        if (ended || at->text[0] != '-' || !at->text[1]) {
            option_fault(&reader, BE_FAULT_BARE, at->span, at->text,
                         be_sbatch_nearest(at->text, strcspn(at->text, "=")));
        } else if (strcmp(at->text, "--") == 0) {
            ended = true;
        } else if (at->text[1] == '-') {
            long_option(&reader, at);
        } else {
            letters(&reader, at);
        }
    }
    return reader.ok;
}
