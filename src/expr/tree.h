/*
 * A formula as a tree. Only files of this folder include this.
 */
#ifndef BE_EXPR_TREE_H
#define BE_EXPR_TREE_H

#include "base/text.h"
#include "expr/expr.h"

enum { BE_EXPR_NODES = 256, BE_EXPR_DEPTH = 48, BE_EXPR_STATEMENTS = 8, BE_EXPR_WORD = 24 };

/* For reductions: lanes of a group of a device; at most so many groups, each of which has as many elements at least; the
 * elements that a thread of the CPU sums up in the comparison's type. */
enum {
    BE_EXPR_LANES = 256,
    BE_EXPR_GROUPS = 1024,
    BE_EXPR_GROUP_ELEMENTS = 4096,
    BE_EXPR_TOGETHER = 1024
};

enum be_expr_kind {
    BE_EXPR_NUMBER,
    BE_EXPR_NAME, /* an array's element */
    BE_EXPR_INDEX,
    BE_EXPR_SIZE,
    BE_EXPR_OPERATOR, /* of one or two operands */
    BE_EXPR_CHOICE,   /* a ? b : c */
    BE_EXPR_CALL
};

/* An operator, or a function. In C and in device code; NULL: as it is called. `value`: in double precision. */
struct be_expr_function {
    const char *name;
    int operands;
    const char *host, *device;
    double (*one)(double);
    double (*two)(double, double);
    double (*three)(double, double, double);
    int operations; /* floating-point operations that it takes at least */
    bool truth;     /* the result is 0 or 1 */
};

struct be_expr_node {
    enum be_expr_kind kind;
    double value;
    int name; /* index in be_expr.name */
    const struct be_expr_function *function;
    int operand[3]; /* indices in be_expr.node */
};

struct be_expr_name {
    char word[BE_EXPR_WORD];
    bool read, written; /* read: before it was written */
    bool output;        /* written, and an array; of a reduction, it is none that helps another */
    int array;          /* which of the computation's; -1: it is none */
};

struct be_expr_statement {
    int name, node;
    size_t at; /* of its first letter */
};

/* part: of a reduction, one value an array. */
typedef void be_expr_loop(void *const *array, size_t first, size_t count, double n, double *part);

struct be_expr {
    char text[BE_NOTE];
    bool powers; /* a^b is a power; elsewhere it is refused */
    enum be_expr_reduce reduce;
    char label[BE_NOTE + 48]; /* the text, and that it is interpreted where it is */
    struct be_expr_node node[BE_EXPR_NODES];
    int nodes;
    struct be_expr_name name[BE_OWN_ARRAYS_MAX];
    int names;
    struct be_expr_statement statement[BE_EXPR_STATEMENTS];
    int statements;
    double operations; /* an element */

    struct be_own_parameter parameter;
    struct be_own_array array[BE_OWN_ARRAYS_MAX];
    struct be_own_launch launch[2]; /* of a reduction */
    struct be_computation computation;
    struct be_text source; /* device code */
    be_expr_loop *loop[2]; /* compiled: float32, float64; NULL: interpreted */
    void *library;         /* of be_dyn_open */
};

/* The title: the formula, and a remark behind it. */
void be_expr_label(struct be_expr *expr, const char *remark);

/* Fills node, name, statement. */
enum be_status be_expr_parse(struct be_expr *expr, struct be_expr_fault *fault,
                             struct be_error *error);

const struct be_expr_function *be_expr_operator(const char *text, int operands);
/* By its name; NULL: there is no such function. */
const struct be_expr_function *be_expr_find(const char *name, size_t length);
/* The i-th function; NULL behind the last. */
const struct be_expr_function *be_expr_at(int i);

/* C for the CPU: be_expr_float32 and be_expr_float64, of type be_expr_loop. */
void be_expr_emit_host(const struct be_expr *expr, struct be_text *out);
/* The kernel k_expr; of a reduction k_parts and k_whole. */
void be_expr_emit_device(const struct be_expr *expr, struct be_text *out);
/* Parts of both: v_NAME of element `at`; a_NAME as pointers, and as arguments. suffix: of C's functions; NULL: device
 * code. */
void be_expr_emit_values(const struct be_expr *expr, const char *suffix, struct be_text *out);
void be_expr_emit_pointers(const struct be_expr *expr, struct be_text *out);
void be_expr_emit_arguments(const struct be_expr *expr, struct be_text *out);

/* All statements for first .. first + count, in double precision. `doubles`: arrays that are written are of doubles,
 * whatever the call's type. part: of a reduction, one value an array. */
void be_expr_evaluate(const struct be_expr *expr, const struct be_call *call, bool doubles,
                      double part[BE_OWN_ARRAYS_MAX]);

/* The value of no elements, and of two. */
double be_expr_reduce_nothing(enum be_expr_reduce reduce);
double be_expr_reduce_join(enum be_expr_reduce reduce, double a, double b);
const char *be_expr_reduce_name(enum be_expr_reduce reduce);
/* Groups of k_parts. */
uint64_t be_expr_reduce_groups(uint64_t n);
void be_expr_reduce_host(const struct be_expr *expr, const char *suffix, struct be_text *out);
void be_expr_reduce_device(const struct be_expr *expr, struct be_text *out);

#endif
