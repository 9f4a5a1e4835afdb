/* A question of any kind. */
#include "question/question.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum be_status be_asker_open(struct be_asker **opened, struct be_error *error) {
    *opened = calloc(1, sizeof **opened);
    return *opened ? BE_OK : be_fail(error, BE_NOMEM, "no host memory for questions");
}

void be_asker_close(struct be_asker *asker) {
    if (asker) {
        for (int i = 0; i < asker->pairs; i++) {
            be_predictor_close(asker->pair[i].predictor);
        }
        be_profile_free(&asker->here.profile);
        free(asker);
    }
}

static const struct {
    const char *ask;
    be_answer *answer;
    bool format[BE_HTML + 1];
} kinds[] = {
    {"worth", be_answer_worth, {[BE_JSON] = true}},
    {"predict",
     be_answer_predict,
     {[BE_JSON] = true, [BE_TEXT] = true, [BE_SVG] = true, [BE_HTML] = true}},
    {"machines", be_answer_machines, {[BE_JSON] = true, [BE_TEXT] = true}},
    {"machine", be_answer_machine, {[BE_JSON] = true, [BE_TEXT] = true}},
    {"lint", be_answer_lint, {[BE_JSON] = true, [BE_TEXT] = true}},
};

static enum be_status answer(struct be_asker *asker, const struct be_question *question,
                             char **string, struct be_error *error) {
    const cJSON *ask = cJSON_GetObjectItemCaseSensitive(question->node, "ask");
    const char *word = cJSON_GetStringValue(ask);
    for (size_t i = 0; word && i < BE_COUNT(kinds); i++) {
        if (strcmp(word, kinds[i].ask) == 0) {
            return (size_t)question->format < BE_COUNT(kinds[i].format) &&
                           kinds[i].format[question->format]
                       ? kinds[i].answer(asker, question, string, error)
                       : be_fail(error, BE_USAGE, "%s: \"%s\" has no answer in this format",
                                 question->reader->name, word);
        }
    }
    return be_json_bad(question->reader, "ask",
                       "there are worth, predict, machines, machine, lint");
}

enum be_status be_asker_string(struct be_asker *asker, const char *question, const char *name,
                               enum be_format format, char **string, struct be_error *error) {
    struct be_json_reader reader = {.name = name, .error = error};
    cJSON *node = cJSON_Parse(question);
    const struct be_question whole = {&reader, node, format};
    *string = NULL;
    const enum be_status status =
        cJSON_IsObject(node)
            ? answer(asker, &whole, string, error)
            : be_fail(error, BE_USAGE, "%s: a question is a JSON object, as {\"ask\":\"worth\"}",
                      name);
    cJSON_Delete(node);
    return status;
}
