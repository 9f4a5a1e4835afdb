/* The fields of a finding that checks fill in. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "observe/rules/rules.h"

void be_found(struct be_run_finding *finding, enum be_weight weight, double cost_s) {
    finding->weight = weight;
    finding->cost_s = cost_s > 0 ? cost_s : NAN;
}

__attribute__((format(printf, 2, 0))) static void fill(char to[BE_NOTE], const char *format,
                                                       va_list list) {
    vsnprintf(to, BE_NOTE, format, list);
}

void be_found_evidence(struct be_run_finding *finding, const char *format, ...) {
    va_list list;
    va_start(list, format);
    fill(finding->evidence, format, list);
    va_end(list);
}

void be_found_advice(struct be_run_finding *finding, const char *format, ...) {
    va_list list;
    va_start(list, format);
    fill(finding->advice, format, list);
    va_end(list);
}
