/* Times of other machines, written. */
#include <stdlib.h>

#include "base/error.h"
#include "report/common/out.h"
#include "report/json/record.h"
#include "report/results/results.h"

enum be_status be_results_write(const struct be_results *results, FILE *out,
                                struct be_error *error) {
    struct be_text text = {0};
    if (results->origin == BE_ORIGIN_PREDICTED) {
        return be_fail(error, BE_USAGE, "write results of %s: they are predicted, not measured",
                       results->name);
    }
    be_json_add_head(&text, "results");
    be_json_add_fields(&text, &be_fields_results, results);
    be_json_add_rows(&text, &be_fields_timing, results->result, results->results,
                     sizeof *results->result);
    be_text_add(&text, "}\n");
    return be_report_out(&text, out, error);
}

void be_results_free(struct be_results *results) {
    free(results->result);
    *results = (struct be_results){0};
}
