#include "report/profile/report.h"
#include "report/report.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

static void (*const comparisons[])(const struct be_comparison *, struct be_text *) = {
    [BE_TEXT] = be_report_text,
    [BE_JSON] = be_report_json,
    [BE_CSV] = be_report_csv,
};

static void (*const profiles[])(const struct be_profile *, struct be_text *) = {
    [BE_TEXT] = be_profile_text,
    [BE_JSON] = be_profile_json,
    [BE_CSV] = be_profile_csv,
};

enum be_status be_report_out(struct be_text *text, FILE *out, struct be_error *error) {
    enum be_status status = BE_OK;
    if (text->failed) {
        status = be_fail(error, BE_NOMEM, "write results: out of memory");
    } else if ((text->length && fwrite(text->data, 1, text->length, out) != text->length) ||
               fflush(out)) {
        status = be_fail(error, BE_IO, "write results: %s", strerror(errno));
    }
    be_text_free(text);
    return status;
}

static enum be_status check_format(enum be_format format, struct be_error *error) {
    return (size_t)format < BE_COUNT(comparisons)
               ? BE_OK
               : be_fail(error, BE_USAGE, "write results: there is no format %d", (int)format);
}

enum be_status be_comparison_write(const struct be_comparison *comparison, enum be_format format,
                                   FILE *out, struct be_error *error) {
    struct be_text text = {0};
    if (format == BE_PNG) {
        if (!comparison->picture.rgb) {
            return be_fail(error, BE_USAGE, "write results: they have no picture");
        }
        be_report_png(&comparison->picture, &text);
        return be_report_out(&text, out, error);
    }
    enum be_status status = check_format(format, error);
    if (status) {
        return status;
    }
    comparisons[format](comparison, &text);
    return be_report_out(&text, out, error);
}

enum be_status be_profile_write(const struct be_profile *profile, enum be_format format, FILE *out,
                                struct be_error *error) {
    struct be_text text = {0};
    enum be_status status = check_format(format, error);
    if (status) {
        return status;
    }
    profiles[format](profile, &text);
    return be_report_out(&text, out, error);
}
