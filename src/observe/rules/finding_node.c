/* Findings of a machine as a whole, on which several programs run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "observe/rules/rules.h"

/* They hold one program against what it has: of a machine that is what all of them together leave. */
static const char *const of_one_program[] = {
    "gpu-unused",  "gpus-uneven", "serial",      "gpu-too-big", "startup",  "memory-asked",
    "cores-a-gpu", "cores-idle",  "cores-taken", "cores-bound", "one-lock",
};

static bool is_of_one_program(const char *name) {
    for (size_t i = 0; i < BE_COUNT(of_one_program); i++) {
        if (strcmp(of_one_program[i], name) == 0) {
            return true;
        }
    }
    return false;
}

enum { NAMED = 3 };

/* Processes that take most CPU time, first the most; how many. */
static int busiest(const struct be_trace *trace, int of[NAMED], double cores[NAMED]) {
    int count = 0;
    for (int i = 0; i < trace->processes; i++) {
        double mean =
            be_trace_mean(trace, BE_PROCESS_CPU, i) * be_trace_coverage(trace, BE_PROCESS_CPU, i);
        if (!(mean >= be_t(BE_T_NO_WORK))) {
            continue;
        }
        int at = count < NAMED ? count++ : NAMED;
        for (; at > 0 && cores[at - 1] < mean; at--) {
            if (at < NAMED) {
                of[at] = of[at - 1];
                cores[at] = cores[at - 1];
            }
        }
        if (at < NAMED) {
            of[at] = i;
            cores[at] = mean;
        }
    }
    return count;
}

/* "the busiest: python3 (4711, 3.9 cores), ...": who it may be, and how to ask about one of them. */
static void name_programs(const struct be_trace *trace, char to[BE_NOTE]) {
    int of[NAMED], count;
    double cores[NAMED];
    struct be_text text = {0};
    to[0] = '\0';
    count = busiest(trace, of, cores);
    for (int i = 0; i < count; i++) {
        const struct be_trace_process *process = &trace->process[of[i]];
        be_text_add(&text, "%s", i ? ", " : "the busiest: ");
        be_text_add_utf8(&text, process->name);
        be_text_add(&text, " (%d, %.2g cores)", process->pid, cores[i]);
    }
    if (count) {
        be_text_add(&text, "; breakeven watch %d is about one of them", trace->process[of[0]].pid);
    }
    be_copy_text(to, BE_NOTE, text.data ? text.data : "");
    be_text_free(&text);
}

int be_findings_node(const struct be_trace *trace, struct be_run_finding *list, int count) {
    int kept = 0;
    char programs[BE_NOTE];
    name_programs(trace, programs);
    for (int i = 0; i < count; i++) {
        if (is_of_one_program(list[i].name)) {
            continue;
        }
        list[kept] = list[i];
        if (list[kept].weight == BE_WEIGHT_COST) { /* whose time it is, nobody knows */
            list[kept].weight = BE_WEIGHT_NOTE;
        }
        list[kept].cost_s = NAN;
        be_copy_text(list[kept].advice, sizeof list[kept].advice, programs);
        kept++;
    }
    return kept;
}
