/* JSON (docs/json.md) -> a profile. Numbers that cannot be are refused here, so that whoever uses
 * a profile need not doubt them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/json/reader.h"

/* A rate or time outside of this was not measured by anyone. */
static const double least = 1e-15, most = 1e24, most_s = 1e7;

static enum be_status bad_number(const struct be_json_reader *reader, const char *field,
                                 const char *want, double value) {
    char what[BE_NOTE], number[BE_WORD];
    be_format_exact(number, sizeof number, value, "one that is missing");
    snprintf(what, sizeof what, "%s is needed, not %s", want, number);
    return be_json_bad(reader, field, what);
}

/* Each of them: missing, or possible. */
static enum be_status check_positive(const struct be_json_reader *reader, const char *field,
                                     double value, bool is_time) {
    bool possible = value >= least && value <= (is_time ? most_s : most);
    const char *want =
        is_time ? "a number above 0 (1e-15 .. 1e7)" : "a number above 0 (1e-15 .. 1e24)";
    return isnan(value) || possible ? BE_OK : bad_number(reader, field, want, value);
}

static enum be_status check_interval(const struct be_json_reader *reader,
                                     const struct be_figure *figure) {
    const double rounding = 1 + 1e-9;
    if (figure->lo > figure->median * rounding) {
        return be_json_bad(reader, "lo", "is above the median");
    }
    if (figure->median > figure->hi * rounding) {
        return be_json_bad(reader, "hi", "is below the median");
    }
    return figure->lo > figure->hi * rounding ? be_json_bad(reader, "lo", "is above hi") : BE_OK;
}

static enum be_status read_figure(struct be_json_reader *reader, const cJSON *object,
                                  void *record) {
    struct be_figure *figure = record;
    enum be_status status = be_json_read_record(reader, &be_fields_figure, object, figure);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"value", figure->value},
                   {"median", figure->median},
                   {"lo", figure->lo},
                   {"hi", figure->hi},
                   {"achievable", figure->achievable}};
    for (size_t i = 0; !status && i < BE_COUNT(numbers); i++) {
        status = check_positive(reader, numbers[i].name, numbers[i].value,
                                figure->unit == BE_UNIT_SECONDS);
    }
    if (!status && !(isnan(figure->bytes) || figure->bytes >= 0)) {
        status = bad_number(reader, "bytes", "0 or more", figure->bytes);
    }
    if (!status && (!*figure->device || !*figure->what)) {
        status = be_json_bad(reader, *figure->device ? "what" : "device", "is empty");
    }
    status = status ? status : check_interval(reader, figure);
    /* Older files have the number itself. */
    if (figure->n == 1 && figure->source == BE_SOURCE_MEASURED) {
        figure->lo = figure->hi = NAN;
    }
    return status;
}

static enum be_status read_fit(struct be_json_reader *reader, const cJSON *object, void *record) {
    struct be_fit *fit = record;
    enum be_status status = be_json_read_record(reader, &be_fields_fit, object, fit);
    if (!status && !(fit->latency_s >= 0 && fit->latency_s <= most_s)) {
        return bad_number(reader, "latency_s", "a number from 0 to 1e7", fit->latency_s);
    }
    status = status ? status : check_positive(reader, "rate", fit->rate, false);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"smallest", fit->smallest},
                   {"largest", fit->largest},
                   {"typical_off", fit->typical_off},
                   {"worst_off", fit->worst_off}};
    for (size_t i = 0; !status && i < BE_COUNT(numbers); i++) {
        if (numbers[i].value < 0) {
            status = bad_number(reader, numbers[i].name, "0 or more", numbers[i].value);
        }
    }
    return status;
}

static enum be_status read_fact(struct be_json_reader *reader, const cJSON *object, void *record) {
    return be_json_read_record(reader, &be_fields_fact, object, record);
}

static enum be_status read_finding(struct be_json_reader *reader, const cJSON *object,
                                   void *record) {
    return be_json_read_record(reader, &be_fields_finding, object, record);
}

static const struct be_json_list figures = {"figures", sizeof(struct be_figure), BE_JSON_LIST_MAX,
                                            read_figure, true};
static const struct be_json_list fits = {"fits", sizeof(struct be_fit), BE_JSON_LIST_MAX, read_fit,
                                         true};
static const struct be_json_list facts = {"facts", sizeof(struct be_fact), BE_JSON_LIST_MAX,
                                          read_fact, true};
static const struct be_json_list findings = {"findings", sizeof(struct be_finding),
                                             BE_JSON_LIST_MAX, read_finding, true};

/* ---- no figure twice ------------------------------------------------------------------------ */

static int compare_keys(const struct be_figure *a, const struct be_figure *b) {
    int order = strcmp(a->device, b->device);
    order = order ? order : strcmp(a->what, b->what);
    order = order ? order : strcmp(a->dtype, b->dtype);
    order = order ? order : strcmp(a->peer, b->peer);
    order = order ? order : (a->threads > b->threads) - (a->threads < b->threads);
    bool none[2] = {isnan(a->bytes), isnan(b->bytes)};
    if (order || none[0] || none[1]) {
        return order ? order : none[0] - none[1];
    }
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* Of equal keys the first in the file comes first. */
static int by_key(const void *a, const void *b) {
    const struct be_figure *const *x = a, *const *y = b;
    int order = compare_keys(*x, *y);
    return order ? order : (*x > *y) - (*x < *y);
}

static enum be_status check_twice(const struct be_json_reader *reader,
                                  const struct be_profile *profile) {
    if (profile->figures < 2) {
        return BE_OK;
    }
    const struct be_figure **sorted = calloc(profile->figures, sizeof(const struct be_figure *));
    if (!sorted) {
        return be_fail(reader->error, BE_NOMEM, "%s: no memory to look for figures given twice",
                       reader->name);
    }
    for (size_t i = 0; i < profile->figures; i++) {
        sorted[i] = &profile->figure[i];
    }
    qsort(sorted, profile->figures, sizeof(const struct be_figure *), by_key);
    enum be_status status = BE_OK;
    for (size_t i = 1; !status && i < profile->figures; i++) {
        if (compare_keys(sorted[i - 1], sorted[i]) == 0) {
            char what[BE_NAME], device[BE_JSON_QUOTED + 4], kind[BE_JSON_QUOTED + 4];
            snprintf(what, sizeof what, "figures[%td]", sorted[i] - profile->figure);
            be_json_quote(device, sorted[i]->device);
            be_json_quote(kind, sorted[i]->what);
            char text[BE_NOTE];
            snprintf(text, sizeof text, "is the same figure as figures[%td] (%s of %s)",
                     sorted[i - 1] - profile->figure, kind, device);
            status = be_json_bad(reader, what, text);
        }
    }
    free(sorted);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static enum be_status read_lists(struct be_json_reader *reader, const cJSON *root,
                                 struct be_profile *profile) {
    void *records[5] = {NULL};
    const struct {
        const struct be_json_list *list;
        size_t *count;
    } lists[] = {{&figures, &profile->figures},
                 {&fits, &profile->fits},
                 {&facts, &profile->facts},
                 {&findings, &profile->findings},
                 {&be_json_remarks, &profile->remarks}};
    enum be_status status = BE_OK;
    for (size_t i = 0; !status && i < BE_COUNT(lists); i++) {
        status = be_json_read_owned(reader, lists[i].list, root, &records[i], lists[i].count);
    }
    profile->figure = records[0];
    profile->fit = records[1];
    profile->fact = records[2];
    profile->finding = records[3];
    profile->remark = records[4];
    return status;
}

enum be_status be_json_read_profile(struct be_json_reader *reader, const cJSON *root,
                                    struct be_profile *profile) {
    enum be_status status = be_json_check_command(reader, root, "probe");
    status = status ? status : be_json_read_record(reader, &be_fields_profile, root, profile);
    status = status ? status : be_json_read_truth(reader, root, "partial", &profile->partial);
    if (!status && !cJSON_GetObjectItemCaseSensitive(root, figures.name)) {
        status = be_json_wrong_kind(reader, figures.name, "a list", NULL);
    }
    status = status ? status : be_json_read_machine(reader, root, &profile->machine);
    status = status ? status : be_json_read_environment(reader, root, &profile->environment);
    *reader->path = '\0';
    status = status ? status : read_lists(reader, root, profile);
    *reader->path = '\0';
    return status ? status : check_twice(reader, profile);
}
