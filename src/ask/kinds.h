/*
 * Kinds of work, and the table that says which functions of which libraries do which (share/kinds.json). It does not know
 * how long anything takes.
 */
#ifndef BE_ASK_KINDS_H
#define BE_ASK_KINDS_H

#include <stdbool.h>

#include "breakeven_error.h"

/* One line of kinds.c each, in this order. */
enum be_work_kind {
    BE_WORK_MATRIX,
    BE_WORK_LAPACK,
    BE_WORK_FFT,
    BE_WORK_ELEMENTWISE,
    BE_WORK_REDUCTION,
    BE_WORK_SORT,
    BE_WORK_RANDOM,
    BE_WORK_SPARSE,
    BE_WORK_GATHER,
    BE_WORK_COPY,
    BE_WORK_OWN,
    BE_WORK_INTERPRETER,
    BE_WORK_CALLS, /* NumPy does that for each call of the interpreter */
    BE_WORK_PARSING,
    BE_WORK_LOADING,
    BE_WORK_COMMUNICATION,
    BE_WORK_KERNEL,
    BE_WORK_SPINNING,
    BE_WORK_WAITING,
    BE_WORK_UNKNOWN,
    BE_WORK_KINDS
};

/* The fate of a kind where there is a GPU. */
enum be_work_moves {
    BE_MOVES,    /* code for GPUs exists */
    BE_MAY_MOVE, /* nobody but its author can tell */
    BE_STAYS     /* on the CPU, as the program is */
};

struct be_work_info {
    const char *word;  /* in files: "matrix" */
    const char *title; /* in sentences: "matrix products" */
    enum be_work_moves moves;
};
extern const struct be_work_info be_work_kinds[BE_WORK_KINDS];

/* A rule: a function belongs to its kind where the patterns fit. */
struct be_kind_rule {
    char *
        *library; /* patterns of names, or of paths where they have a slash; NULL behind the last */
    char **symbol; /* NULL: of any function, also of those without a name */
    char **beside; /* NULL: whatever else is mapped */
    char *what;    /* in sentences: "NumPy's loops"; NULL: the kind's title */
    char *source;
    enum be_work_kind kind;
};

struct be_kinds {
    struct be_kind_rule *rule;
    int rules;
};

/* From the text of such a file; `name` stands in messages. BE_USAGE: it is none. */
enum be_status be_kinds_read(const char *text, const char *name, struct be_kinds *kinds,
                             struct be_error *error);
/* The table that comes with breakeven. */
enum be_status be_kinds_load(struct be_kinds *kinds, struct be_error *error);
void be_kinds_free(struct be_kinds *kinds); /* accepts a zeroed one */

/* The first rule that fits; NULL: none does. `beside`: the paths of what else is mapped, `besides` of them. */
const struct be_kind_rule *be_kinds_find(const struct be_kinds *kinds, const char *path,
                                         const char *symbol, const char *const *beside,
                                         int besides);

#endif
