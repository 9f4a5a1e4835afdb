/* --explain and --fail-on */
#include "cli/explain.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "report/names.h"
#include "report/report.h"
#include "report/rules_text.h"

static enum be_status unknown(const char *option, const char *name, struct be_error *error) {
    return be_fail(error, BE_USAGE,
                   "%s %.100s: no finding has that name; `breakeven run --explain` lists them",
                   option, name);
}

int be_cli_explain(const char *name) {
    struct be_error error = {0};
    struct be_text text = {0};
    const struct be_rule *rule = name ? be_rule_find(name) : NULL;
    if (name && !rule) {
        unknown("--explain", name, &error);
        return be_cli_fail(&error);
    }
    if (rule) {
        be_rule_explain(rule, &text);
    } else {
        be_rules_list(&text);
    }
    return be_report_out(&text, stdout, &error) == BE_OK ? BE_EXIT_OK : be_cli_fail(&error);
}

enum be_status be_cli_fail_on(const char *text, struct be_fail_on *fail_on,
                              struct be_error *error) {
    *fail_on = (struct be_fail_on){.asked = true, .rule = be_rule_find(text)};
    for (int i = 0; !fail_on->rule && i < BE_WEIGHTS; i++) {
        if (strcmp(text, be_names_word(&be_names_weight, i)) == 0) {
            fail_on->weight = (enum be_weight)i;
            return BE_OK;
        }
    }
    return fail_on->rule ? BE_OK
                         : be_fail(error, BE_USAGE,
                                   "--fail-on %.100s: cost, note, good or the name of a finding is "
                                   "needed (`breakeven run --explain` lists them)",
                                   text);
}

bool be_cli_fails(const struct be_fail_on *fail_on, const struct be_trace *trace) {
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    int count = fail_on->asked ? be_trace_findings(trace, found) : 0;
    for (int i = 0; i < count; i++) {
        if (fail_on->rule ? fail_on->rule->number == found[i].number
                          : found[i].weight >= fail_on->weight) {
            return true;
        }
    }
    return false;
}
