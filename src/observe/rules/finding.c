/* Asking all rules, leaving out what another explains, and the order. */
#include "observe/rules/finding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "observe/rules/rules.h"

const struct be_rule *be_rule_find(const char *name) {
    for (int i = 0; be_rules[i].name; i++) {
        if (strcmp(be_rules[i].name, name) == 0) {
            return &be_rules[i];
        }
    }
    return NULL;
}

typedef bool check(const struct be_trace *trace, struct be_run_finding *finding);

static bool ask(const struct be_rule *rule, check *holds, const struct be_trace *trace, int gpu,
                struct be_run_finding *finding) {
    *finding = (struct be_run_finding){.number = rule->number, .gpu = gpu, .cost_s = NAN};
    be_copy_text(finding->name, sizeof finding->name, rule->name);
    return holds(trace, finding);
}

static bool dearer(const struct be_run_finding *a, const struct be_run_finding *b) {
    if (a->weight != b->weight) {
        return a->weight > b->weight;
    }
    return isnan(b->cost_s) ? !isnan(a->cost_s) : a->cost_s > b->cost_s;
}

/* With several GPUs it finds the one for which it is worst, and on how many others it is so. */
static bool ask_each(const struct be_rule *rule, const struct be_trace *trace,
                     struct be_run_finding *worst) {
    int count = 0;
    for (int i = 0; i < trace->gpus; i++) {
        struct be_run_finding one;
        if (!be_look_foreign(trace, i) && ask(rule, rule->check, trace, i, &one)) {
            *worst = !count++ || dearer(&one, worst) ? one : *worst;
        }
    }
    if (count && trace->gpus > 1) {
        char text[BE_NOTE];
        int length = snprintf(text, sizeof text, "GPU %d: %.220s", worst->gpu, worst->evidence);
        if (count > 1 && length > 0 && length < BE_NOTE) {
            snprintf(text + length, sizeof text - (size_t)length, " Likewise on %d more.",
                     count - 1);
        }
        be_copy_text(worst->evidence, sizeof worst->evidence, text);
    }
    return count > 0;
}

static bool held(const struct be_run_finding *list, int count, const char *names) {
    for (int i = 0; i < count && names; i++) {
        const char *at = strstr(names, list[i].name);
        if (at && at[strlen(list[i].name)] == ' ' && (at == names || at[-1] == ' ')) {
            return true;
        }
    }
    return false;
}

static int drop_explained(struct be_run_finding *list, int count) {
    bool explained[BE_RUN_FINDINGS_MAX] = {false};
    int left = 0;
    for (int i = 0; i < count; i++) {
        explained[i] = held(list, count, be_rule_find(list[i].name)->unless);
    }
    for (int i = 0; i < count; i++) {
        if (!explained[i]) {
            list[left++] = list[i];
        }
    }
    return left;
}

/* Stable: rules of equal weight and cost stay in the order of their numbers. */
static void sort(struct be_run_finding *list, int count) {
    for (int i = 1; i < count; i++) {
        struct be_run_finding one = list[i];
        int at = i;
        for (; at > 0 && dearer(&one, &list[at - 1]); at--) {
            list[at] = list[at - 1];
        }
        list[at] = one;
    }
}

int be_findings_of(const struct be_trace *whole, const struct be_trace *window, double from_s,
                   struct be_run_finding list[BE_RUN_FINDINGS_MAX]) {
    int count = 0;
    for (int i = 0; be_rules[i].name && count < BE_RUN_FINDINGS_MAX; i++) {
        const struct be_rule *rule = &be_rules[i];
        const struct be_trace *trace = rule->whole ? whole : window;
        bool holds = rule->each_gpu ? ask_each(rule, trace, &list[count])
                                    : ask(rule, rule->check, trace, -1, &list[count]);
        if (!holds && rule->check_cpu) {
            holds = ask(rule, rule->check_cpu, trace, -1, &list[count]);
        }
        list[count].from_s = rule->whole ? 0 : from_s;
        list[count].to_s = whole->elapsed_s;
        count += holds;
    }
    count = whole->node ? be_findings_node(window, list, count) : count;
    count = drop_explained(list, count);
    sort(list, count);
    return count;
}

int be_trace_findings(const struct be_trace *trace,
                      struct be_run_finding list[BE_RUN_FINDINGS_MAX]) {
    if (!be_trace_too_short(trace)) {
        return be_findings_of(trace, trace, 0, list);
    }
    static const char *const always[] = {"out-of-memory", "too-short"};
    int count = 0;
    for (size_t i = 0; i < BE_COUNT(always); i++) {
        const struct be_rule *rule = be_rule_find(always[i]);
        count += ask(rule, rule->check, trace, -1, &list[count]);
    }
    return count;
}
