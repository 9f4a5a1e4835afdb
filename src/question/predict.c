/* Questions about a computation that is described by numbers: a table of predictions, or the verdict at one size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/profile.h"
#include "question/question.h"
#include "question/table.h"
#include "report/json/record.h"
#include "report/predict/fields.h"

/* ---- a table -------------------------------------------------------------------------------- */

static bool is_size(double n) {
    return n >= 1 && n <= 0x1p53 && floor(n) >= n;
}

static enum be_status read_sizes(const struct be_question *question,
                                 const struct be_question_work *work, struct be_choice *choice) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(question->node, "sizes"), *item;
    if (list && !cJSON_IsArray(list)) {
        return be_json_wrong_kind(question->reader, "sizes", "a list of numbers", list);
    }
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsNumber(item) || !is_size(item->valuedouble)) {
            return be_json_bad(question->reader, "sizes", "whole numbers of 1 and more are needed");
        }
        if (choice->values == BE_LIST_MAX) {
            return be_json_bad(question->reader, "sizes", "there are too many: at most 64");
        }
        choice->value[choice->values++] = (uint64_t)item->valuedouble;
    }
    if (isnan(work->size_from) && isnan(work->size_to)) {
        return BE_OK;
    }
    if (!is_size(work->size_from) || !is_size(work->size_to) || work->size_from > work->size_to) {
        return be_json_bad(question->reader, "size_from",
                           "it and size_to are whole numbers of 1 and more, and the first is not "
                           "the larger");
    }
    choice->from = (uint64_t)work->size_from;
    choice->to = (uint64_t)work->size_to;
    return BE_OK;
}

enum be_status be_answer_predict(struct be_asker *asker, const struct be_question *question,
                                 char **string, struct be_error *error) {
    struct be_question_work work;
    struct be_table table = {.here = {.known = false}};
    struct be_choice size = {.name = "size"};
    const char *machine[BE_LIST_MAX];
    (void)asker;
    enum be_status status = be_question_work_read(question, &work);
    status = status ? status : read_sizes(question, &work, &size);
    if (!status && work.machines > BE_COUNT(machine)) {
        status = be_json_bad(question->reader, "machines", "there are too many: at most 64");
    }
    if (!status) {
        for (size_t i = 0; i < work.machines; i++) {
            machine[i] = work.machine[i];
        }
        const struct be_table_asked asked = {
            .formulas = &work.formulas,
            .size = &size,
            .machine = machine,
            .machines = (int)work.machines,
            .cpu = *work.cpu ? work.cpu : NULL,
            .measured_s = work.measured_s,
        };
        status = be_table_make(&asked, &table, error);
        status = status ? be_context(error, "%s", question->reader->name)
                        : be_predict_string(&table.table, question->format, string, error);
    }
    be_table_free(&table);
    be_question_work_free(&work);
    return status;
}

/* ---- the verdict at one size ---------------------------------------------------------------- */

/* The profile of that name into memory that lasts as long as *named, or the one here. */
static enum be_status open_profile(struct be_asker *asker, const char *name,
                                   struct be_profile *named, const struct be_profile **profile,
                                   struct be_error *error) {
    const bool here = strcmp(name, "here") == 0;
    *profile = here ? &asker->here.profile : named;
    return here ? be_here_open(&asker->here, NULL, error) : be_profile_named(name, named, error);
}

static void keep_pair(struct be_asker *asker, const char *cpu, const char *gpu,
                      struct be_predictor *predictor) {
    struct be_known_pair *pair = &asker->pair[asker->next];
    asker->next = (asker->next + 1) % BE_KNOWN_PAIRS;
    asker->pairs += asker->pairs < BE_KNOWN_PAIRS;
    be_predictor_close(pair->predictor);
    be_copy_text(pair->cpu, sizeof pair->cpu, cpu);
    be_copy_text(pair->gpu, sizeof pair->gpu, gpu);
    pair->predictor = predictor;
}

static enum be_status find_pair(struct be_asker *asker, const char *cpu, const char *gpu,
                                const struct be_predictor **found, struct be_error *error) {
    for (int i = 0; i < asker->pairs; i++) {
        const struct be_known_pair *pair = &asker->pair[i];
        if (strcmp(pair->gpu, gpu) == 0 && strcmp(pair->cpu, cpu) == 0) {
            *found = pair->predictor;
            return BE_OK;
        }
    }
    struct be_profile cpu_named = {.figure = NULL}, gpu_named = {.figure = NULL};
    const struct be_profile *on_cpu = NULL, *on_gpu = NULL;
    struct be_predictor *predictor = NULL;
    enum be_status status = open_profile(asker, cpu, &cpu_named, &on_cpu, error);
    status = status ? status : open_profile(asker, gpu, &gpu_named, &on_gpu, error);
    status = status ? status : be_predictor_open(on_cpu, on_gpu, &predictor, error);
    if (!status) {
        keep_pair(asker, cpu, gpu, predictor);
    }
    *found = predictor;
    be_profile_free(&gpu_named);
    be_profile_free(&cpu_named);
    return status;
}

/* The machine that is asked about: the GPU here, or without one the first of the usual ones. */
static enum be_status machine_of(struct be_asker *asker, const struct be_question *question,
                                 const struct be_question_work *work, const char **machine,
                                 struct be_error *error) {
    if (work->machines > 1) {
        return be_json_bad(question->reader, "machines", "one is asked about; predict has several");
    }
    *machine = work->machines ? work->machine[0] : "here";
    if (work->machines) {
        return BE_OK;
    }
    const enum be_status status = be_here_open(&asker->here, NULL, error);
    *machine = status || be_profile_gpu(&asker->here.profile) ? "here" : be_table_usual();
    return status;
}

static enum be_status predict_at(const struct be_predictor *predictor, struct be_question_work *w,
                                 struct be_predict_row *row, struct be_error *error) {
    struct be_predict_work work;
    const char *of_n = be_formulas_of_n(&w->formulas);
    if (isnan(w->size) && of_n) {
        return be_fail(error, BE_USAGE, "%s has n in it: say the size", of_n);
    }
    row->size = isnan(w->size) ? 1 : w->size;
    if (!is_size(row->size)) {
        return be_fail(error, BE_USAGE, "size %g: a whole number of 1 and more is needed",
                       row->size);
    }
    enum be_status status = be_formulas_at(&w->formulas, row->size, &work, error);
    return status ? status : be_predict(predictor, &work, &row->prediction, error);
}

enum be_status be_answer_worth(struct be_asker *asker, const struct be_question *question,
                               char **string, struct be_error *error) {
    struct be_question_work work;
    struct be_predict_row row = {.placement = BE_HOST};
    struct be_text text = {0};
    const struct be_predictor *predictor = NULL;
    const char *machine = NULL;
    enum be_status status = be_question_work_read(question, &work);
    status = status ? status : machine_of(asker, question, &work, &machine, error);
    status = status ? status
                    : find_pair(asker, *work.cpu ? work.cpu : "here", machine, &predictor, error);
    status = status ? status : predict_at(predictor, &work, &row, error);
    if (!status) {
        be_copy_text(row.machine, sizeof row.machine, machine);
        be_json_add(&text, be_json_record(&be_fields_prediction, &row));
    }
    be_question_work_free(&work);
    return be_answer_text(&text, status, string, error);
}
