/* --explain and --fail-on */
#include "cli/common/explain.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "cli/common/fail.h"
#include "machine/health.h"
#include "report/common/names.h"
#include "report/common/out.h"
#include "report/trace/rules_text.h"

static enum be_status unknown(const char *option, const char *name, struct be_error *error) {
    const char *nearest = NULL;
    size_t min = be_near_limit(strlen(name));
    for (int i = 0; be_rules[i].name; i++) {
        bool nearer = be_is_nearer(name, strlen(name), be_rules[i].name, &min);
        nearest = nearer ? be_rules[i].name : nearest;
    }
    return nearest
               ? be_fail(error, BE_USAGE, "%s %.100s: no finding has that name; did you mean %s?",
                         option, name, nearest)
               : be_fail(
                     error, BE_USAGE,
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

enum be_status be_cli_fail_on_saved(const char *text, struct be_fail_on *fail_on,
                                    struct be_error *error) {
    const char *of_profile = be_profile_finding_name(text);
    if (of_profile) { /* a finding of runs may have the same name */
        *fail_on = (struct be_fail_on){
            .asked = true, .rule = be_rule_find(text), .of_profile = of_profile};
        return BE_OK;
    }
    return be_cli_fail_on(text, fail_on, error);
}

static bool fails_profile(const struct be_fail_on *fail_on, const struct be_profile *profile) {
    for (size_t i = 0; i < profile->findings; i++) {
        if (!fail_on->of_profile || strcmp(profile->finding[i].name, fail_on->of_profile) == 0) {
            return true;
        }
    }
    return false;
}

enum be_status be_cli_fails_saved(const struct be_fail_on *fail_on, const struct be_saved *saved,
                                  const char *name, bool *fails, struct be_error *error) {
    *fails = false;
    if (!fail_on->asked) {
        return BE_OK;
    }
    if (!saved->trace && !saved->is_profile) {
        return be_fail(error, BE_USAGE,
                       "--fail-on: %s is a comparison, which has no findings; a run (`breakeven "
                       "run`) and a profile (`breakeven probe`) have",
                       name);
    }
    if (saved->trace && fail_on->of_profile && !fail_on->rule) {
        return be_fail(error, BE_USAGE,
                       "--fail-on %s: a finding of profiles, and %s is of a run; `breakeven run "
                       "--explain` lists what runs have",
                       fail_on->of_profile, name);
    }
    if (saved->is_profile && fail_on->rule && !fail_on->of_profile) {
        return be_fail(error, BE_USAGE,
                       "--fail-on %s: a finding of runs, and %s is a profile; docs/profiles.md "
                       "lists what profiles have",
                       fail_on->rule->name, name);
    }
    *fails = saved->trace ? be_cli_fails(fail_on, saved->trace)
                          : fails_profile(fail_on, &saved->profile);
    return BE_OK;
}
