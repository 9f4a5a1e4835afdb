/* Results as texts (breakeven_text.h): each writer writes into memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "breakeven_predict.h"
#include "breakeven_profile.h"
#include "breakeven_queue.h"
#include "breakeven_results.h"
#include "breakeven_text.h"
#include "report/common/out.h"
#include "report/comparison/fields.h"
#include "report/json/describe.h"
#include "report/lint/fields.h"
#include "report/machines/fields.h"
#include "report/predict/fields.h"
#include "report/profile/fields.h"
#include "report/queue/fields.h"

struct memory {
    char *data;
    size_t length;
    FILE *file;
};

/* NULL: no memory. */
static FILE *open_memory(struct memory *memory) {
    *memory = (struct memory){0};
    memory->file = open_memstream(&memory->data, &memory->length);
    return memory->file;
}

/* Hands over the text where all was written, which `status` says. */
static enum be_status close_memory(struct memory *memory, enum be_status status, char **string,
                                   struct be_error *error) {
    const bool whole = memory->file && fclose(memory->file) == 0;
    *string = NULL;
    if (!whole) {
        status = be_fail(error, BE_NOMEM, "results as a text: out of memory");
    }
    if (status == BE_OK && memchr(memory->data, 0, memory->length)) {
        status =
            be_fail(error, BE_USAGE, "results as a text: this format is none: write it to a file");
    }
    if (status == BE_OK) {
        *string = memory->data;
    } else {
        free(memory->data);
    }
    return status;
}

void be_string_free(char *string) {
    free(string);
}

enum be_status be_comparison_string(const struct be_comparison *comparison, enum be_format format,
                                    char **string, struct be_error *error) {
    struct memory memory;
    FILE *out = open_memory(&memory);
    const enum be_status status =
        out ? be_comparison_write(comparison, format, out, error) : BE_NOMEM;
    return close_memory(&memory, status, string, error);
}

enum be_status be_profile_string(const struct be_profile *profile, enum be_format format,
                                 char **string, struct be_error *error) {
    struct memory memory;
    FILE *out = open_memory(&memory);
    const enum be_status status = out ? be_profile_write(profile, format, out, error) : BE_NOMEM;
    return close_memory(&memory, status, string, error);
}

enum be_status be_profile_diff_string(const struct be_profile *a, const struct be_profile *b,
                                      enum be_format format, char **string,
                                      struct be_error *error) {
    struct memory memory;
    FILE *out = open_memory(&memory);
    const enum be_status status = out ? be_profile_diff_write(a, b, format, out, error) : BE_NOMEM;
    return close_memory(&memory, status, string, error);
}

enum be_status be_results_string(const struct be_results *results, char **string,
                                 struct be_error *error) {
    struct memory memory;
    FILE *out = open_memory(&memory);
    const enum be_status status = out ? be_results_write(results, out, error) : BE_NOMEM;
    return close_memory(&memory, status, string, error);
}

enum be_status be_wait_table_string(const struct be_wait_table *table, enum be_format format,
                                    char **string, struct be_error *error) {
    struct memory memory;
    FILE *out = open_memory(&memory);
    const enum be_status status = out ? be_wait_table_write(table, format, out, error) : BE_NOMEM;
    return close_memory(&memory, status, string, error);
}

enum be_status be_wait_chart_string(const struct be_wait_table *table, enum be_format format,
                                    char **string, struct be_error *error) {
    struct memory memory;
    FILE *out = open_memory(&memory);
    const enum be_status status = out ? be_wait_chart_write(table, format, out, error) : BE_NOMEM;
    return close_memory(&memory, status, string, error);
}

enum be_status be_forecast_string(const struct be_forecast *forecast, enum be_format format,
                                  char **string, struct be_error *error) {
    struct memory memory;
    FILE *out = open_memory(&memory);
    const enum be_status status = out ? be_forecast_write(forecast, format, out, error) : BE_NOMEM;
    return close_memory(&memory, status, string, error);
}

enum be_status be_forecast_score_string(const struct be_forecast_score *score, int scores,
                                        char **string, struct be_error *error) {
    struct memory memory;
    FILE *out = open_memory(&memory);
    const enum be_status status =
        out ? be_forecast_score_write(score, scores, out, error) : BE_NOMEM;
    return close_memory(&memory, status, string, error);
}

enum be_status be_predict_string(const struct be_predict_table *table, enum be_format format,
                                 char **string, struct be_error *error) {
    struct memory memory;
    FILE *out = open_memory(&memory);
    const enum be_status status = out ? be_predict_write(table, format, out, error) : BE_NOMEM;
    return close_memory(&memory, status, string, error);
}

enum be_status be_stop_loss_string(const struct be_predict_rates *rates, double operations,
                                   enum be_format format, char **string, struct be_error *error) {
    struct memory memory;
    FILE *out = open_memory(&memory);
    const enum be_status status =
        out ? be_stop_loss_write(rates, operations, format, out, error) : BE_NOMEM;
    return close_memory(&memory, status, string, error);
}

enum be_status be_learned_string(const struct be_profile *profile, const struct be_learned *learned,
                                 enum be_format format, char **string, struct be_error *error) {
    struct memory memory;
    FILE *out = open_memory(&memory);
    const enum be_status status =
        out ? be_learned_write(profile, learned, format, out, error) : BE_NOMEM;
    return close_memory(&memory, status, string, error);
}

/* ---- what was saved ------------------------------------------------------------------------- */

static enum be_status write_saved(const struct be_saved *saved, const char *name,
                                  enum be_format format, char **string, struct be_error *error) {
    if (saved->trace) {
        return be_fail(error, BE_USAGE, "%s: the trace of a run: `breakeven report FILE` shows it",
                       name);
    }
    return saved->is_profile ? be_profile_string(&saved->profile, format, string, error)
                             : be_comparison_string(&saved->comparison, format, string, error);
}

enum be_status be_saved_string(const char *json, const char *name, enum be_format format,
                               char **string, struct be_error *error) {
    struct be_saved saved = {0};
    *string = NULL;
    const size_t length = strlen(json);
    FILE *in = length ? fmemopen((void *)(size_t)json, length, "r") : NULL;
    if (!in) {
        return be_fail(error, length ? BE_NOMEM : BE_USAGE, "%s: %s", name,
                       length ? "out of memory" : "it is empty");
    }
    enum be_status status = be_saved_read(in, name, &saved, error);
    status = status ? status : write_saved(&saved, name, format, string, error);
    be_saved_free(&saved);
    fclose(in);
    return status;
}

enum be_status be_fields_string(const char *kind, char **string, struct be_error *error) {
    static const struct {
        const char *kind;
        const struct be_fields *fields;
    } kinds[] = {{"comparison", &be_fields_comparison},
                 {"profile", &be_fields_profile},
                 {"predictions", &be_fields_predictions},
                 {"prediction", &be_fields_prediction},
                 {"machines", &be_fields_machines},
                 {"lint", &be_fields_lint},
                 {"waits", &be_fields_waits},
                 {"forecast", &be_fields_forecast},
                 {"forecasts", &be_fields_forecasts}};
    struct be_text text = {0};
    struct memory memory;
    *string = NULL;
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        if (strcmp(kind, kinds[i].kind) == 0) {
            be_json_describe(kinds[i].fields, &text);
        }
    }
    if (!text.data && !text.failed) {
        return be_fail(
            error, BE_USAGE,
            "fields of %s: there are comparison, profile, predictions, prediction, machines, "
            "lint, waits, forecast, forecasts",
            kind);
    }
    FILE *out = open_memory(&memory);
    const enum be_status status = out ? be_report_out(&text, out, error) : BE_NOMEM;
    be_text_free(&text);
    return close_memory(&memory, status, string, error);
}
