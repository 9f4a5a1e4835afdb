/* In the small library that is fuzzed there is no workload, and no table of kinds of work: what a report asks of them is
 * not known. */
#include "ask/kinds_text.h"
#include "breakeven.h"

const char be_kinds_text[] = "";

bool be_workload_parameter(const char *name, int index, const char **parameter,
                           const char **summary) {
    (void)name, (void)index, (void)parameter, (void)summary;
    return false;
}
