#include "report/common/out.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

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

enum be_status be_report_no_format(const char *doing, enum be_format format,
                                   struct be_error *error) {
    return be_fail(error, BE_USAGE, "%s: there is no format %d", doing, (int)format);
}
