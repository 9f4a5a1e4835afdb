/* A training run in any format. */
#include "base/error.h"
#include "report/common/out.h"
#include "report/train/fields.h"
#include "report/train/train.h"

static void add_all(const struct be_train_result *result, struct be_text *out) {
    be_train_text_head(result, out);
    for (size_t i = 0; i < result->epochs; i++) {
        be_train_text_epoch(&result->epoch[i], out);
    }
    be_train_text_end(result, out);
}

enum be_status be_train_write(const struct be_train_result *result, enum be_format format,
                              FILE *out, struct be_error *error) {
    struct be_text text = {0};
    switch (format) {
    case BE_TEXT:
        add_all(result, &text);
        break;
    case BE_JSON:
        be_train_json(result, &text);
        break;
    case BE_CSV:
        be_csv_records(&be_train_epoch_fields, result->epoch, result->epochs, sizeof *result->epoch,
                       &text);
        break;
    default:
        return be_report_no_format("write a training run", format, error);
    }
    return be_report_out(&text, out, error);
}
