#include "expr/code_file_read.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct line {
    struct be_code_file *file;
    int number; /* from 1 */
    char text[BE_NOTE];
    char *at;
};

__attribute__((format(printf, 3, 4))) static enum be_status
refuse(const struct line *line, struct be_error *error, const char *format, ...) {
    char what[BE_NOTE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return be_fail(error, BE_USAGE, "%s:%d: breakeven: %s", line->file->name, line->number, what);
}

static void skip(struct line *line) {
    line->at += strspn(line->at, " \t");
}

/* The next word of letters, digits and _; empty: there is none. */
static void take_word(struct line *line, char word[BE_NAME]) {
    size_t length = 0;
    skip(line);
    while ((isalnum((unsigned char)*line->at) || *line->at == '_') && length < BE_NAME - 1) {
        word[length++] = *line->at++;
    }
    word[length] = '\0';
    skip(line);
}

static bool take_sign(struct line *line, char sign) {
    skip(line);
    const bool found = *line->at == sign;
    line->at += found;
    return found;
}

static bool take_number(struct line *line, double *number) {
    char *end;
    skip(line);
    *number = strtod(line->at, &end);
    const bool found = end != line->at && isfinite(*number);
    end -= found && end[-1] == '.' && *end == '.'; /* of 1..9 the point is none of the 1's */
    line->at = end;
    return found;
}

static int parameter_of(const struct be_code_file *file, const char *word) {
    for (int i = 0; i < file->computation.parameters; i++) {
        if (strcmp(file->parameter[i].name, word) == 0) {
            return i;
        }
    }
    return -1;
}

/* A formula up to `length`, of parameters alone. */
static enum be_status take_formula(struct line *line, size_t length, struct be_code_number *number,
                                   struct be_error *error) {
    char text[BE_NOTE + 16];
    struct be_expr_fault fault;
    struct be_error why = {0};
    snprintf(text, sizeof text, "value_ = %.*s", (int)length, line->at);
    line->at += length;
    be_expr_close(number->expr);
    if (be_expr_open(text, BE_EXPR_EACH, &number->expr, &fault, &why) != BE_OK) {
        return refuse(line, error, "%s: %.200s", text + 9, why.text);
    }
    const struct be_computation *c = be_expr_computation(number->expr);
    for (int k = 0; k < c->arrays; k++) {
        number->parameter[k] = parameter_of(line->file, c->array[k].name);
        if (c->array[k].role == BE_OWN_READ && number->parameter[k] < 0) {
            return refuse(line, error, "no size and no parameter %s above this line",
                          c->array[k].name);
        }
    }
    return BE_OK;
}

/* ---- kinds of lines ------------------------------------------------------------------------- */

/* size n = 1e3..1e7; parameter m = 64 */
static enum be_status read_parameter(struct line *line, const char *key, struct be_error *error) {
    struct be_code_file *file = line->file;
    const bool size = strcmp(key, "size") == 0;
    const int i = file->computation.parameters;
    double from = 0, to = 0;
    if (size != (i == 0)) {
        return refuse(line, error,
                      size ? "there is one size, and it stands first"
                           : "the size comes first: size n = 1e3..1e7");
    }
    if (i == BE_OWN_PARAMETERS_MAX) {
        return refuse(line, error, "at most %d parameters, the size among them", i);
    }
    take_word(line, file->parameter_word[i]);
    const bool named = *file->parameter_word[i] && parameter_of(file, file->parameter_word[i]) < 0;
    bool good = named && take_sign(line, '=') && take_number(line, &from);
    to = from;
    if (good && size) {
        good = take_sign(line, '.') && take_sign(line, '.') && take_number(line, &to);
    }
    if (!good || from < 1 || to < from || to > 1e15) {
        return refuse(line, error,
                      size ? "size NAME = FROM..TO is expected, as in size n = 1e3..1e7"
                           : "parameter NAME = NUMBER is expected, and a new name");
    }
    file->parameter[i] = (struct be_own_parameter){.name = file->parameter_word[i],
                                                   .what = size ? "size" : file->parameter_word[i],
                                                   .min = 1,
                                                   .preset = (uint64_t)from,
                                                   .from = (uint64_t)from,
                                                   .to = (uint64_t)to};
    file->computation.parameters++;
    return BE_OK;
}

static bool element_of(const char *word, enum be_element *element) {
    static const struct {
        const char *word;
        enum be_element element;
    } types[] = {{"float", BE_OWN_FLOAT32},
                 {"double", BE_OWN_FLOAT64},
                 {"int", BE_OWN_INT32},
                 {"long", BE_OWN_INT64},
                 {"uchar", BE_OWN_BYTE}};
    for (size_t i = 0; i < BE_COUNT(types); i++) {
        if (strcmp(types[i].word, word) == 0) {
            *element = types[i].element;
            return true;
        }
    }
    return false;
}

static enum be_status add_argument(struct line *line, struct be_own_argument argument,
                                   struct be_error *error) {
    struct be_own_device *d = &line->file->computation.device;
    if (d->arguments == BE_OWN_ARGUMENTS_MAX) {
        return refuse(line, error, "at most %d arguments", (int)BE_OWN_ARGUMENTS_MAX);
    }
    line->file->argument[d->arguments++] = argument;
    return BE_OK;
}

/* read float x[n] */
static enum be_status read_array(struct line *line, const char *key, struct be_error *error) {
    struct be_code_file *file = line->file;
    const int k = file->computation.arrays;
    char type[BE_NAME];
    enum be_element element = BE_OWN_REAL;
    take_word(line, type);
    if (!element_of(type, &element)) {
        return refuse(line, error, "no type %s: there are float, double, int, long, uchar", type);
    }
    if (k == BE_OWN_ARRAYS_MAX) {
        return refuse(line, error, "at most %d arrays", k);
    }
    take_word(line, file->word[k]);
    const char *end = strrchr(line->at, ']');
    if (!*file->word[k] || !take_sign(line, '[') || !end || end < line->at) {
        return refuse(line, error, "%s TYPE NAME[COUNT] is expected, as in %s float x[n]", key,
                      key);
    }
    file->array[k] = (struct be_own_array){.name = file->word[k],
                                           .element = element,
                                           .role = *key == 'r'   ? BE_OWN_READ
                                                   : *key == 'w' ? BE_OWN_WRITTEN
                                                                 : BE_OWN_UPDATED};
    file->computation.arrays++;
    enum be_status status = take_formula(line, (size_t)(end - line->at), &file->count[k], error);
    line->at++;
    return status ? status
                  : add_argument(line, (struct be_own_argument){BE_OWN_ARRAY, k, 0, 0}, error);
}

/* value int n; value float a = 2.5 */
static enum be_status read_value(struct line *line, const char *key, struct be_error *error) {
    struct be_own_argument argument = {.kind = BE_OWN_NUMBER};
    char type[BE_NAME], word[BE_NAME];
    (void)key;
    take_word(line, type);
    take_word(line, word);
    if (!element_of(type, &argument.element) || argument.element == BE_OWN_BYTE || !*word) {
        return refuse(line, error,
                      "value TYPE NAME is expected; types are float, double, int, long");
    }
    if (take_sign(line, '=')) {
        if (!take_number(line, &argument.number)) {
            return refuse(line, error, "a number is expected behind '='");
        }
        line->at += *line->at == 'f';
        const double most = argument.element == BE_OWN_INT32   ? INT32_MAX
                            : argument.element == BE_OWN_INT64 ? 0x1p53
                                                               : INFINITY;
        if (fabs(argument.number) > most) {
            return refuse(line, error, "%g does not fit into %s", argument.number, type);
        }
    } else {
        argument.kind = BE_OWN_PARAMETER;
        argument.index = parameter_of(line->file, word);
        if (argument.index < 0) {
            return refuse(line, error,
                          "no size and no parameter %s above this line; a number is "
                          "value %s %s = 1",
                          word, type, word);
        }
        if (argument.element == BE_OWN_INT32) { /* else its upper bits would be lost */
            line->file->parameter[argument.index].max = INT32_MAX;
        }
    }
    return add_argument(line, argument, error);
}

static enum be_status read_name(struct line *line, const char *key, struct be_error *error) {
    char *to = strcmp(key, "kernel") == 0 ? line->file->kernel : line->file->cpu;
    char whole[BE_NAME];
    take_word(line, to);
    take_word(line, whole);
    if (!*to || (*whole && (to != line->file->cpu || strcmp(whole, "whole") != 0))) {
        return refuse(line, error, "%s NAME is expected%s", key,
                      to == line->file->cpu ? ", or cpu NAME whole" : "");
    }
    line->file->computation.one_thread |= *whole != '\0';
    return BE_OK;
}

static enum be_status read_formula(struct line *line, const char *key, struct be_error *error) {
    struct be_code_number *number = *key == 'i'   ? &line->file->items
                                    : *key == 'g' ? &line->file->groups
                                                  : &line->file->operations;
    return take_formula(line, strlen(line->at), number, error);
}

static enum be_status read_number(struct line *line, const char *key, struct be_error *error) {
    double number = 0;
    const bool lanes = strcmp(key, "lanes") == 0;
    if (!take_number(line, &number) || number <= 0 || (lanes && (number > 1024 || number < 1))) {
        return refuse(line, error,
                      lanes ? "lanes 1 .. 1024 are expected"
                            : "tolerance NUMBER is expected, as in tolerance 1e-5");
    }
    if (lanes) {
        line->file->computation.device.lanes = (unsigned)number;
    } else {
        line->file->computation.tolerance = number;
    }
    return BE_OK;
}

static const struct {
    const char *key;
    enum be_status (*read)(struct line *line, const char *key, struct be_error *error);
} kinds[] = {{"size", read_parameter},     {"parameter", read_parameter},
             {"read", read_array},         {"write", read_array},
             {"update", read_array},       {"value", read_value},
             {"kernel", read_name},        {"cpu", read_name},
             {"items", read_formula},      {"groups", read_formula},
             {"operations", read_formula}, {"lanes", read_number},
             {"tolerance", read_number}};

static enum be_status read_line(struct line *line, struct be_error *error) {
    char key[BE_NAME];
    take_word(line, key);
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        if (strcmp(kinds[i].key, key) == 0) {
            const enum be_status status = kinds[i].read(line, kinds[i].key, error);
            skip(line);
            return status      ? status
                   : *line->at ? refuse(line, error, "'%.60s' is not expected here", line->at)
                               : BE_OK;
        }
    }
    return refuse(line, error,
                  "no word '%s': there are kernel, cpu, size, parameter, read, write, update, "
                  "value, items, groups, lanes, operations, tolerance",
                  key);
}

/* The text behind "breakeven:", without the end of a comment. */
static bool is_described(const char *from, size_t length, struct line *line) {
    static const char mark[] = "breakeven:";
    snprintf(line->text, sizeof line->text, "%.*s", (int)length, from);
    line->at = strstr(line->text, mark);
    if (!line->at || line->text + strspn(line->text, " \t/*") != line->at) {
        return false;
    }
    line->at += sizeof mark - 1;
    char *end = strstr(line->at, "*/");
    if (end) {
        *end = '\0';
    }
    for (size_t left = strlen(line->at); left && isspace((unsigned char)line->at[left - 1]);) {
        line->at[--left] = '\0';
    }
    return true;
}

enum be_status be_code_file_read(struct be_code_file *file, struct be_error *error) {
    struct line line = {.file = file};
    enum be_status status = BE_OK;
    bool any = false;
    for (const char *at = file->source.data; status == BE_OK && at && *at;) {
        const size_t length = strcspn(at, "\n");
        line.number++;
        if (is_described(at, length, &line)) {
            status = read_line(&line, error);
            any = true;
        }
        at += length + (at[length] == '\n');
    }
    if (status != BE_OK) {
        return status;
    }
    const struct {
        bool lacks;
        const char *line;
    } needs[] = {
        {!any, "no line describes its arguments, as in `// breakeven: read float x[n]` "
               "(docs/own-code.md)"},
        {!*file->kernel, "no line `// breakeven: kernel NAME`"},
        {file->computation.parameters == 0, "no line `// breakeven: size n = 1e3..1e7`"},
    };
    for (size_t i = 0; i < BE_COUNT(needs); i++) {
        if (needs[i].lacks) {
            return be_fail(error, BE_USAGE, "%s: %s", file->name, needs[i].line);
        }
    }
    return BE_OK;
}
