/* Commands of a shell script: words, assignments, here-documents. Nothing is run or expanded. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "script/lists.h"
#include "script/shell.h"

enum { WORDS_MAX = 256, HEREDOCS_MAX = 16, DEPTH_MAX = 64 };

struct heredoc {
    char end[64];
    bool tabs; /* <<-: tabs before the lines are not part of them */
};

struct shell {
    struct be_script *script;
    const char *text;
    size_t at, length;
    const char *word[WORDS_MAX]; /* of the command being read */
    struct be_span span;
    int words;
    bool target;     /* the next word is where something is redirected to */
    bool piped, fed; /* a pipe, a redirection is the standard input of the command being read */
    int loops;       /* that are open */
    struct heredoc heredoc[HEREDOCS_MAX];
    int heredocs;
    bool ok;
};

static char sign_at(const struct shell *shell, size_t at) {
    return at < shell->length ? shell->text[at] : '\0';
}

/* ---- words ----------------------------------------------------------------------------------- */

static size_t behind_bracket(const struct shell *shell, size_t at, int depth);

/* Do $( or ${ stand at `at`? */
static bool opens_bracket(const struct shell *shell, size_t at) {
    return sign_at(shell, at) == '$' &&
           (sign_at(shell, at + 1) == '(' || sign_at(shell, at + 1) == '{');
}

/* Does a quote stand at `at`: '..', "..", `..`, $'..'? */
static bool opens_quote(const struct shell *shell, size_t at) {
    char sign = sign_at(shell, at);
    return sign == '\'' || sign == '"' || sign == '`' ||
           (sign == '$' && sign_at(shell, at + 1) == '\'');
}

/* Past a quoted stretch that begins at `at`, with what is nested in it; its end where it never ends. */
static size_t behind_quote(const struct shell *shell, size_t at, int depth) {
    bool escapes = shell->text[at] != '\'';
    at += shell->text[at] == '$';
    char quote = shell->text[at++];
    while (at < shell->length) {
        char sign = shell->text[at];
        if (sign == '\\' && escapes) {
            at++;
        } else if (sign == quote) {
            return at + 1;
        } else if (quote == '"' && depth < DEPTH_MAX && opens_bracket(shell, at)) {
            at = behind_bracket(shell, at + 1, depth + 1);
            continue;
        }
        at++;
    }
    return shell->length;
}

/* Past $(..), ${..}, ((..)): what `open` at `at` begins, with what is nested in it. */
static size_t behind_bracket(const struct shell *shell, size_t at, int depth) {
    char open = shell->text[at], close = open == '(' ? ')' : '}';
    bool literal = open == '{' && depth > 0; /* "${a:-it's}" has an apostrophe, no quote */
    int brackets = 0;
    while (at < shell->length) {
        char sign = shell->text[at];
        if (sign == '\\') {
            at++;
        } else if (opens_quote(shell, at) && !(literal && strchr("'$", sign))) {
            at = behind_quote(shell, at, depth);
            continue;
        } else if (sign == open) {
            brackets++;
        } else if (sign == close && --brackets == 0) {
            return at + 1;
        }
        at++;
    }
    return shell->length;
}

/* Puts the piece at `at` of a word into `to`; returns where the next one begins. */
static size_t take_piece(struct shell *shell, size_t at, struct be_text *to) {
    char sign = shell->text[at];
    if (sign == '\\') {
        if (sign_at(shell, at + 1) != '\n' && at + 1 < shell->length) {
            be_text_add_bytes(to, shell->text + at + 1, 1);
        }
        return at + 2;
    }
    if (sign == '\'' || sign == '"') {
        size_t end = behind_quote(shell, at, 0), inner = end - at;
        be_text_add_bytes(to, shell->text + at + 1, inner >= 2 ? inner - 2 : 0);
        return end;
    }
    size_t end = at + 1;
    if (opens_quote(shell, at)) {
        end = behind_quote(shell, at, 0);
    } else if (opens_bracket(shell, at)) {
        end = behind_bracket(shell, at + 1, 0);
    } else if (sign == '=' && sign_at(shell, at + 1) == '(') {
        end = behind_bracket(shell, at + 1, 0); /* an array */
    }
    end = end > shell->length ? shell->length : end;
    be_text_add_bytes(to, shell->text + at, end - at);
    return end;
}

static bool ends_word(char sign) {
    return !sign || strchr(" \t\r\n;&|()<>", sign);
}

static void read_word(struct shell *shell, struct be_text *to) {
    while (shell->at < shell->length && !ends_word(shell->text[shell->at])) {
        shell->at = take_piece(shell, shell->at, to);
    }
    shell->at = shell->at > shell->length ? shell->length : shell->at;
    shell->ok = shell->ok && !to->failed;
}

/* ---- commands -------------------------------------------------------------------------------- */

static bool is_name(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)text[i]) && text[i] != '_') {
            return false;
        }
    }
    return length > 0 && !isdigit((unsigned char)*text);
}

static bool add_assignment(struct shell *shell, const char *word) {
    const char *equals = strchr(word, '=');
    if (!equals || !is_name(word, (size_t)(equals - word))) {
        return false;
    }
    struct be_script *script = shell->script;
    void *list = script->assignment;
    bool capacity = be_script_capacity(&list, script->assignments, sizeof *script->assignment);
    script->assignment = list;
    const char *name = capacity ? be_script_keep(script, word, (size_t)(equals - word)) : NULL;
    if (name) {
        script->assignment[script->assignments++] =
            (struct be_script_assignment){shell->span, name, equals + 1};
    }
    shell->ok = shell->ok && name;
    return true;
}

static bool is_one_of(const char *word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Words that come before a command and are none. In "time = 3" it is what was to be set. */
static int skip_reserved(const struct shell *shell) {
    static const char *const reserved[] = {"if",   "then", "else", "elif",  "while",  "until",
                                           "do",   "!",    "{",    "time",  "fi",     "done",
                                           "esac", "}",    "exec", "nohup", "command"};
    int first = 0;
    while (first < shell->words && is_one_of(shell->word[first], reserved, BE_COUNT(reserved)) &&
           !(first + 1 < shell->words && shell->word[first + 1][0] == '=')) {
        first++;
    }
    return first;
}

static void keep_command(struct shell *shell, int first) {
    struct be_script *script = shell->script;
    void *list = script->command;
    bool capacity = be_script_capacity(&list, script->commands, sizeof *script->command);
    script->command = list;
    int words = shell->words - first;
    const char **copy = capacity ? malloc((size_t)words * sizeof *copy) : NULL;
    if (copy) {
        memcpy(copy, shell->word + first, (size_t)words * sizeof *copy);
        script->command[script->commands++] = (struct be_script_command){
            shell->span, copy, words, shell->loops, .piped = shell->piped, .fed = shell->fed};
    }
    shell->ok = shell->ok && copy;
}

static void end_command(struct shell *shell) {
    static const char *const lists[] = {"for", "case", "select", "function"};
    static const char *const exports[] = {"export",   "declare", "local",
                                          "readonly", "typeset", "env"};
    int first = skip_reserved(shell);
    for (int i = 0; i < first; i++) {
        shell->loops += strcmp(shell->word[i], "do") == 0;
        shell->loops -= shell->loops > 0 && strcmp(shell->word[i], "done") == 0;
    }
    while (first < shell->words && add_assignment(shell, shell->word[first])) {
        first++;
    }
    if (first < shell->words && is_one_of(shell->word[first], exports, BE_COUNT(exports))) {
        for (int i = first + 1; i < shell->words; i++) {
            add_assignment(shell, shell->word[i]);
        }
    }
    if (first < shell->words && !is_one_of(shell->word[first], lists, BE_COUNT(lists))) {
        keep_command(shell, first);
    }
    shell->piped = shell->piped && shell->words == 0; /* "a |", and the command on the next line */
    shell->words = 0;
    shell->target = shell->fed = false;
}

/* Lines that begin within a word are text, whatever they look like. */
static void mark_inner_lines(struct shell *shell, size_t from) {
    struct be_script *script = shell->script;
    for (size_t i = be_script_line_at(script, from) + 1;
         i < script->lines && script->line[i].span.at < shell->at; i++) {
        script->line[i].kind = BE_LINE_HEREDOC;
    }
}

static void add_word(struct shell *shell) {
    struct be_text text = {0};
    size_t from = shell->at;
    read_word(shell, &text);
    mark_inner_lines(shell, from);
    /* A function's name is no command: name() { .. }; nor is the number before 2>&1 a word */
    char next = sign_at(shell, shell->at);
    bool function = shell->words == 0 && next == '(';
    bool number = (next == '<' || next == '>') &&
                  strspn(shell->text + from, "0123456789") == shell->at - from;
    const char *kept = text.length || shell->at > from
                           ? be_script_keep(shell->script, text.data ? text.data : "", text.length)
                           : NULL;
    be_text_free(&text);
    shell->ok = shell->ok && kept;
    if (kept && !function && !number && !shell->target && shell->words < WORDS_MAX) {
        shell->span.at = shell->words ? shell->span.at : from;
        shell->span.length = shell->at - shell->span.at;
        shell->word[shell->words++] = kept;
    }
    shell->target = false;
}

/* ---- here-documents --------------------------------------------------------------------------- */

/* After "<<": its end word. */
static void note_heredoc(struct shell *shell) {
    struct heredoc *heredoc = &shell->heredoc[shell->heredocs];
    heredoc->tabs = sign_at(shell, shell->at) == '-';
    shell->at += heredoc->tabs;
    while (sign_at(shell, shell->at) == ' ' || sign_at(shell, shell->at) == '\t') {
        shell->at++;
    }
    struct be_text end = {0};
    read_word(shell, &end);
    if (end.length > 0 && end.length < sizeof heredoc->end && shell->heredocs + 1 < HEREDOCS_MAX) {
        memcpy(heredoc->end, end.data, end.length + 1);
        shell->heredocs++;
    }
    be_text_free(&end);
}

/* At the begin of a line: the lines that belong to the documents announced before it. */
static void pass_heredocs(struct shell *shell) {
    for (int i = 0; i < shell->heredocs; i++) {
        size_t wanted = strlen(shell->heredoc[i].end);
        bool found = false;
        while (!found && shell->at < shell->length) {
            struct be_script_line *line =
                &shell->script->line[be_script_line_at(shell->script, shell->at)];
            const char *from = shell->text + line->span.at;
            size_t length = line->span.length, tabs = 0;
            while (shell->heredoc[i].tabs && tabs < length && from[tabs] == '\t') {
                tabs++;
            }
            found =
                length - tabs == wanted && memcmp(from + tabs, shell->heredoc[i].end, wanted) == 0;
            line->kind = BE_LINE_HEREDOC;
            const char *next = memchr(from, '\n', shell->length - line->span.at);
            shell->at = next ? (size_t)(next + 1 - shell->text) : shell->length;
        }
    }
    shell->heredocs = 0;
}

/* ---- the whole --------------------------------------------------------------------------------- */

static void blank(struct shell *shell, size_t from, size_t to) {
    memset(shell->script->code + from, ' ', to - from);
}

/* '<' or '>', and what belongs to it. */
static void redirect(struct shell *shell) {
    char sign = shell->text[shell->at++];
    shell->fed = shell->fed || (sign == '<' && sign_at(shell, shell->at) != '(');
    if (sign == '<' && sign_at(shell, shell->at) == '<') {
        if (sign_at(shell, ++shell->at) != '<') {
            note_heredoc(shell);
            return;
        }
        shell->at++; /* <<<: a word is read */
    }
    while (sign_at(shell, shell->at) == '>' || sign_at(shell, shell->at) == '&' ||
           sign_at(shell, shell->at) == '|') {
        shell->at++;
    }
    shell->target = sign_at(shell, shell->at) != '('; /* <(..) is a command of its own */
}

/* Bytes of what ends a command at `at`: "&&", "||", "|&", ";&" or one sign. */
static size_t separator(struct shell *shell) {
    char sign = sign_at(shell, shell->at), next = sign_at(shell, shell->at + 1);
    if (next == '&' && strchr("&|;", sign)) {
        return 2;
    }
    if (sign == '&') {
        shell->script->background = (struct be_span){shell->at, 1};
    }
    return sign == '|' && next == '|' ? 2 : 1;
}

/* A command ends here, and how says what it and the next one have to do with each other. */
static void separate(struct shell *shell) {
    struct be_script *script = shell->script;
    const char sign = sign_at(shell, shell->at);
    const size_t before = script->commands;
    end_command(shell);
    const size_t bytes = separator(shell);
    if (sign == '&' && bytes == 1 && script->commands > before) {
        script->command[before].background = true;
    }
    shell->piped = sign == '|' && sign_at(shell, shell->at + 1) != '|';
    shell->at += bytes;
}

static void step(struct shell *shell) {
    char sign = shell->text[shell->at];
    if (sign == '\n') {
        end_command(shell);
        shell->at++;
        pass_heredocs(shell);
    } else if (sign == '#') {
        const char *end = memchr(shell->text + shell->at, '\n', shell->length - shell->at);
        size_t stop = end ? (size_t)(end - shell->text) : shell->length;
        blank(shell, shell->at, stop);
        shell->at = stop;
    } else if (sign == '\\' && sign_at(shell, shell->at + 1) == '\n') {
        shell->at += 2;
    } else if (sign == '(' && sign_at(shell, shell->at + 1) == '(') {
        shell->at = behind_bracket(shell, shell->at, 0); /* arithmetic: << is no document there */
    } else if (sign == '<' || sign == '>') {
        redirect(shell);
    } else if (sign == '&' && sign_at(shell, shell->at + 1) == '>') {
        shell->at++;
    } else if (strchr(";&|()", sign)) {
        separate(shell);
    } else if (isspace((unsigned char)sign) || !sign) {
        shell->at++;
    } else {
        add_word(shell);
    }
}

bool be_shell_read(struct be_script *script, size_t at) {
    struct shell shell = {
        .script = script, .text = script->text, .at = at, .length = script->length, .ok = true};
    while (shell.ok && shell.at < shell.length) {
        step(&shell);
    }
    end_command(&shell);
    return shell.ok;
}
