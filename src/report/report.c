#include "report/report.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

typedef void writer(const struct be_comparison *comparison, struct be_text *out);

static writer *const writers[] = {
    [BE_TEXT] = be_report_text,
    [BE_JSON] = be_report_json,
    [BE_CSV] = be_report_csv,
};

enum be_status be_comparison_write(const struct be_comparison *comparison, enum be_format format,
                                   FILE *out, struct be_error *error) {
    if ((size_t)format >= BE_COUNT(writers)) {
        return be_fail(error, BE_USAGE, "write results: there is no format %d", (int)format);
    }
    struct be_text text = {0};
    writers[format](comparison, &text);
    enum be_status status = BE_OK;
    if (text.failed) {
        status = be_fail(error, BE_NOMEM, "write results: out of memory");
    } else if ((text.length && fwrite(text.data, 1, text.length, out) != text.length) ||
               fflush(out)) {
        status = be_fail(error, BE_IO, "write results: %s", strerror(errno));
    }
    be_text_free(&text);
    return status;
}
