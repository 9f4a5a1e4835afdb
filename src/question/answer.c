/* The end of an answer. */
#include <string.h>

#include "base/error.h"
#include "question/question.h"

enum be_status be_answer_text(struct be_text *text, enum be_status status, char **string,
                              struct be_error *error) {
    *string = status || text->failed ? NULL : text->data ? text->data : strdup("");
    if (!*string) {
        be_text_free(text);
    }
    return status || *string ? status : be_fail(error, BE_NOMEM, "no host memory for an answer");
}
