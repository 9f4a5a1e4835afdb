#include "ask/kinds.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "ask/kinds_text.h"
#include "base/error.h"

const struct be_work_info be_work_kinds[BE_WORK_KINDS] = {
    [BE_WORK_MATRIX] = {"matrix", "matrix products", BE_MOVES},
    [BE_WORK_LAPACK] = {"lapack", "linear algebra (LAPACK)", BE_MOVES},
    [BE_WORK_FFT] = {"fft", "Fourier transforms", BE_MOVES},
    [BE_WORK_ELEMENTWISE] = {"elementwise", "elementwise loops over arrays", BE_MOVES},
    [BE_WORK_REDUCTION] = {"reduction", "reductions of arrays", BE_MOVES},
    [BE_WORK_SORT] = {"sort", "sorting", BE_MOVES},
    [BE_WORK_RANDOM] = {"random", "random numbers", BE_MOVES},
    [BE_WORK_SPARSE] = {"sparse", "sparse matrices", BE_MOVES},
    [BE_WORK_GATHER] = {"gather", "indexing and gathering", BE_MOVES},
    [BE_WORK_COPY] = {"copy", "copies, allocation of memory", BE_MAY_MOVE},
    [BE_WORK_OWN] = {"own", "compiled code of the program", BE_MAY_MOVE},
    [BE_WORK_INTERPRETER] = {"interpreter", "the interpreter", BE_STAYS},
    [BE_WORK_CALLS] = {"calls", "preparation of array calls", BE_STAYS},
    [BE_WORK_PARSING] = {"parsing", "parsing, text, decompression", BE_STAYS},
    [BE_WORK_LOADING] = {"loading", "loading and compiling code", BE_STAYS},
    [BE_WORK_COMMUNICATION] = {"communication", "communication", BE_STAYS},
    [BE_WORK_KERNEL] = {"kernel", "the kernel (faults, files)", BE_MAY_MOVE},
    [BE_WORK_SPINNING] = {"spinning", "threads that wait by spinning", BE_MAY_MOVE},
    [BE_WORK_WAITING] = {"waiting", "waiting", BE_STAYS},
    [BE_WORK_UNKNOWN] = {"unknown", "unknown", BE_MAY_MOVE},
};

/* ---- reading -------------------------------------------------------------------------------- */

static void free_list(char **list) {
    for (int i = 0; list && list[i]; i++) {
        free(list[i]);
    }
    free(list);
}

void be_kinds_free(struct be_kinds *kinds) {
    for (int i = 0; i < kinds->rules; i++) {
        struct be_kind_rule *rule = &kinds->rule[i];
        free_list(rule->library);
        free_list(rule->symbol);
        free_list(rule->beside);
        free(rule->what);
        free(rule->source);
    }
    free(kinds->rule);
    *kinds = (struct be_kinds){0};
}

/* A list of texts, or one text; false: neither. */
static bool read_list(const cJSON *rule, const char *name, char ***list) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(rule, name);
    const int count = cJSON_IsArray(value) ? cJSON_GetArraySize(value) : 1;
    *list = NULL;
    if (!value) {
        return true;
    }
    char **made = calloc((size_t)count + 1, sizeof *made);
    for (int i = 0; made && i < count; i++) {
        const cJSON *one = cJSON_IsArray(value) ? cJSON_GetArrayItem(value, i) : value;
        made[i] = cJSON_IsString(one) ? strdup(one->valuestring) : NULL;
        if (!made[i]) {
            free_list(made);
            return false;
        }
    }
    *list = made;
    return made && count > 0;
}

static int find_kind(const cJSON *rule) {
    const cJSON *word = cJSON_GetObjectItemCaseSensitive(rule, "kind");
    for (int i = 0; cJSON_IsString(word) && i < BE_WORK_KINDS; i++) {
        if (strcmp(be_work_kinds[i].word, word->valuestring) == 0) {
            return i;
        }
    }
    return -1;
}

static char *read_text(const cJSON *rule, const char *name) {
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(rule, name);
    return cJSON_IsString(text) ? strdup(text->valuestring) : NULL;
}

static enum be_status read_rule(const cJSON *from, const char *name, int index,
                                struct be_kind_rule *rule, struct be_error *error) {
    const int kind = find_kind(from);
    const bool lists = read_list(from, "library", &rule->library) &&
                       read_list(from, "symbol", &rule->symbol) &&
                       read_list(from, "beside", &rule->beside);
    rule->what = read_text(from, "what");
    rule->source = read_text(from, "source");
    rule->kind = kind < 0 ? BE_WORK_UNKNOWN : (enum be_work_kind)kind;
    if (kind < 0) {
        return be_fail(error, BE_USAGE, "%s: rules[%d].kind: not the word of a kind", name, index);
    }
    if (!lists || !rule->library) {
        return be_fail(error, BE_USAGE,
                       "%s: rules[%d]: library, symbol and beside are texts or lists of texts, and "
                       "library is needed",
                       name, index);
    }
    return rule->source
               ? BE_OK
               : be_fail(error, BE_USAGE, "%s: rules[%d].source: a text is needed: who says so",
                         name, index);
}

enum be_status be_kinds_read(const char *text, const char *name, struct be_kinds *kinds,
                             struct be_error *error) {
    *kinds = (struct be_kinds){0};
    cJSON *root = cJSON_Parse(text);
    const cJSON *rules = cJSON_GetObjectItemCaseSensitive(root, "rules"), *one;
    enum be_status status = BE_OK;
    if (!cJSON_IsArray(rules)) {
        cJSON_Delete(root);
        return be_fail(error, BE_USAGE, "%s: no table of kinds: a list `rules` is needed", name);
    }
    kinds->rule = calloc((size_t)cJSON_GetArraySize(rules) + 1, sizeof *kinds->rule);
    if (!kinds->rule) {
        status = be_fail(error, BE_NOMEM, "%s: no host memory", name);
    }
    cJSON_ArrayForEach(one, rules) {
        if (!status) {
            const int index = kinds->rules++;
            status = read_rule(one, name, index, &kinds->rule[index], error);
        }
    }
    cJSON_Delete(root);
    if (status) {
        be_kinds_free(kinds);
    }
    return status;
}

enum be_status be_kinds_load(struct be_kinds *kinds, struct be_error *error) {
    return be_kinds_read(be_kinds_text, "share/kinds.json", kinds, error);
}

/* ---- finding -------------------------------------------------------------------------------- */

static bool fits_path(const char *pattern, const char *path) {
    const char *slash = strrchr(path, '/');
    return fnmatch(pattern, strchr(pattern, '/') || !slash ? path : slash + 1, 0) == 0;
}

static bool any_path(char *const *pattern, const char *path) {
    for (; *pattern; pattern++) {
        if (fits_path(*pattern, path)) {
            return true;
        }
    }
    return false;
}

static bool fits_symbol(const struct be_kind_rule *rule, const char *symbol) {
    if (!rule->symbol) {
        return true;
    }
    for (char *const *pattern = rule->symbol; *pattern; pattern++) {
        if (fnmatch(*pattern, symbol, 0) == 0) {
            return true;
        }
    }
    return false;
}

static bool fits_beside(const struct be_kind_rule *rule, const char *const *beside, int besides) {
    for (int i = 0; rule->beside && i < besides; i++) {
        if (any_path(rule->beside, beside[i])) {
            return true;
        }
    }
    return !rule->beside;
}

const struct be_kind_rule *be_kinds_find(const struct be_kinds *kinds, const char *path,
                                         const char *symbol, const char *const *beside,
                                         int besides) {
    for (int i = 0; i < kinds->rules; i++) {
        const struct be_kind_rule *rule = &kinds->rule[i];
        if (any_path(rule->library, path) && fits_symbol(rule, symbol) &&
            fits_beside(rule, beside, besides)) {
            return rule;
        }
    }
    return NULL;
}
