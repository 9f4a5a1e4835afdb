/*
 * A question as JSON (docs/json.md), and the answers to its kinds. It serves bindings to other languages, which have no
 * structs. It does not know options.
 */
#ifndef BE_QUESTION_QUESTION_H
#define BE_QUESTION_QUESTION_H

#include "base/text.h"
#include "breakeven_text.h"
#include "question/formulas.h"
#include "question/profiles.h"
#include "report/json/reader.h"

/* A CPU and a GPU that were asked about. */
struct be_known_pair {
    char cpu[BE_NOTE], gpu[BE_NOTE];
    struct be_predictor *predictor;
};

enum { BE_KNOWN_PAIRS = 16 };

struct be_asker {
    struct be_here here;
    struct be_known_pair pair[BE_KNOWN_PAIRS]; /* the one that was read longest ago goes first */
    int pairs, next;
};

struct be_question {
    struct be_json_reader *reader; /* for messages */
    const cJSON *node;
    enum be_format format;
};

/* Each answers one kind, in a format that it has. On success *string is the caller's. */
typedef enum be_status be_answer(struct be_asker *asker, const struct be_question *question,
                                 char **string, struct be_error *error);
be_answer be_answer_predict, be_answer_worth, be_answer_machines, be_answer_machine, be_answer_lint;

/* Ends an answer: hands the text over where status is BE_OK, else frees it. */
enum be_status be_answer_text(struct be_text *text, enum be_status status, char **string,
                              struct be_error *error);

/* The numbers of a computation, as a question has them. Texts, since each may be a formula of n. */
struct be_question_work {
    char flops[BE_NOTE], bytes[BE_NOTE], sequential[BE_NOTE], transfer[BE_NOTE];
    char transfer_each[BE_NOTE], memory[BE_NOTE], calls[BE_NOTE], launches[BE_NOTE];
    char batch[BE_NOTE], matmul[BE_NOTE], factor[BE_NOTE], type[BE_NAME], cpu[BE_NOTE];
    char irregular[BE_NOTE], framework[BE_NAME];
    char (*machine)[BE_NOTE];
    size_t machines;
    bool all_sequential, matrix, elementwise, first_call;
    double measured_s;
    double size;               /* of "worth" */
    double size_from, size_to; /* of "predict": in steps of 1, 3, 10 */
    struct be_formulas formulas;
};

/* On success, and on failure too, be_question_work_free. */
enum be_status be_question_work_read(const struct be_question *question,
                                     struct be_question_work *work);
void be_question_work_free(struct be_question_work *work);

#endif
