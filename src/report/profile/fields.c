/*
 * The fields of a profile. Numbers that cannot be are refused here, so that whoever uses a profile
 * need not doubt them.
 */
#include "report/profile/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/common/field_rows.h"
#include "report/json/reader.h"
#include "report/profile/diff.h"

/* ---- numbers that can be -------------------------------------------------------------------- */

/* A rate or time outside of this was not measured by anyone. */
static const double min = 1e-15, max = 1e24, max_s = 1e7;

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
    bool possible = value >= min && value <= (is_time ? max_s : max);
    const char *want =
        is_time ? "a number above 0 (1e-15 .. 1e7)" : "a number above 0 (1e-15 .. 1e24)";
    return isnan(value) || possible ? BE_OK : bad_number(reader, field, want, value);
}

static enum be_status check_interval(const struct be_json_reader *reader,
                                     const struct be_figure *of) {
    const double rounding = 1 + 1e-9;
    if (of->lo > of->median * rounding) {
        return be_json_bad(reader, "lo", "is above the median");
    }
    if (of->median > of->hi * rounding) {
        return be_json_bad(reader, "hi", "is below the median");
    }
    return of->lo > of->hi * rounding ? be_json_bad(reader, "lo", "is above hi") : BE_OK;
}

static enum be_status check_figure(struct be_json_reader *reader, const struct cJSON *object,
                                   void *record) {
    (void)object;
    struct be_figure *of = record;
    enum be_status status = BE_OK;
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"value", of->value},
                   {"median", of->median},
                   {"lo", of->lo},
                   {"hi", of->hi},
                   {"achievable", of->achievable}};
    for (size_t i = 0; !status && i < BE_COUNT(numbers); i++) {
        status =
            check_positive(reader, numbers[i].name, numbers[i].value, of->unit == BE_UNIT_SECONDS);
    }
    if (!status && !(isnan(of->bytes) || of->bytes >= 0)) {
        status = bad_number(reader, "bytes", "0 or more", of->bytes);
    }
    if (!status && (!*of->device || !*of->what)) {
        status = be_json_bad(reader, *of->device ? "what" : "device", "is empty");
    }
    status = status ? status : check_interval(reader, of);
    /* Older files have the number itself. */
    if (of->n == 1 && of->source == BE_SOURCE_MEASURED) {
        of->lo = of->hi = NAN;
    }
    return status;
}

static enum be_status check_fit(struct be_json_reader *reader, const struct cJSON *object,
                                void *record) {
    (void)object;
    const struct be_fit *of = record;
    if (!(of->latency_s >= 0 && of->latency_s <= max_s)) {
        return bad_number(reader, "latency_s", "a number from 0 to 1e7", of->latency_s);
    }
    enum be_status status = check_positive(reader, "rate", of->rate, false);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"smallest", of->smallest},
                   {"largest", of->largest},
                   {"typical_off", of->typical_off},
                   {"worst_off", of->worst_off}};
    for (size_t i = 0; !status && i < BE_COUNT(numbers); i++) {
        if (numbers[i].value < 0) {
            status = bad_number(reader, numbers[i].name, "0 or more", numbers[i].value);
        }
    }
    return status;
}

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

/* The first in the file comes first among equal keys. */
static int by_key(const void *a, const void *b) {
    const struct be_figure *const *x = a, *const *y = b;
    int order = compare_keys(*x, *y);
    return order ? order : (*x > *y) - (*x < *y);
}

static enum be_status check_twice(struct be_json_reader *reader, const struct cJSON *object,
                                  void *record) {
    (void)object;
    const struct be_profile *all = record;
    if (all->figures < 2) {
        return BE_OK;
    }
    const struct be_figure **sorted = calloc(all->figures, sizeof(const struct be_figure *));
    if (!sorted) {
        return be_fail(reader->error, BE_NOMEM, "%s: no memory to look for figures given twice",
                       reader->name);
    }
    for (size_t i = 0; i < all->figures; i++) {
        sorted[i] = &all->figure[i];
    }
    qsort(sorted, all->figures, sizeof(const struct be_figure *), by_key);
    enum be_status status = BE_OK;
    for (size_t i = 1; !status && i < all->figures; i++) {
        if (compare_keys(sorted[i - 1], sorted[i]) == 0) {
            char what[BE_NAME], device[BE_JSON_QUOTED + 4], kind[BE_JSON_QUOTED + 4];
            snprintf(what, sizeof what, "figures[%td]", sorted[i] - all->figure);
            be_json_quote(device, sorted[i]->device);
            be_json_quote(kind, sorted[i]->what);
            char text[BE_NOTE];
            snprintf(text, sizeof text, "is the same figure as figures[%td] (%s of %s)",
                     sorted[i - 1] - all->figure, kind, device);
            status = be_json_bad(reader, what, text);
        }
    }
    free(sorted);
    return status;
}

/* ---- tables --------------------------------------------------------------------------------- */

static const struct be_field figure[] = {
    NEED(be_figure, TEXT, device),    NEED(be_figure, TEXT, what),
    FIELD(be_figure, NOTE, dtype),    FIELD(be_figure, GIVEN, threads),
    FIELD(be_figure, REAL, bytes),    FIELD(be_figure, NOTE, peer),
    NEED_WORD(be_figure, unit, unit), NEED_WORD(be_figure, source, source),
    NEED(be_figure, REAL, value),     FIELD(be_figure, REAL, median),
    FIELD(be_figure, REAL, lo),       FIELD(be_figure, REAL, hi),
    FIELD(be_figure, INT, n),         FIELD(be_figure, REAL, achievable),
    FIELD(be_figure, NOTE, date),     FIELD(be_figure, NOTE, method),
    FIELD(be_figure, NOTE, note),
};
const struct be_fields be_fields_figure = FIELDS_CHECKED(figure, check_figure);

static const struct be_field fit[] = {
    NEED(be_fit, TEXT, device),    NEED(be_fit, TEXT, what),         FIELD(be_fit, NOTE, peer),
    NEED(be_fit, REAL, latency_s), NEED(be_fit, REAL, rate),         FIELD(be_fit, REAL, smallest),
    FIELD(be_fit, REAL, largest),  FIELD(be_fit, REAL, typical_off), FIELD(be_fit, REAL, worst_off),
    FIELD(be_fit, INT, points),
};
static const struct be_fields fits = FIELDS_CHECKED(fit, check_fit);

static const struct be_field fact[] = {
    FIELD(be_fact, NOTE, device),
    NEED(be_fact, TEXT, name),
    FIELD(be_fact, NOTE, text),
    FIELD(be_fact, REAL, number),
};
static const struct be_fields facts = FIELDS(fact);

static const struct be_field finding[] = {
    FIELD(be_finding, NOTE, device),
    NEED(be_finding, TEXT, name),
    FIELD(be_finding, TEXT, evidence),
    FIELD(be_finding, TEXT, advice),
};
static const struct be_fields findings = FIELDS(finding);

static const struct be_field profile[] = {
    FIELD(be_profile, TEXT, name),
    FIELD(be_profile, TEXT, provenance),
    NEED_WORD(be_profile, source, source),
    FIELD(be_profile, FLAG, partial),
    NEED_PART(be_profile, machine, be_fields_machine),
    PART(be_profile, environment, be_fields_environment),
    NEED_OWNED(be_profile, figure, figures, &be_fields_figure),
    OWNED(be_profile, fit, fits, &fits),
    OWNED(be_profile, fact, facts, &facts),
    OWNED(be_profile, finding, findings, &findings),
    OWNED(be_profile, remark, remarks, NULL),
};
const struct be_fields be_fields_profile = FIELDS_CHECKED(profile, check_twice);

static const struct be_field diff[] = {
    FIELD(be_diff_row, TEXT, device),    FIELD(be_diff_row, TEXT, device_b),
    FIELD(be_diff_row, TEXT, what),      FIELD(be_diff_row, NOTE, dtype),
    FIELD(be_diff_row, GIVEN, threads),  FIELD(be_diff_row, GIVEN, threads_b),
    FIELD(be_diff_row, REAL, bytes),     FIELD(be_diff_row, REAL, bytes_b),
    FIELD(be_diff_row, NOTE, peer),      WORD(be_diff_row, unit, unit),
    FIELD(be_diff_row, REAL, a),         FIELD(be_diff_row, REAL, b),
    FIELD(be_diff_row, REAL, ratio),     WORD(be_diff_row, verdict, verdict),
    WORD(be_diff_row, source_a, source), WORD(be_diff_row, source_b, source),
};
const struct be_fields be_fields_diff = FIELDS(diff);

static const struct be_field diff_fact[] = {
    FIELD(be_diff_fact, NOTE, device),
    FIELD(be_diff_fact, TEXT, name),
    FIELD(be_diff_fact, NOTE, a),
    FIELD(be_diff_fact, NOTE, b),
};
const struct be_fields be_fields_diff_fact = FIELDS(diff_fact);
