#include "cli/common/chart.h"

#include <langinfo.h>
#include <string.h>

#include "report/common/out.h"
#include "report/comparison/chart.h"

enum be_status be_cli_chart_print(const struct be_cli_outputs *outputs,
                                  const struct be_comparison *comparison, struct be_error *error) {
    struct be_text text = {0};
    if (!be_cli_outputs_chart(outputs)) {
        return BE_OK;
    }
    be_chart_text(comparison, strcmp(nl_langinfo(CODESET), "UTF-8") == 0, &text);
    return be_report_out(&text, stdout, error);
}
