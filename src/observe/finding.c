/* The rules, and asking all of them. */
#include <string.h>

#include "base/error.h"
#include "observe/finding.h"

const struct be_rule *const be_rules[] = {NULL};

const struct be_rule *be_rule_find(const char *name) {
    for (int i = 0; be_rules[i]; i++) {
        if (strcmp(be_rules[i]->name, name) == 0) {
            return be_rules[i];
        }
    }
    return NULL;
}

enum { LEAST_SAMPLES = 10 };

bool be_trace_too_short(const struct be_trace *trace) {
    return trace->samples < LEAST_SAMPLES;
}

int be_trace_findings(const struct be_trace *trace,
                      struct be_run_finding list[BE_RUN_FINDINGS_MAX]) {
    int count = 0;
    for (int i = 0; be_rules[i] && count < BE_RUN_FINDINGS_MAX && !be_trace_too_short(trace); i++) {
        struct be_run_finding *finding = &list[count];
        *finding = (struct be_run_finding){.number = be_rules[i]->number, .gpu = -1};
        be_copy_text(finding->name, sizeof finding->name, be_rules[i]->name);
        count += be_rules[i]->check(trace, finding);
    }
    return count;
}
