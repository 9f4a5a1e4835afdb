/* The answer of `breakeven ask` as text and JSON (docs/json.md). */
#ifndef BE_REPORT_ASK_ASK_H
#define BE_REPORT_ASK_ASK_H

#include <stdio.h>

#include "ask/verdict.h"
#include "base/text.h"
#include "breakeven.h"
#include "report/json/reader.h"

/* BE_TEXT or BE_JSON. */
enum be_status be_ask_write(const struct be_ask_answer *answer, enum be_format format, FILE *out,
                            struct be_error *error);

/* The parts of the folder. */
void be_ask_verdict_text(const struct be_ask_answer *answer, struct be_text *out);
void be_ask_advice_text(const struct be_ask *ask, struct be_text *out);
void be_ask_own_text(const struct be_ask_answer *answer, struct be_text *out);
void be_ask_text(const struct be_ask_answer *answer, struct be_text *out);
void be_ask_json(const struct be_ask_answer *answer, struct be_text *out);

/* The run and its parts, as be_ask_json wrote them; not the answers for machines. be_ask_free in any case. */
enum be_status be_ask_read_json(struct be_json_reader *reader, const cJSON *root,
                                struct be_ask *ask);

#endif
