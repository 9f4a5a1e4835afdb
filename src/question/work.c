/* The numbers of a computation from a question. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "question/question.h"
#include "report/common/field_rows.h"

static const struct be_field field[] = {
    FIELD(be_question_work, TEXT, flops),
    FIELD(be_question_work, TEXT, bytes),
    FIELD(be_question_work, TEXT, sequential),
    FIELD(be_question_work, TEXT, transfer),
    FIELD(be_question_work, TEXT, transfer_each),
    FIELD(be_question_work, TEXT, memory),
    FIELD(be_question_work, TEXT, calls),
    FIELD(be_question_work, TEXT, launches),
    FIELD(be_question_work, TEXT, batch),
    FIELD(be_question_work, TEXT, matmul),
    FIELD(be_question_work, TEXT, factor),
    FIELD(be_question_work, TEXT, irregular),
    FIELD(be_question_work, TEXT, framework),
    FIELD(be_question_work, TEXT, type),
    FIELD(be_question_work, TEXT, cpu),
    OWNED(be_question_work, machine, machines, NULL),
    FIELD(be_question_work, TRUTH, all_sequential),
    FIELD(be_question_work, TRUTH, matrix),
    FIELD(be_question_work, TRUTH, elementwise),
    FIELD(be_question_work, TRUTH, first_call),
    FIELD(be_question_work, REAL, measured_s),
    FIELD(be_question_work, REAL, size),
    FIELD(be_question_work, REAL, size_from),
    FIELD(be_question_work, REAL, size_to),
};
static const struct be_fields fields = FIELDS(field);

/* A name that is misspelt would be a number that is not counted. */
static enum be_status check_names(const struct be_question *question) {
    const cJSON *member;
    cJSON_ArrayForEach(member, question->node) {
        bool known = strcmp(member->string, "ask") == 0 || strcmp(member->string, "sizes") == 0;
        for (size_t i = 0; i < fields.count; i++) {
            known |= strcmp(member->string, field[i].name) == 0;
        }
        if (!known) {
            char quoted[BE_JSON_QUOTED + 4];
            be_json_quote(quoted, member->string);
            return be_json_bad(
                question->reader, quoted,
                "there is no such member; there are flops, bytes, sequential, "
                "transfer, transfer_each, memory, calls, launches, batch, matmul, "
                "factor, irregular, framework, type, cpu, machines, size, sizes and others");
        }
    }
    return BE_OK;
}

static enum be_status set_flags(const struct be_question *question, struct be_question_work *work) {
    const bool float64 = strcmp(work->type, "float64") == 0;
    if (*work->type && !float64 && strcmp(work->type, "float32") != 0) {
        return be_json_bad(question->reader, "type", "there are float32, float64");
    }
    work->formulas.all_in_chain = work->all_sequential;
    work->formulas.flags = (struct be_predict_work){.float64 = float64,
                                                    .matrix = work->matrix,
                                                    .stream = work->elementwise,
                                                    .first_call = work->first_call};
    return *work->flops || *work->bytes || *work->matmul || *work->factor || *work->irregular
               ? BE_OK
               : be_fail(question->reader->error, BE_USAGE,
                         "%s: neither flops nor bytes: say at least one of them, or the shape of a "
                         "product (matmul) or of a factorisation (factor), or irregular items",
                         question->reader->name);
}

static enum be_status open_formulas(const struct be_question *question,
                                    struct be_question_work *work) {
    const struct {
        enum be_formula_of of;
        const char *text;
    } said[] = {
        {BE_FORMULA_FLOPS, work->flops},        {BE_FORMULA_BYTES, work->bytes},
        {BE_FORMULA_CHAIN, work->sequential},   {BE_FORMULA_ONCE, work->transfer},
        {BE_FORMULA_EACH, work->transfer_each}, {BE_FORMULA_MEMORY, work->memory},
        {BE_FORMULA_CALLS, work->calls},        {BE_FORMULA_LAUNCHES, work->launches},
        {BE_FORMULA_BATCH, work->batch},
    };
    struct be_formulas_fault fault = {NULL, 0};
    struct be_error *error = question->reader->error;
    for (size_t i = 0; i < BE_COUNT(said); i++) {
        work->formulas.text[said[i].of] = *said[i].text ? said[i].text : NULL;
    }
    enum be_status status =
        *work->matmul ? be_formulas_matmul(&work->formulas, work->matmul, error) : BE_OK;
    status = status || !*work->factor ? status
                                      : be_formulas_factor(&work->formulas, work->factor, error);
    status = status || !*work->irregular
                 ? status
                 : be_formulas_irregular(&work->formulas, work->irregular, error);
    status = status || !*work->framework
                 ? status
                 : be_formulas_framework(&work->formulas, work->framework, error);
    status = status ? status : be_formulas_check(&work->formulas, error);
    status = status ? status : be_formulas_open(&work->formulas, &fault, error);
    if (fault.text) { /* there is no line below it for a caret */
        be_context(error, "'%.120s', character %zu", fault.text, fault.at + 1);
    }
    return status ? be_context(error, "%s", question->reader->name) : BE_OK;
}

enum be_status be_question_work_read(const struct be_question *question,
                                     struct be_question_work *work) {
    *work = (struct be_question_work){.measured_s = NAN};
    enum be_status status = check_names(question);
    status = status ? status : be_json_read_record(question->reader, &fields, question->node, work);
    status = status ? status : set_flags(question, work);
    return status ? status : open_formulas(question, work);
}

void be_question_work_free(struct be_question_work *work) {
    be_formulas_close(&work->formulas);
    free(work->machine);
    work->machine = NULL;
}
