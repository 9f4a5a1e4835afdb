/* A training run -> JSON (docs/json.md), one line an epoch. */
#include "report/json/record.h"
#include "report/train/fields.h"
#include "report/train/train.h"

void be_train_json(const struct be_train_result *result, struct be_text *out) {
    struct be_text finding = {0};
    be_train_finding(result, &finding);
    be_json_add_head(out, "train");
    be_json_add_fields(out, &be_train_fields, result);
    be_json_add_records(out, "epochs", &be_train_epoch_fields, result->epoch, result->epochs,
                        sizeof *result->epoch);
    be_json_add_member(out, "finding", be_json_text(finding.data ? finding.data : ""));
    be_text_add(out, "}\n");
    out->failed |= finding.failed;
    be_text_free(&finding);
}
