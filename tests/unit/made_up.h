/*
 * Workloads of a test's own in place of those that there are: the linker is told to --wrap them
 * (tests/CMakeLists.txt). One source of a program includes this and defines the list.
 */
#ifndef TESTS_UNIT_MADE_UP_H
#define TESTS_UNIT_MADE_UP_H

#include <string.h>

#include "builtin/builtin.h"

extern const struct be_workload *const __wrap_be_workloads[];
const struct be_workload *__wrap_be_workload_find(const char *name);

const struct be_workload *__wrap_be_workload_find(const char *name) {
    for (int i = 0; __wrap_be_workloads[i]; i++) {
        if (strcmp(__wrap_be_workloads[i]->name, name) == 0) {
            return __wrap_be_workloads[i];
        }
    }
    return NULL;
}

#endif
