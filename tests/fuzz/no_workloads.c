/* In the small library that is fuzzed there is no workload: what a report asks of them is not known. */
#include "breakeven.h"

bool be_workload_parameter(const char *name, int index, const char **parameter,
                           const char **summary) {
    (void)name, (void)index, (void)parameter, (void)summary;
    return false;
}
