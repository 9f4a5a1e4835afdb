/* JSON (docs/json.md) -> a profile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/json_reader.h"

enum { MOST = 20000 /* records of a kind: a large machine has a thousand figures */ };

/* ---- records -------------------------------------------------------------------------------- */

static enum be_status not_positive(const struct be_reader *reader, const char *field,
                                   double value) {
    char what[BE_NOTE];
    snprintf(what, sizeof what, "a number above 0 is needed, not %g", value);
    return be_reader_bad(reader, field, what);
}

/* What is not there is NAN: a figure needs its value, the rest may be unknown. */
static enum be_status check_figure(const struct be_reader *reader, const struct be_figure *f) {
    const struct {
        const char *field;
        double value;
    } positive[] = {{"value", f->value}, {"median", f->median}, {"lo", f->lo},
                    {"hi", f->hi},       {"bytes", f->bytes},   {"achievable", f->achievable}};
    for (size_t i = 0; i < BE_COUNT(positive); i++) {
        if (positive[i].value <= 0) {
            return not_positive(reader, positive[i].field, positive[i].value);
        }
    }
    const double rounding = 1e-12;
    if (f->lo > f->median * (1 + rounding) || f->median > f->hi * (1 + rounding)) {
        return be_reader_bad(reader, "median", "lies outside of lo .. hi");
    }
    if (!f->what[0] || !f->device[0]) {
        return be_reader_bad(reader, f->what[0] ? "device" : "what", "is empty");
    }
    return BE_OK;
}

static enum be_status read_figure(struct be_reader *reader, const cJSON *object, void *record) {
    enum be_status status = be_reader_record(reader, &be_fields_figure, object, record);
    return status == BE_OK ? check_figure(reader, record) : status;
}

static enum be_status read_fit(struct be_reader *reader, const cJSON *object, void *record) {
    const struct be_fit *fit = record;
    enum be_status status = be_reader_record(reader, &be_fields_fit, object, record);
    if (status == BE_OK && !(fit->rate > 0)) {
        status = not_positive(reader, "rate", fit->rate);
    }
    return status == BE_OK && fit->latency_s < 0 ? be_reader_bad(reader, "latency_s", "is below 0")
                                                 : status;
}

static enum be_status read_fact(struct be_reader *reader, const cJSON *object, void *record) {
    return be_reader_record(reader, &be_fields_fact, object, record);
}

static enum be_status read_finding(struct be_reader *reader, const cJSON *object, void *record) {
    return be_reader_record(reader, &be_fields_finding, object, record);
}

static const struct be_reader_list figures = {"figures", sizeof(struct be_figure), MOST,
                                              read_figure, true};
static const struct be_reader_list fits = {"fits", sizeof(struct be_fit), MOST, read_fit, true};
static const struct be_reader_list facts = {"facts", sizeof(struct be_fact), MOST, read_fact, true};
static const struct be_reader_list findings = {"findings", sizeof(struct be_finding), MOST,
                                               read_finding, true};

/* ---- no figure twice ------------------------------------------------------------------------ */

static int by_number(double a, double b) {
    bool a_known = !isnan(a);
    bool b_known = !isnan(b);
    return a_known && b_known ? (a > b) - (a < b) : a_known - b_known;
}

static int by_key(const void *left, const void *right) {
    const struct be_figure *a = *(const struct be_figure *const *)left;
    const struct be_figure *b = *(const struct be_figure *const *)right;
    int order = strcmp(a->device, b->device);
    order = order ? order : strcmp(a->what, b->what);
    order = order ? order : strcmp(a->dtype, b->dtype);
    order = order ? order : (a->threads > b->threads) - (a->threads < b->threads);
    order = order ? order : by_number(a->bytes, b->bytes);
    return order ? order : strcmp(a->peer, b->peer);
}

static enum be_status check_unique(struct be_reader *reader, const struct be_profile *profile) {
    size_t count = profile->figures;
    const struct be_figure **sorted = calloc(count + 1, sizeof *sorted);
    if (!sorted) {
        return be_fail(reader->error, BE_NOMEM, "%s: no host memory", reader->name);
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = &profile->figure[i];
    }
    qsort(sorted, count, sizeof *sorted, by_key);
    enum be_status status = BE_OK;
    for (size_t i = 1; i < count && status == BE_OK; i++) {
        if (by_key(&sorted[i - 1], &sorted[i]) == 0) {
            ptrdiff_t one = sorted[i - 1] - profile->figure;
            ptrdiff_t other = sorted[i] - profile->figure;
            char what[BE_NOTE];
            snprintf(what, sizeof what, "[%td] and [%td] are the same figure: %.60s %.60s",
                     one < other ? one : other, one < other ? other : one, sorted[i]->device,
                     sorted[i]->what);
            status = be_reader_bad(reader, "figures", what);
        }
    }
    free(sorted);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static enum be_status read_lists(struct be_reader *reader, const cJSON *root,
                                 struct be_profile *profile) {
    void *records[5] = {NULL};
    const struct {
        const struct be_reader_list *list;
        size_t *count;
    } of[] = {{&figures, &profile->figures},
              {&fits, &profile->fits},
              {&facts, &profile->facts},
              {&findings, &profile->findings},
              {&be_reader_remarks, &profile->remarks}};
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(of); i++) {
        status = be_reader_owned(reader, of[i].list, root, &records[i], of[i].count);
    }
    profile->figure = records[0];
    profile->fit = records[1];
    profile->fact = records[2];
    profile->finding = records[3];
    profile->remark = records[4];
    return status;
}

static enum be_status read_root(struct be_reader *reader, const cJSON *root,
                                struct be_profile *profile) {
    enum be_status status = be_reader_head(reader, root, "probe", &profile->partial);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, figures.name);
    if (!status && !list) {
        status = be_reader_wrong_kind(reader, figures.name, "a list", list);
    }
    if (!status) {
        status = be_reader_record(reader, &be_fields_profile, root, profile);
    }
    if (!status) {
        status = be_reader_machine(reader, root, &profile->machine);
    }
    if (!status) {
        status = be_reader_environment(reader, root, &profile->environment);
    }
    *reader->path = '\0';
    if (!status) {
        status = read_lists(reader, root, profile);
    }
    return status ? status : check_unique(reader, profile);
}

enum be_status be_profile_read(FILE *in, const char *name, struct be_profile *profile,
                               struct be_error *error) {
    struct be_reader reader = {.name = name, .error = error};
    cJSON *root = NULL;
    *profile = (struct be_profile){0};
    enum be_status status = be_reader_parse(in, &reader, &root);
    if (!status) {
        status = read_root(&reader, root, profile);
    }
    if (status) {
        be_profile_free(profile);
    }
    cJSON_Delete(root);
    return status;
}
