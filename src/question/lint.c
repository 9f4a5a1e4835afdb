/* Questions about a job script: its faults. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/asked.h"
#include "lint/bash_check.h"
#include "question/question.h"
#include "report/lint/lint.h"

/* Where a member of the question goes. */
struct asked {
    const char *text;
    struct be_lint_asked lint;
};

static enum be_status take_word(const struct be_question *question, const cJSON *member,
                                struct asked *asked) {
    const struct {
        const char *name;
        const char **to;
    } words[] = {
        {"text", &asked->text},
        {"cluster", &asked->lint.cluster},
        {"catalogue", &asked->lint.catalogue},
        {"show", &asked->lint.show},
        {"slurm", &asked->lint.options.slurm},
        {"with", &asked->lint.options.with},
        {"select", &asked->lint.options.select},
        {"ignore", &asked->lint.options.ignore},
    };
    for (size_t i = 0; i < BE_COUNT(words); i++) {
        if (strcmp(member->string, words[i].name) == 0) {
            *words[i].to = cJSON_GetStringValue(member);
            return *words[i].to
                       ? BE_OK
                       : be_json_wrong_kind(question->reader, words[i].name, "a string", member);
        }
    }
    char quoted[BE_JSON_QUOTED + 4];
    be_json_quote(quoted, member->string);
    return be_json_bad(question->reader, quoted,
                       "there is no such member; there are text, cluster, catalogue, slurm, lsf, "
                       "with, select, ignore, show");
}

static enum be_status read_asked(const struct be_question *question, struct asked *asked) {
    enum be_status status = BE_OK;
    const cJSON *member;
    cJSON_ArrayForEach(member, question->node) {
        const bool lsf = strcmp(member->string, "lsf") == 0;
        if (status || strcmp(member->string, "ask") == 0) {
            continue;
        }
        if (lsf && !cJSON_IsBool(member)) {
            status = be_json_wrong_kind(question->reader, "lsf", "true or false", member);
        } else if (lsf) {
            asked->lint.options.lsf = cJSON_IsTrue(member);
        } else {
            status = take_word(question, member, asked);
        }
    }
    return status || asked->text
               ? status
               : be_json_bad(question->reader, "text", "the text of a job script is needed");
}

static enum be_status look(const struct be_question *question, struct asked *asked,
                           struct be_lint_file *file, struct be_text *out, struct be_error *error) {
    struct be_catalogue catalogue = {0};
    struct be_lint_run run = {.file = file, .files = 1, .format = BE_LINT_FULL};
    char said[BE_NOTE * 4];
    enum be_status status = be_lint_asked_open(&asked->lint, &catalogue, &run.min, error);
    if (!status) {
        be_text_add(&file->text, "%s", asked->text);
        be_text_add(&file->with, "%s", asked->lint.options.with ? asked->lint.options.with : "");
        be_lint_bash_check(&file->text, said, sizeof said);
        asked->lint.options.bash = said;
        status =
            be_lint(asked->text, strlen(asked->text), &asked->lint.options, &file->report, error);
    }
    if (!status) {
        (question->format == BE_JSON ? be_lint_json : be_lint_text)(&run, out);
    }
    be_catalogue_close(&catalogue);
    return status;
}

enum be_status be_answer_lint(struct be_asker *asker, const struct be_question *question,
                              char **string, struct be_error *error) {
    struct asked asked = {.text = NULL};
    struct be_lint_file file = {.name = "-"};
    struct be_text text = {0};
    (void)asker;
    enum be_status status = read_asked(question, &asked);
    status = status ? status : look(question, &asked, &file, &text, error);
    be_text_free(&file.text);
    be_text_free(&file.with);
    be_lint_free(&file.report);
    return be_answer_text(&text, status, string, error);
}
